"""The program around the games."""

__version__ = "0.1.0"
