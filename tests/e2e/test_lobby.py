"""The lobby, looking, inviting, leaving and `/games`, for every game alike; and what the lobby refuses."""

import asyncio

from bot.tables import Person
from tests.e2e.evening import Evening


async def test_joining_leaving_and_starting_change_the_lobby_for_everybody(evening: Evening) -> None:
    ada, ben = evening["Ada"], evening["Ben"]
    await ada.slash("triggle new")
    await ben.press("Join")
    assert "2. Ben" in ada.sees("#games")[-1].text
    await ben.press("Leave")
    assert "Ben" not in ada.sees("#games")[-1].text
    assert "Start" not in ada.sees("#games")[-1].labels


async def test_what_a_lobby_refuses_is_said_privately(evening: Evening) -> None:
    ada, ben = evening["Ada"], evening["Ben"]
    await ada.slash("triggle new")
    lobby = ada.sees("#games")[-1]
    assert "You already sit" in (await ada.press("Join", message=lobby)).text
    assert "at least 2 players" in (await ada.press_late(lobby, "Start")).text
    assert "no seat" in (await ben.press("Leave", message=lobby)).text
    await ben.press("Join", message=lobby)
    answer = await ben.press("Start", message=lobby)
    assert answer.private
    assert answer.text == "Only Ada can do that at this table."
    for name in ("小陳", "Dora"):
        await evening[name].press("Join", message=lobby)
    await ada.press("Start", message=lobby)
    assert "already begun" in (await ben.press_late(lobby, "Join")).text


async def test_a_full_table_says_so(evening: Evening) -> None:
    ada = evening["Ada"]
    await ada.slash("triggle new")
    lobby = ada.sees("#games")[-1]
    for number in range(3):
        await evening.bot.tables.join(1, _stranger(number))
    assert "This table is full." in (await evening["Ben"].press_late(lobby, "Join")).text


async def test_a_colour_can_be_wished_for_and_two_cannot_have_one(evening: Evening) -> None:
    ada, ben = evening["Ada"], evening["Ben"]
    await ada.slash("triggle new")
    await ben.press("Join")
    await ada.choose("Which colour would you like to play?", "orange")
    assert "Ada · orange" in ben.sees("#games")[-1].text
    await ben.choose("Which colour would you like to play?", "orange")
    assert "same colour" in (await ada.press("Start")).text
    await ben.choose("Which colour would you like to play?", "No preference")
    await ada.press("Start")
    assert (await evening.table()).view(None).colours[0] == "orange"


async def test_those_invited_are_mentioned_and_can_join_from_there(evening: Evening) -> None:
    ada, ben, dora = evening["Ada"], evening["Ben"], evening["Dora"]
    await ada.slash("triggle new")
    await ada.press("Invite")
    await ada.choose("Whom do you want", ben, dora)
    invitation = ben.sees("#games")[-1]
    assert sorted(invitation.mentions) == ["Ben", "Dora"]
    answer = await ben.press("Join", message=invitation)
    assert answer.private
    assert (await evening.table()).names == ("Ada", "Ben")
    assert "2. Ben" in ada.sees("#games")[0].text


async def test_options_out_of_range_are_refused_in_a_sentence(evening: Evening) -> None:
    ada = evening["Ada"]
    answer = await ada.slash("triggle new", bands="31")
    assert answer.private
    assert "`bands` cannot be `31`" in answer.text
    assert "6 to 30" in answer.text
    assert await evening.bot.store.tables_of(int(ada.id)) == ()


async def test_the_variants_are_said_in_the_lobby_and_in_the_rules(evening: Evening) -> None:
    ada = evening["Ada"]
    await ada.slash("triggle new", side="6", goal="fewest")
    assert "Board: 6" in ada.sees("#games")[-1].text
    assert "fewest pieces" in ada.sees("#games")[-1].text
    await ada.press("Rules")
    await ada.press("Back")
    assert "This table" in ada.private[-1].text
    assert "Board: 6" in ada.private[-1].text


