"""Kotlin source beside the facts it must give."""

from __future__ import annotations

from expect import around, facts_of, outline, symbol

from sonde.extract import extract
from sonde.model import FileFacts, Kind

SOURCE = """\
package com.acme.db

import a.b.C
import a.b.*
import x.y.z as w

/** Talks to the database. */
@Service
sealed class Client<T : Row>(private val url: String, var port: Int = 1, plain: Long) :
  Base<T>(url, port), Closeable, N.Pool<T> by other {
  val rows: List<String> = ArrayList()
  private val slow by lazy { make() }
  val open: Boolean
    get() = true

  constructor(a: Int) : this("x") { check(a) }
  init { start() }

  override suspend fun <K> get(key: T, vararg rest: String): Map<K, V> {
    val all: List<Client> = load()
    val one = Client("a")
    throw IllegalStateException(all.first.value)
  }

  companion object {
    fun create() = Client()
    const val MAX = 3
  }

  enum class State(val code: Int) : Named {
    OPEN(1),
    CLOSED(2);
    fun next() {}
  }

  @GetMapping("/rows")
  fun list() = a?.b!!.c(port) { it.go() }
}

interface Loader : Source, Sink {
  fun load()
  val size: Int
}
object Single : Loader()
data class Point(val x: Int)
typealias Rows<T> = Map<String, T>
fun Point.twice(): Int = 2
val TOP = "a"
fun top(f: (Int) -> Unit) {
  try {} catch (e: Stop) {}
  fun local() {}
  names.map(::local)
}
@Retention
annotation class Slow
"""


def facts() -> FileFacts:
    return extract("db/Client.kt", "kotlin", SOURCE.encode())


def test_definitions_have_their_kind_owner_and_lines() -> None:
    found = [(s.kind.value, s.qualname, s.start_line, s.end_line) for s in facts().symbols[1:]]
    assert found == [
        ("class", "Client", 8, 38),
        ("field", "Client.url", 9, 9),
        ("field", "Client.port", 9, 9),
        ("field", "Client.rows", 11, 11),
        ("field", "Client.slow", 12, 12),
        ("property", "Client.open", 13, 14),
        ("constructor", "Client.constructor", 16, 16),
        ("constructor", "Client.init", 17, 17),
        ("method", "Client.get", 19, 23),
        ("method", "Client.create", 26, 26),
        ("constant", "Client.MAX", 27, 27),
        ("enum", "Client.State", 30, 34),
        ("field", "Client.State.code", 30, 30),
        ("constant", "Client.State.OPEN", 31, 31),
        ("constant", "Client.State.CLOSED", 32, 32),
        ("method", "Client.State.next", 33, 33),
        ("method", "Client.list", 36, 37),
        ("interface", "Loader", 40, 43),
        ("method", "Loader.load", 41, 41),
        ("field", "Loader.size", 42, 42),
        ("class", "Single", 44, 44),
        ("class", "Point", 45, 45),
        ("field", "Point.x", 45, 45),
        ("type alias", "Rows", 46, 46),
        ("method", "Point.twice", 47, 47),
        ("constant", "TOP", 48, 48),
        ("function", "top", 49, 53),
        ("function", "top.local", 51, 51),
        ("class", "Slow", 54, 55),
    ]


def test_a_symbol_carries_signature_doc_parameters_and_bases() -> None:
    read = facts()
    symbols = {s.qualname: s for s in read.symbols}
    client, get = symbols["Client"], symbols["Client.get"]
    assert client.doc == "Talks to the database."
    assert client.decorators == ("Service",)
    assert client.bases == ("Base", "Closeable", "N.Pool")
    assert client.params == (
        ("url", "String", "", ""),
        ("port", "Int", "1", ""),
        ("plain", "Long", "", ""),
    )
    assert get.params == (("key", "T", "", ""), ("rest", "String", "", "..."))
    assert get.returns == "Map<K, V>"
    assert symbols["Client.url"].visibility == "private"
    assert symbols["Client.rows"].returns == "List<String>"
    twice = symbols["Point.twice"]
    assert (twice.owner, read.symbols[twice.parent].name) == ("Point", "Point")


def test_uses_are_found_with_receiver_and_scope() -> None:
    read = facts()
    uses = {
        (r.kind.name, r.name, r.receiver, around(read, r.scope).qualname) for r in read.references
    }
    assert {
        ("BASE", "Base", "", "Client"),
        ("BASE", "Pool", "N", "Client"),
        ("BASE", "Loader", "", "Single"),
        ("CALL", "make", "", "Client"),
        ("CALL", "start", "", "Client.init"),
        ("CALL", "load", "", "Client.get"),
        ("CALL", "Client", "", "Client.get"),
        ("RAISE", "IllegalStateException", "", "Client.get"),
        ("FIELD", "value", "all.first", "Client.get"),
        ("CALL", "c", "a.b", "Client.list"),
        ("CALL", "go", "it", "Client.list"),
        ("NAME", "port", "", "Client.list"),
        ("CALL", "local", "", "top"),
        ("TYPE", "Stop", "", "top"),
        ("TYPE", "Row", "", "Client"),
    } <= uses


