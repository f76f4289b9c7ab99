"""Triangulation chess in a real Chromium: a conquest and a rescue by clicks alone."""

from tests.chromium import in_chromium
from tests.e2e.browsing import browsing
from tests.e2e.evening import Evening
from tests.e2e.test_chess import MATED

TURNS = (
    ([("", "Move"), ("", "Infantry D7Φ"), ("", "D8Φ")], "Blue must capture Green's General"),
    ([("", "Move"), ("", "Cavalry E6Ψ"), ("", "F3Ω · captures Green's General")], "Green is out"),
    (
        [
            ("", "Move"),
            ("Which piece?", "Infantry H8Γ"),
            ("", "H8β · may rescue a prisoner"),
            ("", "Rescue: Red Cavalry"),
            ("Where to?", "Infantry to C7Ψ"),
        ],
        "It rescues a prisoner of Blue",
    ),
)
"""What each player clicks (the menu's question, or nothing for a button; the label), and what is said then."""


@in_chromium
async def test_a_conquest_and_a_rescue_in_the_browser(evening: Evening) -> None:
    names = ("Ada", "Ben", "Dora")
    await evening.open("chess", *names[1:], position=MATED)
    async with browsing(evening, names) as players:
        for player in players.values():
            await player.enter_thread()
        for clicks, said in TURNS:
            player = players[(await evening.whose_turn()).name]
            for question, label in clicks:
                await (player.choose(question, label) if question else player.press(label))
            await player.page.get_by_text(said).last.wait_for()
    assert "rrCH8β" in (await evening.table()).view(None).position
