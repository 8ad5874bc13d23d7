"""AIVAT of match logs: whose strategy is known, and what each hand was worth."""
