# ruff: noqa: E501  (fixtures are whole files on a line)
"""The parameters of lambdas have the types that the called function or the collection says."""

from __future__ import annotations

import pytest
from workspace import linked

from sonde.model import EdgeKind

ROW_JAVA = "class Row { void go() {} }\n"
TAKEN = {
    "function.java": "import java.util.function.*;\n"
    + ROW_JAVA
    + "class Use {\n  void each(int n, Consumer<? super Row> f) {}\n  void run() { each(1, r -> r.go()); }\n}\n",
    "interface.java": ROW_JAVA
    + "interface Each { void take(Row row, int at); default void other() {} }\nclass Use {\n  void each(Each f) {}\n  void run() { each((r, n) -> r.go()); }\n}\n",
    "generic_interface.java": ROW_JAVA
    + "interface Handler<E> { void handle(E event); }\nclass Server<T> { void each(Handler<T> f) {} }\nclass Use {\n  void run(Server<Row> server) { server.each(r -> { r.go(); }); }\n}\n",
    "elements.java": "import java.util.List;\n"
    + ROW_JAVA
    + "class Use {\n  void run(List<Row> rows) { rows.stream().filter(r -> r.go()); }\n}\n",
    "delegate.cs": "using System;\nclass Row { public void go() {} }\nclass Use {\n  void Each(Action<int, Row> f) {}\n  void run() { Each((n, r) => r.go()); }\n}\n",
    "elements.cs": "class Row { public void go() {} }\nclass Use {\n  List<Row> rows;\n  void run() { rows.ForEach(r => r.go()); }\n}\n",
    "function.kt": "class Row { fun go() {} }\nfun each(n: Int, f: (Row) -> Unit) {}\nclass Use {\n  fun run() { each(1) { r -> r.go() } }\n}\n",
    "it.kt": "class Row { fun go() {} }\nfun each(f: (Row) -> Unit) {}\nclass Use {\n  fun run() { each { it.go() } }\n}\n",
    "elements.kt": "class Row { fun go() {} }\nclass Use {\n  fun run(rows: List<Row>) { rows.forEach { it.go() } }\n}\n",
    "receiver.kt": "class Row { fun go() {} }\nfun build(f: Row.() -> Unit) {}\nclass Use {\n  fun run() { build { go() } }\n}\n",
    "this.kt": "class Row { fun go() {} }\nfun build(f: Row.() -> Unit) {}\nclass Use {\n  fun go() {}\n  fun run() { build { this.go() } }\n}\n",
    "with.kt": "class Row { fun go() {} }\nclass Use {\n  fun go() {}\n  fun run(row: Row) { with(row) { go() } }\n}\n",
    "let.kt": "class Row { fun go() {} }\nclass Use {\n  fun run(row: Row?) { row?.let { it.go() } }\n}\n",
    "function.swift": "class Row { func go() {} }\nclass Use {\n  func each(at: Int, f: @escaping (Row) -> Void) {}\n  func run() { each(at: 1) { r in r.go() } }\n}\n",
    "short.swift": "class Row { func go() {} }\nclass Use {\n  func run(rows: [Row]) { rows.forEach { $0.go() } }\n}\n",
    "function.ts": "class Row { go() {} }\nclass Use {\n  each(f: (row: Row, n: number) => void) {}\n  run() { this.each((r) => r.go()); }\n}\n",
    "elements.ts": "class Row { go() {} }\nclass Use {\n  run(rows: Row[]) { rows.forEach(r => r.go()); }\n}\n",
    "function.scala": "class Row { def go() = {} }\nclass Use {\n  def each(n: Int, f: Row => Unit) = {}\n  def run() = { each(1, r => r.go()) }\n}\n",
    "elements.scala": "class Row { def go() = {} }\nclass Use {\n  def run(rows: Seq[Row]) = { rows.foreach(r => r.go()) }\n}\n",
    "function.rs": "struct Row;\nimpl Row { fn go(&self) {} }\nstruct Use;\nimpl Use {\n  fn each(n: usize, f: impl Fn(&Row)) {}\n  fn run() { Use::each(1, |r| r.go()); }\n}\n",
    "bound.rs": "struct Row;\nimpl Row { fn go(&self) {} }\nstruct Use;\nimpl Use {\n  fn each<F: Fn(&Row) -> bool + Send>(n: usize, f: F) {}\n  fn run() { Use::each(1, |r| r.go()); }\n}\n",
    "where.rs": "struct Row;\nimpl Row { fn go(&self) {} }\nstruct Use;\nimpl Use {\n  fn each<F>(f: F) where F: Send + FnMut(usize, &mut Row) {}\n  fn run() { Use::each(|n, r| r.go()); }\n}\n",
    "elements.rs": "struct Row;\nimpl Row { fn go(&self) {} }\nstruct Use;\nimpl Use {\n  fn run(rows: Vec<Row>) { rows.iter().map(|r| r.go()); }\n}\n",
}


