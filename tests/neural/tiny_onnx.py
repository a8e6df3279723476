"""Models of a few words, written as ONNX files byte by byte: small, but run by the real runtime."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace

_FLOAT, INT32, INT64 = 1, 6, 7
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def write_embedding_model(
    folder: Path,
    words: Mapping[str, Sequence[float]],
    inputs: Sequence[str] = _INPUTS,
    numbers: int = INT64,
    texts: int | str = "batch",
    weights: str = "",
) -> Path:
    """A model that gives each token the vector of its word; unknown words have none.

    Its table is in the graph, or in a file of its own.
    """
    dimensions = len(next(iter(words.values())))
    table = numpy.zeros((len(words) + 2, dimensions), numpy.float32)
    table[2:] = list(words.values())
    node = _node("Gather", ["table", "input_ids"], "last_hidden_state")
    output = _value("last_hidden_state", _FLOAT, (texts, "sequence", dimensions))
    read = [_value(name, numbers, (texts, "sequence")) for name in inputs]
    return _write(folder, words, table, [node], read, output, weights)


def write_cross_encoder(
    folder: Path, weights: Mapping[str, float], tokens: int | str = "sequence"
) -> Path:
    """A model that judges a pair by the sum of its words' weights; of any length, or of one."""
    table = numpy.zeros((len(weights) + 2, 1), numpy.float32)
    table[2:, 0] = list(weights.values())
    nodes = [
        _node("Gather", ["table", "input_ids"], "each"),
        _node("ReduceSum", ["each"], "logits", _attribute("axes", [1]), _attribute("keepdims", 0)),
    ]
    output = _value("logits", _FLOAT, ("batch", 1))
    read = [_value(name, INT64, ("batch", tokens)) for name in _INPUTS]
    return _write(folder, weights, table, nodes, read, output)


def _write(
    folder: Path,
    words: Mapping[str, object],
    table: numpy.typing.NDArray[numpy.float32],
    nodes: Sequence[bytes],
    inputs: Sequence[bytes],
    output: bytes,
    weights: str = "",
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    tensor = b"".join(_number(1, size) for size in table.shape)
    tensor += _number(2, _FLOAT) + _part(8, b"table")
    if weights:
        (folder / weights).parent.mkdir(exist_ok=True)
        (folder / weights).write_bytes(table.tobytes())
        place = _part(1, b"location") + _part(2, weights.encode())
        tensor += _part(13, place) + _number(14, 1)
    else:
        tensor += _part(9, table.tobytes())
    graph = b"".join(_part(1, node) for node in nodes) + _part(2, b"tiny") + _part(5, tensor)
    graph += b"".join(_part(11, each) for each in inputs) + _part(12, output)
    model = _number(1, 6) + _part(7, graph) + _part(8, _part(1, b"") + _number(2, 11))
    (folder / "model.onnx").write_bytes(model)
    numbered = {"[PAD]": 0, "[UNK]": 1, **{word: at for at, word in enumerate(words, 2)}}
    tokenizer = Tokenizer(WordLevel(numbered, unk_token="[UNK]"))
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def set_longest(folder: Path, tokens: int) -> None:
    """Let a model say how long its texts may be."""
    (folder / "config.json").write_text(json.dumps({"max_position_embeddings": tokens}))


def _varint(number: int) -> bytes:
    parts = []
    while number > 0x7F:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*parts, number])


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _part(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _node(operation: str, inputs: Sequence[str], output: str, *attributes: bytes) -> bytes:
    node = b"".join(_part(1, name.encode()) for name in inputs) + _part(2, output.encode())
    return node + _part(4, operation.encode()) + b"".join(_part(5, each) for each in attributes)


def _attribute(name: str, value: int | list[int]) -> bytes:
    if isinstance(value, int):
        return _part(1, name.encode()) + _number(3, value) + _number(20, 2)
    values = b"".join(_number(8, each) for each in value)
    return _part(1, name.encode()) + values + _number(20, 7)


def _value(name: str, kind: int, shape: Sequence[int | str]) -> bytes:
    sizes = b"".join(
        _part(1, _number(1, size) if isinstance(size, int) else _part(2, size.encode()))
        for size in shape
    )
    tensor = _number(1, kind) + _part(2, sizes)
    return _part(1, name.encode()) + _part(2, _part(1, tensor))
