"""Triangulation chess played by people through the stand-in."""

import copy

from bot.playground import components
from bot.playground.driver import Answer, Shown
from rules.chess import GAME
from rules.chess.position import read
from tests.e2e.evening import Evening

MATED = (
    "rrRB7Ω ggID7Φ rrGD7Ψ bbCE6Ψ ggGF3Ω bbIF5Φ rrRF6Σ rrCF6Φ bbIG4Φ bbGG5Φ rrIH8Γ / g / rgb / "
    "r:bI,gC,gI,gI g:bI,bI,bR,bR,rI,rI,rI b:gI,gI,gR,gR,rC,rI,rI / g<rb"
)
"""Green, checkmated, has one move; Blue must capture Green's General; then Red can rescue a Cavalry from Blue."""

TWO = "rrRH5Π rrRF4Ψ rrRE6Φ rrGB8Ω ggGH1Ω ggIG3Ψ nbGH8β nbRG8Γ / r / rg / - / -"
"""Red can capture the neutral General, and wins soon after."""


def seen(answer: Answer) -> Shown:
    """The message that answers."""
    assert answer.message is not None
    return answer.message


def options(shown: Shown) -> list[str]:
    """The labels of a message's menus."""
    return [label for menu in shown.menus for label in menu.options]


def lobby(evening: Evening) -> Shown:
    """The table's lobby as it is now."""
    return next(shown for shown in reversed(evening["Ada"].sees("#games")) if not shown.private)


async def test_three_play_to_a_conquest_a_rescue_and_an_agreed_draw(evening: Evening) -> None:
    ada = await evening.open("chess", "Ben", "Dora", position=MATED)
    green = await evening.whose_turn()
    forced = await green.press("Move")
    assert "You are checkmated" in forced.text
    assert "Red and Blue check Green" in forced.text
    assert "Infantry D7Φ" in seen(forced).labels
    assert "Your other pieces cannot move now." in forced.text
    await green.press("Infantry D7Φ")
    assert "`D7Φ-D8Φ`" in (await green.press("D8Φ")).text

    board = await evening.board()
    assert "**Blue must capture Green's General.**" in board.text
    blue = await evening.whose_turn()
    refused = await blue.slash("chess move", move="G5Φ-G5Σ")
    assert refused.text == "You must capture Green's General: `E6ΨxF3Ω`."
    assert "⚔️ **You must capture Green's General**" in (await blue.press("Move")).text
    await blue.press("Cavalry E6Ψ")
    await blue.press("F3Ω · captures Green's General")
    board = await evening.board()
    assert "**Green's General is captured: Green is out.** Blue takes over 1 piece and 7 prisoners." in board.text
    assert "Green" in board.text
    assert "fell to Blue" in board.text

    red = await evening.whose_turn()
    await red.press("Move")
    await red.choose("Which piece?", "Infantry H8Γ")
    ask = await red.press("H8β · may rescue a prisoner")
    assert "comes to Blue's corner" in ask.text
    assert seen(ask).labels == ["Rescue: Red Cavalry", "Rescue nobody", "Another place"]
    places = await red.press("Rescue: Red Cavalry")
    assert options(seen(places)) == [f"Infantry to {name}" for name in ("C6Ω", "C7Ψ", "C7Ω", "C8Φ", "C8Ψ")]
    assert len(seen(places).pictures) == 1
    done = await red.choose("Where to?", "Infantry to C7Ψ")
    assert "rescues a prisoner of Blue: Red Cavalry" in done.text
    table = await evening.table()
    assert "rrCH8β" in table.view(None).position
    assert "rrIC7Ψ" in table.view(None).position

    out = await green.press("More")
    assert "Offer a draw" in seen(out).labels
    assert "you are out of this game" in (await green.press("Offer a draw")).text
    for player in (red, blue):
        await player.press("More")
        await player.press("Offer a draw")
    board = ada.sees()[-1]
    assert board.text.count("A draw is agreed.") == 1
    assert "**A draw between" in board.text
    record = await ada.press("Record")
    assert f"Position: {MATED}".encode() in seen(record).pictures[0].content


async def test_two_play_with_a_neutral_army_until_one_general_is_left(evening: Evening) -> None:
    ada = await evening.open("chess", "Ben", position=TWO)
    said = []
    for move in ("h54h81", "H1w G2w", "F4Ψ G3Ψ", "G28-F38"):
        said.append((await (await evening.whose_turn()).slash("chess move", move=move)).text)
    assert "**The neutral General of Blue is captured.** Red takes over 1 piece." in said[0]
    assert "It captures Green's Infantry." in said[2]
    winner = await evening.whose_turn()
    last = await winner.slash("chess move", move="G3Ψ", target="F3Ω")
    assert "Red wins" in last.text
    board = ada.sees()[-1]
    assert "**Red wins: the last General.**" in board.text
    assert f"🏆 {winner.name} wins." in board.text
    assert board.labels == ["Play again", "As text", "Record", "Rules"]


