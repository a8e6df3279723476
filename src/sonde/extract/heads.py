"""Heads of definitions, recognised by how they look at the start of a line."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

_MODIFIERS = (
    rb"(?:(?:pub(?:\([a-z ]{1,20}\))?|public|private|protected|internal|open|final|abstract|sealed"
    rb"|static|async|export|default|declare|override|suspend|inline|unsafe|const|data|implicit|case"
    rb"|virtual|partial|readonly|mutating|fileprivate|extern|extern \"C\")[ \t]+)*"
)
_BODY = rb"\([^(){};\"'`]{0,400}\)[^(){};=]{0,200}\{"  # parameters, and what opens the body
_NO_STATEMENT = (
    rb"(?!(?:if|for|while|switch|catch|else|return|new|do|try|using|lock|foreach|fixed|with|when"
    rb"|synchronized|throw|await|yield|case|delete|typeof|function|assert|goto)\b)"
)
_KEYWORDS = (
    rb"(?:def|fun|func|fn|function|class|struct|interface|trait|enum|protocol|extension"
    rb"|impl|object|record|type|union|module)[ \t]+[\w(<`~$]"
)
_STYLES = {
    # a keyword gives the kind: "func next() int", "class Next"
    "keyword": _KEYWORDS,
    # the same, with a keyword that ends the body
    "end": _KEYWORDS,
    # types come before names: "int next(String s) {"
    "typed": rb"(?:class|struct|interface|enum|record|union)\s+\w[^;{}=]{0,200}\{|"
    + _NO_STATEMENT
    + rb"(?:[\w<>\[\],.?*&:~]{1,80}+[ \t]++[*&]{0,3}+){1,6}[\w:~]{1,80}[ \t]?"
    + _BODY,
    # methods begin with their names: "next(): number {"
    "bare": rb"(?:function|class|interface|enum|type|namespace)[ \t]+[\w$]"
    rb"|(?:const|let)[ \t]+[\w$]+[ \t]*=[ \t]*(?:async[ \t]*)?"
    rb"(?:function\b|\([^(){};\"'`]{0,200}\)[ \t]*=>)"
    rb"|(?:(?:get|set)[ \t]+)?" + _NO_STATEMENT + rb"[\w$#]{1,80}(?:<[\w, ]{1,80}>)?" + _BODY,
}


class Head(NamedTuple):
    """A line that looks like the beginning of a definition."""

    at: int  # the offset of its first word
    line: int
    indent: int


def read_heads(text: bytes, style: str) -> list[Head]:
    """The heads of a source, in order."""
    found, line, counted = [], 1, 0
    for match in _pattern(style).finditer(text):
        line += text.count(b"\n", counted, match.start())
        counted = match.start()
        found.append(Head(match.end(1), line, width(match[1])))
    return found


@cache
def _pattern(style: str) -> re.Pattern[bytes]:
    return re.compile(rb"^([ \t]*+)" + _MODIFIERS + rb"(?:" + _STYLES[style] + rb")", re.MULTILINE)


def width(line: bytes) -> int:
    """How far a line is indented."""
    return len(line[: len(line) - len(line.lstrip(b" \t"))].expandtabs(8))
