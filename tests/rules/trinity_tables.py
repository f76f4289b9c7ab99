"""Positions of TRiNITY for tests: hands, targets and a pile as one wants them, without a deal that leads there."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from rules.trinity import GAME
from rules.trinity.state import (
    Player,
    Question,
    TrinityAction,
    TrinityOptions,
    TrinitySetup,
    TrinityState,
)

HIDDEN = (False, False, False)

TABLES = [
    (2, TrinityOptions()),
    (2, TrinityOptions(deck="short")),
    (3, TrinityOptions()),
    (3, TrinityOptions(third="left")),
]
"""Numbers of seats and options that go together."""


def held(hand: str, targets: str = "", shown: str = "", area: str = "") -> Player:
    """A player from digits: `held("35", "863", shown="8")`; `shown` are the targets that lie open."""
    return Player(
        hand=tuple(map(int, hand)),
        targets=tuple(map(int, targets)),
        revealed=(targets[:1] in shown, targets[1:2] in shown, targets[2:] in shown) if shown else HIDDEN,
        area=tuple(map(int, area)),
    )


def table(*players: Player, pile: str = "0123456789", turn: int = 0, third: str = "any") -> TrinityState:
    """The seat `turn` has drawn and is to play a card, or to guess where it holds none."""
    question = Question.PLAY if players[turn].hand else Question.GUESS
    options = TrinityOptions.of({"third": third})
    return TrinityState(options, players, tuple(map(int, pile)), turn, question)


def act(state: TrinityState, line: str) -> tuple[TrinityState, tuple[Any, ...]]:
    """Play one line of a record (`1 play 6 @2 7`, `2 leaves`); the new state and all events."""
    number, _, words = line.partition(" ")
    seat = int(number) - 1
    step = GAME.leave(state, seat) if words == "leaves" else GAME.play(state, seat, GAME.parse(state, seat, words))
    assert isinstance(step.state, TrinityState)
    return step.state, step.events


def after(state: TrinityState, *lines: str) -> TrinityState:
    """The state after these lines."""
    for line in lines:
        state, _ = act(state, line)
    return state


def told(state: TrinityState, line: str) -> list[str]:
    """What a record tells of this line's events."""
    said = [GAME.said(event) for event in act(state, line)[1] if event.audience() is None]
    return [words for words in said if words is not None]


def legal_texts(state: TrinityState, seat: int) -> list[str]:
    """The legal actions as texts."""
    return [GAME.text(action) for action in GAME.legal(state, seat)]


def dealt(seats: int, options: TrinityOptions, rng: random.Random) -> TrinityState:
    """A new game."""
    setup = TrinitySetup(seats=seats)
    return GAME.start(setup, options, GAME.deal(setup, options, rng))


def random_game(seats: int, options: TrinityOptions, rng: random.Random, plies: int = 200) -> Iterator[TrinityState]:
    """The states of a game played at random, with a leaving now and then; cut off after so many plies."""
    state = dealt(seats, options, rng)
    yield state
    for _ in range(plies):
        to_act = GAME.to_act(state)
        if not to_act:
            return
        if rng.random() < 0.003:
            staying = [seat for seat, player in enumerate(state.players) if not player.left]
            state = GAME.leave(state, rng.choice(staying)).state
        else:
            seat = rng.choice(to_act)
            action: TrinityAction = rng.choice(GAME.legal(state, seat))
            state = GAME.play(state, seat, action).state
        yield state
