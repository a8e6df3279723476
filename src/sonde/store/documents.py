"""What full-text search sees of a file: one document per symbol and per chunk.

Words are prepared here, so that the full-text engine only splits at blanks:
every name counts as a whole (with its underscores) and as its parts.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from sys import intern
from typing import NamedTuple

from sonde.model import CALLABLE_KINDS, TYPE_KINDS, FileFacts, Kind, Symbol
from sonde.understand.identifiers import split_identifier

# Everything that cannot stand in a name becomes a blank: translating and splitting costs a
# fifth of searching by expression.
_BLANKED = bytes(
    byte if byte >= 0x80 or chr(byte).isalnum() or byte == ord("_") else ord(" ")
    for byte in range(256)
)
_DIGITS = b"0123456789"
_SHORT_NUMBER = 4  # digits; all numbers together are countless, and most are short
_LONGEST = 60  # longer "names" are encoded data
_MEMO_LIMIT = 200_000  # names remembered with their words, about 40 MB
_CONTAINERS = CALLABLE_KINDS | TYPE_KINDS | {Kind.MODULE, Kind.PROPERTY}


class _Memo(dict[bytes, tuple[str, ...]]):
    """A name as bytes → itself and its parts in lower case."""

    def __missing__(self, name: bytes) -> tuple[str, ...]:
        if name[0] in _DIGITS:  # only what follows a number can be a name
            rest = name.lstrip(_DIGITS)
            words = self[rest] if rest else ()
            if len(name) <= _SHORT_NUMBER:
                self[name] = words
            return words
        if len(self) >= _MEMO_LIMIT:
            self.clear()
        words = ()
        if 1 < len(name) <= _LONGEST:
            text = name.decode("utf-8", "ignore").strip("_")
            parts = dict.fromkeys([text.lower(), *split_identifier(text)])
            if text.isascii() and text.isidentifier():
                words = tuple([intern(part) for part in parts if len(part) > 1])
            else:  # there may be blanks: of other scripts, or of a quoted name
                words = tuple(map(intern, " ".join(filter(_is_word, parts)).split()))
        self[name] = words
        return words


def _is_word(text: str) -> bool:
    return len(text) > 1 and not text.isspace()


_words_of = _Memo().__getitem__


class Document(NamedTuple):
    """The fields of one symbol or chunk, each a string of words."""

    name: str
    concepts: str
    path: str
    qualname: str
    doc: str
    signature: str
    body: str


FIELDS = Document._fields


def symbol_documents(path: str, facts: FileFacts, data: bytes) -> list[Document]:
    """One document for each symbol of a file, in the symbols' order."""
    symbols = facts.symbols
    place = _words_of_text(path)
    stem, folder = _stem_and_folder(path)
    bodies = _bodies(symbols, data, whole_module=not facts.chunks)
    members: dict[int, list[bytes]] = {}
    for symbol in symbols:
        if symbol.parent > 0 and symbol.kind in CALLABLE_KINDS:
            members.setdefault(symbol.parent, []).append(symbol.name.encode("utf-8", "replace"))
    documents = []
    concepts: dict[str, str] = {}
    for index, symbol in enumerate(symbols):
        owner = symbols[symbol.parent].name if symbol.parent > 0 else symbol.owner
        if owner not in concepts:
            concepts[owner] = _words_of_text(f"{stem} {folder} {owner}")
        names = bodies.get(index, [])
        names += members.get(index, ())
        name, qualname = symbol.name, symbol.qualname
        words = _words_of_name(name)
        documents.append(
            Document(
                words,
                concepts[owner],
                place,
                words if qualname == name else _words_of_name(qualname),
                _words_of_text(symbol.doc),
                _words_of_text(symbol.signature),
                _words(names),
            )
        )
    return documents


def chunk_documents(path: str, facts: FileFacts, data: bytes) -> list[Document]:
    """One document for each chunk of a text or configuration file."""
    place = _words_of_text(path)
    concepts = _words_of_text(" ".join(_stem_and_folder(path)))
    return [
        Document(
            _words_of_text(chunk.title),
            concepts,
            place,
            "",
            "",
            "",
            _words(_names(data[chunk.start_byte : chunk.end_byte])),
        )
        for chunk in facts.chunks
    ]


def _bodies(
    symbols: tuple[Symbol, ...], data: bytes, *, whole_module: bool
) -> dict[int, list[bytes]]:
    """The names in each symbol's own text: what lies in an inner container is that one's."""
    bodies: dict[int, list[bytes]] = {}
    data = data.translate(_BLANKED)
    containers = []
    for index, symbol in enumerate(symbols):
        if symbol.kind not in _CONTAINERS:
            bodies[index] = data[symbol.start_byte : symbol.end_byte].split()
        elif index or whole_module:
            containers.append((symbol.start_byte, -symbol.end_byte, index))
    containers.sort()
    position = 0
    open_containers: list[int] = []  # innermost last
    for start, _, index in containers:
        while open_containers and symbols[open_containers[-1]].end_byte <= start:
            inner = open_containers.pop()
            end = symbols[inner].end_byte
            bodies.setdefault(inner, []).extend(data[position:end].split())
            position = max(position, end)
        if open_containers:
            bodies.setdefault(open_containers[-1], []).extend(data[position:start].split())
        position = max(position, start)
        open_containers.append(index)
    while open_containers:
        inner = open_containers.pop()
        end = symbols[inner].end_byte
        bodies.setdefault(inner, []).extend(data[position:end].split())
        position = max(position, end)
    return bodies


@lru_cache(maxsize=20_000)
def _words_of_name(text: str) -> str:
    """Names, paths and owners come again and again."""
    return _words_of_text(text)


def _words_of_text(text: str) -> str:
    return _words(_names(text.encode("utf-8", "replace"))) if text else ""


def _names(text: bytes) -> list[bytes]:
    """The names in a text, and the numbers, which have no words."""
    return text.translate(_BLANKED).split()


def _words(names: Iterable[bytes]) -> str:
    """Each name and its parts once, in order of first appearance."""
    # Chained in C, and of shared strings whose hashes are known: half the time of a loop.
    return " ".join(dict.fromkeys(chain.from_iterable(map(_words_of, dict.fromkeys(names)))))


def _stem_and_folder(path: str) -> tuple[str, str]:
    folder, _, name = path.rpartition("/")
    return name.partition(".")[0], folder.rpartition("/")[2]
