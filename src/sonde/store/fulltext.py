"""Full text over symbols and chunks: a tantivy index and its frozen generations.

The writer works in its own folder. Publishing hard-links the segments of the
last commit into a folder named after the generation; segments never change, so
a reader of that folder sees exactly this generation, whatever the writer does.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import blake2b
from operator import itemgetter, neg
from pathlib import Path
from typing import Any

import numpy
import tantivy
from numpy.typing import NDArray

from sonde.lately import Lately
from sonde.store.documents import FIELDS
from sonde.store.errors import ProblemKind, StoreError, lacks_room
from sonde.store.lock import is_alive

_HEAP = 60_000_000  # bytes; with half of it django is two segments, and takes longer
# Documents that wait for each other: handed over one by one they wake the engine's thread for
# each, which then takes turns with ours. Of the time of the full text a quarter less.
_TOGETHER = 4_000
_OPTION = "basic"  # which documents have a word; asking for frequencies or positions fails
_WRITER = "writer"
# By an error of the disk, in another thread: what the error was is not said, but what was published
# before is as good as ever.
_KILLED = "writer was killed"
_TIED = 30  # hits read at once behind the limit: asking twice costs more
_FREQUENCIES = 1_500  # words whose numbers are remembered: tasks use the same
_BODY = FIELDS.index("body")
_SAID = 500  # words whose queries in all their forms are remembered: most are nowhere
_SAYING = ("body", "path", "qualname")  # a body has the words of name, signature and doc as well


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("id", fast=True)
    builder.add_integer_field("file", indexed=True)  # a delete by an unsigned term finds nothing
    builder.add_unsigned_field("chunk", indexed=True)  # only chunks have it
    builder.add_unsigned_field("tie", fast=True)
    for field in FIELDS:
        # Each field lists a word once, so how often is not kept: a tenth less room, equal scores.
        builder.add_text_field(field, tokenizer_name="whitespace", index_option=_OPTION)
    return builder.build()


class FullTextWriter:
    """Adds and deletes documents; nothing is visible before `publish`."""

    def __init__(self, folder: Path, generation: int) -> None:
        self._folder = folder
        # A name of its own: merges of a writer that was superseded may still be running.
        self._place = folder / f"{_WRITER}-{os.getpid()}-{time.monotonic_ns()}"
        folder.mkdir(parents=True, exist_ok=True)
        _remove_dead_writers(folder)
        with _engine_errors(self._place):
            if generation:
                _link_segments(folder / str(generation), self._place)
            else:
                self._place.mkdir()
            self._index = tantivy.Index(_schema(), path=str(self._place))
            self._writer: tantivy.IndexWriter = self._index.writer(_HEAP, 1)
        self._waiting: list[tuple[int, str, list[tuple[int, Sequence[str]]], bool]] = []
        self._count = 0  # of the documents that wait

    def add(
        self,
        file: int,
        tie: str,
        documents: Iterable[tuple[int, Sequence[str]]],
        *,
        chunks: bool = False,
    ) -> None:
        """Add the documents of a file, each as the words of its `FIELDS`.

        `tie` orders equal scores the same way in any index.
        """
        waiting = list(documents)
        self._waiting.append((file, tie, waiting, chunks))
        self._count += len(waiting)
        if self._count >= _TOGETHER:
            self._hand_over()

    def _hand_over(self) -> None:
        """Give the engine all that waits."""
        waiting, self._waiting, self._count = self._waiting, [], 0
        with _engine_errors(self._place):
            for each in waiting:
                self._add(*each)

    def _add(
        self, file: int, tie: str, documents: list[tuple[int, Sequence[str]]], chunks: bool
    ) -> None:
        base = int.from_bytes(
            blake2b(tie.encode("utf-8", "replace"), digest_size=5).digest(), "big"
        )
        new_document, add_document = tantivy.Document, self._writer.add_document
        for position, (id, document) in enumerate(documents):
            entry = new_document()
            entry.add_unsigned("id", id)
            entry.add_integer("file", file)
            entry.add_unsigned("tie", (base << 20) + min(position, (1 << 20) - 1))
            if chunks:
                entry.add_unsigned("chunk", 1)
            add_text = entry.add_text
            for field, words in zip(FIELDS, document, strict=True):
                if words:
                    add_text(field, words)
            add_document(entry)

    def delete(self, file: int) -> None:
        """Delete all documents of a file."""
        if any(each[0] == file for each in self._waiting):
            self._hand_over()
        self._writer.delete_documents_by_term("file", file)

    def publish(self, generation: int) -> None:
        """Commit, and freeze the result under the generation's name."""
        self._hand_over()
        with _engine_errors(self._place):
            self._writer.commit()
        target = self._folder / str(generation)
        shutil.rmtree(target, ignore_errors=True)
        _link_segments(self._place, target)

    def close(self) -> None:
        """Wait for background merges and remove the writer's folder; generations stay."""
        with suppress(ValueError):  # a writer that failed has no threads left to wait for
            self._writer.wait_merging_threads()
        shutil.rmtree(self._place, ignore_errors=True)


