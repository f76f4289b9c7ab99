"""Triggle's board as a picture and in words."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from bot.render import ALT_LENGTH, TEXT_LENGTH
from bot.render.canvas import Anchor, Canvas, Pen, Point, Sprite, lettered, panel, sprite
from bot.render.descriptions import within
from bot.render.marks import COLOURS, Mark, draw_shape, draw_stroke
from bot.render.palette import BOARD, CARD, CHOICE, CHOICE_TINT, GRAIN, GROUND, INK, NEUTRALS, QUIET, Palette, mix
from bot.render.seats import Fact, Seat, Standing, draw_seats, line_icon
from bot.words import Words
from rules.triggle.board import BAND_PEGS, board
from rules.triggle.parts import COLOURS as COLOUR_NAMES
from rules.triggle.parts import View

SIZE = 1000
"""Width and height of the picture in pixels."""
STRIP = (24, 14, SIZE - 24, 186)
MIDDLE = (SIZE // 2, 594)
"""Where the middle of the board is."""

REACH = 438
"""From the middle to a corner of the board."""
ROUND = 30
"""The board is wider all around by half of this, which rounds its corners."""
EDGE = 7
"""How much of the board's thickness shows."""


class Look(NamedTuple):
    """Measures of a board in pixels."""

    unit: int
    """Between two neighbouring pegs; even, so that every peg stands on a whole pixel."""
    row: int
    """Between two rows of pegs."""
    peg: int
    """A peg's radius."""
    letter: int
    """The size of a peg's name."""
    band: int
    """The width of a band alone on its line."""
    badge: int
    """The radius of the mark on a piece."""


LOOKS: Mapping[int, Look] = {
    4: Look(unit=136, row=118, peg=28, letter=29, band=16, badge=21),
    5: Look(unit=102, row=88, peg=23, letter=25, band=14, badge=16),
    6: Look(unit=82, row=71, peg=19, letter=24, band=12, badge=15),
}
"""By the pegs on a side."""

FULL_NAMES = (4, 5)
"""Boards whose pegs have room for the whole name; on others they show the number, the letter is beside the row."""

MARGIN = 28
"""Room around a band's sprite, for its width and its glow."""

LANE_WIDTHS = {1: 1.0, 2: 0.8, 3: 0.66}
"""A band's width where so many lie beside each other on a line, to its width alone. More than three never do: bands of
three segments each, no two over the same pegs."""

FRESH = 0.2
"""How far the fill of a triangle just closed is from the full colour to white."""


@dataclass(frozen=True)
class Choices:
    """What a player can choose now, to be marked in their private picture. All by name."""

    rows: Sequence[str] = ()
    """Letters of rows."""
    pegs: Sequence[str] = ()
    """Pegs, of which one is to be chosen."""
    start: str | None = None
    """The peg chosen as one end; `pegs` are then the possible other ends."""


NO_CHOICES = Choices()


# -- The picture ---------------------------------------------------------------------------------------------------


def picture(view: View, words: Words, *, names: Sequence[str], choices: Choices = NO_CHOICES) -> bytes:
    """The board as a PNG of `SIZE` pixels square, the choices marked. `names` are the players', by seat."""
    canvas = Canvas.on(_ground(view.side))
    _draw_corners(canvas, view, words)
    _draw_rows_to_choose(canvas, view.side, choices)
    _draw_triangles(canvas, view)
    lanes = _lanes(view.side, [placed.band for placed in view.bands])
    _draw_glow(canvas, view, lanes)
    _draw_pieces(canvas, view)
    _draw_bands(canvas, view, lanes)
    _draw_ways(canvas, view.side, choices)
    _draw_pegs(canvas, view, choices)
    draw_seats(canvas, STRIP, [_seat(view, seat, names[seat]) for seat in view.seats], words)
    return canvas.encode()


