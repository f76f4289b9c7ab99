"""The socket of the page: each pane gets what its person may know."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import aiohttp
import pytest

from bot.playground import permissions
from bot.playground.driver import People, playing
from tests.bot.playground.desk import Desk
from tests.bot.playground.small_bot import SmallBot


class Pane:
    """An open pane as the page sees it."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.nonces = 0
        self.ready: dict[str, Any] = {}

    async def hear(self, kind: str | None = None) -> dict[str, Any]:
        """The next frame, or the next of a kind; its data with the kind as `t`."""
        while True:
            frame = await self.socket.receive_json(timeout=5)
            if kind in (None, frame["t"]):
                return {"t": frame["t"], **frame["d"]}

    async def ask(self, op: str, **fields: Any) -> dict[str, Any]:
        """Ask for something; the answer of this nonce."""
        self.nonces += 1
        nonce = f"n{self.nonces}"
        await self.socket.send_json({"op": op, "nonce": nonce, **fields})
        while True:
            answer = await self.hear()
            if answer.get("nonce") == nonce:
                return answer


class Panes:
    """Opens panes; all are closed at the end."""

    def __init__(self, url: str, stack: AsyncExitStack, session: aiohttp.ClientSession) -> None:
        self.url = url
        self.stack = stack
        self.session = session

    async def open(self, user_id: str = "") -> Pane:
        context = self.session.ws_connect(f"{self.url}/page/socket?as={user_id}", headers={"Origin": self.url})
        pane = Pane(await self.stack.enter_async_context(context))
        pane.ready = await pane.hear("READY")
        return pane


@pytest.fixture
async def people() -> AsyncIterator[People]:
    async with playing(lambda: SmallBot(guild_ready_timeout=0.01)) as found:
        await found.quiet()
        yield found


@pytest.fixture
async def panes(people: People) -> AsyncIterator[Panes]:
    async with AsyncExitStack() as stack:
        session = await stack.enter_async_context(aiohttp.ClientSession())
        yield Panes(people.playground.url, stack, session)


def _games(people: People) -> str:
    return people.channel("games").id


def _command(pane: Pane, name: str = "small") -> str:
    return str(next(c["id"] for c in pane.ready["commands"] if c["name"] == name))


async def _open_board(people: People, pane: Pane) -> dict[str, Any]:
    asked = {"channel_id": _games(people), "command_id": _command(pane), "path": ["new"], "options": {"side": 5}}
    assert (await pane.ask("slash", **asked))["t"] == "DONE"
    history = await pane.ask("history", channel_id=_games(people))
    message: dict[str, Any] = history["messages"][-1]
    return message


async def test_a_pane_begins_with_all_it_needs(people: People, panes: Panes) -> None:
    pane = await panes.open(people["小陳"].id)
    assert pane.ready["user"]["global_name"] == "小陳"
    assert pane.ready["user"]["locale"] == "zh-TW"
    assert [p["global_name"] for p in pane.ready["personas"]] == ["Ada", "Ben", "小陳", "Dora"]
    assert [c["name"] for c in pane.ready["channels"]] == ["games", "lounge"]
    assert [c["name"] for c in pane.ready["commands"]] == ["small"]
    assert pane.ready["guild"]["name"] == "Trigon Tavern"
    assert (await panes.open()).ready["user"]["global_name"] == "Ada"


async def test_a_command_a_button_and_a_form(people: People, panes: Panes) -> None:
    pane = await panes.open(people["Ben"].id)
    message = await _open_board(people, pane)
    assert message["interaction_metadata"]["name"] == "small new"
    place = {"channel_id": _games(people), "message_id": message["id"]}
    form = await pane.ask("press", **place, custom_id="small:form")
    assert (form["t"], form["title"]) == ("MODAL", "Draft")
    fields = [
        {"type": 18, "id": 1, "component": {"type": 4, "id": 2, "custom_id": "note", "value": "typed"}},
        {"type": 18, "id": 3, "component": {"type": 3, "id": 4, "custom_id": "pick", "values": ["r"]}},
    ]
    sent = {"custom_id": "draft", "components": fields}
    assert (await pane.ask("submit", **sent, modal_nonce=form["nonce"]))["t"] == "DONE"
    history = await pane.ask("history", channel_id=_games(people))
    assert history["messages"][-1]["content"] == "typed ['r'] [] []"
    assert (await pane.ask("submit", **sent, modal_nonce="other"))["t"] == "FAILED"


