"""Letters: what each player of a game with secrets gets by direct message, through everything that can go wrong."""

import asyncio
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.agreements import Agreements
from bot.delivery import Delivery, Reason, Sent, Undelivered
from bot.letters import FRESH, NEAR, PACE, PATIENCE, Letters
from bot.page import Page
from bot.store import Store
from bot.tables import Person, Place, Table, Tables
from cogs.triggle import TriggleFace
from cogs.trinity import TrinityFace
from rules import GAMES
from rules.trinity.state import Guess, Keep, Play

ADA, BEN, CHEN = people = [Person(number, name) for number, name in ((11, "Ada"), (12, "Ben"), (13, "Chen"))]
FACES = {"trinity": TrinityFace(), "triggle": TriggleFace()}


@dataclass
class Post(Delivery):
    """Direct messages as Discord keeps them: the conversation with person 11 is the channel 1011."""

    refusing: dict[int, Reason] = field(default_factory=dict)
    """People whom nothing can be sent to, and why."""
    not_editing: Reason | None = None
    not_deleting: Reason | None = None
    opened: list[int] = field(default_factory=list)
    slept: list[float] = field(default_factory=list)
    pages: dict[int, dict[int, Page]] = field(default_factory=dict)
    """By person, what lies in their conversation by its number, oldest first."""
    count: int = 0

    async def send(self, place: int, page: Page, nonce: str | None = None) -> Sent:
        assert nonce is not None
        assert len(nonce) <= 25
        person = place - 1000
        if person in self.refusing:
            raise Undelivered(self.refusing[person])
        self.count += 1
        self.pages.setdefault(person, {})[self.count] = page
        return Sent(place, self.count)

    async def edit(self, sent: Sent, page: Page, keep_picture: bool = False) -> None:
        if self.not_editing is not None:
            raise Undelivered(self.not_editing)
        if sent.message not in self.pages.get(sent.place - 1000, {}):
            raise Undelivered(Reason.GONE)
        self.pages[sent.place - 1000][sent.message] = page

    async def delete(self, sent: Sent) -> None:
        if self.not_deleting is not None:
            raise Undelivered(self.not_deleting)
        if self.pages.get(sent.place - 1000, {}).pop(sent.message, None) is None:
            raise Undelivered(Reason.GONE)

    async def last_messages(self, place: int, most: int) -> tuple[int, ...]:
        return tuple(reversed(self.pages.get(place - 1000, {})))[:most]

    async def direct_channel(self, person: int) -> int:
        self.opened.append(person)
        return 1000 + person

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def chat(self, person: Person, lines: int) -> None:
        """The person writes something themselves."""
        for _ in range(lines):
            self.count += 1
            self.pages.setdefault(person.id, {})[self.count] = Page("hello")

    def letters(self, person: Person) -> list[Page]:
        """What the bot has told this person, oldest first."""
        return [page for page in self.pages.get(person.id, {}).values() if page.text != "hello"]


class Room:
    """Tables, letters and a clock that moves when told to."""

    def __init__(self, store: Store) -> None:
        self.now = datetime(2026, 5, 1, 12, tzinfo=UTC)
        self.store = store
        self.tables = Tables(store, clock=lambda: self.now, rng=random.Random(2))
        self.post = Post()
        self.letters = Letters(store, self.post, FACES, lambda: self.now, self.post.sleep)

    async def playing(self, *guests: Person, game: str = "trinity") -> Table:
        for person in people:
            await self.store.remember_person(person.id, person.name, "en-GB")
        table = await self.tables.open(GAMES[game], Place(1, 2), ADA, GAMES[game].Options(), {}, {})
        for guest in guests or (BEN,):
            table = await self.tables.join(table.id, guest)
        return await self.tables.start(table.id, ADA.id)

    async def keep(self, table: Table, person: Person) -> Table:
        """The person keeps their first three cards as they come."""
        hand = table.view(table.seat_of(person.id)).own.hand
        return await self.tables.act(table.id, person.id, None, Keep((hand[0], hand[1], hand[2])))

    async def begun(self, *guests: Person) -> Table:
        """All have chosen and had their letters; somebody is to play a card."""
        table = await self.playing(*guests)
        await self.letters.deliver(table)
        for person in (ADA, *(guests or (BEN,))):
            table = await self.keep(table, person)
        await self.letters.deliver(table)
        return table

    async def passed(self, table: Table) -> Table:
        """The player at turn plays the first legal card and declines: the turn goes on to the next."""
        turn = table.view(None).turn
        while table.view(None).turn == turn:
            seat = table.to_act[0]
            table = await self.tables.act(table.id, table.people[seat], None, table.game.legal(table.state, seat)[-1])
        return table


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path}/trigon.db")
    yield Room(store)
    await store.close()


def waiting(table: Table) -> Person:
    """Somebody who has nothing to decide."""
    seat = next(seat for seat in range(len(table.people)) if seat not in table.to_act)
    return next(person for person in people if person.id == table.people[seat])


def acting(table: Table) -> Person:
    """Somebody who has."""
    return next(person for person in people if person.id == table.people[table.to_act[0]])


