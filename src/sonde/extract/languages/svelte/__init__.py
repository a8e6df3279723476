"""Svelte: a component in a file, its markup with expressions in braces."""

from __future__ import annotations

import re
from dataclasses import replace

from sonde.extract.languages.javascript import SPEC as JAVASCRIPT
from sonde.extract.markup import CodeOf, Hosted, Use, between_scripts

_QUOTED = (
    rb"|/(?![/*])|//[^\n]*+\n|/\*.*?\*/"
    rb"|\"(?:\\.|[^\"\\\n])*+\"|'(?:\\.|[^'\\\n])*+'|`(?:\\.|[^`\\])*+`"
)
_BRACED = rb"(?:[^{}\"'`/]++" + _QUOTED + rb")*+"
for _ in range(4):  # braces in one another
    _BRACED = rb"(?:[^{}\"'`/]++" + _QUOTED + rb"|\{" + _BRACED + rb"\})*+"
_TOKEN = re.compile(
    rb"<!--.*?(?:-->|\Z)"
    rb"|<(?P<tag>[A-Z]\w*+(?:\.\w++)*+|[a-z]\w*+\.\w++)"
    rb"|(?<=\s)(?:use|transition|in|out|animate):(?P<directive>[A-Za-z_$][\w$]*+)"
    rb"|(?<=\s)let:(?P<let>\w++)"
    rb"|\{(?P<braced>" + _BRACED + rb")\}",
    re.DOTALL,
)
_BLOCK = re.compile(rb"\s*(?P<mark>[#:@/])(?P<word>else if|\w*)|\s*\.\.\.")
_VALUED = frozenset({b"if", b"else if", b"key", b"html", b"render", b"attach"})
_DECLARING = {
    b"each": re.compile(rb".*\sas\s", re.DOTALL),
    b"await": re.compile(rb".*?\s(?:then|catch)\b", re.DOTALL),
}
_CONST = re.compile(rb"([^=]*)=")


def _code(data: bytes) -> Hosted:
    code = CodeOf(data)
    for markup in between_scripts(code, data):
        for token in _TOKEN.finditer(data, *markup):
            name = "tag" if token["tag"] else "directive"
            if token[name]:
                code.uses.append(Use(token.start(name), token[name].decode("ascii")))
            elif token["let"]:
                code.declare(token["let"])
            elif token["braced"]:
                _read(code, data, *token.span("braced"))
    return code.hosted()


def _read(code: CodeOf, data: bytes, start: int, end: int) -> None:
    block = _BLOCK.match(data, start, end)
    if block is None or not block["mark"]:
        code.expression(block.end() if block else start, end)
        return
    word, after = block["word"], block.end()
    if word in _VALUED:
        code.expression(after, end)
    elif word in _DECLARING and block["mark"] == b"#":
        found = _DECLARING[word].match(data, after, end)
        code.declare(data[found.end() : end].partition(b"(")[0] if found else b"")
        last = data.rfind(b" ", after, found.end() - 1) if found else end
        code.expression(after, last)
    elif word == b"const" and (found := _CONST.match(data, after, end)):
        code.declare(found[1])
        code.expression(found.end(), end)
    elif block["mark"] in b"#:":  # what `then`, `catch` and a snippet are given
        code.declare(data[after:end])


SPEC = replace(
    JAVASCRIPT,
    name="svelte",
    queries=tuple(f"../javascript/{name}" for name in JAVASCRIPT.queries),
    host=_code,
)
