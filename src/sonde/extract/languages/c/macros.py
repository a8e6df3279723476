"""Blank out, byte for byte, macros that confuse a parser without a preprocessor."""

from __future__ import annotations

import re

_MACRO = rb"[A-Z_][A-Z0-9_]{2,}+"  # possessive: a word is never split in search of a match
# with arguments only if the name suggests an attribute: others may be statements
_ATTRIBUTE = (
    rb"\w*(?:ATTR|PRINTF|FORMAT|LIKE|NONNULL|GUARDED|REQUIRES|DEPRECATED|ALLOC|UNUSED|EXCLUDES|LOCK)"
    rb"\w*\s*\([^(){};]*(?:\([^(){};]*\)[^(){};]*)*\)|__attribute__\s*\(\([^;{}]*?\)\)"
)
_AFTER_PARAMETERS = re.compile(
    rb"(?<=\))(\s*(?:(?:const\b|noexcept\b|override\b|final\b|&&?)\s*)*+)(?:(?:"
    + _ATTRIBUTE
    + rb"|"
    + _MACRO
    + rb")\s*+)++(?=[;{]|:[^:])"
)
_BEFORE_DECLARATION = re.compile(
    rb"^[ \t]*(?:(?:static|extern|inline)\s+)*(?:" + _MACRO + rb"(?:\([^()\n]*\))?\s+)+"
    rb"(?=(?:[\w:]+(?:<[^;{}()]*>)?[\s*&]+){1,6}(?:operator\W{1,3}|~?[\w:]+\s*)\()",
    re.MULTILINE,
)
# void printflike(1, 2) log(const char *, ...): whatever its name, which arguments have a format
_FORMATTED = re.compile(
    rb"^((?:\w++[ \t*]++){0,4}+)\w++[ ]?\([ ]?\d++,[ ]?\d++[ ]?\)"
    rb"(?=\s++(?:\w++[\s*]++){0,5}+\w*\s*\()",
    re.MULTILINE,
)
# of C++ 20: `import shop;` would declare a variable, and `export` hide the definition behind it
_MODULE = re.compile(
    rb"^(?:(?:export[ \t]++)?(?:import|module)\b[^;\n=(){}]{0,200}+;|export\b(?=\s++[\w{]))",
    re.MULTILINE,
)
# MACRO Type name; with a type of its own between them: one word more would be the type
_BEFORE_FIELD = re.compile(
    rb"^[ \t]*+" + _MACRO + rb"(?:\([^()\n]*\))?[ \t]+(?!(?:const|volatile|unsigned)\b)"
    rb"(?=[\w:]{1,80}+(?:<[^;{}()\n]{0,200}>)?[ \t*&]++\w{1,80}+\s*[;=])",
    re.MULTILINE,
)
# HANDLER(name, int x) { … } at the left margin defines a function, as TEST(name) { … } does
_DEFINED_BY = re.compile(
    rb"^([A-Z][A-Z0-9_]{3,}+)\((\w++)(?:,(?=[^;{}]{0,400}\)\s{0,80}\{)|\)[ ](?=\{))", re.MULTILINE
)
# TEST_CASE("what holds", "[tag]") { … }, SECTION("when") { … }: a function named by a text
_NAMED_BY_TEXT = re.compile(
    rb"^([ \t]*+)([A-Z][A-Z0-9_]{3,}+[ \t]?\([ \t]*+(?:\w++,[ \t]*+)?)"
    rb"(\"(?:[^\"\\\n]|\\.){1,200}+)\""
    rb"((?:[^(){};\"]|\"(?:[^\"\\\n]|\\.){0,200}+\"|\([^(){};]{0,200}+\)){0,200}+\))(?=\s{0,80}\{)",
    re.MULTILINE,
)
_AFTER_NAME = re.compile(rb"(?<=[\w\]])\s+[A-Z][A-Z0-9_]*_BY\s*\([^()\n]*\)(?=\s*[;={,)])")
_ALONE_ON_LINE = re.compile(
    rb"^[ \t]*" + _MACRO + rb"(?:\([^()\n]*\))?[ \t]*$(?!(?:\s|#[^\n]*+\n)*+[},;])", re.MULTILINE
)
_NULLABILITY = re.compile(
    rb"(?:(?<=[*&])\s*\w*_(?:[Nn]onnull|[Nn]ullable|nullability_unknown)\b"
    rb"|(?<=\w)[ ]\w*_(?:nonnull|nullable)(?=[ ]\w))"
)
# on a line of its own only if indented like parameters: an enumeration has values there
_AFTER_PARAMETER = re.compile(
    rb"(?<=[\w&*>])(?:[ \t]+|\s*\n[ \t]{8,})[A-Z][A-Z0-9]*_[A-Z0-9_]+(?=\s*[,)])"
)
# macros whose names show that they qualify what follows, anywhere
_SPECIFIER = re.compile(
    rb"\b(?=[A-Z0-9_])(?<!#define )(?<!#ifdef )(?<!#ifndef )(?<!#undef )"
    rb"[A-Z0-9_]*(?:INLINE|CONSTEXPR|CONSTEVAL|API|EXPORT|DEPRECATED|ATTRIBUTE|NODISCARD|NORETURN)"
    rb"[A-Z0-9_]*(?:\([^()\n]*\))?(?=\s+[\w:~])"
)
_IN_TYPE_HEAD = re.compile(
    rb"\b(?:class|struct)\s+" + _MACRO + rb"(?:\([^()\n]*\))?(?:\s+\[\[\w+\]\])?"
    rb"(?=\s+\w+\s*(?:<[^;{}()]{0,300}>\s*)?(?:final\s*)?(?:\s|//[^\n]*+\n)*+[:{;])"
)
# class name MACRO : public base
_AFTER_TYPE_NAME = re.compile(
    rb"\b((?:class|struct)\s++\w++)\s++" + _MACRO + rb"(?=\s*+(?:\{|:[^:]))"
)
# EXPORT(int name(int x)) { … }: a macro around a whole head
_AROUND_HEAD = re.compile(
    rb"^(" + _MACRO + rb"\()(?=(?:\w+[\s*&]+){1,5}\w+\()([^(){};]{1,200}+\([^(){};]{0,400}+\))\)"
    rb"(?=\s*[{;])",
    re.MULTILINE,
)
# a macro call at the left margin that declares something only the preprocessor knows
_DECLARATION = re.compile(
    rb"^"
    + _MACRO
    + rb"\((?:[^(){};\"]|\"(?:[^\"\\\n]|\\.){0,200}+\"|\([^(){};]{0,200}+\)|\{[^(){};]{0,200}+\})"
    rb"{0,300}+\);",
    re.MULTILINE,
)
# the calling convention of a pointer: (WINAPI *name)(int)
_CONVENTION = re.compile(rb"(\()\s*+" + _MACRO + rb"\s*(?=\*\s*\w+\s*\)\s*\()")
_LAST_FIELD = re.compile(rb"^[ \t]*+" + _MACRO + rb"(?:\([^()\n]*\))?(?=\s*\};)", re.MULTILINE)
_BEFORE_LIMIT = 400  # bytes before a macro that are read to find its context
_IN_STRUCT = re.compile(
    rb"(?:[;}]|\b(?:class|struct|union)\s+\w+[^;{}()]*\{|\b(?:public|protected|private)\s*:)"
    rb"(?:\s|//[^\n]*+\n|/\*(?:[^*]|\*(?!/))*+\*/)*+$"
)
# the type under an enumeration, which C's grammar reads only if it is a word of the language
_UNDERLYING = re.compile(rb"(\benum\s+\w+)\s*:\s*[\w:]+(?=\s*\{)")
_THROWN = re.compile(rb"(\()throw\b")  # an expression only as a macro's argument
_ENUM = re.compile(rb"enum\b[^;{}()#*]{0,200}\{[^{}]{0,20000}\}")
_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(?:define|undef)\b[^\n]*", re.MULTILINE)
_C_PATTERNS = (
    _AFTER_NAME,
    _ALONE_ON_LINE,
    _AFTER_PARAMETERS,
    _FORMATTED,
    _BEFORE_DECLARATION,
    _IN_TYPE_HEAD,
    _AFTER_TYPE_NAME,
    _DECLARATION,
    _CONVENTION,
)
_CPP_PATTERNS = (
    _NULLABILITY,
    _THROWN,
    _MODULE,
    _SPECIFIER,
    _AFTER_PARAMETER,
    _BEFORE_FIELD,
    *_C_PATTERNS,
)
_DEFINITION = re.compile(rb"^[ \t]*#[ \t]*define\b[^\n\\]*+(?:\\[\s\S][^\n\\]*+)*+", re.MULTILINE)
# the grammar ends a definition at a comment, and would read what follows as code
_COMMENT_INSIDE = re.compile(rb"/\*(?:[^*]|\*(?!/))*+\*/(?=[ \t]*+[^\s/])")
_NOT_LINE_END = re.compile(rb"[^\\\r\n]")
_NOT_NEWLINE = re.compile(rb"[^\r\n]")
_KEPT = re.compile(rb"\b(?:const|static|extern|inline|class|struct)\b|\s")


