"""House players of Triggle: a search ahead on sets of bits, captures first.

What a position still holds for its players does not depend on what they have, so the search counts gains from here on
and remembers positions by the set of bands on the board, however it came about. With two players it is alpha-beta,
with windows of no width as in MTD(f), since values are small numbers. With three or four it goes through its own ways
against what it expects of the others. But for the last band, it looks only at those that seem best at first sight.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import msgspec

from rules import game
from rules.game import OutOfTime, translatable
from rules.triggle.board import board
from rules.triggle.parts import Place, View
from rules.triggle.play import Members, Tables, tables

MOST: Final = 1000
"""More than all the pieces of a game."""
WIDTHS: Final = (4, 4, 5, 5, 6, 6, 8, 8, 10)
"""How many bands a search of two looks at, by how many bands deep it is still to go, from two on; farther up as many
as last. The last band of all it chooses from all there are."""
CROWD: Final = 6
"""The same for our own bands with three or four players."""


class Robot(game.Robot):
    """Triggle has no secrets: the search begins at the position that the view shows."""

    LEVELS = game.levels(
        easy=translatable("Takes the triangles it sees, and not a thought for what that opens to others."),
        normal=translatable("Looks at what the next player could take."),
        hard=translatable("Looks as many bands ahead as time allows, at last to the end of the game."),
    )

    def choose(self, view: View, legal: Sequence[Place], rng: random.Random, out_of_time: OutOfTime) -> Place:
        """The band that this level thinks best; of equals one by lot."""
        names = board(view.side).names
        bands = [names.number[action.band] for action in legal]
        rng.shuffle(bands)
        search = (Duel if len(view.seats) - len(view.left) == 2 else Crowd)(view, out_of_time)
        here = position_of(view)
        if view.pieces_left is not None:
            pieces = view.pieces_left[view.to_act[0]]
            # The last piece wins at once.
            bands = [band for band in bands if search.gain(here, band) >= pieces] or bands
        match self.level:
            case "easy":
                best = max(bands, key=lambda band: search.gain(here, band))
            case "normal":
                best = search.at_first_sight(here, bands)[0]
            case _:
                best = search.deepened(here, bands)
        return Place(names.bands[best])


# -- Positions -----------------------------------------------------------------------------------------------------

Sides = tuple[int, int, int]
"""Per direction: the triangles whose side in it is covered."""


class Here(msgspec.Struct, frozen=True):
    """A position in a search: the bands on the board, what they cover, touch and forbid, what may be placed, and how
    many bands are still to come. All but the last are sets."""

    bands: int
    covered: int
    near: int
    spent: int
    legal: int
    sides: Sides
    to_come: int

    def lacking(self) -> Sides:
        """Per direction: the triangles that lack just their side in it."""
        first, second, third = self.sides
        return second & third & ~first, first & third & ~second, first & second & ~third

    def half(self) -> Sides:
        """Per direction: the triangles that lack their side in it and one other."""
        first, second, third = self.sides
        return (second ^ third) & ~first, (first ^ third) & ~second, (first ^ second) & ~third


class Shapes(msgspec.Struct, frozen=True):
    """What a search needs of a board beside the tables of placing.

    Every triangle has one side in each of the three directions, and a band lies in one of them. So the sides covered
    are three sets of triangles, and what a band closes is one `&`.
    """

    direction: tuple[int, ...]
    """Per band: its direction, 0 to 2."""
    beside: tuple[int, ...]
    """Per band: the triangles at its segments."""
    numbers: Members[int]
    """The numbers in a set of bands."""


@lru_cache(maxsize=8)
def shapes(side: int) -> Shapes:
    """The shapes of a board."""
    this = board(side)
    steps = []
    for band in this.bands.values():
        first, second = this.pegs[band.pegs[0]], this.pegs[band.pegs[1]]
        steps.append((second.q - first.q, second.r - first.r))
    directions = sorted(set(steps))
    return Shapes(
        direction=tuple(directions.index(step) for step in steps),
        beside=tuple(sum(triangle for triangle, _ in triangles) for triangles in tables(side, False).triangles),
        numbers=Members(range(len(steps))),
    )


def placed(these: Tables, shape: Shapes, here: Here, band: int) -> Here:
    """The position with one more band. As `play.place`, with the triangles' sides in place of the triangles."""
    covered = here.covered | these.segments[band]
    first_segment, line, spent_by = these.spent[band]
    spent = here.spent | these.bits[band] | spent_by[covered >> first_segment & line]
    near = here.near | these.near[band]
    first, second, third = here.sides
    beside, direction = shape.beside[band], shape.direction[band]
    if direction == 0:
        first |= beside
    elif direction == 1:
        second |= beside
    else:
        third |= beside
    bands = here.bands | these.bits[band]
    return Here(bands, covered, near, spent, near & ~spent, (first, second, third), here.to_come - 1)