def _seat(view: View, seat: int, name: str) -> Seat:
    mark = COLOURS[view.colours[seat]]
    facts = [Fact(line_icon(mark), str(view.bands_left[seat]))]
    if view.pieces_left is not None:
        facts.append(Fact(_piece_icon(mark), str(view.pieces_left[seat])))
    return Seat(mark, name, str(view.scores[seat]), _standing(view, seat), tuple(facts))


def _standing(view: View, seat: int) -> Standing:
    if view.result is not None and seat in view.result.winners:
        return "won"
    if seat in view.left:
        return "out"
    return "to_act" if seat in view.to_act else "waiting"


def _draw_corners(canvas: Canvas, view: View, words: Words) -> None:
    """In the lower corners, beside the board: the last band, and how many are legal."""
    if view.last is not None:
        _draw_corner(canvas, 30, words("Last band"), view.last.band, "left")
    if view.to_act:
        _draw_corner(canvas, SIZE - 30, words("Bands possible"), str(len(view.legal)), "right")


def _draw_corner(canvas: Canvas, x: int, title: str, text: str, anchor: Anchor) -> None:
    canvas.fitted(x, SIZE - 72, title, 200, 24, QUIET, anchor)
    canvas.text(x, SIZE - 36, text, 34, INK, anchor, bold=True)


def _draw_rows_to_choose(canvas: Canvas, side: int, choices: Choices) -> None:
    for row in choices.rows:
        first, last = _row_ends(side, row)
        width = round(last[0] - first[0])
        stripe = panel(width, 2 * LOOKS[side].peg + 14, LOOKS[side].peg + 7, CHOICE_TINT, CHOICE, 3)
        canvas.paste(stripe, (first[0] + last[0]) / 2, first[1])
        for x, y in (first, last):
            canvas.paste(_row_pill(row), x, y)
        for name in board(side).rows[row]:
            canvas.paste(_peg(side, name, "free"), *_pegs(side)[name])


def _draw_triangles(canvas: Canvas, view: View) -> None:
    """The triangles with a piece in their owners' colours, stronger where the last band closed them."""
    for piece in view.pieces:
        mark = COLOURS[view.colours[piece.seat]]
        colour = mix(mark.colour, CARD, FRESH) if piece.triangle in view.closed else mark.tint
        canvas.polygon(_triangles(view.side)[piece.triangle].corners, colour)


def _draw_glow(canvas: Canvas, view: View, lanes: Mapping[str, "Lane"]) -> None:
    if view.last is None:
        return
    place = _bands(view.side)[view.last.band]
    for middle in place.middles:
        canvas.paste(_glow(view.side, place.direction, lanes[view.last.band]), *middle)


def _draw_pieces(canvas: Canvas, view: View) -> None:
    for piece in view.pieces:
        mark = COLOURS[view.colours[piece.seat]]
        place = _triangles(view.side)[piece.triangle]
        canvas.paste(_piece(view.side, mark, piece.triangle in view.closed), *place.middle)


def _draw_bands(canvas: Canvas, view: View, lanes: Mapping[str, "Lane"]) -> None:
    for placed in view.bands:
        place = _bands(view.side)[placed.band]
        segment = _segment(view.side, place.direction, COLOURS[view.colours[placed.seat]], lanes[placed.band])
        for middle in place.middles:
            canvas.paste(segment, *middle)


def _draw_ways(canvas: Canvas, side: int, choices: Choices) -> None:
    """The bands that the chosen peg and each possible other end would make."""
    if choices.start is None:
        return
    for end in choices.pegs:
        name = board(side).other_ends[choices.start][end]
        place = _bands(side)[name]
        for middle in place.middles:
            canvas.paste(_way(side, place.direction), *middle)
        for peg in board(side).bands[name].pegs:
            canvas.paste(_peg(side, peg, "free"), *_pegs(side)[peg])


