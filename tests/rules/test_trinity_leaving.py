"""Leaving a game of TRiNITY at every stage."""

from __future__ import annotations

import random

import pytest

from rules.game import Illegal, Left, NotYourTurn, Result
from rules.trinity import GAME
from rules.trinity.state import Player, Question, TrinityOptions, TrinityState
from tests.rules.trinity_tables import act, after, dealt, held, table

THREE = (held("0124", "863"), held("11", "222"), held("19", "444"))


def test_the_cards_of_one_who_leaves_are_laid_open_and_out_of_the_game() -> None:
    state, events = act(table(*THREE), "2 leaves")
    assert events == (Left(1),)
    assert GAME.said(events[0]) == "left 2"
    seen = GAME.view(state, 0).players[1]
    assert (seen.left, seen.targets, seen.laid_open) == (True, (2, 2, 2), (1, 1))
    assert state.pile == table(*THREE).pile


def test_nobody_names_or_guesses_one_who_has_left() -> None:
    state = after(table(held("2679", "863"), *THREE[1:]), "2 leaves")
    assert {action.opponent for action in GAME.legal(state, 0)} == {2}  # type: ignore[union-attr]
    state = after(state, "1 play 7 @3")
    with pytest.raises(Illegal) as refused:
        after(state, "1 guess @2 2 2 2")
    assert refused.value.rule == "opponent"


def test_one_leaves_once() -> None:
    with pytest.raises(Illegal) as refused:
        after(table(*THREE), "2 leaves", "2 leaves")
    assert refused.value.rule == "left"
    with pytest.raises(NotYourTurn):
        after(table(*THREE), "2 leaves", "2 skip")


@pytest.mark.parametrize("seat", [-1, 3])
def test_nobody_leaves_who_is_not_there(seat: int) -> None:
    with pytest.raises(Illegal):
        GAME.leave(table(*THREE), seat)


def test_the_last_one_left_wins() -> None:
    state = after(table(*THREE), "3 leaves", "1 leaves")
    assert GAME.result(state) == Result((1,))
    assert GAME.result(after(table(*THREE[:2]), "2 leaves")) == Result((0,))


# -- While targets are chosen ------------------------------------------------------------------------------------


def keeping(first: int) -> tuple[TrinityState, list[str]]:
    """A new game in which this seat starts, and a line for each seat to choose its targets."""
    state = dealt(3, TrinityOptions(), random.Random(3)).but(turn=first)
    return state, [f"{n + 1} keep " + " ".join(map(str, player.hand[:3])) for n, player in enumerate(state.players)]


def test_the_start_passes_on_if_they_were_to_begin() -> None:
    state, keeps = keeping(2)
    assert after(state, "3 leaves", keeps[0], keeps[1]).turn == 0
    assert after(state, "3 leaves", "1 leaves").winner == 1
    assert after(state, "1 leaves", keeps[1], keeps[2]).turn == 2


def test_the_start_passes_on_also_after_the_first_has_chosen() -> None:
    state, keeps = keeping(0)
    assert after(state, keeps[0], "1 leaves", keeps[1], keeps[2]).turn == 1


def test_play_starts_when_the_last_to_choose_leaves() -> None:
    state, keeps = keeping(0)
    state = after(state, keeps[0], keeps[1], "3 leaves")
    assert (state.question, GAME.to_act(state), len(state.players[0].hand)) == (Question.PLAY, (0,), 3)


def test_the_five_cards_of_one_who_never_chose_are_laid_open() -> None:
    state, _ = keeping(0)
    seen = GAME.view(after(state, "3 leaves"), None).players[2]
    assert len(seen.laid_open) == 5
    assert (seen.chosen, seen.targets) == (False, (None, None, None))


# -- In one's own turn -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["1 play 0"],
        ["1 play 0", "1 discard 1 2"],
        ["1 play 0", "1 discard 1 2", "1 arrange 1 2 3"],
        ["1 play 1"],
        ["1 play 2 @3"],
        ["1 play 2 @2", "2 discard 1"],
        ["1 play 4"],
        ["1 play 4", "1 order 1 2 3"],
    ],
    ids=lambda lines: lines[-1] if lines else "to play",
)
def test_the_turn_goes_to_the_next_one(lines: list[str]) -> None:
    state = after(table(*THREE), *lines, "1 leaves")
    assert GAME.to_act(state) == (1,)
    assert (state.turn, state.question, state.guesses) == (1, Question.PLAY, 1)
    assert len(state.players[1].hand) == len(THREE[1].hand) + 1 - ("2 discard 1" in lines), "they have drawn"


def test_a_second_guess_is_not_left_behind() -> None:
    state = after(table(held("5", "863"), *THREE[1:]), "1 play 5", "1 leaves")
    assert (state.turn, state.guesses) == (1, 1)


def test_the_turn_skips_one_who_has_left() -> None:
    assert after(table(held("7", "863"), *THREE[1:]), "2 leaves", "1 play 7 @3", "1 skip").turn == 2


# -- In another's turn -------------------------------------------------------------------------------------------


def test_the_question_put_to_a_victim_falls_away_when_they_leave() -> None:
    state = after(table(*THREE), "1 play 2 @2", "2 leaves")
    assert (GAME.to_act(state), state.question, state.victim) == ((0,), Question.GUESS, None)
    assert state.players[1].area == ()


def test_a_third_who_leaves_changes_nothing_of_a_question() -> None:
    state = after(table(*THREE), "1 play 2 @2", "3 leaves")
    assert (GAME.to_act(state), state.question) == ((1,), Question.DISCARD)
    for line, question in [("1 play 0", Question.DISCARD_TARGETS), ("1 play 1", Question.SWAP)]:
        state = after(table(*THREE), line, "3 leaves")
        assert (GAME.to_act(state), state.question) == ((0,), question)


def test_an_effect_may_become_impossible_by_a_leaving() -> None:
    state = table(held("2", "863"), held("", "222"), held("1", "444"))
    assert GAME.text(GAME.legal(state, 0)[0]) == "play 2 @3"
    assert GAME.text(GAME.legal(after(state, "3 leaves"), 0)[0]) == "play 2"


def test_what_a_leaver_foresaw_is_forgotten() -> None:
    state = after(table(*THREE), "1 play 4", "1 leaves")
    assert state.players[0] == Player((0, 1, 2), (8, 6, 3), (True, True, True), (4,), left=True)
