"""People for tests: each acts as a person with a Discord client would, and waits until the bot has answered.

    async with playing(make_client) as people:
        ada, ben = people["Ada"], people["Ben"]
        await ada.slash("triggle new", side=5)
        await ben.press("Join")
        await ada.press("Start")
        assert "Ada" in ben.sees("#games")[-1].text

Works with any discord.py client. Nothing sleeps: every wait is for a condition and fails after `People.patience`.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Self
from weakref import WeakSet

import discord

from bot.playground import commands, components
from bot.playground.commands import NotSent
from bot.playground.files import Upload
from bot.playground.interactions import Interaction, Interactions
from bot.playground.refusals import Json
from bot.playground.server import Playground
from bot.playground.world import Attachment, Channel, Clock, Message, Role, User, World

_ROOTS = ("discord.py: on_", "CommandTree-invoker", "discord-ui-")
"""How discord.py names the tasks in which a bot's own code runs."""

_SLEEPERS = ("__timeout_task_impl", ".<locals>.inner_call", ".<locals>.delete")
"""Tasks of discord.py that only wait for a time to come: views that run out, messages to be deleted later."""


class Clumsy(AssertionError):
    """A test's person could not do it: no such button in view, no answer from the bot, a form that is not open."""


class ManualClock:
    """The real time, and as far ahead of it as a test says."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead

    def advance(self, seconds: float) -> None:
        """Let this many seconds pass."""
        self.ahead += seconds


# -- What people see ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Button:
    """A button as it stands in a message."""

    label: str
    custom_id: str | None
    enabled: bool
    url: str | None = None


@dataclass(frozen=True)
class Menu:
    """A menu: its placeholder, and option labels to values (empty for people, roles and channels)."""

    placeholder: str
    custom_id: str
    kind: int
    enabled: bool
    options: Mapping[str, str]
    chosen: tuple[str, ...]


@dataclass(frozen=True)
class Picture:
    """A picture or file in a message: name, alt text, size in pixels, bytes."""

    filename: str
    description: str | None
    url: str
    width: int | None
    height: int | None
    content: bytes


class Shown:
    """A message as somebody sees it now. It is a snapshot: later edits do not change it. `raw` is Discord's JSON."""

    def __init__(self, world: World, message: Message) -> None:
        self._world = world
        self.raw: Json = world.message_json(message)
        self.id = message.id
        self.channel_id = message.channel_id
        self.private = message.reader is not None
        self.kind = message.kind
        self.author = world.user(message.author_id).name
        self.mentions = [world.user(user_id).name for user_id in message.mentions]
        self.edited = message.edited_at is not None
        self.thinking = bool(message.flags & 128)
        self.thread: Channel | None = world.state.channels.get(message.thread_id or "")

    def __repr__(self) -> str:
        controls = [b.label for b in self.buttons] + [m.placeholder for m in self.menus]
        return f"<{self.author}{' (private)' if self.private else ''}: {self.text[:200]!r} {controls}>"

    @property
    def text(self) -> str:
        """All that is written in it, line by line: content, text displays, embeds."""
        lines = [self.raw["content"]]
        lines += [c["content"] for c in components.walk(self.raw["components"]) if c["type"] == components.TEXT]
        for embed in self.raw["embeds"]:
            lines += [embed.get("title", ""), embed.get("description", "")]
        return "\n".join(line for line in lines if line)

    @property
    def buttons(self) -> list[Button]:
        """Its buttons, in order."""
        return [
            Button(_label(c), c.get("custom_id"), not c.get("disabled"), c.get("url"))
            for c in components.walk(self.raw["components"])
            if c["type"] == components.BUTTON
        ]

    @property
    def labels(self) -> list[str]:
        """What can be pressed: the labels of its enabled buttons, in order."""
        return [button.label for button in self.buttons if button.enabled]

    @property
    def menus(self) -> list[Menu]:
        """Its menus, in order."""
        return [_menu(c) for c in components.walk(self.raw["components"]) if c["type"] in components.MENUS]

    @property
    def pictures(self) -> list[Picture]:
        """What it shows or attaches: galleries, thumbnails, files, attachments."""
        found: dict[str, str | None] = {}
        for component in components.walk(self.raw["components"]):
            for item in component.get("items", [component]):
                media = item.get("media") or item.get("file") or {}
                if "attachment_id" in media:
                    found[media["attachment_id"]] = item.get("description")
        for attachment in self.raw["attachments"]:
            found.setdefault(attachment["id"], attachment.get("description"))
        return [self._picture(self._world.state.attachments[name], text) for name, text in found.items()]

    def _picture(self, attachment: Attachment, description: str | None) -> Picture:
        return Picture(
            attachment.filename,
            description,
            self._world.address_of(attachment),
            attachment.width,
            attachment.height,
            self._world.files[attachment.id],
        )


