"""What server admins set, by hand in the panel; what it changes, and who may."""

import asyncio
import json
import re
from typing import Any

import pytest

from bot.playground.driver import Answer, Person, Shown
from bot.store import ChangeRow
from bot.tables import Person as Somebody
from tests.e2e.evening import Evening


async def set_house(admin: Person, name: str, value: str) -> Answer:
    """Set one of the server's settings by the panel."""
    await admin.slash("settings")
    await admin.choose("Set something for the server", name)
    return await choose_value(admin, value)


async def set_variant(admin: Person, game: str, name: str, value: str) -> Answer:
    """Set a game's variant by the panel."""
    await admin.slash("settings")
    await admin.choose("Set the rules of a game", game)
    await admin.choose("Which rule?", f"{game}.{name}")
    return await choose_value(admin, value)


async def choose_value(admin: Person, value: str) -> Answer:
    """Choose by button, menu or form, whichever the page has."""
    page = admin.private[-1]
    if value in page.labels:
        return await admin.press(value)
    if page.menus:
        return await admin.choose("Which value?", value)
    await admin.press("Type a number")
    return await admin.submit({"value": value})


async def lobby(evening: Evening, **options: str) -> str:
    """Open a table as a player and read its lobby."""
    return await lobby_of(evening, "Ben", **options)


async def lobby_of(evening: Evening, opener: str, **options: str) -> str:
    await evening[opener].slash("triggle new", **options)
    return evening[opener].sees("#games")[-1].text


async def tables_page(evening: Evening, table: int) -> Shown:
    """An admin's page about a table, found by the panel."""
    await evening["Ada"].slash("settings")
    await evening["Ada"].press("Open tables")
    await evening["Ada"].choose("Which table?", str(table))
    return evening["Ada"].private[-1]


# -- Who may --


async def test_the_panel_is_for_admins_whatever_discord_lets_by(evening: Evening) -> None:
    assert "settings" not in evening["Ben"].offered()
    await evening["Ada"].slash("settings")
    panel = evening["Ada"].private[-1]
    evening.people.world.home.owner_id = evening["Dora"].id
    evening.people.world.home.members[evening["Ada"].id].roles.clear()
    answer = await evening["Ada"].press("Changes so far", message=panel)
    assert "may manage this server" in answer.text


# -- Variants of games --


async def test_a_variant_that_is_set_is_used_by_new_and_said_in_the_lobby(evening: Evening) -> None:
    await set_variant(evening["Ada"], "triggle", "side", "5")
    assert "Board: 5" in await lobby(evening)
    assert (await evening.table()).options.changed() == {"side": 5}


async def test_an_opener_may_choose_otherwise_unless_it_is_the_same_for_everybody(evening: Evening) -> None:
    await set_variant(evening["Ada"], "triggle", "side", "5")
    assert "Board: 6" in await lobby(evening, side="6")
    await evening["Ada"].press("Same for everybody")
    answer = await evening["Ben"].slash("triggle new", side="6")
    assert answer.private
    assert "`side` is always `5`" in answer.text
    assert "Board: 5" in await lobby(evening)


async def test_a_variant_goes_back_to_the_rulebook(evening: Evening) -> None:
    await set_variant(evening["Ada"], "triggle", "side", "5")
    await evening["Ada"].press("Back to the usual")
    assert "as in the rulebook" in await lobby(evening)


async def test_a_number_is_typed_and_one_out_of_range_refused(evening: Evening) -> None:
    await evening["Ada"].slash("settings")
    await evening["Ada"].choose("Set the rules of a game", "triggle")
    await evening["Ada"].choose("Which rule?", "triggle.pieces")
    await evening["Ada"].press("Type a number")
    refused = await evening["Ada"].submit({"value": "61"})
    assert "10 to 60" in refused.text
    await evening["Ada"].press("Type a number")
    await evening["Ada"].submit({"value": "30"})
    assert "Pieces: 30" in await lobby(evening)


