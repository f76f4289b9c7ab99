"""Triangulation, the word game: teams, secret message cards, three clues, interception.

What a clue and a guess may be stands in `clues` and `judge`, pure functions over a deck's data; decks are read in
`deck`; the languages of decks, Chinese too, are explained in `language`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from rules import game
from rules.game import BadHeader, Header, Open, Result, Seating, Step, translatable
from rules.triangulation import actions, events, headers, play, state, text
from rules.triangulation.state import FEWEST_IN_TEAM, THREE
from rules.triangulation.view import View, view


class Triangulation(game.Game[state.State, Any]):
    """The word game."""

    key = "triangulation"
    version = 1
    seats = range(3, 21)
    chance = (headers.FIRST, headers.CARD)

    Options = state.Options
    Setup = state.Setup
    Deal = state.Deal
    State: ClassVar[Any] = state.State
    Action: ClassVar[Any] = actions.Action
    Event: ClassVar[Any] = events.Event

    def wishes(self, players: int, options: state.Options) -> Mapping[str, str]:
        """A team each; nothing with three players, who play each for themselves."""
        return {} if players == THREE else {"1": translatable("Team 1"), "2": translatable("Team 2")}

    def seats_with(self, options: state.Options, given: Mapping[str, Any]) -> tuple[int, ...]:
        """All numbers of players: every deck and every variant does for each of them."""
        return tuple(self.seats)

    def seating(
        self, wishes: Sequence[str | None], options: state.Options, given: Mapping[str, Any], rng: random.Random
    ) -> Seating:
        """Teams by wishes; the others are dealt to the smaller team by lot. Seats go by turns between the teams.

        `given` may hold the `deck`.
        """
        setup = state.Setup(seats=len(wishes), **given)
        setup = msgspec.structs.replace(setup, deck=setup.deck.sorted())
        if len(wishes) == THREE:
            return Seating((0, 1, 2), setup)
        teams = _teams(wishes, rng)
        order = _by_turns(*teams)
        seats = tuple(tuple(seat for seat, person in enumerate(order) if person in team) for team in teams)
        return Seating(order, msgspec.structs.replace(setup, teams=seats))

    def deal(self, setup: state.Setup, options: state.Options, rng: random.Random) -> state.Deal:
        """The order of the cards, and with three players the first Insider."""
        order = list(range(len(setup.deck.cards)))
        rng.shuffle(order)
        return state.Deal(order=tuple(order), first=rng.randrange(THREE) if setup.seats == THREE else None)

    def start(self, setup: state.Setup, options: state.Options, deal: state.Deal) -> state.State:
        """The first round, before anybody chose."""
        return play.start(setup, options, deal)

    def to_act(self, state: state.State) -> tuple[int, ...]:
        """The seats that have something to decide."""
        return play.to_act(state)

    def legal(self, state: state.State, seat: int) -> Sequence[actions.Action | Open]:
        """What the seat may do now."""
        return play.legal(state, seat)

    def play(self, state: state.State, seat: int, action: actions.Action) -> Step:
        """Play an action.

        The rules that refuse: `not_now` (due), `message`, `clues` (faults: every `ClueFault`), `clue_open` (clue from
        1), `guess` (fault: empty, long, lines or character).
        """
        return play.play(state, seat, action)

    def leave(self, state: state.State, seat: int) -> Step:
        """The seat leaves for good."""
        return play.leave(state, seat)

    def view(self, state: state.State, seat: int | None) -> View:
        """What that seat, or the public, may know."""
        return view(state, seat)

    def result(self, state: state.State) -> Result | None:
        """How the game ended; scores are per team, per seat with three players."""
        return state.result

    def parse(self, state: state.State, seat: int, text_: str) -> actions.Action:
        """The action that a text means."""
        return text.parse(state, seat, text_)

    def text(self, action: actions.Action | Open) -> str:
        """The canonical text of an action."""
        return text.action_text(action)

    def said(self, event: Any) -> str | None:
        """A public event in a record's words."""
        return text.said(event)

    def headers(self, setup: state.Setup, deal: state.Deal) -> tuple[Header, ...]:
        """Teams or First, Deck, and the cards in the order of the deal."""
        return headers.headers(setup, deal)

    def read_headers(self, seats: int, options: Any, lines: Sequence[Header]) -> tuple[state.Setup, state.Deal]:
        """Setup and deal from header lines."""
        return headers.read_headers(seats, lines)

    def unveils(self, state: state.State, seat: int, action: actions.Action) -> bool:
        """Everything but proposing a guess: what was drawn, chosen, flipped, guessed or ruled cannot be unseen."""
        return not (isinstance(action, actions.Guess | actions.Pass) and state.must_agree())


def _teams(wishes: Sequence[str | None], rng: random.Random) -> tuple[list[int], list[int]]:
    """The people of each team, in the order in which they came; raises `BadHeader` where one has fewer than two."""
    teams: tuple[list[int], list[int]] = ([], [])
    undecided: list[int] = []
    for person, wish in enumerate(wishes):
        (undecided if wish is None else teams[int(wish) - 1]).append(person)
    rng.shuffle(undecided)
    for person in undecided:
        smaller = min(teams, key=len) if len(teams[0]) != len(teams[1]) else rng.choice(teams)
        smaller.append(person)
    if min(map(len, teams)) < FEWEST_IN_TEAM:
        raise BadHeader("two_in_a_team", header=headers.TEAMS)
    return sorted(teams[0]), sorted(teams[1])


def _by_turns(one: Sequence[int], two: Sequence[int]) -> tuple[int, ...]:
    """The people of both teams by turns; those of the larger team who are left over come last."""
    shorter = min(len(one), len(two))
    turns = [person for pair in zip(one, two, strict=False) for person in pair]
    return (*turns, *one[shorter:], *two[shorter:])


GAME = Triangulation()
