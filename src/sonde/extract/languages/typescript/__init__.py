"""TypeScript and TSX: JavaScript with declared types."""

from __future__ import annotations

from dataclasses import replace

from sonde.extract.languages.javascript import SPEC as JAVASCRIPT


def _typescript() -> object:
    import tree_sitter_typescript

    return tree_sitter_typescript.language_typescript()


def _tsx() -> object:
    import tree_sitter_typescript

    return tree_sitter_typescript.language_tsx()


_SHARED = "../javascript/ecmascript.scm"

SPEC = replace(
    JAVASCRIPT,
    name="typescript",
    grammar=_typescript,
    heads="bare",
    queries=(_SHARED, "tags.scm"),
    bases_fields=("(class_heritage extends_type_clause)",),
    name_fields={
        **JAVASCRIPT.name_fields,
        "property_identifier": "",
        "required_parameter": "pattern",
        "optional_parameter": "pattern",
    },
    overloads=True,
    value_fields={**JAVASCRIPT.value_fields, "public_field_definition": "value"},
)
SPECS = {
    "typescript": SPEC,
    "tsx": replace(
        SPEC, name="tsx", grammar=_tsx, queries=(_SHARED, "../javascript/jsx.scm", "tags.scm")
    ),
}
