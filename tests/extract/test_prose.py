from __future__ import annotations

from sonde.extract import extract
from sonde.extract.prose import OVERLAP_BYTES, WINDOW_BYTES
from sonde.model import RefKind

MARKDOWN = b"""Intro before any heading.

# Guide

Call `Client.connect()` first.

```python
# not a heading
```

## Retries

See ``retry_policy``.

Setext
------

Last.
"""


def test_markdown_sections_follow_headings_and_ignore_code_fences() -> None:
    chunks = extract("docs/guide.md", "markdown", MARKDOWN).chunks
    assert [(c.kind, c.title, c.context) for c in chunks] == [
        ("window", "", ""),
        ("section", "Guide", ""),
        ("section", "Retries", "Guide"),
        ("section", "Setext", "Guide"),
    ]
    assert chunks[1].start_line == 3
    assert MARKDOWN[chunks[3].start_byte : chunks[3].end_byte].endswith(b"Last.\n")


def test_names_in_backticks_are_references() -> None:
    references = extract("docs/guide.md", "markdown", MARKDOWN).references
    assert [(r.kind, r.receiver, r.name) for r in references] == [
        (RefKind.NAME, "Client", "connect"),
        (RefKind.NAME, "", "retry_policy"),
    ]


def test_restructured_text_levels_come_from_the_order_of_their_marks() -> None:
    text = b"Top\n===\n\nSub\n---\n\ntext\n\nOther\n=====\n"
    chunks = extract("a.rst", "rst", text).chunks
    assert [(c.title, c.context) for c in chunks] == [("Top", ""), ("Sub", "Top"), ("Other", "")]


def test_text_without_headings_is_cut_into_overlapping_windows() -> None:
    text = b"".join(b"line number %d of a long text\n" % i for i in range(600))
    chunks = extract("a.txt", "text", text).chunks
    assert len(chunks) > 2
    assert all(c.end_byte - c.start_byte <= WINDOW_BYTES for c in chunks)
    assert chunks[0].end_byte > chunks[1].start_byte >= chunks[0].end_byte - 2 * OVERLAP_BYTES
    assert chunks[-1].end_byte == len(text)


def test_one_enormous_line_still_ends() -> None:
    chunks = extract("a.txt", "text", b"x" * 100_000).chunks
    assert chunks[-1].end_byte == 100_000
    assert len(chunks) < 60