def wear(generation: Path) -> float:
    """Deleted documents of a generation's folder for each that is left."""
    segments = json.loads((generation / "meta.json").read_text())["segments"]
    written = sum(int(each["max_doc"]) for each in segments)
    gone = sum(int(each["deletes"]["num_deleted_docs"]) for each in segments if each["deletes"])
    return gone / max(1, written - gone)


@contextmanager
def _engine_errors(place: Path) -> Iterator[None]:
    """The engine reports whatever goes wrong as ValueError."""
    try:
        yield
    except ValueError as error:
        if lacks_room(error):
            raise StoreError(
                ProblemKind.DISK_FULL, f"no space left on the disk of {place.parent}"
            ) from error
        line = str(error).splitlines()[0]
        if _KILLED in line:
            raise StoreError(
                ProblemKind.UNWRITABLE, f"the full text in {place} could not be written: {line}"
            ) from error
        raise StoreError(
            ProblemKind.CORRUPT, f"the full text in {place} is damaged: {line}"
        ) from error


def _remove_dead_writers(folder: Path) -> None:
    """Remove what killed writers left; the caller holds the writer's lock."""
    for each in folder.glob(f"{_WRITER}-*"):
        pid = each.name.split("-")[1]
        if not pid.isdigit() or (int(pid) != os.getpid() and not is_alive(int(pid))):
            shutil.rmtree(each, ignore_errors=True)


def _link_segments(source: Path, target: Path) -> None:
    """Hard-link what `meta.json` lists; a merge may replace segments meanwhile, so retry."""
    for attempt in range(20):
        temporary = target.with_name(f"{target.name}.tmp")
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(parents=True)
        text = (source / "meta.json").read_text()
        try:
            for segment in json.loads(text)["segments"]:
                _link_one(source, temporary, segment["segment_id"].replace("-", ""), segment)
        except FileNotFoundError:
            if attempt == 19:
                raise
            continue
        (temporary / "meta.json").write_text(text)
        managed = sorted(each.name for each in temporary.iterdir())
        (temporary / ".managed.json").write_text(json.dumps(managed))
        temporary.rename(target)
        return


def _link_one(source: Path, target: Path, name: str, segment: Mapping[str, Any]) -> None:
    for suffix in ("fast", "fieldnorm", "idx", "pos", "store", "term"):
        os.link(source / f"{name}.{suffix}", target / f"{name}.{suffix}")
    if deletes := segment["deletes"]:
        file = f"{name}.{deletes['opstamp']}.del"
        os.link(source / file, target / file)


def _constant(query: tantivy.Query) -> tantivy.Query:
    """A query that filters without adding to the score."""
    return tantivy.Query.const_score_query(query, 0.0)


