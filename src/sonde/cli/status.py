"""What the index holds, and what was left out and why.

Shows the index as it is: counts, languages, files not indexed by reason, age,
place and size, how many files on disk are newer, how many commits have been
read, and how much a chosen model has embedded.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from sonde.cli.console import Console, counted, duration, safe, size
from sonde.cli.layout import heading, table
from sonde.cli.opening import engine_of, settings_of
from sonde.cli.outcome import FOUND, NOTHING_FOUND, Failure
from sonde.cli.parser import CommandParser
from sonde.cli.plain import embedded, history
from sonde.store.errors import Problem, ProblemKind, is_damage
from sonde.store.location import Workspace, workspace

if TYPE_CHECKING:
    from sonde.discover import DiscoverRules
    from sonde.history.kept import Kept
    from sonde.history.store import Unread
    from sonde.model import SkipReason
    from sonde.neural.embed import Embedded
    from sonde.store.index import Index
    from sonde.store.status import Status

USAGE = "[options]"
EXAMPLES = ("sonde status", "sonde status --skipped", "sonde status --json")
_EXAMPLES = 2  # files named for each reason
_LANGUAGES = 12

Skipped = list[tuple[str, "SkipReason", str]]


def configure(parser: CommandParser) -> None:
    """--skipped."""
    parser.add_argument(
        "--skipped", action="store_true", help="name every file that is not indexed"
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the counts; a workspace without an index is "nothing found"."""
    from sonde.history.kept import kept
    from sonde.store.index import Index

    root, settings = settings_of(arguments)
    place = workspace(root, settings.cache)
    index = Index.open(place)
    if isinstance(index, Problem):
        if index.kind is not ProblemKind.NO_INDEX:
            raise Failure(index.message)
        if arguments.json:
            console.json({"root": str(place.root), "generation": 0})
        else:
            console.line(index.message)
        return NOTHING_FOUND
    try:
        status, skipped = index.status(), index.skipped()
        newer = _newer_on_disk(index, settings.rules)
    except Exception as error:
        if is_damage(error):
            message = f"the index in {place.folder} is damaged: the next question builds it again"
            raise Failure(message) from error
        raise
    finally:
        index.close()
    commits = kept(place.root, place.history)
    told = None
    if settings.embedding_model is not None:  # else nothing of an engine is needed
        with engine_of(arguments, console) as engine:
            told = engine.embedded()
    if arguments.json:
        found = _as_json(status, skipped, place, newer, every=arguments.skipped)
        console.json({**found, "history": history(commits), "embedded": embedded(told)})
    else:
        _print(status, place, newer, console)
        if commits is not None:
            console.line(f"  history    {_commits(commits)}")
        if told is not None:
            console.line(f"  embedded   {_share(told)}")
        _print_skipped(status, skipped, console, every=arguments.skipped)
    return FOUND


def _commits(told: Kept | Unread) -> str:
    from sonde.history.store import Unread

    if isinstance(told, Unread):
        return f"not readable: {safe(told.message)}"
    known = counted(told.commits, "commit")
    if not told.current:
        return f"{known}: the next question reads what is new"
    return known if told.whole else f"{known}, older ones not read yet: 'sonde index' goes on"


def _share(told: Embedded | Problem) -> str:
    if isinstance(told, Problem):
        return f"unknown: {safe(told.message)}"
    # Rounded down, so that what lacks something is never reported as complete.
    share = f"{told.done:,} of {told.total:,} functions and types, {int(told.share * 100)} %"
    return share if told.done == told.total else f"{share}: a server goes on, or 'sonde embed'"


def _newer_on_disk(index: Index, rules: DiscoverRules) -> int:
    """Files that differ between disk and index; times do not tell, all are new after a checkout."""
    from sonde.discover import Walker
    from sonde.store.database import open_for_reading
    from sonde.store.source import Stale
    from sonde.sync.changes import Known, changes_seen_by

    database = open_for_reading(index.workspace.database)
    try:
        root = index.workspace.root
        changes = changes_seen_by(Walker(root, rules), root, Known(database))
    finally:
        database.close()
    changed = [file for file in changes.read if isinstance(index.source_bytes(file.path), Stale)]
    return len(changed) + len(changes.gone)


def _bytes_below(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())


def _index_bytes(place: Workspace) -> int:
    facts = place.facts.parent.glob(f"{place.facts.name}*")
    return _bytes_below(place.folder) + sum(path.stat().st_size for path in facts)


def _print(status: Status, place: Workspace, newer: int, console: Console) -> None:
    heading(console, safe(status.root))
    counts = (
        f"{counted(status.files, 'file')} ({size(status.bytes)}),"
        f" {counted(status.symbols, 'symbol')}, {counted(status.edges, 'edge')}"
    )
    state = "equal to the disk"
    if status.share < 1.0:
        state = f"first index unfinished, {status.share:.0%} of the files: 'sonde index' goes on"
    elif newer:
        state = f"{counted(newer, 'file')} on disk changed since: the next question reads them"
    languages = [f"{name or 'text'} {count:,}" for name, count in status.languages]
    more = [f"{len(languages) - _LANGUAGES} more"] if len(languages) > _LANGUAGES else []
    kinds = ", ".join(f"{name} {count:,}" for name, count in status.kinds)
    console.line(f"  indexed    {counts}")
    console.line(f"  languages  {', '.join([*languages[:_LANGUAGES], *more])}")
    console.line(f"  kinds      {kinds}")
    if status.unlinked:
        some = ", ".join(map(safe, status.unlinked[:_EXAMPLES]))
        more_files = ", …" * (len(status.unlinked) > _EXAMPLES)
        lost = f"what {counted(len(status.unlinked), 'file')} calls is unknown, linking failed"
        console.line(f"  not linked {lost}: {some}{more_files}")
    console.line(f"  state      {state} (last changed {duration(status.age)} ago)")
    console.line(f"  kept in    {safe(str(place.folder))}, {size(_index_bytes(place))}")


def _print_skipped(status: Status, skipped: Skipped, console: Console, *, every: bool) -> None:
    if not skipped:
        return
    heading(console, f"not indexed ({len(skipped):,})")
    if every:
        table(
            console,
            [(path, reason.value, detail) for path, reason, detail in skipped],
            2,
            prose=True,
        )
        return
    rows = []
    for reason, count in status.skipped:
        some = [path for path, why, _ in skipped if why is reason][:_EXAMPLES]
        rows.append((f"{count:,}", reason.value, ", ".join(some) + ", …" * (count > len(some))))
    table(console, rows, 2, prose=True)


def _as_json(
    status: Status, skipped: Skipped, place: Workspace, newer: int, *, every: bool
) -> dict[str, object]:
    shown = [
        {"file": path, "reason": reason.value, "detail": detail} for path, reason, detail in skipped
    ]
    return {
        "root": status.root,
        "generation": status.generation,
        "indexed_at": status.indexed_at,
        "age": round(status.age, 1),
        "share": status.share,
        "files": status.files,
        "bytes": status.bytes,
        "symbols": status.symbols,
        "edges": status.edges,
        "languages": dict(status.languages),
        "kinds": dict(status.kinds),
        "skipped": {reason.value: count for reason, count in status.skipped},
        "skipped_files": shown if every else shown[: 10 * _EXAMPLES],
        "unlinked_files": list(status.unlinked),
        "newer_on_disk": newer,
        "index": str(place.folder),
        "index_bytes": _index_bytes(place),
    }
