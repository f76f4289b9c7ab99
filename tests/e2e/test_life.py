"""What happens at a table besides moves: time, leaving, agreeing, things that break, personal data."""

import asyncio
import json
from typing import Any

import pytest

from bot import panel
from bot.playground.driver import Person, Shown
from bot.store import Behind
from bot.tables import Person as Stranger
from bot.tables import Table
from tests.e2e.evening import Evening
from tests.e2e.test_settings import set_house

HOUR = 3600.0


async def timed(evening: Evening, *guests: str, limit: str = "1 hour") -> Person:
    """A table of Triggle with a turn limit."""
    await set_house(evening["Ada"], "turn_limit", limit)
    return await evening.open("triggle", *(guests or ("Ben",)))


async def later(evening: Evening, seconds: float) -> None:
    """Let time pass and do what is due then."""
    evening.clock.advance(seconds)
    await evening.bot.timers.run_due()
    await evening.people.quiet()


def said(evening: Evening, text: str, place: str | None = None) -> list[Shown]:
    """The public messages in which a text stands."""
    return [shown for shown in evening["Ada"].view(place) if not shown.private and text in shown.text]


async def waiting(evening: Evening) -> Person:
    return (await evening.others())[0]


# -- Lobby --


async def test_a_quiet_lobby_is_closed_after_thirty_minutes_with_a_word(evening: Evening) -> None:
    await evening["Ada"].slash("triggle new")
    await later(evening, 29 * 60)
    assert (await evening.table()).status == "lobby"
    await evening["Ben"].press("Join")
    await later(evening, 29 * 60)
    assert (await evening.table()).status == "lobby"
    await later(evening, 60)
    assert (await evening.table()).status == "closed"
    lobby = evening["Ada"].sees("#games")[-1]
    assert "closed before the game began" in lobby.text
    assert lobby.labels == []


async def test_the_opener_removes_and_hands_over_and_all_agree_to_begin_when_full(evening: Evening) -> None:
    ada, ben, chen = evening["Ada"], evening["Ben"], evening["小陳"]
    await ada.slash("triggle new")
    lobby = ada.sees("#games")[-1]
    for person in (ben, chen):
        await person.press("Join", message=lobby)
    assert "Only Ada" in (await ben.press("For the opener", message=lobby)).text
    await ada.press("For the opener", message=lobby)
    await ada.choose("Ask somebody to stand up", "小陳")
    assert (await evening.table()).names == ("Ada", "Ben")
    await ada.press("For the opener", message=lobby)
    await ada.choose("Make somebody else the opener", "Ben")
    assert (await evening.table()).row.opener == int(ben.id)
    await ada.press("Begin when full", message=lobby)
    assert "Ada would like the game to begin as soon as the table is full" in ben.sees("#games")[0].text
    await ben.press("Agree", message=lobby)
    assert "begins by itself when the table is full" in ben.sees("#games")[0].text
    await chen.press("Join", message=lobby)
    await evening.bot.tables.join(1, Stranger(int(evening["Dora"].id), "Dora"))  # and a crash before it is shown
    await evening.restart()
    assert (await evening.table()).status == "playing"
    assert "Place a band" in (await evening.board()).labels


# -- Time --


async def test_reminders_come_at_half_the_limit_and_when_a_tenth_is_left(evening: Evening) -> None:
    await timed(evening)
    person = await evening.whose_turn()
    await later(evening, HOUR / 2)
    assert [shown.mentions for shown in said(evening, "half of your time")] == [[person.name]]
    await later(evening, HOUR * 0.4)
    assert [shown.mentions for shown in said(evening, "nearly over")] == [[person.name]]
    await later(evening, 1)
    assert len(said(evening, "⏰")) == 2


async def test_reminders_come_where_the_person_chose(evening: Evening) -> None:
    await timed(evening)
    person = await evening.whose_turn()
    await person.slash("reminders", where="by direct message")
    await later(evening, HOUR / 2)
    assert said(evening, "⏰", "#games") == []
    assert "half of your time" in person.dm[-1].text
    await person.slash("reminders", where="never")
    await later(evening, HOUR * 0.4)
    assert len(person.dm) == 1


