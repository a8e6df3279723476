"""What the user wants to do, judged by weighted evidence from the task's words alone."""

from __future__ import annotations

import re
from typing import NamedTuple

from sonde.expression import expression
from sonde.model import Intent

TRACE_CONFIDENCE = 0.9
_LOOKED_AT = 1200  # characters of prose; the request comes at the start
_OPENING = 300  # characters in which a text about tests says so
_DOUBT = 1.2  # evidence needed to be half sure; keeps thin evidence from looking certain

_DEFINE, _USAGE = Intent.DEFINITION_LOOKUP, Intent.USAGE_EXPLORATION
_BUILD, _FIX = Intent.IMPLEMENTATION, Intent.BUG_FIX
_REFACTOR, _TEST = Intent.REFACTOR, Intent.TEST_WRITING

COMMANDS = {
    "fix": _FIX,
    "debug": _FIX,
    "test": _TEST,
    "tests": _TEST,
    "refactor": _REFACTOR,
    "explain": _DEFINE,
    "implement": _BUILD,
}
_COMMAND = expression(rf"\s*/({'|'.join(COMMANDS)})\b(?!/)[:\s]*", re.I)


class Verdict(NamedTuple):
    """An intent, and how sure we are of it."""

    intent: Intent
    confidence: float


class _Clue(NamedTuple):
    intent: Intent
    weight: float
    pattern: re.Pattern[str]


def _clue(intent: Intent, weight: float, pattern: str) -> _Clue:
    return _Clue(intent, weight, expression(pattern))


_TESTS = (
    r"(?:(?:unit|integration|regression|end-to-end|e2e|functional|property|smoke|snapshot|more|new|"
    r"missing|additional|some|better|edge-case|parametri[sz]ed|automated|api|"
    r"acceptance|the|a|an)[\s-]+)*"
    r"(?:test[\s-]?(?:case|suite|coverage|method|class|function|module)?s?|specs|"
    r"coverage|benchmarks? tests?)\b"
)

# How a sentence begins, politeness aside, is the strongest sign of what is wanted.
_POLITE = expression(
    r"(?:(?:\[[^\]\n]{1,30}\]|please|could you|can you|would you|can we|could we|"
    r"we (?:need|want|have|should)(?: to)?|"
    r"i (?:need|want|would like|'d like)(?: you)?(?: to)?|i'd like(?: you)? to|"
    r"let's|lets|help me|need to|todo:?|"
    r"task:?|kindly|now|then|also|just|hey|hi|hello|[\w./-]{1,30}:(?=\s))[,\s]*)+"
)
_WRITE_TESTS = _clue(
    _TEST,
    5.0,
    rf"(?:write|add|create|generate|implement|provide|extend|improve|increase|"
    rf"expand|build|need)\s+{_TESTS}",
)
_OPENINGS = (
    _clue(_FIX, 4.0, r"(?:fix|repair|debug|troubleshoot|hotfix|patch|correct|diagnose)\b"),
    _clue(_FIX, 3.0, r"(?:resolve|solve|prevent|avoid|stop|investigate|address)\b"),
    _WRITE_TESTS,
    _clue(
        _TEST,
        4.0,
        r"(?:test|unit-test|cover)\s+(?!(?:fail|suite|runner|environment|data|server|"
        r"is|are|was)\w*\b)\w",
    ),
    _clue(
        _REFACTOR,
        4.0,
        r"(?:refactor|rename|restructure|reorgani[sz]e|decouple|deduplicate|moderni[sz]e|rewrite|"
        r"simplify|consolidate|inline|tidy|clean[\s-]?up|unify|modulari[sz]e|extract|"
        r"encapsulate)\b",
    ),
    _clue(
        _REFACTOR,
        3.0,
        r"(?:move|split|merge|migrate|convert|port|separate|abstract|isolate|hoist|pull)\b",
    ),
    _clue(
        _REFACTOR,
        2.5,
        r"(?:modify|change|replace|remove|delete|drop|deprecate|switch|reduce|turn)\b",
    ),
    _clue(
        _BUILD, 4.0, r"(?:add|implement|create|introduce|build|develop|design|integrate|scaffold)\b"
    ),
    _clue(
        _BUILD,
        3.0,
        r"(?:support|enable|allow|provide|write|make|extend|expose|generate|register|render|use|"
        r"improve|enhance|optimi[sz]e|speed|paralleli[sz]e|cache|handle|wire|"
        r"configure|setup|set|include|define|"
        r"accept|emit|read|get|return|validate|infer|detect|compute|parse|serve|let|teach|parallel|"
        r"ensure|limit|log)\b",
    ),
    _clue(_BUILD, 2.5, r"(?:new|feature|proposal|enhancement)\b"),
    _clue(_BUILD, 1.5, r"(?:update|upgrade|adjust|rework|tweak)\b"),
    _clue(_REFACTOR, 1.2, r"(?:update|upgrade|adjust|rework|tweak)\b"),
    _clue(
        _DEFINE,
        4.0,
        r"(?:explain|describe|define|summari[sz]e|locate|walk me through|understand)\b",
    ),
    _clue(_DEFINE, 3.0, r"(?:what|where)(?:'s|\s+(?:is|are|does|do|was|kind|type|happens))\b"),
    _clue(_DEFINE, 3.0, r"(?:how)\s+(?:does|do|is|are|did)\b(?!\s+(?:i|we|you|one)\b)"),
    _clue(_DEFINE, 2.0, r"(?:which|when|who|show|look ?up|find|search|list|see|view)\b"),
    _clue(_BUILD, 2.5, r"how\s+(?:can|do|should|would|could|to)\b(?:\s+(?:i|we|you|one))?\b"),
    _clue(_USAGE, 3.5, r"trace\b"),
    _clue(_USAGE, 1.0, r"(?:find|list|show|which|who|enumerate|search|get|identify)\b"),
    _clue(_FIX, 2.0, r"why\b"),
)

