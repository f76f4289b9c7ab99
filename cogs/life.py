"""What happens at a table besides moves: agreeing, pausing, handing on a seat, playing again; reminders, absence."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import discord
from discord import app_commands

from bot.client import Trigon
from bot.cog import Cog, control
from bot.houses import HouseRefusal
from bot.lobby import guest_of, own_lobby
from bot.page import GREEN, Button, Menu, Option, Page, Row
from bot.panel import admin_buttons, plain, shown_names
from bot.request import Request
from bot.store import CLOSED, LOBBY, OVER, SeatRow
from bot.tables import MovedOn, NoSeat, Table, TableOver
from rules.game import Game, translatable

LONGEST_AWAY = timedelta(days=90)

REMINDERS = {
    "table": translatable("at the table"),
    "direct": translatable("by direct message"),
    "none": translatable("never"),
}
"""Where reminders come, as stored, with what people read."""

SPANS = {
    "6h": translatable("6 hours"),
    "1d": translatable("1 day"),
    "3d": translatable("3 days"),
    "7d": translatable("7 days"),
    "14d": translatable("14 days"),
    "30d": translatable("30 days"),
    "0h": translatable("I am back"),
}
"""How long `/away` offers."""


class LifeCog(Cog, name="life"):
    """The controls behind "More", and the commands of absence."""

    # -- More --

    @control("more")
    async def more(self, request: Request) -> None:
        """What else can be done at this table, for this person."""
        table = await self.bot.table_of(request)
        if table.status in (OVER, CLOSED):
            raise TableOver(table.status)
        words, address = request.words, request.addresses(table)
        seat = table.seat_of(request.person.id)
        rows: list[Row] = []
        if seat is not None and not table.seats[seat].gone:
            rows.append(
                [
                    Button(words("Take the last move back"), address("propose", "take_back")),
                    *([Button(words("Offer a draw"), address("offer_draw"))] if _has_draws(table) else []),
                    Button(words("End the game here"), address("propose", "close")),
                ]
            )
            rows.append([*self._clock_buttons(table, request), self._seat_button(table, seat, request)])
        if request.is_admin:
            rows.append(admin_buttons(words, address))
        if not rows:
            raise NoSeat
        text = words("The others are asked to agree to what concerns all of you.")
        await request.say(Page(text, rows=tuple(rows)))

    def _clock_buttons(self, table: Table, request: Request) -> list[Button]:
        if table.limit is None:
            return []
        words, address = request.words, request.addresses(table)
        if table.row.paused:
            return [Button(words("End the pause"), address("resume"), GREEN)]
        return [Button(words("Pause"), address("propose", "pause"))]

    def _seat_button(self, table: Table, seat: int, request: Request) -> Button:
        words, address = request.words, request.addresses(table)
        if table.seats[seat].vacant is not None:
            return Button(words("I am back"), address("come_back"), GREEN)
        return Button(words("Offer my seat"), address("offer_seat"))

    @control("propose")
    async def propose(self, request: Request) -> None:
        """Propose something to the others."""
        table = await self.bot.table_of(request)
        after = await self.bot.agreements.propose(table.id, request.person.id, request.argument)
        await self._asked(request, after)

    @control("wait_for_start")
    async def wait_for_start(self, request: Request) -> None:
        """The game is not to begin by itself, after all."""
        table = await self.bot.table_of(request)
        after = await self.bot.agreements.wait_for_start(table.id, request.person.id)
        await self._done(
            request, table, request.words("It begins when {opener} starts it.", opener=plain(after.opener_name))
        )

    @control("agree_proposal")
    async def agree(self, request: Request) -> None:
        """Agree to what stands."""
        table = await self.bot.table_of(request)
        await self.bot.agreements.agree(table.id, request.person.id, request.turn)
        await self._done(request, table, request.words("You have agreed."))

    @control("decline_proposal")
    async def decline(self, request: Request) -> None:
        """Decline what stands."""
        table = await self.bot.table_of(request)
        await self.bot.agreements.decline(table.id, request.person.id, request.turn)
        await self._done(request, table, request.words("The proposal is off the table."))

    @control("offer_draw")
    async def offer_draw(self, request: Request) -> None:
        """Offer a draw by the game's own rules."""
        table = await self.bot.table_of(request)
        after = await self.bot.tables.offer_draw(table.id, request.person.id)
        agreed = after.status == OVER
        words = request.words
        await self._done(
            request, table, words("You have agreed to a draw.") if agreed else words("You have offered a draw.")
        )

    @control("resume")
    async def resume(self, request: Request) -> None:
        """End the pause."""
        table = await self.bot.table_of(request)
        await self.bot.agreements.resume(table.id, request.person.id)
        await self._done(request, table, request.words("The game goes on."))

    @control("offer_seat")
    async def offer_seat(self, request: Request) -> None:
        """Offer one's seat."""
        table = await self.bot.table_of(request)
        await self.bot.agreements.offer_seat(table.id, request.person.id)
        words = request.words("Your seat is offered to others. Until somebody takes it you can come back.")
        await self._done(request, table, words)

    @control("come_back")
    async def come_back(self, request: Request) -> None:
        """Take one's own seat again."""
        table = await self.bot.table_of(request)
        await self.bot.agreements.come_back(table.id, request.person.id)
        await self._done(request, table, request.words("Welcome back."))

    @control("seat_back")
    async def seat_back(self, request: Request) -> None:
        """Take the seat back in which a house player sits in."""
        table = await self.bot.table_of(request)
        await self.bot.agreements.take_seat_back(table.id, request.person.id)
        await self._done(request, table, request.words("Welcome back."))

    @control("take_seat")
    async def take_seat(self, request: Request) -> None:
        """Take over a seat that is free; its owner comes back by the same button."""
        table = await self.bot.table_of(request)
        own = table.seat_of(request.person.id)
        if own in table.free_seats:
            await self.come_back(request)
        elif own is None and len(table.free_seats) > 1:
            words, names = request.words, shown_names(table, request.words)
            options = tuple(Option(names[seat], str(seat)) for seat in table.free_seats)
            menu = Menu(words("Whose seat would you like?"), request.addresses(table)("take_this_seat"), options)
            await request.say(Page(words("Several seats are free."), rows=(menu,)))
        else:
            await self._take(request, table, next(iter(table.free_seats), -1))

    @control("take_this_seat")
    async def take_this_seat(self, request: Request) -> None:
        """Take over one of several free seats."""
        table = await self.bot.table_of(request)
        await self._take(request, table, request.number(range(len(table.seats))))

    async def _take(self, request: Request, table: Table, seat: int) -> None:
        await self._asked(request, await self.bot.agreements.propose_seat(table.id, request.person, seat))

    async def _asked(self, request: Request, table: Table) -> None:
        """What came of a proposal: where nobody else is there to be asked, it is done."""
        asked = table.proposal is not None
        await self._done(
            request, table, request.words("The others have been asked.") if asked else request.words("Done.")
        )

    async def _done(self, request: Request, table: Table, said: str) -> None:
        await request.tell(said)
        await self.bot.showing.show(table.id)

    # -- After the game --

    @control("rematch")
    async def rematch(self, request: Request) -> None:
        """A new lobby with the same people."""
        table = await self.bot.table_of(request)
        house = await self.bot.houses.may_open(table.game, table.place, request.person, request.roles, request.is_admin)
        fixed = house.fixed.get(table.game.key, ())
        kept = {name: value for name, value in table.options.changed().items() if name not in fixed}
        options = house.options(table.game, kept).changed()
        again = await self.bot.agreements.rematch(table.id, request.person.id, options, house.changed())
        where = f"<#{again.place.here}>"
        await request.tell(request.words("Table {number} waits for you in {place}.", number=again.id, place=where))
        await self.bot.showing.show(again.id)
        await self.bot.showing.show(table.id)

    # -- The lobby's opener --

    @control("lobby_opener")
    async def lobby_opener(self, request: Request) -> None:
        """What only the opener of a table can do in its lobby."""
        table = await self._own_lobby(request)
        await request.say(self._opener_page(request, table))

    def _opener_page(self, request: Request, table: Table) -> Page:
        words, address = request.words, request.addresses(table)
        others = [row for row in table.seats if row.person != table.row.opener]
        people = [row for row in others if not row.of_the_house]
        rows: list[Row] = []
        if others:
            remove = address("lobby_remove", str(table.turn))
            rows.append(Menu(words("Ask somebody to stand up"), remove, _players(others)))
        if people:
            hand = address("lobby_hand", str(table.turn))
            rows.append(Menu(words("Make somebody else the opener"), hand, _players(people)))
        if request.is_admin:
            rows.append(admin_buttons(words, address))
        alone = words("Nobody else sits at this table yet.")
        return Page(words("What the opener of this table can do.") if rows else alone, rows=tuple(rows))

    async def _own_lobby(self, request: Request) -> Table:
        return own_lobby(await self.bot.table_of(request), request.person.id, request.is_admin)

    @control("lobby_remove")
    async def lobby_remove(self, request: Request) -> None:
        """The opener asks somebody to stand up."""
        table = await self._own_lobby(request)
        guest = guest_of(table, request.choice)
        await self.bot.tables.remove(table.id, table.row.opener, guest.person)
        await self._done(request, table, request.words("{name} no longer sits at this table.", name=plain(guest.name)))
        if request.person.id != table.row.opener:
            await self._tell_removed(table, guest.person)

    @control("lobby_hand")
    async def lobby_hand(self, request: Request) -> None:
        """The opener hands the table over."""
        table = await self._own_lobby(request)
        guest = guest_of(table, request.choice)
        await self.bot.tables.hand_over(table.id, table.row.opener, guest.person)
        await self._done(request, table, request.words("{name} can start the game now.", name=plain(guest.name)))

    # -- Admins --

    @control("admin_close")
    async def admin_close(self, request: Request) -> None:
        """An admin closes a table, with a word to those concerned."""
        table = await self._as_admin(request)
        await self.bot.tables.close(table.id)
        await self._done(request, table, request.words("Table {number} is closed.", number=table.id))
        words = await self.bot.houses.words(table.place.server)
        people = tuple(person for person in table.people if person > 0)
        players = words.series(f"<@{person}>" for person in people)
        text = words("{players}: an admin of this server has closed table {number}.", players=players, number=table.id)
        await self.bot.delivery.send(table.place.here, Page(text, mentions=people))

    @control("admin_remove")
    async def admin_remove(self, request: Request) -> None:
        """An admin chooses a player to remove."""
        table = await self._as_admin(request)
        words, names = request.words, shown_names(table, request.words)
        options = tuple(
            Option(names[row.seat], f"{row.seat}.{row.person}", description=words("Seat {number}", number=row.seat + 1))
            for row in table.seats
            if not row.gone
        )
        menu = Menu(words("Who has to go?"), request.addresses(table)("admin_removed"), options)
        await request.say(Page(words("They leave the game for good; the others play on."), rows=(menu,)))

    @control("admin_removed")
    async def admin_removed(self, request: Request) -> None:
        """An admin removes a player, with a word to them."""
        table = await self._as_admin(request)
        row = next((row for row in table.seats if f"{row.seat}.{row.person}" == request.choice), None)
        if row is None:
            raise MovedOn
        if table.status == LOBBY:
            await self.bot.tables.leave_lobby(table.id, row.person)
        else:
            await self.bot.agreements.remove_player(table.id, row.seat)
        name = plain(shown_names(table, request.words)[row.seat])
        await self._done(request, table, request.words("{name} no longer sits at this table.", name=name))
        await self._tell_removed(table, row.person)

    async def _tell_removed(self, table: Table, person: int) -> None:
        words = await self.bot.houses.words(table.place.server)
        if person <= 0:
            return
        text = words(
            "<@{person}>: an admin of this server has removed you from table {number}.", person=person, number=table.id
        )
        await self.bot.delivery.send(table.place.here, Page(text, mentions=(person,)))

    async def _as_admin(self, request: Request) -> Table:
        table = await self.bot.table_of(request)
        if request.server_as_admin() != table.place.server:
            raise HouseRefusal("not_admin")
        return table

    # -- Reminders and absence --

    @app_commands.command(name="reminders", description=translatable("Where I remind you when your time runs out"))
    @app_commands.describe(where=translatable("At the table, by direct message, or never"))
    @app_commands.choices(where=[app_commands.Choice(name=label, value=value) for value, label in REMINDERS.items()])
    async def reminders(self, interaction: discord.Interaction[Trigon], where: str) -> None:
        request = Request(interaction)
        await self.bot.store.change_person(request.person.id, {"reminders": where})
        await request.tell(request.words("Reminders come: {where}.", where=request.words(REMINDERS[where])))

    @app_commands.command(name="away", description=translatable("Tell your tables that you are away for a while"))
    @app_commands.describe(until=translatable("How long, such as 3 days, or until when, such as 2027-01-31"))
    async def away(self, interaction: discord.Interaction[Trigon], until: str) -> None:
        request = Request(interaction)
        now = self.bot.tables.clock()
        # Discord may hand over what autocomplete showed instead of the value behind it.
        shown = {request.words(label): value for value, label in SPANS.items()}
        moment = _moment(shown.get(until, until), now)
        if moment is None or moment > now + LONGEST_AWAY:
            text = request.words(
                "Say how long you are away, such as `3d` or `12h`, or until when, such as `{day}`; at most 90 days.",
                day=(now + timedelta(days=7)).date().isoformat(),
            )
            await request.tell(text)
            return
        await self.bot.store.change_person(request.person.id, {"away": moment if moment > now else None})
        if moment <= now:
            await request.tell(request.words("Welcome back."))
        else:
            when = f"<t:{int(moment.timestamp())}:f>"
            await request.tell(
                request.words("You are away until {when}. You get no reminders, and your tables show it.", when=when)
            )
        for table in await self.bot.tables.tables_of(request.person.id):
            await self.bot.showing.show_again(table.id)

    @away.autocomplete("until")
    async def complete_away(
        self, interaction: discord.Interaction[Trigon], current: str
    ) -> list[app_commands.Choice[str]]:
        """Usual spans."""
        words = Request(interaction).words
        return [
            app_commands.Choice(name=words(label), value=value)
            for value, label in SPANS.items()
            if current.lower() in value or current.lower() in words(label).lower()
        ]


def _players(rows: Sequence[SeatRow]) -> tuple[Option, ...]:
    return tuple(Option(row.shown_name, str(row.person)) for row in rows)


def _has_draws(table: Table) -> bool:
    return type(table.game).offer_draw is not Game.offer_draw


def _moment(text: str, now: datetime) -> datetime | None:
    """The moment that a text like `3d`, `12h` or `2027-01-31` means; None where it means none."""
    text = text.strip().lower()
    unit = {"h": timedelta(hours=1), "d": timedelta(days=1)}.get(text[-1:])
    if unit is not None and text[:-1].isascii() and text[:-1].isdigit() and len(text) < 6:
        return now + int(text[:-1]) * unit
    try:
        day = datetime.fromisoformat(text)
    except ValueError:
        return None
    return day if day.tzinfo else day.replace(tzinfo=UTC)


async def setup(bot: Trigon) -> None:
    await bot.add_cog(LifeCog(bot))
