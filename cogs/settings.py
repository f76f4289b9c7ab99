"""`/settings`: what a server's admins set, in one private panel; and what everybody sees of it with `/house`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import discord
import msgspec
from discord import app_commands

from bot import panel
from bot.client import Trigon
from bot.cog import Cog, control
from bot.houses import FIXED, IMPORT, House, HouseRefusal
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
from bot.store import FORMER, ChangeRow
from bot.words import Words
from rules import GAMES
from rules.game import BadOption, Game, Options, Refusal, Value, Variant, translatable, value_text

HOUSE = "house"
"""The room of the server's own settings, beside those of the games."""
WITHOUT = "without"
"""The setting that lists the games not offered."""
LOGGED = 10
"""Changes on one page of the log."""
NAMED = 5
"""Channels or roles named in one line."""
BUTTONS = 4
"""Values that are offered as buttons; more are a menu."""


def _address(verb: str, argument: str = "") -> Address:
    return Address(0, 0, verb, argument)


@dataclass(frozen=True)
class ListSetting:
    """A setting that is a list of the server's channels or roles: its page, and what it means when it is empty."""

    kind: Literal["channels", "roles"]
    title: str
    text: str
    chosen: str
    all: str
    everything: str
    line: str

    def mention(self, one: int) -> str:
        """A channel or role as Discord shows it."""
        return f"<#{one}>" if self.kind == "channels" else f"<@&{one}>"


LISTS: Mapping[str, ListSetting] = {
    "channels": ListSetting(
        "channels",
        translatable("Channels"),
        translatable("### Channels\nWhere may tables be opened? Threads of a channel count as the channel."),
        translatable("Only in …"),
        translatable("Everywhere"),
        translatable("everywhere"),
        translatable("**Tables may be opened in:** {these}"),
    ),
    "openers": ListSetting(
        "roles",
        translatable("Who may open tables"),
        translatable("### Who may open tables\nAdmins always may, and everybody may join."),
        translatable("Only …"),
        translatable("Everybody"),
        translatable("everybody"),
        translatable("**Who may open tables:** {these}"),
    ),
}


