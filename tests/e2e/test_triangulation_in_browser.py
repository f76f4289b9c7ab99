"""A whole game of the word game, played by four people in a real Chromium."""

import re

from tests.chromium import in_chromium
from tests.e2e.browsing import Player, browsing
from tests.e2e.evening import Evening

NAMES = ("Ada", "Ben", "小陳", "Dora")


async def write_clues(player: Player) -> None:
    """Choose the first message and write three clues, by "My cards"."""
    await player.press("My cards")
    await player.choose("Which message?", 0)
    await player.press("Choose it")
    await player.press("Write clues")
    await player.fill_in("♠", "♥", "♦")


@in_chromium
async def test_a_whole_game_of_the_word_game_in_the_browser(evening: Evening) -> None:
    evening["小陳"].speak("en-GB")
    await evening.open("triangulation", *NAMES[1:], tokens=2)
    async with browsing(evening, NAMES) as players:
        for player in players.values():
            await player.enter_thread()
        table = await evening.table()
        while table.status == "playing":
            view = table.view(None).table
            if view.guessing is None:
                for insider in view.insiders:
                    await write_clues(players[table.names[insider.seat]])
            else:
                opponent = players[table.names[view.guessing.opponents[0]]]
                await opponent.press("Flip A")
                await opponent.press("Guess the message")
                await opponent.fill_in(table.view(view.guessing.insider).mission.message.text)
            table = await evening.table()
        for player in players.values():
            await player.page.get_by_text(re.compile("Team [12] wins")).last.wait_for()
            picture = player.page.get_by_role("img", name=re.compile("The game is over"))
            await picture.last.wait_for()
