"""What Triangulation chess shows of itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from bot.face import Drawing, Face, RulesPage, Told
from bot.page import BLUE, Addresses, Button, Row
from bot.render import chess as render
from bot.render.chess.pieces import ARMIES
from bot.render.chess.rulebook import rules_pages
from bot.render.chess.terms import armies, army, standing
from bot.words import Words
from cogs.chess.refusals import refusal_sentence
from cogs.chess.story import story
from rules.chess import GAME
from rules.chess.board import COLOURS
from rules.chess.state import ChessOptions
from rules.chess.view import ChessView
from rules.game import Game, Refusal, translatable


class ChessFace(Face):
    """The face of Triangulation chess."""

    game: ClassVar[Game[Any, Any]] = GAME
    drawing: ClassVar[Drawing] = render
    title = translatable("Triangulation chess")
    summary = translatable("Three armies on 64 triangles: capture a General and command all that obeyed it.")
    wish = translatable("Which colour would you like to play?")
    icon = "♟️"
    colour = 0x75634F

    def badge(self, view: ChessView, words: Words, seat: int) -> str:
        mark = ARMIES[view.colours[seat]]
        return f"{mark.symbol} {army(view.colours[seat], words)}"

    def story(self, told: Told, view: ChessView, words: Words, names: Sequence[str]) -> str | None:
        name = f"{ARMIES[view.colours[told.seat]].symbol} {names[told.seat]}"
        return story(name, told.action, told.events, words)

    def status(self, view: ChessView, words: Words, names: Sequence[str]) -> str:
        lines = [self._armies(view, words, names)]
        if view.result is not None:
            winners = words.series(names[seat] for seat in view.result.winners)
            won = (
                words("A draw between {players}.", players=winners)
                if view.result.draw
                else words("🏆 {names} wins.", names=winners)
            )
            lines.insert(0, f"**{won}**")
        if view.offers and view.result is None:
            missing = [
                this.colour for this in view.armies if this.standing == "playing" and this.colour not in view.offers
            ]
            lines.append(
                words(
                    "🤝 A draw is offered by {players}. It still takes the same offer by {others} (More → Offer a draw)"
                    "; any move declines it.",
                    players=armies(view.offers, words),
                    others=armies(missing, words),
                )
            )
        return "\n".join(lines)

    def _armies(self, view: ChessView, words: Words, names: Sequence[str]) -> str:
        parts = []
        for colour in COLOURS:
            seat = view.armies[colour].seat
            name = army(colour, words) if seat is None else names[seat]
            entry = words("{title}: {value}", title=name, value=standing(view, colour, words))
            parts.append(f"{ARMIES[colour].symbol} {entry}")
        return "-# " + " · ".join(parts)

    def controls(self, view: ChessView, words: Words, address: Addresses) -> tuple[Row, ...]:
        return (
            [
                Button(words("Move"), address("choose"), BLUE),
                Button(words("Type a move"), address("ask_typed")),
                Button(words("From my side"), address("own_board")),
            ],
        )

    def brought(self, given: Mapping[str, Any], words: Words) -> str | None:
        position = given.get("position")
        return words("**Starts from:** {position}", position=f"`{position}`") if position else None

    def rules(self, options: ChessOptions, words: Words) -> tuple[RulesPage, ...]:
        return rules_pages(options, words)

    def refusal(self, refusal: Refusal, words: Words) -> str | None:
        return refusal_sentence(refusal, words)
