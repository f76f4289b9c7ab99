"""What the word game shows of itself: public pages, an Insider's own page, refusals in sentences."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

from bot.face import Drawing, Face, RulesPage, Told
from bot.page import BLUE, GREEN, RED, Addresses, Button, Menu, Option, Page, Row
from bot.render import triangulation as render
from bot.render.triangulation import telling
from bot.render.triangulation.rulebook import rules_pages
from bot.render.triangulation.texts import cleaned, escaped, quoted, veil
from bot.words import Words
from rules.game import BadDeal, BadHeader, Event, Game, Refusal, Unreadable, translatable
from rules.triangulation import GAME, events
from rules.triangulation.actions import CLUE_NAMES
from rules.triangulation.clues import LONGEST_TEXT, ClueFault, message_words
from rules.triangulation.deck import CATEGORY_TITLES, Message
from rules.triangulation.language import LANGUAGES
from rules.triangulation.state import Options
from rules.triangulation.view import GuessingView, OwnMission, Ruling, Table, Task, View

DECK_NAME = "deck_name"
"""Where a table keeps the name of a server's own deck, beside its cards."""


class TriangulationFace(Face):
    """What the word game shows of itself."""

    game: ClassVar[Game[Any, Any]] = GAME
    drawing: ClassVar[Drawing] = render
    title = translatable("Triangulation")
    summary = translatable("Give three clues that lead your team to a secret name, but not the other team.")
    wish = translatable("Which team would you like to play in?")
    icon = "🗝️"
    colour = 0x0B5FA5
    secrets = True

    # -- The table --

    def badge(self, view: View, words: Words, seat: int) -> str:
        return telling.MARKS[telling.side_of(view.table, seat)].symbol

    def brought(self, given: Mapping[str, Any], words: Words) -> str | None:
        if "deck" not in given:
            return None
        language, cards = words(LANGUAGES[given["deck"]["language"]].title), len(given["deck"]["cards"])
        own = given.get(DECK_NAME)
        name = f"{escaped(own)} · {language}" if own else language
        return words.many("**Deck:** {name}, {count} card", "**Deck:** {name}, {count} cards", cards, name=name)

    def veil(self, shown: Any, hidden: Collection[str]) -> Any:
        return veil(shown, hidden)

    def beside_text(self, words: Words, address: Addresses, moderates: bool) -> tuple[Row, ...]:
        return ([Button(words("Hide a clue or guess"), address("hide"))],) if moderates else ()

    def story(self, told: Told, view: View, words: Words, names: Sequence[str]) -> str | None:
        if told.kind == "play" and all(event.audience() is not None for event in told.events):
            return words("{name} has chosen a message.", name=names[told.seat])
        sentences = [
            sentence for event in told.events if (sentence := _happened(event, told, view.table, words, names))
        ]
        return words.joined(sentences) or None

    def status(self, view: View, words: Words, names: Sequence[str]) -> str:
        table = view.table
        points = " · ".join(
            f"{telling.with_symbol(table, side, words, names)} **{table.scores[side]}**"
            for side in telling.sides(table)
        )
        lines = [words("**Points:** {points} (of {tokens})", points=points, tokens=table.tokens)]
        if table.result is not None:
            return "\n".join([f"🏆 **{telling.won(table, words, names)}**", *lines])
        round_ = words("**Round {round}.**", round=table.round)
        lines.append(words.joined([round_, *telling.stage(view, words, names)]))
        if table.guessing is not None:
            lines.append(_clues_so_far(table.guessing, words))
        if sitting := telling.neighbours(table, words, names):
            lines.append(sitting)
        return "\n".join(lines)

    def controls(self, view: View, words: Words, address: Addresses) -> tuple[Row, ...]:
        table = view.table
        due = {kind for acting in table.acting for kind in acting.due}
        row: list[Button] = []
        if "insider" in due:
            row.append(Button(words("Be the Insider"), address("volunteer"), BLUE))
        if due & {"choose", "clues"}:
            label = words("Write clues") if "clues" in due else words("Choose a message")
            row.append(Button(label, address("ask_clues"), BLUE))
        if "judge" in due:
            row.append(Button(words("Rule on the guess"), address("ask_ruling"), BLUE))
        if table.guessing is not None and "flip" in due:
            row += [
                Button(words("Flip {clue}", clue=CLUE_NAMES[at]), address("flip", CLUE_NAMES[at]), BLUE)
                for at, clue in enumerate(table.guessing.clues)
                if clue is None
            ]
        if table.guessing is not None and "guess" in due:
            row += _guess_buttons(table.guessing, words, address)
        return (row,) if row else ()

    # -- An Insider's own --

    def hand(self, view: View, words: Words, names: Sequence[str], address: Addresses) -> Page | None:
        own = view.mission
        if own is None or view.seat is None:
            return None
        insider = next(one for one in view.table.insiders if one.seat == view.seat)
        if view.ruling is not None:
            return ruling_page(view.ruling, own, words, names, address)
        match insider.task:
            case Task.CHOOSING:
                return choosing_page(own, view.table, words, address)
            case Task.WRITING:
                return _writing_page(own, view.table, words, address)
            case Task.DONE | Task.GUESSED:
                return _waiting_page(own, view, words)
        return None

    # -- Words --

    def rules(self, options: Options, words: Words) -> tuple[RulesPage, ...]:
        return rules_pages(options, words)

    def refusal(self, refusal: Refusal, words: Words) -> str | None:
        facts = refusal.facts
        if isinstance(refusal, BadHeader) and refusal.rule == "two_in_a_team":
            return words("Each team needs at least two players. Somebody has to choose the other team, or none.")
        if isinstance(refusal, BadHeader | BadDeal):
            return words("No game can be played with that ({rule}).", rule=refusal.rule)
        match refusal.rule:
            case "action" if isinstance(refusal, Unreadable):
                return words("That is nothing one can do here. `guess …`, `flip A` or `pass` is.")
            case "clue" if isinstance(refusal, Unreadable):
                return words("The clues are A, B and C.")
            case "message":
                return words("Your card has six messages: choose one by its number, from 1 to 6, or its name.")
            case "not_now":
                return not_now(facts.get("due"), words)
            case "clues":
                return "\n".join(f"- {fault_sentence(fault, words)}" for fault in _faults(refusal))
            case "three_clues":
                return words("Three clues are needed, parted by `|`.")
            case "clue_open":
                return words("Clue {clue} is open already. Flip another.", clue=_letter(facts["clue"]))
            case "guess":
                return words(GUESS_FAULTS[str(facts["fault"])], most=LONGEST_TEXT)
            case "ruling":
                return words("A guess has been made, and the Insider is ruling on it. Wait for the verdict.")
            case "no_deck":
                return words(
                    "There is no deck `{name}` here. Choose one that `deck` offers.",
                    name=str(facts["name"])[:40].replace("`", "'"),
                )
            case "not_moderator":
                return words("Only those who may manage messages here can hide clues and guesses.")
        return None