def _draw_pegs(canvas: Canvas, view: View, choices: Choices) -> None:
    this, places = board(view.side), _pegs(view.side)
    for name in dict.fromkeys(peg for placed in view.bands for peg in this.bands[placed.band].pegs):
        canvas.paste(_peg(view.side, name, "touched"), *places[name])
    if view.last is not None:
        pegs = this.bands[view.last.band].pegs
        mark = COLOURS[view.colours[view.last.seat]]
        for name in (pegs[0], pegs[-1]):
            canvas.paste(_last_end(view.side, name, mark), *places[name])
    for name in choices.pegs:
        canvas.paste(_peg(view.side, name, "choice"), *places[name])
    if choices.start is not None:
        canvas.paste(_peg(view.side, choices.start, "start"), *places[choices.start])


# -- In words ------------------------------------------------------------------------------------------------------


def alt(view: View, words: Words, names: Sequence[str]) -> str:
    """The position's essentials in at most `ALT_LENGTH` characters."""
    return within(
        ALT_LENGTH,
        names,
        lambda these: _sentences([*_now(view, words, these), *_last(view, words, these)]),
        lambda these: _sentences(_now(view, words, these)),
    )


def as_text(view: View, words: Words, names: Sequence[str]) -> str:
    """The whole board in words, in markdown, at most `TEXT_LENGTH` characters.

    Names stand in it as given: escape their markdown before. What does not fit is left out from the end, the list of
    possible bands first.
    """
    return within(
        TEXT_LENGTH,
        names,
        *(lambda these, extent=extent: "\n".join(_told(view, words, these, extent)) for extent in (2, 1, 0)),
    )


def _told(view: View, words: Words, names: Sequence[str], extent: int) -> list[str]:
    rows = list(board(view.side).rows)
    lines = [
        words(
            "Rows run from {first} at the top to {last} at the bottom; pegs count from the left.",
            first=rows[0],
            last=rows[-1],
        ),
        _sentences([*_now(view, words, names), *_last(view, words, names)]),
    ]
    if view.options.goal == "fewest":
        lines.append(words("The fewest pieces win."))
    for seat in view.seats:
        lines += _told_seat(view, words, names, seat)
    if extent >= 1 and view.to_act:
        lines += _told_openings(view, words)
    if view.to_act:
        possible = words.many("{count} band possible", "{count} bands possible", len(view.legal))
        lines.append(_entry(words, possible, ", ".join(view.legal)) if extent >= 2 else f"**{possible}**")
    return lines


def _told_seat(view: View, words: Words, names: Sequence[str], seat: int) -> list[str]:
    left = [words.many("{count} band left", "{count} bands left", view.bands_left[seat])]
    if view.pieces_left is not None:
        left.append(words.many("{count} piece left", "{count} pieces left", view.pieces_left[seat]))
    if seat in view.left:
        left = [words("has left the game")]
    lines = [_entry(words, _named(view, words, names, seat), words.series(left))]
    bands = [placed.band for placed in view.bands if placed.seat == seat]
    triangles = [piece.triangle for piece in view.pieces if piece.seat == seat]
    if bands:
        lines.append("- " + words("Bands: {bands}", bands=", ".join(bands)))
    if triangles:
        lines.append("- " + words("Triangles: {triangles}", triangles=", ".join(triangles)))
    return lines


def _told_openings(view: View, words: Words) -> list[str]:
    """The triangles that lack one side, with the side."""
    this = board(view.side)
    covered = {segment for placed in view.bands for segment in this.bands[placed.band].segments}
    openings = []
    for triangle in this.triangles.values():
        bare = [segment for segment in triangle.segments if segment not in covered]
        if len(bare) == 1:
            openings.append(f"{triangle.name} ({'-'.join(this.segments[bare[0]])})")
    if not openings:
        return []
    return [_entry(words, words("Triangles that lack one side"), ", ".join(openings))]


def _entry(words: Words, title: str, value: str) -> str:
    return words("{title}: {value}", title=f"**{title}**", value=value)


def _sentences(sentences: Iterable[str]) -> str:
    """Sentences in a row. Chinese has no space after its full stop."""
    return " ".join(sentences).replace("。 ", "。")


