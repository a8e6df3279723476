"""Tiered names: exact, then prefix, fuzzy, substring; compounds before their components."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.retrieve.channel import Channel, Hit, ranked

if TYPE_CHECKING:
    from sonde.model import Query
    from sonde.retrieve.view import View

# A lower tier is less certain, so it is used only if the higher ones found too little.
_ENOUGH_PRIMARY = 5
_PREFIX_BELOW, _PREFIX_CAP = 15, 30
_SUBSTRING_BELOW, _SUBSTRING_CAP = 5, 20
_HOMONYMS = 25  # a name shared by more symbols says nothing by itself
_FUZZY_SCORE, _FUZZY_MATCHES = 78, 3
_LIMIT = 60

_EXACT, _COMPOUND, _GENERATED, _COMPONENT = 10.0, 8.0, 4.0, 2.0
_PREFIX_FACTOR, _FUZZY_FACTOR, _SUBSTRING_FACTOR = 0.5, 0.7, 0.3


def find(query: Query, view: View) -> list[Hit]:
    """Symbols named by the task, most explicit first."""
    hits: list[Hit] = []
    primary = [(name, _EXACT) for name in query.exact]
    primary += [(name, _COMPOUND) for name in query.compounds]
    missing = [name for name, weight in primary if not _exact(name, weight, view, hits)]
    for name in query.generated:
        _exact(name, _GENERATED, view, hits)
    for name, weight in primary:
        if len(hits) >= _PREFIX_BELOW:
            break
        _prefix(name, weight * _PREFIX_FACTOR, view, hits)
    if missing:
        _fuzzy(missing, view, hits)
    if len(hits) < _ENOUGH_PRIMARY:
        for word in query.components:
            _exact(word, _COMPONENT, view, hits)
        for word in query.components:
            if len(hits) >= _PREFIX_BELOW:
                break
            _prefix(word, _COMPONENT * _PREFIX_FACTOR, view, hits)
    if len(hits) < _SUBSTRING_BELOW:
        _substring(query, view, hits)
    return ranked(hits, _LIMIT)


def _exact(name: str, weight: float, view: View, hits: list[Hit]) -> bool:
    """Symbols with exactly that name; a dotted name must match the owner too."""
    owner, last = split_dotted(name)
    ids = view.ids_named(last.lower())
    if owner:
        wanted = owner.lower()
        owned = [r.id for r in view.records(ids) if _owner(r.qualname.lower()) == wanted]
        ids = owned or (ids if len(ids) <= 3 else [])
        weight = weight * 1.25 if owned else weight * 0.5
    if len(ids) > _HOMONYMS:
        weight *= _HOMONYMS / len(ids)
        ids = ids[:_PREFIX_CAP]
    share = 1.0 / (1.0 + 0.05 * len(ids))  # the rarer a name, the surer the hit
    hits.extend(Hit(id, weight * share, f"named {last}") for id in ids)
    return bool(ids)


def split_dotted(name: str) -> tuple[str, str]:
    """("Class", "method") of "pkg.Class.method()" or ("", name)."""
    name = name.replace("::", ".").replace("#", ".").rstrip("()")
    head, _, last = name.rpartition(".")
    return head.rpartition(".")[2], last


def _owner(qualname: str) -> str:
    return qualname.rpartition(".")[0].rpartition(".")[2]


def _prefix(name: str, weight: float, view: View, hits: list[Hit]) -> None:
    _, last = split_dotted(name)
    if len(last) < 4:
        return
    for id in view.index.ids_with_prefix(last.lower(), _PREFIX_CAP):
        hits.append(Hit(id, weight, f"name begins with {last}"))


def _fuzzy(names: list[str], view: View, hits: list[Hit]) -> None:
    from rapidfuzz import fuzz, process

    for name in names[:4]:
        _, last = split_dotted(name)
        if len(last) < 5:
            continue
        near = view.names_about_as_long(len(last), 2 + len(last) // 4)
        found = process.extract(
            last.lower(), near, scorer=fuzz.ratio, score_cutoff=_FUZZY_SCORE, limit=_FUZZY_MATCHES
        )
        for other, score, _ in found:
            for id in view.ids_named(other)[:5]:
                reason = f"name {other} resembles {last}"
                hits.append(Hit(id, _GENERATED * _FUZZY_FACTOR * score / 100.0, reason))


def _substring(query: Query, view: View, hits: list[Hit]) -> None:
    for word in (*query.exact, *query.compounds, *query.components):
        _, last = split_dotted(word)
        if len(last) < 4:
            continue
        for id in view.index.ids_containing(last.lower(), _SUBSTRING_CAP):
            hits.append(Hit(id, _COMPONENT * _SUBSTRING_FACTOR, f"name contains {last}"))
        if len(hits) >= _SUBSTRING_CAP:
            return


CHANNEL = Channel("names", 2.0, find)
