"""The lobby: who sits, what is played, and how to come in."""

from __future__ import annotations

from bot.face import Face
from bot.houses import house_of
from bot.page import BLUE, GREEN, Addresses, Button, Menu, Option, Page, Row
from bot.panel import names_of, plain, proposal_line, proposal_row, title, value_label, variant
from bot.store import LOBBY, SeatRow
from bot.tables import LobbyRefusal, MovedOn, Table, in_lobby
from bot.words import Words


def lobby_page(table: Table, face: Face, words: Words) -> Page:
    """The lobby: who sits, what is played, and how to come in; a plain word once it has started or ended."""
    if table.status != LOBBY:
        return Page("\n".join([title(face, table, words), _lobby_end(table, words)]), colour=face.colour)
    players, needed = len(table.seats), table.playable
    lines = [
        title(face, table, words),
        words(face.summary),
        words("**Rules:** {variant}", variant=variant(table.options, words)),
        *filter(None, [face.brought(table.row.given, words)]),
        "",
        words("**At the table** ({players} of {most})", players=players, most=needed[-1]),
        *(f"{row.seat + 1}. {_player(table, row, words)}" for row in table.seats),
        "",
        _lobby_hint(table, words),
        *([words("Who holds secrets gets them from me by direct message.")] * face.secrets),
        *([_limit(table, words)] if table.limit else []),
        *([proposal_line(table, table.proposal, words)] if table.proposal else []),
    ]
    address = Addresses(table.id, table.turn)
    rows: list[Row] = [
        [
            Button(words("Join"), address("join"), GREEN, disabled=table.full),
            Button(words("Leave"), address("leave_lobby")),
            Button(words("Start"), address("start"), BLUE, disabled=players not in needed),
            Button(words("Invite"), address("invite")),
            Button(words("Rules"), address("rules")),
        ]
    ]
    if table.proposal is not None:
        rows.append(proposal_row(words, address))
    others = [Button(words("For the opener"), address("lobby_opener"))]
    if table.proposal is None:
        others.insert(0, _beginning(table, words, address))
    if table.game.Robot is not None:
        others.insert(0, Button(words("Add house player"), address("house_players"), disabled=table.full))
    rows.append(others)
    if wishes := table.game.wishes(max(players, needed[0]), table.options):
        options = tuple(Option(words(label), value) for value, label in wishes.items())
        anything = Option(words("No preference"), "-")
        rows.append(Menu(words(face.wish), address("wish", str(table.turn)), (*options, anything)))
    return Page("\n".join(lines), rows=tuple(rows), colour=face.colour)


def own_lobby(table: Table, person: int, is_admin: bool) -> Table:
    """The table, where it is in its lobby and this person opened it, or is an admin; else raises `LobbyRefusal`."""
    in_lobby(table)
    if table.row.opener != person and not is_admin:
        raise LobbyRefusal("not_opener", opener=table.opener_name)
    return table


def _beginning(table: Table, words: Words, address: Addresses) -> Button:
    if table.row.start_when_full:
        return Button(words("Do not begin by itself"), address("wait_for_start"))
    return Button(words("Begin when full"), address("propose", "full"))


def _limit(table: Table, words: Words) -> str:
    value = value_label(house_of(table), "turn_limit", words)
    return words("**Time for a turn:** {limit}", limit=value)


def guest_of(table: Table, person: str) -> SeatRow:
    """Whom the opener has chosen by their id; raises `MovedOn` where they do not sit there any more."""
    for row in table.seats:
        if str(row.person) == person:
            return row
    raise MovedOn


def _player(table: Table, row: SeatRow, words: Words) -> str:
    level = [words(table.game.Robot.LEVELS[row.robot].title)] if table.game.Robot and row.robot else []
    return " · ".join([plain(row.shown_name), *level]) + _wish(table, row.wish, words)


def _wish(table: Table, wish: str | None, words: Words) -> str:
    label = table.game.wishes(len(table.seats), table.options).get(wish or "")
    return f" · {words(label)}" if label else ""


def _lobby_hint(table: Table, words: Words) -> str:
    opener = plain(table.opener_name)
    missing = table.playable[0] - len(table.seats)
    if missing > 0:
        needed = words.many("{count} more player is needed.", "{count} more players are needed.", missing)
        return needed if table.game.Robot is None else words.joined([needed, words("House players count.")])
    if len(table.seats) > table.playable[-1]:
        return words.many(
            "With these rules only {count} can play: somebody has to stand up.",
            "With these rules only {count} can play: somebody has to stand up.",
            table.playable[-1],
        )
    if table.row.start_when_full and table.full:
        return words(
            "The table is full, but two wish for the same. {opener} can start it when that is settled.", opener=opener
        )
    if table.row.start_when_full:
        return words("The game begins by itself when the table is full; {opener} can start it before.", opener=opener)
    return words("{opener} can start the game.", opener=opener)


def _lobby_end(table: Table, words: Words) -> str:
    if table.row.state is None:
        return words("This table was closed before the game began. `/{game} new` opens another.", game=table.game.key)
    place = table.place.here
    return words("{players} are playing in {place}.", players=words.series(names_of(table, words)), place=f"<#{place}>")
