"""Why an action is not legal: the rule that forbids it, with the facts that a sentence about it needs.

Facts: triangles are names (`F6Σ`), players, owners and colours are numbers (0 Red, 1 Green, 2 Blue, 3 neutral), kinds
too (0 Infantry, 1 Rukh, 2 Cavalry, 3 General). The rules:

    empty              no piece on `triangle`; `swapped` is a triangle of one's own piece with both numbers swapped
    not_yours          the piece on `triangle` belongs to `owner`
    kind               `triangle` holds a `kind`, not the `named` one
    stuck              the piece on `triangle` (`kind`) cannot go anywhere
    unreachable        no piece (of the `kind`, if named) can go to `target`; `swapped` as above, of a legal target
    own_piece          one's own piece (`kind`) stands on `target`
    gate               `gate`, which has a piece on it, shuts the way from `start` to `target`
    blocked            the piece on `by` stands in the way
    straight           an Infantry does not capture over a side; a piece stands on `target`
    nothing_to_capture an Infantry goes there (`target`) only to capture
    no_charge          an Infantry charges from row 3 of its colour only
    no_way             a `kind` does not go from `start` to `target`; `swapped` as above
    open               it leaves the General on `general` open to the pieces on `attackers` of the players `by`
    must_capture       the Generals of the players `generals` have to be captured: by one of `captures`
    general_last       without a safe move the General moves only if no other piece can
    castling_pieces    castling takes one's own General (`general`) and a Rukh of its own colour (`rukh` is not, or
                       is None: there is none)
    castling_moved     the General or the Rukh, on `triangle`, has moved
    castling_in_check  the General is in check by the pieces on `attackers` of the players `by`
    castling_into_check  it would be
    rescue_infantry    only Infantry rescues
    rescue_corner      `target` is not the corner of an opponent in the game
    no_prisoners       `captor` holds no prisoner that this Infantry may free (or falls with this very move)
    not_held           `captor` does not hold the prisoner `colour`, `kind`; it could be one of `prisoners` (texts)
    infantry_last      an Infantry is only rescued if no other kind could be: one of `prisoners` (texts)
    no_room            row 3 has too few empty triangles: `free` of the `needed`
    places             so many triangles (`told`) of row 3 were named, where the rescue takes `needed`
    no_place           the `place` is not one of the `free` triangles of row 3
    pass               there are other moves
    not_so             the action does not say what it does (a move called a capture, a rescue in another order)
"""

from __future__ import annotations

from rules.chess import moves
from rules.chess.actions import Castling, ChessAction, Move, Pass, Rescue, coded, decoded, text_of
from rules.chess.board import (
    BIT,
    CHARGE_AT_WILL,
    COLOURS,
    CORNERS,
    GATES,
    INDEX,
    NAMES,
    RAYS,
    STRIKE,
    TRIANGLES,
    Triangle,
    Triangles,
    triangles,
)
from rules.chess.position import FIRST_GENERAL, FIRST_RUKH, NOWHERE, Piece, Position, piece_of, piece_text
from rules.game import Illegal


def names(mask: Triangles) -> tuple[str, ...]:
    """The names of a set of triangles."""
    return tuple(NAMES[triangle] for triangle in triangles(mask))


def swapped(triangle: Triangle) -> Triangle:
    """The triangle with file and column exchanged: what was meant by somebody who mixed up the two numbers."""
    r, g, b = TRIANGLES[triangle]
    return INDEX[r, b, g]


def why_not(here: Position, action: ChessAction) -> Illegal:
    """Why this action, which is not legal for the player to move, is not."""
    match action:
        case Pass():
            return Illegal("pass")
        case Castling(start, target):
            return why_not_from(here, start) or _why_not_castling(here, start, target) or _why_not_now(here, action)
        case Move(start, target):
            return why_not_from(here, start) or _why_not_there(here, start, target) or _why_not_now(here, action)
        case Rescue(start, target):
            step = why_not_from(here, start) or _why_not_there(here, start, target)
            return step or _why_not_rescue(here, action) or _why_not_now(here, action)


def why_not_from(here: Position, start: Triangle) -> Illegal | None:
    """Why the player to move has no piece to move there; None if they have one."""
    owner = here.owner_at(start)
    if owner is None:
        other = swapped(start)
        hint = NAMES[other] if other in here.armies[here.turn] else None
        return Illegal("empty", triangle=NAMES[start], swapped=hint)
    return None if owner == here.turn else Illegal("not_yours", triangle=NAMES[start], owner=owner)


# -- Ways of moving --------------------------------------------------------------------------------------------------


