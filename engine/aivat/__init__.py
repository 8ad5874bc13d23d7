"""AIVAT: what a player won, with the luck taken out that can be computed, and no bias put in"""
