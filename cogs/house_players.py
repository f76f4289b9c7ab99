"""House players in the lobby: the opener lets them sit down, and asks them to stand up."""

from __future__ import annotations

from bot.client import Trigon
from bot.cog import Cog, control
from bot.lobby import guest_of, own_lobby
from bot.page import BLUE, GREEN, Button, Page, Row
from bot.panel import plain
from bot.request import Request
from bot.store import LOBBY
from bot.tables import LobbyRefusal, Table

IN_ROW = 5
"""Buttons in one row."""


class HousePlayersCog(Cog, name="house_players"):
    """The controls behind "Add house player"."""

    @control("house_players")
    async def house_players(self, request: Request) -> None:
        """The levels there are, and who of the house sits already."""
        await request.say(self._page(request, await self._own_lobby(request)))

    @control("house_add")
    async def house_add(self, request: Request) -> None:
        """Another house player sits down."""
        table = await self._own_lobby(request)
        await self._changed(
            request, await self.bot.tables.add_house_player(table.id, table.row.opener, request.argument)
        )

    @control("house_remove")
    async def house_remove(self, request: Request) -> None:
        """A house player stands up."""
        table = await self._own_lobby(request)
        player = guest_of(table, request.argument)
        await self._changed(request, await self.bot.tables.remove(table.id, table.row.opener, player.person))

    async def _changed(self, request: Request, table: Table) -> None:
        if table.status == LOBBY:
            await request.say(self._page(request, table))
        else:
            await request.tell(request.words("The game has begun."))
        await self.bot.showing.show(table.id)

    async def _own_lobby(self, request: Request) -> Table:
        return own_lobby(await self.bot.table_of(request), request.person.id, request.is_admin)

    def _page(self, request: Request, table: Table) -> Page:
        words, address = request.words, request.addresses(table)
        if table.game.Robot is None:
            raise LobbyRefusal("no_house_players")
        levels = table.game.Robot.LEVELS
        lines = [
            words("### 🤖 House players"),
            words("They are programs of mine. Each sees what a player in its seat sees, and no more."),
            *(f"**{words(level.title)}:** {words(level.sentence)}" for level in levels.values()),
        ]
        rows: list[Row] = [
            [
                Button(words(level.title), address("house_add", key), GREEN, disabled=table.full)
                for key, level in levels.items()
            ]
        ]
        if ours := [row for row in table.seats if row.of_the_house]:
            sitting = words.series(f"{plain(row.shown_name)} ({words(levels[row.robot or ''].title)})" for row in ours)
            lines += ["", words("At the table: {names}", names=sitting)]
            removing = [
                Button(words("Remove {name}", name=row.shown_name), address("house_remove", str(row.person)))
                for row in ours
            ]
            rows += [removing[at : at + IN_ROW] for at in range(0, len(removing), IN_ROW)]
        if len(table.seats) in table.playable:
            rows.append([Button(words("Start"), address("start"), BLUE)])
        return Page("\n".join(lines), rows=tuple(rows), colour=self.bot.face(table).colour)


async def setup(bot: Trigon) -> None:
    await bot.add_cog(HousePlayersCog(bot))
