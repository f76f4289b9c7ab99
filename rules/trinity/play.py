"""The rules in motion: the legal actions, playing one, and leaving.

The rules that `Illegal` names here, with their facts (seats from 0, positions from 1):
- `not_now` (question): something else is to be decided;
- `hand` (card): the player holds no such card; `targets`: there must be three;
- `opponent_missing`, `digit_missing`, `position_missing` (card): the card's effect names one;
- `names_too_much` (card): its effect names no such thing, or cannot be used;
- `opponent` (seat): nobody who may be named; `no_cards` (seat): a 2 needs a victim with cards;
- `after_you` (seat): who alone may be guessed; `digit`, `position`: no such; `open` (seat, position): it lies open;
- `positions`, `order`: not two positions, or not an order, of what there is; `left`: they have left before.
None depends on anything that the player may not know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations, permutations

from rules.game import Event, GameOver, Illegal, Left, Step
from rules.trinity.cards import CARDS, DIGITS, POSITIONS, works
from rules.trinity.state import (
    TRIPLES,
    Arrange,
    Arranged,
    Chose,
    Declined,
    Discard,
    Discarded,
    DiscardTargets,
    Draw,
    Drawn,
    Guess,
    Hits,
    Keep,
    Looked,
    Opened,
    Order,
    Ordered,
    Play,
    Played,
    Player,
    Question,
    Range,
    Skip,
    Sum,
    Swap,
    Swapped,
    TrinityAction,
    TrinityState,
)

SEEN_BY_A_FOUR = 3
NEW_TARGETS = 2

# -- What may be done ----------------------------------------------------------------------------------------------


def legal(state: TrinityState, seat: int) -> Sequence[TrinityAction]:
    """The legal actions of a seat in canonical order: by card, opponent, then digits or positions, all ascending."""
    if seat not in state.to_act():
        return ()
    player = state.players[seat]
    match state.question:
        case Question.KEEP:
            return [Keep(targets) for targets in sorted(set(permutations(player.hand, 3)))]
        case Question.PLAY:
            return [action for card in sorted(set(player.hand)) for action in _plays(state, seat, card)]
        case Question.DISCARD_TARGETS:
            return _DISCARD_TARGETS
        case Question.ARRANGE:
            return _ARRANGEMENTS
        case Question.SWAP:
            cards = sorted(set(player.hand))
            return [Swap(position, card) for position in POSITIONS for card in cards]
        case Question.ORDER:
            return _ORDERS[len(player.foreseen)]
        case Question.DISCARD:
            return [Discard(card) for card in sorted(set(player.hand))]
        case Question.GUESS:
            return _guesses(state.guessable(seat))


_DISCARD_TARGETS = tuple(DiscardTargets(pair) for pair in combinations(POSITIONS, 2))
_ARRANGEMENTS = tuple(Arrange(order) for order in permutations(POSITIONS, 3))
_ORDERS = tuple(tuple(Order(order) for order in permutations(range(count))) for count in range(SEEN_BY_A_FOUR + 1))


@cache
def _guesses(opponents: tuple[int, ...]) -> tuple[TrinityAction, ...]:
    guesses = tuple(Guess(opponent, digits) for opponent in opponents for digits in TRIPLES)
    return (*guesses, Skip())


def _plays(state: TrinityState, seat: int, card: int) -> list[Play]:
    if not CARDS[card].opponent or not usable(state, seat, card):
        return [Play(card)]
    opponents = [other for other in state.opponents(seat) if card != 2 or state.players[other].hand]
    match CARDS[card].detail:
        case "digit":
            return [Play(card, other, digit=digit) for other in opponents for digit in DIGITS]
        case "position":
            return [
                Play(card, other, position=position)
                for other in opponents
                for position in POSITIONS
                if not state.players[other].revealed[position]
            ]
        case None:
            return [Play(card, other) for other in opponents]


def usable(state: TrinityState, seat: int, card: int) -> bool:
    """Whether the effect of this card of their hand could be used now."""
    others = [state.players[other] for other in state.opponents(seat)]
    return works(
        card,
        pile=len(state.pile),
        hand=len(state.players[seat].hand) - 1,
        victims=any(other.hand for other in others),
        hidden=any(other.hidden for other in others),
    )


# -- Playing -------------------------------------------------------------------------------------------------------


def play(state: TrinityState, seat: int, action: TrinityAction) -> Step:
    """Play the action of a seat that has something to decide; raises `Illegal` (rules at the top of this module)."""
    question, answer = _QUESTIONS[type(action)]
    if state.question is not question:
        raise Illegal("not_now", question=state.question.value)
    return answer(state, seat, action)


def _keep(state: TrinityState, seat: int, action: Keep) -> Step:
    if len(action.targets) != len(POSITIONS):
        raise Illegal("targets")
    hand = state.players[seat].hand
    for card in action.targets:
        hand = _without(hand, card)
    state = state.change(seat, hand=hand, targets=action.targets)
    return _after(Step(state, (Chose(seat),)), _start_when_chosen)


def _play_card(state: TrinityState, seat: int, action: Play) -> Step:
    player, card = state.players[seat], action.card
    hand = _without(player.hand, card)
    used = usable(state, seat, card)
    _check_named(state, seat, action, used)
    state = state.change(seat, hand=hand, area=(*player.area, card)).but(question=Question.GUESS, played=card)
    told = Played(seat, card, used, action.opponent, action.digit, action.position)
    return _after(Step(state, (told,)), lambda played: _EFFECTS[card](played, seat, action) if used else Step(played))


def _check_named(state: TrinityState, seat: int, action: Play, used: bool) -> None:
    """Raise unless the action names just what its card's effect needs."""
    card = CARDS[action.card]
    named = {"opponent": action.opponent, "digit": action.digit, "position": action.position}
    needed = {name for name in ("opponent", card.detail) if used and card.opponent and name}
    if any(value is not None and name not in needed for name, value in named.items()):
        raise Illegal("names_too_much", card=card.digit)
    for name in ("opponent", "digit", "position"):
        if name in needed and named[name] is None:
            raise Illegal(f"{name}_missing", card=card.digit)
    if action.opponent is None:
        return
    if action.opponent not in state.opponents(seat):
        raise Illegal("opponent", seat=action.opponent)
    _check_reach(state.players[action.opponent], action.opponent, action)


