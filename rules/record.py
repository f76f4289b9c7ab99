"""A game as text: read, write, replay. The format is described in the docstring of `read`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

import rules
from rules.game import (
    BadHeader,
    BadOption,
    Game,
    GameOver,
    Header,
    NotYourTurn,
    Options,
    Refusal,
    Step,
    UnknownGame,
    Unreadable,
    value_text,
)

GAME, SEATS, OPTIONS = "Game", "Seats", "Options"
"""The header names of every game's record."""

SEAT_FACTS = ("to_act", "seat")
"""The facts of refusals that hold seats, which count from 1 in every text."""


class Leave(msgspec.Struct, frozen=True, tag="leaves"):
    """A player leaves the game: `<seat> leaves`."""


class DrawOffer(msgspec.Struct, frozen=True, tag="draw"):
    """A player offers or accepts a draw: `<seat> draw`."""


LEAVE, DRAW_OFFER = Leave(), DrawOffer()
_SPOKEN: dict[str, Leave | DrawOffer] = {"leaves": LEAVE, "draw": DRAW_OFFER}


class Entry(msgspec.Struct, frozen=True):
    """One line of a record: a seat (from 0) and the game's action, `Leave` or `DrawOffer`."""

    seat: int
    action: Any


class Record(msgspec.Struct, frozen=True):
    """One game from its start. `extra` are the header lines that people added, kept and ignored."""

    game: Game[Any, Any]
    options: Any
    setup: Any
    deal: Any
    entries: tuple[Entry, ...] = ()
    extra: tuple[Header, ...] = ()

    @property
    def seats(self) -> int:
        """The number of players."""
        seats: int = self.setup.seats
        return seats

    def start(self) -> Any:
        """The state before the first entry."""
        return self.game.start(self.setup, self.options, self.deal)


class Ply(msgspec.Struct, frozen=True):
    """The state after `number` entries, the last of them (None at the start), and what it led to."""

    number: int
    entry: Entry | None
    step: Step


# -- Playing -------------------------------------------------------------------------------------------------------


def apply(game: Game[Any, Any], state: Any, entry: Entry) -> Step:
    """The step that an entry is, whether an action, a leaving or an offer. Raises what the game refuses it with."""
    match entry.action:
        case Leave():
            return game.leave(state, entry.seat)
        case DrawOffer():
            return game.offer_draw(state, entry.seat)
        case action:
            return game.play(state, entry.seat, action)


def replay(record: Record) -> Iterator[Ply]:
    """Every state of the game: the start, then one ply an entry. Raises what the game refuses an entry with."""
    ply = Ply(0, None, Step(record.start()))
    yield ply
    for entry in record.entries:
        ply = Ply(ply.number + 1, entry, apply(record.game, ply.step.state, entry))
        yield ply


# -- Writing -------------------------------------------------------------------------------------------------------


def entry_text(game: Game[Any, Any], entry: Entry) -> str:
    """An entry as its line, in canonical text."""
    spoken = [word for word, action in _SPOKEN.items() if action == entry.action]
    return f"{entry.seat + 1} {spoken[0] if spoken else game.text(entry.action)}"


def write(record: Record) -> str:
    """The record as text, which `read` turns back into an equal one."""
    lines = [f"{GAME}: {record.game.key}", f"{SEATS}: {record.seats}"]
    if changed := record.options.changed():
        lines.append(f"{OPTIONS}: " + " ".join(f"{name}={value_text(value)}" for name, value in changed.items()))
    lines += [_header_text(header) for header in record.game.headers(record.setup, record.deal)]
    lines += [_header_text(header) for header in record.extra]
    lines.append("")
    lines += [entry_text(record.game, entry) for entry in record.entries]
    return "\n".join(lines) + "\n"


def _header_text(header: Header) -> str:
    # A name or title that somebody typed must not begin a line of its own.
    return re.sub(r"[\r\n]+", " ", f"{header.name}: {header.value}").rstrip()


# -- Committing to a deal ------------------------------------------------------------------------------------------


def chance_lines(game: Game[Any, Any], setup: Any, deal: Any) -> tuple[str, ...]:
    """The header lines that hold what chance decided, in the order in which they are committed to."""
    headers = game.headers(setup, deal)
    return tuple(_header_text(header) for name in game.chance for header in headers if header.name == name)


def commitment(lines: Iterable[str], salt: str) -> str:
    """The digest shown at the start of a game: SHA-256 of the salt and the lines of chance, each ended by a newline."""
    return hashlib.sha256("".join(f"{line}\n" for line in (salt, *lines)).encode()).hexdigest()


# -- Reading -------------------------------------------------------------------------------------------------------


