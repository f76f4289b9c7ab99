"""TRiNITY on Discord: `/trinity`, the questions that cards ask, the form for a guess, the notebook."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import discord
from discord import app_commands

from bot import panel
from bot.client import Trigon
from bot.cog import MOST_CHOICES, GameCog, at_table, control
from bot.face import Drawing, Face, RulesPage, Told
from bot.houses import HouseRefusal, house_of
from bot.page import BLUE, RED, Addresses, Button, Field, Form, Option, Page, Picture, Row
from bot.render import trinity as render
from bot.render.marks import SEATS
from bot.render.trinity import hand, notes, questions, rulebook, telling
from bot.request import Request
from bot.store import CLOSED, OVER
from bot.tables import MovedOn, NoSeat, Table
from bot.words import Words
from rules.game import Game, Illegal, Refusal, translatable
from rules.trinity import GAME
from rules.trinity.cards import CARDS, DIGITS, POSITIONS
from rules.trinity.notebook import notebook
from rules.trinity.state import TRIPLES, Guess, Question, Skip, TrinityOptions
from rules.trinity.view import View

FIRST_TO_DO: dict[str, str] = {
    Question.KEEP: translatable("First everybody chooses their targets."),
    Question.PLAY: translatable("First a card has to be played."),
    Question.DISCARD_TARGETS: translatable("First two targets have to be given up."),
    Question.ARRANGE: translatable("First the targets have to be put in order."),
    Question.SWAP: translatable("First a target has to be swapped."),
    Question.ORDER: translatable("First the top of the pile has to be put back."),
    Question.DISCARD: translatable("First a card has to be given up."),
    Question.GUESS: translatable("A card has been played, or there is none: now you guess, or decline."),
}
"""What is to be decided, for somebody who does something else."""

GUESSED = re.compile(r"guess @([0-9]) ([0-9]) ([0-9]) ([0-9])")
"""A guess that was refused, as its "Edit" button carries it."""
NOTEBOOK = "notebook"
"""The verb of the controls that open the notebook."""


class TrinityFace(Face):
    """What TRiNITY shows of itself."""

    game: ClassVar[Game[Any, Any]] = GAME
    drawing: ClassVar[Drawing] = render
    title = translatable("TRiNITY")
    summary = translatable("Hide three targets, and be the first to name all three of an opponent’s.")
    icon = "🎯"
    colour = 0x7A1FA2
    secrets = True
    helps = frozenset({NOTEBOOK})

    def badge(self, view: View, words: Words, seat: int) -> str:
        return f"{SEATS[seat].symbol}`{SEATS[seat].letter}`"

    def story(self, told: Told, view: View, words: Words, names: Sequence[str]) -> str | None:
        return telling.story(told.events, words, names)

    def status(self, view: View, words: Words, names: Sequence[str]) -> str:
        return telling.status(view, words, names)

    def controls(self, view: View, words: Words, address: Addresses) -> tuple[Row, ...]:
        if view.question is None:
            return ()
        verb = "ask_guess" if view.question is Question.GUESS else "choose"
        row = [Button(words(questions.CALLED[view.question]), address(verb), BLUE)]
        if view.question is Question.GUESS:
            row.append(Button(words("Decline to guess"), address("decline")))
        if view.question is not Question.KEEP:
            row.append(Button(words("Notebook"), address(NOTEBOOK)))
        return (row,)

    def hand(self, view: View, words: Words, names: Sequence[str], address: Addresses) -> Page | None:
        own = hand.seen_by(view)
        asked = view.question is not None and own.seat in view.to_act
        lines = telling.own_cards(view, words)
        if asked and view.question is not None:
            lines += ["", words(questions.ASKED[view.question])]
        if asked and view.question is Question.PLAY:
            lines += telling.effects(view, words)
        rows = own_rows(view, words, address)
        picture = Picture(hand.picture(view, words), "\n".join(telling.own_cards(view, words)), "cards.png")
        return Page("\n".join(lines), picture, rows)

    def rules(self, options: TrinityOptions, words: Words) -> tuple[RulesPage, ...]:
        return rulebook.rules_pages(options, words)

    def refusal(self, refusal: Refusal, words: Words) -> str | None:
        facts = refusal.facts
        match refusal.rule:
            case "not_now":
                return words(FIRST_TO_DO[str(facts["question"])])
            case "hand":
                return words("You hold no {card}. “My cards” shows what you hold.", card=facts["card"])
            case "targets":
                return words("Name three of your cards as targets, such as `8 6 3`.")
            case "opponent_missing":
                return words("{card} needs an opponent: say whom.", card=_card(facts, words))
            case "digit_missing":
                return words("{card} needs a digit from 0 to 9.", card=_card(facts, words))
            case "position_missing":
                return words("{card} needs a position: 1, 2 or 3.", card=_card(facts, words))
            case "names_too_much":
                return words(
                    "{card} names less than that, or has no effect now: then play it without naming anything.",
                    card=_card(facts, words),
                )
            case "opponent":
                return words("Name an opponent who is still in the game, not yourself.")
            case "no_cards":
                return words("That player holds no card. Name one who does.")
            case "after_you":
                return words(
                    "At this table you guess only the player after you: player {number}.", number=_number(facts["seat"])
                )
            case "digit":
                return words("Digits go from 0 to 9, and a guess has three.")
            case "position":
                return words("Positions are 1, 2 and 3.")
            case "open":
                return words("That target lies open already. Name a hidden one.")
            case "positions":
                return words("Name two different positions of 1, 2 and 3, such as `1 3`.")
            case "order":
                return words("Name each place once, in the order you want, such as `2 1 3`.")
            case "text" | "numbers":
                return words(
                    "I cannot read “{text}”. Write it like `guess @2 8 6 3` or `play 6 @2 7`.",
                    text=panel.plain(str(facts["text"])[:40]),
                )
            case "seats" if facts.get("option") == "deck":
                return words("The short deck is for two players. Open a table with the full deck for three.")
            case "no_notebook":
                return words("The notebook is switched off on this server.")
        return None


def _card(facts: Any, words: Words) -> str:
    return telling.named(facts["card"], words)


def _number(seat: object) -> int:
    return seat + 1 if isinstance(seat, int) else 0


def own_rows(view: View, words: Words, address: Addresses, fresh: str | None = None) -> tuple[Row, ...]:
    """The controls under a player's own cards; `fresh` as in `questions.rows`."""
    own = hand.seen_by(view)
    rows = questions.rows(view, words, address, fresh)
    if view.result is None and own.targets and not view.players[own.seat].left:
        return (*rows, [Button(words("Notebook"), address(NOTEBOOK))])
    return rows


