"""A symbol at four fidelities: name only, a few lines, with its members, or full source."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sonde.model import SymbolRecord
from sonde.pack.visible import one_line, visible

MEMBER_LIMIT = 8  # beyond this a member list is longer than what it describes
SIGNATURE_LIMIT = 299  # characters, one less than are kept: what was cut is shown as cut
SUMMARY_LIMIT = 160
PARAGRAPH_LIMIT = 320
# Left over when parameters on separate lines are joined.
_OPENING = re.compile(r"([(\[]) ")
_CLOSING = re.compile(r",? ([)\]])")
_TAG = re.compile(r"^[ \t]*[@\\][a-z][\w-]*", re.MULTILINE)  # of doc comments: @param, \param
_TELLING = re.compile(r"\A[@\\](?:brief|summary|description|desc)\b[ \t]*|\A@(?=deprecated\b)")
_INHERITED = re.compile(r"\{@inheritDoc\}", re.IGNORECASE)
_HEADING = re.compile(r"(?:=+|#+) [^\n]*")  # of a doc in RDoc or Markdown: "=== Returns"
_INLINE_TAG = re.compile(r"\{@(?:link|linkplain|code|literal)\s+([^{}\s]+)(?:\s+([^{}]+))?\}")
# What a comment says to a tool, not to a reader.
_DIRECTIVE = re.compile(
    r"^(?:(?:eslint|tslint|biome|prettier|jshint|jslint|istanbul|c8|v8|oxlint|webpack)\b[-:/ ]\S*"
    r"|(?:rubocop|pylint|mypy|pyright|ruff|isort|flake8|phpcs|swiftlint|ktlint|cspell|yapf|nolint)"
    r"\s*:|go:[a-z]+\b|\+build |noqa\b|type: ignore|fmt: |clang-format |NOLINT).*\n?",
    re.MULTILINE,
)
_SENTENCE_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bcf)(?<!\bresp)[.!?](?= )")


def headline(symbol: SymbolRecord) -> str:
    """`[kind] signature`, preceded by the qualified name if the signature does not contain it."""
    written = signature(symbol)
    if not written:
        return f"[{symbol.kind}] {qualified(symbol)}"
    if symbol.qualname == symbol.name or symbol.qualname in written.replace("::", "."):
        return f"[{symbol.kind}] {written}"
    return f"[{symbol.kind}] {qualified(symbol)}: {written}"


def place(symbol: SymbolRecord) -> str:
    """`file:line` of the definition."""
    return f"{visible_path(symbol.file)}:{symbol.start_line}"


def visible_path(path: str) -> str:
    """A path on one line, never cut: a cut path cannot be opened."""
    return visible(path).replace("\n", "\\n").replace("\t", "\\t")


def summary(symbol: SymbolRecord) -> str:
    """First sentence of the doc; its first line often ends in mid-sentence."""
    told = paragraph(symbol)
    end = _SENTENCE_END.search(told)
    return one_line(told[: end.end()] if end else told, SUMMARY_LIMIT)


def paragraph(symbol: SymbolRecord) -> str:
    """First paragraph of the doc that is prose, on one line; "" if there are only tags."""
    doc = _DIRECTIVE.sub("", symbol.doc.replace("\r\n", "\n"))
    for each in doc.split("\n\n"):
        told = _before_tags(each)
        if told and not _HEADING.fullmatch(told):
            return one_line(_INLINE_TAG.sub(_shown, told), PARAGRAPH_LIMIT)
    return ""


def _shown(tag: re.Match[str]) -> str:
    """What a reader sees of `{@link Type#member its label}` and `{@code any text}`."""
    target, label = tag.groups()
    if not tag[0].startswith("{@link"):
        return f"{target} {label}" if label else target
    return label or target.lstrip("#").replace("#", ".")


def _before_tags(text: str) -> str:
    """A paragraph up to its first `@author`, `@param` and the like, which tell nothing alone."""
    text = _TELLING.sub("", text.strip())
    tag = _TAG.search(text)
    told = (text[: tag.start()] if tag else text).strip()
    return "" if _INHERITED.fullmatch(told) else told


def signature(symbol: SymbolRecord) -> str:
    """The signature, truncated beyond the length anyone reads."""
    written = _joined(symbol.signature, SIGNATURE_LIMIT)
    ends_cut = len(symbol.signature) > SIGNATURE_LIMIT and not written.endswith("…")
    return f"{written}…" if ends_cut else written  # where the cut came behind a space


def _joined(written: str, limit: int) -> str:
    """A multi-line signature, joined as it would be written on one line."""
    return _CLOSING.sub(r"\1", _OPENING.sub(r"\1", one_line(written, limit)))


def qualified(symbol: SymbolRecord) -> str:
    """The qualified name on one line."""
    return one_line(symbol.qualname, SIGNATURE_LIMIT)


def member_signatures(members: Sequence[SymbolRecord]) -> tuple[str, ...]:
    """One line for each of the first members."""
    return tuple(
        _joined(member.signature or member.name, SUMMARY_LIMIT) for member in members[:MEMBER_LIMIT]
    )


def outline(symbol: SymbolRecord) -> str:
    """Kind, name and place on one line, for an item that only points elsewhere."""
    return f"[{symbol.kind}] {qualified(symbol)} {place(symbol)}"


def mention(symbol: SymbolRecord) -> str:
    """Kind, name and line number, to be listed under its file."""
    return f"[{symbol.kind}] {qualified(symbol)}:{symbol.start_line}"


def compact(symbol: SymbolRecord) -> str:
    """Signature, kind, place and one line of doc."""
    return _card(symbol, summary(symbol))


def standard(symbol: SymbolRecord, members: tuple[str, ...] = ()) -> str:
    """The compact card with the first paragraph of the doc and the members."""
    lines = [_card(symbol, paragraph(symbol))]
    if members:
        lines.append("  members:")
        lines += [f"    - {member}" for member in members]
    return "\n".join(lines)


def full(source: str) -> str:
    """The source as indexed, without the blank lines around it."""
    return visible(source).strip("\n")


def _card(symbol: SymbolRecord, doc: str) -> str:
    card = f"{headline(symbol)}\n  file: {place(symbol)}"
    return f"{card}\n  doc: {doc}" if doc else card
