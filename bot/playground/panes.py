"""The socket between the page and the server: each pane gets what that person's own client would get, no more."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from aiohttp import WSMsgType, web

from bot.playground import commands, limits
from bot.playground.commands import NotSent
from bot.playground.interactions import CHOICES, DEFERRED_ANSWER, FORM, Interaction, Interactions
from bot.playground.refusals import Json, Refused
from bot.playground.world import Channel, Event, Message, User, World

log = logging.getLogger(__name__)

HISTORY = 50
SHOWN_ANSWERS = 200
"""Interactions whose forms a pane can still submit."""

_PASSED = (
    "MESSAGE_CREATE",
    "MESSAGE_UPDATE",
    "MESSAGE_DELETE",
    "CHANNEL_CREATE",
    "CHANNEL_UPDATE",
    "CHANNEL_DELETE",
    "THREAD_CREATE",
    "THREAD_UPDATE",
    "THREAD_DELETE",
)
"""Events that a pane is told just as they are."""


class Pane:
    """One open pane: a person, a socket, and the forms the bot opened in it by the nonce of what they did."""

    def __init__(self, panes: Panes, person: User, socket: web.WebSocketResponse) -> None:
        self.panes = panes
        self.world: World = panes.world
        self.person = person
        self.socket = socket
        self.outgoing: asyncio.Queue[Json] = asyncio.Queue()
        self.openers: dict[str, Interaction] = {}
        self.visible: set[str] = set()

    def put(self, kind: str, data: Json) -> None:
        """Send a frame after those before it."""
        self.outgoing.put_nowait({"t": kind, "d": data})

    async def write(self) -> None:
        """Send what is put, until cancelled or the socket is gone."""
        while not self.socket.closed:
            frame = await self.outgoing.get()
            try:
                await self.socket.send_str(msgspec.json.encode(frame).decode())
            except ConnectionError:
                return

    # -- What the pane is told --

    def ready(self) -> Json:
        """All that a fresh pane needs."""
        world = self.world
        guild = world.home
        channels = [c for c in world.state.channels.values() if world.sees(self.person.id, c)]
        self.visible = {channel.id for channel in channels}
        unread = {c.id: world.unread(self.person.id, c.id) for c in channels}
        histories = {c.id: world.history(c.id, self.person.id) for c in channels}
        return {
            "user": self.panes.persona_json(self.person),
            "personas": self.panes.personas(),
            "bot": world.user_json(world.bot),
            "guild": self._guild_json(guild.id),
            "channels": [world.channel_json(channel) for channel in channels],
            "commands": self.commands(),
            "unread": {channel_id: len(messages) for channel_id, messages in unread.items() if messages},
            "mentions": {c: n for c, messages in unread.items() if (n := self._mentions(messages))},
            "last_message_ids": {c: messages[-1].id for c, messages in histories.items() if messages},
        }

    def _guild_json(self, guild_id: str) -> Json:
        guild = self.world.state.guilds[guild_id]
        members = [self.world.member_json(member) for member in guild.members.values()]
        return self.world.guild_json(guild) | {"members": members}

    def commands(self) -> list[Json]:
        """The commands this person may use, in the server or in direct messages."""
        found: dict[str, Json] = {}
        for channel in self.world.state.channels.values():
            if not channel.is_thread and self.world.sees(self.person.id, channel):
                found |= {c["id"]: c for c in commands.usable(self.world, self.person.id, channel)}
        return list(found.values())

    def _mentions(self, messages: list[Message]) -> int:
        return sum(self.person.id in message.mentions or message.mention_everyone for message in messages)

    def tell(self, event: Event) -> None:
        """Pass on an event of the world, where it is this person's to know."""
        if event.kind == "PAGE_RESET":
            self.put("RESET", {})
        elif event.kind == "PAGE_PERSONAS" or event.kind.startswith("GUILD_MEMBER"):
            self.put("PERSONAS", {"personas": self.panes.personas()})
        elif event.kind == "PAGE_COMMANDS":
            self.put("COMMANDS", {"commands": self.commands()})
        elif event.kind == "GUILD_ROLE_UPDATE":
            self._tell_permissions()
        elif event.channel_id is not None and event.reader in (None, self.person.id):
            self._tell_of_channel(event, event.channel_id)

    def _tell_of_channel(self, event: Event, channel_id: str) -> None:
        channel = self.world.state.channels[channel_id]
        if event.kind == "CHANNEL_UPDATE":
            self._tell_permissions()
        if not self.world.sees(self.person.id, channel):
            return
        if event.kind == "TYPING_START":
            self.put("TYPING", {"channel_id": channel_id, "user_id": event.data["user_id"]})
        if event.kind not in _PASSED:
            return
        self.put(event.kind, event.data)
        self.visible.add(channel_id)
        if event.kind in ("CHANNEL_DELETE", "THREAD_DELETE"):
            self.visible.discard(channel_id)
        if event.kind == "MESSAGE_CREATE" and event.reader is None and event.data["author"]["id"] != self.person.id:
            self.tell_unread(channel)

    def _tell_permissions(self) -> None:
        """Show channels that have come into view, drop those that went out of it, and offer the commands anew."""
        for channel in self.world.state.channels.values():
            kind = "THREAD" if channel.is_thread else "CHANNEL"
            seen = self.world.sees(self.person.id, channel)
            if seen and channel.id not in self.visible:
                self.visible.add(channel.id)
                self.put(f"{kind}_CREATE", self.world.channel_json(channel))
            elif not seen and channel.id in self.visible:
                self.visible.discard(channel.id)
                self.put(f"{kind}_DELETE", self.world.channel_json(channel))
        self.put("COMMANDS", {"commands": self.commands()})

    def tell_unread(self, channel: Channel) -> None:
        """How many messages there are that this person has not seen."""
        unread = self.world.unread(self.person.id, channel.id)
        data = {"channel_id": channel.id, "count": len(unread), "mentions": self._mentions(unread)}
        self.put("UNREAD", data)

    # -- What the person does --

    async def take(self, request: Json) -> None:
        """Do what the page asks; a request that cannot be done is answered with FAILED and why."""
        nonce = request.get("nonce")
        try:
            action = _ACTIONS[str(request.get("op"))]
            await action(self, request)
        except (NotSent, Refused) as refused:
            reason = str(refused) if isinstance(refused, NotSent) else refused.message
            self.put("FAILED", {"nonce": nonce, "reason": reason})
        except Exception:
            # Whatever it was, the pane lives on, the person is told, and the log has it.
            log.exception("a request of the page failed: %s", request.get("op"))
            self.put("FAILED", {"nonce": nonce, "reason": "error"})

    async def history(self, request: Json) -> None:
        """`history`: a page of a channel's messages."""
        channel = self._seen(request["channel_id"])
        messages = self.world.history(channel.id, self.person.id)
        before = request.get("before")
        if before is not None:
            messages = [message for message in messages if int(message.id) < int(before)]
        shown = [self.world.message_json(message) for message in messages[-HISTORY:]]
        data = {"nonce": request.get("nonce"), "channel_id": channel.id, "messages": shown}
        self.put("HISTORY", data | {"more": len(messages) > HISTORY})

    async def slash(self, request: Json) -> None:
        """`slash`: use a command."""
        await self._answered(request, self._command(request, None))

    async def autocomplete(self, request: Json) -> None:
        """`autocomplete`: ask for an option's choices."""
        await self._answered(request, self._command(request, request["focused"]))

    def _command(self, request: Json, focused: str | None) -> Interaction:
        return self.panes.interactions.slash(
            self.person.id,
            request["channel_id"],
            request["command_id"],
            request.get("path") or [],
            request.get("options") or {},
            focused,
        )

    async def press(self, request: Json) -> None:
        """`press`: a button."""
        place = (request["channel_id"], request["message_id"], request["custom_id"])
        await self._answered(request, self.panes.interactions.press(self.person.id, *place))

    async def select(self, request: Json) -> None:
        """`select`: a menu."""
        place = (request["channel_id"], request["message_id"], request["custom_id"])
        interaction = self.panes.interactions.select(self.person.id, *place, request["values"])
        await self._answered(request, interaction)

    async def submit(self, request: Json) -> None:
        """`submit`: a form that came in answer to the request of `modal_nonce`."""
        opener = self.openers.get(str(request.get("modal_nonce")))
        if opener is None:
            raise NotSent("this form is not open any more")
        await self._answered(request, self.panes.interactions.submit(opener, request["components"]))

    async def _answered(self, request: Json, interaction: Interaction) -> None:
        """Tell the page how the bot took it, or that it did not within three seconds."""
        await self.world.changes.until(lambda: interaction.acknowledged or interaction.late, limits.ACKNOWLEDGE_SECONDS)
        nonce = str(request.get("nonce"))
        if not interaction.acknowledged:
            self.put("FAILED", {"nonce": nonce, "reason": "timeout"})
        elif interaction.answer == FORM and interaction.form is not None:
            self.openers[nonce] = interaction
            while len(self.openers) > SHOWN_ANSWERS:
                del self.openers[next(iter(self.openers))]
            self.put("MODAL", {"nonce": nonce, **interaction.form})
        elif interaction.answer == CHOICES:
            self.put("CHOICES", {"nonce": nonce, "choices": self._localized(interaction.choices or [])})
        else:
            self.put("THINKING" if interaction.answer == DEFERRED_ANSWER else "DONE", {"nonce": nonce})

    def _localized(self, choices: list[Json]) -> list[Json]:
        locale = self.person.locale
        return [
            {"name": (choice.get("name_localizations") or {}).get(locale, choice["name"]), "value": choice["value"]}
            for choice in choices
        ]

    async def dismiss(self, request: Json) -> None:
        """`dismiss`: hide a private answer."""
        for messages in self.world.state.messages.values():
            if request["message_id"] in messages:
                self.world.dismiss(self.person.id, messages[request["message_id"]])
                self._done(request)
                return
        raise Refused(10008)

    async def say(self, request: Json) -> None:
        """`say`: a plain message."""
        channel = self._seen(request["channel_id"])
        content = str(request["content"]).strip()
        if not 0 < len(content) <= limits.CONTENT:
            raise NotSent(f"a text of 1 to {limits.CONTENT} characters")
        self.world.say(self.person.id, channel, content)
        self._done(request)

    async def read(self, request: Json) -> None:
        """`read`: everything in a channel has been seen."""
        channel = self._seen(request["channel_id"])
        self.world.mark_read(self.person.id, channel.id)
        for pane in self.panes.of(self.person.id):
            pane.tell_unread(channel)
        self._done(request)

    async def open_dm(self, request: Json) -> None:
        """`open_dm`: the conversation with the bot."""
        channel = self.world.open_direct(self.person.id)
        self.put("DONE", {"nonce": request.get("nonce"), "channel_id": channel.id})

    async def persona(self, request: Json) -> None:
        """`persona`: the person's language, or whether they take direct messages."""
        locale = request.get("locale")
        if locale is not None and locale not in limits.LOCALES:
            raise NotSent("Discord has no such language")
        self.world.change_person(self.person, locale=locale, dm_closed=request.get("dm_closed"))
        self._done(request)

    async def reset(self, request: Json) -> None:
        """`reset`: begin anew."""
        await self.panes.on_reset()
        self._done(request)

    def _done(self, request: Json) -> None:
        self.put("DONE", {"nonce": request.get("nonce")})

    def _seen(self, channel_id: str) -> Channel:
        channel = self.world.channel(channel_id)
        if not self.world.sees(self.person.id, channel):
            raise Refused(10003)
        return channel


