"""What a symbolic link means for the walk, from its resolved target."""

from __future__ import annotations

import errno
import os

from sonde.discover.reading import is_inside
from sonde.model import SkipReason


def link_reason(root: str, path: str) -> SkipReason | None:
    """Why a link is reported; None when its target is met, or left out, under its own name."""
    location = os.path.join(root, path)
    try:
        target = os.path.realpath(location, strict=True)
    except OSError as error:
        if not is_inside(root, os.path.realpath(location)):
            return SkipReason.OUTSIDE_ROOT
        return SkipReason.LINK_LOOP if error.errno == errno.ELOOP else SkipReason.UNREADABLE
    if not is_inside(root, target):
        return SkipReason.OUTSIDE_ROOT
    if is_inside(target, os.path.realpath(os.path.dirname(location))):
        return SkipReason.LINK_LOOP
    return None
