"""TRiNITY in words: the table, a hand, the notebook, and what happened. Names stand in the texts as given."""

from __future__ import annotations

from collections.abc import Sequence

from bot.render import ALT_LENGTH, TEXT_LENGTH
from bot.render.descriptions import within
from bot.render.trinity.cards import person, power
from bot.render.trinity.hand import hand_in_order, seen_by
from bot.words import Words
from rules.game import Event, translatable
from rules.trinity.cards import CARDS, DIGITS
from rules.trinity.notebook import Notes
from rules.trinity.state import (
    Answer,
    Arranged,
    Chose,
    Declined,
    Discarded,
    Draw,
    Hits,
    Opened,
    Ordered,
    Played,
    Question,
    Range,
    Sum,
    Swapped,
)
from rules.trinity.view import PlayerView, View, usable

MOST_LISTED = 12
"""Possibilities that the notebook names one by one."""
MOST_ANSWERS = 12
"""Answers about one player's targets that are told; the newest, where there are more."""

WAITING: dict[Question, str] = {
    Question.KEEP: translatable("The targets are being chosen."),
    Question.PLAY: translatable("{name} plays a card."),
    Question.DISCARD_TARGETS: translatable("{name} gives up two targets."),
    Question.ARRANGE: translatable("{name} puts their targets in order."),
    Question.SWAP: translatable("{name} swaps a target with a hand card."),
    Question.ORDER: translatable("{name} looks at the top of the pile."),
    Question.DISCARD: translatable("{name} has to give up a card."),
    Question.GUESS: translatable("{name} guesses."),
}
"""What the table waits for."""


def named(digit: int, words: Words) -> str:
    """A card in a sentence: `8 Bureaucrat`."""
    return f"{digit} {person(digit, words)}"


def spaced(digits: Sequence[int]) -> str:
    """A guess or targets as people write them: `8 6 3`."""
    return " ".join(map(str, digits))


# -- The table -----------------------------------------------------------------------------------------------------


def status(view: View, words: Words, names: Sequence[str]) -> str:
    """What the table waits for, or how the game ended."""
    if view.result is not None:
        return ended(view, words, names)
    if view.question is None:
        return ""
    waiting = words(WAITING[view.question], name=names[view.to_act[0]])
    if view.question is Question.GUESS and view.guesses > 1:
        waiting = words.joined([waiting, words.many("{count} guess left.", "{count} guesses left.", view.guesses)])
    if view.question is Question.KEEP:
        waiting = words.joined([waiting, words("{name} will start.", name=names[view.turn])])
    return words.joined([waiting, pile(view, words)])


def pile(view: View, words: Words) -> str:
    """How many cards the pile has."""
    return words.many("The pile has {count} card.", "The pile has {count} cards.", view.pile_size)


def ended(view: View, words: Words, names: Sequence[str]) -> str:
    """Who won, and everybody's targets."""
    if view.result is None:
        return ""
    winner = names[view.result.winners[0]]
    guessed = any(isinstance(answer, Hits) and answer.hits == 3 for one in view.players for answer in one.answers)
    won = words("**TRiNITY!** {name} wins.", name=winner) if guessed else words("{name} wins.", name=winner)
    targets = [
        words("{name} {targets}", name=names[one.seat], targets=targets_said(one, words))
        for one in view.players
        if one.chosen
    ]
    return f"🏆 {won}" + (f"\n{words('Targets: {targets}.', targets=words.series(targets))}" if targets else "")


def targets_said(player: PlayerView, words: Words) -> str:
    """Targets as everybody sees them: `8 ? 3`."""
    if not player.chosen:
        return words("not chosen yet")
    return " ".join("?" if target is None else str(target) for target in player.targets)


def alt(view: View, words: Words, names: Sequence[str]) -> str:
    """The position's essentials in at most `ALT_LENGTH` characters."""

    def told(these: Sequence[str], with_guess: bool) -> str:
        briefs = (_brief(one, words, these, with_guess) for one in view.players)
        return words.joined([_now(view, words, these), *briefs])

    return within(
        ALT_LENGTH,
        names,
        lambda these: told(these, True),
        lambda these: told(these, False),
        lambda these: _now(view, words, these),
    )


def _now(view: View, words: Words, names: Sequence[str]) -> str:
    if view.result is not None:
        return words("{name} wins.", name=names[view.result.winners[0]])
    return status(view, words, names)


def _brief(player: PlayerView, words: Words, names: Sequence[str], with_guess: bool) -> str:
    name = names[player.seat]
    if player.left:
        return words("{name} has left.", name=name)
    text = words.many(
        "{name}: targets {targets}, {count} card in hand.",
        "{name}: targets {targets}, {count} cards in hand.",
        player.hand_size,
        name=name,
        targets=targets_said(player, words),
    )
    guesses = [answer for answer in player.answers if isinstance(answer, Hits)]
    if with_guess and guesses:
        last = guesses[-1]
        text += " " + words("Last guess {guess}: {hits} right.", guess=spaced(last.digits), hits=last.hits)
    return text


