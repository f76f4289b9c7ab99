"""The board: pegs, bands and triangles of a hexagon, by name and as bits, computed once a side.

A hexagon of the triangular lattice with `side` pegs on each side. Rows are lettered from the top, pegs numbered from
the left. Everything is in the order of its pegs, by row and then number; positions in these orders are the bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import sqrt
from string import ascii_uppercase
from typing import NamedTuple

BAND_PEGS = 4
"""A band lies over four pegs in a straight line."""

DIRECTIONS = ((1, 0), (0, 1), (-1, 1))
"""Steps (q, r) from a peg to the next of a line: to the right, down to the right, down to the left."""


class Peg(NamedTuple):
    """A peg. `q` and `r` are axial coordinates from the middle peg: `q` to the right, `r` down to the right."""

    row: int
    number: int
    q: int
    r: int

    @property
    def name(self) -> str:
        """`C5`: the row's letter and the peg's number."""
        return f"{ascii_uppercase[self.row]}{self.number}"

    @property
    def x(self) -> float:
        """To the right from the middle of the board, in distances between neighbouring pegs."""
        return self.q + self.r / 2

    @property
    def y(self) -> float:
        """Down from the middle of the board, in distances between neighbouring pegs."""
        return self.r * sqrt(3) / 2


@dataclass(frozen=True)
class Band:
    """A place for a band: its four pegs by name, first to last, and its three unit segments."""

    name: str
    pegs: tuple[str, ...]
    segments: tuple[int, ...]


@dataclass(frozen=True)
class Triangle:
    """A unit triangle: its three pegs by name, and its sides as unit segments."""

    name: str
    pegs: tuple[str, str, str]
    segments: tuple[int, ...]


@dataclass(frozen=True)
class Line:
    """A straight line from border to border: its pegs, and the number of its first unit segment.

    Segments are numbered along the lines, so that what is covered of a line is a run of bits.
    """

    pegs: tuple[str, ...]
    first_segment: int


@dataclass(frozen=True)
class Names:
    """Names by number and numbers by name, in the order of the board."""

    bands: tuple[str, ...]
    triangles: tuple[str, ...]
    number: Mapping[str, int]
    """The numbers of the bands."""


@dataclass(frozen=True)
class Board:
    """A board in names, for people and pictures."""

    side: int
    pegs: Mapping[str, Peg]
    """Every peg by name, in order."""
    rows: Mapping[str, tuple[str, ...]]
    """The pegs of every row by its letter."""
    lines: tuple[Line, ...]
    segments: tuple[tuple[str, str], ...]
    """The two pegs of every unit segment."""
    bands: Mapping[str, Band]
    """Every possible band by name, in order."""
    triangles: Mapping[str, Triangle]
    """Every unit triangle by name, in order."""
    other_ends: Mapping[str, Mapping[str, str]]
    """Per peg: the pegs at which a band from there may end, in order, and that band's name."""
    names: Names
    """For states, which hold numbers."""


@lru_cache(maxsize=8)
def board(side: int) -> Board:
    """The board with so many pegs a side; all that games use are 4, 5 and 6."""
    pegs = {peg.name: peg for peg in _pegs(side)}
    at = {(peg.q, peg.r): peg.name for peg in pegs.values()}
    lines = tuple(_lines(pegs, at))
    segments = tuple(pair for line in lines for pair in pairwise(line.pegs))
    bands = sorted(_bands(lines), key=lambda band: _order(pegs, band.pegs))
    triangles = sorted(_triangles(pegs, at, segments), key=lambda triangle: _order(pegs, triangle.pegs))
    return Board(
        side=side,
        pegs=pegs,
        rows={
            ascii_uppercase[row]: tuple(name for name, peg in pegs.items() if peg.row == row)
            for row in range(2 * side - 1)
        },
        lines=lines,
        segments=segments,
        bands={band.name: band for band in bands},
        triangles={triangle.name: triangle for triangle in triangles},
        other_ends={name: _other_ends(name, pegs, bands) for name in pegs},
        names=Names(
            bands=tuple(band.name for band in bands),
            triangles=tuple(triangle.name for triangle in triangles),
            number={band.name: number for number, band in enumerate(bands)},
        ),
    )


def _pegs(side: int) -> Iterator[Peg]:
    for r in range(1 - side, side):
        left, right = max(1 - side, 1 - side - r), min(side - 1, side - 1 - r)
        for q in range(left, right + 1):
            yield Peg(row=r + side - 1, number=q - left + 1, q=q, r=r)


def _order(pegs: Mapping[str, Peg], names: Iterable[str]) -> list[tuple[int, int]]:
    return [(pegs[name].row, pegs[name].number) for name in names]


def _lines(pegs: Mapping[str, Peg], at: Mapping[tuple[int, int], str]) -> Iterator[Line]:
    first_segment = 0
    for dq, dr in DIRECTIONS:
        for peg in pegs.values():
            if (peg.q - dq, peg.r - dr) not in at:
                line = tuple(_walk(peg, dq, dr, at))
                yield Line(line, first_segment)
                first_segment += len(line) - 1


def _walk(peg: Peg, dq: int, dr: int, at: Mapping[tuple[int, int], str]) -> Iterator[str]:
    q, r = peg.q, peg.r
    while (q, r) in at:
        yield at[q, r]
        q, r = q + dq, r + dr


def _bands(lines: Iterable[Line]) -> Iterator[Band]:
    for line in lines:
        for start in range(len(line.pegs) - BAND_PEGS + 1):
            pegs = line.pegs[start : start + BAND_PEGS]
            first = line.first_segment + start
            yield Band(f"{pegs[0]}-{pegs[-1]}", pegs, tuple(range(first, first + BAND_PEGS - 1)))


def _triangles(
    pegs: Mapping[str, Peg], at: Mapping[tuple[int, int], str], segments: tuple[tuple[str, str], ...]
) -> Iterator[Triangle]:
    number = {frozenset(pair): segment for segment, pair in enumerate(segments)}
    for name, peg in pegs.items():
        right, below_left, below = (at.get((peg.q + dq, peg.r + dr)) for dq, dr in ((1, 0), (-1, 1), (0, 1)))
        for second, third in ((below_left, below), (right, below)):
            if second is not None and third is not None:
                sides = ((name, second), (second, third), (name, third))
                names = (name, second, third)
                yield Triangle("+".join(names), names, tuple(number[frozenset(pair)] for pair in sides))


def _other_ends(name: str, pegs: Mapping[str, Peg], bands: Iterable[Band]) -> dict[str, str]:
    ends = {band.pegs[0] if band.pegs[-1] == name else band.pegs[-1]: band.name for band in bands if _ends(band, name)}
    return {end: ends[end] for end in pegs if end in ends}


def _ends(band: Band, name: str) -> bool:
    return name in (band.pegs[0], band.pegs[-1])
