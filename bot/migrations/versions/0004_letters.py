"""Letters remember no turn: nothing ever asked when one was written."""

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.drop_column("letters", "turn")
