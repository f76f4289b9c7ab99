"""The letters and names that people write: colours, kinds of pieces, triangles."""

from __future__ import annotations

import unicodedata
from typing import Final

from rules.chess.board import BLACK_SUM, COLUMN_LETTERS, INDEX, RANK_LETTERS, SIDE, WHITE_SUM, Triangle

COLOUR_LETTERS: Final = "rgb"
OWNER_LETTERS: Final = "rgbn"
KIND_LETTERS: Final = "IRCG"

_COLUMN_STAND_INS: Final = "bgdpsfyw"
_GREEK_RANKS: Final = {"α": "a", "β": "b", "ε": "e", "η": "h"}
"""Ranks that look the same on a Greek keyboard."""

COLUMNS: Final[dict[str, int]] = {
    letter.casefold(): column
    for letters in (COLUMN_LETTERS, _COLUMN_STAND_INS, "12345678")
    for column, letter in enumerate(letters, 1)
}
"""Every way to write a column, in lower case, to its number."""
RANKS: Final[dict[str, int]] = {letter.casefold(): rank for rank, letter in enumerate(RANK_LETTERS, 1)} | {
    greek: RANK_LETTERS.lower().index(latin) + 1 for greek, latin in _GREEK_RANKS.items()
}


def plain(text: str) -> str:
    """The text in lower case, with wide and other compatible forms of letters and digits made plain."""
    return unicodedata.normalize("NFKC", text).casefold().strip()


def triangle_named(name: str) -> Triangle | None:
    """The triangle of this full name, in Greek, Latin or digits, any case; None if there is none."""
    letters = plain(name)
    if len(letters) != 3 or letters[0] not in RANKS or letters[2] not in COLUMNS or letters[1] not in "12345678":
        return None
    return INDEX.get((RANKS[letters[0]], int(letters[1]), COLUMNS[letters[2]]))


def columns_with(rank: int, file: int) -> tuple[int, ...]:
    """The columns that have a triangle of this rank and file: none, one or two."""
    return tuple(total - rank - file for total in (BLACK_SUM, WHITE_SUM) if 1 <= total - rank - file <= SIDE)
