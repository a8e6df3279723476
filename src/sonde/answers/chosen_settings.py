"""The settings of a workspace, read again when the files that hold them change."""

from __future__ import annotations

from pathlib import Path

from sonde.config import ConfigProblem, Settings, load_settings, settings_files
from sonde.discover.stamp import Stamp, stamp_of


class ChosenSettings:
    """Those given by the caller, which stay, or those of the workspace's files."""

    def __init__(self, root: Path, given: Settings | None) -> None:
        self._root = root
        self._given = given
        self._files = settings_files(root)
        self._seen: tuple[Stamp, ...] | None = None

    @property
    def changed(self) -> bool:
        """Whether the files are others than when they were last read; two looks, no reading."""
        return self._given is None and self._stamps() != self._seen

    def read(self) -> Settings | ConfigProblem:
        """The settings as of now."""
        if self._given is not None:
            return self._given
        stamps = self._stamps()  # before reading: what changes meanwhile is read again
        settings = load_settings(self._root)
        if isinstance(settings, Settings):  # else every question tells what is wrong
            self._seen = stamps
        return settings

    def _stamps(self) -> tuple[Stamp, ...]:
        return tuple(map(stamp_of, self._files))
