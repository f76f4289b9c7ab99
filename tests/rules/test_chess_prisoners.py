"""Conquest, prisoners and rescue in Triangulation chess."""

from __future__ import annotations

from rules.chess.actions import Fell, NeutralFell, Rescued
from rules.chess.state import position_of
from tests.rules.chess_tables import after, found, game, legal, legal_from, refused, said, step

CONQUEST = "rrGA8Ω rrRH3Φ ggRD5Ω gbIF6Σ ggGH1Ω bbGF8Δ / r / rgb / r:gI g:rI,bC / -"
HOME = "rrGA8Ω rrIH2Ω ggGE4Ω bbGH8β {}/ r / rgb / {} / -"
"""Red's Infantry stands before Green's corner H1Ω, Green's General elsewhere; pieces and prisoners to fill in."""
ROW_3 = ("C6Ω", "C7Ψ", "C7Ω", "C8Φ", "C8Ψ")


def prisoners(position: str) -> str:
    """The part of a position's text that tells the prisoners."""
    return position.split(" / ")[3]


# -- Capturing a General ----------------------------------------------------------------------------------------------


def test_the_pieces_of_a_fallen_general_of_every_colour_go_to_the_capturer() -> None:
    conquered = after(game(CONQUEST), "h3f h1w")
    assert conquered.position.startswith("rrGA8Ω rgRD5Ω rbIF6Σ bbGF8Δ rrRH1Ω / b / rb / ")


def test_the_prisoners_of_a_fallen_general_go_to_the_capturer() -> None:
    assert prisoners(after(game(CONQUEST), "h3f h1w").position) == "r:bC,gI,rI"


def test_the_fall_of_an_army_is_announced() -> None:
    fall = step(game(CONQUEST), "h3f h1w")
    assert found(fall, Fell) == [Fell(1, to=0, pieces=2, prisoners=2)]
    assert said(fall)[0] == "out g"


def test_a_general_is_never_a_prisoner() -> None:
    assert "G" not in prisoners(after(game(CONQUEST), "h3f h1w").position)


def test_the_capturer_still_makes_one_move_a_turn() -> None:
    assert position_of(after(game(CONQUEST), "h3f h1w")).turn == 2


def test_conquered_pieces_obey_their_new_owner_and_keep_their_colour() -> None:
    theirs = after(game(CONQUEST), "h3f h1w", "f8d g8g")
    assert legal_from(theirs, "F6Σ") == {"-F6Φ"}


def test_a_conquered_rukh_that_has_not_moved_does_not_castle() -> None:
    state = game("rrG*A8Ω rgR*B8Ω bbGH8β / r / rb / - / -")
    assert not [text for text in legal(state) if "=" in text]


def test_whoever_captures_the_neutral_general_owns_the_rest_of_that_army() -> None:
    state = game("rrGC7Ψ rrRH5Σ nbGH8β nbCG8Δ nbRF7Σ ggGH2Ω ggIF4Ω / r / rg / - / -", seats=2)
    taken = step(state, "h5s h8b")
    assert "rbCG8Δ" in taken.state.position
    assert "rbRF7Σ" in taken.state.position
    assert found(taken, NeutralFell) == [NeutralFell(2, to=0, pieces=2)]
    assert not [words for words in said(taken) if words.startswith("out")]


def test_a_neutral_piece_can_be_captured_and_becomes_a_prisoner() -> None:
    state = game("rrGC7Ψ rrRH5Σ nbGH8β nbIH7Δ ggGH2Ω / r / rg / - / -", seats=2)
    assert prisoners(after(state, "h5s h7d").position) == "r:bI"


def test_a_neutral_army_blocks() -> None:
    state = game("rrGC7Ψ rrRH5Σ nbGH8β nbIH7Δ ggGG2Ω / r / rg / - / -", seats=2)
    assert "H5Σ-H7Γ" not in legal(state)
    assert refused(state, "h5s h7g").facts == {"by": "H7Δ", "target": "H7Γ"}


# -- Prisoners --------------------------------------------------------------------------------------------------------


def test_a_captured_piece_is_a_prisoner_of_its_captor_by_colour_and_kind() -> None:
    state = game("rrGA8Ω rrRE4Ω gbIE5Ω ggGH1Ω bbGH8β / r / rgb / - / -")
    assert prisoners(after(state, "e4w e5w").position) == "r:bI"


