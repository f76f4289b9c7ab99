"""Triangulation chess at random: against a second program, against itself, and what holds in every game."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from rules.chess import GAME, moves
from rules.chess.actions import ChessAction, Fell, Rescued, text_of
from rules.chess.board import ALL, APPROACHES, BIT, COLOURS, NEUTRAL, triangles
from rules.chess.position import CELL, FIRST_GENERAL, FIRST_RUKH, PRISONERS, Position, opening, read
from rules.chess.state import ChessState, legal_actions, position_of
from rules.game import from_json, to_json
from tests.rules import chess_by_hand
from tests.rules.chess_tables import game

TABLES = [(3, {}), (2, {}), (2, {"neutral": "green"}), (2, {"neutral": "red"})]


def scattered(rng: random.Random) -> Position:
    """A position as no game would have it, with many prisoners, Infantry near corners, and marks."""
    free = rng.sample(ALL, len(ALL))
    playing = rng.choice([(0, 1, 2), (0, 1, 2), (0, 1), (0, 2), (1, 2)])
    owners = (*playing, NEUTRAL) if len(playing) == 2 else playing
    armies: list[dict[int, int]] = [
        {free.pop(): FIRST_GENERAL + owner} if owner in playing else {} for owner in range(4)
    ]
    if len(playing) == 2 and rng.random() < 0.5:
        armies[NEUTRAL][free.pop()] = FIRST_GENERAL + sum(COLOURS) - sum(playing)
    for _ in range(rng.randint(1, 20)):
        piece = rng.choice([0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8])
        approaches = [triangle for triangle in free if BIT[triangle] & sum(APPROACHES)]
        triangle = rng.choice(approaches if approaches and piece < FIRST_RUKH and rng.random() < 0.5 else free)
        free.remove(triangle)
        armies[rng.choice(owners)][triangle] = piece
    starred = [at for army in armies for at, piece in army.items() if piece >= 9 or 3 <= piece < 6]
    unmoved = sum(BIT[at] for at in starred if rng.random() < 0.6)
    tallies = [sum(rng.randint(0, 1) << CELL * piece for piece in PRISONERS) if c in playing else 0 for c in COLOURS]
    marks = 0
    if rng.random() < 0.3:
        player, attacker = rng.sample(playing, 2)
        marks = 1 << 3 * player + attacker
    return Position(armies, unmoved, sum(1 << colour for colour in playing), rng.choice(playing), tallies, marks)


def same(one: Position, other: Position) -> bool:
    """Whether every field is equal."""
    return all(getattr(one, name) == getattr(other, name) for name in Position.__slots__ if name != "over")


@pytest.mark.parametrize("seed", range(4))
def test_the_legal_moves_are_those_of_a_second_program(seed: int) -> None:
    rng = random.Random(seed)
    rescues = 0
    for _ in range(70):
        position = scattered(rng) if rng.random() < 0.6 else opening((0, 1, 2))
        for _ in range(rng.choice([1, 4, 12])):
            if position.over:
                break
            text = position.text()
            told = [text_of(action) for action in legal_actions(game(text, seats=3))]
            assert told == chess_by_hand.legal(text), text
            rescues += sum("+" in move for move in told)
            moves.make(position, rng.choice(moves.legal_moves(position)))
    assert rescues


@pytest.mark.parametrize("seed", range(4))
def test_counting_legal_moves_is_listing_them(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(100):
        position = scattered(rng)
        for _ in range(4):
            if not position.over:
                listed = moves.legal_moves(position)
                assert moves.count_legal(position) == len(listed) == len(set(listed)), position.text()
                moves.make(position, rng.choice(listed))


@pytest.mark.parametrize("seed", range(4))
def test_a_move_taken_back_leaves_the_position_as_it_was(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        position = scattered(rng)
        before = position.copy()
        for move in moves.legal_moves(position):
            undo = moves.make(position, move)
            assert same(position, read(position.text()))
            moves.unmake(position, undo)
            assert same(position, before)


@pytest.mark.parametrize("seed", range(4))
def test_a_position_is_its_text(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(100):
        position = scattered(rng)
        text = position.text()
        assert same(read(text), position)
        assert read(text).text() == text
        assert read(text).key() == position.key()


def test_positions_that_differ_have_different_keys() -> None:
    rng = random.Random(0)
    positions = {text: read(text) for text in (scattered(rng).text() for _ in range(200))}
    assert len({position.key() for position in positions.values()}) == len(positions)


# -- Whole games -----------------------------------------------------------------------------------------------------


def random_action(state: ChessState, rng: random.Random) -> ChessAction:
    """A legal action, captures and rescues preferred, so that games do not take for ever."""
    actions = legal_actions(state)
    lively = [action for action in actions if "x" in text_of(action) or "+" in text_of(action)]
    return rng.choice(lively if lively and rng.random() < 0.5 else actions)


def count(position: Position) -> tuple[Counter[int], Counter[int]]:
    """All pieces on the board, and all prisoners, by piece."""
    standing = Counter(piece for army in position.armies for piece in army.values())
    held = Counter[int]()
    for captor in COLOURS:
        held.update(position.held_by(captor))
    return standing, held


def check_step(before: Position, after: Position, events: tuple[object, ...]) -> None:
    """What every turn leaves as it has to be."""
    standing, held = count(before)
    standing_now, held_now = count(after)
    rescued = Counter(3 * event.kind + event.colour for event in events if isinstance(event, Rescued))
    assert standing_now - standing == rescued, "no piece appears but by rescue"
    fallen = Counter(FIRST_GENERAL + e.player for e in events if isinstance(e, Fell))
    neutral_fallen = Counter(piece for piece in (standing - standing_now) if piece >= FIRST_GENERAL)
    assert standing + held == standing_now + held_now + (fallen | neutral_fallen), "nothing else is lost"
    for player in COLOURS:
        generals = [piece for piece in after.armies[player].values() if piece >= FIRST_GENERAL]
        assert generals == ([FIRST_GENERAL + player] if player in after.players else [])
        if player not in after.players:
            assert not after.armies[player]
            assert not after.prisoners[player]


def check_marks(position: Position) -> None:
    """The player to move is marked just if they are in check without a safe move."""
    checkers = position.checkers(position.turn)
    mated = bool(checkers) and not moves.safe_moves(position)
    assert position.attackers_of(position.turn) == (position.owners(checkers) if mated else ())


def check_safety(position: Position) -> None:
    """After a safe move nobody can capture one's General, seen from the attacking pieces."""
    me = position.turn
    for move in moves.safe_moves(position):
        after = position.copy()
        moves.make(after, move)
        occupied, general = after.occupied, BIT[after.generals[me]]
        threats = [
            at
            for owner in after.players
            if owner != me
            for at, piece in after.armies[owner].items()
            if moves.threats(at, piece, occupied) & general
        ]
        assert not threats, (position.text(), move)


