"""Classes that functions make: `class User extends Timestamped(Base)`."""

from __future__ import annotations

import re

from sonde.extract.definitions import strip_generics

_HERITAGE = re.compile(r"\bextends\s+(?=[\w$.]+\s*(?:<[^()]*>)?\()")
_BODY = re.compile(r"\s*\{\s*$")
_NAME = re.compile(r"(?<![\w$.])[A-Za-z_$][\w$]*(?:\.[\w$]+)*")
_INERT = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|\{[^{}]*\}|=>")
_WORDS = frozenset({"as", "any", "unknown", "new", "typeof", "function", "class", "this", "null"})


def made_bases(signature: str) -> tuple[str, ...]:
    """The bases of a class that extends what a call gives: the functions, what they are given, and
    what the class implements. None if it extends no call."""
    heritage = _HERITAGE.search(signature)
    if heritage is None:
        return ()
    made, _, implemented = signature[heritage.end() :].partition(" implements ")
    names = _NAME.findall(_INERT.sub("", strip_generics(made)))
    others = (each.strip() for each in strip_generics(_BODY.sub("", implemented)).split(","))
    return tuple(dict.fromkeys(each for each in (*names, *others) if each and each not in _WORDS))
