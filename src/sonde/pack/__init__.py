"""Ranked symbols → a pack inside a hard token budget → text."""
