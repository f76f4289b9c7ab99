"""What a press costs, from its arrival until everything is sent: `python -m tests.bench.presses`.

People place bands at forty tables of Triggle through the stand-in, which runs on this loop too: half of what is
measured is its work. Each press stores the band, answers the person, posts the new board and strips the old one. Lag
is how late a task that sleeps for ten milliseconds wakes.
"""

import asyncio
import random
import statistics
import tempfile
import time
from pathlib import Path

from bot.cog import GameCog
from bot.request import Request
from bot.tables import Person, Place, Table
from tests.e2e.evening import Evening, an_evening

TABLES = 40
RATES = (20, 60, 120)
SECONDS = 8


async def seat_everybody(evening: Evening) -> list[int]:
    """Tables in play, each in a thread of its own: discord.py sends to one channel one after the other."""
    tables, game = evening.bot.tables, evening.bot.faces["triggle"].game
    home, channel = int(evening.people.world.home.id), int(evening.people.channel("#games").id)
    ada, ben = (Person(int(evening[name].id), name) for name in ("Ada", "Ben"))
    numbers = []
    for _ in range(TABLES):
        table = await tables.open(game, Place(home, channel), ada, game.Options(side=6, bands=30), {}, {})
        await evening.bot.showing.show(table.id)
        await tables.join(table.id, ben)
        await tables.start(table.id, ada.id)
        await evening.bot.showing.show(table.id)
        numbers.append(table.id)
    return numbers


def place_band(evening: Evening, table: Table, band: str) -> None:
    """Place a band by command, as the player to act."""
    people = evening.people
    command = next(one for one in people.world.state.commands if one["name"] == "triggle")
    person = str(table.people[table.to_act[0]])
    values = {"band": band, "table": table.id}
    evening.playground.interactions.slash(person, str(table.place.here), command["id"], ["band"], values, None)


async def lag(found: list[float]) -> None:
    """Note how late this task is woken, until cancelled."""
    while True:
        before = time.perf_counter()
        await asyncio.sleep(0.01)
        found.append(time.perf_counter() - before - 0.01)


async def measure(folder: Path) -> None:
    """Print a table."""
    async with an_evening(folder, describe=False) as evening:
        numbers, chance = await seat_everybody(evening), random.Random(1)
        taken: list[float] = []
        cog = evening.bot.get_cog("triggle")
        assert isinstance(cog, GameCog)
        play = cog.play

        async def timed(request: Request, table: Table, action: object) -> None:
            before = time.perf_counter()
            await play(request, table, action)
            taken.append(time.perf_counter() - before)

        cog.play = timed  # type: ignore[method-assign]
        print("| presses a second | median ms | 99 % ms | lag 99 % ms | goal |\n|--|--|--|--|--|")
        for rate in RATES:
            taken.clear()
            late: list[float] = []
            watch = asyncio.create_task(lag(late))
            for _ in range(rate * SECONDS):
                due = time.perf_counter() + 1 / rate
                table = await evening.bot.tables.table(chance.choice(numbers))
                if table.to_act and table.row.shown_turn == table.turn:
                    place_band(evening, table, chance.choice(table.view(None).legal))
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
            await evening.people.quiet()
            watch.cancel()
            goal = "99 % under 60 ms" if rate == RATES[0] else ""
            print(
                f"| {rate} | {statistics.median(taken) * 1000:.0f} | {_late(taken):.0f} | {_late(late):.1f} | {goal} |"
            )


def _late(found: list[float]) -> float:
    return sorted(found)[int(len(found) * 0.99)] * 1000


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder)))
