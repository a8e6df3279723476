"""Commands answered by a running server, which has everything loaded: only the words travel.

Nothing is imported here that takes long; without a server the command works alone.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

FORWARDED = frozenset(
    {"context", "session", "rank", "why", "symbol", "search", "impact", "tests", "flow"}
)
_MOST_INPUT = 16 << 20  # bytes that travel; a command that takes more reads them itself
_CONNECT_SECONDS = 0.5
_ANSWER_SECONDS = 120.0
_ERROR, _INTERRUPTED = 2, 130  # as in `outcome`, whose imports cost more than the whole exchange


def ask_server(words: Sequence[str]) -> int | None:
    """The exit code of a command that a server has answered, or None."""
    if not words or words[0] not in FORWARDED or {"-h", "--help"}.intersection(words):
        return None
    if os.environ.get("SONDE_ALONE"):
        return None
    try:
        return _ask(words)
    except KeyboardInterrupt:
        sys.stderr.write("sonde: interrupted\n")
        return _INTERRUPTED


def _ask(words: Sequence[str]) -> int | None:
    root = _root(_repo(words))
    path = _socket(root) if root else None
    if path is None:
        return None
    given = _input(words)
    answer = None
    if given is None or len(given) <= _MOST_INPUT:
        answer = _exchange(path, _request(words, root or "", given))
    if answer is not None and (note := answer.get("note")):
        sys.stderr.write(f"sonde: {note}\n")
    if answer is None or "code" not in answer:
        if given is not None:
            from sonde.cli.borrowed import give_back

            give_back(given)
        return None
    sys.stderr.write(answer["errors"])
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    try:
        sys.stdout.write(answer["out"])
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            sys.stderr.write(f"sonde: cannot write: {error.strerror}\n")
            return _ERROR
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
    """The workspace around a folder, as `workspace_root` finds it; "" if there is no folder."""
    try:
        start = os.path.join(os.getcwd(), folder)
    except FileNotFoundError:  # the command itself reports that the current folder is gone
        return ""
    start = os.path.normpath(start)
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
    """What `default_cache` returns, without its imports."""
    if chosen := os.environ.get("SONDE_CACHE_DIR"):
        return os.path.abspath(os.path.expanduser(chosen))
    shared = os.environ.get("XDG_CACHE_HOME", "")
    base = shared if os.path.isabs(shared) else os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "sonde")


def _request(words: Sequence[str], root: str, given: bytes | None) -> dict[str, Any]:
    from shutil import get_terminal_size

    from sonde import __version__
    from sonde.serve.place import settings_of

    terminal = sys.stdout.isatty()
    colour = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return {
        "version": __version__,
        "root": root,
        "settings": settings_of(os.environ),
        "words": list(words),
        "folder": os.getcwd(),
        "width": get_terminal_size().columns if terminal else 0,
        "colour": colour,
        "input": None if given is None else given.decode("utf-8", "surrogateescape"),
    }


def _input(words: Sequence[str]) -> bytes | None:
    """Standard input, if the command reads it; one byte more than may travel shows an excess."""
    if "-" not in words[1:] and not any(word.endswith("=-") for word in words):
        return None
    return sys.stdin.buffer.read(_MOST_INPUT + 1)


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
