"""Which clues are legal. Each test proves a line of the rules sheet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.triangulation.clues import ClueFault, faults
from rules.triangulation.language import CHINESE, ENGLISH
from tests.rules.triangulation_tables import message

BATMAN = message("Batman (bat+man) = Caped Crusader")
LETTERS = st.text(alphabet="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=3, max_size=12)


def why(clue: str, text: str, language: str = "en") -> str | None:
    """The rule that refuses a clue."""
    found = faults([clue], message(text), ENGLISH if language == "en" else CHINESE)
    return found[0].rule if found else None


@pytest.mark.parametrize(
    "clue", ["Ka-POW!", "Adam West", "Nocturnal Mammal", "Lots of black", "$$$", "Romance", "Batmobile", "…", "蝙蝠"]
)
def test_allowed_for_batman(clue: str) -> None:
    assert faults([clue], BATMAN, ENGLISH) == ()


@pytest.mark.parametrize("clue", ["Bat", "Manly", "Batman", "B.A.T.M.A.N.", "the bats", "A man", "BATMAN!"])
def test_refused_for_batman(clue: str) -> None:
    assert len(faults([clue], BATMAN, ENGLISH)) == 1


@pytest.mark.parametrize(
    "clue",
    ["B.A.T.", "B A T", "b-a-t", "Ｂａｔ", "𝐁𝐚𝐭", "Ba\u200bt", "B\u3164at", "Bát", "bat/ball", "B+A+T", "b+at cave"],
)
def test_a_disguised_word_is_refused(clue: str) -> None:
    assert faults([clue], BATMAN, ENGLISH)[0].rule == "word"


def test_mixed_scripts_are_refused_as_such() -> None:
    cyrillic = "\u0412at"
    assert faults([f"the {cyrillic}"], BATMAN, ENGLISH) == (ClueFault(0, "mixed", cyrillic),)
    assert why("Вася", "Batman") is None
    assert why("Вася x", "Batman") is None, "two words may be of two scripts"
    assert why("卡拉OK", "Batman") is None, "scripts that are written together do not count as mixed"


def test_the_fault_names_the_clues_word_and_the_messages() -> None:
    fault = faults(["Very manly!"], BATMAN, ENGLISH)[0]
    assert (fault.clue, fault.rule, fault.word, fault.of) == (0, "word", "manly", "man")


def test_all_refused_clues_are_named_at_once() -> None:
    assert [(fault.clue, fault.rule) for fault in faults(["Bat", "Cave", ""], BATMAN, ENGLISH)] == [
        (0, "word"),
        (2, "empty"),
    ]


def test_a_fault_tells_no_secret_where_it_may_be_logged() -> None:
    assert "bat" not in repr(faults(["Bat"], BATMAN, ENGLISH)).casefold()


def test_connecting_words_are_free() -> None:
    assert why("The end of it", "The Lord of the Rings") is None
    assert why("Lord of the Rings", "The Lord of the Rings") == "message"
    assert why("Lordoftherings", "Lord of the Rings") == "message"
    assert why("ring", "The Lord of the Rings") == "word"


def test_other_forms_are_not_the_message() -> None:
    assert why("NYC", "New York City = NYC") is None
    assert why("Scripture", "The Bible = Holy Bible = Scripture") is None
    assert why("York", "New York City = NYC") == "word"


def test_the_whole_message_run_together_is_refused() -> None:
    assert why("CocaCola bottle", "Coca-Cola") == "message"
    assert why("new-york-city", "New York City") == "message"


def test_stems_are_the_same_word() -> None:
    assert why("Gaming", "The Olympic Games") == "word"
    assert why("olympics", "The Olympic Games") == "word"
    assert why("Hamlet's", "Hamlet") == "word"
    assert why("1969", "Apollo 11") is None
    assert why("11 men", "Apollo 11") == "word"


def test_length_and_lines() -> None:
    assert why("x" * 100, "Batman") is None
    assert why("x" * 101, "Batman") == "long"
    assert why("", "Batman") == why("\u200b", "Batman") == "empty"
    assert why("two\nlines", "Batman") == why("two\u2028lines", "Batman") == "lines"
    assert why("a | b", "Batman") == "bar"
    assert why("a\x07b", "Batman") == "character"
    assert why("\ud800", "Batman") == "character"


@given(LETTERS)
def test_a_word_of_the_message_is_never_a_clue(word: str) -> None:
    if ENGLISH.key_of(word):
        for clue in (word, word.upper(), f"so {word}!", ".".join(word), " ".join(word)):
            assert faults([clue], message(f"Zq {word}"), ENGLISH)


@given(st.text(max_size=30))
def test_checking_never_fails(clue: str) -> None:
    for language in (ENGLISH, CHINESE):
        assert faults([clue, clue], BATMAN, language) == faults([clue], BATMAN, language) + tuple(
            ClueFault(1, fault.rule, fault.word, fault.of) for fault in faults([clue], BATMAN, language)
        )


# -- Chinese -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("clue", ["大俠", "蝠", "蝙蝠俠", "侠客", "《蝙》", "B蝠"])
def test_chinese_a_shared_character_is_refused(clue: str) -> None:
    assert why(clue, "蝙蝠俠 (蝙蝠+俠)", "zh-TW") in ("word", "message")


@pytest.mark.parametrize("clue", ["高譚市", "黑色", "Batman", "$$$", "小丑的敵人"])
def test_chinese_other_clues_are_allowed(clue: str) -> None:
    assert why(clue, "蝙蝠俠 = Batman", "zh-TW") is None


def test_chinese_simplified_and_traditional_are_one_character() -> None:
    assert why("龙年", "龍貓", "zh-TW") == "word"
    assert why("臺灣", "台北101", "zh-TW") == "word"
    assert why("馀生", "餘地", "zh-TW") == "word"


def test_chinese_the_fault_names_the_character_as_typed() -> None:
    fault = faults(["小龙女"], message("龍貓"), CHINESE)[0]
    assert (fault.word, fault.of) == ("龙", "龍")


def test_chinese_connecting_words_may_be_shared() -> None:
    assert why("山與海的對話", "冰與火之歌", "zh-TW") is None
    assert why("火山", "冰與火之歌", "zh-TW") == "word"


@pytest.mark.parametrize(
    "clue", ["101", "１０１", "一零一", "一〇一號", "一百零一", "1 0 1", "壹佰零壹".replace("佰", "百")]
)
def test_chinese_the_same_number_is_refused(clue: str) -> None:
    assert why(clue, "台北101", "zh-TW") == "number"


@pytest.mark.parametrize(
    ("clue", "text"), [("7", "七龍珠"), ("10000", "萬里長城"), ("21", "第廿一條"), ("3000", "三千煩惱絲")]
)
def test_chinese_numerals_of_the_message_are_numbers(clue: str, text: str) -> None:
    assert why(clue, text, "zh-TW") == "number"


@pytest.mark.parametrize(("clue", "text"), [("102", "台北101"), ("2004", "台北101"), ("8", "七龍珠")])
def test_chinese_another_number_is_allowed(clue: str, text: str) -> None:
    assert why(clue, text, "zh-TW") is None


@pytest.mark.parametrize("clue", ["kitty", "KITTIES", "ｈｅｌｌｏ", "H.E.L.L.O", "kitty貓", "Hello-World"])
def test_chinese_latin_letters_are_words(clue: str) -> None:
    assert why(clue, "Hello Kitty樂園", "zh-TW") == "word"


def test_chinese_latin_letters_between_characters_are_words() -> None:
    assert why("O.K.", "卡拉OK", "zh-TW") == "word"
    assert why("Book", "卡拉OK", "zh-TW") is None
