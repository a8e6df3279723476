"""A cache folder inside of the workspace, as `SONDE_CACHE_DIR=.cache` makes it."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from example_repository import write

from sonde import Engine
from sonde.config import Settings, load_settings
from sonde.sync.watch import Watched

FILES = {f"part{n}.py": f"def part_{n}():\n    return part_{n + 1}()\n" for n in range(40)}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, FILES)
    return tmp_path


def inside(root: Path) -> Settings:
    settings = load_settings(root, {"SONDE_CACHE_DIR": str(root / "kept")}, {})
    assert isinstance(settings, Settings)
    return settings


def test_reading_its_own_database_as_a_file_cost_the_locks_on_it(root: Path) -> None:
    """Linking then took five seconds a file, and no file had links."""
    with Engine(root, inside(root)) as engine:
        for _ in range(2):  # the second time with all databases in place
            began = time.monotonic()
            engine.sync()
            assert time.monotonic() - began < 30
            write(root, {"later.py": "def later():\n    return 1\n"})
        card = engine.symbol("part_1")
        assert [each.symbol.name for each in card.found[0].callers] == ["part_0"]
        assert not [each for each in engine.symbols() if each.file.startswith("kept/")]
        shown = engine.status()
        assert not [each for each in shown.skipped if each.path.startswith("kept/")]


def test_what_a_sync_wrote_woke_the_watch_again(root: Path) -> None:
    seen: list[Watched] = []
    stop = threading.Event()
    with Engine(root, inside(root)) as engine:
        engine.sync()
        thread = threading.Thread(target=engine.watch, args=(stop, seen.append))
        thread.start()
        deadline = time.monotonic() + 15
        while not seen and time.monotonic() < deadline:
            time.sleep(0.05)
        write(root, {"later.py": "def later():\n    return 1\n"})
        time.sleep(3.0)
        stop.set()
        thread.join(10)
    assert 1 < len(seen) < 6
