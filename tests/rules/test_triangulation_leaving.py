"""Leaving the word game at every stage."""

from __future__ import annotations

import pytest

from rules.game import Illegal
from rules.triangulation import GAME
from rules.triangulation.state import Outcome, State
from tests.rules.triangulation_tables import WRITTEN, after, played, seats_to_act, table, texts

SIX_WRITTEN = WRITTEN
"""With six players too, seats 1 and 2 are the first Insiders; teams 1 3 5 and 2 4 6."""


def insiders(state: State) -> list[int | None]:
    return [mission.insider + 1 if mission is not None else None for mission in state.missions]


def won_by(state: State) -> list[int]:
    assert state.result is not None
    return [seat + 1 for seat in state.result.winners]


def test_a_team_plays_on_while_two_remain() -> None:
    state, events = played(table(6), "5 leaves")
    assert (events, state.result) == (["left 5"], None)


def test_a_team_of_fewer_than_two_loses() -> None:
    state, events = played(table(4), "3 leaves")
    assert (events, won_by(state), state.scores) == (["left 3"], [2, 4], (0, 0))


def test_all_seats_of_the_team_win_also_who_left_it() -> None:
    assert won_by(after(table(6), "6 leaves", "1 leaves", "3 leaves")) == [2, 4, 6]


def test_an_insider_who_leaves_before_choosing_is_replaced_by_the_next_member_with_a_new_card() -> None:
    state, events = played(table(6), "1 leaves")
    assert (events, insiders(state)) == (["left 1"], [3, 2])
    assert GAME.view(state, 2).mission.card[0].text == "Frida Kahlo"  # type: ignore[union-attr]
    assert texts(state, 3)[0] == "choose 1"


def test_an_insider_who_leaves_before_their_clues_are_down_is_replaced_too() -> None:
    state = after(table(6), "1 choose 4", "1 leaves")
    assert (insiders(state), texts(state, 3)[0]) == ([3, 2], "choose 1")


def test_the_next_member_after_the_last_is_the_first() -> None:
    state = after(table(6), "1 leaves", "3 choose 1")
    assert insiders(state) == [3, 2]
    state = after(table(8), "1 leaves", "3 leaves", "2 leaves")
    assert insiders(state) == [5, 4]
    state = after(table(6, insider="volunteer"), "5 insider", "5 leaves")
    assert insiders(state) == [1, None]


def test_an_insider_who_leaves_while_the_other_writes_makes_their_message_void() -> None:
    state = after(table(6), *SIX_WRITTEN[:3])
    state, events = played(state, "1 leaves")
    assert events == ["left 1", "message The Bible"]
    assert (state.finished[0].outcome, state.finished[0].clues) == (Outcome.VOID, ("Book", "John", "Paul"))
    assert (seats_to_act(state), insiders(state)) == ([2], [1, 2])
    state = after(state, SIX_WRITTEN[3])
    assert seats_to_act(state) == [3, 5], "only the other message is guessed"
    guessing = GAME.view(state, None).table.guessing
    assert guessing is not None
    assert guessing.number == 2
    state = after(state, "3 flip A", "3 guess White House")
    assert (state.round, insiders(state), state.scores) == (2, [3, 4], (1, 0))


def test_an_insider_who_leaves_while_their_message_is_guessed_makes_it_void_and_nobody_scores() -> None:
    state = after(table(6), *SIX_WRITTEN, "2 flip A", "2 pass")
    state, events = played(state, "1 leaves")
    assert (events, state.scores) == (["left 1", "message The Bible"], (0, 0))
    assert seats_to_act(state) == [3, 5], "the 2nd Insider's message is next"


def test_an_insider_who_leaves_while_ruling_leaves_the_guess_unruled() -> None:
    state = after(table(6), *SIX_WRITTEN, "2 flip A", "2 guess Koran")
    state, events = played(state, "1 leaves")
    assert events == ["left 1", "message The Bible"]
    assert [(guess.text, guess.right) for guess in state.finished[0].tries] == [("Koran", None)]


