"""Files, patches and ranges of commits: their context, and the tests to run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from example_repository import EXAMPLE, engine_over, git, write

from sonde.answers.reasons import tie_words
from sonde.answers.results import Answer, Refusal
from sonde.engine import Engine
from sonde.model import EdgeKind

PATCH = """\
diff --git a/app/url.py b/app/url.py
--- a/app/url.py
+++ b/app/url.py
@@ -6,2 +6,2 @@ def normalise_url(url: str) -> str:
     scheme, _, rest = url.partition("://")
-    return f"{scheme.lower()}://{rest}"
+    return f"{scheme.upper()}://{rest}"
"""


PATCH_OF_KEY = """\
--- a/cache.py
+++ b/cache.py
@@ -2 +2 @@
-    return name
+    return name + "?"
"""


def commit_twice(root: Path) -> None:
    """The second commit changes `normalise_url` and adds a picture."""
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-qm", "first")
    changed = EXAMPLE["app/url.py"].replace("scheme.lower()", "scheme.upper()")
    write(root, {"app/url.py": changed, "logo.png": b"\x89PNG\x00\x01"})
    git(root, "add", ".")
    git(root, "commit", "-qm", "second")
    git(root, "branch", "side", "HEAD~1")


@pytest.fixture(scope="module")
def committed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine over two commits that no test changes."""
    root = write(tmp_path_factory.mktemp("committed"), EXAMPLE)
    commit_twice(root)
    with engine_over(root, tmp_path_factory.mktemp("cache")) as opened:
        yield opened


def changed_names(answer: Answer) -> list[str]:
    return [
        item.symbol.qualname
        for section in answer.pack.sections
        for item in section.items
        if item.reason.startswith("changed")
    ]


def test_a_range_shows_the_changed_symbol_its_callers_and_notes(committed):
    answer = committed.for_pr(range="HEAD~1..HEAD")
    assert changed_names(answer) == ["normalise_url"]
    assert "DatabaseClient.connect" in answer.text
    assert any("binary" in note and "logo.png" in note for note in answer.notes)


def test_a_range_with_three_dots_starts_where_the_branches_part(committed):
    assert changed_names(committed.for_pr(range="side...HEAD")) == ["normalise_url"]


def test_renames_are_followed(engine, repository):
    commit_twice(repository)
    git(repository, "mv", "app/report.py", "app/printing.py")
    git(repository, "commit", "-qm", "rename")
    answer = engine.for_pr(range="HEAD~2..HEAD")
    assert "renamed: app/report.py to app/printing.py" in answer.notes


def test_one_path_is_not_taken_for_its_letters_and_may_be_a_path_object(shared):
    text = shared.for_files(["app/client.py"]).text
    for path in ("app/client.py", Path("app/client.py"), shared.root / "app/client.py"):
        assert shared.for_files(path).text == text
        assert shared.for_files([path]).text == text
    assert shared.chunks(Path("app/url.py")) == shared.chunks(["app/url.py"])
    assert shared.tests(files="app/report.py") == shared.tests(files=["app/report.py"])


MANY = {
    f"lib/part{n:02}.py": f"def part_{n:02}(x):\n    return x + {n}\n\n\n"
    f"def use_{n:02}(x):\n    return part_{n:02}(x)\n"
    for n in range(30)
}


def test_bug_a_review_of_many_files_showed_four_of_them(engine, repository):
    write(repository, MANY)
    commit_twice(repository)
    write(repository, {path: text.replace("x +", "x -") for path, text in MANY.items()})
    git(repository, "commit", "-qam", "all of them")
    answer = engine.for_pr(range="HEAD~1..HEAD")
    assert changed_names(answer) == [f"part_{n:02}" for n in range(30)]
    assert all(f"return x - {n}\n" in answer.text for n in range(30))
    assert len(changed_names(engine.for_pr(range="HEAD~1..HEAD", budget=1000))) > 10


def test_bug_work_on_many_files_showed_four_of_them(engine, repository):
    write(repository, MANY)
    answer = engine.for_files(list(MANY))
    shown = {item.symbol.qualname for each in answer.pack.sections for item in each.items}
    assert shown >= {f"{kind}_{n:02}" for n in range(30) for kind in ("part", "use")}