def _now(view: View, words: Words, names: Sequence[str]) -> list[str]:
    """Whose turn it is or who won, and the scores, in sentences."""
    if view.result is not None:
        winners = words.series(_named(view, words, names, seat) for seat in view.result.winners)
        now = words("The game is over. Winner: {names}.", names=winners)
    else:
        now = words("To play: {name}.", name=_named(view, words, names, view.to_act[0]))
    scores = words.series(
        words("{name} {score}", name=_named(view, words, names, seat), score=view.scores[seat]) for seat in view.seats
    )
    return [now, words("Pieces: {scores}.", scores=scores)]


def _last(view: View, words: Words, names: Sequence[str]) -> list[str]:
    if view.last is None:
        return [words("No band has been placed yet.")]
    name = names[view.last.seat]
    if not view.closed:
        return [words("Last band: {band} by {name}.", band=view.last.band, name=name)]
    return [
        words.many(
            "Last band: {band} by {name}, which closed {count} triangle.",
            "Last band: {band} by {name}, which closed {count} triangles.",
            len(view.closed),
            band=view.last.band,
            name=name,
        )
    ]


def _named(view: View, words: Words, names: Sequence[str], seat: int) -> str:
    return words("{name} ({colour})", name=names[seat], colour=words(COLOUR_NAMES[view.colours[seat]]))


# -- Where things are ----------------------------------------------------------------------------------------------


class TrianglePlace(NamedTuple):
    """A triangle's corners in the picture, and where its piece stands."""

    corners: tuple[Point, ...]
    middle: Point


class BandPlace(NamedTuple):
    """The middles of a band's three segments, which way they run, and where on which line."""

    middles: tuple[Point, ...]
    direction: int
    """0 to the right, 1 down to the right, 2 down to the left."""
    line: int
    start: int


@cache
def _pegs(side: int) -> dict[str, tuple[int, int]]:
    look = LOOKS[side]
    return {
        name: (MIDDLE[0] + round(peg.x * look.unit), MIDDLE[1] + peg.r * look.row)
        for name, peg in board(side).pegs.items()
    }


@cache
def _row_ends(side: int, row: str) -> tuple[Point, Point]:
    """Where the letters at a row's two ends stand."""
    pegs = board(side).rows[row]
    (left, y), (right, _) = _pegs(side)[pegs[0]], _pegs(side)[pegs[-1]]
    away = REACH + ROUND / 2 - (side - 1) * LOOKS[side].unit + 22
    return (left - away, y), (right + away, y)


@cache
def _triangles(side: int) -> dict[str, TrianglePlace]:
    pegs = _pegs(side)
    return {
        name: TrianglePlace(
            tuple(pegs[peg] for peg in triangle.pegs),
            (sum(pegs[peg][0] for peg in triangle.pegs) / 3, sum(pegs[peg][1] for peg in triangle.pegs) / 3),
        )
        for name, triangle in board(side).triangles.items()
    }


@cache
def _bands(side: int) -> dict[str, BandPlace]:
    this, pegs = board(side), _pegs(side)
    line_of = {
        segment: (number, line.first_segment)
        for number, line in enumerate(this.lines)
        for segment in range(line.first_segment, line.first_segment + len(line.pegs) - 1)
    }
    places = {}
    for name, band in this.bands.items():
        (x, y), (next_x, next_y) = pegs[band.pegs[0]], pegs[band.pegs[1]]
        direction = 0 if y == next_y else 1 if next_x > x else 2
        middles = tuple(
            ((pegs[one][0] + pegs[other][0]) / 2, (pegs[one][1] + pegs[other][1]) / 2)
            for one, other in (this.segments[segment] for segment in band.segments)
        )
        line, first = line_of[band.segments[0]]
        places[name] = BandPlace(middles, direction, line, band.segments[0] - first)
    return places


class Lane(NamedTuple):
    """The place of a band among those that lie beside each other on a line."""

    number: int
    of: int


