"""Tables, seats, actions, people and servers on disk. Nothing dialect-specific stands outside this module.

Every method is one transaction. A table's `turn` counts its changes: a write names the turn that it was made for, and
`Behind` tells that somebody was quicker.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import aiosqlite
import msgspec
import sqlalchemy as sa
from aiosqlite.context import contextmanager
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.schema import (
    Moment,
    actions,
    changes,
    decks,
    drafts,
    letters,
    marks,
    metadata,
    notes,
    people,
    seats,
    servers,
    tables,
    timers,
)
from rules.game import to_json

MIGRATIONS = Path(__file__).with_name("migrations")

LOBBY, PLAYING, OVER, CLOSED = "lobby", "playing", "over", "closed"
"""A table's status, in the order of its life; a closed one has not been finished."""

# Once the game is on, its setup holds what the table brought along, which may be a whole deck.
_GIVEN = sa.case((tables.c.status != PLAYING, tables.c.given), else_=sa.literal({}, sa.JSON)).label("given")

# What every press asks and writes is built once: that takes as long as SQLite needs for it.
_TABLE = sa.select(*(column for column in tables.c if column is not tables.c.given), _GIVEN).where(
    tables.c.id == sa.bindparam("number")
)
_SEATS = sa.select(seats).where(seats.c.table == sa.bindparam("number")).order_by(seats.c.seat)
_SETTINGS = sa.select(servers.c.settings).where(servers.c.id == sa.bindparam("number"))
_ACTIONS = sa.select(actions).where(actions.c.table == sa.bindparam("number")).order_by(actions.c.turn.desc())
_LAST_ACTIONS = _ACTIONS.limit(sa.bindparam("last"))
_LETTERS = sa.select(letters).where(letters.c.table == sa.bindparam("number"))
_AWAY = sa.select(people.c.id, people.c.away).where(
    people.c.id.in_(sa.bindparam("persons", expanding=True)), people.c.away > sa.bindparam("moment")
)
_SHOWN = sa.update(tables).where(tables.c.id == sa.bindparam("number")).returning(tables.c.turn)
_CHANGED = sa.update(tables).where(tables.c.id == sa.bindparam("number"), tables.c.turn == sa.bindparam("before"))

FORMER = ""
"""The name of somebody who had their data deleted; the face says "a former player"."""

HOUSE = -1001
"""The first house player's id at a table; those of the others are lower. Discord's ids are above 0, and those between
stand for people who had their data deleted."""

ROBOT_MARK = "🤖"
"""Stands before the name of a house player, in texts and on pictures."""


class Behind(Exception):
    """Somebody changed the table since it was read: read again, judge again."""


@dataclass(frozen=True)
class SeatRow:
    """A taken seat: who, under which name (a person's display name when they sat down), and their wish.

    `vacant`: since when the seat is offered to others; `gone`: its player has left the game for good. `robot`: the
    level of the house player who plays there; in a seat of its own, `person` is one of the house's ids, else the
    person for whom it sits in.
    """

    seat: int
    person: int
    name: str
    wish: str | None = None
    vacant: datetime | None = None
    gone: bool = False
    robot: str | None = None

    @property
    def present(self) -> bool:
        """Whether a person sits there who can act and agree."""
        return self.vacant is None and not self.gone and self.robot is None

    @property
    def of_the_house(self) -> bool:
        """Whether the seat is a house player's own."""
        return self.person <= HOUSE

    @property
    def shown_name(self) -> str:
        """The name as others see it: with the mark of a program where one plays."""
        return self.name if self.robot is None else f"{ROBOT_MARK} {self.name}"


@dataclass(frozen=True)
class ActionRow:
    """One stored action. `kind` is "play", "leave" or "draw"; `action` and `events` are JSON."""

    turn: int
    seat: int
    kind: str
    action: str | None
    events: str
    at: datetime


@dataclass(frozen=True)
class TimerRow:
    """Something to be done at a table at a moment. `seat` is -1 where it concerns no seat."""

    table: int
    kind: str
    seat: int
    due: datetime


@dataclass(frozen=True)
class Again:
    """A table that is played again, and the rematch it was known to have."""

    table: int
    rematch: int | None


