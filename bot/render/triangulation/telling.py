"""The word game's table in words: short phrases that pictures and messages share, the description, the whole table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bot.render import ALT_LENGTH
from bot.render.descriptions import within
from bot.render.marks import COLOURS, Mark
from bot.render.triangulation.texts import escaped, quoted, shown
from bot.words import Words
from rules.game import translatable
from rules.triangulation.actions import CLUE_NAMES
from rules.triangulation.deck import CATEGORY_TITLES
from rules.triangulation.state import Finished, Outcome, Try, Turn
from rules.triangulation.view import GuessingView, InsiderView, Table, Task, View

MARKS: tuple[Mark, ...] = tuple(
    COLOURS[colour]._replace(letter=str(number)) for number, colour in enumerate(("blue", "orange", "green"), 1)
)
"""Of the teams, or of three players: numbers, as letters are the clues'."""

OUTCOMES: Mapping[Outcome, str] = {
    Outcome.INTERCEPTED: translatable("intercepted"),
    Outcome.RECEIVED: translatable("received"),
    Outcome.LOST: translatable("lost"),
    Outcome.NOBODY: translatable("not guessed"),
    Outcome.VOID: translatable("void"),
}

TASKS: Mapping[Task, str] = {
    Task.CHOOSING: translatable("{name} is choosing a message."),
    Task.WRITING: translatable("{name} is writing clues."),
    Task.DONE: translatable("{name}'s clues lie face down."),
}

Say = Callable[[str, Words], str]
"""How a player's text is shown: `quoted` in messages, `shown` in descriptions and pictures."""


# -- Who -----------------------------------------------------------------------------------------------------------


def sides(table: Table) -> range:
    """The numbers of the teams, or of the three players, from 0."""
    return range(len(table.scores))


def seats_of(table: Table, side: int) -> tuple[int, ...]:
    """The seats of a side."""
    return table.teams[side] if table.teams else (side,)


def side_of(table: Table, seat: int) -> int:
    """The side of a seat."""
    return next(side for side in sides(table) if seat in seats_of(table, side))


def side_name(table: Table, side: int, words: Words, names: Sequence[str]) -> str:
    """A team's name, or the player's."""
    return words("Team {number}", number=side + 1) if table.teams else names[side]


def with_symbol(table: Table, side: int, words: Words, names: Sequence[str]) -> str:
    """A side's name after its emoji."""
    return f"{MARKS[side].symbol} {side_name(table, side, words, names)}"


def insider_of(table: Table, side: int) -> InsiderView | None:
    """The Insider of a team in this round; with three players of that seat."""
    return next((insider for insider in table.insiders if insider.side == side), None)


def guessing_side(table: Table, guessing: GuessingView) -> int:
    """The side that has to flip or guess."""
    guessers = guessing.teammates if guessing.turn is Turn.TEAMMATES else guessing.opponents
    return side_of(table, guessers[0])


# -- What the table waits for --------------------------------------------------------------------------------------


def stage(view: View, words: Words, names: Sequence[str], say: Say = quoted) -> list[str]:
    """What the table waits for, in sentences; nothing when the game is over."""
    table = view.table
    if table.result is not None:
        return []
    if table.guessing is not None:
        return _guessing_stage(table, table.guessing, words, names, say)
    sentences = []
    for side in range(len(table.teams) or 1):
        insider = insider_of(table, side) if table.teams else table.insiders[0]
        if insider is None:
            team = side_name(table, side, words, names)
            sentences.append(words("{team} needs an Insider: whoever comes forward first.", team=team))
        elif insider.task in TASKS:
            sentences.append(words(TASKS[insider.task], name=names[insider.seat]))
        if insider is not None and insider.category is not None:
            sentences.append(category(insider, words, names))
    return sentences


def category(insider: InsiderView, words: Words, names: Sequence[str]) -> str:
    """Casual mode: the category of an Insider's message, in a sentence."""
    title = "" if insider.category is None else words(CATEGORY_TITLES[insider.category])
    return words("{name}'s category: {category}.", name=names[insider.seat], category=title)


