"""How fast the rules are: `python -m tests.bench.rules`.

Triggle's random games through the public contract and by the fast path under it, which tests hold equal; chess's perft
beside one over python-chess's `legal_moves`, which only this script uses. Rounds are interleaved; times are processor
seconds.
"""

import importlib
import importlib.util
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from rules import GAMES
from rules.chess import moves, position
from rules.triggle.playout import play_out

ROUNDS = 5
GAMES_A_ROUND = 300
BANDS = 20


def triggle_start() -> Any:
    game = GAMES["triggle"]
    setup, options = game.Setup(seats=2), game.Options()
    return game.start(setup, options, game.deal(setup, options, random.Random(0)))


def games_by_contract() -> int:
    """Random games of 20 bands, each band from the list of legal ones."""
    game, start, chance = GAMES["triggle"], triggle_start(), random.Random(1)
    for _ in range(GAMES_A_ROUND):
        state = start
        for _ in range(BANDS):
            seats = game.to_act(state)
            if not seats:
                break
            state = game.play(state, seats[0], chance.choice(game.legal(state, seats[0]))).state
    return GAMES_A_ROUND


def games_by_fast_path() -> int:
    """The same by `rules.triggle.playout`."""
    start, chance = triggle_start(), random.Random(1)
    for _ in range(GAMES_A_ROUND):
        play_out(start, chance)
    return GAMES_A_ROUND


def legal_lists() -> int:
    """Lists of legal bands in the middle of a game."""
    game, state, chance = GAMES["triggle"], triggle_start(), random.Random(2)
    for _ in range(BANDS // 2):
        seat = game.to_act(state)[0]
        state = game.play(state, seat, chance.choice(game.legal(state, seat))).state
    seat = game.to_act(state)[0]
    for _ in range(20_000):
        game.legal(state, seat)
    return 20_000


def chess_perft() -> int:
    """Sequences of four moves from the start."""
    return moves.perft(position.opening((0, 1, 2)), 4)


def python_chess_perft() -> int:
    """Sequences of four moves from the start of the other chess, the last level counted."""
    board = importlib.import_module("chess").Board()

    def count(depth: int) -> int:
        if depth == 1:
            return int(board.legal_moves.count())
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += count(depth - 1)
            board.pop()
        return total

    return count(4)


def a_second(work: Callable[[], int]) -> float:
    """How many of what it counts it does in a second of processor time."""
    before = time.process_time()
    done = work()
    return done / (time.process_time() - before)


def main() -> None:
    """Print a table."""
    works: dict[str, Callable[[], int]] = {
        "Triggle, random 20-band games by the contract": games_by_contract,
        "Triggle, the same by the fast path": games_by_fast_path,
        "Triggle, lists of legal bands": legal_lists,
        "chess, perft nodes": chess_perft,
    }
    peer = "python-chess, perft nodes"
    if importlib.util.find_spec("chess"):
        works[peer] = python_chess_perft
    rates: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            rates[name].append(a_second(work))
    median = {name: statistics.median(found) for name, found in rates.items()}
    goals = {"Triggle, random 20-band games by the contract": "5,000 by contract or fast path"}
    print("| rules | a second | goal |\n|--|--|--|")
    for name, rate in median.items():
        print(f"| {name} | {rate:,.0f} | {goals.get(name, '')} |")
    if peer in median:
        print(f"| chess perft to python-chess's | {median['chess, perft nodes'] / median[peer]:.2f} × | at least 1 |")
    else:
        print("\n`make bench` installs the package chess, to compare with.")


if __name__ == "__main__":
    main()
