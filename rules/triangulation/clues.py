"""Which clues are legal: no form of a word of the message, in whatever disguise.

A clue is refused when one of its words, or the clue run together without punctuation and spaces, has the stem of one of
the message's words or compound parts, or is the whole message. Readings beyond the rules sheet's words: a clue's words
also part at punctuation between letters (`bat/ball` has the word bat), and symbols do not hide a word (`B+A+T`). What
Chinese makes of it stands in `rules.triangulation.language`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

import msgspec

from rules.triangulation.characters import is_blank, is_han, is_punctuation, mixes_scripts, trimmed, typed_words
from rules.triangulation.deck import Message
from rules.triangulation.language import Language, Word, runs, stem
from rules.triangulation.numerals import numbers_in

LONGEST_TEXT = 100
"""Characters in a clue or a guess."""

LINE_BREAKS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")


class ClueFault(msgspec.Struct, frozen=True):
    """Why a clue is refused. `clue` counts from 0.

    Rules: `empty`, `long`, `lines` (more than one line), `bar`, `character` (a control character; `word` is its code),
    `mixed` (`word` mixes scripts), `word` (`word` of the clue is a form of `of`, a word of the message), `message`
    (`word` is the whole message, `of`), `number` (`word` is the same number as `of`).
    """

    clue: int
    rule: str
    word: str = ""
    of: str = ""

    def __repr__(self) -> str:
        # A refusal may end in a log, where nothing secret belongs.
        return f"{'ABC'[self.clue]}:{self.rule}"


def tidy(text: str) -> str:
    """A clue or guess without the spaces around it."""
    return text.strip()


def text_fault(text: str) -> str | None:
    """Why a tidied text can be neither clue nor guess: `empty`, `long`, `lines` or `character`; None where it can."""
    if is_blank(text):
        return "empty"
    if len(text) > LONGEST_TEXT:
        return "long"
    if LINE_BREAKS & set(text):
        return "lines"
    return "character" if _forbidden(text) else None


def _forbidden(text: str) -> str:
    """The first character of the text that no text may hold, as its code point; empty where there is none."""
    return next((f"U+{ord(sign):04X}" for sign in text if unicodedata.category(sign) in ("Cc", "Cs")), "")


def faults(clues: Sequence[str], message: Message, language: Language) -> tuple[ClueFault, ...]:
    """Everything that is wrong with an Insider's tidied clues: at most one fault a clue, all clues at once."""
    found = (_fault(number, clue, message, language) for number, clue in enumerate(clues))
    return tuple(fault for fault in found if fault is not None)


def _fault(number: int, clue: str, message: Message, language: Language) -> ClueFault | None:
    if rule := text_fault(clue):
        return ClueFault(number, rule, _forbidden(clue) if rule == "character" else "")
    if "|" in clue:
        return ClueFault(number, "bar", "|")
    for typed in typed_words(clue):
        if mixes_scripts(typed):
            return ClueFault(number, "mixed", trimmed(typed) or typed)
    for rule, word, of in _likenesses(clue, message, language):
        return ClueFault(number, rule, word, of)
    return None


def _likenesses(clue: str, message: Message, language: Language) -> Iterator[tuple[str, str, str]]:
    """What the clue has of the message: the rule, the clue's word and the message's."""
    candidates = _candidates(clue, language)
    yield from _same_whole(candidates, message, language)
    targets = message_words(message, language)
    for candidate in candidates:
        for target in targets:
            if _is_form(candidate.normal, target.normal):
                yield "word", candidate.typed, target.typed
    if language.by_character:
        yield from _same_numbers(clue, message, language)


def _is_form(word: str, of: str) -> bool:
    return word == of or stem(word) == stem(of)


def _same_whole(candidates: Sequence[Word], message: Message, language: Language) -> Iterator[tuple[str, str, str]]:
    wholes = {language.key_of(message.text), language.run_together(message.text)}
    for candidate in candidates:
        if candidate.normal in wholes:
            yield "message", candidate.typed, message.text


def message_words(message: Message, language: Language) -> tuple[Word, ...]:
    """The words that a clue may hold no form of: those of the message and the parts of its compounds.

    In Chinese: its characters, and its runs of letters and digits.
    """
    words = [word for text in (message.text, *message.parts) for word in language.words(text)]
    if not language.by_character:
        return tuple(dict.fromkeys(words))
    return tuple(dict.fromkeys(piece for word in words for piece in _pieces(word, language)))


def _candidates(clue: str, language: Language) -> tuple[Word, ...]:
    """All that counts as a word of the clue."""
    words = list(language.words(clue))
    words += [Word(trimmed(piece), language.key_of(piece)) for piece in _between_punctuation(clue)]
    words += [Word(word.typed, _letters(word.normal)) for word in words]
    together = language.run_together(clue)
    whole = [Word(clue, together), Word(clue, language.key_of(clue)), Word(clue, _letters(together))]
    if language.by_character:
        # Single characters first: a fault names the character, not the clue it stands in.
        words = [piece for word in words for piece in _pieces(word, language)]
        whole += [Word(clue, run) for run in runs(together)]
    return tuple(word for word in dict.fromkeys([*words, *whole]) if word.normal)


def _between_punctuation(clue: str) -> Iterator[str]:
    """The pieces of words that hold punctuation, where they are two letters or more: bat and ball of `bat/ball`."""
    for typed in typed_words(clue):
        pieces = "".join(" " if _parts_words(sign) else sign for sign in trimmed(typed)).split()
        if len(pieces) > 1:
            yield from (piece for piece in pieces if len(piece) > 1 and not any(sign.isdigit() for sign in piece))


def _parts_words(sign: str) -> bool:
    return is_punctuation(sign) and sign not in "'’"


def _letters(normal: str) -> str:
    """A normalised text without its symbols, and without letters that look like punctuation (ʼ)."""
    return "".join(
        sign for sign in normal if unicodedata.category(sign) != "Lm" and unicodedata.category(sign)[0] in "LN"
    )


# -- Chinese -------------------------------------------------------------------------------------------------------


def _pieces(word: Word, language: Language) -> Iterator[Word]:
    """The Chinese characters of a word one by one, as typed, then its runs of other characters."""
    for typed in word.typed:
        for character in language.run_together(typed):
            if is_han(character) and character not in language.connecting:
                yield Word(typed, character)
    for run in runs(word.normal):
        if not run.isdigit():  # numbers are compared by value
            yield Word(run if len(run) < len(word.normal) else word.typed, run)


def _same_numbers(clue: str, message: Message, language: Language) -> Iterator[tuple[str, str, str]]:
    texts = [language.plain(clue), language.run_together(clue)]
    ours = {value: written for text in texts for value, written in numbers_in(text).items()}
    theirs = numbers_in(language.run_together(message.text))
    for value in ours.keys() & theirs.keys():
        yield "number", ours[value], theirs[value]
