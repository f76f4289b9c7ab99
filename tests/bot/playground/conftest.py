"""What the tests of the stand-in share."""

from collections.abc import AsyncIterator

import pytest

from tests.bot.playground.desk import Desk, a_desk


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    """A stand-in without a bot, and without Discord's description: only its own checks refuse."""
    async with a_desk() as desk:
        yield desk
