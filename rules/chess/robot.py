"""House players of Triangulation chess: a search ahead with quiescence, on the bit sets of the rules.

With three players the two others are taken to play together against the one who searches. Values are in hundredths
of an Infantry, from the point of view of the one who searches.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from rules import game
from rules.chess import position
from rules.chess.actions import ChessAction, coded
from rules.chess.board import ALL, BESIDES, BIT, COLOURS, NEUTRAL, OPPOSITES, SIDES, TRIANGLES, Colour, Triangle
from rules.chess.moves import PASS, Move, duties, exposure, legal_moves, make, reach, start_of, target_of, unmake
from rules.chess.position import FIRST_GENERAL, GENERALS, PIECES, Piece, Position
from rules.chess.view import ChessView
from rules.game import OutOfTime, translatable

WORTH: Final = (100, 520, 330, 0)
"""By kind. A General is worth what falls with it: its owner's army changes sides."""
ADVANCE: Final = 7
"""For each row that an Infantry has gone from its corner."""
APPROACH: Final = (2, 3, 5, 0)
"""By kind: for each row nearer to the General it is after."""
GUARD: Final = 9
"""For each own piece beside a General."""
CONQUEST: Final = 1500
"""For a checkmate that is ours, with three players: the General may fall to us, or to somebody else."""
WON: Final = 100_000
"""Less one for each move until then."""
NOISE: Final = 60
"""How far off a beginner's judgement is."""
MARGIN: Final = 150
"""How much more than the captured piece a capture may bring about."""
QUIET: Final = 6
"""How many captures in a row are looked at."""
DEEPEST: Final = 30


class Robot(game.Robot):
    """Chess has no secrets: the search begins at the position that the view shows."""

    LEVELS = game.levels(
        easy=translatable("Takes what it can get, and does not look at what that costs."),
        normal=translatable("Looks at its own moves and at the exchanges that follow."),
        hard=translatable("Looks as many moves ahead as time allows, and misses no checkmate in one."),
    )

    def choose(
        self, view: ChessView, legal: Sequence[ChessAction], rng: random.Random, out_of_time: OutOfTime
    ) -> ChessAction:
        """The action that this level thinks best; of equals one by lot. A General that may be taken is taken."""
        choices = {coded(action): action for action in rng.sample(legal, len(legal))}
        search = Search(position.read(view.position).copy(), out_of_time)
        moves = search.musts(list(choices), mates=self.level != "easy")
        match self.level:
            case "easy":
                best = max(moves, key=lambda move: search.booty(move) + search.progress(move) + NOISE * rng.random())
            case "normal":
                best = search.best_now(moves)
            case _:
                best = search.deepened(moves)
        return choices[best]


# -- Judging a position --------------------------------------------------------------------------------------------


AROUND: Final = tuple(SIDES[at] | OPPOSITES[at] | BESIDES[at] for at in ALL)
"""By triangle: those a General could go to."""


def _rows_between(one: Triangle, other: Triangle) -> int:
    return max(abs(here - there) for here, there in zip(TRIANGLES[one], TRIANGLES[other], strict=True))


def _standing(piece: Piece, at: Triangle, prey: Triangle) -> int:
    kind, colour = divmod(piece, 3)
    advance = ADVANCE * TRIANGLES[at][colour] if kind == 0 else 0
    return WORTH[kind] + advance - APPROACH[kind] * _rows_between(at, prey)


@lru_cache(maxsize=len(ALL))
def standings(prey: Triangle) -> tuple[tuple[int, ...], ...]:
    """By piece and triangle: what it is worth there, if the General it is after stands on `prey`."""
    return tuple(tuple(_standing(piece, at, prey) for at in ALL) for piece in PIECES)


def strength(here: Position, player: Colour, prey: Colour) -> int:
    """What a player's army is worth, if it is after the General of `prey`."""
    table = standings(here.generals[prey])
    guards = (AROUND[here.generals[player]] & here.own[player]).bit_count()
    return sum([table[piece][at] for at, piece in here.armies[player].items()]) + GUARD * min(guards, 4)


