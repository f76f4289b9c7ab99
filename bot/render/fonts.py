"""Text as masks: the bundled fonts, one taking over where another lacks a character.

Sizes are pixels an em, positions pixels. All text is in one weight; `bold` thickens it by a stroke.
"""

import bisect
import itertools
import struct
import threading
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

import assets

FACES = (
    ("noto-sans-tc", "NotoSansTC_500Medium.ttf"),
    ("noto-sans", "NotoSans_500Medium.ttf"),
    ("noto-emoji", "NotoEmoji_500Medium.ttf"),
)
"""The fonts in the order in which they are asked for a character."""

CAPITALS = 0.733
"""Height of a capital letter or digit, in ems."""

LINE_HEIGHT = 1.35
"""Distance of two baselines, in ems."""

ELLIPSIS = "…"
NO_BREAK_SPACE = "\u00a0"

UNBREAKABLE_START = frozenset("，。、！？；：）」』】》〉’”…,.!?;:)]}%~")
"""No line starts with one of these."""
UNBREAKABLE_END = frozenset("（「『【《〈‘“([{")
"""No line ends with one of these."""

_lock = threading.Lock()
"""FreeType faces are not to be used by two threads at once."""


class Run(NamedTuple):
    """Characters drawn with one font; `face` is an index of `FACES`, None where no font has them."""

    face: int | None
    text: str


class Mask(NamedTuple):
    """A line of text: its coverage (mode L), trimmed, and where in it the pen starts: x, and y of the baseline."""

    image: Image.Image
    x: int
    baseline: int
    width: float
    """How far the pen moves, in pixels."""


def load() -> None:
    """Read the fonts, which takes a moment that the first picture would have to wait for."""
    for face in range(len(FACES)):
        _coverage(face)
        _font(face, 24)


# -- Coverage ------------------------------------------------------------------------------------------------------


def face_of(character: str) -> int | None:
    """The first font that has this character, as an index of `FACES`; None where none has."""
    code = ord(character)
    for face in range(len(FACES)):
        starts, ends = _coverage(face)
        place = bisect.bisect_right(starts, code) - 1
        if place >= 0 and code <= ends[place]:
            return face
    return None


