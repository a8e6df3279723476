"""codegraph (npm @colbymchenry/codegraph) on a copy of the repository, since it writes into it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.adapters.contract import Hit, PackPrediction, Prediction, Question, Unavailable
from bench.adapters.tools import CODEGRAPH, installed

_CONTEXT_NODES = 50
_MAX_QUERY = 8000  # characters; longer arguments are refused by some systems


class CodegraphAdapter:
    """`codegraph context` first, then what `codegraph query` finds beyond it."""

    name = "codegraph"
    configuration = (
        f"context --max-nodes {_CONTEXT_NODES}: entry points, nodes; then query; no daemon; "
        "one process a question"
    )

    def __init__(self, scratch: Path) -> None:
        self._program = installed("codegraph", CODEGRAPH)
        self._copy = scratch / "codegraph-copy"
        home = scratch / "codegraph-home"
        home.mkdir()
        self._environment = {
            **os.environ,
            "HOME": str(home),
            "DO_NOT_TRACK": "1",
            "CODEGRAPH_TELEMETRY": "0",
            "CODEGRAPH_NO_DAEMON": "1",
            "CODEGRAPH_NO_WATCH": "1",
        }

    def prepare(self, repo: Path) -> None:
        """Copy and index."""
        shutil.rmtree(self._copy, ignore_errors=True)
        shutil.copytree(repo, self._copy, symlinks=True)
        self._run("init", str(self._copy))

    def rank(self, repo: Path, questions: Sequence[Question], limit: int) -> list[Prediction]:
        """One context and one query per question; the time is that of the context."""
        answers = []
        for question in questions:
            text = question.text[:_MAX_QUERY]
            start = time.perf_counter()
            context = self._context(text, "--no-code")
            elapsed = 1000 * (time.perf_counter() - start)
            found = [*context["entryPoints"], *context["nodes"], *self._query(text, limit)]
            hits = list(dict.fromkeys(_hit(node) for node in found))
            files = [*(hit.file for hit in hits), *context["relatedFiles"]]
            ranked_files = tuple(dict.fromkeys(files))
            answers.append(Prediction(question.id, tuple(hits[:limit]), ranked_files, elapsed))
        return answers

    def pack(self, repo: Path, questions: Sequence[Question], budget: int) -> list[PackPrediction]:
        """The context with code at its default size; four characters count as a token."""
        answers = []
        for question in questions:
            start = time.perf_counter()
            context = self._context(question.text[:_MAX_QUERY])
            elapsed = 1000 * (time.perf_counter() - start)
            hits = [_hit(node) for node in (*context["entryPoints"], *context["nodes"])]
            code = sum(len(block.get("content", "")) for block in context["codeBlocks"])
            answers.append(
                PackPrediction(
                    question.id,
                    tuple(dict.fromkeys(hit.name for hit in hits)),
                    tuple(dict.fromkeys(hit.file for hit in hits)),
                    code // 4,
                    "",
                    elapsed,
                )
            )
        return answers

    def _context(self, text: str, *options: str) -> dict[str, Any]:
        size = ["-n", str(_CONTEXT_NODES)] if options else []
        place = ["-p", str(self._copy), "-f", "json"]
        context: dict[str, Any] = json.loads(
            self._run("context", *place, *size, *options, "--", text)
        )
        return context

    def _query(self, text: str, limit: int) -> list[dict[str, Any]]:
        output = self._run("query", "-p", str(self._copy), "-l", str(limit), "-j", "--", text)
        rows = json.loads(output) if output.lstrip().startswith("[") else []
        return [row.get("node", row) for row in rows]

    def _run(self, *arguments: str) -> str:
        done = subprocess.run(
            [str(self._program), *arguments],
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            reason = done.stderr.strip().splitlines()
            raise Unavailable(f"{arguments[0]} failed: {reason[-1] if reason else 'no message'}")
        return done.stdout


def _hit(node: dict[str, Any]) -> Hit:
    name = node.get("qualifiedName") or node["name"]
    return Hit(
        name.replace("::", "."), node["filePath"], node["startLine"], node["endLine"], node["kind"]
    )
