"""Astro: TypeScript between fences, then markup that uses the components it imports."""

from __future__ import annotations

import re
from dataclasses import replace

from sonde.extract.languages.javascript import SPEC as JAVASCRIPT
from sonde.extract.markup import CodeOf, Hosted, Use, between_scripts

_FENCED = re.compile(rb"\s*---[^\n]*\n(?P<code>.*?)^---", re.DOTALL | re.MULTILINE)
_TOKEN = re.compile(
    rb"<!--.*?(?:-->|\Z)|<(?P<tag>[A-Z]\w*+(?:\.\w++)*+)|\{(?P<braced>[^{}<>]{1,4000}+)\}",
    re.DOTALL,
)


def _code(data: bytes) -> Hosted:
    code, start = CodeOf(data), 0
    code.language = "typescript"
    if fenced := _FENCED.match(data):
        code.script(*fenced.span("code"))
        start = fenced.end()
    for first, last in between_scripts(code, data, start):
        for token in _TOKEN.finditer(data, first, last):
            if token["tag"]:
                code.uses.append(Use(token.start("tag"), token["tag"].decode("ascii")))
            elif token["braced"]:
                code.expression(*token.span("braced"))
    return code.hosted()


SPEC = replace(
    JAVASCRIPT,
    name="astro",
    queries=tuple(f"../javascript/{name}" for name in JAVASCRIPT.queries),
    host=_code,
)
