"""Every game, with every number of players and every option, keeps the contract.

Where a game has secrets, `tests/rules/<game>_secrets.py` gives `shuffled_unknown(state, viewer, rng)`: the same game
with all that the viewer (None: the public) may not know dealt anew.
"""

from __future__ import annotations

import importlib
import importlib.util
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from rules import GAMES, record
from rules.game import (
    Ambiguous,
    BadOption,
    Game,
    GameOver,
    Illegal,
    NotYourTurn,
    Open,
    Refusal,
    Step,
    Unreadable,
    Value,
    Variant,
    from_json,
    to_json,
    value_text,
)
from rules.record import LEAVE, Entry, Record

BOUND = 80
"""Actions after which a game is cut off."""


@dataclass(frozen=True)
class Table:
    """One way to play a game."""

    game: Game[Any, Any]
    seats: int
    option: str = ""
    value: Value = ""

    def __str__(self) -> str:
        varied = f"-{self.option}={value_text(self.value)}" if self.option else ""
        return f"{self.game.key}-{self.seats}{varied}"

    @property
    def options(self) -> Any:
        return self.game.Options.of({self.option: self.value} if self.option else {})

    def opened(self, rng: random.Random) -> Record:
        """A game at its start."""
        setup = self.game.seating([None] * self.seats, self.options, {}, rng).setup
        return Record(self.game, self.options, setup, self.game.deal(setup, self.options, rng))


