"""Triangulation chess: three armies on 64 triangles."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from rules import game
from rules.chess import actions, moves, play, position, state, text, view
from rules.chess.actions import ChessAction, ChessEvent
from rules.chess.explain import why_not
from rules.chess.robot import Robot
from rules.chess.state import (
    COLOUR_NAMES,
    ChessDeal,
    ChessOptions,
    ChessSetup,
    ChessState,
    colours_of,
    legal_actions,
    position_of,
)
from rules.chess.view import ChessView
from rules.game import BadHeader, Game, Header, Open, Result, Seating, Step

POSITION = "Position"
"""The header of a record that starts elsewhere than usual."""


class Chess(Game[ChessState, ChessAction]):
    """Triangulation chess, for two and three players."""

    key = "chess"
    version = 1
    seats = range(2, 4)
    chance = ()
    perft_seats = 3
    Options: ClassVar[type[game.Options]] = ChessOptions
    Setup: ClassVar[type[game.Setup]] = ChessSetup
    Deal: ClassVar[type[game.Deal]] = ChessDeal
    State = ChessState
    Action = ChessAction
    Event = ChessEvent
    Robot = Robot

    # -- Before the game --

    def wishes(self, players: int, options: ChessOptions) -> Mapping[str, str]:
        """The colours that so many people choose from."""
        names = list(COLOUR_NAMES.items())
        return dict(names[colour] for colour in colours_of(players, options))

    def seating(
        self, wishes: Sequence[str | None], options: ChessOptions, given: Mapping[str, Any], rng: random.Random
    ) -> Seating:
        """Everybody at the colour they wish for, the others by lot. Raises `BadHeader` for wishes that clash."""
        colours = list(self.wishes(len(wishes), options))
        wished = [wish for wish in wishes if wish is not None]
        if len(set(wished)) < len(wished) or not set(wished) <= set(colours):
            raise BadHeader("colours", wishes=tuple(wished), colours=tuple(colours))
        rest = [person for person, wish in enumerate(wishes) if wish is None]
        rng.shuffle(rest)
        order = tuple(wishes.index(colour) if colour in wished else rest.pop() for colour in colours)
        return Seating(order, ChessSetup(seats=len(wishes), **given))

    def seats_with(self, options: ChessOptions, given: Mapping[str, Any]) -> tuple[int, ...]:
        """From a position, as many as its game has: whoever came beside them would be out of it at once."""
        found = super().seats_with(options, given)
        return found if given.get("position") is None else found[:1]

    def deal(self, setup: ChessSetup, options: ChessOptions, rng: random.Random) -> ChessDeal:
        """Nothing is left to chance."""
        return ChessDeal()

    def start(self, setup: ChessSetup, options: ChessOptions, deal: ChessDeal) -> ChessState:
        """The opening, or the setup's position. Raises `BadHeader` for a position that cannot be."""
        if setup.seats not in self.seats:
            raise BadHeader("seats", header="Seats", value=setup.seats, seats=tuple(self.seats))
        return play.start(setup.seats, options, setup.position)

    # -- Playing --

    def to_act(self, state: ChessState) -> tuple[int, ...]:
        """The seat whose turn it is."""
        return () if state.ending else (state.colours.index(position_of(state).turn),)

    def legal(self, state: ChessState, seat: int) -> Sequence[ChessAction]:
        """Every legal action, by its text."""
        return legal_actions(state) if seat in self.to_act(state) else ()

    def play(self, state: ChessState, seat: int, action: ChessAction) -> Step:
        """Play an action. Raises `GameOver`, `NotYourTurn`, or `Illegal` with a rule of `rules.chess.explain`."""
        self.refuse_out_of_turn(state, seat)
        if action not in legal_actions(state):
            raise why_not(position_of(state), action)
        return play.play(state, action)

    def leave(self, state: ChessState, seat: int) -> Step:
        """The seat's army becomes neutral. Raises `GameOver`, `Illegal("left")`, `Illegal("out")`."""
        return play.leave(state, seat)

    def offer_draw(self, state: ChessState, seat: int) -> Step:
        """Offer or accept a draw. Raises `GameOver`, `Illegal("left")`, `Illegal("out")`, `Illegal("offered")`."""
        return play.offer_draw(state, seat)

    def result(self, state: ChessState) -> Result | None:
        """Who won, or between whom it is a draw; None while the game goes on."""
        return _result_of(state)

    def view(self, state: ChessState, seat: int | None) -> ChessView:
        """The whole game, from a seat's side of the board or nobody's."""
        return view.view_of(state, seat)

    def perft(self, state: ChessState, depth: int) -> int:
        """How many sequences of `depth` legal actions there are from here."""
        if state.options.quiet_limit or state.options.repetition or state.ending:
            return super().perft(state, depth)
        return moves.perft(position_of(state).copy(), depth)

    # -- Text --

    def parse(self, state: ChessState, seat: int, text: str) -> ChessAction:
        """The legal action that a text means. Raises `Unreadable`, `Ambiguous`, `Illegal`; `NotYourTurn`, `GameOver`.

        The rules of `Illegal` and their facts are listed in `rules.chess.explain`. `Unreadable` has the rules
        `not_on_board` (facts: triangle, rank, file, the `columns` that go with both, the `files` that go with the
        rank), `triangle` and `action` (text).
        """
        self.refuse_out_of_turn(state, seat)
        return _parse(position_of(state), legal_actions(state), text)

    def text(self, action: ChessAction | Open) -> str:
        """The canonical text."""
        assert not isinstance(action, Open), "chess has no free-text actions"
        return actions.text_of(action)

    def said(self, event: ChessEvent) -> str | None:
        """The event in a record's words; None for what records do not tell."""
        return actions.said(event)

    def headers(self, setup: ChessSetup, deal: ChessDeal) -> tuple[Header, ...]:
        """The start position, where it is not the usual one."""
        return () if setup.position is None else (Header(POSITION, setup.position),)

    def read_headers(self, seats: int, options: ChessOptions, lines: Sequence[Header]) -> tuple[ChessSetup, ChessDeal]:
        """Setup, its position in canonical text, and deal. Raises `BadHeader`."""
        found = [line for line in lines if line.name == POSITION]
        if len(found) > 1:
            raise BadHeader("twice", header=POSITION).at(found[1].line)
        text = position.read(found[0].value).text() if found else None
        return ChessSetup(seats=seats, position=text), ChessDeal()


_parse, _result_of = text.parse, state.result_of
"""By other names inside the class, where parameters are called `text` and `state`."""

GAME = Chess()
"""The game."""
