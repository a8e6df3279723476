"""A few of the random sessions that `make bench-sessions` plays by the hundred."""

from __future__ import annotations

from pathlib import Path

from bench.random_sessions import play

SHOP = Path(__file__).resolve().parents[1] / "fixtures" / "shop"


def test_random_sessions_stay_in_budget_keep_what_must_stay_and_repeat(tmp_path: Path):
    tally = play(SHOP, tmp_path, sessions=5, passes=5, seed=7)
    assert tally.faults == []
    assert tally.packs > 30
