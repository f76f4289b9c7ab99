"""Whole games of TRiNITY against the cases that other programs made."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from rules.game import Header
from rules.trinity import GAME
from rules.trinity.state import TrinityOptions, TrinityState
from tests.rules.trinity_tables import act

CASES = Path(__file__).parents[3] / "shared" / "cases" / "trinity"
RECORDS = sorted(CASES.rglob("*.record"))


@pytest.mark.skipif(not RECORDS, reason="../shared/cases/trinity is not here")
def test_there_are_cases() -> None:
    assert len(RECORDS) >= 25


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_a_case_replays_exactly(record: Path) -> None:
    header, _, body = record.read_text(encoding="utf-8").partition("\n\n")
    values = dict(line.split(": ") for line in header.splitlines())
    options = TrinityOptions.of(dict(part.split("=") for part in values.get("Options", "").split()))
    lines = [Header(name, value) for name, value in values.items()]
    setup, deal = GAME.read_headers(int(values["Seats"]), options, lines)
    state = GAME.start(setup, options, deal)
    expected = [json.loads(line) for line in record.with_suffix(".expect").read_text(encoding="utf-8").splitlines()]
    for line, ply in zip(["", *body.splitlines()], expected, strict=True):
        state, events = act(state, line) if line else (state, ())
        said = [GAME.said(event) for event in events if event.audience() is None]
        assert [words for words in said if words is not None] == ply["events"]
        assert [seat + 1 for seat in GAME.to_act(state)] == ply["to_act"]
        assert {str(seat + 1): digest(seat, state) for seat in GAME.to_act(state)} == ply["legal"]
        result = GAME.result(state)
        winners = None if result is None else [seat + 1 for seat in result.winners]
        assert winners == ply.get("result", {}).get("winners")


def digest(seat: int, state: TrinityState) -> list[object]:
    """How many legal actions, and the digest of their texts, as records.md defines it."""
    texts = sorted(GAME.text(action) for action in GAME.legal(state, seat))
    return [len(texts), hashlib.sha256("\n".join(texts).encode()).hexdigest()[:12]]