def test_prisoners_are_listed_by_their_text() -> None:
    state = game("rrGA8Ω ggGH1Ω bbGH8β / r / rgb / b:rR,gI r:gR,bI,gI,gC / -")
    assert prisoners(state.position) == "r:bI,gC,gI,gR b:gI,rR"


# -- Rescue -----------------------------------------------------------------------------------------------------------


def test_a_rescued_rukh_or_cavalry_appears_on_the_corner_and_the_infantry_goes_to_row_3() -> None:
    state = game(HOME.format("", "g:rR,rC"))
    expected = {f"-H1Ω+{prisoner}>{place}" for prisoner in ("rR", "rC") for place in ROW_3}
    assert legal_from(state, "H2Ω") == {"-H1Ω", "-H2Ψ"} | expected
    rescued = after(state, "H2Ω-H1Ω+rR>C7Ψ").position
    assert "rrIC7Ψ" in rescued
    assert "rrRH1Ω" in rescued
    assert prisoners(rescued) == "g:rC"


def test_not_rescuing_is_allowed() -> None:
    stays = after(game(HOME.format("", "g:rR")), "H2Ω-H1Ω").position
    assert "rrIH1Ω" in stays
    assert prisoners(stays) == "g:rR"


def test_a_rescue_is_announced() -> None:
    rescue = step(game(HOME.format("", "g:rR")), "H2Ω-H1Ω+rR>C7Ψ")
    (event,) = found(rescue, Rescued)
    assert isinstance(event, Rescued)
    assert (event.player, event.captor, event.colour, event.kind) == (0, 1, 0, 1)


def test_a_rescued_piece_counts_as_moved() -> None:
    rescued = after(game(HOME.format("", "g:rR").replace("rrGA8Ω", "rrG*A8Ω")), "H2Ω-H1Ω+rR>C7Ψ", "e4w f4y", "h8b g8g")
    assert refused(rescued, "A8Ω=H1Ω").rule == "castling_moved"


def test_an_infantry_is_only_rescued_if_no_other_kind_could_be() -> None:
    state = game(HOME.format("", "g:rI,rC"))
    assert not [text for text in legal(state) if "+rI" in text]
    assert refused(state, "H2Ω-H1Ω+rI>C6Ω,C7Ψ").rule == "infantry_last"
    assert [text for text in legal(game(HOME.format("", "g:rI,bC"))) if "+rI" in text]


def test_with_a_rescued_infantry_both_go_to_row_3() -> None:
    state = game(HOME.format("", "g:rI"))
    rescued = after(state, "H2Ω-H1Ω+rI>C6Ω,C7Ψ").position
    assert "rrIC6Ω" in rescued
    assert "rrIC7Ψ" in rescued
    assert "H1Ω" not in rescued


def test_two_infantry_of_one_colour_are_rescued_in_one_order_of_triangles() -> None:
    state = game(HOME.format("rrIC7Ω rrIC8Φ ", "g:rI"))
    assert {text for text in legal(state) if "+" in text} == {
        "H2Ω-H1Ω+rI>C6Ω,C7Ψ",
        "H2Ω-H1Ω+rI>C6Ω,C8Ψ",
        "H2Ω-H1Ω+rI>C7Ψ,C8Ψ",
    }


def test_infantry_of_two_colours_are_rescued_in_both_orders_the_rescuers_triangle_first() -> None:
    state = game("rrGA8Ω rgIH8Γ bbGE6Ψ rrIC7Ψ rrIC8Φ rrIC8Ψ / r / rb / b:rI / -")
    assert {text for text in legal(state) if "+" in text} == {"H8Γ-H8β+rI>C6Ω,C7Ω", "H8Γ-H8β+rI>C7Ω,C6Ω"}
    assert "rgIC7Ω" in after(state, "H8Γ-H8β+rI>C7Ω,C6Ω").position


def test_a_rescue_takes_room_on_row_3_for_each_infantry() -> None:
    full = "rrIC6Ω rrIC7Ψ rrIC7Ω rrIC8Φ {}"
    assert not [text for text in legal(game(HOME.format(full.format(""), "g:rI"))) if "+" in text]
    assert refused(game(HOME.format(full.format(""), "g:rI")), "h1w+").facts == {"needed": 2, "free": 1}
    assert [text for text in legal(game(HOME.format(full.format(""), "g:rR"))) if "+" in text] == ["H2Ω-H1Ω+rR>C8Ψ"]
    assert not [text for text in legal(game(HOME.format(full.format("rrIC8Ψ "), "g:rR"))) if "+" in text]


