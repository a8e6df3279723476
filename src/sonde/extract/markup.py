"""Files whose markup holds code in parts: the same bytes, in which only the code is left.

Nothing moves, so what is read from them has the lines and bytes of the file. Expressions of the
markup become elements of arrays, each a statement of its own, in which the grammar finds calls,
members and names as anywhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_NEWLINES = b"\r\n"
_BLANKED = bytes(byte if byte in _NEWLINES else ord(" ") for byte in range(256))
_INERT = re.compile(  # strings, and comments that end
    rb"//[^\n]*+\n|/\*.*?\*/|'(?:\\.|[^'\\\n])*+'|\"(?:\\.|[^\"\\\n])*+\"|`(?:\\.|[^`\\])*+`",
    re.DOTALL,
)
_UNSAFE = re.compile(rb"//|/\*|['\"`]")  # outside of strings
_NAME = re.compile(rb"[A-Za-z_$][\w$]*")
_LONGEST = 4000  # bytes of an expression
# `a > b` in a quoted value does not end a tag
_SCRIPT = re.compile(
    rb"<!--.*?(?:-->|\Z)"
    rb"|<(?P<name>script|style)\b(?P<attributes>(?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+)"
    rb"(?:(?<=/)>|>(?P<code>.*?)(?:</(?P=name)\s*>|\Z))",
    re.DOTALL | re.IGNORECASE,
)
_LANGUAGE = re.compile(rb"\blang\s*=\s*[\"']?(\w+)")
_SOURCE = re.compile(rb"\bsrc\s*=\s*(?:\"([^\"]+)\"|'([^']+)')")
_LANGUAGES = {b"ts": "typescript", b"typescript": "typescript", b"tsx": "tsx"}
_PLAIN = frozenset({b"js", b"javascript", b"jsx"})


class Use(NamedTuple):
    """A component or directive that the markup names."""

    byte: int
    name: str  # as written


class Hosted(NamedTuple):
    """The code in a file of markup."""

    text: bytes  # as long as the file
    language: str  # of the code
    uses: tuple[Use, ...] = ()
    declared: frozenset[str] = frozenset()  # names that the markup declares: `v-for="row in rows"`
    scripts: tuple[tuple[int, int], ...] = ()  # where the code outside of the markup is
    sources: tuple[tuple[int, str], ...] = ()  # files that hold a script instead, by place


class CodeOf:
    """The code of a file, in the making."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._text = bytearray(data.translate(_BLANKED))
        self._last = -1  # the last byte that must stay
        self._open = False  # an expression stands before, without what ends it
        self.language = "javascript"
        self.uses: list[Use] = []
        self.declared: set[str] = set()
        self.scripts: list[tuple[int, int]] = []
        self.sources: list[tuple[int, str]] = []

    def script(self, start: int, end: int) -> None:
        """Keep code that stands for itself; it must follow what was kept before."""
        if self._open:
            self._separate(start)
        self._text[start:end] = self._data[start:end]
        self._last, self._open = end - 1, True
        self.scripts.append((start, end))

    def expression(self, start: int, end: int) -> None:
        """Keep an expression between two bytes that may be overwritten, if it seems complete."""
        value = self._data[start:end]
        bare = _INERT.sub(b"", value)
        if not value.strip() or len(value) > _LONGEST or _UNSAFE.search(bare):
            return
        if any(bare.count(one) != bare.count(other) for one, other in (b"()", b"[]", b"{}")):
            return
        if b";" in bare and b"{" not in bare:  # `open = false; save()`
            value = value.replace(b";", b",")
        apart = not self._open or self._separate(start - 1)
        if not apart and self._text[self._last : self._last + 1] != b"]":
            return
        self._text[start:end] = value
        if apart:
            self._text[start - 1 : start] = b"["
        else:
            self._text[self._last : self._last + 1] = b","
        self._text[end : end + 1] = b"]"
        self._last, self._open = end, True

    def declare(self, text: bytes) -> None:
        """Names that mean something of the markup's own."""
        self.declared.update(name.decode("ascii") for name in _NAME.findall(text))

    def hosted(self) -> Hosted:
        """The code, once all of it is kept."""
        return Hosted(
            bytes(self._text),
            self.language,
            tuple(self.uses),
            frozenset(self.declared),
            tuple(self.scripts),
            tuple(self.sources),
        )

    def _separate(self, before: int) -> bool:
        """End a statement somewhere before a byte; whether there was room."""
        at = before - 1
        while at > self._last and self._text[at] in _NEWLINES:
            at -= 1
        if at <= self._last:
            return False
        self._text[at : at + 1] = b";"
        return True


def between_scripts(code: CodeOf, data: bytes, start: int = 0) -> Iterator[tuple[int, int]]:
    """Keep the scripts of a file, in order; the markup before, between and behind them."""
    markup = start
    for block in _SCRIPT.finditer(data, start):
        if markup < block.start():
            yield markup, block.start()
        markup = block.end()
        if (block["name"] or b"").lower() == b"script":
            _keep(code, block)
    yield markup, len(data)


def _keep(code: CodeOf, script: re.Match[bytes]) -> None:
    attributes = script["attributes"]
    if source := _SOURCE.search(attributes):
        name = (source[1] or source[2]).decode("utf-8", "replace")
        code.sources.append((script.start(), name))
    language = _LANGUAGE.search(attributes)
    written = language[1].lower() if language else b"js"
    if written in _LANGUAGES:
        code.language = _LANGUAGES[written]
    elif written not in _PLAIN or b"json" in attributes:
        return
    if script["code"]:
        code.script(*script.span("code"))
