"""Issues, pull requests and commits that a text mentions, by number, key or hash.

In a task a number is a mention only where a tracker would make a link of it: not in code or
output, not where steps are counted, and not as a colour.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sonde.expression import expression
from sonde.understand.words import word_set

_START = 4000  # characters of a task in which mentions are looked for
# issue and pull request numbers, as people write them and as URLs end
_CALLED = (
    r"(?:gh-|(?:issues?|(?:pull|merge)[ _-]requests?|tickets?|bugs?|[pm]rs?)[ /-]?"
    r"(?:number |no\. ?)?[#!]?|pulls?[ /]?[#!]|pulls?/)"
)
_ISSUE = rf"(?:\b{_CALLED}|((?<![&#!\"'=])(?<!\b[CFJ])[#!]))([1-9]\d{{0,6}})\b"
_NUMBER = expression(_ISSUE, re.IGNORECASE)
# as trackers of several projects have
_KEY = expression(r"\b(?:CVE-\d{4}-\d{4,7}|([A-Z][A-Z0-9]+|bpo)-[1-9]\d{0,6})\b(?![-.]\d)")
_STANDARDS = word_set("""
    AES BASE CP CRC CVE ECMA ES GMT HMAC HTTP IEC IEEE IPV ISO KOI8 MD PEP PSR RFC RSA SHA SHA1
    SHA2 SHA3 SSL TLS UCS UTC UTF WINDOWS
    """)
# as git shows them: whole, shortened, or behind the name of a version
_COMMIT = r"(?:\b|(?<=-g))(?=[a-f]*\d)[\da-f]{7,40}\b"
_HASH = expression(_COMMIT)
_CODE = expression(r"`[^`\n]*`")
_WORD_BEFORE = expression(r"([a-z]+)[ \t]*:?[ \t]*$", re.IGNORECASE)
_WORD_AFTER = expression(r" ([a-z]+)", re.IGNORECASE)
_BESIDE = 40  # characters before a number in which its word is looked for
_COUNTED = word_set("""
    argument attempt background benchmark border case chapter closure color colour column connection
    entry example fill frame item job level line node option page paragraph parameter part phase
    player point position question reason row rule sample scenario section shadow slide solid stage
    step stroke test thread try version worker
    """)
# A mention with what asks for it: "what did #12 change", "the review of", "regression since".
_ASKS = (
    r"\b(?:what (?:did|does|has)|reviews?(?: of)?|changes? (?:made )?(?:of|in|by|from)"
    r"|regressions?(?: introduced)? (?:since|from|in|by|after|of)"
    r"|since|by|in|of|from|after|with) (?:the )?"
)
_HASH_CALLED = r"\b(?:commit|revision|changeset) "
_ASKED = expression(
    rf"(?:(?:{_ASKS})?(?:{_ISSUE}|{_HASH_CALLED}`?{_COMMIT}`?)|{_ASKS}`?{_COMMIT}`?)"
    r"(?: (?:change[ds]?|introduced?|did|do|touch(?:ed)?|brought|bring)\b)?",
    re.IGNORECASE,
)


def issues_mentioned(prose: Iterable[str]) -> tuple[str, ...]:
    """The issues and pull requests that a task mentions, by number or key."""
    texts = [_CODE.sub(" ` ` ", text[:_START]) for text in prose]
    numbers = [number for text in texts for number in _numbers(text)]
    keys = [key for text in texts for key in _keys(text)]
    return tuple(dict.fromkeys((*numbers, *keys)))


def issues_of(message: str) -> frozenset[str]:
    """The same for the message of a commit, in which any number behind a `#` is one."""
    numbers = [match[2] for match in _NUMBER.finditer(message)]
    return frozenset((*numbers, *_keys(message)))


def commits_mentioned(text: str) -> tuple[str, ...]:
    """The hashes in a task, whole or shortened."""
    return tuple(dict.fromkeys(_HASH.findall(text[:_START])))


def without_mentions(text: str) -> str:
    """The text without what mentions an issue or a commit: code calls other things a request."""
    return _ASKED.sub(" ", text)


def _numbers(text: str) -> Iterator[str]:
    for match in _NUMBER.finditer(text):
        before = _WORD_BEFORE.search(text[max(0, match.start() - _BESIDE) : match.start()])
        after = _WORD_AFTER.match(text, match.end())
        bare, number = match.groups()
        if not (bare and any(word and word[1].lower() in _COUNTED for word in (before, after))):
            yield number


def _keys(text: str) -> Iterator[str]:
    yield from (match[0] for match in _KEY.finditer(text) if match[1] not in _STANDARDS)
