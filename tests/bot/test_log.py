"""The log tells events, never secrets."""

import io
import logging
import re
import sys
import threading
from collections.abc import Iterator

import pytest

from bot.log import LETTERS, Formatter, log_of, reference, set_up

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GhIjKl.abcdefghijklmnopqrstuvwxyz0123456789AB"
OTHER_TOKEN = "OTg3NjU0MzIxMDk4NzY1NDMy.AbCdEf.0123456789abcdefghijklmnopqrstuvwxyz_-"
ANSWER_TOKEN = "aW50ZXJhY3Rpb246MTIzNDU2Nzg5MDEyMzQ1Njc4OnNlY3JldA"


@pytest.fixture
def logging_as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Undo what `set_up` does to the whole program."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    root.handlers[:] = []
    levels = {name: logging.getLogger(name).level for name in ("bot", "cogs", "rules", "discord")}
    yield
    root.handlers[:], root.level = handlers, level
    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)
    logging.captureWarnings(False)


@pytest.fixture
def written(logging_as_before: None) -> io.StringIO:
    """What a log at INFO writes, which knows the token."""
    stream = io.StringIO()
    set_up("INFO", hidden=[TOKEN], stream=stream)
    return stream


def test_an_event_is_one_line_of_pairs(written: io.StringIO) -> None:
    log_of("bot.tables").info("table opened", table=7, game="triggle", name="Ada Lovelace")
    assert re.fullmatch(
        r"time=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00 level=info logger=bot\.tables "
        r'event="table opened" table=7 game=triggle name="Ada Lovelace"\n',
        written.getvalue(),
    )


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("貓", "貓"),
        ("", '""'),
        ('say "hi"', r'"say \"hi\""'),
        ("a=b", '"a=b"'),
        ("two\nlines level=error", r'"two\nlines level=error"'),
        ("\x1b[31m\u2028", r'"\u001b[31m\u2028"'),
    ],
)
def test_what_people_type_stays_one_value_on_one_line(written: io.StringIO, value: str, shown: str) -> None:
    log_of("bot").info("typed", text=value)
    assert written.getvalue().endswith(f"event=typed text={shown}\n")
    assert len(written.getvalue().splitlines()) == 1


def test_a_trace_follows_its_line_indented(written: io.StringIO) -> None:
    try:
        raise ValueError("first\nlevel=info forged")
    except ValueError:
        log_of("bot.client").exception("press failed", reference="K7M2QF")
    line, *trace = written.getvalue().splitlines()
    assert line.endswith('level=error logger=bot.client event="press failed" reference=K7M2QF')
    assert "Traceback" in trace[0]
    assert "test_log.py" in "".join(trace)
    assert all(row.startswith("    ") for row in trace)


def test_the_token_never_gets_out(written: io.StringIO) -> None:
    log = log_of("bot.client")
    log.info(f"connecting with {TOKEN}")
    log.info("connecting with %s", TOKEN)
    log.info("connecting", header=f"Bot {TOKEN}", pair=(TOKEN, 1))
    logging.getLogger("discord.http").warning("refused: %r", {"Authorization": TOKEN})
    try:
        raise RuntimeError(f"cannot log in with {TOKEN}")
    except RuntimeError:
        log.exception("start failed")
    assert written.getvalue().count("[hidden]") == 6
    assert TOKEN not in written.getvalue()
    assert TOKEN[-20:] not in written.getvalue()


def test_a_broken_record_is_told_without_the_token() -> None:
    record = logging.LogRecord("bot", logging.WARNING, "here.py", 1, "broken %d %s", (TOKEN,), None)
    line = Formatter([TOKEN]).format(record)
    assert "broken %d %s ('[hidden]',)" in line


def test_tokens_that_nobody_named_are_known_by_their_shape(written: io.StringIO) -> None:
    log = log_of("bot")
    log.info("read", value=OTHER_TOKEN)
    log.info("sent", url=f"https://discord.com/api/v10/webhooks/123456789012345678/{ANSWER_TOKEN}/messages/@original")
    log.info("sent", url=f"https://discord.com/api/v10/interactions/123456789012345678/{ANSWER_TOKEN}/callback")
    logging.getLogger("discord.gateway").info("Shard ID None has connected to Gateway (Session ID: 0123456789abcdef).")
    for secret in (OTHER_TOKEN, ANSWER_TOKEN, "0123456789abcdef"):
        assert secret not in written.getvalue()
    assert written.getvalue().count("[hidden]") == 4
    assert "/messages/@original" in written.getvalue()


def test_a_crash_is_logged_without_the_token(written: io.StringIO) -> None:
    error = RuntimeError(f"cannot log in with {TOKEN}")
    sys.excepthook(RuntimeError, error, None)
    assert "level=critical logger=bot event=crashed" in written.getvalue()
    assert "cannot log in with [hidden]" in written.getvalue()


def test_a_crash_in_a_thread_is_logged_without_the_token(written: io.StringIO) -> None:
    def crash() -> None:
        raise RuntimeError(f"cannot log in with {TOKEN}")

    thread = threading.Thread(target=crash)
    thread.start()
    thread.join()
    assert "cannot log in with [hidden]" in written.getvalue()
    assert TOKEN not in written.getvalue()


@pytest.mark.parametrize("name", ["discord.http", "discord.gateway", "aiosqlite", "sqlalchemy.engine", "asyncio"])
def test_what_is_in_messages_and_rows_is_not_told_even_at_debug(logging_as_before: None, name: str) -> None:
    stream = io.StringIO()
    set_up("DEBUG", stream=stream)
    logging.getLogger(name).debug("your cards are 7, 8, 9")
    assert stream.getvalue() == ""
    log_of("bot.tables").debug("looked up")
    assert "level=debug logger=bot.tables" in stream.getvalue()


def test_discord_tells_that_it_connected_and_others_only_warn(written: io.StringIO) -> None:
    logging.getLogger("discord.client").info("connected")
    logging.getLogger("aiohttp.access").info("GET /")
    logging.getLogger("aiohttp.server").warning("trouble")
    assert [line.split("event=")[1] for line in written.getvalue().splitlines()] == ["connected", "trouble"]


def test_a_higher_level_silences_all(logging_as_before: None) -> None:
    stream = io.StringIO()
    set_up("ERROR", stream=stream)
    log_of("bot").warning("trouble")
    logging.getLogger("discord").warning("trouble")
    logging.getLogger("aiohttp").warning("trouble")
    assert stream.getvalue() == ""


def test_references_are_short_and_differ() -> None:
    references = {reference() for _ in range(200)}
    assert len(references) == 200
    assert all(re.fullmatch(f"[{LETTERS}]{{6}}", text) for text in references)
