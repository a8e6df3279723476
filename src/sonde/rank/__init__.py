"""Candidates → Ranked: one table of features, one sum."""
