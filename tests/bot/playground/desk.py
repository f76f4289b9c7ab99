"""Plain requests to the stand-in, without any bot: what tests of its limits send."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp

from bot.playground.driver import ManualClock
from bot.playground.interactions import Interaction
from bot.playground.rest import PREFIX
from bot.playground.server import Playground

V2 = 1 << 15


@dataclass
class Reply:
    """What came back."""

    status: int
    data: Any

    @property
    def code(self) -> int:
        found: int = self.data["code"]
        return found

    def problem(self, place: str) -> str:
        """Discord's code for the problem at a place like `components.0.label`."""
        node = self.data["errors"]
        for step in place.split("."):
            node = node[step]
        found: str = node["_errors"][0]["code"]
        return found


class Desk:
    """Sends requests as the bot, and makes interactions that no bot answers by itself."""

    def __init__(self, playground: Playground, clock: ManualClock, session: aiohttp.ClientSession) -> None:
        self.playground = playground
        self.world = playground.world
        self.clock = clock
        self.session = session
        self.games = self.world.channel_named("games")
        self.lounge = self.world.channel_named("lounge")
        self.ada, self.ben, self.chen, self.dora = self.world.people
        self.bot = self.world.bot
        self.home = self.world.home

    async def call(
        self, method: str, path: str, data: Any = None, *, files: Mapping[str, bytes] | None = None, token: str = ""
    ) -> Reply:
        """One request; with files it is multipart, each file listed under its number."""
        headers = {"Authorization": f"Bot {token or self.playground.token}"}
        body: Any = data
        if files is not None:
            form = aiohttp.FormData(quote_fields=False)
            form.add_field("payload_json", json.dumps(data))
            for number, (name, content) in enumerate(files.items()):
                form.add_field(f"files[{number}]", io.BytesIO(content), filename=name)
            sending: dict[str, Any] = {"data": form}
        else:
            sending = {"json": body} if body is not None else {}
        url = self.playground.url + PREFIX + path
        async with self.session.request(method, url, headers=headers, **sending) as answer:
            text = await answer.read()
            return Reply(answer.status, json.loads(text) if text else None)

    async def send(self, data: Any, *, files: Mapping[str, bytes] | None = None) -> Reply:
        """A message to #games."""
        return await self.call("POST", f"/channels/{self.games.id}/messages", data, files=files)

    async def sent(self, data: Any, *, files: Mapping[str, bytes] | None = None) -> Any:
        """A message that is accepted; its JSON."""
        reply = await self.send(data, files=files)
        assert reply.status == 200, reply
        return reply.data

    async def edit(self, message_id: str, data: Any, *, files: Mapping[str, bytes] | None = None) -> Reply:
        """An edit of a message in #games."""
        return await self.call("PATCH", f"/channels/{self.games.id}/messages/{message_id}", data, files=files)

    async def commands(self, *commands: Any) -> Reply:
        """Register these global commands."""
        return await self.call("PUT", f"/applications/{self.bot.id}/commands", list(commands))

    async def used(self, **options: Any) -> Interaction:
        """Ada has used /play in #games."""
        if not self.world.state.commands:
            await self.commands({"name": "play", "description": "Play"})
        command = self.world.state.commands[0]
        return self.playground.interactions.slash(self.ada.id, self.games.id, command["id"], [], options)

    async def answer(
        self, interaction: Interaction, kind: int, data: Any = None, *, files: Mapping[str, bytes] | None = None
    ) -> Reply:
        """The first answer to an interaction."""
        path = f"/interactions/{interaction.id}/{interaction.token}/callback?with_response=1"
        return await self.call("POST", path, {"type": kind, **({} if data is None else {"data": data})}, files=files)

    async def follow(self, interaction: Interaction, data: Any, *, files: Mapping[str, bytes] | None = None) -> Reply:
        """A follow-up."""
        return await self.call("POST", f"/webhooks/{self.bot.id}/{interaction.token}", data, files=files)

    async def original(self, interaction: Interaction, method: str = "PATCH", data: Any = None, **more: Any) -> Reply:
        """Something done to the first answer."""
        path = f"/webhooks/{self.bot.id}/{interaction.token}/messages/@original"
        return await self.call(method, path, data, **more)


@asynccontextmanager
async def a_desk(*, describe: bool = False) -> AsyncIterator[Desk]:
    """A stand-in without a bot."""
    clock = ManualClock()
    playground = Playground(clock=clock, describe=describe)
    await playground.start()
    try:
        async with aiohttp.ClientSession() as session:
            yield Desk(playground, clock, session)
    finally:
        await playground.stop()
        assert playground.rest.bugs == []


def button(custom_id: str = "b", **more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 2, "label": "Press", "custom_id": custom_id} | more


def row(*components: Any) -> dict[str, Any]:
    return {"type": 1, "components": list(components)}


def menu(custom_id: str = "m", options: int = 2, **more: Any) -> dict[str, Any]:
    return {
        "type": 3,
        "custom_id": custom_id,
        "options": [{"label": f"Option {n}", "value": str(n)} for n in range(options)],
    } | more


def text(content: str = "hello") -> dict[str, Any]:
    return {"type": 10, "content": content}


def box(*components: Any, **more: Any) -> dict[str, Any]:
    return {"type": 17, "components": list(components)} | more


def gallery(*urls: str, **more: Any) -> dict[str, Any]:
    return {"type": 12, "items": [{"media": {"url": url}, **more} for url in urls]}


def field(custom_id: str = "f", label: str = "Field", **more: Any) -> dict[str, Any]:
    return {"type": 18, "label": label, "component": {"type": 4, "style": 1, "custom_id": custom_id} | more}


def form(*fields: Any, **more: Any) -> dict[str, Any]:
    return {"title": "Form", "custom_id": "form", "components": list(fields)} | more
