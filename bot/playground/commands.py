"""Slash commands: what Discord lets an application register, who may use them, and the options a person gives."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bot.playground import limits, permissions
from bot.playground.refusals import Json, Place, Problems
from bot.playground.world import Channel, World

SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(1, 12)
CHAT, USER_MENU, MESSAGE_MENU = 1, 2, 3
IN_GUILD, IN_DIRECT = 0, 1
_AUTOCOMPLETING = (STRING, INTEGER, NUMBER)
_MARKS = re.compile("[-_'\u0900-\u097f\u0e00-\u0e7f]")


def is_name(text: object) -> bool:
    """Whether Discord takes it as a command's or an option's name: letters, numbers, `-_'`, in lower case, 1 to 32."""
    if not isinstance(text, str) or not 1 <= len(text) <= limits.COMMAND_NAME or text != text.lower():
        return False
    return all(_MARKS.match(sign) or unicodedata.category(sign)[0] in "LN" for sign in text)


def check_commands(commands: Any) -> None:
    """Refuse a whole list of commands when any of them is wrong, or two have one name, or there are too many."""
    problems = Problems()
    if not isinstance(commands, list):
        problems.add((), "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
        problems.raise_if_any()
    _check_numbers(commands, problems)
    for index, command in enumerate(commands):
        check_command(command, problems, (index,))
    problems.raise_if_any()


def _check_numbers(commands: Sequence[Json], problems: Problems) -> None:
    names: set[tuple[int, object]] = set()
    for index, command in enumerate(commands):
        name = (command.get("type", CHAT), command.get("name"))
        if name in names:
            message = "Application command names must be unique"
            problems.add((index, "name"), "APPLICATION_COMMANDS_DUPLICATE_NAME", message)
        names.add(name)
    for kind, number in Counter(command.get("type", CHAT) for command in commands).items():
        most = limits.COMMANDS if kind == CHAT else limits.CONTEXT_COMMANDS
        if number > most:
            problems.add((), "APPLICATION_COMMANDS_MAX", f"Maximum number of application commands reached ({most}).")


def check_command(command: Json, problems: Problems, place: Place = ()) -> None:
    """Note what is wrong with one command."""
    if command.get("type", CHAT) != CHAT:
        problems.length((*place, "name"), command.get("name"), 1, limits.COMMAND_NAME)
        return
    _check_words(command, problems, place)
    _check_options(command.get("options") or [], problems, (*place, "options"), (SUBCOMMAND, GROUP))
    if _characters(command) > limits.COMMAND_CHARACTERS:
        message = f"Command exceeds maximum size ({limits.COMMAND_CHARACTERS})"
        problems.add(place, "APPLICATION_COMMAND_TOO_LARGE", message)


def _check_words(thing: Json, problems: Problems, place: Place) -> None:
    if not is_name(thing.get("name")):
        message = "Command name is invalid"
        problems.add((*place, "name"), "APPLICATION_COMMAND_INVALID_NAME", message)
    problems.length((*place, "description"), thing.get("description"), 1, limits.COMMAND_DESCRIPTION)
    for locale, name in (thing.get("name_localizations") or {}).items():
        where = (*place, "name_localizations", locale)
        _check_locale(locale, problems, where)
        if not is_name(name):
            problems.add(where, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    for locale, text in (thing.get("description_localizations") or {}).items():
        where = (*place, "description_localizations", locale)
        _check_locale(locale, problems, where)
        problems.length(where, text, 1, limits.COMMAND_DESCRIPTION)


def _check_locale(locale: str, problems: Problems, place: Place) -> None:
    if locale not in limits.LOCALES:
        problems.add(place, "ENUM_TYPE_COERCE", f'Value "{locale}" is not a valid enum value.')


def _check_options(options: Sequence[Json], problems: Problems, place: Place, nesting: tuple[int, ...]) -> None:
    problems.count(place, len(options), 0, limits.COMMAND_OPTIONS)
    _check_order(options, problems, place)
    for index, option in enumerate(options):
        where = (*place, index)
        kind = option.get("type")
        if kind not in (*nesting, *range(STRING, ATTACHMENT + 1)):
            problems.add((*where, "type"), "BASE_TYPE_CHOICES", "This type of option may not stand here.")
            continue
        _check_words(option, problems, where)
        if kind == GROUP:
            _check_options(option.get("options") or [], problems, (*where, "options"), (SUBCOMMAND,))
        elif kind == SUBCOMMAND:
            _check_options(option.get("options") or [], problems, (*where, "options"), ())
        else:
            _check_value_option(option, problems, where)


def _check_order(options: Sequence[Json], problems: Problems, place: Place) -> None:
    kinds = {option.get("type") in (SUBCOMMAND, GROUP) for option in options}
    if len(kinds) > 1:
        message = "Sub-command and sub-command group option types are mutually exclusive to all other types"
        problems.add(place, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message)
    optional = False
    taken: set[tuple[str, object]] = set()
    for index, option in enumerate(options):
        where = (*place, index)
        if option.get("required") and optional:
            message = "Required options must be placed before non-required options"
            problems.add(where, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message)
        optional = optional or not option.get("required")
        names = {("", option.get("name")), *(option.get("name_localizations") or {}).items()}
        if names & taken:
            message = "Option name is already used"
            problems.add((*where, "name"), "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED", message)
        taken |= names


def _check_value_option(option: Json, problems: Problems, place: Place) -> None:
    choices = option.get("choices") or []
    if option.get("autocomplete"):
        if choices:
            message = "Options with autocomplete have no choices"
            problems.add((*place, "choices"), "APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES", message)
        if option["type"] not in _AUTOCOMPLETING:
            message = "Options of this type have no autocomplete"
            problems.add((*place, "autocomplete"), "APPLICATION_COMMAND_AUTOCOMPLETE_TYPE", message)
    low, high = option.get("min_value"), option.get("max_value")
    if low is not None and high is not None and low > high:
        problems.add((*place, "min_value"), "APPLICATION_COMMAND_OPTION_MIN_ABOVE_MAX", "min_value above max_value")
    check_choices(choices, option["type"], problems, (*place, "choices"))


def check_choices(choices: Any, kind: int, problems: Problems, place: Place) -> None:
    """Note what is wrong with a list of choices, a command's or those of an autocomplete answer."""
    if not isinstance(choices, list):
        problems.add(place, "BASE_TYPE_REQUIRED", "This field is required")
        return
    problems.count(place, len(choices), 0, limits.COMMAND_CHOICES)
    names: set[object] = set()
    for index, choice in enumerate(choices):
        where = (*place, index)
        problems.length((*where, "name"), choice.get("name"), 1, limits.CHOICE_NAME)
        for locale, name in (choice.get("name_localizations") or {}).items():
            _check_locale(locale, problems, (*where, "name_localizations", locale))
            problems.length((*where, "name_localizations", locale), name, 1, limits.CHOICE_NAME)
        if kind == STRING:
            problems.length((*where, "value"), choice.get("value"), 1, limits.CHOICE_VALUE)
        elif isinstance(choice.get("value"), bool) or not isinstance(choice.get("value"), int | float):
            problems.add((*where, "value"), "NUMBER_TYPE_COERCE", "Value is not a number")
        if choice.get("name") in names:
            message = "Choice names must be unique"
            problems.add((*where, "name"), "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_DUPLICATE", message)
        names.add(choice.get("name"))


