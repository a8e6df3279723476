"""One generation of the index as retrieval looks at it, with what its queries share."""

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
from sonde.retrieve.path_names import PathNames
from sonde.retrieve.walk import Ids, Transitions, edges_of, transitions
from sonde.store.index import FileRecord, Index
from sonde.store.rows import FILE_KINDS, KIND_NUMBER
from sonde.understand.identifiers import split_identifier

if TYPE_CHECKING:
    from sonde.history.store import History
    from sonde.neural.models import Models
    from sonde.retrieve.history import Votes


Known = Mapping[str, bytes]  # content hash of each embedded file
# What questions share is bounded, or a server would grow for days. With half of these numbers
# questions about all of django take a fifth longer, with twice as many no less. But for records,
# of half a kilobyte each: with 4,000 a question about django made 204 anew, with 8,000 139.
_RECORDS = 8_000
_NAMES = 2_000  # whose symbols are remembered
_WORDS = 200  # whose files are
_NAMES_SPLIT = 12_000
_EDGE_KINDS = max(EdgeKind) + 1
_TYPES = 3  # of a file, when a folder's types are asked for


@remembered(_NAMES_SPLIT)
def name_words(name: str) -> tuple[str, ...]:
    """The lower-case words of an identifier."""
    return tuple(split_identifier(name))


