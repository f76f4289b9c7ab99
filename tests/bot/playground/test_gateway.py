"""The gateway's protocol, spoken by hand."""

from __future__ import annotations

import json
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest

from bot.playground import gateway
from bot.playground.world import PUBLIC_THREAD, Channel
from tests.bot.playground.desk import Desk


class Line:
    """A connection to the gateway."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self._inflate = zlib.decompressobj()

    async def hear(self) -> dict[str, Any]:
        frame = await self.socket.receive(timeout=5)
        text = self._inflate.decompress(frame.data) if isinstance(frame.data, bytes) else frame.data
        found: dict[str, Any] = json.loads(text)
        return found

    async def say(self, op: int, data: Any = None) -> None:
        await self.socket.send_json({"op": op, "d": data})

    async def closed(self) -> int | None:
        frame = await self.socket.receive(timeout=5)
        assert frame.type == aiohttp.WSMsgType.CLOSE
        code: int = frame.data
        return code


@asynccontextmanager
async def a_line(desk: Desk, query: str = "v=10&encoding=json") -> AsyncIterator[Line]:
    async with desk.session.ws_connect(f"{desk.playground.url}/gateway?{query}") as socket:
        line = Line(socket)
        assert (await line.hear())["op"] == gateway.HELLO
        yield line


def _identity(desk: Desk, intents: int = gateway.GUILDS, **more: Any) -> dict[str, Any]:
    return {"token": desk.playground.token, "intents": intents, "properties": {}} | more


async def _identified(desk: Desk, line: Line, **more: Any) -> dict[str, Any]:
    await line.say(gateway.IDENTIFY, _identity(desk, **more))
    ready = await line.hear()
    assert ready["t"] == "READY"
    return ready


async def test_a_heartbeat_before_identifying(desk: Desk) -> None:
    async with a_line(desk) as line:
        await line.say(gateway.HEARTBEAT)
        assert (await line.hear())["op"] == gateway.ACK


async def test_ready_then_the_server(desk: Desk) -> None:
    async with a_line(desk) as line:
        ready = await _identified(desk, line)
        assert ready["d"]["guilds"] == [{"id": desk.home.id, "unavailable": True}]
        create = await line.hear()
        assert (create["t"], create["s"]) == ("GUILD_CREATE", 2)
        assert [c["name"] for c in create["d"]["channels"]] == ["games", "lounge"]
        assert [m["user"]["id"] for m in create["d"]["members"]] == [desk.bot.id]


async def test_one_zlib_stream_a_connection(desk: Desk) -> None:
    async with a_line(desk, "v=10&encoding=json&compress=zlib-stream") as line:
        await _identified(desk, line)
        assert (await line.hear())["t"] == "GUILD_CREATE"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"token": "wrong"}, 4004),
        ({"intents": gateway.GUILDS | gateway.MEMBERS_INTENT}, 4014),
        ({"intents": gateway.GUILDS | gateway.CONTENT}, 4014),
        ({"shard": [2, 2]}, 4010),
    ],
)
async def test_identities_that_are_refused(desk: Desk, data: dict[str, Any], code: int) -> None:
    async with a_line(desk) as line:
        await line.say(gateway.IDENTIFY, _identity(desk) | data)
        assert await line.closed() == code


async def test_a_line_out_of_order_is_closed(desk: Desk) -> None:
    for op, code in ((99, 4001), (gateway.PRESENCE, 4003)):
        async with a_line(desk) as line:
            await line.say(op)
            assert await line.closed() == code
    async with a_line(desk) as line:
        await line.socket.send_str("nonsense")
        assert await line.closed() == 4002
    async with a_line(desk) as line:
        await _identified(desk, line)
        await line.hear()
        await line.say(gateway.IDENTIFY, _identity(desk))
        assert await line.closed() == 4005


async def test_what_was_missed_is_replayed_on_resuming(desk: Desk) -> None:
    async with a_line(desk) as line:
        ready = await _identified(desk, line)
        await line.hear()
    await desk.world.changes.until(lambda: not desk.playground.gateway.connections, 5)
    thread = Channel(desk.world.new_id(), PUBLIC_THREAD, "x", desk.home.id, desk.games.id, owner_id=desk.ada.id)
    desk.world.add_channel(thread)
    session = {"token": desk.playground.token, "session_id": ready["d"]["session_id"], "seq": 2}
    async with a_line(desk) as line:
        await line.say(gateway.RESUME, session)
        assert [(await line.hear())["t"] for _ in range(2)] == ["THREAD_CREATE", "RESUMED"]
    for wrong in ({"session_id": "other"}, {"seq": 99}):
        async with a_line(desk) as line:
            await line.say(gateway.RESUME, session | wrong)
            assert await line.hear() == {"op": gateway.INVALID, "d": False}


async def test_a_session_that_lost_too_much_cannot_be_resumed(desk: Desk) -> None:
    async with a_line(desk) as line:
        ready = await _identified(desk, line)
    for _ in range(gateway.REPLAYED + 5):
        desk.world.update_channel(desk.games)
    async with a_line(desk) as line:
        session = {"token": desk.playground.token, "session_id": ready["d"]["session_id"], "seq": 2}
        await line.say(gateway.RESUME, session)
        assert (await line.hear())["op"] == gateway.INVALID


async def _told(line: Line, desk: Desk) -> list[str]:
    """The events that come before a mark."""
    desk.world.update_channel(desk.lounge)
    found: list[str] = []
    while True:
        event = await line.hear()
        if event["t"] == "CHANNEL_UPDATE" and event["d"]["id"] == desk.lounge.id:
            return found
        found.append(event["t"])


async def test_messages_are_told_of_by_intent_and_ephemeral_ones_never(desk: Desk) -> None:
    everything = gateway.GUILDS | gateway.MESSAGES | gateway.DIRECT_MESSAGES
    async with a_line(desk) as few, a_line(desk) as many:
        await _identified(desk, few)
        await _identified(desk, many, intents=everything)
        await few.hear()
        await many.hear()
        desk.world.say(desk.ada.id, desk.games, "hello")
        direct = desk.world.open_direct(desk.ada.id)
        desk.world.say(desk.ada.id, direct, "psst")
        await desk.answer(await desk.used(), 4, {"content": "secret", "flags": 64})
        assert "MESSAGE_CREATE" not in await _told(few, desk)
        assert [t for t in await _told(many, desk) if t != "INTERACTION_CREATE"] == ["MESSAGE_CREATE"] * 2


async def test_what_others_write_is_blank_without_the_intent(desk: Desk) -> None:
    async with a_line(desk) as line:
        await _identified(desk, line, intents=gateway.GUILDS | gateway.MESSAGES)
        await line.hear()
        desk.world.say(desk.ada.id, desk.games, "hello")
        assert (await line.hear())["d"]["content"] == ""
        await desk.sent({"content": "own"})
        assert (await line.hear())["d"]["content"] == "own"


async def test_direct_messages_come_on_shard_0_and_servers_on_their_own(desk: Desk) -> None:
    shard = (int(desk.home.id) >> 22) % 2
    async with a_line(desk) as zero, a_line(desk) as one:
        for number, line in enumerate((zero, one)):
            ready = await _identified(desk, line, intents=gateway.GUILDS | gateway.DIRECT_MESSAGES, shard=[number, 2])
            assert bool(ready["d"]["guilds"]) == (number == shard)
        await (zero, one)[shard].hear()
        desk.world.say(desk.ada.id, desk.world.open_direct(desk.ada.id), "psst")
        assert (await zero.hear())["t"] == "MESSAGE_CREATE"


async def test_threads_that_the_bot_does_not_see_are_not_told_of(desk: Desk) -> None:
    async with a_line(desk) as line:
        await _identified(desk, line)
        await line.hear()
        hidden = Channel(desk.world.new_id(), 12, "x", desk.home.id, desk.games.id, owner_id=desk.ada.id)
        desk.world.add_channel(hidden)
        assert await _told(line, desk) == []


async def test_members_are_found_by_id_and_name(desk: Desk) -> None:
    async with a_line(desk) as line:
        await _identified(desk, line)
        await line.hear()
        await line.say(gateway.MEMBERS, {"guild_id": desk.home.id, "user_ids": [desk.ben.id, "5"], "nonce": "n"})
        chunk = (await line.hear())["d"]
        assert ([m["user"]["id"] for m in chunk["members"]], chunk["not_found"]) == ([desk.ben.id], ["5"])
        await line.say(gateway.MEMBERS, {"guild_id": desk.home.id, "query": "do", "limit": 5})
        assert [m["user"]["username"] for m in (await line.hear())["d"]["members"]] == ["dora"]
        await line.say(gateway.MEMBERS, {"guild_id": desk.home.id, "query": "", "limit": 0})
        assert await line.closed() == 4014
