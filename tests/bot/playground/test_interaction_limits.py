"""Deadlines, kinds of answers, forms: each with a request that is refused."""

from __future__ import annotations

from typing import Any

import pytest

from bot.playground import limits
from bot.playground.commands import NotSent
from tests.bot.playground.desk import V2, Desk, box, button, field, form, gallery, menu, row, text
from tests.bot.playground.test_message_limits import PNG

ANSWER, THINK, DEFER, UPDATE, CHOICES, FORM = 4, 5, 6, 7, 8, 9


async def _pressed(desk: Desk) -> Any:
    message = await desk.sent({"flags": V2, "components": [row(button("b"), button("c"))]})
    return desk.playground.interactions.press(desk.ben.id, desk.games.id, message["id"], "b")


async def test_an_answer_within_three_seconds(desk: Desk) -> None:
    interaction = await desk.used()
    desk.clock.advance(2.5)
    reply = await desk.answer(interaction, ANSWER, {"content": "x"})
    assert reply.status == 200
    assert reply.data["interaction"]["response_message_id"] == reply.data["resource"]["message"]["id"]


async def test_an_answer_after_three_seconds(desk: Desk) -> None:
    interaction = await desk.used()
    desk.clock.advance(limits.ACKNOWLEDGE_SECONDS + 0.1)
    reply = await desk.answer(interaction, ANSWER, {"content": "x"})
    assert (reply.status, reply.code) == (404, 10062)
    assert (await desk.follow(interaction, {"content": "x"})).code == 10015


async def test_an_answer_to_an_unknown_interaction(desk: Desk) -> None:
    interaction = await desk.used()
    interaction.token = "other"
    assert (await desk.answer(interaction, ANSWER, {"content": "x"})).status == 200
    reply = await desk.call("POST", f"/interactions/5/{interaction.token}/callback", {"type": 4})
    assert reply.code == 10062


async def test_a_second_answer(desk: Desk) -> None:
    interaction = await desk.used()
    await desk.answer(interaction, ANSWER, {"content": "x"})
    reply = await desk.answer(interaction, ANSWER, {"content": "y"})
    assert (reply.status, reply.code) == (400, 40060)


async def test_a_token_after_fifteen_minutes(desk: Desk) -> None:
    interaction = await desk.used()
    await desk.answer(interaction, ANSWER, {"content": "x"})
    desk.clock.advance(limits.TOKEN_SECONDS - 5)
    assert (await desk.follow(interaction, {"content": "y"})).status == 200
    desk.clock.advance(10)
    for reply in (
        await desk.follow(interaction, {"content": "z"}),
        await desk.original(interaction, data={"content": "z"}),
    ):
        assert (reply.status, reply.code) == (401, 50027)


async def test_a_follow_up_before_any_answer(desk: Desk) -> None:
    interaction = await desk.used()
    reply = await desk.follow(interaction, {"content": "x"})
    assert (reply.status, reply.code) == (404, 10015)


@pytest.mark.parametrize("kind", [1, DEFER, UPDATE, CHOICES, 99])
async def test_kinds_of_answers_that_a_command_does_not_take(desk: Desk, kind: int) -> None:
    interaction = await desk.used()
    reply = await desk.answer(interaction, kind, {"content": "x"})
    assert reply.problem("type") == "BASE_TYPE_CHOICES"
    assert not interaction.acknowledged
    assert (await desk.answer(interaction, ANSWER, {"content": "x"})).status == 200


async def test_a_refused_answer_leaves_the_interaction_open(desk: Desk) -> None:
    interaction = await desk.used()
    assert (await desk.answer(interaction, ANSWER, {"content": ""})).code == 50006
    assert (await desk.answer(interaction, THINK, {"flags": V2})).problem("data.flags") == "MESSAGE_FLAGS_INVALID"
    assert (await desk.answer(interaction, ANSWER, {"content": "x"})).status == 200


