"""Operators of C++ that are functions of both operands: `out << row`, `a == b`.

One is meant only if an operand is declared as of a type that the workspace has, and a single
function seen here takes that type in its place. Of several the one counts that takes the other
operand unconverted.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sonde.link.arguments import arguments_of, is_built_in, literal_type, plain_type
from sonde.link.chain import WRAPPING
from sonde.link.expressions import declaration
from sonde.link.reach import reach
from sonde.link.receivers import Receivers
from sonde.link.tables import Entry
from sonde.model import CALLABLE_KINDS, TYPE_KINDS, Provenance, Reference

_HOW_DECLARED = Provenance.DECLARED  # bound once: reading a member off its enum is slow
_HEAD = re.compile(r"(?:const\s+)?(?:\w+::)*(\w+)\s*(?:const\s*)?&{0,2}\s*")  # itself, no pointer
_BOTH = 2  # operands
_MOST = 1000  # operators of one name that are looked at
_NOT, _CONVERTED, _JUST = range(3)


class _Operand(NamedTuple):
    """What is known of an operand's type."""

    type: Entry | None  # of the workspace
    outside: bool = False  # whether it is known to be another


_UNKNOWN = _Operand(None)


class FreeOperators:
    """Finds the functions that signs in one file run."""

    def __init__(self, receivers: Receivers) -> None:
        self._receivers = receivers
        self._tables = receivers.names.tables
        self._named: dict[str, tuple[Entry, ...]] = {}

    def meant(self, reference: Reference) -> tuple[Entry, Provenance] | None:
        """The function that a sign between two operands runs."""
        given = arguments_of(reference.args)
        several = self._of_both(reference.name) if len(given) == 1 else ()
        if not several:  # so it is for most signs; looking at operands costs a tenth of linking
            return None
        texts = (reference.receiver, given[0].hint)
        operands = tuple(_operand(self._receivers, reference.scope, text) for text in texts)
        types = [each.type for each in operands if each.type is not None]
        meant = self._best(several, operands, types) if types else {}
        if len(meant) != 1:
            return None
        ((signed, entry),) = meant.items()
        return self._with_body(entry, signed), _HOW_DECLARED

    def _of_both(self, name: str) -> tuple[Entry, ...]:
        """The operators of a name that take both operands."""
        known = self._named.get(name)
        if known is None:
            known = self._named[name] = tuple(
                each
                for each in self._tables.named(name)[:_MOST]
                if each.kind in CALLABLE_KINDS and len(self._tables.params(each)) == _BOTH
            )
        return known

    def _best(
        self, several: tuple[Entry, ...], operands: tuple[_Operand, ...], types: list[Entry]
    ) -> dict[tuple[str, ...], Entry]:
        """The operators that take the operands best, by the types of their parameters."""
        found: dict[int, dict[tuple[str, ...], Entry]] = {_NOT: {}, _CONVERTED: {}, _JUST: {}}
        for entry in several:
            if not self._is_seen(entry, types):
                continue
            pairs = zip(self._tables.params(entry), operands, strict=True)
            taken = min(_taken(self._receivers, entry, param.type, each) for param, each in pairs)
            alike, signed = found[taken], self._signed(entry)
            if signed not in alike or alike[signed].declared:
                alike[signed] = entry
        if found[_JUST]:
            return found[_JUST]
        member = self._receivers.names.type_member(types[0], several[0].name)
        return {} if member is not None and member not in several else found[_CONVERTED]

    def _is_seen(self, operator: Entry, types: list[Entry]) -> bool:
        """Whether a file includes an operator, or a type defines it itself, as a friend."""
        if operator.qualname == operator.name:
            names = self._receivers.names
            return operator.file in reach(names, self._receivers.file).files
        return any(
            operator.file == each.file and operator.qualname == f"{each.qualname}.{operator.name}"
            for each in types
        )

    def _signed(self, function: Entry) -> tuple[str, ...]:
        return tuple(plain_type(param.type) for param in self._tables.params(function))

    def _with_body(self, function: Entry, signed: tuple[str, ...]) -> Entry:
        """The one definition of a function that a header declares."""
        if not function.declared:
            return function
        bodies = [
            each
            for each in self._named[function.name]
            if not each.declared
            and each.qualname == function.qualname
            and self._signed(each) == signed
        ]
        return bodies[0] if len(bodies) == 1 else function


def _operand(receivers: Receivers, scope: int, text: str) -> _Operand:
    """What the declaration of an operand says of its type."""
    if literal_type(text):
        return _Operand(None, True)
    declared = declaration(receivers, scope, text) if text[:1].isidentifier() else None
    if declared is None or not declared[1] or declared[1].startswith("auto"):
        return _UNKNOWN
    head = _HEAD.fullmatch(declared[1])
    if head is None or head[1] in WRAPPING:
        return _Operand(None, "*" in declared[1])
    found = receivers.names.meaning(*declared)
    if isinstance(found, Entry):
        return _Operand(found) if found.kind in TYPE_KINDS else _UNKNOWN
    return _Operand(None, found is not None or is_built_in(head[1]))


def _taken(receivers: Receivers, function: Entry, param: str, operand: _Operand) -> int:
    """How a parameter takes an operand: as of its type or what that extends, or converted."""
    if operand == _UNKNOWN:
        return _JUST
    head = _HEAD.fullmatch(param)
    wanted = receivers.names.named_type(function, param) if head is not None else None
    if operand.type is None:
        return _JUST if wanted is None else _CONVERTED
    if wanted is None:
        return _JUST if head is not None and head[1] == operand.type.name else _NOT
    line = receivers.names.line(operand.type)
    return _JUST if any(each.qualname == wanted.qualname for each in line) else _NOT
