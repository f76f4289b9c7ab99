"""TRiNITY's face and cog: every refusal in words, what each question offers, what the forms start with."""

import inspect
import random
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.page import Addresses, Button, Menu
from bot.panel import table_page
from bot.record import record_file
from bot.refusals import SENTENCES
from bot.render.trinity import questions
from bot.store import OVER, Store
from bot.tables import LobbyRefusal, Person, Place, Table, Tables
from bot.words import words_for
from cogs.trinity import TrinityFace
from rules.game import BadOption, Illegal, Refusal, Unreadable
from rules.record import chance_lines, commitment
from rules.trinity import GAME, play
from rules.trinity.cards import DIGITS
from rules.trinity.state import Guess, Keep, Question, TrinityOptions, TrinityState
from tests.rules.trinity_tables import after, held, random_game
from tests.rules.trinity_tables import table as position
from tests.staging import Play, Said, cog_of, staged

ENGLISH, CHINESE = words_for("en"), words_for("zh-TW")
FACE = TrinityFace()
NAMES = ("Ada", "Ben", "陳小明")
ADDRESS = Addresses(7, 3)

REFUSALS = [
    *(Illegal("not_now", question=question.value) for question in Question),
    Illegal("hand", card=8),
    Illegal("targets"),
    Illegal("opponent_missing", card=7),
    Illegal("digit_missing", card=6),
    Illegal("position_missing", card=9),
    Illegal("names_too_much", card=3),
    Illegal("opponent", seat=1),
    Illegal("no_cards", seat=1),
    Illegal("after_you", seat=2),
    Illegal("digit", digit=11),
    Illegal("position", position=4),
    Illegal("open", seat=1, position=2),
    Illegal("positions"),
    Illegal("order"),
    Unreadable("text", text="no*nsense"),
    Unreadable("numbers", text="play"),
    BadOption("seats", option="deck", value="short", seats=(2,)),
]


# -- Refusals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("refusal", REFUSALS, ids=str)
def test_every_refusal_is_a_sentence_in_both_languages(refusal: Refusal) -> None:
    english, chinese = FACE.refusal(refusal, ENGLISH), FACE.refusal(refusal, CHINESE)
    assert english
    assert english.endswith(".")
    assert chinese
    assert chinese != english


def test_every_rule_that_the_rules_name_has_a_sentence() -> None:
    """The rules list what they refuse; `left` and the refusals of every game are the house's."""
    source = inspect.getsource(play)
    raised = set(re.findall(r'Illegal\("(\w+)"', source)) | {"opponent_missing", "digit_missing", "position_missing"}
    assert raised - {refusal.rule for refusal in REFUSALS} - set(SENTENCES) == set()
    assert len(raised) > 12


def test_markdown_in_what_was_typed_has_no_effect() -> None:
    said = FACE.refusal(Unreadable("text", text="**@everyone** `x`"), ENGLISH)
    assert said is not None
    assert "**@everyone**" not in said


def test_other_refusals_are_left_to_the_house() -> None:
    assert FACE.refusal(Illegal("no_draws"), ENGLISH) is None


# -- The table's message ----------------------------------------------------------------------------------------------


def labels(rows: Any) -> list[str]:
    return [button.label for row in rows if not isinstance(row, Menu) for button in row]


@pytest.mark.parametrize("question", list(Question))
def test_the_public_controls_lead_to_the_question(question: Question) -> None:
    state = at(question)
    rows = FACE.controls(GAME.view(state, None), ENGLISH, ADDRESS)
    assert len(rows) <= 3
    assert labels(rows)[0] == questions.CALLED[question]
    assert ("Decline to guess" in labels(rows)) == (question is Question.GUESS)
    assert ("Notebook" in labels(rows)) == (question is not Question.KEEP)


def at(question: Question) -> TrinityState:
    """A position in which somebody is asked this."""
    if question is Question.KEEP:
        return next(iter(random_game(2, TrinityOptions(), random.Random(1))))
    state = position(held("0123456", "863"), held("47", "258"), pile="9876543210")
    before = {
        Question.DISCARD_TARGETS: ("1 play 0",),
        Question.ARRANGE: ("1 play 0", "1 discard 1 3"),
        Question.SWAP: ("1 play 1",),
        Question.ORDER: ("1 play 4",),
        Question.DISCARD: ("1 play 2 @2",),
        Question.GUESS: ("1 play 3",),
    }
    return after(state, *before.get(question, ()))


