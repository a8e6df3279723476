"""Every answer inside its budget by another tokenizer's count, and the same bytes when repeated.

python -m bench.budgets REPO [--tasks 1000] [--out FILE]
Random tasks, each with budgets of 300, 1,000, 8,000 and 50,000 tokens. The count is tiktoken's on
the published ranks. All is asked again by another process, whose sets have another order, from the
last task to the first; no answer comes from a cache. Exit code 1 when a check fails.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.speed_archive import save
from sonde import Answer, Engine
from sonde.answers.packing import Options
from sonde.answers.results import Failure
from sonde.answers.state import State
from sonde.answers.task import answer_task
from sonde.store.errors import Problem

BUDGETS = (300, 1_000, 8_000, 50_000)
_O200K_TOKENS = 199_998
_WISHES = (
    "fix {name} when the {word} is empty",
    "explain how {word} and {other} work together",
    "add tests for `{name}`",
    "refactor {file}: split {name}",
    "the {word} of the {other} is lost after {name}() was called twice",
    "where is {name} used?",
    "{name} raises ValueError: '{word} must not be {other}'",
    "speed up {word} {other}",
    'Traceback (most recent call last):\n  File "{file}", line {line}, in {name}\n    {word}()\n'
    "KeyError: '{other}'",
    "### Steps\n1. call `{name}`\n2. see {word}\n\n### Expected\n{other} stays\n\n"
    "```\nfrom {word} import {name}\n{name}({line})\n```",
    "ändere {name}, ohne {word} zu verlieren 🙂",
)


def tasks(engine: Engine, count: int, seed: int = 5) -> list[str]:
    """Distinct tasks about names and files of the repository."""
    found = engine.symbols()
    if not isinstance(found, Iterator):
        raise SystemExit(f"budgets: {found}")
    symbols = [(each.qualname, each.name, each.file) for each in found if each.parent]
    chance = random.Random(seed)
    made = []
    for number in range(count):
        (name, _, file), (_, word, _), (_, other, _) = chance.sample(symbols, 3)
        wish = chance.choice(_WISHES)
        said = {"name": name, "file": file, "line": chance.randrange(1, 900)}
        plain = {"word": word.replace("_", " "), "other": other.replace("_", " ")}
        made.append(f"{wish.format(**said, **plain)} ({number})")
    return made


def reference_count() -> Callable[[str], int]:
    """tiktoken's count. Its ranks come from our tokenizer and have the published hash."""
    from rs_bpe.bpe import openai
    from tiktoken import Encoding
    from tiktoken_ext import openai_public  # type: ignore[import-untyped]

    bpe = openai.o200k_base().bpe()
    ranks = {bpe.decode_tokens([rank]): rank for rank in range(_O200K_TOKENS)}

    def load(url: str, expected_hash: str) -> dict[bytes, int]:
        lines = (base64.b64encode(token) + b" %d\n" % rank for token, rank in ranks.items())
        if hashlib.sha256(b"".join(lines)).hexdigest() != expected_hash:
            raise SystemExit("budgets: the ranks are not the published ones")
        return ranks

    openai_public.load_tiktoken_bpe = load
    encoding = Encoding(**openai_public.o200k_base())
    return lambda text: len(encoding.encode(text, disallowed_special=()))


def ask_all(repository: Path, count: int, *, backwards: bool) -> Iterator[dict[str, Any]]:
    """One row for each task and budget: tokens by the reference, and a digest of the answer."""
    tokens_of = reference_count()
    with Engine(repository) as engine, engine.hold() as problem:
        if problem is not None:
            raise SystemExit(f"budgets: {problem.message}")
        for task in tasks(engine, count)[:: -1 if backwards else 1]:
            for budget in BUDGETS:
                yield {"task": task, "budget": budget, **_asked(engine, task, budget, tokens_of)}


def _asked(
    engine: Engine, task: str, budget: int, tokens_of: Callable[[str], int]
) -> dict[str, Any]:
    def question(state: State) -> Answer | Failure:
        return answer_task(task, state, Options(budget))

    answer = engine.ask(question)
    if isinstance(answer, Problem):
        raise SystemExit(f"budgets: {answer.message}")
    text = answer.text if isinstance(answer, Answer) else str(answer)
    row: dict[str, Any] = {"digest": hashlib.sha256(text.encode()).hexdigest()[:16]}
    if isinstance(answer, Answer):
        row.update(tokens=tokens_of(text), told=answer.pack.tokens)
    return row


def verdict(first: Sequence[dict[str, Any]], again: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """How many answers were within budget, reported their tokens exactly, and were repeatable."""
    other = {(row["task"], row["budget"]): row["digest"] for row in again}
    answers = [row for row in first if "tokens" in row]
    most = {
        str(budget): max((row["tokens"] for row in answers if row["budget"] == budget), default=0)
        for budget in BUDGETS
    }
    return {
        "asked": len(first),
        "answers": len(answers),
        "refused": len(first) - len(answers),
        "over_budget": sum(row["tokens"] > row["budget"] for row in answers),
        "told_otherwise": sum(row["tokens"] != row["told"] for row in answers),
        "different": sum(row["digest"] != other[row["task"], row["budget"]] for row in first),
        "most_tokens": most,
    }


def _run(repository: Path, count: int, seed: int) -> list[dict[str, Any]]:
    """The rows from a separate process, with its own order of sets."""
    command = [sys.executable, "-m", "bench.budgets", str(repository), "--tasks", str(count)]
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    order = "forth" if seed == 1 else "back"
    done = subprocess.run(
        [*command, "--rows", order], env=environment, stdout=subprocess.PIPE, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def main() -> int:
    """Ask everything twice and report the findings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--tasks", type=int, default=1_000)
    parser.add_argument("--out", type=Path, help="archive to write (default: by date and commit)")
    parser.add_argument("--rows", choices=("forth", "back"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.rows:
        for row in ask_all(given.repository, given.tasks, backwards=given.rows == "back"):
            print(json.dumps(row))
        return 0
    first, again = (_run(given.repository, given.tasks, seed) for seed in (1, 2))
    found = verdict(first, again)
    name = given.repository.resolve().name
    record = {"figure": "budgets", "repository": name, "tasks": given.tasks, **found}
    print(json.dumps(record))
    print(f"written to {save([record], given.out).name}", file=sys.stderr)
    return int(bool(found["over_budget"] or found["told_otherwise"] or found["different"]))


if __name__ == "__main__":
    sys.exit(main())