def _lanes(side: int, bands: Iterable[str]) -> dict[str, Lane]:
    """A lane for every band: bands that overlap lie beside each other, and bands alone in the middle of the line."""
    lines: dict[int, list[tuple[int, str]]] = {}
    for band in bands:
        place = _bands(side)[band]
        lines.setdefault(place.line, []).append((place.start, band))
    lanes: dict[str, Lane] = {}
    for line in lines.values():
        line.sort()
        for cluster in _clusters(line):
            lanes.update(_cluster_lanes(cluster))
    return lanes


def _clusters(line: Sequence[tuple[int, str]]) -> list[list[tuple[int, str]]]:
    """The bands of a line, in order, parted where no band reaches from one to the next."""
    clusters: list[list[tuple[int, str]]] = []
    for start, band in line:
        if clusters and start < clusters[-1][-1][0] + BAND_PEGS - 1:
            clusters[-1].append((start, band))
        else:
            clusters.append([(start, band)])
    return clusters


def _cluster_lanes(cluster: Sequence[tuple[int, str]]) -> dict[str, Lane]:
    ends: list[int] = []
    numbers: dict[str, int] = {}
    for start, band in cluster:
        lane = next((lane for lane, end in enumerate(ends) if end <= start), len(ends))
        ends[lane : lane + 1] = [start + BAND_PEGS - 1]
        numbers[band] = lane
    return {band: Lane(number, len(ends)) for band, number in numbers.items()}


# -- Kept pieces ---------------------------------------------------------------------------------------------------


@cache
def _palette() -> Palette:
    marks = [COLOURS[name] for name in ("blue", "green", "yellow", "orange")]
    fresh = [mix(mark.colour, CARD, FRESH) for mark in marks]
    strong = [mark.colour for mark in marks] + [CHOICE, CHOICE_TINT]
    light = [mark.tint for mark in marks] + fresh
    flat = [*NEUTRALS, *strong, *light]
    edges = [(INK, colour) for colour in flat if colour != INK]
    edges += [(CARD, colour) for colour in strong]
    edges += [(QUIET, colour) for colour in (GROUND, BOARD)]
    return Palette(flat, edges)


@cache
def _ground(side: int) -> Canvas:
    """The bare board with all pegs and the rows' letters."""
    canvas = Canvas(SIZE, SIZE, _palette())
    canvas.paste(sprite(SIZE, SIZE, lambda pen: _draw_wood(pen, side)), SIZE / 2, SIZE / 2)
    for row in board(side).rows:
        for x, y in _row_ends(side, row):
            canvas.text(x, y, row, 28, QUIET, "middle", bold=True)
    for name, place in _pegs(side).items():
        canvas.paste(_peg(side, name, "free"), *place)
    return canvas


def _draw_wood(pen: Pen, side: int) -> None:
    pegs = _pegs(side)
    pen.polygon(_hexagon(EDGE), GRAIN, outline=GRAIN, width=ROUND)
    pen.polygon(_hexagon(0), BOARD, outline=BOARD, width=ROUND)
    for one, other in board(side).segments:
        pen.line((pegs[one], pegs[other]), GRAIN, 4)


def _hexagon(lower: int) -> list[Point]:
    """The board's corners, so many pixels lower than it lies."""
    angles = [math.radians(angle) for angle in range(0, 360, 60)]
    return [(MIDDLE[0] + REACH * math.cos(angle), MIDDLE[1] + lower + REACH * math.sin(angle)) for angle in angles]


@cache
def _peg(side: int, name: str, kind: str) -> Sprite:
    fill, edge, ink, wider = {
        "free": (GROUND, QUIET, INK, 0),
        "touched": (INK, INK, CARD, 0),
        "choice": (CHOICE, CARD, CARD, 5),
        "start": (CARD, CHOICE, CHOICE, 5),
    }[kind]
    look = LOOKS[side]
    radius = look.peg + wider
    half = radius + 2
    disc = sprite(
        2 * half,
        2 * half,
        lambda pen: pen.circle((half, half), radius, fill, outline=edge, width=5 if wider else 3),
    )
    text = name if side in FULL_NAMES else name[1:]
    return lettered(disc, text, look.letter, ink, bold=kind != "free")


