"""`/help`, `/about` and `/privacy`: what one can do here, what runs here, and what is kept."""

from __future__ import annotations

import discord
import msgspec
from discord import app_commands

from bot import __version__
from bot.client import Trigon
from bot.cog import Cog, control
from bot.delivery import Reason, Undelivered
from bot.page import BLUE, RED, Address, Button, Page
from bot.request import Request
from bot.store import LOBBY
from bot.words import Words
from rules.game import Refusal, translatable

KEPT = translatable(
    "**What I keep:** your Discord id, the name others see and your Discord language, from when you last used a "
    "command or button of mine; the tables at which you sat and every move made there; for those who sit at games "
    "with secrets, where your direct messages with me are and what you typed and have not sent yet; your choice of "
    "reminders and absence; what admins set and which decks they added, and who of them did.\n"
    "**What I do not keep:** what people write in channels. I cannot even read it.\n"
    "**For how long:** until you delete it with `/privacy delete`. A server's tables are deleted 30 days after it has "
    "removed me.\n"
    "`/privacy export` sends you everything that is kept of you."
)
"""The data policy."""


class HelpCog(Cog, name="help"):
    """What a newcomer asks for."""

    @app_commands.command(name="help", description=translatable("How to play here"))
    async def help(self, interaction: discord.Interaction[Trigon]) -> None:
        request = Request(interaction)
        words = request.words
        games = [
            f"{face.icon} **{words(face.title)}** · `/{key} new` · `/{key} rules`\n-# {words(face.summary)}"
            for key, face in self.bot.faces.items()
        ]
        lines = [
            words("### How to play"),
            words("Open a table with one of these commands. Others press Join, and whoever opened it starts the game."),
            *games,
            *self._alone(words),
            words("`/games` shows your tables and whose turn it is. `/house` tells what is set on this server."),
            words("Every table has buttons for its rules, for the board as text and for leaving."),
            words(
                "`/away` and `/reminders` are for when you cannot play. Admins set the rules of the house: `/settings`."
            ),
        ]
        await request.say(Page("\n".join(lines)))

    def _alone(self, words: Words) -> list[str]:
        """What somebody can do to whom nobody comes."""
        with_house = [key for key, face in self.bot.faces.items() if face.game.Robot is not None]
        return [
            words(
                "Nobody here? House players are: begin at once with the option `house` of `/{game} new`, or let them "
                "sit down in the lobby.",
                game=game,
            )
            for game in with_house[:1]
        ]

    @app_commands.command(name="about", description=translatable("What I am, which version, and what I keep of you"))
    async def about(self, interaction: discord.Interaction[Trigon]) -> None:
        request = Request(interaction)
        words = request.words
        lines = [
            words("### Trigon {version}", version=__version__),
            words("A bot that hosts tabletop games. Free software under the MIT licence."),
            words(KEPT),
        ]
        await request.say(Page("\n".join(lines)))

    privacy = app_commands.Group(name="privacy", description=translatable("What is kept of you"))

    @privacy.command(name="export", description=translatable("Get everything that is kept of you, by direct message"))
    async def export(self, interaction: discord.Interaction[Trigon]) -> None:
        request = Request(interaction)
        words = request.words
        data = await self.bot.store.data_of(request.person.id)
        file = ("trigon-data.json", msgspec.json.format(msgspec.json.encode(data), indent=2))
        page = Page(words("Everything that I keep of you."), file=file)
        try:
            await self.bot.letters.write(request.person.id, page, f"export.{interaction.id % 10**15}")
        except Undelivered as failure:
            if failure.reason is Reason.UNAVAILABLE:
                raise
            # Nobody else sees a private answer either.
            await request.say(page)
            return
        await request.tell(words("I have sent it to you by direct message."))

    @privacy.command(name="delete", description=translatable("Delete what is kept of you"))
    async def delete(self, interaction: discord.Interaction[Trigon]) -> None:
        request = Request(interaction)
        words = request.words
        text = words(
            "Do you want me to forget you? You leave all your tables, your name in old ones becomes “a former player”, "
            "and your settings are gone. This cannot be undone."
        )
        rows = (
            [
                Button(words("Forget me"), Address(0, 0, "forget_me"), RED),
                Button(words("Keep it"), Address(0, 0, "keep_me"), BLUE),
            ],
        )
        await request.say(Page(text, rows=rows))

    @control("keep_me")
    async def keep_me(self, request: Request) -> None:
        """Nothing happened."""
        await request.tell(request.words("Nothing was deleted."))

    @control("forget_me")
    async def forget_me(self, request: Request) -> None:
        """Leave every table, then forget the person."""
        tables = await self.bot.tables.tables_of(request.person.id)
        for table in tables:
            try:
                if table.status == LOBBY:
                    await self.bot.tables.leave_lobby(table.id, request.person.id)
                else:
                    await self.bot.tables.leave(table.id, request.person.id)
            except Refusal:
                # The game has just ended, or they had left it before: nothing holds them there.
                continue
            await self.bot.showing.show(table.id)
        await self.bot.forget(request.person.id)
        await request.tell(request.words("I have forgotten you."))
        for table in tables:  # their name goes from the boards, too
            await self.bot.showing.show_again(table.id)


async def setup(bot: Trigon) -> None:
    await bot.add_cog(HelpCog(bot))
