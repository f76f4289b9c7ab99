"""The word game's table as a picture and in words."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image

from bot.render import ALT_LENGTH
from bot.render.canvas import HEAVY
from bot.render.descriptions import length
from bot.render.fonts import LINE_HEIGHT, measure
from bot.render.palette import CARD, GROUND, INK, contrast, rgb
from bot.render.triangulation import alt, as_text, picture, table, telling
from bot.render.triangulation.texts import HIDDEN, cleaned, escaped, quoted, shown, veil, written
from bot.words import Words, words_for
from rules.game import Open
from rules.triangulation import GAME
from rules.triangulation.events import ClueFlipped, Guessed, MessageShown, Proposed
from rules.triangulation.state import Outcome, State
from rules.triangulation.view import View
from tests.rules.triangulation_secrets import shuffled_unknown
from tests.rules.triangulation_tables import WRITTEN, after
from tests.rules.triangulation_tables import table as table_for

ENGLISH, CHINESE = words_for("en"), words_for("zh-TW")
NAMES = ("Ada", "Ben", "小陳", "Dora", "Winnifred the Great", "Frank")
LONG = (
    "A very long clue that needs many lines on its board, and it goes on and on until it has a hundred of these",
    "一九八四年的夏天我們在海邊看見了很多很多星星還有月亮和一隻貓坐在沙灘上等著太陽從遠方的山後面慢慢升起來照亮整個世界",
    "W" * 100,
)


def public(state: State) -> View:
    return GAME.view(state, None)


def guessed(*lines: str, lock_in: str = "anyone") -> View:
    """What everybody sees after both Insiders are done and these lines of a record."""
    return public(after(table_for(lock_in=lock_in), *WRITTEN, *lines))


def long_clues() -> View:
    clues = " | ".join(clue[:100] for clue in LONG)
    lines = ("1 choose 4", "2 choose 3", f"1 clues {clues}", "2 clues x | y | z", "2 flip A", "2 pass", "4 flip B")
    return public(after(table_for(), *lines, f"4 guess {'很長的猜測' * 20}", "1 judge wrong"))


STAGES = {
    "choosing": public(table_for()),
    "writing": public(after(table_for(casual=True), "1 choose 4")),
    "one done": public(after(table_for(), *WRITTEN[:3])),
    "to flip": guessed(),
    "to guess": guessed("2 flip B"),
    "ruling": guessed("2 flip B", "2 guess Robin Hood"),
    "teammates": guessed("2 flip B", "2 pass", "4 flip C", "2 pass"),
    "second message": guessed("2 flip B", "2 guess The Bible"),
    "next round": guessed("2 flip B", "2 guess The Bible", "1 flip A", "1 guess White House"),
    "proposed": guessed("2 flip B", "2 guess Robin Hood", lock_in="agreed"),
    "volunteers": public(table_for(insider="volunteer")),
    "three": public(after(table_for(3, first=1), "2 choose 2", "2 clues x | y | z", "3 flip A", "3 pass")),
    "six": public(table_for(6)),
    "twenty": public(table_for(20)),
    "over": guessed("2 flip B", "2 guess The Bible", "1 leaves"),
    "long": long_clues(),
}


def names_for(view: View) -> Sequence[str]:
    return [NAMES[seat % len(NAMES)] for seat in range(view.table.seats)]


def drawn(view: View, words: Words = ENGLISH) -> Image.Image:
    image = Image.open(io.BytesIO(picture(view, words, names=names_for(view))))
    image.load()
    return image.convert("RGB")


def colours(image: Image.Image) -> set[tuple[int, ...]]:
    found = image.getcolors(image.width * image.height)
    assert found is not None
    return {colour for _, colour in found if isinstance(colour, tuple)}


# -- The picture ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("words", [ENGLISH, CHINESE], ids=repr)
def test_the_picture_is_wide_enough_and_light(stage: str, words: Words) -> None:
    png = picture(STAGES[stage], words, names=names_for(STAGES[stage]))
    image = Image.open(io.BytesIO(png))
    assert image.width == table.WIDTH
    assert 400 <= image.height <= 1500
    assert len(png) <= HEAVY


def test_open_clues_are_white_boards_and_those_face_down_have_the_teams_colour() -> None:
    view = STAGES["to guess"]
    image, (first,) = drawn(view), [row for row in table._rows(view.table, ENGLISH, NAMES) if row.strong]
    y = table.ROWS + table.HEAD + first.boards_height - 20
    pixels = [image.getpixel((table.EDGE + at * (table.BOARD_WIDTH + table.BOARD_GAP) + 40, y)) for at in range(3)]
    blue = rgb(telling.MARKS[0].colour)
    assert pixels == [blue, rgb(CARD), blue]


def test_the_sides_to_act_stand_out() -> None:
    view = STAGES["to guess"]
    image = drawn(view)
    corners = [image.getpixel((x, table.EDGE + table.TOP - 30)) for x in (table.WIDTH // 2 - 60, table.WIDTH - 80)]
    assert corners == [rgb(CARD), rgb(telling.MARKS[1].tint)]


def test_tokens_are_counted() -> None:
    mark = telling.MARKS[0]
    for score in range(5):
        image = table._tokens(mark, score, 4, CARD).image
        middles = [image.getpixel((at * 32 + 21, 13)) for at in range(4)]
        assert [colour == rgb(mark.colour) for colour in middles] == [at < score for at in range(4)]


@pytest.mark.parametrize("text", [*LONG, "Ka-POW!", "$$$", "", "Ελλάδα и Москва", "すし", "🎉🐘", "x" * 41])
@pytest.mark.parametrize("height", [90, 160, 260, 400])
def test_a_clue_stays_on_its_board(text: str, height: int) -> None:
    width = table.BOARD_WIDTH - 2 * table.INSET
    setting = table._set(text, width, height)
    assert setting.size >= table.LEAST
    assert all(measure(line, setting.size) <= width for line in setting.lines)
    assert len(setting.lines) * setting.size * LINE_HEIGHT <= max(height, setting.size * LINE_HEIGHT)


@pytest.mark.parametrize("text", LONG[:2])
def test_a_hundred_characters_are_shown_whole(text: str) -> None:
    """The board in hand grows with its longest clue."""
    view = STAGES["long"]
    row = next(row for row in table._rows(view.table, ENGLISH, NAMES) if row.strong)
    setting = table._set(text[:100], table.BOARD_WIDTH - 2 * table.INSET, row.boards_height - table.TAB + 8 - 24)
    assert "".join(setting.lines).replace(" ", "") == text[:100].replace(" ", "")


def test_short_clues_are_large_and_long_ones_small() -> None:
    width = table.BOARD_WIDTH - 2 * table.INSET
    assert table._set("Tea", width, 150).size == max(table.CLUE_SIZES)
    assert table._set(LONG[0], width, 170).size == table.LEAST


def test_text_is_readable_on_every_ground() -> None:
    grounds = [CARD, GROUND, *(mark.tint for mark in telling.MARKS)]
    assert min(contrast(INK, ground) for ground in grounds) >= 4.5
    assert min(contrast(CARD, ground) for ground in (table.RIGHT, table.WRONG, table.OPEN_EDGE)) >= 4.5


def test_a_hidden_text_is_drawn_as_hidden() -> None:
    view = STAGES["to guess"]
    veiled = veil(view, ["John"])
    assert drawn(veiled).tobytes() != drawn(view).tobytes()
    row = next(row for row in table._rows(veiled.table, ENGLISH, NAMES) if row.strong)
    assert [board.text for board in row.boards] == ["", "(hidden)", ""]


def test_pictures_can_be_drawn_in_several_threads() -> None:
    views = list(STAGES.values()) * 2
    alone = [picture(view, ENGLISH, names=names_for(view)) for view in views]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda view: picture(view, ENGLISH, names=names_for(view)), views)) == alone


# -- In words ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("words", [ENGLISH, CHINESE], ids=repr)
def test_the_description_fits_and_says_the_points(stage: str, words: Words) -> None:
    view = STAGES[stage]
    for names in (names_for(view), ["𝕎innifred the Very Great of Somewhere"] * view.table.seats):
        said = alt(view, words, names)
        assert 0 < length(said) <= ALT_LENGTH


def test_the_description_says_what_is_open() -> None:
    said = alt(STAGES["to guess"], ENGLISH, NAMES)
    assert "Clues: B John." in said
    assert "Team 2 makes one guess to intercept Ada's message." in said
    assert "Book" not in said


def test_the_words_tell_every_guess_and_every_message() -> None:
    view = guessed("2 flip B", "2 guess Robin Hood", "1 judge wrong", "4 flip C", "4 pass", "3 guess The Bible")
    text = as_text(view, ENGLISH, NAMES)
    assert "**Round 1, Ada: The Bible** (Work) – received, a point for Team 1" in text
    assert "- A `Book` · B `John` · C `Paul`" in text
    assert "Ben: `Robin Hood` × wrong · Dora passes · 小陳: `The Bible` ✓ right" in text
    assert "- A: face down" in text


def test_three_players_are_told_who_sits_left_and_right() -> None:
    text = as_text(STAGES["three"], ENGLISH, NAMES)
    assert "Left of Ben: 小陳, the opponent. Right: Ada, the teammate." in text


def test_every_outcome_has_its_words() -> None:
    assert set(telling.OUTCOMES) == set(Outcome)


# -- What people wrote ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Ka-POW!", "Ka-POW!"),
        ("a\u200bb\u202ec\u2066d\ufeffe", "abcde"),
        ("  a \u3000 b\u00a0c ", "a b c"),
        ("e\u0301\u0302\u0303\u0304\u0305x", "é\u0302\u0303x"),
        ("\ue000", "□"),
        ("\u3164", "□"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("♥\ufe0f", "♥\ufe0f"),
        ("a\ufe0fb\u200dc", "abc"),
        ("\U000e0041\U000e0042x", "x"),
        ("", "□"),
    ],
)
def test_what_cannot_be_seen_is_left_out(text: str, clean: str) -> None:
    assert cleaned(text) == clean


@pytest.mark.parametrize("text", ["@everyone", "<@123>", "**x** __y__ ~~z~~ ||s||", "https://a.b/c", "[a](http://b)"])
def test_a_quoted_text_is_a_code_span(text: str) -> None:
    assert quoted(text, ENGLISH) == f"`{text}`"


def test_a_code_span_cannot_be_left() -> None:
    assert quoted("a`b``c\\`", ENGLISH).count("`") == 2
    assert quoted("`", ENGLISH) == "`ˋ`"


def test_text_from_right_to_left_does_not_turn_what_is_around_it() -> None:
    assert quoted("שלום", ENGLISH) == "\u2068`שלום`\u2069"


def test_a_decks_markdown_has_no_effect() -> None:
    assert escaped("*a* _b_ [c](d) <@1> #x") == r"\*a\* \_b\_ \[c\]\(d\) \<\@1\> \#x"


# -- Hiding --------------------------------------------------------------------------------------------------------


def test_hidden_clues_and_guesses_are_nowhere() -> None:
    view = guessed("2 flip B", "2 guess A nasty word", "1 judge wrong", "4 flip C", "4 guess A nasty word")
    for veiled in (veil(view, ["A nasty word", "Paul"]), veil(veil(view, ["Paul"]), ["A nasty word"])):
        texts = [as_text(veiled, ENGLISH, NAMES), alt(veiled, ENGLISH, NAMES)]
        assert not [text for text in texts if "nasty" in text or "Paul" in text]
        assert "(hidden)" in texts[0]
        assert "John" in texts[0]


def test_hidden_texts_stay_hidden_when_the_message_is_done_and_the_message_is_shown() -> None:
    view = guessed("2 flip B", "2 guess The Bible")
    text = as_text(veil(view, ["The Bible", "Paul"]), ENGLISH, NAMES)
    assert "**Round 1, Ada: The Bible**" in text
    assert "Ben: (hidden) ✓ right" in text
    assert "Paul" not in text


def test_events_are_veiled_too() -> None:
    assert veil(ClueFlipped(1, 0, "x"), ["x"]) == ClueFlipped(1, 0, HIDDEN)
    assert veil(Guessed(1, "x"), ["x"]) == Guessed(1, HIDDEN)
    assert veil(Proposed(1, "x"), ["x"]) == Proposed(1, HIDDEN)
    assert veil(Proposed(1, None), ["x"]) == Proposed(1, None)
    assert veil(MessageShown(1, "x"), ["x"]) == MessageShown(1, "x")


def test_what_can_be_hidden_is_what_lies_open_newest_first() -> None:
    assert written(STAGES["ruling"]) == ("Robin Hood", "John")
    assert written(STAGES["choosing"]) == ()
    assert set(written(STAGES["next round"])) == {
        *("Book", "John", "Paul", "The Bible"),
        *("Washington", "Avenue", "1600", "White House"),
    }


def test_the_mark_of_a_hidden_text_is_none_that_can_be_written() -> None:
    with pytest.raises(Exception, match="clues"):
        after(table_for(), "1 choose 4", f"1 clues {HIDDEN} | b | c")
    assert shown(HIDDEN, ENGLISH) == "(hidden)"


# -- Secrets -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_what_is_drawn_and_said_depends_on_nothing_secret(seed: int) -> None:
    """The public's picture, description and words are the same whatever the cards, choices and shut clues are."""
    rng = random.Random(seed)
    seats = 3 + seed % 3
    state = table_for(seats, first=0 if seats == 3 else None, casual=seed % 2 == 1)
    for _ in range(40):
        to_act = GAME.to_act(state)
        if not to_act:
            break
        seat = rng.choice(to_act)
        legal = rng.choice(GAME.legal(state, seat))
        state = GAME.play(state, seat, legal.sample(rng) if isinstance(legal, Open) else legal).state
        if rng.random() < 0.3:
            one, other = public(state), public(shuffled_unknown(state, None, rng))
            assert picture(one, ENGLISH, names=NAMES) == picture(other, ENGLISH, names=NAMES)
            assert as_text(one, ENGLISH, NAMES) == as_text(other, ENGLISH, NAMES)
            assert alt(one, CHINESE, NAMES) == alt(other, CHINESE, NAMES)
