"""The Chromium in which the playground's page is tested."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.async_api import Browser

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
NOT_NEEDED = ("quic", "background-networking", "component-update", "sync", "gpu")
FEATURES_NOT_NEEDED = ("SpareRendererForSitePerProcess", "PaintHolding", "Translate", "OptimizationHints")
"""Above all, a process kept ready for a next page: starting it takes as long as what the page does in a test."""

in_chromium = pytest.mark.skipif(
    CHROMIUM is None or importlib.util.find_spec("playwright") is None,
    reason="the page's tests need Chromium and playwright",
)


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """A browser without a window."""
    from playwright.async_api import async_playwright

    without = [*(f"--disable-{name}" for name in NOT_NEEDED), f"--disable-features={','.join(FEATURES_NOT_NEEDED)}"]
    async with async_playwright() as playwright:
        arguments = ["--no-sandbox", "--no-first-run", *without]
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        await browser.close()
