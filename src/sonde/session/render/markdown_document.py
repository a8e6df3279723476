"""A context pack as Markdown: a heading per section, everything of the repository in fences."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.pack.render.markdown import fenced, span
from sonde.session.document import Mapping, Node


def render(sections: Sequence[tuple[str, Mapping]]) -> str:
    """The whole pack."""
    parts = []
    for name, values in sections:
        body = [part for key, value in values.items() for part in _entry(key, value)]
        parts.append("\n".join([f"## {name.capitalize()}", *body]))
    return "\n\n".join(parts) + "\n"


def _entry(key: str, value: Node) -> list[str]:
    label = key.replace("_", " ")
    if isinstance(value, list):
        return [f"{label}:", *(line for each in value for line in _item(each))]
    if isinstance(value, dict):
        return [f"{label}:", *(f"- {name}: {_inline(each)}" for name, each in value.items())]
    if isinstance(value, str) and "\n" in value:
        return [f"{label}:", fenced(value)]
    return [f"{label}: {_inline(value)}"]


def _item(value: Node) -> list[str]:
    if not isinstance(value, dict):
        return [f"- {_inline(value)}"]
    inline = {name: each for name, each in value.items() if name != "content"}
    line = "- " + ", ".join(f"{name} {_inline(each)}" for name, each in inline.items())
    content = value.get("content")
    return [line, fenced(content)] if isinstance(content, str) else [line]


def _inline(value: Node) -> str:
    if isinstance(value, list):
        return ", ".join(_inline(each) for each in value)
    return span(" ".join(value.split())) if isinstance(value, str) else str(value)
