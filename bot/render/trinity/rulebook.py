"""The rules of TRiNITY in the project's own words, and a picture of all ten cards."""

from __future__ import annotations

from functools import cache

from bot.render.canvas import Canvas
from bot.render.trinity.cards import SIZES, face, palette, power
from bot.words import Words
from rules.game import translatable
from rules.trinity.cards import CARDS

WIDTH = 1000
STEP = 192
EDGE = 26

PAGES = (
    (
        translatable("The game"),
        translatable(
            "Everybody hides three targets. Whoever first names **all three of an opponent’s targets, each at its "
            "position**, calls TRiNITY and wins at once.\n"
            "The deck holds the numbers 0 to 9, three of each. *(our reading)* Everybody is dealt five cards, chooses "
            "**three of them as targets** and puts these in an order: positions 1, 2 and 3. All do this at the same "
            "time. The other two are the hand. Who starts is drawn by lot."
        ),
    ),
    (
        translatable("A turn"),
        translatable(
            "1. **Draw** a card, if the pile has any.\n"
            "2. **Play** a card face up to your own area, if you hold any; its effect happens at once. An effect that "
            "cannot be used is skipped; the card is played all the same.\n"
            "3. **Guess**: name an opponent and a digit for each of their positions. You are told how many positions "
            "are right, never which. Digits may repeat. You may decline. *(our reading)*\n"
            "Cards played and given up stay visible. There is no hand limit, and nothing is reshuffled. Without pile "
            "and hand a turn is just the guess. Targets that lie open still count for every answer."
        ),
    ),
    (
        translatable("The cards"),
        "",
    ),
    (
        translatable("Fine print"),
        translatable(
            "- **0**: the targets given up are laid open. A kept target that was open stays open wherever it goes; new "
            "ones are hidden. *(our reading)*\n"
            "- **1**: the new target is hidden, also where the old one lay open.\n"
            "- **2**: who holds no card cannot be named *(our reading)*. The victim chooses what to give up; it has no "
            "effect.\n"
            "- **4**: with fewer than three cards in the pile you look at what is left.\n"
            "- **5**: the second guess may name another opponent, and is made knowing the first answer. Declining "
            "gives up one of the two guesses. *(our reading)*\n"
            "- **6**: targets that lie open already are named again.\n"
            "- **9**: only hidden targets can be named; there is no effect where no opponent has one. *(our reading)*\n"
            "- Who leaves lays their cards open and is out. The last one left wins. *(our reading)*"
        ),
    ),
)
"""Title and text of each page, the project's readings marked; the cards' page is made from the table of cards."""

CARDS_PAGE = 2
"""Which page lists the cards."""


def cards_text(words: Words) -> str:
    """All ten cards: what each does, and when it cannot be used."""
    lines = []
    for card in CARDS:
        needs = f" *{words(card.needs)}*" if card.needs else ""
        lines.append(
            f"**{card.digit} · {words(card.person)} · {power(card.digit, words)}** – {words(card.effect)}{needs}"
        )
    return "\n".join(lines)


@cache
def cards_picture(words: Words) -> bytes:
    """All ten cards as a PNG."""
    size = SIZES["large"]
    canvas = Canvas(WIDTH, 2 * size.height + 3 * EDGE, palette())
    for card in CARDS:
        row, column = divmod(card.digit, 5)
        canvas.paste_at(face(card.digit, "large", words), EDGE + column * STEP, EDGE + row * (size.height + EDGE))
    return canvas.encode()