async def test_the_lobby_says_who_will_be_written_to(evening: Evening) -> None:
    ada = evening["Ada"]
    for game, secrets in (("triggle", False), ("trinity", True)):
        await ada.slash(f"{game} new")
        told = "Who holds secrets gets them from me by direct message." in ada.sees("#games")[-1].text
        assert told == secrets


async def test_anyone_may_watch_and_read_the_board_as_text(evening: Evening) -> None:
    ada = await evening.open("triggle", "Ben")
    dora = evening["Dora"].go(ada.where)
    watched = await dora.press("Watch")
    assert watched.private
    assert watched.message is not None
    assert len(watched.message.pictures) == 1
    read = await dora.press("As text")
    assert read.private
    assert "A1" in read.text


async def test_leaving_asks_first_and_ends_a_game_of_two(evening: Evening) -> None:
    ada = await evening.open("triggle", "Ben")
    asked = await ada.press("Leave")
    assert asked.private
    await ada.press("Stay")
    assert (await evening.table()).status == "playing"
    await ada.press("Leave")
    await ada.press("Give up my seat")
    assert "Ben wins" in (await evening.board()).text
    assert "Ada has left" in (await evening.board()).text


async def test_games_lists_ones_tables_everywhere_and_shows_one_anew(evening: Evening) -> None:
    ada = evening["Ada"]
    assert "no table" in (await ada.slash("games")).text
    await evening.open("triggle", "Ben")
    person = await evening.whose_turn()
    listed = await person.slash("games")
    assert listed.private
    assert "your turn" in listed.text
    old = await evening.board()
    await person.press("Show table 1 here")
    new = await evening.board()
    assert new.id != old.id
    assert "Place a band" in new.labels
    assert [shown.labels for shown in person.sees() if shown.id == old.id] == [[]]


async def test_two_tables_in_one_channel_do_not_mix(evening: Evening) -> None:
    ada, ben = evening["Ada"], evening["Ben"]
    for channel in ("#games", "#games"):
        await ada.slash("triggle new", at=channel)
        lobby = ada.sees("#games")[-1]
        await ben.press("Join", message=lobby)
        await ada.press("Start", message=lobby)
    answer = await ada.slash("triggle band", band="A1-D4", at="#games")
    assert "several tables" in answer.text
    assert [choice.value for choice in await ada.autocomplete("triggle band", "table", "", at="#games")] == [1, 2]
    person = await evening.whose_turn(2)
    await person.slash("triggle band", band="A1-D4", table=2, at="#games")
    assert [len((await evening.table(number)).view(None).bands) for number in (1, 2)] == [0, 1]


async def test_a_hundred_people_press_everything_at_once_and_it_happens_once(evening: Evening) -> None:
    ada, crowd = evening["Ada"], evening.crowd(99)
    await ada.slash("triggle new")
    lobby = ada.sees("#games")[-1]
    evening.people.settle = False
    for label in ("Join", "Start"):
        await asyncio.gather(*(person.press_late(lobby, label) for person in (ada, *crowd)))
    await evening.people.quiet()
    table = await evening.table()
    assert (table.status, len(set(table.people))) == ("playing", 4)
    assert len([channel for channel in evening.people.world.state.channels.values() if channel.is_thread]) == 1

    board = await evening.board()
    seated = [person for person in (ada, *crowd) if int(person.id) in table.people]
    for person in (ada, *crowd):
        person.go(board)
    await asyncio.gather(*(person.slash("triggle band", band="A1-D4") for person in (ada, *crowd)))
    assert len(await evening.bot.tables.happenings(table, None)) == 1

    asked = [(person, (await person.press("Leave")).message) for person in seated]
    presses = [person.press_late(shown, "Give up my seat") for person, shown in asked if shown for _ in range(25)]
    assert len(presses) == 100
    await asyncio.gather(*presses)
    await evening.people.quiet()
    assert (await evening.table()).status == "over"
    actions = await evening.bot.store.actions(1)
    assert [action.kind for action in actions] == ["play", "leave", "leave", "leave"]
    assert len({action.seat for action in actions[1:]}) == 3


def _stranger(number: int) -> Person:
    return Person(10_000 + number, f"Stranger {number}")
