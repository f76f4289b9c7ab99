"""A whole game of the word game, played by four people in a real Chromium."""

from __future__ import annotations

import importlib.util
import re
import shutil
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest

from tests.e2e.evening import Evening

if TYPE_CHECKING:
    from playwright.async_api import Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = ("quic", "background-networking", "component-update", "sync", "gpu")
NAMES = ("Ada", "Ben", "小陳", "Dora")

pytestmark = pytest.mark.skipif(
    CHROMIUM is None or importlib.util.find_spec("playwright") is None,
    reason="a game in the browser needs Chromium and playwright",
)


class Player:
    """Somebody with the table's thread open in their browser."""

    def __init__(self, evening: Evening, page: Page) -> None:
        self.evening = evening
        self.page = page

    async def press(self, label: str) -> None:
        """Press the newest button of this label that can be pressed."""
        await self.page.get_by_role("button", name=label, exact=True).and_(self.page.locator(":enabled")).last.click()
        await self.evening.people.quiet()

    async def choose(self, menu: str, number: int) -> None:
        """Open the newest menu and take one of its options."""
        await self.page.get_by_text(menu).last.click()
        await self.page.get_by_role("option").nth(number).click()
        await self.evening.people.quiet()

    async def fill_in(self, *texts: str) -> None:
        """Fill in the open form and send it."""
        form = self.page.get_by_test_id("form")
        for place, text in enumerate(texts):
            await form.get_by_role("textbox").nth(place).fill(text)
        await form.get_by_role("button").last.click()
        await form.wait_for(state="detached")
        await self.evening.people.quiet()

    async def write_clues(self) -> None:
        """Choose the first message and write three clues, by "My cards"."""
        await self.press("My cards")
        await self.choose("Which message?", 0)
        await self.press("Choose it")
        await self.press("Write clues")
        await self.fill_in("♠", "♥", "♦")


@pytest.fixture
async def players(evening: Evening) -> AsyncIterator[dict[str, Player]]:
    """Four people at a table that plays for two points; any error in a page fails the test."""
    from playwright.async_api import async_playwright

    evening["小陳"].speak("en-GB")
    await evening.open("triangulation", *NAMES[1:], tokens=2)
    errors: list[str] = []
    arguments = ["--no-sandbox", "--no-first-run", *(f"--disable-{name}" for name in QUIET)]
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        found = {}
        for name in NAMES:
            page = await (await browser.new_context()).new_page()
            page.on("pageerror", lambda error: errors.append(str(error)))
            await page.goto(f"{evening.playground.url}/?as={evening[name].id}")
            thread = page.get_by_test_id("sidebar").get_by_role("button", name=re.compile("table 1"))
            await thread.click()
            found[name] = Player(evening, page)
        yield found
        await browser.close()
    assert errors == []


async def test_a_whole_game_in_the_browser(evening: Evening, players: dict[str, Player]) -> None:
    table = await evening.table()
    while table.status == "playing":
        view = table.view(None).table
        if view.guessing is None:
            for insider in view.insiders:
                await players[table.names[insider.seat]].write_clues()
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
