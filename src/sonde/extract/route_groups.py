"""Path prefixes that routes of a file share: routers with a prefix, groups, nested blocks."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from sonde.model import CALLABLE_KINDS, Symbol

if TYPE_CHECKING:
    from sonde.extract.text_of import SourceText

_TEXT = r"[\"'`](?P<path>[^\"'`\n]{0,100})[\"'`]"
_NAME = r"\b(?P<name>\w{1,80})"
_OF = r"(?P<of>[\w.]{1,80})"
_PHP_FUNCTION = r"(?:static\s+)?function\s*\([^)]{0,60}\)[^{;]{0,60}\{"
_ES_GROUPS = (
    rf"{_NAME}\s*=\s*new\s+\w*Router\(\s*\{{[^}}]{{0,100}}?prefix\s*:\s*{_TEXT}",
    rf"{_NAME}\s*=\s*{_OF}\.basePath\(\s*{_TEXT}",
)
# a variable that holds a router below the path of another
_GROUPS = {
    "python": (
        rf"{_NAME}\s*=\s*(?:\w+\.)?(?:APIRouter|Blueprint|Router)\("
        rf"[^()]{{0,300}}?\b(?:url_)?prefix\s*=\s*[rbf]?{_TEXT}",
    ),
    "go": (
        rf"{_NAME}\s*:?=\s*{_OF}\.(?:Group|Party)\(\s*{_TEXT}",
        rf"{_NAME}\s*:?=\s*{_OF}\.PathPrefix\(\s*{_TEXT}\s*\)\.Subrouter\(",
    ),
    "javascript": _ES_GROUPS,
    "typescript": _ES_GROUPS,
    "csharp": (rf"{_NAME}\s*=\s*{_OF}\.MapGroup\(\s*{_TEXT}",),
    "swift": (rf"{_NAME}\s*=\s*{_OF}\.grouped\(\s*{_TEXT}\s*\)",),
}
# a router mounted below a path, before or after its routes
_ES_MOUNTS = (
    rf"\b{_OF}\.(?:use|route)\(\s*{_TEXT}\s*,"
    rf"[^;\n]{{0,80}}?{_NAME}(?:\.routes\(\))?\s*\)"
)
_MOUNTS = {
    "python": (
        rf"\b{_OF}\.(?:include_router|register_blueprint|blueprint)\(\s*{_NAME}\s*,"
        rf"[^()]{{0,200}}?\b(?:url_)?prefix\s*=\s*[rbf]?{_TEXT}"
    ),
    "javascript": _ES_MOUNTS,
    "typescript": _ES_MOUNTS,
}
# a path, and the bracket after which its routes follow
_BLOCKS = {
    "go": (rf"\.Route\(\s*{_TEXT}\s*,\s*func\([^)]{{0,60}}\)\s*(?P<open>\{{)",),
    "kotlin": (rf"\broute\(\s*{_TEXT}\s*\)\s*(?P<open>\{{)",),
    "java": (rf"\bpath\(\s*{_TEXT}\s*,\s*\(\)\s*->\s*(?P<open>\{{)",),
    "php": (
        rf"\bprefix\(\s*{_TEXT}\s*\)[^;{{]{{0,200}}?->group\(\s*{_PHP_FUNCTION[:-2]}(?P<open>\{{)",
        rf"\bgroup\(\s*\[[^\]]{{0,200}}?[\"']prefix[\"']\s*=>\s*{_TEXT}[^\]]{{0,200}}\]\s*,\s*"
        rf"{_PHP_FUNCTION[:-2]}(?P<open>\{{)",
    ),
    "rust": (
        rf"\.nest\(\s*{_TEXT}\s*(?P<open>,)",
        rf"\bscope\(\s*{_TEXT}\s*(?P<open>\))",
    ),
}
_WORDS = {
    "python": b"prefix",
    "go": b"Group(|.Route(|.Party(|PathPrefix(",
    "javascript": b"prefix|.use(|.route(|basePath(",
    "typescript": b"prefix|.use(|.route(|basePath(",
    "csharp": b"MapGroup(",
    "swift": b".grouped(",
    "kotlin": b"route(",
    "java": b"path(",
    "php": b"prefix",
    "rust": b".nest(|scope(",
}
_ALIASES = {"tsx": "typescript", "jsx": "javascript"}
_MOST = 6  # nested groups
_MOST_BLOCKS = 200
_FURTHEST = 200_000  # characters of a file that are searched
_LONGEST_BLOCK = 40_000
_BRACKET = re.compile(r"[()\[\]{};]")


class _Group(NamedTuple):
    byte: int
    of: str
    path: str
    instead: bool = False  # replaces the path that the router was created with (Flask)


class RouteGroups:
    """The path prefixes of one file, read when its first route is found."""

    def __init__(self, source: SourceText, language: str, symbols: Sequence[Symbol]) -> None:
        language = _ALIASES.get(language, language)
        self._symbols = symbols
        self._groups: dict[str, list[_Group]] = {}
        self._mounts: dict[str, _Group] = {}
        self._inside: dict[int, bool] = {}  # whether a group is inside a function
        self._blocks: list[tuple[int, int, str]] = []
        words = _WORDS.get(language, b"")
        if not words or not any(word in source.data for word in words.split(b"|")):
            return
        # one character per byte, so that positions are byte offsets
        text = source.data[:_FURTHEST].decode("latin-1")
        for pattern in _GROUPS.get(language, ()):
            for match in re.finditer(pattern, text):
                of = match.groupdict().get("of") or ""
                group = _Group(match.start(), of, match["path"])
                self._groups.setdefault(match["name"], []).append(group)
        for match in re.finditer(_MOUNTS[language], text) if language in _MOUNTS else ():
            instead = "register_blueprint" in match[0]
            mount = _Group(match.start(), match["of"], match["path"], instead)
            self._mounts.setdefault(match["name"], mount)
        for pattern in _BLOCKS.get(language, ()):
            for match in re.finditer(pattern, text):
                start = match.end("open")
                if len(self._blocks) < _MOST_BLOCKS:
                    self._blocks.append((start, _end(text, start), match["path"]))
        for groups in self._groups.values():
            groups.sort()
        self._blocks.sort()

    def full(self, path: str, receiver: str, byte: int, scope: int) -> str:
        """A path with all prefixes that apply at its position."""
        before = [each for start, end, each in self._blocks if start <= byte < end]
        for part in self._of(receiver, byte, scope):
            before.append(part)
        for part in reversed(before):
            path = _joined(part, path)
        return path

    def _of(self, receiver: str, byte: int, scope: int) -> list[str]:
        """The paths of the routers that contain a receiver, outermost first."""
        found: list[str] = []
        for _ in range(_MOST):
            group = self._group(receiver, byte, scope)
            mount = self._mounts.get(receiver)
            if group is not None and not (mount is not None and mount.instead):
                found.insert(0, group.path)
            if mount is not None:
                found.insert(0, mount.path)
            if group is None and mount is None:
                break
            receiver, last = (
                (group.of if group and group.of else mount.of if mount else ""),
                receiver,
            )
            if receiver == last:
                if group is None:
                    break
                byte = group.byte
        return found

    def _group(self, name: str, byte: int, scope: int) -> _Group | None:
        """The last group of that name before a position, in an enclosing function or in none."""
        groups = self._groups.get(name)
        at = bisect_left(groups, (byte,)) if groups else 0
        if not groups or not at:
            return None
        group = groups[at - 1]
        while scope > 0:
            symbol = self._symbols[scope]
            if symbol.kind in CALLABLE_KINDS and symbol.start_byte <= group.byte < symbol.end_byte:
                return group
            scope = symbol.parent
        inside = self._inside.get(group.byte)
        if inside is None:
            inside = self._inside[group.byte] = any(
                each.kind in CALLABLE_KINDS and each.start_byte <= group.byte < each.end_byte
                for each in self._symbols[1:]
            )
        return None if inside else group


def _joined(before: str, path: str) -> str:
    before = "/" + before.strip("/") if before.strip("/") else ""
    if not path or not before:
        return path or before
    return f"{before}{path}" if path.startswith("/") else f"{before}/{path}"


def _end(text: str, start: int) -> int:
    """Where the bracket open at a position closes; the end of a statement closes it as well."""
    depth = 0
    furthest = min(len(text), start + _LONGEST_BLOCK)
    for match in _BRACKET.finditer(text, start, furthest):
        char = match[0]
        depth += (char in "([{") - (char in ")]}")
        if depth < 0 or (char == ";" and not depth and text[start - 1] == ")"):
            return match.start()
    return furthest