def test_a_review_shows_the_tests_that_reach_the_change_through_others(committed):
    answer = committed.for_pr(range="HEAD~1..HEAD")
    (tests,) = (each for each in answer.pack.sections if each.name == "tests")
    assert [(item.symbol.qualname, item.reason) for item in tests.items] == [
        ("test_connect_opens", "reaches the change through DatabaseClient.connect")
    ]


def test_bug_a_pure_rename_got_an_empty_pack(engine, repository):
    commit_twice(repository)
    git(repository, "mv", "app/report.py", "app/printing.py")
    git(repository, "commit", "-qm", "rename")
    answer = engine.for_pr(range="HEAD~1..HEAD")
    assert isinstance(answer, Refusal)
    assert answer.message == (
        "the diff changes no line of app/printing.py (renamed: app/report.py to app/printing.py)"
    )


@pytest.mark.parametrize(
    ("commits", "said"),
    [
        ("nowhere..HEAD", "there is no commit, branch or tag 'nowhere'"),
        ("--output=/x..HEAD", "not the name of a commit"),
        ("HEAD..HEAD", "changes nothing: both sides are equal; give what is not committed as a"),
        ("", "not a range of commits"),
        ("a b..c", "not the name of a commit"),
    ],
)
def test_ranges_that_mean_nothing_are_refused(committed, commits, said):
    answer = committed.for_pr(range=commits)
    assert isinstance(answer, Refusal)
    assert said in answer.message
    assert "\n" not in answer.message


def returning_2(path: str, line: int) -> str:
    """A patch of one line."""
    return (
        f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -{line} +{line} @@\n"
        "-    return 1\n+    return 2\n"
    )


def test_a_call_that_is_not_resolved_was_given_as_the_reason_of_a_neighbour(tmp_path):
    files = {
        "cart.py": "class Cart:\n    def check_out(self):\n        pass\n",
        "use.py": "def pay(it):\n    it.check_out()\n    return 1\n",
    }
    root = write(tmp_path / "work", files)
    patch = returning_2("use.py", line=3)
    with engine_over(root, tmp_path / "cache") as engine:
        answer = engine.for_pr(patch=patch)
    reasons = {i.symbol.qualname: i.reason for s in answer.pack.sections for i in s.items}
    assert reasons["Cart.check_out"] == "near the change"


def test_a_test_that_uses_the_change_came_after_those_that_reach_it_through_others(tmp_path):
    files = {
        "price.py": "def price():\n    return 1\n\n\ndef total():\n    return price()\n",
        "test_a.py": "from price import total\n\n\ndef test_total():\n    total()\n",
        "test_b.py": "from price import price\n\n\ndef test_price():\n    price()\n",
    }
    root = write(tmp_path / "work", files)
    patch = returning_2("price.py", line=2)
    with engine_over(root, tmp_path / "cache") as engine:
        tests = engine.tests(diff=patch).tests
    assert [(test.file, test.confidence) for test in tests] == [
        ("test_b.py", 0.95),
        ("test_a.py", 0.95),
    ]


def test_a_folder_without_git_is_told(engine):
    said = engine.for_pr(range="a..b").message
    assert "is not in a git repository: give files or a diff" in said


def test_programs_of_the_repository_never_run(engine, repository, tmp_path):
    commit_twice(repository)
    trap = tmp_path / "trap.sh"
    trap.write_text(f'#!/bin/sh\ntouch {tmp_path}/sprung\ncat "$1" 2>/dev/null\n')
    trap.chmod(0o755)
    for key in (
        "core.fsmonitor",
        "diff.external",
        "core.pager",
        "core.sshCommand",
        "diff.trap.textconv",
        "diff.trap.command",
        "filter.trap.clean",
        "filter.trap.smudge",
    ):
        git(repository, "config", key, str(trap))
    git(repository, "config", "core.hooksPath", str(tmp_path))
    write(repository, {".git/info/attributes": "* diff=trap filter=trap\n"})
    write(repository, {".gitignore": "url.py\n", "app/more.py": "def more(): ...\n"})
    assert isinstance(engine.for_pr(range="HEAD~1..HEAD"), Answer)
    assert engine.symbol("normalise_url").found  # git was asked whether it tracks the file
    assert not (tmp_path / "sprung").exists()


