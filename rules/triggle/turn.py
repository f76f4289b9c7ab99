"""A turn: a band placed or a player gone, the pieces this leads to, and the end of the game."""

from __future__ import annotations

from msgspec.structs import replace

from rules.game import Illegal, Left, Result, Step
from rules.triggle.board import board
from rules.triggle.parts import NOBODY, Closed, End, Ended, Event, Placed, State
from rules.triggle.play import fewest_to_close, members, place

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
    placed.__dict__.update(tables=these, cover=cover)
    names = board(state.options.side).names
    events: tuple[Event, ...] = (Placed(seat, names.bands[band]),)
    if filled:
        events = (*events, Closed(seat, tuple(names.triangles[triangle] for triangle in filled)))
    return _ended(placed, events, _end(placed, seat))


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
    return _ended(gone, (Left(seat),), _end(gone, None))


def filled_by(state: State, closed: int) -> tuple[int, ...]:
    """The triangles of a set just closed by the seat to act that get a piece: in order, until its pieces run out."""
    triangles = members(closed)
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


def _with(numbers: tuple[int, ...], place: int, number: int) -> tuple[int, ...]:
    return (*numbers[:place], number, *numbers[place + 1 :])


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


def _end(state: State, placer: int | None) -> End | None:
    """Why the game is over after a turn of `placer`, or after a leaving (None); None while it goes on.

    Which rule holds goes by the seats at the start.
    """
    options, cover, these = state.options, state.cover, state.tables
    seats = len(state.colours)
    if len(state.left) == seats - 1:
        return "last_player"
    # Pieces come only with a triangle, and most bands close none.
    if state.closed and options.goal == "most" and placer is not None and state.owners.count(placer) == options.pieces:
        return "last_piece"
    if cover.closed == these.all_triangles:
        return "board_full"
    if not cover.legal:
        return "no_band"
    bands = sum(state.bands_left)
    if seats == 2:
        return None if bands else "last_band"
    # With as many bands as a triangle has sides, an open one can always be closed.
    if bands < SIDES_OF_A_TRIANGLE and (fewest_to_close(these, cover) or 0) > bands:
        return "nothing_to_close"
    return None


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
    playing = [seat for seat in range(len(counted)) if seat not in state.left]
    best = (max if state.options.goal == "most" else min)(counted[seat] for seat in playing)
    return tuple(seat for seat in playing if counted[seat] == best)
