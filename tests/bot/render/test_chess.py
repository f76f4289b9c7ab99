"""The pictures of Triangulation chess: what is where, whose it is, and what has happened."""

from __future__ import annotations

import io
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, product
from pathlib import Path

import msgspec
import pytest
from PIL import Image

from bot.render import ALT_LENGTH, TEXT_LENGTH
from bot.render.canvas import HEAVY
from bot.render.chess import EVERY_NAME, NO_CHOICES, Choices, alt, as_text, geometry, picture, table
from bot.render.chess.geometry import ahead, board_corners, places, tabs
from bot.render.chess.pieces import ARMIES, FIGURES, piece, pin
from bot.render.chess.rulebook import PAGES, rules_pages
from bot.render.descriptions import length
from bot.render.palette import CARD, CHOICE, CHOICE_TINT, INK, contrast, rgb
from bot.words import Words, words_for
from rules.chess import GAME
from rules.chess.board import ALL, BLUE, COLOURS, GREEN, NAMES, RED, SIDES, TRIANGLES, is_black, triangles
from rules.chess.state import ChessDeal, ChessOptions, ChessSetup
from rules.chess.view import ChessView, Prisoner

ENGLISH, CHINESE = words_for("en"), words_for("zh-TW")
PLAYERS = ("Margarethe", "Bo Lindqvist", "陳小明")
POSITIONS = Path(__file__).parents[4] / "shared" / "cases" / "chess" / "positions"
VIEWPOINTS = (None, RED, GREEN, BLUE)

MATED = (
    "rrRB7Ω ggID7Φ rrGD7Ψ bbCE6Ψ ggGF3Ω bbIF5Φ rrRF6Σ rrCF6Φ bbIG4Φ bbGG5Φ grIH3Φ nbRE8Π / g / rgb / "
    "r:bI,gC,gI,gI g:bI,bI,bR,bR,rI,rI,rI b:gI,gI,gR,gR,rI,rI / g<rb"
)
"""Green is checkmated by both others, owns a red Infantry, and a blue Rukh is neutral."""

CONQUEST = "rrRH4Σ rrGB8Ω ggGH1Ω / r / rg / - / -"
"""Red can capture the last other General."""


def viewed(
    position: str | None = None, *texts: str, seat: int | None = None, seats: int = 3, **options: str
) -> ChessView:
    """The view after these actions from a position, or from the opening."""
    state = GAME.start(ChessSetup(seats=seats, position=position), ChessOptions.of(options), ChessDeal())
    for text in texts:
        who = GAME.to_act(state)[0]
        state = GAME.play(state, who, GAME.parse(state, who, text)).state
    return GAME.view(state, seat)


def drawn(view: ChessView, choices: Choices = NO_CHOICES, names: Sequence[str] = PLAYERS) -> Image.Image:
    png = picture(view, ENGLISH, names=names, choices=choices)
    image = Image.open(io.BytesIO(png)).convert("RGB")
    assert image.size == (table.WIDTH, table.HEIGHT)
    return image


def colours_in(image: Image.Image, middle: tuple[float, float], reach: int) -> Counter[object]:
    """The pixels of a square around a point, by colour."""
    x, y = (round(part) for part in middle)
    part = image.crop((x - reach, y - reach, x + reach + 1, y + reach + 1))
    return Counter(part.get_flattened_data())


def place(view: ChessView, name: str) -> geometry.Place:
    return places(view.viewpoint)[NAMES.index(name)]


# -- The board -----------------------------------------------------------------------------------------------------


def test_everybody_sees_red_bottom_left_green_on_top_blue_bottom_right() -> None:
    (red_x, red_y), (green_x, green_y), (blue_x, blue_y) = board_corners(None)
    assert red_x < green_x < blue_x
    assert green_y < red_y == blue_y


@pytest.mark.parametrize("viewpoint", COLOURS)
def test_a_player_sees_their_own_corner_at_the_bottom_and_turns_run_clockwise(viewpoint: int) -> None:
    corners = board_corners(viewpoint)
    own, after, before = (corners[(viewpoint + step) % 3] for step in range(3))
    assert own[1] > after[1] == before[1]
    assert after[0] < own[0] < before[0]


