from __future__ import annotations

import pytest
from expect import facts_of, outline, survives_damage, symbol, uses

from sonde.extract import extract
from sonde.model import FileFacts, Import, Param, RefKind, Route

SOURCE = """\
//! Crate docs.
use std::collections::{HashMap, hash_map::{self, Entry as E}};
pub use crate::core::Engine;
use super::*;
pub mod net;
mod inner {
    pub(crate) fn helper() {}
}

/// A server.
#[derive(Debug, Clone)]
pub struct Server<T: Clone> where T: Send {
    /// Where to listen.
    pub addr: String,
    handler: Box<dyn Handler<T>>,
}
struct Pair(pub u32, String);
pub enum Mode { Fast, Slow(u32) }
pub trait Handler<T>: Base + Send {
    const N: usize;
    type Out;
    fn handle(&self, x: T) -> Self::Out;
    fn twice(&self) { self.handle(1); }
}
type Alias<T> = Result<T, MyErr>;
const MAX: usize = 3;
macro_rules! twice { ($x:expr) => { $x } }

impl<T: Clone> Server<T> {
    /// Makes one.
    #[inline]
    pub async fn new(addr: &str, mut n: Vec<u8>) -> Result<Self, MyErr> {
        let s = Server { addr: addr.to_string() };
        let e = Engine::new(1).await?;
        let q: Foo<Bar> = make();
        s.engine.run(|x| x.go(inner::helper()));
        twice!(count(1));
        std::mem::swap::<u8>(n, max);
        items.iter().map(helper).collect::<Vec<_>>();
        Err(MyErr::Bad)
    }
}
impl<T> Handler<T> for Server<T> { fn handle(&self, x: T) {} }
impl fmt::Display for inner::Thing<'_> { fn fmt(&self) {} }
#[cfg(test)]
mod tests {
    #[test]
    fn works() { fn nested() {} }
}
"""


@pytest.fixture(scope="module")
def facts() -> FileFacts:
    return facts_of("rust", SOURCE)


def test_definitions_with_kinds_owners_and_lines(facts: FileFacts) -> None:
    assert outline(facts) == [
        "function helper 7-7",
        "struct Server 11-16",
        "field Server.addr 14-14",
        "field Server.handler 15-15",
        "struct Pair 17-17",
        "enum Mode 18-18",
        "constant Mode.Fast 18-18",
        "constant Mode.Slow 18-18",
        "trait Handler 19-24",
        "constant Handler.N 20-20",
        "type alias Handler.Out 21-21",
        "method Handler.handle 22-22",
        "method Handler.twice 23-23",
        "type alias Alias 25-25",
        "constant MAX 26-26",
        "macro twice 27-27",
        "method Server.new 31-41",
        "method Server.handle 43-43",
        "method Thing.fmt 44-44",
        "function works 47-48",
        "function works.nested 48-48",
    ]


def test_details_of_definitions(facts: FileFacts) -> None:
    new, server = symbol(facts, "Server.new"), symbol(facts, "Server")
    assert new.signature == ("pub async fn new(addr: &str, mut n: Vec<u8>) -> Result<Self, MyErr>")
    assert new.params == (Param("addr", "&str"), Param("n", "Vec<u8>"))
    assert new.returns == "Result<Self, MyErr>"
    assert new.doc == "Makes one."
    assert new.decorators == ("inline",)
    assert facts.symbols[new.parent] is server
    assert server.doc == "A server."
    assert server.decorators == ("derive",)
    assert symbol(facts, "Pair").signature == "struct Pair(pub u32, String)"
    assert symbol(facts, "Handler").bases == ("Base", "Send")
    assert symbol(facts, "Server.addr").returns == "String"
    assert symbol(facts, "Server.handler").visibility == "private"
    assert symbol(facts, "helper").visibility == "internal"
    assert facts.symbols[0].doc == "Crate docs."


