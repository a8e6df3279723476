"""Documentation and tests as witnesses of what a task means."""

from __future__ import annotations

from pathlib import Path

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