def as_text(view: View, words: Words, names: Sequence[str]) -> str:
    """The whole table in words, in markdown; from a seat's side with that seat's own cards."""
    return within(
        TEXT_LENGTH,
        names,
        *(lambda these, most=most: "\n".join(_told(view, words, these, most)) for most in (99, MOST_ANSWERS, 3, 0)),
    )


def _told(view: View, words: Words, names: Sequence[str], most: int) -> list[str]:
    lines = [status(view, words, names)]
    if view.played is not None:
        lines.append(words("Played this turn: {card}.", card=named(view.played, words)))
    for player in view.players:
        lines += _told_player(player, words, names, most)
    if view.own is not None and not view.players[view.own.seat].left:
        lines.append(f"**{words('Yours alone')}**")
        lines += [f"- {line}" for line in own_cards(view, words)]
    return lines


def _told_player(player: PlayerView, words: Words, names: Sequence[str], most: int) -> list[str]:
    name = f"**{names[player.seat]}**"
    lines = [
        words("{name} (has left)", name=name) if player.left else name,
        "- " + words("Targets: {targets}", targets=targets_said(player, words)),
        "- "
        + (
            words("Hand: {cards}", cards=spaced(sorted(player.laid_open)))
            if player.laid_open
            else words.many("{count} card in hand", "{count} cards in hand", player.hand_size)
        ),
    ]
    if player.area:
        lines.append("- " + words("Played: {cards}", cards=spaced(player.area)))
    return lines + _answers(player, words, names, most)


def _answers(player: PlayerView, words: Words, names: Sequence[str], most: int) -> list[str]:
    """What was learnt of a player's targets, oldest first; of more than so many the newest."""
    left_out = max(0, len(player.answers) - most)
    lines = [f"- {answered(answer, words, names)}" for answer in player.answers[left_out:]]
    if not left_out:
        return lines
    earlier = words.many("and {count} answer before that", "and {count} answers before that", left_out)
    return [*lines, f"- *{earlier}*"]


def answered(answer: Answer, words: Words, names: Sequence[str]) -> str:
    """What was learnt of somebody's targets, and by whom."""
    match answer:
        case Hits():
            return words(
                "{name} guessed {guess}: {hits} right.",
                name=names[answer.seat],
                guess=spaced(answer.digits),
                hits=answer.hits,
            )
        case Sum():
            return words("The sum is {total}.", total=answer.total)
        case Range():
            return words("Largest minus smallest is {width}.", width=answer.width)
        case _ if answer.digit is not None and not answer.shown:
            return words("No target is {digit}.", digit=answer.digit)
        case _ if answer.digit is not None:
            return words(
                "{digit} lies only at {positions}.", digit=answer.digit, positions=_positions(answer.shown, words)
            )
        case _:
            return words("Revealed: {targets}.", targets=_revealed(answer, words))


def _positions(shown: Sequence[tuple[int, int]], words: Words) -> str:
    return words.series(words("position {number}", number=position + 1) for position, _ in shown)


def _revealed(answer: Opened, words: Words) -> str:
    return words.series(
        words("{digit} at position {number}", digit=digit, number=position + 1) for position, digit in answer.shown
    )


# -- One's own -----------------------------------------------------------------------------------------------------


def own_cards(view: View, words: Words) -> list[str]:
    """Targets, hand, what was drawn, and what a 4 has shown, a line each."""
    own = seen_by(view)
    lines = []
    if own.targets:
        lines.append(words("Your targets: {targets}", targets=spaced(own.targets)))
    if own.hand:
        cards = words.listed(named(digit, words) for digit in hand_in_order(own))
        lines.append(words("Your hand: {cards}", cards=cards))
    if own.drawn and not view.result:
        lines.append(words("Drawn this turn: {cards}", cards=words.listed(named(digit, words) for digit in own.drawn)))
    if own.foreseen:
        lines.append(words("Top of the pile: {cards}", cards=spaced(own.foreseen)))
    return lines


def effects(view: View, words: Words) -> list[str]:
    """What each card of the viewer's hand does, and whether its effect can be used now; a line a kind of card."""
    own = seen_by(view)
    lines = []
    for digit in dict.fromkeys(hand_in_order(own)):
        card = CARDS[digit]
        line = f"**{named(digit, words)} · {power(digit, words)}** – {words(card.effect)}"
        if not usable(view, own.seat, digit):
            line += f" ⚠️ *{words('No effect now.')} {words(card.needs)}*"
        lines.append(line)
    return lines


# -- The notebook --------------------------------------------------------------------------------------------------


