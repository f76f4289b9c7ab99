"""What players do and what happens: the actions of Triangulation chess and its events, as small values.

Triangles are indices into `board.TRIANGLES` (`board.NAMES` has their names). Colours are 0 Red, 1 Green, 2 Blue, and 3
for the owner of a neutral army; kinds are 0 Infantry, 1 Rukh, 2 Cavalry, 3 General.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec

from rules.chess import moves
from rules.chess.board import BIT, NAMES, Triangle
from rules.chess.names import COLOUR_LETTERS
from rules.chess.position import NOWHERE, Position, piece_of, piece_text
from rules.game import DrawOffered, Event, Left

Place = Annotated[Triangle, msgspec.Meta(ge=0, le=63)]
"""A triangle in an action, which may come from outside as JSON."""


class Move(msgspec.Struct, frozen=True, tag="move"):
    """A piece goes from `start` to `target`, and takes what stands there if `takes`."""

    start: Place
    target: Place
    takes: bool = False


class Castling(msgspec.Struct, frozen=True, tag="castling"):
    """General (`start`) and Rukh (`target`) change places."""

    start: Place
    target: Place


class Rescue(msgspec.Struct, frozen=True, tag="rescue"):
    """An Infantry comes from `start` onto a corner (`target`), frees a prisoner and goes to `retreat`.

    A rescued Infantry goes to `companion`; others stay on the corner, and it is None.
    """

    start: Place
    target: Place
    takes: bool
    colour: Annotated[int, msgspec.Meta(ge=0, le=2)]
    kind: Annotated[int, msgspec.Meta(ge=0, le=2)]
    retreat: Place
    companion: Place | None = None


class Pass(msgspec.Struct, frozen=True, tag="pass"):
    """No move at all is possible."""


ChessAction = Move | Castling | Rescue | Pass


def coded(action: ChessAction) -> moves.Move:
    """The action as a move of `rules.chess.moves`."""
    match action:
        case Move(start, target):
            return start | target << 6
        case Castling(start, target):
            return moves.castling_of(start, target)
        case Rescue(start, target, _, colour, kind, retreat, companion):
            prisoner = piece_of(colour, kind)
            return moves.rescue_of(start, target, prisoner, retreat, NOWHERE if companion is None else companion)
        case Pass():
            return moves.PASS


def decoded(move: moves.Move, position: Position) -> ChessAction:
    """The move as an action in this position."""
    if move == moves.PASS:
        return Pass()
    start, target = moves.start_of(move), moves.target_of(move)
    if moves.is_castling(move):
        return Castling(start, target)
    takes = bool(position.occupied & BIT[target])
    prisoner = moves.rescued_by(move)
    if prisoner is None:
        return Move(start, target, takes)
    companion = moves.companion_of(move)
    return Rescue(
        start=start,
        target=target,
        takes=takes,
        colour=prisoner % 3,
        kind=prisoner // 3,
        retreat=moves.retreat_of(move),
        companion=None if companion == NOWHERE else companion,
    )


PASS_TEXT = "--"


def text_of(action: ChessAction) -> str:
    """The canonical text."""
    match action:
        case Pass():
            return PASS_TEXT
        case Castling(start, target):
            return f"{NAMES[start]}={NAMES[target]}"
        case Move(start, target, takes):
            return _step_text(start, target, takes)
        case Rescue(start, target, takes, colour, kind, retreat, companion):
            places = NAMES[retreat] if companion is None else f"{NAMES[retreat]},{NAMES[companion]}"
            return f"{_step_text(start, target, takes)}+{piece_text(piece_of(colour, kind))}>{places}"


def _step_text(start: Triangle, target: Triangle, takes: bool) -> str:
    return f"{NAMES[start]}{'x' if takes else '-'}{NAMES[target]}"


# -- Events --------------------------------------------------------------------------------------------------------


class Moved(Event, frozen=True, tag="moved"):
    """A player's piece went from one triangle to another."""

    player: int
    colour: int
    kind: int
    start: int
    target: int


class Captured(Event, frozen=True, tag="captured"):
    """A player took a piece (`colour`, `kind`) that `owner` (perhaps neutral) had, on a triangle."""

    player: int
    owner: int
    colour: int
    kind: int
    triangle: int


class Castled(Event, frozen=True, tag="castled"):
    """A player's General went to `general`, the Rukh to `rukh`."""

    player: int
    general: int
    rukh: int


class Rescued(Event, frozen=True, tag="rescued"):
    """A player freed a prisoner of `captor`, who stands on `place` now; the Infantry went to `retreat`."""

    player: int
    captor: int
    colour: int
    kind: int
    place: int
    retreat: int


class Passed(Event, frozen=True, tag="passed"):
    """A player had no move."""

    player: int


class Fell(Event, frozen=True, tag="out"):
    """A player's General fell. So many pieces and prisoners go to the conqueror."""

    player: int
    to: int
    pieces: int
    prisoners: int


class NeutralFell(Event, frozen=True, tag="neutral_fell"):
    """The neutral General of this colour fell. So many pieces go to the conqueror."""

    colour: int
    to: int
    pieces: int


class TurnedNeutral(Event, frozen=True, tag="turned_neutral"):
    """A player left: so many pieces are neutral now, and so many prisoners out of the game."""

    player: int
    pieces: int
    prisoners: int


class Checked(Event, frozen=True, tag="check"):
    """A player is in check now, by these."""

    player: int
    by: tuple[int, ...]


class DoubleChecked(Event, frozen=True, tag="double_check"):
    """One player checks both others at once."""

    player: int


class Checkmated(Event, frozen=True, tag="mate"):
    """The player to move is in check and has no safe move; these are their attackers."""

    player: int
    by: tuple[int, ...]


class MustCapture(Event, frozen=True, tag="must_capture"):
    """The player to move must capture one of these players' Generals."""

    player: int
    generals: tuple[int, ...]


class DrawDeclined(Event, frozen=True, tag="draw_declined"):
    """A move cleared the offers of these players."""

    players: tuple[int, ...]


class Won(Event, frozen=True, tag="won"):
    """The last player with a General."""

    player: int


class Drawn(Event, frozen=True, tag="drawn"):
    """A draw between these players; `reason` is one of `state.ENDINGS`."""

    players: tuple[int, ...]
    reason: str


ChessEvent = (
    Moved
    | Captured
    | Castled
    | Rescued
    | Passed
    | Fell
    | NeutralFell
    | TurnedNeutral
    | Checked
    | DoubleChecked
    | Checkmated
    | MustCapture
    | DrawDeclined
    | Won
    | Drawn
    | Left
    | DrawOffered
)

_TOLD: Mapping[type[Event], str] = {Fell: "out", Checked: "check", Checkmated: "mate"}


def said(event: ChessEvent) -> str | None:
    """The event in a record's words; None for what records do not tell."""
    match event:
        case Left(seat):
            return f"left {seat + 1}"
        case DrawOffered(seat):
            return f"draw {seat + 1}"
        case Fell(player=player) | Checked(player=player) | Checkmated(player=player):
            return f"{_TOLD[type(event)]} {COLOUR_LETTERS[player]}"
        case _:
            return None
