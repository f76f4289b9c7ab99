"""Reading decks: the format, and every mistake with its line."""

from __future__ import annotations

import pathlib

import pytest

from rules.game import BadDeal
from rules.triangulation.deck import (
    FEWEST_CARDS,
    LARGEST_TEXT,
    MOST_CARDS,
    BadDeck,
    Category,
    Mistake,
    card_text,
    deck_text,
    read_card,
    read_deck,
)
from rules.triangulation.language import ENGLISH

DECKS = pathlib.Path(__file__).parents[2] / "assets" / "decks"


def lines(count: int = FEWEST_CARDS) -> list[str]:
    """Cards without mistakes."""
    return [" | ".join(f"Name {letter}{card}" for letter in "PCLWBT") for card in range(count)]


def mistakes(text: str, language: str = "en") -> list[Mistake]:
    with pytest.raises(BadDeck) as refusal:
        read_deck(text, language)
    return list(refusal.value.mistakes)


def wrong(first: str, *rest: str) -> list[tuple[int, str]]:
    """Lines and rules of the mistakes in a deck that begins with these lines."""
    return [(mistake.line, mistake.rule) for mistake in mistakes("\n".join([first, *rest, *lines()]))]


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_the_decks_that_come_with_the_game_have_no_mistakes(language: str) -> None:
    deck = read_deck((DECKS / f"{language}.txt").read_text(encoding="utf-8"))
    assert deck.language == language
    assert read_deck(deck_text(deck)) == deck
    for card in deck.cards:
        assert [message.category for message in card.messages] == list(Category)
        for message in card.messages:
            names = [deck.tongue.key_of(name) for name in message.names]
            assert len(set(names)) == len(names), f"a form of {message.text} is another one, normalised"


def test_a_message_its_parts_and_its_other_forms() -> None:
    deck = read_deck("\n".join(["A1|Batman (bat + man)=Caped Crusader = Bats|C|D (x)|E|F", *lines()]))
    batman = deck.cards[0].messages[1]
    assert (batman.text, batman.parts, batman.forms) == ("Batman", ("bat", "man"), ("Caped Crusader", "Bats"))
    assert deck.cards[0].messages[3].text == "D (x)", "round brackets without + belong to the message"


def test_a_card_may_be_a_paragraph() -> None:
    paragraph = "Card Wars\nb\nc\nd\ne = x\nf"
    deck = read_deck(f"# first\n\n{paragraph}\n\n" + "\n".join(lines()))
    assert card_text(deck.cards[0]) == "Card Wars | b | c | d | e = x | f"


def test_line_ends_comments_marks_and_card_labels() -> None:
    text = "\ufeff# comment\r\nDECK: zh-tw\r" + "\r\n".join(f"Card: {line}" for line in lines())
    deck = read_deck(text)
    assert (deck.language, len(deck.cards)) == ("zh-TW", FEWEST_CARDS)


def test_cards_keep_the_order_of_the_text_and_can_be_sorted() -> None:
    deck = read_deck("\n".join(reversed(lines())))
    assert card_text(deck.cards[0]) == lines()[-1]
    assert [card_text(card) for card in deck.sorted().cards] == sorted(lines())


def test_five_messages() -> None:
    assert wrong("a | b | c | d | e") == [(1, "messages")]
    assert wrong("a | b | c | d | e | f | g") == [(1, "messages")]
    assert wrong("lonely", "") == [(1, "messages")]


@pytest.mark.parametrize("nothing", ["", "…", "the", "\u200b", "a = ", "a = the", "a (+a)"])
def test_what_leaves_nothing_after_normalising(nothing: str) -> None:
    assert (1, "empty") in wrong(f"{nothing} | b | c | d | e | f")


def test_too_long() -> None:
    assert wrong(f"{'x' * 60} | b | c | d | e | f", f"{'x' * 61} | h | i | j | k | l") == [(2, "long")]
    assert wrong(f"q = {'x' * 61} | b | c | d | e | f") == [(1, "long")]


