"""Fallback if no symbol was found: the first definitions of the files that share most words."""

from __future__ import annotations

from sonde.model import CALLABLE_KINDS, TYPE_KINDS, Evidence, Query, Ranked
from sonde.retrieve import fulltext
from sonde.retrieve.view import View, name_words

_FILES = 3
_CARDS = 5
_SCORE = 0.3  # below any direct match


def safety_net(query: Query, view: View) -> list[Ranked]:
    """At most five top-level definitions from the three best files; none if no word occurs."""
    found: list[Ranked] = []
    for path in _files(query, view):
        for record in view.records(view.index.ids_in_file(path)):
            top = "." not in record.qualname and record.kind in CALLABLE_KINDS | TYPE_KINDS
            if top and len(found) < _CARDS:
                reason = f"defined in {path}, whose text matches"
                proof = Evidence("safety net", len(found) + 1, _SCORE, reason)
                found.append(Ranked(record, _SCORE, evidence=(proof,)))
    return found


def _files(query: Query, view: View) -> list[str]:
    hits = fulltext.find(query, view)
    paths = [record.file for record in view.records([hit.id for hit in hits])]
    words = set(query.components)
    for file in view.files.values():
        stem = file.path.rpartition("/")[2].partition(".")[0]
        if words.intersection(name_words(stem)):
            paths.append(file.path)
    return list(dict.fromkeys(paths))[:_FILES]
