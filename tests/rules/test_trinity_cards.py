"""TRiNITY card by card, titled by the rule each test proves."""

from __future__ import annotations

import pytest

from rules.game import Illegal
from rules.trinity import GAME
from rules.trinity.cards import CARDS, DIGITS
from rules.trinity.state import Discarded, Drawn, Guess, Looked, Play, Played, Question, TrinityState
from rules.trinity.view import usable
from tests.rules.trinity_tables import act, after, held, legal_texts, table, told


def rule(state: TrinityState, seat: int, text: str) -> str:
    """The rule that refuses this."""
    with pytest.raises(Illegal) as refused:
        GAME.play(state, seat, GAME.parse(state, seat, text))
    return refused.value.rule


# -- 0 -----------------------------------------------------------------------------------------------------------


def test_recovery_puts_two_targets_into_the_area_and_two_new_ones_in_their_places() -> None:
    state, events = act(table(held("03", "863"), held("11", "222"), pile="459"), "1 play 0")
    assert state.question is Question.DISCARD_TARGETS
    assert legal_texts(state, 0) == ["discard 1 2", "discard 1 3", "discard 2 3"]
    state, events = act(state, "1 discard 1 3")
    player = state.players[0]
    assert player.targets == (4, 6, 5), "first drawn in the lower position"
    assert player.area == (0, 3, 8), "both face up, the smaller digit first"
    assert state.pile == (9,)
    assert Discarded(0, (3, 8)) in events
    assert Drawn(0, (4, 5)) in events
    state = after(state, "1 arrange 3 1 2")
    assert state.players[0].targets == (5, 4, 6)
    assert state.question is Question.GUESS


def test_recovery_keeps_a_revealed_target_revealed_wherever_it_goes() -> None:
    state = after(table(held("03", "863", shown="6"), held("11", "222")), "1 play 0", "1 discard 1 3")
    assert state.players[0].revealed == (False, True, False)
    assert after(state, "1 arrange 2 1 3").players[0].revealed == (True, False, False)


def test_recovery_hides_new_targets_where_revealed_ones_were() -> None:
    state = after(table(held("03", "863", shown="83"), held("11", "222")), "1 play 0", "1 discard 1 3")
    assert state.players[0].revealed == (False, False, False)


def test_recovery_forgets_the_answers_about_the_old_targets() -> None:
    state = after(table(held("77", "123"), held("00", "456")), "1 play 7 @2", "1 skip", "2 play 0")
    assert state.players[1].answers
    assert not after(state, "2 discard 1 2").players[1].answers


@pytest.mark.parametrize("pile", ["", "5"])
def test_recovery_cannot_be_used_with_fewer_than_two_cards_in_the_pile(pile: str) -> None:
    state = after(table(held("03", "863"), held("11", "222"), pile=pile), "1 play 0")
    assert state.question is Question.GUESS
    assert state.players[0].targets == (8, 6, 3)
    assert state.players[0].area == (0,)


# -- 1 -----------------------------------------------------------------------------------------------------------


def test_transplant_swaps_in_place_and_hides_the_new_target() -> None:
    state = after(table(held("137", "863", shown="86"), held("11", "222")), "1 play 1")
    assert legal_texts(state, 0) == ["swap 1 3", "swap 1 7", "swap 2 3", "swap 2 7", "swap 3 3", "swap 3 7"]
    player = after(state, "1 swap 2 7").players[0]
    assert (player.targets, sorted(player.hand)) == ((8, 7, 3), [3, 6])
    assert player.revealed == (True, False, False)


def test_transplant_counts_the_hand_after_the_card_has_left_it() -> None:
    assert after(table(held("1", "863"), held("11", "222")), "1 play 1").question is Question.GUESS


def test_transplant_forgets_the_answers_about_the_old_targets() -> None:
    state = after(table(held("77", "123"), held("19", "456")), "1 play 7 @2", "1 skip", "2 play 1")
    assert state.players[1].answers
    assert not after(state, "2 swap 1 9").players[1].answers


# -- 2 -----------------------------------------------------------------------------------------------------------


def test_delete_lets_the_victim_choose_and_has_no_effect_of_the_discarded_card() -> None:
    state = after(table(held("25", "863"), held("497", "222"), pile="55"), "1 play 2 @2")
    assert GAME.to_act(state) == (1,)
    assert legal_texts(state, 1) == ["discard 4", "discard 7", "discard 9"]
    state, events = act(state, "2 discard 4")
    assert events == (Discarded(1, (4,)),)
    assert (state.players[1].hand, state.players[1].area) == ((9, 7), (4,))
    assert (GAME.to_act(state), state.question) == ((0,), Question.GUESS)


