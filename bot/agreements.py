"""What people agree on beside the rules: beginning when full, taking back, pausing, closing, handing on a seat, playing
again.

One proposal stands at a table at a time. It is carried out when everybody who is still there has agreed, in the same
transaction as the last agreement; or as what took away the last who had not: where somebody leaves, a proposal stands
for the others, and where somebody comes back, they are asked as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import msgspec

from bot.store import CLOSED, LOBBY, OVER, PLAYING, ActionRow, Again, Behind, SeatRow
from bot.tables import (
    Change,
    LobbyRefusal,
    MovedOn,
    NoSeat,
    Person,
    Proposal,
    Table,
    TableOver,
    Tables,
    lobby_values,
    timers_of,
    unless_refused,
    vacancies_later,
    with_seat,
)
from rules.game import Refusal, from_json, to_json

PROPOSED = {LOBBY: ("full",), PLAYING: ("take_back", "pause", "close")}
"""What people may propose to each other, by the table's status; "seat" is proposed from outside."""


class Agreements:
    """The use cases of agreeing."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        tables.follow = self._follow

    # -- Proposals --

    async def propose(self, number: int, person: int, kind: str) -> Table:
        """Propose to begin when "full", to "take_back", "pause" or "close"; raises `LobbyRefusal` where that cannot be,
        and `MovedOn` for what can no longer be proposed."""
        actions = await self._store.actions(number)

        def judge(table: Table) -> Change:
            _voter(table, person)
            if kind not in PROPOSED[table.status] or (kind == "full" and table.row.start_when_full):
                raise MovedOn
            if table.row.proposal is not None:
                raise LobbyRefusal("proposal_stands")
            if kind == "pause" and (table.limit is None or table.row.paused):
                raise LobbyRefusal("no_clock")
            if kind == "take_back":
                _before_last(table, actions)
            return self._with(table, Proposal(kind, person, turn=table.turn + 1), person, actions)

        return await self._tables.change(number, judge)

    async def wait_for_start(self, number: int, person: int) -> Table:
        """Whoever sits in a lobby no longer wants it to begin by itself."""

        def judge(table: Table) -> Change:
            _voter(table, person)
            if table.status != LOBBY or not table.row.start_when_full:
                raise MovedOn
            return Change({"start_when_full": False})

        return await self._tables.change(number, judge)

    async def propose_seat(self, number: int, person: Person, seat: int) -> Table:
        """Somebody from outside offers to take over a vacant seat."""

        def judge(table: Table) -> Change:
            _in_play(table)
            if table.seat_of(person.id) is not None:
                raise LobbyRefusal("joined")
            if seat not in table.free_seats:
                raise LobbyRefusal("not_vacant")
            if table.row.proposal is not None:
                raise LobbyRefusal("proposal_stands")
            proposal = Proposal("seat", person.id, seat=seat, person=person.id, name=person.name, turn=table.turn + 1)
            return self._with(table, proposal, None, ())

        return await self._tables.change(number, judge)

    async def agree(self, number: int, person: int, turn: int | None = None) -> Table:
        """Agree to what stands; carried out when everybody has. `turn` is that of the control pressed."""
        actions = await self._store.actions(number)

        def judge(table: Table) -> Change:
            _voter(table, person)
            return self._with(table, _standing(table, turn), person, actions)

        return await self._tables.change(number, judge)

    async def decline(self, number: int, person: int, turn: int | None = None) -> Table:
        """Decline what stands, or take one's own proposal back."""

        def judge(table: Table) -> Change:
            if _standing(table, turn).by != person:
                _voter(table, person)
            return Change({"proposal": None})

        return await self._tables.change(number, judge)

    def _with(self, table: Table, proposal: Proposal, person: int | None, actions: Sequence[ActionRow]) -> Change:
        agreed = proposal.agreed if person is None else tuple(sorted({*proposal.agreed, person}))
        return self._weighed(table, msgspec.structs.replace(proposal, agreed=agreed), actions, table.turn + 1)

    def _weighed(self, table: Table, proposal: Proposal, actions: Sequence[ActionRow], turn: int) -> Change:
        """The proposal carried out at this turn where everybody has agreed, else as it stands."""
        if set(table.voters()) <= set(proposal.agreed):
            return self._carried_out(table, proposal, actions, turn)
        return Change({"proposal": msgspec.to_builtins(proposal)})

    def _carried_out(self, table: Table, proposal: Proposal, actions: Sequence[ActionRow], turn: int) -> Change:
        match proposal.kind:
            case "full":
                return Change({"proposal": None, "start_when_full": True})
            case "take_back":
                return self._taken_back(table, actions, turn)
            case "pause":
                return Change({"proposal": None, "paused": self._tables.clock()})
            case "seat":
                taken = {"person": proposal.person, "name": proposal.name, "vacant": None, "robot": None}
                seated = with_seat(table.seats, proposal.seat, **taken)
                deadlines = self._tables.fresh_deadlines(table, table.to_act)
                return Change({"proposal": None, "deadlines": deadlines}, seated)
            case _:
                return Change({"proposal": None, "status": CLOSED})

    def _follow(self, table: Table, change: Change) -> Change:
        """A change with what follows from it: proposals stand for those who are there then, and a lobby that has
        agreed to it begins when the last seat is taken."""
        if table.proposal is not None and "proposal" not in change.values:
            change = change.then(self._proposal_after(table.after(change), change, ()))
        after = table.after(change)
        if after.status == LOBBY and after.row.start_when_full and after.full:
            with suppress(Refusal):  # two wish for the same: the lobby says that somebody has to see to it
                return change.then(self._tables.begun(after, after.turn))
        return change

    def _proposal_after(self, after: Table, change: Change, actions: Sequence[ActionRow]) -> Change:
        proposal = after.proposal
        assert proposal is not None  # asked only where one stands
        if not _still_stands(proposal, after, change):
            return Change({"proposal": None})
        agreed = tuple(person for person in proposal.agreed if person in after.voters())
        return self._weighed(after, msgspec.structs.replace(proposal, agreed=agreed), actions, after.turn)

    def _taken_back(self, table: Table, actions: Sequence[ActionRow], turn: int) -> Change:
        state, first = _before_last(table, actions)
        values = {
            "state": to_json(state),
            "seat_turns": [turn] * len(table.seats),
            "proposal": None,
            "deadlines": self._tables.fresh_deadlines(table, table.game.to_act(state)),
        }
        return Change(values, taken_back=first)

    # -- Pauses and seats --

    async def hold(self, number: int) -> Table:
        """Nobody can see the table where it is: its limits stand, as in a pause, until somebody goes on."""

        def judge(table: Table) -> Change:
            _in_play(table)
            if table.limit is None or table.row.paused is not None:
                raise LobbyRefusal("no_clock")
            return Change({"paused": self._tables.clock()})

        return await unless_refused(self._tables.change(number, judge)) or await self._tables.table(number)

    async def resume(self, number: int, person: int) -> Table:
        """End a pause: the limits run on from where they stood."""

        def judge(table: Table) -> Change:
            _own_seat(table, person)
            if table.row.paused is None:
                raise LobbyRefusal("no_pause")
            now = self._tables.clock()
            stood = (now - table.row.paused).total_seconds()
            later = [None if moment is None else moment + stood for moment in table.row.deadlines]
            return Change({"paused": None, "deadlines": later}, vacancies_later(table, now))

        return await self._tables.change(number, judge)

    async def offer_seat(self, number: int, person: int) -> Table:
        """Offer one's seat to others: it is vacant until somebody takes it, or its owner comes back."""
        return await self._empty(number, lambda table: _own_seat(table, person))

    async def vacate(self, number: int, seat: int) -> Table:
        """A seat's owner is no longer on the server."""
        return await self._empty(number, lambda table: seat)

    async def _empty(self, number: int, seat_of: Callable[[Table], int]) -> Table:
        actions = await self._store.actions(number)

        def judge(table: Table) -> Change:
            seat = seat_of(table)
            _in_play(table)
            since = table.seats[seat].vacant or self._tables.clock()
            change = Change({}, with_seat(table.seats, seat, vacant=since))
            if table.proposal is None:
                return change
            return change.then(self._proposal_after(table.after(change), change, actions))

        return await self._tables.change(number, judge)

    async def come_back(self, number: int, person: int) -> Table:
        """The owner of a vacant seat is there again."""

        def judge(table: Table) -> Change:
            seat = _own_seat(table, person)
            vacant = table.seats[seat].vacant
            if vacant is None:
                raise LobbyRefusal("not_vacant")
            if table.seats[seat].robot is not None:
                return self._back_from_the_house(table, seat)
            # The limit runs on from where it stood: coming and going wins no time, and a pause is counted once.
            stood = max(0.0, ((table.row.paused or self._tables.clock()) - vacant).total_seconds())
            deadlines = [
                moment + stood if moment is not None and one == seat else moment
                for one, moment in enumerate(table.row.deadlines)
            ]
            return Change({"deadlines": deadlines}, with_seat(table.seats, seat, vacant=None))

        return await self._tables.change(number, judge)

    async def take_seat_back(self, number: int, person: int) -> Table:
        """The owner of a seat at which a house player sits in is there again."""

        def judge(table: Table) -> Change:
            seat = _own_seat(table, person)
            if table.seats[seat].robot is None:
                raise LobbyRefusal("nobody_sits_in")
            return self._back_from_the_house(table, seat)

        return await self._tables.change(number, judge)

    def _back_from_the_house(self, table: Table, seat: int) -> Change:
        """The owner's again, with a whole turn's time."""
        fresh = self._tables.fresh_deadlines(table, table.to_act)
        deadlines = [fresh[one] if one == seat else moment for one, moment in enumerate(table.row.deadlines)]
        return Change({"deadlines": deadlines}, with_seat(table.seats, seat, vacant=None, robot=None))

    async def give_up_vacant(self, number: int, seat: int) -> Table | None:
        """A seat has been vacant for too long and it is its turn: see `Tables.overdue`. None where that has changed."""

        def judge(table: Table) -> Change:
            due = [
                timer.due
                for timer in timers_of(table, self._tables.clock())
                if (timer.kind, timer.seat) == ("vacancy", seat)
            ]
            if not due or due[0] > self._tables.clock():
                raise LobbyRefusal("in_time")
            return self._tables.overdue(table, seat)

        return await unless_refused(self._tables.change(number, judge))

    async def remove_player(self, number: int, seat: int) -> Table:
        """An admin removes a player from a table in play."""

        def judge(table: Table) -> Change:
            _in_play(table)
            if seat not in range(len(table.seats)) or table.seats[seat].gone:
                raise MovedOn
            return self._tables.step(table, seat, "leave", table.game.leave(table.state, seat))

        return await self._tables.change(number, judge)

    # -- Playing again --

    async def rematch(self, number: int, person: int, options: Mapping[str, Any], house: Mapping[str, Any]) -> Table:
        """A new lobby with the same people, seats rotated; the same one for whoever asks again.

        `options` and `house` are those that a table opened now gets, as JSON.
        """
        while True:
            table = await self._tables.table(number)
            if table.seat_of(person) is None:
                raise NoSeat
            if table.status not in (OVER, CLOSED):
                raise LobbyRefusal("not_over")
            if standing := await self._standing_rematch(table):
                return standing
            place = replace(table.place, thread=None)
            values = lobby_values(table.game, place, person, options, table.row.given, house, self._tables.clock())
            with suppress(Behind):  # somebody was quicker: theirs is the one
                return await self._tables.add(values, _rotated(table), Again(table.id, table.row.rematch))

    async def _standing_rematch(self, table: Table) -> Table | None:
        if table.row.rematch is None:
            return None
        again = await self._tables.table(table.row.rematch)
        return again if again.status in (LOBBY, PLAYING) else None


