"""The bot without Discord: people press, type and ask it what it would offer, and all that it says is written down.

Everything is the real bot's but the connection: a `Play` keeps one table in a real store, puts any state into it, and
stops short of changing it: what would be played is written down instead.
"""

from __future__ import annotations

import hashlib
import json
import logging
import random
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import discord
from discord import app_commands

from bot.client import Trigon
from bot.cog import GameCog
from bot.page import Page
from bot.request import Request
from bot.store import ActionRow, SeatRow, Store, TableRow
from bot.tables import Person, Place, Table, Tables
from rules.game import Game, from_json, to_json

SERVER, CHANNEL = 1, 2
STRANGER = 999
"""Somebody without a seat."""


class Accepted(BaseException):
    """The bot would have changed the table: an action was taken. Goes through every `except Exception`."""


class Answers:
    """Stands for `interaction.response` and `.followup`: what the bot answers, as Discord would be sent it."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.controls: list[tuple[str, tuple[str, ...]]] = []
        self.form: dict[str, Any] | None = None

    def is_done(self) -> bool:
        return bool(self.said)

    async def send_message(self, **message: Any) -> Any:
        self._write(message)
        return SimpleNamespace(message_id=1)

    async def send(self, **message: Any) -> None:
        self._write(message)

    async def edit_message(self, **message: Any) -> None:
        self._write(message)

    async def defer(self, **_: Any) -> None:
        self.said.append("deferred")

    async def send_modal(self, modal: discord.ui.Modal) -> None:
        self.form = dict(modal.to_dict())
        self.said.append(json.dumps(self.form, ensure_ascii=False))

    def _write(self, message: Mapping[str, Any]) -> None:
        view: discord.ui.LayoutView = message["view"]
        files = message.get("files") or message.get("attachments") or []
        self.said.append(written(view, files))
        self.said.append(f"private: {message.get('ephemeral')}")
        self.controls = controls_of(components_of(view))


def written(view: discord.ui.LayoutView, files: Sequence[discord.File]) -> str:
    """A message's components and files, as one text."""
    sent = {file.filename: hashlib.sha256(file.fp.read()).hexdigest() for file in files}
    return json.dumps([components_of(view), sent], ensure_ascii=False)


def page_written(page: Page) -> str:
    """A page as it would be sent."""
    return written(page.layout(), page.files())


def components_of(view: discord.ui.LayoutView) -> list[dict[str, Any]]:
    """A message's components as they are sent."""
    made: list[dict[str, Any]] = view.to_components()  # type: ignore[no-untyped-call]
    return made


def controls_on(page: Page) -> list[tuple[str, tuple[str, ...]]]:
    """The controls of a page."""
    return controls_of(components_of(page.layout()))


def controls_of(components: Any) -> list[tuple[str, tuple[str, ...]]]:
    """The custom_id of every control and, of a menu, its values."""
    found = []
    for component in components:
        if "custom_id" in component and not component.get("disabled"):
            values = tuple(option["value"] for option in component.get("options", ()))
            found.append((component["custom_id"], values))
        found += controls_of(component.get("components", ()))
    return found


@dataclass(frozen=True)
class Said:
    """What one act led to."""

    lines: tuple[str, ...]
    controls: tuple[tuple[str, tuple[str, ...]], ...] = ()
    form: dict[str, Any] | None = None


