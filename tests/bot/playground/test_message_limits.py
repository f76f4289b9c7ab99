"""Each limit on messages and their components, with a request that it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from bot.playground import limits, permissions
from tests.bot.playground.desk import V2, Desk, box, button, gallery, menu, row, text

PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x02\x00\x00\x00\x03\x08\x02\x00\x00\x006\x88I\xd6\x00\x00\x00\x0fID"
    b"ATx\x9cc\xfc\xff\xff?\x03\x03\x00\x08\xfc\x02\xfe\xa7\x9a\xa0\xa0\x00\x00\x00\x00IEND\xaeB`\x82"
)

WRONG: list[tuple[str, dict[str, Any], str, str]] = [
    ("content over 2000", {"content": "x" * 2001}, "content", "BASE_TYPE_BAD_LENGTH"),
    ("content no text", {"content": 5}, "content", "BASE_TYPE_STRING"),
    ("eleven embeds", {"embeds": [{"title": "x"}] * 11}, "embeds", "BASE_TYPE_BAD_LENGTH"),
    ("embeds over 6000", {"embeds": [{"description": "x" * 4000}] * 2}, "embeds", "MAX_EMBED_SIZE_EXCEEDED"),
    ("a title over 256", {"embeds": [{"title": "x" * 257}]}, "embeds.0.title", "BASE_TYPE_BAD_LENGTH"),
    ("a nonce over 25", {"content": "x", "nonce": "x" * 26}, "nonce", "BASE_TYPE_MAX_LENGTH"),
    ("ephemeral in a channel", {"content": "x", "flags": 64}, "flags", "MESSAGE_FLAGS_INVALID"),
    (
        "mentions both ways",
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "allowed_mentions",
        "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
    ),
    (
        "101 people mentioned",
        {"content": "x", "allowed_mentions": {"users": [str(number) for number in range(101)]}},
        "allowed_mentions.users",
        "BASE_TYPE_MAX_LENGTH",
    ),
    (
        "a reply to nothing",
        {"content": "x", "message_reference": {"message_id": "5"}},
        "message_reference",
        "REPLIES_UNKNOWN_MESSAGE",
    ),
    (
        "an attachment that is not there",
        {"content": "x", "attachments": [{"id": 0}]},
        "attachments.0.id",
        "ATTACHMENT_NOT_FOUND",
    ),
    (
        "a file's description over 1024",
        {"content": "x", "attachments": [{"id": 0, "description": "x" * 1025}]},
        "attachments.0.description",
        "BASE_TYPE_BAD_LENGTH",
    ),
    (
        "six rows",
        {"content": "x", "components": [row(button(str(n))) for n in range(6)]},
        "components",
        "BASE_TYPE_BAD_LENGTH",
    ),
    ("text without the V2 flag", {"content": "x", "components": [text()]}, "components.0.type", "BASE_TYPE_CHOICES"),
]

V1: list[tuple[str, list[dict[str, Any]], str, str]] = [
    ("six buttons in a row", [row(*(button(str(n)) for n in range(6)))], "0.components", "BASE_TYPE_BAD_LENGTH"),
    ("an empty row", [row()], "0.components", "BASE_TYPE_BAD_LENGTH"),
    ("a menu beside a button", [row(menu(), button())], "0.components", "COMPONENT_LAYOUT_WIDTH_EXCEEDED"),
    (
        "the same custom_id twice",
        [row(button("a"), button("a"))],
        "0.components.1.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    ("custom_id over 100", [row(button("x" * 101))], "0.components.0.custom_id", "BASE_TYPE_BAD_LENGTH"),
    ("no custom_id", [row({"type": 2, "style": 2, "label": "x"})], "0.components.0.custom_id", "BASE_TYPE_REQUIRED"),
    ("label over 80", [row(button(label="x" * 81))], "0.components.0.label", "BASE_TYPE_BAD_LENGTH"),
    ("neither label nor emoji", [row(button(label=""))], "0.components.0", "BUTTON_COMPONENT_MISSING_LABEL_OR_EMOJI"),
    (
        "an emoji that is none",
        [row(button(emoji={"name": "dice"}))],
        "0.components.0.emoji.name",
        "COMPONENT_INVALID_EMOJI",
    ),
    ("a style that is none", [row(button(style=9))], "0.components.0.style", "BASE_TYPE_CHOICES"),
    (
        "a link with a custom_id",
        [row(button(style=5, url="https://a.b"))],
        "0.components.0.custom_id",
        "BUTTON_COMPONENT_CUSTOM_ID_NOT_ALLOWED",
    ),
    (
        "a link to nowhere",
        [row({"type": 2, "style": 5, "label": "x", "url": "ftp://a"})],
        "0.components.0.url",
        "URL_TYPE_INVALID_SCHEME",
    ),
    (
        "a link over 512",
        [row({"type": 2, "style": 5, "label": "x", "url": f"https://a.b/{'x' * 501}"})],
        "0.components.0.url",
        "BASE_TYPE_BAD_LENGTH",
    ),
    ("a button with a url", [row(button(url="https://a.b"))], "0.components.0.url", "BUTTON_COMPONENT_URL_NOT_ALLOWED"),
    ("no options", [row(menu(options=0))], "0.components.0.options", "BASE_TYPE_BAD_LENGTH"),
    ("26 options", [row(menu(options=26))], "0.components.0.options", "BASE_TYPE_BAD_LENGTH"),
    (
        "max_values above the options",
        [row(menu(max_values=3))],
        "0.components.0.max_values",
        "SELECT_COMPONENT_MAX_VALUES",
    ),
    (
        "min_values above max_values",
        [row(menu(min_values=2))],
        "0.components.0.min_values",
        "SELECT_COMPONENT_MIN_ABOVE_MAX",
    ),
    ("max_values 26", [row(menu(max_values=26))], "0.components.0.max_values", "NUMBER_TYPE_COERCE"),
    ("placeholder over 150", [row(menu(placeholder="x" * 151))], "0.components.0.placeholder", "BASE_TYPE_BAD_LENGTH"),
    (
        "an option's label over 100",
        [row({"type": 3, "custom_id": "m", "options": [{"label": "x" * 101, "value": "1"}]})],
        "0.components.0.options.0.label",
        "BASE_TYPE_BAD_LENGTH",
    ),
    (
        "an option's value over 100",
        [row({"type": 3, "custom_id": "m", "options": [{"label": "a", "value": "x" * 101}]})],
        "0.components.0.options.0.value",
        "BASE_TYPE_BAD_LENGTH",
    ),
    (
        "an option's description over 100",
        [row({"type": 3, "custom_id": "m", "options": [{"label": "a", "value": "1", "description": "x" * 101}]})],
        "0.components.0.options.0.description",
        "BASE_TYPE_BAD_LENGTH",
    ),
    (
        "the same option twice",
        [row({"type": 3, "custom_id": "m", "options": [{"label": "a", "value": "1"}, {"label": "b", "value": "1"}]})],
        "0.components.0.options.1.value",
        "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
    ),
    (
        "two defaults where one may be chosen",
        [row({"type": 3, "custom_id": "m", "options": [{"label": n, "value": n, "default": True} for n in "ab"]})],
        "0.components.0.options",
        "SELECT_COMPONENT_DEFAULTS",
    ),
    (
        "more people preselected than may be chosen",
        [
            row(
                {
                    "type": 5,
                    "custom_id": "m",
                    "default_values": [{"id": "1", "type": "user"}, {"id": "2", "type": "user"}],
                }
            )
        ],
        "0.components.0.default_values",
        "SELECT_COMPONENT_DEFAULTS",
    ),
    ("a component that is none", [row("button")], "0.components.0", "MODEL_TYPE_CONVERT"),
    ("components that are no list", [{"type": 1, "components": "button"}], "0.components", "LIST_TYPE_CONVERT"),
    (
        "a text input",
        [row({"type": 4, "custom_id": "t", "style": 1, "label": "x"})],
        "0.components.0.type",
        "BASE_TYPE_CHOICES",
    ),
]

IN_V2: list[tuple[str, list[dict[str, Any]], str, str]] = [
    (
        "41 components",
        [box(*(text("x") for _ in range(38))), text(), text()],
        "components",
        "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
    ),
    (
        "4001 characters in two texts",
        [text("x" * 2000), box(text("x" * 2001))],
        "components",
        "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
    ),
    ("an empty text", [text("")], "components.0.content", "BASE_TYPE_BAD_LENGTH"),
    ("a container in a container", [box(box(text()))], "components.0.components.0.type", "BASE_TYPE_CHOICES"),
    ("an empty container", [box()], "components.0.components", "BASE_TYPE_BAD_LENGTH"),
    ("a colour that is none", [box(text(), accent_color=1 << 24)], "components.0.accent_color", "NUMBER_TYPE_MAX"),
    ("a bare button", [button()], "components.0.type", "BASE_TYPE_CHOICES"),
    (
        "custom_ids twice in depth",
        [box(row(button("a"))), row(button("a"))],
        "components.1.components.0.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    ("ids twice", [text() | {"id": 7}, text() | {"id": 7}], "components.1.id", "COMPONENT_ID_DUPLICATED"),
    ("eleven pictures", [gallery(*["https://a.b/c.png"] * 11)], "components.0.items", "BASE_TYPE_BAD_LENGTH"),
    ("no pictures", [gallery()], "components.0.items", "BASE_TYPE_BAD_LENGTH"),
    (
        "alt text over 1024",
        [gallery("https://a.b/c.png", description="x" * 1025)],
        "components.0.items.0.description",
        "BASE_TYPE_BAD_LENGTH",
    ),
    ("a picture from nowhere", [gallery("file:///a")], "components.0.items.0.media.url", "URL_TYPE_INVALID_SCHEME"),
    (
        "a picture that was not sent",
        [gallery("attachment://a.png")],
        "components.0.items.0.media.url",
        "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
    ),
    (
        "a file from elsewhere",
        [{"type": 13, "file": {"url": "https://a.b/c"}}],
        "components.0.file.url",
        "URL_TYPE_INVALID_SCHEME",
    ),
    (
        "a section without accessory",
        [{"type": 9, "components": [text()]}],
        "components.0.accessory",
        "BASE_TYPE_REQUIRED",
    ),
    (
        "four texts in a section",
        [{"type": 9, "components": [text()] * 4, "accessory": button()}],
        "components.0.components",
        "BASE_TYPE_BAD_LENGTH",
    ),
    (
        "a menu as accessory",
        [{"type": 9, "components": [text()], "accessory": menu()}],
        "components.0.accessory.type",
        "BASE_TYPE_CHOICES",
    ),
    ("a separator of spacing 3", [{"type": 14, "spacing": 3}], "components.0.spacing", "BASE_TYPE_CHOICES"),
]


@pytest.mark.parametrize(("data", "place", "problem"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
async def test_a_message_is_refused_for(desk: Desk, data: Any, place: str, problem: str) -> None:
    await _refused(desk, data, place, problem)


@pytest.mark.parametrize(("components", "place", "problem"), [w[1:] for w in V1], ids=[w[0] for w in V1])
async def test_rows_are_refused_for(desk: Desk, components: Any, place: str, problem: str) -> None:
    await _refused(desk, {"content": "x", "components": components}, f"components.{place}", problem)


@pytest.mark.parametrize(("components", "place", "problem"), [w[1:] for w in IN_V2], ids=[w[0] for w in IN_V2])
async def test_a_v2_message_is_refused_for(desk: Desk, components: Any, place: str, problem: str) -> None:
    await _refused(desk, {"flags": V2, "components": components}, place, problem)


async def _refused(desk: Desk, data: Any, place: str, problem: str) -> None:
    before = len(desk.world.state.messages[desk.games.id])
    reply = await desk.send(data)
    assert (reply.status, reply.code) == (400, 50035)
    assert reply.problem(place) == problem
    assert len(desk.world.state.messages[desk.games.id]) == before


async def test_what_is_just_within_the_limits_is_taken(desk: Desk) -> None:
    await desk.sent(
        {"content": "x" * 2000, "components": [row(*(button(f"{r}{b}") for b in range(5))) for r in range(5)]}
    )
    await desk.sent({"flags": V2, "components": [box(*(text("x" * 100) for _ in range(39)))]})
    await desk.sent({"flags": V2, "components": [text("x" * 2000), box(text("x" * 2000))]})
    await desk.sent({"content": "x", "components": [row(menu("x" * 100, 25, max_values=25))]})


@pytest.mark.parametrize(
    "data", [{}, {"content": "  "}, {"content": "", "components": [row(button())]}, {"flags": V2, "components": []}]
)
async def test_an_empty_message_is_refused(desk: Desk, data: Any) -> None:
    reply = await desk.send(data)
    assert (reply.status, reply.code) == (400, 50006)


async def test_v2_goes_with_no_content_and_no_embeds(desk: Desk) -> None:
    for more in ({"content": "x"}, {"embeds": [{"title": "x"}]}):
        reply = await desk.send({"flags": V2, "components": [text()], **more})
        assert reply.problem(next(iter(more))) == "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"


async def test_the_v2_flag_cannot_be_taken_off_again(desk: Desk) -> None:
    message = await desk.sent({"flags": V2, "components": [text()]})
    reply = await desk.edit(message["id"], {"flags": 0, "content": "plain"})
    assert reply.problem("flags") == "MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG"
    reply = await desk.edit(message["id"], {"content": "plain"})
    assert reply.problem("content") == "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
    assert (await desk.edit(message["id"], {"components": [text("new")]})).status == 200


async def test_a_plain_message_becomes_v2_only_when_it_is_emptied(desk: Desk) -> None:
    message = await desk.sent({"content": "plain"})
    reply = await desk.edit(message["id"], {"flags": V2, "components": [text()]})
    assert reply.problem("content") == "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
    reply = await desk.edit(message["id"], {"flags": V2, "content": None, "components": [text()]})
    assert reply.status == 200


async def test_an_edit_may_not_leave_a_message_empty(desk: Desk) -> None:
    message = await desk.sent({"content": "x"})
    assert (await desk.edit(message["id"], {"content": ""})).code == 50006


async def test_files_of_ten_megabytes_at_most_and_ten_of_them(desk: Desk) -> None:
    reply = await desk.send({"content": "x"}, files={"a.bin": b"x" * (limits.FILE_BYTES + 1)})
    assert (reply.status, reply.code) == (413, 40005)
    reply = await desk.send({"content": "x"}, files={f"{n}.txt": b"x" for n in range(11)})
    assert reply.problem("attachments") == "BASE_TYPE_MAX_LENGTH"
    assert desk.world.files == {}


async def test_pictures_get_addresses_and_sizes(desk: Desk) -> None:
    data = {
        "flags": V2,
        "components": [gallery("attachment://a.png", description="A")],
        "attachments": [{"id": 0, "filename": "a.png"}],
    }
    message = await desk.sent(data, files={"a.png": PNG})
    media = message["components"][0]["items"][0]["media"]
    assert (media["width"], media["height"]) == (2, 3)
    async with desk.session.get(media["url"]) as answer:
        assert answer.status == 200
        assert await answer.read() == PNG
        assert answer.headers["Content-Type"] == "image/png"


async def test_an_address_is_good_for_a_day_and_cannot_be_made_up(desk: Desk) -> None:
    message = await desk.sent({"content": "x"}, files={"a.png": PNG})
    url = message["attachments"][0]["url"]
    async with desk.session.get(url.replace("hm=", "hm=0")) as answer:
        assert answer.status == 404
    desk.clock.advance(limits.ADDRESS_SECONDS + 5)
    async with desk.session.get(url) as answer:
        assert answer.status == 404
    fresh = await desk.call("GET", f"/channels/{desk.games.id}/messages/{message['id']}")
    async with desk.session.get(fresh.data["attachments"][0]["url"]) as answer:
        assert answer.status == 200


async def test_an_edit_keeps_the_files_it_lists(desk: Desk) -> None:
    message = await desk.sent({"content": "x"}, files={"a.txt": b"a", "b.txt": b"b"})
    kept = message["attachments"][1]["id"]
    reply = await desk.edit(message["id"], {"attachments": [{"id": kept}]})
    assert [a["filename"] for a in reply.data["attachments"]] == ["b.txt"]
    reply = await desk.edit(message["id"], {"content": "y"})
    assert [a["filename"] for a in reply.data["attachments"]] == ["b.txt"]
    reply = await desk.edit(message["id"], {"attachments": [{"id": message["attachments"][0]["id"]}]})
    assert reply.problem("attachments.0.id") == "ATTACHMENT_NOT_FOUND"


async def test_components_are_numbered_by_the_server(desk: Desk) -> None:
    message = await desk.sent({"flags": V2, "components": [box(text() | {"id": 2}, row(button()))]})
    (container,) = message["components"]
    assert (container["id"], container["components"][0]["id"], container["components"][1]["id"]) == (1, 2, 3)


async def test_a_nonce_keeps_a_repeated_message_single(desk: Desk) -> None:
    first = await desk.sent({"content": "x", "nonce": "n", "enforce_nonce": True})
    again = await desk.sent({"content": "x", "nonce": "n", "enforce_nonce": True})
    assert again["id"] == first["id"]
    desk.clock.advance(limits.NONCE_SECONDS + 5)
    later = await desk.sent({"content": "x", "nonce": "n", "enforce_nonce": True})
    assert later["id"] != first["id"]


async def test_old_messages_can_be_edited_only_so_often(desk: Desk) -> None:
    message = await desk.sent({"content": "x"})
    for number in range(limits.OLD_MESSAGE_EDITS + 1):
        assert (await desk.edit(message["id"], {"content": str(number)})).status == 200
    desk.clock.advance(limits.OLD_MESSAGE_SECONDS + 5)
    for number in range(limits.OLD_MESSAGE_EDITS):
        assert (await desk.edit(message["id"], {"content": str(number)})).status == 200
    reply = await desk.edit(message["id"], {"content": "once more"})
    assert (reply.status, reply.code) == (429, 30046)
    desk.clock.advance(3601)
    assert (await desk.edit(message["id"], {"content": "now"})).status == 200


async def test_only_allowed_mentions_count(desk: Desk) -> None:
    words = f"<@{desk.ada.id}> and <@{desk.ben.id}>, @everyone"
    everybody = await desk.sent({"content": words})
    assert [u["username"] for u in everybody["mentions"]] == ["ada", "ben"]
    assert everybody["mention_everyone"] is False
    one = await desk.sent({"flags": V2, "components": [text(words)], "allowed_mentions": {"users": [desk.ben.id]}})
    assert [u["username"] for u in one["mentions"]] == ["ben"]
    nobody = await desk.sent({"content": words, "allowed_mentions": {"parse": []}})
    assert nobody["mentions"] == []


# -- Permissions, and things that are gone --------------------------------------------------------------------------


def _deny(desk: Desk, *names: str) -> None:
    desk.world.overwrite(desk.games, desk.bot.id, deny=permissions.bits(*names))


async def test_a_channel_that_the_bot_does_not_see(desk: Desk) -> None:
    _deny(desk, "view_channel")
    for method, path in (("GET", ""), ("GET", "/messages"), ("POST", "/messages"), ("POST", "/threads")):
        reply = await desk.call(
            method,
            f"/channels/{desk.games.id}{path}",
            {"content": "x", "name": "x", "type": 11} if method == "POST" else None,
        )
        assert (reply.status, reply.code) == (403, 50001), path


async def test_a_channel_where_the_bot_may_not_write(desk: Desk) -> None:
    _deny(desk, "send_messages")
    reply = await desk.send({"content": "x"})
    assert (reply.status, reply.code) == (403, 50013)


async def test_a_channel_where_the_bot_may_not_attach(desk: Desk) -> None:
    message = await desk.sent({"content": "x"})
    _deny(desk, "attach_files")
    assert (await desk.send({"content": "x"}, files={"a.png": PNG})).code == 50013
    assert (await desk.edit(message["id"], {"content": "x"}, files={"a.png": PNG})).code == 50013
    assert (await desk.send({"content": "x"})).status == 200


async def test_without_reading_history_there_is_none(desk: Desk) -> None:
    message = await desk.sent({"content": "x"})
    _deny(desk, "read_message_history")
    assert (await desk.call("GET", f"/channels/{desk.games.id}/messages")).data == []
    assert (await desk.call("GET", f"/channels/{desk.games.id}/messages/{message['id']}")).code == 50013


async def test_threads_need_their_own_permissions(desk: Desk) -> None:
    _deny(desk, "create_public_threads", "create_private_threads")
    message = await desk.sent({"content": "x"})
    channel = f"/channels/{desk.games.id}"
    assert (await desk.call("POST", channel + "/threads", {"name": "x", "type": 11})).code == 50013
    assert (await desk.call("POST", channel + "/threads", {"name": "x"})).code == 50013
    assert (await desk.call("POST", f"{channel}/messages/{message['id']}/threads", {"name": "x"})).code == 50013
    _deny(desk, "send_messages_in_threads")
    thread = await desk.call("POST", channel + "/threads", {"name": "x", "type": 11})
    assert (await desk.call("POST", f"/channels/{thread.data['id']}/messages", {"content": "x"})).code == 50013


async def test_threads_are_public_only_when_asked(desk: Desk) -> None:
    private = await desk.call("POST", f"/channels/{desk.games.id}/threads", {"name": "x"})
    assert private.data["type"] == 12
    thread = desk.world.channel(private.data["id"])
    assert not desk.world.sees(desk.ben.id, thread)
    assert (await desk.call("PUT", f"/channels/{thread.id}/thread-members/{desk.ben.id}")).status == 204
    assert desk.world.sees(desk.ben.id, thread)


async def test_names_of_threads_are_1_to_100_long(desk: Desk) -> None:
    for name in ("", "x" * 101):
        reply = await desk.call("POST", f"/channels/{desk.games.id}/threads", {"name": name, "type": 11})
        assert reply.problem("name") == "BASE_TYPE_BAD_LENGTH"
    data = {"name": "x", "type": 11, "auto_archive_duration": 61}
    reply = await desk.call("POST", f"/channels/{desk.games.id}/threads", data)
    assert reply.problem("auto_archive_duration") == "BASE_TYPE_CHOICES"
    reply = await desk.call("POST", f"/channels/{desk.games.id}/threads", {"name": "x", "type": 5})
    assert reply.problem("type") == "BASE_TYPE_CHOICES"


async def test_a_message_has_one_thread_and_a_thread_none(desk: Desk) -> None:
    message = await desk.sent({"content": "x"})
    path = f"/channels/{desk.games.id}/messages/{message['id']}/threads"
    thread = await desk.call("POST", path, {"name": "x"})
    assert (thread.status, thread.data["id"]) == (201, message["id"])
    assert (await desk.call("POST", path, {"name": "x"})).code == 160004
    inner = await desk.call("POST", f"/channels/{thread.data['id']}/threads", {"name": "x", "type": 11})
    assert inner.code == 50024


async def test_an_archived_thread_is_left_alone_until_somebody_writes(desk: Desk) -> None:
    thread = (await desk.call("POST", f"/channels/{desk.games.id}/threads", {"name": "x", "type": 11})).data
    path = f"/channels/{thread['id']}"
    message = (await desk.call("POST", f"{path}/messages", {"content": "x"})).data
    assert (await desk.call("PATCH", path, {"archived": True})).data["thread_metadata"]["archived"]
    assert (await desk.call("PATCH", f"{path}/messages/{message['id']}", {"content": "y"})).code == 50083
    assert (await desk.call("DELETE", f"{path}/messages/{message['id']}")).code == 50083
    assert (await desk.call("PATCH", path, {"name": "y"})).code == 50083
    assert (await desk.call("PUT", f"{path}/thread-members/{desk.ben.id}")).code == 50083
    assert (await desk.call("POST", f"{path}/messages", {"content": "z"})).status == 200
    assert not desk.world.channel(thread["id"]).archived


async def test_a_locked_thread_takes_nothing(desk: Desk) -> None:
    thread = (await desk.call("POST", f"/channels/{desk.games.id}/threads", {"name": "x", "type": 11})).data
    path = f"/channels/{thread['id']}"
    assert (await desk.call("PATCH", path, {"locked": True})).code == 50013
    desk.world.channel(thread["id"]).locked = True
    assert (await desk.call("POST", f"{path}/messages", {"content": "x"})).code == 50083


async def test_what_only_threads_or_channels_of_a_server_can(desk: Desk) -> None:
    direct = (await desk.call("POST", "/users/@me/channels", {"recipient_id": desk.ada.id})).data["id"]
    assert (await desk.call("PATCH", f"/channels/{direct}", {"name": "x"})).code == 50024
    assert (await desk.call("PUT", f"/channels/{desk.games.id}/thread-members/@me")).code == 50024
    thread = (await desk.call("POST", f"/channels/{desk.games.id}/threads", {"name": "x", "type": 11})).data["id"]
    assert (await desk.call("DELETE", f"/channels/{thread}/thread-members/{desk.ben.id}")).code == 50013
    inner = (await desk.call("POST", f"/channels/{thread}/messages", {"content": "x"})).data
    path = f"/channels/{thread}/messages/{inner['id']}/threads"
    assert (await desk.call("POST", path, {"name": "x"})).code == 50024


async def test_what_is_no_form_and_what_belongs_to_another_application(desk: Desk) -> None:
    reply = await desk.call("POST", f"/channels/{desk.games.id}/messages", ["x"])
    assert reply.data["errors"]["_errors"][0]["code"] == "DICT_TYPE_CONVERT"
    assert (await desk.call("PUT", "/applications/5/commands", [])).code == 50001
    assert (await desk.call("PUT", f"/applications/{desk.bot.id}/commands", {})).code == 50035
    interaction = await desk.used()
    assert (await desk.call("POST", f"/webhooks/5/{interaction.token}", {"content": "x"})).code == 10015


async def test_deleting_needs_permission_or_authorship(desk: Desk) -> None:
    theirs = desk.world.say(desk.ada.id, desk.games, "mine")
    path = f"/channels/{desk.games.id}/messages/{theirs.id}"
    assert (await desk.call("DELETE", path)).code == 50013
    assert (await desk.edit(theirs.id, {"content": "x"})).code == 50005
    mine = await desk.sent({"content": "x"})
    assert (await desk.call("DELETE", f"/channels/{desk.games.id}/messages/{mine['id']}")).status == 204
    assert (await desk.call("DELETE", f"/channels/{desk.games.id}")).code == 50013


async def test_what_is_gone_is_unknown(desk: Desk) -> None:
    assert (await desk.call("GET", "/channels/5")).code == 10003
    assert (await desk.edit("5", {"content": "x"})).code == 10008
    assert (await desk.call("GET", "/guilds/5")).code == 10004
    assert (await desk.call("GET", "/users/5")).code == 10013
    assert (await desk.call("GET", f"/guilds/{desk.home.id}/members/5")).code == 10013
    message = await desk.sent({"content": "x"})
    desk.world.delete_channel(desk.games)
    assert (await desk.edit(message["id"], {"content": "x"})).code == 10003
    assert (await desk.send({"content": "x"})).code == 10003


async def test_an_ephemeral_message_is_unknown_in_its_channel(desk: Desk) -> None:
    interaction = await desk.used()
    reply = await desk.answer(interaction, 4, {"content": "secret", "flags": 64})
    message = reply.data["resource"]["message"]
    path = f"/channels/{desk.games.id}/messages/{message['id']}"
    assert (await desk.call("GET", path)).code == 10008
    assert (await desk.call("PATCH", path, {"content": "x"})).code == 10008
    assert (await desk.call("DELETE", path)).code == 10008
    assert (await desk.call("GET", f"/channels/{desk.games.id}/messages")).data == []
    assert (await desk.call("GET", f"/channels/{desk.games.id}")).data["last_message_id"] is None


async def test_direct_messages_to_those_who_cannot_be_written_to(desk: Desk) -> None:
    assert (await desk.call("POST", "/users/@me/channels", {"recipient_id": 5})).code == 50033
    channel = (await desk.call("POST", "/users/@me/channels", {"recipient_id": int(desk.ben.id)})).data
    path = f"/channels/{channel['id']}/messages"
    assert (await desk.call("POST", path, {"content": "x"})).status == 200
    desk.world.change_person(desk.ben, dm_closed=True)
    reply = await desk.call("POST", path, {"content": "x"})
    assert (reply.status, reply.code) == (403, 50007)
    desk.world.leave(desk.home, desk.ben.id)
    reply = await desk.call("POST", path, {"content": "x"})
    assert (reply.status, reply.code) == (403, 50278)


async def test_a_wrong_token_opens_nothing(desk: Desk) -> None:
    reply = await desk.call("GET", "/users/@me", token="wrong")
    assert reply.status == 401


async def test_history_is_read_in_pages(desk: Desk) -> None:
    ids = [(await desk.sent({"content": str(n)}))["id"] for n in range(5)]
    path = f"/channels/{desk.games.id}/messages"

    async def page(query: str) -> list[str]:
        return [message["content"] for message in (await desk.call("GET", path + query)).data]

    assert await page("?limit=2") == ["4", "3"]
    assert await page(f"?limit=2&before={ids[3]}") == ["2", "1"]
    assert await page(f"?limit=2&after={ids[1]}") == ["3", "2"]
    assert await page(f"?limit=3&around={ids[2]}") == ["3", "2", "1"]
    assert (await desk.call("GET", path + "?limit=101")).code == 50035


async def test_a_reply_shows_what_it_answers(desk: Desk) -> None:
    first = await desk.sent({"content": "question"})
    reply = await desk.sent({"content": "answer", "message_reference": {"message_id": int(first["id"])}})
    assert reply["referenced_message"]["content"] == "question"
    lost = await desk.sent({"content": "x", "message_reference": {"message_id": "5", "fail_if_not_exists": False}})
    assert "referenced_message" not in lost
