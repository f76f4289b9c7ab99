"""A person's interaction with the bot: who, where, in which words, on what; and the answers to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import discord

from bot.delivery import Sent, Undelivered, named_failures
from bot.houses import HouseRefusal
from bot.page import Address, Addresses, Form, Page, Picture
from bot.tables import MovedOn, Person, Place, Table
from bot.words import Words, words_for

if TYPE_CHECKING:
    from bot.client import Trigon

PATIENCE = 1.8
"""Seconds after which an answer is put off."""
PICTURE_PATIENCE = 1.2
"""Seconds that an answer waits for its picture."""


class Request:
    """One interaction: a command, a press, a choice in a menu, or a form sent.

    `address` is that of the control or form (None for a command), `values` what was chosen in a menu, `fields` what
    was written into a form, by key; `uploads` the files sent with a form.
    """

    def __init__(self, interaction: discord.Interaction[Trigon]) -> None:
        self.interaction = interaction
        self.bot = interaction.client
        self.person = Person(interaction.user.id, interaction.user.display_name)
        self.words: Words = words_for(interaction.locale)
        data: Mapping[str, Any] = interaction.data or {}
        self.address = Address.read(str(data.get("custom_id", "")))
        self.values: tuple[str, ...] = tuple(data.get("values", ()))
        self.table: Table | None = None
        """The table of the control pressed, as it was when the press arrived."""
        self._one_answer: asyncio.Lock = interaction.extras.setdefault("one_answer", asyncio.Lock())
        self.fields = Fields(_fields(data.get("components", ())))
        uploads = data.get("resolved", {}).get("attachments", {}).values() if self.fields else ()
        self.uploads = [discord.Attachment(data=upload, state=interaction._state) for upload in uploads]

    @property
    def argument(self) -> str:
        """What the pressed control's address says of its object."""
        return self.address.argument if self.address else ""

    @property
    def turn(self) -> int | None:
        """The turn for which the pressed control was made; None for a command."""
        return self.address.turn if self.address else None

    @property
    def choice(self) -> str:
        """The option chosen in a menu, or the pressed button's argument."""
        return self.values[0] if self.values else self.argument

    def number(self, among: range) -> int:
        """The number that was chosen or that the pressed button carries; raises `MovedOn` where it is none of these, as
        then no control that stands on the table now said it."""
        found = {str(number): number for number in among}.get(self.choice)
        if found is None:
            raise MovedOn
        return found

    @property
    def fresh(self) -> str:
        """What no control before this answer has carried: a menu that comes again with it shows nothing as chosen."""
        return str(self.interaction.id)

    @property
    def place(self) -> Place:
        """Where the person is: channel, and thread where it is one."""
        interaction = self.interaction
        here = interaction.channel_id or 0
        if isinstance(interaction.channel, discord.Thread):
            return Place(interaction.guild_id, interaction.channel.parent_id, here)
        return Place(interaction.guild_id, here)

    @property
    def roles(self) -> tuple[int, ...]:
        """The person's roles on this server."""
        user = self.interaction.user
        return tuple(role.id for role in user.roles) if isinstance(user, discord.Member) else ()

    @property
    def is_admin(self) -> bool:
        """Whether the person may manage this server."""
        return self.interaction.guild_id is not None and self.interaction.permissions.manage_guild

    def server_as_admin(self) -> int:
        """The server, for its admins; raises `HouseRefusal` not_admin for all others, whatever Discord let by."""
        server = self.place.server
        if server is None or not self.is_admin:
            raise HouseRefusal("not_admin")
        return server

    @property
    def moderates(self) -> bool:
        """Whether the person may manage messages where they are."""
        return self.interaction.guild_id is not None and self.interaction.permissions.manage_messages

    @property
    def private(self) -> bool:
        """Whether the control pressed stands on an answer that only this person sees."""
        message = self.interaction.message
        return message is not None and message.flags.ephemeral

    def addresses(self, table: Table) -> Addresses:
        """Addresses for controls made now for this table."""
        return Addresses(table.id, table.turn)

    # -- Answers --

    async def say(self, page: Page) -> None:
        """Answer for this person alone: in place of the private answer pressed on, else anew."""
        response, mentions = self.interaction.response, page.allowed_mentions()
        async with self._one_answer, named_failures():
            if response.is_done():
                # Discord takes no new picture in what first follows an answer that was put off.
                await self._follow_up(replace(page, picture=None))
                if page.picture is not None:
                    await self._follow_up(Page(f"-# {page.picture.alt}", page.picture))
            elif self.private:
                await response.edit_message(view=page.layout(), attachments=page.files(), allowed_mentions=mentions)
            else:
                await response.send_message(
                    view=page.layout(), files=page.files(), ephemeral=True, allowed_mentions=mentions
                )

    async def _follow_up(self, page: Page) -> None:
        await self.interaction.followup.send(
            view=page.layout(), files=page.files(), ephemeral=True, allowed_mentions=page.allowed_mentions()
        )

    async def turn_over(self, page: Page) -> None:
        """Answer in place of the message pressed on, also where that is a direct message."""
        response = self.interaction.response
        if self.interaction.guild_id is None and self.interaction.message is not None and not self.private:
            async with self._one_answer, named_failures():
                if not response.is_done():
                    await response.edit_message(
                        view=page.layout(), attachments=page.files(), allowed_mentions=page.allowed_mentions()
                    )
                    return
        await self.say(page)

    async def tell(self, text: str) -> None:
        """Answer with a sentence for this person alone."""
        await self.say(Page(text))

    async def post(self, page: Page) -> Sent | None:
        """Answer for everybody, in the channel; None where the answer has been put off and it is too late for that."""
        async with self._one_answer, named_failures():
            if self.interaction.response.is_done():
                return None
            answer = await self.interaction.response.send_message(
                view=page.layout(), files=page.files(), allowed_mentions=page.allowed_mentions()
            )
        return None if answer.message_id is None else Sent(self.place.here, answer.message_id)

    async def ask(self, form: Form) -> None:
        """Open a form. Where that comes too late the person is asked to press again."""
        async with self._one_answer, named_failures():
            if not self.interaction.response.is_done():
                await self.interaction.response.send_modal(form.modal())
                return
        await self.tell(self.words("That took too long. Please press it again."))

    async def acknowledge(self) -> None:
        """Take note of a press without an answer: what it changed is shown elsewhere."""
        async with self._one_answer:
            if not self.interaction.response.is_done():
                async with named_failures():
                    await self.interaction.response.defer(ephemeral=True)

    async def acknowledge_in_time(self) -> None:
        """Put the answer off when it takes long: Discord gives three seconds for the first word."""
        await asyncio.sleep(PATIENCE)
        with suppress(Undelivered):
            await self.acknowledge()

    async def show(self, page: Page, draw: Callable[[], Picture] | None) -> None:
        """Answer for this person alone with a picture drawn meanwhile; without it where that takes too long."""
        if draw is None:
            await self.say(page)
            return
        drawing = asyncio.create_task(asyncio.to_thread(draw))
        done, _ = await asyncio.wait([drawing], timeout=PICTURE_PATIENCE)
        await self.say(replace(page, picture=drawing.result()) if done else page)


class Fields(dict[str, str]):
    """What was written into a form, by key. Where one of ours is missing, none of our forms was sent: `MovedOn`."""

    def __missing__(self, key: str) -> str:
        raise MovedOn


def _fields(components: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """What was written and chosen in a form, by the fields' keys; labels and rows are looked through."""
    found: list[tuple[str, str]] = []
    for component in components:
        inner = component.get("component")
        found += _fields([inner] if inner else component.get("components", ()))
        if "value" in component or "values" in component:
            chosen = component.get("value") or next(iter(component.get("values") or ()), "")
            found.append((component["custom_id"], str(chosen)))
    return found
