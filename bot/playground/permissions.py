"""Permission sets: names to bits, and what somebody may do in a channel once the overwrites are counted in."""

from __future__ import annotations

from collections.abc import Iterable

import discord

BITS: dict[str, int] = dict(discord.Permissions.VALID_FLAGS)
"""discord.py's names (`send_messages`) to Discord's bits."""

ALL = discord.Permissions.all().value


def bits(*names: str) -> int:
    """The set of these permissions; raises KeyError for a name there is none of."""
    found = 0
    for name in names:
        found |= BITS[name]
    return found


EVERYONE = bits(
    "view_channel",
    "send_messages",
    "send_messages_in_threads",
    "create_public_threads",
    "create_private_threads",
    "embed_links",
    "attach_files",
    "add_reactions",
    "use_external_emojis",
    "read_message_history",
    "use_application_commands",
    "change_nickname",
)
"""What a fresh server grants everybody, as far as it matters here."""

IN_DIRECT_MESSAGES = bits(
    "view_channel",
    "send_messages",
    "embed_links",
    "attach_files",
    "add_reactions",
    "read_message_history",
    "use_external_emojis",
    "use_application_commands",
)

_NEED_SENDING = bits("embed_links", "attach_files", "mention_everyone", "send_tts_messages")


def resolve(
    base: int,
    everyone: tuple[int, int],
    roles: Iterable[tuple[int, int]],
    member: tuple[int, int],
    *,
    thread: bool,
) -> int:
    """Permissions in a channel from those in the server and the channel's overwrites, each (allow, deny).

    In a thread the overwrites are its parent's, and speaking is `send_messages_in_threads`.
    """
    if base & BITS["administrator"]:
        return ALL
    found = _over(base, everyone)
    allowed = denied = 0
    for allow, deny in roles:
        allowed |= allow
        denied |= deny
    found = _over(_over(found, (allowed, denied)), member)
    if not found & BITS["view_channel"]:
        return 0
    speaking = "send_messages_in_threads" if thread else "send_messages"
    if not found & BITS[speaking]:
        found &= ~_NEED_SENDING
    return found


def _over(base: int, overwrite: tuple[int, int]) -> int:
    allow, deny = overwrite
    return (base & ~deny) | allow
