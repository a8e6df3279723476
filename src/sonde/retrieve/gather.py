"""Query → candidates: all channels, fused, with noise removed."""

from __future__ import annotations

import time

from sonde.frozen import frozen
from sonde.model import Evidence, Query, SymbolRecord
from sonde.model.statistics import CUT, EMBEDDED, LOADING, NEURAL
from sonde.retrieve import (
    aliases,
    concepts,
    documentation,
    frames,
    fulltext,
    history,
    meaning,
    names,
    neural,
    paths,
    tested,
    text,
)
from sonde.retrieve.channel import Channel, Hit
from sonde.retrieve.fusion import Shares, best_of, opinions, totals
from sonde.retrieve.implementors import CHANNEL_NAME, implementors
from sonde.retrieve.noise import FILTER, is_noise
from sonde.retrieve.view import View

CHANNELS: tuple[Channel, ...] = (
    names.CHANNEL,
    fulltext.CHANNEL,
    concepts.CHANNEL,
    aliases.CHANNEL,
    documentation.CHANNEL,
    tested.CHANNEL,
    history.CHANNEL,
    meaning.CHANNEL,
    neural.CHANNEL,
    paths.CHANNEL,
    text.CHANNEL,
    frames.CHANNEL,
)
_CANDIDATES = 400
_LEADING = 30  # fused candidates whose implementors are looked up


@frozen
class Gathered:
    """Candidates, with what each channel says of them."""

    records: tuple[SymbolRecord, ...]
    evidence: dict[int, list[Evidence]]
    channels: Shares
    statistics: tuple[tuple[str, float], ...]


def gather(query: Query, view: View, without: frozenset[str] = frozenset()) -> Gathered:
    """All candidates for a query, best first; `without` names channels to leave out."""
    statistics: list[tuple[str, float]] = []
    found: list[tuple[Channel, list[Hit]]] = []
    for channel in CHANNELS:
        if channel.name in without:
            continue
        began = time.perf_counter()
        view.cut_short.discard(channel.name)
        hits = channel.find(query, view)
        found.append((channel, hits))
        statistics.append((f"{channel.name} hits", float(len(hits))))
        statistics.append((f"{channel.name} ms", (time.perf_counter() - began) * 1000.0))
        if channel.name in view.cut_short:
            statistics.append((f"{channel.name} {CUT}", 1.0))
            if channel.name in view.loading:
                statistics.append((f"{channel.name} {LOADING}", 1.0))
    if view.models is not None and view.models.embeds and NEURAL not in without:
        statistics.append((EMBEDDED, neural.embedded_share(view)))
    sums = totals(found)
    if CHANNEL_NAME not in without:
        found.append(implementors(best_of(sums, _LEADING), view))
        sums = totals(found[-1:], sums)
    ids = best_of(sums, _CANDIDATES)
    keep_noise = FILTER in without
    records = [
        record
        for record in view.records(ids)
        if keep_noise or not is_noise(record, query.about_tests, query.exact)
    ]
    evidence, shares = opinions(found, [record.id for record in records])
    return Gathered(tuple(records), evidence, shares, tuple(statistics))
