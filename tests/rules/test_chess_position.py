"""Positions of Triangulation chess as text, and records that start from one."""

from __future__ import annotations

import pytest

from rules import record
from rules.chess import GAME
from rules.chess.position import opening, read
from rules.game import BadHeader, Refusal
from tests.rules.chess_tables import after, game

EXAMPLE = "rrR*B7Ω rrG*B8Ω ggGH1Ω nbGH8β / r / rg / r:gI,gR / g<r"


def test_the_example_of_the_rules_sheet_is_read_and_written() -> None:
    assert read(EXAMPLE).text() == EXAMPLE


def test_a_position_is_read_in_any_order_and_written_in_one() -> None:
    mixed = "nbGH8β ggGH1Ω rrG*B8Ω rrR*B7Ω / r / gr / r:gR,gI / g<r"
    assert read(mixed).text() == EXAMPLE


def test_triangles_of_a_position_may_be_named_in_latin_or_digits() -> None:
    assert read("rrR*B7w rrG*B88 ggGh1Ω nbGH8b / r / rg / r:gI,gR / g<r").text() == EXAMPLE


def test_the_marks_are_taken_as_they_stand() -> None:
    assert read("rrGA8Ω rrRB7Ω ggGH1Ω / r / rg / - / g<r").attackers_of(1) == (0,)


def test_the_star_stays_with_a_piece_until_it_moves_whoever_owns_it() -> None:
    conquered = after(game("rrGA8Ω rrRH3Φ ggR*D5Ω ggGH1Ω bbGF8Δ / r / rgb / - / -"), "h3f h1w")
    assert "rgR*D5Ω" in conquered.position
    assert "rgRD6Ω" in after(conquered, "f8d g8g", "d5w d6w").position


def test_what_was_captured_leaves_no_star_behind() -> None:
    taken = after(game("rrGA8Ω rrRE4Ω ggR*E5Ω ggGH1Ω bbGF8Δ / r / rgb / - / -"), "e4w e5w")
    assert "rrRE5Ω" in taken.position


def test_the_opening_is_the_same_as_its_text() -> None:
    assert read(opening((0, 1, 2)).text()).key() == opening((0, 1, 2)).key()


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "parts"),
        ("rrGA8Ω ggGH1Ω / r / rg / -", "parts"),
        ("rrGA8Ω ggGH1Ω / r / rg / - / - / -", "parts"),
        ("rrGA8Ω ggGA8Ω / r / rg / - / -", "two_pieces"),
        ("rrGA8Ω ggGC7Σ / r / rg / - / -", "triangle"),
        ("rrGA8Ω ggG / r / rg / - / -", "piece"),
        ("rrGA8Ω ggGH1Ω rrKB8Ω / r / rg / - / -", "piece"),
        ("xrGA8Ω ggGH1Ω / r / rg / - / -", "piece"),
        ("rrGA8Ω ggGH1Ω rrI*B8Ω / r / rg / - / -", "unmoved"),
        ("rrIA8Ω ggGH1Ω / r / rg / - / -", "generals"),
        ("rrGA8Ω rrGB8Ω ggGH1Ω / r / rg / - / -", "generals"),
        ("rrGA8Ω rgGB8Ω ggGH1Ω / r / rg / - / -", "generals"),
        ("rgGA8Ω grGH1Ω / r / rg / - / -", "generals"),
        ("rrGA8Ω ggGH1Ω nrGH8β / r / rg / - / -", "generals"),
        ("rrGA8Ω ggGH1Ω bbIH8β / r / rg / - / -", "owner"),
        ("rrGA8Ω ggGH1Ω / b / rg / - / -", "turn"),
        ("rrGA8Ω ggGH1Ω / rg / rg / - / -", "turn"),
        ("rrGA8Ω ggGH1Ω / r / rr / - / -", "playing"),
        ("rrGA8Ω ggGH1Ω / r / rgn / - / -", "playing"),
        ("rrGA8Ω ggGH1Ω / r / rg / b:rI / -", "prisoners"),
        ("rrGA8Ω ggGH1Ω / r / rg / r:gG / -", "prisoners"),
        ("rrGA8Ω ggGH1Ω / r / rg / r:gI r:gR / -", "prisoners"),
        (f"rrGA8Ω ggGH1Ω / r / rg / r:{'gI,' * 60}gI / -", "prisoners"),
        ("rrGA8Ω ggGH1Ω / r / rg / - / r<r", "checkmated"),
        ("rrGA8Ω ggGH1Ω / r / rg / - / r<b", "checkmated"),
        ("rrGA8Ω ggGH1Ω / r / rg / - / r<gg", "checkmated"),
        ("rrGA8Ω ggGH1Ω / r / rg / - / b<r", "checkmated"),
        ("rrGA8Ω / r / r / - / -", "playing"),
    ],
)
def test_reading_refuses_what_cannot_be(text: str, rule: str) -> None:
    with pytest.raises(BadHeader) as caught:
        game(text)
    assert (caught.value.rule, caught.value.facts["header"]) == (rule, "Position")


def test_a_record_may_start_from_a_position() -> None:
    text = f"Game: chess\nSeats: 2\nPosition: {EXAMPLE}\n\n1 B7ΩxH1Ω\n"
    told = record.read(text)
    assert told.start().position == EXAMPLE
    assert record.write(told) == text


def test_a_records_position_is_kept_in_canonical_text() -> None:
    told = record.read("Game: chess\nSeats: 2\nPosition: ggGH1Ω nbGH8β rrG*B8Ω rrR*B7w / r / rg / r:gR,gI / g<r\n\n")
    assert told.setup.position == EXAMPLE


def test_a_record_of_the_opening_has_no_header_of_its_own() -> None:
    assert record.write(record.read("Game: chess\nSeats: 3\n\n1 c6 d5\n")) == "Game: chess\nSeats: 3\n\n1 C6Ω-D5Ω\n"


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("Position: rrGA8Ω ggGA8Ω / r / rg / - / -", "line 3: header: two_pieces"),
        (f"Position: {EXAMPLE}\nPosition: {EXAMPLE}", "line 4: header: twice"),
        ("Position: rrGA8Ω ggGH1Ω bbGH8β / r / rgb / - / -", "line 3: header: playing"),
        ("Options: quiet_limit=19", "line 3: option: value"),
        ("Options: neutral=pink", "line 3: option: value"),
    ],
)
def test_a_header_that_cannot_be_is_refused_at_its_line(lines: str, told: str) -> None:
    with pytest.raises(Refusal) as caught:
        record.read(f"Game: chess\nSeats: 2\n{lines}\n\n")
    assert record.refusal_text(caught.value).startswith(told)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("1 hello", "line 4: unreadable: action"),
        ("1 C9Ω", "line 4: unreadable: triangle"),
        ("1 castle", "line 4: ambiguous: ambiguous"),
        ("2 H3Φ-H4Φ", "line 4: turn: turn to_act=1"),
        ("1 C6Ω-E4Ω", "line 4: illegal: no_way"),
        ("1 --", "line 4: illegal: pass"),
    ],
)
def test_an_action_that_cannot_be_is_refused_at_its_line(line: str, told: str) -> None:
    with pytest.raises(Refusal) as caught:
        record.read(f"Game: chess\nSeats: 3\n\n{line}\n")
    assert record.refusal_text(caught.value).startswith(told)


def test_the_position_of_a_state_starts_an_equal_one() -> None:
    state = after(game(), "c6w d5w", "h3f h4s")
    assert game(state.position).position == state.position
    assert GAME.legal(game(state.position), 2) == GAME.legal(state, 2)
