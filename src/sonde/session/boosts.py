"""Session boosts: what was just used in a session counts a little more in it.

Two named rules, each of which can be switched off. Neither has an effect outside of the
session, and each moves a score by a bounded share.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sonde.model import Ranked
from sonde.rank.score import where
from sonde.session.context_pack import key_of

SESSION_BOOST = "session-boost"
FEEDBACK = "feedback"
SESSION_RULES = frozenset({SESSION_BOOST, FEEDBACK})
HALF_LIFE = 180.0  # seconds
CAP = 2.0
KEPT = 20  # accesses of one symbol
_LEAST = 0.01
_WEIGHT = 0.20  # of the score, at the cap
_USEFUL, _USELESS = 0.25, -0.05  # of the score: praise counts more than blame


def boost(accesses: Sequence[float], now: float) -> float:
    """What a symbol's accesses are worth now: each halves every three minutes."""
    total = sum(math.exp(-max(0.0, now - at) * math.log(2.0) / HALF_LIFE) for at in accesses)
    return 0.0 if total < _LEAST else min(CAP, total)


def accessed(
    accesses: Mapping[str, tuple[float, ...]], keys: Iterable[str], now: float
) -> dict[str, tuple[float, ...]]:
    """The accesses after these symbols were used; the newest twenty of each are kept."""
    found = dict(accesses)
    for key in keys:
        found[key] = (*found.get(key, ()), now)[-KEPT:]
    return found


def contributions(
    key: str,
    accesses: Mapping[str, tuple[float, ...]],
    opinions: Mapping[str, float],
    now: float,
    without: frozenset[str] = frozenset(),
) -> tuple[tuple[str, float], ...]:
    """The share that each rule adds to a symbol's score."""
    found = []
    if SESSION_BOOST not in without and key in accesses:
        found.append((SESSION_BOOST, _WEIGHT * boost(accesses[key], now) / CAP))
    if FEEDBACK not in without and opinions.get(key):
        found.append((FEEDBACK, _USEFUL if opinions[key] > 0 else _USELESS))
    return tuple((name, value) for name, value in found if value)


def boosted(
    ranked: Sequence[Ranked],
    accesses: Mapping[str, tuple[float, ...]],
    opinions: Mapping[str, float],
    now: float,
    without: frozenset[str] = frozenset(),
) -> tuple[Ranked, ...]:
    """The ranking with the boosts as contributions, best first."""
    found = []
    for one in ranked:
        added = contributions(key_of(one.symbol), accesses, opinions, now, without)
        if added:
            gains = tuple((name, share * one.score) for name, share in added)
            score = one.score + sum(gain for _, gain in gains)
            one = replace(one, score=score, contributions=(*one.contributions, *gains))
        found.append(one)
    return by_score(found)


def by_score(ranked: Iterable[Ranked]) -> tuple[Ranked, ...]:
    """Best first; equal scores by path, line and name."""
    return tuple(sorted(ranked, key=lambda one: (-one.score, *where(one.symbol))))
