"""The legal actions as choices one after the other: a piece, where it goes, and with a rescue whom and where to.

Castling is the General going to the Rukh's triangle. Every function keeps the order of the actions it is given.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules.chess.actions import ChessAction, Pass, Rescue
from rules.chess.board import Triangle


def starts(actions: Iterable[ChessAction]) -> tuple[Triangle, ...]:
    """The triangles of the pieces that can move; none if there is nothing but to pass."""
    return tuple(dict.fromkeys(action.start for action in actions if not isinstance(action, Pass)))


def targets(actions: Iterable[ChessAction], start: Triangle) -> tuple[Triangle, ...]:
    """Where the piece there can go."""
    return tuple(
        dict.fromkeys(action.target for action in actions if not isinstance(action, Pass) and action.start == start)
    )


def ways(actions: Iterable[ChessAction], start: Triangle, target: Triangle) -> tuple[ChessAction, ...]:
    """What going there can be: one action, or one without and several with a rescue."""
    there = (start, target)
    return tuple(
        action for action in actions if not isinstance(action, Pass) and (action.start, action.target) == there
    )


def rescues(actions: Iterable[ChessAction], start: Triangle, target: Triangle) -> dict[tuple[int, int], list[Rescue]]:
    """The rescues in going there, by the prisoner's colour and kind; they differ in where the Infantry go."""
    found: dict[tuple[int, int], list[Rescue]] = {}
    for action in ways(actions, start, target):
        if isinstance(action, Rescue):
            found.setdefault((action.colour, action.kind), []).append(action)
    return found
