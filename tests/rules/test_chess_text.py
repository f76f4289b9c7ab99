"""What people type in Triangulation chess: actions as text, short forms, and every kind of refusal."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.chess import GAME
from rules.chess.actions import ChessAction, Move, Rescue
from rules.chess.board import NAMES
from rules.game import Ambiguous, Illegal, Refusal, Unreadable, from_json, to_json
from tests.rules.chess_tables import game, legal, refused, refused_as, with_red

RESCUE = "rrGA8Ω rrIH2Ω ggGE4Ω bbGH8β ggCD5Ω / r / rgb / g:rR,rI,rC / -"
TWO_COLOURS = "rrGA8Ω rgIH8Γ bbGE6Ψ rrIC7Ψ rrIC8Φ / r / rb / b:gI,rI / -"


def read(text: str, position: str | None = None) -> str:
    """What Red means by this, canonically."""
    return GAME.text(GAME.parse(game(position), 0, text))


# -- Canonical texts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("position", [None, RESCUE, TWO_COLOURS, "rrGA8Ω rrRE4Ω ggIE5Ω ggGH1Ω / r / rg / - / -"])
def test_every_canonical_text_is_read_back(position: str | None) -> None:
    state = game(position)
    for action in GAME.legal(state, 0):
        assert GAME.parse(state, 0, GAME.text(action)) == action
        assert from_json(to_json(action), GAME.Action) == action


@pytest.mark.parametrize(
    ("position", "text"),
    [
        ("rrGA8Ω rrIC6Ω ggGH1Ω / r / rg / - / -", "C6Ω-D5Ω"),
        ("rrGB8Ω rrRA8Ω ggID7Ψ ggRC7Ψ ggGH1Ω rrIG5Φ rrCF5Φ / r / rg / - / -", "B8ΩxC7Ψ"),
        (None, "B8Ω=B7Ω"),
        (RESCUE, "H2Ω-H1Ω+rR>C7Ψ"),
        (TWO_COLOURS, "H8Γ-H8β+rI>C7Ω,C6Ω"),
        ("rrGA8Ω ggIB7Ω bbIB8Ψ rrIB8Ω ggGH1Ω bbGH8β / r / rgb / - / -", "--"),
    ],
)
def test_actions_are_written_as_move_capture_castling_rescue_and_pass(position: str | None, text: str) -> None:
    assert text in legal(game(position))


def test_an_action_from_outside_names_triangles_of_the_board() -> None:
    with pytest.raises(Exception, match="63"):
        from_json('{"type": "move", "start": 64, "target": 1}', GAME.Action)


# -- Forgiving input --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        *("C6Ω-D5Ω", "c6ω-d5ω", "C6ΩxD5Ω", "C6W D5W", "c6w d5w", "c68d58", "C68-D58", "c6wd5w"),
        *("c6w - d5w", "c6w–d5w", "c6w—d5w", "C6Ω→D5Ω", "c6w > d5w", "c6w to d5w", "Ｃ６Ω－Ｄ５Ω", " c6w   d5w "),
        *("c6 d5", "c6d5w", "c 6 w - d 5 w", "ιnfantry d5w".replace("ι", "i"), "I d5w", "inf d5", "d5w", "D5", "Id5w"),
    ],
)
def test_a_move_is_read_in_many_ways(text: str) -> None:
    assert read(text) == "C6Ω-D5Ω"


@pytest.mark.parametrize("text", ["A8Ω-D7Ψ", "CD7Ψ", "cavalry d7y", "c d7y", "C A8W D7Y", "a8", "knight to d7y"])
def test_a_piece_and_its_target_are_enough(text: str) -> None:
    assert read(text) == "A8Ω-D7Ψ"


@pytest.mark.parametrize(
    "text", ["B8Ω=B7Ω", "b8w b7w", "B7=B8W", "castle b7", "castling with b7w", "O-O b7w", "b7w-b8w"]
)
def test_castling_is_read_in_many_ways(text: str) -> None:
    assert read(text) == "B8Ω=B7Ω"


@pytest.mark.parametrize(
    "text",
    [
        *("H2Ω-H1Ω+rR>C7Ψ", "h2w h1w + rr > c7y", "h1w+rukh c7y", "h2w h1w rescue red rukh to c7y", "h1w+rrc7y"),
        "H2Ω H1Ω +RR C7",
    ],
)
def test_a_rescue_is_read_in_many_ways(text: str) -> None:
    state = game(RESCUE)
    if text.endswith("C7"):
        assert refused_as(Ambiguous, state, text).candidates == ("H2Ω-H1Ω+rR>C7Ψ", "H2Ω-H1Ω+rR>C7Ω")
    else:
        assert read(text, RESCUE) == "H2Ω-H1Ω+rR>C7Ψ"


def test_a_move_without_a_rescue_told_rescues_nobody() -> None:
    assert read("h1w", RESCUE) == "H2Ω-H1Ω"


def test_two_alike_infantry_may_be_told_in_either_order_and_unlike_ones_in_theirs() -> None:
    assert read("h8b+gi>c7w,c6w", TWO_COLOURS) == "H8Γ-H8β+gI>C6Ω,C7Ω"
    assert read("h8b+ri>c7w,c6w", TWO_COLOURS) == "H8Γ-H8β+rI>C7Ω,C6Ω"
    assert read("h8b+ri>c6w and c7w", TWO_COLOURS) == "H8Γ-H8β+rI>C6Ω,C7Ω"


# -- Ambiguous --------------------------------------------------------------------------------------------------------


def test_an_ambiguous_short_form_lists_the_candidates() -> None:
    assert refused_as(Ambiguous, game(), "d7y").candidates == ("A8Ω-D7Ψ", "C7Ψ-D7Ψ")
    assert refused_as(Ambiguous, game(), "castle").candidates == ("B8Ω=B7Ω", "B8Ω=B8Ψ")


def test_a_piece_alone_lists_its_moves() -> None:
    assert set(refused_as(Ambiguous, game(), "c6w").candidates) == {t for t in legal(game()) if t.startswith("C6Ω")}


def test_half_a_rescue_lists_how_it_could_go_on() -> None:
    assert len(refused_as(Ambiguous, game(RESCUE), "h1w+").candidates) == 10
    assert len(refused_as(Ambiguous, game(RESCUE), "h1w+cavalry").candidates) == 5
    one_place = refused_as(Ambiguous, game(TWO_COLOURS), "h8b+ri>c6w").candidates
    assert len(one_place) == 4
    assert all("C6Ω" in text for text in one_place)


# -- Unreadable -------------------------------------------------------------------------------------------------------


def test_a_triangle_that_is_not_on_the_board_is_told_with_the_columns_that_are() -> None:
    refusal = refused_as(Unreadable, game(), "C7Σ-D5Ω")
    assert refusal.rule == "not_on_board"
    assert refusal.facts == {
        "triangle": "C7Σ",
        "rank": "C",
        "file": 7,
        "columns": ("Ψ", "Ω"),
        "files": (6, 7, 8),
    }


def test_a_rank_and_file_that_have_no_triangle_are_told_with_the_files_that_do() -> None:
    refusal = refused_as(Unreadable, game(), "a1")
    assert (refusal.rule, refusal.facts["columns"], refusal.facts["files"]) == ("not_on_board", (), (8,))


@pytest.mark.parametrize(
    ("text", "rule"), [("C9W", "triangle"), ("I6Ω", "triangle"), ("hello", "action"), ("", "action")]
)
def test_what_is_no_action_is_unreadable(text: str, rule: str) -> None:
    refusal = refused_as(Unreadable, game(), text)
    assert (refusal.rule, refusal.facts["text"]) == (rule, text)


def test_a_long_text_is_not_echoed_whole() -> None:
    assert len(str(refused_as(Unreadable, game(), "c6w " * 1000).facts["text"])) <= 80


@given(st.text(alphabet="abcdefghirxβγδπσφψωABCΩ12345678-=+>, to", max_size=24))
def test_any_text_is_a_legal_action_or_a_refusal(text: str) -> None:
    for position in (None, RESCUE):
        state = game(position)
        with suppress(Refusal):
            assert GAME.parse(state, 0, text) in GAME.legal(state, 0)


# -- Illegal ----------------------------------------------------------------------------------------------------------


def facts(position: str | None, text: str) -> tuple[str, dict[str, object]]:
    """Rule and facts of Red's refusal."""
    refusal = refused(game(position), text)
    return refusal.rule, refusal.facts


