"""Each limit on commands, with a list that is refused whole; and the options that a client does not let go."""

from __future__ import annotations

from typing import Any

import pytest

from bot.playground.commands import CHAT, MESSAGE_MENU, USER_MENU, NotSent, is_name, usable
from tests.bot.playground.desk import Desk


def command(name: Any = "play", *options: Any, **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "Play", "options": list(options)} | more


def option(name: Any = "side", kind: int = 3, **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "Side", "type": kind} | more


def choices(count: int) -> list[dict[str, Any]]:
    return [{"name": f"Choice {n}", "value": f"{n}"} for n in range(count)]


WRONG: list[tuple[str, Any, str, str]] = [
    ("capitals", command("Play"), "name", "APPLICATION_COMMAND_INVALID_NAME"),
    ("a space", command("play it"), "name", "APPLICATION_COMMAND_INVALID_NAME"),
    ("33 characters", command("x" * 33), "name", "APPLICATION_COMMAND_INVALID_NAME"),
    ("no name", command(""), "name", "APPLICATION_COMMAND_INVALID_NAME"),
    ("no description", command(description=""), "description", "BASE_TYPE_BAD_LENGTH"),
    ("a description of 101", command(description="x" * 101), "description", "BASE_TYPE_BAD_LENGTH"),
    ("an unknown language", command(name_localizations={"zh": "x"}), "name_localizations.zh", "ENUM_TYPE_COERCE"),
    (
        "capitals in French",
        command(name_localizations={"fr": "Jouer"}),
        "name_localizations.fr",
        "APPLICATION_COMMAND_INVALID_NAME",
    ),
    (
        "101 in Chinese",
        command(description_localizations={"zh-TW": "玩" * 101}),
        "description_localizations.zh-TW",
        "BASE_TYPE_BAD_LENGTH",
    ),
    ("26 options", command("play", *(option(f"o{n}") for n in range(26))), "options", "BASE_TYPE_BAD_LENGTH"),
    ("26 subcommands", command("play", *(option(f"o{n}", 1) for n in range(26))), "options", "BASE_TYPE_BAD_LENGTH"),
    ("an option's capitals", command("play", option("Side")), "options.0.name", "APPLICATION_COMMAND_INVALID_NAME"),
    (
        "an option twice",
        command("play", option("a"), option("a")),
        "options.1.name",
        "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED",
    ),
    (
        "an option twice in Chinese",
        command(
            "play", option("a", name_localizations={"zh-TW": "甲"}), option("b", name_localizations={"zh-TW": "甲"})
        ),
        "options.1.name",
        "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED",
    ),
    (
        "required after optional",
        command("play", option("a"), option("b", required=True)),
        "options.1",
        "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
    ),
    (
        "a subcommand beside an option",
        command("play", option("a"), option("b", 1)),
        "options",
        "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
    ),
    (
        "a subcommand in a subcommand",
        command("play", option("a", 1, options=[option("b", 1)])),
        "options.0.options.0.type",
        "BASE_TYPE_CHOICES",
    ),
    (
        "a group in a group",
        command("play", option("a", 2, options=[option("b", 2)])),
        "options.0.options.0.type",
        "BASE_TYPE_CHOICES",
    ),
    ("an unknown type", command("play", option("a", 12)), "options.0.type", "BASE_TYPE_CHOICES"),
    ("26 choices", command("play", option(choices=choices(26))), "options.0.choices", "BASE_TYPE_BAD_LENGTH"),
    (
        "a choice of 101",
        command("play", option(choices=[{"name": "x" * 101, "value": "a"}])),
        "options.0.choices.0.name",
        "BASE_TYPE_BAD_LENGTH",
    ),
    (
        "a choice twice",
        command("play", option(choices=choices(1) * 2)),
        "options.0.choices.1.name",
        "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_DUPLICATE",
    ),
    (
        "a text where a number belongs",
        command("play", option("a", 4, choices=choices(1))),
        "options.0.choices.0.value",
        "NUMBER_TYPE_COERCE",
    ),
    (
        "choices and autocomplete",
        command("play", option(choices=choices(1), autocomplete=True)),
        "options.0.choices",
        "APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES",
    ),
    (
        "autocomplete of people",
        command("play", option("a", 6, autocomplete=True)),
        "options.0.autocomplete",
        "APPLICATION_COMMAND_AUTOCOMPLETE_TYPE",
    ),
    (
        "min above max",
        command("play", option("a", 4, min_value=3, max_value=2)),
        "options.0.min_value",
        "APPLICATION_COMMAND_OPTION_MIN_ABOVE_MAX",
    ),
    (
        "more than 8000 characters",
        command(
            "play",
            *(
                option(f"o{n}", choices=[{"name": f"{i}" + "x" * 80, "value": "v" * 20} for i in range(9)])
                for n in range(9)
            ),
        ),
        "",
        "APPLICATION_COMMAND_TOO_LARGE",
    ),
]


