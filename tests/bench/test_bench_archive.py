"""What an archived run says about the commit it measured."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bench import archive


def test_a_results_file_of_an_earlier_run_is_no_change_of_the_product(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(*arguments: str) -> None:
        author = ("-c", "user.name=A", "-c", "user.email=a@example.com")
        subprocess.run(("git", "-C", str(tmp_path), *author, *arguments), check=True)

    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "first")
    monkeypatch.setattr(archive, "PROJECT", tmp_path)
    (tmp_path / "bench" / "results").mkdir(parents=True)
    (tmp_path / "bench" / "results" / "one.json").write_text("{}")
    assert not archive.commit().endswith("+changes")
    (tmp_path / "bench" / "new.py").write_text("")
    assert archive.commit().endswith("+changes")


def test_a_second_run_into_the_same_file_keeps_the_first(tmp_path: Path) -> None:
    out = tmp_path / "results.json"
    for suite in ("symbols", "search"):
        record = {"suite": suite, "adapter": "sonde", "configuration": "defaults", "cases": {}}
        archive.save([record], [suite], str(out))
    assert [run["suite"] for run in archive.load(out)["runs"]] == ["symbols", "search"]