class Play:
    """One table whose state is put there from outside."""

    def __init__(self, bot: Trigon, table: Table) -> None:
        self.bot = bot
        self.number = table.id
        self.people = table.people
        self.permissions = discord.Permissions.none()
        """What everybody may do."""
        self._interactions = 0
        self._accepted: list[str] = []
        self._table = table
        self._actions: Sequence[ActionRow] = ()
        bot.store.change_table = self._accept  # type: ignore[method-assign]
        bot.store.table = self._table_put  # type: ignore[assignment, method-assign]
        bot.store.actions = self._actions_put  # type: ignore[assignment, method-assign]
        self._drafts: dict[tuple[int, int], Mapping[str, str]] = {}
        bot.store.draft = self._draft  # type: ignore[method-assign]
        bot.store.keep_draft = self._keep_draft  # type: ignore[method-assign]

    async def _accept(
        self, table: int, turn: int, values: Any, seated: Any = None, action: Any = None, *_: Any, **__: Any
    ) -> None:
        self._accepted.append(f"accepted: {action and (action.kind, action.action)}")
        raise Accepted

    async def _table_put(self, number: int) -> tuple[TableRow, tuple[SeatRow, ...]] | None:
        return (self._table.row, self._table.seats) if number == self.number else None

    async def _actions_put(self, number: int, last: int | None = None) -> tuple[ActionRow, ...]:
        return tuple(self._actions[-last:] if last else self._actions)

    async def _draft(self, table: int, person: int) -> Mapping[str, str]:
        return self._drafts.get((table, person), {})

    async def _keep_draft(self, table: int, person: int, fields: Mapping[str, str]) -> None:
        self._drafts[table, person] = fields

    def put(
        self,
        state: Any,
        deal: Any,
        turn: int,
        seat_turns: Sequence[int],
        actions: Sequence[ActionRow],
        **others: Any,
    ) -> Table:
        """Make this the table's state, with these last actions; `others` are more fields of its row.

        It is read as if it were stored: to store it in earnest would take most of the time.
        """
        values: dict[str, Any] = {
            "state": to_json(state),
            "deal": to_json(deal),
            "turn": turn,
            "seat_turns": list(seat_turns),
        }
        self._table = Table(replace(self._table.row, **values | others), self._table.seats)
        self._actions = actions
        return self._table

    # -- What people do --

    def start_over(self) -> None:
        """Interactions are numbered from the start again, and nothing that was typed is kept any more."""
        self._interactions = 0
        self._drafts.clear()

    async def press(self, person: int, custom_id: str, values: Sequence[str] = ()) -> Said:
        """Press a control, or choose in a menu, on a private answer."""
        interaction = self._interaction(person, {"custom_id": custom_id, "values": list(values)})
        interaction.message = SimpleNamespace(id=5, flags=SimpleNamespace(ephemeral=True))
        return await self._said(interaction, lambda: self.bot.attend(interaction))

    async def submit(self, person: int, form: Mapping[str, Any], rng: random.Random) -> Said:
        """Send a form, filled in at random."""
        data = {"custom_id": form["custom_id"], "components": [_filled(top, rng) for top in form["components"]]}
        interaction = self._interaction(person, data)
        return await self._said(interaction, lambda: self.bot.attend(interaction))

    async def type(self, person: int, cog: GameCog, command: app_commands.Command[Any, Any, Any], **given: Any) -> Said:
        """Use a command."""
        interaction = self._interaction(person, {})
        interaction.command = command
        request = Request(interaction)
        callback: Any = command.callback
        return await self._said(
            interaction, lambda: self.bot.guard(request, lambda: callback(cog, interaction, **given))
        )

    async def offered(
        self, person: int, command: app_commands.Command[Any, Any, Any], option: str, typed: str, **given: Any
    ) -> list[str]:
        """What an option of a command offers while it is typed."""
        interaction = self._interaction(person, {})
        interaction.command = command
        empty = dict.fromkeys(command._params)
        interaction.namespace = SimpleNamespace(**empty | given)
        complete: Any = command._params[option].autocomplete
        bound = getattr(complete, "pass_command_binding", False)
        choices = await (complete(command.binding, interaction, typed) if bound else complete(interaction, typed))
        return [f"{choice.name}={choice.value}" for choice in choices]

    def _interaction(self, person: int, data: Mapping[str, Any]) -> Any:
        self._interactions += 1
        answers = Answers()
        return SimpleNamespace(
            id=self._interactions,
            extras={},
            client=self.bot,
            user=SimpleNamespace(id=person, display_name=f"P{person}"),
            locale="en-GB",
            data=data,
            message=None,
            channel=None,
            channel_id=CHANNEL,
            guild_id=SERVER,
            command=None,
            response=answers,
            followup=answers,
            permissions=self.permissions,
        )

    async def _said(self, interaction: Any, act: Callable[[], Awaitable[None]]) -> Said:
        self._accepted.clear()
        with logged() as log, suppress(Accepted):
            await act()
        answers: Answers = interaction.response
        return Said((*answers.said, *self._accepted, *log), tuple(answers.controls), answers.form)


@contextmanager
def logged() -> Iterator[list[str]]:
    """All that is logged meanwhile, facts included."""
    lines: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(f"log: {record.getMessage()} {getattr(record, 'facts', '')} {record.exc_info or ''}")

    listener = Listener()
    tops = [logging.getLogger(name) for name in ("bot", "cogs", "rules")]
    levels = [top.level for top in tops]
    for top in tops:
        top.addHandler(listener)
        top.setLevel(logging.DEBUG)
    try:
        yield lines
    finally:
        for top, level in zip(tops, levels, strict=True):
            top.removeHandler(listener)
            top.setLevel(level)


def _filled(top: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    field = top.get("component") or top
    sent: dict[str, Any] = {"type": field["type"], "custom_id": field.get("custom_id", "")}
    if field.get("options"):
        sent["values"] = [rng.choice(field["options"])["value"]]
    elif field["type"] == discord.ComponentType.text_input.value:
        sent["value"] = rng.choice(["1", "8 6 3", "apple", "nonsense nobody wrote", field.get("value") or "2"])
    return {"type": top["type"], "component": sent} if "component" in top else sent


async def staged(url: str, game: Game[Any, Any], seats: int, options: Any, rng: random.Random) -> tuple[Play, Table]:
    """The bot with the cogs concerned and one table at the start of a game, people 11, 12, … at it."""
    store = await Store.open(url)
    bot = Trigon(store, Tables(store, rng=rng))
    for module in ("tables", game.key):
        await bot.load_extension(f"cogs.{module}")
    people = [Person(11 + seat, f"P{11 + seat}") for seat in range(seats)]
    table = await bot.tables.open(game, Place(SERVER, CHANNEL), people[0], options, {}, {})
    for person in people[1:]:
        table = await bot.tables.join(table.id, person)
    table = await bot.tables.start(table.id, people[0].id)
    for person in (*people, Person(STRANGER, "P999")):
        await store.remember_person(person.id, person.name, "en-GB")
    return Play(bot, table), table


def cog_of(bot: Trigon, game: Game[Any, Any]) -> GameCog:
    """The game's cog."""
    return next(cog for cog in bot.cogs.values() if isinstance(cog, GameCog) and cog.face.game.key == game.key)


def known_to(seat: int | None, action: ActionRow, game: Game[Any, Any]) -> ActionRow:
    """A stored action as far as a viewer may know it: others' actions and what only others were told is left out."""
    events = from_json(action.events, tuple[game.Event, ...])  # type: ignore[name-defined]
    known = tuple(event for event in events if event.audience() is None or seat in event.audience())
    own = action.action if action.seat == seat else None
    return ActionRow(action.turn, action.seat, action.kind, own, to_json(known), action.at)
