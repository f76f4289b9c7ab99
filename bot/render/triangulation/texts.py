"""What people wrote, as plain text: clues and guesses that cannot mention, link, format, or hide what they are."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Collection
from typing import Any

from msgspec.structs import replace

from bot.words import Words
from rules.triangulation.characters import is_formless
from rules.triangulation.events import ClueFlipped, Guessed, Proposed
from rules.triangulation.state import Finished, Proposal, Try
from rules.triangulation.view import GuessingView, View

HIDDEN = "\0"
"""Stands in a view for a text that a moderator has hidden. No clue or guess can hold this character."""

MOST_MARKS = 2
"""Combining marks that one letter may carry; more would climb into the lines around."""

_BOX = "□"
_JOINERS = "\u200d\ufe0f"
"""What emoji are put together with."""
_MARKDOWN = re.compile(r"([\\`*_~|<>\[\]()#:@])")


def cleaned(text: str) -> str:
    """The text on one line, without characters that have no form or turn what is around them."""
    composed = unicodedata.normalize("NFC", text)
    kept = "".join(character for at, character in enumerate(composed) if _is_seen(character) or _joins(composed, at))
    shown = "".join(_BOX if unicodedata.category(character) in ("Co", "Cn") else character for character in kept)
    return " ".join(_with_few_marks(shown).split()) or _BOX


def _is_seen(character: str) -> bool:
    if character.isspace():
        return True
    return not (is_formless(character) or unicodedata.category(character) in ("Cs", "Zl", "Zp"))


def _joins(text: str, at: int) -> bool:
    """Whether a joiner or selector stands after a symbol, as in emoji."""
    return text[at] in _JOINERS and at > 0 and (unicodedata.category(text[at - 1]) == "So" or text[at - 1] in _JOINERS)


def _with_few_marks(text: str) -> str:
    groups = itertools.groupby(text, key=lambda character: unicodedata.category(character).startswith("M"))
    return "".join("".join(group)[: MOST_MARKS if are_marks else None] for are_marks, group in groups)


def shown(text: str, words: Words) -> str:
    """The text for pictures and descriptions."""
    return words("(hidden)") if text == HIDDEN else cleaned(text)


def quoted(text: str, words: Words) -> str:
    """The text for messages: in a code span, in which Discord acts upon nothing."""
    if text == HIDDEN:
        return words("(hidden)")
    plain = f"`{cleaned(text).replace('`', 'ˋ')}`"
    # What runs from right to left would carry along the words around it.
    return f"\u2068{plain}\u2069" if any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in plain) else plain


def escaped(text: str) -> str:
    """A deck's text for messages, its markdown without effect."""
    return _MARKDOWN.sub(r"\\\1", cleaned(text))


# -- Hiding --------------------------------------------------------------------------------------------------------


def veil(one: Any, hidden: Collection[str]) -> Any:
    """A view, or an event, in which `HIDDEN` stands for the clues and guesses that a moderator has hidden.

    Messages stay: they are the deck's, not a player's. So does what a seat alone may know.
    """
    if not hidden:
        return one
    match one:
        case View(table=table):
            guessing = table.guessing and _veiled_guessing(table.guessing, hidden)
            finished = tuple(_veiled_finished(done, hidden) for done in table.finished)
            return replace(one, table=replace(table, guessing=guessing, finished=finished))
        case ClueFlipped(text=text) | Guessed(text=text) | Proposed(text=text):
            return replace(one, text=_veiled(text, hidden))
    return one


def _veiled(text: str | None, hidden: Collection[str]) -> str | None:
    return HIDDEN if text in hidden else text


def _veiled_offer(offer: Proposal | None, hidden: Collection[str]) -> Proposal | None:
    return offer and replace(offer, text=_veiled(offer.text, hidden))


def _veiled_tries(tries: tuple[Try, ...], hidden: Collection[str]) -> tuple[Try, ...]:
    return tuple(replace(made, text=_veiled(made.text, hidden)) for made in tries)


def _veiled_guessing(guessing: GuessingView, hidden: Collection[str]) -> GuessingView:
    return replace(
        guessing,
        clues=tuple(_veiled(clue, hidden) for clue in guessing.clues),
        tries=_veiled_tries(guessing.tries, hidden),
        proposal=_veiled_offer(guessing.proposal, hidden),
        ruling=_veiled_offer(guessing.ruling, hidden),
    )


def _veiled_finished(done: Finished, hidden: Collection[str]) -> Finished:
    clues = tuple(_veiled(clue, hidden) for clue in done.clues)
    return replace(done, clues=clues, tries=_veiled_tries(done.tries, hidden))


def written(view: View) -> tuple[str, ...]:
    """The clues and guesses that lie open, newest first: what a moderator can hide."""
    found: list[str | None] = []
    for done in view.table.finished:
        found += [*done.clues, *(made.text for made in done.tries)]
    if guessing := view.table.guessing:
        found += [*guessing.clues, *(made.text for made in guessing.tries)]
        found += [offer.text for offer in (guessing.proposal, guessing.ruling) if offer]
    return tuple(dict.fromkeys(text for text in reversed(found) if text is not None))
