"""The number of the index's format: it changes with whatever decides what an index holds."""

from __future__ import annotations

from zlib import crc32

from sonde import __version__
from sonde.discover.kind import KIND_RULES
from sonde.extract import EXTRACTOR_VERSION
from sonde.link import LINKER_VERSION
from sonde.meaning import MODEL
from sonde.store.graph import LAYOUT
from sonde.store.migrations import MIGRATIONS
from sonde.store.rows import FILE_KINDS, KINDS

# An index of another format is not migrated but built again from the stored facts.
FORMAT = crc32(
    repr(
        (
            __version__,
            KIND_RULES,
            EXTRACTOR_VERSION,
            LINKER_VERSION,
            MODEL,
            LAYOUT,
            len(MIGRATIONS),
            KINDS,
            FILE_KINDS,
        )
    ).encode("ascii")
)
