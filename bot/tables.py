"""What people do at a table, one method a use case. Nothing here knows Discord, nothing is shown from here.

Every change is judged against the table as stored and written in one transaction; where somebody was quicker it is
read and judged again. Refusals come in a fixed order: no such table, over, no seat, the table has moved on, not your
turn, not a legal move.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from types import GenericAlias
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import msgspec

from bot.store import (
    CLOSED,
    FORMER,
    HOUSE,
    LOBBY,
    OVER,
    PLAYING,
    ActionRow,
    Again,
    Behind,
    SeatRow,
    Store,
    TableRow,
    TimerRow,
)
from rules import GAMES
from rules.game import Event, Game, Options, Refusal, Result, Step, from_json, to_json, translatable

Clock = Callable[[], datetime]


class TurnLimit(NamedTuple):
    """How long a player may take for a turn, and how people read it."""

    label: str
    span: timedelta | None


TURN_LIMITS: Mapping[str, TurnLimit] = {
    "none": TurnLimit(translatable("none"), None),
    "5min": TurnLimit(translatable("5 minutes"), timedelta(minutes=5)),
    "1h": TurnLimit(translatable("1 hour"), timedelta(hours=1)),
    "12h": TurnLimit(translatable("12 hours"), timedelta(hours=12)),
    "1d": TurnLimit(translatable("1 day"), timedelta(days=1)),
    "3d": TurnLimit(translatable("3 days"), timedelta(days=3)),
    "7d": TurnLimit(translatable("7 days"), timedelta(days=7)),
}
"""Those that a server can set, by their values in its settings."""

QUIET_LOBBY = timedelta(minutes=30)
"""How long a lobby waits for the next person."""

VACANCY = timedelta(days=1)
"""How long a vacant seat stays in the game where there is no turn limit, once it is its turn."""

HOUSE_PLAYERS = ("Pip", "Momo", "Dot", "Tock", "Juno", "Bibi", "Otto", "Zuzu")
"""The house players' names; at a table, each has the id `HOUSE` less its place here."""

SITTING_IN = "normal"
"""The level of a house player that sits in for somebody."""


def now() -> datetime:
    """The real clock."""
    return datetime.now(UTC)


# -- Refusals of the table, beside those of the rules ----------------------------------------------------------------


class NoSuchTable(Refusal):
    """There is no table of this number, or none that the words mean."""

    code = "table"

    def __init__(self, **facts: object) -> None:
        super().__init__("no_table", **facts)


class TableOver(Refusal):
    """The table's game has ended, or was closed."""

    code = "over"

    def __init__(self, status: str) -> None:
        super().__init__("table_over", status=status)


class NoSeat(Refusal):
    """The person does not sit at this table."""

    code = "seat"

    def __init__(self) -> None:
        super().__init__("no_seat")


class MovedOn(Refusal):
    """The control pressed was made for an earlier turn of this seat."""

    code = "moved_on"

    def __init__(self) -> None:
        super().__init__("moved_on")


class LobbyRefusal(Refusal):
    """Something that the lobby does not allow; `rule` says what: started, full, joined, not_opener, too_few …"""

    code = "lobby"


# -- Tables as people see them ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Person:
    """Somebody on Discord: their id and the name others see."""

    id: int
    name: str


@dataclass(frozen=True)
class Place:
    """Where a table is on Discord: its server (None: none), channel, and thread where it has one of its own."""

    server: int | None
    channel: int
    thread: int | None = None

    @property
    def here(self) -> int:
        """The channel or thread in which the table is played."""
        return self.thread or self.channel


@dataclass(frozen=True)
class Happening:
    """One stored action and the events it led to. `action` is None for a leaving or an offer."""

    turn: int
    seat: int
    kind: str
    action: Any
    events: tuple[Event, ...]
    at: datetime


class Proposal(msgspec.Struct, frozen=True):
    """Something that those at the table have to agree on: `kind` says what, `by` who proposed it, `agreed` who agreed.

    `seat`, `person` and `name` belong to the kind "seat": who would take over which seat. `turn` is the table's when it
    was made: a control shown before was for another.
    """

    kind: str
    by: int
    agreed: tuple[int, ...] = ()
    seat: int = -1
    person: int = 0
    name: str = ""
    turn: int = 0


