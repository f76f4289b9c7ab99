"""Every control's verb belongs to one cog: the game's own would hide a shared one."""

from bot.client import Trigon
from bot.cog import Cog, GameCog
from bot.store import Store
from bot.tables import Tables


async def test_no_games_verb_hides_a_shared_one() -> None:
    store = await Store.open("sqlite+aiosqlite:///:memory:")
    bot = Trigon(store, Tables(store))
    await bot.load_cogs()
    await store.close()
    cogs = [cog for cog in bot.cogs.values() if isinstance(cog, Cog)]
    shared = [verb for cog in cogs if not isinstance(cog, GameCog) for verb in cog.controls]
    assert len(shared) == len(set(shared)) > 30
    for cog in cogs:
        if isinstance(cog, GameCog):
            assert not set(cog.controls) & set(shared)
