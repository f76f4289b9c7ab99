"""The table message: its title, whose turn it is, the picture, what happened last, and the controls.

Pages are made from a table and its game's face alone. Pictures are drawn here, so call these in a thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import discord

from bot.face import Face, RulesPage, Told
from bot.houses import house_of
from bot.page import BLUE, GREEN, Addresses, Button, Menu, Option, Page, Picture, Row
from bot.store import CLOSED, LOBBY, OVER
from bot.tables import Happening, Table
from bot.words import Words
from rules.game import DrawOffered, Left, Options, value_text
from rules.record import chance_lines, commitment

NOTEBOOK = "notebook"
"""The verb of the controls that open a game's notebook."""

LAST_TOLD = 6
"""Actions told of on a table message, at the most."""


def plain(name: str) -> str:
    """A person's name in markdown without effect."""
    return discord.utils.escape_markdown(name.replace("\n", " "))


def names_of(table: Table) -> tuple[str, ...]:
    """The players' names by seat, for texts in markdown."""
    return tuple(plain(name) for name in table.names)


def title(face: Face, table: Table, words: Words) -> str:
    """The heading of every message of a table."""
    return words("### {icon} {game} · table {number}", icon=face.icon, game=words(face.title), number=table.id)


def variant(options: Options, words: Words, players: int | None = None) -> str:
    """The options in one sentence: only what differs from the rulebook."""
    variants = options.variants()
    changed = [
        words("{title}: {value}", title=words(variants[name].title), value=value_label(options, name, words))
        for name in options.changed()
        if players is None or not variants[name].seats or players in variants[name].seats
    ]
    return words.series(changed) if changed else words("as in the rulebook")


def value_label(options: Options, name: str, words: Words) -> str:
    """A variant's value as people read it."""
    value = getattr(options, name)
    label = options.variants()[name].choices.get(value, "")
    return words(label) if label else value_text(value)


def variants_page(options: Options, words: Words) -> RulesPage:
    """The last page of every game's rules: what this table plays by, variant by variant."""
    lines = [
        f"**{words(variant.title)}: {value_label(options, name, words)}**\n{words(variant.sentence)}"
        for name, variant in options.variants().items()
    ]
    return RulesPage(words("This table"), "\n".join(lines))


# -- One player's own ------------------------------------------------------------------------------------------------


def own_page(table: Table, face: Face, words: Words, seat: int, address: Addresses) -> Page | None:
    """What only this seat may know, with its controls; None where it is nothing. Slow."""
    page = face.hand(table.view(seat), words, names_of(table), address)
    return page and replace(page, rows=offered(page.rows, table), colour=face.colour)


def offered(rows: Sequence[Row], table: Table) -> tuple[Row, ...]:
    """A game's controls as this table offers them: without the notebook where the server has switched it off."""
    if house_of(table).notebook:
        return tuple(rows)
    kept = [
        row if not isinstance(row, Sequence) else [button for button in row if not _notebook(button)] for row in rows
    ]
    return tuple(row for row in kept if row)


def _notebook(button: Button) -> bool:
    return button.address is not None and button.address.verb == NOTEBOOK


# -- The lobby -------------------------------------------------------------------------------------------------------


def lobby_page(table: Table, face: Face, words: Words) -> Page:
    """The lobby: who sits, what is played, and how to come in; a plain word once it has started or ended."""
    if table.status != LOBBY:
        return Page("\n".join([title(face, table, words), _lobby_end(table, words)]), colour=face.colour)
    players, needed = len(table.seats), table.game.seats
    lines = [
        title(face, table, words),
        words(face.summary),
        words("**Rules:** {variant}", variant=variant(table.options, words)),
        "",
        words("**At the table** ({players} of {most})", players=players, most=needed[-1]),
        *(f"{row.seat + 1}. {plain(row.name)}{_wish(table, row.wish, words)}" for row in table.seats),
        "",
        _lobby_hint(table, words),
    ]
    address = Addresses(table.id, table.turn)
    rows: list[Row] = [
        [
            Button(words("Join"), address("join"), GREEN, disabled=players == needed[-1]),
            Button(words("Leave"), address("leave_lobby")),
            Button(words("Start"), address("start"), BLUE, disabled=players not in needed),
            Button(words("Invite"), address("invite")),
            Button(words("Rules"), address("rules")),
        ]
    ]
    if wishes := table.game.wishes(max(players, needed[0]), table.options):
        options = tuple(Option(words(label), value) for value, label in wishes.items())
        anything = Option(words("No preference"), "-")
        rows.append(Menu(words("What would you like to play?"), address("wish", str(table.turn)), (*options, anything)))
    return Page("\n".join(lines), rows=tuple(rows), colour=face.colour)


def _wish(table: Table, wish: str | None, words: Words) -> str:
    label = table.game.wishes(len(table.seats), table.options).get(wish or "")
    return f" · {words(label)}" if label else ""


