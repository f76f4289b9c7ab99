"""The moves of Triangulation chess as menus: piece, target, rescue."""

from __future__ import annotations

from rules.chess import GAME
from rules.chess.actions import ChessAction, text_of
from rules.chess.board import NAMES
from rules.chess.choices import rescues, starts, targets, ways
from tests.rules.chess_tables import game

RESCUE = "rrGA8Ω rrIH2Ω ggGE4Ω bbGH8β / r / rgb / g:rR,rI,rC / -"


def actions(position: str | None = None) -> list[ChessAction]:
    return list(GAME.legal(game(position), 0))


def at(name: str) -> int:
    return NAMES.index(name)


def test_first_comes_a_piece_that_can_move() -> None:
    named = [NAMES[start] for start in starts(actions())]
    assert named == ["A8Ω", "B8Ω", "C6Ω", "C7Ψ", "C8Φ"]


def test_then_where_it_goes_the_general_castling_to_a_rukh() -> None:
    assert {NAMES[target] for target in targets(actions(), at("C6Ω"))} == {"D5Ω", "D6Ψ", "D6Ω", "E5Ω", "E6Ψ"}
    assert {NAMES[target] for target in targets(actions(), at("B8Ω"))} == {"B7Ω", "B8Ψ"}


def test_without_a_rescue_that_is_one_action() -> None:
    assert [text_of(way) for way in ways(actions(), at("B8Ω"), at("B7Ω"))] == ["B8Ω=B7Ω"]


def test_with_a_rescue_come_the_prisoner_and_the_places() -> None:
    all_ways = ways(actions(RESCUE), at("H2Ω"), at("H1Ω"))
    found = rescues(actions(RESCUE), at("H2Ω"), at("H1Ω"))
    assert list(found) == [(0, 2), (0, 1)]
    assert [NAMES[rescue.retreat] for rescue in found[0, 1]] == ["C6Ω", "C7Ψ", "C7Ω", "C8Φ", "C8Ψ"]
    assert len(all_ways) == 1 + sum(map(len, found.values()))


def test_every_action_is_found_by_its_choices() -> None:
    for position in (None, RESCUE):
        legal = actions(position)
        found = [
            way for start in starts(legal) for target in targets(legal, start) for way in ways(legal, start, target)
        ]
        assert sorted(map(text_of, found)) == sorted(map(text_of, legal))


def test_nothing_but_to_pass_is_no_choice_of_pieces() -> None:
    assert starts(actions("rrGA8Ω ggIB7Ω bbIB8Ψ rrIB8Ω ggGH1Ω bbGH8β / r / rgb / - / -")) == ()
