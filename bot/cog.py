"""What all cogs share: controls found by their verb, and, for a game's cog, its face and the command `new`."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import discord
from discord import app_commands
from discord.ext import commands

from bot import panel
from bot.face import Face, Told
from bot.page import Button, Page
from bot.refusals import sentence
from bot.request import Request
from bot.tables import Table
from rules.game import Level, Refusal, Value, Variant, translatable, value_text

if TYPE_CHECKING:
    from bot.client import Trigon

Handler = Callable[[Any, Request], Awaitable[None]]
Handler_ = TypeVar("Handler_", bound=Handler)

TABLE = translatable("The table's number, where you play at several")
MOST_CHOICES = 25
"""Of one autocomplete list."""
NEW_TABLE = translatable("Open a table of {game}")
WITH_THE_HOUSE = translatable("Begin at once, against a house player of this level")
RULES_OF = translatable("The rules of {game}, as played on this server")
MOST_TYPED = 60
"""Characters of a refused text that its "Edit" button carries."""


def control(verb: str) -> Callable[[Handler_], Handler_]:
    """Marks the method of a cog that answers the controls and forms of this verb."""

    def mark(method: Handler_) -> Handler_:
        method.__verb__ = verb  # type: ignore[attr-defined]
        return method

    return mark


Command_ = TypeVar("Command_", bound=Callable[..., Any])


def at_table(**described: str) -> Callable[[Command_], Command_]:
    """Describes a command's options beside `table`, and offers for `table` the tables that can be meant."""

    def add(command: Command_) -> Command_:
        return app_commands.describe(**described, table=TABLE)(
            app_commands.autocomplete(table=tables_to_choose)(command)
        )

    return add


class Cog(commands.Cog):
    """A cog whose methods marked with `control` answer presses."""

    def __init__(self, bot: Trigon) -> None:
        self.bot = bot
        methods = [getattr(self, name) for name in dir(type(self))]
        self.controls: Mapping[str, Callable[[Request], Awaitable[None]]] = {
            method.__verb__: method for method in methods if hasattr(method, "__verb__")
        }


