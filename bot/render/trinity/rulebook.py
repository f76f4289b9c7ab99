"""The rules of TRiNITY in the project's own words, as played with a table's options, with pictures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache, partial

from bot.face import RulesPage
from bot.render.canvas import Canvas
from bot.render.trinity import hand, table
from bot.render.trinity.cards import SIZES, face, palette, power
from bot.words import Words
from rules.game import translatable
from rules.trinity import GAME
from rules.trinity.cards import CARDS, DIGITS
from rules.trinity.state import TrinityDeal, TrinityOptions, TrinitySetup
from rules.trinity.view import View

WIDTH = 1000
STEP = 192
EDGE = 26

NAMES = ("Ada", "Ben")
"""Who plays in the pictures."""
DEALT = (8, 6, 3, 1, 7, 5, 2, 9, 0, 4)
"""The first cards of their deck: five for Ada, five for Ben."""
CHOSEN = ("1 keep 8 6 3", "2 keep 5 2 9")
TURNS = ("1 play 7 @2", "1 guess @2 5 3 9", "2 play 4", "2 order 1 2 3", "2 guess @1 8 0 1")
"""The examples, as records write them."""

FINE_PRINT = translatable(
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
)


def rules_pages(options: TrinityOptions, words: Words) -> tuple[RulesPage, ...]:
    """The rules with these options, page by page, the project's readings marked."""
    return (
        RulesPage(
            words("The game"),
            "\n".join(_game(options, words)),
            partial(_own_cards, options, words),
            words("What Ada alone sees: her targets 8, 6 and 3 at their positions, and her hand."),
        ),
        RulesPage(
            words("A turn"),
            "\n".join(_turn(options, words)),
            partial(_table, options, words),
            words("The table after a turn each: the cards played lie open, and every guess with its answer."),
        ),
        RulesPage(
            words("The cards"), cards_text(words), partial(cards_picture, words), words("The ten cards of TRiNITY.")
        ),
        RulesPage(words("Fine print"), words(FINE_PRINT)),
    )


def _game(options: TrinityOptions, words: Words) -> list[str]:
    return [
        words(
            "Everybody hides three targets. Whoever first names **all three of an opponent’s targets, each at its "
            "position**, calls TRiNITY and wins at once."
        ),
        words("The deck holds the numbers 0 to 9, three of each. *(our reading)*")
        if options.deck == "full"
        else words("The deck is the short one, for two players: the numbers 0 to 9, two of each."),
        words(
            "Everybody is dealt five cards, chooses **three of them as targets** and puts these in an order: positions "
            "1, 2 and 3. All do this at the same time. The other two are the hand. Who starts is drawn by lot."
        ),
    ]


def _turn(options: TrinityOptions, words: Words) -> list[str]:
    return [
        words("1. **Draw** a card, if the pile has any."),
        words(
            "2. **Play** a card face up to your own area, if you hold any; its effect happens at once. An effect that "
            "cannot be used is skipped; the card is played all the same."
        ),
        words(
            "3. **Guess**: name an opponent and a digit for each of their positions. You are told how many positions "
            "are right, never which. Digits may repeat. You may decline. *(our reading)*"
        ),
        *(
            [words("With three players you guess **only the player after you**; effects may name anyone.")]
            if options.third == "left"
            else []
        ),
        words(
            "Cards played and given up stay visible. There is no hand limit, and nothing is reshuffled. Without pile "
            "and hand a turn is just the guess. Targets that lie open still count for every answer."
        ),
    ]


@lru_cache(maxsize=8)
def _own_cards(options: TrinityOptions, words: Words) -> bytes:
    return hand.picture(_seen(options, CHOSEN, 0), words)


@lru_cache(maxsize=8)
def _table(options: TrinityOptions, words: Words) -> bytes:
    return table.picture(_seen(options, (*CHOSEN, *TURNS), None), words, names=NAMES)


def _seen(options: TrinityOptions, lines: Sequence[str], viewer: int | None) -> View:
    """A game of two after these lines, as a seat sees it."""
    rest = [digit for digit in DIGITS for _ in range(options.copies)]
    for digit in DEALT:
        rest.remove(digit)
    setup = TrinitySetup(seats=len(NAMES))
    state = GAME.start(setup, options, TrinityDeal(first=0, deck=(*DEALT, *rest)))
    for line in lines:
        number, _, text = line.partition(" ")
        seat = int(number) - 1
        state = GAME.play(state, seat, GAME.parse(state, seat, text)).state
    return GAME.view(state, viewer)


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
