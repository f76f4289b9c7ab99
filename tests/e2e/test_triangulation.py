"""The word game played by people through the stand-in: whole games, refusals, races, restarts, leaving, moderation."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from bot.playground.driver import Person, Shown
from bot.tables import Person as Sitter
from bot.words import words_for
from rules.triangulation.view import View
from tests.e2e.evening import Evening
from tests.rules.triangulation_tables import CARDS

GUESTS = ("Ben", "小陳", "Dora")


@pytest.fixture(autouse=True)
async def english(evening: Evening) -> None:
    """Everybody reads English, so that the tests know the sentences."""
    evening["小陳"].speak("en-GB")


class Round:
    """A game in progress, looked at from the outside: who sits where, whose Insider is who."""

    def __init__(self, evening: Evening, people: Sequence[Person], view: View) -> None:
        self.evening = evening
        self.people = people
        self.table = view.table

    @classmethod
    async def of(cls, evening: Evening) -> Round:
        table = await evening.table()
        known = {person.id: person for person in evening.people}
        return cls(evening, [known[str(person)] for person in table.people], table.view(None))

    @property
    def insiders(self) -> list[Person]:
        return [self.people[insider.seat] for insider in self.table.insiders]

    @property
    def guessers(self) -> list[Person]:
        return [self.people[acting.seat] for acting in self.table.acting if set(acting.due) & {"flip", "guess"}]

    @property
    def insider(self) -> Person:
        """Whose message is being guessed."""
        assert self.table.guessing is not None
        return self.people[self.table.guessing.insider]


async def play(evening: Evening, **options: Any) -> Round:
    """Open a table for four and start it."""
    await evening.open("triangulation", *GUESTS, **options)
    return await Round.of(evening)


async def choose(person: Person, number: int = 0) -> None:
    """Choose a message from the newest card, by direct message."""
    card = person.dm[-1]
    await person.choose("Which message?", str(number), message=card)
    await person.press("Choose it", message=person.dm[-1])


async def write(person: Person, *clues: str) -> Any:
    """Write clues into the form, which is opened at the table."""
    await person.press("Write clues")
    return await person.submit(dict(zip(("A", "B", "C"), clues or ("♠", "♥", "♦"), strict=True)))


async def everybody_writes(evening: Evening) -> Round:
    """Both Insiders choose and write."""
    now = await Round.of(evening)
    for person in now.insiders:
        await choose(person)
        await write(person)
    return await Round.of(evening)


async def message_of(evening: Evening, person: Person) -> str:
    """An Insider's message, as the test may know it."""
    table = await evening.table()
    own = table.view(table.seat_of(int(person.id))).mission
    assert own is not None
    assert own.message is not None
    return str(own.message.text)


def public(evening: Evening) -> str:
    """All that everybody can read in the server, descriptions of pictures and names of files too."""
    found = []
    for channel in evening.people.world.state.channels.values():
        for message in evening.people.world.history(channel.id, None) if channel.guild_id else []:
            shown = Shown(evening.people.world, message)
            if not shown.private:
                found += [str(shown.raw)]
    return "\n".join(found)


# -- Whole games ---------------------------------------------------------------------------------------------------


async def test_a_game_of_two_teams_from_the_lobby_to_the_winner(evening: Evening) -> None:
    now = await play(evening, tokens=2)
    while now.table.result is None:
        now = await everybody_writes(evening)
        finished = len(now.table.finished)
        guesser = now.guessers[0]
        await guesser.press("Flip B")
        await guesser.press("Guess the message")
        answer = await guesser.submit({"guess": await message_of(evening, now.insider)})
        assert answer.private
        assert "Right!" in answer.text
        now = await Round.of(evening)
        assert len(now.table.finished) == finished + 1
        if now.table.result is None and now.table.guessing is not None:
            message = await message_of(evening, now.insider)
            await now.guessers[0].slash("triangulation flip", clue="A")
            await now.guessers[0].press("Pass")
            await now.guessers[0].press("Pass", message=now.guessers[0].private[-1])
            now = await Round.of(evening)
            await now.guessers[-1].press("Flip C")
            await now.guessers[-1].slash("triangulation guess", guess="Something else altogether")
            await now.insider.press("It is wrong", message=now.insider.dm[-1])
            now = await Round.of(evening)
            await now.guessers[0].slash("triangulation guess", guess=message)
            now = await Round.of(evening)
    board = await evening.board()
    assert "🏆" in board.text
    assert board.pictures[0].description is not None
    assert "The game is over" in board.pictures[0].description
    assert "Record" in board.labels
    record = await evening["Dora"].press("Record", message=board)
    assert record.message is not None
    assert b"Game: triangulation" in record.message.pictures[0].content


