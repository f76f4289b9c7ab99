"""The discord.py client: loads the cogs, hands them presses, guards every answer. It knows nothing of any one game."""

from __future__ import annotations

import asyncio
import hashlib
import pkgutil
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot import panel
from bot.agreements import Agreements
from bot.cog import Cog, GameCog
from bot.config import HOUSE_PAUSE
from bot.delivery import Delivery, Undelivered
from bot.face import Face
from bot.house_players import HousePlayers, Pool, Thinker
from bot.houses import Houses
from bot.letters import Letters, Sleep
from bot.log import log_of, reference
from bot.page import Address, Control, Page
from bot.permissions import missing_for_table, missing_for_thread
from bot.refusals import sentence
from bot.render import fonts
from bot.request import Request
from bot.showing import Showing
from bot.store import Store
from bot.tables import NoSuchTable, Table, Tables
from bot.timers import Timers
from bot.words import Translator
from rules.game import Refusal, Value

log = log_of(__name__)

discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # nobody speaks here

COGS = Path(__file__).resolve().parent.parent / "cogs"

CATCHING_UP = 60.0
"""Seconds between two looks for tables that are behind."""
SOON = 5.0
"""Seconds after which what has failed in the background is begun anew."""
CLOSING = 8.0
"""Seconds that what is under way may take when the bot is stopped."""
MISSED = timedelta(minutes=5)
"""Tables are told of an absence that was longer."""
SERVER_KEPT = timedelta(days=30)
"""How long the tables of a server that removed the bot are kept."""
MOST_REMEMBERED = 10_000
"""People of whom it is known, without asking the store, that it has their newest name and language."""


