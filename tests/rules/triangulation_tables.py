"""Tables of the word game for tests: games that are played by the texts of records."""

from __future__ import annotations

from rules.game import Event
from rules.triangulation import GAME
from rules.triangulation.deck import Card, Category, Deck, Message, read_card, read_message
from rules.triangulation.language import CHINESE, ENGLISH
from rules.triangulation.state import Deal, Options, Setup, State

CARDS = (
    "Marie Curie | Robin Hood | Mount Everest | The Bible = Holy Bible = Scripture | Coca-Cola = Coke | Diwali",
    "Nelson Mandela | Batman (bat+man) | The White House | Hamlet | Lego | World War II = WWII",
    "Frida Kahlo | Luke Skywalker (sky+walker) | New York City = NYC | Yesterday | Toyota | Christmas",
    "Usain Bolt | Santa Claus = Santa | Venice | Carmen | Nokia | Halloween",
    "Pele | Winnie the Pooh = Pooh | The North Pole | Jaws | Mercedes-Benz = Mercedes | Apollo 11",
)
DECK = Deck("en", tuple(read_card(line, ENGLISH) for line in CARDS))


def table(seats: int = 4, first: int | None = None, deck: Deck = DECK, **options: str | int | bool) -> State:
    """A game at its start, the cards in the order of the deck, seats by turns in the teams."""
    setup = Setup(seats=seats, deck=deck)
    return GAME.start(setup, Options.of(options), Deal(order=tuple(range(len(deck.cards))), first=first))


def played(state: State, *lines: str) -> tuple[State, list[str]]:
    """The state after these lines of a record, and what the last of them made public, in a record's words."""
    events: tuple[Event, ...] = ()
    for line in lines:
        seat, _, text = line.partition(" ")
        if text == "leaves":
            step = GAME.leave(state, int(seat) - 1)
        else:
            step = GAME.play(state, int(seat) - 1, GAME.parse(state, int(seat) - 1, text))
        state, events = step.state, step.events
    return state, [said for event in events if event.audience() is None and (said := GAME.said(event)) is not None]


def after(state: State, *lines: str) -> State:
    """The state after these lines of a record."""
    return played(state, *lines)[0]


def seats_to_act(state: State) -> list[int]:
    """The seats that have something to decide, counted from 1 as in the lines."""
    return [seat + 1 for seat in GAME.to_act(state)]


def texts(state: State, seat: int) -> list[str]:
    """The legal actions of a seat (counted from 1) in a record's words."""
    return [GAME.text(action) for action in GAME.legal(state, seat - 1)]


def message(text: str) -> Message:
    """An English or Chinese message as decks write it."""
    return read_message(text, Category.THING)


def deck_of(*messages: str, language: str = "en") -> Deck:
    """A deck with these messages in it, six a card, the last card filled up with numbers."""
    tongue = CHINESE if language == "zh-TW" else ENGLISH
    filled = [*messages, *(f"Filler {number}" for number in range(-len(messages) % 6))]
    rows = (filled[at : at + 6] for at in range(0, len(filled), 6))
    cards: tuple[Card, ...] = tuple(read_card(" | ".join(row), tongue) for row in rows)
    return Deck(language, cards)


WRITTEN = ("1 choose 4", "2 choose 3", "1 clues Book | John | Paul", "2 clues Washington | Avenue | 1600")
"""Both Insiders of a four-player game are done: The Bible, then The White House."""
