"""TRiNITY: guess the three hidden targets of an opponent."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, ClassVar

from rules import game
from rules.game import BadDeal, BadHeader, BadOption, Game, Header, Result, Step
from rules.trinity import play, view
from rules.trinity import text as texts
from rules.trinity.cards import DIGITS
from rules.trinity.robot import Robot
from rules.trinity.state import (
    Discarded,
    Draw,
    Drawn,
    Hits,
    Looked,
    Opened,
    Played,
    Player,
    Range,
    Sum,
    TrinityAction,
    TrinityDeal,
    TrinityEvent,
    TrinityOptions,
    TrinitySetup,
    TrinityState,
)
from rules.trinity.view import View

CARDS_EACH = 5
"""How many cards each player chooses their targets from."""

_UNVEILING = (Draw, Drawn, Played, Discarded, Looked, Hits, Sum, Range, Opened)


class Trinity(Game[TrinityState, TrinityAction]):
    """The rules of TRiNITY as the house knows them."""

    key = "trinity"
    version = 1
    seats = range(2, 4)
    chance = ("First", "Deck")
    Options: ClassVar[type[game.Options]] = TrinityOptions
    Setup: ClassVar[type[game.Setup]] = TrinitySetup
    Deal: ClassVar[type[game.Deal]] = TrinityDeal
    State = TrinityState
    Action = TrinityAction
    Event = TrinityEvent
    Robot = Robot

    def deal(self, setup: TrinitySetup, options: TrinityOptions, rng: random.Random) -> TrinityDeal:
        """Draw who starts, and shuffle the deck."""
        first = rng.randrange(setup.seats)
        deck = [digit for digit in DIGITS for _ in range(options.copies)]
        rng.shuffle(deck)
        return TrinityDeal(first=first, deck=tuple(deck))

    def start(self, setup: TrinitySetup, options: TrinityOptions, deal: TrinityDeal) -> TrinityState:
        """Everybody holds five cards and is to choose; raises `BadHeader`, `BadOption`, `BadDeal`."""
        if setup.seats not in self.seats:
            raise BadHeader("seats", header="Seats", value=setup.seats, seats=tuple(self.seats))
        if options.deck == "short" and setup.seats != 2:
            raise BadOption("seats", option="deck", value=options.deck, seats=(2,))
        if deal.first not in range(setup.seats):
            raise BadDeal("first", header="First", value=deal.first + 1)
        if Counter(deal.deck) != dict.fromkeys(DIGITS, options.copies):
            raise BadDeal("deck", header="Deck", copies=options.copies)
        hands = [deal.deck[CARDS_EACH * seat : CARDS_EACH * (seat + 1)] for seat in range(setup.seats)]
        pile = deal.deck[CARDS_EACH * setup.seats :]
        return TrinityState(options, tuple(Player(hand) for hand in hands), pile, deal.first)

    def to_act(self, state: TrinityState) -> tuple[int, ...]:
        """All who have yet to choose targets; then the player at turn, or the victim of a 2."""
        return state.to_act()

    def legal(self, state: TrinityState, seat: int) -> Sequence[TrinityAction]:
        """What the seat may do now, by card, opponent, digits and positions, all ascending; `skip` last."""
        return play.legal(state, seat)

    def play(self, state: TrinityState, seat: int, action: TrinityAction) -> Step:
        """Play an action; the rules that `Illegal` names are listed in `rules.trinity.play`."""
        self.refuse_out_of_turn(state, seat)
        return play.play(state, seat, action)

    def leave(self, state: TrinityState, seat: int) -> Step:
        """The seat's cards are laid open and out of the game."""
        return play.leave(state, seat)

    def view(self, state: TrinityState, seat: int | None) -> View:
        """What that seat, or the public, may know; raises IndexError for a seat that is none."""
        return view.view(state, seat)

    def result(self, state: TrinityState) -> Result | None:
        """The winner, once there is one."""
        return view.result(state)

    def parse(self, state: TrinityState, seat: int, text: str) -> TrinityAction:
        """The action a person's text means; what is left out is filled in where only one thing can be meant."""
        return texts.parse(state, seat, text)

    def text(self, action: Any) -> str:
        """The canonical text of an action."""
        return texts.text(action)

    def said(self, event: TrinityEvent) -> str | None:
        """`hits`, `sum`, `range`, `open`, `left`; nothing else stands in a record."""
        return texts.said(event)

    def headers(self, setup: TrinitySetup, deal: TrinityDeal) -> tuple[Header, ...]:
        """`First` and `Deck`."""
        return (Header("First", str(deal.first + 1)), Header("Deck", " ".join(map(str, deal.deck))))

    def read_headers(
        self, seats: int, options: TrinityOptions, lines: Sequence[Header]
    ) -> tuple[TrinitySetup, TrinityDeal]:
        """Setup and deal from `First` and `Deck`; `start` judges whether the deal can be."""
        first, deck = _numbers(_header("First", lines)), _numbers(_header("Deck", lines))
        if len(first) != 1:
            raise BadHeader("value", header="First", value=_header("First", lines).value[:40])
        return TrinitySetup(seats=seats), TrinityDeal(first=first[0] - 1, deck=deck)

    def perft(self, state: TrinityState, depth: int) -> int:
        """As the contract says, without playing the last action."""
        if depth == 0:
            return 1
        acts = [(seat, self.legal(state, seat)) for seat in self.to_act(state)]
        if depth == 1:
            return sum(len(actions) for _, actions in acts)
        return sum(
            self.perft(self.play(state, seat, action).state, depth - 1) for seat, actions in acts for action in actions
        )

    def unveils(self, state: TrinityState, seat: int, action: TrinityAction) -> bool:
        """Whether it shows somebody a card or an answer, a drawn card of the next turn included."""
        return any(isinstance(event, _UNVEILING) for event in self.play(state, seat, action).events)


def _header(name: str, lines: Sequence[Header]) -> Header:
    found = [line for line in lines if line.name == name]
    if not found:
        raise BadHeader("missing", header=name)
    if len(found) > 1:
        raise BadHeader("twice", header=name).at(found[1].line)
    return found[0]


def _numbers(header: Header) -> tuple[int, ...]:
    parts = header.value.split()
    if not parts or not all(part.isascii() and part.isdigit() and len(part) < 3 for part in parts):
        raise BadHeader("value", header=header.name, value=header.value[:40])
    return tuple(map(int, parts))


GAME = Trinity()
