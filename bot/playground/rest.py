"""The REST routes a game bot uses, as Discord answers them. An unknown route is a 404 and a loud line in the log."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from aiohttp import BodyPartReader, web

from bot.playground import commands, limits
from bot.playground.description import Description
from bot.playground.faults import Answer, Faults
from bot.playground.files import Upload
from bot.playground.gateway import Gateway
from bot.playground.interactions import Interactions
from bot.playground.messages import Body, Desk, check_late_edit, repeated
from bot.playground.refusals import Json, Problems, Refused, bad_form
from bot.playground.world import (
    DIRECT,
    PRIVATE_THREAD,
    PUBLIC_THREAD,
    TEXT,
    THREAD_CREATED,
    Channel,
    Event,
    Message,
    World,
)

log = logging.getLogger(__name__)

PREFIX = "/api/v10"
_OPEN = ("/interactions/", "/webhooks/")
"""Paths that a token in the address opens, without a header."""


@dataclass(frozen=True)
class Call:
    """One request: the ids in its path, its query, its body."""

    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Body

    def __getitem__(self, name: str) -> str:
        return self.path[name]

    @property
    def data(self) -> Json:
        """The body's JSON object."""
        if not isinstance(self.body.data, dict):
            raise bad_form((), "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
        return self.body.data


@dataclass(frozen=True)
class Served:
    """A request as tests look back on it: when it was answered, and Discord's own `code` where it was refused."""

    at: float
    method: str
    path: str
    data: Any
    status: int
    code: int | None = None


Handler = Callable[[Call], Any]


class Rest:
    """The API. `served` remembers the last requests, `bugs` what went wrong in here, `busy` counts those under way."""

    def __init__(
        self,
        world: World,
        gateway: Gateway,
        interactions: Interactions,
        desk: Desk,
        faults: Faults,
        description: Description | None,
    ) -> None:
        self.world = world
        self.gateway = gateway
        self.interactions = interactions
        self.desk = desk
        self.faults = faults
        self.description = description
        self.served: deque[Served] = deque(maxlen=10_000)
        self.bugs: list[str] = []
        self.busy = 0

    # -- Every request --

    def add_to(self, app: web.Application) -> None:
        """Register all routes."""
        for method, template, handler, status in self._routes():
            app.router.add_route(method, PREFIX + template, self._serving(template, handler, status))
        app.router.add_route("*", PREFIX + "/{unknown:.*}", self._unknown)

    def _serving(
        self, template: str, handler: Handler, status: int
    ) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def serve(request: web.Request) -> web.StreamResponse:
            self.busy += 1
            try:
                return await self._serve(request, template, handler, status)
            finally:
                self.busy -= 1
                self.world.changes.tell()

        return serve

    async def _serve(self, request: web.Request, template: str, handler: Handler, status: int) -> web.Response:
        path = request.path.removeprefix(PREFIX)
        fault = self.faults.take(request.method, path)
        body = await _read(request)
        if fault is not None and fault.held is not None:
            fault.held.reached.set()
            await fault.held.gate.wait()
        if fault is not None and fault.answer is not None and not fault.after:
            return self._faulty(request, body, fault.answer)
        try:
            self._check(request, template, body)
            answer = handler(Call(request.match_info, request.query, body))
        except Refused as refused:
            log.warning("%s %s: %s", request.method, path, refused)
            self._note(request, body, refused.status, refused.code)
            return _response(refused.status, refused.body)
        except Exception as bug:
            # A 5xx would send discord.py into silent retries; a bug in here has to be seen at once.
            log.exception("the stand-in has a bug: %s %s", request.method, path)
            self.bugs.append(f"{request.method} {path}: {bug!r}")
            self._note(request, body, 400, 0)
            return _response(400, {"message": f"bug in the stand-in: {bug!r}", "code": 0})
        if fault is not None and fault.answer is not None:
            return self._faulty(request, body, fault.answer)
        answered = status if answer is not None else 204
        self._note(request, body, answered)
        return _response(answered, answer)

    def _check(self, request: web.Request, template: str, body: Body) -> None:
        token = request.headers.get("Authorization")
        if token != f"Bot {self.gateway.token}" and not template.startswith(_OPEN):
            raise Unauthorized
        if self.description is not None and body.data is not None:
            self.description.check(request.method, template, body.data)

    def _faulty(self, request: web.Request, body: Body, answer: Answer) -> web.Response:
        self._note(request, body, answer.status, answer.body["code"])
        response = _response(answer.status, answer.body)
        if answer.via:
            response.headers["Via"] = "1.1 google"
        if answer.retry_after is not None:
            response.headers["Retry-After"] = str(answer.retry_after)
        return response

    def _note(self, request: web.Request, body: Body, status: int, code: int | None = None) -> None:
        path = request.path.removeprefix(PREFIX)
        self.served.append(Served(self.world.clock(), request.method, path, body.data, status, code))

    async def _unknown(self, request: web.Request) -> web.Response:
        log.error("the stand-in has no route %s %s", request.method, request.path)
        self.bugs.append(f"no route {request.method} {request.path}")
        return _response(404, {"message": "404: Not Found", "code": 0})

    def _routes(self) -> list[tuple[str, str, Handler, int]]:
        channel, message = "/channels/{channel_id}", "/channels/{channel_id}/messages/{message_id}"
        hook = "/webhooks/{webhook_id}/{webhook_token}"
        app = "/applications/{application_id}"
        found: list[tuple[str, str, Handler, int]] = [
            ("GET", "/gateway", self.gateway_address, 200),
            ("GET", "/gateway/bot", self.gateway_bot, 200),
            ("GET", "/users/@me", self.me, 200),
            ("GET", "/users/{user_id}", self.get_user, 200),
            ("GET", "/users/@me/guilds", self.my_guilds, 200),
            ("POST", "/users/@me/channels", self.open_direct, 200),
            ("GET", "/oauth2/applications/@me", self.application, 200),
            ("GET", "/applications/@me", self.application, 200),
            ("GET", "/guilds/{guild_id}", self.get_guild, 200),
            ("GET", "/guilds/{guild_id}/channels", self.guild_channels, 200),
            ("GET", "/guilds/{guild_id}/roles", self.guild_roles, 200),
            ("GET", "/guilds/{guild_id}/members/{user_id}", self.get_member, 200),
            ("GET", "/guilds/{guild_id}/threads/active", self.active_threads, 200),
            ("GET", channel, self.get_channel, 200),
            ("PATCH", channel, self.edit_channel, 200),
            ("DELETE", channel, self.delete_channel, 200),
            ("POST", channel + "/typing", self.typing, 200),
            ("GET", channel + "/messages", self.messages, 200),
            ("POST", channel + "/messages", self.send, 200),
            ("GET", message, self.get_message, 200),
            ("PATCH", message, self.edit_message, 200),
            ("DELETE", message, self.delete_message, 200),
            ("POST", message + "/threads", self.thread_from_message, 201),
            ("POST", channel + "/threads", self.create_thread, 201),
            ("GET", channel + "/thread-members", self.thread_members, 200),
            ("PUT", channel + "/thread-members/@me", self.join_thread, 200),
            ("DELETE", channel + "/thread-members/@me", self.leave_thread, 200),
            ("PUT", channel + "/thread-members/{user_id}", self.add_thread_member, 200),
            ("DELETE", channel + "/thread-members/{user_id}", self.remove_thread_member, 200),
            ("POST", "/interactions/{interaction_id}/{interaction_token}/callback", self.callback, 200),
            ("POST", hook, self.follow_up, 200),
            ("GET", hook + "/messages/{message_id}", self.get_answer, 200),
            ("PATCH", hook + "/messages/{message_id}", self.edit_answer, 200),
            ("DELETE", hook + "/messages/{message_id}", self.delete_answer, 200),
        ]
        for scope in (app + "/commands", app + "/guilds/{guild_id}/commands"):
            found += [
                ("GET", scope, self.get_commands, 200),
                ("PUT", scope, self.set_commands, 200),
                ("POST", scope, self.add_command, 200),
                ("GET", scope + "/{command_id}", self.get_command, 200),
                ("PATCH", scope + "/{command_id}", self.edit_command, 200),
                ("DELETE", scope + "/{command_id}", self.delete_command, 200),
            ]
        return found

    # -- The bot itself --

    def gateway_address(self, call: Call) -> Json:
        return {"url": self.gateway.address}

    def gateway_bot(self, call: Call) -> Json:
        starts = {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 1}
        return {"url": self.gateway.address, "shards": self.gateway.shards, "session_start_limit": starts}

    def me(self, call: Call) -> Json:
        return self.world.user_json(self.world.bot) | {"verified": True, "mfa_enabled": True, "email": None, "flags": 0}

    def application(self, call: Call) -> Json:
        bot, owner = self.world.bot, self.world.people[0]
        return {
            "id": bot.id,
            "name": bot.name,
            "icon": None,
            "description": "",
            "summary": "",
            "type": None,
            "bot_public": True,
            "bot_require_code_grant": False,
            "verify_key": "0" * 64,
            "flags": 0,
            "hook": True,
            "is_monetized": False,
            "owner": self.world.user_json(owner),
            "team": None,
            "approximate_guild_count": len(self.world.state.guilds),
        }

    def get_user(self, call: Call) -> Json:
        return self.world.user_json(self.world.user(call["user_id"]))

    def my_guilds(self, call: Call) -> list[Json]:
        return [self.world.guild_json(guild) for guild in self.world.state.guilds.values()]

    def open_direct(self, call: Call) -> Json:
        recipient = str(call.data.get("recipient_id"))
        if recipient not in self.world.state.users or recipient == self.world.state.bot_id:
            raise Refused(50033)
        return self.world.channel_json(self.world.open_direct(recipient))

    # -- Servers --

    def get_guild(self, call: Call) -> Json:
        return self.world.guild_json(self.world.guild(call["guild_id"]))

    def guild_channels(self, call: Call) -> list[Json]:
        guild = self.world.guild(call["guild_id"])
        channels = self.world.state.channels.values()
        return [self.world.channel_json(c) for c in channels if c.guild_id == guild.id and c.kind == TEXT]

    def guild_roles(self, call: Call) -> list[Json]:
        roles: list[Json] = self.world.guild_json(self.world.guild(call["guild_id"]))["roles"]
        return roles

    def get_member(self, call: Call) -> Json:
        if self.bot not in self.world.guild(call["guild_id"]).members:
            raise Refused(50001)
        return self.world.member_json(self.world.member(call["guild_id"], call["user_id"]))

    def active_threads(self, call: Call) -> Json:
        threads = [t for t in self.world.threads(call["guild_id"]) if not t.archived and self._sees(t)]
        mine = [self.world.thread_member_json(t, self.bot) for t in threads if self.bot in t.members]
        return {"threads": [self.world.channel_json(thread) for thread in threads], "members": mine}

    # -- Channels and threads --

    @property
    def bot(self) -> str:
        """The bot's id."""
        return self.world.state.bot_id

    def _sees(self, channel: Channel) -> bool:
        return self.world.sees(self.bot, channel)

    def _channel(self, call: Call, *needed: str) -> Channel:
        """The channel of the path; refuses where the bot does not see it (50001) or lacks a permission (50013)."""
        channel = self.world.channel(call["channel_id"])
        if not self._sees(channel):
            raise Refused(50001)
        if not self.world.may(self.bot, channel, *needed):
            raise Refused(50013)
        return channel

    def get_channel(self, call: Call) -> Json:
        return self.world.channel_json(self._channel(call))

    def edit_channel(self, call: Call) -> Json:
        channel, data = self._channel(call), call.data
        if channel.kind == DIRECT:
            raise Refused(50024)
        own = channel.is_thread and channel.owner_id == self.bot and "locked" not in data
        needed = "manage_threads" if channel.is_thread else "manage_channels"
        if not own and not self.world.may(self.bot, channel, needed):
            raise Refused(50013)
        if channel.archived and data.get("archived") is not False:
            raise Refused(50083)
        if "name" in data:
            _check_name(data["name"])
            channel.name = data["name"]
        if "auto_archive_duration" in data:
            channel.archive_minutes = _archive_minutes(data)
        if "archived" in data:
            channel.archived, channel.archived_at = bool(data["archived"]), self.world.clock()
        if "locked" in data:
            channel.locked = bool(data["locked"])
        if "topic" in data:
            channel.topic = data["topic"]
        channel.slowmode = data.get("rate_limit_per_user", channel.slowmode) or 0
        self.world.update_channel(channel)
        return self.world.channel_json(channel)

    def delete_channel(self, call: Call) -> Json:
        channel = self._channel(call)
        needed = "manage_threads" if channel.is_thread else "manage_channels"
        if channel.kind == DIRECT or not self.world.may(self.bot, channel, needed):
            raise Refused(50013)
        gone = self.world.channel_json(channel)
        self.world.delete_channel(channel)
        return gone

    def typing(self, call: Call) -> None:
        channel = self._channel(call, "view_channel")
        data = {"channel_id": channel.id, "user_id": self.bot, "timestamp": int(self.world.clock())}
        self.world.tell(Event("TYPING_START", data, channel.guild_id, channel.id))

    def thread_from_message(self, call: Call) -> Json:
        channel = self._channel(call, "create_public_threads")
        if channel.kind != TEXT:
            raise Refused(50024)
        message = self._message(call)
        if message.thread_id is not None:
            raise Refused(160004)
        thread = self._thread(channel, PUBLIC_THREAD, call.data, message.id)
        message.thread_id = thread.id
        self.world.update_message(message)
        return self.world.channel_json(thread)

    def create_thread(self, call: Call) -> Json:
        kind = call.data.get("type", PRIVATE_THREAD)
        if kind not in (PUBLIC_THREAD, PRIVATE_THREAD):
            raise bad_form(("type",), "BASE_TYPE_CHOICES", "Value must be one of {11, 12}.")
        channel = self._channel(call)
        if channel.kind != TEXT:
            raise Refused(50024)
        needed = "create_public_threads" if kind == PUBLIC_THREAD else "create_private_threads"
        if not self.world.may(self.bot, channel, needed):
            raise Refused(50013)
        thread = self._thread(channel, kind, call.data, self.world.new_id())
        if kind == PUBLIC_THREAD:
            told = Message(self.world.new_id(), channel.id, self.bot, self.world.clock(), THREAD_CREATED, thread.name)
            told.reference = {"channel_id": thread.id, "guild_id": channel.guild_id}
            self.world.add_message(told)
        return self.world.channel_json(thread)

    def _thread(self, channel: Channel, kind: int, data: Json, thread_id: str) -> Channel:
        _check_name(data.get("name"))
        return self.world.add_channel(
            Channel(
                thread_id,
                kind,
                data["name"],
                channel.guild_id,
                parent_id=channel.id,
                owner_id=self.bot,
                members=[self.bot],
                archive_minutes=_archive_minutes(data),
            )
        )

    def thread_members(self, call: Call) -> list[Json]:
        thread = self._thread_of(call)
        return [self.world.thread_member_json(thread, user_id) for user_id in thread.members]

    def join_thread(self, call: Call) -> None:
        self.world.add_thread_member(self._thread_of(call), self.bot)

    def leave_thread(self, call: Call) -> None:
        self.world.remove_thread_member(self._thread_of(call), self.bot)

    def add_thread_member(self, call: Call) -> None:
        thread = self._thread_of(call)
        if not self.world.may(self.bot, thread, "send_messages_in_threads"):
            raise Refused(50013)
        self.world.member(thread.guild_id or "", call["user_id"])
        self.world.add_thread_member(thread, call["user_id"])

    def remove_thread_member(self, call: Call) -> None:
        thread = self._thread_of(call)
        if not self.world.may(self.bot, thread, "manage_threads"):
            raise Refused(50013)
        self.world.remove_thread_member(thread, call["user_id"])

    def _thread_of(self, call: Call) -> Channel:
        thread = self._channel(call)
        if not thread.is_thread:
            raise Refused(50024)
        if thread.archived:
            raise Refused(50083)
        return thread

    # -- Messages --

    def _message(self, call: Call) -> Message:
        """The message of the path; ephemeral ones are unknown to everybody here."""
        message = self.world.message(call["channel_id"], call["message_id"])
        if message.reader is not None:
            raise Refused(10008)
        return message

    def messages(self, call: Call) -> list[Json]:
        channel = self._channel(call)
        if not self.world.may(self.bot, channel, "read_message_history"):
            return []
        limit = int(call.query.get("limit", "50"))
        if not 1 <= limit <= limits.HISTORY:
            raise bad_form(("limit",), "NUMBER_TYPE_MAX", f"int value should be 1 to {limits.HISTORY}.")
        found = _page(self.world.history(channel.id), call.query, limit)
        return [self.world.message_json(message) for message in reversed(found)]

    def get_message(self, call: Call) -> Json:
        self._channel(call, "read_message_history")
        return self.world.message_json(self._message(call))

    def send(self, call: Call) -> Json:
        channel = self._channel(call)
        self._check_writing(channel, call.body)
        again = repeated(self.world, channel, self.bot, call.body.data)
        if again is not None:
            return self.world.message_json(again)
        message = Message(self.world.new_id(), channel.id, self.bot, self.world.clock())
        message.reference = self._reference(channel, call.data.get("message_reference"))
        self.desk.write(message, call.body)
        return self.world.message_json(self.world.add_message(message))

    def _check_writing(self, channel: Channel, body: Body) -> None:
        if channel.kind == DIRECT:
            self._check_direct(channel)
            return
        speaking = "send_messages_in_threads" if channel.is_thread else "send_messages"
        if not self.world.may(self.bot, channel, speaking):
            raise Refused(50013)
        if body.files and not self.world.may(self.bot, channel, "attach_files"):
            raise Refused(50013)
        if channel.locked and not self.world.may(self.bot, channel, "manage_threads"):
            raise Refused(50083)

    def _check_direct(self, channel: Channel) -> None:
        recipient = self.world.user(channel.recipients[0])
        if not any(recipient.id in guild.members for guild in self.world.state.guilds.values()):
            raise Refused(50278)
        if recipient.dm_closed:
            raise Refused(50007)

    def _reference(self, channel: Channel, asked: Json | None) -> Json | None:
        if asked is None:
            return None
        referenced = str(asked.get("message_id"))
        known = self.world.state.messages[channel.id].get(referenced)
        if known is None or known.reader is not None:
            if asked.get("fail_if_not_exists") is False:
                return None
            raise bad_form(("message_reference",), "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
        reference: Json = {"type": 0, "channel_id": channel.id, "message_id": referenced}
        return reference if channel.guild_id is None else reference | {"guild_id": channel.guild_id}

    def edit_message(self, call: Call) -> Json:
        channel = self._channel(call)
        message = self._message(call)
        if message.author_id != self.bot:
            raise Refused(50005)
        if channel.archived:
            raise Refused(50083)
        if call.body.files and not self.world.may(self.bot, channel, "attach_files"):
            raise Refused(50013)
        check_late_edit(self.world, message)
        self.desk.change(message, call.body)
        self.world.update_message(message)
        return self.world.message_json(message)

    def delete_message(self, call: Call) -> None:
        channel = self._channel(call)
        message = self._message(call)
        if message.author_id != self.bot and not self.world.may(self.bot, channel, "manage_messages"):
            raise Refused(50013)
        if channel.archived:
            raise Refused(50083)
        self.world.delete_message(message)

    # -- Interactions --

    def callback(self, call: Call) -> Json | None:
        told = self.interactions.acknowledge(call["interaction_id"], call["interaction_token"], call.body)
        return told if call.query.get("with_response") in ("1", "true") else None

    def _hook(self, call: Call) -> str:
        if call["webhook_id"] != self.bot:
            raise Refused(10015)
        return call["webhook_token"]

    def follow_up(self, call: Call) -> Json:
        return self.world.message_json(self.interactions.follow_up(self._hook(call), call.body))

    def get_answer(self, call: Call) -> Json:
        return self.world.message_json(self.interactions.find(self._hook(call), call["message_id"]))

    def edit_answer(self, call: Call) -> Json:
        return self.world.message_json(self.interactions.edit(self._hook(call), call["message_id"], call.body))

    def delete_answer(self, call: Call) -> None:
        self.interactions.delete(self._hook(call), call["message_id"])

    # -- Commands --

    def _commands(self, call: Call) -> list[Json]:
        if call["application_id"] != self.bot:
            raise Refused(50001)
        guild_id = call.path.get("guild_id")
        if guild_id is None:
            return self.world.state.commands
        self.world.guild(guild_id)
        return self.world.state.guild_commands.setdefault(guild_id, [])

    def _keep(self, known: list[Json], new: list[Json]) -> None:
        known[:] = new
        self.world.tell(Event("PAGE_COMMANDS", {}))

    def get_commands(self, call: Call) -> list[Json]:
        return self._commands(call)

    def set_commands(self, call: Call) -> list[Json]:
        known = self._commands(call)
        commands.check_commands(call.body.data)
        guild_id = call.path.get("guild_id")
        self._keep(known, [commands.registered(self.world, c, known, guild_id) for c in call.body.data])
        return known

    def add_command(self, call: Call) -> Json:
        known, data = self._commands(call), call.data
        same = (data.get("name"), data.get("type", commands.CHAT))
        others = [c for c in known if (c["name"], c["type"]) != same]
        commands.check_commands([*others, data])
        command = commands.registered(self.world, data, known, call.path.get("guild_id"))
        self._keep(known, [*others, command])
        return command

    def get_command(self, call: Call) -> Json:
        for command in self._commands(call):
            if command["id"] == call["command_id"]:
                return command
        raise Refused(10063)

    def edit_command(self, call: Call) -> Json:
        known, command = self._commands(call), self.get_command(call)
        changed = command | call.data
        problems = Problems()
        commands.check_command(changed, problems)
        problems.raise_if_any()
        changed["version"] = self.world.new_id()
        self._keep(known, [changed if c["id"] == command["id"] else c for c in known])
        return changed

    def delete_command(self, call: Call) -> None:
        known, command = self._commands(call), self.get_command(call)
        self._keep(known, [c for c in known if c["id"] != command["id"]])


class Unauthorized(Refused):
    """The token is not the bot's."""

    def __init__(self) -> None:
        super().__init__(0, detail="401: Unauthorized")
        self.status = 401


def _page(history: list[Message], query: Mapping[str, str], limit: int) -> list[Message]:
    """The messages a query asks for, oldest first."""
    if "before" in query:
        return [m for m in history if int(m.id) < int(query["before"])][-limit:]
    if "after" in query:
        return [m for m in history if int(m.id) > int(query["after"])][:limit]
    if "around" in query:
        middle = int(query["around"])
        before = [m for m in history if int(m.id) < middle][-(limit // 2) :]
        return before + [m for m in history if int(m.id) >= middle][: limit - len(before)]
    return history[-limit:]


def _check_name(name: Any) -> None:
    problems = Problems()
    problems.length(("name",), name, 1, limits.CHANNEL_NAME)
    problems.raise_if_any()


def _archive_minutes(data: Json) -> int:
    minutes = data.get("auto_archive_duration") or 1440
    if minutes not in limits.ARCHIVE_MINUTES:
        names = ", ".join(map(str, limits.ARCHIVE_MINUTES))
        raise bad_form(("auto_archive_duration",), "BASE_TYPE_CHOICES", f"Value must be one of ({names}).")
    return int(minutes)


async def _read(request: web.Request) -> Body:
    """A request's JSON, or `payload_json` and `files[n]` of a multipart one. What cannot be read is None."""
    if request.content_type == "multipart/form-data":
        return await _read_parts(request)
    text = await request.read()
    if not text:
        return Body()
    try:
        return Body(msgspec.json.decode(text))
    except msgspec.DecodeError:
        return Body("not JSON")


async def _read_parts(request: web.Request) -> Body:
    data: Any = None
    files: dict[int, Upload] = {}
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader) or part.name is None:
            continue
        content = bytes(await part.read())
        if part.name == "payload_json":
            data = msgspec.json.decode(content)
        elif part.name.startswith("files["):
            files[int(part.name[6:-1])] = Upload(part.filename or "unknown", content)
    return Body(data, files)


def _response(status: int, answer: Any) -> web.Response:
    # Exactly this content type: with a charset behind it discord.py takes the answer for text.
    if answer is None:
        return web.Response(status=status)
    return web.Response(status=status, body=msgspec.json.encode(answer), content_type="application/json")
