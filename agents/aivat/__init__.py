"""AIVAT of match logs: whose strategy is known, all hands of it, what the rates come to"""