def test_imports_package_bindings_and_routes() -> None:
    read = facts()
    assert read.package == "com.acme.db"
    assert [tuple(i)[:3] for i in read.imports] == [
        ("a.b", "C", "C"),
        ("a.b", "*", "*"),
        ("x.y", "z", "w"),
    ]
    bound = {(around(read, b.scope).qualname, b.name, b.type, b.called) for b in read.bindings}
    assert ("Client.get", "all", "List<Client>", False) in bound
    assert ("Client.get", "one", "Client", True) in bound
    assert ("top", "e", "Stop", False) in bound
    (route,) = read.routes
    assert (route.method, route.path) == ("GET", "/rows")
    assert read.symbols[route.scope].qualname == "Client.list"


def test_every_prefix_of_a_file_is_read_without_failing() -> None:
    data = SOURCE.encode()
    for end in range(0, len(data), 11):
        cut = extract("a.kt", "kotlin", data[:end] + b"\xff" + data[end + 3 :])
        assert cut.symbols[0].kind is Kind.MODULE
        extract("a.kt", "kotlin", data[:end])


def test_bug_types_with_a_body_on_one_line_were_lost() -> None:
    source = b"""\
object Single { fun one() {} }
interface Repo<T> { fun find(id: Long): T; val size: Int }
class User(val name: String) { companion object { const val MAX = 3; fun make() = 1 } }
abstract class Last { abstract fun x(); protected open fun y() { throw Bad("{ }") } }
"""
    found = extract("a.kt", "kotlin", source)
    assert [(s.kind.value, s.qualname, s.start_line) for s in found.symbols[1:]] == [
        ("class", "Single", 1),
        ("method", "Single.one", 1),
        ("interface", "Repo", 2),
        ("method", "Repo.find", 2),
        ("field", "Repo.size", 2),
        ("class", "User", 3),
        ("field", "User.name", 3),
        ("constant", "User.MAX", 3),
        ("method", "User.make", 3),
        ("class", "Last", 4),
        ("method", "Last.x", 4),
        ("method", "Last.y", 4),
    ]
    assert found.diagnostics == ()


def test_bug_newer_kotlin_cost_the_whole_file() -> None:
    source = b"""\
annotation class Single(val binds: Array<Any> = [])
fun Application.main() {
    val service by inject<Service>()

    get("/all") { call() }
}
context(session: Session)
fun text(name: String) = $$"$name"
fun kind(it: Any) = when (it) {
    is Small if it.size == 1 -> one(*all)
    else -> two()
}
"""
    found = extract("a.kt", "kotlin", source)
    names = [s.qualname for s in found.symbols[1:]]
    assert names == ["Single", "Single.binds", "Application.main", "text", "kind"]
    assert {"get", "call", "one", "two"} <= {r.name for r in found.references}
    assert found.diagnostics == ()


def test_a_comment_above_a_class_is_not_the_doc_of_its_parameters() -> None:
    found = extract("a.kt", "kotlin", b"/** A user. */\nclass User(val name: String)\n")
    assert [s.doc for s in found.symbols[1:]] == ["A user.", ""]


def test_bug_soft_keywords_as_names_and_calls_behind_a_block_cost_the_whole_file() -> None:
    source = b"""\
@Value($$"${show-sql:false}")
class Query(val id: Int) {
    val ddl
        @OptIn(Internal::class)
        get() = create()

    fun adjust(predicate: Op) {
        toString()
        where = predicate
        where?.let { use(it) }
    }

    fun start() {
        var failed: Throwable? = null

        suspend { run() }
    }

    fun add(): Int {
        val id = Users.insert {
            it[name] = "x"
        } get Users.id
        return when (id) {
            is Small if (
                id.size == one(1) &&
                    id.ok
                ) -> 1
            else -> 2
        }
    }
}
"""
    found = extract("a.kt", "kotlin", source)
    assert [(s.kind.value, s.qualname) for s in found.symbols[1:]] == [
        ("class", "Query"),
        ("field", "Query.id"),
        ("property", "Query.ddl"),
        ("method", "Query.adjust"),
        ("method", "Query.start"),
        ("method", "Query.add"),
    ]
    assert {"create", "use", "run", "insert"} <= {r.name for r in found.references}
    assert found.diagnostics == ()


def test_methods_of_objects_without_a_name_are_methods() -> None:
    source = b"fun make() = object : Runnable {\n    override fun run() { fun inner() {} }\n}\n"
    found = [(each.kind, each.qualname) for each in extract("a.kt", "kotlin", source).symbols[1:]]
    assert found == [
        (Kind.FUNCTION, "make"),
        (Kind.METHOD, "make.run"),
        (Kind.FUNCTION, "make.run.inner"),
    ]


