"""The Model Context Protocol as one connection sees it, whatever carries its messages.

Spoken directly rather than through the `mcp` package, whose import alone takes longer than
`initialize` may; the tests talk to it with that package's client.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from typing import TYPE_CHECKING, Any, TypeGuard

from sonde import __version__
from sonde.serve.arguments import Arguments
from sonde.serve.gathered import MOST_MESSAGES, Gathered, Message, is_answer, is_message
from sonde.serve.roots import Roots
from sonde.serve.schemas import INSTRUCTIONS, PROMPTS, RESOURCE_TEMPLATES, RESOURCES, TOOL_SCHEMAS
from sonde.serve.served import Overloaded
from sonde.serve.telling import ProgressTeller
from sonde.serve.workspaces import Unknown, Workspaces

if TYPE_CHECKING:
    from sonde.serve.served import Served

Send = Callable[[Any], None]  # one message, or the answers to a batch
VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")  # newest first
_BATCHING = "2025-03-26"  # the one version of the protocol with batches
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601
INVALID_PARAMS, INTERNAL_ERROR, NO_RESOURCE, CANCELLED = -32602, -32603, -32002, -32800
_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


class ProtocolError(Exception):
    """Answered as a JSON-RPC error."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Connection:
    """One client. `receive` may be called from any thread; answers leave through `send`."""

    def __init__(self, workspaces: Workspaces, send: Send, roots: Roots) -> None:
        self._workspaces = workspaces
        self._send = send
        self._roots = roots
        self._running: dict[str | int, Future[Any]] = {}
        self._lock = threading.Lock()
        self._teller = ProgressTeller(workspaces, self._notify)
        self._wants_roots = False
        self._version = ""
        self._methods: dict[str, Callable[[Any], Any]] = {
            "initialize": self._initialize,
            "ping": lambda params: {},
            "tools/list": lambda params: {"tools": TOOL_SCHEMAS},
            "resources/list": lambda params: {"resources": RESOURCES},
            "resources/templates/list": lambda params: {"resourceTemplates": RESOURCE_TEMPLATES},
            "prompts/list": lambda params: {"prompts": _prompt_list()},
            "prompts/get": _prompt,
            "logging/setLevel": self._set_level,
        }
        self._slow: dict[str, Callable[[Any], Future[Any]]] = {
            "tools/call": self._call,
            "resources/read": self._read,
        }

    # ------------------------------------------------------------------ messages

    @property
    def takes_batches(self) -> bool:
        """Whether the client and we agreed on the version of the protocol that has batches."""
        return self._version == _BATCHING

    def receive(self, message: Any, reply: Send | None = None) -> None:
        """Take one message or batch; whatever it is, the connection survives.

        The answer goes to `reply` if there is one.
        """
        reply = reply or self._send
        if not isinstance(message, list) or not self.takes_batches:
            self._receive_one(message, reply)
        elif not 0 < len(message) <= MOST_MESSAGES:
            _fail(reply, None, INVALID_REQUEST, f"a batch has 1 to {MOST_MESSAGES} messages")
        else:
            gathered = Gathered(message, reply)
            for each in message:
                if _initializes(each):
                    text = "initialize is a message of its own, not part of a batch"
                    _fail(gathered.add, each["id"], INVALID_REQUEST, text)
                else:
                    self._receive_one(each, gathered.add)

    def _receive_one(self, message: Any, reply: Send) -> None:
        if not is_message(message):
            given = message.get("id") if isinstance(message, dict) else None
            refused = given if _is_id(given) else None
            _fail(reply, refused, INVALID_REQUEST, "a message is one JSON-RPC 2.0 object")
            return
        id, method = message.get("id"), message.get("method")
        if is_answer(message):
            self._roots.answered(id, message.get("result"))
        elif not isinstance(method, str):
            _fail(reply, id if _is_id(id) else None, INVALID_REQUEST, "method must be a text")
        elif "id" not in message:
            self._notified(method, message.get("params"))
        elif not _is_id(id):
            _fail(reply, None, INVALID_REQUEST, "id must be a text or a whole number")
        else:
            self._request(id, method, message.get("params"), reply)

    def _request(self, id: str | int, method: str, params: Any, reply: Send) -> None:
        try:
            if params is not None and not isinstance(params, dict):
                raise ProtocolError(INVALID_PARAMS, "params must be an object")
            params = params or {}
            if method in self._methods:
                reply(_result(id, self._methods[method](params)))
            elif method in self._slow and self._roots.pending:
                # Their answer comes through the present thread, so wait in another.
                later = (id, method, params, reply)
                threading.Thread(target=self._request_later, args=later, daemon=True).start()
            elif method in self._slow:
                self._begin(id, params, self._slow[method], reply)
            else:
                raise ProtocolError(METHOD_NOT_FOUND, f"there is no method {method[:60]!r}")
        except ProtocolError as error:
            _fail(reply, id, error.code, str(error))
        except Exception as error:  # an error in one call must not end the server
            _fail(reply, id, INTERNAL_ERROR, f"internal error, {type(error).__name__}")

    def _request_later(self, id: str | int, method: str, params: Message, reply: Send) -> None:
        self._roots.settle()
        self._request(id, method, params, reply)

    def _begin(
        self, id: str | int, params: Message, start: Callable[[Any], Future[Any]], reply: Send
    ) -> None:
        with self._lock:
            if id in self._running:
                raise ProtocolError(INVALID_REQUEST, "a request with this id is still running")
        meta = params.get("_meta")
        token = meta.get("progressToken") if isinstance(meta, dict) else None
        future = start(params)
        with self._lock:
            self._running[id] = future
        listening = self._teller.listen(token) if _is_id(token) else None
        future.add_done_callback(lambda done: self._finish(id, done, listening, reply))

    def _finish(
        self,
        id: str | int,
        done: Future[Any],
        listening: Callable[[], None] | None,
        reply: Send,
    ) -> None:
        with self._lock:
            self._running.pop(id, None)
        if listening is not None:
            listening()
        try:
            reply(_result(id, done.result()))
        except CancelledError:
            # Clients ignore it, but whoever counts answers finds one for each request.
            _fail(reply, id, CANCELLED, "cancelled")
        except ProtocolError as error:
            _fail(reply, id, error.code, str(error))
        except Exception as error:
            _fail(reply, id, INTERNAL_ERROR, f"internal error, {type(error).__name__}")

    def _notified(self, method: str, params: Any) -> None:
        if method == "notifications/initialized":
            self._teller.start()
            if self._wants_roots:
                self._roots.ask(self._send)
        elif method == "notifications/roots/list_changed" and self._wants_roots:
            self._roots.ask(self._send)
        elif method == "notifications/cancelled" and isinstance(params, dict):
            id = params.get("requestId")
            with self._lock:
                future = self._running.get(id) if _is_id(id) else None
            if future is not None:
                future.cancel()

    def _notify(self, method: str, params: Message) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def close(self) -> None:
        """Forget the client: nothing more is sent to it."""
        self._teller.stop()
        with self._lock:
            running = list(self._running.values())
        for future in running:
            future.cancel()

    # ------------------------------------------------------------------ methods

    def _initialize(self, params: Message) -> Message:
        asked = params.get("protocolVersion")
        abilities = params.get("capabilities")
        self._wants_roots = isinstance(abilities, dict) and "roots" in abilities
        meta = params.get("_meta")
        token = meta.get("progressToken") if isinstance(meta, dict) else None
        if _is_id(token):
            self._teller.listen(token)
        self._version = asked if asked in VERSIONS else VERSIONS[0]
        return {
            "protocolVersion": self._version,
            "capabilities": {"tools": {}, "resources": {}, "prompts": {}, "logging": {}},
            "serverInfo": {"name": "sonde", "version": __version__},
            "instructions": INSTRUCTIONS,
        }

    def _set_level(self, params: Message) -> Message:
        if params.get("level") not in _LEVELS:
            raise ProtocolError(INVALID_PARAMS, f"level must be one of {', '.join(_LEVELS)}")
        self._teller.quiet = _LEVELS.index(params["level"]) > _LEVELS.index("info")
        return {}

    def _call(self, params: Message) -> Future[Any]:
        from sonde.serve.asking import TOOLS, Refused

        name = params.get("name")
        if not isinstance(name, str) or name not in TOOLS:
            raise ProtocolError(INVALID_PARAMS, f"there is no tool {str(name)[:60]!r}")
        try:
            given = Arguments(params.get("arguments"))
            served = self._served(given)
            question = TOOLS[name](served, given)
            return _mapped(served.ask(question, name), _content, (Refused, Unknown))
        except (Unknown, Overloaded) as refusal:
            return _done(_content(str(refusal), error=True))

    def _read(self, params: Message) -> Future[Any]:
        from sonde.serve.reading import NotThere, read_resource

        uri = params.get("uri")
        if not isinstance(uri, str):
            raise ProtocolError(INVALID_PARAMS, "uri must be a text")
        try:
            served = self._roots.choose(None)
            future = served.ask(lambda engine: read_resource(engine, served, uri), "resource")
        except Unknown as error:
            raise ProtocolError(NO_RESOURCE, str(error)) from error
        except Overloaded as error:
            raise ProtocolError(INTERNAL_ERROR, str(error)) from error

        def contents(found: tuple[str, str]) -> Message:
            return {"contents": [{"uri": uri, "mimeType": found[0], "text": found[1]}]}

        def missing(error: Exception) -> Exception:
            return ProtocolError(NO_RESOURCE, str(error)) if isinstance(error, NotThere) else error

        return _mapped(future, contents, (), missing)

    def _served(self, given: Arguments) -> Served:
        name = given.optional_text("workspace")
        return self._roots.choose(name)