def test_a_patch_not_yet_applied_is_placed_by_its_old_lines(shared):
    answer = shared.for_pr(patch=PATCH)
    assert changed_names(answer) == ["normalise_url"]
    assert answer.notes == ()


def test_a_patch_that_fits_neither_way_is_marked(shared):
    answer = shared.for_pr(patch=PATCH.replace("scheme.", "elsewhere."))
    assert any("lines may be off" in note for note in answer.notes)


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        ("", "the patch is empty"),
        ("hello", "no unified diff"),
        ("\x00\x01garbage", "no unified diff"),
        (PATCH.replace("app/url.py", "nowhere.py"), "no file of the diff is in the index"),
        (PATCH.replace("app/url.py", "../../etc/passwd"), "outside the workspace"),
    ],
)
def test_patches_that_mean_nothing_are_refused(shared, patch, said):
    answer = shared.for_pr(patch=patch)
    assert isinstance(answer, Refusal)
    assert said in answer.message


def test_a_range_and_a_patch_together_are_refused(shared):
    assert "either" in shared.for_pr().message
    assert "either" in shared.for_pr(range="a..b", patch=PATCH).message


def test_files_show_their_symbols_and_who_calls_them(shared):
    answer = shared.for_files(["app/url.py"])
    assert "normalise_url" in answer.text
    assert "DatabaseClient.connect" in answer.text
    assert "render_table" not in answer.text


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("../outside.py", "outside the workspace"),
        ("/etc/passwd", "outside the workspace"),
        ("client.py", "did you mean app/client.py?"),
        ("app", "is a folder"),
        ("nowhere.py", "no indexed file"),
        ("", "empty path"),
        ("x" * 300, "there is no indexed file"),
        ("l\udcff.py", "not valid UTF-8"),
        ("a\0b", "names no file"),
    ],
)
def test_unknown_files_are_refused(shared, path, said):
    for answer in (shared.for_files([path]), shared.tests(files=[path])):
        assert isinstance(answer, Refusal)
        assert said in answer.message


def test_absolute_paths_below_the_root_are_taken(shared):
    assert isinstance(shared.for_files([str(shared.root / "app/url.py")]), Answer)


def test_a_link_out_of_the_root_is_refused(engine, repository, tmp_path):
    (tmp_path / "secret.py").write_text("KEY = 1\n")
    (repository / "app/link.py").symlink_to(tmp_path / "secret.py")
    assert isinstance(engine.for_files(["app/link.py"]), Refusal)


def test_tests_of_a_file_by_calls_with_a_ready_command(shared):
    answer = shared.tests(files=["app/url.py"])
    assert answer.commands == ("pytest tests/test_client.py::test_connect_opens",)
    (case,) = answer.tests
    assert case.reason == "reaches the change through DatabaseClient.connect"
    assert 0.0 < case.confidence < 1.0
    assert "no test is known for split_host" in answer.unknown


def test_methods_of_test_classes_are_addressed_as_pytest_does(shared):
    nodes = {case.node for case in shared.tests(files=["app/client.py"]).tests}
    assert "tests/test_client.py::TestUrl::test_scheme" in nodes


def test_tests_of_a_patch_and_of_a_range(committed):
    for diff in (PATCH, "HEAD~1..HEAD"):
        assert committed.tests(diff=diff).files == ("tests/test_client.py",)


def test_a_changed_test_runs_itself(shared):
    answer = shared.tests(files=["tests/test_report.py"])
    assert [(case.node, case.reason) for case in answer.tests] == [
        ("tests/test_report.py::test_render_table", "changed itself")
    ]


def test_what_cannot_be_known_is_said(shared):
    answer = shared.tests(files=["app/session.py"])
    assert answer.tests == ()
    assert answer.commands == ()
    assert any("run the whole suite by `pytest`" in line for line in answer.unknown)


