"""Texts → vectors, or pairs of texts → scores, by an ONNX model and its tokenizer."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray

from sonde.neural import model_folder
from sonde.store.errors import Problem, ProblemKind

Floats = NDArray[numpy.float32]
# Texts at a time. On a CPU larger batches save nothing, and the longest text of each decides how
# much of it is padding.
_BATCH = 8
_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_NOTHING = numpy.empty(0, numpy.float32)
_PAD_TOKENS = ("[PAD]", "<pad>")
_MOST_LABELS = 2  # of a model that judges pairs: the judgement, or no and yes


class _Graph:
    """A loaded model. Its runs release the interpreter's lock, so questions go on."""

    def __init__(self, folder: Path, session: Any, tokenizer: Any, threads: int) -> None:
        self.name = model_folder.digest(folder)
        # One batch per thread: threads inside a batch took 1.7 times the processor time of one.
        self._pool = ThreadPoolExecutor(threads, "model") if threads > 1 else None
        self._session = session
        self._tokenizer = tokenizer
        inputs = session.get_inputs()
        self._wanted = [each.name for each in inputs]
        if unknown := sorted(set(self._wanted) - _INPUTS):
            raise ValueError(f"it wants an input {unknown[0]!r}, which is not text")
        fixed = _fixed_length(inputs)
        tokenizer.enable_truncation(fixed or model_folder.token_limit(folder))
        pad = next(filter(None, map(tokenizer.token_to_id, _PAD_TOKENS)), 0)
        tokenizer.enable_padding(pad_id=pad, length=fixed)
        self.output = _output(session)

    def run_each(self, batches: Iterable[Sequence[Any]]) -> Iterable[tuple[Floats, Floats]]:
        """What `run` says of some batches, in their order."""
        return map(self.run, batches) if self._pool is None else self._pool.map(self.run, batches)

    def run(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> tuple[Floats, Floats]:
        """What the graph says of some texts, and the mask of what in it is text."""
        encoded = self._tokenizer.encode_batch(list(texts))
        mask = numpy.array([each.attention_mask for each in encoded], numpy.int64)
        known = {
            "input_ids": numpy.array([each.ids for each in encoded], numpy.int64),
            "attention_mask": mask,
            "token_type_ids": numpy.array([each.type_ids for each in encoded], numpy.int64),
        }
        given = {name: known[name] for name in self._wanted}
        (said,) = self._session.run([self.output.name], given)
        return said.astype(numpy.float32), mask.astype(numpy.float32)


class EmbeddingModel:
    """Texts → unit vectors."""

    def __init__(self, graph: _Graph) -> None:
        self._graph = graph
        self.dimensions = len(self.embed(["a"])[0])
        self.id = f"{graph.name}-{self.dimensions}"

    def embed(self, texts: Sequence[str]) -> Floats:
        """A row for each text, in their order."""
        rows: list[Floats] = [_NOTHING] * len(texts)
        parts = _batches(texts)
        said = self._graph.run_each([texts[at] for at in part] for part in parts)
        for part, (each, mask) in zip(parts, said, strict=True):
            for at, vector in zip(part, _pooled(each, mask), strict=True):
                rows[at] = vector
        return numpy.array(rows, numpy.float32)


class CrossEncoder:
    """(Task, text) → how well the text answers the task, 0 to 1."""

    def __init__(self, graph: _Graph) -> None:
        self._graph = graph
        self.id = graph.name

    def scores(self, task: str, texts: Sequence[str]) -> list[float]:
        """A score for each text, in their order."""
        found = [0.0] * len(texts)
        parts = _batches(texts)
        said = self._graph.run_each([(task, texts[at]) for at in part] for part in parts)
        for part, (each, _) in zip(parts, said, strict=True):
            labels = each.reshape(len(part), -1)
            logits = labels[:, -1] - (labels[:, 0] if labels.shape[1] > 1 else 0.0)
            judged = 1.0 / (1.0 + numpy.exp(-logits.astype(numpy.float64)))
            for at, score in zip(part, judged.tolist(), strict=True):
                found[at] = score
        return found


Model = EmbeddingModel | CrossEncoder


def _batches(texts: Sequence[str]) -> list[list[int]]:
    """The places of texts of about the same length."""
    order = sorted(range(len(texts)), key=lambda at: (len(texts[at]), at))
    return [order[start : start + _BATCH] for start in range(0, len(order), _BATCH)]


def _pooled(said: Floats, mask: Floats) -> Floats:
    """A unit vector for each text: of token vectors the mean, without padding."""
    if said.ndim == 3:
        weights = mask[:, :, None]
        said = (said * weights).sum(axis=1) / numpy.maximum(weights.sum(axis=1), 1.0)
    length = numpy.linalg.norm(said, axis=1, keepdims=True)
    unit: Floats = said / numpy.maximum(length, 1e-9)
    return unit


def load_model(folder: Path, threads: int = 1) -> Model | Problem:
    """The model in a folder, loaded once per process; its graph tells which kind it is."""
    if missing := model_folder.missing_file(folder):
        return _problem(f"{folder} has no {missing}: give a folder with a model, or its name")
    try:
        return _loaded(folder, threads, tuple(_stamps(folder)))
    except ImportError:
        return _problem("models need onnxruntime and tokenizers: pip install 'sonde[neural]'")
    except Exception as error:  # the runtime has exceptions of its own for whatever is in a file
        said = f"{type(error).__name__}: {error}".splitlines()[0][:200]
        return _problem(f"the model in {folder} cannot be used: {said}")


def _problem(message: str) -> Problem:
    return Problem(ProblemKind.BAD_SETTINGS, message)


def _stamps(folder: Path) -> list[tuple[int, int]]:
    found = [path.stat() for path in model_folder.model_files(folder)]
    return [(each.st_size, each.st_mtime_ns) for each in found]


@lru_cache(maxsize=4)
def _loaded(folder: Path, threads: int, _: tuple[tuple[int, int], ...]) -> Model:
    onnxruntime = _runtime()
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(
        str(folder / model_folder.GRAPH), options, providers=["CPUExecutionProvider"]
    )
    tokenizer = Tokenizer.from_file(str(folder / model_folder.TOKENIZER))
    graph = _Graph(folder, session, tokenizer, threads)
    return CrossEncoder(graph) if _judges(graph.output) else EmbeddingModel(graph)


def _runtime() -> Any:
    """onnxruntime, told to report nothing.

    Its official builds otherwise note what machine, program and model they ran, below the user's
    cache folder, and send it to their maker. They look at the variable once, when first used; a
    program that used it before us decided for itself.
    """
    os.putenv("ORT_DISABLE_TELEMETRY", "1")
    import onnxruntime

    return onnxruntime


def _fixed_length(inputs: Sequence[Any]) -> int | None:
    """How many tokens each text must have, if the graph was exported for one length only."""
    lengths = [each.shape[1] for each in inputs if len(each.shape) == 2]
    return next((length for length in lengths if isinstance(length, int)), None)


def _output(session: Any) -> Any:
    """The output we read: one vector per text if the graph has that, else its first output."""
    outputs = session.get_outputs()
    pooled = [each for each in outputs if len(each.shape) == 2]
    return (pooled or outputs)[0]


def _judges(output: Any) -> bool:
    """Whether an output is a judgement: one or two numbers per text instead of a vector."""
    shape = output.shape
    return len(shape) == 1 or (len(shape) == 2 and shape[1] in range(1, _MOST_LABELS + 1))
