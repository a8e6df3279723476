"""Random sessions: never over budget, nothing dropped that must stay, same input same bytes.

python -m bench.random_sessions REPO [--sessions 500] [--passes 10] [--seed 1] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.speed_archive import save
from sonde.answers.results import FAILURES, Failure
from sonde.config import Settings
from sonde.discover import DiscoverRules
from sonde.engine import Engine
from sonde.model import SymbolRecord
from sonde.pack.errors import BudgetTooSmall
from sonde.pack.tokens import TokenCounter
from sonde.pack.visible import one_line
from sonde.session.context_pack import ContextPack, PassKind
from sonde.session.editor import Diagnosis, Editor, GitState, Message
from sonde.session.render import FORMATS
from sonde.session.session import Session, SessionOptions
from sonde.session.task import COMMANDS, TaskSpec

_WORDS = ("fix", "crash", "when", "empty", "add", "validation", "update", "tests", "slow", "type")
_ODD = ("\u202e", "\x00", "```", "]]>", "é", "\ud800", "{{", "\t", "- |", "日本語")
_COUNTER = TokenCounter()
_KEPT_RULE = "Never write a token into a log."


@dataclass
class Tally:
    """Counts of what happened; `faults` are sentences about what must not happen."""

    sessions: int = 0
    packs: int = 0
    refused: int = 0
    faults: list[str] = field(default_factory=list)


class _Script:
    """One random session. The same seed over the same files gives the same session."""

    def __init__(self, engine: Engine, symbols: Sequence[SymbolRecord], seed: int) -> None:
        self.engine = engine
        self.random = random.Random(seed)
        self.symbols = symbols
        self.seed = seed
        self.now = 1_000_000.0
        self.packs: list[ContextPack] = []
        self.faults: list[str] = []
        self.refused = 0

    def run(self, passes: int) -> None:
        """Start, then random passes with random budgets; some change a file first."""
        session = self._start()
        while session is not None and len(self.packs) < passes:
            self.now += self.random.uniform(0.0, 400.0)
            if self.random.random() < 0.15:
                self._edit()
            kind = self.random.choice((self._plan, self._failure, self._more))
            kind(session)

    def _start(self) -> Session | None:
        choose = self.random
        task = TaskSpec(
            self.text(choose.choice((6, 20, 400))),
            choose.choice((*COMMANDS, "")),
            tuple(self.text(5) for _ in range(choose.randrange(3))),
            tuple(self.text(5) for _ in range(choose.randrange(3))),
        )
        editor = self._editor()
        history = [Message("user", self.text(30)) for _ in range(choose.randrange(8))]
        form = choose.choice(tuple(FORMATS))
        budget = self._budget()
        for attempt in range(2):
            options = SessionOptions(budget=budget, format=form)
            found = Session.start(
                self.engine,
                task,
                editor,
                options,
                history=history,
                clock=lambda: self.now,
                new_id=lambda: f"{self.seed:016x}",
            )
            if isinstance(found, Session):
                assert found.pack is not None
                self._check(found.pack, budget, editor)
                return found
            self.refused += 1
            if not isinstance(found, BudgetTooSmall) or attempt:
                if isinstance(found, BudgetTooSmall):
                    self._fault(f"the named minimum {budget} was too small")
                return None
            budget = found.minimum
        return None

    def _again(self, ask: Callable[[int], ContextPack | Failure]) -> None:
        budget = self._budget()
        found = ask(budget)
        if isinstance(found, BudgetTooSmall):
            self.refused += 1
            budget = found.minimum
            found = ask(budget)
            if isinstance(found, BudgetTooSmall):
                self._fault(f"the named minimum {budget} was too small")
        if isinstance(found, ContextPack):
            self._check(found, budget, None)
        elif isinstance(found, FAILURES):
            self.refused += 1
            self.packs.append(self.packs[-1])  # a refused pass is a pass, too

    def _plan(self, session: Session) -> None:
        steps = [self.text(8) for _ in range(self.random.randint(1, 5))]
        self._again(lambda budget: session.plan(steps, budget))

    def _failure(self, session: Session) -> None:
        lines = ["=== FAILURES ===", self.text(20)]
        for symbol in self.random.sample(self.symbols, min(4, len(self.symbols))):
            lines.append(f'  File "{symbol.file}", line {symbol.start_line}, in {symbol.name}')
            lines.append(f"FAILED {symbol.file}::{symbol.name} - AssertionError: {self.text(6)}")
        output = "\n".join(lines)
        self._again(lambda budget: session.failure(output, budget))

    def _more(self, session: Session) -> None:
        names = [self.random.choice(self.symbols).qualname] if self.random.random() < 0.3 else []
        self._again(lambda budget: session.more(names, budget))

    def _editor(self) -> Editor:
        choose = self.random
        if choose.random() < 0.25:
            return Editor()
        symbol = choose.choice(self.symbols)
        files = sorted({each.file for each in self.symbols})
        count = choose.choice((0, 1, 5, 80))
        diagnosed = tuple(
            Diagnosis(symbol.file, choose.randint(1, 60), f"{number} {self.text(6)}")
            for number in range(count)
        )
        selection = (symbol.start_line, symbol.end_line) if choose.random() < 0.5 else None
        git = GitState("main", tuple(files[:3]), self.text(60)) if choose.random() < 0.5 else None
        terminal = self.text(choose.choice((0, 50, 900)))
        return Editor(
            symbol.file, selection, tuple(files[: choose.randrange(9)]), diagnosed, terminal, git
        )

    def _budget(self) -> int:
        return self.random.choice((40, 150, 400, 900, 2_000, 5_000, 12_000, 30_000))

    def _edit(self) -> None:
        """Add a line to a file, so that what was sent is out of date."""
        path = self.engine.root / self.random.choice(self.symbols).file
        path.write_text(path.read_text("utf-8") + f"\n# {self.random.randrange(10**6)}\n", "utf-8")

    def text(self, words: int) -> str:
        """Words, names from the code, and characters that belong in neither."""
        choose = self.random
        found = []
        for _ in range(words):
            draw = choose.random()
            if draw < 0.3:
                found.append(choose.choice(self.symbols).name)
            elif draw < 0.33:
                found.append(choose.choice(_ODD))
            elif draw < 0.36:
                found.append("\n")
            else:
                found.append(choose.choice(_WORDS))
        return " ".join(found)

    def _check(self, pack: ContextPack, budget: int, editor: Editor | None) -> None:
        self.packs.append(pack)
        tokens = _COUNTER.count(pack.text)
        if tokens > budget or tokens != pack.tokens:
            self._fault(f"{tokens} tokens, {pack.tokens} told, in a budget of {budget}")
        for missing in _missing(pack, editor):
            self._fault(f"{missing} is missing in a {pack.kind} pack of {budget} tokens")
        if pack.format == "json":
            json.loads(pack.text)

    def _fault(self, what: str) -> None:
        self.faults.append(f"seed {self.seed}, pass {len(self.packs)}: {what}")


def _missing(pack: ContextPack, editor: Editor | None) -> Iterator[str]:
    """What must stay but is missing, both itself and a line that says it was sent."""
    if not pack.task.goal.strip() or not pack.task.command:
        yield "the task"
    rules = pack.rules
    if not rules.constitution and not rules.sent:
        yield "the constitution"
    if editor is not None and editor.current_file:
        shown = pack.workspace
        if not shown.current_file or not (shown.content or shown.part):
            yield "the current file"
        if len(shown.diagnostics) != min(50, len(set(editor.diagnostics))):
            yield "a diagnostic"
        for each in shown.diagnostics:
            if pack.format == "yaml" and one_line(each.message, 40)[:3] not in pack.text:
                yield f"the diagnostic {each.message[:20]!r}"
    if pack.kind is PassKind.FAILURE and not (pack.failures or pack.evidence or pack.cited):
        yield "the failure"


def play(root: Path, scratch: Path, sessions: int, passes: int, seed: int) -> Tally:
    """Play each session twice over two copies with indexes of their own."""
    tally = Tally()
    digests: list[list[str]] = []
    for name in ("first", "second"):
        copy = Path(shutil.copytree(root, scratch / name / "repo", symlinks=True))
        (copy / "AGENTS.md").write_text(f"# Rules\n\n- {_KEPT_RULE}\n- Use `make test`.\n", "utf-8")
        settings = Settings(scratch / name / "cache", DiscoverRules(excludes_file=None), workers=1)
        with Engine(copy, settings) as engine:
            listed = engine.symbols()
            if isinstance(listed, FAILURES):
                raise SystemExit(str(listed))
            symbols = [each for each in listed if each.parent][:5_000]  # type: ignore[union-attr]
            digests.append(_played(engine, symbols, sessions, passes, seed, tally))
    tally.faults += [
        f"session {number}: other bytes for the same input"
        for number, (one, other) in enumerate(zip(*digests, strict=True))
        if one != other
    ]
    tally.sessions = sessions
    return tally


def _played(
    engine: Engine,
    symbols: Sequence[SymbolRecord],
    sessions: int,
    passes: int,
    seed: int,
    tally: Tally,
) -> list[str]:
    digests = []
    for number in range(sessions):
        script = _Script(engine, symbols, seed * 1_000_000 + number)
        script.run(passes)
        text = "\0".join(pack.text for pack in script.packs)
        digests.append(sha256(text.encode("utf-8", "surrogatepass")).hexdigest())
        tally.packs += len(script.packs)
        tally.refused += script.refused
        tally.faults += script.faults
    return digests


def main() -> int:
    """Play, print the faults, and report them in the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repo", type=Path)
    parser.add_argument("--sessions", type=int, default=500)
    parser.add_argument("--passes", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="add the figures to this archive")
    arguments = parser.parse_args()
    began = time.process_time()
    with TemporaryDirectory() as scratch:
        tally = play(
            arguments.repo, Path(scratch), arguments.sessions, arguments.passes, arguments.seed
        )
    cpu = time.process_time() - began
    for fault in tally.faults[:50]:
        print(fault)
    print(
        f"{tally.sessions} sessions, each twice: {tally.packs} packs, {tally.refused} refused,"
        f" {len(tally.faults)} faults, {cpu:.0f} s of CPU"
    )
    if arguments.out is not None:
        figures = {
            "repository": arguments.repo.resolve().name,
            "sessions": tally.sessions,
            "passes": arguments.passes,
            "seed": arguments.seed,
            "packs": tally.packs,
            "refused": tally.refused,
            "faults": tally.faults,
            "cpu_s": round(cpu),
        }
        save([figures], arguments.out)
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
