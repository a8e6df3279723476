"""Arguments of a command: what all commands share, and errors in one line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn

from sonde.cli.outcome import Failure

_WIDTH = 79  # the same help on every terminal, so that the reference can be compared with it


class _Formatter(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26, width=_WIDTH)


class CommandParser(argparse.ArgumentParser):
    """The parser of one command, with --repo, --json and --quiet."""

    def __init__(self, name: str, usage: str, description: str, examples: Sequence[str]) -> None:
        lines = "\n".join(f"  {example}" for example in examples)
        super().__init__(
            prog=f"sonde {name}",
            usage=f"sonde {name} {usage}".rstrip(),
            description=description.strip(),
            epilog=f"{'examples' if len(examples) > 1 else 'example'}:\n{lines}",
            formatter_class=_Formatter,
            allow_abbrev=False,
        )
        self.add_argument(
            "--repo",
            metavar="DIR",
            default=".",
            help="folder to work on (default: the workspace around the current folder)",
        )
        self.add_argument("--json", action="store_true", help="print JSON for programs")
        self.add_argument("-q", "--quiet", action="store_true", help="show no progress")

    def error(self, message: str) -> NoReturn:
        """One line instead of argparse's usage block."""
        raise Failure(f"{message} (see '{self.prog} --help')")


def whole_number(low: int, high: int) -> type[int]:
    """An argument type: a whole number within limits."""

    class Whole(int):
        def __new__(cls, text: str) -> Whole:
            try:
                number = int(text)
            except ValueError:
                raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number") from None
            if not low <= number <= high:
                raise argparse.ArgumentTypeError(f"must be from {low} to {high}")
            return super().__new__(cls, number)

    return Whole