@pytest.mark.parametrize(
    ("build", "command"),
    [
        ({"Makefile": "test:\n\ttox\n"}, "make test"),
        ({"web/package.json": '{"scripts": {"test": "jest"}}'}, "(cd web && npm test)"),
        ({"web/package.json": "{}", "pyproject.toml": "[tool.pytest]\n"}, ""),
        ({"go.mod": "module a\n", "package.json": '{"scripts": {"test": "x"}}'}, "npm test"),
    ],
)
def test_the_whole_suite_is_run_by_the_command_of_the_project(tmp_path, build, command):
    files = {"web/cart.ts": "export function pay() { return 1; }\n", **build}
    with engine_over(write(tmp_path / "repo", files), tmp_path / "cache") as engine:
        answer = engine.tests(files=["web/cart.ts"])
    told = "no test is known to reach the change: run the whole suite"
    assert (f"{told} by `{command}`" if command else told) in answer.unknown


def test_go_and_jest_get_their_own_commands(tmp_path):
    files = {
        "go.mod": "module example.org/shop\n",
        "cart/cart.go": "package cart\n\nfunc Total(n int) int {\n\treturn n\n}\n",
        "cart/cart_test.go": (
            'package cart\n\nimport "testing"\n\n'
            "func TestTotal(t *testing.T) {\n\tif Total(1) != 1 {\n\t\tt.Fail()\n\t}\n}\n"
        ),
        "package.json": '{"devDependencies": {"jest": "29"}}\n',
        "web/sum.js": "export function sum(a, b) {\n  return a + b;\n}\n",
        "web/sum.test.js": (
            "import { sum } from './sum';\n\n"
            "test('adds', () => {\n  expect(sum(1, 2)).toBe(3);\n});\n"
        ),
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        assert engine.tests(files=["cart/cart.go"]).commands == (
            "go test ./cart -run '^(TestTotal)$'",
        )
        assert engine.tests(files=["web/sum.js"]).commands == ("npx jest web/sum.test.js",)


RUNNABLE = {
    "lib.py": "def make():\n    return 1\n",
    "tests/conftest.py": "from lib import make\n\n\ndef test_apps():\n    return make()\n",
    "tests/apps/broken.py": "from lib import make\n\nmake()\nraise ImportError\n",
    "tests/helpers.py": "from lib import make\n\n\ndef made():\n    return make()\n",
    "tests/test_lib.py": """\
from lib import make
from tests.helpers import made


def test_make():
    def testcmd():
        return make()

    assert make() == testcmd()


class test_Case:
    def test_made(self):
        assert made() == make()
""",
}


def test_bug_the_ready_command_named_files_and_functions_that_no_runner_runs(tmp_path):
    with engine_over(write(tmp_path / "work", RUNNABLE), tmp_path / "cache") as engine:
        answer = engine.tests(files=["lib.py"])
        assert answer.commands == (
            "pytest tests/test_lib.py::test_Case::test_made tests/test_lib.py::test_make",
        )
        assert "which tests rest on what tests/conftest.py sets up" in answer.unknown
        helped = engine.tests(files=["tests/helpers.py"])
        assert helped.commands == ("pytest tests/test_lib.py::test_Case::test_made",)
        prepared = engine.tests(files=["tests/conftest.py"])
        assert prepared.commands == ()
        assert "which tests rest on what tests/conftest.py sets up" in prepared.unknown


def test_a_script_that_helps_tests_is_not_run_as_one(tmp_path):
    files = {
        "package.json": '{"devDependencies": {"mocha": "10"}}\n',
        "web/sum.js": "export function sum(a, b) {\n  return a + b;\n}\n",
        "test/help.js": "import { sum } from '../web/sum';\n\nexport const two = sum(1, 1);\n",
        "test/sum.js": (
            "import { sum } from '../web/sum';\n\n"
            "describe('sum', () => {\n  it('adds', () => sum(1, 2));\n});\n"
        ),
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        assert engine.tests(files=["web/sum.js"]).commands == ("npx mocha test/sum.js",)


def test_a_new_class_was_said_to_change_only_in_the_lines_outside_its_methods(
    tmp_path: Path,
) -> None:
    root = write(tmp_path / "work", {"cart.py": "LIMIT = 3\n"})
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "one")
    body = "".join(f"        self.a{number} = {number}\n" for number in range(9))
    write(root, {"cart.py": f"LIMIT = 3\n\n\nclass Cart:\n    def fill(self):\n{body}"})
    git(root, "commit", "-qam", "two")
    with engine_over(root, tmp_path / "cache") as engine:
        answer = engine.for_pr(range="HEAD~1..HEAD")
    items = [item for section in answer.pack.sections for item in section.items]
    assert {item.symbol.name: item.reason for item in items}["Cart"] == "changed in 11 lines"


def test_a_review_began_with_the_changelog_and_what_that_speaks_of(tmp_path: Path) -> None:
    files = {
        "CHANGELOG.md": "# Changes\n\n- `backup` keeps files\n",
        "tools.py": "def backup():\n    return 1\n",
        "cart.py": "def fill():\n    return 1\n",
        "test_cart.py": "from cart import fill\n\n\ndef test_fill():\n    assert fill() == 1\n",
    }
    root = write(tmp_path / "work", files)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "one")
    changed = {name: files[name].replace("1", "2") for name in ("cart.py", "test_cart.py")}
    write(root, {**changed, "CHANGELOG.md": files["CHANGELOG.md"] + "- more\n- and more\n"})
    git(root, "commit", "-qam", "two")
    with engine_over(root, tmp_path / "cache") as engine:
        pack = engine.for_pr(range="HEAD~1..HEAD").pack
    shown = sorted((i for s in pack.sections for i in s.items), key=lambda item: -item.score)
    assert [item.symbol.name for item in shown] == ["fill", "test_fill", "CHANGELOG"]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (EdgeKind.TYPE_HINT_OF, "named as a type by pay"),
        (EdgeKind.ACCESSES_FIELD, "field used by pay"),
        (EdgeKind.CALLS, "called by pay"),
        (EdgeKind.DECORATES, "decorates pay"),
        (EdgeKind.CO_TESTED_WITH, "tested together with pay"),
    ],
)
def test_a_reason_read_which_names_the_type_it(kind: EdgeKind, words: str) -> None:
    assert tie_words(kind, "pay", forward=False) == words


