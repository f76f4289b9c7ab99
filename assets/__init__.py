"""Files that come with the program: fonts, decks, locales, icons, each with its licence beside it."""

from importlib import resources
from pathlib import Path


def path(*parts: str) -> Path:
    """Where a bundled file lies, named below this folder: `path("fonts", "noto-sans", "OFL.txt")`."""
    return Path(str(resources.files(__name__).joinpath(*parts)))
