"""Query → candidates: every channel, fused, filtered, and widened by the walk."""

from __future__ import annotations

import time
from dataclasses import dataclass

from sonde.model import Query, SymbolRecord
from sonde.retrieve import concepts, frames, fulltext, names, paths, text
from sonde.retrieve.channel import Channel, Hit
from sonde.retrieve.fusion import Fused, by_score, fuse
from sonde.retrieve.noise import is_noise
from sonde.retrieve.seeds import choose_seeds
from sonde.retrieve.view import View
from sonde.retrieve.walk import hits, walk

CHANNELS: tuple[Channel, ...] = (
    names.CHANNEL,
    fulltext.CHANNEL,
    concepts.CHANNEL,
    paths.CHANNEL,
    text.CHANNEL,
    frames.CHANNEL,
)
_CANDIDATES = 500  # that reach the ranking
_WALKED = 200  # best-walked nodes that become candidates


@dataclass(frozen=True, slots=True)
class Gathered:
    """Candidates and everything the ranking needs to judge them."""

    records: tuple[SymbolRecord, ...]
    fused: dict[int, Fused]
    walked: dict[int, float]
    hits: dict[int, tuple[float, float]]
    seeds: dict[int, float]
    statistics: tuple[tuple[str, float], ...]


def gather(query: Query, view: View, without: frozenset[str] = frozenset()) -> Gathered:
    """All candidates for a query; `without` names channels and rules to leave out."""
    statistics: list[tuple[str, float]] = []
    found: list[tuple[Channel, list[Hit]]] = []
    for channel in CHANNELS:
        if channel.name in without:
            continue
        began = time.perf_counter()
        proposals = channel.find(query, view)
        statistics.append((f"{channel.name} hits", float(len(proposals))))
        statistics.append((f"{channel.name} ms", _since(began)))
        found.append((channel, proposals))
    began = time.perf_counter()
    fused = _without_noise(fuse(found), query, view)
    seeds = choose_seeds(query, fused, view, without)
    walked = walk(view.paths, seeds) if "walk" not in without else {}
    central = hits(view.paths, walked) if "authority" not in without else {}
    reached = sorted(walked, key=lambda id: (-walked[id], id))[:_WALKED]
    ids = list(dict.fromkeys([*(one.id for one in by_score(fused)), *reached]))[:_CANDIDATES]
    records = tuple(
        record for record in view.records(ids) if not is_noise(record, query.about_tests)
    )
    statistics += [
        ("walk ms", _since(began)),
        ("seeds", float(len(seeds))),
        ("nodes walked", float(len(walked))),
        ("candidates", float(len(records))),
    ]
    return Gathered(records, fused, walked, central, seeds, tuple(statistics))


def _since(began: float) -> float:
    return (time.perf_counter() - began) * 1000.0


def _without_noise(fused: dict[int, Fused], query: Query, view: View) -> dict[int, Fused]:
    kept = {}
    for record in view.records(list(fused)):
        if not is_noise(record, query.about_tests):
            kept[record.id] = fused[record.id]
    return kept
