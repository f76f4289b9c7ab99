"""The headless referee: `python -m rules replay|perft|simulate|verify`. Output is UTF-8 whatever the locale."""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import math
import os
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from rules import GAMES, record
from rules.game import BadHeader, BadOption, Game, Open, Refusal, Result

OK, REFUSED, USAGE = 0, 1, 2
"""Exit statuses."""

BOUND = 20_000
"""Actions after which `simulate` gives a game up as unfinished."""

Chooser = Callable[[Game[Any, Any], Any, int, random.Random], Any]
"""Who plays a seat: from the game, the state and the seat to an action."""


# -- replay --------------------------------------------------------------------------------------------------------


def replay(arguments: argparse.Namespace) -> int:
    """Print every ply of a record, up to its end or its first refusal."""
    try:
        reading = record.Reading(_text_of(arguments.file))
        for ply in reading.plies():
            print(json.dumps(_told(reading.record.game, ply, arguments.legal), ensure_ascii=False))
    except Refusal as refusal:
        sys.stdout.flush()
        print(record.refusal_text(refusal), file=sys.stderr)
        return REFUSED
    return OK


def _text_of(file: str) -> str:
    return record.decode(sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes())


def _told(game: Game[Any, Any], ply: record.Ply, legal_texts: bool) -> dict[str, Any]:
    state = ply.step.state
    to_act = game.to_act(state)
    told: dict[str, Any] = {"ply": ply.number}
    if ply.entry is not None:
        told["action"] = record.entry_text(game, ply.entry)
    told["to_act"] = [seat + 1 for seat in to_act]
    told["legal"] = {str(seat + 1): _told_legal(game, state, seat, legal_texts) for seat in to_act}
    said = [game.said(event) for event in ply.step.events if event.audience() is None]
    told["events"] = [words for words in said if words is not None]
    if (result := game.result(state)) is not None:
        told["result"] = _told_result(result)
    return told


def _told_legal(game: Game[Any, Any], state: Any, seat: int, texts_too: bool) -> list[Any]:
    texts = sorted(game.text(action) for action in game.legal(state, seat))
    return texts if texts_too else [len(texts), hashlib.sha256("\n".join(texts).encode()).hexdigest()[:12]]


def _told_result(result: Result) -> dict[str, Any]:
    told: dict[str, Any] = {"winners": [seat + 1 for seat in result.winners], "draw": result.draw}
    return told if result.scores is None else told | {"scores": list(result.scores)}


# -- perft ---------------------------------------------------------------------------------------------------------


def perft(arguments: argparse.Namespace) -> int:
    """Count the sequences of legal actions of each length."""
    game = GAMES[arguments.game]
    state = _start(game, arguments.seats or game.perft_seats or game.seats[0], arguments.set, random.Random(0))
    began, nodes = time.monotonic(), 0
    for depth in range(1, arguments.depth + 1):
        count = _count(game, state, depth)
        nodes += count
        print(depth, count, flush=True)
    print(f"{nodes / max(time.monotonic() - began, 1e-9):,.0f} nodes per second", file=sys.stderr)
    return OK


def _count(game: Game[Any, Any], state: Any, depth: int) -> int:
    """As `game.perft`, parted at the first action for the progress bar."""
    if depth == 1:
        return game.perft(state, 1)
    first = [(seat, action) for seat in game.to_act(state) for action in game.legal(state, seat)]
    count = 0
    with _progress(f"depth {depth}", len(first)) as show:
        for done, (seat, action) in enumerate(first):
            show(done)
            if not isinstance(action, Open):
                count += game.perft(game.play(state, seat, action).state, depth - 1)
    return count


# -- simulate ------------------------------------------------------------------------------------------------------


class Played(NamedTuple):
    """A simulated game: how many actions it took, and how it ended (None: not within the bound)."""

    length: int
    result: Result | None


