"""What storing a move costs: `python -m tests.bench.storing`.

An action, the state and the timers in one transaction through the store, beside the same statements by plain sqlite3;
both with WAL and synchronous FULL. Rounds are interleaved. Times are real milliseconds: the disk is what one waits for.
"""

import asyncio
import sqlite3
import statistics
import tempfile
import time
from pathlib import Path

from bot.store import ActionRow, Store
from bot.tables import Person, Place, Tables, now
from rules import GAMES

MOVES = 300


async def measure(folder: Path) -> None:
    """Print a table."""
    store = await Store.open(f"sqlite+aiosqlite:///{folder}/store.db")
    tables, game = Tables(store), GAMES["triggle"]
    table = await tables.open(game, Place(1, 2), Person(1, "Ada"), game.Options(), {}, {})
    state = "x" * 900
    plain = sqlite3.connect(folder / "plain.db", isolation_level=None)
    plain.execute("PRAGMA journal_mode=WAL")
    plain.execute("PRAGMA synchronous=FULL")
    plain.execute("CREATE TABLE tables (id INTEGER PRIMARY KEY, state TEXT, turn INTEGER)")
    plain.execute("CREATE TABLE actions (id INTEGER, turn INTEGER, action TEXT, PRIMARY KEY (id, turn))")
    plain.execute("INSERT INTO tables VALUES (1, '', 1)")
    ours, theirs, whole = [], [], []
    for move in range(MOVES):
        turn = move + 1
        before = time.perf_counter()
        action = ActionRow(turn + 1, 0, "play", '{"band":"A1-D4"}', "[]", now())
        await store.change_table(table.id, turn, {"state": state}, action=action)
        ours.append(time.perf_counter() - before)
        before = time.perf_counter()
        plain.execute("BEGIN IMMEDIATE")
        plain.execute("UPDATE tables SET state = ?, turn = ? WHERE id = 1 AND turn = ?", (state, turn + 1, turn))
        plain.execute("INSERT INTO actions VALUES (1, ?, ?)", (turn + 1, '{"band":"A1-D4"}'))
        plain.execute("COMMIT")
        theirs.append(time.perf_counter() - before)
    second = await tables.open(game, Place(1, 2), Person(1, "Ada"), game.Options(side=6), {}, {})
    await tables.join(second.id, Person(2, "Ben"))
    second = await tables.start(second.id, 1)
    while second.to_act:
        action_now = game.legal(second.state, second.to_act[0])[0]
        before = time.perf_counter()
        second = await tables.act(second.id, second.people[second.to_act[0]], second.turn, action_now)
        whole.append(time.perf_counter() - before)
    plain.close()
    await store.close()
    median = [statistics.median(found) * 1000 for found in (ours, theirs, whole)]
    print("| storing a move | median ms | goal |\n|--|--|--|")
    print(f"| through the store | {median[0]:.2f} | under 3 |")
    print(f"| by plain sqlite3 | {median[1]:.2f} | |")
    print(f"| the ratio | {median[0] / median[1]:.1f} × | |")
    print(f"| `tables.act`: read, judge, play, write | {median[2]:.2f} | |")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder)))
