"""The table as everybody may see it: for each player targets, area, and what has been learnt of the targets."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from bot.render import fonts
from bot.render.canvas import Canvas, Sprite, lettered, panel, write
from bot.render.marks import SEATS, badge
from bot.render.palette import CARD, GRAIN, GROUND, INK, QUIET
from bot.render.trinity.cards import BACK, SIZES, Size, back, empty, face, palette, person, tab
from bot.words import Words
from rules.game import translatable
from rules.trinity.cards import POSITIONS
from rules.trinity.state import Answer, Hits, Question, Range, Sum
from rules.trinity.view import PlayerView, View

WIDTH = 1000
EDGE = 24
"""Bare paper around everything."""
TOP = 100
"""Height of the strip above the players: the pile, and the card played this turn."""
PLAYER = 302
"""Height of a player's panel."""
GAP = 18
"""Between two panels."""
CARDS_TOP = 88
"""From the top of a panel to that of its targets."""
STEP = 152
"""From one target to the next."""
ASIDE = EDGE + 24 + 3 * STEP + 22
"""Where what stands beside the targets begins."""
ROOM = WIDTH - EDGE - 22 - ASIDE
"""Its width."""

HEADS: dict[Question, str] = {
    Question.KEEP: translatable("Chooses targets"),
    Question.PLAY: translatable("Plays a card"),
    Question.DISCARD_TARGETS: translatable("Gives up two targets"),
    Question.ARRANGE: translatable("Puts targets in order"),
    Question.SWAP: translatable("Swaps a target"),
    Question.ORDER: translatable("Looks at the pile"),
    Question.DISCARD: translatable("Gives up a card"),
    Question.GUESS: translatable("Guesses"),
}
"""What stands above the panel of somebody who is to act."""


def height(players: int) -> int:
    """The picture's height in pixels."""
    return TOP + players * (PLAYER + GAP) + EDGE - GAP + 8


def picture(view: View, words: Words, *, names: Sequence[str]) -> bytes:
    """The table as a PNG 1000 pixels wide. A view of a seat's own shows that seat's targets face up."""
    canvas = Canvas(WIDTH, height(len(view.players)), palette())
    _draw_top(canvas, view, words)
    for place, player in enumerate(view.players):
        _draw_player(canvas, TOP + place * (PLAYER + GAP), view, player, names[player.seat], words)
    return canvas.encode()


# -- The strip on top ----------------------------------------------------------------------------------------------


def _draw_top(canvas: Canvas, view: View, words: Words) -> None:
    y = 48
    measures = SIZES["mini"]
    if view.pile_size:
        for layer in range(min(view.pile_size, 4)):
            canvas.paste(back("mini"), EDGE + 34 + 5 * layer, y)
    else:
        canvas.paste(empty("mini", ""), EDGE + 34, y)
    x = EDGE + 34 + 20 + measures.width / 2 + 14
    canvas.text(x, y - 20, words("Pile"), 26, QUIET)
    canvas.text(x, y + 20, str(view.pile_size), 42, INK, bold=True)
    if view.played is not None:
        right = WIDTH - EDGE - 6
        canvas.paste(face(view.played, "mini", words), right - measures.width / 2, y)
        canvas.fitted(right - measures.width - 16, y - 20, words("Played this turn"), 360, 26, QUIET, "right")
        canvas.fitted(right - measures.width - 16, y + 20, person(view.played, words), 360, 34, INK, "right", bold=True)


# -- A player's panel ----------------------------------------------------------------------------------------------


def _draw_player(canvas: Canvas, top: int, view: View, player: PlayerView, name: str, words: Words) -> None:
    mark = SEATS[player.seat]
    acting = player.seat in view.to_act
    won = view.result is not None and player.seat in view.result.winners
    fill = GROUND if player.left else mark.tint if acting or won else CARD
    border, width = (INK, 5) if acting else (mark.colour, 5) if won else (GRAIN, 2)
    canvas.paste_at(_ground(fill, border, width), EDGE, top)
    line = top + 44
    canvas.paste(badge(mark, 23), EDGE + 44, line)
    canvas.fitted(EDGE + 80, line, name, 3 * STEP - 60, 34, QUIET if player.left else INK, bold=not player.left)
    _draw_head(canvas, top, view, player, words)
    _draw_hand(canvas, line, player, words)
    _draw_targets(canvas, top + CARDS_TOP, view, player, words, fill)
    _draw_area(canvas, top + CARDS_TOP, player, words)
    _draw_answers(canvas, top + CARDS_TOP + 98, player, words)


@cache
def _ground(fill: str, border: str, width: int) -> Sprite:
    return panel(WIDTH - 2 * EDGE, PLAYER, 24, fill, border, width).on(GROUND)


def _draw_head(canvas: Canvas, top: int, view: View, player: PlayerView, words: Words) -> None:
    """What stands on the panel's upper edge: what its player is to do, that they won or left."""
    if view.result is not None and player.seat in view.result.winners:
        text = f"🏆 {words('TRiNITY!') if _guessed(view) else words('Winner')}"
    elif player.left:
        text = words("Left")
    elif player.seat in view.to_act and view.question is not None:
        text = words(HEADS[view.question])
        if view.guesses > 1:
            text = words("{what} · {guesses} guesses", what=text, guesses=view.guesses)
    elif view.question is Question.KEEP:
        text = words("Ready")
    else:
        return
    dark = not player.left and (player.seat in view.to_act or view.result is not None)
    canvas.paste(_pill(text, dark), WIDTH / 2, top)


