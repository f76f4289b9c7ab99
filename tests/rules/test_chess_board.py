"""The board of Triangulation chess: its triangles, their names and neighbours, and the set-up."""

from __future__ import annotations

import pytest

from rules.chess.board import (
    ALL,
    BESIDES,
    BIT,
    CAVALRY,
    COLOURS,
    CORNERS,
    GATES,
    GENERAL,
    HOMES,
    INDEX,
    KEPT_LINES,
    LINES,
    NAMES,
    ON_LINES,
    OPPOSITES,
    RAYS,
    SIDES,
    TRIANGLES,
    Triangles,
    is_black,
    slide,
    triangles,
)
from rules.chess.names import COLUMNS, triangle_named
from tests.rules.chess_tables import game


def names(mask: Triangles) -> set[str]:
    return {NAMES[triangle] for triangle in triangles(mask)}


def at(name: str) -> int:
    return NAMES.index(name)


# -- Triangles and names ----------------------------------------------------------------------------------------------


def test_the_board_has_36_black_and_28_white_triangles() -> None:
    assert len(TRIANGLES) == 64
    assert sum(is_black(index) for index in ALL) == 36


def test_the_corners_are_black() -> None:
    assert [NAMES[corner] for corner in CORNERS] == ["A8Ω", "H1Ω", "H8β"]
    assert all(is_black(corner) for corner in CORNERS)


def test_a_name_is_rank_file_and_column() -> None:
    assert NAMES[INDEX[6, 6, 5]] == "F6Σ"
    assert len(set(NAMES)) == 64


@pytest.mark.parametrize("name", ["F6Σ", "f6σ", "F6ς", "f6s", "F6S", "F65", "f65", "Ｆ６Σ"])
def test_a_triangle_is_named_in_greek_latin_or_digits_in_any_case(name: str) -> None:
    assert triangle_named(name) == at("F6Σ")


def test_every_column_has_a_greek_letter_a_latin_stand_in_and_a_digit() -> None:
    for letters in ("βγδπσφψω", "bgdpsfyw", "12345678"):
        assert [COLUMNS[letter] for letter in letters] == [1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("name", ["", "A1Ω", "C7Σ", "I6Σ", "F9Σ", "F6Λ", "F6", "F6ΣΣ", "F0Σ", "F²Σ"])
def test_what_is_no_triangle_has_no_index(name: str) -> None:
    assert triangle_named(name) is None


# -- Neighbours -------------------------------------------------------------------------------------------------------


def test_over_a_side_one_coordinate_changes_by_one_towards_the_other_colour() -> None:
    assert names(SIDES[at("E6Φ")]) == {"F6Φ", "E7Φ", "E6Ψ"}
    assert names(SIDES[at("F6Φ")]) == {"E6Φ", "F5Φ", "F6Σ"}
    assert names(SIDES[at("A8Ω")]) == {"B8Ω"}


def test_opposite_over_a_corner_are_three_triangles_of_the_other_colour() -> None:
    assert names(OPPOSITES[at("E6Φ")]) == {"D7Ψ", "F5Ψ", "F7Σ"}
    assert names(OPPOSITES[at("F6Φ")]) == {"G5Σ", "E7Σ", "E5Ψ"}


def test_beside_over_a_corner_are_six_triangles_of_the_same_colour() -> None:
    assert names(BESIDES[at("E6Φ")]) == {"D6Ψ", "D7Φ", "E5Ψ", "E7Σ", "F5Φ", "F6Σ"}
    assert all(is_black(beside) == is_black(index) for index in ALL for beside in GATES[index])


def test_every_beside_triangle_shares_just_its_gate_with_the_start() -> None:
    for index in ALL:
        for beside, gate in GATES[index].items():
            assert SIDES[index] & SIDES[beside] == BIT[gate]


def test_neighbours_are_mutual() -> None:
    for neighbours in (SIDES, OPPOSITES, BESIDES, CAVALRY, ON_LINES):
        assert all(neighbours[other] & BIT[index] for index in ALL for other in triangles(neighbours[index]))


def test_a_general_has_at_most_twelve_targets() -> None:
    assert max(table[0].bit_count() for _, table in GENERAL) == 12


def test_six_rays_of_which_two_leave_over_the_same_side() -> None:
    rays = [[NAMES[triangle] for triangle in ray] for pair in RAYS[at("E6Φ")] for ray in pair]
    assert sorted(ray[0] for ray in rays) == ["E6Ψ", "E6Ψ", "E7Φ", "E7Φ", "F6Φ", "F6Φ"]


def test_a_ray_is_a_row_with_one_coordinate_fixed() -> None:
    for index in ALL:
        for axis, pair in enumerate(RAYS[index]):
            row = {other for other in ALL if TRIANGLES[other][axis] == TRIANGLES[index][axis]}
            assert {*pair[0], *pair[1], index} == row


def test_what_is_remembered_of_slides_stays_bounded() -> None:
    here = at("E6Φ")
    (watched, line), *_ = LINES[here]
    some = list(triangles(watched))
    for number in range(1 << min(len(some), 10)):
        assert slide(here, sum(BIT[triangle] for bit, triangle in enumerate(some) if number >> bit & 1))
        assert len(line) <= KEPT_LINES


# -- Set-up -----------------------------------------------------------------------------------------------------------


def test_each_army_stands_in_its_corner() -> None:
    assert game().position.split(" / ")[0] == (
        "rrCA8Ω rrR*B7Ω rrR*B8Ψ rrG*B8Ω rrIC6Ω rrIC7Ψ rrIC7Ω rrIC8Φ rrIC8Ψ ggIF3Ω bbIF8Δ ggR*G2Ω ggIG3Ψ ggIG3Ω "
        "bbIG7Δ bbR*G8Γ bbIG8Δ ggCH1Ω ggR*H2Ψ ggG*H2Ω ggIH3Φ ggIH3Ψ bbIH6Δ bbR*H7Γ bbIH7Δ bbCH8β bbG*H8Γ"
    )


def test_five_infantry_stand_on_row_3() -> None:
    assert [HOMES[colour].bit_count() for colour in COLOURS] == [5, 5, 5]


@pytest.mark.parametrize(
    ("neutral", "general", "cavalry"),
    [("blue", "nbG*H8β", "nbCH8Γ"), ("green", "ngG*H1Ω", "ngCH2Ω"), ("red", "nrG*A8Ω", "nrCB8Ω")],
)
def test_with_two_players_the_third_army_is_neutral_its_general_in_the_corner(
    neutral: str, general: str, cavalry: str
) -> None:
    pieces = game(seats=2, neutral=neutral).position.split(" / ")[0].split()
    assert general in pieces
    assert cavalry in pieces
    assert sum(piece[0] == "n" for piece in pieces) == 9