@pytest.mark.parametrize("viewpoint", VIEWPOINTS)
def test_triangles_that_share_a_side_share_two_corners(viewpoint: int | None) -> None:
    found = places(viewpoint)
    for one, other in combinations(ALL, 2):
        shared = sum(math.dist(a, b) < 3 for a, b in product(found[one].corners, found[other].corners))
        assert (shared == 2) == bool(SIDES[one] >> other & 1), (NAMES[one], NAMES[other])
        assert shared < 3


@pytest.mark.parametrize("viewpoint", VIEWPOINTS)
def test_all_triangles_lie_within_the_picture_and_are_equally_large(viewpoint: int | None) -> None:
    for triangle in ALL:
        corners = places(viewpoint)[triangle].corners
        assert all(0 < x < table.WIDTH and 0 < y < table.HEIGHT for x, y in corners)
        assert {round(math.dist(a, b)) for a, b in combinations(corners, 2)} <= {111, 112, 113}


@pytest.mark.parametrize("viewpoint", VIEWPOINTS)
def test_black_and_white_triangles_are_told_apart(viewpoint: int | None) -> None:
    image = Image.open(io.BytesIO(table.diagram(_empty(viewpoint), NO_CHOICES))).convert("RGB")
    cut = table.HEIGHT - image.height
    for triangle in ALL:
        x, y = places(viewpoint)[triangle].middle
        expected = table.BLACK if is_black(triangle) else table.WHITE
        assert image.getpixel((round(x), round(y) - cut)) == rgb(expected), NAMES[triangle]


def _empty(viewpoint: int | None) -> ChessView:
    return msgspec.structs.replace(viewed(seat=viewpoint), pieces=())


@pytest.mark.parametrize("viewpoint", VIEWPOINTS)
def test_each_white_triangle_has_a_bar_on_the_side_behind_for_each_colour(viewpoint: int | None) -> None:
    """Forward for a colour is the corner opposite to its bar."""
    image = Image.open(io.BytesIO(table.diagram(_empty(viewpoint), NO_CHOICES))).convert("RGB")
    cut = table.HEIGHT - image.height
    for triangle, colour in product(ALL, COLOURS):
        here = places(viewpoint)[triangle]
        x, y = here.middle
        angle = math.radians(ahead(viewpoint, colour))
        behind = (x - 26 * math.cos(angle), y + 26 * math.sin(angle))
        found = rgb(ARMIES[colour].colour) in {
            image.getpixel((round(behind[0]) + dx, round(behind[1]) + dy - cut))
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
        }
        assert found == (not is_black(triangle)), (NAMES[triangle], colour)


@pytest.mark.parametrize("viewpoint", VIEWPOINTS)
def test_the_scales_continue_the_rows(viewpoint: int | None) -> None:
    """The label of a row lies in one line with the middles of all the row's triangles, give or take half a row."""
    for colour in COLOURS:
        angle = math.radians(ahead(viewpoint, colour))
        for row, tab in enumerate(tabs(viewpoint, colour), 1):
            depths = [
                x * math.cos(angle) - y * math.sin(angle)
                for x, y in (places(viewpoint)[t].middle for t in ALL if TRIANGLES[t][colour] == row)
            ]
            x, y = tab.middle
            assert min(depths) - 20 < x * math.cos(angle) - y * math.sin(angle) < max(depths) + 20


@pytest.mark.parametrize("viewpoint", VIEWPOINTS)
def test_all_labels_of_the_scales_are_drawn_and_differ(viewpoint: int | None) -> None:
    image = drawn(viewed(seat=viewpoint))
    looks = set()
    for colour in COLOURS:
        for tab in tabs(viewpoint, colour):
            x, y = (round(part) for part in tab.middle)
            part = image.crop((x - 9, y - 9, x + 10, y + 10)).convert("L").point(lambda level: 255 * (level > 90))
            looks.add(part.tobytes())
    assert len(looks) >= 23


# -- Pieces --------------------------------------------------------------------------------------------------------


