"""The settings, from the environment and from a file `.env` in the working directory; the environment wins."""

import re
from typing import Literal

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from bot.log import BOT_TOKEN

HOUSE_PAUSE = 1.5
"""Seconds that a house player takes for a move at the least."""


class Settings(BaseSettings):
    """Each variable's description completes the sentence "NAME should be …"."""

    model_config = SettingsConfigDict(env_file=".env", env_file_encoding="utf-8", env_ignore_empty=True)

    discord_token: SecretStr | None = Field(
        default=None,
        description="the token from your application's Bot page (three parts with dots between them, without the word "
        "Bot), or empty for the playground",
    )
    database_url: str = Field(
        default="sqlite+aiosqlite:///data/trigon.db",
        description="the address of an SQLite file, sqlite+aiosqlite:///data/trigon.db",
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="INFO", description="DEBUG, INFO, WARNING or ERROR"
    )
    playground_port: int = Field(
        default=8080, ge=0, le=65535, description="the number of a free port from 1 to 65535, or 0 for any"
    )
    house_pause: float = Field(
        default=HOUSE_PAUSE, ge=0, le=10, description="the seconds, from 0 to 10, that a house player takes for a move"
    )

    @field_validator("discord_token")
    @classmethod
    def _looks_like_a_token(cls, token: SecretStr | None) -> SecretStr | None:
        if token is not None and not re.fullmatch(BOT_TOKEN, token.get_secret_value()):
            raise ValueError
        return token

    @field_validator("database_url")
    @classmethod
    def _is_sqlite(cls, url: str) -> str:
        try:
            if make_url(url).drivername != "sqlite+aiosqlite":
                raise ValueError
        except ArgumentError:
            raise ValueError from None
        return url

    @field_validator("log_level", mode="before")
    @classmethod
    def _in_capitals(cls, level: object) -> object:
        return level.upper() if isinstance(level, str) else level


def read_settings() -> Settings:
    """The settings; ends the program with a sentence for each one that is wrong, which never tells its value."""
    try:
        return Settings()
    except ValidationError as wrong:
        names = dict.fromkeys(str(error["loc"][0]) for error in wrong.errors(include_input=False))
        raise SystemExit("\n".join(should_be(name) for name in names)) from None
    except UnicodeDecodeError:
        raise SystemExit(".env should be a text file in UTF-8.") from None


def should_be(name: str) -> str:
    """The sentence about a variable that is wrong, also where only trying can tell: a port that is taken."""
    if field := Settings.model_fields.get(name):
        return f"{name.upper()} should be {field.description}."
    known = ", ".join(field.upper() for field in Settings.model_fields)
    return f"{name.upper()} in .env should be one of {known}."
