"""The world the stand-in keeps: people, a server, channels, threads, messages, permissions. All of it in memory.

Everything that happens is told to `World.listeners` as an `Event`; the gateway and the page pass it on.
Ids are Discord's snowflakes as decimal strings.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

import msgspec

from bot.playground import permissions
from bot.playground.refusals import Json, Refused

Clock = Callable[[], float]
"""Seconds since 1970, UTC."""

DISCORD_EPOCH = 1_420_070_400_000
TEXT, DIRECT, PUBLIC_THREAD, PRIVATE_THREAD = 0, 1, 11, 12
THREADS = (PUBLIC_THREAD, PRIVATE_THREAD)
EPHEMERAL, LOADING, COMPONENTS_V2, SUPPRESS_EMBEDS, SILENT = 1 << 6, 1 << 7, 1 << 15, 1 << 2, 1 << 12
PLAIN, THREAD_CREATED, REPLY, COMMAND_ANSWER = 0, 18, 19, 20
ROLE, MEMBER = 0, 1
Thing = TypeVar("Thing")


class User(msgspec.Struct):
    """A person, or the bot. `locale` is the language of their client, `dm_closed` whether they refuse messages."""

    id: str
    username: str
    global_name: str | None = None
    bot: bool = False
    locale: str = "en-US"
    dm_closed: bool = False

    @property
    def name(self) -> str:
        """What others see."""
        return self.global_name or self.username


class Role(msgspec.Struct):
    """A role of a server; `permissions` is a bit set."""

    id: str
    name: str
    permissions: int = 0
    position: int = 1
    colour: int = 0
    bot_id: str | None = None


class Member(msgspec.Struct):
    """A user in a server."""

    user_id: str
    joined_at: float
    roles: list[str] = []
    nick: str | None = None


class Overwrite(msgspec.Struct):
    """What a channel grants or denies to a role (kind 0) or a member (kind 1)."""

    id: str
    kind: int
    allow: int = 0
    deny: int = 0


class Channel(msgspec.Struct):
    """A text channel, a thread or a direct conversation (`recipients`: the person)."""

    id: str
    kind: int
    name: str = ""
    guild_id: str | None = None
    parent_id: str | None = None
    position: int = 0
    topic: str | None = None
    owner_id: str | None = None
    overwrites: dict[str, Overwrite] = {}
    recipients: list[str] = []
    members: list[str] = []
    archived: bool = False
    locked: bool = False
    archive_minutes: int = 1440
    archived_at: float = 0.0
    created_at: float = 0.0
    slowmode: int = 0
    sent: int = 0

    @property
    def is_thread(self) -> bool:
        """Whether it is a thread, public or private."""
        return self.kind in THREADS


class Guild(msgspec.Struct):
    """A server. The role of everybody has the server's own id."""

    id: str
    name: str
    owner_id: str
    locale: str = "en-US"
    roles: dict[str, Role] = {}
    members: dict[str, Member] = {}


class Attachment(msgspec.Struct):
    """A file in the world, without its bytes. Pictures have a size in pixels."""

    id: str
    filename: str
    size: int
    channel_id: str
    content_type: str
    width: int | None = None
    height: int | None = None
    description: str | None = None


class Message(msgspec.Struct):
    """A message. Media in components and embeds name an attachment by id; addresses are made when it is shown.

    `reader` is the one person who sees an ephemeral message, until they have `dismissed` it.
    """

    id: str
    channel_id: str
    author_id: str
    created_at: float
    kind: int = PLAIN
    content: str = ""
    flags: int = 0
    components: list[Any] = []
    embeds: list[Any] = []
    attachments: list[str] = []
    mentions: list[str] = []
    mention_roles: list[str] = []
    mention_everyone: bool = False
    reference: Json | None = None
    interaction: Json | None = None
    command: Json | None = None
    edited_at: float | None = None
    late_edits: list[float] = []
    nonce: str | None = None
    reader: str | None = None
    thread_id: str | None = None
    tts: bool = False
    dismissed: bool = False

    @property
    def ephemeral(self) -> bool:
        """Whether only one person sees it."""
        return bool(self.flags & EPHEMERAL)


