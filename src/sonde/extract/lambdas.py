"""The parameters of a lambda: what they are declared as, or which parameter of which argument.

"#0/1 rows.each" is the first parameter of the function that `rows.each` gets as second argument;
"#this/{} build" is the receiver of the block behind `build`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sonde.extract.chains import LONGEST, condensed
from sonde.extract.definitions import strip_generics
from sonde.extract.loops import UNTOLD

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

_LISTS = frozenset({"argument_list", "arguments", "value_arguments"})
_WRAPPED = frozenset({"argument", "value_argument"})
_BEHIND = frozenset({"annotated_lambda", "call_suffix", "block"})  # `each { … }`
_COMMENTS = frozenset({"comment", "line_comment", "block_comment", "multiline_comment"})
_CALLEES = {
    "call_expression": "function",
    "invocation_expression": "function",
    "new_expression": "constructor",
    "object_creation_expression": "type",
}
# Kotlin's own functions whose blocks have no receiver
_PLAIN_BLOCKS = """
forEach map let also filter takeIf takeUnless use any all none first firstOrNull find mapNotNull
flatMap associate associateBy associateWith groupBy sortedBy lazy repeat require check runCatching
getOrPut forEachIndexed mapIndexed filterNot count sumOf maxByOrNull minByOrNull fold synchronized
"""
_WITHOUT_RECEIVER = frozenset(_PLAIN_BLOCKS.split())
_RECEIVER = "this"
_IT = re.compile(rb"\bit\b")
_SHORTHAND = re.compile(rb"\$(\d)")
_PLAIN = re.compile(r"\w+(?:\.\w+)*")
_BLOCK = "{}"
_KEPT = 100  # characters of a callee

Held = list[tuple[str, str, bool]]


def lambda_parameters(node: Node, source: SourceText) -> Held:
    """Each parameter of a lambda as a binding: its name, its type, and whether that is inferred."""
    named = _named(node, source)
    may_have_receiver = node.type == "lambda_literal" and _is_kotlin(node)
    if not named and not may_have_receiver:
        return []
    argument, callee = _argument(node, source)
    found: Held = []
    if may_have_receiver and callee and callee.rpartition(".")[2] not in _WITHOUT_RECEIVER:
        found.append((_RECEIVER, f"#{_RECEIVER}/{argument} {callee}", True))
    for at, (name, declared) in enumerate(named):
        if declared:
            found.append((name, declared, False))
        elif name.isidentifier() or name[:1] == "$":
            inferred = f"#{at}/{argument} {callee}" if callee else UNTOLD
            found.append((name, inferred, True))
    return found


def _named(node: Node, source: SourceText) -> list[tuple[str, str]]:
    """Names and declared types of a lambda's parameters; a name is "" if several take it apart."""
    one = node.child_by_field_name("parameter") or node.child_by_field_name("parameters")
    if one is None and node.type == "lambda_literal":
        one = _listed_in_block(node)
        if one is None:
            return _nameless(node, source)
    if one is None:
        return []
    if one.named_child_count == 0:
        text = source.of(one)
        return [(text, "")] if text.isidentifier() else []
    return [_parameter(each, source) for each in one.named_children if each.type not in _COMMENTS]


def _listed_in_block(node: Node) -> Node | None:
    """The parameters that Kotlin and Swift write inside the braces."""
    for child in node.named_children[:2]:
        if child.type == "lambda_parameters":
            return child
        if child.type == "lambda_function_type":
            inner = child.named_children[0] if child.named_child_count else None
            named = inner is not None and inner.type == "lambda_function_type_parameters"
            return inner if named else child
    return None


def _nameless(node: Node, source: SourceText) -> list[tuple[str, str]]:
    """The parameters of a block that does not name them: `it` in Kotlin, `$0` in Swift."""
    start, end = node.start_byte, node.end_byte
    if _is_kotlin(node):
        return [("it", "")] if _IT.search(source.data, start, end) else []
    used = {int(each) for each in _SHORTHAND.findall(source.data[start:end])}
    return [(f"${at}", "") for at in range(max(used) + 1)] if used else []


def _is_kotlin(block: Node) -> bool:
    """Whether a block is Kotlin's; Swift has the same name for its own, but puts statements in."""
    inner = block.named_children
    return not inner or inner[-1].type not in ("statements", "lambda_function_type")


def _parameter(node: Node, source: SourceText) -> tuple[str, str]:
    kind = node.type
    if kind in ("identifier", "simple_identifier"):
        return source.of(node), ""
    if kind == "reference_pattern" or kind == "mut_pattern":
        return source.of(node).lstrip("&").removeprefix("mut ").strip(), ""
    if kind in ("lambda_parameter", "variable_declaration"):
        names = node.named_children
        declared = source.of(names[-1]) if len(names) > 1 else ""
        return source.of(names[0]) if names else "", declared.rstrip("?!")
    name = node.child_by_field_name("name") or node.child_by_field_name("pattern")
    if name is None:
        return "", ""
    declared = source.field(node, "type").lstrip(": ").rstrip("?")
    return source.of(name), declared.lstrip("&").removeprefix("mut ")


def _argument(node: Node, source: SourceText) -> tuple[str, str]:
    """Which argument of a call a lambda is, by position or label, and what is called."""
    at, around = node, node.parent
    argument = ""
    for _ in range(4):
        if around is None:
            return "", ""
        kind = around.type
        if kind in _LISTS:
            argument = argument or str(_position(around, at))
        elif kind in _WRAPPED:
            argument = _label(around, at, source)
        elif kind in _BEHIND:
            argument = _BLOCK
        elif argument:
            return argument, _callee(around, source)
        else:
            return "", ""
        at, around = around, around.parent
    return (argument, _callee(around, source)) if around is not None and argument else ("", "")


def _position(list_: Node, argument: Node) -> int:
    before = 0
    for child in list_.named_children:
        if child.start_byte >= argument.start_byte:
            break
        before += child.type not in _COMMENTS
    return before


def _label(wrapped: Node, value: Node, source: SourceText) -> str:
    if wrapped.child_count < 2:
        return ""
    name = wrapped.children[0]
    return source.of(name).strip(" :") if name.start_byte != value.start_byte else ""


def _callee(call: Node, source: SourceText) -> str:
    kind = call.type
    if kind == "method_invocation":
        name = call.child_by_field_name("name")
        text = source.slice(call.start_byte, name.end_byte) if name is not None else ""
    elif kind == "infix_expression":
        text = f"{source.field(call, 'left')}.{source.field(call, 'operator')}"
    elif kind in _CALLEES:
        called = call.child_by_field_name(_CALLEES[kind])
        if called is None and call.named_child_count:
            called = call.named_children[0]
        text = ""
        if called is not None and called.type == "call_expression":  # `each(1) { … }`
            outer = called
            called = outer.child_by_field_name("function") or outer.named_children[0]
            text = source.of(called)
            if text == "with":  # Kotlin: `with(row) { … }` is `row.run { … }`
                text = source.of(outer.named_children[-1])[1:-1] + ".run"
        elif called is not None:
            text = source.of(called)
    else:
        return ""
    if not _PLAIN.fullmatch(text):
        if len(text) > LONGEST:
            return ""
        text = condensed(text.replace("?.", ".").replace("!!.", ".").replace("!.", "."))
        text = strip_generics(text) if "<" in text else text
    return text if len(text) <= _KEPT else ""
