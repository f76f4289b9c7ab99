"""The rules of Triangulation chess in the project's own words, with pictures of how each piece moves."""

from __future__ import annotations

from functools import cache, partial
from typing import NamedTuple

from bot.face import RulesPage
from bot.render.chess.table import EVERY_NAME, Choices, diagram
from bot.words import Words
from rules.chess import GAME
from rules.chess.board import NAMES, RED, Triangle, triangles
from rules.chess.moves import reach
from rules.chess.position import read
from rules.chess.state import ChessDeal, ChessOptions, ChessSetup
from rules.game import translatable


class Shown(NamedTuple):
    """A page's picture: a position (None: the opening), of which pieces the ways are marked, and what it shows."""

    position: str | None
    pieces: tuple[str, ...]
    alt: str


class Text(NamedTuple):
    """A page: title, text, picture."""

    title: str
    text: str
    shown: Shown | None = None


PAGES = (
    Text(
        translatable("The game"),
        translatable(
            "Three armies meet on a triangle of 64 small triangles, black and white. Red moves first, then Green, then "
            "Blue. **Who captures a General commands all that obeyed it; the last player with a General wins.**\n"
            "Each army begins in its corner: Cavalry in the corner, the General on the white triangle before it with a "
            "Rukh on each side, five Infantry on row 3.\n"
            "**Names:** a triangle is a letter, a number and a Greek letter, such as `C6Ω`: its row counted from "
            "Red's, Green's and Blue's corner, as written along the three sides. You may type a digit for the Greek "
            "letter (`C68`) or a Latin one (β b, Γ g, Δ d, Π p, Σ s, Φ f, Ψ y, Ω w). *(which Greek letters: our "
            "reading)*\n"
            "**Black and white:** seen from your corner, a black triangle has a side in front, a white one a corner in "
            "front and behind it a bar in your colour."
        ),
        Shown(None, (), translatable("The opening, every empty triangle with its name.")),
    ),
    Text(
        translatable("Infantry"),
        translatable(
            "**Steps** forward over a side, onto empty triangles: from a black triangle one way, from a white one to "
            "the left or the right.\n"
            "**Charges** up to three such steps when it stands on row 3 of its colour. *(our reading: whenever it "
            "stands there)* A charge captures nothing.\n"
            "**Captures** forward over a corner: from black four triangles, from white three.\n"
            "**Gates:** a triangle beside yours, over a corner, is reached past the triangle that touches both over a "
            "side. While a piece stands there, that way is shut. The one straight over the corner is always open.\n"
            "On its last row it goes sideways along the edge, and captures along it from black to black. There is no "
            "promotion."
        ),
        Shown(
            "rrGA8Ω rrIC7Ψ rrIF6Φ ggIG5Φ bbIG6Σ ggIG5Σ ggGH1Ω bbGH8β / r / rgb / - / -",
            ("C7Ψ", "F6Φ"),
            translatable("An Infantry on row 3 may charge; one on a white triangle has two ways and three captures."),
        ),
    ),
    Text(
        translatable("Rukh"),
        translatable(
            "Goes straight along a row, over side after side, as far as it likes: up to the first piece in the way, "
            "which it may capture. From the middle of the board there are six ways; two leave over each side."
        ),
        Shown(
            "rrGA8Ω rrRE6Φ ggIE8Π bbIH6Δ rrIF6Φ ggGH1Ω bbGH8β / r / rgb / - / -",
            ("E6Φ",),
            translatable("A Rukh in the middle of the board: its own Infantry shuts two of its six ways."),
        ),
    ),
    Text(
        translatable("Cavalry"),
        translatable(
            "Leaps straight on over a side and a corner in turn, two or three triangles far, whatever stands between. "
            "It may begin with a side or with a corner."
        ),
        Shown(
            "rrGA8Ω rrCE6Φ rrIE6Ψ ggIF6Φ ggIG5Σ bbIH5Σ bbIF7Π ggGH1Ω bbGH8β / r / rgb / - / -",
            ("E6Φ",),
            translatable("Cavalry in the middle of the board leaps over whatever stands beside it."),
        ),
    ),
    Text(
        translatable("General and castling"),
        translatable(
            "The General goes one triangle, over a side or a corner, gates permitting: at most twelve triangles.\n"
            "**Castling:** the General and a Rukh of its own colour change places, if neither has moved and the "
            "General is not in check, nor would be. It counts as a move, and may be the very first one."
        ),
        Shown(
            "rrGE6Φ rrIE7Φ ggGH1Ω bbGH8β / r / rgb / - / -",
            ("E6Φ",),
            translatable("A General: the Infantry beside it stands on the gate of two triangles."),
        ),
    ),
    Text(
        translatable("Check and the end of an army"),
        translatable(
            "- **Check:** a piece of an opponent could capture your General. If any move leaves your General safe, "
            "only such moves are allowed. Your safety is judged after the whole move: capturing a General ends its "
            "army's threats.\n"
            "- Without a safe move, in check or not, any move of your other pieces will do; the General itself moves "
            "only if nothing else can. *(our reading)* Without any move you pass. *(our reading)*\n"
            "- **Checkmate:** in check at the start of your turn, and no safe move. You play on until your General is "
            "captured. Those who checked you then **must capture it** on their next turn if they can, even when in "
            "check themselves.\n"
            "- **Conquest:** whoever captures a General takes over its pieces and prisoners. Pieces keep their colour, "
            "and with it the way they go; a pin on them shows it. One move a turn remains one move a turn.\n"
            "- Generals are captured like any piece also without a checkmate."
        ),
    ),
    Text(
        translatable("Prisoners and rescue"),
        translatable(
            "A captured piece is a prisoner of its captor. When an Infantry comes onto the home corner of an opponent "
            "who holds prisoners of its own colour or of its owner's, it may rescue one in the same move:\n"
            "- A **Rukh or Cavalry** appears on that corner, and the Infantry goes back to an empty triangle of row 3 "
            "of its owner.\n"
            "- An **Infantry** only where nothing else could be rescued: both go back to row 3.\n"
            "You need not rescue. The rescued piece is yours and counts as moved. *(our reading)*"
        ),
    ),
)
"""The pages that no option changes, the project's readings marked."""


