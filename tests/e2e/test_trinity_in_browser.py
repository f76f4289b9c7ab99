"""TRiNITY in a real Chromium: three people choose their targets by clicks, and one of them guesses right."""

from bot.render.trinity.questions import POSITION_MARKS
from rules.trinity.state import Question
from tests.chromium import in_chromium
from tests.e2e.browsing import Player, browsing
from tests.e2e.evening import Evening
from tests.e2e.test_trinity import NAMES, own


async def keep_three(evening: Evening, player: Player, name: str) -> None:
    """Choose the first three cards as targets, in this order."""
    await player.press("Choose targets")
    for mark, digit in zip(POSITION_MARKS, (await own(evening, evening[name]))[:3], strict=True):
        await player.press(f"{digit} ")
        await player.page.get_by_role("button", name=f"{mark} {digit}").last.wait_for()
    await player.press("Confirm")


@in_chromium
async def test_targets_are_chosen_and_found_out_in_the_browser(evening: Evening) -> None:
    await evening.open("trinity", *NAMES[1:])
    evening["Ben"].close_dms()
    async with browsing(evening, NAMES) as players:
        for name, player in players.items():
            await player.enter_thread()
            await keep_three(evening, player, name)
        while (table := await evening.table()).view(None).question is not Question.GUESS:
            seat = table.to_act[0]
            action = table.game.legal(table.state, seat)[0]
            await evening.bot.tables.act(table.id, table.people[seat], None, action)
        await evening.bot.showing.show(1)
        person = await evening.whose_turn()
        other = next(seat for seat in range(3) if table.people[seat] != int(person.id))
        digits = {f"Position {at + 1}": str(digit) for at, digit in enumerate(table.view(other).own.targets)}
        await players[person.name].press("Guess")
        await players[person.name].pick({"Opponent": table.names[other], **digits})
        for player in players.values():
            await player.page.get_by_text("TRiNITY!").last.wait_for()
            await player.press("Record")
            await player.page.get_by_text("The whole game, move by move.").last.wait_for()
