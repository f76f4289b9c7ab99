"""Decks of message cards: the built-in ones, a server's own, and `/decks` for its admins."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import ClassVar

import discord
from discord import app_commands
from discord.ext import commands

import assets
from bot.client import Trigon
from bot.cog import MOST_CHOICES, Cog, control
from bot.delivery import named_failures
from bot.log import log_of
from bot.page import BLUE, RED, Address, Button, Page, Row
from bot.render.triangulation.texts import cleaned, escaped, quoted
from bot.request import Request
from bot.store import DeckRow
from bot.words import Words, words_for
from rules.game import Refusal, translatable
from rules.triangulation.deck import LARGEST_TEXT, BadDeck, Card, Deck, Mistake, read_deck
from rules.triangulation.language import CHINESE, ENGLISH, LANGUAGES

log = log_of(__name__)

MOST_DECKS = 20
"""Decks that a server can have of its own."""
LONGEST_NAME = 40
MOST_BYTES = 4 * LARGEST_TEXT
"""Of an uploaded file: every character of the largest deck may take four."""
MOST_REPORTED = 5_000
"""Mistakes named in a report. The file that is made of them has to be one that Discord takes."""
IN_MESSAGE = 3_300
"""Characters of a report that stand in the answer itself; the rest is in a file."""
CARDS_A_PAGE = 8


class DeckRefusal(Refusal):
    """No such deck; the fact `name` holds what was asked for."""

    code = "deck"


@cache
def built_in_text(key: str) -> str:
    """The text of a built-in deck."""
    return assets.path("decks", f"{key}.txt").read_text(encoding="utf-8")


@cache
def built_in(key: str) -> Deck:
    """A built-in deck; keys are those of `LANGUAGES`."""
    return read_deck(built_in_text(key))


class Decks:
    """Finds the decks that a server has. Made once; the built-in ones are read at the start."""

    def __init__(self, bot: Trigon) -> None:
        self.bot = bot
        for key in LANGUAGES:
            built_in(key)

    async def usual(self, server: int | None) -> Deck:
        """The built-in deck in the language of a server."""
        words = await self.bot.houses.words(server)
        return built_in(CHINESE.key if words.language == "zh_TW" else ENGLISH.key)

    async def deck(self, server: int | None, name: str) -> Deck:
        """The deck of this name; raises `DeckRefusal`."""
        if key := built_in_key(name):
            return built_in(key)
        row = await self.row(server, name)
        return await asyncio.to_thread(read_deck, row.text, row.language)

    async def own_name(self, server: int | None, name: str) -> str | None:
        """A server's own deck's name as it was given; None for a built-in one. Raises `DeckRefusal`."""
        return None if built_in_key(name) else (await self.row(server, name)).name

    async def row(self, server: int | None, name: str) -> DeckRow:
        """A server's own deck as stored; raises `DeckRefusal`."""
        found = await self.bot.store.deck(server or 0, cleaned(name))
        if found is None:
            raise DeckRefusal("no_deck", name=name)
        return found

    async def choices(
        self, server: int | None, typed: str, words: Words, with_built_in: bool = True
    ) -> list[app_commands.Choice[str]]:
        """The decks whose names hold what is typed, for autocomplete."""
        found = [(words(LANGUAGES[key].title), key) for key in LANGUAGES if with_built_in]
        found += [(_line(row, words), row.name) for row in await self.bot.store.decks(server or 0)]
        return [
            app_commands.Choice(name=label[:100], value=value)
            for label, value in found
            if typed.casefold() in (label + value).casefold()
        ][:MOST_CHOICES]


def built_in_key(name: str) -> str | None:
    """The key of the built-in deck that is called so."""
    return next((key for key in LANGUAGES if key.casefold() == name.strip().casefold()), None)


def _line(row: DeckRow, words: Words) -> str:
    return words.many(
        "{name} · {language}, {count} card",
        "{name} · {language}, {count} cards",
        row.cards,
        name=row.name,
        language=words(LANGUAGES[row.language].title),
    )


def _address(verb: str, argument: str = "") -> Address:
    return Address(0, 0, verb, argument)


