"""A context pack as YAML: the keys of all sections in order."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.pack.render.yaml_format import scalar
from sonde.session.document import Mapping, Node


def render(sections: Sequence[tuple[str, Mapping]]) -> str:
    """One YAML document."""
    lines = [line for _, values in sections for line in _mapping(values, 0)]
    return "\n".join(lines) + "\n"


def _mapping(values: Mapping, column: int) -> list[str]:
    lines: list[str] = []
    for key, value in values.items():
        lines += _entry(f"{' ' * column}{scalar(key)}:", value, column)
    return lines


def _entry(head: str, value: Node, column: int) -> list[str]:
    """A key with its value; lists stand at the column of their key, as YAML allows."""
    if isinstance(value, int):
        return [f"{head} {value}"]
    if isinstance(value, str):
        return _text(head, value, column)
    if isinstance(value, dict):
        return [head, *_mapping(value, column + 2)]
    return [head, *(line for each in value for line in _item(each, column))]


def _item(value: Node, column: int) -> list[str]:
    dash = f"{' ' * column}-"
    if not isinstance(value, dict):
        return _entry(dash, value, column)
    first, *rest = _mapping(value, column + 2)
    return [f"{dash} {first.lstrip()}", *rest]


def _text(head: str, text: str, column: int) -> list[str]:
    if "\n" not in text:
        return [f"{head} {scalar(text)}"]
    # The indent is stated where the text's own first line would be taken for it.
    mark = "|2-" if text[0] in " \n" else "|-"
    indent = " " * (column + 2)
    return [f"{head} {mark}", *(f"{indent}{line}" if line else "" for line in text.split("\n"))]
