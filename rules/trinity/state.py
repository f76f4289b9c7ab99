"""The values TRiNITY is made of: options, deal, state, actions and events."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

import msgspec

from rules.game import Deal, Event, Left, Options, Setup, Variant, translatable
from rules.trinity.cards import DIGITS

Triple = tuple[int, int, int]
"""Three digits, or three positions (from 0), in the order of the positions."""

TRIPLES: tuple[Triple, ...] = tuple((a, b, c) for a in DIGITS for b in DIGITS for c in DIGITS)
"""All triples of digits, a b c at index 100a + 10b + c."""


class TrinityOptions(Options, frozen=True):
    """The variants."""

    deck: Annotated[
        Literal["full", "short"],
        Variant(
            title=translatable("Deck"),
            sentence=translatable("How many copies of each digit are in the deck; the short deck is for two players."),
            choices={
                "full": translatable("three of each, 30 cards"),
                "short": translatable("two of each, 20 cards"),
            },
            seats=(2,),
        ),
    ] = "full"
    third: Annotated[
        Literal["any", "left"],
        Variant(
            title=translatable("Whom to guess"),
            sentence=translatable("With three players, whether you guess whom you like or only the player after you."),
            choices={"any": translatable("anyone"), "left": translatable("only the player after you")},
            seats=(3,),
        ),
    ] = "any"

    @property
    def copies(self) -> int:
        """How many cards of each digit there are."""
        return 3 if self.deck == "full" else 2


class TrinitySetup(Setup, frozen=True, kw_only=True):
    """Nothing but the number of players."""


class TrinityDeal(Deal, frozen=True, kw_only=True):
    """Who starts, and the deck in its order: five cards for each seat, then the pile with its top first."""

    first: int
    deck: tuple[int, ...]


# -- Events --------------------------------------------------------------------------------------------------------


class Chose(Event, frozen=True, tag="chose"):
    """A player has chosen their targets (never which)."""

    seat: int


class Draw(Event, frozen=True, tag="draws"):
    """A player draws `count` cards; `Drawn` tells its owner which."""

    seat: int
    count: int


class Drawn(Event, frozen=True, tag="drawn"):
    """The cards drawn, in their order: for their owner alone."""

    seat: int
    cards: tuple[int, ...]

    def audience(self) -> tuple[int, ...]:
        """Their owner."""
        return (self.seat,)


class Played(Event, frozen=True, tag="played"):
    """A card is played, with what was named for it; `used` is false where its effect could not be used."""

    seat: int
    card: int
    used: bool
    opponent: int | None = None
    digit: int | None = None
    position: int | None = None


class Discarded(Event, frozen=True, tag="discarded"):
    """Cards go face up to their owner's area: a hand card (2), or two targets (0), the smaller digit first."""

    seat: int
    cards: tuple[int, ...]


class Arranged(Event, frozen=True, tag="arranged"):
    """A player put their targets in an order (never which)."""

    seat: int


class Swapped(Event, frozen=True, tag="swapped"):
    """A player swapped a target with a hand card (never which)."""

    seat: int


class Looked(Event, frozen=True, tag="looked"):
    """What a 4 showed, from the top of the pile: for the player alone."""

    seat: int
    cards: tuple[int, ...]

    def audience(self) -> tuple[int, ...]:
        """The player who looked."""
        return (self.seat,)


class Ordered(Event, frozen=True, tag="ordered"):
    """A player put the cards seen by a 4 back (never in which order)."""

    seat: int


class Hits(Event, frozen=True, tag="hits"):
    """The answer to a guess: how many positions are right."""

    seat: int
    opponent: int
    digits: Triple
    hits: int


class Sum(Event, frozen=True, tag="sum"):
    """The answer to a 7."""

    seat: int
    opponent: int
    total: int


class Range(Event, frozen=True, tag="range"):
    """The answer to an 8: largest minus smallest target."""

    seat: int
    opponent: int
    width: int


class Opened(Event, frozen=True, tag="opened"):
    """The answer to a 6 (`digit` is what was asked for) or a 9 (`digit` None): pairs of position and digit.

    After a 6, no other position holds the digit asked for.
    """

    seat: int
    opponent: int
    digit: int | None
    shown: tuple[tuple[int, int], ...]


class Declined(Event, frozen=True, tag="declined"):
    """A player gave up a guess."""

    seat: int


Answer = Hits | Sum | Range | Opened
"""What is publicly known about an opponent's targets."""

TrinityEvent = (
    Chose
    | Draw
    | Drawn
    | Played
    | Discarded
    | Arranged
    | Swapped
    | Looked
    | Ordered
    | Hits
    | Sum
    | Range
    | Opened
    | Declined
    | Left
)


# -- Actions -------------------------------------------------------------------------------------------------------


