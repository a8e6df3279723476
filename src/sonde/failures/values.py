"""What a failing assertion expected and what it got instead, however the tool words it."""

from __future__ import annotations

import re

from sonde.failures.report import MAX_VALUE, short

_V = r"[^\n]{1,400}"
# Each names `expected` and `actual`; the first to match wins.
_PATTERNS = tuple(
    re.compile(pattern, re.M)
    for pattern in (
        rf"^- Expected:\s*\n(?P<expected>{_V})\n\n\+ Received:\s*\n(?P<actual>{_V})$",
        rf"^\s*Expected(?: \w[\w ]{{0,30}})?: *(?P<expected>{_V})\n"
        rf"\s*(?:Actual|Received|But was|Got)(?: \w[\w ]{{0,30}})?: *(?P<actual>{_V})$",
        rf"^\s*expected: (?P<expected>{_V})\n\s*(?:actual|got)\s*: (?P<actual>{_V})$",
        rf"^\s*left: (?P<actual>{_V})\n\s*right: (?P<expected>{_V})$",
        rf"[Ee]xpected: ?<(?P<expected>{_V}?)>\.? (?:but was|Actual): ?<(?P<actual>{_V}?)>",
        rf"Failed asserting that (?P<actual>{_V}?) (?:matches expected|is identical to) "
        rf"(?P<expected>{_V}?)\.$",
        rf"^(?:AssertionError: )?assert (?P<actual>{_V}?) == (?P<expected>{_V})$",
        rf"^AssertionError: (?P<actual>{_V}?) != (?P<expected>{_V}?)(?: : {_V})?$",
        r"\bexpected `(?P<expected>[^`\n]{1,200})`, found `(?P<actual>[^`\n]{1,200})`",
        r'\(got "(?P<actual>[^"\n]{1,200})", expected "(?P<expected>[^"\n]{1,200})"\)',
        rf"\b[Gg]ot:? (?P<actual>{_V}?)[,;] (?:want|expected):? (?P<expected>{_V})$",
        rf"\b(?:[Ww]ant(?:ed)?|[Ee]xpected):? (?P<expected>{_V}?),? (?:but )?(?:got|found):? "
        rf"(?P<actual>{_V})$",
        rf"= (?P<actual>{_V}?)[,;] (?:want|expected) (?P<expected>{_V})$",
        rf"expected (?P<actual>{_V}?) to (?:deeply |strictly )?(?:equal|be|eql) (?P<expected>{_V}?)"
        r"(?: // [^\n]{1,80})?$",
        r"incompatible types: (?P<actual>[^\n]{1,200}?) cannot be converted to "
        r"(?P<expected>[^\n]{1,200})$",
        r"Type '(?P<actual>[^\n]{1,200}?)' is not assignable to (?:type|parameter of type) "
        r"'(?P<expected>[^\n]{1,200}?)'",
        r'expression has type "(?P<actual>[^"\n]{1,200})", variable has type '
        r'"(?P<expected>[^"\n]{1,200})"',
        r'has incompatible type "(?P<actual>[^"\n]{1,200})"; '
        r'expected "(?P<expected>[^"\n]{1,200})"',
        r'"(?P<actual>[^"\n]{1,200})" is not assignable to (?:declared type )?'
        r'"(?P<expected>[^"\n]{1,200})"',
    )
)
_DIFF = re.compile(
    r"^ *(?P<first>[-+] ?[Ee]xpected|[-+] ?[Aa]ctual|--- Expected)(?P<names>[^\n]*)\n"
    r"(?: *(?P<second>[-+] ?[A-Za-z]{6,8}|\+\+\+ Actual)[^\n]*\n)?",
    re.M,
)


def expected_and_actual(message: str) -> tuple[str, str]:
    """Both values, or two empty texts where the message does not oppose two."""
    for pattern in _PATTERNS:
        match = pattern.search(message)
        if match:
            return _value(match["expected"]), _value(match["actual"])
    return _from_diff(message)


def _from_diff(message: str) -> tuple[str, str]:
    heads = list(_DIFF.finditer(message))
    if not heads:
        return "", ""
    head = heads[-1]  # Mocha shows its own difference below the one of Node's assert
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