@pytest.mark.parametrize("sign", ["\x00", "\x1b", "\u202e", "\u2028", "\ue000", "\ud800"])
def test_characters_that_no_message_holds(sign: str) -> None:
    found = mistakes("\n".join([f"q{sign}x | b | c | d | e | f", *lines()]))
    assert [(mistake.rule, mistake.facts["code"]) for mistake in found] == [("character", f"U+{ord(sign):04X}")]


@pytest.mark.parametrize("markup", ["@everyone", "@Here", "<@123>", "<#1>", "<:smile:1>", "https://x.example"])
def test_what_chat_programs_act_upon(markup: str) -> None:
    assert wrong(f"a {markup} | b | c | d | e | f") == [(1, "markup")]


def test_no_two_messages_are_the_same_after_normalising() -> None:
    found = mistakes("\n".join(["Bible | b | c | d | e | f", "x | y | z | The bíble! | v | w", *lines()]))
    assert found == [Mistake(2, "double", {"text": "The bíble!", "other": "Bible", "other_line": 1})]


def test_no_message_is_anothers_form() -> None:
    found = mistakes("\n".join(["q = Paris | b | c | d | e | f", "x | y | Paris | z | v | w", *lines()]))
    assert found == [Mistake(1, "double", {"text": "Paris", "other": "Paris", "other_line": 2})]


def test_parts_stand_in_the_message() -> None:
    assert wrong("Batman (bat+woman) | b | c | d | e | f") == [(1, "part")]
    assert read_deck("\n".join(["Forever (for+ever) | Coca-Cola (coca+cola) | c | d | e | f", *lines()]))


def test_too_many_forms_and_parts() -> None:
    forms = " = ".join(f"form {number}" for number in range(21))
    assert wrong(f"q = {forms} | b | c | d | e | f") == [(1, "forms")]
    assert wrong(f"abc ({'+'.join('abcabcabc')}) | b | c | d | e | f") == [(1, "parts")]


def test_the_number_of_cards() -> None:
    assert [(m.rule, m.facts) for m in mistakes("\n".join(lines(11)))] == [("few", {"count": 11, "limit": 12})]
    assert [m.rule for m in mistakes("\n".join(lines(MOST_CARDS + 1)))] == ["many"]
    assert [m.rule for m in mistakes("")] == ["few"]


def test_an_unknown_language() -> None:
    assert wrong("Deck: tlh") == [(1, "language")]


def test_all_mistakes_at_once_in_the_order_of_their_lines() -> None:
    found = wrong("a | b", "…|b|c|d|e|f", "", f"{'x' * 61} | h | b | j\x07 | k | l")
    assert [line for line, _ in found] == [1, 2, 4, 4, 4]
    assert sorted(found) == [(1, "messages"), (2, "empty"), (4, "character"), (4, "double"), (4, "long")]


def test_a_million_lines_are_refused_at_once() -> None:
    assert [mistake.rule for mistake in mistakes("x\n" * 1_000_000)] == ["large"]


@pytest.mark.parametrize("line", ["a|\n", "|||||\n", "a=a|" * 5 + "a\n", "\u0301\n\n"])
def test_a_hostile_text_of_thousands_of_cards_is_not_read_on(line: str) -> None:
    (found,) = mistakes(line * (LARGEST_TEXT // len(line)))
    assert found.rule == "many"
    assert found.facts["limit"] == MOST_CARDS


@pytest.mark.parametrize(
    ("line", "rule"),
    [("a | b", "messages"), ("q | b | c | d | e | …", "empty"), ("q | b | c | d | e | f\x00", "character")],
)
def test_a_records_card_that_cannot_be_played(line: str, rule: str) -> None:
    with pytest.raises(BadDeal) as refusal:
        read_card(line, ENGLISH)
    assert refusal.value.rule == rule
