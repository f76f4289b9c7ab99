"""Texts in the reader's language."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import discord
import pytest
from babel.messages.pofile import PoFileError
from discord import app_commands
from discord.app_commands import TranslationContext, TranslationContextLocation

from bot import words as words_module
from bot.words import Translator, Words, words_for

HOUSE = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=1; plural=0;\\n"

msgid "{name} wins"
msgstr "{name} 獲勝"

msgid "seat"
msgstr "座位"

msgid "two words"
msgstr "兩 個"
"""
TRIGGLE = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=1; plural=0;\\n"

msgid "{count} band"
msgid_plural "{count} bands"
msgstr[0] "{count} 條橡皮筋"
"""


@pytest.fixture(autouse=True)
def every_text_is_marked() -> None:
    """The texts here are invented."""


@pytest.fixture
def chinese(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Words]:
    """The words for Taiwan, out of two small catalogues."""
    (tmp_path / "zh_TW").mkdir()
    (tmp_path / "zh_TW" / "house.po").write_text(HOUSE, encoding="utf-8")
    (tmp_path / "zh_TW" / "triggle.po").write_text(TRIGGLE, encoding="utf-8")
    monkeypatch.setattr(words_module, "LOCALES", tmp_path)
    words_module._words.cache_clear()
    yield words_for("zh-TW")
    words_module._words.cache_clear()


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        (None, "en"),
        ("en-US", "en"),
        ("de", "en"),
        (discord.Locale.japanese, "en"),
        (discord.Locale.taiwan_chinese, "zh_TW"),
        (discord.Locale.chinese, "zh_TW"),
        ("zh-TW", "zh_TW"),
        ("zh-HK", "zh_TW"),
    ],
)
def test_every_chinese_reader_gets_traditional_chinese_and_all_others_english(
    locale: str | discord.Locale | None, language: str
) -> None:
    assert words_for(locale).language == language


def test_facts_are_put_in_and_texts_of_people_are_left_as_they_are() -> None:
    words = words_for(None)
    assert words("{name} wins", name="{name} {0}") == "{name} {0} wins"


@pytest.mark.parametrize("locale", ["en-GB", "zh-TW"])
def test_a_missing_fact_is_an_error(locale: str, chinese: Words) -> None:
    with pytest.raises(KeyError):
        words_for(locale)("{name} wins")


def test_a_broken_format_is_an_error() -> None:
    with pytest.raises(ValueError, match="expected"):
        words_for(None)("{name wins", name="Ada")


def test_the_empty_text_is_empty_in_every_language(chinese: Words) -> None:
    assert (chinese(""), words_for(None)("")) == ("", "")


def test_texts_come_from_every_room(chinese: Words) -> None:
    assert chinese("{name} wins", name="Ada") == "Ada 獲勝"
    assert chinese.many("{count} band", "{count} bands", 3) == "3 條橡皮筋"


def test_a_text_that_no_catalogue_has_is_english(chinese: Words) -> None:
    assert chinese("Pass") == "Pass"
    assert chinese.many("{count} peg", "{count} pegs", 1) == "1 peg"


@pytest.mark.parametrize(("count", "text"), [(0, "0 bands"), (1, "1 band"), (2, "2 bands")])
def test_number(count: int, text: str) -> None:
    assert words_for(None).many("{count} band", "{count} bands", count) == text


def test_many_takes_more_facts() -> None:
    assert (
        words_for(None).many("{name} has {count} band", "{name} has {count} bands", 2, name="Ada") == "Ada has 2 bands"
    )


def test_series() -> None:
    english, chinese = words_for(None), words_for("zh-TW")
    assert [english.series(names) for names in ("", "A", "AB", "ABC")] == ["", "A", "A and B", "A, B and C"]
    assert english.series("ABC", "or") == "A, B or C"
    assert (chinese.series("ABC"), chinese.series("ABC", "or")) == ("A、B和C", "A、B或C")


def test_a_broken_catalogue_is_an_error(chinese: Words, tmp_path: Path) -> None:
    (tmp_path / "zh_TW" / "house.po").write_text('msgid "seat"\nconfusion\n', encoding="utf-8")
    words_module._words.cache_clear()
    with pytest.raises(PoFileError):
        words_for("zh-TW")


async def translated(text: str, locale: discord.Locale, location: TranslationContextLocation) -> str | None:
    # The types tie each location to its kind of data, which the translator does not look at.
    context: TranslationContext[Any, Any] = TranslationContext(location=cast(Any, location), data=None)
    return await Translator().translate(app_commands.locale_str(text), locale, context)


TAIWAN = discord.Locale.taiwan_chinese
PLACE = TranslationContextLocation


async def test_descriptions_are_translated(chinese: Words) -> None:
    assert await translated("seat", TAIWAN, PLACE.parameter_description) == "座位"
    assert await translated("seat", discord.Locale.chinese, PLACE.command_description) == "座位"


async def test_names_of_commands_and_options_stay_english(chinese: Words) -> None:
    assert await translated("seat", TAIWAN, PLACE.command_name) is None
    assert await translated("seat", TAIWAN, PLACE.group_name) is None
    assert await translated("seat", TAIWAN, PLACE.parameter_name) is None


async def test_other_languages_get_no_translation(chinese: Words) -> None:
    assert await translated("seat", discord.Locale.german, PLACE.parameter_description) is None
    assert await translated("unknown", TAIWAN, PLACE.parameter_description) is None
