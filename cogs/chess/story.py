"""What has happened in a game of Triangulation chess, in the rulebook's words."""

from __future__ import annotations

from collections.abc import Iterable

from bot.render.chess.terms import (
    ENDINGS,
    GENERAL,
    armies,
    army,
    checks,
    duty,
    kind_of,
    piece_of,
)
from bot.words import Words
from rules.chess.actions import (
    Captured,
    Castled,
    Checked,
    Checkmated,
    ChessAction,
    DoubleChecked,
    DrawDeclined,
    Drawn,
    Fell,
    Moved,
    MustCapture,
    NeutralFell,
    Passed,
    Rescued,
    TurnedNeutral,
    Won,
    text_of,
)
from rules.chess.board import NAMES, NEUTRAL
from rules.game import Event


def story(name: str, action: ChessAction | None, events: Iterable[Event], words: Words) -> str | None:
    """What somebody of this name did, and what came of it; None where it is nothing that is worth a word."""
    events = tuple(events)
    lines = [line for event in events if (line := _done(event, name, action, words))]
    lines += [line for event in events if (line := _came_of_it(event, words))]
    return " ".join(lines).replace("。 ", "。") or None


def _done(event: Event, name: str, action: ChessAction | None, words: Words) -> str | None:
    move = f"`{text_of(action)}`" if action else ""
    match event:
        case Moved(colour=colour, player=player, kind=kind):
            piece = kind_of(kind, words) if colour == player else piece_of(colour, kind, words)
            return words("{name}: {piece} {move}.", name=name, piece=piece, move=move)
        case Castled():
            return words("{name} castles: {move}.", name=name, move=move)
        case Passed():
            return words("{name} has no move and passes.", name=name)
    return None


def _came_of_it(event: Event, words: Words) -> str | None:
    return _of_pieces(event, words) or _of_armies(event, words) or _of_checks(event, words) or _of_the_end(event, words)


def _of_pieces(event: Event, words: Words) -> str | None:
    match event:
        case Captured(owner=owner, colour=colour, kind=kind) if kind != GENERAL:
            if owner == NEUTRAL:
                return words("It captures a neutral piece: {piece}.", piece=piece_of(colour, kind, words))
            piece = kind_of(kind, words) if owner == colour else piece_of(colour, kind, words)
            return words("It captures {owner}'s {piece}.", owner=army(owner, words), piece=piece)
        case Rescued(captor=captor, colour=colour, kind=kind, place=place, retreat=retreat):
            return words(
                "**It rescues a prisoner of {captor}: {piece}**, now on `{place}`. The Infantry goes to `{retreat}`.",
                captor=army(captor, words),
                piece=piece_of(colour, kind, words),
                place=NAMES[place],
                retreat=NAMES[retreat],
            )
    return None


def _of_armies(event: Event, words: Words) -> str | None:
    match event:
        case Fell(player=player, to=to, pieces=pieces, prisoners=prisoners):
            fell = words("⚔️ **{player}'s General is captured: {player} is out.**", player=army(player, words))
            return words.joined([fell, *_spoils(to, pieces, prisoners, words)])
        case NeutralFell(colour=colour, to=to, pieces=pieces):
            fell = words("⚔️ **The neutral General of {colour} is captured.**", colour=army(colour, words))
            return words.joined([fell, *_spoils(to, pieces, 0, words)])
        case TurnedNeutral(player=player, pieces=pieces, prisoners=prisoners):
            return words(
                "{player}'s army is neutral now ({pieces}); out of the game: {prisoners}.",
                player=army(player, words),
                pieces=_pieces(pieces, words),
                prisoners=_prisoners(prisoners, words),
            )
    return None


def _of_checks(event: Event, words: Words) -> str | None:
    match event:
        case Checked(player=player, by=by):
            return words("**{check}.**", check=checks(by, player, words))
        case DoubleChecked(player=player):
            return words("**Double check by {player}!**", player=army(player, words))
        case Checkmated(player=player, by=by):
            return words("**{player} is checkmated by {by}.**", player=army(player, words), by=armies(by, words))
        case MustCapture(player=player, generals=generals):
            return words("**{check}.**", check=duty(player, generals, words))
        case DrawDeclined():
            return words("The draw is declined by this move.")
    return None


def _of_the_end(event: Event, words: Words) -> str | None:
    match event:
        case Won(player=player):
            return words("🏆 **{player} wins: the last General.**", player=army(player, words))
        case Drawn(reason=reason):
            return words(ENDINGS[reason])
    return None


def _spoils(to: int, pieces: int, prisoners: int, words: Words) -> list[str]:
    """Who takes over what, in a sentence; none where nothing is left to take."""
    spoils = [_pieces(pieces, words)] * bool(pieces) + [_prisoners(prisoners, words)] * bool(prisoners)
    return [words("{to} takes over {spoils}.", to=army(to, words), spoils=words.series(spoils))] if spoils else []


def _pieces(count: int, words: Words) -> str:
    return words.many("{count} piece", "{count} pieces", count)


def _prisoners(count: int, words: Words) -> str:
    return words.many("{count} prisoner", "{count} prisoners", count)


def what_it_takes(owner: int, colour: int, kind: int, words: Words) -> str:
    """What a move would capture, for a menu."""
    if kind == GENERAL:
        return words("captures {player}'s General", player=army(colour if owner == NEUTRAL else owner, words))
    if owner == colour:
        return words("captures {piece}", piece=piece_of(colour, kind, words))
    if owner == NEUTRAL:
        return words("captures a neutral piece: {piece}", piece=piece_of(colour, kind, words))
    return words("captures {piece} of {owner}", piece=piece_of(colour, kind, words), owner=army(owner, words))
