"""Triggle on Discord: `/triggle`, the menus of rows, pegs and ends, and the form to type a band."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import discord
from discord import app_commands

from bot.client import Trigon
from bot.cog import MOST_CHOICES, GameCog, at_table, control
from bot.face import Drawing, Face, RulesPage, Told
from bot.page import BLUE, Addresses, Button, Field, Form, Menu, Option, Page, Picture, Row
from bot.render import triggle as render
from bot.render.marks import COLOURS
from bot.render.triggle.rulebook import rules_pages
from bot.request import Request
from bot.tables import Table
from bot.words import Words
from rules.game import BadHeader, Game, Refusal, translatable
from rules.triggle import GAME
from rules.triggle.board import board
from rules.triggle.parts import Closed, Options, Place, Placed, View

ENDS = {
    "last_piece": translatable("The last piece is on the board."),
    "last_band": translatable("Both have placed their last band."),
    "no_band": translatable("No band can be placed any more."),
    "board_full": translatable("Every triangle has an owner."),
    "nothing_to_close": translatable("The bands left can close no triangle any more."),
    "last_player": translatable("All others have left."),
}


class TriggleFace(Face):
    """What Triggle shows of itself."""

    game: ClassVar[Game[Any, Any]] = GAME
    drawing: ClassVar[Drawing] = render
    title = translatable("Triggle")
    summary = translatable("Stretch rubber bands over four pegs, close triangles and fill them with your pieces.")
    wish = translatable("Which colour would you like to play?")
    icon = "🔺"
    colour = 0xC98A2B

    def badge(self, view: View, words: Words, seat: int) -> str:
        return COLOURS[view.colours[seat]].symbol

    def story(self, told: Told, view: View, words: Words, names: Sequence[str]) -> str | None:
        name = f"{self.badge(view, words, told.seat)} {names[told.seat]}"
        closed = next((len(event.triangles) for event in told.events if isinstance(event, Closed)), 0)
        for event in told.events:
            if isinstance(event, Placed) and closed:
                return words.many(
                    "{name} places `{band}` and closes {count} triangle.",
                    "{name} places `{band}` and closes {count} triangles.",
                    closed,
                    name=name,
                    band=event.band,
                )
            if isinstance(event, Placed):
                return words("{name} places `{band}`.", name=name, band=event.band)
        return None

    def status(self, view: View, words: Words, names: Sequence[str]) -> str:
        scores = " · ".join(
            f"{self.badge(view, words, seat)} {names[seat]} **{view.scores[seat]}**" for seat in view.seats
        )
        if view.result is None:
            return words("**Pieces:** {scores}", scores=scores)
        winners = view.result.winners
        won = words.many(
            "🏆 {names} wins.", "🏆 {names} share the win.", len(winners), names=words.series(names[s] for s in winners)
        )
        reason = words(ENDS[view.end]) if view.end else ""
        return (
            words.joined([*filter(None, [reason]), f"**{won}**"]) + "\n" + words("**Pieces:** {scores}", scores=scores)
        )

    def controls(self, view: View, words: Words, address: Addresses) -> tuple[Row, ...]:
        return (
            [
                Button(words("Place a band"), address("choose"), BLUE),
                Button(words("Type a band"), address("ask_typed")),
            ],
        )

    def rules(self, options: Options, words: Words) -> tuple[RulesPage, ...]:
        return rules_pages(options, words)

    def refusal(self, refusal: Refusal, words: Words) -> str | None:
        facts = refusal.facts
        match refusal.rule:
            case "no_two_pegs":
                return words("A band is named by its two end pegs, like `A1-D4`.")
            case "no_peg":
                rows = board(_number(facts["side"])).rows
                last = list(rows)[-1]
                return words(
                    "There is no peg `{peg}` here: rows go from A to {last}, and pegs are numbered from the left.",
                    peg=facts["peg"],
                    last=last,
                )
            case "no_band":
                return words("`{band}` is no band: it must lie over four pegs in a straight line.", band=facts["band"])
            case "there_already":
                return words("There is a band on `{band}` already.", band=facts["band"])
            case "touches_nothing":
                return words("`{band}` touches no band: it must share a peg with one on the board.", band=facts["band"])
            case "nothing_new":
                return words(
                    "`{band}` covers nothing new: other bands lie on all of it. It must cover at least one stretch "
                    "between two pegs that is still free.",
                    band=facts["band"],
                )
            case "colour_taken" if isinstance(refusal, BadHeader):
                return words("Two players want the same colour. One of them has to choose another.")
        return None


def _number(fact: object) -> int:
    return fact if isinstance(fact, int) else 4


class TriggleCog(
    GameCog, name="triggle", group_name="triggle", group_description=translatable("Triggle: rubber bands on pegs")
):
    """`/triggle` and Triggle's controls."""

    face: ClassVar[Face] = TriggleFace()

    # -- Typed --

    @app_commands.command(name="band", description=translatable("Place a band"))
    @at_table(
        band=translatable("The band by its end pegs, such as A1-D4"),
        peg=translatable("Or one end peg, such as A1 …"),
        other_end=translatable("… and the other, such as D4"),
    )
    async def band(
        self,
        interaction: discord.Interaction[Trigon],
        band: str | None = None,
        peg: str | None = None,
        other_end: str | None = None,
        table: int | None = None,
    ) -> None:
        request = Request(interaction)
        meant = await self.table_meant(request, table)
        await self.play(request, meant, band or f"{peg or ''}-{other_end or ''}")

    @band.autocomplete("band")
    async def complete_band(
        self, interaction: discord.Interaction[Trigon], current: str
    ) -> list[app_commands.Choice[str]]:
        """Legal bands that fit what is typed, those that close most first."""
        meant = await self.typing(interaction)
        if meant is None:
            return []
        table, words = meant[0], Request(interaction).words
        wanted = "".join(letter for letter in current.upper() if letter.isalnum())
        fitting = [band for band in table.view(None).legal if _fits(band, wanted)]
        return [
            app_commands.Choice(name=_band_label(band, closes, words), value=band)
            for band, closes in _best_first(table, fitting)[:MOST_CHOICES]
        ]

    @band.autocomplete("peg")
    async def complete_peg(
        self, interaction: discord.Interaction[Trigon], current: str
    ) -> list[app_commands.Choice[str]]:
        """Pegs at which a legal band ends."""
        return _pegs_like(await self._ends_typed(interaction), current)

    @band.autocomplete("other_end")
    async def complete_other_end(
        self, interaction: discord.Interaction[Trigon], current: str
    ) -> list[app_commands.Choice[str]]:
        """The other ends of legal bands from the peg already given."""
        peg = str(interaction.namespace.peg or "").strip().upper()
        return _pegs_like((await self._ends_typed(interaction)).get(peg, {}), current)

    async def _ends_typed(self, interaction: discord.Interaction[Trigon]) -> dict[str, dict[str, str]]:
        """As `_ends`, at the table that a command being typed means; empty where it is not the person's turn."""
        meant = await self.typing(interaction)
        return _ends(meant[0].view(None).legal) if meant else {}

    # -- Menus: row, peg, other end --

    @control("choose")
    async def choose(self, request: Request) -> None:
        """Offer the rows in which a legal band ends."""
        table, _ = await self.acting(request)
        words, view, address = request.words, table.view(None), request.addresses(table)
        rows = list(dict.fromkeys(peg[0] for peg in _ends(view.legal)))
        menu = Menu(
            words("Which row?"), address("row"), tuple(Option(words("Row {row}", row=row), row) for row in rows)
        )
        text = words("Choose one end of your band: first its row.")
        await self._ask(request, table, Page(text, rows=(menu,)), render.Choices(rows=rows))

    @control("row")
    async def row(self, request: Request) -> None:
        """Offer the pegs of the row at which a legal band ends."""
        table, _ = await self.acting(request)
        words, view, address = request.words, table.view(None), request.addresses(table)
        pegs = [peg for peg in _ends(view.legal) if peg[0] == request.choice]
        menu = Menu(words("Which peg?"), address("peg"), tuple(Option(peg, peg) for peg in pegs))
        back = [Button(words("Another row"), address("choose"))]
        text = words("Row {row}: choose the peg.", row=request.choice)
        await self._ask(request, table, Page(text, rows=(menu, back)), render.Choices(pegs=pegs))

    @control("peg")
    async def peg(self, request: Request) -> None:
        """Offer the other ends of legal bands from this peg, with what each closes."""
        table, _ = await self.acting(request)
        words, view, address, start = request.words, table.view(None), request.addresses(table), request.choice
        ends = _ends(view.legal).get(start, {})
        closes = dict(_best_first(table, ends.values()))
        options = tuple(Option(_band_label(end, closes[band], words), band) for end, band in ends.items())
        menu = Menu(words("To which peg?"), address("placed"), options)
        back = [
            Button(words("Another peg"), address("row", start[0])),
            Button(words("Another row"), address("choose")),
        ]
        text = words("From `{peg}`: choose the other end. Your band is placed at once.", peg=start)
        await self._ask(request, table, Page(text, rows=(menu, back)), render.Choices(pegs=list(ends), start=start))

    @control("placed")
    async def placed(self, request: Request) -> None:
        """Place the band chosen."""
        await self.play(request, await self.bot.table_of(request), Place(request.choice))

    async def _ask(self, request: Request, table: Table, page: Page, choices: render.Choices) -> None:
        view, words = table.view(None), request.words

        def draw() -> Picture:
            data = render.picture(view, words, names=table.names, choices=choices)
            return Picture(data, render.alt(view, words, table.names))

        await request.show(page, draw)

    # -- The form --

    @control("ask_typed")
    async def ask_typed(self, request: Request) -> None:
        """Open the form to type a band, with what was typed before."""
        table, _ = await self.acting(request)
        words = request.words
        field = Field("band", words("Band"), words("Its two end pegs"), request.argument, "A1-D4", least=1, most=100)
        await request.ask(Form(words("Type a band"), request.addresses(table)("typed"), (field,)))

    @control("typed")
    async def typed(self, request: Request) -> None:
        """Place the band typed."""
        await self.play_typed(request, "typed", request.fields["band"])


