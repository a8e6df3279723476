# ruff: noqa: E501  (fixtures are whole files on a line)
"""Which of several definitions of one name a call means; each case was a link to the first."""

from __future__ import annotations

import gc

import pytest
from workspace import calls, linked

from sonde.link.arguments import (
    ALL,
    INHERITED,
    LITERALS,
    MAYBE,
    NEVER,
    NO,
    SAME,
    WIDENED,
    grade,
)

CASES = {
    "java: the number of arguments was not read": (
        {
            "a/Row.java": (
                "package a;\nclass Row {\n  void put(int a) {}\n  void put(int a, int b) {}\n"
                "  void put(int a, int b, String... rest) {}\n  void put(String a) {}\n}\n"
            ),
            "a/Use.java": (
                "package a;\nclass Use {\n  void two(Row row) { row.put(1, /* why */ 2); }\n"
                "  void four(Row row) { row.put(1, 2, 3, 4); }\n"
                "  void one(Row row, Object x) { row.put(x); }\n}\n"
            ),
        },
        {
            "Use.two -> Row.put@4",
            "Use.four -> Row.put@5",
            "Use.one -> Row.put@3?",
            "Use.one -> Row.put@6?",
        },
    ),
    "java: an overload of the base was not seen behind the class's own": (
        {
            "a/Row.java": "package a;\nclass Row {\n  void put(int a, int b) {}\n}\n",
            "a/Sub.java": (
                "package a;\nclass Sub extends Row {\n  void put() {}\n  void put(int a) {}\n"
                "  void run() { put(1, 2); put(1); this.put(); }\n}\n"
            ),
        },
        {"Sub.run -> Row.put@3", "Sub.run -> Sub.put@4", "Sub.run -> Sub.put@3"},
    ),
    "java: constructors": (
        {
            "a/Row.java": (
                "package a;\nclass Row {\n  Row() {}\n  Row(int a) {}\n}\n"
                "class Use {\n  Row make() { return new Row(1); }\n}\n"
            ),
        },
        {"Use.make -> Row@2", "Use.make -> Row.Row@4"},
    ),
    "java: types of literals, locals, fields, calls and what they inherit from": (
        {
            "a/Row.java": (
                "package a;\nclass Base {}\nclass Key extends Base {}\nclass Row {\n  void put(String a) {}\n  void put(int a) {}\n"
                "  void put(Base a) {}\n  void put(Runnable a) {}\n  void put(Object a, char b) {}\n  void put(Object a, String b) {}\n"
                "  Key key() { return null; }\n}\n"
            ),
            "a/Use.java": (
                "package a;\nclass Use {\n  String field;\n"
                '  void text(Row row) { row.put("a" + 1); }\n'
                "  void number(Row row) { row.put(-1); }\n"
                "  void local(Row row) { int n = 1; row.put(n); }\n"
                "  void kept(Row row) { row.put(this.field); }\n"
                "  void made(Row row) { row.put(new Key()); }\n"
                "  void given(Row row) { row.put(row.key()); }\n"
                "  void block(Row row) { row.put(() -> {}); }\n"
                "  void letter(Row row) { row.put(row, 'x'); }\n"
                "  void cast(Row row, Object o) { row.put((String) o); }\n}\n"
            ),
        },
        {
            "Use.text -> Row.put@5",
            "Use.number -> Row.put@6",
            "Use.local -> Row.put@6",
            "Use.kept -> Row.put@5",
            "Use.made -> Key@3",
            "Use.made -> Row.put@7",
            "Use.given -> Row.key@11",
            "Use.given -> Row.put@7",
            "Use.block -> Row.put@7?",
            "Use.block -> Row.put@8?",
            "Use.letter -> Row.put@9",
            "Use.cast -> Row.put@5",
        },
    ),
    "java: the result of an overload decided a chain, whichever it was": (
        {
            "a/Row.java": (
                "package a;\nclass Key {\n  void go() {}\n}\nclass Row {\n  void go() {}\n  Key at(int a) { return null; }\n"
                "  Row at() { return this; }\n  void run() { at().go(); }\n  void walk() { at(1).go(); }\n}\n"
            ),
        },
        {
            "Row.run -> Row.at@8",
            "Row.run -> Row.go@6",
            "Row.walk -> Row.at@7",
            "Row.walk -> Key.go@3",
        },
    ),
    "kotlin: defaults, names, blocks and extensions": (
        {
            "a/Row.kt": (
                "package a\nclass Row {\n  fun put(a: Int) {}\n  fun put(a: Int, b: Int = 1, c: Int) {}\n"
                "  fun put(a: Int, then: () -> Unit) {}\n  fun put(vararg all: Long) {}\n}\n"
            ),
            "a/More.kt": "package a\nfun Row.put(a: Int, b: Int, c: Int, d: Int, e: String) {}\n",
            "b/Use.kt": (
                "package b\nimport a.Row\nfun named(row: Row) { row.put(a = 1, c = 2) }\n"
                "fun block(row: Row) { row.put(1) { } }\n"
                "fun none(row: Row) { row.put() }\n"
            ),
        },
        {"named -> Row.put@4", "block -> Row.put@5", "none -> Row.put@6"},
    ),
    "kotlin: a class with a constructor in its head and another one": (
        {
            "a/Row.kt": (
                "package a\nclass Row(val a: Int) {\n  constructor(a: Int, b: Int) : this(a) {}\n}\n"
                "fun one() { Row(1) }\nfun two() { Row(1, 2) }\n"
            ),
        },
        {"one -> Row@2", "two -> Row@2", "two -> Row.constructor@3"},
    ),
    "c#: named arguments, params, defaults and extensions": (
        {
            "Row.cs": (
                "namespace Shop;\npublic partial class Row {\n  public void Put(int a) {}\n"
                "  public void Put(int a, int b, int c = 1) {}\n  public void Put(string text, bool now, string more, string rest) {}\n}\n"
            ),
            "Ext.cs": (
                "namespace Shop;\npublic static class Ext {\n  public static void Send(this Row row, int a) {}\n"
                "  public static void Send(this Row row, int a, int b) {}\n}\n"
            ),
            "Use.cs": (
                "namespace Shop;\nclass Use {\n  void Two(Row row) { row.Put(1, b: 2); }\n"
                "  void One(Row row) { row.Put(1); }\n  void Ext(Row row) { row.Send(1, 2); }\n}\n"
            ),
        },
        {"Use.Two -> Row.Put@4", "Use.One -> Row.Put@3", "Use.Ext -> Ext.Send@4"},
    ),
    "c++: a declaration and its definition are one, defaults stand in the header": (
        {
            "row.hpp": (
                "class Row {\npublic:\n  void put(int a);\n  void put(int a, int b, int c = 1);\n};\nvoid run(int a);\nvoid run(int a, int b);\n"
            ),
            "row.cpp": (
                '#include "row.hpp"\nvoid Row::put(int a) {}\nvoid Row::put(int a, int b, int c) {}\n'
                "void run(int a) {}\nvoid run(int a, int b) {}\n"
            ),
            "use.cpp": (
                '#include "row.hpp"\nvoid two(Row row) { row.put(1, 2); }\n'
                "void one(Row* row) { row->put(1); }\nvoid free() { run(1, 2); }\n"
            ),
        },
        {"two -> Row.put@3", "one -> Row.put@2", "free -> run@5"},
    ),
    "scala: lists, defaults and repeated parameters": (
        {
            "a/Row.scala": (
                "package a\nclass Row {\n  def put(a: Int): Unit = {}\n  def put(a: Int, b: Int)(implicit c: Int): Unit = {}\n"
                "  def put(a: Int, b: Int, c: Int, all: String*): Unit = {}\n}\n"
                "class Use {\n  def two(row: Row) = row.put(1, 2)\n  def five(row: Row) = row.put(1, 2, 3, 4, 5)\n"
                "  def one(row: Row) = row.put { 1 }\n}\n"
            ),
        },
        {"Use.two -> Row.put@4", "Use.five -> Row.put@5", "Use.one -> Row.put@3"},
    ),
    "swift: labels tell overloads apart": (
        {
            "Row.swift": (
                "struct Row {\n  init(id: Int) {}\n  init(_ text: String) {}\n  func put(_ a: Int) {}\n  func put(at a: Int) {}\n"
                "  func put(at a: Int, with b: Int = 1, then: () -> Void) {}\n}\n"
            ),
            "Use.swift": (
                "func plain(row: Row) { row.put(1) }\nfunc label(row: Row) { row.put(at: 1) }\n"
                'func block(row: Row) { row.put(at: 1) { } }\nfunc make() { Row("a") }\n'
            ),
        },
        {
            "plain -> Row.put@4",
            "label -> Row.put@5",
            "block -> Row.put@6",
            "make -> Row@1",
            "make -> Row.init@3",
        },
    ),
    "typescript: functions of one name in different places are no overloads": (
        {
            "row.ts": (
                "export function run() { put(1); }\nfunction put(a: number) {}\nif (Math) {\n  function put(a: number) {}\n}\n"
            ),
        },
        {"run -> put@2"},
    ),
    "c#: generic methods, and types in parts": (
        {
            "Part.cs": "namespace Shop;\npublic partial class Row {\n}\n",
            "Row.cs": "namespace Shop;\npublic interface IRow {\n}\npublic partial class Row : IRow {\n}\n",
            "Use.cs": (
                "namespace Shop;\nclass Use {\n  T Get<T>(int a) { return null; }\n  Row Get(int a) { return null; }\n"
                "  void Put(string a) {}\n  void Put(IRow a) {}\n  void One() { Get(1); }\n  void Two(Row row) { Put(row); }\n}\n"
            ),
        },
        {"Use.One -> Use.Get@4", "Use.Two -> Use.Put@6"},
    ),
    "typescript: signatures are those of the one implementation": (
        {
            "row.ts": (
                "export function put(a: string): void;\nexport function put(a: number, b?: number): void;\n"
                "export function put(a: any, b?: any) {}\n"
                "export class Row {\n  get(a: string): void;\n  get(a: number): void;\n  get(a: any) {}\n}\n"
                "export interface Api {\n  send(a: string): void;\n  send(a: string, b: number, c?: number): void;\n}\n"
            ),
            "use.ts": (
                "import { put, Row, Api } from './row';\nexport function run(row: Row, api: Api) {\n  put('a');\n  row.get(1);\n  api.send('a', 1);\n}\n"
            ),
        },
        {"run -> put@3", "run -> Row.get@7", "run -> Api.send@11"},
    ),
}


