"""What a game shows of itself: the contract that each game's cog fulfils, beside the rules' own.

A face sees views, never states: whatever it draws or says can hold nothing that the view does not.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from bot.page import Addresses, Page, Row
from bot.words import Words
from rules.game import Event, Game, Refusal


@dataclass(frozen=True)
class RulesPage:
    """One page of a game's rules in the project's own words: a title, a text in markdown, perhaps a picture.

    `draw` makes the picture as a PNG when the page is shown, which is slow; `alt` says in words what it shows.
    """

    title: str
    text: str
    draw: Callable[[], bytes] | None = None
    alt: str = ""


@dataclass(frozen=True)
class Told:
    """What those who are told may know of one action: everybody, or the player who took it.

    `events` are those they may know. `action` is None for leavings and offers, and in games with secrets for everybody.
    """

    seat: int
    kind: str
    action: Any
    events: tuple[Event, ...]


class Drawing(Protocol):
    """What a game's module in `bot/render` offers: the table as the view has it, for everybody or for one seat."""

    def picture(self, view: Any, words: Words, *, names: Sequence[str]) -> bytes:
        """The board as a PNG, from the side of the view's seat. Slow (milliseconds): called in a thread."""

    def alt(self, view: Any, words: Words, names: Sequence[str]) -> str:
        """The picture's description: the position's essentials in at most 256 characters."""

    def as_text(self, view: Any, words: Words, names: Sequence[str]) -> str:
        """The whole board in words, in markdown; it may be longer than one message."""


class Face(ABC):
    """One game's face. Stateless. `names` are the players' names by seat, as plain text."""

    game: ClassVar[Game[Any, Any]]
    drawing: ClassVar[Drawing]
    title: ClassVar[str]
    """The game's name, translatable."""
    summary: ClassVar[str]
    """The game in one sentence, translatable."""
    icon: ClassVar[str]
    """An emoji for its name."""
    colour: ClassVar[int] = 0x3B82A0
    """The accent of its messages."""
    wish: ClassVar[str] = ""
    """What people are asked in the lobby where the game has `wishes`, translatable."""
    secrets: ClassVar[bool] = False
    """Whether players hold secrets, which reach them by direct message and by "My cards"."""

    helps: ClassVar[frozenset[str]] = frozenset()
    """Verbs of the controls by which the game works something out for players; servers can switch them off."""

    # -- The table, for everybody --

    @abstractmethod
    def badge(self, view: Any, words: Words, seat: int) -> str:
        """A short mark that stands before a player's name: an emoji or letter that does not rely on colour alone."""

    @abstractmethod
    def story(self, told: Told, view: Any, words: Words, names: Sequence[str]) -> str | None:
        """What happened, in one short sentence or a few lines; None for what is not worth a word."""

    @abstractmethod
    def status(self, view: Any, words: Words, names: Sequence[str]) -> str:
        """What the table waits for or how it ended, in one sentence. Who is to act is mentioned beside it anyway."""

    @abstractmethod
    def controls(self, view: Any, words: Words, address: Addresses) -> tuple[Row, ...]:
        """The game's own controls on the public message while it goes on: at most three rows."""

    def brought(self, given: Mapping[str, Any], words: Words) -> str | None:
        """What a table brought along from its opening (beside its options), in one line for its lobby."""
        return None

    # -- What moderators hide --

    def veil(self, shown: Any, hidden: Collection[str]) -> Any:
        """A view or an event without the texts of players that a moderator has hidden."""
        return shown

    def beside_text(self, words: Words, address: Addresses, moderates: bool) -> tuple[Row, ...]:
        """Controls below the board in words, which one person sees; `moderates`: who may manage messages there."""
        return ()

    # -- One player's own --

    def hand(self, view: Any, words: Words, names: Sequence[str], address: Addresses) -> Page | None:
        """What only the viewer's seat may know, with its controls: "My cards" and the direct message. Slow."""
        return None

    # -- Words --

    @abstractmethod
    def rules(self, options: Any, words: Words) -> tuple[RulesPage, ...]:
        """The rules as played with these options, the project's readings marked."""

    @abstractmethod
    def refusal(self, refusal: Refusal, words: Words) -> str | None:
        """A refusal of this game's rules as a sentence: what was wrong, what would be right; None: not its own."""
