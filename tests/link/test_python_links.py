"""Python uses lead to the definitions that the language would find."""

from __future__ import annotations

from workspace import calls as calls_at
from workspace import linked

from sonde.model import EdgeKind


def calls(texts: dict[str, str]) -> set[str]:
    return linked(texts).edges(EdgeKind.CALLS)


def test_a_call_follows_an_aliased_relative_import() -> None:
    found = calls(
        {
            "app/__init__.py": "",
            "app/db.py": "def connect(): pass\n",
            "app/web.py": "from .db import connect as c\ndef run():\n    c()\n",
        }
    )
    assert found == {"app/web.py:run -> app/db.py:connect"}


def test_a_reexport_in_init_leads_to_the_definition() -> None:
    found = calls(
        {
            "app/__init__.py": "from .db import *\nfrom .deep import Thing\n",
            "app/db.py": "def connect(): pass\n",
            "app/deep/__init__.py": "from .thing import Thing\n",
            "app/deep/thing.py": "class Thing:\n    def __init__(self): pass\n",
            "main.py": "import app\ndef run():\n    app.connect()\n    app.Thing()\n",
        }
    )
    assert found == {
        "main.py:run -> app/db.py:connect",
        "main.py:run -> app/deep/thing.py:Thing",
        "main.py:run -> app/deep/thing.py:Thing.__init__",
    }


def test_receivers_follow_self_fields_parameters_and_results() -> None:
    found = calls(
        {
            "db.py": (
                "class Client:\n"
                "    def get(self): pass\n"
                "    def child(self) -> 'Client': pass\n"
                "def make() -> Client: pass\n"
            ),
            "use.py": (
                "from db import Client, make\n"
                "class Service:\n"
                "    def __init__(self):\n"
                "        self.client = Client()\n"
                "    def by_field(self):\n"
                "        self.client.get()\n"
                "    def by_param(self, other: Client | None):\n"
                "        other.get()\n"
                "    def by_result(self):\n"
                "        made = make()\n"
                "        made.child().get()\n"
            ),
        }
    )
    assert "use.py:Service.by_field -> db.py:Client.get" in found
    assert "use.py:Service.by_param -> db.py:Client.get" in found
    assert "use.py:Service.by_result -> db.py:Client.get" in found
    assert "use.py:Service.by_result -> db.py:Client.child" in found


def test_a_loop_over_a_declared_collection_gives_its_elements() -> None:
    found = calls(
        {
            "db.py": "class Item:\n    def save(self): pass\n    def drop(self): pass\n",
            "use.py": (
                "from db import Item\n"
                "from typing import Iterator, Optional\n"
                "class Basket:\n"
                "    def __init__(self):\n"
                "        self.items: list[Item] = []\n"
                "    def all(self) -> Iterator[Item]: pass\n"
                "    def by_field(self):\n"
                "        for each in self.items: each.save()\n"
                "    def by_result(self):\n"
                "        for each in self.all(): each.save()\n"
                "    def by_local(self):\n"
                "        found = self.all()\n"
                "        return [each.save() for each in found]\n"
                "def by_param(items: 'Optional[tuple[Item, ...]]'):\n"
                "    for item in items: item.save()\n"
                "def by_annotation(given):\n"
                "    items: dict[Item, str] | None = given\n"
                "    for item in items: item.save()\n"
                "def unlike(pair: tuple[Item, str], more: Item):\n"
                "    for item in pair: item.drop()\n"
                "    for item in more: item.drop()\n"
                "    for each in each: each.drop()\n"
                "    for a in b: a.drop()\n"
                "    for b in a: b.drop()\n"
            ),
        }
    )
    users = ("Basket.by_field", "Basket.by_result", "Basket.by_local", "by_param", "by_annotation")
    saved = {edge for edge in found if edge.endswith("Item.save")}
    assert saved == {f"use.py:{user} -> db.py:Item.save" for user in users}
    assert not [edge for edge in found if edge.endswith("Item.drop")]


def test_an_inherited_method_is_found_through_imports_not_by_bare_name() -> None:
    index = linked(
        {
            "one/__init__.py": "",
            "one/base.py": "class Base:\n    def save(self): pass\n",
            "two/__init__.py": "",
            "two/base.py": "class Base:\n    def save(self): pass\n",
            "model.py": (
                "from two.base import Base\n"
                "class Model(Base):\n"
                "    def run(self):\n        self.save()\n"
                "class Other(Model):\n    def save(self):\n        super().save()\n"
            ),
        }
    )
    assert index.edges(EdgeKind.CALLS) == {
        "model.py:Model.run -> two/base.py:Base.save",
        "model.py:Other.save -> two/base.py:Base.save",
    }
    assert index.edges(EdgeKind.EXTENDS) == {
        "model.py:Model -> two/base.py:Base",
        "model.py:Other -> model.py:Model",
    }
    assert index.edges(EdgeKind.OVERRIDES) == {"model.py:Other.save -> two/base.py:Base.save"}
    assert index.edges(EdgeKind.INHERITS) == {
        "model.py:Model -> two/base.py:Base.save",
        "model.py:Other -> model.py:Model.run",
    }


def test_an_unknown_receiver_stays_unresolved_with_candidates() -> None:
    index = linked(
        {
            "a.py": "class A:\n    def launch(self): pass\n",
            "b.py": "def run(thing):\n    thing.launch()\n",
        }
    )
    assert index.edges(EdgeKind.CALLS) == set()
    assert index.unresolved() == {"launch ? a.py:A.launch"}


