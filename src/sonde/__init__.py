"""Sonde: the few definitions, callers, tests and snippets a coding task needs."""

__version__ = "0.1.0"