class Trigon(commands.AutoShardedBot):
    """The bot. Stateless but for its connections: everything that matters is in the store."""

    def __init__(
        self,
        store: Store,
        tables: Tables,
        sleep: Sleep = asyncio.sleep,
        thinker: Thinker | None = None,
        house_pause: float = HOUSE_PAUSE,
        **connection: Any,
    ) -> None:
        """`sleep` waits where people are given time; `thinker` answers for house players: a pool of processes if None.
        `house_pause`: the seconds that one of them takes for a move at the least."""
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
        self.agreements = Agreements(tables)
        self.showing = Showing(store, tables, self.delivery, self.faces, self.houses, self.letters, self.agreements)
        self.timers = Timers(
            store, tables, self.agreements, self.houses, self.delivery, self.letters, self.showing.show
        )
        self.house_players = HousePlayers(store, tables, self.showing.show, thinker or Pool(), house_pause, sleep)
        self._background: list[asyncio.Task[None]] = []
        self._answering: set[asyncio.Task[Any]] = set()
        self._closing = asyncio.Event()
        self._servers_known = asyncio.Event()
        self.caught_up = asyncio.Event()
        """Set once everything that was behind at the start has been shown, and what is no longer kept is gone."""
        self._remembered: dict[int, tuple[str, str]] = {}

    async def setup_hook(self) -> None:
        await self.tree.set_translator(Translator())
        self.add_dynamic_items(Control)
        await self.load_cogs()
        await self.synchronise()
        self._background = [
            asyncio.create_task(self._never_give_up(work)) for work in (self._catch_up, self._keep_time)
        ]

    async def load_cogs(self) -> None:
        """Every module in the folder of cogs is one."""
        for module in pkgutil.iter_modules([str(COGS)]):
            await self.load_extension(f"{COGS.name}.{module.name}")

    async def synchronise(self) -> None:
        """Tell Discord the commands, where they differ from those it was last told."""
        commands = await self.payload()
        digest = hashlib.sha256(f"{self.application_id} {commands}".encode()).hexdigest()
        known = {command.name for command in await self.tree.fetch_commands()}
        if await self.store.note("commands") == digest and known == {command["name"] for command in commands}:
            return
        await self.tree.sync()
        await self.store.keep_note("commands", digest)
        log.info("commands synchronised", commands=len(commands))

    async def payload(self) -> list[dict[str, Any]]:
        """The commands as Discord is told them, translations included."""
        translator = self.tree.translator
        return [
            await command.get_translated_payload(self.tree, translator) if translator else command.to_dict(self.tree)
            for command in self.tree._get_all_commands()
        ]

    async def close(self) -> None:
        """Finish what is under way, refusing what is new, then part from Discord and the store."""
        self._closing.set()
        self.timers.stop()
        self.house_players.stop()
        if not self.is_ready():  # what waits for that would wait for ever
            for task in self._background:
                task.cancel()
        thinking = asyncio.create_task(self.house_players.close())
        # Nothing is cancelled that may be in the middle of storing or showing.
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSING):
                while under_way := self._under_way():
                    await asyncio.wait(under_way)
        await thinking
        await super().close()
        await self.store.close()

    def _under_way(self) -> list[asyncio.Task[Any]]:
        own = asyncio.current_task()
        tasks = (*self._background, *self._answering, *self.house_players.under_way)
        return [task for task in tasks if task is not own and not task.done()]

    async def add_cog(self, cog: commands.Cog, /, **options: Any) -> None:
        if isinstance(cog, GameCog):
            self.faces[cog.face.game.key] = cog.face
        await super().add_cog(cog, **options)

    async def _never_give_up(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do something that has no end; where it fails, a database being out of order say, it begins anew soon."""
        while not self._closing.is_set():
            try:
                await work()
            except Exception:
                log.exception("background work failed")
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._closing.wait(), SOON)

    async def _catch_up(self) -> None:
        """Show what was behind at the start, and whatever falls behind later."""
        await asyncio.to_thread(fonts.load)
        await self.wait_until_ready()
        await self.compare_servers()
        self._servers_known.set()
        last_alive = await self.store.mark("alive", self.tables.clock())
        while not self._closing.is_set():
            await self.showing.catch_up()
            await self.house_players.take_up()
            if not self.caught_up.is_set():
                await self.tell_of_absence(last_alive)
            await self.store.mark("alive", self.tables.clock())
            await self.store.forget_servers(self.tables.clock() - SERVER_KEPT)
            self.caught_up.set()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), CATCHING_UP)

    async def _keep_time(self) -> None:
        await self._servers_known.wait()
        await self.timers.run()

    async def tell_of_absence(self, before: datetime | None) -> None:
        """Tables that the bot has missed for more than a few minutes get one line; `before`: when it was last there."""
        if before is None or self.tables.clock() - before < MISSED:
            return
        for number in await self.store.tables_in_play():
            if self._closing.is_set():
                return
            table = await self.tables.table(number)
            words = await self.houses.words(table.place.server)
            since = f"<t:{int(before.timestamp())}:f>"
            text = words("I was away since {since} and am back. Nothing was lost.", since=since)
            try:
                await self.delivery.send(
                    table.place.here, Page(f"-# {text}"), f"{number}.back.{int(before.timestamp())}"
                )
            except Undelivered as failure:
                log.info("absence not told", table=number, reason=failure.reason.value)

    async def compare_servers(self) -> None:
        """Note which servers removed the bot, or have it again, while it was not there to hear of it."""
        here = {guild.id for guild in self.guilds}
        for server, left in (await self.store.known_servers()).items():
            if left and server in here:
                await self.store.mark_left(server, None)
            elif not left and server not in here:
                await self.left_server(server)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        await self.store.mark_left(guild.id, None)
        await self.greet(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        await self.left_server(guild.id)

    async def left_server(self, server: int) -> None:
        """Nobody there can play now: what is kept waits, for a while."""
        await self.store.mark_left(server, self.tables.clock())
        for number in await self.store.tables_in_play(server):
            await self.agreements.hold(number)

    async def greet(self, guild: discord.Guild) -> None:
        """Say hello once, where the bot may write: in the system channel, else the first one that it can."""
        places = [channel for channel in (guild.system_channel, *guild.text_channels) if channel is not None]
        open_to_us = [channel for channel in places if channel.permissions_for(guild.me).send_messages]
        if not open_to_us or not await self.store.greet(guild.id, self.tables.clock()):
            return
        words = await self.houses.words(guild.id)
        games = words.series(f"`/{key} new`" for key in self.faces)
        text = words(
            "### Hello!\nI host tabletop games in this server's channels. Open a table with {games}; others join by a "
            "button. `/help` tells more, and admins set the rules of the house with `/settings`.",
            games=games,
        )
        try:
            await self.delivery.send(open_to_us[0].id, Page(text))
        except Undelivered as failure:
            log.info("greeting not delivered", reason=failure.reason.value)

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
        if address.table:
            request.table = await self.tables.table(address.table)
        await self._handler(address, request.table)(request)

    def _handler(self, address: Address, table: Table | None) -> Callable[[Request], Awaitable[None]]:
        """The method that answers an address: the game's own cog comes before the shared ones."""
        game = table.game.key if table else None
        ours = [cog for cog in self.cogs.values() if isinstance(cog, Cog)]
        own = [cog for cog in ours if isinstance(cog, GameCog) and cog.face.game.key == game]
        for cog in own + [cog for cog in ours if not isinstance(cog, GameCog)]:
            if address.verb in cog.controls:
                return cog.controls[address.verb]
        raise NoSuchTable(table=address.table)

    async def guard(self, request: Request, answer: Callable[[], Awaitable[None]]) -> None:
        """Run an answer; whatever goes wrong, the person gets a private sentence and the table stays playable."""
        task = asyncio.current_task()
        assert task is not None
        self._answering.add(task)
        in_time = asyncio.create_task(request.acknowledge_in_time())
        try:
            if self._closing.is_set():
                raise Closing
            await answer()
        except Refusal as refusal:
            await self._tell(request, sentence(refusal, request.words, self._face_for(request)))
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
        finally:
            in_time.cancel()
            self._answering.discard(task)

    async def _tell(self, request: Request, text: str) -> None:
        try:
            await request.tell(text)
        except Undelivered as failure:
            log.warning("answer not delivered", reason=failure.reason.value)

    def _face_for(self, request: Request) -> Face | None:
        if request.address is not None:
            return self.face(request.table) if request.table else None
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

    async def forget(self, person: int) -> None:
        """Delete what is kept of a person who sits at no table in play any more."""
        self._remembered.pop(person, None)
        await self.store.forget_person(person)

    # -- What every game does alike --

    def face(self, table: Table) -> Face:
        """The face of a table's game."""
        return self.faces[table.game.key]

    async def table_of(self, request: Request) -> Table:
        """The table whose control was pressed."""
        if request.table is None:
            raise NoSuchTable
        return request.table

    async def open_table(
        self,
        request: Request,
        face: Face,
        chosen: Mapping[str, Value],
        given: Mapping[str, Any],
        level: str | None = None,
    ) -> None:
        """Open a lobby as the answer to a command, where the server's settings and the bot's permissions allow it.

        With a `level`, house players of that level take the seats that are needed, and the game begins.
        """
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
        late = request.interaction.response.is_done()
        await self.showing.show(table.id, None if late else request)
        if not no_thread and (
            late or request.interaction.response.type is discord.InteractionResponseType.deferred_channel_message
        ):
            await request.tell(request.words("Table {number} is open.", number=table.id))
        if level is not None:
            await self._begin_with_the_house(table, level)

    async def _begin_with_the_house(self, table: Table, level: str) -> None:
        while len(table.seats) < table.playable[0]:
            table = await self.tables.add_house_player(table.id, table.row.opener, level)
        await self.tables.start(table.id, table.row.opener)
        await self.showing.show(table.id)

    async def show_rules(self, request: Request, face: Face, number: str = "") -> None:
        """A page of a game's rules to this person, without a table: as new ones on this server play them."""
        house, words = await self.houses.house(request.place.server), request.words
        options, key = house.options(face.game, {}), face.game.key
        await request.show(
            *panel.rules_page(
                face,
                options,
                words,
                words("New tables here"),
                number,
                lambda other: Address(0, 0, "house_rules", f"{key}.{other}"),
            )
        )

    async def act(self, request: Request, table: Table, action: object) -> Table:
        """Play an action for the person who pressed or typed it. Shown by the caller after the press is answered."""
        table = await self.tables.act(table.id, request.person.id, request.turn, action, table)
        log.info("action played", table=table.id, turn=table.turn)
        return table


class Closing(Refusal):
    """The bot is being stopped, and starts again in a moment."""

    code = "closing"

    def __init__(self) -> None:
        super().__init__("closing")


class Tree(app_commands.CommandTree[Trigon]):
    """Commands are guarded like presses."""

    async def _call(self, interaction: discord.Interaction[Trigon]) -> None:
        if interaction.type is discord.InteractionType.autocomplete:
            await super()._call(interaction)
        else:
            call = super()._call
            await interaction.client.guard(Request(interaction), lambda: call(interaction))

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
