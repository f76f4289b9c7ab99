"""Seats at which a house player plays, and the tables at which one is to act."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("seats", sa.Column("robot", sa.String(length=8), nullable=True))
    op.add_column("tables", sa.Column("robot_to_act", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_index("tables_robot_to_act", "tables", ["robot_to_act"], unique=False)
