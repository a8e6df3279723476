"""The six tools: arguments in, a question to the engine, text within its budget out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sonde.pack.request import DEFAULT_BUDGET, FORMAT_NAMES
from sonde.serve import sessions
from sonde.serve.arguments import Arguments, BadArgument

if TYPE_CHECKING:
    from sonde.answers.results import Answer, Failure
    from sonde.engine import Engine
    from sonde.serve.served import Served

Question = Callable[["Engine"], str]
LIST_BUDGET = 4000
_CONTEXT = (
    *("task", "files", "diff", "more", "why"),
    *("budget", "format", "tokenizer", "workspace"),
)
_SEARCH_LIMIT, _MOST_FOUND = 20, 500
_DEEPEST = 10
_SOURCES = 3  # symbols of one name that come with their source


class Refused(Exception):
    """The engine's own one-line reason why there is no answer."""


def answered(answer: Any) -> Any:
    """The answer itself; a failure is raised with its message."""
    from sonde.answers.results import FAILURES, message_of

    if isinstance(answer, FAILURES):
        raise Refused(message_of(answer))
    return answer


def context(served: Served, given: Arguments) -> Question:
    """A pack for a task, files or a diff; `why` explains, `more` continues, `session` remembers."""
    given.only(*_CONTEXT, *sessions.ARGUMENTS)
    if given.has("session"):
        return _session(given)
    for name in sessions.ARGUMENTS:
        if given.has(name):
            raise BadArgument(f"{name} goes with session: 'new' or the id of one")
    budget = given.budget(DEFAULT_BUDGET)
    kinds = [name for name in ("task", "files", "diff", "more") if given.has(name)]
    if len(kinds) != 1:
        raise BadArgument("give one of task, files, diff or more")
    if given.has("why"):
        if kinds != ["task"]:
            raise BadArgument("why explains the answer to a task: give task and why")
        task, name = given.text("task"), given.text("why")
        return lambda engine: _why(engine, task, name, budget)
    question = pack_question(given, budget)
    more = given.text("more") if kinds == ["more"] else ""
    return lambda engine: _framed_pack(engine, served, question, more)


def _session(given: Arguments) -> Question:
    """One pass of a session."""
    from sonde.serve.frame import FRAME_TOKENS, framed

    budget = given.budget(0)
    turn = sessions.turn_of(given, budget, FRAME_TOKENS)
    return lambda engine: framed(answered(turn(engine)).text)


def pack_question(given: Arguments, budget: int) -> dict[str, Any]:
    """What is asked, as the engine's arguments and one that says which method is meant."""
    question: dict[str, Any] = {"budget": budget, "format": given.choice("format", FORMAT_NAMES)}
    if given.has("tokenizer"):
        question["tokenizer"] = given.text("tokenizer")
    if given.has("task"):
        question["task"] = given.text("task")
    elif given.has("files"):
        question["paths"] = given.texts("files")
    elif given.has("diff"):
        diff = given.text("diff")
        question["patch" if "\n" in diff.strip() else "range"] = diff
    return question


def ask_pack(
    engine: Engine, served: Served, question: dict[str, Any], more: str = ""
) -> Answer | Failure:
    """Ask for a pack, or for what comes after one that was sent."""
    from sonde.answers.results import Answer, Refusal

    before: frozenset[tuple[str, str]] = frozenset()
    if more:
        sent = served.packs.get(more)
        if sent is None:
            return Refusal(f"no pack {more[:40]!r} was sent lately: ask for the task again")
        question = {**sent.question, "budget": question["budget"]}
        before = sent.seen
    asked = {**question, "seen": before}
    answer: Answer | Failure
    if "task" in asked:
        answer = engine.for_task(asked.pop("task"), **asked, elsewhere=served.elsewhere())
    elif "paths" in asked:
        answer = engine.for_files(asked.pop("paths"), **asked)
    else:
        answer = engine.for_pr(**asked)
    if isinstance(answer, Answer):
        if more and not any(section.items for section in answer.pack.sections):
            return Refusal("nothing more belongs to this pack")
        served.packs.put(answer.pack, answer.text, question, before)
    return answer


