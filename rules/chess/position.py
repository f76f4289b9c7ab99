"""A position of Triangulation chess: what stands where, whose turn it is, who holds which prisoners; and its text.

`Position` is the compact form that moves are generated on and that a house player searches: `rules.chess.moves` has
the moves, and `make` and `unmake`. The text is the one of the rules sheet, for example
`rrR*B7Ω rrG*B8Ω ggGH1Ω nbGH8β / r / rg / r:gI,gR / g<r`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from rules.chess.board import (
    BIT,
    CAVALRY,
    COLOURS,
    CORNERS,
    HOMES,
    NAMES,
    NEAR,
    NEUTRAL,
    ON_LINES,
    ROWS,
    SIDES,
    Colour,
    Triangle,
    Triangles,
    is_black,
    slide,
    triangles,
)
from rules.chess.names import COLOUR_LETTERS, KIND_LETTERS, OWNER_LETTERS, triangle_named
from rules.game import BadHeader

Kind = int
Piece = int
"""A piece's colour and kind in one number, `3 * kind + colour`."""

INFANTRY: Final = 0
RUKH: Final = 1
CAVALRY_KIND: Final = 2
GENERAL_KIND: Final = 3

PIECES: Final = range(12)
PRISONERS: Final = range(9)
"""Generals are never taken prisoner."""
FIRST_RUKH: Final = 3
FIRST_CAVALRY: Final = 6
FIRST_GENERAL: Final = 9

SETS: Final = (0, 1, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5)
"""By piece: in which of `Position.sets` it stands."""
RUKHS: Final = 3
GENERALS: Final = 5

CELL: Final = 16
"""Bits a piece takes in a tally of prisoners."""
MOST_PRISONERS: Final = 60
"""That one captor may hold at the start; there are 27 pieces in the game."""

NOWHERE: Final = -1

NEXT: Final = tuple(
    tuple(
        next((colour % 3 for colour in range(after + 1, after + 4) if playing >> colour % 3 & 1), after)
        for after in COLOURS
    )
    for playing in range(8)
)
"""By the set of players in the game (a bit each) and by a player: who comes next."""


def piece_of(colour: Colour, kind: Kind) -> Piece:
    """The piece of this colour and kind."""
    return 3 * kind + colour


