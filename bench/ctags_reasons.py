"""Why we lack a definition that universal-ctags has: one reason each, or none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set
from functools import lru_cache
from io import BytesIO
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.adapters.definitions import Definition
from sonde.extract.spec import load_query, load_spec

if TYPE_CHECKING:
    from sonde.extract.spec import LanguageSpec, Node

_GRAMMARS = {
    "C": "c", "C++": "cpp", "C#": "csharp", "Go": "go", "Java": "java", "JavaScript": "javascript",
    "Kotlin": "kotlin", "PHP": "php", "Python": "python", "Ruby": "ruby", "Rust": "rust",
    "Scala": "scala", "TypeScript": "typescript",
}  # fmt: skip
# reserved words and predeclared types
_WORDS = frozenset(
    {"any", "as", "base", "bool", "break", "case", "catch", "constructor", "error", "extends"}
    | {"if", "new", "this", "true", "void"}
)
_OUTSIDE = re.compile(r"body|block|(?<!variable_)declaration$|definition$")
_TYPE_USES = frozenset(
    {"conditional_type", "permits", "type_parameter", "type_parameter_constraints_clause"}
)
_OPERANDS = frozenset({"argument_list", "arguments", "binary_expression"})
_AROUND = 2  # lines of a definition that are read
UNEXPLAINED = "unexplained"


class _Place(NamedTuple):
    """A definition with its surrounding text."""

    language: str
    kind: str
    name: str  # last part
    text: str  # its line and the next
    nodes: tuple[Node, ...]  # those of that name there, as the grammar reads them


def _anonymous(at: _Place) -> bool:
    nameless = r"companion object(?!\s+\w)" if at.name == "Companion" else "(?!)"
    return bool(re.search(nameless, at.text)) or bool(
        re.match(r"Anonymous|anonFunc|__anon|<", at.name)
    )


def _macro_use(at: _Place) -> bool:
    """`TEST_F(Case, name) {`: a macro that the preprocessor turns into a definition."""
    return at.kind == "function" and bool(re.fullmatch(r"[A-Z][A-Z0-9_]+|ElfW", at.name))


def _is_given(at: _Place, ours: Set[str]) -> bool:
    """`TEST(Suite, name) {`, `EXPORT(int name(int x)) {`, `EXPORT(name)` above `int name() {`: by
    ctags named TEST or EXPORT, and by us by what the macro is given.
    """
    called = re.match(rf"\s*(?:static\s+)?{re.escape(at.name)}\s*\(([^)]*)", at.text)
    given = called[1] if called is not None else ""
    texts = (each.strip(' \t\n"') for each in given.split(","))
    return not ours.isdisjoint({*texts, *re.findall(r"\w+", given)} - {""})


def _object(at: _Place) -> bool:
    quoted = rf"[\"']?{re.escape(at.name)}[\"']?"
    return at.kind == "class" and bool(
        re.search(rf"{quoted}\s*[:=]\s*([\w.]+ \|\| )?[\[({{]", at.text)
    )


def _owner(at: _Place) -> bool:
    """`Name.prototype.x = …`, `this.name.x = …`: the member is ours, its owner ctags'."""
    return bool(re.search(rf"\b{re.escape(at.name)}\s*[.\[]", at.text.split("\n")[0]))


def _other_name(at: _Place) -> bool:
    """`adapter: function name() {`: named by what it is assigned to; for modules that are one
    function, `module.exports = function name() {`, by its own name.
    """
    named = rf"[:=(,]\s*(?:async )?(?:function\*?|class) {re.escape(at.name)}\b"
    return at.text.startswith("module.exports = ") or bool(re.search(named, at.text))


def _value(at: _Place) -> bool:
    """`x = (function () {…})()`, `x = lambda: …`: the value of a local or a branch."""
    return at.language in ("JavaScript", "PHP", "Python", "TypeScript") and bool(
        re.search(rf"{re.escape(at.name)}[\"'\])]*\s*[:=]", at.text)
    )


def _one_object(at: _Place) -> bool:
    return at.kind == "singletonMethod" and bool(re.search(r"def \w+[.:]", at.text))


def _keyword(at: _Place) -> bool:
    """`new (…): T`, `: base(x)`, a variable named cdef, `typedef size_t size_t`, C#'s
    `extension(Row row) {`.
    """
    return at.name in _WORDS or bool(
        re.search(r"\bcdef\b|typedef (\w+) \1;|^\s*extension\b[^;]*\{", at.text)
        or re.search(rf"\bwindow\.{re.escape(at.name)}\(", at.text)
    )