def _guessing_stage(table: Table, guessing: GuessingView, words: Words, names: Sequence[str], say: Say) -> list[str]:
    insider = names[guessing.insider]
    team = side_name(table, guessing_side(table, guessing), words, names)
    sentences = []
    if guessing.ruling is not None:
        sentences.append(words("{name} rules whether the guess is right.", name=insider))
    elif guessing.proposal is not None:
        sentences.append(_proposed(guessing, words, names, say))
    elif guessing.must_flip:
        sentences.append(words("{team} flips one of {name}'s clues.", team=team, name=insider))
    elif guessing.turn is Turn.OPPONENTS:
        sentences.append(words("{team} makes one guess to intercept {name}'s message.", team=team, name=insider))
    elif guessing.turn is Turn.TEAMMATES:
        sentences.append(words("{team} makes its only guess at {name}'s message.", team=team, name=insider))
    else:
        sentences.append(words("Last chance: {team} makes one more guess.", team=team))
    now = next(one for one in table.insiders if one.seat == guessing.insider)
    return sentences if now.category is None else [*sentences, category(now, words, names)]


def _proposed(guessing: GuessingView, words: Words, names: Sequence[str], say: Say) -> str:
    offer = guessing.proposal
    assert offer is not None, "only where something is proposed"
    if offer.text is None:
        return words("{name} proposes to pass; somebody else has to agree.", name=names[offer.seat])
    return words(
        "{name} proposes {guess}; somebody else has to agree.", name=names[offer.seat], guess=say(offer.text, words)
    )


def neighbours(table: Table, words: Words, names: Sequence[str]) -> str | None:
    """Three players: who sits left and right of the Insider; None with teams or when the game is over."""
    if table.left is None or table.right is None or table.result is not None:
        return None
    return words(
        "Left of {insider}: {left}, the opponent. Right: {right}, the teammate.",
        insider=names[table.insiders[0].seat],
        left=names[table.left],
        right=names[table.right],
    )


def won(table: Table, words: Words, names: Sequence[str]) -> str:
    """Who won, in a sentence."""
    assert table.result is not None, "the game is over"
    winners = words.series(names[seat] for seat in table.result.winners)
    if not table.teams:
        return words.many("{names} wins.", "{names} win together.", len(table.result.winners), names=winners)
    team = side_name(table, side_of(table, table.result.winners[0]), words, names)
    return words("{team} wins: {names}.", team=team, names=winners)


def outcome(table: Table, done: Finished, words: Words, names: Sequence[str]) -> str:
    """How a message ended and who scored, as a phrase."""
    said = words(OUTCOMES[done.outcome])
    if not done.scorers:
        return said
    scorers = words.series(side_name(table, side, words, names) for side in done.scorers)
    return words("{outcome}, a point for {sides}", outcome=said, sides=scorers)


def tried(made: Try, words: Words, names: Sequence[str], say: Say) -> str:
    """A guess and its verdict."""
    name = names[made.seat]
    if made.text is None:
        return words("{name} passes", name=name)
    guess = say(made.text, words)
    if made.right is None:
        return words("{name}: {guess} (no verdict)", name=name, guess=guess)
    if made.right:
        return words("{name}: {guess} ✓ right", name=name, guess=guess)
    return words("{name}: {guess} × wrong", name=name, guess=guess)


# -- The description -----------------------------------------------------------------------------------------------


def alt(view: View, words: Words, names: Sequence[str]) -> str:
    """The table's essentials in at most `ALT_LENGTH` characters."""
    return within(
        ALT_LENGTH,
        names,
        lambda these: words.joined([*_now(view, words, these), *_open_clues(view.table, words)]),
        lambda these: words.joined(_now(view, words, these)),
        lambda these: words.joined([_round(view.table, words), _points(view.table, words, these)]),
    )


def _now(view: View, words: Words, names: Sequence[str]) -> list[str]:
    table = view.table
    over = [words("The game is over."), won(table, words, names)] if table.result is not None else []
    stages = over or [_round(table, words), *stage(view, words, names, shown)]
    return [*stages, _points(table, words, names)]


def _round(table: Table, words: Words) -> str:
    return words("Round {round}.", round=table.round)