# -- Public sentences ----------------------------------------------------------------------------------------------


def _happened(event: Event, told: Told, table: Table, words: Words, names: Sequence[str]) -> str | None:
    match event:
        case events.RoundBegan(round=number):
            return words("Round {round} begins.", round=number)
        case events.InsiderNamed(seat=seat):
            return words("{name} is Insider.", name=names[seat])
        case events.CategoryNamed(seat=seat, category=category):
            return words(
                "{name} has chosen a message: {category}.", name=names[seat], category=words(CATEGORY_TITLES[category])
            )
        case events.CluesDown(seat=seat):
            return words("{name}'s clues lie face down.", name=names[seat])
        case events.ClueFlipped(seat=None, clue=clue, text=text):
            return words("The last clue, {clue}: {text}.", clue=CLUE_NAMES[clue], text=quoted(text, words))
        case events.ClueFlipped(seat=int(seat), clue=clue, text=text):
            return words(
                "{name} flips {clue}: {text}.", name=names[seat], clue=CLUE_NAMES[clue], text=quoted(text, words)
            )
        case events.Proposed(seat=seat, text=None):
            return words("{name} proposes to pass.", name=names[seat])
        case events.Proposed(seat=seat, text=str(text)):
            return words("{name} proposes {guess}.", name=names[seat], guess=quoted(text, words))
        case events.Guessed(seat=seat, text=None):
            return words("{name} passes.", name=names[seat])
        case events.Guessed(seat=seat, text=str(text)):
            return words("{name} guesses {guess}.", name=names[seat], guess=quoted(text, words))
        case events.RulingAsked(insider=insider):
            return words("{name} has to rule.", name=names[insider])
        case events.Ruled(right=right):
            return words("**Right!**") if right else words("Wrong.")
        case events.PointScored(side=side):
            return words("A point for {side}.", side=telling.with_symbol(table, side, words, names))
        case events.MessageShown(insider=insider, text=text):
            return words("{name}'s message was **{message}**.", name=names[insider], message=escaped(text))
    return None


