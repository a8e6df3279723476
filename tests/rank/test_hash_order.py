"""Scores do not depend on the order of a set, which is another one in every process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_WORDS = (
    "parse", "signed", "cookie", "header", "token", "expiry", "nonce", "issuer", "audience",
    "digest", "salt", "window", "clock", "leeway", "revoke",
)  # fmt: skip
_ASK = (
    "import sys; from sonde import Engine\n"
    "with Engine(sys.argv[1]) as engine:\n"
    "    print([one.contributions for one in engine.rank(sys.argv[2]).ranked])\n"
)


def _contributions(repository: Path, cache: Path, seed: int) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": str(seed), "SONDE_CACHE_DIR": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", _ASK, str(repository), f"check the {' '.join(_WORDS)} of it"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_words_of_a_doc_are_added_up_in_one_order_in_every_process(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    repository.mkdir()
    functions = [
        f'def check_{number}():\n    """Check the {" ".join(_WORDS[number:])}."""\n    return 1\n'
        for number in range(8)
    ]
    (repository / "checks.py").write_text("\n\n".join(functions))
    found = {_contributions(repository, tmp_path / "cache", seed) for seed in (1, 2, 3)}
    assert len(found) == 1
    assert "doc-match" in found.pop()
