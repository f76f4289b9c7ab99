"""What Triangulation chess says: refusals, announcements, labels; and pages of long menus."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, cast

import pytest

from bot.page import MOST_OPTIONS, Addresses, Button, Menu, Option
from bot.tables import MovedOn, Table
from bot.words import Words, words_for
from cogs.chess.commands import Moves, letters_of, numbers, offer, paged, situation
from cogs.chess.face import ChessFace
from cogs.chess.refusals import POSITION_REASONS, SENTENCES, refusal_sentence
from cogs.chess.story import story
from rules.chess import GAME
from rules.chess.actions import ChessAction
from rules.chess.position import read
from rules.chess.state import ChessDeal, ChessOptions, ChessSetup, ChessState
from rules.game import BadHeader, DrawOffered, Event, Illegal, Refusal, Unreadable

ENGLISH, CHINESE = words_for("en"), words_for("zh-TW")
RULES = Path(__file__).parents[2] / "rules" / "chess"
CORNERED = "ggGH1Ω bbGH8β / r / rgb / - / -"


def game(position: str | None = None, seats: int = 3, **options: Any) -> ChessState:
    return GAME.start(ChessSetup(seats=seats, position=position), ChessOptions.of(options), ChessDeal())


def refused(position: str | None, text: str) -> Refusal:
    """How the player to move is refused this."""
    state = game(position)
    seat = GAME.to_act(state)[0]
    with pytest.raises(Refusal) as caught:
        GAME.play(state, seat, GAME.parse(state, seat, text))
    return caught.value


def sentence(refusal: Refusal, words: Words = ENGLISH) -> str:
    said = refusal_sentence(refusal, words)
    assert said is not None, refusal.rule
    return said


# -- Refusals ------------------------------------------------------------------------------------------------------


def rule_names() -> set[str]:
    """Every rule that this game's rules refuse by."""
    sources = "".join(path.read_text(encoding="utf-8") for path in RULES.glob("*.py"))
    found = set(re.findall(r'(?:Illegal|Unreadable)\(\s*"(\w+)"', sources))
    return found | {"not_held", "infantry_last"}


def test_every_rule_of_the_game_has_a_sentence() -> None:
    assert rule_names() - {"left"} <= set(SENTENCES)
    assert set(SENTENCES) - rule_names() == set()


FACTS: dict[str, Any] = {
    "triangle": "C7Ψ",
    "rank": "C",
    "file": 7,
    "columns": ("Ψ", "Ω"),
    "files": (6, 7, 8),
    "text": "`bad`",
    "swapped": "C8Φ",
    "owner": 1,
    "kind": 2,
    "named": 1,
    "target": "D7Ψ",
    "start": "C7Ψ",
    "gate": "C7Ω",
    "by": (1, 2),
    "attackers": ("F3Ω", "F4Ψ"),
    "general": "B8Ω",
    "generals": (1,),
    "captures": tuple(f"A8Ωx{column}" for column in "abcdefg"),
    "rukh": None,
    "captor": 2,
    "colour": 0,
    "prisoners": ("rR", "gC"),
    "needed": 2,
    "free": ("C6Ω",),
    "told": 1,
    "place": "C6Ω",
    "action": "A8Ω-B8Ω",
    "player": 0,
}
NUMBERS: dict[str, dict[str, Any]] = {"no_room": {"free": 1}, "blocked": {"by": "C7Ω"}}


