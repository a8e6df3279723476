"""What full-text search sees of a file: one document per symbol and per chunk.

Words are prepared here, so that the full-text engine only splits at blanks:
every name counts as a whole (with its underscores) and as its parts.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from sys import intern
from typing import Any, NamedTuple

from sonde.model import CALLABLE_KINDS, TYPE_KINDS, FileFacts, Kind, Symbol
from sonde.understand.identifiers import split_identifier

# Everything that cannot be part of a name becomes a blank: translating and splitting costs a
# fifth of searching by expression.
_BLANKED = bytes(
    byte if byte >= 0x80 or chr(byte).isalnum() or byte == ord("_") else ord(" ")
    for byte in range(256)
)
_BETWEEN, _BETWEEN_BYTES = "\0", b"\0"  # texts that are blanked together
_BLANKED_APART = b"\0" + _BLANKED[1:]
_DIGITS = b"0123456789"
_SHORT_NUMBER = 4  # digits; all numbers together are countless, and most are short
_LONGEST = 60  # longer "names" are encoded data
_MEMO_LIMIT = 200_000  # names remembered with their words, about 40 MB
_new: Any = tuple.__new__  # half the cost of calling the class, and there are hundreds of thousands
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
        self[name] = words = _split(name) if 1 < len(name) <= _LONGEST else ()
        return words


def _split(name: bytes) -> tuple[str, ...]:
    text = name.decode("utf-8", "ignore").strip("_")
    if not (text.isascii() and text.isidentifier()):
        # there may be blanks: of other scripts, or of a quoted name
        parts = dict.fromkeys([text.lower(), *split_identifier(text)])
        return tuple(map(intern, " ".join(filter(_is_word, parts)).split()))
    whole = text.lower()
    # most names have one case throughout, or a capital in front: only the others need an expression
    if text.replace("_", "").isalpha() and (whole == text or text[1:].islower() or text.isupper()):
        if "_" not in text:
            return (intern(whole),) if len(whole) > 1 else ()
        pieces = whole.split("_")
    else:
        pieces = split_identifier(text)
    return tuple([intern(part) for part in dict.fromkeys([whole, *pieces]) if len(part) > 1])


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
    concepts: dict[str, str] = {}
    documents = []
    columns = zip(
        symbols,
        _column([symbol.qualname for symbol in symbols]),
        _column([symbol.doc for symbol in symbols]),
        _column([symbol.signature for symbol in symbols]),
        bodies,
        strict=True,
    )
    for symbol, qualname, doc, signature, body in columns:
        name, parent = symbol.name, symbol.parent
        owner = symbols[parent].name if parent > 0 else symbol.owner
        about = concepts.get(owner)
        if about is None:
            about = concepts[owner] = _words_of_text(f"{stem} {folder} {owner}")
        words = _words_of_name(name)
        values = (
            words,
            about,
            place,
            words if symbol.qualname == name else _words(qualname.split()),
            _words(doc.split()) if doc else "",
            _words(signature.split()) if signature else "",
            _words(body),
        )
        documents.append(_new(Document, values))
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


def words_inside(text: str) -> tuple[list[str], list[str]]:
    """Words of a text: those that any document with it in its body must have, and all of them.

    The first and the last name of the text may be parts of longer names there.
    """
    data = text.encode("utf-8", "replace").translate(_BLANKED)
    names = data.split()
    inner = names[not data.startswith(b" ") : len(names) - (not data.endswith(b" "))]
    return _words(inner).split(), _words(names).split()


def _bodies(symbols: tuple[Symbol, ...], data: bytes, *, whole_module: bool) -> list[list[bytes]]:
    """The names in each symbol's own text; those in an inner container belong to that one.

    A type also has the names of its methods.
    """
    bodies: list[list[bytes]] = []
    data = data.translate(_BLANKED)
    containers = []
    members: list[tuple[int, str]] = []
    for index, symbol in enumerate(symbols):
        kind, start, end, parent = symbol[2], symbol[5], symbol[6], symbol[7]
        if kind not in _CONTAINERS:
            bodies.append(data[start:end].split())
            continue
        bodies.append([])
        if index or whole_module:
            containers.append((start, -end, index))
        if parent > 0 and kind in CALLABLE_KINDS:
            members.append((parent, symbol[0]))
    containers.sort()
    position = 0
    open_containers: list[tuple[int, int]] = []  # end and index, innermost last
    for start, negative_end, index in containers:
        while open_containers and open_containers[-1][0] <= start:
            end, inner = open_containers.pop()
            if position < end:
                bodies[inner] += data[position:end].split()
                position = end
        if position < start:
            if open_containers:
                bodies[open_containers[-1][1]] += data[position:start].split()
            position = start
        open_containers.append((-negative_end, index))
    while open_containers:
        end, inner = open_containers.pop()
        if position < end:
            bodies[inner] += data[position:end].split()
            position = end
    for parent, name in members:
        bodies[parent].append(name.encode("utf-8", "replace"))
    return bodies


def _column(texts: list[str]) -> list[bytes]:
    """The texts with blanks for whatever is no part of a name; all at once, as most are short."""
    joined = _BETWEEN.join(texts)
    if joined.count(_BETWEEN) != len(texts) - 1:
        return [text.encode("utf-8", "replace").translate(_BLANKED) for text in texts]
    return joined.encode("utf-8", "replace").translate(_BLANKED_APART).split(_BETWEEN_BYTES)


class _NameWords(dict[str, str]):
    """A name → its words as a text; the same names come again and again."""

    def __missing__(self, name: str) -> str:
        if len(self) >= _MEMO_LIMIT:
            self.clear()
        words = self[name] = _words_of_text(name)
        return words


_words_of_name = _NameWords().__getitem__


def _words_of_text(text: str) -> str:
    return _words(_names(text.encode("utf-8", "replace"))) if text else ""


def _names(text: bytes) -> list[bytes]:
    """The names in a text, and the numbers, which have no words."""
    return text.translate(_BLANKED).split()


def _words(names: Iterable[bytes]) -> str:
    """Each name and its parts once, in order of first appearance."""
    # Chained in C, and of shared strings whose hashes are known: half the time of a loop. Names
    # are not made single first: two of five come again, and looking those up costs less.
    return " ".join(dict.fromkeys(chain.from_iterable(map(_words_of, names))))


def _stem_and_folder(path: str) -> tuple[str, str]:
    folder, _, name = path.rpartition("/")
    return name.partition(".")[0], folder.rpartition("/")[2]
