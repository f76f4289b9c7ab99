"""What each server's admins have set: the rules of their house, for every game at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any

import discord
import msgspec

from bot.store import ChangeRow, Store
from bot.tables import TURN_LIMITS, Clock, Person, Place, Table
from bot.words import Words, words_for
from rules.game import ON_OFF, BadOption, Game, Options, Refusal, Value, Variant, translatable, value_text

IMPORT = "import"
"""What the log calls the import of a file; what it changed stands below."""
FIXED = "!"
"""Behind a variant's name in the log: it is about whether openers may choose otherwise."""


class HouseRefusal(Refusal):
    """Something that this server's admins do not allow; `rule` says what."""

    code = "house"


class House(Options, frozen=True, forbid_unknown_fields=False):
    """One server's settings. Those that are a choice or a number are variants, like those of a game.

    `channels` are where tables may be opened (empty: everywhere; threads of them count), `openers` the roles that may
    open them (empty: everybody), `without` the games not offered. `variants_of` holds per game what is set, `fixed` per
    game the variants that openers of a table may not choose otherwise.
    """

    language: Annotated[
        str,
        Variant(
            translatable("Language"),
            translatable("The language of what everybody reads. What only one person reads is in their own."),
            choices={
                "server": translatable("as the server's own on Discord"),
                "en": translatable("English"),
                "zh-TW": translatable("Chinese (Taiwan)"),
            },
        ),
    ] = "server"
    threads: Annotated[
        bool,
        Variant(
            translatable("Threads"),
            translatable("Whether each table gets a thread of its own, where I may make one."),
            choices=ON_OFF,
        ),
    ] = True
    messages: Annotated[
        str,
        Variant(
            translatable("Messages"),
            translatable("Whether each turn comes as a new message, which notifies whoever is to act."),
            choices={
                "new": translatable("a new message each turn"),
                "edit": translatable("one message, edited in place"),
            },
        ),
    ] = "new"
    notebook: Annotated[
        bool,
        Variant(
            translatable("Notebook"),
            translatable("Whether games of deduction help players by working out what is still possible."),
            choices=ON_OFF,
        ),
    ] = True
    turn_limit: Annotated[
        str,
        Variant(
            translatable("Turn limit"),
            translatable("How long a player may take for a turn."),
            choices={value: limit.label for value, limit in TURN_LIMITS.items()},
        ),
    ] = "none"
    at_limit: Annotated[
        str,
        Variant(
            translatable("At the limit"),
            translatable("What happens when a player's turn has run out."),
            choices={
                "leave": translatable("they leave the game"),
                "house": translatable("a house player sits in, where the game has any"),
            },
        ),
    ] = "leave"
    tables_per_person: Annotated[
        int,
        Variant(
            translatable("Tables per person"),
            translatable("How many open tables one person may have opened here."),
            numbers=range(1, 101),
        ),
    ] = 10
    tables_per_server: Annotated[
        int,
        Variant(
            translatable("Tables per server"),
            translatable("How many tables may be open here at a time."),
            numbers=range(1, 1001),
        ),
    ] = 200
    channels: tuple[int, ...] = ()
    openers: tuple[int, ...] = ()
    without: tuple[str, ...] = ()
    variants_of: dict[str, dict[str, Value]] = msgspec.field(default_factory=dict)
    fixed: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)

    def values(self, game: Game[Any, Any]) -> dict[str, Value]:
        """What is set for a game's variants, of those and in the values that the game still has."""
        variants = game.Options.variants()
        set_here = self.variants_of.get(game.key, {})
        return {name: value for name, value in set_here.items() if name in variants and variants[name].takes(value)}

    def options(self, game: Game[Any, Any], chosen: Mapping[str, Value]) -> Options:
        """A new table's options: what its opener chose, else what is set here, else the rulebook's.

        Raises `BadOption`, and `HouseRefusal` fixed for what may not be chosen otherwise.
        """
        set_here = game.Options.of(self.values(game))
        options = game.Options.of({**self.values(game), **chosen})
        for name in self.fixed.get(game.key, ()):
            if name in game.Options.variants() and getattr(options, name) != getattr(set_here, name):
                raise HouseRefusal("fixed", option=name, value=value_text(getattr(set_here, name)))
        return options


SETTINGS = msgspec.structs.fields(House)
"""The fields of `House`, worked out once: that takes a while."""


