"""Stack traces and tool output: which files, lines and functions they point to."""

from __future__ import annotations

import re
from typing import NamedTuple

from sonde.expression import expression
from sonde.model import Frame
from sonde.understand.paths import normal_path
from sonde.understand.trace_formats import FORMATS, TraceFormat

MAX_FRAMES = 40
_BLOCK_GAP = 600  # characters between frames of one trace: room for source lines and carets

_THIRD_PARTY = expression(
    r"(?:site|dist)-packages/|node_modules/|/gems/|/pkg/mod/|registry/src/|(?:^|/)vendor/|/\.m2/"
)
_RUNTIME = expression(
    r"^<|^node:|^internal/|^native|(?:^|"
    r"/)lib(?:64)?/python\d[\w.]*/(?!site-packages|dist-packages)|"
    r"^/rustc/|/rustlib/|/library/(?:std|core|alloc)/|/usr/local/go/src/|"
    r"/go/src/(?:runtime|net|testing)/|"
    r"/libexec/src/|/goroot/|^(?:java|javax|jdk|sun|kotlin|scala|org/junit|com/sun)/|^\.\./sysdeps|"
    r"/usr/(?:include|lib)/|/sysdeps/|/lib/ruby/\d|\[internal function\]|^webpack/|^_?bootstrap",
    re.I,
)
_RUNTIME_FUNCTION = expression(
    r"^(?:java|javax|jdk|sun|kotlin|scala|System|Microsoft|std|core|alloc|"
    r"runtime|rust_begin_unwind|"
    r"__libc|__rust|_start$|__asan|__interceptor|process\.processTicks|Module\._compile)\b"
)
_ERROR_TYPE = expression(
    r"(?<![\w$/])(?:[\w$]{1,60}(?:\.|::|\\)){0,8}"
    r"([A-Z][\w]{0,80}(?:Error|Exception|Warning|Fault|Panic|Interrupt|Failure|Timeout|Exit))\b"
    r"(?!\.(?:py|js|ts|java|rb|go|cs)\b)"
)
_NOT_A_TYPE = expression(
    r"(?:Error|Exception|Warning|Fault|Panic|Failure|Timeout|Exit|Interrupt)$|"
    r"(?:Throw|Raise|Get|Handle|Is|On|Log|Catch|Format|Print)[A-Z]"
)
_RAISED = expression(
    r"^(?:E   +|Caused by: |Exception in thread \"[^\"\n]{0,80}\" |Uncaught |"
    r"Unhandled [Ee]xception[.:] |"
    r"PHP Fatal error: +(?:Uncaught )?|Fatal error: (?:Uncaught )?|\[?ERROR\]?:? )?"
    r"((?:[A-Za-z_$][\w$]{0,80}(?:\.|::|\\)){0,8}[A-Z][\w$]{1,80}(?: \[[A-Z_]+\])?): (\S.{0,400})$",
    re.M,
)
_SAID = expression(
    r"(?:^|[\s=])(?:error(?:\[\w+\]|\s+[A-Z]{1,4}\d+)?|fatal(?: error)?|panic|"
    r"runtime error|warning|Error|"
    r"ERROR: \w+Sanitizer|AssertionFailed|abort): (\S.{7,300})$",
    re.M,
)
_PANIC_QUOTED = expression(
    r"panicked at '([^'\n]{3,300})'|panicked at [^\n]{1,200}:\d+:\d+:\n(\S[^\n]{3,300})"
)
_AT_END_OF_LINE = expression(
    r": (\S[^\n]{3,300}) \((?:[A-Z]\w*::)*[A-Z]\w*(?:Error|Exception)?\)$", re.M
)
_WHERE = expression(r" in \S{1,300}(?::\d+| on line \d+)$|, \S{1,300}:\d+:\d+$")


class Trace(NamedTuple):
    """What the traces and tool output in a text report."""

    frames: tuple[Frame, ...] = ()  # innermost project frame first, libraries and runtime last
    errors: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    ours: int = 0  # how many of the frames lie outside the language's runtime
    is_trace: bool = False  # a real trace, rather than a compiler's or linter's complaint


class Frames(NamedTuple):
    """Only the frames, ordered as in `Trace`."""

    frames: tuple[Frame, ...]
    ours: int
    is_trace: bool


class _Found(NamedTuple):
    start: int
    end: int
    order: int
    frame: Frame
    innermost_last: bool
    rank: int


