"""House players at tables: one person alone plays every game against them; lobby, agreements, time, restarts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bot.agreements import state_after
from bot.playground.driver import Answer, Person, Shown
from bot.store import CLOSED, LOBBY, OVER, PLAYING
from bot.tables import HOUSE_PLAYERS, LobbyRefusal, MovedOn
from bot.thinking import Question, think
from rules import GAMES
from rules.__main__ import OK, main
from rules.game import BadOption, Robot
from tests.e2e.evening import Evening
from tests.e2e.test_chess import MATED, TWO
from tests.e2e.test_life import HOUR, later
from tests.e2e.test_settings import set_house_directly


async def alone(evening: Evening, game: str, level: str = "easy", **options: Any) -> Person:
    """Ada alone at a table with a house player, at once; she is in its thread."""
    ada = evening["Ada"]
    await ada.slash(f"{game} new", house=level, **options)
    ada.go(evening.people.channel(ada.sees("#games")[-1]))
    return ada


async def act(evening: Evening, person: Person, number: int = 1) -> None:
    """A person acts as a good player would; the house players' answers are waited for."""
    table = await evening.table(number)
    seat = table.seat_of(int(person.id))
    legal = tuple(table.game.legal(table.state, seat))
    action = think(Question(table.game.key, "hard", table.view(seat), legal, 1, 0.0))
    await evening.bot.tables.act(number, int(person.id), table.seat_turn(seat), action)
    await evening.bot.showing.show(number)
    await evening.people.quiet()


async def seated(evening: Evening, *names: str, programs: int = 1, limit: str | None = None) -> None:
    """A table of Triggle with Ada, these people and house players, begun; where there is a limit, one sits in then."""
    ada = evening["Ada"]
    if limit is not None:
        await set_house_directly(evening, ada, {"turn_limit": limit, "at_limit": "house"})
    await ada.slash("triggle new")
    lobby = ada.sees("#games")[-1]
    for name in names:
        await evening[name].press("Join", message=lobby)
    await ada.press("Add house player", message=lobby)
    for _ in range(programs):
        await ada.press("Easy")
    await ada.press("Start")
    for name in ("Ada", *names):
        evening[name].go(evening.people.channel(next(shown for shown in ada.sees("#games") if not shown.private)))


def seen(answer: Answer) -> Shown:
    """The message that answers."""
    assert answer.message is not None
    return answer.message


def robot(game: str) -> type[Robot]:
    """The house player of a game that has one."""
    found = GAMES[game].Robot
    assert found is not None
    return found


# -- Whole games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "options"),
    [("triggle", {"bands": "6"}), ("chess", {"position": TWO}), ("trinity", {})],
    ids=["triggle", "chess", "trinity"],
)
async def test_one_person_alone_plays_a_whole_game_after_one_command(
    evening: Evening, tmp_path: Path, game: str, options: Any
) -> None:
    ada = await alone(evening, game, **options)
    while (await evening.table()).status == PLAYING:
        await act(evening, ada)
    table, board = await evening.table(), await evening.board()
    assert table.status == OVER
    house = next(row for row in table.seats if row.of_the_house)
    assert board.mentions == [] or board.mentions == ["Ada"]
    assert f"🤖 {house.name}" in board.text
    record = tmp_path / "the.record"
    record.write_bytes(seen(await ada.press("Record", message=board)).pictures[0].content)
    if seal := re.search(r"--salt \S+ --digest \w+", board.text):
        assert main(["verify", str(record), *seal[0].split()]) == OK
    assert state_after(table, await evening.bot.store.actions(1)) == table.state
    letters = await evening.bot.store.letters(1)
    assert set(letters) <= {int(ada.id)}, "nobody writes to a program"
    await ada.press("Play again", message=board)
    again = await evening.table(2)
    assert again.status == LOBBY
    assert sorted(row.robot or "" for row in again.seats) == ["", "easy"]


# -- The lobby -------------------------------------------------------------------------------------------------------


async def test_the_opener_adds_and_removes_house_players_and_starts(evening: Evening) -> None:
    ada, ben = evening["Ada"], evening["Ben"]
    await ada.slash("triggle new")
    lobby = ada.sees("#games")[-1]
    assert "Only Ada" in (await ben.press("Add house player", message=lobby)).text
    page = await ada.press("Add house player", message=lobby)
    assert page.private
    for level in robot("triggle").LEVELS.values():
        assert level.sentence in page.text
        await ada.press(level.title)
    table, shown = await evening.table(), (await evening.board()).text
    assert [row.robot for row in table.seats] == [None, "easy", "normal", "hard"]
    assert len(set(table.names)) == 4
    assert set(table.names[1:]) <= {f"🤖 {name}" for name in HOUSE_PLAYERS}
    for name, title in zip(table.names[1:], ("Easy", "Normal", "Hard"), strict=True):
        assert f"{name} · {title}" in shown
    await ada.press(f"Remove {table.names[2]}")
    assert [row.robot for row in (await evening.table()).seats] == [None, "easy", "hard"]
    await ada.press("Start")
    table = await evening.table()
    assert table.status == PLAYING
    assert [table.people[seat] for seat in table.to_act] == [int(ada.id)]


