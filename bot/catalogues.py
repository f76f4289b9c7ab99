"""Keeps `assets/locale` in step with the texts in the code: `python -m bot.catalogues update|check [ROOM …]`.

A text is the literal in `words("…")`, `words.many("…", "…", count)` or `translatable("…")`. It belongs to the room of
the file it stands in: the key of a game, or `house` for all that is no game's own. What the house says is left out of
the rooms. `update` writes each room's file anew and keeps every translation known anywhere; `check` only complains.
"""

import argparse
import ast
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
LANGUAGE = "zh_TW"
HOUSE = "house"

HEADER = """\
msgid ""
msgstr ""
"Language: zh_TW\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=1; plural=0;\\n"

"""
"""Of every file. No dates and no names, so that the same texts always make the same file."""

TextId = str | tuple[str, str]
"""A text as it stands in the code; one that goes by number as its singular and plural."""


class Unmarked(Exception):
    """A text in the code that cannot be found in a catalogue, and what to write instead."""


# -- Finding texts in the code -------------------------------------------------------------------------------------


def texts(source: str, path: str) -> Iterator[TextId]:
    """The texts of a file, in no particular order; raises `Unmarked` for one that is not a plain literal."""
    for node in ast.walk(ast.parse(source, path)):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        where = f"{path}:{node.lineno}"
        if _name(node.func) in ("words", "translatable"):
            yield from filter(None, _literals(node.args[0], where))
        elif isinstance(node.func, ast.Attribute) and node.func.attr == "many" and _name(node.func.value) == "words":
            yield _pair(node, where)


def _name(function: ast.expr) -> str | None:
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return None


def _literals(node: ast.expr, where: str) -> list[str]:
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.IfExp(body=body, orelse=orelse):
            return _literals(body, where) + _literals(orelse, where)
        case ast.JoinedStr() | ast.BinOp():
            raise Unmarked(f"{where}: a text is one literal; give its facts by name, words('{{name}} wins', name=name)")
    return []  # a constant, marked where it is written


def _pair(call: ast.Call, where: str) -> tuple[str, str]:
    match call.args:
        case [ast.Constant(value=str(one)), ast.Constant(value=str(many)), _]:
            return one, many
    raise Unmarked(f"{where}: words.many takes two literals and the number")


def rooms(root: Path) -> tuple[str, ...]:
    """The games' keys and `house`."""
    return (*sorted({path.parent.name for path in root.glob("rules/*/*.py")}), HOUSE)


def room_of(path: Path, games: tuple[str, ...]) -> str:
    """The room of a file, by its path below the root: rules/GAME/…, bot/render/GAME.py, cogs/GAME.py."""
    match path.with_suffix("").parts:
        case ("rules" | "cogs", game, *_) | ("bot", "render", game, *_) if game in games:
            return game
    return HOUSE


def extracted(root: Path) -> dict[str, Catalog]:
    """What each room's catalogue has to hold, without translations."""
    games = rooms(root)[:-1]
    found = {room: Catalog(LANGUAGE) for room in (*games, HOUSE)}
    for path in sorted(path for top in ("rules", "bot", "cogs") for path in root.glob(f"{top}/**/*.py")):
        place = path.relative_to(root)
        room = found[room_of(place, games)]
        for text in texts(path.read_text(encoding="utf-8"), place.as_posix()):
            room.add(text, locations=[(place.as_posix(), 0)])
    for game in games:
        for message in _messages(found[HOUSE]):
            found[game].delete(message.id)
    return found


# -- The files -----------------------------------------------------------------------------------------------------


def folder(root: Path) -> Path:
    """Where the rooms' files are."""
    return root / "assets" / "locale" / LANGUAGE


def stored(root: Path) -> dict[str, Catalog]:
    """The catalogues as they are on disk, by room."""
    catalogues = {}
    for path in sorted(folder(root).glob("*.po")):
        with path.open("rb") as lines:
            catalogues[path.stem] = read_po(lines, abort_invalid=True)
    return catalogues


def written(catalogue: Catalog) -> str:
    """A catalogue as the text of its file: sorted, with the files each text stands in, without line numbers."""
    file = io.BytesIO()
    write_po(file, catalogue, width=120, omit_header=True, sort_output=True, include_lineno=False)
    return HEADER + file.getvalue().decode()


def translated(root: Path) -> dict[str, Catalog]:
    """What each room has to hold, with every translation that any room's file has for it, its own first."""
    known = stored(root)
    catalogues = extracted(root)
    for room, catalogue in catalogues.items():
        sources = [known.get(room), *known.values()]
        for message in _messages(catalogue):
            for old in (source.get(message.id) for source in sources if source is not None):
                if old is not None and all(_forms(old)):
                    message.string = _forms(old) if message.pluralizable else _forms(old)[0]
                    message.user_comments = old.user_comments
                    message.flags |= old.flags & {"fuzzy"}
                    break
    return catalogues


