from __future__ import annotations

import pytest
from expect import facts_of, outline, survives_damage, symbol, uses

from sonde.extract import extract
from sonde.model import FileFacts, Import, Kind, Param, RefKind, Route

SOURCE = """\
// Package server answers.
package server

import (
	"fmt"
	h "net/http"
	. "math"
	"github.com/x/y/v2"
	"gopkg.in/yaml.v3"
)

// Server serves.
type Server[T any] struct {
	*Base
	h.Handler
	// Addr to listen on.
	Addr, Host string
	cb   func(a int) error
}

type (
	// Mode is how.
	Mode  int
	Shape interface {
		fmt.Stringer
		Area(x float64) (float64, error)
	}
	Alias = h.Request
)

const (
	// Fast first.
	Fast Mode = iota
	Slow
)

var shared = New(1, 2)

// New makes
// a server.
func New[T any](a, b int, opts ...Option) (*Server[T], error) {
	s := &Server[T]{Addr: "x", cb: handle}
	t, err := build(a)
	var mode Mode
	s.base.Run(func(q *Alias) { q.Do(inner(t)) })
	return s, err
}

func (s *Server[T]) Serve(w h.ResponseWriter) {
	r.GET("/x", s.handle)
	mux.HandleFunc("POST /y/{id}", handle)
	r.Method("PUT", "/z", handle)
	client.Get("/not/a/route")
}

func (Server[T]) quiet() {}
func handle() {}
"""


@pytest.fixture(scope="module")
def facts() -> FileFacts:
    return facts_of("go", SOURCE)


def test_definitions_with_kinds_owners_and_lines(facts: FileFacts) -> None:
    assert outline(facts) == [
        "struct Server 13-19",
        "field Server.Addr 17-17",
        "field Server.Host 17-17",
        "field Server.cb 18-18",
        "type alias Mode 23-23",
        "interface Shape 24-27",
        "method Shape.Area 26-26",
        "type alias Alias 28-28",
        "constant Fast 33-33",
        "constant Slow 34-34",
        "variable shared 37-37",
        "function New 41-47",
        "method Server.Serve 49-54",
        "method Server.quiet 56-56",
        "function handle 57-57",
    ]


def test_members_belong_to_their_receiver_type(facts: FileFacts) -> None:
    serve = symbol(facts, "Server.Serve")
    assert serve.owner == "Server"
    assert facts.symbols[serve.parent].name == "Server"


def test_details_of_definitions(facts: FileFacts) -> None:
    new, server = symbol(facts, "New"), symbol(facts, "Server")
    assert new.signature == "func New[T any](a, b int, opts ...Option) (*Server[T], error)"
    assert new.params == (Param("a", "int"), Param("b", "int"), Param("opts", "...Option"))
    assert new.returns == "(*Server[T], error)"
    assert new.doc == "New makes\na server."
    assert server.bases == ("Base", "h.Handler")
    assert server.signature == "type Server[T any] struct"
    assert symbol(facts, "Shape").bases == ("fmt.Stringer",)
    assert symbol(facts, "Server.Host").doc == "Addr to listen on."
    assert symbol(facts, "Server.cb").visibility == "private"
    assert symbol(facts, "shared").returns == "New()"
    assert symbol(facts, "Fast").returns == "Mode"
    assert facts.symbols[0].doc == "Package server answers."
    assert facts.package == "server"


def test_references(facts: FileFacts) -> None:
    assert uses(facts, "New", RefKind.CALL) == ["build", "s.base|Run", "q|Do", "inner"]
    assert uses(facts, "New", RefKind.TYPE) == ["Option", "Server", "Mode", "Alias"]
    assert uses(facts, "New", RefKind.NAME) == ["handle"]
    assert uses(facts, "Server", RefKind.BASE) == ["Base", "h|Handler"]
    assert uses(facts, "Server", RefKind.TYPE) == []
    assert uses(facts, "Server.Serve", RefKind.FIELD) == ["s|handle"]


def test_imports_are_bound_to_the_package_name(facts: FileFacts) -> None:
    assert facts.imports == (
        Import("fmt", "", "fmt", 0, 5),
        Import("net/http", "", "h", 0, 6),
        Import("math", "*", "*", 0, 7),
        Import("github.com/x/y/v2", "", "y", 0, 8),
        Import("gopkg.in/yaml.v3", "", "yaml", 0, 9),
    )


def test_bindings_tell_what_locals_hold(facts: FileFacts) -> None:
    bound = {(facts.symbols[b.scope].name, b.name, b.type, b.called) for b in facts.bindings}
    assert ("New", "s", "Server", False) in bound
    assert ("New", "t", "build", True) in bound
    assert ("New", "q", "Alias", False) in bound
    assert ("Serve", "s", "Server", False) in bound


def test_routes_of_routers_but_not_of_clients(facts: FileFacts) -> None:
    at = next(i for i, s in enumerate(facts.symbols) if s.qualname == "Server.Serve")
    assert facts.routes == (
        Route("GET", "/x", "s.handle", 50, at),
        Route("POST", "/y/{id}", "handle", 51, at),
        Route("PUT", "/z", "handle", 52, at),
    )


def test_a_method_before_its_type_finds_it() -> None:
    facts = facts_of("go", "package p\nfunc (a *A) M() {}\ntype A struct{}\n")
    method = symbol(facts, "A.M")
    assert method.kind is Kind.METHOD
    assert facts.symbols[method.parent].qualname == "A"


def test_damaged_source_still_extracts() -> None:
    survives_damage("go", SOURCE)


def test_bug_the_comma_between_two_constants_was_a_constant() -> None:
    source = b"package a\n\nconst Limit, other = 3, 4\n\nvar x, y = 1, 2\n"
    found = extract("a.go", "go", source)
    assert [s.name for s in found.symbols[1:]] == ["Limit", "other", "x", "y"]


def test_bug_new_of_a_value_cost_the_function_around_it() -> None:
    source = b"""\
package a

func (r *Router) upload() Handler {
	return handle(func(c Context) error {
		row.At = new(time.Now())
		row.Size = new(3)
		return r.put(new(Row))
	})
}

func after() {}
"""
    found = extract("a.go", "go", source)
    assert [s.qualname for s in found.symbols[1:]] == ["Router.upload", "after"]
    assert {"handle", "Now", "put"} <= {r.name for r in found.references}
    assert found.diagnostics == ()
