"""How each language and tool writes a stack frame. Order matters: the first format that matches
a stretch of text claims it, so the general ones come last."""

from __future__ import annotations

import re
from collections.abc import Callable

from sonde.expression import expression
from sonde.frozen import frozen
from sonde.lately import remembered
from sonde.understand.paths import CODE_EXTENSIONS

Reading = tuple[str, int, str]  # file as written, line, function


@frozen
class TraceFormat:
    """One way to write a frame. `signs` are literals without which it cannot occur."""

    name: str
    signs: tuple[str, ...]
    pattern: re.Pattern[str]
    read: Callable[[re.Match[str]], Reading]
    innermost_last: bool = False
    is_trace: bool = True


def _line(text: str | None) -> int:
    return int(text) if text else 0


def _file_line_function(match: re.Match[str]) -> Reading:
    groups = match.groupdict()
    return groups["file"], _line(groups.get("line")), _function(groups.get("function") or "")


@remembered(4096)
def _function(written: str) -> str:
    """A function's name, qualified by its type at most, joined by dots."""
    name = re.sub(r"^(?:block(?: \(\d+ levels\))? in|rescue in|ensure in)\s+", "", written.strip())
    name = re.sub(r"^(?:async|new|static|virtual|void|unsigned|const)\s+", "", name)
    name = re.sub(
        r"<(?:anonymous|module|listcomp|genexpr|dictcomp|lambda|main|top \(required\))>", "", name
    )
    name = re.sub(
        r"\[as (\w+)\]|::h[0-9a-f]{16}$|\{\{?closure\}?\}(?:#\d+)?|<impl[^>]*>|"
        r"\.func\d+(?:\.\d+)*$",
        "",
        name,
    )
    name = re.sub(r"\(\*?([\w.]+)\)\.", r"\1.", name)  # Go's (*Type).Method
    name = re.sub(r"<[^<>]*>|\[[^\]]*\]|\(.*$", "", name)
    name = re.sub(r"::|#|->|\$(?=[A-Z])|\\", ".", name).strip(" .:")
    parts = [part for part in name.split(".") if part and part not in ("Object", "self", "exports")]
    name = ".".join(parts[-2:])
    return name if re.fullmatch(r"[\w.$!?=~]{1,200}", name) else ""


def _java(match: re.Match[str]) -> Reading:
    owner, method, file, line = match.group("owner", "method", "file", "line")
    package, _, type_name = owner.rpartition(".")
    folder = package.replace(".", "/")
    types = [part for part in type_name.split("$") if part and not part.isdigit()]
    if types and types[-1].endswith("Kt"):
        types = types[:-1]  # Kotlin's class for a file's top-level functions
    lambda_of = re.match(r"(?:lambda\$|\$anonfun\$)(\w+?)(?:\$\d+)?$", method)
    if lambda_of:
        method = lambda_of.group(1)
    names = types if method in ("<init>", "<clinit>") else [*types, method]
    if file and "." in file:
        return f"{folder}/{file}".lstrip("/"), _line(line), ".".join(names)
    return f"{folder}/{types[0] if types else type_name}".lstrip("/"), 0, ".".join(names)


def _go(match: re.Match[str]) -> Reading:
    written = match.group("function").rsplit("/", 1)[-1]
    _, _, name = written.partition(".")
    return match.group("file"), _line(match.group("line")), _function(name)


def _csharp(match: re.Match[str]) -> Reading:
    parts = re.sub(r"`\d+|\[[^\]]*\]|<([^>]*)>[\w]*", r"\1", match.group("function")).split(".")
    names = [part for part in parts if part]
    if names and names[-1] in ("ctor", "cctor"):
        names = names[:-1]
    if names and names[-1] == "MoveNext":
        names = names[:-1]
    file = match.group("file") or ""
    if not file and names[:1] in (["System"], ["Microsoft"]):
        return "", 0, ""
    return file, _line(match.group("line")), ".".join(names[-2:])


def _pytest_node(match: re.Match[str]) -> Reading:
    return match.group("file"), 0, match.group("function").replace("::", ".")


_CODE_FILE = rf"[^\s:()\"'<>|*?]{{1,300}}\.(?:{CODE_EXTENSIONS})"

