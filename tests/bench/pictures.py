"""How long a picture takes, from view to bytes: `python -m tests.bench.pictures`.

The last line is what the kept pieces save: the same amount of drawing at three times the size, shrunk and packed.

Rounds are interleaved, so that what else the machine does falls on both alike. Times are processor milliseconds of
the drawing thread.
"""

import asyncio
import io
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from PIL import Image, ImageDraw

from bot.client import Trigon
from bot.face import Face
from bot.render.palette import GROUND, INK
from bot.store import Store
from bot.tables import Tables
from bot.words import words_for
from rules.game import Open

SIZE = 1000
"""Width and height in pixels of the slow picture, about those of the others."""
ROUNDS = 40
NAMES = ("Margarethe", "Bo", "陳小明", "Winnifred the Great")
BASELINE = "drawn at 3×, shrunk with LANCZOS, saved"


LENGTHS = {"triggle": (0, 10, 20), "chess": (0, 30, 90), "trinity": (2, 20, 40), "triangulation": (4, 14, 30)}
"""After how many random actions each game is drawn."""


async def faces() -> dict[str, Face]:
    """The games' faces, as the bot finds them."""
    store = await Store.open("sqlite+aiosqlite:///:memory:")
    bot = Trigon(store, Tables(store))
    await bot.load_cogs()
    await store.close()
    return bot.faces


def positions(face: Face, lengths: Sequence[int]) -> Iterator[tuple[str, Any]]:
    """A random game with three players, after so many actions each."""
    game, chance = face.game, random.Random(4)
    setup, options = game.Setup(seats=3), game.Options()
    state = game.start(setup, options, game.deal(setup, options, chance))
    for number in range(max(lengths) + 1):
        if number in lengths:
            yield f"{game.key}, {number} actions", game.view(state, None)
        seats = game.to_act(state)
        if not seats:
            break
        action = chance.choice(game.legal(state, chance.choice(seats)))
        seat = next(seat for seat in seats if action in game.legal(state, seat))
        state = game.play(state, seat, action.sample(chance) if isinstance(action, Open) else action).state


def shrunk() -> bytes:
    """What a picture costs that is drawn anew each time: some 60 discs and lines at 3×, shrunk, packed as it comes."""
    large = Image.new("RGB", (3 * SIZE, 3 * SIZE), GROUND)
    draw = ImageDraw.Draw(large)
    for place in range(60):
        x, y = 300 + place % 8 * 340, 300 + place // 8 * 340
        draw.line((x, y, x + 340, y + 340), INK, 48)
        draw.ellipse((x - 80, y - 80, x + 80, y + 80), INK)
    png = io.BytesIO()
    large.resize((SIZE, SIZE), Image.Resampling.LANCZOS).save(png, "PNG")
    return png.getvalue()


def milliseconds(draw: Callable[[], bytes]) -> tuple[float, int]:
    """Processor time of one picture, and its bytes."""
    before = time.thread_time()
    png = draw()
    return (time.thread_time() - before) * 1000, len(png)


def main() -> None:
    """Print a table."""
    words = words_for("en")
    drawings: dict[str, Callable[[], bytes]] = {
        name: lambda view=view, face=face: face.drawing.picture(view, words, names=NAMES[:3])  # type: ignore[misc]
        for face in asyncio.run(faces()).values()
        for name, view in positions(face, LENGTHS.get(face.game.key, (0, 10, 30)))
    }
    for draw in drawings.values():
        draw()
    drawings[BASELINE] = shrunk
    times: dict[str, list[float]] = {name: [] for name in drawings}
    weights: dict[str, int] = {}
    for turn in range(ROUNDS):
        for name, draw in drawings.items():
            if name != BASELINE or turn % 5 == 0:
                taken, weights[name] = milliseconds(draw)
                times[name].append(taken)
    print("| picture | median ms | 95 % ms | kB | faster than the last line |\n|--|--|--|--|--|")
    slow = statistics.median(times[BASELINE])
    for name, taken_all in times.items():
        median, late = statistics.median(taken_all), sorted(taken_all)[int(len(taken_all) * 0.95)]
        print(f"| {name} | {median:.1f} | {late:.1f} | {weights[name] / 1000:.0f} | {slow / median:.0f}× |")


if __name__ == "__main__":
    main()
