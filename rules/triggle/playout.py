"""Games played on at random without making states: the fast path for searching and counting."""

from __future__ import annotations

import random
from functools import lru_cache

from rules.game import Result
from rules.triggle.board import board
from rules.triggle.parts import State
from rules.triggle.play import Members, place
from rules.triggle.turn import best, end_of_bands, scores


def play_out(state: State, rng: random.Random) -> Result:
    """How a game that is not over ends when every band is `rng.choice(legal)`.

    The result is the very one that the contract's `legal` and `play` lead to with the same random numbers.
    """
    these, cover, options = state.tables, state.cover, state.options
    choices = _numbers(options.side)
    seats = len(state.colours)
    playing = [(state.to_act + turn) % seats for turn in range(seats)]
    playing = [seat for seat in playing if seat not in state.left]
    pieces = options.pieces if options.goal == "most" else len(these.sides)
    counted, bands, turn = list(scores(state)), sum(state.bands_left), 0
    while True:
        seat = playing[turn % len(playing)]
        before = cover.closed
        cover = place(these, cover, rng.choice(choices.of(cover.legal)))
        bands, turn = bands - 1, turn + 1
        if cover.closed != before:
            counted[seat] = min(counted[seat] + (cover.closed & ~before).bit_count(), pieces)
            if counted[seat] == pieces and options.goal == "most":
                return Result((seat,), scores=tuple(counted))
        if end_of_bands(these, cover, seats, bands):
            winners = best({seat: counted[seat] for seat in sorted(playing)}, options)
            return Result(winners, scores=tuple(counted))


@lru_cache(maxsize=8)
def _numbers(side: int) -> Members[int]:
    return Members(range(len(board(side).bands)))
