"""The façade: questions in, frozen values out. It knows no transport and prints nothing.

Each question first brings the index up to date with the disk. Failures come back as values: a
`Problem` with the index, a `Refusal` of the question, or an error in making the pack.

>>> from sonde import Engine
>>> with Engine(folder) as engine:
...     answer = engine.for_task("fix the crash in DatabaseClient.connect when the URL is empty")
...     "def connect(self)" in answer.text
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeVar

from sonde.answers.indexed import Indexed
from sonde.answers.lookup import every_symbol
from sonde.answers.opened import Opened
from sonde.answers.outdated import told
from sonde.answers.packing import Options
from sonde.answers.results import Answer
from sonde.answers.source import Sources
from sonde.answers.state import State
from sonde.answers.task import answer_task, rank_task
from sonde.pack.request import DEFAULT_BUDGET, DEFAULT_FORMAT
from sonde.pack.tokens import DEFAULT_TOKENIZER
from sonde.store.errors import Problem

# Imports that a task needs are here; the other questions import theirs when asked.
if TYPE_CHECKING:
    from sonde.answers.changes import Paths
    from sonde.answers.elsewhere import Elsewhere
    from sonde.answers.feedback import Opinion
    from sonde.answers.results import (
        ChunksAnswer,
        Failure,
        FlowAnswer,
        ImpactAnswer,
        RankAnswer,
        SearchAnswer,
        SymbolAnswer,
        TestsAnswer,
        WhyAnswer,
    )
    from sonde.model import SymbolRecord

T = TypeVar("T")
NOTHING: frozenset[str] = frozenset()
NOT_SEEN: frozenset[tuple[str, str]] = frozenset()


class Engine(Indexed):
    """Answers questions about one workspace, always from the current state of the disk.

    Threads may share an engine; their questions take turns.
    """

    def ask(self, question: Callable[[State], T]) -> T | Problem:
        """Run a custom question against the current state of the index.

        >>> engine.ask(lambda state: len(state.view.files))
        7
        """

        def answer(opened: Opened) -> T | Problem:
            state = opened.freshness.state()
            return state if isinstance(state, Problem) else told(question(state), state)

        return self._in_turn(answer)

    def symbols(self) -> Iterator[SymbolRecord] | Failure:
        """Every symbol, by path and place in its file.

        >>> [each.qualname for each in engine.symbols() if each.file == "app/url.py"]
        ['url', 'normalise_url', 'split_host']
        """
        return self.ask(lambda state: every_symbol(state.view))

    def symbol(self, name: str) -> SymbolAnswer | Failure:
        """The symbols of a name, with callers, callees, overrides, tests and members.

        >>> card = engine.symbol("DatabaseClient.connect").found[0]
        >>> [caller.symbol.qualname for caller in card.callers if caller.resolved]
        ['open_session', 'test_connect_opens']
        """
        from sonde.answers.symbol import answer_symbol

        return self.ask(lambda state: answer_symbol(name, state))

    def chunks(self, paths: Paths, *, tokenizer: str = DEFAULT_TOKENIZER) -> ChunksAnswer | Failure:
        """Files in pieces for embeddings and readers, each with its context and its tokens.

        >>> [(each.kind, each.name) for each in engine.chunks(["app/url.py"]).chunks][:2]
        [('function', 'normalise_url'), ('function', 'split_host')]
        """
        from sonde.answers.changes import path_texts
        from sonde.answers.chunks import answer_chunks

        named = path_texts(paths)
        return self.ask(lambda state: answer_chunks(named, state, tokenizer))

    def source(self, symbol: SymbolRecord) -> str | Failure:
        """The source of a symbol from an answer; empty if its file has changed since.

        >>> engine.source(engine.symbol("normalise_url").found[0].record).splitlines()[0]
        'def normalise_url(url: str) -> str:'
        """
        return self.ask(lambda state: Sources(state.view.index).text(symbol))

    def feedback(self, opinion: Opinion) -> int | Failure:
        """Record a user's opinion of a pack; returns how many opinions are kept.

        >>> from sonde.answers.feedback import Opinion
        >>> engine.feedback(Opinion("0f3c", useful=("normalise_url",)))
        1
        """
        from sonde.answers.feedback import keep_opinion

        return self.ask(lambda state: keep_opinion(opinion, state))

    def search(
        self, text: str, *, regex: bool = False, word: bool = False, limit: int = 20
    ) -> SearchAnswer | Failure:
        """Symbols and lines; `lang:`, `path:`, `kind:` and `since:` in it are filters.

        >>> engine.search("normalise kind:function").symbols[0].qualname
        'normalise_url'
        """
        from sonde.answers.search import answer_search

        return self.ask(
            lambda state: answer_search(text, state, regex=regex, word=word, limit=limit)
        )

    def rank(
        self, task: str, limit: int = 50, without: frozenset[str] = NOTHING
    ) -> RankAnswer | Failure:
        """The ranked symbols and files of a task; `without` names channels and rules to skip.

        >>> engine.rank("connect to the database").files[0]
        'app/client.py'
        """
        return self.ask(lambda state: rank_task(task, state, limit, without))

    def for_task(
        self,
        task: str,
        budget: int = DEFAULT_BUDGET,
        *,
        format: str = DEFAULT_FORMAT,
        tokenizer: str = DEFAULT_TOKENIZER,
        without: frozenset[str] = NOTHING,
        seen: frozenset[tuple[str, str]] = NOT_SEEN,
        elsewhere: Elsewhere | None = None,
    ) -> Answer | Failure:
        """What a task needs, inside a token budget; `seen` (file, name) is not shown again.

        A server passes `elsewhere`: another process that may answer what is not cached.

        >>> engine.for_task("what calls normalise_url?", 600).pack.tokens <= 600
        True
        """
        options = Options(budget, format, tokenizer, without, seen)
        if elsewhere is not None:
            from sonde.answers.elsewhere import Asked

            asked = self._in_turn(lambda opened: opened.for_elsewhere(task, options))
            answer = elsewhere(asked) if isinstance(asked, Asked) else asked
            if answer is not None:
                return answer
        return self._in_turn(
            lambda opened: opened.kept(
                "task", (task,), options, lambda state: answer_task(task, state, options)
            )
        )

    def for_files(
        self,
        paths: Paths,
        budget: int = DEFAULT_BUDGET,
        *,
        format: str = DEFAULT_FORMAT,
        tokenizer: str = DEFAULT_TOKENIZER,
        seen: frozenset[tuple[str, str]] = NOT_SEEN,
    ) -> Answer | Failure:
        """What work on some files needs: their symbols, callers and tests.

        >>> "open_session" in engine.for_files(["app/client.py"]).text
        True
        """
        from sonde.answers.changes import path_texts
        from sonde.answers.files import answer_files

        named, options = path_texts(paths), Options(budget, format, tokenizer, seen=seen)
        return self._in_turn(
            lambda opened: opened.kept(
                "files", named, options, lambda state: answer_files(named, state, options)
            )
        )

    def for_pr(
        self,
        *,
        range: str | None = None,
        patch: str | None = None,
        budget: int = DEFAULT_BUDGET,
        format: str = DEFAULT_FORMAT,
        tokenizer: str = DEFAULT_TOKENIZER,
        seen: frozenset[tuple[str, str]] = NOT_SEEN,
    ) -> Answer | Failure:
        """What a review of `base..head` or of a patch needs.

        >>> engine.for_pr(patch="no diff").message
        "the patch is no unified diff: pass the output of 'git diff'"
        """
        from sonde.answers.pull_request import answer_pull_request

        options = Options(budget, format, tokenizer, seen=seen)
        return self.ask(
            lambda state: answer_pull_request(state, options, commits=range, patch=patch)
        )

    def why(
        self,
        task: str,
        symbol: str,
        budget: int = DEFAULT_BUDGET,
        without: frozenset[str] = NOTHING,
    ) -> WhyAnswer | Failure:
        """How a symbol came to its rank for a task; the contributions sum to the score.

        >>> answer = engine.why("normalise the URL", "normalise_url")
        >>> abs(sum(part for _, part in answer.contributions) - answer.score) < 1e-9
        True
        """
        from sonde.answers.why import answer_why

        return self.ask(lambda s: answer_why(task, symbol, s, Options(budget, without=without)))

    def impact(self, symbol: str, depth: int = 3) -> ImpactAnswer | Failure:
        """What a change to a symbol may reach, by depth and confidence.

        >>> [each.symbol.qualname for each in engine.impact("DatabaseClient.connect").affected]
        ['open_session', 'run']
        """
        from sonde.answers.impact import answer_impact

        return self.ask(lambda state: answer_impact(symbol, state, depth))

    def tests(self, *, files: Paths = (), diff: str | None = None) -> TestsAnswer | Failure:
        """Tests to run for files or a diff (a patch, or base..head), with their command.

        >>> engine.tests(files=["app/report.py"]).commands
        ('pytest tests/test_report.py::test_render_table',)
        """
        from sonde.answers.changes import path_texts
        from sonde.answers.tests import answer_tests

        named = path_texts(files)
        return self.ask(lambda state: answer_tests(state, files=named, diff=diff))

    def flow(self, source: str, target: str) -> FlowAnswer | Failure:
        """The shortest paths between two symbols.

        >>> [step.target.qualname for step in engine.flow("run", "normalise_url").paths[0]]
        ['open_session', 'DatabaseClient.connect', 'normalise_url']
        """
        from sonde.answers.flow import answer_flow

        return self.ask(lambda state: answer_flow(source, target, state))
