"""`python -m bot check`: whether everything is ready to run, a line each."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import assets
from bot.catalogues import ROOT, complaints, rooms
from bot.client import Trigon
from bot.config import Settings
from bot.render.fonts import FACES
from bot.store import Store
from bot.tables import Tables

MOST_COMMANDS = 100
MOST_BELOW = 25
LONGEST_COMMAND = 8000
"""Characters of a command's names, descriptions and choice values together."""


class Failed(Exception):
    """What is wrong, in one sentence."""


async def check(settings: Settings) -> bool:
    """Look at everything and print what is found; True where all is well."""
    checks: list[tuple[str, Callable[[], Awaitable[str]]]] = [
        ("settings", lambda: _settings(settings)),
        ("database", lambda: _database(settings)),
        ("fonts", _fonts),
        ("catalogues", _catalogues),
        ("commands", _commands),
    ]
    well = True
    for name, look in checks:
        try:
            print(f"ok      {name}: {await look()}")
        except Failed as failure:
            well = False
            print(f"FAILED  {name}: {failure}")
    return well


async def _settings(settings: Settings) -> str:
    return "with a token, for Discord" if settings.discord_token else "without a token, for the playground"


async def _database(settings: Settings) -> str:
    store = Store.connect(settings.database_url)
    try:
        current = await store.is_current()
        playing = len(await store.tables_in_play()) if current else 0
    except Exception as failure:
        raise Failed(f"{settings.database_url} cannot be read ({type(failure).__name__})") from failure
    finally:
        await store.close()
    if not current:
        return f"{settings.database_url}, brought up to date at the next start"
    return f"{settings.database_url}, {playing} tables in play, schema current"


async def _fonts() -> str:
    missing = await asyncio.to_thread(_missing_fonts)
    if missing:
        raise Failed(f"missing: {', '.join(missing)}")
    return f"{len(FACES)} there"


def _missing_fonts() -> list[str]:
    return [name for folder, name in FACES if not assets.path("fonts", folder, name).is_file()]


async def _catalogues() -> str:
    found = await asyncio.to_thread(complaints, ROOT, rooms(ROOT))
    if found:
        raise Failed(f"{len(found)} problems; python -m bot.catalogues check tells them")
    return "complete"


async def _commands() -> str:
    store = await Store.open("sqlite+aiosqlite:///:memory:")
    bot = Trigon(store, Tables(store))
    try:
        await bot.load_cogs()
        commands = await bot.payload()
    finally:
        await store.close()
    if len(commands) > MOST_COMMANDS:
        raise Failed(f"{len(commands)} commands, and Discord takes {MOST_COMMANDS}")
    for command in commands:
        if len(command.get("options", ())) > MOST_BELOW:
            raise Failed(f"/{command['name']} has more than {MOST_BELOW} commands or options below it")
        if _length(command) > LONGEST_COMMAND:
            raise Failed(f"/{command['name']} is longer than {LONGEST_COMMAND} characters")
    return f"{len(commands)} within the limits"


def _length(command: dict[str, object]) -> int:
    texts = (str(command.get(key, "")) for key in ("name", "description", "value"))
    below = [one for key in ("options", "choices") for one in command.get(key) or ()]  # type: ignore[attr-defined]
    return sum(map(len, texts)) + sum(_length(one) for one in below)
