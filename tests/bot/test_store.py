"""The database: its schema, its pragmas, and that a write made for an old turn changes nothing."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext

from bot.schema import metadata
from bot.store import MIGRATIONS, ActionRow, Behind, LetterRow, SeatRow, Store
from bot.tables import now


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path}/nested/trigon.db")
    yield store
    await store.close()


async def add_table(store: Store) -> int:
    moment = now()
    values = {
        "game": "triggle",
        "version": 1,
        "status": "lobby",
        "channel": 2**62,
        "opener": 5,
        "options": {"side": 5},
        "given": {},
        "turn": 1,
        "seat_turns": [],
        "shown_turn": 0,
        "shown_to_act": [],
        "made": moment,
        "changed": moment,
    }
    return await store.add_table(values, [SeatRow(0, 5, "Ada", "green")])


async def test_the_migrations_make_the_tables_that_the_code_declares(store: Store) -> None:
    async with store.engine.connect() as connection:
        differences = await connection.run_sync(
            lambda sync: compare_metadata(MigrationContext.configure(sync, opts={"compare_type": False}), metadata)
        )
    assert differences == []


async def test_migrating_again_changes_nothing(store: Store) -> None:
    table = await add_table(store)
    await store.migrate()
    assert await store.table(table) is not None


@pytest.mark.parametrize("revision", ["0001", "0002", "0003"])
async def test_a_database_of_any_age_keeps_its_tables(tmp_path: Path, revision: str) -> None:
    store = Store.connect(f"sqlite+aiosqlite:///{tmp_path}/old.db")
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))

    def as_it_was(connection: sa.Connection) -> None:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)

    async with store._writing() as connection:
        await connection.run_sync(as_it_was)
        for statement in (
            "INSERT INTO tables (id, game, version, status, channel, opener, options, given, turn, seat_turns, "
            "shown_turn, shown_to_act, made, changed) "
            "VALUES (7, 'triggle', 1, 'playing', 2, 5, '{}', '{}', 3, '[3]', 3, '[0]', 1, 2)",
            """INSERT INTO seats ("table", seat, person, name) VALUES (7, 0, 5, 'Ada')""",
            """INSERT INTO letters ("table", person, message, acting, turn) VALUES (7, 5, 99, 1, 3)""",
        ):
            await connection.exec_driver_sql(statement)
    assert not await store.is_current()
    await store.migrate()
    assert await store.is_current()
    found = await store.table(7)
    assert found is not None
    assert (found[0].turn, found[0].hidden, found[0].robot_to_act) == (3, [], False)
    assert found[1] == (SeatRow(0, 5, "Ada"),)
    assert await store.letters(7) == {5: LetterRow(5, message=99, acting=True)}
    await store.close()


async def test_no_move_is_lost_in_a_power_cut(store: Store) -> None:
    async with store.engine.connect() as connection:
        pragmas = {
            name: (await connection.execute(sa.text(f"PRAGMA {name}"))).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


async def test_a_table_comes_back_as_it_was_stored(store: Store) -> None:
    found = await store.table(await add_table(store))
    assert found is not None
    row, seats = found
    assert (row.channel, row.options, row.turn, row.made.tzinfo is not None) == (2**62, {"side": 5}, 1, True)
    assert seats == (SeatRow(0, 5, "Ada", "green"),)


async def test_what_a_table_brought_along_is_read_only_while_it_is_needed(store: Store) -> None:
    table, brought = await add_table(store), {"deck": {"language": "en", "cards": []}}
    read = {}
    for turn, status in enumerate(("lobby", "playing", "over"), 1):
        await store.change_table(table, turn, {"status": status, "given": brought} if turn == 1 else {"status": status})
        found = await store.table(table)
        assert found is not None
        read[status] = found[0].given
    assert read == {"lobby": brought, "playing": {}, "over": brought}


async def test_a_write_for_an_old_turn_changes_nothing(store: Store) -> None:
    table = await add_table(store)
    await store.change_table(table, 1, {"status": "playing"})
    action = ActionRow(2, 0, "play", "{}", "[]", now())
    with pytest.raises(Behind):
        await store.change_table(table, 1, {"status": "over"}, [], action)
    found = await store.table(table)
    assert found is not None
    assert (found[0].status, found[0].turn, len(found[1])) == ("playing", 2, 1)
    assert await store.actions(table) == ()


async def test_an_action_and_its_state_are_stored_together_or_not_at_all(store: Store) -> None:
    table = await add_table(store)
    action = ActionRow(2, 0, "play", "{}", "[]", now())
    await store.change_table(table, 1, {}, action=action)
    with pytest.raises(sa.exc.IntegrityError):
        await store.change_table(table, 2, {"status": "over"}, action=action)
    found = await store.table(table)
    assert found is not None
    assert (found[0].status, found[0].turn) == ("lobby", 2)


async def test_a_table_is_behind_until_what_changed_is_shown(store: Store) -> None:
    table = await add_table(store)
    assert await store.behind() == (table,)
    await store.mark_shown(table, {"shown_turn": 1})
    assert await store.behind() == (table,)
    await store.mark_shown(table, {"told_turn": 1})
    assert await store.behind() == ()
    await store.mark_shown(table, {"old_message": 9})
    assert await store.behind() == (table,)


async def test_two_stores_on_one_file_take_turns_writing(store: Store, tmp_path: Path) -> None:
    table = await add_table(store)
    other = await Store.open(f"sqlite+aiosqlite:///{tmp_path}/nested/trigon.db")
    try:
        await store.change_table(table, 1, {"status": "playing"})
        with pytest.raises(Behind):
            await other.change_table(table, 1, {"status": "closed"})
    finally:
        await other.close()


async def test_a_person_is_remembered_by_their_newest_name_and_language(store: Store) -> None:
    await store.remember_person(5, "Ada", "en-GB")
    await store.remember_person(5, "Ada L.", "zh-TW")
    assert await store.locale_of(5) == "zh-TW"
    assert await store.locale_of(6) is None


async def test_a_reset_forgets_everything(store: Store) -> None:
    table = await add_table(store)
    await store.empty()
    assert await store.table(table) is None
