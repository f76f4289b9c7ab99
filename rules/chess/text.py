"""What people type, read forgivingly: full actions, and short forms that are unambiguous among the legal ones.

Triangles in Greek, Latin stand-ins or digits, any case, the column left out where rank and file will do; spaces for
dashes; captures not told from moves; a piece's name or letter before; a target alone; `castle`; a rescue in part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from rules.chess import moves
from rules.chess.actions import Castling, ChessAction, Move, Pass, Rescue, text_of
from rules.chess.board import BIT, COLUMN_LETTERS, INDEX, NAMES, RANK_LETTERS, SIDE, Triangle, Triangles, triangles
from rules.chess.explain import swapped, why_no_rescue, why_not, why_not_from
from rules.chess.names import COLOUR_LETTERS, COLUMNS, KIND_LETTERS, RANKS, columns_with, plain
from rules.chess.position import FIRST_RUKH, NOWHERE, PRISONERS, Piece, Position, piece_of
from rules.game import Ambiguous, Illegal, Unreadable

LONGEST: Final = 80
"""Longer texts are not read. The longest canonical one has 21 characters."""

_KINDS: Final = {
    "I": ("infantry", "inf", "pawn", "i"),
    "R": ("rukh", "rook", "r"),
    "C": ("cavalry", "cav", "knight", "horse", "c"),
    "G": ("general", "gen", "king", "g"),
}
_KIND_OF: Final = {word: KIND_LETTERS.index(letter) for letter, words in _KINDS.items() for word in words}
_DASHES: Final = str.maketrans(dict.fromkeys("‐‑‒–—―−→⟶", "-") | {"×": "x", "＞": ">", "→": "-"})

_RANK: Final = f"[{''.join(RANKS)}]"
_COLUMN: Final = f"[{''.join(COLUMNS)}]"
_TRIANGLE: Final = rf"{_RANK}[1-8](?:{_COLUMN}(?![0-9]))?"
"""A column letter before a digit is the next triangle's rank."""
_WORD: Final = "|".join(sorted(_KIND_OF, key=len, reverse=True))
_ACTION: Final = re.compile(
    rf"(?:(?P<word>{_WORD})(?:\s+(?:on |at |to )?\s*|(?={_RANK}[1-8])))?"
    rf"(?P<first>{_TRIANGLE})?"
    rf"(?:\s*(?P<sign>->|-|=|x|:|,|>|to(?![a-z])|takes|captures)?\s*(?P<second>{_TRIANGLE}))?"
    r"(?:\s*(?:\+|rescue[sd]?|and rescues?)\s*(?P<rescue>.*))?"
)
_CASTLING: Final = re.compile(rf"(?:castling|castles?|[o0]-[o0])(?:\s+(?:with|to)?\s*(?P<rukh>{_TRIANGLE}))?")
_RESCUE: Final = re.compile(
    r"(?:the\s+)?(?P<colour>[rgb]|red|green|blue)?"
    r"\s*(?P<kind>infantry|inf|pawn|i|rukh|rook|r|cavalry|cav|knight|horse|c)?"
    rf"(?:\s*(?:>|-|to(?![a-z]))?\s*(?P<places>{_TRIANGLE}.*))?"
)
_PASSES: Final = frozenset({"--", "-", "pass", "passes"})
_TRIANGLE_LIKE: Final = re.compile(r"\w[0-9]\w*")


class _Wish(msgspec.Struct, frozen=True):
    """What a text asks for; None where it says nothing.

    Triangles are sets, since a column may be left out. `rescue` holds the prisoners that its words may mean, `places`
    where the Infantry are to go.
    """

    kind: int | None = None
    start: Triangles | None = None
    target: Triangles | None = None
    castling: bool = False
    rescue: frozenset[Piece] | None = None
    places: tuple[Triangles, ...] = ()

    def fits(self, action: ChessAction) -> bool:
        """Whether the action is one of those asked for, pieces' kinds apart."""
        match action:
            case Pass():
                return False
            case Castling(general, rukh):
                return self.rescue is None and self._fits_castling(general, rukh)
            case Move(start, target):
                return not self.castling and self.rescue is None and self._fits_step(start, target)
            case Rescue(start, target):
                return self._fits_step(start, target) and self._fits_rescue(action)

    def _fits_step(self, start: Triangle, target: Triangle) -> bool:
        if self.start is None:
            # One triangle alone is the target; or the piece that moves, if it has but one move.
            return self.target is not None and bool(self.target & (BIT[target] | BIT[start]))
        return bool(self.start & BIT[start]) and (self.target is None or bool(self.target & BIT[target]))

    def _fits_castling(self, general: Triangle, rukh: Triangle) -> bool:
        both = BIT[general] | BIT[rukh]
        named = [mask for mask in (self.start, self.target) if mask is not None]
        if len(named) < 2:
            return self.castling and all(mask & both for mask in named)
        one, other = named
        return bool(one & both and other & both) and (one | other) & both == both

    def _fits_rescue(self, action: Rescue) -> bool:
        if self.rescue is None or piece_of(action.colour, action.kind) not in self.rescue:
            return False
        places = _places_of(action)
        if len(self.places) < len(places):
            return all(any(BIT[place] & mask for place in places) for mask in self.places)
        # Two Infantry of one colour are alike, so that their triangles may be told in either order.
        return _all_in(places, self.places) or _all_in(places[::-1], self.places)


