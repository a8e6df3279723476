"""Reading receiver and type texts: "self.pool.get(x).client" as steps, "Optional[Foo]" as Foo."""

from __future__ import annotations

import re
from typing import NamedTuple

from sonde.lately import remembered

_NAME = re.compile(r"[$@\w]+[?!]?")
_MODIFIERS = (
    "await|new|mut|dyn|impl|const|final|ref|inout|borrowing|consuming|sending|some|any"
    "|unsafe|typeof"
)
_PREFIX = re.compile(rf"^(?:(?:{_MODIFIERS})\s+|[&*!(]+(?=[\w$@]))+")
_SEPARATOR = re.compile(r"(?:\?\.|!!\.|!\.|\.|->|::|\\|\?->)\s*")
_TURBOFISH = re.compile(r"::<[^<>]*>")
# `(Row) x` of Java and C#, `x as Row` of TypeScript, Swift, Kotlin and C#
_CAST = re.compile(r"\(([\w.]+)\)\s*[\w$@][^=]*|[^()]+\sas[?!]?\s+([\w.]+)\??")
_CLOSING = {"(": ")", "[": "]", "<": ">", "{": "}"}
_LONGEST = 400  # characters; a longer receiver is a literal or a builder nobody can follow
_MOST_STEPS = 12
# What stands for its first argument when members are looked up on it.
_WRAPPING = """
Optional Option Box Arc Rc RefCell Mutex Promise Awaitable Coroutine Annotated Final ClassVar
Type type Result Task ValueTask Readonly Partial Required Ref Cow unique_ptr shared_ptr
Nullable Future Lazy Pin NonNull weak_ptr
"""
_WRAPPERS = frozenset(_WRAPPING.split())
# What gives its first argument when it is gone through; a tuple only if all its parts are alike.
_HOLDING = """
list List set Set frozenset FrozenSet deque Deque dict Dict Mapping MutableMapping defaultdict
Sequence MutableSequence Collection Iterable Iterator Generator AbstractSet KeysView ValuesView
AsyncIterable AsyncIterator AsyncGenerator
ArrayList LinkedList HashSet LinkedHashSet TreeSet Queue Stack Vector MutableList MutableSet
MutableCollection Array ReadonlyArray Seq IndexedSeq vector array unordered_set forward_list span
IEnumerable ICollection IList ISet IReadOnlyList IReadOnlyCollection Vec VecDeque BTreeSet
"""
_HOLDERS = frozenset(_HOLDING.split())
_NOTHING = frozenset({"None", "null", "undefined", "nil", "void", "error", "()"})


class Step(NamedTuple):
    """One part of a chain: a name, whether it is called, and with how many arguments."""

    name: str
    called: bool
    given: int = 0


def _skip(text: str, start: int) -> int:
    """The index after the bracket that closes the one at `start`, or -1."""
    opening = text[start]
    closing = _CLOSING[opening]
    depth = 0
    for index in range(start, len(text)):
        if text[index] == opening:
            depth += 1
        elif text[index] == closing:
            depth -= 1
            if not depth:
                return index + 1
    return -1


def _unwrapped(text: str) -> str:
    """A chain without brackets around its beginning: `(await x.get()).y`, `(x as Row).y`."""
    for _ in range(4):
        end = _skip(text, 0) if text[:1] == "(" else -1
        if end < 0:
            break
        inner, rest = text[1 : end - 1].strip(), text[end:]
        cast = _CAST.fullmatch(inner)
        if cast:
            inner = (cast[1] or cast[2]) + "()"  # calling a type gives one of it
        text = inner + rest
    return text


