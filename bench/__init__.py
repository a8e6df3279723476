"""The benchmark harness: data, corpus, adapters, metrics, comparisons. Run as `python -m bench`."""
