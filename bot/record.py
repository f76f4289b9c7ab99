"""A table's game as a record: what is given out when it is over."""

from __future__ import annotations

from bot.store import PLAYING
from bot.tables import Happening, LobbyRefusal, Table, Tables
from rules.game import Header
from rules.record import DRAW_OFFER, LEAVE, Entry, Record, write


async def record_file(tables: Tables, table: Table) -> tuple[str, bytes]:
    """Name and bytes of the record's file; raises `LobbyRefusal` where the game is not over."""
    if table.status == PLAYING or table.row.state is None:
        raise LobbyRefusal("not_over")
    happenings = await tables.happenings(table, last=None)
    return f"{table.game.key}-{table.id}.record", write(record_of(table, happenings)).encode()


def record_of(table: Table, happenings: list[Happening]) -> Record:
    """The record of a table from its actions, all of them."""
    entries = tuple(Entry(happening.seat, _entry(happening)) for happening in happenings)
    extra = (Header("Names", ", ".join(table.names)), Header("Date", table.row.made.date().isoformat()))
    return Record(table.game, table.options, table.setup, table.deal, entries, extra)


def _entry(happening: Happening) -> object:
    return {"leave": LEAVE, "draw": DRAW_OFFER}.get(happening.kind, happening.action)
