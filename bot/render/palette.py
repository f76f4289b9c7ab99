"""Colours that the pictures share, and palettes prepared from them.

The look is one of paper and wood: dark ink on a light ground, so that it stands out on Discord's dark theme as on its
light one. Seat colours follow Okabe and Ito's set, which people with any colour blindness can tell apart.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations

from PIL import Image, ImageColor

GROUND = "#FBF5E9"
"""The paper."""
CARD = "#FFFFFF"
"""A card or panel lying on the paper."""
BOARD = "#EBDDC2"
"""The wood of a board."""
GRAIN = "#CDB68F"
"""Lines cut into the board, borders of what is at rest."""
INK = "#2A1F16"
"""Text, outlines, what is in force."""
QUIET = "#665442"
"""Text beside the point. Readable on paper, card and board."""
CHOICE = "#7A1FA2"
"""What can be chosen now. No seat has it."""
CHOICE_TINT = "#E3CDEB"

NEUTRALS = (GROUND, CARD, BOARD, GRAIN, INK, QUIET)

NEAR = 12
"""Palette entries nearer than this in RGB would make flat colours shift: Pillow looks colours up in coarse cells."""


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, 0 to 255, of a colour written `#RRGGBB`."""
    red, green, blue = ImageColor.getrgb(colour)[:3]
    return red, green, blue


def mix(one: str, other: str, share: float) -> str:
    """The colour between two, `share` of the way from one to the other."""
    mixed = (round(a + (b - a) * share) for a, b in zip(rgb(one), rgb(other), strict=True))
    return "#" + "".join(f"{part:02X}" for part in mixed)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2 defines it, from 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    linear = [
        part / 255 / 12.92 if part / 255 <= 0.04045 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in rgb(colour)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


class Palette:
    """At most 256 colours of one kind of picture, chosen once.

    `flat` are the colours drawn with, which come out exactly. `edges` are pairs of them that meet: the colours between
    the two are for smooth edges. What room is left goes to the other pairs.
    """

    def __init__(self, flat: Sequence[str], edges: Iterable[tuple[str, str]] = ()) -> None:
        wanted = [rgb(colour) for colour in dict.fromkeys(flat)]
        edges = list(edges)
        for share in (0.5, 0.25, 0.75):
            wanted += [rgb(mix(one, other, share)) for one, other in edges]
        wanted += [rgb(mix(one, other, 0.5)) for one, other in combinations(dict.fromkeys(flat), 2)]
        self.colours = _apart(wanted, len(dict.fromkeys(flat)))
        self._image = Image.new("P", (1, 1))
        self._image.putpalette([part for colour in self.colours for part in colour])
        # Pillow fills the table of nearest colours at the first use and keeps it with the palette.
        self.apply(Image.new("RGB", (8, 8), GROUND))

    def apply(self, image: Image.Image) -> Image.Image:
        """The RGB picture in this palette's colours, without dithering."""
        return image.quantize(palette=self._image, dither=Image.Dither.NONE)


def _apart(wanted: Sequence[tuple[int, int, int]], exact: int) -> tuple[tuple[int, int, int], ...]:
    """The first `exact` colours, and of the rest those that are far enough from all before, 256 at most."""
    chosen = list(wanted[:exact])
    for colour in wanted[exact:]:
        if len(chosen) == 256:
            break
        if all(sum((a - b) ** 2 for a, b in zip(colour, other, strict=True)) >= NEAR**2 for other in chosen):
            chosen.append(colour)
    return tuple(chosen)
