"""C and C++: a function with a body implements what a header declares."""

from __future__ import annotations

from collections.abc import Iterator

from sonde.link.edges import Edges
from sonde.link.names import Names
from sonde.link.reach import reach
from sonde.link.receivers import Receivers
from sonde.link.tables import Entry, family
from sonde.model import CALLABLE_KINDS, EdgeKind, FileFacts, Provenance

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_EDGE_IMPLEMENTS = EdgeKind.IMPLEMENTS
_HOW_IMPORT = Provenance.IMPORT
_MOST_DECLARED = 20  # declarations of one name that are compared


def prototype_links(facts: FileFacts, receivers: Receivers, edges: Edges) -> None:
    """Add an edge from each function of a file to its declarations in the headers it sees.

    Calls lead to the body. By this edge a question about the declaration finds them too.
    """
    if family(receivers.file.language) != "c":
        return
    for index, symbol in enumerate(facts.symbols):
        if symbol.kind in CALLABLE_KINDS and not symbol.declared:
            entry = receivers.entries[index]
            for declaration in _declarations(receivers.names, entry):
                edges.add(
                    entry.id, declaration.id, _EDGE_IMPLEMENTS, symbol.start_line, _HOW_IMPORT
                )


def _declarations(names: Names, body: Entry) -> Iterator[Entry]:
    tables = names.tables
    named = [
        each
        for each in tables.qualified(body.qualname)
        if each.declared and each.file != body.file and each.kind in CALLABLE_KINDS
    ]
    if not named:
        return
    here = tables.file_of(body)
    reached = reach(names, here).files
    for each in named[:_MOST_DECLARED]:
        there = tables.file_of(each)
        if each.file not in reached and body.file not in reach(names, there).files:
            continue
        if there.package and here.package and _apart(there.package, here.package):
            continue
        if here.language == "c" or _types(names, each) == _types(names, body):
            yield each


def _apart(one: str, other: str) -> bool:
    return set(one.split(".")).isdisjoint(other.split("."))


def _types(names: Names, entry: Entry) -> tuple[str, ...]:
    """What an overload takes, whether its namespaces are written or not."""
    params = names.tables.params(entry)
    return tuple(param.type.rpartition("::")[2].replace(" ", "") for param in params)
