"""How the word game goes on: what each action and each leaving leads to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from msgspec.structs import replace

from rules.game import BadDeal, BadHeader, GameOver, Illegal, Left, NotYourTurn, Open, Result, Step
from rules.game import Event as AnyEvent
from rules.triangulation import events
from rules.triangulation.actions import (
    CLUE_NAMES,
    Action,
    Agree,
    AnyClues,
    AnyGuess,
    Choose,
    Clues,
    Flip,
    Guess,
    Judge,
    Pass,
    Volunteer,
)
from rules.triangulation.clues import faults, text_fault, tidy
from rules.triangulation.deck import CATEGORIES, Deck
from rules.triangulation.judge import is_clearly_right
from rules.triangulation.language import LANGUAGES
from rules.triangulation.state import (
    FEWEST_IN_TEAM,
    THREE,
    Deal,
    Finished,
    Guessing,
    Mission,
    Options,
    Outcome,
    Proposal,
    Setup,
    State,
    Teams,
    Try,
    Turn,
)

_Item = TypeVar("_Item")

BEFORE_TEAMMATES = 2
"""How many clues the opponents flip, with one guess each."""

# -- The start -----------------------------------------------------------------------------------------------------


def start(setup: Setup, options: Options, deal: Deal) -> State:
    """The state at the start; raises `BadHeader` or `BadDeal`."""
    _check_setup(setup)
    _check_deal(setup, deal)
    teams = setup.sides
    missions = len(teams) or 1
    state = State(
        options=options,
        seats=setup.seats,
        teams=teams,
        deck=Deck(setup.deck.language, tuple(setup.deck.cards[at] for at in deal.order)),
        scores=(0,) * (len(teams) or THREE),
        last=(None,) * missions,
        missions=(None,) * missions,
    )
    begun: State = (_new_insiders(state) if deal.first is None else _appoint(state, 0, deal.first)).state
    return begun


def _check_setup(setup: Setup) -> None:
    if setup.seats == THREE:
        if setup.teams:
            raise BadHeader("no_teams", header="Teams", seats=THREE)
    else:
        check_teams(setup.sides, setup.seats)
    if setup.deck.language not in LANGUAGES:
        raise BadHeader("language", header="Deck", value=setup.deck.language[:40], languages=tuple(LANGUAGES))
    if not setup.deck.cards:
        raise BadHeader("missing", header="Card")
    if any(len(card.messages) != len(CATEGORIES) for card in setup.deck.cards):
        raise BadDeal("messages", header="Card")


def check_teams(teams: Teams, seats: int) -> None:
    """Raise `BadHeader` unless these are two teams of at least two that hold every seat once, in order."""
    rule = None
    if len(teams) != 2:
        rule = "two_teams"
    elif sorted(seat for team in teams for seat in team) != list(range(seats)):
        rule = "every_seat_once"
    elif any(list(team) != sorted(team) for team in teams):
        rule = "seat_order"
    elif any(len(team) < FEWEST_IN_TEAM for team in teams):
        rule = "two_in_a_team"
    if rule:
        raise BadHeader(rule, header="Teams")


def _check_deal(setup: Setup, deal: Deal) -> None:
    if sorted(deal.order) != list(range(len(setup.deck.cards))):
        raise BadDeal("every_card_once", header="Card")
    if (deal.first is not None) != (setup.seats == THREE):
        raise BadDeal("first", header="First")
    if deal.first is not None and deal.first not in range(THREE):
        raise BadDeal("first", header="First", seat=deal.first)


# -- What may be done ----------------------------------------------------------------------------------------------


def to_act(state: State) -> tuple[int, ...]:
    """The seats that have something to decide, ascending."""
    if state.result is not None:
        return ()
    if state.guessing is not None:
        if state.guessing.ruling is not None:
            return (state.known_mission(state.guessing.mission).insider,)
        return tuple(sorted(state.guessers()))
    writing = [mission.insider for mission in state.missions if mission is not None and mission.clues is None]
    return tuple(sorted([*writing, *state.volunteers()]))


def legal(state: State, seat: int) -> Sequence[Action | Open]:
    """What the seat may do now, in the order of the rules sheet."""
    if seat not in to_act(state):
        return ()
    if state.guessing is not None:
        return _legal_guessing(state.guessing, seat, state)
    at = state.mission_of(seat)
    if at is None:
        return (Volunteer(),)
    if state.known_mission(at).chosen is None:
        return tuple(Choose(message) for message in range(len(CATEGORIES)))
    return (AnyClues(state.message(at), state.deck.language),)


def _legal_guessing(guessing: Guessing, seat: int, state: State) -> Sequence[Action | Open]:
    if guessing.ruling is not None:
        return (Judge(True), Judge(False))
    if guessing.must_flip:
        return tuple(Flip(clue) for clue in range(len(CLUE_NAMES)) if clue not in guessing.flipped)
    agree = [Agree()] if guessing.proposal is not None and guessing.proposal.seat != seat else []
    return (AnyGuess(), *agree, Pass())


def play(state: State, seat: int, action: Action) -> Step:
    """Play an action; raises `GameOver`, `NotYourTurn` or `Illegal`."""
    acting = to_act(state)
    if seat not in acting:
        raise NotYourTurn(acting) if acting else GameOver()
    if not _is_due(state, seat, action):
        raise Illegal("not_now", due=due(state, seat))
    match action:
        case Volunteer():
            return _appoint(state, state.side_of(seat), seat)
        case Choose(message):
            return _choose(state, seat, message)
        case Clues(texts):
            return _lay_down(state, seat, texts)
        case Flip(clue):
            return _flip(state, seat, clue)
        case Guess(text):
            return _guess(state, seat, tidy(text))
        case Agree():
            return _agree(state)
        case Pass():
            return _offer_guess(state, Proposal(seat, None))
        case Judge(right):
            return _judge(state, right)


def due(state: State, seat: int) -> tuple[str, ...]:
    """The kinds of action that a seat may take now, by their words in records."""
    return tuple(dict.fromkeys(_kind(action) for action in legal(state, seat)))


def _is_due(state: State, seat: int, action: Action) -> bool:
    return _kind(action) in due(state, seat)


def _kind(action: Action | Open) -> str:
    match action:
        case Open():
            return action.text.split()[0]
        case _:
            return str(action.__struct_config__.tag)


# -- Insiders, messages, clues -------------------------------------------------------------------------------------


def _appoint(state: State, at: int, seat: int) -> Step:
    """Make a seat the Insider of a mission, with a card of their own."""
    place = state.drawn % len(state.deck.cards)
    after = replace(
        state,
        drawn=state.drawn + 1,
        missions=_with(state.missions, at, Mission(seat, place)),
        last=_with(state.last, at, seat),
    )
    return Step(after, (events.InsiderNamed(seat), events.CardDrawn(seat, state.deck.cards[place])))


def _new_insiders(state: State) -> Step:
    """Each team's Insider of the round where they take turns; where they come forward, nobody yet."""
    step = Step(state)
    if state.options.insider == "rotate":
        for side in range(len(state.missions)):
            step = _then(step, partial(_appoint_next, side=side, after=state.last[side]))
    return step


