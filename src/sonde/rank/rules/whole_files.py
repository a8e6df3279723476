"""How well a candidate's file as a whole answers the task."""

from __future__ import annotations

import numpy

from sonde.rank.rule import Field, Rule, Values
from sonde.retrieve.whole_files import whole_files


def _whole_file(field: Field) -> Values:
    """The score of the candidate's file, relative to the best file.

    A report of a fault speaks of several symbols of a file. Requests gain nothing: there its
    learned weight is 0, and it is not computed.
    """
    of_symbol = field.view.index.graph.columns.file[field.rows].astype(numpy.int64)
    files, places = numpy.unique(of_symbol, return_inverse=True)
    return whole_files(field.matcher, field.view, files)[places]


RULES = (Rule("whole-file", 0.1, _whole_file),)