def _points(table: Table, words: Words, names: Sequence[str]) -> str:
    points = [
        words(
            "{side} {points} of {tokens}", side=side_name(table, side, words, names), points=score, tokens=table.tokens
        )
        for side, score in enumerate(table.scores)
    ]
    return words("Points: {points}.", points=words.series(points))


def _open_clues(table: Table, words: Words) -> list[str]:
    if table.guessing is None or not table.guessing.flipped:
        return []
    clues = words.listed(
        f"{CLUE_NAMES[at]} {shown(table.guessing.clues[at] or '', words)}" for at in table.guessing.flipped
    )
    return [words("Clues: {clues}.", clues=clues)]


# -- The whole table -----------------------------------------------------------------------------------------------


def as_text(view: View, words: Words, names: Sequence[str]) -> str:
    """The whole table in words, in markdown, with all messages so far; as long as it takes.

    Names stand in it as given: escape their markdown before.
    """
    table = view.table
    lines = [words.joined([words("**Round {round}.**", round=table.round), *stage(view, words, names)])]
    if table.result is not None:
        lines = [words.joined([words("**The game is over.**"), won(table, words, names)])]
    lines += [_told_side(table, side, words, names) for side in sides(table)]
    if sitting := neighbours(table, words, names):
        lines.append(sitting)
    if table.guessing is not None:
        lines += _told_guessing(table, table.guessing, words, names)
    lines += [_waiting(insider, words, names) for insider in table.insiders if insider.task is Task.DONE]
    for done in reversed(table.finished):
        lines += _told_finished(table, done, words, names)
    return "\n".join(lines)


def _told_side(table: Table, side: int, words: Words, names: Sequence[str]) -> str:
    members = [_member(table, seat, words, names) for seat in seats_of(table, side)]
    points = words.many(
        "{count} point of {tokens}", "{count} points of {tokens}", table.scores[side], tokens=table.tokens
    )
    if not table.teams:
        return f"- {MARKS[side].symbol} {members[0]} · {points}"
    return f"- **{with_symbol(table, side, words, names)}** · {points} · {words.series(members)}"


def _member(table: Table, seat: int, words: Words, names: Sequence[str]) -> str:
    if seat in table.gone:
        return words("{name} (has left)", name=names[seat])
    if any(insider.seat == seat for insider in table.insiders):
        return words("{name} (Insider)", name=names[seat])
    return names[seat]


def _told_guessing(table: Table, guessing: GuessingView, words: Words, names: Sequence[str]) -> list[str]:
    lines = [f"**{numbered(guessing.number, names[guessing.insider], words, bool(table.teams))}**"]
    lines += [
        f"- {CLUE_NAMES[at]}: {words('face down') if clue is None else quoted(clue, words)}"
        for at, clue in enumerate(guessing.clues)
    ]
    lines += [f"- {tried(made, words, names, quoted)}" for made in guessing.tries]
    if guessing.ruling is not None and guessing.ruling.text is not None:
        asked = guessing.ruling
        guess = quoted(guessing.ruling.text, words)
        lines.append("- " + words("{name}: {guess} waits for the ruling", name=names[asked.seat], guess=guess))
    return lines


def numbered(number: int, name: str, words: Words, of_two: bool) -> str:
    """Whose message it is, and which of the round's two."""
    if not of_two:
        return words("{name}'s message", name=name)
    if number == 1:
        return words("1st message: {name}'s", name=name)
    return words("2nd message: {name}'s", name=name)


def _waiting(insider: InsiderView, words: Words, names: Sequence[str]) -> str:
    return words(TASKS[Task.DONE], name=names[insider.seat])


def _told_finished(table: Table, done: Finished, words: Words, names: Sequence[str]) -> list[str]:
    heading = words(
        "**Round {round}, {name}: {message}** ({category}) – {outcome}",
        round=done.round,
        name=names[done.insider],
        message=escaped(done.message),
        category=words(CATEGORY_TITLES[done.category]),
        outcome=outcome(table, done, words, names),
    )
    clues = " · ".join(f"{CLUE_NAMES[at]} {quoted(clue, words)}" for at, clue in enumerate(done.clues))
    tries = " · ".join(tried(made, words, names, quoted) for made in done.tries)
    return [heading, f"- {clues}", *([f"- {tries}"] if tries else [])]
