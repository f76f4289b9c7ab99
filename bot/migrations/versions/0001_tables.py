"""Tables, seats, actions, letters, people, servers."""

import sqlalchemy as sa
from alembic import op

from bot.schema import Moment

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "changes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("server", sa.BigInteger(), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("setting", sa.String(length=80), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("changes_server", "changes", ["server", "id"], unique=False)
    op.create_table(
        "marks",
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "notes",
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("locale", sa.String(length=16), nullable=False),
        sa.Column("direct", sa.BigInteger(), nullable=True),
        sa.Column("reminders", sa.String(length=8), server_default="table", nullable=False),
        sa.Column("away", Moment(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "servers",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("greeted", Moment(), nullable=True),
        sa.Column("left", Moment(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=8), nullable=False),
        sa.Column("server", sa.BigInteger(), nullable=True),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("thread", sa.BigInteger(), nullable=True),
        sa.Column("opener", sa.BigInteger(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("given", sa.JSON(), nullable=False),
        sa.Column("house", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("setup", sa.Text(), nullable=True),
        sa.Column("deal", sa.Text(), nullable=True),
        sa.Column("salt", sa.String(length=64), nullable=True),
        sa.Column("state", sa.Text(), nullable=True),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat_turns", sa.JSON(), nullable=False),
        sa.Column("shown_turn", sa.Integer(), nullable=False),
        sa.Column("shown_to_act", sa.JSON(), nullable=False),
        sa.Column("told_turn", sa.Integer(), server_default="0", nullable=False),
        sa.Column("message", sa.BigInteger(), nullable=True),
        sa.Column("message_place", sa.BigInteger(), nullable=True),
        sa.Column("message_page", sa.JSON(), nullable=True),
        sa.Column("old_message", sa.BigInteger(), nullable=True),
        sa.Column("old_place", sa.BigInteger(), nullable=True),
        sa.Column("old_page", sa.JSON(), nullable=True),
        sa.Column("deadlines", sa.JSON(), server_default="[]", nullable=False),
        sa.Column("paused", Moment(), nullable=True),
        sa.Column("proposal", sa.JSON(), nullable=True),
        sa.Column("start_when_full", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("rematch", sa.Integer(), nullable=True),
        sa.Column("made", Moment(), nullable=False),
        sa.Column("changed", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("tables_behind", "tables", ["status", "shown_turn"], unique=False)
    op.create_index("tables_channel", "tables", ["channel", "status"], unique=False)
    op.create_index("tables_thread", "tables", ["thread"], unique=False)
    op.create_table(
        "actions",
        sa.Column("table", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("action", sa.Text(), nullable=True),
        sa.Column("events", sa.Text(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table", "turn"),
    )
    op.create_table(
        "letters",
        sa.Column("table", sa.Integer(), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("place", sa.BigInteger(), nullable=True),
        sa.Column("message", sa.BigInteger(), nullable=True),
        sa.Column("digest", sa.String(length=64), nullable=True),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("acting", sa.Boolean(), nullable=False),
        sa.Column("sent", Moment(), nullable=True),
        sa.Column("refused", Moment(), nullable=True),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table", "person"),
    )
    op.create_table(
        "seats",
        sa.Column("table", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("wish", sa.String(length=32), nullable=True),
        sa.Column("vacant", Moment(), nullable=True),
        sa.Column("gone", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table", "seat"),
        sa.UniqueConstraint("table", "person"),
    )
    op.create_index("seats_person", "seats", ["person"], unique=False)
    op.create_table(
        "timers",
        sa.Column("table", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("due", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table", "kind", "seat"),
    )
    op.create_index("timers_due", "timers", ["due"], unique=False)
