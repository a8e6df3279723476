"""Facts of all files → edges: one pure function per file over recorded lookups."""