def _clues_so_far(guessing: GuessingView, words: Words) -> str:
    clues = " · ".join(
        f"**{CLUE_NAMES[at]}** {words('face down') if clue is None else quoted(clue, words)}"
        for at, clue in enumerate(guessing.clues)
    )
    return words("Clues: {clues}", clues=clues)


def _guess_buttons(guessing: GuessingView, words: Words, address: Addresses) -> list[Button]:
    chance = chance_key(guessing)
    decline = Button(words("Pass"), address("ask_pass"))
    if guessing.proposal is None:
        return [Button(words("Guess the message"), address("ask_guess", chance), BLUE), decline]
    return [
        Button(words("Agree"), address("accept_guess", proposal_key(guessing)), GREEN),
        Button(words("Other guess"), address("ask_guess", chance)),
        decline,
    ]


def chance_key(guessing: GuessingView) -> str:
    """Which guess of a message this is. An open form belongs to it, whatever teammates propose meanwhile."""
    return f"{guessing.insider}.{len(guessing.flipped)}.{len(guessing.tries)}"


def proposal_key(guessing: GuessingView) -> str:
    """What is proposed, so that nobody agrees to something that has just been replaced."""
    offer = guessing.proposal
    if offer is None:
        return ""
    text = "pass" if offer.text is None else f"{zlib.crc32(offer.text.encode()):08x}"
    return f"{chance_key(guessing)}.{offer.seat}.{text}"


# -- The Insider's pages -------------------------------------------------------------------------------------------


def choosing_page(own: OwnMission, table: Table, words: Words, address: Addresses, again: str = "") -> Page:
    """The card's six messages, and a menu of them. `again` makes the menu another one when it is shown anew."""
    lines = [words("**You are the Insider.** Choose the message that your teammates are to guess.")]
    lines += [
        f"{number}. **{escaped(message.text)}** · {words(CATEGORY_TITLES[message.category])}"
        for number, message in enumerate(own.card, 1)
    ]
    if table.casual:
        lines.append(words("Its category will be announced to all."))
    options = tuple(
        Option(cleaned(message.text), str(number), words(CATEGORY_TITLES[message.category]))
        for number, message in enumerate(own.card)
    )
    menu = Menu(words("Which message?"), address("choose_message", again), options)
    return Page("\n".join(lines), rows=(menu,))


def confirming_page(message: Message, number: int, words: Words, address: Addresses) -> Page:
    """Whether it is really to be this message."""
    text = words("Send **{message}**? The choice is final.", message=escaped(message.text))
    row = [
        Button(words("Choose it"), address("confirm_message", str(number)), GREEN),
        Button(words("Back"), address("back_to_card", str(number))),
    ]
    return Page(text, rows=(row,))


def _message_lines(own: OwnMission, words: Words) -> list[str]:
    message = own.message
    assert message is not None, "the Insider has chosen"
    category = words(CATEGORY_TITLES[message.category])
    lines = [words("Your message: **{message}** ({category})", message=escaped(message.text), category=category)]
    if message.forms:
        forms = words.series((escaped(form) for form in message.forms), "or")
        lines.append(words("Also right: {forms}", forms=forms))
    return lines


def _writing_page(own: OwnMission, table: Table, words: Words, address: Addresses) -> Page:
    message = own.message
    assert message is not None, "the Insider has chosen"
    barred = words.series(
        dict.fromkeys(quoted(word.typed, words) for word in message_words(message, LANGUAGES[table.language])), "or"
    )
    lines = [
        *_message_lines(own, words),
        words("Write three clues: words, phrases, names, numbers or symbols, in any language."),
        words("None of them may hold a form of {barred}.", barred=barred),
        words("Whoever is done first is the 1st Insider. The clues are final."),
    ]
    return Page("\n".join(lines), rows=([Button(words("Write clues"), address("ask_clues"), BLUE)],))


