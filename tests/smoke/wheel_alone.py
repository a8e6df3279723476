"""The wheel, installed alone in an empty environment, does the main job.

Run by `make smoke`; not collected by pytest, because building an environment takes its time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]

FILES = {
    "shop/client.py": '''"""Talks to the shop."""


class ShopClient:
    """One connection to the shop."""

    def connect(self, url: str) -> bool:
        """Open the connection; an empty address is refused."""
        return bool(url)
''',
    "shop/order.py": """from shop.client import ShopClient


def place_order(client: ShopClient) -> bool:
    return client.connect("https://shop.example")
""",
    "web/cart.ts": "export function addToCart(item: string): string {\n  return item;\n}\n",
}


def main() -> int:
    """Build, install, ask; a failed step ends with its output."""
    with TemporaryDirectory(prefix="wheel-") as folder:
        place = Path(folder)
        build = [sys.executable, "-m", "build", "--wheel", "--outdir", str(place), str(ROOT)]
        _run(build, ROOT, {})
        (wheel,) = place.glob("*.whl")
        environment = place / "empty"
        venv.create(environment, with_pip=True)
        programs = environment / ("Scripts" if os.name == "nt" else "bin")
        _run([str(programs / "python"), "-m", "pip", "install", "-q", str(wheel)], place, {})
        _check(str(programs / "sonde"), place)
    print("smoke: the wheel works alone")
    return 0


def _check(sonde: str, place: Path) -> None:
    repo = place / "repo"
    for name, text in FILES.items():
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_text(text)
    cache = {"SONDE_CACHE_DIR": str(place / "cache")}
    assert _run([sonde, "--version"], repo, cache).startswith("sonde ")
    _run([sonde, "doctor"], repo, cache)
    _run([sonde, "index"], repo, cache)
    symbols = [json.loads(line) for line in _run([sonde, "symbols"], repo, cache).splitlines()]
    names = {symbol["name"] for symbol in symbols}
    assert {"ShopClient", "ShopClient.connect", "place_order", "addToCart"} <= names, names
    answer = _run([sonde, "context", "ShopClient.connect fails for an empty URL"], repo, cache)
    assert "def connect(self, url: str) -> bool" in answer, answer
    assert not (repo / ".sonde").exists()
    assert sorted(path.name for path in repo.iterdir()) == ["shop", "web"]


def _run(command: Sequence[str], folder: Path, extra: dict[str, str]) -> str:
    """Output of a command that must succeed, without what this process's Python sees."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")} | extra
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(
            f"smoke: {' '.join(command)} ended with {done.returncode}\n"
            f"{done.stdout[-2000:]}{done.stderr[-4000:]}"
        )
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
