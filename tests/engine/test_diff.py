"""Unified diffs are read as git and diff write them."""

from __future__ import annotations

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
