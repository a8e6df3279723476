"""What the source says about the types of variables, and where each of them is visible.

A variable belongs to the symbol around it, as nearly always one of its name is all there is. It
gets a block of its own, from its declaration to the end of the braces around it, if its function
declares another of that name in another way, or if its value mentions a variable of a block.
Parameters of lambdas always have one.
"""

from __future__ import annotations

import re
from bisect import bisect_right, insort
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from sonde.extract.ancestors import Ancestors
from sonde.extract.chains import condensed
from sonde.extract.definitions import collapse, strip_generics
from sonde.extract.lambdas import Lambdas
from sonde.extract.loops import UNTOLD
from sonde.extract.scopes import FOREVER, Scopes
from sonde.extract.spans import Captures
from sonde.extract.spec import LanguageSpec
from sonde.model import Binding, Symbol

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

_LONGEST = 120  # characters of a type; longer ones are kept without their arguments
_new: Any = tuple.__new__  # half the cost of calling the class
_START = attrgetter("start_byte")
_WORD = re.compile(r"[$\w]+")
_FIRST_WORD = re.compile(r"(?:[(&*!]|await |new |try )*([$\w]+)")
# nodes that declare a variable for what is inside them
_LOOPS = """
enhanced_for_statement foreach_statement for_statement for_in_statement for_range_loop
for_expression catch_block match_arm if_statement while_statement
"""
_AROUND = """
block statement_block compound_statement statements function_body constructor_body indented_block
template_body lambda_expression lambda_literal arrow_function function_expression func_literal
closure_expression anonymous_function anonymous_method_expression for_statement for_in_statement
for_range_loop for_expression enhanced_for_statement foreach_statement using_statement if_statement
if_expression while_expression
try_with_resources_statement catch_clause catch_block switch_block_statement_group switch_rule
switch_section switch_expression_arm switch_body expression_case type_case communication_case
default_case when_entry case_clause match_arm
"""
_LOOP_TYPES = frozenset(_LOOPS.split())
_AROUND_TYPES = frozenset(_AROUND.split())
# `if (!(x instanceof Row row)) return;` declares a variable for what follows
_OUTLIVING = frozenset({"instanceof_expression", "declaration_pattern"})
_PATTERNS = frozenset({"let_condition", "match_arm"})
_RECEIVER = "this"


class _Declared(NamedTuple):
    """A variable on its way to becoming a binding."""

    node: Node
    scope: int
    name: str
    type: str
    called: bool


class _Block(NamedTuple):
    """A block, in the order in which uses are assigned to it."""

    start: int
    end: int
    number: int  # of its scope
    names: frozenset[str]


class Locals:
    """The bindings of a file, the blocks that some of them are in, and which block a use means."""

    def __init__(self, symbols: tuple[Symbol, ...]) -> None:
        self.symbols = symbols
        self.bindings: tuple[Binding, ...] = ()
        self.blocks: tuple[int, ...] = ()
        self.in_blocks: tuple[tuple[int, int], ...] = ()
        # by name: start, end and position of each block that has a variable of that name
        self.names: dict[str, list[tuple[int, int, int]]] = {}
        self.until = 0  # what `inside` said last holds up to this byte
        self._coming: list[_Block] = []  # the last begins first
        self._open: list[_Block] = []
        self._placed: list[tuple[int, int, int, list[tuple[str, str, bool]]]] = []

    def place(self, start: int, end: int, scope: int, held: list[tuple[str, str, bool]]) -> None:
        """Add a block of a symbol with its variables."""
        for name, _, _ in held:
            insort(self.names.setdefault(name, []), (start, end, len(self._placed)))
        self._placed.append((start, end, scope, held))

    def end_of_block(self, byte: int, text: str) -> int:
        """Where the block of the first variable in a text ends; 0 if it is not in a block."""
        word = _FIRST_WORD.match(text.removeprefix("="))
        found = self._block(byte, word[1]) if word and word[1] in self.names else None
        return found[1] if found is not None else 0

    def _block(self, byte: int, name: str) -> tuple[int, int, int] | None:
        ranges = self.names[name]
        for at in range(bisect_right(ranges, (byte + 1,)) - 1, -1, -1):
            if ranges[at][1] > byte:
                return ranges[at]
        return None

    def settle(self, bindings: list[Binding]) -> None:
        """Number the blocks from the outside in, and say what is in which."""
        placed, first = self._placed, len(self.symbols)
        order = sorted(range(len(placed)), key=lambda at: (placed[at][0], -placed[at][1], at))
        number = {at: first + index for index, at in enumerate(order)}
        parents: list[int] = []
        open_: list[int] = []
        for at in order:
            start, end, scope, held = placed[at]
            while open_ and placed[open_[-1]][1] <= start:
                open_.pop()
            inside = open_ and placed[open_[-1]][2] == scope
            parents.append(number[open_[-1]] if inside else scope)
            names = frozenset([each[0] for each in held])
            self._coming.append(_Block(start, end, number[at], names))
            bindings.extend([Binding(number[at], *each) for each in held])
            open_.append(at)
        self.blocks, self.bindings = tuple(parents), tuple(bindings)
        self._coming.reverse()
        if order:
            self.in_blocks = tuple(self._symbols_in_blocks(order, number))

    def _symbols_in_blocks(self, order: list[int], number: dict[int, int]) -> list[tuple[int, int]]:
        found = []
        open_: list[int] = []
        following = 0
        spans = sorted((s.start_byte, -s.end_byte, at) for at, s in enumerate(self.symbols) if at)
        for start, _, symbol in spans:
            while following < len(order) and self._placed[order[following]][0] <= start:
                open_.append(order[following])
                following += 1
            while open_ and self._placed[open_[-1]][1] <= start:
                open_.pop()
            if open_ and self._placed[open_[-1]][2] == max(self.symbols[symbol].parent, 0):
                found.append((symbol, number[open_[-1]]))
        return found

    def inside(self, byte: int) -> bool:
        """Whether a byte is in a block; bytes asked for must not decrease."""
        coming, open_ = self._coming, self._open
        while coming and coming[-1].start <= byte:
            block = coming.pop()
            while open_ and open_[-1].end <= block.start:
                open_.pop()
            open_.append(block)
        while open_ and open_[-1].end <= byte:
            open_.pop()
        following = coming[-1].start if coming else FOREVER
        self.until = min(following, open_[-1].end) if open_ else following
        return bool(open_)

    def scope_of(self, scope: int, text: str, args: str) -> int:
        """The innermost block with a variable that a use at the last byte asked for mentions, or
        else its symbol."""
        word = _FIRST_WORD.match(text)
        first = word[1] if word is not None else ""
        given = _WORD.findall(args) if len(args) > 3 else ()
        begins = self.symbols[scope].start_byte
        for block in reversed(self._open):
            names = block.names
            if block.start < begins:
                break
            # what is called in a block may be a member of its receiver
            if first in names or _RECEIVER in names or (given and not names.isdisjoint(given)):
                return block.number
        return scope


