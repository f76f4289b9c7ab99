"""What the public facts, and the viewer's own cards, leave possible of an opponent's targets.

The 1,000 ordered triples are the bits of one integer: bit 100a + 10b + c stands for the targets a b c. Every fact is
then a set, and knowing more is `&`. All of it comes from a `View`, so the notebook knows no more than its reader.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import msgspec

from rules.trinity.cards import DIGITS, POSITIONS
from rules.trinity.state import TRIPLES, Answer, Hits, Opened, Range, Sum, Triple
from rules.trinity.view import View

EVERY = (1 << len(TRIPLES)) - 1
"""All triples."""


def _where(holds: Callable[[Triple], bool]) -> int:
    return sum(1 << index for index, triple in enumerate(TRIPLES) if holds(triple))


AT: tuple[tuple[int, ...], ...] = tuple(
    tuple(_where(lambda triple, p=position, d=digit: triple[p] == d) for digit in DIGITS)  # type: ignore[misc]
    for position in POSITIONS
)
"""AT[position][digit]: the triples with this digit there."""
SUMS = tuple(_where(lambda triple, s=total: sum(triple) == s) for total in range(28))  # type: ignore[misc]
"""The triples by their sum."""
RANGES = tuple(
    _where(lambda triple, w=width: max(triple) - min(triple) == w)  # type: ignore[misc]
    for width in DIGITS
)
"""The triples by largest minus smallest."""
MORE_THAN: tuple[tuple[int, ...], ...] = tuple(
    tuple(_where(lambda triple, d=digit, n=count: triple.count(d) > n) for count in range(3))  # type: ignore[misc]
    for digit in DIGITS
)
"""MORE_THAN[digit][count]: the triples that hold the digit more than `count` (0–2) times."""


class Notes(msgspec.Struct, frozen=True):
    """What is possible of one seat's targets: the set of triples, and for each position the digits, ascending."""

    seat: int
    possible: int
    positions: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]

    @property
    def count(self) -> int:
        """How many ordered triples remain."""
        return self.possible.bit_count()

    def triples(self) -> tuple[Triple, ...]:
        """The triples that remain, ascending."""
        return listed(self.possible)


def notebook(known: View) -> tuple[Notes, ...]:
    """The viewer's notes on everyone else still in the game, by seat; the public's on everyone still in."""
    viewer = -1 if known.own is None else known.own.seat
    return tuple(notes(known, seat) for seat in known.opponents(viewer))


def notes(known: View, seat: int) -> Notes:
    """What the viewer can tell of a seat's targets; of the viewer's own: what everybody can tell of them."""
    player = known.players[seat]
    possible = unseen(known.options.copies, cards_elsewhere(known, seat))
    for answer in player.answers:
        possible &= told(answer)
    for position, digit in enumerate(player.targets):
        if digit is not None:
            possible &= AT[position][digit]
    first, second, third = (tuple(d for d in DIGITS if possible & at[d]) for at in AT)
    return Notes(seat, possible, (first, second, third))


def told(answer: Answer) -> int:
    """The triples for which this answer is true."""
    match answer:
        case Hits():
            return hitting(answer.digits, answer.hits)
        case Sum():
            return SUMS[answer.total]
        case Range():
            return RANGES[answer.width]
        case Opened():
            return _opened(answer)


def hitting(digits: Triple, hits: int) -> int:
    """The triples in which just so many positions hold the digit named for them."""
    a, b, c = AT[0][digits[0]], AT[1][digits[1]], AT[2][digits[2]]
    if hits == 0:
        return EVERY & ~(a | b | c)
    if hits == 1:
        return (a ^ b ^ c) & ~(a & b & c)
    if hits == 2:
        return (a & b | a & c | b & c) & ~(a & b & c)
    return a & b & c


def split(possible: int, digits: Triple) -> tuple[int, int, int, int]:
    """How many of these triples would answer the guess with 0, 1, 2, 3 hits."""
    a, b, c = AT[0][digits[0]] & possible, AT[1][digits[1]] & possible, AT[2][digits[2]] & possible
    three = (a & b & c).bit_count()
    two = (a & b | a & c | b & c).bit_count() - three
    some = (a | b | c).bit_count()
    return possible.bit_count() - some, some - two - three, two, three


def unseen(copies: int, elsewhere: Iterable[int]) -> int:
    """The triples that can be made of a deck with so many copies of each digit without these cards."""
    possible = EVERY
    seen = Counter(elsewhere)
    for digit in DIGITS:
        left = copies - seen[digit]
        if left < len(POSITIONS):
            possible &= ~MORE_THAN[digit][left]
    return possible


def listed(possible: int) -> tuple[Triple, ...]:
    """The triples of a set, ascending."""
    found = []
    while possible:
        lowest = possible & -possible
        found.append(TRIPLES[lowest.bit_length() - 1])
        possible ^= lowest
    return tuple(found)


def _opened(answer: Opened) -> int:
    possible = EVERY
    for position, digit in answer.shown:
        possible &= AT[position][digit]
    if answer.digit is not None:
        named = {position for position, _ in answer.shown}
        for position in POSITIONS:
            if position not in named:
                possible &= ~AT[position][answer.digit]
    return possible


def cards_elsewhere(known: View, seat: int) -> list[int]:
    """The cards that the viewer sees anywhere but among the targets of this seat."""
    own = known.own if known.own is not None and known.own.seat != seat else None
    cards: list[int] = [*own.hand, *own.targets, *own.foreseen] if own is not None else []
    for player in known.players:
        cards += player.area
        if own is None or player.seat != own.seat:
            cards += player.laid_open
            if player.seat != seat:
                cards += [digit for digit in player.targets if digit is not None]
    return cards
