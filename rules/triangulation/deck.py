"""Decks of message cards: what they are made of, reading them, and every mistake in them.

The format of a deck, the same as that of the `Card:` lines of a record:

    # A comment.
    Deck: en
    Marie Curie | Robin Hood | Mount Everest | The Bible = Holy Bible | Coca-Cola (coca+cola) = Coke | Christmas

One card a line, its six messages parted by `|`: Person, Character, Place, Work, Brand, Thing. After a message may come
the parts of its compound words in round brackets, joined by `+`, and then other accepted forms, each after a `=`. A
card may also be a paragraph of lines without bars, one message a line. `Card:` before a line and blank lines are
ignored; `Deck:` names the language.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache

import msgspec

from rules.game import BadDeal, translatable
from rules.triangulation.language import ENGLISH, LANGUAGES, Language

FEWEST_CARDS, MOST_CARDS = 12, 520
MOST_READ = 4 * MOST_CARDS
"""A text of more cards is not read on: naming every mistake in a hostile one would take half a minute."""
LONGEST_MESSAGE = 60
"""Characters in a message, a form or a part."""
MOST_FORMS, MOST_PARTS = 20, 8
LARGEST_TEXT = 262_144
"""Characters in a deck's text."""


class Category(StrEnum):
    """What a message is; a card has one of each, in this order."""

    PERSON = "Person"
    CHARACTER = "Character"
    PLACE = "Place"
    WORK = "Work"
    BRAND = "Brand"
    THING = "Thing"


CATEGORIES = tuple(Category)

CATEGORY_TITLES: dict[Category, str] = {
    Category.PERSON: translatable("Person"),
    Category.CHARACTER: translatable("Character"),
    Category.PLACE: translatable("Place"),
    Category.WORK: translatable("Work"),
    Category.BRAND: translatable("Brand"),
    Category.THING: translatable("Thing"),
}


class Message(msgspec.Struct, frozen=True):
    """A proper name: its text, the parts of its compound words, other accepted forms, its category."""

    text: str
    category: Category
    parts: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All that the message may be called: its text, then the other forms."""
        return (self.text, *self.forms)


class Card(msgspec.Struct, frozen=True):
    """A card: six messages, one of each category in order."""

    messages: tuple[Message, ...]


class Deck(msgspec.Struct, frozen=True):
    """Cards and the language of their connecting words and stems: a key of `LANGUAGES`."""

    language: str
    cards: tuple[Card, ...]

    @property
    def tongue(self) -> Language:
        """The deck's language."""
        return LANGUAGES[self.language]

    def sorted(self) -> Deck:
        """The same deck with its cards in the order of their texts, as a setup holds it: what is dealt is the order."""
        return Deck(self.language, tuple(sorted(self.cards, key=card_text)))


class Mistake(msgspec.Struct, frozen=True):
    """Something wrong in a deck's text: the line it stands in, counted from 1, which rule it breaks, and the facts.

    Rules, with their facts: `large` (count, limit), `few` and `many` (count, limit), `language` (text), `messages`
    (count), `empty` (text, what: message, form or part), `long` (text, limit), `forms` and `parts` (text, count,
    limit), `character` (text, code), `markup` (text, found), `part` (text, part), `double` (text, other, other_line:
    two messages that are the same, or a form that is another message).
    """

    line: int
    rule: str
    facts: dict[str, str | int]