@dataclass(frozen=True)
class LetterRow:
    """The direct message by which a player has their secrets of one table.

    `digest` tells what it says, `acting` whether it then asked them to act; `refused` is when Discord
    last said that this person cannot be written to.
    """

    person: int
    place: int | None = None
    message: int | None = None
    digest: str | None = None
    acting: bool = False
    sent: datetime | None = None
    refused: datetime | None = None


@dataclass(frozen=True)
class PersonRow:
    """A person: name, Discord language, where reminders come ("table", "direct", "none"), until when they are away."""

    name: str = ""
    locale: str | None = None
    reminders: str = "table"
    away: datetime | None = None


@dataclass(frozen=True)
class DeckRow:
    """A server's own deck of cards: its name, and the text that was uploaded. `person` brought it."""

    name: str
    language: str
    cards: int
    text: str
    person: int
    made: datetime


@dataclass(frozen=True)
class ChangeRow:
    """One change of a server's settings: who set what to which value (as text), when."""

    person: int
    name: str
    setting: str
    value: str
    at: datetime


@dataclass(frozen=True)
class TableRow:
    """A table as stored: JSON still as text. `given` is left out while the game is on: the setup has it then."""

    id: int
    game: str
    version: int
    status: str
    server: int | None
    channel: int
    thread: int | None
    opener: int
    options: Mapping[str, Any]
    given: Mapping[str, Any]
    house: Mapping[str, Any]
    setup: str | None
    deal: str | None
    salt: str | None
    state: str | None
    turn: int
    seat_turns: Sequence[int]
    shown_turn: int
    shown_to_act: Sequence[int]
    told_turn: int
    message: int | None
    message_place: int | None
    message_page: Mapping[str, Any] | None
    old_message: int | None
    old_place: int | None
    old_page: Mapping[str, Any] | None
    hidden: Sequence[str]
    robot_to_act: bool
    deadlines: Sequence[float | None]
    paused: datetime | None
    proposal: Mapping[str, Any] | None
    start_when_full: bool
    rematch: int | None
    made: datetime
    changed: datetime


