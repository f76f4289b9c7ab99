"""Judging a guess, as far as a program can: which guesses are right without asking the Insider."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from rapidfuzz.distance import OSA

from rules.triangulation.deck import Deck, Message
from rules.triangulation.numerals import digits_in, roman_in

LETTERS_A_SLIP = 7
"""One slip in typing is forgiven for so many characters of the normalised message or form."""


def is_clearly_right(guess: str, message: Message, deck: Deck) -> bool:
    """Whether a guess is right without asking: the message or one of its forms, or a slip of one of these.

    Everything else is for the Insider to rule, or wrong where judging is strict. `deck` is the pile of the game: a
    slip that makes another message of it is not right.
    """
    language = deck.tongue
    key = language.key_of(guess)
    if any(key == language.key_of(name) for name in message.names):
        return True
    if not language.forgives_slips or _messages_named(deck).get(key, frozenset()) - {language.key_of(message.text)}:
        return False
    words = [word.normal for word in language.words(guess)]
    return any(_is_slip(words, [word.normal for word in language.words(name)]) for name in message.names)


@lru_cache(maxsize=64)
def _messages_named(deck: Deck) -> dict[str, frozenset[str]]:
    """Which messages of a pile (normalised) go by a normalised name."""
    named: dict[str, frozenset[str]] = {}
    for card in deck.cards:
        for message in card.messages:
            for name in message.names:
                key = deck.tongue.key_of(name)
                named[key] = named.get(key, frozenset()) | {deck.tongue.key_of(message.text)}
    return named


def _is_slip(guess: Sequence[str], name: Sequence[str]) -> bool:
    """Whether the guess (normalised words) is the name with a few slips in typing."""
    typed, meant = "".join(guess), "".join(name)
    slips = OSA.distance(typed, meant)
    return (
        slips <= len(meant) // LETTERS_A_SLIP
        and digits_in(typed) == digits_in(meant)
        and roman_in(guess) == roman_in(name)
        and not _is_part(guess, name, slips)
        and not _is_part(name, guess, slips)
    )


def _is_part(some: Sequence[str], words: Sequence[str], slips: int) -> bool:
    """Whether `some` are only some of the words, or nearer to the words without one of them than to all of them."""
    if Counter(some) < Counter(words):
        return True
    typed = "".join(some)
    shorter = ("".join([*words[:at], *words[at + 1 :]]) for at in range(len(words)))
    return len(words) > 1 and any(OSA.distance(typed, rest) < slips for rest in shorter)
