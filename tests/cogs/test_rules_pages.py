"""The rules pages of all games: they fit, have pictures, mark the readings, and follow every option."""

import importlib
import io
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image

from bot.client import COGS
from bot.cog import GameCog
from bot.face import Face, RulesPage
from bot.page import MOST_ALT, MOST_TEXT
from bot.panel import rules_page
from bot.render.canvas import HEAVY
from bot.render.descriptions import length
from bot.words import words_for
from rules import GAMES

ENGLISH, CHINESE = words_for("en"), words_for("zh-TW")


def faces_of_cogs() -> dict[str, Face]:
    """The faces of all games, by key, found as the bot finds their cogs."""
    for module in pkgutil.iter_modules([str(COGS)]):
        importlib.import_module(f"cogs.{module.name}")
    return {cog.face.game.key: cog.face for cog in GameCog.__subclasses__() if cog.__module__.startswith("cogs.")}


FACES = faces_of_cogs()


def options_of(game: str) -> Iterator[Any]:
    """The usual options, and others that differ from them in one value."""
    usual = GAMES[game].Options()
    yield usual
    for name, variant in usual.variants().items():
        for value in (*variant.choices, *(variant.numbers or ())[:1], *(variant.numbers or ())[-1:]):
            if value != getattr(usual, name):
                yield GAMES[game].Options.of({name: value})


def drawn(pages: tuple[RulesPage, ...]) -> list[bytes]:
    return [page.draw() for page in pages if page.draw is not None]


def test_there_are_pages_of_every_game() -> None:
    assert set(FACES) == set(GAMES)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_pages_fit_have_pictures_and_mark_the_readings(game: str) -> None:
    for words, reading in ((ENGLISH, "our reading"), (CHINESE, "我們的解讀")):
        pages = FACES[game].rules(GAMES[game].Options(), words)
        assert sum(page.draw is not None for page in pages) >= 3
        assert reading in "\n".join(page.text for page in pages)
        for page in pages:
            assert 0 < length(page.text) < MOST_TEXT - 200
            assert (page.draw is None) == (page.alt == "")
            assert length(page.alt) <= MOST_ALT
        for data in drawn(pages):
            assert len(data) <= HEAVY
            assert Image.open(io.BytesIO(data)).width == 1000


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_option_changes_what_the_pages_say(game: str) -> None:
    for words in (ENGLISH, CHINESE):
        said = [tuple(page.text for page in FACES[game].rules(options, words)) for options in options_of(game)]
        assert len(set(said)) == len(said)


def test_the_boards_of_pictures_are_those_of_the_options() -> None:
    for game, changed in (("triggle", {"side": 5}), ("chess", {"neutral": "red"}), ("triangulation", {"tokens": 8})):
        usual, other = (
            FACES[game].rules(options, ENGLISH) for options in (GAMES[game].Options(), GAMES[game].Options.of(changed))
        )
        assert drawn(usual)[-1] != drawn(other)[-1]


def test_the_last_page_names_every_value_and_the_rulebooks_where_it_differs() -> None:
    options = GAMES["trinity"].Options.of({"third": "left"})
    page, draw = rules_page(FACES["trinity"], options, ENGLISH, "New tables here", "99", lambda number: None)  # type: ignore[arg-type,return-value]
    assert draw is None
    assert "New tables here" in page.text
    assert "**Whom to guess: only the player after you** · usually: anyone" in page.text
    assert "**Deck: three of each, 30 cards**\n" in page.text
