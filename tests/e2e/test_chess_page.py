"""Triangulation chess in the playground's page, in a real Chromium: a conquest and a rescue by clicks alone."""

from __future__ import annotations

import importlib.util
import re
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.e2e.evening import Evening
from tests.e2e.test_chess import MATED

if TYPE_CHECKING:
    from playwright.async_api import Locator

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = ("gpu", "quic", "background-networking", "component-update", "sync")
PATIENCE = 30_000
"""Milliseconds that a click may wait for what it clicks."""


TURNS = (
    ([("", "Move"), ("", "Infantry D7Φ"), ("", "D8Φ")], "Blue must capture Green's General"),
    ([("", "Move"), ("", "Cavalry E6Ψ"), ("", "F3Ω · captures Green's General")], "Green is out"),
    (
        [
            ("", "Move"),
            ("Which piece?", "Infantry H8Γ"),
            ("", "H8β · may rescue a prisoner"),
            ("", "Rescue: Red Cavalry"),
            ("Where to?", "Infantry to C7Ψ"),
        ],
        "It rescues a prisoner of Blue",
    ),
)
"""What each player clicks (the menu's question, or nothing for a button; the label), and what is said then."""


async def press(pane: Locator, label: str) -> None:
    """Press the newest button whose label begins so."""
    await pane.get_by_role("button", name=re.compile(f"^{re.escape(label)}")).last.click()


async def choose(pane: Locator, question: str, option: str) -> None:
    """Choose from the newest menu of this question."""
    await pane.get_by_role("combobox", name=question).last.click()
    await pane.page.get_by_role("option", name=re.compile(f"^{re.escape(option)}")).click()


@pytest.mark.skipif(
    CHROMIUM is None or importlib.util.find_spec("playwright") is None,
    reason="the page's tests need Chromium and playwright",
)
async def test_a_conquest_and_a_rescue_in_the_browser(evening: Evening) -> None:
    from playwright.async_api import async_playwright

    await evening.open("chess", "Ben", "Dora", position=MATED)
    errors: list[str] = []
    async with async_playwright() as playwright:
        arguments = ["--no-sandbox", "--no-first-run", *(f"--disable-{name}" for name in QUIET)]
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        page = await browser.new_page(viewport={"width": 1280, "height": 1200})
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: errors.append(str(error)))
        for clicks, said in TURNS:
            person = await evening.whose_turn()
            await page.goto(f"{evening.playground.url}/?as={person.id}")
            pane = page.get_by_test_id("pane").first
            await pane.get_by_text("Open the thread").last.click()
            for question, label in clicks:
                await (choose(pane, question, label) if question else press(pane, label))
            await pane.get_by_text(said).last.wait_for()
            await evening.people.quiet()
        await browser.close()
    assert errors == []
    assert "rrCH8β" in (await evening.table()).view(None).position
