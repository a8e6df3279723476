"""Larger models, by choice: vectors and judgements of an ONNX model that the user put in place.

Nothing here is imported unless a model is configured.
"""
