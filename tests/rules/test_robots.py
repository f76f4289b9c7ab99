"""House players keep the contract, know no more than their seat, and do what anybody can see they must."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from operator import eq
from typing import Any

import msgspec
import pytest

from rules import GAMES
from rules.__main__ import OK, USAGE, main
from rules.chess import GAME as CHESS
from rules.chess.actions import Checkmated, ChessAction, Move, Rescue, coded
from rules.chess.board import BIT
from rules.chess.moves import exposure
from rules.chess.position import GENERALS
from rules.chess.state import ChessState, legal_actions
from rules.chess.state import position_of as position_of_chess
from rules.game import BadOption, Game, Robot
from rules.triggle import GAME as TRIGGLE
from rules.triggle import robot as robot_of_triggle
from rules.triggle.board import board
from rules.triggle.parts import Deal, Options, Place, Setup
from rules.triggle.parts import State as TriggleState
from rules.triggle.robot import Crowd, Duel, Search, in_order, placed, position_of
from rules.trinity import GAME as TRINITY
from rules.trinity.robot import Chances
from rules.trinity.state import Guess, Hits, Player, Question, Swap, TrinityOptions, TrinityState
from tests.rules import chess_tables
from tests.rules.robot_tables import Questions, balances, greedy, played_out, started
from tests.rules.test_conformance import secrets_of
from tests.rules.trinity_tables import held

ROBOTS = [
    (game, seats, level)
    for game in GAMES.values()
    if game.Robot is not None
    for seats in game.seats
    for level in game.Robot.LEVELS
]
every_robot = pytest.mark.parametrize(
    ("game", "seats", "level"), ROBOTS, ids=[f"{game.key}-{seats}-{level}" for game, seats, level in ROBOTS]
)


def robot_of(game: Game[Any, Any], level: str) -> Robot:
    assert game.Robot is not None
    return game.Robot(level)


# -- The contract --------------------------------------------------------------------------------------------------


def test_triggle_chess_and_trinity_have_house_players() -> None:
    assert {game.key for game, _, _ in ROBOTS} >= {"chess", "triggle", "trinity"}


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.Robot], ids=lambda game: game.key)
def test_levels_have_a_name_and_a_sentence_and_there_are_no_others(game: Game[Any, Any]) -> None:
    assert game.Robot is not None
    assert list(game.Robot.LEVELS) == ["easy", "normal", "hard"]
    assert all(level.title and level.sentence.endswith(".") for level in game.Robot.LEVELS.values())
    with pytest.raises(BadOption):
        game.Robot("divine")


@every_robot
def test_what_it_chooses_is_legal_in_time_and_the_same_again(game: Game[Any, Any], seats: int, level: str) -> None:
    robot, rng = robot_of(game, level), random.Random(f"{game.key} {seats} {level}")
    state, shuffled = started(game, seats, rng), secrets_of(game)
    for ply in range(40):
        if not game.to_act(state):
            break
        seat = rng.choice(game.to_act(state))
        legal = list(game.legal(state, seat))
        # Now and then a random action, so that it meets positions that it would not get into.
        if ply % 3 == 2:
            state = game.play(state, seat, rng.choice(legal)).state
            continue
        time = Questions(ply % 4 * 7)
        action = robot.choose(game.view(state, seat), legal, random.Random(ply), time)
        assert action in legal
        assert time.too_late == 0, "it thought on when its time was up"
        for same in (state, shuffled(state, seat, rng) if shuffled else state):
            again = robot_of(game, level).choose(
                game.view(same, seat), game.legal(same, seat), random.Random(ply), Questions(ply % 4 * 7)
            )
            assert again == action, "it knew what its seat does not"
        state = game.play(state, seat, action).state


@every_robot
def test_it_plays_with_every_option(game: Game[Any, Any], seats: int, level: str) -> None:
    robot, rng = robot_of(game, level), random.Random(seats)
    for name, variant in game.Options.variants().items():
        for value in variant.choices if not variant.seats or seats in variant.seats else ():
            state = started(game, seats, rng, **{name: value})
            # An action that is not legal is refused, which ends the test.
            result = played_out(
                game, state, [robot.choose] * seats, rng, in_time=0, bound=50 if game != TRIGGLE else 999
            )
            assert result is not None or game != TRIGGLE


def test_out_of_time_from_the_start_still_gives_a_sensible_move() -> None:
    state = triggle("A1-A4", "A1-D1", "A4-D4", "A2-D2")
    view, legal = TRIGGLE.view(state, state.to_act), TRIGGLE.legal(state, state.to_act)
    chosen = robot_of(TRIGGLE, "hard").choose(view, legal, random.Random(1), lambda: True)
    assert chosen in legal


# -- Triggle -------------------------------------------------------------------------------------------------------


def triggle(*bands: str, **options: Any) -> TriggleState:
    state = TRIGGLE.start(Setup(seats=2), Options.of(options), Deal(first=0))
    for band in bands:
        state = TRIGGLE.play(state, state.to_act, Place(band)).state
    return state


def best_gain(state: TriggleState) -> int:
    return max(len(TRIGGLE.closes(state, action)) for action in TRIGGLE.legal(state, state.to_act))


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
@pytest.mark.parametrize("seed", range(5))
def test_with_the_last_band_the_most_triangles_are_closed(level: str, seed: int) -> None:
    rng = random.Random(seed)
    state = triggle()
    for _ in range(19):
        state = TRIGGLE.play(state, state.to_act, rng.choice(TRIGGLE.legal(state, state.to_act))).state
    legal = TRIGGLE.legal(state, state.to_act)
    chosen = robot_of(TRIGGLE, level).choose(TRIGGLE.view(state, state.to_act), legal, rng, Questions(500))
    assert best_gain(state) > 0
    assert len(TRIGGLE.closes(state, chosen)) == best_gain(state)


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_the_last_piece_is_placed_where_it_can_be(level: str) -> None:
    rng, found = random.Random(5), 0
    for _ in range(20):
        state = triggle(pieces=10, bands=20)
        while state.to_act >= 0:
            legal = TRIGGLE.legal(state, state.to_act)
            winning = [
                action for action in legal if TRIGGLE.play(state, state.to_act, action).state.end == "last_piece"
            ]
            if winning:
                found += 1
                view = TRIGGLE.view(state, state.to_act)
                assert robot_of(TRIGGLE, level).choose(view, legal, rng, Questions(20)) in winning
            state = TRIGGLE.play(state, state.to_act, rng.choice(legal)).state
    assert found >= 5


@pytest.mark.parametrize("goal", ["most", "fewest"])
@pytest.mark.parametrize("seed", range(3))
def test_two_bands_before_the_end_hard_plays_as_well_as_can_be(goal: str, seed: int) -> None:
    rng, worth = random.Random(seed), 1 if goal == "most" else -1
    state = triggle(goal=goal)
    for _ in range(18):
        state = TRIGGLE.play(state, state.to_act, rng.choice(TRIGGLE.legal(state, state.to_act))).state

    def balance(action: Place) -> int:
        after = TRIGGLE.play(state, state.to_act, action).state
        replies = [worth * len(TRIGGLE.closes(after, reply)) for reply in TRIGGLE.legal(after, after.to_act)]
        return worth * len(TRIGGLE.closes(state, action)) - max(replies)

    legal = TRIGGLE.legal(state, state.to_act)
    chosen = robot_of(TRIGGLE, "hard").choose(TRIGGLE.view(state, state.to_act), legal, rng, Questions(10_000))
    assert balance(chosen) == max(map(balance, legal))


@pytest.mark.parametrize("goal", ["most", "fewest"])
@pytest.mark.parametrize("side", [4, 5, 6])
@pytest.mark.parametrize("overlap", ["segment", "free"])
def test_the_search_places_and_counts_bands_as_the_rules_do(side: int, overlap: str, goal: str) -> None:
    rng, worth = random.Random(side), 1 if goal == "most" else -1
    state = triggle(side=side, overlap=overlap, goal=goal)
    names, here = board(side).names, position_of(TRIGGLE.view(state, 0))
    while state.to_act >= 0:
        view, legal = TRIGGLE.view(state, 0), TRIGGLE.legal(state, state.to_act)
        search = Search(view, lambda: False)
        assert position_of(view) == here
        gains = {names.number[action.band]: worth * len(TRIGGLE.closes(state, action)) for action in legal}
        assert {band: search.gain(here, band) for band in gains} == gains
        # Where the first band may lie, the search need not know.
        if state.bands:
            assert {band: search.gains[merit] for merit, band in in_order(search.merits(here))} == gains
            assert search.reply(here) == max(gains.values())
        action = rng.choice(legal)
        here = placed(search.steps, here, names.number[action.band])
        state = TRIGGLE.play(state, state.to_act, action).state


@pytest.mark.parametrize("seats", [2, 3])
def test_a_search_keeps_no_more_than_there_is_room_for(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robot_of_triggle, "KEPT", 30)
    monkeypatch.setattr(robot_of_triggle, "BOUNDS", 50)
    state = TRIGGLE.start(Setup(seats=seats), Options(), Deal(first=0))
    for band in ("A1-A4", "A1-D1", "A4-D4"):
        state = TRIGGLE.play(state, state.to_act, Place(band)).state
    view, names = TRIGGLE.view(state, state.to_act), board(4).names
    bands = [names.number[action.band] for action in TRIGGLE.legal(state, state.to_act)]
    search = (Duel if seats == 2 else Crowd)(view, Questions(500))
    assert search.deepened(position_of(view), bands) in bands
    assert len(search.children_of) == 30
    if isinstance(search, Duel):
        assert 0 < len(search.bounds) <= 50


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_normal_is_the_greedy_player_that_hard_is_measured_by(seats: int) -> None:
    normal, rng = robot_of(TRIGGLE, "normal"), random.Random(seats)
    state = TRIGGLE.start(Setup(seats=seats), Options(), Deal(first=0))
    while state.to_act >= 0:
        view, legal = TRIGGLE.view(state, state.to_act), TRIGGLE.legal(state, state.to_act)
        found = balances(view, legal)
        chosen = normal.choose(view, legal, rng, Questions(0))
        assert found[chosen] == max(found.values())
        state = TRIGGLE.play(state, state.to_act, chosen).state


def test_hard_beats_a_greedy_player_of_triggle() -> None:
    hard, rng = robot_of(TRIGGLE, "hard").choose, random.Random(2)
    ahead = 0
    for first in (0, 1, 0, 1):
        start = TRIGGLE.start(Setup(seats=2), Options(), Deal(first=first))
        result = played_out(TRIGGLE, start, [hard, greedy], rng, in_time=250)
        assert result is not None
        assert result.scores is not None
        ahead += result.scores[0] - result.scores[1]
    assert ahead > 0


# -- TRiNITY -------------------------------------------------------------------------------------------------------

SHORT = TrinityOptions(deck="short")


def trinity(one: Player, other: Player, question: Question = Question.GUESS, pile: str = "0123") -> TrinityState:
    """The first player's turn, the deck short."""
    return TrinityState(SHORT, (one, other), tuple(map(int, pile)), 0, question)