class Table:
    """A table as it was when read, or when it was changed: `written` is then the action stored with that change.

    Decoding waits until it is needed.
    """

    def __init__(self, row: TableRow, seats: tuple[SeatRow, ...], written: ActionRow | None = None) -> None:
        self.row = row
        self.seats = seats
        self.game: Game[Any, Any] = GAMES[row.game]
        self._written = written

    @property
    def id(self) -> int:
        return self.row.id

    @property
    def status(self) -> str:
        return self.row.status

    @property
    def turn(self) -> int:
        return self.row.turn

    @property
    def place(self) -> Place:
        return Place(self.row.server, self.row.channel, self.row.thread)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, by seat; house players' with their mark."""
        return tuple(seat.shown_name for seat in self.seats)

    @property
    def people(self) -> tuple[int, ...]:
        """The players' ids, by seat; those below 1 are nobody's on Discord."""
        return tuple(seat.person for seat in self.seats)

    @cached_property
    def options(self) -> Options:
        return msgspec.convert(dict(self.row.options), self.game.Options)

    @cached_property
    def setup(self) -> Any:
        return from_json(self._started(self.row.setup), self.game.Setup)

    @cached_property
    def deal(self) -> Any:
        return from_json(self._started(self.row.deal), self.game.Deal)

    @cached_property
    def state(self) -> Any:
        return from_json(self._started(self.row.state), self.game.State)

    @cached_property
    def to_act(self) -> tuple[int, ...]:
        """The seats that have something to decide; nobody in a lobby or when all is over."""
        return self.game.to_act(self.state) if self.status == PLAYING else ()

    @property
    def robots_to_act(self) -> tuple[int, ...]:
        """The seats at which a house player has something to decide; none during a pause."""
        return () if self.row.paused else tuple(seat for seat in self.to_act if self.seats[seat].robot is not None)

    @property
    def house_sits_in(self) -> bool:
        """Whether a house player takes over when somebody's time is over, instead of their leaving."""
        return self.row.house.get("at_limit") == "house" and self.game.Robot is not None

    @cached_property
    def result(self) -> Result | None:
        return self.game.result(self.state) if self.row.state else None

    @property
    def happened(self) -> Happening | None:
        """The action that this table comes from, where it comes from one just stored."""
        return None if self._written is None else _happening(self.game, self._written)

    def noted(self, values: Mapping[str, Any]) -> Table:
        """The same table with other columns that say what was shown of it."""
        return Table(replace(self.row, **values), self.seats)

    def seat_of(self, person: int) -> int | None:
        """The seat a person has."""
        return next((seat.seat for seat in self.seats if seat.person == person), None)

    @property
    def proposal(self) -> Proposal | None:
        """What somebody has proposed to the others."""
        return None if self.row.proposal is None else msgspec.convert(dict(self.row.proposal), Proposal)

    def voters(self) -> tuple[int, ...]:
        """The people whose agreement a proposal needs: everybody who is still there."""
        return tuple(row.person for row in self.seats if row.present)

    def deadline(self, seat: int) -> datetime | None:
        """Until when a seat has to act; None where no limit runs."""
        if self.seats[seat].robot is not None:
            return None
        moment = self.row.deadlines[seat] if seat < len(self.row.deadlines) else None
        return None if moment is None or self.row.paused else datetime.fromtimestamp(moment, UTC)

    @property
    def limit(self) -> timedelta | None:
        """The turn limit that the table was opened with."""
        limit = TURN_LIMITS.get(str(self.row.house.get("turn_limit", "none")))
        return limit.span if limit else None

    def seat_turn(self, seat: int) -> int:
        """The turn at which this seat's choices last changed."""
        return self.row.seat_turns[seat]

    def view(self, seat: int | None) -> Any:
        """What a seat, or the public (None), may know."""
        return self.game.view(self.state, seat)

    @property
    def free_seats(self) -> tuple[int, ...]:
        """The seats in the game that somebody else can take."""
        return tuple(row.seat for row in self.seats if row.vacant is not None and not row.gone)

    @property
    def sat_in(self) -> tuple[int, ...]:
        """The seats in the game at which a house player sits in for their owner."""
        return tuple(row.seat for row in self.seats if row.robot and not row.of_the_house and not row.gone)

    @cached_property
    def playable(self) -> tuple[int, ...]:
        """The numbers of players with which this table's game can begin."""
        return self.game.seats_with(self.options, _given(self))

    @property
    def full(self) -> bool:
        """Whether nobody else can sit down."""
        return len(self.seats) >= self.playable[-1]

    @property
    def opener_name(self) -> str:
        """The name of whoever can start the game."""
        return next((row.name for row in self.seats if row.person == self.row.opener), FORMER)

    def after(self, change: Change) -> Table:
        """The table as it will be when this has been written."""
        row = replace(self.row, **change.values, turn=self.turn + 1)
        return Table(row, self.seats if change.seated is None else tuple(change.seated), change.action)

    def _started(self, text: str | None) -> str:
        if text is None:
            raise LobbyRefusal("not_started")
        return text