class TrinityCog(
    GameCog, name="trinity", group_name="trinity", group_description=translatable("TRiNITY: name three hidden targets")
):
    """`/trinity` and TRiNITY's controls. Everything here answers privately."""

    face: ClassVar[Face] = TrinityFace()

    async def tell_played(self, request: Request, after: Table, seat: int) -> None:
        """Answer with what happened and what is asked next."""
        said = self._played(request, after, seat)
        if request.interaction.guild_id is None or after.status == OVER:
            # In the direct message the letter itself shows what is next; at the end the table shows all.
            await request.tell(said)
        else:
            await self._show_hand(request, after, seat, said)

    async def _show_hand(self, request: Request, table: Table, seat: int, said: str = "") -> None:
        address = request.addresses(table)
        page = await asyncio.to_thread(panel.own_page, table, self.face, request.words, seat, address)
        if page is not None:
            rows = panel.offered(own_rows(table.view(seat), request.words, address, request.fresh), table, self.face)
            await request.say(replace(page, text=f"{said}\n\n{page.text}" if said else page.text, rows=rows))

    async def _acting(self, request: Request, *asked: Question) -> tuple[Table, int, View]:
        """The table, the person's seat and what they see, where they may act and are asked one of these things."""
        table, seat = await self.acting(request)
        view: View = table.view(seat)
        if asked and view.question not in asked:
            raise Illegal("not_now", question=str(view.question))
        return table, seat, view

    # -- Looking --

    @app_commands.command(name="cards", description=translatable("Your own cards, for you alone"))
    @at_table()
    async def cards(self, interaction: discord.Interaction[Trigon], table: int | None = None) -> None:
        request = Request(interaction)
        meant = await self.table_meant(request, table)
        await self._show_hand(request, meant, self._seat(meant, request))

    @app_commands.command(name="notebook", description=translatable("What is still possible, for you alone"))
    @at_table()
    async def notebook_typed(self, interaction: discord.Interaction[Trigon], table: int | None = None) -> None:
        request = Request(interaction)
        await self._show_notebook(request, await self.table_meant(request, table))

    @control(NOTEBOOK)
    async def notebook(self, request: Request) -> None:
        """What the public facts and the person's own cards leave possible."""
        await self._show_notebook(request, await self.bot.table_of(request))

    async def _show_notebook(self, request: Request, table: Table) -> None:
        seat = self._seat(table, request)
        if not house_of(table).notebook:
            raise HouseRefusal("no_notebook")
        view, words = table.view(seat), request.words
        found = notebook(view)
        text = telling.notebook_text(view, found, words, panel.names_of(table, words))
        rows = ([Button(words("Back to my cards"), request.addresses(table)("my_cards"))],)
        names = panel.shown_names(table, words)
        page = Page(f"### {words('Notebook')}\n{text}", rows=rows, colour=self.face.colour)
        alt = words("For each opponent and position, which digits are still possible: as in the text above.")
        await request.show(page, lambda: Picture(notes.picture(found, words, names), alt, "notebook.png"))

    def _seat(self, table: Table, request: Request) -> int:
        """The person's seat, also where the game is over."""
        seat = table.seat_of(request.person.id)
        if seat is None:
            raise NoSeat
        if table.status not in (OVER, CLOSED):
            self.bot.tables.seat_at(table, request.person.id)
        return seat

    # -- Questions --

    @control("choose")
    async def choose(self, request: Request) -> None:
        """The person's cards, with the controls that answer what they are asked."""
        table, seat, _ = await self._acting(request)
        await self._show_hand(request, table, seat)

    @control("keep")
    async def keep(self, request: Request) -> None:
        """The targets as far as they are chosen, and the cards to go on with."""
        table, _, view = await self._acting(request, Question.KEEP)
        held = hand.hand_in_order(hand.seen_by(view))
        words, chosen = request.words, _places(request.argument, len(held))
        rows = questions.keep_rows(view, words, request.addresses(table), chosen)
        targets = [held[place] for place in chosen]
        lines = [words(questions.ASKED[Question.KEEP])]
        if targets:
            lines.append(words("Your targets so far: **{targets}**", targets=telling.spaced(targets)))
        page = Page("\n".join(lines), rows=rows, colour=self.face.colour)
        await request.show(page, lambda: Picture(hand.picture(view, words, chosen), lines[-1], "cards.png"))

    @control("answer")
    async def answer(self, request: Request) -> None:
        """Answer a question with the text of an action."""
        await self.play(request, await self.bot.table_of(request), request.choice)

    @control("swap")
    async def swap(self, request: Request) -> None:
        """After a 1: which hand card the chosen target is swapped for."""
        table, _, view = await self._acting(request, Question.SWAP)
        words, position = request.words, request.number(range(1, 1 + len(POSITIONS))) - 1
        choices = questions.swaps(view, words, position)
        again = [Button(words("Another target"), request.addresses(table)("choose"))]
        asked = words("For which card?")
        rows = questions.rows_of(choices, "answer", asked, request.addresses(table), request.fresh, again)
        target = telling.named(hand.seen_by(view).targets[position], words)
        text = words(
            "Position {number}, {card}: which card from your hand takes its place?", number=position + 1, card=target
        )
        await request.say(Page(text, rows=rows, colour=self.face.colour))

    @control("card")
    async def card(self, request: Request) -> None:
        """Play a card, or ask what its effect has to name: `DIGIT`, `DIGIT.SEAT`, `DIGIT.SEAT.DETAIL`."""
        table, _, view = await self._acting(request, Question.PLAY)
        digit, *said = _said(request.choice)
        opponents = questions.named_opponents(view, digit)
        if len(opponents) == 1 and not said:
            said = [opponents[0] + 1]
        if opponents and not said:
            await self._ask_opponent(request, table, digit, opponents)
            return
        known = said and said[0] - 1 in opponents
        choices = questions.details(view, digit, said[0] - 1, request.words) if known else []
        if choices and len(said) < 2:
            await self._ask_detail(request, table, digit, said[0], choices)
            return
        named = [f"@{said[0]}", *map(str, said[1:])] if said else []
        await self.play(request, table, " ".join([f"play {digit}", *named]))

    async def _ask_opponent(self, request: Request, table: Table, digit: int, opponents: Sequence[int]) -> None:
        words = request.words
        names = panel.shown_names(table, words)
        choices = [questions.Choice(names[seat], f"{digit}.{seat + 1}") for seat in opponents]
        await self._ask_further(request, table, digit, choices, words("On whom do you play it?"))

    async def _ask_detail(
        self, request: Request, table: Table, digit: int, number: int, choices: Sequence[questions.Choice]
    ) -> None:
        words = request.words
        asked = words("For which digit?") if CARDS[digit].detail == "digit" else words("Which hidden target?")
        name = panel.names_of(table, words)[number - 1]
        full = [one._replace(argument=f"{digit}.{number}.{one.argument}") for one in choices]
        await self._ask_further(request, table, digit, full, words("On {name}. {asked}", name=name, asked=asked))

    async def _ask_further(
        self, request: Request, table: Table, digit: int, choices: Sequence[questions.Choice], asked: str
    ) -> None:
        words, address = request.words, request.addresses(table)
        again = [Button(words("Another card"), address("choose"))]
        rows = questions.rows_of(choices, "card", asked, address, request.fresh, again)
        text = f"**{telling.named(digit, words)}** – {words(CARDS[digit].effect)}\n{asked}"
        await request.say(Page(text, rows=rows, colour=self.face.colour))

    # -- Guessing --

    @control("ask_guess")
    async def ask_guess(self, request: Request) -> None:
        """Open the form for a guess: the opponent where there are two, and three digits."""
        table, seat, view = await self._acting(request, Question.GUESS)
        words, opponents = request.words, _guessable(table, seat)
        names = panel.shown_names(table, words)
        opponent, digits = _typed(request.argument) or _known(view, opponents)
        fields = []
        if len(opponents) > 1:
            options = tuple(Option(names[one], str(one + 1), chosen=one == opponent) for one in opponents)
            fields.append(Field("opponent", words("Opponent"), options=options, least=1))
        for position in POSITIONS:
            options = tuple(
                Option(telling.named(digit, words), str(digit), chosen=digit == digits[position]) for digit in DIGITS
            )
            fields.append(
                Field(f"digit{position + 1}", words("Position {number}", number=position + 1), options=options, least=1)
            )
        title = words("Your guess") if len(opponents) > 1 else words("Guess {name}", name=names[opponents[0]])
        await request.ask(Form(title, request.addresses(table)("guess", _seats(opponents)), tuple(fields)))

    @control("guess")
    async def guess(self, request: Request) -> None:
        """Guess what was chosen in the form."""
        opponent = request.fields.get("opponent") or request.argument
        digits = " ".join(request.fields.get(f"digit{position + 1}", "") for position in POSITIONS)
        await self.play_typed(request, "guess", f"guess @{opponent} {digits}")

    @control("decline")
    async def decline(self, request: Request) -> None:
        """Ask whether the person really gives up the guess."""
        table, _, _ = await self._acting(request, Question.GUESS)
        words, address = request.words, request.addresses(table)
        rows = (
            [
                Button(words("Give up this guess"), address("declined"), RED),
                Button(words("Guess"), address("ask_guess"), BLUE),
            ],
        )
        await request.say(Page(words("Do you want to give up this guess? A guess costs nothing."), rows=rows))

    @control("declined")
    async def declined(self, request: Request) -> None:
        """Give up a guess."""
        await self.play(request, await self.bot.table_of(request), Skip())

    # -- Typed --

    @app_commands.command(name="keep", description=translatable("Choose your three targets, in the order of positions"))
    @at_table(
        targets=translatable("Three of your five cards, such as 8 6 3"),
    )
    async def keep_typed(
        self, interaction: discord.Interaction[Trigon], targets: str, table: int | None = None
    ) -> None:
        request = Request(interaction)
        await self.play(request, await self.table_meant(request, table), f"keep {targets}")

    @app_commands.command(name="play", description=translatable("Play a card"))
    @at_table(
        card=translatable("The card: its digit or name"),
        opponent=translatable("Whom it names, for 2, 6, 7, 8 and 9"),
        digit=translatable("The digit a 6 asks for"),
        position=translatable("The position a 9 reveals"),
    )
    async def play_card(
        self,
        interaction: discord.Interaction[Trigon],
        card: str,
        opponent: str | None = None,
        digit: app_commands.Range[int, 0, 9] | None = None,
        position: app_commands.Range[int, 1, 3] | None = None,
        table: int | None = None,
    ) -> None:
        request = Request(interaction)
        named = [f"@{opponent.removeprefix('@')}"] if opponent else []
        numbers = [str(number) for number in (digit, position) if number is not None]
        meant = await self.table_meant(request, table)
        await self.play(request, meant, " ".join(["play", card, *named, *numbers]))

    @app_commands.command(name="guess", description=translatable("Guess an opponent's three targets"))
    @at_table(
        digits=translatable("A digit for each position, such as 8 6 3"),
        opponent=translatable("Whose targets, where you can choose"),
    )
    async def guess_typed(
        self,
        interaction: discord.Interaction[Trigon],
        digits: str,
        opponent: str | None = None,
        table: int | None = None,
    ) -> None:
        request = Request(interaction)
        named = [f"@{opponent.removeprefix('@')}"] if opponent else []
        meant = await self.table_meant(request, table)
        await self.play(request, meant, " ".join(["guess", *named, digits]))

    @app_commands.command(name="answer", description=translatable("Answer what a card asks you"))
    @at_table(
        answer=translatable("What you choose, such as swap 2 7"),
    )
    async def answer_typed(
        self, interaction: discord.Interaction[Trigon], answer: str, table: int | None = None
    ) -> None:
        request = Request(interaction)
        await self.play(request, await self.table_meant(request, table), answer)

    @app_commands.command(name="decline", description=translatable("Give up a guess"))
    @at_table()
    async def decline_typed(self, interaction: discord.Interaction[Trigon], table: int | None = None) -> None:
        request = Request(interaction)
        await self.play(request, await self.table_meant(request, table), Skip())

    # -- What typed commands offer: only to whom it belongs --

    async def _asked(
        self, interaction: discord.Interaction[Trigon], *questions_: Question
    ) -> tuple[Table, View] | None:
        """The table that a command being typed means and what its person sees; None where another thing is asked."""
        meant = await self.typing(interaction)
        if meant is None:
            return None
        table, seat = meant
        view: View = table.view(seat)
        return (table, view) if view.question in questions_ else None

    @keep_typed.autocomplete("targets")
    async def complete_targets(
        self, interaction: discord.Interaction[Trigon], current: str
    ) -> list[app_commands.Choice[str]]:
        """The person's own cards in every order that fits."""
        asked = await self._asked(interaction, Question.KEEP)
        if asked is None:
            return []
        choices = questions.CHOICES[Question.KEEP](asked[1], Request(interaction).words)
        return _offered(((one.label, one.label) for one in choices), current)

    @play_card.autocomplete("card")
    async def complete_card(
        self, interaction: discord.Interaction[Trigon], current: str
    ) -> list[app_commands.Choice[str]]:
        """The person's own cards, with what each does and whether it works now."""
        asked = await self._asked(interaction, Question.PLAY)
        if asked is None:
            return []
        choices = questions.CHOICES[Question.PLAY](asked[1], Request(interaction).words)
        return _offered(((f"{one.label} – {one.description}", one.argument) for one in choices), current)

    @play_card.autocomplete("opponent")
    async def complete_opponent(
        self, interaction: discord.Interaction[Trigon], current: str
    ) -> list[app_commands.Choice[str]]:
        """Whom the card already given can name."""
        asked = await self._asked(interaction, Question.PLAY)
        card = str(interaction.namespace.card or "").strip()
        if asked is None or card not in map(str, DIGITS):
            return []
        opponents = questions.named_opponents(asked[1], int(card))
        names = panel.shown_names(asked[0], Request(interaction).words)
        return _offered(((names[seat], str(seat + 1)) for seat in opponents), current)

    @guess_typed.autocomplete("opponent")
    async def complete_guessed(
        self, interaction: discord.Interaction[Trigon], current: str
    ) -> list[app_commands.Choice[str]]:
        """Whom the person may guess."""
        asked = await self._asked(interaction, Question.GUESS)
        if asked is None:
            return []
        table, view = asked
        opponents = _guessable(table, hand.seen_by(view).seat)
        names = panel.shown_names(table, Request(interaction).words)
        return _offered(((names[seat], str(seat + 1)) for seat in opponents), current)

    @guess_typed.autocomplete("digits")
    async def complete_digits(
        self, interaction: discord.Interaction[Trigon], current: str
    ) -> list[app_commands.Choice[str]]:
        """Guesses that fit what is typed; first those that the person's notebook leaves possible."""
        asked = await self._asked(interaction, Question.GUESS)
        if asked is None:
            return []
        table, view = asked
        opponents = _guessable(table, hand.seen_by(view).seat)
        named = str(interaction.namespace.opponent or "").removeprefix("@")
        meant = [seat for seat in opponents if str(seat + 1) == named] or list(opponents)
        possible = {triple for one in notebook(view) if one.seat in meant for triple in one.triples()}
        if not house_of(table).notebook:
            possible = set()
        ordered = sorted(TRIPLES, key=lambda triple: triple not in possible)
        return _offered(((telling.spaced(triple), telling.spaced(triple)) for triple in ordered), current)

    @answer_typed.autocomplete("answer")
    async def complete_answer(
        self, interaction: discord.Interaction[Trigon], current: str
    ) -> list[app_commands.Choice[str]]:
        """What answers the question that the person is asked."""
        words = Request(interaction).words
        asked = await self._asked(
            interaction, Question.DISCARD_TARGETS, Question.ARRANGE, Question.SWAP, Question.ORDER, Question.DISCARD
        )
        if asked is None:
            return []
        view = asked[1]
        if view.question is Question.SWAP:
            choices = [one for place in POSITIONS for one in questions.swaps(view, words, place)]
        else:
            choices = questions.CHOICES[view.question or Question.DISCARD](view, words)
        return _offered(((f"{one.argument} – {one.label}", one.argument) for one in choices), current)


