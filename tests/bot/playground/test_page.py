"""The page in a real Chromium, against the stand-in and a small bot that uses everything the page can draw."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import TYPE_CHECKING
from unittest.mock import AsyncMock

import pytest
import pytest_asyncio

from bot.playground import limits
from bot.playground.server import PAGE, Playground
from bot.playground.world import Message
from tests.bot.playground.showcase import Showcase
from tests.chromium import chromium, in_chromium

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Locator, Page

WIDE = (1280, 800)
PHONE = (390, 844)
PATIENCE = 10_000
"""Milliseconds that an expectation may take to come true."""

pytestmark = pytest.mark.asyncio(loop_scope="module")

Open = Callable[..., Awaitable["Page"]]


class Stage:
    """The stand-in and the bot in it."""

    def __init__(self, playground: Playground, bot: Showcase) -> None:
        self.playground = playground
        self.bot = bot

    def address(self, *people: str) -> str:
        """The page with a pane for each of these people, by name."""
        return self.playground.url + "/?" + "&".join(f"as={self.person(name)}" for name in people)

    def person(self, name: str) -> str:
        """The id of somebody."""
        return next(person.id for person in self.playground.world.people if person.global_name == name)

    def say(self, name: str, text: str) -> Message:
        """Somebody writes in #games without a pane."""
        world = self.playground.world
        games = next(channel for channel in world.state.channels.values() if channel.name == "games")
        return world.say(self.person(name), games, text)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage() -> AsyncIterator[Stage]:
    playground = Playground()
    await playground.start()
    with playground.discord():
        async with Showcase() as bot:
            running = asyncio.create_task(bot.start(playground.token))
            await asyncio.wait_for(bot.setup_done.wait(), 10)
            yield Stage(playground, bot)
            await bot.close()
            await running
    await playground.stop()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as browser:
        yield browser


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def windows(browser: Browser) -> Mapping[tuple[int, int], BrowserContext]:
    """A kind of window a size. The tests share them: a new one takes as long as a test."""
    contexts = {}
    for width, height in (WIDE, PHONE):
        touch = (width, height) == PHONE
        context = await browser.new_context(viewport={"width": width, "height": height}, has_touch=touch)
        context.set_default_timeout(PATIENCE)
        contexts[width, height] = context
    return contexts


@pytest_asyncio.fixture(loop_scope="module")
async def visit(stage: Stage, windows: Mapping[tuple[int, int], BrowserContext]) -> AsyncIterator[Open]:
    """Opens a fresh world's page: `await visit("Ada", "Ben", size=PHONE)`. Any error in the page fails the test."""
    await stage.playground.reset()
    stage.bot.received.clear()
    stage.bot.thought.clear()
    errors: list[str] = []
    pages = []

    async def open_page(*people: str, size: tuple[int, int] = WIDE) -> Page:
        page = await windows[size].new_page()
        pages.append(page)
        page.on("pageerror", lambda error: errors.append(str(error)))
        await page.goto(stage.address(*people))
        for name in people:
            await pane(page, name).get_by_test_id("composer").wait_for()
        return page

    yield open_page
    for page in pages:
        await page.evaluate("localStorage.clear()")
        await page.close()
    assert errors == []


def pane(page: Page, name: str) -> Locator:
    """One person's pane, in English or Chinese."""
    return page.get_by_role("region", name=re.compile(rf"^{name}('s pane| 的窗格)$"))


async def slash(page: Page, where: Locator, command: str) -> None:
    """Types a command that needs no options and sends it."""
    await where.get_by_test_id("composer").press_sequentially(f"/{command} ")
    await where.get_by_test_id("command-line").wait_for()
    await page.keyboard.press("Enter")
    await where.get_by_test_id("command-line").wait_for(state="detached")


async def focused(page: Page) -> str | None:
    """The accessible name that the focused element was given."""
    name: str | None = await page.evaluate("document.activeElement.getAttribute('aria-label')")
    return name


# -- The slash menu --


