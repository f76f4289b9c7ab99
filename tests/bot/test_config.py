"""Settings are checked at the start, and what is said about them never shows a secret."""

from pathlib import Path

import pytest

from bot.config import Settings, read_settings

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GhIjKl.abcdefghijklmnopqrstuvwxyz0123456789AB"


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No settings at all: neither a file nor the tester's own."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_everything_has_a_default() -> None:
    settings = read_settings()
    assert settings.discord_token is None
    assert settings.database_url == "sqlite+aiosqlite:///data/trigon.db"
    assert (settings.log_level, settings.playground_port) == ("INFO", 8080)


def test_the_example_file_starts_the_playground(empty_folder: Path) -> None:
    example = Path(__file__).resolve().parents[2] / ".env.example"
    (empty_folder / ".env").write_text(example.read_text(encoding="utf-8"), encoding="utf-8")
    assert read_settings() == Settings(_env_file=None)  # type: ignore[call-arg]
    for name in Settings.model_fields:
        assert f"{name.upper()}=" in example.read_text(encoding="utf-8")


def test_the_environment_wins_over_the_file(empty_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (empty_folder / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\nLOG_LEVEL=debug\n", encoding="utf-8")
    monkeypatch.setenv("LOG_LEVEL", "warning")
    settings = read_settings()
    assert settings.discord_token is not None
    assert settings.discord_token.get_secret_value() == TOKEN
    assert settings.log_level == "WARNING"


def test_the_token_is_not_shown_by_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    assert TOKEN not in f"{read_settings()!r} {read_settings()}"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DISCORD_TOKEN", "hunter2"),
        ("DISCORD_TOKEN", f"Bot {TOKEN}"),
        ("DISCORD_TOKEN", TOKEN[:40]),
        ("DATABASE_URL", "games.db"),
        ("DATABASE_URL", "sqlite:///games.db"),
        ("DATABASE_URL", "postgresql://trigon:hunter2@localhost/trigon"),
        ("LOG_LEVEL", "loud"),
        ("PLAYGROUND_PORT", "eighty"),
        ("PLAYGROUND_PORT", "-1"),
        ("PLAYGROUND_PORT", "65536"),
    ],
)
def test_a_wrong_value_is_named_but_not_shown(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as end:
        read_settings()
    assert str(end.value) == f"{name} should be {Settings.model_fields[name.lower()].description}."
    assert value not in str(end.value)
    assert end.value.__cause__ is None


def test_every_wrong_value_has_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_LEVEL", "loud")
    monkeypatch.setenv("PLAYGROUND_PORT", "eighty")
    with pytest.raises(SystemExit) as end:
        read_settings()
    assert [line.split()[0] for line in str(end.value).splitlines()] == ["LOG_LEVEL", "PLAYGROUND_PORT"]


def test_a_misspelt_name_in_the_file_is_told(empty_folder: Path) -> None:
    (empty_folder / ".env").write_text(f"DISCORD_TOKN={TOKEN}\n", encoding="utf-8")
    with pytest.raises(SystemExit) as end:
        read_settings()
    assert str(end.value) == (
        "DISCORD_TOKN in .env should be one of DISCORD_TOKEN, DATABASE_URL, LOG_LEVEL, PLAYGROUND_PORT, HOUSE_PAUSE."
    )


def test_a_file_that_is_no_text(empty_folder: Path) -> None:
    (empty_folder / ".env").write_bytes(b"LOG_LEVEL=\xff\xfe\n")
    with pytest.raises(SystemExit, match=r"\.env should be a text file in UTF-8\."):
        read_settings()
