"""People edit: what follows a half-typed line must stay what it is."""

from __future__ import annotations

import pytest
from expect import facts_of, outline, survives_damage, symbol

_GO = (
    "package a\n\nfunc first() {\n\tx()\n}\n\n%s\n\nfunc next() int {\n\treturn 1\n}\n\n"
    "func last() {}\n"
)
_JAVA = (
    "class A {\n    void first() { x(); }\n\n    %s\n\n    public int next() {\n        return 1;\n"
    "    }\n\n    @Override\n    int last(String s) { return 2; }\n}\n"
)
_CSHARP = (
    "class A\n{\n    void first() { x(); }\n\n    %s\n\n    public int next()\n    {\n"
    "        return 1;\n    }\n\n    [Test]\n    int last(string s) { return 2; }\n}\n"
)
_KOTLIN = (
    "class A {\n    fun first() { x() }\n\n    %s\n\n    fun next(): Int {\n        return 1\n"
    "    }\n\n    @Test\n    fun last(s: String) = 2\n}\n"
)
_TYPESCRIPT = (
    "class A {\n  first() { x(); }\n\n  %s\n\n  next(): number {\n    return 1;\n  }\n\n"
    "  async last(s: string) { return 2; }\n}\n"
)
_RUST = (
    "impl A {\n    fn first(&self) {}\n\n    %s\n\n    fn next<'a>(&'a self) -> i32 {\n        1\n"
    "    }\n\n    #[test]\n    fn last() {}\n}\n"
)
_PHP = (
    "<?php\nclass A {\n    function first() {}\n\n    %s\n\n    public function next() {\n"
    "        return 1;\n    }\n\n    public function last() {}\n}\n"
)
_PYTHON = (
    "class A:\n    def first(self):\n        pass\n\n    %s\n\n    def next(self):\n"
    "        return 1\n\n    @x\n    def last(self):\n        pass\n"
)
_RUBY = "class A\n  def first\n  end\n\n  %s\n\n  def next\n    1\n  end\n\n  def last; end\nend\n"
_SCALA = (
    "class A {\n  def first() = 1\n\n  %s\n\n  def next(): Int = {\n    1\n  }\n"
    "\n  def last = 2\n}\n"
)
_SWIFT = (
    "class A {\n  func first() {}\n\n  %s\n\n  func next() -> Int {\n    return 1\n  }\n\n"
    "  func last() {}\n}\n"
)
_C = "int first(void) { }\n\n%s\n\nint next(void) {\n  return 1;\n}\n\nint last(int a) { }\n"
_CPP = (
    "class A {\n public:\n  void first() {}\n\n  %s\n\n  int next() {\n    return 1;\n  }\n\n"
    "  int last(int a) { return 2; }\n};\n"
)
_HALF_TYPED = {
    ("go", _GO): ["func bro", "func (t *T)", "func bro(", "func bro(a int, b", "type Foo struct {"],
    ("java", _JAVA): ["public void bro(", "public void bro(String s,", "private Foo<", "int x ="],
    ("csharp", _CSHARP): ["public void", "public void bro(string", "Foo x = foo(", "int P {"],
    ("kotlin", _KOTLIN): ["fun bro", "fun bro(s:", "class B(val x: Int", "val x =", "private val"],
    ("typescript", _TYPESCRIPT): [
        "bro(",
        "bro(s: string,",
        "bro():",
        "private x = foo(",
    ],
    ("rust", _RUST): ["fn bro", "fn bro(a:", "fn bro() ->", "pub struct B {"],
    ("php", _PHP): ["public function bro(", "private $x =", "use"],
    ("python", _PYTHON): ["def bro", "def bro(self", "class B", "x = foo(", "x = {"],
    ("ruby", _RUBY): ["def bro", "def bro(a,", "class B", "x = foo("],
    ("scala", _SCALA): ["def bro(a:", "def bro() =", "val x = foo("],
    ("swift", _SWIFT): ["func", "func bro(", "func bro() ->", "var x: Int {"],
    ("c", _C): ["int bro(", "int bro( {\n  x();\n}", "int x =", "#include", "typedef struct {"],
    ("cpp", _CPP): ["int bro(int a,", "template <", "struct B {", "~A("],
}


@pytest.mark.parametrize(
    ("language", "template", "typed"),
    [(*case, typed) for case, lines in _HALF_TYPED.items() for typed in lines],
)
def test_a_broken_head_does_not_swallow_the_next_definition(
    language: str, template: str, typed: str
) -> None:
    found = {each.qualname: each for each in facts_of(language, template % typed).symbols[1:]}
    whole = {each.qualname: each for each in facts_of(language, template % "").symbols[1:]}
    added = typed.count("\n")
    following = [each for each in whole if each.rpartition(".")[2] in ("next", "last")]
    assert following
    for name in following:
        assert found[name].kind is whole[name].kind
        assert found[name].start_line == whole[name].start_line + added
        assert found[name].end_line == whole[name].end_line + added


@pytest.mark.parametrize(
    ("language", "template", "typed"),
    [
        ("go", _GO, "func bro() {\n\tif x {\n}"),
        ("java", _JAVA, "void bro() {\n        if (x) {\n    }"),
        ("typescript", _TYPESCRIPT, "bro() {\n    if (x) {\n  }"),
        ("c", _C, "int bro(void) {\n  if (x) {\n}"),
        ("php", _PHP, "function bro() {\n        if ($x) {\n    }"),
        ("ruby", _RUBY, "def bro\n    x.each do |y|\n  end"),
    ],
)
def test_an_open_block_does_not_swallow_the_next_definition(
    language: str, template: str, typed: str
) -> None:
    names = {each.qualname for each in facts_of(language, template % typed).symbols[1:]}
    owner = "" if language in ("go", "c") else "A."
    assert {f"{owner}bro", f"{owner}next", f"{owner}last"} <= names


def test_a_definition_being_typed_keeps_its_name() -> None:
    facts = facts_of("java", _JAVA % "public void bro(String s")
    assert outline(facts) == [
        "class A 1-12",
        "method A.first 2-2",
        "method A.bro 4-5",
        "method A.next 6-8",
        "method A.last 10-11",
    ]
    assert symbol(facts, "A.next").signature == "public int next()"


def test_bodies_that_are_not_indented_stay_open() -> None:
    source = "namespace a {\nint first() { return 1; }\nint bro(\n\nint next() { return 2; }\n}\n"
    assert outline(facts_of("cpp", source))[-1] == "function next 5-5"


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("kotlin", 'class A {\n  // a\0b\n  fun first() = "\0"\n  fun last() {}\n}\n'),
        ("typescript", "class A {\n  first() { return '\0'; }\n  last() {}\n}\n"),
        ("php", "<?php\nclass A {\n  function first() { x('\0'); }\n  function last() {}\n}\n"),
    ],
)
def test_bug_a_file_ended_at_a_nul_in_a_text_or_a_comment(language: str, source: str) -> None:
    facts = facts_of(language, source)
    assert not facts.diagnostics
    assert [each.qualname for each in facts.symbols[1:]] == ["A", "A.first", "A.last"]


def test_half_typed_files_that_are_damaged_too_are_read() -> None:
    for (language, template), lines in _HALF_TYPED.items():
        survives_damage(language, template % lines[0])
