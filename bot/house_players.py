"""House players at tables: whenever one has something to decide, it is asked, and its action played like a person's.

Thinking is done by a small pool of processes. Nothing is kept of it: what is lost is asked again. That somebody was
quicker, here or in another process, is told by the seat's turn, so that nothing is played twice.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Any, Protocol

from bot.log import log_of
from bot.store import Store
from bot.tables import MovedOn, NoSuchTable, Table, TableOver, Tables
from bot.thinking import Question, settle_in, think_in_time
from rules.game import Open

log = log_of(__name__)

THINKING = 1.0
"""Seconds that a house player may think."""
PROCESSES = min(2, max(1, (os.cpu_count() or 2) - 1))
"""One core is left to the bot."""
IDLE = 300.0
"""Seconds after which processes that nobody needs are let go."""
TRIES = 3
"""How often a question is asked whose process ends."""

Sleep = Callable[[float], Awaitable[None]]
Show = Callable[[int], Awaitable[None]]


class Thinker(Protocol):
    """Whoever answers for house players."""

    async def ask(self, question: Question) -> Any:
        """The action chosen."""

    async def close(self) -> None:
        """Come to an end; questions that are under way are given up."""


class Pool:
    """Processes that think. They start with the first question and are let go when there has been none for long."""

    def __init__(self, processes: int = PROCESSES) -> None:
        self._processes = processes
        self._executor: ProcessPoolExecutor | None = None
        self._asked = 0
        self._rest: asyncio.TimerHandle | None = None

    async def ask(self, question: Question) -> Any:
        """The action chosen. A process that ends is replaced; raises `BrokenProcessPool` where that does not help."""
        self._asked += 1
        if self._rest is not None:
            self._rest.cancel()
        try:
            for _ in range(TRIES - 1):
                with suppress(BrokenProcessPool):
                    return await self._answer(question)
                log.warning("a house player's process ended; it is asked again", game=question.game)
            return await self._answer(question)
        finally:
            self._asked -= 1
            if not self._asked:
                self._rest = asyncio.get_running_loop().call_later(IDLE, self._let_go)

    async def _answer(self, question: Question) -> Any:
        executor = self._executor = self._executor or self._new_executor()
        try:
            # Starting a process takes a while, and so does what is sent to it.
            return await asyncio.wrap_future(await asyncio.to_thread(executor.submit, think_in_time, question))
        except BrokenProcessPool:
            if self._executor is executor:
                self._let_go()
            raise

    def _new_executor(self) -> ProcessPoolExecutor:
        # Started anew: a fork would take over the bot's locks and connections.
        fresh = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._processes, mp_context=fresh, initializer=settle_in)

    def _let_go(self) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None

    async def close(self) -> None:
        """End the processes at once, whatever they are at: they hold nothing that is needed."""
        if self._rest is not None:
            self._rest.cancel()
        executor, self._executor = self._executor, None
        if executor is not None:
            await asyncio.to_thread(_end, executor)


def _end(executor: ProcessPoolExecutor) -> None:
    # The bot has no other children; the pool itself would wait for what they think to the end.
    for process in multiprocessing.active_children():
        process.kill()
    executor.shutdown(cancel_futures=True)


class HousePlayers:
    """Lets house players act at the tables where it is their turn, one task a table."""

    def __init__(
        self, store: Store, tables: Tables, show: Show, thinker: Thinker, pause: float, sleep: Sleep = asyncio.sleep
    ) -> None:
        """`pause`: the seconds that people are given between two moves at the least."""
        self._store = store
        self._tables = tables
        self._show = show
        self._thinker = thinker
        self._pause = pause
        self._sleep = sleep
        self._stopped = False
        self._playing: dict[int, asyncio.Task[None]] = {}
        self._wanted: set[int] = set()
        """Tables that have to be looked at, also where somebody is at it: it may just have been found idle."""
        self._thinking: set[asyncio.Future[Any]] = set()
        tables.robot_to_act = self.look_at

    @property
    def under_way(self) -> list[asyncio.Task[None]]:
        """What is being done at tables."""
        return list(self._playing.values())

    async def take_up(self) -> None:
        """Look at every table where a house player has something to decide."""
        for number in await self._store.tables_with_robot_to_act():
            self.look_at(number)

    def look_at(self, number: int) -> None:
        """Let house players act at a table, unless they are at it already."""
        self._wanted.add(number)
        if number not in self._playing and not self._stopped:
            self._playing[number] = asyncio.create_task(self._play(number))

    def stop(self) -> None:
        """Give up thinking; what is being stored or shown comes to its end."""
        self._stopped = True
        for thought in self._thinking:
            thought.cancel()

    async def close(self) -> None:
        """End the processes."""
        await self._thinker.close()

    async def _play(self, number: int) -> None:
        try:
            while number in self._wanted and not self._stopped:
                self._wanted.discard(number)
                table = await self._tables.table(number)
                if table.robots_to_act:
                    await self._act(table, table.robots_to_act[0])
        except NoSuchTable:
            log.info("a house player's table is gone", table=number)
        except Exception:
            # A mistake of ours at one table must not end the others' games; it is tried again when all are looked at.
            log.exception("a house player failed", table=number)
        finally:
            self._wanted.discard(number)
            del self._playing[number]

    async def _act(self, table: Table, seat: int) -> None:
        if self._stopped:  # while the table was read
            return
        thought = asyncio.gather(self._thinker.ask(self._question(table, seat)), self._sleep(self._pause))
        self._thinking.add(thought)
        try:
            action, _ = await thought
        except asyncio.CancelledError:
            if not self._stopped:
                raise
            return
        finally:
            self._thinking.discard(thought)
        try:
            await self._tables.act_for_the_house(table.id, seat, table.turn, action)
        except (MovedOn, TableOver):
            self._wanted.add(table.id)
            return
        log.info("a house player acted", table=table.id, seat=seat + 1)
        await self._show(table.id)

    def _question(self, table: Table, seat: int) -> Question:
        level = table.seats[seat].robot
        assert level is not None, "it is a house player's seat"
        legal = tuple(action for action in table.game.legal(table.state, seat) if not isinstance(action, Open))
        seed = self._tables.rng.getrandbits(64)
        return Question(table.game.key, level, table.view(seat), legal, seed, THINKING)
