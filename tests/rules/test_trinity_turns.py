"""TRiNITY from the deal to the end: choosing, turns, guesses, options, refusals."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.game import BadDeal, BadHeader, BadOption, GameOver, Header, Illegal, NotYourTurn, Result
from rules.trinity import GAME
from rules.trinity.state import (
    Arrange,
    Chose,
    Discard,
    DiscardTargets,
    Guess,
    Hits,
    Keep,
    Order,
    Play,
    Question,
    Skip,
    Swap,
    TrinityAction,
    TrinityDeal,
    TrinityOptions,
    TrinitySetup,
    TrinityState,
)
from tests.rules.trinity_tables import TABLES, act, after, dealt, held, legal_texts, random_game, table, told

DECK = tuple(int(digit) for digit in "314159265" + "0987654321" + "06872703849")
"""A full deck: seats 1 to 3 hold 31415, 92650, 98765; then the pile 4 3 2 1 …"""


def start(seats: int = 2, first: int = 0, **options: str) -> TrinityState:
    deal = TrinityDeal(first=first, deck=DECK)
    return GAME.start(TrinitySetup(seats=seats), TrinityOptions.of(options), deal)


def refusal(state: TrinityState, seat: int, action: TrinityAction) -> Any:
    with pytest.raises(Illegal) as refused:
        GAME.play(state, seat, action)
    return refused.value.rule


# -- Deal --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_everybody_is_dealt_five_cards_in_order_and_the_rest_is_the_pile(seats: int, options: TrinityOptions) -> None:
    setup = TrinitySetup(seats=seats)
    deal = GAME.deal(setup, options, random.Random(7))
    state = GAME.start(setup, options, deal)
    assert sorted(deal.deck) == sorted(list(range(10)) * options.copies)
    assert [player.hand for player in state.players] == [deal.deck[5 * n : 5 * n + 5] for n in range(seats)]
    assert state.pile == deal.deck[5 * seats :]
    assert GAME.to_act(state) == tuple(range(seats))


def test_who_starts_is_drawn_by_lot() -> None:
    setup, rng = TrinitySetup(seats=3), random.Random(1)
    assert {GAME.deal(setup, TrinityOptions(), rng).first for _ in range(50)} == {0, 1, 2}


def test_the_short_deck_is_for_two() -> None:
    with pytest.raises(BadOption):
        dealt(3, TrinityOptions(deck="short"), random.Random(1))


@pytest.mark.parametrize("first", [-1, 2])
def test_a_deal_names_a_seat_to_start(first: int) -> None:
    with pytest.raises(BadDeal):
        start(2, first)


def test_a_deal_holds_just_the_cards_of_its_deck() -> None:
    for deck in [DECK[1:], (*DECK[1:], 10), DECK + DECK[:1]]:
        with pytest.raises(BadDeal):
            GAME.start(TrinitySetup(seats=2), TrinityOptions(), TrinityDeal(first=0, deck=deck))
    with pytest.raises(BadDeal):
        GAME.start(TrinitySetup(seats=2), TrinityOptions(deck="short"), TrinityDeal(first=0, deck=DECK))


@pytest.mark.parametrize("seats", [1, 4])
def test_two_or_three_play(seats: int) -> None:
    with pytest.raises(BadHeader):
        start(seats)


def test_headers_round_trip() -> None:
    setup, deal = TrinitySetup(seats=3), TrinityDeal(first=2, deck=DECK)
    lines = GAME.headers(setup, deal)
    assert [line.name for line in lines] == list(GAME.chance)
    assert GAME.read_headers(3, TrinityOptions(), (*lines, Header("Event", "x"))) == (setup, deal)


@pytest.mark.parametrize(
    "lines",
    [
        ["Deck: 1 2"],
        ["First: 1"],
        ["First: 1", "First: 1", "Deck: 1 2"],
        ["First: one", "Deck: 1 2"],
        ["First: 1 2", "Deck: 1 2"],
        ["First: ١", "Deck: 1 2"],
        ["First: 1", "Deck: 1,2"],
        ["First: 1", "Deck:"],
    ],
)
def test_headers_that_cannot_be_are_refused(lines: list[str]) -> None:
    headers = [Header(line.partition(":")[0], line.partition(":")[2].strip(), n) for n, line in enumerate(lines, 3)]
    with pytest.raises(BadHeader):
        GAME.read_headers(2, TrinityOptions(), headers)


# -- Choosing ----------------------------------------------------------------------------------------------------


def test_all_choose_at_once_in_any_order_and_then_the_first_player_draws() -> None:
    state = start(3, first=2)
    state, events = act(state, "2 keep 9 2 6")
    assert events == (Chose(1),)
    assert GAME.to_act(state) == (0, 2)
    state = after(state, "3 keep 9 7 5")
    assert GAME.to_act(state) == (0,)
    state = after(state, "1 keep 1 1 3")
    assert GAME.to_act(state) == (2,)
    assert state.question is Question.PLAY
    assert [player.hand for player in state.players] == [(4, 5), (5, 0), (8, 6, 4)]


def test_equal_cards_make_no_further_choices() -> None:
    assert len(legal_texts(start(), 0)) == 33
    assert len(legal_texts(start(), 1)) == 60
    assert "keep 1 1 3" in legal_texts(start(), 0)
    assert "keep 1 1 1" not in legal_texts(start(), 0)


def test_targets_are_chosen_once() -> None:
    state = after(start(), "1 keep 3 1 4")
    with pytest.raises(NotYourTurn) as refused:
        GAME.play(state, 0, Keep((1, 1, 5)))
    assert refused.value.facts == {"to_act": (1,)}


@pytest.mark.parametrize("targets", [(3, 1, 9), (1, 1, 1), (3, 3, 1), (3, 1, 10), (3, 1, -1)])
def test_targets_come_from_the_five_cards(targets: tuple[int, int, int]) -> None:
    assert refusal(start(), 0, Keep(targets)) == "hand"


def test_there_are_three_targets() -> None:
    assert refusal(start(), 0, Keep((3, 1))) == "targets"  # type: ignore[arg-type]


# -- Turns -------------------------------------------------------------------------------------------------------


def test_a_turn_is_draw_play_guess() -> None:
    state = after(start(), "1 keep 3 1 4", "2 keep 9 2 6")
    assert state.players[0].hand == (1, 5, 9)
    assert state.drawn == (9,)
    state = after(state, "1 play 5")
    assert state.players[0].area == (5,)
    state = after(state, "1 skip", "1 guess @2 0 0 0")
    assert (state.turn, state.players[1].hand) == (1, (5, 0, 8))


def test_with_an_empty_pile_one_plays_what_one_holds() -> None:
    state = after(table(held("7", "863"), held("12", "222"), pile=""), "1 play 7 @2", "1 skip")
    assert (state.turn, state.question) == (1, Question.PLAY)
    assert legal_texts(state, 1) == ["play 1", "play 2"]


def test_with_an_empty_pile_and_hand_the_turn_is_just_the_guess() -> None:
    state = after(table(held("7", "863"), held("", "222"), pile=""), "1 play 7 @2", "1 skip")
    assert (state.turn, state.question) == (1, Question.GUESS)
    state = after(state, "2 skip")
    assert (state.turn, state.question) == (0, Question.GUESS)


def test_the_drawn_card_may_be_the_only_one_to_play() -> None:
    state = after(table(held("7", "863"), held("", "222"), pile="3"), "1 play 7 @2", "1 skip")
    assert legal_texts(state, 1) == ["play 3"]


def test_a_card_must_be_played_before_the_guess() -> None:
    state = table(held("7", "863"), held("1", "222"))
    assert refusal(state, 0, Guess(1, (2, 2, 2))) == "not_now"
    assert refusal(state, 0, Skip()) == "not_now"


def test_one_card_a_turn() -> None:
    assert refusal(after(table(held("77", "863"), held("1", "222")), "1 play 7 @2"), 0, Play(7, 1)) == "not_now"


# -- Guesses -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("digits", "hits"), [("222", 0), ("888", 1), ("638", 0), ("368", 1), ("860", 2), ("863", 3)])
def test_the_answer_is_how_many_positions_are_right(digits: str, hits: int) -> None:
    state = table(held("", "863"), held("", "863"))
    assert told(state, "1 guess @2 " + " ".join(digits)) == [f"hits {hits}"]


def test_three_hits_win_at_once_also_with_three_players() -> None:
    state = after(table(held("5", "863"), held("1", "222"), held("1", "444")), "1 play 5", "1 guess @3 4 4 4")
    assert GAME.result(state) == Result((0,))
    assert GAME.to_act(state) == ()
    assert GAME.legal(state, 0) == ()
    for seat in range(3):
        with pytest.raises(GameOver):
            GAME.play(state, seat, Skip())
        with pytest.raises(GameOver):
            GAME.leave(state, seat)


@pytest.mark.parametrize("opponent", [-1, 0, 3])
def test_nobody_guesses_themselves_or_one_who_is_not_there(opponent: int) -> None:
    assert (
        refusal(table(held("", "863"), held("", "222"), held("", "444")), 0, Guess(opponent, (1, 2, 3))) == "opponent"
    )


@pytest.mark.parametrize("digits", [(1, 2), (1, 2, 3, 4), (1, 2, 10), (-1, 2, 3)])
def test_a_guess_is_three_digits(digits: Any) -> None:
    assert refusal(table(held("", "863"), held("", "222")), 0, Guess(1, digits)) == "digit"


def test_the_list_of_guesses_holds_all_triples_an_opponent_then_skip() -> None:
    guesses = GAME.legal(table(held("", "863"), held("", "222"), held("", "444")), 0)
    assert len(guesses) == 2001
    assert guesses[:1000] == tuple(Guess(1, (n // 100, n // 10 % 10, n % 10)) for n in range(1000))
    assert guesses[2000] == Skip()


def test_guessing_out_of_turn_or_twice_is_refused() -> None:
    state = table(held("", "863"), held("", "222"), pile="")
    with pytest.raises(NotYourTurn):
        GAME.play(state, 1, Guess(0, (1, 2, 3)))
    with pytest.raises(NotYourTurn):
        GAME.play(after(state, "1 guess @2 1 2 3"), 0, Guess(1, (1, 2, 3)))


# -- Whom to guess -----------------------------------------------------------------------------------------------


def test_with_left_one_guesses_only_the_player_after_oneself_but_effects_name_anyone() -> None:
    state = table(held("7", "863"), held("1", "222"), held("1", "444"), third="left")
    assert legal_texts(state, 0) == ["play 7 @2", "play 7 @3"]
    state = after(state, "1 play 7 @3")
    assert len(GAME.legal(state, 0)) == 1001
    assert refusal(state, 0, Guess(2, (1, 2, 3))) == "after_you"
    assert told(state, "1 guess @2 2 2 3") == ["hits 2"]


def test_with_left_the_player_after_the_last_is_the_first() -> None:
    state = table(held("1", "863"), held("1", "222"), held("", "444"), turn=2, third="left")
    assert {action.opponent for action in GAME.legal(state, 2) if isinstance(action, Guess)} == {0}


def test_with_left_the_player_after_you_is_the_next_one_still_in() -> None:
    state = table(held("", "863"), held("1", "222"), held("1", "444"), third="left")
    state = after(state, "2 leaves")
    assert {action.opponent for action in GAME.legal(state, 0) if isinstance(action, Guess)} == {2}


# -- What answers a question -------------------------------------------------------------------------------------


def test_what_does_not_answer_the_question_is_refused_and_changes_nothing() -> None:
    swapping = after(table(held("137", "863"), held("11", "222")), "1 play 1")
    assert refusal(swapping, 0, Swap(3, 3)) == "position"
    assert refusal(swapping, 0, Swap(-1, 3)) == "position"
    assert refusal(swapping, 0, Swap(0, 8)) == "hand"
    giving = after(table(held("03", "863"), held("11", "222")), "1 play 0")
    positions: list[Any] = [(0, 0), (2, 0), (0, 3), (0,), (0, 1, 2)]
    for pair in positions:
        assert refusal(giving, 0, DiscardTargets(pair)) == "positions"
    arranging = after(giving, "1 discard 1 2")
    orders: list[Any] = [(0, 0, 1), (0, 1), (1, 2, 3)]
    for order in orders:
        assert refusal(arranging, 0, Arrange(order)) == "order"
    ordering = after(table(held("4", "863"), held("11", "222")), "1 play 4")
    for order in orders:
        assert refusal(ordering, 0, Order(order)) == "order"
    robbed = after(table(held("2", "863"), held("15", "222")), "1 play 2 @2")
    assert refusal(robbed, 1, Discard(2)) == "hand"
    with pytest.raises(NotYourTurn):
        GAME.play(robbed, 0, Skip())


# -- Taking back -------------------------------------------------------------------------------------------------


def test_what_draws_or_shows_something_unveils() -> None:
    state = start()
    assert not GAME.unveils(state, 0, Keep((3, 1, 4)))
    assert GAME.unveils(after(state, "1 keep 3 1 4"), 1, Keep((9, 2, 6))), "the first player draws"
    state = table(held("4", "863"), held("1", "222"))
    assert GAME.unveils(state, 0, Play(4))
    state = after(state, "1 play 4")
    assert not GAME.unveils(state, 0, Order((0, 1, 2)))
    state = after(state, "1 order 1 2 3")
    assert GAME.unveils(state, 0, Guess(1, (1, 2, 3)))
    assert GAME.unveils(state, 0, Skip()), "the next player draws"
    empty = table(held("", "863"), held("", "222"), pile="")
    assert not GAME.unveils(empty, 0, Skip())
    assert GAME.unveils(table(held("7", "863"), held("1", "222"), pile=""), 0, Play(7, 1))


# -- Laws --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_no_card_is_ever_lost_or_made(seats: int, options: TrinityOptions) -> None:
    rng = random.Random(seats)
    for _ in range(15):
        for state in random_game(seats, options, rng):
            cards = [*state.pile]
            for player in state.players:
                cards += [*player.hand, *player.targets, *player.area]
            assert sorted(cards) == sorted(list(range(10)) * options.copies)


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_what_a_player_foresees_is_the_top_of_the_pile(seats: int, options: TrinityOptions) -> None:
    rng = random.Random(seats)
    seen = 0
    for _ in range(15):
        for state in random_game(seats, options, rng):
            for player in state.players:
                seen += bool(player.foreseen)
                assert player.foreseen == state.pile[: len(player.foreseen)]
    assert seen > 30


def test_a_game_can_be_counted_by_its_sequences_of_actions() -> None:
    state = start()
    assert GAME.perft(state, 0) == 1
    assert GAME.perft(state, 1) == 33 + 60
    assert GAME.perft(state, 2) == 2 * 33 * 60
    guessing = table(held("", "863"), held("", "222"), pile="")
    assert GAME.perft(guessing, 2) == 1000 * 1001, "all but the guess that wins lead on"


def test_a_winning_guess_is_told_to_all() -> None:
    _, events = act(table(held("", "863"), held("", "222")), "1 guess @2 2 2 2")
    assert events == (Hits(0, 1, (2, 2, 2), 3),)
    assert events[0].audience() is None
