"""Alembic's way in: `bot.store` hands over an open connection within its transaction."""

from alembic import context

from bot.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
context.run_migrations()
