"""Parse receiver and type texts: "self.pool.get(x).client" as steps, "Optional[Foo]" as Foo."""

from __future__ import annotations

import re
from typing import NamedTuple

from sonde.lately import remembered

_NAME = re.compile(r"[$@\w]+[?!]?")
_MODIFIERS = (
    "await|new|mut|dyn|impl|const|final|ref|inout|borrowing|consuming|sending|some|any"
    r"|unsafe|typeof|try[?!]?"
)
_PREFIX = re.compile(rf"^(?:(?:{_MODIFIERS})\s+|[&*!?(]+(?=[\w$@]))+")
_SEPARATOR = re.compile(r"(?:\?\.|!!\.|!\.|\.|->|::|\\|\?->)\s*")
_LIFETIME = re.compile(r"^&'\w+\s+(?:mut\s+)?")
_TURBOFISH = re.compile(r"::<[^<>]*>")
# `(Row) x` of Java and C#, `(row *) x` of C, `x as Row` of TypeScript, Swift, Kotlin and C#
_CAST = re.compile(
    r"\((?:const |struct )*([\w.:]+)(?:<[^()]*>)?[ *&]*\)\s*[\w$@][^=]*"
    r"|[^()]+\sas[?!]?\s+([\w.]+)\??"
)
# `static_cast<const Row*>(x)` of C++
_CAST_TO = re.compile(r"(?:std::)?(?:static|dynamic|const|reinterpret)(?:_pointer)?_cast\s*<")
_TYPE_GIVEN = re.compile(r"([\w.]+?)(?:\.class|::class(?:\.java)?)")
_INDEX = re.compile(r"[^:\[\]]*")  # one key, no slice
_BRACKET = re.compile(r"[\[(<{\])>}]")
_CLOSING = {"(": ")", "[": "]", "<": ">", "{": "}"}
_LONGEST = 400  # characters; a longer receiver is a literal or a builder that cannot be followed
_MOST_STEPS = 24
# Types that stand for their first argument when members are looked up on them.
_WRAPPER_NAMES = """
Optional Option Box Arc Rc RefCell Mutex Promise Awaitable Coroutine Annotated Final ClassVar
Type type Result Task ValueTask Readonly Partial Required Ref Cow unique_ptr shared_ptr
Nullable Future Lazy Pin NonNull weak_ptr
"""
WRAPPING = frozenset(_WRAPPER_NAMES.split())
# Types that yield their first argument when iterated; a tuple only if all its parts are alike.
_HOLDER_NAMES = """
list List set Set frozenset FrozenSet deque Deque dict Dict Mapping MutableMapping defaultdict
Sequence MutableSequence Collection Iterable Iterator Generator AbstractSet KeysView ValuesView
AsyncIterable AsyncIterator AsyncGenerator
ArrayList LinkedList HashSet LinkedHashSet TreeSet Queue Stack Vector MutableList MutableSet
MutableCollection Array ReadonlyArray Seq IndexedSeq vector array unordered_set forward_list span
IEnumerable ICollection IList ISet IReadOnlyList IReadOnlyCollection Vec VecDeque BTreeSet
$ReadOnlyArray $ReadOnlySet
"""
HOLDING = frozenset(_HOLDER_NAMES.split())
_NOTHING = frozenset({"None", "null", "undefined", "nil", "void", "error", "()"})


class Step(NamedTuple):
    """One part of a chain: a name, whether it is called, and with how many arguments."""

    name: str
    called: bool
    given: int = 0
    element: bool = False  # an element of it is meant: `rows[0]`
    types: tuple[str, ...] = ()  # of its arguments, where one is a type: `make(1, Row.class)`
    type_args: tuple[str, ...] = ()  # `make<Row>()`


def closing(text: str, start: int) -> int:
    """The index after the bracket that closes the one at `start`, or -1 if none does."""
    opening = text[start]
    closing = _CLOSING[opening]
    end = text.find(closing, start)
    if end < 0 or text.find(opening, start + 1, end) < 0:  # none inside, as nearly always
        return end + 1 or -1
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
        end = closing(text, 0) if text[:1] == "(" else -1
        if end < 0:
            break
        inner, rest = text[1 : end - 1].strip(), text[end:]
        cast = _CAST.fullmatch(inner)
        if cast:
            inner = (cast[1] or cast[2]) + "()"  # calling a type gives an instance
        text = inner + rest
    cast_to = _CAST_TO.match(text) if "_cast" in text else None
    end = closing(text, cast_to.end() - 1) if cast_to is not None else -1
    if cast_to is not None and end > 0:
        type_ = re.sub(r"\b(?:const|struct)\b|[\s*&]", "", text[cast_to.end() : end - 1])
        text = type_ + text[end:]
    return text