LONE = "{} ggGH1Ω bbGH8β / r / rgb / - / -"


def test_no_piece_there() -> None:
    assert facts(None, "e6f f6f") == ("empty", {"triangle": "E6Φ", "swapped": None})


def test_no_piece_there_but_on_the_triangle_with_both_numbers_swapped() -> None:
    assert facts(LONE.format("rrGA8Ω rrIE6Ψ"), "e76 e66") == ("empty", {"triangle": "E7Φ", "swapped": "E6Ψ"})


def test_another_players_piece() -> None:
    assert facts(None, "h3f h4f") == ("not_yours", {"triangle": "H3Φ", "owner": 1})
    assert facts("rrGA8Ω nbGH8β ggGH1Ω / r / rg / - / -", "h8b h8g")[1]["owner"] == 3


def test_another_kind_of_piece_there() -> None:
    assert facts(None, "G b7w c7w") == ("kind", {"triangle": "B7Ω", "kind": 1, "named": 3})


def test_ones_own_piece_on_the_target() -> None:
    assert facts(None, "b7w c7w") == ("own_piece", {"target": "C7Ω", "kind": 0})


def test_a_way_that_the_piece_does_not_go() -> None:
    wanted = {"kind": 1, "start": "E6Φ", "target": "F5Ψ", "swapped": None}
    assert facts(LONE.format("rrGA8Ω rrRE6Φ"), "e6f f5y") == ("no_way", wanted)


