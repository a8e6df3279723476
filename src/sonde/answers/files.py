"""What work on some files needs: their symbols, callers and tests."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sonde.answers.changes import known_files
from sonde.answers.edges import sources
from sonde.answers.packing import Findings, Options, packed
from sonde.answers.results import Answer, Failure, NotFound, Refusal
from sonde.answers.state import State
from sonde.answers.support import callers, tests
from sonde.model import (
    CALLABLE_KINDS,
    TYPE_KINDS,
    EdgeKind,
    Evidence,
    Intent,
    Kind,
    Ranked,
    SymbolRecord,
)
from sonde.retrieve.view import View

_PLAIN_KIND = 0.5  # a constant or field, against a function or type
_PRIVATE = 0.8
_PER_CALLER = 0.1
_MOST = 300
_AROUND = 30  # symbols whose callers and tests are looked up


def answer_files(paths: Sequence[str], state: State, options: Options) -> Answer | Failure:
    """The pack for some files."""
    if refusal := options.refusal():
        return refusal
    view = state.view
    files = known_files(view, paths)
    if isinstance(files, Refusal):
        return files
    ranked = file_symbols(view, files)
    if not ranked:
        return NotFound(f"no definitions in {', '.join(files[:3])}: there is nothing to show")
    around = [one.symbol for one in ranked[:_AROUND]]
    findings = Findings(
        f"work on {', '.join(files)}",
        Intent.REFACTOR,
        1.0,
        ranked,
        tests(view, around, {}),
        callers(view, around, {}),
        given=True,
    )
    return packed(findings, state, options)


def file_symbols(view: View, files: Sequence[str]) -> list[Ranked]:
    """The files' definitions; the more callers, the more important."""
    found = []
    for path in files:
        for record in view.records(view.index.ids_in_file(path)):
            if record.kind is not Kind.MODULE:
                proof = Evidence("files", 1, 1.0, f"defined in {path.rpartition('/')[2]}")
                found.append(Ranked(record, _importance(view, record), evidence=(proof,)))
    found.sort(key=lambda one: (-one.score, one.symbol.file, one.symbol.start_line))
    return found[:_MOST]


def _importance(view: View, record: SymbolRecord) -> float:
    score = 1.0 if record.kind in CALLABLE_KINDS | TYPE_KINDS else _PLAIN_KIND
    if record.visibility != "public":
        score *= _PRIVATE
    calling = len(sources(view.index.graph, record.id, EdgeKind.CALLS))
    return score * (1.0 + _PER_CALLER * math.log1p(calling))
