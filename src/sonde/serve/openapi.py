"""The OpenAPI description of /v1."""

from __future__ import annotations

from typing import Any

from sonde import __version__
from sonde.pack.tokens import TOKENIZERS
from sonde.serve.schemas import TOOL_SCHEMAS

_TEXT = {"type": "string"}
_ABOUT = {
    "context": "What a task, files or a diff needs, inside a token budget; with stream: the sure"
    " part first, as server-sent events part, part, done",
    "symbol": "A definition with its relations",
    "search": "Symbols by name and lines by text",
    "impact": "What may break when a symbol changes",
    "tests": "Which tests to run for a change",
    "why": "Why a symbol is, or is not, in the answer to a task",
    "feedback": "What was useful, useless or missing in a pack",
}
_DATED = (
    "The answer. stale names files that could not be refreshed, at most 20, those of the answer"
    " first; stale_count counts all; indexed_share is below 1 until all files are indexed"
)
_JSON, _STREAM = "application/json", "text/event-stream"
_ANSWERS: dict[str, tuple[str, ...]] = {  # status and types other than 200 and JSON
    "register": ("201", _JSON),
    "forget": ("204",),
    "events": ("202", _JSON),
    "startSession": ("201", _JSON),
    "metrics": ("200", "text/plain"),
    "progress": ("200", _STREAM),
    "context": ("200", _JSON, _STREAM),
}
_EVENT = {
    "type": "object",
    "required": ["type", "file_path"],
    "properties": {
        "type": {"enum": ["created", "modified", "deleted", "opened", "changed", "closed"]},
        "file_path": {**_TEXT, "description": "Relative to the workspace's root"},
        "content_hash": {**_TEXT, "description": "sha256: and 64 hexadecimal digits"},
        "timestamp": {**_TEXT, "format": "date-time"},
        "content": {**_TEXT, "description": "Unsaved text, with opened and changed"},
    },
}


_OF_SESSIONS = ("session", "plan", "failure", "editor", "acceptance", "constraints")


def description() -> dict[str, Any]:
    """The whole document."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Sonde", "version": __version__},
        "paths": {
            **_fixed_paths(),
            **_session_paths(),
            **{f"/v1/{name}": _question(name) for name in _ABOUT},
        },
        "components": {
            "schemas": {"Error": {"type": "object", "properties": {"error": _TEXT}}},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _question(name: str) -> dict[str, Any]:
    about = "The answer" if name == "feedback" else _DATED
    return {"post": _operation(name, _ABOUT[name], _body(name), about)}


def _body(name: str) -> dict[str, Any]:
    """The arguments; those of a tool but for the budget of a list, which JSON does not have."""
    if name == "why":
        properties: dict[str, Any] = {"task": _TEXT, "symbol": _TEXT, "workspace": _TEXT}
        return {"type": "object", "properties": properties, "required": ["task", "symbol"]}
    tool = next(each for each in TOOL_SCHEMAS if each["name"] == name)["inputSchema"]
    properties = {
        key: value
        for key, value in tool["properties"].items()
        if key not in ("budget", "why") or (name, key) == ("context", "budget")
    }
    if name == "context":
        for key in _OF_SESSIONS:
            properties.pop(key)
        properties["tokenizer"] = {"enum": list(TOKENIZERS)}
        properties["stream"] = {"type": "boolean"}
    if name == "symbol":
        properties["source"] = {"type": "boolean"}
    return {**tool, "properties": properties}


def _operation(
    id: str, summary: str, body: dict[str, Any] | None = None, about: str = "The answer"
) -> dict[str, Any]:
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    status, *kinds = _ANSWERS.get(id, ("200", _JSON))
    success: dict[str, Any] = {"description": about}
    if kinds:
        success["content"] = {kind: {} for kind in kinds}
    answers: dict[str, Any] = {
        status: success,
        "4XX": {"description": "Why there is none, in one line", "content": error},
        "429": {"description": "Too many questions wait: see Retry-After", "content": error},
        "504": {"description": "The answer took too long", "content": error},
    }
    found: dict[str, Any] = {"operationId": id, "summary": summary, "responses": answers}
    if body is not None:
        content = {"application/json": {"schema": body}}
        found["requestBody"] = {"required": True, "content": content}
    return found


def _fixed_paths() -> dict[str, Any]:
    root = {"type": "object", "properties": {"root": _TEXT}, "required": ["root"]}
    events = {
        "type": "object",
        "properties": {"events": {"type": "array", "items": _EVENT}},
        "required": ["events"],
    }
    id = {"parameters": [{"name": "id", "in": "path", "required": True, "schema": _TEXT}]}
    one = "/v1/workspaces/{id}"
    return {
        "/v1/health": {"get": _operation("health", "That the server lives")},
        "/v1/metrics": {"get": _operation("metrics", "Figures as Prometheus text")},
        "/v1/openapi.json": {"get": _operation("openapi", "This description")},
        "/v1/workspaces": {
            "get": _operation("list", "The workspaces"),
            "post": _operation("register", "Serve one more workspace", root),
        },
        one: {
            **id,
            "get": _operation("status", "What a workspace's index holds and how fresh it is"),
            "delete": _operation("forget", "Serve it no more and delete its index"),
        },
        f"{one}/progress": {
            **id,
            "get": _operation("progress", "Server-sent events until indexing is done"),
        },
        f"{one}/events": {
            **id,
            "post": _operation("events", "File events and unsaved buffers", events),
        },
    }


def _session_paths() -> dict[str, Any]:
    context = next(each for each in TOOL_SCHEMAS if each["name"] == "context")["inputSchema"]
    start = {
        key: context["properties"][key]
        for key in ("task", "editor", "acceptance", "constraints", "budget", "format", "workspace")
    }
    message = {"type": "object", "properties": {"role": _TEXT, "content": _TEXT}}
    start["history"] = {"type": "array", "items": message}
    shared = {key: context["properties"][key] for key in ("budget", "workspace")}
    texts = {"type": "array", "items": _TEXT}
    passes: dict[str, tuple[dict[str, Any], str]] = {
        "plan": ({"steps": texts}, "What each step of a plan needs beyond what was sent"),
        "failure": ({"output": _TEXT}, "What raw output of a failed run is about"),
        "more": ({"names": texts}, "The next best, or named symbols in full once more"),
    }
    one = "/v1/sessions/{id}"
    id = {"parameters": [{"name": "id", "in": "path", "required": True, "schema": _TEXT}]}
    begin = {"type": "object", "properties": start, "required": ["task"]}
    return {
        "/v1/sessions": {
            "post": _operation("startSession", "Begin a task in several passes", begin, _DATED)
        },
        one: {
            **id,
            "get": _operation("showSession", "What a session has sent so far"),
            "delete": _operation("endSession", "Forget it; its figures are kept"),
        },
        **{
            f"{one}/{name}": {
                **id,
                "post": _operation(
                    f"{name}Session",
                    about,
                    {"type": "object", "properties": {**own, **shared}},
                    _DATED,
                ),
            }
            for name, (own, about) in passes.items()
        },
    }