@cache
def _last_end(side: int, name: str, mark: Mark) -> Sprite:
    """An end of the last band: its peg in a ring of the owner's colour."""
    look = LOOKS[side]
    half = look.peg + 9

    def draw(pen: Pen) -> None:
        pen.circle((half, half), look.peg + 7, INK)
        pen.circle((half, half), look.peg + 5, mark.colour)
        pen.circle((half, half), look.peg, INK)

    return lettered(sprite(2 * half, 2 * half, draw), name if side in FULL_NAMES else name[1:], look.letter, CARD)


@cache
def _row_pill(row: str) -> Sprite:
    return lettered(panel(46, 46, 23, CHOICE, CARD, 3), row, 30, CARD)


@cache
def _piece(side: int, mark: Mark, fresh: bool) -> Sprite:
    """A piece: its owner's mark, in a ring where it was placed just now."""
    look = LOOKS[side]
    half = math.ceil(look.badge * 1.4) + 6

    def draw(pen: Pen) -> None:
        if fresh:
            draw_shape(pen, mark.shape, (half, half), look.badge + 5, CARD, CARD, 1)
        draw_shape(pen, mark.shape, (half, half), look.badge, mark.colour, INK, 2.5)

    return lettered(sprite(2 * half, 2 * half, draw), mark.letter, max(24, look.badge + 4), mark.text)


@cache
def _segment(side: int, direction: int, mark: Mark, lane: Lane) -> Sprite:
    """A unit segment of a band in its owner's colour and line style."""
    look = LOOKS[side]
    start, end = _along(look, direction, _aside(look, lane))
    width = look.band * LANE_WIDTHS[lane.of]
    return sprite(
        *_segment_size(look, direction),
        lambda pen: draw_stroke(pen, mark, start, end, width, look.unit / 6),
    )


@cache
def _glow(side: int, direction: int, lane: Lane) -> Sprite:
    """What shines from under the last band."""
    look = LOOKS[side]
    start, end = _along(look, direction, _aside(look, lane))
    width = look.band * LANE_WIDTHS[lane.of] + 12
    return sprite(*_segment_size(look, direction), lambda pen: pen.line((start, end), CARD, width))


def _aside(look: Look, lane: Lane) -> float:
    """How far a lane is from the middle of its line, to the right of its way."""
    return (lane.number - (lane.of - 1) / 2) * look.band * (LANE_WIDTHS[lane.of] + 0.12)


@cache
def _way(side: int, direction: int) -> Sprite:
    """A unit segment of a band that could be placed."""
    look = LOOKS[side]
    start, end = _along(look, direction, 0)

    def draw(pen: Pen) -> None:
        pen.line((start, end), CARD, look.band)
        pen.line((start, end), CHOICE, look.band * 0.5)

    return sprite(*_segment_size(look, direction), draw)


def _segment_size(look: Look, direction: int) -> tuple[int, int]:
    """The part of a segment that pegs leave free, and a margin on each side."""
    right, down = _free(look, direction)
    return abs(right) + 2 * MARGIN, down + 2 * MARGIN


def _free(look: Look, direction: int) -> tuple[int, int]:
    """How far right and down a segment runs in the open: from half a peg's radius to half a peg's radius."""
    right, down = ((look.unit, 0), (look.unit // 2, look.row), (-look.unit // 2, look.row))[direction]
    share = 1 - look.peg / look.unit
    return 2 * round(right * share / 2), 2 * round(down * share / 2)


def _along(look: Look, direction: int, aside: float) -> tuple[Point, Point]:
    """The ends of a segment's free part in its sprite, moved `aside` pixels to the right of its way."""
    right, down = _free(look, direction)
    length = math.hypot(right, down)
    x = MARGIN + max(0, -right) - aside * down / length
    y = MARGIN + aside * right / length
    return (x, y), (x + right, y + down)


@lru_cache(maxsize=8)
def _piece_icon(mark: Mark) -> Sprite:
    return sprite(40, 34, lambda pen: pen.polygon([(5, 30), (35, 30), (20, 4)], mark.colour, outline=INK, width=3))
