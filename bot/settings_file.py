"""A server's settings as a file: exported, and read back with every mistake named at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import discord
import msgspec

from bot.delivery import named_failures
from bot.houses import House
from bot.refusals import sentence
from bot.words import Words
from rules import GAMES
from rules.game import BadOption, Options, Value

FORMAT = 1
MOST_BYTES = 100_000


class SettingsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file's outermost form."""

    trigon_settings: int
    settings: dict[str, Any]


def settings_file(house: House) -> tuple[str, bytes]:
    """Name and bytes of the file: only what differs from the usual."""
    usual = msgspec.to_builtins(House())
    settings = {name: value for name, value in msgspec.to_builtins(house).items() if value != usual[name]}
    data = msgspec.json.encode(SettingsFile(FORMAT, settings))
    return "trigon-settings.json", msgspec.json.format(data, indent=2) + b"\n"


async def read_settings_file(
    uploads: Sequence[discord.Attachment], known: Collection[int], words: Words
) -> tuple[Mapping[str, Any], list[str]]:
    """The settings in an uploaded file, and a sentence for each mistake. `known` are the ids of this server."""
    if not uploads:
        return {}, [words("There is no file.")]
    if uploads[0].size > MOST_BYTES:
        return {}, [words("The file is too large: settings take a few kilobytes.")]
    async with named_failures():
        data = await uploads[0].read()
    try:
        file = msgspec.json.decode(data, type=SettingsFile)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # the last: thousands of brackets in each other
        return {}, [words("This is no file that Export has made, or only a part of one.")]
    if file.trigon_settings != FORMAT:
        return {}, [
            words(
                "The file is of format {format}, and I read format {known}.", format=file.trigon_settings, known=FORMAT
            )
        ]
    return file.settings, list(dict.fromkeys(_mistakes(file.settings, known, words)))


def _mistakes(settings: Mapping[str, Any], known: Collection[int], words: Words) -> Iterator[str]:
    fields = {field.name: field for field in msgspec.structs.fields(House)}
    for name, value in settings.items():
        if name not in fields:
            yield words("There is no setting `{name}`.", name=_quoted(name))
            continue
        try:
            read = msgspec.convert(value, fields[name].type)
            House(**{name: read})
        except msgspec.ValidationError:
            yield words("`{name}` has a value of the wrong kind.", name=name)
            continue
        except BadOption as refusal:
            yield sentence(refusal, words, None)
            continue
        yield from _mistakes_in(name, read, known, words)


def _mistakes_in(name: str, value: Any, known: Collection[int], words: Words) -> Iterator[str]:
    """Mistakes of the settings that are lists: ids of other servers, games and variants that do not exist."""
    if name in ("channels", "openers"):
        for one in value:
            if one not in known:
                yield words("`{name}`: {id} is not on this server.", name=name, id=one)
    elif name == "without":
        for key in value:
            if key not in GAMES:
                yield words("There is no game `{name}`.", name=_quoted(key))
    elif name in ("variants_of", "fixed"):
        for key, variants in value.items():
            if key not in GAMES:
                yield words("There is no game `{name}`.", name=_quoted(key))
            else:
                yield from _mistakes_of_game(GAMES[key].Options, variants, words)


def _mistakes_of_game(
    options: type[Options], variants: Mapping[str, Value] | Sequence[str], words: Words
) -> Iterator[str]:
    for name in variants:
        try:
            if name not in options.variants():
                raise BadOption("unknown", option=name)
            if isinstance(variants, Mapping):
                options(**{name: variants[name]})
        except BadOption as refusal:
            yield sentence(refusal, words, None)


def _quoted(name: str) -> str:
    return name[:40].replace("`", "'")