def test_bug_a_new_method_below_its_comment_was_shown_as_its_whole_class(tmp_path: Path) -> None:
    old = (
        "class Cart {\n" + "".join(f"    int a{n}() {{ return {n}; }}\n" for n in range(40)) + "}\n"
    )
    added = "\n    /**\n     * What it costs.\n     */\n    @Pure\n    int total() { return 1; }\n"
    new = old.replace("    int a20()", added.lstrip("\n") + "\n    int a20()")
    root = write(tmp_path / "work", {"Cart.java": old})
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "one")
    (root / "Cart.java").write_text(new)
    git(root, "commit", "-q", "-am", "two")
    with engine_over(root, tmp_path / "cache") as engine:
        pack = engine.for_pr(range="HEAD~1..HEAD").pack
    shown = [item for section in pack.sections for item in section.items]
    assert [item.symbol.qualname for item in shown if "changed" in item.reason] == ["Cart.total"]


def test_bug_a_changed_line_of_a_constructor_changed_only_the_attribute_that_it_sets(
    tmp_path: Path,
) -> None:
    files = {
        "cart.py": (
            "class Cart:\n    def __init__(self, limit):\n        # at least one\n"
            "        self.limit = limit\n        self.rows = []\n"
        ),
        "test_cart.py": "from cart import Cart\n\n\ndef test_new():\n    assert Cart(3)\n",
    }
    root = write(tmp_path / "work", files)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "one")
    changed = files["cart.py"].replace("one\n", "three\n").replace("= limit", "= max(limit, 3)")
    write(root, {"cart.py": changed})
    git(root, "commit", "-qam", "two")
    with engine_over(root, tmp_path / "cache") as engine:
        answer = engine.for_pr(range="HEAD~1..HEAD")
        tests = engine.tests(diff="HEAD~1..HEAD").tests
    assert changed_names(answer) == ["Cart.__init__"]
    assert "changed in 2 lines" in answer.text
    assert [test.node for test in tests] == ["test_cart.py::test_new"]