@pytest.mark.parametrize(("texts", "expected"), CASES.values(), ids=CASES)
def test_bug_calls_went_to_the_first_overload(texts: dict[str, str], expected: set[str]) -> None:
    assert calls(linked(texts)) == expected


UNWRITTEN = {
    "java: Lombok writes the constructor that is called": (
        {
            "a/Row.java": "package a;\n@AllArgsConstructor\nclass Row {\n  int a;\n  Row() {}\n}\n",
            "a/Use.java": "package a;\nclass Use {\n  Row make() { help(); return new Row(1); }\n  void help() {}\n}\n",
        },
        {"Use.make -> Row@2", "Use.make -> Use.help@4"},
    ),
    "java: a method called init is no constructor": (
        {
            "a/Row.java": "package a;\nclass Base {\n  void init() {}\n}\nclass Row extends Base {\n}\n",
            "a/Use.java": "package a;\nclass Use {\n  Row make(int a) { return new Row(a); }\n  Row none() { return new Row(); }\n}\n",
        },
        {"Use.make -> Row@5", "Use.none -> Row@5"},
    ),
    "kotlin: the constructor that is called is inherited from elsewhere": (
        {
            "a/Row.kt": "package a\nclass Row : Outside {\n  constructor(a: Int) : super(a)\n}\n",
            "a/Use.kt": "package a\nfun make() = Row(1, 2)\n",
        },
        {"make -> Row@2"},
    ),
}


