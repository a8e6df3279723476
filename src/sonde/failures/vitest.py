"""Vitest."""

from __future__ import annotations

import re

from sonde.failures.report import Failure, FailureKind
from sonde.failures.tool import Tool, failed_test, formats, frames_in
from sonde.understand.paths import normal_path

_HEAD = re.compile(
    r"^ FAIL  (?:\|[^|\n]{1,80}\| )?(?P<file>[^\s>]{1,300}\.\w{2,4})"
    r"(?: > (?P<test>[^\n]{1,600})| \[ [^\n]{1,300} \])?$",
    re.M,
)
_STOP = re.compile(r"^⎯{5,}|^ Test Files  |^      Tests  ", re.M)
_LISTED = re.compile(
    r"^ +(?:[×❌✗]|FAIL) (?P<file>[^\s>]{1,300}\.\w{2,4}) > (?P<test>[^\n]{1,600}?)(?: \d+ ?ms)?$",
    re.M,
)
_MARKS = ("⎯⎯", " ❯ ", " Test Files  ", " RUN  v")  # Jest in colour writes FAIL as Vitest does
_FRAMES = formats("vitest", "javascript")


def read(text: str) -> list[Failure]:
    """Failing tests and suites; several heads over one error share it."""
    if not any(mark in text for mark in _MARKS):
        return []
    heads = list(_HEAD.finditer(text))
    found: list[Failure] = []
    for number, match in enumerate(heads):
        following = next(
            (each for each in heads[number + 1 :] if each.start() > match.end() + 1), None
        )
        end = following.start() if following else len(text)
        stop = _STOP.search(text, match.end(), end)
        body = text[_own_start(heads, number) : stop.start() if stop else end]
        found.append(_failure(match, body))
    told = {failure.test for failure in found}
    for match in _LISTED.finditer(text):
        if _name(match) not in told:
            found.append(_failure(match, ""))
    return found


def _own_start(heads: list[re.Match[str]], number: int) -> int:
    """Where the error below a run of heads starts."""
    while number + 1 < len(heads) and heads[number + 1].start() == heads[number].end() + 1:
        number += 1
    return heads[number].end()


def _name(match: re.Match[str]) -> str:
    return f"{match['file']} > {match['test']}" if match["test"] else match["file"]


def _failure(match: re.Match[str], body: str) -> Failure:
    message = re.split(r"^ ❯ |^    at ", body, maxsplit=1, flags=re.M)[0]
    kind = FailureKind.TEST_FAILURE if match["test"] else FailureKind.TEST_ERROR
    file = normal_path(match["file"])
    return failed_test("vitest", kind, _name(match), message, frames_in(body, _FRAMES), file)


TOOL = Tool(
    "vitest",
    (" FAIL  ", " × ", " Test Files  "),
    read,
    closing=re.compile(r"^      Tests  (?:(?P<failed>\d+) failed|\d+ passed|no tests)", re.M),
)
