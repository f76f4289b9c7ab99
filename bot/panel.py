"""The table message: its title, whose turn it is, the picture, what happened last, and the controls.

Pages are made from a table and its game's face alone. Pictures are drawn here, so call these in a thread.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import discord

from bot.face import Face, RulesPage, Told
from bot.houses import house_of
from bot.page import BLUE, GREEN, RED, Address, Addresses, Button, Page, Picture, Row
from bot.store import CLOSED, FORMER, OVER
from bot.tables import Happening, Proposal, Table
from bot.words import Words
from rules.game import DrawOffered, Left, Options, translatable, value_text
from rules.record import chance_lines, commitment

JOINER, WORD_JOINER = "\u200d", "\u2060"
"""What holds an emoji of several together, and what keeps an @ from being a mention."""


@dataclass(frozen=True)
class Circumstances:
    """What the table message says beside the game: seats that cannot be written to, and who is away until when."""

    unreachable: tuple[int, ...] = ()
    away: Mapping[int, datetime] = field(default_factory=dict)


NOTHING_BESIDE = Circumstances()

LAST_TOLD = 6
"""Actions told of on a table message, at the most."""


def plain(name: str) -> str:
    """A person's name in markdown without effect: no mention, no direction of its own, never nothing."""
    kept = "".join(sign for sign in name if unicodedata.category(sign) not in ("Cc", "Cf") or sign == JOINER).strip()
    shown = discord.utils.escape_markdown(kept or "…").replace("<", "\\<")
    return shown.replace("@", f"@{WORD_JOINER}")


def names_of(table: Table, words: Words) -> tuple[str, ...]:
    """The players' names by seat, for texts in markdown."""
    return tuple(plain(name) for name in shown_names(table, words))


def shown_names(table: Table, words: Words) -> tuple[str, ...]:
    """The players' names by seat, for pictures; those who had theirs deleted are former players."""
    return tuple(words("a former player") if name == FORMER else name for name in table.names)


def view_of(table: Table, face: Face, seat: int | None) -> object:
    """What a seat, or the public (None), may know, without what a moderator has hidden."""
    return face.veil(table.view(seat), table.row.hidden)


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


def variants_page(options: Options, words: Words, heading: str) -> RulesPage:
    """The last page of every game's rules: what is played by, variant by variant, beside the usual one where it
    differs."""
    return RulesPage(heading, "\n".join(variant_lines(options, words)))


def variant_lines(options: Options, words: Words) -> list[str]:
    """Every variant with its value and what it means."""
    usual, changed = type(options)(), options.changed()
    lines = []
    for name, variant in options.variants().items():
        value = value_label(options, name, words)
        lines.append(f"**{words('{title}: {value}', title=words(variant.title), value=value)}**")
        if name in changed:
            lines[-1] += words(" · usually: {value}", value=value_label(usual, name, words))
        lines.append(f"-# {words(variant.sentence)}")
    return lines


def rules_page(
    face: Face, options: Options, words: Words, heading: str, number: str, address: Callable[[int], Address]
) -> tuple[Page, Callable[[], Picture] | None]:
    """A page of a game's rules as played with these options, and what draws its picture, slowly, where it has one.

    `number` is the page's, as a control carries it, `heading` that of the last page, which names the options.
    """
    pages = (*face.rules(options, words), variants_page(options, words, heading))
    at = min(int(number), len(pages) - 1) if number.isdecimal() else 0
    page = pages[at]
    title = f"### {face.icon} {words(face.title)} · {page.title}"
    shown = Page(f"{title}\n{page.text}", None, turning(words, at, len(pages), address), face.colour)
    draw = page.draw
    return shown, draw and (lambda: Picture(draw(), page.alt, "rules.png"))


def turning(words: Words, number: int, pages: int, address: Callable[[int], Address]) -> tuple[Row, ...]:
    """Buttons to the pages before and after; none where there is only one."""
    if pages < 2:
        return ()
    return (
        [
            Button(words("Back"), address(number - 1 if number else pages - 1)),
            Button(words("{page} of {pages}", page=number + 1, pages=pages), address(number + pages), disabled=True),
            Button(words("Next"), address((number + 1) % pages), BLUE),
        ],
    )


# -- One player's own ------------------------------------------------------------------------------------------------


def own_page(table: Table, face: Face, words: Words, seat: int, address: Addresses) -> Page | None:
    """What only this seat may know, with its controls; None where it is nothing. Slow."""
    page = face.hand(table.view(seat), words, names_of(table, words), address)
    return page and replace(page, rows=offered(page.rows, table, face), colour=face.colour)


