"""A context pack as tagged text: an element per section, source verbatim."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.pack.render.xml import attribute, escaped, verbatim
from sonde.session.document import Mapping, Node


def render(sections: Sequence[tuple[str, Mapping]]) -> str:
    """The whole pack as XML fragments."""
    parts = []
    for name, values in sections:
        body = [line for key, value in values.items() for line in _entry(key, value, name)]
        parts.append("\n".join([f"<{name}>", *body, f"</{name}>"]))
    return "\n".join(parts) + "\n"


def _entry(key: str, value: Node, section: str) -> list[str]:
    if isinstance(value, list):
        rows = [_item(each) for each in value]
        return rows if key == section else [f"<{key}>", *rows, f"</{key}>"]
    if isinstance(value, dict):
        return [f"<{key}>", *(_named(name, each) for name, each in value.items()), f"</{key}>"]
    return [f"<{key}>{verbatim(str(value))}</{key}>"]


def _item(value: Node) -> str:
    if not isinstance(value, dict):
        return f"<item>{escaped(str(value))}</item>"
    content = value.get("content")
    fields = " ".join(
        f'{name}="{attribute(" ".join(str(each).split()))}"'
        for name, each in value.items()
        if name != "content"
    )
    if not isinstance(content, str):
        return f"<item {fields}/>"
    return f"<item {fields}>\n{verbatim(content)}\n</item>"


def _named(name: str, value: Node) -> str:
    # Names of a runbook are the project's own words, so they cannot be tag names.
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return f'<entry name="{attribute(name)}">{escaped(text)}</entry>'