_ANYWHERE = (
    # usage
    _clue(_USAGE, 4.0, r"\b(?:callers?|call[\s-]?sites?|usages?|consumers?|references? to|"
        r"places that|where\s+\S{1,60}\s+(?:is|are|gets?) (?:used|called|invoked|"
        r"referenced|instantiated|imported))\b"),
    _clue(_USAGE, 4.0, r"\bhow (?:is|are)\s[^.?!\n]{1,80}?\s(?:used|called|invoked|consumed|"
        r"instantiated|referenced|wired|passed around)\b"),
    _clue(_USAGE, 4.0, r"\b(?:who|what|which\s(?:\w+\s){1,4}?)\s?(?:calls?|uses?|invokes?|"
        r"depends? on|imports?|references?|consumes?|instantiates?|subclass\w*|"
        r"extends?|implements?)\b"),
    _clue(_USAGE, 3.0, r"\b(?:depends? on it|dependents|what would break|what breaks|blast radius|"
        r"impact of chang\w+|is used (?:across|by|in)|used across|everywhere)\b"),
    _clue(_USAGE, 2.0, r"\b(?:flows? (?:through|from|into)|call (?:chain|graph|stack|path)|"
        r"code path|data flow|end to end|step by step)\b"),
    # definition
    _clue(_DEFINE, 3.0, r"\b(?:where|which file)\s[^.?!\n]{0,80}?\b(?:defined|declared|implemented|"
        r"located|live|lives|found|set|configured|stored|handled|happen|happens)\b"),
    _clue(_DEFINE, 2.5, r"\b(?:definition|declaration|signature|docstring|source code) (?:of|"
        r"for)\b"),
    _clue(_DEFINE, 2.0, r"\bwhat (?:is|are|does|do|fields|methods|parameters|arguments)\b|"
        r"\bhow [^.?!\n]{1,80}\bworks?\b|\bmeaning of\b|\bpurpose of\b"),
    # bug
    _clue(_FIX, 3.0, r"\b(?:bugs?|regressions?|broken|crash(?:es|ed|ing)?|segfaults?|"
        r"segmentation fault|deadlocks?|deadlocked|traceback|stack ?trace|"
        r"stopped working|not working|doesn'?t work|does not work|misbehav\w+|"
        r"race condition|memory leaks?|infinite (?:loop|recursion)|"
        r"use[- ]after[- ]free|data loss|hangs?|hanging|freezes?|flaky)\b"),
    _clue(_FIX, 2.2, r"\b(?:wrong|wrongly|incorrect|incorrectly|unexpected|unexpectedly|erroneous|"
        r"erroneously|mistakenly|inconsistent|corrupt(?:s|ed)?|malformed|no longer|"
        r"fails?|failing|failed|failure|panics?|panicked|throws?|raises|broke|breaks|"
        r"leaks?|loses|ignores|ignored|misses|missing|mangles?|duplicates|silently|"
        r"improperly|invalid|odd|weird|strange|surprising|buggy|unable to|troubles?|"
        r"problems?)\b"),
    _clue(_FIX, 2.0, r"\b(?:doesn'?t|does not|don'?t|do not|isn'?t|is not|aren'?t|are not|won'?t|"
        r"will not|cannot|can'?t|can not|didn'?t|did not|wasn'?t|never|"
        r"not (?:\w+ly )?\w+(?:ing|ed))\b"),
    _clue(_FIX, 2.0, r"\b(?:users?|customers?|people|we|i) (?:are|is|am|have been|keep|"
        r"keeps) (?:report\w*|seeing|getting|complain\w*|hitting)\b|\bi(?:'m|"
        r" am) getting\b|\bi get an?\b"),
    _clue(_FIX, 1.5, r"\b(?:handle|handles|handling|work|works|parse|display|render|escape|"
        r"process)\b[^.?!\n]{0,60}\b(?:properly|correctly)\b|\b(?:returns?|returning|"
        r"gives?|got|gets) (?:none|null|nil|nan|undefined|empty|nothing)\b"),
    _clue(_FIX, 1.2, r"\b(?:errors?|exceptions?|issue|warnings?|should(?:n'?t| not)? (?:have |be |"
        r"not )?\w+)\b"),
    _clue(_FIX, 1.0, r"\b(?:instead of|but (?:it|the|instead|got|actually)|even (?:though|if|"
        r"when)|expected|steps to reproduce|actual behaviou?r)\b"),
    # building
    _clue(_BUILD, 3.0, r"\b(?:feature request|enhancement|proposal|rfc|it would be (?:nice|great|"
        r"good|useful|helpful|cool)|would be (?:nice|great|good|useful|helpful)|"
        r"is there (?:a|any) (?:way|plan)|would like to (?:see|have|be able|use|add)|"
        r"i(?:'d| would) like|feature|wish ?list|please (?:add|support|provide|"
        r"consider))\b"),
    _clue(_BUILD, 1.2, r"\b(?:add|implement|support(?:s|ing)? (?:for|more|new)|"
        r"new (?:\w+ ){0,2}(?:option|flag|command|endpoint|method|function|api|"
        r"parameter|field|setting|hook|handler|feature|backend)|allow|ability to|"
        r"faster|performance)\b"),
    # refactoring
    _clue(_REFACTOR, 2.5, r"\b(?:refactor\w*|rename[sd]?|renaming|restructur\w+|technical debt|"
        r"tech debt|clean(?:er| it up|ing up|up| up)|"
        r"without changing (?:the )?behaviou?r|for (?:clarity|readability|"
        r"maintainability|consistency)|duplicat(?:ed|e) (?:code|logic)|code smell|"
        r"dead code|into (?:its own|their own|a separate|separate|smaller|two|"
        r"multiple|several))\b"),
    _clue(_REFACTOR, 1.0, r"\b(?:to use (?:a |an |the )?(?:different|new|async\w*|dataclass\w*|"
        r"composition)|in favou?r of|instead of (?:printing|calling|inheriting|"
        r"duplicating|repeating))\b"),
    # tests
    _clue(_TEST, 4.0, rf"\b(?:write|writing|add|adding|create|need|needs|missing|lacks?|want|"
        rf"generate|have)\s+{_TESTS}"),
    _clue(_TEST, 3.0, r"\b(?:test coverage|untested|(?:unit|integration|regression|"
        r"e2e) tests? (?:for|of|to|that|covering)|tests? (?:for|covering) (?:the |a |"
        r"all )?\S)"),
)  # fmt: skip
_FAILING_TEST = expression(
    r"\b(?:fix|failing|failed|fails?|flaky|broken|breaks?|breaking|debug|hanging|"
    r"slow)\b[^.?!\n]{0,40}\b(?:tests?|specs|test suite)\b"
    r"|\b(?:tests?|specs|test suite)\b[^.?!\n]{0,30}\b(?:fails?|failing|failed|"
    r"breaks?|broken|flaky|hangs?|errors?|crash\w*|is red|time[sd]? out)\b"
)
_ABOUT_TESTS = expression(
    r"\b(?:unit|integration|regression|e2e|end-to-end|functional|smoke|failing|"
    r"flaky|existing|our|my|which|"
    r"all|these|those|broken|skipped|slow) (?:tests?|specs|test ?cases?)\b|"
    r"\btest (?:suite|cases?|coverage|fixtures?|runner|helpers?)\b"
    r"|\bwhich tests\b|\bthe tests?\b(?! (?:ground|environment|server|data|page|"
    r"project|script|program|url|site))"
    r"|(?:^|[\s`'\"/])(?:tests?|specs?|__tests__)/\S|\btest_\w+|\bconftest\b|"
    r"\w_test\.go\b|\.(?:test|spec)\.[jt]sx?\b"
)
_BARE_NAME = expression(r"\s*[`'\"]?[\w.:#$\\/-]+(?:\(\))?[`'\"]?\s*\??\s*$", re.ASCII)
_CODE_SPAN = expression(r"`[^`\n]{0,200}`")
_SENTENCE = expression(r"(?<=[.!?])\s+(?=\S)|\n+")


