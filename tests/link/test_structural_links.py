# ruff: noqa: E501  (fixtures are whole files on a line)
"""Types that implement interfaces without naming them."""

from __future__ import annotations

import pytest
from workspace import linked

from sonde.model import CONFIDENCE, EdgeKind, Provenance

MODULE = {"go.mod": "module example.com/shop\n"}
STORE = (
    'package store\nimport "context"\n'
    "type Store interface {\n\tGet(ctx context.Context, key string) (*Item, error)\n\tClose() error\n}\n"
    "type Item struct{}\n"
)
CASES = {
    "a type with all methods implements the interface, in another package as well": (
        {
            "store/store.go": STORE,
            "disk/disk.go": (
                'package disk\nimport (\n\t"context"\n\tkept "example.com/shop/store"\n)\n'
                "type Disk struct{}\n"
                "func (d *Disk) Get(c context.Context, name string) (item *kept.Item, err error) { return nil, nil }\n"
            ),
            "disk/close.go": "package disk\nfunc (d *Disk) Close() error { return nil }\n",
        },
        {"disk/disk.go:Disk -> store/store.go:Store"},
    ),
    "a missing method, another count or other types of parameters or results do not fit": (
        {
            "store/store.go": STORE
            + "type Half struct{}\nfunc (h Half) Close() error { return nil }\n"
            "type Short struct{ Half }\nfunc (s Short) Get(key string) (*Item, error) { return nil, nil }\n"
            "type Other struct{ Half }\nfunc (o Other) Get(ctx context.Context, key int) (*Item, error) { return nil, nil }\n"
            "type Plain struct{ Half }\nfunc (p Plain) Get(ctx context.Context, key string) (Item, error) { return Item{}, nil }\n"
        },
        set(),
    ),
    "a type of the same name in another package is another type": (
        {
            "store/store.go": STORE,
            "disk/disk.go": (
                'package disk\nimport "context"\ntype Item struct{}\ntype Disk struct{}\n'
                "func (d *Disk) Get(c context.Context, name string) (*Item, error) { return nil, nil }\n"
                "func (d *Disk) Close() error { return nil }\n"
            ),
        },
        set(),
    ),
    "methods of embedded types count": (
        {
            "store/store.go": STORE,
            "store/memory.go": (
                'package store\nimport "context"\ntype base struct{}\n'
                "func (b *base) Get(context.Context, string) (*Item, error) { return nil, nil }\n"
                "type Memory struct {\n\t*base\n\tsize int\n}\nfunc (m Memory) Close() error { return nil }\n"
                "type Wrapped struct{ Store }\n"
            ),
        },
        {
            "store/memory.go:Memory -> store/store.go:Store",
            "store/memory.go:Wrapped -> store/store.go:Store",
        },
    ),
    "an interface asks for the methods of those it embeds": (
        {
            "a.go": (
                "package a\ntype Reader interface { Read(p []byte) (int, error) }\n"
                "type Writer interface { Write(p []byte) (int, error) }\n"
                "type ReadWriter interface {\n\tReader\n\tWriter\n}\n"
                "type Both struct{}\nfunc (b Both) Read(p []byte) (n int, err error) { return }\n"
                "func (b Both) Write(p []byte) (n int, err error) { return }\n"
                "type One struct{}\nfunc (o One) Read(p []byte) (int, error) { return 0, nil }\n"
            )
        },
        {
            "a.go:Both -> a.go:Reader",
            "a.go:Both -> a.go:Writer",
            "a.go:Both -> a.go:ReadWriter",
            "a.go:One -> a.go:Reader",
        },
    ),
    "empty interfaces and those that embed something outside are not claimed": (
        {
            "a.go": (
                'package a\nimport "io"\ntype Any interface{}\n'
                "type Stream interface {\n\tio.Closer\n\tRead() int\n}\n"
                "type File struct{}\nfunc (f File) Read() int { return 0 }\n"
            )
        },
        set(),
    ),
    "a private method can only be had in the package of the interface": (
        {
            "a/a.go": "package a\ntype Sealed interface { seal() }\ntype In struct{}\nfunc (i In) seal() {}\n",
            "b/b.go": "package b\ntype Out struct{}\nfunc (o Out) seal() {}\n",
        },
        {"a/a.go:In -> a/a.go:Sealed"},
    ),
    "an interface of one method that its package keeps to itself is about its own types": (
        {
            "a/a.go": 'package a\ntype named interface { Name() string }\ntype In int\nfunc (i In) Name() string { return "" }\n',
            "b/b.go": 'package b\ntype Out struct{}\nfunc (o Out) Name() string { return "" }\n',
        },
        {"a/a.go:In -> a/a.go:named"},
    ),
    "a type parameter stands for any type": (
        {
            "a.go": (
                "package a\ntype Queue[T any] interface { Push(T) }\n"
                "type Names struct{}\nfunc (n *Names) Push(name string) {}\n"
                "type Func func(int)\nfunc (f Func) Push(n, m int) {}\n"
            )
        },
        {"a.go:Names -> a.go:Queue"},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_go_types_implement_by_their_methods(case: str) -> None:
    files, expected = CASES[case]
    assert linked({**MODULE, **files}).edges(EdgeKind.IMPLEMENTS) == expected


def test_the_edge_stands_at_the_type_and_is_less_sure_than_a_written_one() -> None:
    index = linked({**MODULE, "a.go": CASES["a type parameter stands for any type"][0]["a.go"]})
    (edge,) = [each for each in index.links["a.go"].edges if each.kind is EdgeKind.IMPLEMENTS]
    assert edge.line == 3
    assert 0.5 < CONFIDENCE[edge.provenance] < 0.9


def test_a_type_is_compared_only_with_interfaces_it_may_satisfy() -> None:
    interfaces = "".join(
        f"type I{n} interface {{\n\tGet() int\n\tOnlyHere{n}()\n}}\n" for n in range(50)
    )
    index = linked(
        {
            "a/all.go": "package a\n" + interfaces,
            "b/one.go": "package b\ntype T struct{}\nfunc (t T) Get() int { return 0 }\nfunc (t T) OnlyHere7() {}\n",
        }
    )
    assert index.edges(EdgeKind.IMPLEMENTS) == {"b/one.go:T -> a/all.go:I7"}
    looked_at = [key for key in index.links["b/one.go"].consulted if key.startswith("m:a/")]
    assert looked_at == ["m:a/all.go I7"]


PROTOCOL = (
    "from typing import Protocol, TypeVar\n"
    "class Closing(Protocol):\n    def close(self) -> None: ...\n"
    "class Stream(Closing, Protocol):\n    name: str\n    def read_all(self) -> bytes: ...\n"
    "class Encoding(Protocol):\n    def encode_text(self, text: str) -> bytes: ...\n"
    "class Calling(Protocol):\n    def __call__(self) -> None: ...\n"
)
INTERFACE = (
    "export interface Closing { close(): void }\n"
    "export interface Stream extends Closing {\n  name: string;\n  readAll(): string;\n  limit?: { most: number };\n}\n"
    "export interface Point { xCoordinate: number; yCoordinate: number }\n"
    "export interface Options { toText(): string; verbose?: boolean }\n"
)
NAMED_CASES = {
    "a class with all members fits a protocol in another file, inherited members count": (
        {
            "streams.py": PROTOCOL,
            "disk.py": (
                "class Base:\n    def close(self): ...\n"
                "class Disk(Base):\n    def __init__(self):\n        self.name = ''\n    def read_all(self): ...\n"
                "class Half:\n    name = ''\n    def read_all(self): ...\n"
            ),
        },
        {"disk.py:Disk -> streams.py:Stream"},
    ),
    "one member is enough only if its name says something": (
        {
            "streams.py": PROTOCOL,
            "a.py": (
                "class Utf:\n    def encode_text(self, text): ...\n    def close(self): ...\n"
                "    def __call__(self): ...\n"
            ),
        },
        {"a.py:Utf -> streams.py:Encoding"},
    ),
    "a protocol that is named is not doubled, nor one that asks for the same": (
        {
            "streams.py": PROTOCOL + "class Other(Protocol):\n    def encode_text(self): ...\n",
            "a.py": "from streams import Encoding\nclass Utf(Encoding):\n    def encode_text(self, text): ...\n",
        },
        set(),
    ),
    "a class called Protocol of the project is no typing protocol": (
        {
            "net.py": "class Protocol: ...\nclass Http(Protocol):\n    def data_received(self): ...\n",
            "a.py": "class Mine:\n    def data_received(self): ...\n",
        },
        set(),
    ),
    "a TypeScript class fits an interface by its public members, optional ones aside": (
        {
            "streams.ts": INTERFACE,
            "disk.ts": (
                "class Disk {\n  constructor(readonly name: string) {}\n  readAll() { return '' }\n  close() {}\n}\n"
                "class Hidden {\n  name = '';\n  private readAll() { return '' }\n  close() {}\n}\n"
            ),
        },
        {"disk.ts:Disk -> streams.ts:Stream"},
    ),
    "data and options are no contracts": (
        {
            "streams.ts": INTERFACE,
            "a.ts": "class Place {\n  xCoordinate = 1;\n  yCoordinate = 2;\n  toText() { return '' }\n}\n",
        },
        set(),
    ),
    "what extends something callable or unknown is not claimed": (
        {
            "a.ts": (
                "import { Far } from 'far';\ninterface Stop { (): void }\n"
                "interface Handle extends Stop { pauseAll(): void }\n"
                "interface Remote extends Far { pauseAll(): void }\nclass Watch { pauseAll() {} }\n"
            )
        },
        set(),
    ),
    "an interface of a test is about the classes of that test": (
        {
            "test_a.py": PROTOCOL + "class Fake:\n    def encode_text(self, text): ...\n",
            "b.py": "class Real:\n    def encode_text(self, text): ...\n",
        },
        {"test_a.py:Fake -> test_a.py:Encoding"},
    ),
}


@pytest.mark.parametrize("case", NAMED_CASES)
def test_classes_fit_protocols_and_interfaces_by_the_names_of_their_members(case: str) -> None:
    files, expected = NAMED_CASES[case]
    index = linked(files)
    names = index.name_of()
    inferred = {
        f"{names[edge.source]} -> {names[edge.target]}"
        for links in index.links.values()
        for edge in links.edges
        if edge.kind is EdgeKind.IMPLEMENTS and edge.provenance is Provenance.INFERRED
    }
    assert inferred == expected


def test_a_class_looks_only_at_protocols_whose_longest_name_it_has() -> None:
    protocols = "".join(
        f"class P{n}(Protocol):\n    def get(self): ...\n    def only_here_{n}(self): ...\n"
        for n in range(50)
    )
    index = linked(
        {
            "a.py": "from typing import Protocol\n" + protocols,
            "b.py": "class T:\n    def get(self): ...\n    def only_here_7(self): ...\n",
        }
    )
    assert index.edges(EdgeKind.IMPLEMENTS) == {"b.py:T -> a.py:P7"}
    looked_at = [key for key in index.links["b.py"].consulted if key.startswith("q:P")]
    assert sorted(looked_at) == ["q:P7", "q:Protocol"]
