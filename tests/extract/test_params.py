from __future__ import annotations

import pytest

from sonde.extract.params import read_params
from sonde.model import Param


@pytest.mark.parametrize(
    ("text", "style", "expected"),
    [
        ("()", "colon", ()),
        ("(a, b: int = 3)", "colon", (Param("a"), Param("b", "int", "3"))),
        ("(f: Callable[[int, str], bool])", "colon", (Param("f", "Callable[[int, str], bool]"),)),
        ("(a: str = 'x, y')", "colon", (Param("a", "str", "'x, y'"),)),
        ("(self, *, k=1, /)", "colon", (Param("self"), Param("k", "", "1"))),
        (
            "(final Map<String, List<T>> m, int... rest)",
            "type_first",
            (Param("m", "Map<String, List<T>>"), Param("rest", "int...")),
        ),
        (
            "(String...all, int = 1)",
            "type_first",
            (Param("all", "String..."), Param("", "int", "1")),
        ),
        ("(params int[] all)", "type_first", (Param("all", "int[]", "", "..."),)),
        ("(vararg all: Int)", "colon", (Param("all", "Int", "", "..."),)),
        (
            "(a?: string, ...b: T[])",
            "colon",
            (Param("a", "string", "", "?"), Param("b", "T[]", "", "...")),
        ),
        (
            "(_ a: Int, in b: Int)",
            "colon",
            (Param("a", "Int", "", "_"), Param("b", "Int", "", "in")),
        ),
        ("(const char *name, int n[3])", "type_first", (Param("name", "char*"), Param("n", "int"))),
        ("(void)", "type_first", ()),
        ("($a, ?Foo $b = null)", "type_first", (Param("a"), Param("b", "?Foo", "null"))),
        (
            "(a, b int, c ...string)",
            "go",
            (Param("a", "int"), Param("b", "int"), Param("c", "...string")),
        ),
        (
            "(func(int) error, chan int)",
            "go",
            (Param("", "func(int) error"), Param("", "chan int")),
        ),
        ("(int, error)", "go", (Param("", "int"), Param("", "error"))),
    ],
)
def test_parameters_by_style(text: str, style: str, expected: tuple[Param, ...]) -> None:
    assert read_params(text, style) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(JsonReader in)", (Param("in", "JsonReader"),)),
        ("(final Writer out, int ref)", (Param("out", "Writer"), Param("ref", "int"))),
        ("(in Row row, out int n)", (Param("row", "Row"), Param("n", "int"))),
        ("(char const, Row *in)", (Param("", "char"), Param("in", "Row*"))),
        ("(Cart this, int n)", (Param("", "Cart"), Param("n", "int"))),
    ],
)
def test_bug_parameters_called_in_or_out_were_taken_for_modifiers(
    text: str, expected: tuple[Param, ...]
) -> None:
    assert read_params(text, "type_first") == expected


@pytest.mark.parametrize(
    ("text", "style", "mark", "expected"),
    [
        (
            "(a: int,  # first, of many\n  b: str = '# no',\n  # alone\n  c=10 // 2)",
            "colon",
            "#",
            (Param("a", "int"), Param("b", "str", "'# no'"), Param("c", "", "10 // 2")),
        ),
        (
            "(a: number, // first, of many\n b = 'http://x', /* in, between */ c?: Row)",
            "colon",
            "//",
            (Param("a", "number"), Param("b", "", "'http://x'"), Param("c", "Row", "", "?")),
        ),
        ("(bool force /* why, here */)", "type_first", "//", (Param("force", "bool"),)),
        ("(a int, // first, of many\n b Row)", "go", "//", (Param("a", "int"), Param("b", "Row"))),
    ],
)
def test_bug_words_of_comments_were_parameters(
    text: str, style: str, mark: str, expected: tuple[Param, ...]
) -> None:
    assert read_params(text, style, mark) == expected


def test_a_very_long_list_is_cut() -> None:
    assert len(read_params("(" + ", ".join(f"a{i}" for i in range(500)) + ")", "colon")) == 40
