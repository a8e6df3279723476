"""aider's repository map (PyPI aider-chat): its ranked tags for the identifiers of a task."""

from __future__ import annotations

import json
import subprocess
from bisect import bisect_right
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.adapters.bm25 import as_hit, pack_hits
from bench.adapters.contract import Hit, PackPrediction, Prediction, Question, Unavailable
from bench.adapters.definitions import Definition
from bench.adapters.tools import AIDER_PYTHON, installed

_DRIVER = Path(__file__).with_name("aider_driver.py")
_PACKED_SYMBOLS = 10


class AiderAdapter:
    """Ranked tags, personalised by the words and files a task mentions, as aider does in a chat."""

    name = "aider"
    configuration = "repo map, ranked tags, no files in the chat; names qualified by our symbols"

    def __init__(self, scratch: Path, definitions: Callable[[Path], list[Definition]]) -> None:
        self._python = installed("aider", AIDER_PYTHON)
        self._cache = scratch / "aider-cache"
        self._read = definitions
        self._places: dict[tuple[str, str], list[Definition]] = {}

    def prepare(self, repo: Path) -> None:
        """Read the qualified names; the map itself is built on the first question."""
        self._places = {}
        for definition in sorted(self._read(repo), key=lambda d: (d.start_line, d.name)):
            key = (definition.file, definition.name.rsplit(".", 1)[-1])
            self._places.setdefault(key, []).append(definition)

    def rank(self, repo: Path, questions: Sequence[Question], limit: int) -> list[Prediction]:
        """All questions in one process, so that the tags are read once."""
        job = {
            "repo": str(repo),
            "cache": str(self._cache),
            "limit": limit,
            "questions": [question._asdict() for question in questions],
        }
        done = subprocess.run(
            [str(self._python), "-I", str(_DRIVER)],
            input=json.dumps(job),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            reason = done.stderr.strip().splitlines()
            raise Unavailable(f"aider failed: {reason[-1] if reason else 'no message'}")
        rows = [json.loads(line[1:]) for line in done.stdout.splitlines() if line.startswith("@{")]
        return [
            Prediction(
                row["id"],
                tuple(self._qualified(*symbol) for symbol in row["symbols"]),
                tuple(row["files"]),
                row["ms"],
            )
            for row in rows
        ]

    def pack(self, repo: Path, questions: Sequence[Question], budget: int) -> list[PackPrediction]:
        """The source of the best ten symbols, cut at the budget."""
        answers = self.rank(repo, questions, _PACKED_SYMBOLS)
        files = {hit.file for answer in answers for hit in answer.symbols}
        sources = {
            file: (repo / file).read_bytes().decode("utf-8", errors="replace").splitlines()
            for file in sorted(files)
        }
        return [pack_hits(answer, sources, budget) for answer in answers]

    def _qualified(self, name: str, file: str, line: int) -> Hit:
        """aider prints bare names; the definition around the line has the qualified one."""
        known = self._places.get((file, name), [])
        place = bisect_right(known, line, key=lambda definition: definition.start_line) - 1
        if place >= 0 and known[place].end_line >= line:
            return as_hit(known[place])
        return Hit(name, file, line, line, "")
