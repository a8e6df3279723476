"""What a search finds by the embedding model that a user chose, inside the search's filters."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from typing import NamedTuple

from sonde.answers.wanted import Wanted
from sonde.model import SymbolRecord
from sonde.model.statistics import CUT, EMBEDDED, LOADING, NEURAL
from sonde.pack.missed import missed
from sonde.retrieve.neural import LONGEST, embedded_share, present
from sonde.retrieve.view import View

_MOST = 10
_JUDGED = 300  # nearest points, of which the filters may leave a few


class Meant(NamedTuple):
    """Symbols near to a text, nearest first, and what the model could not add."""

    symbols: tuple[SymbolRecord, ...] = ()
    lacking: tuple[str, ...] = ()


NOTHING_MEANT = Meant()


def meant(
    wanted: Wanted,
    view: View,
    paths: Collection[str] | None,
    takes: Callable[[SymbolRecord], bool],
) -> Meant:
    """The symbols that a filter takes; `paths` are all files that it may take, None for any.

    A single word is looked for as a name: for that no model has to be loaded.
    """
    models = view.models
    if models is None or not models.embeds or len(wanted.text.split()) < 2:
        return NOTHING_MEANT
    from sonde.neural.vector_store import Within

    folder = _around(paths) if paths is not None else ""
    within = Within(wanted.languages, folder, wanted.since)
    found = models.nearest(wanted.text[:LONGEST], _JUDGED, within)
    if not isinstance(found, list):
        told = [(f"{NEURAL} {CUT}", 1.0)]
        if found.is_loading:
            told.append((f"{NEURAL} {LOADING}", 1.0))
        return Meant((), tuple(missed(told)))
    ids, _ = present(found, view)
    near = [record for record in view.records(ids.tolist()) if takes(record)]
    return Meant(tuple(near[:_MOST]), tuple(missed([(EMBEDDED, embedded_share(view))])))


def _around(paths: Collection[str]) -> str:
    """The innermost folder that files have in common; "" for the whole workspace."""
    return os.path.commonpath([os.path.dirname(path) for path in paths]) if paths else ""
