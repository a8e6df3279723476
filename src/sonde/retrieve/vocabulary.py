"""General programming vocabulary: clusters of words that mean the same, and concept classes."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from sonde.frozen import frozen

_GENERIC_TARGETS = frozenset(
    {"get", "set", "do", "new", "run", "put", "post", "call", "add", "pop", "on", "of", "use"}
)
_SHORTEST_TARGET = 4
_DATA = Path(__file__).with_name("data")


@frozen
class Concept:
    """Plain-language phrases for an idea, and the names code gives it."""

    said: tuple[tuple[str, str], ...]  # each phrase, and its spelling without hyphens
    targets: tuple[str, ...]
    language: str


def _lines(name: str) -> list[str]:
    text = (_DATA / name).read_text("utf-8")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


@cache
def synonyms() -> dict[str, tuple[str, ...]]:
    """Each word of the thesaurus, mapped to the other words of its clusters."""
    related: dict[str, dict[str, None]] = {}
    for line in _lines("thesaurus.txt"):
        words = line.split()
        for word in words:
            others = related.setdefault(word, {})
            others.update((other, None) for other in words if other != word)
    return {word: tuple(others) for word, others in related.items()}


@cache
def concepts() -> tuple[Concept, ...]:
    """All concept classes, without targets that would match half of any code base."""
    found = []
    for line in _lines("concepts.txt"):
        language = ""
        if match := re.match(r"\[(\w+)\]\s*", line):
            language, line = match.group(1), line[match.end() :]
        left, _, right = line.partition("=>")
        targets = tuple(
            target
            for target in (part.strip() for part in right.split(","))
            if len(target) >= _SHORTEST_TARGET and target.lower() not in _GENERIC_TARGETS
        )
        phrases = tuple(part.strip().lower() for part in left.split(","))
        said = tuple((phrase, f" {phrase.replace('-', ' ')}") for phrase in phrases)
        found.append(Concept(said, targets, language))
    return tuple(found)
