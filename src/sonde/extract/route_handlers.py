"""Route handlers that frameworks name in their own ways."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sonde.model import TYPE_KINDS, Route, Symbol

if TYPE_CHECKING:
    from sonde.extract.text_of import SourceText

_Found = tuple[str, str, str]  # method, path, handler text

_NAMED = re.compile(r"(?:\w+\()*(?P<name>[A-Za-z_$][\w.$]*)")
_WORDS = frozenset({"async", "function", "func", "fn", "static", "new"})
# Laravel: [Users::class, 'show'], 'Users@show', Users::class
_PHP_PAIR = re.compile(r",\s*\[\s*\\?([\w\\]+)::class\s*,\s*[\"'](\w+)[\"']")
_PHP_TEXT = re.compile(r",\s*[\"']\\?([\w\\]+)@(\w+)[\"']")
_PHP_CLASS = re.compile(r",\s*\\?([\w\\]+)::class")
_RAILS_NAMESPACE = re.compile(r"\s*namespace[ (]+[:\"'](\w+)")
# scope "/api", scope :v2, scope path: "x"
_RAILS_SCOPE = re.compile(r"\s*scope[ (]+(?:path:\s*)?[:\"'](?P<path>[/\w:-]+)")
_RAILS_MODULE = re.compile(r"\s*(?:scope|resources?)\b.*\bmodule:\s*[:\"'](\w+)")
_RAILS_OPTION = re.compile(r"\b(controller|module):\s*[:\"']([\w/]+)")
_RAILS_RESOURCE = re.compile(r"\s*(resources?)[ (]+:(\w+)(?=.*\bdo\b)")
_RAILS_ON = re.compile(r"\bon:\s*:(member|collection)\b")
_RAILS_SORTS = frozenset({"member do", "collection do"})
_LONGEST_LINE = 200
_HISSING = ("s", "x", "ch", "sh")
_FURTHEST = 20_000  # characters above a route that are searched for its namespaces
# Vapor: app.get("users", ":id") { req in … }, routes.post("users", use: create)
_SWIFT_VERBS = frozenset({"get", "post", "put", "patch", "delete"})
_SWIFT_ARGUMENTS = re.compile(
    r'\s*\(?(?P<path>\s*(?:"[^"\n]*"\s*,?\s*)*)(?:use:\s*(?P<handler>[\w.]+)\s*\)|\)?\s*\{)'
)


def until_closed(text: str) -> str:
    """Text up to the bracket that closes one opened before it."""
    return text[: _closed_at(text)]


def _closed_at(text: str) -> int:
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if depth < 0:
            return at
    return len(text)


def ends_in_data(rest: str) -> bool:
    """Whether the last argument is an object or a text: then it is sent, and is not a handler."""
    return _last(rest)[:1] in ("{", '"', "'", "`")


def last_argument(rest: str) -> str:
    """The name that ends a call's arguments; those before it are middleware."""
    last = _last(rest)
    named = _NAMED.match(last)
    if named is None or "=>" in last or last.partition("(")[0].partition(" ")[0] in _WORDS:
        return ""
    return named["name"]


def _last(rest: str) -> str:
    """The last argument of a call; "" if it extends beyond the text: an inline function."""
    end = _closed_at(rest)
    if end == len(rest):
        return ""
    arguments = rest[:end].rstrip().removesuffix(",")
    depth = start = 0
    for at, char in enumerate(arguments):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            start = at + 1
    return arguments[start:].strip()


def php_handler(rest: str) -> str:
    """The method or class that a route of Laravel names."""
    pair = _PHP_PAIR.match(rest) or _PHP_TEXT.match(rest)
    if pair is not None:
        return f"{pair[1]}.{pair[2]}"
    alone = _PHP_CLASS.match(rest)
    return alone[1] if alone is not None else ""


def rails_controller(name: str, single: bool, options: str) -> str:
    """The controller of a resource: named by convention, unless its line says otherwise."""
    told = dict(_RAILS_OPTION.findall(options.split("\n", 1)[0]))
    if single:
        ies = name.endswith("y") and name[-2:-1] not in "aeiou"
        name = f"{name[:-1]}ies" if ies else name + ("es" if name.endswith(_HISSING) else "s")
    controller: str = told.get("controller", name)
    return f"{told['module']}/{controller}" if "module" in told else controller


