"""An evening of games in tests: the stand-in for Discord, its people, and the real bot, which can be killed and started
again while everything else goes on."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.client import Trigon
from bot.house_players import Thinker
from bot.playground import permissions
from bot.playground.driver import ManualClock, People, Person, Shown
from bot.playground.server import Playground
from bot.playground.world import Channel, User
from bot.store import Store
from bot.tables import Tables
from bot.thinking import Question, think

PATIENCE = 60.0
"""Real seconds that a wait may take before its test fails: the machine may be busy."""


class StillClock(ManualClock):
    """Time passes only when a test says so: a slow machine runs into no deadline."""

    def __init__(self) -> None:
        super().__init__()
        self.start = time.time()

    def __call__(self) -> float:
        return self.start + self.ahead


async def _at_once(_: float) -> None:
    """Nobody waits in tests."""


class QuickThinker:
    """House players think in this process, and for no time: their first thought is taken."""

    async def ask(self, question: Question) -> Any:
        """The action chosen."""
        return think(replace(question, seconds=0.0))

    async def close(self) -> None:
        """There is nothing to end."""


class PowerCut(BaseException):
    """Nothing more is written."""


class Evening:
    """`people["Ada"]` and the others act; `restart` kills the bot as a power cut would and starts it again."""

    def __init__(self, folder: Path, playground: Playground, people: People, clock: ManualClock) -> None:
        self.url = f"sqlite+aiosqlite:///{folder}/trigon.db"
        self.playground = playground
        self.people = people
        self.clock = clock
        self.thinker: Thinker = QuickThinker()
        people.also_wait.append(self._house_players)
        self.bot: Trigon
        self._running: asyncio.Task[None]

    def __getitem__(self, name: str) -> Person:
        return self.people[name]

    async def start(self) -> None:
        """Start the bot and wait until it has caught up."""
        self.bot = self.people.bot = await self._process()
        self._running = asyncio.create_task(self.bot.start(self.playground.token))
        self._running.add_done_callback(lambda _: self.playground.world.changes.tell())
        await self.people.connected()
        await self.bot.caught_up.wait()
        await self.people.quiet()

    async def _house_players(self) -> None:
        """Wait until no house player is at it, also where a test's own task made it begin."""
        while under_way := self.bot.house_players.under_way:
            await asyncio.wait(under_way)

    async def _process(self) -> Trigon:
        store = await Store.open(self.url)
        tables = Tables(store, clock=lambda: datetime.fromtimestamp(self.clock(), UTC), rng=random.Random(1))
        return Trigon(store, tables, sleep=_at_once, thinker=self.thinker, guild_ready_timeout=0.01)

    @asynccontextmanager
    async def another_process(self) -> AsyncIterator[Trigon]:
        """A second bot over the same database, which can send but hears nothing."""
        bot = await self._process()
        await bot.login(self.playground.token)
        try:
            yield bot
        finally:
            await bot.close()

    def crowd(self, count: int) -> list[Person]:
        """So many more people on the server, all looking at #games."""
        world, crowd = self.people.world, []
        for number in range(count):
            user = User(world.new_id(), f"guest{number}", f"Guest {number}")
            world.state.users[user.id] = user
            world.join(world.home, user.id)
            crowd.append(Person(self.people, user))
        return crowd

    async def stop(self) -> None:
        """Close the bot."""
        await self.bot.close()
        await asyncio.gather(self._running, return_exceptions=True)

    async def restart(self) -> None:
        """Stop the bot, start another one over the same database."""
        await self.stop()
        await self.start()

    def cut_the_power(self, writes: int) -> None:
        """After so many more writes the store takes none, as if the process were gone."""
        left = [writes]
        writing = self.bot.store._writing

        def gone() -> Any:
            if left[0] == 0:
                raise PowerCut
            left[0] -= 1
            return writing()

        self.bot.store._writing = gone  # type: ignore[method-assign]

    async def table(self, number: int = 1) -> Any:
        """A table as stored."""
        return await self.bot.tables.table(number)

    async def open(self, game: str, *guests: str, opener: str = "Ada", **options: Any) -> Person:
        """Open a table, let the guests join, start it; returns the opener, everybody being in the table's thread."""
        host = self[opener]
        await host.slash(f"{game} new", **options)
        lobby = host.sees("#games")[-1]
        for guest in guests:
            await self[guest].press("Join", message=lobby)
        await host.press("Start", message=lobby)
        for name in (opener, *guests):
            self[name].go(self.people.channel(host.sees("#games")[-1]))
        return host

    async def whose_turn(self, number: int = 1) -> Person:
        """The person to act; the first where there are several."""
        table = await self.table(number)
        person = str(table.people[table.to_act[0]])
        return self._person(person)

    def _person(self, person: str) -> Person:
        found: Person = next(one for one in self.people if one.id == person)
        return found

    async def others(self, number: int = 1) -> list[Person]:
        """Those at the table who have nothing to decide."""
        table = await self.table(number)
        waiting = {str(person) for seat, person in enumerate(table.people) if seat not in table.to_act}
        return [one for one in self.people if one.id in waiting]

    def deny_bot(self, permission: str, channel: str = "#games") -> None:
        """Take a permission from the bot in a channel."""
        world = self.people.world
        world.overwrite(self.people.channel(channel), world.state.bot_id, deny=permissions.bits(permission))

    def archive(self, thread: Channel, locked: bool = False) -> None:
        """Archive a thread; a locked one can only be woken by those who manage threads."""
        thread.archived, thread.locked = True, locked
        self.people.world.update_channel(thread)

    async def board(self, number: int = 1) -> Shown:
        """The table's newest message."""
        table = await self.table(number)
        message = self.people.world.message(str(table.row.message_place), str(table.row.message))
        return Shown(self.people.world, message)


@asynccontextmanager
async def an_evening(folder: Path, **playground: Any) -> AsyncIterator[Evening]:
    """The stand-in, its people and the bot, connected; all stopped at the end."""
    clock = StillClock()
    stand_in = Playground(**{"clock": clock, "describe": True, **playground})
    await stand_in.start()
    people = People(stand_in, patience=PATIENCE)
    evening = Evening(folder, stand_in, people, clock)
    try:
        with stand_in.discord():
            await evening.start()
            try:
                yield evening
            finally:
                await evening.stop()
    finally:
        await stand_in.stop()
        people.close()
