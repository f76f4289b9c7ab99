"""The moves of Triangulation chess: which there are, and what they do to a position.

A move is an integer, so that searches can keep many: start, target, and for castling and rescues the rest. `PASS` is
0, which no other move is. `legal_moves` and `count_legal` know every rule of moving; `make` and `unmake` play on a
position in place, the turn of the next player begun and their mark of checkmate judged.
"""

from __future__ import annotations

from typing import Final

from rules.chess.board import (
    ADVANCE,
    APPROACHES,
    BESIDES,
    BIT,
    CAVALRY,
    COLOURS,
    CORNERS,
    GENERAL,
    HOMES,
    NEUTRAL,
    ON_LINES,
    SIDES,
    STRIKE,
    Colour,
    Triangle,
    Triangles,
    slide,
    triangles,
)
from rules.chess.position import (
    CELL,
    FIRST_CAVALRY,
    FIRST_GENERAL,
    FIRST_RUKH,
    GENERALS,
    INFANTRY,
    NEXT,
    NOWHERE,
    RUKHS,
    SETS,
    Piece,
    Position,
    piece_of,
)

Move = int
"""Bits 0–5 start, 6–11 target; from 12 castling (1), from 13 rescue (1 + prisoner), 17–22 where the Infantry goes, and
from 23 where the rescued Infantry goes, plus one."""

PASS: Final[Move] = 0
PLAIN: Final = 1 << 12
"""Moves below this are neither castling nor rescue."""
CASTLING: Final = 1 << 12
_RESCUED, _RETREAT, _COMPANION = 13, 17, 23


def start_of(move: Move) -> Triangle:
    """Where the piece comes from."""
    return move & 63


def target_of(move: Move) -> Triangle:
    """Where the piece goes; castling, where the Rukh stands."""
    return move >> 6 & 63


def castling_of(general: Triangle, rukh: Triangle) -> Move:
    """The castling of a General there with a Rukh there."""
    return general | rukh << 6 | CASTLING


def is_castling(move: Move) -> bool:
    """Whether General and Rukh change places."""
    return bool(move & CASTLING)


def rescue_of(start: Triangle, target: Triangle, prisoner: Piece, retreat: Triangle, companion: int = NOWHERE) -> Move:
    """The rescue of a prisoner; `companion` is where a rescued Infantry goes."""
    return start | target << 6 | prisoner + 1 << _RESCUED | retreat << _RETREAT | companion + 1 << _COMPANION


def rescued_by(move: Move) -> Piece | None:
    """The prisoner that the move frees, if it does."""
    return (move >> _RESCUED & 15) - 1 if move >> _RESCUED else None


def retreat_of(move: Move) -> Triangle:
    """A rescue: where the rescuing Infantry goes."""
    return move >> _RETREAT & 63


def companion_of(move: Move) -> int:
    """A rescue: where the rescued Infantry goes; NOWHERE for other prisoners, who stay in the corner."""
    return (move >> _COMPANION) - 1


# -- Where pieces go ------------------------------------------------------------------------------------------------


def reach(triangle: Triangle, piece: Piece, occupied: Triangles, mine: Triangles) -> Triangles:
    """Where this piece could move or capture by its own way of moving, safe or not; castling apart.

    `occupied` and `mine` are the position's triangles with a piece, and those with one of its owner's.
    """
    if piece < FIRST_RUKH:
        near, advances = ADVANCE[piece][triangle]
        gates, strikes = STRIKE[piece][triangle]
        return advances[occupied & near] | strikes[occupied & gates] & occupied & ~mine
    if piece < FIRST_CAVALRY:
        return slide(triangle, occupied) & ~mine
    if piece < FIRST_GENERAL:
        return CAVALRY[triangle] & ~mine
    gates, steps = GENERAL[triangle]
    return steps[occupied & gates] & ~mine


def advances_of(infantry: Piece, start: Triangle) -> Triangles:
    """Where this Infantry could move on an empty board, its charge included."""
    return ADVANCE[infantry][start][0]


def threats(triangle: Triangle, piece: Piece, occupied: Triangles) -> Triangles:
    """What this piece attacks: every triangle on which it could capture, own pieces included."""
    if piece < FIRST_RUKH:
        gates, strikes = STRIKE[piece][triangle]
        return strikes[occupied & gates]
    return reach(triangle, piece, occupied, 0)


