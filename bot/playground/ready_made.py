"""The world that waits for a newcomer: a server, two channels, four people and the bot."""

from __future__ import annotations

import time

from bot.playground import permissions
from bot.playground.world import TEXT, Channel, Clock, Guild, Member, Role, State, User, World

PEOPLE = (
    User("", "ada", "Ada"),
    User("", "ben", "Ben"),
    User("", "chen", "小陳", locale="zh-TW"),
    User("", "dora", "Dora"),
)
"""Ada owns the server. 小陳's Discord speaks Traditional Chinese."""

BOT_PERMISSIONS = permissions.bits(
    "view_channel",
    "send_messages",
    "send_messages_in_threads",
    "create_public_threads",
    "attach_files",
    "embed_links",
    "read_message_history",
)
CHANNELS = (("games", "Tables and boards"), ("lounge", "Anything else"))
BOT_USERNAME = "Trigon"


def ready_made(clock: Clock = time.time) -> World:
    """A fresh world: server Trigon Tavern with #games and #lounge, Ada (its owner), Ben, 小陳 and Dora."""
    world = World(State(bot_id=""), clock)
    bot = User(world.new_id(), BOT_USERNAME, bot=True)
    world.state.bot_id = bot.id
    world.state.users[bot.id] = bot
    for person in PEOPLE:
        user = User(world.new_id(), person.username, person.global_name, locale=person.locale)
        world.state.users[user.id] = user
    add_server(world, "Trigon Tavern")
    return world


def add_server(world: World, name: str) -> Guild:
    """A server with the ready-made channels that everybody is a member of, the first person its owner."""
    people = [person.id for person in world.people]
    guild = Guild(world.new_id(), name, people[0])
    guild.roles[guild.id] = Role(guild.id, "@everyone", permissions.EVERYONE, position=0)
    host = Role(world.new_id(), "Host", permissions.bits("manage_guild"), position=2, colour=0x3BA55D)
    own = Role(world.new_id(), world.bot.username, BOT_PERMISSIONS, bot_id=world.bot.id)
    guild.roles |= {host.id: host, own.id: own}
    now = world.clock()
    guild.members = {person: Member(person, now) for person in people}
    guild.members[people[0]].roles.append(host.id)
    guild.members[world.bot.id] = Member(world.bot.id, now, [own.id])
    world.state.guilds[guild.id] = guild
    for position, (channel, topic) in enumerate(CHANNELS):
        world.add_channel(Channel(world.new_id(), TEXT, channel, guild.id, position=position, topic=topic))
    return guild
