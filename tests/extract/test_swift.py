from __future__ import annotations

import pytest
from expect import facts_of, outline, survives_damage, symbol, uses

from sonde.extract import extract
from sonde.model import FileFacts, Import, Param, RefKind

SOURCE = """\
import Foundation
import class UIKit.UIView

/// A client.
@available(iOS 13, *)
public final class Client<T: Codable>: Base, Proto where T: Equatable {
    private let first, second: String
    static let shared = Client(name: "x")
    var count: Int { return items.count }
    /// Makes one.
    public init(name: String, with options: Options = .default) throws {
        self.name = name
        super.init()
    }
    @discardableResult
    open func send<U>(_ request: Request, to host: String = "a") async throws -> Response<U> {
        let made = Request(url: host)
        let typed: Foo.Bar = make()
        guard let s = try await made.engine?.run({ x in x.go(helper(1)) }) else {
            throw ClientError.bad(1)
        }
        items.map { $0.name }.filter(helper)
        func nested() {}
    }
    static func == (a: Client, b: Client) -> Bool { true }
    struct Inner { var z = 0 }
    typealias Handler = (Int) -> Void
    enum Keys: String, CodingKey { case a, b = "x" }
}
protocol Proto: Root { associatedtype E; var p: Int { get }; func run() -> Int }
extension Client where T == Int { func extra() {} }
extension Array: Proto { var half: Int { 1 } }
func helper(a: Int, b c: String...) -> Int { 1 }
let global = 3
"""


@pytest.fixture(scope="module")
def facts() -> FileFacts:
    return facts_of("swift", SOURCE)


def test_definitions_with_kinds_owners_and_lines(facts: FileFacts) -> None:
    assert outline(facts) == [
        "class Client 5-29",
        "field Client.first 7-7",
        "field Client.second 7-7",
        "field Client.shared 8-8",
        "property Client.count 9-9",
        "constructor Client.init 11-14",
        "method Client.send 15-24",
        "function Client.send.nested 23-23",
        "method Client.== 25-25",
        "struct Client.Inner 26-26",
        "field Client.Inner.z 26-26",
        "type alias Client.Handler 27-27",
        "enum Client.Keys 28-28",
        "constant Client.Keys.a 28-28",
        "constant Client.Keys.b 28-28",
        "protocol Proto 30-30",
        "type alias Proto.E 30-30",
        "property Proto.p 30-30",
        "method Proto.run 30-30",
        "method Client.extra 31-31",
        "property Array.half 32-32",
        "function helper 33-33",
        "variable global 34-34",
    ]


def test_members_of_extensions_belong_to_the_extended_type(facts: FileFacts) -> None:
    extra, half = symbol(facts, "Client.extra"), symbol(facts, "Array.half")
    assert facts.symbols[extra.parent].qualname == "Client"
    assert (extra.owner, half.owner) == ("Client", "Array")


def test_details_of_definitions(facts: FileFacts) -> None:
    client, send = symbol(facts, "Client"), symbol(facts, "Client.send")
    assert client.doc == "A client."
    assert client.bases == ("Base", "Proto")
    assert client.decorators == ("available",)
    assert client.signature == (
        "public final class Client<T: Codable>: Base, Proto where T: Equatable"
    )
    assert send.params == (
        Param("request", "Request", "", "_"),
        Param("host", "String", '"a"', "to"),
    )
    assert send.returns == "Response<U>"
    assert send.visibility == "public"
    assert symbol(facts, "Client.init").params == (
        Param("name", "String"),
        Param("options", "Options", ".default", "with"),
    )
    assert symbol(facts, "Client.first").visibility == "private"
    assert symbol(facts, "Client.second").returns == "String"
    assert symbol(facts, "Client.shared").returns == "Client()"
    assert symbol(facts, "Client.count").signature == "var count: Int"
    assert symbol(facts, "helper").params == (Param("a", "Int"), Param("c", "String...", "", "b"))


