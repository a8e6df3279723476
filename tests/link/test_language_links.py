# ruff: noqa: E501  (fixtures are whole files on a line)
"""Each family of languages finds names beyond the file in its own way."""

from __future__ import annotations

import pytest
from workspace import calls, linked

from sonde.model import EdgeKind

CASES = {
    "go: packages are folders, methods belong to their receiver's type": (
        {
            "go.mod": "module example.com/shop\n",
            "db/client.go": (
                "package db\ntype Client struct { Name string }\n"
                "func New() *Client { return &Client{} }\n"
            ),
            "db/query.go": "package db\nfunc (c *Client) Query() { c.reset() }\nfunc (c *Client) reset() {}\n",
            "main.go": (
                'package main\nimport store "example.com/shop/db"\n'
                "func run(given *store.Client) {\n\tc := store.New()\n\tc.Query()\n\tgiven.Query()\n}\n"
                "func again(given *store.Client) { given.Query() }\n"
            ),
        },
        {
            "main.go:run -> db/client.go:New",
            "main.go:run -> db/query.go:Client.Query",
            "main.go:again -> db/query.go:Client.Query",
            "db/query.go:Client.Query -> db/query.go:Client.reset",
        },
    ),
    "java: same package, imports, static imports, implicit this": (
        {
            "src/a/Base.java": "package a;\npublic class Base { protected void save() {} }\n",
            "src/a/Tool.java": "package a;\npublic class Tool { public static void go() {} }\n",
            "src/b/Use.java": (
                "package b;\nimport a.Base;\nimport static a.Tool.go;\n"
                "class Use extends Base {\n  Helper helper;\n"
                "  void run() { save(); go(); helper.help(); }\n}\n"
            ),
            "src/b/Helper.java": "package b;\nclass Helper { void help() {} }\n",
        },
        {
            "src/b/Use.java:Use.run -> src/a/Base.java:Base.save",
            "src/b/Use.java:Use.run -> src/a/Tool.java:Tool.go",
            "src/b/Use.java:Use.run -> src/b/Helper.java:Helper.help",
        },
    ),
    "kotlin sees the package of a java file": (
        {
            "a/Tool.java": "package a;\npublic class Tool { public void go() {} }\n",
            "b/Use.kt": "package b\nimport a.Tool\nfun run(tool: Tool) { tool.go() }\n",
        },
        {"b/Use.kt:run -> a/Tool.java:Tool.go"},
    ),
    "typescript: imports that the package.json around the file names": (
        {
            "core/package.json": (
                '{"imports": {"#db": {"node": "./src/db/index.node.ts", "default": "./src/db/index.ts"}, "#*": "./src/*.ts"}}'
            ),
            "core/src/db/index.ts": "export function all() {}\n",
            "core/src/db/index.node.ts": "export function all() {}\n",
            "core/src/shop/cart.ts": "export function add() {}\n",
            "core/src/use.ts": (
                "import * as db from '#db';\nimport { add } from '#shop/cart';\n"
                "export function run() { db.all(); add(); }\n"
            ),
            "web/package.json": '{"imports": {"#db": "./db.ts"}}',
            "web/db.ts": "export function all() {}\n",
            "web/use.ts": "import { all } from '#db';\nexport function show() { all(); }\n",
        },
        {
            "core/src/use.ts:run -> core/src/db/index.ts:all",
            "core/src/use.ts:run -> core/src/shop/cart.ts:add",
            "web/use.ts:show -> web/db.ts:all",
        },
    ),
    "typescript: files that a package exports under other names": (
        {
            "ui/package.json": (
                '{"name": "@shop/ui", "exports": {"./button": "./src/Button.ts", "./icons/*": {"default": "./src/icons/*.ts"}, "./old": "./dist/old.js"}}'
            ),
            "ui/src/Button.ts": "export function press() {}\n",
            "ui/src/icons/cart.ts": "export function draw() {}\n",
            "ui/src/old.ts": "export function gone() {}\n",
            "web/use.ts": (
                "import { press } from '@shop/ui/button';\nimport { draw } from '@shop/ui/icons/cart';\n"
                "import { gone } from '@shop/ui/old';\nexport function run() { press(); draw(); gone(); }\n"
            ),
        },
        {
            "web/use.ts:run -> ui/src/Button.ts:press",
            "web/use.ts:run -> ui/src/icons/cart.ts:draw",
            "web/use.ts:run -> ui/src/old.ts:gone",
        },
    ),
    "typescript: barrels, aliases of tsconfig, default exports": (
        {
            "tsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["src/*"]}}}',
            "src/db/client.ts": "export class Client { get(): void {} }\n",
            "src/db/index.ts": "export * from './client';\nexport { make as build } from './make';\n",
            "src/db/make.ts": "export function make(): number { return 1; }\n",
            "src/main.ts": "export default function main() {}\n",
            "src/use.ts": (
                "import { Client, build } from '@/db';\nimport start from './main';\n"
                "export function run(client: Client) {\n  client.get();\n  build();\n  start();\n}\n"
            ),
        },
        {
            "src/use.ts:run -> src/db/client.ts:Client.get",
            "src/use.ts:run -> src/db/make.ts:make",
            "src/use.ts:run -> src/main.ts:main",
        },
    ),
    "javascript: this, new and require": (
        {
            "lib/pool.js": "class Pool { take() { return this.grow(); } grow() {} }\nmodule.exports = { Pool };\n",
            "app.js": (
                "const { Pool } = require('./lib/pool');\n"
                "function run() {\n  const pool = new Pool();\n  pool.take();\n}\n"
            ),
        },
        {
            "lib/pool.js:Pool.take -> lib/pool.js:Pool.grow",
            "app.js:run -> lib/pool.js:Pool",
            "app.js:run -> lib/pool.js:Pool.take",
        },
    ),
    "javascript: what CommonJS modules export, as a whole and under other names": (
        {
            "lib/a.js": "exports.close = function shut() {};\nmodule.exports.open = () => 1;\nfunction hidden() {}\nexports.seen = hidden;\n",
            "lib/build.js": "module.exports = function build(x) {};\n",
            "lib/plain.js": "module.exports = function () {};\n",
            "lib/pool.js": "class Pool { take() {} }\nmodule.exports = Pool;\n",
            "lib/table.js": "function make() {}\nconst api = { go() {} };\nmodule.exports = { other: make, api, own() {} };\n",
            "lib/create.js": "exports = module.exports = create;\nexports.extra = function () {};\nfunction create() {}\n",
            "lib/index.js": "module.exports = require('./create');\n",
            "lib/base.js": "module.exports = class { save() {} };\n",
            "app.js": (
                "const a = require('./lib/a');\nconst { open, seen } = require('./lib/a');\n"
                "const make = require('./lib/build');\nconst plain = require('./lib/plain');\n"
                "const Tank = require('./lib/pool');\nconst table = require('./lib/table');\n"
                "const create = require('./lib');\nconst Base = require('./lib/base');\n"
                "function one() { a.close(); open(); seen(); }\n"
                "function two() { make(); plain(); new Tank().take(); }\n"
                "function three() { table.other(); table.api.go(); table.own(); }\n"
                "function four() { create(); create.extra(); }\n"
                "class Sub extends Base { five() { this.save(); } }\n"
            ),
        },
        {
            "app.js:one -> lib/a.js:close",
            "app.js:one -> lib/a.js:open",
            "app.js:one -> lib/a.js:hidden",
            "app.js:two -> lib/build.js:build",
            "app.js:two -> lib/plain.js:module.exports",
            "app.js:two -> lib/pool.js:Pool",
            "app.js:two -> lib/pool.js:Pool.take",
            "app.js:three -> lib/table.js:make",
            "app.js:three -> lib/table.js:api.go",
            "app.js:three -> lib/table.js:own",
            "app.js:four -> lib/create.js:create",
            "app.js:four -> lib/create.js:extra",
            "app.js:Sub.five -> lib/base.js:module.exports.save",
        },
    ),
    "javascript: a folder is imported by the entry of its package, not by its declarations": (
        {
            "package.json": '{"name": "kit", "main": "kit.js", "types": "kit.d.ts"}',
            "kit.js": "function start() {}\nmodule.exports = start;\n",
            "kit.d.ts": "declare function start(): void;\ntype Kit = typeof start;\nexport = start;\n",
            "parts/package.json": '{"main": "./lib/parts"}',
            "parts/lib/parts.js": "exports.fit = function () {};\n",
            "spec/use.js": (
                "const Kit = require('..');\nconst named = require('kit');\n"
                "const parts = require('../parts');\n"
                "function run() { Kit(); parts.fit(); }\nfunction other() { named(); }\n"
            ),
        },
        {
            "spec/use.js:run -> kit.js:start",
            "spec/use.js:run -> parts/lib/parts.js:fit",
            "spec/use.js:other -> kit.js:start",
        },
    ),
    "javascript: exports of ES modules under other names": (
        {
            "lib/hero.js": "export default class Hero { fly() {} }\n",
            "lib/run.js": "function run() {}\nexport default run;\n",
            "lib/one.js": "function one() {}\nexport { one as uno };\n",
            "app.js": (
                "import Champion from './lib/hero';\nimport walk from './lib/run';\n"
                "import { uno } from './lib/one';\n"
                "function go() { new Champion().fly(); walk(); uno(); }\n"
            ),
        },
        {
            "app.js:go -> lib/hero.js:Hero",
            "app.js:go -> lib/hero.js:Hero.fly",
            "app.js:go -> lib/run.js:run",
            "app.js:go -> lib/one.js:one",
        },
    ),
    "csharp: extension methods, partial types in files named like members, relative namespaces": (
        {
            "Db/Client.cs": (
                "namespace Acme.Db;\npublic partial class Client { public void Get() { Part(); } }\n"
                "public static class Ext { public static void Shout(this Client c) {} }\n"
            ),
            "Db/Client.Part.cs": "namespace Acme.Db;\npublic partial class Client { void Part() {} }\n",
            "App.cs": "using Acme.Db;\nnamespace Acme;\nclass App { void Run(Db.Client c, object o) { c.Shout(); ((Client)o).Get(); } }\n",
        },
        {
            "Db/Client.cs:Client.Get -> Db/Client.Part.cs:Client.Part",
            "App.cs:App.Run -> Db/Client.cs:Ext.Shout",
            "App.cs:App.Run -> Db/Client.cs:Client.Get",
        },
    ),
    "scala: parameters of a class are seen in its methods, methods called by name alone": (
        {
            "a/Client.scala": "package a\nclass Client { def get(): Row = new Row; def row: Row = get() }\nclass Row { def save() = 1 }\n",
            "b/App.scala": "package b\nimport a.Client\nclass App(client: Client) { def go() = { client.get().save(); client.row.save() } }\n",
        },
        {
            "a/Client.scala:Client.get -> a/Client.scala:Row",
            "a/Client.scala:Client.row -> a/Client.scala:Client.get",
            "b/App.scala:App.go -> a/Client.scala:Client.get",
            "b/App.scala:App.go -> a/Client.scala:Row.save",
        },
    ),
    "php: traits, namespaces written out and relative ones": (
        {
            "src/Db/Base.php": "<?php\nnamespace Acme\\Db;\ntrait Loud { function shout() {} }\nfunction help() {}\nclass Row { use Loud; function go() { $this->shout(); } }\n",
            "src/App.php": "<?php\nnamespace Acme;\nfunction run() { \\Acme\\Db\\help(); $row = new Db\\Row(); $row->go(); }\n",
        },
        {
            "src/Db/Base.php:Row.go -> src/Db/Base.php:Loud.shout",
            "src/App.php:run -> src/Db/Base.php:help",
            "src/App.php:run -> src/Db/Base.php:Row",
            "src/App.php:run -> src/Db/Base.php:Row.go",
        },
    ),
    "cpp: types and static members behind a namespace, what the library has stays outside": (
        {
            "inc/db.hpp": "#pragma once\nnamespace db {\nclass Client {\n public:\n  void get();\n  static Client make();\n};\nvoid move(int x);\n}\n",
            "src/main.cpp": (
                '#include "db.hpp"\nvoid run() {\n  db::Client c;\n  c.get();\n  auto d = db::Client::make();\n'
                "  d.get();\n  std::move(c);\n}\n"
            ),
        },
        {
            "src/main.cpp:run -> inc/db.hpp:Client",
            "src/main.cpp:run -> inc/db.hpp:Client.get",
            "src/main.cpp:run -> inc/db.hpp:Client.make",
        },
    ),
    "cpp: a function behind its namespace, and none of another's": (
        {
            "inc/db.hpp": "#pragma once\nnamespace db {\nnamespace deep {\nvoid open(int x);\n}\nint number(int x);\n}\n",
            "src/db.cpp": '#include "db.hpp"\nnamespace db {\nnamespace deep {\nvoid open(int x) { db::number(x); }\n}\n}\n',
            "src/main.cpp": (
                '#include "db.hpp"\nvoid run() {\n  db::deep::open(1);\n  db::number(2);\n}\n'
                "void other() { QString::number(3); }\n"
            ),
        },
        {
            "src/main.cpp:run -> src/db.cpp:open",
            "src/main.cpp:run -> inc/db.hpp:number",
            "src/db.cpp:open -> inc/db.hpp:number",
        },
    ),
    "ruby: a method's name alone calls it, inherited and mixed in too, but not a local's": (
        {
            "lib/base.rb": "class Base\n  def reset\n  end\n  def size\n  end\n  def list\n  end\nend\n",
            "lib/loud.rb": "module Loud\n  def shout\n  end\nend\n",
            "lib/client.rb": (
                "class Client < Base\n  include Loud\n  def run(size)\n    reset\n    shout if size\n"
                "    list = 1\n    list\n  end\nend\n"
            ),
        },
        {
            "lib/client.rb:Client.run -> lib/base.rb:Base.reset",
            "lib/client.rb:Client.run -> lib/loud.rb:Loud.shout",
        },
    ),
    "ruby: methods of a module that is mixed in": (
        {
            "lib/loud.rb": "module Loud\n  def shout; end\nend\n",
            "lib/client.rb": "class Client\n  include Loud\n  def run\n    shout()\n  end\nend\n",
        },
        {"lib/client.rb:Client.run -> lib/loud.rb:Loud.shout"},
    ),
    "rust: methods that a trait gives to its types": (
        {
            "Cargo.toml": '[package]\nname = "shop"\n',
            "src/lib.rs": (
                "pub struct Row;\npub trait Shape { fn area(&self); fn twice(&self) { self.area() } }\n"
                "impl Shape for Row { fn area(&self) {} }\npub fn run(row: &Row) { row.twice(); row.area(); }\n"
            ),
        },
        {
            "src/lib.rs:Shape.twice -> src/lib.rs:Shape.area",
            "src/lib.rs:run -> src/lib.rs:Shape.twice",
            "src/lib.rs:run -> src/lib.rs:Row.area",
        },
    ),
    "rust: use through re-exports, impl blocks, associated functions": (
        {
            "Cargo.toml": '[package]\nname = "shop"\n',
            "src/lib.rs": "pub mod db;\nmod web;\n",
            "src/db/mod.rs": "mod client;\npub use self::client::Client;\n",
            "src/db/client.rs": (
                "pub struct Client;\nimpl Client {\n    pub fn new() -> Self { Client }\n"
                "    pub fn get(&self) { self.send(); }\n    fn send(&self) {}\n}\n"
            ),
            "src/web.rs": (
                "use crate::db::Client;\npub fn run(given: &Client) {\n"
                "    let client = Client::new();\n    client.get();\n}\n"
                "pub fn again(given: &Client) { given.get(); }\n"
            ),
        },
        {
            "src/db/client.rs:Client.get -> src/db/client.rs:Client.send",
            "src/web.rs:run -> src/db/client.rs:Client.new",
            "src/web.rs:run -> src/db/client.rs:Client.get",
            "src/web.rs:again -> src/db/client.rs:Client.get",
        },
    ),
    "ruby: constants through nesting, implicit self, instance variables": (
        {
            "lib/shop/client.rb": (
                "module Shop\n  class Client < Base\n    def get\n      reset()\n    end\n  end\nend\n"
            ),
            "lib/shop/base.rb": "module Shop\n  class Base\n    def reset\n    end\n  end\nend\n",
            "lib/shop/web.rb": (
                "module Shop\n  class Web\n    def initialize\n      @client = Client.new\n    end\n"
                "    def run\n      @client.get()\n    end\n  end\nend\n"
            ),
        },
        {
            "lib/shop/client.rb:Shop.Client.get -> lib/shop/base.rb:Shop.Base.reset",
            "lib/shop/web.rb:Shop.Web.run -> lib/shop/client.rb:Shop.Client.get",
            "lib/shop/web.rb:Shop.Web.initialize -> lib/shop/client.rb:Shop.Client",
        },
    ),
    "c: a declaration in an included header leads to its definition": (
        {
            "include/pool.h": "int pool_take(int n);\n",
            "src/pool.c": '#include "pool.h"\nint pool_take(int n) { return n; }\n',
            "src/main.c": '#include "pool.h"\nint run(void) { return pool_take(1); }\n',
            "src/other.c": "int alone(void) { return pool_take(1); }\n",
        },
        {"src/main.c:run -> src/pool.c:pool_take"},
    ),
    "c++: members written outside their class": (
        {
            "pool.hpp": "class Pool {\npublic:\n  int take();\n  int grow();\n};\n",
            "pool.cpp": '#include "pool.hpp"\nint Pool::take() { return grow(); }\nint Pool::grow() { return 1; }\n',
            "main.cpp": '#include "pool.hpp"\nint run(Pool& pool) { return pool.take(); }\n',
        },
        {
            "main.cpp:run -> pool.cpp:Pool.take",
            "pool.cpp:Pool.take -> pool.cpp:Pool.grow",
        },
    ),
    "c#: using opens a namespace": (
        {
            "Db/Client.cs": "namespace Shop.Db { public class Client { public void Get() {} } }\n",
            "Web/Use.cs": (
                "using Shop.Db;\nnamespace Shop.Web {\n  public class Use {\n"
                "    private Client _client;\n    public void Run() { _client.Get(); }\n  }\n}\n"
            ),
        },
        {"Web/Use.cs:Use.Run -> Db/Client.cs:Client.Get"},
    ),
    "php: use binds a class of a namespace": (
        {
            "src/Client.php": "<?php\nnamespace Shop\\Db;\nclass Client { public function get() {} }\n",
            "src/Use.php": (
                "<?php\nnamespace Shop\\Web;\nuse Shop\\Db\\Client;\nclass Run {\n"
                "  public function go(Client $client) { $client->get(); $this->end(); }\n"
                "  private function end() {}\n}\n"
            ),
        },
        {
            "src/Use.php:Run.go -> src/Client.php:Client.get",
            "src/Use.php:Run.go -> src/Use.php:Run.end",
        },
    ),
    "swift: files of a module see each other": (
        {
            "Sources/Client.swift": "class Client { func get() {} }\n",
            "Sources/Use.swift": "func run(client: Client) { client.get() }\n",
        },
        {"Sources/Use.swift:run -> Sources/Client.swift:Client.get"},
    ),
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.split(":")[0])
def test_calls_reach_their_definitions(case: str) -> None:
    texts, expected = CASES[case]
    assert linked(texts).edges(EdgeKind.CALLS) == expected


def test_constants_of_php_are_referenced_from_other_files() -> None:
    found = linked(
        {
            "boot.php": "<?php\ndefine('ROOT', 1);\nconst DEEP = 2;\n",
            "use.php": "<?php\nfunction run($x) { return in(ROOT) . DEEP . $x . PHP_EOL; }\n",
        }
    ).edges(EdgeKind.REFERENCES)
    assert found == {"use.php:run -> boot.php:ROOT", "use.php:run -> boot.php:DEEP"}


def test_bug_routes_of_handlers_in_other_files_were_lost() -> None:
    found = linked(
        {
            "config/routes.rb": "get '/about', to: 'site_pages#about'\nget '/x', to: 'site_pages#about'\n",
            "app/site_pages_controller.rb": "class SitePagesController\n  def about\n  end\nend\n",
            "routes.php": "<?php\nuse App\\Users;\nRoute::get('u', [Users::class, 'show']);\n",
            "Users.php": "<?php\nnamespace App;\nclass Users { function show() {} }\n",
        }
    )
    assert found.edges(EdgeKind.HANDLES_ROUTE) == {
        "config/routes.rb -> app/site_pages_controller.rb:SitePagesController.about",
        "routes.php -> Users.php:Users.show",
    }


def test_bug_c_functions_of_another_namespace_were_called() -> None:
    found = linked(
        {
            "meta.hpp": "namespace meta { template<class T> using size = T; void both(); }\n",
            "shop.hpp": '#include "meta.hpp"\nnamespace shop { void open(); void both(); int end(int x) { return x; } }\n',
            "shop.cpp": '#include "shop.hpp"\nnamespace shop { void open() {} void both() {} }\n',
            "use.cpp": '#include "shop.hpp"\nnamespace shop { void run() { size(1); open(); both(); end(2); } }\n',
            "test.cpp": '#include "shop.hpp"\nnamespace mine { int end(int x) { return x; } void open() {} }\n',
            "plain.cpp": '#include "shop.hpp"\nusing namespace shop;\nvoid go() { both(); shop::open(); }\n',
        }
    ).edges(EdgeKind.CALLS)
    assert found == {
        "use.cpp:run -> shop.cpp:open",
        "use.cpp:run -> shop.cpp:both",
        "use.cpp:run -> shop.hpp:end",
        "plain.cpp:go -> shop.cpp:open",  # which `both` is meant nobody knows
    }


NAMES_OF_OTHER_LANGUAGES = {
    "python: parent, base and type are names like others": (
        {
            "a.py": (
                "class Node:\n    def go(self): ...\nclass Base:\n    def go(self): ...\n"
                "class Tree(Base):\n    def one(self, parent: Node): parent.go()\n"
                "    def two(self, base: Node): base.go()\n"
                "    def three(self, type: Node): type.go()\n    def four(self): super().go()\n"
            )
        },
        {
            "a.py:Tree.one -> a.py:Node.go",
            "a.py:Tree.two -> a.py:Node.go",
            "a.py:Tree.three -> a.py:Node.go",
            "a.py:Tree.four -> a.py:Base.go",
        },
    ),
    "javascript: what a class inherits was taken for what `base` holds": (
        {
            "a.js": (
                "class Base { go() {} }\nclass Row extends Base {\n"
                "  one({ base }) { base.go(); }\n  two() { super.go(); }\n}\n"
            )
        },
        {"a.js:Row.two -> a.js:Base.go"},
    ),
    "php: the variable is not the keyword": (
        {
            "a.php": (
                "<?php\nclass Base { function go() {} }\nclass Node { function go() {} }\n"
                "class Row extends Base {\n  function one(Node $parent) { $parent->go(); }\n"
                "  function two() { parent::go(); }\n}\n"
            )
        },
        {"a.php:Row.one -> a.php:Node.go", "a.php:Row.two -> a.php:Base.go"},
    ),
    "rust: super is the module around": (
        {
            "src/lib.rs": "pub mod inner;\npub fn help() {}\n",
            "src/inner.rs": "pub struct Row;\nimpl Row { pub fn go(&self) { super::help(); } }\n",
        },
        {"src/inner.rs:Row.go -> src/lib.rs:help"},
    ),
}


@pytest.mark.parametrize(
    ("texts", "expected"), NAMES_OF_OTHER_LANGUAGES.values(), ids=NAMES_OF_OTHER_LANGUAGES
)
def test_bug_words_for_what_is_inherited_counted_in_every_language(
    texts: dict[str, str], expected: set[str]
) -> None:
    assert linked(texts).edges(EdgeKind.CALLS) == expected


def test_bug_calls_of_cpp_methods_stopped_at_the_header() -> None:
    found = linked(
        {
            "include/foo.hpp": (
                "namespace lib {\nclass Foo {\n int run(int a, int b = 2);\n int run(char c);\n};\n"
                "int helper(std::string x);\nint plain();\n}\n"
            ),
            "include/impl/foo_inl.hpp": (
                '#include "../foo.hpp"\nnamespace lib {\n'
                "int helper(std::string x) { return 1; }\n}\n"
            ),
            "src/foo.cpp": (
                '#include "foo.hpp"\nnamespace lib {\n'
                "int Foo::run(int a, int b) { return a; }\nint Foo::run(char c) { return 2; }\n"
                "}\n"
            ),
            "src/main.cpp": (
                '#include "foo.hpp"\n'
                "int main() { lib::Foo foo; foo.run(1, 2); lib::helper(x); return lib::plain(); }\n"
            ),
        }
    )
    assert found.edges(EdgeKind.CALLS) == {
        "src/main.cpp:main -> include/foo.hpp:Foo",
        "src/main.cpp:main -> src/foo.cpp:Foo.run",
        "src/main.cpp:main -> include/impl/foo_inl.hpp:helper",
        "src/main.cpp:main -> include/foo.hpp:plain",
    }
    assert found.edges(EdgeKind.IMPLEMENTS) == {
        "src/foo.cpp:Foo.run -> include/foo.hpp:Foo.run",
        "include/impl/foo_inl.hpp:helper -> include/foo.hpp:helper",
    }


def test_bug_a_class_behind_a_used_namespace_was_taken_for_its_file() -> None:
    found = linked(
        {
            "src/Factory.php": (
                "<?php\nnamespace Acme\\Handler;\nclass Factory { function create() {} }\n"
            ),
            "src/run.php": (
                "<?php\nnamespace Acme\\Test;\nuse Acme\\Handler;\n"
                "function run() { $f = new Handler\\Factory(3); return $f->create(); }\n"
            ),
        }
    ).edges(EdgeKind.CALLS)
    assert found == {
        "src/run.php:run -> src/Factory.php:Factory",
        "src/run.php:run -> src/Factory.php:Factory.create",
    }


def test_bug_names_behind_the_root_were_looked_for_beside_the_caller() -> None:
    found = linked(
        {
            "src/functions.php": "<?php\nnamespace Acme;\nfunction json_decode($x) {}\n",
            "src/root.php": "<?php\nfunction rooted() {}\n",
            "src/Utils.php": (
                "<?php\nnamespace Acme;\nclass Utils {\n"
                "  function far() { return \\json_decode(\\rooted()); }\n"
                "  function near() { return json_decode(1); }\n}\n"
            ),
            "pipe.cpp": (
                "int helper(int x) { return x; }\n"
                "class Pipe {\n public:\n  int helper(int x) { return ::helper(x); }\n"
                "  int close(int x) { return ::close(x); }\n};\n"
            ),
        }
    ).edges(EdgeKind.CALLS)
    assert found == {
        "src/Utils.php:Utils.far -> src/root.php:rooted",
        "src/Utils.php:Utils.near -> src/functions.php:json_decode",
        "pipe.cpp:Pipe.helper -> pipe.cpp:helper",
    }


def test_bug_types_in_an_extension_of_another_file_were_unknown() -> None:
    found = linked(
        {
            "Response.swift": (
                "public final class Response {\n    public var body: Body\n}\n"
                "protocol Responder { func respond(to request: Int) async throws -> Response }\n"
            ),
            "Response+Body.swift": (
                "extension Response {\n    public struct Body {\n"
                "        public func collect() async throws -> Int? { 1 }\n    }\n}\n"
            ),
            "run.swift": (
                "func run(_ responder: (any Responder)?) async throws {\n"
                "    let res = try await responder.respond(to: 1)\n"
                "    _ = try await res.body.collect()\n}\n"
            ),
        }
    ).edges(EdgeKind.CALLS)
    assert found == {
        "run.swift:run -> Response.swift:Responder.respond",
        "run.swift:run -> Response+Body.swift:Response.Body.collect",
    }


def test_bug_extensions_of_library_types_were_never_called() -> None:
    found = linked(
        {
            "Ext.cs": (
                "namespace Lib;\npublic static class Ext {\n"
                "  public static int Query(this IDbConnection c, string sql) { return 1; }\n}\n"
            ),
            "Use.cs": (
                "using Lib;\nnamespace App;\npublic class Use {\n  private IDbConnection _field;\n"
                "  public void Run(IDbConnection a, Other b) {\n"
                '    a.Query("x");\n    b.Query("y");\n  }\n'
                '  public void Field() { _field.Query("z"); }\n}\n'
            ),
            "Blind.cs": (
                "namespace Far;\npublic class Blind {\n"
                '  public void Run(IDbConnection a) { a.Query("x"); }\n}\n'
            ),
            "ext.kt": "package lib\nfun BufferedSource.readAll(): Int = 2\n",
            "use.kt": (
                "package app\nimport lib.readAll\n"
                "fun run(source: BufferedSource, other: Source) {\n"
                "  source.readAll()\n  other.readAll()\n}\n"
            ),
            "ext.swift": "extension HTTPFields { func parts() -> Int { 2 } }\n",
            "use.swift": (
                "func serve(fields: HTTPFields, other: Foo) {\n  fields.parts()\n  other.parts()\n}\n"
            ),
        }
    ).edges(EdgeKind.CALLS)
    assert found == {
        "Use.cs:Use.Run -> Ext.cs:Ext.Query",
        "Use.cs:Use.Field -> Ext.cs:Ext.Query",
        "use.kt:run -> ext.kt:BufferedSource.readAll",
        "use.swift:serve -> ext.swift:HTTPFields.parts",
    }


def test_bug_types_that_php_tells_in_comments_were_not_followed() -> None:
    found = linked(
        {
            "Factory.php": (
                "<?php\nnamespace A;\ninterface Factory {\n  /** @return Easy|null */\n"
                "  function create();\n}\nclass Easy { function go() {} }\n"
            ),
            "Handler.php": (
                "<?php\nnamespace A;\nclass Handler {\n  /**\n   * @var Factory\n   */\n"
                "  private $factory;\n  /** @var Easy[] */\n  private $all;\n"
                "  function run() { $easy = $this->factory->create(); $easy->go(); }\n"
                "  function none() { $this->all->go(); }\n}\n"
            ),
        }
    ).edges(EdgeKind.CALLS)
    assert found == {
        "Handler.php:Handler.run -> Factory.php:Factory.create",
        "Handler.php:Handler.run -> Factory.php:Easy.go",
    }


