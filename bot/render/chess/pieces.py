"""The pieces of Triangulation chess, drawn for this project: a soldier, a tower, a horse and a star.

A piece is filled in its owner's colour and bears the owner's letter. One that has changed hands wears a pin of the
colour it began in, which points the way that this colour goes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from bot.render.canvas import Pen, Point, Sprite, lettered, sprite, write
from bot.render.marks import COLOURS as MARKS
from bot.render.marks import NEUTRAL as NEUTRAL_MARK
from bot.render.marks import Mark
from bot.render.palette import CARD, INK

HALF = 42
"""Half the width and height of a piece's sprite."""
OUTLINE = 5.0
HALO = 10.0
LETTER = 24
"""The size of the letters on pieces, whatever their own size."""

ARMIES: tuple[Mark, ...] = (
    MARKS["red"],
    MARKS["green"],
    MARKS["blue"],
    NEUTRAL_MARK._replace(colour="#D3CBC0", tint="#ECE7E0", text=INK),
)
"""By owner: Red, Green, Blue, neutral."""


class Figure(NamedTuple):
    """A kind's silhouette around (0, 0), 66 pixels high: polygons and discs, and where the letter stands."""

    polygons: Sequence[Sequence[Point]]
    discs: Sequence[tuple[Point, float]]
    letter: Point
    eye: Point | None = None


PLINTH = ((-24, 21), (24, 21), (24, 32), (-24, 32))


def _star(middle: Point, reach: float, inner: float) -> list[Point]:
    return [
        (
            middle[0] + (inner if step % 2 else reach) * math.sin(math.radians(36 * step)),
            middle[1] - (inner if step % 2 else reach) * math.cos(math.radians(36 * step)),
        )
        for step in range(10)
    ]


FIGURES: tuple[Figure, ...] = (
    Figure(
        (PLINTH, ((-9, -10), (9, -10), (19, 22), (-19, 22)), ((-14, -9), (14, -9), (11, -4), (-11, -4))),
        (((0, -20), 13),),
        (0, 10),
    ),
    Figure(
        (
            PLINTH,
            (
                *((-25, -32), (-14, -32), (-14, -24), (-6, -24), (-6, -32), (6, -32), (6, -24), (14, -24)),
                *((14, -32), (25, -32), (25, -13), (18, -8), (18, 22), (-18, 22), (-18, -8), (-25, -13)),
            ),
        ),
        (),
        (0, 5),
    ),
    Figure(
        (
            PLINTH,
            (
                *((20, 22), (23, 6), (20, -10), (12, -23), (3, -28), (0, -35), (-7, -26), (-16, -19)),
                *((-29, -2), (-25, 6), (-17, 5), (-8, -1), (-9, 6), (-15, 13), (-18, 22)),
            ),
        ),
        (),
        (6, 7),
        (-10, -14),
    ),
    Figure(
        (PLINTH, ((-10, 6), (10, 6), (15, 22), (-15, 22)), _star((0, -6), 29, 15.5)),
        (),
        (0, -5),
    ),
)
"""By kind: Infantry, Rukh, Cavalry, General."""

ON_BOARD = 0.9
"""The size of pieces on the board."""


@cache
def piece(kind: int, owner: int, size: float = ON_BOARD) -> Sprite:
    """A piece of a kind in its owner's colour; `size` 1 is 66 pixels high."""
    mark, figure = ARMIES[owner], FIGURES[kind]
    half = math.ceil(HALF * size)

    def draw(pen: Pen) -> None:
        for width, ink in ((HALO, CARD), (OUTLINE, INK), (0.0, mark.colour)):
            _draw_figure(pen, figure, (half, half), size, width * size, ink)
        if figure.eye is not None:
            pen.circle((half + figure.eye[0] * size, half + figure.eye[1] * size), 3 * size, mark.text)

    drawn = sprite(2 * half, 2 * half, draw)
    x, y = drawn.size[0] / 2 + figure.letter[0] * size, drawn.size[1] / 2 + figure.letter[1] * size
    write(drawn.image, x, y, mark.letter, LETTER, mark.text, "middle", bold=True)
    return drawn


def _draw_figure(pen: Pen, figure: Figure, middle: Point, size: float, width: float, ink: str) -> None:
    """The silhouette with a line around it, so many pixels wide, half of them within."""
    x, y = middle
    for polygon in figure.polygons:
        points = [(x + right * size, y + down * size) for right, down in polygon]
        pen.polygon(points, ink, outline=ink if width else None, width=width)
    for (right, down), radius in figure.discs:
        pen.circle((x + right * size, y + down * size), radius * size + width / 2, ink)


PIN = 15
"""The radius of a pin's head."""


@cache
def pin(colour: int, ahead: float) -> Sprite:
    """What a piece that has changed hands wears: a drop with its first colour's letter, which points that colour's way.

    `ahead` is this way, an angle in degrees.
    """
    mark, half = ARMIES[colour], PIN + 14
    along, across = _turned(ahead), _turned(ahead + 90)

    def draw(pen: Pen) -> None:
        for wider, ink in ((4.0, CARD), (2.0, INK), (0.0, mark.colour)):
            tip, foot = (PIN + 8 + wider), PIN * 0.8 + wider
            corners = [(half + along[0] * tip, half + along[1] * tip)]
            corners += [
                (half + along[0] * 5 + sign * across[0] * foot, half + along[1] * 5 + sign * across[1] * foot)
                for sign in (1, -1)
            ]
            pen.polygon(corners, ink)
            pen.circle((half, half), PIN + wider, ink)

    return lettered(sprite(2 * half, 2 * half, draw), mark.letter, LETTER, mark.text)


def _turned(angle: float) -> Point:
    return math.cos(math.radians(angle)), -math.sin(math.radians(angle))
