"""The contract every game fulfils, and the refusals.

A game is pure: no Discord, no input or output, no clock. States and actions are immutable `msgspec` structs that
compare by value and turn to JSON and back. Seats count from 0 in code and from 1 in every text.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar, cast, get_type_hints

import msgspec

Value = str | int | bool
"""What a variant may be set to."""


def translatable(text: str) -> str:
    """Mark an English text of the rules for the catalogues; the face translates it where it is shown."""
    return text


# -- Refusals ------------------------------------------------------------------------------------------------------


class Refusal(Exception):
    """Something that cannot be done, with a stable `rule` and the facts. Prose is made where it is shown.

    `code` says what kind of refusal it is (the CODE of a record's error line), `rule` which rule or check refused,
    `facts` what a sentence about it needs to name. `line` is the line of a record, counted from 1, where known.
    """

    code: ClassVar[str]
    line: int | None = None

    def __init__(self, rule: str, /, **facts: object) -> None:
        super().__init__(rule, facts)
        self.rule = rule
        self.facts = facts

    def at(self, line: int) -> Self:
        """The same refusal, placed at a line of a record."""
        self.line = line
        return self

    def __str__(self) -> str:
        return " ".join([self.rule, *(f"{name}={value}" for name, value in self.facts.items())])


class Unreadable(Refusal):
    """The text names no action at all."""

    code = "unreadable"


class Ambiguous(Refusal):
    """The text names more than one action; the fact `candidates` holds their canonical texts."""

    code = "ambiguous"

    def __init__(self, candidates: Sequence[str]) -> None:
        super().__init__("ambiguous", candidates=tuple(candidates))
        self.candidates = tuple(candidates)


class Illegal(Refusal):
    """The action can be read and is against the rule named."""

    code = "illegal"


class NotYourTurn(Refusal):
    """This seat has nothing to decide now; the fact `to_act` holds the seats that have."""

    code = "turn"

    def __init__(self, to_act: tuple[int, ...]) -> None:
        super().__init__("turn", to_act=to_act)


class GameOver(Refusal):
    """The game has ended."""

    code = "over"

    def __init__(self) -> None:
        super().__init__("over")


class UnknownGame(Refusal):
    """No game of this name."""

    code = "game"


class BadHeader(Refusal):
    """A record's header line, or a part of the setup, that cannot be."""

    code = "header"


class BadOption(Refusal):
    """No such variant, a value it does not take, or one that does not go with the number of seats."""

    code = "option"


class BadDeal(Refusal):
    """A deal that cannot have been drawn."""

    code = "deal"


# -- Variants ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Variant:
    """One thing of the rules that may be varied: an annotation of a field of a game's `Options`.

    `title` is a short name, `sentence` says what the variant means; both English, marked with `translatable`.
    `choices` are the values with names: value to its label ("" where the value speaks for itself). `numbers` are the
    whole numbers it takes besides. `seats` are the numbers of players it concerns (empty: all).
    """

    title: str
    sentence: str
    choices: Mapping[Value, str] = field(default_factory=dict)
    numbers: range | None = None
    seats: tuple[int, ...] = ()

    def takes(self, value: Value) -> bool:
        """Whether the variant can be set to this value."""
        if any(value is choice or (value == choice and type(value) is type(choice)) for choice in self.choices):
            return True
        return self.numbers is not None and type(value) is int and value in self.numbers

    def read(self, text: str) -> Value:
        """The value written so in a record or a command; raises `BadOption`."""
        wanted = text.strip().lower()
        for choice in self.choices:
            if value_text(choice).lower() == wanted:
                return choice
        if self.numbers is not None and wanted.isascii() and wanted.isdigit() and int(wanted[:9]) in self.numbers:
            return int(wanted[:9])
        raise BadOption(
            "value", value=text[:40], choices=tuple(value_text(c) for c in self.choices), numbers=self.numbers
        )


ON_OFF: Mapping[Value, str] = {False: translatable("off"), True: translatable("on")}


def value_text(value: Value) -> str:
    """A variant's value as records write it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game's variants: one field each, in the order of the rules sheet, annotated with its `Variant`.

        side: Annotated[int, Variant(...)] = 4

    Making options with a value that a variant does not take raises `BadOption`.
    """

    def __post_init__(self) -> None:
        for name, variant in self.variants().items():
            if not variant.takes(getattr(self, name)):
                raise BadOption(
                    "value",
                    option=name,
                    value=getattr(self, name),
                    choices=tuple(value_text(choice) for choice in variant.choices),
                    numbers=variant.numbers,
                )

    @classmethod
    def variants(cls) -> dict[str, Variant]:
        """The variants by field name, in order."""
        return _variants(cls)

    @classmethod
    def default(cls, name: str) -> Value:
        """The rulebook's value of a variant."""
        return cast(Value, getattr(cls(), name))

    @classmethod
    def of(cls, values: Mapping[str, str | int | bool]) -> Self:
        """Options from values or their texts by name, the others at their defaults; raises `BadOption`."""
        variants = cls.variants()
        read: dict[str, Any] = {}
        for name, value in values.items():
            if name not in variants:
                raise BadOption("unknown", option=name, options=tuple(variants))
            try:
                read[name] = variants[name].read(value) if isinstance(value, str) else value
            except BadOption as refusal:
                raise BadOption(refusal.rule, option=name, **refusal.facts) from None
        return cls(**read)

    def changed(self) -> dict[str, Value]:
        """The values that differ from the defaults, in order."""
        defaults = type(self)()
        return {name: getattr(self, name) for name in self.variants() if getattr(self, name) != getattr(defaults, name)}


_known_variants: dict[type[Options], dict[str, Variant]] = {}


def _variants(options: type[Options]) -> dict[str, Variant]:
    # get_type_hints evaluates every annotation anew; a cache filled once per class keeps Options cheap to make.
    if options not in _known_variants:
        hints = get_type_hints(options, include_extras=True)
        _known_variants[options] = {
            name: extra
            for name in options.__struct_fields__
            for extra in getattr(hints[name], "__metadata__", ())
            if isinstance(extra, Variant)
        }
    return _known_variants[options]


# -- What a game is made of ----------------------------------------------------------------------------------------


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """What people decided beside options. `seats` is the number of players; games add colours, teams, cards …"""

    seats: int


class Seating(msgspec.Struct, frozen=True):
    """Who sits where: seat → index of the person, in the order in which people came; and the setup this makes."""

    order: tuple[int, ...]
    setup: Setup


class Deal(msgspec.Struct, frozen=True, kw_only=True):
    """All chance of one game, drawn once."""


class Event(msgspec.Struct, frozen=True, tag=True):
    """Something that happened. Each game has a closed set of these."""

    def audience(self) -> tuple[int, ...] | None:
        """The seats that may know of it; None: everybody."""
        return None


class Left(Event, frozen=True, tag="left"):
    """A player left the game for good."""

    seat: int


class DrawOffered(Event, frozen=True, tag="draw"):
    """A player offered a draw, or went along with one that somebody has offered."""

    seat: int
    agreeing: bool = False


class Result(msgspec.Struct, frozen=True):
    """How a game ended. `draw` is true only for an agreed or automatic draw, between `winners`.

    `scores`: one number a seat, or a team where the game's rules sheet says so; None where the game does not count.
    """

    winners: tuple[int, ...]
    draw: bool = False
    scores: tuple[int, ...] | None = None


class Action(Protocol):
    """An action is a frozen struct of the game's own."""

    def __hash__(self) -> int: ...


class Open(ABC):
    """A free-text action in a list of legal ones: a pattern that compares by value (frozen struct or dataclass)."""

    @property
    @abstractmethod
    def text(self) -> str:
        """As it stands in a list of legal texts: `guess …`."""

    @abstractmethod
    def sample(self, rng: random.Random) -> Any:
        """A legal action of this pattern, for tests and random play."""


class Step(msgspec.Struct, frozen=True):
    """What playing an action led to: the new state, and the events in the order they happened."""

    state: Any
    events: tuple[Event, ...] = ()


class Header(msgspec.Struct, frozen=True):
    """One header line of a record: `Name: value`, and its line number counted from 1 (0: not from a file)."""

    name: str
    value: str
    line: int = 0


# -- House players ---------------------------------------------------------------------------------------------------

OutOfTime = Callable[[], bool]
"""Whether a house player must come to an end. It is asked every few hundred microseconds at least."""


@dataclass(frozen=True)
class Level:
    """How well a house player plays: a short name and what one may expect, both marked with `translatable`."""

    title: str
    sentence: str


def levels(easy: str, normal: str, hard: str) -> Mapping[str, Level]:
    """The three levels of a game's house players, from a sentence each."""
    return {
        "easy": Level(translatable("Easy"), easy),
        "normal": Level(translatable("Normal"), normal),
        "hard": Level(translatable("Hard"), hard),
    }


class Robot(ABC):
    """A house player of one game, at one level. It sees what a person in its seat sees, and remembers nothing else."""

    LEVELS: ClassVar[Mapping[str, Level]]
    """The levels by key: `easy`, `normal`, `hard`."""

    def __init__(self, level: str) -> None:
        if level not in self.LEVELS:
            raise BadOption("level", level=level[:40], levels=tuple(self.LEVELS))
        self.level = level

    @abstractmethod
    def choose(self, view: Any, legal: Sequence[Any], rng: random.Random, out_of_time: OutOfTime) -> Any:
        """One of the legal actions (at least one), judged by nothing but the view of its own seat.

        Returns soon after `out_of_time` has said so, at once even; and always the same action for the same view, the
        same random numbers and the same answers of `out_of_time`.
        """


# -- A game ----------------------------------------------------------------------------------------------------------

State_ = TypeVar("State_", bound=msgspec.Struct)
Action_ = TypeVar("Action_", bound=msgspec.Struct)


class Game(ABC, Generic[State_, Action_]):
    """One game. Stateless: the same object serves every table."""

    key: ClassVar[str]
    """Its name in records, commands, folders: `triggle`."""
    version: ClassVar[int]
    """Raised whenever states or rules change in a way that old tables notice."""
    seats: ClassVar[range]
    """The numbers of players it can be played with."""
    perft_seats: ClassVar[int | None] = None
    """With how many players the referee's `perft` counts unless it is told; None: the fewest."""
    chance: ClassVar[tuple[str, ...]] = ("First",)
    """The header names that hold what chance decided, in the order in which they are committed to."""

    Options: ClassVar[type[Options]]
    Setup: ClassVar[type[Setup]]
    Deal: ClassVar[type[Deal]]
    State: ClassVar[Any]
    """The struct of a state, for JSON."""
    Action: ClassVar[Any]
    """The struct of an action, or the union of its tagged structs, for JSON."""
    Event: ClassVar[Any]
    """The union of the game's event structs, `Left` included, for JSON."""
    Robot: ClassVar[type[Robot] | None] = None
    """The game's house player; None where there is none."""

    @abstractmethod
    def deal(self, setup: Any, options: Any, rng: random.Random) -> Any:
        """Draw all chance of a game, once."""

    @abstractmethod
    def start(self, setup: Any, options: Any, deal: Any) -> State_:
        """The state at the start. Raises `BadOption`, `BadHeader` or `BadDeal` for what does not go together."""

    @abstractmethod
    def to_act(self, state: State_) -> tuple[int, ...]:
        """The seats that have something to decide, ascending; empty when the game is over."""

    @abstractmethod
    def legal(self, state: State_, seat: int) -> Sequence[Action_ | Open]:
        """What the seat may do now, in canonical order; empty when it has nothing to decide."""

    @abstractmethod
    def play(self, state: State_, seat: int, action: Action_) -> Step:
        """Play an action. Raises `GameOver`, `NotYourTurn` or `Illegal`; never changes `state`."""

    @abstractmethod
    def leave(self, state: State_, seat: int) -> Step:
        """The seat gives up for good. Raises `GameOver`, or `Illegal("left")` where it has left before."""

    def offer_draw(self, state: State_, seat: int) -> Step:
        """Offer or accept a draw, also out of turn. Games without draws by agreement refuse."""
        raise Illegal("no_draws")

    @abstractmethod
    def view(self, state: State_, seat: int | None) -> Any:
        """What that seat, or the public (None), may know: a frozen struct of a type that cannot hold more."""

    @abstractmethod
    def result(self, state: State_) -> Result | None:
        """How the game ended; None while it goes on."""

    @abstractmethod
    def parse(self, state: State_, seat: int, text: str) -> Action_:
        """The action a person's text means. Forgiving; raises `Unreadable`, `Ambiguous` or `Illegal`."""

    @abstractmethod
    def text(self, action: Action_ | Open) -> str:
        """The canonical text of an action, which `parse` reads back; of an `Open`, its pattern's text."""

    @abstractmethod
    def said(self, event: Any) -> str | None:
        """A public event in a record's words; None for one that records do not tell."""

    @abstractmethod
    def headers(self, setup: Any, deal: Any) -> tuple[Header, ...]:
        """A record's header lines of this game (not Game, Seats, Options)."""

    @abstractmethod
    def read_headers(self, seats: int, options: Any, lines: Sequence[Header]) -> tuple[Any, Any]:
        """Setup and deal from header lines; names it does not know are ignored. Raises `BadHeader`, `BadDeal`."""

    # -- The same for every game, unless it has more to say --

    def wishes(self, players: int, options: Any) -> Mapping[str, str]:
        """What each person may wish for in the lobby (a colour, a team): value to its translatable label."""
        return {}

    def seating(
        self, wishes: Sequence[str | None], options: Any, given: Mapping[str, Any], rng: random.Random
    ) -> Seating:
        """Seat people by their wishes, the rest by lot. `given` are fields of the setup that the table brought along.

        `wishes` holds one of `wishes()` or None a person, in the order in which they came. Raises `BadHeader` for
        wishes that do not go together, `BadOption` for options that do not go with the number of players.
        """
        return Seating(tuple(range(len(wishes))), self.Setup(seats=len(wishes), **given))

    def seats_with(self, options: Any, given: Mapping[str, Any]) -> tuple[int, ...]:
        """The numbers of players that can begin with these options and what the table brought along; never none."""
        return tuple(seats for seats in self.seats if self._begins(seats, options, given)) or tuple(self.seats)

    def _begins(self, seats: int, options: Any, given: Mapping[str, Any]) -> bool:
        rng = random.Random(0)  # nobody plays what is dealt here
        try:
            setup = self.seating([None] * seats, options, given, rng).setup
            self.start(setup, options, self.deal(setup, options, rng))
        except Refusal:
            return False
        return True

    def perft(self, state: State_, depth: int) -> int:
        """How many sequences of `depth` legal actions there are from here. Games override it with something fast."""
        if depth == 0:
            return 1
        count = 0
        for seat in self.to_act(state):
            for action in self.legal(state, seat):
                if not isinstance(action, Open):
                    count += 1 if depth == 1 else self.perft(self.play(state, seat, action).state, depth - 1)
        return count

    def unveils(self, state: State_, seat: int, action: Action_) -> bool:
        """Whether playing this draws or shows something that cannot be unseen, so that it can never be taken back.

        Games with secrets or cards to draw override it.
        """
        return False

    def refuse_out_of_turn(self, state: State_, seat: int) -> None:
        """Raise `GameOver` or `NotYourTurn` unless the seat has something to decide."""
        to_act = self.to_act(state)
        if seat not in to_act:
            raise NotYourTurn(to_act) if to_act else GameOver()


def to_json(value: object) -> str:
    """A state, action, setup, deal, options or event (or a tuple of these) as JSON."""
    return msgspec.json.encode(value).decode()


def from_json(text: str | bytes, kind: Any) -> Any:
    """Back from `to_json`; `kind` is the struct, union or tuple type it was made of."""
    return msgspec.json.decode(text, type=kind)
