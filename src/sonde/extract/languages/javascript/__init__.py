"""JavaScript: functions are named by what they are assigned to; CommonJS and ES modules.

TypeScript shares everything here and adds its own declarations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sonde.extract.languages.javascript.exports import assigned, exported
from sonde.extract.languages.javascript.mixins import made_bases
from sonde.extract.loops import gone_over, member_of
from sonde.extract.params import read_params
from sonde.extract.renamed import another_name
from sonde.extract.spec import Draft, LanguageSpec
from sonde.extract.text_of import child_of
from sonde.model import Import, Kind

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

_LOADERS = frozenset({"require", "import"})
_MODULE = frozenset({"module", "exports", "module.exports"})
_REBOUND = re.compile(r"this\.(#?\w+)\s*=\s*this\.\1\.bind\(this\)")  # still the method itself
_RETURNS_THIS = re.compile(r"\breturn this\s*[;}\n]")  # builders
_ACCESSORS = frozenset({"get", "set"})
_EXPRESSIONS = frozenset({"function_expression", "generator_function", "class"})
_NAMED_BY = frozenset(  # nodes that name a function or class written as a value
    {"assignment_expression", "variable_declarator", "pair", "field_definition"}
    | {"public_field_definition"}
)
_MEMBERS = frozenset({"method_definition", "field_definition", "public_field_definition"})
_NAMES = frozenset({"identifier", "member_expression"})
_FREE = frozenset(  # definitions that are never members, whatever surrounds them
    {"function_declaration", "generator_function_declaration", "function_signature"}
    | {"variable_declarator"}
)
_HEADER = re.compile(  # shebang, comments and directives before the code
    rb"(?:\xef\xbb\xbf)?(?:#![^\n]*+)?"
    rb"(?:\s++|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/|'use \w++';?|\"use \w++\";?)*+"
)
_FLOW = re.compile(rb"@flow\b")
# words of statements that are read as members where braces do not match
_STATEMENTS = frozenset(
    {"if", "for", "while", "switch", "catch", "with", "function", "return", "await", "else", "do"}
    | {"try", "throw", "yield", "case"}
)
_BODIES = frozenset({"class_body", "interface_body", "object_type"})
_CASTS = frozenset(
    {"parenthesized_expression", "as_expression", "satisfies_expression", "type_assertion"}
    | {"non_null_expression"}
)
_MOST_CASTS = 6  # in one another


def _grammar() -> object:
    import tree_sitter_javascript

    return tree_sitter_javascript.language()


def _dialect(data: bytes) -> str:
    header = _HEADER.match(data) if b"@flow" in data else None
    return "flow" if header and _FLOW.search(data, 0, header.end()) else ""


def _visibility(name: str, header: str) -> str:
    if name.startswith("#"):
        return "private"
    words = header.split()
    return next((word for word in ("private", "protected") if word in words), "public")


def _imports(node: Node, source: SourceText) -> Iterable[Import]:
    line = source.line(node.start_byte)
    if node.type == "call_expression" or source.of(node) in _LOADERS:
        return _called_import(node, source, line)
    if node.type in ("identifier", "member_expression"):
        return assigned(node, source, line)
    module = _unquoted(source.field(node, "source"))
    if node.type == "export_statement":
        return _reexports(node, source, module, line) if module else exported(node, source, line)
    return _import_statement(node, source, module, line)


def _import_statement(node: Node, source: SourceText, module: str, line: int) -> Iterable[Import]:
    required = child_of(node, "(import_require_clause)")
    if required is not None:  # import x = require("y")
        module = _unquoted(source.field(required, "source"))
        yield Import(module, "", source.field(required, "(identifier)"), 0, line)
        return
    clause = child_of(node, "(import_clause)")
    if clause is None:
        if module:
            yield Import(module, "", "", 0, line)
        return
    for child in clause.named_children:
        if child.type == "identifier":
            yield Import(module, "default", source.of(child), 0, line)
        elif child.type == "namespace_import":
            yield Import(module, "", source.field(child, "(identifier)"), 0, line)
        elif child.type == "named_imports":
            for name, alias in _specifiers(child, source):
                yield Import(module, name, alias, 0, line)


def _reexports(node: Node, source: SourceText, module: str, line: int) -> Iterable[Import]:
    clause = child_of(node, "(export_clause)")
    if clause is not None:
        for name, alias in _specifiers(clause, source):
            yield Import(module, name, alias, 0, line, True)
        return
    namespace = child_of(node, "(namespace_export)")
    if namespace is not None:
        yield Import(module, "", source.field(namespace, "(identifier)"), 0, line, True)
    else:
        yield Import(module, "*", "*", 0, line, True)


def _specifiers(node: Node, source: SourceText) -> Iterable[tuple[str, str]]:
    for child in node.named_children:
        name = _unquoted(source.field(child, "name"))
        if name:
            yield name, source.field(child, "alias") or name


def _called_import(node: Node, source: SourceText, line: int) -> Iterable[Import]:
    """`require("x")` and `import("x")`, with the names their result is bound to."""
    call = node if node.type == "call_expression" else node.parent
    arguments = call.child_by_field_name("arguments") if call is not None else None
    text = child_of(arguments, "(string)") if arguments is not None else None
    if call is None or text is None:
        return
    module, name = _unquoted(source.of(text)), ""
    outer = call.parent
    if outer is not None and outer.type == "await_expression":
        outer = outer.parent
    if outer is not None and outer.type == "member_expression":  # require("x").y
        name, outer = source.field(outer, "property"), outer.parent
    if outer is None or outer.type != "variable_declarator":
        yield Import(module, name, "", 0, line)
        return
    target = outer.child_by_field_name("name")
    if target is None or target.type != "object_pattern":
        yield Import(module, name, source.of(target) if target is not None else "", 0, line)
        return
    for child in target.named_children:
        key, _, alias = source.of(child).partition("=")[0].partition(":")
        yield Import(module, key.strip(), alias.strip() or key.strip(), 0, line)


def _unquoted(text: str) -> str:
    return text.strip("\"'`")


def _object_name(node: Node, source: SourceText) -> str:
    """The variable an object literal is assigned to, or the class it is the prototype of."""
    holder = node.parent
    if holder is not None and holder.type in ("as_expression", "satisfies_expression"):
        holder = holder.parent
    if holder is not None and holder.type == "arguments" and holder.parent is not None:
        holder = holder.parent.parent  # const load = action({ perform() {} })
    if holder is None:
        return ""
    if holder.type == "assignment_expression":
        owner, _, last = source.field(holder, "left").rpartition(".")
        return owner if last == "prototype" else ""
    return source.field(holder, "name")


def _owner(node: Node, source: SourceText) -> str:
    """The object in `object[key] = function () {}`; dots in the key do not separate owners. What
    it is cast to says nothing of it: `(row as Shown).show = () => {}`."""
    left = node.child_by_field_name("left") if node.type == "assignment_expression" else None
    held = left.child_by_field_name("object") if left is not None else None
    if left is None or held is None:
        return ""
    if left.type == "subscript_expression":
        return source.of(held)
    cast = held.type in _CASTS
    for _ in range(_MOST_CASTS):
        if held.type in _CASTS and held.named_children:
            held = held.named_children[-1 if held.type == "type_assertion" else 0]
    return " ".join(source.of(held).split()) if cast and held.type != "this" else ""


def _accessor(node: Node, source: SourceText) -> tuple[str, str]:
    """Owner and name defined by `Object.defineProperties(Type.prototype, {name: {…}})`."""
    literal = node.parent
    holder = literal.parent if literal is not None and literal.type == "object" else None
    if holder is None or holder.parent is None:
        return "", ""
    name = source.field(holder, "key") if holder.type == "pair" else ""
    arguments = holder.parent.parent if holder.type == "pair" else holder
    call = arguments.parent if arguments is not None and arguments.type == "arguments" else None
    if call is None or arguments is None or not arguments.named_children:
        return "", ""
    maker = source.field(call, "function")
    if maker == "Object.defineProperty" and arguments.named_child_count == 3:
        name = source.of(arguments.named_children[1])
    elif maker != "Object.defineProperties" or not name:
        return "", ""
    owner = source.of(arguments.named_children[0]).removesuffix(".prototype")
    return owner, name.strip("\"'`")


def _refine(draft: Draft, node: Node, source: SourceText) -> bool:
    if draft["name"] in _ACCESSORS:
        owner, name = _accessor(node, source)
        if name and owner.replace(".", "").isidentifier():
            draft.update(name=name, qualname=f"{owner}.{name}", owner=owner, kind=Kind.PROPERTY)
    if draft["name"] in _STATEMENTS and _is_statement(node):
        return False
    if node.type in _EXPRESSIONS and node.parent is not None and node.parent.type in _NAMED_BY:
        return False  # named by what it is assigned to
    if node.type == "assignment_expression" and not _assigned(draft, node, source):
        return False
    kind = draft["kind"]
    if kind is Kind.CLASS and "(" in draft["signature"]:
        draft["bases"] = made_bases(draft["signature"]) or draft["bases"]
    if node.type in _MEMBERS:
        draft["static"] = "static" in draft["signature"].partition("(")[0].split()
    draft["declared"] = node.type.endswith("_signature")
    if kind is Kind.FUNCTION and node.parent is not None and node.parent.type == "class_body":
        draft["kind"] = Kind.METHOD  # of a class without a name
    if kind is Kind.METHOD and node.type in _FREE:
        draft["kind"] = Kind.FUNCTION
    if node.type == "variable_declarator":
        value = node.child_by_field_name("value")
        if kind is Kind.VARIABLE and _is_required(value, source):
            return False
        _with_keyword(draft, node, source)
    if kind in (Kind.FIELD, Kind.VARIABLE, Kind.CONSTANT):
        draft["returns"] = _held(node, source)
        value = node.child_by_field_name("value")
        if kind is Kind.VARIABLE and not draft["returns"] and value is not None:
            draft["returns"] = another_name(source.of(value)) if value.type in _NAMES else ""
        if kind is Kind.VARIABLE and draft["name"].isupper():
            draft["kind"] = Kind.CONSTANT
    elif draft["params"] == () and node.type in SPEC.value_fields:
        value = node.child_by_field_name(SPEC.value_fields[node.type])
        if value is not None:  # x => x
            draft["params"] = read_params(source.field(value, "parameter"), "colon")
    elif kind is Kind.METHOD and node.type == "method_definition":
        words = draft["signature"].partition("(")[0].split()
        if ("get" in words or "set" in words) and words[-1] not in ("get", "set"):
            draft["kind"] = Kind.PROPERTY
        elif not draft["returns"] and _RETURNS_THIS.search(source.of(node)):
            draft["returns"] = "this"
    return True


def _is_statement(node: Node) -> bool:
    """Whether a parser that lost its way has read a statement as a definition.

    Members may have such names (`catch` of a promise) in a type that is read without errors.
    """
    while node.parent is not None and node.type not in _BODIES:
        node = node.parent
    return node.has_error


def _assigned(draft: Draft, node: Node, source: SourceText) -> bool:
    """Name a value assigned to a member of an object, a prototype, or the module's exports."""
    if _REBOUND.match(draft["signature"]):
        return False
    left, owner = node.child_by_field_name("left"), draft["owner"]
    if left is not None and left.type == "subscript_expression":
        index = left.child_by_field_name("index")
        if index is not None and index.type != "string":
            draft["name"] = _own_name(node, source) or f"[{source.of(index)}]"
        draft["qualname"] = f"{owner}.{draft['name']}"
    if owner.endswith(".prototype"):
        draft["owner"] = owner.removesuffix(".prototype")
        draft["qualname"] = f"{draft['owner']}.{draft['name']}"
        if draft["kind"] is Kind.VARIABLE:
            draft["kind"] = Kind.FIELD
    elif draft["kind"] is Kind.VARIABLE:
        return False  # an attribute of some other object
    elif owner in _MODULE:
        draft["kind"] = Kind.CLASS if draft["kind"] is Kind.CLASS else Kind.FUNCTION
        draft["owner"] = ""
        if owner != "module":
            draft["qualname"] = draft["name"]
        elif own := _own_name(node, source):
            draft["name"] = draft["qualname"] = own
    return True


