"""Code identifiers mentioned in a text, and the words an identifier is made of."""

from __future__ import annotations

from typing import NamedTuple

from sonde.expression import expression
from sonde.understand.words import STOP_WORDS, word_set

# Mixed-case words that people treat as one; they must not be split.
_WHOLE = (
    "OAuth|GraphQL|PostgreSQL|MySQL|NoSQL|SQLite|GitHub|GitLab|JavaScript|TypeScript|IPv4|IPv6|"
    "LaTeX|YouTube|macOS|iOS|JSDoc|MathML|LDAPv3|UTF8|UTF16|UTF32"
)
_PIECE = expression(
    rf"(?:{_WHOLE})\d*(?![a-z])|[A-Z]{{2,}}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|"
    rf"[A-Z]?[a-z]+\d*|[A-Z]+\d*|\d+"
)
_RUN = expression(r"[^\W_]+")
_UNICODE_HUMP = expression(r"(?<=[^\W\d_A-Z])(?=[A-Z])")


def split_identifier(name: str) -> list[str]:
    """The lower-cased words of a name: HTTPServer → http server, get_user2 → get user2."""
    if name.isascii():
        letters = name.replace("_", "")
        # most names have one case throughout, and need no expression
        if letters.isalpha() and (letters.islower() or letters.isupper()):
            return [piece for piece in name.lower().split("_") if piece]
        return [piece.lower() for piece in _PIECE.findall(name)]
    return [
        piece.lower() for run in _RUN.findall(name) for piece in _UNICODE_HUMP.split(run) if piece
    ]


class Mention(NamedTuple):
    """An identifier found in prose. `exact` if the writer put it in backticks or quotes."""

    name: str  # joined by dots, whatever separator the language uses
    start: int
    exact: bool = False
    called: bool = False


# Words with inner capitals that name products and formats, not code.
_BRANDS = word_set("""
    github gitlab bitbucket javascript typescript coffeescript macos ios ipados watchos tvos iphone
    ipad youtube linkedin facebook paypal postgresql mysql mariadb mongodb sqlite nosql redis
    graphql openapi websocket websockets webassembly devops readme todo fixme wifi latex bibtex
    pytorch tensorflow numpy scipy opencv openssl openssh freebsd openbsd netbsd powershell
    stackoverflow visualstudio vscode intellij pycharm webstorm jetbrains xcode openjdk graalvm
    rubygems bytecode chatgpt openai deepmind dynamodb cloudflare digitalocean gstreamer opengl
    webgl webgpu webrtc jquery nodejs reactjs vuejs angularjs nextjs expressjs django fastapi
    pypi ubuntu centos redhat opensuse archlinux raspberrypi bigquery clickhouse
    couchdb elasticsearch rabbitmq appveyor circleci travisci codeql
    sonarqube phd ebook ebay dropbox imac
    macbook airpods playstation xml html css url urls apis ids pdfs prs ips cpus gpus vms oauth
    """)
_BRAND_DOTTED = word_set("""
    node.js vue.js next.js nuxt.js three.js d3.js express.js react.js angular.js ember.js
    backbone.js moment.js chart.js socket.io asp.net vb.net ml.net deno.land crates.io npm.js
    """)
_PROSE_DOTTED = frozenset(
    ["e.g", "i.e", "a.k.a", "et.al", "p.s", "n.b", "vs", "w.r.t", "a.m", "p.m"]
)
_TOP_DOMAINS = word_set("com org net edu gov io dev app ai co uk de fr cn jp info me")
_LANGUAGE_WORDS = word_set("""
    true false none null nil undefined void int float double str string bool boolean char byte long
    short var let const self this cls super return if else for while def class function func fn
    import from export async await try except catch finally raise throw new delete in is not and or
    with as pass break continue yield lambda static public private protected final abstract
    interface struct enum trait impl use mod pub package namespace using object list dict tuple
    array type print println any unknown never nan inf
    """)
_RECEIVERS = frozenset({"self", "this", "cls", "super", "_"})

_TICKED = expression(r"``([^`\n]{1,200})``|`([^`\n]{1,200})`")
_QUOTED = expression(r"(?<![\w'\"])(['\"])([A-Za-z_$][\w.$:#]{1,79}(?:\(\))?)\1(?![\w'\"])")
_TOKEN = expression(
    r"(?<![\w/\\@.-])(@?)(_{0,3}[A-Za-z$][\w$]{0,99}(?:(?:\.|::|\#|"
    r"->)_{0,3}[A-Za-z][\w$]{0,99}){0,9}"
    r"[!?]?)(\((?!s\)|es\)))?"
    r"|(?<=\.)(_{0,3}[A-Za-z][\w]{0,99})(\()"
)
_SEPARATOR = expression(r"\.|::|#|->")
_CAMEL = expression(r"[a-z0-9][A-Z]|[A-Z]{2,}[a-z]{2}|^[A-Z][A-Z]+[a-z]+[A-Z]")
_SNAKE = expression(r"[A-Za-z0-9]_+[A-Za-z0-9]|^__?[a-z]\w+$")
_IDENTIFIER = expression(r"@?_{0,3}[A-Za-z$][\w$]*(?:(?:\.|::|#|->)_{0,3}[A-Za-z$][\w$]*)*[!?]?$")
_KIND = (
    "class|function|method|struct|interface|trait|module|enum|type|object|decorator|annotation|"
    "macro|constant|variable|exception|component|hook|mixin|protocol|namespace|attribute|property|"
    "field|constructor|operator|subclass|instance"
)
_NAMED_KIND = expression(
    rf"(?<![.!?]\s)(?<!^)\b([A-Z][a-z]\w*)\s+(?:{_KIND})(?:es|s)?\b"
    rf"|\b(?:class|struct|interface|trait|enum|type|decorator|annotation)\s+([A-Z]\w+)"
)


