"""Write the golden ranking again: `make golden`."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from golden_ranking import GOLDEN, ask_all, golden_text


def main() -> None:
    """Ask every query and write what came."""
    with TemporaryDirectory(prefix="golden-") as scratch:
        GOLDEN.write_text(golden_text(ask_all(Path(scratch))), "utf-8")
    print(GOLDEN.name)


if __name__ == "__main__":
    main()
