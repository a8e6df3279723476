"""The words of the command line → one command, run; any error is one line."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence

from sonde.cli.commands import SUMMARIES, load, overview
from sonde.cli.console import Console, cut, safe
from sonde.cli.outcome import ERROR, FOUND, INTERRUPTED, Failure

_OF_EVERY_COMMAND = ("--repo", "--json", "-q", "--quiet")
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def dispatch(words: Sequence[str]) -> int:
    """Run the command that the words ask for and return its exit code."""
    return dispatch_to(words, Console.of_process())


def dispatch_to(words: Sequence[str], console: Console) -> int:
    """The same, printing to some console."""
    try:
        code = _run(words, console)
        console.out.flush()
    except Failure as failure:
        console.note(str(failure))
        return failure.code
    except KeyboardInterrupt:
        console.note("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has seen enough; nothing is left to say, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FOUND
    except OSError as error:
        if error.errno not in _FULL:
            return _internal(error, console)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        console.note(f"cannot write: {error.strerror}")
        return ERROR
    except Exception as error:
        return _internal(error, console)
    return code


def _internal(error: Exception, console: Console) -> int:
    if os.environ.get("SONDE_TRACEBACK"):
        raise error
    console.note(
        f"internal error, {type(error).__name__}: {cut(str(error), 200)}"
        " (SONDE_TRACEBACK=1 shows where; please report it)"
    )
    return ERROR


def _run(words: Sequence[str], console: Console) -> int:
    if not words or words[0] in ("-h", "--help", "help"):
        return _help(words[1:], console)
    name, *rest = words
    if name not in SUMMARIES:
        raise Failure(_unknown(name))
    command = load(name)
    try:
        arguments = command.parser.parse(rest)
    except SystemExit:  # argparse ends the process after --help
        return FOUND
    return command.run(arguments, console)


def _help(names: Sequence[str], console: Console) -> int:
    if not names:
        console.document(overview())
        return FOUND
    if names[0] not in SUMMARIES:
        raise Failure(_unknown(names[0]))
    console.document(load(names[0]).parser.format_help())
    return FOUND


def _unknown(name: str) -> str:
    import difflib  # only for those who mistype

    if name.partition("=")[0] in _OF_EVERY_COMMAND:
        return f"'{safe(name[:60])}' comes after the command: sonde COMMAND {safe(name[:60])} …"
    near = difflib.get_close_matches(name, SUMMARIES, 1)
    hint = f"did you mean '{near[0]}'?" if near else "see 'sonde --help'"
    what = "option" if name.startswith("-") else "command"
    return f"unknown {what} '{safe(name[:60])}': {hint}"