def strip_command(text: str) -> tuple[str, Intent | None]:
    """The text without a leading slash command, and the intent that command selects."""
    match = _COMMAND.match(text)
    if not match:
        return text, None
    return text[match.end() :], COMMANDS[match.group(1).lower()]


def command_intent(chosen: Intent, text: str) -> Intent:
    """The intent of a command for this text: /explain about callers asks about usage."""
    if chosen is _DEFINE and _scores(text)[_USAGE] >= 3.0:
        return _USAGE
    return chosen


def detect_intent(text: str, has_trace: bool = False, bug_evidence: float = 0.0) -> Verdict:
    """The most likely of the six intents; evidence of a bug may come from outside the prose."""
    if has_trace:
        return Verdict(_FIX, TRACE_CONFIDENCE)
    if not text.strip():
        return Verdict(_DEFINE, 0.0)
    if _BARE_NAME.match(text):
        return Verdict(_DEFINE, 0.6)
    scores = _scores(text)
    scores[_FIX] += bug_evidence
    ranked = sorted(scores.items(), key=lambda entry: (-entry[1], entry[0]))
    (best, most), (_, second) = ranked[0], ranked[1]
    if most <= 0.0:
        return Verdict(_BUILD, 0.3)
    return Verdict(best, round(min(0.95, most / (most + second / 2 + _DOUBT)), 3))


