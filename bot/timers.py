"""What happens at a table when time passes: reminders, turn limits, quiet lobbies, seats vacant for too long.

Timers stand in the database; one sleeper waits for the earliest. What a timer does is judged anew against the table,
and whoever takes a timer away is the one who does it: nothing happens twice, after a restart or with two processes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from bot.agreements import Agreements
from bot.delivery import Delivery, Reason, Undelivered
from bot.houses import Houses
from bot.letters import Letters
from bot.log import log_of
from bot.page import Page
from bot.store import Store, TimerRow
from bot.tables import NoSuchTable, Table, Tables
from bot.words import Words, words_for
from rules.game import translatable

log = log_of(__name__)

LONGEST_SLEEP = timedelta(hours=1)
"""The sleeper looks at least this often, in case another process has set a timer."""

AGAIN = timedelta(minutes=10)
"""After how long a timer that failed is tried again."""

SOON = timedelta(minutes=1)
"""After how long a reminder is tried again that Discord could not take."""

REMINDERS = {
    "half": translatable("⏰ {player}, half of your time is over. Your turn runs out {when}."),
    "tenth": translatable("⏰ {player}, your time is nearly over. Your turn runs out {when}."),
}

Show = Callable[[int], Awaitable[None]]


class Timers:
    """The sleeper, and what it does when it wakes."""

    def __init__(
        self,
        store: Store,
        tables: Tables,
        agreements: Agreements,
        houses: Houses,
        delivery: Delivery,
        letters: Letters,
        show: Show,
    ) -> None:
        self._store = store
        self._tables = tables
        self._agreements = agreements
        self._houses = houses
        self._delivery = delivery
        self._letters = letters
        self._show = show
        self._stopped = False

    async def run(self) -> None:
        """Sleep until the next timer is due, do what it says, and again."""
        while not self._stopped:
            await self.run_due()
            self._tables.timers_changed.clear()
            if self._stopped:
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(
                    self._tables.timers_changed.wait(), self._seconds(await self._store.next_timer())
                )

    def stop(self) -> None:
        """Let the sleeper end after what it is doing."""
        self._stopped = True
        self._tables.timers_changed.set()

    def _seconds(self, due: datetime | None) -> float:
        wait = LONGEST_SLEEP if due is None else min(LONGEST_SLEEP, due - self._tables.clock())
        return max(0.0, wait.total_seconds())

    async def run_due(self) -> None:
        """Do everything that is due."""
        for timer in await self._store.due_timers(self._tables.clock()):
            try:
                await self._run(timer)
            except Undelivered as failure:
                log.warning("timer not delivered", table=timer.table, kind=timer.kind, reason=failure.reason.value)
            except NoSuchTable:
                log.info("timer of a table that is gone", table=timer.table)
            except Exception:
                # A mistake of ours at one table must not stop the others' clocks; it is tried again a little later.
                log.exception("timer failed", table=timer.table, kind=timer.kind)
                await self._store.put_off(timer, self._tables.clock() + AGAIN)

    async def _run(self, timer: TimerRow) -> None:
        if timer.kind in REMINDERS:
            if await self._store.claim_timer(timer):
                await self._remind_or_put_off(timer)
            return
        # The change itself is what only one process can do; the timer goes afterwards, so that a crash repeats it.
        table = await self._changed(timer)
        await self._store.claim_timer(timer)
        if table is not None:
            log.info("timer", table=table.id, kind=timer.kind)
            await self._show(table.id)

    async def _changed(self, timer: TimerRow) -> Table | None:
        match timer.kind:
            case "lobby":
                return await self._tables.expire(timer.table)
            case "vacancy":
                return await self._agreements.give_up_vacant(timer.table, timer.seat)
            case _:
                return await self._tables.time_out(timer.table, timer.seat)

    async def _remind_or_put_off(self, timer: TimerRow) -> None:
        try:
            await self._remind(await self._tables.table(timer.table), timer)
        except Undelivered as failure:
            if failure.reason is Reason.UNAVAILABLE:
                await self._store.set_again(replace(timer, due=self._tables.clock() + SOON))
            raise

    async def _remind(self, table: Table, timer: TimerRow) -> None:
        deadline, now = table.deadline(timer.seat), self._tables.clock()
        if timer.seat not in table.to_act or deadline is None or deadline <= now:
            return
        person = table.people[timer.seat]
        if not await self._delivery.is_member(table.place.server, person):
            await self._agreements.vacate(table.id, timer.seat)
            await self._show(table.id)
            return
        known = await self._store.person(person)
        if known.reminders == "none" or (known.away is not None and known.away > now):
            return
        nonce = f"{table.id}.{table.turn}.{timer.kind}.{timer.seat}"
        if known.reminders == "direct":
            try:
                page = _reminder(table, timer, deadline, words_for(known.locale))
                await self._letters.write(person, page, nonce)
            except Undelivered as failure:
                if failure.reason is Reason.UNAVAILABLE:
                    raise
                log.info("a reminder comes at the table", table=table.id, reason=failure.reason.value)
            else:
                return
        words = await self._houses.words(table.place.server)
        await self._delivery.send(table.place.here, _reminder(table, timer, deadline, words), nonce)


def _reminder(table: Table, timer: TimerRow, deadline: datetime, words: Words) -> Page:
    person = table.people[timer.seat]
    text = words(REMINDERS[timer.kind], player=f"<@{person}>", when=f"<t:{int(deadline.timestamp())}:R>")
    where = words("Table {number}: {place}", number=table.id, place=f"<#{table.place.here}>")
    return Page(f"{text}\n-# {where}", mentions=(person,))
