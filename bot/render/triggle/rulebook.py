"""Triggle's rules in the project's own words, as played with a table's options, with pictures of small examples."""

from __future__ import annotations

from functools import lru_cache, partial

from bot.face import RulesPage
from bot.render.triggle import NO_CHOICES, Choices, picture
from bot.words import Words
from rules.triggle import GAME
from rules.triggle.board import board
from rules.triggle.parts import Deal, Options, Place, Setup, View

NAMES = ("Ada", "Ben")
"""Who plays in the pictures."""

FEW, MORE = 3, 9
"""Bands on the boards of the first two pictures: enough to touch, and enough to close triangles."""


def rules_pages(options: Options, words: Words) -> tuple[RulesPage, ...]:
    """The rules with these options, page by page, the project's readings marked."""
    return (
        RulesPage(
            words("The game"),
            "\n".join(_game(options, words)),
            partial(_drawn_closing, options, words),
            words("A board with bands and pieces: Ada has closed triangles."),
        ),
        RulesPage(
            words("Where a band may lie"),
            "\n".join(_placing(options, words)),
            partial(_drawn_choosing, options, words),
            words("A board with three bands, and where one may go from one peg."),
        ),
        RulesPage(
            words("The end"),
            "\n".join(_end(options, words)),
            partial(_drawn_end, options, words),
            words("A game of two players that is over."),
        ),
    )


# -- In words --------------------------------------------------------------------------------------------------------


def _game(options: Options, words: Words) -> list[str]:
    return [
        words(
            "The board is a hexagon with {side} pegs on each side, {pegs} in all. On your turn you stretch **one band "
            "over four pegs in a straight line**. Whoever closes a small triangle, so that bands lie on all three of "
            "its sides, puts a piece in it. One band can close up to six.",
            side=options.side,
            pegs=len(board(options.side).pegs),
        ),
        words("**Most pieces win.** Equal scores share the win. *(our reading)*")
        if options.goal == "most"
        else words(
            "**Fewest pieces win**: close as few triangles as you can. Equal scores share the win. *(our reading)*"
        ),
        _supply(options, words),
        words("The starting player is drawn by lot."),
    ]


def _supply(options: Options, words: Words) -> str:
    facts = {"bands": options.bands, "pieces": options.pieces}
    match options.bands == "rulebook", options.goal == "most":
        case True, True:
            return words(
                "Two players have 10 bands each, three or four have 12; everybody has {pieces} pieces.", **facts
            )
        case True, False:
            return words("Two players have 10 bands each, three or four have 12. Pieces never run out.")
        case False, True:
            return words("Everybody has {bands} bands and {pieces} pieces.", **facts)
    return words("Everybody has {bands} bands. Pieces never run out.", **facts)


def _placing(options: Options, words: Words) -> list[str]:
    return [
        words("1. On four pegs in a straight line."),
        words(
            "2. It shares a peg with a band on the board; only the very first one need not. *(our reading of "
            "“touches”)*"
        ),
        words(
            "3. It covers at least one stretch between two neighbouring pegs that no band covers yet. *(our reading of "
            "“at least one new peg”)*"
        )
        if options.overlap == "segment"
        else words("3. No other band lies on exactly the same four pegs. Otherwise bands may overlap."),
        words(
            "A band is named by its end pegs: `A1-D4`. Rows have letters from the top, pegs numbers from the left. "
            "There is no extra turn, and nobody ever passes. Only the smallest triangles count. *(our reading)*"
        ),
    ]


def _end(options: Options, words: Words) -> list[str]:
    return [
        *([words("- Whoever places the last of their pieces wins at once.")] if options.goal == "most" else []),
        words(
            "- With two players the game ends when both have placed their last band, when no band can be placed, or "
            "when every triangle has an owner. *(the latter two: our reading)*"
        ),
        words("- With three or four it ends when the bands left in all hands can close no triangle any more."),
        words("- Who leaves keeps pieces and score on the board, but cannot win. The last one left wins."),
    ]


# -- In pictures -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _drawn_closing(options: Options, words: Words) -> bytes:
    return picture(_seen(options, MORE), words, names=NAMES)


@lru_cache(maxsize=16)
def _drawn_choosing(options: Options, words: Words) -> bytes:
    """Where a band may go from the peg from which most may."""
    view = _seen(options, FEW)
    ends: dict[str, list[str]] = {}
    for band in view.legal:
        first, second = band.split("-")
        ends.setdefault(first, []).append(second)
        ends.setdefault(second, []).append(first)
    start = max(ends, key=lambda peg: len(ends[peg]), default=None)
    choices = Choices(pegs=ends[start], start=start) if start else NO_CHOICES
    return picture(view, words, names=NAMES, choices=choices)


@lru_cache(maxsize=16)
def _drawn_end(options: Options, words: Words) -> bytes:
    return picture(_seen(options, None), words, names=NAMES)


def _seen(options: Options, most: int | None) -> View:
    """A game of two who always close what they can, up to so many bands or to its end."""
    state = GAME.start(Setup(seats=len(NAMES)), options, Deal(first=0))
    placed = 0
    while (seats := GAME.to_act(state)) and placed != most:
        bands = [Place(band) for band in GAME.view(state, None).legal]
        # Of equally good ones one in the middle of the list, which lies in the middle of the board.
        closing = [GAME.closes(state, band) for band in bands]
        best = [band for band, closed in zip(bands, closing, strict=True) if len(closed) == max(map(len, closing))]
        state = GAME.play(state, seats[0], best[len(best) // 2]).state
        placed += 1
    return GAME.view(state, None)
