"""Characters as the judge sees them: without case, marks, invisible characters and punctuation.

Normalising, by the rules sheet (Judging): Unicode NFKD without marks, case folded, without characters that have no
width or form; words part at spaces and hyphens; punctuation is dropped.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Letters and symbols that are drawn as nothing: the Hangul fillers and the empty Braille pattern."""

VARIATION_SELECTORS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0), range(0x180B, 0x1810))

_SCRIPTS = (
    "LATIN GREEK CYRILLIC ARMENIAN HEBREW ARABIC DEVANAGARI BENGALI TAMIL THAI GEORGIAN CHEROKEE COPTIC GOTHIC LISU "
    "ETHIOPIC RUNIC GLAGOLITIC DESERET OSAGE TIFINAGH VAI CJK HIRAGANA KATAKANA BOPOMOFO HANGUL"
)
SCRIPTS = frozenset(_SCRIPTS.split())
"""Scripts by the word that stands for them in the names of their letters."""

EAST_ASIAN = frozenset({"CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO", "HANGUL"})
"""Scripts that are written together with each other and with Latin in one word, as in 卡拉OK; none looks like Latin."""


def is_formless(character: str) -> bool:
    """Whether the character has no width or form: controls, format characters, fillers, variation selectors."""
    return (
        unicodedata.category(character) in ("Cc", "Cf")
        or character in FILLERS
        or any(ord(character) in selectors for selectors in VARIATION_SELECTORS)
    )


def is_blank(text: str) -> bool:
    """Whether nothing of the text can be seen."""
    return all(character.isspace() or is_formless(character) for character in text)


def is_hyphen(character: str) -> bool:
    """Whether words part at this character: hyphens and dashes of every length."""
    return unicodedata.category(character) == "Pd"


def is_punctuation(character: str) -> bool:
    """Whether normalising drops the character as punctuation. Symbols such as $ and + stay."""
    return unicodedata.category(character).startswith("P")


def is_han(character: str) -> bool:
    """Whether this is a Chinese character (an ideograph, or the zero 〇)."""
    return character == "〇" or unicodedata.name(character, "").startswith("CJK UNIFIED IDEOGRAPH")


@lru_cache(maxsize=1 << 14)
def plain(text: str) -> str:
    """The text case folded, without marks and formless characters; spaces and punctuation are still there."""
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(
        character
        for character in decomposed
        if character.isspace() or not (unicodedata.category(character).startswith("M") or is_formless(character))
    )


def bare(plain_text: str) -> str:
    """A plain text without spaces and punctuation."""
    return "".join(character for character in plain_text if not (character.isspace() or is_punctuation(character)))


def trimmed(text: str) -> str:
    """The text without the spaces, punctuation and formless characters around it."""
    begin, end = 0, len(text)
    while begin < end and _is_around(text[begin]):
        begin += 1
    while end > begin and _is_around(text[end - 1]):
        end -= 1
    return text[begin:end]


def _is_around(character: str) -> bool:
    return character.isspace() or is_punctuation(character) or is_formless(character)


def typed_words(text: str) -> Iterator[str]:
    """The words of a text as they were typed, parted at spaces and hyphens."""
    parted = "".join(" " if character.isspace() or is_hyphen(character) else character for character in text)
    yield from parted.split()


def script_of(letter: str) -> str | None:
    """The script of a letter, a word of `SCRIPTS`; None for what belongs to none (digits, signs) or an unknown one."""
    if not unicodedata.category(letter).startswith("L"):
        return None
    return next((word for word in unicodedata.name(letter, "").split() if word in SCRIPTS), None)


def mixes_scripts(word: str) -> bool:
    """Whether letters of scripts that do not go together stand in one word, as a Cyrillic В in Bat."""
    scripts = {script_of(letter) for letter in plain(word)} - {None}
    return len(scripts) > 1 and not scripts <= EAST_ASIAN | {"LATIN"}
