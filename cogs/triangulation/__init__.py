"""The word game Triangulation on Discord: `/triangulation` and `/decks`."""

from bot.client import Trigon
from cogs.triangulation.commands import TriangulationCog
from cogs.triangulation.decks import Decks, DecksCog

__all__ = ["setup"]


async def setup(bot: Trigon) -> None:
    decks = Decks(bot)
    await bot.add_cog(TriangulationCog(bot, decks))
    await bot.add_cog(DecksCog(bot, decks))
