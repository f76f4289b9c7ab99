"""Secrets by direct message: each player of a game with secrets has one letter with what only they may know.

A letter is edited while it is near the bottom of the conversation and fresh; else, and when its owner newly has to
act, a new one is sent and the old one emptied. Who cannot be written to has the button "My cards" on the table.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import timedelta

from bot.delivery import Delivery, Reason, Sent, Undelivered
from bot.face import Face
from bot.log import log_of
from bot.page import Addresses, Page
from bot.panel import names_of, own_page, title
from bot.store import CLOSED, OVER, LetterRow, Store
from bot.tables import Clock, Table
from bot.words import Words, words_for

log = log_of(__name__)

FRESH = timedelta(minutes=50)
"""How long a letter is edited: after an hour Discord allows few edits (30046)."""
NEAR = 5
"""A letter among the last so many messages of the conversation is near its bottom."""
PATIENCE = timedelta(minutes=10)
"""How long somebody who cannot be written to is not tried again."""
PATIENCE_WITH_ASKERS = timedelta(minutes=1)
"""The same for somebody who asks for their cards: they may have opened their direct messages."""
PACE = 0.5
"""Seconds between the openings of two conversations: bots that open many in a burst are quarantined."""

Sleep = Callable[[float], Awaitable[None]]


class Letters:
    """Brings what players know by direct message up to what is stored."""

    def __init__(
        self, store: Store, delivery: Delivery, faces: Mapping[str, Face], clock: Clock, sleep: Sleep = asyncio.sleep
    ) -> None:
        self._store = store
        self._delivery = delivery
        self._faces = faces
        self._clock = clock
        self._sleep = sleep
        self._opening = asyncio.Lock()

    async def unreachable(self, table: Table) -> tuple[int, ...]:
        """The seats whose owners could not be written to."""
        letters = await self._store.letters(table.id)
        return tuple(
            row.seat for row in table.seats if row.person in letters and letters[row.person].refused is not None
        )

    async def deliver(self, table: Table) -> None:
        """Tell every player of a game with secrets what has changed for them.

        Raises `Undelivered` where Discord is out of order; the table is then behind and tried again.
        """
        if self._faces[table.game.key].secrets and table.row.state is not None:
            letters = await self._store.letters(table.id)
            for seat, person in enumerate(table.people):
                if person <= 0:  # a house player, or somebody who wanted to be forgotten
                    continue
                await self._deliver(table, seat, letters.get(person, LetterRow(person)))
            for person in set(letters) - set(table.people):
                await self._take_away(table, letters[person])
        await self._store.mark_shown(table.id, {"told_turn": table.turn})

    async def _deliver(self, table: Table, seat: int, letter: LetterRow) -> None:
        now = self._clock()
        if letter.refused is not None and now - letter.refused < PATIENCE:
            return
        words = words_for(await self._store.locale_of(letter.person))
        page, secret, digest = await asyncio.to_thread(self._page, table, seat, words)
        first = letter.message is None and letter.refused is None
        if digest == letter.digest or (first and not secret):
            return
        acting = seat in table.to_act and table.seats[seat].robot is None
        written = replace(letter, digest=digest, acting=acting, refused=None)
        try:
            if await self._edited(letter, page, acting):
                await self._store.keep_letter(table.id, written)
                return
            sent = await self._send(table, letter.person, page)
            written = replace(written, place=sent.place, message=sent.message, sent=now)
        except Undelivered as failure:
            if failure.reason is Reason.UNAVAILABLE:
                raise
            log.info("letter refused", table=table.id, seat=seat + 1, reason=failure.reason.value)
            written = replace(letter, refused=now, digest=None, message=None)
        # Kept before the old one is emptied: a crash between the two leaves an old letter, never a lost one.
        await self._store.keep_letter(table.id, written)
        await self._empty(letter)

    async def may_try_again(self, table: int, person: int) -> bool:
        """Whether a letter for somebody who could not be written to, and is here now, is to be tried again at once."""
        letter = (await self._store.letters(table)).get(person, LetterRow(person))
        if letter.refused is None or self._clock() - letter.refused < PATIENCE_WITH_ASKERS:
            return False
        await self._store.keep_letter(table, replace(letter, refused=letter.refused - PATIENCE))
        return True

    async def page(self, table: Table, seat: int, words: Words) -> Page:
        """What one player may know, with its controls while the game goes on."""
        return (await asyncio.to_thread(self._page, table, seat, words))[0]

    def _page(self, table: Table, seat: int, words: Words) -> tuple[Page, bool, str]:
        """The same, whether it holds anything secret, and its digest. Slow: it draws, and reads every byte drawn."""
        face = self._faces[table.game.key]
        own = own_page(table, face, words, seat, Addresses(table.id, table.seat_turn(seat)))
        if table.status == OVER:
            told = Page(face.status(table.view(seat), words, names_of(table, words)), colour=face.colour)
        elif table.status == CLOSED:
            told = Page(words("This table was closed before the end."), colour=face.colour)
        else:
            told = own or Page(words("You hold nothing secret now."), colour=face.colour)
        page = replace(told, text=f"{title(face, table, words)} · <#{table.place.here}>\n{told.text}")
        return page, own is not None, hashlib.sha256(repr(page).encode()).hexdigest()

    async def _edited(self, letter: LetterRow, page: Page, acting: bool) -> bool:
        """Edit the letter there is, if it can be: a fresh one near the bottom, that does not newly ask for something,
        since edits notify nobody."""
        if letter.message is None or letter.sent is None or (acting and not letter.acting):
            return False
        if self._clock() - letter.sent > FRESH:
            return False
        try:
            if letter.message not in await self._delivery.last_messages(_sent(letter).place, NEAR):
                return False
            await self._delivery.edit(_sent(letter), page)
        except Undelivered as failure:
            if failure.reason is Reason.UNAVAILABLE:
                raise
            log.info("a letter could not be edited", reason=failure.reason.value)
            return False
        return True

    async def _send(self, table: Table, person: int, page: Page) -> Sent:
        return await self.write(person, page, f"{table.id}.{table.turn}.{person % 10**8}")

    async def write(self, person: int, page: Page, nonce: str) -> Sent:
        """Send a direct message, opening the conversation where there is none yet. Raises `Undelivered`."""
        place = await self._store.direct_channel(person)
        if place is not None:
            try:
                return await self._delivery.send(place, page, nonce)
            except Undelivered as failure:
                if failure.reason is not Reason.GONE:
                    raise
        return await self._delivery.send(await self._opened(person), page, nonce)

    async def _opened(self, person: int) -> int:
        """The conversation with a person, opened now; never two at once, and not many in a burst."""
        async with self._opening:
            place = await self._delivery.direct_channel(person)
            await self._sleep(PACE)
        await self._store.keep_direct_channel(person, place)
        return place

    async def _take_away(self, table: Table, letter: LetterRow) -> None:
        """Somebody else has their seat now. Raises `Undelivered` where that has to be tried again."""
        if letter.message is not None:
            try:
                await self._delivery.delete(_sent(letter))
            except Undelivered as failure:
                if failure.reason is Reason.UNAVAILABLE:
                    raise
        await self._store.forget_letter(table.id, letter.person)

    async def _empty(self, letter: LetterRow) -> None:
        """Take the secrets and controls out of a letter that another has replaced."""
        if letter.message is None:
            return
        try:
            await self._delivery.delete(_sent(letter))
        except Undelivered as failure:
            log.info("an old letter stayed", reason=failure.reason.value)


def _sent(letter: LetterRow) -> Sent:
    return Sent(letter.place or 0, letter.message or 0)
