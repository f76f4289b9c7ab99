"""The word game's table as a picture: teams and tokens above, then a row of three clue boards a message.

From top to bottom: the message being guessed, the round's other message, and the last one that is done.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from bot.render import fonts
from bot.render.canvas import Canvas, Pen, Point, Sprite, lettered, panel, sprite
from bot.render.marks import Mark, badge, draw_shape
from bot.render.palette import BOARD, CARD, GRAIN, GROUND, INK, NEUTRALS, QUIET, Palette
from bot.render.triangulation.telling import (
    MARKS,
    guessing_side,
    insider_of,
    numbered,
    outcome,
    seats_of,
    side_name,
    side_of,
    sides,
)
from bot.render.triangulation.texts import shown
from bot.words import Words
from rules.game import translatable
from rules.triangulation.actions import CLUE_NAMES
from rules.triangulation.deck import CATEGORY_TITLES
from rules.triangulation.state import Finished, Outcome, Try, Turn
from rules.triangulation.view import GuessingView, InsiderView, Table, Task, View

WIDTH = 1000
"""The picture's width in pixels; its height depends on what lies on the table."""
EDGE = 24
"""Bare ground around everything."""
GAP = 22
"""Between a message and the next."""
TEXT = 26
LEAST = 24
"""The smallest text."""

TOP = 176
"""Height of a team's panel."""
ROWS = EDGE + TOP + 70
"""Where the first message begins."""
HEAD = 50
"""Height of a message's first line."""
TRY = 44
"""Height of a line of guesses."""

BOARD_GAP = 20
BOARD_WIDTH = (WIDTH - 2 * EDGE - 2 * BOARD_GAP) // 3
TAB = 46
"""Diameter of the disc with a board's letter."""
INSET = 18
"""Bare margin within a board."""
LOW, TALLEST = 150, 420
"""Boards lower than the one, and none higher than the other."""
CLUE_SIZES = (64, 54, 46, 40, 34, 30, 27, LEAST)
"""Sizes of a clue's letters that are tried."""

RIGHT, WRONG = "#0E7A55", "#B3261E"
"""Grounds of the two verdicts; ✓ and ✗ stand on them."""
OPEN_EDGE = "#3F6C8F"
"""The frame of a clue board."""

Face = Literal["empty", "down", "open", "past"]
"""A board: nothing written yet, face down, flipped, shown only when the message was done."""


class ClueBoard(NamedTuple):
    """One clue board: its letter, its text where it is open."""

    letter: str
    face: Face
    text: str


Sign = Literal["right", "wrong", "none", "open"]
"""A verdict; none for what was passed or became void; still open."""

STROKES: Mapping[Sign, tuple[tuple[Point, ...], ...]] = {
    "right": (((10, 19), (16, 25), (27, 12)),),
    "wrong": (((12, 12), (24, 24)), ((24, 12), (12, 24))),
    "none": (((11, 18), (25, 18)),),
    "open": (),
}


class Line(NamedTuple):
    """A guess below the boards: its verdict, whose side, the text."""

    sign: Sign
    mark: Mark
    text: str


@dataclass(frozen=True)
class Row:
    """A message on the table: its first line, three boards, the guesses."""

    mark: Mark
    title: str
    detail: str
    note: str
    tokens: tuple[Mark, ...]
    boards: tuple[ClueBoard, ...]
    lines: tuple[Line, ...]
    least: int
    """Height of its boards, at the least."""
    most: int
    strong: bool = False

    @property
    def boards_height(self) -> int:
        """The boards are as high as the longest clue needs."""
        needed = max(_height_of(board.text) for board in self.boards)
        return min(max(self.least, needed), self.most)

    @property
    def height(self) -> int:
        """All of it, in pixels."""
        return HEAD + self.boards_height + math.ceil(len(self.lines) / 2) * TRY + (8 if self.lines else 0)


# -- The picture ---------------------------------------------------------------------------------------------------


def picture(view: View, words: Words, *, names: Sequence[str]) -> bytes:
    """The table as a PNG of `WIDTH` pixels and the height it needs. `names` are the players', by seat."""
    table = view.table
    rows = list(_rows(table, words, names))
    height = ROWS + sum(row.height + GAP for row in rows)
    canvas = Canvas(WIDTH, height, _palette())
    _draw_sides(canvas, table, words, names)
    _draw_round(canvas, table, words)
    top = ROWS
    for row in rows:
        _draw_row(canvas, row, top)
        top += row.height + GAP
    return canvas.encode()


