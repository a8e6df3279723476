"""Symbols by name and lines by text.

The query may hold filters: lang:python, path:src/db, kind:method, since:7d. The last
takes files changed on disk since then: 12h, 7d, 2w, or a date like 2026-01-31. Symbols
are found by name and description, lines by exact text (or --regex), and by meaning if an
embedding model is chosen and there are several words.
"""

from __future__ import annotations

import argparse

from sonde.cli.console import Console, cut, safe
from sonde.cli.layout import heading, place, table
from sonde.cli.opening import engine_of
from sonde.cli.outcome import FOUND, NOTHING_FOUND, answered, note_freshness
from sonde.cli.parser import CommandParser, whole_number
from sonde.cli.plain import plain

USAGE = "QUERY [options]"
EXAMPLES = (
    "sonde search connect",
    'sonde search "retry lang:python kind:method"',
    'sonde search "since:2d kind:function"',
    "sonde search --regex 'TODO|FIXME' --limit 50",
)
_MOST = 1000


def configure(parser: CommandParser) -> None:
    """What to look for and how."""
    parser.add_argument("query", metavar="QUERY", help="words and filters")
    parser.add_argument("--regex", action="store_true", help="the words are a regular expression")
    parser.add_argument("--word", action="store_true", help="match whole words only")
    parser.add_argument(
        "--limit",
        metavar="N",
        type=whole_number(1, _MOST),
        default=20,
        help="at most so many symbols and lines (default: 20)",
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print symbols, then lines."""
    with engine_of(arguments, console) as engine:
        answer = answered(
            engine.search(
                arguments.query, regex=arguments.regex, word=arguments.word, limit=arguments.limit
            )
        )
    note_freshness(answer, console)
    if arguments.json:
        console.json(plain(answer))
    else:
        if answer.symbols:
            heading(console, "symbols")
            rows = [(each.kind.value, each.qualname, place(each)) for each in answer.symbols]
            table(console, rows, 2)
        if answer.lines:
            heading(console, "lines")
        for line in answer.lines:
            where = f"  {safe(line.file)}:{line.line}: "
            console.line(where + cut(line.text, max(console.width - len(where), 20)))
        if answer.meant:
            heading(console, "near in meaning")
            rows = [(each.kind.value, each.qualname, place(each)) for each in answer.meant]
            table(console, rows, 2)
        for lacking in answer.lacking:
            console.note(lacking)
        if answer.more:
            console.line("more was found: raise --limit")
        if not (answer.symbols or answer.lines or answer.meant):
            console.line(f"nothing found for {safe(arguments.query)}")
    return FOUND if answer.symbols or answer.lines or answer.meant else NOTHING_FOUND