# -- Searching -----------------------------------------------------------------------------------------------------


class OutOfThought(Exception):
    """Time is up in the middle of a search."""


class Search:
    """One search from a position, which is its own to play on."""

    def __init__(self, here: Position, out_of_time: OutOfTime) -> None:
        self.here = here
        self.me = here.turn
        self.out_of_time = out_of_time
        self.killers: list[Move] = [0] * (2 * DEEPEST)
        """By how deep in the search: the last quiet move that proved too good."""
        self.merits: dict[Move, int] = {}
        """How often and how high up a quiet move proved too good."""

    # -- At the root --

    def musts(self, moves: list[Move], mates: bool) -> list[Move]:
        """Of these moves those that take a General, a player's rather than a neutral one; else the mates; else all."""
        here = self.here
        neutral = here.own[NEUTRAL]
        generals = [move for move in moves if BIT[target_of(move)] & here.sets[GENERALS] & ~here.own[self.me]]
        players = [move for move in generals if not BIT[target_of(move)] & neutral]
        return players or generals or [move for move in moves if mates and self._mates(move)] or moves

    def _mates(self, move: Move) -> bool:
        """Whether it checkmates the next player, and is safe."""
        here = self.here
        if exposure(here, move):
            return False
        undo = make(here, move)
        mates = bool(here.mark_of(here.turn) >> self.me & 1) and not here.over
        unmake(here, undo)
        return mates

    def best_now(self, moves: Sequence[Move]) -> Move:
        """The best if one looks at nothing but exchanges after it."""
        worths = {}
        for move in moves:
            undo = make(self.here, move)
            worths[move] = self._quiet(-WON, WON, 2, 1)
            unmake(self.here, undo)
        return max(moves, key=worths.__getitem__)

    def deepened(self, moves: Sequence[Move]) -> Move:
        """The best, looking one move farther ahead each time until time is up."""
        order = sorted(moves, key=lambda move: self.booty(move) + self.progress(move), reverse=True)
        if len(order) == 1:
            return order[0]
        try:
            for depth in range(DEEPEST):
                if self._sort(order, depth) >= WON - DEEPEST:
                    break
        except OutOfThought:
            pass  # What was found out until then stands in the order.
        return order[0]

    def _sort(self, order: list[Move], depth: int) -> int:
        """Bring the best move to the front if one looks so many moves beyond it; returns its value.

        What is found better than those before it comes to the front at once, and stays there should time be up.
        """
        best = -2 * WON
        for move in order.copy():
            undo = make(self.here, move)
            value = self._value(depth, best, 2 * WON, 1)
            unmake(self.here, undo)
            if value > best:
                best = value
                order.remove(move)
                order.insert(0, move)
        return best

    # -- Looking ahead --

    def _value(self, depth: int, least: int, most: int, ply: int) -> int:
        """What the position is worth; exactly where that lies between `least` and `most`."""
        if self.out_of_time():
            raise OutOfThought
        here = self.here
        decided = self._decided(ply)
        if decided is not None:
            return decided
        if depth <= 0 and not here.check:
            return self._quiet(least, most, QUIET, ply)
        if ply >= DEEPEST:
            return self.worth(ply)
        ours = here.turn == self.me
        best = -2 * WON if ours else 2 * WON
        for move in self._ordered(ply):
            undo = make(here, move)
            value = self._value(depth - 1, least, most, ply + 1)
            unmake(here, undo)
            if ours:
                best = max(best, value)
                least = max(least, value)
            else:
                best = min(best, value)
                most = min(most, value)
            if least >= most:
                self._remember(move, depth, ply)
                break
        return best

    def _quiet(self, least: int, most: int, captures: int, ply: int) -> int:
        """What the position is worth once nothing more is worth taking."""
        here = self.here
        decided = self._decided(ply)
        if decided is not None:
            return decided
        best = self.worth(ply)
        if captures == 0:
            return best
        ours = here.turn == self.me
        for move in self._captures():
            if ours:
                least = max(least, best)
                hopeless = best + self.booty(move) + MARGIN <= least
            else:
                most = min(most, best)
                hopeless = best - self.booty(move) - MARGIN >= most
            if least >= most:
                break
            if hopeless:
                continue
            undo = make(here, move)
            value = self._quiet(least, most, captures - 1, ply + 1)
            unmake(here, undo)
            best = max(best, value) if ours else min(best, value)
        return best

    def _decided(self, ply: int) -> int | None:
        """What the position is worth where the game, or our game, is over or as good as over."""
        here = self.here
        if not here.playing >> self.me & 1:
            return ply - WON
        if here.over:
            return 0 if len(here.players) > 1 else WON - ply
        if here.marks and len(here.players) == 2 and here.mark_of(here.turn):
            return ply + 1 - WON if here.turn == self.me else WON - ply - 1
        return None

    def worth(self, ply: int) -> int:
        """What the position is worth as it stands."""
        here, me = self.here, self.me
        others = [colour for colour in COLOURS if colour != me and here.playing >> colour & 1]
        strengths = [strength(here, other, me) for other in others]
        prey = others[strengths.index(min(strengths))]
        worth = strength(here, me, prey) - (sum(strengths) + max(strengths) * len(others)) // (2 * len(others))
        if here.marks:
            worth += CONQUEST * sum(here.mark_of(other) >> me & 1 for other in others)
            worth -= 2 * CONQUEST if here.mark_of(me) else 0
        return worth

    # -- Moves --

    def booty(self, move: Move) -> int:
        """What the piece that the move takes is worth, if it takes one."""
        target, here = target_of(move), self.here
        if move == PASS or not BIT[target] & here.occupied & ~here.own[here.turn]:
            return 0
        taken = here.piece_at(target)
        assert taken is not None, "the triangle is occupied"
        return CONQUEST if taken >= FIRST_GENERAL else WORTH[taken // 3]

    def progress(self, move: Move) -> int:
        """How much better the piece that moves will stand."""
        here = self.here
        piece = here.armies[here.turn].get(start_of(move))
        if piece is None or move == PASS:
            return 0
        prey = next(colour for colour in (1, 2, 0) if colour != here.turn and here.playing >> colour & 1)
        table = standings(here.generals[prey])[piece]
        return table[target_of(move)] - table[start_of(move)]

    def _ordered(self, ply: int) -> list[Move]:
        """The legal moves: captures first, the greatest first, then what proved good elsewhere."""
        here, merits = self.here, self.merits
        others = here.occupied & ~here.own[here.turn]
        killer = self.killers[ply]

        def rank(move: Move) -> int:
            if BIT[target_of(move)] & others and move != PASS:
                return self.exchange(move) + WON
            return WON if move == killer else merits.get(move, 0)

        return sorted(legal_moves(here), key=rank, reverse=True)

    def exchange(self, move: Move) -> int:
        """What a capture takes, less a little for what it risks."""
        piece = self.here.armies[self.here.turn][start_of(move)]
        return self.booty(move) - WORTH[piece // 3] // 8

    def _captures(self) -> list[Move]:
        """The safe captures, or those that are a duty; the greatest first."""
        here = self.here
        found = duties(here) if here.marks else []
        if not found:
            mine, occupied = here.own[here.turn], here.occupied
            others = occupied & ~mine
            for start, piece in here.armies[here.turn].items():
                targets = reach(start, piece, occupied, mine) & others
                while targets:
                    low = targets & -targets
                    targets ^= low
                    move = start | low.bit_length() - 1 << 6
                    if not exposure(here, move):
                        found.append(move)
        return sorted(found, key=self.exchange, reverse=True)

    def _remember(self, move: Move, depth: int, ply: int) -> None:
        if not self.booty(move):
            self.killers[ply] = move
            self.merits[move] = self.merits.get(move, 0) + (depth + 2) ** 2
