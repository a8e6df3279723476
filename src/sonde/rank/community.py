"""If all seeds lie in one package, the walk stays inside it.

A package is a community drawn by its authors. Louvain over the call graph would find others,
but needs scipy, a hundred megabytes that nothing else here uses.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

import numpy

from sonde.retrieve.view import View
from sonde.retrieve.walk import Region

RULE = "one-community"
_LEAST_SEEDS = 5
_LARGEST_SHARE = 0.5  # of the files: a folder with more is the project itself, not a part of it


def community(seeds: Mapping[int, float], view: View) -> Region | None:
    """The symbols of the one folder that holds every seed; None if there is no such folder."""
    if len(seeds) < _LEAST_SEEDS:
        return None
    columns = view.index.graph.columns
    paths = {view.files[file].path for id in seeds if (file := int(columns.file[id])) in view.files}
    folders = [path.rpartition("/")[0] for path in paths]
    shared = os.path.commonpath(folders) if folders and all(folders) else ""
    if not shared:
        return None
    inside = view.files_below(shared)
    if len(inside) > _LARGEST_SHARE * len(view.files):
        return None
    # a table indexed by file: lookups in a sorted list cost several milliseconds per walk
    belongs = numpy.zeros(int(columns.file.max()) + 1, dtype=bool)
    belongs[inside] = True
    return lambda nodes: belongs[columns.file[nodes]]
