"""Every text that a person reads, in their language.

English is in the code, Traditional Chinese in `assets/locale/zh_TW/ROOM.po`, one room a game and `house` for the rest.
A `Words` is always held in something called `words`, since that is how `bot.catalogues` finds the texts:

    words("Place a band")                                         a text
    words("{name} places {band}", name=name, band=band)           with facts
    words.many("{count} band", "{count} bands", count)            by number; `count` is a fact already
    words.series(names)                                           "A, B and C"
    words(variant.title)                                          a constant, marked where it is written:
    TITLE = translatable("Longer sides")                          by `rules.game.translatable`

Descriptions of commands and of their options, and names of choices, are constants too. Discord asks `Translator` for
the other languages, so the mark is all they need; names of commands and options stay as records write them:

    @app_commands.command(description=translatable("Open a table"))
    @app_commands.describe(side=translatable("Pegs along a side"))

A fact that a text names and the call does not give raises `KeyError`.
"""

import gettext
import io
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Literal

import discord
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from discord import app_commands

LOCALES = Path(__file__).resolve().parent.parent / "assets" / "locale"

Language = Literal["en", "zh_TW"]

SERIES: dict[Language, str] = {"en": "en_GB", "zh_TW": "zh_Hant_TW"}
"""Whose habits a series follows: British, which puts no comma before its "and"."""

_SPACE_AFTER_MARK = re.compile("(?<=[。，：；！？、）」]) ")


class Words:
    """The texts of one language."""

    def __init__(self, language: Language, texts: gettext.NullTranslations) -> None:
        self.language = language
        self._texts = texts

    def __call__(self, text: str, /, **facts: object) -> str:
        """The text in this language, with the facts it names put in."""
        # To gettext the empty text is a catalogue's header.
        return self._texts.gettext(text).format(**facts) if text else ""

    def many(self, one: str, many: str, count: int, /, **facts: object) -> str:
        """The text that goes with this number; `count` is one of its facts."""
        return self._texts.ngettext(one, many, count).format(count=count, **facts)

    def series(self, items: Iterable[str], style: Literal["and", "or"] = "and") -> str:
        """The items as one phrase: "A, B and C"; empty when there are none."""
        return format_list(list(items), style="or" if style == "or" else "standard", locale=SERIES[self.language])

    def listed(self, items: Iterable[str]) -> str:
        """The items with commas between them and nothing else."""
        return ("、" if self.language == "zh_TW" else ", ").join(items)

    def joined(self, sentences: Iterable[str]) -> str:
        """Sentences one after the other; Chinese has no space after its full-width marks."""
        return _SPACE_AFTER_MARK.sub("", " ".join(sentences))

    def __repr__(self) -> str:
        return f"Words({self.language!r})"


def words_for(locale: str | discord.Locale | None) -> Words:
    """The words for a person or server of this locale: Traditional Chinese for every kind of Chinese, else English."""
    return _words("zh_TW" if str(locale).lower().startswith("zh") else "en")


class Translator(app_commands.Translator):
    """Hands Discord the descriptions of commands and options, and the names of choices, in Chinese."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        """The text for readers of this locale; None where it is the English one."""
        place = app_commands.TranslationContextLocation
        if context.location in (place.command_name, place.group_name, place.parameter_name):
            return None
        words = words_for(locale)
        if words.language == "en":
            return None
        facts = {name: words(fact) for name, fact in string.extras.items() if name != "template"}
        text = words(string.extras.get("template", string.message), **facts)
        return None if text == string.message else text


@cache
def _words(language: Language) -> Words:
    texts = gettext.NullTranslations()
    for path in sorted((LOCALES / language).glob("*.po")):
        texts.add_fallback(_compiled(path))
    return Words(language, texts)


def _compiled(path: Path) -> gettext.GNUTranslations:
    compiled = io.BytesIO()
    with path.open("rb") as lines:
        write_mo(compiled, read_po(lines, abort_invalid=True))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
