"""Triangulation chess as a picture and in words."""

from bot.render.chess.table import EVERY_NAME, NO_CHOICES, Choices, picture
from bot.render.chess.telling import alt, as_text

__all__ = ["EVERY_NAME", "NO_CHOICES", "Choices", "alt", "as_text", "picture"]
