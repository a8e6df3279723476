"""Tables fit the terminal and keep what tells symbols apart."""

from __future__ import annotations

import io

import pytest

from sonde.cli import console as module
from sonde.cli.console import Console, counted, cut, duration, size
from sonde.cli.layout import table


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


ROWS = [
    ("1", "SecureCookieSessionInterface.save_session", "src/flask/sessions.py:350-398", "named x"),
    ("2", "pay", "a.py:1", "text matches session, cookie, refreshed and much more of the kind"),
]


def _shown(columns: int, monkeypatch: pytest.MonkeyPatch, *, prose: bool) -> list[str]:
    monkeypatch.setenv("COLUMNS", str(columns))
    out = Terminal()
    table(Console(out, out, colour=False), ROWS, 2, prose=prose)
    return out.getvalue().splitlines()


@pytest.mark.parametrize("columns", [40, 80, 100, 120, 200])
@pytest.mark.parametrize("prose", [True, False])
def test_no_line_is_wider_than_the_terminal(
    columns: int, prose: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert all(len(line) <= columns for line in _shown(columns, monkeypatch, prose=prose))


def test_names_lose_their_front_and_words_their_end(monkeypatch: pytest.MonkeyPatch) -> None:
    narrow = _shown(60, monkeypatch, prose=True)
    assert "Interface.save_session" in narrow[0]
    assert "sessions.py:350-398" in narrow[0]
    wide = _shown(110, monkeypatch, prose=True)
    assert "text matches" in wide[1]
    assert wide[1].endswith("…")


def test_text_of_a_repository_cannot_move_the_cursor() -> None:
    assert cut("a\x1b[2Jb\r\nc", 50) == "a\\x1b[2Jb c"
    assert module.safe("x\ny") == "x\\ny"


def test_counts_and_measures_read_as_people_say_them() -> None:
    assert counted(1, "file") == "1 file"
    assert counted(12_345, "query") == "12,345 queries"
    assert [duration(s) for s in (0.25, 2.5, 300, 7200, 400_000)] == [
        "250 ms",
        "2.5 s",
        "5 min",
        "2.0 h",
        "4 days",
    ]
    assert [size(n) for n in (999, 1500, 2_500_000, 3e9)] == ["999 B", "1.5 kB", "2.5 MB", "3.0 GB"]
