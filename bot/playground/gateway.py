"""The gateway: WebSocket sessions of the bot, with heartbeats, compression, shards, resuming and a replay buffer."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
import secrets
import zlib
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

import msgspec
from aiohttp import WSMsgType, web

from bot.playground.refusals import Json, Refused
from bot.playground.world import Event, Member, World

log = logging.getLogger(__name__)

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, VOICE, _, RESUME, RECONNECT, MEMBERS, INVALID, HELLO, ACK = range(12)
HEARTBEAT_MILLISECONDS = 41_250
REPLAYED = 1_000
"""Events a session keeps for resuming."""

GUILDS, MEMBERS_INTENT, MESSAGES, DIRECT_MESSAGES = 1, 1 << 1, 1 << 9, 1 << 12
TYPING, DIRECT_TYPING, CONTENT = 1 << 11, 1 << 14, 1 << 15
PRIVILEGED = MEMBERS_INTENT | 1 << 8 | CONTENT
_INTENTS = {
    "CHANNEL": (GUILDS, 0),
    "THREAD": (GUILDS, 0),
    "GUILD_ROLE": (GUILDS, 0),
    "GUILD_MEMBER": (MEMBERS_INTENT, 0),
    "MESSAGE": (MESSAGES, DIRECT_MESSAGES),
    "TYPING": (TYPING, DIRECT_TYPING),
}
"""Start of an event's name to the intent it takes in a server and in direct messages; 0 there: always told."""

_CLOSES = {4001: "Unknown opcode", 4002: "Decode error", 4003: "Not authenticated", 4004: "Authentication failed"}
_CLOSES |= {4005: "Already authenticated", 4010: "Invalid shard", 4014: "Disallowed intent(s)"}

ACK_AFTER = 0.05
"""Seconds until a heartbeat is answered, as over a real line."""


class Packer(Protocol):
    """Turns a payload's JSON into what goes over the socket."""

    async def send(self, socket: web.WebSocketResponse, text: bytes) -> None: ...


class Plain:
    """Text frames."""

    async def send(self, socket: web.WebSocketResponse, text: bytes) -> None:
        await socket.send_str(text.decode())


class ZlibStream:
    """One continuous zlib stream a connection."""

    def __init__(self) -> None:
        self._stream = zlib.compressobj()

    async def send(self, socket: web.WebSocketResponse, text: bytes) -> None:
        await socket.send_bytes(self._stream.compress(text) + self._stream.flush(zlib.Z_SYNC_FLUSH))


class ZstdStream:
    """One continuous zstd stream a connection."""

    def __init__(self) -> None:
        self._stream, self._flush = _zstd()

    async def send(self, socket: web.WebSocketResponse, text: bytes) -> None:
        await socket.send_bytes(self._stream.compress(text) + self._stream.flush(self._flush))


def _zstd() -> tuple[Any, int]:
    """A zstd stream and how to flush a block of it, from whichever of its two sources discord.py has found as well."""
    try:
        zstandard: Any = importlib.import_module("zstandard")
    except ImportError:
        zstd: Any = importlib.import_module("compression.zstd")
        return zstd.ZstdCompressor(), zstd.ZstdCompressor.FLUSH_BLOCK
    return zstandard.ZstdCompressor().compressobj(), zstandard.COMPRESSOBJ_FLUSH_BLOCK


PACKERS: dict[str, Callable[[], Packer]] = {"": Plain, "zlib-stream": ZlibStream, "zstd-stream": ZstdStream}


