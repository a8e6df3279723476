# ruff: noqa: E501  (fixtures are whole files on a line)
"""What calls give, as far as it is easily seen."""

from __future__ import annotations

import pytest

from sonde.extract import extract
from sonde.model import RefKind

CASES = {
    "java": (
        """class A { void r() { none(); two(1, /* why */ x.y); text("a" + b, "a" == b);
        made(new Row<T>(1), (Key) o, one.get(3), 'c', -2.5f, null, () -> 1); a.<T>typed(true); } }""",
        {
            "none": "()",
            "two": "(_:1,_:x.y)",
            "text": '(_:",_)',
            "made": "(_:+Row,_:+Key,_:one.get(),_:',_:1.0,_:null,_:{})",
            "typed": "(_:true)",
            "Row": "(_:1)",
        },
    ),
    "kotlin": (
        "fun r() { named(1, at = x) { y -> y }; Row.make { }; plain(1) }",
        {"named": "(_:1,at:x,{})", "make": "({})", "plain": "(_:1)"},
    ),
    "csharp": (
        """class A { void R() { Named(1, at: x); a.B<T>(ref y); new Row { A = 1 }; Text($"a{b}"); } }""",
        {"Named": "(_:1,at:x)", "B": "(_:y)<1>", "Row": "()", "Text": '(_:")'},
    ),
    "scala": (
        "object A { def r() = { named(1, at = x); block { x => x }; lists(1)(2); new Row[T](1); a op b } }",
        {"named": "(_:1,at:x)", "block": "(_)", "lists": "(_:1)", "Row": "(_:1)", "op": ""},
    ),
    "swift": (
        "func r() { named(1, at: x) { y in y }; Row { }; both(&z) { } then: { } }",
        {"named": "(_:1,at:x,{})", "Row": "({})", "both": "(_,{},{})"},
    ),
    "cpp": (
        "void r() { typed<int>(1, 2); ns::g(x); new Row(1); p->spread(xs...); }",
        {"typed": "(_:1,_:1)", "g": "(_:x)", "Row": "(_:1)", "spread": ""},
    ),
    "typescript": (
        "spread(1, ...xs); new Row<T>(1); a.typed<T>('x', `y`);",
        {"spread": "", "Row": "(_:1)", "typed": '(_:",_:")'},
    ),
    "python": ("f(1)", {"f": ""}),
}


@pytest.mark.parametrize("language", CASES)
def test_arguments_of_calls(language: str) -> None:
    text, expected = CASES[language]
    facts = extract("file", language, text.encode())
    found = {each.name: each.args for each in facts.references if each.kind is RefKind.CALL}
    assert expected.items() <= found.items()
