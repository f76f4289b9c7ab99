"""The headless referee, as a function and as a program of its own."""

from __future__ import annotations

import io
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

import rules.__main__ as referee
from rules import GAMES, record
from rules.__main__ import OK, REFUSED, USAGE, main

ROOT = Path(__file__).resolve().parents[2]

GAME = "Game: triggle\nSeats: 2\nOptions: bands=6\nFirst: 2\n\n2 a1a4\n1 D4-A1\n2 A2-D2\n1 leaves\n"
TOLD = [
    '{"ply": 0, "to_act": [2], "legal": {"2": [48, "b5f33b8d633c"]}, "events": []}',
    '{"ply": 1, "action": "2 A1-A4", "to_act": [1], "legal": {"1": [8, "c26535f3cb87"]}, "events": []}',
    '{"ply": 2, "action": "1 A1-D4", "to_act": [2], "legal": {"2": [25, "5d80bea0d986"]}, "events": []}',
    '{"ply": 3, "action": "2 A2-D2", "to_act": [1], "legal": {"1": [28, "aa603a2293bd"]}, "events": ["closes 1"]}',
    '{"ply": 4, "action": "1 leaves", "to_act": [], "legal": {}, "events": ["left 1"], '
    '"result": {"winners": [2], "draw": false, "scores": [0, 1]}}',
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a game.record"
    path.write_text(GAME, encoding="utf-8")
    return path


def run(*arguments: str, given: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "rules", *arguments],
        input=given,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, **environment},
        timeout=60,
        check=False,
    )


# -- replay --------------------------------------------------------------------------------------------------------


def test_replay_prints_one_object_a_ply(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(file)]) == OK
    assert capsys.readouterr().out.splitlines() == TOLD


def test_replay_can_print_the_legal_texts_sorted(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "--legal", str(file)]) == OK
    second = json.loads(capsys.readouterr().out.splitlines()[1])
    assert second["legal"] == {
        "1": ["A1-D1", "A1-D4", "A2-D2", "A2-D5", "A3-D3", "A3-D6", "A4-D4", "A4-D7"],
    }


def test_legal_texts_are_sorted_by_code_point_not_by_number(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("Game: triggle\nSeats: 2\nOptions: side=6\nFirst: 1\n", encoding="utf-8")
    assert main(["replay", "--legal", str(file)]) == OK
    texts = json.loads(capsys.readouterr().out)["legal"]["1"]
    assert (len(texts), texts) == (174, sorted(texts))
    assert texts.index("F11-I8") < texts.index("F2-F5")


def test_replay_prints_what_was_right_before_a_refusal(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(GAME.replace("2 A2-D2", "2 G1-G4"), encoding="utf-8")
    assert main(["replay", str(file)]) == REFUSED
    printed = capsys.readouterr()
    assert printed.out.splitlines() == TOLD[:3]
    assert printed.err == "line 8: illegal: touches_nothing band=G1-G4\n"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"Game: ludo\n", "line 1: game: unknown game=ludo games="),
        (b"Game: triggle\nNames: \xff\n", "line 2: unreadable: not_utf_8 byte=ff"),
        (b"", "line 1: header: missing header=Game"),
    ],
)
def test_replay_refuses_what_is_no_record(
    file: Path, capsys: pytest.CaptureFixture[str], content: bytes, told: str
) -> None:
    file.write_bytes(content)
    assert main(["replay", str(file)]) == REFUSED
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(told)


def test_replay_names_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "nowhere.record"]) == USAGE
    assert "nowhere.record" in capsys.readouterr().err


# -- perft ---------------------------------------------------------------------------------------------------------


def test_perft_prints_a_line_a_length_and_nodes_per_second_beside(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "triggle", "--depth", "3", "--set", "side=5"]) == OK
    printed = capsys.readouterr()
    assert printed.out == "1 102\n2 2436\n3 94512\n"
    assert printed.err.endswith(" nodes per second\n")


@pytest.mark.parametrize("game", GAMES)
def test_perft_counts_every_game(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", game, "--depth", "2"]) == OK
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["1", "2"]


# -- simulate ------------------------------------------------------------------------------------------------------


def test_simulate_prints_speed_lengths_and_winners(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "triggle", "--seats", "3", "--games", "30", "--seed", "4", "--set", "bands=6"]) == OK
    first, lengths, *winners = capsys.readouterr().out.splitlines()
    assert first.startswith("30 games of triggle, seed 4, ")
    assert first.endswith(" games per second")
    assert lengths == "actions: 18 to 18, median 18"
    assert [line.partition(":")[0] for line in winners[:3]] == ["seat 1 wins", "seat 2 wins", "seat 3 wins"]
    assert sum(int(line.partition(": ")[2].split()[0]) for line in winners) == 30


