"""Single-file components: facts of their code, in which the file itself is the component.

Its symbol stands in the module's place and spans the file. It is named as others import it, after
the file (`user-card.vue` is `UserCard`), unless it says a name of its own; that is its signature
then. Functions of the script are found as in any module. What is written in a component's options
(`methods: { save() {} }`) belongs to the component.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from sonde.extract import module_name
from sonde.extract.markup import Hosted
from sonde.extract.spec import LanguageSpec, load_spec
from sonde.extract.text_of import SourceText
from sonde.model import FileFacts, Import, Kind, Reference, RefKind, Symbol

if TYPE_CHECKING:
    from sonde.extract.spec import Node

_OPTIONS = "default"  # owner of what options define, until the component's name is known
_MERGED = frozenset({"methods", "computed"})  # options whose members are the component's own
_MAKERS = frozenset({"defineComponent", "Vue.extend", "defineNuxtComponent"})
_DEEPEST = 6  # objects in one another
_WORD = re.compile(r"[^\W_]+")
_FIRST = re.compile(r"[$\w]+")
# a name after options that are written on few lines
_OWN_NAME = re.compile(
    rb"(?:\bexport\s+default\s*|\bdefineComponent\(\s*|\bVue\.extend\(\s*|\bdefineOptions\(\s*)\{\s*+"
    rb"(?:(?!name\b)\w++\s*+(?::\s*+(?:'[^'\n]*+'|\"[^\"\n]*+\"|\w++|\{[^{}]*+\}|\[[^\[\]]*+\])\s*+)?,\s*+"
    rb"|//[^\n]*+\n\s*+)*+(?P<written>name\s*:\s*(?P<quote>['\"])(?P<name>[\w-]+)(?P=quote))"
)


def component_name(path: str) -> str:
    """The name under which others usually import the component in a file."""
    return _joined(module_name(path))


def extract_component(path: str, language: str, data: bytes, spec: LanguageSpec) -> FileFacts:
    """Facts of a file that holds a component, in a language of markup."""
    from sonde.extract.code import extract_code

    assert spec.host is not None
    hosted = spec.host(data)
    script = load_spec(hosted.language)
    assert script is not None
    facts = extract_code(path, hosted.language, hosted.text, _with_options(script))
    source = SourceText(hosted.text)
    found = _Component(facts, hosted, source, component_name(path))
    return replace(
        facts,
        language=language,
        symbols=found.symbols,
        references=tuple(sorted(found.references(), key=lambda each: each.line)),
        imports=(*facts.imports, *_sources(hosted, source)),
    )


def named_after(facts: FileFacts, path: str) -> FileFacts:
    """Facts of a component under another file's name."""
    module, name = facts.symbols[0], component_name(path)
    if module.signature or module.name == name:
        return facts
    references = tuple(
        each._replace(receiver=name + each.receiver[len(module.name) :])
        if each.receiver.partition(".")[0] == module.name
        else each
        for each in facts.references
    )
    symbols = _renamed(facts.symbols, module.name, name)
    return replace(facts, symbols=tuple(symbols), references=references)


def _renamed(symbols: Iterable[Symbol], old: str, new: str) -> Iterator[Symbol]:
    """Symbols of a component of another name: its own, its options' and what is inside of those."""
    inside = set[int]()
    for at, each in enumerate(symbols):
        if at == 0 and each.kind is Kind.CLASS:
            yield each._replace(name=new, qualname=new)
        elif each.parent in inside or each.owner.partition(".")[0] == old:
            inside.add(at)
            qualname = new + each.qualname[len(old) :]
            yield each._replace(qualname=qualname, owner=each.owner and new)
        else:
            yield each


def _joined(text: str) -> str:
    """`user-card`, `+user-card` and `[userCard]` as `UserCard`."""
    return "".join(word[0].upper() + word[1:] for word in _WORD.findall(text)) or text


def _with_options(spec: LanguageSpec) -> LanguageSpec:
    """The spec of a script in which options define members of the component."""
    around = spec.owner
    return replace(spec, owner=lambda node, source: _owner(node, source) or around(node, source))


