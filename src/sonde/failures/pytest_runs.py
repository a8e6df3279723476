"""pytest: tracebacks of every style, summaries, `-v` lines, xdist and errors of collection."""

from __future__ import annotations

import re

from sonde.failures.report import Failure, FailureKind, merge
from sonde.failures.tool import Tool, blocks, failed_test, formats, frames_in, same_file
from sonde.model import Frame
from sonde.understand.paths import normal_path

_NODE = (
    r"(?P<node>[^\s:]{1,300}\.(?:py|rst|txt|md|ya?ml|feature)"
    r"(?:::[^\n\[]{1,300}?(?:\[[^\n]{0,400}?\])?)?)"
)
_SUMMARY = re.compile(
    rf"^(?P<word>FAILED|ERROR|SUBFAIL\w*\S*) {_NODE}(?: - (?P<why>[^\n]*))?$", re.M
)
_PROGRESS = re.compile(
    rf"^(?:\[gw\d+\] \[ *\d+%\] (?P<before>FAILED|ERROR) )?{_NODE} ?"
    r"(?P<after>FAILED|ERROR)?(?: +\[ *\d+%\])? *$",
    re.M,
)
_HEAD = re.compile(r"^_{3,} (?P<name>[^\n]{1,400}?) _{3,}$", re.M)
_STOP = re.compile(
    r"^={3,} (?!FAILURES|ERRORS)[^\n]{1,200} ={3,}$|^={3,} (?:FAILURES|ERRORS) =", re.M
)
_PHASE = re.compile(r"ERROR (?:at (?:setup|teardown) of|collecting) ")
_SAID = re.compile(r"^E( {1,}[^\n]*|)$", re.M)
_PLACE = re.compile(r"^(?P<file>[^\s:]{1,300}\.py):(?P<line>\d{1,7}): ", re.M)
_SOURCE = re.compile(r"^ {4,}(?:async )?def (?P<name>\w+)", re.M)
_NATIVE = re.compile(r"^(?:E   )?[A-Za-z_][\w.]{0,200}(?:: [^\n]*)?$", re.M)
_ONE_LINE = re.compile(r"^(?P<file>[^\s:]{1,300}\.py):(?P<line>\d{1,7}): (?P<why>[^\n]+)$", re.M)
_FRAMES = formats("python", "pytest")


def read(text: str) -> list[Failure]:
    """Failing tests: named by the summary or the progress, told by the tracebacks."""
    named = merge([*_named(_SUMMARY, text), *_named(_PROGRESS, text)])
    told = [_told(match["name"], body) for match, body in blocks(text, _HEAD, _STOP)]
    failures = text.find("= FAILURES =")
    if failures >= 0 and not _HEAD.search(text, failures):
        named = _with_lines(named, text[failures:])
    return _joined(named, told)


def _named(pattern: re.Pattern[str], text: str) -> list[Failure]:
    found = []
    for match in pattern.finditer(text):
        groups = match.groupdict()
        word = groups.get("word") or groups.get("before") or groups.get("after")
        if word:
            node, kind = match["node"], _kind(word == "ERROR")
            file = node.split("::", 1)[0]
            found.append(failed_test("pytest", kind, node, groups.get("why") or "", (), file))
    return found


def _kind(is_error: bool) -> FailureKind:
    return FailureKind.TEST_ERROR if is_error else FailureKind.TEST_FAILURE


def _told(title: str, body: str) -> Failure:
    """A traceback under its title, named as far as the block itself tells."""
    name = _PHASE.sub("", title)
    said = [line[1:] for line in _SAID.findall(body)]
    indent = min((len(line) - len(line.lstrip()) for line in said if line.strip()), default=0)
    message = "\n".join(line[indent:].rstrip() for line in said)
    if not said:
        lines = _NATIVE.findall(body)
        message = lines[-1] if lines else ""
    frames = _with_functions(frames_in(body, _FRAMES), body)
    kind = _kind(bool(_PHASE.match(title)))
    if name.endswith(".py"):
        return failed_test("pytest", kind, name, message, frames, name)
    place = _PLACE.search(body)
    file = place["file"] if place else frames[0].file if frames else ""
    plain, bracket, params = name.partition("[")
    test = plain.replace(".", "::") + bracket + params
    test = f"{file}::{test}" if file else test
    return failed_test("pytest", kind, test, message, frames, file)


def _with_functions(frames: tuple[Frame, ...], body: str) -> tuple[Frame, ...]:
    """The long style names no functions: it shows each one's source above its last line."""
    functions: dict[tuple[str, int], str] = {}
    start = 0
    for place in _PLACE.finditer(body):
        source = _SOURCE.search(body, start, place.start())
        if source:
            functions[normal_path(place["file"]), int(place["line"])] = source["name"]
        start = place.end()
    return tuple(
        Frame(frame.file, frame.line, functions.get((frame.file, frame.line), frame.function))
        for frame in frames
    )


def _joined(named: list[Failure], told: list[Failure]) -> list[Failure]:
    """The named tests with their tracebacks; tracebacks that nothing names stand for themselves."""
    waiting: dict[str, list[Failure]] = {}
    for failure in told:
        waiting.setdefault(_last_name(failure.test), []).append(failure)
    joined = []
    for failure in named:
        candidates = waiting.get(_last_name(failure.test), [])
        # A test that fails and whose teardown fails as well has one name and two tracebacks.
        own = [each for each in candidates if _is_of(each, failure)] or candidates[:1]
        if own:
            candidates.remove(own[0])
            frames = own[0].frames
            message = own[0].message or failure.message
            full = failed_test("pytest", failure.kind, failure.test, message, frames, failure.file)
            failure = full
        joined.append(failure)
    return merge([*joined, *(each for rest in waiting.values() for each in rest)])


def _is_of(told: Failure, named: Failure) -> bool:
    files = [told.file, *(frame.file for frame in told.frames)]
    return told.kind == named.kind and any(same_file(file, named.file) for file in files)


def _last_name(node: str) -> str:
    head, _, names = node.partition("::")
    return (names if names and "." in head else node).replace("::", ".")


def _with_lines(named: list[Failure], section: str) -> list[Failure]:
    """`--tb=line` tells no names: its lines come in the order of the failed tests."""
    stop = re.search(r"^={3,} short test summary", section, re.M)
    lines = list(_ONE_LINE.finditer(section[: stop.start()] if stop else section))
    failed = [each for each in named if each.kind is FailureKind.TEST_FAILURE]
    if not failed:
        return named + [
            failed_test("pytest", FailureKind.TEST_FAILURE, "", m["why"], frames_in(m[0], _LINE))
            for m in lines
        ]
    if len(failed) != len(lines):
        return named
    by_test = {each.test: match for each, match in zip(failed, lines, strict=True)}
    return [
        failed_test("pytest", each.kind, each.test, m["why"], frames_in(m[0], _LINE), each.file)
        if (m := by_test.get(each.test))
        else each
        for each in named
    ]


_LINE = formats("file and line")

TOOL = Tool(
    "pytest",
    (
        "= FAILURES =",
        "= ERRORS =",
        "short test summary",
        "FAILED ",
        "ERROR ",
        " FAILED",
        "\nE   ",
        "test session starts",
    ),
    read,
    closing=re.compile(
        r"^(?:={3,} )?(?:(?P<failed>\d+) failed)?(?:, )?(?:\d+ (?:passed|skipped|deselected|"
        r"xfailed|xpassed|warnings?)(?:, )?){0,6}(?:(?P<failed_too>\d+) errors?)? in [\d.]+s",
        re.M,
    ),
)
