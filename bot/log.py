"""The log: a line an event, as `name=value` pairs.

    log = log_of(__name__)
    log.info("table opened", table=7, game="triggle")
    log.exception("press failed", reference=reference(), table=7)

    time=2026-01-31T12:00:00.000+00:00 level=info logger=bot.tables event="table opened" table=7 game=triggle

The trace of an exception follows its line, indented. Tokens never get out, whatever is logged and by whom.
"""

import json
import logging
import re
import secrets
import sys
import threading
from collections.abc import Iterable, MutableMapping
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, TextIO

HIDDEN = "[hidden]"

BOT_TOKEN = r"[A-Za-z0-9_-]{22,}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}"
"""The shape of a bot's token: its id in base 64, a time and a signature."""

TOKENS = re.compile(
    BOT_TOKEN + r"|(?<=Session ID: )\w+"  # a gateway session's
    r"|(?:(?<=webhooks/)|(?<=interactions/))\d+/[^/?\s'\"]+"  # an interaction's, with which one may answer
)
"""What looks like a token, besides the one that is known."""

OWN = ("bot", "cogs", "rules")

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Of references: none that looks like another."""


class Log(logging.LoggerAdapter[logging.Logger]):
    """A logger whose methods take the facts of an event by name."""

    def process(self, msg: Any, kwargs: MutableMapping[str, Any]) -> tuple[Any, MutableMapping[str, Any]]:
        """Put the facts aside for the formatter."""
        own = {name: kwargs.pop(name) for name in ("exc_info", "stack_info", "stacklevel") if name in kwargs}
        return msg, own | {"extra": {"facts": kwargs}}


def log_of(name: str) -> Log:
    """The log of a module."""
    return Log(logging.getLogger(name))


def reference() -> str:
    """A short name for one unexpected exception, for a person to quote and the log to hold."""
    return "".join(secrets.choice(LETTERS) for _ in range(6))


def set_up(level: str, hidden: Iterable[str] = (), stream: TextIO | None = None) -> None:
    """Log to the stream (standard error) from this level on. The texts in `hidden` are never written.

    Other people's libraries tell warnings only, since at lower levels they tell what is in messages and rows: tokens
    and cards. discord.py tells its INFO too.
    """
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Formatter(hidden))
    logging.basicConfig(handlers=[handler], level=max(logging.WARNING, _number(level)), force=True)
    for name in OWN:
        logging.getLogger(name).setLevel(level)
    logging.getLogger("discord").setLevel(max(logging.INFO, _number(level)))
    logging.captureWarnings(True)
    sys.excepthook = _log_crash
    threading.excepthook = lambda crash: _log_crash(crash.exc_type, crash.exc_value, crash.exc_traceback)


class Formatter(logging.Formatter):
    """Records as lines, without secrets."""

    def __init__(self, hidden: Iterable[str] = ()) -> None:
        super().__init__()
        self._hidden = tuple(text for text in hidden if text)

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record, and the trace below it if it has one."""
        pairs = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": _message(record),
            **getattr(record, "facts", {}),
        }
        lines = [" ".join(f"{name}={_quoted(str(value))}" for name, value in pairs.items())]
        if record.exc_info and record.exc_info[0]:
            lines += self.formatException(record.exc_info).splitlines()
        return self._without_secrets("\n    ".join(lines))

    def _without_secrets(self, text: str) -> str:
        for secret in self._hidden:
            text = text.replace(secret, HIDDEN)
        return TOKENS.sub(HIDDEN, text)


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except (TypeError, ValueError, KeyError):
        # logging would print such a record itself, past this formatter.
        return f"{record.msg} {record.args}"


def _quoted(value: str) -> str:
    if value and value.isprintable() and not set(value) & set(' "='):
        return value
    return json.dumps(value, ensure_ascii=not value.isprintable())


def _number(level: str) -> int:
    return logging.getLevelNamesMapping()[level]


def _log_crash(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        return
    log_of("bot").critical("crashed", exc_info=(kind, error or kind(), trace))