class View:
    """Lookups by place and package, made once a generation."""

    def __init__(
        self, index: Index, history: History | None = None, models: Models | None = None
    ) -> None:
        self.index = index
        self.history = history
        self.models = models  # larger ones, if the user chose any
        # how near each symbol is to the last query
        self.recent_nearness: tuple[Query, NDArray[numpy.float32]] | None = None
        # for the embedding model: how near each symbol is to the last query, and the share of
        # what is embedded, each with the files that were
        self.recent_neural: tuple[Query, Known | None, NDArray[numpy.float32]] | None = None
        self.recent_share: tuple[Known, float] | None = None
        # of commits, for the last query, and which of them spoke
        self.recent_votes: tuple[Query, str, Votes] | None = None
        # what full text found for the last query, and the tests among it
        self.recent: tuple[Query, list[tuple[int, float]], list[tuple[int, float]]] | None = None
        self.cut_short: set[str] = set()  # channels that ran out of time on the present query
        # symbols that a chunk of documentation names, and the share of the vote of each
        self.votes_of_section: dict[int, tuple[array[int], array[float]]] = {}
        self.meant_in_prose: dict[str, tuple[int, ...]] = {}  # by the name that some section has
        self._records: dict[int, SymbolRecord] = {}  # the newest, and as many before them
        self._records_before: dict[int, SymbolRecord] = {}
        self._named = Lately(_NAMES, index.ids_named)
        self._arriving: dict[tuple[EdgeKind, ...], NDArray[numpy.int64]] = {}
        self._files_of_word: dict[str, list[int]] = {}
        self._names_by_length: dict[int, list[str]] = {}

    def records(self, ids: list[int]) -> list[SymbolRecord]:
        """Symbols by id; those asked before are remembered."""
        known = self._records
        try:
            return [known[id] for id in ids]  # most have been asked for by another channel
        except KeyError:
            if len(known) >= _RECORDS:
                self._records_before, self._records = known, {}
                known = self._records
            before = self._records_before
            missing = [id for id in ids if id not in known]
            known.update([(id, before[id]) for id in missing if id in before])
            missing = [id for id in missing if id not in before]
        for record in self.index.records(missing):
            known[record.id] = record
        return [known[id] for id in ids if id in known]

    def rest(self) -> None:
        """Hold less until the next question, which takes a third longer then."""
        self._records.clear()
        self._records_before.clear()
        self._files_of_word.clear()
        self._named.rest()
        self.votes_of_section.clear()
        self.meant_in_prose.clear()
        self._names_by_length.clear()
        self.recent = self.recent_nearness = self.recent_neural = self.recent_votes = None
        self.index.rest()

    def ids_named(self, lower_name: str) -> list[int]:
        """Symbols of that name, whatever its case, by path and line; remembered."""
        return self._named[lower_name]

    def by_place(self, ids: Iterable[int]) -> list[int]:
        """The same symbols by path and place: an order that any index of the same files gives."""
        return self.index.in_order(list(ids))

    def text(self, path: str) -> bytes:
        """The indexed bytes of a file, b"" when the disk no longer has them."""
        data = self.index.source_bytes(path)
        return data if isinstance(data, bytes) else b""

    def defined(self, name: str) -> list[SymbolRecord]:
        """Symbols outside tests with exactly that name, at most 30."""
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
        """Where the functions and types of each file begin and end among those of all."""
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
    def paths(self) -> Transitions:
        """The graph with its walk weights."""
        return transitions(self.index.graph, self.index.in_order)

    def is_test(self, id: int) -> bool:
        """Whether a symbol stands in a test file."""
        return self.in_test[id] == 1

    @cached_property
    def in_test(self) -> bytes:
        """1 for each symbol that stands in a test file, by id; 0 for the others."""
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
        """How many edges arrive at some symbols: a row each, a column for each kind of edge."""
        rows = self.paths.incoming
        edges, counts = edges_of(rows, ids)
        cells = numpy.arange(0, len(ids) * _EDGE_KINDS, _EDGE_KINDS).repeat(counts)
        cells += rows.kind[edges]
        found = numpy.bincount(cells, minlength=len(ids) * _EDGE_KINDS)
        return found.reshape(len(ids), _EDGE_KINDS)

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

    def _files_named(self, word: str) -> list[int]:
        """Files with that word in the name of a folder or their own, by path; remembered."""
        known = self._files_of_word.get(word)
        if known is None:
            ids = self._sorted_paths[1]
            known = [ids[place] for place in self._path_names.having(word)]
            if len(self._files_of_word) >= _WORDS:
                self._files_of_word.clear()
            self._files_of_word[word] = known
        return known

    @cached_property
    def wrappers(self) -> NDArray[numpy.bool_]:
        """Which symbols, by id, are namespaces without a function of their own: only a scope."""
        columns = self.index.graph.columns
        found: NDArray[numpy.bool_] = columns.kind == KIND_NUMBER[Kind.NAMESPACE]
        if found.any():
            callables = numpy.isin(columns.kind, [KIND_NUMBER[kind] for kind in CALLABLE_KINDS])
            found[columns.parent[callables]] = False
        return found

    @cached_property
    def _types_by_file(self) -> tuple[Ids, Ids]:
        """All types by file, the largest of each first; and the file of each."""
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

    def today(self, path: str) -> list[str]:
        """The indexed file that a path of an earlier commit means: itself, or where it moved."""
        if path in self._by_path:
            return [path]
        moved = path if self.history is None else self.history.moved_to(path)
        if moved in self._by_path:
            return [moved]
        same = self._by_basename.get(path.rpartition("/")[2].lower(), [])
        return same if len(same) == 1 else []

    def names_about_as_long(self, length: int, tolerance: int) -> list[str]:
        """Every symbol name, lower case, whose length differs by at most the tolerance.

        Only the lengths that some question asked for are gathered, and those once.
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
        """Indexed files a path in some text can mean: longest common tail first."""
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
        """The smallest symbol around a line, None outside all but the module."""
        columns = self.index.graph.columns
        ids = numpy.array(self.index.ids_in_file(path), numpy.int64)
        around = (columns.start_line[ids] <= line) & (line <= columns.end_line[ids])
        found = ids[around & (columns.parent[ids] > 0)]
        return int(found[-1]) if len(found) else None

    def types_under(self, word: str, limit: int) -> list[int]:
        """Types in files whose path has the word, largest first."""
        files = self._files_named(word)
        if not files or len(files) > len(self.files) // 4 + 20:
            return []  # a word of every path says nothing
        ids, owners = self._types_by_file
        first, end = owners.searchsorted(files), owners.searchsorted(files, side="right")
        spans = zip(first.tolist(), numpy.minimum(end, first + _TYPES).tolist(), strict=True)
        types = ids[[at for start, stop in spans for at in range(start, stop)]]
        columns = self.index.graph.columns
        order = (columns.start_line[types] - columns.end_line[types]).argsort(kind="stable")
        found: list[int] = types[order[:limit]].tolist()
        return found