def _moves_from(position: Position, start: Triangle, targets: Triangles) -> list[Move]:
    """The moves of one piece onto these triangles, rescues included."""
    moves = [start | target << 6 for target in triangles(targets)]
    if BIT[start] & rescuers(position):
        moves += [move for target in triangles(targets) for move in rescues(position, start, target)]
    return moves


# -- Rescues --------------------------------------------------------------------------------------------------------


def rescuers(position: Position) -> Triangles:
    """Our Infantry that stands where it could come onto the corner of an opponent who holds prisoners."""
    me, prisoners = position.turn, position.prisoners
    if not any(prisoners):
        return 0
    near = 0
    for captor in COLOURS:
        if captor != me and prisoners[captor]:
            near |= APPROACHES[captor]
    red, green, blue, *_ = position.sets
    return near & position.own[me] & (red | green | blue)


def captor_at(position: Position, target: Triangle) -> Colour | None:
    """The opponent whose home corner this is and who would still hold prisoners after a move of ours onto it."""
    if target not in CORNERS:
        return None
    captor = CORNERS.index(target)
    holds = captor != position.turn and position.playing >> captor & 1 and position.prisoners[captor]
    return captor if holds and position.generals[captor] != target else None


def rescuable(position: Position, captor: Colour, infantry: Piece) -> tuple[Piece, ...]:
    """The prisoners of this captor that an Infantry of ours may free: its colour's or its owner's.

    Infantry only if no other kind could be rescued.
    """
    held = position.held_by(captor)
    colours = {infantry, position.turn}
    fitting = [piece for piece in held if piece % 3 in colours]
    return tuple(piece for piece in fitting if piece >= FIRST_RUKH) or tuple(fitting)


def room_for_rescue(position: Position, start: Triangle) -> Triangles:
    """The empty triangles of our row 3, the one the Infantry comes from included."""
    return HOMES[position.turn] & ~(position.occupied ^ BIT[start])


def rescues(position: Position, start: Triangle, target: Triangle) -> list[Move]:
    """Every rescue that our Infantry can make in moving so."""
    captor = captor_at(position, target)
    if captor is None:
        return []
    infantry = position.armies[position.turn][start]
    room = list(triangles(room_for_rescue(position, start)))
    moves = []
    for prisoner in rescuable(position, captor, infantry):
        if prisoner >= FIRST_RUKH:
            moves += [rescue_of(start, target, prisoner, retreat) for retreat in room]
        else:
            # Two Infantry of one colour are alike: one order of the two triangles is the move.
            pairs = [(one, two) for one in room for two in room if one < two or (one > two and prisoner != infantry)]
            moves += [rescue_of(start, target, prisoner, one, two) for one, two in pairs]
    return moves


# -- Safety ---------------------------------------------------------------------------------------------------------


def exposure(position: Position, move: Move) -> Triangles:
    """The enemies that could capture our General after this move; 0 for a safe move. Castling and `PASS` included."""
    me = position.turn
    general = position.generals[me]
    if move == PASS:
        return position.checkers(me)
    start, target = start_of(move), target_of(move)
    enemies = position.enemies_of(me)
    if move & CASTLING:
        return position.attackers(target, position.occupied, enemies)
    occupied = position.occupied & ~BIT[start] | BIT[target]
    if BIT[target] & enemies:
        enemies &= ~BIT[target]
        if BIT[target] & position.sets[GENERALS]:
            enemies &= ~position.own[position.generals.index(target)]
    if start == general:
        return position.attackers(target, occupied, enemies)
    if move >= PLAIN:
        companion = companion_of(move)
        if companion != NOWHERE:
            occupied = occupied & ~BIT[target] | BIT[companion]
        occupied |= BIT[retreat_of(move)]
    return position.attackers(general, occupied, enemies)


def castling_rukhs(position: Position) -> Triangles:
    """The Rukhs with which our General may change places: both unmoved, of one colour, no check before or after."""
    me = position.turn
    rukhs = position.unmoved & position.own[me] & position.sets[RUKHS]
    if not rukhs or position.check or not BIT[position.generals[me]] & position.unmoved:
        return 0
    army, occupied, enemies = position.armies[me], position.occupied, position.enemies_of(me)
    safe = 0
    for rukh in triangles(rukhs):
        if army[rukh] == FIRST_RUKH + me and not position.attackers(rukh, occupied, enemies):
            safe |= BIT[rukh]
    return safe


