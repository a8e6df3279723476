"""Answers cached in memory and on disk, each for as long as its inputs stay the same.

An answer depends on the files of the symbols it shows and of the best candidates, on which
symbols have the names spelled out in the task, on how many edges arrive at the symbols it shows,
and on the commits available as evidence. A change elsewhere leaves it valid.
"""

from __future__ import annotations

import os
import shutil
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import ReferenceType, ref
from zlib import crc32

import sonde
from sonde.answers.lookup import find_symbols
from sonde.answers.pack_codec import decode_answer, encode_answer
from sonde.answers.packing import Options
from sonde.answers.results import Answer, Failure
from sonde.answers.state import State
from sonde.model.statistics import CUT, EMBEDDED
from sonde.retrieve.view import View

if TYPE_CHECKING:
    from sonde.neural.models import Models

_IN_MEMORY = 32  # about 60 KB each; others are read from disk in a third of a millisecond
_LETTERS = 16 << 20  # in all their texts together: a pack may have 200,000 tokens
# On disk an answer takes the place of the one before it in its file: to make a file and to remove
# another takes a quarter of a millisecond, to write over one a twentieth of that.
_ON_DISK = 512
_OVER = os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0)  # not emptied: that takes as long
_EARLIER = "packs"  # where former versions kept a file for each answer
_KEY_BYTES = 16


@cache
def _code_stamp() -> str:
    """Changes with any file of the package, since a different ranking gives different answers."""
    digest = blake2b(sonde.__version__.encode(), digest_size=8)
    for folder, folders, names in os.walk(Path(sonde.__file__).parent):
        folders[:] = sorted(each for each in folders if each != "__pycache__")
        for name in sorted(names):
            found = os.stat(os.path.join(folder, name))
            digest.update(f"{name} {found.st_size} {found.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def cache_key(
    question: str, words: Sequence[str], options: Options, models: Models | None = None
) -> str:
    """The key of a question: what is asked, with which options, code and models."""
    parts = (
        question,
        *words,
        str(options.budget),
        options.format,
        options.tokenizer,
        *sorted(options.without),
        repr(sorted(options.seen)),
        _code_stamp(),
        models.choice.stamp if models is not None else "",
    )
    digest = blake2b(digest_size=_KEY_BYTES)
    for part in parts:
        text = part.encode("utf-8", "surrogatepass")
        digest.update(len(text).to_bytes(8, "big") + text)
    return digest.hexdigest()


@dataclass(slots=True)
class _Entry:
    """An answer, the state in which it was last valid, and that state's fingerprint."""

    answer: Answer
    fingerprint: str
    view: ReferenceType[View] | None  # dies when a newer generation is opened
    commits: str = ""  # those used as evidence


class PackCache:
    """Least recently used answers of one workspace."""

    def __init__(self, folder: Path, most: int = _IN_MEMORY) -> None:
        self._folder = folder
        self._most = most
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._letters = 0

    def kept(
        self, key: str, state: State, answer: Callable[[State], Answer | Failure]
    ) -> Answer | Failure:
        """The cached answer while its inputs are unchanged, else a new one."""
        found = self.get(key, state) or answer(state)
        if isinstance(found, Answer) and not found.cached:
            self.put(key, found, state)
        return found

    def rest(self) -> None:
        """Keep the answers on disk only."""
        self._entries.clear()
        self._letters = 0

    def get(self, key: str, state: State) -> Answer | None:
        """The cached answer, if none of its inputs have changed."""
        if state.stale or state.indexed_share < 1.0:
            return None
        entry = self._entries.get(key) or self._read(key)
        if entry is None:
            return None
        commits = _commits(state.view)
        if entry.view is None or entry.view() is not state.view or entry.commits != commits:
            if fingerprint(entry.answer, state.view, commits) != entry.fingerprint:
                self._drop(key)
                return None
            entry.view, entry.commits = ref(state.view), commits
        self._keep(key, entry)
        return replace(entry.answer, cached=True)

    def put(self, key: str, answer: Answer, state: State) -> None:
        """Cache an answer that is complete and fresh."""
        cut = any(
            name.endswith(CUT) or (name == EMBEDDED and share < 1.0)
            for name, share in answer.pack.statistics
        )
        if cut or answer.pack.stale or answer.pack.indexed_share < 1.0:
            return
        view, commits = state.view, _commits(state.view)
        entry = _Entry(answer, fingerprint(answer, view, commits), ref(view), commits)
        self._keep(key, entry)
        with suppress(OSError):  # failing to write the cache only makes it slower
            self._write(key, entry)

    def _keep(self, key: str, entry: _Entry) -> None:
        self._drop(key)
        self._entries[key] = entry
        self._letters += len(entry.answer.text)
        while len(self._entries) > self._most or self._letters > _LETTERS:
            self._drop(next(iter(self._entries)))

    def _drop(self, key: str) -> None:
        if (entry := self._entries.pop(key, None)) is not None:
            self._letters -= len(entry.answer.text)

    def _read(self, key: str) -> _Entry | None:
        try:
            with open(self._place(key), "rb") as file:
                if file.readline() != f"{key}\n".encode():
                    return None
                fingerprint = file.readline().decode().rstrip("\n")
                checksum, body = int(file.readline(), 16), file.read()
                if crc32(body) != checksum:
                    return None
                return _Entry(decode_answer(body.decode()), fingerprint, None)
        except (OSError, ValueError, KeyError, TypeError):
            return None  # absent or torn: it is computed again

    def _place(self, key: str) -> str:
        """The file of an answer, and of all others that came or will come to the same number."""
        return f"{self._folder}/{crc32(key.encode()) % _ON_DISK}.json"

    def _write(self, key: str, entry: _Entry) -> None:
        body = encode_answer(entry.answer).encode()
        data = f"{key}\n{entry.fingerprint}\n{crc32(body):x}\n".encode() + body
        try:
            file = os.open(self._place(key), _OVER, 0o666)
        except FileNotFoundError:
            self._folder.mkdir(parents=True, exist_ok=True)
            shutil.rmtree(self._folder.with_name(_EARLIER), ignore_errors=True)
            file = os.open(self._place(key), _OVER, 0o666)
        # Another process may read or write meanwhile: a part of one answer before a part of another
        # does not have its checksum, so whoever reads that computes the answer again.
        try:
            os.ftruncate(file, os.write(file, data))
        finally:
            os.close(file)

    def clear(self) -> None:
        """Forget all answers."""
        self.rest()
        shutil.rmtree(self._folder, ignore_errors=True)


def _commits(view: View) -> str:
    return "" if view.history is None else view.history.reach


def fingerprint(answer: Answer, view: View, commits: str) -> str:
    """A hash of everything that the answer depends on."""
    index = view.index
    digest = blake2b(commits.encode(), digest_size=_KEY_BYTES)
    for path in answer.rests_on:
        record = view.file_at(path)
        digest.update(path.encode("utf-8", "surrogatepass") + b"\0")
        digest.update(record.hash if record is not None else b"gone")
    for name in answer.named:
        for found in find_symbols(view, name):
            place = f"{found.file}:{found.start_line}:{found.qualname}"
            digest.update(place.encode("utf-8", "surrogatepass") + b"\0")
    degrees = index.graph.incoming.indptr
    ids = [item.symbol.id for section in answer.pack.sections for item in section.items]
    known = [id for id in ids if id + 1 < len(degrees)]
    arriving = (degrees[[id + 1 for id in known]] - degrees[known]).tolist() if known else []
    digest.update(f"{ids} {known} {arriving}".encode())
    return digest.hexdigest()
