"""Ids say nothing: an index that gave them out in another order answers with the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest
from example_repository import EXAMPLE, engine_over, write

from sonde.engine import Engine
from sonde.model import SymbolRecord, Unresolved
from sonde.store.writer import Writer
from sonde.sync.open_index import OpenIndex

# Many equals in all that answers are ordered by: names, scores, distances, lines.
_PART = """\
from common import begin, finish


class Part{n}:
    def load_order(self): return [step_a(self), step_b(self)]


def step_a(order): return begin(order)
def step_b(order): return begin(order)


def check_order(order):
    return step_a(order), step_b(order), finish(order)
"""
_PARTS = 30
_REPOSITORY = {
    **EXAMPLE,
    "common.py": "def begin(order):\n    return order\n\n\ndef finish(order):\n    return order\n",
    **{f"parts/part{n}.py": _PART.format(n=n) for n in range(_PARTS)},
    "parts/all.py": "".join(
        f"from parts.part{n} import Part{n}, check_order as check{n}\n" for n in range(_PARTS)
    )
    + "def send_order(order): return "
    + ", ".join(f"check{n}(order), Part{n}()" for n in range(_PARTS))
    + "\n",
    "web/tabs.ts": "export class Tabs { go(): void { this.stop(); } stop(): void {} }\n"
    "export class Panes { go(): void { this.stop(); } stop(): void {} }\n",
    **{
        f"tests/test_part{n}.py": f"from parts.part{n} import check_order\n\n\n"
        "def test_order():\n    assert check_order(1)\n"
        for n in range(_PARTS)
    },
}
_TASKS = (
    "send order through every part",
    "load the order of a part and check it",
    "begin and finish an order",
    "fix step_a in the parts",
    "connect to the database",
)
_NAMES = ("begin", "step_a", "check_order", "send_order", "Part3", "Tabs", "go", "DatabaseClient")


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Engine, Engine]]:
    """Two engines over the same files: the second's ids were given out backwards."""
    root = write(tmp_path_factory.mktemp("root"), _REPOSITORY)
    extract, new_symbols = OpenIndex.extract, Writer._new_symbols
    with (
        engine_over(root, tmp_path_factory.mktemp("one")) as usual,
        engine_over(root, tmp_path_factory.mktemp("other")) as backwards,
        pytest.MonkeyPatch.context() as patch,
    ):
        usual.sync()
        patch.setattr(OpenIndex, "extract", lambda *given: reversed(list(extract(*given))))
        patch.setattr(Writer, "_new_symbols", lambda *given: new_symbols(*given)[::-1])
        backwards.sync()
        yield usual, backwards


def _without_ids(value: Any) -> Any:
    """An answer without ids, and without the times that it took."""
    if isinstance(value, SymbolRecord):
        return f"{value.file}:{value.start_line}:{value.start_byte} {value.qualname}"
    if isinstance(value, Unresolved):
        return [value.kind, value.name, value.receiver, value.line, len(value.candidates)]
    if is_dataclass(value):
        names = [each.name for each in fields(value) if each.name not in ("statistics", "ms")]
        return {name: _without_ids(getattr(value, name)) for name in names}
    if isinstance(value, tuple):
        return [_without_ids(each) for each in value]
    return value


def test_the_ids_do_differ(both: tuple[Engine, Engine]) -> None:
    one, other = ([each.id for each in engine.symbols()] for engine in both)
    assert sorted(one) == sorted(other)
    assert sum(a == b for a, b in zip(one, other, strict=True)) < len(one) / 10


@pytest.mark.parametrize("task", _TASKS)
def test_tasks(both: tuple[Engine, Engine], task: str) -> None:
    one, other = (engine.rank(task) for engine in both)
    assert _without_ids(one) == _without_ids(other)
    for budget in (500, 4000):
        first, second = (engine.for_task(task, budget) for engine in both)
        assert _without_ids(first) == _without_ids(second)


@pytest.mark.parametrize("name", _NAMES)
def test_symbols(both: tuple[Engine, Engine], name: str) -> None:
    for ask in (Engine.symbol, Engine.impact, Engine.search):
        one, other = (ask(engine, name) for engine in both)
        assert _without_ids(one) == _without_ids(other)
    for end in _NAMES:
        one, other = (engine.flow(name, end) for engine in both)
        assert _without_ids(one) == _without_ids(other)


@pytest.mark.parametrize("path", ["common.py", "parts/part7.py", "parts/all.py", "web/tabs.ts"])
def test_files(both: tuple[Engine, Engine], path: str) -> None:
    one, other = (engine.tests(files=[path]) for engine in both)
    assert _without_ids(one) == _without_ids(other)
    first, second = (engine.for_files([path], 2000) for engine in both)
    assert _without_ids(first) == _without_ids(second)