async def test_at_the_limit_the_player_leaves_the_game(evening: Evening) -> None:
    await timed(evening)
    late = await evening.whose_turn()
    await later(evening, HOUR + 1)
    assert (await evening.table()).status == "over"
    assert f"{late.name} has left" in (await evening.board()).text


async def test_the_limit_begins_anew_with_each_turn(evening: Evening) -> None:
    await timed(evening)
    await later(evening, HOUR - 60)
    await (await evening.whose_turn()).slash("triggle band", band="A1-D4")
    await later(evening, HOUR - 60)
    assert (await evening.table()).status == "playing"
    await later(evening, 61)
    assert (await evening.table()).status == "over"


async def test_who_is_away_gets_no_reminders_and_the_table_shows_it(evening: Evening) -> None:
    await timed(evening)
    person = await evening.whose_turn()
    answer = await person.slash("away", until="3d")
    assert answer.private
    assert f"{person.name} is away until" in (await evening.board()).text
    await later(evening, HOUR / 2)
    assert said(evening, "half of your time") == []
    await person.slash("away", until="I am back")
    assert "is away" not in (await evening.board()).text


@pytest.mark.parametrize("text", ["soon", "", "100d", "9999999d", "-3d", "yesterday"])
async def test_nonsense_about_being_away_is_explained(evening: Evening, text: str) -> None:
    answer = await evening["Ada"].slash("away", until=text or " ")
    assert answer.private
    assert "such as `3d`" in answer.text


async def test_a_pause_is_agreed_on_and_stops_the_limit(evening: Evening) -> None:
    await timed(evening)
    person, other = await evening.whose_turn(), await waiting(evening)
    await later(evening, HOUR / 4)
    await person.press("More")
    await person.press("Pause")
    assert "would like a pause" in (await evening.board()).text
    await other.press("Agree")
    assert "paused" in (await evening.board()).text
    await later(evening, 10 * HOUR)
    assert (await evening.table()).status == "playing"
    await other.press("More")
    await other.press("End the pause")
    await later(evening, HOUR * 0.7)
    assert (await evening.table()).status == "playing"
    await later(evening, HOUR * 0.1)
    assert (await evening.table()).status == "over"


async def test_nothing_fires_twice_after_a_restart(evening: Evening) -> None:
    await timed(evening)
    await later(evening, HOUR / 2)
    await evening.restart()
    await later(evening, 1)
    assert len(said(evening, "half of your time")) == 1


async def test_nothing_fires_twice_with_two_processes(evening: Evening) -> None:
    await timed(evening)
    async with evening.another_process() as other:
        for passed, sentence in ((HOUR / 2, "half of your time"), (HOUR * 0.4, "nearly over"), (HOUR, "has left")):
            evening.clock.advance(passed)
            await asyncio.gather(other.timers.run_due(), evening.bot.timers.run_due(), other.timers.run_due())
            await asyncio.gather(other.showing.catch_up(), evening.bot.showing.catch_up())
            await evening.people.quiet()
            assert len(said(evening, sentence)) == 1
    assert [action.kind for action in await evening.bot.store.actions(1)] == ["leave"]


async def test_a_reminder_that_cannot_be_sent_now_comes_later_and_one_to_closed_messages_at_the_table(
    evening: Evening,
) -> None:
    await timed(evening)
    person = await evening.whose_turn()
    evening.people.faults.fail("POST /channels/*/messages", status=503)
    await later(evening, HOUR / 2)
    assert said(evening, "half of your time") == []
    await later(evening, 60)
    assert len(said(evening, "half of your time")) == 1
    await person.slash("reminders", where="by direct message")
    person.close_dms()
    await later(evening, HOUR * 0.4)
    assert [shown.mentions for shown in said(evening, "nearly over")] == [[person.name]]


async def test_timers_run_on_after_a_restart(evening: Evening) -> None:
    await timed(evening)
    evening.clock.advance(2 * HOUR)
    await evening.restart()
    await evening.bot.timers.run_due()
    assert (await evening.table()).status == "over"


# -- Leaving and replacing --


