"""What holds for every test."""

import pytest
from hypothesis import settings

# How long an example takes says more about the machine than about the code.
settings.register_profile("trigon", deadline=None)
settings.load_profile("trigon")


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