def test_bug_an_implementation_for_an_outside_type_led_to_that_of_another_file() -> None:
    text = "use std::time::Duration;\nimpl Raw for Duration {\n  fn raw(&self) { self.inner() }\n  fn inner(&self) {}\n}\nimpl<T: Key> Raw for T {\n  fn raw(&self) { self.outer() }\n}\n"
    other = text + "impl<T: Key> Other for T { fn outer(&self) {} }\n"
    edges = linked({"src/a.rs": other, "src/b.rs": text}).edges(EdgeKind.CALLS)
    assert edges == {
        "src/a.rs:Duration.raw -> src/a.rs:Duration.inner",
        "src/a.rs:T.raw -> src/a.rs:T.outer",
        "src/b.rs:Duration.raw -> src/b.rs:Duration.inner",
    }


def test_bug_members_of_an_extension_block_were_not_found() -> None:
    edges = linked(
        {
            "Row.cs": "namespace Db;\npublic class Row { public void Put(int n) {} }\n",
            "Rows.cs": "namespace Db;\npublic static class Rows {\n  extension(Row row) {\n    public void Add(int n) { row.Put(n); }\n    public int Size => 1;\n  }\n}\n",
            "Use.cs": "using Db;\nclass Use { void Run(Row row) { row.Add(1); } int Read(Row row) { return row.Size; } }\n",
        }
    )
    assert edges.edges(EdgeKind.CALLS) == {
        "Rows.cs:Rows.Add -> Row.cs:Row.Put",
        "Use.cs:Use.Run -> Rows.cs:Rows.Add",
    }
    assert edges.edges(EdgeKind.ACCESSES_FIELD) == {"Use.cs:Use.Read -> Rows.cs:Rows.Size"}


