"""Names as the index looks them up: the table ignores the case of ASCII letters only."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

# The table ignores case; the second condition picks the exact matches.
_EXACTLY = "SELECT id FROM names WHERE name = ?1 AND name = ?1 COLLATE BINARY"
_BEYOND_ASCII = "SELECT name FROM names WHERE name GLOB '*[^\x01-\x7f]*'"


def ids_exactly(database: sqlite3.Connection, names: Iterable[str]) -> list[int]:
    """The symbols of these names in this case, in no order."""
    return [id for name in names for (id,) in database.execute(_EXACTLY, (name,))]


def names_beyond_ascii(database: sqlite3.Connection) -> dict[str, list[str]]:
    """The names with letters beyond ASCII by their lower case; few repositories have any."""
    found: dict[str, list[str]] = {}
    for name in {name for (name,) in database.execute(_BEYOND_ASCII)}:
        found.setdefault(name.lower(), []).append(name)
    return found
