"""Signs that a long output cannot hold are told without looking for them."""

from __future__ import annotations

import random

from sonde.failures.signs import may_hold
from sonde.failures.tools import TOOLS

_LINE = "2026-01-01 12:00:00 INFO worker: handled request 4711 of client 12 in 35 ms\n"


def test_what_a_text_holds_may_be_in_it():
    chance = random.Random(3)
    signs = [sign for tool in TOOLS for sign in tool.signs]
    for sign in (*signs, "x", "é✕", "\ud800"):
        lines = [_LINE] * 1_000
        lines.insert(chance.randrange(len(lines)), sign)
        assert may_hold("".join(lines), sign)


def test_a_sign_whose_letters_never_meet_is_ruled_out():
    assert not may_hold(_LINE * 1_000, "FAILED")
    assert not may_hold(_LINE * 1_000, "✕")


def test_in_a_short_text_one_simply_looks():
    assert may_hold("short", "FAILED")
