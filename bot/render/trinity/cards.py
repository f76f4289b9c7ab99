"""The cards of TRiNITY as kept sprites: ten faces of our own drawing in four sizes, and their back."""

from __future__ import annotations

import math
from functools import cache
from typing import Literal, NamedTuple

from bot.render import fonts
from bot.render.canvas import Pen, Sprite, lettered, panel, sprite, write
from bot.render.marks import COLOURS
from bot.render.palette import CARD, CHOICE, CHOICE_TINT, GRAIN, GROUND, INK, NEUTRALS, QUIET, Palette, mix
from bot.render.trinity.icons import ICONS, Stencil
from bot.words import Words
from rules.trinity.cards import CARDS

Size = Literal["large", "medium", "small", "mini"]


class Measures(NamedTuple):
    """A card's measures in pixels. The digit has its middle at `digit`, the icon at `icon`; no name where 0."""

    width: int
    height: int
    digit: tuple[int, int]
    digit_size: int
    icon: tuple[int, int]
    icon_size: int
    name_size: int = 0
    power_size: int = 0


SIZES: dict[Size, Measures] = {
    "large": Measures(180, 264, (32, 36), 58, (102, 98), 104, 27, 24),
    "medium": Measures(140, 190, (24, 31), 48, (80, 76), 80, 24),
    "small": Measures(96, 130, (22, 28), 42, (52, 82), 64),
    "mini": Measures(62, 84, (18, 22), 34, (34, 56), 38),
}

MARGIN = 8
"""What a card's name leaves free of its width."""

KINDS = {
    0: "green",
    1: "green",
    2: "orange",
    3: "orange",
    4: "orange",
    5: "yellow",
    6: "blue",
    7: "blue",
    8: "blue",
    9: "blue",
}
"""The colour of each card by what it is good for: green changes one's targets, orange the hands or the pile, yellow
gives guesses, blue answers."""

BACK = "#4A2E63"
"""The ground of a card's back."""
BACK_LINE = "#B79CCB"


def palette_of_cards() -> Palette:
    """The colours of every picture with cards."""
    marks = list(COLOURS.values())
    strong = [mark.colour for mark in marks] + [CHOICE, BACK]
    light = [mark.tint for mark in marks] + [CHOICE_TINT, BACK_LINE]
    flat = [*NEUTRALS, *strong, *light]
    edges = [(INK, colour) for colour in flat if colour != INK]
    edges += [(CARD, colour) for colour in strong]
    edges += [(QUIET, colour) for colour in (GROUND, CARD)]
    edges += [(BACK, BACK_LINE), (GRAIN, GROUND), (GRAIN, CARD)]
    return Palette(flat, edges)


@cache
def palette() -> Palette:
    """The one that all these pictures share."""
    return palette_of_cards()


def person(digit: int, words: Words) -> str:
    """Who is on the card: `Bureaucrat`."""
    return words(CARDS[digit].person)


def power(digit: int, words: Words) -> str:
    """What its effect is called: `Subtraction`."""
    return words(CARDS[digit].power)


def face(digit: int, size: Size, words: Words, *, quiet: bool = False) -> Sprite:
    """A card's face; `quiet` for one that is not to be chosen now."""
    return _face(digit, size, person(digit, words), power(digit, words), quiet)


@cache
def _face(digit: int, size: Size, name: str, effect: str, quiet: bool) -> Sprite:
    measures = SIZES[size]
    mark = COLOURS[KINDS[digit]]
    ink = QUIET if quiet else INK

    def draw(pen: Pen) -> None:
        width, height = measures.width, measures.height
        line = max(2.0, width / 56)
        pen.rounded((0, 0, width, height), width / 12, GROUND if quiet else CARD, outline=ink, width=line)
        radius = measures.icon_size * 0.63
        if size != "mini":
            pen.circle(measures.icon, radius, GROUND if quiet else mark.tint)
        ICONS[digit](
            Stencil(pen, measures.icon, measures.icon_size), mix(mark.colour, GROUND, 0.62) if quiet else mark.colour
        )

    drawn = sprite(measures.width, measures.height, draw)
    image = drawn.image.copy()
    write(image, *measures.digit, str(digit), measures.digit_size, ink, "middle", bold=True)
    middle = measures.width / 2
    if measures.name_size:
        lines = fonts.wrap(name, measures.width - MARGIN, measures.name_size, 2)
        effect_room = 34 if measures.power_size else 0
        y = measures.height - 22 - effect_room - (len(lines) - 1) * (measures.name_size + 2)
        for row, text in enumerate(lines):
            fitted = fonts.fit(text, measures.width - MARGIN, measures.name_size)
            write(image, middle, y + row * (measures.name_size + 2), fitted.text, fitted.size, ink, "middle", bold=True)
    if measures.power_size:
        fitted = fonts.fit(effect, measures.width - 14, measures.power_size)
        write(image, middle, measures.height - 22, fitted.text, fitted.size, QUIET, "middle")
    return Sprite(image, drawn.coverage)


@cache
def back(size: Size, label: str = "") -> Sprite:
    """A card's back: three triangles in one; with a label, a large one in the middle."""
    measures = SIZES[size]
    width, height = measures.width, measures.height

    def draw(pen: Pen) -> None:
        pen.rounded((0, 0, width, height), width / 12, BACK, outline=INK, width=max(2.0, width / 56))
        inset = width * 0.07
        pen.rounded(
            (inset, inset, width - inset, height - inset),
            width / 16,
            BACK,
            outline=BACK_LINE,
            width=max(1.5, width / 70),
        )
        reach = width * 0.17
        for angle in (90, 210, 330):
            x = width / 2 + reach * math.cos(math.radians(angle))
            y = height / 2 + width * 0.05 - reach * math.sin(math.radians(angle))
            corners = [
                (x + reach * 0.86 * math.cos(math.radians(a)), y - reach * 0.86 * math.sin(math.radians(a)))
                for a in (90, 210, 330)
            ]
            pen.polygon(corners, BACK, outline=BACK_LINE, width=max(1.5, width / 48))

    drawn = sprite(width, height, draw)
    return lettered(drawn, label, measures.digit_size, CARD) if label else drawn


@cache
def empty(size: Size, label: str, colour: str = GRAIN) -> Sprite:
    """Where a card is still missing: a frame with what stands for it."""
    measures = SIZES[size]
    frame = panel(measures.width, measures.height, measures.width / 12, GROUND, colour, 4)
    return lettered(frame, label, measures.digit_size, QUIET)


@cache
def tab(text: str, fill: str = INK, ink: str = CARD) -> Sprite:
    """A small label that lies on the edge of a card: its position, that it is new, that it lies open."""
    width = max(38, round(fonts.measure(text, 25)) + 26)
    return lettered(panel(width, 36, 18, fill, CARD, 3), text, 25, ink)