async def test_everybody_gets_their_own_cards_and_nobody_elses(room: Room) -> None:
    table = await room.playing(BEN, CHEN)
    await room.letters.deliver(table)
    for person in people:
        (letter,) = room.post.letters(person)
        hand = table.view(table.seat_of(person.id)).own.hand
        for digit in sorted(set(hand)):
            assert f"{digit} " in letter.text
        assert letter.picture is not None
        assert "Choose three" in letter.text
        assert f"table {table.id}" in letter.text
    assert (await room.tables.table(table.id)).row.told_turn == table.turn


async def test_a_game_without_secrets_sends_nothing(room: Room) -> None:
    table = await room.playing(game="triggle")
    await room.letters.deliver(table)
    assert room.post.count == 0
    assert (await room.tables.table(table.id)).row.told_turn == table.turn


async def test_a_lobby_sends_nothing(room: Room) -> None:
    table = await room.tables.open(GAMES["trinity"], Place(1, 2), ADA, GAMES["trinity"].Options(), {}, {})
    await room.letters.deliver(table)
    assert room.post.count == 0


async def test_what_has_not_changed_for_somebody_is_not_sent_again(room: Room) -> None:
    table = await room.playing()
    await room.letters.deliver(table)
    before = dict(room.post.pages[BEN.id])
    table = await room.keep(table, ADA)
    await room.letters.deliver(table)
    assert room.post.pages[BEN.id] == before
    assert room.post.count == 2


async def test_a_letter_near_the_bottom_is_edited_in_place(room: Room) -> None:
    table = await room.playing()
    await room.letters.deliver(table)
    room.post.chat(ADA, NEAR - 1)
    table = await room.keep(table, ADA)
    await room.letters.deliver(table)
    (letter,) = room.post.letters(ADA)
    assert "Your targets:" in letter.text
    assert "Choose three" not in letter.text


async def test_a_letter_that_has_scrolled_away_is_sent_anew_and_the_old_one_goes(room: Room) -> None:
    table = await room.playing()
    await room.letters.deliver(table)
    room.post.chat(ADA, NEAR)
    table = await room.keep(table, ADA)
    await room.letters.deliver(table)
    (letter,) = room.post.letters(ADA)
    assert "Your targets:" in letter.text
    assert list(room.post.pages[ADA.id])[-1] == room.post.count


async def test_an_old_letter_is_sent_anew(room: Room) -> None:
    table = await room.playing()
    await room.letters.deliver(table)
    room.now += FRESH + timedelta(minutes=1)
    table = await room.keep(table, ADA)
    await room.letters.deliver(table)
    (letter,) = room.post.letters(ADA)
    assert "Your targets:" in letter.text
    assert room.post.count == 3


@pytest.mark.parametrize("reason", [Reason.TOO_OLD, Reason.GONE])
async def test_a_letter_that_cannot_be_edited_is_sent_anew(room: Room, reason: Reason) -> None:
    table = await room.playing()
    await room.letters.deliver(table)
    room.post.not_editing = reason
    table = await room.keep(table, ADA)
    await room.letters.deliver(table)
    (letter,) = room.post.letters(ADA)
    assert "Your targets:" in letter.text
    assert await room.letters.unreachable(table) == ()


async def test_who_newly_has_to_act_gets_a_new_letter_since_edits_notify_nobody(room: Room) -> None:
    table = await room.begun()
    before = room.post.count
    table = await room.passed(table)
    await room.letters.deliver(table)
    assert room.post.count == before + 1
    (letter,) = room.post.letters(acting(table))
    assert "Play a card" in letter.text


async def test_while_somebody_goes_on_acting_their_letter_is_edited(room: Room) -> None:
    table = await room.begun()
    before = room.post.count
    person = acting(table)
    seat = table.to_act[0]
    plays = [action for action in table.game.legal(table.state, seat) if isinstance(action, Play)]
    action = next(action for action in plays if action.card != 2)
    table = await room.tables.act(table.id, person.id, None, action)
    await room.letters.deliver(table)
    assert room.post.count == before
    assert "Play a card" not in room.post.letters(person)[0].text


@pytest.mark.parametrize("reason", [Reason.CLOSED, Reason.FORBIDDEN])
async def test_closed_direct_messages_are_noted_and_the_others_get_theirs(room: Room, reason: Reason) -> None:
    table = await room.playing(BEN, CHEN)
    room.post.refusing[BEN.id] = reason
    await room.letters.deliver(table)
    assert [len(room.post.letters(person)) for person in people] == [1, 0, 1]
    assert await room.letters.unreachable(table) == (table.seat_of(BEN.id),)
    assert (await room.tables.table(table.id)).row.told_turn == table.turn


async def test_closed_for_all_the_game_goes_on(room: Room) -> None:
    table = await room.playing(BEN, CHEN)
    room.post.refusing = {person.id: Reason.CLOSED for person in people}
    await room.letters.deliver(table)
    assert await room.letters.unreachable(table) == (0, 1, 2)
    for person in people:
        table = await room.keep(table, person)
        await room.letters.deliver(table)
    assert (await room.tables.table(table.id)).row.told_turn == table.turn