class Closed(Exception):
    """The server closes the connection with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Session:
    """What survives a lost connection: who the bot is, its shard, and the last events with their numbers."""

    def __init__(self, shard: int, shards: int, intents: int) -> None:
        self.id = secrets.token_hex(16)
        self.shard = shard
        self.shards = shards
        self.intents = intents
        self.sequence = 0
        self.events: deque[Json] = deque(maxlen=REPLAYED)
        self.connection: Connection | None = None

    def keep(self, kind: str, data: Json) -> Json:
        """Number an event and keep it for replaying."""
        self.sequence += 1
        payload = {"op": DISPATCH, "t": kind, "s": self.sequence, "d": data}
        self.events.append(payload)
        return payload

    def since(self, sequence: int) -> list[Json] | None:
        """The events after that number; None when some are lost."""
        missed = [payload for payload in self.events if payload["s"] > sequence]
        complete = sequence <= self.sequence and len(missed) == self.sequence - sequence
        return missed if complete else None

    def hears(self, event: Event) -> bool:
        """Whether the event is this session's to know: by intent and shard."""
        if event.reader is not None or event.kind.startswith("PAGE_"):
            return False
        if event.guild_id is None and event.kind.startswith("CHANNEL"):
            return False  # nobody tells a bot that a direct conversation was opened
        in_guild = event.guild_id is not None
        if self.shard != (int(event.guild_id) >> 22) % self.shards if event.guild_id is not None else self.shard != 0:
            return False
        for start, (guild_intent, direct_intent) in _INTENTS.items():
            if event.kind.startswith(start):
                needed = guild_intent if in_guild else direct_intent
                return not needed or bool(self.intents & needed)
        return True


class Connection:
    """One WebSocket. Payloads go out in order through a queue, so that nobody has to wait for the bot."""

    def __init__(self, socket: web.WebSocketResponse, transport: asyncio.Transport | None, packer: Packer) -> None:
        self.socket = socket
        self._transport = transport
        self.packer = packer
        self.outgoing: asyncio.Queue[Json | bytes] = asyncio.Queue()
        self.session: Session | None = None
        self.pongs: dict[bytes, asyncio.Future[None]] = {}

    def put(self, payload: Json) -> None:
        """Send a payload after those before it."""
        self.outgoing.put_nowait(payload)

    async def heard(self) -> None:
        """Wait until the client has taken in all that was sent before: it answers a ping in its turn."""
        mark = secrets.token_bytes(8)
        answered = self.pongs[mark] = asyncio.get_running_loop().create_future()
        self.outgoing.put_nowait(mark)
        await answered

    async def write(self) -> None:
        """Send what is put, until cancelled or the socket is gone."""
        while not self.socket.closed:
            item = await self.outgoing.get()
            try:
                if isinstance(item, bytes):
                    await self.socket.ping(item)
                else:
                    await self.packer.send(self.socket, msgspec.json.encode(item))
            except ConnectionError as gone:
                log.info("gateway: the connection went away: %s", gone)
                return

    def cut(self) -> None:
        """Drop the line without a word."""
        if self._transport is not None:
            self._transport.abort()

    def lost(self) -> None:
        """Let those go who wait to be heard."""
        for answered in self.pongs.values():
            if not answered.done():
                answered.set_result(None)


