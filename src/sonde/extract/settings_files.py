"""JSON, YAML, TOML and other configuration → one chunk per top-level key, large values split."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sonde.extract import module_name
from sonde.extract.prose import WINDOW_BYTES
from sonde.extract.text_of import SourceText
from sonde.model import Chunk, FileFacts, Kind, Symbol

# Top-level keys are recognised by their looks, line by line, so that a half-written or templated
# file still yields its keys.
_KEYS: dict[str, re.Pattern[bytes]] = {
    "yaml": re.compile(rb"^([A-Za-z0-9_.\-/\"']+)[ \t]*:", re.MULTILINE),
    "toml": re.compile(rb"^\[{1,2}([^\]\n]+)\]{1,2}|^([A-Za-z0-9_.\-\"]+)[ \t]*=", re.MULTILINE),
    "ini": re.compile(rb"^\[([^\]\n]+)\]", re.MULTILINE),
    "json": re.compile(rb"^(?:\t|  |    )\"([^\"\n]{1,120})\"[ \t]*:", re.MULTILINE),
    "makefile": re.compile(rb"^([A-Za-z0-9_.\-/%]+)[ \t]*:(?!=)", re.MULTILINE),
    "dockerfile": re.compile(rb"^(FROM[^\n]{0,120})", re.MULTILINE),
}
_NESTED = re.compile(rb"^[ \t]{2,8}\"?([A-Za-z0-9_.\-]+)\"?[ \t]*[:=]", re.MULTILINE)
_MAX_CHUNKS = 400  # a file with more keys is data


def extract_settings(path: str, language: str, data: bytes) -> FileFacts:
    """A configuration file: one module symbol and its keys as chunks."""
    source = SourceText(data)
    name = module_name(path)
    module = Symbol(name, name, Kind.MODULE, 1, source.line_count, 0, len(data))
    return FileFacts(language=language, symbols=(module,), chunks=tuple(_chunks(source, language)))


def _chunks(source: SourceText, language: str) -> Iterator[Chunk]:
    pattern = _KEYS.get(language)
    end = len(source.data)
    if not source.data.strip():
        return
    if pattern is None:
        yield from _pieces(source, 0, min(end, WINDOW_BYTES), "")
        return
    keys = [
        (match.start(), next(group for group in match.groups() if group))
        for match in pattern.finditer(source.data)
    ][:_MAX_CHUNKS]
    if language == "json":
        depth = min((_indentation(source, start) for start, _ in keys), default=0)
        keys = [key for key in keys if _indentation(source, key[0]) == depth]
    if language == "toml":
        table = next((start for start, _ in keys if source.data[start : start + 1] == b"["), end)
        # below the first table a key belongs to its table
        keys = [k for k in keys if k[0] < table or source.data[k[0] : k[0] + 1] == b"["]
    if not keys:
        yield from _pieces(source, 0, min(end, WINDOW_BYTES), "")
        return
    for at, (start, key) in enumerate(keys):
        stop = keys[at + 1][0] if at + 1 < len(keys) else end
        yield from _pieces(source, start, stop, key.decode("utf-8", "replace").strip("\"' "))


def _indentation(source: SourceText, start: int) -> int:
    line = source.data[start : start + 12]
    return len(line) - len(line.lstrip())


def _pieces(source: SourceText, start: int, end: int, title: str) -> Iterator[Chunk]:
    """A key's text, split at its nested keys if it is larger than a window."""
    if end - start <= WINDOW_BYTES:
        yield _chunk(source, start, end, title)
        return
    piece = start
    for match in _NESTED.finditer(source.data, start + 1, end):
        if match.start() - piece >= WINDOW_BYTES // 2:
            yield _chunk(source, piece, match.start(), title)
            piece = match.start()
            title = f"{title.split('.')[0]}.{match.group(1).decode('utf-8', 'replace')}"
    yield _chunk(source, piece, min(end, piece + WINDOW_BYTES), title)


def _chunk(source: SourceText, start: int, end: int, title: str) -> Chunk:
    first, last = source.line(start), source.line(max(start, end - 1))
    return Chunk("key", title, first, last, start, end)