async def test_a_game_of_three_from_the_lobby_to_the_winner(evening: Evening) -> None:
    """Interception after a ruling in the first round; in the second the teammate gets it, and the Insider wins."""
    await evening.open("triangulation", "Ben", "Dora", tokens=2, deck="en")
    now = await Round.of(evening)
    seat = now.table.insiders[0].seat
    board = await evening.board()
    left, right = now.people[(seat + 1) % 3], now.people[(seat - 1) % 3]
    assert f"{left.name}, the opponent" in board.text
    assert f"{right.name}, the teammate" in board.text

    now = await one_writes(evening)
    assert now.guessers == [left]
    await left.press("Flip A")
    await left.press("Guess the message")
    await left.submit({"guess": "Something else altogether"})
    await now.insider.press("It is wrong", message=now.insider.dm[-1])
    await left.press("Flip C")
    answer = await left.slash("triangulation guess", guess=await message_of(evening, now.insider))
    assert "Right!" in answer.text
    assert f"A point for {(await own_badge(evening, left))} {left.name}" in (await evening.board()).text
    assert "intercepted" in (await left.press("As text")).text

    now = await one_writes(evening)
    insider, message = now.insider, await message_of(evening, now.insider)
    assert insider is left, "the opponent is the next Insider"
    for letter in "BA":
        (opponent,) = (await Round.of(evening)).guessers
        await opponent.press(f"Flip {letter}")
        await opponent.press("Pass")
        await opponent.press("Pass", message=opponent.private[-1])
    (teammate,) = (await Round.of(evening)).guessers
    assert teammate not in (insider, opponent)
    done = await teammate.slash("triangulation guess", guess=message)
    assert done.private
    now, board = await Round.of(evening), await evening.board()
    assert sorted(now.table.scores) == [0, 1, 2]
    assert f"🏆 **{insider.name} wins.**" in board.text
    assert "Record" in board.labels


async def one_writes(evening: Evening) -> Round:
    """The only Insider there is chooses and writes."""
    (insider,) = (await Round.of(evening)).insiders
    await choose(insider, 3)
    await write(insider)
    return await Round.of(evening)


async def own_badge(evening: Evening, person: Person) -> str:
    """The mark that stands before a person's name."""
    table = await evening.table()
    return evening.bot.face(table).badge(table.view(None), words_for("en"), table.seat_of(int(person.id)))


async def test_a_lobby_takes_twenty_and_deals_them_to_two_teams_of_ten(evening: Evening) -> None:
    """Wishes are kept, the others are dealt to the smaller team; the twenty-first is told that it is full."""
    ada, crowd = evening["Ada"], evening.crowd(17)
    await ada.slash("triangulation new")
    lobby = ada.sees("#games")[-1]
    *joining, late = [*(evening[name] for name in GUESTS), *crowd]
    evening.people.settle = False
    await asyncio.gather(*(person.press_late(lobby, "Join") for person in joining))
    evening.people.settle = True
    await evening.people.quiet()
    lobby = ada.sees("#games")[-1]
    assert "(20 of 20)" in lobby.text
    assert "This table is full." in (await late.press_late(lobby, "Join")).text
    for name in GUESTS[:2]:
        await evening[name].choose("Which team", "Team 2", message=ada.sees("#games")[-1])
    await ada.press("Start", message=ada.sees("#games")[-1])
    table = await evening.table()
    teams = table.view(None).table.teams
    assert [len(team) for team in teams] == [10, 10]
    assert {table.seat_of(int(evening[name].id)) for name in GUESTS[:2]} <= set(teams[1])


# -- Secrets -------------------------------------------------------------------------------------------------------


