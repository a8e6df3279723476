"""JavaScript source beside the facts it must give."""

from __future__ import annotations

from sonde.extract import extract
from sonde.model import FileFacts, Kind

SOURCE = """\
import def, { a as b } from "./m";
import * as ns from "x";
const { r1, r2: r3 } = require("lib");
const express = require("express");
export { q, r as s } from "./q";
export * from "./all";

/** Starts the server. */
export const start = async (port = 80, { host }) => {
  const inner = x => x.run();
  const page = new Page(port);
  await import("./late");
};

module.exports = function adapter(config) {};
exports.close = () => stop();
res.header = res.set = function set(field) {};
Client.prototype.send = function (data) { throw new SendError(data); };

const handlers = {
  get() { return load(start); },
  set: function (v) {},
  "quoted-name": () => 1,
};
register({ bare() {} });

class Client extends ns.Base {
  static LIMIT = 3;
  onClick = (e) => this.send(e);
  #secret = 1;
  constructor() { super(); this.pool = new Pool(); this.url = url; }
  get open() { return true; }
  async *[Symbol.iterator]() {}
}
const VERSION = "1", Shape = class { area() {} };
app.get("/users/:id", showUser);
router.post("/users", async (req, res) => {});
client.get("/not/a/route");
const view = <Panel title={start}><ns.Row /><div /></Panel>;
function Old() { this.method = function () {}; }
export default () => 1;
"""


def facts() -> FileFacts:
    return extract("lib/client.js", "javascript", SOURCE.encode())


def test_functions_are_named_by_what_they_are_assigned_to() -> None:
    found = [(s.kind.value, s.qualname, s.start_line) for s in facts().symbols[1:]]
    assert found == [
        ("function", "start", 9),
        ("function", "start.inner", 10),
        ("function", "adapter", 15),
        ("function", "close", 16),
        ("method", "res.header", 17),
        ("method", "res.set", 17),
        ("method", "Client.send", 18),
        ("variable", "handlers", 20),
        ("method", "handlers.get", 21),
        ("method", "handlers.set", 22),
        ("method", "handlers.quoted-name", 23),
        ("function", "bare", 25),
        ("class", "Client", 27),
        ("field", "Client.LIMIT", 28),
        ("method", "Client.onClick", 29),
        ("field", "Client.#secret", 30),
        ("constructor", "Client.constructor", 31),
        ("field", "Client.pool", 31),
        ("field", "Client.url", 31),
        ("property", "Client.open", 32),
        ("method", "Client.[Symbol.iterator]", 33),
        ("constant", "VERSION", 35),
        ("class", "Shape", 35),
        ("method", "Shape.area", 35),
        ("variable", "view", 39),
        ("function", "Old", 40),
        ("function", "Old.method", 40),
        ("function", "default", 41),
    ]


def test_a_symbol_carries_signature_doc_parameters_and_bases() -> None:
    symbols = {s.qualname: s for s in facts().symbols}
    start, client = symbols["start"], symbols["Client"]
    assert start.doc == "Starts the server."
    assert start.signature == "const start = async (port = 80, { host })"
    assert start.params == (("port", "", "80", ""), ("{ host }", "", "", ""))
    assert symbols["start.inner"].params == (("x", "", "", ""),)
    assert symbols["Client.send"].owner == "Client"
    assert client.bases == ("ns.Base",)
    assert symbols["Client.pool"].returns == "Pool()"
    assert symbols["Client.#secret"].visibility == "private"
    assert facts().symbols[symbols["Client.send"].parent].name == "Client"


def test_uses_are_found_with_receiver_and_scope() -> None:
    read = facts()
    uses = {
        (r.kind.name, r.name, r.receiver, read.symbols[r.scope].qualname) for r in read.references
    }
    assert {
        ("CALL", "run", "x", "start.inner"),
        ("CALL", "Page", "", "start"),
        ("CALL", "stop", "", "close"),
        ("RAISE", "SendError", "", "Client.send"),
        ("CALL", "load", "", "handlers.get"),
        ("NAME", "start", "", "handlers.get"),
        ("BASE", "Base", "ns", "Client"),
        ("CALL", "send", "this", "Client.onClick"),
        ("FIELD", "pool", "this", "Client.constructor"),
        ("CALL", "Panel", "", "client"),
        ("CALL", "Row", "ns", "client"),
        ("NAME", "start", "", "client"),
    } <= uses
    assert not [r for r in read.references if r.name in ("div", "require")]


