"""House players of TRiNITY: what is possible of an opponent's targets, weighed by the cards that are not seen.

All they know stands in their view. It keeps every answer since an opponent's targets last changed, so that a 0 or a 1
makes them forget as it should.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import product
from math import log2
from typing import Final

from rules import game
from rules.game import OutOfTime, translatable
from rules.trinity.cards import DIGITS, POSITIONS
from rules.trinity.notebook import AT, EVERY, RANGES, SUMS, Notes, cards_elsewhere, listed, notes, split, told
from rules.trinity.state import (
    TRIPLES,
    Discard,
    DiscardTargets,
    Guess,
    Keep,
    Order,
    Play,
    Question,
    Swap,
    TrinityAction,
    Triple,
)
from rules.trinity.view import Own, View, usable

ESTEEM: Final = (3, 4, 2, 5, 1, 7, 6, 10, 8, 9)
"""By card: how good it is to hold. Tells what to keep, what to discard, and what to leave to others."""
WHIM: Final = 6
"""How far esteem may be off when targets are chosen, so that they cannot be told from it."""
ASIDE: Final = {2: 0.6, 3: 0.9, 4: 0.3}
"""What cards are worth, in bits, that tell nothing of targets and change none of ours."""
ANOTHER_GUESS: Final = 1.0
"""What a guess tells, in bits."""
VICTORY: Final = 8.0
"""What it is worth to win this turn, or not to lose in the next, in bits."""
HASTE: Final = 2.0
"""What it is worth that a guess is right, in bits, if there is no danger."""
TOLD_IN_A_TURN: Final = 5.0
"""Among how many possible targets an opponent's card may find the right ones, before they guess."""
MEMORY: Final = 3
"""How many of the last answers a beginner bears in mind."""


class Robot(game.Robot):
    """Knows what its seat has seen, and reckons with it better or worse."""

    LEVELS = game.levels(
        easy=translatable("Plays any card, and bears only the last answers in mind."),
        normal=translatable("Guesses nothing that cannot be, and plays the cards that usually tell most."),
        hard=translatable("Asks what tells most, weighs the cards not seen, and changes its targets when in danger."),
    )

    def choose(
        self, view: View, legal: Sequence[TrinityAction], rng: random.Random, out_of_time: OutOfTime
    ) -> TrinityAction:
        """An action, of equally good ones one by lot."""
        if view.own is None:
            raise ValueError("nobody plays for the public")
        if view.question is Question.GUESS:
            return _GUESSERS[self.level](Mind(view, view.own, rng), out_of_time)
        actions = rng.sample(legal, len(legal))
        if self.level == "easy":
            return actions[0]
        return max(actions, key=(Mind if self.level == "hard" else Habit)(view, view.own, rng).merit)


# -- What an opponent may have ----------------------------------------------------------------------------------------


class Chances:
    """The targets that are possible for a seat, weighed by in how many ways the cards not seen make them."""

    def __init__(self, view: View, seat: int) -> None:
        seen = Counter(cards_elsewhere(view, seat))
        unseen = [view.options.copies - seen[digit] for digit in DIGITS]
        self.possible = notes(view, seat).possible or EVERY
        weights: dict[int, int] = {}
        for triple in listed(self.possible):
            ways = _ways(unseen, triple)
            weights[ways] = weights.get(ways, 0) | 1 << _index(triple)
        self.weights = tuple(sorted(weights.items(), reverse=True))
        """Weight and the set of triples that have it, the heaviest first."""
        self.total = self.weight(EVERY)

    def weight(self, triples: int) -> int:
        """The weight of those of these triples that are possible."""
        return sum(ways * (alike & triples).bit_count() for ways, alike in self.weights)

    def hope(self, triples: int = EVERY) -> float:
        """How likely it is that it is one of these triples, and the one we should name."""
        return next((ways for ways, alike in self.weights if alike & triples), 0) / self.total

    def bits(self, parts: Iterable[int]) -> float:
        """What it tells, in bits, to know which of these parts, of such weights, it is."""
        return log2(self.total) - sum(part * log2(part) for part in parts if part) / self.total

    def parts(self, guess: Triple) -> tuple[int, int, int, int]:
        """The weights of 0, 1, 2, 3 hits."""
        none = one = two = three = 0
        for ways, alike in self.weights:
            counts = split(alike, guess)
            none += ways * counts[0]
            one += ways * counts[1]
            two += ways * counts[2]
            three += ways * counts[3]
        return none, one, two, three

    def likeliest(self) -> list[Triple]:
        """The possible triples, the heaviest first."""
        return [triple for _, alike in self.weights for triple in listed(alike)]


def _ways(unseen: Sequence[int], triple: Triple) -> int:
    first, second, third = triple
    ways = unseen[first] * (unseen[second] - (second == first))
    return max(ways * (unseen[third] - (third == first) - (third == second)), 1)


def _index(triple: Triple) -> int:
    return 100 * triple[0] + 10 * triple[1] + triple[2]


def _holding(digit: int) -> list[int]:
    """The sets of triples by the positions that hold a digit: what a 6 tells."""
    sets = []
    for held in product((False, True), repeat=len(POSITIONS)):
        found = EVERY
        for position in POSITIONS:
            found &= AT[position][digit] if held[position] else ~AT[position][digit]
        sets.append(found)
    return sets


HOLDING: Final = tuple(_holding(digit) for digit in DIGITS)
"""By digit: what a 6 may tell."""


# -- Judging actions --------------------------------------------------------------------------------------------------