class Store:
    """The database. Made by `Store.open`, which brings the schema up to date."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self._one_writer = asyncio.Lock()

    @classmethod
    async def open(cls, url: str) -> Store:
        """Connect to the database at an SQLAlchemy URL, and migrate it to the newest schema."""
        store = cls.connect(url)
        await store.migrate()
        return store

    @classmethod
    def connect(cls, url: str) -> Store:
        """Connect to the database at an SQLAlchemy URL as it is."""
        address = make_url(url)
        _make_folder(address)
        # Parameters hold states and cards: no error may write them into a log.
        ours: dict[str, Any] = {
            "hide_parameters": True,
            "pool_reset_on_return": None,
            "json_serializer": to_json,
            "json_deserializer": msgspec.json.decode,
        }
        if address.get_backend_name() != "sqlite":
            return cls(create_async_engine(address, **ours))
        engine = create_async_engine(address, async_creator=lambda: _connected(address), **ours)
        _tune_sqlite(engine)
        return cls(engine)

    async def close(self) -> None:
        await self.engine.dispose()

    async def backup(self, path: Path) -> None:
        """Write a consistent copy of the database into a new file, while others go on writing."""
        async with self.engine.connect() as connection:
            # The driver itself is asked: a transaction, which SQLAlchemy would begin, is in the way of a copy.
            driver = (await connection.get_raw_connection()).driver_connection
            assert driver is not None
            await (await driver.execute("VACUUM INTO ?", (str(path),))).close()

    async def is_current(self) -> bool:
        """Whether the schema is the newest."""
        async with self.engine.connect() as connection:
            found = await connection.run_sync(lambda sync: MigrationContext.configure(sync).get_current_revision())
        return found == ScriptDirectory(str(MIGRATIONS)).get_current_head()

    async def migrate(self) -> None:
        """Bring the schema up to date."""
        async with self._writing() as connection:
            await connection.run_sync(_upgrade)

    @asynccontextmanager
    async def _writing(self) -> AsyncIterator[AsyncConnection]:
        # The writers of one process queue here: SQLite itself lets those who wait try by chance, and some for ever.
        async with self._one_writer, self.engine.connect() as connection:
            await connection.execution_options(writing=True)
            async with connection.begin():
                yield connection

    async def _write(self, statement: sa.Executable, values: Mapping[str, Any] | None = None) -> sa.CursorResult[Any]:
        """Write by one statement, which SQLite makes a transaction of its own."""
        async with self._one_writer, self.engine.begin() as connection:
            result: sa.CursorResult[Any] = await connection.execute(statement, values)
            return result

    # -- Tables --

    async def add_table(
        self,
        values: Mapping[str, Any],
        seated: Sequence[SeatRow],
        timing: Sequence[TimerRow] = (),
        again: Again | None = None,
    ) -> int:
        """Store a new table with those already seated and its timers (of whichever table); returns its number.

        Raises `Behind` where it plays a table `again` that has another rematch by now.
        """
        async with self._writing() as connection:
            added = sa.insert(tables).values(**values).returning(tables.c.id)
            table: int = (await connection.execute(added)).scalar_one()
            await _seat(connection, table, seated)
            if timing:
                await connection.execute(sa.insert(timers), [{**vars(timer), "table": table} for timer in timing])
            if again is not None:
                known = sa.and_(tables.c.id == again.table, tables.c.rematch.is_not_distinct_from(again.rematch))
                noted = await connection.execute(sa.update(tables).where(known).values(rematch=table))
                if noted.rowcount != 1:
                    raise Behind
            return table

    async def table(self, table: int) -> tuple[TableRow, tuple[SeatRow, ...]] | None:
        """A table and its seats in order."""
        async with self.engine.connect() as connection:
            row = (await connection.execute(_TABLE, {"number": table})).one_or_none()
            return None if row is None else (TableRow(**row._mapping), await _seats(connection, table))

    async def change_table(
        self,
        table: int,
        turn: int,
        values: Mapping[str, Any],
        seated: Sequence[SeatRow] | None = None,
        action: ActionRow | None = None,
        timing: Sequence[TimerRow] | None = None,
        taken_back: int | None = None,
    ) -> None:
        """Change a table that is at `turn`, its seats, actions and timers in one transaction; turn + 1.

        `timing` are all timers that the table has from now on, None where it keeps those it has; actions from the turn
        `taken_back` on are to go.
        Raises `Behind` where the table is no longer at that turn; nothing is changed then.
        """
        async with self._writing() as connection:
            changed = await connection.execute(_CHANGED, {**values, "turn": turn + 1, "number": table, "before": turn})
            if changed.rowcount != 1:
                raise Behind
            if seated is not None:
                await connection.execute(sa.delete(seats).where(seats.c.table == table))
                await _seat(connection, table, seated)
            if action is not None:
                await connection.execute(sa.insert(actions), {"table": table, **vars(action)})
            if taken_back is not None:
                back = sa.and_(actions.c.table == table, actions.c.turn >= taken_back)
                await connection.execute(sa.delete(actions).where(back))
            if timing is not None:
                await connection.execute(sa.delete(timers).where(timers.c.table == table))
            if timing:
                await connection.execute(sa.insert(timers), [vars(timer) for timer in timing])

    async def mark_shown(self, table: int, values: Mapping[str, Any]) -> int | None:
        """Note what was last shown of a table, and where; this is no change of the table itself.

        Returns the turn at which the table is now; None where there is no such table.
        """
        turn: int | None = (await self._write(_SHOWN, {**values, "number": table})).scalar()
        return turn

    async def actions(self, table: int, last: int | None = None) -> tuple[ActionRow, ...]:
        """The table's actions in order; only the `last` so many where given."""
        query = _ACTIONS if last is None else _LAST_ACTIONS
        async with self.engine.connect() as connection:
            rows = (await connection.execute(query, {"number": table, "last": last})).all()
        return tuple(ActionRow(row.turn, row.seat, row.kind, row.action, row.events, row.at) for row in reversed(rows))

    async def behind(self) -> tuple[int, ...]:
        """The tables whose last change has not been shown, or whose old message still has to lose its controls."""
        late = sa.or_(
            tables.c.shown_turn < tables.c.turn,
            tables.c.told_turn < tables.c.turn,
            tables.c.old_message.is_not(None),
        )
        async with self.engine.connect() as connection:
            return tuple((await connection.execute(sa.select(tables.c.id).where(late).order_by(tables.c.id))).scalars())

    async def tables_of(self, person: int, statuses: Iterable[str] = (LOBBY, PLAYING)) -> tuple[int, ...]:
        """The tables at which a person sits."""
        query = (
            sa.select(tables.c.id)
            .join(seats, seats.c.table == tables.c.id)
            .where(seats.c.person == person, tables.c.status.in_(tuple(statuses)))
            .order_by(tables.c.id)
        )
        async with self.engine.connect() as connection:
            return tuple((await connection.execute(query)).scalars())

    async def tables_at(self, place: int, statuses: Iterable[str] = (LOBBY, PLAYING)) -> tuple[int, ...]:
        """The tables that play in a channel or thread, or whose lobby is there."""
        here = sa.or_(tables.c.thread == place, tables.c.channel == place)
        query = sa.select(tables.c.id).where(here, tables.c.status.in_(tuple(statuses))).order_by(tables.c.id)
        async with self.engine.connect() as connection:
            return tuple((await connection.execute(query)).scalars())

    # -- Timers --

    async def next_timer(self) -> datetime | None:
        """When the earliest timer is due."""
        async with self.engine.connect() as connection:
            due: datetime | None = (
                await connection.execute(sa.select(sa.func.min(timers.c.due, type_=Moment())))
            ).scalar()
        return due

    async def due_timers(self, moment: datetime) -> tuple[TimerRow, ...]:
        """The timers that are due, earliest first."""
        query = sa.select(timers).where(timers.c.due <= moment).order_by(timers.c.due)
        async with self.engine.connect() as connection:
            return tuple(TimerRow(*row) for row in await connection.execute(query))

    async def claim_timer(self, timer: TimerRow) -> bool:
        """Take a timer away; False where somebody else has, or it has been set anew."""
        one = sa.and_(
            timers.c.table == timer.table,
            timers.c.kind == timer.kind,
            timers.c.seat == timer.seat,
            timers.c.due == timer.due,
        )
        return (await self._write(sa.delete(timers).where(one))).rowcount == 1

    async def set_again(self, timer: TimerRow) -> None:
        """Set a timer that was taken away, unless its table is gone or has set it anew."""
        one = sa.and_(timers.c.table == timer.table, timers.c.kind == timer.kind, timers.c.seat == timer.seat)
        async with self._writing() as connection:
            there = (await connection.execute(sa.select(tables.c.id).where(tables.c.id == timer.table))).first()
            anew = (await connection.execute(sa.select(timers.c.due).where(one))).first()
            if there and not anew:
                await connection.execute(sa.insert(timers).values(**vars(timer)))

    async def put_off(self, timer: TimerRow, due: datetime) -> None:
        """Let a timer come later."""
        one = sa.and_(timers.c.table == timer.table, timers.c.kind == timer.kind, timers.c.seat == timer.seat)
        await self._write(sa.update(timers).where(one).values(due=due))

    async def mark(self, name: str, moment: datetime) -> datetime | None:
        """Keep a moment under a name; returns the one kept before."""
        async with self._writing() as connection:
            before = (await connection.execute(sa.select(marks.c.at).where(marks.c.name == name))).scalar()
            await connection.execute(sa.delete(marks).where(marks.c.name == name))
            await connection.execute(sa.insert(marks).values(name=name, at=moment))
            return before

    async def note(self, name: str) -> str | None:
        """A text kept under a name."""
        async with self.engine.connect() as connection:
            return (await connection.execute(sa.select(notes.c.text).where(notes.c.name == name))).scalar()

    async def keep_note(self, name: str, text: str) -> None:
        """Keep a text under a name."""
        async with self._writing() as connection:
            await connection.execute(sa.delete(notes).where(notes.c.name == name))
            await connection.execute(sa.insert(notes).values(name=name, text=text))

    async def tables_in_play(self, server: int | None = None) -> tuple[int, ...]:
        """Every table in play; only a server's where one is given."""
        query = sa.select(tables.c.id).where(tables.c.status == PLAYING).order_by(tables.c.id)
        if server is not None:
            query = query.where(tables.c.server == server)
        async with self.engine.connect() as connection:
            return tuple((await connection.execute(query)).scalars())

    async def tables_with_robot_to_act(self) -> tuple[int, ...]:
        """Every table in play at which a house player has something to decide."""
        query = sa.select(tables.c.id).where(tables.c.robot_to_act, tables.c.status == PLAYING).order_by(tables.c.id)
        async with self.engine.connect() as connection:
            return tuple((await connection.execute(query)).scalars())

    # -- Letters --

    async def letters(self, table: int) -> dict[int, LetterRow]:
        """The letters of a table by their owner."""
        async with self.engine.connect() as connection:
            rows = (await connection.execute(_LETTERS, {"number": table})).mappings().all()
        return {row["person"]: LetterRow(**{name: row[name] for name in vars(LetterRow(0))}) for row in rows}

    async def keep_letter(self, table: int, letter: LetterRow) -> None:
        """Note what a player was last told, and where; or that they cannot be written to."""
        mine = sa.and_(letters.c.table == table, letters.c.person == letter.person)
        async with self._writing() as connection:
            await connection.execute(sa.delete(letters).where(mine))
            await connection.execute(sa.insert(letters).values(table=table, **vars(letter)))

    async def forget_letter(self, table: int, person: int) -> None:
        """A player's letter of a table is gone."""
        mine = sa.and_(letters.c.table == table, letters.c.person == person)
        await self._write(sa.delete(letters).where(mine))

    async def direct_channel(self, person: int) -> int | None:
        """The direct-message channel with a person, where one has been opened."""
        async with self.engine.connect() as connection:
            return (await connection.execute(sa.select(people.c.direct).where(people.c.id == person))).scalar()

    async def keep_direct_channel(self, person: int, channel: int) -> None:
        """Note the direct-message channel with a person, opened once."""
        await self._write(sa.update(people).where(people.c.id == person).values(direct=channel))

    # -- What people write --

    async def hide(self, table: int, text: str, hidden: bool) -> None:
        """Note that a text somebody wrote at this table is not to be shown any more, or is again."""
        async with self._writing() as connection:
            mine = tables.c.id == table
            texts = (await connection.execute(sa.select(tables.c.hidden).where(mine))).scalar_one()
            kept = [*(one for one in texts if one != text), *([text] if hidden else [])]
            await connection.execute(sa.update(tables).where(mine).values(hidden=kept))

    async def draft(self, table: int, person: int) -> Mapping[str, str]:
        """What a person last wrote at a table and has not been taken, by the keys of the form's fields."""
        query = sa.select(drafts.c.fields).where(drafts.c.table == table, drafts.c.person == person)
        async with self.engine.connect() as connection:
            return (await connection.execute(query)).scalar() or {}

    async def keep_draft(self, table: int, person: int, fields: Mapping[str, str]) -> None:
        """Keep what a person wrote; nothing where `fields` is empty."""
        async with self._writing() as connection:
            await connection.execute(sa.delete(drafts).where(drafts.c.table == table, drafts.c.person == person))
            if fields:
                await connection.execute(sa.insert(drafts).values(table=table, person=person, fields=dict(fields)))

    # -- Decks --

    async def decks(self, server: int) -> tuple[DeckRow, ...]:
        """A server's own decks by name."""
        query = sa.select(decks).where(decks.c.server == server).order_by(decks.c.key)
        async with self.engine.connect() as connection:
            return tuple(_deck(row) for row in (await connection.execute(query)).mappings())

    async def deck(self, server: int, name: str) -> DeckRow | None:
        """The deck of this name, in whatever case."""
        query = sa.select(decks).where(decks.c.server == server, decks.c.key == name.casefold())
        async with self.engine.connect() as connection:
            row = (await connection.execute(query)).mappings().one_or_none()
            return None if row is None else _deck(row)

    async def add_deck(self, server: int, deck: DeckRow, most: int) -> bool:
        """Keep a deck; False where the server has one of this name, or `most` already."""
        key = deck.name.casefold()
        async with self._writing() as connection:
            held = await connection.execute(sa.select(decks.c.key).where(decks.c.server == server))
            keys = set(held.scalars())
            if key in keys or len(keys) >= most:
                return False
            await connection.execute(sa.insert(decks).values(server=server, key=key, **vars(deck)))
            return True

    async def remove_deck(self, server: int, name: str) -> bool:
        """Forget a deck; False where there is none of this name."""
        one = sa.and_(decks.c.server == server, decks.c.key == name.casefold())
        return (await self._write(sa.delete(decks).where(one))).rowcount > 0

    # -- People and servers --

    async def remember_person(self, person: int, name: str, locale: str) -> None:
        """Keep a person's name and Discord language, for direct messages and reminders."""
        async with self._writing() as connection:
            known = await connection.execute(
                sa.update(people).where(people.c.id == person).values(name=name, locale=locale)
            )
            if not known.rowcount:
                await connection.execute(sa.insert(people).values(id=person, name=name, locale=locale))

    async def person(self, person: int) -> PersonRow:
        """What is known of a person; the usual for a stranger."""
        async with self.engine.connect() as connection:
            row = (await connection.execute(sa.select(people).where(people.c.id == person))).one_or_none()
        return PersonRow() if row is None else PersonRow(row.name, row.locale, row.reminders, row.away)

    async def away(self, persons: Sequence[int], moment: datetime) -> dict[int, datetime]:
        """Until when people are away, of those who are at this moment."""
        asked = {"persons": list(persons), "moment": moment}
        async with self.engine.connect() as connection:
            return {row.id: row.away for row in await connection.execute(_AWAY, asked)}

    async def change_person(self, person: int, values: Mapping[str, Any]) -> None:
        """Change what a person has chosen; they are known, since they have just pressed or typed something."""
        await self._write(sa.update(people).where(people.c.id == person).values(**values))

    async def locale_of(self, person: int) -> str | None:
        """The Discord language a person last used; None for a stranger."""
        async with self.engine.connect() as connection:
            return (await connection.execute(sa.select(people.c.locale).where(people.c.id == person))).scalar()

    async def settings_of(self, server: int) -> Mapping[str, Any]:
        """What a server's admins have set, as stored; empty where nothing is."""
        async with self.engine.connect() as connection:
            return await _settings(connection, server)

    async def change_settings(
        self, server: int, change: Callable[[Mapping[str, Any]], tuple[Mapping[str, Any], Sequence[ChangeRow]]]
    ) -> None:
        """Change a server's settings by a function of what they are, and log what it says, in one transaction."""
        async with self._writing() as connection:
            settings, log = change(await _settings(connection, server))
            known = await connection.execute(sa.update(servers).where(servers.c.id == server).values(settings=settings))
            if not known.rowcount:
                await connection.execute(sa.insert(servers).values(id=server, settings=settings))
            if log:
                await connection.execute(sa.insert(changes), [{"server": server, **vars(row)} for row in log])

    async def changes(self, server: int, most: int, skipped: int) -> tuple[ChangeRow, ...]:
        """Changes of a server's settings, newest first, without the newest `skipped`."""
        newest = sa.select(changes).where(changes.c.server == server).order_by(changes.c.id.desc())
        query = newest.limit(most).offset(skipped)
        async with self.engine.connect() as connection:
            rows = (await connection.execute(query)).all()
        return tuple(ChangeRow(row.person, row.name, row.setting, row.value, row.at) for row in rows)

    async def tables_on(self, server: int, most: int) -> tuple[int, ...]:
        """The newest tables of a server that are in a lobby or in play."""
        open_here = sa.and_(tables.c.server == server, tables.c.status.in_((LOBBY, PLAYING)))
        async with self.engine.connect() as connection:
            newest = sa.select(tables.c.id).where(open_here).order_by(tables.c.id.desc()).limit(most)
            return tuple((await connection.execute(newest)).scalars())

    async def open_tables(self, server: int, opener: int | None = None) -> int:
        """How many tables of a server are in a lobby or in play; only those a person has opened where given."""
        query = sa.select(sa.func.count()).where(tables.c.server == server, tables.c.status.in_((LOBBY, PLAYING)))
        if opener is not None:
            query = query.where(tables.c.opener == opener)
        async with self.engine.connect() as connection:
            return (await connection.execute(query)).scalar_one()

    async def known_servers(self) -> dict[int, bool]:
        """Every server of which anything is kept, and whether it is known to have removed the bot."""
        async with self.engine.connect() as connection:
            left = await connection.execute(sa.select(servers.c.id, servers.c.left))
            noted = {row.id: row.left is not None for row in left}
            played = await connection.execute(sa.select(tables.c.server).where(tables.c.server.is_not(None)).distinct())
            return dict.fromkeys(played.scalars(), False) | noted

    async def mark_left(self, server: int, moment: datetime | None) -> None:
        """Note that the bot has been removed from a server; None: that it is there again."""
        async with self._writing() as connection:
            known = await connection.execute(sa.update(servers).where(servers.c.id == server).values(left=moment))
            if not known.rowcount:
                await connection.execute(sa.insert(servers).values(id=server, settings={}, left=moment))

    async def forget_servers(self, left_before: datetime) -> int:
        """Delete all that is kept of servers that removed the bot before this moment; returns how many tables."""
        gone = sa.select(servers.c.id).where(servers.c.left < left_before)
        async with self._writing() as connection:
            deleted = await connection.execute(sa.delete(tables).where(tables.c.server.in_(gone)))
            await connection.execute(sa.delete(changes).where(changes.c.server.in_(gone)))
            await connection.execute(sa.delete(decks).where(decks.c.server.in_(gone)))
            await connection.execute(sa.delete(servers).where(servers.c.left < left_before))
            return deleted.rowcount

    async def greet(self, server: int, moment: datetime) -> bool:
        """Note that a server is greeted now; False where it has been before."""
        async with self._writing() as connection:
            row = (await connection.execute(sa.select(servers.c.greeted).where(servers.c.id == server))).one_or_none()
            if row is None:
                await connection.execute(sa.insert(servers).values(id=server, settings={}, greeted=moment))
            elif row.greeted is None:
                await connection.execute(sa.update(servers).where(servers.c.id == server).values(greeted=moment))
            return row is None or row.greeted is None

    async def data_of(self, person: int) -> dict[str, Any]:
        """Everything that is kept of a person, as JSON-able values."""
        table = (tables.c.id, tables.c.game, tables.c.status, tables.c.server, tables.c.made)
        same_seat = sa.and_(seats.c.table == actions.c.table, seats.c.seat == actions.c.seat)
        queries: dict[str, sa.Select[Any]] = {
            "person": sa.select(people).where(people.c.id == person),
            "tables": sa.select(*table, seats.c.seat, seats.c.name)
            .join(seats, seats.c.table == tables.c.id)
            .where(seats.c.person == person)
            .order_by(tables.c.id),
            "actions": sa.select(actions.c.table, actions.c.turn, actions.c.kind, actions.c.action, actions.c.at)
            .join(seats, same_seat)
            .where(seats.c.person == person)
            .order_by(actions.c.table, actions.c.turn),
            **{kept.name: sa.select(kept).where(kept.c.person == person) for kept in (letters, drafts, decks, changes)},
        }
        async with self.engine.connect() as connection:
            return {
                name: [dict(row) for row in (await connection.execute(query)).mappings()]
                for name, query in queries.items()
            }

    async def forget_person(self, person: int) -> None:
        """Take a person's name and id out of everything that is over; what is left has no owner.

        Raises nothing for a stranger. Tables in a lobby or in play have to be left before.
        """
        ended = sa.select(tables.c.id).where(tables.c.status.in_((OVER, CLOSED)))
        mine = sa.and_(seats.c.person == person, sa.or_(seats.c.table.in_(ended), seats.c.gone))
        async with self._writing() as connection:
            # What was last shown of their tables has their name in it.
            theirs = sa.select(seats.c.table).where(mine)
            # Who is changing a table just now has read their name: that change is judged again.
            going_on = sa.and_(tables.c.id.in_(theirs), tables.c.status == PLAYING)
            await connection.execute(sa.update(tables).where(going_on).values(turn=tables.c.turn + 1))
            await connection.execute(
                sa.update(tables).where(tables.c.id.in_(theirs)).values(message_page=None, old_page=None, proposal=None)
            )
            # A person without an id, and another one a seat: nobody sits twice at a table.
            await connection.execute(sa.update(seats).where(mine).values(person=-1 - seats.c.seat, name=FORMER))
            await connection.execute(sa.update(tables).where(tables.c.opener == person).values(opener=0))
            await connection.execute(sa.update(changes).where(changes.c.person == person).values(person=0, name=FORMER))
            await connection.execute(sa.delete(letters).where(letters.c.person == person))
            await connection.execute(sa.delete(drafts).where(drafts.c.person == person))
            await connection.execute(sa.update(decks).where(decks.c.person == person).values(person=0))
            await connection.execute(sa.delete(people).where(people.c.id == person))

    async def empty(self) -> None:
        """Forget everything: the playground's reset."""
        async with self._writing() as connection:
            for table in reversed(metadata.sorted_tables):
                await connection.execute(sa.delete(table))


