"""Who thinks for house players, and how their moves get to the tables, without Discord."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from concurrent.futures.process import BrokenProcessPool
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot import house_players
from bot.agreements import Agreements
from bot.house_players import HousePlayers, Pool
from bot.store import CLOSED, Store
from bot.tables import LobbyRefusal, MovedOn, Person, Place, Table, Tables
from bot.thinking import Question, think
from rules import GAMES

ADA, BEN = Person(11, "Ada"), Person(12, "Ben")


class Pondering:
    """Answers for house players once it may."""

    def __init__(self) -> None:
        self.asked: asyncio.Queue[Question] = asyncio.Queue()
        self.may_answer = asyncio.Event()

    async def ask(self, question: Question) -> Any:
        self.asked.put_nowait(question)
        await self.may_answer.wait()
        return think(question)

    async def close(self) -> None:
        """There is nothing to end."""


class House:
    """One process: its tables, and the house players at them; what is shown is counted."""

    def __init__(self, store: Store, seed: int = 1) -> None:
        self.tables = Tables(store, clock=lambda: self.now, rng=random.Random(seed))
        self.now = datetime(2026, 1, 1, tzinfo=UTC)
        self.thinker = Pondering()
        self.shown: list[int] = []
        self.paused: list[float] = []
        self.players = HousePlayers(store, self.tables, self._show, self.thinker, 1.5, self._sleep)

    async def _show(self, number: int) -> None:
        self.shown.append(number)

    async def _sleep(self, seconds: float) -> None:
        self.paused.append(seconds)

    async def answered(self) -> None:
        """House players answer at once from now on, and nothing more is to be done."""
        self.thinker.may_answer.set()
        while under_way := self.players.under_way:
            await asyncio.wait(under_way)

    async def table(self, game: str = "triggle", *guests: Person, house: dict[str, Any] | None = None) -> Table:
        """A table of Ada, these guests and a house player, begun."""
        table = await self.tables.open(GAMES[game], Place(1, 2), ADA, GAMES[game].Options(), {}, house or {})
        for guest in guests:
            await self.tables.join(table.id, guest)
        await self.tables.add_house_player(table.id, ADA.id, "easy")
        return await self.tables.start(table.id, ADA.id)

    async def act(self, table: Table, person: Person) -> Table:
        """A person does the first thing that is legal."""
        table = await self.tables.table(table.id)
        seat = table.seat_of(person.id)
        assert seat is not None
        return await self.tables.act(table.id, person.id, None, table.game.legal(table.state, seat)[0])

    async def at_the_limit_of_adas_turn(self) -> Table:
        """A table of Ada, Ben and a house player, which sits in at the limit of one hour. Ada's turn has lasted so
        long."""
        table = await self.table("triggle", BEN, house={"turn_limit": "1h", "at_limit": "house"})
        self.thinker.may_answer.set()
        while table.seat_of(ADA.id) not in table.to_act:
            if table.seat_of(BEN.id) in table.to_act:
                await self.act(table, BEN)
            await self.answered()
            table = await self.tables.table(table.id)
        self.now += timedelta(hours=1)
        return table

    async def until_the_house_is_to_act(self, *guests: Person, house: dict[str, Any] | None = None) -> Table:
        """A table of Triggle at which a house player has something to decide, and is asked."""
        table = await self.table("triggle", *guests, house=house)
        while not table.robots_to_act:
            table = await self.act(table, next(one for one in (ADA, *guests) if table.seat_of(one.id) in table.to_act))
        return table


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path}/trigon.db")
    yield store
    await store.close()


# -- At the tables ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [key for key, game in GAMES.items() if game.Robot])
async def test_a_house_player_is_asked_with_the_view_of_its_seat_and_no_more(store: Store, game: str) -> None:
    house = House(store)
    table = await house.table(game)
    if not table.robots_to_act:
        table = await house.act(table, ADA)
    question = await house.thinker.asked.get()
    [seat] = table.robots_to_act
    assert table.seats[seat].of_the_house
    assert (question.game, question.level) == (game, "easy")
    assert question.view == table.view(seat)
    assert question.legal == tuple(table.game.legal(table.state, seat))
    await house.answered()
    assert not (await house.tables.table(table.id)).robots_to_act
    assert house.shown
    assert house.paused == [1.5] * len(house.shown)


async def test_two_processes_play_a_move_once(store: Store) -> None:
    one, other = House(store), House(store, seed=2)
    table = await one.until_the_house_is_to_act()
    await other.players.take_up()
    await asyncio.gather(one.thinker.asked.get(), other.thinker.asked.get())
    await asyncio.gather(one.answered(), other.answered())
    after = await one.tables.table(table.id)
    assert [row.seat for row in await store.actions(table.id)][-1] == table.to_act[0]
    assert after.turn == table.turn + 1
    assert len(one.shown) + len(other.shown) == 1


async def test_after_a_restart_the_house_takes_its_turn_up(store: Store) -> None:
    before = House(store)
    table = await before.until_the_house_is_to_act()
    await before.thinker.asked.get()
    before.players.stop()
    await before.answered()
    assert (await before.tables.table(table.id)).turn == table.turn, "a thought that was given up changes nothing"
    assert before.shown == []
    after = House(store)
    await after.players.take_up()
    await after.answered()
    assert (await after.tables.table(table.id)).turn == table.turn + 1
    await after.players.take_up()
    assert after.players.under_way == [], "there is nothing to take up where a person is to act"


async def test_a_thought_is_thrown_away_when_the_move_before_it_is_taken_back(store: Store) -> None:
    house = House(store)
    table = await house.until_the_house_is_to_act()
    await house.thinker.asked.get()
    assert await store.actions(table.id), "Ada has begun"
    back = await Agreements(house.tables).propose(table.id, ADA.id, "take_back")
    await house.answered()
    now = await house.tables.table(table.id)
    assert (now.turn, now.state) == (back.turn, back.state)


async def test_the_house_waits_while_the_game_is_paused(store: Store) -> None:
    house = House(store)
    agreements = Agreements(house.tables)
    table = await house.until_the_house_is_to_act(house={"turn_limit": "1h"})
    await agreements.propose(table.id, ADA.id, "pause")
    await house.answered()
    await house.players.take_up()
    await house.answered()
    assert (await house.tables.table(table.id)).state == table.state
    await agreements.resume(table.id, ADA.id)
    await house.answered()
    assert (await house.tables.table(table.id)).state != table.state


async def test_a_house_player_that_fails_is_asked_again_later(store: Store) -> None:
    house = House(store)

    class Ill(Pondering):
        async def ask(self, question: Question) -> Any:
            raise BrokenProcessPool("it ended")

    well, house.players._thinker = house.thinker, Ill()
    table = await house.until_the_house_is_to_act()
    await house.answered()
    assert (await house.tables.table(table.id)).turn == table.turn
    house.players._thinker = well
    await house.players.take_up()
    await house.answered()
    assert (await house.tables.table(table.id)).turn == table.turn + 1


async def test_who_acts_again_where_the_house_sat_in_has_the_seat_back_and_it_acts_no_more(store: Store) -> None:
    house = House(store)
    table = await house.at_the_limit_of_adas_turn()
    [seat] = table.to_act
    house.thinker = house.players._thinker = Pondering()
    sat_in = await house.tables.time_out(table.id, seat)
    assert sat_in is not None
    assert (sat_in.seats[seat].robot, sat_in.deadline(seat), sat_in.voters()) == ("normal", None, (BEN.id,))
    assert await house.tables.time_out(table.id, seat) is None, "it has no time to run out"
    await house.thinker.asked.get()
    acted = await house.act(table, ADA)
    assert acted.seats[seat].robot is None
    before = await store.actions(table.id)
    with pytest.raises(MovedOn):
        await house.tables.act_for_the_house(table.id, seat, sat_in.turn, table.game.legal(table.state, seat)[1])
    assert await store.actions(table.id) == before
    with pytest.raises(LobbyRefusal, match="nobody_sits_in"):
        await Agreements(house.tables).take_seat_back(table.id, ADA.id)
    await house.answered()
    assert seat not in {row.seat for row in (await store.actions(table.id))[len(before) :]}


async def test_where_nobody_is_left_to_play_with_the_limit_closes_the_table(store: Store) -> None:
    house = House(store)
    table = await house.at_the_limit_of_adas_turn()
    sat_in = await house.tables.time_out(table.id, table.to_act[0])
    assert sat_in is not None
    await house.answered()
    house.now += timedelta(hours=1)
    table = await house.tables.table(table.id)
    assert [table.people[seat] for seat in table.to_act] == [BEN.id]
    closed = await house.tables.time_out(table.id, table.to_act[0])
    assert closed is not None
    assert (closed.status, closed.robots_to_act) == (CLOSED, ())
    assert closed.sat_in == sat_in.sat_in, "nobody begins to sit in at a closed table"


async def test_the_house_takes_over_a_seat_vacant_for_too_long_until_its_owner_comes(store: Store) -> None:
    house = House(store)
    agreements = Agreements(house.tables)
    table = await house.at_the_limit_of_adas_turn()
    [seat] = table.to_act
    await agreements.offer_seat(table.id, ADA.id)
    assert await agreements.give_up_vacant(table.id, seat) is None, "somebody may still want it"
    house.now += timedelta(hours=1)
    taken = await agreements.give_up_vacant(table.id, seat)
    assert taken is not None
    assert (taken.seats[seat].robot, taken.seats[seat].vacant is None) == ("normal", False)
    await house.answered()
    back = await agreements.come_back(table.id, ADA.id)
    assert (back.seats[seat].robot, back.seats[seat].vacant) == (None, None)


# -- The processes ---------------------------------------------------------------------------------------------------


def question(**changed: Any) -> Question:
    """What the first player of a game of Triggle is asked."""
    game = GAMES["triggle"]
    rng, options = random.Random(1), game.Options()
    setup = game.seating([None, None], options, {}, rng).setup
    state = game.start(setup, options, game.deal(setup, options, rng))
    [seat] = game.to_act(state)
    asked = {"level": "easy", "seed": 7, "seconds": 1.0, **changed}
    return Question("triggle", view=game.view(state, seat), legal=tuple(game.legal(state, seat)), **asked)


def processes(pool: Pool) -> list[int]:
    """The processes that a pool has."""
    return list(pool._executor._processes) if pool._executor else []


async def test_a_killed_process_is_replaced_and_the_question_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Pool(1)
    try:
        assert processes(pool) == [], "it costs nothing before it is needed"
        assert await pool.ask(question()) == think(question())
        [first] = processes(pool)
        assert os.getpriority(os.PRIO_PROCESS, first) > os.getpriority(os.PRIO_PROCESS, 0)
        os.kill(first, signal.SIGSTOP)  # it is certainly not quicker than its end
        asked = asyncio.create_task(pool.ask(question()))
        await asyncio.sleep(0)
        os.kill(first, signal.SIGKILL)
        assert await asked == think(question())
        [second] = processes(pool)
        assert second != first
        monkeypatch.setattr(house_players, "IDLE", 0.0)
        await pool.ask(question())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert processes(pool) == [], "it costs nothing when it is needed no more"
        given_up = asyncio.create_task(pool.ask(question(level="hard", seconds=0.1)))
        await asyncio.sleep(0)
        given_up.cancel()
    finally:
        await pool.close()
    assert processes(pool) == []


def test_a_process_that_thinks_loads_nothing_but_the_rules() -> None:
    code = "import sys, bot.thinking; print(*{name.split('.')[0] for name in sys.modules})"
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )
    assert {"rules", "bot"} <= loaded
    assert not loaded & {"discord", "sqlalchemy", "PIL", "alembic", "aiohttp", "asyncio"}