def test_the_standard_library_is_not_confused_with_a_module_of_the_same_name() -> None:
    index = linked(
        {
            "pkg/__init__.py": "",
            "pkg/json.py": "def loads(): pass\n",
            "pkg/use.py": "import json\ndef run():\n    json.loads()\n",
        }
    )
    assert index.edges(EdgeKind.CALLS) == set()
    assert index.unresolved() == set()


def test_a_circle_of_imports_and_bases_ends() -> None:
    index = linked(
        {
            "a.py": "from b import B\nclass A(B):\n    def f(self):\n        self.g()\n",
            "b.py": "from a import A, missing\nclass B(A):\n    pass\nmissing()\n",
        }
    )
    assert index.edges(EdgeKind.EXTENDS) == {"a.py:A -> b.py:B", "b.py:B -> a.py:A"}


def test_names_declared_as_each_other_end() -> None:
    index = linked(
        {
            "a.py": "one: two = 1\ntwo: one = 2\none.run()\n",
            "b.py": "type A = B\ntype B = A\ndef f(x: A):\n    x.run()\n",
            "c.py": "x = y()\ny = x()\nx.run()\ndef g():\n    z = z.next()\n    z.run()\n",
        }
    )
    assert index.edges(EdgeKind.EXTENDS) == set()
    assert all("run" not in edge for edge in index.edges(EdgeKind.CALLS))


def test_a_field_holds_the_parameter_that_is_assigned_to_it() -> None:
    index = linked(
        {
            "db.py": "class Client:\n    def get(self): ...\n",
            "use.py": (
                "from db import Client\n\n\nclass Use:\n    def __init__(self, client: Client):\n"
                "        self._held = client\n\n    def run(self):\n        self._held.get()\n"
                "        held = self._held\n        held.get()\n"
            ),
        }
    )
    assert "use.py:Use.run -> db.py:Client.get" in index.edges(EdgeKind.CALLS)


def test_fields_that_are_assigned_to_each_other_end() -> None:
    index = linked(
        {
            "use.py": (
                "class Use:\n    def run(self):\n        one = self.two\n        self.two = one\n"
                "        self.two.go()\n        one.go()\n"
            )
        }
    )
    assert index.edges(EdgeKind.CALLS) == set()


def test_what_is_awaited_is_followed() -> None:
    index = linked(
        {
            "use.py": (
                "class Row:\n    def go(self): ...\n\n\nasync def load() -> Row: ...\n\n\n"
                "async def run():\n    row = await load()\n    row.go()\n"
            )
        }
    )
    assert "use.py:run -> use.py:Row.go" in index.edges(EdgeKind.CALLS)


def test_super_goes_through_all_bases_and_beyond_the_workspace() -> None:
    index = linked(
        {
            "base.py": "class One: ...\nclass Two:\n    def go(self): ...\n",
            "use.py": (
                "import lib\nfrom base import One, Two\n\n\nclass Both(One, Two):\n"
                "    def go(self):\n        super().go()\n\n\nclass Far(lib.Far):\n"
                "    def go(self):\n        super().go()\n\n\nclass Open(missing.Far):\n"
                "    def stop(self):\n        super().go()\n"
            ),
        }
    )
    assert "use.py:Both.go -> base.py:Two.go" in index.edges(EdgeKind.CALLS)
    found = [each for each in index.links["use.py"].unresolved if each.name == "go"]
    assert [each.line for each in found] == [17]


def test_bug_calls_led_to_the_first_overload_instead_of_the_body() -> None:
    source = (
        "import typing as t\nfrom typing import overload\n\n"
        "@overload\ndef read(x: int) -> int: ...\n@overload\ndef read(x: str) -> str: ...\n"
        "def read(x):\n    return x\n\n"
        "class Row:\n    @t.overload\n    def get(self, x: int) -> int: ...\n"
        "    def get(self, x):\n        return read(x)\n"
        "    def again(self):\n        return self.get(1)\n"
    )
    used = "from a import Row, read\n\ndef use(row: Row):\n    read(1)\n    row.get(2)\n"
    assert calls_at(linked({"a.py": source, "b.py": used})) == {
        "Row.get -> read@8",
        "Row.again -> Row.get@14",
        "use -> read@8",
        "use -> Row.get@14",
    }


ENUMS = """\
import enum
from enum import Enum, auto

class Color(str, Enum):
    RED = "red"
    green = auto()
    BLUE: int = 3
    label: str
    _hidden = make()
    paint = lambda: 1

    def __init__(self):
        self.shade = 1

    def show(self): ...

class Mode(enum.IntFlag):
    A = 1
    def show(self): ...

class Plain:
    RED = 1
    def show(self): ...

def red(): Color.RED.show()
def green(): Color.green.show()
def held():
    color = Color.BLUE
    color.show()
def mode(): Mode.A.show()
def plain(): Plain.RED.show()
def other():
    Color.label.show()
    Color.shade.show()
    Color._hidden.show()
    Color.paint.show()
    Color.RED.value.show()
"""


def test_bug_members_of_an_enum_were_no_instances_of_it() -> None:
    found = linked({"colors.py": ENUMS}).edges(EdgeKind.CALLS)
    assert {edge for edge in found if edge.endswith(".show")} == {
        "colors.py:red -> colors.py:Color.show",
        "colors.py:green -> colors.py:Color.show",
        "colors.py:held -> colors.py:Color.show",
        "colors.py:mode -> colors.py:Mode.show",
    }
