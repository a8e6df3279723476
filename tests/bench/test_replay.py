"""The replay of sessions: which cases, which traces, what counts as shown."""

from __future__ import annotations

from bench.data import LocalizationCase
from bench.replay import chosen, replay, trace_in

from sonde.config import Settings
from sonde.discover import DiscoverRules
from sonde.engine import Engine

TRACE = """\
Traceback (most recent call last):
  File "app/main.py", line 3, in run
    return divide(1, 0)
  File "app/maths.py", line 2, in divide
    return a / b
ZeroDivisionError: division by zero"""
ISSUE = f"Running fails\n\nI called `run` and got\n\n```\n{TRACE}\n```\n\nPlease fix."


def case(name: str, query: str = ISSUE) -> LocalizationCase:
    return LocalizationCase(
        name, "a/b", "", query, "python", ("app/maths.py",), ("app/maths.py::divide",)
    )


def test_the_trace_is_cut_out_of_an_issue():
    assert trace_in(ISSUE) == TRACE
    assert trace_in("nothing failed, but Traceback is a nice word") == ""


def test_cases_are_spread_over_all_of_them():
    cases = [case(f"case-{number:03}") for number in range(10)]
    assert [each.id for each in chosen(cases, 5)] == [f"case-{n:03}" for n in (0, 2, 4, 6, 8)]
    assert len(chosen(cases, 99)) == 10


def test_a_replay_finds_the_function_of_the_trace_with_fewer_tokens(tmp_path):
    root = tmp_path / "repo"
    (root / "app").mkdir(parents=True)
    (root / "app" / "main.py").write_text(
        "def run():\n    from app.maths import divide\n    return divide(1, 0)\n"
    )
    (root / "app" / "maths.py").write_text("def divide(a, b):\n    return a / b\n")
    settings = Settings(tmp_path / "cache", DiscoverRules(excludes_file=None), workers=1)
    with Engine(root, settings) as engine:
        result = replay(engine, case("one"))
    assert result.groups["category"] == "trace"
    assert result.scores["func1All"] == result.scores["file2Any"] == 1.0
    assert 0.0 < result.scores["tokenShare"] < 1.0
