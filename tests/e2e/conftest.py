"""What the tests from end to end share."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.evening import Evening, an_evening


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[Evening]:
    """The bot in the stand-in with its people."""
    async with an_evening(tmp_path) as evening:
        yield evening
