"""The board of Triangulation chess as a picture: triangles, scales, pieces, and what has just happened."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise

from bot.render import fonts
from bot.render.canvas import Anchor, Canvas, Pen, Point, Sprite, lettered, sprite
from bot.render.chess.cards import draw_cards
from bot.render.chess.geometry import ROW, UNIT, Place, Viewpoint, ahead, between, places, side_behind, tabs
from bot.render.chess.geometry import board_corners as corners_of
from bot.render.chess.pieces import ARMIES, ON_BOARD, piece, pin
from bot.render.chess.telling import check_line, duty_line
from bot.render.chess.terms import GENERAL
from bot.render.palette import CARD, CHOICE, CHOICE_TINT, GROUND, INK, NEUTRALS, QUIET, Palette
from bot.words import Words
from rules.chess.actions import Pass, Rescue, text_of
from rules.chess.board import ALL, COLOURS, COLUMN_LETTERS, NAMES, RANK_LETTERS, SIDE, Triangle, is_black
from rules.chess.view import ChessView, Piece

WIDTH, HEIGHT = 1000, 1100
"""Of the picture, in pixels."""

BLACK = "#75634F"
WHITE = "#F8F2E4"
LAST = "#F2B824"
"""The last move."""
CHECK = "#E8541E"
"""Check: from the piece that gives it to the General."""

SCALES = (RANK_LETTERS, "12345678", COLUMN_LETTERS)
"""What stands on the tabs of Red's, Green's and Blue's rows."""

BADGE_BESIDE = 25
BADGE_BELOW = {True: 19, False: -14}
"""How far a pin is on the right of its piece's middle, the sign of a checkmate on the left, and how far below it in a
triangle that points up or down: where this is broadest, so that they leave the scales beside the board alone."""
NAME_SIZE = 24
CHOICE_SIZE = 28
"""The size of the names of what can be chosen."""
BAND = 36
"""The height of the broad side of a choice's frame, which bears its name."""
BESIDE_BAND, LIFT = 0.74, 29
"""The size of a piece in such a frame, and how far it makes way for the band, in pixels."""
NAME_DROP = 9
"""How far a name is from its triangle's middle, to where there is more room."""


@dataclass(frozen=True)
class Choices:
    """What a player can choose now, to be marked in their private picture."""

    triangles: Sequence[Triangle] = ()
    """Of which one is to be chosen: pieces to move, targets, places."""
    chosen: Sequence[Triangle] = ()
    """What they have chosen before: the piece, and where it goes."""
    all_named: bool = False
    """Whether the empty triangles bear their names."""


NO_CHOICES = Choices()
EVERY_NAME = Choices(all_named=True)


def picture(view: ChessView, words: Words, *, names: Sequence[str], choices: Choices = NO_CHOICES) -> bytes:
    """The board as a PNG of `WIDTH` by `HEIGHT` pixels, seen from `view.seat`. `names` are the players', by seat."""
    viewpoint = view.viewpoint
    canvas = Canvas.on(_ground(viewpoint))
    _draw_last(canvas, view)
    _draw_checks(canvas, view)
    _draw_choices(canvas, viewpoint, choices)
    if choices.all_named:
        _draw_names(canvas, view)
    # From the top down, so that what is nearer stands before what is farther.
    for each in sorted(view.pieces, key=lambda each: places(viewpoint)[each.triangle].middle[1]):
        _draw_piece(canvas, view, each, choices)
    _draw_badges(canvas, view, choices)
    _draw_notes(canvas, view, words)
    draw_cards(canvas, view, words, names)
    return canvas.encode()


def diagram(view: ChessView, choices: Choices) -> bytes:
    """The board alone as a PNG, with what is marked: for pages of rules."""
    canvas = Canvas.on(_ground(view.viewpoint))
    _draw_choices(canvas, view.viewpoint, choices)
    if choices.all_named:
        _draw_names(canvas, view)
    for each in view.pieces:
        _draw_piece(canvas, view, each, choices)
    canvas.image = canvas.image.crop((0, NOTES_FROM - 30, WIDTH, HEIGHT))
    return canvas.encode()


# -- What has happened ----------------------------------------------------------------------------------------------


