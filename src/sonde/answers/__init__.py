"""Questions about an index: each takes a view of one generation and returns plain values."""
