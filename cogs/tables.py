"""What people do at every table, whichever game: the lobby's controls, looking, leaving; and the command `games`."""

from __future__ import annotations

import asyncio

import discord
from discord import app_commands

from bot import panel
from bot.client import Trigon
from bot.cog import Cog, control
from bot.page import BLUE, GREEN, RED, Addresses, Button, Page, Row, ServerMenu, shortened
from bot.permissions import missing_for_table
from bot.record import record_file
from bot.request import Request
from bot.store import LOBBY, PLAYING
from bot.tables import MovedOn, NoSeat, Table, TableOver, in_lobby
from rules.game import translatable

MOST_INVITED = 10
MOST_LISTED = 20
"""Tables in one list."""
TEXT_PAGE = 3500
"""Characters of one page of a long text."""


class TablesCog(Cog, name="tables"):
    """The shared controls."""

    @app_commands.command(
        name="games", description=translatable("Your tables here and elsewhere, and whose turn it is")
    )
    async def games(self, interaction: discord.Interaction[Trigon]) -> None:
        request = Request(interaction)
        await request.say(await self._games_page(request))

    async def _games_page(self, request: Request) -> Page:
        words = request.words
        tables = await self.bot.tables.tables_of(request.person.id)
        if not tables:
            return Page(words("You sit at no table. Open one with a game's command `new`, such as `/triggle new`."))
        # Those that wait for this person come first.
        tables.sort(key=lambda table: table.seat_of(request.person.id) not in table.to_act)
        lines = [self._games_line(table, request) for table in tables[:MOST_LISTED]]
        if len(tables) > MOST_LISTED:
            lines.append(words("… and {count} more.", count=len(tables) - MOST_LISTED))
        shown = [
            Button(words("Show table {number} here", number=table.id), Addresses(table.id, table.turn)("show_here"))
            for table in tables
            if table.place.server == request.place.server
        ]
        rows: tuple[Row, ...] = (shown[:5],) if shown else ()
        return Page("\n".join([words("### Your tables"), *lines]), rows=rows)

    def _games_line(self, table: Table, request: Request) -> str:
        words, face = request.words, self.bot.face(table)
        if table.status == LOBBY:
            waiting = words("in the lobby")
        elif table.seat_of(request.person.id) in table.to_act:
            waiting = words("**your turn**")
        else:
            waiting = words(
                "waiting for {names}", names=words.series(panel.plain(table.names[s]) for s in table.to_act)
            )
        link = ""
        if table.row.message and table.place.server:
            where = f"{table.place.server}/{table.row.message_place}/{table.row.message}"
            link = f" · [{words('newest message')}](https://discord.com/channels/{where})"
        return f"- {face.icon} {words(face.title)} {table.id} · <#{table.place.here}> · {waiting}{link}"

    @control("show_here")
    async def show_here(self, request: Request) -> None:
        """Go on here: the table's message comes anew, at the bottom of this channel or thread."""
        table = await self.bot.table_of(request)
        seat = table.seat_of(request.person.id)
        if table.status not in (LOBBY, PLAYING):
            raise TableOver(table.status)
        if seat is None or table.seats[seat].gone:
            raise NoSeat
        if lacking := missing_for_table(request):
            await request.tell(lacking)
            return
        place = f"<#{request.place.here}>"
        await request.tell(request.words("Table {number} goes on in {place}.", number=table.id, place=place))
        await self.bot.showing.move(table.id, request.place)

    # -- The lobby --

    @control("join")
    async def join(self, request: Request) -> None:
        """Sit down."""
        table = await self.bot.tables.join((await self.bot.table_of(request)).id, request.person)
        await self._lobby_changed(request, table, request.words("You sit at table {number} now.", number=table.id))

    @control("leave_lobby")
    async def leave_lobby(self, request: Request) -> None:
        """Stand up."""
        table = await self.bot.tables.leave_lobby((await self.bot.table_of(request)).id, request.person.id)
        await self._lobby_changed(request, table, request.words("You have left table {number}.", number=table.id))

    @control("wish")
    async def wish(self, request: Request) -> None:
        """Choose a colour or a team."""
        wish = None if request.choice == "-" else request.choice
        table = await self.bot.tables.wish((await self.bot.table_of(request)).id, request.person.id, wish)
        await self._lobby_changed(request, table, request.words("Noted."))

    @control("start")
    async def start(self, request: Request) -> None:
        """Begin the game."""
        table = await self.bot.tables.start((await self.bot.table_of(request)).id, request.person.id)
        await self._lobby_changed(request, table, request.words("The game has begun."))

    async def _lobby_changed(self, request: Request, table: Table, said: str) -> None:
        """The lobby itself answers a press on it; a press elsewhere (an invitation) is answered in words."""
        message = request.interaction.message
        if message is not None and message.id == table.row.message:
            await request.acknowledge()
        else:
            await request.tell(said)
        await self.bot.showing.show(table.id)

    @control("invite")
    async def invite(self, request: Request) -> None:
        """Ask whom to invite."""
        table = await self._joinable(request)
        menu = ServerMenu(
            "people", request.words("Whom do you want to invite?"), request.addresses(table)("invited"), 1, MOST_INVITED
        )
        await request.say(Page(request.words("They are mentioned in this channel once."), rows=(menu,)))

    @control("invited")
    async def invited(self, request: Request) -> None:
        """Mention those chosen, with a button to join."""
        table = await self._joinable(request)
        if not request.values or not all(person.isdecimal() for person in request.values):
            raise MovedOn
        people = tuple(int(person) for person in request.values)
        words = await self.bot.houses.words(table.place.server)
        face = self.bot.face(table)
        text = words(
            "{name} invites {people} to {game}, table {number}.",
            name=panel.plain(request.person.name),
            people=words.series(f"<@{person}>" for person in people),
            game=words(face.title),
            number=table.id,
        )
        rows = ([Button(words("Join"), Addresses(table.id, table.turn)("join"), GREEN)],)
        await request.tell(request.words("They have been invited."))
        await self.bot.delivery.send(table.place.here, Page(text, rows=rows, colour=face.colour, mentions=people))

    async def _joinable(self, request: Request) -> Table:
        table = await self.bot.table_of(request)
        in_lobby(table)
        if table.seat_of(request.person.id) is None:
            raise NoSeat
        return table

    # -- Looking --

    @control("rules")
    async def rules(self, request: Request) -> None:
        """One page of the rules as this table plays them, with ways to the others."""
        table = await self.bot.table_of(request)
        words, address = request.words, request.addresses(table)
        heading, number = words("This table"), request.argument
        page = panel.rules_page(
            self.bot.face(table), table.options, words, heading, number, lambda other: address("rules", str(other))
        )
        await request.show(*page)

    @control("as_text")
    async def as_text(self, request: Request) -> None:
        """The whole board in words, from the person's own side."""
        table = await self.bot.table_of(request)
        face = self.bot.face(table)
        text = face.drawing.as_text(
            panel.view_of(table, face, table.seat_of(request.person.id)),
            request.words,
            panel.names_of(table, request.words),
        )
        pages = _pages(text)
        number = min(int(request.argument) if request.argument.isdecimal() else 0, len(pages) - 1)
        address = request.addresses(table)
        rows = panel.turning(request.words, number, len(pages), lambda other: address("as_text", str(other)))
        rows += face.beside_text(request.words, address, request.moderates)
        await request.say(Page(f"{panel.title(face, table, request.words)}\n{pages[number]}", None, rows, face.colour))

    @control("watch")
    async def watch(self, request: Request) -> None:
        """What everybody may see, privately and in the person's own language."""
        table = await self.bot.table_of(request)
        face, words = self.bot.face(table), request.words
        happenings = await self.bot.tables.happenings(table, panel.LAST_TOLD)
        lines = [
            panel.title(face, table, words),
            *panel.told(table, face, words, happenings),
            face.status(panel.view_of(table, face, None), words, panel.names_of(table, words)),
        ]
        rows = ([Button(words("Look again"), request.addresses(table)("watch"))],)
        await request.show(
            Page("\n".join(lines), rows=rows, colour=face.colour), lambda: panel.board(table, face, words, None)
        )

    @control("my_cards")
    async def my_cards(self, request: Request) -> None:
        """What only this player may know."""
        table = await self.bot.table_of(request)
        seat = table.seat_of(request.person.id)
        if seat is None:
            raise NoSeat
        face, words = self.bot.face(table), request.words
        page = await asyncio.to_thread(panel.own_page, table, face, words, seat, request.addresses(table))
        await request.say(page or Page(words("You hold nothing secret now.")))
        await self.bot.showing.write_again(table.id, request.person.id)

    @control("record")
    async def record(self, request: Request) -> None:
        """The game as a file."""
        table = await self.bot.table_of(request)
        file = await record_file(self.bot.tables, table)
        await request.say(Page(request.words("The whole game, move by move."), file=file))

    # -- Leaving --

    @control("leave")
    async def leave(self, request: Request) -> None:
        """Ask whether the person really wants to go."""
        table = await self.bot.table_of(request)
        self.bot.tables.seat_at(table, request.person.id)
        words, address = request.words, request.addresses(table)
        rows = (
            [
                Button(words("Give up my seat"), address("leave_surely"), RED),
                Button(words("Offer it to somebody else"), address("offer_seat")),
                Button(words("Stay"), address("stay"), BLUE),
            ],
        )
        await request.say(Page(words("Do you want to leave this game for good? The others play on."), rows=rows))

    @control("stay")
    async def stay(self, request: Request) -> None:
        """Nothing happened."""
        await request.tell(request.words("You keep your seat."))

    @control("leave_surely")
    async def leave_surely(self, request: Request) -> None:
        """Give up the seat."""
        table = await self.bot.tables.leave((await self.bot.table_of(request)).id, request.person.id)
        await request.tell(request.words("You have left table {number}.", number=table.id))
        await self.bot.showing.show(table.id)


def _pages(text: str) -> list[str]:
    """A long text in pages, parted between lines."""
    pages = [""]
    for line in text.splitlines():
        if len(pages[-1]) + len(line) + 1 > TEXT_PAGE:
            pages.append("")
        pages[-1] += f"{shortened(line, TEXT_PAGE)}\n"
    return pages


async def setup(bot: Trigon) -> None:
    await bot.add_cog(TablesCog(bot))