def test_an_insider_whose_message_is_second_may_leave_during_the_first() -> None:
    state = after(table(6), *SIX_WRITTEN, "2 flip A")
    state, events = played(state, "2 leaves")
    assert events == ["left 2", "message The White House"]
    assert seats_to_act(state) == [4, 6], "the first message goes on"
    state = after(state, "4 guess Bible")
    assert (state.round, insiders(state)) == (2, [3, 4])


def test_both_insiders_leave_and_the_next_round_begins() -> None:
    state = after(table(6), *SIX_WRITTEN, "1 leaves", "2 leaves")
    assert (state.round, insiders(state), state.scores) == (2, [3, 4], (0, 0))


def test_an_insider_who_leaves_after_their_message_is_done_changes_nothing() -> None:
    state = after(table(6), *SIX_WRITTEN, "2 flip A", "2 guess Bible")
    state, events = played(state, "1 leaves")
    assert (events, seats_to_act(state)) == (["left 1"], [3, 5])


def test_a_void_message_is_shown_before_a_team_loses() -> None:
    state, events = played(after(table(4), *WRITTEN, "2 flip A"), "1 leaves")
    assert (events, won_by(state)) == (["left 1", "message The Bible"], [2, 4])


def test_a_guesser_who_leaves_takes_no_part_any_more() -> None:
    state = after(table(6), *SIX_WRITTEN, "2 flip A", "4 leaves")
    assert seats_to_act(state) == [2, 6]


def test_a_proposal_stands_when_its_proposer_leaves() -> None:
    state = after(table(6, lock_in="agreed"), *SIX_WRITTEN, "2 flip A", "4 guess Bible", "4 leaves")
    assert texts(state, 2) == ["guess …", "agree", "pass"]
    assert played(state, "6 agree")[1] == ["right", "point 2", "message The Bible"]


def test_who_is_left_alone_to_guess_needs_nobody_to_agree() -> None:
    state = after(
        table(6, lock_in="agreed"), *SIX_WRITTEN, "2 flip A", "2 pass", "4 agree", "2 flip B", "2 pass", "4 agree"
    )
    assert seats_to_act(state) == [3, 5]
    assert played(after(state, "5 leaves"), "3 guess Bible")[1][0] == "right"


def test_a_leaver_may_not_volunteer_and_their_team_still_can() -> None:
    state = after(table(6, insider="volunteer"), "3 leaves")
    assert seats_to_act(state) == [1, 2, 4, 5, 6]
    assert insiders(after(state, "1 insider")) == [1, None]


def test_rotation_passes_over_those_who_left() -> None:
    state = after(table(6), *SIX_WRITTEN, "3 leaves", "2 flip A", "2 guess Bible", "1 flip A", "1 guess White House")
    assert insiders(state) == [5, 4]


def test_nobody_leaves_twice() -> None:
    with pytest.raises(Illegal):
        GAME.leave(after(table(6), "5 leaves"), 4)


# -- Three players -------------------------------------------------------------------------------------------------


def test_three_players_the_game_ends_and_the_higher_score_wins() -> None:
    state = after(table(3, first=0), "1 choose 4", "1 clues Book | John | Paul", "2 flip A", "2 guess Bible")
    assert won_by(after(state, "1 leaves")) == [2]
    assert won_by(after(state, "2 leaves")) == [1, 3], "equal scores together"
    assert after(state, "2 leaves").scores == (0, 1, 0)


def test_three_players_an_insider_who_leaves_has_their_message_shown() -> None:
    state = after(table(3, first=0), "1 choose 4", "1 clues Book | John | Paul", "2 flip A")
    state, events = played(state, "1 leaves")
    assert (events, won_by(state)) == (["left 1", "message The Bible"], [2, 3])
    state, events = played(table(3, first=0), "1 choose 4", "1 leaves")
    assert (events, won_by(state)) == (["left 1"], [2, 3])
