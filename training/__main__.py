"""Rebuild the table: python -m training --mirror DIR [--held-out] [--cache DIR]."""

from __future__ import annotations

import argparse
import marshal
import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy
from bench.corpus import Corpus

import sonde.meaning
from training.contrast import Examples, Learner
from training.heldout import figures
from training.pairs import Mined, Pair, mine
from training.vocabulary import code_rows, name_rows, prose_rows, vocabulary, without

_SOURCES = Path(__file__).with_name("sources.txt")
_DATA = Path(sonde.meaning.__file__).with_name("data")
_HELD_OUT = 12  # with --held-out, one repository in this many
_FIRST_HELD = 3
_LEAST_PAIRS = 64
# A quarter as many names as other pairs: with half or as many, less is found.
_MOST_NAMES, _LEAST_WORDS = 1_500, 2


class Source(NamedTuple):
    """A repository at a commit, and its licence."""

    repo: str
    commit: str
    licence: str


def sources() -> list[Source]:
    """The repositories that training mines."""
    return [Source(*line.split()) for line in _SOURCES.read_text().splitlines()]


def main() -> None:
    """Mine, learn, and write the table, or report how it does on held-out repositories."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("--mirror", required=True, help="folder of bare clones, owner+name")
    parser.add_argument("--cache", default=".training", help="where mined pairs are kept")
    parser.add_argument("--held-out", action="store_true", help="measure, write nothing")
    options = parser.parse_args()
    known = sources()
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        jobs = [(source, options.mirror, options.cache) for source in known]
        mined = list(pool.map(_mined, jobs))
    words = vocabulary(mined)
    repositories = [
        _examples(source.repo, each, words)
        for source, each in zip(known, mined, strict=True)
        if len(each.pairs) >= _LEAST_PAIRS
    ]
    sorts = Counter(pair.source for each in mined for pair in each.pairs)
    print(f"{len(repositories)} repositories, pairs: {dict(sorts)}")
    held = range(_FIRST_HELD, len(repositories), _HELD_OUT) if options.held_out else range(0)
    seen = [each for at, both in enumerate(repositories) if at not in held for each in both]
    learner = Learner(len(words))
    losses = learner.learn(seen)
    print("loss", [round(loss, 3) for loss in losses])
    if options.held_out:
        unseen = [repositories[at][0] for at in held]
        for line in figures(unseen, learner.table, learner.turn):
            print(line)
    else:
        _write(words, learner)


def _mined(job: tuple[Source, str, str]) -> Mined:
    source, mirror, cache = job
    kept = Path(cache) / f"{source.repo.replace('/', '+')}-{source.commit[:12]}"
    if not kept.exists():
        found = mine(Corpus.at(None, mirror).mirror(source.repo), source.commit)
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(marshal.dumps((found.documents, tuple(map(tuple, found.pairs)))))
    documents, pairs = marshal.loads(kept.read_bytes())
    return Mined(documents, tuple(Pair(*pair) for pair in pairs))


def _examples(name: str, mined: Mined, words: list[str]) -> tuple[Examples, Examples]:
    """What people wrote about code, and what they named it."""
    texts = {pair.prose: number for number, pair in enumerate(mined.pairs)}
    said = Examples(
        name,
        code_rows(mined.documents, words, with_doc=True),
        code_rows(mined.documents, words, with_doc=False),
        prose_rows((pair.prose for pair in mined.pairs), words),
        numpy.array([pair.code for pair in mined.pairs]),
        numpy.array([pair.source for pair in mined.pairs]),
        numpy.array([texts[pair.prose] for pair in mined.pairs]),
    )
    called = name_rows(mined.documents, words)
    about = numpy.flatnonzero(numpy.diff(called.indptr) >= _LEAST_WORDS)
    names = {document[0]: number for number, document in enumerate(mined.documents)}
    return said, said._replace(
        bare_code=without(said.code, called),
        prose=called[about],
        about=about,
        source=numpy.full(len(about), "name"),
        text=numpy.array([names[mined.documents[at][0]] for at in about]),
        most=_MOST_NAMES,
    )


def _write(words: list[str], learner: Learner) -> None:
    scales = numpy.maximum(numpy.abs(learner.table).max(axis=1), 1e-9) / 127.0
    _DATA.mkdir(exist_ok=True)
    numpy.save(_DATA / "vectors.npy", numpy.rint(learner.table / scales[:, None]).astype("int8"))
    numpy.save(_DATA / "scales.npy", scales.astype(numpy.float32))
    numpy.save(_DATA / "turn.npy", learner.turn)
    (_DATA / "words.txt").write_text("\n".join(words) + "\n")


if __name__ == "__main__":
    main()
