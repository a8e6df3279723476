"""One folder a language: queries and what is special to it."""