async def test_a_running_table_keeps_its_rules(evening: Evening) -> None:
    await evening.open("triggle", "Ben")
    await set_variant(evening["Ada"].go("#games"), "triggle", "side", "6")
    await set_house(evening["Ada"], "turn_limit", "1 hour")
    table = await evening.table()
    assert (table.options.changed(), table.limit) == ({}, None)


# -- The server's own --


async def test_the_language_of_public_texts(evening: Evening) -> None:
    await set_house(evening["Ada"], "language", "Chinese (Taiwan)")
    await lobby(evening)
    assert "加入" in evening["Ben"].sees("#games")[-1].labels


async def test_tables_without_threads(evening: Evening) -> None:
    await set_house(evening["Ada"], "threads", "off")
    await evening.open("triggle", "Ben")
    assert (await evening.board()).channel_id == evening.people.channel("#games").id


async def test_one_message_edited_in_place(evening: Evening) -> None:
    await set_house(evening["Ada"], "messages", "one message, edited in place")
    await evening.open("triggle", "Ben")
    before = await evening.board()
    await (await evening.whose_turn()).slash("triggle band", band="A1-D4")
    after = await evening.board()
    assert after.id == before.id
    assert "`A1-D4`" in after.text
    assert "Place a band" in after.labels


async def test_the_turn_limit_is_stored_and_shown(evening: Evening) -> None:
    await set_house(evening["Ada"], "turn_limit", "1 hour")
    assert "1 hour" in await lobby(evening)
    await evening["Dora"].press("Join")
    await evening["Ben"].press("Start")
    assert ":R>" in (await evening.board()).text


async def test_channels_where_tables_may_be_opened(evening: Evening) -> None:
    await evening["Ada"].slash("settings")
    await evening["Ada"].choose("Set something for the server", "channels")
    await evening["Ada"].choose("Only in", evening.people.channel("#lounge"))
    answer = await evening["Ben"].slash("triggle new", at="#games")
    assert answer.private
    assert "Tables are opened in" in answer.text
    await evening["Ben"].slash("triggle new", at="#lounge")
    assert (await evening.table()).place.channel == int(evening.people.channel("#lounge").id)


async def test_roles_that_may_open_tables(evening: Evening) -> None:
    world = evening.people.world
    role = next((role for role in world.home.roles.values() if role.id != world.home.id), None)
    assert role is not None
    await evening["Ada"].slash("settings")
    await evening["Ada"].choose("Set something for the server", "openers")
    await evening["Ada"].choose("Only", role)
    world.home.members[evening["Ben"].id].roles.clear()
    answer = await evening["Ben"].slash("triggle new")
    assert answer.private
    assert "may open tables" in answer.text
    world.home.members[evening["Ben"].id].roles.append(role.id)
    assert "At the table" in await lobby(evening)


async def test_channels_that_are_deleted_are_said_to_be_and_can_be_set_anew(evening: Evening) -> None:
    await test_channels_where_tables_may_be_opened(evening)
    evening.people.world.delete_channel(evening.people.channel("#lounge"))
    await evening.people.quiet()
    answer = await evening["Ben"].slash("triggle new", at="#games")
    assert answer.private
    assert "have been deleted" in answer.text
    page = await evening["Ada"].slash("settings", at="#games")
    assert "**Tables may be opened in:** ⚠️ 1 that has been deleted" in page.text
    await evening["Ada"].choose("Set something for the server", "channels")
    await evening["Ada"].press("Everywhere")
    assert "At the table" in await lobby(evening)


async def test_roles_that_are_deleted_are_said_to_be_and_can_be_set_anew(evening: Evening) -> None:
    await test_roles_that_may_open_tables(evening)
    world = evening.people.world
    await evening["Ada"].press("Close this table (admins)", message=await tables_page(evening, 1))
    world.delete_role(world.home, next(role for role in world.home.roles.values() if role.id != world.home.id))
    await evening.people.quiet()
    assert "have been deleted" in (await evening["Ben"].slash("triggle new")).text
    assert "At the table" in await lobby_of(evening, "Ada")
    page = await evening["Ada"].slash("settings")
    assert "**Who may open tables:** ⚠️ 1 that has been deleted" in page.text
    await evening["Ada"].choose("Set something for the server", "openers")
    await evening["Ada"].press("Everybody")
    assert "At the table" in await lobby(evening)