async def test_a_game_from_the_opening_by_menus_form_and_command(evening: Evening) -> None:
    await evening.open("chess", "Ben", "Dora")
    red = await evening.whose_turn()
    pieces = await red.press("Move")
    assert options(seen(pieces)) == ["General B8Ω", "Cavalry A8Ω", "Infantry C6Ω", "Infantry C7Ψ", "Infantry C8Φ"]
    assert "Your other pieces cannot move now." in pieces.text
    targets = await red.choose("Which piece?", "General B8Ω")
    assert "B7Ω · castling: changes places with the Rukh" in seen(targets).labels
    await red.press("Another piece")
    await red.choose("Which piece?", "Infantry C7Ψ")
    await red.choose("Where to?", "D7Ψ")
    green = await evening.whose_turn()
    assert green is not red
    await green.press("Type a move")
    refused = await green.submit({"Move": "F3Ω F3Ω"})
    assert refused.private
    await green.press("Edit")
    assert green.form is not None
    assert green.form.fields[0].value == "F3Ω F3Ω"
    await green.submit({"Move": "castle G2Ω"})
    assert "castles" in (await evening.board()).text
    blue = await evening.whose_turn()
    legal = [GAME.text(action) for action in GAME.legal((await evening.table()).state, 2)]
    assert f"`{legal[0]}`" in (await blue.slash("chess move", move=legal[0])).text
    assert (await evening.whose_turn()) is red


async def test_colours_are_chosen_in_the_lobby_and_the_rest_dealt(evening: Evening) -> None:
    ada, ben = evening["Ada"], evening["Ben"]
    await ada.slash("chess new")
    await ben.press("Join", message=lobby(evening))
    await evening["Dora"].press("Join", message=lobby(evening))
    question = "Which colour would you like to play?"
    await ada.choose(question, "Blue", message=lobby(evening))
    await ben.choose(question, "Blue", message=lobby(evening))
    clash = await ada.press("Start", message=lobby(evening))
    assert "want the same colour" in clash.text
    await ben.choose(question, "Red", message=lobby(evening))
    await ada.press("Start", message=lobby(evening))
    assert (await evening.table()).names == ("Ben", "Dora", "Ada")


BAD_INPUT = {
    "C7Σ-D7Ψ": "`C7Σ` is not on the board: with C and 7 the column is Ψ or Ω.",
    "C1": "with C the number is 6, 7 or 8",
    "D7Ψ-E7Φ": "No piece stands on `D7Ψ`.",
    "C8Ω": "`C8Ω` is not on the board",
    "F3Ω-F4Ω": "belongs to Green",
    "B7Ω-D5Ω": "The piece on `C7Ω` stands in the way",
    "C7Ψ-F7Σ": "does not go from `C7Ψ` to `F7Σ`",
    "C6Ω-D7Ω": "is not on the board",
    "D7": "That can mean",
    "hello": "I cannot read `hello` as a move",
    "--": "you cannot pass",
    "A8Ω-B8Ω": "Your own General stands on `B8Ω`.",
    "x" * 3000: "I cannot read",
    "C9Ω": "`C9Ω` is no triangle",
    "`@everyone`": "I cannot read",
}
"""What is typed, and what the answer says."""


async def test_bad_input_is_answered_privately_and_changes_nothing(evening: Evening) -> None:
    await evening.open("chess", "Ben", "Dora")
    turn, red = (await evening.table()).turn, await evening.whose_turn()
    for typed, said in BAD_INPUT.items():
        answer = await red.slash("chess move", move=typed)
        assert answer.private
        assert said in answer.text, typed[:20]
        assert len(answer.text) < 400
    assert (await evening.table()).turn == turn


FORGED = (
    *(("choose", "x"), ("choose", "1.2"), ("piece", "²"), ("piece", ""), ("piece", "99.0"), ("piece", "page 0")),
    *(
        ("target", "12"),
        ("target", "x.y"),
        ("target", "63.63"),
        ("rescue", ""),
        ("rescue", "1.2"),
        ("rescue", "1.2.3.x"),
    ),
)
"""Verbs and arguments that no control of the table carries."""


def forged(shown: Shown, verb: str, argument: str) -> Shown:
    """The message as if its button "Move" had been made for something else."""
    other = copy.copy(shown)
    other.raw = copy.deepcopy(shown.raw)
    for component in components.walk(other.raw["components"]):
        if ":choose:" in component.get("custom_id", ""):
            component["custom_id"] = component["custom_id"].replace(":choose:", f":{verb}:{argument}")
    return other


