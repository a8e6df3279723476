"""Meaning: words and code as vectors of one small table, so that different words can meet."""

from __future__ import annotations

MODEL = "words-2"  # raised with the table: vectors of different tables do not compare
