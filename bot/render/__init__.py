"""Pictures, one module a game, over one canvas. They see views, never states.

Each game's module offers the same three functions, found by the game's key:

    picture(view, words, *, names, ...) -> bytes    a PNG
    alt(view, words, names) -> str                  its description, at most ALT_LENGTH characters
    as_text(view, words, names) -> str              the whole board in words, at most TEXT_LENGTH characters

Drawing takes milliseconds of one core: call it through `asyncio.to_thread`. Everything here is safe to call from
several threads at once.
"""

ALT_LENGTH = 256
"""Characters that Discord takes as a picture's description."""

TEXT_LENGTH = 3500
"""Characters of a board in words, so that it fits into one message beside a title."""
