"""The cards along the top of a picture of Triangulation chess: each army, its player, how it stands, its prisoners."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from bot.render import fonts
from bot.render.canvas import Canvas, Sprite, lettered, panel
from bot.render.chess.pieces import ARMIES, piece
from bot.render.chess.terms import short_standing
from bot.render.marks import badge
from bot.render.palette import CARD, GRAIN, GROUND, INK, QUIET
from bot.words import Words
from rules.chess.board import COLOURS
from rules.chess.view import ChessView, Prisoner

LEFT, GAP, TOP, BOTTOM = 24, 16, 32, 226
CARD_WIDTH = 306
HEAD = 36
"""Height of what stands above a card; half of it lies on the card."""
PRISONER = 0.66
"""The size of a prisoner."""
PRISONERS_FROM = 146
"""Where the first prisoner stands, from the card's left edge: after the word for them."""
FIRST_ROW, NEXT_ROW = 121, 48
"""Where the rows of prisoners are, from the card's top, and from each other."""


def draw_cards(canvas: Canvas, view: ChessView, words: Words, names: Sequence[str]) -> None:
    """The three armies' cards, side by side."""
    for colour in COLOURS:
        _draw_card(canvas, view, colour, LEFT + colour * (CARD_WIDTH + GAP), words, names)


def _draw_card(canvas: Canvas, view: ChessView, colour: int, left: int, words: Words, names: Sequence[str]) -> None:
    army = view.armies[colour]
    playing = army.standing == "playing"
    to_move = view.to_move == colour
    won = view.result is not None and army.seat in view.result.winners
    fill = ARMIES[colour].tint if to_move or won else CARD if playing else GROUND
    border, line = (INK, 5) if to_move or won else (GRAIN, 2)
    canvas.paste_at(_card(fill, border, line), left, TOP)
    canvas.paste(badge(ARMIES[colour], 21), left + 40, TOP + 46)
    name = words("Nobody") if army.seat is None else names[army.seat]
    canvas.fitted(left + 72, TOP + 44, name, CARD_WIDTH - 86, 30, INK if playing else QUIET)
    in_danger = any(check.player == colour for check in view.checks)
    text, ink = short_standing(view, colour, words), INK if in_danger else QUIET
    canvas.fitted(left + 20, TOP + 84, text, CARD_WIDTH - 40, 26, ink, bold=in_danger)
    if playing:
        _draw_prisoners(canvas, [held for held in view.prisoners if held.captor == colour], left, words)
    if to_move:
        _draw_head(canvas, left, words("To play"))
    elif won:
        _draw_head(canvas, left, words("A draw") if view.result and view.result.draw else f"🏆 {words('Winner')}")


def _draw_head(canvas: Canvas, left: int, text: str) -> None:
    canvas.paste(_head(text), left + CARD_WIDTH / 2, TOP)


def _draw_prisoners(canvas: Canvas, held: Sequence[Prisoner], left: int, words: Words) -> None:
    title = words("Prisoners") if held else words("No prisoners")
    y = TOP + FIRST_ROW
    canvas.fitted(left + 20, y, title, PRISONERS_FROM - 26 if held else CARD_WIDTH - 40, 24, QUIET)
    x = float(left + PRISONERS_FROM)
    for prisoner in held:
        text = f"×{prisoner.count}" if prisoner.count > 1 else ""
        width = 44 + (fonts.measure(text, 24) + 4 if text else 0)
        if x + width > left + CARD_WIDTH - 6:
            x, y = left + 16.0, y + NEXT_ROW
        canvas.paste(piece(prisoner.kind, prisoner.colour, PRISONER), x + 20, y)
        if text:
            canvas.text(x + 40, y + 6, text, 24, INK)
        x += width


@lru_cache(maxsize=16)
def _card(fill: str, border: str, line: int) -> Sprite:
    return panel(CARD_WIDTH, BOTTOM - TOP, 22, fill, border, line).on(GROUND)


@lru_cache(maxsize=32)
def _head(text: str) -> Sprite:
    width = round(fonts.measure(text, 26)) + 36
    return lettered(panel(width, HEAD, HEAD / 2, INK), text, 26, CARD)