def test_bug_a_method_of_another_type_of_that_name_in_the_crate_was_called() -> None:
    pool = "pub struct Pool;\nimpl Pool {\n  pub fn connect(&self) {}\n}\n"
    edges = linked(
        {
            "Cargo.toml": "[package]\nname = 'shop'\n",
            "src/lib.rs": "mod a_sync;\nmod b_sync;\nmod c;\nmod user;\n",
            "src/a_sync.rs": pool + "impl Pool { pub fn only(&self) {} }\n",
            "src/b_sync.rs": pool,
            "src/c.rs": "use crate::b_sync::Pool;\nimpl Pool { pub fn more(&self) {} }\n",
            "src/user.rs": "use crate::b_sync::Pool;\nstruct Use { pool: Pool }\nimpl Use {\n  fn run(&self) { self.pool.connect(); self.pool.only(); self.pool.more(); }\n}\n",
        }
    ).edges(EdgeKind.CALLS)
    assert edges == {
        "src/user.rs:Use.run -> src/b_sync.rs:Pool.connect",
        "src/user.rs:Use.run -> src/c.rs:Pool.more",
    }


def test_bug_calls_between_files_with_flow_types_were_not_followed() -> None:
    found = linked(
        {
            "farm.js": (
                "// @flow\nimport {type Handle, open} from './handle';\n"
                "export default class Farm {\n  +handle: ?Handle;\n"
                "  constructor(opts: {|...Opts, max?: number|}) { this.handle = open(opts); }\n"
                "  run(done: string => void): void { this.handle.close(); }\n}\n"
            ),
            "handle.js": (
                "/* @flow strict */\nexport class Handle { close(): void {} }\n"
                "export function open(opts: $Shape<Opts>): Handle { return new Handle(); }\n"
            ),
            "main.js": (
                "import Farm from './farm';\nfunction start() {\n"
                "  const farm = new Farm();\n  farm.run();\n}\n"
            ),
        }
    ).edges(EdgeKind.CALLS)
    assert found == {
        "farm.js:Farm.constructor -> handle.js:open",
        "farm.js:Farm.run -> handle.js:Handle.close",
        "handle.js:open -> handle.js:Handle",
        "main.js:start -> farm.js:Farm",
        "main.js:start -> farm.js:Farm.constructor",
        "main.js:start -> farm.js:Farm.run",
    }


