"""The door of the HTTP server: who may come in, with how much, and how many at once."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST_BODY = 4 << 20  # bytes
_BODY_SECONDS = 10.0  # for a client to send its body
_DRAIN_SECONDS, _MOST_DRAINED = 2.0, 16 << 20  # for a body that is refused anyway
_MOST_AT_ONCE = 128  # requests being answered
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
OPEN_PATHS = frozenset({"/v1/health"})  # says nothing but that the server is alive


@dataclass(frozen=True, slots=True)
class Rules:
    """What the door knows: the names the server may be addressed by, and its secret."""

    hosts: frozenset[str] = LOOPBACK
    token: str = ""


class Refusal(Exception):
    """A request that stays outside."""

    def __init__(self, status: int, message: str, *headers: tuple[bytes, bytes]) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers


class Guard:
    """An ASGI application around another."""

    def __init__(self, app: App, rules: Rules) -> None:
        self._app = app
        self._rules = rules
        self.inside = 0  # requests that are being answered
        self.refused: dict[int, int] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check the request, read its body within bounds, and let it in."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            headers = _headers(scope)
            self._check(scope, headers)
            if self.inside >= _MOST_AT_ONCE:
                raise Refusal(429, "too many requests at once", (b"retry-after", b"1"))
            with _Place(self) as place:
                body = await _body(headers, receive)
                telling = place.unless_stream(send) if scope["method"] == "GET" else send
                await self._app(scope, _replay(body, receive), telling)
        except Refusal as refusal:
            self.refused[refusal.status] = self.refused.get(refusal.status, 0) + 1
            await _refuse(send, refusal)

    def _check(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        host = _host(headers.get(b"host", b"").decode("latin-1"))
        if host not in self._rules.hosts:
            raise Refusal(421, "this server does not answer to that host name")
        origin = headers.get(b"origin")
        if origin is not None and not self._is_own(origin.decode("latin-1"), headers):
            raise Refusal(403, "requests from web pages are not allowed")
        if self._rules.token and scope["path"] not in OPEN_PATHS:
            scheme, _, given = headers.get(b"authorization", b"").partition(b" ")
            same = hmac.compare_digest(given.strip(), self._rules.token.encode())
            if scheme.lower() != b"bearer" or not same:
                raise Refusal(401, "a token is needed", (b"www-authenticate", b"Bearer"))
        if scope["method"] in ("POST", "PUT", "PATCH"):
            kind = headers.get(b"content-type", b"").split(b";")[0].strip().lower()
            if kind != b"application/json":
                raise Refusal(415, "the body must be application/json")

    def _is_own(self, origin: str, headers: dict[bytes, bytes]) -> bool:
        """Whether a page of this server asks; any other page is a stranger."""
        try:
            parts = urlsplit(origin)
            own = parts.hostname in self._rules.hosts
        except ValueError:
            return False
        return own and parts.netloc == headers.get(b"host", b"").decode("latin-1")


class _Place:
    """One request's place inside, given up early by a stream that only waits for news."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._taken = False

    def __enter__(self) -> _Place:
        self._guard.inside += 1
        self._taken = True
        return self

    def __exit__(self, *_: object) -> None:
        self._leave()

    def _leave(self) -> None:
        self._guard.inside -= self._taken
        self._taken = False

    def unless_stream(self, send: Send) -> Send:
        """The same way out; an answer that is a stream of events no longer counts."""

        async def telling(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                kind = dict(message["headers"]).get(b"content-type", b"")
                if kind.startswith(b"text/event-stream"):
                    self._leave()
            await send(message)

        return telling


def _headers(scope: Scope) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:
        if name in (b"host", b"content-length", b"origin") and name in found:
            raise Refusal(400, f"more than one {name.decode()} header")
        found[name] = value
    return found


def _host(header: str) -> str:
    """The name without its port and without the brackets of IPv6."""
    try:
        return urlsplit(f"//{header}").hostname or ""
    except ValueError:
        return ""


async def _body(headers: dict[bytes, bytes], receive: Receive) -> bytes:
    too_large = Refusal(413, f"a body holds at most {LARGEST_BODY >> 20} MiB")
    told = headers.get(b"content-length", b"0")
    if told.isdigit() and int(told) > LARGEST_BODY:
        await _drain(receive)
        raise too_large
    parts: list[bytes] = []
    total = 0
    try:
        async with asyncio.timeout(_BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    raise Refusal(400, "the client went away")
                parts.append(message.get("body", b""))
                total += len(parts[-1])
                if total > LARGEST_BODY:
                    await _drain(receive)
                    raise too_large
                if not message.get("more_body"):
                    return b"".join(parts)
    except TimeoutError:
        raise Refusal(408, "the body took too long") from None


async def _drain(receive: Receive) -> None:
    """Discard some of what still comes: a client that is writing would not see the answer."""
    thrown = 0
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            while thrown < _MOST_DRAINED:
                message = await receive()
                thrown += len(message.get("body", b""))
                if not message.get("more_body"):
                    return


def _replay(body: bytes, receive: Receive) -> Receive:
    """The body as one message, then whatever the client does next."""
    waiting = [body]

    async def again() -> MutableMapping[str, Any]:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return again


async def _refuse(send: Send, refusal: Refusal) -> None:
    body = json.dumps({"error": str(refusal)}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        *refusal.headers,
    ]
    if refusal.status in (408, 413):
        headers.append((b"connection", b"close"))  # the rest of the body is not read
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
