"""The notebook of TRiNITY against a slow reading of the same facts."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from rules.trinity import GAME
from rules.trinity.notebook import EVERY, hitting, listed, notebook, notes, split, unseen
from rules.trinity.state import TRIPLES, Hits, Opened, Range, Sum, TrinityOptions, Triple
from rules.trinity.view import View
from tests.rules.trinity_tables import TABLES, after, held, random_game, table


def could_be(known: View, seat: int, triple: Triple) -> bool:
    """Whether these could be the targets of this seat, from its definition."""
    player = known.players[seat]
    for answer in player.answers:
        match answer:
            case Hits():
                fits = sum(a == b for a, b in zip(answer.digits, triple, strict=True)) == answer.hits
            case Sum():
                fits = sum(triple) == answer.total
            case Range():
                fits = max(triple) - min(triple) == answer.width
            case Opened(digit=None):
                fits = all(triple[position] == digit for position, digit in answer.shown)
            case Opened():
                fits = [(p, d) for p, d in enumerate(triple) if d == answer.digit] == list(answer.shown)
        if not fits:
            return False
    if any(shown not in (None, digit) for shown, digit in zip(player.targets, triple, strict=True)):
        return False
    deck = Counter(list(range(10)) * known.options.copies)
    own = known.own
    if own is not None and own.seat != seat:
        deck.subtract([*own.hand, *own.targets, *own.foreseen])
    for other in known.players:
        deck.subtract(other.area)
        if own is None or other.seat != own.seat or seat == own.seat:
            deck.subtract(other.laid_open)
            if other.seat != seat:
                deck.subtract(digit for digit in other.targets if digit is not None)
    deck.subtract(triple)
    return all(count >= 0 for count in deck.values())


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_the_notebook_is_right_and_never_rules_out_the_truth(seats: int, options: TrinityOptions) -> None:
    rng = random.Random(f"{seats} {options}")
    checked = 0
    for _ in range(4):
        for ply, state in enumerate(random_game(seats, options, rng, plies=90)):
            if GAME.result(state) is not None:
                break
            for viewer in (None, *range(seats)):
                known = GAME.view(state, viewer)
                for noted in notebook(known):
                    targets = state.players[noted.seat].targets
                    assert not targets or targets in noted.triples()
                    if ply % 9 == 0:
                        assert noted.triples() == tuple(t for t in TRIPLES if could_be(known, noted.seat, t))
                        checked += noted.count < 900
    assert checked > 20


def test_notes_are_about_everyone_else_still_in_the_game() -> None:
    state = table(held("7", "863"), held("1", "222"), held("1", "444"))
    assert [noted.seat for noted in notebook(GAME.view(state, 0))] == [1, 2]
    assert [noted.seat for noted in notebook(GAME.view(state, None))] == [0, 1, 2]
    assert [noted.seat for noted in notebook(GAME.view(after(state, "2 leaves"), 0))] == [2]


def test_facts_narrow_down_what_is_possible() -> None:
    state = table(held("9678", "863"), held("115", "752"), pile="")
    state = after(state, "1 play 7 @2", "1 guess @2 7 0 0", "2 play 5", "2 skip", "2 skip", "1 play 9 @2 3")
    (noted,) = notebook(GAME.view(state, 0))
    assert noted.triples() == ((7, 5, 2),)
    assert noted.positions == ((7,), (5,), (2,))


def test_a_digit_asked_for_and_not_found_is_ruled_out() -> None:
    state = after(table(held("69", "863"), held("11", "752")), "1 play 6 @2 4")
    (noted,) = notebook(GAME.view(state, 0))
    assert all(4 not in digits for digits in noted.positions)


def test_cards_that_the_viewer_holds_are_not_among_an_opponents_targets() -> None:
    state = table(held("77", "763"), held("11", "752", shown="2"))
    assert 7 not in notebook(GAME.view(state, 0))[0].positions[0]
    assert 7 in notes(GAME.view(state, None), 1).positions[0]


def test_cards_foreseen_by_a_4_are_not_among_an_opponents_targets() -> None:
    state = after(table(held("43", "863"), held("11", "752"), pile="999"), "1 play 4")
    assert 9 not in notebook(GAME.view(state, 0))[0].positions[0]
    assert 9 in notes(GAME.view(state, None), 1).positions[0]


def test_when_targets_change_the_old_answers_are_forgotten() -> None:
    state = after(table(held("77", "863"), held("111", "752"), pile=""), "1 play 7 @2", "1 skip", "2 play 1")
    assert notebook(GAME.view(state, 0))[0].count < 100
    assert notebook(GAME.view(after(state, "2 swap 1 1"), 0))[0].count > 900


def test_notes_on_oneself_are_what_everybody_can_tell() -> None:
    state = after(table(held("77", "863"), held("1", "752")), "1 play 7 @2", "1 skip")
    assert notes(GAME.view(state, 1), 1) == notes(GAME.view(state, None), 1)


def test_the_tables_agree_with_their_definitions() -> None:
    rng = random.Random(3)
    for digits in rng.sample(TRIPLES, 30):
        by_hits = [hitting(digits, hits) for hits in range(4)]
        assert sum(by_hits) == EVERY
        for hits in range(4):
            assert listed(by_hits[hits]) == tuple(
                triple for triple in TRIPLES if sum(a == b for a, b in zip(digits, triple, strict=True)) == hits
            )
        some = rng.getrandbits(1000)
        assert split(some, digits) == tuple((some & triples).bit_count() for triples in by_hits)


def test_copies_left_limit_the_triples() -> None:
    assert unseen(3, []) == EVERY
    assert len(listed(unseen(2, []))) == 1000 - 10
    assert all(triple.count(4) <= 1 for triple in listed(unseen(3, [4, 4])))
    assert all(4 not in triple for triple in listed(unseen(3, [4, 4, 4])))
