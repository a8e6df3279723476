"""Brackets behind a type's name, and square ones behind a value, call what the type defines."""

from __future__ import annotations

import pytest
from workspace import linked

from sonde.model import EdgeKind

KOTLIN = """\
class Money private constructor(val n: Int) {
  companion object { operator fun invoke(n: Int): Money = Money(n) }
}
interface Shape { companion object { operator fun invoke(kind: String): Shape = Square() } }
class Square : Shape
object Single { operator fun invoke(n: Int) = n }
class Plain(val n: Int) { companion object { operator fun invoke(n: Int, s: String) = Plain(n) } }
class Handler { operator fun invoke(n: Int) {} }
fun money() = Money(1)
fun shape() = Shape("x")
fun single() = Single(1)
fun plain() = Plain(1)
fun other() = Plain(1, "a")
fun handler() = Handler()
"""
SCALA = """\
class Money(val n: Int)
object Money {
  def apply(n: Int): Money = new Money(n)
  def apply(s: String): Money = new Money(s.length)
}
case class Both(n: Int)
object Both { def apply(s: String): Both = new Both(s.length) }
object walk { def apply(n: Int) = n; object all { def apply(n: Int) = n } }
class Handler { def apply(n: Int) = n }
object Use {
  def made = new Money(1)
  def money = Money(1)
  def text = Money[Int]("1")
  def both = Both(1)
  def other = Both("1")
  def walked = walk(1)
  def all = walk.all(1)
  def handler = new Handler(1)
}
"""
SWIFT = """\
struct Grid {
  subscript(row: Int, col: Int) -> Int { 0 }
  subscript(safe index: Int) -> Row? { nil }
  static subscript(name: String) -> Grid { Grid() }
  func own() { self[1, 2] }
}
class Row {}
func index(grid: Grid) { grid[1, 2] = 3 }
func safe(grid: Grid?) { grid?[safe: 1] }
func named() { Grid["a"] }
func several(grids: [Grid]) { grids[0] }
"""


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        (
            "a.kt",
            KOTLIN,
            {
                "money -> operator fun invoke(n: Int): Money",
                "shape -> operator fun invoke(kind: String): Shape",
                "single -> operator fun invoke(n: Int)",
                "other -> operator fun invoke(n: Int, s: String)",
            },
        ),
        (
            "a.scala",
            SCALA,
            {
                "Use.money -> def apply(n: Int): Money",
                "Use.text -> def apply(s: String): Money",
                "Use.other -> def apply(s: String): Both",
                "Use.walked -> def apply(n: Int)",
                "Use.all -> def apply(n: Int)",
            },
        ),
        (
            "a.swift",
            SWIFT,
            {
                "Grid.own -> subscript(row: Int, col: Int) -> Int",
                "index -> subscript(row: Int, col: Int) -> Int",
                "safe -> subscript(safe index: Int) -> Row?",
                "named -> static subscript(name: String) -> Grid",
            },
        ),
    ],
)
def test_bug_calls_by_brackets_alone_had_no_callee(
    path: str, source: str, expected: set[str]
) -> None:
    index = linked({path: source})
    _, facts, ids = index.files[path]
    symbols = dict(zip(ids, facts.symbols, strict=True))
    run = {
        f"{symbols[edge.source].qualname} -> {symbols[edge.target].signature}"
        for edge in index.links[path].edges
        if edge.kind is EdgeKind.CALLS
        and symbols[edge.target].name in ("invoke", "apply", "subscript")
    }
    assert run == expected