class Habit:
    """Judges actions by rules of thumb."""

    def __init__(self, view: View, own: Own, rng: random.Random) -> None:
        self.view = view
        self.own = own
        self.rng = rng

    def merit(self, action: TrinityAction) -> float:
        """How good an action other than a guess is; only those that answer one question compare."""
        match action:
            case Play():
                return self.play(action)
            case Keep(targets):
                return WHIM * self.rng.random() - sum(ESTEEM[digit] for digit in targets)
            case DiscardTargets(positions):
                return sum(self.known_at(position) for position in positions)
            case Swap(position, card):
                return self.known_at(position) - ESTEEM[card] / 100 - (card == self.own.targets[position])
            case Order(order):
                return self._order(order)
            case Discard(card):
                return -ESTEEM[card]
            case _:  # The orders of new targets are all alike.
                return 0

    def play(self, action: Play) -> float:
        """How good it is to play a card so."""
        worth = ESTEEM[action.card] if usable(self.view, self.own.seat, action.card) else 0
        return worth + (action.opponent == self.prey)

    def known_at(self, position: int) -> float:
        """How well the others know one of our targets, from 0 to 1."""
        return 1 / len(self.exposed.positions[position])

    @cached_property
    def exposed(self) -> Notes:
        """What all can tell of our targets."""
        return notes(self.view, self.own.seat)

    @cached_property
    def guessable(self) -> tuple[int, ...]:
        """Whom we may guess."""
        opponents = self.view.opponents(self.own.seat)
        if self.view.options.third == "any":
            return opponents
        return (min(opponents, key=lambda seat: (seat - self.own.seat) % len(self.view.players)),)

    @cached_property
    def prey(self) -> int:
        """Of whom we know most."""
        return min(self.guessable, key=lambda seat: notes(self.view, seat).count)

    def _order(self, order: Sequence[int]) -> float:
        """The next to draw are the others; then we do."""
        cards = [self.own.foreseen[place] for place in order]
        ours = len(self.view.opponents(self.own.seat))
        return sum(ESTEEM[card] if place == ours else -ESTEEM[card] for place, card in enumerate(cards[: ours + 1]))


class Mind(Habit):
    """Judges cards by what they are expected to tell, by the hope to win this turn, and by the danger to lose."""

    @cached_property
    def chances(self) -> dict[int, Chances]:
        """For every opponent."""
        return {seat: Chances(self.view, seat) for seat in self.view.opponents(self.own.seat)}

    @cached_property
    def prey(self) -> int:
        """Whom we are likeliest to guess."""
        return max(self.guessable, key=lambda seat: self.chances[seat].hope())

    @cached_property
    def danger(self) -> float:
        """How likely it is that somebody names our targets before we act again."""
        return min(1.0, TOLD_IN_A_TURN / self.exposed.count)

    def play(self, action: Play) -> float:
        """In bits."""
        hope = self.chances[self.prey].hope()
        if not usable(self.view, self.own.seat, action.card):
            return VICTORY * hope
        if action.card in (0, 1):
            return VICTORY * (hope + self.danger)
        if action.card == 5:
            return ANOTHER_GUESS + VICTORY * min(1.0, 2 * hope)
        if action.card in ASIDE:
            return ASIDE[action.card] + VICTORY * hope
        return self._asked(action, hope)

    def _asked(self, action: Play, hope: float) -> float:
        """What a 6, 7, 8 or 9 is worth."""
        assert action.opponent is not None, "their effect names one"
        chances = self.chances[action.opponent]
        answers = _answers(action)
        bits = chances.bits(chances.weight(answer) for answer in answers)
        if action.opponent != self.prey:
            return bits / 2 + VICTORY * hope
        return bits + VICTORY * sum(chances.hope(answer) for answer in answers)


def _answers(action: Play) -> Sequence[int]:
    """The sets of triples between which the answer to a card decides."""
    if action.digit is not None:
        return HOLDING[action.digit]
    if action.position is not None:
        return AT[action.position]
    return SUMS if action.card == 7 else RANGES


# -- Guessing ---------------------------------------------------------------------------------------------------------


def _guess_like_a_beginner(mind: Mind, out_of_time: OutOfTime) -> Guess:
    """Anything that fits what lies open and the last answers."""
    opponent = mind.rng.choice(mind.guessable)
    player = mind.view.players[opponent]
    possible = EVERY
    for answer in player.answers[-MEMORY:]:
        possible &= told(answer)
    for position, digit in enumerate(player.targets):
        if digit is not None:
            possible &= AT[position][digit]
    return Guess(opponent, mind.rng.choice(listed(possible)))


def _guess_what_can_be(mind: Mind, out_of_time: OutOfTime) -> Guess:
    return Guess(mind.prey, mind.rng.choice(listed(mind.chances[mind.prey].possible)))


def _guess_what_tells_most(mind: Mind, out_of_time: OutOfTime) -> Guess:
    """The guess that tells most, with a bonus for being right; what can be first, while time lasts."""
    haste = HASTE + VICTORY * mind.danger
    best, most = None, -1.0
    for opponent in sorted(mind.guessable, key=lambda seat: mind.chances[seat].total):
        chances = mind.chances[opponent]
        likeliest = chances.likeliest()
        # With so few left, one that can be is as good as any other.
        others = TRIPLES if len(likeliest) > 2 else ()
        for digits in (*likeliest, *others):
            if best is not None and out_of_time():
                return best
            parts = chances.parts(digits)
            worth = chances.bits(parts) + haste * parts[3] / chances.total + mind.rng.random() / 1000
            if worth > most:
                best, most = Guess(opponent, digits), worth
    assert best is not None, "there is always somebody to guess"
    return best


_GUESSERS: Final = {
    "easy": _guess_like_a_beginner,
    "normal": _guess_what_can_be,
    "hard": _guess_what_tells_most,
}
