"""A regular file → what it is, reading no more than its first bytes."""

from __future__ import annotations

from sonde.discover.content import PREFIX_BYTES, unreadable_reason, worthless_reason
from sonde.discover.kind import refined_kind
from sonde.discover.language import (
    Named,
    kind_of_language,
    language_by_content,
    language_of_header,
    refined,
)
from sonde.discover.reading import read_start
from sonde.discover.rules import KnownFile, skipped_file
from sonde.model import FileKind, SkipReason


def classify(location: str, path: str, guess: Named | None, size: int, mtime_ns: int) -> KnownFile:
    """Read a file's first bytes and decide language and kind, or why it is left out."""
    start = read_start(location, PREFIX_BYTES) if size else b""
    if start is None:
        return skipped_file(size, mtime_ns, SkipReason.UNREADABLE)
    reason = unreadable_reason(start)
    if reason is not None:
        return skipped_file(size, mtime_ns, reason)
    seen = language_and_kind(path, guess, start)
    if seen is None:
        return skipped_file(size, mtime_ns, SkipReason.UNKNOWN_LANGUAGE)
    language, kind = seen
    reason = worthless_reason(start, size, language)
    if reason is not None:
        return skipped_file(size, mtime_ns, reason)
    return KnownFile(size, mtime_ns, language, kind)


def language_and_kind(path: str, guess: Named | None, start: bytes) -> tuple[str, FileKind] | None:
    """What a file is by its name and first bytes; None if neither tells."""
    if guess is None:
        found = language_by_content(start)
        if found is None:
            return None
        language, kind = found, kind_of_language(found)
    else:
        language, kind = _seen(path, guess, start)
    return language, refined_kind(path, language, kind, start)


def _seen(path: str, guess: Named, start: bytes) -> tuple[str, FileKind]:
    if guess.language == "c" and path.endswith((".h", ".H")):
        return language_of_header(start), guess.kind
    language = refined(guess.language, start)
    return language, guess.kind if language == guess.language else kind_of_language(language)