def _garbled(at: _Place) -> bool:
    """Kotlin's fun `works - issue 1`() {`, markup's `aria-label=`: ctags has a part of the name."""
    lost = "`" in at.text and at.name not in at.text
    return lost or bool(re.search(rf"\b{re.escape(at.name)}-\w+=", at.text))


def _called_at_once(at: _Place) -> bool:
    """`x = (function () {…})()`: the function's result, not the function."""
    return bool(re.search(rf"{re.escape(at.name)}\s*=\s*\(\s*function\b", at.text))


def _lambda_parameter(at: _Place) -> bool:
    """Kotlin's `{ index, (key: Key, value) ->`."""
    return any(_is_inside(node, "lambda_parameters") for node in at.nodes)


def _loop_variable(at: _Place) -> bool:
    """Kotlin's `for (name in names)` and `when (val name = …)`."""
    declared = [node for node in at.nodes if _is_inside(node, "variable_declaration")]
    return any(_is_inside(node, "for_statement", "when_subject") for node in declared)


def _argument(at: _Place) -> bool:
    """`run(name, () => {`, `target.name(x);`, `name && other`: called, handed over or compared."""
    return bool(at.nodes) and all(
        _is_called(node) or _is_inside(node, *_OPERANDS) for node in at.nodes
    )


def _type_use(at: _Place) -> bool:
    """`permits Name`, `<Name> where Name : Other`, `? (input: Name)`: a parameter or a use."""
    return bool(at.nodes) and all(_is_inside(node, *_TYPE_USES) for node in at.nodes)


def _import_alias(at: _Place) -> bool:
    """C#'s `using Name = Space.Name;`."""
    return any(_is_inside(node, "using_directive") for node in at.nodes)


def _pragma(at: _Place) -> bool:
    """`#pragma weak name`."""
    return bool(re.search(rf"#\s*pragma\s+weak\s+{re.escape(at.name)}\b", at.text))


def _variable(at: _Place) -> bool:
    """C's `struct addrinfo hints;`, C#'s `using var client = …;`: for ctags a type."""
    return bool(re.search(rf"\b(?:struct\s+\w+|using\s+var)\s+{re.escape(at.name)}\b", at.text))


def _named_companion(at: _Place) -> bool:
    return bool(re.search(rf"companion object\s+{re.escape(at.name)}\b", at.text))


def _is_inside(node: Node, *types: str) -> bool:
    return any(above.type in types for above in _above(node))


def _is_called(node: Node) -> bool:
    member = node.parent
    if member is not None and member.type in ("member_expression", "member_access_expression"):
        node, member = member, member.parent
    return (
        member is not None
        and member.type in ("call_expression", "invocation_expression")
        and member.child_by_field_name("function") == node
    )


def _above(node: Node) -> Iterator[Node]:
    """The nodes around a name, up to the definition or block that it belongs to."""
    above = node.parent
    while above is not None and not _OUTSIDE.search(above.type):
        yield above
        above = above.parent


_OTHER_NAME = "a function named twice, ours by what it is assigned to"
_MACRO_GIVEN = "a function that a macro defines or exports, ours by the name it is given"
OTHER_NAMES = frozenset({_OTHER_NAME, _MACRO_GIVEN})
_ANONYMOUS = "has no name in the source"
_OBJECT = "an object or array, a class for ctags"
_OWNER = "the owner of an assigned member"
_RESULT = "the result of a function that is called at once"
_PARAMETER = "a parameter of a lambda"
_LOOP = "the variable of a loop or branch"
_ARGUMENT = "a call, or what is handed to one or compared"
_TYPE_USE = "a type parameter, or a type that is only referred to"
_ALIAS = "another name for an import"
_MISREAD = "a word of the language that ctags takes for a name"
_GARBLED = "a name that ctags loses"
_PRAGMA = "a name that a directive only mentions"
_VARIABLE = "a variable, a type for ctags"
_LITERAL = "code inside a string or comment"
# What no reader of the source would call a function, method or type of that name.
NO_DEFINITION = frozenset(
    {_ALIAS, _ANONYMOUS, _ARGUMENT, _GARBLED, _LITERAL, _LOOP, _MISREAD, _OBJECT, _OWNER}
    | {_PARAMETER, _PRAGMA, _RESULT, _TYPE_USE, _VARIABLE}
)

