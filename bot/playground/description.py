"""Discord's own OpenAPI description: every request body is held against it where the file and jsonschema are there."""

from __future__ import annotations

import functools
import hashlib
import importlib
import json
import re
from pathlib import Path
from typing import Any

import msgspec

from bot.playground.refusals import Json, bad_form

SHARED = Path(__file__).resolve().parents[3] / "shared" / "discord" / "openapi.json"
"""Where the description lies beside the project."""

_PARAMETER = re.compile(r"\{[^}]*\}")


class Description:
    """The request bodies that the API takes, by method and path."""

    def __init__(self, document: Json, jsonschema: Any) -> None:
        self._jsonschema = jsonschema
        self._components = document["components"]
        # Discord takes ids as numbers too, and discord.py sends some so.
        self._components["schemas"]["SnowflakeType"] = {"type": ["string", "integer"], "pattern": "^(0|[1-9][0-9]*)$"}
        self._bodies: dict[tuple[str, str], Json] = {}
        self._validators: dict[tuple[str, str], Any] = {}
        self._fine: set[bytes] = set()
        for path, operations in document["paths"].items():
            for method, operation in operations.items():
                content = operation.get("requestBody", {}).get("content", {}) if isinstance(operation, dict) else {}
                if "application/json" in content:
                    self._bodies[method.upper(), _PARAMETER.sub("{}", path)] = content["application/json"]["schema"]
        self._tell_apart(document)

    @classmethod
    def load(cls, path: Path = SHARED) -> Description | None:
        """The description from a file; None when the file or the package jsonschema is not there."""
        return _load(path)

    def check(self, method: str, template: str, data: Any) -> None:
        """Refuse a body that does not fit its path's schema (50035, with the place); paths without one take any."""
        path = _PARAMETER.sub("{}", template)
        validator = self._validator(method, path)
        if validator is None:
            return
        # The same commands come at every start: what has been found fine once is not looked at again.
        mark = hashlib.sha256(msgspec.json.encode([method, path, data])).digest()
        if mark in self._fine:
            return
        problem = self._jsonschema.exceptions.best_match(validator.iter_errors(data))
        if problem is not None:
            raise bad_form(tuple(problem.absolute_path), "OPENAPI", problem.message[:500])
        self._fine.add(mark)

    def _validator(self, method: str, path: str) -> Any:
        key = (method, path)
        if key not in self._validators:
            schema = self._bodies.get(key)
            self._validators[key] = None
            if schema is not None:
                document = {"components": self._components, **schema}
                self._validators[key] = self._jsonschema.Draft202012Validator(document)
        return self._validators[key]

    def _tell_apart(self, node: Any) -> None:
        """Turn "one of these, each of its own type" into "the one of this type": quicker, and it says what is wrong."""
        for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
            self._tell_apart(child)
        for key in ("oneOf", "anyOf") if isinstance(node, dict) else ():
            kinds = [self._kinds(choice) for choice in node.get(key, ())]
            every = [kind for some in kinds for kind in some]
            if len(kinds) > 1 and all(kinds) and len(set(every)) == len(every):
                choices = node.pop(key)
                node["required"] = ["type"]
                node["properties"] = {"type": {"enum": every}}
                node["allOf"] = [
                    {"if": {"properties": {"type": {"enum": some}}}, "then": choice}
                    for some, choice in zip(kinds, choices, strict=True)
                ]

    def _kinds(self, choice: Json) -> list[int]:
        """The values of `type` that the schema takes which a choice refers to."""
        schema = self._components["schemas"].get(choice.get("$ref", "").rsplit("/", 1)[-1], {})
        kinds: list[int] = schema.get("properties", {}).get("type", {}).get("enum", [])
        return kinds


@functools.cache
def _load(path: Path) -> Description | None:
    if not path.exists():
        return None
    try:
        jsonschema = importlib.import_module("jsonschema")
    except ImportError:
        return None
    return Description(json.loads(path.read_text(encoding="utf-8")), jsonschema)
