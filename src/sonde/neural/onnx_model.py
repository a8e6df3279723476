"""Texts → vectors, or pairs of texts → scores, by an ONNX model and its tokenizer."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray

from sonde.neural import model_folder
from sonde.neural.vector_store import Unavailable
from sonde.store.errors import Problem, ProblemKind

Floats = NDArray[numpy.float32]
# Texts at a time. On a CPU larger batches save nothing, and the longest text of each decides how
# much of it is padding.
_BATCH = 8
_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_NUMBERS: Mapping[str, type[Any]] = {  # how a graph may want its inputs
    "tensor(int64)": numpy.int64,
    "tensor(int32)": numpy.int32,
    "tensor(float)": numpy.float32,
}
_NOTHING = numpy.empty(0, numpy.float32)
_PAD_TOKENS = ("[PAD]", "<pad>")
_MOST_LABELS = 2  # of a model that judges pairs: the judgement, or no and yes
_SURE = 50.0  # the number of a judgement that more would not change
_PROBE = ("a", "b c d")  # of different lengths: a model that cannot take either is no use


class _Graph:
    """A loaded model. Its runs release the interpreter's lock, so questions go on."""

    def __init__(self, folder: Path, session: Any, tokenizer: Any, threads: int) -> None:
        self.name = model_folder.digest(folder)
        self._folder = folder
        # One batch per thread: threads inside a batch took 1.7 times the processor time of one.
        self._pool = ThreadPoolExecutor(threads, "model") if threads > 1 else None
        self._session = session
        self._tokenizer = tokenizer
        inputs = session.get_inputs()
        for each in inputs:
            if each.name not in _INPUTS or each.type not in _NUMBERS:
                raise ValueError(f"it wants an input {each.name!r} of {each.type}: that is no text")
        self._wanted = {each.name: _NUMBERS[each.type] for each in inputs}
        self._rows = _fixed(inputs, 0)
        self.batch = self._rows or _BATCH
        fixed = _fixed(inputs, 1)
        tokenizer.enable_truncation(fixed or model_folder.token_limit(folder))
        pad = next(filter(None, map(tokenizer.token_to_id, _PAD_TOKENS)), 0)
        tokenizer.enable_padding(pad_id=pad, length=fixed)
        self.output = _output(session)

    def run_each(self, batches: Iterable[Sequence[Any]]) -> Iterable[tuple[Floats, Floats]]:
        """What `run` says of some batches, in their order."""
        return map(self.run, batches) if self._pool is None else self._pool.map(self.run, batches)

    def run(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> tuple[Floats, Floats]:
        """What the graph says of some texts, and the mask of what in it is text.

        Raises `Unavailable`: many a graph loads that then cannot read every text.
        """
        try:
            return self._run(texts)
        except Exception as error:  # the runtime and the tokenizer have exceptions of their own
            raise Unavailable(_cannot(self._folder, error)) from error

    def _run(self, texts: Sequence[Any]) -> tuple[Floats, Floats]:
        count = len(texts)
        full = [*texts, *[texts[-1]] * ((self._rows or count) - count)]
        encoded = self._tokenizer.encode_batch(full)
        known = {
            "input_ids": [each.ids for each in encoded],
            "attention_mask": [each.attention_mask for each in encoded],
            "token_type_ids": [each.type_ids for each in encoded],
        }
        given = {name: numpy.array(known[name], kind) for name, kind in self._wanted.items()}
        (said,) = self._session.run([self.output.name], given)
        if said.ndim not in (1, 2, 3) or len(said) != len(full):
            raise ValueError(f"for {len(full)} texts it gives numbers of the shape {said.shape}")
        mask = numpy.array(known["attention_mask"], numpy.float32)
        return said[:count].astype(numpy.float32), mask[:count]


class EmbeddingModel:
    """Texts → unit vectors."""

    def __init__(self, graph: _Graph) -> None:
        self._graph = graph
        self.dimensions = _width(graph, _PROBE)
        self.id = f"{graph.name}-{self.dimensions}"

    def embed(self, texts: Sequence[str]) -> Floats:
        """A row for each text, in their order."""
        rows: list[Floats] = [_NOTHING] * len(texts)
        parts = _batches(texts, self._graph.batch)
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
        _width(graph, [(_PROBE[0], text) for text in _PROBE])

    def scores(self, task: str, texts: Sequence[str]) -> list[float]:
        """A score for each text, in their order."""
        found = [0.0] * len(texts)
        parts = _batches(texts, self._graph.batch)
        said = self._graph.run_each([(task, texts[at]) for at in part] for part in parts)
        for part, (each, _) in zip(parts, said, strict=True):
            labels = each.reshape(len(part), -1)
            logits = labels[:, -1] - (labels[:, 0] if labels.shape[1] > 1 else 0.0)
            bounded = numpy.clip(logits.astype(numpy.float64), -_SURE, _SURE)
            judged = 1.0 / (1.0 + numpy.exp(-bounded))
            for at, score in zip(part, numpy.nan_to_num(judged).tolist(), strict=True):
                found[at] = score
        return found


Model = EmbeddingModel | CrossEncoder


def _width(graph: _Graph, samples: Sequence[Any]) -> int:
    """How many numbers the graph gives for a text. Raises if it is of no use for all of them."""
    parts = (samples[: graph.batch], *([sample] for sample in samples))
    said = [graph.run(part)[0] for part in parts]
    widths = {each.shape[-1] if each.ndim > 1 else 1 for each in said}
    if len(widths) > 1 or not all(numpy.isfinite(each).any() for each in said):
        raise ValueError("it does not give the same count of finite numbers for each text")
    return widths.pop()


def _batches(texts: Sequence[str], most: int) -> list[list[int]]:
    """The places of texts of about the same length."""
    order = sorted(range(len(texts)), key=lambda at: (len(texts[at]), at))
    return [order[start : start + most] for start in range(0, len(order), most)]


def _pooled(said: Floats, mask: Floats) -> Floats:
    """A unit vector for each text: of token vectors the mean, without padding.

    Half precision overflows on some texts; these get zeros, which are near to nothing.
    """
    said = numpy.where(numpy.isfinite(said), said, numpy.nan)
    if said.ndim == 3:
        text = numpy.where(mask[:, :, None] > 0.0, said, 0.0)
        said = text.sum(axis=1) / numpy.maximum(mask.sum(axis=1, keepdims=True), 1.0)
    length = numpy.linalg.norm(said, axis=1, keepdims=True)
    unit: Floats = numpy.nan_to_num(said / numpy.maximum(length, 1e-9))
    return unit


def load_model(folder: Path, threads: int = 1) -> Model | Problem:
    """The model in a folder, loaded once per process; its graph tells which kind it is."""
    if missing := model_folder.missing_file(folder):
        return _problem(f"{folder} has no {missing}: give a folder with a model, or its name")
    try:
        return _loaded(folder, threads, tuple(_stamps(folder)))
    except ImportError:
        return _problem("models need onnxruntime and tokenizers: pip install 'sonde[neural]'")
    except Unavailable as error:
        return _problem(str(error))
    except Exception as error:  # the runtime has exceptions of its own for whatever is in a file
        return _problem(_cannot(folder, error))


def _cannot(place: Path, error: Exception) -> str:
    said = f"{type(error).__name__}: {error}".splitlines()[0][:200]
    return f"the model in {place} cannot be used: {said}"


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
    options.log_severity_level = 4  # what cannot be run is raised, and told by us
    session = onnxruntime.InferenceSession(
        str(folder / model_folder.GRAPH), options, providers=["CPUExecutionProvider"]
    )
    try:
        tokenizer = Tokenizer.from_file(str(folder / model_folder.TOKENIZER))
    except Exception as error:  # of no class of its own, and it does not tell the file
        raise Unavailable(_cannot(folder / model_folder.TOKENIZER, error)) from error
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


def _fixed(inputs: Sequence[Any], axis: int) -> int | None:
    """The size of a graph that was exported for one number of texts (0) or tokens (1) only."""
    sizes = [each.shape[axis] for each in inputs if len(each.shape) == 2]
    return next((size for size in sizes if isinstance(size, int)), None)


def _output(session: Any) -> Any:
    """The output we read: one vector per text if the graph has that, else its first output."""
    outputs = session.get_outputs()
    pooled = [each for each in outputs if len(each.shape) == 2]
    return (pooled or outputs)[0]


def _judges(output: Any) -> bool:
    """Whether an output is a judgement: one or two numbers per text instead of a vector."""
    shape = output.shape
    return len(shape) == 1 or (len(shape) == 2 and shape[1] in range(1, _MOST_LABELS + 1))
