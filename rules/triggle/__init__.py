"""Triggle: bands over four pegs close triangles.

Where the rulebook is silent, these are the project's readings:

- A new band touches another when they share a peg; the very first band may lie anywhere.
- It must cover at least one unit segment that no band covers yet (the rulebook's "at least one new peg").
- Only unit triangles count.
- Two players also stop when no band is legal or every triangle has an owner.
- Equal scores share the win.
- A player who leaves keeps pieces and score on the board, and cannot win; their bands are gone.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from rules.game import BadDeal, BadHeader, Game, Header, Illegal, Left, Open, Result, Seating, Step, Unreadable
from rules.triggle import parts, turn
from rules.triggle.board import board
from rules.triggle.parts import COLOURS, NOBODY, RULEBOOK_BANDS, Closed, Piece, Place, PlacedBand, View
from rules.triggle.play import Members, place
from rules.triggle.robot import Robot

_TWO_PEGS = re.compile(r"[^A-Z0-9]*([A-Z])[^A-Z0-9]*([0-9]{1,3})[^A-Z0-9]*([A-Z])[^A-Z0-9]*([0-9]{1,3})[^A-Z0-9]*")


class Triggle(Game[parts.State, Place]):
    """The rules, with every option."""

    key = "triggle"
    version = 1
    seats = range(2, 5)

    Options = parts.Options
    Setup = parts.Setup
    Deal = parts.Deal
    State = parts.State
    Action = Place
    Event = parts.Event
    Robot = Robot

    # -- The start --

    def wishes(self, players: int, options: parts.Options) -> Mapping[str, str]:
        """A colour each."""
        return COLOURS

    def seating(
        self, wishes: Sequence[str | None], options: parts.Options, given: Mapping[str, Any], rng: random.Random
    ) -> Seating:
        """Seats as people came; who wished for no colour gets the first that is free."""
        if len(wishes) not in self.seats:
            raise BadHeader("seats", header="Seats", value=len(wishes), seats=tuple(self.seats))
        wished = [wish for wish in wishes if wish is not None]
        for wish in wished:
            if wish not in COLOURS or wished.count(wish) > 1:
                raise BadHeader("colour_taken" if wish in COLOURS else "no_colour", colour=wish)
        free = iter([colour for colour in COLOURS if colour not in wished])
        colours = tuple(next(free) if wish is None else wish for wish in wishes)
        return Seating(tuple(range(len(wishes))), parts.Setup(seats=len(wishes), **{"colours": colours, **given}))

    def deal(self, setup: parts.Setup, options: parts.Options, rng: random.Random) -> parts.Deal:
        """The starting player by lot (the rulebook's shouting match)."""
        return parts.Deal(first=rng.randrange(setup.seats))

    def start(self, setup: parts.Setup, options: parts.Options, deal: parts.Deal) -> parts.State:
        """The empty board."""
        if setup.seats not in self.seats:
            raise BadHeader("seats", header="Seats", value=setup.seats, seats=tuple(self.seats))
        if len(set(setup.colours) & set(COLOURS)) != setup.seats or len(setup.colours) != setup.seats:
            raise BadHeader("colours", header="Colours", colours=setup.colours)
        if deal.first not in range(setup.seats):
            raise BadDeal("no_seat", header="First", value=deal.first + 1)
        bands = RULEBOOK_BANDS[setup.seats] if isinstance(options.bands, str) else options.bands
        return parts.State(
            options=options,
            colours=setup.colours,
            bands=(),
            placers=(),
            owners=(NOBODY,) * len(board(options.side).triangles),
            bands_left=(bands,) * setup.seats,
            left=(),
            to_act=deal.first,
        )

    # -- Playing --

    def to_act(self, state: parts.State) -> tuple[int, ...]:
        """The seat whose turn it is."""
        return () if state.to_act == NOBODY else (state.to_act,)

    def legal(self, state: parts.State, seat: int) -> Sequence[Place]:
        """Every band that may be placed, in the order of the pegs; the same for every player."""
        if seat != state.to_act or seat == NOBODY:
            return ()
        return _places(state.options.side).of(state.cover.legal)

    def play(self, state: parts.State, seat: int, action: Place) -> Step:
        """Place a band. The rules of `Illegal` are no_band, there_already, touches_nothing, nothing_new."""
        if seat != state.to_act or seat == NOBODY:
            self.refuse_out_of_turn(state, seat)
        number = board(state.options.side).names.number.get(action.band)
        if number is None:
            raise Illegal("no_band", band=action.band[:40])
        return turn.place_band(state, number)

    def leave(self, state: parts.State, seat: int) -> Step:
        """Pieces and score stay on the board; the last one left wins."""
        if state.to_act == NOBODY or seat not in range(len(state.colours)):
            self.refuse_out_of_turn(state, seat)
        return turn.leave(state, seat)

    def result(self, state: parts.State) -> Result | None:
        """Most pieces (or fewest) of those still in the game; equal scores share the win."""
        return state.result

    def closes(self, state: parts.State, action: Place) -> tuple[str, ...]:
        """The triangles in which a legal band would lead to pieces of the seat to act."""
        names = board(state.options.side).names
        closed = place(state.tables, state.cover, names.number[action.band]).closed & ~state.cover.closed
        return tuple(names.triangles[triangle] for triangle in turn.filled_by(state, closed))

    def view(self, state: parts.State, seat: int | None) -> View:
        """The whole position, for everybody: Triggle has no secrets."""
        names = board(state.options.side).names
        counted = turn.scores(state)
        limited = state.options.goal == "most"
        bands = tuple(
            PlacedBand(names.bands[band], placer) for band, placer in zip(state.bands, state.placers, strict=True)
        )
        legal = self.legal(state, state.to_act)
        return View(
            options=state.options,
            colours=state.colours,
            bands=bands,
            pieces=tuple(
                Piece(triangle, owner)
                for triangle, owner in zip(names.triangles, state.owners, strict=True)
                if owner != NOBODY
            ),
            scores=counted,
            pieces_left=tuple(state.options.pieces - score for score in counted) if limited else None,
            bands_left=state.bands_left,
            left=state.left,
            to_act=self.to_act(state),
            legal=tuple(action.band for action in legal),
            last=bands[-1] if bands else None,
            closed=tuple(names.triangles[triangle] for triangle in state.closed),
            end=state.end,
            result=state.result,
        )

    def perft(self, state: parts.State, depth: int) -> int:
        """As for every game, with the last level counted at once."""
        if depth == 1:
            return 0 if state.to_act == NOBODY else state.cover.legal.bit_count()
        return super().perft(state, depth)

    # -- Text --

    def parse(self, state: parts.State, seat: int, text: str) -> Place:
        """A band by its end pegs: `A1-D4`, `d4 a1`, `a1d4`. Raises `Illegal` no_peg or no_band where there is none."""
        read = _TWO_PEGS.fullmatch(unicodedata.normalize("NFKC", text).upper())
        if not read:
            raise Unreadable("no_two_pegs", text=text[:40])
        first, second = f"{read[1]}{int(read[2])}", f"{read[3]}{int(read[4])}"
        this = board(state.options.side)
        for peg in (first, second):
            if peg not in this.pegs:
                raise Illegal("no_peg", peg=peg, side=this.side)
        if second not in this.other_ends[first]:
            raise Illegal("no_band", band=f"{first}-{second}")
        return Place(this.other_ends[first][second])

    def text(self, action: Place | Open) -> str:
        """The end pegs, the earlier one first."""
        return action.text if isinstance(action, Open) else action.band

    def said(self, event: parts.Event) -> str | None:
        """`closes 2`, `left 1`; what else happened, the records' lines say themselves."""
        match event:
            case Closed(triangles=triangles):
                return f"closes {len(triangles)}"
            case Left(seat=seat):
                return f"left {seat + 1}"
        return None

    def headers(self, setup: parts.Setup, deal: parts.Deal) -> tuple[Header, ...]:
        """`First`, and `Colours` where they are not those of the box's order."""
        first = Header("First", str(deal.first + 1))
        if setup == parts.Setup(seats=setup.seats):
            return (first,)
        return (first, Header("Colours", " ".join(setup.colours)))

    def read_headers(
        self, seats: int, options: parts.Options, lines: Sequence[Header]
    ) -> tuple[parts.Setup, parts.Deal]:
        """Setup and deal from `First` and `Colours`."""
        told: dict[str, Header] = {}
        for line in lines:
            if line.name in told and line.name in ("First", "Colours"):
                raise BadHeader("twice", header=line.name).at(line.line)
            told[line.name] = line
        if "First" not in told:
            raise BadHeader("missing", header="First")
        setup = _read_colours(told["Colours"], seats) if "Colours" in told else parts.Setup(seats=seats)
        return setup, _read_first(told["First"], seats)


@lru_cache(maxsize=8)
def _places(side: int) -> Members[Place]:
    return Members([Place(band) for band in board(side).bands])


def _read_first(header: Header, seats: int) -> parts.Deal:
    if header.value not in [str(seat + 1) for seat in range(seats)]:
        raise BadDeal("no_seat", header="First", value=header.value[:40]).at(header.line)
    return parts.Deal(first=int(header.value) - 1)


def _read_colours(header: Header, seats: int) -> parts.Setup:
    colours = tuple(header.value.lower().split())
    if len(colours) != seats or len(set(colours) & set(COLOURS)) != seats:
        raise BadHeader("colours", header="Colours", value=header.value[:80]).at(header.line)
    return parts.Setup(seats=seats, colours=colours)


GAME = Triggle()
