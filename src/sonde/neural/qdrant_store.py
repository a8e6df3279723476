"""Vectors in Qdrant: a server by its address, or its local mode by a folder."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from itertools import accumulate
from typing import Any

import numpy
from qdrant_client import QdrantClient, models

from sonde.meaning.matrix import Direction
from sonde.neural.vector_store import EVERYWHERE, FileVectors, Nearest, Unavailable, Within

_SECONDS = 5  # for one request; a question waits no longer for a server
_NAMESPACE = uuid.UUID("6d1f3a52-6c0e-5b0f-9a6e-7f0c2f7c1d11")  # of our points' names
_PAGE = 1000
_INDEXED = {
    "path": models.PayloadSchemaType.KEYWORD,
    "language": models.PayloadSchemaType.KEYWORD,
    "modules": models.PayloadSchemaType.KEYWORD,
    "changed": models.PayloadSchemaType.INTEGER,
    "ordinal": models.PayloadSchemaType.INTEGER,
}


class QdrantStore:
    """One collection for each workspace, named after it and the model."""

    def __init__(self, place: str, workspace: str, model_id: str, dimensions: int) -> None:
        self._workspace = workspace
        self._name = f"{_prefix(workspace)}{model_id}"
        with _told(place):
            self._client = _client(place)
            self._make(dimensions, indexed=_is_server(place))

    def _make(self, dimensions: int, *, indexed: bool) -> None:
        """Create the collection if there is none."""
        if self._client.collection_exists(self._name):
            return
        size = models.VectorParams(size=dimensions, distance=models.Distance.COSINE)
        self._client.create_collection(self._name, vectors_config=size)
        for field, kind in _INDEXED.items() if indexed else ():
            self._client.create_payload_index(self._name, field, kind)

    def files(self) -> Mapping[str, bytes]:
        """The content hash of each file that has points: each has a first one."""
        found: dict[str, bytes] = {}
        first, offset = _filter(_equal("ordinal", 0)), None
        while True:
            with _told(self._name):
                points, offset = self._client.scroll(
                    self._name, first, limit=_PAGE, offset=offset, with_payload=["path", "hash"]
                )
            for point in points:
                payload = point.payload or {}
                found[payload["path"]] = bytes.fromhex(payload["hash"])
            if offset is None:
                return found

    def replace(self, file: FileVectors) -> None:
        """Replace a file's points."""
        floats = file.rows.astype(numpy.float32)
        points = [
            models.PointStruct(
                id=_identity(file.path, ordinal),
                vector=floats[ordinal].tolist(),
                payload=_payload(file, ordinal),
            )
            for ordinal in range(len(file.points))
        ]
        beyond = models.FieldCondition(key="ordinal", range=models.Range(gte=len(points)))
        surplus = models.FilterSelector(filter=_filter(_equal("path", file.path), beyond))
        with _told(self._name):
            self._client.upsert(self._name, points, wait=True)
            self._client.delete(self._name, surplus, wait=True)

    def remove(self, paths: Collection[str]) -> None:
        """Remove the points of some files."""
        gone = models.FieldCondition(key="path", match=models.MatchAny(any=sorted(paths)))
        with _told(self._name):
            self._client.delete(self._name, models.FilterSelector(filter=_filter(gone)), wait=True)

    def flush(self) -> None:
        """What is written can be seen at once."""

    def search(
        self, direction: Direction, limit: int, within: Within = EVERYWHERE
    ) -> list[Nearest]:
        """The points nearest to a unit vector, nearest first, ties by place."""
        with _told(self._name):
            answer = self._client.query_points(
                self._name,
                query=direction.tolist(),
                query_filter=_within(within),
                limit=limit,
                with_payload=["path", "hash", "ordinal"],
            )
            found = []
            for point in answer.points:
                payload = point.payload or {}
                content = bytes.fromhex(payload["hash"])
                found.append(Nearest(payload["path"], content, payload["ordinal"], point.score))
        return sorted(found, key=lambda each: (-each.cosine, each.path, each.ordinal))

    def remove_others(self) -> None:
        """Remove what other models have stored for the workspace."""
        with _told(self._name):
            _remove_collections(self._client, self._workspace, kept=self._name)

    def close(self) -> None:
        """Close the connection."""
        self._client.close()


def forget(place: str, workspace: str) -> None:
    """Remove everything that a workspace has in the store. Raises `Unavailable`."""
    with _told(place):
        client = _client(place)
        _remove_collections(client, workspace)
        client.close()


def reach(place: str) -> None:
    """Ask a server or a folder for anything. Raises `Unavailable` if it does not answer."""
    with _told(place):
        client = _client(place)
        client.get_collections()
        client.close()


def _remove_collections(client: QdrantClient, workspace: str, kept: str = "") -> None:
    """Remove what models have stored there, except for one collection."""
    for each in client.get_collections().collections:
        if each.name.startswith(_prefix(workspace)) and each.name != kept:
            client.delete_collection(each.name)


def _prefix(workspace: str) -> str:
    return f"sonde-{workspace}-"


def _is_server(place: str) -> bool:
    return "://" in place


def _client(place: str) -> QdrantClient:
    if _is_server(place):
        return QdrantClient(url=place, timeout=_SECONDS, check_compatibility=False)
    return QdrantClient(path=place)


@contextmanager
def _told(place: str) -> Iterator[None]:
    """Whatever goes wrong with a server or a folder is one line."""
    try:
        yield
    except Exception as error:
        said = (str(error).strip() or type(error).__name__).splitlines()[0][:200]
        raise Unavailable(f"the vector store {place} does not answer: {said}") from error


def _identity(path: str, ordinal: int) -> str:
    return str(uuid.uuid5(_NAMESPACE, f"{path}\0{ordinal}"))


def _payload(file: FileVectors, ordinal: int) -> dict[str, Any]:
    point = file.points[ordinal]
    return {
        "path": file.path,
        "hash": file.hash.hex(),
        "ordinal": ordinal,
        "symbol": point.name,
        "kind": point.kind,
        "start_byte": point.start_byte,
        "end_byte": point.end_byte,
        "language": file.language,
        "tags": list(file.tags),
        "changed": file.changed,
        # each folder around the file, as Qdrant compares whole values, not beginnings
        "modules": list(accumulate(file.path.split("/"), lambda folder, name: f"{folder}/{name}")),
    }


def _filter(*conditions: models.Condition) -> models.Filter:
    return models.Filter(must=list(conditions))


def _equal(key: str, value: str | int) -> models.FieldCondition:
    return models.FieldCondition(key=key, match=models.MatchValue(value=value))


def _within(within: Within) -> models.Filter | None:
    if within == EVERYWHERE:
        return None
    conditions: list[models.Condition] = []
    if within.languages:
        some = models.MatchAny(any=sorted(within.languages))
        conditions.append(models.FieldCondition(key="language", match=some))
    if within.module:
        conditions.append(_equal("modules", within.module.rstrip("/")))
    if within.since:
        since = models.Range(gte=within.since)
        conditions.append(models.FieldCondition(key="changed", range=since))
    return _filter(*conditions)
