"""HTTP routes: calls and decorators that bind a path to a handler in the common frameworks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sonde.extract.text_of import SourceText

_VERBS = {
    verb: verb.upper() for verb in ("get", "post", "put", "delete", "patch", "head", "options")
}
_MAPPINGS = {f"{verb.capitalize()}Mapping": verb.upper() for verb in _VERBS}
_HTTP_ATTRIBUTES = {f"Http{verb.capitalize()}": verb.upper() for verb in _VERBS}
_MAPS = {f"Map{verb.capitalize()}": verb.upper() for verb in _VERBS}
_NEST = {verb.capitalize(): verb.upper() for verb in _VERBS}
_GENERAL = {
    "route": "ANY",
    "api_route": "ANY",
    "RequestMapping": "ANY",
    "Route": "ANY",
    "add_url_rule": "ANY",
    "HandleFunc": "ANY",
    "Handle": "ANY",
    "Method": "ANY",
    "Any": "ANY",
    "all": "ANY",
    "match": "ANY",
    "websocket": "WS",
    "path": "ANY",
    "re_path": "ANY",
    "url": "ANY",
}
_METHODS: dict[str, str] = {
    **_VERBS,
    **{verb.upper(): verb.upper() for verb in _VERBS},
    **_MAPPINGS,
    **_HTTP_ATTRIBUTES,
    **_MAPS,
    **_NEST,
    **_GENERAL,
}
ROUTE_NAMES = frozenset(_METHODS)
_BARE_DJANGO = frozenset({"path", "re_path", "url"})
_ARGUMENTS = re.compile(
    r"\s*\(?\s*(?:\w+\s*[=:]\s*)?[rbf]?[\"'`](?P<path>[^\"'`\n]{0,200})[\"'`]\s*(?P<rest>.{0,160})",
    re.DOTALL,
)
_HANDLER = re.compile(r"^(?:,|=>)\s*(?:to:\s*)?(?:\w+\()*[\"']?(?P<name>[A-Za-z_$][\w.$:#]*)")
_METHOD_LIST = re.compile(r"methods?\s*=\s*[\[({]?\s*[\"']?(?:RequestMethod\.)?([A-Za-z]+)")
_VERB_FIRST = re.compile(r"^,\s*[\"'`](?P<path>/[^\"'`\n]{0,200})[\"'`]\s*(?P<rest>.*)", re.DOTALL)
_UPPER_VERBS = frozenset(_VERBS.values())
_WINDOW = 420  # bytes after the name that can hold the path and the handler


def read_route(
    name: str, receiver: str, source: SourceText, end: int, language: str
) -> tuple[str, str, str] | None:
    """(method, path, handler text) when a call or decorator declares a route."""
    method = _METHODS.get(name)
    if method is None:
        return None
    match = _ARGUMENTS.match(source.slice(end, end + _WINDOW))
    if match is None:
        return None
    path, rest = match.group("path"), match.group("rest")
    if language == "go":
        method, path, rest = _go_pattern(method, path, rest)
    if name in _BARE_DJANGO:
        if language != "python" or receiver or not rest.startswith(","):
            return None
    elif not _looks_like_path(path, name, language):
        return None
    listed = _METHOD_LIST.search(rest)
    if listed and method == "ANY":
        method = listed.group(1).upper()
    handler = _HANDLER.match(rest)
    text = handler.group("name") if handler else ""
    if text in ("async", "function", "func", "methods", "name", "method"):
        text = ""
    return method, path, text


def _go_pattern(method: str, path: str, rest: str) -> tuple[str, str, str]:
    """Go writes the verb into the pattern ("GET /x") or before it ("GET", "/x")."""
    verb, _, after = path.partition(" ")
    if verb in _UPPER_VERBS and after.startswith("/"):
        method, path = verb, after
    elif path in _UPPER_VERBS and (match := _VERB_FIRST.match(rest)):
        method, path, rest = path, match.group("path"), match.group("rest")
    # without a handler it is a client's request
    return method, path if rest.startswith(",") else "", rest


def _looks_like_path(path: str, name: str, language: str) -> bool:
    if path.startswith("/"):
        return True
    # annotations and Rails name paths without a slash
    return (
        name in _MAPPINGS
        or name in _HTTP_ATTRIBUTES
        or (name in _NEST and language in ("typescript", "tsx"))
    )