async def test_an_offered_seat_is_taken_over_if_the_others_agree(evening: Evening) -> None:
    ada = await evening.open("triggle", "Ben", "小陳")
    ben, dora = evening["Ben"], evening["Dora"].go(ada.where)
    await ben.press("Leave")
    await ben.press("Offer it to somebody else")
    assert "seat of Ben is free" in (await evening.board()).text
    await dora.press("Take a free seat")
    assert "Dora would like to take over the seat of Ben" in (await evening.board()).text
    await ada.press("Agree")
    assert "Dora" not in (await evening.table()).names
    await evening["小陳"].press("Agree")
    table = await evening.table()
    assert table.names == ("Ada", "Dora", "小陳")
    assert table.seats[1].vacant is None
    assert "no seat" in (await ben.slash("triggle band", band="A1-D4", table=1)).text


async def test_coming_back_before_somebody_takes_the_seat_restores_it(evening: Evening) -> None:
    await evening.open("triggle", "Ben", "小陳")
    ben = evening["Ben"]
    await ben.press("More")
    await ben.press("Offer my seat")
    await ben.press("Take a free seat")
    assert (await evening.table()).seats[1].vacant is None


async def test_a_seat_that_stays_vacant_leaves_when_it_is_its_turn(evening: Evening) -> None:
    await evening.open("triggle", "Ben", "小陳")
    person = await evening.whose_turn()
    await person.press("More")
    await person.press("Offer my seat")
    await later(evening, 23 * HOUR)
    assert (await evening.table()).to_act
    await later(evening, 1.1 * HOUR)
    assert f"{person.name} has left" in (await evening.board()).text


async def test_who_left_the_server_is_noticed_at_their_turn(evening: Evening) -> None:
    await evening.open("triggle", "Ben", "小陳")
    first = await evening.whose_turn()
    table = await evening.table()
    following = table.people[(table.to_act[0] + 1) % 3]
    gone = next(person for person in evening.people if person.id == str(following))
    gone.leave_server()
    await first.slash("triggle band", band="A1-D4")
    assert f"The seat of {gone.name} is free" in (await evening.board()).text


async def test_who_left_the_server_is_noticed_at_a_reminder(evening: Evening) -> None:
    await timed(evening, "Ben", "小陳")
    person = await evening.whose_turn()
    person.leave_server()
    await later(evening, HOUR / 2)
    assert said(evening, "half of your time") == []
    assert f"The seat of {person.name} is free" in (await evening.board()).text


async def test_of_several_free_seats_one_is_chosen(evening: Evening) -> None:
    ada = await evening.open("triggle", "Ben", "小陳")
    evening["小陳"].speak("en-GB")
    for name in ("Ben", "小陳"):
        await evening[name].press("More")
        await evening[name].press("Offer my seat")
    dora = evening["Dora"].go(ada.where)
    await dora.press("Take a free seat")
    await dora.choose("Whose seat", "小陳")
    await ada.press("Agree")
    table = await evening.table()
    assert sorted(table.names) == ["Ada", "Ben", "Dora"]
    assert [table.names[seat] for seat in table.free_seats] == ["Ben"]


# -- Agreeing --


async def test_the_last_move_is_taken_back_if_all_others_agree(evening: Evening) -> None:
    await evening.open("triggle", "Ben")
    person = await evening.whose_turn()
    await person.slash("triggle band", band="A1-D4")
    other = await evening.whose_turn()
    await person.press("More")
    await person.press("Take the last move back")
    assert (await evening.table()).view(None).last is not None
    await other.press("Agree")
    table = await evening.table()
    assert (table.view(None).last, await evening.whose_turn()) == (None, person)
    assert await evening.bot.tables.happenings(table, None) == []


async def test_a_declined_proposal_changes_nothing(evening: Evening) -> None:
    await evening.open("triggle", "Ben")
    person = await evening.whose_turn()
    await person.slash("triggle band", band="A1-D4")
    await person.press("More")
    await person.press("Take the last move back")
    await (await evening.whose_turn()).press("Decline")
    table = await evening.table()
    assert (table.proposal, table.view(None).last.band) == (None, "A1-D4")


async def test_a_game_is_closed_if_all_agree_and_marked_as_not_finished(evening: Evening) -> None:
    ada = await evening.open("triggle", "Ben")
    await ada.press("More")
    await ada.press("End the game here")
    await evening["Ben"].press("Agree")
    assert (await evening.table()).status == "closed"
    assert "closed before the end" in (await evening.board()).text


