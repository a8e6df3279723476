"""Task texts as users give them: an argument, or `-` for standard input."""

from __future__ import annotations

from sonde.cli.borrowed import path_of, standard_input
from sonde.cli.console import safe
from sonde.cli.outcome import Failure
from sonde.cli.parser import CommandParser
from sonde.pack.tokens import TOKENIZERS

_MOST_BYTES = 16 << 20  # of standard input or a file: far beyond any diff worth reviewing


def add_task(parser: CommandParser, *, optional: bool = False) -> None:
    """The TASK argument."""
    parser.add_argument(
        "task",
        metavar="TASK",
        nargs="?" if optional else None,
        help="what is to be done, in plain words, an issue's text or a stack trace; - reads stdin",
    )


def add_change(parser: CommandParser, done: str) -> None:
    """The two ways to give a change, and what is to be done with it."""
    parser.add_argument("--pr", metavar="BASE..HEAD", help=f"commits {done}")
    parser.add_argument("--diff", metavar="FILE", help=f"a patch {done}; - reads stdin")


def add_without(parser: CommandParser) -> None:
    """The --without option."""
    parser.add_argument(
        "--without",
        metavar="RULE",
        action="append",
        default=[],
        help="leave out a ranking rule or channel by name; may be repeated",
    )


def add_tokenizer(parser: CommandParser) -> None:
    """The --tokenizer option."""
    parser.add_argument(
        "--tokenizer",
        metavar="NAME",
        choices=TOKENIZERS,
        help=f"how tokens are counted: {', '.join(TOKENIZERS)} (default: o200k)",
    )


def task_text(argument: str) -> str:
    """The text of a task."""
    return (
        text_of("-") if argument == "-" else _decoded(argument.encode("utf-8", "surrogateescape"))
    )


def patch_of(source: str) -> str:
    """The text of a patch. Who names commits instead of a file is told where these go."""
    if source != "-" and not path_of(source).exists():
        raise Failure(
            f"--diff: there is no file '{safe(source)}'; a range of commits is given with --pr"
        )
    return text_of(source)


def text_of(source: str) -> str:
    """A file's text, or standard input's for `-`."""
    return _decoded(bytes_of(source, _MOST_BYTES))


def bytes_of(source: str, most: int) -> bytes:
    """A file's bytes, or standard input's for `-`; more than `most` are refused."""
    try:
        if source == "-":
            data = standard_input().read(most + 1)
        else:
            with path_of(source).open("rb") as file:
                data = file.read(most + 1)
    except OSError as error:
        raise Failure(f"cannot read {safe(source)}: {error.strerror}") from None
    if len(data) > most:
        where = "standard input" if source == "-" else safe(source)
        raise Failure(f"{where} is larger than {most >> 20} MiB")
    return data


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")
