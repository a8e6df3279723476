"""What every candidate has: it decides no order, but how far behind the best the others stand."""

from __future__ import annotations

import numpy

from sonde.rank.rule import Field, Rule, Values


def _everyone(field: Field) -> Values:
    """1 for all. Packs are cut by shares of the best score, and a weight here sets those shares.

    The walk's seeds are weighted by such shares too, and are best when these are higher: hence a
    rule that is heard after the walk, instead of other weights for all kinds.
    """
    return numpy.ones(len(field.records))


RULES = (Rule("base", 0.0, _everyone),)
