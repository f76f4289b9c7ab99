"""The server itself: who may talk to it, what it serves, what it keeps, and that it fails loudly."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import aiohttp
import discord
import pytest

from bot.playground import saving
from bot.playground.description import SHARED, Description
from bot.playground.driver import Clumsy, People, playing
from bot.playground.refusals import Refused
from bot.playground.rest import PREFIX
from bot.playground.server import Playground
from tests.bot.playground.desk import V2, Desk, a_desk, box, text
from tests.bot.playground.small_bot import SmallBot
from tests.bot.playground.test_message_limits import PNG


async def test_other_hosts_and_origins_are_refused(desk: Desk) -> None:
    url = desk.playground.url
    for headers in ({"Host": "discord.com"}, {"Origin": "https://example.org"}, {"Origin": "null"}):
        async with desk.session.get(url, headers=headers) as answer:
            assert answer.status == 403, headers
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await desk.session.ws_connect(f"{url}/page/socket", headers={"Origin": "https://example.org"})
    async with desk.session.get(url, headers={"Origin": url}) as answer:
        assert answer.status == 200


async def test_the_page_and_its_files_and_nothing_beside_them(desk: Desk) -> None:
    async with desk.session.get(desk.playground.url + "/") as answer:
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    async with desk.session.get(desk.playground.url + "/page/static/connection.js") as answer:
        assert answer.headers["Content-Type"].startswith("text/javascript")
    for path in (
        "/page/static/../server.py",
        "/page/static/%2e%2e/server.py",
        "/page/static/none.js",
        "/page/static/vendor",
    ):
        async with desk.session.get(desk.playground.url + path) as answer:
            assert answer.status == 404, path


async def test_uploaded_pages_are_not_served_as_pages(desk: Desk) -> None:
    message = await desk.sent({"content": "x"}, files={"evil.html": b"<script>", "evil.svg": b"<svg/>"})
    for attachment in message["attachments"]:
        async with desk.session.get(attachment["url"]) as answer:
            assert answer.headers["Content-Type"] == "application/octet-stream"


async def test_avatars(desk: Desk) -> None:
    async with desk.session.get(desk.playground.url + "/cdn/embed/avatars/3.png") as answer:
        assert answer.status == 200
    async with desk.session.get(desk.playground.url + "/cdn/embed/avatars/9.png") as answer:
        assert answer.status == 404


async def test_discord_py_is_led_here_and_back() -> None:
    route, gateway, asset = discord.http.Route, discord.gateway.DiscordWebSocket, discord.asset.Asset
    before = (route.BASE, gateway.DEFAULT_GATEWAY, asset.BASE)
    playground = Playground()
    await playground.start()
    with playground.discord():
        inside = (route.BASE, str(gateway.DEFAULT_GATEWAY), asset.BASE)
    assert inside == (playground.url + PREFIX, playground.gateway.address, playground.url + "/cdn")
    after = (route.BASE, gateway.DEFAULT_GATEWAY, asset.BASE)
    assert after == before
    await playground.stop()


async def test_answers_are_plain_json_to_discord_py(desk: Desk) -> None:
    headers = {"Authorization": f"Bot {desk.playground.token}"}
    async with desk.session.get(f"{desk.playground.url}{PREFIX}/users/@me", headers=headers) as answer:
        assert answer.headers["Content-Type"] == "application/json"


async def test_a_bug_in_the_stand_in_is_a_400_and_noted(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("broken")

    monkeypatch.setattr(desk.playground.interactions, "acknowledge", broken)
    reply = await desk.answer(await desk.used(), 4, {"content": "x"})
    assert reply.status == 400
    assert "broken" in reply.data["message"]
    assert len(desk.playground.rest.bugs) == 1
    desk.playground.rest.bugs.clear()


async def test_an_unknown_route_is_noted(desk: Desk) -> None:
    assert (await desk.call("GET", "/guilds/1/emojis")).status == 404
    assert desk.playground.rest.bugs == [f"no route GET {PREFIX}/guilds/1/emojis"]
    desk.playground.rest.bugs.clear()


async def test_faults_come_in_order_and_are_used_up(desk: Desk) -> None:
    faults = desk.playground.faults
    faults.rate_limit("POST /channels/*/messages", 0.5)
    faults.rate_limit("POST /channels/*/messages", 0.5, via=False)
    faults.fail("POST /channels/*", 502, times=2)
    faults.refuse("GET /users/@me", 10013)
    assert [(await desk.send({"content": "x"})).status for _ in range(5)] == [429, 429, 502, 502, 200]
    assert (await desk.call("GET", "/users/@me")).code == 10013
    assert (await desk.call("GET", "/users/@me")).status == 200
    faults.fail("GET /users/@me")
    faults.clear()
    assert (await desk.call("GET", "/users/@me")).status == 200
    statuses = [(served.status, served.code) for served in desk.playground.rest.served]
    assert statuses[:3] == [(429, 0), (429, 0), (502, 0)]


# -- Keeping the world ----------------------------------------------------------------------------------------------


async def test_the_world_is_there_again_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "data" / "playground.json"
    playground = Playground(save_to=path)
    async with playing(lambda: SmallBot(guild_ready_timeout=0.01), playground=playground) as people:
        await people["Ada"].slash("small new", title="kept")
        await people["Ben"].press("Whisper")
        await people["Ada"].slash("small thread")
        people["Ben"].speak("zh-TW")
        ids = (people["Ada"].id, people.world.bot.id, people.channel("games").id)
    again = Playground(save_to=path)
    async with playing(lambda: SmallBot(guild_ready_timeout=0.01), playground=again) as people:
        ada = people["Ada"]
        assert (ada.id, people.world.bot.id, people.channel("games").id) == ids
        assert people["Ben"].user.locale == "zh-TW"
        shown = ada.sees("games")[0]
        assert "kept" in shown.text
        assert shown.pictures[0].content.startswith(b"\x89PNG")
        assert ada.sees("Table 1")[-1].text == "Edited"
        assert people["Ben"].private == []
        await people["Ben"].press("Join", message=shown)
        assert ada.sees("games")[0].text == "Ben joined"


async def test_files_that_no_message_shows_are_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "playground.json"
    async with a_desk() as desk:
        keeper = saving.Keeper(desk.world, path)
        message = await desk.sent({"content": "x"}, files={"a.png": PNG})
        await keeper.save()
        assert len(list((tmp_path / "playground.files").iterdir())) == 1
        await desk.edit(message["id"], {"attachments": []})
        await keeper.save()
        assert list((tmp_path / "playground.files").iterdir()) == []


async def test_what_nobody_looks_at_any_more_is_forgotten(tmp_path: Path) -> None:
    async with a_desk() as desk:
        keeper = saving.Keeper(desk.world, tmp_path / "playground.json")
        message = await desk.sent({"content": "x"}, files={"a.png": PNG})
        await desk.answer(await desk.used(), 4, {"content": "private", "flags": 64}, files={"b.png": PNG})
        await desk.edit(message["id"], {"attachments": []})
        await keeper.save()
        assert len(desk.world.files) == 2
        desk.clock.advance(saving.JUST_NOW_SECONDS + 5)
        await keeper.save()
        assert len(desk.world.files) == 1
        (private,) = desk.world.history(desk.games.id, desk.ada.id)[1:]
        desk.world.dismiss(desk.ada.id, private)
        await keeper.save()
        assert desk.world.files == {}
        assert list(desk.world.state.messages[desk.games.id]) == [message["id"]]


async def test_a_world_that_cannot_be_read_is_put_aside(tmp_path: Path) -> None:
    path = tmp_path / "playground.json"
    path.write_text('{"bot_id": 5}', encoding="utf-8")
    playground = Playground(save_to=path)
    assert [person.name for person in playground.world.people] == ["Ada", "Ben", "小陳", "Dora"]
    assert path.with_suffix(".unreadable").exists()
    assert not path.exists()


async def test_the_world_is_saved_while_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saving, "EVERY_SECONDS", 0)
    saved: list[int] = []
    playground = Playground(save_to=tmp_path / "playground.json")
    write = saving._write

    def noted(path: Path, text: bytes, files: dict[str, bytes]) -> None:
        write(path, text, files)
        saved.append(len(json.loads(text)["channels"]))
        loop.call_soon_threadsafe(playground.world.changes.tell)

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(saving, "_write", noted)
    await playground.start()
    playground.world.open_direct(playground.world.people[0].id)
    assert await playground.world.changes.until(lambda: 3 in saved, 5)
    await playground.stop()


# -- Discord's own description --------------------------------------------------------------------------------------

needs_description = pytest.mark.skipif(not SHARED.exists(), reason=f"{SHARED} is not there")


@needs_description
async def test_bodies_are_held_against_discords_description() -> None:
    async with a_desk(describe=True) as desk:
        wrong = {"flags": V2, "components": [box({"type": 10})]}
        reply = await desk.send(wrong)
        assert reply.problem("components.0.components.0") == "OPENAPI"
        assert (await desk.send({"content": "x", "tts": "yes"})).problem("tts") == "OPENAPI"
        assert (await desk.send({"flags": V2, "components": [box(text())]})).status == 200
        assert (await desk.commands({"name": "x", "description": "d", "contexts": [9]})).problem(
            "0.contexts.0"
        ) == "OPENAPI"
        assert (await desk.answer(await desk.used(), 4, {"content": "x"})).status == 200


@needs_description
def test_each_kind_of_callback_has_its_own_description() -> None:
    description = Description.load()
    assert description is not None
    template = "/interactions/{interaction_id}/{interaction_token}/callback"
    for fine in ({"type": 4, "data": {"content": "x"}}, {"type": 5}, {"type": 6}, {"type": 8, "data": {"choices": []}}):
        description.check("POST", template, fine)
    for wrong in ({"type": 4, "data": {"content": 5}}, {"type": 9, "data": {"title": "x"}}, {"type": 99}, {}):
        with pytest.raises(Refused):
            description.check("POST", template, wrong)


def test_without_the_file_nothing_is_described(tmp_path: Path) -> None:
    assert Description.load(tmp_path / "none.json") is None


# -- The driver -----------------------------------------------------------------------------------------------------


async def test_people_say_what_they_see_when_they_cannot_do_it() -> None:
    async with playing(lambda: SmallBot(guild_ready_timeout=0.01), patience=0.3) as people:
        people.patience = 5
        await people["Ada"].slash("small new")
        people.patience = 0.05
        with pytest.raises(Clumsy, match=r"sees no button 'Dance'; in view:\n.*Board of 4"):
            await people["Ben"].press("Dance")
        with pytest.raises(Clumsy, match="is not offered /dance"):
            await people["Ben"].slash("dance")
        with pytest.raises(Clumsy, match="has no form open"):
            await people["Ben"].submit({})


async def test_a_client_that_cannot_log_in_fails_the_test() -> None:
    playground = Playground()
    playground.gateway.token = "other"
    with pytest.raises(discord.LoginFailure):
        async with playing(SmallBot, playground=playground):
            pass


async def test_quiet_waits_for_tasks_that_the_bots_code_began() -> None:
    async with playing(lambda: SmallBot(guild_ready_timeout=0.01)) as people:
        await _begin_a_task(people)


async def _begin_a_task(people: People) -> None:
    done: list[str] = []
    bot = people.bot
    assert isinstance(bot, SmallBot)

    async def show() -> None:
        for _ in range(50):
            await asyncio.sleep(0)
        done.append("shown")

    kept: list[asyncio.Task[None]] = []

    async def on_interaction(_: discord.Interaction) -> None:
        kept.append(asyncio.create_task(show()))

    bot.on_interaction = on_interaction  # type: ignore[attr-defined]
    await people["Ada"].slash("small new")
    assert done == ["shown"]
