"""What people agree on beside the rules: who is asked, what it takes, and what becomes of it when somebody goes."""

import asyncio
import random
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot import schema
from bot.agreements import Agreements
from bot.store import Store
from bot.tables import LobbyRefusal, MovedOn, NoSeat, Person, Place, Table, Tables
from rules import GAMES
from rules.game import Refusal

ADA, BEN, CHEN, DORA, EVE = (Person(10 + number, name) for number, name in enumerate("ABCDE"))
TRIGGLE = GAMES["triggle"]
HOUR = timedelta(hours=1)


class Room:
    """Tables and agreements of one process over the file, with a clock that moves when told to."""

    def __init__(self, store: Store) -> None:
        self.now = datetime(2026, 5, 1, 12, tzinfo=UTC)
        self.tables = Tables(store, clock=lambda: self.now, rng=random.Random(3))
        self.agreements = Agreements(self.tables)

    async def lobby(self, *guests: Person, limit: str = "1h") -> Table:
        house = {"turn_limit": limit}
        table = await self.tables.open(TRIGGLE, Place(1, 2), ADA, TRIGGLE.Options(), {}, house)
        for guest in guests:
            table = await self.tables.join(table.id, guest)
        return table

    async def playing(self, *guests: Person, limit: str = "1h") -> Table:
        """A game in which Ada is to act."""
        table = await self.tables.start((await self.lobby(*guests, limit=limit)).id, ADA.id)
        while table.people[table.to_act[0]] != ADA.id:
            table = await self.play(table)
        return table

    async def play(self, table: Table) -> Table:
        seat = table.to_act[0]
        return await self.tables.act(table.id, table.people[seat], table.turn, table.game.legal(table.state, seat)[0])


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path}/trigon.db")
    yield Room(store)
    await store.close()


async def refused(doing: Any) -> tuple[type[Refusal], str]:
    with pytest.raises(Refusal) as caught:
        await doing
    return type(caught.value), caught.value.rule


# -- Beginning when full --


async def test_a_lobby_that_agreed_to_it_begins_with_the_join_that_fills_it(room: Room) -> None:
    table = await room.lobby(BEN)
    table = await room.agreements.propose(table.id, ADA.id, "full")
    assert not table.row.start_when_full
    table = await room.tables.join(table.id, CHEN)  # who comes while it is discussed is asked as well
    table = await room.agreements.agree(table.id, BEN.id)
    assert not table.row.start_when_full
    table = await room.agreements.agree(table.id, CHEN.id)
    assert (table.row.start_when_full, table.status) == (True, "lobby")
    before = table.turn
    table = await room.tables.join(table.id, DORA)
    assert (table.status, table.turn, len(table.to_act)) == ("playing", before + 1, 1)


async def test_a_full_lobby_begins_with_the_last_agreement(room: Room) -> None:
    table = await room.lobby(BEN, CHEN, DORA)
    await room.agreements.propose(table.id, BEN.id, "full")
    for person in (ADA, CHEN):
        assert (await room.agreements.agree(table.id, person.id)).status == "lobby"
    assert (await room.agreements.agree(table.id, DORA.id)).status == "playing"


async def test_whoever_stands_up_is_asked_no_more_and_anybody_can_take_it_back(room: Room) -> None:
    table = await room.lobby(BEN)
    await room.agreements.propose(table.id, ADA.id, "full")
    table = await room.tables.leave_lobby(table.id, BEN.id)
    assert (table.row.start_when_full, table.proposal) == (True, None)
    assert await refused(room.agreements.propose(table.id, ADA.id, "full")) == (MovedOn, "moved_on")
    await room.tables.join(table.id, BEN)
    assert not (await room.agreements.wait_for_start(table.id, BEN.id)).row.start_when_full
    assert await refused(room.agreements.wait_for_start(table.id, BEN.id)) == (MovedOn, "moved_on")
    assert await refused(room.agreements.propose(table.id, EVE.id, "full")) == (NoSeat, "no_seat")


async def test_two_wishes_for_one_colour_keep_a_full_lobby_until_one_gives_way(room: Room) -> None:
    table = await room.lobby(BEN, CHEN)
    await room.agreements.propose(table.id, ADA.id, "full")
    for person in (BEN, CHEN):
        await room.agreements.agree(table.id, person.id)
        await room.tables.wish(table.id, person.id, "blue")
    assert (await room.tables.join(table.id, DORA)).status == "lobby"
    assert (await room.tables.wish(table.id, BEN.id, None)).status == "playing"


async def test_what_belongs_to_a_game_is_not_proposed_in_a_lobby_nor_the_other_way(room: Room) -> None:
    table = await room.lobby(BEN)
    assert await refused(room.agreements.propose(table.id, ADA.id, "pause")) == (MovedOn, "moved_on")
    table = await room.playing(BEN)
    for kind in ("full", "nonsense"):
        assert await refused(room.agreements.propose(table.id, ADA.id, kind)) == (MovedOn, "moved_on")


# -- Whoever goes and comes --


async def test_a_proposal_stands_for_those_who_are_left_and_is_carried_out_when_they_agree(room: Room) -> None:
    table = await room.playing(BEN, CHEN)
    await room.agreements.propose(table.id, ADA.id, "close")
    table = await room.tables.leave(table.id, BEN.id)
    assert table.proposal is not None
    assert table.proposal.agreed == (ADA.id,)
    assert (await room.agreements.agree(table.id, CHEN.id)).status == "closed"


