"""The private socket: commands of the same user are run here, where everything is loaded."""

from __future__ import annotations

import fcntl
import io
import json
import os
import socket
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sonde import __version__
from sonde.serve.place import settings_of, socket_path

if TYPE_CHECKING:
    from sonde.engine import Engine
    from sonde.serve.served import Served

_LARGEST = 40 << 20  # bytes of a request: its standard input, escaped
_SECONDS = 30.0  # for a client to say what it wants
_MOST = 32  # clients at once
_PAUSE = 0.1  # seconds after a client could not be let in


class LocalServer:
    """Listens for the commands of one workspace; of its servers one at a time does."""

    def __init__(self, served: Served, cache: Path) -> None:
        self._served = served
        self._path = socket_path(str(cache), str(served.root))
        self._places = threading.BoundedSemaphore(_MOST)
        self._changing = threading.Lock()
        self._stopped = False
        self._lock = -1
        self._listening: socket.socket | None = None

    def start(self) -> None:
        """Listen, or wait until the server that does so has ended."""
        folder = os.path.dirname(self._path)
        try:
            os.makedirs(folder, 0o700, exist_ok=True)
            if os.stat(folder).st_uid != os.getuid():
                return
            # Whoever holds this lock owns the socket, so a dead server's socket can be replaced.
            self._lock = os.open(f"{self._path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            threading.Thread(target=self._wait, name="next socket", daemon=True).start()
        except OSError:
            return  # commands work alone
        else:
            self._listen()

    def _wait(self) -> None:
        with suppress(OSError):
            fcntl.flock(self._lock, fcntl.LOCK_EX)
            self._listen()

    def _listen(self) -> None:
        with self._changing:
            if self._stopped:
                os.close(self._lock)
                return
            listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                Path(self._path).unlink(missing_ok=True)
                listening.bind(self._path)
                os.chmod(self._path, 0o600)
                listening.listen(_MOST)
            except OSError:
                listening.close()
                return
            self._listening = listening
        threading.Thread(target=self._accept, args=(listening,), daemon=True).start()

    def stop(self) -> None:
        """Give the socket up: another server takes it, or commands work alone again."""
        with self._changing:
            self._stopped = True
            if self._listening is None:
                return
            Path(self._path).unlink(missing_ok=True)
            with suppress(OSError):
                self._listening.shutdown(socket.SHUT_RDWR)  # ends the waiting for clients
            self._listening.close()
            self._listening = None
            os.close(self._lock)

    def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                if self._stopped:
                    return
                time.sleep(_PAUSE)  # no more files may be opened at this moment
                continue
            self._places.acquire()
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            with connection:
                connection.settimeout(_SECONDS)
                request = json.loads(_line(connection))
                connection.sendall(json.dumps(self._answer(request)).encode())
        except Exception:
            return  # the client is gone, or is not one, or there is no answer: it works alone
        finally:
            self._places.release()

    def _answer(self, request: Any) -> dict[str, Any]:
        """What the command printed; without an exit code the client has to work alone."""
        if not isinstance(request, dict) or not isinstance(request.get("words"), list):
            return {}
        if request.get("version") != __version__:
            return {
                "note": f"the running server is sonde {__version__}, this is"
                f" {request.get('version')}: working alone (restart the server)"
            }
        if request.get("settings") != settings_of(os.environ):
            return {}
        if not self._served.health().synced_at:
            return {}  # there is no first index yet; working alone shows the progress
        if self._served.health().indexing:
            self._served.engine().sync()  # alone the command would wait for it too
        return self._served.ask(lambda engine: _run(engine, request), "command").result()


def _line(connection: socket.socket) -> bytes:
    data = bytearray()
    while not data.endswith(b"\n"):
        part = connection.recv(1 << 16)
        if not part or len(data) > _LARGEST:
            raise ValueError("no request")
        data += part
    return bytes(data)


def _run(engine: Engine, request: dict[str, Any]) -> dict[str, Any]:
    """Run the command with our engine and the client's terminal."""
    from sonde.cli.borrowed import Terminal, lent
    from sonde.cli.dispatch import dispatch_to

    out, errors = io.StringIO(), io.StringIO()
    typed = request.get("input")
    given = typed.encode("utf-8", "surrogateescape") if isinstance(typed, str) else b""
    terminal = Terminal(out, errors, int(request.get("width") or 0), bool(request.get("colour")))
    with lent(engine, given, str(request.get("folder") or "")):
        code = dispatch_to([str(word) for word in request["words"]], terminal)
    return {"code": code, "out": out.getvalue(), "errors": errors.getvalue()}