def test_public_controls_do_not_depend_on_secrets() -> None:
    """They are made of the public's view alone; their custom_ids hold no digit of a card."""
    for question in Question:
        for row in FACE.controls(GAME.view(at(question), None), ENGLISH, ADDRESS):
            assert isinstance(row, list)
            for button in row:
                assert isinstance(button, Button)
                assert button.address is not None
                assert button.address.argument == ""


@pytest.mark.parametrize("question", list(Question))
def test_my_cards_asks_who_is_to_act_and_nobody_else(question: Question) -> None:
    state = at(question)
    for seat in range(2):
        page = FACE.hand(GAME.view(state, seat), ENGLISH, NAMES, ADDRESS)
        assert page is not None
        assert page.picture is not None
        assert len(page.picture.alt) <= 256
        asked = ENGLISH(questions.ASKED[question]) in page.text
        assert asked == (seat in GAME.to_act(state))
        assert all(not isinstance(row, Menu) for row in page.rows), "a menu that stays sends nothing twice"


def test_what_is_answered_is_legal() -> None:
    """Every choice that any question offers can be played, and every legal answer is offered."""
    for seed in range(8):
        for state in random_game(3, TrinityOptions(), random.Random(seed), 60):
            for seat in GAME.to_act(state):
                view, legal = GAME.view(state, seat), GAME.legal(state, seat)
                if view.question in (Question.GUESS, Question.PLAY, None):
                    continue
                if view.question is Question.SWAP:
                    choices = [one for place in range(3) for one in questions.swaps(view, ENGLISH, place)]
                else:
                    choices = questions.CHOICES[view.question](view, ENGLISH)
                offered = {GAME.parse(state, seat, one.argument) for one in choices}
                assert offered <= set(legal)
                after_offered = {GAME.play(state, seat, action).state for action in offered}
                assert after_offered == {GAME.play(state, seat, action).state for action in legal}


def test_what_a_card_names_is_what_is_legal() -> None:
    """Opponents and details as the controls offer them make just the legal plays."""
    for seed in range(8):
        for state in random_game(3, TrinityOptions(), random.Random(seed), 60):
            for seat in GAME.to_act(state):
                view = GAME.view(state, seat)
                if view.question is not Question.PLAY:
                    continue
                texts = {text for digit in set(view.own.hand) for text in plays(view, digit)}  # type: ignore[union-attr]
                assert texts == {GAME.text(action) for action in GAME.legal(state, seat)}


def plays(view: Any, digit: int) -> list[str]:
    opponents = questions.named_opponents(view, digit)
    if not opponents:
        return [f"play {digit}"]
    texts = []
    for opponent in opponents:
        details = questions.details(view, digit, opponent, ENGLISH)
        texts += [f"play {digit} @{opponent + 1} {one.argument}" for one in details] or [
            f"play {digit} @{opponent + 1}"
        ]
    return texts


def test_custom_ids_are_told_apart_and_short_enough() -> None:
    for question in Question:
        state = at(question)
        seat = GAME.to_act(state)[0]
        for chosen in ((), (0,), (0, 1, 2), (4, 2)):
            view = GAME.view(state, seat)
            rows = questions.rows(view, ENGLISH, Addresses(10**9, 10**6), "1" * 19)
            if question is Question.KEEP:
                rows = questions.keep_rows(view, ENGLISH, Addresses(10**9, 10**6), chosen)
            ids = [row.address.custom_id for row in rows if isinstance(row, Menu)]
            ids += [one.address.custom_id for row in rows if not isinstance(row, Menu) for one in row if one.address]  # type: ignore[union-attr]
            assert len(set(ids)) == len(ids)


# -- The rules' pages -------------------------------------------------------------------------------------------------


def test_the_rules_have_every_card_and_mark_the_readings() -> None:
    for words in (ENGLISH, CHINESE):
        pages = FACE.rules(TrinityOptions(), words)
        text = "\n".join(page.text for page in pages)
        assert all(f"**{digit} · " in text for digit in DIGITS)
        assert all(page.text and len(page.text) < 3800 for page in pages)
        assert sum(page.draw is not None for page in pages) == 3
    assert "*(our reading)*" in "\n".join(page.text for page in FACE.rules(TrinityOptions(), ENGLISH))