def test_a_way_that_the_piece_would_go_with_both_numbers_swapped() -> None:
    wanted = {"kind": 0, "start": "C6Ω", "target": "D8Σ", "swapped": "D5Ω"}
    assert facts(LONE.format("rrGA8Ω rrIC6Ω"), "c6w d85") == ("no_way", wanted)


def test_a_gate_that_is_shut() -> None:
    wanted = {"gate": "F6Σ", "start": "F6Φ", "target": "F7Σ"}
    assert facts(LONE.format("rrGF6Φ rrIF6Σ rrIE6Φ"), "f6f f7s") == ("gate", wanted)
    wanted = {"gate": "F6Φ", "start": "E6Φ", "target": "F5Φ"}
    assert facts(LONE.format("rrGA8Ω rrIE6Φ ggIF5Φ bbIF6Φ"), "e6f f5f") == ("gate", wanted)


def test_a_piece_in_the_way() -> None:
    assert facts(None, "b7w d5w") == ("blocked", {"by": "C7Ω", "target": "D5Ω"})
    assert facts(None, "c8y d7f") == ("blocked", {"by": "C7Ψ", "target": "D7Φ"})


def test_an_infantry_does_not_capture_straight_ahead() -> None:
    assert facts(LONE.format("rrGA8Ω rrIE6Φ ggIF6Φ"), "e6f f6f") == ("straight", {"target": "F6Φ"})


def test_an_infantry_goes_over_a_corner_only_to_capture() -> None:
    assert facts(LONE.format("rrGA8Ω rrIE6Φ"), "e6f f5f") == ("nothing_to_capture", {"target": "F5Φ"})


