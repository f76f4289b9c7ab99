"""Messages from request bodies: everything Discord checks about a new message or an edit, then the message itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from bot.playground import components, limits
from bot.playground.files import Addresses, Upload, keep
from bot.playground.refusals import Json, Place, Problems, Refused, bad_form
from bot.playground.world import (
    COMPONENTS_V2,
    LOADING,
    SILENT,
    SUPPRESS_EMBEDS,
    Attachment,
    Channel,
    Message,
    World,
)

MESSAGE_FLAGS = SUPPRESS_EMBEDS | SILENT | COMPONENTS_V2
_LEGACY = ("content", "embeds", "poll", "sticker_ids")
_EMBED_LIMITS = {"title": 256, "description": 4096}
_EMBED_PICTURES = ("image", "thumbnail", "footer", "author")
_MENTION = re.compile(r"<@!?(\d+)>")
_ROLE_MENTION = re.compile(r"<@&(\d+)>")


@dataclass(frozen=True)
class Body:
    """A request's body: its JSON and the files by their number in `files[n]`."""

    data: Any = None
    files: Mapping[int, Upload] = field(default_factory=dict)

    def part(self, key: str) -> Body:
        """The same files with one part of the JSON (`data` of a callback)."""
        return Body(self.data.get(key) or {}, self.files)


