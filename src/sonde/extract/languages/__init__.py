"""One folder per language: its queries and language-specific code."""