def test_modules_of_both_kinds_are_imported() -> None:
    assert [tuple(item) for item in facts().imports] == [
        ("./m", "default", "def", 0, 1, False),
        ("./m", "a", "b", 0, 1, False),
        ("x", "", "ns", 0, 2, False),
        ("lib", "r1", "r1", 0, 3, False),
        ("lib", "r2", "r3", 0, 3, False),
        ("express", "", "express", 0, 4, False),
        ("./q", "q", "q", 0, 5, True),
        ("./q", "r", "s", 0, 5, True),
        ("./all", "*", "*", 0, 6, True),
        ("./late", "", "", 0, 12, False),
        ("", "adapter", "module.exports", 0, 15, True),
    ]


def test_bindings_and_routes() -> None:
    read = facts()
    bound = {(read.symbols[b.scope].qualname, b.name, b.type) for b in read.bindings}
    assert bound == {("start", "page", "Page"), ("Client.constructor", "this.pool", "Pool")}
    assert [(r.method, r.path, r.handler) for r in read.routes] == [
        ("GET", "/users/:id", "showUser"),
        ("POST", "/users", ""),
    ]


VALUES = """\
module.exports = class Kit { open() {} };
exports.Key = class Inner {};
app[method] = function (path) { run(); };
find["ID"] = (id) => id;
checks[type] = function check(thing) {};
Foo.prototype[Symbol.iterator] = function* () {};
Foo.prototype.render = shared;
other.deep.value = 1;
const list = [function first() {}, class Second { go() {} }];
const widget = memo(forward(function Widget(props) {}));
const twice = function once() {};
if (!function probe() {}.name) fallback(() => 1);
class Safe { #hidden(key) {} }
"""


def test_functions_and_classes_written_as_values_are_found_wherever_they_stand() -> None:
    found = extract("lib/values.js", "javascript", VALUES.encode())
    assert [(s.kind.value, s.qualname, s.start_line) for s in found.symbols[1:]] == [
        ("class", "Kit", 1),
        ("method", "Kit.open", 1),
        ("class", "Key", 2),
        ("method", "app.[method]", 3),
        ("method", "find.ID", 4),
        ("method", "checks.check", 5),
        ("method", "Foo.[Symbol.iterator]", 6),
        ("field", "Foo.render", 7),
        ("variable", "list", 9),
        ("function", "first", 9),
        ("class", "Second", 9),
        ("method", "Second.go", 9),
        ("variable", "widget", 10),
        ("function", "Widget", 10),
        ("function", "twice", 11),
        ("function", "probe", 12),
        ("class", "Safe", 13),
        ("method", "Safe.#hidden", 13),
    ]
    assert found.symbols[-1].signature == "#hidden(key)"


def test_exports_under_another_name_are_told() -> None:
    source = """\
export { one as uno, two };
export default run;
export default class Hero {}
exports.a = b;
exports.same = same;
module.exports = { c: d, e, f: require("./f").g, h() {} };
exports = module.exports = make;
module.exports = require("./whole");
"""
    found = extract("lib/index.js", "javascript", source.encode()).imports
    assert [(i.module, i.name, i.alias) for i in found if i.reexport] == [
        ("", "one", "uno"),
        ("", "run", "default"),
        ("", "Hero", "default"),
        ("", "b", "a"),
        ("", "d", "c"),
        ("./f", "g", "f"),
        ("", "make", "module.exports"),
        ("./whole", "", "module.exports"),
    ]


def test_every_prefix_of_a_file_is_read_without_failing() -> None:
    data = SOURCE.encode()
    for end in range(0, len(data), 11):
        cut = extract("a.js", "javascript", data[:end] + b"\xff" + data[end + 3 :])
        assert cut.symbols[0].kind is Kind.MODULE
        extract("a.js", "javascript", data[:end])


def test_bug_accessors_of_define_properties_were_all_called_get() -> None:
    source = b"""\
Object.defineProperties(Reply.prototype, {
  elapsed: { get () { return now() } },
  [kSent]: { get () { return 1 } }
})
Object.defineProperty(Reply, 'last', { get () { return 2 } })
const map = { get () { return 3 } }
"""
    found = extract("a.js", "javascript", source)
    assert [(s.kind.value, s.qualname) for s in found.symbols[1:]] == [
        ("property", "Reply.elapsed"),
        ("property", "Reply.[kSent]"),
        ("property", "Reply.last"),
        ("variable", "map"),
        ("method", "map.get"),
    ]


def test_a_method_that_is_bound_to_its_object_was_a_field_of_the_same_name_too() -> None:
    source = (
        b"class Menu {\n  constructor() {\n    this.open = this.open.bind(this);\n"
        b"    this.shut = this.open.bind(this);\n  }\n  open() {}\n}\n"
    )
    found = [(s.kind.value, s.qualname) for s in extract("menu.js", "javascript", source).symbols]
    assert ("field", "Menu.open") not in found
    assert ("method", "Menu.open") in found
    assert ("field", "Menu.shut") in found
