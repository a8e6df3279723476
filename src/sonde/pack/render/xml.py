"""The pack as tagged text: a header comment, then one element per section."""

from __future__ import annotations

from sonde.model import Fidelity, Item, Pack, Section
from sonde.pack.cards import qualified, visible_path
from sonde.pack.profile import CALLERS, DEFINITIONS, IMPORTS, SNIPPETS, TESTS
from sonde.pack.render.frame import card, mentions, notes, relation

_TAGS = {
    DEFINITIONS: "definitions",
    SNIPPETS: "relevant_code",
    TESTS: "test_context",
    CALLERS: "callers",
    IMPORTS: "import_context",
}


def render(pack: Pack) -> str:
    """The whole pack as XML fragments."""
    parts = [
        f"<!-- intent: {pack.intent}, confidence: {pack.confidence:.2f}, pack: {pack.root} -->"
    ]
    parts += [_section(section) for section in pack.sections]
    if pack.edges:
        lines = "\n".join(relation(edge) for edge in pack.edges)
        parts.append(f"<relations>\n{escaped(lines)}\n</relations>")
    # A comment may not contain "--", which the flag in the left-out line has: use an element.
    parts += [f"<note>{escaped(note)}</note>" for note in notes(pack)]
    return "\n".join(parts) + "\n"


def fragment(item: Item) -> str:
    """One item as it appears in its section."""
    if item.fidelity is not Fidelity.FULL:
        return escaped(card(item))
    symbol = item.symbol
    why = f' why="{attribute(item.reason)}"' if item.reason else ""
    path, name = attribute(visible_path(symbol.file)), attribute(qualified(symbol))
    return (
        f'<file path="{path}" lines="{symbol.start_line}-{symbol.end_line}" '
        f'symbol="{name}"{why}>\n'
        f"{verbatim(item.text)}\n</file>"
    )


def _section(section: Section) -> str:
    tag = _TAGS[section.name]
    lines = [fragment(item) for item in section.items if item.fidelity is not Fidelity.OUTLINE]
    lines += [escaped(line) for line in (*mentions(section.items), *section.lines)]
    return "\n".join([f"<{tag}>", *lines, f"</{tag}>"])


def escaped(text: str) -> str:
    """Text between tags."""
    # ">" needs escaping only in "]]>", and arrows are too common to spend tokens on.
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("]]>", "]]&gt;")


def attribute(text: str) -> str:
    """Text inside double quotes."""
    return escaped(text).replace('"', "&quot;")


def verbatim(text: str) -> str:
    """Source verbatim, in a CDATA block if it has characters that would need escaping."""
    if "&" not in text and "<" not in text and "]]>" not in text:
        return text
    return "<![CDATA[" + text.replace("]]>", "]]]]><![CDATA[>") + "]]>"