class Position:
    """A position. Mutable: `copy` it before playing on one that others hold.

    armies     by owner (Red, Green, Blue, neutral): triangle to piece
    own        by owner: the triangles of `armies`, as a set
    sets       Red, Green, Blue Infantry, Rukhs, Cavalry, Generals of any owner, as sets of triangles
    generals   by owner: where the General stands, or NOWHERE
    unmoved    the triangles of Generals and Rukhs that have not moved
    playing    the players in the game, a bit each
    turn       the player to move
    prisoners  by captor: a tally, 16 bits a piece
    marks      the checkmated: 3 bits a player, the set of their attackers
    check      the triangles of the pieces that check the player to move
    troops     how many pieces beside Generals the players in the game own
    over       whether the game ended with the last turn: one General left, or only Generals
    """

    __slots__ = (
        "armies",
        "check",
        "generals",
        "marks",
        "over",
        "own",
        "playing",
        "prisoners",
        "sets",
        "troops",
        "turn",
        "unmoved",
    )

    def __init__(
        self,
        armies: Sequence[Mapping[Triangle, Piece]],
        unmoved: Triangles,
        playing: int,
        turn: Colour,
        prisoners: Sequence[int],
        marks: int,
    ) -> None:
        self.armies = [dict(army) for army in armies]
        self.unmoved = unmoved
        self.playing = playing
        self.turn = turn
        self.prisoners = list(prisoners)
        self.marks = marks
        self.own = [0] * 4
        self.sets = [0] * 6
        self.generals = [NOWHERE] * 4
        self.troops = 0
        self.over = False
        self.recount()
        self.check = self.checkers(turn)

    def recount(self) -> None:
        """Work out everything that follows from the armies, after they changed much at once."""
        self.own = [sum(BIT[triangle] for triangle in army) for army in self.armies]
        self.sets = [0] * 6
        self.generals = [NOWHERE] * 4
        for owner, army in enumerate(self.armies):
            for triangle, piece in army.items():
                self.sets[SETS[piece]] |= BIT[triangle]
                if piece >= FIRST_GENERAL:
                    self.generals[owner] = triangle
        players = self.own[0] | self.own[1] | self.own[2]
        self.troops = (players & ~self.sets[GENERALS]).bit_count()

    def copy(self) -> Position:
        """One of its own, equal and independent."""
        twin = Position.__new__(Position)
        twin.restore(self)
        return twin

    def restore(self, other: Position) -> None:
        """Become equal to the other."""
        self.armies = [army.copy() for army in other.armies]
        self.own = other.own.copy()
        self.sets = other.sets.copy()
        self.generals = other.generals.copy()
        self.prisoners = other.prisoners.copy()
        self.unmoved = other.unmoved
        self.playing = other.playing
        self.turn = other.turn
        self.marks = other.marks
        self.check = other.check
        self.troops = other.troops
        self.over = other.over

    def key(self) -> tuple[object, ...]:
        """Equal for equal positions, and only for these: for tables of positions met before."""
        armies = (frozenset(army.items()) for army in self.armies)
        return (*armies, *self.prisoners, self.unmoved, self.playing, self.turn, self.marks)

    # -- What stands where --

    @property
    def occupied(self) -> Triangles:
        """Every triangle with a piece on it."""
        red, green, blue, neutral = self.own
        return red | green | blue | neutral

    @property
    def players(self) -> tuple[Colour, ...]:
        """The players in the game."""
        return tuple(colour for colour in COLOURS if self.playing >> colour & 1)

    def owner_at(self, triangle: Triangle) -> int | None:
        """Who owns the piece there: a player, NEUTRAL, or None where there is none."""
        return next((owner for owner in range(4) if triangle in self.armies[owner]), None)

    def piece_at(self, triangle: Triangle) -> Piece | None:
        """The piece there, if any."""
        return next((army[triangle] for army in self.armies if triangle in army), None)

    def enemies_of(self, player: Colour) -> Triangles:
        """The pieces of every opponent in the game."""
        red, green, blue, _ = self.own
        return (red | green | blue) ^ self.own[player]

    # -- Attack and check --

    def attackers(self, triangle: Triangle, occupied: Triangles, enemies: Triangles) -> Triangles:
        """Which of these enemies could capture a piece on this triangle, if these triangles were occupied."""
        red, green, blue, rukhs, cavalries, generals = self.sets
        near, by_red, by_green, by_blue = NEAR[triangle][occupied & SIDES[triangle]]
        found = near & generals | by_red & red | by_green & green | by_blue & blue | CAVALRY[triangle] & cavalries
        if ON_LINES[triangle] & rukhs & enemies:
            found |= slide(triangle, occupied) & rukhs
        return found & enemies

    def checkers(self, player: Colour) -> Triangles:
        """The pieces that could capture this player's General."""
        return self.attackers(self.generals[player], self.occupied, self.enemies_of(player))

    def owners(self, mask: Triangles) -> tuple[Colour, ...]:
        """The players who own pieces on these triangles."""
        return tuple(colour for colour in COLOURS if self.own[colour] & mask)

    # -- Marks and prisoners --

    def mark_of(self, player: Colour) -> int:
        """The attackers of a checkmated player, a bit each; 0 for one who is not checkmated."""
        return self.marks >> 3 * player & 7

    def attackers_of(self, player: Colour) -> tuple[Colour, ...]:
        """The attackers of a checkmated player; nobody if they are not."""
        mark = self.mark_of(player)
        return tuple(colour for colour in COLOURS if mark >> colour & 1)

    def held_by(self, captor: Colour) -> dict[Piece, int]:
        """A captor's prisoners: piece to number, without those that they do not hold."""
        tally = self.prisoners[captor]
        counts = {piece: tally >> CELL * piece & (1 << CELL) - 1 for piece in PRISONERS}
        return {piece: count for piece, count in counts.items() if count}

    # -- Text --

    def text(self) -> str:
        """The canonical text."""
        return write(self)


# -- The start of a game -------------------------------------------------------------------------------------------


