"""Relinking only the files that consulted a changed key equals linking from scratch."""

from __future__ import annotations

import random

import pytest
from workspace import Index, Workspace, index_of

from sonde.link.fingerprint import config_keys
from sonde.link.manifests import is_manifest, project_config
from sonde.link.tables import Memory
from sonde.model import EdgeKind

PYTHON = [
    "from .{m} import {n}\nfrom .{m} import *\nimport app.{m} as other\n",
    "class {c}({d}):\n    def {n}(self):\n        self.{k}()\n        super().{n}()\n",
    "class {c}:\n    def __init__(self, {n}: {d}):\n        self.{n} = {d}()\n"
    "    def {k}(self):\n        self.{n}.{n}()\n",
    "def {n}(x: {c}) -> {d}:\n    y = {k}(x)\n    y.{n}()\n    x.{k}()\n    other.{n}()\n",
    "def test_{n}():\n    {c}().{k}()\n    unknown.{n}()\n",
    "{n} = {c}()\n{n}.{k}()\n",
]
GO = [
    "func {n}(x {c}) *{d} {{ return x.{k}() }}\n",
    "type {c} struct {{ {d} }}\nfunc (c *{c}) {n}() {d} {{ c.{k}(); return {k}(c) }}\n",
    "type I{c} interface {{ {n}() {d} }}\ntype J{d} interface {{ I{c} }}\n",
    "type I{c} interface {{ I{d}; {n}() {d}; {k}() *{c} }}\nfunc (c {c}) {k}() *{c} {{}}\n",
]
JAVA = ["class {c} extends {d} {{ {d} {n}({c} x) {{ x.{k}(); return {k}(x); }} }}\n"]
MODULES = ["alpha", "beta", "gamma", "test_delta"]
NAMES = ["load", "store", "parse"]
CLASSES = ["Client", "Server", "Pool"]


def piece(generator: random.Random, templates: list[str]) -> str:
    return generator.choice(templates).format(
        m=generator.choice(MODULES[:3]),
        n=generator.choice(NAMES),
        k=generator.choice(NAMES),
        c=generator.choice(CLASSES),
        d=generator.choice(CLASSES),
    )


def text_for(path: str, generator: random.Random) -> str:
    count = generator.randint(0, 4)
    if path.endswith("go.mod"):
        return f"module example.com/{generator.choice(['one', 'two'])}\n"
    if path.endswith(".go"):
        head = 'package shop\nimport "example.com/one/store"\n'
        return head + "".join(piece(generator, GO) for _ in range(count))
    if path.endswith(".java"):
        package = generator.choice(["a.b", "a.c"])
        head = f"package {package};\nimport a.b.Client;\nimport a.c.*;\n"
        return head + piece(generator, JAVA)
    if path.endswith(".md"):
        return f"# Notes\n`{generator.choice(CLASSES)}.{generator.choice(NAMES)}`\n"
    return "".join(piece(generator, PYTHON) for _ in range(count))


PATHS = [
    *(f"app/{name}.py" for name in MODULES),
    "app/__init__.py",
    "script.py",
    "shop/one.go",
    "shop/two.go",
    "store/three.go",
    "src/A.java",
    "src/B.java",
    "src/C.java",
    "README.md",
    "go.mod",
]


def edit(workspace: Workspace, generator: random.Random) -> None:
    for path in generator.sample(PATHS, generator.randint(1, 3)):
        if generator.random() < 0.25:
            workspace.texts.pop(path, None)
        elif generator.random() < 0.2 and path in workspace.texts and path.endswith(".py"):
            workspace.texts[path] = "# moved down\n" + workspace.texts[path]
        else:
            workspace.texts[path] = text_for(path, generator)


def update(index: Index, before: dict[str, str]) -> set[str]:
    """Bring an index up to date; return the files that were linked again."""
    texts = index.workspace.texts
    touched = {path for path in before.keys() | texts.keys() if before.get(path) != texts.get(path)}
    changed: set[str] = set()
    for path in sorted(touched):
        old = index.keys.pop(path, {})
        if path in before:
            index.memory.remove(index.files.pop(path)[0])
            del index.links[path]
        if path in texts:
            index.add(path)
        new = index.keys.get(path, {})
        changed |= {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}
    config = project_config((path, text) for path, text in texts.items() if is_manifest(path))
    old, new = index.keys[""], config_keys(config)
    changed |= {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}
    index.keys[""] = new
    if config != index.memory.config():
        index.memory = memory_with(index, config_of=config)
    again = {path for path in touched if path in texts}
    again |= {path for path, links in index.links.items() if links.consulted & changed}
    for path in sorted(again):
        index.link(path)
    return again


