"""The word game's face: its sentences, its controls, an Insider's own pages, refusals; and reports on decks."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from bot.face import Told
from bot.page import Addresses, Button, Menu, Page, Row
from bot.words import Words, words_for
from cogs.triangulation import decks
from cogs.triangulation.commands import TriangulationCog
from cogs.triangulation.face import CLUE_FAULTS, FIRST_TO_DO, GUESS_FAULTS, TriangulationFace, chance_key, proposal_key
from rules.game import BadDeal, BadHeader, Illegal, NotYourTurn, Refusal, Unreadable
from rules.triangulation import GAME
from rules.triangulation.clues import ClueFault
from rules.triangulation.deck import BadDeck, Mistake, deck_text, read_deck
from rules.triangulation.language import LANGUAGES
from rules.triangulation.state import State
from tests.rules.triangulation_tables import DECK, WRITTEN, after, table

ENGLISH, CHINESE = words_for("en"), words_for("zh-TW")
FACE = TriangulationFace()
NAMES = ("Ada", "Ben", "小陳", "Dora")
ADDRESS = Addresses(7, 40)
ROOT = Path(__file__).resolve().parents[2]


def buttons(rows: Sequence[Row]) -> list[Button]:
    """The buttons of all rows."""
    return [button for row in rows if isinstance(row, Sequence) for button in row]


def labels(state: State) -> list[str]:
    """The game's own buttons on the public message."""
    rows = FACE.controls(GAME.view(state, None), ENGLISH, ADDRESS)
    return [button.label for button in buttons(rows)]


def own(state: State, seat: int, words: Words = ENGLISH) -> Page | None:
    """A seat's own page; seats count from 1, as in the lines of records."""
    return FACE.hand(GAME.view(state, seat - 1), words, NAMES, ADDRESS)


def verbs(page: Page) -> list[str]:
    """What the page's controls do."""
    controls: list[Button | Menu] = [*buttons(page.rows), *(row for row in page.rows if isinstance(row, Menu))]
    return [one.address.verb for one in controls if one.address is not None]


def told(state: State, line: str, words: Words = ENGLISH) -> str | None:
    """What everybody is told of an action, written as in a record."""
    seat, _, text = line.partition(" ")
    at = int(seat) - 1
    step = GAME.play(state, at, GAME.parse(state, at, text))
    public = tuple(event for event in step.events if event.audience() is None)
    return FACE.story(Told(at, "play", None, public), GAME.view(step.state, None), words, NAMES)


# -- The table -----------------------------------------------------------------------------------------------------


def test_the_controls_are_those_of_the_moment() -> None:
    assert labels(table()) == ["Choose a message"]
    assert labels(after(table(), "1 choose 4")) == ["Write clues"]
    assert labels(table(insider="volunteer")) == ["Be the Insider"]
    state = after(table(), *WRITTEN)
    assert labels(state) == ["Flip A", "Flip B", "Flip C"]
    state = after(state, "2 flip B")
    assert labels(state) == ["Guess the message", "Pass"]
    state = after(state, "2 guess Robin Hood")
    assert labels(state) == ["Rule on the guess"]
    assert labels(after(state, "1 judge wrong")) == ["Flip A", "Flip C"]
    agreed = after(table(lock_in="agreed"), *WRITTEN, "2 flip B", "2 guess Robin Hood")
    assert labels(agreed) == ["Agree", "Other guess", "Pass"]
    assert labels(after(state, "1 judge wrong", "2 flip A", "2 guess The Bible", "3 leaves")) == []


def test_public_controls_say_nothing_but_what_is_public() -> None:
    state = after(table(lock_in="agreed"), *WRITTEN, "2 flip B", "2 guess Robin Hood")
    for button in buttons(FACE.controls(GAME.view(state, None), ENGLISH, ADDRESS)):
        assert button.address is not None
        assert len(button.address.custom_id) <= 100
        assert "Robin" not in button.address.custom_id


