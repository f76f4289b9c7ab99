"""States of TRiNITY that one viewer cannot tell apart."""

from __future__ import annotations

import random

import msgspec

from rules.trinity.state import Player, TrinityState


def shuffled_unknown(state: TrinityState, viewer: int | None, rng: random.Random) -> TrinityState:
    """The same game with every card that the viewer (None: the public) may not know dealt anew at random.

    These are the hands and hidden targets of the others still in the game, and the pile below what a 4 has shown the
    viewer. Everything else is kept, the answers given so far too: they need not fit the new targets, as nothing may
    be shown that depends on it. A game that is over has no secrets and comes back as it is.
    """
    if state.winner is not None:
        return state
    others = [seat for seat, player in enumerate(state.players) if seat != viewer and not player.left]
    known = 0 if viewer is None else len(state.players[viewer].foreseen)
    cards = [*state.pile[known:]]
    for seat in others:
        cards += [*state.players[seat].hand, *_hidden(state.players[seat])]
    rng.shuffle(cards)
    players = list(state.players)
    for seat in others:
        players[seat] = _dealt_anew(players[seat], cards)
    pile = (*state.pile[:known], *cards)
    for seat in others:
        players[seat] = msgspec.structs.replace(players[seat], foreseen=pile[: len(players[seat].foreseen)])
    drawn = state.drawn if viewer == state.turn else tuple(rng.randrange(10) for _ in state.drawn)
    return msgspec.structs.replace(state, players=tuple(players), pile=pile, drawn=drawn)


def _hidden(player: Player) -> list[int]:
    return [target for target, shown in zip(player.targets, player.revealed, strict=False) if not shown]


def _dealt_anew(player: Player, cards: list[int]) -> Player:
    """The player with as many cards as before, taken from the end of `cards`."""
    hand = tuple(cards.pop() for _ in player.hand)
    targets = tuple(
        target if shown else cards.pop() for target, shown in zip(player.targets, player.revealed, strict=False)
    )
    return msgspec.structs.replace(player, hand=hand, targets=targets)