def _characters(thing: Json) -> int:
    """The characters that count for the limit: name, description and choices' values, each in its longest language."""
    total = 0
    for key in ("name", "description"):
        total += max(map(len, map(str, (thing.get(key, ""), *(thing.get(f"{key}_localizations") or {}).values()))))
    for choice in thing.get("choices") or []:
        names = (choice.get("name", ""), *(choice.get("name_localizations") or {}).values())
        total += max(map(len, map(str, names))) + len(str(choice.get("value", "")))
    return total + sum(_characters(option) for option in thing.get("options") or [])


# -- Registering ----------------------------------------------------------------------------------------------------


def registered(world: World, command: Json, old: Sequence[Json], guild_id: str | None) -> Json:
    """A command as Discord keeps it; one of the same name and type keeps its id."""
    kind = command.get("type") or CHAT
    same = [known for known in old if known["name"] == command["name"] and known["type"] == kind]
    contexts = command.get("contexts")
    if contexts is None and guild_id is None:
        contexts = [IN_GUILD] if command.get("dm_permission") is False else [IN_GUILD, IN_DIRECT]
    needed = command.get("default_member_permissions")
    kept: Json = {
        "id": same[0]["id"] if same else world.new_id(),
        "application_id": world.state.bot_id,
        "version": world.new_id(),
        "type": kind,
        "name": command["name"],
        "name_localizations": command.get("name_localizations"),
        "description": command.get("description") or "",
        "description_localizations": command.get("description_localizations"),
        "default_member_permissions": None if needed is None else str(needed),
        "dm_permission": contexts is None or IN_DIRECT in contexts,
        "contexts": contexts,
        "integration_types": command.get("integration_types") or [0],
        "nsfw": bool(command.get("nsfw")),
        "options": command.get("options") or [],
    }
    return kept if guild_id is None else kept | {"guild_id": guild_id}