def test_references(facts: FileFacts) -> None:
    assert uses(facts, "Client.send", RefKind.CALL) == [
        "Request",
        "make",
        "made.engine|run",
        "x|go",
        "helper",
        "ClientError|bad",
        "items|map",
        "items.map { $0.name }|filter",
    ]
    assert uses(facts, "Client.send", RefKind.RAISE) == ["ClientError"]
    assert uses(facts, "Client.send", RefKind.NAME) == ["helper"]
    assert uses(facts, "Client", RefKind.BASE) == ["Base", "Proto"]
    assert uses(facts, "Client.count", RefKind.FIELD) == ["items|count"]


def test_an_extension_gives_its_type_a_base(facts: FileFacts) -> None:
    assert uses(facts, "file", RefKind.BASE) == ["Array|Proto"]


def test_imports_of_modules_and_of_one_name(facts: FileFacts) -> None:
    assert facts.imports == (
        Import("Foundation", "*", "*", 0, 1),
        Import("UIKit", "UIView", "UIView", 0, 2),
    )


def test_locals_are_bound_to_what_makes_them(facts: FileFacts) -> None:
    assert [(b.name, b.type, b.called) for b in facts.bindings] == [
        ("made", "Request", True),
        ("typed", "Foo.Bar", False),
        ("s", "made.engine?.run", True),
        ("x", "#0/{} made.engine.run", True),
        ("$0", "#0/{} items.map", True),
    ]


def test_damaged_source_still_extracts() -> None:
    survives_damage("swift", SOURCE)


def test_deinit_and_subscript_are_members() -> None:
    source = b"class A {\n  deinit { close() }\n  subscript(i: Int) -> T { items[i] }\n}\n"
    found = extract("a.swift", "swift", source)
    assert [(s.kind.value, s.qualname) for s in found.symbols[2:]] == [
        ("method", "A.deinit"),
        ("method", "A.subscript"),
    ]
    assert found.symbols[3].signature == "subscript(i: Int) -> T"
    assert [param.name for param in found.symbols[3].params] == ["i"]
    assert [
        (r.name, found.symbols[r.scope].name) for r in found.references if r.name == "close"
    ] == [("close", "deinit")]


def test_macro_declarations() -> None:
    source = """\
@freestanding(expression)
public macro stringify<T>(_ value: T) -> (T, String) = #externalMacro(module: "M", type: "S")
@attached(member)
macro AddInit() = #externalMacro(module: "M", type: "I")
func f() { let x = #stringify(1) }
"""
    facts = facts_of("swift", source)
    assert outline(facts) == ["macro stringify 1-2", "macro AddInit 3-4", "function f 5-5"]
    made = symbol(facts, "stringify")
    assert made.signature == "public macro stringify<T>(_ value: T) -> (T, String)"
    assert made.decorators == ("freestanding",)
    assert uses(facts, "f", RefKind.CALL) == ["stringify"]


def test_bug_a_warning_among_members_lost_the_type_around_it() -> None:
    source = """\
struct Suite {
    func first() {}
    #warning("bring (it) back")
    /*
    func gone() {}
    */
    func second() {}
}
"""
    found = facts_of("swift", source)
    assert outline(found) == [
        "struct Suite 1-8",
        "method Suite.first 2-2",
        "method Suite.second 7-7",
    ]


def test_bug_members_were_not_as_visible_as_their_extension_or_protocol() -> None:
    source = b"""\
public extension String {
  func a() {}
  internal func b() {}
}
private extension String { func c() {} }
public protocol Source { func next() }
public enum State { case open }
public class Plain { func d() {} }
"""
    found = {s.name: s.visibility for s in extract("a.swift", "swift", source).symbols[1:]}
    assert [found[name] for name in "abcd"] == ["public", "internal", "private", "internal"]
    assert (found["next"], found["open"]) == ("public", "public")
