"""`/settings`: what a server's admins set, in one private panel; and what everybody sees of it with `/house`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import discord
from discord import app_commands

from bot import panel
from bot.client import Trigon
from bot.cog import Cog, control
from bot.houses import House, HouseRefusal
from bot.page import (
    BLUE,
    GREEN,
    MOST_OPTIONS,
    Address,
    Button,
    Field,
    Form,
    Menu,
    Option,
    Page,
    Row,
    ServerMenu,
)
from bot.refusals import sentence
from bot.request import Request
from bot.settings_file import read_settings_file, settings_file
from bot.words import Words
from rules import GAMES
from rules.game import BadOption, Options, Value, Variant, translatable, value_text

HOUSE = "house"
"""The room of the server's own settings, beside those of the games."""
LOGGED = 15
"""Changes shown in the log."""
BUTTONS = 4
"""Values that are offered as buttons; more are a menu."""


def _address(verb: str, argument: str = "") -> Address:
    return Address(0, 0, verb, argument)


class SettingsCog(Cog, name="settings"):
    """The panel for admins, and `/house` for everybody."""

    @app_commands.command(name="settings", description=translatable("Set the rules of this server (for its admins)"))
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_guild=True)
    async def settings(self, interaction: discord.Interaction[Trigon]) -> None:
        request = Request(interaction)
        await request.say(self._home(request, await self._house(request)))

    @app_commands.command(name="house", description=translatable("What is set on this server, in words"))
    @app_commands.guild_only()
    async def house(self, interaction: discord.Interaction[Trigon]) -> None:
        request = Request(interaction)
        await request.say(await self._house_page(request, HOUSE))

    # -- For everybody --

    @control("house")
    async def house_room(self, request: Request) -> None:
        """Another page of `/house`."""
        await request.say(await self._house_page(request, request.choice))

    async def _house_page(self, request: Request, room: str) -> Page:
        words, house = request.words, await self.bot.houses.house(request.place.server)
        lines = [words("### The rules of this house")] if room == HOUSE else [f"### {self._room_title(room, words)}"]
        for name, variant in _variants(room).items():
            value = panel.value_label(_options(house, room), name, words)
            lines.append(f"**{words(variant.title)}: {value}**\n-# {words(variant.sentence)}")
        if room == HOUSE:
            lines += self._lists(house, words)
        others = tuple(
            Option(self._room_title(other, words), other, chosen=other == room)
            for other in (HOUSE, *self._offered(house))
        )
        menu = Menu(words("Show …"), _address("house", room), others)
        return Page("\n".join(lines), rows=(menu,))

    def _room_title(self, room: str, words: Words) -> str:
        return words("This server") if room == HOUSE else words(self.bot.faces[room].title)

    def _offered(self, house: House) -> list[str]:
        return [key for key in self.bot.faces if key not in house.without]

    def _lists(self, house: House, words: Words) -> list[str]:
        channels = words.series(f"<#{channel}>" for channel in house.channels) or words("everywhere")
        openers = words.series(f"<@&{role}>" for role in house.openers) or words("everybody")
        games = words.series(words(self.bot.faces[key].title) for key in self._offered(house))
        return [
            words("**Tables may be opened in:** {channels}", channels=channels),
            words("**Who may open tables:** {openers}", openers=openers),
            words("**Games:** {games}", games=games),
        ]

    # -- The panel --

    async def _house(self, request: Request) -> House:
        """The settings, for an admin; raises `HouseRefusal` not_admin for everybody else, whatever Discord let by."""
        if request.place.server is None or not request.is_admin:
            raise HouseRefusal("not_admin")
        return await self.bot.houses.house(request.place.server)

    @control("settings")
    async def home(self, request: Request) -> None:
        """Back to the first page."""
        await request.say(self._home(request, await self._house(request)))

    def _home(self, request: Request, house: House) -> Page:
        words = request.words
        lines = [words("### Settings of this server")]
        for name, variant in House.variants().items():
            lines.append(f"**{words(variant.title)}:** {panel.value_label(house, name, words)}")
        lines += self._lists(house, words)
        changed = [key for key, face in self.bot.faces.items() if house.values(face.game)]
        if changed:
            titles = words.series(words(self.bot.faces[key].title) for key in changed)
            lines.append(words("**Games with rules of this house:** {games}", games=titles))
        server = tuple(Option(words(variant.title), name) for name, variant in House.variants().items())
        lists = (
            Option(words("Channels"), "channels"),
            Option(words("Who may open tables"), "openers"),
            Option(words("Games"), "without"),
        )
        games = tuple(Option(words(face.title), key, emoji=face.icon) for key, face in self.bot.faces.items())
        rows: tuple[Row, ...] = (
            Menu(words("Set something for the server"), _address("set_house"), (*server, *lists)),
            Menu(words("Set the rules of a game"), _address("set_game"), games),
            [
                Button(words("Changes so far"), _address("settings_log")),
                Button(words("Export"), _address("settings_export")),
                Button(words("Import"), _address("ask_import")),
            ],
        )
        return Page("\n".join(lines), rows=rows)

    @control("set_house")
    async def set_house(self, request: Request) -> None:
        """One of the server's settings."""
        house, name = await self._house(request), request.choice
        lists = {"channels": self._channels_page, "openers": self._openers_page, "without": self._games_page}
        if name in lists:
            await request.say(lists[name](request, house))
        else:
            await request.say(self._variant_page(request, house, HOUSE, name))

    @control("set_game")
    async def set_game(self, request: Request) -> None:
        """The variants of one game."""
        house = await self._house(request)
        await request.say(self._game_page(request, house, request.choice))

    def _game_page(self, request: Request, house: House, room: str) -> Page:
        words = request.words
        lines = [words("### Rules of {game} on this server", game=words(self.bot.faces[room].title))]
        for name, variant in _variants(room).items():
            fixed = words(" · always") if name in house.fixed.get(room, ()) else ""
            lines.append(f"**{words(variant.title)}:** {panel.value_label(_options(house, room), name, words)}{fixed}")
        options = tuple(Option(words(variant.title), f"{room}.{name}") for name, variant in _variants(room).items())
        rows = (Menu(words("Which rule?"), _address("set_variant", room), options), [_back(words)])
        return Page("\n".join(lines), rows=rows)

    @control("set_variant")
    async def set_variant(self, request: Request) -> None:
        """One variant of a game."""
        room, name = request.choice.split(".")
        await request.say(self._variant_page(request, await self._house(request), room, name))

    def _variant_page(self, request: Request, house: House, room: str, name: str) -> Page:
        words, variant, options = request.words, _variants(room)[name], _options(house, room)
        key = f"{room}.{name}"
        lines = [
            f"### {words(variant.title)}",
            words(variant.sentence),
            words("**Now:** {value}", value=panel.value_label(options, name, words)),
            words("**Usually:** {value}", value=panel.value_label(type(options)(), name, words)),
        ]
        rows: list[Row] = [*_value_rows(options, name, key, words)]
        last = [Button(words("Back to the usual"), _address("reset_value", key))]
        if room != HOUSE:
            fixed = name in house.fixed.get(room, ())
            lines.append(
                words("Openers of a table cannot choose otherwise.")
                if fixed
                else words("Openers of a table may choose otherwise.")
            )
            label = words("Let openers choose") if fixed else words("Same for everybody")
            last.append(Button(label, _address("fix_value", f"{key}={value_text(not fixed)}")))
        last.append(Button(words("Back"), _address("settings") if room == HOUSE else _address("set_game", room)))
        return Page("\n".join(lines), rows=(*rows, last))

    @control("set_value")
    async def set_value(self, request: Request) -> None:
        """The value chosen by button or menu."""
        key, _, value = request.choice.partition("=")
        await self._set(request, key, value)

    @control("ask_value")
    async def ask_value(self, request: Request) -> None:
        """A form for a number."""
        await self._house(request)
        room, name = request.argument.split(".")
        words, variant = request.words, _variants(room)[name]
        numbers = variant.numbers or range(0)
        label = words("A number from {least} to {most}", least=numbers[0], most=numbers[-1])
        form = Form(words(variant.title), _address("typed_value", request.argument), (Field("value", label, least=1),))
        await request.ask(form)

    @control("typed_value")
    async def typed_value(self, request: Request) -> None:
        """The number written; where it cannot be, the page comes again with a sentence about it."""
        try:
            await self._set(request, request.argument, request.fields["value"])
        except BadOption as refusal:
            room, name = request.argument.split(".")
            page = self._variant_page(request, await self._house(request), room, name)
            await request.say(replace(page, text=f"{sentence(refusal, request.words, None)}\n{page.text}"))

    async def _set(self, request: Request, key: str, text: str) -> None:
        await self._house(request)
        room, name = key.split(".")
        value = getattr(_kind(room).of({name: text}), name)
        server = request.place.server or 0
        if room == HOUSE:
            house = await self.bot.houses.set(server, request.person, {name: value})
        else:
            house = await self.bot.houses.set_variant(server, request.person, GAMES[room], name, value)
        await request.say(self._variant_page(request, house, room, name))

    @control("reset_value")
    async def reset_value(self, request: Request) -> None:
        """Back to the usual value."""
        await self._house(request)
        room, name = request.argument.split(".")
        server = request.place.server or 0
        if room == HOUSE:
            house = await self.bot.houses.set(server, request.person, {name: House.default(name)})
        else:
            house = await self.bot.houses.set_variant(server, request.person, GAMES[room], name, None)
        await request.say(self._variant_page(request, house, room, name))

    @control("fix_value")
    async def fix_value(self, request: Request) -> None:
        """Whether openers may choose otherwise."""
        await self._house(request)
        key, _, fixed = request.argument.partition("=")
        room, name = key.split(".")
        server = request.place.server or 0
        house = await self.bot.houses.fix_variant(server, request.person, GAMES[room], name, fixed == "on")
        await request.say(self._variant_page(request, house, room, name))

    # -- Lists: channels, roles, games --

    def _channels_page(self, request: Request, house: House) -> Page:
        words = request.words
        text = words("### Channels\nWhere may tables be opened? Threads of a channel count as the channel.")
        menu = ServerMenu("channels", words("Only in …"), _address("set_channels"), 1, MOST_OPTIONS, house.channels)
        return Page(
            text, rows=(menu, [Button(words("Everywhere"), _address("set_channels", "all"), GREEN), _back(words)])
        )

    def _openers_page(self, request: Request, house: House) -> Page:
        words = request.words
        text = words("### Who may open tables\nAdmins always may, and everybody may join.")
        menu = ServerMenu("roles", words("Only …"), _address("set_openers"), 1, MOST_OPTIONS, house.openers)
        return Page(
            text, rows=(menu, [Button(words("Everybody"), _address("set_openers", "all"), GREEN), _back(words)])
        )

    def _games_page(self, request: Request, house: House) -> Page:
        words = request.words
        options = tuple(
            Option(words(face.title), key, emoji=face.icon, chosen=key not in house.without)
            for key, face in self.bot.faces.items()
        )
        text = words("### Games\nWhich games can be played here?")
        menu = Menu(words("Games offered"), _address("set_games"), options, 1, len(options))
        return Page(text, rows=(menu, [_back(words)]))

    @control("set_channels")
    async def set_channels(self, request: Request) -> None:
        """Where tables may be opened; nothing chosen: everywhere."""
        await self._set_list(request, "channels", tuple(int(channel) for channel in request.values))

    @control("set_openers")
    async def set_openers(self, request: Request) -> None:
        """Who may open tables; nothing chosen: everybody."""
        await self._set_list(request, "openers", tuple(int(role) for role in request.values))

    @control("set_games")
    async def set_games(self, request: Request) -> None:
        """Which games are offered."""
        await self._set_list(request, "without", tuple(key for key in self.bot.faces if key not in request.values))

    async def _set_list(self, request: Request, name: str, value: tuple[Any, ...]) -> None:
        await self._house(request)
        house = await self.bot.houses.set(request.place.server or 0, request.person, {name: value})
        await request.say(self._home(request, house))

    # -- Log, export, import --

    @control("settings_log")
    async def log(self, request: Request) -> None:
        """Who changed what and when."""
        await self._house(request)
        words = request.words
        changes = await self.bot.houses.changes(request.place.server or 0, LOGGED)
        lines = [
            f"<t:{int(change.at.timestamp())}:f> · {panel.plain(change.name)} · "
            f"`{change.setting}`{f' = `{change.value[:100]}`' if change.value else ''}"
            for change in changes
        ] or [words("Nothing has been changed yet.")]
        await request.say(Page("\n".join([words("### Changes so far"), *lines]), rows=([_back(words)],)))

    @control("settings_export")
    async def export(self, request: Request) -> None:
        """All settings as a file."""
        file = settings_file(await self._house(request))
        await request.say(
            Page(request.words("All settings of this server."), rows=([_back(request.words)],), file=file)
        )

    @control("ask_import")
    async def ask_import(self, request: Request) -> None:
        """A form for such a file."""
        await self._house(request)
        words = request.words
        field = Field("file", words("File"), words("One that Export has made"), least=1, upload=True)
        await request.ask(Form(words("Import settings"), _address("import"), (field,)))

    @control("import")
    async def import_file(self, request: Request) -> None:
        """Set everything as the file says, or name all its mistakes."""
        await self._house(request)
        guild = request.interaction.guild
        known = {channel.id for channel in guild.channels} | {role.id for role in guild.roles} if guild else set()
        settings, mistakes = await read_settings_file(request.uploads, known, request.words)
        if mistakes:
            text = "\n".join([request.words("Nothing was changed. The file has mistakes:"), *mistakes])
            await request.say(Page(text, rows=([_back(request.words)],)))
            return
        house = await self.bot.houses.replace(request.place.server or 0, request.person, settings)
        await request.say(self._home(request, house))