async def test_only_insiders_are_written_to_and_nothing_leaks(evening: Evening) -> None:
    now = await play(evening)
    others = [person for person in now.people if person not in now.insiders]
    assert all(len(person.dm) == 1 for person in now.insiders)
    assert all(person.dm == [] for person in others)
    assert "You hold nothing secret" in (await others[0].press("My cards")).text
    table = await evening.table()
    cards = {m.text for at in range(2) for m in table.view(now.table.insiders[at].seat).mission.card}
    for person in now.insiders:
        await choose(person, 2)
        await write(person, "Nightingale", "Rhinoceros", "Xylophone")
    said = public(evening)
    assert not [text for text in (*cards, "Nightingale", "Rhinoceros", "Xylophone") if text in said]
    assert "face down" in said


async def test_who_has_closed_direct_messages_chooses_by_my_cards(evening: Evening) -> None:
    for person in evening.people:
        person.close_dms()
    now = await play(evening)
    board = await evening.board()
    assert "I cannot write to" in board.text
    first = now.insiders[0]
    await first.press("My cards")
    await first.choose("Which message?", "1")
    back = await first.press("Back", message=first.private[-1])
    assert back.private
    await first.choose("Which message?", "1")
    chosen = await first.press("Choose it", message=first.private[-1])
    assert chosen.private
    assert "Your message:" in chosen.text
    assert "Write clues" in chosen.message.labels  # type: ignore[union-attr]


async def test_cards_and_choices_of_others_are_not_in_anybodys_autocomplete(evening: Evening) -> None:
    now = await play(evening)
    assert len(await now.insiders[0].autocomplete("triangulation choose", "message", "")) == 6
    other = next(person for person in now.people if person not in now.insiders)
    assert await other.autocomplete("triangulation choose", "message", "") == []
    assert await evening["Ada"].autocomplete("triangulation choose", "message", "zzz") == []


async def test_the_choice_is_final(evening: Evening) -> None:
    now = await play(evening)
    insider = now.insiders[0]
    card = insider.dm[-1]
    await choose(insider, 2)
    again = await insider.press_late(card, custom_id=None, label="Choose it") if "Choose it" in card.labels else None
    assert again is None
    refused = await insider.slash("triangulation choose", message="3")
    assert refused.private
    assert "Now you write your three clues" in refused.text


# -- Clues ---------------------------------------------------------------------------------------------------------


async def upload_cards(evening: Evening) -> None:
    """Give the server a deck in which all cards are known."""
    lines = [*CARDS, *(" | ".join(f"Filler {number} {part}" for part in "uvwxyz") for number in range(10, 17))]
    text = "Deck: en\n" + "\n".join(lines)
    answer = await evening["Ada"].slash("decks add", file=evening["Ada"].upload("ours.txt", text.encode()))
    assert "The deck is here now" in answer.text


BAD_CLUES = (
    (("", "x", "y"), ["Clue A is empty"]),
    (("x", "   ", "\u200b"), ["Clue B is empty", "Clue C is empty"]),
    (("a|b", "x", "y"), ["holds a bar"]),
    (("Bаt", "x", "y"), ["mixes letters"]),
)


async def test_clues_that_cannot_be_are_named_and_kept(evening: Evening) -> None:
    now = await play(evening)
    insider = now.insiders[0]
    await choose(insider)
    await insider.press("Write clues")
    for typed, said in BAD_CLUES:
        refused = await insider.submit(dict(zip("ABC", typed, strict=True)))
        assert refused.private
        for sentence in said:
            assert sentence in refused.text
        await insider.press("Edit", message=insider.private[-1])
        assert insider.form is not None
        assert [field.value for field in insider.form.fields] == list(typed)
    message = await message_of(evening, insider)
    itself = await insider.submit({"A": message, "B": "x", "C": "y"})
    assert message in itself.text
    await insider.press("Edit", message=insider.private[-1])
    done = await insider.submit({"A": "♠", "B": "♥", "C": "♦"})
    assert "face down" in done.text


