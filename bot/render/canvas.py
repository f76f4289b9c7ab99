"""What all pictures are made of: a canvas of flat shapes, drawn once at four times the size and kept.

    ground = sprite(1000, 1000, lambda pen: pen.rounded((20, 20, 980, 980), 40, BOARD))
    kept = Canvas(1000, 1000, palette)              # kept as well: what is the same in all pictures of a kind
    kept.paste(ground, 500, 500)
    canvas = Canvas.on(kept)
    canvas.paste(piece, 120, 80)                    # a kept sprite, its middle there
    canvas.text(500, 60, "Trigon", 40, INK, "middle", bold=True)
    png = canvas.encode()

Who draws keeps the sprites: a function with `functools.cache` that takes what the sprite depends on.
"""

import io
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from PIL import Image, ImageDraw

from bot.render import fonts
from bot.render.palette import GROUND, Palette

SMOOTHING = 4
"""Sprites are drawn this many times larger and shrunk."""

HEAVY = 120_000
"""A picture of more bytes than this is worth the time of packing it better."""

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Anchor = Literal["left", "middle", "right"]


class Sprite(NamedTuple):
    """A kept piece of a picture: its colours (RGB) and its coverage (L); no coverage where it covers all."""

    image: Image.Image
    coverage: Image.Image | None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.image.size

    def on(self, ground: str) -> "Sprite":
        """The sprite on a field of one colour. Pasting it takes a twentieth of the time."""
        flat = Image.new("RGB", self.size, ground)
        flat.paste(self.image, (0, 0), self.coverage)
        return Sprite(flat, None)

    def trimmed(self) -> "Sprite":
        """The sprite without what is empty all around, its middle where it was."""
        box = None if self.coverage is None else self.coverage.getbbox()
        if box is None or self.coverage is None:
            return self
        width, height = self.size
        across, down = min(box[0], width - box[2]), min(box[1], height - box[3])
        part = (across, down, width - across, height - down)
        return Sprite(self.image.crop(part), self.coverage.crop(part))


class Pen:
    """Draws flat shapes, in pixels of the finished sprite."""

    def __init__(self, draw: ImageDraw.ImageDraw) -> None:
        self._draw = draw

    def polygon(self, points: Sequence[Point], fill: str, *, outline: str | None = None, width: float = 0) -> None:
        """A polygon. Its outline, `width` pixels wide, lies half outside and rounds the corners."""
        self._draw.polygon([_scaled(point) for point in points], fill=fill)
        if outline is not None:
            self.line([*points, points[0]], outline, width)

    def line(self, points: Sequence[Point], fill: str, width: float) -> None:
        """A line through the points, with round joints and ends."""
        self._draw.line([_scaled(point) for point in points], fill=fill, width=round(width * SMOOTHING))
        for point in points:
            self.circle(point, width / 2, fill)

    def circle(self, middle: Point, radius: float, fill: str, *, outline: str | None = None, width: float = 0) -> None:
        """A disc. Its outline, `width` pixels wide, lies within the radius."""
        x, y = _scaled(middle)
        reach = radius * SMOOTHING
        self._draw.ellipse(
            (x - reach, y - reach, x + reach - 1, y + reach - 1),
            fill=fill,
            outline=outline,
            width=round(width * SMOOTHING),
        )

    def rounded(self, box: Box, radius: float, fill: str, *, outline: str | None = None, width: float = 0) -> None:
        """A rectangle with round corners. Its outline, `width` pixels wide, lies within the box."""
        left, top, right, bottom = (edge * SMOOTHING for edge in box)
        self._draw.rounded_rectangle(
            (left, top, right - 1, bottom - 1),
            radius * SMOOTHING,
            fill=fill,
            outline=outline,
            width=round(width * SMOOTHING),
        )


def _scaled(point: Point) -> Point:
    return point[0] * SMOOTHING, point[1] * SMOOTHING


def sprite(width: int, height: int, draw: Callable[[Pen], None]) -> Sprite:
    """What `draw` draws on a transparent field of this size, trimmed. Takes time: keep what comes back."""
    large = Image.new("RGBA", (width * SMOOTHING, height * SMOOTHING), (0, 0, 0, 0))
    draw(Pen(ImageDraw.Draw(large)))
    small = large.reduce(SMOOTHING)
    return Sprite(small.convert("RGB"), small.getchannel("A")).trimmed()


