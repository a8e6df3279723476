"""MCP over streamable HTTP at /mcp: a session per client, messages by POST, a stream by GET."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from sonde.serve.gathered import is_message, owes_answer
from sonde.serve.protocol import INVALID_REQUEST, PARSE_ERROR, Connection
from sonde.serve.roots import Roots
from sonde.serve.workspaces import Workspaces

_HEADER = "mcp-session-id"
_MOST_SESSIONS = 256
_IDLE_SECONDS = 3600.0
_ANSWER_SECONDS = 60.0
_BUFFERED = 100  # messages for a client that has no stream open
_KEEP_ALIVE = 15.0
_STREAM = "text/event-stream"

Queue = asyncio.Queue[dict[str, Any]]


class _Session:
    """One client's connection, and where its messages go."""

    def __init__(self, workspaces: Workspaces, *, fixed: bool) -> None:
        self.id = secrets.token_hex(16)
        self.used = time.monotonic()
        self.outbox: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue(_BUFFERED)
        self.waiting: dict[str | int, Queue] = {}
        self.tokens: dict[str | int, Queue] = {}
        self._loop = asyncio.get_running_loop()
        roots = Roots(workspaces, None, fixed=fixed)
        self.connection = Connection(workspaces, self._send, roots)

    def _send(self, message: dict[str, Any]) -> None:
        """Called from any thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._route, message)

    def end_streams(self) -> None:
        """Let the streams that wait for messages end."""
        if self.outbox.full():
            self.outbox.get_nowait()
        self.outbox.put_nowait(None)

    def _route(self, message: dict[str, Any]) -> None:
        target: asyncio.Queue[Any] | None = self.outbox
        if "method" not in message:
            target = self.waiting.get(message["id"]) if message["id"] is not None else None
        elif message["method"] == "notifications/progress":
            target = self.tokens.get(message["params"]["progressToken"], self.outbox)
        if target is not None and not target.full():
            target.put_nowait(message)


class McpEndpoint:
    """All sessions of the server."""

    def __init__(self, workspaces: Workspaces, *, fixed: bool) -> None:
        self._workspaces = workspaces
        self._fixed = fixed
        self._sessions: dict[str, _Session] = {}

    async def handle(self, request: Request) -> Response:
        """POST sends a message, GET opens the stream, DELETE ends the session."""
        id = request.headers.get(_HEADER)
        session = self._sessions.get(id) if id else None
        if id and session is None:
            return _error(404, INVALID_REQUEST, "this session has ended: initialize again")
        if request.method == "POST":
            return await self._post(request, session)
        if session is None:
            return _error(400, INVALID_REQUEST, f"the {_HEADER} header is missing")
        session.used = time.monotonic()
        if request.method == "DELETE":
            self._end(session)
            return Response(status_code=204)
        return StreamingResponse(_stream(session), media_type=_STREAM)

    async def _post(self, request: Request, session: _Session | None) -> Response:
        try:
            message = json.loads(await request.body())
        except (ValueError, RecursionError):
            return _error(400, PARSE_ERROR, "not a JSON message")
        if isinstance(message, list) and session is not None and session.connection.takes_batches:
            return await _batch(message, session)
        if not is_message(message):
            return _error(400, INVALID_REQUEST, "a message is one JSON-RPC 2.0 object")
        method, id = message.get("method"), message.get("id")
        headers = {}
        if session is None:
            session = _Session(self._workspaces, fixed=self._fixed)
            if method == "initialize":
                self._keep(session)
                headers[_HEADER] = session.id
        session.used = time.monotonic()
        if "id" not in message or method is None:
            session.connection.receive(message)
            return Response(status_code=202)
        if isinstance(id, bool) or not isinstance(id, str | int) or id in session.waiting:
            return _error(400, INVALID_REQUEST, "id must be a text or number not in use")
        answers: Queue = asyncio.Queue()
        session.waiting[id] = answers
        token = _token(message)
        if token is not None and _STREAM in request.headers.get("accept", ""):
            session.tokens[token] = answers
            session.connection.receive(message)
            parts = _answer_stream(session, id, token, answers)
            return StreamingResponse(parts, media_type=_STREAM, headers=headers)
        session.connection.receive(message)
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                return JSONResponse(await answers.get(), headers=headers)
        except TimeoutError:
            return _error(504, INVALID_REQUEST, "the answer took too long")
        finally:
            session.waiting.pop(id, None)

    def _keep(self, session: _Session) -> None:
        now = time.monotonic()
        for old in list(self._sessions.values()):
            if now - old.used > _IDLE_SECONDS:
                self._end(old)
        while len(self._sessions) >= _MOST_SESSIONS:
            self._end(min(self._sessions.values(), key=lambda each: each.used))
        self._sessions[session.id] = session

    def _end(self, session: _Session) -> None:
        self._sessions.pop(session.id, None)
        session.connection.close()
        session.end_streams()


async def _batch(messages: list[Any], session: _Session) -> Response:
    """Take a batch; its answers are one body, unless it asks nothing."""
    session.used = time.monotonic()
    answers: asyncio.Queue[Any] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def reply(answer: Any) -> None:  # from any thread
        if not loop.is_closed():
            loop.call_soon_threadsafe(answers.put_nowait, answer)

    session.connection.receive(messages, reply)
    if messages and not any(map(owes_answer, messages)):
        return Response(status_code=202)
    try:
        async with asyncio.timeout(_ANSWER_SECONDS):
            answer = await answers.get()
    except TimeoutError:
        return _error(504, INVALID_REQUEST, "the answers took too long")
    return JSONResponse(answer, 200 if isinstance(answer, list) else 400)


def _token(message: dict[str, Any]) -> str | int | None:
    params = message.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    token = meta.get("progressToken") if isinstance(meta, dict) else None
    return token if isinstance(token, str | int) and not isinstance(token, bool) else None


async def _answer_stream(
    session: _Session, id: str | int, token: str | int, answers: Queue
) -> AsyncIterator[bytes]:
    try:
        while True:
            message = await answers.get()
            yield _event(message)
            if "method" not in message:
                return
    finally:
        session.waiting.pop(id, None)
        session.tokens.pop(token, None)


async def _stream(session: _Session) -> AsyncIterator[bytes]:
    yield b": open\n\n"
    while True:
        try:
            async with asyncio.timeout(_KEEP_ALIVE):
                message = await session.outbox.get()
        except TimeoutError:
            yield b": still here\n\n"
            continue
        if message is None:
            session.end_streams()  # there may be another
            return
        yield _event(message)


def _event(message: dict[str, Any]) -> bytes:
    return b"event: message\ndata: " + json.dumps(message).encode() + b"\n\n"


def _error(status: int, code: int, text: str) -> JSONResponse:
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": text}}
    return JSONResponse(body, status)