def memory_with(index: Index, config_of: object) -> Memory:
    memory = Memory(config_of)  # type: ignore[arg-type]
    for path in sorted(index.files):
        memory.add(*index.files[path])
    return memory


@pytest.mark.parametrize("seed", range(12))
def test_links_after_random_edits_equal_links_from_scratch(seed: int) -> None:
    generator = random.Random(seed)
    workspace = Workspace({path: text_for(path, generator) for path in PATHS})
    index = index_of(workspace)
    for _ in range(12):
        before = dict(workspace.texts)
        edit(workspace, generator)
        update(index, before)
        fresh = index_of(workspace)
        assert index.links == fresh.links
        assert index.keys == fresh.keys


def test_moving_code_down_does_not_relink_its_users() -> None:
    workspace = Workspace(
        {
            "a.py": "def load():\n    pass\n",
            "b.py": "from a import load\nload()\n",
            "c.py": "def other():\n    pass\n",
        }
    )
    index = index_of(workspace)
    before = dict(workspace.texts)
    workspace.texts["a.py"] = "# a comment\n" + before["a.py"]
    assert update(index, before) == {"a.py"}


def test_a_new_file_relinks_those_who_looked_for_it() -> None:
    workspace = Workspace({"b.py": "from a import load\nload()\n", "c.py": "x = 1\n"})
    index = index_of(workspace)
    before = dict(workspace.texts)
    workspace.texts["a.py"] = "def load():\n    pass\n"
    assert update(index, before) == {"a.py", "b.py"}


def test_a_go_type_is_linked_again_when_an_interface_comes_or_asks_otherwise() -> None:
    workspace = Workspace({"b/b.go": "package b\ntype T struct{}\nfunc (t T) Load(n int) {}\n"})
    index = index_of(workspace)
    fitting = "Load(n int)"
    embedding = "Closer; " + fitting
    for interface in (fitting, "Load(n string)", fitting, embedding, "Load(n int); Store()"):
        before = dict(workspace.texts)
        workspace.texts["a/a.go"] = f"package a\ntype Loader interface {{ {interface} }}\n"
        update(index, before)
        assert index.links == index_of(workspace).links
        implemented = index.edges(EdgeKind.IMPLEMENTS)
        assert implemented == ({"b/b.go:T -> a/a.go:Loader"} if interface == fitting else set())


def test_callers_are_linked_again_when_a_method_gets_type_parameters() -> None:
    text = "class Shop {\n    public void Get<T>() {}\n    public void Get() {}\n}\n"
    use = "class Use { void Run(Shop shop) { shop.Get<int>(); } }\n"
    workspace = Workspace({"Shop.cs": text, "Use.cs": use})
    index = index_of(workspace)
    before = dict(workspace.texts)
    workspace.texts["Shop.cs"] = text.replace("Get<T>()", "Get<K, V>()").replace(
        "Get()", "Get<T>()"
    )
    assert update(index, before) == {"Shop.cs", "Use.cs"}
    assert index.links == index_of(workspace).links


def test_bug_each_import_of_a_monorepo_asked_every_package() -> None:
    manifests = {f"packages/p{at}/pyproject.toml": "[project]\n" for at in range(60)}
    user = "from shop.cart import total\nimport numpy\ntotal()\n"
    workspace = Workspace(
        {**manifests, "packages/p0/app/__init__.py": "", "packages/p0/app/a.py": user}
    )
    index = index_of(workspace)
    assert len(index.links["packages/p0/app/a.py"].consulted) < 30
    added = {
        "packages/p9/src/shop/cart.py": "def total():\n    pass\n",  # a folder is enough
        "packages/p7/shop/cart/__init__.py": "def total():\n    pass\n",  # an earlier root
        "packages/p8/shop/other.py": "def other():\n    pass\n",  # not the module
    }
    for path, text in added.items():
        before = dict(workspace.texts)
        workspace.texts[path] = text
        again = update(index, before)
        assert index.links == index_of(workspace).links
        assert ("packages/p0/app/a.py" in again) == ("cart" in path)
    assert index.edges(EdgeKind.CALLS) == {
        "packages/p0/app/a.py -> packages/p7/shop/cart/__init__.py:total"
    }
