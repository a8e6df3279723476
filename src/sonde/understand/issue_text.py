"""Split a long issue into its parts: complaint, quoted code, tool output, template boilerplate.
A one-line task has a single part, its title."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import NamedTuple

from sonde.expression import expression
from sonde.understand.words import word_set


class PartKind(IntEnum):
    """The kinds of text in an issue, most informative first."""

    TITLE = 0
    COMPLAINT = 1
    EXPECTATION = 2
    STEPS = 3
    CODE = 4
    DIFF = 5
    OUTPUT = 6


# How much a word counts, by the kind of part it appears in.
WEIGHTS = {
    PartKind.TITLE: 1.0,
    PartKind.COMPLAINT: 0.6,
    PartKind.EXPECTATION: 0.5,
    PartKind.STEPS: 0.4,
    PartKind.CODE: 0.25,
    PartKind.DIFF: 0.35,
    PartKind.OUTPUT: 0.2,
}
PROSE_KINDS = (PartKind.TITLE, PartKind.COMPLAINT, PartKind.EXPECTATION, PartKind.STEPS)


class Part(NamedTuple):
    """A stretch of text of one kind."""

    kind: PartKind
    text: str


_IMAGE = expression(
    r"!\[[^\[\]\n]{0,200}\]\([^()\n]{0,500}\)|<img\b[^<>\n]{0,1000}>|"
    r"</?(?:details|summary|br|p|sub|b|i|kbd|code|pre|span|div)\b[^>\n]{0,300}>"
)
_LINK = expression(r"(?<!!)\[([^\[\]\n]{1,200})\]\(([^()\s]{1,500})\)")
_FENCE = expression(r"\s{0,12}(?:[-*>]\s+)?(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$")
_HEADING = expression(
    r"\s{0,3}(?:#{1,6}\s+(.{1,200}?)#*|\*\*([^*\n]{1,120})\*\*:?|__([^_\n]{1,120})__:?)\s*$"
)
_LABEL = expression(r"\s{0,3}(?:[-*]\s+)?([A-Z][\w' /()-]{2,50}):\s*$")
_BOILERPLATE = expression(
    r"\s*(?:[-*]\s+\[[ xX]?\]|_No response_|N/?A\.?$|None\.?$|[-=*_]{3,}\s*$|(?:cc|CC)\s+@|"
    r"(?:_?Originally posted|Sent from|Thanks|Thank you|Cheers|Best regards|Hope this helps)\b|"
    r"I (?:have )?(?:searched|looked|read|checked|confirm|"
    r"agree)\b[^.]{0,80}(?:issues|docs|documentation|FAQ))"
)
_VERSION_LINE = expression(
    r"\s*(?:[-*]\s+)?\*{0,2}(?:OS|Operating [Ss]ystem|Platform|Python|"
    r"Node(?:\.js)?|npm|yarn|Ruby|Go|Rust|rustc|Java|JDK|PHP|"
    r"Browser|Chrome|Firefox|Safari|Version|Kernel|Architecture|Compiler|gcc|"
    r"clang|CPU|GPU|RAM|Machine|Distro|Shell|"
    r"[\w.-]{1,30} [Vv]ersion)(?: [Vv]ersion)?\*{0,2}\s*[:=|]\s*\S"
)
_SECTIONS: tuple[tuple[re.Pattern[str], PartKind | None], ...] = (
    (expression(r"expect|desired|should happen|would like|goal", re.I), PartKind.EXPECTATION),
    (
        expression(
            r"environment|version|system info|platform|operating system|^os\b|"
                r"browser|how did you install|"
            r"^dependenc|library versions|checklist|checks|before (?:you )?(?:submit|"
                r"open)|prerequisite|"
            r"confirm|code of conduct|acknowledg|relevant log|screenshots?$|^setup$|^hardware|"
            r"^additional context$|participation|(?:are you|would you be) (?:willing|going)|"
            r"before asking|existing issue|duplicate issue|^installation$|^first check",
            re.I,
        ),
        None,
    ),
    (expression(r"actual|current(?:ly)? |observed|what happen|result", re.I), PartKind.EXPECTATION),
    (expression(r"reproduc|steps|snippet|example|sample|mwe|test case|demo", re.I), PartKind.STEPS),
    (
        expression(
            r"descri|\bbug\b|summary|problem|issue|wrong|solution|motivation|feature|"
                r"proposal|context|"
            r"background|overview|details|question|why|rationale|alternatives|output|"
                r"traceback|error|log",
            re.I,
        ),
        PartKind.COMPLAINT,
    ),
)  # fmt: skip
_OUTPUT_LANGUAGES = word_set(
    "console shell sh bash text txt log output pytb plain plaintext zsh powershell terminal"
)
_OUTPUT_LINE = expression(
    r"\s*(?:\$ |% |PS [A-Z]:|Traceback \(most recent|File \"|at \S+[ (].*[:)]|"
    r"goroutine \d|panic: |#\d+ |-{2,}> ?\d|"
    r"thread '|stack backtrace|\d+: +0x|Caused by: |\.\.\. \d+ more|E  +\S|"
    r"={5,} |npm ERR|(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL)\b[: ]|"
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d|[\w./\\-]+\.\w{1,4}:\d+:|"
    r"(?:[\w.]+\.)?[A-Z]\w+(?:Error|Exception|Warning)(?::|$)|from \S+:\d+:in )"
)
_FRAME_LINE = expression(
    r"\s*(?:Traceback \(most|File \"|at \S+[ (].*[:)]|goroutine \d|panic: |thread '|#\d+ )"
)
_CODE_LINE = expression(
    r"\s*(?:>>> |\.\.\. |import [\w.{*]|from [\w.]+ import|(?:async )?def \w+\(|"
    r"class \w+[(:{ ]|(?:export |default )*(?:const|let|var|function|"
    r"type) [\w{\[]|"
    r"#include\b|func [\w(]|(?:pub )?fn \w|use [\w:]+;|package [\w.]+;?$|"
    r"(?:public|private|protected|static) \w|@\w+(?:\(.*\))?$|"
    r"return\b.*;$|[\w.\[\]'\"]+ = \S|[\w.]+\(.*\);?$|(?:if|for|while) ?\(.*\{$|"
    r"[}\])]+[;,)]*$|\w[\w.]* ?\{$|//|puts |require ['\"])"
)
_DIFF_LINE = expression(r"(?:diff --git |--- [ab/]|\+\+\+ [ab/]|@@ -\d)")


def separate(text: str) -> tuple[Part, ...]:
    """The parts of a task or issue, in order; template and environment sections are dropped."""
    if "\n" not in text.strip():
        return (Part(PartKind.TITLE, _plain(text.strip())),)
    return _Separator().run(_plain(_without_comments(text)))


def _without_comments(text: str) -> str:
    kept, start = [], 0
    while (opening := text.find("<!--", start)) >= 0:
        closing = text.find("-->", opening)
        if closing < 0:
            break
        kept.append(text[start:opening])
        start = closing + 3
    return " ".join([*kept, text[start:]])


def _plain(text: str) -> str:
    """The text without images and markup; links keep both their words and their address."""
    if "<" in text or "![" in text:
        text = _IMAGE.sub(" ", text)
    return _LINK.sub(r"\1 \2", text) if "](" in text else text


class _Separator:
    """Walks the lines once, tracking the current section and block."""

    def __init__(self) -> None:
        self._parts: list[tuple[PartKind, list[str]]] = []
        self._section: PartKind | None = PartKind.COMPLAINT
        self._fence = ""
        self._block: list[str] = []
        self._language = ""
        self._heading = ""  # one that awaits text: templates have some that nobody filled in

    def run(self, text: str) -> tuple[Part, ...]:
        lines = text.split("\n")
        start = self._take_title(lines)
        for line in lines[start:]:
            self._take(line)
        self._close_block()
        parts = (Part(kind, "\n".join(body).strip("\n")) for kind, body in self._parts)
        return tuple(part for part in parts if part.text.strip())

    def _take_title(self, lines: list[str]) -> int:
        for number, line in enumerate(lines):
            if not line.strip():
                continue
            is_title = len(line) <= 300 and not (
                _FENCE.match(line) or _FRAME_LINE.match(line) or _CODE_LINE.match(line)
            )
            if is_title:
                self._put(PartKind.TITLE, line.strip().lstrip("#").strip())
                return number + 1
            return number
        return len(lines)

    def _take(self, line: str) -> None:
        fence = _FENCE.match(line)
        if self._fence:
            if fence and fence.group(1).startswith(self._fence) and not fence.group(2):
                self._close_block()
            else:
                self._block.append(line)
        elif fence:
            self._fence, self._language = fence.group(1), fence.group(2).lower()
        elif not self._take_heading(line):
            self._take_prose(line)

    def _take_heading(self, line: str) -> bool:
        match = _HEADING.match(line) or _LABEL.match(line)
        if not match:
            return False
        title = next(group for group in match.groups() if group)
        self._heading = ""
        for pattern, section in _SECTIONS:
            if pattern.search(title):
                self._section = section
                return True
        if match.re is _LABEL:
            return False
        self._section = PartKind.COMPLAINT
        self._heading = title
        return True

    def _take_prose(self, line: str) -> None:
        if _BOILERPLATE.match(line) or _VERSION_LINE.match(line):
            return
        quoted = line[2:] if line.startswith("> ") else line
        if _OUTPUT_LINE.match(quoted):
            self._put(PartKind.OUTPUT, quoted)
        elif _CODE_LINE.match(quoted) or (quoted.startswith(("    ", "\t")) and self._in_code()):
            self._put(PartKind.CODE, quoted)
        elif (
            quoted.startswith(("    ", "\t"))
            and self._parts[-1:]
            and self._parts[-1][0] == PartKind.OUTPUT
        ):
            self._put(PartKind.OUTPUT, quoted)
        elif self._section is not None:
            self._put(self._section, quoted)

    def _in_code(self) -> bool:
        return bool(self._parts) and self._parts[-1][0] == PartKind.CODE

    def _close_block(self) -> None:
        body, language = self._block, self._language
        self._fence, self._language, self._block = "", "", []
        if not body:
            return
        telling = [line for line in body if line.strip()][:60]
        if language == "diff" or any(_DIFF_LINE.match(line) for line in telling):
            kind = PartKind.DIFF
        elif sum(bool(_OUTPUT_LINE.match(line)) for line in telling) * 3 > len(telling) or (
            language in _OUTPUT_LANGUAGES and not any(_CODE_LINE.match(line) for line in telling)
        ):
            kind = PartKind.OUTPUT
        else:
            kind = PartKind.CODE
        is_report = not any(_OUTPUT_LINE.match(line) or _CODE_LINE.match(line) for line in telling)
        if self._section is None and is_report:
            return  # versions and system information
        self._parts.append((kind, body))

    def _put(self, kind: PartKind, line: str) -> None:
        if self._heading and line.strip():
            heading, self._heading = self._heading, ""
            self._put(PartKind.COMPLAINT, heading)
        if self._parts and self._parts[-1][0] == kind:
            self._parts[-1][1].append(line)
        else:
            self._parts.append((kind, [line]))
