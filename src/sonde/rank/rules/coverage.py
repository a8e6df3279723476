"""How much of the task a symbol's fields cover, and how much of its name the task covers."""

from __future__ import annotations

from collections.abc import Callable

import numpy
from numpy.typing import NDArray

from sonde.rank.rule import Field, Rule
from sonde.retrieve.match import SHARES

Floats = NDArray[numpy.float64]


def _shares(field: Field) -> Floats:
    """One row per share of a match, one column per candidate."""
    *shares, _ = zip(*field.matches, strict=True) if field.matches else ((),) * (len(SHARES) + 1)
    return numpy.array([numpy.fromiter(each, float, len(each)) for each in shares])


def _of(share: str) -> Callable[[Field], Floats]:
    row = SHARES.index(share)

    def values(field: Field) -> Floats:
        found: Floats = field.once("shares", lambda: _shares(field))[row]
        return found

    return values


RULES = (
    Rule("name-match", 0.21, _of("name")),
    Rule("owner-match", 0.34, _of("owner")),
    Rule("path-match", 0.20, _of("path")),
    Rule("doc-match", 0.32, _of("doc")),
    Rule("name-said", 0.09, _of("said")),
    Rule("text-match", 0.44, lambda field: field.matcher.anywhere.shares(field.rows)),
)
