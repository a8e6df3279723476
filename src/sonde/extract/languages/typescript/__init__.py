"""TypeScript and TSX: JavaScript with declared types."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from sonde.extract.languages.javascript import SPEC as JAVASCRIPT

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

_MEMBERS = frozenset({"method_signature", "property_signature"})
_AROUND_MEMBERS = frozenset({"object_type", "intersection_type", "union_type"})


def _typescript() -> object:
    import tree_sitter_typescript

    return tree_sitter_typescript.language_typescript()


def _tsx() -> object:
    import tree_sitter_typescript

    return tree_sitter_typescript.language_tsx()


# The end of the line before a generic call signature, with which the grammar would go on; comments
# are matched too, and left as they are.
_MEMBER_END = re.compile(
    rb"//[^\n]*\n|/\*(?:[^*]|\*(?!/))*+\*/"
    rb"|(?<=[\w>\])])(?P<end>\n)(?=(?:\s|//[^\n]*\n)*+<[A-Z]\w*[^\n;{}]*\()"
)
# `load<typeof import('./cart')>()`: to the grammar two comparisons
_TYPE_OF_MODULE = re.compile(rb"""(?<=<typeof )import\((?:'[^'\n]*'|"[^"\n]*")\)(?=>\()""")


def _repair(data: bytes) -> bytes:
    """End the member before each generic call signature."""
    ended = _MEMBER_END.sub(lambda found: b";" if found["end"] else found[0], data)
    return _repair_arguments(ended)


def _repair_arguments(data: bytes) -> bytes:
    """Give a name to a module whose type is given to a call."""
    return _TYPE_OF_MODULE.sub(lambda found: b"import".ljust(len(found[0]), b"_"), data)


def _owner(node: Node, source: SourceText) -> str:
    """The alias whose object type has a member: `type Row = { save(): void }`."""
    if node.type in _MEMBERS:
        outer = node.parent
        while outer is not None and outer.type in _AROUND_MEMBERS:
            outer = outer.parent
        if outer is not None and outer.type == "type_alias_declaration":
            return source.field(outer, "name")
    return JAVASCRIPT.owner(node, source)


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
    owner=_owner,
    repair=_repair,
    value_fields={**JAVASCRIPT.value_fields, "public_field_definition": "value"},
)
SPECS = {
    "typescript": SPEC,
    "tsx": replace(
        SPEC,
        name="tsx",
        grammar=_tsx,
        queries=(_SHARED, "../javascript/jsx.scm", "tags.scm"),
        repair=_repair_arguments,  # there a line may begin with markup
    ),
}
