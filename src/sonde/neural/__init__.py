"""Optional larger models: vectors and judgements of an ONNX model that the user chose.

Nothing here is imported unless a model is configured.
"""
