"""How a game of Triangulation chess ends, and what leaving and offering a draw do."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from rules.chess import GAME
from rules.chess.actions import DrawDeclined, Drawn, TurnedNeutral, Won
from rules.chess.state import ChessOptions, ChessSetup, ChessState, position_of
from rules.game import BadHeader, DrawOffered, GameOver, Illegal, Left, NotYourTurn, Result
from tests.rules.chess_tables import after, found, game, legal, said, step, with_red

QUIET = "rrGA8Ω rrIC7Ψ ggGH1Ω bbGH8β / r / rgb / - / -"
ROUND_TRIP = ("a8w b8w", "h1w h2w", "h8b h8g", "b8w a8w", "h2w h1w", "h8g h8b")
"""Everybody to and fro: six turns that lead back."""


def left(state: ChessState, *seats: int) -> ChessState:
    for seat in seats:
        state = GAME.leave(state, seat).state
    return state


def offered(state: ChessState, *seats: int) -> ChessState:
    for seat in seats:
        state = GAME.offer_draw(state, seat).state
    return state


# -- The last General -------------------------------------------------------------------------------------------------


def test_the_last_player_with_a_general_wins() -> None:
    won = step(game("rrGA8Ω rrRH3Φ ggGH1Ω ggIE4Ω / r / rg / - / -"), "h3f h1w")
    assert GAME.result(won.state) == Result((0,))
    assert found(won, Won) == [Won(0)]
    assert said(won) == ["out g"]


def test_a_game_between_two_ends_when_one_players_general_is_left() -> None:
    won = after(game("bbGA8Ω bbRH3Φ ngGH8β rrGH1Ω rrIE4Ω / b / rb / - / -", seats=2, neutral="green"), "h3f h1w")
    assert GAME.result(won) == Result((1,))


def test_nothing_can_be_done_when_the_game_is_over() -> None:
    over = after(game("rrGA8Ω rrRH3Φ ggGH1Ω ggIE4Ω / r / rg / - / -"), "h3f h1w")
    assert GAME.to_act(over) == ()
    assert GAME.legal(over, 0) == ()
    for forbidden in (GAME.leave, GAME.offer_draw):
        with pytest.raises(GameOver):
            forbidden(over, 0)
    with pytest.raises(GameOver):
        GAME.parse(over, 0, "a8w b8w")


# -- Bare Generals ----------------------------------------------------------------------------------------------------


def test_two_bare_generals_are_a_draw_at_once() -> None:
    bare = step(game("rrGC7Ψ rrIE6Φ ggGE6Ψ / g / rg / - / -"), "e6y e6f")
    assert GAME.result(bare.state) == Result((0, 1), draw=True)
    assert found(bare, Drawn) == [Drawn((0, 1), "bare")]


def test_three_bare_generals_are_a_draw_at_once() -> None:
    bare = after(game("rrGC7Ψ rrIE6Φ ggGE6Ψ bbGH8β / g / rgb / - / -"), "e6y e6f")
    assert GAME.result(bare) == Result((0, 1, 2), draw=True)


def test_bare_generals_are_a_draw_also_while_a_neutral_army_stands() -> None:
    bare = after(game("rrGC7Ψ rrIE6Φ ggGE6Ψ nbCG8Δ nbGH8β / g / rg / - / -", seats=2), "e6y e6f")
    assert GAME.result(bare) == Result((0, 1), draw=True)


def test_one_bare_general_of_two_is_no_draw() -> None:
    assert GAME.result(after(with_red("rrGA8Ω rrIE4Ω"), "a8w b8w")) is None


def test_a_leaving_can_leave_bare_generals() -> None:
    assert GAME.result(left(game("rrGA8Ω rrIE4Ω ggGH1Ω bbGH8β / g / rgb / - / -"), 0)) == Result((1, 2), draw=True)


# -- Leaving ----------------------------------------------------------------------------------------------------------


def test_a_leavers_army_becomes_neutral_and_its_prisoners_are_out_of_the_game() -> None:
    step_ = GAME.leave(game("rrGA8Ω rrRB7Ω rgIE4Ω ggGH1Ω bbRG8Γ bbGH8β / b / rgb / r:bI g:bC / -"), 0)
    assert step_.state.position == "nrGA8Ω nrRB7Ω ngIE4Ω bbRG8Γ ggGH1Ω bbGH8β / b / gb / g:bC / -"
    assert step_.events[:2] == (Left(0), TurnedNeutral(0, pieces=3, prisoners=1))


def test_a_leaving_in_turn_begins_the_next_players_turn() -> None:
    assert GAME.to_act(left(game(), 0)) == (1,)
    assert GAME.to_act(left(after(game(), "c6w d5w"), 2)) == (1,)


def test_the_mark_of_the_next_player_is_judged_when_their_turn_begins_by_a_leaving() -> None:
    state = game("rrGA8Ω rrIE7Φ ggGH1Ω ggIG5Φ bbRE4Ω bbRH4Σ bbGH8β / r / rgb / - / -")
    assert not position_of(state).mark_of(1)
    assert position_of(left(state, 0)).attackers_of(1) == (2,)


def test_nothing_but_the_leaving_is_told_of_it_in_a_record() -> None:
    assert said(GAME.leave(game("rrGA8Ω rrRB7Ω ggRE4Ω ggGH1Ω bbRH5Σ bbGH8β / b / rgb / - / g<b"), 2)) == ["left 3"]


def test_a_leaver_stops_being_anybodys_attacker_and_a_mark_without_attackers_goes() -> None:
    both = game("rrGA8Ω rrRB7Ω ggRE4Ω ggGH1Ω bbRH5Σ bbGH8β / r / rgb / - / g<rb")
    assert position_of(left(both, 2)).attackers_of(1) == (0,)
    alone = game("rrGA8Ω rrRB7Ω ggRE4Ω ggGH1Ω bbRH5Σ bbGH8β / r / rgb / - / g<b")
    assert left(alone, 2).position.endswith(" / -")


def test_the_general_of_a_leaver_can_be_captured_for_the_rest_of_the_army() -> None:
    state = left(game("rrGA8Ω rrRH3Φ ggRD5Ω ggGH1Ω bbGF8Δ / g / rgb / - / -"), 1)
    taken = after(state, "f8d g8g", "h3f h1w")
    assert "rgRD5Ω" in taken.position
    assert GAME.result(taken) is None


def test_when_all_others_have_left_the_last_wins() -> None:
    assert GAME.result(left(game(), 1, 2)) == Result((0,))
    assert GAME.result(left(game(seats=2), 0)) == Result((1,))


def test_nobody_leaves_twice_or_after_their_general_fell() -> None:
    with pytest.raises(Illegal) as twice:
        left(game(), 1, 1)
    assert twice.value.rule == "left"
    with pytest.raises(Illegal) as fallen:
        left(game("rrGA8Ω rrIE4Ω bbGH8β / r / rb / - / -"), 1)
    assert fallen.value.rule == "out"


# -- Draws by agreement -----------------------------------------------------------------------------------------------


def test_a_draw_is_agreed_when_all_remaining_players_have_offered_also_out_of_turn() -> None:
    agreed = offered(game(), 1, 2, 0)
    assert GAME.result(agreed) == Result((0, 1, 2), draw=True)


def test_an_offer_alone_ends_nothing_and_is_told() -> None:
    step_ = GAME.offer_draw(game(), 2)
    assert step_.events == (DrawOffered(2),)
    assert GAME.offer_draw(step_.state, 0).events == (DrawOffered(0, agreeing=True),)
    assert GAME.result(step_.state) is None
    assert said(step_) == ["draw 3"]


def test_any_move_declines_all_offers() -> None:
    declined = step(offered(game(), 1, 2), "c6w d5w")
    assert found(declined, DrawDeclined) == [DrawDeclined((1, 2))]
    assert GAME.result(offered(declined.state, 0)) is None


def test_a_leaving_may_complete_an_agreement() -> None:
    assert GAME.result(left(offered(game(), 0, 1), 2)) == Result((0, 1), draw=True)


def test_those_already_out_have_lost_and_are_not_asked() -> None:
    state = game("rrGA8Ω rrIE4Ω bbGH8β / r / rb / - / -")
    assert GAME.result(offered(state, 0, 2)) == Result((0, 2), draw=True)
    with pytest.raises(Illegal) as outsider:
        offered(state, 1)
    assert outsider.value.rule == "out"


def test_nobody_offers_twice_between_two_moves() -> None:
    with pytest.raises(Illegal) as twice:
        offered(game(), 1, 1)
    assert twice.value.rule == "offered"


# -- The quiet limit --------------------------------------------------------------------------------------------------


def test_the_quiet_limit_is_so_many_turns_for_each_player_in_the_game() -> None:
    state = game(QUIET, quiet_limit=20)
    for _ in range(9):
        state = after(state, *ROUND_TRIP)
    assert state.quiet == 54
    state = after(state, *ROUND_TRIP[:5])
    assert not state.ending
    assert GAME.result(after(state, ROUND_TRIP[5])) == Result((0, 1, 2), draw=True)


def test_without_a_quiet_limit_there_is_none() -> None:
    assert after(replace(game(QUIET), quiet=10_000), "a8w b8w").ending == ""


@pytest.mark.parametrize(
    ("position", "move"),
    [
        ("rrGA8Ω rrRB7Ω rrIE4Ω ggGH1Ω bbGH8β / r / rgb / - / -", "e4w f4w"),
        ("rrGA8Ω rrRE4Ω ggIE5Ω ggGH1Ω bbGH8β / r / rgb / - / -", "e4w e5w"),
        ("rrGA8Ω rrIH2Ω ggGE4Ω bbGH8β / r / rgb / g:rR / -", "H2Ω-H1Ω+rR>C7Ψ"),
    ],
)
def test_a_capture_a_rescue_or_an_infantry_move_starts_the_count_anew(position: str, move: str) -> None:
    assert after(replace(game(position, quiet_limit=20), quiet=59), move).quiet == 0


def test_castling_and_passes_are_quiet() -> None:
    assert after(replace(game(quiet_limit=20), quiet=7), "castle b7").quiet == 8
    passing = game("rrGA8Ω ggIB7Ω bbIB8Ψ rrIB8Ω ggGH1Ω bbGH8β / r / rgb / - / -", quiet_limit=20)
    assert after(replace(passing, quiet=7), "--").quiet == 8


def test_a_leaving_counts_as_no_turn_for_the_quiet_limit() -> None:
    assert left(replace(game(QUIET, quiet_limit=20), quiet=7), 1).quiet == 7


def test_with_fewer_players_in_the_game_the_quiet_limit_is_lower_at_once() -> None:
    assert left(replace(game(QUIET, quiet_limit=20), quiet=39), 1).ending == ""
    assert left(replace(game(QUIET, quiet_limit=20), quiet=40), 1).ending == "quiet"


# -- Repetition -------------------------------------------------------------------------------------------------------


def test_a_position_for_the_third_time_is_a_draw_where_repetition_counts() -> None:
    twice = after(game(QUIET, repetition=True), *ROUND_TRIP, *ROUND_TRIP[:5])
    assert not twice.ending
    thrice = step(twice, ROUND_TRIP[5])
    assert found(thrice, Drawn) == [Drawn((0, 1, 2), "repetition")]
    assert after(game(QUIET), *ROUND_TRIP, *ROUND_TRIP).ending == ""


def test_a_leaving_counts_as_no_position_for_repetition() -> None:
    state = game(QUIET, repetition=True)
    assert left(state, 1).seen == state.seen
    assert GAME.view(left(state, 1), None).times == 0


def test_the_same_pieces_with_another_player_to_move_are_another_position() -> None:
    state = game(QUIET, repetition=True)
    assert len(set(after(state, *ROUND_TRIP).seen)) == 6


# -- Seats and colours ------------------------------------------------------------------------------------------------


def test_seats_are_red_green_and_blue_in_order_or_the_two_that_play() -> None:
    assert game().colours == (0, 1, 2)
    assert game(seats=2).colours == (0, 1)
    assert game(seats=2, neutral="red").colours == (1, 2)


def test_nobody_moves_out_of_turn() -> None:
    with pytest.raises(NotYourTurn):
        GAME.play(game(), 1, GAME.legal(game(), 0)[0])
    assert GAME.legal(game(), 1) == ()


def test_people_sit_at_the_colour_they_wish_for_and_the_others_by_lot() -> None:
    options = ChessOptions()
    orders = {GAME.seating([None, "red", None], options, {}, random.Random(seed)).order for seed in range(20)}
    assert orders == {(1, 0, 2), (1, 2, 0)}
    assert GAME.seating(["blue", "red", "green"], options, {}, random.Random(0)).order == (1, 2, 0)


def test_with_two_players_the_neutral_colour_cannot_be_wished_for() -> None:
    options = ChessOptions.of({"neutral": "green"})
    assert list(GAME.wishes(2, options)) == ["red", "blue"]
    assert list(GAME.wishes(3, options)) == ["red", "green", "blue"]
    with pytest.raises(BadHeader):
        GAME.seating(["green", None], options, {}, random.Random(0))


def test_two_people_cannot_have_the_same_colour() -> None:
    with pytest.raises(BadHeader):
        GAME.seating(["red", "red", None], ChessOptions(), {}, random.Random(0))


def test_a_position_may_be_brought_along_to_the_table() -> None:
    setup = GAME.seating([None, None], ChessOptions(), {"position": QUIET}, random.Random(0)).setup
    assert setup == ChessSetup(seats=2, position=QUIET)


def test_everybody_in_a_start_position_has_a_seat() -> None:
    with pytest.raises(BadHeader):
        game(QUIET, seats=2)


def test_legal_actions_are_listed_for_the_player_to_move_only() -> None:
    assert len(legal(game())) == 18