def _army(colour: Colour, general_in_corner: bool) -> dict[Triangle, Piece]:
    """One colour's pieces as they are laid out, by the geometry of its corner."""
    army = {triangle: piece_of(colour, INFANTRY) for triangle in triangles(HOMES[colour])}
    for triangle in triangles(ROWS[colour][2]):
        army[triangle] = piece_of(colour, RUKH if is_black(triangle) else GENERAL_KIND)
    army[CORNERS[colour]] = piece_of(colour, CAVALRY_KIND)
    if general_in_corner:
        front = next(triangle for triangle, piece in army.items() if piece >= FIRST_GENERAL)
        army[front], army[CORNERS[colour]] = army[CORNERS[colour]], army[front]
    return army


def opening(players: Iterable[Colour]) -> Position:
    """The position at the start of a game between these colours; the army of any other is neutral."""
    playing = frozenset(players)
    armies: list[dict[Triangle, Piece]] = [{}, {}, {}, {}]
    for colour in COLOURS:
        owner = colour if colour in playing else NEUTRAL
        armies[owner].update(_army(colour, owner == NEUTRAL))
    unmoved = sum(BIT[triangle] for army in armies for triangle, piece in army.items() if _counts_moves(piece))
    return Position(armies, unmoved, sum(1 << colour for colour in playing), min(playing), (0, 0, 0), 0)


def _counts_moves(piece: Piece) -> bool:
    """Whether it matters for castling if this piece has moved."""
    return piece >= FIRST_GENERAL or FIRST_RUKH <= piece < FIRST_CAVALRY


# -- Writing -------------------------------------------------------------------------------------------------------

