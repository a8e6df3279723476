"""From the text of a task to a query: names, words, traces, paths and the asker's intent."""

from __future__ import annotations

from sonde.understand.identifiers import split_identifier
from sonde.understand.query import understand

__all__ = ["split_identifier", "understand"]
