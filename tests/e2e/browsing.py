"""People with a browser: the playground's page in a real Chromium, in front of the real bot."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from bot.playground.interactions import AUTOCOMPLETE
from tests.chromium import chromium
from tests.e2e.evening import Evening

if TYPE_CHECKING:
    from playwright.async_api import Page

PATIENCE = 60_000
"""Milliseconds that a click may wait for what it clicks: the machine may be busy."""


class Player:
    """Somebody with the page open in their browser."""

    def __init__(self, evening: Evening, page: Page) -> None:
        self.evening = evening
        self.page = page

    def _sent(self) -> set[str]:
        """The interactions that have reached the bot so far, autocomplete apart."""
        sent = self.evening.playground.interactions.by_id
        return {number for number, one in sent.items() if one.kind != AUTOCOMPLETE}

    @asynccontextmanager
    async def _answered(self) -> AsyncIterator[None]:
        """What is done inside has reached the bot and been answered before anything else is done."""
        before = self._sent()
        yield
        await self.evening.people.until(lambda: bool(self._sent() - before), "what was done in the page")
        await self.evening.people.quiet()

    async def use(self, command: str, **options: str) -> None:
        """Type a command, fill in its options, send it."""
        composer = self.page.get_by_test_id("composer")
        await composer.press_sequentially(f"/{command} ")
        for name, value in options.items():
            await self.page.get_by_role("combobox", name="Options").press_sequentially(name)
            await self.page.keyboard.press("Enter")
            await self.page.get_by_role("combobox", name=name, exact=True).fill(value)
            # What is offered follows what is typed a moment later.
            await self.page.get_by_test_id("popup").get_by_role("option").filter(has_text=value).first.click()
        async with self._answered():
            await self.page.keyboard.press("Enter")
            await self.page.get_by_test_id("command-line").wait_for(state="detached")

    async def press(self, label: str) -> None:
        """Press the newest button that can be pressed whose label begins so."""
        buttons = self.page.get_by_role("button", name=re.compile(f"^{re.escape(label)}"))
        async with self._answered():
            await buttons.and_(self.page.locator(":enabled")).last.click()

    async def choose(self, menu: str, option: int | str) -> None:
        """Open the newest menu and take one of its options, by place or by label."""
        await self.page.get_by_text(menu).last.click()
        options = self.page.get_by_role("option")
        async with self._answered():
            await (options.nth(option) if isinstance(option, int) else options.filter(has_text=option).first).click()

    async def fill_in(self, *texts: str) -> None:
        """Fill in the open form and send it."""
        form = self.page.get_by_test_id("form")
        for place, text in enumerate(texts):
            await form.get_by_role("textbox").nth(place).fill(text)
        async with self._answered():
            await form.get_by_role("button").last.click()
            await form.wait_for(state="detached")

    async def pick(self, choices: Mapping[str, str]) -> None:
        """Choose in the menus of the open form, by their labels, and send it."""
        form = self.page.get_by_test_id("form")
        for label, option in choices.items():
            await form.get_by_role("combobox", name=label).click()
            await self.page.get_by_role("option").filter(has_text=re.compile(rf"^\s*{re.escape(option)}")).first.click()
        async with self._answered():
            await form.get_by_role("button").last.click()
            await form.wait_for(state="detached")

    async def enter_thread(self, name: str = "table 1") -> None:
        """Open a table's thread from the list of channels."""
        await self.page.get_by_test_id("sidebar").get_by_role("button", name=re.compile(name)).click()


@asynccontextmanager
async def browsing(evening: Evening, names: Iterable[str]) -> AsyncIterator[dict[str, Player]]:
    """A browser window for each of these people; any error in a page fails the test."""
    errors: list[str] = []
    async with chromium() as browser:
        players = {}
        for name in names:
            # In one and the same, only one page at a time would be in front and drawn.
            context = await browser.new_context()
            context.set_default_timeout(PATIENCE)
            page = await context.new_page()
            page.on("pageerror", lambda error: errors.append(str(error)))
            await page.goto(f"{evening.playground.url}/?as={evening[name].id}")
            await page.get_by_test_id("composer").wait_for()
            players[name] = Player(evening, page)
        yield players
    assert errors == []
