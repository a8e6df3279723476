# ruff: noqa: E501  (fixtures are whole files on a line)
"""Calls that a sign stands for lead to what the type of their operand defines."""

from __future__ import annotations

import pytest
from workspace import calls, linked

from sonde.model import EdgeKind

KOTLIN = (
    "class Rows(val own: Rows) {\n  operator fun get(at: Int) = 1\n  operator fun get(name: String) = 1\n"
    "  operator fun set(at: Int, row: Int) {}\n  operator fun plus(other: Rows) = other\n}\n"
    "operator fun Rows.contains(row: Int) = true\n"
)
CSHARP = (
    "class Rows {\n  public int this[int at] => 1;\n  public static Rows operator +(Rows a, Rows b) => a;\n"
    "  public static bool operator ==(Rows a, Rows b) => true;\n}\n"
)
CPP = (
    "struct Rows {\n  int operator[](int at);\n  Rows operator+(const Rows &other) const;\n"
    "  bool operator==(const Rows &other) const;\n  Rows *next;\n  Rows *all;\n};\n"
)
SCALA = "class Rows {\n  def +(other: Rows) = other\n  def max(other: Rows) = other\n  def ::(row: Int) = this\n}\n"


@pytest.mark.parametrize(
    ("path", "text", "use", "line"),
    [
        ("a.kt", KOTLIN, "fun use(rows: Rows) { rows[1] }", 2),
        ("a.kt", KOTLIN, 'fun use(rows: Rows) { rows.own["x"] }', 3),
        ("a.kt", KOTLIN, "fun use(rows: Rows) { rows[1] = 2 }", 4),
        ("a.kt", KOTLIN, "fun use(rows: Rows) { val sum = rows + rows }", 5),
        ("a.kt", KOTLIN, "fun use(rows: Rows) { var sum = rows; sum += rows; rows += rows }", 5),
        ("a.kt", KOTLIN, "fun use(rows: Rows) { if (1 !in rows) {} }", 7),
        ("a.cs", CSHARP, "class U { void use(Rows rows) { var row = rows[1]; } }", 2),
        ("a.cs", CSHARP, "class U { void use(Rows rows) { var sum = rows + rows; } }", 3),
        ("a.cs", CSHARP, "class U { void use(Rows rows) { rows += rows; } }", 3),
        ("a.cs", CSHARP, "class U { void use(Rows rows) { if (rows == rows) {} } }", 4),
        ("a.cpp", CPP, "void use(const Rows &rows) { rows[1]; }", 2),
        ("a.cpp", CPP, "void use(Rows rows) { rows + rows; }", 3),
        ("a.cpp", CPP, "void use(Rows *given) { Rows rows; rows == *given; }", 4),
        ("a.scala", SCALA, "object U { def use(rows: Rows) = rows + rows }", 2),
        ("a.scala", SCALA, "object U { def use(rows: Rows) = rows max rows }", 3),
        ("a.scala", SCALA, "object U { def use(rows: Rows) = 1 :: rows }", 4),
    ],
)
def test_bug_operators_had_no_callers(path: str, text: str, use: str, line: int) -> None:
    found = {each for each in calls(linked({path: f"{text}{use}\n"})) if "use -> Rows." in each}
    assert [int(each.rpartition("@")[2]) for each in found] == [line]


