"""Triggle played by people through the stand-in, from the lobby to the winner."""

import random

import pytest

from tests.e2e.evening import Evening


async def test_a_whole_game_from_the_lobby_to_the_winner(evening: Evening) -> None:
    ada = await evening.open("triggle", "Ben", side="4", bands="6")
    rng = random.Random(5)
    table = await evening.table()
    while table.to_act:
        person = await evening.whose_turn()
        band = rng.choice(table.view(None).legal)
        answer = await person.slash("triggle band", band=band)
        assert answer.private
        assert f"`{band}`" in answer.text
        table = await evening.table()
    board = ada.sees()[-1]
    assert "wins" in board.text or "share the win" in board.text
    assert "Pieces:" in board.text
    assert board.labels == ["Play again", "As text", "Record", "Rules"]
    assert board.pictures[0].description is not None
    assert "The game is over" in board.pictures[0].description
    record = await evening["Dora"].go(board.thread or ada.where).press("Record")
    assert record.message is not None
    assert record.message.pictures[0].content.startswith(b"Game: triggle")


async def test_the_board_is_shown_in_a_thread_and_mentions_who_is_to_act(evening: Evening) -> None:
    ada = await evening.open("triggle", "Ben")
    board, person = await evening.board(), await evening.whose_turn()
    assert ada.where.is_thread
    assert board.mentions == [person.name]
    lobby = ada.sees("#games")[-1]
    assert lobby.labels == []
    assert "playing in" in lobby.text


async def test_each_turn_is_a_new_message_and_the_old_one_loses_its_controls(evening: Evening) -> None:
    ada = await evening.open("triggle", "Ben")
    first = await evening.board()
    await (await evening.whose_turn()).slash("triggle band", band="A1-D4")
    boards = [shown for shown in ada.sees() if not shown.private and shown.pictures]
    assert [bool(board.labels) for board in boards] == [False, True]
    assert boards[0].id == first.id
    assert boards[1].mentions == [(await evening.whose_turn()).name]


async def test_a_band_is_placed_by_menus_of_row_peg_and_end(evening: Evening) -> None:
    await evening.open("triggle", "Ben")
    person = await evening.whose_turn()
    rows = await person.press("Place a band")
    assert rows.private
    assert rows.message is not None
    assert len(rows.message.pictures) == 1
    await person.choose("Which row?", "D")
    await person.choose("Which peg?", "D1")
    ends = await person.press("Another peg")
    assert ends.private
    await person.choose("Which peg?", "D7")
    done = await person.choose("To which peg?", "D4-D7")
    assert "`D4-D7`" in done.text
    assert "`D4-D7`" in (await evening.board()).text


async def test_a_band_is_typed_in_the_form_and_a_refused_one_can_be_edited(evening: Evening) -> None:
    await evening.open("triggle", "Ben")
    person = await evening.whose_turn()
    await person.press("Type a band")
    refused = await person.submit({"Band": "Ａ１－Ｚ９"})
    assert refused.private
    assert "no peg `Z9`" in refused.text
    await person.press("Edit")
    assert person.form is not None
    assert person.form.fields[0].value == "Ａ１－Ｚ９"
    done = await person.submit({"Band": "ｄ１　ｄ４"})
    assert "`D1-D4`" in done.text


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("A1-B1", "no band"),
        ("hello", "two end pegs"),
        ("A1-A4-A4", "two end pegs"),
        ("Z1-Z4", "no peg"),
        ("x" * 100, "two end pegs"),
    ],
)
async def test_nonsense_is_answered_privately_and_changes_nothing(evening: Evening, typed: str, said: str) -> None:
    await evening.open("triggle", "Ben")
    turn = (await evening.table()).turn
    answer = await (await evening.whose_turn()).slash("triggle band", band=typed)
    assert answer.private
    assert said in answer.text
    assert (await evening.table()).turn == turn


async def test_four_thousand_characters_are_refused_in_a_sentence(evening: Evening) -> None:
    await evening.open("triggle", "Ben")
    answer = await (await evening.whose_turn()).slash("triggle band", band="A" * 4000)
    assert answer.private
    assert len(answer.text) < 200


async def test_the_rules_of_placing_are_named(evening: Evening) -> None:
    await evening.open("triggle", "Ben")
    for band, said in (
        ("A1-D4", "places `A1-D4`"),
        ("A1-D4", "a band on `A1-D4` already"),
        ("G1-G4", "`G1-G4` touches no band"),
        ("D1-D4", "places `D1-D4`"),
        ("D4-D7", "places `D4-D7`"),
        ("D2-D5", "`D2-D5` covers nothing new"),
    ):
        answer = await (await evening.whose_turn()).slash("triggle band", band=band)
        assert said in answer.text


async def test_autocomplete_offers_legal_bands_and_what_they_close(evening: Evening) -> None:
    await evening.open("triggle", "Ben")
    person = await evening.whose_turn()
    assert len(await person.autocomplete("triggle band", "band", "")) == 25
    assert [choice.value for choice in await person.autocomplete("triggle band", "band", "d4a")] == ["A1-D4", "A4-D4"]
    assert [choice.value for choice in await person.autocomplete("triggle band", "peg", "g")] == [
        "G1",
        "G2",
        "G3",
        "G4",
    ]
    ends = await person.autocomplete("triggle band", "other_end", "", peg="A1")
    assert [choice.value for choice in ends] == ["A4", "D1", "D4"]
    for band in ("A1-A4", "A1-D4"):
        await (await evening.whose_turn()).slash("triggle band", band=band)
    best = (await (await evening.whose_turn()).autocomplete("triggle band", "band", ""))[0]
    assert best.name == "A2-D2 · closes 1 triangle"


async def test_who_is_not_to_act_is_told_so_privately(evening: Evening) -> None:
    await evening.open("triggle", "Ben")
    (waiting,) = await evening.others()
    for answer in (await waiting.press("Place a band"), await waiting.slash("triggle band", band="A1-D4")):
        assert answer.private
        assert answer.text == "It is not your turn."
    stranger = await evening["Dora"].go(waiting.where).press("Place a band")
    assert "You have no seat" in stranger.text


async def test_a_press_on_a_past_turn_is_told_so(evening: Evening) -> None:
    await evening.open("triggle", "Ben")
    person, old = await evening.whose_turn(), await evening.board()
    await person.slash("triggle band", band="A1-D4")
    assert (await person.press_late(old, "Place a band")).text.startswith("The table has moved on")


async def test_everything_is_in_the_readers_language(evening: Evening) -> None:
    ada = await evening.open("triggle", "小陳")
    chen = evening["小陳"]
    answer = await chen.press("Rules")
    assert "遊戲" in answer.text or "規則" in answer.text
    assert "The game" in (await ada.press("Rules")).text
