"""Types inside declared collections and wrappers: `List<Row>` indexed, `Optional<Row>` unwrapped.

Only types of the languages and their standard libraries are known here, by name; the rest of a
chain is followed from the type in the declaration.
"""

from __future__ import annotations

import re

from sonde.lately import remembered
from sonde.link.chain import HOLDING, WRAPPING, closing, split, unmarked

_MAPPING = """
dict Dict Mapping MutableMapping defaultdict OrderedDict Map HashMap LinkedHashMap TreeMap
ConcurrentHashMap ConcurrentMap SortedMap NavigableMap MutableMap ImmutableMap Record ReadonlyMap
BTreeMap IndexMap Dictionary IDictionary IReadOnlyDictionary ConcurrentDictionary SortedDictionary
unordered_map map Hashtable
"""
_STREAMS = "Stream Optional IQueryable IOrderedEnumerable Sequence Iter ImmutableList ImmutableSet"
_MAPS = frozenset(_MAPPING.split())
_LISTS = (HOLDING | frozenset(_STREAMS.split())) - _MAPS
_ENTRIES = frozenset({"Entry", "KeyValuePair"})
_ONE = """
get getFirst getLast first last next peek poll pop remove element pollFirst pollLast peekFirst
peekLast First Last Single FirstOrDefault LastOrDefault SingleOrDefault ElementAt Dequeue Pop Peek
Find find at front back head nth get_mut first_mut last_mut pop_front pop_back swap_remove
firstOrNull lastOrNull removeFirst removeLast
"""
_MAYBE_ONE = frozenset({"findFirst", "findAny", "min", "max"})
_SAME = """
iter iter_mut into_iter stream iterator parallelStream filter sorted subList reversed to_vec clone
skip limit distinct Where OrderBy OrderByDescending Skip Take ToList ToArray AsEnumerable toList
slice copy drain listIterator rev
"""
_OF_MAP = """
get getOrDefault put remove computeIfAbsent computeIfPresent compute merge pop setdefault
putIfAbsent getValue at get_mut GetValueOrDefault
"""
_OPENING = """
get orElse orElseThrow orElseGet unwrap expect unwrap_or unwrap_or_default unwrap_or_else value
as_ref as_mut as_deref as_deref_mut cloned copied borrow borrow_mut lock read write join result
clone or filter GetAwaiter GetResult
"""
_GIVES_ONE = frozenset(_ONE.split())
_GIVES_SAME = frozenset(_SAME.split())
_GIVES_VALUE = frozenset(_OF_MAP.split())
_OPENS = frozenset(_OPENING.split())
_KEYS = frozenset({"keys", "keySet", "Keys"})
_VALUES = frozenset({"values", "Values", "values_mut", "into_values"})
# what Rust appends to anything that may be absent
UNWRAPS = frozenset({"unwrap", "expect", "unwrap_or_default", "cloned", "copied", "as_ref"})
_PARTS = {"getKey": 0, "Key": 0, "getValue": 1, "Value": 1}
# members of collections that take a function of an element
_EACH = """
forEach foreach ForEach each map Select filter Where any Any all All none count Count find Find
first First last Last firstOrNull lastOrNull single singleOrNull FirstOrDefault LastOrDefault
SingleOrDefault Single removeIf RemoveAll anyMatch allMatch noneMatch flatMap SelectMany mapNotNull
filterNot partition groupBy GroupBy associateBy associateWith associate sortedBy sortedByDescending
sortBy OrderBy ThenBy OrderByDescending maxBy minBy maxByOrNull minByOrNull MaxBy MinBy sumOf sumBy
Sum Max Min distinctBy DistinctBy takeWhile dropWhile TakeWhile SkipWhile mapToInt mapToLong
mapToObj mapTo flatMapTo onEach also peek ifPresent some every findIndex findLast indexOfFirst
exists forall collect compactMap ToDictionary ToLookup contains allSatisfy filter_map flat_map
for_each position inspect retain find_map max_by_key min_by_key sort_by_key take_while skip_while
is_some_and and_then map_or
"""
_PAIRS = frozenset({"sorted", "sort", "sort_by", "max_by", "min_by", "Sort", "sortedWith"})
_COUNTED = frozenset({"forEachIndexed", "mapIndexed", "filterIndexed", "mapIndexedNotNull"})
_FOLDS = frozenset({"fold", "reduce", "foldLeft", "Aggregate"})
_TAKES_EACH = frozenset(_EACH.split())
TAKES_ELEMENTS = _TAKES_EACH | _PAIRS | _COUNTED | _FOLDS
# members of collections and wrappers; all other names are skipped early
ACCESSES = frozenset(
    _GIVES_ONE
    | _MAYBE_ONE
    | _GIVES_SAME
    | _GIVES_VALUE
    | _OPENS
    | _KEYS
    | _VALUES
    | {*_PARTS, "entrySet"}
)


