"""Every whole game that other programs have played, replayed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules import GAMES
from rules.__main__ import OK, main

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases"
RECORDS = [record for game in GAMES for record in sorted((CASES / game).rglob("*.record"))]


def name(path: Path) -> str:
    return path.relative_to(CASES).with_suffix("").as_posix()


@pytest.mark.skipif(not CASES.is_dir(), reason="the cases of ../shared/cases are not here: NO CASE WAS REPLAYED")
@pytest.mark.parametrize("game", GAMES)
def test_there_are_cases_of_every_game(game: str) -> None:
    assert [record for record in RECORDS if record.is_relative_to(CASES / game)]


@pytest.mark.parametrize("record", RECORDS, ids=name)
def test_a_case_replays_exactly(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(record)]) == OK
    told, expected = capsys.readouterr().out.splitlines(), record.with_suffix(".expect").read_text("utf-8").splitlines()
    for got, wanted in zip(told, expected, strict=False):
        assert got == wanted
    assert len(told) == len(expected)
