"""The steps of a game of Triangulation chess: an action, a leaving, an offer, and what each leads to."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import msgspec

from rules.chess import moves, position
from rules.chess.actions import (
    Captured,
    Castled,
    Castling,
    Checked,
    Checkmated,
    ChessAction,
    ChessEvent,
    DoubleChecked,
    DrawDeclined,
    Drawn,
    Fell,
    Move,
    Moved,
    MustCapture,
    NeutralFell,
    Pass,
    Passed,
    Rescue,
    Rescued,
    TurnedNeutral,
    Won,
    coded,
)
from rules.chess.board import CORNERS, NEUTRAL, Colour
from rules.chess.position import FIRST_GENERAL, FIRST_RUKH, Position
from rules.chess.state import ChessOptions, ChessState, Fall, Last, colours_of, position_of
from rules.game import BadHeader, DrawOffered, GameOver, Illegal, Left, Step

NOTHING = -1


def start(seats: int, options: ChessOptions, text: str | None) -> ChessState:
    """The state at the start: the opening, or the position of this text. Raises `BadHeader`."""
    colours = colours_of(seats, options)
    if text is None:
        here = position.opening(colours)
    else:
        here = position.read(text)
        if len(here.players) < 2 or not set(here.players) <= set(colours):
            raise BadHeader("playing", header="Position", playing=here.players, colours=colours)
    state = ChessState(seats, options, here.text())
    return msgspec.structs.replace(state, seen=_seen(state, here))


# -- An action ------------------------------------------------------------------------------------------------------


def play(state: ChessState, action: ChessAction) -> Step:
    """The player to move does this, which is legal."""
    before = position_of(state)
    after = before.copy()
    moves.make(after, coded(action))
    events = list(_told(before, after, action))
    if state.offers:
        events.append(DrawDeclined(state.offers))
    falls = tuple(fall for event in events if (fall := _fall(event)))
    played = msgspec.structs.replace(
        state,
        position=after.text(),
        falls=state.falls + falls,
        last=_last(before, action),
        offers=(),
        quiet=0 if _is_lively(before, action) else state.quiet + 1,
    )
    played = msgspec.structs.replace(played, seen=_seen(played, after))
    return _judged(played, after, events, _checks(after))


def _fall(event: ChessEvent) -> Fall | None:
    match event:
        case Fell(player=fallen, to=to) | NeutralFell(colour=fallen, to=to):
            return Fall(fallen, to)
        case _:
            return None


def _last(before: Position, action: ChessAction) -> Last:
    if isinstance(action, Pass):
        return Last(before.turn, action, NOTHING, NOTHING)
    captured = None if isinstance(action, Castling) else before.piece_at(action.target)
    piece = before.armies[before.turn][action.start]
    return Last(before.turn, action, piece, NOTHING if captured is None else captured)


def _is_lively(before: Position, action: ChessAction) -> bool:
    """Whether the action starts the quiet count anew: a capture, a rescue, an Infantry move."""
    match action:
        case Rescue() | Move(takes=True):
            return True
        case Move(start, _):
            return before.armies[before.turn][start] < FIRST_RUKH
        case _:
            return False


def _told(before: Position, after: Position, action: ChessAction) -> Iterator[ChessEvent]:
    """What the action did to the pieces."""
    player = before.turn
    match action:
        case Pass():
            yield Passed(player)
            return
        case Castling(general, rukh):
            yield Castled(player, general=rukh, rukh=general)
            return
        case Move(begin, target) | Rescue(begin, target):
            piece = before.armies[player][begin]
            yield Moved(player, piece % 3, piece // 3, begin, target)
            yield from _told_capture(before, target)
    if isinstance(action, Rescue):
        place = action.target if action.companion is None else action.companion
        captor = CORNERS.index(action.target)
        yield Rescued(player, captor, action.colour, action.kind, place, action.retreat)


def _told_capture(before: Position, target: int) -> Iterator[ChessEvent]:
    owner, captured = before.owner_at(target), before.piece_at(target)
    if owner is None or captured is None:
        return
    yield Captured(before.turn, owner, captured % 3, captured // 3, target)
    if captured < FIRST_GENERAL:
        return
    pieces = len(before.armies[owner]) - 1
    if owner == NEUTRAL:
        yield NeutralFell(captured % 3, before.turn, pieces)
    else:
        yield Fell(owner, before.turn, pieces, sum(before.held_by(owner).values()))


def _checks(here: Position) -> Iterator[ChessEvent]:
    """Who is in check now, whether the player to move is checkmated, and whether they must capture."""
    checks = [Checked(player, here.owners(here.checkers(player))) for player in here.players]
    checks = [check for check in checks if check.by]
    yield from checks
    for player in here.players:
        if sum(player in check.by for check in checks) == 2:
            yield DoubleChecked(player)
    if attackers := here.attackers_of(here.turn):
        yield Checkmated(here.turn, attackers)
    if generals := compulsory(here):
        yield MustCapture(here.turn, generals)


def compulsory(here: Position) -> tuple[Colour, ...]:
    """The players whose General the player to move must capture now, because they can."""
    targets = {moves.target_of(move) for move in moves.duties(here)}
    return tuple(player for player in here.players if here.generals[player] in targets)


# -- Leaving and offering --------------------------------------------------------------------------------------------


def refuse_outsiders(state: ChessState, player: Colour) -> None:
    """Raise `GameOver`, or `Illegal("left")` or `("out")` for one who is no longer in the game."""
    if state.ending:
        raise GameOver()
    if player in state.left:
        raise Illegal("left", player=player)
    if player not in position_of(state).players:
        raise Illegal("out", player=player)


def leave(state: ChessState, seat: int) -> Step:
    """The player's army becomes neutral. No turn passes by it; counts stay as they are."""
    player = state.colours[seat]
    refuse_outsiders(state, player)
    before = position_of(state)
    after = before.copy()
    moves.leave(after, player)
    neutral = TurnedNeutral(player, len(before.armies[player]), sum(before.held_by(player).values()))
    left = msgspec.structs.replace(
        state,
        position=after.text(),
        left=(*state.left, player),
        offers=tuple(offering for offering in state.offers if offering != player),
    )
    return _judged(left, after, [Left(seat), neutral], iter(()))