@pytest.mark.parametrize(("texts", "expected"), UNWRITTEN.values(), ids=UNWRITTEN)
def test_bug_a_constructor_that_nobody_wrote_cost_all_edges_of_the_file(
    texts: dict[str, str], expected: set[str]
) -> None:
    assert calls(linked(texts)) == expected


SINGLES = {
    "java: the only definition of a name was called with other arguments than it takes": (
        {
            "a/Row.java": "package a;\nclass Row {\n  String text() { return null; }\n}\n",
            "a/Sub.java": (
                "package a;\nclass Sub extends Row {\n  void text(String a) {}\n  void enlarge(int a) {}\n"
                "  void run() { text(); enlarge(1, 2); }\n}\n"
            ),
        },
        {"Sub.run -> Row.text@3"},
        {"enlarge ? a/Sub.java:Sub.enlarge"},
    ),
    "kotlin: an override leaves out the defaults of what it overrides": (
        {
            "a/Row.kt": (
                "package a\nopen class Row {\n  open fun put(a: Int = 1) {}\n}\nclass Sub : Row() {\n  override fun put(a: Int) {}\n}\n"
                "fun run(sub: Sub) { sub.put() }\n"
            ),
        },
        {"run -> Sub.put@6"},
        set(),
    ),
    "kotlin: a function outside the class takes what its method does not": (
        {
            "a/Row.kt": (
                "package a\nfun make(a: Int, then: () -> Unit) {}\nclass Row {\n  fun make() {}\n  fun run() { make(1) { } }\n}\n"
            ),
        },
        {"Row.run -> make@2"},
        set(),
    ),
}


