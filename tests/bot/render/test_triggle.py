import io
import math
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise

import msgspec
import pytest
from PIL import Image

from bot.render import ALT_LENGTH, TEXT_LENGTH
from bot.render import triggle as drawing
from bot.render.canvas import HEAVY
from bot.render.descriptions import length
from bot.render.marks import COLOURS
from bot.render.palette import BOARD, CARD, CHOICE, CHOICE_TINT, GROUND, INK, mix, rgb
from bot.render.triggle import Choices, alt, as_text, picture
from bot.words import Words, words_for
from rules import GAMES
from rules.triggle.board import board
from rules.triggle.parts import Place, PlacedBand, View

ENGLISH, CHINESE = words_for("en"), words_for("zh-TW")
NAMES = ("Margarethe", "Bo", "陳小明", "Winnifred the Great")
TRIGGLE = GAMES["triggle"]


def played(bands: Sequence[str], seats: int = 2, **options: int | str) -> View:
    """The position after these bands, the first seat having begun."""
    setup, read = TRIGGLE.Setup(seats=seats), TRIGGLE.Options.of(options)
    state = TRIGGLE.start(setup, read, TRIGGLE.Deal(first=0))
    for band in bands:
        state = TRIGGLE.play(state, TRIGGLE.to_act(state)[0], Place(band)).state
    view = TRIGGLE.view(state, None)
    assert isinstance(view, View)
    return view


@cache
def random_view(side: int, seats: int, count: int, seed: int = 1, **options: int | str) -> View:
    """A position after so many random bands, or the end."""
    chance = random.Random(seed)
    setup, read = TRIGGLE.Setup(seats=seats), TRIGGLE.Options.of({"side": side, **options})
    state = TRIGGLE.start(setup, read, TRIGGLE.deal(setup, read, chance))
    for _ in range(count):
        for seat in TRIGGLE.to_act(state):
            state = TRIGGLE.play(state, seat, chance.choice(TRIGGLE.legal(state, seat))).state
    view = TRIGGLE.view(state, None)
    assert isinstance(view, View)
    return view


def six_at_once(side: int = 5) -> View:
    """A position in which the last band closed six triangles."""
    this = board(side)
    last = this.bands["E4-E7"]
    around = {
        segment
        for triangle in this.triangles.values()
        if set(triangle.segments) & set(last.segments)
        for segment in triangle.segments
    } - set(last.segments)
    bands: list[str] = []
    while around:
        legal = played(bands, 4, side=side, pieces=60).legal
        best = max(
            (name for name in legal if not set(this.bands[name].segments) & set(last.segments)),
            key=lambda name: len(around & set(this.bands[name].segments)),
        )
        bands.append(best)
        around -= set(this.bands[best].segments)
    return played([*bands, last.name], 4, side=side, pieces=60)


def drawn(view: View, choices: Choices = drawing.NO_CHOICES, names: Sequence[str] = NAMES) -> Image.Image:
    image = Image.open(io.BytesIO(picture(view, ENGLISH, names=names, choices=choices)))
    image.load()
    return image.convert("RGB")


def colours_in(image: Image.Image, middle: tuple[float, float], reach: int) -> dict[tuple[int, ...], int]:
    """How many pixels of each colour there are in a square around a point."""
    x, y = round(middle[0]), round(middle[1])
    part = image.crop((x - reach, y - reach, x + reach + 1, y + reach + 1))
    found = part.getcolors(part.width * part.height)
    assert found is not None
    return {colour: count for count, colour in found if isinstance(colour, tuple)}


def segment_middles(side: int, band: str) -> list[tuple[float, float]]:
    return list(drawing._bands(side)[band].middles)


# -- The picture ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [4, 5, 6])
def test_every_peg_lies_on_the_board_and_apart_from_the_others(side: int) -> None:
    places = drawing._pegs(side)
    look = drawing.LOOKS[side]
    assert len(places) == len(board(side).pegs)
    for name, (x, y) in places.items():
        assert look.peg < x < drawing.SIZE - look.peg
        assert drawing.STRIP[3] + look.peg < y < drawing.SIZE - look.peg
        others = [other for peg, other in places.items() if peg != name]
        assert min(math.dist((x, y), other) for other in others) == pytest.approx(look.unit, abs=1)


