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
        ("function", "module.exports", 15),
        ("function", "exports.close", 16),
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
    assert start.params == (("port", "", "80"), ("{ host }", "", ""))
    assert symbols["start.inner"].params == (("x", "", ""),)
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
        ("CALL", "stop", "", "exports.close"),
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
    ]


def test_bindings_and_routes() -> None:
    read = facts()
    bound = {(read.symbols[b.scope].qualname, b.name, b.type) for b in read.bindings}
    assert bound == {("start", "page", "Page"), ("Client.constructor", "this.pool", "Pool")}
    assert [(r.method, r.path, r.handler) for r in read.routes] == [
        ("GET", "/users/:id", "showUser"),
        ("POST", "/users", ""),
    ]


def test_every_prefix_of_a_file_is_read_without_failing() -> None:
    data = SOURCE.encode()
    for end in range(0, len(data), 11):
        cut = extract("a.js", "javascript", data[:end] + b"\xff" + data[end + 3 :])
        assert cut.symbols[0].kind is Kind.MODULE
        extract("a.js", "javascript", data[:end])
