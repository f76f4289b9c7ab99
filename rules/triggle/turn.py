"""A turn: a band placed or a player gone, the pieces this leads to, and the end of the game."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from rules.game import Illegal, Left, Result, Step
from rules.triggle.board import board
from rules.triggle.parts import NOBODY, Closed, End, Ended, Event, Options, Placed, State
from rules.triggle.play import Cover, Tables, fewest_to_close, numbers, place

SIDES_OF_A_TRIANGLE = 3


def place_band(state: State, band: int) -> Step:
    """The seat to act places a band; raises `Illegal` with the rule that forbids it."""
    these, before, seat = state.tables, state.cover, state.to_act
    if not before.legal >> band & 1:
        raise _forbidden(state, band)
    cover = place(these, before, band)
    filled = filled_by(state, cover.closed & ~before.closed) if cover.closed != before.closed else ()
    placed = State(
        options=state.options,
        colours=state.colours,
        bands=(*state.bands, band),
        placers=(*state.placers, seat),
        owners=_with_pieces(state.owners, filled, seat) if filled else state.owners,
        bands_left=_with(state.bands_left, seat, state.bands_left[seat] - 1),
        left=state.left,
        to_act=_next_seat(state, seat),
        closed=filled,
    )
    placed.keep(these, cover)
    names = board(state.options.side).names
    events: tuple[Event, ...] = (Placed(seat, names.bands[band]),)
    if filled:
        events = (*events, Closed(seat, tuple(names.triangles[triangle] for triangle in filled)))
    last_piece = bool(filled) and state.options.goal == "most" and placed.owners.count(seat) == state.options.pieces
    return _ended(placed, events, "last_piece" if last_piece else _end(placed))


def leave(state: State, seat: int) -> Step:
    """The seat leaves: pieces and score stay on the board, its bands are gone, its turns fall away."""
    if seat in state.left:
        raise Illegal("left", seat=seat)
    gone = replace(
        state,
        left=tuple(sorted((*state.left, seat))),
        bands_left=_with(state.bands_left, seat, 0),
    )
    if state.to_act == seat:
        gone = replace(gone, to_act=_next_seat(gone, seat))
    return _ended(gone, (Left(seat),), "last_player" if len(gone.left) == len(gone.colours) - 1 else _end(gone))


def filled_by(state: State, closed: int) -> tuple[int, ...]:
    """The triangles of a set just closed by the seat to act that get a piece: in order, until its pieces run out."""
    triangles = numbers(closed)
    if state.options.goal == "fewest":
        return tuple(triangles)
    return tuple(triangles[: state.options.pieces - state.owners.count(state.to_act)])


def scores(state: State) -> tuple[int, ...]:
    """Pieces on the board, per seat."""
    return tuple(state.owners.count(seat) for seat in range(len(state.colours)))


def _forbidden(state: State, band: int) -> Illegal:
    name = board(state.options.side).names.bands[band]
    if band in state.bands:
        return Illegal("there_already", band=name)
    if not state.cover.near >> band & 1:
        return Illegal("touches_nothing", band=name)
    return Illegal("nothing_new", band=name)


def _with(per_seat: tuple[int, ...], seat: int, number: int) -> tuple[int, ...]:
    return (*per_seat[:seat], number, *per_seat[seat + 1 :])


def _with_pieces(owners: tuple[int, ...], triangles: tuple[int, ...], seat: int) -> tuple[int, ...]:
    changed = list(owners)
    for triangle in triangles:
        changed[triangle] = seat
    return tuple(changed)


def _next_seat(state: State, seat: int) -> int:
    seats = len(state.colours)
    seat = (seat + 1) % seats
    while seat in state.left:
        seat = (seat + 1) % seats
    return seat


def end_of_bands(these: Tables, cover: Cover, seats: int, bands: int) -> End | None:
    """Why the game is over with so many bands left in all hands together; None while it goes on.

    Which rule holds goes by `seats`, the number of players at the start.
    """
    if cover.closed == these.all_triangles:
        return "board_full"
    if not cover.legal:
        return "no_band"
    if seats == 2:
        return None if bands else "last_band"
    # With as many bands as a triangle has sides, an open one can always be closed.
    if bands < SIDES_OF_A_TRIANGLE and fewest_to_close(these, cover) > bands:
        return "nothing_to_close"
    return None


def best(scores: Mapping[int, int], options: Options) -> tuple[int, ...]:
    """The seats with the best of these scores; equal scores share the win."""
    wanted = (max if options.goal == "most" else min)(scores.values())
    return tuple(seat for seat, score in scores.items() if score == wanted)


def _end(state: State) -> End | None:
    return end_of_bands(state.tables, state.cover, len(state.colours), sum(state.bands_left))


def _ended(state: State, events: tuple[Event, ...], end: End | None) -> Step:
    """The step to this state, the game being over if there is an `end`."""
    if end is None:
        return Step(state, events)
    counted = scores(state)
    over = replace(state, to_act=NOBODY, end=end, result=Result(_winners(state, end, counted), scores=counted))
    return Step(over, (*events, Ended(end)))


def _winners(state: State, end: End, counted: tuple[int, ...]) -> tuple[int, ...]:
    if end == "last_piece":
        return (state.placers[-1],)
    return best({seat: score for seat, score in enumerate(counted) if seat not in state.left}, state.options)
