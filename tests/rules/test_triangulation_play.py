"""The course of the word game: rounds, guessing, scoring, every option. Each test proves a line of the rules sheet."""

from __future__ import annotations

import random

import pytest

from rules.game import BadDeal, BadHeader, BadOption, GameOver, Illegal, NotYourTurn, Unreadable, from_json, to_json
from rules.triangulation import GAME
from rules.triangulation.actions import Action, Agree, Choose, Clues, Flip, Guess, Judge, Pass, Volunteer
from rules.triangulation.state import Deal, Options, Outcome, Setup, State, Turn
from tests.rules.triangulation_tables import DECK, WRITTEN, after, played, seats_to_act, table, texts

INTERCEPTED = ("2 flip B", "2 guess Bible")
RECEIVED = ("2 flip B", "2 pass", "2 flip A", "2 pass", "3 guess Bible")


def refused(state: State, line: str) -> Illegal:
    with pytest.raises(Illegal) as refusal:
        after(state, line)
    return refusal.value


# -- A round -------------------------------------------------------------------------------------------------------


def test_both_insiders_choose_and_write_at_the_same_time() -> None:
    state = table()
    assert seats_to_act(state) == [1, 2]
    assert texts(state, 1) == [f"choose {number}" for number in range(1, 7)]
    state = after(state, "2 choose 3")
    assert texts(state, 2) == ["clues …"]
    assert texts(state, 1)[0] == "choose 1"


def test_cards_are_drawn_in_the_order_of_the_deal_team_1s_first() -> None:
    state = table()
    assert [GAME.view(state, seat).mission.card[0].text for seat in (0, 1)] == [  # type: ignore[union-attr]
        "Marie Curie",
        "Nelson Mandela",
    ]


def test_the_pile_starts_again_in_the_same_order() -> None:
    state = table()
    for _ in range(5):
        insiders = seats_to_act(state)
        state = after(state, *(f"{seat} choose 1" for seat in insiders))
        state = after(state, *(f"{seat} clues Ka | Po | Wow" for seat in insiders))
        while state.guessing is not None:
            seat = seats_to_act(state)[0]
            state = after(
                state,
                f"{seat} flip {'ABC'[len(state.guessing.flipped)]}" if state.guessing.must_flip else f"{seat} pass",
            )
        if state.result:
            break
    assert [done.message for done in state.finished][:7] == [
        "Marie Curie",
        "Nelson Mandela",
        "Frida Kahlo",
        "Usain Bolt",
        "Pele",
        "Marie Curie",
        "Nelson Mandela",
    ]


def test_the_choice_is_final() -> None:
    assert refused(after(table(), "1 choose 4"), "1 choose 2").facts["due"] == ("clues",)


def test_whoever_is_done_first_is_the_first_insider() -> None:
    state = after(table(), *WRITTEN[:2], WRITTEN[3], WRITTEN[2])
    assert state.guessing is not None
    assert state.known_mission(state.guessing.mission).insider == 1
    assert seats_to_act(state) == [1, 3]


def test_nobody_guesses_before_both_are_done() -> None:
    state, events = played(table(), *WRITTEN[:3])
    assert (seats_to_act(state), events) == ([2], ["done"])


def test_opponents_flip_and_guess_twice_then_the_teammates_guess_with_the_last_clue() -> None:
    state = after(table(), *WRITTEN)
    assert texts(state, 4) == ["flip A", "flip B", "flip C"]
    state, events = played(state, "4 flip B")
    assert (events, texts(state, 2)) == (["clue B John"], ["guess …", "pass"])
    state = after(state, "2 guess Robin Hood", "1 judge wrong")
    assert texts(state, 2) == ["flip A", "flip C"]
    state, events = played(state, "2 flip C", "4 guess The Beatles", "1 judge wrong")
    assert (events, seats_to_act(state)) == (["wrong", "clue A Book"], [3])
    state, events = played(state, "3 guess bible")
    assert events == ["right", "point 1", "message The Bible"]
    assert seats_to_act(state) == [1, 3], "teams changed round"


def test_the_other_insider_guesses_with_their_team_and_the_messages_own_does_not() -> None:
    state = after(table(), *WRITTEN, "2 flip B", "2 guess Robin Hood", "1 judge wrong")
    assert seats_to_act(state) == [2, 4]
    state = after(state, "2 flip A", "2 pass")
    assert seats_to_act(state) == [3]
    with pytest.raises(NotYourTurn):
        GAME.play(state, 0, Guess("Bible"))


