"""Which files must be linked again, and linking them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence

import numpy
from numpy.typing import NDArray

from sonde.link.file import link_file
from sonde.link.fingerprint import config_keys, table_keys
from sonde.link.manifests import ProjectConfig
from sonde.link.tables import FileEntry
from sonde.model import FileFacts
from sonde.store.facts import FactStore
from sonde.store.links import KEY_BYTES, LinkRow, key_numbers, pack_links, unpack_keys
from sonde.store.tables import Tables
from sonde.store.writer import StoredFile
from sonde.sync.worker import stored_facts

_FEW_KEYS = 48  # up to so many, comparing with each key is faster than sorting


class ChangedKeys:
    """The lookup keys that lead to something other than before."""

    def __init__(self) -> None:
        self.numbers: set[int] = set()

    def compare(self, old: dict[str, int], new: dict[str, int]) -> None:
        """Note the keys whose fingerprints differ."""
        if old != new:
            keys = old.keys() | new.keys()
            self.numbers |= key_numbers(key for key in keys if old.get(key) != new.get(key))

    def compare_config(self, old: ProjectConfig, new: ProjectConfig) -> None:
        """Note what the manifests say differently."""
        self.compare(config_keys(old), config_keys(new))


def contribution(file: StoredFile, facts: FileFacts, ids: Sequence[int]) -> dict[str, int]:
    """What a file offers to the others, key by key."""
    return table_keys(file_entry(file), facts, ids)


def file_entry(file: StoredFile) -> FileEntry:
    """A stored file as linking knows it."""
    return FileEntry(file.id, file.path, file.language, file.package, file.kind, file.module)


def consulting(database: sqlite3.Connection, numbers: set[int]) -> set[int]:
    """The files whose links depend on any of these keys."""
    if not numbers:
        return set()
    rows = database.execute("SELECT file, consulted FROM links").fetchall()
    if not rows:
        return set()
    lengths = numpy.fromiter((len(row[1]) // KEY_BYTES for row in rows), numpy.int64, len(rows))
    asked = unpack_keys(b"".join(row[1] for row in rows))
    hit = _is_among(asked, numpy.array(sorted(numbers), numpy.uint32))
    owners = numpy.repeat(numpy.arange(len(rows)), lengths)[hit]
    return {rows[index][0] for index in numpy.unique(owners).tolist()}


def _is_among(values: NDArray[numpy.uint32], keys: NDArray[numpy.uint32]) -> NDArray[numpy.bool_]:
    if len(keys) > _FEW_KEYS:
        places = numpy.minimum(numpy.searchsorted(keys, values), len(keys) - 1)
        return numpy.equal(keys[places], values)
    hit = numpy.zeros(len(values), bool)
    for key in keys:
        hit |= values == key
    return hit


def link_files(
    files: Iterable[StoredFile], tables: Tables, facts: FactStore
) -> Iterator[tuple[int, LinkRow]]:
    """Link files in this process; as in workers, one that cannot be linked is left out."""
    for file in files:
        found = stored_facts(facts, file.hash, file.language, file.path, shown=False)
        if found is None:
            continue
        try:
            row = pack_links(link_file(file_entry(file), found, tables.ids(file.id), tables))
        except Exception:  # a bug of ours costs a file its links, not every question its answer
            continue
        yield file.id, row
