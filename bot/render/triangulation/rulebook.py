"""The word game's rules in the project's own words, as played with a table's options, with pictures of examples."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial

import msgspec

from bot.face import RulesPage
from bot.render.triangulation.table import picture
from bot.words import Words
from rules.game import translatable
from rules.triangulation import GAME
from rules.triangulation.deck import Deck, read_card
from rules.triangulation.language import CHINESE, ENGLISH
from rules.triangulation.state import Deal, Options, Setup

NAMES = ("Ada", "Ben", "Cleo", "Dan")
"""Who plays in the pictures; in teams Ada and Cleo, Ben and Dan."""

CARDS = (
    translatable("Marie Curie | Robin Hood | Mount Everest | The Bible | Lego | Diwali"),
    translatable("Nelson Mandela | Batman | The White House | Hamlet | Toyota | Christmas"),
)
"""The cards of the examples, as decks write them."""

FIRST_CLUES = translatable("Book | John | Paul")
BOTH_DONE = (
    ("1 choose 4", ""),
    ("2 choose 3", ""),
    ("1 clues", FIRST_CLUES),
    ("2 clues", translatable("Washington | Avenue | 1600")),
)
MISSED = (("2 flip A", ""), ("2 guess", translatable("Robin Hood")), ("4 flip B", ""))
RECEIVED = (("4 guess", translatable("Hamlet")), ("3 guess", translatable("The Bible")), ("1 flip B", ""))
THREE = (("1 choose 4", ""), ("1 clues", FIRST_CLUES), *MISSED[:2], ("2 flip B", ""))
"""The examples, as records write them; the second part is in the reader's language."""

CLUES = translatable(
    "A clue is any word or phrase, up to 100 characters: several words, names, acronyms, wrong spellings, "
    "other languages, numbers, symbols.\n"
    "It may hold **no form of a word of the message**; words like *the*, *of* and *and* do not count. For "
    "Batman: `Ka-POW!`, `Adam West`, `Nocturnal Mammal` and `$$$` are fine, `Bat`, `Manly` and `B.A.T.M.A.N.` "
    "are not.\n"
    "Parts of compound words count as words of the message: Batman is bat and man. A clue's own compounds are "
    "not taken apart: `Batmobile` is fine. *(our readings)*\n"
    "In Chinese a clue may not share a character with the message; simplified and traditional characters, and "
    "numbers in any spelling, are the same. *(our reading)*\n"
    "Clues are checked before they count. What is refused is named, and nothing you typed is lost."
)
LEAVING = translatable(
    "- Who leaves is gone for good; the team plays on while two are left. A team with fewer loses.\n"
    "- An Insider who leaves before the clues are down is replaced by the next member, who gets a new card. "
    "After that their message is void: shown to all, and nobody scores.\n"
    "- With three players the game ends when one leaves; of the others the higher score wins.\n"
    "*(all of these: our readings)*\n"
    "- The cards come from the deck that was chosen with the table. When it has run through it starts again.\n"
    "- A clue or guess that is out of order can be hidden by whoever may manage messages here: “As text”, then "
    "“Hide a clue or guess”."
)


def rules_pages(options: Options, words: Words) -> tuple[RulesPage, ...]:
    """The rules with these options, page by page, the project's readings marked."""
    received = (*BOTH_DONE, *MISSED, *RECEIVED)
    return (
        RulesPage(
            words("The game"),
            "\n".join(_game(options, words)),
            partial(_drawn, options, words, 4, (*BOTH_DONE, *MISSED)),
            words("A table in play: of three clues two are flipped, and the opponents have guessed wrong once."),
        ),
        RulesPage(
            words("A round"),
            "\n".join(_round(options, words)),
            partial(_drawn, options, words, 4, received),
            words("The table later: the teammates were right and have a point, and the other message is guessed."),
        ),
        RulesPage(words("Clues"), words(CLUES)),
        RulesPage(words("Guessing"), "\n".join(_guessing(options, words))),
        RulesPage(
            words("Three players"),
            "\n".join(_three(options, words)),
            partial(_drawn, options, words, 3, THREE),
            words("A table of three: Ada is the Insider, Ben the opponent, Cleo the teammate."),
        ),
        RulesPage(words("Leaving, and other things"), words(LEAVING)),
    )


# -- In words --------------------------------------------------------------------------------------------------------


