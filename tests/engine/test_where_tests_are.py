"""Tests that are blocks of a file, stand beside the code, or are run from a folder of their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from example_repository import engine_over, write

from sonde.answers.support import members

RUBY = {
    "app/suspend_service.rb": (
        "class SuspendService\n  def call(account)\n    unmerge(account)\n  end\n\n"
        "  def unmerge(account)\n    account.feed.clear\n  end\nend\n"
    ),
    "spec/suspend_service_spec.rb": (
        "RSpec.describe SuspendService do\n  it 'clears the feed' do\n"
        "    described_class.new.call(account)\n  end\nend\n"
    ),
    "spec/other_spec.rb": "RSpec.describe Other do\n  it { uses(SuspendService) }\nend\n",
}
RUST = {
    "src/lib.rs": """\
pub struct Jumps {
    list: Vec<usize>,
}

impl Jumps {
    pub fn push(&mut self, at: usize) {
        self.list.push(at);
    }

    pub fn forget(&mut self) {
        self.list.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_is_pushed() {
        let mut jumps = Jumps { list: vec![] };
        jumps.push(1);
    }
}
""",
}
ALBUM = "export class Album {\n  rename(name: string) {\n    return name;\n  }\n}\n"
ALBUM_SPEC = (
    "import { Album } from './album';\n\n"
    "describe('album', () => {\n  it('renames', () => new Album());\n});\n"
)


def test_a_spec_file_was_no_test_of_the_class_that_it_describes(tmp_path: Path) -> None:
    with engine_over(write(tmp_path / "work", RUBY), tmp_path / "cache") as engine:
        (card,) = engine.symbol("SuspendService").found
        assert [one.symbol.file for one in card.tests] == ["spec/suspend_service_spec.rb"]
        answer = engine.for_task("fix the crash in SuspendService.unmerge")
    (section,) = [each for each in answer.pack.sections if each.name == "tests"]
    assert section.lines == (
        "[module] suspend_service_spec spec/suspend_service_spec.rb:1 tests SuspendService",
    )


def test_a_spec_of_scripts_is_shown_for_files_and_methods(tmp_path: Path) -> None:
    files = {"src/album.ts": ALBUM, "src/album.spec.ts": ALBUM_SPEC}
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        for answer in (engine.for_files(["src/album.ts"]), engine.for_task("fix Album.rename")):
            assert "src/album.spec.ts:1" in answer.text
            assert "tests Album" in answer.text


def test_rust_tests_beside_the_code_were_not_seen(tmp_path: Path) -> None:
    with engine_over(write(tmp_path / "work", RUST), tmp_path / "cache") as engine:
        answer = engine.tests(files=["src/lib.rs"])
        assert [case.node for case in answer.tests] == ["keeps_what_is_pushed"]
        assert answer.commands == ("cargo test -- keeps_what_is_pushed",)
        assert "no test is known for Jumps.forget" in answer.unknown
        impact = engine.impact("Jumps.push")
        assert [row.symbol.name for row in impact.tests] == ["keeps_what_is_pushed"]
        assert impact.affected == ()
        pack = engine.for_task("fix the overflow in Jumps.push").pack
    shown = {each.name: (each.lines, each.items) for each in pack.sections}
    assert shown["tests"][0] == ("[function] keeps_what_is_pushed src/lib.rs:19 tests push",)
    assert "callers" not in shown


def test_the_runner_of_scripts_was_that_of_the_root_alone(tmp_path: Path) -> None:
    files = {
        "package.json": '{"name": "all"}\n',
        "server/package.json": (
            '{"scripts": {"test": "vitest --config test/vitest.mjs --coverage"},\n'
            ' "devDependencies": {"vitest": "3"}}\n'
        ),
        "server/src/album.ts": ALBUM,
        "server/src/album.spec.ts": ALBUM_SPEC,
        "web/package.json": '{"scripts": {"test": "jest && rm out"}, "dependencies": {"jest": 1}}',
        "web/src/album.ts": ALBUM,
        "web/src/album.spec.ts": ALBUM_SPEC,
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        answer = engine.tests(files=["server/src/album.ts", "web/src/album.ts"])
    assert answer.commands == (
        "(cd server && npx vitest run --config test/vitest.mjs src/album.spec.ts)",
        "(cd web && npx jest src/album.spec.ts)",
    )


GRADLE = {
    "gradlew": "#!/bin/sh\n",
    "settings.gradle.kts": 'include(":core", ":more:json")\n',
    "build.gradle.kts": "plugins {}\n",
    "core/build.gradle.kts": "plugins {}\n",
    "more/json/build.gradle.kts": "plugins {}\n",
    "core/src/main/java/a/Cart.kt": "package a\n\nclass Cart {\n  fun total() = 1\n}\n",
    "core/src/test/java/a/CartTest.java": (
        "package a;\n\nclass CartTest {\n  @Test void total() { new Cart().total(); }\n}\n"
    ),
    "core/src/test/java/a/Carts.kt": "package a\n\nobject Carts {\n  fun one() = Cart()\n}\n",
    "more/json/src/jvmTest/kotlin/a/CartTest.kt": (
        "package a\n\nclass CartTest {\n  @Test fun total() { Cart().total() }\n}\n"
    ),
}


def test_bug_gradle_was_told_to_look_for_a_test_in_every_project(tmp_path: Path) -> None:
    with engine_over(write(tmp_path / "work", GRADLE), tmp_path / "cache") as engine:
        answer = engine.tests(files=["core/src/main/java/a/Cart.kt"])
    assert [(case.node, case.file) for case in answer.tests] == [  # two tests of one name
        ("CartTest.total", "core/src/test/java/a/CartTest.java"),
        ("CartTest.total", "more/json/src/jvmTest/kotlin/a/CartTest.kt"),
    ]
    assert answer.commands == (
        "./gradlew :core:test --tests '*CartTest'",
        "./gradlew :more:json:jvmTest --tests '*CartTest'",
    )


def test_maven_runs_the_module_of_the_test(tmp_path: Path) -> None:
    files = {
        "pom.xml": "<project/>\n",
        "core/pom.xml": "<project/>\n",
        "core/src/main/java/a/Cart.java": "package a;\nclass Cart { int total() { return 1; } }\n",
        "core/src/test/java/a/CartTest.java": GRADLE["core/src/test/java/a/CartTest.java"],
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        answer = engine.tests(files=["core/src/main/java/a/Cart.java"])
    assert answer.commands == (
        "mvn test -pl core -am -Dsurefire.failIfNoSpecifiedTests=false -Dtest=CartTest",
    )


def test_bug_tests_of_scala_were_run_by_gradle_and_classes_in_them_did_not_count(
    tmp_path: Path,
) -> None:
    files = {
        "build.sbt": "lazy val core = project\n",
        "core/src/main/scala/a/Base.scala": "package a\n\ntrait Base {\n  def get(x: Int) = x\n}\n",
        "core/src/test/scala/a/BaseSpec.scala": (
            "package a\n\nclass Servlet extends Base\n\n"
            "class BaseSpec extends Suite {\n  mount(classOf[Servlet])\n}\n"
        ),
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        answer = engine.tests(files=["core/src/main/scala/a/Base.scala"])
    assert answer.files == ("core/src/test/scala/a/BaseSpec.scala",)
    assert answer.commands == ("sbt 'testOnly *BaseSpec'",)


def test_bug_no_test_of_cpp_was_ever_named(tmp_path: Path) -> None:
    files = {
        "include/cart.h": "#pragma once\nclass Cart {\n public:\n  int total(int n);\n};\n",
        "src/cart.cpp": '#include "cart.h"\nint Cart::total(int n) { return n; }\n',
        "tests/cart_test.cpp": (
            '#include "cart.h"\nTEST_CASE("totals are kept") {\n  Cart cart;\n  cart.total(1);\n}\n'
        ),
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        for changed in ("src/cart.cpp", "include/cart.h"):
            answer = engine.tests(files=[changed])
            assert [case.node for case in answer.tests] == ["totals are kept"]
    assert "no command is known that runs the tests in cpp here" in answer.unknown


def test_bug_the_command_for_many_tests_of_dotnet_left_some_out(tmp_path: Path) -> None:
    tests = "".join(f"    [Fact] public void T{n}() {{ new Cart().Total(); }}\n" for n in range(40))
    files = {
        "Cart.cs": "namespace A;\npublic class Cart { public int Total() { return 1; } }\n",
        "tests/CartTests.cs": f"namespace A;\npublic class CartTests {{\n{tests}}}\n",
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        answer = engine.tests(files=["Cart.cs"])
    assert len(answer.tests) == 40
    assert answer.commands == ("dotnet test --filter 'FullyQualifiedName~CartTests'",)


def test_swift_packages_have_a_command_and_helpers_of_specs_are_not_run(tmp_path: Path) -> None:
    files = {
        "Package.swift": "// swift-tools-version:5.9\n",
        "Sources/Cart/Cart.swift": "struct Cart {\n  func total() -> Int { 1 }\n}\n",
        "Tests/CartTests/CartTests.swift": (
            "final class CartTests: XCTestCase {\n  func testTotal() { _ = Cart().total() }\n}\n"
        ),
        "lib/cart.rb": "class Cart\n  def total\n    1\n  end\nend\n",
        "spec/cart_spec.rb": 'require "cart"\n\ndescribe Cart do\n  it { Cart.new.total }\nend\n',
        "spec/support/carts.rb": 'require "cart"\n\nFULL = Cart.new.total\n',
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        swift = engine.tests(files=["Sources/Cart/Cart.swift"])
        ruby = engine.tests(files=["lib/cart.rb"])
    assert swift.commands == ("swift test --filter CartTests/testTotal",)
    assert ruby.commands == ("bundle exec rspec spec/cart_spec.rb",)


def test_bug_tests_that_create_a_double_did_not_cover_what_it_calls(tmp_path: Path) -> None:
    files = {
        "Package.swift": "// swift-tools-version:5.9\n",
        "Sources/Cart/Data.swift": "public struct Data {\n  public init() {}\n}\n",
        "Tests/CartTests/CartTests.swift": (
            "import Testing\n@Suite struct CartTests {\n"
            "  @Test func total() { use(FakeStore()) }\n  @Test func other() { use(1) }\n}\n"
            "actor FakeStore: Store {\n  func read() -> Data { return Data() }\n}\n"
        ),
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        answer = engine.tests(files=["Sources/Cart/Data.swift"])
    assert [(case.node, case.reason) for case in answer.tests] == [
        ("CartTests.total", "reaches the change through FakeStore.read")
    ]
    assert answer.commands == ("swift test --filter CartTests/total",)


def test_bug_a_diff_of_one_method_missed_the_spec_of_its_class(tmp_path: Path) -> None:
    files = {
        "app/jobs/page_job.rb": "class PageJob < Job\n  def perform\n    1\n  end\nend\n",
        "spec/jobs/page_job_spec.rb": (
            "RSpec.describe PageJob do\n  it { PageJob.perform_now }\nend\n"
        ),
    }
    patch = (
        "--- a/app/jobs/page_job.rb\n+++ b/app/jobs/page_job.rb\n@@ -2,3 +2,3 @@\n"
        "   def perform\n-    0\n+    1\n   end\n"
    )
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        answer = engine.tests(diff=patch)
    assert [(case.node, case.reason) for case in answer.tests] == [
        ("spec/jobs/page_job_spec.rb", "tests PageJob")
    ]


def test_a_helper_of_tests_was_shown_before_the_test_of_that_name(tmp_path):
    files = {
        "gate.py": "def open_gate(width):\n    return width\n",
        "tests/test_all.py": "from gate import open_gate\n\n"
        "def made():\n    return open_gate(1)\n\n"
        "def test_weather():\n    assert open_gate(2)\n\n"
        "def test_gate_opens():\n    assert open_gate(3)\n",
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        pack = engine.for_task("write tests for `open_gate`").pack
    (names,) = [[each.symbol.name for each in s.items] for s in pack.sections if s.name == "tests"]
    assert names[0] == "test_gate_opens"
    assert names[1:] in (["test_weather"], ["test_weather", "made"])


def test_tests_of_a_macro_were_members_of_the_type_they_name(tmp_path):
    files = {
        "src/gate.h": "struct Gate {\n  bool Open();\n};\n",
        "src/gate_test.cc": '#include "gate.h"\nTEST(Gate, Opens) {\n  Gate().Open();\n}\n',
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        (card,) = [one for one in engine.symbol("Gate").found if one.record.file == "src/gate.h"]
        found = engine.ask(lambda state: members(state.view, card.record, {}))
    assert [member.qualname for member in found] == ["Gate.Open"]


def test_bug_a_file_that_declares_tests_for_others_was_run_as_a_test(tmp_path: Path) -> None:
    files = {
        "package.json": '{"devDependencies": {"vitest": "1"}}\n',
        "src/cart.ts": "export function total(): number {\n  return 1;\n}\n",
        "test/utils.ts": (
            "import { total } from '../src/cart';\n\n"
            "export function testAll(): void {\n  it('adds', () => total());\n}\n"
        ),
        "test/cart.ts": (
            "import { total } from '../src/cart';\n\ndescribe('cart', () => {\n  total();\n});\n"
        ),
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        answer = engine.tests(files=["src/cart.ts"])
    assert answer.commands == ("npx vitest run test/cart.ts",)


def test_bug_go_was_told_to_run_benchmarks_as_tests_and_modules_from_outside(
    tmp_path: Path,
) -> None:
    head = 'package cart\n\nimport "testing"\n\n'
    many = "".join(f"func TestTotal{n}(t *testing.T) {{\n\tTotal()\n}}\n\n" for n in range(31))
    files = {
        "go.mod": "module example.org/shop\n",
        "tools/go.mod": "module example.org/tools\n",
        "tools/cart/cart.go": "package cart\n\nfunc Total() int {\n\treturn 1\n}\n",
        "tools/cart/cart_test.go": (
            f"{head}func TestTotal(t *testing.T) {{\n\tTotal()\n}}\n\n"
            "func BenchmarkTotal(b *testing.B) {\n\tTotal()\n}\n"
        ),
        "slow/cart.go": "package cart\n\nfunc Total() int {\n\treturn 1\n}\n",
        "slow/cart_test.go": f"{head}func BenchmarkTotal(b *testing.B) {{\n\tTotal()\n}}\n",
        "many/cart.go": "package cart\n\nfunc Total() int {\n\treturn 1\n}\n",
        "many/cart_test.go": head + many,
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        answer = engine.tests(files=["tools/cart/cart.go", "slow/cart.go", "many/cart.go"])
    assert answer.commands == (
        "go test ./many",
        "go test ./slow -run '^$' -bench '^(BenchmarkTotal)$'",
        "(cd tools && go test ./cart -run '^(TestTotal)$')",
    )


def test_bug_crates_of_a_workspace_were_tested_from_its_root(tmp_path: Path) -> None:
    crate = "pub fn total() -> u8 {\n    1\n}\n\n#[test]\nfn totals() {\n    total();\n}\n"
    files = {
        "Cargo.toml": '[workspace]\nmembers = ["cart"]\n',
        "cart/Cargo.toml": '[package]\nname = "cart"\n',
        "cart/src/lib.rs": crate,
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        answer = engine.tests(files=["cart/src/lib.rs"])
    assert answer.commands == ("(cd cart && cargo test -- totals)",)


CART_TEST = (
    "require 'cart'\n\nclass CartTest < Minitest::Test\n"
    "  def test_total\n    Cart.new.total\n  end\nend\n"
)


def test_bug_tests_of_ruby_were_run_without_the_code_they_load(tmp_path: Path) -> None:
    cart = "class Cart\n  def total\n    1\n  end\nend\n"
    files = {
        "Gemfile": "gem 'minitest'\n",
        "lib/cart.rb": cart,
        "test/cart_test.rb": CART_TEST,
        "site/Gemfile": "gem 'rails'\n",
        "site/bin/rails": "#!/usr/bin/env ruby\n",
        "site/app/basket.rb": cart.replace("Cart", "Basket"),
        "site/test/basket_test.rb": CART_TEST.replace("Cart", "Basket"),
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        answer = engine.tests(files=["lib/cart.rb", "site/app/basket.rb"])
    assert answer.commands == (
        "bundle exec ruby -Ilib:test test/cart_test.rb",
        "(cd site && bin/rails test test/basket_test.rb)",
    )


@pytest.mark.parametrize(
    ("script", "packages", "command"),
    [
        (
            "xo && node --import=tsx/esm --test test/*.ts && tsc",
            "",
            "node --import=tsx/esm --test F",
        ),
        ("node --test --require ./set-up.js", "", "node --test --require ./set-up.js F"),
        ("bun test", "", "bun test F"),
        ("ava --verbose", '"ava": "6"', "npx ava --verbose F"),
        (
            "mocha --require test/support/env --reporter spec --check-leaks test/ test/more/",
            '"mocha": "10"',
            "npx mocha --require test/support/env --reporter spec --check-leaks F",
        ),
        ("tsc && mocha -r ts-node/register 'src/**/*.ts'", "", "npx mocha -r ts-node/register F"),
        (
            "cross-env NODE_OPTIONS=--experimental-vm-modules jest --ci src",
            '"vitest": "1"',
            "NODE_OPTIONS=--experimental-vm-modules npx jest --ci F",
        ),
        ("make check", "", "npm test"),
        ('echo \\"Error: no test specified\\" && exit 1', "", ""),
    ],
)
def test_bug_scripts_were_run_by_jest_whatever_the_project_uses(
    tmp_path: Path, script: str, packages: str, command: str
) -> None:
    files = {
        "package.json": f'{{"scripts": {{"test": "{script}"}}, "devDependencies": {{{packages}}}}}',
        "src/album.ts": ALBUM,
        "src/album.spec.ts": ALBUM_SPEC,
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        answer = engine.tests(files=["src/album.ts"])
    expected = (command.replace("F", "src/album.spec.ts"),) if command else ()
    assert answer.commands == expected
    unknown = "no command is known that runs the tests in typescript here"
    assert (unknown in answer.unknown) is not bool(command)


MILL_TEST = "package a\n\nobject BaseTests extends TestSuite {\n  Base.get(1)\n}\n"


@pytest.mark.parametrize(
    ("build", "test", "command"),
    [
        (
            {"build.sc": "object core extends JavaModule {\n  object test extends JavaTests\n}\n"},
            "core/test/src/a/BaseTests.scala",
            "mill core.test.testOnly '*BaseTests'",
        ),
        (
            {
                "build.mill": "object core extends Cross[Core](versions)\n"
                "trait Core extends CrossSbtModule {\n  object test extends CrossSbtTests\n}\n",
                "mill": "#!/usr/bin/env sh\nexec mill\n",
            },
            "core/src/test/scala/a/BaseTests.scala",
            "./mill 'core[__].test.testOnly' '*BaseTests'",
        ),
        (
            {
                "site/build.mill.yaml": "extends: ScalaModule\n",
                "site/test/package.mill.yaml": "extends: [build.ScalaTests, TestModule.Utest]\n",
            },
            "site/test/src/a/BaseTests.scala",
            "(cd site && mill test.testOnly '*BaseTests')",
        ),
        (
            {"build.sc": "object core extends JavaModule {\n  object unit extends JavaTests\n}\n"},
            "core/test/src/a/BaseTests.scala",
            "mill __.test",
        ),
    ],
    ids=["of its folder", "built several times", "with build files of its own", "of another name"],
)
def test_bug_tests_that_mill_builds_were_run_by_another_tool(
    tmp_path: Path, build: dict[str, str], test: str, command: str
) -> None:
    files = {
        "build.sbt": "lazy val site = project\n",
        "core/src/a/Base.scala": "package a\n\nobject Base {\n  def get(x: Int) = x\n}\n",
        test: MILL_TEST,
        **build,
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        answer = engine.tests(files=["core/src/a/Base.scala"])
    assert answer.files == (test,)
    assert answer.commands == (command,)


CPP_TESTS = (
    '#include "cart.h"\nTEST(CartTest, Totals) {\n  Cart cart;\n  cart.total(1);\n}\n'
    'TEST_CASE("totals (all) are kept") {\n  Cart cart;\n  cart.total(2);\n}\n'
)
CTEST = "ctest --test-dir build --output-on-failure"
BUILT = "cmake -S . -B build && cmake --build build &&"


@pytest.mark.parametrize(
    ("lists", "command"),
    [
        (
            {
                "CMakeLists.txt": "project(cart)\nenable_testing()\nadd_subdirectory(tests)\n",
                "tests/CMakeLists.txt": "gtest_discover_tests(cart_test)\n",
            },
            rf"{BUILT} {CTEST} -R 'CartTest\.Totals|totals \(all\) are kept'",
        ),
        (
            {"CMakeLists.txt": "project(cart)\ninclude( CTest )\nadd_test(NAME all COMMAND t)\n"},
            f"{BUILT} {CTEST}",
        ),
        (
            {
                "CMakeLists.txt": "project(cart)\nadd_subdirectory(tests)\n",
                "tests/CMakeLists.txt": "enable_testing()\nadd_test(NAME all COMMAND t)\n",
            },
            f"{BUILT} ctest --test-dir build/tests --output-on-failure",
        ),
        ({"CMakeLists.txt": "project(cart)\n# enable_testing()\n"}, ""),
    ],
    ids=["asked for their names", "one for all", "enabled below the root", "not enabled"],
)
@pytest.mark.parametrize("folder", ["", "native"])
def test_projects_of_cmake_are_built_and_tested_by_ctest(
    tmp_path: Path, lists: dict[str, str], command: str, folder: str
) -> None:
    files = {
        "src/cart.h": "class Cart {\n public:\n  int total(int n) { return n; }\n};\n",
        "tests/cart_test.cpp": CPP_TESTS.replace("cart.h", "../src/cart.h"),
        **lists,
    }
    start = f"{folder}/" if folder else ""
    placed = {start + path: text for path, text in files.items()}
    with engine_over(write(tmp_path / "work", placed), tmp_path / "cache") as engine:
        answer = engine.tests(files=[f"{start}src/cart.h"])
    in_folder = f"({f'cd {folder} && '}{command})" if folder else command
    assert answer.commands == ((in_folder,) if command else ())


def test_bug_the_list_of_what_no_test_covers_had_switches_and_names_twice(tmp_path: Path) -> None:
    header = (
        "#ifndef CART_H_\n#define CART_H_\n#define TWICE(x) ((x) + (x))\n"
        "int total(int n);\nint total(char n);\n#endif\n"
    )
    with engine_over(write(tmp_path / "work", {"cart.hpp": header}), tmp_path / "cache") as engine:
        answer = engine.tests(files=["cart.hpp"])
    assert "no test is known for TWICE, total" in answer.unknown
