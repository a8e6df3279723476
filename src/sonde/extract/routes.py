"""HTTP routes: calls and decorators that bind a path to a handler in the common frameworks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sonde.extract.route_handlers import (
    ends_in_data,
    in_rails_blocks,
    last_argument,
    php_handler,
    rails_controller,
    swift_route,
    until_closed,
)

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
    "Controller": "ANY",
    "add_url_rule": "ANY",
    "HandleFunc": "ANY",
    "Handle": "ANY",
    "Method": "ANY",
    "resources": "ANY",
    "resource": "ANY",
    "apiResource": "ANY",
    "register": "ANY",
    "root": "GET",
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
_RAILS = frozenset({"resources", "resource", "root"})
_BARE_DJANGO = frozenset({"path", "re_path", "url"})
_REST_FRAMEWORK = re.compile(r"router$", re.IGNORECASE)  # of Django: router.register("rows", Rows)
_ARGUMENTS = re.compile(
    r"\s*\(?\s*(?:\w+\s*[=:]\s*)?[rbf]?[\"'`](?P<path>[^\"'`\n]{0,200})[\"'`]\s*(?P<rest>.{0,160})",
    re.DOTALL,
)
_HANDLER = re.compile(r"^(?:,|=>)\s*(?:to:\s*)?(?:\w+\()*[\"']?(?P<name>[A-Za-z_$][\w.$:#/]*)")
_METHOD_LIST = re.compile(
    r"methods?\s*[=:]\s*[\[({]?(?P<verbs>(?:\s*,?\s*[\"']?(?:RequestMethod\.)?[A-Za-z]+[\"']?)+)"
)
_VERB = re.compile(r"\b(?:GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS)\b", re.IGNORECASE)
_VERB_FIRST = re.compile(r"^,\s*[\"'`](?P<path>/[^\"'`\n]{0,200})[\"'`]\s*(?P<rest>.*)", re.DOTALL)
# `post :like`, `get "popular", on: :collection`: an action of the resource around it
_RAILS_ACTION = re.compile(
    r"[ (]+[:\"'](?P<name>\w+)[\"']?(?:,\s*on:\s*:(?:member|collection))?\)?[ \t]*(?:\n|$)"
)
_RUBY_RESOURCE = re.compile(r"[ (]+:(?P<name>\w+)")
# follows the path of a route, but not of a request in a test
_RUBY_HANDLED = re.compile(r"\)?\s*(?:do\b|\{)|=>|,\s*(?:\w+:\s*[^,\n]+,\s*)*(?:to:|:to\b)")
# axum: get(list).post(create); actix: web::get().to(list)
_RUST_HANDLERS = re.compile(
    r"\b(?P<verb>get|post|put|delete|patch|head|options|any)\(\s*(?:\)\s*\.to\(\s*)?(?P<name>[\w:]*)"
)
_RUST_ATTRIBUTE_CRATES = ("", "actix_web", "rocket", "web")
_ECMASCRIPT = frozenset({"javascript", "typescript", "tsx"})
_ROUTERS = re.compile(r"(?:app|router|routes?|server|api|fastify|express\(\))$", re.IGNORECASE)
_KOA = re.compile(r"router$", re.IGNORECASE)
_FUNCTION_LITERAL = re.compile(r",\s*(?:async\b|function\b|\([^()]*\)\s*=>|\w+\s*=>)")
_UPPER_VERBS = frozenset(_VERBS.values())
_WINDOW = 420  # bytes after the name that may hold the path and the handler


_Found = tuple[str, str, str]


def read_routes(
    name: str, receiver: str, source: SourceText, end: int, language: str, called: bool
) -> Iterable[_Found]:
    """(method, path, handler text) of the routes that a call or decorator declares."""
    if called and _is_no_route(name, receiver, source, end, language):
        return ()
    window = source.slice(end, end + _WINDOW)
    if language == "rust":
        return _rust_routes(name, receiver, window)
    if language == "swift":
        return swift_route(name, receiver, window)
    found = _read_route(name, receiver, window, language)
    if found is not None and language == "ruby":
        found = in_rails_blocks(found, source, end)
    return _each_verb(found) if found is not None else ()


def _is_no_route(name: str, receiver: str, source: SourceText, end: int, language: str) -> bool:
    """Whether `x.get("/path")` is a client request: always in Python, elsewhere if awaited.

    Nest's decorator names mean something else when called: <Controller name="x"/>; and
    <Route path="/"> selects what a page shows.
    """
    if name not in _VERBS:
        if language == "go":
            return name == "Route"  # a block of routes
        return language in _ECMASCRIPT and (name in _NEST or name in ("Controller", "Route"))
    if language == "python":
        return True
    start = end - len(name) - len(receiver) - 1
    return source.slice(max(start - 7, 0), max(start, 0)).endswith("await ")


def _each_verb(found: _Found) -> Iterator[_Found]:
    """A route that lists several verbs, split into one per verb."""
    verbs, path, handler = found
    for verb in verbs.split("|"):
        yield verb, path, handler


def _read_route(name: str, receiver: str, window: str, language: str) -> _Found | None:
    method = _METHODS.get(name)
    if method is None:
        return None
    if name in _RAILS and language != "php":
        return _rails_route(name, window) if language == "ruby" and not receiver else None
    if language == "ruby" and not receiver and name in _VERBS:
        action = _RAILS_ACTION.match(window)
        if action is not None:
            return method, f"/{action['name']}", f"#{action['name']}"
    match = _ARGUMENTS.match(window)
    if match is None:
        return (method, "", "") if _is_pathless(name, window, language) else None
    path, rest = match.group("path"), match.group("rest")
    if language == "go":
        method, path, rest = _go_pattern(method, path, rest)
    if not _declares_route(name, receiver, path, rest, language):
        return None
    if _is_laravels(receiver, language):
        return method, "/" + path.lstrip("/"), php_handler(rest)
    listed = _METHOD_LIST.search(rest)
    if listed and method == "ANY":
        method = "|".join(_VERB.findall(listed["verbs"])).upper() or method
    if language == "go" or (language in _ECMASCRIPT and receiver):
        return method, path, last_argument(rest)
    handler = _HANDLER.match(rest)
    text = handler.group("name").rstrip(":").removesuffix(".as_view") if handler else ""
    if text in ("async", "function", "func", "methods", "name", "method"):
        text = ""
    return method, path, text


def _declares_route(name: str, receiver: str, path: str, rest: str, language: str) -> bool:
    """Whether a call or decorator with a path is a route, as the language's frameworks write it."""
    if name in _BARE_DJANGO:
        return language == "python" and not receiver and rest.startswith(",")
    if name == "register":
        return language == "python" and _REST_FRAMEWORK.search(receiver) is not None
    if language == "ruby":
        return not receiver and _RUBY_HANDLED.match(rest) is not None
    if _is_laravels(receiver, language):
        return True
    if language in _ECMASCRIPT and name in _VERBS:
        # koa: router.post("users.list", list)
        is_path = path.startswith("/") or _KOA.search(receiver) is not None
        return is_path and _is_served(receiver, rest)
    return _looks_like_path(path, name, language) or _is_root(path, name, receiver, language)