def _own_name(node: Node, source: SourceText) -> str:
    """The function's or class's own name: `module.exports = function name() {}`."""
    value = node.child_by_field_name("right")
    while value is not None and value.type == "assignment_expression":
        value = value.child_by_field_name("right")
    return source.field(value, "name") if value is not None else ""


def _is_required(value: Node | None, source: SourceText) -> bool:
    """Whether a variable holds an imported module, or a member of one."""
    while value is not None and value.type == "member_expression":
        value = value.child_by_field_name("object")
    return _callee(value, source) in _LOADERS


def _with_keyword(draft: Draft, node: Node, source: SourceText) -> None:
    """If a declaration has only one name, let it begin where the declaration begins."""
    statement = node.parent
    if statement is not None and statement.named_child_count == 1:
        start = statement.start_byte
        draft["signature"] = f"{source.slice(start, node.start_byte)}{draft['signature']}"
        draft["start_byte"] = min(start, draft["start_byte"])
        draft["start_line"] = min(source.line(start), draft["start_line"])


def _held(node: Node, source: SourceText) -> str:
    """The declared type of a field or variable, or the call that creates it."""
    declared = source.field(node, "type").lstrip(": ")
    if declared:
        return declared
    value = node.child_by_field_name("value") or node.child_by_field_name("right")
    callee = _callee(value, source)
    return f"{callee}()" if callee else ""


