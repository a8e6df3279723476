"""The arguments of a call: how many, their labels, and what is easily seen of their types.

"(_,at:row.id,{})" is an unlabelled argument of unknown type, one labelled `at`, and a block after
the brackets. Recorded are literals, as one value that represents their kind; types that are
created or cast to ("+Row"); and names, members and calls, whose types linking may know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

_CALLS = """
call_expression invocation_expression method_invocation object_creation_expression new_expression
instance_expression
"""
_CALL_TYPES = frozenset(_CALLS.split())
_LISTS = frozenset({"argument_list", "arguments", "value_arguments"})
_BLOCKS = frozenset({"annotated_lambda", "lambda_literal"})
_COMMENTS = frozenset({"comment", "line_comment", "block_comment", "multiline_comment"})
_MANY = frozenset({"spread_element", "parameter_pack_expansion"})
_WRAPPED = frozenset({"argument", "value_argument"})  # C#, Kotlin, Swift
_DEEPEST = 3  # nodes between a call and the name in it: generics, qualifiers
_MOST = 40  # arguments; longer lists are tables
_LONGEST = 60  # characters of an argument that are read
_NAMED = re.compile(r"(?:this\.|self\.)?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_MADE = re.compile(r"new\s+([\w.]+)")
_CALLED = re.compile(r"(\w+(?:\.\w+)*)\([^()]*\)")
_CAST = re.compile(r"\(([\w.]+)\)")
_NUMBER = re.compile(r"-?\d[\d_]*([lLuU]*)|-?[\d_]*\.?\d[\d_.eE+-]*([fFdDmM]?)")
_WORDS = {"true": "true", "false": "true", "null": "null", "nil": "null", "nullptr": "null"}
_MAKING = frozenset({"object_creation_expression", "new_expression", "cast_expression"})
_SUMS = frozenset({"binary_expression", "additive_expression", "infix_expression"})
_LAMBDAS = frozenset(
    {"lambda_expression", "lambda_literal", "anonymous_function", "arrow_function"}
)


def read_arguments(node: Node, source: SourceText, language: str) -> str:
    """The arguments of the call that a node names; "" if they cannot be counted."""
    call: Node | None = node
    for _ in range(_DEEPEST):
        if call is None or call.type in _CALL_TYPES:
            break
        call = call.parent
    if call is None or call.type not in _CALL_TYPES:
        return _initial(node, source, language) if language == "cpp" else ""
    given = call.child_by_field_name("arguments")
    if given is not None:
        if given.type not in _LISTS:  # Scala: `f { … }`
            return "(_)"
        return _listed(given, source, language)
    if language in ("kotlin", "swift"):
        return _with_blocks(call, source, language)
    return "()"  # `new Row`


def _initial(type_: Node, source: SourceText, language: str) -> str:
    """What a variable of a type is made from in C++: `Row row(1);`, `Row row{1};`, `Row row;`."""
    made = type_.parent
    declarator = made.child_by_field_name("declarator") if made is not None else None
    for around, field in ((made, "value"), (declarator, "value"), (declarator, "parameters")):
        given = around.child_by_field_name(field) if around is not None else None
        if given is not None:
            return _listed(given, source, language)
    return "()" if declarator is not None else ""


def _listed(given: Node, source: SourceText, language: str) -> str:
    if given.named_child_count == 0:
        return "()"
    told = []
    for child in given.named_children:
        kind = child.type
        if kind in _MANY:
            return ""
        if kind not in _COMMENTS:
            told.append(_told(child, kind, source, language))
    return f"({','.join(told)})" if len(told) < _MOST else ""


def told_by(value: Node, source: SourceText) -> str:
    """What a value tells of its type, as one argument of a call."""
    hint = _hint(value, source)
    return f"_:{hint}" if hint else "_"


def _told(child: Node, kind: str, source: SourceText, language: str) -> str:
    """One argument: its label, and what its text says of its type."""
    label, value = "_", child
    if kind in _WRAPPED and child.named_child_count:
        value = child.named_children[-1]
        if child.child_count > 1:
            name = child.child_by_field_name("name")  # C#, Swift
            if name is None and child.children[1].type == "=":  # Kotlin
                name = child.children[0]
            label = source.of(name).strip() if name is not None else label
    elif kind == "assignment_expression" and language == "scala":
        label, value = source.of(child.children[0]), child.children[-1]
    hint = _hint(value, source)
    return f"{label}:{hint}" if hint else label


def _hint(value: Node, source: SourceText) -> str:
    """A text from which a value's type follows: a literal, a name, a call; "" for all others."""
    kind, start, end = value.type, value.start_byte, value.end_byte
    first = source.data[start : start + 1]
    if "string" in kind:
        return '"'
    if first == b'"':  # `"a" + b`, but not `"a" == b`
        return '"' if kind in _SUMS and source.data.find(b"=", start, end) < 0 else ""
    if kind in _LAMBDAS:
        return "{}"
    if end - start > _LONGEST and kind not in _MAKING:
        return ""
    text = source.slice(start, min(end, start + _LONGEST))
    if text in _WORDS:
        return _WORDS[text]
    if _NAMED.fullmatch(text):
        return text
    if first == b"'" and "char" in kind:
        return "'"
    made = _MADE.match(text) or (_CAST.match(text) if kind == "cast_expression" else None)
    if made is not None:
        return f"+{made[1]}" if kind in _MAKING else ""
    called = _CALLED.fullmatch(text)
    if called is not None:
        return called[1] + "()"
    number = _NUMBER.fullmatch(text)
    if number is None:
        return ""
    return "1" if number[1] is not None else "1.0"


def _with_blocks(call: Node, source: SourceText, language: str) -> str:
    """Kotlin and Swift put blocks after the brackets, often as a call around the call."""
    listed, blocks = "()", 0
    for part in _parts(call):
        if part.type in _LISTS:
            listed = _listed(part, source, language)
        blocks += part.type in _BLOCKS
    outer = call.parent if not blocks else None
    if outer is not None and outer.type == "call_expression" and outer.children[0] == call:
        blocks += sum(part.type in _BLOCKS for part in _parts(outer))
    if not blocks or not listed:
        return listed
    given = [listed[1:-1]] if listed != "()" else []
    return f"({','.join([*given, *['{}'] * blocks])})"


def _parts(call: Node) -> Iterator[Node]:
    for child in call.children:
        if child.type == "call_suffix":
            yield from child.children
        else:
            yield child
