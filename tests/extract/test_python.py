from __future__ import annotations

import pytest
from expect import facts_of, outline, survives_damage, symbol, uses

from sonde.extract import extract
from sonde.model import Binding, FileFacts, Import, Kind, Param, RefKind

SOURCE = '''\
"""Talks to the database."""

import os
import collections.abc as cabc
from ..pool import Pool as P, borrow
from .errors import *

LIMIT = 10
retries: int = 3
pool = P()


@registry.register("client")
class Client(Base, abc.ABC, metaclass=Meta):
    """A connection.

    Used by everyone.
    """

    timeout: float
    scheme = "db"

    def __init__(self, url: str, *, pool: Pool | None = None, **options: object) -> None:
        self.url = url
        self._pool: Pool = pool or borrow(LIMIT)

    @property
    def open(self) -> bool:
        return self._pool.alive

    async def connect(self, url: "Address") -> Connection:
        # not a doc
        """Open it."""
        found = resolve(url)
        with self._pool.take() as slot:
            slot.use(lambda item: item.start(make(found)))
        if not found:
            raise ConnectionFailed(url) from None
        home = os.environ["DB_HOME"]
        subprocess.run(["pg_ctl", "start"])

        def retry(times):
            return again(times)

        return retry(LIMIT)


def main(argv=None):
    run(callback=handler, items=[handler])


def handler(): ...
'''


@pytest.fixture(scope="module")
def facts() -> FileFacts:
    return facts_of("python", SOURCE, "app/db/client.py")


def test_outline_has_every_definition_with_its_owner_and_lines(facts: FileFacts) -> None:
    assert outline(facts) == [
        "constant LIMIT 8-8",
        "variable retries 9-9",
        "variable pool 10-10",
        "class Client 13-45",
        "field Client.timeout 20-20",
        "field Client.scheme 21-21",
        "constructor Client.__init__ 23-25",
        "field Client.url 24-24",
        "field Client._pool 25-25",
        "property Client.open 27-29",
        "method Client.connect 31-45",
        "function Client.connect.retry 42-43",
        "function main 48-49",
        "function handler 52-52",
    ]


def test_module_symbol_spans_the_file_and_has_the_module_doc(facts: FileFacts) -> None:
    module = facts.symbols[0]
    assert (module.name, module.kind, module.start_line) == ("client", Kind.MODULE, 1)
    assert module.end_line == SOURCE.count("\n")
    assert module.doc == "Talks to the database."


def test_signatures_params_bases_and_docs_are_as_written(facts: FileFacts) -> None:
    client = symbol(facts, "Client")
    assert client.signature == "class Client(Base, abc.ABC, metaclass=Meta)"
    assert client.bases == ("Base", "abc.ABC")
    assert client.decorators == ("registry.register",)
    assert client.doc == "A connection.\n\nUsed by everyone."
    init = symbol(facts, "Client.__init__")
    assert init.params == (
        Param("self"),
        Param("url", "str"),
        Param("pool", "Pool | None", "None"),
        Param("**options", "object"),
    )
    connect = symbol(facts, "Client.connect")
    assert connect.signature == 'async def connect(self, url: "Address") -> Connection'
    assert connect.returns == "Connection"
    assert connect.doc == "Open it."
    assert symbol(facts, "Client._pool").visibility == "private"


def test_exact_bytes_reproduce_the_definition(facts: FileFacts) -> None:
    client = symbol(facts, "Client")
    text = SOURCE.encode()[client.start_byte : client.end_byte].decode()
    assert text.startswith("@registry.register")
    assert text.endswith("return retry(LIMIT)")


def test_calls_in_arguments_lambdas_and_nested_functions_count(facts: FileFacts) -> None:
    calls = uses(facts, "Client.connect", RefKind.CALL)
    assert "resolve" in calls
    assert "self._pool|take" in calls
    assert "item|start" in calls
    assert "make" in calls
    assert uses(facts, "Client.connect.retry", RefKind.CALL) == ["again"]


def test_types_bases_raises_environment_and_processes(facts: FileFacts) -> None:
    assert uses(facts, "Client.connect", RefKind.TYPE) == ["Address", "Connection"]
    assert uses(facts, "Client", RefKind.BASE) == ["Base", "abc|ABC"]
    assert uses(facts, "Client.connect", RefKind.RAISE) == ["ConnectionFailed"]
    assert uses(facts, "Client.connect", RefKind.ENV) == ["DB_HOME"]
    assert uses(facts, "Client.connect", RefKind.PROCESS) == ["pg_ctl"]


