"""What all HTTP handlers share: bodies in, answers and errors out."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sonde.serve.arguments import BadArgument
from sonde.serve.asking import Refused
from sonde.serve.served import Overloaded
from sonde.serve.workspaces import Unknown

_SECONDS = 30.0  # for one answer

Handler = Callable[[Request], Awaitable[Response]]


async def json_of(request: Request) -> Any:
    """The arguments in the body of a request; none if it is absent or null."""
    try:
        value = json.loads(await request.body() or b"{}")
    except (ValueError, RecursionError):
        raise BadArgument("the body is not JSON") from None
    return {} if value is None else value


async def answer_of(found: Future[Any]) -> Any:
    """The answer, waited for, but not for ever."""
    async with asyncio.timeout(_SECONDS):
        return await asyncio.wrap_future(found)


def safe(handler: Handler) -> Handler:
    """An error as a status and one line; never a traceback."""

    async def handle(request: Request) -> Response:
        try:
            return await handler(request)
        except HTTPException as error:
            return problem(error.status_code, error.detail)
        except BadArgument as error:
            return problem(400, str(error))
        except Unknown as error:
            return problem(404, str(error))
        except Refused as error:
            return problem(422, str(error))
        except Overloaded as error:
            return JSONResponse({"error": str(error)}, 429, {"Retry-After": "1"})
        except TimeoutError:
            return problem(504, f"the answer took longer than {_SECONDS:.0f} s")
        except Exception as error:
            return problem(500, f"internal error, {type(error).__name__}")

    return handle


def problem(code: int, message: str) -> JSONResponse:
    """One line about what went wrong."""
    return JSONResponse({"error": message}, code)
