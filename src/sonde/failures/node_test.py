"""Node's own test runner, with the reporters spec and tap."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from textwrap import dedent
from typing import NamedTuple

from sonde.failures.report import Failure, FailureKind
from sonde.failures.tool import (
    MAX_DETAILED,
    MAX_HEADS,
    Tool,
    failed_test,
    formats,
    frames_in,
    line_pattern,
)
from sonde.model import Frame
from sonde.understand.paths import normal_path

_RAN = r"(?P<ran>(?P<test>[^\n]{1,400}?) \(\d{1,9}(?:\.\d{1,9})?ms\))"
# A test that is still to do may fail: its reason stands behind a #.
_BRANCH = line_pattern(
    r"(?:test at (?P<file>[^\n]{1,300}?):(?P<line>\d{1,7}):\d{1,7}\n)?(?P<margin> {0,80})"
    rf"(?:▶ (?P<group>[^\n]{{1,400}})|(?P<mark>[✔✖﹣⚠]) {_RAN}(?P<todo> #[^\n]{{0,400}})?)$",
    "\ntest at ",
    "▶ ",
    "✔ ",
    "✖ ",
    "﹣ ",
    "⚠ ",
)
_POINT = line_pattern(
    r"(?P<margin> {0,160})(?:# Subtest: (?P<group>[^\n]{1,400})|"
    r"(?P<verdict>(?:not )?ok) \d{1,7} - (?P<test>[^\n]{1,400}?)"
    r"(?P<todo> # (?:TODO|SKIP)\b[^\n]{0,400})?)$",
    "# Subtest: ",
    "ok ",
)
_FIELD = re.compile(
    r"^(?P<key>location|failureType|error|stack): "
    r"(?:\|-\n(?P<lines>(?:(?:  [^\n]*)?\n){0,400})|(?P<line>[^\n]*))",
    re.M,
)
_LOCATION = re.compile(r"(?P<file>.+?):(?P<line>\d{1,7}):\d{1,7}")
_INDENTED = re.compile(r"(?:(?: [^\n]*)?\n){0,2000}")
_ESCAPED = re.compile(r"\\([\\#])")
_OF_PARTS = re.compile(r"\s*'\d+ subtests? failed'")
_TRACE = re.compile(r"^ *at ", re.M)
_WHOLE_FILE = re.compile(r"\S+\.[cm]?[jt]sx?")
_VERSION = line_pattern(r"(?:# )?Node\.js v\d", "Node.js v")  # the last line of an uncaught error
_RAISED = re.compile(r"^(?:Uncaught )?(?:[A-Z]\w{0,80})?(?:Error|Exception)\b", re.M)
_DEEPEST = 1_000
_DUMP = 4_000  # characters of an uncaught error before its last line
_FRAMES = formats("javascript")
_DUMPED = formats("javascript", "file and line")


class _Case(NamedTuple):
    test: str
    said: str  # message, then trace
    file: str = ""
    line: int = 0


def read(text: str) -> list[Failure]:
    """Failing tests by their full titles; files that ended before their tests could run."""
    cases = list(_of_spec(text)) if "ms)" in text else []
    if "failureType: " in text:
        cases += _of_tap(text)
    dumps = list(_dumps(text)) if cases else []
    return [
        _failure(case if number < MAX_DETAILED else case._replace(said=""), dumps)
        for number, case in enumerate(cases[:MAX_HEADS])
    ]


def _of_spec(text: str) -> Iterator[_Case]:
    """The list of failing tests, then what only the tree of all tests shows."""
    branches = _BRANCH.matches(text)
    titles: dict[str, str] = {}
    fallen: dict[str, _Case] = {}
    groups: dict[int, str] = {}
    # Above a list, a tree that begins with the end of a group has lost the group's tests.
    before = _DEEPEST if any(match["file"] for match in branches) else 0
    for match, following in zip_longest(branches, branches[1:]):
        depth = len(match["margin"])
        if match["group"]:
            groups = {each: groups[each] for each in groups if each < depth}
            groups[depth] = match["group"]
        elif match["mark"] == "✖" and not match["todo"]:
            ran = match["ran"]
            if not match["file"]:
                above = [groups[each] for each in sorted(groups) if each < depth]
                titles[ran] = " ".join([*above, match["test"]])
            said = text[match.end() + 1 : following.start() if following else None]
            indented = _INDENTED.match(said)
            case = _Case(titles.get(ran, match["test"]), indented[0] if indented else "")
            if match["file"]:
                fallen.pop(ran, None)
                yield case._replace(file=normal_path(match["file"]), line=int(match["line"]))
            elif depth >= before and not _OF_PARTS.match(said):
                # A group is judged below its tests, which stand deeper.
                fallen[ran] = case
        before = depth
    yield from fallen.values()


def _of_tap(text: str) -> Iterator[_Case]:
    """Each test point that failed by itself; a group fails because of those within."""
    points = _POINT.matches(text)
    groups: dict[int, str] = {}
    for match, following in zip_longest(points, points[1:]):
        depth = len(match["margin"])
        if match["group"]:
            groups[depth] = match["group"]
        if match["verdict"] != "not ok" or match["todo"]:
            continue
        fields = _fields(text[match.end() : following.start() if following else None], depth + 2)
        if fields.get("failureType", "subtestsFailed") == "subtestsFailed":
            continue
        above = [groups[each] for each in sorted(groups) if each < depth]
        title = _ESCAPED.sub(r"\1", " ".join([*above, match["test"]]))
        trace = [f"    at {line.strip()}" for line in fields.get("stack", "").split("\n") if line]
        case = _Case(title, "\n".join([fields.get("error", ""), *trace]))
        place = _LOCATION.fullmatch(fields.get("location", ""))
        if place:
            case = case._replace(file=normal_path(place["file"]), line=int(place["line"]))
        yield case


def _fields(block: str, margin: int) -> dict[str, str]:
    """What the block below a test point says, texts of several lines without their margin."""
    lines = "\n".join(line[margin:] for line in block.split("\n"))
    return {
        match["key"]: dedent(match["lines"]) if match["lines"] else _unquoted(match["line"] or "")
        for match in _FIELD.finditer(lines)
    }


def _unquoted(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"`" else text


def _dumps(text: str) -> Iterator[str]:
    """The uncaught errors, each of which ended a process."""
    end = 0
    for match in _VERSION.matches(text, MAX_DETAILED):
        lines = text[max(end, match.start() - _DUMP) : match.start()].split("\n")
        yield "\n".join(line.removeprefix("# ") for line in lines).replace("\\", "/")
        end = match.end()


def _failure(case: _Case, dumps: list[str]) -> Failure:
    if _WHOLE_FILE.fullmatch(case.test):
        return _unread(case, dumps)
    frames = tuple(  # Node calls each test's function with its context
        replace(each, function=each.function.removeprefix("TestContext"))
        for each in frames_in(case.said, _FRAMES)
    )
    if not frames and case.file:
        frames = (Frame(case.file, case.line),)
    is_hook = "at TestHook." in case.said
    kind = FailureKind.TEST_ERROR if is_hook else FailureKind.TEST_FAILURE
    return failed_test("node:test", kind, case.test, _message(case.said), frames, case.file)


def _unread(case: _Case, dumps: list[str]) -> Failure:
    """A file whose process ended: why, is told by what it wrote at its end."""
    test = normal_path(case.test)
    file = case.file or test
    dump = next((each for each in dumps if file in each), "")
    raised = _RAISED.search(dump)
    message = _message(dump[raised.start() :] if raised else case.said)
    frames = frames_in(dump, _DUMPED)
    return failed_test("node:test", FailureKind.TEST_ERROR, test, message, frames, file)


def _message(said: str) -> str:
    trace = _TRACE.search(said)
    return _unquoted(dedent(said[: trace.start() if trace else None]))


TOOL = Tool(
    "node:test",
    (
        "\ntest at ",
        "✖ ",
        "failureType: ",
        " duration_ms ",
    ),
    read,
    line_pattern(r"[ℹ#] duration_ms \d", "\nℹ duration_ms ", "\n# duration_ms "),
)