def _must(wanted: bool) -> tantivy.Occur:
    return tantivy.Occur.Must if wanted else tantivy.Occur.MustNot


class FullText:
    """Searches one generation."""

    def __init__(self, folder: Path) -> None:
        self._index = tantivy.Index.open(str(folder))
        self._index.config_reader("manual")
        self._index.reload()
        self._schema = self._index.schema
        self._searcher = self._index.searcher()
        segments = json.loads((folder / "meta.json").read_text())["segments"]
        self._has_deleted = any(segment["deletes"] for segment in segments)
        self.scored = sum(segment["max_doc"] for segment in segments)  # documents, deleted too
        self._frequencies = Lately(_FREQUENCIES, partial(_frequencies, self._searcher))
        self._saying = Lately(_SAID, partial(_anywhere, self._searcher, self._schema))
        self._is_chunk = _constant(self._term("chunk", 1))

    def search(
        self,
        terms: Mapping[str, Sequence[tuple[str, float]]],
        limit: int,
        *,
        chunks: bool = False,
        files: Sequence[int] | None = None,
    ) -> list[tuple[int, float]]:
        """Best (symbol id, score) for lower-cased words by field, each with its weight.

        With `chunks` the ids are those of chunks of text files instead.
        """
        parts = [(tantivy.Occur.Must, self._query(terms)), (_must(chunks), self._is_chunk)]
        if files is not None:
            parts.append((tantivy.Occur.Must, self._in_files(files)))
        return self._best(tantivy.Query.boolean_query(parts), limit)

    def having(self, words: Sequence[str], most: int, *, chunks: bool) -> list[int]:
        """Symbols, or chunks, that have all the words in their body, in no order."""
        if not all(self._frequencies[word][_BODY] for word in words):
            return []
        parts = [(tantivy.Occur.Must, self._term("body", word)) for word in words]
        parts.append((_must(chunks), self._is_chunk))
        hits = self._searcher.search(tantivy.Query.boolean_query(parts), most, count=False).hits
        ids: list[Any] = self._searcher.fast_field_values("id", [address for _, address in hits])
        return ids

    def covering(
        self, words: Iterable[tuple[Sequence[str], float]], most: int
    ) -> tuple[NDArray[numpy.int64], NDArray[numpy.float64]]:
        """The symbols that have the heaviest words, and the weights of those that each has.

        A word is given in its forms and counts once, however many of them and wherever they stand.
        """
        query = tantivy.Query.boolean_query(self._symbols_with(words))
        hits = self._searcher.search(query, most, count=False).hits
        if not hits:
            return numpy.zeros(0, numpy.int64), numpy.zeros(0)
        ids: list[Any] = self._searcher.fast_field_values("id", list(map(itemgetter(1), hits)))
        found = numpy.fromiter(ids, numpy.int64, len(ids))  # half the time of `numpy.array`
        sums = numpy.fromiter(map(itemgetter(0), hits), float, len(ids))  # best first
        if len(hits) == most:  # of those that say as little as the last, chance chose some
            clear = sums > sums[-1] * (1.0 + 1e-5)
            found, sums = found[clear], sums[clear]
        return found, sums

    def saying(
        self, words: Sequence[Sequence[str]], files: Sequence[int], most: int
    ) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64]]:
        """The symbols of some files that have any of the words, each with which of them, as bits.

        A word is given in its forms; `most` is at least the number of symbols in these files.
        """
        # Distinct powers of two, so that the score is the set of words: exact up to 24 of them.
        bits = [(forms, float(1 << bit)) for bit, forms in enumerate(words)]
        parts = [*self._symbols_with(bits), (tantivy.Occur.Must, self._in_files(files))]
        hits = self._searcher.search(tantivy.Query.boolean_query(parts), most, count=False).hits
        ids: list[Any] = self._searcher.fast_field_values("id", list(map(itemgetter(1), hits)))
        which = numpy.fromiter(map(itemgetter(0), hits), float, len(hits))
        return numpy.fromiter(ids, numpy.int64, len(ids)), which.astype(numpy.int64)

    def _symbols_with(
        self, words: Iterable[tuple[Sequence[str], float]]
    ) -> list[tuple[tantivy.Occur, tantivy.Query]]:
        """Conditions for symbols that have any of the words; the score is the sum of theirs."""
        constant = tantivy.Query.const_score_query
        said = tantivy.Query.boolean_query(
            [
                (tantivy.Occur.Should, constant(self._saying[tuple(forms)], score))
                for forms, score in words
            ]
        )
        return [(tantivy.Occur.Must, said), (tantivy.Occur.MustNot, self._is_chunk)]

    def _term(self, field: str, word: str | int) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, field, word, _OPTION)

    def _in_files(self, files: Sequence[int]) -> tantivy.Query:
        return _constant(tantivy.Query.term_set_query(self._schema, "file", list(files)))

    def _best(self, query: tantivy.Query, limit: int) -> list[tuple[int, float]]:
        """The best hits, ties in an order that any index of the same files gives.

        The engine breaks ties by where a document happens to lie, so hits are read on until
        the score falls below the last one wanted: all 30,000 of django take 11 ms, and seldom
        more are needed than those read at first.
        """
        count = limit + _TIED
        while True:
            hits = self._searcher.search(query, count, count=False).hits
            if len(hits) < count or hits[-1][0] < hits[limit - 1][0]:
                break
            count = limit + 3 * (count - limit)
        if not hits:
            return []
        scores, addresses = zip(*hits, strict=True)
        ties = self._searcher.fast_field_values("tie", list(addresses))
        ids = self._searcher.fast_field_values("id", list(addresses))
        found: list[Any] = sorted(zip(map(neg, scores), ties, ids, strict=True))
        return [(id, -score) for score, _, id in found[:limit]]

    def _query(self, terms: Mapping[str, Sequence[tuple[str, float]]]) -> tantivy.Query:
        # bound once: a query has some 150 terms
        schema, should = self._schema, tantivy.Occur.Should
        term, boost = tantivy.Query.term_query, tantivy.Query.boost_query
        parts = []
        for field in FIELDS:
            for word, weight in terms.get(field, ()):
                part = term(schema, field, word, _OPTION)
                parts.append((should, boost(part, weight) if weight != 1.0 else part))
        return tantivy.Query.boolean_query(parts)

    def document_frequencies(self, word: str) -> tuple[int, ...]:
        """How many documents have a word in each of the `FIELDS`, as scores count: deleted too."""
        return self._frequencies[word]

    def rarity_base(self, word: str) -> int:
        """How many documents of this generation have the word, whatever edits led to it."""
        if not self._has_deleted:
            return self._frequencies[word][_BODY]
        query = self._term("body", word)
        found: Any = self._searcher.search(query, 1, count=True)  # the stubs do not know its count
        return int(found.count or 0)

    def rest(self) -> None:
        """Hold less until the next question."""
        self._frequencies.rest()
        self._saying.rest()

    @property
    def documents(self) -> int:
        """The number of documents in this generation."""
        return int(self._searcher.num_docs)


def _anywhere(
    searcher: tantivy.Searcher, schema: tantivy.Schema, forms: tuple[str, ...]
) -> tantivy.Query:
    """What finds the documents that have a word in one of its forms."""
    return tantivy.Query.boolean_query(
        [
            (tantivy.Occur.Should, tantivy.Query.term_query(schema, field, form, _OPTION))
            for form in forms
            for field in _SAYING
            if searcher.doc_freq(field, form)
        ]
    )


def _frequencies(searcher: tantivy.Searcher, word: str) -> tuple[int, ...]:
    return tuple([searcher.doc_freq(field, word) for field in FIELDS])