def test_opponents_right_intercept_and_the_teammates_do_not_guess() -> None:
    state, events = played(after(table(), *WRITTEN), *INTERCEPTED)
    assert events == ["right", "point 2", "message The Bible"]
    assert (state.scores, state.finished[0].outcome) == ((0, 1), Outcome.INTERCEPTED)


def test_teammates_right_score() -> None:
    state, events = played(after(table(), *WRITTEN), *RECEIVED)
    assert events == ["right", "point 1", "message The Bible"]
    assert (state.scores, state.finished[0].outcome) == ((1, 0), Outcome.RECEIVED)


def test_teammates_wrong_lose_the_message_to_the_opponents() -> None:
    state, events = played(after(table(), *WRITTEN), *RECEIVED[:-1], "3 guess Koran", "1 judge wrong")
    assert events == ["wrong", "point 2", "message The Bible"]
    assert (state.scores, state.finished[0].outcome) == ((0, 1), Outcome.LOST)


def test_the_next_round_has_new_insiders() -> None:
    state = after(table(), *WRITTEN, *INTERCEPTED, "1 flip A", "1 guess white house")
    assert (state.round, seats_to_act(state), state.scores) == (2, [3, 4], (1, 1))


def test_a_declined_guess_counts_as_wrong_but_says_nothing() -> None:
    state, events = played(after(table(), *WRITTEN), "2 flip B", "2 pass")
    assert (events, texts(state, 2)) == ([], ["flip A", "flip C"])
    state, events = played(state, "2 flip C", "4 pass")
    assert events == ["clue A Book"]
    state, events = played(state, "3 pass")
    assert events == ["point 2", "message The Bible"]


def test_the_first_to_the_tokens_wins_at_once_in_the_middle_of_a_round() -> None:
    state = after(table(tokens=2), *WRITTEN, *INTERCEPTED, "1 flip A", "1 pass", "1 flip B", "3 pass")
    assert state.result is None
    state = after(state, "4 guess white house")
    assert state.result is not None
    assert (state.result.winners, state.result.scores, state.result.draw) == ((1, 3), (0, 2), False)
    assert seats_to_act(state) == []
    with pytest.raises(GameOver):
        GAME.play(state, 0, Pass())
    with pytest.raises(GameOver):
        GAME.leave(state, 0)


def test_a_win_by_the_first_message_leaves_the_second_unplayed() -> None:
    state = after(table(tokens=2), *WRITTEN, *INTERCEPTED, "1 flip A", "1 guess white house")
    state = after(state, "3 choose 1", "4 choose 1", "3 clues a | b | c", "4 clues a | b | c", "2 flip A")
    state = after(state, "2 guess Frida Kahlo")
    assert state.result is not None
    assert "Usain Bolt" not in to_json(GAME.view(state, 0))


# -- Options -------------------------------------------------------------------------------------------------------


def test_casual_announces_the_category() -> None:
    assert played(table(casual=True), "2 choose 3")[1] == ["category Place"]
    assert played(table(), "2 choose 3")[1] == []


def test_last_chance_gives_the_opponents_one_more_guess_with_all_clues_open() -> None:
    state = after(table(last_chance=True), *WRITTEN, *RECEIVED[:-1])
    state, events = played(state, "3 guess Koran", "1 judge wrong")
    assert (events, seats_to_act(state), texts(state, 2)) == (["wrong"], [2, 4], ["guess …", "pass"])
    assert played(state, "4 guess Bible")[1] == ["right", "point 2", "message The Bible"]
    lost, events = played(state, "4 guess Psalms", "1 judge wrong")
    assert (events, lost.scores, lost.finished[0].outcome) == (["wrong", "message The Bible"], (0, 0), Outcome.NOBODY)
    assert played(state, "4 pass")[1] == ["message The Bible"]


def test_last_chance_does_not_follow_a_right_guess() -> None:
    assert after(table(last_chance=True), *WRITTEN, *RECEIVED).scores == (1, 0)


def test_rotating_insiders_go_round_in_seat_order() -> None:
    state = table(5)
    insiders = []
    for _ in range(4):
        insiders.append(seats_to_act(state))
        state = skipped_round(state)
    assert insiders == [[1, 2], [3, 4], [2, 5], [1, 4]]


