"""What holds for every test."""

import gc
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

from bot.catalogues import TextId, stored, texts
from bot.words import Words

# How long an example takes says more about the machine than about the code.
settings.register_profile("trigon", deadline=None)
settings.load_profile("trigon")

ROOT = Path(__file__).resolve().parent.parent


@cache
def in_catalogues() -> set[object]:
    """Every text of the catalogues: `make check` holds that they are just those marked in the code."""
    return {message.id for catalogue in stored(ROOT).values() for message in catalogue}


@cache
def marked_in_tests() -> set[TextId]:
    """The texts of games and controls that only tests have."""
    paths = ROOT.glob("tests/**/*.py")
    return {text for path in paths for text in texts(path.read_text(encoding="utf-8"), path.name)}


@pytest.fixture(autouse=True)
def every_text_is_marked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A constant shown without its `translatable` would stay English for everybody, and no catalogue could tell."""
    said: set[TextId] = set()
    say = Words.__call__

    def listen(words: Words, text: str, /, **facts: object) -> str:
        if re.search("[A-Za-z]{2}", text):
            said.add(text)
        return say(words, text, **facts)

    monkeypatch.setattr(Words, "__call__", listen)
    yield
    unknown = {text for text in said if text not in in_catalogues()}
    if unknown:
        assert unknown - marked_in_tests() == set()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The files that take longest come first, so that no core waits for one of them at the end."""
    slow = ("test_page.py", "test_crashes.py", "test_secrets.py", "test_robots.py", "e2e")
    items.sort(key=lambda item: not {*item.path.parts} & {*slow})


def pytest_collection_finish() -> None:
    """The collector leaves out what has been loaded, and looks less often: else it takes a tenth of the time."""
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly what could not be tested for want of a browser."""
    # Where a test was skipped is a file, a line and the reason.
    places = [report.longrepr for report in terminalreporter.stats.get("skipped", ())]
    missing = sorted(
        f"{place[0]}: {place[2]}" for place in places if isinstance(place, tuple) and "Chromium" in place[2]
    )
    if missing:
        terminalreporter.section("NOT TESTED: there is no Chromium here", sep="!", red=True, bold=True)
        for line in missing:
            terminalreporter.line(line, red=True)
