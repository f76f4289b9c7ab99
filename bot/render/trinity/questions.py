"""What a player is asked, and the controls that answer it: on "My cards", in letters, and in private answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, permutations
from typing import NamedTuple

from bot.page import BLUE, GREEN, GREY, Addresses, Button, Menu, Option, Row
from bot.render.trinity.hand import hand_in_order, seen_by
from bot.render.trinity.telling import named, spaced
from bot.words import Words
from rules.game import translatable
from rules.trinity.cards import CARDS, DIGITS, POSITIONS
from rules.trinity.state import Question
from rules.trinity.view import View, usable

POSITION_MARKS = "①②③"
"""Positions of targets on buttons, unlike the digits on cards."""
MOST_BUTTONS = 4
"""So many choices are buttons, more are a menu."""

ASKED: dict[Question, str] = {
    Question.KEEP: translatable(
        "**Choose three of your five cards as your targets**, first the one for position 1. Press a chosen card to "
        "take it back."
    ),
    Question.PLAY: translatable("**Play a card.** It is played at once, unless its effect has to ask something more:"),
    Question.DISCARD_TARGETS: translatable("**Which two targets do you give up?** You draw two new ones for them."),
    Question.ARRANGE: translatable("**In which order do you want your targets?** Positions 1, 2, 3."),
    Question.SWAP: translatable("**Which target do you want to swap for a card from your hand?**"),
    Question.ORDER: translatable("**In which order do you put these cards back?** The first will be drawn first."),
    Question.DISCARD: translatable("**You have to give up a card.** Which? It is laid open, without effect."),
    Question.GUESS: translatable("**Guess:** name a digit for each position of an opponent."),
}
"""What the owner of a hand is asked."""

CALLED: dict[Question, str] = {
    Question.KEEP: translatable("Choose targets"),
    Question.PLAY: translatable("Play a card"),
    Question.DISCARD_TARGETS: translatable("Give up two targets"),
    Question.ARRANGE: translatable("Put targets in order"),
    Question.SWAP: translatable("Swap a target"),
    Question.ORDER: translatable("Put the pile in order"),
    Question.DISCARD: translatable("Give up a card"),
    Question.GUESS: translatable("Guess"),
}
"""The labels of the public buttons that lead there."""


class Choice(NamedTuple):
    """One thing to choose: its label, the argument of its control, and a sentence beside it in a menu."""

    label: str
    argument: str
    description: str | None = None


def rows_of(
    choices: Sequence[Choice],
    verb: str,
    placeholder: str,
    address: Addresses,
    fresh: str,
    also: Sequence[Button] = (),
) -> tuple[Row, ...]:
    """Up to four choices as buttons, more as a menu; and a row of other buttons.

    `fresh` is something new each time: a client sends nothing where a menu of the same custom_id has the choice
    already.
    """
    if len(choices) <= MOST_BUTTONS:
        rows: tuple[Row, ...] = ([Button(one.label, address(verb, one.argument), BLUE) for one in choices],)
    else:
        options = tuple(Option(one.label, one.argument, one.description) for one in choices)
        rows = (Menu(placeholder, address(verb, fresh), options),)
    return (*rows, also) if also else rows


def rows(view: View, words: Words, address: Addresses, fresh: str | None = None) -> tuple[Row, ...]:
    """The controls that answer what the viewer is asked now; nothing where they are asked nothing.

    Without `fresh`, on what stays where it is, a button leads to the menu.
    """
    own = seen_by(view)
    if view.question is None or own.seat not in view.to_act:
        return ()
    if view.question is Question.KEEP:
        return keep_rows(view, words, address, ())
    if view.question is Question.GUESS:
        return (
            [Button(words("Guess"), address("ask_guess"), BLUE), Button(words("Decline to guess"), address("decline"))],
        )
    choices, called = CHOICES[view.question](view, words), words(CALLED[view.question])
    if len(choices) > MOST_BUTTONS and fresh is None:
        return ([Button(called, address("choose"), BLUE)],)
    verb = {Question.PLAY: "card", Question.SWAP: "swap"}.get(view.question, "answer")
    return rows_of(choices, verb, called, address, fresh or "")


# -- Choosing targets ----------------------------------------------------------------------------------------------


def keep_rows(view: View, words: Words, address: Addresses, chosen: Sequence[int]) -> tuple[Row, ...]:
    """Five buttons that choose a card or take it back, and one that confirms the three chosen, in their order.

    `chosen` are places in the hand as shown. The buttons carry the places chosen after the press.
    """
    held = hand_in_order(seen_by(view))
    buttons = []
    for place, digit in enumerate(held):
        taken = place in chosen
        after = [other for other in chosen if other != place] if taken else [*chosen, place]
        label = f"{POSITION_MARKS[chosen.index(place)]} {named(digit, words)}" if taken else named(digit, words)
        argument = "".join(map(str, after)) or "-"
        full = not taken and len(chosen) == len(POSITIONS)
        buttons.append(Button(label, address("keep", argument), BLUE if taken else GREY, disabled=full))
    if len(chosen) < len(POSITIONS):
        return (buttons,)
    targets = [held[place] for place in chosen]
    confirm = Button(
        words("Confirm {targets}", targets=spaced(targets)), address("answer", f"keep {spaced(targets)}"), GREEN
    )
    return buttons, [confirm, Button(words("Start over"), address("choose"))]


# -- What can be answered ------------------------------------------------------------------------------------------


def _cards(view: View, words: Words) -> list[Choice]:
    own = seen_by(view)
    choices = []
    for digit in dict.fromkeys(hand_in_order(own)):
        works = usable(view, own.seat, digit)
        told = words(CARDS[digit].effect) if works else f"⚠️ {words('No effect now.')} {words(CARDS[digit].needs)}"
        choices.append(Choice(named(digit, words), str(digit), told))
    return choices


def _pairs(view: View, words: Words) -> list[Choice]:
    targets = seen_by(view).targets
    return [
        Choice(
            words(
                "{one} and {other} (positions {first}, {second})",
                one=targets[first],
                other=targets[second],
                first=first + 1,
                second=second + 1,
            ),
            f"discard {first + 1} {second + 1}",
        )
        for first, second in combinations(POSITIONS, 2)
    ]


def _arrangements(view: View, words: Words) -> list[Choice]:
    own = seen_by(view)
    shown = view.players[own.seat].targets
    looks: dict[str, str] = {}
    for order in permutations(POSITIONS):
        cards = [
            words("{digit} (open)", digit=own.targets[place]) if shown[place] is not None else str(own.targets[place])
            for place in order
        ]
        looks.setdefault(" · ".join(cards), f"arrange {_counted(order)}")
    return [Choice(look, argument) for look, argument in looks.items()]


def _swappable(view: View, words: Words) -> list[Choice]:
    return [
        Choice(words("Position {number}: {card}", number=place + 1, card=named(digit, words)), str(place + 1))
        for place, digit in enumerate(seen_by(view).targets)
    ]


def swaps(view: View, words: Words, position: int) -> list[Choice]:
    """What the target at a position (from 0) can be swapped for."""
    return [
        Choice(named(digit, words), f"swap {position + 1} {digit}")
        for digit in dict.fromkeys(hand_in_order(seen_by(view)))
    ]


def _orders(view: View, words: Words) -> list[Choice]:
    seen = seen_by(view).foreseen
    looks: dict[str, str] = {}
    for order in permutations(range(len(seen))):
        looks.setdefault(" · ".join(str(seen[place]) for place in order), f"order {_counted(order)}")
    return [Choice(look, argument) for look, argument in looks.items()]


def _discards(view: View, words: Words) -> list[Choice]:
    return [Choice(named(digit, words), f"discard {digit}") for digit in dict.fromkeys(hand_in_order(seen_by(view)))]


def _targets(view: View, words: Words) -> list[Choice]:
    held = seen_by(view).hand
    return [Choice(spaced(targets), f"keep {spaced(targets)}") for targets in sorted(set(permutations(held, 3)))]


CHOICES: dict[Question, Callable[[View, Words], list[Choice]]] = {
    Question.KEEP: _targets,
    Question.PLAY: _cards,
    Question.DISCARD_TARGETS: _pairs,
    Question.ARRANGE: _arrangements,
    Question.SWAP: _swappable,
    Question.ORDER: _orders,
    Question.DISCARD: _discards,
}
"""What can be answered, but for guesses: as texts of actions, of a 1 its position and of a card its digit."""


def _counted(places: Sequence[int]) -> str:
    return spaced([place + 1 for place in places])


# -- What a card asks further --------------------------------------------------------------------------------------


def named_opponents(view: View, digit: int) -> tuple[int, ...]:
    """Whom the effect of a card of the viewer's may name now; nobody where it names nobody or cannot be used."""
    own = seen_by(view)
    if not CARDS[digit].opponent or not usable(view, own.seat, digit):
        return ()
    others = [view.players[seat] for seat in view.opponents(own.seat)]
    if digit == 2:
        others = [one for one in others if one.hand_size]
    if digit == 9:
        others = [one for one in others if None in one.targets]
    return tuple(one.seat for one in others)


def details(view: View, digit: int, opponent: int, words: Words) -> list[Choice]:
    """What else the card has to name, of this opponent: a digit, or a hidden position. Arguments as in its text."""
    if CARDS[digit].detail == "digit":
        return [Choice(named(other, words), str(other)) for other in DIGITS]
    if CARDS[digit].detail == "position":
        hidden = [place for place in POSITIONS if view.players[opponent].targets[place] is None]
        return [Choice(words("Position {number}", number=place + 1), str(place + 1)) for place in hidden]
    return []