@in_chromium
async def test_an_empty_channel_says_how_to_begin(visit: Open) -> None:
    page = await visit("Ada")
    await page.get_by_text("Type / and choose").wait_for()
    assert "This is not Discord" in await page.locator(".bar").inner_text()


@in_chromium
async def test_the_menu_of_commands_is_worked_by_the_keyboard(visit: Open) -> None:
    page = await visit("Ada")
    composer = page.get_by_test_id("composer")
    await composer.press_sequentially("/")
    options = page.get_by_test_id("popup").get_by_role("option")
    await options.nth(5).wait_for()
    assert "Never answers" in " ".join(await options.all_inner_texts())

    await composer.press("ArrowDown")
    assert await options.nth(1).get_attribute("aria-selected") == "true"
    assert await composer.get_attribute("aria-activedescendant") == await options.nth(1).get_attribute("id")

    await composer.press("Escape")
    await page.get_by_test_id("popup").wait_for(state="detached")
    await composer.fill("")
    await composer.press_sequentially("/sho lob")
    await composer.press("Tab")
    await page.get_by_role("group", name="/show lobby").wait_for()
    await page.keyboard.press("Enter")
    message = page.get_by_test_id("message")
    await message.get_by_role("heading", name="Triggle").wait_for()
    assert "Ada used /show lobby" in " ".join((await message.inner_text()).split())


@in_chromium
async def test_an_option_offers_what_the_bot_offers(visit: Open) -> None:
    page = await visit("Ada")
    await page.get_by_test_id("composer").press_sequentially("/band ")
    options = page.get_by_test_id("popup").get_by_role("option")
    await options.nth(6).wait_for()
    await page.keyboard.type("d1")
    await page.get_by_role("option", name="D1-D4 · closes 3").and_(page.locator(":only-child")).wait_for()
    await page.keyboard.press("Enter")
    await page.keyboard.type("gift")
    await page.keyboard.press("Tab")
    await page.keyboard.type("Be")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    message = page.get_by_test_id("message")
    await message.get_by_text("D1-D4 / - / None / @Ben").wait_for()


@in_chromium
async def test_wrong_options_are_marked_and_not_sent(visit: Open) -> None:
    page = await visit("Ada")
    await page.get_by_test_id("composer").press_sequentially("/band ")
    await page.get_by_role("option", name="A1-A4").wait_for()
    await page.keyboard.press("Escape")
    await page.keyboard.press("Enter")
    await page.get_by_role("alert").filter(has_text="This option is required").wait_for()
    assert await page.get_by_role("combobox", name="line").get_attribute("aria-invalid") == "true"

    await page.keyboard.type("nonsense nobody offered")
    await page.get_by_text("No options match your search").wait_for()
    await page.get_by_role("combobox", name="Options").press_sequentially("count")
    await page.keyboard.press("Tab")
    await page.keyboard.type("9")
    await page.keyboard.press("Enter")
    await page.get_by_role("alert").filter(has_text="at most 4").wait_for()
    await page.get_by_role("combobox", name="count").fill("3")
    await page.keyboard.press("Enter")
    await page.get_by_text("nonsense nobody offered / - / 3 / -").wait_for()


