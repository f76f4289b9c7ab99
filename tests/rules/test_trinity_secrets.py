"""Nothing that a viewer may not know reaches them: views, legal lists, refusals, readings, the notebook, events."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rules.game import Refusal, to_json
from rules.trinity import GAME
from rules.trinity.notebook import notebook
from rules.trinity.state import (
    Arrange,
    Discard,
    DiscardTargets,
    Guess,
    Keep,
    Order,
    Play,
    Question,
    Skip,
    Swap,
    TrinityAction,
    TrinityOptions,
    TrinityState,
)
from tests.rules.trinity_secrets import shuffled_unknown
from tests.rules.trinity_tables import TABLES, after, dealt, held, random_game, table

GAMES_A_TABLE = 6

TYPED = [
    "play 2",
    "play 6",
    "play 9",
    "play 9 @2 1",
    "guess 1 2 3",
    "discard 4",
    "keep 1 2 3",
    "swap 1 1",
    "863",
    "7",
    "x",
]


def attempts(rng: random.Random) -> Iterator[TrinityAction]:
    """Actions of every kind, most of them against the rules."""
    for card in range(11):
        yield Play(card)
        yield Play(card, rng.randrange(4))
        yield Play(card, rng.randrange(3), digit=rng.randrange(10))
        yield Play(card, rng.randrange(3), position=rng.randrange(4))
        yield Swap(rng.randrange(3), card)
        yield Discard(card)
    yield Keep((rng.randrange(10), rng.randrange(10), rng.randrange(10)))
    yield DiscardTargets((0, rng.randrange(3)))
    yield Arrange((2, 0, 1))
    yield Order((1, 0))
    yield Order((2, 1, 0))
    yield Guess(rng.randrange(3), (1, 2, rng.randrange(11)))
    yield Skip()


def refusal(attempt: Callable[[], object]) -> Any:
    """What an attempt is refused with, None where it is not."""
    try:
        attempt()
    except Refusal as refused:
        return type(refused), refused.rule, refused.facts
    return None


def received(state: TrinityState, viewer: int | None, tried: list[TrinityAction]) -> list[Any]:
    """All that the rules tell this viewer before an action is played."""
    view = GAME.view(state, viewer)
    told: list[Any] = [to_json(view), notebook(view), GAME.to_act(state), GAME.result(state)]
    if viewer is None:
        return told
    legal = GAME.legal(state, viewer)
    told += [legal, [GAME.unveils(state, viewer, action) for action in legal[:: len(legal) // 20 + 1]]]
    told += [refusal(lambda a=action: GAME.play(state, viewer, a)) for action in tried]  # type: ignore[misc]
    told += [refusal(lambda t=typed: GAME.parse(state, viewer, t)) for typed in TYPED]  # type: ignore[misc]
    return told


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_nothing_changes_for_a_viewer_when_only_what_they_may_not_know_changes(
    seats: int, options: TrinityOptions
) -> None:
    rng = random.Random(f"{seats} {options}")
    different = 0
    for _ in range(GAMES_A_TABLE):
        for state in random_game(seats, options, rng, plies=60):
            for viewer in (None, *range(seats)):
                other = shuffled_unknown(state, viewer, rng)
                different += other != state
                tried = list(attempts(rng))
                assert received(other, viewer, tried) == received(state, viewer, tried)
    assert different > 300


def test_the_test_above_would_notice_what_it_should() -> None:
    """Shuffling changes all that is secret, and nothing that is known."""
    state = after(table(held("47", "863", shown="8"), held("1245", "222", shown="2"), held("19", "444")), "1 play 4")
    rng = random.Random(1)
    others = [shuffled_unknown(state, 0, rng) for _ in range(50)]
    assert {other.players[0] for other in others} == {state.players[0]}
    assert {other.pile[:3] for other in others} == {state.pile[:3]}
    assert len({other.pile for other in others}) > 40
    assert len({other.players[1].hand for other in others}) > 40
    assert {other.players[1].targets for other in others} == {(2, 2, 2)}
    assert len({other.players[2].targets for other in others}) > 20
    assert len({shuffled_unknown(state, None, rng).players[0] for _ in range(50)}) > 40


def seen_by_others(state: TrinityState, seat: int, action: TrinityAction) -> Any:
    """What an action shows to everybody else: the events they may know of, and their views afterwards."""
    step = GAME.play(state, seat, action)
    others = [None, *(other for other in range(len(state.players)) if other != seat)]
    return [
        (
            [event for event in step.events if viewer in (event.audience() or others)],
            to_json(GAME.view(step.state, viewer)),
        )
        for viewer in others
    ]


def assert_all_look_alike(state: TrinityState) -> None:
    (seat,) = GAME.to_act(state)[:1]
    looks = [seen_by_others(state, seat, action) for action in GAME.legal(state, seat)]
    assert len(looks) > 1
    assert all(look == looks[0] for look in looks)


def test_choosing_targets_shows_nothing() -> None:
    assert_all_look_alike(dealt(3, TrinityOptions(), random.Random(4)))


def test_swapping_a_hidden_target_shows_nothing() -> None:
    assert_all_look_alike(after(table(held("137", "863"), held("11", "222")), "1 play 1"))


def test_arranging_hidden_targets_shows_nothing() -> None:
    assert_all_look_alike(after(table(held("03", "863"), held("11", "222")), "1 play 0", "1 discard 1 2"))


def test_ordering_the_pile_shows_nothing() -> None:
    assert_all_look_alike(after(table(held("43", "863"), held("11", "222")), "1 play 4"))


def test_discarding_two_targets_does_not_show_where_they_were() -> None:
    looks = [
        seen_by_others(after(table(held("03", targets), held("11", "222")), "1 play 0"), 0, DiscardTargets(pair))
        for targets, pair in [("863", (0, 1)), ("683", (0, 1)), ("836", (0, 2)), ("386", (1, 2))]
    ]
    assert all(look == looks[0] for look in looks)


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_every_secret_event_goes_to_one_seat_alone(seats: int, options: TrinityOptions) -> None:
    rng = random.Random(2)
    secret = set()
    for state in random_game(seats, options, rng):
        for seat in GAME.to_act(state):
            for action in rng.sample(list(GAME.legal(state, seat)), 1):
                for event in GAME.play(state, seat, action).events:
                    if (audience := event.audience()) is not None:
                        assert audience == (event.seat,)  # type: ignore[attr-defined]
                        assert GAME.said(event) is None  # type: ignore[arg-type]
                        secret.add(type(event).__name__)
    assert "Drawn" in secret


def test_a_view_holds_no_more_than_its_viewer_may_know() -> None:
    state = after(table(held("47", "863", shown="6"), held("12", "975"), pile="5678"), "1 play 4")
    public, own, other = (GAME.view(state, viewer) for viewer in (None, 0, 1))
    assert public.own is None
    assert public.players == own.players == other.players
    assert public.players[0].targets == (None, 6, None)
    assert (public.players[0].hand_size, public.players[1].hand_size, public.pile_size) == (1, 2, 4)
    assert (public.question, public.to_act, public.played) == (Question.ORDER, (0,), 4)
    assert own.own is not None
    assert (own.own.hand, own.own.targets, own.own.foreseen) == ((7,), (8, 6, 3), (5, 6, 7))
    assert other.own is not None
    assert (other.own.hand, other.own.targets, other.own.foreseen) == ((1, 2), (9, 7, 5), ())


def test_the_card_drawn_is_its_owners() -> None:
    state = after(table(held("7", "863"), held("12", "975"), pile="5678"), "1 play 7 @2", "1 skip")
    views = [GAME.view(state, viewer).own for viewer in (0, 1)]
    assert [own and own.drawn for own in views] == [(), (5,)]


@pytest.mark.parametrize("seat", [-1, 2])
def test_there_is_no_view_for_a_seat_that_is_none(seat: int) -> None:
    with pytest.raises(IndexError):
        GAME.view(table(held("7", "863"), held("12", "975")), seat)


def test_all_cards_lie_open_when_the_game_is_over() -> None:
    state = after(table(held("", "863"), held("12", "975"), held("3", "444")), "1 guess @2 9 7 5")
    players = GAME.view(state, None).players
    assert [player.targets for player in players] == [(8, 6, 3), (9, 7, 5), (4, 4, 4)]
    assert [player.laid_open for player in players] == [(), (1, 2), (3,)]
