"""The world on disk, `data/playground.json` and a folder of files beside it: old tables go on after a restart."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from pathlib import Path

import msgspec

from bot.playground.world import DISCORD_EPOCH, Clock, State, World

log = logging.getLogger(__name__)

EVERY_SECONDS = 5.0
PRIVATE_SECONDS = 24 * 3600.0
JUST_NOW_SECONDS = 600.0


class Keeper:
    """Saves a world whenever it has changed, at most every few seconds, and once more at the end."""

    def __init__(self, world: World, path: Path) -> None:
        self.world = world
        self.path = path
        self._saved = -1

    async def watch(self) -> None:
        """Save from time to time, until cancelled."""
        while True:
            await asyncio.sleep(EVERY_SECONDS)
            if self.world.changes.number != self._saved:
                await self.save()

    async def save(self) -> None:
        """Write the world down: all of it or, if that fails, nothing."""
        self._saved = self.world.changes.number
        forget(self.world)
        state = lasting(self.world.state)
        text = msgspec.json.encode(state)
        files = {name: self.world.files[name] for name in state.attachments if name in self.world.files}
        await asyncio.to_thread(_write, self.path, text, files)


def lasting(state: State) -> State:
    """The state without what a restart ends: private answers, and files that no message shows."""
    messages = {
        channel_id: {m.id: m for m in kept.values() if m.reader is None} for channel_id, kept in state.messages.items()
    }
    shown = {name for kept in messages.values() for message in kept.values() for name in message.attachments}
    attachments = {name: attachment for name, attachment in state.attachments.items() if name in shown}
    return msgspec.structs.replace(state, messages=messages, attachments=attachments)


def forget(world: World) -> None:
    """Let go of what nobody looks at any more: old or dismissed private answers, files that no message shows."""
    oldest = world.clock() - PRIVATE_SECONDS
    shown: set[str] = set()
    for messages in world.state.messages.values():
        for message in list(messages.values()):
            if message.reader is not None and (message.dismissed or message.created_at < oldest):
                del messages[message.id]
            else:
                shown |= set(message.attachments)
    # A pane may be fetching the picture that has just been replaced.
    recent = (int((world.clock() - JUST_NOW_SECONDS) * 1000) - DISCORD_EPOCH) << 22
    for name in [name for name in world.state.attachments if name not in shown and int(name) < recent]:
        del world.state.attachments[name]
        world.files.pop(name, None)


def load(path: Path, clock: Clock = time.time) -> World | None:
    """The world that was saved there; None where there is none, or none that can be read (it is put aside)."""
    try:
        state = msgspec.json.decode(path.read_bytes(), type=State)
    except FileNotFoundError:
        return None
    except (msgspec.DecodeError, msgspec.ValidationError) as problem:
        aside = path.with_suffix(".unreadable")
        path.replace(aside)
        log.warning("the saved playground cannot be read (%s); it is now %s, and a new one begins", problem, aside)
        return None
    world = World(state, clock)
    for name in state.attachments:
        file = _folder(path) / name
        if file.exists():
            world.files[name] = file.read_bytes()
    return world


def _folder(path: Path) -> Path:
    return path.with_suffix(".files")


def _write(path: Path, text: bytes, files: dict[str, bytes]) -> None:
    folder = _folder(path)
    folder.mkdir(parents=True, exist_ok=True)
    old = {file.name for file in folder.iterdir()}
    for name in files.keys() - old:
        _replace(folder / name, files[name])
    _replace(path, text)
    for name in old - files.keys():
        (folder / name).unlink()


def _replace(path: Path, content: bytes) -> None:
    draft = path.with_name(path.name + ".new")
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
