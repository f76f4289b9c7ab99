"""Every control's verb belongs to one cog; and what no control of ours ever carries is answered in words."""

import random
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.client import Trigon
from bot.cog import Cog, GameCog
from bot.render.trinity import hand
from bot.request import Request
from bot.store import Store
from bot.tables import Tables
from rules import GAMES
from rules.game import Open
from tests.staging import cog_of, staged


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


FORGED = ("", "0", "7", "-1", "00", "nonsense", "9.9", "1.1.1.1", "²", "٣", "right!", "x" * 60)
"""Arguments that somebody with a program of their own may send."""


@pytest.mark.parametrize("key", ["trinity", "triangulation"])
async def test_arguments_that_no_control_carries_are_refused_like_a_stale_control(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Privately and in words, whatever is asked of the person; a moderator too."""
    monkeypatch.setattr(hand, "picture", lambda *_: b"not looked at")
    game, rng = GAMES[key], random.Random(3)
    play, table = await staged(f"sqlite+aiosqlite:///{tmp_path}/trigon.db", game, 3, game.Options(), rng)
    play.permissions = discord.Permissions(manage_messages=True)
    state: Any = table.state
    asked, stale = set(), 0
    while to_act := game.to_act(state):
        seat, legal = to_act[0], game.legal(state, to_act[0])
        question = str([type(one) for one in legal[:1]])
        if question not in asked:
            asked.add(question)
            play.put(state, table.deal, 9, [9] * 3, ())
            for verb in cog_of(play.bot, game).controls:
                for argument in FORGED:
                    said = await play.press(play.people[seat], f"1:9:{verb}:{argument}", (argument,))
                    text = " ".join(said.lines)
                    assert "went wrong" not in text, (verb, argument)
                    assert "private: False" not in text
                    stale += "moved on" in text
        action = rng.choice(legal)
        state = game.play(state, seat, action.sample(rng) if isinstance(action, Open) else action).state
    await play.bot.store.close()
    assert len(asked) >= 5
    assert stale >= 20


async def test_arguments_that_no_shared_control_carries_are_refused_likewise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a lobby and in play, for the opener, who is an admin here."""
    monkeypatch.setattr(Request, "is_admin", True)
    game = GAMES["triggle"]
    play, table = await staged(f"sqlite+aiosqlite:///{tmp_path}/trigon.db", game, 3, game.Options(), random.Random(3))
    await play.bot.load_extension("cogs.life")
    opener, stale = table.row.opener, 0
    for status in ("playing", "lobby"):
        play.put(table.state, table.deal, 9, [9] * 3, (), status=status)
        for verb in ("propose", "take_seat", "take_this_seat", "lobby_remove", "lobby_hand", "admin_removed", "wish"):
            for argument in FORGED:
                said = await play.press(opener, f"1:9:{verb}:{argument}", (argument,))
                text = " ".join(said.lines)
                assert "went wrong" not in text, (verb, argument)
                assert "private: False" not in text
                stale += "moved on" in text
    for forged in ((), ("nonsense",)):
        assert "moved on" in str((await play.press(opener, "1:9:invited:", forged)).lines)
    assert "moved on" in str((await play.press(opener, "1:9:typed:")).lines), "a form's address without its field"
    await play.bot.store.close()
    assert stale >= 40