@dataclass(frozen=True)
class Change:
    """What a use case writes: columns of the table, its seats where they change, the action played; or the turn from
    which on actions are taken back."""

    values: Mapping[str, Any] = field(default_factory=dict)
    seated: Sequence[SeatRow] | None = None
    action: ActionRow | None = None
    taken_back: int | None = None

    def then(self, more: Change) -> Change:
        """Both, written at once."""
        seated = self.seated if more.seated is None else more.seated
        return Change(
            {**self.values, **more.values}, seated, self.action or more.action, self.taken_back or more.taken_back
        )


def nothing_follows(table: Table, change: Change) -> Change:
    """Where nobody has agreed on anything."""
    return change


class Tables:
    """The use cases. One lock a table keeps one process's presses in order; the turn keeps several honest."""

    def __init__(self, store: Store, clock: Clock = now, rng: random.Random | None = None) -> None:
        self.store = store
        self.clock = clock
        self.rng = rng or random.SystemRandom()
        self.timers_changed = asyncio.Event()
        self.follow: Callable[[Table, Change], Change] = nothing_follows
        """What is written together with a change, by what players have agreed on."""
        self.robot_to_act: Callable[[int], None] = lambda number: None
        """Called with a table's number whenever a house player has something to decide there."""
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    # -- Looking --

    async def table(self, number: int) -> Table:
        """The table of this number; raises `NoSuchTable`."""
        found = await self.store.table(number)
        if found is None or found[0].game not in GAMES:
            raise NoSuchTable(table=number)
        return Table(*found)

    async def tables_of(self, person: int) -> list[Table]:
        """The tables at which a person sits, in a lobby or in play."""
        return [await self.table(number) for number in await self.store.tables_of(person)]

    async def meant(self, place: Place, person: int, game: str, number: int | None = None) -> Table:
        """The table of a game that a typed command means: the one named, else this thread's, else the person's only
        one here. One named must be theirs or of this server.

        Raises `NoSuchTable`; its fact `tables` holds the numbers to choose from, where there are several.
        """
        if number is not None:
            named = await self.table(number)
            near = named.seat_of(person) is not None or named.place.server == place.server
            if named.game.key != game or not near:
                raise NoSuchTable(table=number)
            return named
        here = [await self.table(found) for found in await self.store.tables_at(place.here, (PLAYING, LOBBY))]
        here = [table for table in here if table.game.key == game]
        own_thread = [table for table in here if table.row.thread == place.here]
        mine = [table for table in here if table.seat_of(person) is not None]
        for candidates in (own_thread, [table for table in mine if table.status == PLAYING], mine):
            if len(candidates) == 1:
                return candidates[0]
        raise NoSuchTable(tables=tuple(table.id for table in mine))

    async def happenings(self, table: Table, last: int | None) -> list[Happening]:
        """The table's last actions, oldest first; None: all of them."""
        return [_happening(table.game, row) for row in await self.store.actions(table.id, last)]

    def seat_at(self, table: Table, person: int) -> int:
        """The person's seat at a table in play; raises `TableOver`, `LobbyRefusal`, `NoSeat`."""
        if table.status in (OVER, CLOSED):
            raise TableOver(table.status)
        seat = table.seat_of(person)
        if seat is None:
            raise NoSeat
        if table.status == LOBBY:
            raise LobbyRefusal("not_started")
        return seat

    def check(self, table: Table, person: int, turn: int | None) -> int:
        """The seat of somebody who may act now, by the refusals' order; `turn` is that of the control pressed."""
        seat = self.seat_at(table, person)
        if turn is not None and turn < table.seat_turn(seat):
            raise MovedOn
        table.game.refuse_out_of_turn(table.state, seat)
        return seat

    # -- The lobby --

    async def open(
        self,
        game: Game[Any, Any],
        place: Place,
        opener: Person,
        options: Options,
        given: Mapping[str, Any],
        house: Mapping[str, Any],
    ) -> Table:
        """Open a table; its opener sits down first.

        `given` are setup fields that it brings along, `house` what of the server's settings differs from the usual:
        both as JSON, and kept by the table whatever is set later.
        """
        values = lobby_values(game, place, opener.id, options.changed(), given, house, self.clock())
        return await self.add(values, [SeatRow(0, opener.id, opener.name)])

    async def add(self, values: Mapping[str, Any], seated: Sequence[SeatRow], again: Again | None = None) -> Table:
        """Store a new lobby with its timer; raises `Behind` where it is the rematch of a table that has another."""
        quiet = TimerRow(0, "lobby", -1, values["changed"] + QUIET_LOBBY)
        table = await self.table(await self.store.add_table(values, seated, [quiet], again))
        self.timers_changed.set()
        return table

    async def join(self, number: int, person: Person) -> Table:
        """Sit down in a lobby; raises `LobbyRefusal` started, joined or full."""

        def sit(table: Table) -> Change:
            in_lobby(table)
            if table.seat_of(person.id) is not None:
                raise LobbyRefusal("joined")
            if table.full:
                raise LobbyRefusal("full", seats=len(table.seats))
            return Change(seated=[*table.seats, SeatRow(len(table.seats), person.id, person.name)])

        return await self.change(number, sit)

    async def wish(self, number: int, person: int, wish: str | None) -> Table:
        """Say which colour or team one would like; None: any. Raises `LobbyRefusal` no_such_wish."""

        def choose(table: Table) -> Change:
            seat = _lobby_seat(table, person)
            if wish is not None and wish not in table.game.wishes(len(table.seats), table.options):
                raise LobbyRefusal("no_such_wish", wish=wish)
            return Change(seated=with_seat(table.seats, seat, wish=wish))

        return await self.change(number, choose)

    async def leave_lobby(self, number: int, person: int) -> Table:
        """Stand up in a lobby. The next in line succeeds an opener who goes; the last to go closes the table."""

        def stand_up(table: Table) -> Change:
            seat = _lobby_seat(table, person)
            staying = [row for row in table.seats if row.seat != seat]
            people = [row.person for row in staying if not row.of_the_house]
            if not people:
                return Change({"status": CLOSED}, [])
            opener = people[0] if table.row.opener == person else table.row.opener
            return Change({"opener": opener}, [replace(row, seat=index) for index, row in enumerate(staying)])

        return await self.change(number, stand_up)

    async def remove(self, number: int, opener: int, person: int) -> Table:
        """The opener asks somebody else to stand up. Raises `LobbyRefusal` not_opener, and `MovedOn` for a guest who
        has gone."""

        def stand_up(table: Table) -> Change:
            _opener_only(table, opener)
            if person == opener or table.seat_of(person) is None:
                raise MovedOn
            staying = [row for row in table.seats if row.person != person]
            return Change(seated=[replace(row, seat=index) for index, row in enumerate(staying)])

        return await self.change(number, stand_up)

    async def hand_over(self, number: int, opener: int, person: int) -> Table:
        """The opener makes somebody else at the table the opener. Raises `LobbyRefusal` not_opener, and `MovedOn` for a
        guest who has gone."""

        def hand_over(table: Table) -> Change:
            _opener_only(table, opener)
            seat = table.seat_of(person)
            if seat is None or table.seats[seat].of_the_house:
                raise MovedOn
            return Change({"opener": person})

        return await self.change(number, hand_over)

    async def add_house_player(self, number: int, opener: int, level: str) -> Table:
        """The opener lets a house player of this level sit down. Raises `LobbyRefusal` no_house_players or full."""

        def sit(table: Table) -> Change:
            _opener_only(table, opener)
            if table.game.Robot is None or level not in table.game.Robot.LEVELS:
                raise LobbyRefusal("no_house_players")
            ids = {HOUSE - place: name for place, name in enumerate(HOUSE_PLAYERS)}
            free = [one for one in ids if one not in table.people]
            if table.full or not free:
                raise LobbyRefusal("full", seats=len(table.seats))
            person = self.rng.choice(free)
            return Change(seated=[*table.seats, SeatRow(len(table.seats), person, ids[person], robot=level)])

        return await self.change(number, sit)

    async def start(self, number: int, person: int) -> Table:
        """Seat everybody, deal and begin. Raises `LobbyRefusal` not_opener or too_few, and what the rules refuse."""

        def begin(table: Table) -> Change:
            _opener_only(table, person)
            return self.begun(table, table.turn + 1)

        return await self.change(number, begin)

    def begun(self, table: Table, turn: int) -> Change:
        """What is written when a lobby's game begins at this turn. Raises `LobbyRefusal` too_few, and what the rules
        refuse."""
        game, people = table.game, table.seats
        if len(people) < table.playable[0]:
            raise LobbyRefusal("too_few", needed=table.playable[0], seats=len(people))
        seating = game.seating([row.wish for row in people], table.options, _given(table), self.rng)
        deal = game.deal(seating.setup, table.options, self.rng)
        state = game.start(seating.setup, table.options, deal)
        values = {
            "status": PLAYING,
            "version": game.version,
            "setup": to_json(seating.setup),
            "deal": to_json(deal),
            "salt": secrets.token_hex(16),
            "state": to_json(state),
            "seat_turns": [turn] * len(people),
            "deadlines": self.fresh_deadlines(table, game.to_act(state)),
            "proposal": None,
        }
        return Change(values, [replace(people[index], seat=seat) for seat, index in enumerate(seating.order)])

    def fresh_deadlines(self, table: Table, to_act: Sequence[int]) -> list[float | None]:
        """Per seat, until when it has to act (seconds since 1970), where everybody's time begins now."""
        if table.limit is None:
            return []
        # In a pause the clocks stand; its end lets them run on.
        until = ((table.row.paused or self.clock()) + table.limit).timestamp()
        return [until if seat in to_act else None for seat in range(len(table.seats))]

    # -- The game --

    async def act(self, number: int, person: int, turn: int | None, action: Any, known: Table | None = None) -> Table:
        """Play an action, or the text of one. `turn` is that of the control pressed, None for a typed command.

        `known` is the table as it was just read.
        """

        def play(table: Table) -> Change:
            seat = self.check(table, person, turn)
            wanted = table.game.parse(table.state, seat, action) if isinstance(action, str) else action
            change = self.step(table, seat, "play", table.game.play(table.state, seat, wanted), wanted)
            return _back(table, seat, change)

        return await self.change(number, play, known)

    async def act_for_the_house(self, number: int, seat: int, turn: int, action: Any) -> Table:
        """Play what a house player has chosen for its seat, having seen the table at this turn.

        Raises `MovedOn` where it has other choices by now, or none.
        """

        def play(table: Table) -> Change:
            if seat not in table.robots_to_act or turn < table.seat_turn(seat):
                raise MovedOn
            return self.step(table, seat, "play", table.game.play(table.state, seat, action), action)

        return await self.change(number, play)

    async def leave(self, number: int, person: int) -> Table:
        """Give up one's seat in the game for good."""

        def leave(table: Table) -> Change:
            seat = self.seat_at(table, person)
            return self.step(table, seat, "leave", table.game.leave(table.state, seat))

        return await self.change(number, leave)

    async def offer_draw(self, number: int, person: int) -> Table:
        """Offer a draw, or accept one."""

        def offer(table: Table) -> Change:
            seat = self.seat_at(table, person)
            if playing_on := [row.shown_name for row in table.seats if row.robot is not None and not row.gone]:
                raise LobbyRefusal("house_plays_on", players=tuple(playing_on))
            return _back(table, seat, self.step(table, seat, "draw", table.game.offer_draw(table.state, seat)))

        return await self.change(number, offer)

    async def close(self, number: int) -> Table:
        """End a table unfinished."""

        def end(table: Table) -> Change:
            if table.status in (OVER, CLOSED):
                raise TableOver(table.status)
            return Change({"status": CLOSED})

        return await self.change(number, end)

    async def time_out(self, number: int, seat: int) -> Table | None:
        """The seat's time has run out: see `overdue`. None where it has acted meanwhile."""

        def leave(table: Table) -> Change:
            deadline = table.deadline(seat) if table.status == PLAYING else None
            if deadline is None or deadline > self.clock():
                raise LobbyRefusal("in_time")
            return self.overdue(table, seat)

        return await unless_refused(self.change(number, leave))

    def overdue(self, table: Table, seat: int) -> Change:
        """What is written when a seat's time is over: it leaves the game, or a house player sits in where the table
        wants that and somebody else is still there."""
        if not table.house_sits_in:
            return self.step(table, seat, "leave", table.game.leave(table.state, seat))
        seated = with_seat(table.seats, seat, robot=SITTING_IN)
        # Whoever was asked to agree to something may be another now.
        return Change({"proposal": None}, seated) if _peopled(seated) else Change({"proposal": None, "status": CLOSED})

    async def expire(self, number: int) -> Table | None:
        """A lobby has been quiet for too long and is closed. None where it has not."""

        def close(table: Table) -> Change:
            if table.status != LOBBY or self.clock() < table.row.changed + QUIET_LOBBY:
                raise LobbyRefusal("in_time")
            return Change({"status": CLOSED})

        return await unless_refused(self.change(number, close))

    def step(self, table: Table, seat: int, kind: str, step: Step, action: Any = None) -> Change:
        """What is written when a seat's action has led to this step."""
        moment = self.clock()
        turns = _seat_turns(table, seat, step.state)
        to_act = table.game.to_act(step.state)
        seated: Sequence[SeatRow] = vacancies_later(table, moment) if table.row.paused else table.seats
        if kind == "leave":
            seated = [_gone(row) if row.seat == seat else row for row in seated]
        values = {
            "status": OVER if not to_act else PLAYING if _peopled(seated) else CLOSED,
            "version": table.game.version,
            "state": to_json(step.state),
            "seat_turns": turns,
            "deadlines": _deadlines(table, turns, to_act, moment),
            "paused": None,
        }
        written = None if action is None else to_json(action)
        row = ActionRow(table.turn + 1, seat, kind, written, to_json(step.events), moment)
        return Change(values, None if seated is table.seats else seated, row)

    async def change(self, number: int, judge: Callable[[Table], Change], known: Table | None = None) -> Table:
        """Judge the table as it is and write what comes of it, anew until nobody was quicker.

        Where the table as it was just read is `known`, that is judged first.
        """
        lock = self._locks.setdefault(number, asyncio.Lock())
        async with lock:
            if known is not None:
                with suppress(Behind, Refusal):
                    return await self._write(known, judge(known))
            while True:
                table = await self.table(number)
                with suppress(Behind):
                    return await self._write(table, judge(table))

    async def _write(self, table: Table, change: Change) -> Table:
        """Write a change of a table as it was judged, and what follows from it; raises `Behind`."""
        moment = self.clock()
        change = self.follow(table, change).then(Change({"changed": moment}))
        after = table.after(change)
        change = change.then(Change({"robot_to_act": bool(after.robots_to_act)}))
        timing = timers_of(after, moment)
        kept = None if not timing and not timers_of(table, moment) else timing
        await self.store.change_table(
            table.id, table.turn, change.values, change.seated, change.action, kept, change.taken_back
        )
        if timing:
            self.timers_changed.set()
        if after.robots_to_act:
            self.robot_to_act(table.id)
        return after


