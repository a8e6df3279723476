"""Text → Query: read each part of a task according to its kind, order results by importance."""

from __future__ import annotations

from collections.abc import Iterable

from sonde.model import Frame, Intent, Query
from sonde.understand import intent as intents
from sonde.understand.code_blocks import CodeNames, read_code
from sonde.understand.excerpt import excerpt
from sonde.understand.identifiers import Mention, has_code_shape, mentions
from sonde.understand.issue_text import PROSE_KINDS, WEIGHTS, Part, PartKind, separate
from sonde.understand.literals import worth_searching
from sonde.understand.mentioned import commits_mentioned, issues_mentioned, without_mentions
from sonde.understand.paths import Places, find_places, module_path
from sonde.understand.phrases import generate_names
from sonde.understand.terms import Terms
from sonde.understand.traces import Trace, error_types, read_traces

MAX_NAMES = 60
MAX_PATHS = 24
_MAX_FUNCTIONS = 8  # from the innermost frames; outer frames only lead there


class _Reading:
    """What was read from the parts of one text, most informative part first."""

    def __init__(self, text: str) -> None:
        self.parts = sorted(separate(text), key=lambda part: part.kind)
        self.issues = issues_mentioned(self.prose())
        self.trace = read_traces(text)
        self.terms = Terms()
        self.mentions: list[Mention] = []
        self.places: list[Places] = []
        self.code: list[CodeNames] = []
        self.plain: list[str] = []  # title and complaint without paths and addresses
        for part in self.parts:
            self._read(part)
        titles = (part.text for part in self.parts if part.kind is PartKind.TITLE)
        self.title = next(titles, "")
        self.terms.mark_subject(without_mentions(self.title))

    def prose(self, *kinds: PartKind) -> list[str]:
        return [part.text for part in self.parts if part.kind in (kinds or PROSE_KINDS)]

    def _read(self, part: Part) -> None:
        weight = WEIGHTS[part.kind]
        if part.kind in (PartKind.CODE, PartKind.DIFF):
            self.code.append(read_code(part.text))
            self.terms.add_text(part.text, weight)
            if part.kind is PartKind.DIFF:
                self.places.append(find_places(part.text))
            return
        places = find_places(without_mentions(part.text))
        self.terms.add_text(places.rest, weight)
        if part.kind is PartKind.OUTPUT:
            return
        self.places.append(places)
        if part.kind in (PartKind.TITLE, PartKind.COMPLAINT):
            self.plain.append(places.rest)
        for path in places.paths:
            self.terms.add_name(path.rsplit("/", 1)[-1].split(".", 1)[0], weight)
        found = mentions(places.rest)
        for mention in found:
            self.terms.add_name(mention.name, weight)
        self.mentions.extend(found)


def understand(text: str) -> Query:
    """Turn a task or issue text into a query; never raises, whatever the text."""
    body, chosen = intents.strip_command(excerpt(text))
    reading = _Reading(body)
    wish = "\n".join(reading.prose(PartKind.TITLE, PartKind.COMPLAINT))
    verdict = _verdict(wish, chosen, reading)
    exact = _unique(m.name for m in reading.mentions if m.exact)[:MAX_NAMES] or _letter(body)
    weights = reading.terms.ranked()
    return Query(
        text=text,
        intent=verdict.intent,
        confidence=verdict.confidence,
        exact=exact,
        compounds=_compounds(reading, set(exact)),
        generated=generate_names("\n".join(reading.plain)),
        components=tuple(word for word, _ in weights),
        paths=_paths(reading),
        frames=_frames(reading.trace, reading.places),
        errors=reading.trace.errors,
        literals=worth_searching(_messages(reading), reading.prose()),
        about_tests=intents.is_about_tests(wish, verdict.intent),
        weights=weights,
        title=reading.title if len(reading.parts) > 1 else "",
        issues=reading.issues,
        commits=commits_mentioned(body),
    )


def _verdict(wish: str, chosen: Intent | None, reading: _Reading) -> intents.Verdict:
    if chosen is not None:
        return intents.Verdict(intents.command_intent(chosen, wish), 1.0)
    kinds = {part.kind for part in reading.parts}
    is_report = bool(kinds & {PartKind.STEPS, PartKind.EXPECTATION, PartKind.OUTPUT})
    evidence = (2.0 if error_types(wish) else 0.0) + (1.0 if is_report else 0.0)
    return intents.detect_intent(wish, reading.trace.is_trace, evidence)


def _letter(text: str) -> tuple[str, ...]:
    """A one-letter text can only be a name: `g`, `T`."""
    letter = text.strip()
    return (letter,) if len(letter) == 1 and letter.isalpha() else ()


def _compounds(reading: _Reading, exact: set[str]) -> tuple[str, ...]:
    names: list[str] = []
    for mention in reading.mentions:
        names += _with_tails(mention.name, mention.called)
    for group in ("imported", "called"):
        for code in reading.code:
            for name in getattr(code, group):
                names += _with_tails(name, group == "called")
    frames = reading.trace.frames[: reading.trace.ours]
    functions = [frame.function for frame in frames if frame.function]
    for function in functions[:_MAX_FUNCTIONS]:
        names += _with_tails(function, True)
    for group in ("other", "defined"):
        for code in reading.code:
            names += getattr(code, group)
    return tuple(name for name in _unique(names) if name not in exact)[:MAX_NAMES]


def _with_tails(name: str, called: bool) -> list[str]:
    """A dotted name, then its last two parts, then its last part if that is distinctive alone."""
    parts = name.split(".")
    if len(parts) == 1:
        return [name]
    tails = [name] if len(parts) == 2 else [name, ".".join(parts[-2:])]
    if called or has_code_shape(parts[-1]) or parts[-1][:1].isupper():
        tails.append(parts[-1])
    if parts[-2][:1].isupper():
        tails.append(parts[-2])
    return tails


def _paths(reading: _Reading) -> tuple[str, ...]:
    paths = [path for places in reading.places for path in places.paths]
    paths += [frame.file for frame in reading.trace.frames[: reading.trace.ours] if frame.file]
    for mention in reading.mentions:
        paths += _module_of(mention)
    paths += [module for code in reading.code for module in code.modules]
    return _unique(paths)[:MAX_PATHS]


def _module_of(mention: Mention) -> list[str]:
    """The module that a lower-case dotted name lives in, or is itself."""
    parts = mention.name.split(".")
    modules = []
    for part in parts:
        if part != part.lower() or not part.isidentifier():
            break
        modules.append(part)
    if len(modules) == len(parts) and (mention.called or len(parts) > 2 or "_" in parts[-1]):
        modules = modules[:-1]
    return [module_path(".".join(modules))] if len(modules) > 1 else []


def _frames(trace: Trace, places: list[Places]) -> tuple[Frame, ...]:
    """Frames of traces, then linked lines that no trace mentions."""
    known = {(frame.file, frame.line) for frame in trace.frames}
    links = [link for place in places for link in place.links if link.line]
    new = [link for link in links if (link.file, link.line) not in known]
    return trace.frames + tuple(dict.fromkeys(new))


def _messages(reading: _Reading) -> list[str]:
    """Reported messages, and one-line blocks that read like a message."""
    quoted = (PartKind.CODE, PartKind.OUTPUT)
    lines = [
        f'"{part.text.strip()}"'
        for part in reading.parts
        if part.kind in quoted and "\n" not in part.text.strip() and len(part.text) < 200
    ]
    return [*reading.trace.messages, *worth_searching((), lines)]


def _unique(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if value))
