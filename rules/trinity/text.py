"""Actions and events in words: reading what people type, and writing it as records do."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

from rules.game import Ambiguous, GameOver, Left, NotYourTurn, Unreadable
from rules.trinity.cards import CARDS
from rules.trinity.play import legal
from rules.trinity.state import (
    Arrange,
    Discard,
    DiscardTargets,
    Guess,
    Hits,
    Keep,
    Opened,
    Order,
    Play,
    Question,
    Range,
    Skip,
    Sum,
    Swap,
    TrinityAction,
    TrinityEvent,
    TrinityState,
)

# -- Writing -------------------------------------------------------------------------------------------------------


def text(action: TrinityAction) -> str:
    """The canonical text: `play 6 @2 7`."""
    match action:
        case Guess():
            return f"guess @{action.opponent + 1} {_spaced(action.digits)}"
        case Keep():
            return f"keep {_spaced(action.targets)}"
        case Play():
            named = "" if action.opponent is None else f" @{action.opponent + 1}"
            digit = "" if action.digit is None else f" {action.digit}"
            position = "" if action.position is None else f" {action.position + 1}"
            return f"play {action.card}{named}{digit}{position}"
        case DiscardTargets():
            return f"discard {_counted(action.positions)}"
        case Arrange():
            return f"arrange {_counted(action.order)}"
        case Swap():
            return f"swap {action.position + 1} {action.card}"
        case Order():
            return f"order {_counted(action.order)}"
        case Discard():
            return f"discard {action.card}"
        case Skip():
            return "skip"


def said(event: TrinityEvent) -> str | None:
    """A public event in a record's words; None for one that records do not tell."""
    match event:
        case Hits():
            return f"hits {event.hits}"
        case Sum():
            return f"sum {event.total}"
        case Range():
            return f"range {event.width}"
        case Opened():
            return "open " + (" ".join(f"{position + 1}={digit}" for position, digit in event.shown) or "none")
        case Left():
            return f"left {event.seat + 1}"
        case _:
            return None


