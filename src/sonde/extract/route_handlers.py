"""Route handlers that frameworks name in their own ways."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

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


def in_rails_namespaces(found: _Found, source: SourceText, end: int) -> _Found:
    """A route of Rails with the controller it means: `namespace :admin` holds Admin::Users…"""
    method, path, handler = found
    controller, sharp, action = handler.partition("#")
    if not handler or not (sharp or method == "ANY"):
        return found
    around, modules = _namespaces(source.slice(max(end - _FURTHEST, 0), end))
    parts = [*modules, *controller.strip("/").split("/")]
    name = ".".join("".join(map(str.capitalize, part.split("_"))) for part in parts)
    path = "/".join(["", *around, path.lstrip("/")]) if around else path
    return method, path, f"{name}Controller{'.' if action else ''}{action}"


def _namespaces(above: str) -> tuple[list[str], list[str]]:
    """For the blocks open at the end of a text, outermost first: what `namespace` adds to paths,
    and the modules in which controllers are looked up."""
    lines = above.split("\n")
    indent = len(lines[-1]) - len(lines[-1].lstrip())
    paths: list[str] = []
    modules: list[str] = []
    for line in reversed(lines[:-1]):
        own = len(line) - len(line.lstrip())
        if line.strip() and own < indent:
            indent = own
            if (match := _RAILS_NAMESPACE.match(line)) is not None:
                paths.insert(0, match[1])
            elif (scope := _RAILS_SCOPE.match(line)) is not None:
                paths.insert(0, scope["path"].strip("/"))
            if (match := match or _RAILS_MODULE.match(line)) is not None:
                modules.insert(0, match[1])
    return paths, modules


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