@pytest.mark.parametrize("path", TAKEN)
def test_bug_the_types_of_lambda_parameters_were_unknown(path: str) -> None:
    edges = linked({path: TAKEN[path]}).edges(EdgeKind.CALLS)
    assert f"{path}:Use.run -> {path}:Row.go" in edges
    assert f"{path}:Use.run -> {path}:Use.go" not in edges


def test_bug_a_lambda_parameter_was_taken_for_the_field_of_its_name() -> None:
    text = ROW_JAVA + "class Use {\n  Row row;\n  void run() { other(row -> row.go()); }\n}\n"
    assert linked({"u.java": text}).edges(EdgeKind.CALLS) == set()


def test_overloads_that_disagree_leave_a_lambda_parameter_unknown() -> None:
    text = (
        "import java.util.function.*;\nclass Row { void go() {} }\nclass Key { void go() {} }\nclass Use {\n"
        "  void each(Consumer<Row> f) {}\n  void each(Consumer<Key> f, int n) {}\n  void run() { each(r -> r.go()); }\n}\n"
    )
    assert "u.java:Use.run -> u.java:Key.go" not in linked({"u.java": text}).edges(EdgeKind.CALLS)


def test_a_nested_lambda_sees_the_parameters_around_it() -> None:
    text = (
        "class Row { fun go() {}\n  fun keys(): List<Key> = listOf() }\nclass Key { fun to() {} }\n"
        "fun run(rows: List<Row>) { rows.forEach { row -> row.keys().forEach { key -> key.to(); row.go() } } }\n"
    )
    edges = linked({"u.kt": text}).edges(EdgeKind.CALLS)
    assert {"u.kt:run -> u.kt:Row.go", "u.kt:run -> u.kt:Key.to"} <= edges


def test_a_variable_in_a_lambda_may_come_from_its_parameter() -> None:
    text = (
        "package a;\nclass Row { Key key() { return null; } }\nclass Key { void to() {} }\ninterface Each { void take(Row row); }\n"
        "class Use { void each(Each f) {}\n  void run() { each(r -> { var key = r.key(); key.to(); }); }\n}\n"
    )
    assert "a/U.java:Use.run -> a/U.java:Key.to" in linked({"a/U.java": text}).edges(EdgeKind.CALLS)


def test_bug_the_receiver_that_an_alias_of_a_function_type_gives_was_unknown() -> None:
    app = """\
class App { fun modules() {} }
typealias Declaration = App.() -> Unit
typealias Definition<T> = App.(Int) -> T
fun start(eager: Boolean = true, declaration: Declaration? = null) {}
fun <T> single(definition: Definition<T>) {}
fun one() { start { modules() } }
fun two() { single<Int> { modules() } }
"""
    assert linked({"App.kt": app}).edges(EdgeKind.CALLS) == {
        "App.kt:one -> App.kt:start",
        "App.kt:one -> App.kt:App.modules",
        "App.kt:two -> App.kt:single",
        "App.kt:two -> App.kt:App.modules",
    }


def test_bug_extensions_were_not_found_for_receivers_of_blocks_and_results_of_calls() -> None:
    files = {
        "A.kt": "package a\nclass Scope\nclass Made<T>\nclass Module {\n  fun <T> single(make: Scope.() -> T): Made<T> = Made()\n}\n",
        "B.kt": "package b\nimport a.*\nfun Scope.new() {}\nfun <T> Made<T>.named() {}\nfun Made<*>.unseen() {}\n",
        "C.kt": "package b\nimport a.*\nclass Other { fun Scope.inner() {} }\n",
        "Use.kt": "package c\nimport a.*\nimport b.new\nimport b.named\nfun one(module: Module) { module.single { new() }.named() }\n"
        "fun two(module: Module) { val made = module.single { inner() }; made.named(); made.unseen() }\n",
    }
    found = linked(files).edges(EdgeKind.CALLS)
    assert {each.removeprefix("Use.kt:") for each in found if each.startswith("Use")} == {
        "one -> A.kt:Module.single",
        "one -> B.kt:Scope.new",
        "one -> B.kt:Made.named",
        "two -> A.kt:Module.single",
        "two -> B.kt:Made.named",
    }
