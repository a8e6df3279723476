"""Parameter lists, read from their text: one reader serves every grammar."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from sonde.model import Param

_OPEN = "([{<"
_CLOSE = ")]}>"
_NESTING = re.compile(r"[(\[{<>}\])\"'`]")
_MAX_PARAMS = 40
_GO_NAMED = re.compile(r"(?!(?:chan|func|interface|map|struct)\b)\w+\s")
_ANNOTATION = re.compile(r"@[\w.:]+(?:\([^()]*\))?\s*")
_LABELS = frozenset({"in", "out", "using"})  # of Swift as well
_GLUED = re.compile(r"(?<=\w)\.\.\.(?=\w)")  # Java: `String...rest`
_MODIFIERS = frozenset(
    {
        *("final", "const", "mut", "ref", "out", "in", "params", "this", "readonly", "var", "val"),
        *("public", "private", "protected", "static", "volatile", "register", "implicit", "using"),
        *("inout", "borrowing", "consuming", "scoped", "vararg", "noinline", "crossinline"),
        "override",
    }
)
_NEVER_NAMES = frozenset({"const", "volatile", "register", "static", "this"})  # `Row const`
_QUOTED = r"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`[^`]*`)"""
_COMMENTS = {
    "//": re.compile(_QUOTED + r"|/\*.*?\*/|(?<!\\)//[^\n]*", re.DOTALL),
    "#": re.compile(_QUOTED + r"|(?<!\S)#[^\n]*"),  # `10 // 2` of Python is a value
}


def without_comments(text: str, mark: str) -> str:
    """A list or header without its comments, of which `mark` begins those of a line."""
    if mark in text or (mark == "//" and "/*" in text):
        return _COMMENTS[mark].sub(r"\1", text)
    return text


@lru_cache(maxsize=8192)  # "(self)" and "(t *testing.T)" are very common
def read_params(text: str, style: str, mark: str = "//") -> tuple[Param, ...]:
    """The parameters in a list as written, with or without parentheses and comments."""
    text = without_comments(text, mark).strip()
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    if "@" in text:
        text = _ANNOTATION.sub("", text)
    parts = [part.strip() for part in _split(text, ",")][:_MAX_PARAMS]
    parts = [part for part in parts if part]
    if style == "go":
        return tuple(_go(parts))
    reader = _type_first if style == "type_first" else _colon
    return tuple(param for part in parts if (param := reader(part)) is not None)


def _colon(part: str) -> Param | None:
    head, default = _cut(part, "=")
    name, annotation = _cut(head, ":")
    words = [name] if name[:1] in ("{", "[") else name.split()  # a pattern has no single name
    mark = "..." if annotation[-1:] == "*" or name[:3] == "..." or words[:1] == ["vararg"] else ""
    while len(words) > 1 and words[0] in _MODIFIERS:
        modifier = words.pop(0)
        mark = modifier if modifier in _LABELS else mark
    name = words[-1] if words else ""
    if len(words) > 1:
        mark = words[0]
    elif name[-1:] == "?":
        mark = "?"
    name = name.strip("&?").lstrip(".").removeprefix("mut ")
    return Param(name, annotation, default, mark) if name and name not in ("*", "/") else None


def _type_first(part: str) -> Param | None:
    while part[:1] == "[" and "]" in part:  # attributes
        part = part.partition("]")[2].lstrip()
    head, default = _cut(part, "=")
    if "..." in head:
        head = _GLUED.sub("... ", head)
    words = head.split()
    last = len(words) - 1  # `InputStream in`: there alone such a word is a name
    words = [
        word
        for at, word in enumerate(words)
        if word not in _MODIFIERS or (at == last > 0 and word not in _NEVER_NAMES)
    ]
    if not words:
        return None
    name = words[-1].lstrip("*&.$")
    name = name.split("[", 1)[0].strip("()*&")
    annotation = " ".join(words[:-1])
    if words[-1][0] in "*&" and "$" not in words[-1]:  # C: `char *name`
        annotation += words[-1][: len(words[-1]) - len(words[-1].lstrip("*&"))]
    if len(words) == 1 and not words[0].lstrip("&.").startswith("$"):
        # C prototypes name no parameter
        return Param("", words[0], default) if words[0] != "void" else None
    return Param(name, annotation, default, "..." if "params" in head.split() else "")


def _go(parts: list[str]) -> Iterator[Param]:
    pending: list[str] = []
    # All are named or none is: `func(int) error` and `chan int` are types only.
    typed = any(_GO_NAMED.match(part) for part in parts)
    for part in parts:
        name, _, annotation = part.partition(" ")
        if not typed:
            yield Param("", part)
        elif not annotation:
            pending.append(name)
        else:
            for earlier in pending:
                yield Param(earlier, annotation.strip())
            pending.clear()
            yield Param(name, annotation.strip())


def _cut(text: str, mark: str) -> tuple[str, str]:
    first, *rest = _split(text, mark, 1)
    return first.strip(), rest[0].strip() if rest else ""


def _split(text: str, mark: str, limit: int = -1) -> list[str]:
    """Split at `mark` outside brackets and quotes."""
    if mark not in text:
        return [text]
    if mark == "," and limit < 0 and not _NESTING.search(text):
        return text.split(",")
    parts: list[str] = []
    depth = start = 0
    quote = ""
    for at, char in enumerate(text):
        if quote:
            if char == quote and text[at - 1] != "\\":
                quote = ""
        elif char in "\"'`":
            # a Rust lifetime ('a) is not a quote
            quote = "" if char == "'" and "'" not in text[at + 1 : at + 40] else char
        elif char in _OPEN:
            depth += 1
        elif char in _CLOSE:
            if char == ">" and at and text[at - 1] in "-=":
                continue  # an arrow
            depth -= 1
        elif char == mark and depth <= 0 and (limit < 0 or len(parts) < limit):
            if mark == ":" and (text[at - 1 : at] == ":" or text[at + 1 : at + 2] == ":"):
                continue  # a path separator
            if mark == "=" and text[at + 1 : at + 2] in ("=", ">"):
                continue
            parts.append(text[start:at])
            start = at + 1
    parts.append(text[start:])
    return parts
