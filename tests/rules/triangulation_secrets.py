"""States of the word game that one viewer cannot tell apart."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count

from msgspec.structs import replace

from rules.triangulation.deck import CATEGORIES, Card, Deck, Message
from rules.triangulation.state import Mission, State


def shuffled_unknown(state: State, viewer: int | None, rng: random.Random) -> State:
    """The same game with everything made anew that the viewer (None: the public) may not know.

    These are all cards but the viewer's own of this round, the messages that others chose (in casual mode only the
    texts: categories are public), and their clues that lie face down. A game that is over still has its secrets: the
    messages nobody chose, and a message that was not guessed any more.
    """
    names = (f"Unknown {rng.getrandbits(32)} {number}" for number in count())
    cards = tuple(_new_card(names) for _ in state.deck.cards)
    missions: list[Mission | None] = []
    for at, mission in enumerate(state.missions):
        if mission is None:
            missions.append(None)
        elif mission.insider == viewer and viewer not in state.gone:
            cards = (*cards, state.deck.cards[mission.card])
            missions.append(replace(mission, card=len(cards) - 1))
        else:
            cards = (*cards, _new_card(names))
            missions.append(_made_anew(replace(mission, card=len(cards) - 1), state, at, rng))
    return replace(state, deck=Deck(state.deck.language, cards), missions=tuple(missions))


def secrets(state: State, viewer: int | None) -> set[str]:
    """The texts that the viewer may not know: messages and their forms, and clues that lie face down."""
    public = {text for done in state.finished for text in (done.message, *done.clues)}
    known = set(public)
    unknown: set[str] = set()
    for card in state.deck.cards:
        unknown |= {name for message in card.messages for name in message.names}
    for at, mission in enumerate(state.missions):
        if mission is not None and mission.insider == viewer and viewer not in state.gone:
            known |= {name for message in state.card(mission).messages for name in message.names}
            known |= set(mission.clues or ())
        elif mission is not None:
            known |= {(mission.clues or ())[clue] for clue in _flipped(state, at)}
            unknown |= set(mission.clues or ())
    return unknown - known


def _new_card(names: Iterator[str]) -> Card:
    return Card(tuple(Message(next(names), category) for category in CATEGORIES))


def _flipped(state: State, at: int) -> tuple[int, ...]:
    guessing = state.guessing
    return guessing.flipped if guessing is not None and guessing.mission == at else ()


def _made_anew(mission: Mission, state: State, at: int, rng: random.Random) -> Mission:
    chosen = mission.chosen
    if chosen is not None and not state.options.casual:
        chosen = rng.randrange(len(CATEGORIES))
    if mission.clues is None:
        return replace(mission, chosen=chosen)
    first, second, third = (
        text if clue in _flipped(state, at) else f"shut {rng.getrandbits(32)}"
        for clue, text in enumerate(mission.clues)
    )
    return replace(mission, chosen=chosen, clues=(first, second, third))
