"""Refusals of Triangulation chess as sentences: what was wrong, and what would be right."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.render.chess.terms import KIND_NAMES, armies, army, kind_of
from bot.words import Words
from rules.chess.names import COLOUR_LETTERS, KIND_LETTERS
from rules.game import BadHeader, Refusal, translatable

Facts = Mapping[str, object]
Say = Callable[[Facts, Words], str]

SHOWN = 5
"""Moves or triangles that a sentence names at most."""


def refusal_sentence(refusal: Refusal, words: Words) -> str | None:
    """The sentence; None for a refusal that is not of these rules."""
    if isinstance(refusal, BadHeader):
        return _of_setup(refusal, words)
    say = SENTENCES.get(refusal.rule)
    return say(refusal.facts, words) if say else None


def _of_setup(refusal: BadHeader, words: Words) -> str | None:
    if refusal.rule == "colours":
        return words("Two players want the same colour, or one that nobody plays here. One has to choose another.")
    if refusal.facts.get("header") != "Position":
        return None
    reason = words(POSITION_REASONS.get(refusal.rule, OTHER_REASON))
    return words(
        "That is no position that can be played: {reason} `/chess position` shows how one is written.", reason=reason
    )


OTHER_REASON = translatable("one of its parts cannot be read.")
POSITION_REASONS = {
    "parts": translatable("it has five parts with `/` between: pieces, to move, in the game, prisoners, checkmated."),
    "turn": translatable("it has to say who is to move, one of those in the game."),
    "piece": translatable("a piece is owner, colour, kind and triangle, such as `rrIC6Ω`."),
    "triangle": translatable("one of its triangles is not on the board."),
    "two_pieces": translatable("two pieces stand on one triangle."),
    "owner": translatable("a piece belongs to somebody who is not in the game."),
    "generals": translatable("everybody in the game has just one General, their own."),
    "playing": translatable("those in the game have to be two or three of the colours that people play here."),
}
"""By rule of `rules.chess.position.read`."""


# -- Facts -----------------------------------------------------------------------------------------------------------


def _number(fact: object) -> int:
    assert isinstance(fact, int)
    return fact


def _texts(fact: object) -> list[str]:
    return [str(each) for each in fact] if isinstance(fact, tuple) else []


def _codes(fact: object, words: Words) -> str:
    """Some of these moves or triangles."""
    found = _texts(fact)
    shown = [f"`{text}`" for text in found[:SHOWN]] + (["…"] if len(found) > SHOWN else [])
    return words.series(shown, "or")


def _plain_series(fact: object, words: Words) -> str:
    return words.series((f"`{text}`" for text in _texts(fact)), "and")


def _kind(fact: object, words: Words) -> str:
    return kind_of(_number(fact), words)


def _army(fact: object, words: Words) -> str:
    return army(_number(fact), words)


def _players(fact: object, words: Words) -> str:
    return armies((_number(each) for each in fact) if isinstance(fact, tuple) else (), words)


def _prisoners(fact: object, words: Words) -> str:
    """Prisoners by their texts, such as `rI`."""
    return words.series(
        (
            words(
                "{colour} {kind}",
                colour=army(COLOUR_LETTERS.index(text[0]), words),
                kind=words(KIND_NAMES[KIND_LETTERS.index(text[1])]),
            )
            for text in _texts(fact)
        ),
        "or",
    )


def _hinted(sentence: str, facts: Facts, words: Words) -> str:
    """The sentence, and what was probably meant where two numbers have been swapped."""
    if facts.get("swapped") is None:
        return sentence
    hint = words("With both numbers swapped it would be `{triangle}`.", triangle=facts["swapped"])
    return f"{sentence} {hint}".replace("。 ", "。")


# -- Reading ---------------------------------------------------------------------------------------------------------


def _not_on_board(facts: Facts, words: Words) -> str:
    if columns := _texts(facts["columns"]):
        return words(
            "`{triangle}` is not on the board: with {rank} and {file} the column is {columns}.",
            triangle=facts["triangle"],
            rank=facts["rank"],
            file=facts["file"],
            columns=words.series(columns, "or"),
        )
    return words(
        "`{triangle}` is not on the board: with {rank} the number is {files}.",
        triangle=facts["triangle"],
        rank=facts["rank"],
        files=words.series(_texts(tuple(facts["files"]) if isinstance(facts["files"], tuple) else ()), "or"),
    )


def _triangle(facts: Facts, words: Words) -> str:
    return words(
        "`{text}` is no triangle. Its name is a letter A–H, a number 1–8 and a Greek letter, such as `C6Ω`; a digit "
        "(`C68`) or a Latin letter (`C6w`) will do for the Greek one.",
        text=_quoted(facts["text"]),
    )


def _action(facts: Facts, words: Words) -> str:
    return words(
        "I cannot read `{text}` as a move. Write where the piece stands and where it goes, such as `C6Ω-D5Ω` or "
        "`C68 D58`; the button “Move” offers what is possible.",
        text=_quoted(facts["text"]),
    )


def _quoted(fact: object) -> str:
    return str(fact).replace("`", "'").replace("\n", " ")


# -- Ways of moving --------------------------------------------------------------------------------------------------


def _empty(facts: Facts, words: Words) -> str:
    return _hinted(words("No piece stands on `{triangle}`.", triangle=facts["triangle"]), facts, words)


def _not_yours(facts: Facts, words: Words) -> str:
    if facts["owner"] == 3:
        return words("The piece on `{triangle}` is neutral: nobody moves it.", triangle=facts["triangle"])
    return words(
        "The piece on `{triangle}` belongs to {owner}. Move one of yours.",
        triangle=facts["triangle"],
        owner=_army(facts["owner"], words),
    )


def _wrong_kind(facts: Facts, words: Words) -> str:
    return words(
        "On `{triangle}` there is your {kind}, not the {named}.",
        triangle=facts["triangle"],
        kind=_kind(facts["kind"], words),
        named=_kind(facts["named"], words),
    )


def _stuck(facts: Facts, words: Words) -> str:
    return words(
        "The {kind} on `{triangle}` cannot go anywhere now. Move another piece.",
        kind=_kind(facts["kind"], words),
        triangle=facts["triangle"],
    )


def _unreachable(facts: Facts, words: Words) -> str:
    if facts["kind"] is None:
        sentence = words("None of your pieces can go to `{target}`.", target=facts["target"])
    else:
        sentence = words(
            "You have no {kind} that can go to `{target}`.",
            kind=_kind(facts["kind"], words),
            target=facts["target"],
        )
    return _hinted(sentence, facts, words)


def _no_way(facts: Facts, words: Words) -> str:
    how = words(WAYS[_number(facts["kind"])])
    sentence = words(
        "The {kind} does not go from `{start}` to `{target}`: {how}",
        kind=_kind(facts["kind"], words),
        start=facts["start"],
        target=facts["target"],
        how=how,
    )
    return _hinted(sentence, facts, words)


WAYS = (
    translatable("it steps forward over one side and captures forward over a corner."),
    translatable("it goes straight along a row, up to the first piece."),
    translatable("it leaps two or three triangles straight on, over sides and corners in turn."),
    translatable("it goes one triangle, over a side or a corner."),
)
"""How each kind moves, in half a sentence."""


def _own_piece(facts: Facts, words: Words) -> str:
    return words("Your own {kind} stands on `{target}`.", kind=_kind(facts["kind"], words), target=facts["target"])


def _gate(facts: Facts, words: Words) -> str:
    return words(
        "The way from `{start}` to `{target}` leads past `{gate}`, and the piece there shuts it.",
        start=facts["start"],
        target=facts["target"],
        gate=facts["gate"],
    )


def _blocked(facts: Facts, words: Words) -> str:
    return words("The piece on `{by}` stands in the way to `{target}`.", by=facts["by"], target=facts["target"])


def _straight(facts: Facts, words: Words) -> str:
    return words(
        "A piece stands on `{target}`, and Infantry does not capture over a side, only over a corner.",
        target=facts["target"],
    )


def _nothing_to_capture(facts: Facts, words: Words) -> str:
    return words("Infantry goes over a corner only to capture, and `{target}` is empty.", target=facts["target"])


def _no_charge(facts: Facts, words: Words) -> str:
    return words(
        "Infantry goes more than one step only from row 3 of its colour, and `{start}` is not there.",
        start=facts["start"],
    )


# -- Safety and duties -----------------------------------------------------------------------------------------------


def _open(facts: Facts, words: Words) -> str:
    return words(
        "That leaves your General on `{general}` open to {by} (from {attackers}).",
        general=facts["general"],
        by=_players(facts["by"], words),
        attackers=_plain_series(facts["attackers"], words),
    )


def _must_capture(facts: Facts, words: Words) -> str:
    generals = facts["generals"] if isinstance(facts["generals"], tuple) else ()
    whose = words.series((words("{player}'s General", player=_army(each, words)) for each in generals), "or")
    return words("You must capture {generals}: {captures}.", generals=whose, captures=_codes(facts["captures"], words))


def _general_last(facts: Facts, words: Words) -> str:
    return words(
        "No move is safe now, so your General on `{general}` moves only if no other piece can. Move another piece.",
        general=facts["general"],
    )


def _castling_pieces(facts: Facts, words: Words) -> str:
    return words(
        "Castling takes your own General (`{general}`) and a Rukh of its colour that you own.",
        general=facts["general"],
    )


def _castling_moved(facts: Facts, words: Words) -> str:
    return words(
        "Castling is not possible: the {kind} on `{triangle}` has moved before.",
        kind=_kind(facts["kind"], words),
        triangle=facts["triangle"],
    )


def _castling_in_check(facts: Facts, words: Words) -> str:
    return words(
        "You cannot castle out of check: {by} attacks your General (from {attackers}).",
        by=_players(facts["by"], words),
        attackers=_plain_series(facts["attackers"], words),
    )


def _castling_into_check(facts: Facts, words: Words) -> str:
    return words(
        "You cannot castle into check: {by} would attack your General (from {attackers}).",
        by=_players(facts["by"], words),
        attackers=_plain_series(facts["attackers"], words),
    )


# -- Rescues ---------------------------------------------------------------------------------------------------------


def _no_prisoners(facts: Facts, words: Words) -> str:
    return words(
        "{captor} holds no prisoner that this Infantry may rescue: only those of its own colour or of yours.",
        captor=_army(facts["captor"], words),
    )


def _not_held(facts: Facts, words: Words) -> str:
    return words(
        "{captor} does not hold that prisoner for you to rescue. You can rescue: {prisoners}.",
        captor=_army(facts["captor"], words),
        prisoners=_prisoners(facts["prisoners"], words),
    )


def _infantry_last(facts: Facts, words: Words) -> str:
    return words(
        "An Infantry is rescued only where nothing else can be. Rescue: {prisoners}.",
        prisoners=_prisoners(facts["prisoners"], words),
    )


def _no_room(facts: Facts, words: Words) -> str:
    return words.many(
        "There is no room for a rescue: {count} empty triangle of your row 3 is needed ({free} empty).",
        "There is no room for a rescue: {count} empty triangles of your row 3 are needed ({free} empty).",
        _number(facts["needed"]),
        free=facts["free"],
    )


def _places(facts: Facts, words: Words) -> str:
    return words.many(
        "This rescue takes {count} triangle of your row 3, not {told}.",
        "This rescue takes {count} triangles of your row 3, not {told}.",
        _number(facts["needed"]),
        told=facts["told"],
    )


def _no_place(facts: Facts, words: Words) -> str:
    return words(
        "`{place}` will not do: the Infantry goes back to an empty triangle of your row 3 ({free}).",
        place=facts["place"],
        free=_codes(facts["free"], words),
    )


def _rescue_corner(facts: Facts, words: Words) -> str:
    return words("Prisoners are rescued on an opponent's home corner, which `{target}` is not.", target=facts["target"])


SENTENCES: Mapping[str, Say] = {
    "not_on_board": _not_on_board,
    "triangle": _triangle,
    "action": _action,
    "empty": _empty,
    "not_yours": _not_yours,
    "kind": _wrong_kind,
    "stuck": _stuck,
    "unreachable": _unreachable,
    "own_piece": _own_piece,
    "gate": _gate,
    "blocked": _blocked,
    "straight": _straight,
    "nothing_to_capture": _nothing_to_capture,
    "no_charge": _no_charge,
    "no_way": _no_way,
    "open": _open,
    "must_capture": _must_capture,
    "general_last": _general_last,
    "castling_pieces": _castling_pieces,
    "castling_moved": _castling_moved,
    "castling_in_check": _castling_in_check,
    "castling_into_check": _castling_into_check,
    "rescue_infantry": lambda facts, words: words(
        "Only Infantry rescues, not a {kind}.", kind=_kind(facts["kind"], words)
    ),
    "rescue_corner": _rescue_corner,
    "no_prisoners": _no_prisoners,
    "not_held": _not_held,
    "infantry_last": _infantry_last,
    "no_room": _no_room,
    "places": _places,
    "no_place": _no_place,
    "pass": lambda _, words: words("You have moves, so you cannot pass."),
    "not_so": lambda facts, words: words("`{action}` does not say what the move does.", action=facts["action"]),
    "out": lambda _, words: words("Your General has been captured: you are out of this game."),
    "offered": lambda _, words: words("You offer a draw already. It is agreed when all the others offer one too."),
}
"""By rule."""