class BadDeck(BadDeal):
    """A deck's text with mistakes in it: all of them, in the order of their lines."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        super().__init__("deck", mistakes=len(mistakes))
        self.mistakes = tuple(mistakes)


# -- Writing -------------------------------------------------------------------------------------------------------


def message_text(message: Message) -> str:
    """A message as decks write it."""
    parts = f" ({'+'.join(message.parts)})" if message.parts else ""
    return message.text + parts + "".join(f" = {form}" for form in message.forms)


@lru_cache(maxsize=1 << 12)
def card_text(card: Card) -> str:
    """A card as a line of a deck."""
    return " | ".join(message_text(message) for message in card.messages)


def deck_text(deck: Deck) -> str:
    """A whole deck as text, which `read_deck` turns back into an equal one."""
    return "".join(f"{line}\n" for line in [f"Deck: {deck.language}", "", *map(card_text, deck.cards)])


# -- Reading a card ------------------------------------------------------------------------------------------------

_PARTS = re.compile(r"(.*?)\s*\(([^()]*\+[^()]*)\)")
_BREAKS = ("Cc", "Cs", "Zl", "Zp")
"""Categories of characters that no text of a deck may hold: controls, halves of characters, line breaks."""


def read_message(text: str, category: Category) -> Message:
    """The message written so, unchecked."""
    name, *forms = [part.strip() for part in text.split("=")]
    if with_parts := _PARTS.fullmatch(name):
        parts = tuple(part.strip() for part in with_parts[2].split("+"))
        return Message(with_parts[1], category, parts, tuple(forms))
    return Message(name, category, (), tuple(forms))


def read_card(text: str, language: Language) -> Card:
    """The card of a record's line; raises `BadDeal` for what no game could be played with."""
    texts = text.split("|")
    if len(texts) != len(CATEGORIES):
        raise BadDeal("messages", header="Card", count=len(texts))
    card = Card(tuple(read_message(text, category) for text, category in zip(texts, CATEGORIES, strict=True)))
    for message in card.messages:
        for mistake in (*_empties(message, language, 0), *_characters(message, _BREAKS, 0)):
            raise BadDeal(mistake.rule, header="Card", **mistake.facts)
    return card


def _empties(message: Message, language: Language, line: int) -> Iterator[Mistake]:
    for what, texts in (("message", (message.text,)), ("form", message.forms), ("part", message.parts)):
        for text in texts:
            # A part may be a connecting word, as in Forever (for+ever): it keeps no clue out.
            left = language.run_together(text) if what == "part" else language.key_of(text)
            if not left:
                yield Mistake(line, "empty", {"text": text or message_text(message), "what": what})


def _characters(message: Message, categories: Sequence[str], line: int) -> Iterator[Mistake]:
    for text in (*message.names, *message.parts):
        for character in dict.fromkeys(text):
            if unicodedata.category(character) in categories and character not in _JOINERS:
                yield Mistake(line, "character", {"text": _shown(text), "code": f"U+{ord(character):04X}"})


# -- Reading a deck ------------------------------------------------------------------------------------------------

_JOINERS = "\u200c\u200d"
"""Format characters that scripts and emoji need: the zero-width non-joiner and joiner."""
_HIDDEN = (*_BREAKS, "Cf", "Co", "Cn")
_MARKUP = re.compile(r"@everyone|@here|<(?:@|#|:|a:|t:|/|id:)|://", re.IGNORECASE)
"""What chat programs act upon: mentions, emoji codes, links."""

_DECK_LINE = re.compile(r"\s*Deck\s*:\s*(.*?)\s*", re.IGNORECASE)
_CARD_LINE = re.compile(r"\s*Card\s*:", re.IGNORECASE)

_Row = tuple[int, str]
"""A line's number and text."""


@lru_cache(maxsize=8)
def read_deck(text: str, language: str = ENGLISH.key) -> Deck:
    """The deck written so, its cards in the order of the text; raises `BadDeck` with every mistake.

    `language` is a key of `LANGUAGES`, for a text that does not name its own in a `Deck:` line.
    """
    if len(text) > LARGEST_TEXT:
        raise BadDeck([Mistake(1, "large", {"count": len(text), "limit": LARGEST_TEXT})])
    rows = list(enumerate(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), 1))
    cards = list(_cards(rows))
    if len(cards) > MOST_READ:
        raise BadDeck([Mistake(1, "many", {"count": len(cards), "limit": MOST_CARDS})])
    reading = _DeckReading(*_language(rows, language))
    for card_rows in cards:
        reading.add(card_rows)
    return reading.deck()


def _language(rows: Sequence[_Row], language: str) -> tuple[Language, list[Mistake]]:
    for line, text in rows:
        if named := _DECK_LINE.fullmatch(text):
            language = next((key for key in LANGUAGES if key.casefold() == named[1].casefold()), "")
            if not language:
                return ENGLISH, [Mistake(line, "language", {"text": _shown(named[1])})]
    return LANGUAGES[language], []


def _cards(rows: Sequence[_Row]) -> Iterator[list[_Row]]:
    """The messages of each card, with their lines."""
    paragraph: list[_Row] = []
    for line, row in rows:
        if row.lstrip().startswith("#") or _DECK_LINE.fullmatch(row):
            continue
        text = _CARD_LINE.sub("", row).strip()
        if text and "|" not in text and not _CARD_LINE.match(row):
            paragraph.append((line, text))
            continue
        if paragraph:
            yield paragraph
            paragraph = []
        if text:
            yield [(line, part) for part in text.split("|")]
    if paragraph:
        yield paragraph


