"""The games, pure. Every room below this folder that holds a `GAME` is found by looking."""

import importlib
import pkgutil
from typing import Any

from rules.game import Game


def _find() -> dict[str, Game[Any, Any]]:
    rooms = sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)
    games = [importlib.import_module(f"{__name__}.{room}").GAME for room in rooms]
    return {game.key: game for game in games}


GAMES: dict[str, Game[Any, Any]] = _find()
"""Every game by its key."""
