"""`/chess`, the menus of pieces, targets and rescues, and the form to type a move."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import discord
from discord import app_commands

from bot import panel
from bot.client import Trigon
from bot.cog import MOST_CHOICES, GameCog, at_table, control
from bot.face import Face
from bot.page import BLUE, MOST_OPTIONS, Address, Button, Field, Form, Menu, Option, Page, Picture, Row
from bot.render import chess as render
from bot.render.chess.telling import check_line
from bot.render.chess.terms import armies, kind_of, piece_of
from bot.request import Request
from bot.tables import MovedOn, Table
from bot.words import Words
from cogs.chess.face import ChessFace
from cogs.chess.story import what_it_takes
from rules.chess import GAME, choices
from rules.chess.actions import Castling, ChessAction, Pass, Rescue, text_of
from rules.chess.board import COLUMN_LETTERS, CORNERS, NAMES, RANK_LETTERS, TRIANGLES, Triangle
from rules.chess.state import ChessDeal, ChessOptions, ChessSetup, position_of
from rules.chess.view import ChessView, Piece
from rules.game import BadHeader, translatable

FEW = 4
"""Up to so many choices are buttons."""
LONGEST_POSITION = 600
"""Characters of a position that a table may start from; a full board takes some 250."""


class ChessCog(
    GameCog,
    name="chess",
    group_name="chess",
    group_description=translatable("Triangulation chess: three armies on 64 triangles"),
):
    """`/chess` and its controls."""

    face: ClassVar[Face] = ChessFace()
    extras: ClassVar[Mapping[str, str]] = {
        "position": translatable("A position to start from, as /chess position writes it")
    }

    async def given(self, request: Request, values: Mapping[str, Any]) -> Mapping[str, Any]:
        text = values.get("position")
        if not text:
            return {}
        if len(text) > LONGEST_POSITION:
            raise BadHeader("parts", header="Position", parts=0)
        return {"position": position_text(text)}

    # -- Typed --

    @app_commands.command(name="move", description=translatable("Move a piece"))
    @at_table(
        move=translatable("The piece, such as C6Ω, or the whole move, such as C6Ω-D5Ω or C68 D58"),
        target=translatable("Where it goes, if you have named only the piece"),
    )
    async def move(
        self, interaction: discord.Interaction[Trigon], move: str, target: str | None = None, table: int | None = None
    ) -> None:
        request = Request(interaction)
        meant = await self.table_meant(request, table)
        await self.play(request, meant, f"{move} {target or ''}".strip())

    @move.autocomplete("move")
    async def complete_move(
        self, interaction: discord.Interaction[Trigon], current: str
    ) -> list[app_commands.Choice[str]]:
        """The pieces that fit what is typed, then the moves, captures first, with what they take."""
        moves = await self._typed(interaction)
        if moves is None:
            return []
        found = [
            app_commands.Choice(name=moves.piece_label(start), value=NAMES[start])
            for start in moves.starts()
            if is_spelt(start, current)
        ]
        found += [
            app_commands.Choice(name=moves.label(action)[:100], value=text_of(action))
            for action in moves.best_first()
            if moves.fits(action, current)
        ]
        return found[:MOST_CHOICES]

    @move.autocomplete("target")
    async def complete_target(
        self, interaction: discord.Interaction[Trigon], current: str
    ) -> list[app_commands.Choice[str]]:
        """Where the piece already given can go, with what it takes there."""
        moves = await self._typed(interaction)
        if moves is None:
            return []
        given = str(interaction.namespace.move or "")
        starts = [start for start in moves.starts() if is_spelt(start, given)] if given else []
        found = [
            app_commands.Choice(name=moves.target_label(start, target)[:100], value=NAMES[target])
            for start in starts[:1]
            for target in moves.targets(start)
            if is_spelt(target, current)
        ]
        return found[:MOST_CHOICES]

    @app_commands.command(name="position", description=translatable("The position as text, to keep or to start from"))
    @at_table()
    async def position(self, interaction: discord.Interaction[Trigon], table: int | None = None) -> None:
        request = Request(interaction)
        meant = await self.table_meant(request, table)
        words, view = request.words, meant.view(None)
        text = words(
            "```\n{position}\n```Pieces (owner, colour, kind, triangle; `*`: has not moved) / to move / in the game / "
            "prisoners / checkmated. `/chess new` takes it as `position`.",
            position=view.position,
        )
        await request.say(Page(f"{panel.title(self.face, meant, words)}\n{text}", colour=self.face.colour))

    @app_commands.command(
        name="board", description=translatable("The board from your own side, every triangle with its name")
    )
    @at_table()
    async def board(self, interaction: discord.Interaction[Trigon], table: int | None = None) -> None:
        request = Request(interaction)
        await self._show_own_board(request, await self.table_meant(request, table))

    @control("own_board")
    async def own_board(self, request: Request) -> None:
        """The board from the person's own side; from everybody's for those who only watch."""
        await self._show_own_board(request, await self.bot.table_of(request))

    async def _show_own_board(self, request: Request, table: Table) -> None:
        words, seat = request.words, table.seat_of(request.person.id)
        view = table.view(seat)
        lines = [panel.title(self.face, table, words), *situation(view, words)]
        rows: tuple[Row, ...] = ()
        if seat in table.to_act:
            address = request.addresses(table)
            rows = (
                [Button(words("Move"), address("choose"), BLUE), Button(words("Type a move"), address("ask_typed"))],
            )
        await self._show(request, table, view, Page("\n".join(lines), rows=rows), render.EVERY_NAME)

    async def _typed(self, interaction: discord.Interaction[Trigon]) -> Moves | None:
        """The moves of the person who types a command; None where it is not their turn."""
        meant = await self.typing(interaction)
        return Moves(*meant, Request(interaction).words) if meant else None

    # -- Menus: piece, target, rescue --

    @control("choose")
    async def choose(self, request: Request) -> None:
        """Offer the pieces that can move."""
        table, moves = await self._acting(request)
        words, address = request.words, request.addresses(table)
        if moves.only_pass():
            text = words("None of your pieces can move: you can only pass.")
            await request.say(
                Page(text, rows=([Button(words("Pass the turn"), address("played", text_of(Pass())), BLUE)],))
            )
            return
        (number,) = numbers(request.argument or "0", 1)
        options = [moves.piece_option(start) for start in moves.starts()]
        shown, turning = paged(options, number, words, lambda page: address("choose", str(page)))
        rows = (*offer(words("Which piece?"), address("piece", f"page {number}"), shown, address), *turning)
        lines = [
            *situation(moves.view, words),
            words("Choose the piece to move: each purple triangle bears its name."),
        ]
        if moves.some_stay():
            lines.append(words("-# Your other pieces cannot move now."))
        choice = render.Choices(triangles=[int(option.value) for option in shown])
        await self._show(request, table, moves.view, Page("\n".join(lines), rows=rows), choice)

    @control("piece")
    async def piece(self, request: Request) -> None:
        """Offer where the piece can go."""
        table, moves = await self._acting(request)
        words, address = request.words, request.addresses(table)
        start, number = numbers(request.choice, 2)
        targets = moves.targets(start)
        if not targets:
            raise MovedOn
        options = [moves.target_option(start, target) for target in targets]
        shown, turning = paged(options, number, words, lambda page: address("piece", f"{start}.{page}"))
        back = [Button(words("Another piece"), address("choose"))]
        rows = (
            *offer(words("Where to?"), address("target", f"from {start} page {number}"), shown, address),
            *turning,
            back,
        )
        text = "\n".join(
            [
                *situation(moves.view, words),
                words(
                    "{piece}: choose where it goes, to one of the purple triangles.",
                    piece=f"**{moves.piece_label(start)}**",
                ),
            ]
        )
        choice = render.Choices(triangles=[numbers(option.value, 2)[1] for option in shown], chosen=(start,))
        await self._show(request, table, moves.view, Page(text, rows=rows), choice)

    @control("target")
    async def target(self, request: Request) -> None:
        """Move there, or ask first whether to rescue a prisoner."""
        table, moves = await self._acting(request)
        words, address = request.words, request.addresses(table)
        start, target = numbers(request.choice, 2)
        ways = choices.ways(moves.actions, start, target)
        if not ways:
            raise MovedOn
        if len(ways) == 1:
            await self.play(request, table, ways[0])
            return
        options = [
            Option(
                words("Rescue: {piece}", piece=piece_of(colour, kind, words)),
                f"{start}.{target}.{colour}.{kind}",
                words("and the Infantry goes back to row 3"),
            )
            for colour, kind in choices.rescues(moves.actions, start, target)
        ]
        plain = [way for way in ways if not isinstance(way, Rescue)]
        stay = [Button(words("Rescue nobody"), address("played", text_of(way))) for way in plain]
        back = [*stay, Button(words("Another place"), address("piece", str(start)))]
        menu = offer(words("Whom to rescue?"), address("rescue", f"from {start} to {target}"), options, address)
        captor = armies([CORNERS.index(target)], words)
        text = words(
            "{move}: your Infantry comes to {captor}'s corner and may rescue a prisoner.",
            move=f"**{NAMES[start]}-{NAMES[target]}**",
            captor=captor,
        )
        choice = render.Choices(chosen=(start, target))
        await self._show(request, table, moves.view, Page(text, rows=(*menu, back)), choice)

    @control("rescue")
    async def rescue(self, request: Request) -> None:
        """Ask where the Infantry goes after the rescue."""
        table, moves = await self._acting(request)
        words, address = request.words, request.addresses(table)
        start, target, colour, kind = numbers(request.choice, 4)
        found = choices.rescues(moves.actions, start, target).get((colour, kind), [])
        if not found:
            raise MovedOn
        options = [Option(place_label(action, words), text_of(action)) for action in found]
        piece = piece_of(colour, kind, words)
        text = words("Rescue: {piece}. Where on row 3 does your Infantry go?", piece=f"**{piece}**")
        if found[0].companion is not None:
            text = words("Rescue: {piece}. Where on row 3 do the two Infantry go?", piece=f"**{piece}**")
        rows = offer(
            words("Where to?"), address("played", f"rescue {start} {target} {colour} {kind}"), options, address
        )
        back = [Button(words("Another prisoner"), address("target", f"{start}.{target}"))]
        places = {place for action in found for place in (action.retreat, action.companion) if place is not None}
        choice = render.Choices(triangles=sorted(places), chosen=(start, target))
        await self._show(request, table, moves.view, Page(text, rows=(*rows, back)), choice)

    @control("played")
    async def played(self, request: Request) -> None:
        """Play what was chosen, by its text."""
        await self.play(request, await self.bot.table_of(request), request.choice)

    async def _acting(self, request: Request) -> tuple[Table, Moves]:
        """The table and what the person may do there, where it is their turn."""
        table, seat = await self.acting(request)
        return table, Moves(table, seat, request.words)

    async def _show(self, request: Request, table: Table, view: ChessView, page: Page, marked: render.Choices) -> None:
        words, names = request.words, panel.shown_names(table, request.words)
        if view.viewpoint is not None:
            turned = words("-# The board is turned to your side: your corner is at the bottom.")
            page = replace(page, text=f"{page.text}\n{turned}")

        def draw() -> Picture:
            data = render.picture(view, words, names=names, choices=marked)
            return Picture(data, render.alt(view, words, names))

        await request.show(page, draw)

    # -- The form --

    @control("ask_typed")
    async def ask_typed(self, request: Request) -> None:
        """Open the form to type a move, with what was typed before."""
        table, _ = await self._acting(request)
        words = request.words
        hint = words("Where the piece stands, and where it goes")
        field = Field("move", words("Move"), hint, request.argument, "C6Ω-D5Ω, C68 D58", least=1, most=100)
        await request.ask(Form(words("Type a move"), request.addresses(table)("typed"), (field,)))

    @control("typed")
    async def typed(self, request: Request) -> None:
        """Play the move typed."""
        await self.play_typed(request, "typed", request.fields["move"])


class Moves:
    """What one player may do now, as choices with labels in their language."""

    def __init__(self, table: Table, seat: int, words: Words) -> None:
        self.view: ChessView = table.view(seat)
        self.actions: Sequence[ChessAction] = GAME.legal(table.state, seat)
        self._words = words
        self._pieces: Mapping[Triangle, Piece] = {piece.triangle: piece for piece in self.view.pieces}
        self._me = self.view.colours[seat]

    def only_pass(self) -> bool:
        """Whether there is nothing to do but to pass."""
        return self.actions == (Pass(),)

    def starts(self) -> tuple[Triangle, ...]:
        """The pieces that can move: the weightiest kinds first."""
        return tuple(sorted(choices.starts(self.actions), key=lambda start: (-self._pieces[start].kind, start)))

    def some_stay(self) -> bool:
        """Whether the player has pieces that cannot move."""
        own = {triangle for triangle, piece in self._pieces.items() if piece.owner == self._me}
        return not own <= set(self.starts())

    def targets(self, start: Triangle) -> tuple[Triangle, ...]:
        """Where the piece can go, captures first."""
        found = choices.targets(self.actions, start)
        return tuple(sorted(found, key=lambda target: (not self._takes(target), target)))

    def best_first(self) -> list[ChessAction]:
        """All actions, captures first, rescues after them."""
        return sorted(
            self.actions,
            key=lambda action: (
                isinstance(action, Pass) or (not self._takes(action.target), not isinstance(action, Rescue))
            ),
        )

    def _takes(self, target: Triangle) -> bool:
        return target in self._pieces and self._pieces[target].owner != self._me

    # -- Labels --

    def piece_label(self, start: Triangle) -> str:
        """A piece and its triangle: `Rukh B7Ω`."""
        piece, words = self._pieces[start], self._words
        name = kind_of(piece.kind, words) if piece.colour == self._me else piece_of(piece.colour, piece.kind, words)
        return words("{piece} {triangle}", piece=name, triangle=NAMES[start])

    def piece_option(self, start: Triangle) -> Option:
        """A piece as a line of a menu, with what it could take."""
        words, targets = self._words, self.targets(start)
        taken = [self._what(target) for target in targets if self._takes(target)]
        ways = words.many("{count} triangle to go to", "{count} triangles to go to", len(targets))
        return Option(self.piece_label(start), str(start), "; ".join([*taken, ways]))

    def target_option(self, start: Triangle, target: Triangle) -> Option:
        """A target as a line of a menu."""
        return Option(self.target_label(start, target), f"{start}.{target}")

    def target_label(self, start: Triangle, target: Triangle) -> str:
        """A target, and what comes of going there."""
        return " · ".join([NAMES[target], *self._remarks(start, target)])

    def label(self, action: ChessAction) -> str:
        """A whole action in one line."""
        if isinstance(action, Pass):
            return self._words("Pass the turn")
        remarks = self._remarks(action.start, action.target)
        if isinstance(action, Rescue):
            words = self._words
            piece = piece_of(action.colour, action.kind, words)
            taken = [self._what(action.target)] if action.takes else []
            remarks = [*taken, words("Rescue: {piece}", piece=piece), place_label(action, words)]
        elif not isinstance(action, Castling):
            remarks = [self._what(action.target)] if action.takes else []
        return " · ".join([f"{self.piece_label(action.start)} → {NAMES[action.target]}", *remarks])

    def _remarks(self, start: Triangle, target: Triangle) -> list[str]:
        words = self._words
        ways = choices.ways(self.actions, start, target)
        found = [self._what(target)] if self._takes(target) else []
        if any(isinstance(way, Castling) for way in ways):
            found.append(words("castling: changes places with the Rukh"))
        if any(isinstance(way, Rescue) for way in ways):
            found.append(words("may rescue a prisoner"))
        return found

    def _what(self, target: Triangle) -> str:
        taken = self._pieces[target]
        return what_it_takes(taken.owner, taken.colour, taken.kind, self._words)

    def fits(self, action: ChessAction, typed: str) -> bool:
        """Whether what is typed begins the action in one of its spellings, or is part of its label."""
        if isinstance(action, Pass):
            return True
        wanted = letters_of(typed)
        forms = [
            letters_of(text_of(action)),
            *map("".join, zip(spellings(action.start), spellings(action.target), strict=True)),
        ]
        return any(form.startswith(wanted) for form in forms) or all(
            word in self.label(action).casefold() for word in typed.casefold().split()
        )


def position_text(text: str) -> str:
    """A position in canonical text; raises `BadHeader`."""
    state = GAME.start(ChessSetup(seats=3, position=text), ChessOptions(), ChessDeal())
    return position_of(state).text()


def situation(view: ChessView, words: Words) -> list[str]:
    """What the player to move has to know: check, checkmate, whom they must capture."""
    me = view.viewpoint
    if me is None or view.to_move != me:
        return [words("{check}.", check=check_line(view, check, words)) for check in view.checks]
    lines = []
    if view.must_capture:
        whose = words.series(
            (words("{player}'s General", player=armies([each], words)) for each in view.must_capture), "or"
        )
        lines.append(words("⚔️ **You must capture {generals}**: nothing else is allowed now.", generals=whose))
    for check in view.checks:
        line = words("{check}.", check=check_line(view, check, words))
        lines.append(f"⚠️ **{line}**" if check.player == me else line)
    if any(mark.player == me for mark in view.checkmated):
        lines.append(words("You are checkmated: no move saves your General, so any move of another piece will do."))
    elif any(check.player == me for check in view.checks) and not view.must_capture:
        lines.append(words("You must move out of check: only such moves are offered."))
    return lines


def place_label(action: Rescue, words: Words) -> str:
    """Where a rescue's Infantry go."""
    if action.companion is None:
        return words("Infantry to {triangle}", triangle=NAMES[action.retreat])
    return words(
        "yours to {triangle}, the rescued one to {other}", triangle=NAMES[action.retreat], other=NAMES[action.companion]
    )


