"""Names as people write them and answers print them → symbols in the index."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sonde.answers.edges import targets
from sonde.answers.results import NotFound, Refusal
from sonde.model import TYPE_KINDS, EdgeKind, Kind, SymbolRecord
from sonde.retrieve.view import View
from sonde.store.errors import Problem, StoreError
from sonde.store.index import Index

_PRINTED = re.compile(r"^(?P<name>\S+) \((?P<file>.+?)(?::(?P<line>\d+))?\)$")
_PLACED = re.compile(r"^(?P<file>[^:]*[./][^:]*)::?(?P<name>.+)$")
_NEAR = 5
_NEAR_SCORE = 60
_LONGEST = 500
_SAME_NAME = 200  # symbols of one plain name that are looked at for near names


def find_symbols(view: View, name: str) -> list[SymbolRecord]:
    """Symbols meant by `name`, `Owner.name`, `path:name`, `path:line` or `name (path:line)`."""
    wanted = name.strip()
    if not wanted or len(wanted) > _LONGEST or "\0" in wanted:
        return []
    for pattern in (_PRINTED, _PLACED):
        if match := pattern.match(wanted):
            parts = match.groupdict()
            found = _in_file(view, parts["name"], parts["file"], parts.get("line"))
            if found:
                return found
    return _named(view, wanted)


def _in_file(view: View, name: str, file: str, line: str | None) -> list[SymbolRecord]:
    if view.index.file_record(file) is None:
        return []
    if name.isdigit():
        id = view.innermost(file, int(name))
        return view.records([id]) if id is not None else []
    found = [record for record in _named(view, name) if record.file == file]
    return [r for r in found if line is None or r.start_line == int(line)] or found


def _named(view: View, name: str) -> list[SymbolRecord]:
    """Symbols whose qualified name equals the name as written, or ends with it."""
    dotted = _dotted(name)
    last = dotted.rpartition(".")[2]
    if not last:
        return []
    records = view.records(view.ids_named(last.lower()))
    ending = f".{dotted}"
    found = [r for r in records if r.qualname == dotted or r.qualname.endswith(ending)]
    if not found and "." in dotted:
        found = [r for r in records if r.name == last and _is_qualified_by(r, dotted)]
        found = found or _mixed_in(view, dotted)
    definitions = [record for record in found if record.kind is not Kind.MODULE]
    return definitions or found


def _dotted(name: str) -> str:
    """A name with the separators that answers print."""
    return re.sub(r"::|#|->", ".", name.strip()).removesuffix("()").strip(".")


def _is_qualified_by(record: SymbolRecord, dotted: str) -> bool:
    """Whether the name is the name inside the file with a module path before it."""
    if not dotted.endswith(f".{record.qualname}"):
        return False
    module = dotted.removesuffix(f".{record.qualname}").replace(".", "/")
    stem = record.file.rpartition(".")[0].removesuffix("/__init__")
    folder = record.file.rpartition("/")[0]
    return any(f"/{place}".endswith(f"/{module}") for place in (stem, folder))


def near_names(view: View, name: str) -> tuple[str, ...]:
    """Names in the index that resemble an unknown one: the same in another case, inherited ones,
    then most similar first."""
    from rapidfuzz import fuzz, process

    likely = [*_in_other_case(view, name), *_inherited(view, name)]
    last = re.split(r"[.:#]", name.strip().removesuffix("()"))[-1][:_LONGEST].lower()
    if not last:
        return ()
    known = view.index.names()
    found = process.extract(
        last,
        known,
        scorer=fuzz.ratio,
        processor=str.lower,
        score_cutoff=_NEAR_SCORE,
        limit=4 * _NEAR,
    )
    ordered = sorted(found, key=lambda hit: (-hit[1], len(hit[0]), hit[0]))
    return tuple(dict.fromkeys([*likely, *(hit[0] for hit in ordered)]))[:_NEAR]


def _in_other_case(view: View, name: str) -> list[str]:
    """What `client.send` means if only `Client.send` is defined."""
    dotted = _dotted(name).lower()
    if "." not in dotted:
        return []  # plain names are compared without their case anyway
    records = view.records(view.ids_named(dotted.rpartition(".")[2])[:_SAME_NAME])
    return [r.qualname for r in records if f".{r.qualname.lower()}".endswith(f".{dotted}")]


def _inherited(view: View, name: str) -> list[str]:
    """What `Type.member` means if the member is written in a base of the type."""
    return [record.qualname for record in _from_bases(view, _dotted(name))]


def _mixed_in(view: View, dotted: str) -> list[SymbolRecord]:
    """What `Type.member` means in PHP if a trait gives the member to the type: its own, by a
    copy, so that nothing else can be meant."""
    found = [record for record in _from_bases(view, dotted) if record.language == "php"]
    owners = {record.id: record for record in view.records([each.parent for each in found])}
    return [r for r in found if r.parent in owners and owners[r.parent].kind is Kind.TRAIT]


def _from_bases(view: View, dotted: str) -> list[SymbolRecord]:
    """The members of that name that a type has from those it is derived from."""
    owner, _, member = dotted.rpartition(".")
    graph = view.index.graph
    owners = [r for r in _named(view, owner) if r.kind in TYPE_KINDS] if owner else []
    found = {id for one in owners for id in targets(graph, one.id, EdgeKind.INHERITS)}
    return [record for record in view.records(view.by_place(found)) if record.name == member]


def names_file(view: View, name: str) -> bool:
    """Whether what was given as a symbol's name is the path of a file."""
    return view.file_at(name.strip()) is not None


def not_found(view: View, name: str) -> Refusal:
    """A refusal for an unknown name, suggesting similar ones labelled as such."""
    shown = " ".join(name.split())[:80]
    if names_file(view, name):
        return NotFound(f"{shown!r} is a file: name one of its symbols")
    near = near_names(view, name)
    hint = f"near names: {', '.join(near)}" if near else "try 'search'"
    return NotFound(f"no symbol named {shown!r} in this workspace; {hint}")


def every_symbol(view: View) -> Iterator[SymbolRecord]:
    """Every symbol, by path and place in its file.

    Everything is checked before the first is yielded: a caller that has printed some cannot start
    again with a rebuilt index. They are read from a snapshot of their own, as the next question
    may replace the one that all share.
    """
    view.index.check()
    index = Index.open(view.index.workspace)
    if isinstance(index, Problem):
        raise StoreError(index.kind, index.message)
    return _symbols_of(index)


def _symbols_of(index: Index) -> Iterator[SymbolRecord]:
    try:
        for file in index.files():
            yield from index.records(index.ids_in_file(file.path))
    finally:
        index.close()