def _ends(legal: Iterable[str]) -> dict[str, dict[str, str]]:
    """Per peg at which a legal band ends, in order: the bands' other ends, and the bands."""
    ends: dict[str, dict[str, str]] = {}
    for band in legal:
        first, second = band.split("-")
        ends.setdefault(first, {})[second] = band
        ends.setdefault(second, {})[first] = band
    return {peg: ends[peg] for peg in sorted(ends, key=_place)}


def _place(peg: str) -> tuple[str, int]:
    return peg[0], int(peg[1:])


def _fits(band: str, wanted: str) -> bool:
    first, second = band.split("-")
    return (first + second).startswith(wanted) or (second + first).startswith(wanted)


def _best_first(table: Table, bands: Iterable[str]) -> list[tuple[str, int]]:
    """Legal bands with how many triangles each would close, those that close most first."""
    counted = [(band, len(GAME.closes(table.state, Place(band)))) for band in bands]
    return sorted(counted, key=lambda one: -one[1])


def _band_label(band: str, closes: int, words: Words) -> str:
    if not closes:
        return band
    return words.many("{band} · closes {count} triangle", "{band} · closes {count} triangles", closes, band=band)


def _pegs_like(pegs: Iterable[str], current: str) -> list[app_commands.Choice[str]]:
    found = [peg for peg in pegs if peg.startswith(current.strip().upper())]
    return [app_commands.Choice(name=peg, value=peg) for peg in found[:MOST_CHOICES]]


async def setup(bot: Trigon) -> None:
    await bot.add_cog(TriggleCog(bot))
