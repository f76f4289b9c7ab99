"""A small discord.py bot for the stand-in's own tests: one of each thing a game bot does."""

from __future__ import annotations

import io
from typing import Any

import discord
from discord import app_commands, ui
from PIL import Image


def picture(name: str = "board.png", size: tuple[int, int] = (40, 30)) -> discord.File:
    content = io.BytesIO()
    Image.new("RGB", size, "#336699").save(content, "PNG")
    content.seek(0)
    return discord.File(content, name, description="A board")


class Pressed(ui.DynamicItem[ui.Button[Any]], template=r"small:(?P<verb>[a-z_]+)"):
    """A control that works after a restart: everything is in its custom_id."""

    def __init__(self, verb: str) -> None:
        self.verb = verb
        super().__init__(ui.Button(label=verb.capitalize(), custom_id=f"small:{verb}"))

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction, item: Any, match: Any, /) -> Pressed:
        return cls(match["verb"])

    async def callback(self, interaction: discord.Interaction) -> None:
        await getattr(self, self.verb)(interaction)

    async def join(self, interaction: discord.Interaction) -> None:
        await interaction.response.edit_message(view=board(f"{interaction.user.display_name} joined", "join"))

    async def whisper(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"Only for {interaction.user.display_name}", ephemeral=True)

    async def form(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Draft())

    async def later(self, interaction: discord.Interaction) -> None:
        await interaction.response.defer()
        await interaction.followup.send("Later", ephemeral=True)


class Draft(ui.Modal, title="Draft"):
    def __init__(self) -> None:
        super().__init__(custom_id="draft")
        self.note: ui.TextInput[Any] = ui.TextInput(custom_id="note", max_length=20, default="as it was")
        self.pick = ui.Select[Any](
            custom_id="pick", options=[discord.SelectOption(label="Red", value="r"), discord.SelectOption(label="Blue")]
        )
        self.whom = ui.UserSelect[Any](custom_id="whom", required=False)
        self.deck: ui.FileUpload[Any] = ui.FileUpload(custom_id="deck", required=False)
        self.add_item(ui.TextDisplay("Fill it in"))
        self.add_item(ui.Label(text="Note", component=self.note))
        self.add_item(ui.Label(text="Colour", component=self.pick))
        self.add_item(ui.Label(text="Whom", component=self.whom))
        self.add_item(ui.Label(text="Deck", component=self.deck))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        files = [(await file.read()).decode() for file in self.deck.values]
        whom = [user.display_name for user in self.whom.values]
        await interaction.response.send_message(f"{self.note.value} {self.pick.values} {whom} {files}", ephemeral=True)


class Menus(ui.View):
    """Menus of every kind; each says what was chosen."""

    @ui.select(
        placeholder="Row",
        custom_id="row",
        options=[discord.SelectOption(label="Row A", value="A"), *[discord.SelectOption(label="Row B", value="B")]],
    )
    async def row(self, interaction: discord.Interaction, select: ui.Select[Any]) -> None:
        await interaction.response.edit_message(content=f"row {select.values[0]}")

    @ui.select(cls=ui.UserSelect, placeholder="People", custom_id="people", max_values=3)
    async def people(self, interaction: discord.Interaction, select: ui.UserSelect[Any]) -> None:
        await interaction.response.edit_message(content=" ".join(user.display_name for user in select.values))

    @ui.select(cls=ui.RoleSelect, placeholder="Role", custom_id="role")
    async def role(self, interaction: discord.Interaction, select: ui.RoleSelect[Any]) -> None:
        await interaction.response.edit_message(content=select.values[0].name)

    @ui.select(cls=ui.ChannelSelect, placeholder="Channel", custom_id="channel")
    async def channel(self, interaction: discord.Interaction, select: ui.ChannelSelect[Any]) -> None:
        await interaction.response.edit_message(content=select.values[0].name)

    @ui.select(cls=ui.MentionableSelect, placeholder="Either", custom_id="either")
    async def either(self, interaction: discord.Interaction, select: ui.MentionableSelect[Any]) -> None:
        await interaction.response.edit_message(content=type(select.values[0]).__name__)


def board(text: str, *verbs: str, shown: bool = False) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    box: ui.Container[Any] = ui.Container(ui.TextDisplay(text))
    if shown:
        box.add_item(ui.MediaGallery(discord.MediaGalleryItem("attachment://board.png", description="The board")))
    row: ui.ActionRow[Any] = ui.ActionRow()
    for verb in verbs:
        row.add_item(Pressed(verb))
    if verbs:
        box.add_item(row)
    view.add_item(box)
    return view


