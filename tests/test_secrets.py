"""Nobody receives anything that depends on what they may not know: for every game with secrets, over random games.

At a moment of a game everything that its viewer may not know is made anew, and all that they can receive is compared:
the table message with its picture, alt text and custom_ids; their letter and "My cards"; what every control answers
them, others' old private controls included; forms, menus, what autocomplete offers, error texts; and the log. Only
the commitment to the deal differs.

`TRIGON_PLIES=5000 pytest tests/test_secrets.py` looks at so many moments of each game instead of a few.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot import panel, request
from bot.client import Trigon
from bot.log import log_of
from bot.page import Addresses
from bot.store import ActionRow, Store
from bot.tables import Happening, Table, Tables, _seat_turns, now
from bot.words import words_for
from rules import GAMES
from rules.game import BadOption, Game, Open, Refusal, to_json
from tests.rules import triangulation_secrets, trinity_secrets
from tests.staging import STRANGER, Play, Said, cog_of, controls_on, known_to, page_written, staged

PLIES = int(os.environ.get("TRIGON_PLIES", "0"))

Indistinguishable = Callable[[Any, int | None, random.Random], Any]

MADE_ANEW: dict[str, Indistinguishable] = {
    "trinity": trinity_secrets.shuffled_unknown,
    "triangulation": triangulation_secrets.shuffled_unknown,
}
"""Per game with secrets: a state that a viewer cannot tell apart from the one given."""

SHARED = ("my_cards", "as_text", "rules", "watch", "leave")
"""What people do at every table that may show something of the game."""

TYPED = (
    "1",
    "863",
    "8 6 3",
    "swap 1 2",
    "discard 3",
    "play 6 @2 7",
    "order 2 1 3",
    "nonsense",
    "apple",
    "@1",
    "6",
    "0",
)
"""What stands in options of commands."""

ACTS = 10
"""Presses and commands tried at a moment by one viewer."""

SEALED = re.compile(r"[0-9a-f]{64}(?=`)")


@dataclass(frozen=True)
class Moment:
    """A game at one ply."""

    state: Any
    turn: int
    seat_turns: tuple[int, ...]
    actions: tuple[ActionRow, ...]


def moments(play: Play, table: Table, rng: random.Random) -> list[Moment]:
    """The moments of a random game, a leaving now and then, up to 80 actions."""
    game = table.game
    found = [Moment(table.state, table.turn, tuple(table.row.seat_turns), ())]
    for _ in range(80):
        at = found[-1]
        to_act = game.to_act(at.state)
        if not to_act:
            break
        seat = rng.choice(to_act)
        if rng.random() < 0.01:
            kind, action, step = "leave", None, game.leave(at.state, seat)
        else:
            legal = rng.choice(game.legal(at.state, seat))
            kind, action = "play", legal.sample(rng) if isinstance(legal, Open) else legal
            step = game.play(at.state, seat, action)
        before = Table(_row(table, at), table.seats)
        written = ActionRow(at.turn + 1, seat, kind, action and to_json(action), to_json(step.events), now())
        seat_turns = tuple(_seat_turns(before, seat, step.state))
        found.append(Moment(step.state, at.turn + 1, seat_turns, (*at.actions[-5:], written)))
    return found


def _row(table: Table, at: Moment) -> Any:
    values = vars(table.row) | {"state": to_json(at.state), "turn": at.turn, "seat_turns": list(at.seat_turns)}
    return type(table.row)(**values)


class Viewer:
    """One person who looks at a table and tries everything; `seat` is None for somebody without one."""

    def __init__(self, play: Play, seat: int | None, strange: Sequence[tuple[str, tuple[str, ...]]], seed: int) -> None:
        self.play = play
        self.seat = seat
        self.person = STRANGER if seat is None else play.people[seat]
        self.strange = strange
        self.seed = seed

    async def everything(self, table: Table) -> list[str]:
        """All that this person receives, in the order of a fixed series of acts."""
        self.play.start_over()
        rng, words = random.Random(self.seed), words_for("en")
        face = self.play.bot.faces[table.game.key]
        happenings = await self.play.bot.tables.happenings(table, panel.LAST_TOLD)
        public = panel.table_page(table, face, words, happenings)
        lines = [SEALED.sub("…", page_written(public))]
        pool = controls_on(public)
        if self.seat is not None:
            address = Addresses(table.id, table.seat_turn(self.seat))
            own = await self.play.bot.letters.page(table, self.seat, words)
            lines.append(page_written(own))
            pool += controls_on(own)
            assert panel.own_page(table, face, words, self.seat, address) is not None or own.picture is None
        pool = [one for one in [*pool, *self.strange] if self._is_of_the_game(table, one[0])]
        for _ in range(ACTS):
            said = await self._act(table, pool, rng)
            lines += [SEALED.sub("…", line) for line in said.lines]
            pool += [one for one in said.controls if one not in pool and self._is_of_the_game(table, one[0])]
        return lines + await self._offers(table, rng)

    def _is_of_the_game(self, table: Table, custom_id: str) -> bool:
        verb = custom_id.split(":")[2]
        return verb in SHARED or verb in cog_of(self.play.bot, table.game).controls

    async def _act(self, table: Table, pool: Sequence[tuple[str, tuple[str, ...]]], rng: random.Random) -> Said:
        """Press something in view or somebody else's control, or type a command; a form that opens is sent."""
        if rng.random() < 0.25:
            return await self._type(table, rng)
        custom_id, values = rng.choice(pool)
        said = await self.play.press(self.person, custom_id, [rng.choice(values)] if values else ())
        if said.form is None:
            return said
        then = await self.play.submit(self.person, said.form, rng)
        return Said((*said.lines, *then.lines), then.controls)

    async def _type(self, table: Table, rng: random.Random) -> Said:
        cog = cog_of(self.play.bot, table.game)
        command = rng.choice([one for one in cog.walk_app_commands() if "table" in getattr(one, "_params", {})])
        given: dict[str, Any] = {}
        for name, option in command._params.items():  # type: ignore[union-attr]
            if name != "table" and (option.required or rng.random() < 0.5):
                numbers = option.type.value in (4, 10)
                given[name] = rng.randint(1, 3) if numbers else rng.choice(TYPED)
        return await self.play.type(self.person, cog, command, **given)  # type: ignore[arg-type]

    async def _offers(self, table: Table, rng: random.Random) -> list[str]:
        """What every option of every command of the game offers; what several commands share is asked once."""
        lines, asked = [], set()
        for command in cog_of(self.play.bot, table.game).walk_app_commands():
            for name, option in getattr(command, "_params", {}).items():
                if option.autocomplete and option.autocomplete not in asked and "table" in command._params:  # type: ignore[union-attr]
                    asked.add(option.autocomplete)
                    given = {one: "6" for one in ("card", "opponent") if one in command._params and one != name}  # type: ignore[union-attr]
                    offers = await self.play.offered(self.person, command, name, rng.choice(("", "1", "6")), **given)  # type: ignore[arg-type]
                    lines.append(f"{command.name} {name}: {offers}")
        return lines


