"""A whole game of Triggle in a real Chromium, from the command to the winner, by menus, form and command."""

from tests.chromium import in_chromium
from tests.e2e.browsing import browsing
from tests.e2e.evening import Evening


@in_chromium
async def test_a_whole_game_of_triggle_in_the_browser(evening: Evening) -> None:
    async with browsing(evening, ("Ada", "Ben")) as players:
        await players["Ada"].use("triggle new", bands="6")
        await players["Ben"].press("Join")
        await players["Ada"].press("Start")
        for player in players.values():
            await player.enter_thread()
        table = await evening.table()
        while table.to_act:
            player = players[(await evening.whose_turn()).name]
            band = table.view(None).legal[0]
            start, end = band.split("-")
            match len(table.view(None).bands) % 3:
                case 0:
                    await player.press("Place a band")
                    await player.choose("Which row?", f"Row {start[0]}")
                    await player.choose("Which peg?", start)
                    await player.choose("To which peg?", end)
                case 1:
                    await player.press("Type a band")
                    await player.fill_in(band.lower())
                case _:
                    await player.use("triggle band", band=band)
            assert (await evening.table()).view(None).last.band.startswith(start)
            table = await evening.table()
        for player in players.values():
            await player.page.get_by_text("Both have placed their last band").wait_for()
            await player.page.get_by_role("button", name="Open picture").last.wait_for()