@remembered(4096)
def indexed(text: str) -> str:
    """The type of a declared collection's value at an index or key; "" if not declared."""
    head, parts = _read(text)
    if head in WRAPPING and parts:
        return indexed(parts[0])
    if head in _MAPS:
        return parts[1] if len(parts) == 2 else ""
    return parts[0] if parts and head in _LISTS else ""


@remembered(8192)
def given_by(text: str, name: str) -> str:
    """The type that a member of a declared collection or wrapper returns; "" if not declared."""
    head, parts = _read(text)
    if not parts:
        return ""
    if head in _MAPS and len(parts) == 2:
        if name in _KEYS:
            return f"Set<{parts[0]}>"
        if name in _VALUES:
            return f"Collection<{parts[1]}>"
        if name == "entrySet":
            return f"Set<Entry<{parts[0]}, {parts[1]}>>"
        return parts[1] if name in _GIVES_VALUE else ""
    if head in _ENTRIES:
        return parts[_PARTS[name]] if name in _PARTS and len(parts) == 2 else ""
    if head in WRAPPING:
        return parts[0] if name in _OPENS else given_by(parts[0], name)
    if head not in _LISTS:
        return ""
    if name in _MAYBE_ONE:
        return f"Optional<{parts[0]}>"
    if name in _GIVES_ONE:
        return parts[0]
    return f"List<{parts[0]}>" if name in _GIVES_SAME else ""


@remembered(4096)
def taken_by(text: str, name: str, index: int) -> str:
    """The type of a parameter of the function that a member of a declared collection takes."""
    head, parts = _read(text)
    if not parts:
        return ""
    if head in _MAPS and len(parts) == 2:  # Java; elsewhere entries or the value come first
        by_pairs = name == "forEach" and text.rstrip(">")[-1:] != "]" and "Map<" in text
        return parts[index] if by_pairs and index < 2 and head not in ("Record", "Map") else ""
    if head in WRAPPING:
        if name in _OPENS or name in _TAKES_EACH:
            return parts[0] if index == 0 and not taken_by(parts[0], name, index) else ""
        return ""
    if head not in _LISTS:
        return ""
    at = 1 if name in _COUNTED or name in _FOLDS else 0
    takes = index == at if name not in _PAIRS else index < 2
    return parts[0] if takes and name in TAKES_ELEMENTS else ""


def _read(text: str) -> tuple[str, list[str]]:
    """The name of a generic type and its arguments; `Row[]` is read as "List" and ["Row"]."""
    text = unmarked(text)
    if text.endswith("[]"):
        return "List", [text[:-2]]
    if text.startswith(("[]", "...")):  # Go
        return "List", [text.lstrip("[].")]
    if text.startswith("map["):
        end = closing(text, 3)
        return "Map", [text[4 : end - 1], text[end:]]
    if text[:1] == "[" and text.endswith("]"):  # Swift, Rust
        parts = split(text[1:-1].partition(";")[0], ":")
        return ("Map" if len(parts) == 2 else "List"), [each.strip() for each in parts]
    match = re.fullmatch(r"([\w$.:]+)\s*[<\[](.*)[>\]]", text, re.DOTALL)
    if match is None:
        return "", []
    parts = [each.strip() for each in split(match[2], ",")]
    return re.split(r"::|\.", match[1])[-1], [each for each in parts if not each.startswith("'")]
