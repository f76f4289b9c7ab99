"""A stand-in for Discord on this machine: the server that discord.py talks to, and a page for people."""