def _kind(room: str) -> type[Options]:
    return House if room == HOUSE else GAMES[room].Options


def _variants(room: str) -> dict[str, Variant]:
    return _kind(room).variants()


def _options(house: House, room: str) -> Options:
    """What is set in a room: the house itself, or the options that its values make for a game."""
    return house if room == HOUSE else GAMES[room].Options.of(house.values(GAMES[room]))


def _back(words: Words) -> Button:
    return Button(words("Back"), _address("settings"))


def _value_rows(options: Options, name: str, key: str, words: Words) -> Iterator[Row]:
    """Buttons for few values, a menu for more, and a form for more numbers than a menu holds."""
    variant, now = options.variants()[name], getattr(options, name)
    numbers: Sequence[int] = variant.numbers or ()
    few = len(variant.choices) + len(numbers)
    values: list[Value] = [*variant.choices, *(numbers if few <= MOST_OPTIONS else ())]
    labels = [
        (f"{key}={value_text(value)}", words(variant.choices.get(value, "")) or value_text(value)) for value in values
    ]
    chosen = f"{key}={value_text(now)}"
    if 0 < len(values) <= BUTTONS:
        yield [Button(label, _address("set_value", value), BLUE, disabled=value == chosen) for value, label in labels]
    elif values:
        options_ = tuple(Option(label, value, chosen=value == chosen) for value, label in labels)
        yield Menu(words("Which value?"), _address("set_value", chosen), options_)
    if few > MOST_OPTIONS:
        yield [Button(words("Type a number"), _address("ask_value", key), BLUE)]


async def setup(bot: Trigon) -> None:
    await bot.add_cog(SettingsCog(bot))
