"""The strip of players along the top of a picture: who they are, how they stand, whose turn it is."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from bot.render import fonts
from bot.render.canvas import Box, Canvas, Sprite, lettered, panel, sprite
from bot.render.marks import Mark, badge, draw_stroke
from bot.render.palette import CARD, GRAIN, GROUND, INK, QUIET
from bot.words import Words
from rules.game import translatable

Standing = Literal["to_act", "waiting", "won", "out"]

HEADS: dict[Standing, str] = {
    "to_act": translatable("To play"),
    "won": translatable("Winner"),
    "out": translatable("Left"),
}
"""What stands above a player's card."""

GAP = 16
HEAD = 36
"""Height of what stands above a card; half of it lies on the card."""
NAME_SIZE = 30
SCORE_SIZE = 60
FACT_SIZE = 30


class Fact(NamedTuple):
    """A small picture and a short text: what a player has left of something."""

    icon: Sprite
    text: str


class Seat(NamedTuple):
    """A player as the strip shows them."""

    mark: Mark
    name: str
    score: str
    standing: Standing
    facts: tuple[Fact, ...] = ()
    """Two at most."""


def draw_seats(canvas: Canvas, box: Box, seats: Sequence[Seat], words: Words) -> None:
    """The cards of two to four players side by side in a box of bare ground, 170 pixels high or more."""
    left, top, right, bottom = box
    width = (right - left - GAP * (len(seats) - 1)) / len(seats)
    for place, seat in enumerate(seats):
        x = left + place * (width + GAP)
        _draw_seat(canvas, (x, top + HEAD / 2, x + width, bottom), seat, words)


def _draw_seat(canvas: Canvas, box: Box, seat: Seat, words: Words) -> None:
    left, top, right, bottom = (round(edge) for edge in box)
    width, height = right - left, bottom - top
    fill, border, line, ink = _look(seat)
    canvas.paste_at(_card(width, height, fill, border, line), left, top)
    name_y = top + 26 + 24
    canvas.paste(badge(seat.mark, 21), left + 38, name_y)
    canvas.fitted(left + 70, name_y, seat.name, width - 70 - 12, NAME_SIZE, ink)
    score_y = bottom - 42
    canvas.text(left + 22, score_y, seat.score, SCORE_SIZE, ink, bold=True)
    for row, fact in enumerate(seat.facts):
        y = score_y + (row - (len(seat.facts) - 1) / 2) * 38
        canvas.text(right - 18, y, fact.text, FACT_SIZE, ink, "right")
        canvas.paste(fact.icon, right - 66 - fact.icon.size[0] / 2, y)
    if seat.standing in HEADS:
        text = words(HEADS[seat.standing])
        if seat.standing == "won":
            text = f"🏆 {text}"
        _draw_head(canvas, (left + right) / 2, top, text, seat.standing, width)


@lru_cache(maxsize=64)
def _card(width: int, height: int, fill: str, border: str, line: int) -> Sprite:
    return panel(width, height, 22, fill, border, line).on(GROUND)


def _look(seat: Seat) -> tuple[str, str, int, str]:
    """A card's fill, border, the border's width, and the colour of its text."""
    if seat.standing == "to_act":
        return seat.mark.tint, INK, 5, INK
    if seat.standing == "won":
        return seat.mark.tint, seat.mark.colour, 5, INK
    if seat.standing == "out":
        return GROUND, GRAIN, 2, QUIET
    return CARD, GRAIN, 2, INK


def _draw_head(canvas: Canvas, x: float, y: float, text: str, standing: Standing, most: int) -> None:
    fill, ink = (GRAIN, INK) if standing == "out" else (INK, CARD)
    canvas.paste(_pill(text, most - 40, fill, ink), x, y)


@cache
def _pill(text: str, most: float, fill: str, ink: str) -> Sprite:
    fitted = fonts.fit(text, most - 36, 26)
    width = round(fonts.measure(fitted.text, fitted.size)) + 36
    return lettered(panel(width, HEAD, HEAD / 2, fill), fitted.text, fitted.size, ink)


@cache
def line_icon(mark: Mark) -> Sprite:
    """A piece of a line in the seat's style, which shows whose lines are whose."""
    return sprite(56, 20, lambda pen: draw_stroke(pen, mark, (8, 10), (48, 10), 15, 20))
