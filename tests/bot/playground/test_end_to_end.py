"""The stand-in with a real discord.py client: everything a game bot does, done by people."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import discord
import pytest

from bot.playground import permissions
from bot.playground.commands import NotSent
from bot.playground.driver import Clumsy, People, playing
from bot.playground.world import PUBLIC_THREAD, Channel
from tests.bot.playground.small_bot import SmallBot, picture


@pytest.fixture
async def people() -> AsyncIterator[People]:
    async with playing(lambda: SmallBot(guild_ready_timeout=0.01)) as found:
        yield found


async def test_a_command_with_options_answers_with_a_board(people: People) -> None:
    ada, ben = people["Ada"], people["Ben"]
    answer = await ada.slash("small new", side=5, title="Hello", colour="Red", guest=ben)
    assert answer.text == "# Board of 5\nHello r Ben en-US"
    assert answer.message is not None
    assert answer.message.labels == ["Join", "Whisper", "Form", "Later"]
    (picture,) = answer.message.pictures
    assert (picture.width, picture.height, picture.description) == (40, 30, "The board")
    assert ben.sees("#games")[-1].text == answer.text


async def test_the_server_and_the_persons_language_come_with_the_command(people: People) -> None:
    chen = people["小陳"]
    assert (await chen.slash("small new")).text.endswith("zh-TW")
    chen.speak("en-GB")
    assert (await chen.slash("small new")).text.endswith("en-GB")


async def test_a_button_changes_the_message_for_everybody(people: People) -> None:
    await people["Ada"].slash("small new")
    await people["Ben"].press("Join")
    seen = people["Dora"].sees("#games")[-1]
    assert seen.text == "Ben joined"
    assert seen.edited
    assert not seen.pictures or seen.pictures[0].filename == "board.png"


async def test_a_private_answer_is_seen_by_its_reader_alone(people: People) -> None:
    ada, ben = people["Ada"], people["Ben"]
    await ada.slash("small new")
    answer = await ben.press("Whisper")
    assert answer.private
    assert ben.private[-1].text == "Only for Ben"
    assert ada.private == []
    assert all("Only for" not in shown.text for shown in ada.view())
    assert people.bot is not None
    channel = people.bot.get_channel(int(people.channel("#games").id))
    assert channel is not None
    history = [message.content async for message in channel.history()]  # type: ignore[union-attr]
    assert all("Only for" not in content for content in history)


async def test_menus_of_every_kind(people: People) -> None:
    ada, ben = people["Ada"], people["Ben"]
    await ada.slash("small menus")
    assert (await ada.choose("Row", "Row B")).text == "row B"
    assert (await ada.choose("People", ben, people["小陳"])).text == "Ben 小陳"
    assert (await ada.choose("Role", people.world.home.roles[people.world.home.id])).text == "@everyone"
    assert (await ada.choose("Channel", people.channel("#lounge"))).text == "lounge"
    assert (await ada.choose("Either", ben)).text == "Member"


async def test_choosing_what_stands_there_already_sends_nothing(people: People) -> None:
    ada = people["Ada"]
    await ada.slash("small menus")
    await ada.choose("Row", "A")
    with pytest.raises(NotSent, match="draw the menu anew"):
        await ada.choose("Row", "Row A")
    await ada.choose("Row", "B")
    await people["Ben"].choose("Row", "B")


async def test_a_form_with_every_field(people: People) -> None:
    ada, ben = people["Ada"], people["Ben"]
    await ada.slash("small new")
    answer = await ada.press("Form")
    assert answer.form is not None
    assert answer.message is None
    assert [field.label for field in answer.form.fields] == ["Note", "Colour", "Whom", "Deck"]
    assert answer.form.text == "Fill it in"
    values = {"Note": "hello", "Colour": "Red", "whom": ben, "Deck": ada.upload("deck.txt", b"one\ntwo")}
    await ada.submit(values)
    assert ada.private[-1].text == "hello ['r'] ['Ben'] ['one\\ntwo']"


async def test_a_form_keeps_what_it_was_filled_in_with(people: People) -> None:
    ada = people["Ada"]
    await ada.slash("small new")
    await ada.press("Form")
    await ada.submit({"Colour": "Blue"})
    assert ada.private[-1].text == "as it was ['Blue'] [] []"


async def test_a_form_is_not_sent_with_a_field_wrong(people: People) -> None:
    ada = people["Ada"]
    await ada.slash("small new")
    await ada.press("Form")
    with pytest.raises(NotSent, match="note"):
        await ada.submit({"Colour": "Blue", "Note": "x" * 21})
    with pytest.raises(NotSent, match="pick"):
        await ada.submit({"Note": "x"})


async def test_autocomplete_sees_the_other_options(people: People) -> None:
    choices = await people["Ada"].autocomplete("small band", "name", "A", other="seen")
    assert [(choice.name, choice.value) for choice in choices] == [("A1-A4 seen", "A1-A4")]
    answer = await people["Ada"].slash("small band", name=choices[0].name)
    assert answer.text == "band A1-A4 seen"


async def test_thinking_first_then_the_answer_then_more(people: People) -> None:
    ada, ben = people["Ada"], people["Ben"]
    answer = await ada.slash("small think")
    assert answer.deferred
    assert answer.text == "Thought"
    assert [shown.text for shown in ben.sees("#games")] == ["Thought", "And more"]
    await ada.slash("small think", private=True)
    assert [shown.text for shown in ada.private] == ["Thought", "And more"]
    assert len(ben.sees("#games")) == 2


async def test_a_deferred_update_and_a_private_follow_up(people: People) -> None:
    ada = people["Ada"]
    await ada.slash("small new")
    await ada.press("Later")
    assert ada.private[-1].text == "Later"


async def test_a_gallery_with_a_new_file_is_refused_as_a_deferred_answer(people: People) -> None:
    await people["Ada"].slash("small wrong")
    assert people["Ada"].sees("#games")[-1].text == "refused 50035"


async def test_direct_messages(people: People) -> None:
    ada, ben, dora = people["Ada"], people["Ben"], people["Dora"]
    await ada.slash("small write", whom=ben, text="psst")
    assert ben.dm[-1].text == "psst"
    assert ada.dm == []
    ben.close_dms()
    assert (await ada.slash("small write", whom=ben)).text == "refused 50007"
    await ada.slash("small write", whom=dora)
    people.faults.refuse("POST /channels/*/messages", 50278)
    assert (await ada.slash("small write", whom=dora)).text == "refused 50278"


async def test_somebody_who_has_left_cannot_be_written_to(people: People) -> None:
    assert people.bot is not None
    ben = people["Ben"]
    user = await people.bot.fetch_user(int(ben.id))
    ben.leave_server()
    with pytest.raises(discord.Forbidden) as refused:
        await user.send("are you there")
    assert refused.value.code == 50278
    guild = people.bot.guilds[0]
    with pytest.raises(discord.NotFound) as unknown:
        await guild.fetch_member(int(ben.id))
    assert unknown.value.code == 10007
    assert ben.sees("#games") == []


async def test_a_thread_with_a_board_that_mentions_and_is_edited(people: People) -> None:
    ada, ben = people["Ada"], people["Ben"]
    await ada.slash("small thread")
    (shown,) = ben.sees("Table 1")
    assert shown.text == "Edited"
    assert len(shown.pictures) == 1
    assert people.bot is not None
    assert "thread Table 1" in people.bot.happened  # type: ignore[attr-defined]
    assert ben.sees("#games")[-1].kind == 18
    assert ada.id in people.channel("Table 1").members


async def test_a_file_as_an_option(people: People) -> None:
    ada = people["Ada"]
    answer = await ada.slash("small deck", file=ada.upload("my deck.txt", b"card"))
    assert answer.text == "my_deck.txt 4 card"


async def test_commands_are_offered_to_those_who_may_use_them(people: People) -> None:
    await people.quiet()
    assert people["Ada"].offered() == ["small", "hidden"]
    assert people["Ben"].offered() == ["small"]


async def test_an_interaction_that_the_bot_never_answers(people: People) -> None:
    people.patience = 0.2
    with pytest.raises(Clumsy, match="did not answer small silent"):
        await people["Ada"].slash("small silent")


async def test_two_presses_at_once_are_both_answered(people: People) -> None:
    await people["Ada"].slash("small new")
    ben, dora = people["Ben"], people["Dora"]
    await asyncio.gather(ben.press("Whisper"), ben.press("Whisper"), dora.press("Whisper"))
    assert len(ben.private) == 2
    assert len(dora.private) == 1


async def test_a_press_on_a_button_that_has_just_gone(people: People) -> None:
    ada, ben = people["Ada"], people["Ben"]
    await ada.slash("small new")
    before = ben.sees("#games")[-1]
    await ada.press("Join")
    assert "Whisper" not in ben.sees("#games")[-1].labels
    people.patience = 0.1
    with pytest.raises(Clumsy, match="sees no button 'Whisper'"):
        await ben.press("Whisper", message=before)
    people.patience = 5
    await ben.press_late(before, "Whisper")
    assert ben.private[-1].text == "Only for Ben"


async def test_a_lost_connection_is_resumed_and_nothing_is_missed(people: People) -> None:
    bot = people.bot
    assert isinstance(bot, SmallBot)
    await bot.wait_until_ready()
    games, ada = people.channel("games"), people["Ada"].id
    thread = people.world.add_channel(
        Channel(people.world.new_id(), PUBLIC_THREAD, "Table 9", people.world.home.id, games.id, owner_id=ada)
    )
    await people.quiet()
    people.gateway.lose()
    people.world.delete_channel(thread)
    await people.until(lambda: people.gateway.resumed == 1, "resuming")
    await people.quiet()
    assert bot.happened[-2:] == ["thread deleted", "resumed"]
    assert (await people["Ada"].slash("small new")).text
    assert people.gateway.identified == 1


async def test_an_invalid_session_makes_the_bot_identify_anew(people: People) -> None:
    people.gateway.invalidate()
    await people.until(lambda: people.gateway.identified == 2, "identifying")
    await people.connected()
    assert (await people["Ada"].slash("small new")).text


async def test_a_session_that_cannot_be_resumed(people: People) -> None:
    people.gateway.lose(resumable=False)
    await people.until(lambda: people.gateway.identified == 2, "identifying")
    await people.connected()
    assert (await people["Ada"].slash("small new")).text


async def test_being_told_to_reconnect(people: People) -> None:
    people.gateway.ask_to_reconnect()
    await people.until(lambda: people.gateway.resumed == 1, "resuming")
    assert (await people["Ada"].slash("small new")).text


async def test_a_deleted_message_is_told_of_only_with_the_intent(people: People) -> None:
    bot = people.bot
    assert isinstance(bot, SmallBot)
    await people["Ada"].slash("small new")
    message = people.world.history(people.channel("games").id)[-1]
    people.world.delete_message(message)
    await people.quiet()
    assert "message deleted" not in bot.happened


async def test_a_slow_request_is_held_until_released(people: People) -> None:
    people.settle = False
    held = people.faults.hold("POST /interactions/*/callback")
    acting = asyncio.create_task(people["Ada"].slash("small new"))
    await held.reached.wait()
    assert people["Ada"].sees("#games") == []
    held.release()
    assert (await acting).text


async def test_rate_limits_are_waited_out(people: People) -> None:
    people.faults.rate_limit("POST /channels/*/messages", 0.001)
    await people["Ada"].slash("small write", whom=people["Ben"])
    assert people["Ben"].dm[-1].text == "hello"
    statuses = [s.status for s in people.playground.rest.served if s.path.endswith("/messages")]
    assert statuses == [429, 200]


async def test_an_error_after_the_thing_was_done(people: People) -> None:
    people.faults.fail("POST /channels/*/messages", 503, after=True)
    assert people.bot is not None
    channel = people.bot.get_channel(int(people.channel("#games").id))
    assert isinstance(channel, discord.TextChannel)
    with pytest.raises(discord.DiscordServerError):
        await channel.send("once")
    assert [shown.text for shown in people["Ada"].sees("#games")] == ["once"]
    people.faults.fail("POST /channels/*/messages", 503)
    with pytest.raises(discord.DiscordServerError):
        await channel.send("never")
    assert [shown.text for shown in people["Ada"].sees("#games")] == ["once"]


async def test_the_bot_knows_its_permissions_in_a_channel(people: People) -> None:
    world, games = people.world, people.channel("#games")
    world.overwrite(games, world.bot.id, deny=permissions.bits("attach_files"))
    await people.quiet()
    assert people.bot is not None
    channel = people.bot.get_channel(int(games.id))
    assert isinstance(channel, discord.TextChannel)
    assert not channel.permissions_for(channel.guild.me).attach_files
    assert channel.permissions_for(channel.guild.me).send_messages
    with pytest.raises(discord.Forbidden) as refused:
        await channel.send(file=picture())
    assert refused.value.code == 50013


async def test_people_in_direct_messages_can_use_commands_there(people: People) -> None:
    ada = people["Ada"]
    await ada.slash("small write", whom=ada)
    channel = people.world.direct(ada.id)
    assert channel is not None
    answer = await ada.slash("small band", name="A1-A4", at=channel)
    assert answer.text == "band A1-A4"


async def test_with_discord_pys_own_waiting_times() -> None:
    async with playing(SmallBot) as people:
        assert (await people["Ada"].slash("small new")).text


async def test_two_shards_get_each_what_is_theirs() -> None:
    async with playing(lambda: SmallBot(guild_ready_timeout=0.01), shards=2) as people:
        await people.until(lambda: people.gateway.identified == 2, "both shards")
        await people["Ada"].slash("small write", whom=people["Ada"])
        direct = people.world.direct(people["Ada"].id)
        assert direct is not None
        assert (await people["Ada"].slash("small band", name="x", at=direct)).text == "band x"
        assert (await people["Ada"].slash("small new")).text
