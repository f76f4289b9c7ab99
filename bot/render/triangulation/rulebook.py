"""The word game's rules in the project's own words: title and text of each page, the project's readings marked."""

from rules.game import translatable

PAGES = (
    (
        translatable("The game"),
        translatable(
            "Two teams. In each round every team has an **Insider**, who chooses a secret **message**: the proper name "
            "of a person, place or thing, real or invented. The Insider writes **three clues**, A, B and C.\n"
            "The catch: **the other team guesses first.** It sees one clue, then two, and may guess each time. Only "
            "then does the Insider's own team see all three, and guesses once.\n"
            "So no clue should give the message away alone, but all three together must. "
            "The first team with enough points wins at once, also in the middle of a round."
        ),
    ),
    (
        translatable("A round"),
        translatable(
            "1. Each team gets its Insider: the next in turn, or whoever comes forward.\n"
            "2. Each Insider gets a card with six messages by direct message and chooses one. The choice is final.\n"
            "3. Both write their clues at the same time. Whoever is done first is the **1st Insider**.\n"
            "4. The 1st Insider's message: the opponents flip any clue and guess, flip another and guess; then the "
            "last clue is flipped for the teammates, who guess once.\n"
            "- Opponents right: **intercepted**, a point for them.\n"
            "- Teammates right: **received**, a point for them.\n"
            "- Nobody right: **lost**, a point for the opponents. With *last chance* they have to guess once more for "
            "it, and if they are wrong nobody scores.\n"
            "5. The 2nd Insider's message, the other way round. Then new Insiders.\n"
            "The other team's Insider guesses with their team. A team may pass instead of guessing. *(our reading)*"
        ),
    ),
    (
        translatable("Clues"),
        translatable(
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
        ),
    ),
    (
        translatable("Guessing"),
        translatable(
            "A guess need not be exactly the message: *the* and the like, accents, capitals and punctuation do not "
            "matter, and neither does a small slip in typing: one for every seven letters. *(our reading)*\n"
            "`Coke` is right for Coca-Cola, `White House` for The White House. A part is wrong (`Luke`), more is wrong "
            "(`Diet Coke`), a description is wrong (`The President's House`).\n"
            "**The Insider rules** on everything that is not clearly right. They are asked privately. With *judging: "
            "nobody* it is simply wrong.\n"
            "By default anyone allowed to guess locks the guess in. With *locking in: when another agrees* a guess is "
            "proposed, and counts when a teammate agrees; a new proposal replaces the old."
        ),
    ),
    (
        translatable("Three players"),
        translatable(
            "Everybody plays for themselves, with one Insider a round. The player to the Insider's **left** (the next "
            "seat) is the opponent, the one to the **right** the teammate.\n"
            "- Teammate right: Insider and teammate both score.\n"
            "- Opponent right, or nobody: the opponent scores alone. With *last chance* the opponent has to guess once "
            "more, and if they are wrong nobody scores.\n"
            "The opponent is the next Insider. Two who reach the goal together win together."
        ),
    ),
    (
        translatable("Leaving, and other things"),
        translatable(
            "- Who leaves is gone for good; the team plays on while two are left. A team with fewer loses.\n"
            "- An Insider who leaves before the clues are down is replaced by the next member, who gets a new card. "
            "After that their message is void: shown to all, and nobody scores.\n"
            "- With three players the game ends when one leaves; of the others the higher score wins.\n"
            "*(all of these: our readings)*\n"
            "- The cards come from the deck that was chosen with the table. When it has run through it starts again.\n"
            "- A clue or guess that is out of order can be hidden by whoever may manage messages here: “As text”, then "
            "“Hide a clue or guess”."
        ),
    ),
)
