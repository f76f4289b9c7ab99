"""What a message of ours holds, as values: text, a picture, rows of controls. And forms.

A page becomes a new `LayoutView` each time it is sent: discord.py forgets a kind of control for the whole program when
a view from which one has gone is sent again.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import discord
from discord import ui

MOST_TEXT = 4000
"""Characters of text in one message."""
MOST_OPTIONS = 25
"""Options in one menu."""
MOST_ALT = 256
"""Characters of a picture's description."""

GREY = discord.ButtonStyle.secondary
BLUE = discord.ButtonStyle.primary
GREEN = discord.ButtonStyle.success
RED = discord.ButtonStyle.danger


@dataclass(frozen=True)
class Address:
    """Whose control this is: the table (0: none), the turn at which it was made, what it does, and to what.

    It is all of a control's custom_id, so that it works after any restart and a stale press is recognised.
    """

    table: int
    turn: int
    verb: str
    argument: str = ""

    TEMPLATE = re.compile(
        r"(?P<table>\d{1,18}):(?P<turn>\d{1,9}):(?P<verb>[a-z_]{1,30}):(?P<argument>.{0,60})", re.DOTALL
    )

    @property
    def custom_id(self) -> str:
        """At most 100 characters; raises `ValueError` for an argument that does not fit."""
        text = f"{self.table}:{self.turn}:{self.verb}:{self.argument}"
        if len(text) > 100 or not self.TEMPLATE.fullmatch(text):
            raise ValueError(f"no address: {self.verb}")
        return text

    @classmethod
    def read(cls, custom_id: str) -> Address | None:
        """Back from a custom_id; None for one that is not ours."""
        found = cls.TEMPLATE.fullmatch(custom_id)
        if found is None:
            return None
        return cls(int(found["table"]), int(found["turn"]), found["verb"], found["argument"])


@dataclass(frozen=True)
class Addresses:
    """Makes the addresses of one table's controls: `address("band", "A1-A4")`."""

    table: int
    turn: int

    def __call__(self, verb: str, argument: str = "") -> Address:
        return Address(self.table, self.turn, verb, argument)


class Control(ui.DynamicItem[ui.Item[Any]], template=Address.TEMPLATE):
    """Every button and menu of ours. Pressed, it hands its address to the client."""

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Control:
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.client.attend(interaction)


@dataclass(frozen=True)
class Button:
    """A button. With `url` it is a link and has no address."""

    label: str
    address: Address | None = None
    style: discord.ButtonStyle = GREY
    emoji: str | None = None
    disabled: bool = False
    url: str | None = None

    def item(self) -> ui.Item[Any]:
        """As discord.py's item; a label too long for Discord is cut."""
        label = shortened(self.label, 80)
        if self.address is None:
            return ui.Button(label=label, emoji=self.emoji, url=self.url, disabled=self.disabled)
        button: ui.Button[Any] = ui.Button(
            label=label,
            custom_id=self.address.custom_id,
            style=self.style,
            emoji=self.emoji,
            disabled=self.disabled,
        )
        return Control(button)


@dataclass(frozen=True)
class Option:
    """One line of a menu."""

    label: str
    value: str
    description: str | None = None
    emoji: str | None = None
    chosen: bool = False


@dataclass(frozen=True)
class Menu:
    """A menu of up to 25 options, a row to itself."""

    placeholder: str
    address: Address
    options: tuple[Option, ...]
    least: int = 1
    most: int = 1

    def item(self) -> ui.Item[Any]:
        """As discord.py's item."""
        menu: ui.Select[Any] = ui.Select(
            custom_id=self.address.custom_id,
            placeholder=shortened(self.placeholder, 150),
            min_values=self.least,
            max_values=min(self.most, len(self.options)),
            options=[
                discord.SelectOption(
                    label=shortened(option.label, 100),
                    value=option.value,
                    description=option.description and shortened(option.description, 100),
                    emoji=option.emoji,
                    default=option.chosen,
                )
                for option in self.options
            ],
        )
        return Control(menu)


@dataclass(frozen=True)
class ServerMenu:
    """A menu of a server's people, roles or text channels, a row to itself. `chosen` are ids."""

    kind: Literal["people", "roles", "channels"]
    placeholder: str
    address: Address
    least: int = 1
    most: int = 1
    chosen: tuple[int, ...] = ()

    def item(self) -> ui.Item[Any]:
        """As discord.py's item."""
        common: dict[str, Any] = {
            "custom_id": self.address.custom_id,
            "placeholder": shortened(self.placeholder, 150),
            "min_values": self.least,
            "max_values": self.most,
        }
        kinds = discord.SelectDefaultValueType
        match self.kind:
            case "people":
                return Control(ui.UserSelect(**common, default_values=self._defaults(kinds.user)))
            case "roles":
                return Control(ui.RoleSelect(**common, default_values=self._defaults(kinds.role)))
            case "channels":
                text = [discord.ChannelType.text]
                chosen = self._defaults(kinds.channel)
                return Control(ui.ChannelSelect(**common, channel_types=text, default_values=chosen))

    def _defaults(self, kind: discord.SelectDefaultValueType) -> list[discord.SelectDefaultValue]:
        return [discord.SelectDefaultValue(id=chosen, type=kind) for chosen in self.chosen[: self.most]]