async def unless_refused(change: Coroutine[Any, Any, Table]) -> Table | None:
    """The table changed; None where it has changed before, so that there is nothing to do."""
    try:
        return await change
    except Refusal:
        return None


def timers_of(table: Table, moment: datetime) -> list[TimerRow]:
    """Everything that is to be done at a table from this moment on, as it is now. A reminder is not set anew late."""
    if table.status == LOBBY:
        return [TimerRow(table.id, "lobby", -1, table.row.changed + QUIET_LOBBY)]
    found: list[TimerRow] = []
    for seat in () if table.row.paused else table.to_act:
        if table.seats[seat].robot is not None:
            continue
        deadline, limit, vacant = table.deadline(seat), table.limit, table.seats[seat].vacant
        if vacant is not None:
            found.append(TimerRow(table.id, "vacancy", seat, vacant + (limit or VACANCY)))
        elif deadline is not None and limit is not None:
            reminders = (("half", deadline - limit / 2), ("tenth", deadline - limit / 10))
            found += [TimerRow(table.id, kind, seat, due) for kind, due in reminders if due > moment]
            found.append(TimerRow(table.id, "limit", seat, deadline))
    return found


def _back(table: Table, seat: int, change: Change) -> Change:
    """A change made by a person: whoever acts is back, if their seat was vacant or a house player sat in."""
    if table.seats[seat].present:
        return change
    seated = table.seats if change.seated is None else change.seated
    return change.then(Change(seated=with_seat(seated, seat, vacant=None, robot=None)))


