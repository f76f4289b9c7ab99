"""Servers' own decks, what people write and has not been taken, and texts that a moderator has hidden."""

import sqlalchemy as sa
from alembic import op

from bot.schema import Moment

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("tables", sa.Column("hidden", sa.JSON(), server_default="[]", nullable=False))
    op.create_table(
        "drafts",
        sa.Column("table", sa.Integer(), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("fields", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table", "person"),
    )
    op.create_table(
        "decks",
        sa.Column("server", sa.BigInteger(), nullable=False),
        sa.Column("key", sa.String(length=100), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("language", sa.String(length=16), nullable=False),
        sa.Column("cards", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("made", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("server", "key"),
    )
