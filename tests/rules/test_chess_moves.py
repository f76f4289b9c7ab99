"""How the pieces of Triangulation chess move, rule by rule."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from rules.chess import GAME, moves
from rules.chess.position import opening
from tests.rules.chess_tables import after, game, legal, legal_from, reached, refused, with_red

# -- Counts of move sequences -----------------------------------------------------------------------------------------


def test_reds_first_moves_are_15_of_infantry_1_of_cavalry_and_2_castlings() -> None:
    first = legal(game())
    assert len(first) == 18
    assert {text for text in first if "=" in text} == {"B8Ω=B7Ω", "B8Ω=B8Ψ"}
    assert legal_from(game(), "A8Ω") == {"-D7Ψ"}
    assert sum(text[0] == "C" for text in first) == 15


def test_sequences_of_moves_with_three_players() -> None:
    assert [GAME.perft(game(), depth) for depth in range(5)] == [1, 18, 323, 5778, 105190]


@pytest.mark.parametrize("neutral", ["blue", "green", "red"])
def test_sequences_of_moves_with_two_players(neutral: str) -> None:
    assert [GAME.perft(game(seats=2, neutral=neutral), depth) for depth in range(4)] == [1, 18, 323, 5883]


def test_counting_stops_where_the_quiet_limit_ends_the_game() -> None:
    state = game("rrGA8Ω rrRB7Ω ggGH1Ω nbGH8β / r / rg / - / -", seats=2, quiet_limit=20)
    state = replace(state, quiet=38)
    first = len(legal(state))
    assert GAME.perft(state, 2) == GAME.perft(replace(state, quiet=0), 2) > first
    assert GAME.perft(state, 3) == 0


def test_counting_leaves_the_position_as_it_was() -> None:
    position = opening((0, 1, 2))
    moves.perft(position, 3)
    assert position.text() == game().position


# -- Infantry ---------------------------------------------------------------------------------------------------------


def test_infantry_moves_over_the_side_in_front_from_black() -> None:
    assert legal_from(with_red("rrGA8Ω rrIE6Φ"), "E6Φ") == {"-F6Φ"}


def test_infantry_moves_over_either_side_from_white() -> None:
    assert legal_from(with_red("rrGA8Ω rrIF6Φ"), "F6Φ") == {"-F5Φ", "-F6Σ"}


def test_infantry_does_not_capture_over_a_side() -> None:
    assert not legal_from(with_red("rrGA8Ω rrIE6Φ ggIF6Φ"), "E6Φ")


def test_infantry_charges_up_to_three_triangles_from_row_3_turning_at_white_ones() -> None:
    assert legal_from(with_red("rrGA8Ω rrIC7Ψ"), "C7Ψ") == {"-D7Ψ", "-D6Ψ", "-D7Φ", "-E6Ψ", "-E7Φ"}


def test_a_charge_stops_before_a_piece() -> None:
    assert legal_from(with_red("rrGA8Ω rrIC7Ψ ggID7Φ"), "C7Ψ") == {"-D7Ψ", "-D6Ψ", "-E6Ψ", "xD7Φ"}


def test_there_is_no_capture_in_a_charge() -> None:
    assert "xE7Φ" not in legal_from(with_red("rrGA8Ω rrIC7Ψ ggIE7Φ"), "C7Ψ")


def test_infantry_charges_whenever_it_stands_on_row_3_not_only_at_first() -> None:
    back_home = after(with_red("rrGA8Ω rrIC8Ψ"), "c8y c8f", "h1w h2w", "h8b h8g")
    assert "-E7Φ" in legal_from(back_home, "C8Φ")


def test_infantry_does_not_charge_off_row_3() -> None:
    assert legal_from(with_red("rrGA8Ω rrID7Φ"), "D7Φ") == {"-E7Φ"}


def test_infantry_of_another_colour_charges_from_its_own_colours_row_3() -> None:
    state = game("rrGA8Ω rgIG3Ω rgIC7Ψ bbGH8β / r / rb / - / -")
    assert legal_from(state, "G3Ω") == {"-F3Ω", "-G3Ψ", "-F4Ω", "-G4Ψ", "-E4Ω", "-F4Ψ", "-G4Φ"}
    assert legal_from(state, "C7Ψ") == {"-C8Ψ"}


def test_converted_infantry_goes_forward_in_its_own_colour() -> None:
    assert legal_from(game("rrGA8Ω rgIE4Ω bbGH8β / r / rb / - / -"), "E4Ω") == {"-E5Ω"}


def test_infantry_captures_over_a_corner_forward_four_ways_from_black() -> None:
    state = with_red("rrGA8Ω rrIE6Φ ggIF5Φ bbIF6Σ ggIF5Ψ bbIF7Σ ggID7Ψ bbIE5Ψ")
    assert legal_from(state, "E6Φ") == {"-F6Φ", "xF5Φ", "xF6Σ", "xF5Ψ", "xF7Σ"}


def test_infantry_captures_over_a_corner_forward_three_ways_from_white() -> None:
    state = with_red("rrGA8Ω rrIF6Φ ggIG5Φ bbIG6Σ ggIG5Σ bbIE7Σ")
    assert legal_from(state, "F6Φ") == {"-F5Φ", "-F6Σ", "xG5Φ", "xG6Σ", "xG5Σ"}


def test_a_piece_on_the_gate_shuts_both_beside_triangles_from_black() -> None:
    state = with_red("rrGA8Ω rrIE6Φ ggIF5Φ bbIF6Σ ggIF5Ψ bbIF7Σ bbIF6Φ")
    assert legal_from(state, "E6Φ") == {"xF5Ψ", "xF7Σ"}


def test_a_piece_on_a_gate_shuts_its_beside_triangle_from_white() -> None:
    state = with_red("rrGA8Ω rrIF6Φ ggIG5Φ bbIG6Σ ggIG5Σ bbIF6Σ")
    assert legal_from(state, "F6Φ") == {"-F5Φ", "xG5Φ", "xG5Σ"}


def test_infantry_never_captures_its_owners_pieces() -> None:
    assert legal_from(with_red("rrGA8Ω rrIE6Φ rrIF5Ψ rrRF7Σ"), "E6Φ") == {"-F6Φ"}


def test_infantry_on_its_far_row_moves_along_the_edge_both_ways() -> None:
    assert legal_from(with_red("rrGA8Ω rrIH4Σ"), "H4Σ") == {"-H5Σ", "-H4Φ"}
    assert legal_from(with_red("rrGA8Ω rrIH5Σ"), "H5Σ") == {"-H4Σ", "-H5Π"}


def test_infantry_on_its_far_row_captures_from_black_to_black_if_the_gate_is_open() -> None:
    far = "rrGA8Ω rrIH4Σ ggIH5Π bbIH3Φ {}ggGG2Ω bbGH8β / r / rgb / - / -"
    assert legal_from(game(far.format("")), "H4Σ") == {"-H5Σ", "-H4Φ", "xH5Π", "xH3Φ"}
    assert legal_from(game(far.format("ggIH5Σ ")), "H4Σ") == {"-H4Φ", "xH3Φ"}


def test_infantry_on_its_far_row_does_not_capture_from_white() -> None:
    assert legal_from(with_red("rrGA8Ω rrIH5Σ ggIH4Σ bbIH5Π ggIH4Φ"), "H5Σ") == set()


def test_there_is_no_promotion() -> None:
    assert "rrIH5Σ" in after(with_red("rrGA8Ω rrIG5Σ"), "g5s h5s").position


# -- Rukh -------------------------------------------------------------------------------------------------------------


def test_a_rukh_goes_along_rows_up_to_the_first_piece_and_captures_it() -> None:
    state = with_red("rrGA8Ω rrRE6Φ ggIE8Π bbIH6Δ rrIF6Φ")
    assert legal_from(state, "E6Φ") == {
        *("-E7Φ", "-E7Σ", "-E8Σ", "xE8Π", "-E6Ψ", "-E5Ψ", "-E5Ω", "-E4Ω"),
        *("-D6Ψ", "-D6Ω", "-C6Ω"),
        *("-D7Φ", "-D8Φ", "-C8Φ"),
    }


def test_two_rays_of_a_rukh_share_their_first_triangle() -> None:
    state = with_red("rrGA8Ω rrRE6Φ ggIF6Φ rrIE7Φ rrIE6Ψ")
    assert legal_from(state, "E6Φ") == {"xF6Φ"}


def test_a_rukh_does_not_leap() -> None:
    assert "F5Φ" not in reached(with_red("rrGA8Ω rrRE6Φ rrIF6Φ"), "E6Φ")


# -- Cavalry ----------------------------------------------------------------------------------------------------------


def test_cavalry_goes_two_or_three_triangles_along_an_axis_leaping_over_anything() -> None:
    alone = reached(with_red("rrGA8Ω rrCE6Φ"), "E6Φ")
    crowded = reached(with_red("rrGA8Ω rrCE6Φ rrIF6Φ ggIF5Φ bbIF6Σ rrIE7Φ ggIE6Ψ bbID7Ψ ggIF5Ψ rrIF7Σ"), "E6Φ")
    assert alone == crowded
    assert alone == {
        *("G5Σ", "D8Σ", "D5Ω"),  # over a side, then a corner
        "H5Σ",  # and over one more side; the other two are off the board
        *("C7Ψ", "F4Ψ", "F7Π"),  # over a corner, then a side
        *("B8Ω", "G3Ω", "G8Δ"),  # and over one more corner
    }


def test_cavalry_captures_by_displacement_but_never_its_owners_pieces() -> None:
    state = with_red("rrGA8Ω rrCE6Φ ggIG5Σ rrIH5Σ")
    assert "xG5Σ" in legal_from(state, "E6Φ")
    assert not {"xH5Σ", "-H5Σ"} & legal_from(state, "E6Φ")


# -- General ----------------------------------------------------------------------------------------------------------


def test_a_general_goes_over_any_side_or_corner() -> None:
    assert reached(with_red("rrGE6Φ"), "E6Φ") == {
        *("F6Φ", "E7Φ", "E6Ψ"),
        *("D7Ψ", "F5Ψ", "F7Σ"),
        *("D6Ψ", "D7Φ", "E5Ψ", "E7Σ", "F5Φ", "F6Σ"),
    }


def test_gates_with_a_piece_on_them_are_shut_to_a_general() -> None:
    state = with_red("rrGF6Φ rrIF6Σ rrIE6Φ")
    assert reached(state, "F6Φ") == {"F5Φ", "F5Ψ", "G5Φ", "G5Σ", "E7Σ", "E5Ψ"}


# -- Castling ---------------------------------------------------------------------------------------------------------


def test_castling_exchanges_general_and_rukh() -> None:
    castled = after(game(), "B8Ω=B7Ω")
    assert "rrGB7Ω" in castled.position
    assert "rrRB8Ω" in castled.position


def test_who_has_castled_has_moved() -> None:
    again = after(game(), "B8Ω=B7Ω", "f3w e4w", "f8d e8s")
    assert refused(again, "castle b8w").rule == "castling_moved"


def test_no_castling_with_a_rukh_that_has_moved() -> None:
    state = with_red("rrG*B8Ω rrR*B7Ω rrRB8Ψ rrCA8Ω")
    assert "B8Ω=B7Ω" in legal(state)
    assert refused(state, "B8Ω=B8Ψ").rule == "castling_moved"


def test_no_castling_with_a_general_that_has_moved() -> None:
    assert refused(with_red("rrGB8Ω rrR*B7Ω"), "castle").facts["triangle"] == "B8Ω"


def test_no_castling_with_a_rukh_of_another_colour() -> None:
    state = game("rrG*B8Ω rgR*B7Ω bbGH8β / r / rb / - / -")
    assert refused(state, "B8Ω=B7Ω").rule == "castling_pieces"


def test_no_castling_out_of_check() -> None:
    state = with_red("rrG*B8Ω rrR*B7Ω rrR*B8Ψ ggCE6Φ")
    refusal = refused(state, "B8Ω=B7Ω")
    assert (refusal.rule, refusal.facts["attackers"]) == ("castling_in_check", ("E6Φ",))


def test_no_castling_into_check() -> None:
    state = with_red("rrG*B8Ω rrR*B7Ω rrR*B8Ψ ggRH7Γ")
    refusal = refused(state, "B8Ω=B7Ω")
    assert (refusal.rule, refusal.facts["attackers"]) == ("castling_into_check", ("H7Γ",))
    assert "B8Ω=B8Ψ" in legal(state)