def _check_reach(opponent: Player, number: int, action: Play) -> None:
    if action.card == 2 and not opponent.hand:
        raise Illegal("no_cards", seat=number)
    if action.digit is not None and action.digit not in DIGITS:
        raise Illegal("digit", digit=action.digit)
    if action.position is None:
        return
    if action.position not in POSITIONS:
        raise Illegal("position", position=action.position + 1)
    if opponent.revealed[action.position]:
        raise Illegal("open", seat=number, position=action.position + 1)


def _discard_targets(state: TrinityState, seat: int, action: DiscardTargets) -> Step:
    if action not in _DISCARD_TARGETS:
        raise Illegal("positions")
    player = state.players[seat]
    # The smaller digit first: the order in the area must not tell which position a card came from.
    discarded = tuple(sorted(player.targets[position] for position in action.positions))
    state, drawn = _take(state, NEW_TARGETS)
    fresh = dict(zip(action.positions, drawn, strict=True))
    state = state.change(
        seat,
        targets=tuple(fresh.get(position, player.targets[position]) for position in POSITIONS),
        revealed=tuple(player.revealed[position] and position not in fresh for position in POSITIONS),
        area=player.area + discarded,
        answers=(),
    )
    events = (Discarded(seat, discarded), Draw(seat, NEW_TARGETS), Drawn(seat, drawn))
    return Step(state.but(question=Question.ARRANGE), events)


def _arrange(state: TrinityState, seat: int, action: Arrange) -> Step:
    if action not in _ARRANGEMENTS:
        raise Illegal("order")
    player = state.players[seat]
    state = state.change(
        seat,
        targets=tuple(player.targets[position] for position in action.order),
        revealed=tuple(player.revealed[position] for position in action.order),
    )
    return Step(state.but(question=Question.GUESS), (Arranged(seat),))


def _swap(state: TrinityState, seat: int, action: Swap) -> Step:
    if action.position not in POSITIONS:
        raise Illegal("position", position=action.position + 1)
    player, place = state.players[seat], action.position
    state = state.change(
        seat,
        hand=(*_without(player.hand, action.card), player.targets[place]),
        targets=tuple(action.card if p == place else player.targets[p] for p in POSITIONS),
        revealed=tuple(player.revealed[p] and p != place for p in POSITIONS),
        answers=(),
    )
    return Step(state.but(question=Question.GUESS), (Swapped(seat),))


