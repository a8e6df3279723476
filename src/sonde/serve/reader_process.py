"""The process that answers tasks beside a busy server.

It answers frames on stdin with frames on stdout and ends with its stdin, so that no orphan
survives the server.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import IO

from sonde.answers.elsewhere import Asked, Reader
from sonde.answers.pack_codec import encode_answer
from sonde.answers.packing import Options
from sonde.answers.results import Answer
from sonde.serve.memory import settle
from sonde.store.location import workspace
from sonde.sync.frames import pack_frame, read_frame


def main() -> None:
    """Say "" when ready, then answer; the answer "" means that the server has to answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    settle()
    questions = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else prints must not break the frames
    root, cache = read_frame(questions) or ("", "")
    reader = Reader(workspace(Path(root), Path(cache)))
    reader.warm()
    _send(answers, "")
    while (message := read_frame(questions)) is not None:
        task, options, *rest = message
        try:
            answer = reader.answer(Asked(task, Options(*options), *rest))
        except Exception:  # an error costs this answer only; the server will report it
            answer = None
            reader.close()
        _send(answers, encode_answer(answer) if isinstance(answer, Answer) else "")


def _send(stream: IO[bytes], text: str) -> None:
    stream.write(pack_frame(text))
    stream.flush()


if __name__ == "__main__":
    main()