# -- Teams ---------------------------------------------------------------------------------------------------------


def _draw_sides(canvas: Canvas, table: Table, words: Words, names: Sequence[str]) -> None:
    count = len(sides(table))
    width = (WIDTH - 2 * EDGE - (count - 1) * BOARD_GAP) // count
    for side in sides(table):
        left = EDGE + side * (width + BOARD_GAP)
        _draw_side(canvas, table, side, (left, EDGE, width), words, names)


def _draw_side(
    canvas: Canvas, table: Table, side: int, place: tuple[int, int, int], words: Words, names: Sequence[str]
) -> None:
    left, top, width = place
    mark = MARKS[side]
    acting = any(acting.seat in seats_of(table, side) for acting in table.acting)
    won = table.result is not None and bool(set(seats_of(table, side)) & set(table.result.winners))
    strong = acting or won
    fill = mark.tint if strong else CARD
    canvas.paste_at(panel(width, TOP, 22, fill, INK if strong else GRAIN, 5 if strong else 2), left, top)
    line = top + 44
    canvas.paste(badge(mark, 22), left + 42, line)
    tokens = _tokens(mark, table.scores[side], table.tokens, fill)
    inner = width - 40
    name = ("🏆 " if won else "") + side_name(table, side, words, names)
    if table.teams:
        canvas.paste_at(tokens, left + width - 20 - tokens.size[0], line - tokens.size[1] // 2)
        canvas.fitted(left + 76, line, name, inner - 66 - tokens.size[0], 32, INK, bold=True)
        _draw_members(canvas, table, side, (left + 22, line + 46, width - 44), words, names)
        return
    canvas.fitted(left + 76, line, name, width - 92, 32, INK, bold=True)
    canvas.paste_at(tokens, left + 20, line + 48 - tokens.size[1] // 2)
    canvas.fitted(left + 22, line + 94, _part(table, side, words), inner, TEXT, INK)


def _part(table: Table, seat: int, words: Words) -> str:
    """What one of three players is in this round."""
    if seat in table.gone:
        return words("has left")
    if table.result is not None:
        return words("won") if seat in table.result.winners else ""
    if seat == table.left:
        return words("left: opponent")
    return words("right: teammate") if seat == table.right else words("Insider")


def _draw_members(
    canvas: Canvas, table: Table, side: int, place: tuple[int, int, int], words: Words, names: Sequence[str]
) -> None:
    """The Insider on a line, then the others."""
    left, line, width = place
    insider = insider_of(table, side)
    others = [names[seat] for seat in seats_of(table, side) if seat not in table.gone]
    if insider is not None and insider.seat not in table.gone:
        others.remove(names[insider.seat])
        text = words("Insider: {name}", name=names[insider.seat])
        canvas.fitted(left, line, text, width, TEXT, INK, bold=True)
        line += 38
    canvas.wrapped(left, line, words.series(others), width, LEAST, INK, lines=2)


@lru_cache(maxsize=256)
def _tokens(mark: Mark, score: int, goal: int, fill: str) -> Sprite:
    """A side's mission tokens: those scored in its colour, the others still face down."""
    step, radius = 32, 13

    def draw(pen: Pen) -> None:
        for token in range(goal):
            middle = (token * step + radius + 1, radius + 1)
            if token < score:
                pen.circle(middle, radius, mark.colour, outline=INK, width=2.5)
                pen.circle(middle, radius * 0.42, CARD, outline=INK, width=2)
            else:
                pen.circle(middle, radius, fill, outline=QUIET, width=2.5)

    return sprite((goal - 1) * step + 2 * radius + 2, 2 * radius + 2, draw)


def _draw_round(canvas: Canvas, table: Table, words: Words) -> None:
    y = EDGE + TOP + 30
    width = canvas.text(EDGE + 4, y, words("Round {round}", round=table.round), 30, INK, bold=True)
    room = WIDTH - 2 * EDGE - width - 30
    canvas.fitted(WIDTH - EDGE - 4, y, _waiting(table, words), room, TEXT, QUIET, "right")


def _waiting(table: Table, words: Words) -> str:
    """What the table waits for, without names: these stand in the panels."""
    guessing = table.guessing
    if table.result is not None:
        return words("The game is over")
    if guessing is None:
        return words("Insiders choose and write") if table.insiders else words("Insiders wanted")
    if guessing.ruling is not None:
        return words("The Insider rules on a guess")
    if guessing.proposal is not None:
        return words("A guess is proposed")
    if guessing.must_flip:
        return words("The opponents flip a clue")
    if guessing.turn is Turn.OPPONENTS:
        return words("The opponents guess")
    return words("The teammates guess") if guessing.turn is Turn.TEAMMATES else words("Last chance to guess")


# -- What lies on the table ----------------------------------------------------------------------------------------


def _rows(table: Table, words: Words, names: Sequence[str]) -> Iterator[Row]:
    """The messages: the one being guessed, those to come, the last that is done."""
    if table.guessing is not None:
        yield _guessed_row(table, table.guessing, words, names)
    if table.result is None:
        for insider in sorted(table.insiders, key=lambda one: (one.number or 3, one.side)):
            if insider.task not in (Task.GUESSED, Task.FINISHED):
                yield _coming_row(table, insider, words, names)
        for side in range(len(table.teams)):
            if insider_of(table, side) is None:
                yield _wanted_row(table, side, words, names)
    if table.finished:
        yield _finished_row(table, table.finished[-1], words, names)


def _guessed_row(table: Table, guessing: GuessingView, words: Words, names: Sequence[str]) -> Row:
    lines = [_line(table, made, words, names) for made in guessing.tries]
    offer = guessing.ruling or guessing.proposal
    if offer is not None:
        text = words("passes") if offer.text is None else shown(offer.text, words)
        text = words("{name}: {guess}", name=names[offer.seat], guess=text)
        lines.append(Line("open", MARKS[side_of(table, offer.seat)], text))
    insider = next(one for one in table.insiders if one.seat == guessing.insider)
    return Row(
        mark=MARKS[guessing.side],
        title=numbered(guessing.number, names[guessing.insider], words, bool(table.teams)),
        detail=_category(insider, words),
        note=_guessing_note(table, guessing, words, names),
        tokens=(),
        boards=tuple(
            ClueBoard(CLUE_NAMES[at], "down" if clue is None else "open", "" if clue is None else shown(clue, words))
            for at, clue in enumerate(guessing.clues)
        ),
        lines=tuple(lines),
        least=190,
        most=TALLEST,
        strong=True,
    )


def _guessing_note(table: Table, guessing: GuessingView, words: Words, names: Sequence[str]) -> str:
    if guessing.ruling is not None:
        return words("{name} rules", name=names[guessing.insider])
    team = side_name(table, guessing_side(table, guessing), words, names)
    return words("{team} to flip", team=team) if guessing.must_flip else words("{team} to guess", team=team)


def _category(insider: InsiderView, words: Words) -> str:
    return "" if insider.category is None else words(CATEGORY_TITLES[insider.category])


def _line(table: Table, made: Try, words: Words, names: Sequence[str]) -> Line:
    sign: Sign = "right" if made.right else "none" if made.right is None or made.text is None else "wrong"
    text = words("passes") if made.text is None else shown(made.text, words)
    return Line(sign, MARKS[side_of(table, made.seat)], words("{name}: {guess}", name=names[made.seat], guess=text))


NOTES = {
    Task.CHOOSING: translatable("is choosing a message"),
    Task.WRITING: translatable("is writing clues"),
    Task.DONE: translatable("clues lie face down"),
}


def _coming_row(table: Table, insider: InsiderView, words: Words, names: Sequence[str]) -> Row:
    down = insider.task is Task.DONE
    name = names[insider.seat]
    if insider.number is None:
        title = words("{name}'s message", name=name)
    else:
        title = numbered(insider.number, name, words, bool(table.teams))
    least = 96 if table.guessing else 130
    return Row(
        mark=MARKS[insider.side],
        title=title,
        detail=_category(insider, words),
        note=words(NOTES[insider.task]),
        tokens=(),
        boards=tuple(ClueBoard(letter, "down" if down else "empty", "") for letter in CLUE_NAMES),
        lines=(),
        least=least,
        most=least,
    )


def _wanted_row(table: Table, side: int, words: Words, names: Sequence[str]) -> Row:
    return Row(
        mark=MARKS[side],
        title=side_name(table, side, words, names),
        detail="",
        note=words("needs an Insider"),
        tokens=(),
        boards=tuple(ClueBoard(letter, "empty", "") for letter in CLUE_NAMES),
        lines=(),
        least=130,
        most=130,
    )


def _finished_row(table: Table, done: Finished, words: Words, names: Sequence[str]) -> Row:
    return Row(
        mark=MARKS[done.side],
        title=shown(done.message, words),
        detail=words("{category} · {name}", category=words(CATEGORY_TITLES[done.category]), name=names[done.insider]),
        note=outcome(table, done, words, names),
        tokens=tuple(MARKS[side] for side in done.scorers),
        boards=tuple(
            ClueBoard(CLUE_NAMES[at], "open" if at in done.flipped else "past", shown(clue, words))
            for at, clue in enumerate(done.clues)
        ),
        lines=tuple(_line(table, made, words, names) for made in done.tries),
        least=104,
        most=140 if table.guessing is not None or table.result is None else TALLEST,
        strong=done.outcome is not Outcome.VOID and table.result is not None,
    )


# -- Drawing a message ---------------------------------------------------------------------------------------------


def _draw_row(canvas: Canvas, row: Row, top: int) -> None:
    y = top + 20
    if row.strong:
        canvas.paste_at(_stripe(row.mark.tint, row.height), 0, top - 10)
    canvas.paste(badge(row.mark, 19), EDGE + 24, y)
    right = WIDTH - EDGE - 4
    for token in reversed(row.tokens):
        canvas.paste(badge(token, 15), right - 18, y)
        right -= 46
    note = fonts.fit(row.note, 470, TEXT)
    right -= round(canvas.text(right, y, note.text, note.size, INK if row.strong else QUIET, "right")) + 24
    left = EDGE + 56
    room = right - left - (min(180, fonts.measure(row.detail, LEAST)) + 20 if row.detail else 0)
    left += round(canvas.fitted(left, y, row.title, max(room, 120), 32, INK, bold=True)) + 16
    if row.detail and right - left > 60:
        canvas.fitted(left, y + 2, row.detail, right - left, LEAST, QUIET)
    for at, board in enumerate(row.boards):
        _draw_board(canvas, board, EDGE + at * (BOARD_WIDTH + BOARD_GAP), top + HEAD, row.boards_height, row.mark)
    for at, line in enumerate(row.lines):
        _draw_line(canvas, line, EDGE + at % 2 * 480, top + HEAD + row.boards_height + 8 + at // 2 * TRY)


@lru_cache(maxsize=32)
def _stripe(tint: str, height: int) -> Sprite:
    """A band of a team's colour across the picture, behind the message in hand."""
    return panel(WIDTH, height + 16, 0, tint).on(GROUND)


def _draw_board(canvas: Canvas, board: ClueBoard, left: int, top: int, height: int, mark: Mark) -> None:
    canvas.paste_at(_board(board.face, height, board.letter, mark), left, top)
    if board.face in ("empty", "down"):
        return
    # On a low board the text stands beside the letter, on a high one below it.
    beside = TAB + 8 if height < LOW else 0
    below = 0 if beside else TAB - 8
    text = _set(board.text, BOARD_WIDTH - 2 * INSET - beside, height - below - 24)
    x = left + (BOARD_WIDTH + beside) / 2
    y = top + (height + below) / 2 - (len(text.lines) - 1) * text.size * fonts.LINE_HEIGHT / 2
    ink = INK if board.face == "open" else QUIET
    for line in text.lines:
        canvas.text(x, y, line, text.size, ink, "middle", bold=board.face == "open")
        y += text.size * fonts.LINE_HEIGHT


@lru_cache(maxsize=256)
def _board(face: Face, height: int, letter: str, mark: Mark) -> Sprite:
    """A clue board without its clue."""
    if face in ("empty", "down"):
        return _back(face, height, letter, mark)
    edge = (OPEN_EDGE, 5) if face == "open" else (GRAIN, 3)

    def draw(pen: Pen) -> None:
        pen.rounded((0, 0, BOARD_WIDTH, height), 18, CARD, outline=edge[0], width=edge[1])
        pen.circle((TAB / 2 + 10, TAB / 2 + 8), TAB / 2, edge[0] if face == "open" else BOARD)

    piece = sprite(BOARD_WIDTH, height, draw)
    return _with_letter(piece, letter, TAB / 2 + 10, TAB / 2 + 8, 30, CARD if face == "open" else INK)


def _back(face: Face, height: int, letter: str, mark: Mark) -> Sprite:
    """Face down: the back in the team's colour, three lines that meet in a point. Empty: a bare board."""
    middle = (BOARD_WIDTH / 2, height / 2)
    across, down = min(height, 0.4 * BOARD_WIDTH), height * 0.4

    def draw(pen: Pen) -> None:
        if face == "empty":
            pen.rounded((0, 0, BOARD_WIDTH, height), 18, BOARD, outline=GRAIN, width=3)
            return
        pen.rounded((0, 0, BOARD_WIDTH, height), 18, mark.colour, outline=INK, width=4)
        corners = [
            (middle[0] + across * math.cos(angle), middle[1] + down * math.sin(angle))
            for angle in (-math.pi / 2, math.pi / 6, 5 * math.pi / 6)
        ]
        for corner in corners:
            pen.line((middle, corner), mark.tint, 5)
        pen.circle(middle, 30, CARD, outline=INK, width=4)

    ink = QUIET if face == "empty" else INK
    return _with_letter(sprite(BOARD_WIDTH, height, draw), letter, *middle, 36, ink)


def _with_letter(piece: Sprite, letter: str, x: float, y: float, size: int, ink: str) -> Sprite:
    image = piece.image.copy()
    mask = fonts.mask(letter, size, True)
    image.paste(
        ink, (round(x - mask.width / 2) - mask.x, round(y + size * fonts.CAPITALS / 2) - mask.baseline), mask.image
    )
    return Sprite(image, piece.coverage)


def _draw_line(canvas: Canvas, line: Line, left: int, top: int) -> None:
    y = top + TRY // 2
    canvas.paste(_sign(line.sign), left + 20, y)
    canvas.paste(_small_mark(line.mark), left + 60, y)
    canvas.fitted(left + 84, y, line.text, 480 - 84 - 20, TEXT, INK)


@cache
def _small_mark(mark: Mark) -> Sprite:
    """A side's shape and colour, too small for its number."""
    return sprite(40, 40, lambda pen: draw_shape(pen, mark.shape, (20, 20), 12, mark.colour, INK, 2))


@cache
def _sign(sign: Sign) -> Sprite:
    """A verdict in a disc, drawn: not every font has them."""
    fill, ink = {"right": (RIGHT, CARD), "wrong": (WRONG, CARD), "none": (GRAIN, INK), "open": (INK, CARD)}[sign]

    def draw(pen: Pen) -> None:
        pen.circle((18, 18), 18, fill)
        for stroke in STROKES[sign]:
            pen.line(stroke, ink, 4.5)

    piece = sprite(36, 36, draw)
    return lettered(piece, "?", 26, ink) if sign == "open" else piece


# -- Setting a clue ------------------------------------------------------------------------------------------------


class Setting(NamedTuple):
    """A clue's lines and the size of its letters."""

    lines: tuple[str, ...]
    size: int


@lru_cache(maxsize=512)
def _set(text: str, width: float, height: float) -> Setting:
    """The clue as large as it fits so much room; cut where even the smallest letters are too large."""
    for size in CLUE_SIZES:
        room = max(1, int(height // (size * fonts.LINE_HEIGHT)))
        if fonts.measure(text, size) > width * room or _longest_word(text, size) > width:
            continue
        lines = fonts.wrap(text, width, size)
        if len(lines) <= room:
            return Setting(tuple(lines), size)
    most = max(1, int(height // (LEAST * fonts.LINE_HEIGHT)))
    return Setting(tuple(fonts.wrap(text, width, LEAST, most)), LEAST)


def _longest_word(text: str, size: int) -> float:
    """The width of the longest word that does not break; words of other scripts than Latin, Greek … may."""
    return max((fonts.measure(word, size) for word in text.split() if word[:1] < "\u2e80"), default=0)


@lru_cache(maxsize=512)
def _height_of(text: str) -> int:
    """How high a board must be for a clue in the smallest letters."""
    lines = len(fonts.wrap(text, BOARD_WIDTH - 2 * INSET, LEAST)) if text else 0
    return math.ceil(lines * LEAST * fonts.LINE_HEIGHT) + TAB + 18 if lines else 0


@cache
def _palette() -> Palette:
    flat = [*NEUTRALS, *(mark.colour for mark in MARKS), *(mark.tint for mark in MARKS), RIGHT, WRONG, OPEN_EDGE]
    edges = [(INK, colour) for colour in flat if colour != INK]
    edges += [(QUIET, colour) for colour in (GROUND, CARD, *(mark.tint for mark in MARKS))]
    edges += [(CARD, colour) for colour in (RIGHT, WRONG, OPEN_EDGE, *(mark.colour for mark in MARKS))]
    return Palette(flat, edges)
