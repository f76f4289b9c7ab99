"""How seats are told apart: by a letter, a shape and a line style as well as by a colour.

Games whose seats have colours take the mark of the colour (`COLOURS["blue"]`), the others one by number (`SEATS[3]`).
"""

import math
from functools import cache
from typing import Literal, NamedTuple

from bot.render.canvas import Pen, Point, Sprite, lettered, sprite
from bot.render.palette import CARD, INK, mix

Shape = Literal["circle", "square", "diamond", "hexagon", "triangle"]
Stroke = Literal["solid", "double", "dashed", "dotted"]


class Mark(NamedTuple):
    """What a seat is known by."""

    letter: str
    shape: Shape
    stroke: Stroke
    """How lines of this seat are drawn."""
    colour: str
    """The full colour, for marks and lines."""
    text: str
    """What is readable on the full colour."""
    tint: str
    """The colour as a light ground, on which INK is readable."""
    symbol: str
    """The nearest emoji, for messages; it never stands without the letter or a name beside it."""


def _mark(letter: str, shape: Shape, stroke: Stroke, colour: str, text: str, symbol: str) -> Mark:
    return Mark(letter, shape, stroke, colour, text, mix(colour, CARD, 0.62), symbol)


COLOURS = {
    "blue": _mark("B", "circle", "solid", "#0B5FA5", CARD, "🔵"),
    "green": _mark("G", "square", "double", "#1DAF86", INK, "🟩"),
    "yellow": _mark("Y", "hexagon", "dashed", "#F4CC2F", INK, "🟡"),
    "orange": _mark("O", "diamond", "dotted", "#E36B26", INK, "🔶"),
    "red": _mark("R", "triangle", "dashed", "#BE2437", CARD, "🔺"),
}
"""The marks of named colours. Triggle plays with the first four, chess with red, green and blue."""

NEUTRAL = _mark("N", "circle", "dotted", "#A79A8B", INK, "⚪")
"""What nobody owns any more."""

_CYCLE = tuple(COLOURS.values())
SEATS = tuple(_CYCLE[seat % len(_CYCLE)]._replace(letter=chr(ord("A") + seat)) for seat in range(20))
"""The marks of seats without a colour of their own: A to T."""

CORNERS: dict[Shape, tuple[float, ...]] = {
    "square": (45, 135, 225, 315),
    "diamond": (0, 90, 180, 270),
    "hexagon": (0, 60, 120, 180, 240, 300),
    "triangle": (90, 210, 330),
}
"""Where a shape has its corners, in degrees from the right, counterclockwise."""

REACH: dict[Shape, float] = {"circle": 1.0, "square": 1.2, "diamond": 1.25, "hexagon": 1.08, "triangle": 1.5}
"""How far the corners lie from the middle, so that all shapes look equally large, by a circle's radius."""

DROP: dict[Shape, float] = {"triangle": 0.22}
"""How far the shape hangs below where its letter stands, by the radius."""


def draw_shape(pen: Pen, shape: Shape, middle: Point, radius: float, fill: str, outline: str, line: float) -> None:
    """A seat's shape with the weight of a circle of this radius; `line` is the outline's width in pixels."""
    if shape == "circle":
        pen.circle(middle, radius, fill, outline=outline, width=line)
        return
    reach = REACH[shape] * radius - line / 2
    x, y = middle[0], middle[1] - DROP.get(shape, 0.0) * radius + (0.3 * radius if shape == "triangle" else 0)
    corners = [
        (x + reach * math.cos(math.radians(angle)), y - reach * math.sin(math.radians(angle)))
        for angle in CORNERS[shape]
    ]
    pen.polygon(corners, fill, outline=outline, width=line)


@cache
def badge(mark: Mark, radius: int, letter_size: int = 0) -> Sprite:
    """The seat's shape in its colour with its letter, as a kept sprite.

    `letter_size` is the letter's in pixels; 0 takes what fits the radius, 24 at least.
    """
    half = math.ceil(radius * 1.6) + 2
    line = max(2.0, radius / 9)
    drawn = sprite(
        2 * half,
        2 * half,
        lambda pen: draw_shape(pen, mark.shape, (half, half), radius, mark.colour, INK, line),
    )
    return lettered(drawn, mark.letter, letter_size or max(24, round(radius * 1.15)), mark.text)


def draw_stroke(pen: Pen, mark: Mark, start: Point, end: Point, width: float, period: float) -> None:
    """A line in the seat's colour and style, edged with ink; `width` is all of it, edges included.

    The pattern repeats every `period` pixels, beginning and ending with half a gap, so that lengths of whole periods
    join without a seam.
    """
    edge = width / 7
    pen.line((start, end), INK, width)
    pen.line((start, end), mark.colour, width - 2 * edge)
    if mark.stroke == "double":
        pen.line((start, end), INK, width * 0.22)
    if mark.stroke in ("dashed", "dotted"):
        for along in _steps(start, end, period):
            if mark.stroke == "dotted":
                pen.circle(_between(start, end, along), width * 0.2, INK)
            else:
                half = period / 6 / math.dist(start, end)
                pen.line(
                    (_between(start, end, along - half), _between(start, end, along + half)), mark.text, width * 0.5
                )


def _steps(start: Point, end: Point, period: float) -> list[float]:
    count = max(1, round(math.dist(start, end) / period))
    return [(step + 0.5) / count for step in range(count)]


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
