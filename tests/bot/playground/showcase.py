"""A small bot that uses everything the page can draw, for the page's tests and for looking at the page by hand.

python -m tests.bot.playground.showcase 8080      # then open the address it prints
"""

from __future__ import annotations

import asyncio
import io
import sys
from typing import Any, cast

import discord
from discord import app_commands, ui
from PIL import Image, ImageDraw

from bot.playground.server import Playground

PEG = 6
BANDS = tuple(f"{row}1-{row}4" for row in "ABCDEFG")
ROWS = "ABCDE"


def board(width: int, height: int, colour: str) -> discord.File:
    """A picture of 9 × 9 pegs called board.png."""
    image = Image.new("RGB", (width, height), colour)
    draw = ImageDraw.Draw(image)
    for column in range(9):
        for row in range(9):
            x, y = width * (column + 0.5) / 9, height * (row + 0.5) / 9
            draw.ellipse((x - PEG, y - PEG, x + PEG, y + PEG), fill="white")
    stream = io.BytesIO()
    image.save(stream, "PNG")
    stream.seek(0)
    return discord.File(stream, "board.png", description="Nine rows of nine pegs. Nobody has placed a band.")


class Lobby(ui.LayoutView):
    """A table's lobby: text beside a picture, buttons of every style, one of them off."""

    def __init__(self, seats: int) -> None:
        super().__init__(timeout=None)
        text = ui.TextDisplay[Lobby](f"## Triggle\nA table of **2–4**, bands of `4` pegs.\n-# Seats {seats} of 4")
        section = ui.Section[Lobby](
            text, accessory=ui.Thumbnail[Lobby]("attachment://board.png", description="A board")
        )
        row = ui.ActionRow[Lobby](
            ui.Button(label="Join", style=discord.ButtonStyle.success, custom_id="join"),
            ui.Button(label="Leave", style=discord.ButtonStyle.danger, custom_id="leave"),
            ui.Button(label="Start", style=discord.ButtonStyle.primary, custom_id="start", emoji="🔺"),
            ui.Button(label="Type a band", custom_id="form"),
            ui.Button(label="Off", custom_id="off", disabled=True),
        )
        more = ui.ActionRow[Lobby](ui.Button(label="Say why", custom_id="why"))
        self.add_item(ui.Container(section, ui.Separator(), row, more, accent_colour=0x5B8DEF))


