"""Names in quoted code: what a reproduction imports and calls, and what it defines itself."""

from __future__ import annotations

import re
import sys
from typing import NamedTuple

from sonde.expression import expression
from sonde.understand.identifiers import has_code_shape, is_language_word, normal_name
from sonde.understand.paths import module_path
from sonde.understand.words import word_set

_FROM_IMPORT = expression(
    r"^[ \t]{0,40}(?:>>> )?from\s+(\.*[\w.]+)\s+import\s+\(?([\w ,*\n]{1,400})", re.M
)
_PLAIN_IMPORT = expression(
    r"^[ \t]{0,40}(?:>>> )?(?:import|"
    r"using)\s+(?:static\s+)?([\w.]{2,200})(?: as \w+)? ?;?[ \t]{0,20}$",
    re.M,
)
_JS_IMPORT = expression(r"\bimport\s+([\w*{}\s,$]{1,300}?)\s+from\s+['\"]([^'\"\n]{1,200})['\"]")
_REQUIRE = expression(r"\brequire(?:_relative)?\b ?\(? ?['\"]([^'\"\n]{1,200})['\"]")
_RUST_USE = expression(r"^[ \t]{0,40}use\s+([\w:]+?)(?:::\{([^}]{1,400})\}|::(\w+))?\s*;", re.M)
_PHP_USE = expression(r"^[ \t]{0,40}use\s+([A-Z][\w]*(?:\\\w+)+)\s*;", re.M)
_INCLUDE = expression(r"^[ \t]{0,40}#\s*include\s+[<\"]([\w./+-]{1,200})[>\"]", re.M)
_DEFINED = expression(
    r"\b(?:def|class|func|fn|function|struct|interface|record|enum|trait|type|"
    r"const|let|var|val|impl|module)\s+"
    r"(?:mut\s+)?([A-Za-z_$][\w$]*)"
    r"|^[ \t]{0,40}(?:>>> )?([A-Za-z_$][\w$]*)\s*(?::\s*[\w.\[\]]+\s*)?:?=(?!=)",
    re.M,
)
_NAME = expression(
    r"(?<![\w$])([A-Za-z_$][\w$]{1,80}(?:(?:\.|::|->)[A-Za-z_$][\w$]{0,80}){0,6})(!?\()?"
)
_COMMENT_OR_STRING = expression(r"'[^'\n]{0,200}'|\"[^\"\n]{0,200}\"")
_WORDS = expression(r"[A-Za-z_$][\w$]*")

_STANDARD = frozenset(sys.stdlib_module_names) | word_set(
    "java javax kotlin scala std core alloc System fmt os net io fs path http https util events "
    "node console Math JSON Object Promise Array String Arrays Collections Console errors strings "
    "React react numpy pandas matplotlib pytest unittest"
)
# Calls that every program makes.
_EVERYWHERE = word_set("""
    add all any append apply assert call catch close console.log contains create delete describe
    each equal equals exec exit expect extend filter find first foreach format get getvalue has
    hello init insert items it join keys len length list log main map max message min new next open
    parse pop post print printf println push put puts query range read remove replace require
    resolve reverse round run send set shift size slice sleep sort split start stop strip sum test
    then to_string tostring trim type unwrap update upper value values wait with write zip
    """)


class CodeNames(NamedTuple):
    """Names in a code block, by how likely they belong to the project."""

    imported: tuple[str, ...]
    called: tuple[str, ...]
    other: tuple[str, ...]
    defined: tuple[str, ...]  # the writer's own classes and variables
    modules: tuple[str, ...]  # as paths


def read_code(text: str) -> CodeNames:
    """The names a piece of quoted code imports, calls, mentions and defines."""
    imported, modules, foreign = _imports(text)
    defined = dict.fromkeys(first or second for first, second in _DEFINED.findall(text))
    bare = _COMMENT_OR_STRING.sub('""', text)
    called: dict[str, None] = {}
    other: dict[str, None] = {}
    for match in _NAME.finditer(bare):
        name = normal_name(match.group(1))
        head, _, last = name.partition(".")
        if not last and (name in defined or name in foreign or is_language_word(name)):
            continue
        if head in defined or head in foreign or is_language_word(head):
            name = name.rsplit(".", 1)[-1]  # a method of an instance: its class is unknown here
        if head in foreign or head in _STANDARD or name.lower() in _EVERYWHERE or len(name) < 3:
            continue
        if is_language_word(name):
            continue
        if match.group(2):
            called[name] = None
        elif has_code_shape(name):
            other[name] = None
    return CodeNames(
        tuple(dict.fromkeys(imported)),
        tuple(name for name in called if name not in imported),
        tuple(name for name in other if name not in called and name not in imported),
        tuple(name for name in defined if has_code_shape(name) or name[0].isupper()),
        tuple(dict.fromkeys(modules)),
    )


def _imports(text: str) -> tuple[list[str], list[str], set[str]]:
    """Imported names, modules as paths, and names from a standard library."""
    names: list[str] = []
    modules: list[str] = []
    foreign: set[str] = set()

    def take(module: str, listed: str) -> None:
        bound = [word for word in _WORDS.findall(listed) if word not in ("as", "type", "self")]
        root = re.split(r"[.:/\\]", module.lstrip("./@"), maxsplit=1)[0]
        if root in _STANDARD or module.startswith("node:"):
            foreign.update(bound)
            foreign.add(root)
            return
        names.extend(name for name in bound if len(name) > 1)
        path = module_path(module) if "/" not in module else module.lstrip("./@")
        if "/" in path:
            modules.append(path)

    for module, listed in _FROM_IMPORT.findall(text):
        take(module, listed.split("\n", 1)[0] if "(" not in listed else listed)
    for module in _PLAIN_IMPORT.findall(text):
        package, _, last = module.rpartition(".")
        take(module, last if last[:1].isupper() else "") if package else take(module, "")
    for listed, module in _JS_IMPORT.findall(text):
        take(module, listed)
    for match in _REQUIRE.finditer(text):
        before = text[
            max(text.rfind("\n", 0, match.start()) + 1, match.start() - 200) : match.start()
        ]
        take(match.group(1), re.sub(r"\b(?:const|let|var)\b", "", before) if "=" in before else "")
    for module, group, last in _RUST_USE.findall(text):
        take(module, group or last)
    for module in _PHP_USE.findall(text):
        take(module, module.rsplit("\\", 1)[-1])
    modules.extend(
        header for header in _INCLUDE.findall(text) if "/" in header or header.endswith(".h")
    )
    return names, modules, foreign