def decode(data: bytes) -> str:
    """A record's bytes as text; raises `Unreadable` where they are not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = len(_lines(data[: error.start].decode()))
        raise Unreadable("not_utf_8", byte=f"{data[error.start]:02x}").at(line) from None


def read(text: str) -> Record:
    """The record written so; raises the refusal of the first line that cannot stand, placed at it.

    Lines end with LF, CR LF or CR. `Game`, `Seats`, perhaps `Options` and the game's own header lines come first, one
    `Name: value` a line; the first blank line ends them. Then one entry a line: a seat, counted from 1, and an
    action's text, `leaves` or `draw`. Other blank lines and lines that start with # are skipped.
    """
    reading = Reading(text)
    entries = tuple(ply.entry for ply in reading.plies() if ply.entry is not None)
    return msgspec.structs.replace(reading.record, entries=entries)


class Reading:
    """A record while it is read: its header at once, as `record` without entries; then ply by ply.

    Raises the refusal of the header line that cannot stand.
    """

    def __init__(self, text: str) -> None:
        header_lines, self._entry_lines, end = _parted(_lines(text))
        self.record = _read_header(header_lines, end)

    def plies(self) -> Iterator[Ply]:
        """The start, then one ply a line, until one is refused."""
        ply = Ply(0, None, Step(self.record.start()))
        yield ply
        for number, line in self._entry_lines:
            try:
                entry = _read_entry(self.record, ply.step.state, line)
                ply = Ply(ply.number + 1, entry, apply(self.record.game, ply.step.state, entry))
            except Refusal as refusal:
                raise refusal.at(number) from None
            yield ply


def refusal_text(refusal: Refusal) -> str:
    """A refusal as the referee prints it: `line N: CODE: facts`."""
    return f"line {refusal.line}: {refusal.code}: {facts_text(refusal)}"


def facts_text(refusal: Refusal) -> str:
    """A refusal's rule and facts, seats counted from 1."""
    facts = [f"{name}={_fact_text(name, value)}" for name, value in refusal.facts.items()]
    return " ".join([refusal.rule, *facts])


def _fact_text(name: str, value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(_fact_text(name, part) for part in value) or "nobody"
    if isinstance(value, range):
        return f"{value[0]}-{value[-1]}"
    if name in SEAT_FACTS and isinstance(value, int):
        return str(value + 1)
    return str(value)


_Lines = list[tuple[int, str]]


def _lines(text: str) -> list[str]:
    # Not str.splitlines, which also parts at form feeds and other separators that a clue may hold.
    return re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))


def _parted(lines: Sequence[str]) -> tuple[_Lines, _Lines, int]:
    """The header's lines and the entries', numbered, comments and blank lines left out; and where the header ends."""
    end = next((number for number, line in enumerate(lines, 1) if not line.strip()), len(lines))
    told = [(number, line) for number, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")]
    return [line for line in told if line[0] <= end], [line for line in told if line[0] > end], end


def _read_header(lines: _Lines, end: int) -> Record:
    headers = [_read_header_line(number, line) for number, line in lines]
    common = _common_headers(headers)
    own = [header for header in headers if header.name not in (GAME, SEATS, OPTIONS)]
    try:
        game = _read_game(_required(common, GAME))
        seats = _read_seats(_required(common, SEATS), game)
        options = _read_options(common[OPTIONS], game) if OPTIONS in common else game.Options()
        setup, deal = game.read_headers(seats, options, own)
        game.start(setup, options, deal)
    except Refusal as refusal:
        raise refusal if refusal.line else refusal.at(_blamed(refusal, headers, end)) from None
    written = {header.name for header in game.headers(setup, deal)}
    extra = tuple(Header(header.name, header.value) for header in own if header.name not in written)
    return Record(game, options, setup, deal, extra=extra)


def _read_header_line(number: int, line: str) -> Header:
    name, colon, value = line.partition(":")
    if not colon or not name.strip():
        raise BadHeader("no_name", line=line[:40]).at(number)
    return Header(name.strip(), value.strip(), number)


def _common_headers(headers: Iterable[Header]) -> dict[str, Header]:
    common: dict[str, Header] = {}
    for header in headers:
        if header.name in common and header.name in (GAME, SEATS, OPTIONS):
            raise BadHeader("twice", header=header.name).at(header.line)
        common.setdefault(header.name, header)
    return common


def _required(headers: Mapping[str, Header], name: str) -> Header:
    if name not in headers:
        raise BadHeader("missing", header=name)
    return headers[name]


def _read_game(header: Header) -> Game[Any, Any]:
    if header.value not in rules.GAMES:
        raise UnknownGame("unknown", game=header.value[:40], games=tuple(rules.GAMES)).at(header.line)
    return rules.GAMES[header.value]


def _read_seats(header: Header, game: Game[Any, Any]) -> int:
    texts = {str(seats): seats for seats in game.seats}
    if header.value not in texts:
        raise BadHeader("seats", value=header.value[:40], seats=tuple(texts)).at(header.line)
    return texts[header.value]


def _read_options(header: Header, game: Game[Any, Any]) -> Options:
    values: dict[str, str] = {}
    for part in header.value.split():
        name, equals, value = part.partition("=")
        if not equals or name in values:
            raise BadOption("twice" if equals else "no_value", option=name[:40]).at(header.line)
        values[name] = value
    try:
        return game.Options.of(values)
    except BadOption as refusal:
        raise refusal.at(header.line) from None


def _blamed(refusal: Refusal, headers: Iterable[Header], end: int) -> int:
    """The line of a refusal that names none: of the header it is about, else where the header ends."""
    name = OPTIONS if isinstance(refusal, BadOption) else refusal.facts.get("header")
    return next((header.line for header in headers if header.name == name), end)


def _read_entry(record: Record, state: Any, line: str) -> Entry:
    parts = re.fullmatch(r"([0-9]{1,3})[ \t]+(.*\S)\s*", line, re.DOTALL)
    if not parts:
        raise Unreadable("no_seat", line=line[:40])
    seat, text = int(parts[1]) - 1, parts[2]
    if record.game.result(state) is not None:
        raise GameOver()
    if seat not in range(record.seats):
        raise NotYourTurn(record.game.to_act(state))
    if spoken := _SPOKEN.get(text):
        return Entry(seat, spoken)
    record.game.refuse_out_of_turn(state, seat)
    return Entry(seat, record.game.parse(state, seat, text))
