"""Boards in words, within what a message or a picture's description holds."""

from collections.abc import Callable, Sequence

Telling = Callable[[Sequence[str]], str]
"""Makes a text from the players' names, by seat."""


def length(text: str) -> int:
    """A text's length as the strictest reader counts it: what lies beyond the basic plane, as two."""
    return len(text) + sum(character > "\uffff" for character in text)


def within(limit: int, names: Sequence[str], *tellings: Telling) -> str:
    """The first of the texts, fullest first, that fits the limit with the names whole or shortened; else its beginning.

    Names are shortened to ten characters at most, and only when no text fits with them whole.
    """
    short = [name if len(name) <= 10 else name[:9] + "…" for name in names]
    for these in (names, short):
        for telling in tellings:
            text = telling(these)
            if length(text) <= limit:
                return text
    text = text[: limit - 1]
    while length(text) > limit - 1:
        text = text[:-1]
    return text.rstrip() + "…"
