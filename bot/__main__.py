"""`python -m bot`: to Discord with a token, to the playground on this machine without one.

`python -m bot check` looks whether everything is ready, `python -m bot backup FILE` copies the database while it runs.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import signal
import sys
from contextlib import suppress
from pathlib import Path

from bot import log
from bot.check import check
from bot.client import Trigon
from bot.config import Settings, read_settings
from bot.store import Store
from bot.tables import Tables

PLAYGROUND_WORLD = Path("data/playground.json")


def main(arguments: list[str]) -> int:
    """Run until interrupted, or do what the arguments say; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bot", description="The Trigon bot.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser("check", help="look whether everything is ready to run")
    backup = commands.add_parser("backup", help="write a consistent copy of the database, also while the bot runs")
    backup.add_argument("file", type=Path, help="the file to write, which must not exist yet")
    asked = parser.parse_args(arguments)
    settings = read_settings()
    match asked.command:
        case "check":
            return 0 if asyncio.run(check(settings)) else 1
        case "backup":
            return _back_up(settings, asked.file)
    _run(settings)
    return 0


def _run(settings: Settings) -> None:
    token = settings.discord_token.get_secret_value() if settings.discord_token else None
    log.set_up(settings.log_level, [token] if token else [])
    asyncio.run(_on_discord(settings, token) if token else _in_the_playground(settings))


def _back_up(settings: Settings, file: Path) -> int:
    if file.exists():
        print(f"{file} exists already: name a file that does not.", file=sys.stderr)
        return 1
    asyncio.run(_copy(settings, file))
    print(f"{file}: {file.stat().st_size} bytes")
    return 0


async def _copy(settings: Settings, file: Path) -> None:
    store = Store.connect(settings.database_url)
    try:
        await store.backup(file)
    finally:
        await store.close()


async def _on_discord(settings: Settings, token: str) -> None:
    store = await Store.open(settings.database_url)
    async with Trigon(store, Tables(store), house_pause=settings.house_pause) as bot:
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
            async with Trigon(store, Tables(store), house_pause=settings.house_pause) as bot:
                await _until_interrupted(bot, playground.token)
    finally:
        await playground.stop()


async def _until_interrupted(bot: Trigon, token: str) -> None:
    running = asyncio.create_task(bot.start(token))
    keeping = asyncio.create_task(keep_what_is_loaded(bot))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, running.cancel)
    try:
        with suppress(asyncio.CancelledError):
            await running
    finally:
        keeping.cancel()


async def keep_what_is_loaded(bot: Trigon) -> None:
    """Have the collector leave out what is there once the bot has caught up: while it looks through all there is,
    everybody waits, with all our modules for some 0.15 s, and their hundred thousand objects stay for good."""
    await bot.caught_up.wait()
    gc.freeze()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
