"""What the stand-in says no with: Discord's error codes, and problems of a form gathered by their place in it."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
"""A JSON object of Discord's API. Its shapes are Discord's own and far too many to type here."""

Place = tuple[str | int, ...]
"""Where in a body a problem is: keys and indexes."""

REFUSALS: dict[int, tuple[int, str]] = {
    0: (400, "400: Bad Request"),
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10013: (404, "Unknown User"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    10063: (404, "Unknown application command"),
    30046: (429, "Maximum number of edits to messages older than 1 hour reached. Try again later."),
    40003: (400, "You are opening direct messages too fast"),
    40005: (413, "Request entity too large"),
    40060: (400, "Interaction has already been acknowledged."),
    50001: (403, "Missing Access"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50007: (403, "Cannot send messages to this user"),
    50013: (403, "Missing Permissions"),
    50024: (400, "Cannot execute action on this channel type"),
    50027: (401, "Invalid Webhook Token"),
    50033: (400, "Invalid Recipient(s)"),
    50035: (400, "Invalid Form Body"),
    50083: (400, "Thread is archived"),
    50278: (403, "Cannot send messages to this user due to having no mutual guilds"),
    160004: (400, "A thread has already been created for this message"),
}
"""Code to HTTP status and message."""


class Refused(Exception):
    """A request that Discord would refuse: HTTP status, Discord's code and message, and a form's problems by place."""

    def __init__(self, code: int, *, errors: Json | None = None, detail: str | None = None) -> None:
        self.status, self.message = REFUSALS[code]
        self.code = code
        self.errors = errors
        if detail is not None:
            self.message = detail
        super().__init__(f"{self.status} ({code}): {self.message} {errors or ''}".rstrip())

    @property
    def body(self) -> Json:
        """The answer as Discord words it."""
        body: Json = {"message": self.message, "code": self.code}
        return body | {"errors": self.errors} if self.errors else body


class Problems:
    """What is wrong with a form. `raise_if_any` refuses the whole of it, as Discord does."""

    def __init__(self) -> None:
        self.found: list[tuple[Place, str, str]] = []

    def add(self, place: Place, code: str, message: str) -> None:
        """Note a problem at a place, with Discord's code for it."""
        self.found.append((place, code, message))

    def length(self, place: Place, value: object, low: int, high: int) -> bool:
        """Note it unless the value is a text of `low` to `high` characters; whether it is fine."""
        if not isinstance(value, str):
            self.add(place, "BASE_TYPE_STRING", "Must be a string.")
            return False
        if not low <= len(value) <= high:
            self.add(place, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")
            return False
        return True

    def count(self, place: Place, number: int, low: int, high: int) -> bool:
        """Note it unless a number of things is from `low` to `high`; whether it is fine."""
        if not low <= number <= high:
            self.add(place, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")
            return False
        return True

    def raise_if_any(self) -> None:
        """Refuse with 50035 and the problems, nested by place."""
        if self.found:
            raise Refused(50035, errors=nested(self.found))


def nested(found: list[tuple[Place, str, str]]) -> Json:
    """Problems as Discord nests them: `{"components": {"0": {"_errors": [{"code": …, "message": …}]}}}`."""
    tree: Json = {}
    for place, code, message in found:
        node = tree
        for step in place:
            node = node.setdefault(str(step), {})
        node.setdefault("_errors", []).append({"code": code, "message": message})
    return tree


def bad_form(place: Place, code: str, message: str) -> Refused:
    """A form with a single problem."""
    return Refused(50035, errors=nested([(place, code, message)]))
