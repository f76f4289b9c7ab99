"""The icons of the ten cards, drawn with shapes in a square of 100 by 100 around the middle."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from bot.render.canvas import Pen, Point
from bot.render.palette import CARD, INK


class Stencil:
    """Draws in hundredths of a square that lies with its middle somewhere on a sprite, `size` pixels wide."""

    def __init__(self, pen: Pen, middle: Point, size: float) -> None:
        self._pen = pen
        self._x, self._y = middle[0] - size / 2, middle[1] - size / 2
        self._unit = size / 100

    def shape(self, points: Sequence[Point], fill: str, edge: float = 5) -> None:
        """A polygon with an edge of ink."""
        self._pen.polygon([self._at(p) for p in points], fill, outline=INK, width=edge * self._unit)

    def plain(self, points: Sequence[Point], fill: str) -> None:
        """A polygon without an edge."""
        self._pen.polygon([self._at(p) for p in points], fill)

    def line(self, points: Sequence[Point], width: float = 6, colour: str = INK) -> None:
        """A line with round ends."""
        self._pen.line([self._at(p) for p in points], colour, width * self._unit)

    def disc(self, middle: Point, radius: float, fill: str, edge: float = 5) -> None:
        """A disc with an edge of ink."""
        self._pen.circle(self._at(middle), radius * self._unit, fill, outline=INK, width=edge * self._unit)

    def box(self, left: float, top: float, right: float, bottom: float, radius: float, fill: str) -> None:
        """A rectangle with round corners and an edge of ink."""
        corners = (*self._at((left, top)), *self._at((right, bottom)))
        self._pen.rounded(corners, radius * self._unit, fill, outline=INK, width=5 * self._unit)

    def _at(self, point: Point) -> Point:
        return self._x + point[0] * self._unit, self._y + point[1] * self._unit


def _glass(stencil: Stencil, colour: str) -> None:
    """0, the hostess: a cocktail glass."""
    stencil.line([(50, 56), (50, 88)], 7)
    stencil.line([(30, 90), (70, 90)], 8)
    stencil.shape([(16, 20), (84, 20), (50, 60)], CARD)
    stencil.plain([(30, 33), (70, 33), (50, 57)], colour)
    stencil.line([(58, 34), (76, 6)], 5)
    stencil.disc((55, 38), 8, CARD, 4)


def _cross(stencil: Stencil, colour: str) -> None:
    """1, the doctor: a cross between two arrows that run round it."""
    arms = [(38, 14), (62, 14), (62, 38), (86, 38), (86, 62), (62, 62)]
    arms += [(62, 86), (38, 86), (38, 62), (14, 62), (14, 38), (38, 38)]
    stencil.shape(arms, colour)
    stencil.line([(50, 36), (50, 64)], 7, CARD)
    stencil.line([(36, 50), (64, 50)], 7, CARD)


def _dagger(stencil: Stencil, colour: str) -> None:
    """2, the killer: a dagger."""
    stencil.shape([(50, 96), (39, 78), (39, 38), (61, 38), (61, 78)], CARD)
    stencil.line([(50, 44), (50, 80)], 3)
    stencil.box(42, 8, 58, 36, 5, colour)
    stencil.box(24, 28, 76, 42, 7, colour)
    stencil.disc((50, 8), 8, colour, 4)


def _cap(stencil: Stencil, colour: str) -> None:
    """3, the teacher: a square academic cap."""
    stencil.shape([(26, 48), (74, 48), (74, 72), (50, 82), (26, 72)], colour)
    stencil.shape([(4, 40), (50, 18), (96, 40), (50, 62)], colour)
    stencil.line([(50, 40), (86, 48), (86, 72)], 5)
    stencil.disc((86, 76), 7, CARD, 4)


def _hand(stencil: Stencil, colour: str) -> None:
    """4, the Liu Syndicate: an open hand with an eye in its palm."""
    fingers = (((30, 52), (22, 24)), ((43, 46), (40, 12)), ((57, 46), (60, 12)), ((70, 52), (78, 26)))
    thumb = ((32, 78), (10, 58))
    for width, shade in ((17, INK), (8, colour)):
        for bone in (*fingers, thumb):
            stencil.line(bone, width, shade)
    stencil.box(22, 44, 78, 96, 22, colour)
    for start, end in (*fingers, thumb):
        stencil.line(((start[0] * 0.8 + end[0] * 0.2, start[1] * 0.8 + end[1] * 0.2), start), 8, colour)
    stencil.shape([(30, 70), (40, 61), (60, 61), (70, 70), (60, 79), (40, 79)], CARD, 4)
    stencil.disc((50, 70), 7, INK)


def _coins(stencil: Stencil, colour: str) -> None:
    """5, the capitalist: two stacks of coins, for two calls."""
    for left, count in ((8, 4), (54, 3)):
        for coin in range(count):
            top = 76 - 16 * coin
            stencil.box(left, top, left + 40, top + 17, 8, colour)
    stencil.disc((74, 22), 16, CARD)
    stencil.line([(67, 22), (81, 22)], 4)
    stencil.line([(74, 15), (74, 29)], 4)


def _lens(stencil: Stencil, colour: str) -> None:
    """6, the journalist: a magnifying glass."""
    stencil.line([(64, 64), (90, 90)], 19)
    stencil.line([(66, 66), (89, 89)], 9, colour)
    stencil.disc((42, 42), 36, colour, 5)
    stencil.disc((42, 42), 26, CARD, 4)
    stencil.line([(29, 40), (36, 30), (45, 27)], 5)


def _temple(stencil: Stencil, colour: str) -> None:
    """7, the politician: a house of parliament."""
    stencil.shape([(8, 36), (50, 8), (92, 36)], colour)
    for left in (17, 43, 69):
        stencil.box(left, 40, left + 14, 80, 2, CARD)
    stencil.box(8, 78, 92, 93, 4, colour)
    stencil.line([(43, 26), (57, 26)], 5, CARD)
    stencil.line([(50, 19), (50, 33)], 5, CARD)


def _case(stencil: Stencil, colour: str) -> None:
    """8, the bureaucrat: a briefcase with a minus on its lock."""
    stencil.box(34, 14, 66, 40, 8, CARD)
    stencil.box(6, 30, 94, 88, 10, colour)
    stencil.line([(8, 52), (92, 52)], 5)
    stencil.box(32, 42, 68, 66, 6, CARD)
    stencil.line([(41, 54), (59, 54)], 6)


def _star(stencil: Stencil, colour: str) -> None:
    """9, the detective: a sheriff's star."""
    points = []
    for corner in range(12):
        radius, angle = (46 if corner % 2 == 0 else 26), math.radians(30 * corner - 90)
        points.append((50 + radius * math.cos(angle), 50 + radius * math.sin(angle)))
    stencil.shape(points, colour)
    for tip in points[::2]:
        stencil.disc(tip, 6, colour, 4)
    stencil.disc((50, 50), 16, CARD, 4)
    stencil.disc((50, 50), 5, INK)


ICONS: tuple[Callable[[Stencil, str], None], ...] = (
    _glass,
    _cross,
    _dagger,
    _cap,
    _hand,
    _coins,
    _lens,
    _temple,
    _case,
    _star,
)
"""By the card's digit: draws its icon in a colour."""
