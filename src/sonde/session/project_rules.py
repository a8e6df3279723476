"""What a pack shows of the project's artefacts: what fits their share and was not sent yet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sonde.answers.folders import in_folder
from sonde.artefacts.artefact import Artefact, ArtefactKind
from sonde.artefacts.finding import find_artefacts, folders_of
from sonde.artefacts.relevance import by_relevance
from sonde.artefacts.runbook import standing
from sonde.discover.language import kind_of_language, named
from sonde.model import FileKind
from sonde.pack.cards import visible_path
from sonde.pack.tokens import TokenCounter
from sonde.pack.visible import one_line
from sonde.retrieve.view import View
from sonde.session.context_pack import Rules
from sonde.session.memory import SessionRecord

_LINE = 300  # characters of a rule
_CONSTITUTION, _GOTCHAS = 0.65, 0.85  # of the share: where each must end
_LEAST = 60  # tokens of rules in even the smallest pack
_COMMANDS = 8
_FILES = 6  # of the evidence whose folders are looked at
_RELEVANT = 0.3  # score below which a later pass sends no further pitfall
_USUAL = ("test", "build", "lint", "format", "types", "run")


@dataclass(frozen=True, slots=True)
class ChosenRules:
    """Rules for a pack, the ids of those it sends, and what had no room."""

    rules: Rules
    ids: tuple[str, ...]
    left: tuple[str, ...]


class RuleChooser:
    """Finds the artefacts for some files once, and fills their share."""

    def __init__(self, view: View, counter: TokenCounter, record: SessionRecord) -> None:
        self._view = view
        self._counter = counter
        self._record = record

    def choose(self, task: str, files: Iterable[str], share: int) -> ChosenRules:
        """Rules, pitfalls and commands for a task on these files, most relevant first."""
        paths = list(dict.fromkeys(files))[:_FILES]
        found = find_artefacts(self._view.index.workspace.root, folders_of(paths))
        ranked = by_relevance(found, task, paths)
        sent = set(self._record.artefacts)
        new = [(score, each) for score, each in ranked if each.id not in sent]
        old = [each for _, each in ranked if each.id in sent]
        room = max(share, _LEAST)
        again = bool(self._record.passes)
        constitution = _of(new, ArtefactKind.CONSTITUTION)
        kept, spent = self._filled(constitution, int(room * _CONSTITUTION))
        gotchas = _of(new, ArtefactKind.GOTCHA, _RELEVANT if again else 0.0)
        warned, spent = self._filled(gotchas, int(room * _GOTCHAS), spent)
        written = _written_in(paths)
        commands = [] if again else _commands(_of(new, ArtefactKind.RUNBOOK), written)
        runs, _ = self._filled(commands, room, spent)
        rules = Rules(
            tuple(map(_said, kept)),
            tuple(map(_said, warned)),
            tuple((each.name, in_folder(each.scope, each.text)) for each in runs),
            _sent(old) if again else "",
        )
        ids = tuple(each.id for each in (*kept, *warned, *runs))
        return ChosenRules(rules, ids, _left(constitution, kept) + _left(gotchas, warned))

    def _filled(
        self, artefacts: Sequence[Artefact], end: int, spent: int = 0
    ) -> tuple[list[Artefact], int]:
        """Those that fit up to `end`, and what they cost; one always fits."""
        kept: list[Artefact] = []
        for each in artefacts:
            cost = self._counter.count(_said(each)) + 4
            if spent + cost <= end or (not kept and not spent):
                kept.append(each)
                spent += cost
        return kept, spent


def _of(
    ranked: Sequence[tuple[float, Artefact]], kind: ArtefactKind, least: float = 0.0
) -> list[Artefact]:
    return [each for score, each in ranked if each.kind is kind and score >= least]


def _said(artefact: Artefact) -> str:
    text = one_line(artefact.text, _LINE)
    return f"{text} (in {visible_path(artefact.scope)})" if artefact.scope else text


def _written_in(paths: Sequence[str]) -> str:
    """The language that most of some files are in; of several the one that comes first."""
    languages = [known.language for path in paths if (known := named(path.rpartition("/")[2]))]
    code = [each for each in languages if kind_of_language(each) is FileKind.SOURCE]
    return max(code, key=code.count, default="")


def _commands(found: Sequence[Artefact], language: str) -> list[Artefact]:
    """A command for each name, the deepest scope's, then what runs code of the language; the usual
    ones first."""
    best: dict[str, Artefact] = {}
    for each in sorted(found, key=lambda each: (-len(each.scope), *standing(each, language))):
        best.setdefault(each.name, each)

    def order(each: Artefact) -> tuple[bool, int, str]:
        usual = _USUAL.index(each.name) if each.name in _USUAL else len(_USUAL)
        return not each.own, usual, each.name

    return sorted(best.values(), key=order)[:_COMMANDS]


def _sent(old: Sequence[Artefact]) -> str:
    """A line instead of what the receiver already has."""
    if not old:
        return ""
    rules = sum(each.kind is ArtefactKind.CONSTITUTION for each in old)
    parts = [f"{rules} rule{'s' * (rules != 1)}"] * bool(rules)
    parts += [f"{len(old) - rules} other"] * (len(old) > rules)
    return f"{' and '.join(parts)} sent before, unchanged"


def _left(found: Sequence[Artefact], kept: Sequence[Artefact]) -> tuple[str, ...]:
    """How many had no room, and the files where they can be read."""
    out = [each for each in found if each not in kept]
    if not out:
        return ()
    files = ", ".join(visible_path(path) for path in dict.fromkeys(each.file for each in out))
    noun = "rule" if out[0].kind is ArtefactKind.CONSTITUTION else "gotcha"
    return (f"{len(out)} {noun}{'s' * (len(out) > 1)} of {files}",)
