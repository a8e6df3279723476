"""C: names hide in declarators, prototypes count if there is no body, includes import all."""

from __future__ import annotations

from sonde.extract.languages.c.conditionals import keep_one_branch
from sonde.extract.languages.c.declarators import (
    definition_name,
    macro_owner,
    read_binding,
    read_includes,
    refine_declaration,
)
from sonde.extract.languages.c.macros import blank_macros
from sonde.extract.spec import LanguageSpec

_STANDARD = """
NULL size_t ssize_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t bool
malloc calloc realloc free memcpy memset memmove memcmp strlen strcmp strncmp strcpy strncpy
strdup strchr strstr printf fprintf sprintf snprintf sizeof assert va_list va_start va_end
"""


def _grammar() -> object:
    import tree_sitter_c

    return tree_sitter_c.language()


def repair(data: bytes) -> bytes:
    """Rewrite source meant for the preprocessor into bytes that parse better without it."""
    return blank_macros(keep_one_branch(data))


SPEC = LanguageSpec(
    name="c",
    grammar=_grammar,
    heads="typed",
    params_style="type_first",
    separators=("::", "->", "."),
    self_names=frozenset(),
    builtins=frozenset(_STANDARD.split()),
    repair=repair,
    prototypes=frozenset({"declaration"}),
    imports=read_includes,
    definition_name=definition_name,
    owner=macro_owner,
    refine=refine_declaration,
    block_scoped=True,
    binding=read_binding,
)