class Desk:
    """Where messages are written and changed on the bot's behalf."""

    def __init__(self, world: World, addresses: Addresses) -> None:
        self.world = world
        self.addresses = addresses

    # -- New messages and edits --

    def write(self, message: Message, body: Body, *, flags: int = MESSAGE_FLAGS) -> Message:
        """Fill a new message from a body. `flags` are the ones that may be set here.

        Refuses with 50035, 50006 or 40005 and leaves no trace of what it refuses.
        """
        data = _object(body.data)
        message.flags |= data.get("flags") or 0
        problems = Problems()
        wrong = (data.get("flags") or 0) & ~flags
        if wrong:
            problems.add(("flags",), "MESSAGE_FLAGS_INVALID", f"These flags cannot be set here: {wrong}")
        self._fill(message, data, body.files, (), problems)
        message.tts = bool(data.get("tts"))
        return message

    def change(self, message: Message, body: Body) -> None:
        """Edit a message: what the body names, the rest stays. Refuses like `write`."""
        data = _object(body.data)
        problems = Problems()
        asked = data.get("flags")
        if asked is not None and message.flags & COMPONENTS_V2 and not asked & COMPONENTS_V2:
            message_text = "The components v2 flag cannot be removed from a message."
            problems.add(("flags",), "MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG", message_text)
        draft = msgspec.structs.replace(message)
        if asked is not None:
            draft.flags = (message.flags & ~SUPPRESS_EMBEDS) | (asked & (SUPPRESS_EMBEDS | COMPONENTS_V2))
        draft.flags &= ~LOADING
        kept = tuple(message.attachments)
        self._fill(draft, data, body.files, kept, problems)
        draft.edited_at = self.world.clock()
        for name in Message.__struct_fields__:
            setattr(message, name, getattr(draft, name))

    def _fill(
        self, message: Message, data: Json, files: Mapping[int, Upload], old: Sequence[str], problems: Problems
    ) -> None:
        v2 = bool(message.flags & COMPONENTS_V2)
        if v2:
            self._check_v2(message, data, problems)
        _check_texts(data, problems)
        if data.get("components") is not None:
            components.check_message(data["components"], v2=v2, problems=problems)
        plan = _Files(data, files, [self.world.state.attachments[a] for a in old], problems)
        _check_references(data, plan.names, problems)
        problems.raise_if_any()
        self._refuse_empty(message, data, plan)
        _apply_texts(message, data)
        resolved = plan.keep(self.world, message.channel_id)
        message.attachments = [attachment.id for attachment in resolved.values()]
        if "components" in data:
            message.components = self._resolve(data["components"] or [], resolved)
            components.number(message.components)
        if "embeds" in data:
            message.embeds = [{"type": "rich", **self._resolve(e, resolved)} for e in data["embeds"] or []]
        self._mention(message, data.get("allowed_mentions"))

    def _check_v2(self, message: Message, data: Json, problems: Problems) -> None:
        for key in _LEGACY:
            left = {"content": message.content, "embeds": message.embeds}.get(key)
            if data.get(key) or (left and key not in data):
                text = f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
                problems.add((key,), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", text)

    def _refuse_empty(self, message: Message, data: Json, plan: _Files) -> None:
        if message.flags & COMPONENTS_V2:
            full = bool(data.get("components", message.components))
        else:
            full = bool((data.get("content", message.content) or "").strip())
            full = full or bool(data.get("embeds", message.embeds))
            full = full or bool(plan.names) or bool(data.get("poll")) or bool(data.get("sticker_ids"))
        if not full:
            raise Refused(50006)

    def _resolve(self, node: Any, resolved: Mapping[str, Attachment]) -> Any:
        """The components or embeds with every media item naming its attachment instead of an address."""
        if isinstance(node, list):
            return [self._resolve(child, resolved) for child in node]
        if not isinstance(node, dict):
            return node
        if "url" in node and "type" not in node and set(node) <= {"url", "proxy_url", "width", "height"}:
            attachment = self._attachment(node["url"], resolved)
            return {"url": node["url"]} if attachment is None else {"attachment_id": attachment.id}
        return {key: self._resolve(child, resolved) for key, child in node.items()}

    def _attachment(self, url: str, resolved: Mapping[str, Attachment]) -> Attachment | None:
        if url.startswith("attachment://"):
            return resolved[url.removeprefix("attachment://")]
        return self.addresses.attachment_of(url)

    # -- Mentions --

    def _mention(self, message: Message, allowed: Json | None) -> None:
        text = "\n".join([message.content, *_texts(message.components)])
        parse = {"users", "roles", "everyone"} if allowed is None else set(allowed.get("parse") or [])
        users = {str(user) for user in (allowed or {}).get("users") or []}
        roles = {str(role) for role in (allowed or {}).get("roles") or []}
        named = dict.fromkeys(_MENTION.findall(text))
        message.mentions = [u for u in named if u in self.world.state.users and ("users" in parse or u in users)]
        message.mention_roles = [
            r for r in dict.fromkeys(_ROLE_MENTION.findall(text)) if "roles" in parse or r in roles
        ]
        channel = self.world.channel(message.channel_id)
        everyone = "everyone" in parse and ("@everyone" in text or "@here" in text)
        message.mention_everyone = everyone and self.world.may(message.author_id, channel, "mention_everyone")


class _Files:
    """The files a message will have: the old ones kept and the new ones, by name."""

    def __init__(self, data: Json, files: Mapping[int, Upload], old: Sequence[Attachment], problems: Problems) -> None:
        self.old: dict[str, Attachment] = {}
        self.new: list[tuple[Upload, str | None]] = []
        listed = data.get("attachments")
        if listed is None:
            self.old = {attachment.filename: attachment for attachment in old}
            self.new = [(upload, None) for upload in files.values()]
        else:
            self._list(listed, files, {attachment.id: attachment for attachment in old}, problems)
        if len(self.old) + len(self.new) > limits.FILES:
            problems.add(("attachments",), "BASE_TYPE_MAX_LENGTH", f"Must be {limits.FILES} or fewer in length.")
        if any(len(upload.content) > limits.FILE_BYTES for upload, _ in self.new):
            raise Refused(40005)

    def _list(
        self, listed: Any, files: Mapping[int, Upload], old: Mapping[str, Attachment], problems: Problems
    ) -> None:
        for index, entry in enumerate(listed):
            key, place = str(entry.get("id")), ("attachments", index)
            description = entry.get("description")
            if description is not None:
                problems.length((*place, "description"), description, 0, limits.FILE_DESCRIPTION)
            if key in old:
                self.old[old[key].filename] = old[key]
            elif key.isdigit() and int(key) in files:
                upload = files[int(key)]
                self.new.append((Upload(entry.get("filename") or upload.filename, upload.content), description))
            else:
                problems.add((*place, "id"), "ATTACHMENT_NOT_FOUND", f"Attachment {key} was not found")
        unlisted = set(files) - {int(str(e.get("id"))) for e in listed if str(e.get("id")).isdigit()}
        self.new += [(files[number], None) for number in sorted(unlisted)]

    @property
    def names(self) -> set[str]:
        """All that `attachment://` may refer to."""
        return {*self.old, *(upload.filename for upload, _ in self.new)}

    def keep(self, world: World, channel_id: str) -> dict[str, Attachment]:
        """Put the new files into the world; all of the message's files by name."""
        kept = dict(self.old)
        for upload, description in self.new:
            kept[upload.filename] = keep(world, upload, channel_id, description)
        return kept


def refuse_new_pictures(body: Body) -> None:
    """Refuse a media gallery that shows a file uploaded with it: what Discord does where a deferred answer is filled.

    See `discord-protocol.md`; first answers, later follow-ups and channel messages are fine.
    """
    data = _object(body.data)
    names = {upload.filename for upload in body.files.values()}
    for entry in data.get("attachments") or []:
        if str(entry.get("id")).isdigit() and int(entry["id"]) in body.files and entry.get("filename"):
            names.add(entry["filename"])
    problems = Problems()
    for place, component in components.walk_places(data.get("components") or [], ("components",)):
        if component.get("type") == components.GALLERY:
            for where, url in _media(component, place):
                if url.removeprefix("attachment://") in names and url.startswith("attachment://"):
                    _not_found(where, url, problems)
    problems.raise_if_any()


def check_late_edit(world: World, message: Message) -> None:
    """Refuse with 30046 when a message older than an hour has been edited too often within the last one."""
    now = world.clock()
    if now - message.created_at <= limits.OLD_MESSAGE_SECONDS:
        return
    message.late_edits = [edit for edit in message.late_edits if now - edit < 3600]
    if len(message.late_edits) >= limits.OLD_MESSAGE_EDITS:
        raise Refused(30046)
    message.late_edits.append(now)


def repeated(world: World, channel: Channel, author_id: str, data: Any) -> Message | None:
    """The message that a nonce to be enforced has already made within the last minutes; refuses overlong ones."""
    nonce = _object(data).get("nonce")
    if nonce is None:
        return None
    if len(str(nonce)) > limits.NONCE:
        raise bad_form(("nonce",), "BASE_TYPE_MAX_LENGTH", f"Must be {limits.NONCE} or fewer in length.")
    if not data.get("enforce_nonce"):
        return None
    for message in reversed(world.history(channel.id)):
        if world.clock() - message.created_at > limits.NONCE_SECONDS:
            return None
        if message.nonce == str(nonce) and message.author_id == author_id:
            return message
    return None


def _check_texts(data: Json, problems: Problems) -> None:
    content = data.get("content")
    if content is not None:
        problems.length(("content",), content, 0, limits.CONTENT)
    _check_embeds(data.get("embeds") or [], problems)
    allowed = data.get("allowed_mentions") or {}
    for key in ("users", "roles"):
        if allowed.get(key) and key in (allowed.get("parse") or []):
            text = f'parse:["{key}"] and {key}: [ids...] are mutually exclusive.'
            problems.add(("allowed_mentions",), "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", text)
        if len(allowed.get(key) or []) > 100:
            problems.add(("allowed_mentions", key), "BASE_TYPE_MAX_LENGTH", "Must be 100 or fewer in length.")


def _check_embeds(embeds: Sequence[Json], problems: Problems) -> None:
    problems.count(("embeds",), len(embeds), 0, limits.EMBEDS)
    characters = 0
    for index, embed in enumerate(embeds):
        for key, high in _EMBED_LIMITS.items():
            if embed.get(key) is not None:
                problems.length(("embeds", index, key), embed[key], 0, high)
                characters += len(embed[key])
        fields = embed.get("fields") or []
        problems.count(("embeds", index, "fields"), len(fields), 0, 25)
        characters += sum(len(f.get("name", "")) + len(f.get("value", "")) for f in fields)
    if characters > limits.EMBED_CHARACTERS:
        text = f"Embed size exceeds maximum size of {limits.EMBED_CHARACTERS}"
        problems.add(("embeds",), "MAX_EMBED_SIZE_EXCEEDED", text)


def _check_references(data: Json, names: set[str], problems: Problems) -> None:
    places: list[tuple[Place, str]] = []
    for place, component in components.walk_places(data.get("components") or [], ("components",)):
        places += _media(component, place)
    for index, embed in enumerate(data.get("embeds") or []):
        for key in _EMBED_PICTURES:
            url = (embed.get(key) or {}).get("url")
            if isinstance(url, str):
                places.append((("embeds", index, key, "url"), url))
    for place, url in places:
        if url.startswith("attachment://") and url.removeprefix("attachment://") not in names:
            _not_found(place, url, problems)


def _media(component: Json, place: Place) -> Iterator[tuple[Place, str]]:
    """The addresses of media that this component shows itself, with their places."""
    for key in ("media", "file"):
        media = component.get(key)
        if isinstance(media, dict) and isinstance(media.get("url"), str):
            yield (*place, key, "url"), media["url"]
    items = component.get("items")
    for index, item in enumerate(items if isinstance(items, list) else ()):
        media = item.get("media")
        if isinstance(media, dict) and isinstance(media.get("url"), str):
            yield (*place, "items", index, "media", "url"), media["url"]


def _not_found(place: Place, url: str, problems: Problems) -> None:
    name = url.removeprefix("attachment://")
    text = f"The referenced attachment '{name}' was not found."
    problems.add(place, "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", text)


def _apply_texts(message: Message, data: Json) -> None:
    if "content" in data:
        message.content = (data["content"] or "").strip()
    if data.get("nonce") is not None:
        message.nonce = str(data["nonce"])


def _texts(found: Any) -> list[str]:
    return [c["content"] for c in components.walk(found) if c.get("type") == components.TEXT]


def _object(data: Any) -> Json:
    if not isinstance(data, dict):
        raise bad_form((), "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
    return data