def _deck(row: Mapping[Any, Any]) -> DeckRow:
    return DeckRow(row["name"], row["language"], row["cards"], row["text"], row["person"], row["made"])


async def _settings(connection: AsyncConnection, server: int) -> Mapping[str, Any]:
    return (await connection.execute(_SETTINGS, {"number": server})).scalar() or {}


async def _seats(connection: AsyncConnection, table: int) -> tuple[SeatRow, ...]:
    rows = await connection.execute(_SEATS, {"number": table})
    return tuple(SeatRow(row.seat, row.person, row.name, row.wish, row.vacant, row.gone, row.robot) for row in rows)


async def _seat(connection: AsyncConnection, table: int, seated: Sequence[SeatRow]) -> None:
    if seated:
        await connection.execute(sa.insert(seats), [{"table": table, **vars(seat)} for seat in seated])


def _make_folder(address: URL) -> None:
    if address.get_backend_name() == "sqlite" and address.database and address.database != ":memory:":
        Path(address.database).parent.mkdir(parents=True, exist_ok=True)


class _Cursor(aiosqlite.Cursor):
    """A statement is one way to SQLite's thread and back, where aiosqlite makes four: cursor, execute, fetch, close."""

    async def execute(self, sql: str, parameters: Iterable[Any] | None = None) -> aiosqlite.Cursor:
        self._rows: list[Any] = await self._execute(self._run, sql, parameters or ())  # type: ignore[no-untyped-call]
        return self

    def _run(self, sql: str, parameters: Sequence[Any]) -> list[Any]:
        return self._cursor.execute(sql, parameters).fetchall()

    async def fetchall(self) -> Iterable[Any]:
        return self._rows

    async def close(self) -> None:
        self._cursor.close()


