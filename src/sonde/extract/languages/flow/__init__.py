"""Flow: JavaScript with types, read by the grammar of TSX, which knows most of them.

A file is read so if a comment before its code says `@flow`. It stays a JavaScript file for all
that users see, and for links.
"""

from __future__ import annotations

from dataclasses import replace

from sonde.extract.languages.flow.annotations import plain
from sonde.extract.languages.typescript import SPECS

SPEC = replace(
    SPECS["tsx"],
    name="javascript",
    queries=(
        "../javascript/ecmascript.scm",
        "../javascript/jsx.scm",
        "../typescript/tags.scm",
    ),
    overloads=False,
    repair=plain,
)
