"""Games of Triangulation chess for tests: from the opening or a position, with actions as text."""

from __future__ import annotations

from typing import Any, TypeVar

import pytest

from rules.chess import GAME
from rules.chess.board import NAMES, triangles
from rules.chess.moves import reach
from rules.chess.position import read
from rules.chess.state import ChessDeal, ChessOptions, ChessSetup, ChessState
from rules.game import Event, Illegal, Refusal, Step

Refused = TypeVar("Refused", bound=Refusal)

CORNERED = "ggGH1Ω bbGH8β / r / rgb / - / -"
"""The rest of a position in which Green's and Blue's Generals stand in their corners, and Red moves."""


def game(position: str | None = None, seats: int = 3, **options: Any) -> ChessState:
    """A game from a position, or from the opening."""
    return GAME.start(ChessSetup(seats=seats, position=position), ChessOptions.of(options), ChessDeal())


def with_red(pieces: str) -> ChessState:
    """Red to move, with these pieces besides the cornered Generals of Green and Blue."""
    return game(f"{pieces} {CORNERED}")


def step(state: ChessState, text: str) -> Step:
    """What the player to move leads to by this."""
    seat = GAME.to_act(state)[0]
    return GAME.play(state, seat, GAME.parse(state, seat, text))


def after(state: ChessState, *texts: str) -> ChessState:
    """The state after these actions of the players in turn."""
    for text in texts:
        state = step(state, text).state
    return state


def legal(state: ChessState) -> set[str]:
    """The texts of what the player to move may do."""
    return {GAME.text(action) for seat in GAME.to_act(state) for action in GAME.legal(state, seat)}


def legal_from(state: ChessState, start: str) -> set[str]:
    """Of these, what follows the start triangle."""
    return {text.removeprefix(start) for text in legal(state) if text.startswith(start)}


def reached(state: ChessState, start: str) -> set[str]:
    """Where the piece there could move or capture by its own way of moving, safe or not."""
    position = read(state.position)
    triangle = NAMES.index(start)
    piece, mine = position.piece_at(triangle), position.own[position.owner_at(triangle) or 0]
    assert piece is not None
    return {NAMES[target] for target in triangles(reach(triangle, piece, position.occupied, mine))}


def refused(state: ChessState, text: str) -> Illegal:
    """How the player to move is refused this, which can be read."""
    return refused_as(Illegal, state, text)


def refused_as(kind: type[Refused], state: ChessState, text: str) -> Refused:
    """The refusal of this kind that the player to move meets with."""
    with pytest.raises(kind) as caught:
        step(state, text)
    return caught.value


def found(step: Step, kind: type[Event]) -> list[Event]:
    """The events of one kind."""
    return [event for event in step.events if isinstance(event, kind)]


def said(step: Step) -> list[str]:
    """The events as records tell them."""
    events: tuple[Any, ...] = step.events
    return [words for event in events if (words := GAME.said(event)) is not None]
