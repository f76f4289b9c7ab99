"""The board of Triangulation chess in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bot.render import ALT_LENGTH, TEXT_LENGTH
from bot.render.chess.pieces import ARMIES
from bot.render.chess.terms import (
    ENDINGS,
    KIND_NAMES,
    armies,
    army,
    checks,
    duty,
    kind_of,
    player_of,
    prisoners,
    standing,
)
from bot.render.descriptions import within
from bot.words import Words
from rules.chess.actions import text_of
from rules.chess.board import COLOURS, NAMES, NEUTRAL
from rules.chess.view import Check, ChessView


def alt(view: ChessView, words: Words, names: Sequence[str]) -> str:
    """The position's essentials in at most `ALT_LENGTH` characters."""
    return within(
        ALT_LENGTH,
        names,
        lambda these: _sentences([*_now(view, words, these), *_last(view, words), *_strength(view, words)]),
        lambda these: _sentences([*_now(view, words, these), *_last(view, words)]),
        lambda these: _sentences(_now(view, words, these)),
        lambda these: _sentences(_now(view, words, ())),
    )


def as_text(view: ChessView, words: Words, names: Sequence[str]) -> str:
    """The whole board in words, in markdown, at most `TEXT_LENGTH` characters.

    Names stand in it as given: escape their markdown before.
    """
    return within(TEXT_LENGTH, names, lambda these: "\n".join(_told(view, words, these)))


def _told(view: ChessView, words: Words, names: Sequence[str]) -> Iterator[str]:
    yield _sentences([*_now(view, words, names), *_last(view, words)])
    for colour in COLOURS:
        yield from _told_army(view, words, names, colour)
    if any(piece.owner == NEUTRAL for piece in view.pieces):
        yield _entry(words, f"{ARMIES[NEUTRAL].symbol} {army(NEUTRAL, words)}", words("moves nothing, gives no check"))
        yield from _told_pieces(view, words, NEUTRAL)
    if view.offers:
        yield words("A draw is offered by {players}.", players=armies(view.offers, words))
    if view.quiet_limit is not None:
        yield words("Quiet turns: {quiet} of {limit}.", quiet=view.quiet, limit=view.quiet_limit)
    if view.times > 1:
        yield words("This position has come up {times} times.", times=view.times)


def _told_army(view: ChessView, words: Words, names: Sequence[str], colour: int) -> Iterator[str]:
    title = f"{ARMIES[colour].symbol} {player_of(view, colour, words, names)}"
    yield _entry(words, title, standing(view, colour, words))
    yield from _told_pieces(view, words, colour)
    held = [prisoner for prisoner in view.prisoners if prisoner.captor == colour]
    if held:
        yield "- " + words("Prisoners: {prisoners}", prisoners=prisoners(held, words))


def _told_pieces(view: ChessView, words: Words, owner: int) -> Iterator[str]:
    """The owner's pieces, a line a kind; those of another colour say which, as that is the way they go."""
    for kind in range(len(KIND_NAMES) - 1, -1, -1):
        found = [
            NAMES[piece.triangle]
            if piece.colour == owner
            else words("{triangle} ({colour})", triangle=NAMES[piece.triangle], colour=army(piece.colour, words))
            for piece in view.pieces
            if (piece.owner, piece.kind) == (owner, kind)
        ]
        if found:
            yield "- " + words("{title}: {value}", title=kind_of(kind, words), value=", ".join(found))


def _entry(words: Words, title: str, value: str) -> str:
    return words("{title}: {value}", title=f"**{title}**", value=value)


def _sentences(sentences: Iterable[str]) -> str:
    """Sentences in a row. Chinese has no space after its full stop."""
    return " ".join(sentences).replace("。 ", "。")


def _now(view: ChessView, words: Words, names: Sequence[str]) -> Iterator[str]:
    """Whose turn it is or how it ended, who is in check, checkmated, or must capture."""

    def named(colour: int) -> str:
        return player_of(view, colour, words, names) if names else army(colour, words)

    if view.result is not None:
        winners = words.series(named(view.colours[seat]) for seat in view.result.winners)
        yield words(ENDINGS[view.ending])
        yield (
            words("A draw between {players}.", players=winners)
            if view.result.draw
            else words("{player} wins.", player=winners)
        )
    if view.to_move is not None:
        yield words("To play: {player}.", player=named(view.to_move))
    for check in view.checks:
        yield words("{check}.", check=check_line(view, check, words))
    for mark in view.checkmated:
        yield words("{player} is checkmated.", player=army(mark.player, words))
    if line := duty_line(view, words):
        yield words("{check}.", check=line)


def check_line(view: ChessView, check: Check, words: Words, space: str = " ") -> str:
    """Who checks whom, and with what."""
    kinds = {piece.triangle: piece.kind for piece in view.pieces}
    with_what = words.series(
        f"{kind_of(kinds[triangle], words)}{space}{NAMES[triangle]}" for triangle in check.attackers
    )
    return words("{check} ({pieces})", check=checks(check.by, check.player, words), pieces=with_what)


def duty_line(view: ChessView, words: Words) -> str | None:
    """Whose General must be captured now, if any."""
    if view.to_move is None or not view.must_capture:
        return None
    return duty(view.to_move, view.must_capture, words)


def _last(view: ChessView, words: Words) -> Iterator[str]:
    if view.last is not None:
        yield words("Last move: {player} {move}.", player=army(view.last.player, words), move=text_of(view.last.action))


def _strength(view: ChessView, words: Words) -> Iterator[str]:
    counts = words.series(
        words("{name} {score}", name=army(colour, words), score=view.armies[colour].pieces)
        for colour in COLOURS
        if view.armies[colour].standing == "playing"
    )
    yield words("Pieces: {scores}.", scores=counts)
