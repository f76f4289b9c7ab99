"""House players of Triggle: a search ahead on sets of bits, captures first.

What a position still holds for its players does not depend on what they have, so the search counts gains from here on
and remembers positions by the set of bands on the board, however it came about. With two players it is alpha-beta,
with windows of no width as in MTD(f), since values are small numbers. With three or four it goes through its own ways
against what it expects of the others. Beyond the root, it looks only at the bands that seem best at first sight.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from statistics import fmean
from typing import Final

from rules import game
from rules.game import OutOfTime, translatable
from rules.triggle.board import Board, board
from rules.triggle.parts import Place, View
from rules.triggle.play import tables

MOST: Final = 1000
"""More than all the pieces of a game, doubled."""
WIDTH: Final = 8
"""How many bands a search of two looks at in each position beyond its root."""
CROWD: Final = 6
"""The same for our own bands with three or four players."""
MARGIN: Final = 2
"""How much less than the best a band may be worth that is taken for what others could do wrong after it: a triangle,
as values of two players are doubled."""
KEPT: Final = 10_000
"""Of how many positions a search keeps the children: some 80 MB on the largest board."""
BOUNDS: Final = 100_000
"""How many bounds of values it keeps: some 25 MB."""


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

Here = tuple[int, int, int, int, int]
"""A position in a search: `(bands, near, bare, one, other)`. A plain tuple, since anything better named takes four
times as long to make.

`bands` is the set of the bands on the board. The others are sets with a field of eight bits for every band. `near`:
full where the band touches one on the board. For each of up to six triangles beside the band, a bit in `bare` where
the side it would cover is not covered, in `one` and `other` where the two other sides are. So what each band would
close is `bare & one & other`, for all of them at once; and where nothing is left of its field in `bare`, it may not be
placed any more.
"""

FIELD: Final = 8
FULL: Final = 255
UNPLACED: Final = 64
"""A bit of `bare` that is no triangle's: where bands may overlap freely, only being there already forbids one."""
ANY: Final = bytes(FULL if field else 0 for field in range(256))
"""For `translate`: fields with anything in them become full."""
COUNT: Final = bytes((field & ~UNPLACED).bit_count() for field in range(256))
"""For `translate`: how many triangles are in a field."""
set_of: Final = int.from_bytes
"""From the bytes of a set. A name of its own is quicker to find than a method of `int`."""
EIGHTFOLD: Final = bytes(FIELD * count for count in COUNT[:UNPLACED]) + bytes(256 - UNPLACED)
"""For `translate`: eight times as many."""


def empty(side: int, free: bool) -> Here:
    """The board before the first band."""
    triangles = tables(side, free).triangles
    bare = ((1 << len(beside)) - 1 | (UNPLACED if free else 0) for beside in triangles)
    return 0, 0, int.from_bytes(bytes(bare), "little"), 0, 0


@lru_cache(maxsize=8)
def steps(side: int, free: bool) -> tuple[Here, ...]:
    """Per band, what it adds to each part of a position; for `bare`, what it leaves of it."""
    these, direction = tables(side, free), _directions(board(side))
    beside = [[triangle for triangle, _ in triangles] for triangles in these.triangles]
    found = []
    for band, bit in enumerate(these.bits):
        near, parts = 0, [UNPLACED << FIELD * band, 0, 0]
        for other, triangles in enumerate(beside):
            if these.near[band] >> other & 1:
                near |= FULL << FIELD * other
            shared = sum(1 << place for place, triangle in enumerate(triangles) if triangle in beside[band])
            # Every triangle has one side in each of the three directions.
            parts[direction[band] - direction[other]] |= shared << FIELD * other
        everything = (1 << FIELD * len(beside)) - 1
        found.append((bit, near, everything & ~parts[0], parts[1], parts[2]))
    return tuple(found)


def _directions(this: Board) -> list[int]:
    """Per band: its direction, 0 to 2."""
    ends = [(this.pegs[band.pegs[0]], this.pegs[band.pegs[-1]]) for band in this.bands.values()]
    ways = [(last.q - first.q, last.r - first.r) for first, last in ends]
    return [sorted(set(ways)).index(way) for way in ways]