def _shields(position: Position, general: Triangle, occupied: Triangles, enemies: Triangles) -> Triangles:
    """Those of our pieces whose leaving could open a row or a gate to our General; 0 where none is needed."""
    shields = 0
    if enemies & ON_LINES[general] & position.sets[RUKHS]:
        shields = slide(general, occupied)
    if enemies & BESIDES[general]:
        shields |= SIDES[general]
    shields &= position.own[position.turn]
    # Fewer pieces never attack less, so one test without all of them clears most positions.
    if shields and position.attackers(general, occupied & ~shields, enemies):
        return shields
    return 0


def _safe_targets(position: Position, start: Triangle, targets: Triangles) -> Triangles:
    """Those of the targets onto which this piece moves safely."""
    general, enemies = position.generals[position.turn], position.enemies_of(position.turn)
    occupied, generals = position.occupied & ~BIT[start], position.sets[GENERALS]
    safe = 0
    while targets:
        low = targets & -targets
        targets ^= low
        target = low.bit_length() - 1
        if low & generals:
            found = exposure(position, start | target << 6)
        elif start == general:
            found = position.attackers(target, occupied, enemies & ~low)
        else:
            found = position.attackers(general, occupied | low, enemies & ~low)
        if not found:
            safe |= low
    return safe


def _answers(position: Position) -> Triangles:
    """Where another piece than our General has to go to end a check: between, onto a gate, or onto an enemy.

    Every gate to the General lies over one of its sides, where a Rukh's ways begin too.
    """
    me = position.turn
    generals = position.sets[GENERALS] & ~position.own[me]
    return slide(position.generals[me], position.occupied) | position.check | generals


# -- Legal moves ----------------------------------------------------------------------------------------------------


def must_capture(position: Position) -> Triangles:
    """The Generals of the checkmated players whom the player to move attacks."""
    marks, me = position.marks, position.turn
    if not marks:
        return 0
    found = 0
    for colour in COLOURS:
        if marks >> 3 * colour + me & 1:
            found |= BIT[position.generals[colour]]
    return found


def duties(position: Position) -> list[Move]:
    """The captures of checkmated Generals that are the only legal moves, if there are any."""
    generals = must_capture(position)
    if not generals:
        return []
    moves: list[Move] = []
    occupied, mine = position.occupied, position.own[position.turn]
    for start, piece in position.armies[position.turn].items():
        targets = reach(start, piece, occupied, mine) & generals
        if targets:
            moves += _moves_from(position, start, targets)
    return moves


def safe_moves(position: Position) -> list[Move]:
    """Every move after which our General cannot be captured."""
    me = position.turn
    occupied, mine, general = position.occupied, position.own[me], position.generals[me]
    narrowed, rescuing = _narrowed(position), rescuers(position)
    answers = _answers(position) if position.check else -1
    moves: list[Move] = []
    for start, piece in position.armies[me].items():
        targets = reach(start, piece, occupied, mine)
        if BIT[start] & rescuing:
            moves += [move for move in _moves_from(position, start, targets) if not exposure(position, move)]
            continue
        if BIT[start] & narrowed:
            targets = _safe_targets(position, start, targets if start == general else targets & answers)
        while targets:
            low = targets & -targets
            moves.append(start | low.bit_length() - 1 << 6)
            targets ^= low
    return moves + [castling_of(general, rukh) for rukh in triangles(castling_rukhs(position))]


def _narrowed(position: Position) -> Triangles:
    """Our pieces whose moves are not all safe: in check all, else the General and those that shield it."""
    me = position.turn
    if position.check:
        return position.own[me]
    general = position.generals[me]
    return BIT[general] | _shields(position, general, position.occupied, position.enemies_of(me))


def _has_safe_move(position: Position) -> bool:
    """Whether the player to move, who is in check, can get out of it. (Castling cannot.)"""
    me = position.turn
    occupied, mine, general, answers = position.occupied, position.own[me], position.generals[me], _answers(position)
    for start, piece in position.armies[me].items():
        targets = reach(start, piece, occupied, mine)
        if _safe_targets(position, start, targets if start == general else targets & answers):
            return True
    # A rescued piece, or an Infantry going home, may stand between.
    rescuing = triangles(rescuers(position))
    return any(not exposure(position, move) for start in rescuing for move in _rescues_from(position, start))