def _order(state: TrinityState, seat: int, action: Order) -> Step:
    seen = state.players[seat].foreseen
    if action not in _ORDERS[len(seen)]:
        raise Illegal("order")
    ordered = tuple(seen[index] for index in action.order)
    for other in range(len(state.players)):  # What others knew of the top may no longer hold.
        state = state.change(other, foreseen=ordered if other == seat else ())
    state = state.but(pile=ordered + state.pile[len(ordered) :], question=Question.GUESS)
    return Step(state, (Ordered(seat),))


def _discard(state: TrinityState, seat: int, action: Discard) -> Step:
    player = state.players[seat]
    state = state.change(seat, hand=_without(player.hand, action.card), area=(*player.area, action.card))
    return Step(state.but(question=Question.GUESS, victim=None), (Discarded(seat, (action.card,)),))


def _guess(state: TrinityState, seat: int, action: Guess) -> Step:
    _check_guess(state, seat, action)
    opponent = state.players[action.opponent]
    hits = sum(said == target for said, target in zip(action.digits, opponent.targets, strict=True))
    step = _answered(state, Hits(seat, action.opponent, action.digits, hits))
    if hits == len(POSITIONS):
        return Step(step.state.change(action.opponent, revealed=(True, True, True)).but(winner=seat), step.events)
    return _after(step, _one_guess_less)


def _check_guess(state: TrinityState, seat: int, action: Guess) -> None:
    if action.opponent not in state.opponents(seat):
        raise Illegal("opponent", seat=action.opponent)
    if action.opponent not in state.guessable(seat):
        raise Illegal("after_you", seat=state.after(seat))
    if len(action.digits) != len(POSITIONS) or any(digit not in DIGITS for digit in action.digits):
        raise Illegal("digit")


def _skip(state: TrinityState, seat: int, action: Skip) -> Step:
    return _after(Step(state, (Declined(seat),)), _one_guess_less)


_QUESTIONS: dict[type[TrinityAction], tuple[Question, Callable[..., Step]]] = {
    Keep: (Question.KEEP, _keep),
    Play: (Question.PLAY, _play_card),
    DiscardTargets: (Question.DISCARD_TARGETS, _discard_targets),
    Arrange: (Question.ARRANGE, _arrange),
    Swap: (Question.SWAP, _swap),
    Order: (Question.ORDER, _order),
    Discard: (Question.DISCARD, _discard),
    Guess: (Question.GUESS, _guess),
    Skip: (Question.GUESS, _skip),
}

# -- Effects: each takes the state after the card has left the hand --------------------------------------------------


def _recovery(state: TrinityState, seat: int, action: Play) -> Step:
    return Step(state.but(question=Question.DISCARD_TARGETS))


def _transplant(state: TrinityState, seat: int, action: Play) -> Step:
    return Step(state.but(question=Question.SWAP))


def _delete(state: TrinityState, seat: int, action: Play) -> Step:
    return Step(state.but(question=Question.DISCARD, victim=action.opponent))


def _raise(state: TrinityState, seat: int, action: Play) -> Step:
    return _draw(state, seat)


def _hand_of_god(state: TrinityState, seat: int, action: Play) -> Step:
    seen = state.pile[:SEEN_BY_A_FOUR]
    return Step(state.change(seat, foreseen=seen).but(question=Question.ORDER), (Looked(seat, seen),))


def _double_call(state: TrinityState, seat: int, action: Play) -> Step:
    return Step(state.but(guesses=2))


def _inquiry(state: TrinityState, seat: int, action: Play) -> Step:
    opponent = _named(state, action)
    return _open(state, seat, action, [p for p in POSITIONS if opponent.targets[p] == action.digit])


def _addition(state: TrinityState, seat: int, action: Play) -> Step:
    return _answered(state, Sum(seat, _number(action), sum(_named(state, action).targets)))


def _subtraction(state: TrinityState, seat: int, action: Play) -> Step:
    targets = _named(state, action).targets
    return _answered(state, Range(seat, _number(action), max(targets) - min(targets)))


