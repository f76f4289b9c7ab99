"""What a game of Triangulation chess is made of: its variants, its setup, its state."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final

import msgspec

from rules import game
from rules.chess import position
from rules.chess.actions import ChessAction, decoded, text_of
from rules.chess.board import BLUE, COLOURS, GREEN, NEUTRAL, RED, Colour
from rules.chess.moves import legal_moves
from rules.chess.position import Position
from rules.game import ON_OFF, Result, Variant, translatable

COLOUR_NAMES: Final = {
    "red": translatable("Red"),
    "green": translatable("Green"),
    "blue": translatable("Blue"),
}
_COLOURS_BY_NAME: Final = {"red": RED, "green": GREEN, "blue": BLUE}


class ChessOptions(game.Options, frozen=True):
    """The variants of the rules sheet."""

    neutral: Annotated[
        str,
        Variant(
            translatable("Neutral army"),
            translatable("With two players, the colour that nobody plays. Whoever captures its General owns the rest."),
            choices={"blue": translatable("Blue"), "green": translatable("Green"), "red": translatable("Red")},
            seats=(2,),
        ),
    ] = "blue"
    quiet_limit: Annotated[
        int | bool,
        Variant(
            translatable("Quiet limit"),
            translatable("A draw after so many rounds in a row without a capture, a rescue or an Infantry move."),
            choices={False: translatable("off")},
            numbers=range(20, 201),
        ),
    ] = False
    repetition: Annotated[
        bool,
        Variant(
            translatable("Repetition"),
            translatable("A draw when a position comes up for the third time."),
            choices=ON_OFF,
        ),
    ] = False


class ChessSetup(game.Setup, frozen=True, kw_only=True):
    """Seats are Red, Green, Blue in order, or the two colours that play. `position`: where to start, as text."""

    position: str | None = None


class ChessDeal(game.Deal, frozen=True, kw_only=True):
    """Chess leaves nothing to chance."""


class Fall(msgspec.Struct, frozen=True):
    """The army that began in this colour fell to a player."""

    colour: int
    to: int


class Last(msgspec.Struct, frozen=True):
    """The last action of the game: whose, with which piece, and what it took (-1: nothing)."""

    player: int
    action: ChessAction
    piece: int
    captured: int


ENDINGS: Final = ("last", "bare", "agreed", "quiet", "repetition")
"""Why a game ended: the last General, only Generals left, agreed, the quiet limit, a position for the third time."""


class ChessState(msgspec.Struct, frozen=True):
    """A game at one moment. `position` is the position's text and says whose turn it is.

    offers  the players who offered a draw since the last move
    quiet   turns in a row without a capture, a rescue or an Infantry move
    seen    keys of the positions that came up, where repetition counts
    ending  one of `ENDINGS`, or "" while the game goes on
    """

    seats: int
    options: ChessOptions
    position: str
    left: tuple[int, ...] = ()
    falls: tuple[Fall, ...] = ()
    last: Last | None = None
    offers: tuple[int, ...] = ()
    quiet: int = 0
    seen: tuple[str, ...] = ()
    ending: str = ""

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The colour of each seat."""
        return colours_of(self.seats, self.options)


def colours_of(seats: int, options: ChessOptions) -> tuple[Colour, ...]:
    """The colours that play: all, or with two players those but the neutral one."""
    neutral = _COLOURS_BY_NAME[options.neutral] if seats == 2 else NEUTRAL
    return tuple(colour for colour in COLOURS if colour != neutral)


def position_of(state: ChessState) -> Position:
    """The state's position, shared by all who ask: copy it before playing on it."""
    return position.read(state.position)


@lru_cache(maxsize=512)
def _legal(text: str) -> tuple[ChessAction, ...]:
    here = position.read(text)
    return tuple(sorted((decoded(move, here) for move in legal_moves(here)), key=text_of))


def legal_actions(state: ChessState) -> tuple[ChessAction, ...]:
    """What the player to move may do, by its text; nothing when the game is over."""
    return () if state.ending else _legal(state.position)


def result_of(state: ChessState) -> Result | None:
    """Who won, or between whom it is a draw."""
    if not state.ending:
        return None
    players = position_of(state).players
    return Result(tuple(state.colours.index(player) for player in players), draw=state.ending != "last")