def _standing(table: Table, turn: int | None) -> Proposal:
    """What is proposed; raises `MovedOn` for a control that was shown for something else."""
    if table.proposal is None:
        raise LobbyRefusal("no_proposal")
    if turn is not None and turn < table.proposal.turn:
        raise MovedOn
    return table.proposal


def _in_play(table: Table) -> None:
    if table.status in (OVER, CLOSED):
        raise TableOver(table.status)
    if table.status != PLAYING:
        raise LobbyRefusal("not_started")


def _own_seat(table: Table, person: int) -> int:
    """The seat of somebody who has not left the game."""
    _in_play(table)
    seat = table.seat_of(person)
    if seat is None or table.seats[seat].gone:
        raise NoSeat
    return seat


def _voter(table: Table, person: int) -> None:
    """Raises what keeps somebody from proposing and agreeing."""
    if table.status != LOBBY and table.seats[seat := _own_seat(table, person)].vacant is not None:
        raise LobbyRefusal("seat_offered")
    if table.status != LOBBY and table.seats[seat].robot is not None:
        raise LobbyRefusal("house_sits_in")
    if person not in table.voters():
        raise NoSeat


def _still_stands(proposal: Proposal, after: Table, change: Change) -> bool:
    """Whether what is proposed can still be carried out, and whoever proposed it is still there."""
    match proposal.kind:
        case "seat":
            return after.status == PLAYING and proposal.seat in after.free_seats
        case "take_back" if change.action is not None:
            return False
        case _:
            return after.status in (LOBBY, PLAYING) and proposal.by in after.voters()