def position_of(view: View) -> Here:
    """The position that the view shows."""
    these, shape, number = (
        tables(view.side, view.options.overlap == "free"),
        shapes(view.side),
        board(view.side).names.number,
    )
    here = Here(0, 0, 0, 0, these.all_bands, (0, 0, 0), sum(view.bands_left) + len(view.bands))
    for band in view.bands:
        here = placed(these, shape, here, number[band.band])
    return msgspec.structs.replace(here, to_come=sum(view.bands_left))


# -- Searching -----------------------------------------------------------------------------------------------------


class OutOfThought(Exception):
    """Time is up in the middle of a search."""


Child = tuple[int, Here]
"""What a band gains its player, and the position it leads to."""


class Search:
    """What all searches share: the board, the time, and what was found out about positions, by their bands."""

    def __init__(self, view: View, out_of_time: OutOfTime) -> None:
        self.these = tables(view.side, view.options.overlap == "free")
        self.shape = shapes(view.side)
        self.out_of_time = out_of_time
        self.worth = 1 if view.options.goal == "most" else -1
        self.to_come = sum(view.bands_left)
        self.replies: dict[int, int] = {}
        self.children_of: dict[int, list[Child]] = {}

    def gain(self, here: Here, band: int) -> int:
        """What the band is worth at once."""
        lacking = here.lacking()[self.shape.direction[band]]
        return self.worth * (self.shape.beside[band] & lacking).bit_count()

    def reply(self, here: Here) -> int:
        """The most that whoever is to move can gain at once."""
        if not here.to_come or not here.legal:
            return 0
        found = self.replies.get(here.bands)
        if found is None:
            found = 0
            lacking, beside, direction = here.lacking(), self.shape.beside, self.shape.direction
            if any(lacking):
                numbers = self.shape.numbers.of(here.legal)
                gains = [(beside[band] & lacking[direction[band]]).bit_count() for band in numbers]
                found = max(gains) if self.worth > 0 else -min(gains)
            self.replies[here.bands] = found
        return found

    def balance(self, here: Here, band: int) -> int:
        """What the band gains, less what the next player could gain then."""
        return self.gain(here, band) - self.reply(placed(self.these, self.shape, here, band))

    def at_first_sight(self, here: Here, bands: Sequence[int]) -> list[int]:
        """The bands, the best balance first."""
        return sorted(bands, key=lambda band: self.balance(here, band), reverse=True)

    def children(self, here: Here) -> list[Child]:
        """What the bands that seem best lead to. Callers may put first what proved best."""
        found = self.children_of.get(here.bands)
        if found is None:
            if self.out_of_time():
                raise OutOfThought
            best = self._promising(here)[: WIDTHS[-1]]
            found = [(self.gain(here, band), placed(self.these, self.shape, here, band)) for band in best]
            self.children_of[here.bands] = found
        return found

    def _promising(self, here: Here) -> list[int]:
        """The legal bands, the best first: they close many triangles, and leave few more with one side to go."""
        lacking, half = here.lacking(), here.half()
        beside, direction, worth = self.shape.beside, self.shape.direction, self.worth
        # Number and merit in one integer, which is quicker to sort than a pair.
        merits = [
            worth
            * (
                2 * (beside[band] & lacking[direction[band]]).bit_count()
                - min((beside[band] & half[direction[band]]).bit_count(), 3)
            )
            << 8
            | band
            for band in self.shape.numbers.of(here.legal)
        ]
        merits.sort(reverse=True)
        return [merit & 255 for merit in merits]

    def deepened(self, here: Here, bands: Sequence[int]) -> int:
        """The best of the bands, looking one band farther ahead each time until time is up."""
        order = self.at_first_sight(here, bands)
        try:
            for depth in range(1, here.to_come):
                self._sort(here, order, depth)
        except OutOfThought:
            pass  # What was found out until then stands in the order.
        return order[0]

    def _sort(self, here: Here, order: list[int], depth: int) -> None:
        """Bring the band to the front that is best if one looks `depth` bands beyond it.

        What is found better than those before it comes to the front at once, and stays there should time be up.
        """
        raise NotImplementedError