def with_seat(seated: Sequence[SeatRow], seat: int, **changed: Any) -> list[SeatRow]:
    """All seats, this one with other values."""
    return [replace(row, **changed) if row.seat == seat else row for row in seated]


def _gone(row: SeatRow) -> SeatRow:
    """The seat of somebody who has left; nobody sits in for them any more."""
    return replace(row, gone=True, robot=row.robot if row.of_the_house else None)


def _peopled(seated: Sequence[SeatRow]) -> bool:
    """Whether anybody but house players is still in the game."""
    return any(row.robot is None and not row.gone for row in seated)


def lobby_values(
    game: Game[Any, Any],
    place: Place,
    opener: int,
    options: Mapping[str, Any],
    given: Mapping[str, Any],
    house: Mapping[str, Any],
    moment: datetime,
) -> dict[str, Any]:
    """The columns of a new table; `options`, `given` and `house` are JSON."""
    return {
        "game": game.key,
        "version": game.version,
        "status": LOBBY,
        "server": place.server,
        "channel": place.channel,
        "thread": place.thread,
        "opener": opener,
        "options": options,
        "given": given,
        "house": house,
        "turn": 1,
        "seat_turns": [],
        "shown_turn": 0,
        "shown_to_act": [],
        "made": moment,
        "changed": moment,
    }