def _draw_last(canvas: Canvas, view: ChessView) -> None:
    """The triangles of the last move framed, and dots on the way from one to the other."""
    if view.last is None or isinstance(view.last.action, Pass):
        return
    action, here = view.last.action, places(view.viewpoint)
    for triangle in {action.start, action.target, *_rescue_places(action)}:
        canvas.paste(_frame(here[triangle].up, LAST), *_box_middle(here[triangle]))
    _draw_way(canvas, here[action.start].middle, here[action.target].middle, LAST)
    if isinstance(action, Rescue):
        _draw_way(canvas, here[action.target].middle, here[action.retreat].middle, LAST)


def _rescue_places(action: object) -> tuple[Triangle, ...]:
    if not isinstance(action, Rescue):
        return ()
    return (action.retreat,) if action.companion is None else (action.retreat, action.companion)


def _draw_checks(canvas: Canvas, view: ChessView) -> None:
    here = places(view.viewpoint)
    for check in view.checks:
        canvas.paste(_frame(here[check.general].up, CHECK), *_box_middle(here[check.general]))
        for attacker in check.attackers:
            _draw_way(canvas, here[attacker].middle, here[check.general].middle, CHECK)


STRIDE = 19
"""Pixels from one dot of a way to the next."""


def _draw_way(canvas: Canvas, start: Point, end: Point, colour: str) -> None:
    """Dots from one triangle's middle to another's, and a head near the end."""
    length = math.dist(start, end)
    right, down = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    dot = _dot(colour)
    for step in range(1, int((length - 34) / STRIDE)):
        canvas.paste(dot, start[0] + right * step * STRIDE, start[1] + down * step * STRIDE)
    angle = round(math.degrees(math.atan2(-down, right)) / 5) * 5
    canvas.paste(_head(colour, angle), end[0] - right * 34, end[1] - down * 34)


def _draw_badges(canvas: Canvas, view: ChessView, choices: Choices) -> None:
    """A sign on the Generals of the checkmated."""
    marked = {mark.player for mark in view.checkmated}
    for each in view.pieces:
        if each.kind == GENERAL and each.owner in marked:
            x, y = _stand(view, each.triangle, choices)
            canvas.paste(_mate(), x - BADGE_BESIDE, y + BADGE_BELOW[places(view.viewpoint)[each.triangle].up])


# -- The pieces ------------------------------------------------------------------------------------------------------


def _draw_piece(canvas: Canvas, view: ChessView, each: Piece, choices: Choices) -> None:
    x, y = _stand(view, each.triangle, choices)
    size = BESIDE_BAND if each.triangle in choices.triangles else ON_BOARD
    canvas.paste(piece(each.kind, each.owner, size), x, y)
    if each.owner != each.colour:
        down = BADGE_BELOW[places(view.viewpoint)[each.triangle].up]
        canvas.paste(pin(each.colour, ahead(view.viewpoint, each.colour)), x + BADGE_BESIDE, y + down)


def _stand(view: ChessView, triangle: Triangle, choices: Choices) -> Point:
    """Where the middle of a piece is: that of its triangle, but for one that can be chosen, which makes way."""
    place = places(view.viewpoint)[triangle]
    x, y = place.middle
    if triangle not in choices.triangles:
        return x, y
    return x, y - LIFT if place.up else y + LIFT


def _draw_names(canvas: Canvas, view: ChessView) -> None:
    taken = {each.triangle for each in view.pieces}
    for triangle in ALL:
        if triangle not in taken:
            place = places(view.viewpoint)[triangle]
            x, y = place.middle[0], place.middle[1] + (NAME_DROP if place.up else -NAME_DROP)
            colour = CARD if is_black(triangle) else QUIET
            canvas.text(x, y, NAMES[triangle], NAME_SIZE, colour, "middle")


# -- What can be chosen ----------------------------------------------------------------------------------------------


def _draw_choices(canvas: Canvas, viewpoint: Viewpoint, choices: Choices) -> None:
    here = places(viewpoint)
    for triangle in choices.chosen:
        canvas.paste(_filled(here[triangle].up), *_box_middle(here[triangle]))
    for triangle in choices.triangles:
        place = here[triangle]
        canvas.paste(_frame(place.up, CHOICE, BAND), *_box_middle(place))
        x, y = place.middle
        below = ROW / 3 - BAND / 2
        canvas.text(x, y + (below if place.up else -below), NAMES[triangle], CHOICE_SIZE, CARD, "middle", bold=True)


# -- Beside the board ------------------------------------------------------------------------------------------------

