# ruff: noqa: E501  (fixtures are whole files on a line)
"""Calls that a sign stands for lead to what the type of their operand defines."""

from __future__ import annotations

import pytest
from workspace import calls, linked

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
