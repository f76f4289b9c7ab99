"""House players for tests: time counted in questions, and a greedy player of Triggle to measure others by."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from rules.game import Game, OutOfTime, Result
from rules.triggle import turn
from rules.triggle.board import board
from rules.triggle.parts import Place, View
from rules.triggle.play import Cover, cover_of, numbers, place, tables

Choose = Callable[[Any, Sequence[Any], random.Random, OutOfTime], Any]
"""What `Robot.choose` is."""


class Questions:
    """Time that runs out after so many questions whether it has, and counts what is asked afterwards."""

    def __init__(self, in_time: int) -> None:
        self.left = in_time

    def __call__(self) -> bool:
        self.left -= 1
        return self.left < 0

    @property
    def too_late(self) -> int:
        """How often it was asked after it had first said that time is up."""
        return max(-self.left - 1, 0)


def started(game: Game[Any, Any], seats: int, rng: random.Random, **options: Any) -> Any:
    """The state at the start of a game dealt at random."""
    chosen = game.Options.of(options)
    setup = game.seating([None] * seats, chosen, {}, rng).setup
    return game.start(setup, chosen, game.deal(setup, chosen, rng))


def played_out(
    game: Game[Any, Any], state: Any, players: Sequence[Choose], rng: random.Random, in_time: int, bound: int = 500
) -> Result | None:
    """How a game ends when these play the seats, each action within so many questions."""
    for _ in range(bound):
        to_act = game.to_act(state)
        if not to_act:
            break
        seat = rng.choice(to_act)
        action = players[seat](game.view(state, seat), game.legal(state, seat), rng, Questions(in_time))
        state = game.play(state, seat, action).state
    return game.result(state)


def greedy(view: View, legal: Sequence[Place], rng: random.Random, out_of_time: OutOfTime) -> Place:
    """The band of Triggle with the best balance; of equals one by lot."""
    found = balances(view, legal)
    return max(rng.sample(legal, len(legal)), key=found.__getitem__)


def balances(view: View, legal: Sequence[Place]) -> dict[Place, int]:
    """What each band of Triggle closes, less the most that the next band could close."""
    these, names = tables(view.side, view.options.overlap == "free"), board(view.side).names
    here = cover_of(these, [names.number[placed.band] for placed in view.bands])

    def closes(cover: Cover, band: int) -> int:
        return (place(these, cover, band).closed & ~cover.closed).bit_count()

    def balance(action: Place) -> int:
        band = names.number[action.band]
        after = place(these, here, band)
        over = turn.end_of_bands(these, after, len(view.seats), sum(view.bands_left) - 1)
        replies = [] if over else [closes(after, reply) for reply in numbers(after.legal)]
        return closes(here, band) - max(replies, default=0)

    return {action: balance(action) for action in legal}