def simulate(arguments: argparse.Namespace) -> int:
    """Play whole games, at random or by house players, and print how they went."""
    game = GAMES[arguments.game]
    seed = random.SystemRandom().getrandbits(32) if arguments.seed is None else arguments.seed
    rng = random.Random(seed)
    choosers = _choosers(game, arguments.seats, arguments.robots, arguments.seconds)
    began = time.monotonic()
    games: list[Played] = []
    with _progress("games", arguments.games) as show:
        for done in range(arguments.games):
            show(done)
            games.append(_play_out(game, _start(game, arguments.seats, arguments.set, rng), choosers, rng))
    took = max(time.monotonic() - began, 1e-9)
    print(f"{len(games)} games of {game.key}, seed {seed}, {len(games) / took:,.1f} games per second")
    for line in _summary(games, arguments.seats):
        print(line)
    if arguments.robots:
        for line in _tournament(games, arguments.robots):
            print(line)
    return OK


AT_RANDOM = "random"
"""Who plays a seat without a house player, among the levels of `--robots`."""


def _choosers(game: Game[Any, Any], seats: int, levels: Sequence[str], seconds: float) -> list[Chooser]:
    if not levels:
        return [_at_random] * seats
    if len(levels) != seats:
        raise BadOption("robots", robots=tuple(levels), seats=seats)
    return [_at_random if level == AT_RANDOM else _house_player(game, level, seconds) for level in levels]


def _at_random(game: Game[Any, Any], state: Any, seat: int, rng: random.Random) -> Any:
    action = rng.choice(game.legal(state, seat))
    return action.sample(rng) if isinstance(action, Open) else action


def _house_player(game: Game[Any, Any], level: str, seconds: float) -> Chooser:
    """A house player that has so much time for each action, on a clock that stands still while others have the core."""
    if game.Robot is None:
        raise BadOption("no_robot", game=game.key)
    robot = game.Robot(level)

    def choose(game: Game[Any, Any], state: Any, seat: int, rng: random.Random) -> Any:
        until = time.process_time() + seconds
        return robot.choose(game.view(state, seat), game.legal(state, seat), rng, lambda: time.process_time() >= until)

    return choose


def _play_out(game: Game[Any, Any], state: Any, choosers: Sequence[Chooser], rng: random.Random) -> Played:
    length = 0
    while (to_act := game.to_act(state)) and length < BOUND:
        seat = rng.choice(to_act)
        state = game.play(state, seat, choosers[seat](game, state, seat, rng)).state
        length += 1
    return Played(length, game.result(state))


def _summary(games: Sequence[Played], seats: int) -> Iterator[str]:
    lengths = [played.length for played in games]
    yield f"actions: {min(lengths)} to {max(lengths)}, median {statistics.median(lengths):g}"
    results = [played.result for played in games if played.result is not None]
    alone = Counter(result.winners[0] for result in results if len(result.winners) == 1 and not result.draw)
    together = Counter(result.winners for result in results if len(result.winners) > 1 and not result.draw)
    for seat in range(seats):
        yield _often(f"seat {seat + 1} wins", alone[seat], len(games))
    for winners, times in sorted(together.items()):
        yield _often(f"seats {' '.join(str(seat + 1) for seat in winners)} win together", times, len(games))
    if draws := sum(result.draw for result in results):
        yield _often("drawn", draws, len(games))
    if unfinished := len(games) - len(results):
        yield _often(f"not over after {BOUND} actions", unfinished, len(games))


def _often(what: str, times: int, of: int) -> str:
    return f"{what}: {times} ({times / of:.1%})"


def _tournament(games: Sequence[Played], levels: Sequence[str]) -> Iterator[str]:
    """Points a seat: one for a win, parted among those who share it; all share what was not finished."""
    everybody = tuple(range(len(levels)))
    winners = [played.result.winners if played.result else everybody for played in games]
    for seat, level in enumerate(levels):
        points = sum(1 / len(won) for won in winners if seat in won)
        low, high = _confidence(points, len(games))
        yield f"seat {seat + 1} {level}: {points:g} points ({points / len(games):.1%}, 95% {low:.1%} to {high:.1%})"


def _confidence(points: float, games: int) -> tuple[float, float]:
    """Wilson's interval at 95% for a share of so many games; shared points make it wider than need be."""
    z, share = 1.96, points / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return max(middle - half, 0.0), min(middle + half, 1.0)


