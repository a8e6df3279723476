"""What a walk saw, kept so that another process can compare it with the disk without walking.

A folder whose times, identity and size are unchanged has the same entries, and a file of the same
time and size the same content; a repeated walk trusts neither less nor more than that. Listing
three thousand folders again took a seventh of a cold question.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple

from sonde.discover.links import link_reason
from sonde.discover.stamp import ABSENT, Stamp, stamp_of

_STAMP = 4  # numbers
_DIGEST = 16  # bytes
_POSITIVE = (1 << 63) - 1  # inode numbers may have one bit more


class Link(NamedTuple):
    """A symbolic link, and why it is reported; "" when it is not."""

    path: str
    reason: str


class Sighting(NamedTuple):
    """Folders and files below a root, and the files outside and inside that told what to ignore."""

    folders: Sequence[str]
    folder_stamps: Sequence[int]  # four for each
    files: Sequence[str]
    file_stamps: Sequence[int]  # time and size of each
    links: Sequence[Link]
    rules: Sequence[str]  # absolute paths
    rule_stamps: Sequence[int]  # four for each, all 0 for a file that does not exist

    def still_holds(self, root: str) -> bool:
        """Whether the disk is still as it was seen."""
        return (
            _are_stamped(self.rules, self.rule_stamps, "")
            and _are_stamped(self.folders, self.folder_stamps, f"{root}/")
            and self._files_hold(f"{root}/")
            and all((link_reason(root, path) or "") == reason for path, reason in self.links)
        )

    def _files_hold(self, prefix: str) -> bool:
        numbers, lstat = iter(self.file_stamps), os.lstat
        try:
            for path, mtime_ns, size in zip(self.files, numbers, numbers, strict=True):
                status = lstat(prefix + path)
                if status.st_mtime_ns != mtime_ns or status.st_size != size:
                    return False
        except OSError:
            return False
        return True


def _are_stamped(paths: Sequence[str], stamps: Sequence[int], prefix: str) -> bool:
    numbers = iter(stamps)
    return all(
        _numbers(stamp_of(prefix + path)) == stamp
        for path, *stamp in zip(paths, numbers, numbers, numbers, numbers, strict=True)
    )


def stamp_numbers(stamps: Iterable[Stamp]) -> array[int]:
    """Stamps as four numbers each."""
    return array("q", (number for stamp in stamps for number in _numbers(stamp)))


def _numbers(stamp: Stamp) -> list[int]:
    if stamp == ABSENT:
        return [0] * _STAMP
    mtime_ns, ctime_ns, number, size = stamp
    return [mtime_ns, ctime_ns, number & _POSITIVE, size]


def encode(sighting: Sighting, key: str) -> bytes:
    """A sighting as bytes, for whoever asks with the same key."""
    links = [text for link in sighting.links for text in link]
    texts = (*sighting.folders, *sighting.files, *links, *sighting.rules)
    numbers = array("q", (len(sighting.folders), len(sighting.files), len(links)))
    for stamps in (sighting.folder_stamps, sighting.file_stamps, sighting.rule_stamps):
        numbers.extend(stamps)
    body = "\0".join(texts).encode("utf-8", "surrogateescape")
    sizes = array("q", (len(numbers), len(body)))
    data = sizes.tobytes() + numbers.tobytes() + body
    return _digest(data, key) + data


def decode(data: bytes, key: str) -> Sighting | None:
    """What `encode` wrote with that key; None for anything else."""
    view = memoryview(data)
    if len(data) < _DIGEST or bytes(view[:_DIGEST]) != _digest(view[_DIGEST:], key):
        return None
    sizes, numbers = array("q"), array("q")
    sizes.frombytes(view[_DIGEST : _DIGEST + 16])
    start = _DIGEST + 16 + 8 * sizes[0]
    numbers.frombytes(view[_DIGEST + 16 : start])
    texts = bytes(view[start:]).decode("utf-8", "surrogateescape").split("\0")
    folders, files, links = numbers[:3]
    a, b = folders, folders + files
    pairs = iter(texts[b : b + links])
    stamps = numbers[3:]
    c, d = _STAMP * folders, _STAMP * folders + 2 * files
    return Sighting(
        texts[:a],
        stamps[:c],
        texts[a:b],
        stamps[c:d],
        [Link(path, reason) for path, reason in zip(pairs, pairs, strict=True)],
        texts[b + links :],
        stamps[d:],
    )


def _digest(data: bytes | memoryview, key: str) -> bytes:
    digest = blake2b(key.encode("utf-8", "surrogateescape"), digest_size=_DIGEST)
    digest.update(data)
    return digest.digest()
