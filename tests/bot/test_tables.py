"""What people do at a table: every use case, every refusal in its order, and races."""

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.store import Store
from bot.tables import LobbyRefusal, MovedOn, NoSeat, NoSuchTable, Person, Place, Table, TableOver, Tables
from rules import GAMES
from rules.game import BadHeader, Illegal, NotYourTurn, Refusal, Unreadable

ADA, BEN, CHEN, DORA, EVE = people = [Person(10 + number, name) for number, name in enumerate("ABCDE")]
TRIGGLE = GAMES["triggle"]


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[Tables]:
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path}/trigon.db")
    yield Tables(store, rng=random.Random(3))
    await store.close()


async def lobby(tables: Tables, *others: Person) -> Table:
    table = await tables.open(TRIGGLE, Place(1, 2), ADA, TRIGGLE.Options(), {}, {})
    for person in others:
        table = await tables.join(table.id, person)
    return table


async def playing(tables: Tables, *others: Person) -> Table:
    table = await lobby(tables, *(others or (BEN,)))
    return await tables.start(table.id, ADA.id)


async def finished(tables: Tables) -> Table:
    table = await playing(tables)
    return await tables.leave(table.id, BEN.id)


def whose_turn(table: Table) -> int:
    return table.people[table.to_act[0]]


def who_waits(table: Table) -> int:
    return next(person for person in table.people if person != whose_turn(table))


async def refused(doing: Any) -> tuple[type[Refusal], str]:
    with pytest.raises(Refusal) as caught:
        await doing
    return type(caught.value), caught.value.rule


# -- The lobby --


async def test_the_opener_sits_first_and_others_join(tables: Tables) -> None:
    table = await lobby(tables, BEN, CHEN)
    assert (table.names, table.status, table.row.opener) == (("A", "B", "C"), "lobby", ADA.id)


async def test_nobody_joins_twice_or_a_full_or_started_or_unknown_table(tables: Tables) -> None:
    table = await lobby(tables, BEN)
    assert await refused(tables.join(table.id, BEN)) == (LobbyRefusal, "joined")
    for person in (CHEN, DORA):
        await tables.join(table.id, person)
    assert await refused(tables.join(table.id, EVE)) == (LobbyRefusal, "full")
    await tables.start(table.id, ADA.id)
    assert await refused(tables.join(table.id, EVE)) == (LobbyRefusal, "started")
    assert await refused(tables.join(999, EVE)) == (NoSuchTable, "no_table")


async def test_only_the_opener_starts_and_not_alone(tables: Tables) -> None:
    table = await lobby(tables)
    assert await refused(tables.start(table.id, ADA.id)) == (LobbyRefusal, "too_few")
    await tables.join(table.id, BEN)
    assert await refused(tables.start(table.id, BEN.id)) == (LobbyRefusal, "not_opener")
    assert await refused(tables.start(table.id, EVE.id)) == (NoSeat, "no_seat")
    assert (await tables.start(table.id, ADA.id)).status == "playing"
    assert await refused(tables.start(table.id, ADA.id)) == (LobbyRefusal, "started")


async def test_the_next_in_line_succeeds_an_opener_who_goes(tables: Tables) -> None:
    table = await lobby(tables, BEN, CHEN)
    table = await tables.leave_lobby(table.id, ADA.id)
    assert (table.row.opener, table.names, [seat.seat for seat in table.seats]) == (BEN.id, ("B", "C"), [0, 1])


async def test_a_table_that_everybody_left_is_closed(tables: Tables) -> None:
    table = await tables.leave_lobby((await lobby(tables)).id, ADA.id)
    assert table.status == "closed"
    assert await refused(tables.join(table.id, BEN)) == (TableOver, "table_over")


async def test_wishes_for_a_colour_are_kept(tables: Tables) -> None:
    table = await lobby(tables, BEN)
    await tables.wish(table.id, ADA.id, "orange")
    assert await refused(tables.wish(table.id, ADA.id, "purple")) == (LobbyRefusal, "no_such_wish")
    table = await tables.start(table.id, ADA.id)
    assert table.view(None).colours[table.seat_of(ADA.id) or 0] == "orange"


async def test_two_wishes_for_one_colour_do_not_start(tables: Tables) -> None:
    table = await lobby(tables, BEN)
    for person in (ADA, BEN):
        await tables.wish(table.id, person.id, "blue")
    assert await refused(tables.start(table.id, ADA.id)) == (BadHeader, "colour_taken")
    assert (await tables.table(table.id)).status == "lobby"


# -- The game --


async def test_a_whole_game_is_stored_action_by_action(tables: Tables) -> None:
    table = await playing(tables)
    rng = random.Random(1)
    while table.to_act:
        action = rng.choice(table.game.legal(table.state, table.to_act[0]))
        table = await tables.act(table.id, whose_turn(table), table.turn, action)
    assert table.status == "over"
    assert table.result is not None
    state = table.game.start(table.setup, table.options, table.deal)
    for happening in await tables.happenings(table, None):
        state = table.game.play(state, happening.seat, happening.action).state
    assert state == table.state