def _places_of(rescue: Rescue) -> tuple[Triangle, ...]:
    return (rescue.retreat,) if rescue.companion is None else (rescue.retreat, rescue.companion)


def _all_in(places: Sequence[Triangle], masks: Sequence[Triangles]) -> bool:
    """Whether these are as many places as were named, each one of its name."""
    return len(places) == len(masks) and all(BIT[place] & mask for place, mask in zip(places, masks, strict=True))


# -- Reading --------------------------------------------------------------------------------------------------------


def parse(here: Position, legal: Iterable[ChessAction], text: str) -> ChessAction:
    """The legal action that the text means. Raises `Unreadable`, `Ambiguous` or `Illegal`."""
    legal = tuple(legal)
    words = plain(text.translate(_DASHES))
    if words in _PASSES:
        return _the_pass(legal)
    wish = _read(words, text)
    fitting = [action for action in legal if wish.fits(action) and _is_kind(here, action, wish.kind)]
    fitting = _in_the_order_told(fitting, wish)
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise Ambiguous([text_of(action) for action in fitting])
    raise _explained(here, wish)


def _the_pass(legal: tuple[ChessAction, ...]) -> ChessAction:
    if legal != (Pass(),):
        raise Illegal("pass")
    return Pass()


def _is_kind(here: Position, action: ChessAction, kind: int | None) -> bool:
    if kind is None or isinstance(action, Pass):
        return True
    return here.armies[here.turn][action.start] // 3 == kind


def _in_the_order_told(fitting: list[ChessAction], wish: _Wish) -> list[ChessAction]:
    """Of two orders of a rescue's triangles, the one told."""
    told = [action for action in fitting if isinstance(action, Rescue) and _all_in(_places_of(action), wish.places)]
    return [*told] or fitting


def _read(words: str, text: str) -> _Wish:
    """The wish of this text, as typed and else with its spaces left out."""
    if len(words) <= LONGEST:
        for form in (words, "".join(words.split())):
            wish = _read_castling(form) or _read_action(form)
            if wish is not None:
                return wish
    strange = _TRIANGLE_LIKE.search(text)
    if strange and len(text) <= LONGEST:
        raise Unreadable("triangle", text=strange[0])
    raise Unreadable("action", text=text[:LONGEST])


def _read_castling(words: str) -> _Wish | None:
    found = _CASTLING.fullmatch(words)
    if not found:
        return None
    return _Wish(castling=True, target=_places(found["rukh"]) if found["rukh"] else None)


def _read_action(words: str) -> _Wish | None:
    found = _ACTION.fullmatch(words)
    if not found or not (found["first"] or found["second"]):
        return None
    first, second = (_places(found[name]) if found[name] else None for name in ("first", "second"))
    start, target = (first, second) if first is not None and second is not None else (None, first or second)
    rescue: frozenset[Piece] | None = None
    places: tuple[Triangles, ...] = ()
    if found["rescue"] is not None:
        told = _read_rescue(found["rescue"])
        if told is None:
            return None
        rescue, places = told
    kind = _KIND_OF[found["word"]] if found["word"] else None
    return _Wish(kind, start, target, found["sign"] == "=", rescue, places)


def _read_rescue(words: str) -> tuple[frozenset[Piece], tuple[Triangles, ...]] | None:
    found = _RESCUE.fullmatch(words.strip())
    rest = (found["places"] or "") if found else ""
    if not found or re.sub(rf"{_TRIANGLE}|and|[\s,]", "", rest):
        return None
    places = tuple(_places(name) for name in re.findall(_TRIANGLE, rest))
    return frozenset(_prisoners(found["colour"], found["kind"])), places


def _prisoners(colour: str | None, kind: str | None) -> Iterator[Piece]:
    """The prisoners that these words may mean. An r alone may be a Rukh or a red piece."""
    for piece in PRISONERS:
        red_or_rukh = colour == "r" and kind is None and piece // 3 == _KIND_OF["r"]
        of_colour = colour is None or COLOUR_LETTERS[piece % 3] == colour[0]
        of_kind = kind is None or piece // 3 == _KIND_OF[kind]
        if red_or_rukh or (of_colour and of_kind):
            yield piece


