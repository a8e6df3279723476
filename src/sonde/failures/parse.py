"""Raw output of any tool → the failures in it."""

from __future__ import annotations

from collections.abc import Iterable

from sonde.failures.raw_output import clean
from sonde.failures.report import MAX_FAILURES, Failure, FailureReport, Leads, distinct
from sonde.failures.signs import may_hold
from sonde.failures.tool import MAX_DETAILED, Tool
from sonde.failures.tools import TOOLS
from sonde.understand.excerpt import excerpt
from sonde.understand.query import understand

_LED = 60_000  # characters at the end, where a log says what went wrong


def parse_output(output: str | bytes) -> FailureReport:
    """Failing tests and diagnostics in the output of test runners, compilers and linters.

    Never raises: what cannot be read is reported in `cut` and `summary`.
    """
    raw = clean(output)
    if raw.refused:
        return FailureReport(cut=(raw.refused,), summary=f"refused: {raw.refused}")
    text = "\n" + raw.text  # so that every line has a line break before it
    found: list[Failure] = []
    tools: list[str] = []
    cut = list(raw.cut)
    for tool in TOOLS:
        if not any(may_hold(text, sign) and sign in text for sign in tool.signs):
            continue
        failures = distinct(tool.read(text))
        closed, announced = _announced(tool, text)
        if failures or closed:
            tools.append(tool.name)
            found += failures
            cut += _missing(tool, failures, closed, announced)
    ordered = sorted(found, key=lambda failure: failure.is_warning)
    if len(ordered) > MAX_FAILURES:
        cut.append(f"{len(ordered) - MAX_FAILURES} failures beyond the first {MAX_FAILURES}")
        ordered = ordered[:MAX_FAILURES]
    leads = Leads() if ordered else _leads(raw.text)
    summary = _summary(tools, ordered, leads)
    return FailureReport(tuple(tools), tuple(ordered), tuple(cut), summary, leads)


def _announced(tool: Tool, text: str) -> tuple[bool, int]:
    """Whether the tool's closing line is there, and how many failures such lines announce."""
    closings = tool.closing.matches(text) if tool.closing else []
    numbers = (int(n) for closing in closings for n in closing.groups() if n)
    return bool(closings), sum(numbers)


def _missing(tool: Tool, failures: list[Failure], closed: bool, announced: int) -> list[str]:
    if tool.closing and not closed:
        return [f"the end: {tool.name} did not close its run"]
    told = sum(not failure.is_warning for failure in failures)
    missing = []
    if announced > told and told < MAX_FAILURES:
        missing.append(f"{announced - told} of {announced} failures that {tool.name} announces")
    if sum(bool(failure.test) for failure in failures) > MAX_DETAILED:
        missing.append(f"messages and traces of {tool.name} beyond the first {MAX_DETAILED}")
    return missing


def _leads(text: str) -> Leads:
    """What any text says about code: frames, paths, names, errors and messages."""
    query = understand(excerpt(text[-_LED:]))
    names = tuple(dict.fromkeys([*query.exact, *query.compounds]))
    return Leads(query.frames, query.paths, names, query.errors, query.literals)


def _summary(tools: Iterable[str], failures: list[Failure], leads: Leads) -> str:
    """One line: how many of each kind, and the first of them."""
    if not failures:
        by = ", ".join(tools)
        if by:
            return f"{by}: no failure found"
        if leads.frames or leads.paths:
            lines, paths = len(leads.frames), len(leads.paths)
            return f"no known tool; named: {lines} line(s) of code, {paths} path(s)"
        return "no known tool and no place named"
    counts: dict[str, int] = {}
    for failure in failures:
        what = "warning" if failure.is_warning else str(failure.kind)
        counts[f"{failure.tool} {what}"] = counts.get(f"{failure.tool} {what}", 0) + 1
    told = ", ".join(f"{number} × {what}" for what, number in counts.items())
    first = failures[0]
    place = f"{first.file}:{first.line}" if first.line else first.file
    return f"{told}; first: {first.test or place}"
