"""Commands answered by a running server: it has everything loaded, so only the words travel.

Nothing is imported here that takes long; without a server the command works alone.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

FORWARDED = frozenset({"context", "rank", "why", "symbol", "search", "impact", "tests", "flow"})
_FILE_OPTIONS = ("--diff",)  # whose relative paths the server would not find
_MOST_INPUT = 16 << 20
_CONNECT_SECONDS = 0.5
_ANSWER_SECONDS = 120.0


def ask_server(words: Sequence[str]) -> int | None:
    """The exit code of a command that a server has answered, or None."""
    if not words or words[0] not in FORWARDED or {"-h", "--help"}.intersection(words):
        return None
    if os.environ.get("SONDE_ALONE"):
        return None
    root = _root(_repo(words))
    path = _socket(root) if root else None
    if path is None:
        return None
    answer = _exchange(path, _request(words, root or ""))
    if answer is None:
        return None
    if note := answer.get("note"):
        sys.stderr.write(f"sonde: {note}\n")
    if "code" not in answer:
        return None
    sys.stderr.write(answer["errors"])
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    try:
        sys.stdout.write(answer["out"])
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return int(answer["code"])


def _repo(words: Sequence[str]) -> str:
    for at, word in enumerate(words):
        if word == "--":
            break
        if word == "--repo":
            return words[at + 1] if at + 1 < len(words) else "."
        if word.startswith("--repo="):
            return word.removeprefix("--repo=")
    return "."


def _root(folder: str) -> str:
    """The workspace around a folder, as `workspace_root` finds it; "" when there is no folder."""
    start = os.path.abspath(folder)
    if not os.path.isdir(start):
        return ""
    at = start
    while not os.path.exists(os.path.join(at, ".git")):
        above = os.path.dirname(at)
        if above == at:
            return os.path.realpath(start)
        at = above
    return os.path.realpath(at)


def _socket(root: str) -> str | None:
    """The server's socket, if there is one and it is ours."""
    from sonde.serve.place import socket_path

    path = socket_path(cache_folder(), root)
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return path if found.st_uid == os.getuid() else None


def cache_folder() -> str:
    """What `default_cache` gives, without its imports."""
    if chosen := os.environ.get("SONDE_CACHE_DIR"):
        return os.path.abspath(os.path.expanduser(chosen))
    shared = os.environ.get("XDG_CACHE_HOME", "")
    base = shared if os.path.isabs(shared) else os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "sonde")


def _request(words: Sequence[str], root: str) -> dict[str, Any]:
    from shutil import get_terminal_size

    from sonde import __version__
    from sonde.serve.place import settings_of

    terminal = sys.stdout.isatty()
    colour = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return {
        "version": __version__,
        "root": root,
        "settings": settings_of(os.environ),
        "words": _absolute(words),
        "width": get_terminal_size().columns if terminal else 0,
        "colour": colour,
        "input": _input(words),
    }


def _absolute(words: Sequence[str]) -> list[str]:
    """The words with the paths of files to read made absolute."""
    found = list(words)
    for at, word in enumerate(words):
        for option in (*_FILE_OPTIONS, "--repo"):
            if word == option and at + 1 < len(words) and words[at + 1] != "-":
                found[at + 1] = os.path.abspath(words[at + 1])
            elif word.startswith(f"{option}=") and word != f"{option}=-":
                found[at] = f"{option}={os.path.abspath(word.partition('=')[2])}"
    return found


def _input(words: Sequence[str]) -> str | None:
    """Standard input, if the command reads it; one byte more than allowed shows the excess."""
    if "-" not in words[1:] and not any(word.endswith("=-") for word in words):
        return None
    data = sys.stdin.buffer.read(_MOST_INPUT + 1)
    return data.decode("utf-8", "surrogateescape")


def _exchange(path: str, request: dict[str, Any]) -> dict[str, Any] | None:
    import json
    import socket

    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.settimeout(_CONNECT_SECONDS)
        connection.connect(path)
        connection.settimeout(_ANSWER_SECONDS)
        connection.sendall(json.dumps(request).encode() + b"\n")
        parts = []
        while part := connection.recv(1 << 16):
            parts.append(part)
        answer = json.loads(b"".join(parts))
        return answer if isinstance(answer, dict) else None
    except (OSError, ValueError):
        return None
    finally:
        connection.close()
