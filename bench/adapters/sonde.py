"""Sonde itself, through the commands its users run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from bench.adapters.contract import Hit, PackPrediction, Prediction, Question, Unavailable
from bench.adapters.definitions import sonde_program
from bench.trace import Trace

_EMBEDDING_MODEL = "SONDE_EMBEDDING_MODEL"


def isolated_environment(scratch: Path) -> dict[str, str]:
    """An environment in which Sonde's caches belong to this run alone."""
    own = {"SONDE_CACHE_DIR": scratch / "sonde-cache", "XDG_CACHE_HOME": scratch / "usual-cache"}
    return {**os.environ, **{name: str(place) for name, place in own.items()}}


class SondeAdapter:
    """`sonde rank` in batches; packs from a process that holds one warm engine."""

    def __init__(self, scratch: Path, without: Sequence[str] = ()) -> None:
        self.name = "sonde"
        self.configuration = f"without {', '.join(without)}" if without else "defaults"
        self._environment = isolated_environment(scratch)
        if _EMBEDDING_MODEL in self._environment:
            self.configuration += f", {Path(self._environment[_EMBEDDING_MODEL]).name} embedding"
        self._without = tuple(without)
        self._scratch = scratch

    def prepare(self, repo: Path) -> None:
        """Bring the index up to date, and the vectors of a model if the environment names one."""
        self._run([sonde_program(), "index", "--repo", str(repo)])
        if _EMBEDDING_MODEL in self._environment:
            self._run([sonde_program(), "embed", "--repo", str(repo)])

    def rank(self, repo: Path, questions: Sequence[Question], limit: int) -> list[Prediction]:
        """Ranked symbols and files of one batch."""
        command = [sonde_program(), "rank", "--repo", str(repo), "--limit", str(limit), "--json"]
        command.append("--stages")
        for rule in self._without:
            command += ["--without", rule]
        rows = self._ask([*command, "--batch"], questions)
        return [
            Prediction(
                id=row["id"],
                symbols=tuple(
                    Hit(s["name"], s["file"], s["start_line"], s["end_line"], s["kind"])
                    for s in row["symbols"]
                ),
                files=tuple(row["files"]),
                ms=float(row["ms"]),
                stages=row.get("stages", {}),
            )
            for row in rows
        ]

    def pack(self, repo: Path, questions: Sequence[Question], budget: int) -> list[PackPrediction]:
        """Packs from one warm engine."""
        module = [sys.executable, "-m", "bench.adapters.sonde_packs"]
        rules = ",".join(self._without)
        rows = self._ask([*module, str(repo), str(budget), rules], questions)
        return [
            PackPrediction(
                row["id"],
                tuple(row["symbols"]),
                tuple(row["files"]),
                row["tokens"],
                row["intent"],
                row["ms"],
                row["digest"],
            )
            for row in rows
        ]

    def trace(self, repo: Path, questions: Sequence[Question], budget: int) -> list[Trace]:
        """The output of every stage for each question."""
        module = [sys.executable, "-m", "bench.adapters.sonde_trace"]
        rows = self._ask([*module, str(repo), str(budget)], questions)
        return [
            Trace(
                row["id"],
                tuple(row["ranked"]),
                tuple(row["walked"]),
                tuple(row["packed"]),
                tuple(row["fused"]),
                {name: tuple(found) for name, found in row["channels"].items()},
            )
            for row in rows
        ]

    def _ask(self, command: Sequence[str], questions: Sequence[Question]) -> list[dict[str, Any]]:
        with NamedTemporaryFile("w", suffix=".jsonl", dir=self._scratch) as batch:
            for question in questions:
                batch.write(json.dumps({"id": question.id, "query": question.text}) + "\n")
            batch.flush()
            output = self._run([*command, batch.name])
        rows = [json.loads(line) for line in output.splitlines() if line.strip()]
        if len(rows) != len(questions):
            raise Unavailable(f"sonde answered {len(rows)} of {len(questions)} questions")
        return rows

    def _run(self, command: Sequence[str]) -> str:
        done = subprocess.run(
            command, env=self._environment, capture_output=True, text=True, check=False
        )
        # 1 means "nothing found", which is an answer; a batch has a line for each question.
        answered = done.returncode == 0 or (done.returncode == 1 and done.stdout.strip())
        if not answered:
            last = done.stderr.strip().splitlines()
            raise Unavailable(f"sonde failed: {last[-1] if last else 'no message'}")
        return done.stdout