def chosen(level: str, state: TrinityState, seed: int = 0) -> Any:
    robot = robot_of(TRINITY, level)
    return robot.choose(TRINITY.view(state, 0), TRINITY.legal(state, 0), random.Random(seed), lambda: False)


def test_chances_count_the_ways_in_which_the_cards_not_seen_make_targets() -> None:
    one = held("1157", "023", area="99")
    other = msgspec.structs.replace(held("4", "663", area="8"), answers=(Hits(0, 1, (1, 2, 3), 1),))
    view = TRINITY.view(trinity(one, other), 0)
    seen = [1, 1, 5, 7, 0, 2, 3, 9, 9, 8]
    deck = [digit for digit in range(10) for _ in range(2)]
    for digit in seen:
        deck.remove(digit)
    ways = [cards for cards in permutations(deck, 3) if sum(map(eq, cards, (1, 2, 3))) == 1]
    chances = Chances(view, 1)
    assert chances.total == len(ways)
    for guess in [(6, 6, 3), (0, 2, 4), (4, 4, 3), (1, 2, 3)]:
        hits = Counter(sum(map(eq, cards, guess)) for cards in ways)
        assert chances.parts(guess) == tuple(hits[count] for count in range(4))


@pytest.mark.parametrize("level", ["normal", "hard"])
@pytest.mark.parametrize("seed", range(3))
def test_what_alone_is_possible_is_guessed(level: str, seed: int) -> None:
    # With two sixes open there is no third; one guess has told the rest.
    other = msgspec.structs.replace(held("4", "663", shown="6"), answers=(Hits(0, 1, (6, 6, 3), 3),))
    assert chosen(level, trinity(held("1", "024"), other), seed) == Guess(1, (6, 6, 3))


