"""A small repository, indexed once, and ways to run `sonde` on it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sonde.cli import main

FILES = {
    "bank/client.py": '''"""Talks to the bank."""


class Client:
    """One connection to the bank."""

    def connect(self, url: str) -> bool:
        """Open the connection; an empty address is refused."""
        return bool(normalise_url(url))


def normalise_url(url: str) -> str:
    """The address without spaces."""
    return url.strip()
''',
    "bank/payment.py": '''"""Payments."""

from bank.client import Client


class PaymentError(Exception):
    """A payment that the bank refused."""


def pay(client: Client, amount: int) -> int:
    """Send money over a connected client."""
    if not client.connect("https://bank.example"):
        raise PaymentError("the bank does not answer")
    return amount


def refund(client: Client, amount: int) -> int:
    """Take a payment back."""
    return -pay(client, amount)
''',
    "tests/test_payment.py": """from bank.client import Client
from bank.payment import pay


def test_pay_returns_the_amount() -> None:
    assert pay(Client(), 3) == 3
""",
    "web/cart.ts": "export function addToCart(item: string): string {\n  return item;\n}\n",
    "README.md": "# Bank\n\nPays.\n",
}


class Ran(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The answer of a --json command."""
        return json.loads(self.out)


Sonde = Callable[..., Ran]


@pytest.fixture(scope="session")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The repository and the cache folder with its index."""
    place = tmp_path_factory.mktemp("cli")
    repo, cache = place / "repo", place / "cache"
    for name, text in FILES.items():
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_text(text)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-C", str(repo)]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "first"], check=True)
    ran_apart(["index", "--repo", str(repo)], cache)
    return repo, cache


@pytest.fixture
def repo(indexed: tuple[Path, Path]) -> Path:
    """The indexed repository; tests that change files take `own_repo`."""
    return indexed[0]


@pytest.fixture
def own_repo(indexed: tuple[Path, Path], tmp_path: Path) -> Path:
    """A copy of the repository that a test may change."""
    copy = tmp_path / "repo"
    shutil.copytree(indexed[0], copy)
    return copy


@pytest.fixture
def sonde(
    indexed: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Sonde:
    """Run a command inside this process, in the indexed repository."""
    monkeypatch.setenv("SONDE_CACHE_DIR", str(indexed[1]))
    monkeypatch.chdir(indexed[0])

    def run(*words: str) -> Ran:
        code = main(words)
        return Ran(code, *capsys.readouterr())

    return run


def ran_apart(
    words: list[str], cache: Path, cwd: Path | None = None, stdin: bytes | None = None
) -> Ran:
    """Run a command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "sonde", *words],
        cwd=cwd,
        env={**os.environ, "SONDE_CACHE_DIR": str(cache)},
        input=stdin,
        capture_output=True,
        check=False,
        timeout=60,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
