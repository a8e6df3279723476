# ruff: noqa: E501  (fixtures are whole files on a line)
"""Other names of a type: what extends them, is made by them or calls through them."""

from __future__ import annotations

import re

import pytest
from workspace import linked

from sonde.model import EdgeKind

TIES = (EdgeKind.EXTENDS, EdgeKind.IMPLEMENTS, EdgeKind.CALLS)

CASES = {
    "python: a subclass of another name of a class was no subclass": (
        {
            "shop/core.py": "class Row:\n    def save(self): ...\n",
            "shop/__init__.py": "from .core import Row as Entry\nItem = Entry\n",
            "use.py": (
                "import shop\nfrom shop import Item\nLocal = shop.Item\n\nclass A(Item): ...\n"
                "class B(shop.Item): ...\nclass C(Local): ...\n"
                "def make():\n    row = Local()\n    row.save()\n"
            ),
        },
        {"A -> Row", "B -> Row", "C -> Row", "make -> Local", "make -> Row.save"},
    ),
    "python: a base that is chosen by a condition was unknown": (
        {
            "row.py": (
                "class Row: ...\nif True:\n    Base = Row\nelse:\n    Base = object\n\n"
                "class A(Base): ...\n"
            )
        },
        {"A -> Row"},
    ),
    "python: of a variable that may be the name of two types the first was meant": (
        {
            "row.py": (
                "class Fast:\n    def push(self): ...\nclass Slow:\n    def push(self): ...\n"
                "if input():\n    Row = Fast\nelse:\n    Row = Slow\n\n"
                "def use():\n    row = Row()\n    row.push()\nclass A(Row): ...\n"
            )
        },
        {"use -> Row"},
    ),
    "typescript: a subclass of another name of a class was no subclass": (
        {
            "core.ts": "export class Row { save() {} static make() {} make() {} }\nexport interface Saved { save(): void }\n",
            "index.ts": "import { Row } from './core';\nimport * as core from './core';\nexport const Item = Row;\nexport const Other = core.Row;\nexport type Kept = core.Saved;\n",
            "use.ts": (
                "import { Item, Kept, Other } from './index';\nexport class A extends Item { run() { this.save(); } }\n"
                "export class B extends Other implements Kept { }\nexport function make() { Item.make(); new Item().save(); }\n"
            ),
        },
        {
            *("A -> Row", "B -> Row", "B -> Saved", "B -> Kept"),
            *("A.run -> Row.save", "make -> Row.make", "make -> Item", "make -> Row.save"),
        },
    ),
    "ruby: a subclass of another name of a class, or one made by Class.new, was no subclass": (
        {
            "row.rb": "module Shop\n  class Row\n    def save; end\n  end\n  Item = Row\nend\nEntry = ::Shop::Row\n",
            "use.rb": (
                "class A < Shop::Item\n  def run\n    save\n  end\nend\nclass B < Entry\nend\n"
                "C = Class.new(Shop::Row)\nD = Class.new(Shop::Row) do\n  def run\n    save\n  end\nend\n"
            ),
        },
        {
            *("A -> Shop.Row", "B -> Shop.Row", "C -> Shop.Row", "D -> Shop.Row"),
            *("A.run -> Shop.Row.save", "D.run -> Shop.Row.save"),
        },
    ),
    "rust: what a module written in another file held was found by nobody": (
        {
            "Cargo.toml": '[package]\nname = "shop"\n',
            "src/lib.rs": (
                "mod core;\nmod using;\npub mod inner {\n    pub struct Row;\n    impl Row { pub fn save(&self) {} }\n"
                "    pub mod deep { pub fn far() {} }\n}\npub mod prelude { pub use crate::core::*; }\n"
            ),
            "src/core.rs": "pub trait Saved { fn saved(&self); }\npub fn help() {}\n",
            "src/using.rs": (
                "use crate::inner::{deep, Row};\nuse crate::prelude::*;\nstruct A;\n"
                "impl Saved for A { fn saved(&self) { help(); deep::far(); crate::prelude::help() } }\n"
                "impl crate::prelude::Saved for Row { fn saved(&self) { self.save() } }\n"
            ),
        },
        {
            *("A -> Saved", "Row -> Saved", "A.saved -> help", "A.saved -> far"),
            "Row.saved -> Row.save",
        },
    ),
    "rust: a trait that is implemented by its path had no such implementation": (
        {
            "Cargo.toml": '[package]\nname = "shop"\n',
            "src/lib.rs": "pub mod load;\nmod using;\n",
            "src/load.rs": "pub trait Load<T> { fn load(&self); }\npub trait Display {}\nstruct A;\nimpl self::Load<u8> for A { fn load(&self) {} }\n",
            "src/using.rs": (
                "use crate::load::Display;\nuse crate::load;\nstruct B;\nstruct C;\n"
                "impl crate::load::Load<u8> for B { fn load(&self) {} }\n"
                "impl<T> load::Load<T> for C { fn load(&self) {} }\nimpl std::fmt::Display for C {}\n"
            ),
            "tests/main.rs": "struct Mock;\nimpl shop::load::Load<u8> for Mock { fn load(&self) {} }\n",
        },
        {"A -> Load", "B -> Load", "C -> Load", "Mock -> Load"},
    ),
    "go: what embeds an alias had no members": (
        {
            "go.mod": "module example.com/a\n",
            "base/base.go": "package base\ntype Row struct{}\nfunc (r *Row) Save() {}\ntype Saver interface { Save() }\n",
            "use/use.go": (
                'package use\nimport "example.com/a/base"\ntype Item = base.Row\ntype Keeper = base.Saver\n'
                "type A struct { Item }\ntype B interface { Keeper\n Close() }\nfunc f(a A, b B) { a.Save(); b.Save() }\n"
            ),
        },
        {
            *("A -> Row", "A -> Item", "A -> Saver", "Row -> Saver", "B -> Saver", "B -> Keeper"),
            *("f -> Row.Save", "f -> Saver.Save"),
        },
    ),
}


USES = {
    "types.ts": "export interface Row { id: string }\nexport type Rows = Map<string, Row>;\nexport type Page = { rows: Rows };\n",
    "lib.rs": (
        "pub struct Key;\npub struct Error;\npub trait Load { type Error; }\npub struct A;\n"
        "impl Load for A { type Error = Error; }\npub type Keys = Vec<Key>;\n"
    ),
}


def test_bug_what_an_alias_is_made_of_was_used_by_its_file() -> None:
    edges = linked(USES).edges(EdgeKind.REFERENCES)
    assert {re.sub(r"\S+:", "", edge) for edge in edges} == {
        *("Rows -> Row", "Page -> Rows", "Keys -> Key", "A.Error -> Error"),
        "lib.rs -> Load",
    }


@pytest.mark.parametrize("case", CASES)
def test_bug_of_other_names(case: str) -> None:
    texts, expected = CASES[case]
    index = linked(texts)
    found = {edge for kind in TIES for edge in index.edges(kind)}
    assert {re.sub(r"\S+:", "", edge) for edge in found} == expected