class Gateway:
    """All sessions. `token` is the bot's, `address` where it connects, `shards` how many it is told to make."""

    def __init__(self, world: World, token: str, *, shards: int = 1) -> None:
        self.world = world
        self.token = token
        self.shards = shards
        self.address = ""
        self.allowed_intents = ~PRIVILEGED
        self.sessions: dict[str, Session] = {}
        self.connections: set[Connection] = set()
        self.identified = 0
        self.resumed = 0
        world.listeners.append(self.tell)

    # -- Telling the bot --

    def tell(self, event: Event) -> None:
        """Pass an event of the world to the sessions that may hear it."""
        for session in self.sessions.values():
            if session.hears(event) and self._bot_sees(event):
                self._send(session, event.kind, self._shown(session, event))

    def deliver(self, payload: Json, guild_id: str | None) -> None:
        """Hand an interaction to the shard it belongs to."""
        event = Event("INTERACTION_CREATE", payload, guild_id)
        for session in self.sessions.values():
            if session.hears(event):
                self._send(session, event.kind, payload)

    def invite(self, guild_id: str, roles: list[str]) -> None:
        """Make the bot a member of a server, with these roles, and tell it so."""
        world = self.world
        world.guild(guild_id).members[world.state.bot_id] = Member(world.state.bot_id, world.clock(), roles)
        world.tell(Event("GUILD_CREATE", self._whole_guild(guild_id), guild_id))

    def _bot_sees(self, event: Event) -> bool:
        if not event.kind.startswith(("MESSAGE", "THREAD", "TYPING")) or event.channel_id is None:
            return True
        channel = self.world.state.channels.get(event.channel_id)
        return channel is not None and self.world.sees(self.world.state.bot_id, channel)

    def _shown(self, session: Session, event: Event) -> Json:
        """The event without what people write, where the bot neither wrote it nor is meant, as without that intent."""
        data = event.data
        if not event.kind.startswith("MESSAGE_") or "author" not in data or session.intents & CONTENT:
            return data
        bot = self.world.state.bot_id
        if event.guild_id is None or data["author"]["id"] == bot or any(u["id"] == bot for u in data["mentions"]):
            return data
        return data | {"content": "", "embeds": [], "attachments": [], "components": []}

    def _send(self, session: Session, kind: str, data: Json) -> None:
        payload = session.keep(kind, data)
        if session.connection is not None:
            session.connection.put(payload)

    def is_listened_to(self) -> bool:
        """Whether a bot has identified itself and is still there."""
        return any(c.session is not None and not c.socket.closed for c in self.connections)

    async def heard(self) -> None:
        """Wait until every connected client has taken in all that was sent to it."""
        await asyncio.gather(*(connection.heard() for connection in tuple(self.connections) if connection.session))

    # -- Bad luck --

    def lose(self, *, resumable: bool = True) -> None:
        """Cut every connection; with `resumable` False the sessions are forgotten, so that resuming is refused."""
        if not resumable:
            self.sessions.clear()
        for connection in tuple(self.connections):
            connection.cut()

    def ask_to_reconnect(self) -> None:
        """Tell every client to reconnect and resume (op 7)."""
        for connection in tuple(self.connections):
            connection.put({"op": RECONNECT, "d": None})

    def invalidate(self, *, resumable: bool = False) -> None:
        """Tell every client that its session is invalid (op 9)."""
        if not resumable:
            self.sessions.clear()
        for connection in tuple(self.connections):
            connection.put({"op": INVALID, "d": resumable})

    # -- The socket --

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """The handler of the gateway's address."""
        socket = web.WebSocketResponse(autoping=False, max_msg_size=64 * 1024)
        await socket.prepare(request)
        packer = PACKERS[request.query.get("compress", "")]()
        connection = Connection(socket, request.transport, packer)
        self.connections.add(connection)
        writing = asyncio.create_task(connection.write(), name="playground: gateway")
        connection.put({"op": HELLO, "d": {"heartbeat_interval": HEARTBEAT_MILLISECONDS}})
        try:
            await self._listen(connection)
        except Closed as closed:
            log.warning("gateway: closed with %s %s", closed.code, _CLOSES.get(closed.code, ""))
            await socket.close(code=closed.code, message=_CLOSES.get(closed.code, "").encode())
        finally:
            writing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await writing
            self.connections.discard(connection)
            if connection.session is not None and connection.session.connection is connection:
                connection.session.connection = None
            connection.lost()
            self.world.changes.tell()
        return socket

    async def _listen(self, connection: Connection) -> None:
        async for frame in connection.socket:
            if frame.type == WSMsgType.PONG:
                answered = connection.pongs.pop(bytes(frame.data), None)
                if answered is not None and not answered.done():
                    answered.set_result(None)
            elif frame.type == WSMsgType.PING:
                await connection.socket.pong(frame.data)
            elif frame.type == WSMsgType.TEXT:
                await self._take(connection, frame.data)

    async def _take(self, connection: Connection, text: str) -> None:
        try:
            payload = msgspec.json.decode(text)
            op, data = payload["op"], payload.get("d")
        except (msgspec.DecodeError, KeyError, TypeError):
            raise Closed(4002) from None
        if op == HEARTBEAT:
            # Not at once: discord.py notes when it sent the beat only after it has, and would take this for a late one.
            asyncio.get_running_loop().call_later(ACK_AFTER, connection.put, {"op": ACK, "d": None})
        elif op == IDENTIFY:
            self._identify(connection, data)
        elif op == RESUME:
            self._resume(connection, data)
        elif op in (PRESENCE, VOICE, MEMBERS):
            if connection.session is None:
                raise Closed(4003)
            if op == MEMBERS:
                self._members(connection.session, data)
        else:
            raise Closed(4001)
        self.world.changes.tell()

    def _identify(self, connection: Connection, data: Json) -> None:
        if connection.session is not None:
            raise Closed(4005)
        if data.get("token") != self.token:
            raise Closed(4004)
        if data["intents"] & ~self.allowed_intents:
            raise Closed(4014)
        shard, shards = data.get("shard") or (0, 1)
        if not 0 <= shard < shards:
            raise Closed(4010)
        # Who identifies anew has given up the session before.
        self.sessions = {i: s for i, s in self.sessions.items() if s.connection is not None or s.shard != shard}
        session = Session(shard, shards, data["intents"])
        self.sessions[session.id] = session
        self._attach(connection, session)
        self.identified += 1
        self._greet(session)

    def _greet(self, session: Session) -> None:
        bot = self.world.bot
        guilds = [
            guild
            for guild in self.world.state.guilds.values()
            if (int(guild.id) >> 22) % session.shards == session.shard and bot.id in guild.members
        ]
        ready = {
            "v": 10,
            "user": self.world.user_json(bot) | {"verified": True, "mfa_enabled": True, "email": None, "flags": 0},
            "guilds": [{"id": guild.id, "unavailable": True} for guild in guilds],
            "private_channels": [],
            "session_id": session.id,
            "session_type": "normal",
            "resume_gateway_url": self.address,
            "shard": [session.shard, session.shards],
            "application": {"id": bot.id, "flags": 0},
        }
        self._send(session, "READY", ready)
        for guild in guilds if session.intents & GUILDS else ():
            self._send(session, "GUILD_CREATE", self._whole_guild(guild.id))

    def _whole_guild(self, guild_id: str) -> Json:
        world = self.world
        guild = world.state.guilds[guild_id]
        channels = [c for c in world.state.channels.values() if c.guild_id == guild_id and not c.is_thread]
        threads = [t for t in world.threads(guild_id) if not t.archived and world.sees(world.state.bot_id, t)]
        own = guild.members[world.state.bot_id]
        return world.guild_json(guild) | {
            "joined_at": world.member_json(own)["joined_at"],
            "large": False,
            "unavailable": False,
            "member_count": len(guild.members),
            "members": [world.member_json(own)],
            "channels": [world.channel_json(channel) for channel in channels],
            "threads": [world.channel_json(thread) for thread in threads],
            "presences": [],
            "voice_states": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
        }

    def _resume(self, connection: Connection, data: Json) -> None:
        if data.get("token") != self.token:
            raise Closed(4004)
        session = self.sessions.get(str(data.get("session_id")))
        missed = None if session is None else session.since(data.get("seq") or 0)
        if session is None or missed is None:
            connection.put({"op": INVALID, "d": False})
            return
        self._attach(connection, session)
        self.resumed += 1
        for payload in missed:
            connection.put(payload)
        self._send(session, "RESUMED", {})

    def _attach(self, connection: Connection, session: Session) -> None:
        session.connection = connection
        connection.session = session

    def _members(self, session: Session, data: Json) -> None:
        """Answer a request for members by id or by the start of their name."""
        try:
            guild = self.world.guild(str(data["guild_id"]))
        except Refused:
            return
        wanted = {str(user_id) for user_id in data.get("user_ids") or []}
        query = (data.get("query") or "").lower()
        if not wanted and not query and not session.intents & MEMBERS_INTENT:
            raise Closed(4014)
        members = [
            self.world.member_json(member)
            for user_id, member in guild.members.items()
            if (user_id in wanted if wanted else self.world.user(user_id).name.lower().startswith(query))
        ]
        chunk = {"guild_id": guild.id, "members": members, "chunk_index": 0, "chunk_count": 1}
        chunk["not_found"] = sorted(wanted - set(guild.members))
        if data.get("nonce") is not None:
            chunk["nonce"] = data["nonce"]
        self._send(session, "GUILD_MEMBERS_CHUNK", chunk)
