"""`/triangulation` and the word game's controls: coming forward, choosing, writing, flipping, guessing, ruling."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import discord
import msgspec
from discord import app_commands

from bot import panel
from bot.client import Trigon
from bot.cog import MOST_CHOICES, GameCog, at_table, control
from bot.face import Face
from bot.log import log_of
from bot.page import BLUE, GREY, MOST_OPTIONS, RED, Addresses, Button, Field, Form, Menu, Option, Page, Row
from bot.refusals import sentence
from bot.render.triangulation.texts import cleaned, written
from bot.request import Request
from bot.store import OVER, PLAYING
from bot.tables import Change, LobbyRefusal, MovedOn, Table
from cogs.triangulation.decks import Decks
from cogs.triangulation.face import (
    DECK_NAME,
    TriangulationFace,
    chance_key,
    choosing_page,
    confirming_page,
    proposal_key,
)
from rules.game import Illegal, NotYourTurn, Refusal, translatable
from rules.triangulation import GAME
from rules.triangulation.actions import CLUE_NAMES, Agree, Choose, Clues, Flip, Guess, Judge, Pass, Volunteer
from rules.triangulation.clues import LONGEST_TEXT
from rules.triangulation.deck import CATEGORY_TITLES
from rules.triangulation.view import View

log = log_of(__name__)

LONGEST_FIELD = 4000
"""Characters that a field of a form can hold."""
CLUE_CHOICES = [app_commands.Choice(name=letter, value=letter) for letter in CLUE_NAMES]


class ModeratorRefusal(Refusal):
    """Only moderators hide what players wrote."""

    code = "moderator"


class TriangulationCog(
    GameCog,
    name="triangulation",
    group_name="triangulation",
    group_description=translatable("Triangulation: three clues to a secret name"),
):
    """`/triangulation` and the game's controls. Everything here answers privately."""

    face: ClassVar[Face] = TriangulationFace()
    extras: ClassVar[Mapping[str, str]] = {
        "deck": translatable("The deck of message cards; else the built-in one in this server's language")
    }

    def __init__(self, bot: Trigon, decks: Decks) -> None:
        super().__init__(bot)
        self.decks = decks

    # -- The deck of a new table --

    async def given(self, request: Request, values: Mapping[str, Any]) -> Mapping[str, Any]:
        server, name = request.place.server, values.get("deck")
        deck = await self.decks.deck(server, name) if name else await self.decks.usual(server)
        own = await self.decks.own_name(server, name) if name else None
        return {"deck": msgspec.to_builtins(deck), **({DECK_NAME: own} if own else {})}

    async def complete_extra(self, request: Request, name: str, typed: str) -> list[app_commands.Choice[str]]:
        return await self.decks.choices(request.place.server, typed, request.words)

    # -- What the person sees of it --

    async def _acting(self, request: Request) -> tuple[Table, int, View]:
        """The table, the person's seat and what they see, where they may act."""
        table, seat = await self.acting(request)
        return table, seat, table.view(seat)

    async def tell_played(self, request: Request, after: Table, seat: int) -> None:
        """An Insider sees what is next, others what happened."""
        own = self._played(request, after, seat)
        # In a direct message the letter itself shows what is next.
        in_letter = request.interaction.guild_id is None and request.private
        if after.status != OVER and after.view(seat).mission is not None and not in_letter:
            await self._show_hand(request, after, seat, own)
        else:
            await request.tell(own)

    async def _show_hand(self, request: Request, table: Table, seat: int, said: str = "") -> None:
        """The Insider's own page: in a direct message in place of the letter, else as a private answer."""
        if request.interaction.guild_id is None:
            await request.turn_over(await self.bot.letters.page(table, seat, request.words))
            return
        address = request.addresses(table)
        page = await asyncio.to_thread(panel.own_page, table, self.face, request.words, seat, address)
        if page is None:
            await request.tell(said or request.words("You hold nothing secret now."))
            return
        await request.say(replace(page, text=f"{said}\n\n{page.text}") if said else page)

    # -- Insiders --

    @control("volunteer")
    async def volunteer(self, request: Request) -> None:
        """Come forward as Insider."""
        await self.play(request, await self.bot.table_of(request), Volunteer())

    @control("choose_message")
    async def choose_message(self, request: Request) -> None:
        """Ask whether it is really to be the message chosen."""
        table, _, view = await self._acting(request)
        if view.mission is None or view.mission.chosen is not None:
            raise MovedOn
        number = request.number(range(len(view.mission.card)))
        page = confirming_page(view.mission.card[number], number, request.words, self._own_addresses(table, view))
        await request.turn_over(page)

    @control("back_to_card")
    async def back_to_card(self, request: Request) -> None:
        """The six messages again."""
        table, seat, view = await self._acting(request)
        if view.mission is None or view.mission.chosen is not None:
            raise MovedOn
        if request.interaction.guild_id is None:
            await self._show_hand(request, table, seat)
            return
        address = self._own_addresses(table, view)
        await request.say(choosing_page(view.mission, view.table, request.words, address, request.argument))

    def _own_addresses(self, table: Table, view: View) -> Addresses:
        return Addresses(table.id, table.seat_turn(view.seat or 0))

    @control("confirm_message")
    async def confirm_message(self, request: Request) -> None:
        """Choose the message, for good."""
        await self.play(request, await self.bot.table_of(request), Choose(request.number(range(len(CATEGORY_TITLES)))))

    @control("ask_clues")
    async def ask_clues(self, request: Request) -> None:
        """Open the form for the clues with what was typed before; who has still to choose sees their card."""
        table, seat, view = await self._acting(request)
        own, words = view.mission, request.words
        if own is None:
            raise Illegal("not_now", due=_due(view))
        if own.message is None:
            await self._show_hand(request, table, seat)
            return
        draft = await self._draft(table, request, _round_key(view))
        fields = tuple(
            _field(letter, words("Clue {clue}", clue=letter), draft.get(letter, "")) for letter in CLUE_NAMES
        )
        title = words("Clues to: {message}", message=cleaned(own.message.text))
        await request.ask(Form(title, self._own_addresses(table, view)("clues"), fields))

    @control("clues")
    async def clues(self, request: Request) -> None:
        """Lay down the clues, or say what is wrong with them."""
        texts = {letter: request.fields.get(letter, "") for letter in CLUE_NAMES}
        await self._lay_down(request, await self.bot.table_of(request), texts)

    async def _lay_down(self, request: Request, table: Table, texts: Mapping[str, str]) -> None:
        first, second, third = texts.values()
        try:
            await self.play(request, table, Clues((first, second, third)))
        except Refusal as refusal:
            await self._keep(request, table, refusal, texts, "ask_clues")
        else:
            await self.bot.store.keep_draft(table.id, request.person.id, {})

    # -- What was typed and not taken --

    async def _draft(self, table: Table, request: Request, about: str) -> Mapping[str, str]:
        """What the person typed for this and was not taken; nothing where it was for something else."""
        draft = await self.bot.store.draft(table.id, request.person.id)
        return draft if draft.get("about") == about else {}

    async def _keep(
        self, request: Request, table: Table, refusal: Refusal, texts: Mapping[str, str], verb: str
    ) -> None:
        """Say why something was refused, and keep it for "Edit"."""
        table = await self.bot.tables.table(table.id)
        seat = table.seat_of(request.person.id)
        if seat is None or table.status != PLAYING:
            raise refusal
        view: View = table.view(seat)
        about = _round_key(view) if verb == "ask_clues" else _message_key(view)
        await self.bot.store.keep_draft(table.id, request.person.id, {"about": about, **texts})
        words = request.words
        said = sentence(_plainer(refusal, view), words, self.face)
        lines = [said, words("-# What you typed is kept.")]
        edit = Button(words("Edit"), request.addresses(table)(verb), BLUE)
        await request.say(Page("\n".join(lines), rows=([edit],), colour=self.face.colour))

    # -- Flipping and guessing --

    @control("flip")
    async def flip(self, request: Request) -> None:
        """Flip a clue."""
        clue = {name: at for at, name in enumerate(CLUE_NAMES)}.get(request.argument)
        if clue is None:
            raise MovedOn
        await self.play(request, await self.bot.table_of(request), Flip(clue))

    @control("ask_guess")
    async def ask_guess(self, request: Request) -> None:
        """Open the form for a guess, with what was typed before."""
        table, _, view = await self._acting(request)
        guessing, words = view.table.guessing, request.words
        if guessing is None or "guess" not in _due(view):
            raise Illegal("not_now", due=_due(view))
        draft = await self._draft(table, request, _message_key(view))
        field = _field("guess", words("What is the message?"), draft.get("guess", ""))
        await request.ask(
            Form(words("Guess the message"), request.addresses(table)("guess", chance_key(guessing)), (field,))
        )

    @control("guess")
    async def guess(self, request: Request) -> None:
        """Make or propose the guess typed. What teammates proposed meanwhile does not spoil it."""
        await self._guess(request, await self.bot.table_of(request), request.fields.get("guess", ""), request.argument)

    async def _guess(self, request: Request, table: Table, text: str, chance: str | None) -> None:
        def judge(now: Table) -> Change:
            seat = self.bot.tables.check(now, request.person.id, None)
            guessing = now.view(None).table.guessing
            if chance is not None and (guessing is None or chance_key(guessing) != chance):
                raise MovedOn
            return self.bot.tables.step(now, seat, "play", GAME.play(now.state, seat, Guess(text)), Guess(text))

        try:
            seat = self.bot.tables.seat_at(table, request.person.id)
            after = await self.bot.tables.change(table.id, judge, table)
        except Refusal as refusal:
            await self._keep(request, table, refusal, {"guess": text}, "ask_guess")
            return
        await self.bot.store.keep_draft(table.id, request.person.id, {})
        await self.acted(request, after, seat)

    @control("accept_guess")
    async def accept_guess(self, request: Request) -> None:
        """Agree to just the guess that stood on the table."""
        await self._agree(request, await self.bot.table_of(request), request.argument)

    async def _agree(self, request: Request, table: Table, proposal: str | None) -> None:
        def judge(now: Table) -> Change:
            seat = self.bot.tables.check(now, request.person.id, request.turn)
            guessing = now.view(None).table.guessing
            if proposal is not None and (guessing is None or proposal_key(guessing) != proposal):
                raise MovedOn
            return self.bot.tables.step(now, seat, "play", GAME.play(now.state, seat, Agree()), Agree())

        seat = self.bot.tables.seat_at(table, request.person.id)
        await self.acted(request, await self.bot.tables.change(table.id, judge, table), seat)

    @control("ask_pass")
    async def ask_pass(self, request: Request) -> None:
        """Ask whether the guess is really to be given up; a proposal needs no asking."""
        table, _, view = await self._acting(request)
        if _is_proposal(view):
            await self.play(request, table, Pass())
            return
        words, address = request.words, request.addresses(table)
        row = [
            Button(words("Pass"), address("pass_guess"), RED),
            Button(words("Go on thinking"), address("no_pass"), GREY),
        ]
        await request.say(Page(words("Do you want to give up this guess for your team?"), rows=(row,)))

    @control("pass_guess")
    async def pass_guess(self, request: Request) -> None:
        """Give up the guess."""
        await self.play(request, await self.bot.table_of(request), Pass())

    @control("no_pass")
    async def no_pass(self, request: Request) -> None:
        """Nothing happened."""
        await request.tell(request.words("Your team can still guess."))

    # -- Ruling --

    @control("ask_ruling")
    async def ask_ruling(self, request: Request) -> None:
        """Show the Insider the guess and the message."""
        table, seat, view = await self._acting(request)
        if view.ruling is None:
            raise Illegal("not_now", due=_due(view))
        await self._show_hand(request, table, seat)

    @control("rule")
    async def rule(self, request: Request) -> None:
        """Rule on the guess."""
        if request.argument not in ("right", "wrong"):
            raise MovedOn
        await self.play(request, await self.bot.table_of(request), Judge(request.argument == "right"))

    # -- Hiding what is out of order --

    @control("hide")
    async def hide(self, request: Request) -> None:
        """The clues and guesses that lie open, to be hidden or shown again."""
        await request.say(await self._hiding_page(request, await self.bot.table_of(request)))

    @control("hide_text")
    async def hide_text(self, request: Request) -> None:
        """Hide a clue or guess, or show it again."""
        table = await self.bot.table_of(request)
        texts = self._written(request, table)
        number = request.number(range(len(texts)))
        # Newest first: a text keeps its number from the end when others are written meanwhile.
        text = texts[len(texts) - 1 - number]
        await self.bot.store.hide(table.id, text, text not in table.row.hidden)
        log.info("text hidden or shown again", table=table.id, person=request.person.id)
        await request.say(await self._hiding_page(request, await self.bot.tables.table(table.id)))
        await self.bot.showing.show_again(table.id)

    def _written(self, request: Request, table: Table) -> tuple[str, ...]:
        """All clues and guesses that lie open, newest first, for a moderator; raises `ModeratorRefusal`."""
        if not request.moderates or table.place.server != request.place.server:
            raise ModeratorRefusal("not_moderator")
        if table.row.state is None:
            raise LobbyRefusal("not_started")
        return written(table.view(None))

    async def _hiding_page(self, request: Request, table: Table) -> Page:
        words, texts = request.words, self._written(request, table)
        if not texts:
            return Page(words("There is no clue or guess on the table yet."))
        paging = request.address is not None and request.address.verb == "hide" and request.argument.isdecimal()
        start = int(request.argument) if paging else 0
        start = min(start, (len(texts) - 1) // MOST_OPTIONS * MOST_OPTIONS)
        address = request.addresses(table)
        options = tuple(
            Option(
                cleaned(text),
                str(len(texts) - 1 - at),
                words("hidden: choose it to show it again") if text in table.row.hidden else None,
            )
            for at, text in enumerate(texts[start : start + MOST_OPTIONS], start)
        )
        menu = Menu(words("Hide or show …"), address("hide_text", f"{start}.{len(table.row.hidden)}"), options)
        rows: list[Row] = [menu]
        if len(texts) > MOST_OPTIONS:
            older = (start + MOST_OPTIONS) if start + MOST_OPTIONS < len(texts) else 0
            rows.append([Button(words("Older ones") if older else words("Newest ones"), address("hide", str(older)))])
        text = words(
            "Which clue or guess is out of order? It is shown as “(hidden)” from now on. Messages further up in the "
            "channel still hold it: delete these yourself."
        )
        return Page(text, rows=tuple(rows))

    # -- Typed --

    @app_commands.command(name="guess", description=translatable("Guess the message"))
    @at_table(guess=translatable("What you think the message is"))
    async def guess_typed(self, interaction: discord.Interaction[Trigon], guess: str, table: int | None = None) -> None:
        request = Request(interaction)
        await self._guess(request, await self.table_meant(request, table), guess, None)

    @app_commands.command(name="flip", description=translatable("Flip one of the clues"))
    @at_table(clue=translatable("The letter on the clue"))
    @app_commands.choices(clue=CLUE_CHOICES)
    async def flip_typed(self, interaction: discord.Interaction[Trigon], clue: str, table: int | None = None) -> None:
        request = Request(interaction)
        await self.play(request, await self.table_meant(request, table), f"flip {clue}")

    @app_commands.command(name="pass", description=translatable("Give up the guess, or propose to"))
    @at_table()
    async def pass_typed(self, interaction: discord.Interaction[Trigon], table: int | None = None) -> None:
        request = Request(interaction)
        await self.play(request, await self.table_meant(request, table), Pass())

    @app_commands.command(name="agree", description=translatable("Agree to the guess that is proposed"))
    @at_table()
    async def agree_typed(self, interaction: discord.Interaction[Trigon], table: int | None = None) -> None:
        request = Request(interaction)
        await self._agree(request, await self.table_meant(request, table), None)

    @app_commands.command(name="insider", description=translatable("Come forward as your team's Insider"))
    @at_table()
    async def insider_typed(self, interaction: discord.Interaction[Trigon], table: int | None = None) -> None:
        request = Request(interaction)
        await self.play(request, await self.table_meant(request, table), Volunteer())

    @app_commands.command(name="card", description=translatable("Your card, message and clues, for you alone"))
    @at_table()
    async def card_typed(self, interaction: discord.Interaction[Trigon], table: int | None = None) -> None:
        request = Request(interaction)
        meant = await self.table_meant(request, table)
        await self._show_hand(request, meant, self.bot.tables.seat_at(meant, request.person.id))

    @app_commands.command(name="choose", description=translatable("Choose the message from your card, for good"))
    @at_table(message=translatable("One of the six messages on your card"))
    async def choose_typed(
        self, interaction: discord.Interaction[Trigon], message: str, table: int | None = None
    ) -> None:
        request = Request(interaction)
        await self.play(request, await self.table_meant(request, table), f"choose {message}")

    @choose_typed.autocomplete("message")
    async def complete_message(
        self, interaction: discord.Interaction[Trigon], current: str
    ) -> list[app_commands.Choice[str]]:
        """The messages of the person's own card, while they may choose."""
        view = await self._view_typed(interaction)
        if view is None or view.mission is None or "choose" not in _due(view):
            return []
        named = [(str(number), cleaned(message.text)) for number, message in enumerate(view.mission.card, 1)]
        return [
            app_commands.Choice(name=f"{number}. {text}"[:100], value=number)
            for number, text in named
            if current.casefold() in f"{number}. {text}".casefold()
        ][:MOST_CHOICES]

    async def _view_typed(self, interaction: discord.Interaction[Trigon]) -> View | None:
        """What the person sees of the table that a command being typed means; None where there is none in play."""
        meant = await self.typing(interaction)
        if meant is None:
            return None
        table, seat = meant
        view: View = table.view(seat)
        return view

    @app_commands.command(name="clues", description=translatable("Write your three clues"))
    @at_table(a=translatable("Clue A"), b=translatable("Clue B"), c=translatable("Clue C"))
    async def clues_typed(
        self, interaction: discord.Interaction[Trigon], a: str, b: str, c: str, table: int | None = None
    ) -> None:
        request = Request(interaction)
        texts = dict(zip(CLUE_NAMES, (a, b, c), strict=True))
        await self._lay_down(request, await self.table_meant(request, table), texts)

    @app_commands.command(name="judge", description=translatable("Rule on the guess at your message"))
    @at_table(verdict=translatable("Whether the guess is right"))
    @app_commands.choices(
        verdict=[
            app_commands.Choice(name=translatable("right"), value="right"),
            app_commands.Choice(name=translatable("wrong"), value="wrong"),
        ]
    )
    async def judge_typed(
        self, interaction: discord.Interaction[Trigon], verdict: str, table: int | None = None
    ) -> None:
        request = Request(interaction)
        await self.play(request, await self.table_meant(request, table), f"judge {verdict}")

    @app_commands.command(name="hide", description=translatable("Hide a clue or guess (for moderators)"))
    @at_table()
    async def hide_typed(self, interaction: discord.Interaction[Trigon], table: int | None = None) -> None:
        request = Request(interaction)
        await request.say(await self._hiding_page(request, await self.table_meant(request, table)))


def _field(key: str, label: str, draft: str) -> Field:
    """A field that holds what was typed before, also where that was too long: Discord refuses more than it may take."""
    value = " ".join(draft.splitlines())[:LONGEST_FIELD]
    return Field(key, label, value=value, most=max(LONGEST_TEXT, min(2 * len(value), LONGEST_FIELD)))


def _due(view: View) -> tuple[str, ...]:
    """The kinds of action that the viewer may take now."""
    return next((acting.due for acting in view.table.acting if acting.seat == view.seat), ())


def _is_proposal(view: View) -> bool:
    """Whether what the viewer says of a guess is a proposal that somebody else has to agree to."""
    guessing = view.table.guessing
    if guessing is None or not view.table.agreed:
        return False
    return sum("guess" in acting.due for acting in view.table.acting) > 1


def _round_key(view: View) -> str:
    return f"clues {view.table.round}"


def _message_key(view: View) -> str:
    return f"guess {len(view.table.finished)}"


def _plainer(refusal: Refusal, view: View) -> Refusal:
    """The refusal of a guess that comes while the Insider is ruling says so."""
    ruling = view.table.guessing is not None and view.table.guessing.ruling is not None
    return Illegal("ruling") if ruling and isinstance(refusal, MovedOn | NotYourTurn) else refusal
