"""Which definition of an ancestor a member overrides."""

from __future__ import annotations

import pytest
from workspace import linked

from sonde.model import EdgeKind

CASES = {
    "java: every overload overrode the first one of the interface": (
        {
            "a/Store.java": (
                "package a;\ninterface Store {\n  void put(int a);\n  void put(String a);\n"
                "  void put(int a, int b);\n}\n"
            ),
            "a/Disk.java": (
                "package a;\nclass Disk implements Store {\n  public void put(int a, int b) {}\n"
                "  public void put(String a) {}\n  public void put(int a) {}\n"
                "  public void put() {}\n}\n"
            ),
        },
        {
            "Disk.put@3 -> Store.put@5",
            "Disk.put@4 -> Store.put@4",
            "Disk.put@5 -> Store.put@3",
        },
    ),
    "java: an overload of a nearer ancestor hid what is overridden": (
        {
            "a/A.java": "package a;\nclass A {\n  void put(int a) {}\n}\n",
            "a/B.java": "package a;\nclass B extends A {\n  void put(int a, int b) {}\n}\n",
            "a/C.java": "package a;\nclass C extends B {\n  void put(int a) {}\n}\n",
        },
        {"C.put@3 -> A.put@3"},
    ),
    "csharp: a part of a class without the bases overrode nothing": (
        {
            "IStore.cs": (
                "namespace A;\ninterface IStore<T>\n{\n  int Put(T a);\n  int Put(Bag<T> a);\n}\n"
            ),
            "Store.cs": "namespace A;\npartial class Store<T> : IStore<T>\n{\n}\n",
            "Store.Put.cs": (
                "namespace A;\npartial class Store<T>\n{\n  public int Put(Bag<T> a) => 1;\n"
                "  public int Put(T a) => 1;\n}\n"
            ),
            "Elsewhere.cs": "namespace B;\nclass Store\n{\n  public int Put(int a) => 1;\n}\n",
        },
        {"Store.Put@4 -> IStore.Put@5", "Store.Put@5 -> IStore.Put@4"},
    ),
    "cpp: void stands for no parameters": (
        {
            "a.hpp": (
                "struct A { virtual int size(void); };\n"
                "struct B : A {\n  int size() override;\n};\n"
            ),
        },
        {"B.size@3 -> A.size@1"},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_bug_of_overrides(case: str) -> None:
    texts, expected = CASES[case]
    index = linked(texts)
    at = {
        id: f"{symbol.qualname}@{symbol.start_line}"
        for _, facts, ids in index.files.values()
        for id, symbol in zip(ids, facts.symbols, strict=True)
    }
    found = {
        f"{at[edge.source]} -> {at[edge.target]}"
        for links in index.links.values()
        for edge in links.edges
        if edge.kind is EdgeKind.OVERRIDES
    }
    assert found == expected
