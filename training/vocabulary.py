"""Which words have a vector, and texts as rows of such words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy
from scipy import sparse

from sonde.meaning.encode import DILUTION, FIELD_WEIGHTS
from sonde.meaning.table import Rows
from sonde.store.documents import Document
from sonde.understand.identifiers import split_identifier
from training.pairs import Mined

SIZE = 40_000
_LEAST_REPOSITORIES = 3  # a word in fewer is project-specific and says nothing elsewhere
_WORD = re.compile(r"[a-z][a-z0-9]{1,20}")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_NAME_FIELD, _DOC = Document._fields.index("name"), Document._fields.index("doc")


def vocabulary(repositories: Iterable[Mined]) -> list[str]:
    """Words that occur in most repositories first, then by frequency."""
    frequency: Counter[str] = Counter()
    spread: Counter[str] = Counter()
    for mined in repositories:
        words: Counter[str] = Counter()
        for document in mined.documents:
            for text, weight in zip(document, FIELD_WEIGHTS, strict=True):
                if weight:
                    words.update(text.split())
        for pair in mined.pairs:
            words.update(prose_words(pair.prose))
        frequency.update(words)
        spread.update(words.keys())
    known = [
        word for word in spread if spread[word] >= _LEAST_REPOSITORIES and _WORD.fullmatch(word)
    ]
    return sorted(known, key=lambda word: (-spread[word], -frequency[word], word))[:SIZE]


def prose_words(text: str) -> Iterator[str]:
    """The lower-case words of prose, with identifiers split."""
    for name in _NAME.findall(text):
        yield from (word for word in split_identifier(name) if len(word) > 1)


def code_rows(
    documents: Sequence[Sequence[str]], words: Sequence[str], *, with_doc: bool
) -> sparse.csr_matrix:
    """Documents as weighted words, exactly as the package weighs them."""
    rows = Rows((word, at) for at, word in enumerate(words))
    builder = _Builder(len(words))
    for document in documents:
        for field, text in enumerate(document):
            if FIELD_WEIGHTS[field] and (with_doc or field != _DOC):
                found = [row for row in map(rows.__getitem__, text.split()) if row >= 0]
                if found:
                    builder.add(found, FIELD_WEIGHTS[field] / len(found) ** DILUTION[field])
        builder.close()
    return builder.matrix()


def prose_rows(texts: Iterable[str], words: Sequence[str]) -> sparse.csr_matrix:
    """Prose as words, each counted once."""
    rows = Rows((word, at) for at, word in enumerate(words))
    builder = _Builder(len(words))
    for text in texts:
        found = (rows[word] for word in dict.fromkeys(prose_words(text)))
        builder.add([row for row in found if row >= 0], 1.0)
        builder.close()
    return builder.matrix()


def name_rows(documents: Sequence[Sequence[str]], words: Sequence[str]) -> sparse.csr_matrix:
    """The name of each document: each word once, and the whole name beside its parts."""
    rows = Rows((word, at) for at, word in enumerate(words))
    builder = _Builder(len(words))
    for document in documents:
        found = {rows[word] for word in document[_NAME_FIELD].split()}
        builder.add(sorted(found - {-1}), 1.0)
        builder.close()
    return builder.matrix()


def without(code: sparse.csr_matrix, said: sparse.csr_matrix) -> sparse.csr_matrix:
    """Each document without the words in the same row of `said`."""
    whole = code.copy()
    whole.sum_duplicates()  # otherwise the difference would suffer from rounding
    bare = whole - whole.multiply(said)
    bare.eliminate_zeros()
    return bare.tocsr()


class _Builder:
    def __init__(self, width: int) -> None:
        self._width = width
        self._at: list[int] = []
        self._weights: list[float] = []
        self._ends = [0]

    def add(self, columns: list[int], weight: float) -> None:
        self._at += columns
        self._weights += [weight] * len(columns)

    def close(self) -> None:
        self._ends.append(len(self._at))

    def matrix(self) -> sparse.csr_matrix:
        return sparse.csr_matrix(
            (
                numpy.array(self._weights, numpy.float32),
                numpy.array(self._at, numpy.int32),
                numpy.array(self._ends, numpy.int64),
            ),
            shape=(len(self._ends) - 1, self._width),
        )