def test_references(facts: FileFacts) -> None:
    assert uses(facts, "Server.new", RefKind.CALL) == [
        "addr|to_string",
        "Engine|new",
        "make",
        "s.engine|run",
        "x|go",
        "inner|helper",
        "twice",
        "count",
        "std::mem|swap",
        "items|iter",
        "items.iter()|map",
        "items.iter().map(helper)|collect",
    ]
    assert uses(facts, "Server.new", RefKind.TYPE) == ["Result", "MyErr", "Server", "Foo", "Bar"]
    assert uses(facts, "Server.new", RefKind.FIELD) == ["s|engine", "MyErr|Bad"]
    assert uses(facts, "Server.new", RefKind.NAME) == ["helper"]
    assert uses(facts, "Handler", RefKind.BASE) == ["Base"]


def test_a_trait_implementation_is_a_base_of_its_type(facts: FileFacts) -> None:
    assert uses(facts, "file", RefKind.BASE) == ["Server|Handler", "Thing|fmt.Display"]


def test_use_trees_and_modules(facts: FileFacts) -> None:
    assert facts.imports == (
        Import("std.collections", "HashMap", "HashMap", 0, 2),
        Import("std.collections", "hash_map", "hash_map", 0, 2),
        Import("std.collections.hash_map", "Entry", "E", 0, 2),
        Import("crate.core", "Engine", "Engine", 0, 3, True),
        Import("super", "*", "*", 0, 4),
        Import("net", "", "net", 1, 5),
        Import("", "", "inner", 0, 6),
        Import("", "", "tests", 0, 46),
    )


def test_bindings_see_through_await_and_question_mark(facts: FileFacts) -> None:
    bound = {(b.name, b.type, b.called) for b in facts.bindings}
    assert bound == {
        ("s", "Server", False),
        ("e", "Engine::new", True),
        ("q", "Foo<Bar>", False),
        ("x", "#0/0 s.engine.run", True),
    }


def test_routes_of_axum_and_actix() -> None:
    source = """\
#[get("/items/{id}")]
async fn item() {}
fn app() {
    Router::new().route("/a", get(list).post(users::create)).route("/b", any(all));
    web::resource("/c").route(web::get().to(show));
    map.get("/d");
}
"""
    assert facts_of("rust", source).routes == (
        Route("GET", "/items/{id}", "", 1, 1),
        Route("GET", "/a", "list", 4, 2),
        Route("POST", "/a", "users::create", 4, 2),
        Route("ANY", "/b", "all", 4, 2),
        Route("GET", "/c", "show", 5, 2),
    )


def test_damaged_source_still_extracts() -> None:
    survives_damage("rust", SOURCE)


def test_members_of_traits_are_as_visible_as_their_trait() -> None:
    source = b"""\
pub trait Shape { const N: usize; fn name() -> String { String::new() } }
impl Shape for User { const N: usize = 1; fn name() -> String { hidden() } }
impl User { fn own() {} }
"""
    found = {s.qualname: s.visibility for s in extract("a.rs", "rust", source).symbols}
    assert found["Shape.N"] == found["Shape.name"] == "public"
    assert found["User.own"] == "private"


def test_bug_methods_of_trait_implementations_were_private() -> None:
    source = """\
pub trait Shape { const N: usize; fn name(); }
impl Shape for User { const N: usize = 1; fn name() { fn nested() {} } }
impl<T> fmt::Display for Row<T> { fn fmt(&self) {} }
mod inner { trait Hidden { type Out; fn hide(&self); } }
impl Hidden for Door { type Out = u8; fn hide(&self) {} }
pub(crate) unsafe trait Shared<T> { fn share(&self); }
unsafe impl Shared<u8> for Desk { fn share(&self) {} }
extern "C" { fn raw(); pub fn seen(); }
"""
    found = {s.qualname: s.visibility for s in facts_of("rust", source).symbols}
    assert found["User.N"] == found["User.name"] == found["Row.fmt"] == "public"
    assert found["Hidden.Out"] == found["Hidden.hide"] == "private"
    assert found["Door.Out"] == found["Door.hide"] == "private"
    assert found["Shared.share"] == found["Desk.share"] == "internal"
    assert found["User.name.nested"] == "private"
    assert (found["raw"], found["seen"]) == ("private", "public")