NONE: Final = "-"
_PIECE_TEXTS: Final = tuple(COLOUR_LETTERS[piece % 3] + KIND_LETTERS[piece // 3] for piece in PIECES)


def piece_text(piece: Piece) -> str:
    """Colour and kind: `rI`."""
    return _PIECE_TEXTS[piece]


def write(position: Position) -> str:
    """The canonical text of a position."""
    standing = [(triangle, owner, piece) for owner in range(4) for triangle, piece in position.armies[owner].items()]
    standing.sort()
    pieces = " ".join(
        f"{OWNER_LETTERS[owner]}{_PIECE_TEXTS[piece]}{'*' if position.unmoved & BIT[at] else ''}{NAMES[at]}"
        for at, owner, piece in standing
    )
    playing = _letters(position.players)
    prisoners = [_held_text(position, captor) for captor in position.players if position.prisoners[captor]]
    marks = [
        f"{COLOUR_LETTERS[player]}<{_letters(position.attackers_of(player))}"
        for player in position.players
        if position.mark_of(player)
    ]
    parts = (pieces, COLOUR_LETTERS[position.turn], playing, " ".join(prisoners) or NONE, " ".join(marks) or NONE)
    return " / ".join(parts)


def _letters(colours: Iterable[Colour]) -> str:
    return "".join(COLOUR_LETTERS[colour] for colour in colours)


def _held_text(position: Position, captor: Colour) -> str:
    held = sorted(_PIECE_TEXTS[piece] for piece, count in position.held_by(captor).items() for _ in range(count))
    return f"{COLOUR_LETTERS[captor]}:{','.join(held)}"


# -- Reading -------------------------------------------------------------------------------------------------------

_PIECE: Final = re.compile(r"([rgbn])([rgb])([IRCG])(\*?)(\S+)")
_HELD: Final = re.compile(r"([rgb]):([rgb][IRC](?:,[rgb][IRC])*)")
_MARK: Final = re.compile(r"([rgb])<([rgb]{1,2})")


def _bad(rule: str, **facts: object) -> BadHeader:
    return BadHeader(rule, header="Position", **facts)


@lru_cache(maxsize=512)
def read(text: str) -> Position:
    """The position written so. Shared by all who ask: copy it before playing on it.

    Raises `BadHeader` for what cannot be: two pieces on a triangle, no triangle of that name, a player in the game
    without their General or with two, and parts that contradict each other.
    """
    parts = [part.strip() for part in text.split("/")]
    if len(parts) != 5:
        raise _bad("parts", parts=len(parts))
    playing = _read_colours(parts[2], "playing")
    turn = _read_colours(parts[1], "turn")
    if len(turn) != 1 or turn[0] not in playing:
        raise _bad("turn", text=parts[1][:40])
    armies, unmoved = _read_pieces(parts[0].split())
    _check_owners(armies, playing)
    _check_generals(armies, playing)
    in_game = sum(1 << colour for colour in playing)
    return Position(
        armies, unmoved, in_game, turn[0], _read_prisoners(parts[3], playing), _read_marks(parts[4], playing)
    )


def _read_colours(text: str, part: str) -> tuple[Colour, ...]:
    colours = tuple(COLOUR_LETTERS.find(letter) for letter in text)
    if not colours or NOWHERE in colours or len(set(colours)) < len(colours):
        raise _bad(part, text=text[:40])
    return colours


def _read_pieces(texts: Iterable[str]) -> tuple[list[dict[Triangle, Piece]], Triangles]:
    armies: list[dict[Triangle, Piece]] = [{}, {}, {}, {}]
    taken = unmoved = 0
    for text in texts:
        found = _PIECE.fullmatch(text)
        if not found:
            raise _bad("piece", text=text[:40])
        owner, colour, kind, star, name = found.groups()
        triangle = triangle_named(name)
        piece = piece_of(COLOUR_LETTERS.index(colour), KIND_LETTERS.index(kind))
        if triangle is None:
            raise _bad("triangle", text=name[:40])
        if taken & BIT[triangle]:
            raise _bad("two_pieces", triangle=NAMES[triangle])
        if star and not _counts_moves(piece):
            raise _bad("unmoved", text=text[:40])
        taken |= BIT[triangle]
        unmoved |= BIT[triangle] if star else 0
        armies[OWNER_LETTERS.index(owner)][triangle] = piece
    return armies, unmoved


def _check_owners(armies: Sequence[Mapping[Triangle, Piece]], playing: Sequence[Colour]) -> None:
    for colour in COLOURS:
        if armies[colour] and colour not in playing:
            raise _bad("owner", owner=COLOUR_LETTERS[colour])


def _check_generals(armies: Sequence[Mapping[Triangle, Piece]], playing: Sequence[Colour]) -> None:
    """A player in the game has just their own General; neutral ones are of players who are not in the game."""
    for owner in (*playing, NEUTRAL):
        generals = [piece - FIRST_GENERAL for piece in armies[owner].values() if piece >= FIRST_GENERAL]
        if owner == NEUTRAL:
            fine = len(set(generals)) == len(generals) and not set(generals) & set(playing)
        else:
            fine = generals == [owner]
        if not fine:
            raise _bad("generals", owner=OWNER_LETTERS[owner], generals=len(generals))


def _read_prisoners(text: str, playing: Sequence[Colour]) -> list[int]:
    tallies = [0, 0, 0]
    for captor, held in _read_each(_HELD, text, "prisoners", playing):
        counts = Counter(held.split(","))
        if counts.total() > MOST_PRISONERS:
            raise _bad("prisoners", text=text[:40])
        tallies[captor] = sum(count << CELL * _PIECE_TEXTS.index(piece) for piece, count in counts.items())
    return tallies


def _read_marks(text: str, playing: Sequence[Colour]) -> int:
    marks = 0
    for player, letters in _read_each(_MARK, text, "checkmated", playing):
        attackers = _read_colours(letters, "checkmated")
        if player in attackers or not set(attackers) <= set(playing):
            raise _bad("checkmated", text=text[:40])
        marks |= sum(1 << colour for colour in attackers) << 3 * player
    return marks


def _read_each(
    pattern: re.Pattern[str], text: str, part: str, playing: Sequence[Colour]
) -> Iterator[tuple[Colour, str]]:
    """Each player's entry of a part, once a player and only for players in the game."""
    seen: set[Colour] = set()
    for entry in text.split() if text != NONE else ():
        found = pattern.fullmatch(entry)
        player = COLOUR_LETTERS.index(found[1]) if found else NOWHERE
        if not found or player not in playing or player in seen:
            raise _bad(part, text=entry[:40])
        seen.add(player)
        yield player, found[2]