def placed(all_steps: Sequence[Here], here: Here, band: int) -> Here:
    """The position with one more band."""
    bands, near, bare, one, other = here
    bit, nearer, left_bare, more, and_more = all_steps[band]
    return bands | bit, near | nearer, bare & left_bare, one | more, other | and_more


def most_closed(sets: int, size: int) -> int:
    """The most that are in one of so many fields: of triangles that lack one side, what one band can close.

    That band may be placed whatever else holds: the triangle's pegs all have bands, and the side is bare.
    """
    counts = sets.to_bytes(size, "little").translate(COUNT)
    for count in (6, 5, 4, 3, 2, 1):
        if count in counts:
            return count
    return 0


def in_order(merits: bytes) -> Iterator[tuple[int, int]]:
    """Merits above zero and their bands, the best first."""
    for merit in sorted(set(merits) - {0}, reverse=True):
        band = merits.find(merit)
        while band >= 0:
            yield merit, band
            band = merits.find(merit, band + 1)


def position_of(view: View) -> Here:
    """The position that the view shows."""
    free, number = view.options.overlap == "free", board(view.side).names.number
    here = empty(view.side, free)
    for band in view.bands:
        here = placed(steps(view.side, free), here, number[band.band])
    return here


# -- Searching -----------------------------------------------------------------------------------------------------


class OutOfThought(Exception):
    """Time is up in the middle of a search."""


Child = tuple[int, Here]
"""What a band gains its player, and the position it leads to."""


class Search:
    """What all searches share: the board, the time, and the children of positions, by their bands."""

    def __init__(self, view: View, out_of_time: OutOfTime) -> None:
        self.steps = steps(view.side, view.options.overlap == "free")
        self.size = len(self.steps)
        self.out_of_time = out_of_time
        self.worth = 1 if view.options.goal == "most" else -1
        # So much in every field that no merit is below one.
        self.least = int.from_bytes(bytes([FIELD if self.worth > 0 else 7 * FIELD]) * self.size, "little")
        self.last = len(view.bands) + sum(view.bands_left)
        """How many bands will be on the board when all are placed."""
        # A band lies beside six triangles at most: rounded up, eighths of a merit give the gain back.
        self.gains = [(merit + 7 >> 3) - 1 if self.worth > 0 else (merit >> 3) - 7 for merit in range(64)]
        self.children_of: dict[int, list[Child]] = {}

    def hurry(self) -> None:
        """Raise `OutOfThought` when time is up."""
        if self.out_of_time():
            raise OutOfThought

    def gain(self, here: Here, band: int) -> int:
        """What the band is worth at once."""
        _, _, bare, one, other = here
        return self.worth * COUNT[(bare & one & other) >> FIELD * band & FULL]

    def reply(self, here: Here) -> int:
        """The most that whoever is to move can gain at once, if there is a band to come."""
        if self.worth < 0:
            merits = self.merits(here)
            return self.gain(here, merits.index(max(merits)))
        _, _, bare, one, other = here
        return most_closed(bare & one & other, self.size)

    def merits(self, here: Here) -> bytes:
        """Per band, how good it seems: best to close many, and to leave few more with one side to go. 0: forbidden."""
        _, near, bare, one, other = here
        size = self.size
        closed = set_of((bare & one & other).to_bytes(size, "little").translate(EIGHTFOLD), "little")
        opened = set_of((bare & (one ^ other)).to_bytes(size, "little").translate(COUNT), "little")
        legal = set_of(bare.to_bytes(size, "little").translate(ANY), "little") & near
        merits = closed - opened if self.worth > 0 else opened - closed
        return (self.least + merits & legal).to_bytes(size, "little")

    def balance(self, here: Here, band: int) -> int:
        """What the band gains, less what the next player could gain then."""
        after = placed(self.steps, here, band)
        over = after[0].bit_count() == self.last
        return self.gain(here, band) - (0 if over else self.reply(after))

    def at_first_sight(self, here: Here, bands: Sequence[int]) -> list[int]:
        """The bands, the best balance first."""
        return sorted(bands, key=lambda band: self.balance(here, band), reverse=True)

    def children(self, here: Here) -> list[Child]:
        """What the bands that seem best lead to. Callers may put first what proved best."""
        self.hurry()
        found = self.children_of.get(here[0])
        if found is None:
            found = self._found_children(here)
            if len(self.children_of) < KEPT:  # the earlier ones are nearer to the root, and come again more often
                self.children_of[here[0]] = found
        return found

    def _found_children(self, here: Here) -> list[Child]:
        best = islice(in_order(self.merits(here)), WIDTH)
        return [(self.gains[merit], placed(self.steps, here, band)) for merit, band in best]

    def deepened(self, here: Here, bands: Sequence[int]) -> int:
        """The best of the bands, looking one band farther ahead each time until time is up."""
        order = self.at_first_sight(here, bands)
        best = order[0]
        try:
            for depth in range(1, self.last - here[0].bit_count()):
                best = self._best(here, order, depth)
        except OutOfThought:
            pass  # What the last search found that came to its end stands.
        return best

    def _best(self, here: Here, order: list[int], depth: int) -> int:
        """The band that is best if one looks `depth` bands beyond it; brings to the front of the order what is good."""
        raise NotImplementedError


