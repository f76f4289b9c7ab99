"""Nothing that a viewer may not know reaches them: views, legal lists, refusals, events."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from rules.game import Event, Open, Refusal, to_json
from rules.triangulation import GAME
from rules.triangulation.actions import Action, Agree, Choose, Clues, Flip, Guess, Judge, Pass, Volunteer
from rules.triangulation.deck import CATEGORIES, Card, Deck, Message
from rules.triangulation.state import State
from rules.triangulation.view import Task
from tests.rules.triangulation_secrets import secrets, shuffled_unknown
from tests.rules.triangulation_tables import WRITTEN, after, table

TABLES: list[tuple[int, dict[str, str | int | bool]]] = [
    (4, {}),
    (3, {"last_chance": True, "casual": True}),
    (5, {"insider": "volunteer", "lock_in": "agreed", "tokens": 2}),
    (7, {"judging": "strict", "casual": True, "insider": "volunteer"}),
    (6, {"last_chance": True, "lock_in": "agreed"}),
]
GAMES_A_TABLE = 4
BOUND = 150

ATTEMPTS: list[Action] = [
    Volunteer(),
    *(Choose(number) for number in (0, 3, 6, -1)),
    Clues(("Sea", "", "Old")),
    *(Flip(clue) for clue in (0, 1, 2, 3)),
    Guess("…"),
    Guess("x" * 101),
    Agree(),
    Pass(),
    Judge(True),
]


def secret_deck(rng: random.Random) -> Deck:
    """Cards with names that occur nowhere else."""
    return Deck("en", tuple(_secret_card(rng) for _ in range(12)))


def _secret_card(rng: random.Random) -> Card:
    def name(kind: str) -> str:
        return f"{kind}{rng.getrandbits(40):x}"

    return Card(tuple(Message(name("Secret"), category, (), (name("Form"),)) for category in CATEGORIES))


def games(seats: int, options: dict[str, str | int | bool]) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """Every state of some random games, leaving included, and the events that led to each."""
    for seed in range(GAMES_A_TABLE):
        rng = random.Random(seed)
        deck = secret_deck(rng)
        state = table(seats, rng.randrange(3) if seats == 3 else None, deck, **options)
        events: tuple[Event, ...] = ()
        for _ in range(BOUND):
            yield state, events
            if state.result is not None:
                break
            if rng.random() < 0.01:
                step = GAME.leave(state, rng.choice([seat for seat in range(seats) if seat not in state.gone]))
            else:
                seat = rng.choice(GAME.to_act(state))
                step = GAME.play(state, seat, _some_action(state, seat, rng))
            state, events = step.state, step.events


def _some_action(state: State, seat: int, rng: random.Random) -> Action:
    action = rng.choice(GAME.legal(state, seat))
    if not isinstance(action, Open):
        return action
    if action.text == "clues …":
        return Clues((f"clue{rng.getrandbits(40):x}", f"clue{rng.getrandbits(40):x}", f"clue{rng.getrandbits(40):x}"))
    return Guess(f"wild{rng.getrandbits(20)}")


def viewers(state: State) -> Iterator[int | None]:
    yield None
    yield from range(state.seats)


def outcome(state: State, seat: int, action: Action) -> str:
    """How an attempt is received, without what it leads to."""
    try:
        GAME.play(state, seat, action)
    except Refusal as refusal:
        return repr(refusal)
    return "accepted"


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_a_viewer_cannot_tell_states_apart_that_differ_in_what_is_not_theirs(
    seats: int, options: dict[str, str | int | bool]
) -> None:
    rng = random.Random(1)
    for state, _ in games(seats, options):
        for viewer in viewers(state):
            other = shuffled_unknown(state, viewer, rng)
            assert other != state
            assert GAME.view(other, viewer) == GAME.view(state, viewer)
            assert GAME.to_act(other) == GAME.to_act(state)
            if viewer is not None:
                assert GAME.legal(other, viewer) == GAME.legal(state, viewer)
                for action in ATTEMPTS:
                    assert outcome(other, viewer, action) == outcome(state, viewer, action)


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_no_view_holds_a_secret_text(seats: int, options: dict[str, str | int | bool]) -> None:
    for state, _ in games(seats, options):
        for viewer in viewers(state):
            text = to_json(GAME.view(state, viewer))
            assert not [secret for secret in secrets(state, viewer) if secret in text]


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_no_event_tells_a_secret_to_its_audience(seats: int, options: dict[str, str | int | bool]) -> None:
    for state, events in games(seats, options):
        for event in events:
            audience = event.audience()
            for viewer in viewers(state) if audience is None else audience:
                assert not [secret for secret in secrets(state, viewer) if secret in to_json(event)]


def test_the_property_would_notice_a_leak() -> None:
    state = after(table(), *WRITTEN, "2 flip B")
    changed = shuffled_unknown(state, 1, random.Random(1))
    assert state.missions[0] != changed.missions[0]
    assert state.missions[1] is not None
    assert changed.missions[1] is not None
    assert state.missions[1].clues == changed.missions[1].clues, "seat 2 knows its own clues"
    assert "The Bible" in secrets(state, 1)
    assert "The Bible" not in secrets(state, 0)
    assert "Book" in secrets(state, 1)
    assert "John" not in secrets(state, None)


# -- What each may know --------------------------------------------------------------------------------------------


def test_the_insider_alone_sees_card_choice_and_clues() -> None:
    state = after(table(), "1 choose 4", "1 clues Book | John | Paul")
    own = GAME.view(state, 0).mission
    assert own is not None
    assert own.message is not None
    assert (own.message.text, own.clues) == ("The Bible", ("Book", "John", "Paul"))
    for viewer in (None, 2, 3):
        assert GAME.view(state, viewer).mission is None
    other = GAME.view(state, 1).mission
    assert other is not None
    assert (other.chosen, other.message) == (None, None)


def test_the_insider_asked_to_rule_sees_guess_and_message_and_the_others_the_guess() -> None:
    state = after(table(), *WRITTEN, "2 flip B", "4 guess Robin Hood")
    ruling = GAME.view(state, 0).ruling
    assert ruling is not None
    assert (ruling.guess, ruling.guesser, ruling.message.text) == ("Robin Hood", 3, "The Bible")
    for viewer in (None, 1, 2, 3):
        view = GAME.view(state, viewer)
        assert view.ruling is None
        assert view.table.guessing is not None
        assert view.table.guessing.ruling is not None
        assert view.table.guessing.ruling.text == "Robin Hood"


def test_clues_lie_face_down_until_they_are_flipped() -> None:
    state = after(table(), *WRITTEN, "2 flip B")
    guessing = GAME.view(state, None).table.guessing
    assert guessing is not None
    assert guessing.clues == (None, "John", None)
    assert (guessing.insider, guessing.number, guessing.opponents, guessing.teammates) == (0, 1, (1, 3), (2,))


def test_the_table_says_who_is_choosing_writing_and_done() -> None:
    state = after(table(), "1 choose 4")
    tasks = [(insider.seat, insider.task) for insider in GAME.view(state, None).table.insiders]
    assert tasks == [(0, Task.WRITING), (1, Task.CHOOSING)]
    state = after(state, *WRITTEN[1:2], WRITTEN[3])
    insiders = GAME.view(state, None).table.insiders
    assert [(insider.task, insider.number) for insider in insiders] == [(Task.WRITING, None), (Task.DONE, 1)]
    state = after(state, WRITTEN[2])
    insiders = GAME.view(state, None).table.insiders
    assert [(insider.task, insider.number) for insider in insiders] == [(Task.DONE, 2), (Task.GUESSED, 1)]


def test_a_finished_message_is_shown_with_all_its_clues_and_guesses() -> None:
    state = after(table(), *WRITTEN, "2 flip B", "2 guess bible")
    (done,) = GAME.view(state, None).table.finished
    assert (done.message, done.clues, done.flipped) == ("The Bible", ("Book", "John", "Paul"), (1,))
    assert [(guess.seat, guess.text, guess.right) for guess in done.tries] == [(1, "bible", True)]
    assert GAME.view(state, None).table.insiders[0].task is Task.FINISHED


def test_categories_are_public_in_casual_mode_only() -> None:
    for casual, category in ((True, "Work"), (False, None)):
        state = after(table(casual=casual), "1 choose 4")
        assert [insider.category for insider in GAME.view(state, None).table.insiders] == [category, None]


def test_left_and_right_are_named_with_three_players() -> None:
    view = GAME.view(table(3, first=0), None).table
    assert (view.left, view.right) == (1, 2)
    view = GAME.view(table(3, first=1), None).table
    assert (view.left, view.right) == (2, 0)
    view = GAME.view(table(4), None).table
    assert (view.left, view.right) == (None, None)


def test_the_table_says_who_is_to_act_and_with_what() -> None:
    state = after(table(insider="volunteer"), "2 insider")
    acting = {acting.seat + 1: acting.due for acting in GAME.view(state, None).table.acting}
    assert acting == {1: ("insider",), 2: ("choose",), 3: ("insider",)}
    assert GAME.view(state, None).table.volunteers == (0, 2)


def test_somebody_who_left_sees_what_the_public_sees() -> None:
    state = after(table(6), "1 choose 4", "1 clues Book | John | Paul", "1 leaves")
    assert GAME.view(state, 0).mission is None