def _lobby_hint(table: Table, words: Words) -> str:
    opener = next((plain(row.name) for row in table.seats if row.person == table.row.opener), "")
    missing = table.game.seats[0] - len(table.seats)
    if missing > 0:
        return words.many("{count} more player is needed.", "{count} more players are needed.", missing)
    return words("{opener} can start the game.", opener=opener)


def _lobby_end(table: Table, words: Words) -> str:
    if table.row.state is None:
        return words("This table was closed before the game began.")
    place = table.place.here
    return words("{players} are playing in {place}.", players=words.series(names_of(table)), place=f"<#{place}>")


# -- The table in play -----------------------------------------------------------------------------------------------


def table_page(
    table: Table, face: Face, words: Words, happenings: Sequence[Happening], unreachable: Sequence[int] = ()
) -> Page:
    """The table message as it is now, with its picture. `unreachable` are the seats that cannot be written to."""
    view, names = table.view(None), names_of(table)
    going = table.status not in (OVER, CLOSED)
    lines = [
        title(face, table, words),
        *told(table, face, words, happenings),
        "",
        *([_turn(table, face, words)] if going else []),
        words("This table was closed before the end.") if table.status == CLOSED else face.status(view, words, names),
        *([_unreachable(unreachable, names, words)] if unreachable and going else []),
        *(_seal(table, words) if face.secrets else []),
    ]
    rows = (
        (*offered(face.controls(view, words, Addresses(table.id, table.turn)), table), _looking(table, face, words))
        if going
        else (_after(table, face, words),)
    )
    return Page(
        "\n".join(lines),
        board(table, face, words, None),
        rows,
        face.colour,
        tuple(table.people[seat] for seat in table.to_act),
    )


def board(table: Table, face: Face, words: Words, seat: int | None) -> Picture:
    """The board's picture as everybody (None) or a seat may see it. Slow."""
    view = table.view(seat)
    data = face.picture(view, words, table.names, seat)
    return Picture(data, face.alt(view, words, table.names), f"{table.game.key}-{table.id}-{table.turn}.png")


def told(table: Table, face: Face, words: Words, happenings: Sequence[Happening]) -> list[str]:
    """What happened last, a line an action, oldest first; the newest stands out."""
    view, names = table.view(None), names_of(table)
    lines = [line for happening in happenings if (line := _line(happening, view, face, words, names))]
    return [f"-# {line}" for line in lines[:-1]] + [f"**»** {line}" for line in lines[-1:]]


def _line(happening: Happening, view: object, face: Face, words: Words, names: Sequence[str]) -> str | None:
    public = tuple(event for event in happening.events if event.audience() is None)
    action = None if face.secrets else happening.action
    shared = [line for event in public if (line := _shared_line(event, words, names))]
    own = face.story(Told(happening.seat, happening.kind, action, public), view, words, names)
    return " ".join([*shared, *([own] if own else [])]) or None


def _shared_line(event: object, words: Words, names: Sequence[str]) -> str | None:
    if isinstance(event, Left):
        return words("{name} has left the game.", name=names[event.seat])
    if isinstance(event, DrawOffered):
        return words("{name} offers a draw.", name=names[event.seat])
    return None


def _turn(table: Table, face: Face, words: Words) -> str:
    view = table.view(None)
    players = [f"{face.badge(view, words, seat)} <@{table.people[seat]}>" for seat in table.to_act]
    return words.many(
        "**Your turn:** {players}", "**Your turn:** {players}", len(players), players=words.series(players)
    )


def _unreachable(seats: Sequence[int], names: Sequence[str], words: Words) -> str:
    return words(
        "✉️ I cannot write to {names}. The button “My cards” shows them privately what is theirs.",
        names=words.series(names[seat] for seat in seats),
    )


def _seal(table: Table, words: Words) -> list[str]:
    """The commitment to the deal: its digest while the game goes on, what opens it when it is over."""
    digest = commitment(chance_lines(table.game, table.setup, table.deal), table.row.salt or "")
    if table.status in (OVER, CLOSED):
        command = f"python -m rules verify {table.game.key}-{table.id}.record --salt {table.row.salt} --digest {digest}"
        return [words("-# The deal was sealed; the record opens it: `{command}`", command=command)]
    return [words("-# The deal is sealed: `{digest}`", digest=digest)]


def _looking(table: Table, face: Face, words: Words) -> Row:
    address = Addresses(table.id, table.turn)
    buttons = [
        Button(words("As text"), address("as_text")),
        Button(words("Rules"), address("rules")),
        Button(words("Watch"), address("watch")),
        Button(words("Leave"), address("leave")),
    ]
    return [Button(words("My cards"), address("my_cards"), BLUE), *buttons] if face.secrets else buttons


def _after(table: Table, face: Face, words: Words) -> Row:
    address = Addresses(table.id, table.turn)
    return [
        Button(words("As text"), address("as_text")),
        Button(words("Record"), address("record")),
        Button(words("Rules"), address("rules")),
    ]