class Duel(Search):
    """Two players."""

    def __init__(self, view: View, out_of_time: OutOfTime) -> None:
        super().__init__(view, out_of_time)
        self.bounds: dict[tuple[int, int], tuple[int, int]] = {}

    def _sort(self, here: Here, order: list[int], depth: int) -> None:
        best = -MOST
        for band in order.copy():
            child, gain = placed(self.these, self.shape, here, band), self.gain(here, band)
            if gain - self._bound(child, depth, gain - best) > best:
                best = gain - self._value(child, depth)
                order.remove(band)
                order.insert(0, band)

    def _value(self, here: Here, depth: int) -> int:
        """What the mover gains more than the other from here on, if one looks so many bands ahead."""
        least, most = -MOST, MOST
        guess = self.reply(here)
        while least < most:
            wanted = guess + 1 if guess == least else guess
            guess = self._bound(here, depth, wanted)
            if guess >= wanted:
                least = guess
            else:
                most = guess
        return least

    def _bound(self, here: Here, depth: int, wanted: int) -> int:
        """As `_value`, as exactly as it takes to tell whether that reaches `wanted`.

        If the result does, the value is at least the result; else it is at most that.
        """
        if not here.to_come or not here.legal:
            return 0
        depth = min(depth, here.to_come)
        if depth == 0:
            return self.reply(here)
        key = here.bands, depth
        least, most = self.bounds.get(key, (-MOST, MOST))
        if least >= wanted or most < wanted:
            return least if least >= wanted else most
        best = self._last_look(here, wanted) if depth == 1 else self._look(here, depth, wanted)
        self.bounds[key] = (best, most) if best >= wanted else (least, best)
        return best

    def _look(self, here: Here, depth: int, wanted: int) -> int:
        """`_bound` by the bands that seem best; the one that proves best will be looked at first from now on."""
        children = self.children(here)
        best, best_place = -MOST, 0
        for place, (gain, child) in enumerate(children[: WIDTHS[min(depth - 2, len(WIDTHS) - 1)]]):
            value = gain - self._bound(child, depth - 1, gain - wanted + 1)
            if value > best:
                best, best_place = value, place
                if value >= wanted:
                    break
        children.insert(0, children.pop(best_place))
        return best

    def _last_look(self, here: Here, wanted: int) -> int:
        """`_bound` by all bands, each with nothing but the best reply to it."""
        best = -MOST
        for gain, band in self._by_gain(here):
            # Where closing is good, a reply is worth something or nothing, and never makes a band better.
            if self.worth > 0 and (gain < wanted or gain <= best):
                return max(best, gain)
            best = max(best, gain - self.reply(placed(self.these, self.shape, here, band)))
            if best >= wanted:
                break
        return best

    def _by_gain(self, here: Here) -> Iterator[tuple[int, int]]:
        """Gains and bands, the best first; of equal gains, first what leaves fewer triangles with one side to go."""
        lacking, half = here.lacking(), here.half()
        beside, direction, worth = self.shape.beside, self.shape.direction, self.worth
        merits = [
            8 * worth * (beside[band] & lacking[direction[band]]).bit_count()
            - (beside[band] & half[direction[band]]).bit_count()
            << 8
            | band
            for band in self.shape.numbers.of(here.legal)
        ]
        merits.sort(reverse=True)
        # A band lies beside six triangles at most: rounded up, eighths give the gain back.
        return (((merit >> 8) + 7 >> 3, merit & 255) for merit in merits)


class Crowd(Search):
    """Three or four players: our best ways against what the others will do if they look at their gain and the reply."""

    def __init__(self, view: View, out_of_time: OutOfTime) -> None:
        super().__init__(view, out_of_time)
        seats = [(view.to_act[0] + turn) % len(view.seats) for turn in view.seats]
        self.scores = tuple(self.worth * view.scores[seat] for seat in seats if seat not in view.left)
        """What everybody has, from us on in the order of turns."""
        self.expected: dict[int, Child] = {}

    def deepened(self, here: Here, bands: Sequence[int]) -> int:
        """The best in the long run of those that are best at first sight.

        What the others will do is too uncertain to give anything up for it: to do so proved to be worse.
        """
        balances = {band: self.balance(here, band) for band in bands}
        best = max(balances.values())
        return super().deepened(here, [band for band in bands if balances[band] == best])

    def _sort(self, here: Here, order: list[int], depth: int) -> None:
        best = -MOST
        for band in order[: 2 * CROWD]:
            child = placed(self.these, self.shape, here, band)
            merit = self._outlook(child, depth, self._turned(self.scores, self.gain(here, band)))
            if merit > best:
                best = merit
                order.remove(band)
                order.insert(0, band)

    def _turned(self, scores: tuple[int, ...], gain: int) -> tuple[int, ...]:
        """The scores when their first player has gained this: from the next player on."""
        return (*scores[1:], scores[0] + gain)

    def _outlook(self, here: Here, depth: int, scores: tuple[int, ...]) -> int:
        """How far we shall be ahead of the best of the others, if one looks so many bands ahead.

        `scores` are from the player at turn on.
        """
        players = len(scores)
        ours = (here.to_come - self.to_come) % players
        if not here.to_come or not here.legal or depth == 0:
            final = (scores[0] + self.reply(here), *scores[1:])
            return final[ours] - max(final[:ours] + final[ours + 1 :])
        if ours:
            gain, child = self._expected(here)
            return self._outlook(child, depth - 1, self._turned(scores, gain))
        return max(
            self._outlook(child, depth - 1, self._turned(scores, gain)) for gain, child in self.children(here)[:CROWD]
        )

    def _expected(self, here: Here) -> Child:
        """What the player at turn will do."""
        found = self.expected.get(here.bands)
        if found is None:
            found = max(self.children(here), key=lambda child: child[0] - self.reply(child[1]))
            self.expected[here.bands] = found
        return found
