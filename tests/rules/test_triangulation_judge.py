"""Judging a guess: what is right without asking the Insider. Each test proves a line of the rules sheet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.triangulation.judge import is_clearly_right
from rules.triangulation.language import CHINESE, ENGLISH
from tests.rules.triangulation_tables import deck_of, message


def right(guess: str, text: str, *others: str, language: str = "en") -> bool:
    return is_clearly_right(guess, message(text), deck_of(text, *others, language=language))


@pytest.mark.parametrize(
    ("guess", "text"),
    [
        ("White House", "The White House"),
        ("Coke", "Coca-Cola = Coke"),
        ("Santa", "Santa Claus = Santa"),
    ],
)
def test_the_rulebooks_correct_guesses(guess: str, text: str) -> None:
    assert right(guess, text)


@pytest.mark.parametrize(
    ("guess", "text"),
    [
        ("The President's House", "The White House"),
        ("Diet Coke", "Coca-Cola = Coke"),
        ("Luke", "Luke Skywalker (sky+walker)"),
    ],
)
def test_the_rulebooks_incorrect_guesses(guess: str, text: str) -> None:
    assert not right(guess, text)


@pytest.mark.parametrize(
    ("guess", "text"),
    [
        ("bIbLe", "The Bible"),
        ("the - bible!", "Bible"),
        ("Beyonce", "Beyoncé"),
        ("Straße", "STRASSE"),
        ("Ｌｅｇｏ", "Lego"),
        ("Le\u200bgo\ufe0f", "Lego"),
        ("Le\u3164go", "Lego"),
        ("Le\u00adgo", "Lego"),
        ("Winnie Pooh", "Winnie-the-Pooh"),
        ("M & M s", "M&M's"),
        ("Tour of the Eiffel", "Tour Eiffel"),
        ("coca cola", "Coca-Cola"),
        ("cocacola", "Coca-Cola"),
    ],
)
def test_equal_after_normalising(guess: str, text: str) -> None:
    assert right(guess, text)


def test_inner_points_make_no_connecting_word() -> None:
    assert not right("Mission", "Mission A.T.")
    assert right("Mission", "Mission at")


def test_one_slip_for_seven_characters() -> None:
    assert right("Hallowen", "Halloween")
    assert right("Halolween", "Halloween"), "letters exchanged are one slip (optimal string alignment)"
    assert not right("Halowen", "Halloween")
    assert right("appollo 11", "Apollo 11")
    assert right("Luke Skywaker", "Luke Skywalker")
    assert right("Leonrado da Vinchi", "Leonardo da Vinci"), "15 characters: two slips"


def test_short_names_forgive_nothing() -> None:
    assert not right("Hamlat", "Hamlet")
    assert right("Nokia", "Nokia")


def test_the_length_is_that_of_the_form_not_of_the_guess() -> None:
    assert not right("Hamlets", "Hamlet")
    assert right("Caribean", "Sea = Caribbean")


def test_digits_must_be_the_same() -> None:
    assert not right("Apollo 13", "Apollo 11")
    assert not right("Apollo 1", "Apollo 11")
    assert not right("Apollo 111", "Apollo 11")


def test_roman_numerals_must_be_the_same() -> None:
    assert not right("World War I", "World War II")
    assert not right("World War III", "World War II")
    assert right("Wolrd War II", "World War II")
    assert right("Malcom X", "Malcolm X")


def test_some_of_the_words_are_never_right_without_the_insider() -> None:
    assert not right("Malcolm", "Malcolm X"), "one letter off, but a word is missing"
    assert not right("Malcom Q Company", "Malcolm Company"), "nearer to the message with more added than to a slip"
    assert not right("Malcolm Qs", "Malcolm")


def test_more_added_is_never_right_without_the_insider() -> None:
    assert not right("Halloween Q", "Halloween")


def test_a_slip_that_makes_another_message_is_not_right() -> None:
    assert right("Austrialia", "Australia")
    assert right("Istanbut", "Istanbul")
    assert not right("Istanbut", "Istanbul", "Istanbut")
    assert not right("Istanbut", "Istanbul", "Elsewhere = Istanbut"), "nor another message's form"
    assert right("Istanbul", "Istanbul", "Elsewhere = Istanbul"), "the message itself is no slip"


def test_declining_words_in_any_script_are_no_error() -> None:
    assert not right("Гамлет", "Hamlet")
    assert not right("哈姆雷特", "Hamlet")


@pytest.mark.parametrize(
    ("guess", "text"),
    [
        ("冰火之歌", "冰與火之歌"),
        ("冰与火之歌", "冰與火之歌"),
        ("龙猫", "龍貓"),
        ("台北１０１", "臺北101"),
        ("哈利波特", "哈利·波特"),
        ("《紅樓夢》", "紅樓夢 = 石頭記"),
        ("石头记", "紅樓夢 = 石頭記"),
        ("batman", "蝙蝠俠 = Batman"),
    ],
)
def test_chinese_equal_after_normalising(guess: str, text: str) -> None:
    assert right(guess, text, language="zh-TW")


@pytest.mark.parametrize(
    ("guess", "text"),
    [("紅樓", "紅樓夢"), ("第二次世界大站", "第二次世界大戰"), ("Leonardo da Vinc", "達文西 = Leonardo da Vinci")],
)
def test_chinese_forgives_no_slips(guess: str, text: str) -> None:
    assert not right(guess, text, language="zh-TW")


@given(st.text(max_size=40))
def test_normalising_twice_is_normalising_once(text: str) -> None:
    for language in (ENGLISH, CHINESE):
        key = language.run_together(text)
        assert language.run_together(key) == key


@given(st.text(max_size=30), st.text(max_size=30))
def test_judging_never_fails(guess: str, text: str) -> None:
    for language in ("en", "zh-TW"):
        deck = deck_of("Hamlet", language=language)
        verdict = is_clearly_right(guess, message(text), deck)
        assert verdict or deck.tongue.key_of(guess) != deck.tongue.key_of(message(text).text)