def read_traces(text: str) -> Trace:
    """Frames, error types and messages of all traces in a text."""
    frames, ours, is_trace = read_frames(text)
    return Trace(frames, error_types(text), messages(text), ours, is_trace)


def read_frames(text: str, formats: tuple[TraceFormat, ...] = FORMATS) -> Frames:
    """Frames of all traces in a text that use one of these formats."""
    found: list[_Found] = []
    is_trace = False
    for order, form in enumerate(formats):
        if not any(sign in text for sign in form.signs):
            continue
        for match in form.pattern.finditer(text):
            if any(entry.start < match.end() and match.start() < entry.end for entry in found):
                continue
            entry = _entry(form, match, order)
            if entry:
                found.append(entry)
                is_trace = is_trace or form.is_trace
            if len(found) >= 4 * MAX_FRAMES:
                break
    frames = _innermost_first(sorted(found), text)[:MAX_FRAMES]
    runtime = {entry.frame for entry in found if entry.rank > 1}
    return Frames(frames, sum(frame not in runtime for frame in frames), is_trace)


def error_types(text: str) -> tuple[str, ...]:
    """Names of error and exception types, without their packages, in order of appearance."""
    named = [(match.start(), match.group(1)) for match in _ERROR_TYPE.finditer(text)]
    if ": " in text:
        named += [
            (m.start(1), _last_part(m.group(1))) for m in _RAISED.finditer(text) if _raised(m)
        ]
    types = (name for _, name in sorted(named) if not _NOT_A_TYPE.match(name))
    return tuple(dict.fromkeys(types))[:10]


def messages(text: str) -> tuple[str, ...]:
    """The messages that errors were reported with."""
    if ": " not in text and "panicked" not in text:
        return ()
    said = [(match.start(), match.group(2)) for match in _RAISED.finditer(text) if _raised(match)]
    said += [(match.start(), match.group(1)) for match in _SAID.finditer(text)]
    said += [(match.start(), match.group(1)) for match in _AT_END_OF_LINE.finditer(text)]
    said += [(m.start(), m.group(1) or m.group(2)) for m in _PANIC_QUOTED.finditer(text)]
    return tuple(dict.fromkeys(_WHERE.sub("", message).strip() for _, message in sorted(said)))[:8]


def _last_part(name: str) -> str:
    return re.split(r"\.|::|\\", name.split(" ", 1)[0])[-1]


def _raised(match: re.Match[str]) -> bool:
    name = match.group(1)
    # A dotted name (pkg.errors.NotFound) is a type whatever its last word.
    is_type = bool(_ERROR_TYPE.search(name)) or name == "Error" or "." in name or "::" in name
    return is_type or match.group().startswith("E  ")


def _entry(form: TraceFormat, match: re.Match[str], order: int) -> _Found | None:
    written, line, function = form.read(match)
    # An interactive prompt has no file, and a frame without file and function is in no repository.
    if written.startswith("<frozen") or (written.startswith("<") and not function):
        return None
    path = "" if written.startswith("<") else normal_path(written)
    if not path and not function:
        return None
    frame = Frame(path, line, function)
    rank = _rank(written, function)
    return _Found(match.start(), match.end(), order, frame, form.innermost_last, rank)


def _rank(path: str, function: str) -> int:
    """0 for frames that may be the project's, 1 for installed packages, 2 for the runtime."""
    slashed = path.replace("\\", "/")
    if _THIRD_PARTY.search(slashed):
        return 1
    if _RUNTIME.search(slashed) or (function and _RUNTIME_FUNCTION.search(function)):
        return 2
    return 0


def _innermost_first(found: list[_Found], text: str) -> tuple[Frame, ...]:
    blocks: list[list[_Found]] = []
    for entry in found:
        previous = blocks[-1][-1] if blocks else None
        # Each "Caused by" opens a block of its own.
        if (
            previous is None
            or previous.order != entry.order
            or entry.start - previous.end > _BLOCK_GAP
            or "aused by" in text[previous.end : entry.start]
        ):
            blocks.append([])
        blocks[-1].append(entry)
    if "Caused by" in text:
        blocks.reverse()  # the root cause is printed last
    ordered = [
        entry
        for block in blocks
        for entry in (reversed(block) if block[0].innermost_last else block)
    ]
    ranked = sorted(ordered, key=lambda entry: entry.rank)
    return tuple(dict.fromkeys(entry.frame for entry in ranked))
