"""The input from which a pack is made."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sonde.frozen import frozen
from sonde.model import Intent, Ranked, SymbolRecord
from sonde.pack.tokens import DEFAULT_TOKENIZER

DEFAULT_BUDGET = 8000
FORMAT_NAMES = ("xml", "markdown", "json", "yaml")
DEFAULT_FORMAT = FORMAT_NAMES[0]

Edge = tuple[int, str, int]  # source, kind, target


def _nothing_imported(files: Sequence[str]) -> Sequence[tuple[str, str]]:
    return ()


@frozen
class PackRequest:
    """A question with its ranked answers and the ways to look up more about them."""

    task: str
    intent: Intent
    confidence: float
    ranked: Sequence[Ranked]  # best first
    source: Callable[[SymbolRecord], str]  # text of a symbol, from the bytes that were indexed
    members: Callable[[SymbolRecord], Sequence[SymbolRecord]]  # most important first
    edges: Callable[[Sequence[int], Sequence[int]], Sequence[Edge]]  # from these ids to those
    tests: Sequence[Ranked] = ()
    callers: Sequence[Ranked] = ()
    neighbours: Sequence[Ranked] = ()  # best first; each gets a line if its file is shown
    # Which of these files import which.
    imports: Callable[[Sequence[str]], Sequence[tuple[str, str]]] = _nothing_imported
    named: Sequence[str] = ()  # identifiers and paths that the task spells out
    given: bool = False  # ranked symbols were asked about, not guessed: they get the whole budget
    budget: int = DEFAULT_BUDGET
    tokenizer: str = DEFAULT_TOKENIZER
    format: str = DEFAULT_FORMAT
    statistics: tuple[tuple[str, float], ...] = ()
    stale: tuple[str, ...] = ()  # all files that could not be refreshed
    indexed_share: float = 1.0
