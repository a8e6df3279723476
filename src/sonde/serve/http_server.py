"""Listening: loopback or a private socket unless a token lets others in."""

from __future__ import annotations

import ipaddress
import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path

from sonde.serve.guard import Rules
from sonde.serve.workspaces import Workspaces

_BACKLOG = 128


class CannotListen(Exception):
    """Why the server does not start; the message is one line."""


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def tcp_socket(host: str, port: int, *, guarded: bool) -> socket.socket:
    """A listening socket; refused when strangers could reach it without a token."""
    if not is_loopback(host) and not guarded:
        raise CannotListen(
            f"{host} can be reached from other machines: give --token-file, or use 127.0.0.1"
        )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen(_BACKLOG)
    except OSError as error:
        found.close()
        raise CannotListen(f"cannot listen on {host}:{port}: {error.strerror}") from error
    return found


def unix_socket(path: Path) -> socket.socket:
    """A listening socket that only its owner can use; a dead one in its place is removed."""
    found = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _remove_dead(path)
        before = os.umask(0o177)
        try:
            found.bind(str(path))
        finally:
            os.umask(before)
        found.listen(_BACKLOG)
    except OSError as error:
        found.close()
        raise CannotListen(f"cannot listen on {path}: {error.strerror or error}") from error
    return found


def _remove_dead(path: Path) -> None:
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise CannotListen(f"{path} is there already and is no socket")
    probe = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        probe.connect(str(path))
    except ConnectionRefusedError:
        path.unlink(missing_ok=True)
    else:
        raise CannotListen(f"another server is listening on {path}")
    finally:
        probe.close()


def serve_http(
    workspaces: Workspaces, listening: socket.socket, rules: Rules, *, fixed: bool,
    ready: Callable[[], None],
) -> None:  # fmt: skip
    """Serve until a signal ends it."""
    import uvicorn

    from sonde.serve.http_app import application
    from sonde.serve.http_connection import MOST_CONNECTIONS, Connection

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready()

    config = uvicorn.Config(
        application(workspaces, rules, fixed=fixed),
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="off",
        ws="none",
        http=Connection,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=1,
    )
    Server(config).run(sockets=[listening])
