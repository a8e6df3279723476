"""Which workspaces a client may ask about: those it was started for, else its own roots."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from sonde.serve.workspaces import Unknown, Workspaces

if TYPE_CHECKING:
    from sonde.serve.served import Served

_PATIENCE = 2.0  # seconds a question waits for the client to name its roots
_ID = "sonde-roots-"


class Roots:
    """The client's roots, asked for after the handshake and whenever they change."""

    def __init__(self, workspaces: Workspaces, fallback: Path | None, *, fixed: bool) -> None:
        self._workspaces = workspaces
        self._fallback = fallback  # served when the client names no roots
        self._fixed = fixed  # told what to serve: the client's roots are a subset of it
        self._asked = 0
        self._own: list[Served] = []
        self._settled = threading.Event()
        self._settled.set()

    def ask(self, send: Callable[[dict[str, Any]], None]) -> None:
        """Ask the client."""
        self._settled.clear()
        self._asked += 1
        send({"jsonrpc": "2.0", "id": f"{_ID}{self._asked}", "method": "roots/list"})

    def answered(self, id: Any, result: Any) -> None:
        """The client's answer: folders become workspaces, anything else is passed over."""
        if id != f"{_ID}{self._asked}":
            return
        listed = result.get("roots") if isinstance(result, dict) else None
        own: list[Served] = []
        for each in listed if isinstance(listed, list) else ():
            folder = _folder(each.get("uri")) if isinstance(each, dict) else None
            if folder is not None:
                try:
                    own.append(self._register(folder))
                except Unknown:
                    continue  # a root that no longer exists, or is not ours to serve
        self._own = list(dict.fromkeys(own))
        self._settled.set()

    def _register(self, folder: Path) -> Served:
        if self._fixed:
            return self._workspaces.find(str(folder))
        return self._workspaces.register(folder)

    @property
    def pending(self) -> bool:
        """Whether the client has been asked and has not answered."""
        return not self._settled.is_set()

    def settle(self) -> None:
        """Wait for the answer, but not for long: some clients never give one."""
        self._settled.wait(_PATIENCE)
        self._settled.set()

    def choose(self, name: str | None) -> Served:
        """The workspace that a call means; without a name the client's first root."""
        if name is None and self._own:
            return self._own[0]
        if self._fixed or self._fallback is None:
            return self._workspaces.find(name)
        # Only this client is served: it cannot ask about roots that it no longer names.
        return self._workspaces.find(name, self._own or [self._around(self._fallback)])

    def _around(self, folder: Path) -> Served:
        try:
            return self._workspaces.register(folder)
        except Unknown as error:
            raise Unknown(f"{error} as a root, or start 'sonde mcp --repo DIR'") from None


def _folder(uri: Any) -> Path | None:
    if not isinstance(uri, str) or "\0" in uri:
        return None
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    folder = Path(unquote(parts.path))
    return folder if folder.is_absolute() and os.path.isdir(folder) else None
