"""Context packs as text: one module for each format, registered here by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sonde.session.document import Mapping
from sonde.session.render import json_document, markdown_document, xml_document, yaml_document

Sections = Sequence[tuple[str, Mapping]]
FORMATS: dict[str, Callable[[Sections], str]] = {
    "yaml": yaml_document.render,
    "json": json_document.render,
    "markdown": markdown_document.render,
    "xml": xml_document.render,
}
DEFAULT_FORMAT = "yaml"
