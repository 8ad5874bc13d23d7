"""Small games as trees, solved exactly: tabular CFR, best responses, gadgets."""