@dataclass(frozen=True)
class Field:
    """A field of a form."""

    label: str
    custom_id: str
    kind: int
    value: Any
    options: Mapping[str, str]


class Form:
    """A form that the bot opened for somebody. `opener` is the interaction it answered."""

    def __init__(self, opener: Interaction) -> None:
        assert opener.form is not None, "only made for interactions that a form answered"
        self.opener = opener
        self.raw = opener.form
        self.title: str = self.raw["title"]
        self.custom_id: str = self.raw["custom_id"]

    def __repr__(self) -> str:
        return f"<form {self.title!r} {[field.label for field in self.fields]}>"

    @property
    def text(self) -> str:
        """The texts between its fields."""
        return "\n".join(c["content"] for c in self.raw["components"] if c["type"] == components.TEXT)

    @property
    def fields(self) -> list[Field]:
        """Its fields with what they are filled in with."""
        found = []
        for top in self.raw["components"]:
            for field in [top["component"]] if top["type"] == components.LABEL else top.get("components", []):
                label = top.get("label") or field.get("label") or ""
                found.append(Field(label, field["custom_id"], field["type"], _filled(field), _options(field)))
        return found

    def field(self, name: str) -> Field:
        """The field of this label or custom_id."""
        for field in self.fields:
            if name in (field.label, field.custom_id):
                return field
        raise Clumsy(f"no field {name!r} in {self}")


@dataclass(frozen=True)
class Choice:
    """A choice that autocomplete offers."""

    name: str
    value: Any


class Answer:
    """How the bot answered what somebody did."""

    def __init__(self, people: People, interaction: Interaction) -> None:
        self._world = people.world
        self.interaction = interaction

    @property
    def message(self) -> Shown | None:
        """The message that is the answer, as it is now; None for forms, or when it has been deleted."""
        original = self.interaction.original
        if original is None or original.id not in self._world.state.messages.get(original.channel_id, {}):
            return None
        return Shown(self._world, original)

    @property
    def text(self) -> str:
        """The text of the answer."""
        return "" if self.message is None else self.message.text

    @property
    def private(self) -> bool:
        """Whether only the person sees it."""
        return self.message is not None and self.message.private

    @property
    def deferred(self) -> bool:
        """Whether the bot took more time first."""
        return self.interaction.deferred

    @property
    def form(self) -> Form | None:
        """The form it opened."""
        return None if self.interaction.form is None else Form(self.interaction)


# -- People ---------------------------------------------------------------------------------------------------------

Place = Channel | Shown | str
"""A channel: itself, its name (`#games`), or a message (its thread, else the channel it is in)."""