@lru_cache(maxsize=256)
def panel(width: int, height: int, radius: float, fill: str, outline: str | None = None, line: float = 0) -> Sprite:
    """A rectangle with round corners: a card, a pill, a frame."""
    return sprite(
        width,
        height,
        lambda pen: pen.rounded((0, 0, width, height), radius, fill, outline=outline, width=line),
    )


def write(
    image: Image.Image, x: float, y: float, text: str, size: int, colour: str, anchor: Anchor, *, bold: bool = False
) -> float:
    """A line of text onto an image: see `Canvas.text`."""
    mask = fonts.mask(text, size, bold)
    start = x - {"left": 0.0, "middle": 0.5, "right": 1.0}[anchor] * mask.width
    top = round(y + size * fonts.CAPITALS / 2) - mask.baseline
    image.paste(colour, (round(start) - mask.x, top), mask.image)
    return mask.width


def lettered(piece: Sprite, text: str, size: int, colour: str, *, bold: bool = True, lift: float = 0) -> Sprite:
    """A copy of the sprite with a text in its middle, or `lift` pixels above it."""
    image = piece.image.copy()
    write(image, image.width / 2, image.height / 2 - lift, text, size, colour, "middle", bold=bold)
    return Sprite(image, piece.coverage)


class Canvas:
    """One picture in the making. Not to be shared between threads; sprites and palettes are."""

    def __init__(self, width: int, height: int, palette: Palette, colour: str = GROUND) -> None:
        self._palette = palette
        self.image = Image.new("RGB", (width, height), colour)

    @classmethod
    def on(cls, kept: "Canvas") -> "Canvas":
        """A new canvas that starts as a copy of one that is kept."""
        copy = cls.__new__(cls)
        copy._palette = kept._palette
        copy.image = kept.image.copy()
        return copy

    def polygon(self, points: Sequence[Point], colour: str) -> None:
        """A flat polygon with rough edges: fast, for what gets a line around it."""
        ImageDraw.Draw(self.image).polygon(points, fill=colour)

    def paste(self, piece: Sprite, x: float, y: float) -> None:
        """A sprite with its middle at x, y."""
        width, height = piece.size
        self.image.paste(piece.image, (round(x - width / 2), round(y - height / 2)), piece.coverage)

    def paste_at(self, piece: Sprite, left: int, top: int) -> None:
        """A sprite with its upper left corner there."""
        self.image.paste(piece.image, (left, top), piece.coverage)

    def text(
        self, x: float, y: float, text: str, size: int, colour: str, anchor: Anchor = "left", *, bold: bool = False
    ) -> float:
        """A line of text that starts, has its middle or ends at x, the middle of its capitals at y.

        Returns its width in pixels.
        """
        return write(self.image, x, y, text, size, colour, anchor, bold=bold)

    def fitted(
        self,
        x: float,
        y: float,
        text: str,
        width: float,
        size: int,
        colour: str,
        anchor: Anchor = "left",
        *,
        bold: bool = False,
    ) -> float:
        """Like `text`, made smaller and then cut until it is no wider than `width`."""
        fitted = fonts.fit(text, width, size)
        return self.text(x, y, fitted.text, fitted.size, colour, anchor, bold=bold)

    def wrapped(
        self,
        x: float,
        y: float,
        text: str,
        width: float,
        size: int,
        colour: str,
        anchor: Anchor = "left",
        *,
        lines: int | None = None,
        bold: bool = False,
    ) -> float:
        """Several lines, the first with the middle of its capitals at y. Returns y of the line after the last."""
        for line in fonts.wrap(text, width, size, lines):
            self.text(x, y, line, size, colour, anchor, bold=bold)
            y += size * fonts.LINE_HEIGHT
        return y

    def encode(self) -> bytes:
        """The picture as a PNG in the palette's colours."""
        flat = self._palette.apply(self.image)
        quick = _png(flat, compress_level=1)
        return quick if len(quick) <= HEAVY else _png(flat, compress_level=6)


def _png(image: Image.Image, compress_level: int) -> bytes:
    png = io.BytesIO()
    image.save(png, "PNG", compress_level=compress_level)
    return png.getvalue()