@pytest.mark.parametrize(
    ("name", "said"), [("tables_per_person", "You have 1 open table"), ("tables_per_server", "There is 1 open table")]
)
async def test_limits_on_open_tables(evening: Evening, name: str, said: str) -> None:
    await set_house(evening["Ada"], name, "1")
    await lobby(evening)
    answer = await evening["Ben"].slash("triggle new")
    assert answer.private
    assert said in answer.text


async def test_games_that_are_not_offered(evening: Evening) -> None:
    await evening["Ada"].slash("settings")
    await evening["Ada"].choose("Set something for the server", "without")
    others = [option for option in evening["Ada"].private[-1].menus[0].options if option != "Triggle"]
    if not others:
        pytest.skip("there is only one game")
    await evening["Ada"].choose("Games offered", *others)
    answer = await evening["Ben"].slash("triggle new")
    assert "not offered" in answer.text
    assert "Triggle" not in str((await evening["Ben"].slash("house")).message)


# -- Log, export, import --


async def test_each_change_is_logged_in_words_with_who_and_when(evening: Evening) -> None:
    ada = evening["Ada"]
    await set_house(ada, "threads", "off")
    await set_variant(ada, "triggle", "goal", "fewest pieces")
    await ada.press("Same for everybody")
    await ada.press("Back to the usual")
    lounge = int(evening.people.channel("#lounge").id)
    await set_house_directly(evening, ada, {"channels": (lounge, 5), "without": ("chess",)})
    await ada.slash("settings")
    log = await ada.press("Changes so far")
    lines = log.text.splitlines()[1:]
    assert all(re.fullmatch(r"-# Ada · <t:\d+:f>", line) for line in lines[1::2])
    assert lines[::2] == [
        "**Games:** Triangulation, Triggle and TRiNITY",
        f"**Channels:** <#{lounge}> and ⚠️ 1 that has been deleted",
        "**Triggle · Goal:** back to the usual (most pieces)",
        "**Triggle · Goal:** same for everybody",
        "**Triggle · Goal:** fewest pieces",
        "**Threads:** off",
    ]
    ada.speak("zh-TW")
    await ada.slash("settings")
    assert "\n**Triggle · 目標：**棋子最少\n-# Ada · " in (await ada.press("變更紀錄")).text


async def test_a_long_log_is_turned_over_and_keeps_what_nobody_can_set_any_more(evening: Evening) -> None:
    server, ada = int(evening.people.world.home.id), evening["Ada"]
    lost = ChangeRow(0, "", "gold", "much", evening.bot.tables.clock())
    await evening.bot.store.change_settings(server, lambda settings: (settings, [lost]))
    for limit in range(1, 11):
        await set_house_directly(evening, ada, {"tables_per_person": limit + 10})
    await ada.slash("settings")
    newest = await ada.press("Changes so far")
    assert newest.text.splitlines()[1] == "**Tables per person:** 20"
    oldest = await ada.press("Older")
    assert oldest.text.splitlines()[1] == "`gold` = `much`"
    assert oldest.text.splitlines()[2].startswith("-# a former admin · ")
    assert "Tables per person" in (await ada.press("Newer")).text


async def test_what_is_exported_can_be_imported_elsewhere(evening: Evening) -> None:
    await set_house(evening["Ada"], "threads", "off")
    await set_variant(evening["Ada"], "triggle", "side", "5")
    await evening["Ada"].slash("settings")
    exported = await evening["Ada"].press("Export")
    assert exported.message is not None
    file = exported.message.pictures[0].content
    await set_house(evening["Ada"], "threads", "on")
    answer = await import_file(evening["Ada"], file)
    assert "**Threads:** off" in answer.text
    log = await evening["Ada"].press("Changes so far")
    assert log.text.splitlines()[1:4:2] == ["A file was imported. What it changed is below.", "**Threads:** off"]
    assert "Board: 5" in await lobby(evening)