def test_bug_types_of_php_that_may_be_null_were_not_followed() -> None:
    found = linked(
        {
            "Row.php": (
                "<?php\nclass Row { function go() {} }\nclass Use_ {\n  private ?Row $row;\n"
                "  function given(?Row $row) { $row->go(); }\n"
                "  function held() { $this->row->go(); }\n"
                "  function made(): ?Row { return null; }\n"
                "  function asked() { $this->made()->go(); }\n}\n"
            )
        }
    ).edges(EdgeKind.CALLS)
    assert found == {
        "Row.php:Use_.given -> Row.php:Row.go",
        "Row.php:Use_.held -> Row.php:Row.go",
        "Row.php:Use_.asked -> Row.php:Use_.made",
        "Row.php:Use_.asked -> Row.php:Row.go",
    }


def test_bug_a_using_inside_its_namespace_was_taken_for_a_whole_name() -> None:
    edges = linked(
        {
            "Rules/Email.cs": "namespace Shop.Rules;\npublic class Email { public void Go() {} }\n",
            "Rules/More.cs": "namespace Shop.Rules;\nstatic class More { public static void Add(this Cart cart) {} }\n",
            "Other.cs": "namespace Other.Rules;\npublic class Email { public void Go() {} }\n",
            "Cart.cs": "namespace Shop;\nusing Rules;\nclass Cart { void Run() { new Email().Go(); this.Add(); } }\n",
            "Deep.cs": "namespace Shop.Deep\n{\n  using Rules;\n  class Deep { void Run() { new Email().Go(); } }\n}\n",
        }
    ).edges(EdgeKind.CALLS)
    assert edges == {
        "Cart.cs:Cart.Run -> Rules/Email.cs:Email",
        "Cart.cs:Cart.Run -> Rules/Email.cs:Email.Go",
        "Cart.cs:Cart.Run -> Rules/More.cs:More.Add",
        "Deep.cs:Deep.Run -> Rules/Email.cs:Email",
        "Deep.cs:Deep.Run -> Rules/Email.cs:Email.Go",
    }