def update(root: Path, wanted: tuple[str, ...]) -> None:
    """Write the files of these rooms anew. What is no longer said is dropped."""
    for room, catalogue in translated(root).items():
        if room in wanted:
            _write(folder(root) / f"{room}.po", catalogue)
            missing = sum(not all(_forms(message)) for message in _messages(catalogue))
            print(f"{room}: {len(catalogue)} texts, {missing} to translate")


def _write(path: Path, catalogue: Catalog) -> None:
    if len(catalogue):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written(catalogue), encoding="utf-8")
    else:
        path.unlink(missing_ok=True)


def _messages(catalogue: Catalog) -> Iterator[Message]:
    return (message for message in catalogue if message.id)


def _forms(message: Message) -> tuple[str, ...]:
    string = message.string or ""
    return (string,) if isinstance(string, str) else tuple(string)


# -- Complaints ----------------------------------------------------------------------------------------------------


def complaints(root: Path, wanted: tuple[str, ...]) -> list[str]:
    """What is wrong with the catalogues of these rooms, a sentence each; empty when all is well."""
    found, known = translated(root), stored(root)
    said = [f"{room}.po: no such room" for room in known if room not in found and wanted == rooms(root)]
    for room in wanted:
        catalogue = known.get(room, Catalog(LANGUAGE))
        wrong = [*_differences(found[room], catalogue), *(w for m in _messages(catalogue) for w in _faults(m))]
        path = folder(root) / f"{room}.po"
        if not wrong and len(catalogue) and path.read_text(encoding="utf-8") != written(found[room]):
            wrong = ["is not as `make words` writes it"]
        said += [f"{room}.po: {what}" for what in wrong]
    return [*said, *_quarrels(known)]


def _differences(found: Catalog, catalogue: Catalog) -> Iterator[str]:
    for message in _messages(found):
        if catalogue.get(message.id) is None:
            yield f"{_quote(message)} is missing"
    unsaid = [message for message in _messages(catalogue) if found.get(message.id) is None]
    for message in [*unsaid, *catalogue.obsolete.values()]:
        yield f"{_quote(message)} is superfluous"


def _faults(message: Message) -> Iterator[str]:
    """What is wrong with one translation."""
    text = message.id if isinstance(message.id, str) else message.id[-1]
    for form in _forms(message):
        if not form:
            yield f"{_quote(message)} is not translated"
        elif _facts(form) != _facts(text):
            yield f"{_quote(message)} has other facts than {form!r}"
        elif _margins(form) != _margins(text):
            yield f"{_quote(message)} begins or ends with other spaces than {form!r}"
    if message.fuzzy:
        yield f"{_quote(message)} is marked as fuzzy"


def _quarrels(known: dict[str, Catalog]) -> Iterator[str]:
    """Texts that two rooms translate differently: only one of them would ever be shown."""
    first: dict[str, tuple[str, str]] = {}
    for room, catalogue in known.items():
        for message in _messages(catalogue):
            other, form = first.setdefault(_quote(message), (room, _forms(message)[0]))
            if form != _forms(message)[0] and form and _forms(message)[0]:
                yield f"{_quote(message)} is {form!r} in {other}.po and {_forms(message)[0]!r} in {room}.po"


def _quote(message: Message) -> str:
    return repr(message.id if isinstance(message.id, str) else message.id[0])


def _facts(text: str) -> set[str]:
    try:
        return {name for _, name, _, _ in Formatter().parse(text) if name is not None}
    except ValueError:
        return {f"broken: {text}"}


def _margins(text: str) -> tuple[str, str]:
    inner = text.strip()
    before, after = text.split(inner, 1) if inner else (text, "")
    return before, after


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bot.catalogues", description="The catalogues of translations.")
    parser.add_argument("command", choices=("update", "check"))
    parser.add_argument("room", nargs="*", help="only these rooms (all)")
    asked = parser.parse_args(arguments)
    everywhere = rooms(ROOT)
    if strangers := [room for room in asked.room if room not in everywhere]:
        parser.error(f"no room {strangers[0]}; there are {', '.join(everywhere)}")
    wanted = tuple(asked.room) or everywhere
    try:
        if asked.command == "update":
            update(ROOT, wanted)
            return 0
        wrong = complaints(ROOT, wanted)
    except Unmarked as unmarked:
        wrong = [str(unmarked)]
    print("\n".join(wrong) or "The catalogues are complete.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