def test_a_proposal_is_known_by_what_it_says_and_a_guess_by_its_chance() -> None:
    state = after(table(lock_in="agreed"), *WRITTEN, "2 flip B", "2 guess Robin Hood")
    one, other = (
        GAME.view(changed, None).table.guessing for changed in (state, after(state, "4 guess Robin the Hood"))
    )
    assert one is not None
    assert other is not None
    assert proposal_key(one) != proposal_key(other)
    assert chance_key(one) == chance_key(other)
    later = GAME.view(after(state, "4 agree", "1 judge wrong", "2 flip A"), None).table.guessing
    assert later is not None
    assert chance_key(later) != chance_key(one)


@pytest.mark.parametrize(
    ("lines", "last", "said"),
    [
        ((), "1 choose 4", "Ada has chosen a message."),
        (WRITTEN[:2], WRITTEN[2], "Ada's clues lie face down."),
        (WRITTEN, "2 flip B", "Ben flips B: `John`."),
        ((*WRITTEN, "2 flip B"), "4 guess Robin Hood", "Dora guesses `Robin Hood`. Ada has to rule."),
        ((*WRITTEN, "2 flip B", "4 guess Robin Hood"), "1 judge wrong", "Wrong."),
        (
            (*WRITTEN, "2 flip B"),
            "2 guess Bible",
            "Ben guesses `Bible`. **Right!** A point for 🔶 Team 2. Ada's message was **The Bible**.",
        ),
        (
            (*WRITTEN, "2 flip B", "2 pass", "2 flip C"),
            "2 pass",
            "Ben passes. The last clue, A: `Book`.",
        ),
    ],
)
def test_what_happened_is_told_in_short_sentences(lines: tuple[str, ...], last: str, said: str) -> None:
    state = after(table(), *lines)
    assert told(state, last) == said
    assert told(state, last, CHINESE) not in (None, said)


def test_casual_mode_announces_the_category() -> None:
    assert told(table(casual=True), "1 choose 4") == "Ada has chosen a message: Work."
    status = FACE.status(GAME.view(after(table(casual=True), "1 choose 4"), None), ENGLISH, NAMES)
    assert "Ada's category: Work." in status
    assert "Bible" not in status


def test_the_status_names_teams_points_and_what_is_waited_for() -> None:
    status = FACE.status(GAME.view(after(table(), *WRITTEN, "2 flip B"), None), ENGLISH, NAMES)
    assert "🔵 Team 1 **0** · 🔶 Team 2 **0** (of 4)" in status
    assert "**A** face down · **B** `John` · **C** face down" in status
    over = FACE.status(GAME.view(after(table(), "1 leaves"), None), ENGLISH, NAMES)
    assert over.startswith("🏆 **Team 2 wins: Ben and Dora.**")


def test_the_lobby_says_which_deck_is_played() -> None:
    given = {"deck": msgspec.to_builtins(DECK)}
    assert FACE.brought(given, ENGLISH) == "**Deck:** English, 5 cards"
    assert FACE.brought({}, ENGLISH) is None


# -- The Insider's own ---------------------------------------------------------------------------------------------


def test_the_insiders_page_leads_from_the_card_to_the_ruling() -> None:
    state = table()
    card = own(state, 1)
    assert card is not None
    assert "4. **The Bible** · Work" in card.text
    assert verbs(card) == ["choose_message"]
    (menu,) = card.rows
    assert isinstance(menu, Menu)
    assert len(menu.options) == 6
    writing = own(after(state, "1 choose 4"), 1)
    assert writing is not None
    assert "Your message: **The Bible** (Work)" in writing.text
    assert "Also right: Holy Bible or Scripture" in writing.text
    assert "None of them may hold a form of `Bible`." in writing.text
    assert verbs(writing) == ["ask_clues"]
    done = own(after(state, *WRITTEN, "2 flip B"), 1)
    assert done is not None
    assert "A `Book` · face down" in done.text
    assert "B `John` · lies open" in done.text
    asked = own(after(state, *WRITTEN, "2 flip B", "4 guess Robin Hood"), 1)
    assert asked is not None
    assert "Dora guesses `Robin Hood`." in asked.text
    assert "**The Bible**" in asked.text
    assert verbs(asked) == ["rule", "rule"]