@pytest.mark.parametrize(
    ("path", "text", "use"),
    [
        ("a.kt", KOTLIN, "fun use(rows: List<Rows>) { rows[1]; rows + rows; 1 + 2 }"),
        ("a.kt", KOTLIN, "fun use(rows: Lazy<Rows>) { rows == rows; rows + rows }"),
        ("a.cs", CSHARP, "class U { void use(Rows[] rows, Lazy<Rows> r) { var x = rows[1]; if (r == r) {} } }"),
        ("a.cpp", CPP, "void use(Rows *rows) { rows[1]; rows + 1; rows == rows; rows->next[1]; }"),
        ("a.cpp", CPP, "void use(Rows x) { Rows *rows; Rows many[3]; rows[1]; many[1]; auto p = x.all; p[1]; }"),
        ("a.cpp", CPP, "void use(std::unique_ptr<Rows> rows) { rows == rows; }"),
    ],
)  # fmt: skip
def test_operators_of_pointers_collections_and_unknown_operands_lead_nowhere(
    path: str, text: str, use: str
) -> None:
    index = linked({path: f"{text}{use}\n"})
    assert not {each for each in calls(index) if "use -> Rows." in each}
    assert not index.unresolved()


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("a.kt", "class Rows {\n  operator fun invoke(at: Int) = 1\n}\nclass Shop(val rows: Rows) {\n  fun use() { rows(1) }\n}\n", "invoke"),
        ("a.scala", "class Rows {\n  def apply(at: Int) = 1\n}\nclass Shop(val rows: Rows) {\n  def use() = rows(1)\n}\n", "apply"),
    ],
)  # fmt: skip
def test_bug_calling_a_property_led_to_the_property(path: str, text: str, name: str) -> None:
    assert calls(linked({path: text})) == {f"Shop.use -> Rows.{name}@2"}


FREE = {
    "row.hpp": "#pragma once\nnamespace shop {\nstruct Cell { int n; };\nstruct Row { Cell cell; Row(int n); bool operator==(const Row& other) const; };\n"
    "std::ostream& operator<<(std::ostream& out, const Cell& cell);\nstd::ostream& operator<<(std::ostream& out, const Row& row);\n"
    "inline bool operator<(const Row& a, const Row& b) { return true; }\nbool operator==(const Cell& a, const Row& b);\n}\n",
    "row.cpp": '#include "row.hpp"\nnamespace shop {\n'
    "std::ostream& operator<<(std::ostream& out, const Cell& cell) { return out; }\n"
    "std::ostream& operator<<(std::ostream& out, const Row& row) { return out; }\n}\n",
    "point.hpp": "struct Point { friend bool operator==(const Point& a, const Point& b) { return true; } };\n",
    "unseen.hpp": "#include <row>\nstd::ostream& operator<<(std::ostream& out, const Point& point);\n",
}


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        ("void use(shop::Row row) { std::cout << 1 << row; }", {"row.cpp:operator<<@4"}),
        ("void use(shop::Row& row) { std::cout << row.cell << row; }", {"row.cpp:operator<<@3", "row.cpp:operator<<@4"}),
        ("bool use(const shop::Row& a, shop::Row b) { return a < b; }", {"row.hpp:operator<@7"}),
        ("bool use(shop::Row a) { return a < 3; }", {"row.hpp:operator<@7"}),
        ("bool use(shop::Row a, shop::Row b) { return a == b; }", {"row.hpp:Row.operator==@4"}),
        ("bool use(Point a, Point b) { return a == b; }", {"point.hpp:Point.operator==@1"}),
        ("void use(shop::Row* a, shop::Row* b, int n) { a < b; std::cout << a << n; }", set()),
        ("void use(Point a) { std::cout << a; }", set()),
        ("void use(std::vector<shop::Row> a) { std::cout << a; a < a; }", set()),
    ],
)  # fmt: skip
def test_bug_operators_that_are_functions_had_no_callers(use: str, expected: set[str]) -> None:
    source = f'#include "row.hpp"\n#include "point.hpp"\n{use}\n'
    index = linked({**FREE, "use.cpp": source})
    names = index.name_of()
    lines = {
        id: symbol.start_line
        for _, facts, ids in index.files.values()
        for id, symbol in zip(ids, facts.symbols, strict=True)
    }
    found = {
        f"{names[edge.target]}@{lines[edge.target]}"
        for edge in index.links["use.cpp"].edges
        if edge.kind is EdgeKind.CALLS and "operator" in names[edge.target]
    }
    assert found == expected
