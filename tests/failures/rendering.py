"""A report as text that a reader can check against the output beside it."""

from __future__ import annotations

from sonde.failures import Failure, FailureReport


def render(report: FailureReport) -> str:
    """All fields of a report, one to a line; empty ones left out."""
    lines = [f"tools: {', '.join(report.tools)}", f"summary: {report.summary}"]
    lines += [f"cut: {what}" for what in report.cut]
    for failure in report.failures:
        lines += ["", *_lines(failure)]
    return "\n".join(lines) + "\n"


def _lines(failure: Failure) -> list[str]:
    what = f"{failure.kind} (warning)" if failure.is_warning else str(failure.kind)
    place = f"{failure.file}:{failure.line}:{failure.column}"
    fields = {
        what: failure.test or "-",
        "at": place,
        "code": failure.code,
        "message": failure.message.replace("\n", "\n           "),
        "expected": failure.expected.replace("\n", "\n           "),
        "actual": failure.actual.replace("\n", "\n           "),
    }
    frames = [f"  frame: {each.file}:{each.line} {each.function}" for each in failure.frames]
    told = [
        f"{'' if n == 0 else '  '}{name}: {value}"
        for n, (name, value) in enumerate(fields.items())
        if value
    ]
    return [line.rstrip() for line in [*told, *frames]]
