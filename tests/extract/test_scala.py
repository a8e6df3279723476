"""Scala source beside the facts it must give."""

from __future__ import annotations

from expect import around, facts_of, outline

from sonde.extract import extract
from sonde.model import FileFacts, Kind

SOURCE = """\
package com.acme.db

import a.b.C
import a.b._
import a.{B => BB, D, _}, x.y

/** Talks to the database. */
@Service
abstract class Client[T <: Row](val url: String, plain: Long)(implicit ec: Context)
    extends Base[T](url) with Closeable with N.Pool[T] {
  val rows: List[String] = new ArrayList()
  private lazy val slow = make()
  type Rows[A] = Map[String, A]
  def this(a: Int) = this("x", a)
  override def get[K](key: T, rest: String*)(implicit z: Zone): Map[K, V] = {
    val all: List[Client] = load[Row](key)
    val one = new Client("a")
    throw new IllegalStateException(all.first.value)
  }
  def size: Int
  def mapped = a.b.c(rows).map(x => x.go())
}
trait Loader extends Source with Sink {
  def load(): Unit
}
object Single extends Loader {
  val MAX = 3
  case class Point(x: Int)
}
enum Color { case Red, Green }
extension (p: Point) def twice: Int = 2
class Api extends Servlet {
  get("/rows") { list() }
}
"""


def facts() -> FileFacts:
    return extract("db/Client.scala", "scala", SOURCE.encode())


def test_definitions_have_their_kind_owner_and_lines() -> None:
    found = [(s.kind.value, s.qualname, s.start_line, s.end_line) for s in facts().symbols[1:]]
    assert found == [
        ("class", "Client", 8, 22),
        ("field", "Client.url", 9, 9),
        ("field", "Client.rows", 11, 11),
        ("field", "Client.slow", 12, 12),
        ("type alias", "Client.Rows", 13, 13),
        ("constructor", "Client.this", 14, 14),
        ("method", "Client.get", 15, 19),
        ("method", "Client.size", 20, 20),
        ("method", "Client.mapped", 21, 21),
        ("trait", "Loader", 23, 25),
        ("method", "Loader.load", 24, 24),
        ("class", "Single", 26, 29),
        ("field", "Single.MAX", 27, 27),
        ("class", "Single.Point", 28, 28),
        ("field", "Single.Point.x", 28, 28),
        ("enum", "Color", 30, 30),
        ("constant", "Color.Red", 30, 30),
        ("constant", "Color.Green", 30, 30),
        ("method", "Point.twice", 31, 31),
        ("class", "Api", 32, 34),
    ]


def test_a_symbol_carries_signature_doc_parameters_and_bases() -> None:
    symbols = {s.qualname: s for s in facts().symbols}
    client, get = symbols["Client"], symbols["Client.get"]
    assert client.doc == "Talks to the database."
    assert client.decorators == ("Service",)
    assert client.bases == ("Base", "Closeable", "N.Pool")
    assert [p.name for p in client.params] == ["url", "plain", "ec"]
    assert get.params == (
        ("key", "T", "", ""),
        ("rest", "String*", "", "..."),
        ("z", "Zone", "", "?"),
    )
    assert get.returns == "Map[K, V]"
    assert symbols["Client.rows"].returns == "List[String]"
    assert symbols["Client.slow"].returns == "make()"
    assert symbols["Client.slow"].visibility == "private"


def test_uses_are_found_with_receiver_and_scope() -> None:
    read = facts()
    uses = {
        (r.kind.name, r.name, r.receiver, around(read, r.scope).qualname) for r in read.references
    }
    assert {
        ("BASE", "Base", "", "Client"),
        ("BASE", "Closeable", "", "Client"),
        ("BASE", "Pool", "N", "Client"),
        ("BASE", "Sink", "", "Loader"),
        ("CALL", "load", "", "Client.get"),
        ("CALL", "Client", "", "Client.get"),
        ("RAISE", "IllegalStateException", "", "Client.get"),
        ("FIELD", "value", "all.first", "Client.get"),
        ("CALL", "map", "a.b.c(rows)", "Client.mapped"),
        ("CALL", "go", "x", "Client.mapped"),
        ("NAME", "rows", "", "Client.mapped"),
        ("TYPE", "Row", "", "Client"),
    } <= uses


def test_imports_package_bindings_and_routes() -> None:
    read = facts()
    assert read.package == "com.acme.db"
    assert [tuple(i)[:3] for i in read.imports] == [
        ("a.b", "C", "C"),
        ("a.b", "*", "*"),
        ("a", "B", "BB"),
        ("a", "D", "D"),
        ("a", "*", "*"),
        ("x", "y", "y"),
    ]
    bound = {(around(read, b.scope).qualname, b.name, b.type, b.called) for b in read.bindings}
    assert ("Client.get", "all", "List[Client]", False) in bound
    assert ("Client.get", "one", "Client", True) in bound
    assert [(r.method, r.path) for r in read.routes] == [("GET", "/rows")]


def test_every_prefix_of_a_file_is_read_without_failing() -> None:
    data = SOURCE.encode()
    for end in range(0, len(data), 11):
        cut = extract("a.scala", "scala", data[:end] + b"\xff" + data[end + 3 :])
        assert cut.symbols[0].kind is Kind.MODULE
        extract("a.scala", "scala", data[:end])


def test_visibility_may_name_who_sees_a_member() -> None:
    source = b"""\
class A {
  private[db] def shared = 1
  private[this] def hidden = 1
  protected[this] val y = 2
}
"""
    found = [s.visibility for s in extract("a.scala", "scala", source).symbols[2:]]
    assert found == ["internal", "private", "protected"]


def test_bug_an_indented_body_went_on_to_the_next_definition() -> None:
    source = """\
trait Flash {
  private def get(req: Request): Map =
    req.get(key).getOrElse {
      new Map
    }

  /** Of this request. */
  def flash(req: Request): Map =
    get(req) // now

  // the last
  val size: Int =
    1

}
class Indented:
  def one: Int =
    1

  // two follows
  def two = 2

// the end
object Last
"""
    found = facts_of("scala", source)
    assert outline(found) == [
        "trait Flash 1-15",
        "method Flash.get 2-5",
        "method Flash.flash 8-9",
        "field Flash.size 12-13",
        "class Indented 16-21",
        "method Indented.one 17-18",
        "method Indented.two 21-21",
        "class Last 24-24",
    ]


def test_bug_a_method_whose_name_begins_with_a_colon_cost_the_whole_file() -> None:
    source = "class Rows {\n  def ::(row: Int) = this\n  def :+(row: Int) = this\n}\n"
    found = extract("Rows.scala", "scala", source.encode()).symbols[1:]
    assert [each.qualname for each in found] == ["Rows", "Rows.::", "Rows.:+"]
