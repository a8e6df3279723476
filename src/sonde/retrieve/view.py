"""One generation of the index as retrieval sees it, with the caches its queries share."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy
from numpy.typing import NDArray

from sonde.lately import Lately, remembered
from sonde.meaning.matrix import Matrix
from sonde.model import CALLABLE_KINDS, TYPE_KINDS, EdgeKind, FileKind, Kind, Query, SymbolRecord
from sonde.retrieve.name_shapes import NameShapes
from sonde.retrieve.path_names import PathNames
from sonde.retrieve.walk import Ids, Transitions, edges_of, transitions
from sonde.store.graph import Rows
from sonde.store.index import Index
from sonde.store.records import FileRecord
from sonde.store.rows import FILE_KINDS, KIND_NUMBER
from sonde.understand.identifiers import split_identifier

if TYPE_CHECKING:
    from sonde.history.store import History, Unread
    from sonde.neural.models import Models
    from sonde.retrieve.history import Votes


Known = Mapping[str, bytes]  # content hash of each embedded file
# Shared caches are bounded, or a server would grow for days. With half of these limits, questions
# about all of django take a fifth longer; doubling them gains nothing. Records, a quarter of a
# kilobyte each, are the exception: with 8,000 a question about django rebuilt 185 to 206, with
# 16,000 121 to 170.
_RECORDS = 16_000
_NAMES = 2_000  # whose symbols are cached
_WORDS = 2_000  # whose types are cached, a few ids each
_NAMES_SPLIT = 12_000
_EDGE_KINDS = max(EdgeKind) + 1
_TYPES = 3  # per file, when a folder's types are wanted
_CALLABLES = [KIND_NUMBER[kind] for kind in CALLABLE_KINDS]
_DEFINITIONS = [*_CALLABLES, *(KIND_NUMBER[kind] for kind in TYPE_KINDS)]


@remembered(_NAMES_SPLIT)
def name_words(name: str) -> tuple[str, ...]:
    """The lower-case words of an identifier."""
    return tuple(split_identifier(name))


def _counted(rows: Rows, ids: Ids) -> Ids:
    edges, counts = edges_of(rows, ids)
    cells = numpy.arange(0, len(ids) * _EDGE_KINDS, _EDGE_KINDS).repeat(counts)
    cells += rows.kind[edges]
    found = numpy.bincount(cells, minlength=len(ids) * _EDGE_KINDS)
    return found.reshape(len(ids), _EDGE_KINDS)


class View:
    """Lookups by place and package, built once per generation."""

    def __init__(
        self, index: Index, history: History | None = None, models: Models | None = None
    ) -> None:
        self.index = index
        self.history = history
        self.unread: Unread | None = None  # why there is no history where there could be one
        self.models = models  # larger ones, if the user chose any
        # how near each symbol is to the last query
        self.recent_nearness: tuple[Query, NDArray[numpy.float32]] | None = None
        # for the embedding model: how near each symbol is to the last query, and the share of
        # symbols that are embedded, each with the files embedded at the time
        self.recent_neural: tuple[Query, Known | None, NDArray[numpy.float32]] | None = None
        self.recent_share: tuple[Known, float] | None = None
        # votes of commits for the last query, and which commits they came from
        self.recent_votes: tuple[Query, str, Votes] | None = None
        # full-text hits for the last query, and the tests among them
        self.recent: tuple[Query, list[tuple[int, float]], list[tuple[int, float]]] | None = None
        self.cut_short: set[str] = set()  # what ran out of time on the current query
        self.loading: set[str] = set()  # models among them that the next query may have
        # symbols that a chunk of documentation names, and the vote share of each
        self.votes_of_section: dict[int, tuple[array[int], array[float]]] = {}
        self.meant_in_prose: dict[str, tuple[int, ...]] = {}  # by a name written in some section
        self._records = Lately(_RECORDS, index.record)
        self._named = Lately(_NAMES, index.ids_named)
        self._arriving: dict[tuple[EdgeKind, ...], NDArray[numpy.int64]] = {}
        self._types_of_word: dict[tuple[str, int], list[int]] = {}
        self._names_by_length: dict[int, list[str]] = {}

    def records(self, ids: list[int]) -> list[SymbolRecord]:
        """Symbols by id, cached."""
        return list(filter(None, self._records.several(ids, self._made)))

    def _made(self, ids: list[int]) -> dict[int, SymbolRecord | None]:
        return {record.id: record for record in self.index.records(ids)}

    def do_without(self, name: str, *, loading: bool) -> None:
        """Note that something has no part in the current query, maybe because it still loads."""
        self.cut_short.add(name)
        if loading:
            self.loading.add(name)
        else:
            self.loading.discard(name)

    def rest(self) -> None:
        """Release memory until the next question, which then takes a third longer."""
        self._records.rest()
        self._types_of_word.clear()
        self._named.rest()
        self.votes_of_section.clear()
        self.meant_in_prose.clear()
        self._names_by_length.clear()
        self.recent = self.recent_nearness = self.recent_neural = self.recent_votes = None
        self.recent_share = None
        self.index.rest()

    def ids_named(self, lower_name: str) -> list[int]:
        """Symbols of this name in any case, by path and line; cached."""
        return self._named[lower_name]

    def by_place(self, ids: Iterable[int]) -> list[int]:
        """The same symbols by path and place, an order equal in any index of these files."""
        return self.index.in_order(list(ids))

    def text(self, path: str) -> bytes:
        """The indexed bytes of a file; b"" if they are no longer on disk."""
        data = self.index.source_bytes(path)
        return data if isinstance(data, bytes) else b""

    def defined(self, name: str) -> list[SymbolRecord]:
        """Symbols outside tests with exactly this name, at most 30."""
        ids = [id for id in self.ids_named(name.lower()) if not self.is_test(id)]
        return [record for record in self.records(ids[:30]) if record.name == name]

    def defined_by_name(self, names: list[str]) -> dict[str, list[int]]:
        """The symbols outside tests with exactly one of these names, in no order."""
        found: dict[str, list[int]] = {}
        in_test = self.in_test
        for name, id in self.index.named(names):
            if not in_test[id]:
                found.setdefault(name, []).append(id)
        return found

    @cached_property
    def meanings(self) -> Matrix:
        """The vectors of all functions and types."""
        return Matrix(self.index.vectors())

    @cached_property
    def _meant_spans(self) -> dict[int, tuple[int, int]]:
        """Where each file's functions and types begin and end among those of all files."""
        files, starts, counts = numpy.unique(
            self.index.graph.columns.file[self.meanings.symbols],
            return_index=True,
            return_counts=True,
        )
        spans = zip(starts.tolist(), (starts + counts).tolist(), strict=True)
        return dict(zip(files.tolist(), spans, strict=True))

    def meant_symbol(self, file: int, ordinal: int) -> int | None:
        """The id of the n-th function or type of a file."""
        start, end = self._meant_spans.get(file, (0, 0))
        inside = 0 <= ordinal < end - start
        return int(self.meanings.symbols[start + ordinal]) if inside else None

    @cached_property
    def name_shapes(self) -> NameShapes:
        """Of how many words, letters and owners names are made."""
        return NameShapes(self.index.graph.size)

    @cached_property
    def paths(self) -> Transitions:
        """The graph with its walk weights."""
        return transitions(self.index.graph, self.index.in_order)

    def is_test(self, id: int) -> bool:
        """Whether a symbol is in a test file."""
        return self.in_test[id] == 1

    @cached_property
    def in_test(self) -> bytes:
        """1 for each symbol in a test file, by id; 0 for the others."""
        test = FILE_KINDS.index(FileKind.TEST)
        # bytes: reading one element of an array costs ten times as much
        return bytes((self.index.graph.columns.file_kind == test).tobytes())

    def arriving(self, kinds: tuple[EdgeKind, ...]) -> NDArray[numpy.int64]:
        """How many edges of some kinds arrive at each symbol, by id."""
        counts = self._arriving.get(kinds)
        if counts is None:
            rows = self.paths.incoming
            wanted = numpy.isin(rows.kind, [int(kind) for kind in kinds])
            before = numpy.concatenate(([0], numpy.cumsum(wanted)))
            counts = self._arriving[kinds] = before[rows.indptr[1:]] - before[rows.indptr[:-1]]
        return counts

    def arriving_at(self, ids: Ids) -> Ids:
        """How many edges arrive at some symbols: one row per symbol, one column per edge kind."""
        return _counted(self.paths.incoming, ids)

    def leaving(self, ids: Ids) -> Ids:
        """How many edges leave some symbols: one row per symbol, one column per edge kind."""
        return _counted(self.paths.outgoing, ids)

    @cached_property
    def files(self) -> dict[int, FileRecord]:
        """Every indexed file by id, ordered by path."""
        return {file.id: file for file in self.index.files()}

    @cached_property
    def _by_path(self) -> dict[str, FileRecord]:
        return {file.path: file for file in self.files.values()}

    def file_at(self, path: str) -> FileRecord | None:
        """The indexed file at a path."""
        return self._by_path.get(path)

    @cached_property
    def _sorted_paths(self) -> tuple[list[str], list[int]]:
        return [file.path for file in self.files.values()], list(self.files)

    def files_below(self, folder: str) -> list[int]:
        """The files in a folder and the folders below it."""
        paths, ids = self._sorted_paths
        return ids[bisect_left(paths, f"{folder}/") : bisect_left(paths, f"{folder}0")]

    @cached_property
    def languages(self) -> frozenset[str]:
        """The languages of the workspace."""
        return frozenset(file.language for file in self.files.values())

    @cached_property
    def _by_basename(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for file in self.files.values():
            found.setdefault(file.path.rpartition("/")[2].lower(), []).append(file.path)
        return found

    @cached_property
    def _path_names(self) -> PathNames:
        return PathNames([file.path for file in self.files.values()])

    @cached_property
    def wrappers(self) -> NDArray[numpy.bool_]:
        """Which symbols, by id, are namespaces without functions of their own: mere scopes."""
        columns = self.index.graph.columns
        found: NDArray[numpy.bool_] = columns.kind == KIND_NUMBER[Kind.NAMESPACE]
        if found.any():
            callables = numpy.isin(columns.kind, _CALLABLES)
            found[columns.parent[callables]] = False
        return found

    @cached_property
    def _types_by_file(self) -> tuple[Ids, Ids]:
        """All types by file, the largest first within each; and the file of each."""
        columns = self.index.graph.columns
        numbers = [KIND_NUMBER[kind] for kind in TYPE_KINDS]
        types = numpy.isin(columns.kind, numbers) & ~self.wrappers
        ids = numpy.flatnonzero(types & (columns.file > 0))
        owners = columns.file[ids].astype(numpy.int64)
        size = columns.end_line[ids] - columns.start_line[ids]
        ids = numpy.array(self.index.in_order(ids, (owners << 32) - size), numpy.int64)
        return ids, columns.file[ids].astype(numpy.int64)

    def named_in(self, path: str, name: str) -> list[int]:
        """Symbols of that name in a file."""
        file = self._by_path.get(path)
        return [] if file is None else self.index.named_in(file.id, name)

    def today(self, path: str, place: int) -> list[str]:
        """The indexed file that had a path after a commit: by paths it got later, or its name."""
        paths = [path] if self.history is None else self.history.paths_since(path, place)
        for each in (*reversed(paths), path):
            if each in self._by_path:
                return [each]
        same = self._by_basename.get(path.rpartition("/")[2].lower(), [])
        return same if len(same) == 1 else []

    def name_today(self, path: str, name: str) -> str:
        """What a function that a commit changed is called now, in a file of today."""
        if self.history is None or (later := self.history.name_since(path, name)) == name:
            return name
        return name if self.named_in(path, name) else later

    def names_about_as_long(self, length: int, tolerance: int) -> list[str]:
        """Every symbol name, lower case, whose length differs by at most the tolerance.

        Only lengths that some question asked for are gathered, each once.
        """
        lengths = range(max(1, length - tolerance), length + tolerance + 1)
        new = [each for each in lengths if each not in self._names_by_length]
        if new:
            found: dict[int, dict[str, None]] = {each: {} for each in new}
            for name in self.index.names_of_lengths(new[0], new[-1]):
                if len(name) in found:
                    found[len(name)][name.lower()] = None
            self._names_by_length.update((each, list(names)) for each, names in found.items())
        return [name for each in lengths for name in self._names_by_length[each]]

    def paths_ending(self, tail: str) -> list[str]:
        """Indexed files that a path in a text can mean, longest common tail first."""
        written = tail.replace("\\", "/").lower().split("/")
        parts = [part for part in written if part not in ("", ".", "..")]
        if not parts:
            return []
        scored = []
        for path in self._by_basename.get(parts[-1], ()):
            have = path.lower().split("/")
            common = 0
            while common < min(len(have), len(parts)) and have[-1 - common] == parts[-1 - common]:
                common += 1
            scored.append((-common, len(have), path))
        scored.sort()
        best = scored[0][0] if scored else 0
        return [path for common, _, path in scored if common == best]

    def innermost(self, path: str, line: int) -> int | None:
        """The smallest symbol around a line; None if only the module is around it."""
        found = self._around(path, line)
        return int(found[-1]) if len(found) else None

    def running(self, path: str, line: int) -> int | None:
        """The same, but where a function sets an attribute it is the function."""
        found = self._around(path, line)
        kinds = self.index.graph.columns.kind[found]
        definitions = numpy.isin(kinds, _DEFINITIONS).nonzero()[0]
        if len(definitions) and kinds[definitions[-1]] in _CALLABLES:
            return int(found[definitions[-1]])
        return int(found[-1]) if len(found) else None

    def _around(self, path: str, line: int) -> Ids:
        columns = self.index.graph.columns
        ids = numpy.array(self.index.ids_in_file(path), numpy.int64)
        around = (columns.start_line[ids] <= line) & (line <= columns.end_line[ids])
        return ids[around & (columns.parent[ids] > 0)]

    def types_under(self, word: str, limit: int) -> list[int]:
        """Types in files whose path has the word, largest first; cached."""
        known = self._types_of_word.get((word, limit))
        if known is None:
            if len(self._types_of_word) >= _WORDS:
                self._types_of_word.clear()
            known = self._types_of_word[word, limit] = self._largest_types(word, limit)
        return known

    def _largest_types(self, word: str, limit: int) -> list[int]:
        places = self._path_names.having(word)
        if not places or len(places) > len(self.files) // 4 + 20:
            return []  # a word in every path says nothing
        numbers = self._sorted_paths[1]
        files = [numbers[place] for place in places]
        ids, owners = self._types_by_file
        first, end = owners.searchsorted(files), owners.searchsorted(files, side="right")
        spans = first[:, numpy.newaxis] + numpy.arange(_TYPES)
        types = ids[spans[spans < end[:, numpy.newaxis]]]
        columns = self.index.graph.columns
        order = (columns.start_line[types] - columns.end_line[types]).argsort(kind="stable")
        found: list[int] = types[order[:limit]].tolist()
        return found
