"""Check, checkmate, and the duty to capture in Triangulation chess."""

from __future__ import annotations

import pytest

from rules.chess.actions import Checked, Checkmated, DoubleChecked, MustCapture
from rules.chess.board import NAMES, triangles
from rules.chess.state import position_of
from tests.rules.chess_tables import after, found, game, legal, legal_from, refused, said, step, with_red

GREEN_MATES = "rrGA8Ω rrIE7Φ ggRC8Φ ggRD7Φ ggIG4Ψ ggGH1Ω bbGH6Π / g / rgb / - / -"
"""After D7Φ-D5Ω Red's General, in its corner, is held by both of Green's Rukhs."""
BLUE_MATES = "rrGA8Ω rrIG5Φ bbCE7Φ bbRD7Φ ggCF5Ψ ggGG3Ψ bbGH8β / b / rgb / - / -"
"""After D7Φ-D5Ω Red is checkmated by that Rukh; Green's Cavalry could come between."""
NO_SAFE_MOVE = "rrGA8Ω rrIE7Φ ggRD5Ω ggRC8Φ bbCD7Ψ ggGH1Ω bbGH8β / r / rgb / - / -"


def checkers(position: str) -> set[str]:
    """From where the player to move is checked."""
    return {NAMES[triangle] for triangle in triangles(position_of(game(position)).check)}


# -- Check ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "others"),
    [
        ("ggRE4Ω", "ggGH1Ω bbGH8β"),
        ("ggCE6Φ", "ggGH1Ω bbGH8β"),
        ("ggIC7Ω", "ggGH1Ω bbGH8β"),
        ("gbIC7Ψ", "ggGH1Ω bbGH8β"),
        ("bbGC7Ψ", "ggGH1Ω"),
        ("bbGC8Ψ", "ggGH1Ω"),
    ],
)
def test_a_player_is_in_check_when_an_opponents_piece_could_capture_their_general(attacker: str, others: str) -> None:
    assert checkers(f"rrGB8Ω {attacker} {others} / r / rgb / - / -") == {attacker[-3:]}


@pytest.mark.parametrize("blocked", ["bbGC8Ψ rrIB8Ψ ggGH1Ω", "ggRE4Ω rrIC7Ω ggGH1Ω bbGH8β", "grIC7Ω ggGH1Ω bbGH8β"])
def test_a_shut_gate_a_piece_between_or_the_wrong_direction_give_no_check(blocked: str) -> None:
    assert checkers(f"rrGB8Ω {blocked} / r / rgb / - / -") == set()


def test_a_neutral_army_gives_no_check() -> None:
    assert checkers("rrGB8Ω nbRE8Σ nbCE6Φ ggGH1Ω nbGC7Ψ / r / rg / - / -") == set()


def test_the_general_may_not_go_where_it_could_be_captured() -> None:
    refusal = refused(with_red("rrGB8Ω rrIG5Φ ggRE7Φ"), "b8w b7w")
    assert refusal.rule == "open"
    assert refusal.facts == {"general": "B7Ω", "by": (1,), "attackers": ("E7Φ",)}


def test_a_piece_that_shields_the_general_stays_on_its_row() -> None:
    state = with_red("rrGA8Ω rrRC8Ψ rrIG5Φ ggRE8Σ")
    assert refused(state, "c8y c6w").facts == {"general": "A8Ω", "by": (1,), "attackers": ("E8Σ",)}
    assert legal_from(state, "C8Ψ") == {"-B8Ψ", "-B8Ω", "-C8Φ", "-D8Φ", "-D8Σ", "xE8Σ"}


def test_a_piece_on_a_gate_does_not_open_it_to_an_attacker() -> None:
    state = game("rrGF6Φ rrIF6Σ ggGH1Ω bbGF7Σ / r / rgb / - / -")
    assert refused(state, "f6s g6s").facts == {"general": "F6Φ", "by": (2,), "attackers": ("F7Σ",)}


def test_in_check_only_moves_that_end_it_are_legal() -> None:
    state = with_red("rrGB8Ω rrRC6Ω rrIG5Φ ggRE8Σ")
    assert legal(state) == {"B8Ω-B7Ω", "B8Ω-C7Ω", "B8Ω-C7Ψ", "C6Ω-C8Ψ", "C6Ω-C8Φ", "C6ΩxH1Ω"}
    assert refused(state, "g5f g4f").rule == "open"


def test_the_piece_that_gives_check_may_be_captured() -> None:
    assert "E4ΩxE8Σ" in legal(with_red("rrGB8Ω rrRE4Ω ggRE8Σ"))


def test_taking_a_general_turns_that_armys_threats_off() -> None:
    state = game("rrGA8Ω rrRH3Φ ggRD5Ω ggGH1Ω bbGF8Δ / r / rgb / - / -")
    assert "H3ΦxH1Ω" in legal(state)
    assert not position_of(after(state, "h3f h1w")).checkers(0)


def test_check_is_announced_for_every_player_in_check_in_order() -> None:
    assert said(step(with_red("rrGA8Ω rrRG5Σ rrIE6Φ"), "g5s h4s")) == ["check g", "check b"]


def test_double_check_is_one_player_checking_both_others_at_once() -> None:
    double = step(with_red("rrGA8Ω rrRG5Σ rrIE6Φ"), "g5s h4s")
    assert found(double, Checked) == [Checked(1, (0,)), Checked(2, (0,))]
    assert found(double, DoubleChecked) == [DoubleChecked(0)]
    assert not found(step(with_red("rrGA8Ω rrRG5Σ rrIE6Φ ggIH3Φ"), "g5s h4s"), DoubleChecked)


