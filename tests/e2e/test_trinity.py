"""TRiNITY played by people through the stand-in: secrets, letters, questions, and what goes wrong."""

import asyncio
import re
from dataclasses import replace

from bot.playground.driver import Person, Shown
from rules.game import to_json
from rules.trinity.state import Question
from tests.e2e.evening import Evening
from tests.rules.trinity_tables import held
from tests.rules.trinity_tables import table as position

NAMES = ("Ada", "Ben", "Dora")


async def own(evening: Evening, person: Person) -> list[int]:
    """The hand of a person, as the rules have it."""
    table = await evening.table()
    return sorted(table.view(table.seat_of(int(person.id))).own.hand)


async def choose_targets(evening: Evening, *names: str) -> None:
    """These people keep their first three cards, ascending."""
    for name in names:
        hand = await own(evening, evening[name])
        answer = await evening[name].slash("trinity keep", targets=" ".join(map(str, hand[:3])))
        assert answer.private


async def play_until(evening: Evening, question: Question, seats: int = 2) -> Person:
    """A table in the middle of a game, in which somebody is now asked this; returns who."""
    hands = (held("0123456", "863"), held("47", "258"), held("59", "114"))[:seats]
    table = await evening.table()
    state = position(*hands, pile="9876543210")
    made = {"state": to_json(state), "seat_turns": [table.turn] * seats, "told_turn": 0}
    await evening.bot.store.mark_shown(table.id, made)
    for text in LEADING[question]:
        table = await evening.table()
        await evening.bot.tables.act(table.id, table.people[table.to_act[0]], None, text)
    await evening.bot.showing.show_anew(1)
    return await evening.whose_turn()


LEADING = {
    Question.PLAY: (),
    Question.DISCARD_TARGETS: ("play 0",),
    Question.ARRANGE: ("play 0", "discard 1 3"),
    Question.SWAP: ("play 1",),
    Question.ORDER: ("play 4",),
    Question.DISCARD: ("play 2 @2",),
    Question.GUESS: ("play 3",),
}
"""From a position in which the first seat is to play a card."""


async def test_three_choose_their_targets_by_letter_at_the_table_and_by_command(evening: Evening) -> None:
    await evening.open("trinity", "Ben", "Dora")
    ada, ben, dora = (evening[name] for name in NAMES)

    hand = await own(evening, ada)
    letter = ada.dm[-1]
    assert "Choose three" in letter.text
    assert len(letter.pictures) == 1
    ada.go(evening.people.world.direct(ada.id))  # type: ignore[arg-type]
    for digit in hand[:3]:
        await ada.press(f"{digit} ")
    done = await ada.press("Confirm")
    assert done.private
    assert "Your targets: " + " ".join(map(str, hand[:3])) in ada.dm[-2].text + ada.dm[-1].text

    await ben.press("Choose targets")
    hand = await own(evening, ben)
    for digit in hand[:3]:
        await ben.press(f"{digit} ")
    await ben.press("① ")  # takes the first one back
    last = ben.private[-1]
    assert [label for label in last.labels if label.startswith("Confirm")] == []
    await ben.press(f"{hand[0]} ")
    confirmed = await ben.press(f"Confirm {hand[1]} {hand[2]} {hand[0]}")
    assert f"Your targets: {hand[1]} {hand[2]} {hand[0]}" in confirmed.text

    offered = await dora.autocomplete("trinity keep", "targets", "")
    hand = await own(evening, dora)
    assert set(offered[0].value.split()) <= {str(digit) for digit in hand}
    answer = await dora.slash("trinity keep", targets=offered[0].value)
    assert answer.private
    board = await evening.board()
    assert "plays a card" in board.text
    assert board.mentions == [(await evening.whose_turn()).name]


async def test_targets_chosen_twice_or_not_from_the_hand_are_refused(evening: Evening) -> None:
    ada = await evening.open("trinity", "Ben")
    hand = await own(evening, ada)
    missing = next(digit for digit in range(10) if digit not in hand)
    before = await evening.table()
    for targets in (f"{missing} {hand[0]} {hand[1]}", "1 2", "x", "1 2 3 4"):
        answer = await ada.slash("trinity keep", targets=targets)
        assert answer.private
        assert (await evening.table()).state == before.state
    await choose_targets(evening, "Ada")
    again = await ada.slash("trinity keep", targets=" ".join(map(str, hand[:3])))
    assert "not your turn" in again.text