class Person:
    """One person. `where` is the channel they have open: commands go there."""

    def __init__(self, people: People, user: User) -> None:
        self.people = people
        self.world = people.world
        self.user = user
        self.where = self.world.channel_named("games")
        self.form: Form | None = None
        self._only_here = False
        self._chosen: dict[tuple[str, str], tuple[str, ...]] = {}

    def __repr__(self) -> str:
        return f"<{self.name}>"

    @property
    def id(self) -> str:
        """Their Discord id."""
        return self.user.id

    @property
    def name(self) -> str:
        """What others see."""
        return self.user.name

    @property
    def mention(self) -> str:
        """As they are mentioned in a text."""
        return f"<@{self.id}>"

    # -- Looking --

    def go(self, place: Place) -> Self:
        """Open a channel or thread; buttons are from now on looked for there only."""
        self.where = self.people.channel(place)
        self._only_here = True
        return self

    def sees(self, place: Place | None = None) -> list[Shown]:
        """The messages of a channel, oldest first, with the private ones that are for them."""
        channel = self.where if place is None else self.people.channel(place)
        return self.view(channel)

    @property
    def private(self) -> list[Shown]:
        """The private answers they got anywhere, oldest first."""
        return [shown for shown in self.view() if shown.private]

    @property
    def dm(self) -> list[Shown]:
        """Their conversation with the bot, oldest first."""
        channel = self.world.direct(self.id)
        return [] if channel is None else self.sees(channel)

    def view(self, place: Place | None = None) -> list[Shown]:
        """All messages in view, oldest first: of a place, of where they are, or of everywhere."""
        return [Shown(self.world, message) for message in self._messages(place)]

    def _messages(self, place: Place | None) -> list[Message]:
        if place is not None or self._only_here:
            channels = [self.where if place is None else self.people.channel(place)]
        else:
            channels = list(self.world.state.channels.values())
        seen = [channel for channel in channels if self.world.sees(self.id, channel)]
        found = [message for channel in seen for message in self.world.history(channel.id, self.id)]
        return sorted(found, key=lambda message: int(message.id))

    def offered(self, place: Place | None = None) -> list[str]:
        """The names of the commands they may use in a channel."""
        channel = self.where if place is None else self.people.channel(place)
        return [command["name"] for command in commands.usable(self.world, self.id, channel)]

    # -- Acting --

    async def slash(self, line: str, /, *, at: Place | None = None, **options: Any) -> Answer:
        """Use a command: `slash("triggle new", side=5)`. People, channels and `Upload`s stand for themselves."""
        channel, command, path = await self._command(line, at)
        values = self._values(command, path, options)
        return await self._answered(self._slash(channel, command, path, values, None))

    async def autocomplete(
        self, line: str, focused: str, typed: Any, /, *, at: Place | None = None, **options: Any
    ) -> list[Choice]:
        """What an option offers when `typed` stands in it and others are filled in already."""
        channel, command, path = await self._command(line, at)
        values = self._values(command, path, options) | {focused: typed}
        answer = await self._answered(self._slash(channel, command, path, values, focused))
        locale = self.user.locale
        return [
            Choice((choice.get("name_localizations") or {}).get(locale) or choice["name"], choice["value"])
            for choice in answer.interaction.choices or []
        ]

    async def press(
        self,
        label: str | None = None,
        *,
        custom_id: str | None = None,
        message: Shown | None = None,
        at: Place | None = None,
    ) -> Answer:
        """Press a button by its label (or its start) or custom_id: on that message, else on the newest one in view."""

        def find() -> tuple[Shown, Button] | None:
            for shown in self._in_view(message, at):
                for button in _fitting(shown.buttons, label, custom_id):
                    if button.enabled and button.custom_id is not None:
                        return shown, button
            return None

        shown, button = await self._found(find, f"button {label or custom_id!r}", at)
        place = (shown.channel_id, shown.id, str(button.custom_id))
        return await self._answered(self._hands.press(self.id, *place))

    async def press_late(self, message: Shown, label: str | None = None, *, custom_id: str | None = None) -> Answer:
        """Press a button of a message as it was when it was looked at, though it may have gone meanwhile."""
        button = next(iter(_fitting(message.buttons, label, custom_id)), None)
        control = None if button is None else components.find(message.raw["components"], str(button.custom_id))
        if control is None:
            raise Clumsy(f"no button {label or custom_id!r} on {message}")
        current = self.world.message(message.channel_id, message.id)
        return await self._answered(self._hands.press_late(self.id, current, control, message.raw))

    async def press_as(self, message: Shown, custom_id: str) -> Answer:
        """Press a message's first button as if its custom_id were another: an older version's, or a forged one."""
        own = next(button.custom_id for button in message.buttons if button.custom_id is not None)
        shown = json.loads(json.dumps(message.raw).replace(json.dumps(own), json.dumps(custom_id)))
        control = components.find(shown["components"], custom_id)
        assert control is not None
        current = self.world.message(message.channel_id, message.id)
        return await self._answered(self._hands.press_late(self.id, current, control, shown))

    async def choose(
        self,
        menu: str | None,
        *values: Any,
        custom_id: str | None = None,
        message: Shown | None = None,
        at: Place | None = None,
    ) -> Answer:
        """Choose from a menu, found by its placeholder (or its start) or custom_id; values are labels, values, people.

        A client sends nothing when what stands there already is chosen again: that is refused here too.
        """

        def find() -> tuple[Shown, Menu] | None:
            for shown in self._in_view(message, at):
                for found in shown.menus:
                    if found.enabled and _is_menu(found, menu, custom_id):
                        return shown, found
            return None

        shown, found = await self._found(find, f"menu {menu or custom_id!r}", at)
        chosen = tuple(_value(found.options, value) for value in values)
        key = (shown.id, found.custom_id)
        if self._chosen.get(key, found.chosen) == chosen:
            raise NotSent(f"{values} stands there already, so that a client sends nothing: draw the menu anew")
        self._chosen[key] = chosen
        place = (shown.channel_id, shown.id, found.custom_id)
        return await self._answered(self._hands.select(self.id, *place, chosen))

    async def submit(self, values: Mapping[str, Any] | None = None) -> Answer:
        """Send the open form with these values by label or custom_id; other fields stay as they are filled in."""
        form = self.form
        if form is None:
            raise Clumsy(f"{self.name} has no form open")
        given = {form.field(name).custom_id: value for name, value in (values or {}).items()}
        fields = [self._submitted(top, given) for top in form.raw["components"]]
        interaction = self._hands.submit(form.opener, fields)
        self.form = None
        return await self._answered(interaction)

    async def say(self, text: str, at: Place | None = None) -> Shown:
        """Write a plain message."""
        channel = self.where if at is None else self.people.channel(at)
        return Shown(self.world, self.world.say(self.id, channel, text))

    def upload(self, filename: str, content: bytes) -> Upload:
        """A file for an option or a field of a form."""
        return Upload(filename, content)

    def close_dms(self, closed: bool = True) -> None:
        """Take direct messages no more, or again."""
        self.world.change_person(self.user, dm_closed=closed)

    def speak(self, locale: str) -> None:
        """Switch their Discord to another language: `zh-TW`."""
        self.world.change_person(self.user, locale=locale)

    def leave_server(self) -> None:
        """Leave the server."""
        self.world.leave(self.world.home, self.id)

    # -- How --

    @property
    def _hands(self) -> Interactions:
        """Where interactions begin."""
        return self.people.playground.interactions

    def _in_view(self, message: Shown | None, at: Place | None) -> Iterator[Shown]:
        """The message as it is now, or all in view, newest first."""
        if message is not None:
            yield Shown(self.world, self.world.message(message.channel_id, message.id))
            return
        for found in reversed(self._messages(at)):
            yield Shown(self.world, found)

    async def _found(
        self, find: Callable[[], tuple[Shown, Any] | None], what: str, at: Place | None
    ) -> tuple[Shown, Any]:
        await self.people.wait(lambda: find() is not None)
        found = find()
        if found is None:
            lines = "\n".join(map(repr, self.view(at)[-8:]))
            raise Clumsy(f"{self.name} sees no {what}; in view:\n{lines}")
        return found

    async def _command(self, line: str, at: Place | None) -> tuple[Channel, Json, list[str]]:
        channel = self.where if at is None else self.people.channel(at)
        name, *path = line.removeprefix("/").split()

        def find() -> Json | None:
            offered = commands.usable(self.world, self.id, channel)
            return next((command for command in offered if command["name"] == name), None)

        await self.people.wait(lambda: find() is not None)
        command = find()
        if command is None:
            raise Clumsy(f"{self.name} is not offered /{name}, but {self.offered(at)}")
        return channel, command, path

    def _slash(
        self, channel: Channel, command: Json, path: list[str], values: Mapping[str, Any], focused: str | None
    ) -> Interaction:
        return self._hands.slash(self.id, channel.id, command["id"], path, values, focused)

    def _values(self, command: Json, path: Sequence[str], given: Mapping[str, Any]) -> dict[str, Any]:
        options = command["options"]
        for name in path:
            options = next((o.get("options") or [] for o in options if o["name"] == name), [])
        named = {option["name"]: option for option in options}
        values: dict[str, Any] = {}
        for name, value in given.items():
            choices = {choice["name"]: choice["value"] for choice in named.get(name, {}).get("choices") or []}
            values[name] = choices[value] if isinstance(value, str) and value in choices else self._id_of(value)
        return values

    def _id_of(self, value: Any) -> Any:
        """What a client sends for a person, role, channel or file; other values as they are."""
        if isinstance(value, Upload):
            return self._hands.upload(value)
        return value.id if isinstance(value, Person | User | Channel | Role) else value

    def _submitted(self, top: Json, given: Mapping[str, Any]) -> Json:
        sent: Json = {"type": top["type"], "id": top["id"]}
        if top["type"] == components.LABEL:
            return sent | {"component": self._field(top["component"], given)}
        if top["type"] == components.ROW:
            return sent | {"components": [self._field(field, given) for field in top["components"]]}
        return sent

    def _field(self, field: Json, given: Mapping[str, Any]) -> Json:
        value = given.get(field["custom_id"], _filled(field))
        sent = {"type": field["type"], "id": field["id"], "custom_id": field["custom_id"]}
        if field["type"] in (components.TEXT_INPUT, components.CHECKBOX, components.RADIO_GROUP):
            return sent | {"value": value}
        values = value if isinstance(value, list | tuple) else [value]
        options = _options(field)
        return sent | {"values": [_value(options, self._id_of(one)) for one in values]}

    async def _answered(self, interaction: Interaction) -> Answer:
        """Wait until the bot has answered and, where the people settle, has nothing under way any more."""
        people = self.people
        done = await people.wait(
            lambda: (interaction.acknowledged or interaction.late) and not self._thinking(interaction)
        )
        what = f"{interaction.name or 'the control'} of {self.name}"
        if not interaction.acknowledged:
            raise Clumsy(f"the bot did not answer {what} in time; {people.last_refusals()}")
        if not done:
            raise Clumsy(f"the bot is still thinking about {what}; {people.last_refusals()}")
        answer = Answer(people, interaction)
        if answer.form is not None:
            self.form = answer.form
        if people.settle:
            await people.quiet()
        return answer

    def _thinking(self, interaction: Interaction) -> bool:
        return interaction.thinking and Answer(self.people, interaction).message is not None


