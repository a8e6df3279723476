"""Vue: a component in a file, its script in JavaScript or TypeScript beside its template."""

from __future__ import annotations

import re
from dataclasses import replace

from sonde.extract.languages.javascript import SPEC as JAVASCRIPT
from sonde.extract.markup import CodeOf, Hosted, Use, between_scripts

_TEMPLATE = re.compile(rb"^[ \t]*<template\b(?P<attributes>[^>]*+)>", re.MULTILINE)
_END = b"</template"
_FOREIGN = re.compile(rb"\blang\s*=\s*[\"']?(?!html\b)\w")  # Pug
_TOKEN = re.compile(
    rb"<!--.*?(?:-->|\Z)"
    rb"|<(?P<tag>[A-Za-z][\w.]*+(?:-[\w.]++)*+)"
    rb"|\{\{(?P<shown>(?:[^{}]++|\{(?!\{)|\}(?!\}))*+)\}\}"
    rb"|(?<=\s)(?P<key>[^\s=>\"'/<]++)\s*+=\s*+(?:\"(?P<double>[^\"]*+)\"|'(?P<single>[^']*+)')",
    re.DOTALL,
)
_DIRECTIVE = re.compile(rb"v-|[:@]")
_DECLARES = re.compile(rb"v-slot\b|#|(?:slot-)?scope\Z")
_LOOP = re.compile(rb"(.*?)\s(?:in|of)\s", re.DOTALL)
_HTML_NAME = re.compile(rb"[a-z][a-z0-9]*\Z")


def _code(data: bytes) -> Hosted:
    code = CodeOf(data)
    first = _TEMPLATE.search(data)
    start = end = 0
    if first and not _FOREIGN.search(first["attributes"]):
        start, end = first.end(), data.rfind(_END)
    for markup in between_scripts(code, data):
        _read(code, data, max(markup[0], start), min(markup[1], end))
    return code.hosted()


def _read(code: CodeOf, data: bytes, start: int, end: int) -> None:
    for token in _TOKEN.finditer(data, start, max(start, end)):
        if token["tag"]:
            if not _HTML_NAME.match(token["tag"]):
                code.uses.append(Use(token.start("tag"), token["tag"].decode("ascii")))
        elif token["shown"]:
            code.expression(*token.span("shown"))
        elif token["key"]:
            _read_value(code, token)


def _read_value(code: CodeOf, token: re.Match[bytes]) -> None:
    key, (start, end) = token["key"], token.span("double" if token["single"] is None else "single")
    value = token.string[start:end]
    if _DECLARES.match(key):
        code.declare(value)
    elif key == b"v-for":
        if loop := _LOOP.match(value):
            code.declare(loop[1])
            code.expression(start + loop.end(), end)
    elif _DIRECTIVE.match(key):
        code.expression(start, end)


SPEC = replace(
    JAVASCRIPT,
    name="vue",
    queries=tuple(f"../javascript/{name}" for name in JAVASCRIPT.queries),
    host=_code,
)