async def test_two_choose_at_once_and_neither_spoils_the_others_form(evening: Evening) -> None:
    await evening.open("trinity", "Ben")
    ada, ben = evening["Ada"], evening["Ben"]
    for person in (ada, ben):
        hand = await own(evening, person)
        await person.press("Choose targets")
        for digit in hand[:3]:
            await person.press(f"{digit} ")
    answers = await asyncio.gather(ada.press("Confirm"), ben.press("Confirm"))
    for answer, person in zip(answers, (ada, ben), strict=True):
        assert f"{person.name} has chosen targets." in answer.text
    assert (await evening.table()).view(None).question in (Question.PLAY, Question.GUESS)


async def test_a_turn_of_card_and_guess_by_controls(evening: Evening) -> None:
    await evening.open("trinity", "Ben")
    person = await play_until(evening, Question.PLAY)
    other = (await evening.others())[0]
    cards = await person.press("Play a card")
    assert cards.private
    assert "Your hand: 0 Hostess, 1 Doctor" in cards.text
    assert "Draw one card." in cards.text
    played = await person.choose("Play a card", "5 Capitalist")
    assert f"{person.name} plays 5 Capitalist." in played.text
    assert "Guess:" in played.text
    assert "2 guesses left" in (await evening.board()).text
    for digits in ("258", "259")[::-1]:
        await person.press("Guess")
        assert person.form is not None
        assert person.form.title == f"Guess {other.name}"
        answer = await person.submit({f"Position {at + 1}": digit for at, digit in enumerate(digits)})
        assert answer.private
    assert "2 5 8** – **TRiNITY!" in answer.text
    assert "TRiNITY!" in (await evening.board()).text


async def test_what_is_answered_stands_on_the_table(evening: Evening) -> None:
    await evening.open("trinity", "Ben")
    person = await play_until(evening, Question.GUESS)
    other = (await evening.others())[0]
    answer = await person.slash("trinity guess", digits="289")
    assert answer.private
    said = f"{person.name} guesses {other.name}: **2 8 9** – **1 right**."
    assert said in answer.text
    board = await evening.board()
    assert said in board.text
    assert "Last guess 2 8 9: 1 right." in str(board.pictures[0].description)


async def test_with_three_the_form_asks_whom_and_the_notebook_knows_the_answer(evening: Evening) -> None:
    await evening.open("trinity", "Ben", "Dora")
    person = await play_until(evening, Question.GUESS, 3)
    other = (await evening.others())[1]
    await person.press("Guess")
    await person.submit({"Opponent": other.name, "Position 1": "9", "Position 2": "9", "Position 3": "9"})
    assert f"{person.name} guesses {other.name}: **9 9 9**" in (await evening.board()).text
    notes = await person.press("Notebook")
    assert notes.private
    assert f"{person.name} guessed 9 9 9: " in notes.text
    assert len(notes.message.pictures) == 1  # type: ignore[union-attr]


async def test_a_journalist_asks_for_opponent_and_digit(evening: Evening) -> None:
    """Menus in sequence, all in the same private answer."""
    await evening.open("trinity", "Ben", "Dora")
    person = await play_until(evening, Question.PLAY, 3)
    await person.press("Play a card")
    whom = await person.choose("Play a card", "6 Journalist")
    assert "On whom" in whom.text
    other = (await evening.others())[0]
    digit = await person.press(other.name)
    assert "For which digit?" in digit.text
    back = await person.press("Another card")
    assert "Play a card" in back.text
    await person.choose("Play a card", "6 Journalist")
    await person.press(other.name)
    done = await person.choose(None, "7 Politician", message=person.private[-1])
    assert f"{person.name} plays 6 Journalist on {other.name}." in done.text


