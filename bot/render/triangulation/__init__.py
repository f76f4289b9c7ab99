"""The word game's table as a picture and in words."""

from bot.render.triangulation.table import picture
from bot.render.triangulation.telling import alt, as_text

__all__ = ["alt", "as_text", "picture"]