async def test_autocomplete_and_menus(people: People, panes: Panes) -> None:
    pane = await panes.open(people["Ben"].id)
    asked = {"channel_id": _games(people), "command_id": _command(pane), "path": ["band"]}
    found = await pane.ask("autocomplete", **asked, options={"name": "B"}, focused="name")
    assert [choice["value"] for choice in found["choices"]] == ["B1-B4"]
    await pane.ask("slash", **(asked | {"path": ["menus"]}), options={})
    message = (await pane.ask("history", channel_id=_games(people)))["messages"][-1]
    place = {"channel_id": _games(people), "message_id": message["id"]}
    assert (await pane.ask("select", **place, custom_id="row", values=["A"]))["t"] == "DONE"
    assert (await pane.ask("select", **place, custom_id="row", values=["Z"]))["reason"] == "none of the options: Z"
    thinking = await pane.ask("slash", **(asked | {"path": ["think"]}), options={})
    assert thinking["t"] == "THINKING"


async def test_a_private_answer_comes_to_its_reader_and_goes_when_dismissed(people: People, panes: Panes) -> None:
    ben, dora = await panes.open(people["Ben"].id), await panes.open(people["Dora"].id)
    message = await _open_board(people, ben)
    place = {"channel_id": _games(people), "message_id": message["id"]}
    await ben.ask("press", **place, custom_id="small:whisper")
    mine = (await ben.ask("history", channel_id=_games(people)))["messages"]
    theirs = (await dora.ask("history", channel_id=_games(people)))["messages"]
    assert (mine[-1]["content"], mine[-1]["flags"]) == ("Only for Ben", 64)
    assert [m["id"] for m in theirs] == [message["id"]]
    assert (await dora.ask("dismiss", message_id=mine[-1]["id"]))["t"] == "FAILED"
    assert (await ben.ask("dismiss", message_id=mine[-1]["id"]))["t"] == "DONE"
    assert [m["id"] for m in (await ben.ask("history", channel_id=_games(people)))["messages"]] == [message["id"]]


async def test_nothing_private_is_ever_sent_to_another_pane(people: People, panes: Panes) -> None:
    dora = await panes.open(people["Dora"].id)
    await people["Ada"].slash("small new")
    await people["Ben"].press("Whisper")
    await people["Ada"].slash("small write", whom=people["Ben"], text="secret")
    await people["Ada"].say("the end")
    heard: list[dict[str, Any]] = []
    while not heard or heard[-1].get("content") != "the end":
        heard.append(await dora.hear())
    assert "Only for" not in str(heard)
    assert "secret" not in str(heard)


async def test_unread_messages_and_mentions_are_counted(people: People, panes: Panes) -> None:
    ben = await panes.open(people["Ben"].id)
    await people["Ada"].say("hello")
    count = await ben.hear("UNREAD")
    assert (count["channel_id"], count["count"]) == (_games(people), 1)
    people.world.history(_games(people))[-1].mentions.append(people["Ben"].id)
    later = await panes.open(people["Ben"].id)
    assert later.ready["unread"] == {_games(people): 1}
    assert later.ready["mentions"] == {_games(people): 1}
    await ben.ask("read", channel_id=_games(people))
    assert (await panes.open(people["Ben"].id)).ready["unread"] == {}


async def test_a_person_changes_their_language_and_closes_their_messages(people: People, panes: Panes) -> None:
    ben = await panes.open(people["Ben"].id)
    assert (await ben.ask("persona", locale="zh-TW", dm_closed=True))["t"] == "DONE"
    assert (people["Ben"].user.locale, people["Ben"].user.dm_closed) == ("zh-TW", True)
    assert (await ben.ask("persona", locale="xx"))["t"] == "FAILED"
    answer = await people["Ada"].slash("small write", whom=people["Ben"])
    assert answer.text == "refused 50007"