async def test_playing_again_seats_the_same_people_rotated(evening: Evening) -> None:
    ada = await evening.open("triggle", "Ben", "小陳")
    evening["小陳"].speak("en-GB")
    for name in ("Ben", "小陳"):
        await evening[name].press("Leave")
        await evening[name].press("Give up my seat")
    await ada.press("Play again")
    again = await evening.table(2)
    assert again.names == ("Ben", "小陳", "Ada")
    await evening["Ben"].press("Play again")
    assert "Table 2" in evening["Ben"].private[-1].text
    assert await evening.bot.tables.tables_of(int(ada.id)) != []


async def test_an_old_agree_agrees_to_nothing_else(evening: Evening) -> None:
    ada = await evening.open("triggle", "Ben")
    ben = evening["Ben"]
    await ada.press("More")
    await ada.press("End the game here")
    old = await evening.board()
    await ada.press("Decline")
    await ada.press("More")
    await ada.press("End the game here")
    assert "moved on" in (await ben.press_late(old, "Agree")).text
    assert (await evening.table()).status == "playing"


async def test_a_proposal_to_take_a_seat_ends_with_the_vacancy(evening: Evening) -> None:
    ada = await evening.open("triggle", "Ben", "小陳")
    ben, dora = evening["Ben"], evening["Dora"].go(ada.where)
    await ben.press("More")
    await ben.press("Offer my seat")
    await dora.press("Take a free seat")
    await ben.press("More")
    await ben.press("I am back")
    assert (await evening.table()).proposal is None
    await ben.press("More")
    await ben.press("Offer my seat")
    await dora.press("Take a free seat")
    await evening.bot.tables.leave(1, int(ben.id))
    assert (await evening.table()).proposal is None


async def test_coming_and_going_wins_no_time(evening: Evening) -> None:
    await timed(evening, "Ben", "小陳")
    person = await evening.whose_turn()
    person.speak("en-GB")
    evening.clock.advance(HOUR * 0.9)
    for label in ("Offer my seat", "I am back"):
        await person.press("More")
        await person.press(label)
    await later(evening, HOUR * 0.2)
    assert f"{person.name} has left" in (await evening.board()).text


async def test_a_rematch_is_one_table_however_often_it_is_pressed(evening: Evening) -> None:
    ada = await evening.open("triggle", "Ben")
    await evening["Ben"].press("Leave")
    await evening["Ben"].press("Give up my seat")
    board = await evening.board()
    evening.people.settle = False
    await asyncio.gather(
        *(person.press_late(board, "Play again") for person in (ada, evening["Ben"]) for _ in range(5))
    )
    await evening.people.quiet()
    assert (await evening.table(2)).status == "lobby"
    assert await evening.bot.store.table(3) is None
    await later(evening, 31 * 60)
    evening.people.settle = True
    await ada.press_late(board, "Play again")
    assert (await evening.table(3)).status == "lobby"


# -- Things that break --


