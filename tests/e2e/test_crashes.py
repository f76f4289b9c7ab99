"""A hundred games of every game there is, with the power cut at random points: nothing lost, nothing doubled.

They are played twenty at a time, so that each cut finds twenty games in the middle of something.
"""

import asyncio
import io
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest
from PIL import Image

from bot import panel
from bot.agreements import state_after
from bot.page import Picture
from bot.playground.driver import Shown
from bot.store import LOBBY
from bot.tables import Person, Place, Table
from rules.game import Open, Refusal
from tests.e2e.evening import Evening, PowerCut, an_evening

TABLES = 100
AT_A_TIME = 20
WRITES = 150
"""So many writes the games of one evening make, about."""
MOST_SEATS = 4


async def open_lobbies(evening: Evening, rng: random.Random) -> None:
    """A hundred lobbies, of every game in turn, with as many people as there are; at some a house player is the last,
    and some will get a thread."""
    people = [Person(int(person.id), person.name) for person in evening.people]
    faces = list(evening.bot.faces.values())
    home, games = int(evening.people.world.home.id), int(evening.people.channel("#games").id)
    for number in range(TABLES):
        game = faces[number % len(faces)].game
        seats = rng.choice([count for count in game.seats if count <= MOST_SEATS])
        house = {"threads": number % 10 == 0, "turn_limit": "1d"}
        table = await evening.bot.tables.open(game, Place(home, games), people[0], game.Options(), {}, house)
        with_house = game.Robot is not None and number // len(faces) % 3 == 0
        for person in people[1 : seats - with_house]:
            await evening.bot.tables.join(table.id, person)
        if with_house:
            await evening.bot.tables.add_house_player(table.id, people[0].id, "easy")
        if house["threads"]:
            await evening.bot.showing.show(table.id)


class Playing:
    """What people do at one table, at random, each thing stored and shown as the cogs do it."""

    def __init__(self, evening: Evening, number: int) -> None:
        self.bot, self.number = evening.bot, number
        self.people = [Person(int(person.id), person.name) for person in evening.people]
        self.rng = random.Random(number)
        self.doings: list[Callable[[Table], Awaitable[object]]] = [self.act] * 8
        self.doings += [self.leave, self.draw, self.agree, self.vacate, self.come_back, self.take_over]

    async def go_on(self) -> None:
        """Begin, and do some things; what the rules refuse changes nothing."""
        table = await self.bot.tables.table(self.number)
        if table.status == LOBBY:
            await self.bot.tables.start(self.number, table.row.opener)
        for _ in range(self.rng.randrange(1, 6)):
            table = await self.bot.tables.table(self.number)
            # Else it is over, a house player thinks, or nobody is there.
            if set(table.to_act) > set(table.robots_to_act) and table.voters():
                with suppress(Refusal):
                    await self.rng.choice(self.doings)(table)
        await self.bot.showing.show(self.number)

    async def act(self, table: Table) -> None:
        seat = self.rng.choice([seat for seat in table.to_act if seat not in table.robots_to_act])
        action = self.rng.choice(table.game.legal(table.state, seat))
        wanted = action.sample(self.rng) if isinstance(action, Open) else action
        await self.bot.tables.act(self.number, table.people[seat], None, wanted)
        if self.rng.random() < 0.5:
            await self.bot.showing.show(self.number)

    async def leave(self, table: Table) -> None:
        await self.bot.tables.leave(self.number, self.rng.choice(table.voters()))

    async def draw(self, table: Table) -> None:
        for person in table.voters():
            await self.bot.tables.offer_draw(self.number, person)

    async def agree(self, table: Table) -> None:
        kind = self.rng.choice(("take_back", "take_back", "pause", "close"))
        await self.bot.agreements.propose(self.number, table.voters()[0], kind)
        for person in table.voters()[1:]:
            await self.bot.agreements.agree(self.number, person)

    async def vacate(self, table: Table) -> None:
        await self.bot.agreements.offer_seat(self.number, self.rng.choice(table.voters()))

    async def come_back(self, table: Table) -> None:
        await self.bot.agreements.come_back(self.number, self.rng.choice(table.people))

    async def take_over(self, table: Table) -> None:
        """Somebody from outside takes a seat that is free."""
        seat = self.rng.choice([row.seat for row in table.seats if row.present])
        await self.bot.agreements.offer_seat(self.number, table.people[seat])
        outside = next((person for person in self.people if person.id not in table.people), None)
        if outside is not None:
            await self.bot.agreements.propose_seat(self.number, outside, seat)
            for voter in table.voters():
                await self.bot.agreements.agree(self.number, voter)


def blank(table: Table, *_: object) -> Picture:
    """A picture by its right name, not drawn."""
    file = io.BytesIO()
    Image.new("L", (1, 1)).save(file, "PNG")
    return Picture(file.getvalue(), "blank", f"{table.game.key}-{table.id}-{table.turn}.png")


async def test_a_hundred_games_survive_power_cuts_at_random_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Other tests draw, and hold what is sent against Discord's description: here that would take half of the time.
    monkeypatch.setattr(panel, "board", blank)
    async with an_evening(tmp_path, describe=False) as evening:
        await play_and_cut(evening, random.Random(8))


async def play_and_cut(evening: Evening, rng: random.Random) -> None:
    """Cut the power while twenty games go on, five times, and look at all that is left."""
    await open_lobbies(evening, rng)
    numbers = list(range(1, TABLES + 1))
    rng.shuffle(numbers)
    for first in range(0, TABLES, AT_A_TIME):
        evening.cut_the_power(writes=rng.randrange(WRITES // 10, WRITES))
        games = [Playing(evening, number).go_on() for number in numbers[first : first + AT_A_TIME]]
        ends = await asyncio.gather(*games, return_exceptions=True)
        assert {type(end) for end in ends} <= {type(None), PowerCut}
        await evening.restart()
    for number in numbers:
        await check_table(evening, await evening.table(number))
    check_messages(evening)


async def check_table(evening: Evening, table: Table) -> None:
    """What is stored agrees with itself, and what is shown with what is stored."""
    assert (table.row.shown_turn, table.row.told_turn) == (table.turn, table.turn)
    board = await evening.board(table.id)
    if table.row.state is None:
        assert "Start" in board.labels
        return
    assert table.robots_to_act == (), "a house player has not been taken up again"
    assert state_after(table, await evening.bot.store.actions(table.id)) == table.state
    assert board.pictures[0].filename == f"{table.game.key}-{table.id}-{table.turn}.png"


def check_messages(evening: Evening) -> None:
    """No board, no lobby and no letter is there twice; of each table's boards only the last has controls."""
    world, ada = evening.people.world, evening["Ada"]
    places = [channel for channel in world.state.channels.values() if channel.guild_id == world.home.id]
    public = [shown for place in places for shown in ada.view(place) if not shown.private and shown.author == "Trigon"]
    boards = Counter(shown.pictures[0].filename for shown in public if shown.pictures)
    assert max(boards.values()) == 1
    playable = Counter(heading(shown) for shown in public if shown.labels)
    assert max(playable.values()) == 1
    for person in evening.people:
        letters = Counter(heading(shown) for shown in person.dm)
        assert not letters or max(letters.values()) == 1


def heading(shown: Shown) -> str:
    """The table that a message or a letter is of."""
    return shown.text.splitlines()[0]