def _callee(value: Node | None, source: SourceText) -> str:
    if value is not None and value.type == "await_expression":
        value = child_of(value, "(call_expression)")
    if value is None:
        return ""
    callee = value.child_by_field_name("constructor") or value.child_by_field_name("function")
    if callee is None or callee.end_byte - callee.start_byte > 120:
        return ""
    return source.of(callee)


def _binding(node: Node, source: SourceText) -> Iterable[tuple[str, str, bool]]:
    name = source.field(node, "name") or source.field(node, "left")
    if node.type == "for_in_statement":
        yield from gone_over(name, source.field(node, "right"))
        return
    declared = source.field(node, "type").lstrip(": ")
    if declared:
        yield name, declared, False
    else:
        value = node.child_by_field_name("value") or node.child_by_field_name("right")
        if value is not None and value.type in ("member_expression", "subscript_expression"):
            yield from member_of(name, source.of(value))
            return
        callee = _callee(value, source)
        if callee not in _LOADERS:
            yield name, callee, True


SPEC = LanguageSpec(
    name="javascript",
    grammar=_grammar,
    dialect=_dialect,
    heads="bare",
    queries=("ecmascript.scm", "jsx.scm", "tags.scm"),
    bases_fields=("(class_heritage)",),
    name_fields={
        "assignment_expression": "left",
        "subscript_expression": "index",
        "pair": "key",
        "field_definition": "property",
        "export_statement": "(default)",
    },
    value_fields={
        "variable_declarator": "value",
        "assignment_expression": "right",
        "pair": "value",
        "field_definition": "value",
        "export_statement": "value",
    },
    constructors=frozenset({"constructor"}),
    self_names=frozenset({"this"}),
    builtins=frozenset({"require"}),
    visibility=_visibility,
    imports=_imports,
    scope_name=_object_name,
    owner=_owner,
    refine=_refine,
    block_scoped=True,
    binding=_binding,
)
