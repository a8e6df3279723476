"""Edges that follow from several facts: tests, likeness, documents, leaves."""

from __future__ import annotations

from workspace import linked

from sonde.link.weights import PROVENANCE_FACTORS, WALK_WEIGHTS
from sonde.model import EdgeKind, Provenance


def test_tests_find_their_subjects_by_call_import_and_name() -> None:
    index = linked(
        {
            "app/__init__.py": "",
            "app/client.py": "class Client:\n    def connect(self): pass\ndef parse(): pass\n",
            "tests/test_client.py": (
                "from app.client import Client, parse\n"
                "def test_connect():\n    Client()\n"
                "def test_parse():\n    assert True\n"
            ),
        }
    )
    assert index.edges(EdgeKind.TESTS) == {
        "tests/test_client.py -> app/client.py",
        "tests/test_client.py -> app/client.py:Client",
        "tests/test_client.py -> app/client.py:parse",
        "tests/test_client.py:test_connect -> app/client.py:Client",
        "tests/test_client.py:test_connect -> app/client.py:Client.connect",
        "tests/test_client.py:test_parse -> app/client.py:parse",
    }
    assert index.edges(EdgeKind.CO_TESTED_WITH) == {
        "app/client.py:Client -> app/client.py:parse",
    }


def test_a_name_alone_does_not_make_a_test_of_something_far_away() -> None:
    index = linked(
        {
            "app/far.py": "def connect(): pass\n",
            "tests/test_other.py": "def test_connect():\n    assert True\n",
        }
    )
    assert index.edges(EdgeKind.TESTS) == set()


def test_a_helper_of_go_tests_was_taken_for_a_test_by_its_name() -> None:
    index = linked(
        {
            "shop/cart.go": "package shop\ntype Cart struct{}\nfunc NewCart() {}\n",
            "shop/cart_test.go": (
                "package shop\ntype CartTest struct{}\nfunc NewCartTest() {}\n"
                "func TestNewCart(t *testing.T) {}\n"
            ),
        }
    )
    assert index.edges(EdgeKind.TESTS) == {
        "shop/cart_test.go -> shop/cart.go",
        "shop/cart_test.go:TestNewCart -> shop/cart.go:NewCart",
    }


def test_callables_with_the_same_words_are_similar_and_others_are_not() -> None:
    body = "    a = open_it(x)\n    b = read_all(a)\n    check(b)\n    close_it(a)\n    report(b)\n"
    index = linked(
        {
            "a.py": "def load_one(x):\n" + body,
            "b.py": "def load_two(x):\n" + body,
            "c.py": "def paint(x):\n    brush(x)\n    dry(x)\n    frame(x)\n    hang(x)\n",
        }
    )
    found = index.edges(EdgeKind.SIMILAR_TO)
    assert found == {"a.py:load_one -> b.py:load_two", "b.py:load_two -> a.py:load_one"}


def test_a_document_leads_to_a_symbol_only_when_one_can_be_meant() -> None:
    index = linked(
        {
            "a.py": "class Client:\n    def connect(self): pass\ndef parse_it(): pass\n",
            "b.py": "def parse_it(): pass\n",
            "README.md": "# Guide\nUse `Client.connect()` and `parse_it`.\n",
        }
    )
    assert index.edges(EdgeKind.DOCUMENTS) == {"README.md -> a.py:Client.connect"}


def test_what_is_no_symbol_becomes_a_leaf() -> None:
    index = linked(
        {
            "CODEOWNERS": "*.py @team\n/web.py @web @ops\n",
            "pyproject.toml": '[project]\ndependencies = ["flask>=3"]\n',
            "db.py": 'import os\ndef url():\n    return os.environ["DB_URL"]\n',
            "web.py": (
                "import subprocess\n@app.get('/items')\ndef items():\n"
                "    subprocess.run(['git', 'log'])\n"
            ),
        }
    )
    assert index.leaves() == {
        "db.py OWNED_BY @team",
        "db.py:url READS_ENV DB_URL",
        "pyproject.toml DEPENDS_ON flask",
        "web.py OWNED_BY @ops",
        "web.py OWNED_BY @web",
        "web.py:items EXECUTES_PROCESS git",
        "web.py:items HANDLES_ROUTE GET /items",
    }


def test_types_decorators_raises_and_fields_have_their_own_relation() -> None:
    index = linked(
        {
            "a.py": (
                "class Wrong(Exception): pass\n"
                "class Box:\n    size: int = 0\n"
                "def mark(f): return f\n"
                "@mark\n"
                "def use(box: Box) -> None:\n"
                "    box.size\n"
                "    raise Wrong()\n"
            )
        }
    )
    assert index.edges(EdgeKind.TYPE_HINT_OF) == {"a.py:use -> a.py:Box"}
    assert index.edges(EdgeKind.DECORATES) == {"a.py:use -> a.py:mark"}
    assert index.edges(EdgeKind.THROWS) == {"a.py:use -> a.py:Wrong"}
    assert index.edges(EdgeKind.ACCESSES_FIELD) == {"a.py:use -> a.py:Box.size"}


def test_every_kind_and_provenance_has_a_walk_weight() -> None:
    assert set(WALK_WEIGHTS) == set(EdgeKind)
    assert set(PROVENANCE_FACTORS) == set(Provenance)
    assert WALK_WEIGHTS[EdgeKind.CALLS] * PROVENANCE_FACTORS[Provenance.AMBIGUOUS] < 0.1
    assert WALK_WEIGHTS[EdgeKind.OWNED_BY] == 0.0
