"""What the bot needs to be allowed where a table is to be opened."""

from __future__ import annotations

from collections.abc import Mapping

from bot.request import Request
from rules.game import translatable

NEEDED = {
    "view_channel": translatable("View Channel"),
    "send_messages": translatable("Send Messages"),
    "embed_links": translatable("Embed Links"),
    "attach_files": translatable("Attach Files"),
    "read_message_history": translatable("Read Message History"),
}
"""Without these there is no table. By the names of discord.py, and as Discord's clients call them."""

NEEDED_FOR_THREADS = {
    "create_public_threads": translatable("Create Public Threads"),
    "send_messages_in_threads": translatable("Send Messages in Threads"),
}


def missing_for_table(request: Request) -> str | None:
    """A sentence that names what the bot lacks to hold a table here; None where it has all."""
    needed = dict(NEEDED)
    if request.place.thread is not None:
        needed["send_messages_in_threads"] = NEEDED_FOR_THREADS["send_messages_in_threads"]
        del needed["send_messages"]
    if lacking := _lacking(request, needed):
        return request.words(
            "I cannot hold a table here, since I lack {permissions}. Whoever may change this channel can allow it.",
            permissions=lacking,
        )
    return None


def missing_for_thread(request: Request) -> str | None:
    """A sentence that names what the bot lacks to give a table here its own thread; None where it has all."""
    if request.place.thread is None and (lacking := _lacking(request, NEEDED_FOR_THREADS)):
        return request.words(
            "I lack {permissions} here, so this table gets no thread of its own and is played in the channel.",
            permissions=lacking,
        )
    return None


def _lacking(request: Request, needed: Mapping[str, str]) -> str:
    held = request.interaction.app_permissions
    return request.words.series(
        f"**{request.words(label)}**" for name, label in needed.items() if not getattr(held, name)
    )