def _places(name: str) -> Triangles:
    """The triangles of this name, whose column may be missing. Raises `Unreadable` if there are none."""
    rank, file, column = RANKS[name[0]], int(name[1]), COLUMNS[name[2]] if len(name) == 3 else None
    columns = columns_with(rank, file)
    if column is None and columns:
        return sum(BIT[INDEX[rank, file, each]] for each in columns)
    if column in columns:
        return BIT[INDEX[rank, file, column]]
    letter = COLUMN_LETTERS[column - 1] if column is not None else ""
    raise Unreadable(
        "not_on_board",
        triangle=f"{RANK_LETTERS[rank - 1]}{file}{letter}",
        rank=RANK_LETTERS[rank - 1],
        file=file,
        columns=tuple(COLUMN_LETTERS[each - 1] for each in columns),
        files=tuple(each for each in range(1, SIDE + 1) if columns_with(rank, each)),
    )


# -- Saying why not ---------------------------------------------------------------------------------------------------


def _explained(here: Position, wish: _Wish) -> Illegal:
    """Why nothing legal fits the wish."""
    army = here.armies[here.turn]
    if wish.castling:
        return _why_no_castling(here, wish)
    if wish.start is None:
        return _why_not_to(here, wish)
    start = next((place for place in triangles(wish.start) if place in army), next(triangles(wish.start)))
    refused = why_not_from(here, start)
    if refused:
        return refused
    if wish.kind is not None and army[start] // 3 != wish.kind:
        return Illegal("kind", triangle=NAMES[start], kind=army[start] // 3, named=wish.kind)
    return _why_not_step(here, start, wish.target or 0, wish)


def _why_not_to(here: Position, wish: _Wish) -> Illegal:
    """Why no piece goes to the triangle named alone, or why the piece on it does not move."""
    target = wish.target or 0
    army = here.armies[here.turn]
    for start in triangles(target & here.own[here.turn]):
        reached = moves.reach(start, army[start], here.occupied, here.own[here.turn])
        if not reached:
            return Illegal("stuck", triangle=NAMES[start], kind=army[start] // 3)
        return _why_not_step(here, start, reached, wish)
    for start in sorted(army):
        if wish.kind in (None, army[start] // 3):
            reached = moves.reach(start, army[start], here.occupied, here.own[here.turn]) & target
            if reached:
                return _why_not_step(here, start, reached, wish)
    name = NAMES[next(triangles(target))]
    return Illegal("unreachable", target=name, kind=wish.kind, swapped=_legal_if_swapped(here, wish, target))


def _why_not_step(here: Position, start: Triangle, targets: Triangles, wish: _Wish) -> Illegal:
    reached = moves.reach(start, here.armies[here.turn][start], here.occupied, here.own[here.turn]) & targets
    target = next(triangles(reached or targets))
    if wish.rescue is not None and reached:
        return _why_not_rescue(here, start, target, wish)
    refused = why_not(here, Move(start, target, bool(here.occupied & BIT[target])))
    if refused.rule == "no_way":
        return Illegal("no_way", **refused.facts | {"swapped": _legal_if_swapped(here, wish, BIT[target])})
    return refused


def _why_not_rescue(here: Position, start: Triangle, target: Triangle, wish: _Wish) -> Illegal:
    refused = why_no_rescue(here, start, target)
    if refused:
        return refused
    allowed = moves.rescues(here, start, target)
    prisoners = sorted({prisoner for move in allowed if (prisoner := moves.rescued_by(move)) is not None})
    wanted = sorted(wish.rescue or ())
    prisoner = next((piece for piece in wanted if piece in prisoners), wanted[0])
    room = moves.retreat_of(allowed[0])
    places = [next(triangles(mask)) for mask in wish.places] or [room]
    companion = places[1] if len(places) > 1 else None
    takes = bool(here.occupied & BIT[target])
    return why_not(here, Rescue(start, target, takes, prisoner % 3, prisoner // 3, places[0], companion))


def _why_no_castling(here: Position, wish: _Wish) -> Illegal:
    """Why the castling wished for, or any castling, is not possible."""
    general = here.generals[here.turn]
    named = (wish.start or 0) | (wish.target or 0)
    others = named & ~BIT[general]
    if wish.start is not None and not named & BIT[general]:
        return Illegal("castling_pieces", general=NAMES[general], rukh=NAMES[next(triangles(others))])
    own = [at for at, piece in here.armies[here.turn].items() if piece == FIRST_RUKH + here.turn]
    rukhs = sorted(own, key=lambda at: not here.unmoved & BIT[at])
    if not rukhs:
        return Illegal("castling_pieces", general=NAMES[general], rukh=None)
    chosen = next(triangles(others)) if others else rukhs[0]
    return why_not(here, Castling(general, chosen))


def _legal_if_swapped(here: Position, wish: _Wish, targets: Triangles) -> str | None:
    """The target with both numbers swapped, if the piece wished for, or any, may go there."""
    found = {swapped(target) for target in triangles(targets)}
    army = here.armies[here.turn]
    for move in moves.legal_moves(here):
        start, target = moves.start_of(move), moves.target_of(move)
        named = (wish.start is None or wish.start & BIT[start]) and wish.kind in (None, army.get(start, NOWHERE) // 3)
        if move != moves.PASS and not moves.is_castling(move) and target in found and named:
            return NAMES[target]
    return None
