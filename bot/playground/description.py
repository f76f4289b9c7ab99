"""Discord's own OpenAPI description: every request body is held against it where the file and jsonschema are there."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path
from typing import Any

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
        for path, operations in document["paths"].items():
            for method, operation in operations.items():
                content = operation.get("requestBody", {}).get("content", {}) if isinstance(operation, dict) else {}
                if "application/json" in content:
                    self._bodies[method.upper(), _PARAMETER.sub("{}", path)] = content["application/json"]["schema"]

    @classmethod
    def load(cls, path: Path = SHARED) -> Description | None:
        """The description from a file; None when the file or the package jsonschema is not there."""
        if not path.exists():
            return None
        try:
            jsonschema = importlib.import_module("jsonschema")
        except ImportError:
            return None
        return cls(json.loads(path.read_text(encoding="utf-8")), jsonschema)

    def check(self, method: str, template: str, data: Any) -> None:
        """Refuse a body that does not fit its path's schema (50035, with the place); paths without one take any."""
        validator = self._validator(method, _PARAMETER.sub("{}", template))
        if validator is None:
            return
        problem = self._jsonschema.exceptions.best_match(validator.iter_errors(data))
        if problem is not None:
            raise bad_form(tuple(problem.absolute_path), "OPENAPI", problem.message[:500])

    def _validator(self, method: str, path: str) -> Any:
        key = (method, path)
        if key not in self._validators:
            schema = self._bodies.get(key)
            self._validators[key] = None
            if schema is not None:
                document = {"components": self._components, **schema}
                self._validators[key] = self._jsonschema.Draft202012Validator(document)
        return self._validators[key]
