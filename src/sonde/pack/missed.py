"""What the commits, and the larger models that a user chose, could not add to an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sonde.model.statistics import CUT, EMBEDDED, HISTORY, LOADING, NEURAL, RERANKING


def missed(statistics: Sequence[tuple[str, float]]) -> list[str]:
    """The lines about it in the text of an answer."""
    told = dict(statistics)
    share = told.get(EMBEDDED, 1.0)
    lines = []
    if f"{HISTORY} {CUT}" in told:
        reading = f"{HISTORY} {LOADING}" in told
        state = "still being read: ask again" if reading else "not readable: see 'sonde status'"
        lines.append(f"without the history of commits, which is {state}")
    if f"{NEURAL} {CUT}" in told:
        lines.append(f"without the embedding model, which is {_state(NEURAL, told)}")
    elif share < 1.0:
        # Rounded down, so that what lacks something is never reported as complete.
        lines.append(f"partial: {int(share * 100)} % of functions and types are embedded so far")
    if f"{RERANKING} {CUT}" in told:
        lines.append(f"without the reranking model, which is {_state(RERANKING, told)}")
    return lines


def _state(model: str, told: Mapping[str, float]) -> str:
    loading = f"{model} {LOADING}" in told  # nothing is wrong with it, so the doctor finds nothing
    return "still loading: ask again" if loading else "not ready: see 'sonde doctor'"