# -- Without a safe move ----------------------------------------------------------------------------------------------


def test_without_a_safe_move_every_move_of_the_other_pieces_is_legal() -> None:
    assert legal(game(NO_SAFE_MOVE)) == {"E7Φ-E6Φ", "E7Φ-E7Σ"}


def test_without_a_safe_move_the_general_moves_only_if_no_other_piece_can() -> None:
    assert refused(game(NO_SAFE_MOVE), "a8w b8w").rule == "general_last"
    assert legal(game(NO_SAFE_MOVE.replace("rrIE7Φ ", ""))) == {"A8Ω-B7Ω", "A8Ω-B8Ψ", "A8Ω-B8Ω"}


def test_a_player_with_no_move_at_all_passes() -> None:
    state = game("rrGA8Ω ggIB7Ω bbIB8Ψ rrIB8Ω ggGH1Ω bbGH8β / r / rgb / - / -")
    assert legal(state) == {"--"}
    assert position_of(after(state, "--")).turn == 1
    assert position_of(after(state, "pass")).turn == 1


def test_nobody_passes_who_has_a_move() -> None:
    assert refused(game(), "--").rule == "pass"


# -- Checkmate --------------------------------------------------------------------------------------------------------


def test_checkmate_is_judged_at_the_start_of_ones_own_turn_and_not_before() -> None:
    checked = step(game(GREEN_MATES), "d7f d5w")
    assert said(checked) == ["check r"]
    assert not position_of(checked.state).mark_of(0)
    mated = step(checked.state, "h6p h6d")
    assert said(mated) == ["check r", "mate r"]
    assert found(mated, Checkmated) == [Checkmated(0, (1,))]


def test_all_players_checking_then_are_the_attackers() -> None:
    both = game("rrGA8Ω rrIE7Φ bbCD7Φ bbRE4Ω ggRC8Φ ggGH1Ω bbGH6Π / b / rgb / - / -")
    assert position_of(after(both, "h6p h6d")).attackers_of(0) == (1, 2)


def test_not_in_check_without_a_safe_move_is_no_checkmate() -> None:
    state = game("rrGA8Ω bbIC7Ψ ggCD7Φ ggGH1Ω bbGG8Γ / b / rgb / - / -")
    stuck = after(state, "g8g h8g")
    assert legal(stuck) == {"A8Ω-B7Ω", "A8Ω-B8Ψ", "A8Ω-B8Ω"}
    assert not position_of(stuck).mark_of(0)


def test_a_checkmated_player_goes_on_moving_until_the_general_is_captured() -> None:
    mated = after(game(GREEN_MATES), "d7f d5w", "h6p h6d")
    assert legal(mated) == {"E7Φ-E6Φ", "E7Φ-E7Σ"}


def test_a_mark_goes_at_the_start_of_ones_turn_when_there_is_a_safe_move() -> None:
    shielded = after(game(BLUE_MATES), "d7f d5w", "g5f g4f", "f5y c6w")
    assert position_of(shielded).attackers_of(0) == (2,)
    assert not position_of(after(shielded, "h8b h8g")).attackers_of(0)


def test_a_mark_is_judged_over_all_moves_also_where_a_duty_restricts_them() -> None:
    # Green, in check and bound to take Red's General, could move its own away: no checkmate.
    state = game("rrGA8Ω rrIE6Φ ggRC8Φ ggRD5Ω ggIG4Ψ ggGH1Ω bbRH5Π bbGH6Δ / r / rgb / - / r<g")
    due = step(state, "e6f f6f")
    assert said(due) == ["check r", "check g"]
    assert legal(due.state) == {"C8ΦxA8Ω", "D5ΩxA8Ω"}


# -- The duty to capture ----------------------------------------------------------------------------------------------


def test_an_attacker_of_a_checkmated_player_must_capture_that_general_if_they_can() -> None:
    due = after(game(GREEN_MATES), "d7f d5w", "h6p h6d", "e7f e6f")
    assert legal(due) == {"C8ΦxA8Ω", "D5ΩxA8Ω"}
    refusal = refused(due, "g4y f4y")
    assert refusal.rule == "must_capture"
    assert refusal.facts == {"generals": (0,), "captures": ("C8ΦxA8Ω", "D5ΩxA8Ω")}


def test_the_duty_is_announced_when_the_turn_comes() -> None:
    mated = after(game(GREEN_MATES), "d7f d5w", "h6p h6d")
    assert found(step(mated, "e7f e6f"), MustCapture) == [MustCapture(1, (0,))]


def test_the_duty_holds_even_in_check() -> None:
    due = game("rrGA8Ω rrIE6Φ ggRC8Φ ggRD5Ω ggIG4Ψ ggGH1Ω bbRH5Π bbGH6Δ / g / rgb / - / r<g")
    assert position_of(due).check
    assert legal(due) == {"C8ΦxA8Ω", "D5ΩxA8Ω"}


def test_without_the_mark_capturing_a_general_is_an_ordinary_move() -> None:
    state = game("rrGA8Ω rrRH3Φ rrIE4Ω ggGH1Ω bbGF8Δ / r / rgb / - / -")
    assert {"H3ΦxH1Ω", "E4Ω-F4Ω"} <= legal(state)


def test_an_attacker_who_cannot_capture_is_free() -> None:
    free = after(game(BLUE_MATES), "d7f d5w", "g5f g4f", "f5y c6w")
    assert position_of(free).attackers_of(0) == (2,)
    assert {"D5ΩxC6Ω", "H8β-H8Γ"} <= legal(free)