async def test_a_restart_in_the_middle_of_every_question(evening: Evening) -> None:
    """What was asked before the restart is answered after it, by the letter's own controls."""
    await evening.open("trinity", "Ben")
    for question in LEADING:
        person = await play_until(evening, question)
        letter, before = [one for one in person.dm if not one.private][-1], await evening.table()
        await evening.restart()
        person.go(evening.people.world.direct(person.id))  # type: ignore[arg-type]
        await answer_by_letter(person, question, letter)
        after = await evening.table()
        assert after.turn == before.turn + 1, question
        assert after.view(None).question is not question or question is Question.GUESS
        person.go(evening.people.channel(await evening.board()))


async def answer_by_letter(person: Person, question: Question, letter: Shown) -> None:
    """Answer what a letter asks, with the first thing that it offers."""
    if question is Question.GUESS:
        await person.press("Decline", message=letter)
        await person.press("Give up this guess")
    elif question is Question.SWAP:
        await person.press("Position 2", message=letter)
        choices = person.private[-1]
        await (person.press(choices.labels[0]) if not choices.menus else person.choose(None, first(choices)))
    elif question in (Question.PLAY, Question.ARRANGE, Question.ORDER):
        asked = await person.press(letter.labels[0], message=letter)
        assert asked.message is not None
        await person.choose(None, first(asked.message))
    else:
        await person.press(letter.labels[0], message=letter)


async def test_a_restart_while_targets_are_chosen(evening: Evening) -> None:
    """Also in the middle of choosing: the buttons carry what was chosen so far."""
    await evening.open("trinity", "Ben")
    ben = evening["Ben"].go(evening.people.world.direct(evening["Ben"].id))  # type: ignore[arg-type]
    hand = await own(evening, ben)
    await ben.press(f"{hand[0]} ")
    await evening.restart()
    await ben.press(f"{hand[1]} ")
    await ben.press(f"{hand[4]} ")
    await ben.press(f"Confirm {hand[0]} {hand[1]} {hand[4]}")
    table = await evening.table()
    assert table.state.players[table.seat_of(int(ben.id))].targets == (hand[0], hand[1], hand[4])


def first(shown: Shown) -> str:
    return next(iter(shown.menus[0].options))


async def test_the_victim_is_asked_at_the_table_and_by_letter(evening: Evening) -> None:
    await evening.open("trinity", "Ben", "Dora")
    victim = await play_until(evening, Question.DISCARD, 3)
    table = await evening.table()
    assert table.to_act != (table.view(None).turn,)
    board = await evening.board()
    assert board.mentions == [victim.name]
    assert "Give up a card" in board.labels
    assert "You have to give up a card" in victim.dm[-1].text
    for other in await evening.others():
        refused = await other.press_late(board, "Give up a card")
        assert refused.private
        assert "not your turn" in refused.text
    asked = await victim.press("Give up a card", message=board)
    assert asked.private
    hand = await own(evening, victim)
    done = await victim.press(f"{hand[0]} ")
    assert f"{victim.name} gives up {hand[0]} " in done.text
    assert f"{victim.name} gives up {hand[0]} " in (await evening.board()).text


async def test_somebody_elses_cards_cannot_be_had_by_any_control(evening: Evening) -> None:
    await evening.open("trinity", "Ben")
    ada, dora = evening["Ada"], evening["Dora"]
    board = await evening.board()
    dora.go(evening.people.channel(ada.where))
    for label in ("My cards", "Choose targets"):
        answer = await dora.press(label, message=board)
        assert answer.private
        assert answer.text.startswith("You have no seat at this table.")
    assert await dora.autocomplete("trinity keep", "targets", "") == []
    assert await dora.autocomplete("trinity play", "card", "") == []


async def test_closed_direct_messages_are_told_and_my_cards_works(evening: Evening) -> None:
    evening["Ben"].close_dms()
    await evening.open("trinity", "Ben", "Dora")
    ben = evening["Ben"]
    board = await evening.board()
    assert "I cannot write to Ben." in board.text
    assert ben.dm == []
    cards = await ben.press("My cards", message=board)
    assert cards.private
    hand = await own(evening, ben)
    assert all(f"{digit} " in cards.text for digit in hand)
    for digit in hand[:3]:
        await ben.press(f"{digit} ")
    await ben.press("Confirm")
    await choose_targets(evening, "Ada", "Dora")
    assert (await evening.table()).view(None).question in (Question.PLAY, Question.GUESS)
    assert "I cannot write to Ben." in (await evening.board()).text