class Menus(ui.LayoutView):
    """A menu of every kind."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        rows = [discord.SelectOption(label=f"Row {row}", value=row, description=f"Starts at {row}1") for row in ROWS]
        variants = [discord.SelectOption(label=name, value=name) for name in ("Long game", "Open start", "No undo")]
        for menu in (
            ui.Select[Menus](custom_id="row", placeholder="Row", options=rows),
            ui.Select[Menus](
                custom_id="variants", placeholder="Variants", options=variants, min_values=0, max_values=2
            ),
            ui.UserSelect[Menus](custom_id="person", placeholder="Somebody"),
            ui.RoleSelect[Menus](custom_id="role", placeholder="A role"),
            ui.ChannelSelect[Menus](custom_id="channel", placeholder="A channel"),
            ui.MentionableSelect[Menus](custom_id="anybody", placeholder="Anybody"),
        ):
            self.add_item(ui.ActionRow(menu))


class Board(ui.LayoutView):
    """A picture that opens large, and a mention."""

    def __init__(self, person: discord.abc.User) -> None:
        super().__init__(timeout=None)
        gallery = ui.MediaGallery[Board](
            discord.MediaGalleryItem("attachment://board.png", description="Nine rows of nine pegs.")
        )
        words = ui.TextDisplay[Board](f"### Turn 1 · {person.mention} to place a band")
        rows = [discord.SelectOption(label=f"Row {row}", value=row) for row in ROWS]
        menu = ui.ActionRow[Board](ui.Select[Board](custom_id="row", placeholder="Which row?", options=rows))
        self.add_item(ui.Container(words, gallery, menu, accent_colour=0xE07A3F))


class BandForm(ui.Modal, title="Place a band"):
    """Text, and a field of every other kind."""

    about: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay("Pegs are named by **row and number**, such as `D1-D4`.")
    band: ui.Label[BandForm] = ui.Label(
        text="Band",
        description="From peg to peg",
        component=ui.TextInput(custom_id="band", min_length=5, max_length=12, placeholder="D1-D4"),
    )
    row: ui.Label[BandForm] = ui.Label(
        text="Row",
        component=ui.Select(
            custom_id="form-row", options=[discord.SelectOption(label=f"Row {row}", value=row) for row in ROWS]
        ),
    )
    whom: ui.Label[BandForm] = ui.Label(text="Whom", component=ui.UserSelect(custom_id="form-whom", required=False))
    record: ui.Label[BandForm] = ui.Label(text="Record", component=ui.FileUpload(custom_id="form-file", required=False))


def _sent(interaction: discord.Interaction) -> dict[str, Any]:
    # discord.py types this as a union of every kind of interaction; controls and forms all hold these keys.
    return cast("dict[str, Any]", interaction.data)


class WhyForm(ui.Modal, title="Say why"):
    """A form for more than one line."""

    why: ui.Label[WhyForm] = ui.Label(
        text="Why", component=ui.TextInput(custom_id="why", style=discord.TextStyle.paragraph, required=False)
    )


class Showcase(discord.Client):
    """The bot. `received`: what controls and forms sent, as (custom_id, values); `thought` ends `/show slow`."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents.default(), guild_ready_timeout=0.1)
        self.tree = app_commands.CommandTree(self)
        self.received: list[tuple[str, list[str]]] = []
        self.setup_done = asyncio.Event()
        self.thought = asyncio.Event()

    async def setup_hook(self) -> None:
        """Register the commands, as the real bot does."""
        self.tree.add_command(show)
        self.tree.add_command(band)
        self.tree.add_command(broken)
        await self.tree.sync()
        self.setup_done.set()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Answer controls and forms by their custom_id."""
        if interaction.type is discord.InteractionType.component:
            await self._control(interaction)
        elif interaction.type is discord.InteractionType.modal_submit:
            await self._form(interaction)

    async def _control(self, interaction: discord.Interaction) -> None:
        data = _sent(interaction)
        custom_id = data["custom_id"]
        values = data.get("values", [])
        self.received.append((custom_id, values))
        answer = interaction.response
        if custom_id == "join":
            await answer.edit_message(view=Lobby(2))
        elif custom_id == "leave":
            await answer.send_message("You have no seat at this table.", ephemeral=True)
        elif custom_id == "form":
            await answer.send_modal(BandForm(custom_id="band-form"))
        elif custom_id == "why":
            await answer.send_modal(WhyForm(custom_id="why-form"))
        elif custom_id == "start":
            await self._start(interaction)
        else:
            await answer.defer()

    async def _start(self, interaction: discord.Interaction) -> None:
        await interaction.response.defer()
        channel, message = interaction.channel, interaction.message
        if message is None or not isinstance(channel, discord.TextChannel):
            raise TypeError("a lobby stands in a text channel")
        thread = await channel.create_thread(name="Triggle 1", message=message)
        await thread.send(view=Board(interaction.user), file=board(1000, 900, "#1d2340"))

    async def _form(self, interaction: discord.Interaction) -> None:
        fields = [part["component"] for part in _sent(interaction)["components"] if "component" in part]
        for field in fields:
            values = field["values"] if "values" in field else [field["value"]]
            self.received.append((field["custom_id"], values))
        await interaction.response.send_message("Your band is placed.", ephemeral=True)


show = app_commands.Group(name="show", description="Show what the page can draw")


@show.command(name="lobby", description="A table's lobby")
async def _lobby(interaction: discord.Interaction) -> None:
    await interaction.response.send_message(view=Lobby(1), file=board(300, 300, "#703030"))


@show.command(name="menus", description="A menu of every kind")
async def _menus(interaction: discord.Interaction) -> None:
    await interaction.response.send_message(view=Menus())


@show.command(name="board", description="A picture that opens large")
async def _board(interaction: discord.Interaction) -> None:
    await interaction.response.send_message(view=Board(interaction.user), file=board(1000, 900, "#1d2340"))


@show.command(name="secret", description="For your eyes only, and a direct message")
async def _secret(interaction: discord.Interaction) -> None:
    await interaction.response.send_message("Your cards: **Α Β Γ**", ephemeral=True)
    await interaction.user.send("Your cards: **Α Β Γ**")


@show.command(name="slow", description="Think first, then answer")
async def _slow(interaction: discord.Interaction) -> None:
    bot = interaction.client
    await interaction.response.defer(thinking=True)
    if isinstance(bot, Showcase):
        await bot.thought.wait()
    await interaction.followup.send("Thought about it.")


@app_commands.command(description="Place a band")
@app_commands.describe(line="From peg to peg", length="How long", count="How many", gift="To whom")
@app_commands.choices(length=[app_commands.Choice(name=f"{n} pegs", value=n) for n in (3, 4)])
async def band(
    interaction: discord.Interaction,
    line: str,
    length: app_commands.Choice[int] | None = None,
    count: app_commands.Range[int, 2, 4] | None = None,
    gift: discord.Member | None = None,
) -> None:
    """Say what arrived."""
    shown = [line, length.name if length else "-", str(count), gift.mention if gift else "-"]
    await interaction.response.send_message(" / ".join(shown))


@band.autocomplete("line")
async def _lines(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
    return [
        app_commands.Choice(name=f"{line} · closes {number}", value=line)
        for number, line in enumerate(BANDS)
        if typed.lower() in line.lower()
    ]


@app_commands.command(description="Never answers")
async def broken(interaction: discord.Interaction) -> None:
    """Leave the person waiting."""


async def main(port: int) -> None:
    """Serve until interrupted."""
    playground = Playground()
    await playground.start(port)
    print(playground.url)
    with playground.discord():
        async with Showcase() as client:
            client.thought.set()
            await client.start(playground.token)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