def skipped_round(state: State) -> State:
    """The state after a round in which both messages are received."""
    insiders = seats_to_act(state)
    state = after(state, *(f"{seat} choose 1" for seat in insiders))
    state = after(state, *(f"{seat} clues Ka | Po | Wow" for seat in insiders))
    while state.guessing is not None:
        seat, guessing = seats_to_act(state)[0], state.guessing
        if guessing.must_flip:
            state = after(state, f"{seat} flip {'ABC'[len(guessing.flipped)]}")
        elif guessing.turn is Turn.TEAMMATES:
            state = after(state, f"{seat} guess {state.message(guessing.mission).text}")
        else:
            state = after(state, f"{seat} pass")
    return state


def test_volunteers_come_forward_in_any_order_and_draw_in_that_order() -> None:
    state = table(5, insider="volunteer")
    assert [texts(state, seat) for seat in range(1, 6)] == [["insider"]] * 5
    state = after(state, "4 insider")
    assert seats_to_act(state) == [1, 3, 4, 5], "seat 2's team has its Insider"
    assert GAME.view(state, 3).mission.card[0].text == "Marie Curie"  # type: ignore[union-attr]
    state = after(state, "4 choose 1", "5 insider")
    assert GAME.view(state, 4).mission.card[0].text == "Nelson Mandela"  # type: ignore[union-attr]
    assert seats_to_act(state) == [4, 5]
    with pytest.raises(NotYourTurn):
        GAME.play(state, 0, Volunteer())


def test_the_insider_of_the_round_before_may_not_volunteer() -> None:
    state = after(table(5, insider="volunteer"), "3 insider", "2 insider")
    state = skipped_round(state)
    assert seats_to_act(state) == [1, 4, 5]
    state = skipped_round(after(state, "5 insider", "4 insider"))
    assert seats_to_act(state) == [1, 2, 3]


def test_agreed_guesses_count_when_another_agrees() -> None:
    state = after(table(lock_in="agreed"), *WRITTEN, "2 flip B")
    state, events = played(state, "2 guess Bible")
    assert events == ["proposes Bible"]
    assert (texts(state, 2), texts(state, 4)) == (["guess …", "pass"], ["guess …", "agree", "pass"])
    assert refused(state, "2 agree").rule == "not_now"
    assert played(state, "4 agree")[1] == ["right", "point 2", "message The Bible"]


def test_a_new_proposal_replaces_the_old() -> None:
    state = after(table(lock_in="agreed"), *WRITTEN, "2 flip B", "2 guess Bible", "4 guess Koran")
    state, events = played(state, "2 agree")
    assert events == ["ask"]
    assert state.guessing is not None
    assert state.guessing.ruling is not None
    assert (state.guessing.ruling.seat, state.guessing.ruling.text) == (3, "Koran")


def test_declining_is_proposed_and_agreed_too() -> None:
    state, events = played(after(table(lock_in="agreed"), *WRITTEN, "2 flip B"), "4 pass")
    assert events == ["proposes"]
    assert texts(after(state, "2 agree"), 2) == ["flip A", "flip C"]


def test_a_flip_needs_no_agreement() -> None:
    assert played(after(table(lock_in="agreed"), *WRITTEN), "2 flip B")[1] == ["clue B John"]


def test_who_is_alone_locks_in_at_once() -> None:
    state = after(table(lock_in="agreed"), *WRITTEN, "2 flip B", "2 pass", "4 agree", "2 flip A", "2 pass", "4 agree")
    assert played(state, "3 guess Bible")[1] == ["right", "point 1", "message The Bible"]
    three = after(table(3, first=0, lock_in="agreed"), "1 choose 4", WRITTEN[2], "2 flip A")
    assert played(three, "2 guess Bible")[1][0] == "right"


def test_strict_judging_asks_nobody() -> None:
    state = after(table(judging="strict"), *WRITTEN, "2 flip B")
    assert played(state, "2 guess Robin Hood")[1] == ["wrong"]
    assert played(state, "2 guess holy bible")[1][0] == "right"


def test_the_insider_rules_what_is_not_clear() -> None:
    state, events = played(after(table(), *WRITTEN, "2 flip B"), "4 guess Gospel")
    assert (events, seats_to_act(state), texts(state, 1)) == (["ask"], [1], ["judge right", "judge wrong"])
    assert played(state, "1 judge right")[1] == ["right", "point 2", "message The Bible"]
    with pytest.raises(NotYourTurn):
        GAME.play(state, 1, Judge(True))
    with pytest.raises(NotYourTurn):
        GAME.play(state, 3, Guess("Bible"))