def offered(rows: Sequence[Row], table: Table, face: Face) -> tuple[Row, ...]:
    """A game's controls as this table offers them: without the game's helps where the server has switched them off."""
    if house_of(table).notebook:
        return tuple(rows)
    kept = [
        row
        if not isinstance(row, Sequence)
        else [button for button in row if button.address is None or button.address.verb not in face.helps]
        for row in rows
    ]
    return tuple(row for row in kept if row)


# -- The table in play -----------------------------------------------------------------------------------------------


def table_page(
    table: Table,
    face: Face,
    words: Words,
    happenings: Sequence[Happening],
    beside: Circumstances = NOTHING_BESIDE,
) -> Page:
    """The table message as it is now, with its picture."""
    view, names = view_of(table, face, None), names_of(table, words)
    going = table.status not in (OVER, CLOSED)
    lines = [title(face, table, words), *told(table, face, words, happenings)]
    if going:
        lines += ["", *([_turn(table, face, words)] if _playing(table) else [])]
    lines.append(
        words("This table was closed before the end.") if table.status == CLOSED else face.status(view, words, names)
    )
    if going:
        lines += _beside(table, names, words, beside)
    if face.secrets and (not happenings or not going):
        lines += _seal(table, words)
    rows = _rows_in_play(table, face, words) if going else _rows_after(table, words)
    mentions = tuple(table.people[seat] for seat in _called(table))
    return Page("\n".join(lines), board(table, face, words, None), rows, face.colour, mentions)


def board(table: Table, face: Face, words: Words, seat: int | None) -> Picture:
    """The board's picture as everybody (None) or a seat may see it. Slow."""
    view, names = view_of(table, face, seat), shown_names(table, words)
    data = face.drawing.picture(view, words, names=names)
    return Picture(data, face.drawing.alt(view, words, names), f"{table.game.key}-{table.id}-{table.turn}.png")


def told(table: Table, face: Face, words: Words, happenings: Sequence[Happening]) -> list[str]:
    """What happened last, a line an action, oldest first; the newest stands out."""
    view, names = view_of(table, face, None), names_of(table, words)
    lines = [line for happening in happenings if (line := _line(table, happening, view, face, words, names))]
    return [f"-# {line}" for line in lines[:-1]] + [f"**»** {line}" for line in lines[-1:]]


def _line(
    table: Table, happening: Happening, view: object, face: Face, words: Words, names: Sequence[str]
) -> str | None:
    public = tuple(face.veil(event, table.row.hidden) for event in happening.events if event.audience() is None)
    action = None if face.secrets else happening.action
    shared = [line for event in public if (line := _shared_line(event, words, names))]
    own = face.story(Told(happening.seat, happening.kind, action, public), view, words, names)
    return words.joined([*shared, *([own] if own else [])]) or None


def _shared_line(event: object, words: Words, names: Sequence[str]) -> str | None:
    if isinstance(event, Left):
        return words("{name} has left the game.", name=names[event.seat])
    if isinstance(event, DrawOffered) and event.agreeing:
        return words("{name} agrees to a draw.", name=names[event.seat])
    if isinstance(event, DrawOffered):
        return words("{name} offers a draw.", name=names[event.seat])
    return None


def _called(table: Table) -> tuple[int, ...]:
    """The seats that have something to decide and a person who can."""
    return tuple(seat for seat in table.to_act if table.seats[seat].present)


def _playing(table: Table) -> tuple[int, ...]:
    """The seats that have something to decide and somebody who can, house players among them."""
    return tuple(seat for seat in table.to_act if table.seats[seat].present or table.seats[seat].robot is not None)


def _turn(table: Table, face: Face, words: Words) -> str:
    view, called = view_of(table, face, None), _called(table)
    names = [f"<@{row.person}>" if row.seat in called else plain(row.shown_name) for row in table.seats]
    players = [
        _until(f"{face.badge(view, words, seat)} {names[seat]}", table.deadline(seat), words)
        for seat in _playing(table)
    ]
    return words.many("**To play:** {players}", "**To play:** {players}", len(players), players=words.series(players))


def _until(player: str, deadline: datetime | None, words: Words) -> str:
    if deadline is None:
        return player
    return words("{player} (until {when})", player=player, when=f"<t:{int(deadline.timestamp())}:R>")