async def import_file(admin: Person, content: bytes) -> Answer:
    await admin.slash("settings")
    await admin.press("Import")
    return await admin.submit({"file": admin.upload("settings.json", content)})


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no file that Export has made"),
        (b"{", "no file that Export has made"),
        (b"\xff\xfe\x00", "no file that Export has made"),
        (b'{"trigon_settings": 1, "settings": [1]}', "no file that Export has made"),
        (b'{"trigon_settings": 99, "settings": {}}', "format 99"),
        (b'{"trigon_settings": 1, "settings": {"threads": "perhaps"}}', "wrong kind"),
        (b'{"trigon_settings": 1, "settings": {"turn_limit": "1s"}}', "`turn_limit` cannot be `1s`"),
        (b'{"trigon_settings": 1, "settings": {"gold": 1}}', "no setting `gold`"),
        (b'{"trigon_settings": 1, "settings": {"channels": [5]}}', "5 is not on this server"),
        (b'{"trigon_settings": 1, "settings": {"without": ["poker"]}}', "no game `poker`"),
        (b'{"trigon_settings": 1, "settings": {"variants_of": {"triggle": {"side": 9}}}}', "`side` cannot be `9`"),
        (b'{"trigon_settings": 1, "settings": {"variants_of": {"triggle": {"x": 9}}}}', "no rule `x`"),
        (b'{"trigon_settings": 1, "settings": {"variants_of": {"triggle": {"side": "5"}}}}', "`side` cannot be `5`"),
        (b'{"trigon_settings": 1, "settings": {"x":' + b"[" * 40_000 + b"]" * 40_000 + b"}}", "no file that Export"),
        (b"x" * 200_000, "too large"),
    ],
)
async def test_a_file_with_mistakes_changes_nothing(evening: Evening, content: bytes, said: str) -> None:
    answer = await import_file(evening["Ada"], content)
    assert answer.private
    assert said in answer.text
    assert (await evening.bot.houses.house(int(evening.people.world.home.id))).changed() == {}


async def test_all_mistakes_of_a_file_are_named_at_once(evening: Evening) -> None:
    settings = {"gold": 1, "turn_limit": "1s", "channels": [5]}
    answer = await import_file(evening["Ada"], json.dumps({"trigon_settings": 1, "settings": settings}).encode())
    assert all(said in answer.text for said in ("no setting `gold`", "`turn_limit` cannot be", "5 is not on"))


async def test_two_admins_at_once_lose_nothing_of_each_other(evening: Evening) -> None:
    world = evening.people.world
    world.home.members[evening["Dora"].id].roles = list(world.home.members[evening["Ada"].id].roles)
    admins = {"Ada": ("threads", "off"), "Dora": ("messages", "one message, edited in place")}
    for name, (setting, _) in admins.items():
        await evening[name].slash("settings")
        await evening[name].choose("Set something for the server", setting)
    await asyncio.gather(*(evening[name].press(value) for name, (_, value) in admins.items()))
    house = await evening.bot.houses.house(int(world.home.id))
    assert house.changed() == {"threads": False, "messages": "edit"}


async def set_house_directly(evening: Evening, person: Person, settings: dict[str, Any]) -> None:
    """Set some of the server's settings without the panel."""
    await evening.bot.houses.set(int(evening.people.world.home.id), Somebody(int(person.id), person.name), settings)


