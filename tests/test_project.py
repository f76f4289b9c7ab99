"""The code base itself: what may import what, and what has to be there."""

import ast
import importlib.metadata
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import discord
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bot.catalogues import complaints, rooms
from bot.config import Settings
from bot.permissions import NEEDED, NEEDED_FOR_THREADS

ROOT = Path(__file__).resolve().parent.parent
ROOMS = rooms(ROOT)
GAMES = ROOMS[:-1]

SOURCES = {
    path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8"), str(path))
    for top in ("rules", "bot", "cogs", "tests")
    for path in sorted((ROOT / top).rglob("*.py"))
}

TEXTS = [
    path
    for path in sorted(ROOT.rglob("*"))
    if path.is_file()
    and path.suffix in {"", ".py", ".md", ".toml", ".txt", ".po", ".html", ".css", ".js", ".json", ".mako", ".example"}
    and not {"data", "build", "__pycache__"} & set(path.relative_to(ROOT).parts)
    and not any(part.startswith(".") and part != ".ci" for part in path.relative_to(ROOT).parts[:-1])
]


def below(*places: str) -> dict[str, ast.Module]:
    """The sources in these folders."""
    return {path: source for path, source in SOURCES.items() if path.startswith(places)}


def imports(source: ast.Module) -> Iterator[str]:
    """The full names of all that a file imports, wherever in it: `bot.words`, `bot.words.Words`."""
    for node in ast.walk(source):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_below(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def strings(source: ast.Module) -> Iterator[str]:
    return (node.value for node in ast.walk(source) if isinstance(node, ast.Constant) and isinstance(node.value, str))


# -- Arrows run one way: cogs → bot → rules ------------------------------------------------------------------------


def test_no_import_is_relative() -> None:
    """The tests below read full names only."""
    assert [
        path
        for path, source in SOURCES.items()
        for node in ast.walk(source)
        if isinstance(node, ast.ImportFrom) and node.level
    ] == []


ALLOWED = {"rules/": {"msgspec", "rules"}, "rules/triangulation/": {"msgspec", "rules", "rapidfuzz", "snowballstemmer"}}


def test_the_rules_import_nothing_from_above() -> None:
    wrong = []
    for path, source in below("rules/").items():
        allowed = ALLOWED[max((place for place in ALLOWED if path.startswith(place)), key=len)]
        tops = {name.split(".")[0] for name in imports(source)}
        wrong += [f"{path}: {top}" for top in sorted(tops - allowed - sys.stdlib_module_names)]
    assert wrong == []


CLOCKS_AND_FILES = {"time", "datetime", "os", "socket", "asyncio", "threading", "sqlite3", "logging"}


def test_the_rules_know_no_clock_and_no_files() -> None:
    wrong = [
        f"{path}: {name}"
        for path, source in below("rules/").items()
        # The referee is a program for the command line.
        if path != "rules/__main__.py"
        for name in imports(source)
        if name.split(".")[0] in CLOCKS_AND_FILES
    ]
    assert wrong == []


def test_a_game_knows_no_other_game() -> None:
    wrong = []
    for game in GAMES:
        others = [f"rules.{other}" for other in GAMES if other != game]
        for path, source in below(f"rules/{game}/", f"bot/render/{game}", f"cogs/{game}").items():
            wrong += [f"{path}: {name}" for name in imports(source) for other in others if is_below(name, other)]
    assert wrong == []


def test_the_bot_imports_no_cog() -> None:
    """Cogs are found by looking into their folder."""
    assert [path for path, source in below("bot/").items() if any(is_below(n, "cogs") for n in imports(source))] == []


def test_only_the_program_and_tests_import_the_playground() -> None:
    importers = {
        path for path, source in SOURCES.items() if any(is_below(n, "bot.playground") for n in imports(source))
    }
    assert [path for path in importers if not path.startswith(("bot/playground/", "tests/", "bot/__main__.py"))] == []


def test_without_a_token_only_is_the_playground_loaded() -> None:
    """`__main__` imports it inside of a function, not at the start."""
    imported = [node for node in SOURCES["bot/__main__.py"].body if isinstance(node, ast.Import | ast.ImportFrom)]
    at_the_start = ast.Module(body=list(imported), type_ignores=[])
    assert [name for name in imports(at_the_start) if is_below(name, "bot.playground")] == []


def test_pictures_are_made_of_views_never_of_states() -> None:
    wrong = [
        f"{path}: {name}"
        for path, source in below("bot/render/").items()
        for name in names(source)
        if name.endswith("State")
    ]
    assert wrong == []


def names(source: ast.Module) -> Iterator[str]:
    """Every name that a file uses, without the modules before it."""
    for node in ast.walk(source):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias):
            yield node.name.split(".")[-1]


def test_what_the_games_share_names_no_game() -> None:
    """A fifth game is new files in four known places, and no other edit."""
    own = tuple(f"{place}{game}" for game in GAMES for place in ("rules/", "bot/render/", "cogs/"))
    wrong = []
    for path, source in below("rules/", "bot/", "cogs/").items():
        if not path.startswith(own):
            named = [name for name in imports(source) for game in GAMES if is_below(name, f"rules.{game}")]
            wrong += [f"{path}: {text}" for text in [*named, *(text for text in strings(source) if text in GAMES)]]
    assert wrong == []


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_in_its_four_places(game: str) -> None:
    for place in (f"rules/{game}/", f"bot/render/{game}", f"cogs/{game}"):
        assert below(place), place
    assert [path for path in below("tests/") if game in path]