def test_bug_a_range_that_changes_a_submodule_was_said_to_change_nothing(tmp_path: Path) -> None:
    root = write(tmp_path / "work", {"cart.py": "def fill():\n    return 1\n"})
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "one")
    for commit in ("1" * 40, "2" * 40):
        git(root, "update-index", "--add", "--cacheinfo", f"160000,{commit},vendor/shelf")
        git(root, "commit", "-q", "-m", "shelf")
    with engine_over(root, tmp_path / "cache") as engine:
        for commits in ("HEAD~1..HEAD", "HEAD~2..HEAD", "HEAD..HEAD~1"):
            said = str(engine.for_pr(range=commits))
            assert "(submodule, not looked into: vendor/shelf)" in said


def test_bug_what_a_function_inside_another_calls_was_said_to_have_no_further_users_nor_tests(
    tmp_path: Path,
) -> None:
    files = {
        "cache.py": (
            "def key(name):\n    return name\n\n\n"
            "def cached(function):\n    def lookup(name):\n        return key(name)\n\n"
            "    return lookup\n"
        ),
        "test_cache.py": (
            "from cache import cached, key\n\n\n"
            "def test_cached():\n    assert cached(str)('a')\n\n\n"
            "def test_key():\n    def view():\n        return key('a')\n\n    assert run(view)\n"
        ),
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        impact = engine.impact("key")
        tests = engine.tests(diff=PATCH_OF_KEY)
    rows = [(row.symbol.qualname, row.kind, row.via, row.line) for row in impact.affected]
    assert rows == [
        ("cached.lookup", EdgeKind.CALLS, "key", 7),
        ("cached", EdgeKind.CONTAINS, "cached.lookup", 6),
    ]
    assert sorted(row.symbol.name for row in impact.tests) == ["test_cached", "test_key", "view"]
    assert sorted(test.node for test in tests.tests) == [
        "test_cache.py::test_cached",
        "test_cache.py::test_key",
    ]
    assert not any("no test is known" in each for each in tests.unknown)


def test_bug_removing_a_function_was_shown_as_a_change_of_the_next_one(tmp_path: Path) -> None:
    files = {
        "a.py": (
            "def one():\n    x = 1\n    print(x)\n\n\n# twice\ndef two():\n    return 2\n\n\n"
            "def three():\n    return 3\n"
        ),
        "b.py": "from a import one, two\n\n\ndef use():\n    return two() + one()\n",
        "test_a.py": (
            "from a import three, two\n\n\ndef test_two():\n    assert two() == 2\n\n\n"
            "def test_three():\n    assert three() == 3\n"
        ),
    }
    root = write(tmp_path / "work", files)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "one")
    without = files["a.py"].replace("    print(x)\n", "")
    start, end = without.index("# twice"), without.index("def three")
    write(root, {"a.py": without[:start] + without[end:]})
    git(root, "commit", "-qam", "two")
    with engine_over(root, tmp_path / "cache") as engine:
        answer = engine.for_pr(range="HEAD~1..HEAD")
        tests = engine.tests(diff="HEAD~1..HEAD")
    assert changed_names(answer) == ["one"]
    assert "removed: two of a.py" in answer.notes
    reasons = {i.symbol.name: i.reason for s in answer.pack.sections for i in s.items}
    assert reasons["use"] == reasons["test_two"] == "names two, which is removed"
    assert [test.node for test in tests.tests] == ["test_a.py::test_two"]


