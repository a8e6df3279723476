"""Words → vectors: the weighted sum of a text's words, as a direction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy
from numpy.typing import NDArray

from sonde.meaning.table import DIMENSIONS, table

# How much the fields of a document say, and how fast many words dilute each other.
# In the order of `store.documents.Document`: name, concepts, path, qualname, doc, signature, body.
# Names are what every other rule reads, so bodies count most here: with 2 and 6 instead of 3 for
# names and 2 for bodies, the nearest 60 of the same table held +.043 [+.027, +.061] more of what
# 252 wordings of requests need.
FIELD_WEIGHTS = (2.0, 1.5, 0.5, 0.0, 2.0, 1.0, 6.0)
DILUTION = (0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.75)
_LARGEST = 127.0

Vectors = NDArray[numpy.int8]


def encode_documents(documents: Sequence[Sequence[str]]) -> Vectors:
    """One vector for each document, in int8; only its direction counts."""
    known = table()
    rows: list[int] = []
    shares: list[float] = []
    counts: list[int] = []  # of words, for each share
    starts: list[int] = []
    row_of = known.rows.__getitem__
    read: dict[str, list[int]] = {}  # symbols of a file share their path, and many their owner
    for document in documents:
        starts.append(len(rows))
        for words, weight, dilution in zip(document, FIELD_WEIGHTS, DILUTION, strict=True):
            if not weight or not words:
                continue
            found = read.get(words)
            if found is None:
                found = read[words] = [row for row in map(row_of, words.split()) if row >= 0]
            if found:
                rows += found
                shares.append(weight / len(found) ** dilution)
                counts.append(len(found))
    return directions(_sums(rows, numpy.repeat(shares, counts), starts))


def encode_words(words: Mapping[str, float]) -> NDArray[numpy.float32]:
    """The unit vector of a task's weighted words; zero when none is known."""
    known = table()
    total = numpy.zeros(DIMENSIONS, numpy.float32)
    for word, weight in words.items():
        row = known.rows[word]
        if row >= 0:
            total += known.vectors[row] * (known.scales[row] * known.gates[row] * weight)
    turned: NDArray[numpy.float32] = total @ known.turn
    length = float(numpy.sqrt(turned @ turned))
    return turned / length if length else turned


def _sums(
    rows: list[int], weights: NDArray[numpy.float64], starts: list[int]
) -> NDArray[numpy.float32]:
    """The weighted sum of each document's rows; documents without a known word are zero."""
    known = table()
    sums = numpy.zeros((len(starts), DIMENSIONS), numpy.float32)
    if not rows:
        return sums
    at = numpy.array(rows, numpy.intp)
    scaled = (weights * known.scales[at]).astype(numpy.float32)
    words = known.vectors.take(at, 0) * scaled[:, None]
    filled = numpy.flatnonzero(numpy.diff([*starts, len(rows)]))
    sums[filled] = numpy.add.reduceat(words, numpy.asarray(starts)[filled], axis=0)
    return sums


def directions(sums: NDArray[numpy.float32]) -> Vectors:
    """Vectors in int8, each scaled to fill its range."""
    largest = numpy.abs(sums).max(axis=1, initial=0.0, keepdims=True)
    rounded: Vectors = numpy.rint(sums * (_LARGEST / numpy.maximum(largest, 1e-9))).astype(
        numpy.int8
    )
    return rounded
