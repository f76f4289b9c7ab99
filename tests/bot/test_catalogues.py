"""The catalogues follow the code, and complain where they do not."""

import re
from pathlib import Path

import pytest

from bot.catalogues import HEADER, Unmarked, complaints, rooms, texts, update


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small tree: the game triggle, a cog of the house and a complete catalogue for each."""
    code(tmp_path, "rules/triggle/__init__.py", 'TITLE = translatable("Longer sides")')
    code(tmp_path, "cogs/triggle.py", 'words.many("{count} band", "{count} bands", n); words("Join")')
    code(tmp_path, "bot/lobby.py", 'words("Join"); words("{name} joins", name=name)')
    update(tmp_path, rooms(tmp_path))
    for room, text, translation in [
        ("triggle", "Longer sides", "加長邊"),
        ("house", "Join", "加入"),
        ("house", "{name} joins", "{name} 加入了"),
    ]:
        translate(tmp_path, room, text, translation)
    edit(tmp_path, "triggle", 'msgstr[0] ""', 'msgstr[0] "{count} 條橡皮筋"')
    return tmp_path


def code(root: Path, path: str, source: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(source + "\n", encoding="utf-8")


def po(root: Path, room: str) -> Path:
    return root / "assets" / "locale" / "zh_TW" / f"{room}.po"


def edit(root: Path, room: str, old: str, new: str) -> None:
    text = po(root, room).read_text(encoding="utf-8")
    assert old in text
    po(root, room).write_text(text.replace(old, new), encoding="utf-8")


def translate(root: Path, room: str, text: str, translation: str) -> None:
    """Give this text this translation, whatever it had."""
    before = po(root, room).read_text(encoding="utf-8")
    pattern = rf'(msgid "{re.escape(text)}"\nmsgstr )".*"'
    after, count = re.subn(pattern, lambda match: f'{match[1]}"{translation}"', before)
    assert count == 1
    po(root, room).write_text(after, encoding="utf-8")


def complaint(root: Path) -> str:
    """The only thing that is wrong."""
    (only,) = complaints(root, rooms(root))
    return only


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('words("Join")', ["Join"]),
        ('self.words("Join " "now")', ["Join now"]),
        ('words("{who} joins", who=tell(words("Nobody")))', ["Nobody", "{who} joins"]),
        ("f'{words(\"Join\")}!'", ["Join"]),
        ('words("Yes" if sure else "No")', ["No", "Yes"]),
        ('words.many("{count} seat", "{count} seats", count)', [("{count} seat", "{count} seats")]),
        ('view.words.many("a seat", "{count} seats", count)', [("a seat", "{count} seats")]),
        ('TITLE = translatable("Sides")', ["Sides"]),
        ('game.translatable("Sides")', ["Sides"]),
        ('words(variant.title) + words("") + sentence("Join") + cards.many("a", "b", 1) + words.series("ab")', []),
    ],
)
def test_texts_of_a_source(source: str, found: list[str | tuple[str, str]]) -> None:
    assert sorted(texts(source, "here.py"), key=str) == sorted(found, key=str)


@pytest.mark.parametrize(
    "source", ['words(f"{name} joins")', 'words("a" + b)', 'words("%s" % a)', "words.many(a, b, 1)"]
)
def test_a_text_that_cannot_be_found_is_refused(source: str) -> None:
    with pytest.raises(Unmarked, match=r"here\.py:2"):
        list(texts(f"\n{source}", "here.py"))


def test_a_complete_tree_has_no_complaints(root: Path) -> None:
    assert complaints(root, rooms(root)) == []


def test_what_the_house_says_is_left_out_of_the_games_rooms(root: Path) -> None:
    assert '"Join"' in po(root, "house").read_text(encoding="utf-8")
    assert '"Join"' not in po(root, "triggle").read_text(encoding="utf-8")


def test_a_file_has_no_dates_and_no_line_numbers(root: Path) -> None:
    text = po(root, "house").read_text(encoding="utf-8")
    assert text.startswith(HEADER)
    assert "#: bot/lobby.py\n" in text


def test_updating_twice_changes_nothing_and_loses_no_translation(root: Path) -> None:
    before = [path.read_bytes() for path in sorted(root.glob("assets/**/*.po"))]
    update(root, rooms(root))
    assert [path.read_bytes() for path in sorted(root.glob("assets/**/*.po"))] == before


def test_a_text_that_moves_takes_its_translation_along(root: Path) -> None:
    code(root, "bot/lobby.py", 'words("{name} joins", name=name)')
    update(root, rooms(root))
    assert complaints(root, rooms(root)) == []
    assert '"Join"\nmsgstr "加入"' in po(root, "triggle").read_text(encoding="utf-8")


def test_a_room_that_has_no_texts_any_more_has_no_file(root: Path) -> None:
    code(root, "rules/triggle/__init__.py", "")
    code(root, "cogs/triggle.py", "")
    assert len(complaints(root, rooms(root))) == 2
    update(root, rooms(root))
    assert not po(root, "triggle").exists()
    assert complaints(root, rooms(root)) == []


def test_only_the_rooms_asked_for_are_written(root: Path) -> None:
    code(root, "bot/lobby.py", "")
    before = po(root, "house").read_bytes()
    update(root, ("triggle",))
    assert po(root, "house").read_bytes() == before


def test_a_missing_text(root: Path) -> None:
    code(root, "bot/panel.py", 'words("Leave")')
    assert complaint(root) == "house.po: 'Leave' is missing"


def test_a_superfluous_text(root: Path) -> None:
    code(root, "bot/lobby.py", 'words("Join")')
    assert complaint(root) == "house.po: '{name} joins' is superfluous"


def test_an_obsolete_text(root: Path) -> None:
    with po(root, "house").open("a", encoding="utf-8") as file:
        file.write('\n#~ msgid "Gone"\n#~ msgstr "不見了"\n')
    assert complaint(root) == "house.po: 'Gone' is superfluous"


def test_a_room_of_no_game(root: Path) -> None:
    po(root, "go").write_bytes(po(root, "triggle").read_bytes())
    assert complaint(root) == "go.po: no such room"


def test_an_empty_translation(root: Path) -> None:
    translate(root, "house", "Join", "")
    assert complaint(root) == "house.po: 'Join' is not translated"


def test_an_empty_plural(root: Path) -> None:
    edit(root, "triggle", '"{count} 條橡皮筋"', '""')
    assert complaint(root) == "triggle.po: '{count} band' is not translated"


def test_a_fuzzy_translation(root: Path) -> None:
    edit(root, "triggle", 'msgid "Longer sides"', '#, fuzzy\nmsgid "Longer sides"')
    assert complaint(root) == "triggle.po: 'Longer sides' is marked as fuzzy"
    update(root, rooms(root))
    assert complaint(root) == "triggle.po: 'Longer sides' is marked as fuzzy"


@pytest.mark.parametrize("form", ["{nom} 加入了", "有人加入了", "{name} {count}", "{name"])
def test_other_facts_than_the_text_names(root: Path, form: str) -> None:
    translate(root, "house", "{name} joins", form)
    assert complaint(root) == f"house.po: '{{name}} joins' has other facts than {form!r}"


@pytest.mark.parametrize("form", ["加入 ", " 加入"])
def test_other_spaces_at_the_ends(root: Path, form: str) -> None:
    translate(root, "house", "Join", form)
    assert complaint(root) == f"house.po: 'Join' begins or ends with other spaces than {form!r}"


def test_two_rooms_that_translate_a_text_differently(root: Path) -> None:
    code(root, "rules/chess/__init__.py", 'translatable("Longer sides")')
    update(root, rooms(root))
    assert complaints(root, rooms(root)) == []
    translate(root, "chess", "Longer sides", "長邊")
    assert complaint(root) == "'Longer sides' is '長邊' in chess.po and '加長邊' in triggle.po"


def test_a_file_that_a_person_put_out_of_order(root: Path) -> None:
    edit(root, "house", "#: bot/lobby.py", "#: bot/elsewhere.py")
    assert complaint(root) == "house.po: is not as `make words` writes it"
