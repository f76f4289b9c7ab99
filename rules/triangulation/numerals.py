"""Numbers in names: digits, Roman numerals, Chinese numerals."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

ROMAN = re.compile(r"(?=.)m{0,3}(cm|cd|d?c{0,3})(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})")
"""A Roman numeral, as a normalised word."""

CHINESE_DIGITS = {
    **{character: value for value, character in enumerate("零一二三四五六七八九")},
    "〇": 0,
    "○": 0,
    "两": 2,
    **{character: value for value, character in enumerate("壹贰叁肆", 1)},
    **{character: value for value, character in enumerate("柒捌玖", 7)},
}
"""Digits in simplified form. The formal 伍 陆 參 are left out: they are surnames and words of their own."""

CHINESE_TENS = {"廿": 20, "卅": 30}
CHINESE_UNITS = {"十": 10, "百": 100, "千": 1000}
CHINESE_GROUPS = {"万": 10**4, "亿": 10**8}

_CHINESE = "".join([*CHINESE_DIGITS, *CHINESE_TENS, *CHINESE_UNITS, *CHINESE_GROUPS])
_NUMBER = re.compile(rf"\d{{1,100}}|[{_CHINESE}]{{1,100}}")


def digits_in(normal: str) -> str:
    """The digits of a normalised text, run together."""
    return "".join(character for character in normal if character.isdigit())


def roman_in(words: Iterable[str]) -> tuple[str, ...]:
    """The normalised words that are Roman numerals, in order."""
    return tuple(word for word in words if ROMAN.fullmatch(word))


def numbers_in(normal: str) -> dict[int, str]:
    """The numbers in a normalised simplified Chinese text, and how each is written: digits or Chinese numerals."""
    return {_value(written): written for written in _NUMBER.findall(normal)}


def _value(written: str) -> int:
    if unicodedata.category(written[0]) == "Nd":
        return int(written)
    if all(character in CHINESE_DIGITS for character in written):  # 二〇二六: digit by digit
        return int("".join(str(CHINESE_DIGITS[character]) for character in written))
    return _counted(written)


def _counted(written: str) -> int:
    """The value of a numeral with units, as 三千零一万二十."""
    total = group = digit = 0
    for character in written:
        if character in CHINESE_DIGITS:
            digit = CHINESE_DIGITS[character]
        elif character in CHINESE_TENS:
            group, digit = group + CHINESE_TENS[character], 0
        elif character in CHINESE_UNITS:
            group, digit = group + (digit or 1) * CHINESE_UNITS[character], 0
        else:
            total, group, digit = total + (group + digit or 1) * CHINESE_GROUPS[character], 0, 0
    return total + group + digit
