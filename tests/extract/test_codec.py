from __future__ import annotations

import pytest
from test_python import SOURCE

from sonde.extract import extract
from sonde.extract.codec import decode, encode


@pytest.mark.parametrize(
    ("path", "language", "text"),
    [
        ("client.py", "python", SOURCE),
        ("a.md", "markdown", "# T\n\n`name_of` it\n"),
        ("a.yml", "yaml", "a: 1\n"),
        ("empty.py", "python", ""),
    ],
)
def test_facts_survive_encoding(path: str, language: str, text: str) -> None:
    facts = extract(path, language, text.encode())
    assert decode(encode(facts)) == facts


def test_same_facts_give_the_same_bytes() -> None:
    facts = extract("client.py", "python", SOURCE.encode())
    assert encode(facts) == encode(extract("client.py", "python", SOURCE.encode()))
