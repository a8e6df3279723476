# ruff: noqa: E501  (fixtures are whole files on a line)
"""Type parameters stand for what bases and declarations give to them."""

from __future__ import annotations

import pytest
from workspace import linked

from sonde.model import EdgeKind

THROUGH_BASES = {
    "a.java": "class User { void name() {} }\nclass Base<K, T> { T find(K key) { return null; } T held; }\nclass Middle<V> extends Base<String, V> {}\nclass Use extends Middle<User> {\n  void run() { this.find(1).name(); }\n}\n",
    "field.java": "class User { void name() {} }\nclass Base<T> { T held; }\nclass Use extends Base<User> {\n  void run() { this.held.name(); }\n}\n",
    "declared.java": "class User { void name() {} }\nclass Base<T> { T find() { return null; } }\nclass Use {\n  void run(Base<User> base) { base.find().name(); }\n}\n",
    "bound.java": "class User { void name() {} }\nclass Base<T extends User> { T find() { return null; } }\nclass Use {\n  void run(Base<?> base) { base.find().name(); }\n}\n",
    "elements.java": "class User { void name() {} }\nclass Base<T> { List<T> all() { return null; } }\nclass Use extends Base<User> {\n  void run() { for (var each : this.all()) { each.name(); } }\n}\n",
    "a.kt": "class User { fun name() {} }\nopen class Base<T> { fun find(): T = TODO() }\nclass Use : Base<User>() {\n  fun run() { find().name() }\n}\n",
    "a.cs": "class User { public void name() {} }\nclass Base<T> { public T find() { return default; } }\nclass Use : Base<User> {\n  void run() { this.find().name(); }\n}\n",
    "a.ts": "class User { name() {} }\nclass Base<T> { find(): T { return null as any } }\nclass Use extends Base<User> {\n  run() { this.find().name(); }\n}\n",
    "a.scala": "class User { def name() = {} }\nclass Base[T] { def find(): T = ??? }\nclass Use extends Base[User] {\n  def run() = { this.find().name() }\n}\n",
    "a.swift": "class User { func name() {} }\nclass Base<T> { func find() -> T { fatalError() } }\nclass Use: Base<User> {\n  func run() { self.find().name() }\n}\n",
}


@pytest.mark.parametrize("path", THROUGH_BASES)
def test_bug_type_parameters_were_lost_through_bases(path: str) -> None:
    edges = linked({path: THROUGH_BASES[path]}).edges(EdgeKind.CALLS)
    assert f"{path}:Use.run -> {path}:User.name" in edges


def test_a_type_parameter_is_looked_up_where_its_argument_is_written() -> None:
    files = {
        "a/Base.java": "package a;\npublic class Base<T> { public T find() { return null; } }\n",
        "a/User.java": "package a;\npublic class User { public void name() {} }\n",
        "b/User.java": "package b;\npublic class User { public void name() {} }\n",
        "b/Users.java": "package b;\nimport a.Base;\npublic class Users extends Base<User> {}\n",
        "c/Use.java": "package c;\nimport b.Users;\nclass Use { void run(Users users) { users.find().name(); } }\n",
    }
    edges = linked(files).edges(EdgeKind.CALLS)
    assert "c/Use.java:Use.run -> b/User.java:User.name" in edges
    assert "c/Use.java:Use.run -> a/User.java:User.name" not in edges


def test_bug_a_value_that_is_surely_not_null_had_no_type() -> None:
    source = (
        "public class Row { public Row Own; public void Save() {} }\n"
        "public class Shop {\n"
        "  public static T Get<T>(string at) { return default; }\n"
        "  public Row Find() { return null; }\n"
        '  void One() { var row = Shop.Get<Row>("x")!; row.Save(); }\n'
        "  void Two() { var row = Find()!; row.Save(); }\n"
        "  void Three(Row given) { var row = given!; row.Save(); }\n"
        "  void Four(Row given) { var row = given.Own!; row.Save(); }\n"
        "  async void Five() { var row = (await Find())!; row.Save(); }\n"
        "}\n"
    )
    found = linked({"Shop.cs": source}).edges(EdgeKind.CALLS)
    callers = {edge.partition(" ->")[0] for edge in found if edge.endswith("Row.Save")}
    assert callers == {f"Shop.cs:Shop.{name}" for name in ("One", "Two", "Three", "Four", "Five")}