def _before_last(table: Table, actions: Sequence[ActionRow]) -> tuple[Any, int]:
    """The state before the last action of a person, and its turn; house players' actions since go with it.

    Raises `LobbyRefusal` where they cannot be taken back.
    """
    game, last = table.game, _last_of_a_person(table, actions)
    if last is None or table.row.version != game.version:
        raise LobbyRefusal("nothing_to_take_back")
    before = state = state_after(table, actions[:last])
    for row in actions[last:]:
        if row.kind != "play":
            raise LobbyRefusal("nothing_to_take_back")
        if game.unveils(state, row.seat, from_json(row.action or "", game.Action)):
            raise LobbyRefusal("cannot_be_unseen")
        state = _played(table, state, row)
    if state != table.state:
        raise LobbyRefusal("nothing_to_take_back")
    return before, actions[last].turn


def _last_of_a_person(table: Table, actions: Sequence[ActionRow]) -> int | None:
    people = [place for place, row in enumerate(actions) if table.seats[row.seat].robot is None]
    return people[-1] if people else None


def state_after(table: Table, actions: Sequence[ActionRow]) -> Any:
    """The state that a table's stored actions lead to from its deal."""
    state = table.game.start(table.setup, table.options, table.deal)
    for row in actions:
        state = _played(table, state, row)
    return state


def _played(table: Table, state: Any, row: ActionRow) -> Any:
    game = table.game
    match row.kind:
        case "leave":
            return game.leave(state, row.seat).state
        case "draw":
            return game.offer_draw(state, row.seat).state
        case _:
            return game.play(state, row.seat, from_json(row.action or "", game.Action)).state


def _rotated(table: Table) -> list[SeatRow]:
    # Who has been forgotten cannot be asked again. Who sat in for somebody does no longer.
    players = [row for row in (*table.seats[1:], *table.seats[:1]) if row.person > 0 or row.of_the_house]
    return [
        SeatRow(seat, row.person, row.name, robot=row.robot if row.of_the_house else None)
        for seat, row in enumerate(players)
    ]