# -- The cog, through the real bot ---------------------------------------------------------------------------------


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[tuple[Play, Table]]:
    play, table = await staged(f"sqlite+aiosqlite:///{tmp_path}/trigon.db", GAME, 3, TrinityOptions(), random.Random(4))
    yield play, table
    await play.bot.store.close()


def put(stage: tuple[Play, Table], state: TrinityState, **others: Any) -> None:
    play, table = stage
    play.put(state, table.deal, 9, [9] * len(table.people), (), **others)


THREE = (held("0246789", "863"), held("47", "258", shown="5"), held("59", "114"))


def custom_id(said: Said, verb: str) -> str:
    return next(one for one, _ in said.controls if f":{verb}:" in one)


async def test_the_form_starts_with_what_lies_open_of_an_only_opponent(stage: tuple[Play, Table]) -> None:
    play, _ = stage
    state = position(*THREE, third="left")
    put(stage, after(state, "1 play 4", "1 order 1 2 3"))
    said = await play.press(11, "1:9:ask_guess:")
    assert said.form is not None
    fields = [label["component"] for label in said.form["components"]]
    assert [field["custom_id"] for field in fields] == ["digit1", "digit2", "digit3"]
    chosen = [[option["value"] for option in field["options"] if option.get("default")] for field in fields]
    assert chosen == [[], ["5"], []]


async def test_a_guess_that_is_refused_can_be_edited_with_what_was_chosen(stage: tuple[Play, Table]) -> None:
    play, _ = stage
    put(stage, after(position(*THREE), "1 play 4", "1 order 1 2 3"))
    said = await play.press(11, "1:9:ask_guess:guess @3 1 2 3")
    assert said.form is not None
    fields = {label["component"]["custom_id"]: label["component"] for label in said.form["components"]}
    chosen = {name: [o["value"] for o in field["options"] if o.get("default")] for name, field in fields.items()}
    assert chosen == {"opponent": ["3"], "digit1": ["1"], "digit2": ["2"], "digit3": ["3"]}


async def test_a_card_with_one_possible_opponent_does_not_ask_whom(stage: tuple[Play, Table]) -> None:
    play, _ = stage
    put(stage, position(held("29", "863"), held("", "258"), held("59", "114")))
    said = await play.press(11, "1:9:card:2")
    assert any('"opponent":2' in line for line in said.lines), said.lines


async def test_a_card_whose_effect_cannot_be_used_is_played_at_once(stage: tuple[Play, Table]) -> None:
    play, _ = stage
    put(stage, position(held("2", "863"), held("", "258"), held("", "114")))
    said = await play.press(11, "1:9:card:2")
    assert any("accepted" in line and '"card":2' in line for line in said.lines)


async def test_the_notebook_is_refused_where_the_server_has_switched_it_off(stage: tuple[Play, Table]) -> None:
    play, _ = stage
    put(stage, position(*THREE))
    assert "possibilities" in " ".join((await play.press(11, "1:9:notebook:")).lines)
    put(stage, position(*THREE), house={"notebook": False})
    said = await play.press(11, "1:9:notebook:")
    assert "switched off" in said.lines[0]
    cards = await play.press(11, "1:9:choose:")
    assert not any(":notebook:" in one for one, _ in cards.controls)


async def test_presses_of_an_earlier_turn_and_of_others_are_refused(stage: tuple[Play, Table]) -> None:
    play, _ = stage
    put(stage, position(*THREE))
    assert "moved on" in (await play.press(11, "1:8:card:6")).lines[0]
    assert "not your turn" in (await play.press(12, "1:9:card:6")).lines[0]
    assert "no seat" in (await play.press(999, "1:9:card:6")).lines[0]
    assert "no seat" in (await play.press(999, "1:9:notebook:")).lines[0]


async def test_a_control_of_another_question_is_refused_in_words(stage: tuple[Play, Table]) -> None:
    play, _ = stage
    put(stage, position(*THREE))
    for control in ("keep:01", "swap:1", "ask_guess:", "decline:", "declined:", "answer:discard 1 2"):
        said = await play.press(11, f"1:9:{control}")
        assert "First a card has to be played" in said.lines[0], control


async def test_everything_private_is_private(stage: tuple[Play, Table]) -> None:
    """Whatever is typed, the answer is for its writer alone."""
    play, _ = stage
    put(stage, position(*THREE))
    cog = cog_of(play.bot, GAME)
    for command in cog.walk_app_commands():
        given = {name: "6" for name, option in command._params.items() if option.required}  # type: ignore[union-attr]
        if command.name != "new":
            said = await play.type(11, cog, command, **given)  # type: ignore[arg-type]
            assert "private: True" in said.lines or any("accepted" in line for line in said.lines), command.name


