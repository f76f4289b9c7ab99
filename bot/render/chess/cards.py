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
STEP, IN_ROW = 54, 5
"""From one prisoner to the next, and how many stand in a row. Two rows hold all three kinds of three colours."""
PRISONERS_FROM, ROOM_BESIDE_TITLE = 172, 2
"""Where the first prisoner stands after the word for them, from the card's left edge; how many stand beside it."""
FIRST_ROW, NEXT_ROW = 124, 45
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
    canvas.fitted(left + 20, TOP + 82, text, CARD_WIDTH - 40, 26, ink, bold=in_danger)
    if playing:
        _draw_prisoners(canvas, [held for held in view.prisoners if held.captor == colour], left, words)
    if to_move:
        _draw_head(canvas, left, words("To play"))
    elif won:
        _draw_head(canvas, left, words("A draw") if view.result and view.result.draw else f"🏆 {words('Winner')}")


def _draw_head(canvas: Canvas, left: int, text: str) -> None:
    canvas.paste(_head(text), left + CARD_WIDTH / 2, TOP)


def _draw_prisoners(canvas: Canvas, held: Sequence[Prisoner], left: int, words: Words) -> None:
    """One piece for each colour and kind, with their number; the word for them where there is room for it."""
    y = TOP + FIRST_ROW
    titled = len(held) <= ROOM_BESIDE_TITLE + IN_ROW
    if titled:
        title = words("Prisoners") if held else words("No prisoners")
        canvas.fitted(left + 20, y, title, PRISONERS_FROM - 40 if held else CARD_WIDTH - 40, 24, QUIET)
    places = [(left + PRISONERS_FROM + STEP * number, y) for number in range(ROOM_BESIDE_TITLE)] if titled else []
    rows = (y + NEXT_ROW,) if titled else (y, y + NEXT_ROW)
    places += [(left + 38 + STEP * number, row) for row in rows for number in range(IN_ROW)]
    for prisoner, (x, row_y) in zip(held, places, strict=False):
        canvas.paste(piece(prisoner.kind, prisoner.colour, PRISONER), x, row_y)
        if prisoner.count > 1:
            canvas.paste(_count(prisoner.count), x + 21, row_y - 10)


@lru_cache(maxsize=64)
def _count(count: int) -> Sprite:
    text = str(count)
    return lettered(panel(max(26, round(fonts.measure(text, 24)) + 12), 28, 13, INK, CARD, 2), text, 24, CARD)


@lru_cache(maxsize=16)
def _card(fill: str, border: str, line: int) -> Sprite:
    return panel(CARD_WIDTH, BOTTOM - TOP, 22, fill, border, line).on(GROUND)


@lru_cache(maxsize=32)
def _head(text: str) -> Sprite:
    width = round(fonts.measure(text, 26)) + 36
    return lettered(panel(width, HEAD, HEAD / 2, INK), text, 26, CARD)
