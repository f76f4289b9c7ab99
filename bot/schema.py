"""What is stored: the tables of the database. `bot/migrations` brings one of any age to this shape."""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa


class Moment(sa.types.TypeDecorator[datetime]):
    """A moment in UTC, kept as seconds since 1970: SQLite knows no time zones."""

    impl = sa.Float
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> float | None:
        return None if value is None else value.timestamp()

    def process_result_value(self, value: float | None, dialect: sa.Dialect) -> datetime | None:
        return None if value is None else datetime.fromtimestamp(value, UTC)


metadata = sa.MetaData()

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("game", sa.String(32), nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("status", sa.String(8), nullable=False),
    sa.Column("server", sa.BigInteger),
    sa.Column("channel", sa.BigInteger, nullable=False),
    sa.Column("thread", sa.BigInteger),
    sa.Column("opener", sa.BigInteger, nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("given", sa.JSON, nullable=False),
    sa.Column("house", sa.JSON, nullable=False, server_default="{}"),
    sa.Column("setup", sa.Text),
    sa.Column("deal", sa.Text),
    sa.Column("salt", sa.String(64)),
    sa.Column("state", sa.Text),
    sa.Column("turn", sa.Integer, nullable=False),
    sa.Column("seat_turns", sa.JSON, nullable=False),
    sa.Column("shown_turn", sa.Integer, nullable=False),
    sa.Column("shown_to_act", sa.JSON, nullable=False),
    sa.Column("told_turn", sa.Integer, nullable=False, server_default="0"),
    sa.Column("message", sa.BigInteger),
    sa.Column("message_place", sa.BigInteger),
    sa.Column("message_page", sa.JSON),
    sa.Column("old_message", sa.BigInteger),
    sa.Column("old_place", sa.BigInteger),
    sa.Column("old_page", sa.JSON),
    sa.Column("deadlines", sa.JSON, nullable=False, server_default="[]"),
    sa.Column("paused", Moment),
    sa.Column("proposal", sa.JSON),
    sa.Column("start_when_full", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("rematch", sa.Integer),
    sa.Column("hidden", sa.JSON, nullable=False, server_default="[]"),
    sa.Column("robot_to_act", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("made", Moment, nullable=False),
    sa.Column("changed", Moment, nullable=False),
    sa.Index("tables_behind", "status", "shown_turn"),
    sa.Index("tables_thread", "thread"),
    sa.Index("tables_channel", "channel", "status"),
    sa.Index("tables_robot_to_act", "robot_to_act"),
)

seats = sa.Table(
    "seats",
    metadata,
    sa.Column("table", sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("person", sa.BigInteger, nullable=False),
    sa.Column("name", sa.String(100), nullable=False),
    sa.Column("wish", sa.String(32)),
    sa.Column("vacant", Moment),
    sa.Column("gone", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("robot", sa.String(8)),
    sa.UniqueConstraint("table", "person"),
    sa.Index("seats_person", "person"),
)

actions = sa.Table(
    "actions",
    metadata,
    sa.Column("table", sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("turn", sa.Integer, primary_key=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("action", sa.Text),
    sa.Column("events", sa.Text, nullable=False),
    sa.Column("at", Moment, nullable=False),
)

letters = sa.Table(
    "letters",
    metadata,
    sa.Column("table", sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("person", sa.BigInteger, primary_key=True),
    sa.Column("place", sa.BigInteger),
    sa.Column("message", sa.BigInteger),
    sa.Column("digest", sa.String(64)),
    sa.Column("acting", sa.Boolean, nullable=False),
    sa.Column("sent", Moment),
    sa.Column("refused", Moment),
)

drafts = sa.Table(
    "drafts",
    metadata,
    sa.Column("table", sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("person", sa.BigInteger, primary_key=True),
    sa.Column("fields", sa.JSON, nullable=False),
)

decks = sa.Table(
    "decks",
    metadata,
    sa.Column("server", sa.BigInteger, primary_key=True),
    sa.Column("key", sa.String(100), primary_key=True),
    sa.Column("name", sa.String(100), nullable=False),
    sa.Column("language", sa.String(16), nullable=False),
    sa.Column("cards", sa.Integer, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("person", sa.BigInteger, nullable=False),
    sa.Column("made", Moment, nullable=False),
)

people = sa.Table(
    "people",
    metadata,
    sa.Column("id", sa.BigInteger, primary_key=True),
    sa.Column("name", sa.String(100), nullable=False),
    sa.Column("locale", sa.String(16), nullable=False),
    sa.Column("direct", sa.BigInteger),
    sa.Column("reminders", sa.String(8), nullable=False, server_default="table"),
    sa.Column("away", Moment),
)

timers = sa.Table(
    "timers",
    metadata,
    sa.Column("table", sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("kind", sa.String(10), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("due", Moment, nullable=False),
    sa.Index("timers_due", "due"),
)

marks = sa.Table(
    "marks",
    metadata,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("at", Moment, nullable=False),
)

notes = sa.Table(
    "notes",
    metadata,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
)

servers = sa.Table(
    "servers",
    metadata,
    sa.Column("id", sa.BigInteger, primary_key=True),
    sa.Column("settings", sa.JSON, nullable=False),
    sa.Column("greeted", Moment),
    sa.Column("left", Moment),
)

changes = sa.Table(
    "changes",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("server", sa.BigInteger, nullable=False),
    sa.Column("person", sa.BigInteger, nullable=False),
    sa.Column("name", sa.String(100), nullable=False),
    sa.Column("setting", sa.String(80), nullable=False),
    sa.Column("value", sa.Text, nullable=False),
    sa.Column("at", Moment, nullable=False),
    sa.Index("changes_server", "server", "id"),
)
