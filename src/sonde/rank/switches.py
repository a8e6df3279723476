"""Every name that `without` understands."""

from __future__ import annotations

from sonde.rank import community, correction, diversity, files, reranking, seeds, titles
from sonde.rank.learned import LEARNED
from sonde.rank.rules import ALL
from sonde.rank.standing import FEATURES
from sonde.retrieve.gather import CHANNELS
from sonde.retrieve.implementors import CHANNEL_NAME
from sonde.retrieve.noise import FILTER

NEIGHBOURS = "neighbours"
SAFETY_NET = "safety-net"

SWITCHES: frozenset[str] = frozenset(
    {
        *(channel.name for channel in CHANNELS),
        *(rule.name for rule in ALL),
        CHANNEL_NAME,
        FILTER,
        LEARNED,
        NEIGHBOURS,
        SAFETY_NET,
        community.RULE,
        correction.RULE,
        diversity.RULE,
        files.RULE,
        reranking.RULE,
        seeds.PATH_SEEDS,
        seeds.TYPES_FIRST,
        titles.RULE,
    }
)

# What only the trees look at, and what they leave all scores with.
_OF_TREES = frozenset({correction.LEVEL, *(feature.name for feature in FEATURES)})


def unknown_switch(without: frozenset[str]) -> str:
    """A one-line message about names that switch nothing off; "" if all are known."""
    wrong = sorted(without - SWITCHES)
    if not wrong:
        return ""
    if wrong[0] in _OF_TREES:
        return f"{wrong[0]!r} belongs to the trees, which are left out as a whole: give 'trees'"
    return f"there is no rule or channel {wrong[0]!r}: choose from {', '.join(sorted(SWITCHES))}"