def vacancies_later(table: Table, moment: datetime) -> list[SeatRow]:
    """The seats where a pause ends now: what it lasted is no time that a seat has been vacant."""
    paused = table.row.paused or moment
    return [
        row if row.vacant is None else replace(row, vacant=row.vacant + (moment - max(paused, row.vacant)))
        for row in table.seats
    ]


def _deadlines(table: Table, turns: Sequence[int], to_act: Sequence[int], moment: datetime) -> list[float | None]:
    """Per seat, until when it has to act (seconds since 1970): anew for whoever has other choices than before."""
    if table.limit is None:
        return []
    fresh = (moment + table.limit).timestamp()
    paused = moment - table.row.paused if table.row.paused else timedelta(0)
    before = list(table.row.deadlines) or [None] * len(turns)
    return [
        None if seat not in to_act else fresh if old is None or turn > table.turn else old + paused.total_seconds()
        for seat, (turn, old) in enumerate(zip(turns, before, strict=True))
    ]


def in_lobby(table: Table) -> None:
    """Raises what keeps a lobby's use case from a table that has begun or ended."""
    if table.status == PLAYING:
        raise LobbyRefusal("started")
    if table.status != LOBBY:
        raise TableOver(table.status)


def _given(table: Table) -> dict[str, Any]:
    """The setup fields that a table brought along, back from JSON."""
    kinds = {field.name: field.type for field in msgspec.structs.fields(table.game.Setup)}
    return {name: msgspec.convert(value, kinds[name]) for name, value in table.row.given.items() if name in kinds}


def _opener_only(table: Table, person: int) -> None:
    _lobby_seat(table, person)
    if table.row.opener != person:
        raise LobbyRefusal("not_opener", opener=table.opener_name)


def _lobby_seat(table: Table, person: int) -> int:
    in_lobby(table)
    seat = table.seat_of(person)
    if seat is None:
        raise NoSeat
    return seat


def _seat_turns(table: Table, actor: int, after: Any) -> list[int]:
    """Per seat, the turn at which its choices last changed: the new one for the actor and all with other choices."""

    def choices(state: Any, seat: int) -> Sequence[object]:
        return table.game.legal(state, seat) if seat in table.game.to_act(state) else ()

    return [
        table.turn + 1 if seat == actor or choices(table.state, seat) != choices(after, seat) else turn
        for seat, turn in enumerate(table.row.seat_turns)
    ]


def _happening(game: Game[Any, Any], row: ActionRow) -> Happening:
    action = None if row.action is None else from_json(row.action, game.Action)
    kind = GenericAlias(tuple, (game.Event, ...))
    return Happening(row.turn, row.seat, row.kind, action, from_json(row.events, kind), row.at)