def test_delete_names_only_opponents_who_hold_cards() -> None:
    state = table(held("2", "863"), held("", "222"), held("7", "444"))
    assert legal_texts(state, 0) == ["play 2 @3"]
    assert rule(state, 0, "play 2 @2") == "no_cards"


def test_delete_cannot_be_used_when_no_opponent_holds_a_card() -> None:
    state = table(held("2", "863"), held("", "222"))
    assert legal_texts(state, 0) == ["play 2"]
    assert rule(state, 0, "play 2 @2") == "names_too_much"
    assert after(state, "1 play 2").question is Question.GUESS


# -- 3 -----------------------------------------------------------------------------------------------------------


def test_raise_draws_one_card_for_its_owner_alone() -> None:
    state, events = act(table(held("3", "863"), held("11", "222"), pile="59"), "1 play 3")
    assert state.players[0].hand == (5,)
    assert state.pile == (9,)
    assert [event.audience() for event in events if isinstance(event, Drawn)] == [(0,)]


def test_raise_cannot_be_used_with_an_empty_pile() -> None:
    state, events = act(table(held("35", "863"), held("11", "222"), pile=""), "1 play 3")
    assert events == (Played(0, 3, False),)
    assert state.players[0].hand == (5,)


# -- 4 -----------------------------------------------------------------------------------------------------------


def test_hand_of_god_shows_the_top_three_to_the_player_alone_and_orders_them() -> None:
    state, events = act(table(held("4", "863"), held("11", "222"), pile="5690"), "1 play 4")
    assert Looked(0, (5, 6, 9)) in events
    assert Looked(0, (5, 6, 9)).audience() == (0,)
    assert len(legal_texts(state, 0)) == 6
    state = after(state, "1 order 3 1 2")
    assert state.pile == (9, 5, 6, 0)
    assert state.players[0].foreseen == (9, 5, 6)


@pytest.mark.parametrize(("pile", "orders"), [("5", ["order 1"]), ("56", ["order 1 2", "order 2 1"])])
def test_hand_of_god_takes_all_that_is_left(pile: str, orders: list[str]) -> None:
    assert legal_texts(after(table(held("4", "863"), held("11", "222"), pile=pile), "1 play 4"), 0) == orders


def test_hand_of_god_cannot_be_used_with_an_empty_pile() -> None:
    state = after(table(held("4", "863"), held("11", "222"), pile=""), "1 play 4")
    assert state.question is Question.GUESS


def test_what_a_4_showed_is_known_until_drawn_or_ordered_by_another() -> None:
    state = table(held("44", "863"), held("45", "222"), pile="56901")
    state = after(state, "1 play 4", "1 order 1 2 3", "1 skip")
    assert state.players[0].foreseen == (6, 9), "the other player drew the first"
    state = after(state, "2 play 4", "2 order 1 2 3")
    assert state.players[0].foreseen == ()
    assert state.players[1].foreseen == (6, 9, 0)


# -- 5 -----------------------------------------------------------------------------------------------------------


def test_double_call_gives_two_guesses_at_whom_one_likes() -> None:
    state = after(table(held("5", "863"), held("11", "222"), held("11", "444")), "1 play 5")
    state = after(state, "1 guess @2 0 0 0")
    assert (state.turn, state.question, state.guesses) == (0, Question.GUESS, 1)
    assert after(state, "1 guess @3 0 0 0").turn == 1


def test_declining_after_a_double_call_gives_up_one_guess_of_two() -> None:
    state = after(table(held("5", "863"), held("11", "222")), "1 play 5", "1 skip")
    assert state.turn == 0
    assert after(state, "1 skip").turn == 1


def test_a_double_call_ends_with_the_turn() -> None:
    state = after(table(held("5", "863"), held("11", "222")), "1 play 5", "1 skip", "1 skip", "2 play 1", "2 swap 1 1")
    assert after(state, "2 skip").turn == 0


# -- 6 -----------------------------------------------------------------------------------------------------------


def test_inquiry_reveals_every_target_with_the_digit() -> None:
    state = table(held("6", "863"), held("11", "323"))
    assert told(state, "1 play 6 @2 3") == ["open 1=3 3=3"]
    assert after(state, "1 play 6 @2 3").players[1].revealed == (True, False, True)
    assert told(state, "1 play 6 @2 9") == ["open none"]


