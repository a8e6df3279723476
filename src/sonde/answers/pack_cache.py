"""Answers kept in memory and on disk, each as long as what it rests on stays the same.

An answer rests on the files of the symbols it shows and of the best candidates, on which
symbols bear the names that the task spells out, on how many edges arrive at what it shows,
and on the commits that could speak. A change elsewhere leaves it valid.
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
from sonde.retrieve.gather import CUT
from sonde.retrieve.neural import EMBEDDED
from sonde.retrieve.view import View

if TYPE_CHECKING:
    from sonde.neural.models import Models

_IN_MEMORY = 32  # of some 60 KB each; the others are read from disk in a third of a millisecond
_LETTERS = 16 << 20  # of their texts together: a pack may have 200,000 tokens
# On disk an answer takes the place of the one before it in its file: to make a file and to remove
# another takes a quarter of a millisecond, to write over one a twentieth of that.
_ON_DISK = 512
_OVER = os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0)  # not emptied: that takes as long
_EARLIER = "packs"  # where former versions kept a file for each answer
_KEY_BYTES = 16


@cache
def _code_stamp() -> str:
    """Changes with any file of the package: another ranking gives other answers."""
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
    """The name of a question: what is asked, how, and by which code and models."""
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
    """An answer, the state it was last found valid in, and that state's fingerprint."""

    answer: Answer
    fingerprint: str
    view: ReferenceType[View] | None  # which goes when a newer generation is opened
    commits: str = ""  # which of them spoke


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
        """The kept answer while what it rests on is unchanged, else a new one."""
        found = self.get(key, state) or answer(state)
        if isinstance(found, Answer) and not found.cached:
            self.put(key, found, state)
        return found

    def rest(self) -> None:
        """Keep the answers on disk alone."""
        self._entries.clear()
        self._letters = 0

    def get(self, key: str, state: State) -> Answer | None:
        """The kept answer, if nothing that it rests on has changed."""
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
        """Keep an answer that is whole and fresh."""
        cut = any(
            name.endswith(CUT) or (name == EMBEDDED and share < 1.0)
            for name, share in answer.pack.statistics
        )
        if cut or answer.pack.stale or answer.pack.indexed_share < 1.0:
            return
        view, commits = state.view, _commits(state.view)
        entry = _Entry(answer, fingerprint(answer, view, commits), ref(view), commits)
        self._keep(key, entry)
        with suppress(OSError):  # a cache that cannot be written is only a slower one
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
                return _Entry(decode_answer(file.read().decode()), fingerprint, None)
        except (OSError, ValueError, KeyError, TypeError):
            return None  # absent or torn: it is computed again

    def _place(self, key: str) -> str:
        """The file of an answer, and of all others that came or will come to the same number."""
        return f"{self._folder}/{crc32(key.encode()) % _ON_DISK}.json"

    def _write(self, key: str, entry: _Entry) -> None:
        data = f"{key}\n{entry.fingerprint}\n{encode_answer(entry.answer)}".encode()
        try:
            file = os.open(self._place(key), _OVER, 0o666)
        except FileNotFoundError:
            self._folder.mkdir(parents=True, exist_ok=True)
            shutil.rmtree(self._folder.with_name(_EARLIER), ignore_errors=True)
            file = os.open(self._place(key), _OVER, 0o666)
        # Another process may read or write meanwhile: the end of one answer behind another, or a
        # part of one, is no JSON, so whoever reads that computes the answer again.
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
    """Everything that the answer rests on, as one number."""
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
    for section in answer.pack.sections:
        for item in section.items:
            id = item.symbol.id
            known = id + 1 < len(degrees)
            digest.update(f"{id}:{int(degrees[id + 1] - degrees[id]) if known else -1}\0".encode())
    return digest.hexdigest()
