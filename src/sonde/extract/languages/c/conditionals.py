"""Preprocessor conditionals inside function bodies: keep one branch, blank the others.

At file level the grammar understands `#if`. Inside a body a branch may hold half a statement or
one of two opening braces, and then the rest of the file fails to parse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(
    rb"/\*.*?\*/|//[^\n]*"
    rb'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    rb"|(?P<directive>^[ \t]*#[ \t]*(?P<word>\w*)(?:[^\n\\/]|\\\r?\n|\\|/(?!\*))*)"
    rb'|(?P<open>(?P<outside>\bnamespace\b[^;{}()]{0,200}|\bextern\s*"C"\s*)?\{)'
    rb"|(?P<close>\})",
    re.DOTALL | re.MULTILINE,
)
_MACRO = re.compile(rb"^[ \t]*#[ \t]*define\b[^\n\\]*+(?:\\[\s\S][^\n\\]*+)*+\n", re.MULTILINE)
_NOT_NEWLINE = re.compile(rb"[^\r\n]")


def keep_one_branch(data: bytes) -> bytes:
    """The same bytes with conditionals inside bodies reduced to their first branch."""
    pieces: list[bytes] = []
    done = 0
    for start, end in _superfluous(data):
        if start >= done:
            pieces += (data[done:start], _without_code(data[start:end]))
            done = end
    return b"".join((*pieces, data[done:]))


def _without_code(branch: bytes) -> bytes:
    """A branch without all but its macros, which define something wherever they stand."""
    pieces: list[bytes] = []
    done = 0
    for macro in _MACRO.finditer(branch):
        pieces += (_NOT_NEWLINE.sub(b" ", branch[done : macro.start()]), macro.group())
        done = macro.end()
    return b"".join((*pieces, _NOT_NEWLINE.sub(b" ", branch[done:])))


def _superfluous(data: bytes) -> Iterator[tuple[int, int]]:
    """Directives inside bodies, and the branches that are not kept, in order."""
    braces: list[bool] = []  # of each open brace, whether it opens a body
    groups: list[tuple[bool, list[bool]]] = []  # of each open #if: inside a body, braces before
    dropped_at = dropped_depth = -1
    for token in _TOKEN.finditer(data):
        word = token["word"]
        if word is None:
            if dropped_at < 0 and token["open"]:
                braces.append(token["outside"] is None)
            elif dropped_at < 0 and token["close"] and braces:
                braces.pop()
        elif word in (b"if", b"ifdef", b"ifndef"):
            inside = any(braces)
            groups.append((inside, braces[:]))
            if inside and dropped_at < 0:
                yield token.span()
        elif word in (b"else", b"elif", b"elifdef", b"elifndef") and groups:
            if groups[-1][0] and dropped_at < 0:
                dropped_at, dropped_depth = token.start(), len(groups)
            elif not groups[-1][0]:
                braces = groups[-1][1][:]
        elif word == b"endif" and groups:
            inside, before = groups.pop()
            if not inside:
                braces = before
            elif dropped_at < 0:
                yield token.span()
            elif dropped_depth == len(groups) + 1:
                yield dropped_at, token.end()
                dropped_at = -1