def _is_id(value: Any) -> TypeGuard[str | int]:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _initializes(value: Any) -> bool:
    return is_message(value) and value.get("method") == "initialize" and _is_id(value.get("id"))


def _fail(reply: Send, id: str | int | None, code: int, message: str) -> None:
    reply({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})


def _result(id: str | int, result: Any) -> Message:
    return {"jsonrpc": "2.0", "id": id, "result": result}


def _content(text: str, *, error: bool = False) -> Message:
    content = {"content": [{"type": "text", "text": text}]}
    return {**content, "isError": True} if error else content


def _done(result: Any) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_result(result)
    return future


class _Mapped(Future[Any]):
    """A future that, when cancelled, cancels the one it is made from."""

    def __init__(self, inner: Future[Any]) -> None:
        super().__init__()
        self._inner = inner

    def cancel(self) -> bool:
        # A question that is already being answered runs on; only its answer is not sent.
        self._inner.cancel()
        return super().cancel()


def _mapped(
    inner: Future[Any],
    convert: Callable[[Any], Any],
    refusals: tuple[type[Exception], ...],
    translate: Callable[[Exception], Exception] = lambda error: error,
) -> Future[Any]:
    """The future's result converted; refusals become results that are marked as errors."""
    outer = _Mapped(inner)

    def pass_on(done: Future[Any]) -> None:
        if done.cancelled() or not outer.set_running_or_notify_cancel():
            outer.cancel()
            return
        error = done.exception()
        if isinstance(error, refusals):
            outer.set_result(_content(str(error), error=True))
        elif isinstance(error, Exception):
            outer.set_exception(translate(error))
        else:
            outer.set_result(convert(done.result()))

    inner.add_done_callback(pass_on)
    return outer


def _prompt_list() -> list[Message]:
    return [
        {
            "name": name,
            "description": description,
            "arguments": [
                {"name": argument, "description": about, "required": True}
                for argument, about in arguments
            ],
        }
        for name, (description, arguments, _) in PROMPTS.items()
    ]


def _prompt(params: Message) -> Message:
    name = params.get("name")
    if not isinstance(name, str) or name not in PROMPTS:
        raise ProtocolError(INVALID_PARAMS, f"there is no prompt {str(name)[:60]!r}")
    description, arguments, template = PROMPTS[name]
    given = params.get("arguments") or {}
    values = {}
    for argument, _ in arguments:
        value = given.get(argument) if isinstance(given, dict) else None
        if not isinstance(value, str):
            raise ProtocolError(INVALID_PARAMS, f"the prompt {name} needs {argument} as a text")
        values[argument] = value
    text = template
    for argument, value in values.items():
        text = text.replace("{" + argument + "}", value, 1)
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return {"description": description, "messages": [message]}
