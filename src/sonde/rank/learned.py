"""Weights of the rules, learned from tasks whose answer is known, kept as data.

A short request wants what one has to know: types, contracts, what the named things use. A long
report of a fault wants the function to change, and its text as a whole tells more than the names
that it happens to mention. So there are two sets, and the longer the text, the more the second
counts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sonde.model import Query

LEARNED = "learned"  # without it, the weights in the rules serve for all texts
_DATA = Path(__file__).with_name("data") / "weights.json"
_REQUEST, _REPORT = 30, 80  # words


@cache
def _learned() -> dict[str, dict[str, float]]:
    sets: dict[str, dict[str, float]] = json.loads(_DATA.read_text())
    return sets


def weights(query: Query) -> Mapping[str, float]:
    """The weight of each rule for a text of that length."""
    share = (len(query.text.split()) - _REQUEST) / (_REPORT - _REQUEST)
    share = min(max(share, 0.0), 1.0)
    request, report = _learned()["request"], _learned()["report"]
    return {name: weight + share * (report[name] - weight) for name, weight in request.items()}
