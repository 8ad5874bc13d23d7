"""AIVAT: results without the luck that can be computed, and without bias."""
