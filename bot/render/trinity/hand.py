"""What one player alone may see: their targets, their hand, and what a 4 has shown them of the pile."""

from __future__ import annotations

from collections.abc import Sequence

from bot.render.canvas import Canvas
from bot.render.palette import CARD, CHOICE, INK, QUIET
from bot.render.trinity.cards import SIZES, empty, face, palette, tab
from bot.words import Words
from rules.trinity.cards import POSITIONS
from rules.trinity.state import Question
from rules.trinity.view import Own, View

WIDTH = 1000
EDGE = 30
TITLE = 40
"""The middle of a section's title below its top."""
CARDS = 84
"""The top of a section's cards below its top."""
SECTION = CARDS + SIZES["large"].height + 22
"""Height of a section with large cards."""
STEP = 190
"""From one large card to the next, where there is room."""
ASIDE = EDGE + 3 * STEP + 24
"""Where the cards seen by a 4 begin, beside the targets."""


def picture(view: View, words: Words, chosen: Sequence[int] = ()) -> bytes:
    """The viewer's own cards as a PNG 1000 pixels wide; the view must be a seat's.

    `chosen`: while targets are chosen, the places in `held` of the cards chosen so far, in order.
    """
    own = seen_by(view)
    held = hand_in_order(own)
    canvas = Canvas(WIDTH, 2 * SECTION if held else SECTION, palette())
    if view.question is Question.KEEP and not own.targets:
        _draw_slots(canvas, [held[place] for place in chosen], words)
        _draw_held(canvas, SECTION, words("Your five cards"), held, words, chosen)
        return canvas.encode()
    _draw_targets(canvas, view, own, words)
    _draw_foreseen(canvas, own, words)
    if held:
        _draw_held(canvas, SECTION, words("Your hand"), held, words, new=own.drawn)
    return canvas.encode()


def seen_by(view: View) -> Own:
    """What the viewer's seat alone may know; raises `ValueError` for the public's view."""
    if view.own is None:
        raise ValueError("a hand is only in a seat's own view")
    return view.own


def hand_in_order(own: Own) -> tuple[int, ...]:
    """The hand as it is shown: ascending."""
    return tuple(sorted(own.hand))


def _draw_slots(canvas: Canvas, chosen: Sequence[int], words: Words) -> None:
    """The targets as far as they are chosen, and frames for the others."""
    canvas.text(EDGE, TITLE, words("Your targets"), 32, INK, bold=True)
    for position in POSITIONS:
        left = EDGE + position * STEP
        if position < len(chosen):
            canvas.paste_at(face(chosen[position], "large", words), left, CARDS)
        else:
            canvas.paste_at(empty("large", "?", CHOICE if position == len(chosen) else QUIET), left, CARDS)
        canvas.paste(tab(str(position + 1)), left + SIZES["large"].width / 2, CARDS)


def _draw_targets(canvas: Canvas, view: View, own: Own, words: Words) -> None:
    canvas.text(EDGE, TITLE, words("Your targets"), 32, INK, bold=True)
    shown = view.players[own.seat].targets
    for position, digit in enumerate(own.targets):
        left = EDGE + position * STEP
        canvas.paste_at(face(digit, "large", words), left, CARDS)
        middle = left + SIZES["large"].width / 2
        canvas.paste(tab(str(position + 1)), middle, CARDS)
        if shown[position] is not None:
            canvas.paste(tab(words("open"), CHOICE), middle, CARDS + SIZES["large"].height)


def _draw_foreseen(canvas: Canvas, own: Own, words: Words) -> None:
    """The top of the pile, as far as the player knows it."""
    if not own.foreseen:
        return
    canvas.fitted(ASIDE, TITLE, words("Top of the pile"), WIDTH - EDGE - ASIDE, 32, INK, bold=True)
    for place, digit in enumerate(own.foreseen):
        left = ASIDE + place * 112
        canvas.paste_at(face(digit, "small", words), left, CARDS)
        canvas.paste(tab(str(place + 1), QUIET), left + SIZES["small"].width / 2, CARDS)


def _draw_held(
    canvas: Canvas,
    top: int,
    title: str,
    held: Sequence[int],
    words: Words,
    chosen: Sequence[int] = (),
    new: Sequence[int] = (),
) -> None:
    """The cards held, over each other where they are many; what was drawn this turn is marked as new."""
    canvas.text(EDGE, top + TITLE - 10, title, 32, INK, bold=True)
    size = SIZES["large"]
    step = min(STEP, (WIDTH - 2 * EDGE - size.width) / max(1, len(held) - 1))
    fresh = _places(held, new)
    for place, digit in enumerate(held):
        left = round(EDGE + place * step)
        canvas.paste_at(face(digit, "large", words, quiet=place in chosen), left, top + CARDS - 10)
        middle = left + size.width / 2
        if place in chosen:
            canvas.paste(tab(str(list(chosen).index(place) + 1), CHOICE), middle, top + CARDS - 10)
        if place in fresh:
            canvas.paste(tab(words("new"), CHOICE, CARD), middle, top + CARDS - 10)


def _places(held: Sequence[int], cards: Sequence[int]) -> set[int]:
    """Where these cards are among those held, the last of several like ones first."""
    places: set[int] = set()
    for card in cards:
        found = [place for place, digit in enumerate(held) if digit == card and place not in places]
        places.update(found[-1:])
    return places
