"""Rules, pitfalls and commands found in the project's own files.

Read from AGENTS.md, CLAUDE.md, CONTRIBUTING.md, .cursorrules and the like,
from the files of build and test tools, and from .sonde/. Each is shown with
where it was found, the folder it applies to, and signs that it is stale.
"""

from __future__ import annotations

import argparse
from collections import Counter
from typing import TYPE_CHECKING

from sonde.cli.console import Console, counted, cut
from sonde.cli.layout import heading, table
from sonde.cli.opening import engine_of
from sonde.cli.outcome import FOUND, NOTHING_FOUND, answered
from sonde.cli.parser import CommandParser
from sonde.cli.plain import plain

if TYPE_CHECKING:
    from sonde.artefacts.artefact import Artefact
    from sonde.engine import Engine

USAGE = "[TASK] [options]"
EXAMPLES = ("sonde artefacts", 'sonde artefacts "change the session cookie" --file src/web.py')
_TEXT = 110  # characters
_SHORTEST = 24  # characters of a sentence that is worth its line
_GAPS = 6  # columns between those of the table, and before them


def configure(parser: CommandParser) -> None:
    """All of them, or those for a task."""
    parser.add_argument(
        "task", metavar="TASK", nargs="?", help="order them by how much they concern this task"
    )
    parser.add_argument(
        "--file", metavar="FILE", nargs="+", default=[], help="only what applies to these files"
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print them by kind."""
    from sonde.artefacts.artefact import ArtefactKind
    from sonde.artefacts.staleness import stale_reason

    with engine_of(arguments, console) as engine:
        found = _found(engine, arguments)
        used = _used(engine)
        root = engine.root.resolve()
    stale = {each.id: stale_reason(each, root, found) for each in found}
    if arguments.json:
        extra = {each.id: {"stale": stale[each.id], "sessions": used[each.id]} for each in found}
        console.json([{"id": each.id, **plain(each), **extra[each.id]} for each in found])
        return FOUND if found else NOTHING_FOUND
    for kind in ArtefactKind:
        listed = [each for each in found if each.kind is kind]
        if listed:
            heading(console, kind.value)
        rows = [_row(each, stale[each.id], used[each.id]) for each in listed]
        table(console, _fitting(rows, console.width), 2)
    if not found:
        console.line("none found; 'sonde note add' keeps one")
    return FOUND if found else NOTHING_FOUND


def _row(each: Artefact, stale: str, sessions: int) -> tuple[str, ...]:
    text = f"{each.name}: {each.text}" if each.name else each.text
    about = [f"holds in {each.scope}"] * bool(each.scope) + [f"stale: {stale}"] * bool(stale)
    about += [f"sent in {counted(sessions, 'session')}"] * bool(sessions)
    return cut(text, _TEXT), f"{each.file}:{each.line}", ", ".join(about)


def _fitting(rows: list[tuple[str, ...]], width: int) -> list[tuple[str, ...]]:
    """Rows whose sentences lose their ends, rather than their beginnings, where room is short."""
    beside = sum(max((len(row[column]) for row in rows), default=0) for column in (1, 2))
    room = max(width - beside - _GAPS, _SHORTEST)
    return [(cut(text, room), *rest) for text, *rest in rows]


def _found(engine: Engine, arguments: argparse.Namespace) -> list[Artefact]:
    from sonde.artefacts.finding import find_artefacts, folders_of
    from sonde.artefacts.relevance import by_relevance

    files = arguments.file or answered(
        engine.ask(lambda state: [file.path for file in state.view.files.values()])
    )
    found = find_artefacts(engine.root.resolve(), folders_of(files))
    if arguments.task is None:
        return found
    return [each for _, each in by_relevance(found, arguments.task, files)]


def _used(engine: Engine) -> Counter[str]:
    """In how many sessions each artefact was sent."""
    from sonde.session.outcome import read
    from sonde.session.session import sessions

    ended = read(answered(engine.place()).home)
    living = answered(sessions(engine))
    return Counter(id for group in (ended, living) for each in group for id in set(each.artefacts))
