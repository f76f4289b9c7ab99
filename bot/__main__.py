"""`python -m bot`: to Discord with a token, to the playground on this machine without one."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from pathlib import Path

from bot import log
from bot.client import Trigon
from bot.config import Settings, read_settings
from bot.store import Store
from bot.tables import Tables

PLAYGROUND_WORLD = Path("data/playground.json")


def main() -> None:
    """Run until interrupted."""
    settings = read_settings()
    token = settings.discord_token.get_secret_value() if settings.discord_token else None
    log.set_up(settings.log_level, [token] if token else [])
    asyncio.run(_on_discord(settings, token) if token else _in_the_playground(settings))


async def _on_discord(settings: Settings, token: str) -> None:
    store = await Store.open(settings.database_url)
    async with Trigon(store, Tables(store)) as bot:
        await _until_interrupted(bot, token)


async def _in_the_playground(settings: Settings) -> None:
    # Nobody who connects to Discord should have to load the stand-in for it.
    from bot.playground.server import Playground

    store = await Store.open(settings.database_url)
    playground = Playground(save_to=PLAYGROUND_WORLD, on_reset=store.empty)
    await playground.start(settings.playground_port)
    print(f"\n  The playground is open: {playground.url}\n  Stop it with Ctrl+C.\n", flush=True)
    try:
        with playground.discord():
            async with Trigon(store, Tables(store)) as bot:
                await _until_interrupted(bot, playground.token)
    finally:
        await playground.stop()


async def _until_interrupted(bot: Trigon, token: str) -> None:
    running = asyncio.create_task(bot.start(token))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, running.cancel)
    with suppress(asyncio.CancelledError):
        await running


if __name__ == "__main__":
    main()