def _guessed(view: View) -> bool:
    """Whether the game was won by a guess, not because all others left."""
    return any(isinstance(answer, Hits) and answer.hits == 3 for one in view.players for answer in one.answers)


@cache
def _pill(text: str, dark: bool) -> Sprite:
    fitted = fonts.fit(text, 560, 27)
    width = round(fonts.measure(fitted.text, fitted.size)) + 44
    fill, ink = (INK, CARD) if dark else (GRAIN, INK)
    return lettered(panel(width, 40, 20, fill, CARD, 3), fitted.text, fitted.size, ink)


def _draw_hand(canvas: Canvas, line: int, player: PlayerView, words: Words) -> None:
    """How many cards the player holds; of one who left, or at the end, which."""
    right = WIDTH - EDGE - 22
    if player.laid_open:
        cards = [face(digit, "mini", words) for digit in player.laid_open]
        step = min(SIZES["mini"].width + 4, (ROOM - 120) / max(1, len(cards)))
        x = right - SIZES["mini"].width - step * (len(cards) - 1)
        canvas.text(x - 14, line + 2, words("Hand"), 26, QUIET, "right")
        for place, card in enumerate(cards):
            canvas.paste_at(card, round(x + place * step), line - 32)
        return
    text = words.many("{count} card in hand", "{count} cards in hand", player.hand_size)
    width = canvas.fitted(right, line, text, ROOM - 90, 27, INK, "right")
    for layer in range(min(player.hand_size, 3)):
        canvas.paste(_little_back(), right - width - 26 - 12 * layer, line)


@cache
def _little_back() -> Sprite:
    return panel(26, 36, 4, BACK, CARD, 2)


def _draw_targets(canvas: Canvas, top: int, view: View, player: PlayerView, words: Words, ground: str) -> None:
    own = view.own.targets if view.own is not None and view.own.seat == player.seat else ()
    for position in POSITIONS:
        left = EDGE + 24 + position * STEP
        shown = player.targets[position]
        if shown is None and own:
            card = _face_on(ground, own[position], words, True)
        elif shown is None:
            card = _back_on(ground, player.chosen)
        else:
            card = _face_on(ground, shown, words, False)
        canvas.paste_at(card, left, top)
        canvas.paste(tab(str(position + 1)), left + SIZES["medium"].width / 2, top)


@cache
def _face_on(ground: str, digit: int, words: Words, quiet: bool) -> Sprite:
    """A target as a flat piece of the panel: pasting it takes a fraction of the time."""
    return face(digit, "medium", words, quiet=quiet).on(ground)


@cache
def _back_on(ground: str, chosen: bool) -> Sprite:
    return (back("medium") if chosen else empty("medium", "")).on(ground)


def _draw_area(canvas: Canvas, top: int, player: PlayerView, words: Words) -> None:
    """The player's area: one row, the cards over each other where they are many."""
    size: Size = "mini"
    measures = SIZES[size]
    y = top + 44
    if not player.area:
        canvas.fitted(ASIDE, y, words("No cards played yet"), ROOM, 26, QUIET)
        return
    step = min(measures.width + 6, (ROOM - measures.width) / max(1, len(player.area) - 1))
    for place, digit in enumerate(player.area):
        canvas.paste_at(face(digit, size, words), round(ASIDE + place * step), round(y - measures.height / 2))


# -- What has been learnt ------------------------------------------------------------------------------------------


def chip_text(answer: Answer, words: Words) -> str | None:
    """An answer in two or three words; None for one that the cards themselves show."""
    match answer:
        case Hits():
            guess = " ".join(map(str, answer.digits))
            return words("{guess}: {hits} right", guess=guess, hits=answer.hits)
        case Sum():
            return words("Sum {total}", total=answer.total)
        case Range():
            return words("Difference {width}", width=answer.width)
        case _:
            if answer.digit is None or answer.shown:
                return None
            return words("No {digit}", digit=answer.digit)


def _draw_answers(canvas: Canvas, top: int, player: PlayerView, words: Words) -> None:
    """The newest answers about these targets, in two lines of what has room, the last of them strong."""
    told = [(chip_text(answer, words), answer.seat) for answer in player.answers]
    texts = [(text, seat) for text, seat in told if text is not None]
    lines: list[list[Sprite]] = [[]]
    for index, (text, seat) in enumerate(reversed(texts)):
        chip = _chip(text, seat, index == 0)
        if sum(one.size[0] + 8 for one in lines[0]) + chip.size[0] > ROOM:
            if len(lines) == 2:
                break
            lines.insert(0, [])
        lines[0].insert(0, chip)
    for number, line in enumerate(lines):
        x = ASIDE
        for chip in line:
            canvas.paste_at(chip, round(x), top + number * 50)
            x += chip.size[0] + 8


@cache
def _chip(text: str, seat: int, newest: bool) -> Sprite:
    """An answer, with the mark of who got it."""
    mark = SEATS[seat]
    width = round(fonts.measure(text, 26)) + 60
    ground = panel(width, 44, 22, CARD, INK if newest else GRAIN, 4 if newest else 2)
    image = ground.image.copy()
    piece = badge(mark, 13, 18)
    image.paste(piece.image, (round(25 - piece.size[0] / 2), round(22 - piece.size[1] / 2)), piece.coverage)
    write(image, 45, 22, text, 26, INK, "left", bold=newest)
    return Sprite(image, ground.coverage)
