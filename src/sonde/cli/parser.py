"""Arguments of a command: what all commands share, and errors in one line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn

from sonde.cli.outcome import Failure

_PLAIN = "\0"  # before a word that is not an option although it begins like one
_SURPLUS = "unrecognized arguments: "  # as argparse puts it
_WIDTH = 79  # the same on every terminal, so that the help can be compared with the reference


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

    def parse(self, words: Sequence[str]) -> argparse.Namespace:
        """The arguments; options may come first, and nothing after -- is an option."""
        at = words.index("--") if "--" in words else len(words)
        # Python's intermixed parsing ignores the mark and takes what follows for options.
        plain = [_PLAIN + word if word.startswith("-") else word for word in words[at + 1 :]]
        found = self.parse_intermixed_args([*words[:at], *plain])
        for name, value in vars(found).items():
            if isinstance(value, str):
                setattr(found, name, value.removeprefix(_PLAIN))
            elif isinstance(value, list):
                setattr(found, name, [_without_mark(each) for each in value])
        return found

    def error(self, message: str) -> NoReturn:
        """One line instead of argparse's usage block."""
        told = message.replace(_PLAIN, "")
        if told.startswith(_SURPLUS) and not told.startswith(f"{_SURPLUS}-") and self._takes_words:
            told += "; put several words in quotes"
        raise Failure(f"{told} (see '{self.prog} --help')")

    @property
    def _takes_words(self) -> bool:
        return any(not each.option_strings for each in self._actions)


def _without_mark(value: object) -> object:
    return value.removeprefix(_PLAIN) if isinstance(value, str) else value


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