class _Connection(aiosqlite.Connection):
    @contextmanager
    async def cursor(self) -> aiosqlite.Cursor:
        return _Cursor(self, self._conn.cursor())


async def _connected(address: URL) -> aiosqlite.Connection:
    def connect() -> sqlite3.Connection:
        return sqlite3.connect(address.database or ":memory:", check_same_thread=False)

    connection = _Connection(connect, iter_chunk_size=64)
    connection._thread.daemon = True
    return await connection


def _tune_sqlite(engine: AsyncEngine) -> None:
    @sa.event.listens_for(engine.sync_engine, "connect")
    def tune(connection: Any, _: object) -> None:
        connection.isolation_level = None  # SQLAlchemy's BEGIN below is the only one
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=30000"):
            connection.execute(f"PRAGMA {pragma}").close()

    @sa.event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Connection) -> None:
        # A writer takes the lock before it reads: two processes then wait for each other instead of failing. A reader
        # asks one thing at a time and needs no transaction: each call to SQLite is a way to its thread and back.
        if connection.get_execution_options().get("writing", False):
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    def in_transaction(end: Callable[[Any], None]) -> Callable[[Any], None]:
        def end_it(connection: Any) -> None:
            if connection.driver_connection.in_transaction:
                end(connection)

        return end_it

    dialect = engine.sync_engine.dialect
    dialect.do_commit = in_transaction(dialect.do_commit)  # type: ignore[assignment,method-assign]
    dialect.do_rollback = in_transaction(dialect.do_rollback)  # type: ignore[assignment,method-assign]


def _upgrade(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