def test_kinds_have_shapes_of_their_own() -> None:
    """By the silhouette alone, whatever the colour, any two kinds differ in a tenth of their points and more."""
    shapes = []
    for kind in range(len(FIGURES)):
        coverage = piece(kind, RED).coverage
        assert coverage is not None
        field = Image.new("L", (90, 90))
        field.paste(coverage, ((90 - coverage.width) // 2, (90 - coverage.height) // 2))
        shapes.append(field.point(lambda level: 255 * (level > 128)).tobytes())
    for one, other in combinations(shapes, 2):
        differing = sum(a != b for a, b in zip(one, other, strict=True))
        assert differing > 0.1 * sum(part > 0 for part in one)


@pytest.mark.parametrize("viewpoint", VIEWPOINTS)
def test_each_piece_stands_on_its_triangle_in_its_owners_colour_with_its_letter(viewpoint: int | None) -> None:
    view = viewed(seat=viewpoint)
    image = drawn(view)
    for each in view.pieces:
        mark = ARMIES[each.owner]
        found = colours_in(image, places(viewpoint)[each.triangle].middle, 16)
        assert found[rgb(mark.colour)] > 250, NAMES[each.triangle]
        assert found[rgb(mark.text)] > 25, NAMES[each.triangle]


def test_letters_can_be_read_on_every_army() -> None:
    for mark in ARMIES:
        assert contrast(mark.colour, mark.text) >= 4.5, mark.letter
        assert contrast(mark.tint, INK) >= 4.5
    assert len({mark.letter for mark in ARMIES}) == 4
    assert contrast(table.BLACK, CARD) >= 4.5


def test_a_converted_piece_shows_its_owner_and_wears_a_pin_of_its_colour() -> None:
    view = viewed(MATED)
    image = drawn(view)
    x, y = place(view, "H3Φ").middle
    assert colours_in(image, (x, y), 14)[rgb(ARMIES[GREEN].colour)] > 200
    beside = (x + table.BADGE_BESIDE, y + table.BADGE_BELOW[place(view, "H3Φ").up])
    assert colours_in(image, beside, 8)[rgb(ARMIES[RED].colour)] > 60
    own = place(view, "D7Φ").middle
    assert rgb(ARMIES[RED].colour) not in colours_in(image, (own[0] + table.BADGE_BESIDE, own[1]), 8)


@pytest.mark.parametrize("viewpoint", VIEWPOINTS)
def test_a_pin_points_the_way_of_its_colour(viewpoint: int | None) -> None:
    for colour in COLOURS:
        x, y = board_corners(viewpoint)[colour]
        middle_x, middle_y = (sum(corner[axis] for corner in board_corners(viewpoint)) / 3 for axis in (0, 1))
        angle = math.radians(ahead(viewpoint, colour))
        assert (middle_x - x) * math.cos(angle) - (middle_y - y) * math.sin(angle) > 450
        drop = pin(colour, ahead(viewpoint, colour))
        assert drop.coverage is not None
        half_x, half_y = drop.size[0] / 2, drop.size[1] / 2
        tip = (round(half_x + 21 * math.cos(angle)), round(half_y - 21 * math.sin(angle)))
        away = (round(half_x - 21 * math.cos(angle)), round(half_y + 21 * math.sin(angle)))
        assert drop.coverage.getpixel(tip) == 255
        assert not _inside(away, drop.size) or drop.coverage.getpixel(away) == 0


def _inside(point: tuple[int, int], size: tuple[int, int]) -> bool:
    return 0 <= point[0] < size[0] and 0 <= point[1] < size[1]


def test_a_neutral_army_is_grey() -> None:
    view = viewed(seats=2, neutral="blue")
    image = drawn(view)
    for each in view.pieces:
        grey = colours_in(image, places(None)[each.triangle].middle, 16)[rgb(ARMIES[3].colour)]
        assert (grey > 200) == (each.colour == BLUE), NAMES[each.triangle]


# -- What has happened ---------------------------------------------------------------------------------------------


def framed(image: Image.Image, here: geometry.Place, colour: str) -> bool:
    """Whether a triangle wears a frame of this colour, by its three corners' insides."""
    points = [table._inset(here, corner, 7.0) for corner in here.corners]
    return sum(rgb(colour) in colours_in(image, point, 5) for point in points) >= 2


def test_the_last_move_is_framed_at_both_ends() -> None:
    view = viewed(None, "A8Ω-D7Ψ")
    image = drawn(view)
    ends = {name for name in NAMES if framed(image, place(view, name), table.LAST)}
    assert ends == {"A8Ω", "D7Ψ"}
    assert not any(framed(drawn(viewed()), place(view, name), table.LAST) for name in ("A8Ω", "D7Ψ"))


def test_a_rescue_frames_also_where_the_infantry_went() -> None:
    view = viewed("rrIH2Ω ggGF3Ω rrGB8Ω bbGH8β / r / rgb / g:rR / -", "H2Ω-H1Ω+rR>C7Ψ")
    image = drawn(view)
    assert all(framed(image, place(view, name), table.LAST) for name in ("H2Ω", "H1Ω", "C7Ψ"))


def test_check_frames_the_general_and_dots_lead_from_each_checking_piece() -> None:
    view = viewed(MATED)
    image = drawn(view)
    assert [name for name in NAMES if framed(image, place(view, name), table.CHECK)] == ["F3Ω"]
    (start_x, start_y), (end_x, end_y) = place(view, "B7Ω").middle, place(view, "F3Ω").middle
    half = ((start_x + end_x) / 2, (start_y + end_y) / 2)
    assert colours_in(image, half, 16)[rgb(table.CHECK)] > 40
    quiet = msgspec.structs.replace(view, checks=())
    assert rgb(table.CHECK) not in colours_in(drawn(quiet), half, 16)


def test_the_checkmated_general_wears_a_sign() -> None:
    view = viewed(MATED, seat=1)
    here = place(view, "F3Ω")
    sign = (here.middle[0] - table.BADGE_BESIDE, here.middle[1] + table.BADGE_BELOW[here.up])
    with_sign = colours_in(drawn(view), sign, 12)
    without = colours_in(drawn(msgspec.structs.replace(view, checkmated=())), sign, 12)
    assert with_sign[rgb(table.CHECK)] > without[rgb(table.CHECK)] + 100


def test_prisoners_stand_on_their_captors_card() -> None:
    view = viewed(MATED)
    image = drawn(view)
    cards = [image.crop((24 + 322 * colour, 100, 330 + 322 * colour, 226)) for colour in COLOURS]
    for captor, colour in product(COLOURS, COLOURS):
        found = Counter(cards[captor].get_flattened_data())
        held = any(prisoner.captor == captor and prisoner.colour == colour for prisoner in view.prisoners)
        assert (found[rgb(ARMIES[colour].colour)] > 150) == held, (captor, colour)


def test_prisoners_of_all_kinds_and_colours_keep_to_their_card() -> None:
    held = tuple(Prisoner(GREEN, colour, kind, 5) for colour, kind in product(COLOURS, range(3)))
    view = viewed()
    image, bare = drawn(msgspec.structs.replace(view, prisoners=held)), drawn(view)
    for prisoners in (image, bare):
        prisoners.paste(CARD, (346, 122, 652, 226))
    assert image.tobytes() == bare.tobytes()


def test_cards_tell_whose_turn_it_is_who_is_out_and_who_won() -> None:
    def cards(view: ChessView) -> bytes:
        return drawn(view).crop((0, 0, 1000, 236)).tobytes()

    opening = viewed()
    replace = msgspec.structs.replace
    armies = opening.armies
    looks = [
        cards(opening),
        cards(replace(opening, to_move=GREEN)),
        cards(replace(opening, armies=(*armies[:2], replace(armies[2], standing="out", fell_to=RED)))),
        cards(replace(opening, armies=(*armies[:2], replace(armies[2], standing="left")))),
        cards(viewed(seats=2)),
        cards(viewed(MATED)),
        cards(viewed(CONQUEST, "H4Σ-H1Ω")),
    ]
    assert len(set(looks)) == len(looks)


# -- Choices -------------------------------------------------------------------------------------------------------


def test_choices_are_framed_and_bear_their_names() -> None:
    view = viewed(seat=RED)
    start, targets = NAMES.index("C7Ψ"), [NAMES.index(name) for name in ("D6Ψ", "D7Ψ")]
    image = drawn(view, Choices(targets, (start,)))
    for triangle in ALL:
        assert framed(image, places(RED)[triangle], CHOICE) == (triangle in (start, *targets)), NAMES[triangle]
    bands = [colours_in(image, band(RED, target), 13) for target in targets]
    assert all(found[rgb(CHOICE)] > 200 and found[rgb(CARD)] > 60 for found in bands)
    assert bands[0] != bands[1]
    x, y = places(RED)[start].middle
    assert colours_in(image, (x, y), 40)[rgb(CHOICE_TINT)] > 100


def band(viewpoint: int, triangle: int) -> tuple[float, float]:
    """The middle of a choice's name."""
    here = places(viewpoint)[triangle]
    below = geometry.ROW / 3 - table.BAND / 2
    return here.middle[0], here.middle[1] + (below if here.up else -below)


@pytest.mark.parametrize("viewpoint", COLOURS)
def test_marks_hide_neither_a_pieces_letter_nor_a_choices_name_nor_a_scale(viewpoint: int) -> None:
    """With everything marked at once, on a board that is full of pieces which have changed hands."""
    view = viewed(seat=viewpoint)
    turned = [msgspec.structs.replace(piece, colour=(piece.owner + 1) % 3) for piece in view.pieces]
    view = msgspec.structs.replace(view, pieces=tuple(turned))
    bare, marked = drawn(_empty(viewpoint)), drawn(view, Choices([each.triangle for each in view.pieces]))
    for each in view.pieces:
        found = colours_in(marked, band(viewpoint, each.triangle), 12)
        assert found[rgb(CHOICE)] > 180, NAMES[each.triangle]
        assert found[rgb(CARD)] > 60, NAMES[each.triangle]
        stand = table._stand(view, each.triangle, Choices([each.triangle]))
        assert colours_in(marked, stand, 12)[rgb(ARMIES[each.owner].colour)] > 150, NAMES[each.triangle]
    for tab in (tab for colour in COLOURS for tab in tabs(viewpoint, colour)):
        label, whole = (colours_in(image, tab.middle, 10)[rgb(INK)] for image in (marked, bare))
        assert abs(label - whole) < 0.15 * whole


def test_the_private_board_names_every_empty_triangle() -> None:
    view = viewed(seat=BLUE)
    plain, named = drawn(view), drawn(view, EVERY_NAME)
    taken = {each.triangle for each in view.pieces}
    looks = set()
    for triangle in ALL:
        x, y = (round(part) for part in places(BLUE)[triangle].middle)
        box = (x - 24, y - 20, x + 24, y + 20)
        changed = plain.crop(box).tobytes() != named.crop(box).tobytes()
        if triangle not in taken:
            assert changed, NAMES[triangle]
            looks.add(named.crop(box).tobytes())
    assert len(looks) == len(ALL) - len(taken)


# -- All positions -------------------------------------------------------------------------------------------------


def position_cases() -> Iterator[tuple[str, str]]:
    for path in sorted(POSITIONS.glob("*.record")):
        lines = path.read_text(encoding="utf-8").splitlines()
        yield path.stem, next(line.removeprefix("Position: ") for line in lines if line.startswith("Position: "))


@pytest.mark.skipif(not POSITIONS.is_dir(), reason="the shared cases are not here")
def test_every_position_case_is_drawn_with_all_its_pieces_and_told() -> None:
    cases = list(position_cases())
    assert len(cases) >= 30
    for name, position in cases:
        view = viewed(position)
        png = picture(view, CHINESE, names=PLAYERS)
        assert len(png) <= HEAVY, name
        image = Image.open(io.BytesIO(png)).convert("RGB")
        for each in view.pieces:
            middle = places(None)[each.triangle].middle
            assert colours_in(image, middle, 16)[rgb(ARMIES[each.owner].colour)] > 150, (name, NAMES[each.triangle])
        text = as_text(view, ENGLISH, PLAYERS)
        assert all(NAMES[each.triangle] in text for each in view.pieces), name
        for check in view.checks:
            assert "check" in text
            assert framed(image, places(None)[check.general], table.CHECK), name


@pytest.mark.parametrize("name", ["", "W" * 32, "🎲" * 32, "שלום", "\u202eabc", "陳" * 32, "a\nb", "{0}%s"])
def test_no_name_is_too_odd(name: str) -> None:
    for view in (viewed(MATED), viewed(seats=2)):
        drawn(view, names=[name] * 3)
        for words in (ENGLISH, CHINESE):
            assert length(alt(view, words, [name] * 3)) <= ALT_LENGTH
            assert 0 < length(as_text(view, words, [name] * 3)) <= TEXT_LENGTH


def test_pictures_drawn_at_once_in_many_threads_are_the_same() -> None:
    views = [viewed(MATED, seat=seat) for seat in (None, 0, 1)]
    with ThreadPoolExecutor(4) as pool:
        at_once = list(pool.map(lambda view: picture(view, CHINESE, names=PLAYERS), views * 2))
    assert at_once == [picture(view, CHINESE, names=PLAYERS) for view in views] * 2


# -- In words ------------------------------------------------------------------------------------------------------


def test_the_description_tells_the_position() -> None:
    assert alt(viewed(None, "A8Ω-D7Ψ"), ENGLISH, PLAYERS) == (
        "To play: Green (Bo Lindqvist). Last move: Red A8Ω-D7Ψ. Pieces: Red 9, Green 9 and Blue 9."
    )
    assert alt(viewed(MATED), ENGLISH, PLAYERS).startswith(
        "To play: Green (Bo Lindqvist). Red and Blue check Green (Rukh B7Ω and Cavalry E6Ψ). Green is checkmated."
    )


def test_the_description_tells_who_won_or_between_whom_it_is_a_draw() -> None:
    won = alt(viewed(CONQUEST, "H4Σ-H1Ω"), ENGLISH, PLAYERS)
    assert won.startswith("Only one General is left. Red (Margarethe) wins. Last move: Red H4ΣxH1Ω.")
    drawn_game = viewed("rrGB8Ω ggGH1Ω / r / rg / - / -", "B8Ω-B7Ω")
    assert "A draw between Red (Margarethe) and Green (Bo Lindqvist)." in alt(drawn_game, ENGLISH, PLAYERS)


@pytest.mark.parametrize("words", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_the_text_tells_every_piece_by_owner_and_the_prisoners(words: Words) -> None:
    view = viewed(MATED)
    lines = as_text(view, words, PLAYERS).splitlines()
    assert all(any(NAMES[each.triangle] in line for line in lines) for each in view.pieces)
    if words is ENGLISH:
        assert "- Infantry: D7Φ, H3Φ (Red)" in lines
        assert "- Rukh: E8Π (Blue)" in lines
        assert "- Prisoners: 3 Red Infantry, 2 Blue Infantry and 2 Blue Rukh" in lines
        assert "**🟩 Green (Bo Lindqvist)**: checkmated by Red and Blue" in lines


def test_the_text_tells_offers_limits_and_repetitions() -> None:
    state = GAME.start(ChessSetup(seats=3), ChessOptions.of({"quiet_limit": 20, "repetition": True}), ChessDeal())
    view = GAME.view(GAME.offer_draw(state, 1).state, None)
    text = as_text(msgspec.structs.replace(view, times=2), ENGLISH, PLAYERS)
    assert "A draw is offered by Green." in text
    assert "Quiet turns: 0 of 60." in text
    assert "This position has come up 2 times." in text


# -- Pages of rules ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_the_rules_fit_their_pages_and_each_kind_has_a_picture(words: Words) -> None:
    pages = rules_pages(ChessOptions(), words)
    assert sum(page.draw is not None for page in pages) == 6
    assert all(length(page.text) < 3000 for page in pages)


def test_the_pictures_of_the_rules_mark_where_the_piece_goes() -> None:
    general = next(page for page in PAGES if page.shown and page.shown.pieces == ("E6Φ",) and "General" in page.title)
    assert general.shown is not None
    draw = rules_pages(ChessOptions(), ENGLISH)[PAGES.index(general)].draw
    assert draw is not None
    image = Image.open(io.BytesIO(draw())).convert("RGB")
    whole = Image.new("RGB", (table.WIDTH, table.HEIGHT))
    whole.paste(image, (0, table.HEIGHT - image.height))
    marked = [t for t in ALL if framed(whole, places(RED)[t], CHOICE)]
    assert len(marked) == 1 + 9
    around = set(triangles(SIDES[NAMES.index("E6Φ")])) - {NAMES.index("E7Φ")}
    assert around <= set(marked)
