"""TRiNITY's actions in words: what people type, what records hold."""

from __future__ import annotations

import random

import pytest

from rules.game import Ambiguous, GameOver, NotYourTurn, Refusal, Unreadable, from_json, to_json
from rules.trinity import GAME
from rules.trinity.state import Guess, TrinityOptions, TrinityState
from tests.rules.trinity_tables import TABLES, after, dealt, held, random_game, table

TWO = table(held("0123456789", "863"), held("11", "222"))
THREE = table(held("0123456789", "863"), held("11", "222"), held("19", "444"))
GUESSING = table(held("", "863"), held("1", "222"))


def read(state: TrinityState, text: str, seat: int = 0) -> str:
    return GAME.text(GAME.parse(state, seat, text))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("play 3", "play 3"),
        ("PLAY 3", "play 3"),
        ("3", "play 3"),
        ("Ｐｌａｙ　３", "play 3"),
        ("play teacher", "play 3"),
        ("teacher", "play 3"),
        ("教師", "play 3"),
        ("打出 加注", "play 3"),
        ("play 6 @2 7", "play 6 @2 7"),
        ("play 6 2 7", "play 6 @2 7"),
        ("6, 7", "play 6 @2 7"),
        ("play journalist 7", "play 6 @2 7"),
        ("play 7", "play 7 @2"),
        ("play 7 2", "play 7 @2"),
        ("play 2", "play 2 @2"),
        ("play 9 3", "play 9 @2 3"),
        ("hand of god", "play 4"),
        ("liu syndicate", "play 4"),
        ("guess @2 8 6 3", "guess @2 8 6 3"),
        ("guess 8 6 3", "guess @2 8 6 3"),
        ("g 863", "guess @2 8 6 3"),
        ("猜 8、6、3", "guess @2 8 6 3"),
        ("guess 2 8 6 3", "guess @2 8 6 3"),
        ("keep 8|6|3", "keep 8 6 3"),
        ("discard 3 1", "discard 1 3"),
        ("discard 4", "discard 4"),
        ("arrange 213", "arrange 2 1 3"),
        ("swap 2 7", "swap 2 7"),
        ("order 3-1-2", "order 3 1 2"),
        ("skip", "skip"),
        ("Pass", "skip"),
        ("跳過", "skip"),
    ],
)
def test_what_people_type_is_read_forgivingly(typed: str, meant: str) -> None:
    assert read(TWO, typed) == meant


def test_bare_numbers_answer_the_question() -> None:
    assert read(GUESSING, "863") == "guess @2 8 6 3"
    state = dealt(2, TrinityOptions(), random.Random(1))
    assert read(state, "8 6 3") == "keep 8 6 3"
    assert read(after(TWO, "1 play 0"), "13") == "discard 1 3"
    assert read(after(TWO, "1 play 0", "1 discard 1 3"), "213") == "arrange 2 1 3"
    assert read(after(TWO, "1 play 1"), "2 7") == "swap 2 7"
    assert read(after(TWO, "1 play 4"), "312") == "order 3 1 2"
    assert read(after(TWO, "1 play 2"), "1", seat=1) == "discard 1"


def test_bare_numbers_out_of_turn_answer_nothing() -> None:
    with pytest.raises(NotYourTurn):
        GAME.parse(TWO, 1, "8 6 3")
    with pytest.raises(GameOver):
        GAME.parse(after(GUESSING, "1 guess 222"), 0, "8 6 3")


def test_an_opponent_left_out_is_asked_for_where_there_are_two() -> None:
    for typed, candidates in [
        ("play 7", ("play 7 @2", "play 7 @3")),
        ("play 6 7", ("play 6 @2 7", "play 6 @3 7")),
        ("guess 8 6 3", ("guess @2 8 6 3", "guess @3 8 6 3")),
        ("play 9 @3", ("play 9 @3 1", "play 9 @3 2", "play 9 @3 3")),
    ]:
        with pytest.raises(Ambiguous) as refused:
            GAME.parse(THREE, 0, typed)
        assert refused.value.candidates == candidates


def test_an_opponent_left_out_is_clear_where_only_one_can_be_meant() -> None:
    left = table(held("", "863"), held("1", "222"), held("1", "444"), third="left")
    assert read(left, "guess 863") == "guess @2 8 6 3"
    assert read(table(held("2", "863"), held("", "222"), held("1", "444")), "play 2") == "play 2 @3"
    assert read(table(held("2", "863"), held("", "222"), held("", "444")), "play 2") == "play 2"


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "hello",
        "play",
        "play x",
        "guess",
        "guess 1 2",
        "guess @2 1 2 3 4",
        "keep 1 2",
        "keep 1 2 3 4",
        "skip 1",
        "keep @2 8 6 3",
        "swap 2",
        "discard",
        "discard 1 2 3",
        "guess @2 @3 1 2 3",
        "keep teacher",
        "8 6 3 !",
        "٣",
        "play 3 guess",
        "@",
        "play 7 @2 3 4",
        "play -",
        "arrange 1 2",
        "\0",
        "9" * 101,
    ],
)
def test_what_names_no_action_is_unreadable(typed: str) -> None:
    with pytest.raises(Unreadable):
        GAME.parse(TWO, 0, typed)


def test_any_text_is_read_or_refused() -> None:
    rng = random.Random(5)
    words = [
        "play",
        "guess",
        "keep",
        "discard",
        "swap",
        "@",
        "@2",
        "@9",
        "0",
        "6",
        "863",
        "-",
        "killer",
        "猜",
        "x",
        " ",
    ]
    for state in (TWO, THREE, GUESSING, after(TWO, "1 play 0"), after(TWO, "1 play 4")):
        for _ in range(1000):
            typed = " ".join(rng.choices(words, k=rng.randrange(6)))
            try:
                GAME.play(state, 0, GAME.parse(state, 0, typed))
            except Refusal:
                continue


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_every_legal_action_reads_back_from_its_text_and_its_json(seats: int, options: TrinityOptions) -> None:
    rng = random.Random(seats)
    for _ in range(4):
        for state in random_game(seats, options, rng, plies=80):
            assert from_json(to_json(state), TrinityState) == state
            for seat in GAME.to_act(state):
                actions = list(GAME.legal(state, seat))
                assert len({GAME.text(action) for action in actions}) == len(actions)
                for action in rng.sample(actions, min(len(actions), 30)):
                    assert GAME.parse(state, seat, GAME.text(action)) == action
                    assert from_json(to_json(action), GAME.Action) == action
                    for event in GAME.play(state, seat, action).events:
                        assert from_json(to_json(event), GAME.Event) == event


def test_seats_count_from_one_in_texts() -> None:
    assert GAME.text(Guess(0, (1, 2, 3))) == "guess @1 1 2 3"
