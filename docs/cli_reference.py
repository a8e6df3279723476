"""Writes docs/cli.md from the commands' own help texts; a test compares the two."""

from __future__ import annotations

from pathlib import Path

from sonde.cli.commands import SUMMARIES, load, overview

PAGE = Path(__file__).with_name("cli.md")

_HEADER = """# Command line reference

Written by `make docs` from the help texts; do not edit. The [guide](guide.md) shows the commands at
work.

Exit codes are the same everywhere: 0 found, 1 nothing found, 2 error (one line on stderr), 130
interrupted. Answers go to stdout, progress and notes to stderr.
"""


def reference() -> str:
    """The whole page."""
    parts = [_HEADER, f"```text\n{overview()}```\n"]
    for name, summary in SUMMARIES.items():
        text = load(name).parser.format_help()
        parts.append(
            f"## sonde {name}\n\n{summary[0].upper()}{summary[1:]}.\n\n```text\n{text}```\n"
        )
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