def test_options_outside_the_sheet_are_refused() -> None:
    for wrong in ({"tokens": 1}, {"tokens": 9}, {"insider": "lot"}, {"judging": "nobody"}, {"lock_in": "all"}):
        with pytest.raises(BadOption):
            Options.of(wrong)
    assert list(Options.variants()) == ["tokens", "casual", "last_chance", "insider", "lock_in", "judging"]


# -- Three players -------------------------------------------------------------------------------------------------


THREE_WRITTEN = ("1 choose 4", "1 clues Book | John | Paul")
THREE_TO_TEAMMATE = ("2 flip A", "2 pass", "2 flip B", "2 pass")


def test_three_players_left_is_the_opponent_and_right_the_teammate() -> None:
    state = after(table(3, first=0), *THREE_WRITTEN)
    assert seats_to_act(state) == [2]
    assert seats_to_act(after(state, *THREE_TO_TEAMMATE)) == [3]


def test_three_players_insider_and_teammate_both_score() -> None:
    state, events = played(table(3, first=0), *THREE_WRITTEN, *THREE_TO_TEAMMATE, "3 guess Bible")
    assert events == ["right", "point 1", "point 3", "message The Bible"]
    assert state.scores == (1, 0, 1)


def test_three_players_the_opponent_scores_alone() -> None:
    state = after(table(3, first=0), *THREE_WRITTEN)
    assert after(state, "2 flip A", "2 guess Bible").scores == (0, 1, 0)
    assert after(state, *THREE_TO_TEAMMATE, "3 pass").scores == (0, 1, 0)


def test_three_players_last_chance() -> None:
    state = after(table(3, first=0, last_chance=True), *THREE_WRITTEN, *THREE_TO_TEAMMATE, "3 pass")
    assert seats_to_act(state) == [2]
    assert after(state, "2 guess Bible").scores == (0, 1, 0)
    assert after(state, "2 pass").scores == (0, 0, 0)


def test_three_players_the_opponent_is_the_next_insider() -> None:
    for first in range(3):
        state = table(3, first=first)
        seat = first + 1
        left = (first + 1) % 3 + 1
        state = after(
            state, f"{seat} choose 4", f"{seat} clues Book | John | Paul", f"{left} flip A", f"{left} guess bible"
        )
        assert seats_to_act(state) == [left]


def test_three_players_one_who_reaches_the_goal_wins_alone() -> None:
    state = after(table(3, first=0, tokens=2), *THREE_WRITTEN, *THREE_TO_TEAMMATE, "3 guess Bible")
    state = after(state, "2 choose 2", "2 clues Cave | Cape | Robin", "3 flip A", "3 pass", "3 flip B", "3 pass")
    state, events = played(state, "1 guess Batman")
    assert events == ["right", "point 1", "point 2", "message Batman"]
    assert state.result is not None
    assert (state.result.winners, state.result.scores) == ((0,), (2, 1, 1))


def test_three_players_equal_goals_at_the_same_time_are_shared() -> None:
    state = after(table(3, first=0, tokens=2), *THREE_WRITTEN, "2 flip A", "2 guess Bible")
    state = after(
        state, "2 choose 2", "2 clues Cave | Cape | Robin", "3 flip A", "3 pass", "3 flip B", "3 pass", "1 pass"
    )
    state = after(state, "3 choose 1", "3 clues Frau | Mexico | Eyebrow", "1 flip A", "1 pass", "1 flip B", "1 pass")
    state = after(state, "2 guess Frida Kahlo")
    assert state.result is not None
    assert (state.result.winners, state.result.scores, state.result.draw) == ((1, 2), (0, 2, 2), False)


# -- What is refused -----------------------------------------------------------------------------------------------


def test_all_refused_clues_are_named_and_nothing_is_lost() -> None:
    state = after(table(), "2 choose 2")
    refusal = refused(state, "2 clues Bat | Cave | Manly")
    assert (refusal.rule, repr(refusal.facts["faults"])) == ("clues", "(A:word, C:word)")
    assert after(state, "2 clues Joker | Cave | Robin").missions[1] is not None


