"""RSpec: what `described_class`, `subject` and the names of `let` stand for, block by block."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from sonde.extract.chains import condensed

if TYPE_CHECKING:
    from sonde.extract.spans import Captures
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

_GROUPS = frozenset(
    b"describe context feature fdescribe fcontext xdescribe xcontext shared_examples "
    b"shared_examples_for shared_context".split()
)
_HELPERS = frozenset(b"let let! subject subject! given".split())
_LANGUAGE = """
describe context feature shared_examples shared_context it specify example scenario before after
around let subject given expect is_expected it_behaves_like include_examples include_context
pending skip
"""
_WORDS = frozenset(_LANGUAGE.split())
_MARK = re.compile(rb"^[ \t]*(?:RSpec\.)?x?f?describe[ (]", re.MULTILINE)
_CONSTANT = re.compile(r"(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*")
_FIRST = re.compile(r"[a-z_]\w*")
_CLASS = re.compile(r"Class\.new\((?P<base>[A-Z][\w:]*|described_class)\)")
_CHAIN = re.compile(r"(?:[A-Z][\w:]*|[a-z_]\w*)(?:&?\.\w+[?!]?(?:\([_,]*\))?)*")
_MOST = 6  # substitutions of one name by another
_LONGEST = 110


class _Group(NamedTuple):
    start: int
    end: int
    parent: int  # index of the group around it, -1 for none
    names: dict[str, str]  # what names stand for in it, "" if unknown


class Specs:
    """The example groups of one file and what their names stand for."""

    words = _WORDS

    def __init__(self, groups: list[_Group]) -> None:
        self._groups = groups
        self._starts = [group.start for group in groups]
        self._names = {name for group in groups for name in group.names}

    def meant(self, byte: int, receiver: str) -> str:
        """A receiver, its first name replaced by the expression it stands for at a position."""
        for _ in range(_MOST):
            first = _FIRST.match(receiver)
            if first is None or first[0] not in self._names:
                break
            rest = receiver[first.end() :]
            told = self._told(byte, first[0]) if rest[:1] in ("", ".", "&") else ""
            if not told or len(told) + len(rest) > _LONGEST:
                break
            receiver = told + rest
        return receiver

    def _told(self, byte: int, name: str) -> str:
        at = bisect_right(self._starts, byte) - 1
        while at >= 0:
            group = self._groups[at]
            if byte < group.end and name in group.names:
                return group.names[name]
            at = group.parent
        return ""


def read_specs(captures: Captures, source: SourceText) -> Specs | None:
    """The example groups of a file; None if there are none."""
    if _MARK.search(source.data) is None:
        return None
    locals_ = {source.of(node) for node in captures.get("local", ())}
    groups: list[_Group] = []
    around: list[int] = []
    for call in sorted(captures.get("ref.call", ()), key=lambda node: node.start_byte):
        word = _word(call, source)
        is_group = word in _GROUPS
        if not is_group and word not in _HELPERS:
            continue
        block = call.child_by_field_name("block")
        if block is None:
            continue
        while around and groups[around[-1]].end <= call.start_byte:
            around.pop()
        if is_group:
            parent = around[-1] if around else -1
            around.append(len(groups))
            groups.append(_Group(call.start_byte, call.end_byte, parent, _described(call, source)))
        elif around:
            told = _told(block, source)
            for name in _helped(call, word, source):
                if name not in locals_:
                    groups[around[-1]].names[name] = told
    return Specs(groups) if groups else None


def _word(call: Node, source: SourceText) -> bytes:
    method = call.child_by_field_name("method")
    return source.data[method.start_byte : method.end_byte] if method is not None else b""


def _described(group: Node, source: SourceText) -> dict[str, str]:
    arguments = group.child_by_field_name("arguments")
    first = source.of(arguments.named_children[0]) if arguments and arguments.named_children else ""
    if not _CONSTANT.fullmatch(first):
        return {}
    name = first.removeprefix("::")
    return {"described_class": name, "subject": f"{name}.new()"}


def _helped(call: Node, word: bytes, source: SourceText) -> list[str]:
    """The names that a helper defines; a named subject is also available as `subject`."""
    arguments = call.child_by_field_name("arguments")
    given = arguments.named_children[:1] if arguments is not None else []
    names = [source.of(each).strip(":\"'") for each in given]
    return [*names, "subject"] if word.startswith(b"subject") else names


def _told(block: Node, source: SourceText) -> str:
    """The expression of a block that is a single chain of calls, "" for all others."""
    body = block.child_by_field_name("body")
    if body is None or body.named_child_count != 1:
        return ""
    made = body.named_children[0]
    inner = made.child_by_field_name("block") if made.type == "call" else None
    text = source.slice(made.start_byte, inner.start_byte if inner is not None else made.end_byte)
    kind = _CLASS.match(text.strip())
    if kind is not None:
        return kind["base"]
    text = _with_brackets(made, text.strip(), source)
    return text if inner is None and _CHAIN.fullmatch(text) else ""


def _with_brackets(made: Node, text: str, source: SourceText) -> str:
    """`Row.new 1` as `Row.new(1)`, and all calls without their arguments."""
    arguments = made.child_by_field_name("arguments") if made.type == "call" else None
    if arguments is not None and source.data[arguments.start_byte] != ord("("):
        head = source.slice(made.start_byte, arguments.start_byte).rstrip()
        return condensed(head) + "(_)"
    return condensed(text) + ("()" if text.endswith(".new") else "")
