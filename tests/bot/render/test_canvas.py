import io
import random
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import pytest
from PIL import Image

from bot.render import palette as colours
from bot.render.canvas import HEAVY, Anchor, Canvas, Sprite, lettered, panel, sprite
from bot.render.marks import COLOURS, NEUTRAL, SEATS, Mark, badge
from bot.render.palette import BOARD, CARD, CHOICE, CHOICE_TINT, GROUND, INK, QUIET, Palette, contrast, mix, rgb

MARKS = [*COLOURS.values(), NEUTRAL]


def decoded(png: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(png))
    image.load()
    return image.convert("RGB")


def counts(image: Image.Image) -> dict[tuple[int, ...], int]:
    """How many pixels there are of each colour."""
    found = image.getcolors(image.width * image.height)
    assert found is not None
    return {colour: count for count, colour in found if isinstance(colour, tuple)}


def covered(piece: Sprite) -> Image.Image:
    assert piece.coverage is not None
    return piece.coverage


def some_palette() -> Palette:
    return Palette([GROUND, INK, BOARD, *(mark.colour for mark in MARKS)])


# -- Colours -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ground", [GROUND, CARD, BOARD])
@pytest.mark.parametrize("text", [INK, QUIET, CHOICE])
def test_text_can_be_read_on_every_ground(text: str, ground: str) -> None:
    assert contrast(text, ground) >= 4.5


@pytest.mark.parametrize("mark", MARKS, ids=lambda mark: mark.letter)
def test_letters_can_be_read_on_their_seats_colours(mark: Mark) -> None:
    assert contrast(mark.text, mark.colour) >= 4.5
    assert contrast(INK, mark.tint) >= 4.5


def test_what_can_be_chosen_can_be_read() -> None:
    assert contrast(CARD, CHOICE) >= 4.5
    assert contrast(INK, CHOICE_TINT) >= 4.5


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


# How people see who lack the cones for red, green or blue (Machado, Oliveira and Fernandes 2009, severity 1).
BLINDNESS = {
    "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritan": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


def seen(colour: str, matrix: tuple[tuple[float, ...], ...]) -> tuple[float, ...]:
    linear = [(part / 255) ** 2.2 for part in rgb(colour)]
    parts = (sum(weight * part for weight, part in zip(row, linear, strict=True)) for row in matrix)
    return tuple(255 * min(max(part, 0), 1) ** (1 / 2.2) for part in parts)


@pytest.mark.parametrize("kind", BLINDNESS)
@pytest.mark.parametrize("together", [("blue", "green", "yellow", "orange"), ("red", "green", "blue")])
def test_colours_that_play_together_stay_apart_for_the_colour_blind(kind: str, together: tuple[str, ...]) -> None:
    for one, other in combinations(together, 2):
        a, b = (seen(COLOURS[name].colour, BLINDNESS[kind]) for name in (one, other))
        assert sum((p - q) ** 2 for p, q in zip(a, b, strict=True)) ** 0.5 > 50, (one, other)


def test_colours_are_read_and_mixed() -> None:
    assert rgb("#0102FF") == (1, 2, 255)
    assert mix("#000000", "#FFFFFF", 0.5) == "#808080"


# -- Marks ---------------------------------------------------------------------------------------------------------


def test_twenty_seats_have_letters_of_their_own() -> None:
    assert "".join(mark.letter for mark in SEATS) == "ABCDEFGHIJKLMNOPQRST"


@pytest.mark.parametrize("together", [("blue", "green", "yellow", "orange"), ("red", "green", "blue")])
def test_marks_that_play_together_differ_in_everything(together: tuple[str, ...]) -> None:
    for one, other in combinations((COLOURS[name] for name in together), 2):
        assert one.letter != other.letter
        assert one.shape != other.shape
        assert one.stroke != other.stroke
        assert one.colour != other.colour
        assert one.symbol != other.symbol


@pytest.mark.parametrize("mark", SEATS[:5], ids=lambda mark: mark.shape)
def test_a_badge_shows_colour_and_letter(mark: Mark) -> None:
    piece = badge(mark, 30)
    drawn = counts(piece.image)
    assert drawn[rgb(mark.colour)] > 500
    assert drawn[rgb(mark.text)] > 20
    corner = covered(piece).getpixel((0, 0))
    assert isinstance(corner, int)
    assert corner < 128


# -- Palettes ------------------------------------------------------------------------------------------------------


def test_flat_colours_come_out_exactly() -> None:
    palette = some_palette()
    for colour in (GROUND, INK, BOARD, *(mark.colour for mark in MARKS)):
        image = palette.apply(Image.new("RGB", (3, 3), colour)).convert("RGB")
        assert image.getpixel((1, 1)) == rgb(colour)


def test_palettes_have_room_for_edges_and_nothing_too_near() -> None:
    palette = some_palette()
    assert len(palette.colours) <= 256
    assert rgb(mix(GROUND, INK, 0.5)) in palette.colours
    for one, other in combinations(palette.colours[9:], 2):
        assert sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) >= colours.NEAR**2