class Duel(Search):
    """Two players. All values are doubled, so that the last reply can count half.

    To take the last reply at its full worth, as if nothing came after it, is as wrong as to leave it out: on average
    what follows gives half of it back.
    """

    def __init__(self, view: View, out_of_time: OutOfTime) -> None:
        super().__init__(view, out_of_time)
        self.bounds: dict[tuple[int, int], tuple[int, int]] = {}
        self.likely: dict[int, list[Child]] = {}

    def deepened(self, here: Here, bands: Sequence[int]) -> int:
        """The first band of all touches as many others as can be: in play that proved best, and no search can tell."""
        if not here[0]:
            return max(bands, key=lambda band: self.steps[band][1].bit_count())
        return super().deepened(here, bands)

    def _best(self, here: Here, order: list[int], depth: int) -> int:
        """Of the bands that are nearly as good as the best, the one that the likely replies make best.

        Whoever begins has the worse of it if both play well. So it matters what the other may do wrong.
        """
        children = {band: (2 * self.gain(here, band), placed(self.steps, here, band)) for band in order}

        def reaches(band: int, wanted: int) -> bool:
            self.hurry()
            gain, child = children[band]
            return gain - self._bound(child, depth, gain - wanted + 1) >= wanted

        best = -MOST
        for band in order.copy():
            if reaches(band, best + 1):
                gain, child = children[band]
                best = gain - self._value(child, depth)
                order.remove(band)
                order.insert(0, band)
        good = list(islice((band for band in order if reaches(band, best - MARGIN)), WIDTH))
        if len(good) == 1:
            return good[0]
        return max(good, key=lambda band: children[band][0] - self._likely_value(children[band][1], depth))

    def _likely_value(self, here: Here, depth: int) -> float:
        """As `_value`, in the mean of the bands that seem best to one who looks at gain and reply alone."""
        self.hurry()
        if (likely := self.likely.get(here[0])) is None:
            balances = {band: self.balance(here, band) for _, band in in_order(self.merits(here))}
            best = max(balances.values(), default=0)
            bands = [band for band, balance in balances.items() if balance == best]
            likely = [(self.gain(here, band), placed(self.steps, here, band)) for band in bands]
            self.likely[here[0]] = likely
        return fmean([2 * gain - self._value(child, depth - 1) for gain, child in likely] or [0])

    def _value(self, here: Here, depth: int) -> int:
        """Twice what the mover gains more than the other from here on, if one looks so many bands ahead."""
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
        if depth == 0:
            return 0 if here[0].bit_count() == self.last else self.reply(here)
        key = here[0], depth
        least, most = self.bounds.get(key, (-MOST, MOST))
        if least >= wanted or most < wanted:
            return least if least >= wanted else most
        best = self._last_look(here, wanted) if depth == 1 and self.worth > 0 else self._look(here, depth, wanted)
        if len(self.bounds) >= BOUNDS:
            self.bounds.clear()
        self.bounds[key] = (best, most) if best >= wanted else (least, best)
        return best

    def _look(self, here: Here, depth: int, wanted: int) -> int:
        """`_bound` by the bands that seem best; the one that proves best will be looked at first from now on."""
        children = self.children(here)
        if not children:
            return 0
        best, best_place = -MOST, 0
        for place, (gain, child) in enumerate(children):
            value = 2 * gain - self._bound(child, depth - 1, 2 * gain - wanted + 1)
            if value > best:
                best, best_place = value, place
                if value >= wanted:
                    break
        children.insert(0, children.pop(best_place))
        return best

    def _last_look(self, here: Here, wanted: int) -> int:
        """`_bound` by the bands that seem best, each with nothing but half the reply to it."""
        bands, _, bare, one, other = here
        over = bands.bit_count() + 1 == self.last
        best = -MOST
        for merit, band in islice(in_order(self.merits(here)), WIDTH):
            # Merits are in the order of gains, and a reply makes no band better than its gain.
            value = 2 * self.gains[merit]
            if value < wanted or value <= best:
                return max(best, value)
            if not over:
                _, _, left_bare, more, and_more = self.steps[band]
                value -= most_closed(bare & left_bare & (one | more) & (other | and_more), self.size)
            if value > best:
                best = value
                if best >= wanted:
                    break
        return best if best > -MOST else 0