def test_the_others_hold_nothing() -> None:
    state = after(table(), *WRITTEN, "2 flip B", "4 guess Robin Hood")
    assert own(state, 3) is None
    assert own(state, 4) is None
    assert FACE.hand(GAME.view(state, None), ENGLISH, NAMES, ADDRESS) is None
    assert own(after(table(), "1 leaves"), 1) is None


def test_the_parts_of_a_compound_are_named_as_barred() -> None:
    page = own(after(table(), "2 choose 2"), 2)
    assert page is not None
    assert "`Batman`, `bat` or `man`" in page.text


# -- Refusals ------------------------------------------------------------------------------------------------------

REFUSALS: list[Refusal] = [
    Unreadable("action", text="x"),
    Unreadable("message", text="x"),
    Unreadable("clue", text="x"),
    Illegal("message", message=7, messages=6),
    Illegal("three_clues", count=2),
    Illegal("clue_open", clue=2),
    Illegal("ruling"),
    *(Illegal("not_now", due=(kind,)) for kind in FIRST_TO_DO),
    Illegal("not_now", due=()),
    *(Illegal("guess", fault=fault) for fault in GUESS_FAULTS),
    *(Illegal("clues", faults=(ClueFault(1, rule, "x", "y"),)) for rule in CLUE_FAULTS),
    decks.DeckRefusal("no_deck", name="x"),
    BadHeader("two_in_a_team", header="Teams"),
]


@pytest.mark.parametrize("refusal", REFUSALS, ids=str)
def test_every_refusal_has_a_sentence_in_both_languages(refusal: Refusal) -> None:
    sentences = [FACE.refusal(refusal, words) for words in (ENGLISH, CHINESE)]
    assert None not in sentences
    assert sentences[0] != sentences[1]
    assert str(sentences[0]).rstrip()[-1] in ".?"


