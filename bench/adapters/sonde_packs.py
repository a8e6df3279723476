"""Answer a batch of tasks with one warm engine: `python -m bench.adapters.sonde_packs`.

Arguments: REPO BUDGET RULES BATCH, where RULES are switched off, separated by commas.
Runs as a separate process, so that its caches are those that its environment names.
"""

from __future__ import annotations

import json
import sys
import time
from hashlib import sha256
from typing import Any

from sonde import Answer, Engine, Refusal


def main() -> None:
    """Print one JSON line for each task of the batch."""
    repo, budget, rules, batch = sys.argv[1:]
    without = frozenset(rule for rule in rules.split(",") if rule)
    engine = Engine(repo)
    with open(batch, encoding="utf-8") as lines:
        questions = [json.loads(line) for line in lines]
    # The first answer pays for loading; users of a warm engine do not see that cost.
    engine.for_task("warm up", int(budget), without=without)
    for question in questions:
        start = time.perf_counter()
        answer = engine.for_task(question["query"], int(budget), without=without)
        elapsed = 1000 * (time.perf_counter() - start)
        if not isinstance(answer, Answer | Refusal):
            sys.exit(f"no pack for {question['id']}: {answer}")
        print(json.dumps({"id": question["id"], "ms": elapsed, **_contents(answer)}))


def _contents(answer: Answer | Refusal) -> dict[str, Any]:
    """The contents of the pack; its tokens are those of the whole rendered text.

    A task that is refused because it has no word to search for has found nothing.
    """
    if isinstance(answer, Refusal):
        return {"symbols": [], "files": [], "tokens": 0, "intent": "", "digest": ""}
    pack = answer.pack
    items = [item for section in pack.sections for item in section.items]
    return {
        "symbols": list(dict.fromkeys(item.symbol.qualname for item in items)),
        "files": list(dict.fromkeys(item.symbol.file for item in items)),
        "tokens": pack.tokens,
        "intent": str(pack.intent),
        "digest": sha256(answer.text.encode()).hexdigest(),
    }


if __name__ == "__main__":
    main()
