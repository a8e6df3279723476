"""Discover: a workspace folder → the files worth indexing, and why the others are not."""

from sonde.discover.leaveout import DEFAULT_LEAVE_OUTS, LeaveOut
from sonde.discover.overlay import buffered, with_overlay
from sonde.discover.reading import is_inside, read_start
from sonde.discover.rules import DiscoverRules, KnownFile, known_files
from sonde.discover.walk import Walker, discover

__all__ = [
    "DEFAULT_LEAVE_OUTS",
    "DiscoverRules",
    "KnownFile",
    "LeaveOut",
    "Walker",
    "buffered",
    "discover",
    "is_inside",
    "known_files",
    "read_start",
    "with_overlay",
]
