"""The word game's options, setup, deal and state, and who sits with and against whom."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec

from rules.game import ON_OFF, Result, Variant, translatable
from rules.game import Deal as AnyDeal
from rules.game import Options as AnyOptions
from rules.game import Setup as AnySetup
from rules.triangulation.deck import EXAMPLES, Card, Category, Deck, Message

THREE = 3
"""The number of players who play each for themselves."""
FEWEST_IN_TEAM = 2

_TEAM_SEATS = tuple(range(4, 21))


class Options(AnyOptions, frozen=True):
    """The variants, in the order of the rules sheet."""

    tokens: Annotated[
        int,
        Variant(translatable("Tokens"), translatable("How many points win the game."), numbers=range(2, 9)),
    ] = 4
    casual: Annotated[
        bool,
        Variant(
            translatable("Casual"), translatable("The category of every chosen message is announced."), choices=ON_OFF
        ),
    ] = False
    last_chance: Annotated[
        bool,
        Variant(
            translatable("Last chance"),
            translatable("When the teammates fail, the opponents must guess once more to score."),
            choices=ON_OFF,
        ),
    ] = False
    insider: Annotated[
        str,
        Variant(
            translatable("Insider"),
            translatable("How each team finds its Insider for a round."),
            choices={"rotate": translatable("in turn"), "volunteer": translatable("whoever comes forward first")},
            seats=_TEAM_SEATS,
        ),
    ] = "rotate"
    lock_in: Annotated[
        str,
        Variant(
            translatable("Locking in"),
            translatable("Whether one player can lock in the team's guess or another must agree."),
            choices={"anyone": translatable("by anyone"), "agreed": translatable("when another agrees")},
            seats=_TEAM_SEATS,
        ),
    ] = "anyone"
    judging: Annotated[
        str,
        Variant(
            translatable("Judging"),
            translatable("Who rules on a guess that is not clearly right."),
            choices={"insider": translatable("the Insider"), "strict": translatable("nobody: it is wrong")},
        ),
    ] = "insider"


Teams = tuple[tuple[int, ...], ...]
"""The seats of the two teams, each ascending; empty with three players."""


class Setup(AnySetup, frozen=True, kw_only=True):
    """The teams, and the deck. The order of the deck's cards means nothing: the deal is the order.

    Without teams, seats belong to the two teams by turns.
    """

    teams: Teams = ()
    deck: Deck = EXAMPLES

    @property
    def sides(self) -> Teams:
        """The two teams; with three players nothing."""
        if self.seats == THREE or self.teams:
            return self.teams
        return tuple(tuple(range(first, self.seats, 2)) for first in (0, 1))


class Deal(AnyDeal, frozen=True, kw_only=True):
    """The order of the cards (places in the setup's deck); with three players also the first Insider."""

    order: tuple[int, ...]
    first: int | None = None


# -- A message on its way ------------------------------------------------------------------------------------------


class Mission(msgspec.Struct, frozen=True):
    """An Insider's message in a round: the card (its place in the pile), the message chosen from it, the clues."""

    insider: int
    card: int
    chosen: int | None = None
    clues: tuple[str, str, str] | None = None


class Turn(StrEnum):
    """Whose guess of a message it is."""

    OPPONENTS = "opponents"
    TEAMMATES = "teammates"
    LAST_CHANCE = "last_chance"


class Try(msgspec.Struct, frozen=True):
    """A guess, or a declined one (None), and the verdict; None where the message was void before the ruling."""

    seat: int
    turn: Turn
    text: str | None
    right: bool | None


class Proposal(msgspec.Struct, frozen=True):
    """A guess that somebody proposes or that waits for the Insider's ruling; declining has no text."""

    seat: int
    text: str | None


class Guessing(msgspec.Struct, frozen=True):
    """The message being guessed: whose (an index of the round's missions), the clues open (in the order they were
    flipped), whose turn it is, whether they have to flip a clue first, and the guesses."""

    mission: int
    flipped: tuple[int, ...] = ()
    turn: Turn = Turn.OPPONENTS
    must_flip: bool = True
    tries: tuple[Try, ...] = ()
    proposal: Proposal | None = None
    ruling: Proposal | None = None


class Outcome(StrEnum):
    """How a message ended."""

    INTERCEPTED = "intercepted"
    RECEIVED = "received"
    LOST = "lost"
    """Nobody was right: a point for the opponents."""
    NOBODY = "nobody"
    """Last chance, and nobody was right: no point."""
    VOID = "void"
    """Its Insider left."""


class Finished(msgspec.Struct, frozen=True):
    """A message that is done or void: public in whole. `side` is its team, with three players its Insider's seat."""

    round: int
    insider: int
    side: int
    message: str
    category: Category
    clues: tuple[str, str, str]
    flipped: tuple[int, ...]
    tries: tuple[Try, ...]
    outcome: Outcome
    scorers: tuple[int, ...]


# -- The state -----------------------------------------------------------------------------------------------------


class State(msgspec.Struct, frozen=True):
    """Everything about a game.

    `deck` is the pile in the order of the deal, `drawn` how many cards were drawn from it. `missions` holds one mission
    a team (with three players: one), None where a volunteer is still to come. `waiting` are the missions whose clues
    are down and whose message is not done, in the order in which they are guessed; `guessing` is the first of them
    once all clues are down. `last` are the last Insiders of each mission's side.
    """

    options: Options
    seats: int
    teams: Teams
    deck: Deck
    scores: tuple[int, ...]
    last: tuple[int | None, ...]
    missions: tuple[Mission | None, ...]
    round: int = 1
    drawn: int = 0
    waiting: tuple[int, ...] = ()
    guessing: Guessing | None = None
    finished: tuple[Finished, ...] = ()
    gone: tuple[int, ...] = ()
    result: Result | None = None

    @property
    def sides(self) -> Teams:
        """The seats that score together: teams, or single seats."""
        return self.teams or tuple((seat,) for seat in range(self.seats))

    def present(self, side: int) -> tuple[int, ...]:
        """The seats of a side that have not left."""
        return tuple(seat for seat in self.sides[side] if seat not in self.gone)

    def side_of(self, seat: int) -> int:
        """The side that a seat scores with."""
        return next(side for side, seats in enumerate(self.sides) if seat in seats)

    def mission_of(self, seat: int) -> int | None:
        """The mission of which the seat is the Insider this round."""
        return next((at for at, mission in enumerate(self.missions) if mission and mission.insider == seat), None)

    def known_mission(self, at: int) -> Mission:
        """A mission that has its Insider."""
        mission = self.missions[at]
        assert mission is not None, "only a side without an Insider has no mission"
        return mission

    def message(self, at: int) -> Message:
        """The message of a mission whose Insider has chosen."""
        mission = self.known_mission(at)
        assert mission.chosen is not None, "the Insider has chosen"
        return self.card(mission).messages[mission.chosen]

    def card(self, mission: Mission) -> Card:
        """The card of a mission."""
        return self.deck.cards[mission.card]

    def opponents(self, at: int) -> tuple[int, ...]:
        """Who may intercept a mission's message: the other team, with three players the next seat (left)."""
        if self.teams:
            return self.present(1 - at)
        return ((self.known_mission(at).insider + 1) % THREE,)

    def teammates(self, at: int) -> tuple[int, ...]:
        """Whom a mission's message is for: the rest of the team, with three players the seat before (right)."""
        insider = self.known_mission(at).insider
        if self.teams:
            return tuple(seat for seat in self.present(at) if seat != insider)
        return ((insider - 1) % THREE,)

    def guessers(self) -> tuple[int, ...]:
        """Who may flip or guess now; nobody while no message is being guessed."""
        if self.guessing is None:
            return ()
        at = self.guessing.mission
        return self.teammates(at) if self.guessing.turn is Turn.TEAMMATES else self.opponents(at)

    def volunteers(self) -> tuple[int, ...]:
        """Who may come forward as an Insider: the members of a team without one, but not the last Insider."""
        return tuple(
            seat
            for side, mission in enumerate(self.missions)
            if mission is None
            for seat in self.present(side)
            if seat != self.last[side]
        )

    def clues_outstanding(self) -> bool:
        """Whether an Insider is still to be found, or to choose or write."""
        return any(mission is None or mission.clues is None for mission in self.missions)

    def must_agree(self) -> bool:
        """Whether a guess needs a second person: agreed guesses, and somebody to agree."""
        return self.options.lock_in == "agreed" and len(self.guessers()) > 1
