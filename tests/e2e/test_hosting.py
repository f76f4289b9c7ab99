"""What whoever runs the bot relies on: check, backup, stopping, commands told once, greeting, coming back."""

import asyncio
import gc
import sqlite3
from pathlib import Path

import pytest

from bot import __main__ as program
from bot.check import check
from bot.config import Settings
from bot.store import Store
from tests.e2e.evening import Evening


def settings_for(folder: Path) -> Settings:
    return Settings(discord_token=None, database_url=f"sqlite+aiosqlite:///{folder}/trigon.db")


async def test_check_says_of_everything_whether_it_is_ready(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert await check(settings_for(tmp_path))
    said = capsys.readouterr().out.splitlines()
    assert [line.split()[1].rstrip(":") for line in said] == ["settings", "database", "fonts", "catalogues", "commands"]
    assert all(line.startswith("ok") for line in said)


async def test_check_names_a_database_that_cannot_be_opened(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "trigon.db").write_bytes(b"no database" * 100)
    assert not await check(settings_for(tmp_path))
    assert "FAILED  database" in capsys.readouterr().out


async def _made(folder: Path) -> None:
    await (await Store.open(f"sqlite+aiosqlite:///{folder}/trigon.db")).close()


def test_backup_copies_a_database_and_overwrites_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{tmp_path}/trigon.db")
    asyncio.run(_made(tmp_path))
    assert program.main(["backup", "copy.db"]) == 0
    with sqlite3.connect(tmp_path / "copy.db") as copy:
        assert copy.execute("SELECT count(*) FROM tables").fetchone() == (0,)
    copy.close()
    assert program.main(["backup", "copy.db"]) == 1
    assert "exists already" in capsys.readouterr().err


async def test_a_backup_while_games_go_on_is_consistent(evening: Evening, tmp_path: Path) -> None:
    await evening.open("triggle", "Ben")
    await asyncio.gather(
        evening.bot.store.backup(tmp_path / "copy.db"),
        evening.bot.tables.act(1, int((await evening.whose_turn()).id), None, "A1-D4"),
    )
    with sqlite3.connect(tmp_path / "copy.db") as copy:
        (turn, actions) = copy.execute(
            'SELECT turn, (SELECT count(*) FROM actions WHERE actions."table" = tables.id) FROM tables'
        ).fetchone()
    copy.close()
    assert (turn, actions) in ((3, 0), (4, 1))


async def test_commands_are_told_to_discord_only_when_they_have_changed(evening: Evening) -> None:
    def told() -> int:
        served = evening.playground.rest.served
        return sum(request.method == "PUT" and request.path.endswith("/commands") for request in served)

    assert told() == 1
    await evening.restart()
    assert told() == 1
    await evening.bot.store.keep_note("commands", "of an older version")
    await evening.restart()
    assert told() == 2


async def test_stopping_finishes_what_is_under_way_and_refuses_what_is_new(evening: Evening) -> None:
    await evening.open("triggle", "Ben")
    person = await evening.whose_turn()
    evening.people.settle = False
    held = evening.people.faults.hold("POST /interactions/*/callback")
    placing = asyncio.create_task(person.slash("triggle band", band="A1-D4"))
    await held.reached.wait()
    stopping = asyncio.create_task(evening.bot.close())
    await asyncio.sleep(0)
    refused = asyncio.create_task(person.press("Place a band"))
    await evening.people.until(lambda: len(evening.playground.interactions.unanswered()) > 1, "a second press")
    held.release()
    assert "places `A1-D4`" in (await placing).text
    assert "being restarted" in (await refused).text
    await stopping
    await evening.start()
    assert "`A1-D4`" in (await evening.board()).text


async def test_the_collector_leaves_out_what_is_loaded_once_the_bot_has_caught_up(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a pause of the collector over all our modules nobody would be answered."""
    done = []
    monkeypatch.setattr(gc, "freeze", lambda: done.append(evening.bot.caught_up.is_set()))
    evening.bot.caught_up.clear()
    keeping = asyncio.create_task(program.keep_what_is_loaded(evening.bot))
    await asyncio.sleep(0)
    assert done == []
    evening.bot.caught_up.set()
    await keeping
    assert done == [True]


async def test_a_server_is_greeted_once_where_the_bot_may_write(evening: Evening) -> None:
    guild = evening.bot.guilds[0]
    for _ in range(2):
        await evening.bot.on_guild_join(guild)
    hello = [shown for shown in evening["Ben"].view() if "Hello!" in shown.text]
    assert len(hello) == 1
    assert "`/triggle new`" in hello[0].text


async def test_where_it_may_not_write_the_bot_stays_silent(evening: Evening) -> None:
    for channel in ("#games", "#lounge"):
        evening.deny_bot("send_messages", channel)
    await evening.people.quiet()
    await evening.bot.on_guild_join(evening.bot.guilds[0])
    assert [shown for shown in evening["Ben"].view() if "Hello!" in shown.text] == []


def test_a_wrong_setting_ends_the_start_with_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOG_LEVEL", "LOUD")
    with pytest.raises(SystemExit, match="LOG_LEVEL should be"):
        program.main(["check"])