def _game(options: Options, words: Words) -> list[str]:
    return [
        words(
            "Two teams. In each round every team has an **Insider**, who chooses a secret **message**: the proper name "
            "of a person, place or thing, real or invented. The Insider writes **three clues**, A, B and C."
        ),
        words(
            "The catch: **the other team guesses first.** It sees one clue, then two, and may guess each time. Only "
            "then does the Insider's own team see all three, and guesses once."
        ),
        words(
            "So no clue should give the message away alone, but all three together must. "
            "The first team with **{points} points** wins at once, also in the middle of a round.",
            points=options.tokens,
        ),
    ]


def _round(options: Options, words: Words) -> list[str]:
    return [
        words("1. Each team gets its Insider: its members take turns.")
        if options.insider == "rotate"
        else words("1. Each team gets its Insider: who comes forward first, but not the one of the round before."),
        words("2. Each Insider gets a card with six messages by direct message and chooses one. The choice is final."),
        *([words("- The category of what they chose is announced to everybody.")] if options.casual else []),
        words("3. Both write their clues at the same time. Whoever is done first is the **1st Insider**."),
        words(
            "4. The 1st Insider's message: the opponents flip any clue and guess, flip another and guess; then the "
            "last clue is flipped for the teammates, who guess once."
        ),
        words("- Opponents right: **intercepted**, a point for them."),
        words("- Teammates right: **received**, a point for them."),
        words(
            "- Nobody right: the opponents get a **last chance**, one more guess with all three clues open. If it is "
            "right the point is theirs, else nobody scores."
        )
        if options.last_chance
        else words("- Nobody right: **lost**, a point for the opponents."),
        words("5. The 2nd Insider's message, the other way round. Then new Insiders."),
        words("The other team's Insider guesses with their team. A team may pass instead of guessing. *(our reading)*"),
    ]


def _guessing(options: Options, words: Words) -> list[str]:
    return [
        words(
            "A guess need not be exactly the message: *the* and the like, accents, capitals and punctuation do not "
            "matter, and neither does a small slip in typing: one for every seven letters. *(our reading)*\n"
            "`Coke` is right for Coca-Cola, `White House` for The White House. A part is wrong (`Luke`), more is wrong "
            "(`Diet Coke`), a description is wrong (`The President's House`)."
        ),
        words("**The Insider rules** on everything that is not clearly right. They are asked privately.")
        if options.judging == "insider"
        else words("What is not clearly right is **wrong**: nobody is asked."),
        words("Whoever of those allowed to guess is first locks the guess in.")
        if options.lock_in == "anyone"
        else words(
            "A guess is **proposed first**, and counts when another of those allowed to guess agrees; a new proposal "
            "replaces the old. Whoever may guess alone needs nobody."
        ),
    ]


def _three(options: Options, words: Words) -> list[str]:
    return [
        words(
            "Everybody plays for themselves, with one Insider a round. The player to the Insider's **left** (the next "
            "seat) is the opponent, the one to the **right** the teammate."
        ),
        words("- Teammate right: Insider and teammate both score."),
        words(
            "- Opponent right: the opponent scores alone. Nobody right: the opponent guesses once more, and if that is "
            "wrong nobody scores."
        )
        if options.last_chance
        else words("- Opponent right, or nobody: the opponent scores alone."),
        words(
            "The opponent is the next Insider. Who has {points} points wins; two who get there together win together.",
            points=options.tokens,
        ),
    ]


# -- In pictures -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _drawn(options: Options, words: Words, seats: int, lines: Sequence[tuple[str, str]]) -> bytes:
    """The table after these lines. Who is Insider and who has to agree is as usual there, or they would not fit."""
    language = CHINESE if words.language == "zh_TW" else ENGLISH
    deck = Deck(language.key, tuple(read_card(words(card), language) for card in CARDS))
    played = msgspec.structs.replace(options, insider="rotate", lock_in="anyone", judging="strict")
    state = GAME.start(Setup(seats=seats, deck=deck), played, Deal(order=(0, 1), first=0 if seats == 3 else None))
    for line, written in lines:
        number, _, verb = line.partition(" ")
        seat = int(number) - 1
        state = GAME.play(state, seat, GAME.parse(state, seat, f"{verb} {words(written)}")).state
    return picture(GAME.view(state, None), words, names=NAMES[:seats])