def _appoint_next(state: State, side: int, after: int | None) -> Step:
    """Make the next of a team's members in seat order, round to the first, its Insider."""
    members = state.present(side)
    seat = next((seat for seat in members if after is not None and seat > after), members[0])
    return _appoint(state, side, seat)


def _choose(state: State, seat: int, message: int) -> Step:
    if message not in range(len(CATEGORIES)):
        raise Illegal("message", message=message + 1, messages=len(CATEGORIES))
    at = _own_mission(state, seat)
    after = replace(state, missions=_with(state.missions, at, replace(state.known_mission(at), chosen=message)))
    casual = (events.CategoryNamed(seat, CATEGORIES[message]),) if state.options.casual else ()
    return Step(after, casual)


def _own_mission(state: State, seat: int) -> int:
    at = state.mission_of(seat)
    assert at is not None, "only Insiders choose and write"
    return at


def _lay_down(state: State, seat: int, texts: Sequence[str]) -> Step:
    at = _own_mission(state, seat)
    first, second, third = (tidy(text) for text in texts)
    if wrong := faults((first, second, third), state.message(at), state.deck.tongue):
        raise Illegal("clues", faults=wrong)
    done = replace(state.known_mission(at), clues=(first, second, third))
    after = replace(state, missions=_with(state.missions, at, done), waiting=(*state.waiting, at))
    return _then(Step(after, (events.CluesDown(seat),)), _go_on)