def sampled(variant: Variant) -> Iterator[Value]:
    yield from variant.choices
    if variant.numbers:
        yield from {variant.numbers[0], variant.numbers[len(variant.numbers) // 2], variant.numbers[-1]}


def tables() -> Iterator[Table]:
    for game in GAMES.values():
        for seats in sorted({*game.seats[:4], game.seats[-1]}):
            yield Table(game, seats)
            for name, variant in game.Options.variants().items():
                if not variant.seats or seats in variant.seats:
                    changed = [value for value in sampled(variant) if value != game.Options.default(name)]
                    yield from (Table(game, seats, name, value) for value in sorted(changed, key=str))


TABLES = list(tables())
every_table = pytest.mark.parametrize("table", TABLES, ids=str)
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
every_game_and_seats = pytest.mark.parametrize("table", [table for table in TABLES if not table.option], ids=str)


def a_seat_and_action(game: Game[Any, Any], state: Any, rng: random.Random) -> Entry:
    seat = rng.choice(game.to_act(state))
    action = rng.choice(game.legal(state, seat))
    return Entry(seat, action.sample(rng) if isinstance(action, Open) else action)


def at_random(
    game: Game[Any, Any], state: Any, rng: random.Random, bound: int = BOUND
) -> Iterator[tuple[Any, Entry, Step]]:
    """State, entry and step of a random game, until it ends or the bound is reached."""
    for _ in range(bound):
        if not game.to_act(state):
            return
        entry = a_seat_and_action(game, state, rng)
        step = record.apply(game, state, entry)
        yield state, entry, step
        state = step.state


def refusal(act: Callable[..., object], *arguments: object) -> Refusal | None:
    try:
        act(*arguments)
    except Refusal as caught:
        return caught
    return None


@every_game
def test_a_game_that_knows_with_how_many_it_begins_is_right(game: Game[Any, Any]) -> None:
    varied = {table.options for table in TABLES if table.game is game}
    assert {options: game.seats_with(options, {}) for options in varied} == {
        options: Game.seats_with(game, options, {}) for options in varied
    }


# -- Whole games ---------------------------------------------------------------------------------------------------


@every_table
def test_a_random_game_keeps_the_contract_at_every_ply(table: Table) -> None:
    rng = random.Random(str(table))
    begun, entries = table.opened(rng), []
    game, state = begun.game, begun.start()
    assert_a_state(game, state)
    seen: dict[Any, None] = {}
    for before, entry, step in at_random(game, state, rng):
        text = to_json(before)
        assert_legal_is_playable(game, before, rng)
        assert_others_are_refused(game, before, list(seen), rng)
        assert_texts(game, before, entry)
        assert to_json(before) == text, "a state was changed"
        assert_events(game, step)
        assert_a_state(game, step.state)
        seen[entry.action] = None
        entries.append(entry)
        state = step.state
    if game.result(state) is not None:
        assert_over(game, state, begun.seats, list(seen))
    assert_record(msgspec.structs.replace(begun, entries=tuple(entries)), state)


def assert_a_state(game: Game[Any, Any], state: Any) -> None:
    again = from_json(to_json(state), game.State)
    assert again == state
    assert to_json(again) == to_json(state)
    to_act = game.to_act(state)
    assert list(to_act) == sorted(set(to_act))
    assert (not to_act) == (game.result(state) is not None)
    for seat in (None, *to_act):
        view = game.view(state, seat)
        assert isinstance(view, msgspec.Struct)
        assert view.__struct_config__.frozen
        assert game.view(again, seat) == view
    for seat in to_act:
        legal = list(game.legal(state, seat))
        assert legal
        assert list(game.legal(again, seat)) == legal
        texts = [game.text(action) for action in legal]
        assert len(set(texts)) == len(texts)


def assert_legal_is_playable(game: Game[Any, Any], state: Any, rng: random.Random) -> None:
    for seat in game.to_act(state):
        legal = list(game.legal(state, seat))
        for action in rng.sample(legal, min(4, len(legal))):
            played = action.sample(rng) if isinstance(action, Open) else action
            assert game.play(state, seat, played) == game.play(state, seat, played)
            assert_action(game, state, seat, played)


def assert_action(game: Game[Any, Any], state: Any, seat: int, action: Any) -> None:
    assert from_json(to_json(action), game.Action) == action
    assert hash(action) == hash(from_json(to_json(action), game.Action))
    assert game.parse(state, seat, game.text(action)) == action


def assert_others_are_refused(game: Game[Any, Any], state: Any, actions: list[Any], rng: random.Random) -> None:
    """What was played before is refused where it does not stand in the list; nobody plays out of turn."""
    to_act = game.to_act(state)
    for action in rng.sample(actions, min(4, len(actions))):
        for seat in to_act:
            legal = list(game.legal(state, seat))
            if action not in legal and not any(isinstance(other, Open) for other in legal):
                assert isinstance(refusal(game.play, state, seat, action), Illegal), action
        for seat in {0, 1} - set(to_act):
            assert isinstance(refusal(game.play, state, seat, action), NotYourTurn)
            assert list(game.legal(state, seat)) == []


def assert_texts(game: Game[Any, Any], state: Any, entry: Entry) -> None:
    text = game.text(entry.action)
    assert text.strip() == text
    assert "\n" not in text
    for typed in (
        "",
        "?",
        "x" * 4000,
        f"{text} {text}",
        f"{text}{'x' * 4000}",
        text[1:],
        text[:-1],
        text.upper(),
        "\0",
    ):
        assert_read_or_refused(game, state, entry.seat, typed)


def assert_read_or_refused(game: Game[Any, Any], state: Any, seat: int, typed: str) -> None:
    """Nothing that people type does anything else; what is read has a text that is read alike."""
    try:
        action = game.parse(state, seat, typed)
    except (Unreadable, Ambiguous, Illegal):
        return
    assert game.parse(state, seat, game.text(action)) == action


def assert_events(game: Game[Any, Any], step: Step) -> None:
    for event in step.events:
        assert from_json(to_json(event), game.Event) == event
        said = game.said(event) if event.audience() is None else None
        assert said is None or (said.strip() == said != "")


def assert_over(game: Game[Any, Any], state: Any, seats: int, actions: list[Any]) -> None:
    result = game.result(state)
    assert result is not None
    assert result.winners
    assert set(result.winners) <= set(range(seats))
    for seat in range(seats):
        assert list(game.legal(state, seat)) == []
        assert isinstance(refusal(game.leave, state, seat), GameOver)
        if actions:
            assert isinstance(refusal(game.play, state, seat, actions[0]), GameOver)


def assert_record(played: Record, end: Any) -> None:
    text = record.write(played)
    again = record.read(text)
    assert again == played
    assert record.write(again) == text
    *_, last = record.replay(again)
    assert last.step.state == end


@every_game_and_seats
@pytest.mark.parametrize("text", ["leaves", "draw", "?"])
def test_a_seat_that_there_is_not_has_nothing_to_say(table: Table, text: str) -> None:
    header = record.write(table.opened(random.Random(1)))
    for seat in (0, table.seats + 1, 999):
        caught = refusal(record.read, f"{header}{seat} {text}\n")
        assert caught is not None
        assert (caught.line, caught.code) == (header.count("\n") + 1, "turn")


# -- Leaving and draws ---------------------------------------------------------------------------------------------


@every_game_and_seats
@pytest.mark.parametrize("seed", range(6))
def test_players_may_leave_at_any_time_until_the_game_ends(table: Table, seed: int) -> None:
    rng = random.Random(f"{table} {seed}")
    begun, entries = table.opened(rng), []
    game, state = begun.game, begun.start()
    left: set[int] = set()
    while game.to_act(state):
        stay = [seat for seat in range(begun.seats) if seat not in left]
        wait = rng.randrange(20)
        for _, entry, step in at_random(game, state, rng, wait):
            assert entry.seat not in left
            entries.append(entry)
            state = step.state
        if not game.to_act(state):
            break
        entry = Entry(rng.choice(stay), LEAVE)
        before = to_json(state)
        caught = refusal(record.apply, game, state, entry)
        if caught is not None:
            # A player who is out already has nothing to leave.
            assert isinstance(caught, Illegal)
            left.add(entry.seat)
            continue
        step = record.apply(game, state, entry)
        assert to_json(state) == before
        assert any(game.said(event) == f"left {entry.seat + 1}" for event in step.events)
        assert_events(game, step)
        assert_a_state(game, step.state)
        left.add(entry.seat)
        assert not left & set(game.to_act(step.state))
        if game.to_act(step.state):
            assert isinstance(refusal(game.leave, step.state, entry.seat), Illegal)
        entries.append(entry)
        state = step.state
    assert_over(game, state, begun.seats, [])
    assert_record(msgspec.structs.replace(begun, entries=tuple(entries)), state)


@every_game_and_seats
def test_a_draw_is_agreed_by_all_or_there_are_none(table: Table) -> None:
    rng = random.Random(str(table))
    begun = table.opened(rng)
    game, state = begun.game, begun.start()
    for _, _, step in at_random(game, state, rng, 5):
        state = step.state
    caught = refusal(game.offer_draw, state, 0)
    if caught is not None:
        assert (caught.code, caught.rule) == ("illegal", "no_draws")
        return
    for seat in range(begun.seats):
        assert game.result(state) is None
        step = game.offer_draw(state, seat)
        assert any(game.said(event) == f"draw {seat + 1}" for event in step.events)
        state = step.state
    result = game.result(state)
    assert result is not None
    assert result.draw
    assert result.winners == tuple(range(begun.seats))
    assert_over(game, state, begun.seats, [])


# -- Before the game -----------------------------------------------------------------------------------------------


@every_table
def test_setup_deal_and_options_survive_json_and_headers(table: Table) -> None:
    rng = random.Random(str(table))
    begun = table.opened(rng)
    game = table.game
    for value, kind in ((begun.setup, game.Setup), (begun.deal, game.Deal), (begun.options, game.Options)):
        assert from_json(to_json(value), kind) == value
    headers = game.headers(begun.setup, begun.deal)
    assert game.read_headers(table.seats, begun.options, headers) == (begun.setup, begun.deal)
    assert {header.name for header in headers}.isdisjoint({record.GAME, record.SEATS, record.OPTIONS})


@every_table
def test_the_same_random_numbers_give_the_same_deal(table: Table) -> None:
    begun = table.opened(random.Random(7))
    assert table.opened(random.Random(7)) == begun
    lines = record.chance_lines(table.game, begun.setup, begun.deal)
    assert all(line.partition(":")[0] in table.game.chance for line in lines)


@every_game
def test_every_value_of_an_option_is_written_and_read_back(game: Game[Any, Any]) -> None:
    for name, variant in game.Options.variants().items():
        assert variant.title
        assert variant.sentence.endswith(".")
        assert variant.takes(game.Options.default(name))
        for value in sampled(variant):
            options = game.Options.of({name: value_text(value)})
            assert getattr(options, name) == value
            assert options.changed() == ({} if value == game.Options.default(name) else {name: value})


@every_game
def test_an_option_that_is_none_and_a_value_it_does_not_take_are_refused(game: Game[Any, Any]) -> None:
    assert isinstance(refusal(game.Options.of, {"no_such": "1"}), BadOption)
    for name in game.Options.variants():
        assert isinstance(refusal(game.Options.of, {name: "no such value"}), BadOption)
        assert isinstance(refusal(game.Options.of, {name: 10**9}), BadOption)


@every_game
def test_a_game_is_found_by_its_key_and_says_its_numbers_of_players(game: Game[Any, Any]) -> None:
    assert GAMES[game.key] is game
    assert game.version >= 1
    assert len(game.seats) >= 1
    for seats in (game.seats[0] - 1, game.seats[-1] + 1):
        caught = refusal(record.read, f"Game: {game.key}\nSeats: {seats}\n")
        assert caught is not None
        assert (caught.line, caught.code, caught.rule) == (2, "header", "seats")


# -- Secrets -------------------------------------------------------------------------------------------------------


def secrets_of(game: Game[Any, Any]) -> Callable[[Any, int | None, random.Random], Any] | None:
    name = f"tests.rules.{game.key}_secrets"
    if importlib.util.find_spec(name) is None:
        return None
    found: Callable[[Any, int | None, random.Random], Any] = importlib.import_module(name).shuffled_unknown
    return found


@every_game_and_seats
@pytest.mark.parametrize("seed", range(3))
def test_a_view_does_not_change_when_only_the_secrets_of_others_do(table: Table, seed: int) -> None:
    rng = random.Random(f"{table} {seed}")
    begun, shuffled = table.opened(rng), secrets_of(table.game)
    game, changed = begun.game, 0
    for state, _, _ in at_random(game, begun.start(), rng, 60):
        for viewer in (None, *range(begun.seats)):
            other = state if shuffled is None else shuffled(state, viewer, rng)
            changed += other != state
            assert game.view(other, viewer) == game.view(state, viewer)
            assert game.to_act(other) == game.to_act(state)
    assert (changed > 0) == (shuffled is not None)


@pytest.mark.parametrize(
    "table", [table for table in TABLES if not table.option and secrets_of(table.game) is None], ids=str
)
def test_a_game_without_secrets_tells_everything_to_everybody(table: Table) -> None:
    rng = random.Random(str(table))
    for _, entry, step in at_random(table.game, table.opened(rng).start(), rng, 30):
        assert all(event.audience() is None for event in step.events)
        assert not table.game.unveils(step.state, entry.seat, entry.action)
