"""The output of each stage for a batch of tasks: `python -m bench.adapters.sonde_trace`.

Arguments: REPO BUDGET BATCH. Symbols are printed as "path::Qualified.name".
Runs as a separate process, so that its caches are those that its environment names.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from sonde import Answer, Engine
from sonde.config import ConfigProblem, load_settings
from sonde.history.log import head_stamp
from sonde.history.refresh import refresh
from sonde.history.store import History, open_history
from sonde.model import Fidelity, Kind, SymbolRecord
from sonde.rank.pipeline import rank_query
from sonde.retrieve.fusion import best_of, totals
from sonde.retrieve.gather import CHANNELS
from sonde.retrieve.view import View
from sonde.store.errors import Problem
from sonde.store.index import Index
from sonde.store.location import workspace
from sonde.understand.query import understand

_DEEPEST = 500  # per list; no recall is reported further down


def main() -> None:
    """Print one JSON line for each task of the batch."""
    repo, budget, batch = sys.argv[1:]
    with open(batch, encoding="utf-8") as lines:
        questions = [json.loads(line) for line in lines]
    with Engine(repo) as engine, engine.hold() as problem:
        view = _view(engine.root)
        if problem is not None or isinstance(view, str):
            sys.exit(str(problem or view))
        for question in questions:
            row = {"id": question["id"], **_stages(question["query"], view)}
            answer = engine.for_task(question["query"], int(budget))
            row["packed"] = _packed(answer, view) if isinstance(answer, Answer) else []
            print(json.dumps(row))


def _view(root: Path) -> View | str:
    settings = load_settings(root)
    if isinstance(settings, ConfigProblem):
        return settings.message
    place = workspace(root, settings.cache)
    index = Index.open(place)
    if isinstance(index, Problem):
        return index.message
    history = open_history(place.history) if head_stamp(root) else None
    if not isinstance(history, History):
        return View(index) if history is None else history.message
    refresh(root, history)
    return View(index, history)


def _stages(text: str, view: View) -> dict[str, Any]:
    """The symbols of each channel, of their fusion and of the walk, and the ranking."""
    query = understand(text)
    found = [(channel, channel.find(query, view)) for channel in CHANNELS]
    sums = totals(found)
    ranking = rank_query(query, view)
    definitions = [one.symbol for one in ranking.ranked if one.symbol.kind is not Kind.MODULE]
    return {
        "channels": {
            channel.name: _named(view, [hit.id for hit in hits]) for channel, hits in found
        },
        "fused": _named(view, best_of(sums, len(sums))),
        "walked": _places(view.records(list(ranking.field.walked))),
        "ranked": _places(definitions[:_DEEPEST]),
    }


def _named(view: View, ids: Sequence[int]) -> list[str]:
    records = view.records(list(ids))
    return _places([record for record in records if record.kind is not Kind.MODULE][:_DEEPEST])


def _places(records: Iterable[SymbolRecord]) -> list[str]:
    return [f"{record.file}::{record.qualname}" for record in records]


def _packed(answer: Answer, view: View) -> list[str]:
    """Symbols that a pack shows, and those inside symbols that it shows in full."""
    shown: dict[str, None] = {}
    for section in answer.pack.sections:
        for item in section.items:
            shown[_places([item.symbol])[0]] = None
            if item.fidelity is Fidelity.FULL:
                inside = [
                    record
                    for record in view.records(view.index.ids_in_file(item.symbol.file))
                    if item.symbol.start_byte <= record.start_byte
                    and record.end_byte <= item.symbol.end_byte
                ]
                shown.update(dict.fromkeys(_places(inside)))
    return list(shown)


if __name__ == "__main__":
    main()
