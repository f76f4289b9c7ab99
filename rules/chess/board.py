"""The board of Triangulation chess: its 64 triangles, and every table that follows from their geometry.

A triangle is an index from 0 to 63, in the order of its coordinates (r, g, b): its row counted from Red's, Green's
and Blue's corner, 1 to 8 each. Black triangles (r + g + b = 17) lie like the board itself, white ones (18) the other
way round. A set of triangles is an integer, bit n standing for triangle n. Nothing here is typed in but the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Final

Triangle = int
"""An index into `TRIANGLES`."""
Triangles = int
"""A set of triangles, one bit each."""
Colour = int
"""0 Red, 1 Green, 2 Blue; also the player who began with that army, and the coordinate counted from its corner."""
Coordinates = tuple[int, int, int]

RED: Final = 0
GREEN: Final = 1
BLUE: Final = 2
COLOURS: Final = (RED, GREEN, BLUE)
NEUTRAL: Final = 3
"""The owner of an army that nobody plays."""

SIDE: Final = 8
"""The length of the board's sides, in triangles."""
COLUMN_LETTERS: Final = "βΓΔΠΣΦΨΩ"
"""The columns' letters from Blue's corner on. The rulebook gives β, Δ, Σ and Ω; the rest is a reading of it."""
RANK_LETTERS: Final = "ABCDEFGH"

BLACK_SUM: Final = 2 * SIDE + 1
WHITE_SUM: Final = 2 * SIDE + 2

TRIANGLES: Final[tuple[Coordinates, ...]] = tuple(
    (r, g, b)
    for r in range(1, SIDE + 1)
    for g in range(1, SIDE + 1)
    for b in range(1, SIDE + 1)
    if r + g + b in (BLACK_SUM, WHITE_SUM)
)
INDEX: Final[dict[Coordinates, Triangle]] = {place: index for index, place in enumerate(TRIANGLES)}
ALL: Final[range] = range(len(TRIANGLES))
BIT: Final[tuple[Triangles, ...]] = tuple(1 << index for index in ALL)
NAMES: Final[tuple[str, ...]] = tuple(f"{RANK_LETTERS[r - 1]}{g}{COLUMN_LETTERS[b - 1]}" for r, g, b in TRIANGLES)
"""The names, as they are always printed: `F6Σ`."""


def triangles(mask: Triangles) -> Iterator[Triangle]:
    """The triangles of a set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def is_black(triangle: Triangle) -> bool:
    """Whether the triangle lies like the board itself."""
    return sum(TRIANGLES[triangle]) == BLACK_SUM


def _shifted(triangle: Triangle, *changes: tuple[int, int]) -> Triangle | None:
    """The triangle whose coordinates differ by (axis, change) each; None off the board."""
    place = list(TRIANGLES[triangle])
    for axis, change in changes:
        place[axis] += change
    r, g, b = place
    return INDEX.get((r, g, b))


def _mask(*found: Triangle | None) -> Triangles:
    mask = 0
    for triangle in found:
        if triangle is not None:
            mask |= BIT[triangle]
    return mask


# -- Neighbours ----------------------------------------------------------------------------------------------------


def _outward(triangle: Triangle) -> int:
    """+1 for black triangles, −1 for white ones: what crossing a side does to one coordinate."""
    return 1 if is_black(triangle) else -1


def _side_neighbours(triangle: Triangle) -> tuple[Triangle, ...]:
    found = (_shifted(triangle, (axis, _outward(triangle))) for axis in COLOURS)
    return tuple(neighbour for neighbour in found if neighbour is not None)


def _opposite_neighbours(triangle: Triangle) -> tuple[Triangle, ...]:
    sign = _outward(triangle)
    changes = [[(axis, -sign if axis == lone else sign) for axis in COLOURS] for lone in COLOURS]
    found = (_shifted(triangle, *change) for change in changes)
    return tuple(neighbour for neighbour in found if neighbour is not None)


def _beside_neighbours(triangle: Triangle) -> dict[Triangle, Triangle]:
    """The beside triangles, each with its gate: the side-neighbour it shares with this one."""
    gates = {}
    for up, down in permutations(COLOURS, 2):
        beside = _shifted(triangle, (up, 1), (down, -1))
        if beside is not None:
            gate = _shifted(triangle, (up, 1) if is_black(triangle) else (down, -1))
            assert gate is not None, "every beside triangle on the board has its gate there"
            gates[beside] = gate
    return gates


SIDES: Final[tuple[Triangles, ...]] = tuple(_mask(*_side_neighbours(index)) for index in ALL)
"""Over a side."""
OPPOSITES: Final[tuple[Triangles, ...]] = tuple(_mask(*_opposite_neighbours(index)) for index in ALL)
"""Over a corner, straight."""
GATES: Final[tuple[dict[Triangle, Triangle], ...]] = tuple(_beside_neighbours(index) for index in ALL)
"""Over a corner to a beside triangle: beside triangle to its gate."""
BESIDES: Final[tuple[Triangles, ...]] = tuple(_mask(*GATES[index]) for index in ALL)

ROWS: Final[tuple[tuple[Triangles, ...], ...]] = tuple(
    tuple(_mask(*(index for index in ALL if TRIANGLES[index][axis] == row)) for row in range(SIDE + 1))
    for axis in COLOURS
)
"""By colour and number (1 to 8, 0 being empty): the row counted from that colour's corner."""
HOME_ROW: Final = 3
"""Where Infantry stands at the start, may charge from, and returns to after a rescue."""
HOMES: Final[tuple[Triangles, ...]] = tuple(ROWS[colour][HOME_ROW] for colour in COLOURS)
CORNERS: Final[tuple[Triangle, ...]] = tuple(ROWS[colour][1].bit_length() - 1 for colour in COLOURS)
"""Each colour's home corner."""

