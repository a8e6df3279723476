"""A context pack as one JSON object with the same keys as the YAML form."""

from __future__ import annotations

import json
from collections.abc import Sequence

from sonde.session.document import Mapping


def render(sections: Sequence[tuple[str, Mapping]]) -> str:
    """One JSON object, one key per line."""
    rows = [
        f"{json.dumps(key)}:{json.dumps(value, ensure_ascii=False, separators=(',', ':'))}"
        for _, values in sections
        for key, value in values.items()
    ]
    return "{" + ",\n".join(rows) + "}\n"
