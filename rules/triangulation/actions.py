"""What players of the word game can do, and the two free-text actions as patterns."""

from __future__ import annotations

import random
from dataclasses import dataclass

import msgspec

from rules.game import Open
from rules.triangulation.clues import faults
from rules.triangulation.deck import Message
from rules.triangulation.language import LANGUAGES

CLUE_NAMES = "ABC"
"""The letters on the three clue boards."""


class Volunteer(msgspec.Struct, frozen=True, tag="insider"):
    """Come forward as the team's Insider of this round."""


class Choose(msgspec.Struct, frozen=True, tag="choose"):
    """Choose one of the card's six messages, counted from 0."""

    message: int


class Clues(msgspec.Struct, frozen=True, tag="clues"):
    """Lay down the three clues, for good."""

    texts: tuple[str, str, str]


class Flip(msgspec.Struct, frozen=True, tag="flip"):
    """Flip a clue, counted from 0."""

    clue: int


class Guess(msgspec.Struct, frozen=True, tag="guess"):
    """Guess the message, or propose the guess where guesses have to be agreed."""

    text: str


class Agree(msgspec.Struct, frozen=True, tag="agree"):
    """Agree to the guess, or to declining, that somebody else proposed."""


class Pass(msgspec.Struct, frozen=True, tag="pass"):
    """Decline to guess, or propose to."""


class Judge(msgspec.Struct, frozen=True, tag="judge"):
    """The Insider's ruling on a guess."""

    right: bool


Action = Volunteer | Choose | Clues | Flip | Guess | Agree | Pass | Judge

SAMPLE_CLUES = ("Ka-POW!", "Farm", "$$$", "Yellow", "1789", "Far away", "Reindeer", "Tea", "木", "Sea", "Wheel", "Old")
SAMPLE_GUESSES = ("Robin Hood", "The Beatles", "Pepsi", "Woodstock", "Rudolph", "The Bible", "batman", "孫悟空")


@dataclass(frozen=True)
class AnyClues(Open):
    """Three clues, any that the message allows. Stands only in the legal actions of the Insider, who knows it."""

    message: Message
    language: str

    @property
    def text(self) -> str:
        """As lists of legal actions write it."""
        return "clues …"

    def sample(self, rng: random.Random) -> Clues:
        """Three clues that are legal."""
        language = LANGUAGES[self.language]
        first, second, third = rng.sample(
            [clue for clue in SAMPLE_CLUES if not faults([clue], self.message, language)], 3
        )
        return Clues((first, second, third))


@dataclass(frozen=True)
class AnyGuess(Open):
    """A guess, any text."""

    @property
    def text(self) -> str:
        """As lists of legal actions write it."""
        return "guess …"

    def sample(self, rng: random.Random) -> Guess:
        """Some guess."""
        return Guess(rng.choice(SAMPLE_GUESSES))
