"""What a decorator, annotation or attribute names: one type or function, or several."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TARGET = re.compile(r"@(?:file|field|property|get|set|param|receiver|setparam|delegate|all):\s*")
_LIST = re.compile(r"@(?:\w+:)?\[")
_NEXT = re.compile(r"[()]|(?<=[\s\])])[A-Za-z_][\w.]*")
_LISTED = re.compile(r"[\w.:\\]+")
_DERIVED = re.compile(r"\bderive\s*\(([^()]*)\)")  # of Rust, also behind a condition
_STRING_OR_BRACKET = re.compile(r"\"(?:\\.|[^\"\\])*+\"|'(?:\\.|[^'\\])*+'|([(\[{])|([)\]}])|,")


def decorator_name(text: str) -> str:
    """The name in "@app.route('/x')", "@field:Id", "[HttpGet]" or "#[derive(Debug)]"."""
    if ":" in text and (target := _TARGET.match(text)):
        text = text[target.end() :]
    text = text.lstrip("@#![ \t").rstrip("] ")
    for at, char in enumerate(text):
        if char in "([{< \n":
            return text[:at]
    return text


def is_list(text: str) -> bool:
    """Whether it is several annotations of Kotlin in brackets."""
    return "[" in text and _LIST.match(text) is not None


def more_names(text: str) -> Iterator[tuple[int, str]]:
    """The names behind the first one, with where each begins: in "#[A(1), B]" of PHP, "@[A B]" of
    Kotlin and "#[derive(A, B)]" of Rust."""
    if text[:1] == "#":
        for derived in _DERIVED.finditer(text):
            for name in _LISTED.finditer(text, *derived.span(1)):
                yield name.start(), name[0]
        yield from _after_commas(text)
    elif is_list(text):
        depth = 0
        for token in _NEXT.finditer(text):
            depth += (token[0] == "(") - (token[0] == ")")
            if depth == 0 and token[0] not in "()":
                yield token.start(), token[0]


def _after_commas(text: str) -> Iterator[tuple[int, str]]:
    depth = 0
    for token in _STRING_OR_BRACKET.finditer(text):
        depth += bool(token[1]) - bool(token[2])
        if depth == 1 and token[0] == "," and (name := _LISTED.search(text, token.end())):
            yield name.start(), name[0]
