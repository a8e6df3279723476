"""Long receivers are kept without what their calls are given."""

from __future__ import annotations

import pytest

from sonde.extract.chains import condensed
from sonde.extract.references import split_receiver

LONG = "x" * 200


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f'a.b("{LONG}", c(1, 2)).d()', "a.b(_,_).d()"),
        (f'a.b("){LONG}")\n  // what, why\n  .c(\n    1,\n  )', "a.b(_) .c(_)"),
        (f"a.get(Row.class, {LONG}).b(Row::class.java)", "a.get(Row.class,_).b(Row::class.java)"),
        (f"a.map {{ x -> {LONG} }}.b[0].c('({LONG})')", "a.map {}.b[0].c(_)"),
        (f'a.b("""text " of (\n{LONG}""").c()', "a.b(_).c()"),
        (f"a.b({LONG}", ""),
        (f"a){LONG}", ""),
        (".".join([LONG, LONG]), ""),
    ],
)
def test_a_chain_keeps_its_names_and_how_much_each_call_gets(text: str, expected: str) -> None:
    assert condensed(text) == expected


def test_what_is_no_chain_is_not_kept_as_a_receiver() -> None:
    assert split_receiver(f'a.b("{LONG}").c', (".",)) == ("c", "a.b(_)")
    assert split_receiver(f"[{LONG}.c", (".",)) == ("c", "…")
