"""What is shown of a game of Triangulation chess, and what is announced."""

from __future__ import annotations

from rules.chess import GAME
from rules.chess.actions import (
    Captured,
    Castled,
    Castling,
    ChessEvent,
    Move,
    Moved,
    Passed,
    Rescued,
    said,
)
from rules.chess.board import NAMES
from rules.chess.state import ChessState
from rules.chess.view import Army, Check, ChessView, Mark, Piece, Played, Prisoner
from rules.game import from_json, to_json
from tests.rules.chess_tables import after, game, step, with_red


def public(state: ChessState) -> ChessView:
    return GAME.view(state, None)


def at(name: str) -> int:
    return NAMES.index(name)


def army(state: ChessState, colour: int) -> Army:
    return public(state).armies[colour]


# -- The view ---------------------------------------------------------------------------------------------------------


def test_a_view_has_every_piece_with_owner_colour_kind_and_whether_it_has_moved() -> None:
    state = game("rrG*A8Ω rgRE4Ω nbGH8β ggGH1Ω / r / rg / - / -")
    assert public(state).pieces == (
        Piece(at("A8Ω"), 0, 0, 3, True),
        Piece(at("E4Ω"), 0, 1, 1, False),
        Piece(at("H1Ω"), 1, 1, 3, False),
        Piece(at("H8β"), 3, 2, 3, False),
    )


def test_a_view_turns_to_json_and_back() -> None:
    view = public(after(game(), "c6w d5w"))
    assert from_json(to_json(view), ChessView) == view


def test_everybody_sees_the_same_from_their_own_side() -> None:
    state = game(seats=2, neutral="red")
    assert [GAME.view(state, seat).viewpoint for seat in (None, 0, 1)] == [None, 1, 2]
    assert GAME.view(state, 0).pieces == public(state).pieces


def test_a_view_has_each_captors_prisoners() -> None:
    state = game("rrGA8Ω ggGH1Ω bbGH8β / r / rgb / r:gI,gI b:rR / -")
    assert public(state).prisoners == (Prisoner(0, 1, 0, 2), Prisoner(2, 0, 1, 1))


def test_a_view_tells_check_by_whom_and_checkmate_with_the_attackers() -> None:
    state = game("rrGA8Ω rrIE7Φ ggRD5Ω ggRC8Φ ggGH1Ω bbGH6Π / r / rgb / - / r<g")
    assert public(state).checks == (Check(0, (1,), (at("C8Φ"), at("D5Ω")), at("A8Ω")),)
    assert public(state).checkmated == (Mark(0, (1,)),)
    assert public(state).must_capture == ()
    assert public(after(state, "e7f e6f")).must_capture == (0,)


def test_a_view_tells_how_each_colour_stands() -> None:
    assert army(game(), 1) == Army(1, 1, "playing", None, 9)
    assert army(game(seats=2), 2) == Army(2, None, "neutral", None, 0)
    fallen = after(game("rrGA8Ω rrRH3Φ ggRD5Ω ggGH1Ω bbGF8Δ / r / rgb / - / -"), "h3f h1w")
    assert army(fallen, 1) == Army(1, 1, "out", 0, 0)
    assert army(GAME.leave(game(), 1).state, 1) == Army(1, 1, "left", None, 0)


def test_a_neutral_army_whose_general_fell_is_out() -> None:
    state = game("rrGC7Ψ rrRH5Σ nbGH8β nbCG8Δ ggGH2Ω ggIF4Ω / r / rg / - / -", seats=2)
    assert army(after(state, "h5s h8b"), 2) == Army(2, None, "out", 0, 0)


def test_a_view_has_the_last_action_with_what_it_took() -> None:
    assert public(game()).last is None
    taken = after(with_red("rrGA8Ω rrRE4Ω ggIE5Ω"), "e4w e5w")
    assert public(taken).last == Played(0, Move(at("E4Ω"), at("E5Ω"), True), (0, 1), (1, 0))
    castled = after(game(), "castle b7")
    assert public(castled).last == Played(0, Castling(at("B8Ω"), at("B7Ω")), (0, 3), None)


def test_a_view_has_offers_counts_and_how_it_ended() -> None:
    state = GAME.offer_draw(game(quiet_limit=30, repetition=True), 1).state
    view = public(state)
    assert (view.offers, view.quiet, view.quiet_limit, view.times, view.to_move) == ((1,), 0, 90, 1, 0)
    over = public(GAME.leave(game(seats=2), 0).state)
    assert (over.ending, over.to_move, over.result) == ("last", None, GAME.result(GAME.leave(game(seats=2), 0).state))


# -- Events -----------------------------------------------------------------------------------------------------------


def test_a_move_and_what_it_takes_are_told() -> None:
    taken = step(with_red("rrGA8Ω rrRE6Φ bgIE7Φ"), "e6f e7f")
    assert taken.events == (Moved(0, 0, 1, at("E6Φ"), at("E7Φ")), Captured(0, 2, 1, 0, at("E7Φ")))


def test_castling_tells_where_both_went() -> None:
    assert step(game(), "castle b7").events == (Castled(0, general=at("B7Ω"), rukh=at("B8Ω")),)


def test_a_rescue_tells_who_stands_where() -> None:
    events = step(game("rrGA8Ω rrIH2Ω ggGG3Ψ bbGH8β / r / rgb / g:rI / -"), "H2Ω-H1Ω+rI>C6Ω,C7Ψ").events
    assert Rescued(0, 1, 0, 0, place=at("C7Ψ"), retreat=at("C6Ω")) in events


def test_a_pass_is_told() -> None:
    events = step(game("rrGA8Ω ggIB7Ω bbIB8Ψ rrIB8Ω ggGH1Ω bbGH8β / r / rgb / - / -"), "--").events
    assert events[0] == Passed(0)


def test_records_tell_only_falls_checks_and_checkmates_leavings_and_offers() -> None:
    untold: list[ChessEvent] = [Moved(0, 0, 0, 0, 1), Captured(0, 1, 1, 1, 1), Castled(0, 1, 2), Passed(0)]
    assert [said(event) for event in untold] == [None] * 4


def test_events_turn_to_json_and_back() -> None:
    mated = step(game("rrGA8Ω rrIE7Φ ggRC8Φ ggRD5Ω ggGH1Ω bbGH6Π / b / rgb / - / -"), "h6p h6d")
    assert from_json(to_json(mated.events), tuple[GAME.Event, ...]) == mated.events  # type: ignore[name-defined]