def blank_macros(data: bytes) -> bytes:
    """The same bytes with attribute-like macros blanked and function-defining macros rewritten as
    function definitions; nothing moves."""
    return _without(
        (_UNDERLYING, *_C_PATTERNS), _DEFINED_BY.sub(_as_function, _AROUND_HEAD.sub(_as_head, data))
    )


def blank_cpp_macros(data: bytes) -> bytes:
    """The same for C++, whose declarations take macros in more places."""
    return _without(
        _CPP_PATTERNS, _NAMED_BY_TEXT.sub(_as_named_function, _AROUND_HEAD.sub(_as_head, data))
    )


def _without(patterns: tuple[re.Pattern[bytes], ...], data: bytes) -> bytes:
    blanked = data
    for pattern in patterns:
        blanked = pattern.sub(_blank, blanked)
    blanked = _LAST_FIELD.sub(_without_field, blanked)
    # A definition that continues on the next line would swallow the one after it.
    kept, end = [], 0
    for match in _DEFINITION.finditer(data):
        kept += [blanked[end : match.start()], _COMMENT_INSIDE.sub(_spaces, match.group())]
        end = match.end()
    return _ENUM.sub(_without_directives, b"".join([*kept, blanked[end:]]))


def _spaces(match: re.Match[bytes]) -> bytes:
    return _NOT_LINE_END.sub(b" ", match.group())