def _why_not_there(here: Position, start: Triangle, target: Triangle) -> Illegal | None:
    """Why our piece does not get there by its way of moving; None if it does."""
    army = here.armies[here.turn]
    piece = army[start]
    if moves.reach(start, piece, here.occupied, here.own[here.turn]) & BIT[target]:
        return None
    if target in army:
        return Illegal("own_piece", target=NAMES[target], kind=army[target] // 3)
    return (
        _why_not_through(here, piece, start, target)
        or _why_not_infantry(here, piece, start, target)
        or Illegal("no_way", kind=piece // 3, start=NAMES[start], target=NAMES[target], swapped=None)
    )


def _why_not_through(here: Position, piece: Piece, start: Triangle, target: Triangle) -> Illegal | None:
    """A shut gate, or a piece on the way of a Rukh."""
    gate = GATES[start].get(target, NOWHERE)
    strikes_there = piece < FIRST_RUKH and STRIKE[piece][start][1][0] & BIT[target]
    through_gate = piece >= FIRST_GENERAL or (strikes_there and here.occupied & BIT[target])
    if gate != NOWHERE and through_gate and BIT[gate] & here.occupied:
        return Illegal("gate", gate=NAMES[gate], start=NAMES[start], target=NAMES[target])
    if FIRST_RUKH <= piece < FIRST_RUKH + 3:
        for ray in (ray for pair in RAYS[start] for ray in pair if target in ray):
            by = next(triangle for triangle in ray if BIT[triangle] & here.occupied)
            return Illegal("blocked", by=NAMES[by], target=NAMES[target])
    return None


def _why_not_infantry(here: Position, piece: Piece, start: Triangle, target: Triangle) -> Illegal | None:
    """What is special about Infantry: how it captures, and its charge."""
    if piece >= FIRST_RUKH:
        return None
    advances = moves.advances_of(piece, start)
    if advances & BIT[target]:
        if here.occupied & BIT[target]:
            return Illegal("straight", target=NAMES[target])
        by = next(triangles(advances & here.occupied))
        return Illegal("blocked", by=NAMES[by], target=NAMES[target])
    if STRIKE[piece][start][1][0] & BIT[target]:
        return Illegal("nothing_to_capture", target=NAMES[target])
    if CHARGE_AT_WILL[piece][start] & BIT[target]:
        return Illegal("no_charge", start=NAMES[start], target=NAMES[target])
    return None


# -- Castling ---------------------------------------------------------------------------------------------------------


def _why_not_castling(here: Position, general: Triangle, rukh: Triangle) -> Illegal | None:
    me = here.turn
    army = here.armies[me]
    if army[general] != FIRST_GENERAL + me or army.get(rukh) != FIRST_RUKH + me:
        return Illegal("castling_pieces", general=NAMES[general], rukh=NAMES[rukh])
    for triangle in (general, rukh):
        if not here.unmoved & BIT[triangle]:
            return Illegal("castling_moved", triangle=NAMES[triangle], kind=army[triangle] // 3)
    if here.check:
        return Illegal("castling_in_check", by=here.owners(here.check), attackers=names(here.check))
    attackers = moves.exposure(here, moves.castling_of(general, rukh))
    if attackers:
        return Illegal("castling_into_check", by=here.owners(attackers), attackers=names(attackers))
    return None


# -- Rescues -----------------------------------------------------------------------------------------------------------


def _why_not_rescue(here: Position, action: Rescue) -> Illegal | None:
    return why_no_rescue(here, action.start, action.target) or _why_not_this_rescue(here, action)


def why_no_rescue(here: Position, start: Triangle, target: Triangle) -> Illegal | None:
    """Why our piece, in moving so, cannot rescue anybody; None if it can."""
    infantry = here.armies[here.turn][start]
    if infantry >= FIRST_RUKH:
        return Illegal("rescue_infantry", kind=infantry // 3)
    captor = CORNERS.index(target) if target in CORNERS else here.turn
    if captor == here.turn or captor not in here.players:
        return Illegal("rescue_corner", target=NAMES[target])
    if moves.captor_at(here, target) is None or not moves.rescuable(here, captor, infantry):
        return Illegal("no_prisoners", captor=captor)
    room = moves.room_for_rescue(here, start)
    needed = 2 if moves.rescuable(here, captor, infantry)[0] < FIRST_RUKH else 1
    if room.bit_count() < needed:
        return Illegal("no_room", needed=needed, free=room.bit_count())
    return None


def _why_not_this_rescue(here: Position, action: Rescue) -> Illegal | None:
    captor = CORNERS.index(action.target)
    allowed = moves.rescuable(here, captor, here.armies[here.turn][action.start])
    wanted = piece_of(action.colour, action.kind)
    if wanted not in allowed:
        held = wanted in here.held_by(captor) and wanted % 3 in {piece % 3 for piece in allowed}
        rule = "infantry_last" if held and wanted < FIRST_RUKH else "not_held"
        texts = tuple(piece_text(piece) for piece in allowed)
        return Illegal(rule, captor=captor, colour=action.colour, kind=action.kind, prisoners=texts)
    room = moves.room_for_rescue(here, action.start)
    places = [action.retreat] if action.companion is None else [action.retreat, action.companion]
    needed = 2 if wanted < FIRST_RUKH else 1
    if len(places) != needed:
        return Illegal("places", needed=needed, told=len(places))
    for place in places:
        if not room & BIT[place] or places.count(place) > 1:
            return Illegal("no_place", place=NAMES[place], free=names(room))
    return None


# -- Duties and safety ------------------------------------------------------------------------------------------------


def _why_not_now(here: Position, action: ChessAction) -> Illegal:
    """Why an action that the piece could do is not allowed in this position."""
    if captures := moves.duties(here):
        texts = tuple(sorted(text_of(decoded(move, here)) for move in captures))
        targets = {moves.target_of(move) for move in captures}
        generals = tuple(player for player in COLOURS if here.generals[player] in targets)
        return Illegal("must_capture", generals=generals, captures=texts)
    move = coded(action)
    attackers = moves.exposure(here, move)
    if moves.safe_moves(here) and attackers:
        general = (
            moves.target_of(move) if moves.start_of(move) == here.generals[here.turn] else here.generals[here.turn]
        )
        return Illegal("open", general=NAMES[general], by=here.owners(attackers), attackers=names(attackers))
    if moves.start_of(move) == here.generals[here.turn]:
        return Illegal("general_last", general=NAMES[moves.start_of(move)])
    return Illegal("not_so", action=text_of(action))
