"""Triggle, rule by rule; and the whole of it against a second program that knows sets of pegs and nothing of bits."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rules.game import BadDeal, BadHeader, BadOption, Header, Illegal, Left, NotYourTurn, Refusal, Result, Unreadable
from rules.triggle import GAME
from rules.triggle.board import Board, board
from rules.triggle.parts import (
    COLOURS,
    NOBODY,
    Closed,
    Deal,
    Ended,
    Options,
    Piece,
    Place,
    Placed,
    PlacedBand,
    Setup,
    State,
)
from rules.triggle.play import Cover, empty, numbers, place, tables
from rules.triggle.playout import play_out
from rules.triggle.turn import end_of_bands

TWO_LINES = ("D1-D4", "D4-D7")


def start(seats: int = 2, first: int = 0, **options: Any) -> State:
    return GAME.start(Setup(seats=seats), Options.of(options), Deal(first=first))


def after(state: State, *bands: str) -> State:
    for band in bands:
        state = GAME.play(state, state.to_act, Place(band)).state
    return state


def legal(state: State) -> list[str]:
    return [action.band for action in GAME.legal(state, state.to_act)]


def refusal(state: State, band: str) -> Illegal:
    with pytest.raises(Illegal) as caught:
        GAME.play(state, state.to_act, Place(band))
    return caught.value


def at_random(state: State, rng: random.Random, bands: int = 999) -> State:
    while state.to_act != NOBODY and len(state.bands) < bands:
        state = GAME.play(state, state.to_act, rng.choice(GAME.legal(state, state.to_act))).state
    return state


def with_every_line_but_the_middle_one(**options: Any) -> State:
    """Every segment is covered but those of row D: each band there closes six triangles."""
    state = start(bands=30, pieces=60, **options)
    while others := [band for band in legal(state) if not (band[0] == band[3] == "D")]:
        state = after(state, others[0])
    return state


# -- The board -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "pegs", "segments", "triangles", "bands"),
    [(3, 19, 42, 24, 12), (4, 37, 90, 54, 48), (5, 61, 156, 96, 102), (6, 91, 240, 150, 174)],
)
def test_a_board_has_as_many_pegs_segments_triangles_and_bands_as_the_table_says(
    side: int, pegs: int, segments: int, triangles: int, bands: int
) -> None:
    this = board(side)
    assert (len(this.pegs), len(this.segments), len(this.triangles), len(this.bands)) == (
        pegs,
        segments,
        triangles,
        bands,
    )


def test_rows_are_lettered_from_the_top_and_pegs_numbered_from_the_left() -> None:
    rows = board(4).rows
    assert "".join(rows) == "ABCDEFG"
    assert [len(pegs) for pegs in rows.values()] == [4, 5, 6, 7, 6, 5, 4]
    assert rows["C"] == ("C1", "C2", "C3", "C4", "C5", "C6")


def test_numbers_compare_as_numbers() -> None:
    this = board(6)
    assert this.rows["F"][8:] == ("F9", "F10", "F11")
    assert "F7-F10" in this.bands
    assert list(this.bands).index("F7-F10") < list(this.bands).index("F8-F11")
    ends = list(this.other_ends["F7"])
    assert ends.index("F4") < ends.index("F10")


def test_neighbouring_pegs_of_every_segment_are_one_unit_apart() -> None:
    for side in (4, 5, 6):
        this = board(side)
        for first, second in this.segments:
            one, two = this.pegs[first], this.pegs[second]
            assert (one.x - two.x) ** 2 + (one.y - two.y) ** 2 == pytest.approx(1)
        assert sum(peg.x for peg in this.pegs.values()) == pytest.approx(0)


def test_a_band_lies_over_four_pegs_in_a_straight_line() -> None:
    this = board(4)
    assert this.bands["A1-A4"].pegs == ("A1", "A2", "A3", "A4")
    assert this.bands["A1-D4"].pegs == ("A1", "B2", "C3", "D4")
    assert this.bands["A4-D4"].pegs == ("A4", "B4", "C4", "D4")
    assert this.bands["D4-G1"].pegs == ("D4", "E3", "F2", "G1")
    for band in this.bands.values():
        pegs = [this.pegs[name] for name in band.pegs]
        steps = {(two.q - one.q, two.r - one.r) for one, two in itertools.pairwise(pegs)}
        assert len(steps) == 1
        assert len(band.segments) == 3


def test_a_triangle_is_named_by_its_pegs_in_order() -> None:
    this = board(4)
    assert "A1+B1+B2" in this.triangles
    assert "A1+A2+B2" in this.triangles
    assert list(this.triangles)[:3] == ["A1+A2+B2", "A1+B1+B2", "A2+A3+B3"]
    for triangle in this.triangles.values():
        assert {frozenset(this.segments[side]) for side in triangle.segments} == {
            frozenset(pair) for pair in itertools.combinations(triangle.pegs, 2)
        }


# -- Counts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "counts"),
    [
        ({}, (48, 900, 25_872, 867_576)),
        ({"overlap": "free"}, (48, 900, 25_908, 871_128)),
        ({"side": 5}, (102, 2_436, 94_512)),
    ],
)
def test_there_are_as_many_sequences_of_bands_as_two_other_programs_count(
    options: Mapping[str, Any], counts: tuple[int, ...]
) -> None:
    state = start(**options)
    assert tuple(GAME.perft(state, depth) for depth in range(1, len(counts) + 1)) == counts


def test_counting_the_last_level_at_once_counts_as_playing_it_does() -> None:
    state = start(bands=6, pieces=10)
    assert GAME.perft(state, 2) == sum(len(legal(after(state, band))) for band in legal(state))
    over = at_random(state, random.Random(5))
    assert GAME.perft(over, 1) == 0


@pytest.mark.parametrize(("bands", "value"), [(3, 0), (4, -1), (5, -2), (6, -2)])
def test_on_a_board_of_side_three_the_second_player_gains_what_an_exact_search_says(bands: int, value: int) -> None:
    these = tables(3, False)

    @cache
    def best(cover: Cover, left: int) -> int:
        if end_of_bands(these, cover, 2, left):
            return 0
        following = [place(these, cover, band) for band in numbers(cover.legal)]
        return max((new.closed ^ cover.closed).bit_count() - best(new, left - 1) for new in following)

    assert best(empty(these), 2 * bands) == value


# -- A turn --------------------------------------------------------------------------------------------------------


def test_the_first_band_may_lie_anywhere() -> None:
    assert legal(start()) == list(board(4).bands)


def test_a_band_must_share_a_peg_with_a_band_on_the_board() -> None:
    state = after(start(), "A1-A4")
    caught = refusal(state, "D1-D4")
    assert (caught.code, caught.rule, caught.facts) == ("illegal", "touches_nothing", {"band": "D1-D4"})
    assert "A1-D4" in legal(state)


def test_touching_another_band_with_one_end_is_enough() -> None:
    assert "A4-D7" in legal(after(start(), "A1-A4"))


def test_a_band_may_overlap_another_if_it_reaches_a_new_peg() -> None:
    assert "D2-D5" in legal(after(start(), "D1-D4"))


def test_a_band_over_exactly_the_same_four_pegs_is_forbidden() -> None:
    for overlap in ("segment", "free"):
        caught = refusal(after(start(overlap=overlap), "D1-D4"), "D1-D4")
        assert (caught.rule, caught.facts) == ("there_already", {"band": "D1-D4"})


def test_a_band_must_cover_a_segment_that_no_band_covers_yet() -> None:
    state = after(start(), *TWO_LINES)
    for band in ("D2-D5", "D3-D6"):
        assert refusal(state, band).rule == "nothing_new"
        assert band not in legal(state)


def test_with_overlap_free_only_the_same_four_pegs_are_forbidden() -> None:
    state = after(start(overlap="free"), *TWO_LINES)
    assert {"D2-D5", "D3-D6"} <= set(legal(state))
    assert not set(TWO_LINES) & set(legal(state))
    assert refusal(after(start(overlap="free"), "A1-A4"), "D1-D4").rule == "touches_nothing"


def test_a_pair_of_pegs_that_is_no_band_is_refused_in_text_and_in_play() -> None:
    with pytest.raises(Illegal) as caught:
        GAME.parse(start(), 0, "A1-A3")
    assert (caught.value.rule, caught.value.facts) == ("no_band", {"band": "A1-A3"})
    assert refusal(start(), "A1-A3").rule == "no_band"


def test_a_refused_band_changes_nothing() -> None:
    state = after(start(), *TWO_LINES)
    for band in ("D1-D4", "D2-D5", "A1-A3"):
        refusal(state, band)
    assert state == after(start(), *TWO_LINES)


def test_only_the_player_whose_turn_it_is_places_a_band() -> None:
    with pytest.raises(NotYourTurn) as caught:
        GAME.play(start(first=1), 0, Place("A1-A4"))
    assert caught.value.facts == {"to_act": (1,)}


def test_closing_triangles_gives_no_extra_turn() -> None:
    state = after(start(), "A1-A4", "A1-D4")
    step = GAME.play(state, 0, Place("A2-D2"))
    assert Closed(0, ("A1+A2+B2",)) in step.events
    assert step.state.to_act == 1


def test_who_closes_a_triangle_puts_a_piece_in_it_whoever_began_it() -> None:
    state = after(start(), "A1-A4", "A1-D4", "A2-D2")
    assert GAME.view(state, None).pieces == (Piece("A1+A2+B2", 0),)


def test_only_unit_triangles_count() -> None:
    # The three sides of the large triangle A1, D1, D4 are covered, no small one is closed.
    state = after(start(), "A1-D1", "A1-D4", "D1-D4")
    assert set(state.owners) == {NOBODY}


def test_one_band_closes_up_to_six_triangles() -> None:
    state = with_every_line_but_the_middle_one()
    six = ("C2+D2+D3", "C3+D3+D4", "C4+D4+D5", "D2+D3+E2", "D3+D4+E3", "D4+D5+E4")
    assert GAME.play(state, state.to_act, Place("D2-D5")).events == (
        Placed(state.to_act, "D2-D5"),
        Closed(state.to_act, six),
    )
    assert max(at_most_closed(side) for side in (4, 5, 6)) == 6


def at_most_closed(side: int) -> int:
    return max(len(around) for around in tables(side, False).triangles)


def test_a_triangle_with_an_owner_is_never_closed_again() -> None:
    state = with_every_line_but_the_middle_one(overlap="free")
    state = after(state, "D2-D5")
    step = GAME.play(state, state.to_act, Place("D3-D6"))
    assert [event for event in step.events if isinstance(event, Closed)] == [
        Closed(state.to_act, ("C5+D5+D6", "D5+D6+E5"))
    ]


def test_pieces_are_placed_in_order_of_the_triangles_names_until_they_run_out() -> None:
    state = with_every_line_but_the_middle_one()
    seat = state.to_act
    owners = [NOBODY if owner == seat else owner for owner in state.owners]
    free_ones = [triangle for triangle, owner in enumerate(owners) if state.owners[triangle] == seat]
    for triangle in free_ones[:8]:
        owners[triangle] = seat
    assert owners.count(seat) == 8
    short = replace(state, options=replace(state.options, pieces=10), owners=tuple(owners))
    step = GAME.play(short, seat, Place("D2-D5"))
    assert step.events == (Placed(seat, "D2-D5"), Closed(seat, ("C2+D2+D3", "C3+D3+D4")), Ended("last_piece"))
    assert GAME.closes(short, Place("D2-D5")) == ("C2+D2+D3", "C3+D3+D4")
    assert step.state.owners.count(seat) == 10
    assert step.state.result is not None
    assert step.state.result.winners == (seat,)


# -- Bands and pieces ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "bands"), [(2, 10), (3, 12), (4, 12)])
def test_there_are_ten_bands_each_for_two_players_and_twelve_for_more(seats: int, bands: int) -> None:
    assert start(seats).bands_left == (bands,) * seats
    assert start(seats, bands=7).bands_left == (7,) * seats


def test_the_starting_player_is_drawn_by_lot() -> None:
    rng = random.Random(1)
    drawn = {GAME.deal(Setup(seats=4), Options(), rng).first for _ in range(100)}
    assert drawn == {0, 1, 2, 3}
    assert start(4, first=2).to_act == 2


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("side", 3),
        ("side", 7),
        ("bands", 5),
        ("bands", 31),
        ("bands", "many"),
        ("pieces", 9),
        ("pieces", 61),
        ("overlap", "none"),
        ("goal", "least"),
        ("colour", "red"),
    ],
)
def test_an_option_out_of_range_is_refused_by_name(option: str, value: str | int) -> None:
    with pytest.raises(BadOption) as caught:
        Options.of({option: value})
    assert caught.value.facts["option"] == option


# -- The end -------------------------------------------------------------------------------------------------------


def test_who_places_the_last_of_their_pieces_wins_at_once() -> None:
    wins = 0
    for seed in range(40):
        state = at_random(start(4, pieces=10, bands=12), random.Random(seed))
        if state.end == "last_piece":
            wins += 1
            assert state.result is not None
            assert state.result.scores is not None
            assert state.result.winners == (state.placers[-1],)
            assert state.result.scores[state.placers[-1]] == 10
            assert sum(state.bands_left) > 0
    assert wins > 10


def test_two_players_go_on_until_both_have_placed_their_last_band() -> None:
    state = at_random(start(pieces=60), random.Random(3), bands=19)
    assert state.end is None
    state = at_random(state, random.Random(3))
    assert (state.end, len(state.bands), state.bands_left) == ("last_band", 20, (0, 0))


def test_two_players_stop_when_every_triangle_has_an_owner() -> None:
    state = at_random(start(bands=30, pieces=60), random.Random(3))
    assert state.end == "board_full"
    assert NOBODY not in state.owners
    assert min(state.bands_left) > 0


def test_two_players_stop_when_no_band_is_legal() -> None:
    # Only where a line is too short for a band can this come before every triangle is closed: on the board of side 3.
    these = tables(3, False)
    cover = empty(these)
    while cover.legal:
        cover = place(these, cover, numbers(cover.legal)[0])
    assert cover.closed != these.all_triangles
    assert end_of_bands(these, cover, 2, 5) == "no_band"


def test_three_or_four_players_stop_when_the_bands_left_can_close_no_open_triangle() -> None:
    for seats, seed in itertools.product((3, 4), range(20)):
        state, rng = start(seats, bands=6), random.Random(seed)
        while state.end is None:
            assert closable(state)
            state = at_random(state, rng, len(state.bands) + 1)
        assert state.end == "nothing_to_close"
        assert not closable(state)


@pytest.mark.parametrize(("bands_left", "end"), [((1, 1, 1), None), ((1, 1, 0), "nothing_to_close")])
def test_a_triangle_with_two_uncovered_sides_needs_two_bands(bands_left: tuple[int, ...], end: str | None) -> None:
    state = after(replace(start(3), bands_left=bands_left), "A1-A4")
    assert (state.end, sum(state.bands_left)) == (end, sum(bands_left) - 1)


def closable(state: State) -> bool:
    """Whether some open triangle has no more uncovered sides than there are bands left."""
    this = board(state.options.side)
    covered = {side for band in state.bands for side in this.bands[this.names.bands[band]].segments}
    missing = [len(set(triangle.segments) - covered) for triangle in this.triangles.values()]
    return any(0 < sides <= sum(state.bands_left) for sides in missing)


def test_most_pieces_win_and_equal_scores_share_the_win() -> None:
    shared = 0
    for seed in range(60):
        result = at_random(start(3), random.Random(seed)).result
        assert result is not None
        assert result.scores is not None
        assert not result.draw
        if max(result.scores) < 21:
            assert result.winners == tuple(seat for seat in range(3) if result.scores[seat] == max(result.scores))
            shared += len(result.winners) > 1
    assert shared > 0


def test_with_the_goal_fewest_the_fewest_pieces_win_and_pieces_never_run_out() -> None:
    state = at_random(start(bands=30, pieces=10, goal="fewest"), random.Random(8))
    result = state.result
    assert result is not None
    assert result.scores is not None
    assert (state.end, sum(result.scores)) == ("board_full", 54)
    assert result.winners == (result.scores.index(min(result.scores)),)
    assert GAME.view(state, None).pieces_left is None


# -- Leaving -------------------------------------------------------------------------------------------------------


def test_a_player_who_leaves_keeps_pieces_and_gets_no_more_turns() -> None:
    state = after(start(3), "A1-A4", "A1-D4", "A2-D2")
    step = GAME.leave(state, 2)
    assert GAME.view(step.state, None).pieces == (Piece("A1+A2+B2", 2),)
    assert step.state.bands_left == (11, 11, 0)
    assert (step.state.to_act, step.state.left) == (0, (2,))
    later = at_random(step.state, random.Random(1))
    assert 2 not in later.placers[3:]
    assert set(later.placers[3:]) == {0, 1}


def test_when_a_player_leaves_in_their_own_turn_the_next_one_moves() -> None:
    assert GAME.leave(start(4, first=1), 1).state.to_act == 2
    assert GAME.leave(GAME.leave(start(4), 1).state, 0).state.to_act == 2


def test_a_player_who_has_left_cannot_win() -> None:
    state = after(start(3, bands=6), "A1-A4", "A1-D4", "A2-D2")
    left = GAME.leave(state, 2).state
    lone = replace(left, owners=tuple(2 for _ in left.owners))
    result = at_random(GAME.leave(lone, 1).state, random.Random(1)).result
    assert result == Result((0,), scores=(0, 0, 54))
    for seed in range(20):
        over = at_random(left, random.Random(seed))
        assert over.result is not None
        assert 2 not in over.result.winners


def test_when_one_player_is_left_that_player_wins() -> None:
    step = GAME.leave(after(start(), "A1-A4"), 0)
    assert step.state.result == Result((1,), scores=(0, 0))
    assert step.events[1:] == (Ended("last_player"),)
    assert step.state.to_act == NOBODY


def test_which_end_rule_holds_goes_by_the_seats_at_the_start() -> None:
    ends = set()
    for seed in range(30):
        state = GAME.leave(at_random(start(3, bands=6), random.Random(seed), bands=3), 1).state
        ends.add(at_random(state, random.Random(seed)).end)
    assert ends == {"nothing_to_close"}


def test_a_leaving_that_takes_the_bands_away_can_end_the_game() -> None:
    step = GAME.leave(replace(start(3), bands_left=(1, 1, 1)), 2)
    assert step.events == (Left(2), Ended("nothing_to_close"))
    assert step.state.result == Result((0, 1), scores=(0, 0, 0))


def test_nobody_leaves_twice_or_after_the_end() -> None:
    state = GAME.leave(start(3), 1).state
    with pytest.raises(Illegal) as caught:
        GAME.leave(state, 1)
    assert caught.value.rule == "left"
    over = GAME.leave(state, 0).state
    with pytest.raises(Refusal) as after_the_end:
        GAME.leave(over, 2)
    assert after_the_end.value.code == "over"
    with pytest.raises(NotYourTurn):
        GAME.leave(start(2), 2)


def test_there_are_no_draws_by_agreement() -> None:
    with pytest.raises(Illegal) as caught:
        GAME.offer_draw(start(), 0)
    assert caught.value.rule == "no_draws"


# -- Text ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "A1-D4",
        "a1-d4",
        "a1 d4",
        "D4-A1",
        "d4a1",
        "a1d4",
        "A1 – D4",
        "a1>d4",
        "  a1 , d4  ",
        "Ａ１－Ｄ４",
        "ａ１　ｄ４",
        "A 1 - D 4",
        "(A1/D4)",
        "a01-d04",
        "從A1到D4",
    ],
)
def test_a_band_is_read_in_any_case_order_and_width(text: str) -> None:
    assert GAME.parse(start(), 0, text) == Place("A1-D4")


@pytest.mark.parametrize(
    "text",
    ["", " ", "A1", "A1-", "A1-D4-G7", "AA1-D4", "1A-4D", "A-D", "band", "A1-D4 x", "A1-D4444", "?" * 4000, "а1-d4"],
)
def test_nonsense_is_unreadable_and_quoted_shortly(text: str) -> None:
    with pytest.raises(Unreadable) as caught:
        GAME.parse(start(), 0, text)
    assert caught.value.facts["text"] == text[:40]


def test_four_thousand_characters_are_answered_at_once() -> None:
    for text in ("A1" * 2000, "A" * 4000, "1" * 4000, "\ufdfa" * 4000, "-" * 3998 + "A1"):
        with pytest.raises(Unreadable):
            GAME.parse(start(), 0, text)
    assert GAME.parse(start(), 0, "-" * 3995 + "A1-D4") == Place("A1-D4")


@pytest.mark.parametrize(
    ("text", "rule", "facts"),
    [
        ("A1-A3", "no_band", {"band": "A1-A3"}),
        ("a1 a1", "no_band", {"band": "A1-A1"}),
        ("A1-D3", "no_band", {"band": "A1-D3"}),
        ("A5-D4", "no_peg", {"peg": "A5", "side": 4}),
        ("A1-Z9", "no_peg", {"peg": "Z9", "side": 4}),
        ("A0-A3", "no_peg", {"peg": "A0", "side": 4}),
    ],
)
def test_pegs_that_are_none_or_make_no_band_are_named(text: str, rule: str, facts: Mapping[str, object]) -> None:
    with pytest.raises(Illegal) as caught:
        GAME.parse(start(), 0, text)
    assert (caught.value.rule, caught.value.facts) == (rule, facts)


@given(st.text(max_size=40))
def test_any_text_is_read_as_a_band_of_the_board_or_refused(text: str) -> None:
    try:
        action = GAME.parse(start(), 0, text)
    except (Unreadable, Illegal):
        return
    assert action.band in board(4).bands


# -- Setup, headers, view ------------------------------------------------------------------------------------------


def test_colours_are_by_default_those_of_the_box_in_order() -> None:
    assert Setup(seats=3).colours == ("blue", "green", "yellow")
    assert GAME.headers(Setup(seats=3), Deal(first=1)) == (Header("First", "2"),)


def test_chosen_colours_stand_in_a_record() -> None:
    setup, deal = Setup(seats=2, colours=("orange", "blue")), Deal(first=0)
    headers = GAME.headers(setup, deal)
    assert headers == (Header("First", "1"), Header("Colours", "orange blue"))
    assert GAME.read_headers(2, Options(), headers) == (setup, deal)


@pytest.mark.parametrize(
    "colours", [("blue",), ("blue", "blue"), ("blue", "red"), ("blue", "green", "yellow"), ("blue", "green", "green")]
)
def test_colours_must_be_of_the_box_and_different(colours: tuple[str, ...]) -> None:
    with pytest.raises(BadHeader) as caught:
        GAME.start(Setup(seats=2, colours=colours), Options(), Deal(first=0))
    assert caught.value.rule == "colours"
    with pytest.raises(BadHeader):
        GAME.read_headers(2, Options(), [Header("First", "1"), Header("Colours", " ".join(colours))])


@pytest.mark.parametrize("value", ["", "0", "3", "one", "１", "01", "1 2"])
def test_the_first_player_must_be_one_of_the_seats(value: str) -> None:
    with pytest.raises(BadDeal) as caught:
        GAME.read_headers(2, Options(), [Header("First", value, 3)])
    assert caught.value.line == 3


def test_a_deal_or_a_number_of_seats_that_cannot_be_is_refused() -> None:
    with pytest.raises(BadDeal):
        GAME.start(Setup(seats=2), Options(), Deal(first=2))
    for seats in (1, 5):
        with pytest.raises(BadHeader):
            GAME.start(Setup(seats=seats), Options(), Deal(first=0))


def test_headers_missing_or_given_twice_are_refused() -> None:
    with pytest.raises(BadHeader) as missing:
        GAME.read_headers(2, Options(), [])
    assert missing.value.facts == {"header": "First"}
    with pytest.raises(BadHeader) as twice:
        GAME.read_headers(2, Options(), [Header("First", "1", 3), Header("First", "1", 4)])
    assert (twice.value.rule, twice.value.line) == ("twice", 4)


def test_people_get_the_colour_they_wish_for_and_the_others_the_first_free_one() -> None:
    seating = GAME.seating([None, "blue", None], Options(), {}, random.Random(0))
    assert seating.order == (0, 1, 2)
    assert seating.setup == Setup(seats=3, colours=("green", "blue", "yellow"))
    assert set(GAME.wishes(3, Options())) == set(COLOURS)


@pytest.mark.parametrize(("wishes", "rule"), [(["blue", "blue"], "colour_taken"), (["red", None], "no_colour")])
def test_two_people_cannot_have_one_colour(wishes: list[str | None], rule: str) -> None:
    with pytest.raises(BadHeader) as caught:
        GAME.seating(wishes, Options(), {}, random.Random(0))
    assert caught.value.rule == rule


def test_the_view_shows_the_whole_position_to_everybody() -> None:
    state = after(start(), "A1-A4", "A1-D4", "A2-D2")
    view = GAME.view(state, None)
    assert view == GAME.view(state, 0) == GAME.view(state, 1)
    assert (view.side, list(view.seats), view.colours) == (4, [0, 1], ("blue", "green"))
    assert view.bands == (PlacedBand("A1-A4", 0), PlacedBand("A1-D4", 1), PlacedBand("A2-D2", 0))
    assert (view.last, view.closed) == (PlacedBand("A2-D2", 0), ("A1+A2+B2",))
    assert (view.scores, view.pieces_left, view.bands_left) == ((1, 0), (20, 21), (8, 9))
    assert (view.to_act, view.left, view.end, view.result) == ((1,), (), None, None)
    assert list(view.legal) == legal(state)


def test_the_view_of_a_game_that_is_over_says_why_and_offers_nothing() -> None:
    view = GAME.view(GAME.leave(after(start(), "A1-A4"), 1).state, None)
    assert (view.to_act, view.legal, view.end) == ((), (), "last_player")
    assert view.result == Result((0,), scores=(0, 0))
    assert view.last == PlacedBand("A1-A4", 0)


def test_what_a_band_would_close_is_what_it_closes() -> None:
    rng = random.Random(4)
    for bands in range(20):
        state = at_random(start(), rng, bands)
        for action in GAME.legal(state, state.to_act):
            closed = [
                event.triangles for event in GAME.play(state, state.to_act, action).events if isinstance(event, Closed)
            ]
            assert GAME.closes(state, action) == (closed[0] if closed else ())


def test_records_tell_closed_triangles_and_leavings_and_nothing_else() -> None:
    step = GAME.play(after(start(), "A1-A4", "A1-D4"), 0, Place("A2-D2"))
    assert [GAME.said(event) for event in (Placed(0, "A2-D2"), Closed(0, ("A1+A2+B2",)))] == [None, "closes 1"]
    assert [GAME.said(event) for event in (Left(0), Ended("last_player"))] == ["left 1", None]
    assert step.events == (Placed(0, "A2-D2"), Closed(0, ("A1+A2+B2",)))


# -- The fast path and a second program ----------------------------------------------------------------------------

OPTIONS = st.fixed_dictionaries(
    {
        "side": st.sampled_from([4, 4, 5, 6]),
        "bands": st.one_of(st.just("rulebook"), st.integers(6, 30)),
        "pieces": st.one_of(st.just(21), st.integers(10, 60)),
        "overlap": st.sampled_from(["segment", "free"]),
        "goal": st.sampled_from(["most", "fewest"]),
    }
)


@settings(max_examples=150, deadline=None)
@given(
    OPTIONS, st.integers(2, 4), st.integers(0, 3), st.integers(0, 60), st.booleans(), st.randoms(use_true_random=False)
)
def test_random_games_without_states_end_as_those_through_the_contract(
    options: dict[str, Any], seats: int, first: int, bands: int, leaves: bool, rng: random.Random
) -> None:
    state = at_random(start(seats, first % seats, **options), rng, bands)
    if leaves and state.end is None:
        state = GAME.leave(state, rng.randrange(seats)).state
    if state.end is None:
        seed = rng.random()
        assert play_out(state, random.Random(seed)) == at_random(state, random.Random(seed)).result


class Pegboard:
    """A second program: sets of pegs, and the rules sheet's sentences as they stand."""

    def __init__(self, this: Board, state: State) -> None:
        self.pegs = {name: frozenset(band.pegs) for name, band in this.bands.items()}
        self.segments = {name: {*map(frozenset, itertools.pairwise(band.pegs))} for name, band in this.bands.items()}
        self.triangles = {
            name: {*map(frozenset, itertools.combinations(triangle.pegs, 2))}
            for name, triangle in this.triangles.items()
        }
        self.options = state.options
        self.placed: list[str] = []
        self.covered: set[frozenset[str]] = set()
        self.owner: dict[str, int] = {}
        self.bands_left = list(state.bands_left)

    def legal(self) -> list[str]:
        return [band for band in self.pegs if self.may_be_placed(band)]

    def may_be_placed(self, band: str) -> bool:
        if band in self.placed:
            return False
        touches = any(self.pegs[band] & self.pegs[other] for other in self.placed)
        new = self.options.overlap == "free" or not self.segments[band] <= self.covered
        return new and (touches or not self.placed)

    def place(self, seat: int, band: str) -> None:
        before = set(self.covered)
        self.placed.append(band)
        self.covered |= self.segments[band]
        self.bands_left[seat] -= 1
        for triangle, sides in self.triangles.items():
            if sides <= self.covered and not sides <= before and self.pieces_left(seat):
                self.owner[triangle] = seat

    def pieces_left(self, seat: int) -> int:
        return 999 if self.options.goal == "fewest" else self.options.pieces - self.score(seat)

    def score(self, seat: int) -> int:
        return list(self.owner.values()).count(seat)

    def over(self) -> bool:
        seats = range(len(self.bands_left))
        if not all(self.pieces_left(seat) for seat in seats):
            return True
        missing = [len(sides - self.covered) for sides in self.triangles.values()]
        if len(seats) == 2:
            return not any(self.bands_left) or not self.legal() or not any(missing)
        return not any(0 < sides <= sum(self.bands_left) for sides in missing)


@settings(max_examples=25, deadline=None)
@given(OPTIONS, st.integers(2, 4), st.randoms(use_true_random=False))
def test_whole_games_go_as_a_second_program_says(options: dict[str, Any], seats: int, rng: random.Random) -> None:
    state = start(seats, rng.randrange(seats), **options)
    this = board(state.options.side)
    pegboard = Pegboard(this, state)
    while state.end is None:
        assert not pegboard.over()
        assert legal(state) == pegboard.legal()
        band, seat = rng.choice(legal(state)), state.to_act
        state = GAME.play(state, seat, Place(band)).state
        pegboard.place(seat, band)
        assert {piece.triangle: piece.seat for piece in GAME.view(state, None).pieces} == pegboard.owner
    assert pegboard.over()
    assert state.result is not None
    assert state.result.scores == tuple(pegboard.score(seat) for seat in range(seats))
