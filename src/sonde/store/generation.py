"""Making a generation visible: arrays and full text first, the number in the tables last.

A reader takes the number from its SQL snapshot and opens what is named after
it, so that it never sees parts of two generations.
"""

from __future__ import annotations

import shutil
import sqlite3
import time
from pathlib import Path

from sonde.store.database import set_meta
from sonde.store.fulltext import FullTextWriter
from sonde.store.graph import Graph, save
from sonde.store.location import Workspace

_KEPT = 2  # generations kept: a reader may have read the number just before it changed


def publish(
    workspace: Workspace,
    database: sqlite3.Connection,
    fulltext: FullTextWriter,
    graph: Graph,
    generation: int,
    *,
    complete: bool,
) -> None:
    """Freeze full text and arrays under a generation's name and commit the tables with it.

    While a first index is built its generations follow each other slowly and only the last is
    kept, as together they would take twice the room.
    """
    fulltext.publish(generation)
    save(graph, workspace.arrays / str(generation))
    set_meta(database, "generation", generation)
    set_meta(database, "indexed_at", int(time.time()))
    database.execute("COMMIT")
    for folder in (workspace.fulltext, workspace.arrays):
        _remove_before(folder, generation - (_KEPT if complete else 1) + 1)


def _remove_before(folder: Path, oldest: int) -> None:
    """Remove generations that nobody will open any more; whoever has one open keeps its files."""
    for each in folder.iterdir():
        number = each.name.removesuffix(".tmp")
        if number.isdigit() and int(number) < oldest:
            shutil.rmtree(each, ignore_errors=True)


def remove_index(workspace: Workspace) -> None:
    """Remove all of a workspace's index but its lock; shared facts stay."""
    for path in (workspace.fulltext, workspace.arrays):
        shutil.rmtree(path, ignore_errors=True)
    workspace.sighting.unlink(missing_ok=True)
    _remove_database(workspace.database)


def remove_history(workspace: Workspace) -> None:
    """Remove what was read of a workspace's commits; it is read again when it is needed."""
    _remove_database(workspace.history)


def remove_facts(workspace: Workspace) -> None:
    """Remove the facts a workspace shares with the other worktrees of its repository."""
    _remove_database(workspace.facts)


def remove_relinking(workspace: Workspace) -> None:
    """Remove the copy of the tables that workers link from; a killed writer leaves it behind."""
    _remove_database(workspace.relinking)


def _remove_database(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
