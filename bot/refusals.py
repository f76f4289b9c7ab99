"""Refusals as sentences for the person alone: what was wrong and what would be right."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.face import Face
from bot.words import Words
from rules.game import Refusal

Say = Callable[[Refusal, Words], str]


def sentence(refusal: Refusal, words: Words, face: Face | None) -> str:
    """A refusal in the person's words; the game's own word for it where it has one."""
    own = face.refusal(refusal, words) if face else None
    return own or SENTENCES.get(refusal.rule, _unknown)(refusal, words)


def _no_table(refusal: Refusal, words: Words) -> str:
    tables = refusal.facts.get("tables")
    if isinstance(tables, tuple) and tables:
        numbers = words.series((str(table) for table in tables), "or")
        return words("You sit at several tables here: say which one with `table` ({numbers}).", numbers=numbers)
    if "table" in refusal.facts:
        return words("There is no table {table} any more. `/games` shows your tables.", table=refusal.facts["table"])
    return words("There is no table of this game here at which you sit. `/games` shows your tables.")


def _table_over(refusal: Refusal, words: Words) -> str:
    if refusal.facts["status"] == "closed":
        return words("This table is closed.")
    return words("This game is over.")


def _value(refusal: Refusal, words: Words) -> str:
    values = [f"`{choice}`" for choice in _texts(refusal.facts.get("choices"))]
    numbers = refusal.facts.get("numbers")
    if isinstance(numbers, range):
        values.append(words("a number from {least} to {most}", least=numbers[0], most=numbers[-1]))
    return words(
        "`{option}` cannot be {value}: it takes {values}.",
        option=refusal.facts.get("option", ""),
        value=f"`{str(refusal.facts['value'])[:40]}`",
        values=words.series(values, "or"),
    )


def _elsewhere(refusal: Refusal, words: Words) -> str:
    channels = words.series((f"<#{channel}>" for channel in _texts(refusal.facts["channels"])), "or")
    if not channels:
        return words(
            "The channels in which tables may be opened here have been deleted. An admin can set others: `/settings`."
        )
    return words("Tables are opened in {channels} on this server.", channels=channels)


def _not_an_opener(refusal: Refusal, words: Words) -> str:
    roles = words.series((f"<@&{role}>" for role in _texts(refusal.facts["roles"])), "or")
    if not roles:
        return words("The roles that may open tables here have been deleted. An admin can set others: `/settings`.")
    return words("Only {roles} may open tables on this server. You can join those of others.", roles=roles)


def _ambiguous(refusal: Refusal, words: Words) -> str:
    candidates = [f"`{text}`" for text in _texts(refusal.facts["candidates"])]
    return words("That can mean {candidates}. Say which.", candidates=words.series(candidates[:10], "or"))


def _unknown(refusal: Refusal, words: Words) -> str:
    return words("That is not possible now ({rule}).", rule=refusal.rule)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, tuple) else ()


SENTENCES: Mapping[str, Say] = {
    "no_table": _no_table,
    "table_over": _table_over,
    "over": lambda _, words: words("This game is over."),
    "no_seat": lambda _, words: words("You have no seat at this table. You can join it in its lobby, or watch it."),
    "moved_on": lambda _, words: words("The table has moved on since. Look at its newest message."),
    "turn": lambda _, words: words("It is not your turn."),
    "left": lambda _, words: words("You have left this game."),
    "no_draws": lambda _, words: words("In this game a draw cannot be agreed."),
    "not_started": lambda _, words: words("The game has not begun yet."),
    "not_over": lambda _, words: words("The record is given out when the game is over."),
    "started": lambda _, words: words("This game has already begun. You can watch it."),
    "joined": lambda _, words: words("You already sit at this table."),
    "full": lambda _, words: words("This table is full."),
    "not_opener": lambda refusal, words: words(
        "Only {opener} can do that at this table.", opener=refusal.facts["opener"]
    ),
    "too_few": lambda refusal, words: words.many(
        "The game needs at least {count} player.", "The game needs at least {count} players.", _count(refusal, "needed")
    ),
    "proposal_stands": lambda _, words: words("The others have to answer what is proposed already."),
    "no_proposal": lambda _, words: words("Nothing is proposed any more."),
    "no_clock": lambda _, words: words("No turn limit runs here."),
    "no_pause": lambda _, words: words("The game is not paused."),
    "seat_offered": lambda _, words: words(
        "Your seat is free for somebody else now. Behind “More” you find “I am back”."
    ),
    "not_vacant": lambda _, words: words("This seat is not free."),
    "nothing_to_take_back": lambda _, words: words("There is no move that could be taken back."),
    "cannot_be_unseen": lambda _, words: words(
        "The last move showed or drew something that cannot be unseen, so it stands."
    ),
    "no_house_players": lambda _, words: words("There are no house players of this kind."),
    "house_plays_on": lambda refusal, words: words(
        "{players} would rather play on: house players agree to no draw.",
        players=words.series(_texts(refusal.facts["players"])),
    ),
    "house_sits_in": lambda _, words: words("A house player sits in for you. Take your seat back first."),
    "nobody_sits_in": lambda _, words: words("No house player sits in for you: the seat is yours."),
    "closing": lambda _, words: words("I am being restarted. Please press or type it again in a moment."),
    "no_such_wish": lambda _, words: words("That cannot be chosen at this table."),
    "value": _value,
    "fixed": lambda refusal, words: words(
        "On this server `{option}` is always {value}.",
        option=refusal.facts["option"],
        value=f"`{refusal.facts['value']}`",
    ),
    "unknown": lambda refusal, words: words(
        "There is no rule `{option}`.", option=str(refusal.facts["option"])[:40].replace("`", "'")
    ),
    "not_admin": lambda _, words: words("Only those who may manage this server can do that."),
    "outdated": lambda _, words: words("That is not there any more. Open `/settings` or `/house` anew."),
    "not_offered": lambda _, words: words("This game is not offered on this server. `/house` shows what is."),
    "elsewhere": _elsewhere,
    "not_an_opener": _not_an_opener,
    "too_many_of_yours": lambda refusal, words: words.many(
        "You have {count} open table here already, which is all one may have. `/games` shows it.",
        "You have {count} open tables here already, which is all one may have. `/games` shows them.",
        _count(refusal, "most"),
    ),
    "too_many_here": lambda refusal, words: words.many(
        "There is {count} open table on this server already, which is all there may be.",
        "There are {count} open tables on this server already, which is all there may be.",
        _count(refusal, "most"),
    ),
    "ambiguous": _ambiguous,
}
"""By rule. A game's own rules are in its face."""


def _count(refusal: Refusal, fact: str) -> int:
    count = refusal.facts[fact]
    return count if isinstance(count, int) else 0