@pytest.mark.parametrize("count", [1, 2, 4])
def test_exactly_three_clues(count: int) -> None:
    state = after(table(), "1 choose 1")
    refusal = refused(state, "1 clues " + " | ".join(["word"] * count))
    assert (refusal.rule, refusal.facts) == ("three_clues", {"count": count})


@pytest.mark.parametrize(
    ("guess", "fault"),
    [
        ("…", "empty"),
        ("the", "empty"),
        ("\u200b", "empty"),
        ("x" * 101, "long"),
        ("a\nb", "lines"),
        ("\x01a", "character"),
    ],
)
def test_guesses_that_are_none(guess: str, fault: str) -> None:
    state = after(table(), *WRITTEN, "2 flip B")
    with pytest.raises(Illegal) as refusal:
        GAME.play(state, 1, Guess(guess))
    assert (refusal.value.rule, refusal.value.facts) == ("guess", {"fault": fault})


def test_a_clue_that_is_open_is_not_flipped_again() -> None:
    state = after(table(), *WRITTEN, "2 flip B", "2 pass")
    assert refused(state, "4 flip B").rule == "clue_open"
    with pytest.raises(Illegal):
        GAME.play(state, 1, Flip(3))


def test_what_is_not_due_is_refused() -> None:
    assert refused(table(), "1 clues a | b | c").facts["due"] == ("choose",)
    assert refused(after(table(), *WRITTEN), "2 guess Bible").facts["due"] == ("flip",)
    assert refused(after(table(), *WRITTEN, "2 flip A"), "4 flip B").facts["due"] == ("guess", "pass")
    assert refused(after(table(), *WRITTEN, "2 flip A"), "4 agree").rule == "not_now"
    with pytest.raises(Illegal):
        GAME.play(table(), 0, Choose(6))


def test_two_flip_at_once_and_the_second_has_to_guess() -> None:
    state = after(table(), *WRITTEN, "2 flip A")
    assert refused(state, "4 flip A").rule == "not_now"


def test_a_setup_that_cannot_be() -> None:
    deal = Deal(order=tuple(range(len(DECK.cards))))
    for teams in (((0, 1), (2, 2)), ((0,), (1, 2, 3)), ((0, 1, 2, 3),), ((1, 0), (2, 3)), ((0, 1), (2, 4))):
        with pytest.raises(BadHeader):
            GAME.start(Setup(seats=4, teams=teams, deck=DECK), Options(), deal)
    with pytest.raises(BadHeader):
        GAME.start(Setup(seats=3, teams=((0, 1), (2,)), deck=DECK), Options(), Deal(order=deal.order, first=0))
    for wrong in (Deal(order=(0, 1)), Deal(order=deal.order, first=1), Deal(order=(0, 0, 1, 2, 3))):
        with pytest.raises(BadDeal):
            GAME.start(Setup(seats=4, deck=DECK), Options(), wrong)
    with pytest.raises(BadDeal):
        GAME.start(Setup(seats=3, deck=DECK), Options(), deal)


# -- Seats and teams -----------------------------------------------------------------------------------------------


def seated(wishes: list[str | None], seed: int = 3) -> tuple[tuple[int, ...], Setup]:
    """Who sits where, and the setup."""
    seating = GAME.seating(wishes, Options(), {"deck": DECK}, random.Random(seed))
    assert isinstance(seating.setup, Setup)
    assert sorted(seating.order) == list(range(len(wishes)))
    return seating.order, seating.setup


def teams_of(wishes: list[str | None]) -> tuple[set[int], set[int]]:
    order, setup = seated(wishes)
    GAME.start(setup, Options(), GAME.deal(setup, Options(), random.Random(3)))
    one, two = ({order[seat] for seat in team} for team in setup.teams)
    return one, two


def test_people_pick_a_team_or_are_dealt_to_one_balanced() -> None:
    one, two = teams_of(["2", None, None, "2", None, None, None])
    assert {0, 3} <= two
    assert {len(one), len(two)} == {3, 4}
    assert teams_of(["1", "1", "1", "2", "2"]) == ({0, 1, 2}, {3, 4})
    assert {len(team) for team in teams_of([None] * 20)} == {10}


def test_a_team_of_one_cannot_play() -> None:
    with pytest.raises(BadHeader):
        teams_of(["1", "1", "1", "2"])
    with pytest.raises(BadHeader):
        teams_of(["1", "1", "1", None])


