"""The ten cards of TRiNITY as a table: their names, what they do, what a player must name to play them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.game import translatable

DIGITS = range(10)
POSITIONS = range(3)
Detail = Literal["digit", "position"]


@dataclass(frozen=True)
class Card:
    """One kind of card.

    `person` and `power` are its two names in English, marked for the catalogues; `chinese` holds the same two as the
    rulebook prints them. `effect` says what it does, `needs` when its effect cannot be used ("" where it always can).
    `opponent` is whether its effect names one, `detail` what else it names.
    """

    digit: int
    person: str
    power: str
    chinese: tuple[str, str]
    effect: str
    needs: str = ""
    opponent: bool = False
    detail: Detail | None = None


CARDS: tuple[Card, ...] = (
    Card(
        0,
        translatable("Hostess"),
        translatable("Recovery"),
        ("陪酒女", "恢復"),
        translatable("Discard two of your targets, draw two new ones, then put all three in any order."),
        translatable("Not with fewer than 2 cards in the pile."),
    ),
    Card(
        1,
        translatable("Doctor"),
        translatable("Transplant"),
        ("醫生", "移植"),
        translatable("Swap one of your targets with a card from your hand."),
        translatable("Not with an empty hand."),
    ),
    Card(
        2,
        translatable("Killer"),
        translatable("Delete"),
        ("殺手", "刪除"),
        translatable("An opponent discards one card of their choice from their hand."),
        translatable("Not if no opponent holds a card."),
        opponent=True,
    ),
    Card(
        3,
        translatable("Teacher"),
        translatable("Raise"),
        ("教師", "加注"),
        translatable("Draw one card."),
        translatable("Not with an empty pile."),
    ),
    Card(
        4,
        translatable("The Liu Syndicate"),
        translatable("Hand of God"),
        ("劉組", "神之手"),
        translatable("Look at the top three cards of the pile and put them back in any order."),
        translatable("Not with an empty pile."),
    ),
    Card(
        5,
        translatable("Capitalist"),
        translatable("Double Call"),
        ("資本家", "連續指定"),
        translatable("Guess twice this turn."),
    ),
    Card(
        6,
        translatable("Journalist"),
        translatable("Inquiry"),
        ("記者", "探究"),
        translatable("Name an opponent and a digit: all their targets with that digit are revealed."),
        opponent=True,
        detail="digit",
    ),
    Card(
        7,
        translatable("Politician"),
        translatable("Addition"),
        ("政治家", "加法"),
        translatable("An opponent tells the sum of their three targets."),
        opponent=True,
    ),
    Card(
        8,
        translatable("Bureaucrat"),
        translatable("Subtraction"),
        ("官僚", "減法"),
        translatable("An opponent tells their largest target minus their smallest."),
        opponent=True,
    ),
    Card(
        9,
        translatable("Detective"),
        translatable("Wanted"),
        ("刑警", "通緝令"),
        translatable("Name an opponent and one of their hidden targets: it is revealed."),
        translatable("Not if no opponent has a hidden target."),
        opponent=True,
        detail="position",
    ),
)
"""The cards by their digit."""


def works(card: int, *, pile: int, hand: int, victims: bool, hidden: bool) -> bool:
    """Whether the effect of a card can be used: sheet, "cannot be used".

    `pile` and `hand` are numbers of cards, counted after the played card has left the hand; `victims` is whether an
    opponent holds cards, `hidden` whether an opponent has a hidden target.
    """
    conditions = {0: pile >= 2, 1: hand > 0, 2: victims, 3: pile > 0, 4: pile > 0, 9: hidden}
    return conditions.get(card, True)
