"""What every vector store does, asked of each of them."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy
import pytest

from sonde.neural import embedded_store
from sonde.neural.embedded_store import EmbeddedStore
from sonde.neural.vector_store import EVERYWHERE, FileVectors, Point, VectorStore, Within

DIMENSIONS = 8
Open = Callable[[], VectorStore]


def _embedded(place: Path) -> VectorStore:
    return EmbeddedStore(place / "vectors.db", DIMENSIONS)


def _many(place: Path) -> VectorStore:
    return EmbeddedStore(place / "vectors.db", DIMENSIONS, exact_up_to=0)


def _qdrant(place: Path) -> VectorStore:
    from sonde.neural.qdrant_store import QdrantStore

    return QdrantStore(str(place / "qdrant"), "work-1a2b", "model-8", DIMENSIONS)


def _server(place: Path) -> VectorStore:
    from sonde.neural.qdrant_store import QdrantStore

    return QdrantStore(_SERVER, _own_workspace(place), "model-8", DIMENSIONS)


def _own_workspace(place: Path) -> str:
    return f"tests-{os.getpid()}-{place.name}"


_SERVER = os.environ.get("SONDE_TEST_QDRANT", "")  # the URL of a server that tests may fill
_NEEDS_CLIENT = pytest.mark.skipif(
    importlib.util.find_spec("qdrant_client") is None, reason="qdrant-client is not installed"
)
_NEEDS_SERVER = pytest.mark.skipif(not _SERVER, reason="SONDE_TEST_QDRANT names no server")


@pytest.fixture(
    params=[
        _embedded,
        _many,
        pytest.param(_qdrant, marks=_NEEDS_CLIENT),
        pytest.param(_server, marks=[_NEEDS_CLIENT, _NEEDS_SERVER]),
    ],
    ids=["embedded", "many", "qdrant", "server"],
)
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    yield lambda: request.param(tmp_path)
    if request.param is _server:
        from sonde.neural.qdrant_store import forget

        forget(_SERVER, _own_workspace(tmp_path))


@pytest.fixture
def store(opened: Open) -> Iterator[VectorStore]:
    made = opened()
    yield made
    made.close()


def axis(number: int, towards: int | None = None, share: float = 0.0) -> list[int]:
    """A row along one axis, leaning towards another."""
    row = [0] * DIMENSIONS
    row[number] = 100
    if towards is not None:
        row[towards] = int(100 * share)
    return row


def direction(number: int) -> numpy.typing.NDArray[numpy.float32]:
    return numpy.eye(DIMENSIONS, dtype=numpy.float32)[number]


def file(
    path: str, *rows: list[int], content: bytes = b"\1", language: str = "python", changed: int = 10
) -> FileVectors:
    points = tuple(Point(f"f{n}", "function", 10 * n, 10 * n + 5) for n in range(len(rows)))
    array = numpy.array(rows, numpy.int8)
    return FileVectors(path, content, language, ("source",), changed, points, array)


def put(store: VectorStore, *files: FileVectors) -> None:
    for each in files:
        store.replace(each)
    store.flush()


def places(store: VectorStore, at: int, limit: int = 10, within: Within = EVERYWHERE) -> list[str]:
    found = store.search(direction(at), limit, within)
    return [f"{each.path}:{each.ordinal}" for each in found if each.cosine > 0.01]


def test_the_nearest_come_first_with_their_cosine(store: VectorStore) -> None:
    put(store, file("a.py", axis(0), axis(1, 0, 0.5)), file("b.py", axis(2), axis(0, 3, 1.0)))
    found = store.search(direction(0), 3)
    assert [(each.path, each.ordinal) for each in found] == [("a.py", 0), ("b.py", 1), ("a.py", 1)]
    assert [each.cosine for each in found] == pytest.approx([1.0, 0.707, 0.447], abs=0.01)
    assert {each.hash for each in found} == {b"\1"}


def test_ties_are_broken_by_place(store: VectorStore) -> None:
    put(store, file("b.py", axis(0)), file("a.py", axis(0), axis(0)))
    assert places(store, 0) == ["a.py:0", "a.py:1", "b.py:0"]


def test_another_content_replaces_all_points_of_a_file(store: VectorStore) -> None:
    put(store, file("a.py", axis(0), axis(0), axis(0)), file("b.py", axis(0)))
    put(store, file("a.py", axis(1), content=b"\2"))
    assert places(store, 0) == ["b.py:0"]
    assert places(store, 1) == ["a.py:0"]
    assert dict(store.files()) == {"a.py": b"\2", "b.py": b"\1"}


def test_removed_files_are_not_found(store: VectorStore) -> None:
    put(store, file("a.py", axis(0)), file("b.py", axis(0)), file("c.py", axis(0)))
    store.remove({"a.py", "c.py"})
    store.flush()
    assert places(store, 0) == ["b.py:0"]
    assert list(store.files()) == ["b.py"]


def test_a_search_can_be_kept_to_languages_a_module_and_what_is_recent(store: VectorStore) -> None:
    put(
        store,
        file("core/a.py", axis(0), changed=100),
        file("core/sub/b.go", axis(0), language="go", changed=200),
        file("corelib/c.py", axis(0), changed=300),
    )
    assert places(store, 0, within=Within(languages=frozenset({"go"}))) == ["core/sub/b.go:0"]
    both = Within(languages=frozenset({"go", "python"}))
    assert len(places(store, 0, within=both)) == 3
    assert places(store, 0, within=Within(module="core")) == ["core/a.py:0", "core/sub/b.go:0"]
    assert places(store, 0, within=Within(module="core/a.py")) == ["core/a.py:0"]
    assert places(store, 0, within=Within(since=200)) == ["core/sub/b.go:0", "corelib/c.py:0"]
    assert places(store, 0, within=Within(module="core", since=150)) == ["core/sub/b.go:0"]
    assert places(store, 0, within=Within(module="cor")) == []


def test_an_empty_store_finds_nothing(store: VectorStore) -> None:
    assert store.search(direction(0), 5) == []
    assert dict(store.files()) == {}


def test_what_was_put_is_there_when_it_is_opened_again(opened: Open) -> None:
    first = opened()
    put(first, file("a.py", axis(0)), file("b.py", axis(1)))
    first.close()
    again = opened()
    try:
        assert places(again, 1) == ["b.py:0"]
        assert dict(again.files()) == {"a.py": b"\1", "b.py": b"\1"}
    finally:
        again.close()


def test_what_another_connection_writes_is_seen_a_moment_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded_store, "_LOOK_EVERY", 0.0)
    one, other = _embedded(tmp_path), _embedded(tmp_path)
    assert places(one, 0) == []
    put(other, file("a.py", axis(0)))
    assert places(one, 0) == ["a.py:0"]
    one.close()
    other.close()


@_NEEDS_CLIENT
def test_a_collection_tells_what_each_point_is_and_goes_with_its_workspace(tmp_path: Path) -> None:
    from qdrant_client import QdrantClient

    from sonde.neural.qdrant_store import QdrantStore, forget

    place = str(tmp_path / "qdrant")
    for workspace in ("one-1a", "two-2b"):
        store = QdrantStore(place, workspace, "old-8", DIMENSIONS)
        store.close()
    store = QdrantStore(place, "one-1a", "new-8", DIMENSIONS)
    store.remove_others()
    put(store, file("core/a.py", axis(0)))
    store.close()
    client = QdrantClient(path=place)
    (point,), _ = client.scroll("sonde-one-1a-new-8")
    names = sorted(each.name for each in client.get_collections().collections)
    client.close()
    assert point.payload == {
        "path": "core/a.py",
        "hash": "01",
        "ordinal": 0,
        "symbol": "f0",
        "kind": "function",
        "start_byte": 0,
        "end_byte": 5,
        "language": "python",
        "tags": ["source"],
        "changed": 10,
        "modules": ["core", "core/a.py"],
    }
    assert names == ["sonde-one-1a-new-8", "sonde-two-2b-old-8"]
    forget(place, "one-1a")
    client = QdrantClient(path=place)
    assert [each.name for each in client.get_collections().collections] == ["sonde-two-2b-old-8"]
    client.close()


@_NEEDS_CLIENT
def test_a_server_that_does_not_answer_is_told_in_one_line() -> None:
    from sonde.neural.qdrant_store import QdrantStore
    from sonde.neural.vector_store import Unavailable

    with pytest.raises(Unavailable, match="does not answer") as told:
        QdrantStore("http://127.0.0.1:9", "work-1a2b", "model-8", DIMENSIONS)
    assert "\n" not in str(told.value)
