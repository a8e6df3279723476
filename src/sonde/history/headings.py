"""The line above a hunk that git shows with it, and the name in it.

Git knows such lines of many languages, but of scripts, Scala and Swift none: there it shows the
last line at the margin, which for a method is its class. With these, and sweeps remembered, the
last change of 42 of 50 functions of two TypeScript projects is the one that `git log -L` names;
before 12 of 39. Reading the history of such a project costs 1.5 to 1.8 times as much.
JavaScript is left to git: its functions stand at the margin more often, and with ours 23 issues of
two such projects had their file among five in .870 instead of .913.
"""

from __future__ import annotations

import re

# POSIX expressions, which know no \t. Every line up to the heading is tried with each: none may
# begin anywhere but at the line's start, which costs as much as all of these together.
_BLANK = "[ \t]*"
_MARKS = (
    r"((export|default|declare|abstract|public|private|protected|static|override|async|get|set) )*"
)
_WORD = r"[*#]?[A-Za-z_$][A-Za-z0-9_$]*"
_SCRIPT = (
    rf"!^{_BLANK}(if|for|while|switch|catch|with){_BLANK}\(",  # no heading
    rf"^({_BLANK}{_MARKS}(class|interface|enum|namespace|function)[* ].*)",
    # A local function would hide the one around it from all that follows: only at the margin.
    rf"^((export )?const {_WORD}[^=]*= ?(async )?\(.*)",
    rf"^({_BLANK}{_MARKS}{_WORD} ?(<[^()]*>)?\(.*\)[^=]*\{{)$",
    rf"^({_BLANK}(async|private|public|protected|static|constructor)[^=;]*\()$",
)
_SCALA = (
    rf"^({_BLANK}((override|private|protected|final|implicit|sealed|abstract|case|inline)"
    r"(\[[A-Za-z]*\])? )*(class|object|trait|enum|def) .*)",
)
_SWIFT = (
    rf"^({_BLANK}(@[A-Za-z]+ )*((public|private|fileprivate|internal|open|static|class|final"
    r"|override|mutating|nonisolated|convenience|required|indirect) )*"
    r"((class|struct|enum|protocol|extension|actor|func) |init[?!]?\().*)",
)
# Options of git for the drivers that the file `attributes` names.
DRIVERS = (
    *("-c", "diff.sonde-script.xfuncname=" + "\n".join(_SCRIPT)),
    *("-c", "diff.sonde-scala.xfuncname=" + "\n".join(_SCALA)),
    *("-c", "diff.sonde-swift.xfuncname=" + "\n".join(_SWIFT)),
)
_NAME = re.compile(
    r"(?:class|def|func|fn|function\*?|struct|interface|trait|impl|enum|module|type|object|protocol"
    r"|extension|actor|namespace)\s+(?:\([^)]*\)\s*)?(?:self\.)?([A-Za-z_$][\w$!?]*)"
    r"|^(?:export )?const ([A-Za-z_$][\w$]*)"
    r"|([A-Za-z_~$][\w$!?]*)\s*(?:<[^()]*>)?\("
)
_HANDED_OVER = re.compile(r"\(.*\bfunction\s*\*?\s*\(")  # describe("…", function () {


def named_by(heading: str) -> str:
    """The definition that a heading begins, "" where it names none."""
    found = None if _HANDED_OVER.search(heading) else _NAME.search(heading)
    return next(name for name in found.groups() if name) if found else ""