def offer(
    question: str, menu: Address, options: Sequence[Option], address: Callable[[str, str], Address]
) -> tuple[Row, ...]:
    """A menu of the options, or as many buttons where they are few."""
    if len(options) <= FEW:
        return ([Button(option.label, address(menu.verb, option.value), BLUE) for option in options],)
    return (Menu(question, menu, tuple(options)),)


def paged(
    options: Sequence[Option], number: int, words: Words, address: Callable[[int], Address]
) -> tuple[Sequence[Option], tuple[Row, ...]]:
    """The options of a page, and the buttons to the other pages; none where one menu holds all."""
    pages = -(-len(options) // MOST_OPTIONS)
    if pages < 2:
        return options, ()
    number = min(number, pages - 1)
    turning = [
        Button(words("Page {page} of {pages}", page=page + 1, pages=pages), address(page), disabled=page == number)
        for page in range(pages)
    ]
    return options[number * MOST_OPTIONS : (number + 1) * MOST_OPTIONS], (turning,)


def numbers(text: str, count: int) -> tuple[int, ...]:
    """The numbers of `12.34`, so many; those that are not there are 0. Raises `MovedOn` for what no control carries."""
    parts = text.split(".")
    if len(parts) > count or not all(re.fullmatch("[0-9]{1,2}", part) for part in parts):
        raise MovedOn
    return (*map(int, parts), *[0] * (count - len(parts)))


def letters_of(typed: str) -> str:
    """What is typed without dashes, spaces and the cross of a capture, in lower case."""
    return "".join(letter for letter in typed.casefold() if letter.isalnum() and letter != "x").replace("ς", "σ")


def spellings(triangle: Triangle) -> tuple[str, ...]:
    """The triangle's name in lower case: Greek, with a digit for the Greek letter, with a Latin stand-in."""
    r, g, b = TRIANGLES[triangle]
    return tuple(f"{RANK_LETTERS[r - 1]}{g}{columns[b - 1]}".casefold() for columns in COLUMN_SPELLINGS)


COLUMN_SPELLINGS = (COLUMN_LETTERS, "12345678", "bgdpsfyw")


def is_spelt(triangle: Triangle, typed: str) -> bool:
    """Whether what is typed begins one of the triangle's spellings."""
    wanted = letters_of(typed)
    return any(spelling.startswith(wanted) for spelling in spellings(triangle))
