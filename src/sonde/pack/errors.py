"""What can be wrong with a request for a pack: error values with one-line messages."""

from __future__ import annotations

from sonde.frozen import frozen


@frozen
class BudgetTooSmall:
    """Not even the smallest useful answer fits."""

    budget: int
    minimum: int

    def __str__(self) -> str:
        return f"a budget of {self.budget} tokens is too small: this answer needs {self.minimum}"


@frozen
class UnknownTokenizer:
    """An unknown tokenizer name."""

    name: str
    known: tuple[str, ...]

    def __str__(self) -> str:
        return f"unknown tokenizer {self.name!r}: choose one of {', '.join(self.known)}"


@frozen
class UnknownFormat:
    """An unknown format name."""

    name: str
    known: tuple[str, ...]

    def __str__(self) -> str:
        return f"unknown format {self.name!r}: choose one of {', '.join(self.known)}"


PackError = BudgetTooSmall | UnknownTokenizer | UnknownFormat
