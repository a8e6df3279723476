"""Tests that are blocks of a file (`it("…", …)`), not definitions: where they are, and what they
use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from sonde.answers.spec_files import BLOCK_LANGUAGES
from sonde.model import EdgeKind, FileKind, Kind, Provenance, SymbolRecord
from sonde.retrieve.view import View

_OPENS = re.compile(
    r"([ \t]*)(?:it|test|specify|scenario|example|should|describe|context|suite|feature)\b"
)
_TITLE = re.compile(r"""[^'"`]*(['"`])(.*?)(?<!\\)\1""")
_WORD = re.compile(r"[\w$]+")
_LONGEST = 2_000  # lines
_MOST_LINES = 1_000_000  # of a file, so that no two blocks share an id
_USED = (EdgeKind.CALLS, EdgeKind.TESTS, EdgeKind.REFERENCES)


def changed_blocks(view: View, module: SymbolRecord, at: Iterable[int]) -> dict[int, SymbolRecord]:
    """By changed line the innermost test or group around it, as symbols that no index has: their
    ids are negative."""
    if module.file_kind is not FileKind.TEST or module.language not in BLOCK_LANGUAGES:
        return {}
    data = view.text(module.file)
    rows = data.split(b"\n")
    begins = [0, *accumulate(len(row) + 1 for row in rows)]
    lines = [row.decode("utf-8", "replace") for row in rows]
    found: dict[int, SymbolRecord] = {}
    for line in at:
        for first, last in _blocks(lines, line):
            head = lines[first - 1].strip()
            title = _TITLE.match(head)
            name = title[2] if title is not None else head
            found[line] = replace(
                module,
                id=-(module.id * _MOST_LINES + first),
                name=name,
                qualname=name,
                kind=Kind.FUNCTION,
                start_line=first,
                end_line=last,
                start_byte=begins[first - 1] + len(rows[first - 1]) - len(rows[first - 1].lstrip()),
                end_byte=begins[last] - 1,
                parent=module.id,
                signature=head,
                doc="",
            )
            break
    return found


def used_around(view: View, path: str, line: int) -> list[int]:
    """What the test around a line of a file of such tests uses or names, calls first; or else the
    group around it, whose set-up it shares. Symbols of tests are none of it."""
    file = view.file_at(path)
    if file is None or file.kind is not FileKind.TEST or file.language not in BLOCK_LANGUAGES:
        return []
    lines = view.text(path).decode("utf-8", "replace").split("\n")
    edges = [
        (_USED.index(EdgeKind(kind)), at, target)
        for target, kind, at, provenance in sorted(view.index.graph.out_edges(file.module))
        if kind in _USED and provenance != Provenance.AMBIGUOUS and not view.is_test(target)
    ]
    names = {each.id: _alone(each) for each in view.records([target for _, _, target in edges])}
    for first, last in _blocks(lines, line):
        words = set(_WORD.findall("\n".join(lines[first - 1 : last])))
        found = {
            target: None
            for _, at, target in sorted(edges)
            if first <= at <= last or names[target] in words
        }
        if found:
            return list(found)
    return []


def _alone(symbol: SymbolRecord) -> str:
    """The name by which a block uses a symbol; "" for members, which share their names.

    Of several uses in a file only the first has an edge.
    """
    return symbol.name if symbol.qualname == symbol.name else ""


def _blocks(lines: Sequence[str], line: int) -> Iterator[tuple[int, int]]:
    """First and last line of each block around a line, by their margins, the inner ones first."""
    within = None
    for start in range(min(line, len(lines)), max(0, line - _LONGEST), -1):
        opens = _OPENS.match(lines[start - 1])
        if opens is not None and (within is None or len(opens[1]) < within):
            end = _end(lines, start, opens[1])
            if end >= line:
                within = len(opens[1])
                yield start, end


def _end(lines: Sequence[str], start: int, margin: str) -> int:
    """The line that closes a block; its first line where it stands on one."""
    for at in range(start + 1, min(len(lines), start + _LONGEST) + 1):
        text = lines[at - 1]
        if text.startswith(margin) and text[len(margin) :].startswith(("}", ")", "end")):
            return at
        if text.strip() and not text.startswith((f"{margin} ", f"{margin}\t")):
            break
    return start