def test_a_palette_with_too_many_edges_keeps_the_first() -> None:
    chance = random.Random(1)
    many = Palette([f"#{chance.randrange(1 << 24):06X}" for _ in range(60)])
    assert len(many.colours) == 256


# -- The canvas ----------------------------------------------------------------------------------------------------


def test_sprites_are_smooth_at_the_edge_and_flat_inside() -> None:
    piece = sprite(40, 40, lambda pen: pen.circle((20, 20), 18, INK))
    assert piece.image.getpixel((18, 18)) == rgb(INK)
    assert covered(piece).getpixel((18, 18)) == 255
    assert covered(piece).getpixel((0, 0)) == 0
    partly = [value for value in covered(piece).tobytes() if 0 < value < 255]
    assert len(partly) > 40


def test_sprites_are_trimmed_around_their_middle() -> None:
    assert sprite(40, 40, lambda pen: pen.circle((20, 20), 10, INK)).size == (20, 20)
    beside = sprite(40, 40, lambda pen: pen.rounded((30, 15, 38, 25), 0, INK))
    assert beside.size == (36, 10)
    canvas = Canvas(40, 40, some_palette())
    canvas.paste(beside, 20, 20)
    assert canvas.image.getpixel((37, 15)) == rgb(INK)
    assert canvas.image.getpixel((20, 20)) == rgb(GROUND)
    assert sprite(40, 30, lambda pen: None).size == (40, 30)


def test_a_sprite_on_a_ground_looks_the_same_as_pasted_there() -> None:
    piece = panel(60, 40, 15, BOARD, INK, 3)
    one, other = Canvas(80, 80, some_palette()), Canvas(80, 80, some_palette())
    one.paste_at(piece, 10, 20)
    other.paste_at(piece.on(GROUND), 10, 20)
    assert one.image.tobytes() == other.image.tobytes()


def test_heavy_pictures_are_packed_better() -> None:
    """Noise in a palette's colours, which packs badly, next to what the quick packing makes of it."""
    chance = random.Random(1)
    palette = some_palette()
    canvas = Canvas(900, 900, palette)
    for _ in range(60000):
        colour = "#{:02X}{:02X}{:02X}".format(*chance.choice(palette.colours[:4]))
        canvas.image.paste(colour, (x := chance.randrange(900), y := chance.randrange(900), x + 3, y + 3))
    png = canvas.encode()
    quick = io.BytesIO()
    palette.apply(canvas.image).save(quick, "PNG", compress_level=1)
    assert len(quick.getvalue()) > HEAVY
    assert len(png) < len(quick.getvalue())
    assert decoded(png).tobytes() == decoded(quick.getvalue()).tobytes()


def test_the_edge_of_a_sprite_has_its_own_colour() -> None:
    """Shrinking must not mix the transparent ground's black into the edge."""
    piece = sprite(40, 40, lambda pen: pen.circle((20, 20), 18, "#FFFFFF"))
    for x in range(piece.size[0]):
        if covered(piece).getpixel((x, 18)):
            colour = piece.image.getpixel((x, 18))
            assert isinstance(colour, tuple)
            assert min(colour) > 240


