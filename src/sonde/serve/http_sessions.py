"""Sessions as a resource of /v1: begin one, go on with it, look at it, end it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from sonde.cli.plain import plain
from sonde.serve import sessions
from sonde.serve.arguments import Arguments, BadArgument
from sonde.serve.asking import answered
from sonde.serve.frame import marks
from sonde.serve.http_answers import Handler, answer_of, json_of, safe
from sonde.serve.structured import shown
from sonde.serve.workspaces import Workspaces

if TYPE_CHECKING:
    from sonde.engine import Engine
    from sonde.serve.served import Served
    from sonde.session.context_pack import ContextPack

PASSES = {"plan": "steps", "failure": "output", "more": "names"}
_START = ("task", "editor", "acceptance", "constraints", "history", "budget", "format")


class SessionsApi:
    """The handlers of /v1/sessions."""

    def __init__(self, workspaces: Workspaces) -> None:
        self._workspaces = workspaces

    def routes(self) -> list[Route]:
        """All addresses."""
        one = "/v1/sessions/{id}"
        return [
            Route("/v1/sessions", safe(self.start), methods=["POST"]),
            *(Route(f"{one}/{name}", safe(self.go_on(name)), methods=["POST"]) for name in PASSES),
            Route(one, safe(self.show)),
            Route(one, safe(self.end), methods=["DELETE"]),
        ]

    async def start(self, request: Request) -> Response:
        """Begin a session with a task."""
        body = await json_of(request)
        given = Arguments(body)
        given.only(*_START, "workspace")
        value = await self._pack(given, {**body, "session": sessions.NEW})
        return JSONResponse(value, 201)

    def go_on(self, name: str) -> Handler:
        """The handler of one further pass."""
        argument = PASSES[name]

        async def pass_on(request: Request) -> Response:
            body = await json_of(request)
            given = Arguments(body)
            given.only(argument, "budget", "workspace")
            asked: Any
            if name == "more":
                asked = ", ".join(given.texts(argument)) or sessions.NEXT
            elif not given.has(argument):
                raise BadArgument(f"give {argument}")
            else:  # checked here, to be refused under the name that the client gave
                asked = given.text(argument) if name == "failure" else list(given.texts(argument))
            id = request.path_params["id"]
            return JSONResponse(await self._pack(given, {**body, "session": id, name: asked}))

        return pass_on

    async def show(self, request: Request) -> Response:
        """What a session has sent so far."""
        id = request.path_params["id"]
        served = self._workspaces.find(request.query_params.get("workspace"))
        return JSONResponse(
            await answer_of(served.ask(lambda engine: _shown(engine, id), "session"))
        )

    async def end(self, request: Request) -> Response:
        """Forget a session; returns its figures."""
        id = request.path_params["id"]
        served = self._workspaces.find(request.query_params.get("workspace"))
        told = served.ask(lambda engine: plain(answered(sessions.end(engine, id))), "session")
        return JSONResponse(await answer_of(told))

    async def _pack(self, given: Arguments, body: dict[str, Any]) -> dict[str, Any]:
        served: Served = self._workspaces.find(given.optional_text("workspace"))
        budget = given.budget(0)
        turn = sessions.turn_of(Arguments(body), budget)
        found = served.ask(lambda engine: _value(answered(turn(engine))), "session")
        value: dict[str, Any] = await answer_of(found)
        return value


def _value(pack: ContextPack) -> dict[str, Any]:
    opening, closing = marks(pack.text)
    return {
        "session": pack.session,
        "pass": pack.number,
        "kind": pack.kind.value,
        "pack": pack.root,
        "budget": pack.budget,
        "reserved": pack.reserved,
        "tokens": pack.tokens,
        "format": pack.format,
        "text": pack.text,
        "frame": [opening, closing],
        "left_out": shown(list(pack.left_out)),
        "statistics": dict(pack.statistics),
        "stale": shown(list(pack.stale)),
        "stale_count": pack.stale_count,
        "indexed_share": round(pack.indexed_share, 6),
    }


def _shown(engine: Engine, id: str) -> dict[str, Any]:
    from sonde.session.session import Session

    session = answered(Session.open(engine, id))
    record = session.record
    value: dict[str, Any] = shown(
        {
            "session": record.id,
            "task": plain(record.task),
            "budget": record.budget,
            "passes": plain(record.passes),
            "sent": {key: each.detail.value for key, each in sorted(record.sent.items())},
            "boosts": {key: dict(rules) for key, rules in session.boosts()},
        }
    )
    return value