class People:
    """Everybody in the playground, by name: `people["Ada"]`.

    `patience` is how many (real) seconds a wait may take before the test fails. With `settle` every act also waits
    until the bot has nothing under way; tests that hold a request back switch it off. `also_wait` are awaited in
    `quiet`: for bots that work in tasks of their own, begun at start. `resting` says of a task that it only waits.
    """

    def __init__(self, playground: Playground, *, patience: float = 5.0, settle: bool = True) -> None:
        self.playground = playground
        self.world = playground.world
        self.faults = playground.faults
        self.gateway = playground.gateway
        self.patience = patience
        self.settle = settle
        self.also_wait: list[Callable[[], Awaitable[None]]] = []
        self.resting: list[Callable[[asyncio.Task[Any]], bool]] = [_sleeps]
        self.bot: discord.Client | None = None
        self.running: asyncio.Task[None] | None = None
        self._known = {user.name: Person(self, user) for user in self.world.people}
        self._work: WeakSet[asyncio.Task[Any]] = WeakSet()
        self._loop = asyncio.get_running_loop()
        self._factory = self._loop.get_task_factory()
        self._loop.set_task_factory(self._follow)

    def __getitem__(self, name: str) -> Person:
        return self._known[name]

    def __iter__(self) -> Any:
        return iter(self._known.values())

    def close(self) -> None:
        """Give the loop its task factory back; fails the test if the stand-in met a request it does not know."""
        self._loop.set_task_factory(self._factory)
        assert not self.playground.rest.bugs, f"the stand-in was asked what it cannot do: {self.playground.rest.bugs}"

    def channel(self, place: Place) -> Channel:
        """The channel of a name, or the thread of a message (else the channel it is in)."""
        if isinstance(place, str):
            return self.world.channel_named(place)
        if isinstance(place, Shown):
            return place.thread or self.world.channel(place.channel_id)
        return place

    async def connected(self) -> None:
        """Wait until the bot is connected and has taken in the server."""
        if not await self.wait(self.gateway.is_listened_to):
            raise Clumsy("the bot has not connected")
        await self.gateway.heard()

    async def wait(self, condition: Callable[[], bool]) -> bool:
        """Wait until something holds in the world; False when it does not in time. Raises what the bot died of."""
        held = await self.world.changes.until(lambda: condition() or self._over(), self.patience)
        if self._over() and not condition():
            assert self.running is not None  # _over says so
            await self.running
            raise Clumsy("the bot has stopped")
        return held

    def _over(self) -> bool:
        return self.running is not None and self.running.done()

    def last_refusals(self) -> str:
        """The last requests of the bot that were refused: what to look at when it did not answer."""
        refused = [served for served in self.playground.rest.served if served.status >= 400]
        return f"last refused: {[(s.method, s.path[:40], s.status, s.code) for s in refused[-3:]]}"

    async def until(self, condition: Callable[[], bool], what: str = "the condition") -> None:
        """Wait until something holds in the world (looked at whenever that changes); fails when it never does."""
        if not await self.wait(condition):
            raise Clumsy(f"{what} did not come about")

    async def quiet(self) -> None:
        """Wait until the bot has nothing under way: nothing unanswered, no request, no task of its code."""
        try:
            async with asyncio.timeout(self.patience):
                while not await self._calm():
                    pass
        except TimeoutError:
            raise Clumsy(f"the bot is still at work: {self._still()}") from None

    async def _calm(self) -> bool:
        mark = self.world.changes.number
        await self.wait(lambda: not self._open())
        # The answer to a ping comes after all that was sent before it has been taken in.
        await self.gateway.heard()
        tasks = self._under_way()
        if tasks:
            await asyncio.wait(tasks)
            return False
        for wait in self.also_wait:
            await wait()
        return mark == self.world.changes.number and not self._open() and not self._under_way()

    def _open(self) -> bool:
        return self.playground.rest.busy > 0 or bool(self.playground.interactions.unanswered())

    def _under_way(self) -> list[asyncio.Task[Any]]:
        own = asyncio.current_task()
        return [
            task
            for task in asyncio.all_tasks()
            if task is not own
            and (task in self._work or task.get_name().startswith(_ROOTS))
            and not any(rests(task) for rests in self.resting)
        ]

    def _still(self) -> str:
        unanswered = [i.name or i.kind for i in self.playground.interactions.unanswered()]
        return f"unanswered {unanswered}, {self.playground.rest.busy} requests, tasks {self._under_way()}"

    def _follow(self, loop: asyncio.AbstractEventLoop, coro: Any, **more: Any) -> asyncio.Task[Any]:
        """Make a task, and remember it where the bot's code began it: its work counts until it is done."""
        if self._factory is None:
            task: asyncio.Task[Any] = asyncio.Task(coro, loop=loop, **more)
        else:
            task = self._factory(loop, coro, **more)  # type: ignore[assignment]
        parent = asyncio.current_task(loop) if loop.is_running() else None
        if parent is not None and (parent in self._work or parent.get_name().startswith(_ROOTS)):
            self._work.add(task)
        return task


