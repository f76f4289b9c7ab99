"""What a game of Triggle is made of: options, setup, deal, state, action, events, view."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Literal

import msgspec

from rules import game
from rules.game import Left, Result, Variant, translatable
from rules.triggle.play import Cover, Tables, cover_of, tables

COLOURS: Mapping[str, str] = {
    "blue": translatable("blue"),
    "green": translatable("green"),
    "yellow": translatable("yellow"),
    "orange": translatable("orange"),
}
"""The colours of the box, in the order in which seats get them, with their names for people."""

RULEBOOK_BANDS = {2: 10, 3: 12, 4: 12}
"""Bands each by the number of players."""

NOBODY = -1
"""The owner of a triangle that has none, and the seat to act when the game is over."""


class Options(game.Options, frozen=True):
    """The variants."""

    side: Annotated[
        Literal[4, 5, 6],
        Variant(
            translatable("Board"),
            translatable("How many pegs the board has on each side; the boxed game has 4."),
            choices={4: "", 5: "", 6: ""},
        ),
    ] = 4
    bands: Annotated[
        str | int,
        Variant(
            translatable("Bands"),
            translatable("How many bands each player has; the rulebook gives 10 for two players, 12 otherwise."),
            choices={"rulebook": translatable("as in the rulebook")},
            numbers=range(6, 31),
        ),
    ] = "rulebook"
    pieces: Annotated[
        int,
        Variant(
            translatable("Pieces"),
            translatable("How many pieces each player has; who places the last of theirs wins at once."),
            numbers=range(10, 61),
        ),
    ] = 21
    overlap: Annotated[
        Literal["segment", "free"],
        Variant(
            translatable("Overlap"),
            translatable("Whether a band must cover a stretch between two pegs that no band covers yet."),
            choices={
                "segment": translatable("it must cover something new"),
                "free": translatable("only the same four pegs are forbidden"),
            },
        ),
    ] = "segment"
    goal: Annotated[
        Literal["most", "fewest"],
        Variant(
            translatable("Goal"),
            translatable("Whether the most or the fewest pieces win; with the fewest, pieces never run out."),
            choices={"most": translatable("most pieces"), "fewest": translatable("fewest pieces")},
        ),
    ] = "most"


class Setup(game.Setup, frozen=True, kw_only=True):
    """Who plays with which colour: one a seat, all different; by default in the order of the box."""

    colours: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.colours:
            msgspec.structs.force_setattr(self, "colours", tuple(COLOURS)[: self.seats])


class Deal(game.Deal, frozen=True, kw_only=True):
    """The seat that starts, drawn by lot."""

    first: int


class Place(msgspec.Struct, frozen=True):
    """Place a band, named by its end pegs: `A1-D4`."""

    band: str


# -- Events --------------------------------------------------------------------------------------------------------


class Placed(game.Event, frozen=True, tag="placed"):
    """A player placed a band."""

    seat: int
    band: str


class Closed(game.Event, frozen=True, tag="closed"):
    """A band led to pieces placed, in these triangles."""

    seat: int
    triangles: tuple[str, ...]


End = Literal["last_piece", "last_band", "no_band", "board_full", "nothing_to_close", "last_player"]
"""Why a game ended:

- `last_piece`: a player placed the last of their pieces.
- `last_band`: two players have placed all their bands.
- `no_band`: no band is legal.
- `board_full`: every triangle has an owner.
- `nothing_to_close`: the bands left in all hands together can close no open triangle (three or four players).
- `last_player`: all others have left.
"""


class Ended(game.Event, frozen=True, tag="ended"):
    """The game ended, and why."""

    reason: End


Event = Placed | Closed | Left | Ended


# -- State and view ------------------------------------------------------------------------------------------------


class State(msgspec.Struct, frozen=True, dict=True):
    """A position. Bands and triangles are numbers: their places in the order of `board(side)`.

    Two states are equal when these fields are; what is worked out from them is kept beside them.
    """

    options: Options
    colours: tuple[str, ...]
    bands: tuple[int, ...]
    """The bands placed, in order."""
    placers: tuple[int, ...]
    """Per band placed, the seat."""
    owners: tuple[int, ...]
    """Per triangle of the board, the seat that has a piece in it, or `NOBODY`."""
    bands_left: tuple[int, ...]
    """Per seat; none where the player has left."""
    left: tuple[int, ...]
    """The seats that have left, ascending."""
    to_act: int
    """The seat that places the next band; `NOBODY` when the game is over."""
    closed: tuple[int, ...] = ()
    """The triangles in which the last band led to pieces."""
    end: End | None = None
    result: Result | None = None

    @cached_property
    def tables(self) -> Tables:
        """The board's tables."""
        return tables(self.options.side, self.options.overlap == "free")

    @cached_property
    def cover(self) -> Cover:
        """The bare board of bits."""
        return cover_of(self.tables, self.bands)

    def keep(self, these: Tables, cover: Cover) -> None:
        """Spare the state the working out, where the one before it has most of it."""
        self.__dict__["tables"] = these
        self.__dict__["cover"] = cover


class PlacedBand(msgspec.Struct, frozen=True):
    """A band on the board, by its end pegs, and the seat that placed it."""

    band: str
    seat: int


class Piece(msgspec.Struct, frozen=True):
    """A piece in a triangle, which is named by its pegs, and its owner's seat."""

    triangle: str
    seat: int


class View(msgspec.Struct, frozen=True):
    """A position as everybody sees it; Triggle has no secrets. Names are those of `board(options.side)`."""

    options: Options
    colours: tuple[str, ...]
    """One of `COLOURS` a seat."""
    bands: tuple[PlacedBand, ...]
    """In the order in which they were placed."""
    pieces: tuple[Piece, ...]
    """In the order of the triangles."""
    scores: tuple[int, ...]
    """Pieces on the board, per seat."""
    pieces_left: tuple[int, ...] | None
    """Per seat; None where pieces never run out."""
    bands_left: tuple[int, ...]
    """Per seat."""
    left: tuple[int, ...]
    """The seats that have left the game."""
    to_act: tuple[int, ...]
    """The seat that places the next band; empty when the game is over."""
    legal: tuple[str, ...]
    """The bands that may be placed now, whoever places them; empty when the game is over."""
    last: PlacedBand | None
    """The last band placed."""
    closed: tuple[str, ...]
    """The triangles in which the last band led to pieces."""
    end: End | None
    """Why the game ended; None while it goes on."""
    result: Result | None

    @property
    def side(self) -> int:
        """How many pegs the board has on each side."""
        return self.options.side

    @property
    def seats(self) -> range:
        """The seats, from 0."""
        return range(len(self.colours))