class Keep(msgspec.Struct, frozen=True, tag="keep"):
    """Choose these three digits as targets, in this order."""

    targets: Triple


class Play(msgspec.Struct, frozen=True, tag="play"):
    """Play a card; `opponent`, `digit` (6) and `position` (9) where its effect is used and names them."""

    card: int
    opponent: int | None = None
    digit: int | None = None
    position: int | None = None


class DiscardTargets(msgspec.Struct, frozen=True, tag="discard_targets"):
    """After a 0: the two positions, ascending, whose targets are discarded."""

    positions: tuple[int, int]


class Arrange(msgspec.Struct, frozen=True, tag="arrange"):
    """After a 0: `order[p]` is the position whose target comes to position p."""

    order: Triple


class Swap(msgspec.Struct, frozen=True, tag="swap"):
    """After a 1: the position and the hand card that change places."""

    position: int
    card: int


class Order(msgspec.Struct, frozen=True, tag="order"):
    """After a 4: `order[i]` is which of the cards seen (from 0, the top first) comes to place i of the pile."""

    order: tuple[int, ...]


class Discard(msgspec.Struct, frozen=True, tag="discard"):
    """The victim of a 2 gives up this hand card."""

    card: int


class Guess(msgspec.Struct, frozen=True, tag="guess"):
    """Name a digit for each position of an opponent."""

    opponent: int
    digits: Triple


class Skip(msgspec.Struct, frozen=True, tag="skip"):
    """Give up a guess."""


TrinityAction = Keep | Play | DiscardTargets | Arrange | Swap | Order | Discard | Guess | Skip


# -- The state -----------------------------------------------------------------------------------------------------


class Question(StrEnum):
    """What is to be decided now. All of them follow from what everybody has seen."""

    KEEP = "keep"
    PLAY = "play"
    DISCARD_TARGETS = "discard_targets"
    ARRANGE = "arrange"
    SWAP = "swap"
    ORDER = "order"
    DISCARD = "discard"
    GUESS = "guess"


class Player(msgspec.Struct, frozen=True):
    """All of one seat. Before they have chosen, `targets` is empty and `hand` holds the five cards.

    `revealed`: which targets lie open. `answers`: what was learnt of the targets since they last changed.
    `foreseen`: the top cards of the pile as far as this player knows them from a 4, the top first.
    """

    hand: tuple[int, ...]
    targets: tuple[int, ...] = ()
    revealed: tuple[bool, bool, bool] = (False, False, False)
    area: tuple[int, ...] = ()
    answers: tuple[Answer, ...] = ()
    foreseen: tuple[int, ...] = ()
    left: bool = False

    @property
    def hidden(self) -> bool:
        """Whether a target of theirs lies face down."""
        return bool(self.targets) and not all(self.revealed)


class TrinityState(msgspec.Struct, frozen=True):
    """A whole game at one moment. Hold it back from people: only `view` may be shown.

    `turn` is whose turn it is (before all have chosen: who will start), `victim` who must give up a card to a 2,
    `guesses` how many are left this turn, `played` the card played this turn, `drawn` what the player at turn has
    drawn to their hand this turn.
    """

    options: TrinityOptions
    players: tuple[Player, ...]
    pile: tuple[int, ...]
    turn: int
    question: Question = Question.KEEP
    victim: int | None = None
    guesses: int = 1
    played: int | None = None
    drawn: tuple[int, ...] = ()
    winner: int | None = None

    def to_act(self) -> tuple[int, ...]:
        """The seats that have something to decide, ascending."""
        if self.winner is not None:
            return ()
        if self.question is Question.KEEP:
            return tuple(seat for seat, one in enumerate(self.players) if not one.left and not one.targets)
        if self.question is Question.DISCARD and self.victim is not None:
            return (self.victim,)
        return (self.turn,)

    def opponents(self, seat: int) -> tuple[int, ...]:
        """The others still in the game, ascending: whom an effect may name."""
        return tuple(other for other, one in enumerate(self.players) if other != seat and not one.left)

    def after(self, seat: int) -> int:
        """The next seat still in the game."""
        count = len(self.players)
        order = ((seat + step) % count for step in range(1, count + 1))
        return next(other for other in order if not self.players[other].left)

    def guessable(self, seat: int) -> tuple[int, ...]:
        """Whom this seat may guess, ascending."""
        return (self.after(seat),) if self.options.third == "left" else self.opponents(seat)

    def change(self, seat: int, **changes: object) -> TrinityState:
        """The same with some fields of one player changed."""
        player = msgspec.structs.replace(self.players[seat], **changes)
        return self.but(players=(*self.players[:seat], player, *self.players[seat + 1 :]))

    def but(self, **changes: object) -> TrinityState:
        """The same with some fields changed."""
        return msgspec.structs.replace(self, **changes)
