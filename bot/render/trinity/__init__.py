"""TRiNITY in pictures and in words."""

from bot.render.trinity.table import picture
from bot.render.trinity.telling import alt, as_text

__all__ = ["alt", "as_text", "picture"]