async def test_autocomplete_offers_only_what_is_ones_own(stage: tuple[Play, Table]) -> None:
    play, _ = stage
    put(stage, position(*THREE))
    commands = {command.name: command for command in cog_of(play.bot, GAME).walk_app_commands()}
    card: Any = commands["play"]
    offered = await play.offered(11, card, "card", "")
    assert [one[0] for one in offered] == list("0246789")
    assert await play.offered(11, card, "card", "poli") == [one for one in offered if one.startswith("7")]
    for person in (12, 13, 999):
        assert await play.offered(person, card, "card", "") == []
    assert await play.offered(11, card, "opponent", "", card="6") == ["P12=2", "P13=3"]
    assert await play.offered(11, card, "opponent", "", card="4") == []


async def test_autocomplete_of_guesses_begins_with_what_is_possible(stage: tuple[Play, Table]) -> None:
    play, _ = stage
    put(
        stage,
        after(
            position(*THREE),
            "1 play 9 @2 1",
            "1 guess @2 0 0 0",
            "2 play 4",
            "2 order 1 2 3",
            "2 skip",
            "3 play 5",
            "3 skip",
            "3 skip",
            "1 play 8 @2",
        ),
    )
    commands = {command.name: command for command in cog_of(play.bot, GAME).walk_app_commands()}
    guess: Any = commands["guess"]
    offered = await play.offered(11, guess, "digits", "", opponent="2")
    assert len(offered) == 25
    assert offered[:2] == ["2 5 8=2 5 8", "0 0 0=0 0 0"], "2 and 5 lie open, and the 8 said that they differ by 6"
    assert (await play.offered(11, guess, "digits", "863"))[0] == "8 6 3=8 6 3"


# -- The record ----------------------------------------------------------------------------------------------------


async def test_the_record_is_verified_with_the_salt_and_digest_that_were_shown(tmp_path: Path) -> None:
    """What everybody can do at home when the game is over."""
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path}/trigon.db")
    tables = Tables(store, lambda: datetime(2026, 5, 1, tzinfo=UTC), random.Random(9))
    table = await tables.open(GAME, Place(1, 2), Person(1, "Ada"), TrinityOptions(), {}, {})
    table = await tables.join(table.id, Person(2, "Ben"))
    table = await tables.start(table.id, 1)
    shown = re.search(r"sealed: `([0-9a-f]{64})`", table_page(table, FACE, ENGLISH, ()).text)
    assert shown is not None
    assert shown[1] == commitment(chance_lines(GAME, table.setup, table.deal), table.row.salt or "")
    with pytest.raises(LobbyRefusal, match="not_over"):
        await record_file(tables, table)
    for seat in range(2):
        hand = table.view(seat).own.hand
        table = await tables.act(table.id, table.people[seat], None, Keep(hand[:3]))
    while table.view(None).question is not Question.GUESS:
        seat = table.to_act[0]
        table = await tables.act(table.id, table.people[seat], None, GAME.legal(table.state, seat)[0])
    seat = table.to_act[0]
    targets = table.state.players[1 - seat].targets
    with pytest.raises(LobbyRefusal, match="not_over"):
        await record_file(tables, table)
    table = await tables.act(table.id, table.people[seat], None, Guess(1 - seat, targets))
    assert table.status == OVER
    name, content = await record_file(tables, table)
    await store.close()
    (tmp_path / name).write_bytes(content)
    command = re.search(
        r"`python -m (rules verify \S+) --salt (\S+) --digest (\S+)`", table_page(table, FACE, ENGLISH, ()).text
    )
    assert command is not None
    assert command[3] == shown[1]
    assert command[1].split()[-1] == name

    def verify(salt: str, digest: str) -> subprocess.CompletedProcess[str]:
        arguments = ["verify", str(tmp_path / name), "--salt", salt, "--digest", digest]
        return subprocess.run([sys.executable, "-m", "rules", *arguments], capture_output=True, text=True, check=False)

    assert verify(command[2], shown[1]).returncode == 0
    assert verify(command[2], "0" * 64).returncode != 0
    assert verify("x", shown[1]).returncode != 0