async def test_a_proposal_is_carried_out_when_the_last_who_had_not_agreed_goes(room: Room) -> None:
    table = await room.playing(BEN, CHEN)
    await room.agreements.propose(table.id, ADA.id, "pause")
    await room.agreements.agree(table.id, BEN.id)
    table = await room.tables.leave(table.id, CHEN.id)
    assert (table.proposal, table.row.paused) == (None, room.now)


async def test_the_last_move_goes_back_when_the_last_who_had_not_agreed_offers_their_seat(room: Room) -> None:
    table = await room.playing(BEN, CHEN)
    before = table.state
    table = await room.play(table)
    await room.agreements.propose(table.id, ADA.id, "take_back")
    await room.agreements.agree(table.id, BEN.id)
    table = await room.agreements.offer_seat(table.id, CHEN.id)
    assert (table.state, table.proposal) == (before, None)
    assert (await room.play(table)).state != before  # and whoever moved may move again at once


async def test_who_comes_back_is_asked_as_well(room: Room) -> None:
    table = await room.playing(BEN, CHEN)
    await room.agreements.offer_seat(table.id, CHEN.id)
    await room.agreements.propose(table.id, ADA.id, "close")
    table = await room.agreements.come_back(table.id, CHEN.id)
    assert table.proposal is not None
    assert (await room.agreements.agree(table.id, BEN.id)).status == "playing"
    assert (await room.agreements.agree(table.id, CHEN.id)).status == "closed"


async def test_a_proposal_goes_with_whoever_made_it_and_the_one_to_take_back_with_the_next_move(room: Room) -> None:
    table = await room.playing(BEN, CHEN)
    await room.agreements.propose(table.id, BEN.id, "close")
    assert (await room.tables.leave(table.id, BEN.id)).proposal is None
    table = await room.play(table)
    await room.agreements.propose(table.id, ADA.id, "take_back")
    assert (await room.play(table)).proposal is None


async def test_who_offered_their_seat_proposes_nothing_until_they_are_back_and_a_move_brings_them_back(
    room: Room,
) -> None:
    table = await room.playing(BEN, CHEN)
    table = await room.agreements.offer_seat(table.id, ADA.id)
    refusal = await refused(room.agreements.propose(table.id, ADA.id, "close"))
    assert refusal == (LobbyRefusal, "seat_offered")
    assert (await room.play(table)).free_seats == ()


async def test_of_several_free_seats_the_one_chosen_is_taken(room: Room) -> None:
    table = await room.playing(BEN, CHEN)
    for person in (BEN, CHEN):
        await room.agreements.offer_seat(table.id, person.id)
    second = table.seat_of(CHEN.id)
    assert second is not None
    await room.agreements.propose_seat(table.id, DORA, second)
    table = await room.agreements.agree(table.id, ADA.id)
    assert table.people[second] == DORA.id
    assert table.free_seats == (table.seat_of(BEN.id),)


# -- Clocks --


async def test_a_pause_is_no_time_in_which_a_seat_is_vacant(room: Room) -> None:
    table = await room.playing(BEN, CHEN)
    seat = table.to_act[0]
    await room.agreements.offer_seat(table.id, ADA.id)
    room.now += HOUR / 2
    await room.agreements.propose(table.id, BEN.id, "pause")
    await room.agreements.agree(table.id, CHEN.id)
    room.now += 10 * HOUR
    assert await room.agreements.give_up_vacant(table.id, seat) is None
    await room.agreements.resume(table.id, BEN.id)
    room.now += HOUR * 0.4
    assert await room.agreements.give_up_vacant(table.id, seat) is None
    room.now += HOUR * 0.2
    gone = await room.agreements.give_up_vacant(table.id, seat)
    assert gone is not None
    assert gone.seats[seat].gone


async def test_coming_back_in_a_pause_counts_no_time_twice(room: Room) -> None:
    table = await room.playing(BEN, CHEN)
    seat = table.to_act[0]
    room.now += HOUR / 2
    await room.agreements.offer_seat(table.id, ADA.id)
    await room.agreements.propose(table.id, BEN.id, "pause")
    await room.agreements.agree(table.id, CHEN.id)
    room.now += 10 * HOUR
    await room.agreements.come_back(table.id, ADA.id)
    table = await room.agreements.resume(table.id, BEN.id)
    assert table.deadline(seat) == room.now + HOUR / 2


async def test_a_move_ends_a_pause_for_vacant_seats_as_well(room: Room) -> None:
    table = await room.playing(BEN, CHEN)
    waiting = table.seat_of(BEN.id)
    assert waiting is not None
    await room.agreements.offer_seat(table.id, BEN.id)
    await room.agreements.propose(table.id, ADA.id, "pause")
    await room.agreements.agree(table.id, CHEN.id)
    room.now += 10 * HOUR
    table = await room.play(await room.tables.table(table.id))
    assert (table.row.paused, table.seats[waiting].vacant) == (None, room.now)


# -- Playing again --


async def test_two_processes_make_one_rematch_and_no_other_table_is_left_behind(room: Room, tmp_path: Path) -> None:
    other = Room(await Store.open(f"sqlite+aiosqlite:///{tmp_path}/trigon.db"))
    table = await room.playing(BEN)
    await room.tables.leave(table.id, BEN.id)
    asking = [one.agreements.rematch(table.id, person.id, {}, {}) for one in (room, other) for person in (ADA, BEN)]
    made = await asyncio.gather(*asking)
    assert {again.id for again in made} == {2}
    async with room.tables.store.engine.connect() as connection:
        assert (await connection.execute(sa.select(sa.func.count()).select_from(schema.tables))).scalar() == 2
        kinds = (await connection.execute(sa.select(schema.timers.c.table, schema.timers.c.kind))).all()
    assert [tuple(kind) for kind in kinds] == [(2, "lobby")]
    await other.tables.store.close()
