"""Kotlin: properties in constructor lists, extensions, companions whose members are the class's."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sonde.extract.definitions import strip_generics
from sonde.extract.loops import gone_over, member_of
from sonde.extract.operators import kotlin_operators
from sonde.extract.params import read_params
from sonde.extract.spec import Draft, LanguageSpec, modifier_visibility
from sonde.extract.text_of import child_of
from sonde.model import Import, Kind

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

_BUILTINS = frozenset(
    {"Any", "Boolean", "Byte", "Char", "Double", "Float", "Int", "Long", "Nothing", "Short"}
    | {"String", "Unit"}
)
# Words after the end of a block that are not infix calls.
_AFTER_BLOCK = b"""
else catch finally while in is as fun val var class interface object by where typealias companion
private protected internal public override open abstract final sealed data enum inner inline const
lateinit suspend operator infix tailrec external annotation expect actual vararg value init
constructor return throw if for do when
"""
_PLATFORM_TYPE = rb"(?:[a-z]+ ){0,3}(?:class|object|interface)"
# words that make an infix call of a declaration below annotations: `annotation class Row`
_PLATFORM = rb"(?:expect|actual)(?=[ ]%s\b)|annotation(?=[ ]class\b)|data(?=[ ]object\b)" % (
    _PLATFORM_TYPE
)
_TYPED_CALL = rb"(?<!class )(?<!interface )\b[a-z]\w*<[A-Z*][\w.,?*<> ]*>"
_HIDING_HEAD = rb"class \w+(?:<[^<>\n]*>)? (?:private|protected|internal) constructor"
# What the grammar cannot read; strings and comments are matched too, and left as they are.
_UNREADABLE = re.compile(
    rb"""(?P<dollars>\$\$+(?:\"{3}.*?\"{3}|"(?:\\.|[^"\\\n])*"))|\"{3}.*?\"{3}|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/"""
    rb"""|\bi(?P<in>n)(?=\d)"""  # `in1`: the keyword and a number
    rb"""|\bwher(?P<where>e)(?=\s*(?:\?\.|\.\w|=[^=]))"""  # a variable of that name
    rb"""|\bfina(?P<final>l)(?=\s*(?:\?\.|\.\w|=|\)|&&|\|\|))"""  # the same
    rb"""|\bb(?P<by>y)(?=\.\w)"""
    rb"""|(?<=\w)(?P<comma>,)(?=\s*>)"""  # after the last type parameter
    rb"""|\bsuspen(?P<suspend>d)(?=\s*\{)"""  # a function of that name
    rb"""|(?<=\bge)(?P<get>t)(?=\(\s*["\w])"""  # a call below a property: its getter
    rb"""|(?<![{\s])(?<!->)(?P<end>[ \t])(?=\})"""  # `{ fun run() }` needs a mark
    rb"""|(?P<joined>\bclass\s+\w+(?:<[^<>\n]*>)?\s*?\n\s*"""
    rb"""(?:(?:@\w+(?:\([^()\n]*\))?|[a-z]+)\s+){0,4}constructor\()"""
    rb"""|(?P<platform>^[ \t]*+(?:@[^\n]*|\))\s*\n[ \t]*+(?:%s))"""
    rb"""|(?P<typed>%s(?=[ ]\{))"""
    rb"""|(?P<hiding>\b%s(?=\())"""
    rb"""|(?P<blank>\bcontext\([^()\n]*\)(?=\s*\n)"""
    rb"""|(?<=[(,])[ ]?\*(?=\w)"""  # spread
    rb"""|[ ]if[ ](?:[^\n]*?|\((?:[^()]|\([^()]*\))*+\))(?=[ ]->)"""  # guard of a branch
    rb"""|@\w+(?:\([^()\n]*\))?(?=\s+[gs]et\(\w*\)))"""  # annotation of a getter
    rb"""|(?P<list>(?<==[ ])\[\])"""  # `= []`
    rb"""|(?<=\})(?P<infix>[ ](?!%s)[a-z]\w*[ ])(?=[\w("{])"""  # `} get Users.id`
    % (
        _PLATFORM,
        _TYPED_CALL,
        _HIDING_HEAD,
        b"|".join(rb"%s\b" % word for word in _AFTER_BLOCK.split()),
    ),
    re.DOTALL | re.MULTILINE,
)
# below annotations these are infix calls to the grammar: a type of several platforms, and
# `open class Row private constructor() {`; anywhere `rows<Row> {` compares something
_MISREAD = re.compile(
    rb"^[ \t]*(?:%s|(?:@\w+(?:\([^()\n]*\))? )?(?:[a-z]+ ){1,3}?%s\()|%s \{"
    % (_PLATFORM, _HIDING_HEAD, _TYPED_CALL),
    re.MULTILINE,
)
_READABLE = {
    "in": b"N", "where": b"E", "final": b"L", "by": b"Y", "suspend": b"D", "get": b"T",
    "comma": b" ", "end": b";", "list": b"0 ",
}  # fmt: skip
_TYPES = frozenset(
    {"user_type", "nullable_type", "function_type", "parenthesized_type", "non_nullable_type"}
)


_PATH = re.compile(r"(?!(?:true|false|null|super)\b)[a-z_]\w*(?:\.\w+)*")
_LONGEST_RESULT = 120  # characters of a chain that ends a function


def _grammar() -> object:
    import tree_sitter_kotlin

    return tree_sitter_kotlin.language()


def _imports(node: Node, source: SourceText) -> Iterable[Import]:
    line = source.line(node.start_byte)
    path, _, alias = source.of(node).removeprefix("import").strip().partition(" as ")
    module, _, name = path.strip().rpartition(".")
    if name:
        yield Import(module, name, alias.strip() or name, 0, line)


def _owner(node: Node, source: SourceText) -> str:
    """The type that an extension extends; of `fun <T : Row> T.save()` it is Row."""
    extended = _extended(node, source)
    listed = child_of(node, "(type_parameters)") if extended.isidentifier() else None
    bounds = {
        source.field(param, "(identifier)"): source.field(param, "(user_type nullable_type)")
        for param in (listed.named_children if listed is not None else ())
    }
    while bound := bounds.pop(extended, ""):  # `<T : Row, R : T>`
        extended = bound.rstrip("?")
    return extended


def _extended(node: Node, source: SourceText) -> str:
    """The type before the name of an extension, as written."""
    if node.type not in ("function_declaration", "property_declaration"):
        return ""
    for child in node.children:
        if child.type in ("user_type", "nullable_type", "parenthesized_type"):
            return source.of(child).rstrip("?")
        if child.type in ("identifier", "variable_declaration"):
            break
    return ""


def _refine(draft: Draft, node: Node, source: SourceText) -> bool:
    kind = draft["kind"]
    body = node.parent if draft["parent"] else None
    draft["static"] = (
        body is not None and body.parent is not None and body.parent.type == "companion_object"
    )
    if kind is Kind.CLASS:
        _refine_type(draft, node, source)
    elif kind is Kind.TYPE_ALIAS:
        draft["returns"] = _type_after(node, "=", source)
    elif node.type == "class_parameter":
        if not {"val", "var"} & set(draft["signature"].partition(":")[0].split()):
            return False
        draft["returns"] = _type_after(node, "identifier", source)
    elif node.type == "property_declaration":
        draft["returns"] = _declared(node, source)[1] or _made_by(node, source)
        words = draft["signature"].partition("=")[0].split()
        if "const" in words or (kind is Kind.VARIABLE and draft["name"].isupper()):
            draft["kind"] = Kind.CONSTANT
    elif node.type == "function_declaration":
        declared = _type_after(node, "function_value_parameters", source)
        extended = _extended(node, source)
        itself = extended.isidentifier() and declared == extended != draft["owner"]
        draft["returns"] = "this" if itself else declared or _result(node, source)
        if kind is Kind.FUNCTION and draft["parent"] and _in_class_body(node):
            draft["kind"] = Kind.METHOD  # of an object without a name
        if body is not None and body.parent is not None and body.parent.type == "object_literal":
            draft["bases"] = _bases(body.parent, source)
    return True


def _in_class_body(node: Node) -> bool:
    return node.parent is not None and node.parent.type == "class_body"


def _refine_type(draft: Draft, node: Node, source: SourceText) -> None:
    words = draft["signature"].partition("(")[0].split()
    if "interface" in words:
        draft["kind"] = Kind.INTERFACE
    elif "enum" in words:
        draft["kind"] = Kind.ENUM
    constructor = child_of(node, "(primary_constructor)")
    if constructor is not None:
        draft["params"] = read_params(source.field(constructor, "(class_parameters)"), "colon")
    draft["bases"] = _bases(node, source)


def _bases(node: Node, source: SourceText) -> tuple[str, ...]:
    bases = child_of(node, "(delegation_specifiers)")
    found = (_base(child, source) for child in bases.named_children) if bases is not None else ()
    return tuple(name for name in found if name)


def _base(node: Node, source: SourceText) -> str:
    for child in node.named_children:
        if child.type == "user_type":
            return strip_generics(source.of(child))
        if child.type in ("constructor_invocation", "explicit_delegation"):
            return _base(child, source)
    return ""


def _type_after(node: Node, mark: str, source: SourceText) -> str:
    seen = False
    for child in node.children:
        if seen and child.type in _TYPES:
            return source.of(child)
        seen = seen or child.type == mark
    return ""


def _declared(node: Node, source: SourceText) -> tuple[str, str]:
    """Name and type of a variable as declared."""
    if node.type == "property_declaration":
        inner = child_of(node, "(variable_declaration)")
        if inner is None:
            return "", ""
        node = inner
    return source.field(node, "(identifier)"), _type_after(node, "identifier", source)


def _made_by(node: Node, source: SourceText) -> str:
    """The function whose result a property holds; "" if it is not a call."""
    value = child_of(node, "(call_expression)")
    if value is None or not value.children:
        return ""
    return strip_generics(source.of(value.children[0])) + "()"


def _result(node: Node, source: SourceText) -> str:
    """The call whose result a function returns: `fun rows() = table().rows()`. What is held is
    written as one too, of a function that gives what it is called on."""
    body = child_of(node, "(function_body)")
    if body is None or not body.children or body.children[0].type != "=":
        return ""
    value = body.children[-1]
    if value.type in ("identifier", "navigation_expression"):
        return _held_result(node, source.of(value), source)
    made = _made_by(body, source)
    return made if len(made) <= _LONGEST_RESULT else ""


def _held_result(function: Node, path: str, source: SourceText) -> str:
    """What a function gives that ends in a property: the type of a parameter, or the property."""
    if _extended(function, source) or not _PATH.fullmatch(path) or len(path) > _LONGEST_RESULT:
        return ""  # a bare name in an extension may be one of the type that it extends
    first, dot, _ = path.partition(".")
    params = read_params(source.field(function, "(function_value_parameters)"), "colon")
    for param in params:
        if param.name == first:
            return "" if dot else param.type
    return f"{path}.also()"


def _binding(node: Node, source: SourceText) -> Iterable[tuple[str, str, bool]]:
    loop = node.named_children[:2] if node.type == "for_statement" else []
    name, declared = _declared(loop[0] if loop else node, source)
    if len(loop) > 1 and not declared:
        yield from gone_over(name, source.of(loop[1]))
    elif declared:
        yield name, declared.rstrip("?"), False
    elif made := _made_by(node, source):
        yield name, made.removesuffix("()") + _type_arguments(node, source), True
    elif node.type == "property_declaration":
        yield from _held(name, node.children[-1], source)


def _held(name: str, value: Node, source: SourceText) -> Iterable[tuple[str, str, bool]]:
    """What a variable is given that is no call: a member, an element, another variable, a cast."""
    if value.type == "unary_expression" and source.of(value).endswith("!!"):
        value = value.children[0]
    if value.type == "as_expression":
        yield name, source.field(value, "right").rstrip("?"), False
    elif value.type in ("navigation_expression", "index_expression"):
        yield from member_of(name, source.of(value))
    elif value.type == "identifier":
        yield name, f"={source.of(value)}", True


def _type_arguments(node: Node, source: SourceText) -> str:
    """What the call whose result a variable holds is given in `<…>`."""
    value = child_of(node, "(call_expression)")
    return source.field(value, "(type_arguments)") if value is not None else ""


def _repair(data: bytes) -> bytes:
    """Rewrite Kotlin that is newer or terser than the grammar supports into what it can read."""

    def readable(found: re.Match[bytes]) -> bytes:
        group = found.lastgroup
        if group is None:
            return found[0]
        if group == "blank":
            return b" " * len(found[0])
        if group == "dollars":  # one dollar is no interpolation there
            return b'"%s"' % (b" " * (len(found[0]) - 2))
        if group == "platform":
            margin, word = re.split(rb"(?=\w+\Z)", found[0], maxsplit=1)
            return margin + b" " * len(word)
        if group == "joined":  # in a class the line of a constructor would be the outer one's
            return found[0].replace(b"\n", b" ")
        if group == "typed":  # the block is an argument of `rows()`
            return found[0].partition(b"<")[0].ljust(len(found[0])).replace(b"  ", b"()", 1)
        if group == "hiding":  # a type may have parameters without the word
            return found[0].rsplit(b" ", 2)[0].ljust(len(found[0]))
        if group == "infix":  # ` get ` as `.get*`
            return b"." + found[0][1:-1] + b"*"
        return found[0][: -len(_READABLE[group])] + _READABLE[group]

    return _UNREADABLE.sub(readable, data)


SPEC = LanguageSpec(
    name="kotlin",
    grammar=_grammar,
    params_field="(function_value_parameters)",
    body_field="(function_body class_body enum_class_body block getter setter)",
    name_fields={
        "property_declaration": "(variable_declaration)",
        "variable_declaration": "(identifier)",
        "class_parameter": "(identifier)",
        "identifier": "",
        "enum_entry": "(identifier)",
        "type_alias": "type",
        "secondary_constructor": "(constructor)",
        "anonymous_initializer": "(init)",
    },
    separators=(".", "::"),
    overloads=True,
    self_names=frozenset({"this"}),
    builtins=_BUILTINS,
    package_types=("package_header",),
    visibility=modifier_visibility,
    imports=_imports,
    owner=_owner,
    refine=_refine,
    repair=_repair,
    misread=_MISREAD,
    block_scoped=True,
    more_references=kotlin_operators,
    binding=_binding,
)