async def test_others_presses_and_late_ones_are_refused(evening: Evening) -> None:
    await evening.open("chess", "Ben", "Dora")
    red, old = await evening.whose_turn(), await evening.board()
    waiting = (await evening.others())[0]
    assert (await waiting.press("Move")).text == "It is not your turn."
    assert (await waiting.slash("chess move", move="C7Ψ-D7Ψ")).text == "It is not your turn."
    assert await waiting.autocomplete("chess move", "move", "") == []
    for verb, argument in FORGED:
        answer = await red.press_late(forged(old, verb, argument), "Move")
        assert answer.private
        assert answer.text.startswith("The table has moved on"), (verb, argument)
    await red.slash("chess move", move="C7Ψ-D7Ψ")
    assert (await red.press_late(old, "Move")).text.startswith("The table has moved on")


async def test_a_draw_that_is_offered_is_told_and_a_move_declines_it(evening: Evening) -> None:
    ada = await evening.open("chess", "Ben", "Dora")
    red = await evening.whose_turn()
    others = await evening.others()
    await others[0].press("More")
    await others[0].press("Offer a draw")
    board = await evening.board()
    assert f"{others[0].name} offers a draw." in board.text
    assert "🤝 A draw is offered by" in board.text
    await others[0].press("More")
    assert "You offer a draw already." in (await others[0].press("Offer a draw")).text
    await red.slash("chess move", move="C7Ψ-D7Ψ")
    board = await evening.board()
    assert "The draw is declined by this move." in board.text
    assert "🤝" not in board.text
    for player in (red, *others):
        await player.press("More")
        answer = await player.press("Offer a draw")
    board = ada.sees()[-1]
    assert f"{others[1].name} agrees to a draw. A draw is agreed." in board.text
    assert "You have agreed to a draw." in answer.text


async def test_autocomplete_reads_greek_latin_digits_and_words_and_tells_captures(evening: Evening) -> None:
    await evening.open("chess", "Ben", "Dora", position=MATED.replace("/ g / rgb", "/ b / rgb"))
    blue = await evening.whose_turn()
    only = await blue.autocomplete("chess move", "move", "")
    assert [(choice.name, choice.value) for choice in only] == [
        ("Cavalry E6Ψ", "E6Ψ"),
        ("Cavalry E6Ψ → F3Ω · captures Green's General", "E6ΨxF3Ω"),
    ]
    for typed in ("E6ΨxF3Ω", "e67 x f38", "cavalry"):
        assert "E6ΨxF3Ω" in [choice.value for choice in await blue.autocomplete("chess move", "move", typed)], typed
    await blue.slash("chess move", move="E6ΨxF3Ω")
    red = await evening.whose_turn()
    for typed in ("h8γ", "H8g", "h82", "h8γ h8β", "h82-h81", "H8Γ-H8β+rC>C7", "rescue"):
        found = await red.autocomplete("chess move", "move", typed)
        assert "H8Γ-H8β+rC>C7Ψ" in [choice.value for choice in found], typed
        assert any("Rescue: Red Cavalry" in choice.name for choice in found)
    assert len(await red.autocomplete("chess move", "move", "")) == 25
    pieces = await red.autocomplete("chess move", "move", "h")
    assert pieces[0].value == "H8Γ"
    targets = await red.autocomplete("chess move", "target", "", move="H82")
    assert [choice.name for choice in targets] == ["H7Γ", "H8β · may rescue a prisoner"]


async def test_the_own_side_and_the_position_are_shown_privately(evening: Evening) -> None:
    await evening.open("chess", "Ben", "Dora")
    red = await evening.whose_turn()
    for answer in (await red.slash("chess board"), await red.press("From my side")):
        assert answer.private
        assert len(seen(answer).pictures) == 1
        assert "Move" in seen(answer).labels
        assert "The board is turned to your side: your corner is at the bottom." in answer.text
    (other, *_) = await evening.others()
    assert seen(await other.press("From my side")).labels == []
    position = await red.slash("chess position")
    assert position.private
    assert (await evening.table()).view(None).position in position.text
    watcher = await evening["小陳"].go(red.where).press("From my side")
    assert watcher.private
    assert "turned" not in watcher.text
    assert len(seen(watcher).pictures) == 1


async def test_a_position_to_start_from_is_read_and_refused_in_a_sentence(evening: Evening) -> None:
    ada = evening["Ada"]
    refused = await ada.slash("chess new", position="rrGA8Ω / r / rgb / - / -")
    assert refused.private
    assert "everybody in the game has just one General" in refused.text
    assert "five parts" in (await ada.slash("chess new", position="nonsense")).text
    await ada.slash("chess new", position=TWO)
    assert f"**Starts from:** `{read(TWO).text()}`" in ada.sees("#games")[-1].text


async def test_everything_is_in_the_readers_language(evening: Evening) -> None:
    await evening.open("chess", "小陳", "Ben", position=MATED)
    chen = evening["小陳"]
    assert "三支軍隊" in (await chen.press("Rules")).text
    text = (await chen.press("As text")).text
    assert "綠方" in text
    assert "被紅方和藍方將死" in text
    assert "主帥" in text
