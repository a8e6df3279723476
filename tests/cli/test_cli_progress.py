"""Progress: a bar on a terminal, plain lines elsewhere, nothing for short work."""

from __future__ import annotations

import io

import pytest

from sonde.cli import progress as module
from sonde.cli.progress import ProgressBar
from sonde.sync.report import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that the test moves."""
    now = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    return now


def test_the_bar_tells_share_rate_and_time_left_and_goes_away(clock: list[float]) -> None:
    stream = Terminal()
    bar = ProgressBar(stream)
    bar(Progress("extract", 0, 1000))
    clock[0] += 2.0
    bar(Progress("extract", 500, 1000))
    bar.end()
    text = stream.getvalue()
    assert "500/1,000  250/s  0:02 left" in text
    assert "50%" in text
    assert text.endswith("\r\x1b[K")


@pytest.mark.parametrize("columns", [1, 20, 40, 80, 120])
def test_the_bar_never_wraps(clock: list[float], columns: int) -> None:
    bar = ProgressBar(Terminal())
    bar(Progress("link", 0, 12_345))
    clock[0] += 10.0
    assert len(bar.bar(Progress("link", 6_000, 12_345), clock[0], columns)) <= max(columns - 1, 1)


def test_elsewhere_there_are_plain_lines_seldom(clock: list[float]) -> None:
    stream = io.StringIO()
    bar = ProgressBar(stream)
    for done in range(101):
        clock[0] += 0.1
        bar(Progress("extract", done, 100))
    bar.end()
    lines = stream.getvalue().splitlines()
    assert 2 <= len(lines) <= 3
    assert lines[-1].startswith("sonde: reading ")
    assert "\r" not in stream.getvalue()


def test_short_work_shows_nothing(clock: list[float]) -> None:
    stream = Terminal()
    bar = ProgressBar(stream)
    bar(Progress("extract", 1, 2))
    clock[0] += 0.1
    bar(Progress("extract", 2, 2))
    bar.end()
    assert stream.getvalue() == ""