def is_about_tests(text: str, intent: Intent) -> bool:
    """Whether the task asks for tests, or about them."""
    lowered = text[:_OPENING].lower()
    return intent is _TEST or bool(_ABOUT_TESTS.search(lowered) or _FAILING_TEST.search(lowered))


def _scores(text: str) -> dict[Intent, float]:
    lowered = _CODE_SPAN.sub("x", text[:_LOOKED_AT].replace("’", "'")).lower().strip()
    scores = dict.fromkeys(Intent, 0.0)
    sentences = _SENTENCE.split(lowered, maxsplit=4)
    # The first sentence states the request; each later one counts half as much as the one before.
    for share, sentence in zip((1.0, 0.5, 0.25, 0.12, 0.06), sentences, strict=False):
        _weigh(sentence, share, scores)
    if _FAILING_TEST.search(sentences[0]) and not _WRITE_TESTS.pattern.match(_wish(sentences[0])):
        scores[_FIX] += 4.0
        scores[_TEST] = 0.0
    return scores


def _weigh(sentence: str, share: float, scores: dict[Intent, float]) -> None:
    wish = _wish(sentence)
    opened = False
    for intent, weight, pattern in _OPENINGS:
        if pattern.match(wish):
            scores[intent] += weight * share
            opened = opened or (weight >= 2.5 and intent not in (_DEFINE, _FIX))
    for intent, weight, pattern in _ANYWHERE:
        if pattern.search(sentence):
            # "add handling for failed requests": a thing to build may well mention failures.
            softened = 0.35 if opened and intent is _FIX else 1.0
            scores[intent] += weight * share * softened


def _wish(sentence: str) -> str:
    polite = _POLITE.match(sentence)
    return sentence[polite.end() :] if polite else sentence
