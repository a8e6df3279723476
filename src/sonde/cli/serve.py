"""Serve agents, editors and tools over HTTP: MCP at /mcp, JSON at /v1.

Listens on 127.0.0.1 only; any other address needs a token. /v1/openapi.json
describes the interface. Other sonde commands use the running server.
"""

from __future__ import annotations

import argparse
import os
import secrets
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from sonde.cli.console import Console, safe
from sonde.cli.opening import folder_of
from sonde.cli.outcome import FOUND, Failure
from sonde.cli.parser import CommandParser, whole_number
from sonde.cli.remote import cache_folder

if TYPE_CHECKING:
    import socket

    from sonde.serve.guard import Rules

USAGE = "[options]"
EXAMPLES = (
    "sonde serve",
    "sonde serve --port 0 --also ../other",
    "sonde serve --socket ~/.sonde.sock",
    "sonde serve --host 192.168.1.5 --token-file ~/.sonde-token",
)
_HOST, _PORT = "127.0.0.1", 7337


def configure(parser: CommandParser) -> None:
    """Where to listen and what to serve."""
    parser.add_argument(
        "--also",
        metavar="DIR",
        action="append",
        default=[],
        help="another workspace to serve; may be repeated",
    )
    parser.add_argument("--host", metavar="ADDRESS", help=f"default: {_HOST}")
    parser.add_argument(
        "--port",
        metavar="N",
        type=whole_number(0, 65535),
        help=f"0 picks a free one (default: {_PORT})",
    )
    parser.add_argument(
        "--socket", metavar="FILE", help="listen on a unix socket that only its owner can use"
    )
    parser.add_argument(
        "--token-file",
        metavar="FILE",
        help="requests must carry the token in this file; created if missing",
    )
    parser.add_argument(
        "--host-name",
        metavar="NAME",
        action="append",
        default=[],
        help="a name under which clients address this server; may be repeated",
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Serve until Ctrl-C or a signal."""
    from sonde.serve.http_server import CannotListen, is_loopback, serve_http
    from sonde.serve.workspaces import Unknown, Workspaces

    folders = [folder_of(arguments).absolute(), *(Path(each).absolute() for each in arguments.also)]
    try:
        listening, where = _listening(arguments)
        try:
            rules = _rules(arguments)
            workspaces = Workspaces(Path(cache_folder()), folders)
        except BaseException:
            listening.close()
            _remove_socket(arguments)
            raise
    except (CannotListen, Unknown) as error:
        raise Failure(str(error)) from None

    def ready() -> None:
        roots = [str(served.root) for served in workspaces.all()]
        if arguments.json:
            console.json({"address": where, "workspaces": roots})
        else:
            shown = f"on {safe(where)}" if arguments.socket else f"{where}/mcp and /v1"
            console.line(f"serving {shown} (Ctrl-C ends)")
            for root in roots:
                console.line(f"  {safe(root)}")
        console.out.flush()

    # Whether a signal or Ctrl-C ends it, the server tidies up the same way.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    fixed = not arguments.socket and not is_loopback(_host(arguments))
    try:
        serve_http(workspaces, listening, rules, fixed=fixed, ready=ready)
    except KeyboardInterrupt:
        pass
    finally:
        workspaces.leave()
        _remove_socket(arguments)
    console.out.flush()
    # Threads may be deep in an index; it is consistent at any moment, and workers end with us.
    os._exit(FOUND)


def _listening(arguments: argparse.Namespace) -> tuple[socket.socket, str]:
    from sonde.serve.http_server import tcp_socket, unix_socket

    host, port = _host(arguments), arguments.port
    if arguments.socket:
        if arguments.host is not None or port is not None:
            raise Failure("give --socket, or --host and --port: a server listens in one place")
        path = Path(arguments.socket).expanduser()
        return unix_socket(path), str(path)
    port = _PORT if port is None else port
    listening = tcp_socket(host, port, guarded=bool(arguments.token_file))
    shown = f"[{host}]" if ":" in host else host
    return listening, f"http://{shown}:{listening.getsockname()[1]}"


def _host(arguments: argparse.Namespace) -> str:
    return _HOST if arguments.host is None else str(arguments.host)


def _remove_socket(arguments: argparse.Namespace) -> None:
    if arguments.socket:
        Path(arguments.socket).expanduser().unlink(missing_ok=True)


def _rules(arguments: argparse.Namespace) -> Rules:
    """Whom the server lets in. A token is made only for an address that can be used."""
    from sonde.serve.guard import LOOPBACK, Rules

    token = _token(arguments.token_file) if arguments.token_file else ""
    names = [*arguments.host_name, _host(arguments)]
    return Rules(LOOPBACK | {name.lower() for name in names}, token)


def _token(name: str) -> str:
    """The token of a file, which nobody else may read."""
    path = Path(name).expanduser()
    try:
        if not path.exists():
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(descriptor, "w", encoding="ascii") as file:
                file.write(secrets.token_urlsafe(32) + "\n")
        if path.stat().st_mode & 0o077:
            raise Failure(f"{safe(name)} can be read by others: chmod 600 it")
        token = path.read_text("ascii").strip()
    except OSError as error:
        raise Failure(f"--token-file: cannot use {safe(name)}: {error.strerror}") from None
    except UnicodeError:
        raise Failure(f"--token-file: {safe(name)} holds more than ASCII") from None
    if len(token) < 16:
        raise Failure(f"--token-file: the token in {safe(name)} is shorter than 16 characters")
    return token