# -- What depends on what stands on a few triangles: (those triangles, what is reached by what stands on them) -------

Lookup = tuple[Triangles, dict[Triangles, Triangles]]
"""Reached are `table[occupied & watched]`."""


def _subsets(mask: Triangles) -> Iterator[Triangles]:
    subset = mask
    while True:
        yield subset
        if not subset:
            return
        subset = subset - 1 & mask


def _through_gates(free: Triangles, gates: dict[Triangle, Triangle]) -> Lookup:
    """Reached: the free triangles, and those whose gate is open."""
    watched = _mask(*gates.values())
    table = {
        shut: free | _mask(*(target for target, gate in gates.items() if not BIT[gate] & shut))
        for shut in _subsets(watched)
    }
    return watched, table


# General

GENERAL: Final[tuple[Lookup, ...]] = tuple(
    _through_gates(SIDES[index] | OPPOSITES[index], GATES[index]) for index in ALL
)

# Infantry


def _infantry_steps(colour: Colour, triangle: Triangle) -> tuple[Triangle, ...]:
    """One step of an Infantry of this colour: forward over a side; along the far row at its end."""
    others = [axis for axis in COLOURS if axis != colour]
    if is_black(triangle):
        ahead = _shifted(triangle, (colour, 1))
        found = [ahead] if ahead is not None else [_shifted(triangle, (axis, 1)) for axis in others]
    else:
        found = [_shifted(triangle, (axis, -1)) for axis in others]
    return tuple(step for step in found if step is not None)


CHARGE_STEPS: Final = 3


def _reached(colour: Colour, triangle: Triangle, steps: int, occupied: Triangles) -> Triangles:
    """What an Infantry reaches in up to so many steps through empty triangles."""
    reached, edge = 0, {triangle}
    for _ in range(steps):
        edge = {step for start in edge for step in _infantry_steps(colour, start) if not BIT[step] & occupied}
        reached |= _mask(*edge)
    return reached


def _advance(colour: Colour, triangle: Triangle) -> Lookup:
    steps = CHARGE_STEPS if BIT[triangle] & HOMES[colour] else 1
    watched = _reached(colour, triangle, steps, 0)
    return watched, {shut: _reached(colour, triangle, steps, shut) for shut in _subsets(watched)}


def _strike(colour: Colour, triangle: Triangle) -> Lookup:
    """Captures of an Infantry: over a corner, one row forward; along the far row from black to black at its end."""
    row = TRIANGLES[triangle][colour]
    goal = ROWS[colour][row + 1] if row < SIDE else ROWS[colour][row] if is_black(triangle) else 0
    gates = {target: gate for target, gate in GATES[triangle].items() if BIT[target] & goal}
    return _through_gates(OPPOSITES[triangle] & goal, gates)


ADVANCE: Final[tuple[tuple[Lookup, ...], ...]] = tuple(
    tuple(_advance(colour, index) for index in ALL) for colour in COLOURS
)
"""By colour and triangle: where an Infantry moves, charge included."""
STRIKE: Final[tuple[tuple[Lookup, ...], ...]] = tuple(
    tuple(_strike(colour, index) for index in ALL) for colour in COLOURS
)
"""By colour and triangle: what an Infantry attacks. Every gate is a side-neighbour of both ends."""
CHARGE_AT_WILL: Final[tuple[tuple[Triangles, ...], ...]] = tuple(
    tuple(_reached(colour, index, CHARGE_STEPS, 0) for index in ALL) for colour in COLOURS
)
"""By colour and triangle: what a charge would reach on an empty board if it could start anywhere."""


