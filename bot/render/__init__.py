"""Pictures, one module a game, over one canvas. They see views, never states.

Each game's module offers the three functions of `bot.face.Drawing`: `picture`, its description `alt` of at most
`ALT_LENGTH` characters, and the whole board `as_text`, of at most `TEXT_LENGTH` characters.

Drawing takes milliseconds of one core: call it through `asyncio.to_thread`. Everything here is safe to call from
several threads at once.
"""

ALT_LENGTH = 256
"""Characters that Discord takes as a picture's description."""

TEXT_LENGTH = 3500
"""Characters of a board in words, so that it fits into one message beside a title."""
