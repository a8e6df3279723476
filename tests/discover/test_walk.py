"""Which files a walk takes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from walked import kinds, paths, reasons, rules

from sonde.discover import DiscoverRules, KnownFile, LeaveOut, discover, known_files
from sonde.model import FileKind, SkipReason

Tree = Callable[..., Path]


def test_paths_are_sorted_and_relative_with_size_and_time(tree: Tree) -> None:
    root = tree({"b.py": "x = 1\n", "a/z.py": "", "a.py": "y\n"})
    found = discover(root, rules())
    assert [file.path for file in found.files] == ["a.py", "a/z.py", "b.py"]
    status = (root / "b.py").stat()
    assert (found.files[2].size, found.files[2].mtime_ns) == (6, status.st_mtime_ns)


def test_gitignore_works_outside_a_repository_and_can_be_switched_off(tree: Tree) -> None:
    root = tree({".gitignore": "*.log.py\n/out.py\n", "a.log.py": "", "out.py": "", "b/out.py": ""})
    assert paths(root) == ["b/out.py"]
    assert paths(root, respect_gitignore=False) == ["a.log.py", "b/out.py", "out.py"]


def test_own_ignore_files_overrule_gitignore_at_any_level(tree: Tree) -> None:
    root = tree(
        {
            ".gitignore": "generated/\n",
            ".sondeignore": "!generated/\nsecret.py\n",
            "generated/.agenticcodexignore": "two.py\n",
            "generated/.gitignore": "!secret.py\n",
            "generated/one.py": "",
            "generated/two.py": "",
            "generated/secret.py": "",
        }
    )
    assert paths(root) == ["generated/one.py"]


def test_sondeignore_is_stronger_than_its_older_name_beside_it(tree: Tree) -> None:
    root = tree({".sondeignore": "!a.py\n", ".agenticcodexignore": "a.py\nb.py\n", "a.py": ""})
    assert paths(root) == ["a.py"]


def test_configured_globs_overrule_every_ignore_file(tree: Tree) -> None:
    root = tree({".sondeignore": "!a.py\n", "a.py": "", "b.py": "", "c/a.py": ""})
    assert paths(root, ignore=("/a.py",)) == ["b.py", "c/a.py"]


def test_include_reaches_into_left_out_folders_and_takes_only_what_it_names(tree: Tree) -> None:
    root = tree(
        {
            "node_modules/ours/index.js": "",
            "node_modules/theirs/index.js": "",
            ".gitignore": "*.gen.py\nout/\n",
            "a.gen.py": "",
            "out/deep/keep.py": "",
            "out/deep/other.py": "",
        }
    )
    taken = paths(root, include=("node_modules/ours/**", "*.gen.py", "out/deep/keep.py"))
    assert taken == ["a.gen.py", "node_modules/ours/index.js", "out/deep/keep.py"]


def test_user_excludes_file_holds_and_a_repository_overrules_it(tree: Tree, tmp_path: Path) -> None:
    excludes = tmp_path / "excludes"
    excludes.write_text("*.tmp.py\n")
    root = tree({"a.tmp.py": "", "sub/b.tmp.py": "", "sub/.gitignore": "!b.tmp.py\n"})
    assert paths(root, excludes_file=excludes) == ["sub/b.tmp.py"]


def test_nested_repository_is_walked_by_its_own_rules(tree: Tree, git: Callable[..., str]) -> None:
    root = tree(
        {
            ".gitignore": "*.gen.py\n",
            "a.gen.py": "",
            "inner/b.gen.py": "",
            "inner/c.py": "",
            "inner/d.py": "",
            "inner/.gitignore": "c.py\n",
        }
    )
    git(root, "init", "-q")
    git(root / "inner", "init", "-q")
    (root / "inner/.git/info/exclude").write_text("d.py\n")
    assert paths(root) == ["inner/b.gen.py"]


def test_submodule_is_walked_and_its_excludes_are_found_through_its_git_file(
    tree: Tree, git: Callable[..., str]
) -> None:
    root = tree({"main.py": "", "library/a.py": "", "library/b.py": ""})
    git(root, "init", "-q")
    (root / ".git/modules").mkdir()
    git(root / "library", "init", "-q", "--separate-git-dir", str(root / ".git/modules/library"))
    (root / ".git/modules/library/info/exclude").write_text("b.py\n")
    assert (root / "library/.git").is_file()
    assert paths(root) == ["library/a.py", "main.py"]
    assert "library/.git" not in reasons(root)


def test_a_worktree_inside_the_root_shares_the_excludes_of_its_repository(
    tree: Tree, git: Callable[..., str]
) -> None:
    root = tree({"a.py": ""})
    git(root, "init", "-q")
    git(root, "add", "-A")
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    git(root, *who, "commit", "-qm", "start")
    git(root, "worktree", "add", "-q", "below")
    (root / ".git/info/exclude").write_text("b.py\n")
    (root / "below/b.py").write_text("")
    assert git(root / "below", "status", "--short") == ""
    assert paths(root) == ["a.py", "below/a.py"]


def test_default_leave_outs_can_be_switched_off_one_by_one(tree: Tree) -> None:
    files = {
        LeaveOut.VCS: ".hg/store.py",
        LeaveOut.DEPENDENCIES: "node_modules/x/index.js",
        LeaveOut.BUILD: ".eggs/x.py",
        LeaveOut.CACHES: "__pycache__/x.py",
    }
    root = tree({"keep.py": "", **dict.fromkeys(files.values(), "")})
    assert paths(root) == ["keep.py"]
    everything = DiscoverRules().leave_out
    for group in files:
        assert paths(root, leave_out=everything - {group}) == sorted(["keep.py", files[group]])


@pytest.mark.parametrize(
    ("witness", "folder"),
    [
        ("Cargo.toml", "target"),
        ("go.mod", "vendor"),
        ("build.gradle.kts", "build"),
        ("App.csproj", "obj"),
        ("package.json", "dist"),
    ],
)
def test_ambiguous_folder_is_left_out_only_beside_the_tool_that_fills_it(
    tree: Tree, witness: str, folder: str
) -> None:
    root = tree({f"with/{witness}": "", f"with/{folder}/a.py": "", f"plain/{folder}/a.py": ""})
    assert paths(root) == [f"plain/{folder}/a.py", f"with/{witness}"]


def test_virtual_environment_is_known_by_its_content_whatever_its_name(tree: Tree) -> None:
    root = tree({"mine/pyvenv.cfg": "", "mine/lib/a.py": "", "b.py": ""})
    assert paths(root) == ["b.py"]
    assert reasons(root) == {"mine/": SkipReason.VENDORED}


def test_vendored_code_is_marked_or_left_out_on_request(tree: Tree) -> None:
    root = tree({"third_party/lib/a.c": "", "vendor/b.js": "", "c.c": "", "3rd-party/d/d.h": ""})
    assert kinds(root) == {
        "3rd-party/d/d.h": FileKind.VENDORED,
        "c.c": FileKind.SOURCE,
        "third_party/lib/a.c": FileKind.VENDORED,
        "vendor/b.js": FileKind.VENDORED,
    }
    without = frozenset({LeaveOut.VENDORED})
    assert paths(root, leave_out=without) == ["c.c"]
    assert reasons(root, leave_out=without)["vendor/"] is SkipReason.VENDORED


def test_too_large_files_are_skipped_by_the_configured_limit(tree: Tree) -> None:
    root = tree({"a.py": "x = 1\n" * 100, "b.py": "x\n"})
    assert reasons(root, max_file_bytes=599) == {"a.py": SkipReason.TOO_LARGE}
    assert reasons(root, max_file_bytes=600) == {}


def test_root_that_is_missing_or_a_file_is_reported_not_raised(tree: Tree) -> None:
    root = tree({"a.py": ""})
    for bad in (root / "nowhere", root / "a.py"):
        assert reasons(bad) == {".": SkipReason.UNREADABLE}


def test_known_files_are_taken_over_without_reading(tree: Tree) -> None:
    root = tree({"a.py": "x = 1\n", "blob.weird": "nothing\n", "b.min.js": ""})
    first = discover(root, rules())
    known = dict(known_files(first))
    known["a.py"] = known["a.py"]._replace(language="marker")
    known["blob.weird"] = known["blob.weird"]._replace(reason=SkipReason.PARSER_CRASH)
    again = discover(root, rules(), known)
    assert [file.language for file in again.files] == ["marker"]
    assert again.skipped[1].reason is SkipReason.PARSER_CRASH


def test_changed_size_or_time_makes_a_known_file_read_again(tree: Tree) -> None:
    root = tree({"a.h": "int a;\n", "b.h": "int b;\n"})
    known = known_files(discover(root, rules()))
    (root / "a.h").write_text("class A;\n")
    os.utime(root / "a.h", ns=(1, known["a.h"].mtime_ns))  # only the size differs
    (root / "b.h").write_bytes(b"class B")
    os.utime(root / "b.h", ns=(1, 1))  # only the time differs
    assert [file.language for file in discover(root, rules(), known).files] == ["cpp", "cpp"]


def test_walk_with_known_files_equals_a_walk_from_scratch_after_edits(tree: Tree) -> None:
    root = tree({"a.py": "a\n", "b/c.js": "c\n", "d": "#!/usr/bin/env ruby\n", "e.txt": "e\0\n"})
    known = known_files(discover(root, rules()))
    (root / "b/c.js").unlink()
    (root / "b/c.js").mkdir()
    (root / "b/c.js/new.go").write_text("package new\n")
    (root / "a.py").unlink()
    (root / "a.py").symlink_to("d")
    (root / "e.txt").write_text("words\n")
    assert discover(root, rules(), known) == discover(root, rules())


def test_raised_limit_takes_files_that_were_too_large(tree: Tree) -> None:
    root = tree({"a.py": "x = 1\n" * 100})
    known = {"a.py": KnownFile(600, 1, "", FileKind.TOO_LARGE, SkipReason.TOO_LARGE)}
    os.utime(root / "a.py", ns=(1, 1))
    assert [file.path for file in discover(root, rules(), known).files] == ["a.py"]