@in_chromium
async def test_a_command_nobody_answers_says_so(visit: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ACKNOWLEDGE_SECONDS", 0.2)
    page = await visit("Ada")
    await slash(page, pane(page, "Ada"), "broken")
    notice = page.get_by_test_id("notice")
    await notice.filter(has_text="The application did not respond").wait_for()
    await notice.get_by_role("button", name="Dismiss").click()
    await notice.wait_for(state="detached")


@in_chromium
async def test_a_deferred_answer_thinks_first(visit: Open, stage: Stage) -> None:
    page = await visit("Ada")
    await slash(page, pane(page, "Ada"), "show slow")
    await page.get_by_test_id("thinking").filter(has_text="Trigon is thinking").wait_for()
    stage.bot.thought.set()
    await page.get_by_text("Thought about it.").wait_for()
    assert await page.get_by_test_id("message").count() == 1
    assert await page.get_by_test_id("thinking").count() == 0


# -- Controls --


@in_chromium
async def test_a_button_changes_the_message_in_every_pane(visit: Open) -> None:
    page = await visit("Ada", "Ben")
    await slash(page, pane(page, "Ada"), "show lobby")
    await pane(page, "Ben").get_by_text("Seats 1 of 4").wait_for()
    assert await pane(page, "Ben").get_by_role("button", name="Off").is_disabled()

    await pane(page, "Ben").get_by_role("button", name="Join").press("Enter")
    await pane(page, "Ada").get_by_text("Seats 2 of 4").wait_for()
    await pane(page, "Ada").get_by_text("(edited)").wait_for()


@in_chromium
async def test_a_menu_sends_a_choice_once(visit: Open, stage: Stage) -> None:
    page = await visit("Ada")
    await slash(page, pane(page, "Ada"), "show menus")
    menu = page.get_by_role("combobox", name="Row", exact=True)
    for _ in range(2):  # choosing what is chosen already sends nothing
        await menu.click()
        await page.get_by_role("option", name="Row C").click()
    await menu.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.get_by_role("combobox", name="Row", exact=True).filter(has_text="Row D").wait_for()
    await page.get_by_role("combobox", name="Row", exact=True).and_(page.locator("[aria-busy=false]")).wait_for()
    assert stage.bot.received == [("row", ["C"]), ("row", ["D"])]


@in_chromium
@pytest.mark.parametrize("size", [WIDE, PHONE])
async def test_an_open_menu_leaves_the_board_in_sight(visit: Open, size: tuple[int, int]) -> None:
    page = await visit("Ada", size=size)
    await slash(page, pane(page, "Ada"), "show board")
    await page.get_by_role("combobox", name="Which row?").click()
    await page.get_by_role("option", name="Row A").wait_for()
    board, menu = [await page.locator(name).bounding_box() for name in (".picture", ".menu-list")]
    assert board is not None
    assert menu is not None
    assert board["x"] + board["width"] < menu["x"] or board["y"] + board["height"] < menu["y"]


@in_chromium
async def test_a_menu_of_several_keeps_to_its_limits(visit: Open, stage: Stage) -> None:
    page = await visit("Ada")
    await slash(page, pane(page, "Ada"), "show menus")
    await page.get_by_role("combobox", name="Variants").click()
    await page.get_by_text("Choose up to 2").wait_for()
    for name in ("Long game", "Open start", "No undo"):
        await page.get_by_role("option", name=name).click()
    await page.get_by_role("button", name="Done").click()
    await page.get_by_role("combobox", name="Variants").and_(page.locator("[aria-busy=false]")).wait_for()
    assert stage.bot.received == [("variants", ["Long game", "Open start"])]


@in_chromium
@pytest.mark.parametrize(
    ("menu", "choice", "custom_id"),
    [
        ("Somebody", "Ben", "person"),
        ("A role", "Host", "role"),
        ("A channel", "lounge", "channel"),
        ("Anybody", "Dora", "anybody"),
    ],
)
async def test_menus_of_people_roles_and_channels(
    visit: Open, stage: Stage, menu: str, choice: str, custom_id: str
) -> None:
    page = await visit("Ada")
    await slash(page, pane(page, "Ada"), "show menus")
    await page.get_by_role("combobox", name=menu).click()
    option = page.get_by_role("option", name=choice)
    value = await option.get_attribute("data-value")
    await option.click()
    await page.get_by_role("combobox", name=menu).and_(page.locator("[aria-busy=false]")).wait_for()
    assert stage.bot.received == [(custom_id, [value])]


@in_chromium
async def test_a_form_is_checked_before_it_is_sent(visit: Open, stage: Stage) -> None:
    page = await visit("Ada", "Ben")
    await slash(page, pane(page, "Ada"), "show lobby")
    await pane(page, "Ada").get_by_role("button", name="Type a band").click()
    form = page.get_by_role("dialog", name="Place a band")
    await form.wait_for()
    await page.keyboard.type("D1")
    await form.get_by_role("button", name="Submit").click()
    await form.get_by_text("Enter at least 5 characters").wait_for()
    await form.get_by_text("This field is required").wait_for()
    stage.bot.received.clear()

    await form.get_by_label("Band").fill("D1-D4")
    await form.get_by_role("combobox", name="Row").click()
    await page.get_by_role("option", name="Row B").click()
    await form.get_by_role("combobox", name="Whom").click()
    await page.get_by_role("option", name="Dora").click()
    await form.get_by_label("Record").set_input_files(
        {"name": "a.txt", "mimeType": "text/plain", "buffer": b"1. D1-D4"}
    )
    await form.get_by_text("a.txt").wait_for()
    await form.get_by_role("button", name="Submit").click()
    await form.wait_for(state="detached")
    await pane(page, "Ada").get_by_text("Your band is placed.").wait_for()
    received = dict(stage.bot.received)
    assert received["band"] == ["D1-D4"]
    assert received["form-row"] == ["B"]
    assert len(received["form-whom"]) == len(received["form-file"]) == 1


@in_chromium
async def test_a_form_takes_more_than_one_line(visit: Open, stage: Stage) -> None:
    page = await visit("Ada")
    await slash(page, pane(page, "Ada"), "show lobby")
    await page.get_by_role("button", name="Say why").click()
    form = page.get_by_role("dialog", name="Say why")
    await form.get_by_label("Why").press_sequentially("Because\nit closes two")
    await form.get_by_role("button", name="Submit").click()
    await form.wait_for(state="detached")
    assert stage.bot.received[-1] == ("why", ["Because\nit closes two"])


@in_chromium
async def test_a_form_is_left_by_escape(visit: Open) -> None:
    page = await visit("Ada")
    await slash(page, pane(page, "Ada"), "show lobby")
    await page.get_by_role("button", name="Type a band").press("Enter")
    form = page.get_by_role("dialog", name="Place a band")
    await form.wait_for()
    await page.keyboard.press("Escape")
    await form.wait_for(state="detached")
    assert await page.evaluate("document.activeElement.textContent.trim()") == "Type a band"


@in_chromium
async def test_a_form_nobody_answers_is_left_by_escape(
    visit: Open, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = await visit("Ada")
    await slash(page, pane(page, "Ada"), "show lobby")
    await page.get_by_role("button", name="Say why").click()
    form = page.get_by_role("dialog", name="Say why")
    await form.get_by_label("Why").fill("Nobody listens")
    monkeypatch.setattr(stage.bot, "_form", AsyncMock())
    monkeypatch.setattr(limits, "ACKNOWLEDGE_SECONDS", 0.2)
    await form.get_by_role("button", name="Submit").click()
    await form.get_by_role("alert").wait_for()
    await page.keyboard.press("Escape")
    await form.wait_for(state="detached")


# -- Who sees what --


@in_chromium
async def test_a_private_reply_is_its_readers_alone(visit: Open) -> None:
    page = await visit("Ada", "Ben")
    await slash(page, pane(page, "Ben"), "show secret")
    reply = pane(page, "Ben").get_by_test_id("message").filter(has_text="Your cards")
    await reply.get_by_text("Only you can see this").wait_for()
    await pane(page, "Ben").get_by_test_id("composer").fill("Anybody there?")
    await page.keyboard.press("Enter")
    await pane(page, "Ada").get_by_text("Anybody there?").wait_for()
    assert await pane(page, "Ada").get_by_text("Your cards").count() == 0

    await reply.get_by_role("button", name="Dismiss message").click()
    await reply.wait_for(state="detached")


@in_chromium
async def test_a_direct_message_is_marked_unread_until_it_is_read(visit: Open) -> None:
    page = await visit("Ada", "Dora")
    await slash(page, pane(page, "Dora"), "show secret")
    entry = pane(page, "Dora").get_by_role("button", name="Trigon, 1 unread")
    await entry.click()
    await pane(page, "Dora").get_by_role("button", name="Trigon", exact=True).wait_for()
    await pane(page, "Dora").get_by_text("Your cards").wait_for()
    assert await pane(page, "Ada").get_by_role("button", name="Trigon, 1 unread").count() == 0


@in_chromium
async def test_a_thread_stands_under_its_channel_and_calls_who_is_named(visit: Open) -> None:
    page = await visit("Ada", "Ben")
    await slash(page, pane(page, "Ada"), "show lobby")
    await pane(page, "Ada").get_by_role("button", name="Start").click()
    await pane(page, "Ada").get_by_role("button", name="Triggle 1, 1 mentions").click()
    await pane(page, "Ada").locator(".mention.own", has_text="@Ada").wait_for()
    await pane(page, "Ben").get_by_role("button", name="Triggle 1, 1 unread").click()
    await pane(page, "Ben").locator(".mention:not(.own)", has_text="@Ada").wait_for()


@in_chromium
async def test_a_full_stop_stays_with_the_thread_before_it(visit: Open, stage: Stage) -> None:
    """On a phone a link to a thread fills more than one line; it is worked by keys like any button."""
    page = await visit("Ada", size=PHONE)
    await slash(page, pane(page, "Ada"), "show lobby")
    await page.get_by_role("button", name="Start").click()
    name = page.get_by_role("button", name="Triggle 1, 1 mentions", include_hidden=True)
    thread = await name.get_attribute("data-channel-id")
    words = "Ada and Ben and Dora and everybody else are playing at this table"
    await page.get_by_test_id("composer").fill(f"[{words}]({stage.playground.url}/channels/@me/{thread}).")
    await page.keyboard.press("Enter")
    link = page.get_by_role("button", name=words)
    stop = "(range => (range.selectNode(link.nextSibling), range.getClientRects()[0]))(new Range())"
    tops = await link.evaluate(f"link => [[...link.getClientRects()].at(-1), {stop}].map((line) => line.bottom)")
    assert abs(tops[0] - tops[1]) < 5
    await link.press("Enter")
    await page.get_by_role("heading", name="Triggle 1").first.wait_for()


@in_chromium
async def test_another_person_in_the_same_pane_and_beside(visit: Open) -> None:
    page = await visit("Ada")
    await page.get_by_test_id("persona").click()
    await page.get_by_role("button", name="Open Ben in a pane beside this one").click()
    await pane(page, "Ben").wait_for()
    await pane(page, "Ada").get_by_test_id("persona").click()
    await pane(page, "Ada").get_by_test_id("persona-card").get_by_role("button", name="Dora", exact=True).click()
    await pane(page, "Dora").wait_for()
    assert await pane(page, "Ada").count() == 0
    assert page.url.count("as=") == 2


@in_chromium
async def test_a_persons_language_and_closed_direct_messages(visit: Open, stage: Stage) -> None:
    page = await visit("Dora")
    dora = next(person for person in stage.playground.world.people if person.global_name == "Dora")
    await page.get_by_test_id("persona").click()
    await page.get_by_role("switch", name="Direct messages closed").check()
    await page.get_by_role("radio", name="中文（台灣）").check()
    await page.get_by_text("關閉私訊").wait_for()
    await page.get_by_placeholder("傳訊息到 #games").wait_for()
    assert (dora.locale, dora.dm_closed) == ("zh-TW", True)
    await page.get_by_role("switch", name="關閉私訊").uncheck()
    await page.get_by_role("radio", name="English").check()
    await page.get_by_placeholder("Message #games").wait_for()
    assert (dora.locale, dora.dm_closed) == ("en-US", False)


# -- What is drawn --


@in_chromium
async def test_a_picture_opens_large_and_closes_by_escape(visit: Open) -> None:
    page = await visit("Ada")
    await slash(page, pane(page, "Ada"), "show board")
    picture = page.get_by_role("button", name="Open picture: Nine rows of nine pegs.")
    await picture.click()
    large = page.get_by_test_id("lightbox")
    await large.get_by_role("img", name="Nine rows of nine pegs.").wait_for()
    assert await large.locator("img").evaluate("async (image) => (await image.decode(), image.naturalWidth)") == 1000
    await page.keyboard.press("Escape")
    await large.wait_for(state="detached")
    assert await focused(page) == "Open picture: Nine rows of nine pegs."
    await picture.click()
    await large.click()
    await large.wait_for(state="detached")


MARKDOWN = """# Heading
**bold** *italic* __under__ ~~gone~~ `code` ||secret|| snake_case_name
> quoted
- one
  - two
```
fenced <b>
```
<img src=x onerror=alert(1)> [masked](https://example.org/) [bad](javascript:alert(1)) -# no
-# small"""


@in_chromium
async def test_markdown_is_drawn_and_never_html(visit: Open) -> None:
    page = await visit("Ada")
    await page.get_by_test_id("composer").fill(MARKDOWN)
    await page.keyboard.press("Enter")
    message = page.get_by_test_id("message")
    await message.get_by_role("heading", name="Heading").wait_for()
    drawn = {"strong": "bold", "em": "italic", "u": "under", "s": "gone", "pre": "fenced <b>", "blockquote": "quoted"}
    for tag, text in drawn.items():
        assert (await message.locator(tag).inner_text()).strip() == text
    assert await message.locator("ul ul li").inner_text() == "two"
    assert await message.locator(".subtext").inner_text() == "small"
    text = await message.inner_text()
    assert "<img src=x onerror=alert(1)>" in text
    assert "snake_case_name" in text
    assert "[bad](javascript:alert(1))" in text
    assert await message.locator("img").count() == 0
    assert [await link.get_attribute("href") for link in await message.locator("a").all()] == ["https://example.org/"]

    await message.get_by_role("button", name="Show spoiler").click()
    await message.locator(".spoiler.open", has_text="secret").wait_for()


@in_chromium
async def test_the_newest_stays_in_sight_unless_one_scrolls_away(visit: Open, stage: Stage) -> None:
    page = await visit("Ada", "Ben")
    for number in range(12):
        stage.say("Ben", f"Line {number}.\n\n\n\nend")
    await pane(page, "Ada").get_by_text("Line 11.").wait_for()
    messages = pane(page, "Ada").get_by_test_id("messages")
    from_end = "box => box.scrollHeight - box.scrollTop - box.clientHeight"
    assert await messages.evaluate(from_end) < 2
    await messages.hover()
    await page.mouse.wheel(0, -500)
    await pane(page, "Ada").get_by_role("button", name="Jump to newest").click()
    await pane(page, "Ada").get_by_role("button", name="Jump to newest").wait_for(state="detached")
    await page.wait_for_function(
        "() => [...document.querySelectorAll('.messages')]"
        ".every(box => box.scrollHeight - box.scrollTop - box.clientHeight < 2)"
    )


@in_chromium
async def test_older_messages_come_when_one_scrolls_up_and_deleted_ones_go(visit: Open, stage: Stage) -> None:
    sent = [stage.say("Ben", f"Line {number}.") for number in range(70)]
    page = await visit("Ada")
    await page.get_by_text("Line 69.").wait_for()
    assert await page.get_by_text("Line 19.").count() == 0
    await page.get_by_test_id("messages").evaluate("box => { box.scrollTop = 0; }")
    await page.get_by_text("Line 0.").wait_for()
    assert await page.get_by_test_id("message").count() == len(sent)
    stage.playground.world.delete_message(sent[20])
    await page.get_by_text("Line 20.").wait_for(state="detached")


# -- The phone --


@in_chromium
async def test_on_a_phone_the_channels_are_a_drawer(visit: Open) -> None:
    page = await visit("Ada", size=PHONE)
    sidebar = page.get_by_role("navigation", name="Channels")
    await sidebar.wait_for(state="hidden")
    await page.get_by_role("button", name="Show channels").click()
    await sidebar.get_by_role("button", name="lounge").click()
    await sidebar.wait_for(state="hidden")
    await page.get_by_placeholder("Message #lounge").wait_for()
    assert await page.evaluate("document.documentElement.scrollWidth") == PHONE[0]


@in_chromium
async def test_on_a_phone_a_menu_takes_the_full_width(visit: Open) -> None:
    page = await visit("Ada", size=PHONE)
    await slash(page, pane(page, "Ada"), "show menus")
    await page.get_by_role("combobox", name="Row", exact=True).click()
    await page.get_by_role("option", name="Row A").wait_for()
    box = await page.locator(".menu-list").bounding_box()
    assert box is not None
    assert (box["x"], box["width"]) == (0, PHONE[0])
    assert box["y"] + box["height"] == PHONE[1]
    anchor = await page.get_by_role("combobox", name="Anybody").bounding_box()
    assert anchor is not None, "the menus of the message stand above the sheet"
    assert anchor["y"] + anchor["height"] < box["y"]


# -- Bad luck --


@in_chromium
async def test_a_lost_connection_comes_back_by_itself(visit: Open, stage: Stage) -> None:
    page = await visit("Ada")
    await slash(page, pane(page, "Ada"), "show secret")
    await page.get_by_text("Only you can see this").wait_for()
    await page.evaluate(
        "() => void new MutationObserver(() => { window.sawLost ||= Boolean(document.querySelector('.lost')); })"
        ".observe(document.body, {childList: true, subtree: true})"
    )
    (open_pane,) = stage.playground.panes.open
    await open_pane.socket.close()
    await page.wait_for_function("window.sawLost")
    await page.locator(".lost").wait_for(state="detached")
    await page.get_by_text("Only you can see this").wait_for()
    await page.get_by_test_id("composer").fill("Back again")
    await page.keyboard.press("Enter")
    await page.get_by_test_id("message").filter(has_text="Back again").wait_for()


@in_chromium
async def test_reset_asks_first(visit: Open) -> None:
    page = await visit("Ada", "Ben")
    await slash(page, pane(page, "Ada"), "show lobby")
    await pane(page, "Ben").get_by_text("Seats 1 of 4").wait_for()
    await page.get_by_test_id("reset").click()
    await page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert await pane(page, "Ben").get_by_text("Seats 1 of 4").count() == 1
    await page.get_by_test_id("reset").click()
    await page.get_by_role("dialog").get_by_role("button", name="Reset").click()
    for name in ("Ada", "Ben"):
        await pane(page, name).get_by_text("Type / and choose").wait_for()


@in_chromium
async def test_light_and_dark(visit: Open) -> None:
    page = await visit("Ada")
    background = "getComputedStyle(document.body).backgroundColor"
    colours = set()
    for theme in ("light", "dark"):
        await page.get_by_test_id("theme").click()
        await page.locator(f"html[data-theme={theme}]").wait_for()
        colours.add(await page.evaluate(background))
    assert len(colours) == 2


# -- The page's files --

VENDOR = PAGE / "vendor"
OWN_MODULES = sorted(PAGE.glob("*.js"))
BUNDLED_MODULES = {path.stem for path in VENDOR.glob("*.js")}


async def test_every_word_of_the_page_is_in_the_chinese_table_and_no_other() -> None:
    table = set(re.findall(r'^  "((?:[^"\\]|\\.)+)": "', (PAGE / "words.js").read_text("utf-8"), re.MULTILINE))
    source = "\n".join(path.read_text("utf-8") for path in OWN_MODULES if path.name != "words.js")
    quoted = set(re.findall(r'"((?:[^"\\\n]|\\.)+)"', source))
    called = {text for call in re.findall(r"\bwords\(([^;`]*)", source) for text in re.findall(r'^\s*"([^"]+)"', call)}
    assert called - table == set()
    assert table - quoted == set()


async def test_the_page_writes_no_html_text_and_reaches_no_other_origin() -> None:
    forbidden = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function")
    assert [path.name for path in OWN_MODULES if forbidden.search(path.read_text("utf-8"))] == []
    index = (PAGE / "index.html").read_text("utf-8")
    assert re.findall(r'(?:src|href)="(?!/page/static/)', index) == []
    assert re.findall(r"<script(?![^>]*src=)|<style| on\w+=", index) == []


async def test_the_bundled_library_has_its_licence_beside_it() -> None:
    assert {"preact", "preact-hooks", "htm"} == BUNDLED_MODULES
    assert "MIT" in (VENDOR / "LICENSE-preact.txt").read_text("utf-8")
    assert "Apache License" in (VENDOR / "LICENSE-htm.txt").read_text("utf-8")