def test_the_boards_plan() -> None:
    places = drawing._pegs(4)
    assert places["A1"] == (296, 240)
    assert places["D1"] == (92, 594)
    assert places["D4"] == drawing.MIDDLE
    assert places["G4"] == (704, 948)
    assert drawing._triangles(4)["A1+B1+B2"].corners == (places["A1"], places["B1"], places["B2"])
    assert segment_middles(4, "A1-D4")[0] == (330, 299)


@pytest.mark.parametrize("side", [4, 5, 6])
def test_the_picture_is_small_and_square(side: int) -> None:
    png = picture(random_view(side, 4, 999), ENGLISH, names=NAMES)
    assert Image.open(io.BytesIO(png)).size == (1000, 1000)
    assert len(png) <= HEAVY


def test_even_the_fullest_board_is_not_too_heavy() -> None:
    view = random_view(6, 4, 999, bands=30, pieces=60)
    assert len(view.bands) > 100
    assert len(picture(view, ENGLISH, names=NAMES)) <= HEAVY


@pytest.mark.parametrize("side", [4, 5, 6])
@pytest.mark.parametrize("colour", ["blue", "green", "yellow", "orange"])
def test_a_band_shows_its_owners_colour_on_all_three_segments(side: int, colour: str) -> None:
    seat = list(COLOURS).index(colour)
    band = "B2-E5" if side > 4 else "B2-E4"
    view = random_view(side, 4, 0)
    view = msgspec.structs.replace(view, bands=(PlacedBand(band, seat),))
    image = drawn(view)
    for middle in segment_middles(side, band):
        assert colours_in(image, middle, drawing.LOOKS[side].band // 2)[rgb(COLOURS[colour].colour)] > 10


def test_line_styles_differ_without_colour() -> None:
    """In grey and at one lightness a segment still tells whose it is: by how much ink lies along its middle."""
    ink = []
    for seat in range(4):
        view = msgspec.structs.replace(random_view(4, 4, 0), bands=(PlacedBand("A1-A4", seat),))
        image = drawn(view)
        x, y = (round(part) for part in segment_middles(4, "A1-A4")[0])
        row = [image.getpixel((x + step, y)) == rgb(INK) for step in range(-30, 31)]
        changes = sum(one != other for one, other in pairwise(row))
        ink.append((sum(row), changes))
    solid, double, dashed, dotted = ink
    assert solid == (0, 0)
    assert double[0] == 61
    assert dashed[1] >= 4
    assert dotted[1] >= 4
    assert dashed[0] > 2 * dotted[0] > 0


def test_overlapping_bands_can_all_be_seen() -> None:
    view = played(["A1-A4", "A1-D1", "D1-D4", "D2-D5", "D3-D6"], 4)
    image = drawn(view)
    between_d3_and_d4 = segment_middles(4, "D1-D4")[2]
    found = colours_in(image, between_d3_and_d4, 24)
    for colour in ("yellow", "orange", "blue"):
        assert found[rgb(COLOURS[colour].colour)] > 10, colour


def test_lanes_part_what_overlaps_and_nothing_else() -> None:
    lanes = drawing._lanes(6, ["F1-F4", "F2-F5", "F4-F7", "F8-F11", "A1-A4", "A2-A5", "A3-A6"])
    assert lanes["F8-F11"] == (0, 1)
    assert lanes["F1-F4"].number == lanes["F4-F7"].number != lanes["F2-F5"].number
    assert {lanes[band].of for band in ("F1-F4", "F2-F5", "F4-F7")} == {2}
    assert {lanes[band] for band in ("A1-A4", "A2-A5", "A3-A6")} == {(0, 3), (1, 3), (2, 3)}


@pytest.mark.parametrize("side", [4, 5, 6])
def test_at_most_three_bands_ever_lie_beside_each_other(side: int) -> None:
    lanes = drawing._lanes(side, board(side).bands)
    assert max(lane.of for lane in lanes.values()) == 3
    assert set(lanes) == set(board(side).bands)


@pytest.mark.parametrize("side", [4, 5, 6])
def test_a_piece_shows_its_owners_colour_and_letter(side: int) -> None:
    view = random_view(side, 4, 40)
    image = drawn(view)
    assert view.pieces
    for piece in view.pieces:
        mark = COLOURS[view.colours[piece.seat]]
        found = colours_in(image, drawing._triangles(side)[piece.triangle].middle, drawing.LOOKS[side].badge)
        assert found[rgb(mark.colour)] > 60, piece
        assert found[rgb(mark.text)] > 20, piece
        fill = mix(mark.colour, CARD, drawing.FRESH) if piece.triangle in view.closed else mark.tint
        assert found.get(rgb(fill), 0) > 5, piece


def test_six_triangles_closed_by_one_band_are_all_emphasised() -> None:
    view = six_at_once()
    assert len(view.closed) == 6
    assert view.last is not None
    mark = COLOURS[view.colours[view.last.seat]]
    image = drawn(view)
    for triangle in board(5).triangles:
        found = colours_in(image, drawing._triangles(5)[triangle].middle, 20)
        emphasised = rgb(mix(mark.colour, CARD, drawing.FRESH)) in found and rgb(CARD) in found
        assert emphasised == (triangle in view.closed), triangle


def test_the_last_band_has_a_ring_around_each_end() -> None:
    view = played(["A1-A4", "A1-D4"])
    image = drawn(view)
    for name, ringed in (("A1", True), ("D4", True), ("A4", False), ("B2", False), ("G1", False)):
        x, y = drawing._pegs(4)[name]
        pixel = image.getpixel((x, y - drawing.LOOKS[4].peg - 3))
        assert (pixel == rgb(COLOURS["green"].colour)) == ringed, name


def test_pegs_under_a_band_are_dark_and_the_others_light() -> None:
    view = played(["A1-A4"])
    image = drawn(view)
    for name, (x, y) in drawing._pegs(4).items():
        under = name in board(4).bands["A1-A4"].pegs
        inner = image.getpixel((x, y - drawing.LOOKS[4].peg + 6))
        assert inner == rgb(INK if under else GROUND), name


@pytest.mark.parametrize("side", [4, 5, 6])
def test_every_peg_bears_its_name(side: int) -> None:
    """Pegs of one name look the same, pegs of different names do not."""
    image = drawn(random_view(side, 2, 0))
    reach = drawing.LOOKS[side].peg - 5
    looks: dict[bytes, set[str]] = {}
    for name, (x, y) in drawing._pegs(side).items():
        part = image.crop((x - reach, y - reach, x + reach + 1, y + reach + 1)).tobytes()
        looks.setdefault(part, set()).add(name if side < 6 else name[1:])
    assert all(len(names) == 1 for names in looks.values())
    assert len(looks) == (len(board(side).pegs) if side < 6 else 11)


@pytest.mark.parametrize("side", [4, 5, 6])
def test_letters_of_rows_stand_at_both_ends(side: int) -> None:
    image = drawn(random_view(side, 2, 0))
    for row in board(side).rows:
        left, right = (colours_in(image, end, 14) for end in drawing._row_ends(side, row))
        assert len(left) > 1, row
        assert len(right) > 1, row


def test_choices_are_marked() -> None:
    view = played(["A1-A4"])
    image = drawn(view, Choices(rows=("B", "D")))
    plain = drawn(view)
    for row in board(4).rows:
        (left, y), (right, _) = drawing._row_ends(4, row)
        assert (rgb(CHOICE) in colours_in(image, (left, y), 14)) == (row in "BD"), row
        assert (rgb(CHOICE) in colours_in(image, (right, y), 14)) == (row in "BD"), row
    middle = segment_middles(4, "D1-D4")[0]
    assert rgb(CHOICE_TINT) in colours_in(image, middle, 10)
    assert rgb(BOARD) in colours_in(plain, middle, 10)


def test_choices_of_pegs_and_ends_are_marked() -> None:
    view = played(["A1-A4"])
    image = drawn(view, Choices(pegs=("A1", "D7"), start="A4"))
    for name, (x, y) in drawing._pegs(4).items():
        found = colours_in(image, (x, y), drawing.LOOKS[4].peg)
        assert (found.get(rgb(CHOICE), 0) > 1200) == (name in ("A1", "D7")), name
    x, y = drawing._pegs(4)["A4"]
    assert image.getpixel((x, y - drawing.LOOKS[4].peg - 2)) == rgb(CHOICE)
    for middle in segment_middles(4, "A4-D7"):
        assert image.getpixel((round(middle[0]), round(middle[1]))) == rgb(CHOICE)


def test_the_strip_shows_whose_turn_it_is() -> None:
    view = played(["A1-A4"])
    image = drawn(view)
    waiting, playing = image.crop((24, 14, 492, 186)), image.crop((508, 14, 976, 186))
    tint = rgb(COLOURS["green"].tint)
    assert colours_in(playing, (234, 90), 80).get(tint, 0) > 3000
    assert tint not in colours_in(waiting, (234, 90), 80)
    assert colours_in(playing, (234, 18), 12)[rgb(INK)] > 100
    assert rgb(INK) not in colours_in(waiting, (234, 18), 12)


def test_the_strip_changes_with_scores_names_bands_and_standing() -> None:
    view = random_view(4, 3, 12)

    def strip(view: View, names: Sequence[str] = NAMES) -> bytes:
        return drawn(view, names=names).crop((0, 0, 1000, 190)).tobytes()

    replace = msgspec.structs.replace
    looks = [
        strip(view),
        strip(view, ("Max", *NAMES[1:])),
        strip(replace(view, scores=(31, *view.scores[1:]))),
        strip(replace(view, bands_left=(1, *view.bands_left[1:]))),
        strip(replace(view, pieces_left=(1, 2, 3))),
        strip(replace(view, pieces_left=None)),
        strip(replace(view, left=tuple(seat for seat in view.seats if seat not in view.to_act)[:1])),
        strip(random_view(4, 3, 999)),
    ]
    assert len(set(looks)) == len(looks)


@pytest.mark.parametrize(
    "name", ["", "W" * 32, "🎲" * 32, "שלום עולם", "한국어", "ᚠᚢᚦ", "Z̸̢̛a̷̡", "\u202eabc", "陳" * 32, "a\nb", "{0}%s"]
)
def test_no_name_is_too_odd(name: str) -> None:
    view = random_view(4, 4, 20)
    image = drawn(view, names=[name] * 4)
    assert image.size == (1000, 1000)
    for words in (ENGLISH, CHINESE):
        assert length(alt(view, words, [name] * 4)) <= ALT_LENGTH
        assert as_text(view, words, [name] * 4)


def test_names_keep_to_their_cards() -> None:
    """Whatever a player is called, nothing else of the picture changes."""
    view = random_view(4, 4, 20)
    one, other = drawn(view, names=["W" * 32] * 4), drawn(view, names=["i"] * 4)
    for image in (one, other):
        for card in range(4):
            left = round(24 + card * (952 - 48) / 4 + card * 16)
            image.paste(GROUND, (left + 66, 60, left + 220, 105))
    assert one.tobytes() == other.tobytes()


def test_pictures_drawn_at_once_in_many_threads_are_the_same() -> None:
    views = [random_view(side, 3, bands) for side in (4, 5) for bands in (0, 9, 18)]
    with ThreadPoolExecutor(6) as pool:
        at_once = list(pool.map(lambda view: picture(view, CHINESE, names=NAMES), views * 2))
    assert at_once == [picture(view, CHINESE, names=NAMES) for view in views] * 2


# -- In words ------------------------------------------------------------------------------------------------------


def test_the_description_tells_the_position() -> None:
    assert alt(played([]), ENGLISH, NAMES) == (
        "To play: Margarethe (blue). Pieces: Margarethe (blue) 0 and Bo (green) 0. No band has been placed yet."
    )
    assert alt(played(["A1-A4", "A1-D1", "B1-B4", "A2-D2"]), ENGLISH, NAMES) == (
        "To play: Margarethe (blue). Pieces: Margarethe (blue) 0 and Bo (green) 0. Last band: A2-D2 by Bo."
    )
    assert alt(played(["A1-A4", "A1-D1", "B1-B4", "A1-D4"]), ENGLISH, NAMES) == (
        "To play: Margarethe (blue). Pieces: Margarethe (blue) 0 and Bo (green) 1. "
        "Last band: A1-D4 by Bo, which closed 1 triangle."
    )


def test_the_description_tells_who_won() -> None:
    view = random_view(4, 2, 999)
    assert view.result is not None
    text = alt(view, ENGLISH, NAMES)
    assert text.startswith("The game is over. Winner")
    assert all(NAMES[winner] in text for winner in view.result.winners)


@pytest.mark.parametrize("name", ["W" * 32, "🎲" * 32, "陳" * 32])
@pytest.mark.parametrize("words", [ENGLISH, CHINESE], ids=["en", "zh"])
@pytest.mark.parametrize("bands", [0, 17, 999])
def test_the_description_is_never_too_long(name: str, words: Words, bands: int) -> None:
    view = random_view(6, 4, bands)
    text = alt(view, words, [name] * 4)
    assert length(text) <= ALT_LENGTH
    assert all(str(score) in text for score in view.scores)


@pytest.mark.parametrize("side", [4, 5, 6])
@pytest.mark.parametrize("bands", [0, 1, 25, 999])
def test_the_text_tells_every_band_and_every_piece(side: int, bands: int) -> None:
    view = random_view(side, 4, bands)
    text = as_text(view, ENGLISH, NAMES)
    assert length(text) <= TEXT_LENGTH
    for seat in view.seats:
        own = [line.split(": ")[1] for line in text.splitlines() if line.startswith("- Bands")]
        placed = [placed.band for placed in view.bands if placed.seat == seat]
        assert not placed or ", ".join(placed) in own
        pieces = [piece.triangle for piece in view.pieces if piece.seat == seat]
        assert not pieces or f"- Triangles: {', '.join(pieces)}" in text
    if view.to_act:
        assert str(len(view.legal)) in text
        assert ", ".join(view.legal) in text


def test_the_text_names_the_triangles_that_lack_one_side() -> None:
    text = as_text(played(["A1-A4", "A1-D1"]), ENGLISH, NAMES)
    assert "**Triangles that lack one side**: A1+B1+B2" not in text
    text = as_text(played(["A1-A4", "A1-D1", "B1-B4"]), ENGLISH, NAMES)
    assert "**Triangles that lack one side**: A1+B1+B2 (A1-B2)" in text


@pytest.mark.parametrize("words", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_the_text_of_the_fullest_board_fits(words: Words) -> None:
    view = random_view(6, 4, 999, bands=30, pieces=60)
    text = as_text(view, words, ["W" * 32] * 4)
    assert length(text) <= TEXT_LENGTH
    assert all(piece.triangle in text for piece in view.pieces)
    assert all(placed.band in text for placed in view.bands)


def test_the_text_says_who_has_left_and_what_wins() -> None:
    setup = TRIGGLE.Setup(seats=3)
    options = TRIGGLE.Options.of({"goal": "fewest"})
    state = TRIGGLE.leave(TRIGGLE.start(setup, options, TRIGGLE.Deal(first=0)), 1).state
    text = as_text(TRIGGLE.view(state, None), ENGLISH, NAMES)
    assert "**Bo (green)**: has left the game" in text
    assert "The fewest pieces win." in text
    assert "pieces left" not in text