def test_an_infantry_charges_from_row_3_only() -> None:
    wanted = {"start": "D7Φ", "target": "F6Φ"}
    assert facts(LONE.format("rrGA8Ω rrID7Φ"), "d7f f6f") == ("no_charge", wanted)


def test_a_piece_that_cannot_go_anywhere() -> None:
    assert facts(None, "b7w") == ("stuck", {"triangle": "B7Ω", "kind": 1})


def test_a_target_that_no_piece_reaches() -> None:
    assert facts(None, "e6f") == ("unreachable", {"target": "E6Φ", "kind": None, "swapped": None})
    assert facts(None, "R d5w") == ("unreachable", {"target": "D5Ω", "kind": 1, "swapped": None})


def test_a_target_that_is_reached_with_both_numbers_swapped() -> None:
    unreached = ("unreachable", {"target": "D8Σ", "kind": None, "swapped": "D5Ω"})
    assert facts(LONE.format("rrGA8Ω rrIC6Ω"), "d85") == unreached
    assert facts(LONE.format("rrGA8Ω rrIC6Ω"), "G d85")[1]["swapped"] is None


def test_a_move_that_leaves_the_general_open_says_to_whom() -> None:
    state = with_red("rrGB8Ω rrRB7Ω rrIG5Φ ggRE8Σ")
    refusal = refused(state, "g5f g4f")
    assert refusal.rule == "open"
    assert refusal.facts == {"general": "B8Ω", "by": (1,), "attackers": ("E8Σ",)}


def test_a_target_alone_that_a_piece_may_not_go_to_says_why() -> None:
    assert refused(with_red("rrGB8Ω rrRB7Ω rrIG5Φ ggRE8Σ"), "g4f").rule == "open"


def test_castling_without_a_rukh() -> None:
    assert facts(LONE.format("rrG*A8Ω rrIE4Ω"), "castle") == ("castling_pieces", {"general": "A8Ω", "rukh": None})


def test_a_rescue_away_from_corners_without_prisoners_of_others_or_to_no_place() -> None:
    assert facts(RESCUE, "h2w h2y+rR>c6w") == ("rescue_corner", {"target": "H2Ψ"})
    assert facts(RESCUE.replace("g:rR,rI,rC", "-"), "h1w+rR>c6w") == ("no_prisoners", {"captor": 1})
    not_held = {"captor": 1, "colour": 1, "kind": 1, "prisoners": ("rR", "rC")}
    assert facts(RESCUE, "h1w+gR>c6w") == ("not_held", not_held)
    assert facts(RESCUE, "h1w+rR>d5w") == (
        "no_place",
        {"place": "D5Ω", "free": ("C6Ω", "C7Ψ", "C7Ω", "C8Φ", "C8Ψ")},
    )
    assert facts(RESCUE, "h1w+rR>c6w,c7w") == ("places", {"needed": 1, "told": 2})
    assert facts(TWO_COLOURS, "h8b+rI>c6w,c6w")[0] == "no_place"


@pytest.mark.parametrize(
    "action",
    [
        Move(0, 40),
        Move(0, 13, takes=True),
        Move(49, 50),
        Move(30, 31),
        Rescue(0, 13, False, 0, 1, 4),
        Rescue(4, 9, False, 0, 0, 5, 6),
    ],
)
def test_an_action_that_is_not_legal_is_refused_with_a_rule(action: ChessAction) -> None:
    state = game()
    with pytest.raises(Illegal) as caught:
        GAME.play(state, 0, action)
    assert caught.value.rule


def test_a_rescue_in_the_other_order_of_two_alike_infantry_is_no_action_of_its_own() -> None:
    state = game(TWO_COLOURS)
    start, corner, one, two = (NAMES.index(name) for name in ("H8Γ", "H8β", "C7Ω", "C6Ω"))
    with pytest.raises(Illegal) as caught:
        GAME.play(state, 0, Rescue(start, corner, False, 1, 0, one, two))
    assert caught.value.rule == "not_so"