def _wanted(state: TrinityState, seat: int, action: Play) -> Step:
    return _open(state, seat, action, [p for p in POSITIONS if p == action.position])


_EFFECTS: dict[int, Callable[[TrinityState, int, Play], Step]] = {
    0: _recovery,
    1: _transplant,
    2: _delete,
    3: _raise,
    4: _hand_of_god,
    5: _double_call,
    6: _inquiry,
    7: _addition,
    8: _subtraction,
    9: _wanted,
}


def _number(action: Play) -> int:
    if action.opponent is None:  # _check_named has seen to it.
        raise Illegal("opponent_missing", card=action.card)
    return action.opponent


def _named(state: TrinityState, action: Play) -> Player:
    return state.players[_number(action)]


def _open(state: TrinityState, seat: int, action: Play, positions: Sequence[int]) -> Step:
    opponent = _named(state, action)
    shown = tuple((position, opponent.targets[position]) for position in positions)
    revealed = tuple(opponent.revealed[p] or p in positions for p in POSITIONS)
    state = state.change(_number(action), revealed=revealed)
    return _answered(state, Opened(seat, _number(action), action.digit, shown))


def _answered(state: TrinityState, answer: Hits | Sum | Range | Opened) -> Step:
    known = state.players[answer.opponent].answers
    return Step(state.change(answer.opponent, answers=(*known, answer)), (answer,))


# -- Turns ---------------------------------------------------------------------------------------------------------


def _start_when_chosen(state: TrinityState) -> Step:
    return _begin(state, state.turn) if not state.to_act() else Step(state)


def _begin(state: TrinityState, seat: int) -> Step:
    """A turn begins: the player draws, then plays a card if they hold any."""
    state = state.but(turn=seat, question=Question.PLAY, victim=None, guesses=1, played=None, drawn=())
    step = _draw(state, seat) if state.pile else Step(state)
    return step if step.state.players[seat].hand else Step(step.state.but(question=Question.GUESS), step.events)


def _one_guess_less(state: TrinityState) -> Step:
    if state.guesses > 1:
        return Step(state.but(guesses=state.guesses - 1))
    return _begin(state, state.after(state.turn))


def _draw(state: TrinityState, seat: int) -> Step:
    state, cards = _take(state, 1)
    state = state.change(seat, hand=state.players[seat].hand + cards).but(drawn=state.drawn + cards)
    return Step(state, (Draw(seat, len(cards)), Drawn(seat, cards)))


def _take(state: TrinityState, count: int) -> tuple[TrinityState, tuple[int, ...]]:
    """The state without the top cards of the pile, and these."""
    for seat, player in enumerate(state.players):
        if player.foreseen:
            state = state.change(seat, foreseen=player.foreseen[count:])
    return state.but(pile=state.pile[count:]), state.pile[:count]


def _without(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    """The hand with one such card less; raises `Illegal("hand")` where it holds none."""
    if card not in hand:
        raise Illegal("hand", card=card)
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]


def _after(step: Step, follow: Callable[[TrinityState], Step]) -> Step:
    """What happened, and what follows from it."""
    then = follow(step.state)
    return Step(then.state, step.events + then.events)


# -- Leaving -------------------------------------------------------------------------------------------------------


def leave(state: TrinityState, seat: int) -> Step:
    """The seat's cards are laid open and out of the game; raises `GameOver`, `Illegal("left")`."""
    if state.winner is not None:
        raise GameOver
    if seat not in range(len(state.players)) or state.players[seat].left:
        raise Illegal("left")
    turn, victim = state.turn, state.victim
    state = state.change(seat, left=True, revealed=(True, True, True), foreseen=())
    events: tuple[Event, ...] = (Left(seat),)
    staying = [other for other, player in enumerate(state.players) if not player.left]
    if len(staying) == 1:
        return Step(state.but(winner=staying[0]), events)
    if state.question is Question.KEEP:
        state = state.but(turn=state.after(seat)) if seat == turn else state
        return _after(Step(state, events), _start_when_chosen)
    if seat == turn:
        return _after(Step(state, events), lambda left: _begin(left, left.after(seat)))
    if seat == victim:
        state = state.but(question=Question.GUESS, victim=None)
    return Step(state, events)