def test_bug_names_in_macros_lost_what_stands_before_them() -> None:
    source = b"""\
fn check() {
    assert_eq!(Value::test_int(1).into_value(span), parse(0..len(x)));
    record!("a" => one(2)).collect::<Vec<_>>().last();
    assert!(matches!(self.rows()?.kind(a[1])
        .of(), Type::Table { .. }), std::f32::PI.into(), "x".into());
}
"""
    found = extract("a.rs", "rust", source)
    assert [(r.receiver, r.name) for r in found.references if r.kind is RefKind.CALL] == [
        ("Value", "test_int"),
        ("Value::test_int(1)", "into_value"),
        ("", "parse"),
        ("", "len"),
        ("", "record"),
        ("", "one"),
        ('record!("a" => one(2))', "collect"),
        ('record!("a" => one(2)).collect::<Vec<_>>()', "last"),
        ("self", "rows"),
        ("self.rows()", "kind"),
        ("self.rows().kind(a[1])", "of"),
        ("Type", "Table"),
        ("std::f32::PI", "into"),
        ('"', "into"),
    ]


def test_bug_conditions_of_an_attribute_were_calls() -> None:
    source = """\
#[cfg_attr(docs, doc(cfg(feature = "x")))]
struct Row {
    #[cfg(not(feature = "x"))]
    inner: u8,
    #[arg(default_value_t = start())]
    first: u8,
}
fn run() {
    #[cfg(all(unix, not(test)))]
    go();
}
"""
    found = facts_of("rust", source)
    calls = [r.name for r in found.references if r.kind is RefKind.CALL]
    assert calls == ["start", "go"]


IN_MACROS = """\
pin_project! {
    /// Waits for a body.
    #[derive(Debug)]
    #[project = FutureProj]
    pub struct ResponseFuture<F> {
        #[pin]
        inner: F,
    }
    impl<F> PinnedDrop for ResponseFuture<F> {
        fn drop(this: Pin<&mut Self>) { release(this); }
    }
}
pin_project_lite::pin_project!{ enum State { Idle, Busy } }
lazy_static! {
    static ref POOL: Pool = Pool::new();
}
cfg_rt! {
    pub mod task;
    cfg_unix! {
        pub fn only_on_unix() {}
    }
}
cfg_if::cfg_if! {
    if #[cfg(unix)] {
        fn here() {}
    } else if #[cfg(windows)] {
        fn there() {}
    } else {
        fn anywhere() {}
    }
}
impl Pool {
    forward! {
        pub fn take(&self) -> Row { self.rows.pop() }
    }
}
bitflags! {
    pub struct Flags: u32 {
        const READ = 1;
    }
}
fn derive() -> Tokens {
    quote! {
        struct Generated;
    }
}
"""


def test_tower_http_defines_its_futures_inside_pin_project() -> None:
    facts = facts_of("rust", IN_MACROS)
    names = {each.qualname: each.kind.value for each in facts.symbols[1:]}
    assert names == {
        "ResponseFuture": "struct",
        "ResponseFuture.inner": "field",
        "ResponseFuture.drop": "method",
        "State": "enum",
        "State.Idle": "constant",
        "State.Busy": "constant",
        "POOL": "variable",
        "only_on_unix": "function",
        "here": "function",
        "there": "function",
        "anywhere": "function",
        "Pool.take": "method",
        "derive": "function",
    }
    future = symbol(facts, "ResponseFuture")
    assert (future.doc, future.start_line, future.end_line) == ("Waits for a body.", 3, 8)
    assert "PinnedDrop" in future.bases
    assert future.signature == "pub struct ResponseFuture<F>"


def test_a_macro_around_definitions_is_still_called() -> None:
    called = {each.name for each in facts_of("rust", IN_MACROS).references if not each.kind}
    assert {"pin_project", "cfg_rt", "cfg_unix", "forward", "release", "new"} <= called


def test_macros_around_damaged_definitions_survive() -> None:
    survives_damage("rust", IN_MACROS)
