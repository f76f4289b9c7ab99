"""A second program for the moves of Triangulation chess, for tests: plain coordinates, no bits, no undoing.

It shares nothing with `rules.chess` but the texts of positions and actions. Every move is judged by playing it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import permutations
from typing import NamedTuple

Place = tuple[int, int, int]
RANKS, COLUMNS = "ABCDEFGH", "βΓΔΠΣΦΨΩ"
BOARD = frozenset((r, g, b) for r in range(1, 9) for g in range(1, 9) for b in range(1, 9) if r + g + b in (17, 18))
CORNERS = {"r": (1, 8, 8), "g": (8, 1, 8), "b": (8, 8, 1)}


class Piece(NamedTuple):
    """Owner (r g b n), colour, kind, and whether it has not moved."""

    owner: str
    colour: str
    kind: str
    unmoved: bool


Board = dict[Place, Piece]


class Game(NamedTuple):
    """A position, read from its text."""

    board: Board
    turn: str
    playing: str
    prisoners: dict[str, list[str]]
    marks: dict[str, str]


class Move(NamedTuple):
    """What a move is called, where it starts and ends, what the board is then, and whose General it takes."""

    text: str
    start: Place
    target: Place
    board: Board
    felled: str


def name(place: Place) -> str:
    """`F6Σ`."""
    return f"{RANKS[place[0] - 1]}{place[1]}{COLUMNS[place[2] - 1]}"


def place_of(text: str) -> Place:
    """Back from `name`."""
    return RANKS.index(text[0]) + 1, int(text[1]), COLUMNS.index(text[2]) + 1


def read(text: str) -> Game:
    """The position of this text."""
    pieces, turn, playing, prisoners, marks = (part.strip() for part in text.split("/"))
    board = {place_of(piece[-3:]): Piece(piece[0], piece[1], piece[2], "*" in piece) for piece in pieces.split()}
    held = dict(entry.split(":") for entry in prisoners.split() if entry != "-")
    marked = dict(entry.split("<") for entry in marks.split() if entry != "-")
    return Game(board, turn, playing, {captor: names.split(",") for captor, names in held.items()}, marked)


# -- Geometry ------------------------------------------------------------------------------------------------------


def changed(place: Place, *by: int) -> Place:
    """The place that differs by so much."""
    r, g, b = (old + new for old, new in zip(place, by, strict=True))
    return r, g, b


def black(place: Place) -> bool:
    """Whether it lies like the board."""
    return sum(place) == 17


@cache
def over_sides(place: Place) -> list[Place]:
    """The side-neighbours."""
    sign = 1 if black(place) else -1
    near = [changed(place, sign, 0, 0), changed(place, 0, sign, 0), changed(place, 0, 0, sign)]
    return [other for other in near if other in BOARD]


@cache
def opposite(place: Place) -> list[Place]:
    """Straight over a corner."""
    change = (-1, 1, 1) if black(place) else (1, -1, -1)
    return [other for by in set(permutations(change)) if (other := changed(place, *by)) in BOARD]


@cache
def beside(place: Place) -> list[tuple[Place, Place]]:
    """Over a corner to a triangle of the same colour, with the gate."""
    near = [other for by in permutations((1, -1, 0)) if (other := changed(place, *by)) in BOARD]
    return [(other, next(gate for gate in over_sides(place) if gate in over_sides(other))) for other in near]


# -- Ways of moving --------------------------------------------------------------------------------------------------


@cache
def infantry_steps(place: Place, axis: int) -> list[Place]:
    """Over a side: forward, or along where there is no forward."""
    if black(place) and place[axis] < 8:
        return [other for other in over_sides(place) if other[axis] == place[axis] + 1]
    return [other for other in over_sides(place) if other[axis] == place[axis]]


def infantry_strikes(place: Place, axis: int, board: Board) -> list[Place]:
    """What an Infantry attacks."""
    open_beside = [other for other, gate in beside(place) if gate not in board]
    if place[axis] == 8:
        return [other for other in open_beside if other[axis] == 8] if black(place) else []
    return [other for other in opposite(place) + open_beside if other[axis] == place[axis] + 1]


def infantry_walk(place: Place, axis: int, board: Board, steps: int) -> set[Place]:
    """Where it comes through empty triangles."""
    if steps == 0:
        return set()
    ahead = [other for other in infantry_steps(place, axis) if other not in board]
    return set(ahead).union(*(infantry_walk(other, axis, board, steps - 1) for other in ahead))


def rukh_way(place: Place, axis: int, direction: int, board: Board) -> Iterator[Place]:
    """Along one row, the way in which the next coordinate grows or shrinks, up to the first piece."""
    growing, shrinking = [other for other in range(3) if other != axis][::direction]
    while True:
        wanted = growing if black(place) else shrinking
        near = [other for other in over_sides(place) if other[wanted] != place[wanted]]
        if not near:
            return
        place = near[0]
        yield place
        if place in board:
            return


@cache
def cavalry_leaps(place: Place) -> list[Place]:
    """Two or three triangles straight along an axis."""
    sign = 1 if black(place) else -1
    leaps = [(2, -1, -1), (3, -1, -1), (-2, 1, 1), (-3, 2, 2)]
    return [
        other
        for leap in leaps
        for by in set(permutations(leap))
        if (other := changed(place, *(sign * each for each in by))) in BOARD
    ]


def attacks(place: Place, board: Board) -> set[Place]:
    """Where the piece there could capture."""
    piece = board[place]
    axis = "rgb".index(piece.colour)
    if piece.kind == "I":
        return set(infantry_strikes(place, axis, board))
    if piece.kind == "R":
        return {at for line in range(3) for way in (1, -1) for at in rukh_way(place, line, way, board)}
    if piece.kind == "C":
        return set(cavalry_leaps(place))
    return {*over_sides(place), *opposite(place), *(other for other, gate in beside(place) if gate not in board)}


def targets(place: Place, board: Board) -> set[Place]:
    """Where the piece there could go."""
    piece = board[place]
    able = attacks(place, board)
    if piece.kind == "I":
        axis = "rgb".index(piece.colour)
        steps = infantry_walk(place, axis, board, 3 if place[axis] == 3 else 1)
        return {at for at in able if at in board and board[at].owner != piece.owner} | steps
    return {at for at in able if at not in board or board[at].owner != piece.owner}


# -- Moves ---------------------------------------------------------------------------------------------------------


def general_of(board: Board, owner: str) -> Place:
    """Where a player's General stands."""
    return next(at for at, piece in board.items() if piece.owner == owner and piece.kind == "G")