def test_bug_a_class_that_a_header_only_announces_was_unknown() -> None:
    edges = linked(
        {
            "set.hpp": "namespace db { class Set { public: int last() { return 1; } }; }\n",
            "batch.hpp": "namespace db { class Batch { public: void clear() {} }; }\n",
            "other.hpp": "namespace zoo { class Batch { public: void clear() {} }; }\n",
            "base.hpp": "namespace db { class Batch; }\n",
            "db.hpp": '#include "base.hpp"\nnamespace db {\nclass Set;\nclass Db { void run(); Set* set_; Batch* batch_; };\n}\n',
            "db.cpp": '#include "db.hpp"\n#include "set.hpp"\nnamespace db { void Db::run() { set_->last(); batch_->clear(); } }\n',
        }
    ).edges(EdgeKind.CALLS)
    assert edges == {
        "db.cpp:Db.run -> set.hpp:Set.last",
        "db.cpp:Db.run -> batch.hpp:Batch.clear",
    }


def test_bug_what_a_variant_holds_was_unknown() -> None:
    edges = linked(
        {
            "Cargo.toml": "[package]\nname = 'shop'\n",
            "src/lib.rs": (
                "mod kinds;\nuse kinds::{Get, Set};\npub enum Command { Get(Get), Set(Set), Both(Get, Set) }\nimpl Command {\n"
                "  fn open(self) { use Command::*; match self { Get(cmd) => cmd.get(), Set(cmd) => cmd.set() } }\n"
                "  fn path(self) { match self { Command::Get(ref cmd) => cmd.get(), Self::Set(cmd) => cmd.set(), _ => () } }\n"
                "  fn one(&self) { if let Command::Set(row) = self { row.set(); } }\n}\n"
                "fn made() { let Command::Get(cmd) = next() else { return }; cmd.get(); }\n"
            ),
            "src/kinds.rs": "pub struct Get;\nimpl Get { pub fn get(self) {} }\npub struct Set;\nimpl Set { pub fn set(self) {} }\n",
        }
    ).edges(EdgeKind.CALLS)
    assert edges == {
        "src/lib.rs:Command.open -> src/kinds.rs:Get.get",
        "src/lib.rs:Command.open -> src/kinds.rs:Set.set",
        "src/lib.rs:Command.path -> src/kinds.rs:Get.get",
        "src/lib.rs:Command.path -> src/kinds.rs:Set.set",
        "src/lib.rs:Command.one -> src/kinds.rs:Set.set",
        "src/lib.rs:made -> src/kinds.rs:Get.get",
    }


