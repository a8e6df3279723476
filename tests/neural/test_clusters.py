"""The approximate index: how much of the exact answer it finds, and how little it looks at."""

from __future__ import annotations

from pathlib import Path

import numpy

from sonde.meaning.encode import directions
from sonde.neural.clusters import Clusters, assign, train
from sonde.neural.embedded_store import EmbeddedStore
from sonde.neural.vector_store import FileVectors, Point

DIMENSIONS = 48
TOPICS = 150
FILES = 400
EACH = 30  # rows of a file
CHANCE = numpy.random.default_rng(7)
CENTRES = CHANCE.normal(size=(TOPICS, DIMENSIONS))


def _some(count: int) -> numpy.typing.NDArray[numpy.float32]:
    """Vectors of many overlapping topics."""
    own = CENTRES[CHANCE.integers(TOPICS, size=count)]
    return (own + CHANCE.normal(size=own.shape)).astype(numpy.float32)


def _file(number: int, rows: numpy.typing.NDArray[numpy.int8]) -> FileVectors:
    points = tuple(Point(f"f{n}", "function", n, n + 1) for n in range(len(rows)))
    return FileVectors(f"m{number:04}.py", b"\1", "python", (), 1, points, rows)


def test_nine_tenths_of_the_nearest_fifty_are_found(tmp_path: Path) -> None:
    exact = EmbeddedStore(tmp_path / "exact.db", DIMENSIONS)
    clustered = EmbeddedStore(tmp_path / "clustered.db", DIMENSIONS, exact_up_to=5_000)
    for number in range(FILES):
        file = _file(number, directions(_some(EACH)))
        for store in (exact, clustered):
            store.replace(file)
            if number == FILES // 2:
                store.flush()  # clusters are made here; later files join them
    found = []
    for asked in _some(60):
        asked /= numpy.linalg.norm(asked)
        truth, said = (
            {(each.path, each.ordinal) for each in store.search(asked, 50)}
            for store in (exact, clustered)
        )
        found.append(len(truth & said) / len(truth))
    exact.close()
    clustered.close()
    assert 0.9 < numpy.mean(found) < 1.0  # all of them would mean that it looked everywhere


def test_only_a_part_of_the_vectors_is_looked_at() -> None:
    rows = directions(_some(FILES * EACH))
    centroids = train(rows)
    clusters = Clusters(centroids, assign(rows, centroids))
    seen = [len(clusters.near(asked / numpy.linalg.norm(asked))) for asked in _some(20)]
    assert min(seen) > 0
    assert max(seen) < 0.3 * len(rows)
