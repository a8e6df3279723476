"""A quiet folder is not walked again, and no change is ever missed."""

from __future__ import annotations

import os
import random
import sys

import pytest
from example_repository import write

from sonde.answers.quiet import Quiet

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="notices are those of Linux")


@pytest.fixture
def quiet(tmp_path):
    write(tmp_path, {"a/x.py": "1", "b/c/y.py": "2", ".git/info/exclude": ""})
    listening = Quiet(tmp_path)
    listening.arm()
    yield listening
    listening.close()


def test_nothing_happened_is_known(quiet, tmp_path):
    assert quiet.is_quiet()
    (tmp_path / "a/x.py").read_text()
    assert quiet.is_quiet()


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "a/x.py").write_text("3"),
        lambda root: (root / "b/c/new.py").write_text("3"),
        lambda root: (root / "a/x.py").unlink(),
        lambda root: (root / "a/x.py").rename(root / "b/x.py"),
        lambda root: (root / "b/c").rename(root / "b/d"),
        lambda root: (root / "e/f").mkdir(parents=True),
        lambda root: os.utime(root / "a/x.py", ns=(1, 1)),
        lambda root: (root / "a/x.py").chmod(0o600),
        lambda root: (root / ".git/info/exclude").write_text("*.py"),
    ],
    ids=["write", "create", "delete", "move", "move folder", "folder", "touch", "mode", "exclude"],
)
def test_every_kind_of_change_is_noticed_at_once(quiet, tmp_path, change):
    change(tmp_path)
    assert not quiet.is_quiet()
    quiet.arm()
    assert quiet.is_quiet()


def test_folders_made_later_are_listened_to_as_well(quiet, tmp_path):
    write(tmp_path, {"new/deep/z.py": "1"})
    assert not quiet.is_quiet()
    quiet.arm()
    write(tmp_path, {"new/deep/z.py": "2"})
    assert not quiet.is_quiet()


def test_a_checkout_that_made_a_folder_had_all_folders_looked_at_again(
    quiet, tmp_path, monkeypatch
):
    looked = []
    real = os.scandir
    monkeypatch.setattr(os, "scandir", lambda folder: looked.append(str(folder)) or real(folder))
    write(tmp_path, {"new/deep/z.py": "1"})
    (tmp_path / "b/c/y.py").unlink()
    (tmp_path / "b/c").rmdir()
    assert not quiet.is_quiet()
    quiet.arm()
    assert sorted(set(looked)) == [str(tmp_path / "new"), str(tmp_path / "new/deep")]


@pytest.mark.parametrize("again", ["made", "moved", "opened"])
def test_a_folder_that_was_gone_is_listened_to_when_it_is_back(quiet, tmp_path, again):
    if again == "made":
        (tmp_path / "b/c/y.py").unlink()
        (tmp_path / "b/c").rmdir()
        quiet.arm()
        write(tmp_path, {"b/c/y.py": "2"})
    elif again == "moved":
        (tmp_path / "b/c").rename(tmp_path / "a/c")
        quiet.arm()
        (tmp_path / "a/c").rename(tmp_path / "b/c")
    else:
        (tmp_path / "b").chmod(0)
        quiet.arm()
        (tmp_path / "b").chmod(0o755)
        write(tmp_path, {"b/c/deeper/z.py": "1"})
    assert not quiet.is_quiet()
    quiet.arm()
    write(tmp_path, {"b/c/y.py": "3"})
    assert not quiet.is_quiet()
    quiet.arm()
    assert quiet.is_quiet()


def test_before_it_is_armed_and_after_it_is_closed_nothing_is_sure(tmp_path):
    listening = Quiet(tmp_path)
    assert not listening.is_quiet()
    listening.arm()
    assert listening.is_quiet()
    listening.close()
    assert not listening.is_quiet()


def test_a_quiet_workspace_is_not_walked_again(engine, repository, monkeypatch):
    for _ in range(3):
        engine.symbol("DatabaseClient")
    walks = []
    monkeypatch.setattr("sonde.sync.update.changes_seen_by", lambda *given: walks.append(given))
    assert engine.symbol("DatabaseClient").found
    assert walks == []


def test_random_edits_between_questions_are_all_seen(engine, repository):
    chance = random.Random(11)
    alive: set[str] = set()
    for number in range(25):
        if alive and chance.random() < 0.4:
            gone = chance.choice(sorted(alive))
            alive.remove(gone)
            (repository / f"pkg/{gone}/mod.py").unlink()
        if chance.random() < 0.7:
            name = f"made_{number}"
            alive.add(name)
            write(repository, {f"pkg/{name}/mod.py": f"def {name}():\n    pass\n"})
        known = {each.name for each in engine.symbols() if each.name.startswith("made_")}
        assert known == alive
