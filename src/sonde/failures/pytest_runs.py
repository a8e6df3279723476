"""pytest: tracebacks of every style, summaries, `-v` lines, xdist and errors of collection."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque

from sonde.failures.report import Failure, FailureKind
from sonde.failures.tool import (
    MAX_HEADS,
    Tool,
    blocks,
    failed_test,
    formats,
    frames_in,
    line_pattern,
    same_file,
)
from sonde.model import Frame
from sonde.understand.paths import normal_path

_NODE = (
    r"(?P<node>[^\s:]{1,300}\.(?:py|rst|txt|md|ya?ml|feature)"
    r"(?:::[^\n\[]{1,300}?(?:\[[^\n]{0,400}?\])?)?)"
)
_SUMMARY = line_pattern(
    rf"(?P<word>FAILED|ERROR|SUBFAIL\w*\S*) {_NODE}(?: - (?P<why>[^\n]*))?$",
    "\nFAILED ",
    "\nERROR ",
    "\nSUBFAIL",
)
_PROGRESS = line_pattern(
    rf"(?:\[gw\d+\] \[ *\d+%\] (?P<before>FAILED|ERROR) )?{_NODE} ?"
    r"(?P<after>FAILED|ERROR)?(?: +\[ *\d+%\])? *$",
    " FAILED",
    " ERROR",
)
_HEAD = line_pattern(r"_{3,} (?P<name>[^\n]{1,400}?) _{3,}$", "\n___")
_STOP = line_pattern(r"={3,} [^\n]{1,200} ={3,}$", "\n===")
_SUMMARY_HEAD = line_pattern(r"={3,} short test summary", "\n===")
_PHASE = re.compile(r"ERROR (?:at (?:setup|teardown) of|collecting) |\[doctest\] ")
_PLACE = line_pattern(r"(?P<file>[^\s:]{1,300}\.py):(?P<line>\d{1,7}): ?(?P<why>[^\n]*)$", ".py:")
_SOURCE = line_pattern(r" {4,}(?:async )?def (?P<name>\w+)", " def ")
_DOCTEST = re.compile(r"^Expected:\n(?: {4}[^\n]*\n){1,40}Got:\n(?: {4}[^\n]*\n?){1,40}", re.M)
_RAISED = re.compile(r"[A-Za-z_][\w.]{0,200}(?:: [^\n]*)?")
_FRAMES = formats("python", "pytest")
_LINE = formats("file and line")


def read(text: str) -> list[Failure]:
    """Failing tests: named by the summary or progress lines, explained by the tracebacks."""
    named = _named(text)
    told = [_told(match["name"], body) for match, body in blocks(text, _HEAD, _STOP)]
    failures = text.find("= FAILURES =")
    if failures >= 0 and not _HEAD.matches(text[failures:], 1):
        named = _with_lines(named, text[failures:])
    return _joined(named, told)


def _named(text: str) -> list[Failure]:
    """Each node that is reported as failed, with the reason from its summary."""
    reasons: dict[tuple[str, bool], str] = {}
    for match in _SUMMARY.matches(text, MAX_HEADS):
        reasons.setdefault((match["node"], match["word"] == "ERROR"), match["why"] or "")
    for match in _PROGRESS.matches(text, MAX_HEADS):
        word = match["before"] or match["after"]
        if word:
            reasons.setdefault((match["node"], word == "ERROR"), "")
    return [
        failed_test("pytest", _kind(is_error), node, why, (), node.split("::", 1)[0])
        for (node, is_error), why in reasons.items()
    ]


def _kind(is_error: bool) -> FailureKind:
    return FailureKind.TEST_ERROR if is_error else FailureKind.TEST_FAILURE


def _told(title: str, body: str) -> Failure:
    """A traceback under its title, named as far as the block itself allows."""
    name = _PHASE.sub("", title)
    frames = _with_functions(frames_in(body, _FRAMES), body)
    kind, message = _kind(title.startswith("ERROR ")), _message(body)
    if name.endswith(".py"):
        return failed_test("pytest", kind, name, message, frames, name)
    plain, bracket, params = name.partition("[")
    file = _file(body, frames, plain.rpartition(".")[2])
    test = plain.replace(".", "::") + bracket + params
    test = f"{file}::{test}" if file else test
    return failed_test("pytest", kind, test, message, frames, file)


def _file(body: str, frames: tuple[Frame, ...], function: str) -> str:
    """Where the test is: the outermost place, or in the native style the frame of its name."""
    places = _PLACE.matches(body, 1)
    if places:
        return places[0]["file"]
    own = [frame.file for frame in frames if frame.function == function]
    return next(iter([*own, *(frame.file for frame in reversed(frames))]), "")


def _message(body: str) -> str:
    """The last lines marked E; in the native style the last line that is not indented."""
    if not body:
        return ""
    lines = body.split("\n")
    said: list[str] = []
    for line in lines:
        if line.startswith("E ") or line == "E":
            said.append(line[1:].rstrip())
        elif said and line.startswith(("The above exception", "During handling of")):
            said = []  # the exception raised while handling that one is the one that counts
    if said:
        indent = min((len(line) - len(line.lstrip()) for line in said if line), default=0)
        return "\n".join(line[indent:] for line in said)
    doctest = _DOCTEST.search(body)
    if doctest:
        return doctest[0]
    return next((line for line in reversed(lines) if _RAISED.fullmatch(line)), "")


def _with_functions(frames: tuple[Frame, ...], body: str) -> tuple[Frame, ...]:
    """The long style names no functions; it shows the source of each above its last line."""
    if not frames:
        return ()
    functions: dict[tuple[str, int], str] = {}
    sources = _SOURCE.matches(body)
    starts = [each.start() for each in sources]
    end = 0  # of the place before
    for place in _PLACE.matches(body):
        first = bisect_left(starts, end)
        if first < len(starts) and starts[first] < place.start():
            functions[normal_path(place["file"]), int(place["line"])] = sources[first]["name"]
        end = place.end()
    return tuple(
        Frame(frame.file, frame.line, functions.get((frame.file, frame.line), frame.function))
        for frame in frames
    )


def _joined(named: list[Failure], told: list[Failure]) -> list[Failure]:
    """The named tests with their tracebacks; a traceback that nothing names is kept by itself."""
    waiting: dict[str, list[Failure]] = {}
    for failure in told:
        waiting.setdefault(_names(failure.test), []).append(failure)
    joined = []
    for failure in named:
        candidates = waiting.get(_names(failure.test), [])
        # Tests of one name in several files, or a test that failed twice: here and in its teardown.
        alike = [each for each in candidates if each.kind == failure.kind]
        own = [each for each in alike if _is_of(each, failure)] or alike[:1]
        if own:
            candidates.remove(own[0])
        if own and own[0].message:
            kind, test, file = failure.kind, failure.test, failure.file
            failure = failed_test("pytest", kind, test, own[0].message, own[0].frames, file)
        joined.append(failure)
    return [*joined, *(each for rest in waiting.values() for each in rest)]


def _is_of(told: Failure, named: Failure) -> bool:
    files = [told.file, *(frame.file for frame in told.frames)]
    return any(same_file(file, named.file) for file in files)


def _names(node: str) -> str:
    """A node without its file, as the titles of tracebacks have it."""
    head, _, names = node.partition("::")
    return (names if names and "." in head else node).replace("::", ".")


def _with_lines(named: list[Failure], section: str) -> list[Failure]:
    """`--tb=line` gives no names; its lines come in the order of the failed tests."""
    stops = _SUMMARY_HEAD.matches(section)
    lines = _PLACE.matches(section[: stops[0].start()] if stops else section)
    if not any(each.kind is FailureKind.TEST_FAILURE for each in named):
        return named + [
            failed_test("pytest", FailureKind.TEST_FAILURE, "", m["why"], frames_in(m[0], _LINE))
            for m in lines
        ]
    waiting, placed = deque(lines), []
    for each in named:
        # A strict xfail that passed has no line; the summary shortens long reasons.
        is_next = waiting and waiting[0]["why"].startswith(each.message.removesuffix("..."))
        if each.kind is FailureKind.TEST_FAILURE and is_next:
            line = waiting.popleft()
            frames = frames_in(line[0], _LINE)
            each = failed_test("pytest", each.kind, each.test, line["why"], frames, each.file)
        placed.append(each)
    return placed


TOOL = Tool(
    "pytest",
    (
        "= FAILURES =",
        ".py::",
        "\nE   ",
        " passed",
        " failed in ",
    ),
    read,
    line_pattern(
        r"(?:={3,} )?(?:(\d+) failed)?(?:, )?(?:\d+ (?:passed|skipped|deselected|"
        r"xfailed|xpassed|warnings?)(?:, )?){0,6}(?:(\d+) errors?)? in [\d.]+s",
        " passed in ",
        " failed in ",
        " error in ",
        " errors in ",
        " skipped in ",
        " warning in ",
        " warnings in ",
        " deselected in ",
        " xfailed in ",
        " xpassed in ",
    ),
)