def test_a_beginner_guesses_nothing_that_the_last_answer_excludes() -> None:
    other = msgspec.structs.replace(held("4", "583"), answers=(Hits(0, 1, (1, 2, 3), 1), Hits(0, 1, (5, 8, 4), 2)))
    for seed in range(20):
        guess = chosen("easy", trinity(held("1", "024"), other), seed)
        assert sum(map(eq, guess.digits, (1, 2, 3))) == 1
        assert sum(map(eq, guess.digits, (5, 8, 4))) == 2


def test_in_danger_hard_changes_its_targets_and_those_that_are_known() -> None:
    misses = tuple(Hits(1, 0, (0, 2, digit), 2) for digit in (1, 3, 6, 8))
    known = msgspec.structs.replace(held("174", "025", shown="02"), answers=misses)
    state = trinity(known, held("49", "583"), Question.PLAY)
    card = chosen("hard", state)
    assert card.card == 1
    swap = chosen("hard", TRINITY.play(state, 0, card).state)
    assert isinstance(swap, Swap)
    assert swap.position in (0, 1)


def test_without_danger_hard_asks_for_what_tells_most() -> None:
    assert chosen("hard", trinity(held("147", "025"), held("49", "583"), Question.PLAY)).card == 7


def test_hard_needs_few_guesses_for_targets_that_never_change() -> None:
    rng, guesses, games = random.Random(3), 0, 6
    for _ in range(games):
        state = started(TRINITY, 2, rng)
        while TRINITY.to_act(state):
            seat = TRINITY.to_act(state)[0]
            legal = TRINITY.legal(state, seat)
            if seat == 0:
                action = robot_of(TRINITY, "hard").choose(TRINITY.view(state, 0), legal, rng, Questions(400))
                guesses += isinstance(action, Guess)
            else:
                harmless = [other for other in legal if getattr(other, "card", 9) > 1 and not isinstance(other, Guess)]
                action = rng.choice(harmless or legal)
            state = TRINITY.play(state, seat, action).state
    assert guesses <= 7 * games


