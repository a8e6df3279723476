"""The HTTP application: /v1 for tools and editors, /mcp for agents."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Match, Route

from sonde import __version__
from sonde.serve.arguments import Arguments, BadArgument
from sonde.serve.asking import Refused, answered
from sonde.serve.events import take_events
from sonde.serve.guard import Guard, Rules
from sonde.serve.http_answers import Handler, answer_of, json_of, problem, safe
from sonde.serve.http_mcp import McpEndpoint
from sonde.serve.http_sessions import SessionsApi
from sonde.serve.openapi import description
from sonde.serve.prometheus import exposition
from sonde.serve.reading import status
from sonde.serve.served import Overloaded, Served
from sonde.serve.structured import QUESTIONS, context_parts
from sonde.serve.workspaces import Unknown, Workspaces, identity

_PROGRESS_EVERY = 0.25


class Api:
    """The handlers of /v1."""

    def __init__(self, workspaces: Workspaces, *, fixed: bool) -> None:
        self._workspaces = workspaces
        self._fixed = fixed  # clients may not add workspaces
        self.guard: Guard | None = None

    def routes(self) -> list[Route]:
        """All addresses."""
        one = "/v1/workspaces/{id}"
        return [
            Route("/v1/health", safe(self.health)),
            Route("/v1/metrics", safe(self.metrics)),
            Route("/metrics", safe(self.metrics)),
            Route("/v1/openapi.json", safe(self.openapi)),
            Route("/v1/workspaces", safe(self.list)),
            Route("/v1/workspaces", safe(self.register), methods=["POST"]),
            Route(one, safe(self.status)),
            Route(one, safe(self.forget), methods=["DELETE"]),
            Route(f"{one}/progress", safe(self.progress)),
            Route(f"{one}/events", safe(self.events), methods=["POST"]),
            *SessionsApi(self._workspaces).routes(),
            *(
                Route(f"/v1/{name}", safe(self.question(name)), methods=["POST"])
                for name in QUESTIONS
            ),
        ]

    async def health(self, _: Request) -> Response:
        """Says that the server is alive."""
        return JSONResponse({"status": "ok", "version": __version__})

    async def metrics(self, _: Request) -> Response:
        """Figures for Prometheus."""
        refused = self.guard.refused if self.guard is not None else {}
        return PlainTextResponse(exposition(self._workspaces, refused))

    async def openapi(self, _: Request) -> Response:
        """The description of this interface."""
        return JSONResponse(description())

    async def list(self, _: Request) -> Response:
        """The workspaces."""
        rows = [{"id": identity(each), "root": str(each.root)} for each in self._workspaces.all()]
        return JSONResponse({"workspaces": rows})

    async def register(self, request: Request) -> Response:
        """Serve one more workspace."""
        if self._fixed:
            raise HTTPException(403, "this server serves only the workspaces it was started for")
        given = Arguments(await json_of(request))
        given.only("root")
        root = given.text("root")
        if "\0" in root:
            raise BadArgument("root must be a path")
        served = await asyncio.to_thread(self._workspaces.register, Path(root))
        return JSONResponse({"id": identity(served), "root": str(served.root)}, 201)

    async def status(self, request: Request) -> Response:
        """What one workspace's index holds."""
        served = self._one(request)
        found = served.ask(lambda engine: status(engine, served), "status")
        return JSONResponse({"id": identity(served), **await answer_of(found)})

    async def forget(self, request: Request) -> Response:
        """Stop serving a workspace and delete its index."""
        answered(await asyncio.to_thread(self._workspaces.forget, self._one(request)))
        return Response(status_code=204)

    async def progress(self, request: Request) -> Response:
        """How far indexing is, as server-sent events until it is done."""
        served = self._one(request)
        return StreamingResponse(_progress(served), media_type="text/event-stream")

    async def events(self, request: Request) -> Response:
        """File events and unsaved buffers of an editor."""
        served = self._one(request)
        taken = await asyncio.to_thread(take_events, served, Arguments(await json_of(request)))
        return JSONResponse(taken, 202)

    def question(self, name: str) -> Handler:
        """The handler of one question."""

        async def ask(request: Request) -> Response:
            given = Arguments(await json_of(request))
            served = self._workspaces.find(given.optional_text("workspace"))
            if name == "context" and given.flag("stream"):
                parts = context_parts(served, given)
                return StreamingResponse(_parts(served, parts), media_type="text/event-stream")
            return JSONResponse(await answer_of(served.ask(QUESTIONS[name](served, given), name)))

        return ask

    def _one(self, request: Request) -> Served:
        return self._workspaces.find(request.path_params["id"])


async def _progress(served: Served) -> AsyncIterator[bytes]:
    told: tuple[str, int] | None = None
    while True:
        health = served.health()
        if not health.indexing and health.synced_at:
            yield _event("done", {"degraded": health.degraded})
            return
        if health.problem:
            yield _event("problem", {"message": health.problem})
            return
        if (health.stage, health.done) != told and health.indexing:
            told = (health.stage, health.done)
            row = {"stage": health.stage, "done": health.done, "total": health.total}
            yield _event("progress", row)
        await asyncio.sleep(_PROGRESS_EVERY)


async def _parts(served: Served, parts: list[Any]) -> AsyncIterator[bytes]:
    """Each part as it is ready; an error is the last event."""
    before, spent = "", 0
    try:
        for part in parts:
            question = partial(part, before=before, spent=spent)
            value = await answer_of(served.ask(question, "context"))
            if value is None:
                break
            before, spent = value["pack"], spent + value["tokens"]
            yield _event("part", value)
        yield _event("done", {"pack": before, "tokens": spent})
    except (Refused, Unknown, Overloaded, TimeoutError) as error:
        yield _event("problem", {"message": str(error) or "the answer took too long"})


def _event(name: str, value: Any) -> bytes:
    return f"event: {name}\ndata: {json.dumps(value)}\n\n".encode()


async def _not_found(request: Request, error: Exception) -> Response:
    code = error.status_code if isinstance(error, HTTPException) else 404
    answer = problem(code, "no such address or method: see /v1/openapi.json")
    if code == 405:
        answer.headers["Allow"] = ", ".join(_methods_of(request))
    return answer


def _methods_of(request: Request) -> list[str]:
    """What an address takes; there is a route for each method."""
    routes = (route for route in request.app.routes if isinstance(route, Route))
    at = (route for route in routes if route.matches(request.scope)[0] is not Match.NONE)
    return sorted({method for route in at for method in route.methods or ()})


def application(workspaces: Workspaces, rules: Rules, *, fixed: bool) -> Guard:
    """The whole server behind its door."""
    api = Api(workspaces, fixed=fixed)
    mcp = McpEndpoint(workspaces, fixed=fixed)
    inner = Starlette(
        routes=[
            *api.routes(),
            Route("/mcp", safe(mcp.handle), methods=["GET", "POST", "DELETE"]),
        ],
        exception_handlers={404: _not_found, 405: _not_found},
    )
    api.guard = Guard(inner, rules)
    return api.guard
