"""What players agree on beside the rules: taking back, pausing, closing, handing a seat on, playing again.

One proposal stands at a table at a time. It is carried out when everybody who is still there has agreed, in the same
transaction as the last agreement.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import msgspec

from bot.store import CLOSED, LOBBY, OVER, PLAYING, ActionRow, SeatRow
from bot.tables import Change, LobbyRefusal, MovedOn, NoSeat, Person, Proposal, Table, TableOver, Tables, timers_of
from rules.game import Refusal, from_json, to_json

PROPOSED = ("take_back", "pause", "close")
"""What players may propose to each other; "seat" is proposed from outside."""


class Agreements:
    """The use cases of agreeing."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self._one_rematch = asyncio.Lock()

    # -- Proposals --

    async def propose(self, number: int, person: int, kind: str) -> Table:
        """Propose to "take_back", "pause" or "close"; raises `LobbyRefusal` where that cannot be."""
        actions = await self._store.actions(number)

        def judge(table: Table) -> Change:
            seat = self._present_seat(table, person)
            if table.row.proposal is not None:
                raise LobbyRefusal("proposal_stands")
            if kind not in PROPOSED:
                raise LobbyRefusal("no_proposal")
            if kind == "pause" and (table.limit is None or table.row.paused):
                raise LobbyRefusal("no_clock")
            if kind == "take_back":
                _before_last(table, actions)
            return self._with(table, Proposal(kind, table.people[seat], turn=table.turn + 1), person, actions)

        return await self._tables.change(number, judge)

    async def propose_seat(self, number: int, person: Person, seat: int) -> Table:
        """Somebody from outside offers to take over a vacant seat."""

        def judge(table: Table) -> Change:
            _in_play(table)
            if table.seat_of(person.id) is not None:
                raise LobbyRefusal("joined")
            if table.seats[seat].vacant is None:
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
            self._present_seat(table, person)
            return self._with(table, _standing(table, turn), person, actions)

        return await self._tables.change(number, judge)

    async def decline(self, number: int, person: int, turn: int | None = None) -> Table:
        """Decline what stands, or take one's own proposal back."""

        def judge(table: Table) -> Change:
            if _standing(table, turn).by != person:
                self._present_seat(table, person)
            return Change({"proposal": None})

        return await self._tables.change(number, judge)

    def _with(self, table: Table, proposal: Proposal, person: int | None, actions: Sequence[ActionRow]) -> Change:
        agreed = proposal.agreed if person is None else tuple(sorted({*proposal.agreed, person}))
        if set(table.voters()) <= set(agreed):
            return self._carried_out(table, proposal, actions)
        return Change({"proposal": msgspec.to_builtins(msgspec.structs.replace(proposal, agreed=agreed))})

    def _carried_out(self, table: Table, proposal: Proposal, actions: Sequence[ActionRow]) -> Change:
        match proposal.kind:
            case "take_back":
                return self._taken_back(table, actions)
            case "pause":
                return Change({"proposal": None, "paused": self._tables.clock()})
            case "seat":
                if table.seats[proposal.seat].vacant is None or table.seats[proposal.seat].gone:
                    raise LobbyRefusal("not_vacant")
                taken = SeatRow(proposal.seat, proposal.person, proposal.name, table.seats[proposal.seat].wish)
                seated = [taken if row.seat == proposal.seat else row for row in table.seats]
                return Change({"proposal": None, "deadlines": self._fresh(table, table.to_act)}, seated)
            case _:
                return Change({"proposal": None, "status": CLOSED})

    def _taken_back(self, table: Table, actions: Sequence[ActionRow]) -> Change:
        state = _before_last(table, actions)
        values = {
            "state": to_json(state),
            "seat_turns": [table.turn + 1] * len(table.seats),
            "proposal": None,
            "deadlines": self._fresh(table, table.game.to_act(state)),
        }
        return Change(values, taken_back=actions[-1].turn)

    def _fresh(self, table: Table, to_act: Sequence[int]) -> list[float | None]:
        if table.limit is None:
            return []
        until = (self._tables.clock() + table.limit).timestamp()
        return [until if seat in to_act else None for seat in range(len(table.seats))]

    def _present_seat(self, table: Table, person: int) -> int:
        _in_play(table)
        seat = table.seat_of(person)
        if seat is None or table.seats[seat].gone:
            raise NoSeat
        return seat

    # -- Pauses and seats --

    async def resume(self, number: int, person: int) -> Table:
        """End a pause: the limits run on from where they stood."""

        def judge(table: Table) -> Change:
            self._present_seat(table, person)
            if table.row.paused is None:
                raise LobbyRefusal("no_pause")
            stood = (self._tables.clock() - table.row.paused).total_seconds()
            later = [None if moment is None else moment + stood for moment in table.row.deadlines]
            return Change({"paused": None, "deadlines": later})

        return await self._tables.change(number, judge)

    async def offer_seat(self, number: int, person: int) -> Table:
        """Offer one's seat to others: it is vacant until somebody takes it, or its owner comes back."""

        def judge(table: Table) -> Change:
            return _vacancy(table, self._present_seat(table, person), self._tables.clock())

        return await self._tables.change(number, judge)

    async def vacate(self, number: int, seat: int) -> Table:
        """A seat's owner is no longer on the server."""
        return await self._tables.change(number, lambda table: _vacancy(table, seat, self._tables.clock()))

    async def come_back(self, number: int, person: int) -> Table:
        """The owner of a vacant seat is there again."""

        def judge(table: Table) -> Change:
            seat = self._present_seat(table, person)
            if table.seats[seat].vacant is None:
                raise LobbyRefusal("not_vacant")
            # The limit runs on from where it stood: coming and going wins no time.
            stood = (self._tables.clock() - (table.seats[seat].vacant or self._tables.clock())).total_seconds()
            deadlines = [
                moment + stood if moment is not None and one == seat else moment
                for one, moment in enumerate(table.row.deadlines)
            ]
            return replace(_vacancy(table, seat, None), values={"deadlines": deadlines, "proposal": None})

        return await self._tables.change(number, judge)

    async def give_up_vacant(self, number: int, seat: int) -> Table | None:
        """A seat has been vacant for too long and it is its turn: it leaves the game. None where that has changed."""

        def judge(table: Table) -> Change:
            due = [
                timer.due
                for timer in timers_of(table, self._tables.clock())
                if (timer.kind, timer.seat) == ("vacancy", seat)
            ]
            if not due or due[0] > self._tables.clock():
                raise LobbyRefusal("in_time")
            return self._tables.step(table, seat, "leave", table.game.leave(table.state, seat))

        try:
            return await self._tables.change(number, judge)
        except Refusal:
            return None

    async def remove_player(self, number: int, seat: int) -> Table:
        """An admin removes a player from a table in play."""

        def judge(table: Table) -> Change:
            _in_play(table)
            return self._tables.step(table, seat, "leave", table.game.leave(table.state, seat))

        return await self._tables.change(number, judge)

    # -- Playing again --

    async def rematch(self, number: int, person: int, options: Mapping[str, Any], house: Mapping[str, Any]) -> Table:
        """A new lobby with the same people, seats rotated; the same one for whoever asks again.

        `options` and `house` are those that a table opened now gets, as JSON.
        """
        async with self._one_rematch:
            table = await self._tables.table(number)
            if table.seat_of(person) is None:
                raise NoSeat
            if table.status not in (OVER, CLOSED):
                raise LobbyRefusal("not_over")
            return await self._standing_rematch(table) or await self._new_rematch(
                table, {**_again(table, person, self._tables.clock()), "options": options, "house": house}
            )

    async def _standing_rematch(self, table: Table) -> Table | None:
        if table.row.rematch is None:
            return None
        again = await self._tables.table(table.row.rematch)
        return again if again.status in (LOBBY, PLAYING) else None

    async def _new_rematch(self, table: Table, values: Mapping[str, Any]) -> Table:
        again = await self._tables.table(await self._store.add_table(values, _rotated(table)))
        await self._store.add_timers(timers_of(again, self._tables.clock()))

        def note(old: Table) -> Change:
            if old.row.rematch != table.row.rematch:
                raise LobbyRefusal("rematch_stands")
            return Change({"rematch": again.id})

        await self._tables.change(table.id, note)
        return again


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


