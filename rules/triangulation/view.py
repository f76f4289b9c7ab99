"""What a seat, or the public, may know of a game, in types that cannot hold more.

`Table` is the same for everybody. `View` adds what its seat alone may know: an Insider's card, choice and clues, and
the ruling they are asked for. No type here holds a clue that is still face down or a message that is not done, but in
the Insider's own fields.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from rules.game import Result
from rules.triangulation.deck import Category, Message
from rules.triangulation.play import due, to_act
from rules.triangulation.state import THREE, Finished, Mission, Proposal, State, Teams, Try, Turn


class Task(StrEnum):
    """What an Insider of the round is at."""

    CHOOSING = "choosing"
    WRITING = "writing"
    DONE = "done"
    """The clues lie face down; the message comes later in the round."""
    GUESSED = "guessed"
    """The message is being guessed."""
    FINISHED = "finished"
    """The message is done, or void."""


class InsiderView(msgspec.Struct, frozen=True):
    """An Insider of the round: seat, side, what they are at, and in casual mode the category once it is chosen.

    `number` is 1 or 2 for the 1st or 2nd Insider, once the clues are down and until the message is done.
    """

    seat: int
    side: int
    task: Task
    number: int | None
    category: Category | None


class Acting(msgspec.Struct, frozen=True):
    """A seat that has something to decide: the kinds of action by their words in records (flip, guess, judge …)."""

    seat: int
    due: tuple[str, ...]


class GuessingView(msgspec.Struct, frozen=True):
    """The message being guessed.

    `clues` hold None for a clue that lies face down. `number` says whose message it is: the 1st Insider's or the 2nd's.
    `proposal` waits for somebody to agree, `ruling` for the Insider; both without text where declining is proposed.
    """

    insider: int
    side: int
    number: int
    clues: tuple[str | None, ...]
    flipped: tuple[int, ...]
    turn: Turn
    must_flip: bool
    opponents: tuple[int, ...]
    teammates: tuple[int, ...]
    tries: tuple[Try, ...]
    proposal: Proposal | None
    ruling: Proposal | None


class Table(msgspec.Struct, frozen=True):
    """What lies open: everybody may know all of it.

    `teams` is empty with three players; then `scores` are by seat, else by team. `left` and `right` are the Insider's
    neighbours with three players, opponent and teammate. `volunteers` may come forward as Insiders. `gone` have left.
    """

    seats: int
    teams: Teams
    scores: tuple[int, ...]
    tokens: int
    casual: bool
    last_chance: bool
    agreed: bool
    language: str
    round: int
    insiders: tuple[InsiderView, ...]
    volunteers: tuple[int, ...]
    guessing: GuessingView | None
    finished: tuple[Finished, ...]
    acting: tuple[Acting, ...]
    left: int | None
    right: int | None
    gone: tuple[int, ...]
    result: Result | None


class OwnMission(msgspec.Struct, frozen=True):
    """What an Insider alone knows: the six messages of their card, which they chose (from 0), their clues."""

    card: tuple[Message, ...]
    chosen: int | None
    clues: tuple[str, str, str] | None

    @property
    def message(self) -> Message | None:
        """The chosen message."""
        return None if self.chosen is None else self.card[self.chosen]


class Ruling(msgspec.Struct, frozen=True):
    """A guess that the Insider is asked to rule on, and the message."""

    guess: str
    guesser: int
    message: Message


class View(msgspec.Struct, frozen=True):
    """What a seat (None: the public) may know: the table, and what is theirs alone."""

    seat: int | None
    table: Table
    mission: OwnMission | None = None
    ruling: Ruling | None = None


def view(state: State, seat: int | None) -> View:
    """The game as that seat, or the public, may know it."""
    at = None if seat is None or seat in state.gone else state.mission_of(seat)
    if at is None:
        return View(seat, _table(state))
    return View(seat, _table(state), _own(state, state.known_mission(at)), _ruling(state, at))


def _own(state: State, mission: Mission) -> OwnMission:
    return OwnMission(state.card(mission).messages, mission.chosen, mission.clues)


def _ruling(state: State, at: int) -> Ruling | None:
    if state.guessing is None or state.guessing.mission != at or state.guessing.ruling is None:
        return None
    asked = state.guessing.ruling
    return None if asked.text is None else Ruling(asked.text, asked.seat, state.message(at))


def _table(state: State) -> Table:
    mission = state.missions[0]
    neighbours = None if state.teams or mission is None else (mission.insider + 1, mission.insider - 1)
    return Table(
        seats=state.seats,
        teams=state.teams,
        scores=state.scores,
        tokens=state.options.tokens,
        casual=state.options.casual,
        last_chance=state.options.last_chance,
        agreed=state.options.lock_in == "agreed",
        language=state.deck.language,
        round=state.round,
        insiders=tuple(
            _insider(state, at, mission) for at, mission in enumerate(state.missions) if mission is not None
        ),
        volunteers=() if state.result else state.volunteers(),
        guessing=_guessing(state),
        finished=state.finished,
        acting=tuple(Acting(seat, due(state, seat)) for seat in to_act(state)),
        left=neighbours and neighbours[0] % THREE,
        right=neighbours and neighbours[1] % THREE,
        gone=state.gone,
        result=state.result,
    )


def _insider(state: State, at: int, mission: Mission) -> InsiderView:
    category = None
    if state.options.casual and mission.chosen is not None:
        category = state.message(at).category
    number = _number(state, at) if at in state.waiting else None
    return InsiderView(mission.insider, state.side_of(mission.insider), _task(state, at, mission), number, category)


def _number(state: State, at: int) -> int:
    """Which of the round's messages a mission's is, counted from 1."""
    return 1 + sum(done.round == state.round for done in state.finished) + state.waiting.index(at)


def _task(state: State, at: int, mission: Mission) -> Task:
    if mission.clues is None:
        return Task.CHOOSING if mission.chosen is None else Task.WRITING
    if at not in state.waiting:
        return Task.FINISHED
    return Task.GUESSED if state.guessing is not None and state.guessing.mission == at else Task.DONE


def _guessing(state: State) -> GuessingView | None:
    guessing = state.guessing
    if guessing is None:
        return None
    mission = state.known_mission(guessing.mission)
    clues = mission.clues or ()
    return GuessingView(
        insider=mission.insider,
        side=state.side_of(mission.insider),
        number=_number(state, guessing.mission),
        clues=tuple(text if clue in guessing.flipped else None for clue, text in enumerate(clues)),
        flipped=guessing.flipped,
        turn=guessing.turn,
        must_flip=guessing.must_flip,
        opponents=state.opponents(guessing.mission),
        teammates=state.teammates(guessing.mission),
        tries=guessing.tries,
        proposal=guessing.proposal,
        ruling=guessing.ruling,
    )