async def test_closed_in_mid_game_the_old_letter_goes_and_the_table_is_told(room: Room) -> None:
    table = await room.begun()
    person = waiting(table)
    room.post.refusing[person.id] = Reason.CLOSED
    table = await room.passed(table)
    await room.letters.deliver(table)
    assert room.post.letters(person) == []
    assert await room.letters.unreachable(table) == (table.seat_of(person.id),)


async def test_who_cannot_be_written_to_is_tried_again_only_after_a_while(room: Room) -> None:
    table = await room.playing()
    room.post.refusing[ADA.id] = Reason.CLOSED
    await room.letters.deliver(table)
    del room.post.refusing[ADA.id]
    room.now += PATIENCE - timedelta(minutes=1)
    table = await room.keep(table, BEN)
    await room.letters.deliver(table)
    assert room.post.letters(ADA) == []
    room.now += timedelta(minutes=1)
    table = await room.keep(table, ADA)
    await room.letters.deliver(table)
    assert len(room.post.letters(ADA)) == 1
    assert await room.letters.unreachable(table) == ()


async def test_where_discord_is_out_of_order_the_table_stays_behind_and_nothing_is_sent_twice(room: Room) -> None:
    table = await room.playing()
    room.post.refusing[BEN.id] = Reason.UNAVAILABLE
    with pytest.raises(Undelivered):
        await room.letters.deliver(table)
    assert table.id in await room.store.behind()
    assert await room.letters.unreachable(table) == ()
    del room.post.refusing[BEN.id]
    await room.letters.deliver(table)
    assert [len(room.post.letters(person)) for person in (ADA, BEN)] == [1, 1]
    assert room.post.count == 2


async def test_conversations_are_opened_one_by_one_and_kept(room: Room) -> None:
    first, second = await room.playing(BEN, CHEN), await room.playing(BEN, CHEN)
    await asyncio.gather(room.letters.deliver(first), room.letters.deliver(second))
    opened = list(room.post.opened)
    assert room.post.slept == [PACE] * len(opened)
    table = await room.keep(first, ADA)
    room.post.chat(ADA, NEAR)
    await room.letters.deliver(table)
    assert room.post.opened == opened


async def test_a_conversation_that_is_gone_is_opened_again(room: Room) -> None:
    await room.playing()
    await room.store.keep_direct_channel(ADA.id, 999)
    room.post.refusing[999 - 1000] = Reason.GONE
    table = await room.playing()
    await room.letters.deliver(table)
    assert len(room.post.letters(ADA)) == 1
    assert await room.store.direct_channel(ADA.id) == 1000 + ADA.id


async def test_the_end_takes_cards_and_controls_out_of_every_letter(room: Room) -> None:
    table = await room.begun()
    person = acting(table)
    seat = table.to_act[0]
    other = 1 - seat
    while table.view(None).question.value != "guess":
        action = table.game.legal(table.state, table.to_act[0])[0]
        table = await room.tables.act(table.id, table.people[table.to_act[0]], None, action)
    targets = table.state.players[other].targets
    table = await room.tables.act(table.id, person.id, None, Guess(other, targets))
    assert table.status == "over"
    await room.letters.deliver(table)
    for one in (ADA, BEN):
        (letter,) = room.post.letters(one)
        assert letter.rows == ()
        assert letter.picture is None
        assert "TRiNITY!" in letter.text
        assert person.name in letter.text


async def test_a_letter_is_in_its_owners_language(room: Room) -> None:
    table = await room.playing()
    await room.store.remember_person(BEN.id, BEN.name, "zh-TW")
    await room.letters.deliver(table)
    assert "從五張牌中選出三張" in room.post.letters(BEN)[0].text
    assert "Choose three" in room.post.letters(ADA)[0].text


async def test_the_controls_carry_the_turn_at_which_the_owners_choices_changed(room: Room) -> None:
    """Else one player's choice would spoil another's letter."""
    table = await room.playing()
    await room.letters.deliver(table)
    address = room.post.letters(BEN)[0].rows[0][0].address  # type: ignore[index]
    table = await room.keep(table, ADA)
    assert address is not None
    assert room.tables.check(table, BEN.id, address.turn) == table.seat_of(BEN.id)


async def test_a_letter_of_a_seat_that_is_another_persons_now_goes_though_discord_was_out_of_order(room: Room) -> None:
    table = await room.begun()
    agreements = Agreements(room.tables)
    await agreements.offer_seat(table.id, BEN.id)
    await agreements.propose_seat(table.id, CHEN, table.seat_of(BEN.id) or 0)
    table = await agreements.agree(table.id, ADA.id)
    room.post.not_deleting = Reason.UNAVAILABLE
    with pytest.raises(Undelivered):
        await room.letters.deliver(table)
    assert len(room.post.letters(BEN)) == 1
    room.post.not_deleting = None
    await room.letters.deliver(table)
    assert room.post.letters(BEN) == []
    assert set(await room.store.letters(table.id)) == {ADA.id, CHEN.id}
