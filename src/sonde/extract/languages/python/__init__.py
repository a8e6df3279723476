"""Python: decorators wrap definitions, instance attributes appear in methods, docs are strings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sonde.extract.loops import gone_over, member_of
from sonde.extract.renamed import another_name
from sonde.extract.spec import Draft, LanguageSpec
from sonde.model import Import, Kind

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_FIELD = Kind.FIELD
_METHOD = Kind.METHOD
_VARIABLE = Kind.VARIABLE
_HOLDERS = frozenset({Kind.FIELD, Kind.VARIABLE, Kind.CONSTANT})
_ALIASES = ("TypeAlias", "typing.TypeAlias")
_NAMES = frozenset({"identifier", "attribute"})
_BRANCHING = frozenset({"if_statement", "try_statement"})
_BASE = re.compile(r"(\w+)\s*[,)]")
_ENUMS = frozenset({"Flag", "IntFlag", "Choices", "TextChoices", "IntegerChoices"})
_LOOPS = frozenset({"for_statement", "for_in_clause"})
_PROPERTIES = ("property", "cached_property", "functools.cached_property", "abc.abstractproperty")
_OVERLOAD = frozenset({"overload", "t.overload", "typing.overload", "typing_extensions.overload"})


def _grammar() -> object:
    import tree_sitter_python

    return tree_sitter_python.language()


def _visibility(name: str, header: str) -> str:
    if name.startswith("__") and name.endswith("__") and name.strip("_"):
        return "public"
    return "private" if name.startswith("_") else "public"


def _imports(node: Node, source: SourceText) -> Iterable[Import]:
    line = source.line(node.start_byte)
    if node.type == "import_statement":
        for child in node.children_by_field_name("name"):
            name, alias = _name_and_alias(child, source)
            yield Import(name, "", alias or name.partition(".")[0], 0, line)
        return
    module = source.field(node, "module_name") or "__future__"
    level = len(module) - len(module.lstrip("."))
    module = module[level:].strip()
    names = node.children_by_field_name("name")
    if not names and any(child.type == "wildcard_import" for child in node.named_children):
        yield Import(module, "*", "*", level, line, True)
    for child in names:
        name, alias = _name_and_alias(child, source)
        yield Import(module, name, alias or name, level, line, True)


def _name_and_alias(node: Node, source: SourceText) -> tuple[str, str]:
    if node.type == "aliased_import":
        return source.field(node, "name"), source.field(node, "alias")
    return source.of(node), ""


def _refine(draft: Draft, node: Node, source: SourceText) -> bool:
    kind, name = draft["kind"], draft["name"]
    if node.type == "type_alias_statement":
        short = name.partition("[")[0]  # type Pair[T] = tuple[T, T]
        draft["name"], draft["qualname"] = short, draft["qualname"].removesuffix(name) + short
    elif kind in _HOLDERS:
        if kind is _VARIABLE and name.isupper() and len(name) > 1:
            draft["kind"] = Kind.CONSTANT
        right = node.child_by_field_name("right")
        draft["returns"] = source.field(node, "type")
        if draft["returns"] in _ALIASES and right is not None:
            draft["kind"] = Kind.TYPE_ALIAS
            draft["returns"] = source.of(right)[:120]
        if not draft["returns"] and right is not None and right.type == "call":
            draft["returns"] = source.field(right, "function") + "()"
        elif not draft["returns"] and kind is _VARIABLE and right is not None:
            told = another_name(source.of(right)) if right.type in _NAMES else ""
            draft["returns"] = (
                "" if told and _is_another_elsewhere(node, name, told, source) else told
            )
        if kind is _FIELD and right is not None and _is_of_enum(node, right, source):
            draft["returns"] = draft["qualname"].rpartition(".")[0]
    elif kind is _METHOD and any(
        mark in _PROPERTIES or mark.endswith((".setter", ".getter", ".deleter"))
        for mark in draft["decorators"]
    ):
        draft["kind"] = Kind.PROPERTY
    else:
        draft["declared"] = not _OVERLOAD.isdisjoint(draft["decorators"])
    return True


def _is_of_enum(node: Node, value: Node, source: SourceText) -> bool:
    """Whether an assignment in the body of a class makes a member of an enum, an instance of it."""
    start = node.start_byte
    if source.data.startswith((b"self.", b"cls.", b"_"), start) or value.type == "lambda":
        return False
    statement = node.parent
    body = statement.parent if statement is not None else None
    around = body.parent if body is not None and body.type == "block" else None
    if around is None or around.type != "class_definition":
        return False
    bases = _BASE.findall(source.field(around, "superclasses"))
    return any(each.endswith("Enum") or each in _ENUMS for each in bases)


def _is_another_elsewhere(node: Node, name: str, told: str, source: SourceText) -> bool:
    """Whether another branch of the `if` or `try` around an assignment gives another type."""
    block = node.parent.parent if node.parent is not None else None
    around = block.parent if block is not None else None
    if block is None or around is None or around.type not in _BRANCHING:
        return False
    assigned = re.compile(rf"^\s*{re.escape(name)}\s*=\s*([\w.]+)\s*$", re.MULTILINE)
    others = (source.of(each) for each in around.named_children if each != block)
    found = (another_name(value) for other in others for value in assigned.findall(other))
    return any(each and each != told for each in found)


def _binding(node: Node, source: SourceText) -> Iterable[tuple[str, str, bool]]:
    kind = node.type  # a new text each time it is read
    if kind == "as_pattern":
        call, target = node.named_children[0], node.child_by_field_name("alias")
        if target is not None:
            yield source.of(target), source.field(call, "function"), True
        return
    name, declared = source.field(node, "left"), source.field(node, "type")
    if kind in _LOOPS:
        yield from _loop(name, source.field(node, "right"))
    elif declared:
        yield name, declared, False
    else:
        right = node.child_by_field_name("right")
        if right is None:
            return
        kind = right.type
        if kind == "await":
            right = right.named_children[0]
            kind = right.type
        if kind == "identifier":
            if name.startswith("self."):  # most often a parameter
                yield name, f"={source.of(right)}", True
        elif kind in ("attribute", "subscript"):
            yield from member_of(name, source.of(right))
        else:
            yield name, source.field(right, "function"), True


def _loop(name: str, over: str) -> Iterable[tuple[str, str, bool]]:
    """The variable of a loop; of two the second, the value of `items()` and `enumerate()`."""
    if "," not in name:
        yield from gone_over(name, over)
        return
    second = name.partition(",")[2].strip()
    if over.endswith(".items()"):
        yield from gone_over(second, f"{over.removesuffix('.items()')}.values()")
    elif over.startswith("enumerate(") and over.endswith(")"):
        yield from gone_over(second, over[len("enumerate(") : -1])


SPEC = LanguageSpec(
    name="python",
    grammar=_grammar,
    bases_fields=("superclasses",),
    name_fields={
        "assignment": "left",
        "type_alias_statement": "left",
        "identifier": "",  # one of several names on the left
        "attribute": "",
    },
    constructors=frozenset({"__init__", "__new__"}),
    self_names=frozenset({"self", "cls"}),
    comment_prefixes=(),
    visibility=_visibility,
    imports=_imports,
    refine=_refine,
    binding=_binding,
)