def offer_draw(state: ChessState, seat: int) -> Step:
    """Offer or accept a draw; also out of turn."""
    player = state.colours[seat]
    refuse_outsiders(state, player)
    if player in state.offers:
        raise Illegal("offered", player=player)
    offered = msgspec.structs.replace(state, offers=tuple(sorted((*state.offers, player))))
    return _judged(offered, position_of(state), [DrawOffered(seat, agreeing=bool(state.offers))], iter(()))


# -- The end --------------------------------------------------------------------------------------------------------


def _seen(state: ChessState, here: Position) -> tuple[str, ...]:
    """The positions that came up, the present one included; kept only where they count."""
    return (*state.seen, key_of(here.text())) if state.options.repetition else ()


def key_of(text: str) -> str:
    """What stands for a position in `ChessState.seen`."""
    return hashlib.blake2b(text.encode(), digest_size=10).hexdigest()


def _ending(state: ChessState, here: Position) -> str:
    """Why the game is over, if it is."""
    players = here.players
    if len(players) == 1:
        return "last"
    if here.over:
        return "bare"
    if set(players) <= set(state.offers):
        return "agreed"
    if state.options.quiet_limit and state.quiet >= state.options.quiet_limit * len(players):
        return "quiet"
    if state.seen and state.seen.count(state.seen[-1]) == 3:
        return "repetition"
    return ""


def _judged(state: ChessState, here: Position, events: list[ChessEvent], checks: Iterator[ChessEvent]) -> Step:
    """The step to this state, ended if it is over; else with who is in check."""
    ending = _ending(state, here)
    if not ending:
        return Step(state, (*events, *checks))
    end = Won(here.players[0]) if ending == "last" else Drawn(here.players, ending)
    return Step(msgspec.structs.replace(state, ending=ending), (*events, end))