async def test_lobbies_with_house_players_find_an_opener_begin_when_full_and_end_without_people(
    evening: Evening,
) -> None:
    ada, ben = evening["Ada"], evening["Ben"]
    await ada.slash("triggle new")
    lobby = ada.sees("#games")[-1]
    await ada.press("Add house player", message=lobby)
    await ada.press("Hard")
    await ben.press("Join", message=lobby)
    await ada.press("Leave", message=lobby)
    assert (await evening.table()).row.opener == int(ben.id)
    await ben.press("Leave", message=lobby)
    assert (await evening.table()).status == CLOSED

    await ada.slash("trinity new")
    lobby = ada.sees("#games")[-1]
    await ada.press("Begin when full", message=lobby)
    await ada.press("Add house player", message=lobby)
    await ada.press("Normal")
    assert (await evening.table(2)).status == LOBBY
    await ada.press("Normal")
    assert (await evening.table(2)).status == PLAYING

    await ada.slash("triangulation new")
    assert "Add house player" not in ada.sees("#games")[-1].labels
    with pytest.raises(LobbyRefusal, match="no_house_players"):
        await evening.bot.tables.add_house_player(3, int(ada.id), "easy")


async def test_a_lobby_is_full_with_as_many_as_its_options_and_position_allow(evening: Evening) -> None:
    ada = evening["Ada"]
    await ada.slash("trinity new", deck="short")
    lobby = ada.sees("#games")[-1]
    assert "(1 of 2)" in lobby.text
    await ada.press("Begin when full", message=lobby)
    await ada.press("Add house player", message=lobby)
    await ada.press("Easy")
    assert (await evening.table(1)).status == PLAYING

    await ada.slash("chess new", position=TWO)
    assert "(1 of 2)" in ada.sees("#games")[-1].text
    await evening.bot.tables.close(2)
    await ada.slash("chess new", house="easy", position=MATED)
    assert [row.robot for row in (await evening.table(3)).seats].count("easy") == 2
    assert (await evening.table(3)).status == PLAYING

    await evening.bot.tables.close(3)
    again = await evening.bot.agreements.rematch(3, int(ada.id), {}, {})
    await evening.bot.store.mark_shown(again.id, {"game": "trinity", "given": {}, "options": {"deck": "short"}})
    await evening.bot.showing.show(again.id)
    assert "only 2 can play" in (await evening.board(again.id)).text
    assert "Start" not in (await evening.board(again.id)).labels
    with pytest.raises(BadOption, match="seats"):
        await evening.bot.tables.start(again.id, int(ada.id))


# -- At the table ----------------------------------------------------------------------------------------------------


async def test_a_house_player_agrees_to_what_people_want_but_to_no_draw(evening: Evening) -> None:
    ada = await alone(evening, "chess")
    await act(evening, ada)
    played = (await evening.table()).view(None)
    await act(evening, ada)
    await ada.press("More")
    assert "would rather play on" in (await ada.press("Offer a draw")).text
    await ada.press("More")
    taken = await ada.press("Take the last move back")
    assert taken.text == "Done."
    table = await evening.table()
    assert table.view(None).position == played.position, "the answer went with the move"
    assert state_after(table, await evening.bot.store.actions(1)) == table.state
    await ada.press("More")
    await ada.press("End the game here")
    assert (await evening.table()).status == CLOSED


async def test_only_a_persons_turn_comes_as_a_new_message(evening: Evening) -> None:
    ada = await alone(evening, "triggle")
    boards = [shown.id for shown in ada.sees() if shown.pictures]
    await act(evening, ada)
    await act(evening, ada)
    assert len([shown.id for shown in ada.sees() if shown.pictures]) == len(boards) + 2
    assert (await evening.board()).mentions == ["Ada"]


async def test_a_table_without_people_is_closed(evening: Evening) -> None:
    await seated(evening, programs=2)
    await evening["Ada"].press("Leave")
    await evening["Ada"].press("Give up my seat")
    table = await evening.table()
    assert (table.status, table.result) == (CLOSED, None)
    assert "closed before the end" in (await evening.board()).text


# -- At the turn limit -----------------------------------------------------------------------------------------------


async def test_a_house_player_sits_in_at_the_limit_and_gives_the_seat_back(evening: Evening) -> None:
    await seated(evening, "Ben", limit="1h")
    absent = await evening.whose_turn()
    await later(evening, HOUR)
    table, board = await evening.table(), await evening.board()
    seat = table.seat_of(int(absent.id))
    assert (table.seats[seat].robot, table.seats[seat].gone) == ("normal", False)
    assert f"A house player sits in for {absent.name}" in board.text
    assert seat in {happened.seat for happened in await evening.bot.tables.happenings(table, None)}
    present = await evening.whose_turn()
    assert present is not absent
    assert "the seat is yours" in (await present.press("Take my seat back")).text

    assert "Welcome back" in (await absent.press("Take my seat back")).text
    assert (await evening.table()).seats[seat].robot is None
    assert "sits in" not in (await evening.board()).text
    await act(evening, present)
    while (await evening.whose_turn()) is not absent:
        await act(evening, present)
    assert (await evening.table()).deadline(seat) == evening.bot.tables.clock() + (await evening.table()).limit
    await later(evening, HOUR)
    await absent.press("Leave", message=await evening.board())
    await absent.press("Give up my seat")
    left = (await evening.table()).seats[seat]
    assert (left.gone, left.shown_name) == (True, absent.name), "nobody sits in any more"
    with pytest.raises(MovedOn):
        await evening.bot.agreements.remove_player(1, seat)