@remembered(65536)
def steps_of(text: str) -> tuple[Step, ...]:
    """The steps of a receiver text; empty if it is not a plain chain of names and calls."""
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
        called, given, element = False, 0, False
        types: tuple[str, ...] = ()
        type_args: tuple[str, ...] = ()
        if text[index : index + 2] == " {":  # a block behind the call, or a body
            index += 1
        while index < len(text) and text[index] in "(<[{":
            after = closing(text, index)
            if after < 0 or element:
                return ()
            if text[index] == "[":
                if not _INDEX.fullmatch(text, index + 1, after - 1):
                    return ()
                element = ".." not in text[index:after]  # a range gives a part of the same type
            if text[index] == "<":
                type_args = tuple(map(str.strip, split(text[index + 1 : after - 1], ",")))
            if text[index] in "({":  # `Row{}` creates one as well
                inner = text[index + 1 : after - 1].strip()
                called, given = True, len(split(inner, ",")) if inner else 0
                if "class" in inner:
                    types = _types(inner)
            index = after + (text[after : after + 2] == " {")
        found.append(Step(name, called, given, element, types, type_args))
        rest = text[index:].lstrip()
        separator = _SEPARATOR.match(rest)
        if not separator:
            return tuple(found) if rest in ("", "!", "?", "!!") else ()
        index = len(text) - len(rest) + separator.end()
    return ()


def _types(inner: str) -> tuple[str, ...]:
    """The arguments of a call that are types, "" for all others."""
    found = [_TYPE_GIVEN.fullmatch(each.strip()) for each in split(inner, ",")]
    return tuple(each[1] if each else "" for each in found)


@remembered(65536)
def type_name(text: str) -> str:
    """The dotted name of the one type in a declaration; "" if there is none or several."""
    if text.isidentifier() and text not in _NOTHING:
        return text
    if len(text) > _LONGEST:
        return ""
    text = text.strip().strip("\"'`").strip()
    if text.startswith(("[]", "map[", "[", "chan ", "func")) or text in _NOTHING or not text:
        return ""
    if text[0] == "(" and text.endswith(")"):  # Go results: the value before the error
        text = text[1:-1].split(",")[0].strip().rpartition(" ")[2]
    text = _PREFIX.sub("", _LIFETIME.sub("", text)).strip("()*& ").rstrip("?!")
    text = text.rstrip(") ") if "(" not in text else text  # `(any Row)?`
    if "|" in text:
        arms = [arm.strip() for arm in split(text, "|")]
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
    if rest[:1] in ("[", "<") and head.rpartition(".")[2] in WRAPPING:
        inner = rest[1 : closing(rest, 0) - 1]
        return type_name(split(inner, ",")[0])
    if rest.startswith("[]") or rest[:1] not in ("", "<", "[", "*", "&", " ", "{"):
        return ""
    if rest[:1] in ("[", "<"):  # `Rows<T>[]` holds several, `Client[F] => Unit` takes one
        after = rest[closing(rest, 0) :].lstrip()
        if after.startswith(("[]", "=>", "->")):
            return ""
    return head


@remembered(4096)
def element_type(text: str) -> str:
    """The element type of a declared collection; "" if it is not one or does not say."""
    text = unmarked(text)
    if text.endswith("[]"):  # Java, C#, TypeScript
        return text[:-2]
    if text.startswith(("[]", "...")):  # Go
        return text.lstrip("[].")
    if text.startswith("map["):
        return text[closing(text, 3) :]
    if text[:1] == "[" and text.endswith("]") and ":" not in text:  # Swift, Rust
        return text[1:-1].partition(";")[0]
    head, opening, inner = text.partition("<" if "<" in text and "[" not in text else "[")
    if not opening or not inner.endswith(_CLOSING[opening]):
        return ""
    name = re.split(r"::|\.", head.strip())[-1]
    parts = [each.strip() for each in split(inner[:-1], ",")]
    if name in WRAPPING:
        return element_type(parts[0])
    alike = name in ("tuple", "Tuple") and parts[1:] == ["..."]
    return parts[0] if alike or name in HOLDING else ""


def unmarked(text: str) -> str:
    """A type without modifiers, reference marks and its null alternative; "" for several types."""
    text = _LIFETIME.sub("", _PREFIX.sub("", text.strip().strip("\"'"))).strip(" &*?!")
    if "|" not in text:
        return text
    arms = [each.strip() for each in split(text, "|") if each.strip() not in _NOTHING]
    return arms[0] if len(arms) == 1 else ""


def split(text: str, separator: str) -> list[str]:
    """Split at a separator outside brackets."""
    if separator not in text:
        return [text]
    if not _BRACKET.search(text):
        return text.split(separator)
    parts = [""]
    depth = 0
    for char in text:
        depth += (char in "[(<{") - (char in "])>}")
        if char == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts
