"""Paths through the graph, a line for each edge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sonde.cli.console import Console
from sonde.cli.layout import table
from sonde.model import VERBS

if TYPE_CHECKING:
    from sonde.answers.results import Step


_INDENT = 4  # columns


def print_path(console: Console, path: Sequence[Step]) -> None:
    """Each step with the relation, the symbol it leads to, and where that is written."""
    if not path:
        return
    first = path[0].source
    rows = [("", first.qualname, f"{first.file}:{first.start_line}", "")]
    rows += [(_arrow(step), step.target.qualname, _place(step), _doubt(step)) for step in path]
    table(console, rows, _INDENT)


def _arrow(step: Step) -> str:
    relation = VERBS[step.kind]
    return f"─{relation}→" if step.forward else f"←{relation}─"


def _place(step: Step) -> str:
    writer = step.source if step.forward else step.target
    return f"{writer.file}:{step.line or writer.start_line}"


def _doubt(step: Step) -> str:
    return step.provenance.name.lower()
