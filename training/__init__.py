"""How the table of word vectors in `sonde.meaning` is made; not part of the package."""
