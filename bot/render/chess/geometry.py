"""Where the triangles of Triangulation chess lie in its pictures: for everybody, and from each player's corner."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

from bot.render.canvas import Point
from rules.chess.board import ALL, BLUE, COLOURS, GREEN, RED, SIDE, TRIANGLES, Colour, Triangle, is_black

UNIT = 112
"""A triangle's side in pixels; even, so that its middle is a whole pixel."""
ROW = 97
"""A triangle's height in pixels."""
TAB = 42
"""How far the labels' tabs reach out beyond the board, along their rows."""
TOP = 278
"""Where the board begins, from the top of the picture."""
MIDDLE = 500
LEAN = 10
"""The tabs reach further out on one side: the board lies so far beside the picture's middle."""

Viewpoint = Colour | None
"""The colour whose corner is at the bottom; None for everybody's view."""


class Place(NamedTuple):
    """A triangle in the picture: its corners, its middle, and whether it points up."""

    corners: tuple[Point, Point, Point]
    middle: Point
    up: bool


@cache
def board_corners(viewpoint: Viewpoint) -> tuple[Point, Point, Point]:
    """Red's, Green's and Blue's corner. Turns run clockwise in every view."""
    half, bottom = SIDE // 2 * UNIT, TOP + SIDE * ROW
    if viewpoint is None:
        x = MIDDLE + LEAN
        return (x - half, bottom), (x, TOP), (x + half, bottom)
    x = MIDDLE - LEAN
    seen = ((x, bottom), (x - half, TOP), (x + half, TOP))
    red, green, blue = (seen[(colour - viewpoint) % 3] for colour in COLOURS)
    return red, green, blue


def point(viewpoint: Viewpoint, rows: tuple[float, float, float]) -> Point:
    """The point so many rows away from each colour's corner; the three add up to twice the board's side."""
    x = y = 0.0
    for (corner_x, corner_y), away in zip(board_corners(viewpoint), rows, strict=True):
        share = 1 - away / SIDE
        x, y = x + share * corner_x, y + share * corner_y
    return x, y


@cache
def places(viewpoint: Viewpoint) -> tuple[Place, ...]:
    """Every triangle's place, by index."""
    return tuple(_place(viewpoint, triangle) for triangle in ALL)


def _place(viewpoint: Viewpoint, triangle: Triangle) -> Place:
    r, g, b = TRIANGLES[triangle]
    black = is_black(triangle)
    # A black triangle touches the rows before it with its corners, a white one with its sides.
    one, two, three = (point(viewpoint, _less(r, g, b, axis, alone=black)) for axis in COLOURS)
    x, y = (sum(corner[axis] for corner in (one, two, three)) / 3 for axis in (0, 1))
    return Place((one, two, three), (x, y), black == (viewpoint is None))


def _less(r: int, g: int, b: int, axis: Colour, *, alone: bool) -> tuple[float, float, float]:
    red, green, blue = (
        row - 1 if (other == axis) == alone else row for other, row in zip(COLOURS, (r, g, b), strict=True)
    )
    return red, green, blue


def side_behind(place: Place, colour: Colour) -> tuple[Point, Point]:
    """The ends of a white triangle's side that is behind, seen from a colour's corner: where its bar is."""
    one, other = (corner for axis, corner in enumerate(place.corners) if axis != colour)
    return one, other


def ahead(viewpoint: Viewpoint, colour: Colour) -> float:
    """Where forward is for a colour: an angle in degrees, counterclockwise from the right."""
    x, y = board_corners(viewpoint)[colour]
    middle_x, middle_y = point(viewpoint, (2 * SIDE / 3,) * 3)
    return round(math.degrees(math.atan2(y - middle_y, middle_x - x)))


# -- The scales ------------------------------------------------------------------------------------------------------

SCALE_ENDS = {RED: BLUE, BLUE: GREEN, GREEN: RED}
"""Each colour's rows are labelled along the side from its corner to this colour's."""


class Tab(NamedTuple):
    """The end of a row, continued beyond the board's side, where its label stands."""

    corners: tuple[Point, Point, Point, Point]
    middle: Point


@cache
def tabs(viewpoint: Viewpoint, colour: Colour) -> tuple[Tab, ...]:
    """The tabs of a colour's rows, 1 to 8."""
    corners = board_corners(viewpoint)
    home, end = corners[colour], corners[SCALE_ENDS[colour]]
    third = corners[next(other for other in COLOURS if other not in (colour, SCALE_ENDS[colour]))]
    length = SIDE * UNIT
    out = ((end[0] - third[0]) / length * TAB, (end[1] - third[1]) / length * TAB)
    found = []
    for row in range(SIDE):
        near, far = between(home, end, row / SIDE), between(home, end, (row + 1) / SIDE)
        outer = [(x + out[0], y + out[1]) for x, y in (far, near)]
        middle = between(between(near, far, 0.5), between(outer[0], outer[1], 0.5), 0.58)
        found.append(Tab((near, far, outer[0], outer[1]), middle))
    return tuple(found)


def between(one: Point, other: Point, share: float) -> Point:
    """The point so far on the way from one to the other."""
    return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share
