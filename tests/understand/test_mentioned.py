"""Which issues and commits a task mentions."""

from __future__ import annotations

import pytest

from sonde.understand.query import understand


@pytest.mark.parametrize(
    ("task", "issues"),
    [
        ("fix #7", ("7",)),
        ("what did pull request 41 change?", ("41",)),
        ("see https://example.invalid/shop/pull/41/files", ("41",)),
        ("Fixes #12, LANG-1234 and CVE-2023-5379", ("12", "LANG-1234", "CVE-2023-5379")),
        ("shop!41 and issue601", ("41", "601")),
    ],
)
def test_issues_are_mentioned_by_number_and_by_key(task: str, issues: tuple[str, ...]) -> None:
    assert sorted(understand(task).issues) == sorted(issues)


@pytest.mark.parametrize(
    "task",
    [
        "the #1 step fails",
        "Benchmark #12: total",
        "an error 404 in step #20",
        "decode UTF-8, SHA-256 and ISO-8859-1",
        "the header is white.\n\n```css\ncolor: #333;\n```\n",
        "set color: #333",
        "use '#888888' in the header",
        "the text shows &#39;total&#39;",
        "a link to cart.py#L12",
        "a comment with `#12` is lost",
        "no total\n\nStack trace:\n#0 cart.php(12): total()\n#1 shop.php(3): cart()\n#12 {main}\n",
    ],
)
def test_numbers_that_are_no_issues_named_commits(task: str) -> None:
    assert understand(task).issues == ()


@pytest.mark.parametrize("called", ["3f2a91c", "`3f2a91c`", "1234567", "v5.0.0-12-g3f2a91c"])
def test_a_commit_is_mentioned_by_what_git_shows_of_its_hash(called: str) -> None:
    assert understand(f"regression since {called}").commits == (called.strip("`")[-7:],)


@pytest.mark.parametrize(
    "task",
    ["what did pull request 41 change?", "review of PR #41", "what did commit 3f2a91c change"],
)
def test_words_that_mention_an_issue_were_looked_for_in_the_code(task: str) -> None:
    assert understand(task).components == understand(task).generated == ()
