"""How long a picture takes, from view to bytes: `python -m tests.bench.pictures`.

The last line is what the kept pieces save: the same amount of drawing at three times the size, shrunk and packed.

Rounds are interleaved, so that what else the machine does falls on both alike. Times are processor milliseconds of
the drawing thread.
"""

import io
import random
import statistics
import time
from collections.abc import Callable, Iterator

from PIL import Image, ImageDraw

from bot.render.palette import GROUND, INK
from bot.render.triggle import SIZE, picture
from bot.words import words_for
from rules import GAMES
from rules.triggle.parts import View

ROUNDS = 40
NAMES = ("Margarethe", "Bo", "陳小明", "Winnifred the Great")
BASELINE = "drawn at 3×, shrunk with LANCZOS, saved"


def positions() -> Iterator[tuple[str, View]]:
    """Positions from the start to the end of random games."""
    game = GAMES["triggle"]
    for side, seats, bands in ((4, 2, 0), (4, 2, 10), (4, 4, 24), (5, 3, 24), (6, 4, 24), (6, 4, 48)):
        chance = random.Random(side * 100 + bands)
        setup, options = game.Setup(seats=seats), game.Options.of({"side": side})
        state = game.start(setup, options, game.deal(setup, options, chance))
        for _ in range(bands):
            for seat in game.to_act(state):
                state = game.play(state, seat, chance.choice(game.legal(state, seat))).state
        yield f"side {side}, {seats} players, {bands} bands", game.view(state, None)


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
        name: lambda view=view: picture(view, words, names=NAMES)  # type: ignore[misc]
        for name, view in positions()
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
