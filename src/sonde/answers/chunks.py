"""Files in pieces that can be read, counted and embedded alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sonde.answers.changes import known_files
from sonde.answers.outdated import outdated
from sonde.answers.results import ChunksAnswer, Failure, FileChunk, Refusal
from sonde.answers.state import State
from sonde.extract import extract
from sonde.extract.chunks import pieces_of
from sonde.pack.errors import UnknownTokenizer
from sonde.pack.tokens import TokenCounter, token_counter
from sonde.retrieve.view import View
from sonde.store.source import Stale


def answer_chunks(paths: Sequence[str], state: State, tokenizer: str) -> ChunksAnswer | Failure:
    """The chunks of some files, in the order asked."""
    counter = token_counter(tokenizer)
    if isinstance(counter, UnknownTokenizer):
        return counter
    files = known_files(state.view, paths)
    if isinstance(files, Refusal):
        return files
    chunks: list[FileChunk] = []
    changing: list[str] = []
    for path in files:
        found = _chunks(state.view, path, counter)
        if found is None:
            changing.append(path)
        else:
            chunks.extend(found)
    if changing and not chunks:
        return Refusal(f"{changing[0]!r} is being changed at the moment: ask again")
    stale, count, share = outdated(state, files)
    unseen = tuple(dict.fromkeys([*changing, *stale]))
    return ChunksAnswer(tuple(chunks), unseen, max(count, len(unseen)), share)


def _chunks(view: View, path: str, counter: TokenCounter) -> Iterator[FileChunk] | None:
    """None if the file has changed since the index was brought up to date."""
    record, data = view.index.file_record(path), view.index.source_bytes(path)
    if record is None or isinstance(data, Stale):
        return None
    language = record.language
    # A worker has survived extracting these very bytes, so they are safe to extract here.
    facts = extract(path, language, data)
    return (
        FileChunk(path, language, *piece, counter.count(piece.text))
        for piece in pieces_of(facts, data)
    )