def _rescues_from(position: Position, start: Triangle) -> list[Move]:
    mine = position.own[position.turn]
    targets = reach(start, position.armies[position.turn][start], position.occupied, mine)
    return [move for target in triangles(targets) for move in rescues(position, start, target)]


def desperate_moves(position: Position) -> list[Move]:
    """What is left to a player without a safe move: any move of other pieces, else of the General, else a pass."""
    me = position.turn
    occupied, mine, general = position.occupied, position.own[me], position.generals[me]
    moves: list[Move] = []
    for start, piece in position.armies[me].items():
        if start != general:
            moves += _moves_from(position, start, reach(start, piece, occupied, mine))
    if moves:
        return moves
    return _moves_from(position, general, reach(general, piece_of(me, 3), occupied, mine)) or [PASS]


def legal_moves(position: Position) -> list[Move]:
    """Every legal move of the player to move, in no order; never empty. Ask `position.over` first."""
    return duties(position) or safe_moves(position) or desperate_moves(position)


def captures(position: Position) -> list[Move]:
    """The legal moves that capture."""
    others = position.occupied & ~position.own[position.turn]
    return [move for move in legal_moves(position) if BIT[target_of(move)] & others]


def count_legal(position: Position) -> int:
    """How many legal moves there are, without making a list of them where that is not needed."""
    if rescuers(position) or (position.marks and must_capture(position)):
        return len(legal_moves(position))
    me = position.turn
    red, green, blue, neutral = position.own
    mine, general = position.own[me], position.generals[me]
    occupied = red | green | blue | neutral
    others = occupied ^ mine
    if position.check:
        narrowed, answers = mine, _answers(position)
    else:
        narrowed, answers = BIT[general] | _shields(position, general, occupied, others ^ neutral), -1
    count = 0
    for start, piece in position.armies[me].items():
        if piece < FIRST_RUKH:
            near, advances = ADVANCE[piece][start]
            gates, strikes = STRIKE[piece][start]
            targets = advances[occupied & near] | strikes[occupied & gates] & others
        elif piece < FIRST_CAVALRY:
            targets = slide(start, occupied) & ~mine
        elif piece < FIRST_GENERAL:
            targets = CAVALRY[start] & ~mine
        else:
            gates, steps = GENERAL[start]
            targets = steps[occupied & gates] & ~mine
        if targets and BIT[start] & narrowed:
            targets = _safe_targets(position, start, targets if start == general else targets & answers)
        count += targets.bit_count()
    count += castling_rukhs(position).bit_count()
    return count or len(desperate_moves(position))


# -- Playing a move -------------------------------------------------------------------------------------------------

Undo = tuple[int, int, int, int, int, int, int, bool] | Position
"""What `unmake` needs: for most moves a few numbers, for the rare ones the position before."""


def make(position: Position, move: Move) -> Undo:
    """Play a legal move, and begin the next player's turn. Returns what takes it back."""
    me = position.turn
    start, target = move & 63, move >> 6 & 63
    start_bit, target_bit = BIT[start], BIT[target]
    own, army, sets = position.own, position.armies[me], position.sets
    if move >= PLAIN or move == PASS or target_bit & sets[GENERALS]:
        before = position.copy()
        _make_rare(position, move)
        _begin(position, NEXT[position.playing][me])
        return before
    owner, captured = me, 0
    red, green, blue, neutral = own
    undo_unmoved, undo_check, undo_marks, undo_over = position.unmoved, position.check, position.marks, position.over
    if (red | green | blue | neutral) & target_bit:
        owner = 0 if red & target_bit else 1 if green & target_bit else 2 if blue & target_bit else NEUTRAL
        captured = position.armies[owner].pop(target)
        own[owner] ^= target_bit
        sets[SETS[captured]] ^= target_bit
        position.prisoners[me] += 1 << CELL * captured
        if owner != NEUTRAL:
            position.troops -= 1
    both = start_bit | target_bit
    piece = army.pop(start)
    army[target] = piece
    own[me] ^= both
    sets[SETS[piece]] ^= both
    position.unmoved = undo_unmoved & ~both
    if piece >= FIRST_GENERAL:
        position.generals[me] = target
    _begin(position, NEXT[position.playing][me])
    return move, me, owner, captured, undo_unmoved, undo_check, undo_marks, undo_over


