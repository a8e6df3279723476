"""Weights of the rules learned from reports and the functions that were changed, kept as data.

A short request wants what one has to know: types, contracts, what the named things use. The weights
that stand in the rules are for that. A long report of a fault wants the function to change, and its
text as a whole tells more than the names that it happens to mention: the longer the text, the more
the learned weights count.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sonde.rank.rules import ALL

if TYPE_CHECKING:
    from sonde.model import Query

LEARNED = "learned"  # without it, the weights in the rules serve for all texts
_DATA = Path(__file__).with_name("data") / "weights.json"
_REQUEST, _REPORT = 30, 80  # words


@cache
def _learned() -> dict[str, float]:
    weights: dict[str, float] = json.loads(_DATA.read_text())
    return weights


def weights(query: Query) -> Mapping[str, float]:
    """The weight of each rule for a text of that length."""
    share = (len(query.text.split()) - _REQUEST) / (_REPORT - _REQUEST)
    if share <= 0.0:
        return {}
    learned = _learned()
    share = min(share, 1.0)
    return {rule.name: rule.weight + share * (learned[rule.name] - rule.weight) for rule in ALL}