def has_code_shape(name: str) -> bool:
    """Whether a word is spelled the way only code is: snake_case, camelCase, HTTPServer."""
    if name.lower() in _BRANDS or (name.endswith("s") and name[:-1].isupper()):
        return False
    return bool(_SNAKE.search(name) or _CAMEL.search(name))


def is_language_word(name: str) -> bool:
    """Whether a name is a keyword, literal or built-in type of common languages."""
    return name.lower() in _LANGUAGE_WORDS


def normal_name(name: str) -> str:
    """A name as written, normalised: dots between parts; no receiver, sigil or call."""
    name = name.strip().lstrip("@$").split("(", 1)[0].rstrip("!?.:#")
    parts = [part for part in _SEPARATOR.split(name) if part]
    while len(parts) > 1 and parts[0] in _RECEIVERS:
        parts = parts[1:]
    return ".".join(parts)


def mentions(text: str) -> list[Mention]:
    """Identifiers in prose, in order of appearance; those in backticks or quotes are exact."""
    found = _marked(text)
    spans = [(match.start(), match.end()) for match in _TICKED.finditer(text)]
    bare = _blank(text, spans)
    for match in _TOKEN.finditer(bare):
        sigil, token, paren = match.group(1), match.group(2), match.group(3)
        if token is None:
            sigil, token, paren = "", match.group(4), match.group(5)
        if _is_code(sigil, token, bool(paren)):
            found.append(Mention(normal_name(token), match.start(), called=bool(paren)))
    for match in _NAMED_KIND.finditer(bare):
        name = match.group(1) or match.group(2)
        if name.lower() not in STOP_WORDS and not is_language_word(name):
            found.append(Mention(name, match.start()))
    # a single letter is a name only if the writer marked it as one
    meant = (one for one in found if len(one.name) > 1 or (one.exact and one.name))
    return sorted(meant, key=lambda mention: mention.start)


def _marked(text: str) -> list[Mention]:
    found: list[Mention] = []
    for match in _TICKED.finditer(text):
        content = (match.group(1) or match.group(2)).strip()
        called = content.endswith(")")
        plain = content.split("(", 1)[0] if called else content
        if not _IDENTIFIER.match(plain):
            found.extend(
                Mention(m.name, match.start(), called=m.called) for m in _names_in_snippet(content)
            )
        elif not is_language_word(plain):
            name = normal_name(plain)
            found.append(Mention(name, match.start(), True, called))
            if plain[-1] in "!?":  # Ruby's save! and valid? are names of their own
                found.append(Mention(name + plain[-1], match.start(), True, called))
    for match in _QUOTED.finditer(text):
        name = match.group(2)
        if has_code_shape(name) and not _is_prose_dotted(name):
            found.append(Mention(normal_name(name), match.start(), True))
        elif name[0].isupper() and name.isidentifier() and not is_language_word(name):
            found.append(Mention(name, match.start()))
    return found


def _names_in_snippet(content: str) -> list[Mention]:
    names = []
    for match in _TOKEN.finditer(content):
        token = match.group(2) or match.group(4)
        paren = bool(match.group(3) or match.group(5))
        if (paren or _is_code("", token, paren)) and not is_language_word(token):
            names.append(Mention(normal_name(token), match.start(), called=paren))
    return names


def _is_code(sigil: str, token: str, called: bool) -> bool:
    parts = [part for part in _SEPARATOR.split(token) if part]
    if len(parts) == 1:
        return _is_code_word(sigil, parts[0], called)
    if _is_prose_dotted(token):
        return False
    if "::" in token or "->" in token:
        return True
    if "#" in token:
        return token[0].isupper()
    if called or any(_SNAKE.search(part) or _CAMEL.search(part) for part in parts):
        return True
    if any(part[0].isupper() for part in parts):
        # "it works.The next": a missing space after a full stop is not a dotted name.
        return parts[-1].lower() not in STOP_WORDS and parts[0].lower() not in STOP_WORDS
    return len(parts) > 2


def _is_code_word(sigil: str, word: str, called: bool) -> bool:
    if called:
        return not is_language_word(word) and len(word) > 2
    if sigil:
        return word[0].isupper()
    return has_code_shape(word.strip("!?"))


def _is_prose_dotted(token: str) -> bool:
    lowered = token.lower()
    if lowered in _BRAND_DOTTED or lowered in _PROSE_DOTTED or lowered.startswith("www."):
        return True
    parts = lowered.split(".")
    return all(len(part) == 1 for part in parts) or (
        len(parts) < 4 and parts[-1] in _TOP_DOMAINS and "_" not in token and token == lowered
    )


def _blank(text: str, spans: list[tuple[int, int]]) -> str:
    """The text with spans overwritten by spaces, so that positions do not shift."""
    pieces, last = [], 0
    for start, end in spans:
        pieces += [text[last:start], " " * (end - start)]
        last = end
    return "".join([*pieces, text[last:]])
