"""Java source beside the facts it must give."""

from __future__ import annotations

from expect import around

from sonde.extract import extract
from sonde.model import FileFacts, Kind, RefKind

SOURCE = """\
package com.acme.db;

import java.util.List;
import static org.junit.Assert.*;
import static a.B.c;
import a.b.*;

/** Talks to the database. */
@Service("x")
public class Client<T extends Row> extends Base<T> implements Closeable, b.Pool<T> {
  private final List<String> names = new ArrayList<>(), other;
  public static final int MAX = 3;

  @Inject
  Client(String url, int... ports) throws UrlError { super(url); this.names = url; }

  // Reads one row.
  @Override
  public <K> Map<K, V> get(final @Nullable T key, @Size(min = 1, max = 2) Map<K, V> rest) {
    List<Client> rows = make();
    var second = new Client("a");
    throw new IllegalStateException(rows.first.value);
  }

  enum State implements Named { OPEN, CLOSED(3) { void close() {} }; int code; State() {} }

  interface Loader extends Source, Sink {
    int LIMIT = 1;
    void load();
    default int read() { return a.b.c(x -> parse(x), this::load, Client::new); }
  }

  @interface Slow { String value() default ""; }

  record Point(int x, String y) implements Shape { Point { check(x); } }

  @GetMapping("/rows/{id}")
  void run() {
    try (Client c = open()) { } catch (IOException | Stop e) { }
    Client.<String>generic().then().again();
    new Runnable() { public void run() {} };
    Map.Entry<String, Row> entry;
    System.getenv("HOME");
  }
}
"""


def facts() -> FileFacts:
    return extract("src/com/acme/db/Client.java", "java", SOURCE.encode())


def test_definitions_have_their_kind_owner_and_lines() -> None:
    found = [(s.kind.value, s.qualname, s.start_line, s.end_line) for s in facts().symbols[1:]]
    assert found == [
        ("class", "Client", 9, 45),
        ("field", "Client.names", 11, 11),
        ("field", "Client.other", 11, 11),
        ("constant", "Client.MAX", 12, 12),
        ("constructor", "Client.Client", 14, 15),
        ("method", "Client.get", 18, 23),
        ("enum", "Client.State", 25, 25),
        ("constant", "Client.State.OPEN", 25, 25),
        ("constant", "Client.State.CLOSED", 25, 25),
        ("method", "Client.State.close", 25, 25),
        ("field", "Client.State.code", 25, 25),
        ("constructor", "Client.State.State", 25, 25),
        ("interface", "Client.Loader", 27, 31),
        ("constant", "Client.Loader.LIMIT", 28, 28),
        ("method", "Client.Loader.load", 29, 29),
        ("method", "Client.Loader.read", 30, 30),
        ("interface", "Client.Slow", 33, 33),
        ("method", "Client.Slow.value", 33, 33),
        ("class", "Client.Point", 35, 35),
        ("property", "Client.Point.x", 35, 35),
        ("property", "Client.Point.y", 35, 35),
        ("constructor", "Client.Point.Point", 35, 35),
        ("method", "Client.run", 37, 44),
        ("method", "Client.run.run", 41, 41),
    ]


def test_a_symbol_carries_signature_doc_parameters_and_bases() -> None:
    symbols = {s.qualname: s for s in facts().symbols}
    client, get = symbols["Client"], symbols["Client.get"]
    assert client.doc == "Talks to the database."
    assert client.decorators == ("Service",)
    assert client.bases == ("Base", "Closeable", "b.Pool")
    assert client.signature == (
        "public class Client<T extends Row> extends Base<T> implements Closeable, b.Pool<T>"
    )
    assert get.doc == "Reads one row."
    assert get.returns == "Map<K, V>"
    assert get.params == (("key", "T", "", ""), ("rest", "Map<K, V>", "", ""))
    assert symbols["Client.Client"].params == (
        ("url", "String", "", ""),
        ("ports", "int...", "", ""),
    )
    assert symbols["Client.names"].returns == "List<String>"
    assert symbols["Client.Loader"].bases == ("Source", "Sink")


def test_visibility_follows_modifiers_and_interfaces_are_public() -> None:
    visible = {s.qualname: s.visibility for s in facts().symbols}
    assert visible["Client.names"] == "private"
    assert visible["Client.run"] == "internal"
    assert visible["Client.Loader.load"] == "public"
    assert visible["Client.get"] == "public"