@pytest.mark.parametrize(("wrong", "place", "problem"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
async def test_one_bad_command_refuses_all_for(desk: Desk, wrong: Any, place: str, problem: str) -> None:
    await desk.commands(command("before"))
    reply = await desk.commands(command("good"), wrong)
    assert (reply.status, reply.code) == (400, 50035)
    assert reply.problem(f"1.{place}".rstrip(".")) == problem
    assert [c["name"] for c in desk.world.state.commands] == ["before"]


@pytest.mark.parametrize(("kind", "most"), [(CHAT, 100), (USER_MENU, 15), (MESSAGE_MENU, 15)])
async def test_so_many_commands_of_a_kind_and_no_more(desk: Desk, kind: int, most: int) -> None:
    rest = {"type": kind} if kind != CHAT else {"description": "Play"}
    commands = [{"name": f"c{n}", **rest} for n in range(most + 1)]
    assert (await desk.commands(*commands[:most])).status == 200
    reply = await desk.commands(*commands)
    assert reply.code == 50035
    assert reply.data["errors"]["_errors"][0]["code"] == "APPLICATION_COMMANDS_MAX"


async def test_two_commands_of_one_name(desk: Desk) -> None:
    reply = await desk.commands(command("a"), command("a"))
    assert reply.problem("1.name") == "APPLICATION_COMMANDS_DUPLICATE_NAME"


def test_names_in_every_script() -> None:
    for name in ("play", "a-b_c'd", "遊戲", "игра", "खेल", "ไทย", "x" * 32):
        assert is_name(name), name
    for wrong in ("Play", "a b", "a.b", "", "x" * 33, "🎲", 5):
        assert not is_name(wrong), wrong


async def test_a_command_keeps_its_id_when_it_is_set_again(desk: Desk) -> None:
    first = (await desk.commands(command("a"), command("b"))).data
    again = (await desk.commands(command("b", description="New"))).data
    assert [c["id"] for c in again] == [first[1]["id"]]
    path = f"/applications/{desk.bot.id}/commands"
    assert (await desk.call("GET", f"{path}/{first[0]['id']}")).code == 10063
    added = await desk.call("POST", path, command("c"))
    assert (await desk.call("PATCH", f"{path}/{added.data['id']}", {"name": "D"})).code == 50035
    assert (await desk.call("PATCH", f"{path}/{added.data['id']}", {"name": "d"})).data["name"] == "d"
    assert (await desk.call("DELETE", f"{path}/{added.data['id']}")).status == 204
    assert [c["name"] for c in (await desk.call("GET", path)).data] == ["b"]


async def test_commands_of_a_server(desk: Desk) -> None:
    path = f"/applications/{desk.bot.id}/guilds/{desk.home.id}/commands"
    assert (await desk.call("PUT", path, [command("local")])).data[0]["guild_id"] == desk.home.id
    interactions = desk.playground.interactions
    interactions.slash(desk.ada.id, desk.games.id, desk.world.state.guild_commands[desk.home.id][0]["id"], [], {})
    assert (await desk.call("PUT", f"/applications/{desk.bot.id}/guilds/5/commands", [])).code == 10004


OPTIONS = [
    option("side", 4, required=True, min_value=3, max_value=6),
    option("name", 3, max_length=5),
    option("colour", 3, choices=[{"name": "Red", "value": "r"}]),
    option("fast", 5),
]
NOT_SENT: list[tuple[str, dict[str, Any]]] = [
    ("side is required", {}),
    ("side is from 3 to 6", {"side": 7}),
    ("side is a number", {"side": "4"}),
    ("side is a number", {"side": True}),
    ("a text of 0 to 5", {"side": 4, "name": "longer"}),
    ("none of the choices", {"side": 4, "colour": "Red"}),
    ("true or false", {"side": 4, "fast": "yes"}),
    ("no such option", {"side": 4, "slow": True}),
]


@pytest.mark.parametrize(("why", "values"), NOT_SENT)
async def test_options_that_a_client_does_not_send(desk: Desk, why: str, values: dict[str, Any]) -> None:
    await desk.commands(command("play", *OPTIONS))
    with pytest.raises(NotSent, match=why):
        await desk.used(**values)
    await desk.used(side=4, name="short", colour="r", fast=True)


async def test_a_command_with_subcommands_cannot_be_used_bare(desk: Desk) -> None:
    await desk.commands(command("play", option("new", 1)))
    with pytest.raises(NotSent, match="needs a subcommand"):
        await desk.used()
    found = desk.world.state.commands[0]
    with pytest.raises(NotSent, match="no subcommand old"):
        desk.playground.interactions.slash(desk.ada.id, desk.games.id, found["id"], ["old"], {})


async def test_who_may_use_a_command(desk: Desk) -> None:
    await desk.commands(
        command("anybody"),
        command("managers", default_member_permissions=str(1 << 5)),
        command("admins", default_member_permissions="0"),
        command("here", contexts=[0]),
        command("direct", contexts=[1]),
    )

    def offered(user_id: str) -> list[str]:
        return [c["name"] for c in usable(desk.world, user_id, desk.games)]

    assert offered(desk.ben.id) == ["anybody", "here"]
    assert offered(desk.ada.id) == ["anybody", "managers", "admins", "here"]
    direct = desk.world.open_direct(desk.ben.id)
    assert [c["name"] for c in usable(desk.world, desk.ben.id, direct)] == ["anybody", "managers", "admins", "direct"]
    managers = desk.world.state.commands[1]
    with pytest.raises(NotSent, match="cannot be used here"):
        desk.playground.interactions.slash(desk.ben.id, desk.games.id, managers["id"], [], {})