async def test_controls_that_name_what_is_not_there_are_answered_in_words(evening: Evening) -> None:
    ada = evening["Ada"]
    await set_variant(ada, "triggle", "pieces", "30")
    page = ada.private[-1]
    pressed = {
        "set_value": ("triggle.gold=3", "poker.side=5", "=", "house.gold=1"),
        "reset_value": ("triggle.gold", "poker.side", ""),
        "fix_value": ("triggle.gold=on", "house.threads=on"),
        "ask_value": ("triggle.goal", "triggle.gold", ""),
        "set_game": ("poker",),
        "set_variant": ("triggle", "poker.x"),
        "set_house": ("gold",),
        "set_list": ("gold=all",),
        "house": ("poker",),
        "house_rules": ("poker.1",),
        "settings_table": ("x",),
    }
    for verb, arguments in pressed.items():
        for argument in arguments:
            answer = await ada.press_as(page, f"0:0:{verb}:{argument}")
            assert answer.private
            assert "That is not there any more" in answer.text, (verb, argument)
    assert "cannot be `huge`" in (await ada.press_as(page, "0:0:set_value:triggle.side=huge")).text
    house = await evening.bot.houses.house(int(evening.people.world.home.id))
    assert house.variants_of == {"triggle": {"pieces": 30}}


# -- For everyone --


async def test_house_tells_everybody_what_is_set(evening: Evening) -> None:
    await set_house(evening["Ada"], "turn_limit", "1 day")
    await set_variant(evening["Ada"], "triggle", "goal", "fewest pieces")
    page = await evening["Ben"].slash("house")
    assert page.private
    assert "1 day" in page.text
    page = await evening["Ben"].choose("Show", "triggle")
    assert "fewest pieces" in page.text
    assert "Fewest pieces" in (await evening["Ben"].press("Rules")).text
    typed = await evening["Ben"].slash("triggle rules")
    assert typed.private
    assert typed.text == evening["Ben"].private[-2].text
    await evening["Ben"].press("Back")
    assert "**Goal: fewest pieces** · usually: most pieces" in evening["Ben"].private[-1].text


async def test_help_and_about_say_what_can_be_done_and_what_is_kept(evening: Evening) -> None:
    assert "`/triggle new`" in (await evening["Ben"].slash("help")).text
    assert "What I keep" in (await evening["Ben"].slash("about")).text


async def test_the_panel_is_in_the_admins_language(evening: Evening) -> None:
    evening["Ada"].speak("zh-TW")
    page = await evening["Ada"].slash("settings")
    assert "設定" in page.text


async def test_an_admin_without_a_seat_finds_a_lobby_in_the_panel(evening: Evening) -> None:
    await lobby(evening)
    await evening["Dora"].press("Join")
    page = await tables_page(evening, 1)
    assert "Ben and Dora" in page.text
    ada = evening["Ada"]
    await ada.press("Remove a player")
    await ada.choose("Who has to go?", "Ben")
    assert (await evening.table()).people == (int(evening["Dora"].id),)
    assert any("removed you from table 1" in shown.text and shown.mentions == ["Ben"] for shown in ada.sees())
    await evening["Dora"].go("#games").slash("triggle new")
    await ada.press("Close this table", message=await tables_page(evening, 1))
    assert [(await evening.table(number)).status for number in (1, 2)] == ["closed", "lobby"]
    assert any("closed table 1" in shown.text and shown.mentions == ["Dora"] for shown in ada.sees())
    await ada.slash("settings")
    assert "Triggle 1 ·" not in (await ada.press("Open tables")).text


async def test_admins_close_a_table_and_remove_a_player_with_a_word(evening: Evening) -> None:
    await evening.open("triggle", "Ben", "小陳")
    ada = evening["Ada"]
    await ada.press("More")
    await ada.press("Remove a player")
    await ada.choose("Who has to go?", "Ben")
    assert any("removed you" in shown.text and shown.mentions == ["Ben"] for shown in ada.sees())
    await ada.press("More")
    await ada.press("Close this table")
    assert (await evening.table()).status == "closed"
    assert any("closed table 1" in shown.text for shown in ada.sees())


async def test_nobody_else_closes_a_table_by_an_old_button(evening: Evening) -> None:
    await evening.open("triggle", "Ben")
    ada = evening["Ada"]
    page = await ada.press("More")
    assert page.message is not None
    evening.people.world.home.owner_id = evening["Dora"].id
    evening.people.world.home.members[ada.id].roles.clear()
    assert "may manage this server" in (await ada.press_late(page.message, "Close this table")).text
