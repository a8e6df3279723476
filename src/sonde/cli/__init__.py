"""The command line. This module answers `--version` before anything else is imported."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # importing typing for its flag would double the time of --version
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 found, 1 nothing found, 2 error."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] in (["--version"], ["-V"]):
        from sonde import __version__

        print(f"sonde {__version__}")
        return 0
    open_closed_streams()
    from sonde.cli.remote import ask_server

    code = ask_server(words)
    if code is not None:
        return code
    from sonde.cli.dispatch import dispatch

    one_thread()
    collect_rarely()
    return dispatch(words)


def open_closed_streams() -> None:
    """Let a stream that was closed by whoever started us lead nowhere; to Python it is None."""
    import os

    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115


def one_thread() -> None:
    """Keep numpy's numeric library from starting threads, unless the user chose a number.

    Our matrix products are too small for them, and starting them took a quarter of numpy's import.
    """
    import os

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def collect_rarely() -> None:
    """Make this process look for cyclic garbage less often.

    Answers are trees of immutable values and free themselves; looking as often as Python does by
    default took a fifth of the time of a question.
    """
    import gc

    gc.set_threshold(50_000, 20, 50)
