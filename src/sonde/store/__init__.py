"""Store: everything the index keeps on disk, and the read side of one generation."""
