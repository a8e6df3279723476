"""What a failing assertion expected and what it got, however the tool words it."""

from __future__ import annotations

import re

from sonde.failures.report import MAX_VALUE, short

_READ = 4_000  # characters of a message; the values are at its start
_V = r"[^\n]{1,400}"
_T = r"[^\"\n]{1,200}"
# Each pattern names `expected` and `actual`, and is tried where all its literals are in the
# message; the first to match wins.
_PATTERNS = tuple(
    (signs, re.compile(pattern, re.M))
    for signs, pattern in (
        (
            ("- Expected:", "+ Received:"),
            rf"^- Expected:\s*\n(?P<expected>{_V})\n\n\+ Received:\s*\n(?P<actual>{_V})$",
        ),
        (
            ("Expected", ":"),
            rf"^\s*Expected(?: \w[\w ]{{0,30}})?: *(?P<expected>{_V})\n"
            rf"\s*(?:Actual|Received|But was|Got)(?: \w[\w ]{{0,30}})?: *(?P<actual>{_V})$",
        ),
        (
            ("Expected:\n", "Got:\n"),
            rf"^Expected:\n +(?P<expected>{_V})\nGot:\n +(?P<actual>{_V})$",
        ),
        (  # GoogleTest
            ("Expected equality of these values:\n",),
            rf"^Expected equality of these values:\n"
            rf"  (?:{_V}\n {{4}}Which is: )?(?P<actual>{_V})\n"
            rf"  (?:{_V}\n {{4}}Which is: )?(?P<expected>{_V})$",
        ),
        (
            ("  Actual: ", "\nExpected: "),
            rf"^  Actual: (?P<actual>{_V})\nExpected: (?P<expected>{_V})$",
        ),
        (
            ("Expected: (", "), actual: "),
            rf"^Expected: (?P<expected>{_V}?), actual: (?P<actual>{_V})$",
        ),
        (
            ("expected: ",),
            rf"^\s*expected: (?P<expected>{_V})\n\s*(?:actual|got|but was)\s*: (?P<actual>{_V})$",
        ),
        (
            ("left: ", "right: "),
            rf"^\s*left: (?P<actual>{_V})\n\s*right: (?P<expected>{_V})$",
        ),
        (
            ("xpected:", "<", ">"),
            rf"[Ee]xpected: ?<(?P<expected>{_V}?)>\.? (?:but was|Actual): ?<(?P<actual>{_V}?)>",
        ),
        (
            ("Failed asserting that ",),
            rf"Failed asserting that (?P<actual>{_V}?) (?:matches expected|is identical to) "
            rf"(?P<expected>{_V}?)\.$",
        ),
        (
            ("assert ", " == "),
            rf"^(?:AssertionError: )?assert (?P<actual>{_V}?) == (?P<expected>{_V})$",
        ),
        (
            ("AssertionError: ", " != "),
            rf"^AssertionError: (?P<actual>{_V}?) != (?P<expected>{_V}?)(?: : {_V})?$",
        ),
        (
            (" !== ",),
            rf"^(?P<actual>{_V}?) !== (?P<expected>{_V})$",
        ),
        (
            ('("', '") is not equal to ("'),
            rf'\("(?P<actual>{_V}?)"\) is not equal to \("(?P<expected>{_V}?)"\)',
        ),
        (
            ("expected `", "`, found `"),
            r"\bexpected `(?P<expected>[^`\n]{1,200})`, found `(?P<actual>[^`\n]{1,200})`",
        ),
        (
            ('(got "', '", expected "'),
            rf'\(got "(?P<actual>{_T})", expected "(?P<expected>{_T})"\)',
        ),
        (
            ("ot", ", want"),
            rf"\b[Gg]ot:? (?P<actual>{_V}?)[,;] want:? (?P<expected>{_V})$",
        ),
        (
            ("ot", "expected"),
            rf"\b[Gg]ot:? (?P<actual>{_V}?)[,;] expected:? (?P<expected>{_V})$",
        ),
        (
            ("got",),
            rf"\b(?:[Ww]ant(?:ed)?|[Ee]xpected):? (?P<expected>{_V}?),? (?:but )?got:? "
            rf"(?P<actual>{_V})$",
        ),
        (
            ("xpected", "found"),
            rf"\b[Ee]xpected:? (?P<expected>{_V}?),? (?:but )?found:? (?P<actual>{_V})$",
        ),
        (
            ("= ", " want "),
            rf"= (?P<actual>{_V}?)[,;] want (?P<expected>{_V})$",
        ),
        (
            ("expected ", " to "),
            rf"expected (?P<actual>{_V}?) to (?:deeply |strictly )?(?:equal|be(?! called)|eql) "
            rf"(?P<expected>{_V}?)(?: // [^\n]{{1,80}})?$",
        ),
        (
            ("incompatible types: ",),
            rf"incompatible types: (?P<actual>{_V}?) cannot be converted to (?P<expected>{_V})$",
        ),
        (
            ("Type '", "' is not assignable to "),
            rf"Type '(?P<actual>{_V}?)' is not assignable to (?:type|parameter of type) "
            rf"'(?P<expected>{_V}?)'",
        ),
        (
            ('expression has type "',),
            rf'expression has type "(?P<actual>{_T})", variable has type "(?P<expected>{_T})"',
        ),
        (
            ('has incompatible type "',),
            rf'has incompatible type "(?P<actual>{_T})"; expected "(?P<expected>{_T})"',
        ),
        (
            ('" is not assignable to ',),
            rf'"(?P<actual>{_T})" is not assignable to (?:declared type )?"(?P<expected>{_T})"',
        ),
    )
)
_OPPOSED = re.compile(
    r"xpected|[Gg]ot|want| == | !==? |left: |Failed asserting|incompatible|assignable|has type|"
    r"is not equal to"
)
_DIFF = re.compile(
    r"^ *(?P<first>[-+] ?[Ee]xpected|[-+] ?[Aa]ctual|--- [Ee]xpected)(?P<names>[^\n]*)\n"
    r"(?: *(?P<second>[-+] ?[A-Za-z]{6,8}|\+\+\+ [Aa]ctual)[^\n]*\n)?",
    re.M,
)


def expected_and_actual(message: str) -> tuple[str, str]:
    """Both values, or two empty texts where the message does not contrast two."""
    message = message[:_READ]
    if not _OPPOSED.search(message):
        return "", ""
    for signs, pattern in _PATTERNS:
        match = pattern.search(message) if all(sign in message for sign in signs) else None
        if match:
            return _value(match["expected"]), _value(match["actual"])
    return _from_diff(message)


def _from_diff(message: str) -> tuple[str, str]:
    heads = list(_DIFF.finditer(message))
    if not heads:
        return "", ""
    head = heads[-1]  # Mocha shows its own diff below that of Node's assert
    sign = head["first"].strip()[0]
    minus_is_expected = (sign == "-") == ("xpected" in head["first"])
    removed, added = [], []
    for line in message[head.end() :].split("\n"):
        stripped = line.strip()
        if stripped.startswith("-"):
            removed.append(stripped[1:].strip())
        elif stripped.startswith("+"):
            added.append(stripped[1:].strip())
        elif (removed or added) and not stripped:
            break
    minus, plus = _value("\n".join(removed)), _value("\n".join(added))
    return (minus, plus) if minus_is_expected else (plus, minus)


def _value(text: str) -> str:
    return short(text.strip().removesuffix("."), MAX_VALUE)
