"""A record's header lines of the word game: Teams or First, Deck, and one Card line a card in the order of the deal."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rules.game import BadDeal, BadHeader, Header
from rules.triangulation.deck import Card, Deck, card_text, read_card
from rules.triangulation.language import LANGUAGES, Language
from rules.triangulation.play import check_teams
from rules.triangulation.state import THREE, Deal, Setup, Teams

TEAMS, FIRST, DECK, CARD = "Teams", "First", "Deck", "Card"


def headers(setup: Setup, deal: Deal) -> tuple[Header, ...]:
    """The header lines of a game."""
    teams = " / ".join(" ".join(str(seat + 1) for seat in team) for team in setup.sides)
    return (
        *([Header(TEAMS, teams)] if teams else []),
        *([Header(FIRST, str(deal.first + 1))] if deal.first is not None else []),
        Header(DECK, setup.deck.language),
        *(Header(CARD, card_text(setup.deck.cards[at])) for at in deal.order),
    )


def read_headers(seats: int, lines: Sequence[Header]) -> tuple[Setup, Deal]:
    """Setup and deal from header lines; raises `BadHeader` or `BadDeal`."""
    three = seats == THREE
    teams = () if three else _teams(_one(lines, TEAMS), seats)
    first = _first(_one(lines, FIRST)) if three else None
    language = _language(_one(lines, DECK))
    dealt = Deck(language.key, tuple(_card(line, language) for line in lines if line.name == CARD))
    if not dealt.cards:
        raise BadHeader("missing", header=CARD)
    deck = dealt.sorted()
    return Setup(seats=seats, teams=teams, deck=deck), Deal(order=_order(dealt, deck), first=first)


def _one(lines: Sequence[Header], name: str) -> Header:
    named = [line for line in lines if line.name == name]
    if not named:
        raise BadHeader("missing", header=name)
    if len(named) > 1:
        raise BadHeader("twice", header=name).at(named[1].line)
    return named[0]


def _teams(header: Header, seats: int) -> Teams:
    if not re.fullmatch(r"[0-9]{1,3}( +[0-9]{1,3})*( */ *[0-9]{1,3}( +[0-9]{1,3})*)*", header.value):
        raise BadHeader("unreadable", header=TEAMS, value=header.value[:40]).at(header.line)
    teams = tuple(tuple(sorted(int(seat) - 1 for seat in team.split())) for team in header.value.split("/"))
    try:
        check_teams(teams, seats)
    except BadHeader as refusal:
        raise refusal.at(header.line) from None
    return teams


def _first(header: Header) -> int:
    if header.value not in [str(seat + 1) for seat in range(THREE)]:
        raise BadDeal("first", header=FIRST, value=header.value[:40]).at(header.line)
    return int(header.value) - 1


def _language(header: Header) -> Language:
    if header.value not in LANGUAGES:
        refusal = BadHeader("language", header=DECK, value=header.value[:40], languages=tuple(LANGUAGES))
        raise refusal.at(header.line)
    return LANGUAGES[header.value]


def _card(header: Header, language: Language) -> Card:
    try:
        return read_card(header.value, language)
    except BadDeal as refusal:
        raise refusal.at(header.line) from None


def _order(dealt: Deck, deck: Deck) -> tuple[int, ...]:
    """Where in a deck the dealt cards are; of cards that are the same, the first comes first."""
    places: dict[str, list[int]] = {}
    for place, card in enumerate(deck.cards):
        places.setdefault(card_text(card), []).append(place)
    return tuple(places[card_text(card)].pop(0) for card in dealt.cards)
