"""What goes wrong on Discord or here, and that no table is lost by it."""

import asyncio
import logging
import ssl
from datetime import datetime
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
import trustme
from aiohttp.abc import AbstractResolver, ResolveResult
from sqlalchemy.exc import OperationalError

from bot.client import Trigon
from bot.delivery import Sent
from bot.playground.driver import Shown
from bot.playground.server import Playground
from bot.store import Store, TimerRow
from bot.tables import Tables
from rules.triggle import Triggle
from tests.e2e.evening import PATIENCE, Evening

NAMES = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "attach_files": "Attach Files",
    "embed_links": "Embed Links",
    "read_message_history": "Read Message History",
}
FOR_THREADS = {
    "create_public_threads": "Create Public Threads",
    "send_messages_in_threads": "Send Messages in Threads",
}


def boards(evening: Evening) -> list[Shown]:
    """Every message anywhere that shows a board, oldest first."""
    return [shown for shown in evening["Ada"].view() if shown.pictures and not shown.private]


async def place(evening: Evening, band: str) -> None:
    await (await evening.whose_turn()).slash("triggle band", band=band)


# -- Permissions --


@pytest.mark.parametrize("permission", NAMES)
async def test_a_permission_that_a_table_needs_is_named_before_a_lobby_opens(evening: Evening, permission: str) -> None:
    evening.deny_bot(permission)
    answer = await evening["Ada"].slash("triggle new")
    assert answer.private
    assert NAMES[permission] in answer.text
    assert evening["Ben"].sees("#games") == []


@pytest.mark.parametrize("permission", FOR_THREADS)
async def test_without_threads_it_says_so_and_plays_in_the_channel(evening: Evening, permission: str) -> None:
    evening.deny_bot(permission)
    ada = evening["Ada"]
    answer = await ada.slash("triggle new")
    assert answer.private
    assert FOR_THREADS[permission] in answer.text
    await evening["Ben"].press("Join")
    await ada.press("Start")
    assert (await evening.board()).channel_id == evening.people.channel("#games").id


# -- Things that vanish --


async def test_a_deleted_thread_is_followed_by_the_channel(evening: Evening) -> None:
    ada = await evening.open("triggle", "Ben")
    evening.people.world.delete_channel(ada.where)
    await evening.people.quiet()
    for name in ("Ada", "Ben"):
        evening[name].go("#games")
    assert (await evening.board()).channel_id == evening.people.channel("#games").id
    await place(evening, "A1-D4")
    assert "`A1-D4`" in (await evening.board()).text


async def test_letters_name_the_channel_when_the_thread_is_gone(evening: Evening) -> None:
    ada = await evening.open("trinity", "Ben")
    assert ada.where.id in ada.dm[-1].text
    evening.people.world.delete_channel(ada.where)
    await evening.people.quiet()
    assert f"<#{evening.people.channel('#games').id}>" in ada.dm[-1].text


