"""Interactions: what a person's client sends when they use a command or a control, and how the bot may answer it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.playground import commands, components, limits
from bot.playground.commands import NotSent
from bot.playground.files import Upload, keep
from bot.playground.messages import Body, Desk, refuse_new_pictures
from bot.playground.refusals import Json, Problems, Refused, bad_form
from bot.playground.world import (
    COMMAND_ANSWER,
    COMPONENTS_V2,
    EPHEMERAL,
    LOADING,
    PLAIN,
    REPLY,
    SILENT,
    SUPPRESS_EMBEDS,
    Channel,
    Message,
    World,
)

COMMAND, COMPONENT, AUTOCOMPLETE, SUBMIT = 2, 3, 4, 5
ANSWER, DEFERRED_ANSWER, DEFERRED_UPDATE, UPDATE, CHOICES, FORM = 4, 5, 6, 7, 8, 9
ALLOWED_ANSWERS = {
    COMMAND: {ANSWER, DEFERRED_ANSWER, FORM},
    COMPONENT: {ANSWER, DEFERRED_ANSWER, DEFERRED_UPDATE, UPDATE, FORM},
    AUTOCOMPLETE: {CHOICES},
    SUBMIT: {ANSWER, DEFERRED_ANSWER, DEFERRED_UPDATE, UPDATE},
}
"""Kinds of callback by kind of interaction. Updates need a message that the control or the form came from."""

ANSWER_FLAGS = EPHEMERAL | SUPPRESS_EMBEDS | SILENT | COMPONENTS_V2
_RESOLVING = {
    components.USER: ("users",),
    components.ROLE: ("roles",),
    components.MENTIONABLE: ("users", "roles"),
    components.CHANNEL: ("channels",),
    components.UPLOAD: ("attachments",),
}
_OPTION_RESOLVING = {
    commands.USER: ("users",),
    commands.ROLE: ("roles",),
    commands.MENTIONABLE: ("users", "roles"),
    commands.CHANNEL: ("channels",),
    commands.ATTACHMENT: ("attachments",),
}


@dataclass(eq=False)
class Interaction:
    """One interaction and what has become of it. `name` is the whole command (`triggle new`), empty for controls."""

    id: str
    token: str
    kind: int
    person: str
    channel_id: str
    created_at: float
    name: str = ""
    message: Message | None = None
    opened_by: Interaction | None = None
    answer: int | None = None
    original: Message | None = None
    made: dict[str, Message] = field(default_factory=dict)
    form: Json | None = None
    choices: list[Json] | None = None
    late: bool = False

    @property
    def acknowledged(self) -> bool:
        """Whether the bot has answered, or deferred its answer."""
        return self.answer is not None

    @property
    def deferred(self) -> bool:
        """Whether the bot took more time first."""
        return self.answer in (DEFERRED_ANSWER, DEFERRED_UPDATE)

    @property
    def thinking(self) -> bool:
        """Whether "… is thinking" stands there still."""
        return self.original is not None and bool(self.original.flags & LOADING)


class Interactions:
    """Makes interactions for people and takes the bot's answers. `deliver` hands a payload to the gateway."""

    def __init__(self, world: World, desk: Desk) -> None:
        self.world = world
        self.desk = desk
        self.deliver: Callable[[Json, str | None], None] = lambda payload, guild_id: None
        self.by_id: dict[str, Interaction] = {}
        self.by_token: dict[str, Interaction] = {}
        self.uploads: dict[str, Upload] = {}
        self._waiting: dict[str, Interaction] = {}

    # -- What people do --

    def upload(self, upload: Upload) -> str:
        """Take a person's file for an option or a field; the id to name it by."""
        upload_id = self.world.new_id()
        self.uploads[upload_id] = upload
        return upload_id

    def slash(
        self,
        person: str,
        channel_id: str,
        command_id: str,
        path: Sequence[str],
        values: Mapping[str, Any],
        focused: str | None = None,
    ) -> Interaction:
        """Use a command, or with `focused` ask for an option's choices. Raises `NotSent` as the client would."""
        channel = self._open_channel(person, channel_id)
        offered = commands.usable(self.world, person, channel)
        command = next((command for command in offered if command["id"] == command_id), None)
        if command is None:
            raise NotSent("this command cannot be used here")
        options = commands.chosen(command, path, values, focused)
        data: Json = {"id": command["id"], "name": command["name"], "type": command["type"], "options": options}
        if "guild_id" in command:
            data["guild_id"] = command["guild_id"]
        resolved = self._resolved(channel, _option_values(options))
        if resolved:
            data["resolved"] = resolved
        kind = COMMAND if focused is None else AUTOCOMPLETE
        return self._send(kind, person, channel, data, name=" ".join([command["name"], *path]))

    def press(self, person: str, channel_id: str, message_id: str, custom_id: str) -> Interaction:
        """Press a button."""
        channel, message, component = self._control(person, channel_id, message_id, custom_id)
        if component["type"] != components.BUTTON:
            raise NotSent("this is no button")
        data = {"component_type": components.BUTTON, "custom_id": custom_id, "id": component["id"]}
        return self._send(COMPONENT, person, channel, data, message=message)

    def press_late(
        self, person: str, message: Message, control: Json, shown: Json, values: Sequence[str] = ()
    ) -> Interaction:
        """Use a control that has gone from its message meanwhile: the press was under way when that was changed.

        `control` is the component and `shown` the message's JSON as they were; `values` only count for menus.
        """
        channel = self.world.channel(message.channel_id)
        data: Json = {"component_type": control["type"], "custom_id": control["custom_id"], "id": control["id"]}
        if control["type"] != components.BUTTON:
            data["values"] = list(values)
        return self._send(COMPONENT, person, channel, data, message=message, shown=shown)

    def select(
        self, person: str, channel_id: str, message_id: str, custom_id: str, values: Sequence[str]
    ) -> Interaction:
        """Choose from a menu of any kind; values are option values or ids."""
        channel, message, component = self._control(person, channel_id, message_id, custom_id)
        _check_chosen(component, values)
        data: Json = {"component_type": component["type"], "custom_id": custom_id, "id": component["id"]}
        data["values"] = list(values)
        resolved = self._resolved(channel, [(component["type"], value, _RESOLVING) for value in values])
        if resolved:
            data["resolved"] = resolved
        return self._send(COMPONENT, person, channel, data, message=message)

    def submit(self, opener: Interaction, fields: Sequence[Json]) -> Interaction:
        """Send the form that the bot opened in answer to `opener`; fields as a client sends them, in their labels."""
        if opener.form is None:
            raise NotSent("there is no form")
        channel = self._open_channel(opener.person, opener.channel_id)
        asked = {c["custom_id"]: c for c in components.walk(opener.form["components"]) if "custom_id" in c}
        given = {c["custom_id"]: c for c in components.walk(list(fields)) if "custom_id" in c}
        if set(given) - set(asked):
            raise NotSent("a field that the form has not")
        for custom_id, field_asked in asked.items():
            _check_field(field_asked, given.get(custom_id, {}))
        named = [(c["type"], value, _RESOLVING) for c in given.values() for value in c.get("values", [])]
        resolved = self._resolved(channel, named)
        data: Json = {"custom_id": opener.form["custom_id"], "components": list(fields)}
        if resolved:
            data["resolved"] = resolved
        return self._send(SUBMIT, opener.person, channel, data, message=opener.message, opened_by=opener)

    def _control(self, person: str, channel_id: str, message_id: str, custom_id: str) -> tuple[Channel, Message, Json]:
        channel = self._open_channel(person, channel_id)
        message = self.world.message(channel_id, message_id)
        if message.reader not in (None, person):
            raise Refused(10008)
        component = components.find(message.components, custom_id)
        if component is None:
            raise NotSent("this control is not there any more")
        if component.get("disabled"):
            raise NotSent("this control is disabled")
        return channel, message, component

    def _open_channel(self, person: str, channel_id: str) -> Channel:
        channel = self.world.channel(channel_id)
        if not self.world.sees(person, channel):
            raise Refused(50001)
        if channel.locked:
            raise NotSent("this thread is locked")
        if channel.archived:
            channel.archived = False
            self.world.update_channel(channel)
        return channel

    def _resolved(
        self, channel: Channel, values: Sequence[tuple[int, str, Mapping[int, tuple[str, ...]]]]
    ) -> dict[str, Json]:
        resolved: dict[str, Json] = {}
        for kind, value, table in values:
            for part in table.get(kind, ()):
                for name, thing in self._resolve_one(part, str(value), channel).items():
                    resolved.setdefault(name, {})[str(value)] = thing
        return resolved

    def _resolve_one(self, part: str, value: str, channel: Channel) -> Json:
        state = self.world.state
        guild = state.guilds.get(channel.guild_id or "")
        if part == "users" and value in state.users:
            found: Json = {"users": self.world.user_json(state.users[value])}
            if guild is not None and value in guild.members:
                found["members"] = self._partial_member(channel, value)
            return found
        if part == "roles" and guild is not None and value in guild.roles:
            return {"roles": self._role(guild.id, value)}
        if part == "channels":
            return {"channels": self._partial_channel(self.world.channel(value), state.bot_id)}
        if part == "attachments":
            if value not in self.uploads:
                raise NotSent("no such upload")
            attachment = keep(self.world, self.uploads.pop(value), channel.id)
            return {"attachments": self.world.attachment_json(attachment)}
        return {}

    def _role(self, guild_id: str, role_id: str) -> Json:
        roles = self.world.guild_json(self.world.guild(guild_id))["roles"]
        return next(role for role in roles if role["id"] == role_id)

    def _partial_member(self, channel: Channel, user_id: str) -> Json:
        member = self.world.member(channel.guild_id or "", user_id)
        data = {
            key: value for key, value in self.world.member_json(member).items() if key not in ("user", "deaf", "mute")
        }
        return data | {"permissions": str(self.world.permissions(user_id, channel))}

    def _partial_channel(self, channel: Channel, user_id: str) -> Json:
        return self.world.channel_json(channel) | {"permissions": str(self.world.permissions(user_id, channel))}

    # -- To the bot --

    def _send(
        self,
        kind: int,
        person: str,
        channel: Channel,
        data: Json,
        *,
        name: str = "",
        message: Message | None = None,
        opened_by: Interaction | None = None,
        shown: Json | None = None,
    ) -> Interaction:
        token = secrets.token_urlsafe(48)
        interaction = Interaction(
            self.world.new_id(), token, kind, person, channel.id, self.world.clock(), name, message, opened_by
        )
        self._forget_old()
        self.by_id[interaction.id] = self.by_token[token] = self._waiting[interaction.id] = interaction
        payload = self._payload(interaction, channel, data)
        if shown is not None:
            payload["message"] = shown
        self.deliver(payload, channel.guild_id)
        self.world.changes.tell()
        return interaction

    def _payload(self, interaction: Interaction, channel: Channel, data: Json) -> Json:
        world, person = self.world, self.world.user(interaction.person)
        payload: Json = {
            "id": interaction.id,
            "application_id": world.state.bot_id,
            "type": interaction.kind,
            "token": interaction.token,
            "version": 1,
            "data": data,
            "channel_id": channel.id,
            "channel": self._partial_channel(channel, person.id),
            "app_permissions": str(world.permissions(world.state.bot_id, channel)),
            "locale": person.locale,
            "entitlements": [],
            "attachment_size_limit": limits.FILE_BYTES,
        }
        if channel.guild_id is None:
            payload |= {"user": world.user_json(person), "context": commands.IN_DIRECT}
            payload["authorizing_integration_owners"] = {"0": "0"}
        else:
            guild = world.guild(channel.guild_id)
            member = world.member_json(world.member(guild.id, person.id))
            payload |= {
                "guild_id": guild.id,
                "guild": {"id": guild.id, "locale": guild.locale, "features": []},
                "guild_locale": guild.locale,
                "member": member | {"permissions": str(world.permissions(person.id, channel))},
                "context": commands.IN_GUILD,
                "authorizing_integration_owners": {"0": guild.id},
            }
        if interaction.message is not None:
            payload["message"] = world.message_json(interaction.message)
        return payload

    # -- The bot's first answer --

    def acknowledge(self, interaction_id: str, token: str, body: Body) -> Json:
        """The bot's callback. Refuses with 10062 (unknown or after 3 seconds), 40060 (again), or for its content.

        Returns what `with_response=1` answers.
        """
        interaction = self.by_id.get(interaction_id)
        if interaction is None or interaction.token != token:
            raise Refused(10062)
        if interaction.acknowledged:
            raise Refused(40060)
        if self.world.clock() - interaction.created_at > limits.ACKNOWLEDGE_SECONDS:
            interaction.late = True
            self._waiting.pop(interaction.id, None)
            self.world.changes.tell()
            raise Refused(10062)
        kind = self._checked_kind(interaction, body)
        {
            ANSWER: self._answer,
            DEFERRED_ANSWER: self._defer,
            DEFERRED_UPDATE: self._defer_update,
            UPDATE: self._update,
            CHOICES: self._choices,
            FORM: self._form,
        }[kind](interaction, body.part("data"))
        interaction.answer = kind
        self._waiting.pop(interaction.id, None)
        self.world.changes.tell()
        return self._callback_json(interaction)

    def _checked_kind(self, interaction: Interaction, body: Body) -> int:
        kind = body.data.get("type") if isinstance(body.data, dict) else None
        allowed = ALLOWED_ANSWERS[interaction.kind]
        if interaction.message is None:
            allowed = allowed - {UPDATE, DEFERRED_UPDATE}
        if kind not in allowed:
            names = ", ".join(map(str, sorted(allowed)))
            raise bad_form(("type",), "BASE_TYPE_CHOICES", f"Value must be one of {{{names}}}.")
        answer: int = kind
        return answer

    def _answer(self, interaction: Interaction, body: Body) -> None:
        interaction.original = self._write(interaction, body, first=True)

    def _defer(self, interaction: Interaction, body: Body) -> None:
        flags = body.data.get("flags") or 0
        if flags & ~EPHEMERAL:
            raise bad_form(("data", "flags"), "MESSAGE_FLAGS_INVALID", "Only EPHEMERAL may be set here.")
        message = self._blank(interaction, first=True)
        message.flags = LOADING | flags
        message.reader = interaction.person if flags & EPHEMERAL else None
        interaction.original = self.world.add_message(message)

    def _defer_update(self, interaction: Interaction, body: Body) -> None:
        interaction.original = interaction.message

    def _update(self, interaction: Interaction, body: Body) -> None:
        assert interaction.message is not None  # _checked_kind refuses updates without
        message = self.world.message(interaction.channel_id, interaction.message.id)
        self._change(message, body)
        interaction.original = message

    def _choices(self, interaction: Interaction, body: Body) -> None:
        choices = body.data.get("choices")
        problems = Problems()
        kinds = {type(choice.get("value")) for choice in choices} if isinstance(choices, list) else set()
        kind = commands.STRING if str in kinds or not kinds else commands.NUMBER
        commands.check_choices(choices, kind, problems, ("data", "choices"))
        problems.raise_if_any()
        interaction.choices = choices

    def _form(self, interaction: Interaction, body: Body) -> None:
        problems = Problems()
        components.check_form(body.data, problems)
        problems.raise_if_any()
        components.number(body.data["components"])
        interaction.form = body.data

    def _callback_json(self, interaction: Interaction) -> Json:
        told: Json = {"id": interaction.id, "type": interaction.kind, "channel_id": interaction.channel_id}
        resource: Json = {"type": interaction.answer}
        original = interaction.original
        if original is not None:
            told |= {
                "response_message_id": original.id,
                "response_message_loading": bool(original.flags & LOADING),
                "response_message_ephemeral": original.ephemeral,
            }
            if interaction.answer in (ANSWER, UPDATE):
                resource["message"] = self.world.message_json(original)
        return {"interaction": told, "resource": resource}

    # -- What follows --

    def follow_up(self, token: str, body: Body) -> Message:
        """A follow-up; the first one after a deferred answer fills that. Refuses with 10015 or 50027."""
        interaction = self._open(token)
        if interaction.answer == DEFERRED_ANSWER and interaction.thinking:
            return self._fill(interaction, body)
        return self._write(interaction, body, first=False)

    def find(self, token: str, message_id: str) -> Message:
        """A message of this interaction: `@original`, or one of its follow-ups by id. Refuses with 10008."""
        interaction = self._open(token)
        if message_id == "@original":
            message = interaction.original
        else:
            known = {m.id: m for m in (interaction.original, interaction.message) if m is not None} | interaction.made
            message = known.get(message_id)
        if message is None:
            raise Refused(10008)
        return self.world.message(message.channel_id, message.id)

    def edit(self, token: str, message_id: str, body: Body) -> Message:
        """Edit a message of this interaction."""
        message = self.find(token, message_id)
        interaction = self.by_token[token]
        if interaction.deferred and message is interaction.original:
            return self._fill(interaction, body)
        self._change(message, body)
        return message

    def delete(self, token: str, message_id: str) -> None:
        """Delete a message of this interaction."""
        self.world.delete_message(self.find(token, message_id))

    def _open(self, token: str) -> Interaction:
        interaction = self.by_token.get(token)
        if interaction is None or not interaction.acknowledged:
            raise Refused(10015)
        if self.world.clock() - interaction.created_at > limits.TOKEN_SECONDS:
            raise Refused(50027)
        return interaction

    def _fill(self, interaction: Interaction, body: Body) -> Message:
        """Edit a deferred answer, which takes no new pictures in galleries."""
        assert interaction.original is not None  # every deferred answer has one
        message = self.world.message(interaction.channel_id, interaction.original.id)
        refuse_new_pictures(body)
        loading = bool(message.flags & LOADING)
        if loading and isinstance(body.data, dict) and body.data.get("flags"):
            # A follow-up's ephemeral flag is not asked: the deferral has decided who sees the answer.
            body = Body(body.data | {"flags": body.data["flags"] & ~EPHEMERAL}, body.files)
        self._change(message, body, edit=not loading)
        return message

    def _change(self, message: Message, body: Body, *, edit: bool = True) -> None:
        channel = self.world.channel(message.channel_id)
        if channel.archived and message.reader is None:
            raise Refused(50083)
        self.desk.change(message, body)
        if not edit:
            message.edited_at = None
        self.world.update_message(message)

    def _write(self, interaction: Interaction, body: Body, *, first: bool) -> Message:
        message = self._blank(interaction, first=first)
        if self.world.channel(message.channel_id).locked:
            raise Refused(50083)
        self.desk.write(message, body, flags=ANSWER_FLAGS)
        message.reader = interaction.person if message.ephemeral else None
        interaction.made[message.id] = message
        return self.world.add_message(message)

    def _blank(self, interaction: Interaction, *, first: bool) -> Message:
        message = Message(
            self.world.new_id(), interaction.channel_id, self.world.state.bot_id, self.world.clock(), PLAIN
        )
        message.interaction = self._metadata(interaction)
        if interaction.kind == COMMAND and first:
            message.kind = COMMAND_ANSWER
        elif interaction.message is not None and interaction.message.id in self.world.state.messages.get(
            interaction.channel_id, {}
        ):
            message.kind = REPLY
            message.reference = self._reference(interaction.message)
        if not first and interaction.original is not None:
            message.interaction["original_response_message_id"] = interaction.original.id
        if interaction.name:
            user = self.world.user_json(self.world.user(interaction.person))
            message.command = {"id": interaction.id, "type": COMMAND, "name": interaction.name, "user": user}
        return message

    def _reference(self, message: Message) -> Json:
        channel = self.world.channel(message.channel_id)
        reference: Json = {"type": 0, "channel_id": message.channel_id, "message_id": message.id}
        return reference if channel.guild_id is None else reference | {"guild_id": channel.guild_id}

    def _metadata(self, interaction: Interaction) -> Json:
        channel = self.world.channel(interaction.channel_id)
        metadata: Json = {
            "id": interaction.id,
            "type": interaction.kind,
            "user": self.world.user_json(self.world.user(interaction.person)),
            "authorizing_integration_owners": {"0": channel.guild_id or "0"},
        }
        if interaction.name:
            metadata |= {"name": interaction.name, "command_type": commands.CHAT}
        if interaction.kind == COMPONENT and interaction.message is not None:
            metadata["interacted_message_id"] = interaction.message.id
        if interaction.opened_by is not None:
            metadata["triggering_interaction_metadata"] = self._metadata(interaction.opened_by)
        return metadata

    # -- How things stand --

    def unanswered(self) -> list[Interaction]:
        """The interactions that the bot could still acknowledge."""
        oldest = self.world.clock() - limits.ACKNOWLEDGE_SECONDS
        self._waiting = {i: waiting for i, waiting in self._waiting.items() if waiting.created_at >= oldest}
        return list(self._waiting.values())

    def _forget_old(self) -> None:
        # They stay a while longer than their tokens live, so that late answers are refused for the right reason.
        oldest = self.world.clock() - 2 * limits.TOKEN_SECONDS
        while self.by_id and (first := next(iter(self.by_id.values()))).created_at < oldest:
            del self.by_id[first.id], self.by_token[first.token]


