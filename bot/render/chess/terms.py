"""What the armies and pieces of Triangulation chess are called, and the sentences that pictures and messages share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.words import Words
from rules.chess.board import NAMES, NEUTRAL, Triangle
from rules.chess.view import ChessView, Prisoner
from rules.game import translatable

ARMY_NAMES = (translatable("Red"), translatable("Green"), translatable("Blue"), translatable("Neutral"))
"""By owner."""
KIND_NAMES = (translatable("Infantry"), translatable("Rukh"), translatable("Cavalry"), translatable("General"))
"""By kind."""
INFANTRY, RUKH, CAVALRY, GENERAL = range(4)

ENDINGS = {
    "last": translatable("Only one General is left."),
    "bare": translatable("Only Generals are left: a draw at once."),
    "agreed": translatable("A draw is agreed."),
    "quiet": translatable("Nothing has been captured, rescued or advanced for too long: a draw."),
    "repetition": translatable("The same position for the third time: a draw."),
}
"""Why a game ended, by `ChessView.ending`."""


def army(owner: int, words: Words) -> str:
    """An army's or owner's name."""
    return words(ARMY_NAMES[owner])


def armies(owners: Iterable[int], words: Words) -> str:
    """Several of them as a series."""
    return words.series(army(owner, words) for owner in owners)


def kind_of(kind: int, words: Words) -> str:
    """A kind's name."""
    return words(KIND_NAMES[kind])


def piece_of(colour: int, kind: int, words: Words) -> str:
    """A piece by colour and kind."""
    return words("{colour} {kind}", colour=army(colour, words), kind=kind_of(kind, words))


def triangles(found: Iterable[Triangle]) -> str:
    """Names of triangles in a row."""
    return ", ".join(NAMES[triangle] for triangle in found)


def checks(by: Sequence[int], player: int, words: Words) -> str:
    """Who checks whom, in the rulebook's words."""
    return words.many(
        "{attackers} checks {player}",
        "{attackers} check {player}",
        len(by),
        attackers=armies(by, words),
        player=army(player, words),
    )


def duty(player: int, generals: Sequence[int], words: Words) -> str:
    """Who must capture whom."""
    whose = words.series((words("{player}'s General", player=army(general, words)) for general in generals), "or")
    return words("{player} must capture {generals}", player=army(player, words), generals=whose)


def prisoners(held: Iterable[Prisoner], words: Words) -> str:
    """Prisoners with their numbers."""
    return words.series(
        words("{count} {piece}", count=prisoner.count, piece=piece_of(prisoner.colour, prisoner.kind, words))
        for prisoner in held
    )


def player_of(view: ChessView, colour: int, words: Words, names: Sequence[str]) -> str:
    """A colour with its player's name."""
    seat = None if colour == NEUTRAL else view.armies[colour].seat
    if seat is None:
        return army(colour, words)
    return words("{colour} ({name})", colour=army(colour, words), name=names[seat])


def standing(view: ChessView, colour: int, words: Words) -> str:
    """How an army stands, in a few words."""
    this = view.armies[colour]
    if this.standing == "left":
        return words("left: neutral now")
    if this.standing == "neutral":
        return words("neutral")
    if this.standing == "out":
        if this.fell_to is None:
            return words("out of the game")
        return words("fell to {player}", player=army(this.fell_to, words))
    if mark := next((mark for mark in view.checkmated if mark.player == colour), None):
        return words("checkmated by {players}", players=armies(mark.attackers, words))
    if check := next((check for check in view.checks if check.player == colour), None):
        return words("in check by {players}", players=armies(check.by, words))
    return words.many("{count} piece", "{count} pieces", this.pieces)


def short_standing(view: ChessView, colour: int, words: Words) -> str:
    """How an army stands, in a word or two, where a picture tells the rest."""
    if any(mark.player == colour for mark in view.checkmated):
        return words("Checkmated")
    if any(check.player == colour for check in view.checks):
        return words("In check")
    return standing(view, colour, words)