def usable(world: World, person: str, channel: Channel) -> list[Json]:
    """The commands somebody may use in a channel."""
    here = IN_DIRECT if channel.guild_id is None else IN_GUILD
    offered = [c for c in world.state.commands if c["contexts"] is None or here in c["contexts"]]
    if channel.guild_id is not None:
        offered = [*offered, *world.state.guild_commands.get(channel.guild_id, [])]
    granted = world.permissions(person, channel)
    if not granted & permissions.BITS["use_application_commands"]:
        return []
    return [command for command in offered if here == IN_DIRECT or _granted(command, granted)]


def _granted(command: Json, granted: int) -> bool:
    needed = command["default_member_permissions"]
    if needed is None or granted & permissions.BITS["administrator"]:
        return True
    return needed != "0" and granted & int(needed) == int(needed)


# -- Using ----------------------------------------------------------------------------------------------------------


class NotSent(Exception):
    """What a client would not send: the sentence says why."""


def chosen(command: Json, path: Sequence[str], values: Mapping[str, Any], focused: str | None = None) -> list[Json]:
    """The interaction's options for a (sub)command below `path` and the values a person gave by option name.

    With `focused` it is an autocomplete: the option of that name is marked, required ones may be missing.
    Raises `NotSent` where a client would not let it go.
    """
    options: Sequence[Json] = command["options"]
    steps: list[Json] = []
    for name in path:
        step = next((o for o in options if o["name"] == name and o["type"] in (SUBCOMMAND, GROUP)), None)
        if step is None:
            raise NotSent(f"/{command['name']} has no subcommand {name}")
        steps.append(step)
        options = step.get("options") or []
    if any(option["type"] in (SUBCOMMAND, GROUP) for option in options):
        raise NotSent(f"/{' '.join([command['name'], *path])} needs a subcommand")
    given = list(_given(options, values, focused))
    for step in reversed(steps):
        given = [{"name": step["name"], "type": step["type"], "options": given}]
    return given


def _given(options: Sequence[Json], values: Mapping[str, Any], focused: str | None) -> Iterator[Json]:
    unknown = set(values) - {option["name"] for option in options}
    if unknown:
        raise NotSent(f"no such option: {', '.join(sorted(unknown))}")
    for option in options:
        name = option["name"]
        if name not in values or values[name] is None:
            if option.get("required") and focused is None:
                raise NotSent(f"{name} is required")
            continue
        if name == focused:
            yield {"name": name, "type": option["type"], "value": values[name], "focused": True}
            continue
        yield {"name": name, "type": option["type"], "value": _fitting(option, values[name])}


def _fitting(option: Json, value: Any) -> Any:
    """A value as the client sends it; raises `NotSent` where the client would mark it red."""
    name, kind = option["name"], option["type"]
    choices = option.get("choices") or []
    if choices:
        for choice in choices:
            if value == choice["value"] and isinstance(value, bool) == isinstance(choice["value"], bool):
                return choice["value"]
        raise NotSent(f"{name}: {value!r} is none of the choices")
    if kind in (INTEGER, NUMBER):
        return _number(option, value)
    if kind == BOOLEAN and not isinstance(value, bool):
        raise NotSent(f"{name} is true or false")
    if kind == STRING:
        low, high = option.get("min_length") or 0, option.get("max_length") or 6000
        if not isinstance(value, str) or not low <= len(value) <= high:
            raise NotSent(f"{name}: a text of {low} to {high} characters")
    return value if kind in (STRING, BOOLEAN) else str(value)


def _number(option: Json, value: Any) -> int | float:
    name = option["name"]
    allowed = int if option["type"] == INTEGER else (int, float)
    if isinstance(value, bool) or not isinstance(value, allowed):
        raise NotSent(f"{name} is a number")
    low, high = option.get("min_value"), option.get("max_value")
    if (low is not None and value < low) or (high is not None and value > high):
        raise NotSent(f"{name} is from {low} to {high}")
    number: int | float = value
    return number