# Cavalry

_LEAPS: Final = ((2, -1), (3, -1), (-2, 1), (-3, 2))
"""Along an axis, and along both others: side and corner in turn, two or three triangles."""


def _cavalry_targets(triangle: Triangle) -> Triangles:
    sign = _outward(triangle)
    found = (
        _shifted(triangle, *((other, sign * (along if other == axis else aside)) for other in COLOURS))
        for axis in COLOURS
        for along, aside in _LEAPS
    )
    return _mask(*found)


CAVALRY: Final[tuple[Triangles, ...]] = tuple(_cavalry_targets(index) for index in ALL)

# Rukh


def _strip(axis: Colour, row: int) -> tuple[Triangle, ...]:
    """A row of triangles from end to end, each sharing a side with the next."""
    up, down = (other for other in COLOURS if other != axis)
    members = triangles(ROWS[axis][row])
    return tuple(sorted(members, key=lambda index: TRIANGLES[index][up] - TRIANGLES[index][down]))


KEPT_LINES: Final = 256
"""How many occupations of one line from one triangle are remembered; real games come back to far fewer."""


class Line(dict[Triangles, Triangles]):
    """What a Rukh reaches along one row from one triangle, by what stands on the rest of the row.

    Worked out when first asked for. Forgotten altogether when full, so that it stays small.
    """

    __slots__ = ("rays",)

    def __init__(self, rays: tuple[tuple[Triangle, ...], tuple[Triangle, ...]]) -> None:
        super().__init__()
        self.rays = rays

    def __missing__(self, occupied: Triangles) -> Triangles:
        if len(self) >= KEPT_LINES:
            self.clear()
        reached = 0
        for ray in self.rays:
            for triangle in ray:
                reached |= BIT[triangle]
                if BIT[triangle] & occupied:
                    break
        self[occupied] = reached
        return reached


def _rays(triangle: Triangle) -> tuple[tuple[tuple[Triangle, ...], tuple[Triangle, ...]], ...]:
    strips = [_strip(axis, TRIANGLES[triangle][axis]) for axis in COLOURS]
    places = [strip.index(triangle) for strip in strips]
    return tuple((strip[:at][::-1], strip[at + 1 :]) for strip, at in zip(strips, places, strict=True))


RAYS: Final = tuple(_rays(index) for index in ALL)
"""By triangle: the two rays of each of its three rows, nearest triangle first."""
LINES: Final[tuple[tuple[tuple[Triangles, Line], ...], ...]] = tuple(
    tuple((_mask(*pair[0], *pair[1]), Line(pair)) for pair in RAYS[index]) for index in ALL
)
"""By triangle: its three rows (without itself), each with what a Rukh reaches there."""
ON_LINES: Final[tuple[Triangles, ...]] = tuple(
    _mask(*(triangle for pair in RAYS[index] for ray in pair for triangle in ray)) for index in ALL
)
"""All that a Rukh reaches on an empty board."""


def slide(triangle: Triangle, occupied: Triangles) -> Triangles:
    """What a Rukh reaches, up to and including the first piece each way."""
    (first, one), (second, two), (third, three) = LINES[triangle]
    return one[occupied & first] | two[occupied & second] | three[occupied & third]


# -- Attacks seen from the attacked triangle -----------------------------------------------------------------------


def _strikers(colour: Colour, target: Triangle, shut: Triangles) -> Triangles:
    """From where Infantry of this colour attacks the target, when these side-neighbours of it are occupied."""
    return _mask(*(start for start in ALL if STRIKE[colour][start][1][shut & STRIKE[colour][start][0]] & BIT[target]))


NEAR: Final[tuple[dict[Triangles, tuple[Triangles, Triangles, Triangles, Triangles]], ...]] = tuple(
    {
        shut: (
            GENERAL[index][1][shut & GENERAL[index][0]],
            _strikers(RED, index, shut),
            _strikers(GREEN, index, shut),
            _strikers(BLUE, index, shut),
        )
        for shut in _subsets(SIDES[index])
    }
    for index in ALL
)
"""By triangle and by what stands over its sides: from where a General, and Red, Green, Blue Infantry attack it."""
APPROACHES: Final[tuple[Triangles, ...]] = tuple(
    _mask(
        *(
            index
            for index in ALL
            for colour in COLOURS
            if (ADVANCE[colour][index][0] | STRIKE[colour][index][1][0]) & BIT[corner]
        )
    )
    for corner in CORNERS
)
"""By colour: from where some Infantry could come onto its corner. Only there can a rescue begin."""