class _DeckReading:
    """A deck while it is read: the cards so far, the names in them, the mistakes."""

    def __init__(self, language: Language, mistakes: list[Mistake]) -> None:
        self._language = language
        self._mistakes = mistakes
        self._cards: list[Card] = []
        self._seen = 0
        self._messages: dict[str, tuple[int, str]] = {}
        self._forms: list[tuple[int, str, str]] = []

    def add(self, rows: Sequence[_Row]) -> None:
        """Read a card's messages."""
        self._seen += 1
        if len(rows) != len(CATEGORIES):
            self._mistakes.append(Mistake(rows[0][0], "messages", {"count": len(rows)}))
            return
        messages = []
        for (line, text), category in zip(rows, CATEGORIES, strict=True):
            message = read_message(text, category)
            self._mistakes += self._wrong_with(message, line)
            self._note(message, line)
            messages.append(message)
        self._cards.append(Card(tuple(messages)))

    def deck(self) -> Deck:
        """The deck, when all is read; raises `BadDeck`."""
        mistakes = [*self._mistakes, *self._forms_of_others()]
        if self._seen < FEWEST_CARDS:
            mistakes.append(Mistake(1, "few", {"count": self._seen, "limit": FEWEST_CARDS}))
        if self._seen > MOST_CARDS:
            mistakes.append(Mistake(1, "many", {"count": self._seen, "limit": MOST_CARDS}))
        if mistakes:
            raise BadDeck(sorted(mistakes, key=lambda mistake: mistake.line))
        return Deck(self._language.key, tuple(self._cards))

    def _wrong_with(self, message: Message, line: int) -> Iterator[Mistake]:
        yield from _empties(message, self._language, line)
        yield from _characters(message, _HIDDEN, line)
        for text in (*message.names, *message.parts):
            if len(text) > LONGEST_MESSAGE:
                yield Mistake(line, "long", {"text": _shown(text), "limit": LONGEST_MESSAGE})
            if markup := _MARKUP.search(text):
                yield Mistake(line, "markup", {"text": _shown(text), "found": markup[0]})
        for rule, texts, limit in (("forms", message.forms, MOST_FORMS), ("parts", message.parts, MOST_PARTS)):
            if len(texts) > limit:
                yield Mistake(line, rule, {"text": _shown(message.text), "count": len(texts), "limit": limit})
        whole = self._language.run_together(message.text)
        for part in message.parts:
            if self._language.run_together(part) not in whole:
                yield Mistake(line, "part", {"text": _shown(message.text), "part": _shown(part)})

    def _note(self, message: Message, line: int) -> None:
        key = self._language.key_of(message.text)
        if key and key in self._messages:
            other_line, other = self._messages[key]
            facts: dict[str, str | int] = {"text": _shown(message.text), "other": other, "other_line": other_line}
            self._mistakes.append(Mistake(line, "double", facts))
        self._messages.setdefault(key, (line, _shown(message.text)))
        self._forms += [(line, key, form) for form in message.forms]

    def _forms_of_others(self) -> Iterator[Mistake]:
        for line, own, form in self._forms:
            key = self._language.key_of(form)
            if key and key != own and key in self._messages:
                other_line, other = self._messages[key]
                yield Mistake(line, "double", {"text": _shown(form), "other": other, "other_line": other_line})


def _shown(text: str) -> str:
    """As much of a text as a report shows."""
    return text if len(text) <= LONGEST_MESSAGE else text[:LONGEST_MESSAGE] + "…"


EXAMPLES = Deck(
    ENGLISH.key,
    tuple(
        read_card(line, ENGLISH)
        for line in (
            "Marie Curie | Robin Hood | Mount Everest | The Bible = Holy Bible | Coca-Cola (coca+cola) = Coke | Diwali",
            "Nelson Mandela | Batman (bat+man) | The White House | Hamlet | Lego | World War II = WWII",
            "Frida Kahlo | Luke Skywalker (sky+walker) | New York City = NYC | Yesterday | Toyota | Christmas",
            "Usain Bolt | Santa Claus = Santa | Venice | Carmen | Nokia | Halloween",
        )
    ),
)
"""A few cards in the spirit of the rulebook, for a table that brought no deck: simulations and tests."""