async def test_the_first_follow_up_fills_a_deferred_answer(desk: Desk) -> None:
    interaction = await desk.used()
    told = (await desk.answer(interaction, THINK, {"flags": 64})).data
    assert told["interaction"]["response_message_loading"]
    filled = (await desk.follow(interaction, {"content": "here"})).data
    assert filled["id"] == told["interaction"]["response_message_id"]
    assert filled["flags"] == 64
    assert filled["edited_timestamp"] is None
    second = (await desk.follow(interaction, {"content": "there"})).data
    assert second["id"] != filled["id"]
    assert second["flags"] == 0


async def test_new_pictures_do_not_go_into_deferred_answers(desk: Desk) -> None:
    data = {"flags": V2, "components": [gallery("attachment://a.png")], "attachments": [{"id": 0, "filename": "a.png"}]}
    place = "components.0.items.0.media.url"
    problem = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
    thinking = await desk.used()
    await desk.answer(thinking, THINK)
    assert (await desk.original(thinking, data=data, files={"a.png": PNG})).problem(place) == problem
    assert (await desk.follow(thinking, data, files={"a.png": PNG})).problem(place) == problem
    assert (await desk.follow(thinking, {"content": "x"})).status == 200
    assert (await desk.original(thinking, data=data | {"content": None}, files={"a.png": PNG})).problem(
        place
    ) == problem
    assert (await desk.follow(thinking, data, files={"a.png": PNG})).status == 200
    pressed = await _pressed(desk)
    await desk.answer(pressed, DEFER)
    assert (await desk.original(pressed, data=data, files={"a.png": PNG})).problem(place) == problem
    at_once = await desk.used()
    assert (await desk.answer(at_once, ANSWER, data, files={"a.png": PNG})).status == 200
    assert (await desk.original(at_once, data=data, files={"a.png": PNG})).status == 200


async def test_an_update_changes_the_message_of_the_control(desk: Desk) -> None:
    interaction = await _pressed(desk)
    reply = await desk.answer(interaction, UPDATE, {"components": [text("new")]})
    assert reply.data["resource"]["message"]["id"] == interaction.message.id
    assert desk.world.history(desk.games.id)[-1].components[0]["content"] == "new"


async def test_an_update_of_a_message_that_is_gone(desk: Desk) -> None:
    interaction = await _pressed(desk)
    desk.world.delete_message(interaction.message)
    assert (await desk.answer(interaction, UPDATE, {"components": [text("new")]})).code == 10008
    assert (await desk.answer(interaction, DEFER)).status == 200
    assert (await desk.original(interaction, data={"components": [text("new")]})).code == 10008


async def test_messages_of_other_interactions_are_unknown(desk: Desk) -> None:
    one, two = await desk.used(), await desk.used()
    message = (await desk.answer(one, ANSWER, {"content": "x"})).data["resource"]["message"]
    await desk.answer(two, ANSWER, {"content": "y"})
    path = f"/webhooks/{desk.bot.id}/{two.token}/messages/{message['id']}"
    assert (await desk.call("PATCH", path, {"content": "z"})).code == 10008
    await desk.original(one, "DELETE")
    assert (await desk.original(one, data={"content": "z"})).code == 10008


async def test_answers_in_archived_and_locked_threads(desk: Desk) -> None:
    thread = (await desk.call("POST", f"/channels/{desk.games.id}/threads", {"name": "x", "type": 11})).data
    channel = desk.world.channel(thread["id"])
    path = f"/channels/{channel.id}/messages"
    message = (await desk.call("POST", path, {"flags": V2, "components": [row(button("b"))]})).data
    interactions = desk.playground.interactions
    channel.archived = True
    pressed = interactions.press(desk.ada.id, channel.id, message["id"], "b")
    assert not channel.archived
    channel.archived = channel.locked = True
    assert (await desk.answer(pressed, UPDATE, {"components": [text()]})).code == 50083
    assert (await desk.answer(pressed, ANSWER, {"content": "x"})).code == 50083
    with pytest.raises(NotSent, match="locked"):
        interactions.press(desk.ada.id, channel.id, message["id"], "b")