class Crowd(Search):
    """Three or four players: our best ways against what the others will do if they look at their gain and the reply."""

    def __init__(self, view: View, out_of_time: OutOfTime) -> None:
        super().__init__(view, out_of_time)
        seats = [(view.to_act[0] + turn) % len(view.seats) for turn in view.seats]
        self.scores = tuple(self.worth * view.scores[seat] for seat in seats if seat not in view.left)
        """What everybody has, from us on in the order of turns."""
        self.root = len(view.bands)

    def deepened(self, here: Here, bands: Sequence[int]) -> int:
        """The best in the long run of those that are best at first sight.

        What the others will do is too uncertain to give anything up for it: to do so proved to be worse.
        """
        balances = {band: self.balance(here, band) for band in bands}
        best = max(balances.values())
        return super().deepened(here, [band for band in bands if balances[band] == best])

    def _best(self, here: Here, order: list[int], depth: int) -> int:
        best = -MOST
        for band in order[: 2 * CROWD]:
            child = placed(self.steps, here, band)
            merit = self._outlook(child, depth, self._turned(self.scores, self.gain(here, band)))
            if merit > best:
                best = merit
                order.remove(band)
                order.insert(0, band)
        return order[0]

    def _turned(self, scores: tuple[int, ...], gain: int) -> tuple[int, ...]:
        """The scores when their first player has gained this: from the next player on."""
        return (*scores[1:], scores[0] + gain)

    def _outlook(self, here: Here, depth: int, scores: tuple[int, ...]) -> int:
        """How far we shall be ahead of the best of the others, if one looks so many bands ahead.

        `scores` are from the player at turn on.
        """
        players = len(scores)
        ours = (self.root - here[0].bit_count()) % players
        children = [] if depth == 0 else self.children(here)
        if not children:
            over = here[0].bit_count() == self.last
            final = scores if over else (scores[0] + self.reply(here), *scores[1:])
            return final[ours] - max(final[:ours] + final[ours + 1 :])
        if ours:
            children = children[:1]
        return max(self._outlook(child, depth - 1, self._turned(scores, gain)) for gain, child in children)

    def _found_children(self, here: Here) -> list[Child]:
        """By gain and reply, the best first: what others will do comes first."""
        found = [(self.gains[merit], placed(self.steps, here, band)) for merit, band in in_order(self.merits(here))]
        if here[0].bit_count() + 1 < self.last:
            found.sort(key=lambda child: child[0] - self.reply(child[1]), reverse=True)
        return found[:CROWD]
