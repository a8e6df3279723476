# ruff: noqa: E501  (fixtures are whole files on a line)
"""Go types implement interfaces by their methods alone."""

from __future__ import annotations

import pytest
from workspace import linked

from sonde.model import CONFIDENCE, EdgeKind

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
