"""Why we lack a definition that universal-ctags has: one reason each, or none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.adapters.definitions import Definition
from sonde.extract.spec import load_query, load_spec

if TYPE_CHECKING:
    from sonde.extract.spec import Node

_GRAMMARS = {
    "C": "c", "C++": "cpp", "C#": "csharp", "Go": "go", "Java": "java", "JavaScript": "javascript",
    "Kotlin": "kotlin", "PHP": "php", "Python": "python", "Ruby": "ruby", "Rust": "rust",
    "Scala": "scala", "TypeScript": "typescript",
}  # fmt: skip
_AROUND = 2  # lines of a definition that are read
UNEXPLAINED = "unexplained"


class _Place(NamedTuple):
    """A definition with its surrounding text."""

    kind: str
    name: str  # last part
    text: str  # its line and the next


def _anonymous(at: _Place) -> bool:
    companion = at.name == "Companion" and "companion object {" in at.text
    return companion or bool(re.match(r"Anonymous|anonFunc|__anon|<", at.name))


def _macro_use(at: _Place) -> bool:
    """`TEST_F(Case, name) {`: a macro that the preprocessor turns into a definition."""
    return at.kind == "function" and bool(re.fullmatch(r"[A-Z][A-Z0-9_]+|ElfW", at.name))


def _is_given(at: _Place, ours: Set[str]) -> bool:
    """`TEST(Suite, name) {`: named TEST by ctags, and by a macro argument by us."""
    called = re.match(rf"\s*(?:static\s+)?{re.escape(at.name)}\s*\(([^)]*)", at.text)
    return called is not None and not ours.isdisjoint(
        each.strip(' \t\n"') for each in called[1].split(",")
    )


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
    return at.text.startswith("module.exports = ") or bool(
        re.search(rf"[:=(,]\s*(?:async )?function\*? {re.escape(at.name)}\b", at.text)
    )


def _value(at: _Place) -> bool:
    """`x = (function () {…})()`, `x = lambda: …`: the value of a local or a branch."""
    return bool(re.search(rf"{re.escape(at.name)}[\"'\])]*\s*[:=]", at.text))


def _one_object(at: _Place) -> bool:
    return at.kind == "singletonMethod" and bool(re.search(r"def \w+[.:]", at.text))


def _keyword(at: _Place) -> bool:
    """`new (…): T`, a variable named cdef, `typedef size_t size_t`, JavaScript's `this.x(1)`."""
    return at.name in {"new", "if", "as", "extends", "any", "constructor", "timeout"} or bool(
        re.search(rf"\bcdef\b|typedef (\w+) \1;|window\.{re.escape(at.name)}\(", at.text)
    )


def _garbled(at: _Place) -> bool:
    """Kotlin's fun `works - issue 1`() {`: ctags loses names in backticks."""
    return "`" in at.text and at.name not in at.text


def _called_at_once(at: _Place) -> bool:
    """`x = (function () {…})()`: the function's result, not the function."""
    return bool(re.search(rf"{re.escape(at.name)}\s*=\s*\(\s*function\b", at.text))


def _lambda_parameter(at: _Place) -> bool:
    """Kotlin's `{ index, (key: Key, value) ->`."""
    return at.kind == "method" and bool(
        re.search(rf"[{{(,]\s*{re.escape(at.name)}\b[^{{}}]*->", at.text)
    )


_OTHER_NAME = "a function named twice, ours by what it is assigned to"
_MACRO_GIVEN = "a function that a macro defines, ours by the name that the macro is given"
OTHER_NAMES = frozenset({_OTHER_NAME, _MACRO_GIVEN})
_ANONYMOUS = "has no name in the source"
_OBJECT = "an object or array, a class for ctags"
_OWNER = "the owner of an assigned member"
_RESULT = "the result of a function that is called at once"
_PARAMETER = "a parameter of a lambda"
_MISREAD = "a keyword or a call that ctags takes for a definition"
_GARBLED = "a name that ctags loses"
_LITERAL = "code inside a string or comment"
# What no reader of the source would call a function, method or type of that name.
NO_DEFINITION = frozenset(
    {_ANONYMOUS, _GARBLED, _LITERAL, _MISREAD, _OBJECT, _OWNER, _PARAMETER, _RESULT}
)

_REASONS: tuple[tuple[str, Callable[[_Place], bool]], ...] = (
    (_ANONYMOUS, _anonymous),
    (_RESULT, _called_at_once),
    ("a use of a macro", _macro_use),
    (_PARAMETER, _lambda_parameter),
    (_MISREAD, _keyword),
    (_OBJECT, _object),
    ("a method of one object", _one_object),
    (_OWNER, _owner),
    (_OTHER_NAME, _other_name),
    (_GARBLED, _garbled),
    ("a value of a local or inside a branch", _value),
)


def reason(repo: Path, definition: Definition, ours: Set[str]) -> str:
    """Why we lack a definition that ctags has; `ours` are the names that begin on its line."""
    lines = _lines(repo / definition.file)
    first = definition.start_line - 1
    text = "\n".join(lines[first : first + _AROUND])
    at = _Place(definition.kind, re.split(r"[.\\]", definition.name)[-1], text)
    if _is_given(at, ours):
        return _MACRO_GIVEN
    if _is_literal(repo / definition.file, definition.language, definition.start_line):
        return _LITERAL
    if _is_broken(repo / definition.file, definition.language, definition.start_line):
        return "in a stretch that the grammar cannot read"
    if definition.start_line in _blanked(repo / definition.file, definition.language):
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
    parser, data = load_query(grammar)[0], path.read_bytes()
    root = parser.parse(data).root_node
    return parser.parse(spec.repair(data)).root_node if spec.repair and root.has_error else root


@lru_cache(maxsize=64)
def _blanked(path: Path, language: str) -> frozenset[int]:
    """The lines of a file with syntax errors that extraction rewrites before parsing."""
    root, spec = _root(path, language), load_spec(_GRAMMARS.get(language, ""))
    if root is None or spec is None or spec.repair is None:
        return frozenset()
    data = path.read_bytes()
    if not load_query(spec.name)[0].parse(data).root_node.has_error:
        return frozenset()
    pairs = zip(data.split(b"\n"), spec.repair(data).split(b"\n"), strict=True)
    return frozenset(number for number, (old, new) in enumerate(pairs, 1) if old != new)


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