async def test_a_draft_outlives_a_restart(evening: Evening) -> None:
    now = await play(evening)
    insider = now.insiders[0]
    await choose(insider)
    await write(insider, "Keep", "this | one", "please")
    await evening.restart()
    await insider.press("Write clues")
    assert insider.form is not None
    assert [field.value for field in insider.form.fields] == ["Keep", "this | one", "please"]
    await insider.submit({"B": "this one"})
    assert (await Round.of(evening)).table.insiders[0].task == "done"


async def test_two_who_submit_clues_at_the_same_moment_both_get_through(evening: Evening) -> None:
    now = await play(evening)
    for person in now.insiders:
        await choose(person)
        await person.press("Write clues")
    texts = {"A": "♠", "B": "♥", "C": "♦"}
    await asyncio.gather(*(person.submit(texts) for person in now.insiders))
    now = await Round.of(evening)
    assert now.table.guessing is not None
    assert {insider.number for insider in now.table.insiders} == {1, 2}


# -- Guesses -------------------------------------------------------------------------------------------------------


async def test_of_two_who_flip_at_once_one_is_told_that_the_table_has_moved_on(evening: Evening) -> None:
    await play(evening)
    now = await everybody_writes(evening)
    one, other = now.guessers
    board = await evening.board()
    answers = await asyncio.gather(one.press("Flip A", message=board), other.press("Flip B", message=board))
    assert sorted("moved on" in answer.text for answer in answers) == [False, True]
    after = (await Round.of(evening)).table.guessing
    assert after is not None
    assert len(after.flipped) == 1


async def test_a_guess_while_the_insider_rules_is_refused_and_kept(evening: Evening) -> None:
    await play(evening)
    now = await everybody_writes(evening)
    one, other = now.guessers
    await one.press("Flip A")
    await other.press("Guess the message")
    await one.slash("triangulation guess", guess="Not the message at all")
    late = await other.submit({"guess": "My own idea"})
    assert late.private
    assert "ruling" in late.text
    typed = await other.slash("triangulation guess", guess="My own idea")
    assert "ruling" in typed.text
    assert "rules whether" in (await evening.board()).text
    ruling = now.insider.dm[-1]
    assert "Not the message at all" in ruling.text
    await now.insider.press("It is wrong", message=ruling)
    await other.press("Flip B")
    await other.press("Guess the message")
    assert other.form is not None
    assert other.form.fields[0].value == "My own idea"


async def test_only_the_insider_rules(evening: Evening) -> None:
    await play(evening)
    now = await everybody_writes(evening)
    await now.guessers[0].press("Flip A")
    await now.guessers[0].slash("triangulation guess", guess="Not the message at all")
    for person in now.people:
        if person is not now.insider:
            assert "not your turn" in (await person.press("Rule on the guess")).text
            assert "not your turn" in (await person.slash("triangulation judge", verdict="right")).text
    shown = await now.insider.press("Rule on the guess")
    assert shown.private
    assert "Not the message at all" in shown.text
    done = await now.insider.press("It is right", message=now.insider.private[-1])
    assert "Right!" in done.text
    assert sum((await Round.of(evening)).table.scores) == 1


async def test_guesses_that_cannot_be(evening: Evening) -> None:
    await play(evening)
    now = await everybody_writes(evening)
    guesser = now.guessers[0]
    await guesser.press("Flip A")
    for guess in ("   ", "the", "\u200b\u200b"):
        refused = await guesser.slash("triangulation guess", guess=guess)
        assert refused.private
        assert "empty" in refused.text
    long = await guesser.slash("triangulation guess", guess="x" * 101)
    assert "at most 100 characters" in long.text
    await guesser.press("Edit", message=guesser.private[-1])
    assert guesser.form is not None
    assert guesser.form.fields[0].value == "x" * 101
    await guesser.slash("triangulation guess", guess="x" * 5000)
    await guesser.press("Edit", message=guesser.private[-1])
    after = (await Round.of(evening)).table.guessing
    assert after is not None
    assert after.tries == ()


async def test_who_may_not_guess_is_told_so(evening: Evening) -> None:
    await play(evening)
    now = await everybody_writes(evening)
    await now.guessers[0].press("Flip A")
    for person in now.people:
        if person not in now.guessers:
            answer = await person.slash("triangulation guess", guess="Anything")
            assert answer.private
            assert "not your turn" in answer.text
    early = await now.guessers[0].slash("triangulation flip", clue="B")
    assert "your team guesses, or passes" in early.text