@cache
def _coverage(face: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """First and last code points of the stretches that a font covers, read from its `cmap` (formats 4 and 12)."""
    data = assets.path("fonts", *FACES[face]).read_bytes()
    tables = struct.unpack_from(">H", data, 4)[0]
    offsets = {data[at : at + 4]: struct.unpack_from(">I", data, at + 8)[0] for at in range(12, 12 + 16 * tables, 16)}
    cmap = offsets[b"cmap"]
    covered: set[int] = set()
    for entry in range(struct.unpack_from(">H", data, cmap + 2)[0]):
        table = cmap + struct.unpack_from(">I", data, cmap + 4 + 8 * entry + 4)[0]
        kind = struct.unpack_from(">H", data, table)[0]
        if kind == 12:
            covered.update(_format_12(data, table))
        elif kind == 4:
            covered.update(_format_4(data, table))
    codes = sorted(covered)
    starts = tuple(code for code in codes if code - 1 not in covered)
    ends = tuple(code for code in codes if code + 1 not in covered)
    return starts, ends


def _format_12(data: bytes, table: int) -> Iterator[int]:
    for group in range(struct.unpack_from(">I", data, table + 12)[0]):
        first, last, glyph = struct.unpack_from(">III", data, table + 16 + 12 * group)
        # Glyph 0 is the font's own box for what it lacks.
        yield from range(first + (glyph == 0), last + 1)


def _format_4(data: bytes, table: int) -> Iterator[int]:
    count = struct.unpack_from(">H", data, table + 6)[0] // 2
    at = table + 14
    ends = struct.unpack_from(f">{count}H", data, at)
    starts = struct.unpack_from(f">{count}H", data, at + 2 * count + 2)
    deltas = struct.unpack_from(f">{count}H", data, at + 4 * count + 2)
    ranges_at = at + 6 * count + 2
    ranges = struct.unpack_from(f">{count}H", data, ranges_at)
    for segment, (first, last, delta, shift) in enumerate(zip(starts, ends, deltas, ranges, strict=True)):
        for code in range(first, min(last, 0xFFFE) + 1):
            glyph = code
            if shift:
                glyph = struct.unpack_from(">H", data, ranges_at + 2 * segment + shift + 2 * (code - first))[0]
                if glyph == 0:
                    continue
            if (glyph + delta) & 0xFFFF:
                yield code


def runs(text: str) -> list[Run]:
    """A line's characters grouped by the font that draws them, invisible characters left out."""
    drawn = [(face_of(character), character) for character in unicodedata.normalize("NFC", text) if _visible(character)]
    return [
        Run(face, "".join(character for _, character in group))
        for face, group in itertools.groupby(drawn, key=lambda pair: pair[0])
    ]


def _visible(character: str) -> bool:
    """Whether a character leaves a mark or a gap: not controls, format characters, selectors.

    Of combining marks only those that a font has; a box for each would drown the letter that carries them.
    """
    category = unicodedata.category(character)
    if (
        category in ("Cc", "Cf", "Cs", "Zl", "Zp")
        or "\ufe00" <= character <= "\ufe0f"
        or "\U0001f3fb" <= character <= "\U0001f3ff"
    ):
        return False
    return not category.startswith("M") or face_of(character) is not None


# -- Measuring and drawing -----------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _font(face: int, size: int) -> ImageFont.FreeTypeFont:
    # The basic layout is the same on every machine; the other depends on a library that may be missing.
    return ImageFont.truetype(assets.path("fonts", *FACES[face]), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def measure(text: str, size: int) -> float:
    """The width of a line of text in pixels."""
    return sum(_run_width(run, size) for run in runs(text))


def _run_width(run: Run, size: int) -> float:
    if run.face is None:
        return len(run.text) * _box_advance(size)
    with _lock:
        return _font(run.face, size).getlength(run.text)


def _box_advance(size: int) -> int:
    return round(size * 0.7)


@lru_cache(maxsize=1024)
def mask(text: str, size: int, bold: bool = False) -> Mask:
    """A line of text as a mask. A character that no font has is drawn as a box."""
    stroke = size / 50 if bold else 0.0
    margin = 2 + round(stroke) + size // 6
    width = measure(text, size)
    baseline = margin + round(size * 1.0)
    image = Image.new("L", (round(width) + 2 * margin, baseline + round(size * 0.4) + margin), 0)
    draw = ImageDraw.Draw(image)
    x = float(margin)
    for run in runs(text):
        if run.face is None:
            _draw_boxes(draw, x, baseline, size, len(run.text))
        else:
            with _lock:
                font = _font(run.face, size)
                draw.text((x, baseline), run.text, fill=255, font=font, anchor="ls", stroke_width=stroke)
        x += _run_width(run, size)
    # What is empty around the text would be pasted as well, at the same cost.
    left, top, right, bottom = image.getbbox() or (0, 0, 1, 1)
    return Mask(image.crop((left, top, right, bottom)), margin - left, baseline - top, width)


def _draw_boxes(draw: ImageDraw.ImageDraw, x: float, baseline: int, size: int, count: int) -> None:
    line = max(2, round(size / 14))
    for box in range(count):
        left = round(x) + box * _box_advance(size) + line
        right = left + _box_advance(size) - 2 * line
        draw.rectangle((left, baseline - round(size * CAPITALS), right, baseline), outline=255, width=line)


# -- Making it fit -------------------------------------------------------------------------------------------------


class Fitted(NamedTuple):
    """A text and the size at which it fits."""

    text: str
    size: int


@lru_cache(maxsize=1024)
def fit(text: str, width: float, size: int, least: int = 24) -> Fitted:
    """One line no wider than `width`: made smaller down to `least`, then cut with an ellipsis."""
    for smaller in range(size, least - 1, -2):
        if measure(text, smaller) <= width:
            return Fitted(text, smaller)
    return Fitted(cut(text, width, least), least)


def cut(text: str, width: float, size: int) -> str:
    """The longest beginning that is no wider than `width`, with an ellipsis where something is left out."""
    if measure(text, size) <= width:
        return text
    keep = bisect.bisect_right(
        range(len(text)), width, key=lambda length: measure(text[:length].rstrip() + ELLIPSIS, size)
    )
    return text[: max(keep - 1, 0)].rstrip() + ELLIPSIS


def wrap(text: str, width: float, size: int, lines: int | None = None) -> list[str]:
    """The text broken into lines no wider than `width`, at spaces and between Chinese characters.

    A word wider than a line is broken anywhere. With `lines`, what is left after so many is cut with an ellipsis.
    """
    wrapped = [line for paragraph in text.splitlines() for line in _wrap_paragraph(paragraph, width, size)]
    if lines is not None and len(wrapped) > lines:
        rest = wrapped[lines - 1] + ELLIPSIS
        wrapped = [*wrapped[: lines - 1], rest if measure(rest, size) <= width else cut(rest, width, size)]
    return wrapped


def _wrap_paragraph(paragraph: str, width: float, size: int) -> list[str]:
    lines = [""]
    for piece in _pieces(paragraph):
        if measure((lines[-1] + piece).rstrip(), size) <= width:
            lines[-1] += piece
        elif measure(piece.rstrip(), size) <= width:
            lines.append(piece)
        else:
            for character in piece:
                if lines[-1] and measure((lines[-1] + character).rstrip(), size) > width:
                    lines.append("")
                lines[-1] += character
    return [line.strip().replace(NO_BREAK_SPACE, " ") for line in lines if line.strip()] or [""]


def _pieces(paragraph: str) -> Iterator[str]:
    """What may stand alone on a line: words with the space after them, single Chinese characters."""
    piece = ""
    for character in paragraph:
        if piece and _breaks(piece[-1], character):
            yield piece
            piece = ""
        piece += character
    if piece:
        yield piece


def _breaks(before: str, after: str) -> bool:
    if NO_BREAK_SPACE in (before, after):
        return False
    if after.isspace() or after in UNBREAKABLE_START or before in UNBREAKABLE_END:
        return False
    return before.isspace() or _wide(before) or _wide(after)


def _wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"
