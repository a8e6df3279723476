"""What a walk finds in a workspace."""

from __future__ import annotations

from enum import StrEnum

from sonde.frozen import frozen


class FileKind(StrEnum):
    """What a file is for; decides whether and how it is indexed."""

    SOURCE = "source"
    TEST = "test"
    GENERATED = "generated"
    MINIFIED = "minified"
    VENDORED = "vendored"
    TEXT = "text"
    CONFIG = "config"
    BINARY = "binary"
    TOO_LARGE = "too large"


class SkipReason(StrEnum):
    """Why a file is not in the index: a closed list in words a user understands."""

    BINARY = "binary content"
    TOO_LARGE = "larger than the size limit"
    MINIFIED = "minified or one enormous line"
    DATA_BLOB = "data rather than code"
    UNKNOWN_LANGUAGE = "no known language"
    BAD_ENCODING = "text in an encoding we cannot read"
    OUTSIDE_ROOT = "link that leaves the workspace"
    LINK_LOOP = "link to a folder that contains it"
    UNREADABLE = "could not be read"
    SPECIAL_FILE = "not a regular file"
    BAD_NAME = "file name that is not valid UTF-8"
    VENDORED = "third-party code"
    TOO_DEEP = "nested too deeply"
    PARSER_TIMEOUT = "took longer than the time limit to parse"
    PARSER_CRASH = "crashed its parser"


@frozen
class SourceFile:
    """A file worth indexing, as the walk saw it."""

    path: str  # relative to the workspace root, "/" on every platform
    language: str  # "" for plain text
    kind: FileKind
    size: int
    mtime_ns: int


@frozen
class SkippedFile:
    """A file left out, and why."""

    path: str
    reason: SkipReason
    detail: str = ""
    size: int = 0  # set with mtime_ns if the reason was found by reading, so it is not read again
    mtime_ns: int = 0


@frozen
class Discovery:
    """Everything that a walk found, sorted by path."""

    files: tuple[SourceFile, ...]
    skipped: tuple[SkippedFile, ...]
