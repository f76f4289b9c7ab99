"""Every call to Discord that can fail, with named failures.

A failed delivery never breaks a game: callers catch `Undelivered` and go by its `reason`.
"""

from __future__ import annotations

import enum
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord

from bot.page import Page


class Reason(enum.Enum):
    """Why something could not be delivered."""

    GONE = "gone"
    """The channel, thread or message is no longer there (10003, 10008), or the member (10007)."""
    FORBIDDEN = "forbidden"
    """The bot may not see or write there (50001, 50013)."""
    CLOSED = "closed"
    """This person takes no direct messages from the bot, or shares no server with it (50007, 50278, 40003), or has
    deleted their account (10013)."""
    ARCHIVED = "archived"
    """The thread is archived or locked and cannot be woken (50083, 160005)."""
    TOO_OLD = "too old"
    """The message is too old to be edited again now (30046)."""
    EXPIRED = "expired"
    """The interaction is no longer known to Discord (10062, 10015, 40060, 50027)."""
    UNAVAILABLE = "unavailable"
    """Discord, or the way to it, is out of order: try again later."""


REASONS = {
    10003: Reason.GONE,
    10004: Reason.FORBIDDEN,  # the server: of its members nothing is said
    10007: Reason.GONE,
    10008: Reason.GONE,
    50001: Reason.FORBIDDEN,
    50013: Reason.FORBIDDEN,
    50007: Reason.CLOSED,
    50278: Reason.CLOSED,
    40003: Reason.CLOSED,
    10013: Reason.CLOSED,
    50083: Reason.ARCHIVED,
    160005: Reason.ARCHIVED,
    30046: Reason.TOO_OLD,
    10062: Reason.EXPIRED,
    10015: Reason.EXPIRED,
    40060: Reason.EXPIRED,
    50027: Reason.EXPIRED,
}


class Undelivered(Exception):
    """Discord did not take it; `reason` says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


@asynccontextmanager
async def named_failures() -> AsyncIterator[None]:
    """Turns the failures of discord.py that are nobody's fault into `Undelivered`. Others are bugs and go on."""
    try:
        yield
    except discord.RateLimited as failure:
        raise Undelivered(Reason.UNAVAILABLE) from failure
    except discord.HTTPException as failure:
        if failure.code in REASONS:
            raise Undelivered(REASONS[failure.code]) from failure
        if failure.status in (403, 404):
            raise Undelivered(Reason.FORBIDDEN if failure.status == 403 else Reason.GONE) from failure
        if failure.status >= 500 or failure.status == 429:
            raise Undelivered(Reason.UNAVAILABLE) from failure
        raise
    except (aiohttp.ClientError, TimeoutError, OSError) as failure:
        raise Undelivered(Reason.UNAVAILABLE) from failure


@dataclass(frozen=True)
class Sent:
    """Where a message of ours is: channel, thread or direct-message channel; and its id."""

    place: int
    message: int


class Delivery:
    """Sends and edits our messages by the ids of their places: nothing has to be in discord.py's cache."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def send(self, place: int, page: Page, nonce: str | None = None) -> Sent:
        """Post a page. With the same nonce (up to 25 characters) Discord posts it once, for some minutes."""
        once: dict[str, Any] = {} if nonce is None else {"nonce": nonce}
        async with named_failures():
            message = await self._client.get_partial_messageable(place).send(
                view=page.layout(), files=page.files(), allowed_mentions=page.allowed_mentions(), **once
            )
        return Sent(place, message.id)

    async def edit(self, sent: Sent, page: Page, keep_picture: bool = False) -> None:
        """Replace a message by a page. `keep_picture`: the page's picture is the one already there."""
        files: dict[str, Any] = {} if keep_picture else {"attachments": page.files()}
        async with named_failures():
            await self._message(sent).edit(view=page.layout(), allowed_mentions=page.allowed_mentions(), **files)

    async def delete(self, sent: Sent) -> None:
        """Delete a message of ours."""
        async with named_failures():
            await self._message(sent).delete()

    async def is_member(self, server: int | None, person: int) -> bool:
        """Whether a person is on a server. Without the members intent one has to ask."""
        if server is None:
            return True
        try:
            async with named_failures():
                await self._client.http.get_member(server, person)
        except Undelivered as failure:
            return failure.reason not in (Reason.GONE, Reason.CLOSED)
        return True

    async def last_messages(self, place: int, most: int) -> tuple[int, ...]:
        """The ids of the last messages in a place, at most so many, newest first."""
        channel = self._client.get_partial_messageable(place)
        async with named_failures():
            return tuple([message.id async for message in channel.history(limit=most)])

    async def open_thread(self, server: int, sent: Sent, name: str) -> int:
        """Make a public thread from a message, or find the one it has; returns its id."""
        channel = self._client.get_partial_messageable(sent.place, guild_id=server)
        message = channel.get_partial_message(sent.message)
        try:
            async with named_failures():
                return (await message.create_thread(name=name[:100], auto_archive_duration=10080)).id
        except discord.HTTPException as failure:
            if failure.code == 160004:  # it has one, from before a crash: a thread shares its message's id
                return sent.message
            raise

    async def wake_thread(self, thread: int) -> None:
        """Unarchive a thread."""
        async with named_failures():
            channel = await self._client.fetch_channel(thread)
            if isinstance(channel, discord.Thread):
                await channel.edit(archived=False)

    async def direct_channel(self, person: int) -> int:
        """The direct-message channel with a person."""
        async with named_failures():
            return (await self._client.create_dm(discord.Object(person))).id

    def _message(self, sent: Sent) -> discord.PartialMessage:
        return self._client.get_partial_messageable(sent.place).get_partial_message(sent.message)
