"""The notebook as a picture: for each opponent and position, which digits are still possible."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from bot.render.canvas import Canvas, Pen, Sprite, lettered, sprite
from bot.render.marks import SEATS, badge
from bot.render.palette import CARD, CHOICE, GRAIN, GROUND, INK, QUIET
from bot.render.trinity.cards import palette, tab
from bot.words import Words
from rules.trinity.cards import DIGITS
from rules.trinity.notebook import Notes

WIDTH = 1000
EDGE = 30
HEAD = 92
"""Height of an opponent's heading."""
CELL = 76
STEP = 86
FIRST = 128
"""The left edge of the cells of digit 0."""
SECTION = HEAD + 3 * STEP + 20


def picture(notebook: Sequence[Notes], words: Words, names: Sequence[str]) -> bytes:
    """A grid an opponent as a PNG 1000 pixels wide: a row a position, a cell a digit."""
    canvas = Canvas(WIDTH, max(1, len(notebook)) * SECTION + 14, palette())
    for place, notes in enumerate(notebook):
        _draw_grid(canvas, place * SECTION, notes, words, names[notes.seat])
    return canvas.encode()


def _draw_grid(canvas: Canvas, top: int, notes: Notes, words: Words, name: str) -> None:
    y = top + 50
    canvas.paste(badge(SEATS[notes.seat], 23), EDGE + 24, y)
    canvas.fitted(EDGE + 62, y, name, 520, 34, INK, bold=True)
    count = words.many("{count} possibility", "{count} possibilities", notes.count)
    canvas.text(WIDTH - EDGE, y, count, 32, QUIET, "right")
    for position, digits in enumerate(notes.positions):
        middle = top + HEAD + position * STEP + CELL // 2
        canvas.paste(tab(str(position + 1)), EDGE + 34, middle)
        for digit in DIGITS:
            kind = "out" if digit not in digits else "sure" if len(digits) == 1 else "open"
            canvas.paste(_cell(digit, kind), FIRST + digit * STEP + CELL / 2, middle)


@cache
def _cell(digit: int, kind: str) -> Sprite:
    """A digit that is possible, certain, or ruled out: the last is crossed through and set in grey."""
    fill, border, ink = {"open": (CARD, INK, INK), "sure": (CHOICE, INK, CARD), "out": (GROUND, GRAIN, QUIET)}[kind]

    def draw(pen: Pen) -> None:
        pen.rounded((0, 0, CELL, CELL), 12, fill, outline=border, width=3)

    cell = lettered(sprite(CELL, CELL, draw), str(digit), 40, ink, bold=kind != "out")
    if kind == "out":
        line = sprite(CELL, CELL, lambda pen: pen.line(((16, CELL - 16), (CELL - 16, 16)), GRAIN, 5))
        middle = (round((CELL - line.size[0]) / 2), round((CELL - line.size[1]) / 2))
        cell.image.paste(line.image, middle, line.coverage)
    return cell
