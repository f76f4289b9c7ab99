"""How long a start takes with many tables in play, and how much memory: `python -m tests.bench.starting`.

Each count of tables has a process of its own, with the stand-in in it.
"""

import asyncio
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import sqlalchemy as sa

from bot import schema
from bot.store import Store
from bot.tables import Person, Place, Tables
from rules import GAMES
from tests.e2e.evening import an_evening

COUNTS = (1, 1_000, 10_000)
PART = 500


async def fill(url: str, place: Place, count: int) -> None:
    """Many tables in play, each as it was last shown."""
    store = await Store.open(url)
    tables, game = Tables(store), GAMES["triggle"]
    table = await tables.open(game, place, Person(1, "Ada"), game.Options(), {}, {})
    await tables.join(table.id, Person(2, "Ben"))
    table = await tables.start(table.id, 1)
    shown = {"shown_turn": table.turn, "told_turn": table.turn}
    await store.mark_shown(table.id, shown)
    values = {**vars(table.row), **shown}
    columns = {column.name for column in schema.tables.columns}
    kept = {name: value for name, value in values.items() if name in columns}
    # In parts, so that it is the bot's memory that is measured.
    for first in range(0, count, PART):
        rows = [kept | {"id": 10 + number} for number in range(first, min(first + PART, count))]
        seats = [{"table": row["id"], "seat": seat, "person": seat + 1, "name": "N"} for row in rows for seat in (0, 1)]
        async with store._writing() as connection:
            await connection.execute(sa.insert(schema.tables), rows)
            await connection.execute(sa.insert(schema.seats), seats)
    await store.close()


async def one(count: int) -> None:
    """Start with so many tables; print seconds until everything is caught up, and megabytes."""
    with tempfile.TemporaryDirectory() as folder:
        async with an_evening(Path(folder), describe=False) as evening:
            await evening.stop()
            world = evening.people.world
            await fill(evening.url, Place(int(world.home.id), int(world.channel_named("games").id)), count)
            before = time.perf_counter()
            await evening.start()
            taken = time.perf_counter() - before
            print(taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def main() -> None:
    """Print a table."""
    print("| tables in play | ready after s | memory MB | goal |\n|--|--|--|--|")
    for count in COUNTS:
        command = [sys.executable, "-m", "tests.bench.starting", str(count)]
        run = subprocess.run(command, check=True, capture_output=True, text=True)
        seconds, memory = map(float, run.stdout.split())
        goal = "3 s, memory flat" if count == COUNTS[-1] else ""
        print(f"| {count:,} | {seconds:.2f} | {memory:.0f} | {goal} |")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        asyncio.run(one(int(sys.argv[1])))
    else:
        main()