async def test_what_is_shown_anew_waits_for_what_is_being_shown(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = await evening.open("triggle", "Ben")
    bot, send = evening.bot, evening.bot.delivery.send
    anew: list[asyncio.Task[None]] = []

    async def send_meanwhile(*given: Any) -> Sent:
        if not anew:
            anew.append(asyncio.create_task(bot.showing.show_anew(1)))
        sent = await send(*given)
        for _ in range(5):  # time enough for what does not wait
            await bot.store.table(1)
        return sent

    monkeypatch.setattr(bot.delivery, "send", send_meanwhile)
    await bot.showing.show_anew(1)
    await asyncio.gather(*anew)
    boards = [shown for shown in ada.sees() if shown.pictures]
    assert len(boards) == 3
    assert [bool(shown.labels) for shown in boards] == [False, False, True]


async def test_a_deleted_message_is_followed_by_a_new_one(evening: Evening) -> None:
    await evening.open("triggle", "Ben")
    world, board = evening.people.world, await evening.board()
    world.delete_message(world.message(board.channel_id, board.id))
    await place(evening, "A1-D4")
    assert "`A1-D4`" in (await evening.board()).text


async def test_an_archived_thread_is_woken(evening: Evening) -> None:
    ada = await evening.open("triggle", "Ben")
    evening.archive(ada.where)
    person = await evening.whose_turn()
    await evening.bot.tables.act(1, int(person.id), None, "A1-D4")
    await evening.bot.showing.show(1)
    assert "`A1-D4`" in (await evening.board()).text


# -- Crashes --


async def test_a_board_that_was_stored_but_not_shown_is_shown_once_after_a_restart(evening: Evening) -> None:
    await evening.open("triggle", "Ben")
    person, before = await evening.whose_turn(), len(boards(evening))
    await evening.bot.tables.act(1, int(person.id), None, "A1-D4")
    await evening.restart()
    assert len(boards(evening)) == before + 1
    assert "`A1-D4`" in (await evening.board()).text
    await evening.restart()
    assert len(boards(evening)) == before + 1


async def test_a_board_that_was_shown_but_not_noted_is_not_shown_twice(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    await evening.open("triggle", "Ben")
    person, before = await evening.whose_turn(), len(boards(evening))
    await evening.bot.tables.act(1, int(person.id), None, "A1-D4")

    async def power_cut(*_: Any) -> None:
        raise asyncio.CancelledError

    monkeypatch.setattr(evening.bot.store, "mark_shown", power_cut)
    with pytest.raises(asyncio.CancelledError):
        await evening.bot.showing.show(1)
    await evening.restart()
    assert len(boards(evening)) == before + 1
    assert [bool(board.labels) for board in boards(evening)] == [False] * before + [True]


async def test_old_buttons_answer_after_a_restart(evening: Evening) -> None:
    await evening.open("triggle", "Ben")
    await evening.restart()
    person = await evening.whose_turn()
    await person.press("Place a band")
    await evening.restart()
    await person.choose("Which row?", "A")
    await evening.restart()
    await person.choose("Which peg?", "A1")
    await evening.restart()
    assert "places `A1-D4`" in (await person.choose("To which peg?", "A1-D4")).text


async def test_a_form_opened_before_a_restart_can_be_sent_after_it(evening: Evening) -> None:
    await evening.open("triggle", "Ben")
    person = await evening.whose_turn()
    await person.press("Type a band")
    await evening.restart()
    assert "places `A1-D4`" in (await person.submit({"Band": "a1d4"})).text


async def test_a_lobby_works_after_a_restart(evening: Evening) -> None:
    ada = evening["Ada"]
    await ada.slash("triggle new")
    await evening.restart()
    await evening["Ben"].press("Join")
    await ada.press("Start")
    assert (await evening.table()).status == "playing"


# -- Discord out of order --


async def test_a_server_error_while_showing_is_made_good_later_with_the_same_nonce(evening: Evening) -> None:
    await evening.open("triggle", "Ben")
    for band, done in (("A1-D4", False), ("A1-A4", True)):  # Discord has posted it, or not
        before = len(boards(evening))
        evening.people.faults.fail("POST /channels/*/messages", status=503, after=done)
        await place(evening, band)
        assert len(boards(evening)) == before + done
        await evening.bot.showing.catch_up()
        assert len(boards(evening)) == before + 1
        assert f"`{band}`" in (await evening.board()).text


async def test_rate_limits_are_waited_out_in_order_without_double_posts(evening: Evening) -> None:
    await evening.open("triggle", "Ben")
    before = len(boards(evening))
    evening.people.faults.rate_limit("POST /channels/*/messages", times=2)
    for band in ("A1-D4", "A1-A4", "B1-B4"):
        await evening.bot.tables.act(1, int((await evening.whose_turn()).id), None, band)
        showing = [evening.bot.showing.show(1) for _ in range(3)]
        evening.people.faults.rate_limit("* /channels/*")
        await asyncio.gather(*showing)
    shown = [board.pictures[0].filename for board in boards(evening)[before:]]
    turn = (await evening.table()).turn
    assert shown == [f"triggle-1-{number}.png" for number in range(turn - 2, turn + 1)]


async def test_a_button_pressed_twice_within_a_millisecond_plays_once(evening: Evening) -> None:
    await evening.open("triggle", "Ben")
    person = await evening.whose_turn()
    await person.press("Place a band")
    await person.choose("Which row?", "A")
    menu = (await person.choose("Which peg?", "A1")).message
    assert menu is not None
    evening.people.settle = False
    hands, custom_id = evening.playground.interactions, menu.menus[0].custom_id
    for _ in range(2):
        hands.select(person.id, menu.channel_id, menu.id, custom_id, ("A1-D4",))
    await evening.people.quiet()
    assert len(await evening.bot.tables.happenings(await evening.table(), None)) == 1


# -- Our own mistakes --


async def test_an_unexpected_exception_is_answered_with_a_reference_and_the_table_goes_on(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await evening.open("triggle", "Ben")
    person = await evening.whose_turn()

    def broken(*_: Any) -> Any:
        raise ZeroDivisionError

    with monkeypatch.context() as patched, caplog.at_level(logging.ERROR):
        patched.setattr(Triggle, "play", broken)
        answer = await person.slash("triggle band", band="A1-D4")
    assert answer.private
    reference = answer.text.split("`")[1]
    records = [record for record in caplog.records if reference in str(getattr(record, "facts", ""))]
    assert records[0].exc_info is not None
    assert "places" in (await person.slash("triggle band", band="A1-D4")).text


async def test_drawing_that_takes_too_long_is_answered_without_the_picture(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    await evening.open("triggle", "Ben")
    person = await evening.whose_turn()
    monkeypatch.setattr("bot.request.PICTURE_PATIENCE", 0)
    answer = await person.press("Place a band")
    assert answer.message is not None
    assert answer.message.pictures == []
    assert answer.message.menus[0].placeholder == "Which row?"


async def test_an_answer_that_was_put_off_is_followed_by_its_picture(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = await evening.open("triggle", "Ben")
    monkeypatch.setattr("bot.request.PATIENCE", 0)
    answer = await ada.press("Watch")
    assert answer.deferred
    told, followed = ada.sees()[-2:]
    assert told.private
    assert followed.private
    assert "Look again" in told.labels
    assert (len(told.pictures), len(followed.pictures)) == (0, 1)


async def test_clocks_go_on_after_a_moment_without_the_database(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    store, back = evening.bot.store, asyncio.Event()
    asked = store.due_timers

    async def out_of_order(moment: datetime) -> tuple[TimerRow, ...]:
        monkeypatch.setattr(store, "due_timers", in_order)
        raise OperationalError("select", {}, Exception("disk I/O error"))

    async def in_order(moment: datetime) -> tuple[TimerRow, ...]:
        back.set()
        return await asked(moment)

    monkeypatch.setattr("bot.client.SOON", 0)
    monkeypatch.setattr(store, "due_timers", out_of_order)
    evening.bot.tables.timers_changed.set()
    await asyncio.wait_for(back.wait(), PATIENCE)
    assert "background work failed" in caplog.text


async def test_a_closed_table_answers_its_old_buttons(evening: Evening) -> None:
    await evening.open("triggle", "Ben")
    old = await evening.board()
    await evening.bot.tables.close(1)
    assert (await evening["Ada"].press_late(old, "Place a band")).text == "This table is closed."


async def test_a_press_on_a_table_that_is_gone_is_told_so(evening: Evening) -> None:
    await evening.open("triggle", "Ben")
    old = await evening.board()
    await evening.bot.store.empty()
    assert "no table 1 any more" in (await evening["Ada"].press_late(old, "Place a band")).text


# -- With a token --


async def test_with_a_token_the_bot_asks_discord_itself_to_log_in(tmp_path: Path) -> None:
    """The addresses are Discord's real ones; only the resolver leads them to the stand-in, which speaks TLS."""
    authority = trustme.CA()
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("discord.com").configure_cert(tls)
    playground = Playground(hosts=["discord.com"], tls=tls)
    await playground.start()
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    port = int(playground.url.rsplit(":", 1)[1])
    connector = aiohttp.TCPConnector(resolver=Lead(port), ssl=trusting)
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path}/trigon.db")
    bot = Trigon(store, Tables(store), connector=connector)
    assert discord.http.Route.BASE.startswith("https://discord.com/")
    try:
        await bot.login(playground.token)
        assert bot.user is not None
        assert bot.user.name == "Trigon"
    finally:
        await bot.close()
        await playground.stop()


class Lead(AbstractResolver):
    """Leads every name and port to one port of this machine."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def resolve(self, host: str, port: int = 0, family: Any = 0) -> list[ResolveResult]:
        return [
            ResolveResult(hostname=host, host="127.0.0.1", port=self._port, family=2, proto=0, flags=0),
        ]

    async def close(self) -> None:
        """Nothing is held."""
