"""Facts of all files → edges: one pure function per file over recorded lookups."""

LINKER_VERSION = 33  # raise it when the same facts give other edges
