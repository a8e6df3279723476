"""Documentation and tests as witnesses of what a task means."""

from __future__ import annotations

from pathlib import Path

import pytest
from indexed_view import asked, names_of, reasons, view_over

from sonde.retrieve import documentation, tested
from sonde.retrieve.view import View
from sonde.understand.query import understand

GUIDE = {
    "docs/guide.md": "# Photographs\n\nTo keep photographs, call `Vault.store_blob`.\n\n"
    "# Weather\n\nRain is told by `forecast()`.\n",
    "vault.py": "class Vault:\n    def store_blob(self, blob):\n        return blob\n",
    "sky.py": "def forecast():\n    return 1\n\n\nclass Other:\n    def store_blob(self):\n"
    "        return 2\n",
}


def test_a_section_about_the_task_votes_for_the_symbols_it_names(tmp_path: Path) -> None:
    with view_over(GUIDE, tmp_path) as view:
        hits = documentation.find(understand("keep photographs"), view)
        found = reasons(hits, view)
    assert found["Vault.store_blob"].startswith("named in docs/guide.md:")
    assert "Other.store_blob" not in found


@pytest.mark.parametrize(
    ("prose", "names"),
    [
        ("To keep it, call `store_blob()` twice.", ["store_blob"]),
        ("A Vault of GuardedVault, not VAULT2 or vault", ["GuardedVault"]),
        ("plain words, then old_name", ["old_name"]),
        ("vault.open() and close(), then go()", ["open", "close"]),
        ("``a`` `too far `~.Vault.store_blob`", ["Vault.store_blob"]),
        ("Größe_x is_it half`open", ["e_x", "is_it"]),
        ("_private 2fa_code x_2 Http2Server.serve", ["x_2", "Http2Server.serve"]),
        ("", []),
    ],
)
def test_names_are_found_among_all_that_prose_has_around_them(prose: str, names: list[str]) -> None:
    assert documentation.names_in(prose.encode()) == names


def test_without_prose_the_documentation_is_silent(tmp_path: Path) -> None:
    code = {path: text for path, text in GUIDE.items() if path.endswith(".py")}
    with view_over(code, tmp_path) as view:
        assert documentation.find(understand("keep photographs"), view) == []


def test_what_a_test_about_the_task_calls_is_proposed(view: View) -> None:
    found = reasons(tested.find(asked(components=("render", "table")), view), view)
    assert found["render_table"] == "used by test_render_table"


def test_tests_themselves_are_not_proposed_by_tests(view: View) -> None:
    hits = tested.find(asked(components=("connect", "client", "scheme")), view)
    assert names_of(hits, view)
    assert not any(view.is_test(hit.id) for hit in hits)
