"""Test files whose tests are blocks (`it("…", …)`), not definitions: the file represents them."""

from __future__ import annotations

import re

from sonde.answers.edges import is_module, is_test, sources
from sonde.model import TYPE_KINDS, EdgeKind, SymbolRecord
from sonde.retrieve.view import View

BLOCK_LANGUAGES = frozenset(
    {"javascript", "typescript", "tsx", "jsx", "vue", "svelte", "astro", "ruby"}
)
_AFFIX = re.compile(r"^(?:test_)?(.+?)(?:[._-](?:spec|test))?$")


def spec_files(view: View, symbol: SymbolRecord) -> tuple[list[int], str]:
    """Modules that test a symbol, and its name.

    For a member without any, the modules named after the file of its type.
    """
    found, subject = specs_of(view, symbol), symbol.name
    if not found and symbol.parent and symbol.language in BLOCK_LANGUAGES:
        (owner,) = view.records([symbol.parent])
        if owner.kind in TYPE_KINDS:
            found, subject = specs_of(view, owner, named=True), owner.name
    return view.by_place(found), subject


def specs_of(view: View, symbol: SymbolRecord, *, named: bool = False) -> set[int]:
    """Modules that test a symbol: they use it, or they mention it and are named after its file."""
    if symbol.language not in BLOCK_LANGUAGES:
        return set()
    graph = view.index.graph
    using = sources(graph, symbol.id, EdgeKind.TESTS)
    mentioning = sources(graph, symbol.id, EdgeKind.REFERENCES) - using
    found = set()
    for id in using | mentioning:
        if not (is_module(graph, id) and is_test(graph, id)):
            continue
        file = view.files.get(int(graph.columns.file[id]))
        if file is None or file.language not in BLOCK_LANGUAGES:
            continue
        if (id in using and not named) or _is_named_after(file.path, symbol.file):
            found.add(id)
    return found


def _is_named_after(test: str, path: str) -> bool:
    stem = test.rpartition("/")[2].rpartition(".")[0]
    meant = _AFFIX.match(stem)
    return meant is not None and meant[1] == path.rpartition("/")[2].rpartition(".")[0] != stem