def test_a_rescue_may_come_with_a_capture_on_the_corner() -> None:
    state = game("rrGA8Ω rrIH2Ψ ggCH1Ω ggGE4Ω bbGH8β / r / rgb / g:rR / -")
    rescued = after(state, "H2ΨxH1Ω+rR>C7Ψ").position
    assert "rrRH1Ω" in rescued
    assert prisoners(rescued) == "r:gC"


def test_only_prisoners_of_that_corners_owner_can_be_rescued_there() -> None:
    state = game(HOME.format("", "b:rR"))
    assert not [text for text in legal(state) if "+" in text]
    assert refused(state, "H2Ω-H1Ω+rR>C6Ω").facts == {"captor": 1}


def test_own_infantry_frees_only_its_own_colour() -> None:
    assert refused(game(HOME.format("", "g:bR,bI")), "h1w+").rule == "no_prisoners"
    converted = game("rrGA8Ω rrIH8Γ bbGE6Ψ / r / rb / b:gR,gI,rC / -")
    assert {text.split(">")[0] for text in legal(converted) if "+" in text} == {"H8Γ-H8β+rC"}


def test_an_allied_infantry_frees_its_old_colour_or_its_owners() -> None:
    state = game("rrGA8Ω rgIH8Γ bbGE6Ψ / r / rb / b:gR,rC,bR / -")
    assert {text.split(">")[0] for text in legal(state) if "+" in text} == {"H8Γ-H8β+gR", "H8Γ-H8β+rC"}
    assert "rgIC7Ψ" in after(state, "H8Γ-H8β+gR>C7Ψ").position
    assert "rgRH8β" in after(state, "H8Γ-H8β+gR>C7Ψ").position


def test_only_infantry_rescues() -> None:
    state = game("rrGA8Ω rrRH2Ω ggGE4Ω bbGH8β / r / rgb / g:rR / -")
    assert refused(state, "H2Ω-H1Ω+rR>C6Ω").rule == "rescue_infantry"


def test_a_captor_whose_general_falls_in_the_same_move_holds_nothing_any_more() -> None:
    state = game("rrGA8Ω rrIG2Ω ggGH1Ω bbGH8β / r / rgb / g:rR / g<r")
    assert legal(state) == {"G2ΩxH1Ω"}
    assert prisoners(after(state, "g2w h1w").position) == "r:rR"


def test_another_general_may_fall_on_the_captors_corner_with_a_rescue() -> None:
    state = game("rrGA8Ω ggGG3Ω bbGH1Ω rrIH2Ψ / r / rgb / g:rR b:rC / -")
    fallen = after(state, "H2ΨxH1Ω+rR>C7Ψ")
    assert prisoners(fallen.position) == "r:rC"
    assert "rrRH1Ω" in fallen.position


def test_the_corner_of_a_player_who_is_out_frees_nobody() -> None:
    state = game("rrGA8Ω rrIH2Ω bbGH8β / r / rb / b:rR / -")
    assert refused(state, "h1w+").rule == "rescue_corner"


SHIELDED = "rrGA8Ω rrIH2Ω ggRD5Ω ggCD7Φ ggGG3Ψ bbGH8β / b / rgb / g:rR / -"
"""Red is in check by the Rukh; only an Infantry come home by a rescue can stand between."""


def test_a_rescue_is_judged_by_where_the_pieces_stand_in_the_end() -> None:
    assert legal(after(game(SHIELDED), "h8b h8g")) == {"H2Ω-H1Ω+rR>C6Ω", "H2Ω-H1Ω+rR>C7Ω"}
    assert refused(after(game(SHIELDED), "h8b h8g"), "H2Ω-H1Ω+rR>C8Φ").rule == "open"


def test_a_rescue_that_ends_the_check_is_a_safe_move_so_that_there_is_no_checkmate() -> None:
    assert not position_of(after(game(SHIELDED), "h8b h8g")).mark_of(0)
    assert position_of(after(game(SHIELDED.replace("g:rR", "g:bR")), "h8b h8g")).mark_of(0)