_ACTIONS: dict[str, Callable[[Pane, Json], Awaitable[None]]] = {
    action.__name__: action
    for action in (
        Pane.history,
        Pane.slash,
        Pane.autocomplete,
        Pane.press,
        Pane.select,
        Pane.submit,
        Pane.dismiss,
        Pane.say,
        Pane.read,
        Pane.open_dm,
        Pane.persona,
        Pane.reset,
    )
}


class Panes:
    """All open panes."""

    def __init__(self, world: World, interactions: Interactions, on_reset: Callable[[], Awaitable[None]]) -> None:
        self.world = world
        self.interactions = interactions
        self.on_reset = on_reset
        self.open: set[Pane] = set()
        world.listeners.append(self.tell)

    def tell(self, event: Event) -> None:
        """Pass an event to every pane."""
        for pane in tuple(self.open):
            pane.tell(event)

    def of(self, user_id: str) -> list[Pane]:
        """The panes of one person."""
        return [pane for pane in self.open if pane.person.id == user_id]

    def personas(self) -> list[Json]:
        """Everybody who can be played."""
        return [self.persona_json(person) for person in self.world.people]

    def persona_json(self, person: User) -> Json:
        """A user object with language, closed direct messages, and the roles in the server."""
        member = self.world.home.members.get(person.id)
        extra: Json = {"locale": person.locale, "dm_closed": person.dm_closed}
        extra |= {"roles": [] if member is None else list(member.roles), "gone": member is None}
        return self.world.user_json(person) | extra

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """The handler of `/page/socket?as=USER_ID`."""
        known = {person.id: person for person in self.world.people}
        person = known.get(request.query.get("as", ""), self.world.people[0])
        socket = web.WebSocketResponse(heartbeat=30, max_msg_size=256 * 1024)
        await socket.prepare(request)
        pane = Pane(self, person, socket)
        pane.put("READY", pane.ready())
        self.open.add(pane)
        tasks = {asyncio.create_task(pane.write(), name="playground: pane")}
        try:
            async for frame in socket:
                if frame.type == WSMsgType.TEXT:
                    taking = asyncio.create_task(pane.take(_decoded(frame.data)), name="playground: request")
                    tasks.add(taking)
                    taking.add_done_callback(tasks.discard)
        finally:
            self.open.discard(pane)
            going = tuple(tasks)
            for task in going:
                task.cancel()
            await asyncio.gather(*going, return_exceptions=True)
        return socket


def _decoded(text: str) -> Json:
    try:
        data: Any = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return {}
    return data if isinstance(data, dict) else {}
