"""A hundred games of every game there is, with the power cut at random points: nothing lost, nothing doubled."""

import random
from collections import Counter
from contextlib import suppress

from bot.agreements import state_after
from bot.playground.driver import Shown
from bot.tables import Person, Place, Table
from rules.game import Open
from tests.e2e.evening import Evening, PowerCut

TABLES = 100
ACTIONS = 80
CUTS = 6
MOST_SEATS = 4


async def seat_everybody(evening: Evening, rng: random.Random) -> None:
    """A hundred tables in play, of every game in turn, with as many people as the game and the tavern have; at some
    with a house player in place of the last."""
    people = [Person(int(person.id), person.name) for person in evening.people]
    faces = list(evening.bot.faces.values())
    home, games = int(evening.people.world.home.id), int(evening.people.channel("#games").id)
    for number in range(TABLES):
        game = faces[number % len(faces)].game
        seats = rng.choice([count for count in game.seats if count <= MOST_SEATS])
        table = await evening.bot.tables.open(
            game, Place(home, games), people[0], game.Options(), {}, {"threads": False}
        )
        with_house = game.Robot is not None and number // len(faces) % 3 == 0
        for person in people[1 : seats - with_house]:
            await evening.bot.tables.join(table.id, person)
        if with_house:
            await evening.bot.tables.add_house_player(table.id, people[0].id, "easy")
        await evening.bot.tables.start(table.id, people[0].id)


async def act(evening: Evening, table: Table, rng: random.Random) -> None:
    """One random action of a person, stored and shown as the cogs do it."""
    seat = rng.choice([seat for seat in table.to_act if seat not in table.robots_to_act])
    action = rng.choice(table.game.legal(table.state, seat))
    wanted = action.sample(rng) if isinstance(action, Open) else action
    await evening.bot.tables.act(table.id, table.people[seat], None, wanted)
    await evening.bot.showing.show(table.id)


async def test_a_hundred_games_survive_power_cuts_at_random_points(evening: Evening) -> None:
    rng = random.Random(8)
    await seat_everybody(evening, rng)
    cuts = {rng.randrange(ACTIONS) for _ in range(CUTS)}
    for number in range(ACTIONS):
        table = await evening.table(rng.randrange(1, TABLES + 1))
        if set(table.to_act) <= set(table.robots_to_act):  # it is over, or a house player thinks
            continue
        if number not in cuts:
            await act(evening, table, rng)
            continue
        evening.cut_the_power(writes=rng.randrange(4))
        with suppress(PowerCut):
            await act(evening, table, rng)
        await evening.restart()
    await evening.restart()
    for number in range(1, TABLES + 1):
        await check_table(evening, await evening.table(number))
    check_messages(evening)


async def check_table(evening: Evening, table: Table) -> None:
    """What is stored agrees with itself, and what is shown with what is stored."""
    actions = await evening.bot.store.actions(table.id)
    assert state_after(table, actions) == table.state
    assert table.robots_to_act == (), "a house player has not been taken up again"
    assert (table.row.shown_turn, table.row.told_turn) == (table.turn, table.turn)
    board = await evening.board(table.id)
    assert board.pictures[0].filename == f"{table.game.key}-{table.id}-{table.turn}.png"


def check_messages(evening: Evening) -> None:
    """No board and no letter is there twice."""
    public = [shown for shown in evening["Ada"].sees("#games") if shown.pictures]
    boards = Counter(shown.pictures[0].filename for shown in public)
    assert max(boards.values()) == 1
    for person in evening.people:
        letters = Counter(heading(shown) for shown in person.dm)
        assert not letters or max(letters.values()) == 1


def heading(shown: Shown) -> str:
    """The table that a letter is of."""
    return shown.text.splitlines()[0]
