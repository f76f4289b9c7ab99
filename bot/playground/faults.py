"""Bad luck on order: what tests tell the stand-in to do wrong, one request or several."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from bot.playground.refusals import REFUSALS, Json


@dataclass
class Answer:
    """What a fault answers instead: status, JSON, and whether Discord's own proxy signs it (`Via`)."""

    status: int
    body: Json
    via: bool = True
    retry_after: float | None = None


@dataclass
class Held:
    """A request that waits. `reached` is set when one has come; `release` lets it and the following ones go."""

    reached: asyncio.Event = field(default_factory=asyncio.Event)
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    def release(self) -> None:
        """Let the waiting requests go on."""
        self.gate.set()


@dataclass
class Fault:
    """One piece of bad luck for requests like `pattern`: `POST /channels/*/messages`."""

    pattern: str
    times: int
    answer: Answer | None = None
    after: bool = False
    held: Held | None = None


class Faults:
    """The faults still to come, the first ordered first. A pattern is `METHOD /path` with `*` for anything."""

    def __init__(self) -> None:
        self.coming: list[Fault] = []

    def rate_limit(self, pattern: str, retry_after: float = 0.01, *, times: int = 1, via: bool = True) -> None:
        """Answer 429 and "come again in `retry_after` seconds". Without `via` it looks like a ban to discord.py."""
        body = {"message": "You are being rate limited.", "retry_after": retry_after, "global": False, "code": 0}
        self.coming.append(Fault(pattern, times, Answer(429, body, via, retry_after)))

    def fail(self, pattern: str, status: int = 503, *, times: int = 1, after: bool = False) -> None:
        """Answer with a server error, with `after` having done what was asked.

        discord.py retries 500, 502 and 504 (for webhooks and interactions every 5xx) by itself after a second and more.
        """
        body = {"message": f"{status}: Server Error", "code": 0}
        self.coming.append(Fault(pattern, times, Answer(status, body), after))

    def refuse(self, pattern: str, code: int, *, times: int = 1) -> None:
        """Refuse with one of Discord's codes (`refusals.REFUSALS`)."""
        status, message = REFUSALS[code]
        self.coming.append(Fault(pattern, times, Answer(status, {"message": message, "code": code})))

    def hold(self, pattern: str, *, times: int = 1) -> Held:
        """Let the request wait until `release` is called on what this returns."""
        held = Held()
        self.coming.append(Fault(pattern, times, held=held))
        return held

    def clear(self) -> None:
        """No more bad luck."""
        self.coming.clear()

    def take(self, method: str, path: str) -> Fault | None:
        """The fault that hits this request, used up once."""
        for fault in self.coming:
            if fnmatchcase(f"{method} {path}", fault.pattern):
                fault.times -= 1
                if fault.times <= 0:
                    self.coming.remove(fault)
                return fault
        return None
