"""Whole files: a file answers by what its symbols say together."""

from __future__ import annotations

from collections.abc import Iterator

import numpy
import pytest
from indexed_view import view_over

from sonde.retrieve.match import Matcher
from sonde.retrieve.view import View
from sonde.retrieve.whole_files import whole_files
from sonde.understand.query import understand

REPOSITORY = {
    "orchard.py": (
        "def pick(apple):\n    return apple\n\n\n"
        "def press(apple):\n    return apple\n\n\n"
        "def bottle(juice):\n    return juice\n"
    ),
    "kitchen.py": "def bake(apple):\n    return apple\n",
    "garage.py": "def park(car):\n    return car\n",
    "warehouse.py": "def keep(apple):\n    return apple\n"
    + "".join(f"\n\ndef shelf_{n}(box):\n    return box\n" for n in range(40)),
}


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> Iterator[View]:
    with view_over(REPOSITORY, tmp_path_factory.mktemp("whole")) as view:
        yield view


def scores(view: View, task: str, *paths: str) -> dict[str, float]:
    ids = {file.path: file.id for file in view.index.files()}
    some = numpy.array([ids[path] for path in paths], numpy.int64)
    found = whole_files(Matcher(understand(task), view), view, some)
    return dict(zip(paths, found.tolist(), strict=True))


def test_a_file_that_has_all_words_in_different_symbols_is_best(view: View) -> None:
    found = scores(view, "press apples and bottle the juice", *REPOSITORY)
    assert found["orchard.py"] == 1.0
    assert found["garage.py"] == 0.0
    assert 0.0 < found["warehouse.py"] < found["kitchen.py"] < 1.0


def test_files_that_say_nothing_of_the_task_have_no_score(view: View) -> None:
    assert scores(view, "zeppelin", "garage.py", "kitchen.py") == {
        "garage.py": 0.0,
        "kitchen.py": 0.0,
    }


def test_no_files_have_no_scores(view: View) -> None:
    assert scores(view, "press apples") == {}
