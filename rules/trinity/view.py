"""What a viewer may know of a game: the only door to a state. Nothing here can hold more."""

from __future__ import annotations

import msgspec

from rules.game import Result
from rules.trinity.cards import POSITIONS, works
from rules.trinity.state import Answer, Player, Question, TrinityOptions, TrinityState


class PlayerView(msgspec.Struct, frozen=True):
    """What everybody may know of one seat.

    `targets`: the digit of each position, None where it is hidden or not yet chosen. `answers`: what was publicly
    learnt since their targets last changed, in order. `laid_open`: the hand of one who left, or of all at the end.
    """

    seat: int
    chosen: bool
    left: bool
    hand_size: int
    area: tuple[int, ...]
    targets: tuple[int | None, int | None, int | None]
    answers: tuple[Answer, ...]
    laid_open: tuple[int, ...] = ()


class Own(msgspec.Struct, frozen=True):
    """What the viewer's seat alone may know.

    Before they have chosen, `hand` holds the five cards to choose from and `targets` is empty. `foreseen`: the top
    cards of the pile as far as a 4 showed them and nobody has changed them since, the top first (with the question
    `ORDER`, these are the cards to order). `drawn`: the cards drawn to the hand this turn.
    """

    seat: int
    hand: tuple[int, ...]
    targets: tuple[int, ...]
    foreseen: tuple[int, ...]
    drawn: tuple[int, ...]


class View(msgspec.Struct, frozen=True):
    """The game as its viewer may know it; `own` is None for the public.

    `turn`: whose turn it is, before all have chosen who will start. `question`: what is to be decided by those in
    `to_act`; None when the game is over. `guesses`: how many are left this turn. `played`: the card played this turn.
    """

    options: TrinityOptions
    players: tuple[PlayerView, ...]
    pile_size: int
    turn: int
    question: Question | None
    to_act: tuple[int, ...]
    guesses: int
    played: int | None
    result: Result | None
    own: Own | None = None

    def opponents(self, seat: int) -> tuple[int, ...]:
        """The others still in the game, ascending."""
        return tuple(one.seat for one in self.players if one.seat != seat and not one.left)


def view(state: TrinityState, seat: int | None) -> View:
    """What that seat, or the public (None), may know; IndexError for a seat that is none.

    When the game is over all cards lie open, as the record then tells them anyway.
    """
    over = state.winner is not None
    return View(
        options=state.options,
        players=tuple(_public(number, player, over) for number, player in enumerate(state.players)),
        pile_size=len(state.pile),
        turn=state.turn,
        question=None if over else state.question,
        to_act=state.to_act(),
        guesses=state.guesses,
        played=state.played,
        result=result(state),
        own=None if seat is None else _own(state, seat),
    )


def result(state: TrinityState) -> Result | None:
    """The winner, once there is one."""
    return None if state.winner is None else Result((state.winner,))


def usable(known: View, seat: int, card: int) -> bool:
    """Whether the effect of this card could be used now if this seat played it from their hand."""
    others = [known.players[other] for other in known.opponents(seat)]
    return works(
        card,
        pile=known.pile_size,
        hand=known.players[seat].hand_size - 1,
        victims=any(other.hand_size for other in others),
        hidden=any(other.chosen and None in other.targets for other in others),
    )


def _public(seat: int, player: Player, over: bool) -> PlayerView:
    shown = [
        player.targets[position] if player.targets and (over or player.revealed[position]) else None
        for position in POSITIONS
    ]
    return PlayerView(
        seat=seat,
        chosen=bool(player.targets),
        left=player.left,
        hand_size=len(player.hand),
        area=player.area,
        targets=(shown[0], shown[1], shown[2]),
        answers=player.answers,
        laid_open=player.hand if over or player.left else (),
    )


def _own(state: TrinityState, seat: int) -> Own:
    if seat not in range(len(state.players)):
        raise IndexError(seat)
    player = state.players[seat]
    drawn = state.drawn if seat == state.turn else ()
    return Own(seat=seat, hand=player.hand, targets=player.targets, foreseen=player.foreseen, drawn=drawn)
