"""The documentation is true: help texts, command lines, Python examples and links."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from sonde.cli.commands import SUMMARIES, load
from sonde.cli.outcome import Failure

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]

CLIENT = '''class DatabaseClient:
    """One connection to the database."""

    def connect(self, url: str) -> bool:
        """Open the connection."""
        return bool(url)


def open_session(client: DatabaseClient) -> bool:
    return client.connect("db://")


def writer_lock() -> None:
    """The lock that the writing process holds."""
'''


def _blocks(page: Path, language: str) -> list[str]:
    text = re.sub(r"^````.*?^````$", "", page.read_text("utf-8"), flags=re.M | re.S)
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def _command_lines() -> list[tuple[str, str]]:
    """(page, command line) of each `sonde …` that a page tells the reader to run."""
    found = []
    for page in PAGES:
        text = page.read_text("utf-8")
        lines = re.findall(r"^\$ (.+)$", text, re.M)
        if page.name == "cli.md":
            lines += re.findall(r"^  ((?:git .*\| )?sonde .+)$", text, re.M)
        found += [(page.name, line) for line in lines if re.match(r"(git .*\| )?sonde ", line)]
    return found


def test_the_reference_is_what_the_help_texts_say() -> None:
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        import cli_reference
    finally:
        sys.path.pop(0)
    assert cli_reference.PAGE.read_text("utf-8") == cli_reference.reference(), "run 'make docs'"


def test_every_command_has_an_example_and_a_place_in_the_guide_or_reference() -> None:
    reference = (ROOT / "docs" / "cli.md").read_text("utf-8")
    for name in SUMMARIES:
        assert f"## sonde {name}\n" in reference
        assert f"  sonde {name}" in reference or f"| sonde {name}" in reference


@pytest.mark.parametrize(("page", "line"), _command_lines())
def test_every_command_line_in_the_documentation_is_accepted(page: str, line: str) -> None:
    words = shlex.split(line.rpartition("| ")[2].split(" < ")[0], comments=True)
    assert words[1] in SUMMARIES, line
    try:
        load(words[1]).parser.parse_args(words[2:])
    except Failure as failure:
        pytest.fail(f"{page}: {line}: {failure}")


@pytest.mark.parametrize(
    ("page", "program"),
    [(page.name, block) for page in PAGES for block in _blocks(page, "python")],
)
def test_every_python_example_runs(page: str, program: str, tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    repo.mkdir()
    (repo / "client.py").write_text(CLIENT)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        cwd=repo,
        env={"SONDE_CACHE_DIR": str(tmp_path / "cache"), "HOME": str(tmp_path), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, f"{page}: {done.stderr}"
    assert "client.py" in done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    text = re.sub(r"^(`{3,}).*?^\1", "", page.read_text("utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        if not target.startswith(("http://", "https://")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_setting_is_in_the_guide() -> None:
    from sonde.config import _SETTERS, _USERS_OWN

    guide = (ROOT / "docs" / "guide.md").read_text("utf-8")
    (settings,) = _blocks(ROOT / "docs" / "guide.md", "toml")
    assert {line.split(" =")[0] for line in settings.splitlines()} == set(_SETTERS) - _USERS_OWN
    for key in ("cache_dir", *_USERS_OWN):
        assert f"| `SONDE_{key.upper()}` |" in guide


def test_every_make_target_that_is_named_exists() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.M))
    named = {page: re.findall(r"`make ([a-z-]+)", page.read_text("utf-8")) for page in PAGES}
    assert any(named.values())
    for page, found in named.items():
        assert set(found) <= targets, page.name