async def test_whatever_keeps_a_letter_back_the_game_goes_on_and_my_cards_brings_it_when_it_can(
    evening: Evening,
) -> None:
    """Conversations opened too fast (40003), no server in common (50278): the table says so until both have theirs."""
    for code in (40003, 50278):
        evening.people.faults.refuse("POST /users/@me/channels", code)
    await evening.open("trinity", "Ben", "Dora")
    table, board = await evening.table(), await evening.board()
    by_seat = [next(one for one in evening.people if one.id == str(person)) for person in table.people]
    assert f"I cannot write to {by_seat[0].name} and {by_seat[1].name}." in board.text
    assert [len(one.dm) for one in by_seat] == [0, 0, 1]
    for one in by_seat[:2]:
        assert "Your hand: " in (await one.press("My cards")).text
        assert one.dm == []  # not tried again so soon
    evening.clock.advance(61)
    for one in by_seat[:2]:
        assert (await one.press("My cards")).private
        assert "Choose three" in one.dm[-1].text
    assert "I cannot write" not in (await evening.board()).text
    assert [len(one.dm) for one in by_seat] == [1, 1, 1]


async def test_closed_for_all_the_game_is_played_at_the_table(evening: Evening) -> None:
    for name in ("Ada", "Ben"):
        evening[name].close_dms()
    await evening.open("trinity", "Ben")
    assert "I cannot write to Ada and Ben." in (await evening.board()).text
    for name in ("Ada", "Ben"):
        person = evening[name]
        hand = await own(evening, person)
        await person.press("My cards", message=await evening.board())
        for digit in hand[:3]:
            await person.press(f"{digit} ")
        await person.press("Confirm")
    assert (await evening.table()).view(None).question is Question.PLAY
    assert all(evening[name].dm == [] for name in ("Ada", "Ben"))


async def test_direct_messages_closed_in_mid_game_and_opened_again(evening: Evening) -> None:
    await evening.open("trinity", "Ben")
    person = await play_until(evening, Question.GUESS)
    other = (await evening.others())[0]
    other.close_dms()
    await person.slash("trinity decline")
    assert await evening.whose_turn() is other
    assert f"I cannot write to {other.name}." in (await evening.board()).text
    await other.press("My cards", message=await evening.board())
    assert "Play a card" in other.private[-1].text
    other.close_dms(False)
    evening.clock.advance(11 * 60)
    await other.slash("trinity play", card="4")
    assert "I cannot write" not in (await evening.board()).text
    assert "In which order" in other.dm[-1].text


async def test_stale_presses_and_typed_nonsense_are_refused_and_change_nothing(evening: Evening) -> None:
    await evening.open("trinity", "Ben")
    person = await play_until(evening, Question.DISCARD_TARGETS)
    asked = await person.press("Give up two targets")
    assert asked.message is not None
    person = await play_until(evening, Question.GUESS)
    await person.slash("trinity decline")
    before = await evening.table()
    late = await person.press_late(asked.message, asked.message.labels[0])
    assert late.private
    assert "moved on" in late.text
    other = await evening.whose_turn()
    for line, options, said in (
        ("trinity play", {"card": "nonsense"}, "cannot read"),
        ("trinity play", {"card": "3"}, "You hold no 3."),
        ("trinity play", {"card": "7", "opponent": "9"}, "still in the game"),
        ("trinity play", {"card": "7", "opponent": "2"}, "not yourself"),
        ("trinity guess", {"digits": "8 6 3"}, "First a card has to be played"),
        ("trinity guess", {"digits": "12"}, "cannot read"),
        ("trinity answer", {"answer": "swap 9 9"}, "First a card has to be played"),
        ("trinity decline", {}, "First a card has to be played"),
    ):
        answer = await other.slash(line, **options)
        assert answer.private
        assert said in answer.text, line
        assert (await evening.table()).state == before.state, line
    out_of_turn = await person.slash("trinity guess", digits="863")
    assert "not your turn" in out_of_turn.text


