"""A search finds by meaning as well, inside its filters, if a model was chosen."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from example_repository import write
from neural_engine import over, slow_to_load

from sonde.answers import search_meant
from sonde.answers.results import SearchAnswer
from sonde.engine import Engine
from sonde.serve.text import search_lines

FILES = {
    "shop/oven.py": 'def glaze(jar):\n    """Seal every biscuit."""\n    return jar\n',
    "shop/far/oven.py": 'def ice(jar):\n    """Seal a biscuit."""\n    return jar\n',
    "web/oven.js": "/** Seal a biscuit. */\nfunction frost(jar) { return jar }\n",
    "web/door.js": "/** Greet. */\nfunction welcome(guest) { return guest }\n",
}
TASK = "sign cookie"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = write(tmp_path / "work", FILES)
    long_ago = time.time() - 30 * 86_400
    os.utime(root / "shop/far/oven.py", (long_ago, long_ago))
    return root


def search(engine: Engine, text: str) -> SearchAnswer:
    answer = engine.search(text)
    assert isinstance(answer, SearchAnswer), answer
    return answer


def near(engine: Engine, text: str) -> list[str]:
    return [each.qualname for each in search(engine, text).meant]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (TASK, {"glaze", "ice", "frost"}),
        (f"{TASK} lang:python", {"glaze", "ice"}),
        (f"{TASK} path:shop/far", {"ice"}),
        (f"{TASK} path:web lang:js", {"frost"}),
        (f"{TASK} kind:class", set()),
        (f"{TASK} path:nowhere", set()),
        (f"{TASK} since:1w", {"glaze", "frost"}),
        (f"{TASK} since:1w path:shop", {"glaze"}),
    ],
)
@pytest.mark.parametrize("store", ["embedded", "qdrant"])
def test_no_search_looked_at_vectors_by_language_or_folder(
    root: Path,
    tmp_path: Path,
    tiny_model: Path,
    text: str,
    wanted: set[str],
    store: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if store == "qdrant":
        pytest.importorskip("qdrant_client")
    # so few that only a filter inside the store leaves room for those that it takes
    monkeypatch.setattr(search_meant, "_JUDGED", max(1, len(wanted)))
    place = str(tmp_path / "qdrant") if store == "qdrant" else ""
    with over(root, tmp_path / "cache", embedding=tiny_model, store=place) as engine:
        engine.sync()
        engine.embed()
        assert set(near(engine, text)) == wanted


def test_what_is_found_by_name_is_not_listed_again(engine: Engine) -> None:
    engine.embed()
    answer = search(engine, "seal biscuit")
    assert {each.qualname for each in answer.symbols} >= {"glaze"}
    assert "glaze" not in {each.qualname for each in answer.meant}


def test_a_single_word_or_a_pattern_is_not_looked_for_by_meaning(engine: Engine) -> None:
    engine.embed()
    assert near(engine, "sign") == []
    answer = engine.search("sign cookie", regex=True)
    assert isinstance(answer, SearchAnswer)
    assert answer.meant == ()


def test_a_search_tells_what_share_is_embedded(engine: Engine) -> None:
    text = "\n".join(search_lines(search(engine, TASK)))
    assert text == "partial: 0 % of functions and types are embedded so far\nnothing found"
    engine.embed()
    assert "near in meaning:" in "\n".join(search_lines(search(engine, TASK)))


def test_a_search_does_not_wait_for_the_model_of_a_server(
    root: Path, tmp_path: Path, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_load = slow_to_load(monkeypatch)
    with over(root, tmp_path / "cache", embedding=tiny_model, patient=False) as engine:
        engine.sync()
        told = search(engine, TASK).lacking
        may_load.set()
    assert told == ("without the embedding model, which is still loading: ask again",)
