# ruff: noqa: E501  (fixtures are whole files on a line)
"""Members of one name on both sides of a type, and what shares its name with an object."""

from __future__ import annotations

import pytest
from workspace import calls, linked

from sonde.model import EdgeKind

SIDES = {
    "typescript": (
        {
            "row.ts": (
                "export class Row {\n  make() {}\n  static make() { this.own(); }\n  own() {}\n  static own() {}\n"
                "  run() { this.own(); Row.own(); }\n}\n"
            ),
            "use.ts": (
                "import { Row } from './row';\nconst kept = new Row();\nexport function one(row: Row) { row.make(); }\n"
                "export function two() { Row.make(); }\nexport function three() { kept.make(); }\n"
            ),
        },
        {
            "one -> Row.make@2",
            "two -> Row.make@3",
            "three -> Row.make@2",
            "Row.make -> Row.own@5",
            "Row.run -> Row.own@4",
            "Row.run -> Row.own@5",
            "use -> Row@1",
        },
    ),
    "javascript": (
        {
            "row.js": (
                "class Row {\n  make() {}\n  static make() {}\n}\nfunction one() { Row.make(); }\n"
                "function two() { const row = new Row(); row.make(); }\n"
            )
        },
        {"one -> Row.make@3", "two -> Row.make@2", "two -> Row@1"},
    ),
    "ruby": (
        {
            "row.rb": (
                "class Row\n  def make\n    own\n  end\n  def self.make\n    own\n  end\n  def own; end\n"
                "  class << self\n    def own; end\n  end\nend\n"
                "def one\n  Row.make\nend\ndef two\n  row = Row.new\n  row.make\nend\n"
            )
        },
        {
            "Row.make -> Row.own@8",
            "Row.make -> Row.own@10",
            "one -> Row.make@5",
            "two -> Row.make@2",
            "two -> Row@1",
        },
    ),
    "kotlin": (
        {
            "a/Row.kt": (
                "package a\nclass Row {\n  fun make() {}\n  companion object {\n    fun make() {}\n  }\n}\n"
                "fun one(row: Row) { row.make() }\nfun two() { Row.make() }\n"
            )
        },
        {"one -> Row.make@3", "two -> Row.make@5"},
    ),
    "swift": (
        {
            "Row.swift": (
                "class Row {\n  func make() { own() }\n  static func make() { own() }\n  func own() {}\n  class func own() {}\n}\n"
                "func one(row: Row) { row.make() }\nfunc two() { Row.make() }\n"
            )
        },
        {
            "one -> Row.make@2",
            "two -> Row.make@3",
            "Row.make -> Row.own@4",
            "Row.make -> Row.own@5",
        },
    ),
    "scala": (
        {
            "a/Row.scala": (
                "package a\nclass Row {\n  def make(): Unit = {}\n}\nobject Row {\n  def make(): Unit = {}\n}\n"
                "class Use {\n  def one(row: Row) = row.make()\n  def two() = Row.make()\n}\n"
            )
        },
        {"Use.one -> Row.make@3", "Use.two -> Row.make@6"},
    ),
}


@pytest.mark.parametrize(("texts", "expected"), SIDES.values(), ids=SIDES)
def test_bug_static_members_were_taken_for_those_of_instances(
    texts: dict[str, str], expected: set[str]
) -> None:
    assert calls(linked(texts)) == expected


def test_bug_members_of_a_companion_that_are_imported_or_named_by_it_led_nowhere() -> None:
    index = linked(
        {
            "a/Row.kt": (
                "package a\nclass Row {\n  fun put() {}\n  fun String.own() {}\n  companion object {\n"
                "    fun make(): Row = Row()\n    fun String.toRow(): Row = Row()\n    val EMPTY = Row()\n  }\n}\n"
                "class Column {\n  fun of() {}\n  companion object Factory {\n    fun of(): Column = Column()\n  }\n}\n"
            ),
            "b/Use.kt": (
                "package b\nimport a.Column.Factory.of\nimport a.Row\nimport a.Row.Companion.EMPTY\n"
                "import a.Row.Companion.make\nimport a.Row.Companion.toRow\n"
                "fun one() { make().put() }\nfun two() { of() }\nfun three(text: String) { text.toRow() }\n"
                "fun four() { Row.Companion.make() }\nfun five() { EMPTY.put() }\n"
            ),
            "c/Use.kt": (
                "package c\nimport a.Row\nfun unseen(text: String) { text.toRow(); text.own(); make() }\n"
            ),
            "d/Use.java": "package d;\nimport a.Row;\nclass Use { void run() { Row.Companion.make(); } }\n",
        }
    )
    assert {
        each for each in calls(index) if " -> Column@" not in each and " -> Row@" not in each
    } == {
        "one -> Row.make@6",
        "one -> Row.put@3",
        "two -> Column.of@14",
        "three -> Row.String.toRow@7",
        "four -> Row.make@6",
        "five -> Row.put@3",
        "Use.run -> Row.make@6",
    }


def test_bug_an_attribute_of_swift_was_a_reference_beside_a_decoration() -> None:
    index = linked(
        {
            "Row.swift": (
                "@propertyWrapper struct Kept {}\n@globalActor actor Main {}\n"
                "class Use {\n  @Kept var a: Int = 1\n  @Main func run() {}\n}\n"
            )
        }
    )
    assert "Row.swift:Use.run -> Row.swift:Main" in index.edges(EdgeKind.DECORATES)
    assert not index.edges(EdgeKind.REFERENCES) & {
        "Row.swift:Use.run -> Row.swift:Main",
        "Row.swift:Use -> Row.swift:Kept",
    }


def test_bug_an_alias_of_scala_was_taken_for_the_object_of_its_name() -> None:
    index = linked(
        {
            "a/Row.scala": (
                "package a\nclass Row\ntrait Has {\n  type Key = Row\n  object Key {\n    def go(): Int = 1\n  }\n"
                "  def typed(key: Key) = 1\n  def made = Key()\n  def passed = List(Key)\n  def asked = Key.go()\n}\n"
                "object Base\ntrait Base {\n  def run(): Int = 1\n}\nclass Sub extends Base {\n  def go() = run()\n}\n"
            )
        }
    )
    assert calls(index) >= {"Has.made -> Has.Key@5", "Has.asked -> Has.Key.go@6"}
    assert "Has.passed -> Has.Key@5" in calls(index, EdgeKind.REFERENCES)
    assert calls(index, EdgeKind.TYPE_HINT_OF) == {"Has.typed -> Has.Key@4"}
    assert calls(index, EdgeKind.IMPLEMENTS) == {"Sub -> Base@14"}
    assert "Sub.go -> Base.run@15" in calls(index)