@app_commands.guild_only()
@app_commands.default_permissions(manage_guild=True)
class DecksCog(
    commands.GroupCog,
    Cog,
    name="decks",
    group_name="decks",
    group_description=translatable("This server's own decks of message cards (for its admins)"),
):
    """`/decks`. Everything here answers privately, since cards are secrets."""

    LANGUAGE_CHOICES: ClassVar = [
        app_commands.Choice(name=language.title, value=key) for key, language in LANGUAGES.items()
    ]

    def __init__(self, bot: Trigon, decks: Decks) -> None:
        super().__init__(bot)
        self.decks = decks

    # -- Adding --

    @app_commands.command(name="add", description=translatable("Upload a deck of cards as a text file"))
    @app_commands.describe(
        file=translatable("A text file in UTF-8, one card a line; /decks download shows how it is written"),
        name=translatable("What the deck is called here; else as the file"),
        language=translatable("The language of the cards, where the file does not say it"),
    )
    @app_commands.choices(language=LANGUAGE_CHOICES)
    async def add(
        self,
        interaction: discord.Interaction[Trigon],
        file: discord.Attachment,
        name: app_commands.Range[str, 1, LONGEST_NAME] | None = None,
        language: str | None = None,
    ) -> None:
        request = Request(interaction)
        server, words = request.server_as_admin(), request.words
        called = cleaned(name or file.filename.removesuffix(".txt").replace("_", " "))[:LONGEST_NAME].strip()
        if trouble := await self._trouble(server, called, file, words):
            await request.tell(trouble)
            return
        async with named_failures():
            data = await file.read()
        text = _decoded(data)
        if isinstance(text, int):
            await request.tell(_not_text(text, words))
            return
        try:
            deck = await asyncio.to_thread(read_deck, text, language or (await self.decks.usual(server)).language)
        except BadDeck as bad:
            await request.say(report(bad.mistakes, words))
            return
        row = DeckRow(called, deck.language, len(deck.cards), text, request.person.id, self.bot.tables.clock())
        if not await self.bot.store.add_deck(server, row, MOST_DECKS):
            await request.tell(words("Somebody was quicker. Look at `/decks list` and try again."))
            return
        log.info("deck added", server=server, cards=row.cards)
        said = words(
            "The deck is here now: **{deck}**. Choose it with `deck` at `/triangulation new`.",
            deck=escaped(_line(row, words)),
        )
        await request.say(Page(said, rows=([Button(words("Show its cards"), _address("deck_page", f"0:{called}"))],)))

    async def _trouble(self, server: int, name: str, file: discord.Attachment, words: Words) -> str | None:
        """What is wrong with a deck before its file is looked into."""
        if built_in_key(name):
            return words("{name} is the name of a built-in deck. Give yours another.", name=quoted(name, words))
        own = await self.bot.store.decks(server)
        if any(row.name.casefold() == name.casefold() for row in own):
            return words(
                "There is a deck {name} already. Remove it first, or give this one another `name`.",
                name=quoted(name, words),
            )
        if len(own) >= MOST_DECKS:
            return words.many(
                "This server has {count} deck of its own, which is all it may have. Remove one first.",
                "This server has {count} decks of its own, which is all it may have. Remove one first.",
                MOST_DECKS,
            )
        if file.size > MOST_BYTES:
            return words(
                "The file is too large: a deck has at most {most} characters, this file has {size} bytes.",
                most=f"{LARGEST_TEXT:,}",
                size=f"{file.size:,}",
            )
        return None

    # -- Looking --

    @app_commands.command(name="list", description=translatable("The decks that can be played with here"))
    async def list_decks(self, interaction: discord.Interaction[Trigon]) -> None:
        request = Request(interaction)
        server, words = request.server_as_admin(), request.words
        lines = [words("### Decks")]
        lines += [
            words.many(
                "- `{key}` · {language}, {count} card, built in",
                "- `{key}` · {language}, {count} cards, built in",
                len(built_in(key).cards),
                key=key,
                language=words(language.title),
            )
            for key, language in LANGUAGES.items()
        ]
        lines += [
            f"- {escaped(_line(row, words))} · <@{row.person}> · <t:{int(row.made.timestamp())}:d>"
            for row in await self.bot.store.decks(server)
        ]
        await request.tell("\n".join(lines))

    @app_commands.command(name="show", description=translatable("The cards of a deck, for you alone"))
    @app_commands.describe(name=translatable("The deck"))
    async def show(self, interaction: discord.Interaction[Trigon], name: str) -> None:
        await self._show(Request(interaction), name, 0)

    @control("deck_page")
    async def deck_page(self, request: Request) -> None:
        """Another page of a deck's cards."""
        page, _, name = request.argument.partition(":")
        await self._show(request, name, int(page) if page.isdigit() else 0)

    async def _show(self, request: Request, name: str, page: int) -> None:
        server, words = request.server_as_admin(), request.words
        deck = await self._deck(request, server, name)
        if deck is None:
            return
        pages = -(-len(deck.cards) // CARDS_A_PAGE)
        page %= pages
        first = page * CARDS_A_PAGE
        lines = [
            words(
                "### Cards {first} to {last} of {count}",
                first=first + 1,
                last=min(first + CARDS_A_PAGE, len(deck.cards)),
                count=len(deck.cards),
            )
        ]
        lines += [
            _card_line(number, card) for number, card in enumerate(deck.cards[first : first + CARDS_A_PAGE], first + 1)
        ]
        turning = [
            Button(words("Back"), _address("deck_page", f"{(page - 1) % pages}:{name}")),
            Button(
                words("{page} of {pages}", page=page + 1, pages=pages),
                _address("deck_page", f"{page + pages}:{name}"),
                disabled=True,
            ),
            Button(words("Next"), _address("deck_page", f"{(page + 1) % pages + 2 * pages}:{name}"), BLUE),
        ]
        rows: tuple[Row, ...] = (turning,) if pages > 1 else ()
        await request.say(Page("\n".join(lines), rows=rows))

    async def _deck(self, request: Request, server: int, name: str) -> Deck | None:
        """The deck named; None where there is none, which the person is told."""
        try:
            return await self.decks.deck(server, name)
        except DeckRefusal:
            await request.tell(_no_deck(name, request.words))
            return None

    @app_commands.command(name="download", description=translatable("A deck as a file, such as can be uploaded"))
    @app_commands.describe(name=translatable("The deck"))
    async def download(self, interaction: discord.Interaction[Trigon], name: str) -> None:
        request = Request(interaction)
        server, words = request.server_as_admin(), request.words
        key = built_in_key(name)
        try:
            text = built_in_text(key) if key else (await self.decks.row(server, name)).text
        except DeckRefusal:
            await request.tell(_no_deck(name, words))
            return
        await request.say(Page(words("The deck as it was written."), file=("deck.txt", text.encode())))

    # -- Removing --

    @app_commands.command(name="remove", description=translatable("Remove one of this server's own decks"))
    @app_commands.describe(name=translatable("The deck"))
    async def remove(self, interaction: discord.Interaction[Trigon], name: str) -> None:
        request = Request(interaction)
        server, words = request.server_as_admin(), request.words
        if built_in_key(name):
            await request.tell(words("The built-in decks stay."))
            return
        try:
            row = await self.decks.row(server, name)
        except DeckRefusal:
            await request.tell(_no_deck(name, words))
            return
        text = words(
            "Remove {deck}? Tables that are being played with it keep its cards. There is no way back but to upload "
            "it again.",
            deck=quoted(row.name, words),
        )
        buttons = [
            Button(words("Remove it"), _address("deck_remove", row.name), RED),
            Button(words("Keep it"), _address("deck_keep"), BLUE),
        ]
        await request.say(Page(text, rows=(buttons,)))

    @control("deck_remove")
    async def remove_surely(self, request: Request) -> None:
        """Remove the deck."""
        server, words = request.server_as_admin(), request.words
        if await self.bot.store.remove_deck(server, request.argument):
            log.info("deck removed", server=server)
            await request.tell(words("The deck is removed."))
        else:
            await request.tell(_no_deck(request.argument, words))

    @control("deck_keep")
    async def keep(self, request: Request) -> None:
        """Nothing happened."""
        await request.tell(request.words("The deck stays."))

    # -- Autocomplete --

    @show.autocomplete("name")
    @download.autocomplete("name")
    async def complete_deck(
        self, interaction: discord.Interaction[Trigon], current: str
    ) -> list[app_commands.Choice[str]]:
        """All decks."""
        return await self.decks.choices(interaction.guild_id, current, words_for(interaction.locale))

    @remove.autocomplete("name")
    async def complete_own(
        self, interaction: discord.Interaction[Trigon], current: str
    ) -> list[app_commands.Choice[str]]:
        """The server's own decks."""
        return await self.decks.choices(interaction.guild_id, current, words_for(interaction.locale), False)


# -- Files ---------------------------------------------------------------------------------------------------------


def _decoded(data: bytes) -> str | int:
    """The text of a file; or the line (from 1) at which it stops being text in UTF-8."""
    if 0 in data:
        return data[: data.index(0)].count(b"\n") + 1
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        return data[: wrong.start].count(b"\n") + 1


def _not_text(line: int, words: Words) -> str:
    return words(
        "Line {line} is not text in UTF-8. Save the file as “UTF-8” in your editor and upload it again.", line=line
    )


def _no_deck(name: str, words: Words) -> str:
    return words("There is no deck {name} here. `/decks list` shows what there is.", name=quoted(name[:60], words))


def _card_line(number: int, card: Card) -> str:
    return f"{number}. " + " · ".join(escaped(message.text) for message in card.messages)


# -- Mistakes ------------------------------------------------------------------------------------------------------

MISTAKES: Mapping[str, str] = {
    "large": translatable("the deck has {count} characters; at most {limit} are taken."),
    "few": translatable("the deck has {count} cards; it needs at least {limit}."),
    "many": translatable("the deck has {count} cards; at most {limit} are taken."),
    "language": translatable("{text} is no language of decks. Write `Deck: en` or `Deck: zh-TW`."),
    "messages": translatable("a card has six messages, parted by `|` or one a line; here there are {count}."),
    "empty": translatable("nothing is left of {text} without connecting words and punctuation."),
    "long": translatable("{text} has more than {limit} characters."),
    "forms": translatable("{text} has {count} other forms; at most {limit} are taken."),
    "parts": translatable("{text} has {count} parts; at most {limit} are taken."),
    "character": translatable("{text} holds a character that cannot be shown ({code})."),
    "markup": translatable("{text} holds {found}, which Discord would act upon."),
    "part": translatable("{part} does not occur in {text}."),
    "double": translatable("{text} is the same as {other} in line {other_line}."),
}
"""A sentence for each rule that a deck can break."""

QUOTED = ("text", "other", "part", "found")
"""The facts that hold what somebody wrote."""


def mistake_sentence(mistake: Mistake, words: Words, quote: Callable[[str, Words], str] = quoted) -> str:
    """A mistake in a deck with its line."""
    facts = {
        name: quote(str(value), words) if name in QUOTED and str(value).strip() else value
        for name, value in mistake.facts.items()
    }
    return words("Line {line}: {what}", line=mistake.line, what=words(MISTAKES[mistake.rule], **facts))


def report(mistakes: tuple[Mistake, ...], words: Words) -> Page:
    """All mistakes: in the answer as far as they fit, else in a file as well."""
    heading = words.many(
        "Nothing was added. The deck has {count} mistake:",
        "Nothing was added. The deck has {count} mistakes:",
        len(mistakes),
    )
    shown = list(_that_fit((f"- {mistake_sentence(mistake, words)}" for mistake in mistakes), IN_MESSAGE))
    if len(shown) == len(mistakes):
        return Page("\n".join([heading, *shown]))
    lines = [mistake_sentence(mistake, words, _bare) for mistake in mistakes[:MOST_REPORTED]]
    if len(mistakes) > MOST_REPORTED:
        lines.append(words("… and {count} more.", count=len(mistakes) - MOST_REPORTED))
    file = ("mistakes.txt", "\n".join([*lines, ""]).encode())
    return Page("\n".join([heading, *shown, words("The file has all of them.")]), file=file)


def _bare(text: str, words: Words) -> str:
    return f"“{cleaned(text)}”"


def _that_fit(lines: Iterator[str], most: int) -> Iterator[str]:
    for line in lines:
        most -= len(line) + 1
        if most < 0:
            return
        yield line