def test_bug_variants_brought_by_a_star_from_an_enum_of_the_same_file_were_unknown() -> None:
    edges = linked(
        {
            "Cargo.toml": "[package]\nname = 'shop'\n",
            "src/lib.rs": (
                "use Function::*;\npub enum Function { Unary(u8), Nullary }\n"
                "pub fn get(n: u8) -> Function { if n > 0 { Unary(n) } else { Nullary } }\n"
                "mod inner { use super::*; pub fn one() -> Function { Unary(1) } }\n"
            ),
        }
    ).edges(EdgeKind.CALLS)
    assert edges == {
        "src/lib.rs:get -> src/lib.rs:Function.Unary",
        "src/lib.rs:one -> src/lib.rs:Function.Unary",
    }


def test_bug_functions_of_a_package_object_were_never_called() -> None:
    package = "package object json {\n  def read(s: String): Int = 1\n}\n"
    edges = linked(
        {
            "json/package.scala": package,
            "json/Own.scala": 'package json\nobject Own { def go() = read("x") }\n',
            "a/Whole.scala": 'package a\nobject Whole { def go() = json.read("x") }\n',
            "a/All.scala": 'package a\nimport json._\nobject All { def go() = read("x") }\n',
            "a/One.scala": 'package a\nimport json.read\nobject One { def go() = read("x") }\n',
            "a/Hidden.scala": "package a\nobject Hidden { def go(json: Reader) = json.read() }\n",
        }
    ).edges(EdgeKind.CALLS)
    assert {edge.partition(" -> ")[0] for edge in edges} == {
        "json/Own.scala:Own.go",
        "a/Whole.scala:Whole.go",
        "a/All.scala:All.go",
        "a/One.scala:One.go",
    }
    assert {edge.partition(" -> ")[2] for edge in edges} == {"json/package.scala:json.read"}