def _waiting_page(own: OwnMission, view: View, words: Words) -> Page:
    guessing = view.table.guessing
    open_clues = guessing.flipped if guessing is not None and guessing.insider == view.seat else ()
    clues = [
        f"{CLUE_NAMES[at]} {quoted(clue, words)} · {words('lies open') if at in open_clues else words('face down')}"
        for at, clue in enumerate(own.clues or ())
    ]
    lines = [*_message_lines(own, words), *(f"- {clue}" for clue in clues)]
    return Page("\n".join([*lines, words("When a guess is not clearly right you will be asked to rule.")]))


def ruling_page(ruling: Ruling, own: OwnMission, words: Words, names: Sequence[str], address: Addresses) -> Page:
    """The guess and the message, for the Insider alone."""
    lines = [
        words("**Is this guess right?**"),
        words("{name} guesses {guess}.", name=names[ruling.guesser], guess=quoted(ruling.guess, words)),
        *_message_lines(own, words),
        words(
            "Right is what can mean nothing else. Wrong is a part of the message, the message with more added, "
            "and a mere description."
        ),
    ]
    row = [
        Button(words("It is right"), address("rule", "right"), GREEN),
        Button(words("It is wrong"), address("rule", "wrong"), RED),
    ]
    return Page("\n".join(lines), rows=(row,))


# -- Refusals ------------------------------------------------------------------------------------------------------

GUESS_FAULTS: Mapping[str, str] = {
    "empty": translatable("Your guess is empty. Type what you think the message is, or pass."),
    "long": translatable("A guess has at most {most} characters."),
    "lines": translatable("A guess stands on one line."),
    "character": translatable("Your guess holds a character that cannot be shown. Type it anew."),
}

FIRST_TO_DO: Mapping[str, str] = {
    "insider": translatable("First your team needs an Insider: come forward."),
    "choose": translatable("First choose one of the six messages of your card."),
    "clues": translatable("Now you write your three clues."),
    "flip": translatable("First a clue has to be flipped."),
    "guess": translatable("A clue is open: now your team guesses, or passes."),
    "judge": translatable("You have to rule on a guess first."),
}

CLUE_FAULTS: Mapping[str, str] = {
    "empty": translatable("Clue {clue} is empty. Write a word, a phrase or symbols."),
    "long": translatable("Clue {clue} has more than {most} characters. Make it shorter."),
    "lines": translatable("Clue {clue} has to stand on one line."),
    "bar": translatable("Clue {clue} holds a bar (|), which parts clues in a record. Use another sign."),
    "character": translatable("Clue {clue} holds a character that cannot be shown ({word}). Type it anew."),
    "mixed": translatable("Clue {clue}: {word} mixes letters of different scripts. Write it in one."),
    "word": translatable("Clue {clue}: {word} is a form of {of}, a word of your message."),
    "message": translatable("Clue {clue}: {word} is your message itself."),
    "number": translatable("Clue {clue}: {word} is the number {of} of your message."),
}


def fault_sentence(fault: ClueFault, words: Words) -> str:
    """Why a clue is refused, in a sentence for its Insider alone."""
    word, of = (quoted(text, words) if text else "" for text in (fault.word, fault.of))
    return words(CLUE_FAULTS[fault.rule], clue=CLUE_NAMES[fault.clue], word=word, of=of, most=LONGEST_TEXT)


def not_now(due: object, words: Words) -> str:
    """What has to be done first, for somebody who does something else."""
    kinds = due if isinstance(due, tuple) else ()
    first = next((FIRST_TO_DO[kind] for kind in kinds if kind in FIRST_TO_DO), None)
    return words(first) if first else words("That cannot be done now.")


def _faults(refusal: Refusal) -> tuple[ClueFault, ...]:
    faults = refusal.facts["faults"]
    return tuple(fault for fault in faults if isinstance(fault, ClueFault)) if isinstance(faults, tuple) else ()


def _letter(clue: object) -> str:
    return CLUE_NAMES[clue - 1] if isinstance(clue, int) and clue in range(1, 4) else "?"
