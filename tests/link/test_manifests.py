"""Manifests are read for what resolution needs, and broken ones count as empty."""

from __future__ import annotations

import pytest

from sonde.link.codeowners import owner_rules, owners_of
from sonde.link.manifests import NO_CONFIG, Alias, Dependency, is_manifest, project_config


def test_go_modules_are_matched_longest_first() -> None:
    layout = project_config(
        [
            ("go.mod", "module example.com/shop\n\nrequire (\n\tgolang.org/x/net v0.1.0\n)\n"),
            ("staging/api/go.mod", "module example.com/shop/api\n"),
        ]
    )
    assert layout.layout.go_modules == (
        ("example.com/shop/api", "staging/api"),
        ("example.com/shop", ""),
    )
    assert layout.dependencies == (("go.mod", (Dependency("golang.org/x/net", 4),)),)


def test_tsconfig_may_hold_comments_and_trailing_commas() -> None:
    text = '{ // note\n "compilerOptions": {"baseUrl": "./src", "paths": {"@/*": ["app/*"],},}, }'
    layout = project_config([("web/tsconfig.json", text)]).layout
    assert layout.base_urls == (("web", "web/src"),)
    assert layout.aliases == (Alias("web", "@/*", ("web/src/app/*",)),)


def test_imports_of_a_package_name_files_under_conditions() -> None:
    text = (
        '{"imports": {"#*": "./src/*.ts", "#fetch": "node-fetch", "#server/*": "./server/*.ts", '
        '"#db": {"types": "./db.d.ts", "node": ["./db.node.ts"], "default": "./src/db/index.ts"}}}'
    )
    layout = project_config([("core/package.json", text), ("web/package.json", "{}")]).layout
    assert layout.subpaths == (
        (
            "core",
            (
                Alias("core", "#fetch", ()),
                Alias("core", "#db", ("core/src/db/index.ts", "core/db.node.ts", "core/db.d.ts")),
                Alias("core", "#server/*", ("core/server/*.ts",)),
                Alias("core", "#*", ("core/src/*.ts",)),
            ),
        ),
    )


def test_exports_of_a_package_begin_with_its_name() -> None:
    text = (
        '{"name": "@shop/ui", "exports": {".": {"import": "./lib.mjs", "types": "./lib.d.ts"}, '
        '"./icons/*": "./src/icons/*.tsx", "./button": {"default": "./src/Button.tsx"}}}'
    )
    (package,) = project_config([("ui/package.json", text)]).layout.packages
    assert package.exports == (
        Alias("ui", "@shop/ui/button", ("ui/src/Button.tsx",)),
        Alias("ui", "@shop/ui", ("ui/lib.mjs", "ui/lib.d.ts")),
        Alias("ui", "@shop/ui/icons/*", ("ui/src/icons/*.tsx",)),
    )


def test_packages_crates_and_roots_have_their_folders() -> None:
    layout = project_config(
        [
            ("packages/ui/package.json", '{"name": "@shop/ui", "main": "./lib/index.js"}'),
            ("core/Cargo.toml", '[package]\nname = "shop-core"\n'),
            ("py/pyproject.toml", '[tool.setuptools.packages.find]\nwhere = ["code"]\n'),
            ("composer.json", '{"autoload": {"psr-4": {"Shop\\\\Db\\\\": "src/Db/"}}}'),
        ]
    ).layout
    assert layout.packages == (("@shop/ui", "packages/ui", ("packages/ui/lib/index.js",), ()),)
    assert layout.crates == (("shop_core", "core", ""),)
    assert {"py", "py/src", "py/code"} <= set(layout.python_roots)
    assert layout.psr4 == (("Shop.Db", "src/Db"),)


@pytest.mark.parametrize(
    "path", ["go.mod", "tsconfig.json", "package.json", "Cargo.toml", "pyproject.toml", "pom.xml"]
)
@pytest.mark.parametrize("text", ["", "{", "[", "\x00\xff", "[[[[", '"just a string"', "null"])
def test_a_broken_manifest_counts_as_empty(path: str, text: str) -> None:
    assert is_manifest(path)
    config = project_config([(path, text)])
    assert config.dependencies == ()
    assert config.layout.go_modules == NO_CONFIG.layout.go_modules


@pytest.mark.parametrize(
    ("path", "owners"),
    [
        ("docs/guide.md", ("@docs",)),
        ("docs/deep/guide.md", ("@all",)),
        ("src/app/main.go", ("@app",)),
        ("any/build/x.txt", ("@build",)),
        ("README", ("@all",)),
        ("secret/x", ()),
    ],
)
def test_the_last_matching_owner_rule_decides(path: str, owners: tuple[str, ...]) -> None:
    rules = owner_rules("* @all\n# note\ndocs/* @docs\n/src/app/ @app\nbuild/ @build\n/secret\n")
    assert owners_of(path, rules) == owners
