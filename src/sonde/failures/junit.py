"""JUnit and TestNG as Maven Surefire and Gradle report them."""

from __future__ import annotations

import re
from dataclasses import replace

from sonde.failures.report import Failure, FailureKind, merge
from sonde.failures.tool import Tool, blocks, failed_test, formats, frames_in, line_pattern
from sonde.model import Frame

_CLASS = r"(?:[\w$]{1,100}\.){0,12}[\w$]{1,200}"
_SUREFIRE = line_pattern(
    r"(?:\[ERROR\] +)?(?:Tests run: [^\n]{1,200}<<< (?:FAILURE|ERROR)! --? in "
    rf"(?P<owner>{_CLASS})|"
    r"(?P<name>(?!Tests run: )\S[^\n]{0,400}?) +(?:-- )?Time elapsed: [^\n]{1,40}"
    rf"<<< (?P<word>FAILURE|ERROR)!)$|(?:\[INFO\] )?Running (?P<running>{_CLASS})$",
    "<<< FAILURE!",
    "<<< ERROR!",
    "Running ",
)
_OLD_NAME = re.compile(rf"(?P<method>[^\n]+)\((?P<owner>{_CLASS})\)")  # method(package.Class)
_GRADLE = line_pattern(
    rf"(?P<owner>{_CLASS})(?P<platform>\[[A-Za-z]\w{{0,40}}\])?"  # CartTest[jvm] > total()[jvm]
    r"(?P<rest>(?: > [^\n]{1,300}?){1,8}) FAILED$",
    " FAILED\n",
)
_STOP = line_pattern(  # AssertJ has blank lines in its messages, which Gradle indents
    r"\[(?:INFO|ERROR|WARNING)\]|\d+ tests? completed|Tests run: |\n(?=\S)|> Task ",
    "\n[INFO]",
    "\n[ERROR]",
    "\n[WARNING]",
    " completed",
    "\nTests run: ",
    "\n\n",
    "\n> Task ",
)
_END = line_pattern(
    r"\[(?:INFO|ERROR|WARNING)\]|Tests run: ",
    "\n[INFO]",
    "\n[ERROR]",
    "\n[WARNING]",
    "\nTests run: ",
)
_RESULT = line_pattern(
    r"\[ERROR\] +(?P<test>[A-Z][\w$]{1,200}(?:\.[\w$]+)?\.?[\w$]*[^\n:»]{0,100})"
    r":(?P<line>\d{1,7})(?:->[\w$.<>]{1,200}:\d{1,7}){0,12} (?:» )?(?P<why>[^\n]+)$",
    "\n[ERROR]  ",
)
_SHORT_PLACE = re.compile(
    r"^ +(?P<why>[\w.$]{1,300}) at (?P<file>[\w$]+\.\w+):(?P<line>\d{1,7})$", re.M
)
_AT = re.compile(r"^\s+at |^\s*Caused by: ", re.M)
_FRAMES = formats("java")


def read(text: str) -> list[Failure]:
    """Failing tests; from the closing list only those whose trace is not in the output."""
    found = _of_surefire(text)
    found += [_of_gradle(match, body) for match, body in blocks(text, _GRADLE, _STOP)]
    found = merge(found)
    known = {_method(failure.test) for failure in found}
    return found + [
        _listed(match) for match in _RESULT.matches(text) if _method(match["test"]) not in known
    ]


def _method(test: str) -> tuple[str, str]:
    """A test's outermost class and method, which is all that the closing list has."""
    parts = re.split(r"[({\[ ]", test.strip(), maxsplit=1)[0].replace("$", ".").split(".")
    return next((part for part in parts if part[:1].isupper()), ""), parts[-1]


def _listed(match: re.Match[str]) -> Failure:
    kind = FailureKind.TEST_ERROR if "»" in match[0] else FailureKind.TEST_FAILURE
    test, line = match["test"].strip(), int(match["line"])
    frame = Frame("", line, test.replace("$", "."))
    return replace(failed_test("junit", kind, test, match["why"], (frame,)), line=line)


def _of_surefire(text: str) -> list[Failure]:
    found, owner = [], ""
    for match, body in blocks(text, _SUREFIRE, _END):
        if not match["name"]:
            owner = match["owner"] or match["running"]
            continue
        old = _OLD_NAME.fullmatch(match["name"])
        test = match["name"]
        if old and "." not in old["method"]:
            test = f"{old['owner']}.{old['method']}"
        elif "." not in test.split("(", 1)[0] and owner:
            test = f"{owner}.{test}"
        kind = FailureKind.TEST_ERROR if match["word"] == "ERROR" else FailureKind.TEST_FAILURE
        found.append(_failure(kind, test, _class_of(test), _with_trace(body)))
    return found


def _with_trace(body: str) -> str:
    """A message and its trace, up to the blank line after it; messages may have blank lines."""
    at = _AT.search(body)
    end = body.find("\n\n", at.start() if at else 0)
    return body[:end] if end >= 0 and body[:end].strip() else body


def _class_of(test: str) -> str:
    return re.split(r"[({\[ ]", test, maxsplit=1)[0].rpartition(".")[0]


def _of_gradle(match: re.Match[str], body: str) -> Failure:
    platform = match["platform"] or ""
    names = [name.strip().removesuffix(platform) for name in match["rest"].split(" > ")]
    names = [name for name in names if name]
    test = ".".join([match["owner"], *names])
    return _failure(FailureKind.TEST_FAILURE, test, match["owner"], body)


def _failure(kind: FailureKind, test: str, owner: str, body: str) -> Failure:
    place = _SHORT_PLACE.search(body)
    package, _, type_name = owner.rpartition(".")
    folder = package.replace(".", "/") + "/" if package else ""
    if place:  # Gradle's short form: no message, and the file without its package
        frame = Frame(folder + place["file"], int(place["line"]), "")
        return failed_test("junit", kind, test, place["why"], (frame,))
    at = _AT.search(body)
    frames = frames_in(body, _FRAMES)
    own = folder + type_name.split("$", 1)[0] + "."
    file = next((frame.file for frame in frames if frame.file.startswith(own)), "")
    message = body[: at.start() if at else len(body)]
    return failed_test("junit", kind, test, message, frames, file)


TOOL = Tool(
    "junit",
    (
        "<<< ",
        "Tests run: ",
        " FAILED\n",
        " tests completed",
        "\n[ERROR]  ",
    ),
    read,
    line_pattern(
        r"(?:\[\w+\] )?Tests run: \d+, Failures: (\d+), Errors: (\d+), Skipped: \d+$|"
        r"\d+ tests? completed, (\d+) failed|BUILD SUCCESSFUL",
        "Tests run: ",
        " completed, ",
        "\nBUILD SUCCESSFUL",
    ),
)
