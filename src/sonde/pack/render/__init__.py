"""Packs as text: one module per format, registered here by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sonde.model import Item, Pack
from sonde.pack.render import json_format, markdown, xml, yaml_format


class Format(NamedTuple):
    """How a format renders a whole pack, and a single item (to know what the item costs)."""

    render: Callable[[Pack], str]
    fragment: Callable[[Item], str]


FORMATS: dict[str, Format] = {
    "xml": Format(xml.render, xml.fragment),
    "markdown": Format(markdown.render, markdown.fragment),
    "json": Format(json_format.render, json_format.fragment),
    "yaml": Format(yaml_format.render, yaml_format.fragment),
}


def render(pack: Pack, format_name: str) -> str:
    """The pack in the named format (a key of `FORMATS`)."""
    return FORMATS[format_name].render(pack)