def in_check(board: Board, player: str, playing: str) -> bool:
    """Whether somebody in the game could capture the player's General."""
    general = general_of(board, player)
    threats = [at for at, piece in board.items() if piece.owner in playing and piece.owner != player]
    return any(general in attacks(at, board) for at in threats)


def moved(board: Board, start: Place, target: Place) -> tuple[Board, str]:
    """The board after a move, conquest included, and whose General fell."""
    piece = board[start]
    taken = board.get(target)
    new = {at: other for at, other in board.items() if at not in (start, target)}
    new[target] = piece._replace(unmoved=False)
    if taken is None or taken.kind != "G":
        return new, ""
    converted = {at: p._replace(owner=piece.owner) if p.owner == taken.owner else p for at, p in new.items()}
    return converted, taken.owner


def rescues(game: Game, start: Place, target: Place) -> Iterator[tuple[str, Board]]:
    """Every rescue in moving so: what it is called, and the board."""
    me, piece = game.turn, game.board[start]
    captor = next((colour for colour, corner in CORNERS.items() if corner == target), me)
    board, felled = moved(game.board, start, target)
    if piece.kind != "I" or captor == me or captor not in game.playing or felled == captor:
        return
    wanted = {held for held in game.prisoners.get(captor, []) if held[0] in (me, piece.colour)}
    if any(held[1] != "I" for held in wanted):
        wanted = {held for held in wanted if held[1] != "I"}
    axis = "rgb".index(me)
    room = [at for at in BOARD if at[axis] == 3 and at not in board]
    for held in wanted:
        freed = Piece(me, held[0], held[1], False)
        bare = {at: other for at, other in board.items() if at != target}
        going = board[target]
        if held[1] != "I":
            for home in room:
                yield f"+{held}>{name(home)}", bare | {target: freed, home: going}
            continue
        for one, two in permutations(room, 2):
            if held[0] != piece.colour or one < two:
                yield f"+{held}>{name(one)},{name(two)}", bare | {one: going, two: freed}


def moves_of(game: Game) -> Iterator[Move]:
    """Every move that the pieces' own ways allow, castling apart."""
    for start, piece in game.board.items():
        if piece.owner != game.turn:
            continue
        for target in targets(start, game.board):
            board, felled = moved(game.board, start, target)
            text = f"{name(start)}{'x' if target in game.board else '-'}{name(target)}"
            yield Move(text, start, target, board, felled)
            for words, rescued in rescues(game, start, target):
                yield Move(text + words, start, target, rescued, felled)


def castlings(game: Game) -> Iterator[Move]:
    """General and unmoved Rukh of its colour change places, if the General is not in check."""
    me = game.turn
    general = general_of(game.board, me)
    if not game.board[general].unmoved or in_check(game.board, me, game.playing):
        return
    for rukh, piece in game.board.items():
        if piece == Piece(me, me, "R", True):
            board = game.board | {rukh: game.board[general], general: piece}
            yield Move(f"{name(general)}={name(rukh)}", general, rukh, board, "")


def legal(text: str) -> list[str]:
    """The texts of the legal moves in the position of this text, sorted."""
    game = read(text)
    me = game.turn
    general = general_of(game.board, me)
    every = list(moves_of(game))
    marked = [general_of(game.board, player) for player, by in game.marks.items() if me in by]
    duty = [move for move in every if move.target in marked]
    safe = [
        move
        for move in (*every, *castlings(game))
        if not in_check(move.board, me, game.playing.replace(move.felled, ""))
    ]
    others = [move for move in every if move.start != general]
    return sorted(move.text for move in duty or safe or others or every) or ["--"]
