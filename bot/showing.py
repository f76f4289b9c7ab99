"""Shows tables: posts, edits and catches up, and remembers what was last shown where.

A table's row holds the turn that was last shown. Whatever is behind is shown again, so that a crash between storing
and showing costs nothing; a nonce keeps Discord from posting the same thing twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from bot import panel
from bot.agreements import Agreements
from bot.delivery import Delivery, Reason, Sent, Undelivered
from bot.face import Face
from bot.houses import Houses, house_of
from bot.letters import Letters
from bot.lobby import lobby_page
from bot.log import log_of
from bot.page import Page, Picture
from bot.request import Request
from bot.store import PLAYING, Store
from bot.tables import NoSuchTable, Place, Table, Tables
from rules.game import Refusal

log = log_of(__name__)

T = TypeVar("T")


class Showing:
    """Brings what people see up to what is stored, one table at a time."""

    def __init__(
        self,
        store: Store,
        tables: Tables,
        delivery: Delivery,
        faces: Mapping[str, Face],
        houses: Houses,
        letters: Letters,
        agreements: Agreements,
    ) -> None:
        self._store = store
        self._tables = tables
        self._delivery = delivery
        self._faces = faces
        self._houses = houses
        self._letters = letters
        self._agreements = agreements
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def catch_up(self) -> None:
        """Show every table that is behind."""
        for number in await self._store.behind():
            await self.show(number)

    async def show(self, number: int, request: Request | None = None) -> None:
        """Show a table as it is now. A new table's lobby is the answer to the `request` that opened it.

        Where Discord does not take it for now, the table stays behind and is shown at the next occasion.
        """
        lock = self._locks.setdefault(number, asyncio.Lock())
        async with lock:
            try:
                table, answered = await self._tables.table(number), request
                # Again where a seat turned out to be vacant, or somebody was quick.
                while min(table.row.shown_turn, table.row.told_turn) < table.turn:
                    if table.row.shown_turn < table.turn:
                        table, answered = await self._show(table, answered), None
                        continue
                    await self._tell(table)
                    table = await self._tables.table(number)
                await self._strip_old(table)
            except Undelivered as failure:
                log.warning("table not shown", table=number, reason=failure.reason.value)
                if failure.reason is not Reason.UNAVAILABLE:
                    await self._give_up(table)
            except NoSuchTable:
                log.info("table gone before it was shown", table=number)
            except Exception:
                # A mistake of ours at one table must not keep the others from being shown.
                log.exception("showing failed", table=number)
                if request is not None:
                    raise

    async def show_anew(self, number: int) -> None:
        """Show a table at the bottom of its place, whatever became of its last message; letters name the place, too."""
        await self._mark(number, {"shown_turn": 0, "told_turn": 0, "shown_to_act": []})
        await self.show(number)

    async def _mark(self, number: int, values: Mapping[str, Any]) -> None:
        """Note what is to be shown anew, after what is being shown just now: that would note that all is shown."""
        async with self._locks.setdefault(number, asyncio.Lock()):
            await self._store.mark_shown(number, values)

    async def show_again(self, number: int) -> None:
        """Edit a table's message where it is, since something beside the game has changed."""
        lock = self._locks.setdefault(number, asyncio.Lock())
        async with lock:
            table = await self._tables.table(number)
            if table.row.message is not None and table.row.shown_turn == table.turn:
                try:
                    await self._edit(table, await self._page(table))
                except Undelivered as failure:
                    log.warning("table not shown again", table=number, reason=failure.reason.value)
                else:
                    return
        await self._mark(number, {"shown_turn": 0})
        await self.show(number)

    async def write_again(self, number: int, person: int) -> None:
        """Write to somebody who is here now and could not be written to before."""
        if await self._letters.may_try_again(number, person):
            await self._mark(number, {"told_turn": 0})
            await self.show(number)

    async def _give_up(self, table: Table) -> None:
        """The table's place is gone or shut: it waits, with its limits, until somebody has it shown elsewhere."""
        table = await self._agreements.hold(table.id)
        values = {"shown_turn": table.turn, "told_turn": table.turn, "message": None, "old_message": None}
        await self._store.mark_shown(table.id, values)

    async def move(self, number: int, place: Place) -> None:
        """Show a table in another place from now on."""
        await self._mark(number, {"channel": place.channel, "thread": place.thread})
        await self.show_anew(number)

    async def _show(self, table: Table, request: Request | None) -> Table:
        """Show a table that is behind; returns it as it is then."""
        table = await self._settled(table)
        page = await self._page(table)
        if table.row.message is None or self._belongs_at_the_bottom(table):
            return await self._post(table, page, request)
        return await self._edit(table, page)

    async def _note(self, table: Table, values: Mapping[str, Any]) -> Table:
        """Note what is shown of a table; returns it as it is then."""
        turn = await self._store.mark_shown(table.id, values)
        return table.noted(values) if turn == table.turn else await self._tables.table(table.id)

    async def _edit(self, table: Table, page: Page) -> Table:
        """Edit the table's message; where that cannot be done any more, post another."""
        sent = Sent(table.row.message_place or table.place.here, table.row.message or 0)
        try:
            await self._awake(table, lambda: self._delivery.edit(sent, page))
        except Undelivered as failure:
            if failure.reason is Reason.UNAVAILABLE:
                raise
            return await self._post(table, page, None)
        return await self._note(table, {**self._shown(table), "message_page": _kept(page)})

    def _shown(self, table: Table) -> dict[str, Any]:
        shown = {"shown_turn": table.turn, "shown_to_act": list(table.to_act)}
        # Where there are no secrets there is nobody to write to.
        return shown if self._faces[table.game.key].secrets else {**shown, "told_turn": table.turn}

    async def _tell(self, table: Table) -> None:
        """Deliver the letters; where somebody newly cannot be written to, or can again, the table says so. They may
        have left the server."""
        before = await self._letters.unreachable(table)
        await self._letters.deliver(table)
        unreachable = await self._letters.unreachable(table)
        if unreachable != before:
            await self._edit(table, await self._page(table))
            await self._look_for(table, set(unreachable) - set(before))

    async def _page(self, table: Table) -> Page:
        server, face = table.place.server, self._faces[table.game.key]
        if table.row.state is None:
            return lobby_page(table, face, await self._houses.words(server))
        words, happenings, away = await asyncio.gather(
            self._houses.words(server),
            self._tables.happenings(table, min(panel.LAST_TOLD, len(table.seats))),
            self._away(table),
        )
        unreachable = await self._letters.unreachable(table) if face.secrets else ()
        beside = panel.Circumstances(unreachable, away)
        return await asyncio.to_thread(panel.table_page, table, face, words, happenings, beside)

    async def _away(self, table: Table) -> dict[int, datetime]:
        """Until when players are away, by seat."""
        away = await self._store.away(table.people, self._tables.clock())
        return {row.seat: away[row.person] for row in table.seats if row.present and row.person in away}

    def _belongs_at_the_bottom(self, table: Table) -> bool:
        """Whether the game has just begun or ended, or somebody newly has to act: edits notify nobody."""
        if table.row.state is None:
            return False
        if not table.row.shown_to_act:
            return True
        if house_of(table).messages == "edit":
            return False
        # Nobody has to be notified of a house player's turn.
        called = set(table.to_act) - set(table.robots_to_act)
        return not table.to_act or not called <= set(table.row.shown_to_act)

    async def _settled(self, table: Table) -> Table:
        """The table, in a thread of its own where it has just begun and the server wants one."""
        server, lobby = table.place.server, table.row.message
        just_begun = table.status == PLAYING and not table.row.shown_to_act
        if not just_begun or table.place.thread or not server or not lobby:
            return table
        if not house_of(table).threads:
            return table
        words = await self._houses.words(server)
        game = words(self._faces[table.game.key].title)
        name = words(
            "{game} · table {number}: {players}",
            game=game,
            number=table.id,
            players=words.series(panel.shown_names(table, words)),
        )
        try:
            thread = await self._delivery.open_thread(server, Sent(table.place.channel, lobby), name)
        except Undelivered as failure:
            if failure.reason is Reason.UNAVAILABLE:
                raise
            log.warning("no thread for a table", table=table.id, reason=failure.reason.value)
            return table
        return await self._note(table, {"thread": thread})

    async def _post(self, table: Table, page: Page, request: Request | None) -> Table:
        newly = set(table.to_act) - set(table.row.shown_to_act)
        answered = await request.post(page) if request else None
        sent = answered or await self._send(table, page)
        values: dict[str, Any] = {"message": sent.message, "message_place": sent.place, "message_page": _kept(page)}
        if sent.place != table.place.here:
            values["thread"] = None
        looking = asyncio.create_task(self._look_for(table, newly))
        # Stripped before anything is noted: a crash in between repeats both, and the nonce keeps the post single.
        shown = await self._note(table, {**self._shown(table), **values, **await self._overtaken(table)})
        return await self._tables.table(table.id) if await looking else shown

    async def _overtaken(self, table: Table) -> dict[str, Any]:
        """Take the controls from the message that has been overtaken; what is to be noted where that has to wait."""
        if table.row.message is None:
            return {}
        sent, page = Sent(table.row.message_place or table.place.here, table.row.message), await self._old_page(table)
        if await self._strip(table, sent, page):
            return {}
        return {"old_message": sent.message, "old_place": sent.place, "old_page": page}

    async def _look_for(self, table: Table, seats: Collection[int]) -> bool:
        """See whether somebody is still on the server; the seat of who is not is vacant.

        Returns whether there is one.
        """
        found = False
        for row in table.seats:
            if row.seat in seats and row.present and not await self._delivery.is_member(table.place.server, row.person):
                log.info("a player is no longer on the server", table=table.id, seat=row.seat + 1)
                found = True
                with suppress(Refusal):  # the game has ended meanwhile
                    await self._agreements.vacate(table.id, row.seat)
        return found

    async def _send(self, table: Table, page: Page) -> Sent:
        """Post in the table's thread; where that is gone or shut, in its channel, and stay there."""
        # A message that is posted anew at the same turn has another one behind it, and so another nonce.
        nonce = f"{table.id}.{table.turn}.{(table.row.message or 0) % 10**8}"
        if table.place.thread:
            thread = table.place.thread
            try:
                return await self._awake(table, lambda: self._delivery.send(thread, page, nonce))
            except Undelivered as failure:
                if failure.reason is Reason.UNAVAILABLE:
                    raise
                log.warning("a table leaves its thread", table=table.id, reason=failure.reason.value)
        return await self._delivery.send(table.place.channel, page, nonce)

    async def _old_page(self, table: Table) -> Mapping[str, Any] | None:
        """What the message that has been overtaken is to say from now on."""
        if table.row.shown_to_act:
            return table.row.message_page
        words = await self._houses.words(table.place.server)
        return _kept(lobby_page(table, self._faces[table.game.key], words))

    async def _strip_old(self, table: Table) -> None:
        """Take the controls from a message for which that had to wait."""
        row = table.row
        if row.old_message is None:
            return
        if not await self._strip(table, Sent(row.old_place or table.place.here, row.old_message), row.old_page):
            raise Undelivered(Reason.UNAVAILABLE)
        await self._store.mark_shown(table.id, {"old_message": None, "old_place": None, "old_page": None})

    async def _strip(self, table: Table, sent: Sent, page: Mapping[str, Any] | None) -> bool:
        """Show a message without its controls; False where that has to be tried again."""
        try:
            await self._awake(table, lambda: self._delivery.edit(sent, _restored(page or {}), keep_picture=True))
        except Undelivered as failure:
            log.info("an old message kept its controls", table=table.id, reason=failure.reason.value)
            return failure.reason is not Reason.UNAVAILABLE
        return True

    async def _awake(self, table: Table, call: Callable[[], Awaitable[T]]) -> T:
        """Call Discord for something in the table's thread, waking the thread where it sleeps."""
        try:
            return await call()
        except Undelivered as failure:
            if failure.reason is not Reason.ARCHIVED or table.place.thread is None:
                raise
            await self._delivery.wake_thread(table.place.thread)
            return await call()


def _kept(page: Page) -> dict[str, Any]:
    """What has to be remembered of a page to show it again without its controls."""
    picture = page.picture
    return {
        "text": page.text,
        "colour": page.colour,
        "picture": picture and {"name": picture.name, "alt": picture.alt},
    }


def _restored(kept: Mapping[str, Any]) -> Page:
    picture = kept.get("picture")
    return Page(
        kept.get("text") or "…", picture and Picture(b"", picture["alt"], picture["name"]), colour=kept.get("colour")
    )
