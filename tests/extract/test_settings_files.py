from __future__ import annotations

import pytest

from sonde.extract import extract


@pytest.mark.parametrize(
    ("language", "text", "titles"),
    [
        ("yaml", b"name: x\njobs:\n  a: 1\n  b: 2\n", ["name", "jobs"]),
        ("json", b'{\n  "name": "x",\n  "deps": {\n    "a": 1\n  }\n}\n', ["name", "deps"]),
        (
            "toml",
            b"top = 1\n[project]\nname = 'x'\n[tool.a]\nb = 2\n",
            ["top", "project", "tool.a"],
        ),
        ("ini", b"[a]\nx=1\n[b]\ny=2\n", ["a", "b"]),
        ("", b"", []),
    ],
)
def test_a_chunk_for_each_top_level_key(language: str, text: bytes, titles: list[str]) -> None:
    assert [c.title for c in extract("conf", language or "yaml", text).chunks] == titles


def test_large_values_are_split_at_their_own_keys() -> None:
    inner = b"".join(b"  key%d: %s\n" % (i, b"v" * 100) for i in range(100))
    chunks = extract("big.yml", "yaml", b"jobs:\n" + inner).chunks
    assert len(chunks) > 2
    assert chunks[1].title.startswith("jobs.key")
    assert all(c.end_byte - c.start_byte <= 4000 for c in chunks)