async def test_refusals_come_in_their_order(tables: Tables) -> None:
    table = await playing(tables)
    turn, waiting = table.turn, who_waits(table)
    assert await refused(tables.act(999, EVE.id, 0, "nonsense")) == (NoSuchTable, "no_table")
    assert await refused(tables.act(table.id, EVE.id, 0, "nonsense")) == (NoSeat, "no_seat")
    assert await refused(tables.act(table.id, waiting, 0, "nonsense")) == (MovedOn, "moved_on")
    assert await refused(tables.act(table.id, waiting, turn, "nonsense")) == (NotYourTurn, "turn")
    assert await refused(tables.act(table.id, whose_turn(table), turn, "nonsense")) == (Unreadable, "no_two_pegs")
    assert await refused(tables.act(table.id, whose_turn(table), turn, "A1-B1")) == (Illegal, "no_band")
    over = await finished(tables)
    assert await refused(tables.act(over.id, EVE.id, 0, "nonsense")) == (TableOver, "table_over")


async def test_a_refused_action_changes_nothing(tables: Tables) -> None:
    table = await playing(tables)
    await refused(tables.act(table.id, whose_turn(table), table.turn, "A1-B1"))
    after = await tables.table(table.id)
    assert (after.turn, after.state) == (table.turn, table.state)


async def test_a_press_made_for_an_old_turn_changes_nothing(tables: Tables) -> None:
    table = await playing(tables)
    first, old_turn = whose_turn(table), table.turn
    table = await tables.act(table.id, first, old_turn, "A1-D4")
    table = await tables.act(table.id, whose_turn(table), table.turn, "A1-A4")
    assert whose_turn(table) == first
    assert await refused(tables.act(table.id, first, old_turn, "B1-B4")) == (MovedOn, "moved_on")
    assert (await tables.table(table.id)).turn == table.turn


async def test_a_double_click_plays_once(tables: Tables) -> None:
    table = await playing(tables)
    presses = [tables.act(table.id, whose_turn(table), table.turn, "A1-D4") for _ in range(20)]
    results = await asyncio.gather(*presses, return_exceptions=True)
    assert [type(result) for result in results].count(Table) == 1
    assert [type(result) for result in results].count(MovedOn) == 19
    assert len(await tables.happenings(table, None)) == 1


async def test_of_two_processes_at_the_same_turn_one_wins_and_the_other_judges_again(
    tables: Tables, tmp_path: Path
) -> None:
    other = Tables(await Store.open(f"sqlite+aiosqlite:///{tmp_path}/trigon.db"))
    try:
        table = await playing(tables)
        presses = [
            process.act(table.id, whose_turn(table), table.turn, band)
            for process, band in ((tables, "A1-D4"), (other, "A1-A4"), (tables, "B1-B4"), (other, "C1-C4"))
        ]
        results = await asyncio.gather(*presses, return_exceptions=True)
        assert [type(result) for result in results].count(Table) == 1
        assert len(await tables.happenings(table, None)) == 1
    finally:
        await other.store.close()


async def test_a_hundred_people_join_at_once_and_four_sit(tables: Tables) -> None:
    table = await lobby(tables)
    crowd = [tables.join(table.id, Person(1000 + number, f"P{number}")) for number in range(100)]
    results = await asyncio.gather(*crowd, return_exceptions=True)
    assert [type(result) for result in results].count(LobbyRefusal) == 97
    assert len((await tables.table(table.id)).seats) == 4


async def test_leaving_is_an_action_out_of_turn_and_ends_a_game_of_two(tables: Tables) -> None:
    table = await playing(tables)
    stays = whose_turn(table)
    table = await tables.leave(table.id, who_waits(table))
    assert table.status == "over"
    assert table.result is not None
    assert [table.people[seat] for seat in table.result.winners] == [stays]


async def test_who_left_is_told_so(tables: Tables) -> None:
    table = await playing(tables, BEN, CHEN)
    await tables.leave(table.id, BEN.id)
    assert (await refused(tables.leave(table.id, BEN.id)))[1] == "left"


async def test_a_closed_table_takes_no_action(tables: Tables) -> None:
    table = await tables.close((await playing(tables)).id)
    assert await refused(tables.act(table.id, ADA.id, table.turn, "A1-D4")) == (TableOver, "table_over")
    assert await refused(tables.close(table.id)) == (TableOver, "table_over")


async def test_a_game_that_has_no_draws_refuses_an_offer(tables: Tables) -> None:
    table = await playing(tables)
    assert (await refused(tables.offer_draw(table.id, ADA.id)))[1] == "no_draws"


# -- Which table is meant --


async def test_a_typed_command_means_the_threads_table_or_the_only_one_here(tables: Tables) -> None:
    first, second = await playing(tables), await playing(tables)
    here, thread = Place(1, 2), Place(1, 2, 77)
    assert await refused(tables.meant(here, ADA.id, "triggle")) == (NoSuchTable, "no_table")
    assert (await tables.meant(here, ADA.id, "triggle", second.id)).id == second.id
    await tables.store.mark_shown(first.id, {"thread": 77})
    assert (await tables.meant(thread, EVE.id, "triggle")).id == first.id
    await tables.close(first.id)
    assert (await tables.meant(here, ADA.id, "triggle")).id == second.id
    assert await refused(tables.meant(here, EVE.id, "triggle")) == (NoSuchTable, "no_table")


async def test_a_table_named_must_be_of_the_game_and_of_this_server_or_ones_own(tables: Tables) -> None:
    table = await playing(tables)
    elsewhere = Place(9, 9)
    assert await refused(tables.meant(Place(1, 2), ADA.id, "chess", table.id)) == (NoSuchTable, "no_table")
    assert await refused(tables.meant(elsewhere, EVE.id, "triggle", table.id)) == (NoSuchTable, "no_table")
    assert (await tables.meant(elsewhere, ADA.id, "triggle", table.id)).id == table.id
    assert (await tables.meant(Place(1, 5), EVE.id, "triggle", table.id)).id == table.id
