"""Matches for two between compiled policies: hundreds of thousands of hands a second."""