def test_bug_a_diff_that_only_deletes_files_named_nobody_who_used_them(tmp_path: Path) -> None:
    files = {
        "app/__init__.py": "",
        "app/cart.py": "class Cart:\n    pass\n\n\ndef helper():\n    return Cart()\n",
        "app/use.py": "from app.cart import Cart\n\n\ndef checkout():\n    return Cart()\n",
        "app/own.py": "def helper():\n    pass\n\n\ndef own():\n    return helper()\n",
        "test_cart.py": "from app.cart import helper\n\n\ndef test_helper():\n    helper()\n",
        "web/row.ts": "export const row = () => 1\n",
        "web/use.ts": "import { row } from './row'\nexport function table() { return row() }\n",
        "unused.py": "def nobody():\n    pass\n",
    }
    root = write(tmp_path / "work", files)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "one")
    git(root, "rm", "-q", "app/cart.py", "web/row.ts")
    git(root, "commit", "-q", "-m", "two")
    git(root, "rm", "-q", "unused.py")
    git(root, "commit", "-q", "-m", "three")
    with engine_over(root, tmp_path / "cache") as engine:
        answer = engine.for_pr(range="HEAD~2..HEAD~1")
        tests = engine.tests(diff="HEAD~2..HEAD~1")
        nothing = engine.for_pr(range="HEAD~1..HEAD")
    assert isinstance(answer, Answer)
    assert isinstance(nothing, Refusal)
    assert "deleted: app/cart.py, web/row.ts" in answer.notes
    reasons = {i.symbol.name: i.reason for s in answer.pack.sections for i in s.items}
    assert reasons == {
        "checkout": "names Cart, which is removed",
        "test_helper": "names helper, which is removed",
        "table": "names row, which is removed",
    }
    assert [test.node for test in tests.tests] == ["test_cart.py::test_helper"]
    assert nothing.message == (
        "no file of the diff is in the index, and nothing in the index names what was in it"
        " (deleted: unused.py)"
    )


def test_bug_paths_of_a_relative_diff_were_not_found(tmp_path: Path) -> None:
    files = {
        "web/README.md": "# Web\n",
        "README.md": "# Whole\n",
        "web/app/row.py": "def row():\n    return 1\n",
        "api/app/row.py": "def row():\n    return 2\n",
        "same/one/cart.py": "x = 1\n",
        "same/two/cart.py": "x = 1\n",
    }
    root = write(tmp_path / "work", files)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "one")
    with engine_over(root, tmp_path / "cache") as engine:
        write(root, {"web/app/row.py": "def row():\n    return 3\n", "web/README.md": "# Net\n"})
        answer = engine.for_pr(patch=git(root / "web", "diff", "--relative"))
        write(root, {"same/one/cart.py": "x = 2\n", "same/two/cart.py": "x = 2\n"})
        unclear = engine.for_pr(patch=git(root / "same/one", "diff", "--relative"))
    assert isinstance(answer, Answer)
    files_shown = {i.symbol.file for s in answer.pack.sections for i in s.items}
    assert files_shown == {"web/app/row.py", "web/README.md"}
    assert isinstance(unclear, Refusal)
    assert unclear.message == "no file of the diff is in the index (not indexed: cart.py)"


def test_bug_changed_blocks_of_a_spec_file_were_a_card_of_their_file(tmp_path: Path) -> None:
    jest = (
        "import { row } from './row'\n\ndescribe('row', () => {\n"
        "  it('is one', () => {\n    expect(row()).toBe(1)\n  })\n\n"
        "  it('stays', () => {\n    expect(row()).toBe(1)\n  })\n\n"
        "  test(`is no text`, () => {\n    expect(row()).not.toBe('1')\n  })\n})\n"
    )
    ruby = "describe Row do\n  it 'saves' do\n    expect(Row.new.save).to be true\n  end\nend\n"
    files = {
        "web/row.ts": "export function row() { return 1 }\n",
        "web/row.test.ts": jest,
        "lib/row.rb": "class Row\n  def save\n    true\n  end\nend\n",
        "spec/row_spec.rb": ruby,
    }
    root = write(tmp_path / "work", files)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "one")
    changed = jest.replace("toBe(1)", "toBe(2)", 1).replace("not.toBe('1')", "toBe(2)")
    write(root, {"web/row.test.ts": changed, "spec/row_spec.rb": ruby.replace("true", "false")})
    patch = git(root, "diff")
    with engine_over(root, tmp_path / "cache") as engine:
        answer = engine.for_pr(patch=patch)
    assert isinstance(answer, Answer)
    shown = {i.symbol.name: i for s in answer.pack.sections for i in s.items}
    for name in ("is one", "is no text", "saves"):
        assert shown[name].reason == "changed in 1 line"
        assert name in shown[name].text
    assert "toBe(2)" in shown["is one"].text
    assert "stays" not in answer.text
    assert not {"row.test", "row_spec"} & shown.keys()