def _go_on(state: State) -> Step:
    """When all clues are down: guess the next message, or begin the next round."""
    if state.result is not None or state.guessing is not None or state.clues_outstanding():
        return Step(state)
    if state.waiting:
        return Step(replace(state, guessing=Guessing(state.waiting[0])))
    return _next_round(state)


def _next_round(state: State) -> Step:
    after = replace(state, round=state.round + 1, missions=(None,) * len(state.missions))
    began = Step(after, (events.RoundBegan(after.round),))
    if state.teams:
        return _then(began, _new_insiders)
    return _then(began, lambda now: _appoint(now, 0, state.opponents(0)[0]))


# -- Guessing ------------------------------------------------------------------------------------------------------


def _guessing(state: State) -> Guessing:
    assert state.guessing is not None, "a message is being guessed"
    return state.guessing


def _flip(state: State, seat: int | None, clue: int) -> Step:
    guessing = _guessing(state)
    if clue not in range(len(CLUE_NAMES)) or clue in guessing.flipped:
        raise Illegal("clue_open", clue=clue + 1)
    clues = state.known_mission(guessing.mission).clues
    assert clues is not None, "all clues are down"
    after = replace(guessing, flipped=(*guessing.flipped, clue), must_flip=False)
    return Step(replace(state, guessing=after), (events.ClueFlipped(seat, clue, clues[clue]),))


def _guess(state: State, seat: int, text: str) -> Step:
    if rule := text_fault(text):
        raise Illegal("guess", fault=rule)
    if not state.deck.tongue.key_of(text):
        raise Illegal("guess", fault="empty")
    return _offer_guess(state, Proposal(seat, text))


def _offer_guess(state: State, offer: Proposal) -> Step:
    """Lock a guess in, or propose it where another has to agree."""
    if not state.must_agree():
        return _lock_in(state, offer)
    after = replace(state, guessing=replace(_guessing(state), proposal=offer))
    return Step(after, (events.Proposed(offer.seat, offer.text),))


def _agree(state: State) -> Step:
    proposal = _guessing(state).proposal
    assert proposal is not None, "there is something to agree to"
    return _lock_in(state, proposal)


def _lock_in(state: State, guess: Proposal) -> Step:
    """Judge a guess, or ask the Insider to."""
    guessing = replace(_guessing(state), proposal=None, ruling=guess)
    asked = replace(state, guessing=guessing)
    told = (events.Guessed(guess.seat, guess.text),)
    if guess.text is None:
        return _then(Step(asked, told), lambda now: _settle(now, False))
    if is_clearly_right(guess.text, state.message(guessing.mission), state.deck):
        return _then(Step(asked, told), lambda now: _judge(now, True))
    if state.options.judging == "strict":
        return _then(Step(asked, told), lambda now: _judge(now, False))
    insider = state.known_mission(guessing.mission).insider
    return Step(asked, (*told, events.RulingAsked(insider)))


def _judge(state: State, right: bool) -> Step:
    return _then(Step(state, (events.Ruled(right),)), lambda now: _settle(now, right))


def _settle(state: State, right: bool) -> Step:
    """What a verdict on the guess that was made leads to."""
    guessing = _guessing(state)
    assert guessing.ruling is not None, "a guess was made"
    made = Try(guessing.ruling.seat, guessing.turn, guessing.ruling.text, right)
    guessing = replace(guessing, tries=(*guessing.tries, made), ruling=None)
    after = replace(state, guessing=guessing)
    if right:
        received = guessing.turn is Turn.TEAMMATES
        return _finish(after, Outcome.RECEIVED if received else Outcome.INTERCEPTED)
    if guessing.turn is Turn.LAST_CHANCE:
        return _finish(after, Outcome.NOBODY)
    if guessing.turn is Turn.TEAMMATES:
        if state.options.last_chance:
            return Step(replace(state, guessing=replace(guessing, turn=Turn.LAST_CHANCE)))
        return _finish(after, Outcome.LOST)
    if len(guessing.flipped) < BEFORE_TEAMMATES:
        return Step(replace(state, guessing=replace(guessing, must_flip=True)))
    last = next(clue for clue in range(len(CLUE_NAMES)) if clue not in guessing.flipped)
    return _flip(replace(state, guessing=replace(guessing, turn=Turn.TEAMMATES)), None, last)


