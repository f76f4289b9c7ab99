import random

import pytest
from babel.messages.pofile import read_po

from bot.render import fonts
from bot.words import LOCALES

ODD_NAMES = {
    "emoji": "🎲 Ann 👩‍👩‍👧‍👦🏳️‍🌈",
    "right to left": "שלום مرحبا",
    "no glyph": "ᚠᚢᚦ 한국어 ไทย",
    "wide": "W" * 32,
    "combining": "Z̸̢̛̺a̷̡l̵̨g̴o",
    "control": "a\x00b\u202ec\u2028d\ud800",
    "empty": "",
    "invisible": "\u200b\u2060\ufeff",
    "private": "\ue000\U0010ffff",
}


def ink(text: str, size: int = 32) -> bytes:
    return fonts.mask(text, size).image.tobytes()


@pytest.mark.parametrize("character", "βΓΔΠΣΦΨΩαωЖЯŁőß三重都市橙綠「」，。？！🎲🏆🎉·–…→✓")
def test_the_bundled_fonts_have_what_the_games_need(character: str) -> None:
    assert fonts.face_of(character) is not None


@pytest.mark.parametrize("character", "한שمᚠ\U0010ffff")
def test_what_no_font_has_is_a_box_of_its_own(character: str) -> None:
    assert fonts.face_of(character) is None
    assert ink(character) == ink("ᚠ")
    assert any(ink(character))


def test_the_bundled_fonts_have_all_that_the_catalogues_say() -> None:
    catalogues = list(LOCALES.glob("*/*.po"))
    assert catalogues
    for path in catalogues:
        with path.open("rb") as lines:
            texts = [message.string for message in read_po(lines) if message.id]
        said = {character for text in texts for character in "".join(text or "")}
        missing = {character for character in said if fonts._visible(character) and fonts.face_of(character) is None}
        assert not missing, path


def test_coverage_tells_the_same_as_the_fonts_themselves() -> None:
    """A glyph that a font lacks is drawn as its box for missing ones, like that of a code never assigned."""
    codes = random.Random(1).sample(range(0x21, 0x1FFFF), 600)
    for face in range(len(fonts.FACES)):
        font = fonts._font(face, 24)
        missing = font.getmask("\U0003fffd").getbbox(), bytes(font.getmask("\U0003fffd"))
        starts, ends = fonts._coverage(face)
        for code in codes:
            covered = any(start <= code <= end for start, end in zip(starts, ends, strict=True))
            drawn = font.getmask(chr(code)).getbbox(), bytes(font.getmask(chr(code)))
            if not covered:
                assert drawn == missing, hex(code)
            elif drawn[0] is not None:
                assert drawn != missing, hex(code)


@pytest.mark.parametrize("name", ODD_NAMES.values(), ids=ODD_NAMES)
def test_no_name_is_too_odd_to_draw(name: str) -> None:
    fitted = fonts.fit(name, 200, 32)
    mask = fonts.mask(fitted.text, fitted.size, bold=True)
    assert mask.width <= 200
    assert fitted.size >= 24


def test_invisible_characters_leave_nothing() -> None:
    assert fonts.runs(ODD_NAMES["invisible"]) == []
    assert fonts.measure("a\u200bb", 30) == fonts.measure("ab", 30)


def test_marks_that_no_font_has_do_not_become_boxes() -> None:
    assert all(run.face is not None for run in fonts.runs("e\u0488a\U0001d165"))


def test_a_line_grows_smaller_before_it_is_cut() -> None:
    assert fonts.fit("Margarethe", 1000, 40) == ("Margarethe", 40)
    smaller = fonts.fit("Margarethe", fonts.measure("Margarethe", 30), 40)
    assert smaller.text == "Margarethe"
    assert 24 <= smaller.size <= 30
    cut = fonts.fit("W" * 32, 200, 40)
    assert cut.size == 24
    assert cut.text.endswith("…")
    assert fonts.measure(cut.text, 24) <= 200 < fonts.measure(cut.text[:-1] + "W…", 24)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one two three", ["one two", "three"]),
        ("三角形的遊戲", ["三角形", "的遊戲"]),
        ("三角形，的", ["三角", "形，的"]),
        ("三角（形）", ["三角", "（形）"]),
        ("a\nb", ["a", "b"]),
        ("", []),
    ],
)
def test_lines_break_at_spaces_and_between_chinese_characters(text: str, lines: list[str]) -> None:
    width = fonts.measure("one two", 30) if text.startswith("one") else fonts.measure("三角形", 30)
    assert fonts.wrap(text, width, 30) == lines


def test_a_no_break_space_keeps_its_words_together() -> None:
    assert fonts.wrap("checked (Cavalry\u00a0E6Ψ)", 230, 30) == ["checked", "(Cavalry E6Ψ)"]


def test_a_word_wider_than_the_line_is_broken_and_the_rest_cut() -> None:
    lines = fonts.wrap("W" * 32, 200, 30)
    assert "".join(lines) == "W" * 32
    assert all(fonts.measure(line, 30) <= 200 for line in lines)
    short = fonts.wrap("one two three four five six", 130, 30, lines=2)
    assert len(short) == 2
    assert short[1].endswith("…")
    assert fonts.measure(short[1], 30) <= 130


def test_bold_is_heavier() -> None:
    assert sum(fonts.mask("Trigon", 40, bold=True).image.tobytes()) > sum(ink("Trigon", 40))
