"""Records: what is written is read back, and what cannot stand is refused at its line."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TypeVar

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rules import record, triggle
from rules.game import Ambiguous, Header, Illegal, NotYourTurn, Refusal
from rules.record import DRAW_OFFER, LEAVE, Entry, Reading, Record
from rules.triggle.parts import Deal, Options, Place, Setup

GAME = triggle.GAME
HEADER = "Game: triggle\nSeats: 3\nOptions: bands=8 overlap=free\nFirst: 2\n"
PLAYED = HEADER + "\n2 A1-A4\n3 A1-D4\n2 leaves\n1 D4-A4\n"
RECORD = Record(
    GAME,
    Options(bands=8, overlap="free"),
    Setup(seats=3),
    Deal(first=1),
    (Entry(1, Place("A1-A4")), Entry(2, Place("A1-D4")), Entry(1, LEAVE), Entry(0, Place("A4-D4"))),
)


def refused(text: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        record.read(text)
    return caught.value


def place_of(refusal: Refusal) -> tuple[int | None, str, str]:
    return refusal.line, refusal.code, refusal.rule


# -- Reading what is right -----------------------------------------------------------------------------------------


def test_a_record_is_read() -> None:
    assert record.read(PLAYED) == RECORD


def test_a_record_is_written_in_canonical_text_and_read_back() -> None:
    assert record.write(RECORD) == PLAYED.replace("D4-A4", "A4-D4")
    assert record.read(record.write(RECORD)) == RECORD


def test_options_are_written_in_the_order_of_the_rules_sheet_and_read_in_any() -> None:
    turned = PLAYED.replace("bands=8 overlap=free", "overlap=free   bands=8 side=4")
    assert record.read(turned) == RECORD
    assert "\nOptions: bands=8 overlap=free\n" in record.write(record.read(turned))


def test_options_at_their_defaults_are_not_written() -> None:
    assert record.write(record.read("Game: triggle\nSeats: 2\nFirst: 1\n")) == "Game: triggle\nSeats: 2\nFirst: 1\n\n"


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_lines_end_with_lf_cr_lf_or_cr(ending: str) -> None:
    assert record.read(PLAYED.replace("\n", ending)) == RECORD


@pytest.mark.parametrize("no_ending", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_nothing_else_ends_a_line(no_ending: str) -> None:
    assert place_of(refused(HEADER + f"\n2 A1-A4{no_ending}3 A1-D4\n")) == (6, "unreadable", "no_two_pegs")


def test_a_byte_order_mark_is_dropped() -> None:
    assert record.read(record.decode(b"\xef\xbb\xbf" + PLAYED.encode())) == RECORD


def test_the_last_line_needs_no_ending() -> None:
    assert record.read(PLAYED.rstrip()) == RECORD


def test_comments_and_blank_lines_are_skipped() -> None:
    text = (
        "# one\n" + HEADER.replace("First", "# two\nFirst") + "\n\n# three\n2 A1-A4\n  \n3 A1-D4\n\n2 leaves\n1 A4D4\n#"
    )
    assert record.read(text) == RECORD


def test_a_comment_does_not_end_the_header_and_a_blank_line_does() -> None:
    assert record.read(PLAYED.replace("Seats", "#\nSeats")) == RECORD
    assert place_of(refused("\n" + PLAYED)) == (1, "header", "missing")
    assert place_of(refused(PLAYED.replace("First", "\nFirst"))) == (4, "header", "missing")


def test_headers_that_people_add_are_kept_and_ignored() -> None:
    text = PLAYED.replace("First", "Event: A: Tuesday night\nNames:  Ann | Bob | 陳\nFirst")
    read = record.read(text)
    assert read.extra == (Header("Event", "A: Tuesday night"), Header("Names", "Ann | Bob | 陳"))
    assert record.read(record.write(read)) == read
    assert [ply.step for ply in record.replay(read)] == [ply.step for ply in record.replay(RECORD)]


def test_a_header_that_somebody_typed_cannot_begin_a_line() -> None:
    sly = Record(GAME, Options(), Setup(seats=2), Deal(first=0), extra=(Header("Event", "x\n\r\n2 leaves"),))
    assert record.read(record.write(sly)).entries == ()
    assert record.read(record.write(sly)).extra == (Header("Event", "x 2 leaves"),)


def test_replaying_gives_every_state_and_what_led_to_it() -> None:
    plies = list(record.replay(RECORD))
    assert [ply.number for ply in plies] == [0, 1, 2, 3, 4]
    assert [ply.entry for ply in plies] == [None, *RECORD.entries]
    assert plies[0].step.state == RECORD.start()
    state = RECORD.start()
    for ply in plies[1:]:
        assert ply.entry is not None
        assert ply.step == record.apply(GAME, state, ply.entry)
        state = ply.step.state
    assert list(Reading(PLAYED).plies()) == plies


def test_an_entry_is_a_seat_counted_from_one_and_an_action() -> None:
    assert record.entry_text(GAME, Entry(1, Place("A1-D4"))) == "2 A1-D4"
    assert record.entry_text(GAME, Entry(0, LEAVE)) == "1 leaves"
    assert record.entry_text(GAME, Entry(2, DRAW_OFFER)) == "3 draw"


# -- Refusing what is wrong ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "code", "rule"),
    [
        ("", 1, "header", "missing"),
        ("\n", 1, "header", "missing"),
        ("Game: ludo\nSeats: 2\n", 1, "game", "unknown"),
        ("Game: Triggle\nSeats: 2\n", 1, "game", "unknown"),
        ("Game:\nSeats: 2\n", 1, "game", "unknown"),
        ("Seats: 2\nFirst: 1\n\n1 A1-A4\n", 3, "header", "missing"),
        ("Game: triggle\nFirst: 1\n\n", 3, "header", "missing"),
        ("Game: triggle\nSeats: 2\n\n1 A1-A4\n", 3, "header", "missing"),
        ("Game: triggle\nSeats: 5\nFirst: 1\n", 2, "header", "seats"),
        ("Game: triggle\nSeats: two\nFirst: 1\n", 2, "header", "seats"),
        ("Game: triggle\nSeats: ２\nFirst: 1\n", 2, "header", "seats"),
        ("Game: triggle\nSeats: 2\nSeats: 2\nFirst: 1\n", 3, "header", "twice"),
        ("Game: triggle\nGame: triggle\nSeats: 2\nFirst: 1\n", 2, "header", "twice"),
        ("Game: triggle\nSeats: 2\nFirst: 1\nFirst: 1\n", 4, "header", "twice"),
        ("Game: triggle\nSeats: 2\nFirst: 1\n1 A1-A4\n", 4, "header", "no_name"),
        ("Game: triggle\nSeats: 2\n: 1\n", 3, "header", "no_name"),
        ("Game: triggle\nSeats: 2\nFirst: 3\n", 3, "deal", "no_seat"),
        ("Game: triggle\nSeats: 2\nFirst: 0\n", 3, "deal", "no_seat"),
        ("Game: triggle\nSeats: 2\nOptions: side=7\nFirst: 1\n", 3, "option", "value"),
        ("Game: triggle\nSeats: 2\nFirst: 1\nOptions: bands=５\n", 4, "option", "value"),
        ("Game: triggle\nSeats: 2\nOptions: wide=4\nFirst: 1\n", 3, "option", "unknown"),
        ("Game: triggle\nSeats: 2\nOptions: side\nFirst: 1\n", 3, "option", "no_value"),
        ("Game: triggle\nSeats: 2\nOptions: side=4 side=5\nFirst: 1\n", 3, "option", "twice"),
        (HEADER + "\n2 A1-A4\nA1-D4\n", 7, "unreadable", "no_seat"),
        (HEADER + "\n2 A1-A4\n3\n", 7, "unreadable", "no_seat"),
        (HEADER + "\n2 A1-A4\n3: A1-D4\n", 7, "unreadable", "no_seat"),
        (HEADER + "\n２ A1-A4\n", 6, "unreadable", "no_seat"),
        (HEADER + "\n2 A1-A4\n3 nonsense\n", 7, "unreadable", "no_two_pegs"),
        (HEADER + "\n1 A1-A4\n", 6, "turn", "turn"),
        (HEADER + "\n1 nonsense\n", 6, "turn", "turn"),
        (HEADER + "\n0 A1-A4\n", 6, "turn", "turn"),
        (HEADER + "\n4 leaves\n", 6, "turn", "turn"),
        (HEADER + "\n2 A1-A3\n", 6, "illegal", "no_band"),
        (HEADER + "\n# here\n\n2 A1-A4\n3 D1-D4\n", 9, "illegal", "touches_nothing"),
        (HEADER + "\n2 draw\n", 6, "illegal", "no_draws"),
        (HEADER + "\n2 leaves\n2 leaves\n", 7, "illegal", "left"),
        (HEADER + "\n2 leaves\n2 A1-A4\n", 7, "turn", "turn"),
        (HEADER + "\n2 leaves\n1 leaves\n3 A1-A4\n", 8, "over", "over"),
        (HEADER + "\n2 leaves\n1 leaves\n3 leaves\n", 8, "over", "over"),
        (HEADER + "\n2 leaves\n1 leaves\nnonsense\n", 8, "unreadable", "no_seat"),
    ],
)
def test_what_cannot_stand_is_refused_at_its_line(text: str, line: int, code: str, rule: str) -> None:
    assert place_of(refused(text)) == (line, code, rule)


def test_bytes_that_are_no_utf_8_are_refused_at_their_line() -> None:
    with pytest.raises(Refusal) as caught:
        record.decode(b"Game: triggle\r\nSeats: 2\rNames: \xe9va\n")
    assert place_of(caught.value) == (3, "unreadable", "not_utf_8")


def test_nothing_after_the_refused_line_is_read() -> None:
    plies = Reading(HEADER + "\n2 A1-A4\n2 A1-D4\n3 A1-D4\n").plies()
    assert [next(plies).number, next(plies).number] == [0, 1]
    with pytest.raises(NotYourTurn):
        next(plies)
    assert list(plies) == []


def test_a_refusal_is_told_with_line_code_and_facts_and_seats_from_one() -> None:
    assert record.refusal_text(refused(HEADER + "\n1 A1-A4\n")) == "line 6: turn: turn to_act=2"
    assert record.refusal_text(Illegal("left", seat=0).at(3)) == "line 3: illegal: left seat=1"
    assert record.refusal_text(Ambiguous(("a", "b")).at(4)) == "line 4: ambiguous: ambiguous candidates=a,b"
    told = record.refusal_text(refused("Game: triggle\nSeats: 2\nOptions: bands=31\nFirst: 1\n"))
    assert told == "line 3: option: value option=bands value=31 choices=rulebook numbers=6-30"


Read = TypeVar("Read")


def read_or_refused(read: Callable[[str], Read], text: str) -> Read | Refusal:
    try:
        return read(text)
    except Refusal as refusal:
        return refusal


LINES = st.lists(
    st.one_of(
        st.sampled_from([*PLAYED.split("\n"), "Options: side=5", "Colours: blue green orange", "3 draw", "1 leaves"]),
        st.text(max_size=12),
    ),
    max_size=12,
)


@given(LINES.map("\n".join))
@example("Game: triggle\nSeats: 2\nFirst: 1\n\n1 " + "9" * 5000)
@example("Game: triggle\nSeats: " + "9" * 5000)
@example("Game: triggle\nSeats: 2\nOptions: bands=" + "9" * 5000 + "\nFirst: 1\n")
@example("Game: triggle\nSeats: 2\nFirst: " + "9" * 5000)
def test_any_text_is_read_or_refused_at_a_line_of_it(text: str) -> None:
    outcome = read_or_refused(record.read, text)
    if isinstance(outcome, Refusal):
        assert outcome.line is not None
        assert 1 <= outcome.line <= len(text) + 1
        assert record.refusal_text(outcome).startswith(f"line {outcome.line}: {outcome.code}: ")
    else:
        assert record.read(record.write(outcome)) == outcome


@given(LINES)
def test_the_header_alone_or_with_more_lines_is_read_alike(lines: list[str]) -> None:
    text = HEADER + "\n" + "\n".join(lines)
    assert Reading(text).record == Reading(HEADER).record


# -- Committing to a deal ------------------------------------------------------------------------------------------


def test_the_lines_of_chance_are_the_headers_that_the_game_names() -> None:
    setup = Setup(seats=2, colours=("orange", "blue"))
    assert record.chance_lines(GAME, setup, Deal(first=1)) == ("First: 2",)


def test_a_commitment_is_the_digest_of_the_salt_and_the_lines_each_ended_by_a_newline() -> None:
    expected = hashlib.sha256(b"salt\nFirst: 2\nDeck: 1 2 3\n").hexdigest()
    assert record.commitment(["First: 2", "Deck: 1 2 3"], "salt") == expected