@asynccontextmanager
async def playing(
    make_client: Callable[[], discord.Client],
    *,
    clock: Clock = time.time,
    shards: int = 1,
    describe: bool = True,
    patience: float = 5.0,
    playground: Playground | None = None,
) -> AsyncIterator[People]:
    """A playground with a client connected to it, and its people; all is stopped at the end.

    `make_client` is called when discord.py leads to the playground. Give it a small `guild_ready_timeout`. A crash of
    the client fails the test.
    """
    playground = playground or Playground(clock=clock, describe=describe, shards=shards)
    await playground.start()
    people = People(playground, patience=patience)
    try:
        with playground.discord():
            client = people.bot = make_client()
            people.running = asyncio.create_task(client.start(playground.token))
            people.running.add_done_callback(lambda _: playground.world.changes.tell())
            try:
                await people.connected()
                yield people
            finally:
                await client.close()
                await people.running
    finally:
        await playground.stop()
        people.close()


# -- Small things ---------------------------------------------------------------------------------------------------


def _label(component: Json) -> str:
    return component.get("label") or (component.get("emoji") or {}).get("name") or ""


def _menu(component: Json) -> Menu:
    chosen = tuple(option["value"] for option in component.get("options", []) if option.get("default"))
    chosen += tuple(str(default["id"]) for default in component.get("default_values") or [])
    return Menu(
        component.get("placeholder") or "",
        component["custom_id"],
        component["type"],
        not component.get("disabled"),
        _options(component),
        chosen,
    )


