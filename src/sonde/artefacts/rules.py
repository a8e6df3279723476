"""Rules and pitfalls from the files that projects write for people and agents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from sonde.artefacts.artefact import Artefact, ArtefactKind
from sonde.artefacts.items import Item, items

# Written for agents: every entry is meant as a rule. The others mix rules with talk.
FOR_AGENTS = (
    "AGENTS.md",
    "CLAUDE.md",
    "GEMINI.md",
    ".cursorrules",
    ".windsurfrules",
    ".github/copilot-instructions.md",
)
FOR_PEOPLE = ("CONTRIBUTING.md", "CONTRIBUTING.rst", ".github/CONTRIBUTING.md")
OWN_CONSTITUTION, OWN_GOTCHAS = ".sonde/constitution.md", ".sonde/gotchas.md"

_DEMAND = re.compile(
    r"^(?:always|never|do not|don't|avoid|prefer|use|ensure|make sure|keep|write|add|run|"
    r"follow|include|update|document|name|put|do|please (?:add|use|make|run|follow|do|don't))\b"
    r"|\b(?:must|must not|should|shouldn't|should not|never|always|required|forbidden|"
    r"not allowed|do not|don't)\b",
    re.I,
)
_PITFALL_HEADING = re.compile(
    r"\b(?:gotchas?|pitfalls?|caveats?|known (?:issues?|problems?|limitations?)|troubleshooting|"
    r"common (?:errors?|mistakes?|problems?|issues?)|watch out|beware|quirks?|footguns?)\b",
    re.I,
)
_PITFALL = re.compile(
    r"^(?:note|warning|beware|careful|caution|gotcha|caveat|watch out|attention|known issue)\b",
    re.I,
)
_ASIDE = re.compile(
    r"\b(?:code of conduct|license|licence|contributors?|sponsors?|thanks|table of contents|"
    r"reporting (?:a )?(?:bugs?|issues?|security)|security|getting help|support|community|"
    r"donate)\b",
    re.I,
)
_SHORTEST = 12  # characters
_MOST = 400  # of one file


def rules_of(path: str, text: str, scope: str) -> list[Artefact]:
    """The rules and pitfalls of one file."""
    return list(islice(_found(path, text, scope), _MOST))


def _found(path: str, text: str, scope: str) -> Iterator[Artefact]:
    own = path.endswith((OWN_CONSTITUTION, OWN_GOTCHAS))
    for item in items(text):
        kind = _own_kind(path) if own else _kind(item, path)
        if kind is not None and (own or len(item.text) >= _SHORTEST):
            heading = item.headings[-1] if item.headings else ""
            yield Artefact(kind, item.text, path, item.line, scope, heading=heading, own=own)


def _own_kind(path: str) -> ArtefactKind:
    return ArtefactKind.GOTCHA if path.endswith(OWN_GOTCHAS) else ArtefactKind.CONSTITUTION


def _kind(item: Item, path: str) -> ArtefactKind | None:
    """What an entry is; None for talk."""
    if any(_ASIDE.search(heading) for heading in item.headings) or item.text.endswith(":"):
        return None
    if _PITFALL.match(item.text) or any(_PITFALL_HEADING.search(h) for h in item.headings):
        return ArtefactKind.GOTCHA
    for_agents = path.endswith(FOR_AGENTS)
    if (for_agents and item.listed) or _DEMAND.search(item.text):
        return ArtefactKind.CONSTITUTION
    return None