async def test_what_a_client_does_not_send(desk: Desk) -> None:
    components = [row(button("b"), button("off", disabled=True)), row(menu("m", 3, min_values=2, max_values=2))]
    message = await desk.sent({"flags": V2, "components": components})
    interactions, place = desk.playground.interactions, (desk.ada.id, desk.games.id, message["id"])
    for custom_id in ("gone", "off", "m"):
        with pytest.raises(NotSent):
            interactions.press(*place, custom_id)
    for values in (["0"], ["0", "0"], ["0", "9"], ["0", "1", "2"]):
        with pytest.raises(NotSent):
            interactions.select(*place, "m", values)
    with pytest.raises(NotSent):
        interactions.select(*place, "b", ["0"])


FORMS: list[tuple[str, Any, str, str]] = [
    ("a title over 45", form(field(), title="x" * 46), "title", "BASE_TYPE_BAD_LENGTH"),
    ("no title", form(field(), title=""), "title", "BASE_TYPE_BAD_LENGTH"),
    ("custom_id over 100", form(field(), custom_id="x" * 101), "custom_id", "BASE_TYPE_BAD_LENGTH"),
    ("no fields", form(), "components", "BASE_TYPE_BAD_LENGTH"),
    ("six fields", form(*(field(str(n)) for n in range(6))), "components", "BASE_TYPE_BAD_LENGTH"),
    (
        "a field twice",
        form(field("a"), field("a")),
        "components.1.component.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    ("a label over 45", form(field(label="x" * 46)), "components.0.label", "BASE_TYPE_BAD_LENGTH"),
    (
        "a description over 100",
        form(field() | {"description": "x" * 101}),
        "components.0.description",
        "BASE_TYPE_BAD_LENGTH",
    ),
    (
        "a label within a label",
        form(field(label="a") | {"component": {"type": 4, "style": 1, "custom_id": "f", "label": "b"}}),
        "components.0.component.label",
        "COMPONENT_LABEL_NOT_ALLOWED",
    ),
    ("a text over 4000", form(field(value="x" * 4001)), "components.0.component.value", "BASE_TYPE_BAD_LENGTH"),
    (
        "a text over its own length",
        form(field(value="xxx", max_length=2)),
        "components.0.component.value",
        "BASE_TYPE_MAX_LENGTH",
    ),
    ("max_length over 4000", form(field(max_length=4001)), "components.0.component.max_length", "NUMBER_TYPE_MAX"),
    (
        "min_length above max_length",
        form(field(min_length=5, max_length=4)),
        "components.0.component.min_length",
        "TEXT_INPUT_MIN_ABOVE_MAX",
    ),
    (
        "a placeholder over 100",
        form(field(placeholder="x" * 101)),
        "components.0.component.placeholder",
        "BASE_TYPE_BAD_LENGTH",
    ),
    ("a style that is none", form(field(style=3)), "components.0.component.style", "BASE_TYPE_CHOICES"),
    ("a button", form(row(button())), "components.0.components.0.type", "BASE_TYPE_CHOICES"),
    ("a container", form(box(text())), "components.0.type", "BASE_TYPE_CHOICES"),
    (
        "a bare field in a row without label",
        form(row({"type": 4, "style": 1, "custom_id": "f"})),
        "components.0.components.0.label",
        "BASE_TYPE_REQUIRED",
    ),
    (
        "eleven files",
        form({"type": 18, "label": "x", "component": {"type": 19, "custom_id": "f", "max_values": 11}}),
        "components.0.component.max_values",
        "NUMBER_TYPE_MAX",
    ),
    (
        "26 options",
        form({"type": 18, "label": "x", "component": menu("m", 26)}),
        "components.0.component.options",
        "BASE_TYPE_BAD_LENGTH",
    ),
]


@pytest.mark.parametrize(("data", "place", "problem"), [f[1:] for f in FORMS], ids=[f[0] for f in FORMS])
async def test_a_form_is_refused_for(desk: Desk, data: Any, place: str, problem: str) -> None:
    interaction = await desk.used()
    reply = await desk.answer(interaction, FORM, data)
    assert (reply.status, reply.code) == (400, 50035)
    assert reply.problem(f"data.{place}") == problem
    assert (await desk.answer(interaction, FORM, form(field()))).status == 200


async def _sent_form(desk: Desk, *fields: Any) -> Any:
    interaction = await desk.used()
    await desk.answer(interaction, FORM, form(*fields))
    return interaction


async def test_a_form_does_not_answer_a_form(desk: Desk) -> None:
    opener = await _sent_form(desk, field())
    given = {"type": 18, "id": 1, "component": {"type": 4, "id": 2, "custom_id": "f", "value": "x"}}
    submitted = desk.playground.interactions.submit(opener, [given])
    assert (await desk.answer(submitted, FORM, form(field()))).problem("type") == "BASE_TYPE_CHOICES"
    assert (await desk.answer(submitted, UPDATE, {"content": "x"})).problem("type") == "BASE_TYPE_CHOICES"
    assert (await desk.answer(submitted, ANSWER, {"content": "x"})).status == 200


async def test_a_form_opened_by_a_control_may_update_its_message(desk: Desk) -> None:
    pressed = await _pressed(desk)
    await desk.answer(pressed, FORM, form(field()))
    given = {"type": 18, "id": 1, "component": {"type": 4, "id": 2, "custom_id": "f", "value": "x"}}
    submitted = desk.playground.interactions.submit(pressed, [given])
    assert (await desk.answer(submitted, UPDATE, {"components": [text("done")]})).status == 200


async def test_autocomplete_takes_25_choices_of_100_characters(desk: Desk) -> None:
    option = {"type": 3, "name": "band", "description": "Band", "autocomplete": True}
    await desk.commands({"name": "play", "description": "Play", "options": [option]})
    command = desk.world.state.commands[0]

    def asked() -> Any:
        return desk.playground.interactions.slash(desk.ada.id, desk.games.id, command["id"], [], {"band": "a"}, "band")

    def choice(name: str, value: Any = "v") -> Any:
        return {"name": name, "value": value}

    wrong = [
        ([choice(str(n)) for n in range(26)], "data.choices", "BASE_TYPE_BAD_LENGTH"),
        ([choice("x" * 101)], "data.choices.0.name", "BASE_TYPE_BAD_LENGTH"),
        ([choice("")], "data.choices.0.name", "BASE_TYPE_BAD_LENGTH"),
        ([choice("x", "v" * 101)], "data.choices.0.value", "BASE_TYPE_BAD_LENGTH"),
        ([choice("x"), choice("x")], "data.choices.1.name", "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_DUPLICATE"),
        (None, "data.choices", "BASE_TYPE_REQUIRED"),
    ]
    interaction = asked()
    for choices, place, problem in wrong:
        assert (await desk.answer(interaction, CHOICES, {"choices": choices})).problem(place) == problem
    assert (await desk.answer(interaction, ANSWER, {"content": "x"})).problem("type") == "BASE_TYPE_CHOICES"
    assert (await desk.answer(interaction, CHOICES, {"choices": [choice(str(n)) for n in range(25)]})).status == 200


async def test_an_ephemeral_answer_stays_with_its_reader(desk: Desk) -> None:
    interaction = await desk.used()
    await desk.answer(interaction, ANSWER, {"flags": 64 | V2, "components": [row(button("mine"))]})
    message = desk.world.history(desk.games.id, desk.ada.id)[-1]
    assert message.reader == desk.ada.id
    assert desk.world.history(desk.games.id) == []
    assert desk.world.unread(desk.ben.id, desk.games.id) == []
    with pytest.raises(Exception, match="Unknown Message"):
        desk.playground.interactions.press(desk.ben.id, desk.games.id, message.id, "mine")
    pressed = desk.playground.interactions.press(desk.ada.id, desk.games.id, message.id, "mine")
    assert (await desk.answer(pressed, UPDATE, {"components": [text("changed")]})).status == 200
    assert desk.world.history(desk.games.id) == []