def _options(component: Json) -> dict[str, str]:
    return {option["label"]: option["value"] for option in component.get("options") or []}


def _value(options: Mapping[str, str], given: Any) -> str:
    """The value of an option given by label or value; ids of people, roles and channels as they are."""
    if isinstance(given, Person | User | Channel | Role):
        return given.id
    return options.get(str(given), str(given))


def _filled(field: Json) -> Any:
    if field["type"] == components.TEXT_INPUT:
        return field.get("value") or ""
    if field["type"] == components.CHECKBOX:
        return bool(field.get("default"))
    chosen = [option["value"] for option in field.get("options") or [] if option.get("default")]
    if field["type"] == components.RADIO_GROUP:
        return chosen[0] if chosen else None
    return chosen + [str(default["id"]) for default in field.get("default_values") or []]


def _fitting(buttons: Sequence[Button], label: str | None, custom_id: str | None) -> list[Button]:
    if custom_id is not None:
        return [button for button in buttons if button.custom_id == custom_id]
    if label is None:
        raise Clumsy("say which button, by label or custom_id")
    exact = [button for button in buttons if button.label == label]
    return exact or [button for button in buttons if button.label.startswith(label)]


def _is_menu(menu: Menu, placeholder: str | None, custom_id: str | None) -> bool:
    if custom_id is not None:
        return menu.custom_id == custom_id
    return placeholder is None or menu.placeholder.startswith(placeholder)


def _sleeps(task: asyncio.Task[Any]) -> bool:
    return getattr(task.get_coro(), "__qualname__", "").endswith(_SLEEPERS)