def test_simulate_plays_the_same_games_with_the_same_seed(capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for seed in ("1", "1", "2"):
        assert main(["simulate", "triggle", "--seats", "2", "--games", "20", "--seed", seed]) == OK
        told.append(capsys.readouterr().out.splitlines()[1:])
    assert told[0] == told[1] != told[2]


@pytest.mark.parametrize("game", GAMES)
def test_simulate_plays_every_game(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    seats = str(GAMES[game].seats[-1] if game == "triggle" else max(3, GAMES[game].seats[0]))
    assert main(["simulate", game, "--seats", seats, "--games", "1", "--seed", "1"]) == OK
    assert capsys.readouterr().out.startswith(f"1 games of {game}")


# -- verify --------------------------------------------------------------------------------------------------------


def test_verify_tells_the_deal_that_was_committed_to_from_another(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    digest = record.commitment(["First: 2"], "salt")
    assert main(["verify", str(file), "--salt", "salt", "--digest", digest.upper()]) == OK
    file.write_text(GAME.replace("First: 2", "First: 1"), encoding="utf-8")
    assert main(["verify", str(file), "--salt", "salt", "--digest", digest]) == REFUSED
    file.write_text(GAME, encoding="utf-8")
    assert main(["verify", str(file), "--salt", "pepper", "--digest", digest]) == REFUSED
    assert "is not the deal" in capsys.readouterr().err


def test_verify_refuses_a_record_that_cannot_be_read(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("Game: ludo\n", encoding="utf-8")
    assert main(["verify", str(file), "--salt", "s", "--digest", "d"]) == REFUSED
    assert capsys.readouterr().err.startswith("line 1: game: ")


# -- What is asked for wrongly -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["perft", "triggle", "--depth", "1", "--set", "side=9"], "option: value option=side value=9"),
        (["perft", "triggle", "--depth", "1", "--set", "wide=9"], "option: unknown option=wide"),
        (["perft", "triggle", "--depth", "1", "--seats", "5"], "header: seats value=5 seats=2,3,4"),
        (["simulate", "triggle", "--games", "1", "--seats", "1"], "header: seats value=1 seats=2,3,4"),
    ],
)
def test_options_and_seats_that_a_game_does_not_take_are_named(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == USAGE
    assert capsys.readouterr().err.startswith(told)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["play"],
        ["perft", "ludo", "--depth", "1"],
        ["perft", "triggle", "--depth", "0"],
        ["perft", "triggle", "--depth", "three"],
        ["perft", "triggle", "--depth", "1", "--set", "side"],
        ["simulate", "triggle", "--seats", "2"],
    ],
)
def test_a_wrong_command_line_is_answered_with_the_usage(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == USAGE
    assert capsys.readouterr().err.startswith("usage: python -m rules")


# -- As a program --------------------------------------------------------------------------------------------------


def test_output_is_utf_8_whatever_the_locale() -> None:
    given = GAME.replace("2 a1a4", "2 在").encode()
    for environment in (
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "latin-1"},
    ):
        done = run("replay", "-", given=given, **environment)
        assert done.returncode == REFUSED
        assert done.stdout.decode().splitlines() == TOLD[:1]
        assert done.stderr.decode() == "line 6: unreadable: no_two_pegs text=在\n"


def test_a_closed_pipe_ends_it_quietly() -> None:
    many = "Game: triggle\nSeats: 2\nOptions: side=6\nFirst: 1\n\n1 F1-F4\n2 F4-F7\n1 F7-F10\n2 F8-F11\n"
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "rules", "replay", "--legal", "-"],
            input=many.encode(),
            stdout=writer,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            timeout=60,
            check=False,
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (OK, b"")


# -- The progress bar ----------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """What stands on a terminal."""

    def isatty(self) -> bool:
        return True


SIX_GAMES = ["simulate", "triggle", "--seats", "2", "--games", "6", "--seed", "1"]


def clock(monkeypatch: pytest.MonkeyPatch, seconds: Iterator[int]) -> None:
    monkeypatch.setattr(referee, "time", SimpleNamespace(monotonic=lambda: float(next(seconds))))


def test_a_bar_shows_on_a_terminal_what_is_done_and_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    clock(monkeypatch, itertools.count())
    assert main(SIX_GAMES) == OK
    assert "\rgames [###############               ] 3 of 6" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_no_bar_shows_in_the_first_second(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    clock(monkeypatch, itertools.repeat(5))
    assert main(SIX_GAMES) == OK
    assert terminal.getvalue() == ""


def test_no_bar_shows_in_a_file(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    clock(monkeypatch, itertools.count())
    assert main(["perft", "triggle", "--depth", "2"]) == OK
    assert "[" not in capsys.readouterr().err