def notebook_text(view: View, notebook: Sequence[Notes], words: Words, names: Sequence[str]) -> str:
    """Per opponent what is known of their targets and what it leaves possible; and the cards seen so far."""
    lines: list[str] = []
    for notes in notebook:
        player = view.players[notes.seat]
        count = words.many("{count} possibility", "{count} possibilities", notes.count)
        lines.append(f"**{names[notes.seat]}** · {count}")
        lines += _answers(player, words, names, MOST_ANSWERS)
        if not player.answers:
            lines.append("- " + words("Nothing has been learnt since these targets last changed."))
        lines += [
            "- " + words("Position {number}: {digits}", number=position + 1, digits=spaced(digits) or words("nothing"))
            for position, digits in enumerate(notes.positions)
        ]
        if 0 < notes.count <= MOST_LISTED:
            listed = " · ".join(f"`{spaced(triple)}`" for triple in notes.triples())
            lines.append("- " + words("All that is possible: {triples}", triples=listed))
    lines.append(words("**Seen so far:** {cards}", cards=seen_cards(view, words)))
    return "\n".join(lines)


def seen_cards(view: View, words: Words) -> str:
    """How many of each digit the viewer has seen: in areas, open, in their own hand and targets."""
    seen: list[int] = []
    for player in view.players:
        seen += player.area
        if view.own is None or player.seat != view.own.seat:
            seen += [*player.laid_open, *(target for target in player.targets if target is not None)]
    if view.own is not None:
        seen += [*view.own.targets, *view.own.hand, *view.own.foreseen]
    counted = [f"{digit}×{seen.count(digit)}" for digit in DIGITS if digit in seen]
    return words.listed(counted) or words("nothing")


# -- What happened -------------------------------------------------------------------------------------------------


def story(events: Sequence[Event], words: Words, names: Sequence[str]) -> str | None:
    """The public events of one action in a line; what only some may know is left out here too."""
    public = [event for event in events if event.audience() is None]
    lines = [line for event in public if (line := _happened(event, public, words, names))]
    return words.joined(lines) or None


def _happened(event: Event, events: Sequence[Event], words: Words, names: Sequence[str]) -> str | None:
    match event:
        case Chose():
            return words("{name} has chosen targets.", name=names[event.seat])
        case Played():
            return _played(event, words, names)
        case Discarded() if len(event.cards) == 1:
            return words("{name} gives up {card}.", name=names[event.seat], card=named(event.cards[0], words))
        case Discarded():
            return words(
                "{name} gives up the targets {cards} and draws new ones.",
                name=names[event.seat],
                cards=words.series(map(str, event.cards)),
            )
        case Draw() if any(isinstance(other, Played) for other in events):
            return words("{name} draws a card.", name=names[event.seat])
        case Arranged():
            return words("{name} has put their targets in order.", name=names[event.seat])
        case Swapped():
            return words("{name} has swapped a target with a hand card.", name=names[event.seat])
        case Ordered():
            return words("{name} has put the top of the pile back.", name=names[event.seat])
        case Declined():
            return words("{name} declines to guess.", name=names[event.seat])
        case Hits() | Sum() | Range() | Opened():
            return _said(event, words, names)
    return None


def _played(event: Played, words: Words, names: Sequence[str]) -> str:
    card = named(event.card, words)
    name = names[event.seat]
    if not event.used:
        return words("{name} plays {card}, without effect.", name=name, card=card)
    if event.opponent is None:
        return words("{name} plays {card}.", name=name, card=card)
    return words("{name} plays {card} on {opponent}.", name=name, card=card, opponent=names[event.opponent])


def _said(answer: Answer, words: Words, names: Sequence[str]) -> str:
    opponent = names[answer.opponent]
    match answer:
        case Hits(hits=3):
            return words(
                "{name} guesses {opponent}: **{guess}** – **TRiNITY!**",
                name=names[answer.seat],
                opponent=opponent,
                guess=spaced(answer.digits),
            )
        case Hits():
            return words(
                "{name} guesses {opponent}: **{guess}** – **{hits} right**.",
                name=names[answer.seat],
                opponent=opponent,
                guess=spaced(answer.digits),
                hits=answer.hits,
            )
        case Sum():
            return words("The sum of {opponent}’s targets is **{total}**.", opponent=opponent, total=answer.total)
        case Range():
            return words("{opponent}’s largest minus smallest is **{width}**.", opponent=opponent, width=answer.width)
        case _ if answer.digit is not None and not answer.shown:
            return words("{opponent} has no **{digit}**.", opponent=opponent, digit=answer.digit)
        case _ if answer.digit is not None:
            return words(
                "{opponent} reveals **{digit}** at {positions}.",
                opponent=opponent,
                digit=answer.digit,
                positions=_positions(answer.shown, words),
            )
        case _:
            return words("{opponent} reveals {targets}.", opponent=opponent, targets=_revealed(answer, words))