def in_rails_blocks(found: _Found, source: SourceText, end: int) -> _Found | None:
    """A route of Rails with the path and the controller that the blocks around it mean:
    `namespace :admin` holds Admin::Users…, and `resources :photos` its own actions."""
    method, path, handler = found
    controller, sharp, action = handler.partition("#")
    if not handler or not (sharp or method == "ANY"):
        return found
    window = source.slice(end, end + _LONGEST_LINE).split("\n", 1)[0]
    around = _around(source.slice(max(end - _FURTHEST, 0), end), window)
    if not controller:  # an action of the resource around it
        if not around.resource:
            return None
        controller = around.resource
    parts = [*around.modules, *controller.strip("/").split("/")]
    name = ".".join("".join(map(str.capitalize, part.split("_"))) for part in parts)
    path = "/".join(["", *around.paths, path.lstrip("/")]) if around.paths else path
    return method, path, f"{name}Controller{'.' if action else ''}{action}"


class _Around(NamedTuple):
    """The blocks around a route of Rails, outermost first."""

    paths: list[str]  # what they add to its path
    modules: list[str]  # in which controllers are looked up
    resource: str  # the controller of the innermost resource


def _around(above: str, window: str) -> _Around:
    """The blocks that are open at the end of a text, which a route follows."""
    lines = above.split("\n")
    indent = len(lines[-1]) - len(lines[-1].lstrip())
    paths: list[str] = []
    modules: list[str] = []
    resource = ""
    on = _RAILS_ON.search(window)
    what = on[1] if on is not None else ""  # of a resource a route is about
    for line in reversed(lines[:-1]):
        own = len(line) - len(line.lstrip())
        if not line.strip() or own >= indent:
            continue
        indent = own
        if (match := _RAILS_NAMESPACE.match(line)) is not None:
            paths.insert(0, match[1])
        elif (scope := _RAILS_SCOPE.match(line)) is not None:
            paths.insert(0, scope["path"].strip("/"))
        elif (held := _RAILS_RESOURCE.match(line)) is not None:
            single, name = held[1] == "resource", held[2]
            paths.insert(0, _path_of_resource(name, single, what))
            resource = resource or rails_controller(name, single, line[held.end() :])
            what = ""
        elif line.strip() in _RAILS_SORTS:
            what = line.split()[0]
        if (match := match or _RAILS_MODULE.match(line)) is not None:
            modules.insert(0, match[1])
    return _Around(paths, modules, resource)


def _path_of_resource(name: str, single: bool, what: str) -> str:
    if single or what == "collection":
        return name
    one = name.removesuffix("s")
    if name.endswith("ies"):
        one = f"{name[:-3]}y"
    elif name.endswith("es") and name[:-2].endswith(_HISSING):
        one = name[:-2]
    return f"{name}/:id" if what == "member" else f"{name}/:{one}_id"


def swift_route(name: str, receiver: str, window: str) -> Iterator[_Found]:
    """A Vapor route, whose path may be written in pieces."""
    match = _SWIFT_ARGUMENTS.match(window) if name in _SWIFT_VERBS and receiver else None
    if match is None or "client" in receiver.lower() or "://" in match["path"]:
        return
    pieces = [piece.strip("/") for piece in re.findall(r'"([^"\n]*)"', match["path"])]
    yield name.upper(), "/" + "/".join(pieces), (match["handler"] or "").removeprefix("self.")


def with_prefixes(routes: Sequence[Route], symbols: Sequence[Symbol]) -> tuple[Route, ...]:
    """Routes of methods, prefixed with the path declared for their class."""
    heads = {
        route.scope: route.path.replace("[controller]", _short(symbols[route.scope].name))
        for route in routes
        if route.method == "ANY" and not route.handler and symbols[route.scope].kind in TYPE_KINDS
    }
    found = []
    for route in routes:
        head = heads.get(symbols[route.scope].parent) if not route.handler else None
        if head and not route.path.startswith("~"):
            tail = route.path.strip("/")
            route = route._replace(path=f"{head.rstrip('/')}/{tail}" if tail else head)
        found.append(route)
    return tuple(dict.fromkeys(found))


def _short(name: str) -> str:
    return name.removesuffix("Controller")