def test_every_rule_name_in_the_code_has_a_sentence() -> None:
    """`left`, `turn` and `over` are the house's."""
    known = {refusal.rule for refusal in REFUSALS} | {"left", "not_moderator"}
    for path in (*ROOT.glob("rules/triangulation/*.py"), *ROOT.glob("cogs/triangulation/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or not node.args:
                continue
            rule = node.args[0]
            if node.func.id in ("Illegal", "Unreadable", "DeckRefusal", "ModeratorRefusal"):
                assert isinstance(rule, ast.Constant), ast.unparse(node)
                assert rule.value in known, ast.unparse(node)
            if node.func.id in ("BadHeader", "BadDeal") and isinstance(rule, ast.Constant):
                refusal = (BadHeader if node.func.id == "BadHeader" else BadDeal)(str(rule.value), header="x")
                assert FACE.refusal(refusal, CHINESE) is not None


def test_what_is_the_houses_own_is_left_to_it() -> None:
    assert FACE.refusal(NotYourTurn((1,)), ENGLISH) is None


def test_all_faults_of_clues_are_named_at_once() -> None:
    faults = (ClueFault(0, "word", "Bats", "bat"), ClueFault(2, "empty"))
    sentence = FACE.refusal(Illegal("clues", faults=faults), ENGLISH)
    assert sentence == (
        "- Clue A: `Bats` is a form of `bat`, a word of your message.\n"
        "- Clue C is empty. Write a word, a phrase or symbols."
    )


# -- Rules and commands --------------------------------------------------------------------------------------------


def test_the_rules_mark_the_projects_readings() -> None:
    pages = FACE.rules(GAME.Options(), ENGLISH)
    assert len(pages) == 6
    assert sum("our reading" in page.text for page in pages) >= 4


def test_the_commands_stay_below_discords_limit() -> None:
    names = [command.name for command in TriangulationCog.__cog_app_commands__]
    assert len(names) + 1 <= 25
    assert {"guess", "flip", "pass", "agree", "insider", "choose", "clues", "judge", "card", "hide"} <= set(names)


# -- Decks ---------------------------------------------------------------------------------------------------------

WRONG: dict[str, dict[str, str | int]] = {
    "large": {"count": 2, "limit": 1},
    "few": {"count": 2, "limit": 12},
    "many": {"count": 900, "limit": 520},
    "language": {"text": "fr"},
    "messages": {"count": 5},
    "empty": {"text": "the", "what": "message"},
    "long": {"text": "x", "limit": 60},
    "forms": {"text": "x", "count": 21, "limit": 20},
    "parts": {"text": "x", "count": 9, "limit": 8},
    "character": {"text": "x\x07", "code": "U+0007"},
    "markup": {"text": "<@1>", "found": "<@"},
    "part": {"text": "Batman", "part": "cat"},
    "double": {"text": "x", "other": "y", "other_line": 3},
}


@pytest.mark.parametrize("rule", WRONG)
def test_every_mistake_in_a_deck_has_a_sentence_with_its_line(rule: str) -> None:
    mistake = Mistake(17, rule, WRONG[rule])
    english, chinese = (decks.mistake_sentence(mistake, words) for words in (ENGLISH, CHINESE))
    assert english.startswith("Line 17: ")
    assert chinese.startswith("第 17 行：")
    assert "{" not in english + chinese


def test_every_rule_of_decks_is_known() -> None:
    source = ast.parse((ROOT / "rules/triangulation/deck.py").read_text(encoding="utf-8"))
    named = {
        node.args[1].value
        for node in ast.walk(source)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Mistake"
        if isinstance(node.args[1], ast.Constant)
    }
    assert named <= set(decks.MISTAKES)
    assert set(WRONG) == set(decks.MISTAKES)


def test_a_report_is_one_message_and_a_file_when_it_is_long() -> None:
    few = decks.report((Mistake(1, "messages", {"count": 5}),), ENGLISH)
    assert few.file is None
    many = decks.report(tuple(Mistake(n, "long", {"text": "x" * 60, "limit": 60}) for n in range(9_000)), ENGLISH)
    assert len(many.text) <= 4000
    assert many.file is not None
    assert many.file[1].count(b"\n") == decks.MOST_REPORTED + 1
    assert b"4000 more" in many.file[1]


@pytest.mark.parametrize(
    ("data", "line"),
    [(b"\xff\xfea", 1), (b"a\nb\xc3\n", 2), (b"a\n\n\x00", 3), ("ok\né".encode("latin-1"), 2)],
)
def test_what_is_no_text_is_refused_with_its_line(data: bytes, line: int) -> None:
    assert decks._decoded(data) == line


def test_a_byte_order_mark_is_no_mistake() -> None:
    assert decks._decoded("Deck: en\nÉ".encode("utf-8-sig")) == "Deck: en\nÉ"


@pytest.mark.parametrize("key", LANGUAGES)
def test_the_built_in_decks_can_be_played_and_come_back_as_written(key: str) -> None:
    deck = decks.built_in(key)
    assert deck.language == key
    assert len(deck.cards) >= 12
    assert read_deck(deck_text(deck)) == deck


def test_a_built_in_deck_is_found_in_any_case() -> None:
    assert decks.built_in_key(" ZH-tw ") == "zh-TW"
    assert decks.built_in_key("english") is None


def test_a_bad_deck_says_how_many_mistakes_it_has() -> None:
    with pytest.raises(BadDeck) as refusal:
        read_deck("a | b\n")
    assert FACE.refusal(refusal.value, ENGLISH) is not None