def _option_values(options: Sequence[Json]) -> list[tuple[int, str, Mapping[int, tuple[str, ...]]]]:
    found: list[tuple[int, str, Mapping[int, tuple[str, ...]]]] = []
    for option in options:
        if "options" in option:
            found += _option_values(option["options"])
        elif not option.get("focused"):
            found.append((option["type"], str(option.get("value")), _OPTION_RESOLVING))
    return found


def _check_chosen(component: Json, values: Sequence[str]) -> None:
    if component["type"] not in components.MENUS:
        raise NotSent("this is no menu")
    low, high = components.value_range(component)
    if not low <= len(values) <= high or len(set(values)) != len(values):
        raise NotSent(f"choose {low} to {high}")
    if component["type"] == components.STRING:
        unknown = set(values) - {option["value"] for option in component["options"]}
        if unknown:
            raise NotSent(f"none of the options: {', '.join(sorted(unknown))}")


def _check_field(asked: Json, given: Json) -> None:
    """Raise `NotSent` where the client marks a field of a form red instead of sending it."""
    name, kind = asked["custom_id"], asked["type"]
    required = asked.get("required", True) is not False
    if kind == components.TEXT_INPUT:
        text = given.get("value") or ""
        low, high = asked.get("min_length") or 0, asked.get("max_length") or limits.FIELD_TEXT
        if not text and not required:
            return
        if not max(low, required) <= len(text) <= high:
            raise NotSent(f"{name}: a text of {max(low, required)} to {high} characters")
        return
    if kind == components.CHECKBOX:
        return
    if kind == components.RADIO_GROUP:
        if required and given.get("value") is None:
            raise NotSent(f"{name}: choose one")
        return
    values = given.get("values") or []
    if not values and not required:
        return
    low, high = components.value_range(asked)
    if not max(low, required) <= len(values) <= high:
        raise NotSent(f"{name}: choose {low} to {high}")
    known = {option["value"] for option in asked.get("options") or []}
    if known and set(values) - known:
        raise NotSent(f"{name}: none of the options")
