"""Words of paths: in the names of folders and files, whole and in parts."""

from __future__ import annotations

import random

import pytest

from sonde.retrieve.path_names import PathNames

PATHS = sorted(
    [
        "Makefile",
        "api/openAPI/server.go",
        "api/openAPI/server_test.go",
        "api/serverless/run.go",
        "docs/server/index.md",
        "docs/server/old/index.md",
        "docs/zebra.md",
        "server/main.go",
        "test/server.test.ts",
    ]
)


@pytest.mark.parametrize(
    ("word", "found"),
    [
        (
            "server",
            [
                "api/openAPI/server.go",
                "api/openAPI/server_test.go",
                "docs/server/index.md",
                "docs/server/old/index.md",
                "server/main.go",
                "test/server.test.ts",
            ],
        ),
        ("openapi", ["api/openAPI/server.go", "api/openAPI/server_test.go"]),
        ("open", ["api/openAPI/server.go", "api/openAPI/server_test.go"]),
        ("test", ["api/openAPI/server_test.go", "test/server.test.ts"]),
        ("docs", ["docs/server/index.md", "docs/server/old/index.md", "docs/zebra.md"]),
        ("makefile", ["Makefile"]),
        ("go", []),  # an ending says nothing
        ("erver", []),
        ("nowhere", []),
    ],
)
def test_a_word_stands_for_the_paths_that_have_it(word: str, found: list[str]) -> None:
    assert [PATHS[place] for place in PathNames(PATHS).having(word)] == found


def test_the_same_is_found_as_by_looking_at_each_path() -> None:
    chance = random.Random(3)
    names = ["a", "b", "a_b", "ab", "c"]
    made = {
        "/".join(chance.choices(names, k=chance.randrange(1, 5))) + chance.choice([".x", ".y"])
        for _ in range(300)
    }
    paths = sorted(made)
    found = PathNames(paths)
    for word in ("a", "b", "ab", "c"):
        expected = [
            place
            for place, path in enumerate(paths)
            if word in path.rpartition(".")[0].replace("_", "/").split("/")
        ]
        assert found.having(word) == expected, word