def test_bug_a_constructor_on_the_line_below_its_nested_class() -> None:
    source = b"""\
class Reader {
  class Options<T>
  private constructor(
    val names: List<T>,
  ) {
    fun names() = names
  }

  fun read() {
    val json = $$"{\\"$foo\\": 1}"
    val ignored = observe(json) { _, _ -> }
  }
}
"""
    found = extract("a.kt", "kotlin", source)
    assert [(s.kind.value, s.qualname, s.start_line, s.end_line) for s in found.symbols[1:]] == [
        ("class", "Reader", 1, 13),
        ("class", "Reader.Options", 2, 7),
        ("field", "Reader.Options.names", 4, 4),
        ("method", "Reader.Options.names", 6, 6),
        ("method", "Reader.read", 9, 12),
    ]
    assert found.diagnostics == ()


def test_bug_types_of_several_platforms_below_an_annotation_were_lost() -> None:
    source = """\
@OptIn(UnsafeNumber::class)
actual class Checksum {
  actual fun update(content: ByteArray) {}
}
@Deprecated(
  "moved"
)
expect object Tools {
  fun run(): Int
}
"""
    facts = facts_of("kotlin", source)
    assert outline(facts) == [
        "class Checksum 1-4",
        "method Checksum.update 3-3",
        "class Tools 5-10",
        "method Tools.run 9-9",
    ]
    assert symbol(facts, "Checksum").signature == "actual class Checksum"


def test_bug_constructors_with_several_modifiers_on_their_own_line_lost_the_class() -> None:
    source = """\
actual open class Text
internal actual constructor(
  val data: ByteArray,
) {
  fun size() = 1
}
class Service
@Inject
internal constructor(private val store: Store) {
  fun run() = 1
}
"""
    assert outline(facts_of("kotlin", source)) == [
        "class Text 1-6",
        "field Text.data 3-3",
        "method Text.size 5-5",
        "class Service 7-11",
        "field Service.store 9-9",
        "method Service.run 10-10",
    ]


def test_bug_soft_keywords_as_names_and_trailing_commas_lost_the_class() -> None:
    source = """\
class Source(val cipher: Cipher) {
  private var final = false
  private fun refill() {
    while (size == 0L && !final) {
      final = true
    }
    by.write("by")
  }
  inline fun <
    reified T : Any,
    A10,
  > invoke(arg1: A10) = match(Matcher<T> { it(arg1) })
  fun close() {}
}
"""
    assert outline(facts_of("kotlin", source)) == [
        "class Source 1-14",
        "field Source.cipher 1-1",
        "field Source.final 2-2",
        "method Source.refill 3-8",
        "method Source.invoke 9-12",
        "method Source.close 13-13",
    ]


def test_bug_a_class_with_a_hidden_constructor_below_annotations_lost_its_members() -> None:
    source = """\
@OptIn(Internal::class)
@Marker
open class Row protected constructor() {
    val shop = Shop()
    fun save() {}
}
"""
    found = extract("Row.kt", "kotlin", source.encode()).symbols[1:]
    assert [each.qualname for each in found] == ["Row", "Row.shop", "Row.save"]
    assert "open class Row protected constructor()" in found[0].signature


def test_bug_a_call_with_type_arguments_and_a_block_was_a_comparison() -> None:
    source = """\
class Box<T> { fun one() { rows<Row> { save() } } }
interface box<T> { fun two() = shop.rows<Map<Id, Row>> { it.save() } }
"""
    facts = extract("Row.kt", "kotlin", source.encode())
    called = [(each.name, each.receiver, each.args) for each in facts.references if each.args]
    assert called == [
        ("rows", "", "({})"),
        ("save", "", "()"),
        ("rows", "shop", "({})"),
        ("save", "it", "()"),
    ]
    assert [each.name for each in facts.symbols[1:]] == ["Box", "one", "box", "two"]


def test_bug_the_default_of_a_parameter_was_a_field_of_its_class() -> None:
    source = "const val MOST = 9\nclass Row(val open: Boolean = false, val limit: Int = MOST)\n"
    found = extract("Row.kt", "kotlin", source.encode()).symbols[1:]
    assert [each.qualname for each in found] == ["MOST", "Row", "Row.open", "Row.limit"]


def test_bug_a_declaration_below_annotations_was_its_name_alone_or_lost() -> None:
    source = (
        "@Target(\n    AnnotationTarget.CLASS,\n)\nannotation class Tag\n\n"
        "@Serializable\ndata object Empty\n\n@Target(X)\nannotation class Last\n"
    )
    found = extract("Row.kt", "kotlin", source.encode())
    assert [(each.signature, each.start_line, each.end_line) for each in found.symbols[1:]] == [
        ("annotation class Tag", 1, 4),
        ("data object Empty", 6, 7),
        ("annotation class Last", 9, 10),
    ]
    assert [each.scope for each in found.references if each.name == "Target"] == [1, 3]
