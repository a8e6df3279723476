"""Sync: make the index equal to the disk."""