class SettingsCog(Cog, name="settings"):
    """The panel for admins, and `/house` for everybody."""

    @app_commands.command(name="settings", description=translatable("Set the rules of this server (for its admins)"))
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_guild=True)
    async def settings(self, interaction: discord.Interaction[Trigon]) -> None:
        await self.home(Request(interaction))

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
        if room == HOUSE:
            for name, variant in House.variants().items():
                lines += [_line(house, name, words), f"-# {words(variant.sentence)}"]
            lines += self._lists(request, house)
        else:
            lines += panel.variant_lines(_options(house, room), words)
        others = tuple(
            Option(self._room_title(other, words), other, chosen=other == room)
            for other in (HOUSE, *self._offered(house))
        )
        rows: list[Row] = [Menu(words("Show …"), _address("house", room), others)]
        if room != HOUSE:
            rows.append([Button(words("Rules"), _address("house_rules", room), BLUE)])
        return Page("\n".join(lines), rows=tuple(rows))

    @control("house_rules")
    async def house_rules(self, request: Request) -> None:
        """A page of a game's rules as new tables here play them."""
        room, _, number = request.argument.partition(".")
        _game(room)
        await self.bot.show_rules(request, self.bot.faces[room], number)

    def _room_title(self, room: str, words: Words) -> str:
        return words("This server") if room == HOUSE else words(self.bot.faces[_game(room).key].title)

    def _offered(self, house: House) -> list[str]:
        return [key for key in self.bot.faces if key not in house.without]

    def _lists(self, request: Request, house: House) -> list[str]:
        words = request.words
        games = words.series(words(self.bot.faces[key].title) for key in self._offered(house))
        return [
            *(
                words(setting.line, these=self._named(request, setting, getattr(house, name)))
                for name, setting in LISTS.items()
            ),
            words("**Games:** {games}", games=games or words("none")),
        ]

    def _named(self, request: Request, setting: ListSetting, ids: Sequence[int]) -> str:
        """The channels or roles of a setting in one phrase, and how many of them have been deleted."""
        words = request.words
        there = self.bot.houses.still_there(request.place.server, ids)
        named = [setting.mention(one) for one in there[:NAMED]]
        if len(there) > NAMED:
            named.append(words("{count} more", count=len(there) - NAMED))
        if gone := len(ids) - len(there):
            named.append(words.many("⚠️ {count} that has been deleted", "⚠️ {count} that have been deleted", gone))
        return words.series(named) or words(setting.everything)

    # -- The panel --

    async def _house(self, request: Request) -> House:
        """The settings, for an admin; raises `HouseRefusal` not_admin for everybody else."""
        return await self.bot.houses.house(request.server_as_admin())

    @control("settings")
    async def home(self, request: Request) -> None:
        """Back to the first page."""
        await request.say(self._home(request, await self._house(request)))

    def _home(self, request: Request, house: House) -> Page:
        words = request.words
        lines = [words("### Settings of this server")]
        lines += [_line(house, name, words) for name in House.variants()]
        lines += self._lists(request, house)
        changed = [key for key, face in self.bot.faces.items() if house.values(face.game)]
        if changed:
            titles = words.series(words(self.bot.faces[key].title) for key in changed)
            lines.append(words("**Games with rules of this house:** {games}", games=titles))
        server = tuple(Option(words(variant.title), name) for name, variant in House.variants().items())
        lists = (*(Option(words(one.title), name) for name, one in LISTS.items()), Option(words("Games"), WITHOUT))
        games = tuple(Option(words(face.title), key, emoji=face.icon) for key, face in self.bot.faces.items())
        rows: tuple[Row, ...] = (
            Menu(words("Set something for the server"), _address("set_house", request.fresh), (*server, *lists)),
            Menu(words("Set the rules of a game"), _address("set_game", request.fresh), games),
            [
                Button(words("Open tables"), _address("settings_tables")),
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
        if name in LISTS:
            await request.say(self._list_page(request, house, name))
        elif name == WITHOUT:
            await request.say(self._games_page(request, house))
        else:
            await request.say(self._variant_page(request, house, HOUSE, name))

    @control("set_game")
    async def set_game(self, request: Request) -> None:
        """The variants of one game."""
        house, room = await self._house(request), request.choice
        _game(room)
        await request.say(self._game_page(request, house, room))

    def _game_page(self, request: Request, house: House, room: str) -> Page:
        words = request.words
        lines = [words("### Rules of {game} on this server", game=words(self.bot.faces[room].title))]
        for name in _variants(room):
            fixed = words(" · always") if name in house.fixed.get(room, ()) else ""
            lines.append(f"{_line(_options(house, room), name, words)}{fixed}")
        options = tuple(Option(words(variant.title), f"{room}.{name}") for name, variant in _variants(room).items())
        rows = (Menu(words("Which rule?"), _address("set_variant", request.fresh), options), [_back(words)])
        return Page("\n".join(lines), rows=rows)

    @control("set_variant")
    async def set_variant(self, request: Request) -> None:
        """One variant of a game."""
        room, name = _room_and_name(request.choice)
        await request.say(self._variant_page(request, await self._house(request), room, name))

    def _variant_page(self, request: Request, house: House, room: str, name: str) -> Page:
        words, variant, options = request.words, _variant(room, name), _options(house, room)
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
        words, variant = request.words, _variant(*_room_and_name(request.argument))
        numbers = variant.numbers
        if numbers is None:
            raise HouseRefusal("outdated")
        label = words("A number from {least} to {most}", least=numbers[0], most=numbers[-1])
        form = Form(words(variant.title), _address("typed_value", request.argument), (Field("value", label, least=1),))
        await request.ask(form)

    @control("typed_value")
    async def typed_value(self, request: Request) -> None:
        """The number written; where it cannot be, the page comes again with a sentence about it."""
        try:
            await self._set(request, request.argument, request.fields["value"])
        except BadOption as refusal:
            room, name = _room_and_name(request.argument)
            page = self._variant_page(request, await self._house(request), room, name)
            await request.say(replace(page, text=f"{sentence(refusal, request.words, None)}\n{page.text}"))

    async def _set(self, request: Request, key: str, text: str | None) -> None:
        """Set a variant to the value of this text; None: back to the usual."""
        server, (room, name) = request.server_as_admin(), _room_and_name(key)
        _variant(room, name)
        kind = _kind(room)
        value = kind.default(name) if text is None else getattr(kind.of({name: text}), name)
        if room == HOUSE:
            house = await self.bot.houses.set(server, request.person, {name: value})
        else:
            kept = None if text is None else value
            house = await self.bot.houses.set_variant(server, request.person, _game(room), name, kept)
        await request.say(self._variant_page(request, house, room, name))

    @control("reset_value")
    async def reset_value(self, request: Request) -> None:
        """Back to the usual value."""
        await self._set(request, request.argument, None)

    @control("fix_value")
    async def fix_value(self, request: Request) -> None:
        """Whether openers may choose otherwise."""
        key, _, fixed = request.argument.partition("=")
        server, (room, name) = request.server_as_admin(), _room_and_name(key)
        _variant(room, name)
        house = await self.bot.houses.fix_variant(server, request.person, _game(room), name, fixed == "on")
        await request.say(self._variant_page(request, house, room, name))

    # -- Lists: channels, roles, games --

    def _list_page(self, request: Request, house: House, name: str) -> Page:
        words, setting, now = request.words, LISTS[name], getattr(house, name)
        text = [words(setting.text), words("**Now:** {value}", value=self._named(request, setting, now))]
        there = self.bot.houses.still_there(request.place.server, now)
        address = _address("set_list", name)
        menu = ServerMenu(setting.kind, words(setting.chosen), address, 1, MOST_OPTIONS, there)
        everything = Button(words(setting.all), _address("set_list", f"{name}=all"), GREEN, disabled=not now)
        return Page("\n".join(text), rows=(menu, [everything, _back(words)]))

    def _games_page(self, request: Request, house: House) -> Page:
        words = request.words
        options = tuple(
            Option(words(face.title), key, emoji=face.icon, chosen=key not in house.without)
            for key, face in self.bot.faces.items()
        )
        text = words("### Games\nWhich games can be played here?")
        menu = Menu(words("Games offered"), _address("set_games"), options, 1, len(options))
        return Page(text, rows=(menu, [_back(words)]))

    @control("set_list")
    async def set_list(self, request: Request) -> None:
        """The channels or roles chosen; by the button, all."""
        name = request.argument.partition("=")[0]
        if name not in LISTS or not all(one.isdecimal() for one in request.values):
            raise HouseRefusal("outdated")
        await self._set_list(request, name, tuple(int(one) for one in request.values))

    @control("set_games")
    async def set_games(self, request: Request) -> None:
        """Which games are offered."""
        if not set(request.values) <= set(self.bot.faces):
            raise HouseRefusal("outdated")
        await self._set_list(request, WITHOUT, tuple(key for key in self.bot.faces if key not in request.values))

    async def _set_list(self, request: Request, name: str, value: tuple[Any, ...]) -> None:
        house = await self.bot.houses.set(request.server_as_admin(), request.person, {name: value})
        await request.say(self._home(request, house))

    # -- Tables --

    @control("settings_tables")
    async def open_tables(self, request: Request) -> None:
        """The tables that are open here."""
        numbers = await self.bot.store.tables_on(request.server_as_admin(), MOST_OPTIONS)
        words = request.words
        lines, options = [words("### Open tables"), words("You can close one, or remove a player from it.")], []
        for number in numbers:
            table = await self.bot.tables.table(number)
            face, players = self.bot.face(table), words.series(panel.shown_names(table, words))
            lines.append(f"- {face.icon} {words(face.title)} {number} · <#{table.place.here}> · {panel.plain(players)}")
            options.append(Option(f"{words(face.title)} {number} · {players}", str(number), emoji=face.icon))
        if not options:
            await request.say(Page(words("No table is open on this server."), rows=([_back(words)],)))
            return
        menu = Menu(words("Which table?"), _address("settings_table", request.fresh), tuple(options))
        await request.say(Page("\n".join(lines), rows=(menu, [_back(words)])))

    @control("settings_table")
    async def open_table(self, request: Request) -> None:
        """What an admin can do about one table."""
        server, choice = request.server_as_admin(), request.choice
        if not choice.isdecimal():
            raise HouseRefusal("outdated")
        table = await self.bot.tables.table(int(choice))
        if table.place.server != server:
            raise HouseRefusal("outdated")
        words, face, address = request.words, self.bot.face(table), request.addresses(table)
        lines = [
            panel.title(face, table, words),
            words("**At the table:** {players}", players=words.series(panel.names_of(table, words))),
            words("**Rules:** {variant}", variant=panel.variant(table.options, words)),
        ]
        back = Button(words("Back"), _address("settings_tables"))
        await request.say(Page("\n".join(lines), rows=([*panel.admin_buttons(words, address), back],)))

    # -- Log, export, import --

    @control("settings_log")
    async def log(self, request: Request) -> None:
        """Who changed what and when, newest first, a page at a time."""
        server, words, argument = request.server_as_admin(), request.words, request.argument
        number = int(argument) if argument.isdecimal() else 0
        found = await self.bot.houses.changes(server, LOGGED + 1, number * LOGGED)
        lines = [self._log_line(request, change) for change in found[:LOGGED]]
        if not lines:
            lines = [words("Nothing has been changed yet.")]
        turning = [Button(words("Newer"), _address("settings_log", str(number - 1)))] if number else []
        if len(found) > LOGGED:
            turning.append(Button(words("Older"), _address("settings_log", str(number + 1))))
        await request.say(Page("\n".join([words("### Changes so far"), *lines]), rows=([*turning, _back(words)],)))

    def _log_line(self, request: Request, change: ChangeRow) -> str:
        who = request.words("a former admin") if change.name == FORMER else panel.plain(change.name)
        return f"{self._change(request, change)}\n-# {who} · <t:{int(change.at.timestamp())}:f>"

    def _change(self, request: Request, change: ChangeRow) -> str:
        """A change in words: the setting's title and its new value; as it was stored where there is no such setting
        any more."""
        words, name, value = request.words, change.setting, change.value
        room, _, variant = name.removesuffix(FIXED).rpartition(".")
        if name == IMPORT:
            return words("A file was imported. What it changed is below.")
        if name in LISTS:
            listed = self._named(request, LISTS[name], _list_in(value))
            return words("**{title}:** {value}", title=words(LISTS[name].title), value=listed)
        if name == WITHOUT:
            offered = [words(face.title) for key, face in self.bot.faces.items() if key not in _list_in(value)]
            return words("**{title}:** {value}", title=words("Games"), value=words.series(offered) or words("none"))
        try:
            kind = _kind(room or HOUSE)
            title = words(_variant(room or HOUSE, variant).title)
            title = f"{words(self.bot.faces[room].title)} · {title}" if room else title
            if name.endswith(FIXED):
                fixed = words("same for everybody") if value == "on" else words("openers choose")
                return words("**{title}:** {value}", title=title, value=fixed)
            if not value:
                usual = panel.value_label(kind(), variant, words)
                return words("**{title}:** back to the usual ({value})", title=title, value=usual)
            return words(
                "**{title}:** {value}", title=title, value=panel.value_label(kind.of({variant: value}), variant, words)
            )
        except Refusal:
            return f"`{name}` = `{value[:100]}`"

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
        request.server_as_admin()
        words = request.words
        field = Field("file", words("File"), words("One that Export has made"), least=1, upload=True)
        await request.ask(Form(words("Import settings"), _address("import"), (field,)))

    @control("import")
    async def import_file(self, request: Request) -> None:
        """Set everything as the file says, or name all its mistakes."""
        server, guild = request.server_as_admin(), request.interaction.guild
        known = {channel.id for channel in guild.channels} | {role.id for role in guild.roles} if guild else set()
        settings, mistakes = await read_settings_file(request.uploads, known, request.words)
        if mistakes:
            text = "\n".join([request.words("Nothing was changed. The file has mistakes:"), *mistakes])
            await request.say(Page(text, rows=([_back(request.words)],)))
            return
        house = await self.bot.houses.replace(server, request.person, settings)
        await request.say(self._home(request, house))


def _game(room: str) -> Game[Any, Any]:
    """The game of this key. This and what is below raise `HouseRefusal` outdated for what an old or forged control
    names and is not there."""
    if room not in GAMES:
        raise HouseRefusal("outdated")
    return GAMES[room]


def _kind(room: str) -> type[Options]:
    return House if room == HOUSE else _game(room).Options


def _variants(room: str) -> dict[str, Variant]:
    return _kind(room).variants()


def _variant(room: str, name: str) -> Variant:
    if name not in _variants(room):
        raise HouseRefusal("outdated")
    return _variants(room)[name]


def _room_and_name(key: str) -> tuple[str, str]:
    room, _, name = key.partition(".")
    return room, name


def _list_in(value: str) -> tuple[Any, ...]:
    """A list as the log keeps it."""
    try:
        return msgspec.json.decode(value, type=tuple[Any, ...])
    except msgspec.DecodeError:
        return ()


def _options(house: House, room: str) -> Options:
    """What is set in a room: the house itself, or the options that its values make for a game."""
    return house if room == HOUSE else _kind(room).of(house.values(_game(room)))


def _line(options: Options, name: str, words: Words) -> str:
    """A setting's title and its value."""
    title = words(options.variants()[name].title)
    return words("**{title}:** {value}", title=title, value=panel.value_label(options, name, words))


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