def _owner(node: Node, source: SourceText) -> str:
    """The options around a function, with the names of what it is in: `default.watch`."""
    keys: list[str] = []
    for _ in range(_DEEPEST):
        literal = node.parent
        if literal is None or literal.type != "object" or literal.parent is None:
            break
        node = literal.parent
        if node.type == "pair":
            keys.append(source.field(node, "key"))
            continue
        call = node.parent if node.type == "arguments" else None
        if call is not None:
            maker = source.field(call, "function")
            node = call.parent if maker in _MAKERS and call.parent is not None else literal
        if node.type != "export_statement":
            break
        if keys and keys[-1] in _MERGED:
            keys.pop()
        return ".".join([_OPTIONS, *(key for key in reversed(keys) if key.isidentifier())])
    return ""


class _Component:
    """The facts of a script on their way to becoming those of a component."""

    def __init__(self, facts: FileFacts, hosted: Hosted, source: SourceText, name: str) -> None:
        self._facts, self._hosted, self._source = facts, hosted, source
        own = _OWN_NAME.search(hosted.text)
        self.name = _joined(own["name"].decode()) if own else name
        written = own["written"].decode() if own else ""
        self._class = self._exported_class()
        self.symbols = facts.symbols if self._class else self._named(written)
        self._free = {each.name for each in facts.symbols[1:] if each.qualname == each.name}
        self._free.update(each.alias for each in facts.imports)
        self._members = {
            each.name
            for each in self.symbols
            if each.owner and each.qualname == f"{self.name}.{each.name}"
        }
        setup = f"{self.name}.setup"
        self._setup = next((at for at, s in enumerate(self.symbols) if s.qualname == setup), 0)
        self._inside = {s.name for s in self.symbols if self._setup and s.parent == self._setup}

    def _exported_class(self) -> int:
        """The class that is the component itself: `export default class Cart extends Vue {}`."""
        default = {each.name for each in self._facts.imports if each.alias == _OPTIONS}
        for at, symbol in enumerate(self._facts.symbols):
            if symbol.kind is Kind.CLASS and symbol.name in {*default, _OPTIONS}:
                return at
        return 0

    def _named(self, written: str) -> tuple[Symbol, ...]:
        module, *others = self._facts.symbols
        module = module._replace(kind=Kind.CLASS, signature=written)
        return tuple(_renamed((module, *others), _OPTIONS, self.name))

    def references(self) -> Iterator[Reference]:
        """What the script uses, and what the markup does, as uses of the component."""
        line = self._source.line
        scripts = [(line(start), line(end)) for start, end in self._hosted.scripts]
        for each in self._facts.references:
            if each.receiver.startswith("$") or each.name.startswith("$"):
                each = self._unsubscribed(each)
            if each.scope == 0 and not any(first <= each.line <= last for first, last in scripts):
                meant = self._of_markup(each)
                if meant is not None:
                    yield meant
            else:
                yield each
        for use in self._hosted.uses:
            receiver, _, name = use.name.rpartition(".")
            if "-" in name:
                name = self._imported(_joined(name))
            if name and (receiver or name).partition(".")[0] not in self._hosted.declared:
                yield Reference(RefKind.CALL, name, receiver, line(use.byte), self._class)

    def _imported(self, name: str) -> str:
        """The spelling in which a component is known to the script."""
        lower = name[0].lower() + name[1:]
        return lower if name not in self._free and lower in self._free else name

    def _of_markup(self, use: Reference) -> Reference | None:
        """A use in the markup, where members of the component need no `this`."""
        first = _FIRST.match(use.receiver or use.name)
        name = first[0] if first is not None else ""
        if name in self._hosted.declared:
            return None
        if name not in self._free and name in self._members:
            return use._replace(receiver=f"{self.name}.{use.receiver}".rstrip("."))
        inside = name not in self._free and name in self._inside
        return use._replace(scope=self._setup if inside else self._class)

    def _unsubscribed(self, use: Reference) -> Reference:
        """The store behind `$store`, whose value that is."""
        first = (use.receiver or use.name).partition(".")[0][1:]
        if first not in self._free:
            return use
        if use.receiver:
            return use._replace(receiver=use.receiver[1:])
        return use._replace(name=use.name[1:])


def _sources(hosted: Hosted, source: SourceText) -> Iterator[Import]:
    for byte, name in hosted.sources:
        yield Import(name, "*", "*", 0, source.line(byte), True)