class GameCog(commands.GroupCog, Cog):
    """A game's cog: a group of commands named like the game, which has `new` with an option a variant."""

    face: ClassVar[Face]
    extras: ClassVar[Mapping[str, str]] = {}
    """Options of `new` that are no variants but texts for `given`: their names to translatable descriptions."""

    def __init__(self, bot: Trigon) -> None:
        super().__init__(bot)
        group = self.app_command
        assert isinstance(group, app_commands.Group)
        group.guild_only = True
        own = group.commands
        for command in own:
            group.remove_command(command.name)
        for command in (self._new(), self._rules(), *own):
            group.add_command(command)

    async def given(self, request: Request, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Fields of the setup that a new table brings along, from the options of `new` that are not variants."""
        return {}

    async def complete_extra(self, request: Request, name: str, typed: str) -> list[app_commands.Choice[str]]:
        """What autocomplete offers for one of the `extras`."""
        return []

    async def table_meant(self, request: Request, number: int | None) -> Table:
        """The table that a typed command of this game means; raises `NoSuchTable`."""
        return await self.bot.tables.meant(request.place, request.person.id, self.face.game.key, number)

    async def acting(self, request: Request) -> tuple[Table, int]:
        """The table of the control pressed, and the person's seat there; refused where they may not act by it."""
        table = await self.bot.table_of(request)
        return table, self.bot.tables.check(table, request.person.id, request.turn)

    async def typing(self, interaction: discord.Interaction[Trigon]) -> tuple[Table, int] | None:
        """The table that a command being typed means, and the person's seat; None where they may not act there."""
        request = Request(interaction)
        try:
            table = await self.table_meant(request, interaction.namespace.table)
            return table, self.bot.tables.check(table, request.person.id, None)
        except Refusal:
            return None

    async def play(self, request: Request, table: Table, action: object) -> None:
        """Play an action or the text of one, tell the person so, and show the table."""
        seat = self.bot.tables.seat_at(table, request.person.id)
        await self.acted(request, await self.bot.act(request, table, action), seat)

    async def acted(self, request: Request, after: Table, seat: int) -> None:
        """Answer somebody whose action has led to this table, and show it meanwhile."""
        showing = asyncio.create_task(self.bot.showing.show(after.id))
        try:
            await self.tell_played(request, after, seat)
        finally:
            await showing

    async def tell_played(self, request: Request, after: Table, seat: int) -> None:
        """Tell somebody what their action, which has led to this table, did."""
        await request.tell(self._played(request, after, seat))

    async def play_typed(self, request: Request, verb: str, text: str) -> None:
        """Play what was written into a form; where it is refused the form can be opened again as it was.

        `verb` is that of the form, and `ask_` before it that of the button that opens it.
        """
        table = await self.bot.table_of(request)
        try:
            await self.play(request, table, text)
        except Refusal as refusal:
            words = request.words
            again = Button(words("Edit"), request.addresses(table)(f"ask_{verb}", text[:MOST_TYPED]))
            await request.say(Page(sentence(refusal, words, self.face), rows=([again],)))

    def _played(self, request: Request, table: Table, seat: int) -> str:
        """What the action that has just led to this table did, as the person at this seat may know it."""
        happened = table.happened
        assert happened is not None
        known = tuple(event for event in happened.events if seat in (event.audience() or (seat,)))
        told = Told(seat, happened.kind, happened.action, known)
        own = self.face.story(told, table.view(seat), request.words, panel.names_of(table, request.words))
        return own or request.words("Done.")

    def _new(self) -> app_commands.Command[Any, Any, Any]:
        """`new`, made from the game's variants: no game writes it anew."""
        game = self.face.game
        variants, levels = game.Options.variants(), game.Robot.LEVELS if game.Robot else {}

        async def new(interaction: discord.Interaction[Trigon], **values: Any) -> None:
            request = Request(interaction)
            chosen = {name: value for name, value in values.items() if value is not None and name in variants}
            given = await self.given(request, values)
            await self.bot.open_table(request, self.face, chosen, given, values.get("house"))

        options = {
            **({"house": (str, WITH_THE_HOUSE)} if levels else {}),
            **{name: (str, sentence) for name, sentence in self.extras.items()},
            **{name: (_annotation(variant), variant.sentence) for name, variant in variants.items()},
        }
        new.__signature__ = _signature({name: kind for name, (kind, _) in options.items()})  # type: ignore[attr-defined]
        app_commands.describe(**{name: sentence for name, (_, sentence) in options.items()})(new)
        app_commands.choices(**_choices(variants, levels))(new)
        callback: Any = new
        command: app_commands.Command[Any, Any, Any] = app_commands.Command(
            name="new", description=self._about(NEW_TABLE), callback=callback
        )
        for name, variant in variants.items():
            if variant.numbers is not None and variant.choices:
                command.autocomplete(name)(_values_of(variant))
        for name in self.extras:
            command.autocomplete(name)(self._extra(name))
        return command

    def _rules(self) -> app_commands.Command[Any, Any, Any]:
        """`rules`: the same pages as behind a table's button, for whoever has no table yet."""

        async def rules(interaction: discord.Interaction[Trigon]) -> None:
            await self.bot.show_rules(Request(interaction), self.face)

        callback: Any = rules
        return app_commands.Command(name="rules", description=self._about(RULES_OF), callback=callback)

    def _about(self, template: str) -> app_commands.locale_str:
        """A command's description that names the game."""
        english = template.format(game=self.face.title)
        return app_commands.locale_str(english, template=template, game=self.face.title)

    def _extra(self, name: str) -> Any:
        async def complete(interaction: discord.Interaction[Trigon], current: str) -> list[app_commands.Choice[str]]:
            return await self.complete_extra(Request(interaction), name, current)

        return complete


async def tables_to_choose(interaction: discord.Interaction[Trigon], current: str) -> list[app_commands.Choice[int]]:
    """Autocomplete of an option `table`: the person's tables of the command's game in this place."""
    cog = interaction.command.binding if isinstance(interaction.command, app_commands.Command) else None
    place, person = Request(interaction).place, interaction.user.id
    found = [
        table
        for number in await interaction.client.store.tables_at(place.here)
        if (table := await interaction.client.tables.table(number)).seat_of(person) is not None
        and isinstance(cog, GameCog)
        and table.game is cog.face.game
    ]
    return [
        app_commands.Choice(name=f"{table.id} · {', '.join(table.names)}"[:100], value=table.id)
        for table in found
        if current in str(table.id)
    ][:MOST_CHOICES]


def _signature(options: Mapping[str, Any]) -> inspect.Signature:
    """That of a command with these options, none of them required: discord.py reads options from signatures."""
    interaction = inspect.Parameter(
        "interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=discord.Interaction
    )
    others = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)
        for name, annotation in options.items()
    ]
    return inspect.Signature([interaction, *others])


def _choices(
    variants: Mapping[str, Variant], levels: Mapping[str, Level]
) -> dict[str, list[app_commands.Choice[str | int | float]]]:
    """What there is to choose from, of a house player's levels and of every variant without numbers."""
    found = {
        name: {value_text(value): _label(value, label) for value, label in variant.choices.items()}
        for name, variant in variants.items()
        if variant.numbers is None
    }
    if levels:
        found["house"] = {key: level.title for key, level in levels.items()}
    return {
        name: [app_commands.Choice(name=title, value=value) for value, title in choices.items()]
        for name, choices in found.items()
    }


def _annotation(variant: Variant) -> Any:
    if variant.numbers is not None and not variant.choices:
        return app_commands.Range[int, variant.numbers[0], variant.numbers[-1]]
    return str


def _label(value: Value, label: str) -> str:
    return label or value_text(value)


def _values_of(variant: Variant) -> Any:
    async def complete(interaction: discord.Interaction[Trigon], current: str) -> list[app_commands.Choice[str]]:
        values: list[Value] = [*variant.choices, *(variant.numbers or ())]
        words = Request(interaction).words
        labels = {value_text(value): words(variant.choices.get(value, "")) or value_text(value) for value in values}
        found = [(text, label) for text, label in labels.items() if current.lower() in (text + label).lower()]
        return [app_commands.Choice(name=label, value=text) for text, label in found[:MOST_CHOICES]]

    return complete
