"""The discord.py client: loads the cogs, hands them presses, guards every answer. It knows nothing of any one game."""

from __future__ import annotations

import asyncio
import pkgutil
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cog import Cog, GameCog
from bot.delivery import Delivery, Undelivered
from bot.face import Face
from bot.houses import Houses
from bot.letters import Letters, Sleep
from bot.log import log_of, reference
from bot.page import Address, Control
from bot.permissions import missing_for_table, missing_for_thread
from bot.refusals import sentence
from bot.request import Request
from bot.showing import Showing
from bot.store import Store
from bot.tables import NoSuchTable, Table, Tables
from bot.words import Translator
from rules.game import Refusal, Value

log = log_of(__name__)

COGS = Path(__file__).resolve().parent.parent / "cogs"

CATCHING_UP = 60.0
"""Seconds between two looks for tables that are behind."""
MOST_REMEMBERED = 10_000
"""People of whom it is known, without asking the store, that it has their newest name and language."""


class Trigon(commands.AutoShardedBot):
    """The bot. Stateless but for its connections: everything that matters is in the store."""

    def __init__(self, store: Store, tables: Tables, sleep: Sleep = asyncio.sleep, **connection: Any) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            tree_cls=Tree,
            **connection,
        )
        self.store = store
        self.tables = tables
        self.delivery = Delivery(self)
        self.houses = Houses(store, self, tables.clock)
        self.faces: dict[str, Face] = {}
        self.letters = Letters(store, self.delivery, self.faces, tables.clock, sleep)
        self.showing = Showing(store, tables, self.delivery, self.faces, self.houses, self.letters)
        self._catching_up: asyncio.Task[None] | None = None
        self._remembered: dict[int, tuple[str, str]] = {}

    async def setup_hook(self) -> None:
        await self.tree.set_translator(Translator())
        self.add_dynamic_items(Control)
        for module in pkgutil.iter_modules([str(COGS)]):
            await self.load_extension(f"{COGS.name}.{module.name}")
        await self.tree.sync()
        self._catching_up = asyncio.create_task(self._catch_up())

    async def close(self) -> None:
        if self._catching_up is not None:
            self._catching_up.cancel()
        await super().close()
        await self.store.close()

    async def add_cog(self, cog: commands.Cog, /, **options: Any) -> None:
        if isinstance(cog, GameCog):
            self.faces[cog.face.game.key] = cog.face
        await super().add_cog(cog, **options)

    async def _catch_up(self) -> None:
        await self.wait_until_ready()
        while True:
            await self.showing.catch_up()
            await asyncio.sleep(CATCHING_UP)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        for number in await self.store.tables_at(payload.thread_id):
            await self.showing.show_anew(number)

    # -- Presses --

    async def attend(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a control that was pressed, or a form that was sent."""
        request = Request(interaction)
        await self.guard(request, lambda: self._attend(request))

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        if interaction.type is discord.InteractionType.modal_submit:
            await self.attend(interaction)

    async def _attend(self, request: Request) -> None:
        address = request.address
        if address is None:
            raise NoSuchTable
        await self.remember(request)
        handler = await self._handler(address)
        await handler(request)

    async def _handler(self, address: Address) -> Callable[[Request], Awaitable[None]]:
        """The method that answers an address: the game's own cog comes before the shared ones."""
        game = (await self.tables.table(address.table)).game.key if address.table else None
        ours = [cog for cog in self.cogs.values() if isinstance(cog, Cog)]
        own = [cog for cog in ours if isinstance(cog, GameCog) and cog.face.game.key == game]
        for cog in own + [cog for cog in ours if not isinstance(cog, GameCog)]:
            if address.verb in cog.controls:
                return cog.controls[address.verb]
        raise NoSuchTable(table=address.table)

    async def guard(self, request: Request, answer: Callable[[], Awaitable[None]]) -> None:
        """Run an answer; whatever goes wrong, the person gets a private sentence and the table stays playable."""
        try:
            await answer()
        except Refusal as refusal:
            await self._tell(request, sentence(refusal, request.words, await self._face_for(request)))
        except Undelivered as failure:
            log.warning("answer not delivered", reason=failure.reason.value)
        except Exception:
            named = reference()
            log.exception("answer failed", reference=named, verb=request.address and request.address.verb)
            text = request.words(
                "Something went wrong here; nothing was lost. If it happens again, tell whoever runs me: {reference}",
                reference=f"`{named}`",
            )
            await self._tell(request, text)

    async def _tell(self, request: Request, text: str) -> None:
        try:
            await request.tell(text)
        except Undelivered as failure:
            log.warning("answer not delivered", reason=failure.reason.value)

    async def _face_for(self, request: Request) -> Face | None:
        if request.address and request.address.table:
            try:
                return self.faces[(await self.tables.table(request.address.table)).game.key]
            except NoSuchTable:
                return None
        command = request.interaction.command
        group = command.parent if isinstance(command, app_commands.Command) else None
        return self.faces.get(group.name) if group else None

    async def remember(self, request: Request) -> None:
        """Keep the person's name and language for when they are written to."""
        person, known = request.person, (request.person.name, str(request.interaction.locale))
        if self._remembered.get(person.id) != known:
            await self.store.remember_person(person.id, *known)
            if len(self._remembered) >= MOST_REMEMBERED:
                self._remembered.clear()
            self._remembered[person.id] = known

    # -- What every game does alike --

    def face(self, table: Table) -> Face:
        """The face of a table's game."""
        return self.faces[table.game.key]

    async def table_of(self, request: Request) -> Table:
        """The table whose control was pressed."""
        if request.address is None:
            raise NoSuchTable
        return await self.tables.table(request.address.table)

    async def open_table(
        self, request: Request, face: Face, chosen: Mapping[str, Value], given: Mapping[str, Any]
    ) -> None:
        """Open a lobby as the answer to a command, where the server's settings and the bot's permissions allow it."""
        house = await self.houses.may_open(face.game, request.place, request.person, request.roles, request.is_admin)
        options = house.options(face.game, chosen)
        if lacking := missing_for_table(request):
            await request.tell(lacking)
            return
        no_thread = missing_for_thread(request) if house.threads else None
        if no_thread:
            await request.tell(no_thread)
        table = await self.tables.open(face.game, request.place, request.person, options, given, house.changed())
        log.info("table opened", table=table.id, game=face.game.key)
        await self.showing.show(table.id, None if no_thread else request)

    async def act(self, request: Request, table: Table, action: object) -> Table:
        """Play an action for the person who pressed or typed it. Shown by the caller after the press is answered."""
        table = await self.tables.act(table.id, request.person.id, request.turn, action)
        log.info("action played", table=table.id, turn=table.turn)
        return table


class Tree(app_commands.CommandTree[Trigon]):
    """Commands are guarded like presses."""

    async def interaction_check(self, interaction: discord.Interaction[Trigon], /) -> bool:
        if interaction.type is discord.InteractionType.application_command:
            await interaction.client.remember(Request(interaction))
        return True

    async def on_error(self, interaction: discord.Interaction[Trigon], error: app_commands.AppCommandError, /) -> None:
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error

        async def fail() -> None:
            raise cause

        if interaction.type is discord.InteractionType.autocomplete:
            log.error("autocomplete failed", exc_info=cause)
        else:
            await interaction.client.guard(Request(interaction), fail)