class SmallBot(discord.AutoShardedClient):
    def __init__(self, **options: Any) -> None:
        super().__init__(intents=discord.Intents(guilds=True), **options)
        self.tree = app_commands.CommandTree(self)
        self.happened: list[str] = []
        self.tree.add_command(small)
        self.tree.add_command(hidden)

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Pressed)
        self.add_view(Menus(timeout=None))
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Do not wait five seconds between shards."""

    async def on_ready(self) -> None:
        self.happened.append("ready")

    async def on_resumed(self) -> None:
        self.happened.append("resumed")

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        self.happened.append("message deleted")

    async def on_thread_create(self, thread: discord.Thread) -> None:
        self.happened.append(f"thread {thread.name}")

    async def on_raw_thread_delete(self, event: discord.RawThreadDeleteEvent) -> None:
        self.happened.append("thread deleted")


small = app_commands.Group(name="small", description="A small game")


@small.command(description="Open a board")
@app_commands.describe(side="How large", title="Its title")
@app_commands.choices(colour=[app_commands.Choice(name="Red", value="r"), app_commands.Choice(name="Blue", value="b")])
async def new(
    interaction: discord.Interaction,
    side: app_commands.Range[int, 3, 6] = 4,
    title: str | None = None,
    colour: str = "b",
    guest: discord.Member | None = None,
) -> None:
    name = guest.display_name if guest else "nobody"
    text = f"# Board of {side}\n{title} {colour} {name} {interaction.locale}"
    view = board(text, "join", "whisper", "form", "later", shown=True)
    await interaction.response.send_message(view=view, files=[picture()])


@small.command(description="Menus")
async def menus(interaction: discord.Interaction) -> None:
    await interaction.response.send_message("menus", view=Menus(timeout=None))


@small.command(description="Think first")
async def think(interaction: discord.Interaction, private: bool = False) -> None:
    await interaction.response.defer(thinking=True, ephemeral=private)
    await interaction.followup.send("Thought", ephemeral=private)
    await interaction.followup.send("And more", ephemeral=private)


@small.command(description="A picture into a deferred answer")
async def wrong(interaction: discord.Interaction) -> None:
    await interaction.response.defer(thinking=True)
    try:
        await interaction.followup.send(view=board("wrong", shown=True), files=[picture()])
    except discord.HTTPException as refused:
        await interaction.followup.send(f"refused {refused.code}")


@small.command(description="Write to somebody")
async def write(interaction: discord.Interaction, whom: discord.Member, text: str = "hello") -> None:
    try:
        await whom.send(text)
    except discord.Forbidden as refused:
        await interaction.response.send_message(f"refused {refused.code}", ephemeral=True)
    else:
        await interaction.response.send_message("written", ephemeral=True)


@small.command(description="A thread with a board")
async def thread(interaction: discord.Interaction) -> None:
    channel = interaction.channel
    assert isinstance(channel, discord.TextChannel)
    await interaction.response.send_message("A thread", ephemeral=True)
    opened = await channel.create_thread(name="Table 1", type=discord.ChannelType.public_thread)
    message = await opened.send(
        view=board(f"Your turn, {interaction.user.mention}", "join", shown=True), file=picture()
    )
    await message.edit(view=board("Edited", shown=True), attachments=[picture()])


@small.command(description="Echo")
async def band(interaction: discord.Interaction, name: str, other: str = "") -> None:
    await interaction.response.send_message(f"band {name} {other}", ephemeral=True)


@band.autocomplete("name")
async def band_names(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
    side = getattr(interaction.namespace, "other", "")
    names = [app_commands.Choice(name=f"{row}1-{row}4 {side}", value=f"{row}1-{row}4") for row in "ABC"]
    return [choice for choice in names if choice.value.startswith(current)]


@small.command(description="Take a file")
async def deck(interaction: discord.Interaction, file: discord.Attachment) -> None:
    content = await file.read()
    await interaction.response.send_message(f"{file.filename} {file.size} {content.decode()}", ephemeral=True)


@small.command(description="Never answers")
async def silent(interaction: discord.Interaction) -> None:
    return None


@app_commands.command(description="For those who manage the server")
@app_commands.default_permissions(manage_guild=True)
async def hidden(interaction: discord.Interaction) -> None:
    await interaction.response.send_message("secret", ephemeral=True)