async def old_controls(play: Play, table: Table) -> list[tuple[str, tuple[str, ...]]]:
    """The controls of everybody's letters."""
    words = words_for("en")
    pages = [await play.bot.letters.page(table, seat, words) for seat in range(len(table.people))]
    return [control for page in pages for control in controls_on(page)]


async def compare(play: Play, table: Table, at: Moment, seat: int | None, rng: random.Random) -> int:
    """Compare what a viewer receives of a moment and of the same with all they may not know made anew.

    Returns how many texts were compared.
    """
    game = table.game
    other = MADE_ANEW[game.key](at.state, seat, rng)
    real = play.put(at.state, table.deal, at.turn, at.seat_turns, at.actions)
    viewer = Viewer(play, seat, await old_controls(play, real), rng.randrange(2**32))
    received = await viewer.everything(real)
    known = [known_to(seat, action, game) for action in at.actions]
    deal = game.deal(table.setup, table.options, rng)
    shuffled = play.put(other, deal, at.turn, at.seat_turns, known)
    again = await viewer.everything(shuffled)
    for one, two in zip(received, again, strict=True):
        assert one == two
    assert not any("went wrong" in line for line in received)
    return len(received)


def secret_games() -> list[tuple[Game[Any, Any], int]]:
    """The games with secrets, with their fewest and most players."""
    return [
        (GAMES[key], seats)
        for key in MADE_ANEW
        for seats in sorted({GAMES[key].seats[0], min(GAMES[key].seats[-1], 6)})
    ]


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """How long an answer takes is the machine's: here the bot waits for every picture, however slow."""
    monkeypatch.setattr(request, "PATIENCE", 600)
    monkeypatch.setattr(request, "PICTURE_PATIENCE", 600)