async def test_who_leaves_lays_their_cards_open_and_the_game_ends_for_two(evening: Evening) -> None:
    await evening.open("trinity", "Ben")
    await choose_targets(evening, "Ada", "Ben")
    ben = evening["Ben"]
    await ben.press("Leave")
    await ben.press("Give up my seat")
    board = await evening.board()
    assert "Ada wins" in board.text
    assert "Targets:" in board.text
    assert "Record" in board.labels
    assert "Ada wins" in ben.dm[-1].text


async def test_the_record_is_given_when_the_game_is_over_and_the_seal_opens_it(evening: Evening) -> None:
    await evening.open("trinity", "Ben")
    digest = re.search(r"sealed: `([0-9a-f]{64})`", (await evening.board()).text)
    assert digest is not None
    person = await play_until(evening, Question.GUESS)
    table = await evening.table()
    seat = table.seat_of(int(person.id))
    targets = table.state.players[1 - seat].targets
    answer = await person.slash("trinity guess", digits="".join(map(str, targets)))
    assert "TRiNITY!" in answer.text
    board = await evening.board()
    command = re.search(r"--salt (\S+) --digest ([0-9a-f]{64})", board.text)
    assert command is not None
    assert command[2] == digest[1]
    record = await evening["Ada"].press("Record", message=board)
    assert record.message is not None
    assert b"Deck: " in record.message.pictures[0].content


async def test_an_offered_seat_hands_its_secrets_over_once_the_others_agree(evening: Evening) -> None:
    ada = await evening.open("trinity", "Ben")
    ben, dora = evening["Ben"], evening["Dora"].go(ada.where)
    await choose_targets(evening, "Ada", "Ben")

    async def offer_and_take() -> None:
        await ben.press("More")
        await ben.press("Offer my seat")
        await dora.press("Take a free seat")

    letters, hand = ben.dm, " ".join(map(str, await own(evening, ben)))
    await offer_and_take()
    assert dora.dm == []
    assert "no seat" in (await dora.press("My cards")).text
    await ben.press("More")
    await ben.press("I am back")
    assert (await evening.table()).proposal is None
    assert [letter.id for letter in ben.dm] == [letter.id for letter in letters]

    await offer_and_take()
    await ada.press("Agree")
    assert await own(evening, dora) == [int(digit) for digit in hand.split()]
    assert "Your hand" in dora.dm[-1].text
    assert len(dora.dm[-1].pictures) == 1
    assert ben.dm == []
    assert "no seat" in (await ben.press("My cards")).text


async def test_what_was_drawn_or_shown_cannot_be_taken_back(evening: Evening) -> None:
    ada = await evening.open("trinity", "Ben")
    await choose_targets(evening, "Ada", "Ben")
    await ada.press("More")
    answer = await ada.press("Take the last move back")
    assert answer.private
    assert answer.text == "The last move showed or drew something that cannot be unseen, so it stands."
    assert (await evening.table()).proposal is None


async def test_who_can_no_longer_be_written_to_since_they_left_the_server_has_a_free_seat(evening: Evening) -> None:
    await evening.open("trinity", "Ben", "Dora")
    await choose_targets(evening, *NAMES)
    table, first = await evening.table(), await evening.whose_turn()
    last = next(one for one in evening.people if one.id == str(table.people[(table.to_act[0] + 2) % 3]))
    last.leave_server()
    letter = (await evening.bot.store.letters(1))[int(last.id)]
    await evening.bot.store.keep_letter(1, replace(letter, digest=None))  # there is something new to tell them
    evening.clock.advance(3600.0)  # in a new letter
    await evening.bot.tables.act(1, int(first.id), None, table.game.legal(table.state, table.to_act[0])[0])
    await evening.bot.showing.show(1)
    assert f"The seat of {last.name} is free" in (await evening.board()).text
