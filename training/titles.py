"""Tests as prose: the name of a test, and the one function or type that it tests.

A name such as `test_sliced_queryset_is_prefetched`, or the title of an `it("…")`, says in words
what its subject does. The subject is what the test both calls and is named after, else what its
group (class, `describe`, file) is named after. If that is not exactly one definition, the test is
skipped: taking the only symbol of the file under test that it calls was wrong in half the cases.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sonde.model import CALLABLE_KINDS, FileFacts, RefKind
from sonde.understand.identifiers import split_identifier

_LEAST_WORDS = 3
_MOST_OF_ONE = 12  # tests per subject, so that none dominates
_LONG_NAME = 2  # words; a name of at least as many means the same everywhere
_LONG_GROUP = 4  # letters
_MARK = re.compile(r"(?:^|[.:\s])(?:test|Test|ParameterizedTest|Fact|Theory|TestMethod|TestCase)\b")
_PREFIX = re.compile(r"^(?:[Tt]ests?(?=[A-Z_])_*|tests?_+)")
_SUFFIX = re.compile(r"[_.-]?(?:[Tt]ests?|[Ss]pecs?|TestCase|IT)$")
_TITLED = re.compile(
    rb"^[ \t]*(?:(?P<group>describe|context)|it|test|specify|scenario)\b[ (]*"
    rb"(?:(?P<quote>[\"'`])(?P<title>[^\n]+?)(?P=quote)|(?P<type>[A-Z]\w*(?:(?:::|\.)\w+)*))",
    re.MULTILINE,
)
_MACRO = re.compile(rb"^TEST(?:_F|_P)?\(\s*(?P<group>\w+)\s*,\s*(?P<title>\w+)\s*\)", re.MULTILINE)
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_TITLED_LANGUAGES = frozenset({"javascript", "jsx", "typescript", "tsx", "ruby"})
_MACRO_LANGUAGES = frozenset({"c", "cpp"})


class Case(NamedTuple):
    """One test: its title, the names it uses, and the names of the groups that it is in."""

    title: str
    used: tuple[str, ...]
    groups: tuple[str, ...]


def cases(path: str, facts: FileFacts, data: bytes) -> Iterator[Case]:
    """The tests of a file whose title says something."""
    uses = sorted(_uses(facts))
    for title, first, last, groups in _placed(facts, data):
        prose = " ".join(split_identifier(_PREFIX.sub("", title))) if _is_name(title) else title
        if len(prose.split()) >= _LEAST_WORDS:
            used = dict.fromkeys(name for line, _, name in uses if first <= line <= last)
            yield Case(prose, tuple(used), (*groups, _SUFFIX.sub("", _bare(stem(path)))))


def stem(path: str) -> str:
    """The name of a file without its extensions."""
    return path.rpartition("/")[2].partition(".")[0]


def _bare(name: str) -> str:
    return _SUFFIX.sub("", _PREFIX.sub("", name))


def _is_name(title: str) -> bool:
    return _IDENTIFIER.fullmatch(title) is not None


def _uses(facts: FileFacts) -> Iterator[tuple[int, int, str]]:
    """Line, order and name of each call, with the types that it is called on."""
    for order, reference in enumerate(facts.references):
        if reference.kind is RefKind.CALL:
            yield reference.line, order, reference.name
            receiver = _IDENTIFIER.findall(reference.receiver)
            if receiver and receiver[-1][0].isupper():
                yield reference.line, order, receiver[-1]


def _placed(facts: FileFacts, data: bytes) -> Iterator[tuple[str, int, int, tuple[str, ...]]]:
    """Title, first and last line, and groups of each test, innermost first."""
    if facts.language in _TITLED_LANGUAGES:
        yield from _titled(data, _TITLED)
    if facts.language in _MACRO_LANGUAGES:
        yield from _titled(data, _MACRO)
    for symbol in facts.symbols[1:]:
        marked = any(_MARK.search(mark) for mark in symbol.decorators)
        if symbol.kind in CALLABLE_KINDS and (marked or _PREFIX.match(symbol.name)):
            owner = symbol.qualname.split(".")[:-1] if symbol.qualname != symbol.name else []
            groups = tuple(_bare(each) for each in reversed(owner))
            yield symbol.name, symbol.start_line, symbol.end_line, groups


def _titled(
    data: bytes, pattern: re.Pattern[bytes]
) -> Iterator[tuple[str, int, int, tuple[str, ...]]]:
    """Tests written as calls: each extends to the next, in the last group opened."""
    found = list(pattern.finditer(data))
    lines = [
        data.count(b"\n", 0, each.start("title") if each["title"] else each.start()) + 1
        for each in found
    ]
    lines.append(data.count(b"\n") + 2)
    group = ""
    for at, each in enumerate(found):
        title = (each["title"] or each.groupdict().get("type") or b"").decode("utf-8", "replace")
        if pattern is _MACRO:
            yield title, lines[at], lines[at + 1] - 1, (_bare(each["group"].decode()),)
        elif each["group"]:
            names = _IDENTIFIER.findall(title)
            group = names[-1] if names and (each["type"] or len(title.split()) == 1) else group
        elif each["title"]:
            yield title, lines[at], lines[at + 1] - 1, (group,) if group else ()


class Subjects:
    """What can be tested, by name and by the file that holds it."""

    def __init__(self, defined: Iterable[tuple[str, str, int]]) -> None:
        """Takes the path, name and number of each document."""
        self._named: dict[str, list[tuple[str, int]]] = {}
        self._alike: dict[str, list[tuple[str, int]]] = {}  # in any spelling
        for path, name, number in defined:
            self._named.setdefault(name, []).append((path, number))
            self._alike.setdefault(_folded(name), []).append((path, number))
        self._tests: Counter[int] = Counter()

    def of(self, case: Case) -> int | None:
        """The number of a test's subject; None if it is uncertain, or has enough tests already."""
        number = self._of(case)
        if number is None or self._tests[number] >= _MOST_OF_ONE:
            return None
        self._tests[number] += 1
        return number

    def _of(self, case: Case) -> int | None:
        words = set(_words(case.title))
        best, most = None, 0
        for name in case.used:
            parts = split_identifier(name)
            if len(parts) <= most or not words.issuperset(parts):
                continue
            number, near = self._meant(self._named.get(name, ()), case)
            if number is not None and (near or len(parts) >= _LONG_NAME):
                best, most = number, len(parts)
        return self._of_group(case) if best is None else best

    def _of_group(self, case: Case) -> int | None:
        for group in case.groups:
            found = self._alike.get(_folded(group), ()) if len(group) >= _LONG_GROUP else ()
            number, _ = self._meant(found, case)
            if number is not None:
                return number
        return None

    def _meant(self, found: Sequence[tuple[str, int]], case: Case) -> tuple[int | None, bool]:
        """The only definition that a name can mean, and whether it is in the file under test."""
        file = _folded(case.groups[-1])
        near = [number for path, number in found if _folded(stem(path)) == file]
        if len(near) == 1:
            return near[0], True
        return (found[0][1] if len(found) == 1 else None), False


def _folded(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def _words(title: str) -> Iterator[str]:
    for name in _IDENTIFIER.findall(title):
        yield from split_identifier(name)
