"""Plain BM25 over symbols and over files: the baseline every claim is measured against."""

from __future__ import annotations

import hashlib
import math
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from bench.adapters.contract import Hit, PackPrediction, Prediction, Question
from bench.adapters.definitions import Definition

_K1 = 1.2
_B = 0.75
_NAME_WEIGHT = 3  # a word in the name counts as much as three in the body
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_PACKED_SYMBOLS = 10


def words(text: str) -> list[str]:
    """Lower-case words of a text; identifiers count whole and split at case and underscores."""
    found = []
    for word in _WORD.findall(text):
        parts = [part.lower() for part in _PART.findall(word)]
        found.extend(parts)
        if len(parts) > 1:
            found.append(word.lower())
    return found


class Bm25:
    """An inverted index over bags of words."""

    def __init__(self, documents: Iterable[Counter[str]]) -> None:
        self._postings: dict[str, list[tuple[int, int]]] = {}
        self._lengths: list[int] = []
        for number, bag in enumerate(documents):
            self._lengths.append(bag.total())
            for word, count in bag.items():
                self._postings.setdefault(word, []).append((number, count))
        self._mean = sum(self._lengths) / max(1, len(self._lengths))

    def search(self, text: str, limit: int) -> list[tuple[int, float]]:
        """Documents and scores, best first, ties by number."""
        scores: dict[int, float] = {}
        size = len(self._lengths)
        for word in sorted(set(words(text))):
            postings = self._postings.get(word, ())
            idf = math.log(1 + (size - len(postings) + 0.5) / (len(postings) + 0.5))
            for number, count in postings:
                norm = _K1 * (1 - _B + _B * self._lengths[number] / self._mean)
                scores[number] = scores.get(number, 0.0) + idf * count * (_K1 + 1) / (count + norm)
        return sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:limit]


class Bm25Adapter:
    """Ranks symbols by their own text and files by theirs, without other rules."""

    configuration = "k1 1.2, b 0.75; name x3, qualified name, path, own lines; split identifiers"

    def __init__(self, name: str, definitions: Callable[[Path], list[Definition]]) -> None:
        self.name = name
        self._read = definitions
        self._bags: dict[bytes, list[Counter[str]]] = {}  # by content, reused for the next commit
        self._definitions: list[Definition] = []
        self._files: list[str] = []
        self._sources: dict[str, list[str]] = {}
        self._symbols = self._texts = Bm25([])

    def prepare(self, repo: Path) -> None:
        """Index the repository as it is now."""
        definitions = self._read(repo)
        self._definitions = sorted(definitions, key=lambda d: (d.file, d.start_line, d.name))
        by_file: dict[str, list[Definition]] = {}
        for definition in self._definitions:
            by_file.setdefault(definition.file, []).append(definition)
        self._files = list(by_file)
        symbol_bags: list[Counter[str]] = []
        file_bags = []
        for file, inside in by_file.items():
            source = (repo / file).read_bytes().decode("utf-8", errors="replace")
            self._sources[file] = source.splitlines()
            bags = self._bags_of(file, self._sources[file], inside)
            symbol_bags.extend(bags[:-1])
            file_bags.append(bags[-1])
        self._symbols, self._texts = Bm25(symbol_bags), Bm25(file_bags)

    def _bags_of(self, file: str, lines: list[str], inside: list[Definition]) -> list[Counter[str]]:
        """Bags of a file's definitions, then of the file itself."""
        digest = hashlib.sha1(repr((file, inside)).encode() + "\n".join(lines).encode()).digest()
        if digest not in self._bags:
            path = words(file)
            line_words = [words(line) for line in lines]
            bags = []
            for definition, numbers in zip(inside, own_lines(inside, len(lines)), strict=True):
                last = re.split(r"[.:#]", definition.name)[-1]
                bag = Counter(path + words(definition.name))
                bag.update(words(last) * _NAME_WEIGHT)
                for number in numbers:
                    bag.update(line_words[number - 1])
                bags.append(bag)
            whole = Counter(path)
            for line in line_words:
                whole.update(line)
            self._bags[digest] = [*bags, whole]
        return self._bags[digest]

    def rank(self, repo: Path, questions: Sequence[Question], limit: int) -> list[Prediction]:
        """Best symbols and best files of the prepared repository."""
        answers = []
        for question in questions:
            start = time.perf_counter()
            found = self._symbols.search(question.text, limit)
            symbols = tuple(as_hit(self._definitions[number]) for number, _ in found)
            files = tuple(self._files[n] for n, _ in self._texts.search(question.text, limit))
            elapsed = 1000 * (time.perf_counter() - start)
            answers.append(Prediction(question.id, symbols, files, elapsed))
        return answers

    def pack(self, repo: Path, questions: Sequence[Question], budget: int) -> list[PackPrediction]:
        """The source of the best ten symbols, cut at the budget."""
        return [
            pack_hits(answer, self._sources, budget)
            for answer in self.rank(repo, questions, _PACKED_SYMBOLS)
        ]


def as_hit(definition: Definition) -> Hit:
    """A definition as an answer names it."""
    return Hit(
        definition.name,
        definition.file,
        definition.start_line,
        definition.end_line,
        definition.kind,
    )


def own_lines(definitions: Sequence[Definition], count: int) -> list[list[int]]:
    """Lines of each definition that no nested definition has; input is sorted by start."""
    owner = [-1] * (count + 1)
    order = sorted(
        range(len(definitions)),
        key=lambda n: definitions[n].start_line - definitions[n].end_line,
    )
    for number in order:
        first, last = definitions[number].start_line, min(count, definitions[number].end_line)
        owner[first : last + 1] = [number] * max(0, last + 1 - first)
    lines: list[list[int]] = [[] for _ in definitions]
    for line, number in enumerate(owner):
        if number >= 0 and line > 0:
            lines[number].append(line)
    return lines


def pack_hits(answer: Prediction, sources: dict[str, list[str]], budget: int) -> PackPrediction:
    """A pack of whole symbols, in order, while they fit; four characters count as a token."""
    names, files, used = [], [], 0
    for hit in answer.symbols:
        text = "\n".join(sources[hit.file][max(0, hit.start_line - 1) : hit.end_line])
        tokens = len(text) // 4
        if used + tokens > budget:
            continue
        used += tokens
        names.append(hit.name)
        files.append(hit.file)
    return PackPrediction(answer.id, tuple(names), tuple(dict.fromkeys(files)), used, "", answer.ms)