def test_seats_go_by_turns_between_the_teams() -> None:
    order, setup = seated(["1", "1", "2", "2", "1"])
    assert (order, setup.teams) == ((0, 2, 1, 3, 4), ((0, 2, 4), (1, 3)))


def test_three_players_choose_no_teams() -> None:
    assert GAME.wishes(3, Options()) == {}
    assert list(GAME.wishes(4, Options())) == ["1", "2"]
    assert seated([None] * 3)[1].teams == ()


# -- Texts, headers, JSON, what cannot be unseen -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "action", "canonical"),
    [
        (" INSIDER ", Volunteer(), "insider"),
        ("choose 4", Choose(3), "choose 4"),
        ("Choose 4.", Choose(3), "choose 4"),
        ("choose the bible", Choose(3), "choose 4"),
        ("choose scripture", Choose(3), "choose 4"),
        ("clues Book|John |  Paul", Clues(("Book", "John", "Paul")), "clues Book | John | Paul"),
        ("FLIP b", Flip(1), "flip B"),
        ("guess  Robin  Hood ", Guess("Robin  Hood"), "guess Robin  Hood"),
        ("guess A | B", Guess("A | B"), "guess A | B"),
        ("agree", Agree(), "agree"),
        ("Pass", Pass(), "pass"),
        ("decline", Pass(), "pass"),
        ("judge RIGHT", Judge(True), "judge right"),
        ("judge wrong", Judge(False), "judge wrong"),
    ],
)
def test_texts_are_read_forgivingly_and_written_canonically(text: str, action: Action, canonical: str) -> None:
    state = table()
    assert GAME.parse(state, 0, text) == action
    assert GAME.text(action) == canonical
    assert GAME.parse(state, 0, canonical) == action
    assert from_json(to_json(action), GAME.Action) == action


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sing",
        "guess",
        "flip",
        "flip D",
        "flip AB",
        "choose",
        "choose Hamlet",
        "judge",
        "judge maybe",
        "agree x",
        "pass now",
    ],
)
def test_texts_that_name_no_action(text: str) -> None:
    with pytest.raises(Unreadable):
        GAME.parse(table(), 0, text)


def test_a_message_is_only_named_by_who_holds_the_card() -> None:
    with pytest.raises(Unreadable):
        GAME.parse(table(), 1, "choose the bible")


def test_headers_round_trip() -> None:
    for seats in (3, 4, 9):
        rng = random.Random(seats)
        _, setup = seated([None] * seats)
        deal = GAME.deal(setup, Options(), rng)
        headers = GAME.headers(setup, deal)
        assert GAME.read_headers(seats, Options(), headers) == (setup, deal)
        assert [header.name for header in headers][:2] == (["First", "Deck"] if seats == 3 else ["Teams", "Deck"])


def test_what_cannot_be_unseen() -> None:
    state = after(table(lock_in="agreed"), *WRITTEN, "2 flip B")
    assert not GAME.unveils(state, 1, Guess("Bible"))
    assert not GAME.unveils(state, 1, Pass())
    assert GAME.unveils(after(state, "2 guess Bible"), 3, Agree())
    assert GAME.unveils(after(table(), *WRITTEN), 1, Flip(0))
    assert GAME.unveils(after(table(), *WRITTEN, "2 flip B"), 1, Guess("Bible"))


@pytest.mark.parametrize("seats", [3, 4, 5, 20])
@pytest.mark.parametrize(
    "options", [{}, {"insider": "volunteer", "lock_in": "agreed"}, {"judging": "strict", "casual": True}]
)
def test_states_and_events_turn_to_json_and_back(seats: int, options: dict[str, str | int | bool]) -> None:
    rng = random.Random(seats)
    state = table(seats, 0 if seats == 3 else None, DECK, **options)
    for _ in range(60):
        assert from_json(to_json(state), GAME.State) == state
        if state.result is not None:
            break
        seat = rng.choice(GAME.to_act(state))
        action = rng.choice(GAME.legal(state, seat))
        step = GAME.play(state, seat, action.sample(rng) if hasattr(action, "sample") else action)
        for event in step.events:
            assert from_json(to_json(event), GAME.Event) == event
        state = step.state


def test_the_insiders_own_legal_actions_make_legal_samples() -> None:
    state = after(table(), "2 choose 2")
    (clues,) = GAME.legal(state, 1)
    for seed in range(20):
        GAME.play(state, 1, clues.sample(random.Random(seed)))  # type: ignore[union-attr]
