"""Triangulation chess on Discord: `/chess`."""

from bot.client import Trigon
from cogs.chess.commands import ChessCog

__all__ = ["setup"]


async def setup(bot: Trigon) -> None:
    await bot.add_cog(ChessCog(bot))
