"""What a symbolic link means for the walk, from its resolved target."""

from __future__ import annotations

import os

from sonde.discover.reading import is_inside
from sonde.model import SkipReason


def link_reason(root: str, path: str) -> SkipReason | None:
    """Why a link is reported; None when its target is met, or left out, under its own name."""
    location = os.path.join(root, path)
    try:
        target = os.path.realpath(location, strict=True)
    except FileNotFoundError:
        inside = is_inside(root, os.path.realpath(location))
        return SkipReason.UNREADABLE if inside else SkipReason.OUTSIDE_ROOT
    except OSError:
        # A ring of links has no target; a target behind a closed folder cannot be told.
        return _reason_of_unresolved(root, location)
    if not is_inside(root, target):
        return SkipReason.OUTSIDE_ROOT
    if is_inside(target, os.path.realpath(os.path.dirname(location))):
        return SkipReason.LINK_LOOP
    return None


def _reason_of_unresolved(root: str, location: str) -> SkipReason:
    if not is_inside(root, os.path.realpath(location)):
        return SkipReason.OUTSIDE_ROOT
    try:
        os.stat(location)
    except PermissionError:
        return SkipReason.UNREADABLE
    except OSError:
        return SkipReason.LINK_LOOP
    return SkipReason.UNREADABLE
