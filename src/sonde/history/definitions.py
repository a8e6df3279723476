"""Lines of a change that begin a definition, recognised by their form.

The heading of a hunk names what stands before its first line. A function that a commit adds, or
whose first line it changes, is named in the hunk itself: with these the channel finds .354
instead of .312 of what requests need.
"""

from __future__ import annotations

import re

_LONGEST = 240  # characters; a longer line is data
_MODIFIER = (
    r"(?:export|default|declare|public|private|protected|internal|static|final|abstract|async"
    r"|pub(?:\([^)]*\))?|unsafe|override|open|inline|sealed|virtual|partial|data|readonly|const)\s+"
)
# class Foo, def self.foo, func (r *Repo) Foo, pub async fn foo
_KEYWORD = re.compile(
    rf"\s*(?:{_MODIFIER})*(?:(?:class|def|func|fun|fn|function\*?|struct|interface|trait|enum"
    r"|module|record|object|protocol|type)\s+)+(?:\([^)]*\)\s*)?(?:\w+(?:\.|::))*([A-Za-z_][\w!?]*)"
)
# const foo = (…) =>, exports.foo = function
_ASSIGNED = re.compile(
    rf"\s*(?:{_MODIFIER})*(?:(?:const|let|var)\s+|(?:[A-Za-z_$][\w$]*\.)+)?([A-Za-z_$][\w$]*)"
    r"\s*[=:]\s*(?:async\s+)?(?:function\b|\([^()]*\)\s*(?::[^=]*)?=>)"
)
# public static int foo(…), foo(…) {, Type Class::foo(…)
_DECLARED = re.compile(r"[^=;()]*?([A-Za-z_~][\w$]*)\s*(?:<[^<>()]*>)?\([^;]*$")
_MARKED = re.compile(rf"\s*{_MODIFIER}")
# Comments, attributes and closings. What begins like one is none: `*place = 1`, `--count`, and
# `} else if (…) {`, whose condition belongs to the function around it.
_ASIDE = re.compile(r"\s*(?:$|@|#|//|/\*|\*(?:\s|/|$)|--(?:\s|$)|[}\])]+[;,)]*$|end$|\"\"\"|''')")
_OF_AN_OBJECT = re.compile(r"\s*@")  # in Ruby
_NO_NAMES = frozenset(
    (
        *("if", "for", "while", "switch", "catch", "return", "else", "elif", "with", "match"),
        *("loop", "using", "lock", "foreach", "synchronized", "unless", "until", "and", "or"),
        *("not", "in", "new", "throw", "await", "yield", "assert", "super", "this", "extends"),
    )
)
_ALWAYS_KEYWORD = frozenset({"py", "rb", "go", "rs", "swift", "kt", "scala"})  # by suffix
_AT_MARGIN = frozenset({"c", "h", "cc", "cpp", "hpp"})


def defined_by(line: str, suffix: str) -> str:
    """The name that a line of a file begins to define, "" for any other line."""
    line = line.rstrip()
    if len(line) > _LONGEST:
        return ""
    found = _KEYWORD.match(line) or _ASSIGNED.match(line)
    if found is None and _may_declare(line, suffix):
        found = _DECLARED.match(line)
    return found[1] if found is not None and found[1] not in _NO_NAMES else ""


def _may_declare(line: str, suffix: str) -> bool:
    """Without a keyword, a modifier, an opened body or the margin tells it from a call."""
    if suffix in _ALWAYS_KEYWORD or "(" not in line:
        return False
    at_margin = suffix in _AT_MARGIN and line[0].isalpha()
    return at_margin or line.endswith("{") or _MARKED.match(line) is not None


def is_aside(line: str, suffix: str) -> bool:
    """Whether a line is blank, a mark, a comment or a closing, and says nothing of its place."""
    if suffix == "rb" and _OF_AN_OBJECT.match(line):
        return False
    return _ASIDE.match(line) is not None