async def test_saying_something_and_opening_direct_messages(people: People, panes: Panes) -> None:
    ben = await panes.open(people["Ben"].id)
    assert (await ben.ask("say", channel_id=_games(people), content=" hi "))["t"] == "DONE"
    assert people["Ada"].sees("games")[-1].text == "hi"
    assert (await ben.ask("say", channel_id=_games(people), content=" "))["t"] == "FAILED"
    opened = await ben.ask("open_dm")
    assert people.world.channel(opened["channel_id"]).recipients == [people["Ben"].id]
    assert (await ben.ask("history", channel_id=opened["channel_id"]))["messages"] == []
    dora = await panes.open(people["Dora"].id)
    assert (await dora.ask("history", channel_id=opened["channel_id"]))["t"] == "FAILED"


async def test_channels_come_and_go_with_permissions(people: People, panes: Panes) -> None:
    ben = await panes.open(people["Ben"].id)
    games = people.channel("games")
    people.world.overwrite(games, people.world.home.id, deny=permissions.bits("view_channel"))
    assert (await ben.hear("CHANNEL_DELETE"))["id"] == games.id
    people.world.overwrite(games, people.world.home.id)
    assert (await ben.hear("CHANNEL_CREATE"))["id"] == games.id


async def test_odd_requests_fail_and_the_pane_lives_on(people: People, panes: Panes) -> None:
    ben = await panes.open(people["Ben"].id)
    for op, fields in (("dance", {}), ("press", {}), ("history", {"channel_id": "5"}), ("slash", {"channel_id": 7})):
        assert (await ben.ask(op, **fields))["t"] == "FAILED"
    await ben.socket.send_str("nonsense")
    assert (await ben.ask("history", channel_id=_games(people)))["t"] == "HISTORY"


async def test_history_comes_in_pages_of_fifty(people: People, panes: Panes) -> None:
    for number in range(60):
        await people["Ada"].say(str(number))
    ben = await panes.open(people["Ben"].id)
    newest = await ben.ask("history", channel_id=_games(people))
    assert ([m["content"] for m in newest["messages"]][::49], newest["more"]) == (["10", "59"], True)
    rest = await ben.ask("history", channel_id=_games(people), before=newest["messages"][0]["id"])
    assert (len(rest["messages"]), rest["more"]) == (10, False)


async def test_a_file_is_uploaded_and_given(people: People, panes: Panes) -> None:
    ben = await panes.open(people["Ben"].id)
    form = aiohttp.FormData()
    form.add_field("file", b"card", filename="deck.txt")
    async with panes.session.post(f"{panes.url}/page/upload", data=form) as answer:
        upload = await answer.json()
    asked = {
        "channel_id": _games(people),
        "command_id": _command(ben),
        "path": ["deck"],
        "options": {"file": upload["id"]},
    }
    assert (await ben.ask("slash", **asked))["t"] == "DONE"
    assert people["Ben"].private[-1].text == "deck.txt 4 card"
    assert (await ben.ask("slash", **asked))["reason"] == "no such upload"


async def test_a_bot_that_is_not_there_times_out(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.playground.limits.ACKNOWLEDGE_SECONDS", 0.05)
    await desk.commands({"name": "play", "description": "Play"})
    async with AsyncExitStack() as stack:
        pane = await Panes(desk.playground.url, stack, desk.session).open(desk.ben.id)
        asked = {"channel_id": desk.games.id, "command_id": _command(pane, "play"), "path": [], "options": {}}
        answer = await pane.ask("slash", **asked)
        assert (answer["t"], answer["reason"]) == ("FAILED", "timeout")


async def test_reset_empties_the_world_after_the_hook(people: People, panes: Panes) -> None:
    seen: list[int] = []

    async def hook() -> None:
        seen.append(len(people.world.history(_games(people))))

    people.playground.on_reset = hook
    await people["Ada"].slash("small thread")
    await people["Ada"].slash("small write", whom=people["Ben"])
    ben = await panes.open(people["Ben"].id)
    await ben.socket.send_json({"op": "reset", "nonce": "r"})
    await ben.hear("RESET")
    assert seen == [1]
    state = people.world.state
    assert [c.name for c in state.channels.values() if c.guild_id] == ["games", "lounge"]
    assert all(not messages for messages in state.messages.values())
    assert state.commands
    await people.quiet()
    assert (await people["Ada"].slash("small new")).text
    bot = people.bot
    assert isinstance(bot, SmallBot)
    assert "thread deleted" in bot.happened
