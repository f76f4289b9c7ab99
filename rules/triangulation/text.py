"""The texts of actions and events."""

from __future__ import annotations

import re

from rules.game import Event as AnyEvent
from rules.game import Illegal, Left, Open, Unreadable
from rules.triangulation import events
from rules.triangulation.actions import (
    CLUE_NAMES,
    Action,
    Agree,
    Choose,
    Clues,
    Flip,
    Guess,
    Judge,
    Pass,
    Volunteer,
)
from rules.triangulation.clues import tidy
from rules.triangulation.state import State

BAR = "|"
"""What parts three clues."""

RULINGS = {"right": True, "yes": True, "correct": True, "wrong": False, "no": False, "incorrect": False}


def action_text(action: Action | Open) -> str:
    """The canonical text of an action, or of a pattern of actions."""
    match action:
        case Volunteer():
            return "insider"
        case Choose(message):
            return f"choose {message + 1}"
        case Clues(texts):
            return f"clues {f' {BAR} '.join(tidy(text) for text in texts)}"
        case Flip(clue):
            return f"flip {CLUE_NAMES[clue]}"
        case Guess(text):
            return f"guess {tidy(text)}"
        case Agree():
            return "agree"
        case Pass():
            return "pass"
        case Judge(right):
            return f"judge {'right' if right else 'wrong'}"
        case Open():
            return action.text


def parse(state: State, seat: int, text: str) -> Action:
    """The action that a text means; raises `Unreadable` or `Illegal`.

    Case and spaces around do not matter. `choose` takes a number or a message of the seat's own card, `flip` a letter;
    `decline` is `pass`.
    """
    verb, rest = [*text.split(maxsplit=1), "", ""][:2]
    rest = tidy(rest)
    match verb.casefold():
        case "insider" if not rest:
            return Volunteer()
        case "choose":
            return Choose(_message(state, seat, rest))
        case "clues":
            return _clues(rest)
        case "flip":
            return Flip(_clue(rest))
        case "guess" if rest:
            return Guess(rest)
        case "agree" if not rest:
            return Agree()
        case "pass" | "decline" if not rest:
            return Pass()
        case "judge" if rest.casefold() in RULINGS:
            return Judge(RULINGS[rest.casefold()])
    raise Unreadable("action", text=text[:40])


def _message(state: State, seat: int, text: str) -> int:
    number = re.fullmatch(r"([0-9]{1,3})\.?", text)
    if number:
        return int(number[1]) - 1
    at = state.mission_of(seat)
    key = state.deck.tongue.key_of(text)
    if at is not None and key:
        for place, message in enumerate(state.card(state.known_mission(at)).messages):
            if any(state.deck.tongue.key_of(name) == key for name in message.names):
                return place
    raise Unreadable("message", text=text[:40])


def _clues(text: str) -> Clues:
    texts = [tidy(part) for part in text.split(BAR)]
    if len(texts) != len(CLUE_NAMES):
        raise Illegal("three_clues", count=len(texts))
    return Clues((texts[0], texts[1], texts[2]))


def _clue(text: str) -> int:
    letter = text.upper()
    if len(letter) != 1 or letter not in CLUE_NAMES:
        raise Unreadable("clue", text=text[:40])
    return CLUE_NAMES.index(letter)


def said(event: AnyEvent) -> str | None:
    """A public event in a record's words; None for one that records do not tell."""
    match event:
        case Left(seat):
            return f"left {seat + 1}"
        case events.CategoryNamed(_, category):
            return f"category {category}"
        case events.Proposed(_, text):
            return "proposes" if text is None else f"proposes {text}"
        case events.CluesDown():
            return "done"
        case events.ClueFlipped(_, clue, text):
            return f"clue {CLUE_NAMES[clue]} {text}"
        case events.Ruled(right):
            return "right" if right else "wrong"
        case events.RulingAsked():
            return "ask"
        case events.PointScored(side):
            return f"point {side + 1}"
        case events.MessageShown(_, text):
            return f"message {text}"
    return None