def test_sprites_lie_where_they_are_put() -> None:
    canvas = Canvas(100, 100, some_palette())
    canvas.paste(sprite(20, 20, lambda pen: pen.rounded((0, 0, 20, 20), 0, INK)), 50, 30)
    assert canvas.image.getpixel((50, 30)) == rgb(INK)
    assert canvas.image.getpixel((41, 21)) == rgb(INK)
    assert canvas.image.getpixel((50, 45)) == rgb(GROUND)
    canvas.paste_at(sprite(20, 20, lambda pen: pen.rounded((0, 0, 20, 20), 0, BOARD)), 0, 80)
    assert canvas.image.getpixel((0, 80)) == rgb(BOARD)
    assert canvas.image.getpixel((19, 99)) == rgb(BOARD)


def test_text_stands_in_the_middle_of_its_place() -> None:
    canvas = Canvas(200, 100, some_palette())
    canvas.text(100, 50, "H", 60, INK, "middle")
    dark = [(x, y) for x in range(200) for y in range(100) if canvas.image.getpixel((x, y)) == rgb(INK)]
    assert sum(x for x, _ in dark) / len(dark) == pytest.approx(100, abs=1.5)
    assert sum(y for _, y in dark) / len(dark) == pytest.approx(50, abs=1.5)


@pytest.mark.parametrize(("anchor", "left", "right"), [("left", 100, 200), ("right", 0, 100), ("middle", 50, 150)])
def test_text_keeps_to_its_side(anchor: Anchor, left: int, right: int) -> None:
    canvas = Canvas(200, 60, some_palette())
    width = canvas.text(100, 30, "Trigon", 24, INK, anchor)
    assert 60 < width < 100
    columns = [x for x in range(200) if any(canvas.image.getpixel((x, y)) != rgb(GROUND) for y in range(60))]
    assert left <= min(columns)
    assert max(columns) <= right


def test_wrapped_text_says_where_it_ends() -> None:
    canvas = Canvas(300, 300, some_palette())
    end = canvas.wrapped(10, 30, "one two three four five", 120, 24, INK)
    last = max(y for y in range(300) if any(canvas.image.getpixel((x, y)) == rgb(INK) for x in range(300)))
    assert 90 < last < end


def test_text_drawn_over_the_border_is_cut() -> None:
    canvas = Canvas(50, 20, some_palette())
    canvas.text(40, 2, "Trigon", 40, INK)
    canvas.text(-500, -500, "Trigon", 40, INK)


def test_a_canvas_on_a_kept_one_leaves_it_alone() -> None:
    kept = Canvas(50, 50, some_palette())
    copy = Canvas.on(kept)
    copy.paste(panel(50, 50, 0, INK), 25, 25)
    assert kept.image.getpixel((25, 25)) == rgb(GROUND)


def test_a_lettered_sprite_leaves_the_plain_one_alone() -> None:
    plain = panel(60, 60, 10, BOARD)
    with_letter = lettered(plain, "D", 40, INK)
    assert plain.image.tobytes() != with_letter.image.tobytes()
    assert isinstance(with_letter, Sprite)
    assert rgb(INK) not in counts(plain.image)


def test_a_picture_is_a_png_of_the_palettes_colours() -> None:
    palette = some_palette()
    canvas = Canvas(120, 60, palette)
    canvas.text(10, 30, "Trigon", 30, INK)
    png = canvas.encode()
    assert png.startswith(b"\x89PNG")
    image = decoded(png)
    assert image.size == (120, 60)
    assert set(counts(image)) <= set(palette.colours)


def test_pictures_drawn_at_once_in_many_threads_are_the_same() -> None:
    palette = some_palette()

    def draw(number: int) -> bytes:
        canvas = Canvas(300, 100, palette)
        canvas.paste(badge(SEATS[number % 7], 25 + number % 5), 50, 50)
        canvas.fitted(100, 50, f"Seat {number} 三重都市 🎲", 180, 30 + number % 4, INK)
        return canvas.encode()

    with ThreadPoolExecutor(8) as pool:
        at_once = list(pool.map(draw, range(60)))
    assert at_once == [draw(number) for number in range(60)]
