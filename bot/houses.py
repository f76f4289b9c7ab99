"""What each server has set for its tables."""

from __future__ import annotations

import discord
import msgspec

from bot.store import Store
from bot.words import Words, words_for


class House(msgspec.Struct, frozen=True):
    """One server's settings. `language` is the locale of public texts; None: the server's own on Discord."""

    language: str | None = None
    threads: bool = True


class Houses:
    """Every server's settings."""

    def __init__(self, store: Store, client: discord.Client) -> None:
        self._store = store
        self._client = client

    async def house(self, server: int | None) -> House:
        """A server's settings; what holds where nothing is set, for a server without any and for no server."""
        return House() if server is None else msgspec.convert(await self._store.settings_of(server), House)

    async def words(self, server: int | None) -> Words:
        """The words of a server's public texts."""
        language = (await self.house(server)).language
        if language is None and server is not None and (guild := self._client.get_guild(server)):
            return words_for(guild.preferred_locale)
        return words_for(language)