def test_uses_are_found_with_receiver_and_scope() -> None:
    read = facts()
    uses = {
        (r.kind.name, r.name, r.receiver, around(read, r.scope).qualname) for r in read.references
    }
    assert {
        ("BASE", "Base", "", "Client"),
        ("BASE", "Pool", "b", "Client"),
        ("CALL", "ArrayList", "", "Client"),
        ("RAISE", "UrlError", "", "Client.Client"),
        ("FIELD", "names", "this", "Client.Client"),
        ("CALL", "make", "", "Client.get"),
        ("CALL", "Client", "", "Client.get"),
        ("RAISE", "IllegalStateException", "", "Client.get"),
        ("FIELD", "value", "rows.first", "Client.get"),
        ("CALL", "c", "a.b", "Client.Loader.read"),
        ("CALL", "parse", "", "Client.Loader.read"),
        ("CALL", "load", "this", "Client.Loader.read"),
        ("CALL", "Client", "", "Client.Loader.read"),
        ("CALL", "check", "", "Client.Point.Point"),
        ("CALL", "generic", "Client", "Client.run"),
        ("CALL", "again", "Client.<String>generic().then()", "Client.run"),
        ("TYPE", "Entry", "Map", "Client.run"),
        ("TYPE", "Stop", "", "Client.run"),
        ("ENV", "HOME", "", "Client.run"),
        ("DECORATOR", "Override", "", "Client.get"),
    } <= uses
    assert not [r for r in read.references if r.kind is RefKind.TYPE and r.name in ("T", "K")]


def test_imports_package_bindings_and_routes() -> None:
    read = facts()
    assert read.package == "com.acme.db"
    assert [(i.module, i.name, i.line) for i in read.imports] == [
        ("java.util", "List", 3),
        ("org.junit.Assert", "*", 4),
        ("a.B", "c", 5),
        ("a.b", "*", 6),
    ]
    bound = {(around(read, b.scope).qualname, b.name, b.type, b.called) for b in read.bindings}
    assert ("Client.get", "rows", "List<Client>", False) in bound
    assert ("Client.get", "second", "Client", True) in bound
    assert ("Client.run", "c", "Client", False) in bound
    (route,) = read.routes
    assert (route.method, route.path, read.symbols[route.scope].name) == (
        "GET",
        "/rows/{id}",
        "run",
    )


def test_every_prefix_of_a_file_is_read_without_failing() -> None:
    data = SOURCE.encode()
    for end in range(0, len(data), 11):
        cut = extract("Client.java", "java", data[:end] + b"\xff" + data[end + 3 :])
        assert cut.symbols[0].kind is Kind.MODULE
        extract("Client.java", "java", data[:end])


def test_bug_permitted_subtypes_were_taken_for_bases() -> None:
    source = b"""\
sealed interface Shape extends Named permits Circle {}
class Circle implements Shape {}
"""
    found = extract("Shape.java", "java", source)
    bases = [(r.name, r.line) for r in found.references if r.kind is RefKind.BASE]
    assert bases == [("Named", 1), ("Shape", 2)]
    assert found.symbols[1].bases == ("Named",)


def test_bug_fields_below_their_annotation_had_no_signature() -> None:
    source = b"class A {\n  @Autowired\n  private Foo foo;\n}\n"
    field = extract("A.java", "java", source).symbols[2]
    assert (field.signature, field.start_line, field.end_line) == ("private Foo foo;", 2, 3)


def test_bug_an_annotation_after_modifiers_hid_them() -> None:
    source = b"class A {\n  @Override // x\n  public @Nullable String name(int a);\n}\n"
    name = extract("A.java", "java", source).symbols[2]
    assert (name.visibility, name.decorators) == ("public", ("Override", "Nullable"))
    assert name.signature == "public @Nullable String name(int a)"


def test_bug_the_constructor_of_an_enum_was_seen_in_its_package() -> None:
    source = b"enum Mode {\n  FAST(1);\n  Mode(int x) {}\n  void run() {}\n}\n"
    found = {s.qualname: s.visibility for s in extract("Mode.java", "java", source).symbols[2:]}
    assert found == {"Mode.FAST": "public", "Mode.Mode": "private", "Mode.run": "internal"}
