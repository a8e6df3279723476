"""What went wrong in a run of a tool, as values read from its output."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from enum import StrEnum

from sonde.frozen import frozen
from sonde.model import Frame

MAX_FAILURES = 1_000
MAX_MESSAGE = 1_000  # characters; longer ones are diffs of whole documents
MAX_VALUE = 400


class FailureKind(StrEnum):
    """What kind of failure it is."""

    TEST_FAILURE = "test failure"  # the test ran and said no
    TEST_ERROR = "error in test"  # the test, its fixtures or its file could not be run
    COMPILE = "compile error"
    TYPE = "type error"
    LINT = "lint"


@frozen
class Failure:
    """One failing test or one diagnostic. Unknown text is empty, an unknown number 0."""

    tool: str
    kind: FailureKind
    test: str = ""  # as the tool names it
    file: str = ""  # the test's own file, or where the diagnostic points
    line: int = 0
    column: int = 0
    message: str = ""
    code: str = ""  # rule or error code
    expected: str = ""
    actual: str = ""
    frames: tuple[Frame, ...] = ()  # innermost of the project first
    is_warning: bool = False


@frozen
class Leads:
    """What the output of an unknown tool still points to."""

    frames: tuple[Frame, ...] = ()
    paths: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()  # types of errors
    messages: tuple[str, ...] = ()


@frozen
class FailureReport:
    """All failures of an output, errors before warnings, otherwise in its order."""

    tools: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()
    cut: tuple[str, ...] = ()  # what of the output is missing, one clause each
    summary: str = ""
    leads: Leads = Leads()  # filled only where no failure was recognised


def short(text: str, limit: int = MAX_MESSAGE) -> str:
    """A text without blank edges, cut to a limit."""
    text = text.strip()
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _test(failure: Failure) -> object:
    return failure.test


def merge(failures: Iterable[Failure], by: Callable[[Failure], object] = _test) -> list[Failure]:
    """Each test once; one reported twice takes from the later report what the first lacked."""
    known: dict[object, Failure] = {}
    for failure in failures:
        key = by(failure)
        known[key] = _filled(known[key], failure) if key in known else failure
    return list(known.values())


def distinct(failures: Iterable[Failure]) -> list[Failure]:
    """Each diagnostic once, as builds repeat them; tests as they are."""
    seen: dict[object, Failure] = {}
    for number, failure in enumerate(failures):
        if failure.test:
            seen[number] = failure
            continue
        place = failure.file, failure.line, failure.column
        why = failure.code, failure.message.split("\n", 1)[0]
        seen.setdefault((*place, *why), failure)
    return list(seen.values())


def _filled(first: Failure, second: Failure) -> Failure:
    missing = {
        field.name: getattr(second, field.name)
        for field in fields(Failure)
        if not getattr(first, field.name) and field.name not in ("column", "is_warning")
    }
    if first.line or first.file != second.file:
        missing.pop("line", None)
    return replace(first, **missing)
