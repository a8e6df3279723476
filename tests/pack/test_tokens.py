"""Token counts are exact, and unknown tokenizers are named."""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys

import pytest
import tiktoken
from pack_requests import NASTY, random_repository
from rs_bpe.bpe import openai
from tiktoken_ext import openai_public

from sonde.pack.errors import UnknownTokenizer
from sonde.pack.tokens import TokenCounter, token_counter

O200K_TOKENS = 199998


@pytest.fixture(scope="module")
def reference() -> tiktoken.Encoding:
    """The reference implementation, on the ranks our tokenizer carries (no download)."""
    bpe = openai.o200k_base().bpe()
    ranks = {bpe.decode_tokens([rank]): rank for rank in range(O200K_TOKENS)}

    def load(url: str, expected_hash: str) -> dict[bytes, int]:
        lines = (base64.b64encode(token) + b" %d\n" % rank for token, rank in ranks.items())
        # The ranks are the published ones only if they have the published hash.
        assert hashlib.sha256(b"".join(lines)).hexdigest() == expected_hash
        return ranks

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(openai_public, "load_tiktoken_bpe", load)
        return tiktoken.Encoding(**openai_public.o200k_base())


def test_o200k_counts_equal_the_reference_implementation(reference: tiktoken.Encoding) -> None:
    texts = [text.encode("utf-8", "replace").decode() for text in NASTY]
    texts += [" " * 300, "\n\n\t\n", "a" * 500, "é́" * 40, "x\r\n  y"]
    repository = random_repository(1)
    texts += [t.encode("utf-8", "replace").decode() for t in repository.texts.values()]
    counter = TokenCounter("o200k")
    assert [counter.count(t) for t in texts] == [
        len(reference.encode(t, disallowed_special=())) for t in texts
    ]


@pytest.mark.parametrize(("name", "base"), [("o200k", "o200k_base"), ("cl100k", "cl100k_base")])
def test_count_equals_length_of_encoding(name: str, base: str) -> None:
    text = "\n".join(random_repository(2).texts.values()).encode("utf-8", "replace").decode()
    assert TokenCounter(name).count(text) == len(getattr(openai, base)().encode(text))


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2)])
def test_chars4_rounds_up(text: str, tokens: int) -> None:
    assert TokenCounter("chars4").count(text) == tokens


def test_unknown_tokenizer_is_an_error_value_that_names_the_known_ones() -> None:
    error = token_counter("gpt9")
    assert error == UnknownTokenizer("gpt9", ("o200k", "cl100k", "chars4"))
    assert str(error) == "unknown tokenizer 'gpt9': choose one of o200k, cl100k, chars4"


def test_importing_the_pack_stage_loads_no_tokenizer() -> None:
    code = "import sys, sonde.pack.assemble; sys.exit('rs_bpe' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
