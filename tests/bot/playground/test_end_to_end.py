"""The stand-in with a real discord.py client: everything a game bot does, done by people."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.playground.driver import People, playing
from tests.bot.playground.small_bot import SmallBot


@pytest.fixture
async def people() -> AsyncIterator[People]:
    async with playing(lambda: SmallBot(guild_ready_timeout=0.01)) as found:
        yield found


async def test_a_command_with_options_answers_with_a_board(people: People) -> None:
    ada, ben = people["Ada"], people["Ben"]
    answer = await ada.slash("small new", side=5, title="Hello", colour="Red", guest=ben)
    assert answer.text == "# Board of 5\nHello r Ben en-US"
    assert answer.message is not None
    assert answer.message.labels == ["Join", "Whisper", "Form", "Later"]
    (picture,) = answer.message.pictures
    assert (picture.width, picture.height, picture.description) == (40, 30, "The board")
    assert ben.sees("#games")[-1].text == answer.text