# -- Chess ---------------------------------------------------------------------------------------------------------


def positions_of_chess(seats: int, seeds: range) -> Iterator[ChessState]:
    """What random games come by."""
    for seed in seeds:
        rng = random.Random(seed)
        state = chess_tables.game(seats=seats)
        for _ in range(160):
            if not CHESS.to_act(state):
                break
            yield state
            state = CHESS.play(state, CHESS.to_act(state)[0], rng.choice(legal_actions(state))).state


def moved(level: str, state: ChessState, in_time: int = 0) -> ChessAction:
    seat = CHESS.to_act(state)[0]
    robot = robot_of(CHESS, level)
    action: ChessAction = robot.choose(
        CHESS.view(state, seat), CHESS.legal(state, seat), random.Random(1), Questions(in_time)
    )
    return action


def takes_a_general(state: ChessState, action: ChessAction) -> bool:
    here = position_of_chess(state)
    return isinstance(action, Move | Rescue) and bool(BIT[action.target] & here.sets[GENERALS] & ~here.own[here.turn])


def mates(state: ChessState, action: ChessAction) -> bool:
    """Whether the player to move checkmates the next with it, and cannot be taken for it."""
    here = position_of_chess(state)
    step = CHESS.play(state, CHESS.to_act(state)[0], action)
    by = [event.by for event in step.events if isinstance(event, Checkmated)]
    return bool(by) and here.turn in by[0] and not exposure(here, coded(action))


@pytest.mark.parametrize("seats", [2, 3])
def test_every_level_takes_a_general_that_may_be_taken(seats: int) -> None:
    found = 0
    for state in positions_of_chess(seats, range(24)):
        if any(takes_a_general(state, action) for action in legal_actions(state)):
            found += 1
            for level in ("easy", "normal", "hard"):
                assert takes_a_general(state, moved(level, state)), state.position
    assert found >= 5


@pytest.mark.parametrize("seats", [2, 3])
def test_normal_and_hard_miss_no_checkmate_in_one(seats: int) -> None:
    found = 0
    for state in positions_of_chess(seats, range(8)):
        actions = legal_actions(state)
        if any(takes_a_general(state, action) for action in actions):
            continue
        if any(mates(state, action) for action in actions):
            found += 1
            for level in ("normal", "hard"):
                assert mates(state, moved(level, state)), state.position
    assert found >= 3


def test_the_position_of_the_view_is_not_played_on() -> None:
    state = chess_tables.game(seats=3)
    text = position_of_chess(state).text()
    moved("hard", state, 200)
    assert position_of_chess(state).text() == text == state.position


def test_hard_beats_easy_at_chess() -> None:
    rng, seats = random.Random(1), [robot_of(CHESS, level).choose for level in ("easy", "hard")]
    result = played_out(CHESS, chess_tables.game(seats=2), seats, rng, in_time=120)
    assert result is not None
    assert result.winners == (1,)


# -- Tournaments ---------------------------------------------------------------------------------------------------


def simulate(game: str, seats: int, robots: str) -> int:
    """The exit status of a tournament of four games, with next to no time to think."""
    return main(["simulate", game, "--seats", str(seats), "--games", "4", "--robots", robots, "--seconds", "0.001"])


def test_a_tournament_is_told_by_seat_and_level_with_its_confidence(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate("triggle", 2, "normal,random") == OK
    *_, normal, at_random = capsys.readouterr().out.splitlines()
    assert normal == "seat 1 normal: 4 points (100.0%, 95% 51.0% to 100.0%)"
    assert at_random == "seat 2 random: 0 points (0.0%, 95% 0.0% to 49.0%)"


@pytest.mark.parametrize(
    ("game", "robots", "told"),
    [
        ("triggle", "hard,divine", "option: level level=divine"),
        ("triggle", "hard", "option: robots robots="),
        ("triangulation", "easy,easy,easy,easy", "option: no_robot game=triangulation"),
    ],
)
def test_house_players_that_there_are_not_are_named(
    game: str, robots: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert simulate(game, 4 if game == "triangulation" else 2, robots) == USAGE
    assert capsys.readouterr().err.startswith(told)
