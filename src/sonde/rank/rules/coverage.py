"""How much of the task a name says, and how much of a name the task says."""

from __future__ import annotations

from sonde.rank.rule import Field, Rule
from sonde.retrieve.view import name_words


def _name_said(field: Field) -> list[float]:
    """Share of the name's words that occur in the task."""
    words = field.words
    shares = []
    for record in field.records:
        own = field.own_words(record)
        shares.append(sum(1 for word in own if word in words) / len(own) if own else 0.0)
    return shares


def _task_said(field: Field) -> list[float]:
    """Share of the task's weight that the qualified name covers."""
    words = field.words
    total = sum(sorted(words.values(), reverse=True)[:6]) or 1.0
    covered = []
    for record in field.records:
        own = set(name_words(record.qualname))
        covered.append(min(1.0, sum(words.get(word, 0.0) for word in own) / total))
    return covered


RULES = (
    Rule("name-said", 0.3, _name_said),
    Rule("task-said", 0.5, _task_said),
)
