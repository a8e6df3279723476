"""Candidates → Ranked: one table of features, summed."""