def read_locals(
    root: Node,
    captures: Captures,
    source: SourceText,
    spec: LanguageSpec,
    symbols: tuple[Symbol, ...],
) -> Locals:
    """The variables that declarations, assignments and lambdas of a file bind."""
    found = Locals(symbols)
    if spec.binding is None:
        return found
    scopes, reader = Scopes(symbols), Lambdas(root, source)
    scope = until = 0
    declared: list[_Declared] = []
    lambdas = captures.get("lambda", ())
    nodes = sorted((*captures.get("bind", ()), *lambdas), key=_START)
    own = {node.id for node in lambdas}
    for node in nodes:
        byte = node.start_byte
        if byte >= until:
            scope, until = scopes.at(byte), scopes.until
        if own and node.id in own:
            held = reader.parameters(node)
            if held:
                found.place(byte, node.end_byte, scope, held)
            continue
        for name, type_text, called in spec.binding(node, source):
            if len(type_text) > _LONGEST:
                type_text, called = _shortened(type_text, called)
            if name and type_text and name != "_":
                text = collapse(type_text, _LONGEST)
                declared.append(_new(_Declared, (node, scope, name, text, called)))
    if spec.block_scoped or found.names:
        found.settle(_at_symbols(declared, found, reader.ancestors, spec))
    else:
        found.bindings = tuple(dict.fromkeys(_new(Binding, each[1:]) for each in declared))
    return found


def _shortened(type_text: str, called: bool) -> tuple[str, bool]:
    """A long type without arguments; the variable hides others of its name even if it is lost."""
    short = condensed(type_text) if called else strip_generics(type_text)
    return (short, called) if short and len(short) <= _LONGEST else (UNTOLD, True)


def _at_symbols(
    declared: list[_Declared], found: Locals, ancestors: Ancestors, spec: LanguageSpec
) -> list[Binding]:
    """The bindings that need no block, each once; the others are placed in one."""
    known: dict[tuple[int, str], tuple[str, bool]] = {}
    several: set[tuple[int, str]] = set()
    of, params = -1, set[str]()
    for _, scope, name, type_, called in declared if spec.block_scoped else ():
        key = (scope, name)
        if known.setdefault(key, (type_, called)) != (type_, called):
            several.add(key)
        if scope != of:
            of, params = scope, {param.name for param in found.symbols[scope].params}
        if name in params:
            several.add(key)
    kept: dict[Binding, None] = {}
    rust = spec.name == "rust"
    for node, scope, name, type_, called in declared:
        mentions = found.end_of_block(node.start_byte, type_) if found.names and called else 0
        # a path of Rust (`row::get()`) never means a variable, and uses in blocks can tell
        apart = mentions or (scope, name) in several or (rust and node.type in _PATTERNS)
        if not apart and called and spec.block_scoped and type_.startswith((name, f"={name}")):
            word = _FIRST_WORD.match(type_.removeprefix("="))  # `let row = row.unwrap()`
            apart = word is not None and word[1] == name
        if apart and "." not in name:
            start, end = _reach(node, ancestors, found.symbols[scope].start_byte)
            end = end or mentions
            if end:
                found.place(start, end, scope, [(name, type_, called)])
                continue
        kept[Binding(scope, name, type_, called)] = None
    return list(kept)


def _reach(node: Node, ancestors: Ancestors, outside: int) -> tuple[int, int]:
    """From where to where a declared variable is visible; up to 0 if nothing but the symbol that
    begins at `outside` is around it."""
    if node.type in _LOOP_TYPES:
        return node.start_byte, node.end_byte
    for around in reversed(ancestors.of(node)):
        if around.start_byte <= outside:
            break
        kind = around.type
        if kind in _AROUND_TYPES and not (kind == "if_statement" and node.type in _OUTLIVING):
            # in JavaScript functions written before a declaration see its variable
            start = around.start_byte if node.type == "variable_declarator" else node.end_byte
            if kind == "if_expression":  # of Rust: not in what follows `else`
                around = around.child_by_field_name("consequence") or around
            return start, around.end_byte
    return node.end_byte, 0