def _places(argument: str, held: int) -> list[int]:
    """The places, of so many cards held, that a button carries: `03`; none: `-`. Raises `MovedOn` for anything else."""
    signs, known = argument.removeprefix("-"), {str(place) for place in range(held)}
    if len(signs) > len(POSITIONS) or len(set(signs)) < len(signs) or not known.issuperset(signs):
        raise MovedOn
    return [int(sign) for sign in signs]


def _said(choice: str) -> list[int]:
    """What a control of a card says: its digit, perhaps a seat's number, perhaps a detail; else raises `MovedOn`."""
    parts = choice.split(".")
    if len(parts) > 3 or not all(len(part) == 1 and part in "0123456789" for part in parts):
        raise MovedOn
    return [int(part) for part in parts]


def _guessable(table: Table, seat: int) -> tuple[int, ...]:
    """Whom the seat may guess now."""
    guesses = [action for action in GAME.legal(table.state, seat) if isinstance(action, Guess)]
    return tuple(dict.fromkeys(guess.opponent for guess in guesses))


def _seats(opponents: Sequence[int]) -> str:
    """The only opponent there is, as a form without a field for them carries it."""
    return str(opponents[0] + 1) if len(opponents) == 1 else ""


def _typed(text: str) -> tuple[int | None, Sequence[int | None]] | None:
    """What was guessed before, from `guess @2 8 6 3`; None where nothing was."""
    found = GUESSED.fullmatch(text)
    if found is None:
        return None
    seat, *digits = map(int, found.groups())
    return seat - 1, digits


def _known(view: View, opponents: Sequence[int]) -> tuple[int | None, Sequence[int | None]]:
    """What the form starts with: of an only opponent the targets that lie open."""
    if len(opponents) == 1:
        return opponents[0], view.players[opponents[0]].targets
    return None, (None, None, None)


def _offered(found: Any, current: str) -> list[app_commands.Choice[str]]:
    """Choices whose name or value fits what is typed; blanks do not count."""
    wanted = current.replace(" ", "").lower()
    fitting = [
        app_commands.Choice(name=name[:100], value=value)
        for name, value in found
        if value.replace(" ", "").startswith(wanted) or wanted in name.replace(" ", "").lower()
    ]
    return fitting[:MOST_CHOICES]


async def setup(bot: Trigon) -> None:
    await bot.add_cog(TrinityCog(bot))
