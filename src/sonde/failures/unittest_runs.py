"""Python's unittest, and Django's runner that prints the same."""

from __future__ import annotations

import re

from sonde.failures.report import Failure, FailureKind
from sonde.failures.tool import Tool, blocks, failed_test, formats, frames_in, line_pattern

_HEAD = line_pattern(
    r"(?P<word>FAIL|ERROR): (?P<name>[\w.-]{1,200}) \((?P<owner>[\w.<>]{1,300})\)"
    r"(?P<sub>(?: \[[^\n]{0,300}\])?(?: \([^\n]{0,300}\))?)$",
    "\nFAIL: ",
    "\nERROR: ",
)
_STOP = line_pattern(r"={70}$|-{70}\nRan \d", "\n" + "=" * 70, "\n" + "-" * 70)
_FRAMES = formats("python")


def read(text: str) -> list[Failure]:
    """Failing tests with their tracebacks."""
    return [_failure(match, body) for match, body in blocks(text, _HEAD, _STOP)]


def _failure(match: re.Match[str], body: str) -> Failure:
    owner, name = match["owner"], match["name"]
    test = owner if owner.endswith("." + name) else f"{owner}.{name}"
    kind = FailureKind.TEST_FAILURE if match["word"] == "FAIL" else FailureKind.TEST_ERROR
    return failed_test(
        "unittest", kind, test + match["sub"], _message(body), frames_in(body, _FRAMES)
    )


def _message(body: str) -> str:
    """What follows the last source line of the trace: the error and the lines it wrote."""
    lines = body.rstrip().split("\n")
    last = max((n for n, line in enumerate(lines) if line.startswith("  File ")), default=-1)
    rest = [line for line in lines[last + 1 :] if line.strip()]
    start = next((n for n, line in enumerate(rest) if not line.startswith("    ")), len(rest))
    return "\n".join(rest[start:])


TOOL = Tool(
    "unittest",
    (
        "\nFAIL: ",
        "\nERROR: ",
        "\nRan ",
    ),
    read,
    line_pattern(
        r"FAILED \((?:failures=(\d+))?(?:, )?(?:errors=(\d+))?|Ran \d+ tests? in ",
        "\nFAILED (",
        "\nRan ",
    ),
)
