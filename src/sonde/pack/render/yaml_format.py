"""The pack as YAML, written by hand: source in block scalars, the rest in one-line scalars."""

from __future__ import annotations

import json
import re

from sonde.model import Item, Pack, Section
from sonde.pack.render.frame import notes
from sonde.pack.render.record import Field, record

# A word that every YAML reader takes for a string.
_PLAIN = re.compile(r"[A-Za-z_/][\w./-]*(?: [\w./-]+)*", re.ASCII)
_RESERVED = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


def render(pack: Pack) -> str:
    """The whole pack as one YAML document."""
    lines = [
        f"intent: {pack.intent}",
        f"confidence: {pack.confidence:.2f}",
        f'pack: "{pack.root}"',
        f"budget: {pack.budget}",
    ]
    lines += [_section(section) for section in pack.sections]
    if pack.edges:
        lines.append("relations:")
        lines += [
            f"- [{quoted(edge.source)}, {quoted(edge.kind)}, {quoted(edge.target)}]"
            for edge in pack.edges
        ]
    told = notes(pack)
    if told:
        lines.append("notes:")
        lines += [f"- {quoted(note)}" for note in told]
    return "\n".join(lines) + "\n"


def fragment(item: Item) -> str:
    """One item as it appears in its section."""
    fields = [_field(name, value) for name, value in record(item).items()]
    return "- " + "\n  ".join(fields)


def _section(section: Section) -> str:
    rows = [fragment(item) for item in section.items]
    rows += [f"- {quoted(line)}" for line in section.lines]
    return "\n".join([f"{section.name}:", *rows])


def _field(name: str, value: Field) -> str:
    if isinstance(value, int):
        return f"{name}: {value}"
    if isinstance(value, tuple):
        return "\n  ".join([f"{name}:", *(f"- {scalar(entry)}" for entry in value)])
    if "\n" in value:
        return f"{name}: {_block(value)}"
    return f"{name}: {scalar(value)}"


def _block(text: str) -> str:
    """A literal block two deeper than its key, with explicit indent: text may start indented."""
    return "|2-\n    " + text.replace("\n", "\n    ")


def scalar(text: str) -> str:
    """The text unquoted if every YAML reader takes it for a string, otherwise in quotes."""
    if _PLAIN.fullmatch(text) and text.lower() not in _RESERVED:
        return text
    return quoted(text)


def quoted(text: str) -> str:
    """The text in double quotes."""
    # A JSON string is a YAML double-quoted scalar once hidden characters are escaped.
    return json.dumps(text, ensure_ascii=False)
