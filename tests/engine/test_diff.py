"""Unified diffs are read as git and diff write them."""

from __future__ import annotations

import pytest

from sonde.answers.diff import parse_diff


def test_lines_are_numbered_on_their_own_side():
    (change,) = parse_diff(
        "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n"
        "@@ -3,3 +3,4 @@ def f():\n same\n-old\n+new\n+more\n same\n"
    )
    assert change.removed == ((4, "old"),)
    assert change.added == ((4, "new"), (5, "more"))
    assert change.path == "x.py"


def test_a_removal_without_context_marks_the_line_that_follows():
    (change,) = parse_diff("--- a/x.py\n+++ b/x.py\n@@ -5,2 +4,0 @@\n-one\n-two\n")
    assert change.removed == ((5, "one"), (6, "two"))
    assert change.cuts == (5, 5)


def test_removed_lines_that_look_like_headers_stay_lines():
    (change,) = parse_diff("--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,1 @@\n--- a comment\n-+++ b\n+x\n")
    assert [text for _, text in change.removed] == ["-- a comment", "+++ b"]


SEVERAL = """\
diff --git a/n.py b/n.py
new file mode 100644
--- /dev/null
+++ b/n.py
@@ -0,0 +1 @@
+x
diff --git a/g.py b/g.py
deleted file mode 100644
--- a/g.py
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/old.py b/new.py
similarity index 100%
rename from old.py
rename to new.py
diff --git a/i.png b/i.png
index 1..2
Binary files a/i.png and b/i.png differ
"""


def test_new_deleted_renamed_and_binary_files():
    new, gone, renamed, binary = parse_diff(SEVERAL)
    assert (new.old, new.new) == ("", "n.py")
    assert (gone.old, gone.new) == ("g.py", "")
    assert renamed.renamed
    assert renamed.path == "new.py"
    assert binary.binary


ODD_NAMES = r"""diff --git a/my file.py b/my file.py
Binary files a/my file.py and b/my file.py differ
diff --git "a/\303\244.py" "b/\303\244.py"
--- "a/\303\244.py"
+++ "b/\303\244.py"
@@ -1 +1 @@
-a
+b
"""


def test_names_with_blanks_quotes_and_other_letters():
    blank, umlaut = parse_diff(ODD_NAMES)
    assert blank.path == "my file.py"
    assert umlaut.path == "ä.py"


def test_plain_diffs_with_times_and_windows_line_ends():
    (change,) = parse_diff(
        "--- x.py\t2020-01-01\r\n+++ x.py\t2020-01-02\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n"
    )
    assert change.path == "x.py"
    assert change.added == ((1, "b"),)


def test_what_is_no_diff_has_no_files():
    assert parse_diff("") == []
    assert parse_diff("hello\n@@ -1 +1 @@\n+x\n") == []
    assert parse_diff("\x00\x01\xff" * 100) == []


HEADER = (
    "diff --git {0}pkg/x.py {1}pkg/x.py\n--- {0}pkg/x.py\n+++ {1}pkg/x.py\n@@ -1 +1 @@\n-a\n+b\n"
)


@pytest.mark.parametrize(
    "prefixes", [("a/", "b/"), ("i/", "w/"), ("c/", "i/"), ("old/", "new/"), ("", "")]
)
def test_bug_paths_kept_the_prefixes_of_a_users_git_settings(prefixes):
    (change,) = parse_diff(HEADER.format(*prefixes))
    assert (change.old, change.new) == ("pkg/x.py", "pkg/x.py")


def test_bug_a_folder_called_a_was_taken_for_a_prefix():
    new, changed = parse_diff(
        "diff --git a/n.py a/n.py\nnew file mode 100644\n"
        "--- /dev/null\n+++ a/n.py\n@@ -0,0 +1 @@\n+x\n"
        "diff --git b/x.py b/x.py\n--- b/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n"
    )
    assert (new.old, new.new) == ("", "a/n.py")
    assert (changed.old, changed.new) == ("b/x.py", "b/x.py")


@pytest.mark.parametrize("prefixes", [("a/", "b/"), ("", "")])
def test_a_rename_has_the_names_that_its_own_lines_tell(prefixes):
    old, new = prefixes
    (change,) = parse_diff(
        f"diff --git {old}a/one.py {new}a/two.py\nsimilarity index 90%\n"
        f"rename from a/one.py\nrename to a/two.py\n--- {old}a/one.py\n+++ {new}a/two.py\n"
        "@@ -1 +1 @@\n-a\n+b\n"
    )
    assert (change.old, change.new) == ("a/one.py", "a/two.py")
    assert change.added == ((1, "b"),)


def test_bug_a_coloured_diff_was_no_diff():
    plain = HEADER.format("a/", "b/")
    coloured = "".join(f"\x1b[1m{line}\x1b[m\n" for line in plain.splitlines())
    assert parse_diff(coloured) == parse_diff(plain)


def test_colours_inside_the_lines_of_a_plain_diff_are_theirs():
    (change,) = parse_diff("--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+red = '\x1b[31m'\n")
    assert change.added == ((1, "red = '\x1b[31m'"),)


def test_bug_the_diff_of_a_merge_had_no_lines():
    (change,) = parse_diff(
        "diff --cc pkg/x.py\nindex 1,2..3\n--- a/pkg/x.py\n+++ b/pkg/x.py\n"
        "@@@ -1,3 -1,3 +1,3 @@@\n  same\n- ours\n -theirs\n++both\n+ one\n"
    )
    assert change.path == "pkg/x.py"
    assert change.added == ((2, "both"), (3, "one"))
    assert change.cuts == (2, 2)