def test_bug_chains_of_kotlin_ended_at_a_function_that_gives_back_its_receiver() -> None:
    text = (
        "class Table { fun render() {} }\nclass Builder { fun create(): Table = Table()\n  fun set() {} }\n"
        "fun table(fill: Builder.() -> Unit) = Builder().apply(fill).create()\n"
        "fun one() { table { }.render() }\nfun two() { Builder().also { it.set() }.create().render() }\n"
    )
    edges = linked({"a.kt": text}).edges(EdgeKind.CALLS)
    assert {
        edge for edge in edges if "render" in edge or "create" in edge.partition(" -> ")[2]
    } == {
        "a.kt:table -> a.kt:Builder.create",
        "a.kt:one -> a.kt:Table.render",
        "a.kt:two -> a.kt:Builder.create",
        "a.kt:two -> a.kt:Table.render",
    }


def test_bug_functions_that_an_object_type_holds_were_never_called() -> None:
    edges = linked(
        {
            "queue.ts": "export type Queue<E> = {\n  add: (run: E) => void;\n  clear(): void;\n};\n",
            "use.ts": "import { Queue } from './queue';\nexport class Use {\n  queue: Queue<number>;\n  go() { this.queue.add(1); this.queue.clear(); }\n}\n",
        }
    ).edges(EdgeKind.CALLS)
    assert edges == {
        "use.ts:Use.go -> queue.ts:Queue.add",
        "use.ts:Use.go -> queue.ts:Queue.clear",
    }