async def test_a_table_that_cannot_be_shown_keeps_no_other_from_being_shown(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    await evening.open("triggle", "Ben")
    for name in ("Ada", "Ben"):
        evening[name].go("#games")
    await evening.open("triggle", "Ben")
    page = panel.table_page

    def broken(table: Table, *more: Any) -> Any:
        if table.id == 1:
            raise ZeroDivisionError
        return page(table, *more)

    monkeypatch.setattr(panel, "table_page", broken)
    for number in (1, 2):
        table = await evening.table(number)
        await evening.bot.tables.act(number, table.people[table.to_act[0]], None, "A1-D4")
    await evening.restart()
    assert "`A1-D4`" in (await evening.board(2)).text
    monkeypatch.setattr(panel, "table_page", page)
    await evening.bot.showing.catch_up()
    assert "`A1-D4`" in (await evening.board(1)).text


async def test_an_unreachable_table_waits_and_goes_on_where_somebody_shows_it(evening: Evening) -> None:
    ada = await timed(evening)
    evening.deny_bot("view_channel")
    person = await evening.whose_turn()
    await evening.bot.tables.act(1, int(person.id), None, "A1-D4")
    await evening.bot.showing.show(1)
    await later(evening, 10 * HOUR)  # whose turn runs out would not know
    assert (await evening.table()).status == "playing"
    ada.go("#lounge")
    await ada.slash("games")
    await ada.press("Show table 1 here")
    board = await evening.board()
    assert board.channel_id == evening.people.channel("#lounge").id
    assert "`A1-D4`" in board.text


async def test_a_locked_thread_is_left_for_the_channel(evening: Evening) -> None:
    ada = await evening.open("triggle", "Ben")
    evening.archive(ada.where, locked=True)
    person = await evening.whose_turn()
    await evening.bot.tables.act(1, int(person.id), None, "A1-D4")
    await evening.bot.showing.show(1)
    assert (await evening.board()).channel_id == evening.people.channel("#games").id


async def test_a_deleted_channel_loses_no_table(evening: Evening) -> None:
    ada = await evening.open("triggle", "Ben")
    evening.people.world.delete_channel(evening.people.channel("#games"))
    await evening.people.quiet()
    ada.go("#lounge")
    await ada.slash("games")
    await ada.press("Show table 1 here")
    assert (await evening.board()).channel_id == evening.people.channel("#lounge").id


async def test_an_absence_of_more_than_five_minutes_gets_one_line(evening: Evening) -> None:
    await evening.open("triggle", "Ben")
    evening.clock.advance(60)
    await evening.restart()
    assert said(evening, "I was away since") == []
    evening.clock.advance(600)
    await evening.restart()
    await evening.restart()
    assert len(said(evening, "I was away since")) == 1


async def test_a_server_that_removes_the_bot_and_invites_it_again_finds_its_tables(evening: Evening) -> None:
    ada = await timed(evening)
    world, home = evening.people.world, evening.people.world.home
    roles = home.members[world.state.bot_id].roles
    world.remove_bot(home)
    await evening.people.quiet()
    await later(evening, 10 * HOUR)  # no limit runs where nobody can play
    assert (await evening.table()).status == "playing"
    evening.playground.gateway.invite(home.id, roles)
    await evening.people.quiet()
    await ada.slash("games")
    await ada.press("Show table 1 here")
    assert "paused" in (await evening.board()).text
    await (await evening.whose_turn()).slash("triggle band", band="A1-D4")
    assert (await evening.table()).deadline((await evening.table()).to_act[0]) is not None
    assert (await evening.bot.houses.house(int(home.id))).turn_limit == "1h"


async def test_the_tables_of_a_server_that_is_gone_are_kept_for_thirty_days(evening: Evening) -> None:
    await timed(evening)
    await evening.stop()
    evening.people.world.delete_guild(evening.people.world.home)
    await evening.start()
    await later(evening, 29 * 24 * HOUR)
    await evening.restart()
    assert (await evening.table()).status == "playing"
    await later(evening, 24 * HOUR + 1)
    await evening.restart()
    assert await evening.bot.store.table(1) is None


# -- Personal data --


async def test_everything_that_is_kept_of_somebody_is_sent_to_them(evening: Evening) -> None:
    await evening.open("triggle", "Ben")
    person = await evening.whose_turn()
    await person.slash("triggle band", band="A1-D4")
    answer = await person.slash("privacy export")
    assert answer.private
    data = json.loads(person.dm[-1].pictures[0].content)
    assert data["tables"][0]["game"] == "triggle"
    assert len(data["actions"]) == 1


async def test_somebody_who_wants_to_be_forgotten_is(evening: Evening) -> None:
    ada = await evening.open("triggle", "Ben")
    ben = evening["Ben"]
    await ben.slash("privacy delete")
    await ben.press("Keep it")
    assert (await evening.table()).status == "playing"
    await ben.slash("privacy delete")
    await ben.press("Forget me")
    table = await evening.table()
    assert (table.status, "Ben" in table.names, table.seat_of(int(ben.id))) == ("over", False, None)
    assert "a former player" in (await ada.press("As text")).text
    assert "Ben" not in (await evening.board()).text


async def test_the_name_of_somebody_forgotten_does_not_come_back_to_a_table_that_goes_on(evening: Evening) -> None:
    await evening.open("triggle", "Ben", "Dora")
    ben = evening["Ben"]
    await evening.bot.tables.leave(1, int(ben.id))
    read_before = await evening.table()
    await ben.slash("privacy delete")
    await ben.press("Forget me")
    assert "a former player" in (await evening.board()).text
    assert "Ben" not in (await evening.board()).text
    with pytest.raises(Behind):
        await evening.bot.store.change_table(1, read_before.turn, {}, read_before.seats)