@remembered(65536)
def steps_of(text: str) -> tuple[Step, ...]:
    """The steps of a receiver text; empty when it is no plain chain of names and calls."""
    if text.isidentifier():
        return (Step(text, False),)
    if len(text) > _LONGEST:
        return ()
    text = _TURBOFISH.sub("", _PREFIX.sub("", _unwrapped(text.strip())))
    found: list[Step] = []
    index = 0
    while index < len(text):
        match = _NAME.match(text, index)
        if not match or len(found) == _MOST_STEPS:
            return ()
        index = match.end()
        name = match[0].rstrip("?!") if text[index : index + 1] == "." else match[0]
        called, given = False, 0
        while index < len(text) and text[index] in "(<[{":
            after = _skip(text, index)
            if after < 0 or text[index] == "[":  # an element's type is not known
                return ()
            if text[index] in "({":  # `Row{}` makes one as well
                inner = text[index + 1 : after - 1].strip()
                called, given = True, len(_split(inner, ",")) if inner else 0
            index = after
        found.append(Step(name, called, given))
        rest = text[index:].lstrip()
        separator = _SEPARATOR.match(rest)
        if not separator:
            return tuple(found) if rest in ("", "!", "?", "!!") else ()
        index = len(text) - len(rest) + separator.end()
    return ()


@remembered(65536)
def type_name(text: str) -> str:
    """The dotted name of the one type a declaration speaks of, "" if there is none or several."""
    if text.isidentifier() and text not in _NOTHING:
        return text
    if len(text) > _LONGEST:
        return ""
    text = text.strip().strip("\"'`").strip()
    if text.startswith(("[]", "map[", "[", "chan ", "func")) or text in _NOTHING or not text:
        return ""
    if text[0] == "(" and text.endswith(")"):  # Go results: the value before the error
        text = text[1:-1].split(",")[0].strip().rpartition(" ")[2]
    text = _PREFIX.sub("", re.sub(r"^&'\w+\s+", "", text)).strip("()*& ").rstrip("?!")
    text = text.rstrip(") ") if "(" not in text else text  # `(any Row)?`
    if "|" in text:
        arms = [arm.strip() for arm in _split(text, "|")]
        arms = [arm for arm in arms if arm not in _NOTHING]
        if len(arms) != 1:
            return ""
        if arms[0] != text:
            return type_name(arms[0])
    match = re.match(r"\\?([\w$.:\\]+)\s*", text)
    if not match:
        return ""
    head = re.sub(r"::|\\", ".", match[1]).strip(".")
    rest = text[match.end() :]
    if rest[:1] in ("[", "<") and head.rpartition(".")[2] in _WRAPPERS:
        inner = rest[1 : _skip(rest, 0) - 1]
        return type_name(_split(inner, ",")[0])
    if rest.startswith("[]") or rest[:1] not in ("", "<", "[", "*", "&", " ", "{"):
        return ""
    if rest[:1] in ("[", "<"):  # `Rows<T>[]` holds them, `Client[F] => Unit` takes one
        after = rest[_skip(rest, 0) :].lstrip()
        if after.startswith(("[]", "=>", "->")):
            return ""
    return head


@remembered(4096)
def element_type(text: str) -> str:
    """The type of what a declared collection holds, "" when it is none or not told."""
    text = _PREFIX.sub("", text.strip().strip("\"'")).strip(" &*?!")
    arms = [each.strip() for each in _split(text, "|") if each.strip() not in _NOTHING]
    text = arms[0] if len(arms) == 1 else ""
    if text.endswith("[]"):  # Java, C#, TypeScript
        return text[:-2]
    if text.startswith(("[]", "...")):  # Go
        return text.lstrip("[].")
    if text.startswith("map["):
        return text[_skip(text, 3) :]
    if text[:1] == "[" and text.endswith("]") and ":" not in text:  # Swift, Rust
        return text[1:-1].partition(";")[0]
    head, opening, inner = text.partition("<" if "<" in text and "[" not in text else "[")
    if not opening or not inner.endswith(_CLOSING[opening]):
        return ""
    name = re.split(r"::|\.", head.strip())[-1]
    parts = [each.strip() for each in _split(inner[:-1], ",")]
    if name == "Optional":
        return element_type(parts[0])
    alike = name in ("tuple", "Tuple") and parts[1:] == ["..."]
    return parts[0] if alike or name in _HOLDERS else ""


def _split(text: str, separator: str) -> list[str]:
    """Split at a separator outside brackets."""
    parts = [""]
    depth = 0
    for char in text:
        depth += (char in "[(<{") - (char in "])>}")
        if char == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts
