"""Paths, quoted text and stack frames: places that a task names."""

from __future__ import annotations

from pathlib import Path

import pytest
from indexed_view import asked, names_of, reasons, view_over

from sonde.model import Frame
from sonde.retrieve import frames, paths, text
from sonde.retrieve.gather import gather
from sonde.retrieve.view import View
from sonde.understand.query import understand


def test_a_path_in_the_task_proposes_what_the_file_defines(view: View) -> None:
    found = reasons(paths.find(asked(paths=("app/url.py",)), view), view)
    assert found == dict.fromkeys(("normalise_url", "split_host"), "in a file that the task names")


def test_of_files_with_one_name_the_longest_common_tail_is_meant(view: View) -> None:
    assert view.paths_ending("/srv/deploy/billing/report.py") == ["billing/report.py"]
    assert view.paths_ending("report.py") == ["app/report.py", "billing/report.py"]
    assert view.paths_ending("..\\billing\\report.py") == ["billing/report.py"]
    assert view.paths_ending("nowhere.py") == view.paths_ending("../..") == []


def test_a_word_that_names_a_package_proposes_its_types(view: View) -> None:
    found = reasons(paths.find(asked(components=("billing",)), view), view)
    assert found["Invoice"] == "its path has billing"


def test_a_namespace_that_only_wraps_is_no_type_of_a_package(tmp_path: Path) -> None:
    ferry = "module Ferry\n  module Timetable\n    class Departure\n    end\n  end\nend\n"
    helper = (
        "module Ferry\n  module Rounding\n    def rounded(time)\n      time\n    end\n  end\nend\n"
    )
    files = {
        "lib/ferry/timetable.rb": ferry,
        "lib/ferry/rounding.rb": helper,
        "lib/x.rb": "X = 1\n",
    }
    with view_over(files, tmp_path) as view:
        found = names_of(paths.find(asked(components=("ferry",)), view), view)
        assert sorted(found) == ["Ferry.Rounding", "Ferry.Timetable.Departure"]


def test_a_word_of_every_path_says_nothing(tmp_path: Path) -> None:
    files = {f"src/shop/m{n}.py": f"class Thing{n}:\n    pass\n" for n in range(40)}
    with view_over({**files, "src/bank/vault.py": "class Vault:\n    pass\n"}, tmp_path) as view:
        assert paths.find(asked(components=("shop",)), view) == []
        assert names_of(paths.find(asked(components=("bank",)), view), view) == ["Vault"]


def test_a_text_search_that_is_cut_short_is_told(
    view: View, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = tmp_path / "rg"
    slow.write_text("#!/bin/sh\nexec sleep 20\n")
    slow.chmod(0o755)
    query = asked(literals=("the amount owed cannot be negative",))
    with monkeypatch.context() as patched:
        patched.setattr(text, "ripgrep", lambda: str(slow))
        patched.setattr(text, "_SECONDS", 0.05)
        patched.setattr(text, "_HOLDERS", 1)  # as if the words were everywhere
        assert ("text cut short", 1.0) in gather(query, view).statistics
    assert ("text cut short", 1.0) not in gather(query, view).statistics


def test_quoted_text_finds_the_innermost_symbol_around_it(view: View) -> None:
    hits = text.find(asked(literals=("the amount owed cannot be negative",)), view)
    assert names_of(hits, view) == ["Invoice.total"]
    assert "at line 5" in hits[0].reason


def test_quoted_text_of_a_real_task_reaches_the_channel(view: View) -> None:
    query = understand('Customers get "the amount owed cannot be negative" for a refund')
    assert names_of(text.find(query, view), view) == ["Invoice.total"]


def test_text_that_is_everywhere_says_nothing(tmp_path: Path) -> None:
    files = {f"m{n:02}.py": f"def f{n}():\n    return 'see the manual'\n" for n in range(60)}
    with view_over(files, tmp_path) as view:
        assert text.find(asked(literals=("see the manual",)), view) == []
        assert text.find(asked(literals=("def f7",)), view) != []


def test_text_is_taken_literally(tmp_path: Path) -> None:
    files = {"a.py": "def one():\n    return '--help me (now'\n\n\ndef two():\n    return 'h.lp'\n"}
    with view_over(files, tmp_path) as view:
        assert names_of(text.find(asked(literals=("--help me (now",)), view), view) == ["one"]
        assert names_of(text.find(asked(literals=("h.lp",)), view), view) == ["two"]


def test_text_is_found_where_its_first_and_last_words_go_on(tmp_path: Path) -> None:
    files = {"a.py": "def one():\n    raise E('unreadable headers of messages')\n"}
    with view_over(files, tmp_path) as view:
        assert names_of(text.find(asked(literals=("readable headers of mess",)), view), view) == [
            "one"
        ]


@pytest.mark.parametrize("holders", [1, 4, 400])
def test_text_is_found_the_same_way_with_ripgrep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, holders: int
) -> None:
    said = "the größte value of x is not 7, or is it"
    files = {
        "a.py": f"# {said}\n\n\nclass A:\n    def a(self):\n        return '{said}'\n",
        "b.py": "def b():\n" + f"    x('{said}')\n" * 5,
        "c.py": f"def c():\n    return '{said.title()}'\n",
        "docs/d.md": f"# Errors\n\nIt says: {said}\n",
    }
    monkeypatch.setattr(text, "_HOLDERS", holders)
    with view_over(files, tmp_path) as view:
        found = reasons(text.find(asked(literals=(said,)), view), view)
        assert found == {
            "A.a": f"contains {said[:40]!r} at line 6",
            "b": f"contains {said[:40]!r} at line 2",
        }
        (score,) = {hit.score for hit in text.find(asked(literals=(said,)), view)}
        assert score == 1 / 6**0.5  # lines: two of a, three of b, one of d


def test_the_innermost_frame_goes_first(view: View) -> None:
    trace = (Frame("app/url.py", 7, "normalise_url"), Frame("app/session.py", 9, "open_session"))
    hits = frames.find(asked(frames=trace), view)
    assert names_of(hits, view) == ["normalise_url", "open_session"]
    assert hits[0].reason == "frame url.py:7"
    assert names_of(frames.find(asked(frames=trace[::-1]), view), view)[0] == "open_session"


def test_a_frame_of_another_machine_is_found_by_the_end_of_its_path(view: View) -> None:
    hits = frames.find(asked(frames=(Frame("/srv/x/app/url.py", 7, "normalise_url"),)), view)
    assert names_of(hits, view) == ["normalise_url"]


def test_the_function_decides_when_lines_have_moved(view: View) -> None:
    hits = frames.find(asked(frames=(Frame("app/url.py", 999, "split_host"),)), view)
    assert names_of(hits, view) == ["split_host"]


def test_the_line_decides_when_there_is_no_function(view: View) -> None:
    hits = frames.find(asked(frames=(Frame("app/client.py", 14),)), view)
    assert names_of(hits, view) == ["DatabaseClient.connect"]


def test_a_frame_outside_the_workspace_is_nobody(view: View) -> None:
    outside = Frame("/usr/lib/python3.11/json/decoder.py", 355, "normalise_url")
    assert frames.find(asked(frames=(outside,)), view) == []


def test_the_type_of_the_error_comes_after_the_frames(view: View) -> None:
    trace = (Frame("billing/report.py", 5, "total"),)
    hits = frames.find(asked(frames=trace, errors=("billing.report.AmountError",)), view)
    assert names_of(hits, view) == ["Invoice.total", "AmountError"]
    assert hits[1].reason == "error type AmountError"


def test_a_trace_in_a_task_is_read_innermost_first(view: View) -> None:
    query = understand(
        "Traceback (most recent call last):\n"
        '  File "/srv/app/session.py", line 9, in open_session\n'
        "    return client.connect()\n"
        '  File "/srv/app/client.py", line 14, in connect\n'
        "    return normalise_url(self.url)\n"
        '  File "/srv/app/url.py", line 6, in normalise_url\n'
        '    scheme, _, rest = url.partition("://")\n'
        "AttributeError: 'NoneType' object has no attribute 'partition'\n"
    )
    assert names_of(frames.find(query, view), view) == [
        "normalise_url",
        "DatabaseClient.connect",
        "open_session",
    ]