def rules_pages(options: ChessOptions, words: Words) -> tuple[RulesPage, ...]:
    """The rules with these options, page by page."""
    last = RulesPage(
        words("Draws, two players, leaving"),
        "\n".join(_ends(options, words)),
        partial(_drawn_for_two, options.neutral),
        words("The opening of two players and a neutral army."),
    )
    return (*(_page(page, words) for page in PAGES), last)


def _ends(options: ChessOptions, words: Words) -> list[str]:
    lines = [
        words(
            "**Draw:** at once when only Generals are left to all players *(our reading: whatever stands neutral)*, or "
            "when all who are still in the game offer one (More → Offer a draw). Those who are out have lost."
        )
    ]
    if options.quiet_limit is not False:
        lines.append(
            words(
                "**Also a draw** after {rounds} rounds in a row without a capture, a rescue or an Infantry move.",
                rounds=options.quiet_limit,
            )
        )
    if options.repetition:
        lines.append(words("**Also a draw** when a position comes up for the third time."))
    return [
        *lines,
        words(
            "**Two players:** the third army, **{colour}**, is neutral, its General in the corner and the Cavalry "
            "before it. It never moves and gives no check, stands in the way and can be captured. Whoever captures its "
            "General owns the rest.",
            colour=words(options.variants()["neutral"].choices[options.neutral]),
        ),
        words(
            "**Leaving:** the army of somebody who leaves becomes neutral, and its prisoners are out of the game. "
            "*(our reading)*"
        ),
    ]


def _page(page: Text, words: Words) -> RulesPage:
    shown = page.shown
    if shown is None:
        return RulesPage(words(page.title), words(page.text))
    return RulesPage(words(page.title), words(page.text), partial(_drawn, shown), words(shown.alt))


@cache
def _drawn(shown: Shown) -> bytes:
    setup = ChessSetup(seats=3, position=shown.position)
    seat = None if shown.position is None else RED
    view = GAME.view(GAME.start(setup, ChessOptions(), ChessDeal()), seat)
    if shown.position is None:
        return diagram(view, EVERY_NAME)
    pieces = tuple(NAMES.index(name) for name in shown.pieces)
    targets = sorted({target for triangle in pieces for target in _ways(shown.position, triangle)})
    return diagram(view, Choices(targets, pieces))


@cache
def _drawn_for_two(neutral: str) -> bytes:
    start = GAME.start(ChessSetup(seats=2), ChessOptions(neutral=neutral), ChessDeal())
    return diagram(GAME.view(start, None), EVERY_NAME)


def _ways(position: str, triangle: Triangle) -> tuple[Triangle, ...]:
    """Where the piece there could go, check apart."""
    here = read(position)
    return tuple(triangles(reach(triangle, here.armies[RED][triangle], here.occupied, here.own[RED])))
