"""The questions of /v1: arguments in, plain values for JSON out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sonde.cli.plain import pairs, plain
from sonde.pack.request import DEFAULT_BUDGET
from sonde.pack.visible import visible
from sonde.serve.arguments import SMALLEST, Arguments, BadArgument
from sonde.serve.asking import answered, ask_pack, pack_question
from sonde.serve.frame import marks

if TYPE_CHECKING:
    from sonde.answers.results import Answer
    from sonde.engine import Engine
    from sonde.serve.served import Served

Question = Callable[["Engine"], Any]
_PACK_ARGUMENTS = (
    *("task", "files", "diff", "more"),
    *("budget", "format", "tokenizer", "workspace", "stream"),
)
_SURE_SHARE = 0.35  # of the budget: the part of a streamed pack that comes first


def shown(value: Any) -> Any:
    """The value with nothing hidden in its texts."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, list):
        return [shown(each) for each in value]
    if isinstance(value, dict):
        return {visible(key): shown(each) for key, each in value.items()}
    return value


def context(served: Served, given: Arguments) -> Question:
    """A pack with its text."""
    question, more = _pack_arguments(given)

    def ask(engine: Engine) -> dict[str, Any]:
        return pack_value(answered(ask_pack(engine, served, question, more)), question["format"])

    return ask


def context_parts(served: Served, given: Arguments) -> list[Callable[..., Any]]:
    """The surest part of a pack, then the rest; each knows the part before it and its room."""
    question, more = _pack_arguments(given)
    if more:
        raise BadArgument("more continues a pack that was sent whole: leave stream out")
    from sonde.answers.results import Answer

    budget = question["budget"]
    first = max(SMALLEST, int(budget * _SURE_SHARE))

    def sure(engine: Engine, before: str, spent: int) -> Any:
        part = {**question, "budget": first}
        return pack_value(answered(ask_pack(engine, served, part)), question["format"])

    def rest(engine: Engine, before: str, spent: int) -> Any:
        room = {**question, "budget": budget - spent}
        if room["budget"] < SMALLEST:
            return None
        answer = ask_pack(engine, served, room, before)
        return pack_value(answer, question["format"]) if isinstance(answer, Answer) else None

    return [sure, rest]


def _pack_arguments(given: Arguments) -> tuple[dict[str, Any], str]:
    given.only(*_PACK_ARGUMENTS)
    kinds = [name for name in ("task", "files", "diff", "more") if given.has(name)]
    if len(kinds) != 1:
        raise BadArgument("give one of task, files, diff or more")
    budget = given.budget(DEFAULT_BUDGET)
    return pack_question(given, budget), given.text("more") if kinds == ["more"] else ""


def pack_value(answer: Answer, format: str) -> dict[str, Any]:
    """A pack as JSON. The text is not repeated as structure: ask for format json to have that."""
    pack = answer.pack
    opening, closing = marks(answer.text)
    return {
        "pack": pack.root,
        "intent": pack.intent.value,
        "confidence": round(pack.confidence, 3),
        "certainty": round(pack.certainty, 3),
        "budget": pack.budget,
        "tokens": pack.tokens,
        "format": format,
        "text": answer.text,
        "frame": [opening, closing],
        "notes": shown(list(answer.notes)),
        "stale": shown(list(pack.stale)),
        "stale_count": pack.stale_count,
        "indexed_share": round(pack.indexed_share, 6),
    }


def symbol(served: Served, given: Arguments) -> Question:
    """Cards with source."""
    given.only("name", "source", "workspace")
    name, wanted = given.text("name"), given.flag("source")

    def ask(engine: Engine) -> Any:
        answer = answered(engine.symbol(name))
        value = shown(plain(answer))
        if wanted:
            for card, row in zip(answer.found, value["found"], strict=True):
                row["source"] = visible(answered(engine.source(card.record)))
        return value

    return ask


def search(served: Served, given: Arguments) -> Question:
    """Symbols and lines."""
    given.only("query", "regex", "word", "limit", "workspace")
    query, limit = given.text("query"), given.number("limit", 20, 1, 500)
    regex, word = given.flag("regex"), given.flag("word")
    return lambda engine: shown(
        plain(answered(engine.search(query, regex=regex, word=word, limit=limit)))
    )


def impact(served: Served, given: Arguments) -> Question:
    """What a change may reach."""
    given.only("symbol", "depth", "workspace")
    name, depth = given.text("symbol"), given.number("depth", 3, 1, 10)
    return lambda engine: shown(plain(answered(engine.impact(name, depth))))


def tests(served: Served, given: Arguments) -> Question:
    """Tests to run."""
    given.only("files", "diff", "workspace")
    files = given.texts("files")
    diff = given.optional_text("diff")
    return lambda engine: shown(plain(answered(engine.tests(files=files, diff=diff))))


def why(served: Served, given: Arguments) -> Question:
    """How a symbol was ranked."""
    given.only("task", "symbol", "workspace")
    task, name = given.text("task"), given.text("symbol")

    def ask(engine: Engine) -> Any:
        answer = answered(engine.why(task, name))
        named = {each: pairs(getattr(answer, each)) for each in ("contributions", "statistics")}
        return shown({**plain(answer), **named})

    return ask


def feedback(served: Served, given: Arguments) -> Question:
    """An opinion about a pack."""
    from sonde.answers.feedback import Opinion

    given.only("pack", "useful", "useless", "missing", "note", "workspace")
    opinion = Opinion(
        given.text("pack"),
        given.texts("useful"),
        given.texts("useless"),
        given.texts("missing"),
        given.text("note", ""),
    )
    return lambda engine: {"kept": answered(engine.feedback(opinion))}


QUESTIONS: dict[str, Callable[[Served, Arguments], Question]] = {
    "context": context,
    "symbol": symbol,
    "search": search,
    "impact": impact,
    "tests": tests,
    "why": why,
    "feedback": feedback,
}