def _finish(state: State, outcome: Outcome) -> Step:
    """The message being guessed is done: score, show it, go on."""
    guessing = _guessing(state)
    scorers = _scorers(state, guessing.mission, outcome)
    scores = tuple(score + (side in scorers) for side, score in enumerate(state.scores))
    scored = Step(replace(state, scores=scores), tuple(events.PointScored(side) for side in scorers))
    shown = _then(scored, lambda now: _show(now, guessing.mission, outcome, scorers))
    return _then(_then(shown, _end), _go_on)


def _scorers(state: State, at: int, outcome: Outcome) -> tuple[int, ...]:
    """The sides that score, ascending."""
    if outcome in (Outcome.NOBODY, Outcome.VOID):
        return ()
    if outcome is Outcome.RECEIVED:
        # With three players Insider and teammate both score; in a team these are one side.
        seats = (state.known_mission(at).insider, *state.teammates(at))
    else:
        seats = state.opponents(at)
    return tuple(sorted({state.side_of(seat) for seat in seats}))


def _show(state: State, at: int, outcome: Outcome, scorers: tuple[int, ...] = ()) -> Step:
    """Put a message that is done or void, with its clues, before everybody."""
    mission, message = state.known_mission(at), state.message(at)
    assert mission.clues is not None, "only a message with clues is shown"
    on_table = state.guessing if state.guessing is not None and state.guessing.mission == at else Guessing(at)
    unruled = on_table.ruling and (Try(on_table.ruling.seat, on_table.turn, on_table.ruling.text, None),)
    done = Finished(
        round=state.round,
        insider=mission.insider,
        side=state.side_of(mission.insider),
        message=message.text,
        category=message.category,
        clues=mission.clues,
        flipped=on_table.flipped,
        tries=(*on_table.tries, *(unruled or ())),
        outcome=outcome,
        scorers=scorers,
    )
    after = replace(
        state,
        finished=(*state.finished, done),
        waiting=tuple(other for other in state.waiting if other != at),
        guessing=None if on_table is state.guessing else state.guessing,
    )
    return Step(after, (events.MessageShown(mission.insider, message.text),))


def _end(state: State) -> Step:
    """The game is over as soon as a side has its points; with three players two may win together."""
    winners = tuple(
        sorted(
            seat
            for side, seats in enumerate(state.sides)
            if state.scores[side] >= state.options.tokens
            for seat in seats
        )
    )
    return Step(replace(state, result=Result(winners, scores=state.scores)) if winners else state)


# -- Leaving -------------------------------------------------------------------------------------------------------


def leave(state: State, seat: int) -> Step:
    """A player leaves for good; raises `GameOver` or `Illegal`."""
    if state.result is not None:
        raise GameOver()
    if seat in state.gone or seat not in range(state.seats):
        raise Illegal("left", seat=seat)
    at = state.mission_of(seat)
    step = Step(replace(state, gone=tuple(sorted((*state.gone, seat)))), (Left(seat),))
    if at is not None and at in state.waiting:
        step = _then(step, lambda now: _show(now, at, Outcome.VOID))
    step = _then(step, _end_by_leaving)
    if at is not None and state.known_mission(at).clues is None and step.state.result is None:
        step = _then(step, lambda now: _appoint_next(now, at, seat))
    return _then(step, _go_on)


def _end_by_leaving(state: State) -> Step:
    """A team with fewer than two loses; with three players the game ends, and the higher score of those left wins."""
    if state.teams:
        beaten = [side for side in range(len(state.teams)) if len(state.present(side)) < FEWEST_IN_TEAM]
        winners = state.teams[1 - beaten[0]] if beaten else ()
    else:
        left = [seat for seat in range(THREE) if seat not in state.gone]
        most = max(state.scores[seat] for seat in left)
        winners = tuple(seat for seat in left if state.scores[seat] == most)
    return Step(replace(state, result=Result(winners, scores=state.scores)) if winners else state)


# -- Steps ---------------------------------------------------------------------------------------------------------


def _then(step: Step, on: Callable[[State], Step]) -> Step:
    """What happens after a step, with what happened before."""
    after = on(step.state)
    told: tuple[AnyEvent, ...] = (*step.events, *after.events)
    return Step(after.state, told)


def _with(items: tuple[_Item, ...], at: int, item: _Item) -> tuple[_Item, ...]:
    return (*items[:at], item, *items[at + 1 :])