def _framed_pack(engine: Engine, served: Served, question: dict[str, Any], more: str) -> str:
    from sonde.serve.frame import FRAME_TOKENS, framed

    room = {**question, "budget": question["budget"] - FRAME_TOKENS}
    answer = answered(ask_pack(engine, served, room, more))
    return framed(answer.text)


def _why(engine: Engine, task: str, name: str, budget: int) -> str:
    from sonde.serve.frame import within
    from sonde.serve.text import why_lines

    return within(why_lines(answered(engine.why(task, name))), budget)


def symbol(served: Served, given: Arguments) -> Question:
    """A definition and what is tied to it."""
    given.only("name", "budget", "workspace")
    name = given.text("name")
    budget = given.budget(LIST_BUDGET)

    def ask(engine: Engine) -> str:
        from sonde.serve.frame import within
        from sonde.serve.text import symbol_lines

        with engine.hold() as problem:
            if problem is not None:
                raise Refused(problem.message)
            answer = answered(engine.symbol(name))
            sources = [
                answered(engine.source(card.record)) if at < _SOURCES else ""
                for at, card in enumerate(answer.found)
            ]
        return within(symbol_lines(answer, sources), budget)

    return ask


def search(served: Served, given: Arguments) -> Question:
    """Names, text and patterns."""
    given.only("query", "regex", "word", "limit", "budget", "workspace")
    query = given.text("query")
    regex, word = given.flag("regex"), given.flag("word")
    limit = given.number("limit", _SEARCH_LIMIT, 1, _MOST_FOUND)
    budget = given.budget(LIST_BUDGET)

    def ask(engine: Engine) -> str:
        from sonde.serve.frame import within
        from sonde.serve.text import search_lines

        answer = answered(engine.search(query, regex=regex, word=word, limit=limit))
        return within(search_lines(answer), budget)

    return ask


def impact(served: Served, given: Arguments) -> Question:
    """What a change may break."""
    given.only("symbol", "depth", "budget", "workspace")
    name = given.text("symbol")
    depth = given.number("depth", 3, 1, _DEEPEST)
    budget = given.budget(LIST_BUDGET)

    def ask(engine: Engine) -> str:
        from sonde.serve.frame import within
        from sonde.serve.text import impact_lines

        return within(impact_lines(answered(engine.impact(name, depth))), budget)

    return ask


def tests(served: Served, given: Arguments) -> Question:
    """Tests to run for a change."""
    given.only("files", "diff", "budget", "workspace")
    files = given.texts("files")
    diff = given.optional_text("diff")
    budget = given.budget(LIST_BUDGET)

    def ask(engine: Engine) -> str:
        from sonde.serve.frame import within
        from sonde.serve.text import tests_lines

        return within(tests_lines(answered(engine.tests(files=files, diff=diff))), budget)

    return ask


def feedback(served: Served, given: Arguments) -> Question:
    """What the asker thought of a pack."""
    given.only("pack", "useful", "useless", "missing", "note", "session", "workspace")
    ended = given.text("session", "")
    pack, note = given.text("pack", ended or None), given.text("note", "")
    useful, useless = given.texts("useful"), given.texts("useless")
    missing = given.texts("missing")

    def ask(engine: Engine) -> str:
        from sonde.answers.feedback import Opinion

        said = []
        if not ended or useful or useless or missing or note:
            kept = answered(engine.feedback(Opinion(pack, useful, useless, missing, note)))
            said.append(f"kept; {kept} opinion{'s' * (kept != 1)} about this workspace so far")
        if ended:
            answered(sessions.end(engine, ended))
            said.append("the session is ended")
        return "; ".join(said)

    return ask


TOOLS: dict[str, Callable[[Served, Arguments], Question]] = {
    "context": context,
    "symbol": symbol,
    "search": search,
    "impact": impact,
    "tests": tests,
    "feedback": feedback,
}
