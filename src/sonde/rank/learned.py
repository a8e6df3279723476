"""Rule weights learned from tasks with known answers, kept as data.

A short request needs background: types, contracts, what the named symbols use. A long bug report
needs the function to change, and its text as a whole says more than the names it happens to
mention. So there are two sets of weights; the longer the text, the more the second one counts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sonde.model import Query

LEARNED = "learned"  # without it, the rules' own weights apply to all texts
_DATA = Path(__file__).with_name("data") / "weights.json"
_REQUEST, _REPORT = 30, 50  # words


@cache
def learned() -> dict[str, dict[str, float]]:
    """The two sets of weights, "request" and "report", by rule name."""
    sets: dict[str, dict[str, float]] = json.loads(_DATA.read_text())
    return sets


def weights(query: Query) -> Mapping[str, float]:
    """The weight of each rule for a text of this length."""
    share = report_share(query)
    request, report = learned()["request"], learned()["report"]
    return {name: weight + share * (report[name] - weight) for name, weight in request.items()}


def report_share(query: Query) -> float:
    """How far a text is a report by its length: 0 for a request, 1 for a report."""
    share = (len(query.text.split()) - _REQUEST) / (_REPORT - _REQUEST)
    return min(max(share, 0.0), 1.0)