def unmake(position: Position, undo: Undo) -> None:
    """Take the last move back."""
    if isinstance(undo, Position):
        position.restore(undo)
        return
    move, me, owner, captured, position.unmoved, position.check, position.marks, position.over = undo
    position.turn = me
    start, target = move & 63, move >> 6
    both = BIT[start] | BIT[target]
    army = position.armies[me]
    piece = army.pop(target)
    army[start] = piece
    position.own[me] ^= both
    position.sets[SETS[piece]] ^= both
    if piece >= FIRST_GENERAL:
        position.generals[me] = start
    if owner != me:
        position.armies[owner][target] = captured
        position.own[owner] ^= BIT[target]
        position.sets[SETS[captured]] ^= BIT[target]
        position.prisoners[me] -= 1 << CELL * captured
        if owner != NEUTRAL:
            position.troops += 1


def _begin(position: Position, player: Colour) -> None:
    """Begin this player's turn: are they in check, and with no safe move, checkmated?"""
    red, green, blue, neutral = position.own
    players = red | green | blue
    enemies = players ^ position.own[player]
    position.turn = player
    position.over = not position.troops or not position.playing & position.playing - 1
    check = position.check = position.attackers(position.generals[player], players | neutral, enemies)
    if position.marks:
        position.marks &= ~(7 << 3 * player)
    if check and not _has_safe_move(position):
        attackers = sum(1 << colour for colour in position.owners(check))
        position.marks |= attackers << 3 * player


def _make_rare(position: Position, move: Move) -> None:
    """Castling, rescue, the capture of a General, a pass: the pieces' part of it."""
    me = position.turn
    start, target = start_of(move), target_of(move)
    army = position.armies[me]
    if move == PASS:
        return
    position.unmoved &= ~(BIT[start] | BIT[target])
    if move & CASTLING:
        army[start], army[target] = army[target], army[start]
    else:
        captor = captor_at(position, target)
        _capture(position, target)
        army[target] = army.pop(start)
        rescued = rescued_by(move)
        if rescued is not None and captor is not None:
            position.prisoners[captor] -= 1 << CELL * rescued
            _rescue(position, move, rescued)
    position.recount()


def _rescue(position: Position, move: Move, rescued: Piece) -> None:
    """The Infantry, standing in the corner, goes home; the prisoner comes into the corner or goes along."""
    army, corner = position.armies[position.turn], target_of(move)
    army[retreat_of(move)] = army.pop(corner)
    companion = companion_of(move)
    army[corner if companion == NOWHERE else companion] = rescued


def _capture(position: Position, target: Triangle) -> None:
    """Take what stands there, if anything: a prisoner, or with a General its whole army."""
    owner = position.owner_at(target)
    if owner is None:
        return
    captured = position.armies[owner].pop(target)
    if captured < FIRST_GENERAL:
        position.prisoners[position.turn] += 1 << CELL * captured
        return
    position.armies[position.turn].update(position.armies[owner])
    position.armies[owner].clear()
    if owner != NEUTRAL:
        position.prisoners[position.turn] += position.prisoners[owner]
        _out_of_game(position, owner)


def _out_of_game(position: Position, player: Colour) -> None:
    """No longer playing, holding prisoners, checkmated, or anybody's attacker."""
    position.prisoners[player] = 0
    position.playing &= ~(1 << player)
    position.marks &= ~(7 << 3 * player)
    for colour in COLOURS:
        position.marks &= ~(1 << 3 * colour + player)


def leave(position: Position, player: Colour) -> None:
    """The player's army becomes neutral, its prisoners are out of the game. If it was their turn, the next begins."""
    position.armies[NEUTRAL].update(position.armies[player])
    position.armies[player].clear()
    _out_of_game(position, player)
    position.recount()
    if position.turn == player:
        _begin(position, NEXT[position.playing][player])
    else:
        position.over = not position.troops or not position.playing & position.playing - 1
        position.check = position.checkers(position.turn)


# -- Counting sequences of moves ------------------------------------------------------------------------------------


def perft(position: Position, depth: int) -> int:
    """How many sequences of `depth` legal moves there are from here; the position is the same afterwards."""
    if depth == 0:
        return 1
    if position.over:
        return 0
    if depth == 1:
        return count_legal(position)
    count = 0
    for move in legal_moves(position):
        undo = make(position, move)
        count += perft(position, depth - 1)
        unmake(position, undo)
    return count


assert INFANTRY == 0, "an Infantry's piece number is its colour"