Row = Sequence[Button] | Menu | ServerMenu
"""One row of controls: up to five buttons, or one menu."""


@dataclass(frozen=True)
class Picture:
    """A PNG and what it shows, in words for those who do not see it."""

    data: bytes
    alt: str
    name: str = "board.png"


@dataclass(frozen=True)
class Page:
    """All that one message holds. `text` is Discord's markdown; `mentions` are the people whom it may notify."""

    text: str
    picture: Picture | None = None
    rows: tuple[Row, ...] = ()
    colour: int | None = None
    mentions: tuple[int, ...] = ()
    file: tuple[str, bytes] | None = field(default=None, repr=False)

    def layout(self) -> ui.LayoutView:
        """The message's components, new each time."""
        view = ui.LayoutView(timeout=None)
        box: ui.Container[Any] = ui.Container(accent_colour=self.colour)
        box.add_item(ui.TextDisplay(shortened(self.text, MOST_TEXT)))
        if self.picture is not None:
            gallery: ui.MediaGallery[Any] = ui.MediaGallery()
            gallery.add_item(
                media=f"attachment://{self.picture.name}", description=shortened(self.picture.alt, MOST_ALT)
            )
            box.add_item(gallery)
        if self.file is not None:
            box.add_item(ui.File(f"attachment://{self.file[0]}"))
        for row in self.rows:
            box.add_item(
                ui.ActionRow(*([button.item() for button in row] if isinstance(row, Sequence) else [row.item()]))
            )
        view.add_item(box)
        return view

    def files(self) -> list[discord.File]:
        """What is uploaded with the message, new each time."""
        files = []
        if self.picture is not None:
            files.append(discord.File(io.BytesIO(self.picture.data), self.picture.name))
        if self.file is not None:
            files.append(discord.File(io.BytesIO(self.file[1]), self.file[0]))
        return files

    def allowed_mentions(self) -> discord.AllowedMentions:
        """Notifies those named in `mentions` and nobody else."""
        people = [discord.Object(person) for person in self.mentions]
        return discord.AllowedMentions(everyone=False, roles=False, users=people, replied_user=False)


@dataclass(frozen=True)
class Field:
    """One field of a form: a line or paragraph of text; with `options` a menu, with `upload` a file."""

    key: str
    label: str
    description: str | None = None
    value: str = ""
    placeholder: str | None = None
    least: int = 0
    most: int = 100
    paragraph: bool = False
    options: tuple[Option, ...] = ()
    upload: bool = False

    def item(self) -> ui.Item[Any]:
        """The labelled field as discord.py's item."""
        return ui.Label(text=shortened(self.label, 45), description=self.description, component=self._component())

    def _component(self) -> ui.Item[Any]:
        if self.upload:
            return ui.FileUpload(custom_id=self.key, required=self.least > 0)
        if self.options:
            options = [
                discord.SelectOption(
                    label=shortened(option.label, 100), value=option.value, emoji=option.emoji, default=option.chosen
                )
                for option in self.options
            ]
            return ui.Select(custom_id=self.key, options=options, required=self.least > 0)
        return ui.TextInput(
            custom_id=self.key,
            style=discord.TextStyle.paragraph if self.paragraph else discord.TextStyle.short,
            default=self.value or None,
            placeholder=self.placeholder and shortened(self.placeholder, 100),
            required=self.least > 0,
            min_length=self.least or None,
            max_length=self.most,
        )


@dataclass(frozen=True)
class Form:
    """A form of up to five fields. Sent, it comes back to its address like a press."""

    title: str
    address: Address
    fields: tuple[Field, ...]

    def modal(self) -> ui.Modal:
        """The form as discord.py's modal, already stopped: the library would keep it in memory by its custom_id
        alone, mix up two people's, and lose it in a restart; its answer is read from the interaction instead."""
        modal = ui.Modal(title=shortened(self.title, 45), custom_id=self.address.custom_id, timeout=None)
        for form_field in self.fields:
            modal.add_item(form_field.item())
        modal.stop()
        return modal


def shortened(text: str, most: int) -> str:
    """The text, cut with an ellipsis where it is longer than `most` characters."""
    return text if len(text) <= most else text[: most - 1] + "…"
