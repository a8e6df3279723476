"""What the type parameters of a generic type stand for, where its arguments are written.

`find(): T` of `Base<T>` gives a User to `class Users extends Base<User>` and to `x: Base<User>`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sonde.lately import remembered
from sonde.link.chain import WRAPPING, closing, split, unmarked
from sonde.link.tables import Entry
from sonde.model import TYPE_KINDS, Kind

if TYPE_CHECKING:
    from sonde.link.names import Names

_KIND_TYPE_ALIAS = Kind.TYPE_ALIAS  # bound once: reading a member off its enum is slow

Written = tuple[Entry, str]  # a type as it is written, and by which symbol
_DEEPEST = 6  # generic bases between a type and the one that has a member
_ANYTHING = frozenset({"?", "*", "_", "any", "unknown"})
_WORD = re.compile(r"[A-Za-z_]\w*")
_VARIANCE = re.compile(r"^(?:\?\s*(?:super|extends)|in|out)\s+")


class Generic(NamedTuple):
    """The head of a generic type."""

    params: tuple[str, ...]
    bounds: tuple[str, ...]  # "" where a parameter has none
    bases: tuple[tuple[str, tuple[str, ...]], ...]  # those that get arguments


@remembered(8192)
def _generic(head: str) -> Generic:
    end = closing(head, 0)
    named = [each.partition(":") for each in split(head[1 : end - 1], ",") if each]
    bases = []
    for base in split(head[end:], ";"):
        name, _, given = base.partition("<")
        if given:
            bases.append((name, tuple(split(given[:-1], ","))))
    params = tuple(each[0] for each in named)
    return Generic(params, tuple(each[2] for each in named), tuple(bases))


def generic(type_: Entry) -> Generic | None:
    """The type parameters of a type and what it gives to its bases; None if it has neither."""
    if type_.kind not in TYPE_KINDS or type_.kind is _KIND_TYPE_ALIAS or type_.returns[:1] != "<":
        return None
    return _generic(type_.returns)


def arguments_in(text: str) -> tuple[str, ...]:
    """The type arguments in a written type: `Map<Id, Row>` → Id, Row; `Task<List<Row>>` → Row."""
    text = unmarked(text)
    at = min((text.find(each) for each in "<[" if each in text), default=-1)
    if at <= 0 or (end := closing(text, at)) < 0:
        return ()
    given = split(text[at + 1 : end - 1], ",")
    if text[:at].rpartition(".")[2] in WRAPPING:  # members are those of what it wraps
        return arguments_in(given[0])
    return tuple(_VARIANCE.sub("", each.strip()) for each in given)


def names_parameter(names: Names, member: Entry, text: str) -> bool:
    """Whether a type text in the declaration of a member names a type parameter of its owner."""
    owner = names.owner_of(member) if text and member.parent else None
    head = generic(owner) if owner is not None else None
    return head is not None and _mentions(head, text)


def _mentions(head: Generic, text: str) -> bool:
    return any(param in head.params for param in _WORD.findall(text))


def stands_for(
    names: Names, type_: Entry, given: Written | None, member: Entry, text: str
) -> Written | None:
    """A type text in the declaration of a member, with what the type parameters of the member's
    owner stand for in a type that has it; None if it has none or they are not known. `given` is
    that type as it is written where it is used."""
    owner = names.owner_of(member)
    head = generic(owner) if owner is not None else None
    if owner is None or head is None or not _mentions(head, text):
        return None
    written: tuple[Written, ...] = ()
    if given is not None:
        written = tuple((given[0], each) for each in arguments_in(given[1]))
    found = _arguments(names, type_, written, owner, 0)
    return replaced(text, _known(owner, head, found or ()), member)


def _known(type_: Entry, head: Generic, written: tuple[Written, ...]) -> dict[str, Written]:
    """What each parameter of a type stands for: its argument, else what it is bounded by."""
    known = {}
    for at, (param, bound) in enumerate(zip(head.params, head.bounds, strict=True)):
        argument = written[at] if at < len(written) else None
        if argument is not None and argument[1] not in _ANYTHING:
            known[param] = argument
        elif bound:
            known[param] = type_, bound
    return known


def _arguments(
    names: Names, type_: Entry, written: tuple[Written, ...], owner: Entry, depth: int
) -> tuple[Written, ...] | None:
    """What a type gives to the parameters of itself or of an ancestor."""
    if type_.id == owner.id:
        return written
    if depth > _DEEPEST:
        return None
    head = generic(type_) or Generic((), (), ())
    known = _known(type_, head, written)
    with_arguments = dict(head.bases)
    for base in type_.bases:
        above = names.base(type_, base)
        if above is None or above.id == type_.id:
            continue
        given = [replaced(each, known, type_) for each in with_arguments.get(base, ())]
        passed = tuple(each for each in given if each is not None)
        if len(passed) == len(given):
            found = _arguments(names, above, passed, owner, depth + 1)
            if found is not None:
                return found
    return None


def replaced(text: str, known: dict[str, Written], user: Entry) -> Written | None:
    """A type text with arguments for its parameters; None if they come from different places."""
    whole = known.get(unmarked(text))
    if whole is not None:
        return whole
    used = [known[word][0] for word in _WORD.findall(text) if word in known]
    if not used:
        return user, text
    if any(each != used[0] for each in used):
        return None

    def argument(word: re.Match[str]) -> str:
        return known[word[0]][1] if word[0] in known else word[0]

    return used[0], _WORD.sub(argument, text)