# -- verify --------------------------------------------------------------------------------------------------------


def verify(arguments: argparse.Namespace) -> int:
    """Say whether a record's deal is the one that was committed to."""
    try:
        told = record.Reading(_text_of(arguments.file)).record
    except Refusal as refusal:
        print(record.refusal_text(refusal), file=sys.stderr)
        return REFUSED
    digest = record.commitment(record.chance_lines(told.game, told.setup, told.deal), arguments.salt)
    if digest == arguments.digest.strip().lower():
        print("The deal is the one that was committed to.")
        return OK
    print(f"This is not the deal that was committed to: its digest is {digest}.", file=sys.stderr)
    return REFUSED


# -- Common --------------------------------------------------------------------------------------------------------


def _start(game: Game[Any, Any], seats: int, values: Sequence[tuple[str, str]], rng: random.Random) -> Any:
    if seats not in game.seats:
        raise BadHeader("seats", value=seats, seats=tuple(game.seats))
    options = game.Options.of(dict(values))
    setup = game.seating([None] * seats, options, {}, rng).setup
    return game.start(setup, options, game.deal(setup, options, rng))


@contextmanager
def _progress(title: str, total: int, width: int = 30) -> Iterator[Callable[[int], None]]:
    """A function that draws a bar of what is done of `total`: on a terminal, after the first second."""
    began, drawn = time.monotonic(), 0.0

    def show(done: int) -> None:
        nonlocal drawn
        now = time.monotonic()
        if sys.stderr.isatty() and now - began > 1 and now - drawn > 0.1:
            drawn = now
            bar = "#" * (width * done // total)
            print(f"\r{title} [{bar:<{width}}] {done} of {total}", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds")
    return seconds


def _name_and_value(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not name=value")
    return name, value


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m rules", description="The headless referee of the four games.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(run: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        added = commands.add_parser(run.__name__, help=run.__doc__, description=run.__doc__)
        added.set_defaults(run=run)
        return added

    def add_game(added: argparse.ArgumentParser) -> None:
        added.add_argument("game", choices=sorted(GAMES), metavar="GAME", help=", ".join(sorted(GAMES)))
        added.add_argument(
            "--set", type=_name_and_value, action="append", default=[], metavar="NAME=VALUE", help="one of its options"
        )

    added = command(replay)
    added.add_argument("file", metavar="FILE", help="a record, or - for standard input")
    added.add_argument("--legal", action="store_true", help="print the legal actions instead of count and digest")

    added = command(perft)
    add_game(added)
    added.add_argument("--depth", type=_positive, required=True, metavar="N")
    added.add_argument("--seats", type=_positive, metavar="N")

    added = command(simulate)
    add_game(added)
    added.add_argument("--seats", type=_positive, required=True, metavar="N")
    added.add_argument("--games", type=_positive, required=True, metavar="K")
    added.add_argument("--seed", type=int, metavar="S", help="by default one drawn by lot, and printed")

    added.add_argument(
        "--robots",
        type=lambda text: text.split(","),
        default=[],
        metavar="LEVEL,…",
        help=f"house players, one a seat: easy, normal, hard; or {AT_RANDOM}",
    )
    added.add_argument(
        "--seconds", type=_seconds, default=0.05, metavar="T", help="of computing, a house player's for each action"
    )

    added = command(verify)
    added.add_argument("file", metavar="FILE", help="a record, or - for standard input")
    added.add_argument("--salt", required=True, metavar="S")
    added.add_argument("--digest", required=True, metavar="D")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    parsed = _parser().parse_args(arguments)
    try:
        status: int = parsed.run(parsed)
    except (BadOption, BadHeader) as refusal:
        print(f"{refusal.code}: {record.facts_text(refusal)}", file=sys.stderr)
        return USAGE
    except BrokenPipeError:
        raise
    except OSError as error:
        print(error, file=sys.stderr)
        return USAGE
    return status


def _main_of_a_process() -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        status = main()
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # Whoever read along has seen enough. The interpreter flushes once more at its end: that goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK


if __name__ == "__main__":
    sys.exit(_main_of_a_process())
