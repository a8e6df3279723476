"""Calls in a class body that define methods: attributes, associations, scopes, delegates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.extract.definitions import collapse
from sonde.extract.spec import Draft
from sonde.model import Kind

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

# each symbol is a name; for the last two, each but the first, which names the delegate
_LISTS = """
attr attr_reader attr_writer attr_accessor cattr_reader cattr_writer cattr_accessor mattr_reader
mattr_writer mattr_accessor thread_mattr_accessor class_attribute delegate
store_accessor def_delegators
"""
_AFTER_FIRST = frozenset({b"store_accessor", b"def_delegators"})
# the first argument is the name, and the call the definition
_METHODS = "define_method define_singleton_method alias_method scope"
_PROPERTIES = """
belongs_to has_one has_many has_and_belongs_to_many has_one_attached has_many_attached
has_rich_text embeds_one embeds_many alias_attribute enum
"""
_SYMBOLS = frozenset(_LISTS.encode().split())
_CALLS = {
    **dict.fromkeys(_METHODS.encode().split(), Kind.METHOD),
    **dict.fromkeys(_PROPERTIES.encode().split(), Kind.PROPERTY),
}
_ANYWHERE = frozenset({b"define_method", b"define_singleton_method", b"alias_method"})
_NAMES = ("simple_symbol", "string")
_SIGNATURE_LIMIT = 300


def defines(symbol: Node, source: SourceText) -> bool:
    """Whether a symbol among a call's arguments is the name of what the call defines."""
    arguments = symbol.parent
    call = arguments.parent if arguments is not None else None
    word = _word(call, source)
    if arguments is None or word not in _SYMBOLS:
        return False
    if word in _AFTER_FIRST:
        return arguments.named_children[0].start_byte != symbol.start_byte
    # a prefix produces names that are not written anywhere
    return (
        word != b"delegate"
        or b"prefix:" not in source.data[arguments.start_byte : arguments.end_byte]
    )


def defining_word(symbol: Node, source: SourceText) -> str:
    """The call that defines what a symbol names: `attr_reader`."""
    arguments = symbol.parent
    call = arguments.parent if arguments is not None else None
    return _word(call, source).decode("utf-8", "replace")


def named_by_call(call: Node, source: SourceText) -> Node | None:
    """The name of what a call defines; the last for `def_delegator :@list, :first, :head`."""
    word = _word(call, source)
    arguments = call.child_by_field_name("arguments")
    given = arguments.named_children if arguments is not None else []
    if word == b"def_delegator":
        return given[-1] if len(given) > 1 and given[-1].type in _NAMES else None
    if not given or word not in _CALLS:
        return None
    if given[0].type == "pair" and word == b"enum":
        return given[0].child_by_field_name("key")
    if word == b"scope" and (len(given) < 2 or call.child_by_field_name("block") is not None):
        return None  # of routes
    return given[0] if given[0].type in _NAMES else None


def refine_call(draft: Draft, call: Node, source: SourceText) -> bool:
    """Set kind and signature, as written up to a block; False if no type gets methods."""
    word = _word(call, source)
    draft["kind"] = _CALLS.get(word, Kind.METHOD)
    if not draft["parent"] and word not in _ANYWHERE:
        return False
    block = call.child_by_field_name("block")
    end = block.start_byte if block is not None else call.end_byte
    text = source.slice(call.start_byte, min(end, call.start_byte + 2 * _SIGNATURE_LIMIT))
    draft["signature"] = collapse(text.partition("\n")[0], _SIGNATURE_LIMIT)
    return True


def _word(call: Node | None, source: SourceText) -> bytes:
    method = call.child_by_field_name("method") if call is not None else None
    return source.data[method.start_byte : method.end_byte] if method is not None else b""
