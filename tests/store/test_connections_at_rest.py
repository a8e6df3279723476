"""What a connection holds while nobody asks."""

from __future__ import annotations

import gc
import sqlite3
from weakref import ReferenceType

from sonde.store.database import rest


def noted(database: sqlite3.Connection) -> list[ReferenceType[sqlite3.Cursor]]:
    """What the connection knows of cursors that it made."""
    lists = [each for each in gc.get_referents(database) if type(each) is list]
    return [note for each in lists for note in each if isinstance(note, ReferenceType)]


def test_notes_of_cursors_that_were_gone_stayed_with_their_connection() -> None:
    database = sqlite3.connect(":memory:")
    for number in range(150):
        assert database.execute("SELECT ?", (number,)).fetchone() == (number,)
    before = noted(database)
    assert len(before) >= 150
    rest(database)
    assert not {id(each) for each in before} & {id(each) for each in noted(database)}
    database.close()