def _without_field(match: re.Match[bytes]) -> bytes:
    """A macro before the end of a structure; of an enumeration it may be the last value."""
    before = match.string[max(match.start() - _BEFORE_LIMIT, 0) : match.start()]
    return _blank(match) if _IN_STRUCT.search(before) else match.group()


def _without_directives(match: re.Match[bytes]) -> bytes:
    return _DIRECTIVE.sub(_blank, match.group())


def _as_head(match: re.Match[bytes]) -> bytes:
    return b" " * len(match[1]) + match[2] + b" "


def _as_function(match: re.Match[bytes]) -> bytes:
    text = match.group()
    head = b"void".ljust(len(match[1]) + 1) + match[2]
    return head + (b"(" if text.endswith(b",") else b"()")


def _as_named_function(match: re.Match[bytes]) -> bytes:
    """A function named by the text; its closing quote becomes the opening bracket."""
    indent, before, text, rest = match.groups()
    head = indent + b"void".ljust(len(before)) + b"x" * len(text)
    return head + b"(" + _NOT_NEWLINE.sub(b" ", rest[:-1]) + b")"


def _blank(match: re.Match[bytes]) -> bytes:
    """Blank the match except its first group, and except words that are not macros."""
    text = match.group()
    kept = bytearray(b" " * len(text))
    for piece in _KEPT.finditer(text):
        kept[piece.start() : piece.end()] = piece.group()
    if match.re.groups:
        kept[: len(match[1])] = match[1]
    return bytes(kept)