class Houses:
    """Every server's settings, and what they allow."""

    def __init__(self, store: Store, client: discord.Client, clock: Clock) -> None:
        self._store = store
        self._client = client
        self._clock = clock

    async def house(self, server: int | None) -> House:
        """A server's settings; what holds where nothing is set, for a server without any and for no server."""
        return House() if server is None else read_house(await self._store.settings_of(server))

    async def words(self, server: int | None) -> Words:
        """The words of a server's public texts."""
        language = (await self.house(server)).language
        if language != "server":
            return words_for(language)
        guild = self._client.get_guild(server) if server is not None else None
        return words_for(guild.preferred_locale if guild else None)

    async def set(self, server: int, by: Person, settings: Mapping[str, Any]) -> House:
        """Set some of a server's settings; raises `BadOption` for a value that one does not take."""
        return await self._change(server, by, lambda _: settings)

    async def set_variant(self, server: int, by: Person, game: Game[Any, Any], name: str, value: Value | None) -> House:
        """Set a game's variant for new tables; None: back to the rulebook. Raises `BadOption`."""
        if value is not None:
            game.Options.of({name: value})

        def with_value(house: House) -> Mapping[str, Any]:
            kept = {one: other for one, other in house.variants_of.get(game.key, {}).items() if one != name}
            set_here = kept if value is None else {**kept, name: value}
            return {"variants_of": {**house.variants_of, game.key: set_here}}

        return await self._change(server, by, with_value)

    async def fix_variant(self, server: int, by: Person, game: Game[Any, Any], name: str, fixed: bool) -> House:
        """Whether openers of a table must take a game's variant as it is set here."""

        def with_fixed(house: House) -> Mapping[str, Any]:
            kept = tuple(one for one in house.fixed.get(game.key, ()) if one != name)
            return {"fixed": {**house.fixed, game.key: (*kept, name) if fixed else kept}}

        return await self._change(server, by, with_fixed)

    async def replace(self, server: int, by: Person, settings: Mapping[str, Any]) -> House:
        """Set everything at once, as an imported file says; what it does not name is not set any more."""
        whole = msgspec.to_builtins(read_house(settings, strict=True))
        return await self._change(server, by, lambda _: whole, IMPORT)

    async def changes(self, server: int, most: int, skipped: int = 0) -> Sequence[ChangeRow]:
        """The changes of a server's settings, newest first, without the newest `skipped`."""
        return await self._store.changes(server, most, skipped)

    async def _change(
        self, server: int, by: Person, change: Callable[[House], Mapping[str, Any]], summary: str | None = None
    ) -> House:
        """Merge what `change` makes of the settings at that moment into them: another admin may be changing others.

        What differs afterwards is logged, and a line with the `summary` of all of it.
        """

        def merge(settings: Mapping[str, Any]) -> tuple[Mapping[str, Any], Sequence[ChangeRow]]:
            before = read_house(settings)
            after = read_house({**msgspec.to_builtins(before), **msgspec.to_builtins(change(before))}, strict=True)
            lines = [*_differences(before, after), *([(summary, "")] if summary else [])]
            log = [ChangeRow(by.id, by.name, name, value, self._clock()) for name, value in lines]
            kept: dict[str, Any] = msgspec.to_builtins(after)
            return kept, log

        await self._store.change_settings(server, merge)
        return await self.house(server)

    def still_there(self, server: int | None, ids: Sequence[int]) -> tuple[int, ...]:
        """Those of a setting's channels or roles that nobody has deleted since."""
        guild = self._client.get_guild(server or 0)
        return tuple(one for one in ids if guild and (guild.get_channel(one) or guild.get_role(one)))

    async def may_open(
        self, game: Game[Any, Any], place: Place, person: Person, roles: Sequence[int], admin: bool
    ) -> House:
        """The house in which a person opens a table; raises `HouseRefusal` where its settings do not allow it."""
        house = await self.house(place.server)
        if place.server is None:
            return house
        if game.key in house.without:
            raise HouseRefusal("not_offered")
        if house.channels and place.channel not in house.channels:
            raise HouseRefusal("elsewhere", channels=self.still_there(place.server, house.channels))
        if house.openers and not admin and not set(roles) & set(house.openers):
            raise HouseRefusal("not_an_opener", roles=self.still_there(place.server, house.openers))
        if await self._store.open_tables(place.server, person.id) >= house.tables_per_person:
            raise HouseRefusal("too_many_of_yours", most=house.tables_per_person)
        if await self._store.open_tables(place.server) >= house.tables_per_server:
            raise HouseRefusal("too_many_here", most=house.tables_per_server)
        return house


def house_of(table: Table) -> House:
    """The settings that a table keeps from when it was opened."""
    return read_house(table.row.house)


def read_house(settings: Mapping[str, Any], strict: bool = False) -> House:
    """Settings as stored. What is unknown, or has a value that is no longer taken, counts as not set.

    With `strict` such a value raises `BadOption` instead.
    """
    read: dict[str, Any] = {}
    for field in SETTINGS:
        if field.name not in settings:
            continue
        try:
            value = msgspec.convert(settings[field.name], field.type)
            House(**{field.name: value})
        except (msgspec.ValidationError, BadOption):
            if strict:
                raise BadOption("value", option=field.name, value=settings[field.name]) from None
        else:
            read[field.name] = value
    return House(**read)


def _differences(before: House, after: House) -> Iterator[tuple[str, str]]:
    """What has changed, as the log keeps it: `threads`, `triggle.side`, or `triggle.side!` for whether it is fixed;
    each with its new value as text, "" for a variant that is the rulebook's again."""
    for name in House.__struct_fields__:
        old, new = getattr(before, name), getattr(after, name)
        if name not in ("variants_of", "fixed") and old != new:
            yield name, value_text(new) if isinstance(new, str | int) else msgspec.json.encode(new).decode()
    for game in dict.fromkeys([*before.variants_of, *after.variants_of]):
        was, now = before.variants_of.get(game, {}), after.variants_of.get(game, {})
        for name in dict.fromkeys([*was, *now]):
            if was.get(name) != now.get(name):
                yield f"{game}.{name}", value_text(now[name]) if name in now else ""
    for game in dict.fromkeys([*before.fixed, *after.fixed]):
        fixed = after.fixed.get(game, ())
        for name in sorted(set(before.fixed.get(game, ())) ^ set(fixed)):
            yield f"{game}.{name}{FIXED}", value_text(name in fixed)
