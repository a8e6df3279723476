"""Macros around definitions: what stands in `pin_project! { … }` is read as if it stood alone.

A macro takes tokens, so the grammar sees no definitions in them. Those of a macro between items
are taken for definitions if they are all that it was given, and the grammar can read every one.
Inside a function the same tokens may be data (`quote! { … }`), and what a macro has a syntax of its
own for (`bitflags!`) stays closed. In tokio this gives 918 more symbols, in tower-http 196.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sonde.extract.spec import load_query

if TYPE_CHECKING:
    from sonde.extract.spec import Node

# A macro at the start of a line whose braces begin with a definition, below comments and attributes
# or in a branch (`if #[cfg(unix)] { … }`), or with another macro.
ITEM_MACRO = re.compile(
    rb"^[ \t]*+(?:\w++::)*+\w++! ?\{(?:\s++|//[^\n]*+|/\*.*?\*/|#\[(?:[^\[\]]|\[[^\]]*+\])*+\])*+"
    rb"(?:(?:pub|struct|enum|union|fn|impl|trait|static|const|mod|type|unsafe|async|extern|use)\b"
    rb"|if\s*+#\[|(?:\w++::)*+\w++! ?\{)",
    re.MULTILINE | re.DOTALL,
)
_DEEPEST = 4  # macros in macros
_DEFINITIONS = frozenset(
    f"{kind}_item"
    for kind in ("struct", "enum", "union", "function", "impl", "trait", "static", "const", "type")
)
_OTHERS = """mod_item use_declaration extern_crate_declaration attribute_item line_comment
block_comment macro_invocation macro_definition empty_statement function_signature_item"""
_BESIDE = frozenset(_OTHERS.split())
_AROUND = frozenset({"mod_item", "impl_item", "trait_item", "declaration_list"})
_NOT_NEWLINE = re.compile(rb"[^\r\n]")


def without_item_macros(text: bytes) -> bytes:
    """The text with the braces of such macros blank; what was inside is where it was."""
    for _ in range(_DEEPEST):
        mended = _opened(text)
        if mended == text:
            break
        text = mended
    return text


def _opened(text: bytes) -> bytes:
    mended = bytearray(text)
    for macro, tokens in _item_macros(_parsed(text)):
        inside = _branches(tokens, text)
        if not _holds_definitions(inside):
            continue
        first, last = tokens.start_byte, tokens.end_byte - 1
        mended[first + 1 : last + 1] = inside + b" "
        if text[first - 1 : first] == b" ":
            mended[first - 1 : first + 1] = b"{}"  # the macro is still used here
        else:
            head = slice(macro.start_byte, first + 1)
            mended[head] = _NOT_NEWLINE.sub(b" ", text[head])
    return bytes(mended)


def _parsed(text: bytes) -> Node:
    parser, _ = load_query("rust")
    return parser.parse(text).root_node


def _item_macros(root: Node) -> Iterator[tuple[Node, Node]]:
    """Each macro that stands where definitions do, with its tokens in braces."""
    waiting = [root]
    while waiting:
        for child in waiting.pop().named_children:
            if child.type in _AROUND:
                waiting.append(child)
            elif child.type == "macro_invocation":
                tokens = child.named_children[-1]
                if tokens.type == "token_tree" and tokens.children[0].type == "{":
                    yield child, tokens


def _branches(tokens: Node, text: bytes) -> bytes:
    """What the braces hold; of `if #[…] { … } else { … }` only what the inner braces hold."""
    start = tokens.start_byte + 1
    inside = bytearray(text[start : tokens.end_byte - 1])
    parts = tokens.children[1:-1]
    if not parts or parts[0].type != "if":
        return bytes(inside)
    held = [part for part in parts if part.type == "token_tree" and part.children[0].type == "{"]
    at = 0
    for each in held:
        first, last = each.start_byte + 1 - start, each.end_byte - 1 - start
        inside[at:first] = _NOT_NEWLINE.sub(b" ", inside[at:first])
        at = last
    inside[at:] = _NOT_NEWLINE.sub(b" ", inside[at:])
    return bytes(inside)


def _holds_definitions(inside: bytes) -> bool:
    """Whether it is nothing but items, and one of them or a macro around one at least."""
    root = _parsed(inside)
    kinds = {child.type for child in root.named_children}
    if root.has_error or not kinds <= _DEFINITIONS | _BESIDE:
        return False
    return not kinds.isdisjoint(_DEFINITIONS | {"mod_item", "macro_invocation", "use_declaration"})