def _vacancy(table: Table, seat: int, since: datetime | None) -> Change:
    _in_play(table)
    row = table.seats[seat]
    vacant = since and (row.vacant or since)
    # Whom a proposal needs has changed: it has to be made anew.
    return Change(
        {"proposal": None}, [replace(row, vacant=vacant) if one == seat else row for one, row in enumerate(table.seats)]
    )


def _before_last(table: Table, actions: Sequence[ActionRow]) -> Any:
    """The state before the last action; raises `LobbyRefusal` where it cannot be taken back."""
    game = table.game
    if not actions or actions[-1].kind != "play" or table.row.version != game.version:
        raise LobbyRefusal("nothing_to_take_back")
    state = state_after(table, actions[:-1])
    last = actions[-1]
    if _played(table, state, last) != table.state:
        raise LobbyRefusal("nothing_to_take_back")
    if game.unveils(state, last.seat, from_json(last.action or "", game.Action)):
        raise LobbyRefusal("cannot_be_unseen")
    return state


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


def _again(table: Table, opener: int, moment: datetime) -> dict[str, Any]:
    return {
        "game": table.game.key,
        "version": table.game.version,
        "status": LOBBY,
        "server": table.row.server,
        "channel": table.row.channel,
        "opener": opener,
        "given": dict(table.row.given),
        "turn": 1,
        "seat_turns": [],
        "shown_turn": 0,
        "shown_to_act": [],
        "made": moment,
        "changed": moment,
    }


def _rotated(table: Table) -> list[SeatRow]:
    # Who has been forgotten cannot be asked again.
    people = [row for row in (*table.seats[1:], *table.seats[:1]) if row.person > 0]
    return [SeatRow(seat, row.person, row.name) for seat, row in enumerate(people)]