FORMATS: tuple[TraceFormat, ...] = (
    TraceFormat(
        "python",
        ('File "',),
        expression(
            r'File "(?P<file>[^"\n]{1,400})", line (?P<line>\d{1,7})(?:, in (?P<function>[^\s,]+))?'
        ),
        _file_line_function,
        innermost_last=True,
    ),
    TraceFormat(
        "ipython",
        ("File ",),
        expression(
            r"^File (?P<file>[^\s\"][^\n\"]{0,300}?):(?P<line>\d{1,7}), in (?P<function>[\w.<>]+)",
            re.M,
        ),
        _file_line_function,
        innermost_last=True,
    ),
    TraceFormat(
        "ipython before 8",
        ("-> ",),
        expression(
            r"^(?P<file>[^\s<>]{1,300}\.pyx?) in (?P<function>[\w.<>]+)\([^\n]{0,300}\)?\n"
            r"(?:[^\n]{0,300}\n){0,12}?-+> ?(?P<line>\d{1,7}) ",
            re.M,
        ),
        _file_line_function,
        innermost_last=True,
    ),
    TraceFormat(
        "rust backtrace",
        (".rs:",),
        expression(
            r"^[ \t]{0,40}\d{1,4}: +(?:0x[0-9a-f]+ - )?(?P<function>[^\n]{2,300})"
            r"\n[ \t]{1,40}at (?P<file>[^\s:]{1,300}\.rs):(?P<line>\d{1,7})",
            re.M,
        ),
        _file_line_function,
    ),
    TraceFormat(
        "java",
        ("at ",),
        expression(
            r"^[ \t]{0,40}at (?:[\w.@-]+/{1,2})?(?P<owner>[\w$-]+(?:\.[\w$-]+)*)"
            r"\.(?P<method>[\w$-]+|<(?:cl)?init>)"
            r"\((?:(?P<file>[\w$-]+\.\w+)(?::(?P<line>\d{1,7}))?|Native Method|Unknown Source)\)",
            re.M,
        ),
        _java,
    ),
    TraceFormat(
        "c#",
        ("at ",),
        expression(
            r"^[ \t]{0,40}at (?P<function>[\w.<>`\[\],+]+)\([^)\n]{0,400}\)"
            r"(?: in (?P<file>[^\n]{1,300}?):line (?P<line>\d{1,7}))?[ \t]{0,20}$",
            re.M,
        ),
        _csharp,
    ),
    TraceFormat(
        "javascript",
        ("at ",),
        expression(
            r"^[ \t]{0,40}at (?:(?P<function>[^\n(]{1,200}?) \()?(?:eval at [^\n]{1,200}?, )?"
            r"(?P<file>[^\s()][^()\n]{0,300}?):(?P<line>\d{1,7}):\d{1,7}\)?[ \t]{0,20},?$",
            re.M,
        ),
        _file_line_function,
    ),
    TraceFormat(
        "vitest",
        (" ❯ ",),
        expression(
            r"^ ❯ (?:(?P<function>[^\s:]{1,200}) )?(?P<file>[^\s:]{1,300}):"
            r"(?P<line>\d{1,7}):\d{1,7}$",
            re.M,
        ),
        _file_line_function,
    ),
    TraceFormat(
        "firefox and safari",
        ("@",),
        expression(
            r"^[ \t]{0,40}(?P<function>[\w$.<>/*]{0,120})@(?P<file>(?:https?|file|"
            r"webpack|app|resource)[^\s]{1,300}?):(?P<line>\d{1,7}):\d{1,7}$",
            re.M,
        ),
        _file_line_function,
    ),
    TraceFormat(
        "go",
        (".go:",),
        expression(
            r"^(?:created by )?(?P<function>[\w./*()\[\]·-]{2,250}?)(?:\([^()"
            r"\n]{0,300}\)| in goroutine \d+)?\n"
            r"\s+(?P<file>[^\s:]{1,300}\.go):(?P<line>\d{1,7})",
            re.M,
        ),
        _go,
    ),
    TraceFormat(
        "rust panic",
        ("panicked at",),
        expression(
            r"panicked at (?:'[^\n]{0,400}?', )?(?P<file>[^\s:']{1,300}\.rs)"
            r":(?P<line>\d{1,7})(?::\d+)?"
        ),
        _file_line_function,
    ),
    TraceFormat(
        "ruby",
        (":in ",),
        expression(
            r"(?P<file>[^\s:\"'`(]{1,300}):(?P<line>\d{1,7}):in [`'](?P<function>[^'\n]{1,120})'"
        ),
        _file_line_function,
    ),
    TraceFormat(
        "php",
        (".php(",),
        expression(
            r"#\d{1,4} (?P<file>[^\s(]{1,300}\.php)\((?P<line>\d{1,7})\)"
            r": (?P<function>[\w\\:>{}-]{1,200}?)(?=\(|\s|$)"
        ),
        _file_line_function,
    ),
    TraceFormat(
        "php error",
        (".php",),
        expression(r" in (?P<file>[^\s:]{1,300}\.php)(?::| on line )(?P<line>\d{1,7})"),
        _file_line_function,
    ),
    TraceFormat(
        "gdb",
        (" at ",),
        expression(
            r"#\d{1,4} +(?:0x[0-9a-f]+ in )?(?P<function>[\w:~<>*&, ]{1,200}?)"
            r" ?\([^\n]{0,400}?\)(?: const)?\s{1,40}at "
            r"(?P<file>[^\s:]{1,300}):(?P<line>\d{1,7})"
        ),
        _file_line_function,
    ),
    TraceFormat(
        "sanitizers",
        ("#",),
        expression(
            r"#\d{1,4} 0x[0-9a-f]+ in (?P<function>[^\n]{1,200}?) (?P<file>[^\s:()"
            r"]{1,300}):(?P<line>\d{1,7})(?::\d+)?[ \t]{0,20}$",
            re.M,
        ),
        _file_line_function,
    ),
    TraceFormat(
        "sanitizer verdict",
        ("runtime error",),
        expression(rf"(?P<file>{_CODE_FILE}):(?P<line>\d{{1,7}}):\d{{1,7}}: runtime error"),
        _file_line_function,
    ),
    TraceFormat(
        "pytest",
        (".py:",),
        expression(
            r"^(?P<file>[^\s:]{1,300}\.py):(?P<line>\d{1,7})"
            r": (?:in (?P<function>[\w<>]+)|[A-Z][\w.]+$|$)",
            re.M,
        ),
        _file_line_function,
        innermost_last=True,
    ),
    TraceFormat(
        "pytest node",
        (".py::",),
        expression(r"(?P<file>[^\s:\"'`]{1,300}\.py)::(?P<function>\w+(?:::\w+)?)"),
        _pytest_node,
        is_trace=False,
    ),
    TraceFormat(
        "typescript compiler",
        ("): ",),
        expression(rf"(?P<file>{_CODE_FILE})\((?P<line>\d{{1,7}}),\d{{1,7}}\): (?:error|warning)"),
        _file_line_function,
        is_trace=False,
    ),
    TraceFormat(
        "file and line",
        (":",),
        expression(rf"(?<![\w/])(?P<file>{_CODE_FILE}):(?P<line>\d{{1,7}})(?::\d{{1,7}})?"),
        _file_line_function,
        is_trace=False,
    ),
)
