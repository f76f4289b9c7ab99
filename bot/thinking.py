"""How a house player thinks, in a process of its own that has loaded the rules and nothing else.

What goes there is what its seat may know, and what everybody does; what comes back is an action.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import threading
import time
from dataclasses import dataclass, field
from typing import Any

from rules import GAMES

CALM = 10
"""How much lower than the bot's the processes' priority is."""
GRACE = 5.0
"""Seconds after which a search that should have come to an end is ended by force."""


@dataclass(frozen=True)
class Question:
    """What a house player is asked: what to do with this view of its seat. `seconds`: how long it may think."""

    game: str
    level: str
    view: Any = field(repr=False)
    legal: tuple[Any, ...] = field(repr=False)
    seed: int = field(repr=False)
    seconds: float


def think(question: Question) -> Any:
    """The action that the house player chooses."""
    robot = GAMES[question.game].Robot
    assert robot is not None, "only games with house players are asked about"
    end = time.monotonic() + question.seconds
    rng = random.Random(question.seed)
    return robot(question.level).choose(question.view, question.legal, rng, lambda: time.monotonic() >= end)


def think_in_time(question: Question) -> Any:
    """The same, in a process that is gone should it go on for much too long."""
    signal.setitimer(signal.ITIMER_REAL, question.seconds + GRACE)
    try:
        return think(question)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def settle_in() -> None:
    """Make a new process one of this kind: it lets others go first, and ends with the bot, not with a Ctrl+C."""
    os.nice(CALM)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    threading.Thread(target=_end_with_the_bot, daemon=True).start()


def _end_with_the_bot() -> None:
    bot = multiprocessing.parent_process()
    assert bot is not None, "only processes of the pool settle in"
    bot.join()
    os._exit(0)
