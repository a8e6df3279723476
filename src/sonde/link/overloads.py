"""Choose among several definitions of one name: by arguments, and static or not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from sonde.link.arguments import (
    ALWAYS,
    LITERALS,
    MAYBE,
    NEVER,
    NO,
    arguments_of,
    bound,
    grade,
    literal_type,
    plain_type,
)
from sonde.link.chain import Step, type_name
from sonde.link.expressions import on_type, type_of
from sonde.link.tables import OVERLOADING, Entry
from sonde.model import CALLABLE_KINDS, Kind, Param, Provenance, Reference

if TYPE_CHECKING:
    from sonde.link.receivers import Receivers

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_HOW_HIERARCHY = Provenance.HIERARCHY
_HOW_OVERLOAD = Provenance.OVERLOAD
_KIND_CONSTRUCTOR = Kind.CONSTRUCTOR
_KIND_MACRO = Kind.MACRO

# Languages in which a type may have a static and a non-static member of the same name.
_STATICS = frozenset({"javascript", "jsx", "typescript", "tsx", "ruby", "kotlin", "scala", "swift"})
_SIGNED = frozenset({"typescript", "tsx"})  # overloads are signatures of one function
_CHECKED = OVERLOADING - _SIGNED  # a call with other arguments does not compile
_HEADED = frozenset({"kotlin", "scala", "csharp"})  # class Row(val id: Int)
_CONVERTING = {"csharp": LITERALS, "swift": LITERALS, "scala": ALWAYS, "cpp": ALWAYS}
_BLOCK_OF_INIT = "init"  # runs with every constructor
_MOST_MEANT = 5  # overloads that a use is linked to when all of them fit

_WORD = re.compile(r"\w+")

_Type = tuple[str, frozenset[str]]  # the type of an argument, and what it inherits from


class Meant(NamedTuple):
    """The definitions that a use may mean, and how we know: one, or several that all fit."""

    entries: tuple[Entry, ...]
    how: Provenance


class _Choice(NamedTuple):
    """An overload that accepts the arguments of a call."""

    entry: Entry
    types: tuple[str, ...]  # of the parameter that takes each argument
    grades: tuple[int, ...]
    whole: bool  # no parameter is left out or repeated

    def suits_better(self, other: _Choice) -> bool:
        """Whether this takes each argument as well or better, or without defaults or varargs."""
        for mine, its, wanted, else_wanted in zip(
            self.grades, other.grades, self.types, other.types, strict=True
        ):
            if mine < its or (mine == its and wanted != else_wanted):
                return False
        return self.grades != other.grades or (self.whole and not other.whole)


class Overloads:
    """Chooses among definitions of one name; each distinct choice is made once."""

    def __init__(self, receivers: Receivers) -> None:
        self._receivers = receivers
        self._names = receivers.names
        self._tables = receivers.names.tables
        self._language = receivers.file.language
        self._labelled = self._language == "swift"
        self._extends = self._language == "csharp"  # by methods whose first parameter says so
        self.needed = self._language in _STATICS or self._language in OVERLOADING
        self._several: dict[int, tuple[Entry, ...]] = {}
        self._types: dict[tuple[int, str], _Type] = {}
        self._taken: dict[int, tuple[Param, ...]] = {}
        self._generic: dict[int, tuple[str, ...]] = {}
        self._signatures: dict[int, tuple[str, ...]] = {}

    def meant(
        self, reference: Reference, target: Entry, how: Provenance, given: int | None = None
    ) -> Meant:
        """What a use means if its name resolves to `target`, the first definition of that name, and
        `given` type arguments follow the name; None if they say nothing of it."""
        several = self.beside(target)
        if self._language != "csharp" or target.kind is _KIND_CONSTRUCTOR:
            given = None  # those of `new Row<int>()` are its type's
        if len(several) == 1:
            return self._single(reference, target, how, given)
        if any(each.static for each in several):
            several = self._on_the_side(reference, several)
        first = target if target in several else several[0]
        if len(several) == 1 or self._tables.file_of(first).language not in OVERLOADING:
            return Meant((first,), how)
        implemented = self._implementation(several, first)
        if implemented is not None:
            return Meant((implemented,), how)
        found = self._taking(several, first, reference, given)
        if not found:
            inherited = self._inherited(several, first, reference, given)
            found, how = (inherited, _HOW_HIERARCHY) if inherited else (several, how)
        return Meant(found[:_MOST_MEANT], how if len(found) == 1 else _HOW_OVERLOAD)

    def _single(
        self, reference: Reference, target: Entry, how: Provenance, given: int | None
    ) -> Meant:
        """The only definition of a name, unless it cannot take the call's arguments: then that of
        an ancestor, or none, since something outside the workspace has that name too."""
        language = self._tables.file_of(target).language
        args = self._received(reference, target).args
        if not args or language not in _CHECKED or target.kind is _KIND_MACRO:
            return Meant((target,), how)
        params = self._params(target)
        fits = bound(params, args, self._labelled) is not None
        if (fits and self._may_get(target, given)) or _may_take(params, args, language):
            return Meant((target,), how)
        found = self._inherited((target,), target, reference, given)
        if found == (target,):
            return Meant(found, how)
        # a generated constructor (Lombok) has no definition, and its type is linked already
        if found or reference.receiver or target.kind is _KIND_CONSTRUCTOR:
            how = _HOW_HIERARCHY if len(found) < 2 else _HOW_OVERLOAD
            return Meant(found[:_MOST_MEANT], how)
        outer = self._receivers.file_level(reference.scope, reference.name)
        if outer is None or not isinstance(outer.target, Entry) or outer.target == target:
            return Meant((), how)
        if outer.target.kind in CALLABLE_KINDS:
            return self.meant(reference, outer.target, outer.how, given)
        return Meant((outer.target,), outer.how)

    def returning(self, target: Entry, step: Step, static: bool) -> Entry | None:
        """One of the overloads of a name that take this many arguments and type arguments; None if
        those return different types."""
        several = self._getting(target, len(step.type_args))
        if len(several) > 1 and any(each.static for each in several):
            several = tuple(each for each in several if each.static is static) or several
        if len({type_name(each.returns) or each.returns for each in several}) < 2:
            return several[0]
        given = step.given + (several[0].owner != "" and self._extends and not static)
        args = f"({','.join('_' * given)})"
        taken = ((each, bound(self._params(each), args, False)) for each in several)
        fitting = [each for each, params in taken if params is not None]
        returns = {type_name(each.returns) or each.returns for each in fitting or several}
        return (fitting or several)[0] if len(returns) == 1 else None

    def constructors(
        self, reference: Reference, type_: Entry, first: Entry, how: Provenance
    ) -> Meant:
        """The constructors that creating an instance runs; none if it is the one in the head."""
        headed = self._tables.file_of(type_).language in _HEADED and first.name != _BLOCK_OF_INIT
        head = self._params(type_) if headed else ()
        args = reference.args
        if not head or (args and bound(head, args, False) is None):
            return self.meant(reference, first, how)
        found = self._taking((type_, *self.beside(first)), type_, reference, None)
        if found == (type_,):
            return Meant((), how)
        return Meant(found, how if len(found) == 1 else _HOW_OVERLOAD)

    def beside(self, target: Entry) -> tuple[Entry, ...]:
        """The callables of one name and owner."""
        known = self._several.get(target.id)
        if known is None:
            named = self._tables.qualified(target.qualname)
            known = (target,)
            if len(named) > 1:
                known = tuple(
                    each for each in named if each.id == target.id or self._of(target, each)
                )
            self._several[target.id] = known
        return known

    def _of(self, target: Entry, other: Entry) -> bool:
        if other.kind not in CALLABLE_KINDS:
            return False
        if other.file == target.file:
            return True
        owner = self._names.owner_of(target) if target.parent or target.owner else None
        if owner is not None and other.file == owner.file and other.parent == owner.id:
            return True
        there = self._tables.file_of(target)
        family = self._names.family(there.language)
        if owner is None:
            return family.shares_functions(self._names, there, other)
        return family.belongs(self._names, owner, self._tables.file_of(owner), other)

    def _on_the_side(self, reference: Reference, several: tuple[Entry, ...]) -> tuple[Entry, ...]:
        """Of static and instance members, those that the receiver has, if any."""
        static = on_type(self._receivers, reference.scope, reference.receiver)
        if static is None:
            return several
        return tuple(each for each in several if each.static is static) or several

    def _implementation(self, several: tuple[Entry, ...], first: Entry) -> Entry | None:
        """In TypeScript, the one with a body, which follows its overload signatures."""
        if self._tables.file_of(first).language not in _SIGNED:
            return None
        following = several[several.index(first) :]
        return next((each for each in following if not each.declared), None)

    def _received(self, reference: Reference, target: Entry) -> Reference:
        """`row.Put(1)` as `Put(row, 1)`, as C# declares it: `Put(this Row row, int at)`."""
        if not target.owner or not self._extends:
            return reference
        args, receiver = reference.args, reference.receiver
        if not args or not receiver or on_type(self._receivers, reference.scope, receiver):
            return reference
        rest = args[1:] if len(args) == 2 else f",{args[1:]}"
        return reference._replace(args=f"(_{rest}")

    def _inherited(
        self,
        several: tuple[Entry, ...],
        first: Entry,
        reference: Reference,
        given: int | None,
    ) -> tuple[Entry, ...]:
        """Overloads of the nearest ancestor that take arguments which the type's own do not. In
        Kotlin an override omits the defaults of what it overrides, and is the one meant."""
        for inherited in self._elsewhere(first):
            found = self._taking(self.beside(inherited), inherited, reference, given)
            if found:
                own = {self._signed(each): each for each in several}
                return tuple(own.get(self._signed(each), each) for each in found)
        return ()

    def _elsewhere(self, first: Entry) -> Iterator[Entry]:
        """Callables of the same name that the type of a member has from its ancestors, then those
        that extend it or them."""
        owner = self._names.owner_of(first)
        line = self._names.line(owner) if owner is not None else ()
        for ancestor in line[1:]:
            inherited = self._names.own_member(ancestor, first.name)
            if inherited is not None and inherited.kind in CALLABLE_KINDS:
                yield inherited
        for type_ in line if self._extends else ():
            for each in self._tables.owned(type_.name):
                other = each.name == first.name and each.qualname != first.qualname
                if other and self._tables.file_of(each).language == self._language:
                    yield each

    def _getting(self, target: Entry, given: int) -> tuple[Entry, ...]:
        """The overloads of a name that this many type arguments fit; all if none of them does."""
        several = self.beside(target)
        if self._language != "csharp":
            return several
        fitting = tuple(each for each in several if self._may_get(each, given))
        for each in self._elsewhere(target) if not fitting else ():
            fitting = tuple(other for other in self.beside(each) if self._may_get(other, given))
            if fitting:
                break
        return fitting or several

    def _may_get(self, entry: Entry, given: int | None) -> bool:
        """Whether this many type arguments fit; none do if the types of parameters tell them."""
        if given is None:
            return True
        named = self._type_params(entry)
        if given:
            return len(named) == given
        types = [param.type for param in self._params(entry)] if named else []
        return all(any(name in _WORD.findall(type_) for type_ in types) for name in named)

    def _signed(self, entry: Entry) -> tuple[str, ...]:
        """What distinguishes an overload: types without namespaces and reference marks, labels,
        and in C# the result, as `Get<T>(int)` differs from `Get(int)`."""
        known = self._signatures.get(entry.id)
        if known is None:
            params = self._params(entry)
            types = (param.type.rpartition("::")[2].strip(" *&") for param in params)
            labels = (param.mark or param.name for param in params) if self._labelled else ()
            csharp = self._language == "csharp"
            result = (entry.returns, f"<{len(self._type_params(entry))}>") if csharp else ()
            known = self._signatures[entry.id] = (*types, *labels, *result)
        return known

    def _params(self, entry: Entry) -> tuple[Param, ...]:
        known = self._taken.get(entry.id)
        if known is None:
            known = self._taken[entry.id] = self._tables.params(entry)
        return known

    def _type_params(self, entry: Entry) -> tuple[str, ...]:
        known = self._generic.get(entry.id)
        if known is None:
            known = self._generic[entry.id] = self._tables.type_params(entry)
        return known

    def _taking(
        self, several: tuple[Entry, ...], first: Entry, reference: Reference, given: int | None
    ) -> tuple[Entry, ...]:
        """The overloads that accept the arguments; declaration and definition count as one."""
        reference = self._received(reference, first)
        args = reference.args
        groups: dict[tuple[str, ...], list[Entry]] = {}
        fitting: dict[tuple[str, ...], tuple[tuple[Param, ...], int]] = {}
        for each in several:
            params = self._params(each)
            signature = self._signed(each)
            groups.setdefault(signature, []).append(each)
            # C++ has defaults at the declaration only
            taken = bound(params, args, self._labelled) if args else ()
            if taken is not None and (not args or self._may_get(each, given)):
                fitting.setdefault(signature, (taken, len(params)))
        found = {key: _with_body(groups[key], first) for key in fitting}
        if len(found) < 2 or not args:
            return tuple(found.values())
        return self._suiting([(found[key], *fitting[key]) for key in fitting], reference)

    def _suiting(
        self, fitting: list[tuple[Entry, tuple[Param, ...], int]], reference: Reference
    ) -> tuple[Entry, ...]:
        """Of the overloads with this many arguments, those whose types fit best."""
        given = [self._type(reference.scope, each.hint) for each in arguments_of(reference.args)]
        converts = _CONVERTING.get(self._language, NEVER)
        choices = []
        for entry, taken, count in fitting:
            grades = tuple(
                grade(param.type, type_, above, converts) if type_ else MAYBE
                for param, (type_, above) in zip(taken, given, strict=True)
            )
            types = tuple(plain_type(param.type) for param in taken)
            whole = count == len({id(param) for param in taken}) == len(taken)
            choices.append(_Choice(entry, types, grades, whole))
        choices = [each for each in choices if NO not in each.grades] or choices
        for one in choices:
            if all(one is other or one.suits_better(other) for other in choices):
                return (one.entry,)
        return tuple(each.entry for each in choices)

    def _type(self, scope: int, hint: str) -> _Type:
        """The type of an argument as far as it is known, and what that type inherits from."""
        literal = literal_type(hint) or (hint if hint == "{}" else "")
        if literal or not hint or hint == "null":
            return literal, frozenset()
        key = (scope, hint)
        known = self._types.get(key)
        if known is None:
            known = self._types[key] = type_of(self._receivers, scope, hint)
        return known


def _with_body(same: list[Entry], first: Entry) -> Entry:
    """Of declarations and definitions of one function the definition."""
    chosen = first if first in same else same[0]
    return next((each for each in same if not each.declared), chosen) if chosen.declared else chosen


def _may_take(params: tuple[Param, ...], args: str, language: str) -> bool:
    """Whether a callable may take more than its declaration shows."""
    if language == "scala":  # `def pairs: Vector[Int]` and `pairs(0)`
        return not params
    # C++ has defaults at the declaration, which the definition in the same file hides
    return language == "cpp" and len(arguments_of(args)) < len(params)
