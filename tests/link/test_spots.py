# ruff: noqa: E501  (fixtures are whole files on a line)
"""Methods of types that are made on the spot see what these inherit, before what is around them."""

from __future__ import annotations

import pytest
from workspace import calls, linked

from sonde.model import EdgeKind

CASES = {
    "java": {
        "a/Base.java": "package a;\nabstract class Base {\n  abstract void run();\n  void bind() {}\n  void stop() {}\n}\n",
        "a/Use.java": (
            "package a;\nclass Use {\n  void outer() {}\n  void bind() {}\n"
            "  void use() {\n    take(new Base() {\n      void run() { bind(); this.stop(); own(); outer(); }\n      void own() { super.stop(); Use.this.outer(); }\n    });\n  }\n}\n"
        ),
    },
    "kotlin": {
        "a/Base.kt": "package a\nabstract class Base {\n  abstract fun run()\n  fun bind() {}\n  fun stop() {}\n}\n",
        "a/Use.kt": (
            "package a\nclass Use {\n  fun outer() {}\n  fun bind() {}\n"
            "  fun use() {\n    take(object : Base() {\n      override fun run() {\n        bind()\n        this.stop()\n        own()\n        outer()\n      }\n"
            "      fun own() {\n        super.stop()\n      }\n    })\n  }\n}\n"
        ),
    },
    "scala": {
        "a/Base.scala": "package a\ntrait Base {\n  def run(): Unit\n  def bind(): Unit = {}\n  def stop(): Unit = {}\n}\n",
        "a/Use.scala": (
            "package a\nclass Use {\n  def outer(): Unit = {}\n  def bind(): Unit = {}\n"
            "  def use() = {\n    take(new Base {\n      def run(): Unit = { bind(); this.stop(); own(); outer() }\n      def own(): Unit = { super.stop() }\n    })\n  }\n}\n"
        ),
    },
}


@pytest.mark.parametrize("language", CASES)
def test_calls_inside_a_type_on_the_spot(language: str) -> None:
    found = calls(linked(CASES[language]))
    assert {
        "Use.use.run -> Base.bind@4",
        "Use.use.run -> Base.stop@5",
        "Use.use.run -> Use.outer@3",
        "Use.use.own -> Base.stop@5",
    } <= found
    assert any(each.startswith("Use.use.run -> Use.use.own@") for each in found)
    assert not any("Use.bind" in each for each in found)


@pytest.mark.parametrize("language", CASES)
def test_a_method_on_the_spot_overrides_the_one_it_stands_for(language: str) -> None:
    assert calls(linked(CASES[language]), EdgeKind.OVERRIDES) == {"Use.use.run -> Base.run@3"}


def test_this_of_the_class_around_is_named_with_it() -> None:
    assert "Use.use.own -> Use.outer@3" in calls(linked(CASES["java"]))


def test_php_finds_what_a_class_without_a_name_extends() -> None:
    index = linked(
        {
            "src/Base.php": "<?php\nnamespace A;\nclass Base {\n  public function bind() {}\n}\n",
            "src/Use.php": (
                "<?php\nnamespace A;\nclass Using {\n  function use() {\n    return new class extends Base {\n"
                "      function run() { $this->bind(); parent::bind(); }\n    };\n  }\n}\n"
            ),
        }
    )
    assert calls(index) == {"Using.use.run -> Base.bind@4"}


def test_bug_a_method_on_the_spot_of_a_field_was_taken_for_one_of_the_class() -> None:
    index = linked(
        {
            "a/U.java": (
                "package a;\nclass Use {\n  Runnable job = new Runnable() { public void go() { this.go(); } };\n"
                "  void run(Use use) { go(); use.go(); }\n}\n"
            )
        }
    )
    assert calls(index) == set()


def test_bug_methods_of_a_type_as_a_value_were_taken_for_those_of_the_type() -> None:
    index = linked(
        {
            "a/U.java": (
                'package a;\nclass Row { String getName() { return ""; } }\n'
                "class Use {\n  String run() { return Row.class.getName(); }\n  String go() { return new Row() {}.getName(); }\n}\n"
            )
        }
    )
    assert calls(index) == {"Use.go -> Row@2", "Use.go -> Row.getName@2"}
    assert index.unresolved() == set()


def test_an_inherited_method_hides_no_variable_around_the_type_on_the_spot() -> None:
    index = linked(
        {
            "a/U.java": (
                "package a;\nclass Base {\n  Base(int a) {}\n  Base row() { return this; }\n}\nclass Row { void go() {} }\n"
                "class Use { Base run(Row row) {\n  return new Base(1) { void go() { row.go(); row(); new Base(2); } };\n} }\n"
            )
        }
    )
    assert calls(index) >= {"Use.run.go -> Row.go@6", "Use.run.go -> Base.row@4"}
    assert "Use.run.go -> Base@2" in calls(index)


def test_bug_a_method_called_like_a_variable_was_not_found() -> None:
    index = linked(
        {
            "a/U.java": (
                "package a;\nclass Use {\n  int next(int at) { return at; }\n"
                "  int run() {\n    int next = next(1);\n    return next;\n  }\n}\n"
            )
        }
    )
    assert calls(index) == {"Use.run -> Use.next@3"}
