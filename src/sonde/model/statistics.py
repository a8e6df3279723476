"""Labels in an answer's statistics that more than one stage reads."""

from __future__ import annotations

CUT = "cut short"  # behind the name of what ran out of time, or was not ready
LOADING = "loading"  # behind the name of what was not ready because of that alone
HISTORY = "history"  # the channel of commits
NEURAL = "neural"  # the channel of an embedding model
EMBEDDED = f"{NEURAL} embedded"  # the share of functions and types that it can find
RERANKING = "reranking"  # the rule of a model that judges pairs
