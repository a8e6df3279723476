"""Frozen values like those of `@dataclass(frozen=True, slots=True)`, without compiling code.

A dataclass generates and compiles seven methods, a millisecond for each class; sixty classes took
a tenth of a cold question. Here all classes share one set of methods, and `__init__`, which must
be fast, is compiled when the first value is created: most classes create none in a process.
"""

from __future__ import annotations

import dataclasses
from dataclasses import MISSING, Field, FrozenInstanceError, field
from operator import attrgetter
from typing import Any, NoReturn, TypeVar, cast, dataclass_transform

T = TypeVar("T")
_FIELDS = "__dataclass_fields__"  # what `dataclasses.fields` and `replace` look for
_BY_FACTORY = object()  # marks a default that a factory creates each time


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """The class with slots, an `__init__` from its annotated fields, equality, hash and repr."""
    fields: dict[str, Any] = {}
    for base in reversed(cls.__mro__[1:]):
        fields.update(getattr(base, _FIELDS, {}))
    members = dict(cls.__dict__)
    own = tuple(members.get("__annotations__", ()))
    for name in own:
        fields[name] = _field(name, members["__annotations__"][name], members.pop(name, MISSING))
    for name in ("__dict__", "__weakref__"):
        members.pop(name, None)
    members |= _SHARED
    members |= {"__slots__": own, "__match_args__": tuple(fields), _FIELDS: fields}
    members["_parts"] = attrgetter(*fields) if len(fields) > 1 else staticmethod(_few_parts)
    kind: Any = type(cls)
    made = kind(cls.__name__, cls.__bases__, members)
    made.__qualname__ = cls.__qualname__
    made.__init__ = _first_init(made)
    return cast("type[T]", made)


def _field(name: str, annotation: str, default: Any) -> Field[Any]:
    made: Any = default if isinstance(default, Field) else field(default=default)
    made.name, made.type, made._field_type = name, annotation, dataclasses._FIELD  # type: ignore[attr-defined]
    return cast("Field[Any]", made)


def _first_init(cls: Any) -> Any:
    """An `__init__` that replaces itself with the real one."""

    def __init__(self: Any, /, *given: Any, **named: Any) -> None:
        cls.__init__ = _compiled_init(cls)
        cls.__init__(self, *given, **named)

    return __init__


def _compiled_init(cls: Any) -> Any:
    names: dict[str, Any] = {"_BY_FACTORY": _BY_FACTORY}
    parameters, lines = [], []
    for name, each in getattr(cls, _FIELDS).items():
        names[f"_set_{name}"] = getattr(cls, name).__set__  # of the slot, past `__setattr__`
        given = name
        if each.default_factory is not MISSING:
            names[f"_new_{name}"] = each.default_factory
            parameters.append(f"{name}=_BY_FACTORY")
            given = f"_new_{name}() if {name} is _BY_FACTORY else {name}"
        elif each.default is not MISSING:
            names[f"_default_{name}"] = each.default
            parameters.append(f"{name}=_default_{name}")
        else:
            parameters.append(name)
        lines.append(f"    _set_{name}(self, {given})")
    body = "\n".join(lines) or "    pass"
    exec(f"def __init__(self, {', '.join(parameters)}):\n{body}", names)
    made = names["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _few_parts(self: Any) -> tuple[Any, ...]:
    """What `attrgetter` returns for two or more fields, also for fewer."""
    return tuple(getattr(self, name) for name in self.__match_args__)


def _state(self: Any) -> tuple[Any, ...]:
    return cast("tuple[Any, ...]", self._parts(self))


def _equal(self: Any, other: Any) -> bool:
    if self is other:
        return True
    if other.__class__ is not self.__class__:
        return cast("bool", NotImplemented)
    return bool(self._parts(self) == other._parts(other))


def _hash(self: Any) -> int:
    return hash(self._parts(self))


def _shown(self: Any) -> str:
    shown = zip(self.__match_args__, self._parts(self), strict=True)
    fields = ", ".join(f"{name}={part!r}" for name, part in shown)
    return f"{self.__class__.__qualname__}({fields})"


def _refuse(self: Any, name: str, new: Any = None) -> NoReturn:
    raise FrozenInstanceError(f"cannot change {name!r} of a {self.__class__.__qualname__}")


def _restore(self: Any, parts: tuple[Any, ...]) -> None:
    for name, part in zip(self.__match_args__, parts, strict=True):
        object.__setattr__(self, name, part)


_SHARED = {
    "__eq__": _equal,
    "__hash__": _hash,
    "__repr__": _shown,
    "__setattr__": _refuse,
    "__delattr__": _refuse,
    "__getstate__": _state,  # for pickle and copy
    "__setstate__": _restore,
}