def test_bug_attributes_of_csharp_did_not_lead_to_the_type_that_ends_with_attribute() -> None:
    found = linked(
        {
            "Marks.cs": (
                "namespace Marks;\nclass OptionAttribute : System.Attribute {}\n"
                "class Own : OptionAttribute {}\nclass Test {}\n"
            ),
            "Use.cs": (
                "using Marks;\nnamespace Shop;\nclass Cart {\n  public int Option { get; set; }\n"
                '  [Option("x")] void One() {}\n  [OptionAttribute] void Two() {}\n'
                "  [Own] void Three() {}\n  [Test] void Four() {}\n}\n"
            ),
        }
    )
    assert found.edges(EdgeKind.DECORATES) == {
        "Use.cs:Cart.One -> Marks.cs:OptionAttribute",
        "Use.cs:Cart.Two -> Marks.cs:OptionAttribute",
        "Use.cs:Cart.Three -> Marks.cs:Own",
    }


def test_bug_names_behind_a_module_of_swift_and_its_overloaded_functions_were_lost() -> None:
    found = linked(
        {
            "Package.swift": (
                'let package = Package(name: "Shop", targets: [\n'
                '  .target(name: "Shop", dependencies: [.product(name: "X", package: "y")], path: "Code"),\n'
                '  .target(name: "Till-Kit"),\n'
                '  .testTarget(name: "ShopTests", dependencies: [.target(name: "Shop")], path: "T")])\n'
            ),
            "Code/Shop.swift": (
                "func open(_ id: Int) -> Cart { Cart() }\nfunc open(_ id: String) -> Cart { Cart() }\n"
                "class Cart { func pay() {} }\n"
            ),
            "Sources/Till-Kit/Till.swift": "func close() {}\n",
            "T/Tests.swift": (
                "import Foundation\nimport Shop\nimport Till_Kit\n"
                'func one() { Shop.open("x").pay() }\nfunc two() { Till_Kit.close() }\n'
                "func three(cart: Shop.Cart) { cart.pay() }\nfunc four() { open(1) }\n"
                "func five() { Foundation.open(1) }\n"
            ),
        }
    )
    assert {each for each in calls(found) if not each.startswith("open")} == {
        "one -> open@2",
        "one -> Cart.pay@3",
        "two -> close@1",
        "three -> Cart.pay@3",
        "four -> open@1",
    }


def test_bug_chains_of_scala_that_begin_with_a_package_were_lost() -> None:
    found = linked(
        {
            "Run.scala": "package os\ncase class run(words: String) {\n  def call() = 1\n}\n",
            "Use.scala": (
                'package use\nobject Use {\n  def one = os.run("x").call()\n'
                '  def two = { val made = os.run("x"); made.call() }\n}\n'
            ),
        }
    )
    assert calls(found) == {
        f"Use.{name} -> {target}" for name in ("one", "two") for target in ("run@2", "run.call@3")
    }
