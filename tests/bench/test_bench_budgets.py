"""The check of budgets finds what it is there to find."""

from __future__ import annotations

from bench.budgets import verdict


def _row(task: str, tokens: int, told: int, digest: str) -> dict[str, object]:
    return {"task": task, "budget": 300, "tokens": tokens, "told": told, "digest": digest}


def test_answers_over_budget_told_wrongly_or_changed_are_counted() -> None:
    first = [
        _row("fits", 300, 300, "a"),
        _row("too long", 301, 301, "b"),
        _row("told wrongly", 200, 199, "c"),
        _row("changed", 200, 200, "d"),
        {"task": "refused", "budget": 300, "digest": "e"},
    ]
    again = [{**row, "digest": "x"} if row["task"] == "changed" else row for row in first]
    found = verdict(first, again)
    assert (found["asked"], found["answers"], found["refused"]) == (5, 4, 1)
    assert (found["over_budget"], found["told_otherwise"], found["different"]) == (1, 1, 1)
    assert found["most_tokens"]["300"] == 301