_REASONS: tuple[tuple[str, Callable[[_Place], bool]], ...] = (
    (_ANONYMOUS, _anonymous),
    (_RESULT, _called_at_once),
    ("a use of a macro", _macro_use),
    (_PARAMETER, _lambda_parameter),
    (_LOOP, _loop_variable),
    (_MISREAD, _keyword),
    (_PRAGMA, _pragma),
    (_VARIABLE, _variable),
    (_ALIAS, _import_alias),
    (_TYPE_USE, _type_use),
    (_OBJECT, _object),
    ("a method of one object", _one_object),
    (_OWNER, _owner),
    (_OTHER_NAME, _other_name),
    (_GARBLED, _garbled),
    ("a named companion, whose members are its class's", _named_companion),
    (_ARGUMENT, _argument),
    ("a value of a local or inside a branch", _value),
)


def reason(repo: Path, definition: Definition, ours: Set[str]) -> str:
    """Why we lack a definition that ctags has; `ours` are the names that begin there."""
    path, line = repo / definition.file, definition.start_line
    name = re.split(r"[.\\]", definition.name)[-1].strip()
    text = "\n".join(_lines(path)[line - 1 : line - 1 + _AROUND])
    nodes = _nodes(path, definition.language, line, name)
    at = _Place(definition.language, definition.kind, name, text, nodes)
    if _is_given(at, ours):
        return _MACRO_GIVEN
    if _is_literal(path, definition.language, line):
        return _LITERAL
    if _is_broken(path, definition.language, line):
        return "in a stretch that the grammar cannot read"
    if line in _blanked(path, definition.language):
        return "blanked, or in a branch left out, so that the rest can be read"
    return next((label for label, holds in _REASONS if holds(at)), UNEXPLAINED)


@lru_cache(maxsize=64)
def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8", "replace").splitlines()


@lru_cache(maxsize=64)
def _root(path: Path, language: str) -> Node | None:
    """The tree that our extraction reads."""
    grammar = _GRAMMARS.get(language)
    spec = load_spec(grammar) if grammar else None
    if grammar is None or spec is None:
        return None
    parser, data = load_query(grammar)[0], _respelled(path, spec)
    root = parser.parse(data).root_node
    misread = spec.misread is not None and spec.misread.search(data)
    if spec.repair is not None and (root.has_error or misread):
        return parser.parse(spec.repair(data)).root_node
    return root


@lru_cache(maxsize=64)
def _blanked(path: Path, language: str) -> frozenset[int]:
    """The lines of a file with syntax errors that extraction rewrites before parsing."""
    root, spec = _root(path, language), load_spec(_GRAMMARS.get(language, ""))
    if root is None or spec is None or spec.repair is None:
        return frozenset()
    data = _respelled(path, spec)
    if not load_query(spec.name)[0].parse(data).root_node.has_error:
        return frozenset()
    repaired, start, changed = spec.repair(data), 0, set()
    for number, line in enumerate(BytesIO(data), 1):
        if not repaired.startswith(line, start):  # by offset: a repair may join two lines
            changed.add(number)
        start += len(line)
    return frozenset(changed)


def _respelled(path: Path, spec: LanguageSpec) -> bytes:
    data = path.read_bytes()
    return data if spec.respell is None else spec.respell(data)


def _nodes(path: Path, language: str, line: int, name: str) -> tuple[Node, ...]:
    """The leaves of a name on a line and the next, by offset: a repair may join two lines."""
    root, found = _root(path, language), []
    pending = [root] if root is not None else []
    starts = [0, *accumulate(map(len, BytesIO(path.read_bytes())))]
    first, last = starts[line - 1], starts[min(line - 1 + _AROUND, len(starts) - 1)]
    while pending:
        node = pending.pop()
        if node.start_byte < last and node.end_byte > first:
            pending.extend(node.children)
            if not node.children and node.text == name.encode():
                found.append(node)
    return tuple(found)


def _is_literal(path: Path, language: str, line: int) -> bool:
    root = _root(path, language)
    node = root.descendant_for_point_range((line - 1, 0), (line - 1, 1)) if root else None
    while node is not None:
        if re.search(r"string|heredoc|comment", node.type) and node.start_point[0] < line - 1:
            return True
        node = node.parent
    return False


def _is_broken(path: Path, language: str, line: int) -> bool:
    """Whether a line is in a syntax error, or in the innermost multi-line node that has one."""
    root = _root(path, language)
    return root is not None and any(first <= line <= last for first, last in _errors(root))


def _errors(node: Node) -> Iterator[tuple[int, int]]:
    if not node.has_error:
        return
    broken = [child for child in node.children if child.has_error or child.is_missing]
    if node.type == "ERROR" or not broken or any(child.is_missing for child in broken):
        yield node.start_point[0] + 1, node.end_point[0] + 1
    for child in broken:
        yield from _errors(child)
