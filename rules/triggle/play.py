"""Placing bands on a bare board of bits: what is legal, what closes. No players, no pieces.

This is the fast path under the contract, for searching and counting: `Cover` is a position, `place` the next one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Generic, TypeVar

import msgspec

from rules.triggle.board import BAND_PEGS, Line, board

Member = TypeVar("Member")


class Tables(msgspec.Struct, frozen=True):
    """Everything about a board that placing needs, by the number of the band. All sets are integers as bits."""

    all_bands: int
    all_triangles: int
    bits: tuple[int, ...]
    """Per band: itself as a set."""
    segments: tuple[int, ...]
    """Per band: the unit segments it covers."""
    near: tuple[int, ...]
    """Per band: the bands that share a peg with it, itself included."""
    spent: tuple[tuple[int, int, tuple[int, ...]], ...]
    """Per band: where its line's segments begin, their mask, and for every way in which they may be covered the bands
    that would cover nothing new."""
    triangles: tuple[tuple[tuple[int, int], ...], ...]
    """Per band: the triangles at its segments, each as a set and with the set of its sides."""
    sides: tuple[int, ...]
    """Per triangle: the set of its sides."""


class Cover(msgspec.Struct, frozen=True):
    """What lies on the board, as sets: unit segments covered, bands that touch one, bands that can never be placed
    any more, triangles closed; and the bands that are legal now."""

    covered: int
    near: int
    spent: int
    closed: int
    legal: int


@lru_cache(maxsize=8)
def tables(side: int, free: bool) -> Tables:
    """The tables of a board. `free`: a band need not cover a new segment."""
    this = board(side)
    bands = list(this.bands.values())
    triangles = [_set(triangle.segments) for triangle in this.triangles.values()]
    spent = {name: entry for line in this.lines for name, entry in _line_entries(line, list(this.bands), free)}
    return Tables(
        all_bands=(1 << len(bands)) - 1,
        all_triangles=(1 << len(triangles)) - 1,
        bits=tuple(1 << number for number in range(len(bands))),
        segments=tuple(_set(band.segments) for band in bands),
        near=tuple(
            _set(number for number, other in enumerate(bands) if set(band.pegs) & set(other.pegs)) for band in bands
        ),
        spent=tuple(spent[band.name] for band in bands),
        triangles=tuple(
            tuple((1 << number, sides) for number, sides in enumerate(triangles) if sides & _set(band.segments))
            for band in bands
        ),
        sides=tuple(triangles),
    )


def _set(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)


def _line_entries(line: Line, bands: list[str], free: bool) -> Iterable[tuple[str, tuple[int, int, tuple[int, ...]]]]:
    segments = len(line.pegs) - 1
    starts = range(len(line.pegs) - BAND_PEGS + 1)
    names = [f"{line.pegs[start]}-{line.pegs[start + BAND_PEGS - 1]}" for start in starts]
    whole = (1 << (BAND_PEGS - 1)) - 1
    spent = tuple(
        _set(bands.index(name) for start, name in enumerate(names) if pattern >> start & whole == whole)
        for pattern in range(1 << segments)
    )
    entry = (0, 0, (0,)) if free else (line.first_segment, (1 << segments) - 1, spent)
    return [(name, entry) for name in names]


def empty(these: Tables) -> Cover:
    """The board before the first band, which may lie anywhere."""
    return Cover(covered=0, near=0, spent=0, closed=0, legal=these.all_bands)


def place(these: Tables, cover: Cover, band: int) -> Cover:
    """The board with one more band, which must be legal. What is new in `closed` is what the band closed."""
    covered = cover.covered | these.segments[band]
    first_segment, line, spent_by = these.spent[band]
    spent = cover.spent | these.bits[band] | spent_by[covered >> first_segment & line]
    near = cover.near | these.near[band]
    closed = cover.closed
    for triangle, sides in these.triangles[band]:
        if covered & sides == sides:
            closed |= triangle
    return Cover(covered, near, spent, closed, near & ~spent)


def cover_of(these: Tables, bands: Iterable[int]) -> Cover:
    """The board with these bands."""
    cover = empty(these)
    for band in bands:
        cover = place(these, cover, band)
    return cover


class Members(Generic[Member]):
    """The members of sets, from one value per number, eight numbers at a time."""

    def __init__(self, values: Sequence[Member]) -> None:
        self._by_byte = tuple(
            tuple(tuple(value for bit, value in enumerate(eight) if byte >> bit & 1) for byte in range(256))
            for eight in (values[first : first + 8] for first in range(0, len(values), 8))
        )

    def of(self, bits: int) -> list[Member]:
        """The values of the numbers in the set, in order."""
        found: list[Member] = []
        for byte, members in zip(bits.to_bytes(len(self._by_byte), "little"), self._by_byte, strict=True):
            found += members[byte]
        return found


def numbers(bits: int) -> list[int]:
    """The numbers in a small set, in order."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found


def fewest_to_close(these: Tables, cover: Cover) -> int:
    """How many bands the open triangle nearest to closing needs; some triangle must be open.

    A triangle with m uncovered sides needs m bands, since one band covers at most one side of a triangle.
    """
    still_open = numbers(these.all_triangles & ~cover.closed)
    return min((these.sides[triangle] & ~cover.covered).bit_count() for triangle in still_open)