def _spaced(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def _counted(places: Sequence[int]) -> str:
    return " ".join(str(place + 1) for place in places)


# -- Reading -------------------------------------------------------------------------------------------------------

_VERBS = {
    "keep": ("keep", "targets", "choose", "留", "目標"),
    "play": ("play", "p", "出", "打", "打出"),
    "discard": ("discard", "棄", "丟", "丟棄"),
    "arrange": ("arrange", "排", "排列"),
    "swap": ("swap", "換", "交換"),
    "order": ("order", "順序", "排序"),
    "guess": ("guess", "g", "猜"),
    "skip": ("skip", "pass", "跳過", "放棄"),
}
_VERB = {word: verb for verb, words in _VERBS.items() for word in words}
_CARD = {
    word: card.digit
    for card in CARDS
    for word in (
        card.person.lower(),
        card.person.lower().removeprefix("the "),
        card.power.lower(),
        *card.chinese,
    )
}
_QUESTION_VERB = {
    Question.KEEP: "keep",
    Question.PLAY: "play",
    Question.DISCARD_TARGETS: "discard",
    Question.ARRANGE: "arrange",
    Question.SWAP: "swap",
    Question.ORDER: "order",
    Question.DISCARD: "discard",
    Question.GUESS: "guess",
}
_SHAPE = re.compile(r"(?P<words>(?:[^\W\d_]+\s*)*)(?P<rest>(?:@?[0-9]|[\s,;:、|/-])*)")
_LONGEST = 100


def parse(state: TrinityState, seat: int, typed: str) -> TrinityAction:
    """The action a person means; raises `Unreadable`, `Ambiguous`, and for bare numbers out of turn `NotYourTurn`."""
    shape = _SHAPE.fullmatch(unicodedata.normalize("NFKC", typed[:_LONGEST]).strip().lower())
    if shape is None or len(typed) > _LONGEST:
        raise Unreadable("text", text=typed[:_LONGEST])
    verb, card = _verb_and_card(state, seat, shape["words"].split(), typed)
    opponent, numbers = _numbers(shape["rest"], typed)
    if card is not None:
        numbers = [card, *numbers]
    return _READERS[verb](_Typed(state, seat, typed, opponent, numbers))


class _Typed:
    """A typed text taken apart: the seat named with @ (from 0), and the digits in order."""

    def __init__(self, state: TrinityState, seat: int, typed: str, opponent: int | None, numbers: list[int]) -> None:
        self.state = state
        self.seat = seat
        self.typed = typed
        self.opponent = opponent
        self.numbers = numbers

    def exactly(self, count: int) -> list[int]:
        """The digits, of which there must be so many and no seat."""
        if len(self.numbers) != count or self.opponent is not None:
            raise self.unreadable()
        return self.numbers

    def places(self, count: int) -> list[int]:
        """The same, counted from 0."""
        return [number - 1 for number in self.exactly(count)]

    def unreadable(self) -> Unreadable:
        """The refusal of the text."""
        return Unreadable("numbers", text=self.typed)


def _verb_and_card(state: TrinityState, seat: int, words: list[str], typed: str) -> tuple[str, int | None]:
    verb = _VERB.get(words[0]) if words else None
    name = " ".join(words[1:] if verb else words)
    if name and name not in _CARD:
        raise Unreadable("text", text=typed)
    if verb is None:
        verb = "play" if name else _verb_asked_for(state, seat)
    if name and verb != "play":
        raise Unreadable("text", text=typed)
    return verb, _CARD.get(name)


def _verb_asked_for(state: TrinityState, seat: int) -> str:
    """Bare numbers answer what the seat is asked."""
    to_act = state.to_act()
    if seat not in to_act:
        raise NotYourTurn(to_act) if to_act else GameOver
    return _QUESTION_VERB[state.question]


def _numbers(rest: str, typed: str) -> tuple[int | None, list[int]]:
    seats = re.findall(r"@([0-9])", rest)
    if len(seats) > 1:
        raise Unreadable("numbers", text=typed)
    digits = re.findall(r"[0-9]", re.sub(r"@[0-9]", " ", rest))
    return (int(seats[0]) - 1 if seats else None), [int(digit) for digit in digits]


def _read_keep(typed: _Typed) -> TrinityAction:
    first, second, third = typed.exactly(3)
    return Keep((first, second, third))


def _read_discard(typed: _Typed) -> TrinityAction:
    if len(typed.numbers) == 1:
        return Discard(*typed.exactly(1))
    lower, higher = sorted(typed.places(2))
    return DiscardTargets((lower, higher))


def _read_arrange(typed: _Typed) -> TrinityAction:
    first, second, third = typed.places(3)
    return Arrange((first, second, third))


def _read_swap(typed: _Typed) -> TrinityAction:
    position, card = typed.exactly(2)
    return Swap(position - 1, card)


def _read_order(typed: _Typed) -> TrinityAction:
    return Order(tuple(typed.places(len(typed.numbers))))


def _read_skip(typed: _Typed) -> TrinityAction:
    typed.exactly(0)
    return Skip()


def _read_guess(typed: _Typed) -> TrinityAction:
    opponent, numbers = typed.opponent, typed.numbers
    if opponent is None and len(numbers) == 4:
        opponent, numbers = numbers[0] - 1, numbers[1:]
    if len(numbers) != 3:
        raise typed.unreadable()
    first, second, third = numbers
    if opponent is not None:
        return Guess(opponent, (first, second, third))
    choices = [Guess(other, (first, second, third)) for other in typed.state.guessable(typed.seat)]
    return _only(choices, typed)


def _read_play(typed: _Typed) -> TrinityAction:
    """What is left out is filled in where only one thing can be meant."""
    if not typed.numbers:
        raise typed.unreadable()
    card, *numbers = typed.numbers
    opponent, detail = typed.opponent, CARDS[card].detail
    if opponent is None and numbers and len(numbers) == 1 + (detail is not None):
        opponent, numbers = numbers[0] - 1, numbers[1:]
    if len(numbers) > 1:
        raise typed.unreadable()
    digit = numbers[0] if numbers and detail != "position" else None
    position = numbers[0] - 1 if numbers and detail == "position" else None
    exact = Play(card, opponent, digit, position)
    choices = [a for a in legal(typed.state, typed.seat) if isinstance(a, Play) and _fits(a, exact)]
    return exact if not choices or exact in choices else _only(choices, typed)


def _fits(action: Play, typed: Play) -> bool:
    return (
        action.card == typed.card
        and typed.opponent in (None, action.opponent)
        and typed.digit in (None, action.digit)
        and typed.position in (None, action.position)
    )


def _only(choices: Sequence[TrinityAction], typed: _Typed) -> TrinityAction:
    if not choices:
        raise typed.unreadable()
    if len(choices) > 1:
        raise Ambiguous([text(choice) for choice in choices])
    return choices[0]


_READERS: dict[str, Callable[[_Typed], TrinityAction]] = {
    "keep": _read_keep,
    "play": _read_play,
    "discard": _read_discard,
    "arrange": _read_arrange,
    "swap": _read_swap,
    "order": _read_order,
    "guess": _read_guess,
    "skip": _read_skip,
}
