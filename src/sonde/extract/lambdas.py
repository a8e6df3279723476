"""The parameters of a lambda: what they are declared as, or which parameter of which argument.

"#0/1 rows.each" is the first parameter of the function that `rows.each` gets as second argument;
"#this/{} build" is the receiver of the block behind `build`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from sonde.extract.ancestors import Ancestors
from sonde.extract.chains import condensed
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
_SHORTHAND = re.compile(rb"it(?!\w)|\$\d")
_PLAIN = re.compile(r"\w+(?:\.\w+)*")
_BLOCK = "{}"
_LONGEST = 300  # characters of a callee that are read
_KEPT = 100  # characters of it without arguments
_LETTER_I, _DIGIT_0 = b"i0"

Held = list[tuple[str, str, bool]]


class Lambdas:
    """Reads the lambdas of one file."""

    def __init__(self, root: Node, source: SourceText) -> None:
        self._source = source
        self.ancestors = Ancestors(root)
        self._shorthands: list[int] | None = None  # where `it` and `$0` are

    def parameters(self, node: Node) -> Held:
        """Each parameter of a lambda as a binding: name, type, and whether that is inferred."""
        source = self._source
        may_have_receiver = node.type == "lambda_literal" and _is_kotlin(node)
        named = _named(node, source)
        if named is None:
            named = self._nameless(node, may_have_receiver)
        if not named and not may_have_receiver:
            return []
        argument, callee = _argument(node, self.ancestors.of(node), source)
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

    def _nameless(self, node: Node, kotlin: bool) -> list[tuple[str, str]]:
        """The parameters of a block that does not name them: `it` in Kotlin, `$0` in Swift."""
        data = self._source.data
        if self._shorthands is None:  # once, as blocks are nested
            self._shorthands = [each.start() for each in _SHORTHAND.finditer(data)]
        known, end = self._shorthands, node.end_byte
        most = -1
        for at in range(bisect_left(known, node.start_byte), len(known)):
            byte = known[at]
            if byte >= end:
                break
            if kotlin:
                before = data[byte - 1 : byte]
                if data[byte] == _LETTER_I and not (before.isalnum() or before == b"_"):
                    return [("it", "")]
            elif data[byte] != _LETTER_I:
                most = max(most, data[byte + 1] - _DIGIT_0)
        return [(f"${at}", "") for at in range(most + 1)]


def _named(node: Node, source: SourceText) -> list[tuple[str, str]] | None:
    """Names and declared types of a lambda's parameters; a name is "" if several take it apart.
    None for a block that may have some without naming them."""
    one = node.child_by_field_name("parameter") or node.child_by_field_name("parameters")
    if one is None and node.type == "lambda_literal":
        one = _listed_in_block(node)
        if one is None:
            return None
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


def _argument(node: Node, around: list[Node], source: SourceText) -> tuple[str, str]:
    """Which argument of a call a lambda is, by position or label, and what is called."""
    at, argument = node, ""
    for each in reversed(around[-5:]):
        kind = each.type
        if kind in _LISTS:
            argument = argument or str(_position(each, at))
        elif kind in _WRAPPED:
            argument = _label(each, at, source)
        elif kind in _BEHIND:
            argument = _BLOCK
        else:
            return (argument, _callee(each, source)) if argument else ("", "")
        at = each
    return "", ""


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
        if len(text) > _LONGEST:
            return ""
        text = condensed(text.replace("?.", ".").replace("!!.", ".").replace("!.", "."))
        text = strip_generics(text) if "<" in text else text
    return text if len(text) <= _KEPT else ""