def test_functions_passed_by_name_are_references_and_local_names_are_not(
    facts: FileFacts,
) -> None:
    assert uses(facts, "main", RefKind.NAME) == ["handler"]
    assert "found" not in uses(facts, "Client.connect", RefKind.NAME)


def test_imports_keep_level_alias_and_star(facts: FileFacts) -> None:
    assert facts.imports == (
        Import("os", "", "os", 0, 3),
        Import("collections.abc", "", "cabc", 0, 4),
        Import("pool", "Pool", "P", 2, 5, True),
        Import("pool", "borrow", "borrow", 2, 5, True),
        Import("errors", "*", "*", 1, 6, True),
    )


def test_bindings_tell_declared_types_and_called_constructors(facts: FileFacts) -> None:
    connect = facts.symbols.index(symbol(facts, "Client.connect"))
    assert Binding(connect, "found", "resolve", True) in facts.bindings
    assert Binding(connect, "slot", "self._pool.take", True) in facts.bindings
    assert Binding(0, "pool", "P", True) in facts.bindings
    init = facts.symbols.index(symbol(facts, "Client.__init__"))
    assert Binding(init, "self._pool", "Pool", False) in facts.bindings


@pytest.mark.parametrize(
    ("source", "route"),
    [
        ('@app.route("/users", methods=["POST"])\ndef users(): ...\n', ("POST", "/users", "")),
        ('@router.get("/items/{id}")\nasync def item(): ...\n', ("GET", "/items/{id}", "")),
        ('urlpatterns = [path("home/", views.home)]\n', ("ANY", "home/", "views.home")),
    ],
)
def test_routes_of_the_common_frameworks(source: str, route: tuple[str, str, str]) -> None:
    found = facts_of("python", source).routes
    assert [(r.method, r.path, r.handler) for r in found] == [route]


def test_reading_a_key_of_a_dictionary_is_no_route() -> None:
    assert facts_of("python", 'x = options.get("name")\n').routes == ()


def test_syntax_errors_are_a_diagnostic_and_the_rest_is_read() -> None:
    facts = facts_of("python", "def good(): ...\nclass (:\ndef also_good(): ...\n")
    assert [d.message for d in facts.diagnostics]
    assert "function good 1-1" in outline(facts)


def test_damaged_source_never_raises() -> None:
    survives_damage("python", SOURCE)


def test_type_aliases_and_several_names_on_the_left() -> None:
    source = b"""\
type Pair[T] = tuple[T, T]
Rows: TypeAlias = Table
x, y = 1, 2
class A:
    def __init__(self):
        self.left, self._right = 1, 2
"""
    found = extract("a.py", "python", source).symbols
    assert [(s.kind.value, s.qualname, s.returns) for s in found[1:]] == [
        ("type alias", "Pair", "tuple[T, T]"),
        ("type alias", "Rows", "Table"),
        ("variable", "x", ""),
        ("variable", "y", ""),
        ("class", "A", ""),
        ("constructor", "A.__init__", ""),
        ("field", "A.left", ""),
        ("field", "A._right", ""),
    ]


def test_effects_are_seen_through_imported_and_renamed_modules() -> None:
    source = b"""\
import os
import subprocess as sp
from os import environ, getenv
from subprocess import run
sp.run(["git", "status"]); run(["make"]); environ["HOME"]; getenv("USER"); os.environ["PATH"]
self.run("no"); request.environ["NO"]
"""
    found = extract("a.py", "python", source).references
    told = {(r.kind.name, r.name) for r in found if r.kind in (RefKind.ENV, RefKind.PROCESS)}
    assert told == {
        ("PROCESS", "git"),
        ("PROCESS", "make"),
        ("ENV", "HOME"),
        ("ENV", "USER"),
        ("ENV", "PATH"),
    }


def test_bug_a_name_of_underscores_alone_was_public() -> None:
    found = facts_of("python", "def __(): pass\ndef __len__(self): pass\n")
    assert [s.visibility for s in found.symbols[1:]] == ["private", "public"]


def test_bug_a_comment_between_parameters_hid_the_rest_of_the_signature() -> None:
    facts = facts_of("python", "def f(\n    a,  # the first, of many\n    b,\n) -> int: ...\n")
    assert symbol(facts, "f").signature == "def f( a, b, ) -> int"