def _is_laravels(receiver: str, language: str) -> bool:
    """Whether it is one of Laravel's routes, whose paths need no slash."""
    return language == "php" and receiver.startswith("Route")


def _rust_routes(name: str, receiver: str, window: str) -> Iterator[_Found]:
    """Attributes name the verb; routers take one argument holding every verb and its handler."""
    match = _ARGUMENTS.match(window)
    if match is None or not match.group("path").startswith("/"):
        return
    path, rest = match.group("path"), match.group("rest")
    if name in _VERBS and receiver in _RUST_ATTRIBUTE_CRATES:
        yield _VERBS[name], path, ""
        return
    if name == "route":
        rest = until_closed(rest)
    elif name == "resource":
        rest = re.split(r"resource\(|;", rest, maxsplit=1)[0]
    else:
        return
    for handler in _RUST_HANDLERS.finditer(rest):
        verb = handler.group("verb")
        yield _VERBS.get(verb, "ANY"), path, handler.group("name")


def _rails_route(name: str, window: str) -> _Found | None:
    """`resources :photos` names a controller, `root "home#index"` an action."""
    if name == "root":
        match = _ARGUMENTS.match(window)
        return ("GET", "/", match.group("path")) if match and "#" in match.group("path") else None
    match = _RUBY_RESOURCE.match(window)
    if match is None:
        return None
    one = match["name"]
    return "ANY", f"/{one}", rails_controller(one, name == "resource", window[match.end() :])


def _go_pattern(method: str, path: str, rest: str) -> tuple[str, str, str]:
    """Go writes the verb into the pattern ("GET /x") or before it ("GET", "/x")."""
    verb, _, after = path.partition(" ")
    if verb in _UPPER_VERBS and after.startswith("/"):
        method, path = verb, after
    elif path in _UPPER_VERBS and (match := _VERB_FIRST.match(rest)):
        method, path, rest = path, match.group("path"), match.group("rest")
    # without a handler it is a client request
    return method, path if rest.startswith(",") else "", rest


def _is_pathless(name: str, window: str, language: str) -> bool:
    """Whether an annotation declares a route at its class's path."""
    empty = window[:1] == "(" and window[1:].lstrip()[:1] == ")"
    if name in _HTTP_ATTRIBUTES or name in _MAPPINGS:
        return empty or window[:1] != "("
    return empty and name in _NEST and language in _ECMASCRIPT


def _is_served(receiver: str, rest: str) -> bool:
    """Whether `x.get("/path", …)` serves the path rather than requests it."""
    if not rest.startswith(",") or ends_in_data(rest):
        return False
    return bool(_ROUTERS.search(receiver) or _FUNCTION_LITERAL.match(rest))


def _is_root(path: str, name: str, receiver: str, language: str) -> bool:
    """Whether Python's `@router.post("")` serves the path of its router."""
    return (
        not path
        and language == "python"
        and name in _VERBS
        and _ROUTERS.search(receiver) is not None
    )


def _looks_like_path(path: str, name: str, language: str) -> bool:
    if name == "Controller":
        return language in _ECMASCRIPT  # elsewhere its argument is not a path
    if path.startswith("/"):
        return True
    # annotations and Rails name paths without a slash
    return (
        name in _MAPPINGS
        or name in _HTTP_ATTRIBUTES
        or (name == "Route" and language == "csharp")
        or (name in _NEST and language in _ECMASCRIPT)
    )
