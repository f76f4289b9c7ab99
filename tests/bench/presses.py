"""What a press costs, from its arrival until everything is sent: `python -m tests.bench.presses`.

People place bands at forty tables of Triggle. Each press stores the band, answers the person, posts the new board and
strips the old one. At two more tables somebody plays alone against hard house players, who think all the time: a
process of theirs, the bot and the stand-in then share two cores; the first line is without them. The
stand-in and its people are a process of their own, so that what is measured is the bot's work and Discord's answering
of it. Lag is how late a task of the bot that sleeps for ten milliseconds wakes.
"""

import asyncio
import gc
import json
import random
import statistics
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import discord

from bot.__main__ import keep_what_is_loaded
from bot.client import Trigon
from bot.playground.server import Playground, discord_at
from bot.store import Store
from bot.tables import Person, Place, Table, Tables

TABLES = 40
AGAINST_THE_HOUSE = 2
RATES = (20, 60, 120)
SECONDS = 6
LONG = 20
"""Seconds of the line with a goal: 99 % of four hundred."""


# -- The process of the stand-in -------------------------------------------------------------------------------------


async def crowd() -> None:
    """Serve the stand-in, and press as standard input says: a rate, and one `[person, place, table, band]` a press."""
    gc.disable()  # Discord makes no pauses for that
    playground = Playground()
    await playground.start()
    world = playground.world
    people = [int(user) for user in world.state.users if user != world.state.bot_id][:2]
    channel = int(world.channel_named("games").id)
    hello = {"url": playground.url, "token": playground.token, "home": int(world.home.id), "channel": channel}
    print(json.dumps({**hello, "people": people}), flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        order = json.loads(line)
        start = time.perf_counter()
        command = next(one for one in world.state.commands if one["name"] == "triggle")
        for number, (person, place, table, band) in enumerate(order["presses"]):
            await asyncio.sleep(max(0.0, start + number / order["rate"] - time.perf_counter()))
            values = {"band": band, "table": table}
            playground.interactions.slash(str(person), str(place), command["id"], ["band"], values, None)
    await playground.stop()


# -- The process of the bot ------------------------------------------------------------------------------------------


class Timed(Trigon):
    """The bot, noting for every command how many seconds went by from its arrival until all was shown."""

    def __init__(self, *arguments: Any, **connection: Any) -> None:
        super().__init__(*arguments, **connection)
        self.taken: list[float] = []
        self.expected = 0
        self.all_answered = asyncio.Event()
        arrived: dict[int, float] = {}
        parse, answer = self._connection.parsers["INTERACTION_CREATE"], self.tree._call

        def arrive(data: Any) -> None:
            arrived[int(data["id"])] = time.perf_counter()
            parse(data)

        async def call(interaction: discord.Interaction[Any]) -> None:
            await answer(interaction)
            self.taken.append(time.perf_counter() - arrived.pop(interaction.id))
            if len(self.taken) == self.expected:
                self.all_answered.set()

        self._connection.parsers["INTERACTION_CREATE"] = arrive
        self.tree._call = call  # type: ignore[method-assign]


async def seat_everybody(bot: Trigon, hello: dict[str, Any]) -> list[Table]:
    """Tables in play, each in a thread of its own: discord.py sends to one channel one after the other."""
    game, place = bot.faces["triggle"].game, Place(hello["home"], hello["channel"])
    ada, ben = (Person(person, name) for person, name in zip(hello["people"], ("Ada", "Ben"), strict=True))
    seated = []
    for _ in range(TABLES):
        table = await bot.tables.open(game, place, ada, game.Options(side=6, bands=30), {}, {})
        await bot.showing.show(table.id)
        await bot.tables.join(table.id, ben)
        await bot.tables.start(table.id, ada.id)
        await bot.showing.show(table.id)
        seated.append(await bot.tables.table(table.id))
    return seated


async def play_the_house(bot: Trigon, hello: dict[str, Any], chance: random.Random) -> None:
    """Somebody plays by chance against a house player, as soon as it is their turn."""
    game, place, person = bot.faces["triggle"].game, Place(hello["home"], hello["channel"]), hello["people"][0]
    table = await bot.tables.open(game, place, Person(person, "Ada"), game.Options(side=6, bands=30), {}, {})
    await bot.tables.add_house_player(table.id, person, "hard")
    await bot.tables.start(table.id, person)
    while (table := await bot.tables.table(table.id)).to_act:
        seat = table.seat_of(person)
        if table.to_act[0] == seat:
            await bot.tables.act(table.id, person, None, chance.choice(game.legal(table.state, seat)))
            await bot.showing.show(table.id)
        await asyncio.sleep(0.2)


def whole_game(table: Table, chance: random.Random) -> list[list[Any]]:
    """The presses of a game by chance, in order."""
    presses, state = [], table.state
    while table.game.to_act(state):
        seat = table.game.to_act(state)[0]
        band = chance.choice(table.game.legal(state, seat))
        presses.append([table.people[seat], table.place.here, table.id, table.game.text(band)])
        state = table.game.play(state, seat, band).state
    return presses


async def lag(found: list[float]) -> None:
    """Note how late this task is woken, until cancelled."""
    while True:
        before = time.perf_counter()
        await asyncio.sleep(0.01)
        found.append(time.perf_counter() - before - 0.01)


async def press_at(
    rate: int, seconds: int, presses: Iterator[list[Any]], bot: Timed, people: Process, beside: str
) -> None:
    """Have the next of these presses made for so long, so many a second; print a line."""
    assert people.stdin is not None
    bot.taken.clear()
    bot.all_answered.clear()
    now = list(islice(presses, rate * seconds))
    bot.expected = len(now)
    late: list[float] = []
    watch = asyncio.create_task(lag(late))
    people.stdin.write(json.dumps({"rate": rate, "presses": now}).encode() + b"\n")
    await bot.all_answered.wait()
    watch.cancel()
    goal = "99 % under 60 ms" if beside == "nobody thinking" else ""
    median = statistics.median(bot.taken) * 1000
    print(f"| {rate}, {beside} | {median:.0f} | {_late(bot.taken):.0f} | {_late(late):.1f} | {goal} |")


async def measure(folder: Path) -> None:
    """Print a table."""
    command = (sys.executable, "-m", "tests.bench.presses", "crowd")
    people = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, limit=2**24)
    assert people.stdin is not None
    assert people.stdout is not None
    hello = json.loads(await people.stdout.readline())
    store = await Store.open(f"sqlite+aiosqlite:///{folder}/trigon.db")
    with discord_at(hello["url"]):
        bot = Timed(store, Tables(store), guild_ready_timeout=0.01)
        running = asyncio.create_task(bot.start(hello["token"]))
        await keep_what_is_loaded(bot)
        chance = random.Random(1)
        games = [whole_game(table, chance) for table in await seat_everybody(bot, hello)]
        # Table by table in turn, so that no press comes before the one that it answers.
        presses = (press for turn in zip(*games, strict=False) for press in turn)
        print("| presses a second | median ms | 99 % ms | lag 99 % ms | goal |\n|--|--|--|--|--|")
        await press_at(RATES[0], LONG, presses, bot, people, "nobody thinking")
        others = [asyncio.create_task(play_the_house(bot, hello, chance)) for _ in range(AGAINST_THE_HOUSE)]
        for rate in RATES:
            await press_at(rate, SECONDS, presses, bot, people, "house players thinking")
        for task in others:
            task.cancel()
        await bot.close()
        await running
    people.stdin.close()
    await people.wait()


def _late(found: list[float]) -> float:
    return sorted(found)[int(len(found) * 0.99)] * 1000


if __name__ == "__main__":
    if sys.argv[1:] == ["crowd"]:
        asyncio.run(crowd())
    else:
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(measure(Path(folder)))
