"""What everybody may see of a game of Triangulation chess: everything. A value that says it ready to be shown.

Colours are 0 Red, 1 Green, 2 Blue, as owners also 3 for neutral; kinds 0 Infantry, 1 Rukh, 2 Cavalry, 3 General.
Triangles are indices; `board.NAMES` and `board.TRIANGLES` have their names and coordinates.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from rules.chess.actions import ChessAction
from rules.chess.board import BIT, COLOURS, NEUTRAL, Colour, triangles
from rules.chess.play import compulsory, key_of
from rules.chess.position import FIRST_GENERAL, NOWHERE, Position
from rules.chess.state import ChessState, position_of, result_of
from rules.game import Result


class Piece(msgspec.Struct, frozen=True):
    """A piece on the board. Its colour says which way it goes and stays; its owner moves it.

    `unmoved`: a General or Rukh that may still castle.
    """

    triangle: int
    owner: int
    colour: int
    kind: int
    unmoved: bool


class Prisoner(msgspec.Struct, frozen=True):
    """So many captured pieces of one colour and kind, held by one player."""

    captor: int
    colour: int
    kind: int
    count: int


Standing = Literal["playing", "out", "left", "neutral"]


class Army(msgspec.Struct, frozen=True):
    """A colour: who sits there (None: nobody), and how it stands.

    `out`: its General fell, to the player `fell_to` where that is known. `left`: its player left, and the army they
    had is neutral. `neutral`: nobody plays it. `pieces` counts what the player owns now, of every colour.
    """

    colour: int
    seat: int | None
    standing: Standing
    fell_to: int | None
    pieces: int


class Check(msgspec.Struct, frozen=True):
    """A player in check: by which players, with the pieces on which triangles."""

    player: int
    by: tuple[int, ...]
    attackers: tuple[int, ...]
    general: int


class Mark(msgspec.Struct, frozen=True):
    """A checkmated player, and the attackers who must capture that General."""

    player: int
    attackers: tuple[int, ...]


class Played(msgspec.Struct, frozen=True):
    """The last action: whose, with a piece of which colour and kind, and what it took (None: nothing)."""

    player: int
    action: ChessAction
    piece: tuple[int, int] | None
    captured: tuple[int, int] | None


class ChessView(msgspec.Struct, frozen=True):
    """The whole game. `seat` is whose side the board is seen from, None for the public.

    colours       the colour of each seat
    pieces        in the order of their triangles
    to_move       the player to move; None when the game is over
    must_capture  the players whose General the player to move must capture now
    offers        the players who offer a draw
    quiet         turns in a row without a capture, a rescue or an Infantry move
    quiet_limit   how many of these make a draw; None where there is no limit
    times         how often this position has come up; 0 where that does not count
    ending        "" while the game goes on, else one of `state.ENDINGS`
    position      the position as text
    """

    seat: int | None
    colours: tuple[int, ...]
    armies: tuple[Army, ...]
    pieces: tuple[Piece, ...]
    prisoners: tuple[Prisoner, ...]
    to_move: int | None
    checks: tuple[Check, ...]
    checkmated: tuple[Mark, ...]
    must_capture: tuple[int, ...]
    last: Played | None
    offers: tuple[int, ...]
    quiet: int
    quiet_limit: int | None
    times: int
    ending: str
    result: Result | None
    position: str

    @property
    def viewpoint(self) -> Colour | None:
        """The colour whose corner belongs at the bottom; None for the public view."""
        return None if self.seat is None else self.colours[self.seat]


def view_of(state: ChessState, seat: int | None) -> ChessView:
    """What that seat, or the public, may know."""
    here = position_of(state)
    limit = state.options.quiet_limit
    return ChessView(
        seat=seat,
        colours=state.colours,
        armies=tuple(_army(state, here, colour) for colour in COLOURS),
        pieces=_pieces(here),
        prisoners=_prisoners(here),
        to_move=None if state.ending else here.turn,
        checks=() if state.ending else _checks(here),
        checkmated=tuple(Mark(player, here.attackers_of(player)) for player in here.players if here.mark_of(player)),
        must_capture=() if state.ending else compulsory(here),
        last=_last(state),
        offers=state.offers,
        quiet=state.quiet,
        quiet_limit=int(limit) * len(here.players) if limit else None,
        times=state.seen.count(key_of(state.position)),
        ending=state.ending,
        result=result_of(state),
        position=state.position,
    )


def _pieces(here: Position) -> tuple[Piece, ...]:
    found = [
        Piece(triangle, owner, piece % 3, piece // 3, bool(here.unmoved & BIT[triangle]))
        for owner, army in enumerate(here.armies)
        for triangle, piece in army.items()
    ]
    return tuple(sorted(found, key=lambda piece: piece.triangle))


def _prisoners(here: Position) -> tuple[Prisoner, ...]:
    return tuple(
        Prisoner(captor, piece % 3, piece // 3, count)
        for captor in here.players
        for piece, count in here.held_by(captor).items()
    )


def _army(state: ChessState, here: Position, colour: Colour) -> Army:
    seat = state.colours.index(colour) if colour in state.colours else None
    fell_to = next((fall.to for fall in state.falls if fall.colour == colour), None)
    pieces = len(here.armies[colour])
    return Army(colour, seat, _standing(state, here, colour), fell_to, pieces)


def _standing(state: ChessState, here: Position, colour: Colour) -> Standing:
    if colour in here.players:
        return "playing"
    if colour in state.left:
        return "left"
    general_stands = any(piece == FIRST_GENERAL + colour for piece in here.armies[NEUTRAL].values())
    nobody_plays = colour not in state.colours
    return "neutral" if general_stands and nobody_plays else "out"


def _checks(here: Position) -> tuple[Check, ...]:
    found = []
    for player in here.players:
        attackers = here.checkers(player)
        if attackers:
            found.append(Check(player, here.owners(attackers), tuple(triangles(attackers)), here.generals[player]))
    return tuple(found)


def _last(state: ChessState) -> Played | None:
    if state.last is None:
        return None
    piece, captured = (
        None if found == NOWHERE else (found % 3, found // 3) for found in (state.last.piece, state.last.captured)
    )
    return Played(state.last.player, state.last.action, piece, captured)
