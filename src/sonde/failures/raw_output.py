"""Bytes from a terminal or CI log → plain lines: no colours, prefixes or endless lines."""

from __future__ import annotations

import re
from typing import NamedTuple

KEPT_HEAD = 500_000  # characters at the start, where a run reports its first failures
KEPT_TAIL = 1_500_000  # and at the end, where its summary is
MAX_LINE = 2_000
_SAMPLE = 65_536
_MAX_NOISE = 0.10  # share of control characters above which it is not text

_ANSI = re.compile(
    r"(?:\x1b|\x9b|\^\[|\u241b)"
    r"(?:\][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)|\[?[0-9;:?]{0,40}[ -/]{0,2}[@-~])"
)
_BARE_COLOUR = re.compile(r"\[(?:\d{1,3}(?:;\d{1,3}){0,5})?m")  # where a log lost the escape
_NOISE = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]")
_STAMP = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?"
_PREFIXES = tuple(  # a line break before the pattern is found faster than a line's start
    re.compile(f"\n(?:{pattern})", re.M)
    for pattern in (
        rf"(?:[^\t\n]{{1,120}}\t[^\t\n]{{1,120}}\t)?\ufeff?{_STAMP}(?: \d\d[OE]\+?)?(?: |$)",
        rf"\[(?:{_STAMP}|\d\d:\d\d:\d\d(?:\.\d{{1,6}})?)\](?: |$)",
        r"[\w.-]{1,60} +\| ?",  # docker compose
        r"@?[A-Za-z][\w/-]{0,60}:[a-z][\w-]{0,40}: ?",  # workspace runners: package:task:
    )
)
_MARKUP = re.compile(r"^(?:##\[\w{1,20}\]|::(?:error|warning|notice|group)[^:\n]{0,200}::)", re.M)


class RawOutput(NamedTuple):
    """Text to parse, and what of the original is missing from it."""

    text: str
    cut: tuple[str, ...] = ()
    refused: str = ""


def clean(raw: str | bytes) -> RawOutput:
    """The output as plain text of bounded size, or why it cannot be read."""
    kept, cut = _bounded(raw)
    text = _decoded(kept) if isinstance(kept, bytes) else kept
    sample = text[:_SAMPLE] + text[-_SAMPLE:]
    if len(_NOISE.findall(sample)) > _MAX_NOISE * len(sample):
        return RawOutput(
            "", (), "not text: too many control or undecodable characters to be output"
        )
    text = _without_colour(text)
    if "\r" in text:
        # A progress line is overwritten: what stays on screen is what follows the last return.
        lines = text.split("\n")
        text = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines)
    if _has_long_line(text):
        lines = text.split("\n")
        text = "\n".join(line[:MAX_LINE] for line in lines)
        long = sum(len(line) > MAX_LINE for line in lines)
        what = "1 line" if long == 1 else f"{long} lines"
        cut = (*cut, f"the rest of {what} longer than {MAX_LINE} characters")
    return RawOutput(_without_prefixes(text), cut)


def _has_long_line(text: str) -> bool:
    """Whether any line exceeds the limit, found without looking at each line."""
    start = 0
    while len(text) - start > MAX_LINE:
        end = text.rfind("\n", start, start + MAX_LINE + 1)
        if end < 0:
            return True
        start = end + 1
    return False


def _bounded(raw: str | bytes) -> tuple[str | bytes, tuple[str, ...]]:
    if len(raw) <= KEPT_HEAD + KEPT_TAIL:
        return raw, ()
    left_out = (len(raw) - KEPT_HEAD - KEPT_TAIL) / 1e6
    cut = (f"{left_out:.1f} MB in the middle",)
    if isinstance(raw, bytes):
        return raw[:KEPT_HEAD] + b"\n" + raw[-KEPT_TAIL:], cut
    return raw[:KEPT_HEAD] + "\n" + raw[-KEPT_TAIL:], cut


def _decoded(raw: bytes) -> str:
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):  # what PowerShell writes into a file
        return raw.decode("utf-16", "replace")
    return raw.decode("utf-8-sig", "replace")


def _without_colour(text: str) -> str:
    if "\x1b" in text or "^[[" in text or "\x9b" in text or "\u241b" in text:
        return _ANSI.sub("", text)
    if "[0m" in text or "[39m" in text:
        return _BARE_COLOUR.sub("", text)
    return text


def _without_prefixes(text: str) -> str:
    """Without what a CI or a runner of several programs writes before each line."""
    sample = [line for line in text[-20_000:].split("\n")[1:-1] or text.split("\n") if line]
    for prefix in _PREFIXES:
        if sample and sum(bool(prefix.match(f"\n{line}")) for line in sample) > 0.8 * len(sample):
            text = prefix.sub("\n", f"\n{text}")[1:]
            break
    return _MARKUP.sub("", text) if "##[" in text or "\n::" in text else text