NOTE_WIDTH = 320
NOTES_FROM = 264
"""Where the notes begin in everybody's view, in the free corners above the board."""
NOTES_TO = HEIGHT - 26
"""Where they end in a player's view, in the free corners below it."""


def _draw_notes(canvas: Canvas, view: ChessView, words: Words) -> None:
    """In the corners that the board leaves free: the last move; check, and what must be done."""
    if view.last is not None:
        _draw_note(canvas, view, words("Last move"), [text_of(view.last.action)], 26, "left")
    checks = [check_line(view, check, words, fonts.NO_BREAK_SPACE) for check in view.checks]
    duty = duty_line(view, words)
    if checks or duty:
        _draw_note(canvas, view, words("Check"), [*([duty] if duty else []), *checks], WIDTH - 26, "right")


def _draw_note(canvas: Canvas, view: ChessView, title: str, texts: Sequence[str], x: int, anchor: Anchor) -> None:
    lines = [line for text in texts for line in fonts.wrap(text, NOTE_WIDTH, NOTE_SIZE)]
    y = NOTES_FROM if view.viewpoint is None else NOTES_TO - len(lines) * NOTE_LINE
    canvas.text(x, y, title, NAME_SIZE, QUIET, anchor)
    for line in lines:
        y += NOTE_LINE
        canvas.text(x, y, line, NOTE_SIZE, INK, anchor, bold=True)


NOTE_SIZE, NOTE_LINE = 28, 38


# -- Kept pieces -----------------------------------------------------------------------------------------------------


@cache
def _palette() -> Palette:
    armies = [mark.colour for mark in ARMIES]
    flat = [*NEUTRALS, BLACK, WHITE, *armies, *(mark.tint for mark in ARMIES), LAST, CHECK, CHOICE, CHOICE_TINT]
    edges = [(INK, colour) for colour in flat if colour != INK]
    edges += [(CARD, colour) for colour in (*armies, BLACK, WHITE, LAST, CHECK, CHOICE)]
    edges += [(BLACK, colour) for colour in (WHITE, LAST, CHECK, CHOICE, CHOICE_TINT, GROUND)]
    edges += [(WHITE, colour) for colour in (*armies, LAST, CHECK, CHOICE, QUIET)]
    edges += [(QUIET, GROUND)]
    return Palette(flat, edges)


@cache
def _ground(viewpoint: Viewpoint) -> Canvas:
    """The bare board with its scales. All corners lie on whole pixels, so that a few small pieces make it."""
    canvas = Canvas(WIDTH, HEIGHT, _palette())
    corners = corners_of(viewpoint)
    for colour in COLOURS:
        all_tabs = tabs(viewpoint, colour)
        _repeat(canvas, [tab.corners for tab in all_tabs], partial(_draw_tab, colour))
        for tab, label in zip(all_tabs, SCALES[colour], strict=True):
            canvas.text(*tab.middle, label, 30, INK, "middle", bold=True)
    for start, end in pairwise((*corners, corners[0])):
        way = [between(start, end, row / SIDE) for row in range(SIDE + 1)]
        _repeat(canvas, list(pairwise(way)), _draw_border)
    canvas.polygon(corners, BLACK)
    _repeat(canvas, [places(viewpoint)[each].corners for each in ALL if not is_black(each)], _draw_white)
    return canvas


def _repeat(canvas: Canvas, shapes: Sequence[Sequence[Point]], draw: Callable[[Pen, Sequence[Point]], None]) -> None:
    """Draws the first of equal shapes, and pastes it for each of them: their first points are whole pixels apart."""
    first = shapes[0]
    left, top = (math.floor(min(point[axis] for point in first)) - MARGIN for axis in (0, 1))
    width, height = (
        math.ceil(max(point[axis] for point in first)) + MARGIN - edge for axis, edge in ((0, left), (1, top))
    )
    made = sprite(width, height, lambda pen: draw(pen, [(x - left, y - top) for x, y in first]))
    for shape in shapes:
        right, down = shape[0][0] - first[0][0], shape[0][1] - first[0][1]
        canvas.paste(made, left + width / 2 + right, top + height / 2 + down)


MARGIN = 6
"""Around a shape, for the line along its sides, in pixels."""


def _draw_tab(colour: int, pen: Pen, corners: Sequence[Point]) -> None:
    pen.polygon(corners, ARMIES[colour].tint, outline=CARD, width=4)


def _draw_border(pen: Pen, ends: Sequence[Point]) -> None:
    pen.line(ends, INK, 9)