@pytest.mark.parametrize("rule", sorted(SENTENCES))
@pytest.mark.parametrize("words", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_each_sentence_can_be_said(rule: str, words: Words) -> None:
    said = sentence(Illegal(rule, **FACTS | NUMBERS.get(rule, {})), words)
    assert 5 < len(said) < 400
    assert said[-1] in ".。" or said.endswith("`)。")
    assert "None" not in said
    assert "{" not in said


@pytest.mark.parametrize(
    ("position", "typed", "said"),
    [
        (None, "C7Σ", "`C7Σ` is not on the board: with C and 7 the column is Ψ or Ω."),
        (None, "A1", "`A1` is not on the board: with A the number is 8."),
        (None, "C8Ω-D7Ψ", "`C8Ω` is not on the board: with C and 8 the column is Φ or Ψ."),
        (None, "D8Σ-D5Ω", "No piece stands on `D8Σ`."),
        (
            None,
            "C6Ω-D8Φ",
            "The Infantry does not go from `C6Ω` to `D8Φ`: it steps forward over one side and captures "
            "forward over a corner. With both numbers swapped it would be `D6Ω`.",
        ),
        (None, "F3Ω-E4Ω", "The piece on `F3Ω` belongs to Green. Move one of yours."),
        (None, "rukh C6Ω-D6Ω", "On `C6Ω` there is your Infantry, not the Rukh."),
        (None, "B7Ω", "The Rukh on `B7Ω` cannot go anywhere now. Move another piece."),
        (None, "B8Ω-C8Φ", "Your own Infantry stands on `C8Φ`."),
        (None, "C7Ψ-D6Ω", "Infantry goes over a corner only to capture, and `D6Ω` is empty."),
        (
            f"rrGA8Ω rrID7Φ {CORNERED}",
            "D7Φ-F6Φ",
            "Infantry goes more than one step only from row 3 of its colour, and `D7Φ` is not there.",
        ),
        (
            f"rrGF6Φ rrIF6Σ {CORNERED}",
            "F6Φ-F7Σ",
            "The way from `F6Φ` to `F7Σ` leads past `F6Σ`, and the piece there shuts it.",
        ),
        (
            "rrGA8Ω rrIC8Φ ggRB7Ω ggGH1Ω bbGH8β / r / rgb / - / -",
            "C8Φ-D8Φ",
            "That leaves your General on `A8Ω` open to Green (from `B7Ω`).",
        ),
        (None, "B8Ω=A8Ω", "Castling takes your own General (`B8Ω`) and a Rukh of its colour that you own."),
        (f"rrG*B8Ω rrRB7Ω {CORNERED}", "castle", "Castling is not possible: the Rukh on `B7Ω` has moved before."),
        (
            f"rrIG1Ω rrGA8Ω {CORNERED}".replace("G1Ω", "G2Ω"),
            "G2Ω-H2Ω+rR>C7Ψ",
            "Prisoners are rescued on an opponent's home corner, which `H2Ω` is not.",
        ),
        (
            "rrIH2Ω rrGA8Ω ggGE4Ω bbGH8β / r / rgb / - / -",
            "H2Ω-H1Ω+rR>C7Ψ",
            "Green holds no prisoner that this Infantry may rescue: only those of its own colour or of yours.",
        ),
        (
            "rrIH2Ω rrGA8Ω ggGE4Ω bbGH8β / r / rgb / g:rC / -",
            "H2Ω-H1Ω+rR>C7Ψ",
            "Green does not hold that prisoner for you to rescue. You can rescue: Red Cavalry.",
        ),
        (
            "rrIH2Ω rrGA8Ω ggGE4Ω bbGH8β / r / rgb / g:rC,rI / -",
            "H2Ω-H1Ω+rI>C7Ψ,C6Ω",
            "An Infantry is rescued only where nothing else can be. Rescue: Red Cavalry.",
        ),
        (
            "rrIH2Ω rrGA8Ω ggGE4Ω bbGH8β / r / rgb / g:rC / -",
            "H2Ω-H1Ω+rC>D7Ψ",
            "`D7Ψ` will not do: the Infantry goes "
            "back to an empty triangle of your row 3 (`C6Ω`, `C7Ψ`, `C7Ω`, `C8Φ` or `C8Ψ`).",
        ),
        (None, "--", "You have moves, so you cannot pass."),
    ],
)
def test_the_sentence_names_what_was_wrong_and_what_would_be_right(position: str | None, typed: str, said: str) -> None:
    assert sentence(refused(position, typed)) == said


def test_who_is_out_or_offers_twice_is_told_so() -> None:
    state = GAME.offer_draw(game(), 0).state
    with pytest.raises(Illegal) as caught:
        GAME.offer_draw(state, 0)
    assert "You offer a draw already" in sentence(caught.value)


def test_positions_that_cannot_be_are_refused_with_the_reason() -> None:
    sources = (RULES / "position.py").read_text(encoding="utf-8")
    for rule in re.findall(r'_bad\(\s*"(\w+)"', sources):
        said = sentence(BadHeader(rule, header="Position"))
        assert said.startswith("That is no position that can be played:")
    for rule in POSITION_REASONS:
        assert sentence(BadHeader(rule, header="Position"), CHINESE).startswith("這個局面不能玩")
    assert sentence(BadHeader("colours", wishes=(), colours=())).startswith("Two players want the same colour")
    assert refusal_sentence(BadHeader("seats", header="Seats"), ENGLISH) is None
    assert refusal_sentence(Unreadable("no_such_rule"), ENGLISH) is None


# -- Announcements -------------------------------------------------------------------------------------------------


def told(position: str | None, text: str, words: Words = ENGLISH, seats: int = 3) -> str:
    """What is said of a move."""
    state = game(position, seats)
    seat = GAME.to_act(state)[0]
    action = GAME.parse(state, seat, text)
    return _story(action, GAME.play(state, seat, action).events, words)


def _story(action: ChessAction | None, events: tuple[Event, ...], words: Words = ENGLISH) -> str:
    said = story("Ada", action, events, words)
    assert said is not None
    return said


MATED = "rrRB7Ω ggID7Φ rrGD7Ψ bbCE6Ψ ggGF3Ω bbIF5Φ rrRF6Σ rrCF6Φ bbIG4Φ bbGG5Φ / g / rgb / r:bI g:bI,rI b:gI / g<rb"


@pytest.mark.parametrize(
    ("position", "typed", "said"),
    [
        (None, "C7Ψ-D7Ψ", "Ada: Infantry `C7Ψ-D7Ψ`."),
        (None, "B8Ω=B7Ω", "Ada castles: `B8Ω=B7Ω`."),
        (
            f"rrGA8Ω rrRC7Ψ ggIC6Ω {CORNERED}",
            "C7ΨxC6Ω",
            "Ada: Rukh `C7ΨxC6Ω`. It captures Green's Infantry. **Red checks Green.**",
        ),
        (
            f"rrGA8Ω rrRC7Ψ bgIC6Ω {CORNERED}",
            "C7ΨxC6Ω",
            "Ada: Rukh `C7ΨxC6Ω`. It captures Blue's Green Infantry. **Red checks Green.**",
        ),
        (f"rrGA8Ω rgRC7Ψ {CORNERED}", "C7Ψ-C6Ω", "Ada: Green Rukh `C7Ψ-C6Ω`. **Red checks Green.**"),
        (
            "rrIH2Ω rrGA8Ω ggGE4Ω bbGH8β / r / rgb / g:rR / -",
            "H2Ω-H1Ω+rR>C7Ψ",
            "Ada: Infantry `H2Ω-H1Ω+rR>C7Ψ`. **It rescues a prisoner of Green: Red Rukh**, now on `H1Ω`. The Infantry "
            "goes to `C7Ψ`. **Red checks Green.** **Red checks Blue.** **Double check by Red!**",
        ),
        (
            MATED,
            "D7Φ-D8Φ",
            "Ada: Infantry `D7Φ-D8Φ`. **Red and Blue check Green.** **Blue must capture Green's General.**",
        ),
        (
            MATED.replace("/ g / rgb", "/ b / rgb"),
            "E6ΨxF3Ω",
            "Ada: Cavalry `E6ΨxF3Ω`. ⚔️ **Green's General is captured: Green is out.** Blue takes over 1 piece and "
            "2 prisoners.",
        ),
        (
            "rrRH4Σ rrGB8Ω ggGH1Ω / r / rg / - / -",
            "H4ΣxH1Ω",
            "Ada: Rukh `H4ΣxH1Ω`. ⚔️ **Green's General is captured: Green is out.** 🏆 **Red wins: the last General.**",
        ),
        ("rrRC7Ψ rrGB8Ω ggGH1Ω ggID7Ψ / r / rg / - / -", "C7Ψ-C6Ω", "Ada: Rukh `C7Ψ-C6Ω`. **Red checks Green.**"),
    ],
)
def test_what_happened_is_told_in_the_rulebooks_words(position: str | None, typed: str, said: str) -> None:
    assert told(position, typed) == said
    assert told(position, typed, CHINESE)


def test_a_double_check_and_a_checkmate_are_announced() -> None:
    double = "rrRF4Ψ rrGA8Ω ggGH1Ω bbGH8β / r / rgb / - / -"
    state = game(double)
    found = [
        text for action in GAME.legal(state, 0) if "Double check by Red!" in (text := told(double, GAME.text(action)))
    ]
    assert found
    assert all("**Red checks Green.** **Red checks Blue.** **Double check by Red!**" in text for text in found)


def test_leaving_offering_declining_and_draws_are_announced() -> None:
    left = _story(None, GAME.leave(game(MATED), 2).events)
    assert left.startswith("Blue's army is neutral now (4 pieces); out of the game: 1 prisoner.")
    state = GAME.offer_draw(game(), 1).state
    action = GAME.parse(state, 0, "C7Ψ-D7Ψ")
    assert "The draw is declined by this move." in _story(action, GAME.play(state, 0, action).events)
    state = GAME.offer_draw(state, 0).state
    assert _story(None, GAME.offer_draw(state, 2).events) == "A draw is agreed."
    assert story("Ada", None, (DrawOffered(0),), ENGLISH) is None


def test_the_status_tells_who_offers_a_draw_and_whose_offer_is_missing() -> None:
    face = ChessFace()
    view = GAME.view(GAME.offer_draw(game(), 1).state, None)
    status = face.status(view, ENGLISH, ("Ada", "Ben", "Dora"))
    assert "A draw is offered by Green. It still takes the same offer by Red and Blue" in status
    assert "提議和局" in face.status(view, CHINESE, ("Ada", "Ben", "Dora"))


# -- Choices -------------------------------------------------------------------------------------------------------


class Stood:
    """A table of which only the game is needed."""

    def __init__(self, state: ChessState) -> None:
        self.state = state

    def view(self, seat: int | None) -> Any:
        return GAME.view(self.state, seat)


def moves_of(state: ChessState) -> Moves:
    return Moves(cast(Table, Stood(state)), GAME.to_act(state)[0], ENGLISH)


def test_a_piece_says_what_it_can_take_and_how_far_it_can_go() -> None:
    moves = moves_of(game("rrRD6Φ ggIF6Σ rrGB8Ω ggGH1Ω bbGH8β / r / rgb / - / -".replace("D6Φ", "C7Ψ")))
    rukh = next(start for start in moves.starts() if moves.piece_label(start) == "Rukh C7Ψ")
    assert "triangles to go to" in (moves.piece_option(rukh).description or "")
    capture = moves_of(game(f"rrGA8Ω rrRC7Ψ ggIC6Ω {CORNERED}"))
    start = next(start for start in capture.starts() if capture.piece_label(start) == "Rukh C7Ψ")
    assert (capture.piece_option(start).description or "").startswith("captures Green Infantry; ")
    assert capture.target_label(start, capture.targets(start)[0]) == "C6Ω · captures Green Infantry"
    assert capture.label(capture.best_first()[0]) == "Rukh C7Ψ → C6Ω · captures Green Infantry"
    assert not capture.some_stay()
    assert moves_of(game()).some_stay()


def test_who_is_in_check_is_told_that_they_must_move_out_of_it() -> None:
    view = GAME.view(game("rrGA8Ω rrIC8Φ ggRB7Ω ggGH1Ω bbGH8β / r / rgb / - / -"), 0)
    lines = situation(view, ENGLISH)
    assert lines == [
        "⚠️ **Green checks Red (Rukh B7Ω).**",
        "You must move out of check: only such moves are offered.",
    ]


ADDRESS = Addresses(1, 7)


@pytest.mark.parametrize("count", [1, 25, 26, 50, 51, 60])
def test_long_menus_are_paged_without_dead_ends(count: int) -> None:
    options = [Option(str(number), str(number)) for number in range(count)]
    reached: set[str] = set()
    pages = -(-count // MOST_OPTIONS)
    for number in range(pages):
        shown, turning = paged(options, number, ENGLISH, lambda page: ADDRESS("choose", str(page)))
        assert 0 < len(shown) <= MOST_OPTIONS
        reached |= {option.value for option in shown}
        buttons = [button for row in turning for button in cast(list[Button], row)]
        assert [button.disabled for button in buttons] == (
            [page == number for page in range(pages)] if pages > 1 else []
        )
    assert len(reached) == count
    beyond, _ = paged(options, 99, ENGLISH, lambda page: ADDRESS("choose", str(page)))
    assert beyond


def test_few_choices_are_buttons_and_more_a_menu() -> None:
    options = [Option(str(number), str(number)) for number in range(5)]
    (buttons,) = offer("?", ADDRESS("piece", "page 0"), options[:4], ADDRESS)
    assert [button.address for button in cast(list[Button], buttons)] == [ADDRESS("piece", str(n)) for n in range(4)]
    (menu,) = offer("?", ADDRESS("piece", "page 0"), options, ADDRESS)
    assert isinstance(menu, Menu)


def test_what_is_typed_is_compared_without_dashes_and_case() -> None:
    assert letters_of(" C6Ω–d5 ω ") == "c6ωd5ω"


def test_numbers_of_controls_are_read_and_what_no_control_carries_is_refused() -> None:
    assert numbers("12.34", 2) == (12, 34)
    assert numbers("7", 2) == (7, 0)
    for forged in ("", "x", "1.2.3", "-1", "²", "1.-5", "123", " 1"):
        with pytest.raises(MovedOn):
            numbers(forged, 2)


def test_a_position_that_a_table_starts_from_is_shown_in_its_lobby() -> None:
    text = read(MATED).text()
    assert ChessFace().brought({"position": text}, ENGLISH) == f"**Starts from:** `{text}`"
    assert ChessFace().brought({}, ENGLISH) is None


def test_every_custom_id_of_the_public_message_fits() -> None:
    rows = ChessFace().controls(GAME.view(game(), None), ENGLISH, Addresses(10**17, 10**8))
    for row in rows:
        for button in cast(list[Button], row):
            assert button.address is not None
            assert len(button.address.custom_id) <= 100