async def test_agreed_guesses(evening: Evening) -> None:
    await play(evening, lock_in="when another agrees")
    now = await everybody_writes(evening)
    one, other = now.guessers
    await one.press("Flip A")
    await other.press("Guess the message")
    await one.slash("triangulation guess", guess="First idea")
    board = await evening.board()
    assert "proposes `First idea`" in board.text
    assert "not your turn" not in (await one.press("Agree", message=board)).text
    # The form that was open all the while still counts, and replaces the proposal.
    await other.submit({"guess": "Second idea"})
    assert "`Second idea`" in (await evening.board()).text
    stale = await one.press_late(board, "Agree")
    assert "moved on" in stale.text
    agreed = await one.press("Agree")
    assert agreed.private
    assert "guesses `Second idea`" in agreed.text
    after = (await Round.of(evening)).table.guessing
    assert after is not None
    assert after.ruling is not None


async def test_nobody_agrees_to_a_proposal_that_has_just_been_replaced(evening: Evening) -> None:
    """With three guessers the third's choices are the same before and after: only the proposal tells."""
    await play(evening, lock_in="when another agrees")
    now = await everybody_writes(evening)
    one, other = now.guessers
    await one.press("Flip A")
    await one.slash("triangulation guess", guess="First idea")
    old = await evening.board()
    await one.slash("triangulation guess", guess="Second idea")
    assert "moved on" in (await other.press_late(old, "Agree")).text
    await other.press("Agree", message=await evening.board())
    after = (await Round.of(evening)).table.guessing
    assert after is not None
    assert after.ruling is not None
    assert after.ruling.text == "Second idea"


async def test_volunteers(evening: Evening) -> None:
    now = await play(evening, insider="whoever comes forward first")
    assert now.insiders == []
    assert "needs an Insider" in (await evening.board()).text
    one = now.people[0]
    answer = await one.press("Be the Insider")
    assert answer.private
    assert "Choose the message" in answer.text
    mate = now.people[now.table.teams[0][1]]
    assert "not your turn" in (await mate.slash("triangulation insider")).text


# -- Restarts and leaving ------------------------------------------------------------------------------------------


async def test_a_round_with_a_restart_at_every_stage(evening: Evening) -> None:
    now = await play(evening)
    one, two = now.insiders
    await evening.restart()
    await choose(one)
    await evening.restart()
    await choose(two)
    await two.press("Write clues")
    await evening.restart()
    await two.submit({"A": "♠", "B": "♥", "C": "♦"})
    await evening.restart()
    await write(one)
    now = await Round.of(evening)
    assert now.insider is two
    await evening.restart()
    await now.guessers[0].press("Flip B")
    await evening.restart()
    await now.guessers[0].press("Guess the message")
    await evening.restart()
    await now.guessers[0].submit({"guess": "Not the message at all"})
    await evening.restart()
    await two.press("It is wrong", message=two.dm[-1])
    await evening.restart()
    await now.guessers[1].press("Flip A")
    after = (await Round.of(evening)).table.guessing
    assert after is not None
    assert len(after.flipped) == 2


async def leave(person: Person) -> None:
    """Give up the seat."""
    await person.press("Leave")
    await person.press("Give up my seat", message=person.private[-1])


async def six(evening: Evening) -> Round:
    """A table for six, so that an Insider can leave without ending the game."""
    ada = evening["Ada"]
    await ada.slash("triangulation new")
    lobby = ada.sees("#games")[-1]
    for name in GUESTS:
        await evening[name].press("Join", message=lobby)
    for number in range(2):
        await evening.bot.tables.join(1, Sitter(900 + number, f"Guest {number}"))
    await evening.bot.showing.show(1)
    await ada.press("Start", message=ada.sees("#games")[-1])
    for name in ("Ada", *GUESTS):
        evening[name].go(evening.people.channel(ada.sees("#games")[-1]))
    table = await evening.table()
    known = {person.id: person for person in evening.people}
    people = [known.get(str(person), ada) for person in table.people]
    return Round(evening, people, table.view(None))