@pytest.mark.parametrize(("seats", "options"), TABLES)
@pytest.mark.parametrize("seed", range(3))
def test_what_holds_at_every_turn_of_a_random_game(seats: int, options: dict[str, str], seed: int) -> None:
    rng = random.Random(seed)
    state = game(None, seats, **options)
    for _ in range(300):
        if state.ending:
            break
        before = position_of(state)
        check_safety(before)
        action = random_action(state, rng)
        seat = GAME.to_act(state)[0]
        assert GAME.parse(state, seat, GAME.text(action)) == action
        step = GAME.play(state, seat, action)
        state = step.state
        after = position_of(state)
        assert from_json(to_json(state), GAME.State) == state
        check_step(before, after, step.events)
        if not state.ending:
            check_marks(after)
    assert state.last is not None


@pytest.mark.parametrize("seed", range(6))
def test_a_leaver_takes_prisoners_along_and_leaves_pieces(seed: int) -> None:
    rng = random.Random(seed)
    state = game()
    for _ in range(24):
        state = GAME.play(state, GAME.to_act(state)[0], random_action(state, rng)).state
    before = position_of(state)
    leaver = rng.choice(before.players)
    after = position_of(GAME.leave(state, leaver).state)
    assert count(after)[0] == count(before)[0]
    assert count(after)[1] == count(before)[1] - Counter(before.held_by(leaver))
    assert set(triangles(after.own[NEUTRAL])) == set(triangles(before.own[leaver]))