def _draw_white(pen: Pen, corners: Sequence[Point]) -> None:
    """A white triangle, whose corners are in the order of the colours they point away from, and its three bars."""
    one, two, three = corners
    place = Place((one, two, three), (sum(x for x, _ in corners) / 3, sum(y for _, y in corners) / 3), up=True)
    pen.polygon(corners, WHITE)
    for colour in COLOURS:
        _draw_bar(pen, place, colour)


def _draw_bar(pen: Pen, place: Place, colour: int) -> None:
    """The bar along the side of a white triangle that lies behind for a colour."""
    ends = side_behind(place, colour)
    outer = [_inset(place, end, BAR_FROM) for end in ends]
    inner = [_inset(place, end, BAR_TO) for end in ends]
    pen.polygon([outer[0], outer[1], inner[1], inner[0]], ARMIES[colour].colour)


BAR_FROM, BAR_TO = 3.0, 10.0
"""From a triangle's sides to a bar's, in pixels."""


def _inset(place: Place, corner: Point, depth: float) -> Point:
    """The corner of a triangle that lies so many pixels inside."""
    share = depth / (ROW / 3)
    return tuple(at + (middle - at) * share for at, middle in zip(corner, place.middle, strict=True))  # type: ignore[return-value]


def _box_middle(place: Place) -> Point:
    """The middle of the box around a triangle, where its frame is pasted."""
    heights = [y for _, y in place.corners]
    return place.middle[0], (min(heights) + max(heights)) / 2


def _upright(up: bool) -> Place:
    """A triangle alone in its box."""
    base, tip = (ROW, 0) if up else (0, ROW)
    corners = ((0.0, base), (UNIT / 2, tip), (float(UNIT), base))
    return Place(corners, (UNIT / 2, ROW * (2 if up else 1) / 3), up)


LINE = 12.0
"""The breadth of a frame."""


@cache
def _frame(up: bool, colour: str, level: float = LINE) -> Sprite:
    """A thick frame within a triangle; `level` is the breadth of its level side."""
    place = _upright(up)

    def draw(pen: Pen) -> None:
        for outer, inner, ink in ((0.0, 0.0, INK), (2.0, 1.5, colour)):
            outside = _within(place, outer, outer)
            inside = _within(place, LINE - inner, level - inner)
            for start, end in ((0, 1), (1, 2), (2, 0)):
                pen.polygon([outside[start], outside[end], inside[end], inside[start]], ink)

    return sprite(UNIT, ROW, draw)


def _within(place: Place, slanted: float, level: float) -> tuple[Point, Point, Point]:
    """The corners of a triangle inside another, so far from its slanted sides and from its level one."""
    (left, base), (tip, top), (right, _) = place.corners
    lean = UNIT / 2 / ROW
    reach = slanted * math.hypot(1, lean)
    towards = 1 if top > base else -1
    base, top = base + towards * level, top - towards * reach / lean
    across = level * lean + reach
    return (left + across, base), (tip, top), (right - across, base)


@cache
def _filled(up: bool) -> Sprite:
    """A triangle that has been chosen."""
    place = _upright(up)

    def draw(pen: Pen) -> None:
        for depth, ink in ((0.0, CHOICE), (8.0, CHOICE_TINT)):
            pen.polygon([_inset(place, corner, depth) for corner in place.corners], ink)

    return sprite(UNIT, ROW, draw)


@cache
def _dot(colour: str) -> Sprite:
    return sprite(14, 14, lambda pen: pen.circle((7, 7), 7, colour, outline=INK, width=2))


@cache
def _head(colour: str, angle: int) -> Sprite:
    """The head of an arrow."""

    def turned(along: float, across: float) -> Point:
        turn = math.radians(angle)
        return (
            22 + along * math.cos(turn) + across * math.sin(turn),
            22 - along * math.sin(turn) + across * math.cos(turn),
        )

    corners = [turned(15, 0), turned(-9, 12), turned(-4, 0), turned(-9, -12)]

    def draw(pen: Pen) -> None:
        pen.polygon(corners, INK, outline=INK, width=5)
        pen.polygon(corners, colour)

    return sprite(44, 44, draw)


@cache
def _mate() -> Sprite:
    """The sign of a checkmated General."""
    disc = sprite(36, 36, lambda pen: pen.circle((18, 18), 17, CHECK, outline=INK, width=3))
    return lettered(disc, "#", 25, INK)
