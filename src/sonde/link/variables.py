"""What the variables of a file hold, according to their declarations and assignments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sonde.link.chain import element_type
from sonde.link.expressions import declaration, element
from sonde.link.lambdas import declared_parameter, lambda_parameter
from sonde.link.names import Found
from sonde.link.space import UNKNOWN
from sonde.model import Binding, Provenance

if TYPE_CHECKING:
    from sonde.link.receivers import Receivers
    from sonde.link.tables import Entry

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_HOW_DECLARED = Provenance.DECLARED
_HOW_INFERRED = Provenance.INFERRED


_SAYS_NOTHING = "?"  # an assignment that says nothing, where another may
_COUNTED = "_)"  # ends a call whose arguments are counted: `rows.Get(_,_)`


class Variables:
    """The bindings of one file by scope and name; the first of a name counts."""

    def __init__(self, receivers: Receivers, bindings: Iterable[Binding]) -> None:
        self._receivers = receivers
        self.bound: dict[tuple[int, str], Binding] = {}
        self._held: dict[tuple[int, str], Found] = {}
        self._rebound: dict[tuple[int, str], list[Binding]] = {}
        # the receiver of a Go method comes first, and is visible throughout
        blocks = receivers.file.language != "go"
        for binding in bindings:
            key = (binding.scope, binding.name)
            known = self.bound.setdefault(key, binding)
            if known.called and known.type == _SAYS_NOTHING:
                self.bound[key] = binding
            elif known is not binding and _may_differ(known, binding, blocks):
                self._rebound.setdefault(key, [known]).append(binding)

    def held(self, scope: int, name: str) -> Found | None:
        """What a variable of a scope holds; None if there is none of that name. UNKNOWN if the
        name may be several variables, or hold several types."""
        key = (scope, name)
        binding = self.bound.get(key)
        if binding is None:
            return None
        known = self._held.get(key)
        if known is None:
            known = self._held[key] = self._value(key, binding)
        return known

    def _value(self, key: tuple[int, str], binding: Binding) -> Found:
        several = self._rebound.get(key)
        if several is None:
            return self.value(binding)
        found = [self.value(each) for each in several]
        alike = all(each.target == found[0].target for each in found)
        return found[0] if alike else Found(UNKNOWN, _HOW_INFERRED, True)

    def value(self, binding: Binding) -> Found:
        """The value that one declaration or assignment gives to a variable."""
        receivers, type_ = self._receivers, binding.type
        if not binding.called:
            meant = receivers.names.meaning(receivers.entries[binding.scope], type_)
            return Found(meant or UNKNOWN, _HOW_DECLARED, True)
        scope = receivers.outside(binding.scope)
        if type_[:1] == "#":
            return lambda_parameter(receivers, scope, type_)
        if type_.endswith("[]"):
            return element(receivers, scope, type_[:-2])
        return receivers.value(scope, _expression(type_)) or Found(UNKNOWN, _HOW_INFERRED, True)

    def declared(self, binding: Binding) -> tuple[Entry, str] | None:
        """Where the type of a variable is written, and its text."""
        receivers, type_ = self._receivers, binding.type
        if not binding.called:
            return receivers.entries[binding.scope], type_
        scope = receivers.outside(binding.scope)
        if type_[:1] == "#":
            return declared_parameter(receivers, scope, type_)
        if type_.endswith("[]"):
            over = declaration(receivers, scope, type_[:-2])
            return (over[0], element_type(over[1])) if over is not None else None
        return declaration(receivers, scope, _expression(type_))


def _expression(type_: str) -> str:
    """What is assigned to a variable: a member, or the result of a call."""
    if type_[:1] == "=":
        return type_[1:]
    return type_ if type_.endswith(_COUNTED) else type_ + "()"


def _may_differ(one: Binding, other: Binding, blocks: bool) -> bool:
    """Whether two bindings of a name may be two variables: blocks declare their own."""
    if blocks and not one.called and not other.called:
        return one.type != other.type
    return _is_doubtful(one) or _is_doubtful(other)


def _is_doubtful(binding: Binding) -> bool:
    """Whether another binding of the name may be another variable: loop variables, those of
    anonymous functions, and names for a member."""
    type_ = binding.type
    return not binding.scope or (binding.called and (type_.endswith("[]") or type_[:1] == "="))