STAGES = ("choosing", "writing", "done", "guessed", "ruling")


@pytest.mark.parametrize("stage", STAGES)
async def test_an_insider_who_leaves_at_every_stage(evening: Evening, stage: str) -> None:
    await play(evening)
    now = await Round.of(evening)
    leaver, other = now.insiders
    reached = STAGES.index(stage)
    if reached >= 1:
        await choose(leaver)
    if reached >= 2:
        await write(leaver)
    if reached >= 3:
        await choose(other)
        await write(other)
    if reached >= 4:
        guesser = (await Round.of(evening)).guessers[0]
        await guesser.press("Flip A")
        await guesser.slash("triangulation guess", guess="Not the message at all")
    await leave(leaver)
    board = await evening.board()
    assert f"{leaver.name} has left the game" in board.text
    # A team of two that loses one has lost; what was secret stays so.
    assert "🏆" in board.text
    assert ("message was" in board.text) == (reached >= 2)
    assert "Record" in board.labels


async def test_an_insider_of_a_larger_team_is_replaced(evening: Evening) -> None:
    now = await six(evening)
    insiders = [person for person in now.insiders if person.dm]
    leaver = insiders[0]
    before = {insider.seat for insider in now.table.insiders}
    await leave(leaver)
    after = (await evening.table()).view(None).table
    assert after.result is None
    assert {insider.seat for insider in after.insiders} != before
    assert all(insider.task == "choosing" for insider in after.insiders)


# -- What people write ---------------------------------------------------------------------------------------------


async def test_clues_are_plain_text(evening: Evening) -> None:
    now = await play(evening)
    one, two = now.insiders
    ada = evening["Ada"]
    await choose(one)
    await write(one, f"@everyone <@{ada.id}>", "**bold** `code` ~~struck~~", "\u202ehttps://example.org/\u200b")
    await choose(two)
    await write(two)
    now = await Round.of(evening)
    for letter in "ABC":
        if (await Round.of(evening)).table.guessing is None:
            break
        guesser = (await Round.of(evening)).guessers[0]
        if letter != "C":
            await guesser.press(f"Flip {letter}")
            await guesser.press("Pass")
            await guesser.press("Pass", message=guesser.private[-1])
    board = await evening.board()
    assert "`@everyone" in board.text
    assert "`https://example.org/`" in board.text
    assert "\u202e" not in board.text
    assert "\u200b" not in board.text
    assert "`**bold** ˋcodeˋ ~~struck~~`" in board.text
    acting = {person.name for person in (await Round.of(evening)).guessers}
    assert set(board.mentions) <= acting
    assert "@everyone" not in str(board.raw.get("mention_everyone"))


async def test_a_moderator_hides_a_clue(evening: Evening) -> None:
    await play(evening)
    now = await everybody_writes(evening)
    guesser = now.guessers[0]
    await guesser.press("Flip A")
    await guesser.slash("triangulation guess", guess="A nasty word")
    board = await evening.board()
    assert "`A nasty word`" in board.text
    text = await evening["Ben"].press("As text")
    assert text.message is not None
    assert "Hide a clue or guess" not in text.message.labels
    refused = await evening["Ben"].slash("triangulation hide")
    assert refused.private
    assert "manage messages" in refused.text
    ada = evening["Ada"]
    await ada.press("As text")
    await ada.press("Hide a clue or guess", message=ada.private[-1])
    await ada.choose("Hide or show", "A nasty word", message=ada.private[-1])
    board = await evening.board()
    assert "A nasty word" not in str(board.raw)
    assert "(hidden)" in board.text
    await evening.restart()
    await now.insider.press("It is wrong", message=now.insider.dm[-1])
    assert "A nasty word" not in str((await evening.board()).raw)
    shown = await ada.slash("triangulation hide")
    assert shown.private
    await ada.choose("Hide or show", "A nasty word", message=ada.private[-1])
    assert "`A nasty word`" in (await evening["Ben"].press("As text")).text


# -- Decks ---------------------------------------------------------------------------------------------------------


