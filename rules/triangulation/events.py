"""What happens in the word game, as values; who may know of it."""

from __future__ import annotations

from rules.game import Event as AnyEvent
from rules.game import Left
from rules.triangulation.deck import Card, Category


class RoundBegan(AnyEvent, frozen=True, tag="round"):
    """A round began; rounds count from 1."""

    round: int


class InsiderNamed(AnyEvent, frozen=True, tag="insider"):
    """A player is now their team's Insider."""

    seat: int


class CardDrawn(AnyEvent, frozen=True, tag="card"):
    """An Insider drew a card: only they may know which."""

    seat: int
    card: Card

    def audience(self) -> tuple[int, ...]:
        """The Insider alone."""
        return (self.seat,)


class CategoryNamed(AnyEvent, frozen=True, tag="category"):
    """Casual mode: the category of an Insider's message."""

    seat: int
    category: Category


class CluesDown(AnyEvent, frozen=True, tag="done"):
    """An Insider's clues lie face down."""

    seat: int


class ClueFlipped(AnyEvent, frozen=True, tag="clue"):
    """A clue (counted from 0) is open; `seat` is None where it was flipped by itself."""

    seat: int | None
    clue: int
    text: str


class Proposed(AnyEvent, frozen=True, tag="proposes"):
    """A guess was proposed, or declining (None)."""

    seat: int
    text: str | None


class Guessed(AnyEvent, frozen=True, tag="guess"):
    """A guess was locked in, or declined (None); `seat` made or proposed it."""

    seat: int
    text: str | None


class RulingAsked(AnyEvent, frozen=True, tag="ask"):
    """The Insider has to rule."""

    insider: int


class Ruled(AnyEvent, frozen=True, tag="ruled"):
    """A guess was right or wrong."""

    right: bool


class PointScored(AnyEvent, frozen=True, tag="point"):
    """A team (with three players: a seat) scored a point."""

    side: int


class MessageShown(AnyEvent, frozen=True, tag="message"):
    """A message is done or void, and shown to all."""

    insider: int
    text: str


Event = (
    Left
    | RoundBegan
    | InsiderNamed
    | CardDrawn
    | CategoryNamed
    | CluesDown
    | ClueFlipped
    | Proposed
    | Guessed
    | RulingAsked
    | Ruled
    | PointScored
    | MessageShown
)