class State(msgspec.Struct):
    """All that survives a restart of the playground."""

    bot_id: str
    users: dict[str, User] = {}
    guilds: dict[str, Guild] = {}
    channels: dict[str, Channel] = {}
    messages: dict[str, dict[str, Message]] = {}
    attachments: dict[str, Attachment] = {}
    commands: list[Json] = []
    guild_commands: dict[str, list[Json]] = {}
    read: dict[str, dict[str, str]] = {}
    last_id: int = 0


@dataclass(frozen=True)
class Event:
    """Something that happened, named and shaped as the gateway would tell it.

    `reader`: only this person may know. `channel_id`: only those who see that channel.
    """

    kind: str
    data: Json
    guild_id: str | None = None
    channel_id: str | None = None
    reader: str | None = None


class Changes:
    """Wakes those who wait whenever anything changes."""

    def __init__(self) -> None:
        self.number = 0
        self._next: asyncio.Event | None = None

    def tell(self) -> None:
        """Something changed."""
        self.number += 1
        if self._next is not None:
            self._next.set()
            self._next = None

    async def until(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Wait until the condition holds; False when it does not within this many (real) seconds."""
        try:
            async with asyncio.timeout(seconds):
                while not condition():
                    if self._next is None:
                        self._next = asyncio.Event()
                    await self._next.wait()
        except TimeoutError:
            return condition()
        return True


def iso(moment: float) -> str:
    """A moment as Discord writes it."""
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="microseconds")


class World:
    """The state, and what can be asked and done about it. `address_of` makes an attachment's address."""

    def __init__(self, state: State, clock: Clock = time.time) -> None:
        self.state = state
        self.clock = clock
        self.files: dict[str, bytes] = {}
        self.listeners: list[Callable[[Event], None]] = []
        self.changes = Changes()
        self.address_of: Callable[[Attachment], str] = lambda attachment: f"/cdn/attachments/{attachment.id}"

    # -- Ids and telling --

    def new_id(self) -> str:
        """A snowflake of this moment, greater than every one before."""
        moment = (int(self.clock() * 1000) - DISCORD_EPOCH) << 22
        self.state.last_id = max(moment, self.state.last_id + 1)
        return str(self.state.last_id)

    def tell(self, event: Event) -> None:
        """Tell every listener."""
        for listener in tuple(self.listeners):
            listener(event)
        self.changes.tell()

    # -- Finding --

    @property
    def bot(self) -> User:
        """The bot's own user; the application has the same id."""
        return self.state.users[self.state.bot_id]

    @property
    def people(self) -> list[User]:
        """Everybody who can be played."""
        return [user for user in self.state.users.values() if not user.bot]

    @property
    def home(self) -> Guild:
        """The first server."""
        return next(iter(self.state.guilds.values()))

    def user(self, user_id: str) -> User:
        """Somebody by id; refuses with 10013."""
        return _found(self.state.users, user_id, 10013)

    def guild(self, guild_id: str) -> Guild:
        """A server by id; refuses with 10004."""
        return _found(self.state.guilds, guild_id, 10004)

    def member(self, guild_id: str, user_id: str) -> Member:
        """A member of a server; refuses with 10013 or 10007."""
        self.user(user_id)
        return _found(self.guild(guild_id).members, user_id, 10007)

    def channel(self, channel_id: str) -> Channel:
        """A channel, thread or direct conversation by id; refuses with 10003."""
        return _found(self.state.channels, channel_id, 10003)

    def message(self, channel_id: str, message_id: str) -> Message:
        """A message by channel and id, ephemeral or not; refuses with 10008."""
        return _found(self.state.messages.get(channel_id, {}), message_id, 10008)

    def channel_named(self, name: str) -> Channel:
        """The newest channel or thread of this name, with or without a leading `#`; refuses with 10003."""
        wanted = name.removeprefix("#")
        for channel in reversed(self.state.channels.values()):
            if channel.name == wanted:
                return channel
        raise Refused(10003)

    def history(self, channel_id: str, person: str | None = None) -> list[Message]:
        """A channel's messages, oldest first, with the ephemeral ones of that person alone."""
        messages = self.state.messages.get(channel_id, {}).values()
        return [m for m in messages if m.reader is None or (m.reader == person and not m.dismissed)]

    def threads(self, guild_id: str) -> list[Channel]:
        """A server's threads."""
        return [c for c in self.state.channels.values() if c.guild_id == guild_id and c.is_thread]

    def direct(self, user_id: str) -> Channel | None:
        """The conversation of the bot with somebody, where it has been opened."""
        for channel in self.state.channels.values():
            if channel.kind == DIRECT and channel.recipients == [user_id]:
                return channel
        return None

    def open_direct(self, user_id: str) -> Channel:
        """The conversation of the bot with somebody, opened where it was not; refuses with 10013."""
        self.user(user_id)
        opened = self.direct(user_id)
        return opened or self.add_channel(Channel(self.new_id(), DIRECT, recipients=[user_id]))

    # -- Permissions --

    def permissions(self, user_id: str, channel: Channel) -> int:
        """What somebody may do in a channel, overwrites counted in; nothing for those who are not members."""
        if channel.guild_id is None:
            taking_part = user_id == self.state.bot_id or user_id in channel.recipients
            return permissions.IN_DIRECT_MESSAGES if taking_part else 0
        guild = self.state.guilds[channel.guild_id]
        member = guild.members.get(user_id)
        if member is None:
            return 0
        place = self.state.channels.get(channel.parent_id or "", channel) if channel.is_thread else channel
        found = permissions.resolve(
            self.guild_permissions(guild, user_id),
            _pair(place.overwrites.get(guild.id)),
            [_pair(place.overwrites.get(role)) for role in member.roles],
            _pair(place.overwrites.get(user_id)),
            thread=channel.is_thread,
        )
        hidden = channel.kind == PRIVATE_THREAD and user_id not in channel.members
        return 0 if hidden and not found & permissions.BITS["manage_threads"] else found

    def guild_permissions(self, guild: Guild, user_id: str) -> int:
        """What somebody may do in a server as a whole."""
        member = guild.members.get(user_id)
        if member is None:
            return 0
        if guild.owner_id == user_id:
            return permissions.ALL
        found = guild.roles[guild.id].permissions
        for role in member.roles:
            found |= guild.roles[role].permissions
        return permissions.ALL if found & permissions.BITS["administrator"] else found

    def may(self, user_id: str, channel: Channel, *names: str) -> bool:
        """Whether somebody has all these permissions in a channel."""
        wanted = permissions.bits(*names)
        return self.permissions(user_id, channel) & wanted == wanted

    def sees(self, user_id: str, channel: Channel) -> bool:
        """Whether somebody sees a channel."""
        return self.may(user_id, channel, "view_channel")

    def overwrite(self, channel: Channel, who: str, *, allow: int = 0, deny: int = 0) -> None:
        """Set what a channel grants and denies to a role or a member, by id; nothing of either takes it away."""
        assert channel.guild_id is not None, "direct messages have no overwrites"
        kind = ROLE if who in self.state.guilds[channel.guild_id].roles else MEMBER
        if allow or deny:
            channel.overwrites[who] = Overwrite(who, kind, allow, deny)
        else:
            channel.overwrites.pop(who, None)
        self.tell(Event("CHANNEL_UPDATE", self.channel_json(channel), channel.guild_id, channel.id))

    # -- People and members --

    def change_person(self, person: User, *, locale: str | None = None, dm_closed: bool | None = None) -> None:
        """Switch somebody's language, or whether they take direct messages."""
        person.locale = person.locale if locale is None else locale
        person.dm_closed = person.dm_closed if dm_closed is None else dm_closed
        self.tell(Event("PAGE_PERSONAS", {}))

    def dismiss(self, person: str, message: Message) -> None:
        """Hide an ephemeral message from its reader, as "Dismiss message" does; the bot does not learn of it."""
        if message.reader != person:
            raise Refused(10008)
        message.dismissed = True
        data = {"id": message.id, "channel_id": message.channel_id}
        self.tell(Event("MESSAGE_DELETE", data, None, message.channel_id, person))

    def leave(self, guild: Guild, user_id: str) -> None:
        """Somebody leaves the server."""
        _found(guild.members, user_id, 10007)
        del guild.members[user_id]
        data = {"guild_id": guild.id, "user": self.user_json(self.user(user_id))}
        self.tell(Event("GUILD_MEMBER_REMOVE", data, guild.id))

    def join(self, guild: Guild, user_id: str, roles: list[str] | None = None) -> Member:
        """Somebody joins the server."""
        member = Member(user_id, self.clock(), roles or [])
        guild.members[user_id] = member
        self.tell(Event("GUILD_MEMBER_ADD", {"guild_id": guild.id, **self.member_json(member)}, guild.id))
        return member

    def remove_bot(self, guild: Guild) -> None:
        """The server removes the bot, or it is told that the server is gone."""
        guild.members.pop(self.state.bot_id, None)
        self.tell(Event("GUILD_DELETE", {"id": guild.id}, guild.id))

    def delete_guild(self, guild: Guild) -> None:
        """Delete a server with all that is in it; its people stay."""
        for channel in [c for c in self.state.channels.values() if c.guild_id == guild.id]:
            del self.state.channels[channel.id]
            self.state.messages.pop(channel.id, None)
        del self.state.guilds[guild.id]
        self.tell(Event("GUILD_DELETE", {"id": guild.id}, guild.id))

    def delete_role(self, guild: Guild, role: Role) -> None:
        """Delete a role; who had it has it no longer."""
        del guild.roles[role.id]
        for member in guild.members.values():
            member.roles = [kept for kept in member.roles if kept != role.id]
        self.tell(Event("GUILD_ROLE_DELETE", {"guild_id": guild.id, "role_id": role.id}, guild.id))

    # -- Channels --

    def add_channel(self, channel: Channel) -> Channel:
        """Put a new channel, thread or conversation into the world."""
        channel.created_at = channel.archived_at = self.clock()
        self.state.channels[channel.id] = channel
        self.state.messages[channel.id] = {}
        kind = "THREAD_CREATE" if channel.is_thread else "CHANNEL_CREATE"
        data = self.channel_json(channel)
        if channel.is_thread:
            data["newly_created"] = True
        self.tell(Event(kind, data, channel.guild_id, channel.id))
        return channel

    def update_channel(self, channel: Channel) -> None:
        """Tell that a channel has changed."""
        kind = "THREAD_UPDATE" if channel.is_thread else "CHANNEL_UPDATE"
        self.tell(Event(kind, self.channel_json(channel), channel.guild_id, channel.id))

    def delete_channel(self, channel: Channel) -> None:
        """Delete a channel with its messages, and its threads with it."""
        for thread in [c for c in self.state.channels.values() if c.is_thread and c.parent_id == channel.id]:
            self.delete_channel(thread)
        kind = "THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE"
        data = self.channel_json(channel)
        self.tell(Event(kind, data, channel.guild_id, channel.id))
        del self.state.channels[channel.id]
        self.state.messages.pop(channel.id, None)
        self.changes.tell()

    # -- Messages --

    def add_message(self, message: Message) -> Message:
        """Put a new message into its channel, mark it read for its author, wake an archived thread."""
        channel = self.channel(message.channel_id)
        self.state.messages.setdefault(channel.id, {})[message.id] = message
        if message.reader is None:
            channel.sent += 1
            self.mark_read(message.author_id, channel.id)
            if channel.archived:
                channel.archived = False
                self.update_channel(channel)
            for user_id in {message.author_id, *message.mentions} if channel.is_thread else ():
                self.add_thread_member(channel, user_id)
        self._tell_message("MESSAGE_CREATE", message)
        return message

    def update_message(self, message: Message) -> None:
        """Tell that a message has changed."""
        self._tell_message("MESSAGE_UPDATE", message)

    def delete_message(self, message: Message) -> None:
        """Delete a message."""
        del self.state.messages[message.channel_id][message.id]
        channel = self.channel(message.channel_id)
        data: Json = {"id": message.id, "channel_id": message.channel_id}
        if channel.guild_id is not None:
            data["guild_id"] = channel.guild_id
        self.tell(Event("MESSAGE_DELETE", data, channel.guild_id, channel.id, message.reader))

    def say(self, person: str, channel: Channel, content: str) -> Message:
        """A person's plain message; refuses where they may not write."""
        speaking = "send_messages_in_threads" if channel.is_thread else "send_messages"
        if not self.may(person, channel, "view_channel", speaking):
            raise Refused(50013)
        if channel.locked:
            raise Refused(50083)
        message = Message(self.new_id(), channel.id, person, self.clock(), content=content)
        return self.add_message(message)

    def add_thread_member(self, thread: Channel, user_id: str) -> None:
        """Make somebody a member of a thread, where they are not."""
        if user_id in thread.members or user_id not in self.state.guilds[thread.guild_id or ""].members:
            return
        thread.members.append(user_id)
        data = {
            "id": thread.id,
            "guild_id": thread.guild_id,
            "member_count": len(thread.members),
            "added_members": [self.thread_member_json(thread, user_id)],
        }
        self.tell(Event("THREAD_MEMBERS_UPDATE", data, thread.guild_id, thread.id))

    def remove_thread_member(self, thread: Channel, user_id: str) -> None:
        """Take somebody out of a thread."""
        if user_id not in thread.members:
            raise Refused(10007)
        thread.members.remove(user_id)
        data = {
            "id": thread.id,
            "guild_id": thread.guild_id,
            "member_count": len(thread.members),
            "removed_member_ids": [user_id],
        }
        self.tell(Event("THREAD_MEMBERS_UPDATE", data, thread.guild_id, thread.id))

    def mark_read(self, user_id: str, channel_id: str) -> None:
        """Somebody has seen the channel up to now."""
        newest = next(reversed(self.state.messages.get(channel_id, {})), None)
        if newest is not None:
            self.state.read.setdefault(user_id, {})[channel_id] = newest

    def unread(self, user_id: str, channel_id: str) -> list[Message]:
        """The messages others wrote since somebody looked, theirs to see."""
        seen = int(self.state.read.get(user_id, {}).get(channel_id, "0"))
        found: list[Message] = []
        for message in reversed(self.state.messages.get(channel_id, {}).values()):
            if int(message.id) <= seen:
                break
            if message.author_id != user_id and message.reader is None:
                found.append(message)
        return found[::-1]

    def _tell_message(self, kind: str, message: Message) -> None:
        channel = self.channel(message.channel_id)
        data = self.message_json(message)
        if channel.guild_id is not None:
            data["guild_id"] = channel.guild_id
            member = self.state.guilds[channel.guild_id].members.get(message.author_id)
            if member is not None:
                data["member"] = {k: v for k, v in self.member_json(member).items() if k != "user"}
        self.tell(Event(kind, data, channel.guild_id, channel.id, message.reader))

    # -- As Discord writes it --

    def user_json(self, user: User) -> Json:
        """A user object."""
        data: Json = {
            "id": user.id,
            "username": user.username,
            "discriminator": "0000" if user.bot else "0",
            "global_name": user.global_name,
            "avatar": None,
            "avatar_decoration_data": None,
            "banner": None,
            "accent_color": None,
            "public_flags": 0,
        }
        return data | {"bot": True} if user.bot else data

    def member_json(self, member: Member) -> Json:
        """A member object with its user."""
        return {
            "user": self.user_json(self.user(member.user_id)),
            "nick": member.nick,
            "avatar": None,
            "roles": list(member.roles),
            "joined_at": iso(member.joined_at),
            "premium_since": None,
            "communication_disabled_until": None,
            "pending": False,
            "deaf": False,
            "mute": False,
            "flags": 0,
        }

    def thread_member_json(self, thread: Channel, user_id: str) -> Json:
        """A thread member object."""
        return {"id": thread.id, "user_id": user_id, "join_timestamp": iso(thread.created_at), "flags": 0}

    def channel_json(self, channel: Channel) -> Json:
        """A channel object of its kind."""
        # Ephemeral messages are nobody else's business, not even as a last id.
        messages = reversed(self.state.messages.get(channel.id, {}).values())
        newest = next((message.id for message in messages if message.reader is None), None)
        data: Json = {
            "id": channel.id,
            "type": channel.kind,
            "flags": 0,
            "last_message_id": newest,
        }
        if channel.kind == DIRECT:
            return data | {"recipients": [self.user_json(self.user(user_id)) for user_id in channel.recipients]}
        data |= {
            "guild_id": channel.guild_id,
            "name": channel.name,
            "parent_id": channel.parent_id,
            "rate_limit_per_user": channel.slowmode,
        }
        return data | (self._thread_part(channel) if channel.is_thread else _text_part(channel))

    def _thread_part(self, thread: Channel) -> Json:
        part: Json = {
            "owner_id": thread.owner_id,
            "message_count": thread.sent,
            "total_message_sent": thread.sent,
            "member_count": len(thread.members),
            "applied_tags": [],
            "thread_metadata": {
                "archived": thread.archived,
                "locked": thread.locked,
                "auto_archive_duration": thread.archive_minutes,
                "archive_timestamp": iso(thread.archived_at),
                "create_timestamp": iso(thread.created_at),
                "invitable": True,
            },
        }
        if self.state.bot_id in thread.members:
            part["member"] = self.thread_member_json(thread, self.state.bot_id)
        return part

    def guild_json(self, guild: Guild) -> Json:
        """A guild object with the roles, without channels and members."""
        return {
            "id": guild.id,
            "name": guild.name,
            "icon": None,
            "splash": None,
            "discovery_splash": None,
            "banner": None,
            "description": None,
            "owner_id": guild.owner_id,
            "afk_channel_id": None,
            "afk_timeout": 300,
            "verification_level": 0,
            "default_message_notifications": 1,
            "explicit_content_filter": 0,
            "roles": [role_json(role) for role in guild.roles.values()],
            "emojis": [],
            "stickers": [],
            "features": [],
            "mfa_level": 0,
            "application_id": None,
            "system_channel_id": None,
            "system_channel_flags": 0,
            "rules_channel_id": None,
            "public_updates_channel_id": None,
            "safety_alerts_channel_id": None,
            "max_members": 500000,
            "vanity_url_code": None,
            "premium_tier": 0,
            "premium_subscription_count": 0,
            "preferred_locale": guild.locale,
            "nsfw_level": 0,
            "nsfw": False,
            "premium_progress_bar_enabled": False,
        }

    def message_json(self, message: Message) -> Json:
        """A message object, its files with fresh addresses."""
        shown_in_embeds = set(_attachments_of(message.embeds))
        attachments = [self.state.attachments[a] for a in message.attachments if a not in shown_in_embeds]
        data: Json = {
            "id": message.id,
            "channel_id": message.channel_id,
            "author": self.user_json(self.user(message.author_id)),
            "type": message.kind,
            "content": message.content,
            "flags": message.flags,
            "timestamp": iso(message.created_at),
            "edited_timestamp": None if message.edited_at is None else iso(message.edited_at),
            "tts": message.tts,
            "pinned": False,
            "mention_everyone": message.mention_everyone,
            "mentions": [self.user_json(self.user(user_id)) for user_id in message.mentions],
            "mention_roles": list(message.mention_roles),
            "attachments": [self.attachment_json(attachment) for attachment in attachments],
            "embeds": [self._with_addresses(embed) for embed in message.embeds],
            "components": [self._with_addresses(component) for component in message.components],
        }
        if message.author_id == self.state.bot_id and message.interaction is not None:
            data |= {"application_id": self.state.bot_id, "webhook_id": self.state.bot_id}
            data["interaction_metadata"] = message.interaction
        if message.command is not None:
            data["interaction"] = message.command
        if message.nonce is not None:
            data["nonce"] = message.nonce
        if message.reference is not None:
            data |= self._reference_part(message.reference)
        if message.thread_id in self.state.channels:
            data["thread"] = self.channel_json(self.state.channels[message.thread_id])
        return data

    def _reference_part(self, reference: Json) -> Json:
        if "message_id" not in reference:
            return {"message_reference": reference}
        referenced = self.state.messages.get(reference["channel_id"], {}).get(reference["message_id"])
        if referenced is None or referenced.reader is not None:
            return {"message_reference": reference, "referenced_message": None}
        shown = msgspec.structs.replace(referenced, reference=None)
        return {"message_reference": reference, "referenced_message": self.message_json(shown)}

    def attachment_json(self, attachment: Attachment) -> Json:
        """An attachment object with a fresh address."""
        address = self.address_of(attachment)
        data: Json = {
            "id": attachment.id,
            "filename": attachment.filename,
            "size": attachment.size,
            "url": address,
            "proxy_url": address,
            "content_type": attachment.content_type,
        }
        if attachment.description is not None:
            data["description"] = attachment.description
        if attachment.width is not None:
            data |= {"width": attachment.width, "height": attachment.height}
        return data

    def _with_addresses(self, node: Any) -> Any:
        if isinstance(node, list):
            return [self._with_addresses(child) for child in node]
        if not isinstance(node, dict):
            return node
        if set(node) == {"attachment_id"}:
            return self._media(self.state.attachments[node["attachment_id"]])
        shown = {key: self._with_addresses(child) for key, child in node.items()}
        if node.get("type") == 13:
            attachment = self.state.attachments[node["file"]["attachment_id"]]
            shown |= {"name": attachment.filename, "size": attachment.size}
        return shown

    def _media(self, attachment: Attachment) -> Json:
        address = self.address_of(attachment)
        return {
            "url": address,
            "proxy_url": address,
            "width": attachment.width,
            "height": attachment.height,
            "content_type": attachment.content_type,
            "attachment_id": attachment.id,
            "loading_state": 2,
            "placeholder": "",
            "flags": 0,
        }


def role_json(role: Role) -> Json:
    """A role object."""
    data: Json = {
        "id": role.id,
        "name": role.name,
        "color": role.colour,
        "colors": {"primary_color": role.colour, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "icon": None,
        "unicode_emoji": None,
        "position": role.position,
        "permissions": str(role.permissions),
        "managed": role.bot_id is not None,
        "mentionable": False,
        "flags": 0,
    }
    return data | {"tags": {"bot_id": role.bot_id}} if role.bot_id is not None else data


def _text_part(channel: Channel) -> Json:
    return {
        "position": channel.position,
        "topic": channel.topic,
        "nsfw": False,
        "permission_overwrites": [
            {"id": o.id, "type": o.kind, "allow": str(o.allow), "deny": str(o.deny)}
            for o in channel.overwrites.values()
        ],
    }


def _attachments_of(node: Any) -> list[str]:
    """The attachments that media in here name."""
    if isinstance(node, list):
        return [found for child in node for found in _attachments_of(child)]
    if isinstance(node, dict):
        if set(node) == {"attachment_id"}:
            return [node["attachment_id"]]
        return [found for child in node.values() for found in _attachments_of(child)]
    return []


def _pair(overwrite: Overwrite | None) -> tuple[int, int]:
    return (0, 0) if overwrite is None else (overwrite.allow, overwrite.deny)


def _found(things: dict[str, Thing], key: str, code: int) -> Thing:
    try:
        return things[key]
    except KeyError:
        raise Refused(code) from None
