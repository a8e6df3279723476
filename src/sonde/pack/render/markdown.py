"""The pack as Markdown: one heading per section, all repository text inside fences."""

from __future__ import annotations

import re

from sonde.model import Fidelity, Item, Pack, Section
from sonde.pack.cards import qualified, visible_path
from sonde.pack.profile import CALLERS, DEFINITIONS, IMPORTS, SNIPPETS, TESTS
from sonde.pack.render.frame import card, mentions, notes, relation

_HEADINGS = {
    DEFINITIONS: "Definitions",
    SNIPPETS: "Relevant code",
    TESTS: "Tests",
    CALLERS: "Callers",
    IMPORTS: "Imports",
}
_TICKS = re.compile("`+")


def render(pack: Pack) -> str:
    """The whole pack as Markdown."""
    parts = [f"intent: {pack.intent}, confidence: {pack.confidence:.2f}, pack: {pack.root}"]
    parts += [_section(section) for section in pack.sections]
    if pack.edges:
        lines = "\n".join(relation(edge) for edge in pack.edges)
        parts.append(f"## Relations\n{fenced(lines)}")
    parts += [span(note) for note in notes(pack)]
    return "\n\n".join(parts) + "\n"


def fragment(item: Item) -> str:
    """One item as it appears in its section."""
    symbol = item.symbol
    if item.fidelity is not Fidelity.FULL:
        return fenced(card(item))
    lines = f"{symbol.start_line}-{symbol.end_line}"
    title = f"{visible_path(symbol.file)}:{lines} {qualified(symbol)}"
    if item.reason:
        title += f" ({item.reason})"
    return f"{span(title)}\n{fenced(item.text, symbol.language)}"


def _section(section: Section) -> str:
    """Heading and items; adjacent cards share one fence."""
    blocks: list[str] = []
    run: list[str] = list(section.lines)
    for item in section.items:
        if item.fidelity is Fidelity.FULL:
            if run:
                blocks.append(fenced("\n".join(run)))
                run = []
            blocks.append(fragment(item))
        elif item.fidelity is not Fidelity.OUTLINE:
            run.append(card(item))
    run += mentions(section.items)
    if run:
        blocks.append(fenced("\n".join(run)))
    return f"## {_HEADINGS[section.name]}\n" + "\n\n".join(blocks)


def fenced(text: str, language: str = "") -> str:
    """A code block that no run of backticks in the text can close."""
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def span(text: str) -> str:
    """A code span that no backtick in the text can close."""
    longest = _longest_run(text)
    ticks = "`" * (longest + 1)
    return f"{ticks} {text} {ticks}" if longest else f"`{text}`"


def _longest_run(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0) if "`" in text else 0