@pytest.mark.parametrize(("texts", "expected", "open_"), SINGLES.values(), ids=SINGLES)
def test_bug_calls_went_to_what_cannot_take_their_arguments(
    texts: dict[str, str], expected: set[str], open_: set[str]
) -> None:
    index = linked(texts)
    assert calls(index) == expected
    assert index.unresolved() == open_


def test_a_sure_call_of_an_overload_stays_sure_beside_a_doubtful_one() -> None:
    index = linked(
        {
            "a/Row.java": (
                "package a;\nclass Row {\n  void put(int a) {}\n  void put(String a) {}\n"
                "  void run(Object x) { put(x); put(1); }\n}\n"
            )
        }
    )
    assert calls(index) == {"Row.run -> Row.put@3", "Row.run -> Row.put@4?"}


def test_another_default_links_the_callers_again() -> None:
    before = linked({"a/Row.java": "package a;\nclass Row { void put(int a) {} }\n"})
    after = linked({"a/Row.java": "package a;\nclass Row { void put(int... a) {} }\n"})
    keys = before.keys["a/Row.java"], after.keys["a/Row.java"]
    assert keys[0]["a:Row.put"] != keys[1]["a:Row.put"]


@pytest.mark.parametrize(
    ("param", "given", "above", "converts", "expected"),
    [
        ("java.lang.String", "string", (), NEVER, SAME),
        ("@Nullable List<Row>", "List", (), NEVER, SAME),
        ("long", "int", (), NEVER, WIDENED),
        ("CharSequence", "string", (), NEVER, WIDENED),
        ("Object", "string", (), NEVER, MAYBE),
        ("Key", "string", (), NEVER, NO),
        ("Key", "string", (), LITERALS, MAYBE),
        ("Base", "Key", ("Key", "Base"), NEVER, INHERITED),
        ("Other", "Key", ("Key", ALL), NEVER, NO),
        ("Other", "Key", ("Key",), NEVER, MAYBE),
        ("int", "{}", (), NEVER, NO),
        ("(Int) -> Unit", "{}", (), NEVER, SAME),
        ("Path", "File", (), NEVER, MAYBE),
    ],
)
def test_grades_of_types(
    param: str, given: str, above: tuple[str, ...], converts: int, expected: int
) -> None:
    assert grade(param, given, frozenset(above), converts) == expected


def test_what_linking_a_file_made_was_left_to_the_collector() -> None:
    """Files in Go took a fifth longer to link, and a server grew by 90 MB over 1,000 edits."""
    texts = {"a/Row.java": "package a;\nclass Row {\n  void put(int a) { put(1); }\n}\n"}
    linked(texts)
    gc.collect()
    gc.disable()
    try:
        linked(texts)
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_bug_an_optional_closure_took_the_one_that_another_parameter_needs() -> None:
    files = {
        "With.swift": "func with(ready: (() -> Void)? = nil, _ run: (Int) -> Void, end: (() -> Void)? = nil) {}\n",
        "Use.swift": "func one() { with { _ in } }\nfunc two() { with { } _: { _ in } }\nfunc three() { with { _ in } end: { } }\nfunc four() { with() }\n",
    }
    assert calls(linked(files)) == {"one -> with@1", "two -> with@1", "three -> with@1"}


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("Row row;", 3),
        ("Row row(n);", 4),
        ("Row row{n};", 4),
        ('Row row("x", n);', 5),
        ("use(Row{1});", 4),
    ],
)
def test_bug_variables_of_cpp_did_not_call_their_constructor(body: str, line: int) -> None:
    row = "class Row {\n public:\n  Row();\n  Row(int n);\n  Row(const char *name, int n);\n};\n"
    use = f'#include "row.hpp"\nvoid run(int n) {{ {body} std::string other; id_t id; }}\n'
    index = linked({"row.hpp": row, "use.cpp": use})
    assert calls(index) == {f"run -> Row.Row@{line}", "run -> Row@1"}
    assert {each for each in index.unresolved() if not each.startswith("use ")} == set()


def test_bug_a_variable_of_cpp_made_from_another_was_taken_for_a_prototype() -> None:
    texts = {
        "row.hpp": "class Row { public: void save(); };\nclass Old { public: void save(); };\n",
        "use.cpp": '#include "row.hpp"\nvoid run(Old old) { Row row(old); row.save(); }\n',
    }
    assert calls(linked(texts)) == {"run -> Row.save@1", "run -> Row@1"}