def test_inquiry_names_open_targets_again() -> None:
    assert told(table(held("6", "863"), held("11", "323", shown="3")), "1 play 6 @2 3") == ["open 1=3 3=3"]


def test_inquiry_needs_an_opponent_and_a_digit() -> None:
    state = table(held("6", "863"), held("11", "323"))
    for action, why in [
        (Play(6), "opponent_missing"),
        (Play(6, 1), "digit_missing"),
        (Play(6, 0, digit=3), "opponent"),
        (Play(6, 2, digit=3), "opponent"),
        (Play(6, 1, digit=10), "digit"),
        (Play(6, 1, digit=3, position=1), "names_too_much"),
    ]:
        with pytest.raises(Illegal) as refused:
            GAME.play(state, 0, action)
        assert refused.value.rule == why


# -- 7 and 8 -----------------------------------------------------------------------------------------------------


def test_addition_tells_the_sum() -> None:
    assert told(table(held("7", "863"), held("11", "312")), "1 play 7 @2") == ["sum 6"]


def test_subtraction_tells_largest_minus_smallest() -> None:
    assert told(table(held("8", "863"), held("11", "521")), "1 play 8 @2") == ["range 4"]


def test_revealed_targets_still_count_for_every_answer() -> None:
    state = table(held("78", "863"), held("11", "521", shown="521"))
    assert told(state, "1 play 7 @2") == ["sum 8"]
    assert told(state, "1 play 8 @2") == ["range 4"]
    assert told(after(state, "1 play 8 @2"), "1 guess @2 5 2 0") == ["hits 2"]


# -- 9 -----------------------------------------------------------------------------------------------------------


def test_wanted_reveals_the_position_named() -> None:
    state = table(held("9", "863"), held("11", "521"))
    assert told(state, "1 play 9 @2 2") == ["open 2=2"]
    assert after(state, "1 play 9 @2 2").players[1].revealed == (False, True, False)


def test_wanted_cannot_name_an_open_position() -> None:
    state = table(held("9", "863"), held("11", "521", shown="2"))
    assert legal_texts(state, 0) == ["play 9 @2 1", "play 9 @2 3"]
    assert rule(state, 0, "play 9 @2 2") == "open"


def test_wanted_cannot_be_used_when_no_opponent_has_a_hidden_target() -> None:
    state = table(held("9", "863"), held("11", "521", shown="521"))
    assert legal_texts(state, 0) == ["play 9"]
    assert after(state, "1 play 9").question is Question.GUESS


def test_wanted_may_name_the_one_opponent_who_has_a_hidden_target() -> None:
    state = table(held("9", "863"), held("11", "521", shown="521"), held("1", "777"))
    assert legal_texts(state, 0) == ["play 9 @3 1", "play 9 @3 2", "play 9 @3 3"]


# -- All of them -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", DIGITS)
def test_no_card_is_played_that_is_not_held(card: int) -> None:
    hand = "".join(str(digit) for digit in DIGITS if digit != card)
    assert rule(table(held(hand, "863"), held("11", "222")), 0, f"play {card}") == "hand"


@pytest.mark.parametrize("card", DIGITS)
def test_the_view_tells_which_effects_can_be_used(card: int) -> None:
    best = table(held("0123456789", "863"), held("1", "222"))
    assert usable(GAME.view(best, 0), 0, card)
    worst = table(held(str(card), "863"), held("", "222", shown="2"), pile="")
    assert usable(GAME.view(worst, 0), 0, card) == (card in (5, 6, 7, 8))


@pytest.mark.parametrize("card", DIGITS)
def test_whatever_the_card_the_turn_goes_on_to_the_guess(card: int) -> None:
    state = table(held(f"{card}55", "863"), held("1", "222"))
    first = next(action for action in GAME.legal(state, 0) if isinstance(action, Play) and action.card == card)
    state = GAME.play(state, 0, first).state
    while state.question is not Question.GUESS:
        seat = GAME.to_act(state)[0]
        state = GAME.play(state, seat, GAME.legal(state, seat)[0]).state
    assert state.players[0].area[0] == card
    assert Guess(1, (2, 2, 2)) in GAME.legal(state, 0)


def test_cards_are_at_their_digits_and_say_when_they_cannot_be_used() -> None:
    assert [card.digit for card in CARDS] == list(DIGITS)
    assert {card.digit for card in CARDS if card.needs} == {0, 1, 2, 3, 4, 9}
    assert {card.digit for card in CARDS if card.opponent} == {2, 6, 7, 8, 9}
