"""How what Sonde has learned is made: the table of words, weights and trees. Not in the package."""

import os

# Before numpy is imported. One order of summation: the same bytes each time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