@pytest.fixture
async def bots() -> AsyncIterator[list[Any]]:
    """Bots to be closed at the end."""
    opened: list[Any] = []
    yield opened
    for bot in opened:
        await bot.store.close()


@pytest.mark.parametrize(("game", "seats"), secret_games(), ids=lambda one: str(getattr(one, "key", one)))
async def test_nobody_receives_what_depends_on_what_they_may_not_know(
    game: Game[Any, Any], seats: int, tmp_path: Path, bots: list[Any]
) -> None:
    rng = random.Random(seats)
    wanted = PLIES or 4
    compared = 0
    play, table = await staged(f"sqlite+aiosqlite:///{tmp_path}/trigon.db", game, seats, game.Options(), rng)
    bots.append(play.bot)
    looked = 0
    while looked < wanted:
        whole = [at for at in moments(play, table, rng) if game.to_act(at.state)]
        for at in rng.sample(whole, min(len(whole), max(1, min(8, wanted - looked)))):
            for seat in (*range(seats), None) if PLIES else (rng.randrange(seats), None):
                compared += await compare(play, table, at, seat, rng)
            looked += 1
    assert compared > 10 * wanted


async def test_every_game_with_secrets_is_looked_at(tmp_path: Path, bots: list[Any]) -> None:
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path}/trigon.db")
    bot = Trigon(store, Tables(store))
    bots.append(bot)
    await bot.load_cogs()
    assert {key for key, face in bot.faces.items() if face.secrets} == set(MADE_ANEW)


# -- Whether this finds what it is for ------------------------------------------------------------------------------


def tell_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """The story of what happened tells private events too."""
    line = panel._line

    def leaking(*given: Any) -> str | None:
        return f"{line(*given)} {[one.events for one in given if isinstance(one, Happening)]}"

    monkeypatch.setattr(panel, "_line", leaking)


def show_the_first_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody sees what the first seat sees."""
    monkeypatch.setattr(Table, "view", lambda self, seat: self.game.view(self.state, 0))


def log_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log holds more than it should."""
    seat_at = Tables.seat_at

    def logging_it(self: Tables, table: Table, person: int) -> int:
        log_of("bot.tables").info("looked", state=table.row.state)
        return seat_at(self, table, person)

    monkeypatch.setattr(Tables, "seat_at", logging_it)


def say_what_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error tells what somebody else holds."""
    check = Tables.check

    def leaking(self: Tables, table: Table, person: int, turn: int | None) -> int:
        try:
            return check(self, table, person, turn)
        except Refusal as refusal:
            raise BadOption("value", option="x", value=hash(table.row.state), choices=()) from refusal

    monkeypatch.setattr(Tables, "check", leaking)


@pytest.mark.parametrize("leak", [tell_everything, show_the_first_seat, log_the_state, say_what_is_right])
async def test_a_leak_is_found(
    leak: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, bots: list[Any]
) -> None:
    rng, game = random.Random(7), GAMES["trinity"]
    play, table = await staged(f"sqlite+aiosqlite:///{tmp_path}/trigon.db", game, 3, game.Options(), rng)
    bots.append(play.bot)
    later = [at for at in moments(play, table, rng) if game.to_act(at.state)][3:9]
    leak(monkeypatch)
    seat = None if leak is show_the_first_seat else 1
    with pytest.raises(AssertionError):
        await compare_all(play, table, later, seat, rng)


async def compare_all(play: Play, table: Table, those: Sequence[Moment], seat: int | None, rng: random.Random) -> None:
    for at in those:
        await compare(play, table, at, seat, rng)