def _beside(table: Table, names: Sequence[str], words: Words, beside: Circumstances) -> list[str]:
    """What players should know of each other, and what somebody has proposed."""
    lines = []
    if beside.unreachable:
        unreachable = words.series(names[seat] for seat in beside.unreachable)
        lines.append(
            words(
                "✉️ I cannot write to {names}. The button “My cards” shows them privately what is theirs.",
                names=unreachable,
            )
        )
    for seat, until in beside.away.items():
        when = f"<t:{int(until.timestamp())}:f>"
        lines.append(words("💤 {name} is away until {when}.", name=names[seat], when=when))
    for seat in table.free_seats:
        lines.append(words("🪑 The seat of {name} is free for somebody else.", name=names[seat]))
    for seat in table.sat_in:
        lines.append(words("🤖 A house player sits in for {name}.", name=plain(table.seats[seat].name)))
    if table.row.paused is not None:
        lines.append(words("⏸️ The game is paused: no turn limit runs."))
    if table.proposal is not None:
        lines.append(proposal_line(table, table.proposal, words))
    return lines


def proposal_line(table: Table, proposal: Proposal, words: Words) -> str:
    """What is proposed, by whom, and who has agreed."""
    by = next((plain(row.name) for row in table.seats if row.person == proposal.by), plain(proposal.name))
    agreed = words.series(plain(row.name) for row in table.seats if row.person in proposal.agreed)
    seat = plain(table.seats[proposal.seat].name) if proposal.kind == "seat" else ""
    sentence = words(PROPOSALS[proposal.kind], name=by, seat=seat)
    return words("🗳️ {proposal} Agreed so far: {names}.", proposal=sentence, names=agreed or words("nobody"))


def proposal_row(words: Words, address: Addresses) -> list[Button]:
    """The answers to what is proposed."""
    return [
        Button(words("Agree"), address("agree_proposal"), GREEN),
        Button(words("Decline"), address("decline_proposal")),
    ]


PROPOSALS = {
    "full": translatable("{name} would like the game to begin as soon as the table is full."),
    "take_back": translatable("{name} would like the last move to be taken back."),
    "pause": translatable("{name} would like a pause, in which no turn limit runs."),
    "close": translatable("{name} would like to end the game here, without a winner."),
    "seat": translatable("{name} would like to take over the seat of {seat}."),
}


def _seal(table: Table, words: Words) -> list[str]:
    """The commitment to the deal: its digest while the game goes on, what opens it when it is over."""
    digest = commitment(chance_lines(table.game, table.setup, table.deal), table.row.salt or "")
    if table.status in (OVER, CLOSED):
        command = f"python -m rules verify {table.game.key}-{table.id}.record --salt {table.row.salt} --digest {digest}"
        return [words("-# The deal was sealed; the record opens it: `{command}`", command=command)]
    return [words("-# The deal is sealed: `{digest}`", digest=digest)]


def _rows_in_play(table: Table, face: Face, words: Words) -> tuple[Row, ...]:
    view, address = view_of(table, face, None), Addresses(table.id, table.turn)
    rows = list(offered(face.controls(view, words, address), table, face))
    if table.proposal is not None:
        rows.append(proposal_row(words, address))
    elif table.free_seats:
        rows.append([Button(words("Take a free seat"), address("take_seat"), GREEN)])
    if table.sat_in:
        rows.append([Button(words("Take my seat back"), address("seat_back"), GREEN)])
    looking = [
        Button(words("As text"), address("as_text")),
        Button(words("Rules"), address("rules")),
        Button(words("Watch"), address("watch")),
    ]
    going = [Button(words("Leave"), address("leave")), Button(words("More"), address("more"))]
    if face.secrets:
        cards = Button(words("My cards"), address("my_cards"))
        return (*rows, [cards, *looking], going)
    return (*rows, [*looking, *going])


def admin_buttons(words: Words, address: Addresses) -> list[Button]:
    """What only a server's admins can do about a table."""
    return [
        Button(words("Close this table (admins)"), address("admin_close"), RED),
        Button(words("Remove a player (admins)"), address("admin_remove"), RED),
    ]


def _rows_after(table: Table, words: Words) -> tuple[Row, ...]:
    address = Addresses(table.id, table.turn)
    return (
        [
            Button(words("Play again"), address("rematch"), BLUE),
            Button(words("As text"), address("as_text")),
            Button(words("Record"), address("record")),
            Button(words("Rules"), address("rules")),
        ],
    )