# -- Words ---------------------------------------------------------------------------------------------------------


def test_every_text_is_translated() -> None:
    assert complaints(ROOT, ROOMS) == []


SHOWN = {"label", "placeholder", "content", "description", "title", "reason"}
"""Keyword arguments that discord.py shows to people."""


def test_no_text_is_shown_as_it_stands_in_the_code() -> None:
    wrong = []
    for path, source in below("bot/", "cogs/").items():
        # What is for whoever runs the bot, at a terminal, is in English.
        if path.startswith(("bot/playground/", "bot/config.py", "bot/catalogues.py", "bot/__main__.py")):
            continue
        for node in ast.walk(source):
            if isinstance(node, ast.keyword) and node.arg in SHOWN and has_words(node.value):
                wrong.append(f"{path}:{node.value.lineno}: {node.arg}={ast.unparse(node.value)}")
    assert wrong == []


def has_words(node: ast.expr) -> bool:
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return any(re.search(r"[A-Za-z]{2}", text) for text in texts)


# -- What is installed ---------------------------------------------------------------------------------------------

PIN = re.compile(r"([A-Za-z0-9._-]+)==([0-9][A-Za-z0-9.]*)")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def pins(*files: str) -> dict[str, str]:
    """Version by package of these files, every line of which has to be a plain pin."""
    lines = [line for file in files for line in (ROOT / file).read_text(encoding="utf-8").splitlines()]
    matches = [(line, PIN.fullmatch(line)) for line in lines]
    assert [line for line, match in matches if match is None] == []
    return {canonicalize_name(match[1]): match[2] for _, match in matches if match}


def needed(requirements: list[str]) -> dict[str, list[Requirement]]:
    """Everything that has to be installed for these, and what is asked of each."""
    asked: dict[str, list[Requirement]] = {}
    waiting = [Requirement(text) for text in requirements]
    while waiting:
        requirement = waiting.pop()
        known = asked.setdefault(canonicalize_name(requirement.name), [])
        if requirement in known:
            continue
        known.append(requirement)
        for text in importlib.metadata.requires(requirement.name) or ():
            below = Requirement(text)
            if any(below.marker is None or below.marker.evaluate({"extra": e}) for e in requirement.extras | {""}):
                waiting.append(below)
    return asked


@pytest.mark.parametrize(
    ("files", "requirements"),
    [
        (["requirements.txt"], PROJECT["dependencies"]),
        (
            ["requirements.txt", "requirements-dev.txt"],
            PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"],
        ),
    ],
    ids=["to run", "to test"],
)
def test_the_pins_are_complete_and_within_the_bounds(files: list[str], requirements: list[str]) -> None:
    pinned, asked = pins(*files), needed(requirements)
    assert set(pinned) == set(asked)
    for name, wishes in asked.items():
        for wish in wishes:
            assert wish.specifier.contains(pinned[name], prereleases=True), f"{name}=={pinned[name]} is not {wish}"


def test_what_is_installed_is_what_is_pinned() -> None:
    pinned = pins("requirements.txt", "requirements-dev.txt")
    assert {name: importlib.metadata.version(name) for name in pinned} == pinned


HOSTS = re.compile("py" + r"pi\.org|pythonhosted\.|npm" + r"js\.|deb\.debian\.|jsd" + r"elivr|unp" + r"kg\.")


def test_no_file_names_the_host_of_a_registry() -> None:
    assert len(TEXTS) > 50
    assert [path.relative_to(ROOT).as_posix() for path in TEXTS if HOSTS.search(path.read_text(encoding="utf-8"))] == []


def test_every_file_of_the_program_is_in_its_package() -> None:
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"][
        "package-data"
    ]
    files = [path for top in ("bot", "cogs", "rules", "assets") for path in (ROOT / top).rglob("*") if path.is_file()]
    data = [path for path in files if path.suffix not in {".py", ".pyc"}]
    assert [path.name for path in data if not any(path.match(pattern) for pattern in patterns["*"])] == []


# -- Names and licences --------------------------------------------------------------------------------------------


def test_every_file_says_what_it_is_about() -> None:
    vague = re.compile(r"(^|[/_])(utils?|helpers?|managers?|misc|common)([/_.]|$)")
    assert [path for path in SOURCES if vague.search(path)] == []


def test_every_font_has_its_licence_beside_it() -> None:
    fonts = sorted(path for kind in ("ttf", "otf", "woff2") for path in ROOT.glob(f"assets/**/*.{kind}"))
    assert fonts
    assert [path.name for path in fonts if not any("OFL" in other.name for other in path.parent.iterdir())] == []


# -- The README ----------------------------------------------------------------------------------------------------


def test_the_invite_link_asks_for_just_the_permissions_that_are_needed() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    asked = re.search(r"scope=bot\+applications\.commands&permissions=(\d+)", readme)
    assert asked
    used = dict.fromkeys({**NEEDED, **NEEDED_FOR_THREADS}, True)
    assert int(asked[1]) == discord.Permissions(**used).value


def test_the_readme_and_the_example_of_a_settings_file_name_every_setting() -> None:
    readme, example = ((ROOT / file).read_text(encoding="utf-8") for file in ("README.md", ".env.example"))
    for name, field in Settings.model_fields.items():
        assert f"| `{name.upper()}` |" in readme
        assert f"\n{name.upper()}=\n" in example
        assert field.default is None or f"| `{field.default}` |" in readme


@pytest.mark.parametrize("page", sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]), ids=lambda page: str(page.name))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
        assert "://" in target or (page.parent / target).exists(), target