async def test_a_servers_own_deck_from_upload_to_removal(evening: Evening) -> None:
    ada = evening["Ada"]
    await upload_cards(evening)
    listed = await ada.slash("decks list")
    assert listed.private
    assert "ours" in listed.text
    assert "104 cards" in listed.text
    shown = await ada.slash("decks show", name="ours")
    assert "Marie Curie" in shown.text
    assert "Mercedes" in (await ada.press("Next", message=ada.private[-1])).text or "Filler" in ada.private[-1].text
    file = (await ada.slash("decks download", name="ours")).message
    assert file is not None
    assert b"Batman (bat+man)" in file.pictures[0].content
    assert [c.value for c in await ada.autocomplete("decks remove", "name", "")] == ["ours"]
    assert {c.value for c in await ada.autocomplete("triangulation new", "deck", "")} == {"en", "zh-TW", "ours"}
    lobby = await ada.slash("triangulation new", deck="ours")
    assert "**Deck:** ours · English, 12 cards" in lobby.text
    await ada.slash("decks remove", name="ours")
    await ada.press("Remove it", message=ada.private[-1])
    assert await ada.autocomplete("decks remove", "name", "") == []
    for name in GUESTS:
        await evening[name].press("Join")
    await ada.press("Start")
    assert len((await evening.table()).state.deck.cards) == 12
    gone = await ada.slash("triangulation new", deck="ours")
    assert gone.private
    assert "no deck `ours`" in gone.text


async def test_only_admins_have_decks(evening: Evening) -> None:
    ben = evening["Ben"]
    assert "decks" not in ben.offered()
    assert "decks" in evening["Ada"].offered()


BAD_DECKS = (
    (b"\xff\xfeD\x00e\x00c\x00k\x00", "Line 1 is not text in UTF-8"),
    (b"a | b\n" + bytes([0xE9]) + b"\n", "Line 2 is not text in UTF-8"),
    (b"\x89PNG\r\n\x1a\n\x00\x00", "is not text in UTF-8"),
    (b"a | b | c | d | e\n", "Line 1: a card has six messages"),
    (b"a|\n" * 80_000, "at most 520"),
    (b"", "at least 12"),
    (b"x" * 1_200_000, "too large"),
    (b"x" * 300_000, "262144"),
    (b"Deck: fr\n", "no language of decks"),
    (b"q | @everyone w | e | r | t | <@1> y\n", "which Discord would act upon"),
    (b"q | w\x07 | e | r | t | y\n", "cannot be shown"),
    (b"q | q | e | r | t | y\n", "is the same as `q` in line 1"),
)


async def test_bad_decks_are_refused_with_every_mistake(evening: Evening) -> None:
    ada = evening["Ada"]
    for data, said in BAD_DECKS:
        answer = await ada.slash("decks add", file=ada.upload("bad.txt", data))
        assert answer.private
        assert said in answer.text
    assert await ada.autocomplete("decks remove", "name", "") == []


async def test_many_mistakes_come_as_a_file(evening: Evening) -> None:
    ada = evening["Ada"]
    data = "\n".join(f"m{number} | <@{number}> | c | d" for number in range(400)).encode()
    answer = await ada.slash("decks add", file=ada.upload("bad.txt", data))
    assert answer.message is not None
    report = answer.message.pictures[0].content.decode()
    assert report.count("a card has six messages") == 400
    assert "400 mistakes" in answer.text


async def test_names_of_decks(evening: Evening) -> None:
    ada = evening["Ada"]
    await upload_cards(evening)
    again = await ada.slash("decks add", file=ada.upload("OURS.txt", b""))
    assert "already" in again.text
    built_in = await ada.slash("decks add", file=ada.upload("x.txt", b""), name="EN")
    assert "built-in deck" in built_in.text
    stay = await ada.slash("decks remove", name="zh-tw")
    assert "stay" in stay.text
    assert "no deck" in (await ada.slash("decks show", name="`nothing`")).text


# -- Languages -----------------------------------------------------------------------------------------------------


async def test_an_insider_reads_their_own_language(evening: Evening) -> None:
    await evening["小陳"].slash("games")
    for name in ("Ada", *GUESTS):
        evening[name].speak("zh-TW")
        await evening[name].slash("games")
    now = await play(evening)
    assert "你是" in now.insiders[0].dm[-1].text
